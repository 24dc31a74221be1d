"""A replica whose accounts' file has a statement that the engine lost: the crash between the two. The statement comes again, is done no second time, and is logged.
What comes and goes with routines: after such a crash as after one behind both."""
import shutil

import pytest

from binlog.test_replica import GTIDS, caught_up, pair, point, status
from binlog.test_replica_workers import FILES, here
from lib.servers import Server

STATEMENTS = ["CREATE USER a@localhost IDENTIFIED BY 'x' COMMENT 'c'", "CREATE ROLE r", "GRANT r TO a@localhost", "RENAME USER a@localhost TO b@localhost",
              "ALTER USER b@localhost IDENTIFIED BY 'y' RETAIN CURRENT PASSWORD", "DROP ROLE r", "DROP USER b@localhost"]


def users(server):
    return server.query("SELECT user, host, authentication_string, User_attributes FROM mysql.user WHERE user IN ('a', 'b', 'r') ORDER BY 1"), \
        [server.query(f"SHOW GRANTS FOR {u}@'{h}'") for u, h in server.query("SELECT user, host FROM mysql.user WHERE user IN ('a', 'b', 'r') ORDER BY 1")]


def logged(server):
    return [e[5].split(" /* xid")[0] for f, *_ in server.query("SHOW BINARY LOGS") for e in server.query(f"SHOW BINLOG EVENTS IN '{f}'") if e[2] == "Query" and e[5] != "BEGIN"]


@pytest.mark.parametrize("by", ["gtid", "file"])
def test_a_crash_between_the_accounts_and_the_commit(by):
    with pair(options=GTIDS if by == "gtid" else FILES) as (s, r):
        point(s, r, "SOURCE_AUTO_POSITION=1" if by == "gtid" else here(s))
        s.query("CREATE DATABASE d")
        r.query("START REPLICA")
        caught_up(s, r)
        data, kept = r.dir / "data", r.dir / "kept"
        for n, sql in enumerate(STATEMENTS):
            r.stop()
            shutil.copytree(data, kept)
            r.start()
            s.query(f"CREATE TABLE d.t{n} (a INT)")
            s.query(sql)
            caught_up(s, r)
            r.kill()
            accounts = (data / "accounts.json").read_bytes()
            shutil.rmtree(data)
            kept.rename(data)
            (data / "accounts.json").write_bytes(accounts)
            r.start()
            s.query(f"INSERT INTO d.t{n} VALUES (1)")
            caught_up(s, r)
            assert r.query(f"SELECT * FROM d.t{n}") == ((1,),) and users(r) == users(s), sql
        assert logged(r)[-2 * len(STATEMENTS):] == logged(s)[-2 * len(STATEMENTS):]
        # from the beginning, into a server that nobody has told of the users: nothing is passed over
        if by == "gtid":
            r.query("STOP REPLICA")
            s.query("CREATE USER a@localhost")
            r.query("START REPLICA")
            caught_up(s, r)
            r.query("STOP REPLICA")
            gtids = r.query("SELECT @@GLOBAL.gtid_executed")[0][0].replace("\n", "")
            uuid, last = gtids.rsplit("-", 1)[0].rsplit(":", 1)[0], int(gtids.rsplit("-", 1)[1])
            r.query("DROP USER a@localhost")
            r.query("RESET BINARY LOGS AND GTIDS")
            r.query(f"SET GLOBAL gtid_purged = '{uuid}:1-{last - 1}'")
            r.stop()
            r.start()
            r.query("START REPLICA")
            caught_up(s, r)
            assert users(r) == users(s) and not status(r)["Last_SQL_Error"]


def test_a_source_takes_back_what_its_log_lacks():
    """The crash between the accounts' file and the log: what was never acknowledged has not been, and a replica agrees."""
    with pair(options=GTIDS) as (s, r):
        point(s, r, "SOURCE_AUTO_POSITION=1")
        s.query("CREATE DATABASE d")
        s.query("CREATE USER a@localhost")
        r.query("START REPLICA")
        data, kept = s.dir / "data", s.dir / "kept"
        for sql in ("CREATE ROLE r", "GRANT r TO a@localhost", "SET PASSWORD FOR a@localhost = 'z'", "DROP USER a@localhost"):
            caught_up(s, r)
            r.query("STOP REPLICA")
            s.stop()
            shutil.copytree(data, kept)
            s.start()
            before = users(s)
            s.query(sql)
            after = users(s)
            s.kill()
            # a crash behind both loses nothing
            s.start()
            assert users(s) == after, sql
            s.kill()
            accounts = (data / "accounts.json").read_bytes()
            shutil.rmtree(data)
            shutil.copytree(kept, data)
            (data / "accounts.json").write_bytes(accounts)
            s.start()
            assert users(s) == before != after, sql
            assert "it is taken back" in (s.dir / "log").read_text()
            s.query(sql)
            s.query("CREATE TABLE d.t (a INT)")
            s.query("DROP TABLE d.t")
            r.query("START REPLICA")
            caught_up(s, r)
            assert users(r) == users(s), sql
            shutil.rmtree(kept)
        r.query("STOP REPLICA")
        s.query("CREATE USER b@localhost")
        now = users(s)
        # the file with its event goes, and another one has the name
        s.query("RESET BINARY LOGS AND GTIDS")
        s.kill()
        s.start()
        assert users(s) == now


ROUTINES = ["CREATE PROCEDURE d.p () SELECT 1", "CREATE FUNCTION d.f () RETURNS INT DETERMINISTIC RETURN 1", "DROP PROCEDURE d.p", "DROP FUNCTION d.f"]


def rights(server):
    grants = {u: server.query(f"SHOW GRANTS FOR {u}@localhost") for u in ("maker", "other")}
    return grants, server.query("SELECT ROUTINE_NAME FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = 'd' ORDER BY 1")


@pytest.mark.parametrize("log", [["--log-bin=bin", *GTIDS, "--log-bin-trust-function-creators=1"], ["--skip-log-bin"]])
def test_rights_on_routines_go_with_them(log):
    """The crash between the accounts' file and the routine, and the one behind both: the routine and the rights on it are both there, or both are not."""
    s = Server(options=["--server-id=1", *log])
    data, kept = s.dir / "data", s.dir / "kept"

    def maker(sql):
        with s.connect(user="maker") as c, c.cursor() as cur:
            cur.execute(sql)
    try:
        s.start()
        for sql in ("CREATE DATABASE d", "CREATE USER maker@localhost", "CREATE USER other@localhost", "GRANT CREATE ROUTINE ON d.* TO maker@localhost"):
            s.query(sql)
        for sql in ROUTINES:
            s.stop()
            shutil.copytree(data, kept)
            s.start()
            before = rights(s)
            maker(sql)
            after = rights(s)
            assert "ROUTINE" in repr(after[0]["maker"]) and before != after
            s.kill()
            s.start()
            assert rights(s) == after, sql
            s.kill()
            accounts = (data / "accounts.json").read_bytes()
            shutil.rmtree(data)
            kept.rename(data)
            (data / "accounts.json").write_bytes(accounts)
            s.start()
            assert rights(s) == before, sql
            assert "it is taken back" in (s.dir / "log").read_text()
            maker(sql)
            assert rights(s) == after, sql
            if sql.startswith("CREATE"):
                what = " ".join(sql.split()[1:3])
                s.query(f"GRANT EXECUTE ON {what} TO other@localhost")
        # what somebody has on a routine that goes with its schema stays, as it does in MySQL; the routine is no proof against it
        maker(ROUTINES[0])
        now = rights(s)[0]
        s.query("DROP DATABASE d")
        s.kill()
        s.start()
        assert rights(s)[0] == now
    finally:
        s.remove()


@pytest.mark.parametrize("by", ["gtid", "file"])
def test_routines_of_a_source(by):
    """The same crash of a replica: the statement comes again, and its definer has what it has at the source."""
    with pair(options=[*(GTIDS if by == "gtid" else FILES), "--log-bin-trust-function-creators=1"]) as (s, r):
        point(s, r, "SOURCE_AUTO_POSITION=1" if by == "gtid" else here(s))
        for sql in ("CREATE DATABASE d", "CREATE USER maker@localhost", "CREATE USER other@localhost", "GRANT CREATE ROUTINE ON d.* TO maker@localhost"):
            s.query(sql)
        r.query("START REPLICA")
        caught_up(s, r)
        data, kept = r.dir / "data", r.dir / "kept"
        for sql in ROUTINES:
            r.stop()
            shutil.copytree(data, kept)
            r.start()
            with s.connect(user="maker") as c, c.cursor() as cur:
                cur.execute(sql)
            caught_up(s, r)
            r.kill()
            accounts = (data / "accounts.json").read_bytes()
            shutil.rmtree(data)
            kept.rename(data)
            (data / "accounts.json").write_bytes(accounts)
            r.start()
            caught_up(s, r)
            assert rights(r) == rights(s), sql


def test_a_proof_is_of_one_routine_only():
    """Where a routine's name comes again, or its schema goes: after a crash everybody has the rights that he had before it."""
    s = Server(options=["--server-id=1", "--skip-log-bin"])

    def other(*statements):
        with s.connect(user="maker") as c, c.cursor() as cur:
            for sql in statements:
                cur.execute(sql)

    def stays():
        before = rights(s)
        s.kill()
        s.start()
        assert rights(s) == before
        return before[0]
    try:
        s.start()
        for sql in ("CREATE DATABASE d", "CREATE USER maker@localhost", "CREATE USER other@localhost", "GRANT CREATE ROUTINE ON d.* TO maker@localhost"):
            s.query(sql)
        for kind, rest in (("PROCEDURE", "SELECT 1"), ("FUNCTION", "RETURNS INT DETERMINISTIC RETURN 1")):
            s.query(f"CREATE {kind} d.p () {rest}")
            s.query(f"GRANT EXECUTE ON {kind} d.p TO other@localhost")
            s.query(f"DROP {kind} d.p")
            # by root, who needs no grant: the accounts do not change
            s.query(f"CREATE {kind} d.p () {rest}")
            assert "EXECUTE" not in repr(stays()["other"]), kind
            # one that goes with its schema leaves what is granted on it, as in MySQL
            other(f"CREATE {kind} d.q () {rest}")
            s.query("DROP DATABASE d")
            s.query("CREATE DATABASE d")
            assert "EXECUTE" in repr(stays()["maker"]), kind
            s.query(f"CREATE {kind} d.q () {rest}")
            assert "EXECUTE" in repr(stays()["maker"]), kind
            # another routine's DROP leaves the proof of one whose statement may be in the middle
            s.query(f"CREATE {kind} d.z () {rest}")
            other(f"CREATE {kind} d.m () {rest}")
            s.query(f"DROP {kind} d.z")
            assert '"routine"' in (s.dir / "data/accounts.json").read_text(), kind
            stays()
            s.query(f"DROP {kind} d.q")
            assert "`q`" not in repr(stays())
    finally:
        s.remove()


@pytest.mark.parametrize("workers", [1, 4])
def test_grant_tables_that_a_dump_has_loaded(workers):
    """The tables travel as tables, and FLUSH PRIVILEGES puts them in force here and there; loaded once more, a crash of the source changes nothing of that."""
    with pair(options=(*GTIDS, f"--replica-parallel-workers={workers}")) as (s, r):
        point(s, r, "SOURCE_AUTO_POSITION=1")
        r.query("START REPLICA")
        for sql in (STATEMENTS[0], "CREATE ROLE r", "CREATE DATABASE d", "GRANT SELECT ON d.* TO r", "GRANT r TO a@localhost"):
            s.query(sql)
        caught_up(s, r)
        before = users(s)
        session = s.connect(database="mysql")
        with session.cursor() as c:
            for table in ("db", "role_edges", "user"):
                c.execute(f"SHOW CREATE TABLE {table}")
                shape = c.fetchone()[1]
                c.execute(f"CREATE TEMPORARY TABLE d.kept SELECT * FROM {table} WHERE {'to_user' if table == 'role_edges' else 'user'} IN ('root', 'a', 'r')")
                c.execute(f"DROP TABLE IF EXISTS {table}")
                c.execute(shape)
                c.execute(f"INSERT INTO {table} SELECT * FROM d.kept")
                c.execute("DROP TEMPORARY TABLE d.kept")
            c.execute("DELETE FROM role_edges")
            c.execute("UPDATE user SET Process_priv = 'Y' WHERE user = 'a'")
            caught_up(s, r)
            # not yet in force anywhere
            assert [x.query("SHOW GRANTS FOR a@localhost") for x in (s, r)] == [before[1][0]] * 2
            c.execute("FLUSH PRIVILEGES")
        caught_up(s, r)
        assert users(r) == users(s)
        assert s.query("SHOW GRANTS FOR a@localhost") == (("GRANT PROCESS ON *.* TO `a`@`localhost`",),)
        assert s.query("SHOW GRANTS FOR r") == (("GRANT USAGE ON *.* TO `r`@`%`",), ("GRANT SELECT ON `d`.* TO `r`@`%`",))
        now = users(s)
        s.kill()
        s.start()
        assert users(s) == now
        assert [x.query("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'mysql' AND table_name = 'user'") for x in (s, r)] == [((0,),)] * 2
