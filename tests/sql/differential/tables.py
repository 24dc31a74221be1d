"""Tables with columns of the plain types, boundary values and strings that collations care about; reading and changing them.

SELECT (joins, subqueries, WHERE, GROUP BY, HAVING, DISTINCT, ORDER BY, LIMIT, UNION), INSERT in its forms, REPLACE, UPDATE, DELETE, transactions with savepoints. Every
SELECT also runs on Evenkeel with FORCE INDEX of a random index of each table and with all indexes ignored: all answers must agree.
"""
import random
import re

from .compare import ask

NUM, STR, DATE, TIME, DT = "num", "str", "date", "time", "dt"
INTS = {"TINYINT": (-128, 127), "TINYINT UNSIGNED": (0, 255), "SMALLINT": (-32768, 32767), "SMALLINT UNSIGNED": (0, 65535),
        "MEDIUMINT": (-8388608, 8388607), "INT": (-2147483648, 2147483647), "INT UNSIGNED": (0, 4294967295),
        "BIGINT": (-2**63, 2**63 - 1), "BIGINT UNSIGNED": (0, 2**64 - 1)}
CI = ["utf8mb4_general_ci", "utf8mb4_unicode_ci", "latin1_swedish_ci"]
WORDS = ["", "a", "A", "b", "B", "ab", "Ab", "AB", "abc", "aBC", "b c", "z", "Z", "zz", "0", "1", "10", "9", "-5", "1.5", "1e1", "_", "%", "a%", "a_", "\\\\", "''",
         "hello", "Hello", "hello world", "ba", "bb", "bz"]


class Column:
    def __init__(self, name, kind, ddl, values, exact=True, wide=False):
        self.name, self.kind, self.ddl, self.values = name, kind, ddl, values
        self.exact = exact  # equal means identical (no case-insensitive collation)
        self.wide = wide  # values near the limits of BIGINT: no arithmetic
        self.null = True


class Gen:
    """Everything random of one seed."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.tables = []
        self.next_id = 1

    def pick(self, *weighted):
        total = sum(w for w, _ in weighted)
        x = self.r.random() * total
        for w, v in weighted:
            x -= w
            if x < 0:
                return v
        return weighted[-1][1]

    # ---- schema

    def column(self, n):
        r = self.r
        name = f"c{n}"
        kind = self.pick((35, "int"), (12, "dec"), (6, "double"), (30, "str"), (5, "bin"), (6, "date"), (3, "time"), (6, "dt"))
        if kind == "int":
            t = r.choice(list(INTS))
            lo, hi = INTS[t]
            pool = [lo, hi, max(lo, -1), 0, 1, 2, 3, 5, 7, 10, 100, hi - 1, lo + 1] + [x for x in (-2, -7, -100) if x >= lo]
            small = [x for x in pool if abs(x) <= 100]
            values = [str(x) for x in small * 2 + pool]
            return Column(name, NUM, t, values, wide="BIG" in t or t == "INT UNSIGNED")
        if kind == "dec":
            p, s = r.choice([(5, 2), (10, 0), (10, 3), (20, 5), (30, 10)])
            pool = ["0", "1", "-1", "1.5", "-1.5", "2.25", "10", "99.99", "-99.99", "0.01", "0.1", "7"]
            if s == 0:
                pool = ["0", "1", "-1", "2", "10", "99", "-99", "7"]
            if s == 2 or s == 3:
                pool.append("999.99")
            return Column(name, NUM, f"DECIMAL({p},{s})", pool)
        if kind == "double":
            return Column(name, NUM, "DOUBLE", ["0", "1", "-1", "1.5", "-2.5", "0.25", "1e5", "-1e5", "100", "7", "1e-3"])
        if kind == "str":
            coll = r.choice(CI + ["utf8mb4_bin", "utf8mb4_bin"])
            t = self.pick((60, f"VARCHAR({r.choice([3, 10, 40])})"), (20, f"CHAR({r.choice([3, 10])})"), (10, "TEXT"), (10, "TINYTEXT"))
            limit = int(t[t.index("(") + 1:-1]) if "(" in t else 100
            words = [w for w in WORDS if len(w.replace("''", "'").replace("\\\\", "\\")) <= limit]
            words += [w + " " for w in ("a", "b", "AB") if len(w) < limit]
            charset = coll.split("_")[0]
            c = Column(name, STR, f"{t} CHARACTER SET {charset} COLLATE {coll}", [f"'{w}'" for w in words], exact=False)
            c.text = "TEXT" in t
            c.collation = coll
            return c
        if kind == "bin":
            t = r.choice(["VARBINARY(10)", "BLOB"])
            c = Column(name, STR, t, [f"'{w}'" for w in WORDS if len(w) <= 10])
            c.text = t == "BLOB"
            c.collation = "binary"
            return c
        if kind == "date":
            return Column(name, DATE, "DATE", [f"'{d}'" for d in ("2020-01-01", "2020-02-29", "1999-12-31", "1000-01-01", "9999-12-31", "2021-06-15", "2020-01-02")])
        if kind == "time":
            digits = r.choice([0, 3, 6])
            # beside a column a constant is rounded to its digits, in MariaDB it is not
            fractions = ("01:02:03.5", "23:59:59.999") if digits else ("01:02:03", "23:59:59")
            return Column(name, TIME, f"TIME({digits})", [f"'{d}'" for d in ("00:00:00", "-838:59:59", "838:59:59", "12:34:56", "-00:00:01", *fractions)])
        t = r.choice(["DATETIME", "DATETIME(3)", "DATETIME(6)", "TIMESTAMP NULL"])
        pool = ["2020-01-01 00:00:00", "2020-02-29 12:34:56", "1999-12-31 23:59:59", "2021-06-15 01:02:03", "2020-01-01 00:00:01", "2020-01-01 10:00:00.5"]
        if "DATETIME" in t:
            pool += ["1000-01-01 00:00:00", "9999-12-31 23:59:59"]
        return Column(name, DT, t, [f"'{d}'" for d in pool])

    def schema(self):
        r = self.r
        out = []
        for t in range(r.randint(2, 4)):
            name = f"t{t}"
            id = Column("id", NUM, "INT", [str(x) for x in range(0, 60)])
            cols = [id] + [self.column(i) for i in range(1, r.randint(3, 8))]
            for c in cols[1:]:
                c.null = r.random() < 0.75
            id.null = False
            parts, indexes = [f"{c.name} {c.ddl}" + ("" if c.null else " NOT NULL") for c in cols], []
            others = [c for c in cols[1:]]
            pk = self.pick((70, "id"), (12, "composite"), (10, "unique"), (8, "none"))
            solid = [c for c in others if not c.null and not getattr(c, "text", False)]
            if pk != "id":  # ids stay unique, so that ORDER BY id is a total order; a nullable key is not the clustered one
                id.null = pk == "none"
                parts[0] = f"id INT{'' if id.null else ' NOT NULL'}"
                parts.append("UNIQUE KEY uid (id)")
                indexes.append("uid")
            if pk == "composite" and solid:
                parts.append(f"PRIMARY KEY ({r.choice(solid).name}, id)")
            elif pk == "id":
                parts.append("PRIMARY KEY (id)")
                indexes.append("PRIMARY")
            for i in range(r.randint(0, 4)):
                chosen = r.sample(cols, min(len(cols), self.pick((50, 1), (35, 2), (15, 3))))
                keys = []
                for c in chosen:
                    k = c.name
                    if getattr(c, "text", False):
                        k += f"({r.choice([1, 2, 5])})"
                    elif c.kind == STR and r.random() < 0.25:
                        k += f"({r.choice([1, 2])})"
                    if r.random() < 0.2:
                        k += " DESC"
                    keys.append(k)
                unique = r.random() < 0.15
                parts.append(f"{'UNIQUE ' if unique else ''}KEY k{i} ({', '.join(keys)})")
                indexes.append(f"k{i}")
            out.append(f"CREATE TABLE {name} (" + ", ".join(parts) + ") CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")
            self.tables.append((name, cols, indexes))
            for _ in range(self.pick((5, 0), (15, 1), (80, r.randint(2, 9)))):
                out.append(self.insert(self.tables[-1], "INSERT IGNORE", rows=r.randint(1, 8)))
        return out

    def value(self, c, null=0.15):
        if c.name == "id":
            self.next_id += 1
            return str(self.next_id)
        if c.null and self.r.random() < null:
            return "NULL"
        return self.r.choice(c.values)

    # ---- expressions: a scope is a list of (alias, column)

    def of(self, scope, kind, arith=False):
        return [(a, c) for a, c in scope if c.kind == kind and not (arith and c.wide)]

    def num(self, scope, depth=2, literal=True):
        r = self.r
        cols = self.of(scope, NUM, arith=True)
        k = self.pick((50 if cols else 0, "col"), (20 if literal else 0.01, "lit"), (25 if depth else 0, "op"), (20 if depth else 0, "fn"))
        if k == "col":
            a, c = r.choice(cols)
            return f"{a}.{c.name}"
        if k == "lit":
            return r.choice(["0", "1", "2", "-1", "3", "10", "1.5", "0.25", "100"])
        x = self.num(scope, depth - 1)
        if k == "op":
            y = self.num(scope, depth - 1)
            return r.choice([f"({x} + {y})", f"({x} - {y})", f"({x} * {y})", f"(- {x})", f"({x} DIV {y})", f"({x} % {y})", f"({x} / {y})"])
        p = self.pred(scope, depth - 1)
        s = self.str(scope, depth - 1)
        return r.choice([f"ABS({x})", f"COALESCE({x}, {self.num(scope, depth - 1)})", f"IF({p}, {x}, {self.num(scope, depth - 1)})", f"IFNULL({x}, 0)",
                         f"CASE WHEN {p} THEN {x} ELSE {self.num(scope, depth - 1)} END", f"LENGTH({s})", f"CHAR_LENGTH({s})", f"NULLIF({x}, 1)", f"SIGN({x})",
                         f"ROUND({x})", f"FLOOR({x})", f"CEIL({x})", f"GREATEST({x}, {self.num(scope, depth - 1)})", f"LEAST({x}, 2)", f"({p})"])

    def str(self, scope, depth=2):
        r = self.r
        cols = self.of(scope, STR)
        k = self.pick((55 if cols else 0, "col"), (15, "lit"), (25 if depth else 0, "fn"))
        if k == "col":
            a, c = r.choice(cols)
            return f"{a}.{c.name}"
        if k == "lit":
            return "'" + r.choice(WORDS[:26]) + "'"
        x = self.str(scope, depth - 1)
        return r.choice([f"UPPER({x})", f"LOWER({x})", f"LEFT({x}, 2)", f"SUBSTRING({x}, 2)", f"TRIM({x})", f"REPLACE({x}, 'a', 'x')", f"CONCAT({x}, 'q')",
                         f"COALESCE({x}, 'n')", f"REVERSE({x})", f"RPAD({x}, 3, '-')", f"CONCAT(LENGTH({x}), '-')"])

    def temporal(self, scope, kind, depth=1):
        r = self.r
        cols = self.of(scope, kind)
        if cols and r.random() < 0.75:
            a, c = r.choice(cols)
            return f"{a}.{c.name}"
        return {DATE: f"DATE{r.choice(['2020-01-01', '2020-02-29', '2021-06-15'])!r}", TIME: "TIME'12:34:56'",
                DT: f"TIMESTAMP{r.choice(['2020-01-01 00:00:00', '2020-02-29 12:34:56'])!r}"}[kind]

    def literal_for(self, c):
        r = self.r
        v = r.choice(c.values)
        if c.kind == NUM and r.random() < 0.12 and "INT" in c.ddl:
            return r.choice(["2.0", "1e0", "1e30", "-1e30", "99999999999999999999", "'1'", "'10'", "'2.0'", "' 5'"])
        if c.kind == NUM and r.random() < 0.08:
            return f"'{v}'"
        if c.kind in (TIME, DT) and ("(" not in c.ddl or "(0)" in c.ddl):
            return re.sub(r"\.\d+", "", v)  # MariaDB rounds a constant to the column's type before it compares
        return v

    def pred(self, scope, depth=2):
        r = self.r
        k = self.pick((30, "col"), (12, "colcol"), (8 if depth else 0, "expr"), (22 if depth else 0, "logic"), (6, "null"), (10, "in"), (10, "between"), (8, "like"),
                      (4 if depth == 2 else 0, "sub"))
        op = r.choice(["=", "=", "=", "<", ">", "<=", ">=", "<>", "<=>"])
        if k == "logic":
            x, y = self.pred(scope, depth - 1), self.pred(scope, depth - 1)
            return r.choice([f"({x} AND {y})", f"({x} AND {y})", f"({x} OR {y})", f"(NOT {x})", f"({x} XOR {y})", f"({x} IS TRUE)", f"(({x}) IS NOT FALSE)", f"(({x}) IS UNKNOWN)"])
        if k == "expr":
            if r.random() < 0.7:
                return f"{self.num(scope, depth - 1)} {op} {self.num(scope, depth - 1)}"
            return f"{self.str(scope, depth - 1)} {op} {self.str(scope, depth - 1)}"
        if k == "sub":
            return self.subquery(scope)
        a, c = r.choice(scope)
        x = f"{a}.{c.name}"
        if k == "null":
            return f"{x} IS {r.choice(['', 'NOT '])}NULL"
        if k == "colcol":
            same = [(b, d) for b, d in scope if d.kind == c.kind and (b, d) != (a, c) and (c.kind != STR or {c.collation, d.collation} <= {c.collation, "binary"})]
            if same:
                b, d = r.choice(same)
                return f"{x} {op} {b}.{d.name}"
        if k == "in":
            items = ", ".join(self.literal_for(c) if r.random() < 0.95 else "NULL" for _ in range(r.randint(1, 5)))
            return f"{x} {r.choice(['', '', 'NOT '])}IN ({items})"
        if k == "between":
            return f"{x} {r.choice(['', '', 'NOT '])}BETWEEN {self.literal_for(c)} AND {self.literal_for(c)}"
        if k == "like" and c.kind == STR:
            return f"{x} {r.choice(['', '', 'NOT '])}LIKE {r.choice([chr(39) + p + chr(39) for p in ('a%', '%b', 'a_', '%', '_', '', 'A%', '%a%', 'ab', 'hello%', 'b%c', '1%')])}"
        if r.random() < 0.04:
            return f"{x} {op} NULL"
        if r.random() < 0.08:
            return f"{self.literal_for(c)} {op} {x}"
        return f"{x} {op} {self.literal_for(c)}"

    def subquery(self, scope):
        r = self.r
        name, cols, _ = r.choice(self.tables)
        inner = [("s", c) for c in cols]
        a, c = r.choice(scope)
        match = [d for d in cols if d.kind == c.kind and (c.kind != STR or d.collation == c.collation)]
        if match and r.random() < 0.6:
            d = r.choice(match)
            return f"{a}.{c.name} {r.choice(['', 'NOT '])}IN (SELECT s.{d.name} FROM {name} s WHERE {self.pred(inner, 1)})"
        if r.random() < 0.5:
            return f"{r.choice(['', 'NOT '])}EXISTS (SELECT 1 FROM {name} s WHERE {self.pred(inner + scope, 1)})"
        return f"{self.num(scope, 1)} {r.choice(['<', '>', '='])} (SELECT {r.choice(['COUNT(*)', 'MAX(s.id)', 'MIN(s.id)', 'SUM(s.id)'])} FROM {name} s WHERE {self.pred(inner + scope, 1)})"

    # ---- statements

    def source(self):
        """FROM clause with {hN} where an index hint of table N may stand, the scope, and the tables' indexes."""
        r = self.r
        n = self.pick((55, 1), (33, 2), (12, 3))
        scope, text, hints = [], "", []
        for i in range(n):
            name, cols, indexes = r.choice(self.tables)
            alias = "abc"[i]
            hints.append(indexes)
            mine = [(alias, c) for c in cols]
            ref = f"{name} {alias} {{h{i}}}"
            if i == 0:
                text = ref
            else:
                kind = self.pick((35, "JOIN"), (40, "LEFT JOIN"), (15, "RIGHT JOIN"), (10, "CROSS JOIN"))
                on = self.join_on(scope, mine)
                text += f" CROSS JOIN {ref}" if kind == "CROSS JOIN" else f" {kind} {ref} ON {on}"
            scope = scope + mine
        return text, scope, hints, n

    def join_on(self, left, right):
        r = self.r
        pairs = [(a, c, b, d) for a, c in left for b, d in right if c.kind == d.kind and (c.kind != STR or c.collation == d.collation)]
        a, c, b, d = r.choice(pairs)
        on = f"{a}.{c.name} {self.pick((85, '='), (8, '<'), (7, '<=>'))} {b}.{d.name}"
        if r.random() < 0.3:
            on += f" AND {self.pred(left + right, 1)}"
        return on

    def out(self, a, c):
        """A column where equal values may be spelled differently: made canonical."""
        x = f"{a}.{c.name}"
        if c.exact:
            return x
        return f"RTRIM({x})" if c.collation == "utf8mb4_bin" else f"UPPER(TRIM({x}))"

    def aggregate(self, scope):
        r = self.r
        nums = self.of(scope, NUM, arith=True)
        a, c = r.choice(nums) if nums else r.choice(scope)
        x = f"{a}.{c.name}"
        b, d = r.choice(scope)
        if d.kind == STR and not d.exact:
            plain = f"COUNT(DISTINCT {b}.{d.name})"
        else:
            plain = r.choice([f"MIN({b}.{d.name})", f"MAX({b}.{d.name})"])
        return r.choice(["COUNT(*)", f"COUNT({b}.{d.name})", f"COUNT(DISTINCT {b}.{d.name})", plain, plain] + ([f"SUM({x})", f"AVG({x})", f"SUM(DISTINCT {x})", f"MIN({x})", f"MAX({x})",
                         f"BIT_OR({a}.id)", f"SUM({self.num(scope, 1)})", f"GROUP_CONCAT({a}.id ORDER BY {a}.id)"] if nums else []))

    def select(self):
        """(statement with hint places, index lists, ordered?)"""
        r = self.r
        text, scope, hints, n = self.source()
        where = f" WHERE {self.pred(scope, 2)}" if r.random() < 0.8 else ""
        shape = self.pick((50, "plain"), (22, "group"), (8, "agg"), (12, "distinct"), (8, "union"))
        if shape == "plain":
            items = [self.pick((70, lambda: "{}.{}".format(*(lambda p: (p[0], p[1].name))(r.choice(scope)))), (20, lambda: self.num(scope)), (12, lambda: self.str(scope)),
                               (8, lambda: self.pred(scope, 1)))() for _ in range(r.randint(1, 4))]
            ids = [f"{a}.id" for a in "abc"[:n]]
            sql = f"SELECT {', '.join(items + ids)} FROM {text}{where}"
            if r.random() < 0.5:
                keys = []
                for _ in range(r.randint(0, 2)):
                    a, c = r.choice(scope)
                    keys.append(f"{a}.{c.name}{r.choice(['', ' DESC'])}")
                sql += " ORDER BY " + ", ".join(keys + [i + d for i in ids for d in [r.choice(["", " DESC"])]])
                if r.random() < 0.5:
                    sql += f" LIMIT {r.randint(0, 8)}" + (f" OFFSET {r.randint(0, 5)}" if r.random() < 0.3 else "")
                return sql, hints, True
            return sql, hints, False
        if shape == "agg":
            return f"SELECT {', '.join(self.aggregate(scope) for _ in range(r.randint(1, 3)))} FROM {text}{where}", hints, False
        if shape == "group":
            keys = r.sample(scope, min(len(scope), r.randint(1, 2)))
            items = [self.out(a, c) for a, c in keys] + [self.aggregate(scope) for _ in range(r.randint(1, 3))]
            sql = f"SELECT {', '.join(items)} FROM {text}{where} GROUP BY {', '.join(f'{a}.{c.name}' for a, c in keys)}"
            if r.random() < 0.35:
                sql += f" HAVING {r.choice(['COUNT(*) > 1', 'MAX(a.id) > 5', 'COUNT(*) BETWEEN 1 AND 3', 'MIN(a.id) IS NOT NULL'])}"
            return sql, hints, False
        if shape == "distinct":
            keys = r.sample(scope, min(len(scope), r.randint(1, 3)))
            return f"SELECT DISTINCT {', '.join(self.out(a, c) for a, c in keys)} FROM {text}{where}", hints, False
        a, c = r.choice([(a, c) for a, c in scope if c.kind in (NUM, DATE, DT)])
        name, cols, _ = r.choice(self.tables)
        d = r.choice([d for d in cols if d.kind == c.kind] or [cols[0]])
        return f"SELECT {a}.{c.name}, a.id FROM {text}{where} UNION {r.choice(['', 'ALL '])}SELECT u.{d.name}, u.id FROM {name} u WHERE {self.pred([('u', x) for x in cols], 1)}", hints, False

    def insert(self, table, verb, rows=None):
        name, cols, _ = table
        use = cols if self.r.random() < 0.8 else [c for c in cols if c.name == "id" or not c.null or self.r.random() < 0.7]
        tuples = ", ".join("(" + ", ".join(self.value(c) for c in use) + ")" for _ in range(rows or self.pick((70, 1), (30, 3))))
        return f"{verb} INTO {name} ({', '.join(c.name for c in use)}) VALUES {tuples}"

    def assignment(self, scope, c):
        r = self.r
        if r.random() < 0.3 and c.kind == NUM and not c.wide:
            return f"{c.name} = {c.name} {r.choice(['+ 1', '- 1', '* 2'])}"
        same = [f"{a}.{d.name}" for a, d in scope if d.kind == c.kind and d.ddl == c.ddl and d is not c and (c.null or not d.null)]
        if same and c.name != "id" and r.random() < 0.3:
            return f"{c.name} = {r.choice(same)}"
        return f"{c.name} = {self.value(c) if c.name != 'id' else r.choice(['id + 100', 'id + 1', 'id'])}"

    def change(self):
        """(statement, table it changes)"""
        r = self.r
        table = r.choice(self.tables)
        name, cols, _ = table
        scope = [(name, c) for c in cols]
        kind = self.pick((20, "insert"), (8, "ignore"), (15, "odku"), (10, "replace"), (35, "update"), (18, "delete"), (6, "select"))
        if kind in ("insert", "ignore", "replace", "odku"):
            if r.random() < 0.6:
                self.next_id = r.choice([self.next_id, r.randint(0, self.next_id)])
            sql = self.insert(table, {"insert": "INSERT", "odku": "INSERT", "ignore": "INSERT IGNORE", "replace": "REPLACE"}[kind])
            self.next_id = max(self.next_id, 60)
            if kind == "odku":
                c = r.choice(cols[1:])
                sql += f" ON DUPLICATE KEY UPDATE {self.pick((50, f'{c.name} = VALUES({c.name})'), (50, self.assignment(scope, c)))}"
            return sql, name
        if kind == "select":
            other, ocols, _ = r.choice(self.tables)
            c = r.choice(cols[1:])
            d = [x for x in ocols if x.ddl == c.ddl and (c.null or not x.null)]
            need = [x for x in cols[1:] if not x.null and x is not c]
            if d and not need:
                return f"INSERT INTO {name} (id, {c.name}) SELECT s.id + {r.choice([0, 1000, 2000])}, s.{r.choice(d).name} FROM {other} s WHERE {self.pred([('s', x) for x in ocols], 1)} ORDER BY s.id LIMIT 10", name
            kind = "update"
        # conditions of changes compare like with like: a conversion that fails is an error there, and whether it is tried depends on the plan
        where = f" WHERE {self.pred_strict(scope)}"
        limit = f" ORDER BY {name}.id LIMIT {r.randint(0, 5)}" if r.random() < 0.4 else ""
        if kind == "delete":
            return f"DELETE FROM {name}{where}{limit or f' ORDER BY {name}.id LIMIT 6'}", name
        chosen = r.sample(cols, r.randint(1, min(3, len(cols))))
        return f"UPDATE {r.choice(['', '', '', 'IGNORE ']) if limit else ''}{name} SET {', '.join(self.assignment(scope, c) for c in chosen)}{where}{limit}", name

    def pred_strict(self, scope):
        r = self.r
        out = []
        for _ in range(self.pick((60, 1), (40, 2))):
            a, c = r.choice(scope)
            x, v = f"{a}.{c.name}", lambda: r.choice(c.values)
            out.append(r.choice([f"{x} = {v()}", f"{x} > {v()}", f"{x} <= {v()}", f"{x} IN ({v()}, {v()}, {v()})", f"{x} BETWEEN {v()} AND {v()}", f"{x} IS NULL", f"{x} <> {v()}"]))
        return r.choice([" AND ", " OR "]).join(out)


class Area:
    name = "tables"

    def __init__(self, ctx, r):
        self.ctx, self.r = ctx, r

    def run(self, n):
        ctx = self.ctx
        end = ctx.counts["statements"] + n
        while ctx.counts["statements"] < end:
            ctx.fresh()
            g = Gen(self.r.random())
            if all([ctx.both(s) and ctx.table(s.split()[2] if s.startswith("CREATE") else s.split()[3]) for s in g.schema()]):
                self.statements(g, min(300, end - ctx.counts["statements"]))

    def statements(self, g, n):
        ctx, inside = self.ctx, False
        for _ in range(n):
            if g.r.random() < 0.72:
                self.query(g)
                continue
            touched = []
            if g.r.random() < 0.12:
                s = g.r.choice(["COMMIT", "ROLLBACK", "SAVEPOINT p", "ROLLBACK TO p"]) if inside else "BEGIN"
                inside = s not in ("COMMIT", "ROLLBACK")
                if s.startswith("ROLLBACK"):
                    touched = [name for name, _, _ in g.tables]
            else:
                s, name = g.change()
                touched = [name]
            if not ctx.both(s) or not all([ctx.table(t) for t in touched]):
                return
        ask(ctx.a, "COMMIT")
        for name, _, _ in g.tables:
            got = ask(ctx.a, f"CHECK TABLE {name}")
            if got[0] != "rows" or got[2][-1][-1] != b"OK":
                ctx.report("check table", f"CHECK TABLE {name}", got, got)

    def query(self, g):
        ctx = self.ctx
        text, hints, ordered = g.select()
        plain = text.format(**{f"h{i}": "" for i in range(len(hints))})
        x = ctx.query(plain, ordered, types=False)
        forced = {f"h{i}": f"FORCE INDEX ({g.r.choice(ix)})" if ix else "" for i, ix in enumerate(hints)}
        ignored = {f"h{i}": f"IGNORE INDEX ({', '.join(ix)})" if ix else "" for i, ix in enumerate(hints)}
        for h in (forced, ignored):
            other = text.format(**h)
            if other != plain:
                ctx.own(plain, other, x, ordered)
