#!/usr/bin/env python3
"""PREPARE of a real server as an oracle for the parser: parser_oracle.py CORPUS.jsonl [--mysql] [--modes all] [--show KIND] [--limit N]

Every statement of the corpus (/work/shared/tools/mtr_extract.py makes it; GPL text, never committed) is prepared on a real MariaDB, which resolves
names but executes nothing: error 1064 means that its grammar refuses the text, any other answer that it takes it. Our parser says the same by
`cargo run -p parser --example corpus -- CORPUS VERDICTS [modes]`. Differences are put into classes by what stands in the statement: what
only MariaDB has, what only MySQL 8.4 has, and what is left, which is printed (`--show`). `--modes all` repeats it in the sql_modes that change how a
text is read. `--mysql` asks a real MySQL (scripts/mysql-peer.sh): what 9.7's grammar has changed since 8.4, and
errors that its actions give before it comes to the syntax error, are explained. Exit status 1 if more than `--limit` differences of a mode are left unexplained.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

import pymysql

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from lib.servers import MariaDB, MySQL  # noqa: E402

MODES = ["ANSI_QUOTES", "PIPES_AS_CONCAT", "NO_BACKSLASH_ESCAPES", "IGNORE_SPACE", "HIGH_NOT_PRECEDENCE"]

MARIADB_ONLY = [(name, re.compile(pattern, re.I | re.S)) for name, pattern in [
    ("(VALUES (..)) without ROW", r"\bvalues\s*\("),
    ("DEFAULT of an expression without parentheses", r"\bdefault\s+(?!null\b|\()(\w+\s*\(|current_|utc_|localtime|case\b|@@|\?|[a-z]\w*\s*(,|\)|$))"),
    ("LIKE, REGEXP, BETWEEN, IN and IS that go on with an operator", r"\b(like|regexp|is|between|in)\b.*\b(like|regexp|is|between|in|mod|div)\b|\blike\s+[\w.']+(\s+escape\s+\d+)?\s*[-+*/%&|^<>]"),
    ("COMMENT of a database, UPGRADE DATA DIRECTORY", r"\b(database|schema)\b"),
    ("WEIGHT_STRING LEVEL, limits and orders inside aggregates", r"weight_string|json_arrayagg|group_concat"),
    ("\\N as NULL", r"\\n"),
    ("WAIT n", r"\b(no)?wait\b"),
    ("spatial types", r"geometry|point|st_"),
    ("dynamic columns", r"column_(get|create|add|delete|json|list|check|exists)\s*\("),
    ("EXPLAIN EXTENDED, EXPLAIN PARTITIONS", r"\b(explain|describe|desc)\s+(extended|partitions)\b"),
    ("ANALYZE of a statement", r"^\s*analyze\s+(format\s*=\s*json\s+)?(\(|select|delete|update|insert|replace|with|table\s+\S+\s+persistent|values)"),
    ("SET STATEMENT ... FOR", r"^\s*set\s+statement\b"),
    ("CREATE OR REPLACE of tables, databases, users, indexes and so on", r"create\s+or\s+replace\s+(?!.*\bview\b)"),
    ("IF [NOT] EXISTS inside ALTER TABLE and for more objects", r"if\s+(not\s+)?exists"),
    ("BEGIN NOT ATOMIC, compound statements", r"begin\s+not\s+atomic|^\s*(if|while|for|loop|repeat|case|declare|raise|open|fetch|close|goto|exit|elsif)\b|^\s*\w+\s*:"),
    ("EXECUTE IMMEDIATE, EXECUTE and PREPARE of expressions", r"execute\s+immediate|execute\s+\w+\s+using|prepare\s+\w+\s+from"),
    ("sequences", r"\bsequence\b|nextval|lastval|setval|previous\s+value|next\s+value"),
    ("ALTER ONLINE, ALTER IGNORE", r"alter\s+(online|ignore)\b"),
    ("RETURNING", r"\breturning\b"),
    ("system versioning, periods", r"system\s+versioning|system_time|for\s+portion\s+of|\bperiod\b|without\s+overlaps|history"),
    ("PERSISTENT and COMPRESSED columns, page_checksum and other table options", r"\bpersistent\b|\bcompressed\b|transactional\s*=|page_checksum|\bpage_compress|ietf_quotes|sequence\s*=|encrypted\s*=|encryption_key_id"),
    ("engine-defined attributes", r"\b(yes|no|one|complex|ull|str|varopt|two)\s*=|\w+\s*=\s*('[^']*'|\d+|yes|no)\s*(,|\)|$)"),
    ("accounts: roles, SSL, IDENTIFIED VIA, old passwords", r"identified\s+(via|by\s+password|with\s+\S+\s+(using|as))|password\s*\(|\bgrant\b|\brevoke\b|\brole\b|create\s+user|alter\s+user|drop\s+user"),
    ("replication: CHANGE MASTER, RESET and so on", r"change\s+master|(start|stop|reset|show|purge)\s+(all\s+)?(slave|master|binary|slaves|binlog|replica)|master_|gtid"),
    ("removed or never there: SHOW, FLUSH, KILL, BACKUP, INSTALL variants", r"^\s*(show|flush|kill|backup|install|uninstall|purge|reset|help|lock|unlock|repair|check|optimize|analyze|shutdown|cache|load|handler|checksum|rename|xa|start|commit|rollback)\b"),
    ("INTO in places, LIMIT ROWS EXAMINED, FETCH FIRST, OFFSET .. ROWS", r"rows\s+examined|fetch\s+(first|next)|offset\s+\S+\s+rows?|\binto\b|procedure\s+analyse"),
    ("EXCEPT, INTERSECT and WITH forms, CYCLE", r"\bcycle\b|\b(except|intersect)\b|^\s*\(?\s*with\b"),
    ("types and functions: INET6, UUID, CAST AS INT, MEDIAN, PERCENTILE, JSON_TABLE forms, Oracle's", r"\b(inet[46]|uuid|median|percentile_\w+|row\s+type|type\s+of|varchar2|number|xmltype|within\s+group|json_table|interval\s*\()\b|as\s+(int|integer|double|interval|varchar|text|\w*blob|tinyint|smallint|bigint)\b|collate\s+default"),
    ("words that MySQL 8.4 reserves", r"\b(row|rows|rank|system|groups?|lateral|of|over|window|function|empty|cube|lead|lag|first_value|last_value|except|recursive|manual|parallel|qualify|dense_rank|ntile|cume_dist|percent_rank|nth_value|row_number|json_table|tablesample|optimizer_costs|get|generated|virtual|stored|io_after_gtids|partition|admin)\b"),
    ("stored programs of MariaDB, triggers, events, packages", r"\b(procedure|function|trigger|event|package|aggregate)\b"),
    ("empty names, names with spaces at the end", r"``"),
    ("executable comments of MariaDB", r"/\*M!"),
    ("SQL_NO_CACHE and SQL_CACHE, old hints", r"sql_cache|sql_no_cache|high_priority"),
    ("DEFAULT, IGNORE, VALUE and expressions as values", r"=\s*ignore|\bvalue\s*\(|default\s*\(|\bignore\b"),
    ("DELETE and UPDATE forms", r"^\s*(delete|update)\b"),
    ("index options, ignored indexes, foreign keys", r"\bignored\b|\bindex\b|\bkey\b|\breferences\b"),
    ("partitions", r"\bpartition"),
    ("CHARACTER SET DEFAULT, COLLATE DEFAULT and several COLLATE", r"(character\s+set|charset|names)\s+default|collate\b.*\bcollate\b"),
    ("names of columns with their table in CREATE TABLE", r"create\s+table\s+\w+\s*\(\s*\w+\.\w"),
    ("functions that MySQL's grammar names, with other arguments; its keywords as functions", r"\b(contains|srid|log|nested|ordinality|path|fast|relay|linestring|polygon|multi\w+)\s*\("),
    ("types that only MariaDB has, and words as types", r"mysql_json|mariadb_schema|\b(a|as)\s+(dual|ascii|language|close|names|end|global|action)\)"),
    ("NATURAL STRAIGHT_JOIN", r"natural\s+straight_join"),
    ("@@default.key_buffer_size and its kin", r"default`?\.`?key_"),
]]
MYSQL_ONLY = [(name, re.compile(pattern, re.I | re.S)) for name, pattern in [
    ("several statements in one text", r";\s*\S"),
    ("INTO that is misplaced or there twice (3953, 3954; no syntax errors)", r"\binto\s+(@|outfile|dumpfile)"),
    ("GET DIAGNOSTICS, SIGNAL (refused with 1235 whatever follows)", r"\bget\b|\bsignal\b"),
    ("stored programs (refused with 1235 whatever follows)", r"\b(procedure|function|trigger|event)\b"),
    ("partitions (refused with 1235 whatever follows)", r"\bpartition"),
    ("calls of MariaDB's functions, comments for MariaDB only", r"column_create|/\*M!"),
    ("SERIAL with attributes", r"\bserial\b"),
    ("words that only MariaDB reserves", r"\b(offset|rownum|sysdate|returning|slow|position|do|stats_\w+|page_checksum|delete_domain_id|do_domain_ids|ref_system_id|parse_vcol_expr|current_role|ignore_domain_ids|master_ssl_verify_server_cert|sql_before_gtids|general|ignore_server_ids|master_heartbeat_period)\b"),
    ("account and replication statements of MySQL", r"\b(user|role|replica|source|clone|instance|resource|component|load\s+data\s+from|binlog|xa|grant|revoke)\b"),
]]


# A real MySQL (9.7) beside us. Its parser runs actions while it reads, so that an error of theirs comes before the syntax error behind it.
NEWER_TAKES = [(name, re.compile(pattern, re.I | re.S)) for name, pattern in [
    ("9.x: the type VECTOR", r"\bvector\b\s*(\(|,|\)|$)"),
    ("9.x: CREATE VIEW IF NOT EXISTS", r"\bview\s+if\s+not\s+exists\b"),
    ("9.x: libraries of JavaScript, masking policies, duality views, EXTERNAL tables", r"\blibrary\b|^\s*alter\s+(function|procedure)\b.*\busing\s*\(|\bmasking\s+policy\b|duality|\bexternal\s+(table|format)|\bload\s+data\s+uri\b"),
    ("9.x: GROUPING SETS, JSON_ARRAYAGG with ABSENT or NULL ON NULL, EXPLAIN FOR SCHEMA", r"\bgrouping\s+sets\b|json_arrayagg\b.*\bon\s+null\b|\bexplain\b.*\bfor\s+(schema|database)\b"),
    ("in the body of a stored program (1235 here whatever is in it) MySQL first finds an unknown variable, label or parameter, or a statement it does not allow",
     r"^\s*create\s+(definer\s*=\s*\S+\s+)?(procedure|function)\b"),
    ("a number that breaks off behind e (`1 1.e, 2`): MySQL's lexer drops it without a word", r"\b1\.e\W"),
    ("an unknown collation (1273) before the syntax error", r"unicode_nopad_ci.*\bperiod\b"),
    ("an unknown variable (1193) before what stands behind the SET", r"^set\s+(debug_sync\b.*;|@@global\.wsrep_\w+=user:)"),
    ("no right on information_schema (1044) before the missing AS", r"^create view information_schema\.v1$"),
    ("a schema's name that is too long or ends in a space (1102) before the syntax error", r"^grant file on a{65}|`db `\.pkg\.func"),
]]
NEWER_REFUSES = [(name, re.compile(pattern, re.I | re.S)) for name, pattern in [
    ("9.x: EXTERNAL is reserved", r"(=|table)\s*external\b"),
    ("characters beyond U+FFFF in names: question marks in the text that PREPARE reads there", "[\U00010000-\U0010ffff]"),
    ("rows in VALUES IN of one column: 1064 of the session here", r"add\s+partition.*values\s+in\s*\(\("),
]]


def ours(corpus, modes):
    """Verdicts of our parser, one a line. CORPUS_TOOL: the built example."""
    tool = os.environ.get("CORPUS_TOOL")
    command = [tool] if tool else ["cargo", "run", "-q", "-p", "parser", "--example", "corpus", "--"]
    out = subprocess.run([*command, corpus, "VERDICTS", ",".join(modes)], cwd=HERE.parents[1], capture_output=True, check=True)
    return out.stdout.decode("utf-8", "replace").split("\n")[:-1]


def theirs(server, statements, modes):
    conn = None
    verdicts = []
    for sql in statements:
        for attempt in (0, 1):
            try:
                if conn is None:
                    conn = server.connect(database="test", autocommit=True, charset="utf8mb4")
                    conn.cursor().execute("SET SESSION sql_mode = %s", (",".join(modes),))
                text = sql.replace("'", "''") if "NO_BACKSLASH_ESCAPES" in modes else sql.replace("\\", "\\\\").replace("'", "''")
                conn.cursor().execute(f"PREPARE s FROM '{text}'")
                verdicts.append("ok")
            except pymysql.err.Error as e:
                if e.args[0] in (0, 2006, 2013) and attempt == 0:  # the statement broke the connection
                    conn = None
                    continue
                verdicts.append(str(e.args[0]))
            except UnicodeError:
                verdicts.append("skip")
            break
    return verdicts


def explain(sql, classes):
    return next((name for name, pattern in classes if pattern.search(sql)), None)


def compare(server, corpus, statements, modes, args):
    mine, peer = ours(corpus, modes), theirs(server, statements, modes)
    assert len(mine) == len(peer), (len(mine), len(peer))
    same, left, known = 0, [], collections.Counter()
    taken, refused = [0, 0], [0, 0]  # by the real server: all, and those on which we agree
    for sql, a, b in zip(statements, mine, peer):
        if b == "skip" or a.startswith("1065") or b == "1065":
            continue
        we, they = a in ("ok", "unsupported") or not a.startswith("1064"), b != "1064"
        if a == "unsupported" and not they:
            known["refused for another reason than its syntax, with 1235 (a semantic 1064 of MySQL, or what nobody parses yet)"] += 1
            continue
        count = taken if they else refused
        count[0] += 1
        count[1] += we == they
        if we == they:
            same += 1
            continue
        classes = (NEWER_REFUSES, NEWER_TAKES) if server.name == "mysql" else (MYSQL_ONLY, MARIADB_ONLY)
        name = explain(sql, classes[0] if we else classes[1])
        if name:
            known[("taken here only: " if we else "taken there only: ") + name] += 1
        else:
            left.append(("HERE" if we else "THERE", a, sql))
    print(f"sql_mode '{','.join(modes)}': {same} of {same + len(left) + sum(known.values())} the same, "
          f"{sum(known.values())} explained, {len(left)} left; of {taken[0]} that it takes {taken[1]} are taken here, of {refused[0]} that it refuses {refused[1]} refused")
    if args.verbose:
        for name, n in known.most_common():
            print(f"  {n:6} {name}")
    for who, verdict, sql in left:
        if args.show in (who, "ALL"):
            print(f"  {who} {verdict[-90:] if verdict != 'ok' else 'ok'} | {' '.join(sql.split())[:200]}")
    return len(left)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("corpus")
    p.add_argument("--modes", default="", help="'all': every sql_mode that changes reading, one after the other")
    p.add_argument("--show", default="", help="HERE (only we take it), THERE or ALL")
    p.add_argument("--limit", type=int, default=10**9)
    p.add_argument("--verbose", action="store_true")
    p.add_argument("--mysql", action="store_true", help="a real MySQL instead of MariaDB")
    args = p.parse_args()
    statements = [json.loads(line).get("sql") or "" for line in open(args.corpus, encoding="utf-8")]
    server = MySQL() if args.mysql else MariaDB()
    server.start()
    worst = 0
    try:
        c = server.connect(autocommit=True)
        c.cursor().execute("CREATE DATABASE IF NOT EXISTS test")
        for modes in [[]] + ([[m] for m in MODES] if args.modes == "all" else []):
            worst = max(worst, compare(server, args.corpus, statements, modes, args))
    finally:
        server.stop()
        server.remove()
    return 1 if worst > args.limit else 0


if __name__ == "__main__":
    sys.exit(main())
