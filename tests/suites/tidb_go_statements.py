#!/usr/bin/env python3
"""The statements in the Go tests of TiDB (out of its git repository), run on Evenkeel and on a real MySQL (scripts/mysql-peer.sh) side by side.

    tests/suites/tidb_go_statements.py --git DIR [--metadata] [--keep FILE] [REGEX-OF-PATHS]

TiDB speaks MySQL's dialect; what its tests expect is not used: what MySQL answers is right. Every string of a test function that begins like a
statement is one, in the order of the text, on a fresh database; `?` and verbs of Sprintf are filled in where the arguments are literals, and a
string that is only part of a statement does no harm, since both refuse it. What only TiDB has is left out (OTHER, SKIPPED). The tables of
expressions of pkg/expression are not read. Compared is what gms_scripts.py compares. Once a statement that changes something
has differed, what differs afterwards in that function is only counted: most of it follows. Exit code 1 when something differs that EXPLAINED
does not name.
"""
import argparse
import re
import subprocess
import sys

import gms_scripts
from gms_scripts import Report, both, difference

ROOTS = ("pkg/ddl", "pkg/executor", "pkg/expression", "pkg/planner", "pkg/privilege", "pkg/server", "pkg/session", "pkg/sessionctx", "pkg/table", "pkg/types",
         "pkg/util", "pkg/infoschema", "pkg/parser", "tests/realtikvtest",
         # before version 5 the packages stood at the top
         "ddl", "executor", "expression", "planner", "privilege", "server", "session", "sessionctx", "table", "types", "util", "infoschema", "parser")
# what only TiDB has
OTHER = re.compile(r"tiflash|placement|partition|/ttl|bindinfo|flashback|importinto|loaddata|/sem/|resourcegroup|multivaluedindex_bench|brietest|/sequence|tici|columnar|slow_query|memtable|cluster|"
                   r"stmtsummary|/memory/|distsql|oomtest|importintotest|addindextest|pipelineddml|explain|privileges/cache|cbotest|casetest/(hint|plancache|enforcempp|pushdown|physicalplan|cbo)", re.I)
SKIPPED = re.compile(r"^\s*(admin|split|explain|desc(ribe)?\s+(select|format|analyze)|trace|analyze|recover|flashback|batch|import|load|backup|restore|br |lock stats|plan|cancel|kill|shutdown|restart"
                     r"|calibrate|query watch|set\s+(global|persist|@@(global|persist)|config|password|session_states|resource)|show (stats|config|placement|builtins|bindings|drainer|pump|regions|table\s+\S+\s+(regions|next)|import|session_states|"
                     r"analyze|affinity|backups|restores|bdr|br|processlist|full processlist|status|global|variables|session|binding|histograms)|(create|drop|alter|set)\s+(global |session )?(binding|sequence|resource|placement|stats|statistics)"
                     r"|alter\s+instance|create\s+extended|alter\s+table.*\b(set tiflash|cache|nocache|attributes|compact|add stats|add statistics|drop stats)\b)"
                     r"|tidb|tiflash|tikv|placement\s+polic|partition\b|sleep\s*\(|auto_random|shard_row_id|pre_split|_tidb_rowid|information_schema\.(\w*cluster\w*|ddl_jobs|\w*statements_summary|metrics\w*|inspection\w*|slow_query)"
                     r"|\bmysql\.\w|as of timestamp|\bttl\b|vec_|\bvector\b|benchmark\s*\(|into\s+outfile|/\*T!|_clustered|clustered|release_lock|get_lock|interval\s+with|%[svdqwn]|%\.\d|\bglobal\b|max_allowed_packet|is_free_lock"
                     # what ends the session or locks its account out
                     r"|(commit|rollback)\b.*\brelease\s*$|(alter|drop|create|rename)\s+user\b.*\b(root|current_user|user\s*\(\))|revoke\b.*\broot\b|use\s+`?mysql\b|drop\s+(database|schema)\s+(if\s+exists\s+)?`?mysql", re.I)
WORD = (r"select|insert|update|delete|create|alter|drop|with|set|replace|show|truncate|rename|begin|start|commit|rollback|savepoint|release|use|prepare|execute|deallocate|do|table|values|grant|revoke|desc|describe|lock|unlock"
        r"|check|checksum|help|flush")
STATEMENT = re.compile(rf"\s*(/\*.*?\*/\s*|\(\s*)*({WORD})\b", re.I | re.S)
# Go's tokens, as far as they are needed: comments, strings, anything else
TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|`[^`]*`|'(?:[^'\\\n]|\\.)+'|\w+|\s+|.", re.S)
ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{3}|.)")
ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
FUNCTION = re.compile(r"^func (?:\([^)]*\) )?(\w+)\(.*?^\}", re.M | re.S)
# an argument of `?` or of a verb
LITERAL = re.compile(r"-?\d+(\.\d+)?|\"(?:[^\"\\\n]|\\.)*\"|`[^`]*`|true|false|nil")
EXPLAINED = gms_scripts.EXPLAINED + [
    (r"", r"doesn't yet support", "not built yet (docs/compat.md)"),
    (r"rand\(|uuid|(sys|cur)date|(now|sysdate|cur(rent_)?time(stamp)?|utc_time(stamp)?) *\(|@@timestamp|current_timestamp|sysdate", r"^values", "clocks, RAND(), UUID()"),
    (r"", r"^warnings.*Truncated incorrect (date|time) value", "MySQL 9: texts as dates are warned about in one way"),
    (r"from_days", r"^values", "MySQL 9: FROM_DAYS of days before year 1 and after 9999"),
    (r"show (privileges|grants|create user|profile|events|index|keys)|count\(\*\) from information_schema|setup_actors", r"", "what the product is and has; salts; statistics"),
    (r"desc|show create table", r"^names.*'View'|^values.*(SECONDARY_LOAD|TEMPORARY TABLE)", "virtual tables are tables here"),
    (r"^[^:]*::\s*\(?\s*(desc|describe|explain)\b", r"^(names|values)", "MySQL 9's default format and costs"),
    (r"\d */|avg\(\w+ */", r"^values", "MySQL 9: / keeps div_precision_increment digits only"),
    (r"group_concat", r"^values", "the order of equals in GROUP_CONCAT"),
    (r"select|update|delete", r"^warnings.*1292", "how often the plan converts a value"),
    (r"union|except|intersect", r"^order", "ORDER BY in a part of a set operation orders nothing"),
    (r"add_?sb|insert", r"^warnings.*1441", "MySQL 9: 1441 before 1264"),
]


def unquoted(token):
    """The text of a Go string."""
    if token[0] == "`":
        return token[1:-1]

    def one(m):
        x = m[1]
        if x[0] in "uU" and len(x) > 1:
            return chr(int(x[1:], 16))
        if x[0] == "x" and len(x) > 1:
            return chr(int(x[1:], 16))
        return chr(int(x, 8)) if x.isdigit() else ESCAPED.get(x, x)

    return ESCAPE.sub(one, token[1:-1])


def strings(code):
    """Strings of Go code with what stands before and after them, literals joined by `+` as one."""
    tokens = [t for t in TOKEN.findall(code) if not t.isspace() and not t.startswith(("//", "/*"))]
    i = 0
    while i < len(tokens):
        if tokens[i][0] not in "\"`":
            i += 1
            continue
        start, text = i, unquoted(tokens[i])
        i += 1
        while i + 1 < len(tokens) and tokens[i] == "+" and tokens[i + 1][0] in "\"`":
            text += unquoted(tokens[i + 1])
            i += 2
        # a text that goes on with a variable is no statement
        if i < len(tokens) and tokens[i] == "+" or start and tokens[start - 1] == "+":
            continue
        yield text, tokens[max(0, start - 6):start], tokens[i:i + 60]


def arguments(after):
    """The literals that follow a text in a call, or None if others do."""
    out, i = [], 0
    while i + 1 < len(after) and after[i] == ",":
        token = after[i + 1]
        if token == "-" and i + 2 < len(after):
            token, i = "-" + after[i + 2], i + 1
        if not LITERAL.fullmatch(token):
            return None
        out.append(token)
        i += 2
    return out if i < len(after) and after[i] == ")" else None


def filled(text, before, after):
    """The text with the literals of its call in the place of `?` and verbs; None where they are not literals."""
    called = before and before[-1] == "(" or len(before) > 1 and before[-1] == ","
    values = arguments(after) if called else None
    if "Sprintf" in before[-2:] or re.search(r"%[sdvq]", text):
        if not values or len(re.findall(r"%[sdvq]", text)) != len(values):
            return text
        it = iter(values)
        return re.sub(r"%[sdvq]", lambda m: unquoted(v) if (v := next(it))[0] in "\"`" else v, text).replace("%%", "%")
    if values and text.count("?") == len(values):
        it = iter(values)
        return re.sub(r"\?", lambda m: sql(next(it)), text)
    return text


def sql(value):
    if value[0] in "\"`":
        return "'" + unquoted(value).replace("\\", "\\\\").replace("'", "''") + "'"
    return "NULL" if value == "nil" else value


def functions(path, text):
    """(name, statements) of the functions of a file."""
    for m in FUNCTION.finditer(text):
        found = []
        for s, before, after in strings(m[0]):
            # answers that are expected
            if "Rows" in before[-3:] or not STATEMENT.match(s):
                continue
            found += [q for q in split(filled(s, before, after))]
        if found:
            yield m[1], found


PARTS = re.compile(r"(?:'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.|\"\")*\"|`[^`]*`|/\*.*?\*/|[^;'\"`])+", re.S)


def split(text):
    """A text of several statements as single ones; one with an open quotation as it is."""
    if re.match(r"\s*prepare\b", text, re.I) or ";" not in text:
        return [text.strip()]
    return [p.strip() for p in PARTS.findall(text) if p.strip()]


class Fresh:
    """Both servers with an empty schema `test`."""

    def __init__(self):
        self.sides = both()

    def again(self):
        for s in self.sides:
            s.fresh()
            with s.c.cursor() as cur:
                cur.execute("create database test")
                cur.execute("select concat('drop user ', quote(user), '@', quote(host)) from mysql.user where user not in ('root', 'mysql.sys', 'mysql.session', 'mysql.infoschema')")
                for (drop,) in cur.fetchall():
                    cur.execute(drop)
            s.c.select_db("test")

    def stop(self):
        for s in self.sides:
            s.server.stop()


CHANGES = re.compile(r"\s*(insert|update|delete|create|alter|drop|replace|truncate|rename|set|use|load)\b", re.I)


def run(name, statements, fresh, report):
    """One function's statements on a fresh schema."""
    statements = [q for q in statements if not SKIPPED.search(q) and len(q) < 20000]
    if not statements:
        return
    fresh.again()
    parted = False
    for q in statements:
        answers = [s.run(q) for s in fresh.sides]
        kind = difference(q, *answers, report.metadata and not gms_scripts.SHOWN.search(q))
        if kind and parted and kind != "LOST":
            report.reasons["after a statement that differed"] += 1
            if report.keep:
                report.keep.write(f"ECHO {name} :: {q}\n   {kind}: {answers}\n"[:3000])
            report.count += 1
            continue
        report.statement(f"{name} :: {q}", kind, *answers)
        parted = parted or (kind in ("error-only-here", "error-only-there", "affected", "kind", "results") and CHANGES.match(q) is not None)


def show(git, f):
    return subprocess.run([*git, "show", f"HEAD:{f}"], capture_output=True, check=True).stdout.decode(errors="replace")


def files(git, *roots):
    return subprocess.run([*git, "ls-tree", "-r", "--name-only", "HEAD", *roots], capture_output=True, text=True, check=True).stdout.split()


def asked(argv=None):
    options = argparse.ArgumentParser()
    options.add_argument("--git", required=True)
    options.add_argument("--metadata", action="store_true")
    options.add_argument("--keep")
    options.add_argument("--list", action="store_true", help="only prints the statements")
    options.add_argument("paths", nargs="?", default="")
    return options.parse_args(argv)


def whole(options, paths, units, explained):
    """Runs the units, (name, statements), of all files."""
    git = ["git", "-C", options.git]
    if options.list:
        for f in paths:
            for name, statements in units(f, show(git, f)):
                print(*(f"{f}/{name} :: {' '.join(q.split())}" for q in statements if not SKIPPED.search(q)), sep="\n")
        return 0
    gms_scripts.EXPLAINED[:] = explained
    report, fresh = Report(options.metadata, options.keep), Fresh()
    try:
        for f in paths:
            for name, statements in units(f, show(git, f)):
                run(f"{f}/{name}", statements, fresh, report)
    finally:
        fresh.stop()
    return report.end(f"{len(paths)} files, {report.count} statements")


def main():
    options = asked()
    paths = [f for f in files(["git", "-C", options.git], *ROOTS) if f.endswith("_test.go") and not OTHER.search(f) and re.search(options.paths, f)]
    return whole(options, paths, functions, EXPLAINED)


if __name__ == "__main__":
    sys.exit(main())
