"""Asking a server and comparing two answers.

An answer is ("rows", columns, rows), ("ok", affected rows) or ("error", number, text); `columns` are (name, class of type). Values come as
the bytes of the text protocol. `same` says how two answers differ, or None: rows as a set unless `ordered`; numbers by value, fractions to
12 digits; -0 is 0.
"""
import json
import pathlib
import sys
from ast import literal_eval
from decimal import Decimal

import pymysql

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import binary  # noqa: E402

MODE = "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"
CLASSES = {0: "decimal", 246: "decimal", 1: "integer", 2: "integer", 3: "integer", 8: "integer", 9: "integer", 4: "float", 5: "double", 7: "datetime",
           12: "datetime", 10: "date", 11: "time", 13: "year", 16: "bit", 6: "null"}


def connect(server, database=None):
    c = server.connect(conv={}, use_unicode=False, database=database)
    # MySQL rounds fractions of seconds; MariaDB does so only in this mode
    peer = server.name == "mariadb"
    ask(c, f"SET sql_mode='{MODE}{',TIME_ROUND_FRACTIONAL' if peer else ''}'")
    ask(c, "SET NAMES utf8mb4 COLLATE utf8mb4_general_ci")
    ask(c, "SET time_zone='+00:00', group_concat_max_len=1000000, timestamp=1700000000.5")
    ask(c, "SET max_statement_time=2" if peer else "SET max_execution_time=2000")
    if peer:
        ask(c, "SET in_predicate_conversion_threshold=0")
    if server.name == "mysql":
        ask(c, "SET explain_format=TRADITIONAL")
    return c


def answer(fields, rows, affected):
    if fields is None:
        return "ok", affected
    columns = []
    for f in fields:
        k = CLASSES.get(f.type_code)
        if f.type_code == 245:
            k = "text"  # MariaDB's JSON is text
        if k is None:
            k = "binary" if f.charsetnr == 63 else "text"
        columns.append((f.name if isinstance(f.name, str) else f.name.decode(), k))
    return "rows", columns, rows


def ask(c, sql, parameters=None):
    """The answer to a statement; with `parameters` it is prepared and executed in the binary protocol."""
    try:
        if parameters is None:
            with c.cursor() as cur:
                cur.execute(sql)
                return answer(cur._result.fields if cur.description else None, list(cur.fetchall()), cur.rowcount)
        stmt, _ = binary.prepare(c, sql)
        try:
            binary.execute(c, stmt, parameters)
            return answer(*binary.read_result(c))
        finally:
            binary.close(c, stmt)
    except pymysql.err.MySQLError as e:
        return "error", e.args[0], str(e.args[1] if len(e.args) > 1 else e)


# what only MySQL calls deprecated
DEPRECATED = {1287, 1681, 3090, 3135, 3719, 3720, 3778, 4079}


def warnings(c):
    """The numbers of the last statement's warnings, as a set."""
    got = ask(c, "SHOW WARNINGS")
    return {int(r[1]) for r in got[2] if r[0] != b"Note"} - DEPRECATED if got[0] == "rows" else set()


def canon(v):
    """Comparable form of a value: numbers by value (fractions to 12 digits), everything else as it is."""
    if v is None:
        return ""
    try:
        d = Decimal(v.decode("ascii"))
        if d.is_finite() and not v[:1].isspace() and not v[-1:].isspace() and b"_" not in v:
            d = d if d else abs(d)  # -0, which MySQL shows and MariaDB does not
            return f"n{d:.12g}" if b"." in v or b"e" in v.lower() else f"n{d:f}"
    except (ArithmeticError, UnicodeDecodeError):
        pass
    return "s" + repr(v)


def near(u, v):
    """Two canonical values that are equal but for the last digits of a fraction."""
    if u == v:
        return True
    if u[:1] == v[:1] == "s" and u[3:4] in ("[", "{") and v[3:4] == u[3:4]:
        try:  # JSON is normalized in MySQL and kept as text in MariaDB
            return json.loads(literal_eval(u[1:])) == json.loads(literal_eval(v[1:]))
        except (ValueError, SyntaxError):
            pass
    try:
        f, g = float(u[1:]), float(v[1:])
        return u[:1] == v[:1] == "n" and abs(f - g) <= 1e-9 * max(1.0, abs(f), abs(g)) and ("." in u + v or "e" in u + v)
    except ValueError:
        return False


def same_rows(a, b, ordered):
    if len(a) != len(b):
        return False
    x = [tuple(canon(v) for v in row) for row in a]
    y = [tuple(canon(v) for v in row) for row in b]
    if not ordered:
        x.sort()
        y.sort()
    return x == y or all(len(p) == len(q) and all(near(u, v) for u, v in zip(p, q)) for p, q in zip(x, y))


def difference(ours, theirs, ordered=False, types=True):
    """What differs: "outcome", "number" (of an error), "count", "names", "types", "rows"; or None."""
    if ours[0] != theirs[0]:
        return "outcome"
    if ours[0] == "error":
        return None if ours[1] == theirs[1] else "number"
    if ours[0] == "ok":
        return None if ours[1] == theirs[1] else "count"
    if [n for n, _ in ours[1]] != [n for n, _ in theirs[1]]:
        return "names"
    if not same_rows(ours[2], theirs[2], ordered):
        return "rows"
    if types and [k for _, k in ours[1]] != [k for _, k in theirs[1]]:
        return "types"
    return None


def brief(r, limit=6):
    """An answer in one line."""
    if r[0] != "rows":
        return str(r)[:300]
    return f"{r[1]} {len(r[2])} rows {r[2][:limit]}"[:900]
