#!/usr/bin/env python3
"""What a table computes of its rows is true after every change: computed_random.py [--seed N] [--tables N] [--statements N] [--mysql]. Exit status 1 on a difference.

Random tables with generated columns over one another (VIRTUAL and STORED, indexed), functional indexes, CHECKs, expression defaults, NOT NULL, unique keys and
columns of all families, changed by INSERT (IGNORE, SELECT, ON DUPLICATE KEY UPDATE), REPLACE, UPDATE (IGNORE, joins, ORDER BY ... LIMIT), DELETE, ALTER TABLE and
ROLLBACK in strict and other modes, now and then prepared.
After each change

* no row breaks a CHECK; a scan and a read by each index find the same rows; CHECK TABLE says OK; at the end a copy of the plain columns computes the same
  (while the mode was one);
* with `--mysql`, MySQL has changed as many rows or refused the statement too, and has the same rows.
"""
import argparse
import collections
import pathlib
import random
import sys
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from lib.servers import MySQL, Server  # noqa: E402

TYPES = {
    "int": ["INT", "TINYINT", "SMALLINT UNSIGNED", "BIGINT", "INT UNSIGNED"], "dec": ["DECIMAL(6,2)", "DECIMAL(4,0)", "DECIMAL(10,4) UNSIGNED"], "dbl": ["DOUBLE", "FLOAT"],
    "str": ["VARCHAR(4)", "CHAR(3)", "VARCHAR(20)", "TINYTEXT", "VARCHAR(8) COLLATE utf8mb4_bin"], "bin": ["VARBINARY(4)", "BINARY(3)", "BLOB"], "date": ["DATE"],
    "dt": ["DATETIME", "DATETIME(3)", "TIMESTAMP NULL"], "time": ["TIME", "TIME(2)"], "year": ["YEAR"], "enum": ["ENUM('a','bb','c3')"], "set": ["SET('x','y','z')"],
    "bit": ["BIT(5)"], "json": ["JSON"],
}
VALUES = {
    "int": ["0", "1", "-1", "5", "100", "127", "128", "70000", "'7'", "'8x'", "3.5", "'abc'", "NULL"], "dec": ["0", "1.5", "-2.345", "99.995", "12345", "'4.5 '", "1e2", "'z'", "NULL"],
    "dbl": ["0", "1.5", "-3e5", "1e30", "'2.5'", "'q'", "NULL"], "str": ["''", "'a'", "'A'", "'abcd'", "'abcdef'", "'a  '", "12.50", "'é'", "NULL", "CURDATE() * 0"],
    "bin": ["''", "'a'", "x'00ff'", "'abcdef'", "NULL"], "date": ["'2024-02-29'", "'2023-02-29'", "'0000-00-00'", "20240301", "'2024-01-01 10:11:12'", "NULL", "'x'"],
    "dt": ["'2024-02-29 12:30:45.678'", "'2024-13-01'", "'2024-05-05'", "20240301101112", "NULL", "'0000-00-00 00:00:00'"], "time": ["'10:11:12.345'", "'-1:02'", "'900:00:00'", "101112", "NULL", "'t'"],
    "year": ["2024", "'70'", "0", "1800", "NULL", "'2000'"], "enum": ["'a'", "'bb'", "'BB'", "2", "0", "'no'", "NULL", "''"], "set": ["'x,z'", "''", "3", "9", "'w'", "NULL"],
    "bit": ["b'101'", "31", "32", "NULL", "-1"], "json": ["'{\"a\": 1}'", "'[1, 2]'", "'{'", "NULL", "'3'", "'\"s\"'"],
}
# what is computed of a column, by its family: (expression, family of the result)
COMPUTED = {
    "int": [("{c} + 1", "int"), ("{c} * {c}", "int"), ("{c} DIV 3", "int"), ("IF({c} > 5, 'big', 'small')", "str"), ("{c} / 4", "dec"), ("CONCAT({c}, '-')", "str"), ("{c} IS NULL", "int")],
    "dec": [("ROUND({c})", "dec"), ("{c} * 2", "dec"), ("{c} + 0.005", "dec"), ("CAST({c} AS CHAR(5))", "str"), ("-{c}", "dec")],
    "dbl": [("ABS({c})", "dbl"), ("{c} * 1.5e0", "dbl"), ("FLOOR({c})", "dbl")],
    "str": [("UPPER({c})", "str"), ("CHAR_LENGTH({c})", "int"), ("CONCAT({c}, 'x')", "str"), ("LEFT({c}, 2)", "str"), ("COALESCE({c}, 'none')", "str"), ("REVERSE({c})", "str")],
    "bin": [("HEX({c})", "str"), ("LENGTH({c})", "int")], "date": [("YEAR({c})", "int"), ("{c} + INTERVAL 1 DAY", "date"), ("TO_DAYS({c})", "int"), ("LAST_DAY({c})", "date")],
    "dt": [("DATE({c})", "date"), ("HOUR({c})", "int"), ("TIMESTAMPDIFF(DAY, '2020-01-01', {c})", "int")], "time": [("TIME_TO_SEC({c})", "int"), ("HOUR({c})", "int")],
    "year": [("{c} - 2000", "int"), ("CONCAT({c})", "str")], "enum": [("{c} + 0", "int"), ("CONCAT({c}, '')", "str"), ("{c} = 'a'", "int")], "set": [("{c} + 0", "int"), ("FIND_IN_SET('y', {c})", "int")],
    "bit": [("{c} + 0", "int"), ("BIT_COUNT({c})", "int")], "json": [("{c}->>'$.a'", "str"), ("JSON_LENGTH({c})", "int"), ("JSON_TYPE({c})", "str")],
}
MODES = ["", "STRICT_TRANS_TABLES", "STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO", "ANSI_QUOTES,STRICT_ALL_TABLES"]


class Column:
    def __init__(self, name, family, ddl, null, computed=None, default=False):
        self.name, self.family, self.ddl, self.null, self.computed, self.default = name, family, ddl, null, computed, default


class Table:
    """A random definition; `t` has it, and `u` the plain columns as a source of rows."""

    def __init__(self, r):
        self.r, self.columns, self.checks, self.keys = r, [], [], []
        for i in range(r.randint(2, 5)):
            family = r.choice(list(TYPES))
            self.columns.append(Column(f"c{i}", family, r.choice(TYPES[family]), r.random() < 0.6))
        if r.random() < 0.3:
            c = r.choice(self.columns)
            e, family = r.choice(COMPUTED[c.family])
            self.columns.append(Column("d0", family, r.choice(TYPES[family]), True, default=e.format(c=c.name)))
        for i in range(r.randint(1, 3)):
            c = r.choice(self.columns)
            e, family = r.choice(COMPUTED[c.family])
            ddl = r.choice(TYPES[family])
            self.columns.append(Column(f"g{i}", family, ddl.replace(" NULL", ""), r.random() < 0.8, e.format(c=c.name)))
        for c in r.sample(self.columns, min(len(self.columns), r.choice([0, 1, 1, 2]))):
            e = {"int": f"{c.name} < 1000", "dec": f"{c.name} <> 1.5", "str": f"{c.name} <> 'abcd'", "date": f"YEAR({c.name}) > 1999"}.get(c.family)
            if e:
                self.checks.append(e)
        self.plain = [c for c in self.columns if not c.computed]

    def create(self):
        r = self.r
        parts = ["id INT PRIMARY KEY" + r.choice(["", " AUTO_INCREMENT"])]
        for c in self.columns:
            text = f"{c.name} {c.ddl}"
            if c.computed:
                stored = r.choice(["VIRTUAL", "STORED"])
                text += f" AS ({c.computed}) {stored}"
            if c.default:
                text += f" DEFAULT ({c.default})"
            parts.append(text + ("" if c.null else " NOT NULL"))
        for i, e in enumerate(self.checks):
            parts.append(f"CONSTRAINT k{i} CHECK ({e})")
        for i in range(r.choice([0, 1, 2, 2])):
            use = r.sample([c for c in self.columns if c.family != "json"], k=1) if any(c.family != "json" for c in self.columns) else []
            if use and r.random() < 0.2 and use[0].family in ("int", "dbl"):
                parts.append(f"KEY i{i} ((ABS({use[0].name})))")
            elif use:
                long = "TEXT" in use[0].ddl or "BLOB" in use[0].ddl
                parts.append(f"{r.choice(['KEY', 'KEY', 'UNIQUE KEY'])} i{i} ({use[0].name}{'(3)' if long else ''})")
                self.keys.append(f"i{i}")
        return f"CREATE TABLE t ({', '.join(parts)})"

    def value(self, c, own=True):
        r, x = self.r, self.r.random()
        if x < 0.08:
            return "DEFAULT"
        if own and x < 0.2:
            e, _ = r.choice(COMPUTED[c.family])
            return e.format(c=r.choice(self.columns).name) if r.random() < 0.3 else c.name
        if x < 0.25:
            return r.choice(VALUES[r.choice(list(VALUES))])
        return r.choice(VALUES[c.family])

    def where(self, alias="t"):
        r = self.r
        c = r.choice(self.columns)
        return r.choice([f"{alias}.id = {r.randint(1, 12)}", f"{alias}.id > {r.randint(1, 10)}", f"{alias}.{c.name} IS NULL", f"{alias}.{c.name} IS NOT NULL",
                         f"{alias}.id IN ({r.randint(1, 9)}, {r.randint(1, 9)})"])

    def sets(self, prefix=""):
        use = self.r.sample(self.plain, self.r.randint(1, min(3, len(self.plain))))
        return ", ".join(f"{prefix}{c.name} = {self.value(c)}" for c in use)

    def change(self):
        r, x = self.r, self.r.random()
        use = r.sample(self.plain, r.randint(1, len(self.plain)))
        names = ", ".join(["id"] + [c.name for c in use])
        ignore = " IGNORE" if r.random() < 0.25 else ""
        if x < 0.4:
            rows = ", ".join("(" + ", ".join([str(r.randint(1, 14))] + [self.value(c, False) for c in use]) + ")" for _ in range(r.choice([1, 1, 2, 4])))
            verb = r.choice([f"INSERT{ignore} INTO", f"INSERT{ignore} INTO", "REPLACE INTO"])
            tail = f" ON DUPLICATE KEY UPDATE {self.sets()}" if verb[0] == "I" and r.random() < 0.35 else ""
            return f"{verb} t ({names}) VALUES {rows}{tail}"
        if x < 0.5:
            tail = f" ON DUPLICATE KEY UPDATE {', '.join(f'{c.name} = u.{c.name}' for c in use[:2])}" if r.random() < 0.4 else ""
            verb = "REPLACE" if not tail and r.random() < 0.3 else f"INSERT{ignore}"
            return f"{verb} INTO t ({names}) SELECT {', '.join(f'u.{n}' for n in names.split(', '))} FROM u WHERE u.id < {r.randint(2, 12)} ORDER BY u.id{tail}"
        if x < 0.75:
            order = f" ORDER BY id{r.choice(['', ' DESC'])} LIMIT {r.randint(1, 4)}" if r.random() < 0.3 else ""
            return f"UPDATE{ignore} t SET {self.sets()} WHERE {self.where()}{order}"
        if x < 0.85:
            c = r.choice(self.plain)
            return f"UPDATE{ignore} t JOIN u ON t.id = u.id SET t.{c.name} = u.{c.name} WHERE {self.where()}"
        if x < 0.92:
            return f"DELETE FROM t WHERE {self.where()}"
        if x < 0.96:
            return r.choice(["BEGIN", "ROLLBACK", "COMMIT"])
        return r.choice(["ALTER TABLE t FORCE", "OPTIMIZE TABLE t", "ALTER TABLE t ADD COLUMN n INT DEFAULT 3, DROP COLUMN n", f"ALTER TABLE t MODIFY {self.columns[0].name} {self.columns[0].ddl}"])


def ask(cursor, sql, prepared=False):
    """(kind, rows or count or error, warnings)"""
    try:
        if prepared:
            cursor.execute("SET @s = %s", (sql,))
            cursor.execute("PREPARE p FROM @s")
            cursor.execute("EXECUTE p")
        else:
            cursor.execute(sql)
        rows = cursor.fetchall() if cursor.description else ()
        got = ("rows", tuple(map(repr, rows))) if cursor.description else ("done", cursor.rowcount)
    except Exception as e:  # an error is an answer
        return ("error", e.args[0], ())
    cursor.execute("SHOW WARNINGS")
    return (*got, tuple(sorted(w[1] for w in cursor.fetchall())))


def own_checks(c, t, inside):
    """What the table itself must fulfil; the first that it does not."""
    for i, e in enumerate(t.checks):
        c.execute(f"SELECT id FROM t WHERE NOT ({e})")
        bad = c.fetchall()
        if bad:
            return f"rows {bad} break CHECK {e}"
    for k in t.keys:
        counts = []
        for hint in (f"FORCE INDEX ({k})", "IGNORE INDEX (" + ", ".join(t.keys) + ")"):
            c.execute(f"SELECT * FROM t {hint} ORDER BY id")
            counts.append(c.fetchall())
        if counts[0] != counts[1]:
            return f"index {k} and the table differ"
    if inside:  # CHECK TABLE would commit
        return None
    c.execute("CHECK TABLE t")
    said = c.fetchall()
    if said[-1][-1] != "OK":
        return f"CHECK TABLE: {said}"
    return None


def one(r, cursors, n, seen, keep, with_warnings):
    t = Table(r)
    create = t.create()
    log = [create]
    for c in cursors:
        for q in ("ROLLBACK", "DROP DATABASE IF EXISTS d", "CREATE DATABASE d", "USE d", "SET sql_mode = '', time_zone = '+00:00'"):
            c.execute(q)
    made = [ask(c, create)[:2] for c in cursors]
    if any(m != made[0] for m in made):
        return [f"CREATE: {made}\n{create}"]
    if made[0][0] == "error":
        seen["refused"] += 1
        return []
    source = [f"CREATE TABLE u (id INT PRIMARY KEY, {', '.join(f'{c.name} VARCHAR(40)' for c in t.plain)})"]
    for i in range(10):
        source.append(f"INSERT INTO u VALUES ({i}, {', '.join(r.choice(VALUES[c.family]) for c in t.plain)})")
    for q in source:
        log.append(q)
        for c in cursors:
            ask(c, q)
    # what is computed depends on the mode in which a row was written
    inside, one_mode = False, r.random() < 0.5
    for _ in range(n):
        if not one_mode and r.random() < 0.1:
            mode = f"SET sql_mode = '{r.choice(MODES)}'"
            log.append(mode)
            for c in cursors:
                c.execute(mode)
        q, prepared = t.change(), r.random() < 0.12
        log.append(q)
        got = [ask(c, q, prepared) for c in cursors]
        seen[got[0][0]] += 1
        inside = q == "BEGIN" or inside and not q.startswith(("ROLLBACK", "COMMIT", "ALTER", "OPTIMIZE"))
        wrong = own_checks(cursors[0], t, inside)
        if not wrong and len(cursors) > 1:
            a, b = ((g[:1] if g[0] == "error" or g[0] == "rows" else g[:2]) if not with_warnings else g for g in got)
            if a != b:
                wrong = f"here {got[0]} there {got[1]}"
            elif got[0][0] != "error" or r.random() < 0.2:
                a, b = (ask(c, "SELECT * FROM t ORDER BY id")[1] for c in cursors)
                if a != b:
                    wrong = f"rows here {[x for x in a if x not in b][:3]} there {[x for x in b if x not in a][:3]}"
        if wrong:
            if keep:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{seen['tables']}.sql").write_text(";\n".join(log) + ";\n")
            return [f"{wrong}\n  {q}\n  {create}"]
    if not one_mode:
        return []
    # a table built anew computes the same
    c = cursors[0]
    c.execute("COMMIT")
    c.execute("SELECT * FROM t ORDER BY id")
    before = c.fetchall()
    c.execute("SET sql_mode = ''")
    c.execute("CREATE TABLE copy LIKE t")
    names = ", ".join(["id"] + [x.name for x in t.plain])
    c.execute(f"INSERT INTO copy ({names}) SELECT {names} FROM t")
    c.execute("SELECT * FROM copy ORDER BY id")
    return [] if before == c.fetchall() else [f"a copy has other rows\n  {create}"]


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--tables", type=int, default=40)
    a.add_argument("--statements", type=int, default=30, help="changes of each table")
    a.add_argument("--mysql", action="store_true", help="MySQL answers too")
    a.add_argument("--warnings", action="store_true", help="which error, and which warnings, count too")
    a.add_argument("--keep", type=pathlib.Path, help="folder for the statements up to each difference")
    a = a.parse_args()
    warnings.simplefilter("ignore")
    servers = [Server().start()] + ([MySQL().start()] if a.mysql else [])
    cursors = [s.connect(autocommit=True).cursor() for s in servers]
    seen, wrong = collections.Counter(), 0
    for n in range(a.tables):
        seen["tables"] += 1
        for w in one(random.Random(f"{a.seed} {n}"), cursors, a.statements, seen, a.keep, a.warnings):
            wrong += 1
            print(f"=== {n}: {w}", flush=True)
    print(f"{a.tables} tables, {wrong} differ; {dict(seen)}")
    for s in servers:
        s.remove()
    # changes must mostly work, or nothing is tested
    return 1 if wrong or seen["done"] < a.tables * a.statements // 8 else 0


if __name__ == "__main__":
    sys.exit(main())
