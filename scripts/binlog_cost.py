#!/usr/bin/env python3
"""What the binary log costs: scripts/binlog_cost.py [BINARY] [--threads 1,8,64] [--rounds 5] [--seconds 4] [--peers mariadb,mysql]

Two servers of each kind, one without and one with the log, both durable (`innodb_flush_log_at_trx_commit=1`, with the log `sync_binlog=1`). They take turns
within a round, in alternating order, because the speed of a machine drifts. Told per workload and number of clients, medians of the rounds: transactions a
second without and with the log and the loss between the two (of each round, then the median), the server's CPU time per commit, and syncs per commit
(fsync and fdatasync, counted by perf if it is there; our own must be equal with and without). MySQL: EVENKEEL_MYSQL (scripts/mysql-peer.sh). Goals of
issue 30: at most 10 % at 1 and 8 clients, 15 % at 64 and 1,024. Figures: docs/performance.md.
"""
import argparse
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from lib.cpu import cpu_seconds  # noqa: E402

WORKLOADS = "oltp_update_index,oltp_write_only,oltp_read_write"


def sysbench(server, workload, verb, args, threads=1, seconds=0):
    line = ["sysbench", workload, f"--mysql-socket={server.socket}", "--mysql-user=root", f"--tables={args.tables}", f"--table-size={args.size}",
            f"--threads={threads}", f"--time={seconds}", "--db-ps-mode=auto", "--mysql-ignore-errors=1213,1020,1205", verb]
    r = subprocess.run(line, capture_output=True, text=True)
    if r.returncode != 0:
        raise SystemExit(f"{' '.join(line)}\n{r.stdout[-1500:]}\n{r.stderr[-1500:]}")
    return r.stdout


class Syncs:
    """Counts fsync and fdatasync of a process meanwhile; `count` is None without perf."""

    def __init__(self, pid):
        self.pid = pid

    def __enter__(self):
        self.count = self.process = None
        if shutil.which("perf"):
            events = "syscalls:sys_enter_fsync,syscalls:sys_enter_fdatasync"
            self.process = subprocess.Popen(["perf", "stat", "-x,", "-e", events, "-p", str(self.pid)], stderr=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.send_signal(2)
            counts = re.findall(r"^(\d+),", self.process.communicate()[1], re.M)
            self.count = sum(map(int, counts)) if counts else None


def measure(server, workload, args, threads):
    pid = server.process.pid
    before = cpu_seconds(pid)
    with Syncs(pid) as syncs:
        out = sysbench(server, workload, "run", args, threads, args.seconds)
    spent = cpu_seconds(pid) - before
    commits = int(re.search(r"transactions:\s+(\d+)", out).group(1))
    tps = float(re.search(r"transactions:\s+\d+\s+\(([\d.]+)", out).group(1))
    return {"tps": tps, "cpu_us": spent * 1e6 / max(commits, 1), "syncs": (syncs.count or 0) / max(commits, 1)}


def start(kind, log, args):
    from lib import servers

    options = [f"--innodb-buffer-pool-size={args.pool}", "--max-connections=1200", "--max-prepared-stmt-count=200000", "--innodb-flush-log-at-trx-commit=1", *servers.log_and_disk(kind)]
    options += ["--log-bin=bin", "--sync-binlog=1", "--server-id=1"] if log else ["--skip-log-bin"]
    if log and kind is servers.MariaDB:
        options.append("--binlog-format=ROW")
    server = kind(options=options).start(wait=300)
    server.query("CREATE DATABASE sbtest")
    sysbench(server, "oltp_read_write", "prepare", args)
    return server


def compare(name, pair, args):
    for workload in args.workloads.split(","):
        for threads in map(int, args.threads.split(",")):
            runs = ([], [])
            for n in range(args.rounds):
                for i in (0, 1) if n % 2 == 0 else (1, 0):
                    runs[i].append(measure(pair[i], workload, args, threads))
            off, on = ({k: statistics.median(r[k] for r in side) for k in side[0]} for side in runs)
            loss = statistics.median(1 - b["tps"] / a["tps"] for a, b in zip(*runs))
            cpu = on["cpu_us"] / off["cpu_us"] - 1
            print(f"{name:9} {workload:18} {threads:5} clients   tps {off['tps']:8.0f} -> {on['tps']:8.0f}   loss {loss * 100:6.1f} %   "
                  f"CPU/commit {off['cpu_us']:7.1f} -> {on['cpu_us']:7.1f} us ({cpu * 100:+.1f} %)   syncs/commit {off['syncs']:.3f} -> {on['syncs']:.3f}", flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("binary", nargs="?", help="evenkeel (default: as tests choose)")
    p.add_argument("--threads", default="1,8,64")
    p.add_argument("--workloads", default=WORKLOADS)
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--seconds", type=int, default=4)
    p.add_argument("--tables", type=int, default=4)
    p.add_argument("--size", type=int, default=20000)
    p.add_argument("--pool", default="256M")
    p.add_argument("--peers", default="", help="also mariadb, mysql")
    p.add_argument("--not-ours", action="store_true", help="the peers alone")
    args = p.parse_args()
    if args.binary:
        os.environ["EVENKEEL"] = args.binary
    from lib import servers

    kinds = [] if args.not_ours else [servers.Server]
    kinds += [k for k in (servers.MariaDB, servers.MySQL) if k.name in args.peers.split(",")]
    for kind in kinds:
        pair = []
        try:
            pair = [start(kind, log, args) for log in (False, True)]
            compare(kind.name, pair, args)
        finally:
            for s in pair:
                s.stop()
                s.remove()


if __name__ == "__main__":
    main()
