#!/usr/bin/env python3
"""Random window functions and frames against MariaDB: window_random.py [--seed N] [--statements N]. Exit status 1 on a difference.

MariaDB has no RANGE frames over dates and no default of LAG and LEAD: those are compared with a correlated subquery in golden/window.sql.
"""
import argparse
import decimal
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from lib.servers import MariaDB, Server  # noqa: E402


def rows(rnd, n):
    out = []
    for i in range(1, n + 1):
        v = lambda f: "NULL" if rnd.random() < 0.15 else f()
        out.append(f"({i},{v(lambda: str(rnd.randint(0, 3)))},{v(lambda: str(rnd.randint(-5, 12)))},"
                   f"{v(lambda: str(rnd.randint(-500, 500) / 100))},{v(lambda: str(rnd.randint(0, 20) * 0.5))},"
                   f"{v(lambda: repr(rnd.choice(['a', 'b', 'B', 'c', 'dd'])))})")
    return out


def bound(rnd, first, rng):
    kind = rnd.choice(["UNBOUNDED PRECEDING" if first else "UNBOUNDED FOLLOWING", "CURRENT ROW", "P", "F"])
    if kind == "P":
        return 1, f"{rnd.randint(0, 4)} PRECEDING"
    if kind == "F":
        return 3, f"{rnd.randint(0, 4)} FOLLOWING"
    return {"UNBOUNDED PRECEDING": (0, kind), "CURRENT ROW": (2, kind), "UNBOUNDED FOLLOWING": (4, kind)}[kind]


def window(rnd, framed):
    part = rnd.choice(["", "PARTITION BY g ", "PARTITION BY s ", "PARTITION BY g, s "])
    if not framed:
        return f"({part}ORDER BY {rnd.choice(['v', 'v DESC', 's, v', 'd'])}, id)"
    unit = rnd.choice(["ROWS", "RANGE", None])
    if unit is None:
        return f"({part}{rnd.choice(['', 'ORDER BY v', 'ORDER BY g, v DESC', 'ORDER BY d'])})"
    while True:
        (a, start), (b, end) = bound(rnd, True, unit), bound(rnd, False, unit)
        # MariaDB takes frames that end before they begin for something else
        if a < b or (a == b and a in (1, 3) and (int(start.split()[0]) - int(end.split()[0])) * (1 if a == 1 else -1) >= 0):
            break
    if unit == "ROWS":
        order = rnd.choice(["id", "id DESC", "v, id", "d DESC, id"])
    else:
        order = rnd.choice(["v", "v DESC", "d", "d DESC", "f", "f DESC"])
    return f"({part}ORDER BY {order} {unit} BETWEEN {start} AND {end})"


def call(rnd):
    col = rnd.choice(["v", "d", "s", "f", "id"])
    num = rnd.choice(["v", "d", "id"])
    f = rnd.choice(["row_number", "rank", "ntile", "lag", "agg", "agg", "agg", "agg", "first", "nth"])
    if f == "row_number":
        return f"ROW_NUMBER() OVER {window(rnd, False)}"
    if f == "rank":
        w = f"({rnd.choice(['', 'PARTITION BY g '])}ORDER BY {rnd.choice(['v', 'v DESC', 'g, v', 's'])})"
        g = rnd.choice(["RANK()", "DENSE_RANK()", "PERCENT_RANK()", "CUME_DIST()"])
        return f"CAST({g} OVER {w} AS DECIMAL(20,8))"
    if f == "ntile":
        return f"NTILE({rnd.randint(1, 9)}) OVER {window(rnd, False)}"
    if f == "lag":
        return f"{rnd.choice(['LAG', 'LEAD'])}({col},{rnd.randint(0, 4)}) OVER {window(rnd, False)}"
    # which of several equal rows comes first is open: values that depend on it are asked for with a total order
    if f == "first":
        w = f"({rnd.choice(['', 'PARTITION BY g '])}ORDER BY v, id ROWS BETWEEN {rnd.randint(0, 4)} PRECEDING AND {rnd.randint(0, 4)} FOLLOWING)"
        return f"{rnd.choice(['FIRST_VALUE', 'LAST_VALUE'])}({col}) OVER {w}"
    if f == "nth":
        w = f"(ORDER BY d, id ROWS BETWEEN {rnd.randint(0, 4)} PRECEDING AND {rnd.randint(0, 4)} FOLLOWING)"
        return f"NTH_VALUE({col},{rnd.randint(1, 4)}) OVER {w}"
    w = window(rnd, True)
    g = rnd.choice(["COUNT(*)", f"COUNT({col})", f"SUM({num})", f"AVG({num})", f"MIN({rnd.choice(['v', 'd', 'id'])})",
                    f"MAX({rnd.choice(['v', 'd', 'id'])})", "BIT_XOR(id)", "S", "F"])
    if g == "S":
        return f"CAST({rnd.choice(['STDDEV_POP', 'VAR_SAMP', 'VARIANCE'])}(f) OVER {w} AS DECIMAL(20,3))"
    if g == "F":
        return f"ROUND(SUM(f) OVER {w}, 6)"
    return f"{g} OVER {w}"


def norm(v):
    if isinstance(v, (decimal.Decimal, float, int)) and v is not None:
        return round(float(v), 6) + 0.0
    return v


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--statements", type=int, default=400)
    a = ap.parse_args()
    rnd = random.Random(a.seed)
    ours, peer = Server(), MariaDB()
    bad = 0
    try:
        conns = []
        for s in (ours, peer):
            s.start()
            c = s.connect()
            c.autocommit(True)
            conns.append(c.cursor())
        for c in conns:
            c.execute("CREATE DATABASE w CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")
            c.execute("USE w")
            c.execute("CREATE TABLE t (id INT PRIMARY KEY, g INT, v INT, d DECIMAL(8,2), f DOUBLE, s VARCHAR(5))")
        for i in range(a.statements):
            if i % 40 == 0:
                data = rows(rnd, rnd.choice([1, 7, 30, 60]))
                for c in conns:
                    c.execute("DELETE FROM t")
                    c.execute("INSERT INTO t VALUES " + ",".join(data))
            calls = [call(rnd) for _ in range(rnd.randint(1, 4))]
            q = "SELECT id, " + ", ".join(f"{c} c{n}" for n, c in enumerate(calls)) + " FROM t ORDER BY id"
            # MariaDB is asked for one at a time: it shares sorts between windows that do not order alike
            answers = []
            for c, texts in zip(conns, ([q], [f"SELECT id, {x} c0 FROM t ORDER BY id" for x in calls])):
                try:
                    got = []
                    for x in texts:
                        c.execute(x)
                        got.append([tuple(map(norm, r)) for r in c.fetchall()])
                    answers.append([r[0][:1] + tuple(v for x in r for v in x[1:]) for r in zip(*got)])
                except Exception as e:  # noqa: BLE001
                    answers.append(str(e))
            # several windows in one statement give what each gives alone
            for n, c in enumerate(calls):
                conns[0].execute(f"SELECT {c} FROM t ORDER BY id")
                alone = [norm(r[0]) for r in conns[0].fetchall()]
                if isinstance(answers[0], list) and alone != [r[n + 1] for r in answers[0]]:
                    bad += 1
                    print("TOGETHER", c, "IN", q)
            if answers[0] != answers[1]:
                bad += 1
                print("DIFFERS", q)
                if isinstance(answers[0], str) or isinstance(answers[1], str):
                    print("  ours", str(answers[0])[:200], "peer", str(answers[1])[:200])
                else:
                    for x, y in zip(*answers):
                        if x != y:
                            print("  ours", x, "peer", y)
                            break
    finally:
        ours.kill()
        peer.kill()
        ours.remove()
        peer.remove()
    print(f"{a.statements} statements, {bad} differences")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
