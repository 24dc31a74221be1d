#!/usr/bin/env python3
"""Random full-text searches against MariaDB's InnoDB: the same rows with the same ranks (to 1e-5).

    tests/sql/fulltext_random.py [--seed N] [--rounds N] [--queries N]

Each round makes a table of random documents (few words, so that they meet), adds the FULLTEXT index to the filled table (InnoDB then
has all words in its index, in the order of the collation) and asks random queries of all modes. The table is small, so InnoDB's count of rows
is exact. The first column is never empty: InnoDB then looks for a phrase one byte off in the second one.
"""
import argparse
import pathlib
import random
import sys

import pymysql

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import MariaDB, Server  # noqa: E402

WORDS = ["apple", "apples", "applet", "app", "banana", "band", "ban", "cherry", "cherry_pie", "the", "of", "xx", "x", "2023", "20", "Ärger",
         "arger", "don't", "date", "DATE", "elder", "fig", "grape"]
GLUE = [" ", " ", " ", " ", ", ", ". ", "-", "\n"]


def text(r, n):
    return "".join(r.choice(WORDS) + r.choice(GLUE) for _ in range(n))


def term(r, depth):
    k = r.random()
    if k < 0.15 and depth < 3:
        return "(" + boolean(r, depth + 1) + ")"
    if k < 0.35:
        phrase = '"' + " ".join(r.choice(WORDS) for _ in range(r.randint(1, 3))) + '"'
        return phrase + (f" @{r.randint(1, 6)}" if r.random() < 0.5 else "")
    word = r.choice(WORDS)
    if r.random() < 0.3:
        return word[: r.randint(1, len(word))] + "*"
    return word


def boolean(r, depth=0):
    return " ".join(r.choice(["", "", "", "+", "+", "-", "~", "<", ">"]) + term(r, depth) for _ in range(r.randint(1, 4)))


def natural(r):
    words = [r.choice(WORDS) for _ in range(r.randint(1, 4))]
    if r.random() < 0.2:
        words.append('"' + " ".join(r.choice(WORDS) for _ in range(2)) + '"')
    return " ".join(words)


def run(cur, sql, args):
    try:
        cur.execute(sql, args)
        return dict(cur.fetchall())
    except pymysql.err.MySQLError as e:
        return e.args[0]


def differ(a, b):
    if not isinstance(a, dict) or not isinstance(b, dict):
        return a != b
    return a.keys() != b.keys() or any(abs(a[k] - b[k]) > 1e-5 for k in a)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--queries", type=int, default=200)
    o = p.parse_args()
    ours, peer = Server().start(), MariaDB().start()
    asked = found = bad = 0
    try:
        cursors = [s.connect().cursor() for s in (ours, peer)]
        for c in cursors:
            c.execute("CREATE DATABASE ft")
            c.execute("USE ft")
        for round_ in range(o.rounds):
            r = random.Random(o.seed * 1000 + round_)
            rows = [(i, text(r, r.randint(1, 8)), r.choice([None, text(r, r.randint(0, 4))])) for i in range(1, r.choice([3, 10, 40]) + 1)]
            for c in cursors:
                c.execute("DROP TABLE IF EXISTS t")
                c.execute("CREATE TABLE t (id INT PRIMARY KEY, a TEXT, b VARCHAR(300)) DEFAULT CHARSET utf8mb4 COLLATE utf8mb4_general_ci")
                c.executemany("INSERT INTO t VALUES (%s, %s, %s)", rows)
                c.execute("ALTER TABLE t ADD FULLTEXT ft (a, b)")
            for _ in range(o.queries):
                kind = r.random()
                query, mode = (boolean(r), "IN BOOLEAN MODE") if kind < 0.6 else (natural(r), "" if kind < 0.8 else "WITH QUERY EXPANSION")
                match = f"MATCH (a, b) AGAINST (%s {mode})"
                sql = f"SELECT id, {match} FROM t WHERE {match}"
                a, b = (run(c, sql, (query, query)) for c in cursors)
                asked += 1
                found += isinstance(a, dict) and len(a) > 0
                if differ(a, b):
                    bad += 1
                    if bad <= 15:
                        print(f"round {round_}: {query!r} {mode}\n  ours {a}\n  peer {b}")
    finally:
        for s in (ours, peer):
            s.kill()
            s.remove()
    print(f"{asked} searches, {found} with rows, {bad} differ")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
