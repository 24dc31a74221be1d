"""Changes over the small tables of `queries`: multi-table UPDATE and DELETE, INSERT ... SELECT, ON DUPLICATE KEY UPDATE, REPLACE ... SELECT, subqueries in
assignments, changes through views, transactions with savepoints, prepared statements. After each the changed tables must be the same on both.

A multi-table UPDATE whose joined row gives several values for one row is open: such an UPDATE assigns from the row itself or from a scalar subquery.
"""
from .compare import ask
from .queries import INT, VALUES, Queries


class Changes(Queries):
    def target(self):
        return self.r.choice([t for t in self.tables if t[0] == "t"])

    def literal(self, kind):
        return "NULL" if self.r.random() < 0.1 else self.r.choice(VALUES[kind])

    def columns(self, t):
        return [c for c in self.tables[t] if c != "id"]

    def assignment(self, t, alias, c):
        r, kind = self.r, self.tables[t][c]
        x = r.random()
        scope = [(alias, self.tables[t])]
        if x < 0.35:
            return f"{alias}.{c} = {self.literal(kind)}"
        if x < 0.5 and kind == INT:
            return f"{alias}.{c} = {alias}.{c} + {r.randint(0, 2)}"
        if x < 0.75:
            return f"{alias}.{c} = {self.col(scope, kind)}"
        return f"{alias}.{c} = {self.outer_scalar(t, kind)}"

    def outer_scalar(self, t, kind):
        """A subquery that does not read the changed table (1093)."""
        others = [o for o in self.tables if o[0] == "t" and o != t and kind in self.tables[o].values()]
        if not others:
            return self.literal(kind)
        o = self.r.choice(others)
        alias, inner = self.alias(o)
        return f"(SELECT {self.r.choice(['MAX', 'MIN'])}({self.col(inner, kind)}) FROM {o} {alias} WHERE {self.pred(inner, 0)})"

    def safe(self, scope, t):
        """A condition without a subquery on the changed table."""
        keep = self.tables
        self.tables = {n: k for n, k in keep.items() if n != t and n[0] == "t"}
        try:
            return self.pred(scope, 1 if all(any(k in c.values() for c in self.tables.values()) for k in self.kinds_of(scope)) else 0)
        finally:
            self.tables = keep

    def change(self):
        """(statement, tables it may change)"""
        r = self.r
        t = self.target()
        kinds = self.tables[t]
        x = r.random()
        if x < 0.2:
            use = r.sample(self.columns(t), r.randint(1, len(self.columns(t))))
            rows = ", ".join("(" + ", ".join([str(r.randint(0, 90))] + [self.literal(kinds[c]) for c in use]) + ")" for _ in range(r.randint(1, 4)))
            verb = r.choice(["INSERT", "INSERT", "INSERT IGNORE", "REPLACE"])
            tail = ""
            if verb == "INSERT" and r.random() < 0.5:
                c = r.choice(use)
                tail = f" ON DUPLICATE KEY UPDATE {r.choice([f'{c} = VALUES({c})', f'{c} = {self.literal(kinds[c])}', 'id = id + 100'])}"
            return f"{verb} INTO {t} (id, {', '.join(use)}) VALUES {rows}{tail}", [t]
        if x < 0.35:
            o = self.target()
            alias, scope = self.alias(o)
            use = r.sample(self.columns(t), r.randint(1, len(self.columns(t))))
            items = [self.col(scope, kinds[c]) or self.literal(kinds[c]) for c in use]
            verb = r.choice(["INSERT INTO", "INSERT IGNORE INTO", "REPLACE INTO"])
            where = f" WHERE {self.safe(scope, t)}" if o != t else f" WHERE {self.pred(scope, 0)}"
            tail = f" ORDER BY {', '.join(f'{alias}.{c}' for c in self.tables[o])} LIMIT 12"
            if verb == "INSERT INTO" and r.random() < 0.4:
                c = r.choice(use)
                tail += f" ON DUPLICATE KEY UPDATE {c} = VALUES({c})"
            return f"{verb} {t} (id, {', '.join(use)}) SELECT {alias}.id + {r.choice([0, 0, 100, 7])}, {', '.join(items)} FROM {o} {alias}{where}{tail}", [t]
        if x < 0.55:
            alias, scope = self.alias(t)
            cols = r.sample(self.columns(t), min(len(self.columns(t)), r.choice([1, 1, 2, 3])))
            order = f" ORDER BY {', '.join(c + r.choice(['', ' DESC']) for c in kinds)} LIMIT {r.randint(0, 6)}" if r.random() < 0.3 else ""
            sets = ", ".join(self.assignment(t, alias, c) for c in cols)
            return f"UPDATE {t} {alias} SET {sets} WHERE {self.safe(scope, t)}{order}", [t]
        o = r.choice([n for n in self.tables if n[0] == "t" and n != t])
        a, left = self.alias(t)
        b, right = self.alias(o)
        join = f"{t} {a} {r.choice(['JOIN', 'JOIN', 'LEFT JOIN', 'RIGHT JOIN'])} {o} {b} ON {self.on(left, right)}"
        where = f" WHERE {self.pred(left + right, 0)}"
        if x < 0.75:
            cols = r.sample(self.columns(t), min(len(self.columns(t)), r.choice([1, 1, 2])))
            sets = [self.assignment(t, a, c) for c in cols if not (self.tables[t][c] == INT and r.random() < 0.2)]
            touched = [t]
            if r.random() < 0.3:
                c = r.choice(self.columns(o))
                sets.append(f"{b}.{c} = {self.literal(self.tables[o][c])}")
                touched.append(o)
            if sets:
                # which joined row comes first is open: no column may depend on one that is set
                return f"UPDATE {join} SET {', '.join(sets[:1])}{where}", touched
        if x < 0.95:
            which = r.choice([a, a, f"{a}, {b}"])
            return r.choice([f"DELETE {which} FROM {join}{where}", f"DELETE FROM {which} USING {join}{where}"]), [t, o]
        return f"DELETE FROM {t} WHERE {self.safe([(t, kinds)], t)} ORDER BY {', '.join(kinds)} LIMIT {r.randint(0, 4)}", [t]


class Area:
    name = "changes"

    def __init__(self, ctx, r):
        self.ctx, self.r = ctx, r

    def run(self, n):
        ctx, r = self.ctx, self.r
        end = ctx.counts["statements"] + n
        while ctx.counts["statements"] < end:
            ctx.fresh()
            g = Changes(r)
            if not all([ctx.both(s) for s in g.schema()]):
                continue
            inside = False
            for _ in range(80):
                if ctx.counts["statements"] >= end:
                    break
                if r.random() < 0.12:
                    s = r.choice(["COMMIT", "ROLLBACK", "SAVEPOINT p", "SAVEPOINT q", "ROLLBACK TO p", "RELEASE SAVEPOINT p"]) if inside else "BEGIN"
                    inside = s not in ("COMMIT", "ROLLBACK")
                    touched = [t for t in g.tables if t[0] == "t"] if s.startswith("ROLLBACK") else []
                else:
                    s, touched = g.change()
                good = ctx.prepared(s) if r.random() < 0.15 else ctx.both(s)
                if not good or not all([ctx.table(t) for t in touched]):
                    break
                if r.random() < 0.1:
                    ctx.query(*g.query())
            ask(ctx.a, "COMMIT")
            for t in (t for t in g.tables if t[0] == "t"):
                got = ask(ctx.a, f"CHECK TABLE {t}")
                if got[0] != "rows" or got[2][-1][-1] != b"OK":
                    ctx.report("check table", f"CHECK TABLE {t}", got, got)
