"""Window functions and frames.

MariaDB has no RANGE frames over dates and no default of LAG and LEAD: those are compared with a correlated subquery in golden/window.sql. It is asked
for one window function at a time: it shares sorts between windows that do not order alike. Here several together must give what each gives alone.
"""


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


class Area:
    name = "windows"

    def __init__(self, ctx, r):
        self.ctx, self.r = ctx, r

    def run(self, n):
        ctx, r = self.ctx, self.r
        end = ctx.counts["statements"] + n
        ctx.fresh()
        ctx.both("CREATE TABLE t (id INT PRIMARY KEY, g INT, v INT, d DECIMAL(8,2), f DOUBLE, s VARCHAR(5)) COLLATE utf8mb4_general_ci")
        while ctx.counts["statements"] < end:
            ctx.both("DELETE FROM t")
            ctx.both("INSERT INTO t VALUES " + ",".join(rows(r, r.choice([1, 7, 30, 60]))))
            for _ in range(15):
                calls = [call(r) for _ in range(r.randint(1, 4))]
                alone = [ctx.query(f"SELECT id, {c} c{i} FROM t ORDER BY id", ordered=True, types=False) for i, c in enumerate(calls)]
                if len(calls) > 1 and all(x[0] == "rows" for x in alone):
                    whole = [row[:1] + tuple(v for x in alone for v in x[2][i][1:]) for i, row in enumerate(alone[0][2])]
                    names = alone[0][1][:1] + [x[1][1] for x in alone]
                    ctx.own("each alone", "SELECT id, " + ", ".join(f"{c} c{i}" for i, c in enumerate(calls)) + " FROM t ORDER BY id", ("rows", names, whole), ordered=True)
