#!/usr/bin/env python3
"""Expressions that Vitess generates to test its evaluation engine (out of the Go module proxy), on Evenkeel, a real MySQL (scripts/mysql-peer.sh) and MariaDB.

    tests/suites/vitess_expressions.py [--seed N] [--each N] [--keep FILE] [REGEX-OF-FAMILIES]

3.6 million expressions in 130 families (JSON, conversions, comparisons, dates, REGEXP ...); of each family --each are drawn (1,000). What counts
is where MySQL and MariaDB give the same values, or the same error, and Evenkeel another: those are printed, unless EXPLAINED says why. Where only MySQL
differs, which is newer than 8.4, it is counted and, with --keep, written down. Exit code 1 when something is printed.
"""
import argparse
import collections
import json
import pathlib
import random
import re
import sys

from common import printed_by_go
from gms_scripts import Side, difference

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import MariaDB, MySQL, Server  # noqa: E402

MODULE, VERSION = "vitess.io/vitess", "v0.24.4"
PROGRAM = """package main

import (
\t"encoding/json"
\t"os"

\t"vitess.io/vitess/go/sqltypes"
\t"vitess.io/vitess/go/vt/vtgate/evalengine/testcases"
)

func main() {
\tout := json.NewEncoder(os.Stdout)
\tout.SetEscapeHTML(false)
\tfor _, c := range testcases.Cases {
\t\tname := c.Name()
\t\tc.Run(func(query string, row []sqltypes.Value, _ bool) {
\t\t\tif len(row) == 0 {
\t\t\t\tout.Encode([]string{name, query})
\t\t\t}
\t\t})
\t}
}
"""
# how many expressions one SELECT has at first
TOGETHER = 32
# (family, pattern of "kind: ours | MySQL's"): why
EXPLAINED = [
    (r"FnConvertTz", r"^values: .*\| .*\(None,\)", "the real servers have no named time zones loaded"),
    (r"FnFromDays", r"\('0000-00-00',\).* \| ", "8.4 gives zero dates up to day 365 (manual, \"FROM_DAYS()\")"),
    (r"LargeIntegers|LargeDecimals", r"\| .*'-?[0-9.]{62}", "numbers of more than 65 digits"),
    (r"FnPeriod", r"^error-only-here.*1210|'-?\d{15}", "periods beyond 64 bits"),
    (r"FnPi", r"3\.14159265358979", "more than 17 digits of a double"),
]


def fetch():
    """The expressions: a JSON list of family and expression in each line."""
    return printed_by_go("vitess", f"{VERSION}.jsonl", (MODULE, VERSION), PROGRAM, "1.26")


def drawn(seed, each, families):
    """So many of each family, every one as likely as another."""
    r, seen, picked = random.Random(seed), collections.Counter(), collections.defaultdict(list)
    for line in open(fetch()):
        family, text = json.loads(line)
        if not re.search(families, family):
            continue
        seen[family] += 1
        if len(picked[family]) < each:
            picked[family].append(text)
        elif (at := r.randrange(seen[family])) < each:
            picked[family][at] = text
    return picked


class Comparison:
    def __init__(self, keep):
        self.ours, self.mysql, self.mariadb = Side(Server()), Side(MySQL()), Side(MariaDB())
        self.keep = open(keep, "w") if keep else None
        self.count, self.kinds, self.reasons, self.bad = 0, collections.Counter(), collections.Counter(), 0
        for s in (self.ours, self.mysql, self.mariadb):
            s.fresh()

    def together(self, family, texts):
        """Half of them at a time where something differs."""
        q = "select " + ", ".join(texts)
        ours, mysql = self.ours.run(q), self.mysql.run(q)
        kind = difference(q, ours, mysql, False)
        if (kind in (None, "warnings") and ours[0][0][0] == "rows") or (len(texts) == 1 and kind is None):
            self.count += len(texts)
        elif len(texts) > 1:
            half = len(texts) // 2
            self.together(family, texts[:half])
            self.together(family, texts[half:])
        else:
            self.count += 1
            self.one(family, texts[0], kind, ours, mysql)

    def one(self, family, text, kind, ours, mysql):
        mariadb = self.mariadb.run("select " + text)
        agree = difference(text, mysql, mariadb, False) in (None, "warnings", "names")
        self.kinds[kind if agree else f"{kind}, MariaDB otherwise"] += 1
        line = f"{kind}: {str(ours)[:500]} | {str(mysql)[:500]}"
        if self.keep:
            self.keep.write(f"{family} :: {text}\n   {line}\n   {str(mariadb)[:500]}\n")
        if not agree:
            return
        why = next((w for f, what, w in EXPLAINED if re.search(f, family) and re.search(what, line)), None)
        if why:
            self.reasons[why] += 1
        else:
            self.bad += 1
            print(f"{family} :: {text[:300]}", line, sep="\n   ")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--each", type=int, default=1000)
    options.add_argument("--keep")
    options.add_argument("families", nargs="?", default="")
    options = options.parse_args()
    picked, c = drawn(options.seed, options.each, options.families), Comparison(options.keep)
    try:
        for family, texts in picked.items():
            for i in range(0, len(texts), TOGETHER):
                c.together(family, texts[i:i + TOGETHER])
    finally:
        for s in (c.ours, c.mysql, c.mariadb):
            s.server.stop()
    print(f"{c.count} expressions, {c.bad} differ from both without an explanation; {dict(c.kinds)}")
    for why, n in c.reasons.most_common():
        print(f"  {n:5} {why}")
    return 1 if c.bad else 0


if __name__ == "__main__":
    sys.exit(main())
