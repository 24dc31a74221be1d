#!/usr/bin/env python3
"""The answer does not depend on a semijoin's strategy: semijoin_random.py [--seed N] [--statements N] [--mysql]. Exit status 1 on a difference.

Random queries with IN and EXISTS (several, nested, of rows, correlated or not, negated; of joins, outer joins, derived tables and views; over columns
with NULLs, duplicates, other types and collations on the two sides) run with each strategy asked for by hint in the subquery and with
`optimizer_switch`, beside the same with semijoin=off, which evaluates the subquery for each row. So do UPDATE and DELETE, and queries with small
`tmp_table_size` and `join_buffer_size`. Counts the strategies that EXPLAIN shows, so that the test cannot pass by never using them.
With --mysql the answers are compared with those of a MySQL server (EVENKEEL_MYSQL) too.
"""
import argparse
import collections
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))
import pymysql  # noqa: E402
from lib.servers import MySQL, Server  # noqa: E402
from plan_random import Db, plain  # noqa: E402

WORDS = ["a", "A", "b", "B", "bb", "", "ccc", "Ccc", "d", "e", "a ", "1", "2", "03", "x"]
STRATEGIES = ["FIRSTMATCH", "MATERIALIZATION", "LOOSESCAN", "DUPSWEEDOUT"]
SWITCHES = ["firstmatch", "materialization", "loosescan", "duplicateweedout"]
TRUNCATED = 1292
TABLES = {"t": 400, "s": 150, "p": 25, "q": 60}


def value(rnd, c):
    if rnd.random() < 0.12 and c not in "kn":
        return "NULL"
    return {"a": lambda: str(rnd.randint(0, 12)), "b": lambda: str(rnd.randint(0, 90)), "c": lambda: repr(rnd.choice(WORDS)),
            "g": lambda: repr(rnd.choice(WORDS)), "d": lambda: str(rnd.randint(0, 40) / 4), "e": lambda: "'2024-01-%02d %02d:00:00'" % (rnd.randint(1, 9), rnd.choice([0, 0, 0, 6])),
            "h": lambda: repr(rnd.choice(["b", "a", "2", "x", "1"])), "y": lambda: str(rnd.randint(2000, 2008)), "z": lambda: "'2024-01-%02d 00:00:00'" % rnd.randint(1, 9), "f": lambda: "'2024-01-%02d'" % rnd.randint(1, 9), "n": lambda: str(rnd.randint(0, 60)), "r": lambda: str(rnd.randint(0, 24) / 2)}[c]()


def fill(rnd, db):
    for t, n in TABLES.items():
        # u is unique and may be NULL, (n, k) is unique
        db.query(f"CREATE TABLE {t} (id INT PRIMARY KEY, a INT, b BIGINT UNSIGNED, c VARCHAR(10) COLLATE utf8mb4_0900_ai_ci, g VARCHAR(10) COLLATE utf8mb4_bin,"
                 " d DECIMAL(6,2), e DATETIME, f DATE, h ENUM('b', 'a', '2', 'x', '1'), y YEAR, z TIMESTAMP NULL, n INT NOT NULL, k INT NOT NULL, r DOUBLE, u INT, UNIQUE KEY uu (u), UNIQUE KEY unk (n, k), KEY ka (a), KEY kab (a, b),"
                 " KEY kc (c), KEY kg (g), KEY kd (d), KEY kba (b, a), KEY ke (e), KEY kh (h, a), KEY kz (z), KEY ky (y))")
        # k: how many rows with this n are there before
        counts, rows = collections.Counter(), []
        for i in range(n):
            m = rnd.randint(0, 60)
            u = "NULL" if rnd.random() < 0.2 else str(i)
            rows.append("(%d,%s,%d,%d,%s,%s)" % (i, ",".join(value(rnd, c) for c in "abcgdefhyz"), m, counts[m], value(rnd, "r"), u))
            counts[m] += 1
        db.query(f"INSERT INTO {t} VALUES " + ",".join(rows))
    db.query("CREATE VIEW v AS SELECT id, a, b, c, n, u FROM s WHERE n < 40")
    db.query("CREATE VIEW w AS SELECT t.id, t.a, t.b, t.c, t.n, t.u FROM t WHERE t.a IN (SELECT a FROM p)")
    db.query("ANALYZE TABLE " + ", ".join(TABLES))


# columns that may be compared
PAIRS = [("a", "a"), ("a", "n"), ("n", "n"), ("id", "id"), ("u", "u"), ("id", "u"), ("u", "id"), ("a", "b"), ("b", "a"), ("b", "b"), ("id", "b"), ("n", "k")]
ODD = [("c", "c"), ("g", "g"), ("a", "d"), ("d", "a"), ("d", "d"), ("e", "e"), ("e", "f"), ("f", "e"), ("f", "f"), ("a", "r"), ("r", "a"), ("r", "d"), ("h", "h"), ("c", "h"), ("h", "c"), ("h", "a"), ("y", "y"), ("z", "e"), ("e", "z"), ("f", "z"), ("z", "z"), ("c", "a"), ("a", "c"), ("r", "r")]


def pair(rnd, views):
    return rnd.choice(PAIRS if views or rnd.random() < 0.55 else ODD)


def test(rnd, t):
    c = rnd.choice(["a", "b", "n", "u", "id"])
    return rnd.choice([f"{t}.{c} < {rnd.randint(0, 60)}", f"{t}.a = {rnd.randint(0, 12)}", f"{t}.{c} IS NOT NULL", f"{t}.n BETWEEN {rnd.randint(0, 30)} AND {rnd.randint(30, 60)}",
                       f"{t}.a + {t}.n > {rnd.randint(0, 40)}", f"({t}.a = 1 OR {t}.n = {rnd.randint(0, 60)})"])


def inner_from(rnd, n):
    """FROM of a subquery, and its tables' names."""
    x, y = f"x{n}", f"y{n}"
    kind = rnd.choice(["one"] * 5 + ["two", "two", "left", "derived", "view", "distinct", "three"])
    a, b = rnd.choice(["s", "p", "q", "t"]), rnd.choice(["s", "p", "q"])
    on = rnd.choice([f"{y}.a = {x}.a", f"{y}.id = {x}.id", f"{y}.n = {x}.n AND {y}.k = {x}.k", f"{y}.u = {x}.n"])
    if kind == "two":
        return f"{a} {x} JOIN {b} {y} ON {on}", [x, y], False
    if kind == "three":
        return f"{a} {x} JOIN {b} {y} ON {on} JOIN p z{n} ON z{n}.id = {y}.a", [x, y], False
    if kind == "left":
        return f"{a} {x} LEFT JOIN {b} {y} ON {on}", [x], False
    if kind == "derived":
        return f"(SELECT * FROM {a} WHERE n > 5) {x}", [x], False
    if kind == "distinct":
        return f"(SELECT DISTINCT a, b, n, id, u, k FROM {b}) {x}", [x], True
    if kind == "view":
        return f"{rnd.choice('vw')} {x}", [x], True
    return f"{a} {x}", [x], False


def semi(rnd, outer, views, deep=0):
    """A condition with a subquery; /*h*/ is where its hint goes."""
    n = rnd.randint(1, 10 ** 6)
    source, names, poor = inner_from(rnd, n)
    x, o = rnd.choice(names), rnd.choice(outer)
    if poor:
        x = names[0]
    l, r = pair(rnd, views or poor)
    if poor and r in ("k",):
        l, r = "a", "a"
    conds = []
    kind = rnd.choice(["in", "in", "in", "row", "exists", "exists", "lonely"])
    if rnd.random() < 0.5:
        conds.append(test(rnd, names[0]))
    if rnd.random() < 0.25:
        conds.append(f"{x}.n {rnd.choice(['<', '<>', '>='])} {o}.n")
    if rnd.random() < 0.2:
        conds.append(f"{names[0]}.a = {rnd.choice(outer)}.a")
    if deep < 2 and rnd.random() < 0.3:
        conds.append(semi(rnd, outer + names[:1] if rnd.random() < 0.3 else names[:1], poor, deep + 1))
    if kind == "in":
        e = rnd.choice([f"{x}.{r}", f"{x}.{r}", f"{x}.{r}", f"{x}.a + 0"])
        no = rnd.choice(["", "", "", "", "NOT "])
        left = f"{o}.{l}" if "+" not in e else f"{o}.a"
        return f"{left} {no}IN (SELECT /*h*/ {e} FROM {source}{' WHERE ' + ' AND '.join(conds) if conds else ''})"
    if kind == "row":
        return f"({o}.{l}, {o}.n) IN (SELECT /*h*/ {x}.{r}, {x}.{rnd.choice(['n', 'a'])} FROM {source}{' WHERE ' + ' AND '.join(conds) if conds else ''})"
    if kind == "exists":
        conds.append(f"{x}.{r} = {o}.{l}")
    no = rnd.choice(["", "", "", "NOT "])
    return f"{no}EXISTS (SELECT /*h*/ 1 FROM {source}{' WHERE ' + ' AND '.join(conds) if conds else ''})"


def statement(rnd):
    """(text, how the answer is compared)"""
    kind = rnd.choice(["one"] * 4 + ["two", "two", "left", "left", "derived", "view", "distinct"])
    outer = ["o"]
    source = f"{rnd.choice('tsq')} o"
    poor = False
    if kind == "two":
        source, outer = f"t o JOIN {rnd.choice('sq')} i ON i.{rnd.choice(['a', 'id', 'n'])} = o.{rnd.choice(['a', 'n'])}", ["o", "i"]
    elif kind == "left":
        source, outer = f"t o LEFT JOIN s i ON i.{rnd.choice(['id', 'n', 'u'])} = o.{rnd.choice(['a', 'n', 'u'])}", ["o", "i"]
        if rnd.random() < 0.3:
            source = f"t o LEFT JOIN (SELECT * FROM s j WHERE {semi(rnd, ['j'], False, 1)}) i ON i.n = o.n"
    elif kind == "derived":
        source = f"(SELECT * FROM t m WHERE {semi(rnd, ['m'], False, 1)}) o"
    elif kind == "view":
        source, poor = f"{rnd.choice('vw')} o", True
    elif kind == "distinct":
        source, poor = "(SELECT DISTINCT a, b, n, u, id FROM t) o", True
    conds = [semi(rnd, outer, poor) for _ in range(rnd.choice([1, 1, 1, 2, 2, 3]))]
    if rnd.random() < 0.4:
        conds.append(test(rnd, rnd.choice(outer)))
    rnd.shuffle(conds)
    where = " AND ".join(conds)
    what = rnd.random()
    ids = ", ".join(f"{x}.id" for x in outer)
    if what < 0.08 and kind == "one":
        return f"DELETE FROM o USING {source} WHERE {where}" if rnd.random() < 0.4 else f"DELETE FROM {source.replace(' o', ' AS o')} WHERE {where}", "change"
    if what < 0.16 and kind in ("one", "two", "left"):
        return f"UPDATE {source} SET o.k = o.k + 1000 WHERE {where}", "change"
    if what < 0.2 and kind in ("two", "left"):
        return f"DELETE {rnd.choice(['o', 'i', 'o, i'])} FROM {source} WHERE {where}", "change"
    if what < 0.24 and not poor:
        return f"SELECT {ids} FROM {source} WHERE {where} FOR UPDATE", "rows"
    if what < 0.28:
        return f"INSERT INTO {rnd.choice('spq')} (id, n, k) SELECT 10000 + {outer[0]}.id, 100, {outer[0]}.id FROM {source} WHERE {where} ON DUPLICATE KEY UPDATE a = -1", "change"
    if what < 0.55:
        return f"SELECT {ids}, o.a FROM {source} WHERE {where}", "rows"
    if what < 0.7:
        return f"SELECT {ids} FROM {source} WHERE {where} ORDER BY {ids} LIMIT {rnd.randint(1, 20)}", "ordered"
    if what < 0.8:
        return f"SELECT COUNT(*), SUM(o.n), MIN(o.a) FROM {source} WHERE {where}", "rows"
    if what < 0.9:
        return f"SELECT o.a, COUNT(*) FROM {source} WHERE {where} GROUP BY o.a", "rows"
    return f"SELECT DISTINCT o.n FROM {source} WHERE {where}", "rows"


def answer(db, sql, how):
    try:
        if how == "change":
            db.query("BEGIN")
            try:
                db.query(sql)
                return [db.query(f"SELECT id, k FROM {t} ORDER BY id") for t in TABLES]
            finally:
                db.query("ROLLBACK")
        rows = plain(db.query(sql))
        return rows if how == "ordered" else sorted(rows, key=repr)
    except pymysql.Error as e:
        return e.args[0]


def ways(rnd, text):
    """The statement with each strategy, and the settings it runs with."""
    for s in STRATEGIES:
        yield s, text.replace("/*h*/", f"/*+ SEMIJOIN({s}) */"), []
    mixed = text
    while "/*h*/" in mixed:
        mixed = mixed.replace("/*h*/", f"/*+ SEMIJOIN({rnd.choice(STRATEGIES)}) */", 1)
    yield "mixed", mixed, []
    yield "as it likes", text.replace("/*h*/", ""), []
    off = rnd.sample(SWITCHES, rnd.randint(1, 3))
    yield "switch", text.replace("/*h*/", ""), ["SET optimizer_switch = '" + ",".join(f"{s}=off" for s in off) + "'"]
    s = rnd.choice(STRATEGIES)
    yield "small " + s, text.replace("/*h*/", f"/*+ SEMIJOIN({s}) */"), ["SET tmp_table_size = 1024, join_buffer_size = 128"]
    yield "no hash", text.replace("/*h*/", ""), ["SET optimizer_switch = 'block_nested_loop=off'"]


def shown(rows):
    for row in rows:
        if row[1] == "MATERIALIZED":
            yield "materialized"
        for e in (row[11] or "").split("; "):
            word = e.split("(")[0]
            if word in ("LooseScan", "Start temporary", "FirstMatch", "Not exists"):
                yield word


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--statements", type=int, default=300)
    p.add_argument("--mysql", action="store_true")
    args = p.parse_args()
    rnd = random.Random(args.seed)
    servers = [Server()] + ([MySQL()] if args.mysql else [])
    bad, errors, seen = 0, 0, collections.Counter()
    try:
        dbs = []
        for s in servers:
            s.start()
            Db(s.connect(autocommit=True)).query("CREATE DATABASE IF NOT EXISTS test")
            dbs.append(Db(s.connect(database="test", autocommit=True)))
            fill(random.Random(args.seed), dbs[-1])
        db = dbs[0]
        for _ in range(args.statements):
            text, how = statement(rnd)
            sql = text.replace("/*h*/", "")
            db.query("SET optimizer_switch = 'semijoin=off'")
            right = answer(db, sql, how)
            db.query("SET optimizer_switch = DEFAULT")
            errors += isinstance(right, int)
            others = [("MySQL", answer(d, sql, how), sql) for d in dbs[1:]]
            for name, way, settings in ways(rnd, text):
                for s in settings:
                    db.query(s)
                others.append((name, answer(db, way, how), way))
                if how != "change" and not isinstance(right, int):
                    seen.update(set(shown(db.query("EXPLAIN " + way))))
                if settings:
                    db.query("SET optimizer_switch = DEFAULT, tmp_table_size = DEFAULT, join_buffer_size = DEFAULT")
            for name, got, way in others:
                # text that is no number is an error in a change, where it is compared at all
                if got != right and not (how == "change" and TRUNCATED in (got, right)):
                    bad += 1
                    if isinstance(right, int) or isinstance(got, int):
                        print(f"DIFFERS {name}: {way}\n  {str(right)[:80]} and {str(got)[:80]}")
                    else:
                        a, b = collections.Counter(map(repr, right)), collections.Counter(map(repr, got))
                        print(f"DIFFERS {name}: {way}\n  {len(right)} and {len(got)} rows; missing {list((a - b).elements())[:3]}, too many {list((b - a).elements())[:3]}")
                    if name != "MySQL" and how != "change":
                        print("  ", db.query("EXPLAIN FORMAT=TREE " + way)[0][0].strip())
            if bad > 5:
                break
    finally:
        for s in servers:
            s.kill()
            s.remove()
    print(f"{args.statements} statements ({errors} errors), {bad} differ; strategies seen: {dict(seen)}")
    missing = [k for k in ("materialized", "LooseScan", "Start temporary", "FirstMatch", "Not exists") if not seen[k]]
    if missing:
        print("never seen:", missing)
    return 1 if bad or missing else 0


if __name__ == "__main__":
    sys.exit(main())
