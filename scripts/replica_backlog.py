#!/usr/bin/env python3
"""How fast a backlog is applied: scripts/replica_backlog.py [BINARY] [--transactions 50000] [--workers 0,1,2,4] [--clients 64] [--mysql]

A source makes transactions of sysbench's oltp_write_only with 64 clients while its replica is stopped; the rate at which it did is the measure. The replica has
received all of it before its applier starts. Each number of workers begins with the same data directory. Told per number: transactions a second, their part of the
source's rate, processor time of the replica per transaction. `--mysql`: MySQL 9.7 follows the same source with as many workers. `--perf FILE`: a profile of the
first. Goal of the work on replication: 0.8 of the source's rate, alone on the machine. Figures: docs/performance.md.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from lib.cpu import cpu_seconds  # noqa: E402

COMMON = ["--log-bin=bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--sync-binlog=1", "--innodb-flush-log-at-trx-commit=1",
          "--innodb-buffer-pool-size=1G", "--innodb-redo-log-capacity=1G"]


def sysbench(server, verb, args, *more):
    line = ["sysbench", "oltp_write_only", f"--mysql-socket={server.socket}", "--mysql-user=root", f"--tables={args.tables}", f"--table-size={args.size}",
            "--mysql-ignore-errors=1213,1020,1205", *more, verb]
    r = subprocess.run(line, capture_output=True, text=True)
    if r.returncode != 0:
        raise SystemExit(f"{' '.join(line)}\n{r.stdout[-1500:]}\n{r.stderr[-1500:]}")


def follow(replica, source, user):
    replica.query(f"CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT={source.port}, SOURCE_USER='{user}', SOURCE_PASSWORD='r', "
                  "SOURCE_AUTO_POSITION=1, GET_SOURCE_PUBLIC_KEY=1, SOURCE_CONNECT_RETRY=1")


def wait_for(server, gtids, what="@@GLOBAL.gtid_executed"):
    while server.query(f"SELECT GTID_SUBSET('{gtids}', {what})") != ((1,),):
        time.sleep(0.05)


def received(server, gtids):
    table = "(SELECT RECEIVED_TRANSACTION_SET FROM performance_schema.replication_connection_status)"
    wait_for(server, gtids, table)


def measure(replica, begin, end, args, perf=None):
    """Applies what is in the relay log: seconds and processor seconds."""
    replica.query("START REPLICA IO_THREAD")
    received(replica, end)
    assert replica.query(f"SELECT GTID_SUBSET('{end}', @@GLOBAL.gtid_executed)") == ((0,),) and begin
    pid = replica.process.pid
    profile = perf and subprocess.Popen(["perf", "record", "-g", "-F", "499", "-p", str(pid), "-o", perf], stderr=subprocess.DEVNULL)
    began, used = time.monotonic(), cpu_seconds(pid)
    replica.query("START REPLICA SQL_THREAD")
    wait_for(replica, end)
    took, used = time.monotonic() - began, cpu_seconds(pid) - used
    if profile:
        profile.send_signal(2)
        profile.wait()
    return took, used


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    a.add_argument("binary", nargs="?")
    a.add_argument("--transactions", type=int, default=50_000)
    a.add_argument("--workers", default="0,1,2,4")
    a.add_argument("--clients", type=int, default=64)
    a.add_argument("--tables", type=int, default=4)
    a.add_argument("--size", type=int, default=50_000)
    a.add_argument("--mysql", action="store_true")
    a.add_argument("--perf")
    args = a.parse_args()
    if args.binary:
        os.environ["EVENKEEL"] = args.binary
    from lib.servers import MySQL, Server
    source, kind = Server(options=[*COMMON, "--server-id=1", "--max-connections=500"]), MySQL if args.mysql else Server
    replica = kind(options=[*COMMON, "--server-id=2", "--skip-replica-start=ON"])
    kept = pathlib.Path(f"{replica.dir}/kept")
    try:
        source.start()
        for sql in ("CREATE USER repl@'%' IDENTIFIED BY 'r'", "GRANT REPLICATION SLAVE ON *.* TO repl@'%'", "CREATE DATABASE sbtest"):
            source.query(sql)
        sysbench(source, "prepare", args)
        begin = source.query("SELECT @@GLOBAL.gtid_executed")[0][0]
        replica.start()
        follow(replica, source, "repl")
        replica.query("START REPLICA")
        wait_for(replica, begin)
        replica.query("STOP REPLICA")
        replica.stop()
        shutil.copytree(f"{replica.dir}/data", kept)
        began, used = time.monotonic(), cpu_seconds(source.process.pid)
        sysbench(source, "run", args, f"--threads={args.clients}", f"--events={args.transactions}", "--time=0")
        took, used = time.monotonic() - began, cpu_seconds(source.process.pid) - used
        end = source.query("SELECT @@GLOBAL.gtid_executed")[0][0]
        rate = args.transactions / took
        print(f"source, {args.clients} clients: {rate:8.0f} a second, {used / args.transactions * 1e6:6.0f} us of processor each", flush=True)
        for n in map(int, args.workers.split(",")):
            shutil.rmtree(f"{replica.dir}/data")
            shutil.copytree(kept, f"{replica.dir}/data")
            replica.options = [o for o in replica.options if "workers" not in o] + [f"--replica-parallel-workers={n}"]
            replica.start()
            took, used = measure(replica, begin, end, args, args.perf)
            args.perf = None
            now = args.transactions / took
            equal = all(source.query(f"CHECKSUM TABLE sbtest.sbtest{i + 1}") == replica.query(f"CHECKSUM TABLE sbtest.sbtest{i + 1}") for i in range(args.tables))
            print(f"{replica.name}, {n} workers: {now:8.0f} a second, {now / rate:5.2f} of the source's, {used / args.transactions * 1e6:6.0f} us of processor each"
                  f"{'' if equal else ' TABLES DIFFER'}", flush=True)
            replica.stop()
    finally:
        for s in (source, replica):
            s.remove()


if __name__ == "__main__":
    main()
