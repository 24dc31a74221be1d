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
import pathlib
import re
import shlex
import subprocess
import sys

import callgrind

WORKLOADS = "point_select:disable,point_select:auto,read_only:auto,read_write:auto,insert:disable,update_index:disable,update_non_index:disable,delete:disable"


def inclusive(profile, function):
    """Instructions of a function and what it calls."""
    table = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", "--show-percs=no", str(profile)], capture_output=True, text=True, check=True).stdout
    found = re.findall(rf"^\s*([\d,]+)\s+\S*:{re.escape(function)}(?: \[.*)?$", table, re.M)
    if not found:
        sys.exit(f"{function} is not in {profile}")
    return max(int(n.replace(",", "")) for n in found)


def total(profile):
    """Instructions of all threads."""
    return int(re.search(r"^totals: (\d+)", pathlib.Path(profile).read_text(errors="replace"), re.M).group(1))


def serving(profile):
    """Instructions of what serves connections."""
    return inclusive(profile, "sched::pool::run")


def measure(binary, workloads, queries, read=total):
    """{workload: instructions a query} of one build, perhaps with options of the server."""
    out = {}
    binary, *options = shlex.split(binary)
    with callgrind.server(binary, read, options) as c:
        for name in workloads:
            (a, p), (b, q) = c.twice(name, queries)
            out[name] = (b - a) / (q - p)
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
    old, new = (measure(b, workloads, a.queries, serving if a.serving else total) for b in (a.old, a.new))
    for w in workloads:
        print(f"{w:28} {old[w]:9.0f} {new[w]:9.0f}  new/old {new[w] / old[w]:.3f}")


if __name__ == "__main__":
    main()
