"""Memory goes back when a statement ends: twelve connections that have run large statements and are idle hold next to nothing."""
import pathlib
import re
import sys
import tempfile
import time

import pymysql
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lib.servers import Server  # noqa: E402

MB = 1 << 20
CONNECTIONS = 12
# what the server may hold more than before, for all twelve together
BOUND = 40


@pytest.fixture(scope="module")
def server():
    s = Server(options=["--innodb-flush-log-at-trx-commit=0", "--max-allowed-packet=64M", "--innodb-buffer-pool-size=24M", "--local-infile=1"]).start()
    with s.connect() as c, c.cursor() as cur:
        cur.execute("CREATE DATABASE d")
        cur.execute("CREATE TABLE d.many (a INT PRIMARY KEY, b VARCHAR(200))")
        cur.execute("SET cte_max_recursion_depth = 1000000")
        cur.execute("INSERT INTO d.many WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 20000) SELECT n, REPEAT(CHAR(97 + n % 26), 200) FROM r")
        cur.execute("CREATE TABLE d.big (id INT AUTO_INCREMENT PRIMARY KEY, a LONGBLOB)")
        cur.execute("INSERT INTO d.big (a) VALUES (REPEAT('x', 16000000))")
        # the pool is full from here on
        cur.execute("SELECT COUNT(b) FROM d.many")
        cur.execute("SELECT SUM(LENGTH(a)) FROM d.big")
    yield s
    s.remove()


def resident(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text()).group(1)) // 1024


def insert_text(cur):
    row = "(0, '" + "y" * 990 + "')"
    cur.execute("CREATE TEMPORARY TABLE t (a INT, b VARCHAR(1000))")
    cur.execute("INSERT INTO t VALUES " + ",".join([row] * 6000))
    cur.execute("DROP TEMPORARY TABLE t")


def refused_text(cur):
    with pytest.raises(pymysql.err.MySQLError):
        cur.execute("SELECT nothing_like_this, '" + "y" * 20_000_000 + "'")


def prepared_text(cur):
    """A long list of values, prepared and thrown away, or kept."""
    cur.execute("SET @s = CONCAT('SELECT COUNT(*) FROM d.many WHERE a IN (1', REPEAT(',1234567', 100000), ')')")
    cur.execute("PREPARE p FROM @s")
    cur.execute("DEALLOCATE PREPARE p")
    cur.execute("SET @s = NULL")


def blob_by_prepared(cur):
    cur.execute("SET @b = REPEAT('z', 16000000)")
    cur.execute("PREPARE p FROM 'UPDATE d.big SET a = a WHERE id = 1 AND LENGTH(?) > 0'")
    cur.execute("EXECUTE p USING @b")
    cur.execute("SET @b = NULL")


def load_data(cur):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as f:
        f.write(("1\t" + "q" * 1000 + "\n") * 6000)
        f.flush()
        cur.execute("CREATE TEMPORARY TABLE l (a INT, b VARCHAR(1000))")
        cur.execute(f"LOAD DATA LOCAL INFILE '{f.name}' INTO TABLE l")
        cur.execute("DROP TEMPORARY TABLE l")


def sql(*texts):
    def run(cur):
        for t in texts:
            cur.execute(t)
            cur.fetchall()
    return run


STATEMENTS = {
    "a large INSERT": insert_text,
    "a large text with an error": refused_text,
    "a large prepared text": prepared_text,
    "a blob by a prepared statement": blob_by_prepared,
    "LOAD DATA": load_data,
    "a large result": sql("SELECT a, b FROM d.many"),
    "a large value": sql("SELECT a FROM d.big WHERE id = 1"),
    "a large sort": sql("SET sort_buffer_size = 64000000", "SELECT b, a FROM d.many ORDER BY b DESC, a LIMIT 19990, 100"),
    "GROUP BY": sql("SELECT COUNT(*) FROM (SELECT CONCAT(b, a) AS c, COUNT(*) FROM d.many GROUP BY c) t"),
    "GROUP_CONCAT": sql("SET group_concat_max_len = 60000000", "SELECT LENGTH(GROUP_CONCAT(b)) FROM d.many"),
    "REPEAT": sql("SELECT LENGTH(REPEAT('a', 20000000))", "SELECT LENGTH(REPEAT(CONCAT('a', REPEAT('b', 1000000)), 10))"),
    "JSON": sql("SELECT JSON_LENGTH(JSON_ARRAYAGG(b)) FROM d.many", "SELECT JSON_LENGTH(CONCAT('[', REPEAT('1,', 500000), '1]'))"),
    "a derived table": sql("SELECT COUNT(*) FROM (SELECT a, b FROM d.many ORDER BY b LIMIT 18000) t JOIN d.many m ON m.a = t.a"),
    "windows": sql("SELECT MAX(x) FROM (SELECT ROW_NUMBER() OVER (ORDER BY b, a) AS x, b FROM d.many) t"),
    "UNION": sql("SELECT COUNT(*) FROM (SELECT b, a FROM d.many UNION SELECT b, a + 1 FROM d.many) t"),
    "hash join": sql("SELECT COUNT(*) FROM d.many x JOIN d.many y ON CONCAT(x.a, x.b) = CONCAT(y.a, y.b)"),
    "a long list": sql("SELECT COUNT(*) FROM d.many WHERE a IN (1" + ",1234567" * 100_000 + ")"),
    "regexp": sql("SELECT LENGTH(REGEXP_REPLACE(REPEAT('ab', 100000), 'b', 'c'))"),
}


@pytest.mark.parametrize("kind", STATEMENTS)
def test_idle_connections_hold_little(server, kind):
    run = STATEMENTS[kind]
    with server.connect(local_infile=True, database="d") as c, c.cursor() as cur:
        run(cur)  # what is made once for all
    time.sleep(0.1)
    before = resident(server.process.pid)
    held = []
    try:
        for _ in range(CONNECTIONS):
            held.append(server.connect(local_infile=True, database="d"))
            with held[-1].cursor() as cur:
                run(cur)
        deadline = time.time() + 120
        while (now := resident(server.process.pid)) > before + BOUND and time.time() < deadline:
            time.sleep(0.1)
        print(f"{kind}: {before} MB before, {now} MB with {CONNECTIONS} idle connections")
        assert now <= before + BOUND, f"{CONNECTIONS} idle connections hold {now - before} MB"
    finally:
        for c in held:
            c.close()
