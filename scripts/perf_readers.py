#!/usr/bin/env python3
"""What reading performance_schema costs the others: scripts/perf_readers.py [--rounds 7] [--seconds 10] [--readers 4] [--tables NAME,...]

One session of sysbench selects points at a fixed rate, which the server keeps whatever else goes on; READERS sessions read tables of performance_schema in a loop, with a pause after each so that
the processors are not full. Three measurements a round, in turn: the load alone, the readers alone, both. What the readers cost the load is the server's processor time of both less that
of the readers alone (for as many reads), by query of the load, against the load alone: the aim is at most 3 %. Median of the rounds, least and greatest. A quiet machine is needed.
EVENKEEL: the binary, as for tests. Needs sysbench.
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests"))
from lib.cpu import cpu_seconds  # noqa: E402
from lib.servers import Server  # noqa: E402

# between reads, seconds: as long as it is fixed the same tables are read in the same time with and without the load
PAUSE = 0.05
LOAD = ["--tables=1", "--table-size=10000", "--mysql-user=root", "--db-ps-mode=disable"]


def sysbench(s, *options):
    line = ["sysbench", "oltp_point_select", f"--mysql-socket={s.socket}", *LOAD, *options]
    return subprocess.run(line, capture_output=True, text=True, check=True).stdout


def load(s, seconds, rate):
    """Queries."""
    return int(re.search(r"total:\s+(\d+)", sysbench(s, "--threads=4", f"--rate={rate}", "--events=0", f"--time={seconds}", "run"))[1])


def read(s, tables, readers, over, reads):
    def one(first):
        n = first
        with s.connect(autocommit=True) as c, c.cursor() as cur:
            while not over.is_set():
                cur.execute(f"SELECT * FROM performance_schema.{tables[n % len(tables)]}")
                cur.fetchall()
                n += 1
                reads.append(1)
                over.wait(PAUSE)

    threads = [threading.Thread(target=one, args=(i * 7,)) for i in range(readers)]
    [t.start() for t in threads]
    return threads


def measured(s, a, tables, with_load, with_readers):
    """(processor seconds of the server, queries, reads)"""
    over, reads, queries = threading.Event(), [], 0
    threads = read(s, tables, a.readers if with_readers else 0, over, reads)
    before, first = cpu_seconds(s.process.pid), len(reads)
    if with_load:
        queries = load(s, a.seconds, a.rate)
    else:
        time.sleep(a.seconds)
    used, n = cpu_seconds(s.process.pid) - before, len(reads) - first
    over.set()
    [t.join() for t in threads]
    return used, queries, n


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--rounds", type=int, default=7)
    p.add_argument("--seconds", type=int, default=10)
    p.add_argument("--readers", type=int, default=4)
    p.add_argument("--rate", type=int, default=4000)
    p.add_argument("--tables", default="", help="of performance_schema; all without it")
    a = p.parse_args()
    s = Server(options=["--innodb-buffer-pool-size=64M"]).start()
    try:
        s.query("CREATE DATABASE sbtest")
        sysbench(s, "prepare")
        tables = a.tables.split(",") if a.tables else [n for n, in s.query("SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'performance_schema' ORDER BY 1")]
        costs = []
        for _ in range(a.rounds):
            alone, queries, _ = measured(s, a, tables, True, False)
            readers, _, reads = measured(s, a, tables, False, True)
            both, queries_both, reads_both = measured(s, a, tables, True, True)
            own = (both - readers / max(reads, 1) * reads_both) / queries_both
            costs.append(100 * (own / (alone / queries) - 1))
            print(f"alone {1e6 * alone / queries:6.1f} us a query, beside {a.readers} readers {1e6 * own:6.1f} us ({reads_both} reads): {costs[-1]:+.1f} %", flush=True)
        print(f"median {statistics.median(costs):+.1f} %, {min(costs):+.1f} to {max(costs):+.1f}; the aim is 3 %")
    finally:
        s.remove()


if __name__ == "__main__":
    main()
