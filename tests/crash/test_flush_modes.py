"""innodb_flush_log_at_trx_commit 0, 1 and 2 and innodb_flush_log_at_timeout, set while the server runs: what a killed process may lose, and how often
the log is made durable."""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from lib.servers import Server
from lib.wait import PATIENCE

ARGS = ["--innodb-buffer-pool-size=32M", "--innodb-log-buffer-size=1M"]


def fsyncs(cur):
    cur.execute("SHOW GLOBAL STATUS LIKE 'Innodb_os_log_fsyncs'")
    return int(cur.fetchone()[1])


def insert(cur, first, seconds=None, rows=None, least=0):
    """Inserts one row a transaction, for so long and `least` rows, or so many rows; when each was acknowledged."""
    acknowledged = []
    until = time.time() + (seconds or 1e9)
    while (time.time() < until or len(acknowledged) < least) and (rows is None or len(acknowledged) < rows):
        cur.execute(f"INSERT INTO d.t VALUES ({first + len(acknowledged)}, REPEAT('x', 100))")
        acknowledged.append(time.time())
    return acknowledged


def present(s):
    """The rows after a crash: none is missing between others."""
    ids = [r[0] for r in s.query("SELECT id FROM d.t ORDER BY id")]
    assert ids == list(range(len(ids)))
    assert s.query("CHECK TABLE d.t EXTENDED")[0][3] == "OK"
    return len(ids)


def start(timeout=1):
    s = Server(options=ARGS).start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE d.t (id INT PRIMARY KEY, v CHAR(100))")
    s.query(f"SET GLOBAL innodb_flush_log_at_timeout = {timeout}")
    return s


def crash(s):
    s.kill()
    s.start()


def test_2_loses_nothing_with_the_process_and_flushes_by_the_timer():
    s = start()
    with s.connect() as c, c.cursor() as cur:
        cur.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 2")
        before = fsyncs(cur)
        n = len(insert(cur, 0, seconds=3, least=200))
        flushed = fsyncs(cur) - before
    # the timer, and page writes and checkpoints now and then; one per commit would be as many
    assert flushed <= n / 2, (n, flushed)
    crash(s)
    assert present(s) == n, "handed to the operating system before the answer"
    s.remove()


def test_0_loses_at_most_the_last_moments():
    """The timer makes the log durable all the while: what was acknowledged before a flush that has been seen to begin and end is kept."""
    s = start()
    kept_at_least = seen = 0
    with s.connect() as c, c.cursor() as cur:
        cur.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 0")
        before, n, flushes = fsyncs(cur), 0, []
        deadline = time.time() + PATIENCE
        # the second flush after a row began behind it
        while seen < 4 or n < 200:
            assert time.time() < deadline, (n, seen)
            n += len(insert(cur, n, rows=10))
            now = fsyncs(cur) - before
            if now > seen:
                flushes.append((now, n - 10))
                seen = now
        kept_at_least = max([rows for count, rows in flushes if count <= seen - 2], default=0)
    # the timer, and page writes and checkpoints now and then; one per commit would be as many
    assert seen <= n / 2, (n, seen)
    crash(s)
    kept = present(s)
    assert kept_at_least <= kept <= n, (n, kept, flushes)
    s.remove()


def test_1_again_loses_nothing_and_flushes_each():
    s = start()
    with s.connect() as c, c.cursor() as cur:
        cur.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 0")
        insert(cur, 0, rows=50)
        cur.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 1")
        before = fsyncs(cur)
        insert(cur, 50, rows=50)
        assert fsyncs(cur) - before >= 50
    crash(s)
    assert present(s) == 100
    s.remove()


def test_the_timeout_says_how_often():
    """At most one flush in so many seconds (and few others: page writes, checkpoints), and they do come."""
    for timeout in (1, 3):
        s = start(timeout)
        with s.connect() as c, c.cursor() as cur:
            cur.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 2")
            insert(cur, 0, rows=1)
            before, began, i = fsyncs(cur), time.time(), 0
            while time.time() - began < 6 or fsyncs(cur) == before:
                assert time.time() - began < PATIENCE, "nothing is flushed"
                i += 1
                insert(cur, i, rows=1)
                time.sleep(0.1)
            flushed, took = fsyncs(cur) - before, time.time() - began
        assert flushed <= took / timeout + 2, (timeout, flushed, took)
        s.remove()
