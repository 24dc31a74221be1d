#!/usr/bin/env python3
"""Asks a real MySQL (scripts/mysql-peer.sh) for the weights of the 0900 collations of languages.

usage: EVENKEEL_MYSQL=... measure_languages.py MEASURED.json      (then: gen_tailored.py - MEASURED.json)

For each of RULES: WEIGHT_STRING of every code point and of every sequence that the rules name, in the collation with all levels.
"""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / 'tests'))
from gen_tailored import RULES, tailor  # noqa: E402
from lib.servers import MySQL  # noqa: E402


def main(out):
    server, found = MySQL().start(), {}
    try:
        with server.connect() as c, c.cursor() as cur:
            cur.execute('SET cte_max_recursion_depth=2000000')
            cur.execute('CREATE DATABASE w')
            cur.execute('USE w')
            cur.execute('CREATE TABLE points (n INT PRIMARY KEY, c VARCHAR(1) CHARACTER SET utf8mb4)')
            cur.execute("INSERT INTO points WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT n+1 FROM r WHERE n < 1114111) "
                        "SELECT n, CONVERT(CONVERT(UNHEX(LPAD(HEX(n), 8, '0')) USING utf32) USING utf8mb4) FROM r WHERE n NOT BETWEEN 55296 AND 57343")
            for name, rules, upper in RULES:
                collation = f'utf8mb4_{name}_0900_as_cs'
                cur.execute(f'SELECT n, HEX(WEIGHT_STRING(c COLLATE {collation})) FROM points WHERE n < 0x20000')
                points = dict(cur.fetchall())
                sequences = {}
                for text in tailor(rules, upper):
                    if len(text) > 1:
                        cur.execute(f'SELECT HEX(WEIGHT_STRING(%s COLLATE {collation}))', (text,))
                        sequences[text] = cur.fetchone()[0]
                found[name] = {'points': points, 'sequences': sequences}
                print(name, len(points), len(sequences))
    finally:
        server.remove()
    Path(out).write_text(json.dumps(found))


if __name__ == '__main__':
    main(sys.argv[1])
