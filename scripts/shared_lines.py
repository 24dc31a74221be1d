#!/usr/bin/env python3
"""Which atomic read-modify-writes a statement makes, and where: scripts/shared_lines.py [BINARY] [--workloads point_select:auto,...] [--queries 1000] [--all]

A server that grows beyond a few processors stops at the cache lines that all sessions write. Every instruction that reads, changes and writes such a line in one
step (`lock ...`, and `xchg` with memory) is found in the machine code, and valgrind's callgrind says how often each ran for a query (the difference of n and 3 n
events, so that logins and the background do not count): no place is left out because somebody forgot to count it, and no build of its own is needed. What it does
not see: plain stores to lines that others read; whether the line was another processor's at that moment. So each place stands in scripts/shared_lines.txt with what
its line is: `own` (of the session, its thread, its connection, or a page that only it uses), or the name of what is shared. A place that is not there is named, and
the exit status is 1. Figures and what follows from them for 8 to 64 cores: docs/scaling.md. Needs valgrind, sysbench, objdump and addr2line (binutils).
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys

import callgrind

ROOT = callgrind.ROOT
WORKLOADS = "point_select:auto,point_select:disable,read_only:auto,update_index:auto,update_non_index:auto,insert:auto,delete:auto,read_write:auto"
LIST = ROOT / "scripts" / "shared_lines.txt"


def locked(binary):
    """Addresses of the binary's instructions that read, change and write memory in one step."""
    out = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "--section=.text", str(binary)], capture_output=True, text=True, check=True).stdout
    return {int(m[1], 16) for m in re.finditer(r"^\s*([0-9a-f]+):\s+(?:lock |xchg .*\()", out, re.M)}


def counts(dump, name):
    """{address: times executed} of the object whose file name ends so."""
    found, here, skip = collections.Counter(), False, False
    for line in dump.read_text(errors="replace").splitlines():
        if line.startswith("ob="):
            here = line.endswith(name)
        elif line.startswith("calls="):
            skip = True  # the next line is what the callee cost
        elif here and line.startswith("0x"):
            if not skip:
                address, *_, times = line.split()
                found[int(address, 16)] += int(times)
            skip = False
        elif line.startswith("0x"):
            skip = False
    return found


def measure(binary, workloads, queries):
    """{workload: {address: times a query}}"""
    out = {}
    with callgrind.server(binary, lambda dump: counts(dump, binary.name), valgrind_options="--dump-instr=yes --compress-strings=no --compress-pos=no") as c:
        for name in workloads:
            (a, p), (b, q) = c.twice(name, queries)
            out[name] = {at: (b[at] - a[at]) / (q - p) for at in b if b[at] > a[at]}
    return out


def places(binary, addresses):
    """{address: the innermost frames}, each `path:line function`; those of Rust's own library are left out where there are others."""
    addresses = sorted(addresses)
    out = subprocess.run(["addr2line", "-afiC", "-e", str(binary), *map(hex, addresses)], capture_output=True, text=True, check=True).stdout
    frames, library, at, lines = {}, {}, None, iter(out.splitlines())
    for line in lines:
        if re.fullmatch(r"0x[0-9a-f]+", line):
            at = int(line, 16)
            frames[at], library[at] = [], []
            continue
        where = re.sub(r" \(discriminator \d+\)", "", next(lines))
        where = re.sub(r"^.*?/(crates/|registry/src/[^/]*/)", lambda m: "crates/" if m[1] == "crates/" else "", where)
        # what is dropped says whose line it is
        of_library = ("/rustc/" in where or "/library/" in where) and "handle::Handle<" not in line
        (library if of_library else frames)[at].append(f"{where.rsplit('/', 1)[-1] if of_library else where} {line}")
    return {at: f or library[at] for at, f in frames.items()}


def known():
    """The list's lines: (pattern, what it is)."""
    out = []
    for line in LIST.read_text().splitlines() if LIST.exists() else []:
        if line.strip() and not line.startswith("#"):
            what, pattern = line.split(None, 1)
            out.append((re.compile(pattern), what))
    return out


def kind_of(stack, rules):
    """What the line of a place is; `None`: it is not in the list."""
    return next((what for pattern, what in rules if any(pattern.search(f) for f in stack)), None)


def count(binary, workloads, queries):
    """{workload: [(times a query, what its line is or None, the place's frames)]} of all places that run once in a hundred queries or more often; what
    is rarer is the background's, or chance."""
    sites, rules = locked(binary), known()
    found = measure(binary, workloads, queries)
    often = {w: {at: n for at, n in counts.items() if at in sites and n >= 0.01} for w, counts in found.items()}
    frames = places(binary, {at for c in often.values() for at in c})
    out = {}
    for workload, sums in often.items():
        stacks = {at: frames.get(at) or ["?"] for at in sums}
        out[workload] = sorted(((n, kind_of(stacks[at], rules), stacks[at]) for at, n in sums.items()), key=lambda p: -p[0])
    return out


def by_kind(found):
    """{what: times a query}"""
    sums = collections.Counter()
    for times, what, _ in found:
        sums[what or "?"] += times
    return sums


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("binary", nargs="?", default=str(ROOT / "target/release/evenkeel"))
    p.add_argument("--workloads", default=WORKLOADS)
    p.add_argument("--queries", type=int, default=1000)
    p.add_argument("--all", action="store_true", help="also places of lines that are a session's own")
    a = p.parse_args()
    unknown = set()
    for workload, found in count(pathlib.Path(a.binary).resolve(), a.workloads.split(","), a.queries).items():
        print(f"{workload}: " + ", ".join(f"{k} {v:.2f}" for k, v in sorted(by_kind(found).items())))
        for times, what, stack in found:
            if what is None:
                unknown.add(stack[0])
            if a.all or what != "own":
                print(f"  {times:7.2f}  {what or '?':12} {' <- '.join(stack[:4])[:200]}")
    if unknown:
        sys.exit(f"{len(unknown)} places are not in {LIST.name}")


if __name__ == "__main__":
    main()
