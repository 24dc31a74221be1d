#!/usr/bin/env python3
"""Measurements of the scheduler and the commit path, each one subcommand, peers in the same run. Run with the tests' Python:

    .venv/bin/python scripts/scheduler.py kernel-mutex [--threads 1,2,4,...]   point selects on 48 tables, as in the article about kernel_mutex
    .venv/bin/python scripts/scheduler.py crowd [--connections 4096,10000]     many connections, all of them working: fairness, memory
    .venv/bin/python scripts/scheduler.py hot-row [--threads 1,8,64,256]       clients that update one row
    .venv/bin/python scripts/scheduler.py slow-sync [--delay-ms 5]             a device that takes 5 ms for a sync (a preloaded library delays it)

EVENKEEL_MYSQL names the folder of a real MySQL (scripts/mysql-peer.sh), FLOOR a null server (called as `$FLOOR threads SOCKET`) that takes part in
reads, MYSQL55 a script that starts a MySQL 5.5 (`$MYSQL55 start DIR PORT`, prints socket and pid). Servers live in a new folder under --dir.
"""
import argparse
import os
import pathlib
import select
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "scripts"))
from figures import cpu_seconds, number, rss_mb, sysbench  # noqa: E402
from lib.servers import Server, free_port, kinds, log_and_disk  # noqa: E402


class Foreign:
    """A server that somebody else's command starts: a socket and a process."""

    def __init__(self, name, folder):
        self.name, self.dir = name, folder / name
        self.dir.mkdir()
        os.chmod(self.dir, 0o755)

    def floor(self):
        self.socket = str(self.dir / "run.sock")
        self.process = subprocess.Popen([os.environ["FLOOR"], "threads", self.socket], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not os.path.exists(self.socket):
            time.sleep(0.05)
        return self

    def mysql55(self):
        out = subprocess.run([os.environ["MYSQL55"], "start", str(self.dir), str(free_port())], check=True, capture_output=True, text=True).stdout.split()
        self.socket, pid = out[-2], int(out[-1])
        self.process = type("Process", (), {"pid": pid})()
        subprocess.run(["mariadb", "--no-defaults", "-uroot", "-S", self.socket, "-e", "create database sbtest"], check=True)
        return self

    def stop(self):
        os.kill(self.process.pid, 15)


def peers(folder, options=(), foreign=True, wanted=None, env=None):
    started = []
    for kind in wanted or kinds():
        extra = [f"--max-connections={20000 if kind is Server else 11000}", *log_and_disk(kind)]
        s = kind(folder=folder / kind.name, options=["--innodb-buffer-pool-size=2G", *options, *extra])
        if env:
            os.environ.update(env)
        s.start()
        for k in env or {}:
            del os.environ[k]
        s.query("create database sbtest")
        started.append(s)
    if foreign and os.environ.get("MYSQL55"):
        started.append(Foreign("mysql55", folder).mysql55())
    if foreign and os.environ.get("FLOOR"):
        started.append(Foreign("floor", folder).floor())
    return started


def run(server, script, threads, seconds, *data):
    cpu = cpu_seconds(server.process.pid)
    out = sysbench(server, script, "run", *data, f"--threads={threads}", f"--time={seconds}", "--percentile=99", "--db-ps-mode=disable")
    queries = number(r"queries:\s+(\d+)", out)
    return {"qps": number(r"queries:.*[(]([0-9.]+)", out), "p99": number(r"99th percentile:\s+([0-9.]+)", out),
            "max": number(r"max:\s+([0-9.]+)", out), "cpu_us": (cpu_seconds(server.process.pid) - cpu) * 1e6 / max(1, queries)}


def kernel_mutex(args, folder):
    servers = peers(folder)
    data = ["--tables=48", f"--table-size={args.size}"]
    for s in servers:
        if s.name != "floor":
            sysbench(s, "oltp_point_select", "prepare", "--threads=2", *data)
            run(s, "oltp_point_select", 8, 5, *data)
    print("| threads | " + " | ".join(f"{s.name} qps (CPU us per query, p99 ms)" for s in servers) + " |\n|---|" + "---|" * len(servers), flush=True)
    peak = {}
    for threads in args.threads:
        found = {s.name: [] for s in servers}
        for _ in range(args.rounds):
            for s in servers:
                found[s.name].append(run(s, "oltp_point_select", threads, args.seconds, *data))
        cells = []
        for s in servers:
            r = sorted(found[s.name], key=lambda r: r["qps"])[args.rounds // 2]
            peak.setdefault(s.name, []).append((threads, r))
            cells.append(f"{r['qps']:.0f} ({r['cpu_us']:.1f}, {r['p99']:.1f})")
        print(f"| {threads} | {' | '.join(cells)} |", flush=True)
    for name, rows in peak.items():
        best, last = max(r["qps"] for _, r in rows), rows[-1]
        print(f"{name}: at {last[0]} threads {last[1]['qps'] / best:.2f} of its best")
    for s in servers:
        s.stop()


class Client:
    """One connection that asks again as soon as it is answered. Classic protocol, no password, answers of fixed shape."""

    def __init__(self, path, tables, size, n):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(path)
        self.answers, self.first, self.longest, self.asked = 0, None, 0.0, 0.0
        packet = self.read()
        if packet[0] != 10:
            raise RuntimeError(packet)
        caps = 0x00000200 | 0x00008000 | 0x00080000 | 0x00000001 | 0x00000008
        user = struct.pack("<IIB23x", caps, 1 << 24, 45) + b"root\0\0sbtest\0mysql_native_password\0"
        self.sock.sendall(struct.pack("<I", len(user) | 1 << 24) + user)
        while (packet := self.read())[0] != 0:
            if packet[0] == 255:
                raise RuntimeError(packet)
            self.sock.sendall(b"\0\0\0" + bytes([self.sequence + 1]))
        sql = b"\x03SELECT c FROM sbtest%d WHERE id=%d" % (n % tables + 1, n * 7919 % size + 1)
        self.query = struct.pack("<I", len(sql)) + sql
        self.sock.setblocking(False)
        self.buffer = b""

    def read(self):
        head = self.exact(4)
        self.sequence = head[3]
        return self.exact(int.from_bytes(head[:3], "little"))

    def exact(self, n):
        out = b""
        while len(out) < n:
            part = self.sock.recv(n - len(out))
            if not part:
                raise RuntimeError("connection closed")
            out += part
        return out

    def ask(self, now):
        self.asked = now
        self.sock.send(self.query)

    def ready(self, now):
        """Something has come; True when the answer is whole (two EOF packets, the last one at the end)."""
        self.buffer += self.sock.recv(65536)
        if len(self.buffer) > 9 and self.buffer[-9:-6] == b"\x05\0\0" and self.buffer[-5] == 0xFE:
            self.buffer = b""
            self.answers += 1
            self.longest = max(self.longest, now - self.asked)
            return True
        return False


def crowd(args, folder):
    servers = peers(folder, foreign=False)
    for s in servers:
        sysbench(s, "oltp_point_select", "prepare", "--threads=2", "--tables=48", f"--table-size={args.size}")
    for n in args.connections:
        for s in servers:
            before = rss_mb(s.process.pid)
            clients = [Client(s.socket, 48, args.size, i) for i in range(n)]
            time.sleep(12)
            idle = (rss_mb(s.process.pid) - before) * 1024 / n
            poll, by_fd = select.epoll(), {c.sock.fileno(): c for c in clients}
            for fd in by_fd:
                poll.register(fd, select.EPOLLIN)
            cpu, now = cpu_seconds(s.process.pid), time.monotonic()
            end = now + args.seconds
            for c in clients:
                c.ask(now)
            while now < end:
                for fd, _ in poll.poll(1):
                    now = time.monotonic()
                    if by_fd[fd].ready(now):
                        by_fd[fd].ask(now)
                now = time.monotonic()
            counts = sorted(c.answers for c in clients)
            total = sum(counts)
            cpu = (cpu_seconds(s.process.pid) - cpu) * 1e6 / total
            print(f"{s.name} {n} connections: {idle:.1f} KiB resident each while idle; {total / args.seconds:.0f} qps, {cpu:.1f} us of CPU per query; "
                  f"answers per connection {counts[0]} to {counts[-1]}, mean {total / n:.1f}, slowest {counts[0] * n / total:.2f} of it; "
                  f"longest wait {max(c.longest for c in clients):.2f} s", flush=True)
            for c in clients:
                c.sock.close()
            time.sleep(3)
    for s in servers:
        s.stop()


def hot_row(args, folder):
    servers = peers(folder, foreign=False)
    for s in servers:
        sysbench(s, "oltp_update_non_index", "prepare", "--tables=1", "--table-size=1")
    first = {}
    for threads in args.threads:
        for s in servers:
            deadlocks = lambda: int(dict(s.query("show global status")).get("Innodb_deadlocks", -1))  # noqa: E731,B023
            before = deadlocks()
            r = run(s, "oltp_update_non_index", threads, args.seconds, "--tables=1", "--table-size=1")
            first.setdefault(s.name, r["qps"])
            print(f"{s.name} {threads} clients on one row: {r['qps']:.0f} updates/s = {r['qps'] / first[s.name]:.2f} of one client's, p99 {r['p99']:.1f} ms, "
                  f"{r['cpu_us']:.1f} us of CPU each, deadlocks {deadlocks() - before}", flush=True)
    for s in servers:
        s.stop()


SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
#include <time.h>
static void rest(void) { long us = atol(getenv("SYNC_DELAY_US")); struct timespec t = {us / 1000000, us % 1000000 * 1000}; nanosleep(&t, 0); }
int fsync(int fd) { static int (*next)(int); if (!next) next = dlsym(RTLD_NEXT, "fsync"); rest(); return next(fd); }
int fdatasync(int fd) { static int (*next)(int); if (!next) next = dlsym(RTLD_NEXT, "fdatasync"); rest(); return next(fd); }
"""


def slow_sync(args, folder):
    (folder / "shim.c").write_text(SHIM)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "shim.so", folder / "shim.c", "-ldl"], check=True)
    env = {"LD_PRELOAD": str(folder / "shim.so"), "SYNC_DELAY_US": str(args.delay_ms * 1000)}
    servers = peers(folder, foreign=False, env=env)
    for s in servers:
        sysbench(s, "oltp_update_non_index", "prepare", "--tables=4", "--table-size=10000")
    for threads in args.threads:
        for s in servers:
            # MariaDB 10.11 counts no syncs of its log
            syncs = lambda: int((s.query("show global status like 'Innodb_os_log_fsyncs'") or [(0, 0)])[0][1])  # noqa: E731,B023
            before = syncs()
            r = run(s, "oltp_update_non_index", threads, args.seconds, "--tables=4", "--table-size=10000")
            flushes = (syncs() - before) / args.seconds
            most = (s.query("show global status like 'Innodb_log_most_syncs_waited'") or [(0, "?")])[0][1]
            print(f"{s.name} {threads} clients, {args.delay_ms} ms per sync: {r['qps']:.0f} commits/s, {flushes:.0f} syncs of the log/s, p99 {r['p99']:.1f} ms, "
                  f"longest {r['max']:.1f} ms = {r['max'] / args.delay_ms:.1f} syncs; most syncs a commit has waited for: {most}", flush=True)
    for s in servers:
        s.stop()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = p.add_subparsers(dest="what", required=True)
    numbers = lambda s: [int(x) for x in s.split(",")]  # noqa: E731
    for name, f, lists in (("kernel-mutex", kernel_mutex, ("threads", [2**i for i in range(11)])), ("crowd", crowd, ("connections", [4096, 10000])),
                           ("hot-row", hot_row, ("threads", [1, 8, 64, 256])), ("slow-sync", slow_sync, ("threads", [1, 4, 16, 64, 256]))):
        q = sub.add_parser(name)
        q.set_defaults(run=f)
        q.add_argument(f"--{lists[0]}", type=numbers, default=lists[1])
        q.add_argument("--seconds", type=int, default=6)
        q.add_argument("--rounds", type=int, default=1)
        q.add_argument("--size", type=int, default=20000)
        q.add_argument("--delay-ms", type=int, default=5)
        q.add_argument("--dir", default="/var/tmp")
    args = p.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ek-scheduler-", dir=args.dir))
    os.chmod(folder, 0o755)
    try:
        args.run(args, folder)
    finally:
        subprocess.run(["pkill", "-9", "-f", str(folder)])
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
