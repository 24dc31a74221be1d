#!/usr/bin/env python3
"""The experiment of the article about spinning under a CPU quota, beside MariaDB (and MySQL, if EVENKEEL_MYSQL names one): oltp_update_index, 10 tables, 64 threads, text protocol, data in
memory (/dev/shm), each server in a control group of its own (cgroup v1, controller cpu), the client outside.

    scripts/venv.sh && .venv/bin/python scripts/quota.py [--quota 0,100,50] [--seconds 15] [--rounds 2] [--perf]
    .venv/bin/python scripts/quota.py --change        the quota changes while the clients run

`--quota` in percent of one CPU, 0 = none. Needs root. Prints per server and quota: transactions per second and per CPU-second, p99, how often
the kernel stopped the group, and with --perf the share of the server's CPU that is spent in PAUSE.
"""
import argparse
import bisect
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "scripts"))
from figures import cpu_seconds, number, sysbench  # noqa: E402
from lib.servers import Server, kinds, log_and_disk  # noqa: E402

CGROUP = pathlib.Path("/sys/fs/cgroup/cpu")
DATA = ["--tables=10", "--table-size=100000"]


class Group:
    """A control group with a CPU quota."""

    def __init__(self, name, pid):
        self.dir = CGROUP / f"evenkeel-{name}-{os.getpid()}"
        self.dir.mkdir()
        (self.dir / "cpu.cfs_period_us").write_text("100000")
        (self.dir / "cgroup.procs").write_text(str(pid))

    def limit(self, percent):
        (self.dir / "cpu.cfs_quota_us").write_text(str(percent * 1000 if percent else -1))

    def throttled(self):
        return int(re.search(r"nr_throttled (\d+)", (self.dir / "cpu.stat").read_text()).group(1))

    def remove(self):
        for _ in range(50):
            try:
                return self.dir.rmdir()
            except OSError:
                time.sleep(0.1)


def pause_addresses(binary):
    """File offsets just behind each PAUSE of a binary's text, where a sample of it lands."""
    found, text = [], subprocess.run(["objdump", "-d", "--no-show-raw-insn", binary], capture_output=True, text=True).stdout
    last = False
    for line in text.splitlines():
        m = re.match(r"\s*([0-9a-f]+):\s+(\S+)", line)
        if not m:
            continue
        if last:
            found.append(int(m.group(1), 16))
        last = m.group(2) == "pause"
    return found


def pause_share(pid, binary, seconds, addresses):
    """Share of the process's samples that are in PAUSE (an address at one or just behind it)."""
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["perf", "record", "-q", "-F", "997", "-e", "cpu-clock", "-p", str(pid), "-o", out.name, "--", "sleep", str(seconds)],
                       capture_output=True)
        lines = subprocess.run(["perf", "script", "-i", out.name, "-F", "ip,sym"], capture_output=True, text=True).stdout.splitlines()
    base = 0
    for line in open(f"/proc/{pid}/maps"):
        if os.path.realpath(binary) == line.split()[-1]:
            start, _, offset = line.split()[0].split("-")[0], None, line.split()[2]
            base = int(start, 16) - int(offset, 16)
            break
    spinning = 0
    for line in lines:
        ip = int(line.split()[0], 16) - base
        at = bisect.bisect_left(addresses, ip)
        if any(0 <= a - ip <= 2 for a in addresses[max(0, at - 1):at + 1]):
            spinning += 1
    return spinning / max(1, len(lines)), len(lines)


def measure(server, group, percent, args, addresses):
    group.limit(percent)
    time.sleep(2.5)
    before, cpu, began = group.throttled(), cpu_seconds(server.process.pid), time.time()
    share = [None]
    if args.perf:
        thread = threading.Thread(target=lambda: share.__setitem__(0, pause_share(server.process.pid, server.command()[0], args.seconds - 4, addresses)))
        thread.start()
    out = sysbench(server, "oltp_update_index", "run", *DATA, "--threads=64", f"--time={args.seconds}", "--percentile=99", "--db-ps-mode=disable")
    spent, wall = cpu_seconds(server.process.pid) - cpu, time.time() - began
    throttled = group.throttled() - before
    if args.perf:
        thread.join()
    transactions = number(r"transactions:\s+(\d+)", out)
    return {"tps": transactions / args.seconds, "per_cpu": transactions / spent, "cpu": spent / wall, "p99": number(r"99th percentile:\s+([0-9.]+)", out),
            "throttled": throttled, "pause": share[0]}


def table(servers, groups, args):
    addresses = {s.name: pause_addresses(s.command()[0]) if args.perf else [] for s in servers}
    found = {}
    for percent in args.quota:
        for _ in range(args.rounds):
            for s in servers:
                r = measure(s, groups[s.name], percent, args, addresses[s.name])
                found.setdefault((percent, s.name), []).append(r)
                pause = f", PAUSE {100 * r['pause'][0]:.2f} % of {r['pause'][1]} samples" if r["pause"] else ""
                print(f"quota {percent or 'none'}: {s.name}: {r['tps']:.0f} tps, {r['per_cpu']:.0f} per CPU-second ({r['cpu']:.2f} CPUs), "
                      f"p99 {r['p99']:.1f} ms, throttled {r['throttled']} times{pause}", flush=True)
    middle = lambda percent, name, key: sorted(r[key] for r in found[(percent, name)])[args.rounds // 2]  # noqa: E731
    print("\n| quota | server | tps | transactions per CPU-second | p99 ms | times throttled |\n|---|---|---|---|---|---|")
    for percent in args.quota:
        for s in servers:
            row = [f"{middle(percent, s.name, k):.{d}f}" for k, d in (("tps", 0), ("per_cpu", 0), ("p99", 1), ("throttled", 0))]
            print(f"| {f'{percent} %' if percent else 'none'} | {s.name} | {' | '.join(row)} |")


def change(server, group, args):
    """200 %, 50 %, 100 %, none: what the server says its effective CPUs are, and the longest second without an answer."""
    run = subprocess.Popen(["sysbench", "oltp_update_index", f"--mysql-socket={server.socket}", "--mysql-user=root", "--mysql-db=sbtest", *DATA,
                            "--threads=64", "--time=22", "--report-interval=1", "--percentile=100", "--db-ps-mode=disable", "run"],
                           stdout=subprocess.PIPE, text=True)
    lines = []
    reader = threading.Thread(target=lambda: lines.extend(run.stdout))
    reader.start()
    seen = lambda: int(server.query("show global status like 'Effective_cpus_milli'")[0][1])  # noqa: E731
    time.sleep(2)
    for percent in (100, 50, 150, 0):
        group.limit(percent)
        began, expected = time.time(), min(percent * 10 if percent else 10**9, os.cpu_count() * 1000)
        while seen() != expected and time.time() - began < 10:
            time.sleep(0.05)
        print(f"quota {percent or 'none'}: effective CPUs {seen()} thousandths after {time.time() - began:.2f} s", flush=True)
        time.sleep(max(0, began + 5 - time.time()))
    run.wait()
    reader.join()
    for line in lines:
        if m := re.search(r"\[ (\d+)s \].* tps: ([\d.]+).*100%\): ([\d.]+).*err/s: ([\d.]+)", line):
            print(f"{m.group(1):>3} s: {float(m.group(2)):8.0f} tps, slowest {m.group(3)} ms, errors {m.group(4)}")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--quota", type=lambda s: [int(x) for x in s.split(",")], default=[0, 100, 50])
    p.add_argument("--seconds", type=int, default=15)
    p.add_argument("--rounds", type=int, default=2)
    p.add_argument("--perf", action="store_true")
    p.add_argument("--change", action="store_true")
    p.add_argument("--only", choices=("evenkeel", "mariadb", "mysql"))
    args = p.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ek-quota-", dir="/dev/shm"))
    os.chmod(folder, 0o755)
    wanted = [k for k in kinds() if args.only in (None, k.name) and (k is Server or not args.change)]
    servers, groups = [], {}
    try:
        for kind in wanted:
            s = kind(folder=folder / kind.name, options=["--innodb-buffer-pool-size=1G", "--max-connections=2000", *log_and_disk(kind, direct=False)])
            servers.append(s.start())
            groups[s.name] = Group(s.name, s.process.pid)
            s.query("create database sbtest")
            sysbench(s, "oltp_update_index", "prepare", "--threads=2", *DATA)
        if args.change:
            change(servers[0], groups[servers[0].name], args)
        else:
            table(servers, groups, args)
    finally:
        for s in servers:
            groups[s.name].limit(0)
            s.stop()
            groups[s.name].remove()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
