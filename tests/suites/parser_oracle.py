#!/usr/bin/env python3
"""MariaDB's PREPARE as an oracle for the parser: parser_oracle.py CORPUS.jsonl [--modes all] [--show KIND] [--limit N]

Every statement of the corpus (/work/shared/tools/mtr_extract.py makes it; GPL text, never committed) is prepared on a real MariaDB, which resolves
names but executes nothing: error 1064 means that its grammar refuses the text, any other answer that it takes it. Our parser says the same by
`cargo run -p parser --example corpus -- CORPUS VERDICTS [modes]`. Differences are put into classes by what stands in the statement: what
only MariaDB has, what only MySQL 8.4 has, and what is left, which is printed (`--show`). `--modes all` repeats it in the sql_modes that change how a
text is read. Exit status 1 if more than `--limit` differences of a mode are left unexplained.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

import pymysql

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from lib.servers import MariaDB  # noqa: E402

MODES = ["ANSI_QUOTES", "PIPES_AS_CONCAT", "NO_BACKSLASH_ESCAPES", "IGNORE_SPACE", "HIGH_NOT_PRECEDENCE"]

MARIADB_ONLY = [(name, re.compile(pattern, re.I | re.S)) for name, pattern in [

]]
MYSQL_ONLY = [(name, re.compile(pattern, re.I | re.S)) for name, pattern in [

]]


def ours(corpus, modes):
    """Verdicts of our parser, one a line. CORPUS_TOOL: the built example."""
    tool = os.environ.get("CORPUS_TOOL")
    command = [tool] if tool else ["cargo", "run", "-q", "-p", "parser", "--example", "corpus", "--"]
    out = subprocess.run([*command, corpus, "VERDICTS", ",".join(modes)], cwd=HERE.parents[1], capture_output=True, check=True)
    return out.stdout.decode("utf-8", "replace").split("\n")[:-1]


def theirs(server, statements, modes):
    conn = None
    verdicts = []
    for sql in statements:
        for attempt in (0, 1):
            try:
                if conn is None:
                    conn = server.connect(database="test", autocommit=True, charset="utf8mb4")
                    conn.cursor().execute("SET SESSION sql_mode = %s", (",".join(modes),))
                text = sql.replace("'", "''") if "NO_BACKSLASH_ESCAPES" in modes else sql.replace("\\", "\\\\").replace("'", "''")
                conn.cursor().execute(f"PREPARE s FROM '{text}'")
                verdicts.append("ok")
            except pymysql.err.Error as e:
                if e.args[0] in (0, 2006, 2013) and attempt == 0:  # the statement broke the connection
                    conn = None
                    continue
                verdicts.append(str(e.args[0]))
            except UnicodeError:
                verdicts.append("skip")
            break
    return verdicts


def explain(sql, classes):
    return next((name for name, pattern in classes if pattern.search(sql)), None)


def compare(server, corpus, statements, modes, args):
    mine, peer = ours(corpus, modes), theirs(server, statements, modes)
    assert len(mine) == len(peer), (len(mine), len(peer))
    same, left, known = 0, [], collections.Counter()
    for sql, a, b in zip(statements, mine, peer):
        if b == "skip" or a.startswith("1065") or b == "1065":
            continue
        we, they = a in ("ok", "unsupported") or not a.startswith("1064"), b != "1064"
        if we == they:
            same += 1
            continue
        name = explain(sql, MYSQL_ONLY if we else MARIADB_ONLY)
        if name:
            known[("taken here only: " if we else "taken there only: ") + name] += 1
        else:
            left.append(("HERE" if we else "THERE", a, sql))
    print(f"sql_mode '{','.join(modes)}': {same} of {same + len(left) + sum(known.values())} the same, "
          f"{sum(known.values())} explained, {len(left)} left")
    if args.verbose:
        for name, n in known.most_common():
            print(f"  {n:6} {name}")
    for who, verdict, sql in left:
        if args.show in (who, "ALL"):
            print(f"  {who} {verdict[-90:] if verdict != 'ok' else 'ok'} | {' '.join(sql.split())[:200]}")
    return len(left)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("corpus")
    p.add_argument("--modes", default="", help="'all': every sql_mode that changes reading, one after the other")
    p.add_argument("--show", default="", help="HERE (only we take it), THERE or ALL")
    p.add_argument("--limit", type=int, default=10**9)
    p.add_argument("--verbose", action="store_true")
    args = p.parse_args()
    statements = [json.loads(line).get("sql") or "" for line in open(args.corpus, encoding="utf-8")]
    server = MariaDB()
    server.start()
    worst = 0
    try:
        c = server.connect(autocommit=True)
        c.cursor().execute("CREATE DATABASE IF NOT EXISTS test")
        for modes in [[]] + ([[m] for m in MODES] if args.modes == "all" else []):
            worst = max(worst, compare(server, args.corpus, statements, modes, args))
    finally:
        server.stop()
        server.remove()
    return 1 if worst > args.limit else 0


if __name__ == "__main__":
    sys.exit(main())
