"""Long columns beside everything that takes versions away: their pages come back whatever became of the statement that wrote them, and nothing that is
sound is called corrupt meanwhile."""
import random
import threading
import time

import pymysql
import pytest

from isolation.history import run
from lib.wait import PATIENCE

SPARE = 12  # pages that the indexes of an empty table may keep
SECONDS = 3


def used(server, table):
    """Pages that a table has in use."""
    server.query("SET GLOBAL information_schema_stats_expiry = 0")
    server.query(f"ANALYZE TABLE {table}", db="l")
    rows = server.query(f"SELECT DATA_LENGTH + INDEX_LENGTH FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'l' AND TABLE_NAME = '{table}'")
    return int(rows[0][0]) // 16384


def comes_down(server, table, to, seconds=PATIENCE, spare=SPARE):
    """What the table has in use when purge has done its work, or after some time."""
    deadline = time.time() + seconds
    while used(server, table) > to + spare and time.time() < deadline:
        time.sleep(0.1)
    return used(server, table)


def writers(server, stop, statements, threads=4):
    """Threads that run what `statements(random)` gives until they are told to stop; errors that lie in the nature of things are none."""
    failed = []

    def write(n):
        r = random.Random(n)
        with server.connect(database="l") as con, con.cursor() as cur:
            cur.execute("SET SESSION innodb_lock_wait_timeout = 2")
            while not stop.is_set():
                for sql in statements(r):
                    try:
                        cur.execute(sql)
                    except pymysql.err.MySQLError as e:
                        if e.args[0] not in (1062, 1205, 1213, 1412):
                            failed.append(f"{sql[:80]}: {e}")

    started = [threading.Thread(target=write, args=(n,)) for n in range(threads)]
    for t in started:
        t.start()
    return started, failed


@pytest.fixture
def l(server):
    server.query("DROP DATABASE IF EXISTS l")
    server.query("CREATE DATABASE l")
    return server


COUNT = 450
MANY = ", ".join(f"c{i} VARCHAR(18) NOT NULL DEFAULT ''" for i in range(COUNT))  # too short to be put elsewhere
ROW = "({k}, {u}, REPEAT('x', 30000), REPEAT('y', 12000), JSON_OBJECT('a', JSON_ARRAY({k}, 100000 + {k}), 'p', REPEAT('z', 20000)){more})"


def rows(first, n, u=None, more=""):
    return ", ".join(ROW.format(k=k, u=k if u is None or k < first + n - 1 else u, more=more) for k in range(first, first + n))


INTO = "INSERT INTO t (k, u, pad, b, doc) VALUES "
FULL = INTO.replace(") V", ", " + ", ".join(f"c{i}" for i in range(COUNT)) + ") V")
# what fails, is rolled back, or ends in another way than by a commit
FAILURES = {
    "a duplicate in the last of many rows": [INTO + rows(100, 60, u=1)],
    "a primary key that is there": [INTO + rows(100, 5) + ", " + ROW.format(k=1, u=300, more="")],
    "rows that are left out": ["INSERT IGNORE" + INTO[6:] + rows(1, 5), "DELETE FROM t WHERE k > 9"],
    "a change to a key that is there": ["UPDATE t SET pad = REPEAT('q', 50000), u = 2 WHERE k IN (3, 4, 5)"],
    "a primary key that moves to one that is there": ["UPDATE t SET pad = REPEAT('q', 50000), k = k + 1 WHERE k < 9 ORDER BY k"],
    "moves that are left out": ["UPDATE IGNORE t SET k = k + 1 WHERE k < 9 ORDER BY k"],
    "a row that is too long": [FULL + ROW.format(k=100, u=100, more=", REPEAT('w', 18)" * COUNT)],
    "a change that makes a row too long": ["UPDATE t SET pad = REPEAT('q', 50000), " + ", ".join(f"c{i} = REPEAT('w', 18)" for i in range(COUNT)) + " WHERE k = 3"],
    "an element of an array that is there": [INTO + ROW.format(k=100, u=100, more="").replace("JSON_ARRAY(100", "JSON_ARRAY(1")],
    "a parent that is not there": ["INSERT INTO kid VALUES (1, 99, REPEAT('x', 30000))", "UPDATE kid SET k = 99, pad = REPEAT('x', 40000)"],
    "children that are there": ["UPDATE t SET k = 50, pad = REPEAT('q', 50000) WHERE k = 1", "DELETE FROM t WHERE k = 1"],
    "a condition that does not hold": [INTO + rows(448, 5)],
    "a change after all": ["BEGIN", INTO + rows(100, 20), "UPDATE t SET pad = REPEAT('q', 50000)", "DELETE FROM t WHERE k > 3",
                           INTO + rows(8, 1), "ROLLBACK"],
    "savepoints": ["BEGIN", "SAVEPOINT a", INTO + rows(100, 5), "SAVEPOINT b", "UPDATE t SET pad = CONCAT(pad, 'q')", "DELETE FROM t WHERE k > 100", "ROLLBACK TO b",
                   "UPDATE t SET b = REPEAT('q', 50000)", "ROLLBACK TO a", "COMMIT"],
    "the same row again and again": ["BEGIN", *["UPDATE t SET pad = REPEAT('q', 20000 + k) WHERE k = 2", "DELETE FROM t WHERE k = 2", INTO + rows(2, 1)] * 5, "ROLLBACK"],
    "replaced rows": ["BEGIN", "REPLACE" + INTO[6:] + rows(2, 6), "ROLLBACK"],
    "a table from a query": ["CREATE TABLE t2 (UNIQUE (v)) SELECT k, 1 AS v, pad FROM t"],
    "a branch": ["XA START 'a'", INTO + rows(100, 5), "UPDATE t SET pad = REPEAT('q', 50000)", "XA END 'a'", "XA PREPARE 'a'", "XA ROLLBACK 'a'"],
    "rows from a query": ["INSERT INTO t (k, u, pad, doc) SELECT k + 100, IF(k = 9, 3, u + 100), pad, NULL FROM t"],
    "an update where it is there": [INTO + rows(1, 3) + " ON DUPLICATE KEY UPDATE pad = REPEAT('q', 40000), u = 9"],
}


@pytest.fixture(scope="module")
def rich(server):
    """A table whose rows have long columns, indexes on them, a child and a condition."""
    server.query("DROP DATABASE IF EXISTS l")
    server.query("CREATE DATABASE l")
    with server.connect(database="l") as con, con.cursor() as cur:
        cur.execute("SET SESSION innodb_strict_mode = 0")
        cur.execute(f"CREATE TABLE t (k INT PRIMARY KEY, u INT, pad LONGTEXT, b LONGBLOB, doc JSON, g LONGTEXT AS (CONCAT(k, pad)) STORED, {MANY}, UNIQUE (u), KEY p (pad(20)),"
                     " KEY g (g(10)), UNIQUE m ((CAST(doc->'$.a' AS UNSIGNED ARRAY))), CHECK (k <> 450)) CHARSET latin1")
    server.query("CREATE TABLE kid (id INT PRIMARY KEY, k INT, pad LONGTEXT, FOREIGN KEY (k) REFERENCES t (k))", db="l")
    server.query(INTO + rows(1, 9), db="l")
    server.query("INSERT INTO kid VALUES (2, 1, REPEAT('x', 30000))", db="l")
    return server, {t: used(server, t) for t in ("t", "kid")}


def whole(server, before):
    """The rows are as they were, and the tables have as many pages as they had."""
    assert server.query("SELECT COUNT(*), SUM(LENGTH(pad)), SUM(LENGTH(b)), SUM(LENGTH(g)) FROM t", db="l") == ((9, 270000, 108000, 270009),)
    for t, pages in before.items():
        assert server.query(f"CHECK TABLE {t}", db="l")[0][3] == "OK"
        assert comes_down(server, t, pages, spare=3) <= pages + 3, t


@pytest.mark.parametrize("what", FAILURES)
@pytest.mark.parametrize("reader", [False, True])
def test_what_was_not_committed_leaves_no_pages(rich, what, reader):
    """`reader`: somebody who reads what is not committed keeps the pages until he has done."""
    server, before = rich
    with server.connect(database="l") as con, con.cursor() as cur, server.connect(database="l") as other, other.cursor() as look:
        if reader:
            look.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED")
            look.execute("SET @@autocommit = 0")
            look.execute("SELECT COUNT(*) FROM t WHERE pad > ''")
        failed = 0
        for _ in range(2):
            for sql in FAILURES[what]:
                try:
                    cur.execute(sql)
                    if reader:
                        look.execute("SELECT SUM(LENGTH(pad)), SUM(LENGTH(doc)) FROM t WHERE pad > ''")
                        look.fetchall()
                except pymysql.err.MySQLError as e:
                    assert e.args[0] in (1062, 1118, 1451, 1452, 3819), e
                    failed += 1
        assert failed or "ROLLBACK" in " ".join(FAILURES[what]) or "COMMIT" in FAILURES[what] or "IGNORE" in FAILURES[what][0], "nothing failed"
    whole(server, before)


KILLED = (INTO + rows(100, 200), "UPDATE t a JOIN t b JOIN t c SET a.pad = REPEAT('q', 50000 + b.k), a.b = REPEAT('q', 20000 + c.k)",
          "INSERT INTO t (k, pad) SELECT 100 + a.k + 10 * b.k + 100 * c.k, a.pad FROM t a, t b, t c")


@pytest.mark.parametrize("changes", [1, 5, 30, 90])
def test_killed_statements_leave_no_pages(rich, changes):
    """Statements that are killed when they have changed so many rows (or a few more; or have ended): how far they get does not hang on the machine's speed alone."""
    server, before = rich

    def changed():
        names = "('Innodb_rows_inserted', 'Innodb_rows_updated')"
        return int(server.query(f"SELECT SUM(VARIABLE_VALUE) FROM performance_schema.global_status WHERE VARIABLE_NAME IN {names}")[0][0])

    def kill(con, ended):
        began = changed()
        started.set()
        while not ended.is_set() and changed() < began + changes:
            pass
        server.query(f"KILL QUERY {con.thread_id()}")

    for sql in KILLED:
        with server.connect(database="l") as con, con.cursor() as cur:
            cur.execute("BEGIN")
            started, ended = threading.Event(), threading.Event()
            killer = threading.Thread(target=kill, args=(con, ended))
            killer.start()
            started.wait(PATIENCE)
            try:
                cur.execute(sql)
            except pymysql.err.MySQLError as e:
                assert e.args[0] == 1317, e
            ended.set()
            killer.join(PATIENCE)
            for end in ("SELECT 1", "ROLLBACK"):  # who was killed late is told at the next statement
                try:
                    cur.execute(end)
                except pymysql.err.MySQLError as e:
                    assert e.args[0] == 1317, e
            cur.execute("ROLLBACK")
    whole(server, before)


def test_victims_leave_no_pages(rich):
    """Deadlocks, lock waits that are too long, and connections that go away in the middle."""
    server, before = rich
    stop = threading.Event()

    def both(r):
        a, b = r.sample(range(1, 10), 2)
        change = "UPDATE t SET pad = REPEAT('q', 30000 + k) WHERE k = %d"
        return ["BEGIN", INTO + rows(r.randrange(100, 110), 1), change % a, change % b, "ROLLBACK"]

    threads, failed = writers(server, stop, both)
    began = time.time()
    while time.time() < began + SECONDS:
        con = server.connect(database="l", autocommit=False)
        try:
            con.cursor().execute(INTO + rows(200, 3))
        except pymysql.err.MySQLError as e:
            failed += [] if e.args[0] in (1205, 1213) else [e]
        con._force_close()
    stop.set()
    for t in threads:
        t.join(PATIENCE)
    assert not failed, failed[:5]
    whole(server, before)


def test_nothing_is_called_corrupt_beside_writers(l):
    """CHECK TABLE goes by a snapshot; it called rows corrupt whose writers were in the middle of them."""
    l.query("CREATE TABLE t (k INT PRIMARY KEY, x INT NOT NULL, pad LONGTEXT, KEY x (x), UNIQUE u (x, k), KEY p (pad(20)))", db="l")
    stop = threading.Event()

    def change(r):
        k, x = r.randrange(30), r.randrange(1000)
        row = f"({k}, {x}, REPEAT('{x}', {r.choice((10, 9000, 30000))}))"
        return ["BEGIN", r.choice((f"REPLACE INTO t VALUES {row}", f"DELETE FROM t WHERE k = {k}", f"UPDATE t SET x = {x}, pad = REPEAT('{x}', 20000) WHERE k BETWEEN {k} AND {k + 3}")),
                r.choice(("COMMIT", "ROLLBACK"))]

    threads, failed = writers(l, stop, change)
    began, wrong = time.time(), []
    with l.connect(database="l") as con, con.cursor() as cur:
        while time.time() < began + SECONDS and not wrong:
            cur.execute("CHECK TABLE t")
            wrong = [row for row in cur.fetchall() if row[3] != "OK"]
    stop.set()
    for t in threads:
        t.join(PATIENCE)
    assert not failed and not wrong, (failed[:5], wrong[:3])


@pytest.mark.parametrize("level", ["mixed", "READ UNCOMMITTED"])
def test_histories_with_long_columns_hold(l, level):
    found, figures = run(l, 1, SECONDS, level, clients=8, long=True, least=50)
    assert not found, "\n".join(found[:5])
    assert figures["committed"] > 50, figures


def test_ddl_leaves_purge_its_work(l):
    """The table gets another definition again and again while purge is at work on its rows: what purge had not done yet is done all the same."""
    l.query("CREATE TABLE t (k INT PRIMARY KEY, x INT NOT NULL, pad LONGTEXT, KEY x (x), KEY p (pad(20)))", db="l")
    empty = used(l, "t")
    stop = threading.Event()

    def change(r):
        k, x = r.randrange(20), r.randrange(1000)
        row = f"({k}, {x}, REPEAT('{x}', {r.choice((10, 9000, 30000))}))"
        return r.choice(([f"REPLACE INTO t (k, x, pad) VALUES {row}"], [f"DELETE FROM t WHERE k = {k}"],
                         [f"UPDATE t SET x = {x}, pad = REPEAT('{x}', 20000) WHERE k BETWEEN {k} AND {k + 3}"]))

    threads, failed = writers(l, stop, change)
    began, n = time.time(), 0
    with l.connect(database="l") as con, con.cursor() as cur:
        while time.time() < began + 2 * SECONDS:
            cur.execute("ALTER TABLE t ADD INDEX y (x, k)")
            cur.execute("ALTER TABLE t DROP INDEX y")
            cur.execute(f"ALTER TABLE t ADD COLUMN c{n} INT, ALGORITHM=INSTANT" if n < 60 else f"ALTER TABLE t COMMENT '{n}'")
            n += 1
    stop.set()
    for t in threads:
        t.join(PATIENCE)
    assert not failed, failed[:5]
    assert l.query("CHECK TABLE t", db="l")[0][3] == "OK"
    l.query("DELETE FROM t", db="l")
    assert comes_down(l, "t", empty, spare=4) <= empty + 4
