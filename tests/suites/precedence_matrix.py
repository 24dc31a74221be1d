#!/usr/bin/env python3
"""The operator-precedence matrix: every pair of operators, with every prefix, on Evenkeel and on a real MySQL (scripts/mysql-peer.sh; --mariadb: MariaDB).

    tests/suites/precedence_matrix.py [--mariadb]

`[prefix] a OP b OP c` is evaluated for operands chosen so that another reading gives another value somewhere, in the default sql_mode, in PIPES_AS_CONCAT and in
HIGH_NOT_PRECEDENCE (manual, "Operator Precedence"). Exit code 1 if a value or an error number differs.
"""
import argparse
import itertools
import pathlib
import sys

import pymysql

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import MariaDB, MySQL, Server  # noqa: E402

BINARY = ["||", "OR", "XOR", "&&", "AND", "=", "<=>", ">=", ">", "<=", "<", "<>", "!=", "LIKE", "NOT LIKE", "REGEXP", "NOT REGEXP", "|", "&", "<<", ">>",
          "-", "+", "*", "/", "DIV", "%", "MOD", "^", "IS NOT", "IN", "BETWEEN", "COLLATE"]
PREFIX = ["", "-", "~", "!", "NOT ", "BINARY ", "+"]
OPERANDS = [(0, 1, 2), (1, 0, 3), (2, 3, 1), (5, 2, 7), (0, 0, 1), (3, 5, 0), (1, 1, 1), (7, 4, 2)]
MODES = ["", "PIPES_AS_CONCAT", "HIGH_NOT_PRECEDENCE"]


def term(left, op, right):
    special = {"IS NOT": f"{left} IS NOT TRUE", "IN": f"{left} IN ({right}, 2)", "BETWEEN": f"{left} BETWEEN {right} AND 4",
               "COLLATE": f"{left} + CHAR_LENGTH('a' COLLATE utf8mb4_bin) * {right}"}
    return special.get(op, f"{left} {op} {right}")


def questions():
    for prefix, first, second in itertools.product(PREFIX, BINARY, BINARY):
        yield "SELECT " + ", ".join(prefix + term(term(a, first, b), second, c) for a, b, c in OPERANDS)
    for first, second in itertools.product(BINARY, ["-", "~", "!", "NOT "]):
        yield "SELECT " + ", ".join(term(a, first, f"{second}{b} + {c}") for a, b, c in OPERANDS)


def answers(server):
    out = []
    with server.connect(conv={}) as c, c.cursor() as cur:
        for mode in MODES:
            cur.execute("SET sql_mode=%s", (mode,))
            for sql in questions():
                try:
                    cur.execute(sql)
                    out.append((mode, sql, cur.fetchall()))
                except pymysql.err.MySQLError as e:
                    out.append((mode, sql, e.args[0]))
    return out


def same(here, there):
    """Whether two answers agree; digits behind the third do not count (since 9 MySQL rounds a quotient within an expression at once)."""
    if isinstance(here, int) or isinstance(there, int):
        return here == there
    def near(u, v):
        try:
            return u == v or abs(float(u) - float(v)) < 1e-3
        except (TypeError, ValueError):
            return False
    return all(near(u, v) for u, v in zip(here[0], there[0]))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--mariadb", action="store_true")
    p = p.parse_args()
    found = []
    for server in (Server(), MariaDB() if p.mariadb else MySQL()):
        try:
            found.append(answers(server.start()))
        finally:
            server.remove()
    bad = [(a, b) for a, b in zip(*found) if not same(a[2], b[2])]
    for (mode, sql, here), (_, _, there) in bad:
        print(f"[{mode}] {sql[:90]}\n    here {str(here)[:160]}\n    there {str(there)[:160]}")
    print(f"{len(found[0])} expressions of {len(OPERANDS)} operands, {len(bad)} differ; {sum(isinstance(a[2], int) for a in found[0])} are errors")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
