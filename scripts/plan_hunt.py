#!/usr/bin/env python3
"""The plan hunt: some 350 shapes of queries as applications write them (scripts/hunt/*.sql), on 200,000 rows, here and on a real MySQL. Where are we much slower?

    EVENKEEL=target/release/evenkeel scripts/plan_hunt.py [--dir /tmp/hunt] [--out table.txt] [WORD ...]

Both servers get the same rows (scripts/hunt/schema.sql, rows.py) and run each shape in turn: once to warm up, when the answers are compared, then five times; the
best counts. What is slower than `--limit` (3) times MySQL's time and takes more than 2 ms is measured again at the end (builds beside it make noise). With --dir the loaded servers'
folders are kept and used again. WORDs choose shapes by part of their name or file. A change runs in a transaction that is rolled back.

A file holds shapes: `-- name`, perhaps `: flags`, then one statement. Flags: `ordered` (rows must come in the same order), `count` (only the number of rows is compared:
ties in the order, values of the server's own), `none` (nothing is compared), `db=many` (in the schema of 2,000 tables), `each` (several statements, one a line, timed together).
The columns of the table: ratio, CPU ratio (of the server's process), milliseconds of ours and MySQL's, name. It is no test; results are in docs/performance.md.
"""
import argparse
import collections
import decimal
import pathlib
import re
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "scripts/hunt")]
import pymysql  # noqa: E402
import rows  # noqa: E402
from lib.servers import MySQL, Server  # noqa: E402

CHANGES = ("INSERT", "UPDATE", "DELETE", "REPLACE")
Shape = collections.namedtuple("Shape", "name flags db statements")


def shapes(words):
    """All shapes, or those whose file or name contains one of the words."""
    for path in sorted((ROOT / "scripts/hunt").glob("*.sql")):
        if path.stem == "schema":
            continue
        for block in re.split(r"^-- ", path.read_text(), flags=re.M)[1:]:
            head, _, body = block.partition("\n")
            name, _, flags = head.partition(":")
            flags = flags.split()
            db = next((f[3:] for f in flags if f.startswith("db=")), "hunt")
            body = re.sub(r"^#.*\n?", "", body, flags=re.M).strip().rstrip(";")
            statements = [s.rstrip(";") for s in body.split("\n")] if "each" in flags else [" ".join(body.split("\n"))]
            name = f"{path.stem}/{name.strip()}"
            if not words or any(w in name for w in words):
                yield Shape(name, flags, db, statements)


class Side:
    """One of the servers, loaded, with one connection that runs the shapes and one that ends what takes too long."""

    def __init__(self, kind, folder, limit):
        options = ["--innodb-buffer-pool-size=1536M", *(["--innodb-redo-log-capacity=1G"] if kind is MySQL else ["--innodb-log-file-size=1G"])]
        self.server = kind(folder=folder and f"{folder}/{kind.name}", options=options)
        self.server.start()
        self.limit = limit
        self.killer = self.server.connect()
        self.open()
        self.load()

    def open(self):
        self.connection = self.server.connect()
        self.cursor = self.connection.cursor()
        self.db = None
        self.cursor.execute("SET group_concat_max_len=1000000, SESSION cte_max_recursion_depth=1000000")

    def load(self):
        self.cursor.execute("SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name='loaded'")
        if self.cursor.fetchone()[0]:
            return
        began = time.time()
        for db in ("hunt", "many"):
            self.cursor.execute(f"CREATE DATABASE {db} COLLATE utf8mb4_0900_ai_ci")
        self.use("many")
        for q in rows.many():
            self.cursor.execute(q)
        self.use("hunt")
        for q in (ROOT / "scripts/hunt/schema.sql").read_text().split(";\n"):
            if q.strip():
                self.cursor.execute(q)
        for table, columns, made in rows.tables():
            batch = []
            for row in made:
                batch.append(self.connection.escape(row))
                if len(batch) == 2000:
                    self.insert(table, columns, batch)
            self.insert(table, columns, batch)
            self.cursor.execute(f"ANALYZE TABLE {table}")
        self.cursor.execute("CREATE DATABASE loaded")
        print(f"# {self.server.name} loaded in {time.time() - began:.0f} s", file=sys.stderr)

    def insert(self, table, columns, batch):
        if batch:
            self.cursor.execute(f"INSERT INTO {table} {columns} VALUES " + ",".join(batch))
            batch.clear()

    def use(self, db):
        if self.db != db:
            self.cursor.execute(f"USE {db}")
            self.db = db

    def cpu(self):
        """Nanoseconds of CPU of the server's threads so far."""
        total = 0
        for task in pathlib.Path(f"/proc/{self.server.process.pid}/task").iterdir():
            try:
                total += int((task / "schedstat").read_text().split()[0])
            except OSError:
                pass
        return total

    def run(self, shape):
        """(answer or error, wall ms, CPU ms) of one execution."""
        self.use(shape.db)
        change = shape.statements[0].split()[0].upper() in CHANGES or "rollback" in shape.flags
        timer = threading.Timer(self.limit, lambda: self.killer.cursor().execute(f"KILL QUERY {self.connection.thread_id()}"))
        if change:
            self.cursor.execute("BEGIN")
        timer.start()
        cpu, began = self.cpu(), time.time()
        try:
            answer = []
            for q in shape.statements:
                n = self.cursor.execute(q)
                answer.append(self.cursor.fetchall() or n)
        except pymysql.err.MySQLError as e:
            answer = e
        finally:
            took = (time.time() - began) * 1000
            timer.cancel()
            cpu = (self.cpu() - cpu) / 1e6
        if isinstance(answer, pymysql.err.MySQLError) and answer.args[0] in (2006, 2013, 2014):
            self.server.process.poll()
            self.open()
        elif change:
            self.cursor.execute("ROLLBACK")
        return answer, took, cpu

    def end(self):
        self.server.stop()
        self.server.remove()


def plain(value):
    if isinstance(value, float):
        return f"{value:.9g}"
    return format(value, "f") if isinstance(value, decimal.Decimal) else repr(value)


def same(shape, a, b):
    """None, or why the two answers are different."""
    if isinstance(a, Exception) or isinstance(b, Exception):
        if 1317 in (getattr(a, "args", [0])[0], getattr(b, "args", [0])[0]):
            return None
        if isinstance(a, Exception) and isinstance(b, Exception) and a.args[0] == b.args[0]:
            return f"both refuse: {a.args}"
        return f"ours {a if isinstance(a, Exception) else 'answers'}, MySQL {b if isinstance(b, Exception) else 'answers'}"
    for x, y in zip(a, b):
        if "none" in shape.flags:
            continue
        if isinstance(x, int) or isinstance(y, int):
            if x != y:
                return f"affected {x if isinstance(x, int) else len(x)}, MySQL {y if isinstance(y, int) else len(y)}"
            continue
        if len(x) != len(y):
            return f"{len(x)} rows, MySQL {len(y)}"
        if "count" in shape.flags:
            continue
        left, right = ([tuple(map(plain, r)) for r in rows] for rows in (x, y))
        if "ordered" not in shape.flags:
            left.sort(), right.sort()
        for l, r in zip(left, right):
            if l != r:
                return f"{l} where MySQL has {r}"
    return None


class Result:
    def __init__(self, shape):
        self.shape, self.wrong = shape, None
        self.best = [[1e9, 1e9], [1e9, 1e9]]
        self.killed = [False, False]

    def measure(self, sides, times):
        for _ in range(times):
            for i, side in enumerate(sides):
                if self.killed[i]:
                    continue
                answer, took, cpu = side.run(self.shape)
                self.killed[i] = isinstance(answer, Exception) and answer.args[0] == 1317
                self.best[i] = [min(self.best[i][0], took), min(self.best[i][1], cpu)]

    def ratio(self, what=0):
        return self.best[0][what] / max(self.best[1][what], 0.05)

    def find(self, limit):
        return self.best[0][0] > 2 and self.ratio() > limit and self.ratio(1) > limit * .8

    def line(self):
        note = "".join(f" KILLED({n})" for n, k in zip(("ours", "mysql"), self.killed) if k) + (f" WRONG {self.wrong[:1500]}" if self.wrong else "")
        return f"{self.ratio():7.2f} {self.ratio(1):7.2f} {self.best[0][0]:10.2f} {self.best[1][0]:10.2f}  {self.shape.name}{note}"


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    a.add_argument("words", nargs="*")
    a.add_argument("--dir", help="where the servers' folders are kept (a temporary one otherwise)")
    a.add_argument("--out")
    a.add_argument("--limit", type=float, default=3)
    a.add_argument("--times", type=int, default=5)
    a.add_argument("--seconds", type=float, default=20, help="KILL QUERY after so many")
    a = a.parse_args()
    sides = []
    try:
        sides = [Side(Server, a.dir, a.seconds), Side(MySQL, a.dir, a.seconds)]
        results = []
        for shape in shapes(a.words):
            r = Result(shape)
            (ours, t0, _), (theirs, t1, _) = (s.run(shape) for s in sides)
            r.wrong = same(shape, ours, theirs)
            r.killed = [isinstance(x, Exception) and x.args[0] == 1317 for x in (ours, theirs)]
            if any(r.killed):
                r.best = [[t0, t0], [t1, t1]]
            r.measure(sides, a.times if max(t0, t1) < 1500 else 2)
            results.append(r)
            if r.wrong or r.find(a.limit):
                print(r.line(), flush=True)
        finds = [r for r in results if r.find(a.limit)]
        print(f"# again: {len(finds)}", flush=True)
        for r in finds:
            r.measure(sides, a.times if r.best[0][0] < 1500 else 2)
        results.sort(key=Result.ratio, reverse=True)
        table = "\n".join(["  ratio     CPU       ours      MySQL  shape", *(r.line() for r in results)])
        finds = [r for r in results if r.find(a.limit)]
        bounds = [0.33, 0.5, 1, 1.5, 2, 3, 1e9]
        counts = [sum(1 for r in results if low < r.ratio() <= high) for low, high in zip([0, *bounds], bounds)]
        table += f"\n# {len(results)} shapes, wrong {sum(1 for r in results if r.wrong)}, above {a.limit} x and 2 ms: {len(finds)}; by ratio up to {bounds[:-1]} and more: {counts}"
        if a.out:
            pathlib.Path(a.out).write_text(table + "\n")
        print(table)
    finally:
        for s in sides:
            s.end()


if __name__ == "__main__":
    main()
