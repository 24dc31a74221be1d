"""`session_track_gtids`: OK packets name the GTIDs that the statement got (OWN_GTID) or all that are executed (ALL_GTIDS). `@@session.gtid_owned`."""
import threading

import pymysql
import pytest
from lib import wire
from lib.servers import Server
from lib.wait import PATIENCE
from lib.wire import Raw

NEW = wire.BASE | wire.DEPRECATE_EOF | wire.SESSION_TRACK | wire.MULTI_STATEMENTS


@pytest.fixture(scope="module")
def server():
    s = Server(options=["--log-bin=bin", "--server-id=1", "--enforce-gtid-consistency=ON", "--gtid-mode=ON"])
    try:
        s.start()
        s.query("RESET BINARY LOGS AND GTIDS")
        yield s
    finally:
        s.stop()
        s.remove()


def told(ok):
    return [parts[-1].decode() for kind, parts in ok.changes if kind == 3]


def test_own_and_all(server):
    uuid = server.query("SELECT @@server_uuid")[0][0]
    with Raw(server, NEW) as r:
        r.query("CREATE DATABASE g")
        assert not told(r.query("CREATE TABLE g.t (a INT PRIMARY KEY)"))
        r.query("SET SESSION session_track_gtids = OWN_GTID")
        assert told(r.query("INSERT INTO g.t VALUES (1)")) == [f"{uuid}:3"]
        assert not told(r.query("DO 1"))
        assert not told(r.query("BEGIN"))
        assert not told(r.query("INSERT INTO g.t VALUES (2)"))
        assert told(r.query("COMMIT")) == [f"{uuid}:4"]
        assert not told(r.query("UPDATE g.t SET a = 2 WHERE a = 2"))
        r.query("BEGIN")
        r.query("INSERT INTO g.t VALUES (3)")
        # the open transaction, then the table
        assert told(r.query("CREATE TABLE g.u (a INT)")) == [f"{uuid}:5-6"]
        r.query("BEGIN")
        r.query("INSERT INTO g.t VALUES (4)")
        assert not told(r.query("ROLLBACK"))
        r.query("SET SESSION session_track_gtids = ALL_GTIDS")
        assert told(r.query("INSERT INTO g.t VALUES (5)")) == [f"{uuid}:1-7"]
        assert not told(r.query("DO 1"))
        r.query("SET SESSION session_track_gtids = OFF")
        assert not told(r.query("INSERT INTO g.t VALUES (6)"))


def test_owned(server):
    other = "3e11fa47-71ca-11e1-9e33-c80aa9429562"
    with server.connect() as c, c.cursor() as cur:
        cur.execute(f"SET gtid_next = '{other}:5'")
        cur.execute("SELECT @@session.gtid_owned, @@gtid_owned, @@global.gtid_owned")
        mine, plain, all_of_them = cur.fetchone()
        assert mine == plain == f"{other}:5" and all_of_them.startswith(f"{other}:5#")
        cur.execute("COMMIT")
        cur.execute("SELECT @@session.gtid_owned, @@global.gtid_owned")
        assert cur.fetchone() == ("", "")
        cur.execute("SET gtid_next = AUTOMATIC")


@pytest.mark.parametrize("make, look", [("CREATE TABLE g.o{} (a INT)", "SELECT 1 FROM information_schema.tables WHERE table_schema = 'g' AND table_name = 'o{}'"),
                                        ("CREATE VIEW g.v{} AS SELECT 1", "SELECT 1 FROM g.v{}"),
                                        ("CREATE PROCEDURE g.p{}() SELECT 1", "SELECT 1 FROM information_schema.routines WHERE routine_schema = 'g' AND routine_name = 'p{}'")])
def test_who_waited_for_a_definition_finds_it(server, make, look):
    """Its GTID is not told before others see what it made."""
    count, missed = 200, []
    server.query("CREATE DATABASE IF NOT EXISTS g")
    [(uuid, executed)] = server.query("SELECT @@server_uuid, @@GLOBAL.gtid_executed")
    # those of another test's source may stand before or behind the server's own
    [own] = [part for part in executed.replace("\n", "").split(",") if part.startswith(uuid)]
    last = int(own.replace("-", ":").rsplit(":", 1)[-1])

    def waits():
        with server.connect() as c, c.cursor() as cur:
            for n in range(count):
                cur.execute(f"SELECT WAIT_FOR_EXECUTED_GTID_SET('{uuid}:{last + 1 + n}', {PATIENCE})")
                assert cur.fetchall() == ((0,),)
                try:
                    found = cur.execute(look.format(n))
                except pymysql.err.Error:
                    found = 0
                if not found:
                    missed.append(n)

    thread = threading.Thread(target=waits)
    thread.start()
    with server.connect() as c, c.cursor() as cur:
        for n in range(count):
            cur.execute(make.format(n))
    thread.join()
    assert not missed


def test_a_deadlock_uses_no_gtid_up(server):
    """Who was rolled back and then says COMMIT has executed nothing: the GTID is free, and nothing more is committed under it."""
    gtid = "4e11fa47-71ca-11e1-9e33-c80aa9429562:77"
    for q in ("CREATE DATABASE dl", "CREATE TABLE dl.t (a INT PRIMARY KEY, b INT)", "INSERT INTO dl.t VALUES (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)"):
        server.query(q)
    with server.connect(database="dl") as a, a.cursor() as light, server.connect(database="dl") as b, b.cursor() as heavy:
        for q in (f"SET gtid_next = '{gtid}'", "BEGIN", "UPDATE t SET b = 1 WHERE a = 1"):
            light.execute(q)
        heavy.execute("BEGIN")
        heavy.execute("UPDATE t SET b = 2 WHERE a > 1")
        other = threading.Thread(target=heavy.execute, args=("UPDATE t SET b = 2 WHERE a = 1",))
        other.start()
        with pytest.raises(pymysql.err.OperationalError) as e:
            light.execute("UPDATE t SET b = 1 WHERE a = 2")
        other.join()
        assert e.value.args[0] == 1213
        light.execute("COMMIT")
        assert gtid not in server.query("SELECT @@gtid_executed")[0][0]
        with pytest.raises(pymysql.err.MySQLError) as e:
            light.execute("INSERT INTO t VALUES (9, 9)")
        assert e.value.args[0] == 1837
        for q in ("COMMIT", f"SET gtid_next = '{gtid}'", "INSERT INTO t VALUES (9, 9)"):
            heavy.execute(q)
    assert gtid in server.query("SELECT @@gtid_executed")[0][0]
