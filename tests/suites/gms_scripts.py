#!/usr/bin/env python3
"""The statements of go-mysql-server's engine tests (out of the Go module proxy), run on Evenkeel and on a real MySQL (scripts/mysql-peer.sh) side by side.

    tests/suites/gms_scripts.py [--metadata] [--keep FILE] [REGEX-OF-NAMES]

The module's tests are Go variables: a small program that is written here prints them as scripts of a name, statements that set up, and statements
that are tested. Its own expected answers are not used: what MySQL answers is right. Compared are error numbers, rows, changed rows and the
numbers of warnings; with --metadata types, flags and lengths of columns too. A script is left out whole where it needs what neither server
or only the other has (NEEDS). What may differ is named in EXPLAINED, with the reason; exit code 1 when something else does. --keep writes
every difference into a file.
"""
import argparse
import collections
import json
import pathlib
import re
import sys

import pymysql

from common import printed_by_go

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import MySQL, Server  # noqa: E402

MODULE, VERSION = "github.com/dolthub/go-mysql-server", "v0.20.0"
MODE = "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"
KINDS = "ScriptTest|QueryTest|QueryPlanTest|QueryErrorTest|GenericErrorQueryTest|WriteQueryTest"
# metadata is not compared: what these show is not stored alike
SHOWN = re.compile(r"^\s*(show|desc|explain|analyze|check|call)|information_schema|performance_schema", re.I)
# beyond this a set-up is the one of all test data, loaded once; what is tested on it is rolled back
LARGE = 400
PROGRAM = """package main

import (
\t"encoding/json"
\t"os"
\t"reflect"

\tq "github.com/dolthub/go-mysql-server/enginetest/queries"
\t"github.com/dolthub/go-mysql-server/enginetest/scriptgen/setup"
)

type script struct {
\tName           string
\tSetup, Queries []string
}

var data []string

func text(v reflect.Value, field string) string {
\tif f := v.FieldByName(field); f.IsValid() && f.Kind() == reflect.String {
\t\treturn f.String()
\t}
\treturn ""
}

func emit(out *json.Encoder, name string, tests any) {
\tlist := reflect.ValueOf(tests)
\tall := script{Name: name, Setup: data}
\tfor i := 0; i < list.Len(); i++ {
\t\tt := list.Index(i)
\t\tvar queries []string
\t\tfor _, f := range []string{"Query", "WriteQuery", "SelectQuery"} {
\t\t\tif s := text(t, f); s != "" {
\t\t\t\tqueries = append(queries, s)
\t\t\t}
\t\t}
\t\tif a := t.FieldByName("Assertions"); a.IsValid() {
\t\t\tfor k := 0; k < a.Len(); k++ {
\t\t\t\tqueries = append(queries, text(a.Index(k), "Query"))
\t\t\t}
\t\t\ts := script{Name: name + "/" + text(t, "Name"), Queries: queries}
\t\t\tif up := t.FieldByName("SetUpScript"); up.IsValid() {
\t\t\t\ts.Setup, _ = up.Interface().([]string)
\t\t\t}
\t\t\tout.Encode(s)
\t\t} else if len(queries) == 2 {
\t\t\tout.Encode(script{name, data, queries})
\t\t} else {
\t\t\tall.Queries = append(all.Queries, queries...)
\t\t}
\t}
\tif len(all.Queries) > 0 {
\t\tout.Encode(all)
\t}
}

func main() {
\tout := json.NewEncoder(os.Stdout)
\tout.SetEscapeHTML(false)
%s}
"""
NEEDS = re.compile(r"^\s*(create|drop)\s+(definer\s*=\s*\S+\s+)?(procedure|function|trigger|event)\b|^\s*call\b|dolt|as of\b|\bgeometry|\bpoint\b"
                   r"|st_\w+\(|linestring|polygon|partition by (hash|range|list|key)|\bvector\b", re.I)
# (pattern of "name :: statement", pattern of "kind: ours | theirs"): why
EXPLAINED = [
    (r"spatial|mpoint_table|st_(units|spatial)|SHOW (FULL )?TABLES|TABLE STATUS|LIKE '%table'", r"^values", "spatial types (docs/compat.md)"),
    (r"spatial|mpoint_table|st_(units|spatial)", r"", "spatial types (docs/compat.md)"),
    (r"", r"doesn't yet support 'ENCRYPTION'", "no encrypted tablespaces (docs/compat.md)"),
    (r"help_(topic|category|keyword|relation)", r"1146", "no help tables"),
    (r"validate_password", r"", "no password component"),
    (r"time_zone|from_unixtime|unix_timestamp", r"", "the real MySQL has no named time zones loaded"),
    (r"load data|into (dumpfile|outfile)|load_file", r"1290", "secure_file_priv: the real MySQL has none"),
    (r"loadtable", r"^values", "secure_file_priv: the real MySQL has none"),
    (r"md5|sha1|update join ambiguous default", r"1123|3770|1146|error-only-there|^values", "MySQL 9: MD5 and SHA1 are a component's"),
    (r"rollup", r"^values", "MySQL 9: ROLLUP over no rows has a total"),
    (r"^QueryTests :: select [^a-z]*(cast\()?[^a-z]*\d\)? */ *\(?[\d(][^a-z]*", r"^values", "MySQL 9: / keeps div_precision_increment digits only"),
    (r"0 in \(1/100000\)", r"^values", "MySQL 9: / keeps div_precision_increment digits only"),
    (r"INSERT IGNORE correctly truncates", r"^warnings", "MySQL 9: 1366 where 8.4 has 1265"),
    (r"", r"1366, .Incorrect (DOUBLE|FLOAT)", "MySQL 9: 1366 where 8.4 has 1265"),
    (r" in \(", r"INTEGER value", "MySQL 9: IN with integers and texts"),
    (r"select -1 in \(null, sin", r"^values", "MySQL 9: IN with NULL compares whole numbers"),
    (r"SECOND\('2007-12-11T20:21:22Z'\)", r"^values", "MySQL 9: a text of a date and a zone is no time"),
    (r"json_unquote", r"1267", "MySQL 9: JSON_UNQUOTE's collation"),
    (r"FulltextTests", r"'124'", "no column FTS_DOC_ID to add"),
    (r"sorts by foreign key dependencies", r"", "REFERENCES at a column makes a foreign key since MySQL 9.0"),
    (r"window|over *\(", r"6432", "MySQL 9: 6432"),
    (r"full join", r"4119", "MySQL 9: FULL is a keyword"),
    (r"references", r"1824|1051|grandparent", "REFERENCES at a column makes a foreign key since MySQL 9.0"),
    (r"keywords", r"", "other keywords in MySQL 9"),
    (r"json_table", r"1210", "MySQL refuses columns of merged derived tables"),
    (r"FulltextTests.*(alter|add|drop) ", r"affected", "MySQL rebuilds tables with FULLTEXT indexes"),
    (r"modify column pk int", r"affected", "AUTO_INCREMENT is taken away without a copy"),
    (r"\bjoin\b|where|group by|order by", r"^warnings.*(1292|1365|4095)", "how often the plan converts a value"),
    (r"processlist|information_schema\.(innodb_|statistics|tables|files|user_attributes|schemata|tablespaces|resource_groups|view_|table_constraints|key_column)"
     r"|cardinality|connection_id|is_used_lock|Bytes_sent|STATUS LIKE 'Com|back_log|length\(compress", r"^(values|order|names)", "ids, sizes, statistics, the order of rows, what sys has"),
    (r"show (plugins|engines|databases|schemas|(global )?variables|function status|warnings)|version\(\)|information_schema\.(plugins|engines|partitions|SCHEMATA)",
     r"^(values|names)", "what the product is and has; MySQL 9's columns"),
    (r"information_schema\.COLUMNS .*group by|JOIN_ORDER.*rand\(\)|^BrokenQueries :: with a\(j\)", r"^(values|order)", "an order that nothing asks for; RAND()"),
    (r"InfoSchemaQueries :: SELECT \* FROM information_schema.profiling", r"^warnings", "MySQL 9's warning"),
    (r"explain ", r"^(names|values)", "MySQL 9's default format and costs"),
    (r"icu_version", r"^values", "another ICU"),
    (r"name_const", r"types|lengths|error-only-here|^names", "MySQL 9"),
    (r"^ErrorQueries :: SELECT \* FROM datetime_table where .* >= 'not a valid", r"1525", "asked where there are rows only (docs/compat.md)"),
    (r"WITH Numbers AS|with c\(k\) as|foo\(\) and true", r"^err|^error", "which of two errors; MySQL takes a name of an inner WITH"),
    (r"create table with select preserves default :: show create", r"^values", "MySQL 9: no default for columns of merged tables"),
    (r"^- - 20|ALL - - 20", r"^names", "the last character of a name of 256"),
    (r"Column defaults with functions :: desc t33", r"^values", "literals beside UUID() are not respelled (docs/compat.md)"),
    (r"TpcdsPlanTests", r"1630.*1584", "which of two errors for `cast (`"),
    (r"PreparedScriptTests/simple select case one binding", r"^values", "MySQL keeps the type of the first value"),
]


def fetch():
    """The scripts, one JSON object a line."""

    def program(source):
        source = source / "enginetest"
        lines = [f"\tfor _, x := range setup.{v} {{\n\t\tdata = append(data, x...)\n\t}}\n"
                 for v in names(source / "scriptgen/setup", r"^var (\w+Data) = \[\]SetupScript")]
        lines += [f'\temit(out, "{v}", q.{v})\n' for v in names(source / "queries", rf"^var ([A-Z]\w+) = \[\](?:{KINDS})\b")]
        return PROGRAM % "".join(lines)

    return printed_by_go("gms", f"{VERSION}.jsonl", (MODULE, VERSION), program, "1.24")


def names(folder, pattern):
    found = [n for f in sorted(folder.glob("*.go")) if not f.name.endswith("_test.go") for n in re.findall(pattern, f.read_text(), re.M)]
    assert found, f"nothing in {folder}"
    return found


class Side:
    """One server and the connection that statements go to."""

    def __init__(self, server):
        self.server, self.c = server.start(), None

    def fresh(self):
        if self.c:
            self.c.close()
        self.connect()
        cur = self.c.cursor()
        cur.execute("set foreign_key_checks = 0")
        cur.execute("show databases")
        for (d,) in cur.fetchall():
            if d not in ("mysql", "sys", "information_schema", "performance_schema"):
                self.drop(cur, d)
        cur.execute("set foreign_key_checks = 1")
        cur.execute("set @@global.sql_mode = default")
        for d in ("mydb", "foo"):
            cur.execute(f"create database {d}")
        self.enter()

    def enter(self):
        self.c.select_db("mydb")
        with self.c.cursor() as cur:
            cur.execute(f"set sql_mode = '{MODE}'")

    def connect(self):
        self.c = self.server.connect(conv={}, read_timeout=60, client_flag=pymysql.constants.CLIENT.MULTI_STATEMENTS)

    def drop(self, cur, name):
        try:
            quoted = name.replace("`", "``")
            cur.execute(f"drop database `{quoted}`")
        except pymysql.err.OperationalError as e:
            if e.args[0] != 1010:
                raise
            # what INTO OUTFILE left in the schema's folder
            for f in pathlib.Path(self.server.dir, "data", name).glob("*"):
                f.unlink()
            cur.execute(f"drop database if exists `{quoted}`")

    def run(self, q):
        """Answers and warnings. An answer: ("rows", columns, rows), ("ok", changed), ("err", number, text)."""
        try:
            out = []
            with self.c.cursor() as cur:
                cur.execute(q)
                while True:
                    if cur.description is not None:
                        columns = [(f.name, f.type_code, f.flags & 0x1ff, f.scale, f.charsetnr, f.length) for f in cur._result.fields]
                        out.append(("rows", columns, [tuple(r) for r in cur.fetchall()]))
                    else:
                        out.append(("ok", cur.rowcount))
                    if not cur.nextset():
                        break
            warnings = []
            if not re.match(r"\s*(show|get)\b", q, re.I):
                with self.c.cursor() as cur:
                    cur.execute("show warnings")
                    warnings = [tuple(r) for r in cur.fetchall()]
            return out, warnings
        except (pymysql.err.InterfaceError, UnicodeError) as e:
            # the client gave the connection up in the middle of the answer
            self.connect()
            self.enter()
            return [("err", 0, repr(e))], []
        except pymysql.err.Error as e:
            number = e.args[0] if e.args else 0
            if number in (0, 2006, 2013, 2014):
                self.fresh()
                return [("lost", number)], []
            return [("err", number, e.args[1] if len(e.args) > 1 else "")], []


def difference(q, ours, peer, metadata):
    """What kind of difference there is, or None."""
    (a, wa), (b, wb) = ours, peer
    if any(x[0] == "lost" for x in a):
        return "LOST"
    if len(a) != len(b):
        return "results"
    for x, y in zip(a, b):
        if x[0] != y[0]:
            return "error-only-here" if x[0] == "err" else "error-only-there" if y[0] == "err" else "kind"
        if x[0] == "err" and x[1] != y[1]:
            return "errno"
        if x[0] == "ok" and x[1] != y[1]:
            return "affected"
        if x[0] == "rows":
            if [c[0] for c in x[1]] != [c[0] for c in y[1]]:
                return "names"
            if x[2] != y[2] and (re.search(r"order\s+by", q, re.I) and len(x[2]) == len(y[2]) and sorted(map(repr, x[2])) == sorted(map(repr, y[2]))):
                return "order"
            if sorted(map(repr, x[2])) != sorted(map(repr, y[2])):
                return "values"
            if metadata and [c[1:5] for c in x[1]] != [c[1:5] for c in y[1]]:
                return "types"
            if metadata and x[1] != y[1]:
                return "lengths"
    return "warnings" if [w[1] for w in wa] != [w[1] for w in wb] else None


def compare(script, sides, report, loaded):
    """Runs one script on both; whether its set-up is the large one and still there."""
    setup, queries = script["Setup"] or [], [x for x in script["Queries"] or [] if x.strip()]
    large = len(setup) > LARGE
    if not large and any(NEEDS.search(x) for x in setup + queries):
        report.left_out += 1
        return False
    steps = [(x, "SETUP") for x in setup] if not (large and loaded) else []
    if steps:
        for s in sides:
            s.fresh()
    single = large and len(queries) <= 2
    if single:
        queries = ["start transaction", *queries, "rollback"]
    for x, what in steps + [(x, "::") for x in queries]:
        if not NEEDS.search(x):
            answers = [s.run(x) for s in sides]
            report.statement(f"{script['Name']} {what} {x}", difference(x, *answers, report.metadata and not SHOWN.search(x)), *answers)
    return large


def shown(one, other, kind):
    """Of one answer what the other one does not have: the columns only if they differ, the rows that are its own."""
    answers, warnings = one
    out = []
    for i, a in enumerate(answers):
        if a[0] == "rows":
            b = other[0][i] if i < len(other[0]) and other[0][i][0] == "rows" else None
            columns = [a[1]] if b is None or kind in ("names", "types", "lengths") else []
            own = [r for r in a[2] if kind == "order" or b is None or r not in b[2]] or a[2][:1]
            out.append(("rows", *columns, own))
        else:
            out.append(a)
    return str((out, warnings))[:2000]


class Report:
    """What differed."""

    def __init__(self, metadata, keep):
        self.metadata, self.keep = metadata, open(keep, "w") if keep else None
        self.count, self.reasons, self.left_out, self.bad = 0, collections.Counter(), 0, 0

    def statement(self, at, kind, ours, peer):
        self.count += 1
        if kind is None:
            return
        line = f"{kind}: {shown(ours, peer, kind)} | {shown(peer, ours, kind)}"
        if self.keep:
            self.keep.write(f"{at}\n   {line}\n")
        why = next((w for where, what, w in EXPLAINED if re.search(where, at, re.I) and re.search(what, line, re.I)), None)
        if why:
            self.reasons[why] += 1
            return
        self.bad += 1
        print(" ".join(at.split())[:300], line[:600], sep="\n   ")

    def end(self, what):
        """The tally; the exit code."""
        print(f"{what}, {sum(self.reasons.values())} differences explained, {self.bad} not")
        for why, n in self.reasons.most_common():
            print(f"  {n:5} {why}")
        return 1 if self.bad else 0


def both():
    """A server of each, with nothing in it."""
    sides = [Side(kind(options=["--innodb-buffer-pool-size=256M"])) for kind in (Server, MySQL)]
    for s in sides:
        s.fresh()
    return sides


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--metadata", action="store_true")
    options.add_argument("--keep")
    options.add_argument("names", nargs="?", default="")
    options = options.parse_args()
    scripts, report = fetch(), Report(options.metadata, options.keep)
    sides = both()
    try:
        loaded = False
        for line in open(scripts):
            script = json.loads(line)
            if re.search(options.names, script["Name"]):
                loaded = compare(script, sides, report, loaded)
    finally:
        for s in sides:
            s.server.stop()
    return report.end(f"{report.count} statements, {report.left_out} scripts left out")


if __name__ == "__main__":
    sys.exit(main())
