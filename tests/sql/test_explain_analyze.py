"""EXPLAIN ANALYZE of changes: the rows are read and measured, nothing is changed and no lock is left."""
import pymysql
import pytest
from lib.servers import Server


@pytest.fixture(scope="module")
def server():
    s = Server().start()
    yield s
    s.kill()
    s.remove()


def rows(c, sql):
    with c.cursor() as cur:
        cur.execute(sql)
        return cur.fetchall()


@pytest.mark.parametrize("change, seen", [
    ("UPDATE t, u SET t.a = t.a + 7 WHERE t.a = u.a", "Update t"),
    ("UPDATE t SET a = a + 7", "Update t"),
    ("DELETE t FROM t JOIN u USING (a)", "Delete from t"),
    ("DELETE FROM t ORDER BY a LIMIT 2", "Delete from t"),
    ("INSERT INTO t SELECT a + 5 FROM u", "Insert into t"),
    ("REPLACE INTO t SELECT a FROM u", "Replace into t"),
])
def test_nothing_is_changed(server, change, seen):
    a, b = (server.connect(autocommit=True) for _ in range(2))
    rows(a, "CREATE DATABASE IF NOT EXISTS e")
    a.select_db("e")
    b.select_db("e")
    rows(a, "DROP TABLE IF EXISTS t, u")
    rows(a, "CREATE TABLE t (a INT PRIMARY KEY)")
    rows(a, "CREATE TABLE u (a INT)")
    rows(a, "INSERT INTO t VALUES (1), (2)")
    rows(a, "INSERT INTO u VALUES (1), (2)")
    text = rows(a, "EXPLAIN ANALYZE " + change)[0][0]
    assert seen in text and "rows=2 loops=1" in text, text
    assert rows(b, "SELECT * FROM t") == ((1,), (2,))
    rows(b, "SET innodb_lock_wait_timeout = 1")
    rows(b, "UPDATE t SET a = a + 100")  # no lock is left
    with pytest.raises(pymysql.err.MySQLError) as e:
        rows(a, "EXPLAIN ANALYZE UPDATE nix SET a = 1")
    assert e.value.args[0] == 1146


def test_values(server):
    a = server.connect(autocommit=True)
    rows(a, "CREATE DATABASE IF NOT EXISTS e")
    a.select_db("e")
    rows(a, "CREATE TABLE v (a INT)")
    assert "Insert into v" in rows(a, "EXPLAIN ANALYZE INSERT INTO v VALUES (1), (2)")[0][0]
    assert rows(a, "SELECT COUNT(*) FROM v") == ((0,),)


def test_it_begins_a_transaction_as_the_query_would(server):
    c = server.connect(autocommit=False)
    level = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED"
    rows(c, "EXPLAIN ANALYZE SELECT 1")
    rows(c, level)
    rows(c, "CREATE DATABASE IF NOT EXISTS e")
    rows(c, "CREATE TABLE e.begins (a INT)")
    rows(c, "EXPLAIN ANALYZE SELECT * FROM e.begins")
    with pytest.raises(pymysql.err.OperationalError) as e:
        rows(c, level)
    assert e.value.args[0] == 1568
