#!/usr/bin/env python3
"""What a backup costs a server under load: scripts/backup_load.py [BINARY] [--gb 1.5] [--threads 64] [--rounds 3] [--check]

sysbench oltp_read_write without a pause, binary log and GTIDs on, durable. In each round: the load alone, `evenkeel backup` beside it, the load alone
again. Told of each round and as medians: transactions a second alone (mean of before and after) and while the backup ran, what is kept, how long the
backup took, its CPU time and its size. A backup that ends within a second or two says little: more data then. `--check` (slow): the last backup is
restored and brought forward along the binary log to the end (`restore --binlog-dir --to-gtid`), and every table must have the source's checksum.
Wants a quiet machine. Goal of issue 30: 5 GB, at least 90 % kept. Figures: docs/backup.md.
"""
import argparse
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
# 6.4 million rows of sysbench are 1.5 GB
ROWS_PER_GB = 6_400_000 / 1.5


class Load:
    """sysbench, whose transactions of each second are noted."""

    def __init__(self, server, args):
        self.line = ["sysbench", "oltp_read_write", f"--mysql-socket={server.socket}", "--mysql-user=root", f"--tables={args.tables}", f"--table-size={args.rows}",
                     "--db-ps-mode=auto", "--mysql-ignore-errors=1213,1020,1205"]
        self.threads, self.seconds = args.threads, []

    def prepare(self, tables):
        subprocess.run([*self.line, f"--threads={min(tables, os.cpu_count())}", "prepare"], check=True, stdout=subprocess.DEVNULL)

    def __enter__(self):
        self.process = subprocess.Popen([*self.line, f"--threads={self.threads}", "--time=0", "--report-interval=1", "run"], stdout=subprocess.PIPE, text=True)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()
        return self

    def read(self):
        for line in self.process.stdout:
            if m := re.search(r"tps: ([\d.]+)", line):
                self.seconds.append((time.monotonic(), float(m.group(1))))

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.reader.join()

    def between(self, begin, end):
        """Mean of the seconds that lie within."""
        if self.process.poll() is not None:
            raise SystemExit(f"sysbench has ended with {self.process.returncode}")
        return statistics.mean([n for at, n in self.seconds if begin + 1 <= at <= end] or [0])


def back_up(binary, server, folder, args):
    """Seconds, CPU seconds and bytes of one backup."""
    shutil.rmtree(folder, ignore_errors=True)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([*(["nice", "-n", str(args.nice)] if args.nice else []), binary, "backup", f"--socket={server.socket}", "-uroot", f"--to={folder}", f"--compress={args.compress}", "--quiet"], check=True)
    took, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return began, took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())


def one_round(binary, server, load, folder, args):
    begin = time.monotonic()
    time.sleep(args.seconds + 1)
    before = load.between(begin, time.monotonic())
    began, took, cpu, size = back_up(binary, server, folder, args)
    ended = time.monotonic()
    time.sleep(args.seconds + 2)
    # the first second behind it may still be of it
    alone = statistics.mean([before, load.between(ended + 1, time.monotonic())])
    during = load.between(began, began + took)
    kept = during / alone if alone else 0
    print(f"alone {alone:8.0f} tps   with the backup {during:8.0f} tps   kept {kept * 100:5.1f} %   the backup took {took:6.1f} s, {cpu:5.1f} s of CPU, {size >> 20} MiB", flush=True)
    return alone, during, kept, took, cpu


def check(binary, server, folder, work, args):
    """The backup, brought forward, is what the server has now."""
    from lib.servers import Server

    # what was committed last is written into the files a moment later
    server.query("FLUSH BINARY LOGS")
    gtids = server.query("SELECT @@gtid_executed")[0][0].replace("\n", "")
    began = time.monotonic()
    subprocess.run([binary, "restore", str(folder), f"--datadir={work}/copy/data", f"--binlog-dir={server.dir}/data", f"--to-gtid={gtids}"], check=True)
    took = time.monotonic() - began
    tables = ", ".join(f"sbtest.sbtest{n + 1}" for n in range(args.tables))
    copy = Server(f"{work}/copy", options=["--log-bin=bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--server-id=2"]).start(wait=900)
    try:
        same = copy.query(f"CHECKSUM TABLE {tables}") == server.query(f"CHECKSUM TABLE {tables}")
    finally:
        copy.stop()
    print(f"restored and brought forward in {took:.0f} s: {'equal' if same else 'DIFFERENT'}")
    return same


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("binary", nargs="?", help="evenkeel (default: as tests choose)")
    p.add_argument("--gb", type=float, default=1.5)
    p.add_argument("--tables", type=int, default=8)
    p.add_argument("--threads", type=int, default=64)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--seconds", type=int, default=15, help="of the load alone, before and after")
    p.add_argument("--warm-up", type=int, default=20)
    p.add_argument("--pool", default="1G")
    p.add_argument("--compress", default="zstd", help="zstd or none")
    p.add_argument("--nice", type=int, default=0)
    p.add_argument("--check", action="store_true")
    args = p.parse_args()
    args.rows = int(args.gb * ROWS_PER_GB / args.tables)
    if args.binary:
        os.environ["EVENKEEL"] = args.binary
    from lib import servers

    options = [f"--innodb-buffer-pool-size={args.pool}", "--max-connections=1200", *servers.log_and_disk(servers.Server), "--log-bin=bin", "--sync-binlog=1", "--server-id=1",
               "--gtid-mode=ON", "--enforce-gtid-consistency=ON"]
    binary, work = servers.binary(), pathlib.Path(tempfile.mkdtemp(prefix="ek-backup-load-"))
    server, good = servers.Server(options=options).start(wait=300), True
    try:
        server.query("CREATE DATABASE sbtest")
        load = Load(server, args)
        load.prepare(args.tables)
        print(f"{args.tables} tables of {args.rows} rows, {args.threads} clients, pool {args.pool}, --compress={args.compress}, nice {args.nice}", flush=True)
        with load:
            time.sleep(args.warm_up)
            rounds = [one_round(binary, server, load, work / "b", args) for _ in range(args.rounds)]
        alone, during, kept, took, cpu = (statistics.median(r[i] for r in rounds) for i in range(5))
        print(f"medians of {args.rounds}: {alone:.0f} -> {during:.0f} tps, kept {kept * 100:.1f} %, {took:.1f} s, {cpu:.1f} s of CPU")
        if args.check:
            good = check(binary, server, work / "b", work, args)
    finally:
        server.stop()
        server.remove()
        shutil.rmtree(work, ignore_errors=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
