#!/usr/bin/env python3
"""Statements that spill answer as those that do not: spill_random.py [--seed N] [--statements N]. Exit status 1 on a difference.

Random sorts, groups, DISTINCT, joins, derived tables, set operations, recursion and windows over the same rows run twice, with the smallest buffers and with large ones. Then what does not show in
answers: the status counters, KILL of a statement while it sorts and joins on disk, a tmpdir that is gone, one that is full.
"""
import argparse
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading

import pymysql

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from lib.db import Db  # noqa: E402
from lib.servers import Server  # noqa: E402
from lib.wait import PATIENCE, until  # noqa: E402

# derived tables stay what they are
SMALL = "SET SESSION optimizer_switch='derived_merge=off', sort_buffer_size=32768, tmp_table_size=1024, join_buffer_size=128"
LARGE = "SET SESSION optimizer_switch='derived_merge=off', sort_buffer_size=67108864, tmp_table_size=67108864, join_buffer_size=67108864"


def fill(rnd, db, n):
    db.query("CREATE TABLE a (id INT PRIMARY KEY, g INT, v INT, d DECIMAL(8,2), f DOUBLE, s VARCHAR(40) COLLATE utf8mb4_0900_ai_ci,"
             " p VARCHAR(40) COLLATE utf8mb4_general_ci, t DATETIME(3), j JSON, b TEXT, KEY (g))")
    db.query("CREATE TABLE b LIKE a")
    words = ["a", "A", "á", "b", "b ", "B", "ß", "ss", "", "zz", "日本", "x" * 30]
    for table in "ab":
        rows = []
        for i in range(n):
            v = lambda x: "NULL" if rnd.random() < 0.1 else x
            rows.append("(%d,%s,%s,%s,%s,%s,%s,%s,%s,%s)" % (
                i, v(rnd.randint(0, 5)), v(rnd.randint(-n, n)), v(rnd.randint(-500, 500) / 100), v(rnd.randint(0, 40) * 0.25),
                v(repr(rnd.choice(words))), v(repr(rnd.choice(words) + str(rnd.randint(0, 30)))),
                v("'2024-01-%02d 10:00:00.%03d'" % (rnd.randint(1, 28), rnd.randint(0, 9))), v(repr('{"k": %d}' % rnd.randint(0, 9))),
                v(repr(rnd.choice(["", "long "]) * rnd.randint(1, 60)))))
        for at in range(0, n, 500):
            db.query(f"INSERT INTO {table} VALUES {','.join(rows[at:at + 500])}")


COLS = ["g", "v", "d", "f", "s", "p", "t", "b", "id"]
NUM = ["g", "v", "d", "id"]


def order(rnd, cols, total):
    keys = [f"{c}{rnd.choice(['', ' DESC'])}" for c in rnd.sample(cols, min(len(cols), rnd.randint(1, 2)))]
    return " ORDER BY " + ", ".join(keys + ([total] if total else []))


def aggregate(rnd):
    c = rnd.choice(COLS)
    return rnd.choice(["COUNT(*)", f"COUNT({c})", f"SUM({rnd.choice(NUM)})", f"AVG({rnd.choice(NUM)})", f"MIN({c})", f"MAX({c})",
                       f"COUNT(DISTINCT {c})", f"SUM(DISTINCT {rnd.choice(NUM)})", f"COUNT(DISTINCT {c}, v)", "GROUP_CONCAT(id ORDER BY id)",
                       "GROUP_CONCAT(DISTINCT g ORDER BY g)", "BIT_XOR(id)", "JSON_ARRAYAGG(v)", "STDDEV(v)"])


def statement(rnd):
    """(statement, whether the order of its rows is fixed)"""
    where = rnd.choice(["", "", f" WHERE v > {rnd.randint(-100, 100)}", f" WHERE g <= {rnd.randint(0, 5)}"])
    kind = rnd.choice(["sort", "sort", "distinct", "group", "group", "rollup", "one", "join", "join", "left", "semi", "anti", "mixed",
                       "derived", "sets", "sets", "recursive", "window", "window", "window"])
    if kind in KINDS:
        return KINDS[kind](rnd, where)
    if kind == "sort":
        limit = rnd.choice(["", "", f" LIMIT {rnd.randint(1, 3000)}", f" LIMIT {rnd.randint(0, 900)}, {rnd.randint(1, 900)}"])
        return f"SELECT id, {', '.join(rnd.sample(COLS, 3))} FROM a{where}{order(rnd, COLS, 'id')}{limit}", True
    if kind == "distinct":
        cols = rnd.sample(COLS, rnd.randint(1, 3))
        tail = rnd.choice(["", order(rnd, cols, None)])
        return f"SELECT DISTINCT {', '.join(cols)} FROM a{where}{tail}", not tail
    if kind in ("group", "rollup"):
        cols = rnd.sample(COLS, rnd.randint(1, 2))
        more = " WITH ROLLUP" if kind == "rollup" else ""
        having = rnd.choice(["", " HAVING COUNT(*) > 1"])
        return (f"SELECT {', '.join(cols)}, {aggregate(rnd)}, {aggregate(rnd)} FROM a{where} GROUP BY {', '.join(cols)}{more}{having}", True)
    if kind == "one":
        return f"SELECT {aggregate(rnd)}, {aggregate(rnd)} FROM a{where}", True
    on = rnd.choice(["a.v = b.v", "a.s = b.s AND a.g = b.g", "a.p = b.p", "a.d = b.d AND a.v < b.v", "a.t = b.t AND a.g = b.id % 7", "a.f = b.v"])
    hint = "/*+ JOIN_ORDER(a, b) NO_INDEX(b) */"
    if kind == "join":
        return f"SELECT {hint} a.id, b.id, a.s, b.p FROM a JOIN b ON {on}{where.replace('v >', 'a.v >').replace('g <', 'b.g <')}", False
    if kind == "left":
        return f"SELECT {hint} a.id, b.id, b.s FROM a LEFT JOIN b ON {on} AND b.id < {rnd.randint(0, 2000)}", False
    if kind == "semi":
        return f"SELECT id, s FROM a WHERE v IN (SELECT v FROM b WHERE g < {rnd.randint(0, 6)})", False
    if kind == "anti":
        return f"SELECT id, s FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.v = a.v AND b.g < {rnd.randint(0, 6)})", False
    # an index gives the order, the join must keep it
    return f"SELECT {hint} a.g, a.id, b.id FROM a FORCE INDEX FOR ORDER BY (g) JOIN b ON a.v = b.v ORDER BY a.g LIMIT {rnd.randint(1, 400)}", None


def derived(rnd, where):
    """Derived tables and CTEs, read once or for every row of another table."""
    cols = rnd.sample(COLS, 2)
    inner = f"SELECT id, {', '.join(c for c in cols if c != 'id') or 'g'} FROM a{where}"
    return rnd.choice([
        (f"SELECT * FROM ({inner}) x", True),
        (f"SELECT x.*, y.id, y.s FROM (SELECT g, COUNT(*) n, MAX(b) m FROM a{where} GROUP BY g, v) x "
         f"JOIN (SELECT id, s, v FROM b ORDER BY s, id LIMIT {rnd.randint(1, 300)}) y ON x.n < y.v", False),
        (f"WITH x AS (SELECT v, MIN(p) p, SUM(d) d FROM a{where} GROUP BY v) SELECT x.v, y.p, x.d FROM x JOIN x y ON x.v = y.v + 1", False),
        (f"SELECT b.id, x.n FROM b, LATERAL (SELECT COUNT(*) n, MAX(a.b) m FROM a WHERE a.v = b.v) x WHERE b.id < {rnd.randint(1, 200)}", False),
        (f"SELECT b.id, x.id, x.b FROM b, LATERAL (SELECT id, b FROM a WHERE a.g = b.g AND a.id < 80 ORDER BY a.p, id LIMIT 5) x WHERE b.id < 99", False),
    ])


def sets(rnd, where):
    """UNION, INTERSECT, EXCEPT, with and without ALL; equal keys keep the first row, so the rows' bytes are compared too."""
    cols = ", ".join(rnd.sample(COLS[:-1], rnd.randint(1, 2)))
    branch = lambda: f"SELECT {cols} FROM {rnd.choice('ab')}" + rnd.choice(["", f" WHERE g = {rnd.randint(0, 5)}", f" WHERE v < {rnd.randint(-2000, 2000)}"])
    sql = branch()
    for _ in range(rnd.randint(1, 3)):
        sql = f"{sql} {rnd.choice(['UNION', 'UNION', 'UNION ALL', 'INTERSECT', 'INTERSECT ALL', 'EXCEPT', 'EXCEPT ALL'])} {branch()}"
    return sql, True


def recursive(rnd, where):
    n = rnd.randint(3, 2000)
    return rnd.choice([
        (f"WITH RECURSIVE r AS (SELECT 1 n, CAST('a' AS CHAR(200)) t UNION ALL SELECT n + 1, LEFT(CONCAT('row ', n, ' ', t), 200) FROM r WHERE n < {n // 2}) "
         "SELECT n, LENGTH(t), t FROM r", True),
        # every round meets rows of earlier ones
        (f"WITH RECURSIVE r AS (SELECT {n} n UNION SELECT (n * 7 + k) % {n} FROM r, (SELECT 1 k UNION SELECT 2) s) SELECT n FROM r", True),
        (f"WITH RECURSIVE r AS (SELECT id, v FROM a WHERE g = {rnd.randint(0, 5)} UNION SELECT b.id, b.v FROM r JOIN b ON b.id = ABS(r.v)) SELECT * FROM r", False),
        (f"WITH RECURSIVE r AS (SELECT id n, 0 l FROM a{where} UNION ALL SELECT n + 1, l + 1 FROM r WHERE l < 3) SELECT * FROM r", True),
    ])


def window(rnd, where):
    """A key ends the order, so that the frames are the same however the rows arrive."""
    part = rnd.choice(["", "", f"PARTITION BY {', '.join(rnd.sample(['g', 's', 'd', 'p'], rnd.randint(1, 2)))}"])
    key = rnd.choice(COLS)
    frame = rnd.choice(["", "ROWS BETWEEN 3 PRECEDING AND 700 FOLLOWING", "ROWS UNBOUNDED PRECEDING", "ROWS BETWEEN 1000 FOLLOWING AND 1500 FOLLOWING",
                        "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING"])
    over = f"({part} ORDER BY {key}{rnd.choice(['', ' DESC'])}, id {frame})"
    if rnd.random() < 0.3:
        over = f"({part} ORDER BY {rnd.choice(['v', 'd', 'id'])} RANGE BETWEEN {rnd.randint(0, 50)} PRECEDING AND {rnd.randint(0, 300)} FOLLOWING)"
    if rnd.random() < 0.1:
        over = f"({part})"
    c, m = rnd.choice(COLS), rnd.choice(NUM)
    calls = [f"SUM({m})", "COUNT(*)", f"MIN({m})", f"MAX({m})", f"AVG({m})", "STDDEV(f)", "RANK()", "DENSE_RANK()", "CUME_DIST()", "PERCENT_RANK()", "NTILE(7)"]
    if "id" in over:
        calls += ["ROW_NUMBER()", f"LAG({c}, {rnd.randint(0, 900)})", f"LEAD({c}, {rnd.randint(0, 900)}, {c})", f"FIRST_VALUE({c})", f"LAST_VALUE({c})",
                  f"NTH_VALUE({c}, {rnd.randint(1, 500)})"]
    some = [f"{f} OVER {over if rnd.random() < 0.7 else 'w'}" for f in rnd.sample(calls, rnd.randint(1, 3))]
    return f"SELECT id, {', '.join(some)} FROM a{where} WINDOW w AS (PARTITION BY v > 0 ORDER BY id)", False


KINDS = {"derived": derived, "sets": sets, "recursive": recursive, "window": window}


def status(db, name):
    return int(db.query(f"SHOW SESSION STATUS LIKE '{name}'")[0][1])


def compare(rnd, server, args):
    db = Db(server.connect(database="test", autocommit=True))
    fill(rnd, db, args.rows)
    bad = 0
    for n in range(args.statements):
        sql, fixed = statement(rnd)
        answers = []
        for limits in (SMALL, LARGE):
            db.query(limits)
            try:
                answers.append(list(db.query(sql)))
            except pymysql.Error as e:
                answers.append(("error", *e.args))
        small, large = answers
        if fixed is False:
            small, large = sorted(map(repr, small)), sorted(map(repr, large))
        elif fixed is None:  # only the order and the number are fixed
            small, large = [r[0] for r in small], [r[0] for r in large]
        if small != large or (large and large[0] == "error"):
            bad += 1
            where = next((i for i, (x, y) in enumerate(zip(small, large)) if x != y), None)
            print(f"DIFFERS {sql}\n  rows {len(small)} and {len(large)}, first at {where}: {small[where or 0:(where or 0) + 1]} "
                  f"{large[where or 0:(where or 0) + 1]}")
            if bad > 5:
                break
    return bad, db


def counters(db):
    db.query(SMALL)
    for name, sql in [("Sort_merge_passes", "SELECT id FROM a ORDER BY b, id"), ("Created_tmp_disk_tables", "SELECT DISTINCT v, p FROM a"),
                      ("Created_tmp_disk_tables", "SELECT v, COUNT(*) FROM a GROUP BY v"),
                      ("Created_tmp_disk_tables", "SELECT COUNT(b) FROM (SELECT b FROM a) x"),
                      ("Created_tmp_disk_tables", "SELECT p FROM a UNION SELECT p FROM b"),
                      ("Created_tmp_disk_tables", "SELECT p FROM a EXCEPT SELECT p FROM b"),
                      ("Created_tmp_disk_tables", "SELECT SUM(v) OVER (ORDER BY p) FROM a"),
                      ("Created_tmp_disk_tables", "WITH RECURSIVE r AS (SELECT 1 n UNION ALL SELECT n + 1 FROM r WHERE n < 900) SELECT * FROM r"),
                      ("Created_tmp_disk_tables", "SELECT /*+ NO_INDEX(b) */ COUNT(*) FROM a JOIN b ON a.p = b.p")]:
        before = status(db, name)
        db.query(sql)
        assert status(db, name) > before, f"{name} did not count for {sql}"


def killed(server, db):
    """KILL QUERY ends a statement that works on disk, soon."""
    for sql in ["SELECT a.id FROM a JOIN b JOIN b c ORDER BY a.b, b.b, c.id", "SELECT COUNT(*) FROM (SELECT DISTINCT a.id, b.id x, c.id y FROM a, b, b c) d",
                "SELECT a.id, b.id, c.id, COUNT(*) FROM a, b, b c GROUP BY a.id, b.id, c.id",
                "SELECT COUNT(*) FROM (SELECT a.id, b.id x, c.id y FROM a, b, b c) d",
                "SELECT a.id, b.id, c.id FROM a, b, b c UNION SELECT 1, 2, 3",
                "SELECT 1, 2, 3 EXCEPT SELECT a.id, b.id, c.id FROM a, b, b c",
                "SELECT a.id, b.id, c.id FROM a, b, b c INTERSECT SELECT a.id, b.id, 1 FROM a, b",
                "SELECT SUM(a.v) OVER (ORDER BY b.p) FROM a, b, b c",
                "WITH RECURSIVE r AS (SELECT 1 n UNION DISTINCT SELECT r.n + a.id FROM r, a) SELECT COUNT(*) FROM r"]:
        other = server.connect(database="test", autocommit=True)
        Db(other).query(SMALL)
        got = []

        def run():
            try:
                Db(other).query(sql)
                got.append("no error")
            except pymysql.Error as e:
                got.append(e.args[0])

        t = threading.Thread(target=run)
        before = status(db, "Created_tmp_files")
        t.start()
        until(lambda: got or status(db, "Created_tmp_files") > before)  # noqa: B023
        db.query(f"KILL QUERY {other.thread_id()}")
        t.join(PATIENCE)
        assert got == [1317], (sql, got)


def directories(rnd):
    """A tmpdir that is gone: 1. One that is full: 3."""
    folder = tempfile.mkdtemp(prefix="spill")
    full = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder], capture_output=True).returncode == 0
    server = Server(options=[f"--tmpdir={folder}"])
    server.start()
    try:
        db = Db(server.connect(autocommit=True))
        db.query("CREATE DATABASE IF NOT EXISTS test")
        db.query("USE test")
        fill(rnd, db, 3000)
        db.query(SMALL)
        sql = "SELECT a.b, a.id FROM a JOIN b USING (g) ORDER BY a.b, b.b"
        more = ["SELECT COUNT(*) FROM (SELECT a.b, a.id FROM a JOIN b USING (g)) x", "SELECT a.b, b.p, a.id FROM a JOIN b USING (g) UNION SELECT 1, 2, 3",
                "SELECT 1, 2, 3 EXCEPT SELECT a.b, b.id, a.id FROM a JOIN b USING (g)", "SELECT SUM(a.v) OVER (ORDER BY a.b) FROM a JOIN b USING (g)",
                "WITH RECURSIVE r AS (SELECT a.b, a.id, b.p FROM a JOIN b USING (g) UNION SELECT 1, 2, 3 FROM r LIMIT 10000000) SELECT COUNT(*) FROM r"]
        if full:
            for sql in [*more, sql]:
                try:
                    db.query(sql)
                    raise AssertionError(f"a full tmpdir gave no error: {sql}")
                except pymysql.Error as e:
                    assert e.args[0] == 3 and "No space left on device" in e.args[1], (sql, e.args)
                free = shutil.disk_usage(folder)
                assert free.used == 0, (sql, free)
            assert db.query("SELECT COUNT(*) FROM a") == ((3000,),)
            subprocess.run(["umount", folder], check=True)
        shutil.rmtree(folder)
        try:
            db.query(sql)
            raise AssertionError("a missing tmpdir gave no error")
        except pymysql.Error as e:
            assert e.args[0] == 1, e.args
    finally:
        server.kill()
        server.remove()
        shutil.rmtree(folder, ignore_errors=True)
    return "full and missing tmpdir" if full else "missing tmpdir (mounting a small one is not allowed here)"


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--statements", type=int, default=150)
    p.add_argument("--rows", type=int, default=2500)
    args = p.parse_args()
    rnd = random.Random(args.seed)
    server = Server()
    server.start()
    try:
        Db(server.connect(autocommit=True)).query("CREATE DATABASE IF NOT EXISTS test")
        bad, db = compare(rnd, server, args)
        if not bad:
            counters(db)
            killed(server, db)
    finally:
        server.kill()
        server.remove()
    said = directories(rnd) if not bad else ""
    print(f"{args.statements} statements, {bad} differ; {said}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
