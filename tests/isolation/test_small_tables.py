"""What a locking statement reads of a small table: the rows that an index finds, not all of them. Others insert and change beside it. The same on MySQL 9.7
(`EVENKEEL_MYSQL=... pytest` runs it there, too)."""
import os

import pymysql
import pytest

from lib.servers import MySQL


@pytest.fixture(scope="module", params=["evenkeel"] + ["mysql"] * bool(os.environ.get("EVENKEEL_MYSQL")))
def any_server(request):
    if request.param == "evenkeel":
        yield request.getfixturevalue("server")
        return
    s = MySQL().start()
    yield s
    s.stop()
    s.remove()


def run(con, sql):
    with con.cursor() as c:
        c.execute(sql)
        return c.fetchall()


# what is locked by it: a statement, and one that must not wait for it
STATEMENTS = [
    ("SELECT * FROM t WHERE v = 20 FOR UPDATE", "INSERT INTO t VALUES (4, 5, 1)"),
    ("SELECT * FROM t WHERE v = 20 FOR SHARE", "INSERT INTO t VALUES (4, 5, 1)"),
    ("SELECT * FROM t WHERE v = 20 LOCK IN SHARE MODE", "UPDATE t SET w = 9 WHERE id = 1"),
    ("SELECT * FROM t WHERE v = 20", "INSERT INTO t VALUES (4, 5, 1)"),  # SERIALIZABLE
    ("UPDATE t SET w = 7 WHERE v = 20", "INSERT INTO t VALUES (4, 5, 1)"),
    ("UPDATE t SET w = 7 WHERE v = 20 ORDER BY id LIMIT 1", "UPDATE t SET w = 9 WHERE id = 1"),
    ("DELETE FROM t WHERE v = 20", "UPDATE t SET w = 9 WHERE id = 1"),
    ("DELETE FROM t WHERE v = 15", "UPDATE t SET w = 9 WHERE id = 1"),
    ("SELECT * FROM t WHERE v IN (20, 21) FOR UPDATE", "INSERT INTO t VALUES (4, 5, 1)"),
    ("SELECT * FROM t WHERE v > 15 FOR UPDATE", "UPDATE t SET w = 9 WHERE id = 1"),
    ("SELECT * FROM t WHERE v BETWEEN 15 AND 25 FOR UPDATE", "UPDATE t SET w = 9 WHERE id = 1"),
    ("SELECT * FROM t JOIN u ON t.v = u.v WHERE u.id = 1 FOR UPDATE", "UPDATE t SET w = 9 WHERE id = 1"),
    ("UPDATE t JOIN u ON t.v = u.v SET t.w = 7 WHERE u.id = 1", "UPDATE t SET w = 9 WHERE id = 1"),
    ("DELETE t FROM t JOIN u ON t.v = u.v WHERE u.id = 1", "UPDATE t SET w = 9 WHERE id = 1"),
    ("INSERT INTO u SELECT id + 100, v FROM t WHERE v = 20", "UPDATE t SET w = 9 WHERE id = 1"),
    ("UPDATE u SET v = v + 1 WHERE id = 1 AND EXISTS (SELECT 1 FROM t WHERE v = 20)", "UPDATE t SET w = 9 WHERE id = 1"),
    ("DO (SELECT MAX(w) FROM t WHERE v = 20)", "UPDATE t SET w = 9 WHERE id = 1"),
]


@pytest.mark.parametrize("sql,beside", STATEMENTS)
def test_rows_that_are_not_looked_up_stay_free(any_server, sql, beside):
    for s in ("DROP DATABASE IF EXISTS small", "CREATE DATABASE small"):
        any_server.query(s)
    for s in ("CREATE TABLE t (id INT PRIMARY KEY, v INT, w INT, KEY (v))", "CREATE TABLE u (id INT PRIMARY KEY, v INT)", "INSERT INTO t VALUES (1, 10, 1), (2, 20, 2)",
              "INSERT INTO u VALUES (1, 20)", "ANALYZE TABLE t, u"):
        any_server.query(s, db="small")
    a, b = any_server.connect(database="small"), any_server.connect(database="small")
    level = "SERIALIZABLE" if sql.startswith("SELECT") and "FOR" not in sql and "LOCK" not in sql else "REPEATABLE READ"
    try:
        run(a, f"SET SESSION TRANSACTION ISOLATION LEVEL {level}")
        run(b, "SET SESSION innodb_lock_wait_timeout = 1")
        run(a, "BEGIN")
        run(a, sql)
        try:
            run(b, beside)
        except pymysql.err.OperationalError as e:
            pytest.fail(f"{beside} waits: {e}")
    finally:
        a.close()
        b.close()
