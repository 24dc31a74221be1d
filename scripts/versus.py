#!/usr/bin/env python3
"""Run the same sysbench work against several MySQL-protocol servers in turn; print figures and ratios.

    scripts/versus.py evenkeel=/tmp/a.sock:1234 mariadb=/tmp/b.sock:5678 --workloads oltp_point_select --threads 1,8,64

A server is NAME=SOCKET:PID or NAME=HOST/PORT:PID. Within a round the servers take turns (A B, A B, ...), because a machine's speed
drifts: compare the ratio column and the server's CPU time per query, not absolute rates of different days.

Columns: qps and tps (median over rounds), p99 in ms (median), server CPU microseconds per query (user + system time of the server's
process, median), and the ratio of the first server's qps to this one's (per round, then the median).

The tables must exist (see --prepare). A workload that sysbench refuses or that reports errors ends the run, unless --keep-going;
servers named in --only-reads and --only-writes (null servers, which hold no data) take part in no other workloads.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys

READS = {"oltp_point_select", "oltp_read_only", "select_random_points", "select_random_ranges"}
TICK = os.sysconf("SC_CLK_TCK")


class Failed(Exception):
    """A sysbench run that did not end well."""


def cpu_seconds(pid):
    """User + system time of a process, its ended threads included."""
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def resident_mb(pid):
    with open(f"/proc/{pid}/status") as f:
        return int(re.search(r"VmRSS:\s+(\d+)", f.read()).group(1)) / 1024


def address(target):
    if "/" in target and not target.startswith("/"):
        host, port = target.split("/")
        return [f"--mysql-host={host}", f"--mysql-port={port}"]
    return [f"--mysql-socket={target}"]


def sysbench(target, workload, verb, args, threads, seconds, mode=None):
    cmd = ["sysbench", workload, *address(target), f"--mysql-user={args.user}", f"--mysql-db={args.db}", f"--tables={args.tables}",
           f"--table-size={args.size}", f"--threads={threads}", f"--time={seconds}", "--percentile=99",
           f"--db-ps-mode={mode or args.ps_mode}", *args.extra, verb]
    if args.password:
        cmd.insert(2, f"--mysql-password={args.password}")
    r = subprocess.run(cmd, capture_output=True, text=True)
    if r.returncode != 0 or "FATAL:" in r.stdout + r.stderr:
        raise Failed(f"{' '.join(cmd)}\n{r.stdout[-1500:]}\n{r.stderr[-1500:]}")
    return r.stdout


def prepare(target, args):
    """Fills the tables all oltp_* workloads share. The database must exist."""
    try:
        sysbench(target, "oltp_read_write", "cleanup", args, 1, 0)
    except Failed:
        pass
    sysbench(target, "oltp_read_write", "prepare", args, min(args.tables, 4), 0)


def measure(target, pid, workload, args, threads):
    mode = "disable" if target in args.text_only else None
    before = cpu_seconds(pid)
    out = sysbench(target, workload, "run", args, threads, args.seconds, mode)
    spent = cpu_seconds(pid) - before

    def number(pattern):
        m = re.search(pattern, out)
        if not m:
            raise Failed(f"sysbench's output has no '{pattern}':\n{out[-1500:]}")
        return float(m.group(1))

    queries = number(r"queries:\s+(\d+)")
    return {"qps": number(r"queries:\s+\d+\s+\(([\d.]+)"), "tps": number(r"transactions:\s+\d+\s+\(([\d.]+)"),
            "p99": number(r"99th percentile:\s+([\d.]+)"), "cpu_us": spent * 1e6 / max(queries, 1), "rss_mb": resident_mb(pid),
            "errors": number(r"ignored errors:\s+(\d+)"), "reconnects": number(r"reconnects:\s+(\d+)")}


def row(workload, threads, name, runs, first, first_runs):
    med = {k: statistics.median(r[k] for r in runs) for k in runs[0]}
    ratios = [a["qps"] / b["qps"] for a, b in zip(first_runs, runs) if b["qps"] > 0]
    ratio = statistics.median(ratios) if ratios else float("nan")
    print(f"{workload:22} threads={threads:<5} {name:10} qps={med['qps']:>10.0f} tps={med['tps']:>9.0f} p99_ms={med['p99']:>9.2f} "
          f"cpu_us_per_query={med['cpu_us']:>7.2f} rss_mb={med['rss_mb']:>6.0f} {first}/{name}={ratio:.2f}", flush=True)
    return {"workload": workload, "threads": threads, "server": name, "ratio": ratio, "rounds": runs, **med}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("servers", nargs="+", metavar="NAME=SOCKET:PID")
    p.add_argument("--workloads", default="oltp_point_select", help="comma-separated sysbench scripts")
    p.add_argument("--threads", default="1,8,64,1024")
    p.add_argument("--tables", type=int, default=8)
    p.add_argument("--size", type=int, default=100000, help="rows per table")
    p.add_argument("--seconds", type=int, default=8, help="per measurement")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--ps-mode", default="disable", choices=["disable", "auto"], help="disable: text protocol; auto: prepared statements")
    p.add_argument("--user", default="root")
    p.add_argument("--password", default="")
    p.add_argument("--db", default="sbtest")
    p.add_argument("--only-reads", default="", help="names of servers that are left out of workloads that write")
    p.add_argument("--only-writes", default="", help="names of servers that are left out of workloads that only read")
    p.add_argument("--prepare", action="store_true", help="create and fill the tables first")
    p.add_argument("--keep-going", action="store_true", help="report a failed workload and go on with the next")
    p.add_argument("--json", metavar="FILE", help="write all figures there, one JSON object per line")
    args, args.extra = p.parse_known_args()
    servers = []
    for s in args.servers:
        name, rest = s.split("=", 1)
        target, pid = rest.rsplit(":", 1)
        servers.append((name, target, int(pid)))
    only_reads, only_writes = ({n for n in names.split(",") if n} for names in (args.only_reads, args.only_writes))
    # a server without data knows no prepared statements either
    args.text_only = {t for n, t, _ in servers if n in only_reads | only_writes}
    if args.prepare:
        for name, target, _ in servers:
            if name not in only_reads | only_writes:
                prepare(target, args)
    results, failures = [], 0
    for workload in args.workloads.split(","):
        taking_part = [s for s in servers if s[0] not in (only_writes if workload in READS else only_reads)]
        for threads in map(int, args.threads.split(",")):
            runs = {name: [] for name, _, _ in taking_part}
            try:
                for _ in range(args.rounds):
                    for name, target, pid in taking_part:
                        runs[name].append(measure(target, pid, workload, args, threads))
            except (Failed, OSError) as e:
                failures += 1
                print(f"{workload:22} threads={threads:<5} FAILED\n{e}", flush=True)
                if not args.keep_going:
                    sys.exit(1)
                continue
            first = taking_part[0][0]
            for name, _, _ in taking_part:
                results.append(row(workload, threads, name, runs[name], first, runs[first]))
    if args.json:
        with open(args.json, "w") as f:
            f.writelines(json.dumps(r) + "\n" for r in results)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
