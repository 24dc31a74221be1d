"""Semi-consistent reads (manual, "Transaction Isolation Levels"): under READ COMMITTED and below an UPDATE that scans the table does not wait for a row
that another has locked if its committed version does not match; if it does, it waits and looks again. Holds on MySQL 9.7 as it is written here
(`EVENKEEL_MYSQL=... pytest` runs it there, too)."""
import os
import threading

import pymysql
import pytest

from lib.servers import MySQL
from lib.wait import PATIENCE, waits


@pytest.fixture(scope="module", params=["evenkeel"] + ["mysql"] * bool(os.environ.get("EVENKEEL_MYSQL")))
def any_server(request):
    if request.param == "evenkeel":
        yield request.getfixturevalue("server")
        return
    s = MySQL().start()
    yield s
    s.stop()
    s.remove()


class Pair:
    """A writer with an open transaction, and another that updates beside it."""

    def __init__(self, server, level):
        self.server = server
        for sql in ("DROP DATABASE IF EXISTS sc", "CREATE DATABASE sc"):
            server.query(sql)
        server.query("CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT, KEY b (b))", db="sc")
        server.query("INSERT INTO t VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4)", db="sc")
        self.a, self.b = (server.connect(database="sc") for _ in range(2))
        for sql in (f"SET SESSION TRANSACTION ISOLATION LEVEL {level}", "SET SESSION innodb_lock_wait_timeout = 1"):
            self.run(self.b, sql)
        self.run(self.a, "BEGIN")

    @staticmethod
    def run(con, sql):
        with con.cursor() as c:
            c.execute(sql)
            return c.rowcount if c.description is None else c.fetchall()

    def update(self, sql):
        """Rows changed, or "waits" if it ran into the timeout."""
        try:
            return self.run(self.b, sql)
        except pymysql.err.OperationalError as e:
            assert e.args[0] == 1205, e
            return "waits"

    def close(self):
        self.a.close()
        self.b.close()


@pytest.fixture(params=["READ COMMITTED", "READ UNCOMMITTED"])
def pair(any_server, request):
    p = Pair(any_server, request.param)
    yield p
    p.close()


def test_rows_that_do_not_match_are_passed(pair):
    pair.run(pair.a, "UPDATE t SET a = 20 WHERE id = 2")
    pair.run(pair.a, "DELETE FROM t WHERE id = 4")
    pair.run(pair.a, "INSERT INTO t VALUES (5, 3, 5)")
    assert pair.update("UPDATE t SET b = 30 WHERE a = 3") == 1
    assert pair.update("UPDATE t SET b = 31 WHERE a = 20") == 0, "what is not committed does not match"
    assert pair.update("UPDATE t SET b = b + 100 WHERE a = 3 AND b + 0 > 0 LIMIT 5") == 1
    assert pair.update("UPDATE t SET b = 33 WHERE id BETWEEN 1 AND 3 AND a = 3") == 1, "a range of the primary key"
    assert pair.update("UPDATE t SET b = 34 WHERE id >= 2 AND a = 3 ORDER BY id DESC") == 1
    for sql in ("UPDATE t SET b = 32 WHERE a = 3 ORDER BY b DESC", "UPDATE t SET b = 1 WHERE a = 2", "UPDATE t SET b = 1 WHERE a = 4", "UPDATE t SET b = 1 WHERE id = 2 AND a = 7", 
                "UPDATE t FORCE INDEX (b) SET a = 1 WHERE b BETWEEN 1 AND 2 AND a = 7", "DELETE FROM t WHERE a = 7"):
        assert pair.update(sql) == "waits", sql
    pair.run(pair.a, "ROLLBACK")
    assert pair.run(pair.a, "SELECT * FROM t ORDER BY id") == ((1, 1, 1), (2, 2, 2), (3, 3, 34), (4, 4, 4))


@pytest.mark.parametrize("then, want", [("COMMIT", 0), ("ROLLBACK", 1)])
def test_rows_that_match_are_waited_for_and_looked_at_again(pair, then, want):
    pair.run(pair.a, "UPDATE t SET a = 20 WHERE id = 2")
    pair.run(pair.b, "SET SESSION innodb_lock_wait_timeout = 100")
    got = []
    t = threading.Thread(target=lambda: got.append(pair.update("UPDATE t SET b = 50 WHERE a = 2")))
    t.start()
    assert waits(pair.server, pair.b, unless=lambda: got)
    pair.run(pair.a, then)
    t.join(PATIENCE)
    assert got == [want]
    assert pair.run(pair.a, "SELECT a, b FROM t WHERE id = 2") == (((20, 2),) if then == "COMMIT" else ((2, 50),))


def test_a_row_that_goes_meanwhile(pair):
    pair.run(pair.a, "DELETE FROM t WHERE id = 2")
    pair.run(pair.b, "SET SESSION innodb_lock_wait_timeout = 100")
    got = []
    t = threading.Thread(target=lambda: got.append(pair.update("UPDATE t SET b = 50 WHERE a >= 2")))
    t.start()
    assert waits(pair.server, pair.b, unless=lambda: got)
    pair.run(pair.a, "COMMIT")
    t.join(PATIENCE)
    assert got == [2]


def test_the_levels_above_wait(any_server):
    p = Pair(any_server, "REPEATABLE READ")
    p.run(p.a, "UPDATE t SET a = 20 WHERE id = 2")
    assert p.update("UPDATE t SET b = 30 WHERE a = 3") == "waits"
    p.close()
