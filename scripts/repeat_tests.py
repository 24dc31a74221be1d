#!/usr/bin/env python3
"""The whole of tests/ under a machine's different speeds: scripts/repeat_tests.py SETTING [SETTING ...] [--into FILE] [-- PYTEST ARGUMENTS]

A verdict must not depend on how fast the machine is. Settings:
  plain     as `make integration` runs it
  one       on one processor (taskset)
  busy      beside as many busy processes as there are processors
  slowed    the servers' processes get a fifth of a processor each 20 ms (SIGSTOP and SIGCONT in turn, by the tests' own processes' group)
  idle      with the scheduler's idle policy, beside busy processes: whatever else runs comes first
Each takes the binary that EVENKEEL names (a release or a dev build), default target/release/evenkeel. A line for each run is appended to FILE: date, commit, binary, setting, passed, failed, seconds.
"""
import argparse
import datetime
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def slow_down(binary, stop):
    """Stops and continues every running server of this binary."""
    pids, looked = [], 0.0
    while not stop.is_set():
        # looking is dear: not every time
        if not pids or time.monotonic() - looked > 0.3:
            found = subprocess.run(["pgrep", "-f", f"^{re.escape(binary)} serve"], capture_output=True, text=True).stdout
            pids, looked = [int(p) for p in found.split()], time.monotonic()
        for sent, seconds in ((signal.SIGSTOP, 0.016), (signal.SIGCONT, 0.004)):
            for pid in pids:
                try:
                    os.kill(pid, sent)
                except ProcessLookupError:
                    pass
            time.sleep(seconds if pids else 0.05)


def run(setting, binary, rest):
    command, others, stop = [sys.executable, "-m", "pytest", "tests", "-q", "--timeout=1800", "-p", "no:cacheprovider", *rest], [], threading.Event()
    if setting == "one":
        command = ["taskset", "-c", "0", *command]
    if setting == "idle":
        command = ["chrt", "--idle", "0", *command]
    if setting in ("busy", "idle"):
        others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count())]
    slower = threading.Thread(target=slow_down, args=(binary, stop)) if setting == "slowed" else None
    if slower:
        slower.start()
    began = time.time()
    try:
        out = subprocess.run(command, cwd=ROOT, env={**os.environ, "EVENKEEL": binary}, capture_output=True, text=True)
    finally:
        stop.set()
        if slower:
            slower.join()
        for p in others:
            p.kill()
    print(out.stdout[-60000:], out.stderr[-2000:], sep="\n", flush=True)
    return {k: int(n) for n, k in re.findall(r"(\d+) (passed|failed|error|skipped)", out.stdout.rsplit("\n", 3)[-2])}, time.time() - began


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("settings", nargs="+", choices=["plain", "one", "busy", "slowed", "idle"])
    p.add_argument("--into", type=pathlib.Path)
    own = sys.argv[1:]
    rest = own[own.index("--") + 1:] if "--" in own else []
    p = p.parse_args(own[:own.index("--")] if "--" in own else own)
    binary = str(pathlib.Path(os.environ.get("EVENKEEL", ROOT / "target/release/evenkeel")).resolve())
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    worst = 0
    for setting in p.settings:
        counts, seconds = run(setting, binary, rest)
        line = f"{datetime.datetime.now():%Y-%m-%d %H:%M} {commit} {binary} {setting}: {counts} in {seconds:.0f} s"
        print(line, flush=True)
        if p.into:
            with p.into.open("a") as f:
                f.write(line + "\n")
        worst = max(worst, counts.get("failed", 0) + counts.get("error", 0) or (0 if counts.get("passed") else 1))
    return 1 if worst else 0


if __name__ == "__main__":
    sys.exit(main())
