"""innodb_flush_log_at_trx_commit 0, 1 and 2 and innodb_flush_log_at_timeout, set while the server runs: what a killed process may lose, and how often
the log is made durable."""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from lib.servers import Server

ARGS = ["--innodb-buffer-pool-size=32M", "--innodb-log-buffer-size=1M"]


def fsyncs(cur):
    cur.execute("SHOW GLOBAL STATUS LIKE 'Innodb_os_log_fsyncs'")
    return int(cur.fetchone()[1])


def insert(cur, first, seconds=None, rows=None):
    """Inserts one row a transaction; when each was acknowledged."""
    acknowledged = []
    until = time.time() + (seconds or 1e9)
    while time.time() < until and (rows is None or len(acknowledged) < rows):
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
    killed = time.time()
    s.kill()
    s.start()
    return killed


def test_2_loses_nothing_with_the_process_and_flushes_by_the_timer():
    s = start()
    with s.connect() as c, c.cursor() as cur:
        cur.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 2")
        before = fsyncs(cur)
        n = len(insert(cur, 0, seconds=3))
        flushed = fsyncs(cur) - before
    assert n > 100 and flushed <= 40, (n, flushed)
    crash(s)
    assert present(s) == n, "handed to the operating system before the answer"
    s.remove()


def test_0_loses_at_most_the_last_moments():
    s = start()
    with s.connect() as c, c.cursor() as cur:
        cur.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 0")
        before = fsyncs(cur)
        acknowledged = insert(cur, 0, seconds=4)
        flushed = fsyncs(cur) - before
    # the timer, and page writes and checkpoints now and then; one per commit would be thousands
    assert len(acknowledged) > 100 and flushed <= 40, (len(acknowledged), flushed)
    killed = crash(s)
    kept = present(s)
    lost = acknowledged[kept:]
    # one second of the timer, and time for a slow machine to run it
    assert not lost or killed - lost[0] < 2.5, (len(acknowledged), kept, killed - lost[0])
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
    counts = {}
    for timeout in (1, 3):
        s = start(timeout)
        with s.connect() as c, c.cursor() as cur:
            cur.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 2")
            insert(cur, 0, rows=1)
            before = fsyncs(cur)
            for i in range(1, 61):
                insert(cur, i, rows=1)
                time.sleep(0.1)
            counts[timeout] = fsyncs(cur) - before
        s.remove()
    assert counts[1] >= 4 and counts[3] <= 3 and counts[3] < counts[1], counts
