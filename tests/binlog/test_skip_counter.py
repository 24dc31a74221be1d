"""`sql_replica_skip_counter`: what the next applier passes over. Events count, and a transaction that has begun is passed over as a whole; the numbers
are those that MySQL 9.7 skipped. What was skipped does not come again, also after kill -9."""
import contextlib

import pymysql
import pytest

from binlog.test_replica import applier_failed, caught_up, pair, point, state, status
from lib.servers import MySQL, Server
from lib.wait import until

FILES = ["--gtid-mode=OFF", "--enforce-gtid-consistency=OFF"]
SOURCES = [Server, pytest.param(MySQL, marks=pytest.mark.skipif(MySQL.folder() is None, reason="scripts/mysql-peer.sh has not been run"))]


def here(s):
    file, at = s.query("SHOW BINARY LOG STATUS")[0][:2]
    return f"SOURCE_LOG_FILE='{file}', SOURCE_LOG_POS={at}"


@contextlib.contextmanager
def followed(kind=Server, workers=4, more=(), options=FILES):
    """A source and a replica by file and position that have d.t."""
    with pair(kind, options=options, replica=[f"--replica-parallel-workers={workers}", *more], source=["--secure-file-priv="] if kind is Server else []) as (s, r):
        point(s, r, here(s))
        r.query("START REPLICA")
        run(s, "CREATE DATABASE d", "CREATE TABLE d.t (a INT PRIMARY KEY, b INT)")
        caught_up(s, r)
        yield s, r


def run(s, *statements):
    with s.connect() as c, c.cursor() as cur:
        for q in statements:
            cur.execute(q)


def local(r, *statements):
    run(r, "SET SESSION sql_log_bin = 0", *statements)


def numbers(r):
    return [a for (a,) in r.query("SELECT a FROM d.t ORDER BY a")]


def counter(r):
    """The variable, and what the applier still has to skip."""
    return r.query("SELECT @@GLOBAL.sql_replica_skip_counter, @@GLOBAL.sql_slave_skip_counter")[0], status(r)["Skip_Counter"]


def skip(r, n):
    r.query(f"SET GLOBAL sql_replica_skip_counter = {n}")
    assert counter(r) == ((n, n), 0)
    r.query("START REPLICA SQL_THREAD")
    assert counter(r)[0] == (0, 0)


INSERTS = [f"INSERT INTO d.t VALUES ({n}, 0)" for n in range(1, 4)]
# Each is ANONYMOUS_GTID, BEGIN, TABLE_MAP, WRITE_ROWS, XID: as many are skipped, and so many are left of the counter.
COUNTED = [(1, 1, 0), (2, 1, 0), (5, 1, 0), (6, 2, 0), (10, 2, 0), (11, 3, 0), (15, 3, 0), (16, 3, 1), (20, 3, 5)]


@pytest.mark.parametrize("kind", SOURCES)
def test_how_events_count(kind):
    with followed(kind) as (s, r):
        r.query("STOP REPLICA SQL_THREAD")
        wanted = []
        for i, (n, skipped, left) in enumerate(COUNTED):
            run(s, *(f"INSERT INTO d.t VALUES ({10 * i + k}, 0)" for k in range(3)))
            wanted += [10 * i + k for k in range(skipped, 3)]
            skip(r, n)
            caught_up(s, r)
            # the position is shown a moment before: the counter falls when that is durable
            until(lambda: status(r)["Skip_Counter"] == left, why=lambda: (n, status(r)))
            assert numbers(r) == wanted, n
            r.query("STOP REPLICA SQL_THREAD")
            # what is left belongs to that applier; the next one skips nothing
            assert status(r)["Skip_Counter"] == left
            run(s, f"INSERT INTO d.t VALUES ({10 * i + 9}, 0)")
            wanted.append(10 * i + 9)
            r.query("START REPLICA SQL_THREAD")
            caught_up(s, r)
            assert counter(r) == ((0, 0), 0) and numbers(r) == wanted
            r.query("STOP REPLICA SQL_THREAD")
        # a new file of the source's log is none of them, a compressed transaction has two
        run(s, "FLUSH BINARY LOGS", "INSERT INTO d.t VALUES (101, 0)", "INSERT INTO d.t VALUES (102, 0)")
        skip(r, 5)
        caught_up(s, r)
        assert numbers(r)[-1] == 102 and 101 not in numbers(r)
        r.query("STOP REPLICA SQL_THREAD")
        run(s, "SET binlog_transaction_compression = 1", *(f"INSERT INTO d.t VALUES ({n}, 0)" for n in (111, 112, 113)))
        skip(r, 3)
        caught_up(s, r)
        assert numbers(r)[-1] == 113 and not {111, 112} & set(numbers(r))


@pytest.mark.parametrize("workers", [0, 1, 4])
@pytest.mark.parametrize("kind", SOURCES)
def test_what_operators_skip(kind, workers):
    """1062 and 1032, what comes behind it is applied; nothing of it comes again after kill -9."""
    with followed(kind, workers) as (s, r):
        local(r, "INSERT INTO d.t VALUES (2, 22)")
        run(s, *INSERTS, "BEGIN", "INSERT INTO d.t VALUES (4, 4)", "INSERT INTO d.t VALUES (5, 5)", "COMMIT")
        applier_failed(r, 1062)
        skip(r, 1)
        caught_up(s, r)
        until(lambda: counter(r) == ((0, 0), 0))
        assert r.query("SELECT * FROM d.t ORDER BY a") == ((1, 0), (2, 22), (3, 0), (4, 4), (5, 5))
        r.kill()
        r.start()
        caught_up(s, r)
        local(r, "DELETE FROM d.t WHERE a = 3")
        # the whole transaction goes, what it would have done as well
        run(s, "BEGIN", "UPDATE d.t SET b = 1 WHERE a = 1", "UPDATE d.t SET b = 1 WHERE a = 3", "UPDATE d.t SET b = 1 WHERE a = 4", "COMMIT", "UPDATE d.t SET b = 7 WHERE a = 5")
        applier_failed(r, 1032)
        skip(r, 1)
        caught_up(s, r)
        r.kill()
        r.start()
        caught_up(s, r)
        assert r.query("SELECT * FROM d.t ORDER BY a") == ((1, 0), (2, 22), (4, 4), (5, 7))


CASES = {
    "ddl": (["CREATE TABLE d.x (a INT)"], ["CREATE TABLE d.x (a INT)"], 1050),
    "large": (["INSERT INTO d.big VALUES (1, 'here')"], ["BEGIN", *(f"INSERT INTO d.big VALUES ({n}, REPEAT('x', 5000000))" for n in range(3, 0, -1)), "COMMIT"], 1062),
    "load": (["INSERT INTO d.t VALUES (1000, 1)"], ["SET binlog_format = STATEMENT", "LOAD DATA INFILE 'ROWS' INTO TABLE d.t"], 1062),
    "xa": (["INSERT INTO d.t VALUES (77, 1)"], ["XA START 'x'", "INSERT INTO d.t VALUES (77, 7)", "XA END 'x'", "XA PREPARE 'x'"], 1062),
    "account": (["CREATE USER u@localhost"], ["CREATE USER u@localhost"], 1396),
}


@pytest.mark.parametrize("workers", [0, 4])
@pytest.mark.parametrize("case", CASES)
def test_transactions_of_every_kind(case, workers, tmp_path):
    before, changes, code = CASES[case]
    file = tmp_path / "rows.txt"
    file.write_text("1000\t2\n1001\t2\n")
    tmp_path.chmod(0o755)
    with followed(workers=workers, more=["--max-allowed-packet=64M"]) as (s, r):
        run(s, "CREATE TABLE d.big (a INT PRIMARY KEY, b LONGTEXT)")
        caught_up(s, r)
        local(r, *before)
        run(s, "SET GLOBAL max_allowed_packet = 67108864")
        run(s, *(q.replace("ROWS", str(file)) for q in changes))
        run(s, "INSERT INTO d.t VALUES (1, 1)")
        applier_failed(r, code)
        if case == "xa":
            run(s, "XA ROLLBACK 'x'")
        skip(r, 1)
        if case == "xa":
            # what the group would have prepared is not there
            applier_failed(r, 1397)
            assert r.query("XA RECOVER") == ()
            skip(r, 1)
        caught_up(s, r)
        assert r.query("SELECT b FROM d.t WHERE a = 1") == ((1,),)
        r.kill()
        r.start()
        run(s, "INSERT INTO d.t VALUES (2, 2)")
        caught_up(s, r)
        wanted = {"load": [1, 2, 1000], "xa": [1, 2, 77]}.get(case, [1, 2])
        assert numbers(r) == wanted
        assert r.query("SELECT a, LENGTH(b) FROM d.big") == (((1, 4),) if case == "large" else ())


def test_killed_at_once():
    """Between the skip and the next commit."""
    with followed() as (s, r):
        for n in range(1, 6):
            local(r, f"INSERT INTO d.t VALUES ({n}, 9)")
            run(s, f"INSERT INTO d.t VALUES ({n}, 0)")
            applier_failed(r, 1062)
            r.query("SET GLOBAL sql_replica_skip_counter = 1")
            r.query("START REPLICA SQL_THREAD")
            until(lambda: status(r)["Skip_Counter"] == 0, why=lambda: status(r))
            at = status(r)["Exec_Source_Log_Pos"]
            r.kill()
            r.start()
            until(lambda: status(r)["Replica_IO_Running"] == "Yes", why=lambda: status(r))
            assert status(r)["Exec_Source_Log_Pos"] == at
            caught_up(s, r)
            assert status(r)["Last_SQL_Errno"] == 0


def test_with_gtids():
    """ON: it is warned of, and nothing is skipped. Where they are being phased in it is."""
    with pair() as (s, r):
        point(s, r)
        with r.connect() as c, c.cursor() as cur:
            cur.execute("SET GLOBAL sql_replica_skip_counter = 1")
            cur.execute("SHOW WARNINGS")
            assert [w[:2] for w in cur.fetchall()] == [("Warning", 4016)]
        r.query("START REPLICA")
        assert counter(r) == ((0, 0), 0)
        run(s, "CREATE DATABASE d", "CREATE TABLE d.t (a INT PRIMARY KEY, b INT)", *INSERTS)
        caught_up(s, r)
        assert state(r) == state(s)
        r.query("STOP REPLICA SQL_THREAD")
        for server in (s, r):
            server.query("SET GLOBAL gtid_mode = ON_PERMISSIVE")
        run(s, "INSERT INTO d.t VALUES (4, 0)", "INSERT INTO d.t VALUES (5, 0)")
        skip(r, 1)
        caught_up(s, r)
        assert numbers(r) == [1, 2, 3, 5] and r.query("SELECT @@GLOBAL.gtid_executed") == s.query("SELECT @@GLOBAL.gtid_executed")


def test_several_channels():
    """It is for one applier."""
    r = Server(options=["--log-bin=bin", "--server-id=2", *FILES, "--skip-replica-start"])
    try:
        r.start()
        for channel in "ab":
            r.query(f"CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT=1, SOURCE_USER='u' FOR CHANNEL '{channel}'")
        r.query("SET GLOBAL sql_replica_skip_counter = 3")
        for sql in ("START REPLICA", "START REPLICA SQL_THREAD"):
            with pytest.raises(pymysql.err.MySQLError) as e:
                r.query(sql)
            assert e.value.args[0] == 3086
        r.query("START REPLICA SQL_THREAD FOR CHANNEL 'b'")

        def shown():
            with r.connect() as c, c.cursor(pymysql.cursors.DictCursor) as cur:
                cur.execute("SHOW REPLICA STATUS")
                return {x["Channel_Name"]: (x["Skip_Counter"], x["Replica_SQL_Running"]) for x in cur.fetchall()}
        assert shown() == {"a": (0, "No"), "b": (3, "Yes")} and r.query("SELECT @@GLOBAL.sql_replica_skip_counter") == ((0,),)
        # beside one that runs it waits for the next one
        r.query("SET GLOBAL sql_replica_skip_counter = 4")
        r.query("START REPLICA SQL_THREAD FOR CHANNEL 'b'")
        assert r.query("SELECT @@GLOBAL.sql_replica_skip_counter") == ((4,),)
        r.query("STOP REPLICA")
        r.query("RESET REPLICA FOR CHANNEL 'b'")
        assert shown() == {"a": (0, "No"), "b": (0, "No")} and r.query("SELECT @@GLOBAL.sql_replica_skip_counter") == ((4,),)
    finally:
        r.remove()
