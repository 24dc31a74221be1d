"""The scheduler as a user sees it: what it knows of its CPUs, quotas while the server runs, many clients on one row, commits of many
connections. The figures are made by scripts/quota.py and scripts/scheduler.py; here is what must hold on any machine."""
import os
import pathlib
import subprocess
import threading
import time

import pytest

from lib.cpu import cpu_seconds
from lib.servers import Server
from lib.wait import until

CGROUP = pathlib.Path("/sys/fs/cgroup/cpu")


@pytest.fixture(scope="module")
def server():
    s = Server(options=["--innodb-buffer-pool-size=128M", "--max-connections=2000"])
    s.start()
    s.query("CREATE DATABASE sbtest")
    yield s
    s.stop()
    s.remove()


def status(server, name):
    return int(server.query(f"SHOW GLOBAL STATUS LIKE '{name}'")[0][1])


def processor(server):
    """Processor seconds of the server."""
    return cpu_seconds(server.process.pid)


def sysbench(server, script, verb, *args):
    cmd = ["sysbench", script, f"--mysql-socket={server.socket}", "--mysql-user=root", "--mysql-db=sbtest", *args, verb]
    r = subprocess.run(cmd, capture_output=True, text=True, timeout=600)
    assert r.returncode == 0, r.stdout[-2000:] + r.stderr[-1000:]
    return r.stdout


def test_cpu_accounting_in_sql(server):
    # off by default, as in MySQL
    server.query("SET GLOBAL innodb_monitor_enable = 'cpu%'")
    rows = dict(server.query("SELECT name, count FROM information_schema.innodb_metrics WHERE name LIKE 'cpu%'"))
    assert set(rows) == {"cpu_utime_abs", "cpu_stime_abs", "cpu_utime_pct", "cpu_stime_pct", "cpu_n"}
    # under a fractional quota cpu_n is the next whole number
    assert rows["cpu_n"] == -(-status(server, "Effective_cpus_milli") // 1000)
    # one connection that computes: as many percent of one processor as others leave it
    for _ in range(8):
        began, had = time.time(), processor(server)
        with server.connect() as c, c.cursor() as cur:
            end = time.time() + 2.5
            while time.time() < end:
                cur.execute("SELECT BENCHMARK(1000000, SHA2('x', 512))")
        rows = dict(server.query("SELECT name, count FROM information_schema.innodb_metrics WHERE name LIKE 'cpu%'"))
        least = 100 * (processor(server) - had) / (time.time() - began) / 4
        if rows["cpu_utime_abs"] >= max(least, 1):
            break
    assert rows["cpu_utime_abs"] >= least and rows["cpu_utime_pct"] >= rows["cpu_utime_abs"] // rows["cpu_n"] // 2
    assert rows["cpu_utime_pct"] <= rows["cpu_utime_abs"] or rows["cpu_n"] == 1


def test_latches_in_sql_and_their_cap(server):
    rows = dict(server.query("SELECT name, count FROM information_schema.innodb_metrics WHERE subsystem = 'latch'"))
    for what in ("spin_waits", "spin_successes", "spin_ns", "os_waits", "os_wait_ns", "handoffs", "spin_budget_ns"):
        assert rows[f"latch_innodb_page_{what}"] >= 0
    server.query("SET GLOBAL innodb_sync_spin_loops = 0")
    until(lambda: status(server, "Latch_spin_limit_ns") == 0)
    server.query("SET GLOBAL innodb_sync_spin_loops = DEFAULT")


def test_thread_concurrency_bounds_the_tokens(server):
    server.query("SET GLOBAL innodb_thread_concurrency = 1")
    until(lambda: status(server, "Sched_run_tokens") == 1)
    server.query("SET GLOBAL innodb_thread_concurrency = 0")
    until(lambda: status(server, "Sched_run_tokens") == -(-status(server, "Effective_cpus_milli") // 1000))


def test_many_clients_on_one_row(server):
    sysbench(server, "oltp_update_non_index", "prepare", "--tables=1", "--table-size=1")
    before = status(server, "Innodb_deadlocks")
    out = sysbench(server, "oltp_update_non_index", "run", "--tables=1", "--table-size=1", "--threads=128", "--time=3")
    assert "ignored errors:                      0 " in out, out
    assert status(server, "Innodb_deadlocks") == before
    server.query("DROP TABLE sbtest.sbtest1")


def test_commits_without_a_thread_are_counted_and_kept(server):
    """64 connections share threads: their commits wait without one. What was acknowledged is there after a kill."""
    server.query("CREATE TABLE sbtest.acks (id BIGINT AUTO_INCREMENT PRIMARY KEY, client INT, n INT)")
    acked, stop = [0] * 64, threading.Event()

    def client(i):
        try:
            with server.connect(database="sbtest") as c, c.cursor() as cur:
                while not stop.is_set():
                    cur.execute(f"INSERT INTO acks (client, n) VALUES ({i}, {acked[i] + 1})")
                    acked[i] += 1
        except Exception:  # the kill
            pass

    threads = [threading.Thread(target=client, args=(i,)) for i in range(64)]
    [t.start() for t in threads]
    time.sleep(3)
    until(lambda: sum(acked) > 200, "hardly anything is committed")
    server.kill()
    stop.set()
    [t.join() for t in threads]
    server.start()
    kept = dict(server.query("SELECT client, MAX(n) FROM sbtest.acks GROUP BY client"))
    counts = dict(server.query("SELECT client, COUNT(*) FROM sbtest.acks GROUP BY client"))
    for i, n in enumerate(acked):
        assert n <= kept.get(i, 0) <= n + 1 and counts.get(i, 0) == kept.get(i, 0), f"client {i}: {n} acknowledged, {kept.get(i)} there"


@pytest.mark.skipif(os.geteuid() != 0 or not os.access(CGROUP / "cgroup.procs", os.W_OK), reason="needs a cgroup v1 cpu controller to write to")
def test_a_quota_that_comes_and_goes(server):
    group = CGROUP / f"evenkeel-test-{os.getpid()}"
    group.mkdir()
    try:
        (group / "cgroup.procs").write_text(str(server.process.pid))
        sysbench(server, "oltp_update_index", "prepare", "--tables=2", "--table-size=1000")
        (group / "cpu.cfs_quota_us").write_text("50000")
        until(lambda: status(server, "Effective_cpus_milli") == 500)
        assert status(server, "Latch_spin_limit_ns") == 0 and status(server, "Sched_run_tokens") == 1
        before = status(server, "Sched_paced")
        reached = False
        for _ in range(6):  # more than once where the machine has other things to do
            began, had = time.time(), processor(server)
            sysbench(server, "oltp_update_index", "run", "--tables=2", "--table-size=1000", "--threads=32", "--time=3")
            reached |= processor(server) - had > 0.4 * (time.time() - began)
            if status(server, "Sched_paced") > before:
                break
        # where others leave it less than its quota there is nothing to rest from
        assert status(server, "Sched_paced") > before or not reached, "the server rests by itself"
        (group / "cpu.cfs_quota_us").write_text("-1")
        until(lambda: status(server, "Effective_cpus_milli") > 500)
    finally:
        (CGROUP / "cgroup.procs").write_text(str(server.process.pid))
        time.sleep(0.2)
        group.rmdir()


def test_threads_of_connections_that_come_and_go(server):
    """A thread is kept for the next connection, but not one for each that has gone."""
    def threads():
        return len(os.listdir(f"/proc/{server.process.pid}/task"))
    before = threads()
    for _ in range(400):
        server.connect().close()
    until(lambda: threads() < before + 100, "threads of connections that have gone stay")
