"""All eleven scripts of Debian's sysbench, with and without prepared statements, at 1 to 1,024 threads, without errors.

EVENKEEL_SECONDS sets how long each run lasts (CI: 2).
"""
import os
import re
import subprocess

import pytest

from lib.servers import Server

SCRIPTS = ["oltp_point_select", "oltp_read_only", "oltp_read_write", "oltp_write_only", "oltp_update_index",
           "oltp_update_non_index", "oltp_insert", "oltp_delete", "select_random_points", "select_random_ranges", "bulk_insert"]
SECONDS = int(os.environ.get("EVENKEEL_SECONDS", "2"))


@pytest.fixture(scope="module")
def loaded():
    s = Server(options=["--innodb-buffer-pool-size=512M", "--max-connections=1100", "--max-prepared-stmt-count=200000"]).start()
    s.query("CREATE DATABASE sbtest")
    yield s
    assert s.alive(), s.log_tail()
    assert s.stop() == 0, s.log_tail()
    s.remove()


def sysbench(server, script, verb, threads=1, mode="auto", tables=4, size=10000, extra=()):
    cmd = ["sysbench", script, f"--mysql-socket={server.socket}", "--mysql-user=root", "--mysql-db=sbtest", f"--tables={tables}",
           f"--table-size={size}", f"--threads={threads}", f"--time={SECONDS}", f"--db-ps-mode={mode}", *extra, verb]
    r = subprocess.run(cmd, capture_output=True, text=True, timeout=300)
    assert r.returncode == 0, f"{' '.join(cmd)}\n{r.stdout[-2000:]}\n{r.stderr[-2000:]}"
    return r.stdout


@pytest.mark.parametrize("script", SCRIPTS)
def test_script(loaded, script):
    bulk = script == "bulk_insert"
    modes = ["auto", "disable"]
    for mode in modes:
        threads_list = [1, 8] if bulk else [1, 8, 64]
        for threads in threads_list:
            # bulk_insert has one table per thread
            sysbench(loaded, script, "prepare", threads=threads if bulk else 4, tables=threads if bulk else 4)
            out = sysbench(loaded, script, "run", threads=threads, mode=mode, tables=threads if bulk else 4)
            events = int(re.search(r"total number of events:\s+(\d+)", out).group(1))
            assert events > threads, out
            assert re.search(r"reconnects:\s+0 ", out), out
            sysbench(loaded, script, "cleanup", tables=threads if bulk else 4)
    with loaded.connect(database="sbtest") as c, c.cursor() as cur:
        cur.execute("SHOW TABLES")
        assert cur.fetchall() == ()


@pytest.mark.parametrize("mode", ["auto", "disable"])
@pytest.mark.parametrize("script", ["oltp_point_select", "oltp_read_write"])
def test_1024_threads(loaded, script, mode):
    sysbench(loaded, script, "prepare", threads=4)
    out = sysbench(loaded, script, "run", threads=1024, mode=mode, tables=4)
    assert re.search(r"reconnects:\s+0 ", out), out
    sysbench(loaded, script, "cleanup")
