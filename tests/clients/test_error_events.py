"""Errors and warnings by number: for each thread, account, user, host and in all."""
import pymysql
import pytest

from lib.servers import Server
from lib.wait import until

PS = "performance_schema.events_errors_summary_"


@pytest.fixture(scope="module")
def server():
    s = Server().start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE d.t (id INT PRIMARY KEY)")
    s.query("CREATE USER u")
    s.query("GRANT ALL ON d.* TO u")
    yield s
    s.remove()


def raised(server, level, where="TRUE"):
    name = "global_by_error" if level == "global" else f"by_{level}_by_error"
    return dict(server.query(f"SELECT ERROR_NUMBER, CAST(SUM(SUM_ERROR_RAISED) AS SIGNED) FROM {PS}{name} WHERE SUM_ERROR_RAISED > 0 AND {where} GROUP BY 1"))


# What a session runs; MySQL 9.7 counts the same numbers.
STATEMENTS = ["SELECT 1 / 0", "DO CAST('x' AS SIGNED)", "SELECT * FROM nosuch", "CREATE TABLE IF NOT EXISTS t (id INT)", "INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (1)"]
NUMBERS = {1365: 1, 1292: 1, 1146: 1, 1050: 1, 1062: 1}


def test_numbers(server):
    before = {level: raised(server, level) for level in ("account", "user", "host", "global")}
    with server.connect(user="u", database="d") as c, c.cursor() as cur:
        for sql in STATEMENTS:
            try:
                cur.execute(sql)
            except pymysql.err.MySQLError:
                pass
            cur.execute("SHOW WARNINGS")  # counts nothing
        assert raised(server, "thread", f"THREAD_ID = {c.thread_id()}") == NUMBERS
        id = c.thread_id()
    until(lambda: not server.query(f"SELECT 1 FROM performance_schema.threads WHERE PROCESSLIST_ID = {id}"))
    assert raised(server, "thread", f"THREAD_ID = {id}") == {}
    for level, was in before.items():
        now = raised(server, level)
        assert {n: now[n] - was.get(n, 0) for n in NUMBERS} == NUMBERS, level
    assert raised(server, "account", "USER = 'u' AND HOST = 'localhost'") == raised(server, "user", "USER = 'u'") == NUMBERS
    seen = server.query(f"SELECT FIRST_SEEN <= LAST_SEEN, LAST_SEEN <= NOW(), ERROR_NAME, SQL_STATE FROM {PS}by_user_by_error WHERE USER = 'u' AND ERROR_NUMBER = 1146")
    assert seen == ((1, 1, "ER_NO_SUCH_TABLE", "42S02"),)
    server.query(f"TRUNCATE TABLE {PS}by_account_by_error")
    assert raised(server, "account") == {} and raised(server, "user", "USER = 'u'") == NUMBERS
    server.query(f"TRUNCATE TABLE {PS}global_by_error")
    assert raised(server, "global") == raised(server, "user") == {}


def test_switched_off(server):
    server.query("UPDATE performance_schema.setup_instruments SET ENABLED = 'NO' WHERE NAME = 'error'")
    try:
        with server.connect(user="u") as c, c.cursor() as cur:
            with pytest.raises(pymysql.err.MySQLError):
                cur.execute("SELECT * FROM nosuch.t")
            assert raised(server, "thread", f"THREAD_ID = {c.thread_id()}") == {}
    finally:
        server.query("UPDATE performance_schema.setup_instruments SET ENABLED = 'YES' WHERE NAME = 'error'")
