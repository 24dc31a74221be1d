#!/usr/bin/env python3
"""A statement that finds the plan of an earlier one answers as if it had been planned itself: reuse_random.py [--seed N] [--statements N]. Exit status 1 on a difference.

A text statement's literals become parameters of a plan that later statements of the same shape use with other literals, and in sessions with other settings. Each random shape here (what is
stored, compared, ordered or grouped by, with random functions of literals and columns of all types) is run with one set of literals (or settings) and then with another
under one alias of its table, and with the second set under a new alias, which no plan is kept for. Both answers, errors, warnings and the rows stored must be the same.
"""
import argparse
import pathlib
import random
import sys
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from lib.servers import Server  # noqa: E402

LITERALS = {
    "i": ["0", "1", "2", "3", "5", "100", "127", "128", "300", "65536", "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551615"],
    "d": ["1.5", "99.995", "0.0000001", ".5", "12345678901234567890.123", "2.0", "10.00", "3.", "20240301101112.123456", "0.30"],
    "f": ["1e0", "1.25e10", "1e-7", "123456e-3", "2.5e0", "1e30"],
    "s": ["''", "'a'", "'b'", "'abcdefghijklmnopqrstuvwxyz'", "'12'", "'1.5'", "'99.995'", "'2020-01-01'", "'2020-01-01 10:11:12.123456'", "'10:11:12'", "'{\"a\": 1}'", "'[1, 2, 3]'",
          "'ä'", "'99999999999999999999999'", "'A  '", "'%'", "'a%'", "'x,y'", "'no'"],
}
COLUMNS = ["ti", "bu", "n", "x", "v", "c", "tx", "vb", "dt", "dtm", "tm", "y", "bt", "e", "se", "j", "ts"]
SCHEMA = ("id INT PRIMARY KEY, ti TINYINT, bu BIGINT UNSIGNED, n DECIMAL(12,4), x DOUBLE, v VARCHAR(30), c CHAR(5), tx TEXT, vb VARBINARY(30), dt DATE, dtm DATETIME(3), tm TIME(2), y YEAR, "
          "bt BIT(8), e ENUM('a','b','no'), se SET('x','y'), j JSON, ts TIMESTAMP NULL, KEY (v), KEY (n), KEY (dtm), KEY (bu)")
ROWS = [
    "(1, 1, 5, 1.5, 1.5, 'a', 'a', 'abc', 'a', '2020-01-01', '2020-01-01 10:11:12.123', '10:11:12', 2020, b'101', 'a', 'x,y', '[1, 2, 3]', '2020-01-01 10:11:12')",
    "(2, 127, 18446744073709551615, 99.995, 1e30, '1.5', 'b', '99.995', '12', '2024-02-29', '2024-03-01 10:11:12', '-1:02:03.5', 1999, 255, 'no', '', '{\"a\": 1}', '2024-03-01 00:00:00')",
    "(3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
    "(4, -5, 0, 0, 0, '', 'A', '2020-01-01', x'00ff', '1000-01-01', '1000-01-01', '00:00:00', 2000, 0, 'b', 'y', '\"12\"', '2000-01-01 00:00:00')",
]
# what of a session a plan may not forget; the first of each is the default here
SETTINGS = {
    "sql_mode": ["''", "'STRICT_TRANS_TABLES'", "'PIPES_AS_CONCAT'", "'NO_UNSIGNED_SUBTRACTION'", "'PAD_CHAR_TO_FULL_LENGTH'", "'TIME_TRUNCATE_FRACTIONAL'", "'NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO'",
                 "'NO_BACKSLASH_ESCAPES'", "'HIGH_NOT_PRECEDENCE'", "'REAL_AS_FLOAT'", "'ONLY_FULL_GROUP_BY'", "'ALLOW_INVALID_DATES'"],
    "time_zone": ["'+00:00'", "'+05:30'", "'America/New_York'"], "div_precision_increment": ["4", "0", "9"], "group_concat_max_len": ["1024", "4"], "lc_time_names": ["'en_US'", "'de_DE'"],
    "default_week_format": ["0", "3"], "collation_connection": ["utf8mb4_general_ci", "utf8mb4_bin", "latin1_swedish_ci", "utf8mb4_0900_ai_ci", "utf16_general_ci"], "sql_select_limit": ["18446744073709551615", "1"],
    "sql_safe_updates": ["0", "1"], "timestamp": ["1700000000", "1600000000.5"], "optimizer_switch": ["'default'", "'derived_merge=off,semijoin=off,materialization=off'"], 
    "eq_range_index_dive_limit": ["200", "1"], "insert_id": ["0", "77"], "block_encryption_mode": ["'aes-128-ecb'", "'aes-256-cbc'"],
}
# {i} {d} {f} {s} are literals, {c} is a column, {e} an expression
CALLS = [
    "{e} + {e}", "{e} - {e}", "{e} * {e}", "{e} / {e}", "{e} DIV {i}", "{e} % {e}", "-{e}", "{e} & {e}", "{e} | {i}", "{e} << {i}", "CONCAT({e}, {e})", "CONCAT_WS({s}, {e}, {e})", "IF({e}, {e}, {e})",
    "IFNULL({e}, {e})", "COALESCE({e}, {e}, {e})", "NULLIF({e}, {e})", "CASE {e} WHEN {e} THEN {e} ELSE {e} END", "CASE WHEN {e} THEN {e} ELSE {e} END", "GREATEST({e}, {e})", "LEAST({e}, {e}, {e})",
    "ROUND({e}, {i})", "ROUND({e})", "TRUNCATE({e}, {i})", "ABS({e})", "CEIL({e})", "FLOOR({e})", "POWER({e}, {e})", "MOD({e}, {e})", "FORMAT({e}, {i})", "LPAD({e}, {i}, {s})", "RPAD({s}, {i}, {e})", "LEFT({e}, {i})",
    "SUBSTRING({e}, {i}, {i})", "REPEAT({e}, {i} % 9)", "REPLACE({e}, {s}, {e})", "INSERT({e}, {i}, {i}, {e})", "UPPER({e})", "TRIM({s} FROM {e})", "HEX({e})", "LENGTH({e})", "CHAR_LENGTH({e})", "INSTR({e}, {e})", "FIELD({e}, {e}, {e})",
    "ELT({i}, {e}, {e})", "CAST({e} AS CHAR)", "CAST({e} AS CHAR(4))", "CAST({e} AS SIGNED)", "CAST({e} AS UNSIGNED)", "CAST({e} AS DECIMAL(20,5))", "CAST({e} AS DOUBLE)", "CAST({e} AS DATE)", "CAST({e} AS DATETIME(3))", "CAST({e} AS TIME)",
    "CAST({e} AS BINARY)", "DATE_ADD({e}, INTERVAL {e} DAY)", "{e} + INTERVAL {e} SECOND", "DATE_FORMAT({e}, {s})", "STR_TO_DATE({e}, {s})", "TIMESTAMP({e}, {e})", "ADDTIME({e}, {e})", "DATEDIFF({e}, {e})", "EXTRACT(HOUR FROM {e})",
    "UNIX_TIMESTAMP({e})", "FROM_UNIXTIME({e})", "SEC_TO_TIME({e})", "MAKETIME({i}, {i}, {e})", "JSON_ARRAY({e}, {e})", "JSON_OBJECT({s}, {e})", "JSON_EXTRACT(j, CONCAT('$[', {i}, ']'))", "JSON_SET(j, '$.b', {e})", "JSON_CONTAINS(j, {s})",
    "{e} = {e}", "{e} < {e}", "{e} <=> {e}", "{e} IN ({e}, {e}, {e})", "{e} BETWEEN {e} AND {e}", "{e} LIKE {s}", "{e} REGEXP {s}", "{e} AND {e}", "NOT {e}", "{e} IS NULL", "{e} XOR {e}", "CONV({e}, 10, 16)", "BIN({e})", "MD5({e})", "DATE_FORMAT({e}, '%W %M %a %u')", "WEEK({e})", "DAYNAME({e})", "NOW()", "GROUP_CONCAT({e})", "{e} || {e}", "AES_ENCRYPT({e}, {s}, {s})", "AVG({e})", "FORMAT({e}, 2, {s})", "CURDATE() + {e}",
    "SUBSTRING_INDEX({e}, {s}, {i})", "FIND_IN_SET({e}, {s})", "INET_ATON({e})", "CRC32({e})", "BIT_COUNT({e})", "STRCMP({e}, {e})", "INTERVAL({e}, {e}, {e})", "QUOTE({e})", "SPACE({i} % 5)", "(SELECT {e})", "{e} = ANY (SELECT {e} UNION SELECT {e})",
    "EXISTS (SELECT 1 FROM t s WHERE s.id = {i} AND {e})", "(SELECT MAX({e}) FROM t s)", "CONVERT({e} USING latin1)", "{e} COLLATE utf8mb4_bin",
]
STATEMENTS = [
    "INSERT INTO r (id, {to}) VALUES ({n}, {e})", "INSERT INTO r (id, {to}) VALUES ({n}, {e}), ({n} + 1, {e})", "REPLACE INTO r SET id = {n}, {to} = {e}", "INSERT INTO r (id, {to}) VALUES ({n}, {e}) ON DUPLICATE KEY UPDATE {to} = {e}",
    "INSERT INTO r (id, {to}) SELECT {n}, {e} FROM t AL WHERE AL.id = {i}", "UPDATE r AL SET AL.{to} = {e0} WHERE AL.id = 1 AND {e0}", "UPDATE r AL SET AL.{to} = {e0}", "DELETE FROM r AL WHERE {e0} = {e0} LIMIT 1",
    "SELECT AL.id FROM t AL WHERE {e} ORDER BY AL.id", "SELECT AL.id FROM t AL WHERE {e} = {e} ORDER BY AL.id", "SELECT AL.id FROM t AL WHERE {c} > {e} ORDER BY AL.id", "SELECT AL.id FROM t AL WHERE {c} = {e} ORDER BY AL.id",
    "SELECT AL.id FROM t AL WHERE {c} IN ({e}, {e}, {e}) ORDER BY AL.id", "SELECT AL.id FROM t AL WHERE {c} BETWEEN {e} AND {e} ORDER BY AL.id", "SELECT AL.id FROM t AL ORDER BY {e}, AL.id", "SELECT COUNT(*), MIN(AL.id) FROM t AL GROUP BY {e} ORDER BY 2",
    "SELECT AL.id FROM t AL GROUP BY AL.id HAVING {e} = MAX({e}) ORDER BY 1", "SELECT AL.id, b.id FROM t AL JOIN t b ON {e} = b.{to} ORDER BY 1, 2", "SELECT AL.id, b.id FROM t AL LEFT JOIN t b ON b.id = {i} AND {e} ORDER BY 1, 2",
    "SELECT q.z FROM (SELECT {e} z, AL.id FROM t AL) q WHERE q.z <> {e} ORDER BY q.id", "SELECT AL.id, {e} z FROM t AL HAVING z > {e} ORDER BY AL.id", "SELECT SUM({e} = {e}) FROM t AL", "SELECT AL.id FROM t AL WHERE ({c}, {e}) IN (({e}, {e}), (1, 2)) ORDER BY AL.id",
    "SELECT {e} FROM t AL WHERE AL.id = 1 UNION SELECT {e} FROM t b WHERE b.id = 4 ORDER BY 1", "WITH w AS (SELECT {e} z FROM t AL) SELECT COUNT(*) FROM w WHERE z = {e}", "SET @a = {e1}", "SELECT ROW_NUMBER() OVER (ORDER BY {e}, AL.id), AL.id FROM t AL ORDER BY 2",
]


class Shape:
    """A statement with numbered places for literals."""

    def __init__(self, r):
        self.kinds = []
        self.r = r
        self.text = self.fill(r.choice(STATEMENTS), 0).replace("{to}", r.choice([c for c in COLUMNS]))

    def literal(self, kind):
        self.kinds.append(kind)
        return f"\x01{len(self.kinds) - 1}\x02"

    def expression(self, depth, alias):
        r = self.r
        if depth > 2 or r.random() < 0.35 + 0.1 * depth:
            if alias and r.random() < 0.3:
                return f"{alias}.{r.choice(COLUMNS)}"
            return self.literal(r.choice("iiddfsss"))
        return self.fill(r.choice(CALLS), depth + 1, alias)

    def fill(self, text, depth, alias="AL"):
        if depth == 0 and text.startswith(("INSERT", "REPLACE", "SET")) and "FROM" not in text:
            alias = None
        out = ""
        while text:
            at = text.find("{")
            if at < 0:
                return out + text
            end = text.index("}", at)
            out, name, text = out + text[:at], text[at + 1:end], text[end + 1:]
            if name in ("to", "n"):
                out += "{" + name + "}"
            elif name == "c":
                out += f"{alias}.{self.r.choice(COLUMNS)}"
            elif name in LITERALS:
                out += self.literal(name)
            else:
                e = self.expression(depth, alias)
                out += e if depth == 0 else f"({e})"
        return out

    def literals(self):
        return [self.r.choice(LITERALS[k]) for k in self.kinds]

    def sql(self, literals, alias):
        text = self.text.replace("AL.", alias + ".").replace(" AL", " " + alias).replace("{n}", "1")
        for i, l in enumerate(literals):
            text = text.replace(f"\x01{i}\x02", l)
        return text


def ask(c, sql):
    try:
        c.execute(sql)
        rows = c.fetchall()
        c.execute("SHOW WARNINGS")
        return ("done", rows, sorted(c.fetchall()))
    except Exception as e:  # noqa: BLE001
        return ("error", e.args[0])


def fresh(c, r_table):
    c.execute("TRUNCATE TABLE r")
    c.execute(f"INSERT INTO r {r_table}")


def stored(c):
    c.execute("SELECT *, @a FROM r ORDER BY id")
    return c.fetchall()


def one(r, c, n, seen):
    shape = Shape(r)
    first, second = shape.literals(), shape.literals()
    # other literals, or the same ones in a session with other settings
    names = r.sample(sorted(SETTINGS), 2) if r.random() < 0.4 else []
    if names:
        second = first
    other, mine = ([(k, r.choice(SETTINGS[k])) for k in names] for _ in range(2))
    change = not shape.text.startswith(("SELECT", "WITH"))
    answers = []
    for name, sets in ((f"p{n}", [(first, other), (second, mine)]), (f"q{n}", [(second, mine)])):
        for literals, settings in sets:
            for k, v in [(k, SETTINGS[k][0]) for k in names] + settings:
                c.execute(f"SET {k} = {v}")
            if change:
                fresh(c, "SELECT * FROM t" if shape.text.startswith(("UPDATE", "DELETE")) else "(id) VALUES (9)")
            sql = shape.sql(literals, name)
            # what has no alias: another way to name the table
            if name[0] == "q" and " AL" not in shape.text:
                sql = sql.replace("INTO r ", "INTO reuse.r ").replace("SET @a", "SET @A")
            got = ask(c, sql)
        seen[got[0]] = seen.get(got[0], 0) + 1
        answers.append((got, stored(c) if change else None, sql))
    a, b = ((repr(x[0]).replace(f"p{n}.", "q.").replace(f"q{n}.", "q.").replace(f"`p{n}`", "q").replace(f"`q{n}`", "q"), x[1]) for x in answers)
    for k in names:
        c.execute(f"SET {k} = {SETTINGS[k][0]}")
    if a != b:
        return f"{other} {mine}\n  {shape.sql(first, 'p')}\n  {answers[0][2]}\n  kept  {answers[0][0]} {answers[0][1]}\n  fresh {answers[1][0]} {answers[1][1]}"
    return None


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--statements", type=int, default=2000)
    a = a.parse_args()
    warnings.simplefilter("ignore")
    server = Server().start()
    c = server.connect(use_unicode=False, conv={}).cursor()
    wrong, seen = 0, {}
    try:
        for q in ("CREATE DATABASE reuse", "USE reuse", "SET max_execution_time = 5000", *(f"SET {k} = {v[0]}" for k, v in SETTINGS.items() if k != "insert_id"), f"CREATE TABLE t ({SCHEMA})", f"INSERT INTO t VALUES {', '.join(ROWS)}", "CREATE TABLE r LIKE t"):
            c.execute(q)
        for n in range(a.statements):
            found = one(random.Random(f"{a.seed}/{n}"), c, n, seen)
            if found:
                wrong += 1
                print(f"=== {n}\n{found}")
    finally:
        server.remove()
    print(f"{a.statements} statements, {wrong} differ; {seen}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
