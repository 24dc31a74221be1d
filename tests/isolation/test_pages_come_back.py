"""Pages of rows that have gone are given back to the space of their table, whatever took the rows away and however many there were: all of them where nothing is left,
nearly all where little is left, and other indexes of the table get them. The bounds are computed from what is in the tables, not from what a run did."""
import random

import pytest

from isolation.test_long_columns import comes_down, used

INDEXES = 4
FILL = "INSERT INTO t SELECT n, n * 7919 % 100003, REPEAT(CHAR(97 + n % 26), 40 + n % 60), MD5(n) FROM seq"


@pytest.fixture(scope="module")
def filled(server):
    server.query("DROP DATABASE IF EXISTS l")
    server.query("CREATE DATABASE l")
    server.query("CREATE TABLE seq (n INT PRIMARY KEY)", db="l")
    digits = "(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)"
    server.query(f"INSERT INTO seq SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d FROM {digits} a, {digits} b, {digits} c, {digits} e", db="l")
    return server


@pytest.fixture
def t(filled):
    filled.query("DROP TABLE IF EXISTS t", db="l")
    filled.query("CREATE TABLE t (id INT PRIMARY KEY, x INT NOT NULL, pad VARCHAR(100), h CHAR(32), UNIQUE x (x), KEY pad (pad), KEY h (h, x))", db="l")
    return filled


def test_all_rows_deleted_leave_no_pages(t):
    empty = used(t, "t")
    t.query(FILL, db="l")
    full = used(t, "t")
    assert full > 20 * empty, "the table is too small to show anything"
    t.query("DELETE FROM t", db="l")
    assert comes_down(t, "t", empty, spare=0) == empty
    assert t.query("CHECK TABLE t", db="l")[0][3] == "OK"
    # and what they left is enough for the same rows again
    size = "SELECT FILE_SIZE FROM information_schema.INNODB_TABLESPACES WHERE NAME = 'l/t'"
    before = t.query(size)
    t.query(FILL, db="l")
    assert t.query(size) == before


@pytest.mark.parametrize("rows", [30, 300, 3000, 10000])
def test_rolled_back_rows_leave_no_pages(t, rows):
    """As many rows as fill a part of a page, a page, some, and two levels."""
    empty = used(t, "t")
    with t.connect(database="l") as con, con.cursor() as cur:
        cur.execute("BEGIN")
        cur.execute(f"{FILL} WHERE n < {rows}")
        cur.execute("ROLLBACK")
    assert comes_down(t, "t", empty, spare=0) == empty
    assert t.query("CHECK TABLE t", db="l")[0][3] == "OK"


def test_few_rows_left_need_few_pages(t):
    """One row in twenty stays, in another order than that of any index. Neighbours that fill less than three quarters of a page together become one, so pages are at least
    three eighths full on the whole."""
    empty = used(t, "t")
    t.query(FILL, db="l")
    full = used(t, "t")
    gone = [n for n in range(10000) if n % 20]
    random.Random(1).shuffle(gone)
    with t.connect(database="l") as con, con.cursor() as cur:
        for i in range(0, len(gone), 500):
            cur.execute(f"DELETE FROM t WHERE id IN ({', '.join(map(str, gone[i:i + 500]))})")
    most = empty + full // 20 * 8 // 3 + INDEXES * 2  # of each index the root, and a page that has no neighbour to its liking
    assert comes_down(t, "t", most, spare=0) <= most
    assert t.query("CHECK TABLE t", db="l")[0][3] == "OK"
    assert t.query("SELECT COUNT(*), SUM(id) FROM t", db="l") == ((500, sum(range(0, 10000, 20))),)


def test_a_queue_keeps_few_pages(t):
    """Rows come at one end and go at the other: the pages of those that went are not left behind."""
    empty = used(t, "t")
    with t.connect(database="l") as con, con.cursor() as cur:
        for n in range(0, 10000, 500):
            cur.execute(f"{FILL} WHERE n >= {n} AND n < {n + 500}")
            cur.execute(f"DELETE FROM t WHERE id < {n - 500}")
    kept = used(t, "t")
    t.query("CREATE TABLE fresh LIKE t", db="l")
    t.query("INSERT INTO fresh SELECT * FROM t", db="l")
    most = used(t, "fresh") * 8 // 3 + INDEXES * 2
    t.query("DROP TABLE fresh", db="l")
    assert empty < kept
    assert comes_down(t, "t", most, spare=0) <= most
