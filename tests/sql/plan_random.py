#!/usr/bin/env python3
"""The answer does not depend on the plan: plan_random.py [--seed N] [--statements N]. Exit status 1 on a difference.

Random queries over one table (NULLs, duplicates, two collations, DESC indexes) run as the planner likes it and with hints and switches that take its
plans away: no indexes, no index merge, no ranges, no hash joins. Half of them while another connection has changed rows that it has not
committed, and in a snapshot older than the newest rows. Counts how many plans of each kind were seen, so that the test cannot pass by never
using them.
"""
import argparse
import collections
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from lib.db import Db  # noqa: E402
from lib.servers import Server  # noqa: E402

WORDS = ["a", "A", "b", "B", "bb", "", "ccc", "Ccc", "d", "e"]


def value(rnd, c, n):
    if rnd.random() < 0.12:
        return "NULL"
    return {"a": lambda: str(rnd.randint(0, 12)), "b": lambda: str(rnd.randint(0, n // 4)), "c": lambda: repr(rnd.choice(WORDS)),
            "g": lambda: repr(rnd.choice(WORDS) + rnd.choice(["", " "])), "d": lambda: str(rnd.randint(-300, 300) / 100),
            "e": lambda: "'2024-%02d-01 00:00:00'" % rnd.randint(1, 12), "u": lambda: str(rnd.randint(0, 400))}[c]()


def fill(rnd, db, n):
    db.query("CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT, c VARCHAR(10) COLLATE utf8mb4_0900_ai_ci, g VARCHAR(10) COLLATE utf8mb4_general_ci,"
             " d DECIMAL(6,2), e DATETIME, u INT NOT NULL, KEY ka (a), KEY kb (b), KEY kc (c), KEY kab (a, b), KEY kau (a, u),"
             " KEY kcd (c, d DESC), KEY kg (g, u DESC), KEY kd (d), KEY ke (e DESC), KEY ku (u))")
    rows = []
    for i in range(n):
        rows.append("(%d,%s,%s)" % (i, ",".join(value(rnd, c, n) for c in "abcgde"), rnd.randint(0, 400)))
    for at in range(0, n, 500):
        db.query("INSERT INTO t VALUES " + ",".join(rows[at:at + 500]))
    db.query("CREATE TABLE s LIKE t")
    db.query("INSERT INTO s SELECT * FROM t WHERE id % 3 = 0")
    db.query("ANALYZE TABLE t, s")


def rows(rnd, n):
    """Row equalities: IN, and a disjunction of them, of two or three columns in any order."""
    columns = rnd.choice([("a", "b"), ("a", "b"), ("b", "a"), ("a", "u"), ("c", "d"), ("u", "g"), ("a", "b", "u")])
    pick = lambda: "(%s)" % ", ".join(value(rnd, c, n) for c in columns)
    left, many = "(%s)" % ", ".join(columns), [pick() for _ in range(rnd.randint(1, 4))]
    kind = rnd.choice(["in", "in", "or", "not"])
    if kind == "or":
        return "(%s)" % " OR ".join(f"{left} = {v}" for v in many)
    return f"{left} {'NOT ' if kind == 'not' else ''}IN ({', '.join(many)})"


def narrow(rnd, n, columns):
    """WHERE over some of these columns (and a few that a loose index scan must fix before them)."""
    tests = [test(rnd, n, rnd.choice(columns)) for _ in range(rnd.randint(0, 2))]
    if rnd.random() < 0.2:
        tests.append(f"{rnd.choice([c for c in columns if c in 'abdu'] or ['u'])} + 1 < {rnd.randint(3, 300)}")
    if rnd.random() < 0.3:
        tests.append(f"a = {rnd.randint(0, 12)}")
    return f" WHERE {' AND '.join(tests)}" if tests else ""


def after(rnd, n):
    """What comes behind a row in the order of two or three columns: as a row comparison, or written out."""
    columns = rnd.choice([("a", "b"), ("a", "u"), ("c", "d"), ("u", "id"), ("a", "b", "u"), ("d", "id")])
    op, equal = rnd.choice("<>"), rnd.choice(["", "="])
    values = [str(rnd.randint(0, n)) if c == "id" else value(rnd, c, n) for c in columns]
    if rnd.random() < 0.5:
        return f"({', '.join(columns)}) {op}{equal} ({', '.join(values)})"
    branches = []
    for i, c in enumerate(columns):
        before = [f"{x} = {y}" for x, y in zip(columns[:i], values)]
        last = f"{c} {op}{equal if i == len(columns) - 1 else ''} {values[i]}"
        branches.append(" AND ".join(before + [last]))
    return "(" + " OR ".join(branches) + ")"


def test(rnd, n, column=None):
    c = column or rnd.choice("abcgdeu")
    v = value(rnd, c, n)
    kind = rnd.choice(["=", "=", "=", "range", "in", "null", "like", "<=>", "rows", "out", "not", "after"])
    if column and kind in ("rows", "like", "after"):
        kind = rnd.choice(["range", "out"])
    w = value(rnd, c, n)
    if kind == "out":  # ranges between what is left out
        return rnd.choice([f"{c} <> {v}", f"{c} NOT IN ({v}, {w})", f"{c} NOT BETWEEN {v} AND {w}", f"{c} <> {v} AND {c} <> {w}",
                           f"({c} <> {v} OR {c} IS NULL)"])
    if kind == "not":
        return f"NOT {rnd.choice([f'{c} >= {v}', f'{c} = {v}', f'{c} <> {v}', f'{c} <=> {v}', f'{c} BETWEEN {v} AND {w}', f'{c} IN ({v}, {w})', f'({c} < {v} OR {c} > {w})'])}"
    if kind == "after":
        return after(rnd, n)
    if kind == "rows":
        return rows(rnd, n)
    if kind == "=":
        return f"{c} = {v}"
    if kind == "<=>":
        return f"{c} <=> {v}"
    if kind == "range":
        return rnd.choice([f"{c} < {v}", f"{c} >= {v}", f"{c} BETWEEN {v} AND {value(rnd, c, n)}"])
    if kind == "in":
        return f"{c} IN ({v}, {value(rnd, c, n)})"
    if kind == "null":
        return f"{c} IS {rnd.choice(['', 'NOT '])}NULL"
    return f"c LIKE '{rnd.choice(['a', 'b', 'c', 'C'])}%'"


def where(rnd, n):
    kind = rnd.choice(["none", "one", "or", "or", "keys", "and", "and", "both", "nested"])
    t = lambda: test(rnd, n)
    key = lambda: (lambda c: f"{c} = {value(rnd, c, n)}")(rnd.choice("bdu"))  # few rows each
    return {"none": "", "one": t(), "or": " OR ".join(t() for _ in range(rnd.randint(2, 4))),
            "keys": " OR ".join(key() for _ in range(rnd.randint(2, 4))), "and": f"{t()} AND {t()}",
            "both": f"({t()} OR {t()}) AND {t()}", "nested": f"({t()} AND {t()}) OR {t()} OR ({t()} AND {t()})"}[kind]


def semijoin(rnd, n, w):
    """EXISTS and IN, alone, nested, over two tables, and aggregates of a group outside."""
    x = rnd.choice(["a", "b", "u", "id", "g", "d"])
    inner = rnd.choice(["", f" AND x.u > {rnd.randint(0, 400)}", " AND x.id <> t.id", " AND x.a IS NOT NULL", " AND x.b < t.b"])
    more = f" AND ({w})" if w and rnd.random() < 0.5 else ""
    no = rnd.choice(["", "", "NOT "])
    two = rnd.choice(["", "", " JOIN s y ON y.id = x.id", " LEFT JOIN s y ON y.a = x.a AND y.u = x.u"])
    kind = rnd.choice(["exists", "exists", "in", "in", "nested", "group"])
    if kind == "exists":
        cond = f"{no}EXISTS (SELECT 1 FROM s x{two} WHERE x.{x} = t.{x}{inner})"
    elif kind == "in":
        cond = f"t.{x} {no}IN (SELECT x.{x} FROM s x{two} WHERE x.{x} IS NOT NULL{inner})"
    elif kind == "nested":
        cond = f"t.{x} {no}IN (SELECT x.{x} FROM s x WHERE x.u IN (SELECT z.u FROM s z WHERE z.a = {rnd.randint(0, 12)}){inner})"
    else:
        agg = rnd.choice(["COUNT(*)", "SUM(x.u)", "MAX(x.b)", "COUNT(x.a) + 1"])
        return f"SELECT %s t.id, (SELECT {agg} FROM s x WHERE x.{x} = t.{x}{inner}) v FROM t WHERE t.u < 60{more}"
    return f"SELECT %s t.id, t.a FROM t WHERE {cond}{more}"


def groups(rnd, n):
    """What a loose index scan may serve, with conditions that do not tell the rows of a group apart (mostly)."""
    group, then = rnd.choice([("a", "u"), ("a", "b"), ("c", None), ("c", "d"), ("g", "u"), ("u", None), ("d", None), ("e", None), ("a, u", None), ("a, b", None)])
    columns = group.split(", ")
    what = rnd.choice([f"DISTINCT {group}", f"COUNT(DISTINCT {group})", "group", "group", "inner"])
    own = narrow(rnd, n, columns if rnd.random() < 0.9 or not then else columns + [then])
    if what == "inner" and then:
        return f"SELECT %s {group}, COUNT(DISTINCT {then}) FROM t{own} GROUP BY {group}"
    if what in ("group", "inner"):
        agg = f", {rnd.choice(['MIN', 'MAX'])}({then or columns[0]})" if rnd.random() < 0.8 else ""
        return f"SELECT %s {group}{agg} FROM t{own} GROUP BY {group}"
    return f"SELECT %s {what} FROM t{own}"


def early(rnd, n):
    """Groups and distinct rows in the order of ORDER BY, of one table or two, where LIMIT may end the reading."""
    group = rnd.choice([["a"], ["a", "u"], ["a", "b"], ["d"], ["e"], ["u"], ["u", "a"], ["id"], ["b", "id"]])
    order = rnd.sample(group, rnd.randint(1, len(group)))
    order += [g for g in group if g not in order]  # so that the answer is one only
    way = rnd.choice(["", " DESC"])
    by = ", ".join(f"t.{c}{way}" for c in order)
    listed = ", ".join(f"t.{c}" for c in group)
    limit = rnd.choice(["", f" LIMIT {rnd.randint(1, 9)}", f" LIMIT {rnd.randint(1, 9)} OFFSET {rnd.randint(1, 5)}"])
    own = [f"t.{c} {rnd.choice(['<>', '>', '<='])} {value(rnd, c, n)}" for c in rnd.sample("abu", rnd.randint(0, 1))]
    cond = f" WHERE {' AND '.join(own)}" if own else ""
    if rnd.random() < 0.3:
        return f"SELECT %s DISTINCT {listed} FROM t{cond} ORDER BY {by}{limit}"
    join = rnd.choice(["", "", " LEFT JOIN s ON s.b = t.b", " JOIN s ON s.a = t.a AND s.u = t.u"])
    agg = "COUNT(*), SUM(s.u)" if join else rnd.choice(["COUNT(*)", "SUM(t.u)", "MAX(t.b), MIN(t.u)"])
    having = rnd.choice(["", "", " HAVING COUNT(*) > 1"])
    return f"SELECT %s {listed}, {agg} FROM t{join}{cond} GROUP BY {listed}{having} ORDER BY {by}{limit}"


def skipped(rnd, n):
    """What a skip scan may serve: a condition on the second part of an index that has all columns."""
    first, c = rnd.choice([("a", "b"), ("a", "u"), ("c", "d"), ("g", "u")])
    v, w = value(rnd, c, n), value(rnd, c, n)
    cond = rnd.choice([f"{c} = {v}", f"{c} < {v}", f"{c} > {v} AND {c} <= {w}", f"{c} BETWEEN {v} AND {w}", f"{c} >= {v}"])
    more = rnd.choice(["", "", f" AND id % {rnd.randint(2, 5)} = 0", f" AND {first} IS NOT NULL"])
    what = rnd.choice([f"{first}, {c}, id", f"{first}, {c}, id", f"COUNT(*), MIN({first})"])
    return f"SELECT %s {what} FROM t IGNORE INDEX (kb, ku, kd) WHERE {cond}{more}"


def quantified(rnd, n):
    """ANY and ALL, of all rows or of those that a row outside chooses."""
    x, y = rnd.choice([("a", "a"), ("b", "u"), ("u", "b"), ("c", "c"), ("d", "d"), ("e", "e"), ("a", "d")])
    own = rnd.choice(["", "", f" WHERE s.u < {rnd.randint(0, 60)}", f" WHERE s.{y} IS NOT NULL", " WHERE s.id = t.id", " WHERE FALSE"])
    cond = f"t.{x} {rnd.choice(['=', '<>', '<', '<=', '>', '>='])} {rnd.choice(['ANY', 'ALL'])} (SELECT s.{y} FROM s{own})"
    return rnd.choice([f"SELECT %s id FROM t WHERE {cond}", f"SELECT %s id FROM t WHERE NOT {cond}", f"SELECT %s id, {cond} FROM t WHERE id % 5 = 0"])


def statement(rnd, n):
    """(text with a place for hints, whether the order counts)"""
    if rnd.random() < 0.1:
        return early(rnd, n), True
    w = where(rnd, n)
    cond = f" WHERE {w}" if w else ""
    if rnd.random() < 0.15:
        return semijoin(rnd, n, w), False
    if rnd.random() < 0.15:
        return groups(rnd, n), False
    if rnd.random() < 0.08:
        return skipped(rnd, n), False
    if rnd.random() < 0.05:
        return quantified(rnd, n), False
    kind = rnd.choice(["rows", "rows", "rows", "count", "ends", "ends", "distinct", "distinct", "count distinct", "group", "group", "order", "join", "delete"])
    if rnd.random() < 0.08:  # two equalities on columns with few values
        x, y = rnd.sample("ace", 2)
        return f"SELECT %s id, d, g FROM t WHERE {x} = {value(rnd, x, n)} AND {y} <=> {value(rnd, y, n)}", False
    cols = rnd.sample("abcgdeu", rnd.randint(1, 2))
    if kind == "rows":
        return f"SELECT %s id, a, c FROM t{cond}", False
    if kind == "count":
        return f"SELECT %s COUNT(*), SUM(b) FROM t{cond}", False
    if kind == "ends":
        of = rnd.choices(["a", "b", "d", "e", "u", "c", "id"], k=rnd.choice([1, 1, 2, 2, 3]))
        one = rnd.random() < 0.3  # both ends of one index, which a condition may narrow
        each = ", ".join(f"{rnd.choice(['MIN', 'MAX'])}({of[0] if one else x})" for x in of)
        return f"SELECT %s {each} FROM t{cond if rnd.random() < 0.6 else ''}", False
    if kind == "distinct":
        return f"SELECT %s DISTINCT {', '.join(cols)} FROM t{cond if rnd.random() < 0.2 else narrow(rnd, n, cols)}", False
    if kind == "count distinct":
        group = rnd.choice(["", "", rnd.choice("abdeu")])
        what = rnd.choice([f"COUNT(DISTINCT {', '.join(cols)})", f"COUNT(DISTINCT {', '.join(cols)})", f"SUM(DISTINCT {cols[0]}), AVG(DISTINCT {cols[0]})"])
        if "SUM" in what and cols[0] not in "abdu":
            what = f"COUNT(DISTINCT {cols[0]})"
        own = narrow(rnd, n, cols + ([group] if group else []))
        return f"SELECT %s {group + ', ' if group else ''}{what} FROM t{own}{' GROUP BY ' + group if group else ''}", False
    if kind == "group":
        x = rnd.choice("abdeu")
        agg = rnd.choice(["", f", MIN({x})", f", MAX({x})", f", MIN({x}), MAX({x})", ", COUNT(*)", f", MAX({x}), MAX({x}) + 1", f", COUNT(DISTINCT {x})"])
        having = rnd.choice(["", "", f" HAVING {cols[0]} IS NOT NULL"])
        return f"SELECT %s {', '.join(cols)}{agg} FROM t{cond if rnd.random() < 0.2 else narrow(rnd, n, cols)} GROUP BY {', '.join(cols)}{having}", False
    if kind == "order":
        return f"SELECT %s id, {cols[0]} FROM t{cond} ORDER BY {cols[0]}{rnd.choice(['', ' DESC'])}, id LIMIT {rnd.randint(1, 30)}", True
    if kind == "join":
        on = rnd.choice(["s.a = t.a AND s.u = t.u", "s.b = t.b", "s.g = t.g AND s.d = t.d", "s.id = t.u"])
        return f"SELECT %s t.id, s.id FROM t {rnd.choice(['', 'LEFT '])}JOIN s ON {on}", False
    return f"DELETE %s FROM s{cond}", "delete"


OFF = ["/*+ NO_INDEX(t) NO_INDEX(s) */", "/*+ NO_INDEX_MERGE(t) NO_INDEX_MERGE(s) */", "/*+ NO_RANGE_OPTIMIZATION(t) */", "/*+ NO_BNL(t, s) */",
       "/*+ NO_INDEX(t ka, kab, kau) */", "/*+ NO_SKIP_SCAN(t) */", "/*+ SET_VAR(optimizer_switch='semijoin=off') */"]


def plain(rows):
    """Rows without what collations do not tell apart."""
    return [tuple(v.casefold().rstrip() if isinstance(v, str) else v for v in r) for r in rows]


def answer(db, sql, how):
    if how == "delete":
        db.query("BEGIN")
        db.query(sql)
        rows = db.query("SELECT id FROM s IGNORE INDEX (ka, kb, kc) ORDER BY id")
        db.query("ROLLBACK")
        return list(rows)
    rows = plain(db.query(sql))
    return rows if how else sorted(rows, key=repr)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--statements", type=int, default=400)
    p.add_argument("--rows", type=int, default=1500)
    args = p.parse_args()
    rnd = random.Random(args.seed)
    server = Server()
    server.start()
    bad, seen = 0, collections.Counter()
    try:
        Db(server.connect(autocommit=True)).query("CREATE DATABASE IF NOT EXISTS test")
        db, other = (Db(server.connect(database="test", autocommit=True)) for _ in range(2))
        fill(rnd, db, args.rows)
        for n in range(args.statements):
            if n == args.statements // 2:
                # a snapshot, and changes that it must not see
                db.query("SET autocommit = 0")
                db.query("SELECT COUNT(*) FROM t")
                other.query("UPDATE t SET a = a + 1, u = u + 7, c = 'new' WHERE id % 5 = 0")
                other.query("DELETE FROM t WHERE id % 7 = 0")
                other.query("BEGIN")
                other.query("UPDATE t SET b = 1, d = 0, u = 1 WHERE id % 3 = 0")
            text, how = statement(rnd, args.rows)
            if how == "delete" and n >= args.statements // 2:
                continue
            sql = text.replace("%s", "", 1)
            right = answer(db, sql, how)
            if how != "delete":
                for row in db.query("EXPLAIN " + sql):
                    seen[row[4]] += 1
                    for e in (row[11] or "").split("; "):
                        seen[e.split("(")[0]] += 1
            for hint in OFF:
                got = answer(db, text.replace("%s", hint, 1), how)
                if got != right:
                    bad += 1
                    a, b = set(map(repr, right)), set(map(repr, got))
                    print(f"DIFFERS {sql}\n  with {hint}: {len(right)} and {len(got)} rows; only without it {sorted(a - b)[:3]}, only with it {sorted(b - a)[:3]}")
                    print("  ", db.query("EXPLAIN FORMAT=TREE " + sql)[0][0].strip())
            if bad > 5:
                break
    finally:
        server.kill()
        server.remove()
    print(f"{args.statements} statements, {bad} differ; plans seen: {dict(seen)}")
    missing = [k for k in ("index_merge", "Using union", "Using sort_union", "Using intersect", "Using index for group-by", "Using index for skip scan") if not seen[k]]
    if missing:
        print("never seen:", missing)
    return 1 if bad or missing else 0


if __name__ == "__main__":
    sys.exit(main())
