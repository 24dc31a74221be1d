#!/usr/bin/env python3
"""Derived tables mean the same however they are computed: derived_random.py [--seed N] [--statements N] [--peer | --mysql]. Exit status 1 on a difference.

Random derived tables, views and common table expressions (plain, grouped, DISTINCT, windows, unions, HAVING, ROLLUP, LIMIT, nested) under random conditions, in
aggregates, groups, DISTINCT and ORDER BY ... LIMIT around them and in subqueries whose columns they read, with `derived_condition_pushdown` and `derived_merge`
on and off (and on MariaDB with --peer, which knows no outer references, or on MySQL): the rows must be the same. Counts how many plans the switches
changed, so that the test cannot pass by never moving a condition or merging a query.
"""
import argparse
import collections
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from lib.servers import MariaDB, MySQL, Server  # noqa: E402

WORDS = ["a", "A", "b", "B", "bb", "", "ccc", "Ccc", "d"]


def literal(r, kind):
    if kind == "n":
        return r.choice(["NULL", "-1", "2.5"]) if r.random() < 0.1 else str(r.randint(0, 12))
    return "NULL" if r.random() < 0.08 else repr(r.choice(WORDS))


def condition(r, columns, alias, depth=0):
    if depth < 2 and r.random() < 0.3:
        parts = [condition(r, columns, alias, depth + 1) for _ in range(2)]
        joined = f" {r.choice(['AND', 'OR'])} ".join(f"({p})" for p in parts)
        return f"NOT ({joined})" if r.random() < 0.15 else joined
    name, kind = r.choice(columns)
    c = f"{alias}.{name}"
    x = r.random()
    if x < 0.5:
        return f"{c} {r.choice(['=', '<', '>', '<=', '>=', '<>', '<=>'])} {literal(r, kind)}"
    if x < 0.62:
        return f"{c} BETWEEN {literal(r, kind)} AND {literal(r, kind)}"
    if x < 0.75:
        return f"{c} {r.choice(['', 'NOT '])}IN ({', '.join(literal(r, kind) for _ in range(r.randint(1, 4)))})"
    if x < 0.85:
        return f"{c} IS {r.choice(['', 'NOT '])}NULL"
    if x < 0.92:
        other, k = r.choice(columns)
        return f"{c} {r.choice(['=', '<', '<='])} {alias}.{other}" if k == kind else f"{c} IS NOT NULL"
    return f"{c} LIKE {r.choice(['a%', '%b', '_', 'ccc'])!r}" if kind == "s" else f"{c} + 1 > {literal(r, 'n')}"


def query(r, depth=0, outer=None):
    """A query and its columns, (name, kind); `outer`: a column of the blocks around it."""
    t = "t"
    if depth < 2 and r.random() < 0.25:
        inner, cols = query(r, depth + 1, outer)
        where = f" WHERE {condition(r, cols, 'i')}" if r.random() < 0.5 else ""
        return f"SELECT {', '.join(f'i.{c} {c}' for c, _ in cols)} FROM ({inner}) i{where}", cols
    where = f" WHERE {condition(r, [('a', 'n'), ('b', 'n'), ('c', 's')], t)}" if r.random() < 0.4 else ""
    if outer:
        where += f"{' AND' if where else ' WHERE'} t.{r.choice('ab')} {r.choice(['=', '<=', '>', '<=>'])} {outer}"
    x = r.random()
    if x < 0.08:
        return f"SELECT t.a p, t.b q, t.id i FROM t{where}", [("p", "n"), ("q", "n"), ("i", "n")]
    if x < 0.15:
        return f"SELECT t.a p, t.b + 1 q, LOWER(t.c) s FROM t{where}", [("p", "n"), ("q", "n"), ("s", "s")]
    if x < 0.45:
        having = r.choice(["", "", " HAVING COUNT(*) > 1", " HAVING p > 2", " HAVING SUM(t.b) IS NOT NULL"])
        rollup = " WITH ROLLUP" if r.random() < 0.12 else ""
        return f"SELECT t.a p, COUNT(*) n, SUM(t.b) q, MAX(t.d) m FROM t{where} GROUP BY p{rollup}{having}", [("p", "n"), ("n", "n"), ("q", "n"), ("m", "n")]
    if x < 0.55:
        return f"SELECT LOWER(t.c) s, t.a p, AVG(t.d) m FROM t{where} GROUP BY LOWER(t.c), t.a", [("s", "s"), ("p", "n"), ("m", "n")]
    if x < 0.65:
        return f"SELECT DISTINCT t.a p, t.b % 4 q FROM t{where}", [("p", "n"), ("q", "n")]
    if x < 0.75:
        return (f"SELECT t.a p, t.b q, COUNT(*) OVER (PARTITION BY t.a) n, SUM(t.b) OVER (PARTITION BY t.a ORDER BY t.id) m FROM t{where}",
                [("p", "n"), ("q", "n"), ("n", "n"), ("m", "n")])
    if x < 0.92:
        kinds = r.choice(["UNION", "UNION ALL", "UNION", "INTERSECT", "EXCEPT"])
        other = r.choice(["SELECT t.b, t.a FROM t", "SELECT u.x, u.y FROM u", "SELECT COUNT(*), t.a FROM t GROUP BY t.a", "SELECT u.y, u.x + 0.5 FROM u"])
        return f"SELECT t.a p, t.b q FROM t{where} {kinds} {other}", [("p", "n"), ("q", "n")]
    if x < 0.96:
        return f"SELECT t.a p, t.b q FROM t{where} ORDER BY t.id LIMIT 7", [("p", "n"), ("q", "n")]
    return f"SELECT COUNT(*) n, MAX(t.a) p FROM t{where}", [("n", "n"), ("p", "n")]


def around(r):
    """Something that reads only some of a derived table's rows, if it can."""
    inner, cols = query(r)
    numbers = [f"d.{c}" for c, k in cols if k == "n"]
    where = f" WHERE {condition(r, cols, 'd')}" if r.random() < 0.5 else ""
    x = r.random()
    if x < 0.5:
        calls = [r.choice(["MIN({})", "MAX({})", "MAX({})", "MIN({})", "COUNT({})", "COUNT(DISTINCT {})"]).format(r.choice(numbers)) for _ in range(r.randint(1, 2))]
        return f"SELECT {', '.join(calls)} FROM ({inner}) d{where}"
    if x < 0.7:
        by = r.choice(numbers)
        return f"SELECT {by}, {r.choice(['MIN', 'MAX'])}({r.choice(numbers)}) FROM ({inner}) d{where} GROUP BY {by}"
    if x < 0.85:
        return f"SELECT DISTINCT {', '.join(sorted({r.choice(numbers) for _ in range(2)}))} FROM ({inner}) d{where}"
    names = [f"d.{c}" for c, _ in cols]
    order = ", ".join(f"{c} {r.choice(['', 'DESC'])}" for c in r.sample(names, len(names)))
    return f"SELECT {', '.join(names)} FROM ({inner}) d{where} ORDER BY {order} LIMIT {r.randint(1, 5)}"


def inside(r):
    """A subquery whose derived table or common table expression reads a column of the block around it."""
    inner, cols = query(r, 0, "u.x")
    key = next(c for c, k in cols if k == "n")
    where = f" WHERE {condition(r, cols, 'd')}" if r.random() < 0.4 else ""
    source = ("", f"({inner}) d") if r.random() < 0.6 else (f"WITH d AS ({inner}) ", "d")
    x = r.random()
    if x < 0.6:
        return f"SELECT u.x, u.y, ({source[0]}SELECT {r.choice(['MIN', 'MAX', 'COUNT', 'SUM'])}(d.{key}) FROM {source[1]}{where}) FROM u"
    if x < 0.8:
        return f"SELECT u.x, u.y FROM u WHERE {r.choice(['', 'NOT '])}EXISTS ({source[0]}SELECT 1 FROM {source[1]}{where})"
    return f"SELECT u.x, u.y FROM u WHERE u.y {r.choice(['', 'NOT '])}IN ({source[0]}SELECT d.{key} FROM {source[1]}{where})"


def statement(r, outer=True):
    x = r.random()
    if x < 0.3:
        return around(r)
    if x < 0.5 and outer:
        return inside(r)
    inner, cols = query(r)
    cond = condition(r, cols, "d")
    names = ", ".join(f"d.{c}" for c, _ in cols)
    x = r.random()
    if x < 0.45:
        return f"SELECT {names} FROM ({inner}) d WHERE {cond}"
    if x < 0.6:
        return f"WITH d AS ({inner}) SELECT {names} FROM d WHERE {cond}"
    if x < 0.72:
        return f"SELECT u.x, {names} FROM u JOIN ({inner}) d ON d.{cols[0][0]} = u.x AND ({cond})" if cols[0][1] == "n" else f"SELECT {names} FROM ({inner}) d WHERE {cond}"
    if x < 0.88:
        key = next(c for c, k in cols if k == "n")
        return f"SELECT u.x, {names} FROM u LEFT JOIN ({inner}) d ON d.{key} = u.x WHERE {cond}"
    key = next(c for c, k in cols if k == "n")
    return f"SELECT u.x FROM u WHERE u.x IN (SELECT d.{key} FROM ({inner}) d WHERE {cond})"


def rows(cursor, sql):
    try:
        cursor.execute(sql)
        return sorted(map(repr, cursor.fetchall()))
    except Exception as e:  # an error is an answer
        return [f"E {e.args[0]}"]


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--statements", type=int, default=1500)
    a.add_argument("--peer", action="store_true", help="MariaDB answers too")
    a.add_argument("--mysql", action="store_true", help="MySQL answers too")
    a = a.parse_args()
    r = random.Random(a.seed)
    servers = [Server().start()] + ([MariaDB().start()] if a.peer else []) + ([MySQL().start()] if a.mysql else [])
    make = ["CREATE DATABASE IF NOT EXISTS d", "USE d", "CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT, c VARCHAR(8) COLLATE utf8mb4_general_ci, d DECIMAL(6,2), KEY (a), KEY (c), KEY (b, a))",
            "CREATE TABLE u (x INT, y INT, KEY (x))",
            "INSERT INTO t VALUES " + ", ".join(f"({i}, {literal(r, 'n')}, {literal(r, 'n')}, {literal(r, 's')}, {r.randint(0, 900) / 100})" for i in range(120)),
            "INSERT INTO u VALUES " + ", ".join(f"({r.choice(['NULL', 0, 1, 2, 3, 5, 8])}, {r.randint(0, 9)})" for _ in range(15))]
    cursors = []
    for s in servers:
        c = s.connect().cursor()
        for q in make:
            c.execute(q)
        cursors.append(c)
    c, wrong, seen = cursors[0], 0, collections.Counter()
    for n in range(a.statements):
        sql = statement(r, not a.peer)
        answers, plans = [], []
        for pushdown, merge in (("off", "on"), ("on", "on"), ("on", "off")):
            c.execute(f"SET optimizer_switch = 'derived_condition_pushdown={pushdown},derived_merge={merge}'")
            answers.append(rows(c, sql))
            plans.append(rows(c, "EXPLAIN FORMAT=TREE " + sql))
        if len(cursors) > 1:
            answers.append(rows(cursors[1], sql))
        seen["moved"] += plans[0] != plans[1]
        seen["merged"] += plans[1] != plans[2]
        seen["rows"] += bool(answers[0]) and not answers[0][0].startswith("E ")
        seen["errors"] += bool(answers[0]) and answers[0][0].startswith("E ")
        if any(x != answers[0] for x in answers[1:]):
            wrong += 1
            print(f"=== {n}: {sql}", *(f"  {x[:6]} ({len(x)})" for x in answers), sep="\n")
    print(f"{a.statements} statements, {wrong} differ; {dict(seen)}")
    for s in servers:
        s.remove()
    return 1 if wrong or min(seen["moved"], seen["merged"]) < a.statements // 12 else 0


if __name__ == "__main__":
    sys.exit(main())
