"""All eleven scripts of Debian's sysbench, with and without prepared statements, at 1 to 1,024 threads, without errors.

EVENKEEL_FULL=1 runs every number of threads from 1 to 1,024 by powers of two (CI: 1 and 64, and 1,024 for two scripts);
EVENKEEL_SECONDS sets how long each run lasts (CI: 1). EVENKEEL_LARGE=1 adds ten tables of a million rows each, filled once for all scripts.
"""
import os
import re
import resource
import subprocess

import pytest

from lib.servers import Server

SCRIPTS = ["oltp_point_select", "oltp_read_only", "oltp_read_write", "oltp_write_only", "oltp_update_index",
           "oltp_update_non_index", "oltp_insert", "oltp_delete", "select_random_points", "select_random_ranges", "bulk_insert"]
FULL = os.environ.get("EVENKEEL_FULL") == "1"
SECONDS = int(os.environ.get("EVENKEEL_SECONDS", "2" if FULL else "1"))
THREADS = [1, 8, 64, 256, 1024] if FULL else [1, 64]
# these two refuse --tables above 1
ONE_TABLE = ("select_random_points", "select_random_ranges")


@pytest.fixture(scope="module")
def loaded():
    # 1,024 connections are as many file descriptors on each side
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65536) if hard != resource.RLIM_INFINITY else 65536, hard))
    # as on MySQL, prepared statements of 1,024 threads need a higher max_prepared_stmt_count (9 a table for read_write)
    s = Server(options=["--innodb-buffer-pool-size=512M", "--max-connections=1100", "--max-prepared-stmt-count=200000"]).start()
    s.query("CREATE DATABASE sbtest")
    yield s
    assert s.alive(), s.log_tail()
    assert s.stop() == 0, s.log_tail()
    s.remove()


def sysbench(server, script, verb, threads=1, mode="auto", tables=4, size=10000, seconds=SECONDS, extra=(), timeout=300):
    cmd = ["sysbench", script, f"--mysql-socket={server.socket}", "--mysql-user=root", "--mysql-db=sbtest", f"--tables={tables}",
           f"--table-size={size}", f"--threads={threads}", f"--time={seconds}", f"--db-ps-mode={mode}", "--rand-type=uniform", *extra, verb]
    if script == "bulk_insert":  # knows no table options: one table per thread
        cmd = [c for c in cmd if not c.startswith(("--tables", "--table-size"))]
    r = subprocess.run(cmd, capture_output=True, text=True, timeout=timeout)
    assert r.returncode == 0, f"{' '.join(cmd)}\n{r.stdout[-2000:]}\n{r.stderr[-2000:]}"
    assert "FATAL" not in r.stdout + r.stderr, r.stdout + r.stderr
    return r.stdout


def run(server, script, threads, mode, tables, size=10000):
    for seconds in (SECONDS, 10, 60):  # a busy machine may do little at a time
        out = sysbench(server, script, "run", threads=threads, mode=mode, tables=tables, size=size, seconds=seconds)
        events = int(re.search(r"total number of events:\s+(\d+)", out).group(1))
        if events >= threads:
            break
    # no statement was lost to a dropped connection, and every thread did something
    assert events >= threads, out
    assert re.search(r"reconnects:\s+0 ", out), out
    qps = float(re.search(r"queries:\s+\d+\s+\(([\d.]+) per sec", out).group(1))
    print(f"{script} {mode} {threads} threads: {qps:.0f} queries/s, {re.search('ignored errors: *([0-9]+)', out).group(1)} ignored errors", flush=True)


@pytest.mark.parametrize("mode", ["auto", "disable"])
@pytest.mark.parametrize("script", SCRIPTS)
def test_script(loaded, script, mode):
    tables = 1 if script in ONE_TABLE else 4
    if script == "bulk_insert":
        for threads in THREADS:
            sysbench(loaded, script, "prepare", threads=threads)
            run(loaded, script, threads, mode, 0)
            sysbench(loaded, script, "cleanup", threads=threads)
    else:
        # oltp_delete finds fewer and fewer rows; it is refilled before each number of threads by nobody, as with MySQL
        sysbench(loaded, script, "prepare", threads=min(4, tables), tables=tables)
        for threads in THREADS:
            run(loaded, script, threads, mode, tables)
        check(loaded)
        sysbench(loaded, script, "cleanup", tables=tables)
    with loaded.connect(database="sbtest") as c, c.cursor() as cur:
        cur.execute("SHOW TABLES")
        assert cur.fetchall() == ()


def check(server):
    """Every index equals its table after the load."""
    with server.connect(database="sbtest") as c, c.cursor() as cur:
        cur.execute("SHOW TABLES")
        names = [r[0] for r in cur.fetchall()]
        cur.execute("CHECK TABLE " + ", ".join(names))
        assert [r for r in cur.fetchall() if r[3] != "OK"] == []


@pytest.mark.skipif(FULL, reason="part of the full matrix")
@pytest.mark.parametrize("script,mode", [("oltp_point_select", "disable"), ("oltp_read_write", "auto")])
def test_1024_threads(loaded, script, mode):
    sysbench(loaded, script, "prepare", threads=4)
    run(loaded, script, 1024, mode, 4)
    sysbench(loaded, script, "cleanup")


@pytest.mark.skipif(os.environ.get("EVENKEEL_LARGE") != "1", reason="minutes: EVENKEEL_LARGE=1")
@pytest.mark.timeout(3600)
def test_ten_tables_of_a_million_rows(loaded):
    """Prepare, every script in both modes at every number of threads, cleanup; the tables are several times the pool."""
    large = dict(tables=10, size=1_000_000)
    sysbench(loaded, "oltp_read_write", "prepare", threads=4, timeout=1800, **large)
    with loaded.connect(database="sbtest") as c, c.cursor() as cur:
        for n in range(1, 11):
            cur.execute(f"SELECT COUNT(*), MIN(id), MAX(id) FROM sbtest{n}")
            assert cur.fetchall() == ((1_000_000, 1, 1_000_000),)
    # what deletes comes last
    for script in sorted(SCRIPTS, key="oltp_delete".__eq__):
        for mode in ("auto", "disable"):
            for threads in (1, 8, 64, 256, 1024):
                if script == "bulk_insert":
                    continue  # knows neither option: test_script has all of it
                run(loaded, script, threads, mode, 1 if script in ONE_TABLE else 10, size=1_000_000)
    check(loaded)
    sysbench(loaded, "oltp_read_write", "cleanup", **large)
    with loaded.connect(database="sbtest") as c, c.cursor() as cur:
        cur.execute("SHOW TABLES")
        assert cur.fetchall() == ()
