#!/usr/bin/env python3
"""How many cache lines a query finds cold when many sessions take turns.

scripts/cold_lines.py "BINARY --performance-schema=OFF" BINARY [--threads 64] [--top 15]

Callgrind simulates a first-level cache of 128 KB, which holds what sessions share and, with 64 of them, nothing of a
session until its next turn: a miss is a line of the session's own (or of its connection, its events, ...). Behind it
512 KB stand for what the kernel leaves of a core's second level. What is prefetched counts as missed: valgrind knows no
hints. Counted is only what `wire::command::Commands::one` does, so no background thread is in it; n and 3 n events, the
difference by the difference of queries. Columns: misses of data, of data behind, of instructions (32 KB), instructions;
both servers, then by function what the second has beyond the first. Needs valgrind and sysbench. Figures:
docs/instruments.md.
"""
import argparse
import collections
import re
import shlex

import callgrind

CACHES = "--D1=131072,8,64 --I1=32768,8,64 --LL=524288,8,64"
OPTIONS = f"--toggle-collect=wire::command::Commands::one --cache-sim=yes {CACHES}"


def by_function(profile):
    """{function: Counter of callgrind's events}, its own."""
    names, out, events, function, calls = {}, collections.defaultdict(collections.Counter), [], None, False
    for line in open(profile, errors="replace"):
        if line.startswith("events:"):
            events = line.split()[1:]
        elif found := re.match(r"(c?)fn=\((\d+)\)(?: (.*))?", line):
            called, number, name = found.groups()
            if name:
                names[number] = name
            function = function if called else number
        elif line.startswith("calls="):
            calls = True
        elif line[0] in "0123456789+-*" and function:
            if not calls:
                out[function].update(dict(zip(events, map(int, line.split()[1:]))))
            calls = False
    return {names.get(n, n): c for n, c in out.items()}


def measure(binary, threads):
    """{function: Counter of events a query} of one server."""
    binary, *options = shlex.split(binary)
    with callgrind.server(binary, by_function, options, OPTIONS) as c:
        def run(workload, mode, events):
            options = [f"--threads={threads}", "--time=0", f"--events={events}", f"--db-ps-mode={mode}"]
            out = c.sysbench(workload, *options, "run")
            return int(re.search(r"total:\s+(\d+)", out)[1])
        c.run = run
        n = threads * 100
        c.run("point_select", "disable", 2 * n)
        (a, p), (b, q) = (c.counted("point_select", "disable", k * n) for k in (1, 3))
    return {f: {e: (b[f][e] - a.get(f, {}).get(e, 0)) / (q - p) for e in b[f]} for f in b}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("old")
    p.add_argument("new")
    p.add_argument("--threads", type=int, default=64)
    p.add_argument("--top", type=int, default=15)
    a = p.parse_args()
    old, new = measure(a.old, a.threads), measure(a.new, a.threads)
    wanted = (("D1mr", "D1mw"), ("DLmr", "DLmw"), ("I1mr",), ("Ir",))

    def columns(of):
        return [sum(of.get(e, 0) for e in events) for events in wanted]

    print("    data   behind     code    instr")
    rows = {f: [x - y for x, y in zip(columns(new.get(f, {})), columns(old.get(f, {})))] for f in set(old) | set(new)}
    for name, all_of in (("all, first server", old), ("all, second server", new)):
        sums = [sum(column) for column in zip(*map(columns, all_of.values()))]
        print("".join(f"{n:9.1f}" for n in sums), "", name)
    for f in sorted(rows, key=lambda f: -abs(rows[f][0]))[:a.top]:
        print("".join(f"{n:9.1f}" for n in rows[f]), "", f)


if __name__ == "__main__":
    main()
