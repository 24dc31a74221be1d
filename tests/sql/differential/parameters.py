"""Parameters of every type, and one plan with other values.

A statement with a `?` for each literal is prepared once and executed with several sets of values in the binary protocol, on both servers; the same statement with
the values written as literals (which meets the plan cache's entry from the second time on) must give the same rows on ours. A parameter has the type of what
it stands beside; where a literal would be text among dates and times, it is written with a CAST.
"""
import re

from .columns import TYPES, fill, make_table
from .compare import ask

LITERALS = {"int": ["0", "1", "-1", "3", "100", "9223372036854775807"], "year": ["0", "-1", "100", "1999", "2020", "9223372036854775807"], "dbl": ["0.5e0", "1e2", "-2.5e0"], "str": ["'a'", "'B'", "'ab'", "''", "'10'", "'hello'", "' a'"],
            "date": ["'2020-01-01'", "'2020-02-29'", "'1999-12-31'"], "dt": ["'2020-01-01 00:00:00'", "'2021-06-15 01:02:03.25'"], "time": ["'12:34:56'", "'-00:00:01'", "'01:02:03.5'"]}
CASTS = {"date": "DATE", "dt": "DATETIME(6)", "time": "TIME(6)"}
OPERATORS = ["=", "<>", "<", ">", "<=", ">=", "<=>"]


def python(literal):
    """The parameter that stands for a literal."""
    if literal == "NULL":
        return None
    if literal[0] == "'":
        return literal[1:-1]
    return float(literal) if "e" in literal else int(literal)


class Area:
    name = "parameters"

    def __init__(self, ctx, r):
        self.ctx, self.r = ctx, r

    def condition(self, t):
        """(text with %s for each value, families of the values)"""
        r = self.r
        c = r.choice([c for c in t.columns if c.family in ("int", "dec", "dbl", "str", "date", "dt", "time", "year", "enum")])
        f = {"dec": r.choice(["int", "dbl"]), "enum": "str"}.get(c.family, c.family)
        x = r.random()
        if x < 0.5:
            return f"{c.name} {r.choice(OPERATORS)} %s", [f]
        if x < 0.65:
            return f"{c.name} {r.choice(['', 'NOT '])}BETWEEN %s AND %s", [f, f]
        if x < 0.8:
            return f"{c.name} {r.choice(['', 'NOT '])}IN (%s, %s, %s)", [f, f, f]
        if x < 0.9 and c.family == "str":
            return f"{c.name} LIKE %s", [f]
        value = f"CAST(%s AS {CASTS[f]})" if f in CASTS else "%s"
        return f"COALESCE({c.name}, {value}) {r.choice(OPERATORS)} {value}", [f, f]

    def statement(self, t):
        r = self.r
        parts, families = [], []
        for _ in range(r.choice([1, 1, 2, 3])):
            text, f = self.condition(t)
            parts.append(text)
            families += f
        where = parts[0]
        for p in parts[1:]:
            where = f"({where}) {r.choice(['AND', 'OR'])} {p}"
        x = r.random()
        cols = ", ".join(c.name for c in r.sample(t.columns, 3))
        if x < 0.5:
            return f"SELECT id, {cols} FROM t WHERE {where} ORDER BY id", families
        if x < 0.6:
            return f"SELECT COUNT(*), MIN(id), MAX(id) FROM t WHERE {where}", families
        if x < 0.7:
            return f"SELECT id FROM t WHERE {where} ORDER BY id DESC LIMIT 3", families
        if x < 0.8:
            return f"SELECT x.id, y.id FROM t x JOIN t y ON x.id = y.id + 1 WHERE x.id IN (SELECT id FROM t WHERE {where}) ORDER BY 1, 2", families
        if x < 0.9:
            return f"SELECT id, {where.split(' AND ')[0] if len(parts) == 1 and 'BETWEEN' not in where else where} FROM t ORDER BY id", families
        return f"SELECT id, CONCAT(id, %s), IFNULL(NULLIF(id, %s), 7) FROM t WHERE {where} ORDER BY id", ["str", "int"] + families

    def run(self, n):
        ctx, r = self.ctx, self.r
        end = ctx.counts["statements"] + n
        while ctx.counts["statements"] < end:
            ctx.fresh()
            t, ddl = make_table(r, "t", r.sample(sorted(TYPES), 12))
            if not all([ctx.both(s) for s in ddl + fill(r, t, 15)]):
                continue
            for _ in range(40):
                if ctx.counts["statements"] >= end:
                    break
                text, families = self.statement(t)
                for _ in range(3):
                    literals = ["NULL" if r.random() < 0.06 else r.choice(LITERALS[f]) for f in families]
                    written = text.replace("LIKE '%", "LIKE '%%") % tuple(literals)
                    ordered = "ORDER" in text
                    x = ctx.query(re.sub(r"CAST\(%s AS \w+(\(6\))?\)|%s", "?", text), ordered, [python(v) for v in literals], types=False)
                    ctx.own(f"{text} {literals}", written, x, ordered)
                    ask(ctx.a, "DO 0")
