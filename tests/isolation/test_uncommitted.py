"""READ UNCOMMITTED reads rows whose writers roll them back, or commit and have them purged, while their long columns are being fetched: each answer is one
version whole, never an error, never another's bytes. Repeats what CI met as 1712 "not an overflow page"."""
import random
import threading
import time

import pymysql
import pytest
from lib.wait import PATIENCE, until

SECONDS = 4
SHAPES = ["SELECT k, x, pad FROM t FORCE INDEX (n) WHERE n >= 0", "SELECT k, x, pad FROM t", "SELECT k, x, pad FROM t WHERE k = 1",
          "SELECT k, x, pad FROM t ORDER BY pad, k", "SELECT k, x, pad FROM t WHERE pad LIKE '1%' OR pad > '1' ORDER BY k DESC",
          "SELECT k, x, pad FROM t FORCE INDEX (p) WHERE pad > ''", "SELECT k, MAX(x), MAX(pad) FROM t GROUP BY k"]


@pytest.mark.parametrize("commits", [0, 0.5])
def test_a_version_is_read_whole(server, commits):
    for sql in ("DROP DATABASE IF EXISTS ru", "CREATE DATABASE ru"):
        server.query(sql)
    server.query("CREATE TABLE t (k INT PRIMARY KEY, x INT NOT NULL, n INT, pad LONGTEXT, KEY n (n), KEY p (pad(20)))", db="ru")
    server.query("INSERT INTO t VALUES (1, 1, 1, REPEAT('1', 20000)), (2, 1, 1, REPEAT('1', 20000))", db="ru")
    stop, found, read = threading.Event(), [], [0]

    def write(k):
        r = random.Random(k)
        with server.connect(database="ru") as con, con.cursor() as cur:
            while not stop.is_set():
                x, length = r.randrange(1, 10), r.choice((9_000, 20_000, 100_000))
                cur.execute("START TRANSACTION")
                if k > 2:  # comes and goes
                    cur.execute(f"INSERT INTO t VALUES ({k}, {x}, {x}, REPEAT('{x}', {length}))")
                else:
                    cur.execute(f"UPDATE t SET x = {x}, n = {x}, pad = REPEAT('{x}', {length}) WHERE k = {k}")
                cur.execute("COMMIT" if k <= 2 and r.random() < commits else "ROLLBACK")

    def reader(n):
        r = random.Random(n)
        with server.connect(database="ru") as con, con.cursor() as cur:
            cur.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED")
            while not stop.is_set():
                sql = r.choice(SHAPES)
                try:
                    cur.execute(sql)
                    for k, x, pad in cur.fetchall():
                        read[0] += 1
                        if set(pad) != {str(x)} or len(pad) not in (9_000, 20_000, 100_000):
                            found.append(f"{sql}: {k}, {x}, {len(pad)} of {set(pad)}")
                except pymysql.err.MySQLError as e:
                    found.append(f"{sql}: {e}")

    threads = [threading.Thread(target=write, args=(k,)) for k in (1, 2, 3)] + [threading.Thread(target=reader, args=(n,)) for n in range(3)]
    for t in threads:
        t.start()
    time.sleep(SECONDS)
    until(lambda: found or read[0] > 100, "hardly anything is read")
    stop.set()
    for t in threads:
        t.join(PATIENCE)
    assert not found, "\n".join(found[:5])
    assert read[0] > 100, read
    rows = server.query("CHECK TABLE t", db="ru")
    assert [row[3] for row in rows] == ["OK"], rows
