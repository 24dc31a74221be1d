"""Statements of several sessions that one session applies: `mysqlbinlog | mysql` and a replica's applier say by
`pseudo_thread_id` whose comes next. CONNECTION_ID() is that session's, and each has its own temporary tables, as in MySQL.
"""
import pymysql
import pytest

from binlog.test_replica import errors, point
from lib.servers import MySQL, Server
from lib.wait import until

GTIDS = ["--log-bin=bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON"]
KINDS = [Server, pytest.param(MySQL, marks=pytest.mark.skipif(MySQL.folder() is None, reason="scripts/mysql-peer.sh has not been run"))]


@pytest.mark.parametrize("kind", KINDS)
def test_one_session_for_two(kind):
    s = kind().start()

    def spaces():
        return sorted(p.name for p in (s.dir / "data/#spaces").glob("*"))

    try:
        with s.connect() as c, c.cursor() as cur:
            def ask(*statements):
                for q in statements:
                    cur.execute(q)
                return cur.fetchall()

            own, = ask("SELECT CONNECTION_ID()")[0]
            ask("CREATE DATABASE d", "USE d", "CREATE TABLE kept (a INT, b BIGINT)")
            without = spaces()
            for n in (1000005, 1000006):
                ask(f"SET pseudo_thread_id = {n}", "CREATE TEMPORARY TABLE t (a INT)", f"INSERT INTO t VALUES ({n})")
                ask("INSERT INTO kept SELECT a, CONNECTION_ID() FROM t")
            # the same text again, whose plan is known
            ask("SET pseudo_thread_id = 1000005", "INSERT INTO kept SELECT a, CONNECTION_ID() FROM t")
            assert ask("SELECT * FROM kept") == ((1000005, 1000005), (1000006, 1000006), (1000005, 1000005))
            assert ask("SELECT CONNECTION_ID(), @@pseudo_thread_id") == ((1000005, 1000005),)
            ask("DROP TEMPORARY TABLE t")
            with pytest.raises(pymysql.err.ProgrammingError) as e:
                ask("SELECT * FROM t")
            assert e.value.args[0] == 1146
            assert ask("SET pseudo_thread_id = 1000006", "SELECT * FROM t") == ((1000006,),)
            with pytest.raises(pymysql.err.ProgrammingError):
                ask(f"SET pseudo_thread_id = {own}", "SELECT * FROM t")
            # its own number is what others know it by
            assert ask("SELECT 1 FROM performance_schema.threads WHERE processlist_id = CONNECTION_ID()") == ((1,),)
        if kind is Server:
            # all of them go with the session
            until(lambda: spaces() == without)
    finally:
        s.remove()


OWN = ["CREATE TEMPORARY TABLE t (a INT)", "CREATE TEMPORARY TABLE IF NOT EXISTS t (a INT)", "ALTER TABLE t ADD b INT", "CREATE INDEX i ON t (a)",
       "DROP INDEX i ON t", "ALTER TABLE t RENAME TO u", "TRUNCATE u", "CREATE TEMPORARY TABLE t AS SELECT 1", "DROP TABLE t", "DROP TEMPORARY TABLE u",
       "DROP TEMPORARY TABLE IF EXISTS u"]


@pytest.mark.parametrize("kind", KINDS)
def test_their_definitions_use_a_gtid_up(kind):
    """A log of statements has them under GTIDs: one that is never executed is sent again, and waited for without an end."""
    s, uuid = kind(options=GTIDS).start(), "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"
    try:
        s.query("CREATE DATABASE d")
        with s.connect(database="d") as c, c.cursor() as cur:
            for n, q in enumerate(OWN, 1):
                cur.execute(f"SET gtid_next = '{uuid}:{n}'")
                cur.execute(q)
                cur.execute("SET gtid_next = AUTOMATIC")
                cur.execute(f"SELECT GTID_SUBSET('{uuid}:1-{n}', @@GLOBAL.gtid_executed)")
                assert cur.fetchone() == (1,), q
            # inside a transaction it is the transaction's
            cur.execute(f"SET gtid_next = '{uuid}:100'")
            for q in ("BEGIN", "CREATE TEMPORARY TABLE t (a INT)", "INSERT INTO t VALUES (1)"):
                cur.execute(q)
            assert s.query(f"SELECT GTID_SUBSET('{uuid}:100', @@GLOBAL.gtid_executed)") == ((0,),)
            cur.execute("COMMIT")
            assert s.query(f"SELECT GTID_SUBSET('{uuid}:100', @@GLOBAL.gtid_executed)") == ((1,),)
    finally:
        s.remove()


@pytest.mark.skipif(MySQL.folder() is None, reason="scripts/mysql-peer.sh has not been run")
def test_a_source_with_statements():
    """Before, the second session's rows went into the first one's table, and the replica's own number stood for CONNECTION_ID()."""
    source, replica = MySQL(options=[*GTIDS, "--server-id=1", "--binlog-format=STATEMENT"]), Server(options=[*GTIDS, "--server-id=2"])
    try:
        for s in (source, replica):
            s.start()
        source.query("RESET BINARY LOGS AND GTIDS")
        for q in ("CREATE USER repl@'%' IDENTIFIED BY 'p w'", "GRANT REPLICATION SLAVE ON *.* TO repl@'%'", "CREATE DATABASE d",
                  "CREATE TABLE d.kept (id INT PRIMARY KEY, a VARCHAR(20), c BIGINT)"):
            source.query(q)
        point(source, replica)
        replica.query("START REPLICA")
        with source.connect(database="d") as one, source.connect(database="d") as two, one.cursor() as a, two.cursor() as b:
            for cur, name in ((a, "one"), (b, "two")):
                cur.execute("CREATE TEMPORARY TABLE IF NOT EXISTS t (a VARCHAR(20))")
                cur.execute(f"INSERT INTO t VALUES ('{name}')")
            for n, cur in enumerate((a, b, a)):
                cur.execute(f"INSERT INTO kept SELECT {n}, a, CONNECTION_ID() FROM t")
            a.execute("DROP TEMPORARY TABLE t")
            b.execute("INSERT INTO kept SELECT 4, a, CONNECTION_ID() FROM t")
        (done,), = source.query("SELECT @@gtid_executed")
        until(lambda: replica.query(f"SELECT WAIT_FOR_EXECUTED_GTID_SET('{done}', 1)") == ((0,),) or errors(replica))
        assert errors(replica) == ()
        assert replica.query("SELECT * FROM d.kept") == source.query("SELECT * FROM d.kept")
        assert [a for _, a, _ in replica.query("SELECT * FROM d.kept")] == ["one", "two", "one", "two"]
    finally:
        for s in (source, replica):
            if s.process:
                s.remove()
