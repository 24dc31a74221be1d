#!/usr/bin/env python3
"""Prepared statements answer as MySQL's do, whatever is sent for their parameters: prepared_random.py [--seed N] [--statements N] [--mysql]. Exit status 1 on a difference.

Random tables with columns of all types; random statements with `?` in all places where a value may stand; each is executed three times with values of other
types each time: prepared once in the binary protocol (integers of all widths, FLOAT, DOUBLE, DECIMAL, texts, blobs, dates and times, NULL), by PREPARE and
EXECUTE ... USING with user variables, and with literals in the text protocol. Changes are rolled back after their rows were read.

* Ours must answer a statement that has run with other values before as one that is prepared for these values by another session, and EXECUTE ... USING as
  the binary protocol with the same types.
* With `--mysql`, MySQL must have the same rows, counts of changed rows, errors, rows in the changed table and (`--types`) names and types of columns in all
  three forms. What docs/compat.md says of types of parameters is counted, not reported: `excuse`.
"""
import argparse
import collections
import pathlib
import random
import re
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
from binary import CODES, literal, packed, temporal  # noqa: E402
from lib import wire  # noqa: E402
from lib.servers import MySQL, Server  # noqa: E402

TYPES = {
    "int": ["INT", "TINYINT", "SMALLINT UNSIGNED", "BIGINT", "BIGINT UNSIGNED", "INT UNSIGNED"], "dec": ["DECIMAL(6,2)", "DECIMAL(20,0)", "DECIMAL(12,4)"],
    "dbl": ["DOUBLE", "FLOAT"], "str": ["VARCHAR(20)", "CHAR(5)", "VARCHAR(8) COLLATE utf8mb4_bin", "TEXT", "VARCHAR(10) CHARACTER SET latin1"],
    "bin": ["VARBINARY(8)", "BLOB", "BINARY(3)"], "date": ["DATE"], "dt": ["DATETIME", "DATETIME(3)", "TIMESTAMP NULL"], "time": ["TIME", "TIME(2)"], "year": ["YEAR"],
    "enum": ["ENUM('a','bb','c3')"], "set": ["SET('x','y','z')"], "bit": ["BIT(5)"], "json": ["JSON"],
}
ROWS = {
    "int": ["0", "1", "5", "100", "7"], "dec": ["0", "1.5", "12", "99.25", "7"], "dbl": ["0", "1.5", "300", "0.25"], "str": ["''", "'a'", "'A'", "'abc'", "'a  '", "'12.5'", "'é'", "'7'"],
    "bin": ["''", "'a'", "'abc'", "x'00ff'"], "date": ["'2024-02-29'", "'2023-12-31'", "'1999-01-01'"], "dt": ["'2024-02-29 12:30:45.678'", "'2024-05-05'", "'1999-01-01 10:11:12'"],
    "time": ["'10:11:12.345'", "'-1:02'", "'00:00:00'"], "year": ["2024", "1970", "0"], "enum": ["'a'", "'bb'", "'c3'"], "set": ["'x,z'", "''", "'y'"], "bit": ["b'101'", "31", "0"],
    "json": ["'{\"a\": 1}'", "'[1, 2, \"x\"]'", "'3'", "'\"s\"'", "'null'", "'2.50'"],
}
# what is sent for a parameter of a family, the usual first: (type, value)
NULL = ("null", None)
VALUES = {
    "num": [("i64", 1), ("i32", 5), ("i8", 7), ("i16", -1), ("dec", "1.50"), ("f64", 1.5), ("str", "7"), ("u64", 5), ("i64", 100), ("str", "2.5"), NULL, ("dec", "99.25"), ("f32", 0.25), ("i64", 0),
            ("u64", 2**64 - 1), ("dec", "-12345.678"), ("f64", -3e5), ("i64", -2**63), ("str", "1e1"), ("str", "8x"), ("str", "abc"), ("bin", b"7"), ("str", "")],
    "str": [("str", "a"), ("str", "abc"), ("str", "A"), ("str", ""), ("str", "é"), ("str", "7"), NULL, ("bin", b"abc"), ("i64", 7), ("dec", "12.50"), ("f64", 1.5), ("str", "a  "),
            ("date", (2024, 2, 29)), ("str", "日本"), ("dt", (2024, 2, 29, 12, 30, 45, 678000)), ("time", (0, 10, 11, 12, 0))],
    "date": [("str", "2024-02-29"), ("date", (2024, 2, 29)), ("str", "2023-12-31"), ("dt", (2024, 5, 5, 0, 0, 0, 0)), ("i64", 20240229), NULL, ("str", "2024-02-29 12:30:45.678"), ("date", (1999, 1, 1)), ("str", "1999-1-1"), ("str", "x")],
    "dt": [("str", "2024-05-05 00:00:00"), ("dt", (2024, 2, 29, 12, 30, 45, 678000)), ("date", (2024, 5, 5)), ("str", "2024-02-29 12:30:45.678"), NULL, ("i64", 19990101101112), ("str", "2024-05-05"), ("ts", (1999, 1, 1, 10, 11, 12, 0)), ("str", "bad")],
    "time": [("str", "10:11:12.345"), ("time", (0, 10, 11, 12, 345000)), ("time", (1, 1, 2, 0, 0)), NULL, ("str", "-01:02:00"), ("i64", 101112), ("str", "0:0:0"), ("str", "t")],
    "year": [("i64", 2024), ("str", "2024"), ("i16", 1970), NULL, ("i64", 70), ("str", "0")], "enum": [("str", "a"), ("str", "BB"), ("i64", 2), NULL, ("str", "no")],
    "set": [("str", "x,z"), ("str", ""), ("i64", 5), NULL, ("str", "y")], "bit": [("i64", 5), ("i64", 31), ("bin", b"\x05"), NULL, ("i8", 0)],
    "json": [("str", '{"a": 1}'), ("str", "3"), ("i64", 3), ("str", '"s"'), NULL, ("dec", "2.50"), ("f64", 2.5), ("str", "s")], "path": [("str", "$.a"), ("str", "$[1]"), ("str", "$"), NULL],
    "count": [("i64", 2), ("i32", 1), ("i8", 3), ("i64", 0), ("i16", 4), ("u64", 100)], "small": [("i64", 1), ("i64", 2), ("i32", 0), ("i64", -1), NULL, ("str", "2"), ("i8", 3)],
    "compound": [("str", "1 2"), ("str", "1:2"), ("i64", 3), NULL, ("str", "-1"), ("dec", "1.50")], "escape": [("str", "|"), ("str", ""), ("str", "!"), NULL],
    "like": [("str", "a%"), ("str", "_b_"), ("str", "%"), NULL, ("str", "7"), ("i64", 7)],
}
for numeric in ("int", "dec", "dbl"):
    VALUES[numeric] = VALUES["num"]
VALUES["bin"] = VALUES["str"] + [("bin", b"\x00\xff")]
VALUES["tiles"] = [("i64", 1), ("i32", 2), ("i8", 3)]
VALUES["rows"] = [("i64", 1), ("i32", 2), ("i64", 0)]
VALUES["key"] = [("i64", 3), ("i32", 20), ("i64", 21), ("str", "5"), ("i8", 8), ("dec", "22"), ("f64", 23.0)]
NO_DATES = [("str", "x"), ("str", "bad"), ("str", "t")]
COMPARED = ["=", "=", "<", ">", "<=", ">=", "<>", "<=>"]


class Maker:
    """A table and random statements over it; `?family?` stands for a parameter."""

    def __init__(self, r):
        self.r = r
        families = r.sample(list(TYPES), 6) + r.choices(["int", "dec", "str", "dt"], k=2)
        self.columns = [(f"c{i}", f, r.choice(TYPES[f])) for i, f in enumerate(families)]
        parts = ["id INT PRIMARY KEY"] + [f"{c} {ty}" for c, _, ty in self.columns]
        keys = [c for c, f, ty in self.columns if f != "json" and ty not in ("TEXT", "BLOB")]
        parts += [f"KEY ({c})" for c in r.sample(keys, min(len(keys), 2))]
        self.setup = [f"CREATE TABLE t ({', '.join(parts)})", "CREATE TABLE u (id INT PRIMARY KEY, k INT, s VARCHAR(10))",
                      "INSERT INTO u VALUES (1, 1, 'a'), (2, 5, 'abc'), (3, NULL, '7'), (4, 7, NULL)"]
        for i in range(1, 9):
            row = ["NULL" if r.random() < 0.15 else r.choice(ROWS[f]) for _, f, _ in self.columns]
            self.setup.append(f"INSERT INTO t VALUES ({i}, {', '.join(row)})")

    def of(self, *families):
        found = [c for c, f, _ in self.columns if f in families]
        return self.r.choice(found) if found else None

    def value(self, family):
        """A parameter, now and then a literal."""
        return f"?{family}?" if self.r.random() < 0.85 or family not in ROWS else self.r.choice(ROWS[family])

    def num(self, depth=0):
        r, x = self.r, self.r.random()
        if depth > 2 or x < 0.3:
            return self.of("int", "dec", "dbl") or "id"
        if x < 0.5:
            return self.value("num")
        a, d = self.num, depth + 1
        if x < 0.68:
            return f"({a(d)} {r.choice(['+', '-', '*', '/', '%', 'DIV', '+', '*'])} {a(d)})"
        return r.choice([lambda: f"ABS({a(d)})", lambda: f"ROUND({a(d)}, {self.value('small')})", lambda: f"COALESCE({a(d)}, {a(d)})", lambda: f"IFNULL({a(d)}, {a(d)})", lambda: f"GREATEST({a(d)}, {a(d)})",
                         lambda: f"IF({self.condition(2)}, {a(d)}, {a(d)})", lambda: f"NULLIF({a(d)}, {a(d)})", lambda: f"CHAR_LENGTH({self.text(d)})", lambda: f"CASE {a(d)} WHEN {a(d)} THEN {a(d)} ELSE {a(d)} END",
                         lambda: f"FLOOR({a(d)})", lambda: f"- {a(d)}", lambda: f"YEAR({self.date(d)})", lambda: f"LOCATE({self.text(d)}, {self.text(d)})", lambda: f"CAST({a(d)} AS SIGNED)",
                         lambda: f"({self.of('bit', 'year', 'enum', 'set') or 'id'} + {self.value('num')})", lambda: f"(SELECT MAX(k) FROM u WHERE k < {a(d)})", lambda: f"CAST({a(d)} AS DECIMAL(10,2))",
                         lambda: f"TRUNCATE({a(d)}, {self.value('small')})", lambda: f"INTERVAL({a(d)}, {self.value('num')}, {self.value('num')})", lambda: f"FIELD({self.text(d)}, {self.value('str')}, {self.value('str')})",
                         lambda: f"({a(d)} {r.choice(COMPARED)} {self.value('num')})", lambda: f"CAST({self.value('num')} AS {r.choice(['SIGNED', 'UNSIGNED', 'DOUBLE', 'DECIMAL(20,3)'])})"])()

    def text(self, depth=0):
        r, x = self.r, self.r.random()
        if depth > 2 or x < 0.35:
            return self.of("str") or self.of("bin", "enum") or "'abc'"
        if x < 0.55:
            return self.value("str")
        a, d = self.text, depth + 1
        return r.choice([lambda: f"CONCAT({a(d)}, {a(d)})", lambda: f"LEFT({a(d)}, {self.value('small')})", lambda: f"SUBSTRING({a(d)}, {self.value('small')}, {self.value('small')})", lambda: f"COALESCE({a(d)}, {a(d)})",
                         lambda: f"({a(d)} COLLATE utf8mb4_bin)" if r.random() < 0.3 and not self.of("bin") else f"UPPER({a(d)})", lambda: f"ELT({self.value('small')}, {a(d)}, {a(d)})", lambda: f"INSERT({a(d)}, {self.value('small')}, {self.value('small')}, {a(d)})", lambda: f"IF({self.condition(2)}, {a(d)}, {a(d)})", lambda: f"LPAD({a(d)}, {self.value('count')}, {a(d)})", lambda: f"REPLACE({a(d)}, {a(d)}, {a(d)})",
                         lambda: f"CASE WHEN {self.condition(2)} THEN {a(d)} ELSE {self.num(d)} END", lambda: f"HEX({r.choice([a, self.num])(d)})", lambda: f"DATE_FORMAT({self.date(d)}, {self.value('str')})",
                         lambda: f"CONCAT_WS({self.value('str')}, {a(d)}, {self.num(d)})", lambda: f"CAST({self.any(d)[0]} AS CHAR)", lambda: f"(SELECT MIN(s) FROM u WHERE s >= {a(d)})"])()

    def date(self, depth=0):
        r, x = self.r, self.r.random()
        c = self.of("dt", "date")
        if depth > 2 or x < 0.5:
            return c or "DATE'2024-02-29'"
        if x < 0.65:
            return self.value(r.choice(["date", "dt"]))
        a, d = self.date, depth + 1
        return r.choice([lambda: f"({a(d)} + INTERVAL {self.value('small')} {r.choice(['DAY', 'MONTH', 'HOUR', 'SECOND'])})", lambda: f"COALESCE({a(d)}, {a(d)})", lambda: f"LAST_DAY({a(d)})", lambda: f"GREATEST({a(d)}, {a(d)})",
                         lambda: f"IFNULL({a(d)}, {self.value('dt')})", lambda: f"DATE({a(d)})", lambda: f"IF({self.condition(2)}, {a(d)}, {a(d)})",
                         lambda: f"DATE_SUB({a(d)}, INTERVAL {self.value('compound')} {r.choice(['DAY_HOUR', 'HOUR_MINUTE', 'YEAR_MONTH'])})", lambda: f"CAST({self.value(r.choice(['date', 'dt']))} AS {r.choice(['DATE', 'DATETIME', 'DATETIME(3)'])})",
                         lambda: f"NULLIF({a(d)}, {self.value('dt')})", lambda: f"MAKEDATE({self.value('year')}, {self.value('small')})"])()

    def json(self):
        c = self.of("json") or "JSON_ARRAY(1, 'x', NULL)"
        return self.r.choice([f"JSON_EXTRACT({c}, ?path?)", f"JSON_SET({c}, '$.a', {self.value('num')})", f"JSON_ARRAY({self.value('num')}, {self.value('str')}, {c})", f"JSON_OBJECT('k', {self.value('json')})",
                              f"JSON_UNQUOTE(JSON_EXTRACT({c}, ?path?))", f"JSON_TYPE(JSON_EXTRACT({c}, ?path?))", f"JSON_VALID({self.value('json')})"])

    def any(self, depth=0):
        """(expression, family)"""
        x = self.r.random()
        if x < 0.1:
            return self.json(), "json"
        if x < 0.25:
            c, f, _ = self.r.choice(self.columns)
            return self.r.choice([c, f"COALESCE({c}, {self.value(f)})", f"IFNULL({c}, {self.value(f)})", f"NULLIF({c}, {self.value(f)})"]), f
        return self.r.choice([(self.num, "num"), (self.text, "str"), (self.date, "dt"), (self.num, "num")])[0](depth), "num"

    def condition(self, depth=0):
        r, x = self.r, self.r.random()
        if depth < 2 and x < 0.2:
            return f"({self.condition(depth + 1)} {r.choice(['AND', 'OR'])} {self.condition(depth + 1)})"
        c, f, _ = r.choice(self.columns + [("id", "int", "INT")])
        v = lambda: self.value(f)  # noqa: E731
        return r.choice([lambda: f"{c} {r.choice(COMPARED)} {v()}", lambda: f"{c} {r.choice(COMPARED)} {v()}", lambda: f"{v()} {r.choice(COMPARED)} {c}", lambda: f"{c} {r.choice(['', 'NOT '])}IN ({', '.join(v() for _ in range(r.randint(1, 4)))})",
                         lambda: f"{c} {r.choice(['', 'NOT '])}BETWEEN {v()} AND {v()}", lambda: f"{v()} BETWEEN {c} AND {v()}", lambda: f"{self.num(2)} {r.choice(COMPARED)} {self.num(1)}", lambda: f"{self.text(2)} LIKE {self.value('like')}" + r.choice(["", "", f" ESCAPE {self.value('escape')}"]),
                         lambda: f"{self.value('num')}", lambda: f"NOT {self.value('num')}", lambda: f"{self.value('num')} IS {r.choice(['', 'NOT '])}{r.choice(['TRUE', 'FALSE', 'NULL'])}", lambda: f"({c} {r.choice(COMPARED)} {v()} XOR {self.value('num')})",
                         lambda: f"(id, {c}) IN (({self.value('int')}, {v()}), ({self.value('int')}, {v()}))", lambda: f"{v()} NOT IN ({c}, {v()})", lambda: f"{c} {r.choice(COMPARED)} (SELECT MAX(k) FROM u WHERE k <> {self.value('num')})",
                         lambda: f"{v()} {r.choice(COMPARED)} ANY (SELECT {c} FROM t x)", lambda: f"IF({c} {r.choice(COMPARED)} {v()}, {v()}, {c}) {r.choice(COMPARED)} {v()}",
                         lambda: f"(id, {c}) {r.choice(['=', '<', '<=>'])} ({self.value('int')}, {v()})", lambda: f"{self.value('int')} IN (SELECT k FROM u WHERE u.id <= {self.value('int')})", lambda: f"{c} IS NOT NULL AND {self.value('int')}",
                         lambda: f"EXISTS (SELECT 1 FROM u WHERE u.k = t.id + {self.value('num')})", lambda: f"{self.text(2)} {r.choice(COMPARED)} {self.text(2)}", lambda: f"{self.date(1)} {r.choice(COMPARED)} {self.date(2)}",
                         lambda: f"({c} {r.choice(COMPARED)} {v()}) IS NOT TRUE", lambda: f"COALESCE({c}, {v()}) {r.choice(COMPARED)} {v()}"])()

    def select(self):
        r, x = self.r, self.r.random()
        where = f" WHERE {self.condition()}" if r.random() < 0.7 else ""
        items = [self.any()[0] for _ in range(r.randint(1, 3))]
        if x < 0.45:
            limit = r.choice([" LIMIT ?count?", " LIMIT ?count?, ?count?", " LIMIT ?count? OFFSET ?count?"]) if r.random() < 0.3 else ""
            return f"SELECT id, {', '.join(items)} FROM t{where} ORDER BY id{limit}"
        if x < 0.52:
            pair = [self.value(r.choice(["num", "str", "dt", "time", "json"])) for _ in range(3)]
            return f"SELECT {pair[0]}, {self.value('num')} {r.choice('+-*/')} {self.value('num')}, COALESCE({pair[1]}, {pair[2]}), {pair[1]} {r.choice(COMPARED)} {pair[2]}"
        if x < 0.68:  # of equal texts any may be shown
            c, f, _ = r.choice([c for c in self.columns if c[1] != "str"])
            call = r.choice(["SUM({})", "COUNT({})", "MAX({})", "MIN({})", "AVG({})", "COUNT(DISTINCT {})", "GROUP_CONCAT({} ORDER BY 1)"]).format(self.num(1))
            having = f" HAVING COUNT(*) {r.choice(COMPARED)} {self.value('int')}" if r.random() < 0.4 else ""
            return f"SELECT {c}, {call}, {r.choice(['COUNT(*)', 'MAX(' + self.text(1) + ')'])} FROM t{where} GROUP BY {c}{having}"
        if x < 0.76:
            return f"SELECT {items[0]} x FROM t{where} UNION {r.choice(['ALL ', ''])}SELECT {r.choice([self.value('num'), self.value('str'), self.any()[0]])} FROM t"
        if x < 0.88:
            return f"SELECT d.x, {r.choice(['d.x + ?num?', 'COALESCE(d.x, ?str?)', 'd.id'])} FROM (SELECT id, {items[0]} x FROM t{where}) d WHERE d.id {r.choice(COMPARED)} ?int? OR d.x = {self.value(r.choice(['num', 'str']))}"
        if x < 0.94:
            return f"SELECT id, v.s FROM t {r.choice(['', 'LEFT '])}JOIN (SELECT id j, k, s FROM u) v ON v.j = id + ?small? AND v.k > ?int?{where}"
        return r.choice([
            lambda: f"SELECT id, ROW_NUMBER() OVER (ORDER BY id), SUM({self.num(1)}) OVER (ORDER BY id ROWS ?rows? PRECEDING) FROM t",
            lambda: f"SELECT id, LAG({items[0]}, ?rows?) OVER (ORDER BY id), LEAD({self.num(1)}, 1, {self.value('num')}) OVER (ORDER BY id), NTILE(?tiles?) OVER (ORDER BY id) FROM t{where}",
            lambda: f"SELECT id, FIRST_VALUE({items[0]}) OVER (ORDER BY id RANGE BETWEEN ?rows? PRECEDING AND ?rows? FOLLOWING) FROM t",
            lambda: f"SELECT {self.value('num')} x, COUNT(*) FROM t{where} GROUP BY x ORDER BY {self.value('str')}",
            lambda: f"SELECT id, (SELECT {self.value('num')} + t.id), EXISTS (SELECT 1 FROM u WHERE k = {self.value('num')}) FROM t{where} ORDER BY id",
        ])()

    def change(self):
        r, x = self.r, self.r.random()
        use = r.sample(self.columns, r.randint(1, 3))
        names = ", ".join(["id"] + [c for c, _, _ in use])
        sets = lambda: ", ".join(f"{c} = {self.value(f) if r.random() < 0.6 else self.r.choice([self.num, self.text])(2)}" for c, f, _ in use)  # noqa: E731
        row = lambda: f"(?key?, {', '.join(self.value(f) for _, f, _ in use)})"  # noqa: E731
        ignore = " IGNORE" if r.random() < 0.25 else ""
        if x < 0.35:
            rows = ", ".join(row() for _ in range(r.choice([1, 1, 2])))
            return f"{r.choice([f'INSERT{ignore}', f'INSERT{ignore}', 'REPLACE'])} INTO t ({names}) VALUES {rows}"
        if x < 0.5:
            return f"INSERT{ignore} INTO t ({names}) VALUES {row()} ON DUPLICATE KEY UPDATE {sets()}"
        if x < 0.58:
            return f"INSERT{ignore} INTO t ({names}) SELECT id + 10, {', '.join(self.value(f) for _, f, _ in use)} FROM t WHERE {self.condition()}"
        if x < 0.88:
            limit = " ORDER BY id LIMIT ?count?" if r.random() < 0.2 else ""
            return f"UPDATE{ignore} t SET {sets()} WHERE {self.condition()}{limit}"
        return f"DELETE FROM t WHERE {self.condition()}"



def number(text):
    return None if text is None else repr(float(text)).encode()


def row(packet, columns):
    """A binary row's values as texts."""
    r, out = wire.Reader(packet), []
    r.take(1)
    bits = r.take((len(columns) + 9) // 8)
    for i, c in enumerate(columns):
        if bits[(i + 2) // 8] >> ((i + 2) % 8) & 1:
            out.append(None)
        elif c.type in (1, 2, 3, 8, 9, 13):
            n = {1: 1, 2: 2, 13: 2, 3: 4, 9: 4, 8: 8}[c.type]
            out.append(str(int.from_bytes(r.take(n), "little", signed=not c.flags & 32)).zfill(4 if c.type == 13 else 1).encode())
        elif c.type in (4, 5):
            out.append(number(f"{struct.unpack('<f', r.take(4))[0]:.6g}" if c.type == 4 else struct.unpack("<d", r.take(8))[0]))
        elif c.type in (7, 10, 11, 12):
            out.append(temporal(c.type, r.take(r.int(1)), c.decimals).encode())
        else:
            out.append(r.str())
    return tuple(out)


class Client:
    """A session that gives answers: (kind, rows or count or error, columns)."""

    def __init__(self, server):
        self.server = server
        self.raw, self.prepared = wire.Raw(server), {}
        self.raw.sock.settimeout(60)
        for q in ("SET time_zone = '+00:00'", "CREATE DATABASE IF NOT EXISTS d", "USE d"):
            self.raw.query(q)

    def answer(self, ask, binary=False):
        try:
            ask()
            got = self.raw.result(binary)
        except wire.ServerError as e:
            return ("error", e.code, ())
        if isinstance(got, wire.Ok):
            return ("done", got.affected, ())
        columns, rows = got
        rows = [row(x, columns) if binary else tuple(number(v) if c.type in (4, 5) else v for c, v in zip(columns, x)) for x in rows]
        return ("rows", tuple(sorted(rows, key=repr)), [(c.name, c.type, c.flags & 32, c.decimals, c.charset == 63) for c in columns])

    def binary(self, sql, values):
        if "binary" not in self.prepared:
            try:
                self.prepared["binary"] = self.raw.prepare(sql)[0]
            except wire.ServerError as e:
                return ("error", e.code, "unprepared")
        nulls = sum(1 << i for i, (k, _) in enumerate(values) if k == "null").to_bytes((len(values) + 7) // 8, "little")
        kinds = b"".join(bytes([CODES[k], 0x80 if k == "u64" else 0]) for k, _ in values)
        body = struct.pack("<IBI", self.prepared["binary"], 0, 1) + (nulls + b"\x01" + kinds + b"".join(packed(*v) for v in values) if values else b"")
        return self.answer(lambda: self.raw.command(wire.EXECUTE, body), True)

    def named(self, sql, values):
        if "named" not in self.prepared:
            try:
                self.raw.query("PREPARE p FROM '" + sql.replace("'", "''") + "'")
                self.prepared["named"] = 0
            except wire.ServerError as e:
                return ("error", e.code, "unprepared")
        self.raw.query("SET @v = 1" + "".join(f", @v{i} = {literal(*v)}" for i, v in enumerate(values)))
        using = " USING " + ", ".join(f"@v{i}" for i in range(len(values))) if values else ""
        return self.answer(lambda: self.raw.command(wire.QUERY, f"EXECUTE p{using}".encode()))

    def text(self, sql, values):
        rest = iter(values)
        return self.answer(lambda: self.raw.command(wire.QUERY, re.sub(r"\?", lambda _: literal(*next(rest)), sql).encode()))

    def forget(self):
        if "binary" in self.prepared:
            self.raw.command(wire.CLOSE, struct.pack("<I", self.prepared["binary"]))
        self.prepared = {}

    def ask(self, form, sql, values):
        """An answer, and the table's rows after a change, which is rolled back."""
        if sql.startswith("SELECT"):
            return getattr(self, form)(sql, values)
        self.raw.query("BEGIN")
        kind, count, columns = getattr(self, form)(sql, values)
        rows = self.raw.query("SELECT * FROM t ORDER BY id")[1]
        self.raw.query("ROLLBACK")
        return (kind, count, columns, tuple(map(tuple, rows)))


def same(a, b, types):
    return a[:2] == b[:2] and a[3:] == b[3:] and (not types or a[2] == b[2])


def shortened(a):
    """The text protocol shows a DOUBLE with fixed decimals rounded, and YEAR 0 in its own ways."""
    if a[0] != "rows":
        return a
    years = [c[1] == 13 for c in a[2]]
    a = (a[0], tuple(tuple(v.lstrip(b"0") if y and v else v for v, y in zip(x, years)) for x in a[1]), *a[2:])
    fixed = [c[1] in (4, 5) and c[3] < 31 for c in a[2]]
    return ("rows", tuple(sorted((tuple(f"{float(v):.{c[3]}f}" if f and v else v for v, f, c in zip(x, fixed, a[2])) for x in a[1]), key=repr)), a[2], *a[3:])


def difference(a, b):
    """Where two answers differ, for people."""
    if a[:2] != b[:2]:
        if a[0] == b[0] == "rows":
            return f"here {[x for x in a[1] if x not in b[1]][:3]} there {[x for x in b[1] if x not in a[1]][:3]}"
        return f"here {a[:2] if a[0] != 'rows' else a[1][:3]} there {b[:2] if b[0] != 'rows' else b[1][:3]}"
    if a[3:] != b[3:]:
        return f"table here {[x for x in a[3] if x not in b[3]][:3]} there {[x for x in b[3] if x not in a[3]][:3]}"
    return f"columns here {[x for x in a[2] if x not in b[2]][:3]} there {[x for x in b[2] if x not in a[2]][:3]}"


def excuse(sql, values, form, here, there):
    """What docs/compat.md says ("Types of parameters", "Texts of parameters"), or None."""
    if here[0] == there[0] == "error":
        return "which error"
    if there[0] == "error" and there[1] in (3854, 3988):
        return "bytes as text"
    if any(v in NO_DATES for v in values):
        return "no date"
    return None


def one(r, m, clients, fresh, seen, a):
    """One statement with several executions; the differences."""
    template = m.select() if r.random() < 0.7 else m.change()
    families = re.findall(r"\?(\w+)\?", template)
    sql = re.sub(r"\?\w+\?", "?", template)
    runs, found = [], []
    for n in range(a.executions):
        usual = n == 0 or r.random() < 0.4
        runs.append([r.choice(VALUES[f][:max(2, len(VALUES[f]) // 3)] if usual else VALUES[f]) for f in families])
    for c in clients:
        c.forget()
    for n, values in enumerate(runs):
        for form in ("text", "binary", "named"):
            got = [c.ask(form, sql, values) for c in clients]
            seen[got[0][0]] += 1
            say = lambda kind, x, y: found.append((kind, f"{form} {difference(x, y)}\n  {sql}\n  {values}" + (f" after {runs[:n]}" if n else "")))  # noqa: E731,B023
            again = None
            if n and form != "text":
                for c in fresh:
                    c.forget()
                again = [c.ask(form, sql, values) for c in fresh]
                # a NULL, and what becomes one, keeps the type of the last value
                if not any(v in (NULL, *NO_DATES) for v in values) and not same(got[0], again[0], True):
                    say("history", got[0], again[0])
            # a date or blob in a user variable is another type
            if form == "named" and not any(k in ("date", "dt", "ts", "time", "bin") for k, _ in values) and not same(shortened(last), shortened(got[0]), False):
                say("binary and named", last, got[0])
            last = got[0]
            if len(clients) > 1:
                if not same(got[0], got[1], a.types):
                    if again and same(got[0], again[1], a.types):
                        seen["MySQL keeps types"] += 1
                        continue
                    why = excuse(sql, values, form, *(again or got))
                    if why:
                        seen[why] += 1
                        continue
                    say(form, *(again or got))
            if found:
                return found
    return found


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--statements", type=int, default=400)
    a.add_argument("--executions", type=int, default=3)
    a.add_argument("--mysql", action="store_true", help="MySQL answers too")
    a.add_argument("--types", action="store_true", help="names and types of columns count too")
    a = a.parse_args()
    servers = [Server().start()] + ([MySQL().start()] if a.mysql else [])
    try:
        clients, fresh = [Client(s) for s in servers], [Client(s) for s in servers]
        seen, wrong, m = collections.Counter(), collections.Counter(), None
        for n in range(a.statements):
            if n % 20 == 0:
                m = Maker(random.Random(f"{a.seed} table {n}"))
                for c in clients:
                    for q in ["DROP TABLE IF EXISTS t, u", *m.setup]:
                        c.raw.query(q)
            for kind, text in one(random.Random(f"{a.seed} {n}"), m, clients, fresh, seen, a)[:1]:
                wrong[kind] += 1
                print(f"=== {n}: {kind} {text}\n  {m.setup[0]}", flush=True)
        print(f"{a.statements} statements, {sum(wrong.values())} differ {dict(wrong)}; {dict(seen)}")
    finally:
        for s in servers:
            s.remove()
    # statements must mostly work, or nothing is tested
    return 1 if wrong or seen["rows"] + seen["done"] < a.statements * 3 else 0


if __name__ == "__main__":
    sys.exit(main())
