#!/usr/bin/env python3
"""What changes of several tables do: changes_random.py [--seed N] [--families N] [--statements N] [--mysql]. Exit status 1 on a difference.

Random families of two to four tables with foreign keys (all actions, to themselves and in circles, of several columns, to columns that are not unique or may be
NULL, several on one column), unique keys, AUTO_INCREMENT, DEFAULT, CHECK, and views of them (nested, joins, WITH CHECK OPTION), changed by INSERT (VALUES, SET,
SELECT, ON DUPLICATE KEY UPDATE in both spellings), REPLACE, UPDATE and DELETE of one and of several tables (joins, LEFT JOIN, self joins, derived tables, common
table expressions, subqueries, ORDER BY ... LIMIT), IGNORE, TRUNCATE, with and without strict mode and foreign_key_checks, in transactions with savepoints.
After each change

* a statement that failed has changed nothing; no row refers to none (while checks were on); a scan and a read by each index find the same rows, CHECK TABLE says OK;
* with `--mysql`, MySQL has given the same error or has changed as many rows, said the same of them (info, LAST_INSERT_ID), and has the same rows in all tables
  and the same next AUTO_INCREMENT values, but for what `explained` and `reopened` name; `--excused` shows that too.
"""
import argparse
import collections
import pathlib
import random
import re
import sys
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from lib.servers import MySQL, Server  # noqa: E402

ACTIONS = ["", "CASCADE", "CASCADE", "SET NULL", "RESTRICT", "NO ACTION"]
MODES = ["STRICT_TRANS_TABLES", "STRICT_TRANS_TABLES", "", "STRICT_TRANS_TABLES,NO_AUTO_VALUE_ON_ZERO"]
INTS, TEXTS = ["0", "1", "2", "3", "4", "5", "6", "7", "NULL", "-1"], ["'a'", "'A'", "'b'", "'c'", "'a '", "'abcdef'", "''", "NULL"]


class Key:
    """A foreign key."""

    def __init__(self, name, child, columns, parent, refers, actions):
        self.name, self.child, self.columns, self.parent, self.refers, self.actions = name, child, columns, parent, refers, actions

    def ddl(self):
        d, u = self.actions
        return (f"CONSTRAINT {self.name} FOREIGN KEY ({', '.join(self.columns)}) REFERENCES {self.parent} ({', '.join(self.refers)})"
                + (f" ON DELETE {d}" if d else "") + (f" ON UPDATE {u}" if u else ""))


class Table:
    """Columns `id`, integers `a` to `d`, text `s`; some with keys."""

    def __init__(self, r, name):
        self.r, self.name, self.foreign, self.auto = r, name, [], r.random() < 0.4
        self.columns = ["id"] + list("abcd")[: r.randint(2, 4)] + (["s"] if r.random() < 0.5 else [])
        self.null = {c: c != "id" and r.random() < 0.75 for c in self.columns}
        self.default = {c: r.choice([None, None, self.literal(c, False)]) for c in self.columns[1:]}
        self.keys = []
        for i in range(r.choice([1, 2, 2, 3])):
            columns = r.sample(self.columns[1:], r.choice([1, 1, 1, 2]))
            self.keys.append((f"k{i}", r.random() < 0.4, columns))
        self.check = r.choice([None, None, None, f"{self.columns[1]} < 7", f"{self.columns[2]} <> 5"])

    def literal(self, c, null=True):
        while True:
            x = self.r.choice(TEXTS if c == "s" else INTS)
            if null or x not in ("NULL", "'abcdef'"):
                return x

    def referred(self):
        """Lists of columns that an index leads with."""
        return [["id"]] * 3 + [k[2] for k in self.keys] + [k[2][:1] for k in self.keys if len(k[2]) > 1]

    def refer(self, n, tables):
        """A foreign key to a random table, if its columns have counterparts here."""
        r, parent = self.r, self.r.choice(tables)
        refers = r.choice(parent.referred())
        pool = [c for c in self.columns if c != "s"] if r.random() < 0.15 else [c for c in self.columns[1:] if c != "s"]
        columns = []
        for c in refers:
            free = [x for x in (["s"] if c == "s" and "s" in self.columns else [] if c == "s" else pool) if x not in columns]
            if not free:
                return
            columns.append(r.choice(free))
        if parent is self and columns == refers:
            return
        actions = [r.choice(ACTIONS), r.choice(ACTIONS)]
        held = [c for c in columns if not self.null[c]]
        self.foreign.append(Key(f"f{self.name[1:]}{n}", self.name, columns, parent.name, refers, [a if a != "SET NULL" or not held else "CASCADE" for a in actions]))

    def create(self):
        r, parts = self.r, ["id INT PRIMARY KEY" + (" AUTO_INCREMENT" if self.auto else "")]
        for c in self.columns[1:]:
            default = f" DEFAULT {self.default[c]}" if self.default[c] else ""
            parts.append(f"{c} {'VARCHAR(5)' if c == 's' else 'INT'}{'' if self.null[c] else ' NOT NULL'}{default}")
        # each foreign key has an index by now: those that keys make, MySQL replaces by those of later keys
        for k in self.foreign:
            if not any(columns[: len(k.columns)] == k.columns for _, _, columns in self.keys):
                self.keys.append((f"k{len(self.keys)}", False, k.columns))
        for name, unique, columns in self.keys:
            parts.append(f"{'UNIQUE ' if unique else ''}KEY {name} ({', '.join(columns)})")
        if self.check and not any(c in self.check.split()[0] for k in self.foreign for c in k.columns):
            parts.append(f"CONSTRAINT c{self.name} CHECK ({self.check})")
        return f"CREATE TABLE {self.name} ({', '.join(parts)})"


class Readable:
    """Columns that an expression may read."""

    def __init__(self, t, columns):
        self.columns = columns


class Family:
    def __init__(self, r):
        self.r = r
        self.tables = [Table(r, f"t{i}") for i in range(r.randint(2, 4))]
        for t in self.tables:
            for n in range(r.choice([0, 1, 1, 2, 2, 3])):
                t.refer(n, self.tables)
        self.views = {}

    def create(self):
        """Tables, then keys between them (which may fail: both servers must say so), then views."""
        r = self.r
        yield from (t.create() for t in self.tables)
        for t in self.tables:
            yield from (f"ALTER TABLE {t.name} ADD {k.ddl()}" for k in t.foreign)
        for i in range(r.randint(0, 3)):
            under = r.choice(self.tables)
            over = r.choice([under.name] + [v for v, (t, _) in self.views.items() if t is under])
            check = r.choice(["", "", " WITH LOCAL CHECK OPTION", " WITH CASCADED CHECK OPTION"])
            self.views[f"v{i}"] = (under, None)
            # MySQL 9 loses CHECK OPTION of some subqueries
            yield f"CREATE VIEW v{i} AS SELECT * FROM {over} WHERE {self.condition(under, over, not check and r.random() < 0.5)}{check}"
        if r.random() < 0.4:
            x, y = r.choice(self.tables), r.choice(self.tables)
            join = f"{x.name} x {r.choice(['JOIN', 'JOIN', 'LEFT JOIN'])} {y.name} y ON x.{r.choice(self.ints(x))} = y.{r.choice(self.ints(y))}"
            columns = [f"x.{c} AS x{c}" for c in x.columns] + [f"y.{c} AS y{c}" for c in y.columns]
            self.views["w"] = (x, y)
            yield f"CREATE VIEW w AS SELECT {', '.join(columns)} FROM {join}"

    def fill(self):
        """Rows that mostly refer to one another, whichever table comes first."""
        r = self.r
        for t in self.tables:
            for i in range(1, r.choice([4, 6, 8])):
                values = [str(r.randint(1, 5)) if c != "s" and r.random() < 0.85 else t.literal(c, t.null[c]) for c in t.columns[1:]]
                yield f"INSERT IGNORE INTO {t.name} VALUES ({', '.join([str(i), *values])})"

    def ints(self, t):
        return [c for c in t.columns if c != "s"]

    def condition(self, t, alias, deep=True):
        r = self.r
        c = r.choice(t.columns)
        some = [f"{alias}.id = {r.randint(1, 9)}", f"{alias}.id > {r.randint(1, 8)}", f"{alias}.id IN ({r.randint(1, 9)}, {r.randint(1, 9)}, {r.randint(1, 9)})",
                f"{alias}.{c} IS NOT NULL", f"{alias}.{c} = {t.literal(c)}", f"{alias}.{c} <> {t.literal(c, False)}"]
        if deep:
            u = r.choice(self.tables)
            some += [f"{alias}.{r.choice(self.ints(t))} IN (SELECT {r.choice(self.ints(u))} FROM {u.name})", f"EXISTS (SELECT 1 FROM {u.name} z WHERE z.{r.choice(self.ints(u))} = {alias}.id)"]
        return r.choice(some[:6] * 2 + some[6:])

    def value(self, t, c, others=()):
        """An expression for column `c`; `others`: (alias, table) that it may read."""
        r, x = self.r, self.r.random()
        if x < 0.06:
            return "DEFAULT"
        if others and x < 0.4:
            alias, u = r.choice(others)
            if c == "s":
                return f"{alias}.s" if "s" in u.columns else t.literal(c)
            return r.choice(["{}", "{}", "{} + 1", "{} - 1"]).format(f"{alias}.{r.choice(self.ints(u))}")
        if x < 0.45 and c != "s":
            u = r.choice(self.tables)
            return f"(SELECT {r.choice(['MAX', 'MIN', 'COUNT'])}({r.choice(self.ints(u))}) FROM {u.name})"
        return t.literal(c, r.random() < 0.4)

    def sets(self, t, alias, others, most=3, prefix=None, several=False):
        use = self.r.sample(t.columns[1:], min(len(t.columns) - 1, self.r.randint(1, most)))
        if self.r.random() < 0.2:
            use.append("id")
        dot = f"{alias}." if alias else ""
        if several:
            # in which order several tables are assigned is not defined: only columns are read that are not
            others = [(a, Readable(u, [c for c in u.columns if c not in use and c != "id"])) for a, u in others]
            others = [(a, u) for a, u in others if u.columns and u.columns != ["s"]]
        return [f"{dot if prefix is None else prefix}{c} = {self.value(t, c, others)}" for c in use]

    def target(self):
        """(name, table): a table or a view of one."""
        r = self.r
        one = {v: t for v, (t, u) in self.views.items() if u is None}
        if one and r.random() < 0.3:
            v = r.choice(sorted(one))
            return v, one[v]
        t = r.choice(self.tables)
        return t.name, t

    def insert(self):
        r = self.r
        name, t = self.target()
        if "w" in self.views and r.random() < 0.08:
            name, (t, _), prefix = "w", self.views["w"], "x"
        else:
            prefix = ""
        use = [c for c in t.columns if r.random() < 0.8 or (c == "id" and not t.auto)] or t.columns[:1]
        ignore = " IGNORE" if r.random() < 0.2 else ""
        verb = "REPLACE INTO" if r.random() < 0.25 else f"INSERT{ignore} INTO"
        names = ", ".join(prefix + c for c in use)
        known, x = [(name, t)] if not prefix else [], r.random()

        def one(c):
            if c == "id":
                return r.choice(["NULL", "0", "DEFAULT"]) if t.auto and r.random() < 0.5 else str(r.randint(1, 9))
            return self.value(t, c) if r.random() < 0.3 else t.literal(c, t.null[c] or r.random() < 0.1)

        new = ""
        if x < 0.55:
            new = r.choice(["", "", "n"]) if verb[0] == "I" else ""
            rows = ", ".join("(" + ", ".join(one(c) for c in use) + ")" for _ in range(r.choice([1, 1, 1, 2, 3])))
            text = f"{verb} {name} ({names}) VALUES {rows}" + (" AS n" if new else "")
            reads = [("n", t)] if new else []
        elif x < 0.65:
            return f"{verb} {name} SET " + ", ".join(f"{prefix}{c} = {one(c)}" for c in use)
        else:
            u = r.choice(self.tables)
            items = [r.choice([f"q.{c}"] * 2 + [f"q.{i}" for i in self.ints(u)]) if c != "s" and c in u.columns else t.literal(c, False) for c in use]
            items = [f"q.id + {r.randint(0, 9)}" if c == "id" and r.random() < 0.6 else i for c, i in zip(use, items)]
            text = f"{verb} {name} ({names}) SELECT {', '.join(items)} FROM {u.name} q WHERE {self.condition(u, 'q')} ORDER BY q.id" + r.choice(["", "", " LIMIT 2"])
            reads = [("q", u)]
        if verb[0] == "I" and not prefix and r.random() < 0.4:
            values = [f"{c} = {r.choice([f'VALUES({c})', f'VALUES({c}) + 1' if c != 's' else 's'])}" for c in r.sample(use, 1)] if not new else []
            text += " ON DUPLICATE KEY UPDATE " + ", ".join(values if values and r.random() < 0.5 else self.sets(t, None, known + reads, 2))
        return text

    def update(self):
        r = self.r
        ignore = " IGNORE" if r.random() < 0.15 else ""
        name, t = self.target()
        alias = r.choice([name, "x"])
        as_alias = "" if alias == name else f" AS {alias}"
        order = f" ORDER BY id{r.choice(['', ' DESC'])}" + r.choice(["", f" LIMIT {r.randint(1, 3)}"])
        return f"UPDATE{ignore} {name}{as_alias} SET {', '.join(self.sets(t, alias, [(alias, t)]))} WHERE {self.condition(t, alias)}{order}"

    def join(self):
        """(WITH clause, FROM clause, [(alias, table)] that can be changed)."""
        r = self.r
        (n1, x), (n2, y) = self.target(), self.target()
        kind = r.choice(["JOIN", "STRAIGHT_JOIN", "STRAIGHT_JOIN", "LEFT JOIN", "RIGHT JOIN", ","])
        on = f"x.{r.choice(self.ints(x))} = y.{r.choice(self.ints(y))}"
        shape = r.random()
        if n1 == x.name and r.random() < 0.7:
            n1 = f"{n1} x FORCE INDEX (PRIMARY)"  # so that both servers read the same rows first
        else:
            n1 = f"{n1} x"
        if shape < 0.65:
            return "", f"{n1} {kind} {n2} y" + (f" ON {on}" if kind != "," else ""), [("x", x), ("y", y)], on if kind == "," else None
        c = r.choice(self.ints(y)[1:])
        query = f"SELECT {c} id, MAX(id) a, COUNT(*) n FROM {y.name} GROUP BY {y.name}.{c}"
        on = f"x.{r.choice(self.ints(x))} = y.{r.choice(['id', 'a'])}"
        kind = r.choice(["JOIN", "LEFT JOIN"])
        if shape < 0.85:
            return "", f"{n1} {kind} ({query}) y ON {on}", [("x", x)], None
        return f"WITH y AS ({query}) ", f"{n1} {kind} y ON {on}", [("x", x)], None

    def update_several(self):
        r = self.r
        ignore = " IGNORE" if r.random() < 0.15 else ""
        if "w" in self.views and r.random() < 0.15:
            x, y = self.views["w"]
            side, t = r.choice([("x", x), ("y", y)])
            return f"UPDATE{ignore} w SET {', '.join(self.sets(t, '', (), 2, side))} WHERE {self.condition(x, 'w', False).replace('w.', 'w.x')}"
        cte, tables, changed, on = self.join()
        sets = []
        targets = r.sample(changed, r.randint(1, len(changed)))
        for alias, t in targets:
            sets += self.sets(t, alias, changed if len(targets) == 1 else (), 2, several=True)
        where = [self.condition(changed[0][1], "x")] * (r.random() < 0.7) + [on] * bool(on)
        return f"{cte}UPDATE{ignore} {tables} SET {', '.join(sets)}" + (f" WHERE {' AND '.join(where)}" if where else "")

    def delete(self):
        r = self.r
        ignore = " IGNORE" if r.random() < 0.15 else ""
        if r.random() < 0.5:
            name, t = self.target()
            alias = r.choice([name, "x"])
            order = f" ORDER BY id{r.choice(['', ' DESC'])}" + r.choice(["", f" LIMIT {r.randint(1, 3)}"])
            return f"DELETE{ignore} FROM {name}{'' if alias == name else ' AS x'} WHERE {self.condition(t, alias)}{order}"
        cte, tables, changed, on = self.join()
        use = [a for a, _ in r.sample(changed, r.randint(1, len(changed)))]
        where = [self.condition(changed[0][1], "x")] + [on] * bool(on)
        tail = f" WHERE {' AND '.join(where)}"
        if r.random() < 0.5:
            return f"{cte}DELETE{ignore} {', '.join(a + r.choice(['', '.*']) for a in use)} FROM {tables}{tail}"
        return f"{cte}DELETE{ignore} FROM {', '.join(use)} USING {tables}{tail}"

    def change(self):
        r, x = self.r, self.r.random()
        if x < 0.4:
            return self.insert()
        if x < 0.58:
            return self.update()
        if x < 0.72:
            return self.update_several()
        if x < 0.84:
            return self.delete()
        if x < 0.85:
            return f"TRUNCATE {r.choice(self.tables).name}"
        if x < 0.88:
            return f"SET foreign_key_checks = {r.choice([0, 1, 1])}"
        if x < 0.9:
            return f"SET sql_mode = '{r.choice(MODES)}'"
        return r.choice(["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT s", "ROLLBACK TO s", "RELEASE SAVEPOINT s"])


def ask(cursor, sql, prepared=False):
    """("error", number, text) or ("done", affected, last id, info)"""
    try:
        if prepared:
            cursor.execute("SET @s = %s", (sql,))
            cursor.execute("PREPARE p FROM @s")
            cursor.execute("EXECUTE p")
        else:
            cursor.execute(sql)
    except Exception as e:  # an error is an answer
        return ("error", *e.args)
    return ("done", cursor.rowcount, cursor._result.insert_id, (cursor._result.message or b"").decode())


def rows(cursor, family):
    """All rows of all tables."""
    out = {}
    for t in family.tables:
        cursor.execute(f"SELECT * FROM {t.name} ORDER BY id")
        out[t.name] = cursor.fetchall()
    return out


def counters(cursor):
    """The next AUTO_INCREMENT value of each table."""
    cursor.execute("SELECT table_name, auto_increment FROM information_schema.tables WHERE table_schema = 'd' AND auto_increment > 1 ORDER BY table_name")
    return [tuple(x) for x in cursor.fetchall()]


def own_checks(c, family, keys, checked, inside):
    """What tables must fulfil by themselves; the first thing that they do not."""
    for k in keys if checked else ():
        some = " AND ".join(f"c.{x} IS NOT NULL" for x in k.columns)
        same = " AND ".join(f"p.{y} = c.{x}" for x, y in zip(k.columns, k.refers))
        c.execute(f"SELECT * FROM {k.child} c WHERE {some} AND NOT EXISTS (SELECT 1 FROM {k.parent} p WHERE {same})")
        if lost := c.fetchall():
            return f"rows of {k.child} without parent by {k.ddl()}: {lost}"
    for t in family.tables:
        for name, _, _ in t.keys:
            both = []
            for hint in (f"FORCE INDEX ({name})", f"IGNORE INDEX ({name})"):
                c.execute(f"SELECT * FROM {t.name} {hint} ORDER BY id")
                both.append(c.fetchall())
            if both[0] != both[1]:
                return f"index {name} and the table {t.name} differ"
        if not inside:  # CHECK TABLE would commit
            c.execute(f"CHECK TABLE {t.name}")
            said = c.fetchall()
            if said[-1][-1] != "OK":
                return f"CHECK TABLE: {said}"
    return None


# errors of rows
OF_ROWS = {1048, 1062, 1265, 1366, 1369, 1406, 1451, 1452, 1761, 3819}
SEVERAL = re.compile(r"(WITH .*)?(UPDATE (IGNORE )?\w+ x |UPDATE (IGNORE )?w |DELETE (IGNORE )?(x|y)\b|DELETE (IGNORE )?FROM \w+(, \w+)? USING)")


def way(cursor, q, family):
    """Which tables a change reads in which order, and through which indexes. Rows of a table that join a row come by their primary key, by an
    equality in an index of one column too."""
    try:
        cursor.execute("EXPLAIN FORMAT=TRADITIONAL " + q)
    except Exception:  # the change itself will say why
        return None
    wide = {name for t in family.tables for name, _, columns in t.keys if len(columns) > 1}
    return [(x[2], x[6] if n == 0 or x[6] in wide else None) for n, x in enumerate(cursor.fetchall())]


def explained(q, here, there, have, ways):
    """Why two servers may answer a statement differently: each reason names what is not defined, or what MySQL 9.7 does against its manual."""
    several = SEVERAL.match(q) and ways[0] != ways[-1]
    codes = {x[1] for x in (here, there) if x[0] == "error"}
    same = all(have[0][t] == have[-1][t] for t in have[0])
    if several and codes and codes <= OF_ROWS:
        return "in which order a join gives its rows is not defined, and an error depends on it"
    if several and here[0] == there[0] == "done" and not same:
        return "in which order a join gives its rows is not defined, and what IGNORE keeps and cascades reach depends on it"
    if here[0] == there[0] == "error" and here[1] == there[1]:
        if here[1] == 1406 and "(SELECT" in q and re.sub(r"row \d+", "", here[2]) == re.sub(r"row \d+", "", there[2]):
            return "a subquery counts as a row in MySQL's message"
        if " w " in q and re.sub("'[xy]", "'", here[2]) == re.sub("'[xy]", "'", there[2]):
            return "MySQL names the column as the join view does"
    if q.startswith(("DELETE", "WITH")) and here[0] == there[0] == "done" and ("ORDER BY" in q or SEVERAL.match(q)):
        # what else a cascade of a row that is left would have changed differs too
        if here[1] > there[1] or all(set(have[0][t]) <= set(have[-1][t]) for t in have[0]):
            return "MySQL ends a DELETE at a found row that a cascade was faster to delete, without a word"
    if "ON DUPLICATE" in q and here[0] == there[0] == "done":
        if there == ("done", 0, 0, "") and " SELECT " in q and here[3]:
            return "MySQL 9.7 ends an INSERT ... SELECT ... ON DUPLICATE KEY UPDATE without error and without its counts"
        if not same and re.match(r"INSERT (IGNORE )?INTO v\d .*\) SELECT .* = v\d\.", q):
            return "MySQL reads NULL or 0 from the view's row in INSERT ... SELECT ... ON DUPLICATE KEY UPDATE"
        if same and there[1] > here[1]:
            return "MySQL counts a NULL that stays NULL as a change"
    if there == ("done", 0, 0, "") and " SELECT " in q and "ON DUPLICATE" in q:
        return "MySQL 9.7 ends an INSERT ... SELECT ... ON DUPLICATE KEY UPDATE without error and without its counts"
    if there[:2] == ("error", 1369) and SEVERAL.match(q) and here[0] == "done":
        return "MySQL tests CHECK OPTION of a table that changes afterwards with a row that is not the changed one"
    if there[:2] == ("error", 1366) and "\\x" in there[2]:
        return "MySQL 9.7 takes the rowid of its temporary table for a value"
    return None


def reopened(q, counters):
    """Whether AUTO_INCREMENT counters may differ: MySQL finds the values of rows that a unique key refused when it opens a table once more."""
    here, there = (dict(c) for c in counters)
    higher = all((there.get(t) or 1) >= (here.get(t) or 1) for t in {*here, *there})
    return higher and (not q.startswith(("INSERT", "REPLACE")) or "SELECT" in q)


def compare(q, got, have, ways):
    """What differs between two servers' answers and rows, and why it may; `ways`: see `way`."""
    rows = next((f"rows of {t}\n  here  {have[0][t]}\n  there {have[-1][t]}" for t in have[0] if have[0][t] != have[-1][t]), None)
    if got[0] != got[1] or rows:
        return (f"\n  here  {got[0]}\n  there {got[1]}" if got[0] != got[1] else rows), explained(q, *got, have, ways)
    return None, None


def one(r, cursors, n, seen, excused=False):
    family, log, keys = Family(r), [], []
    for c in cursors:
        for q in ("ROLLBACK", "SET foreign_key_checks = 0", "DROP DATABASE IF EXISTS d", "CREATE DATABASE d", "USE d", "SET foreign_key_checks = 1, sql_mode = 'STRICT_TRANS_TABLES'",
                  "SET restrict_fk_on_non_standard_key = 0", "SET information_schema_stats_expiry = 0"):
            c.execute(q)
    for q in family.create():
        log.append(q)
        got = [ask(c, q)[:2] for c in cursors]
        if any(g != got[0] for g in got):
            return [(f"{got}", q, log)]
        if got[0][0] == "error":
            seen["refused"] += 1
    keys = [k for t in family.tables for k in t.foreign]
    cursors[0].execute("SELECT constraint_name FROM information_schema.referential_constraints WHERE constraint_schema = 'd'")
    made = {x[0] for x in cursors[0].fetchall()}
    keys, inside, checks, checked = [k for k in keys if k.name in made], False, True, True
    for q in ("SET foreign_key_checks = 0", *family.fill(), "SET foreign_key_checks = 1"):
        log.append(q)
        for c in cursors:
            ask(c, q)
    before, found = rows(cursors[0], family), []
    if own_checks(cursors[0], family, keys, True, False):
        checked = False
    for _ in range(n):
        q, prepared = family.change(), r.random() < 0.1
        log.append(q)
        ways = [way(c, q, family) for c in cursors] if len(cursors) > 1 and SEVERAL.match(q) else [None]
        if len(ways) > 1:
            seen["joins that both read the same way" if ways[0] == ways[1] else "joins that both read differently"] += 1
        got = [ask(c, q, prepared) for c in cursors]
        seen[got[0][0] if got[0][0] == "done" else got[0][1]] += 1
        if q.startswith("SET foreign_key_checks"):
            checks = q.endswith("1")
        checked = checked and checks
        inside = q == "BEGIN" or inside and not (q in ("COMMIT", "ROLLBACK") or q.startswith("TRUNCATE"))
        have = [rows(c, family) for c in cursors]
        wrong, why = compare(q, got if len(got) > 1 else got * 2, have, ways)
        if why:
            seen[why] += 1
            if excused:
                print(f"--- {why}{wrong}\n  {q}\n  rows {'differ' if have[0] != have[-1] else 'same'}", flush=True)
            if have[0] != have[-1]:
                return found
            wrong = None
        if not wrong and len(cursors) > 1 and (ids := [counters(c) for c in cursors])[0] != ids[1]:
            if not reopened(q, ids):
                return [*found, (f"AUTO_INCREMENT after {got[0]}\n  here  {ids[0]}\n  there {ids[1]}", q, log)]
            seen["AUTO_INCREMENT that MySQL finds again"] += 1
            if inside:  # ALTER TABLE would commit
                return found
            for t, value in ids[1]:
                for c in cursors:
                    ask(c, f"ALTER TABLE {t} AUTO_INCREMENT = {value}")
        if wrong and have[0] == have[-1]:
            # the tables are the same: more may come of this family
            found.append((wrong, q, list(log)))
            wrong = None
        if not wrong and got[0][0] == "error" and have[0] != before:
            wrong = f"it failed ({got[0]}) and changed rows: {[(t, before[t], have[0][t]) for t in before if before[t] != have[0][t]]}"
        wrong = wrong or own_checks(cursors[0], family, keys, checked, inside)
        before = have[0]
        if wrong:
            return [*found, (wrong, q, log)]
    return found


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--families", type=int, default=40)
    a.add_argument("--first", type=int, default=0, help="number of the first family")
    a.add_argument("--statements", type=int, default=40, help="changes of each family")
    a.add_argument("--mysql", action="store_true", help="MySQL answers too")
    a.add_argument("--keep", type=pathlib.Path, help="folder for the statements up to each difference")
    a.add_argument("--excused", action="store_true", help="show the differences that have a reason too")
    a = a.parse_args()
    warnings.simplefilter("ignore")
    servers = [Server().start()] + ([MySQL().start()] if a.mysql else [])
    cursors = [s.connect(autocommit=True).cursor() for s in servers]
    seen, wrong = collections.Counter(), 0
    for n in range(a.first, a.first + a.families):
        for said, q, log in one(random.Random(f"{a.seed} {n}"), cursors, a.statements, seen, a.excused):
            wrong += 1
            print(f"=== {n}.{len(log)}: {said}\n  {q}", flush=True)
            if a.keep:
                a.keep.mkdir(parents=True, exist_ok=True)
                (a.keep / f"{n}.{len(log)}.sql").write_text(";\n".join(log) + ";\n")
    print(f"{a.families} families, {wrong} differ; {dict(seen)}")
    for s in servers:
        s.remove()
    # changes must mostly work, or nothing is tested
    return 1 if wrong or seen["done"] < a.families * a.statements // 4 else 0


if __name__ == "__main__":
    sys.exit(main())
