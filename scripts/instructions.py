#!/usr/bin/env python3
"""How many instructions a query costs the server, in two builds: scripts/instructions.py OLD NEW [--queries 2000] [--workloads point_select:disable,...]

Options of the server may follow a build's path in the same argument, to compare them instead of two builds:
scripts/instructions.py "BINARY --performance-schema=OFF" BINARY. With --serving only what serves connections is counted
(`sched::pool::run` and what it calls): without background threads, whose share grows with the time that a run takes,
two runs of one build differ by some ten instructions. Another thread's part of a write is not in it.

Machines that others share make CPU times drift by tens of per cent; the instructions that valgrind's callgrind counts do not drift (two runs of one
build: within 3 % for reads, 10 % for single writes, whose log is flushed by the clock). One client of sysbench, one table of 5,000 rows. Counted are all
threads, twice, for n and 3 n events; the difference by the difference of the queries is what a query costs, without login and what runs anyway.
What this does not show: caches, waiting, system calls; `rep movs` counts an instruction per byte. Needs valgrind and sysbench. Figures: docs/performance.md.
"""
import argparse
import glob
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
WORKLOADS = "point_select:disable,point_select:auto,read_only:auto,read_write:auto,insert:disable,update_index:disable,update_non_index:disable,delete:disable"


def sysbench(server, workload, *options):
    line = ["sysbench", f"oltp_{workload}", f"--mysql-socket={server.socket}", "--mysql-user=root", "--tables=1", "--table-size=5000", "--rand-seed=7", *options]
    return subprocess.run(line, capture_output=True, text=True, check=True).stdout


def inclusive(profile, function):
    """Instructions of a function and what it calls."""
    table = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", "--show-percs=no", str(profile)], capture_output=True, text=True, check=True).stdout
    found = re.findall(rf"^\s*([\d,]+)\s+\S*:{re.escape(function)}(?: \[.*)?$", table, re.M)
    if not found:
        sys.exit(f"{function} is not in {profile}")
    return max(int(n.replace(",", "")) for n in found)


def counted(server, folder, run, serving=False):
    """(instructions, queries) of what `run` does; `serving`: only what serves connections."""
    pid = str(server.process.pid)

    def control(*options):
        subprocess.run(["callgrind_control", *options, pid], capture_output=True, check=True)

    control("-i", "on")
    control("-z")
    queries = int(re.search(r"total:\s+(\d+)", run()).group(1))
    control("-d")
    control("-i", "off")
    newest = max(glob.glob(f"{folder}/out*"), key=os.path.getmtime)
    if serving:
        return inclusive(newest, "sched::pool::run"), queries
    return int(re.search(r"^totals: (\d+)", pathlib.Path(newest).read_text(errors="replace"), re.M).group(1)), queries


def measure(binary, workloads, queries, serving=False):
    """{workload: instructions a query} of one build, perhaps with options of the server."""
    from lib import servers

    out = {}
    binary, *options = shlex.split(binary)
    with tempfile.TemporaryDirectory(prefix="ek-instructions-") as folder:
        wrapper = pathlib.Path(folder, "evenkeel")
        wrapper.write_text(f"#!/bin/sh\nexec valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file={folder}/out {pathlib.Path(binary).resolve()} \"$@\" 2>{folder}/log\n")
        wrapper.chmod(0o755)
        os.environ["EVENKEEL"] = str(wrapper)
        server = servers.Server(options=["--innodb-buffer-pool-size=64M", *options]).start()
        try:
            server.query("CREATE DATABASE sbtest")
            sysbench(server, "read_write", "prepare")
            # the background's look at statistics of the filled table is no query's cost
            time.sleep(15)
            for name in workloads:
                workload, mode = name.split(":")
                n = max(20, queries // {"read_only": 16, "read_write": 20}.get(workload, 1))

                def run(events, workload=workload, mode=mode):
                    return sysbench(server, workload, "--threads=1", "--time=0", f"--events={events}", f"--db-ps-mode={mode}", "run")

                run(20)
                (a, p), (b, q) = (counted(server, folder, lambda k=k: run(k), serving) for k in (n, 3 * n))
                out[name] = (b - a) / (q - p)
            server.stop()
        finally:
            server.remove()
    return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("old")
    p.add_argument("new")
    p.add_argument("--queries", type=int, default=2000)
    p.add_argument("--workloads", default=WORKLOADS)
    p.add_argument("--serving", action="store_true", help="without what other threads do")
    a = p.parse_args()
    workloads = a.workloads.split(",")
    old, new = (measure(b, workloads, a.queries, a.serving) for b in (a.old, a.new))
    for w in workloads:
        print(f"{w:28} {old[w]:9.0f} {new[w]:9.0f}  new/old {new[w] / old[w]:.3f}")


if __name__ == "__main__":
    main()
