#!/usr/bin/env python3
"""How near a dump comes to what its client can take: scripts/dump_replay.py [BINARY] [--rows 4000000] [--rounds 3] [--mariadb]

mysqldump of one sysbench table, alone on the machine, three ways in turn: from the server; from a program that sends the packets again that the server
has sent (recorded once, through a proxy), which costs it nothing but the sends; and, with --mariadb, from MariaDB. Medians of the seconds, and the processor
seconds of the server. Goal: at most 1.15 times the time of the replay (docs/performance.md). Needs sysbench, and memory for the dump twice.
"""
import argparse
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from lib import servers  # noqa: E402
from lib.cpu import cpu_seconds  # noqa: E402

CHUNK = 1 << 20


def receive(sock):
    try:
        return sock.recv(CHUNK)
    except ConnectionError:
        return b""


def listen(path):
    s = socket.socket(socket.AF_UNIX)
    s.bind(path)
    s.listen(1)
    return s


def record(listener, target):
    """Passes one connection on to `target`; what was sent to the client, each piece with how many bytes the client had sent before."""
    client, _ = listener.accept()
    server = socket.socket(socket.AF_UNIX)
    server.connect(target)
    pieces, sent = [], [0]

    def upwards():
        while data := receive(client):
            sent[0] += len(data)
            server.sendall(data)
        server.shutdown(socket.SHUT_WR)

    up = threading.Thread(target=upwards)
    up.start()
    while data := receive(server):
        if pieces and pieces[-1][0] == sent[0]:
            pieces[-1][1].append(data)
        else:
            pieces.append((sent[0], [data]))
        client.sendall(data)
    client.close()
    up.join()
    return pieces


def replay(listener, pieces):
    client, _ = listener.accept()
    have = 0
    for after, data in pieces:
        while have < after and (got := receive(client)):
            have += len(got)
        for piece in data:
            client.sendall(piece)
    while receive(client):
        pass
    client.close()


def dump(path):
    """Seconds of a dump through this socket."""
    began = time.monotonic()
    subprocess.run(["mysqldump", "--no-defaults", "--skip-ssl", "-uroot", f"--socket={path}", "--skip-lock-tables", "--single-transaction", "d", "sbtest1"],
                   stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - began


def beside(work, *args):
    """Runs work(*args) in a thread; its result is in the list that comes back, once joined."""
    got = []
    t = threading.Thread(target=lambda: got.append(work(*args)))
    t.start()
    return t, got


def prepared(server, rows):
    server.query("CREATE DATABASE d")
    subprocess.run(["sysbench", "oltp_read_only", f"--mysql-socket={server.socket}", "--mysql-user=root", "--mysql-db=d", "--tables=1", f"--table-size={rows}", "prepare"],
                   stdout=subprocess.DEVNULL, check=True)
    dump(server.socket)
    return server


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("binary", nargs="?", default=str(ROOT / "target/release/evenkeel"))
    p.add_argument("--rows", type=int, default=4_000_000)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--mariadb", action="store_true")
    a = p.parse_args()
    os.environ["EVENKEEL"] = str(pathlib.Path(a.binary).resolve())
    pool = ["--innodb-buffer-pool-size=2G"]
    peers, times, cpu = {}, {}, {}
    try:
        for name, kind in [("evenkeel", servers.Server), *([("mariadb", servers.MariaDB)] if a.mariadb else [])]:
            peers[name] = kind(options=pool).start()
            prepared(peers[name], a.rows)
        with tempfile.TemporaryDirectory() as folder:
            listener = listen(f"{folder}/record")
            thread, got = beside(record, listener, peers["evenkeel"].socket)
            dump(f"{folder}/record")
            thread.join()
            pieces = [(after, [b"".join(data)]) for after, data in got[0]]
            again = listen(f"{folder}/replay")
            for _ in range(a.rounds):
                for name, server in peers.items():
                    before = cpu_seconds(server.process.pid)
                    times.setdefault(name, []).append(dump(server.socket))
                    cpu.setdefault(name, []).append(cpu_seconds(server.process.pid) - before)
                thread, _ = beside(replay, again, pieces)
                times.setdefault("replay", []).append(dump(f"{folder}/replay"))
                thread.join()
    finally:
        for server in peers.values():
            server.remove()
    for name, seconds in times.items():
        print(f"{name:9} {statistics.median(seconds):6.2f} s  ({min(seconds):.2f} to {max(seconds):.2f})",
              f"server's CPU {statistics.median(cpu[name]):.2f} s" if name in cpu else "")
    print(f"evenkeel : replay = {statistics.median(times['evenkeel']) / statistics.median(times['replay']):.2f}")


if __name__ == "__main__":
    main()
