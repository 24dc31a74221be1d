"""Statements that take long to plan, or nest deep: they end when they are told to, and the server survives them."""
import pathlib
import sys
import threading
import time

import pymysql
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import Server  # noqa: E402
from lib.wait import PATIENCE, runs


@pytest.fixture(scope="module")
def server():
    s = Server().start()
    with s.connect() as c, c.cursor() as cur:
        cur.execute("CREATE DATABASE p")
        cur.execute("USE p")
        cur.execute("CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT, KEY (a), KEY (b))")
        cur.execute("INSERT INTO t VALUES " + ", ".join(f"({i}, {i % 10}, {i % 7})" for i in range(200)))
    yield s
    assert s.alive() and "panicked" not in s.log_tail(10**6)
    s.remove()


@pytest.fixture
def cur(server):
    with server.connect(database="p") as c, c.cursor() as cur:
        yield cur


def error(cur, sql):
    with pytest.raises(pymysql.err.MySQLError) as e:
        cur.execute(sql)
    return e.value.args[0]


def doubled(n):
    """Every common table expression names the one before twice: 2^n of the first."""
    ctes = "".join(f", c{i} AS (SELECT x.a FROM c{i - 1} x JOIN c{i - 1} y)" for i in range(1, n))
    return f"WITH c0 AS (SELECT a FROM t LIMIT 1){ctes} SELECT COUNT(*) FROM c{n - 1}"


def clique(n):
    """Every table joined to every other."""
    return "SELECT {} 1 FROM " + ", ".join(f"t t{i}" for i in range(n)) + " WHERE " + " AND ".join(f"t{j}.a = t{i}.b" for i in range(n) for j in range(i))


def nested(n, inner, outer):
    for i in range(n):
        inner = outer.format(inner, i)
    return inner


def test_time_limit_while_planning(cur):
    cur.execute("SET max_execution_time = 200")
    for sql in [clique(61).format(""), doubled(20)]:
        began = time.time()
        assert error(cur, sql) == 3024
        assert time.time() - began < PATIENCE
    cur.execute("SET max_execution_time = 0")
    assert error(cur, clique(61).format("/*+ MAX_EXECUTION_TIME(200) */")) == 3024
    # the limit is for SELECT
    cur.execute("SET max_execution_time = 1")
    cur.execute("CREATE TEMPORARY TABLE x AS SELECT 1 a")


def test_kill_query_while_planning(server, cur):
    for sql in [clique(61).format(""), doubled(20)]:
        answer = []
        thread = threading.Thread(target=lambda: answer.append(error(cur, sql)))  # noqa: B023
        thread.start()
        runs(server, cur.connection, sql, unless=lambda: answer)  # noqa: B023
        with server.connect() as c, c.cursor() as other:
            other.execute(f"KILL QUERY {cur.connection.thread_id()}")
        began = time.time()
        thread.join(PATIENCE)
        assert answer == [1317] and time.time() - began < PATIENCE
    cur.execute("SELECT COUNT(*) FROM t")
    assert cur.fetchone() == (200,)


def test_bounds_of_a_block(cur):
    sixty_two = ", ".join(f"t t{i}" for i in range(62))
    assert error(cur, f"SELECT 1 FROM {sixty_two}") == 1116
    # what would be more than 61 tables when merged stays a derived table
    three = "(SELECT {0}x.a FROM (SELECT a FROM t WHERE id = 1) x, (SELECT a FROM t WHERE id = 2) y, (SELECT a FROM t WHERE id = 3) z) d{1}"
    cur.execute("SELECT COUNT(*) FROM " + ", ".join(three.format("", i) for i in range(30)))
    assert cur.fetchone() == (1,)
    cur.execute(doubled(9))
    assert cur.fetchone() == (1,)
    # subqueries that would be joins
    cur.execute("SELECT COUNT(*) FROM t x WHERE " + " AND ".join(f"x.a IN (SELECT a FROM t y{i})" for i in range(200)))
    assert cur.fetchone() == (200,)


def test_merged_expressions_do_not_double(cur):
    began = time.time()
    cur.execute(nested(30, "SELECT a FROM t WHERE id = 1", "SELECT a + a AS a FROM ({}) d{}"))
    assert cur.fetchone() == (2**30,)
    cur.execute("EXPLAIN " + nested(40, "SELECT RAND() AS a FROM t", "SELECT RAND() + a AS a FROM ({}) d{}"))
    for i in range(30):
        cur.execute(f"CREATE VIEW v{i} AS SELECT a + a AS a FROM {f'v{i - 1}' if i else 't WHERE id = 1'}")
    cur.execute("SELECT a FROM v29")
    assert cur.fetchone() == (2**30,)
    assert time.time() - began < PATIENCE


def test_search_for_an_order_is_bounded(cur):
    joins = nested(14, "t x", "(t a{1} JOIN t b{1} JOIN t c{1} LEFT JOIN {0} ON a{1}.a = a{1}.b)")
    inner = "SELECT a FROM t"
    for sql in [f"SELECT 1 FROM {joins}", nested(29, inner, "SELECT x{1}.a FROM t x{1}, t y{1} WHERE x{1}.a IN ({0})")]:
        began = time.time()
        cur.execute("EXPLAIN " + sql)
        assert time.time() - began < PATIENCE


def test_depth(server, cur):
    """Deeper than the stack allows is an error (1436), at whatever it is that nests."""
    chain = lambda n, word: "WITH c0 AS (SELECT a FROM t)" + "".join(f", c{i} AS (SELECT {word} a FROM c{i - 1})" for i in range(1, n)) + f" SELECT COUNT(*) FROM c{n - 1}"  # noqa: E731
    for word in ["", "DISTINCT", "SQL_BIG_RESULT"]:
        cur.execute(chain(40, word))
        assert error(cur, chain(3000, word)) == 1436
    assert error(cur, nested(300, "SELECT a FROM t", "SELECT DISTINCT a FROM ({}) d{}")) == 1436
    many = ", ".join(f"(SELECT a FROM t WHERE id = 1) t{i}" for i in range(50))
    wide = nested(60, "SELECT DISTINCT a FROM t LIMIT 1", "SELECT DISTINCT d.a FROM " + many + ", ({}) d")
    try:
        cur.execute(wide)
    except pymysql.err.MySQLError as e:
        assert e.args[0] == 1436
    assert server.alive()


def test_natural_joins_of_wide_tables(server, cur):
    columns = ", ".join(f"c{i} INT" for i in range(900))
    for i in range(60):
        cur.execute(f"CREATE TABLE IF NOT EXISTS wide{i} ({columns})")
    sql = "SELECT COUNT(*) FROM " + " NATURAL JOIN ".join(f"wide{i}" for i in range(60))
    cur.execute("SET max_execution_time = 300")
    began = time.time()
    assert error(cur, sql) == 3024
    assert time.time() - began < PATIENCE
