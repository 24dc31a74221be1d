#!/usr/bin/env python3
"""Compares the weights of every collation with a real MySQL's (scripts/mysql-peer.sh): collations are an on-disk format.

    tests/suites/collation_weights.py [--collation PATTERN] [--pairs] [--show N]

For each collation both servers have: WEIGHT_STRING of every code point its character set can hold (every byte or pair of bytes for character sets that are
not Unicode), as one digest per 4,096 of them, then one by one where a digest differs. `--pairs` adds the pairs of letters below U+0250 and of letters and
combining marks, in which the contractions of languages are. Prints a line per collation, and the first N characters that differ.
"""
import argparse
import concurrent.futures
import fnmatch
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import MySQL, Server  # noqa: E402

UNICODE = {"utf8mb4": 0x110000, "utf8mb3": 0x10000, "ucs2": 0x10000, "utf16": 0x110000, "utf16le": 0x110000, "utf32": 0x110000}
WIDE = {"big5", "cp932", "eucjpms", "euckr", "gb18030", "gb2312", "gbk", "sjis", "ujis"}


def prepare(server):
    """Tables of what is compared: n with its bytes, in UTF-32 for Unicode."""
    c = server.connect()
    with c.cursor() as cur:
        cur.execute("CREATE DATABASE w")
        cur.execute("USE w")
        cur.execute("SET cte_max_recursion_depth=2000000")
        cur.execute("CREATE TABLE points (n INT PRIMARY KEY, b VARBINARY(8) NOT NULL)")
        cur.execute("INSERT INTO points WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT n+1 FROM r WHERE n < 1114111) "
                    "SELECT n, UNHEX(LPAD(HEX(n), 8, '0')) FROM r WHERE n NOT BETWEEN 55296 AND 57343")
        cur.execute("CREATE TABLE pairs (n INT PRIMARY KEY, b VARBINARY(8) NOT NULL)")
        cur.execute("INSERT INTO pairs SELECT (p.n << 12) | q.n, CONCAT(p.b, q.b) FROM points p, points q "
                    "WHERE p.n BETWEEN 65 AND 591 AND q.n BETWEEN 65 AND 591 AND p.n NOT BETWEEN 128 AND 191 AND q.n NOT BETWEEN 128 AND 191")
        cur.execute("INSERT INTO pairs SELECT (p.n << 12) | q.n, CONCAT(p.b, q.b) FROM points p, points q "
                    "WHERE p.n BETWEEN 65 AND 1423 AND q.n BETWEEN 768 AND 879 AND p.n NOT BETWEEN 592 AND 879")
        cur.execute("CREATE TABLE bytes (n INT PRIMARY KEY, b VARBINARY(8) NOT NULL)")
        cur.execute("INSERT INTO bytes SELECT n, UNHEX(LPAD(HEX(n), 2, '0')) FROM points WHERE n < 256")
        cur.execute("INSERT INTO bytes SELECT n, UNHEX(HEX(n)) FROM points WHERE n BETWEEN 32768 AND 55295 OR n BETWEEN 57344 AND 65535")
        cur.execute("INSERT INTO bytes SELECT n, UNHEX(HEX(n)) FROM (SELECT 55296 + n n FROM points WHERE n < 2048) d")
        cur.execute("INSERT INTO bytes SELECT 9371648 + n, UNHEX(CONCAT('8F', HEX(n))) FROM points WHERE n BETWEEN 41377 AND 55295 OR n BETWEEN 57344 AND 65278")
        cur.execute("INSERT INTO bytes SELECT 268435456 + n, UNHEX(CONCAT(HEX(129 + n DIV 12600), HEX(48 + n DIV 1260 % 10), HEX(129 + n DIV 10 % 126), HEX(48 + n % 10))) FROM points WHERE n < 1587600 AND n >= 0")
    return c


def source(charset, table):
    """FROM and the expression of the character, for this character set."""
    if charset in UNICODE:
        top = UNICODE[charset] if table == "points" else 1 << 31
        return f"{table} WHERE n < {top}", f"CONVERT(CONVERT(b USING utf32) USING {charset})"
    top = 1 << 31 if charset == "gb18030" else 0x1000000 if charset in ("ujis", "eucjpms") else 0x10000 if charset in WIDE else 256
    return f"bytes WHERE n < {top}", f"CONVERT(b USING {charset})"


def ask(c, sql):
    with c.cursor() as cur:
        cur.execute("SET SESSION group_concat_max_len=100000000")
        cur.execute("USE w")
        cur.execute(sql)
        return dict(cur.fetchall())


def both(connections, sql):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return [f.result() for f in [pool.submit(ask, c, sql) for c in connections]]


def compare(connections, charset, collation, table, show):
    """Number of characters whose weights differ, and some of them."""
    rows, expression = source(charset, table)
    weight = f"HEX(WEIGHT_STRING({expression} COLLATE {collation}))"
    if charset == "binary":
        weight = "HEX(WEIGHT_STRING(b))"
    ours, theirs = both(connections, f"SELECT n DIV 4096 d, SHA2(GROUP_CONCAT(IFNULL({weight}, '-') ORDER BY n), 224) FROM {rows} GROUP BY d")
    count, some = 0, []
    for block in sorted(set(ours) | set(theirs)):
        if ours.get(block) != theirs.get(block):
            a, b = both(connections, f"SELECT n, {weight} FROM {rows} AND n DIV 4096 = {block}")
            different = [n for n in sorted(set(a) | set(b)) if a.get(n) != b.get(n)]
            count += len(different)
            some += [(n, a.get(n), b.get(n)) for n in different[:max(0, show - len(some))]]
    return len(ours), count, some


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--collation", default="*", help="shell pattern")
    p.add_argument("--pairs", action="store_true")
    p.add_argument("--show", type=int, default=5)
    p = p.parse_args()
    servers = [Server(), MySQL()]
    bad = 0
    try:
        connections = [prepare(s.start()) for s in servers]
        sql = "SELECT collation_name, character_set_name FROM information_schema.collations"
        ours, theirs = ({k.lower(): v for k, v in ask(c, sql).items()} for c in connections)
        print("only here:", sorted(set(ours) - set(theirs)), "only there:", sorted(set(theirs) - set(ours)))
        for collation, charset in sorted(ours.items()):
            if collation not in theirs or not fnmatch.fnmatch(collation, p.collation):
                continue
            for table in ["points"] + (["pairs"] if p.pairs and charset in UNICODE else []):
                try:
                    blocks, count, some = compare(connections, charset, collation, table, p.show)
                except Exception as e:  # one server refuses: that is a difference, and the next collation is asked
                    blocks, count, some = 0, 1, [("error", e, "")]
                bad += count
                print(f"{'same' if not count else 'DIFFERENT'} {collation} {table}: {blocks} blocks, {count} differ", flush=True)
                for n, a, b in some:
                    print(f"    {n if isinstance(n, str) else hex(n)}: here {a} there {b}", flush=True)
    finally:
        for s in servers:
            s.remove()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
