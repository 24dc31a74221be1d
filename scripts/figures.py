#!/usr/bin/env python3
"""The long measurements of docs/performance.md, each one subcommand. Run with the tests' Python: `scripts/venv.sh`, then

    .venv/bin/python scripts/figures.py endurance [--minutes 10] [--threads 64]    oltp_read_write: throughput, memory, history list over time
    .venv/bin/python scripts/figures.py load [--rows 10000000]                     multi-row INSERT and index, against MariaDB
    .venv/bin/python scripts/figures.py growth [--rows 50000000]                   CPU per point select, 100,000 rows to many; 48 tables
    .venv/bin/python scripts/figures.py disk [--pool 256M]                         tables several times the pool, against MariaDB
    .venv/bin/python scripts/figures.py memory [--connections 1024]                resident memory against pool and connections

Servers live in a new folder under --dir (default /var/tmp), which should be on a real disk. EVENKEEL names the binary
(default: target/release/evenkeel). Both servers sync each commit and use O_DIRECT.
"""
import argparse
import mmap
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from lib.cpu import cpu_seconds  # noqa: E402
from lib.servers import Server, kinds, log_and_disk  # noqa: E402


def rss_mb(pid, key="VmRSS"):
    return int(re.search(key + r":\s+(\d+)", open(f"/proc/{pid}/status").read()).group(1)) / 1024


def sysbench(server, script, verb, *args, db="sbtest"):
    cmd = ["sysbench", script, f"--mysql-socket={server.socket}", "--mysql-user=root", f"--mysql-db={db}", *args, verb]
    r = subprocess.run(cmd, capture_output=True, text=True)
    if r.returncode:
        sys.exit(f"{' '.join(cmd)}\n{r.stdout[-2000:]}\n{r.stderr[-500:]}")
    return r.stdout


def number(pattern, text):
    return float(re.search(pattern, text).group(1))


def start(kind, folder, *options):
    # as much redo for all; O_DIRECT is Evenkeel's default
    s = kind(folder=folder / kind.name, options=[*options, *log_and_disk(kind)])
    s.start()
    s.query("create database sbtest")
    return s


def endurance(args, folder):
    s = start(Server, folder, "--innodb-buffer-pool-size=2G", "--max-connections=2000")
    data = [f"--tables={args.tables}", f"--table-size={args.size}"]
    sysbench(s, "oltp_read_write", "prepare", "--threads=2", *data)
    seconds = args.minutes * 60
    cmd = ["sysbench", "oltp_read_write", f"--mysql-socket={s.socket}", "--mysql-user=root", "--mysql-db=sbtest", *data,
           f"--threads={args.threads}", f"--time={seconds}", "--report-interval=20", "--db-ps-mode=disable", "run"]
    run = subprocess.Popen(cmd, stdout=subprocess.PIPE, text=True)
    tps, rss, history = [], [], []
    for line in run.stdout:
        if m := re.search(r"\[ (\d+)s \].* tps: ([\d.]+).*err/s: ([\d.]+)", line):
            tps.append(float(m.group(2)))
            rss.append(rss_mb(s.process.pid))
            history.append(int(s.query("show global status like 'Innodb_history_list_length'")[0][1]))
            print(f"{m.group(1):>5} s  tps {tps[-1]:8.1f}  rss {rss[-1]:7.1f} MB  history {history[-1]}  err/s {m.group(3)}", flush=True)
    if run.wait():
        sys.exit("sysbench failed")
    third = max(1, len(tps) // 3)
    mean = lambda v: sum(v) / len(v)
    deadline = time.time() + 30
    while (left := int(s.query("show global status like 'Innodb_history_list_length'")[0][1])) > 0 and time.time() < deadline:
        time.sleep(0.5)
    print(f"tps first third {mean(tps[:third]):.0f}, last third {mean(tps[-third:]):.0f}, lowest {min(tps):.0f}; rss first third "
          f"{mean(rss[:third]):.0f} MB, last third {mean(rss[-third:]):.0f} MB; history at most {max(history)}, at rest {left}")
    s.stop()


def load(args, folder):
    took = {}
    for kind in kinds() if not args.no_mariadb else (Server,):
        s = start(kind, folder, "--innodb-buffer-pool-size=2G")
        began, cpu = time.time(), cpu_seconds(s.process.pid)
        sysbench(s, "oltp_read_write", "prepare", "--tables=1", f"--table-size={args.rows}")
        took[kind.name] = time.time() - began
        spent = cpu_seconds(s.process.pid) - cpu
        print(f"{kind.name:10} {args.rows} rows in {took[kind.name]:.1f} s ({args.rows / took[kind.name]:.0f} rows/s), server cpu {spent:.1f} s, "
              f"peak rss {rss_mb(s.process.pid, 'VmHWM'):.0f} MB with a pool of 2048 MB", flush=True)
        s.stop()
        shutil.rmtree(s.dir)
    for name in took.keys() - {"evenkeel"}:
        print(f"ratio {name} / evenkeel: {took[name] / took['evenkeel']:.2f}")


def disk_rates(folder):
    """16 KiB reads per second that the disk gives at 1 and 16 at a time, without the cache."""
    name = folder / "probe"
    subprocess.run(["dd", "if=/dev/zero", f"of={name}", "bs=1M", "count=1024", "oflag=direct"], check=True, capture_output=True)
    fd, rates = os.open(name, os.O_RDONLY | os.O_DIRECT), {}
    for at_once in (1, 16):
        end, counts = time.time() + 3, [0] * at_once

        def read(n):
            buffer = mmap.mmap(-1, 16384)
            while time.time() < end:
                os.preadv(fd, [buffer], random.randrange(65536) * 16384)
                counts[n] += 1
        threads = [threading.Thread(target=read, args=(n,)) for n in range(at_once)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        rates[at_once] = sum(counts) / 3
    os.close(fd)
    name.unlink()
    return rates


def disk(args, folder):
    """Every server in turn, a round of all workloads each; pages read and written per second beside what the disk gives."""
    rates = disk_rates(folder)
    print(f"the disk alone: {rates[1]:.0f} random reads of 16 KiB a second, {rates[16]:.0f} with sixteen at once", flush=True)
    data = [f"--tables={args.tables}", f"--table-size={args.size}", "--rand-type=uniform"]
    servers = [start(kind, folder, f"--innodb-buffer-pool-size={args.pool}", "--max-connections=2000") for kind in kinds()]
    for s in servers:
        sysbench(s, "oltp_read_write", "prepare", "--threads=2", *data)
    for script in ("oltp_point_select", "oltp_read_only", "oltp_read_write"):
        for threads in args.threads:
            qps = {s.name: [] for s in servers}
            for _ in range(args.rounds):
                for s in servers:
                    reads = lambda: int(s.query("show global status like 'Innodb_pages_read'")[0][1])  # noqa: E731
                    before = reads()
                    out = sysbench(s, script, "run", *data, f"--threads={threads}", f"--time={args.seconds}", "--db-ps-mode=disable")
                    qps[s.name].append(number(r"queries:.*[(]([0-9.]+)", out))
                    print(f"{script} {threads} threads {s.name}: {qps[s.name][-1]:.0f} qps, {(reads() - before) / args.seconds:.0f} pages read/s", flush=True)
            ours, *others = (sorted(qps[s.name])[args.rounds // 2] for s in servers)
            ratios = ", ".join(f"{ours / theirs:.2f} to {s.name}" for s, theirs in zip(servers[1:], others))
            print(f"{script} {threads} threads: ratio {ratios}", flush=True)
    for s in servers:
        s.stop()


def growth(args, folder):
    s = start(Server, folder, f"--innodb-buffer-pool-size={args.pool}")
    for db in ("small", "many", "wide"):
        s.query(f"create database {db}")
    cases = [("small", 1, args.base), ("many", 48, args.base), ("wide", 1, 48 * args.base), ("sbtest", 1, args.rows)]
    for db, tables, rows in cases:
        sysbench(s, "oltp_point_select", "prepare", f"--tables={tables}", f"--table-size={rows}", "--threads=2", db=db)
    found = {db: [] for db, _, _ in cases}
    for _ in range(args.rounds):
        for db, tables, rows in cases:
            before = cpu_seconds(s.process.pid)
            out = sysbench(s, "oltp_point_select", "run", f"--tables={tables}", f"--table-size={rows}", "--threads=4", "--time=6",
                           "--rand-type=uniform", "--db-ps-mode=disable", db=db)
            us = (cpu_seconds(s.process.pid) - before) * 1e6 / number(r"queries:\s+(\d+)", out)
            found[db].append(us)
            print(f"{tables} x {rows} rows: {us:.2f} us of CPU per point select, {number(r'queries:.*[(]([0-9.]+)', out):.0f} qps", flush=True)
    median = {db: sorted(v)[len(v) // 2] for db, v in found.items()}
    print(f"{args.rows} rows against {args.base}: {median['sbtest'] / median['small']:.2f} x; 48 tables of {args.base} against one: "
          f"{median['many'] / median['small']:.2f} x, against one table with as many rows: {median['many'] / median['wide']:.2f} x")
    print(f"rss {rss_mb(s.process.pid):.0f} MB, pool {args.pool}")
    s.stop()


def work(s, pool, threads):
    sysbench(s, "oltp_read_write", "run", "--tables=8", "--table-size=100000", f"--threads={threads}", "--time=20", "--db-ps-mode=auto")
    peak = rss_mb(s.process.pid, "VmHWM")
    print(f"oltp_read_write, prepared, {threads} threads: peak rss {peak:.1f} MB, limit {pool + 150 + threads / 16:.1f} MB", flush=True)


def memory(args, folder):
    pool = 128
    s = start(Server, folder, f"--innodb-buffer-pool-size={pool}M", "--max-connections=20000", "--max-prepared-stmt-count=1000000")
    sysbench(s, "oltp_read_only", "prepare", "--threads=2", "--tables=8", "--table-size=100000")
    sysbench(s, "oltp_read_only", "run", "--tables=8", "--table-size=100000", "--threads=8", "--time=10")
    print(f"pool full, 8 clients: rss {rss_mb(s.process.pid):.1f} MB = pool + {rss_mb(s.process.pid) - pool:.1f}")
    work(s, pool, 64)
    before = rss_mb(s.process.pid)
    idle = [s.connect(unix_socket=s.socket) for _ in range(args.connections)]
    for c in idle:
        c.cursor().execute("select c from sbtest.sbtest1 where id = 5")
    time.sleep(12)  # spare threads end after 10 s
    after = rss_mb(s.process.pid)
    print(f"{args.connections} more connections, idle after a statement: rss {after:.1f} MB, {(after - before) * 1024 / args.connections:.1f} KiB each")
    for c in idle:
        c.close()
    work(s, pool, args.connections)
    s.stop()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--dir", default="/var/tmp")
    sub = p.add_subparsers(required=True)
    e = sub.add_parser("endurance")
    e.add_argument("--minutes", type=int, default=10)
    e.add_argument("--threads", type=int, default=64)
    e.add_argument("--tables", type=int, default=8)
    e.add_argument("--size", type=int, default=100000)
    e.set_defaults(run=endurance)
    e = sub.add_parser("load")
    e.add_argument("--rows", type=int, default=10_000_000)
    e.add_argument("--no-mariadb", action="store_true")
    e.set_defaults(run=load)
    e = sub.add_parser("growth")
    e.add_argument("--rows", type=int, default=50_000_000)
    e.add_argument("--base", type=int, default=100_000)
    e.add_argument("--pool", default="14G")
    e.add_argument("--rounds", type=int, default=3)
    e.set_defaults(run=growth)
    e = sub.add_parser("disk")
    e.add_argument("--pool", default="256M")
    e.add_argument("--tables", type=int, default=4)
    e.add_argument("--size", type=int, default=1_000_000)
    e.add_argument("--seconds", type=int, default=8)
    e.add_argument("--rounds", type=int, default=2)
    e.add_argument("--threads", type=lambda t: [int(n) for n in t.split(",")], default=[8, 64, 1024])
    e.set_defaults(run=disk)
    e = sub.add_parser("memory")
    e.add_argument("--connections", type=int, default=1024)
    e.set_defaults(run=memory)
    args = p.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ek-figures.", dir=args.dir))
    folder.chmod(0o755)
    try:
        args.run(args, folder)
    finally:
        subprocess.run(["pkill", "-9", "-f", str(folder)], check=False)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
