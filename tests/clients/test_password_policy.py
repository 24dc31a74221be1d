"""Logins under what accounts say about passwords and limits: expired, retained, locked by failures, hourly limits; kept over restarts and kill -9.

EVENKEEL_MYSQL (scripts/mysql-peer.sh) runs the same beside a real MySQL where nothing depends on our files."""
import os
import sys
import pathlib

import pymysql
import pytest
from pymysql.constants import CLIENT

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import MySQL, Server  # noqa: E402
from lib.wait import until  # noqa: E402

KINDS = [Server] + ([MySQL] if os.environ.get("EVENKEEL_MYSQL") and MySQL.folder() else [])
CAN_HANDLE_EXPIRED_PASSWORDS = 1 << 22


@pytest.fixture(params=KINDS, ids=lambda k: k.name)
def server(request):
    s = request.param().start()
    yield s
    s.stop() if request.param is Server else s.kill()
    s.remove()


def login(server, user, password="", **options):
    return pymysql.connect(unix_socket=str(server.socket), user=user, password=password, autocommit=True, **options)


def sandboxed(server, user, password):
    """A login whose password has expired: PyMySQL's own statements would be refused."""
    c = pymysql.connect(unix_socket=str(server.socket), user=user, password=password, client_flag=CAN_HANDLE_EXPIRED_PASSWORDS,
                        autocommit=None, defer_connect=True)
    c.set_character_set = lambda *a, **k: None
    c.connect()
    return c


def code(f, *args, **options):
    """The error number of a call, 0 if there is none."""
    try:
        r = f(*args, **options)
    except pymysql.err.MySQLError as e:
        return e.args[0]
    if hasattr(r, "close"):
        r.close()
    return 0


def run(c, *statements):
    out = None
    with c.cursor() as cur:
        for s in statements:
            cur.execute(s)
            out = cur.fetchall() if cur.description else cur.rowcount
    return out


def test_expired_password(server):
    root = login(server, "root")
    run(root, "CREATE USER e@localhost IDENTIFIED BY 'p' PASSWORD EXPIRE")
    assert code(login, server, "e", "wrong") == 1045
    assert code(login, server, "e", "p") == 1862
    c = sandboxed(server, "e", "p")
    for s in ("SELECT 1", "SET autocommit = 1", "SHOW DATABASES", "BEGIN", "DO 1"):
        assert code(run, c, s) == 1820, s
    # MySQL 9.7 asks for CREATE USER first
    assert code(run, c, "ALTER USER e@localhost PASSWORD EXPIRE NEVER") in (1820, 1227)
    assert code(c.select_db, "information_schema") == 1820
    c.ping()
    run(c, "ALTER USER USER() IDENTIFIED BY 'q'")
    assert run(c, "SELECT 1") == ((1,),)
    assert code(login, server, "e", "p") == 1045
    assert code(login, server, "e", "q") == 0
    # without the rule that it be disconnected
    run(root, "ALTER USER e@localhost PASSWORD EXPIRE")
    assert run(c, "SELECT 2") == ((2,),)  # a session that is there already goes on
    c = sandboxed(server, "e", "q")
    run(c, "SET PASSWORD = 'r'")
    assert run(c, "SELECT 1") == ((1,),)
    # a lifetime that has not passed
    run(root, "ALTER USER e@localhost PASSWORD EXPIRE INTERVAL 1 DAY")
    assert code(login, server, "e", "r") == 0


def test_own_account_only_its_password(server):
    root = login(server, "root")
    run(root, "CREATE USER o@localhost IDENTIFIED BY 'p' WITH MAX_QUERIES_PER_HOUR 1000")
    c = login(server, "o", "p")
    for s in ("ALTER USER o@localhost WITH MAX_QUERIES_PER_HOUR 0", "ALTER USER USER() PASSWORD EXPIRE NEVER",
              "ALTER USER o@localhost ACCOUNT UNLOCK", "ALTER USER o@localhost IDENTIFIED BY 'q' RETAIN CURRENT PASSWORD",
              "ALTER USER o@localhost DISCARD OLD PASSWORD", "SET PASSWORD = 'q' RETAIN CURRENT PASSWORD"):
        assert code(run, c, s) in (1227, 1064), s
    run(c, "ALTER USER o@localhost IDENTIFIED BY 'q'")
    run(root, "GRANT APPLICATION_PASSWORD_ADMIN ON *.* TO o@localhost")
    c = login(server, "o", "q")
    run(c, "ALTER USER o@localhost IDENTIFIED BY 'r' RETAIN CURRENT PASSWORD")
    assert [code(login, server, "o", p) for p in "qr"] == [0, 0]


def test_current_password_required(server):
    root = login(server, "root")
    run(root, "CREATE USER k@localhost IDENTIFIED BY 'p' PASSWORD REQUIRE CURRENT", "CREATE USER l@localhost IDENTIFIED BY 'p'")
    c = login(server, "k", "p")
    assert code(run, c, "ALTER USER USER() IDENTIFIED BY 'q'") == 3892
    assert code(run, c, "SET PASSWORD = 'q'") == 3892
    assert code(run, c, "ALTER USER USER() IDENTIFIED BY 'q' REPLACE 'x'") == 3891
    run(c, "ALTER USER USER() IDENTIFIED BY 'q' REPLACE 'p'")
    run(c, "SET PASSWORD = 'r' REPLACE 'q'")
    assert code(login, server, "k", "r") == 0
    run(root, "SET GLOBAL password_require_current = ON")
    assert code(run, login(server, "l", "p"), "SET PASSWORD = 'q'") == 3892
    run(root, "ALTER USER l@localhost PASSWORD REQUIRE CURRENT OPTIONAL")
    assert code(run, login(server, "l", "p"), "SET PASSWORD = 'q'") == 0


def test_retained_password(server):
    root = login(server, "root")
    run(root, "CREATE USER d@localhost IDENTIFIED BY 'one'")
    assert code(login, server, "d", "one") == 0
    run(root, "ALTER USER d@localhost IDENTIFIED BY 'two' RETAIN CURRENT PASSWORD")
    for _ in range(2):  # by the slow way and by what the server remembers
        assert [code(login, server, "d", p) for p in ("one", "two", "three", "")] == [0, 0, 1045, 1045]
    run(root, "ALTER USER d@localhost IDENTIFIED BY 'three' RETAIN CURRENT PASSWORD")
    assert [code(login, server, "d", p) for p in ("one", "two", "three")] == [1045, 0, 0]
    run(root, "ALTER USER d@localhost IDENTIFIED BY 'four'")
    assert [code(login, server, "d", p) for p in ("two", "three", "four")] == [0, 1045, 0]
    run(root, "ALTER USER d@localhost DISCARD OLD PASSWORD")
    assert [code(login, server, "d", p) for p in ("two", "four")] == [1045, 0]


def test_failed_logins(server):
    root = login(server, "root")
    run(root, "CREATE USER f@localhost IDENTIFIED BY 'p' FAILED_LOGIN_ATTEMPTS 2 PASSWORD_LOCK_TIME 3")
    assert code(login, server, "f", "x") == 1045
    assert code(login, server, "f", "p") == 0  # the count begins anew
    assert [code(login, server, "f", p) for p in "xxxp"] == [1045, 3955, 3955, 3955]
    with pytest.raises(pymysql.err.MySQLError) as e:
        login(server, "f", "p")
    assert e.value.args[1] == ("Access denied for user 'f'@'localhost'. Account is blocked for 3 day(s) (3 day(s) remaining) due to 2 "
                               "consecutive failed logins.") or isinstance(server, MySQL)
    run(root, "ALTER USER f@localhost ACCOUNT UNLOCK")
    assert code(login, server, "f", "p") == 0
    run(root, "ALTER USER f@localhost PASSWORD_LOCK_TIME UNBOUNDED")
    assert [code(login, server, "f", p) for p in "xxp"] == [1045, 3955, 3955]
    run(root, "FLUSH PRIVILEGES")
    assert code(login, server, "f", "p") == 0
    run(root, "ALTER USER f@localhost FAILED_LOGIN_ATTEMPTS 0")
    assert [code(login, server, "f", p) for p in "xxxp"] == [1045, 1045, 1045, 0]


def test_hourly_limits(server):
    root = login(server, "root")
    run(root, "CREATE DATABASE h", "CREATE TABLE h.t (a INT)", "CREATE USER q@localhost WITH MAX_QUERIES_PER_HOUR 10 MAX_UPDATES_PER_HOUR 2",
        "GRANT ALL ON h.* TO q@localhost")
    c = login(server, "q")  # SET AUTOCOMMIT is one, and its kin
    used = 0
    for _ in range(20):
        used += 1
        if code(run, c, "SELECT 1"):
            break
    assert 6 < used <= 11
    assert code(run, c, "SELECT 1") == 1226
    with pytest.raises(pymysql.err.MySQLError) as e:
        run(c, "SELECT 1")
    assert e.value.args == (1226, "User 'q' has exceeded the 'max_questions' resource (current value: 10)")
    run(root, "FLUSH USER_RESOURCES")
    assert [code(run, c, "INSERT INTO h.t VALUES (1)") for _ in range(3)] == [0, 0, 1226]
    assert code(run, c, "SELECT * FROM h.t") == 0
    assert code(run, c, "CREATE TABLE h.u (a INT)") == 1226
    assert run(root, "SELECT COUNT(*) FROM h.t") == ((2,),)
    run(root, "ALTER USER q@localhost WITH MAX_UPDATES_PER_HOUR 0 MAX_QUERIES_PER_HOUR 0 MAX_CONNECTIONS_PER_HOUR 2")
    assert [code(login, server, "q") for _ in range(3)] == [0, 0, 1226]
    run(root, "ALTER USER q@localhost WITH MAX_CONNECTIONS_PER_HOUR 0 MAX_USER_CONNECTIONS 1")
    c.close()
    # the server hears of it a moment later
    until(lambda: not run(root, "SELECT 1 FROM information_schema.PROCESSLIST WHERE USER = 'q'"))
    c = login(server, "q")
    assert code(login, server, "q") == 1226


def test_kept_over_restarts():
    server = Server().start()
    try:
        root = login(server, "root")
        run(root, "CREATE USER s@localhost IDENTIFIED BY 'one' PASSWORD HISTORY 2 PASSWORD EXPIRE INTERVAL 9 DAY FAILED_LOGIN_ATTEMPTS 4 "
                  "PASSWORD_LOCK_TIME 5", "ALTER USER s@localhost WITH MAX_QUERIES_PER_HOUR 77 MAX_UPDATES_PER_HOUR 6 COMMENT 'c'",
            "ALTER USER s@localhost IDENTIFIED BY 'two' RETAIN CURRENT PASSWORD")
        rows = run(root, "SELECT * FROM mysql.user WHERE user = 's'")
        shown = run(root, "SHOW CREATE USER s@localhost")
        for stop in (server.stop, server.kill):
            stop()
            server.start()
            root = login(server, "root")
            assert run(root, "SELECT * FROM mysql.user WHERE user = 's'") == rows
            assert run(root, "SHOW CREATE USER s@localhost") == shown
            assert [code(login, server, "s", p) for p in ("one", "two", "x")] == [0, 0, 1045]
            assert code(run, root, "ALTER USER s@localhost IDENTIFIED BY 'one'") == 3638
    finally:
        server.stop()
        server.remove()
