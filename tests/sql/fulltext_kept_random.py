#!/usr/bin/env python3
"""Random full-text searches between random changes: what a search finds and how it ranks agrees with the rows that the same transaction reads.

    tests/sql/fulltext_kept_random.py [--seed N] [--steps N]

Searches go on with the words that an earlier one has kept of the table (docs/decisions/0018-fulltext.md), whoever has changed rows since. Some connections,
at all isolation levels but SERIALIZABLE (where reads lock), change rows (keys too), set savepoints, roll back, and search in different ways: by COUNT(*),
with the rank, backwards, by a join. Each search is followed by a plain SELECT of the table in the same transaction, and the rows found with their ranks are
computed from that: words, TF * IDF * IDF (manual, "Boolean Full-Text Searches"). Nobody waits: a connection changes only rows of its own.
"""
import argparse
import collections
import math
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import Server  # noqa: E402

WORDS = [f"{a}{b}" for a in ("red", "blue", "stone", "river", "glass") for b in ("", "ish", "bird", "wood", "line", "mark")] + ["rare", "unique"]
LEVELS = ["READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ"]
OWN = 1000  # a connection's keys: its number times this, and so many


def text(r, most):
    return " ".join(r.choice(WORDS) if r.random() < .97 else "seldom" for _ in range(r.randint(0, most)))


def words(row):
    return collections.Counter(re.findall(r"[a-z]+", f"{row[1]} {row[2] or ''}".lower()))


class Query:
    """Words of which some must be there, some must not, and the others may."""

    def __init__(self, r):
        self.boolean = r.random() < .7
        chosen = r.sample(WORDS, r.randint(1, 3))
        self.parts = [(r.choice(["", "+", "+", "-"]) if self.boolean and i else r.choice(["", "+"]) if self.boolean else "", w) for i, w in enumerate(chosen)]
        self.text = " ".join(o + w for o, w in self.parts)
        self.match = f"MATCH (a, b) AGAINST ('{self.text}'{' IN BOOLEAN MODE' if self.boolean else ''})"

    def expected(self, rows):
        """Ranks by key."""
        docs = {row[0]: words(row) for row in rows}
        idf = {}
        for _, w in self.parts:
            n = sum(1 for d in docs.values() if d[w])
            idf[w] = 0 if not n else math.log10(1.0001) if n == len(docs) else math.log10(len(docs) / n)
        found = {}
        for key, d in docs.items():
            must = [w for o, w in self.parts if o == "+"]
            may = [w for o, w in self.parts if o == ""]
            if any(d[w] for o, w in self.parts if o == "-") or any(not d[w] for w in must) or not must and not any(d[w] for w in may):
                continue
            found[key] = sum(d[w] * idf[w] ** 2 for w in must + may if d[w])
        return {k: v for k, v in found.items() if v}


def close(a, b):
    return a.keys() == b.keys() and all(math.isclose(a[k], b[k], rel_tol=1e-4, abs_tol=1e-6) for k in a)


class Client:
    def __init__(self, server, n, r):
        self.n, self.r = n, r
        self.cur = server.connect(db="kept").cursor()
        self.inside = False

    def ask(self, q):
        self.cur.execute(q)
        return self.cur.fetchall()

    def begin(self):
        self.ask(f"SET SESSION TRANSACTION ISOLATION LEVEL {self.r.choice(LEVELS)}")
        self.ask(self.r.choice(["BEGIN", "START TRANSACTION WITH CONSISTENT SNAPSHOT"]))
        self.inside, self.saved = True, False

    def end(self):
        self.ask(self.r.choice(["COMMIT", "COMMIT", "ROLLBACK"]))
        self.inside = False

    def change(self, many):
        r = self.r
        key = lambda: self.n * OWN + r.randint(0, 60)  # noqa: E731
        for _ in range(r.randint(200, 500) if many else 1):
            what = r.random()
            values = f"({key()}, '{text(r, 6)}', {r.choice(['NULL', repr(text(r, 4))])})"
            if what < .5:
                self.ask(f"REPLACE INTO t (id, a, b) VALUES {values}")
            elif what < .6:
                self.ask(f"UPDATE t SET n = {r.randint(0, 9)} WHERE id = {key()}")
            elif what < .7:
                self.ask(f"UPDATE t SET {r.choice('ab')} = '{text(r, 6)}' WHERE id = {key()}")
            elif what < .8:
                self.ask(f"UPDATE IGNORE t SET id = {key()} WHERE id = {key()}")
            elif what < .95:
                self.ask(f"DELETE FROM t WHERE id = {key()}")
            elif self.inside:
                if self.saved and r.random() < .5:
                    self.ask("ROLLBACK TO s")
                else:
                    self.ask("SAVEPOINT s")
                    self.saved = True

    def search(self):
        """What is wrong, or None; whether something was found."""
        alone = not self.inside
        if alone:
            self.ask("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            self.ask("BEGIN")
        q, r = Query(self.r), self.r
        how = r.choice(["rank", "count", "backwards", "bound", "join", "rank first", "grouped"])
        got = None
        if how == "count":
            got = self.ask(f"SELECT COUNT(*) FROM t WHERE {q.match}")[0][0]
        elif how == "join":
            got = dict(self.ask(f"SELECT t.id, {q.match} FROM t JOIN n ON n.id = t.id WHERE {q.match}"))
        elif how == "grouped":
            got = dict(self.ask(f"SELECT id, MAX({q.match}) FROM t WHERE {q.match} GROUP BY id ORDER BY 2"))
        else:
            tail = {"rank": "", "backwards": " ORDER BY id DESC", "bound": "", "rank first": " ORDER BY 2 DESC, id LIMIT 10000"}[how]
            cond = f"{q.match} > 0" if how == "bound" else q.match
            got = dict(self.ask(f"SELECT id, {q.match} FROM t WHERE {cond}{tail}"))
        rows = self.ask("SELECT id, a, b FROM t")
        if how == "join":
            joined = {k for k, in self.ask("SELECT id FROM n")}
        wanted = q.expected(rows)
        if alone:
            self.ask("COMMIT")
        if how == "count":
            right = got == len(wanted)
        else:
            if how == "join":
                wanted = {k: v for k, v in wanted.items() if k in joined}
            right = close(got, wanted)
        return None if right else f"{how} {q.match}: {got}, but {wanted}", bool(wanted)


def fences(cur):
    """Rows that nobody changes between those of the connections: no gap that one locks reaches into another's keys."""
    cur.executemany("INSERT INTO t (id, a) VALUES (%s, 'red')", [(n * OWN + d,) for n in (1, 2, 3) for d in (-9, 99)])


def run(server, seed, steps):
    r = random.Random(seed)
    cur = server.connect().cursor()
    cur.execute("CREATE DATABASE kept")
    cur.execute("USE kept")
    cur.execute("CREATE TABLE t (id INT PRIMARY KEY, a TEXT, b VARCHAR(300), n INT, FULLTEXT ft (a, b)) COLLATE utf8mb4_0900_ai_ci")
    cur.execute("CREATE TABLE n (id INT PRIMARY KEY)")
    first = [(i, text(r, 8), r.choice([None, text(r, 3)])) for i in range(1, r.choice([30, 300, 900]))]
    cur.executemany("INSERT INTO t (id, a, b) VALUES (%s, %s, %s)", first)
    cur.executemany("INSERT INTO n VALUES (%s)", [(i,) for i in range(1, 4 * OWN, 3)])
    fences(cur)
    clients = [Client(server, n, r) for n in (1, 2, 3)]
    searches = found = 0
    for step in range(steps):
        c = r.choice(clients)
        what = r.random()
        if what < .1:
            c.end() if c.inside else c.begin()
        elif what < .45:
            c.change(r.random() < .03)
        elif what < .455 and not any(c.inside for c in clients):
            ddl = r.choice(["TRUNCATE TABLE t", f"ALTER TABLE t ADD COLUMN c{step} INT", "ALTER TABLE t FORCE", "ALTER TABLE t DROP INDEX ft, ADD FULLTEXT ft (a, b)"])
            cur.execute(ddl)
            if ddl.startswith("TRUNCATE"):
                fences(cur)
        else:
            wrong, some = c.search()
            searches, found = searches + 1, found + some
            if wrong:
                return f"seed {seed} step {step}: {wrong}", searches, found
    for c in clients:
        c.ask("ROLLBACK")
    cur.execute("DROP DATABASE kept")
    return None, searches, found


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--steps", type=int, default=1500)
    o = p.parse_args()
    server = Server(options=["--innodb-flush-log-at-trx-commit=0"]).start()
    try:
        for seed in range(o.seed, o.seed + o.rounds):
            wrong, searches, found = run(server, seed, o.steps)
            print(wrong or f"seed {seed}: {searches} searches, {found} with rows", flush=True)
            if wrong:
                sys.exit(1)
    finally:
        server.kill()
        server.remove()


if __name__ == "__main__":
    main()
