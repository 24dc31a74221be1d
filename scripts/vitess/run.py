#!/usr/bin/env python3
"""The cases of scripts/vitess.sh: each starts a cluster of its own, checks rows one by one and prints one line.

    scripts/vitess.sh [CASE ...] [--list] [--mysql] [--keep FOLDER]
"""
import argparse
import pathlib
import signal
import sys
import time
import traceback

import cases  # noqa: F401 (the cases register themselves)
import failover  # noqa: F401
from checks import CASES
from cluster import Cluster, Failed
from lib.servers import MySQL, Server


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help="names of cases (default: all)")
    parser.add_argument("--list", action="store_true", help="names of cases")
    parser.add_argument("--mysql", action="store_true", help="over a real MySQL instead")
    parser.add_argument("--keep", help="a folder for the logs, which stay there")
    parser.add_argument("--server-option", action="append", default=[], help="an option more for each server, as --server-option=--binlog-row-image=NOBLOB")
    given = parser.parse_args()
    if given.list:
        for name, case in CASES.items():
            print(f"{name:14} {case.__doc__.splitlines()[0]}")
        return 0
    unknown = [name for name in given.cases if name not in CASES]
    if unknown:
        parser.error(f"no such case: {', '.join(unknown)}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the cluster is stopped
    failed = 0
    for name in given.cases or CASES:
        begun = time.time()
        try:
            with Cluster(MySQL if given.mysql else Server, given.keep and str(pathlib.Path(given.keep) / name), given.server_option) as cluster:
                said = CASES[name](cluster)
                dead = [s.log_tail(1000) for s in cluster.servers if not s.alive() and not getattr(s, "meant", False)]
                if dead:
                    raise Failed(f"a server ended: {dead[0]}")
            print(f"{name:14} passed {time.time() - begun:6.1f} s  {said or ''}", flush=True)
        except Exception as error:  # a case that fails must not keep the others from running
            failed += 1
            print(f"{name:14} FAILED {time.time() - begun:6.1f} s  {str(error)[:900]}", flush=True)
            if not isinstance(error, Failed):
                print(traceback.format_exc()[-1500:], flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
