"""A server under valgrind's callgrind, and what a query of sysbench's costs it: for scripts/instructions.py and scripts/shared_lines.py.

One client of sysbench, one table of 5,000 rows. All threads are counted, twice, for n and 3 n events: the difference by the difference of the queries is what a
query costs, without login and what runs anyway. Needs valgrind and sysbench.
"""
import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))


class Counted:
    """The running server. `profile`: what reads a dump of callgrind's."""

    def __init__(self, server, folder, profile):
        self.server, self.folder, self.profile = server, pathlib.Path(folder), profile

    def sysbench(self, workload, *options):
        line = ["sysbench", f"oltp_{workload}", f"--mysql-socket={self.server.socket}", "--mysql-user=root", "--tables=1", "--table-size=5000", "--rand-seed=7", *options]
        return subprocess.run(line, capture_output=True, text=True, check=True).stdout

    def control(self, *options):
        subprocess.run(["callgrind_control", *options, str(self.server.process.pid)], capture_output=True, check=True)

    def run(self, workload, mode, events):
        """Queries that so many events are."""
        out = self.sysbench(workload, "--threads=1", "--time=0", f"--events={events}", f"--db-ps-mode={mode}", "run")
        return int(re.search(r"total:\s+(\d+)", out)[1])

    def counted(self, workload, mode, events):
        """What `profile` reads of that many events, and their queries."""
        self.control("-i", "on")
        self.control("-z")
        queries = self.run(workload, mode, events)
        self.control("-d")
        self.control("-i", "off")
        newest = max(self.folder.glob("out*"), key=os.path.getmtime)
        return self.profile(newest), queries

    def twice(self, name, queries):
        """(profile, queries) of n and of 3 n events of `workload:mode`."""
        workload, mode = name.split(":")
        n = max(20, queries // {"read_only": 16, "read_write": 20}.get(workload, 1))
        self.run(workload, mode, 20)
        return self.counted(workload, mode, n), self.counted(workload, mode, 3 * n)


@contextlib.contextmanager
def server(binary, profile, server_options=(), valgrind_options=""):
    """A server with sysbench's table."""
    from lib import servers

    with tempfile.TemporaryDirectory(prefix="ek-callgrind-") as folder:
        wrapper = pathlib.Path(folder, "evenkeel")
        options = f"--tool=callgrind --instr-atstart=no {valgrind_options} --callgrind-out-file={folder}/out"
        wrapper.write_text(f"#!/bin/sh\nexec valgrind {options} {pathlib.Path(binary).resolve()} \"$@\" 2>{folder}/log\n")
        wrapper.chmod(0o755)
        with unittest.mock.patch.dict(os.environ, EVENKEEL=str(wrapper)):
            s = servers.Server(options=["--innodb-buffer-pool-size=64M", *server_options]).start()
        try:
            s.query("CREATE DATABASE sbtest")
            c = Counted(s, folder, profile)
            c.sysbench("read_write", "prepare")
            # the background's look at statistics of the filled table is no query's cost
            time.sleep(15)
            yield c
            s.stop()
        finally:
            s.remove()
