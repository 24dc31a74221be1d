"""A replica whose accounts' file has a statement that the engine lost: the crash between the two. The statement comes again, is done no second time, and is logged."""
import shutil

import pytest

from binlog.test_replica import GTIDS, caught_up, pair, point, status
from binlog.test_replica_workers import FILES, here

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
