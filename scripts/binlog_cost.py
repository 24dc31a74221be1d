#!/usr/bin/env python3
"""What the binary log costs: scripts/binlog_cost.py [BINARY] [--seconds 4] [--rounds 3] [--threads 1,8,64] [--workloads ...] [--alone]

For each server (Evenkeel, MariaDB, and MySQL if EVENKEEL_MYSQL names one) one instance without and one with a binary log, both durable (`sync_binlog=1`,
`innodb_flush_log_at_trx_commit=1`), take turns under sysbench. Told are, as medians of the rounds: transactions a second without and with the log and their
ratio (by round), the server's CPU microseconds a transaction, and syncs (fsync, fdatasync) a transaction, counted by the kernel's tracepoints where perf may
read them. Goals and figures: docs/binary-log.md.
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "scripts"))
from versus import cpu_seconds  # noqa: E402

SYNCS = ("fsync", "fdatasync")


def sysbench(server, workload, a, *options):
    line = ["sysbench", f"oltp_{workload}", f"--mysql-socket={server.socket}", "--mysql-user=root", f"--tables={a.tables}", f"--table-size={a.size}", "--db-ps-mode=disable", *options]
    return subprocess.run(line, capture_output=True, text=True, check=True).stdout


class Syncs:
    """Counts the syncs of a process while it is entered; `n` is None where perf may not."""

    def __init__(self, pid):
        events = ",".join(f"syscalls:sys_enter_{s}" for s in SYNCS)
        self.command, self.n = ["perf", "stat", "-x,", "-e", events, "-p", str(pid)], None

    def __enter__(self):
        try:
            self.perf = subprocess.Popen(self.command, stderr=subprocess.PIPE, text=True)
        except OSError:
            self.perf = None
        return self

    def __exit__(self, *_):
        if self.perf is None:
            return
        self.perf.send_signal(2)
        counted = re.findall(r"^(\d+),,syscalls", self.perf.communicate()[1], re.M)
        self.n = sum(map(int, counted)) if len(counted) == len(SYNCS) else None


def run(server, workload, threads, a):
    """(transactions a second, CPU microseconds a transaction, syncs a transaction)."""
    before = cpu_seconds(server.process.pid)
    with Syncs(server.process.pid) as syncs:
        out = sysbench(server, workload, a, f"--threads={threads}", f"--time={a.seconds}", "run")
    n = int(re.search(r"transactions:\s+(\d+)", out).group(1))
    rate = float(re.search(r"transactions:\s+\d+\s+\(([\d.]+) per sec", out).group(1))
    return rate, (cpu_seconds(server.process.pid) - before) * 1e6 / n, None if syncs.n is None else syncs.n / n


def pair(kind, a):
    """A server without and one with a log, prepared."""
    from lib import servers

    common = [*servers.log_and_disk(kind), "--innodb-buffer-pool-size=512M", "--max-connections=2000", "--sync-binlog=1", "--innodb-flush-log-at-trx-commit=1"]
    logs = ["--log-bin=bin", "--server-id=1", "--binlog-format=ROW"]
    out = [kind(options=common), kind(options=common + logs)]
    for s in out:
        s.start()
        s.query("CREATE DATABASE sbtest")
        sysbench(s, "read_write", a, "prepare")
    return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("binary", nargs="?")
    p.add_argument("--seconds", type=int, default=4)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--threads", default="1,8,64")
    p.add_argument("--workloads", default="update_index,write_only,read_write")
    p.add_argument("--tables", type=int, default=4)
    p.add_argument("--size", type=int, default=20_000)
    p.add_argument("--alone", action="store_true", help="no other servers")
    a = p.parse_args()
    if a.binary:
        os.environ["EVENKEEL"] = a.binary
    from lib import servers

    print(f"{'server':9} {'workload':13} {'threads':>7} {'off tps':>9} {'on tps':>9} {'on/off':>7} {'us off':>8} {'us on':>8} {'syncs off':>9} {'syncs on':>9}")
    for kind in (servers.Server,) if a.alone else servers.kinds():
        both = pair(kind, a)
        try:
            time.sleep(2)
            for workload in a.workloads.split(","):
                for threads in map(int, a.threads.split(",")):
                    rounds = []
                    for i in range(a.rounds):
                        order = (0, 1) if i % 2 == 0 else (1, 0)
                        got = {k: run(both[k], workload, threads, a) for k in order}
                        rounds.append((got[0], got[1]))
                    mid = lambda side, what: statistics.median(x) if None not in (x := [r[side][what] for r in rounds]) else float("nan")  # noqa: E731
                    ratio = statistics.median(on[0] / off[0] for off, on in rounds)
                    print(f"{kind.name:9} {workload:13} {threads:7} {mid(0, 0):9.0f} {mid(1, 0):9.0f} {ratio:7.3f} {mid(0, 1):8.1f} {mid(1, 1):8.1f} {mid(0, 2):9.3f} {mid(1, 2):9.3f}", flush=True)
        finally:
            for s in both:
                s.remove()


if __name__ == "__main__":
    main()
