"""Histograms: they survive a crash, follow the literals of each execution into the join order, are sampled, and need privileges."""
import threading

import pymysql
import pytest
from lib.servers import Server

FILL = "WITH RECURSIVE n AS (SELECT 1 i UNION ALL SELECT i + 1 FROM n WHERE i < {n}) SELECT i, {rest} FROM n"


@pytest.fixture
def server():
    s = Server().start()
    try:
        with s.connect() as c, c.cursor() as cur:
            cur.execute("CREATE DATABASE IF NOT EXISTS test")
        yield s
    finally:
        s.kill()
        s.remove()


def fill(cur, table, n, rest):
    cur.execute("SET cte_max_recursion_depth = 1000000")
    cur.execute(f"INSERT INTO {table} {FILL.format(n=n, rest=rest)}")


def shown(cur):
    cur.execute("SELECT SCHEMA_NAME, TABLE_NAME, COLUMN_NAME, HISTOGRAM FROM information_schema.COLUMN_STATISTICS ORDER BY 1, 2, 3")
    return cur.fetchall()


def first_table(cur, sql):
    cur.execute("EXPLAIN " + sql)
    return cur.fetchone()[2]


def test_survive_a_crash(server):
    with server.connect(db="test") as c, c.cursor() as cur:
        cur.execute("CREATE TABLE t (id INT PRIMARY KEY, a INT, b VARCHAR(50) COLLATE utf8mb4_bin, c DECIMAL(30,10))")
        fill(cur, "t", 3000, "i % 7, CONCAT('name ', i), i / 7")
        cur.execute("ANALYZE TABLE t UPDATE HISTOGRAM ON a, b, c WITH 64 BUCKETS")
        before = shown(cur)
        assert len(before) == 3
    server.kill()
    server.start()
    with server.connect(db="test") as c, c.cursor() as cur:
        assert shown(cur) == before
        cur.execute("DROP DATABASE test")
        assert shown(cur) == ()


def test_join_order_follows_the_literals(server):
    with server.connect(db="test") as c, c.cursor() as cur:
        cur.execute("CREATE TABLE a (id INT PRIMARY KEY, k VARCHAR(10))")
        cur.execute("CREATE TABLE b (id INT PRIMARY KEY, aid INT, k VARCHAR(10), KEY (aid))")
        fill(cur, "a", 2000, "IF(i <= 4, 'rare', 'often')")
        fill(cur, "b", 2000, "i, IF(i % 500 = 0, 'rare', 'often')")
        cur.execute("ANALYZE TABLE a, b")
        join = "SELECT STRAIGHT COUNT(*) FROM a JOIN b ON b.aid = a.id WHERE a.k = '{}' AND b.k = '{}'".replace("STRAIGHT ", "")
        guess = {first_table(cur, join.format(x, y)) for x, y in (("rare", "often"), ("often", "rare"))}
        assert len(guess) == 1, "without histograms the literals say nothing"
        cur.execute("ANALYZE TABLE a UPDATE HISTOGRAM ON k")
        cur.execute("ANALYZE TABLE b UPDATE HISTOGRAM ON k")
        assert first_table(cur, join.format("rare", "often")) == "a"
        assert first_table(cur, join.format("often", "rare")) == "b"

        def rows_read(x, y):
            cur.execute("FLUSH STATUS")
            cur.execute(join.format(x, y))
            n = cur.fetchone()[0]
            cur.execute("SHOW SESSION STATUS LIKE 'Handler_read_key'")
            return n, int(cur.fetchone()[1])

        # the same text with other literals: a shared plan would look the other table's 1,996 rows up
        for x, y in [("rare", "often"), ("often", "rare")] * 2:
            n, lookups = rows_read(x, y)
            assert n == 4 and lookups < 100, (x, y, n, lookups)


def test_sampling(server):
    with server.connect(db="test") as c, c.cursor() as cur:
        cur.execute("CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT)")
        fill(cur, "t", 200000, "i, i % 10")
        cur.execute("ANALYZE TABLE t")
        cur.execute("SET histogram_generation_max_mem_size = 1000000")
        cur.execute("ANALYZE TABLE t UPDATE HISTOGRAM ON a, b")
        cur.execute("SELECT HISTOGRAM->'$.\"sampling-rate\"' FROM information_schema.COLUMN_STATISTICS")
        rates = {float(r[0]) for r in cur.fetchall()}
        assert len(rates) == 1 and 0.01 < rates.pop() < 0.5
        for where, share in (("b = 3", 10), ("a < 50000", 25), ("a BETWEEN 100000 AND 119999", 10)):
            cur.execute("EXPLAIN SELECT * FROM t WHERE " + where)
            assert float(cur.fetchone()[10]) == pytest.approx(share, abs=2), where
        # about as many distinct values as there are
        cur.execute("""SELECT SUM(n) FROM information_schema.COLUMN_STATISTICS,
            JSON_TABLE(HISTOGRAM, '$.buckets[*]' COLUMNS (n DOUBLE PATH '$[3]')) j WHERE COLUMN_NAME = 'a'""")
        assert 100000 < cur.fetchone()[0] <= 220000


def test_privileges(server):
    with server.connect(db="test") as c, c.cursor() as cur:
        cur.execute("CREATE TABLE t (a INT, b INT)")
        cur.execute("ANALYZE TABLE t UPDATE HISTOGRAM ON a, b")
        cur.execute("CREATE USER u IDENTIFIED BY 'x'")
        cur.execute("GRANT SELECT ON test.t TO u")
        cur.execute("CREATE USER v IDENTIFIED BY 'x'")
        with server.connect(user="u", password="x") as d, d.cursor() as other:
            assert len(shown(other)) == 2
            with pytest.raises(pymysql.err.OperationalError) as e:
                other.execute("ANALYZE TABLE test.t UPDATE HISTOGRAM ON a")
            assert e.value.args[0] == 1142 and "INSERT" in e.value.args[1]
        cur.execute("GRANT INSERT ON test.t TO u")
        with server.connect(user="u", password="x") as d, d.cursor() as other:
            other.execute("ANALYZE TABLE test.t UPDATE HISTOGRAM ON a")
            assert other.fetchone()[2] == "status"
        with server.connect(user="v", password="x") as d, d.cursor() as other:
            assert shown(other) == ()


def test_beside_writers(server):
    """Publishing waits for open transactions and for nobody else; several at a time do not deadlock."""
    with server.connect(db="test") as c, c.cursor() as cur:
        cur.execute("CREATE TABLE t (a INT, b INT)")
        cur.execute("INSERT INTO t VALUES (1, 1)")
    errors = []

    def work(sql, times):
        try:
            with server.connect(db="test", autocommit=True) as c, c.cursor() as cur:
                for _ in range(times):
                    cur.execute(sql)
                    cur.fetchall()
        except Exception as e:  # shown below
            errors.append(e)

    jobs = [("ANALYZE TABLE t UPDATE HISTOGRAM ON a", 30), ("ANALYZE TABLE t UPDATE HISTOGRAM ON b AUTO UPDATE", 30), ("ANALYZE TABLE t", 30),
            ("INSERT INTO t VALUES (2, 3)", 300), ("SELECT * FROM t t1 JOIN t t2 USING (a) WHERE t1.b = 1 LIMIT 5", 300), ("ALTER TABLE t ALTER a SET DEFAULT 5", 20)]
    threads = [threading.Thread(target=work, args=j) for j in jobs]
    for t in threads:
        t.start()
    for t in threads:
        t.join(120)
    assert not errors and not any(t.is_alive() for t in threads)
    with server.connect(db="test") as c, c.cursor() as cur:
        assert len(shown(cur)) == 2
