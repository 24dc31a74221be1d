#!/usr/bin/env python3
"""sqllogictest's corpora (https://www.sqlite.org/sqllogictest) against Evenkeel: tests/suites/sqllogictest.py [--git DIR] [--each N] [--workers N] [PATTERN ...]

The files come from a git repository: `--git` names a clone or a bare repository, else dolthub's copy (whose results were checked on MySQL) is cloned into a
temporary folder. Nothing of it is kept. A file is a list of records:

    statement ok | error          the statement follows, up to an empty line
    query TYPES SORT [LABEL]      the query, `----`, its values one a line or "N values hashing to MD5"
    onlyif DB, skipif DB          the next record is for that database only, or not for it; we are "mysql"
    halt, hash-threshold N

TYPES says how values are printed: I whole number, R with three decimals, T text. SORT is nosort, rowsort or valuesort. Each file has a database of its own.
`--each N` runs all statements of a file and about N of its queries, spread evenly; without it all. PATTERN chooses files by a part of their path.
Exit status 1 when an answer is wrong. `--peer` runs the same on MariaDB.
"""
import argparse
import collections
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
from decimal import Decimal, InvalidOperation

import pymysql

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import MariaDB, Server  # noqa: E402

ORIGIN = "https://github.com/dolthub/sqllogictest"


def records(text):
    """(kind, arguments, sql, expected lines) of a file, for mysql."""
    lines, i, skip = text.split("\n"), 0, False
    while i < len(lines):
        words = lines[i].split("#")[0].split()
        i += 1
        if not words:
            continue
        if words[0] in ("onlyif", "skipif"):
            skip |= (words[1].lower() == "mysql") != (words[0] == "onlyif")
            continue
        if words[0] == "halt":
            if not skip:
                return
            skip = False
            continue
        if words[0] not in ("statement", "query"):
            skip = False
            continue
        begin = i
        while i < len(lines) and lines[i] != "" and lines[i] != "----":
            i += 1
        sql, expected = "\n".join(lines[begin:i]), None
        if i < len(lines) and lines[i] == "----":
            begin = i = i + 1
            while i < len(lines) and lines[i] != "":
                i += 1
            expected = lines[begin:i]
        if not skip:
            yield words[0], words[1:], sql, expected
        skip = False


def shown(v, kind):
    """A value as the test's author's program prints it."""
    if v is None:
        return "NULL"
    s = v.decode("utf8", "replace") if isinstance(v, bytes) else str(v)
    try:
        if kind == "I":
            return str(int(Decimal(s)))
        if kind == "R":
            return f"{Decimal(s):.3f}"
    except (InvalidOperation, ValueError):
        return "0" if kind == "I" else s
    return "".join(c if " " <= c <= "~" else "@" for c in s) or "(empty)"


def values(rows, types, order):
    out = [[shown(v, types[i] if i < len(types) else "T") for i, v in enumerate(r)] for r in rows]
    if order == "rowsort":
        out.sort()
    flat = [v for r in out for v in r]
    return sorted(flat) if order == "valuesort" else flat


def same(got, expected):
    if len(expected) == 1 and " values hashing to " in expected[0]:
        n, _, _, _, digest = expected[0].split()
        return int(n) == len(got) and hashlib.md5("".join(v + "\n" for v in got).encode()).hexdigest() == digest
    return got == expected


class Run:
    def __init__(self, server, read, each, show):
        self.server, self.read, self.each, self.show = server, read, each, show
        self.counts, self.lock, self.slow = collections.Counter(), threading.Lock(), []

    def file(self, name):
        todo = list(records(self.read(name)))
        queries = sum(r[0] == "query" for r in todo)
        step = max(1, queries // self.each) if self.each else 1
        seen, wrong, counts = 0, [], collections.Counter(files=1)
        database = "slt_" + hashlib.md5(name.encode()).hexdigest()[:12]
        conn = self.server.connect(conv={}, use_unicode=False)
        cur = conn.cursor()
        cur.execute(f"CREATE DATABASE {database}")
        cur.execute(f"USE {database}")
        for kind, args, sql, expected in todo:
            if kind == "query":
                seen += 1
                if (seen + len(name)) % step:
                    continue
            counts[kind] += 1
            began = time.time()
            try:
                cur.execute(sql)
                rows = list(cur.fetchall()) if cur.description else []
                error = None
            except pymysql.err.MySQLError as e:
                rows, error = [], e
            took = time.time() - began
            if took > 1:
                with self.lock:
                    self.slow.append((took, name, sql[:300]))
            if kind == "statement":
                if (error is None) != (args[0] == "ok"):
                    wrong.append((name, sql, f"expected {args[0]}, got {error}"))
            elif error is not None:
                counts[f"error {error.args[0]}"] += 1
                wrong.append((name, sql, str(error)))
            elif expected is not None and not same(got := values(rows, args[0], args[1] if len(args) > 1 else "nosort"), expected):
                wrong.append((name, sql, f"got {got[:12]}, expected {expected[:12]}"))
        cur.execute(f"DROP DATABASE {database}")
        conn.close()
        counts["wrong"] = len(wrong)
        with self.lock:
            self.counts.update(counts)
            for w in wrong[:self.show]:
                print("{}: {}\n  {}".format(*w), flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--git", type=pathlib.Path)
    p.add_argument("--each", type=int, default=0, help="queries of a file, about")
    p.add_argument("--workers", type=int, default=2)
    p.add_argument("--show", type=int, default=3, help="wrong answers shown of a file")
    p.add_argument("--peer", action="store_true")
    p.add_argument("patterns", nargs="*")
    p = p.parse_args()
    with tempfile.TemporaryDirectory(prefix="slt-") as folder:
        repo = p.git
        if repo is None:
            repo = pathlib.Path(folder) / "repo"
            subprocess.run(["git", "clone", "-q", "--bare", "--depth", "1", ORIGIN, repo], check=True)
        git = ["git", "-C", str(repo)]
        names = subprocess.run([*git, "ls-tree", "-r", "--name-only", "HEAD"], check=True, capture_output=True, text=True).stdout.split("\n")
        names = sorted(n for n in names if n.endswith(".test") and (not p.patterns or any(x in n for x in p.patterns)))

        def read(name):
            return subprocess.run([*git, "show", f"HEAD:{name}"], check=True, capture_output=True).stdout.decode("utf8", "replace")

        server = (MariaDB if p.peer else Server)(options=["--innodb-flush-log-at-trx-commit=0"]).start()
        run, start, queue = Run(server, read, p.each, p.show), time.time(), list(reversed(names))

        def work():
            while queue:
                try:
                    name = queue.pop()
                except IndexError:
                    return
                try:
                    run.file(name)
                except Exception as e:  # noqa: BLE001 - the other files go on
                    print(f"{name}: {e!r}", flush=True)
                    run.counts["broken files"] += 1

        try:
            threads = [threading.Thread(target=work) for _ in range(p.workers)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            if not p.peer and "panicked" in server.log_tail(10**7):
                print("a panic is in the log:\n" + server.log_tail())
                run.counts["wrong"] += 1
        finally:
            server.remove()
    for took, name, sql in sorted(run.slow, reverse=True)[:10]:
        print(f"{took:.1f} s: {name}: {sql}")
    print(f"{dict(run.counts)} in {time.time() - start:.0f} s")
    return 1 if run.counts["wrong"] or run.counts["broken files"] else 0


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    sys.exit(main())
