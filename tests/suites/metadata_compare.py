#!/usr/bin/env python3
"""Evenkeel's metadata beside a real MySQL's (scripts/mysql-peer.sh): prints what differs.

    tests/suites/metadata_compare.py [--messages FILE] [SECTION ...]

Sections: columns (tables and columns of information_schema and performance_schema), variables (names, values, scopes), set (what SET answers to
wrong values), status, keywords, charsets, collations, engines, metrics, privileges, grants, messages (texts of errors by number, against the file
of MySQL's messages; SQLSTATEs too). The MySQL of the script is newer than 8.4: what is new or gone there is listed in NEWER, with the values that
8.4 has, as far as its recorded test results show them. Lines beginning with `-` are MySQL's, those with `+` Evenkeel's.
"""
import argparse
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))
import pymysql  # noqa: E402
from lib.servers import MySQL, Server  # noqa: E402

# variables that the newer MySQL has and 8.4 has not, or the other way round, or whose default changed
NEWER = {
    "variables": re.compile(
        r"^(replica_parallel_type|slave_parallel_type|temptable_use_mmap|group_replication\w*|ndb\w*|version\w*|innodb_version|hostname|pid_file|"
        r"socket|port|report_port|datadir|basedir|tmpdir|\w*_dir|server_uuid|character_sets_dir|general_log_file|slow_query_log_file|log_error|"
        r"timestamp|pseudo_thread_id|\w*_file|\w*ssl\w*|statement_id|rand_seed\d|external_user|proxy_user|mysqlx\w*|license|"
        r"large_page_size|open_files_limit|system_time_zone|innodb_native_aio|log_bin\w*|innodb_numa_interleave|insert_id|last_insert_id)$"),
}


class Both:
    """A connection to each server."""

    def __init__(self, ours, theirs):
        self.ours, self.theirs, self.total = ours.connect(), theirs.connect(), 0

    def rows(self, sql):
        """The rows of a query on Evenkeel and on MySQL, as texts."""
        out = []
        for c in (self.ours, self.theirs):
            with c.cursor() as cur:
                cur.execute(sql)
                out.append([tuple("NULL" if v is None else str(v.decode() if isinstance(v, bytes) else v) for v in r) for r in cur.fetchall()])
        return out

    def lists(self, title, ours, theirs):
        """Prints what only one of two mappings has, or has another value for."""
        gone = [f"  - {k}\t{theirs[k]}" for k in sorted(theirs) if k not in ours]
        new = [f"  + {k}\t{ours[k]}" for k in sorted(ours) if k not in theirs]
        other = [f"  - {k}\t{theirs[k]}\n  + {k}\t{ours[k]}" for k in sorted(ours) if k in theirs and ours[k] != theirs[k]]
        self.total += len(gone) + len(new) + len(other)
        print(f"{title}: {len(ours)} here, {len(theirs)} there; {len(gone)} missing, {len(new)} more, {len(other)} different")
        for line in gone + new + other:
            print(line)

    def query(self, title, sql, key=1):
        """Compares the rows of a query: the first `key` columns name a row, the others are its value."""
        ours, theirs = ({"\t".join(r[:key]): "\t".join(r[key:]) for r in rows} for rows in self.rows(sql))
        self.lists(title, ours, theirs)


def columns(b):
    for schema in ("information_schema", "performance_schema"):
        sql = ("SELECT TABLE_NAME, ORDINAL_POSITION, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE FROM information_schema.COLUMNS "
               f"WHERE TABLE_SCHEMA = '{schema}' ORDER BY 1, 2")
        ours, theirs = b.rows(sql)
        tables = [{r[0] for r in rows} for rows in (ours, theirs)]
        b.lists(f"tables of {schema}", dict.fromkeys(tables[0], ""), dict.fromkeys(tables[1], ""))
        both = tables[0] & tables[1]
        value = [{f"{r[0]}.{r[2]}": f"{r[1]} {r[3]} {r[4]}" for r in rows if r[0] in both} for rows in (ours, theirs)]
        b.lists(f"columns of {schema}", *value)


def variables(b):
    ours, theirs = ({r[0]: r[1] for r in rows if not NEWER["variables"].match(r[0])} for rows in b.rows("SHOW GLOBAL VARIABLES"))
    b.lists("global variables", ours, theirs)
    ours, theirs = (dict(r[:2] for r in rows) for rows in b.rows("SHOW SESSION VARIABLES"))
    ours, theirs = ({k: v for k, v in d.items() if not NEWER["variables"].match(k)} for d in (ours, theirs))
    shared = set(ours) & set(theirs)
    b.lists("session variables", {k: ours[k] for k in shared}, {k: theirs[k] for k in shared})


WRONG = ["'nonsense'", "-1", "1.5", "1e3", "NULL", "''", "99999999999999999999", "ON", "DEFAULT"]


def answer(c, sql):
    """`code text` of the error or of the warnings of a statement."""
    try:
        with c.cursor() as cur:
            cur.execute(sql)
            cur.execute("SHOW WARNINGS")
            return "; ".join(f"{r[1]} {r[2]}" for r in cur.fetchall()) or "OK"
    except pymysql.err.MySQLError as e:
        return f"{e.args[0]} {e.args[1] if len(e.args) > 1 else ''}"


def set_variables(b):
    """Wrong values for the session and global values of each variable, each of which is set back afterwards."""
    names = [{r[0] for r in rows if not NEWER["variables"].match(r[0])} for rows in b.rows("SHOW GLOBAL VARIABLES")]
    ours, theirs = {}, {}
    skip = re.compile(r"^(offline_mode|read_only|super_read_only|require_secure_transport|autocommit|innodb_buffer_pool_size|innodb_\w*dump\w*|"
                      r"innodb_redo_log_capacity|character_set\w*|collation\w*|sql_mode|init_connect|innodb_fast_shutdown|debug|keyring\w*|"
                      r"max_connections|mandatory_roles|password\w*|gtid\w*|enforce_gtid\w*|event_scheduler|net_\w*timeout|wait_timeout|"
                      r"interactive_timeout|max_execution_time|max_user_connections|profiling|sql_select_limit|unique_checks|transaction\w*|"
                      r"partial_revokes|innodb_log_writer_threads|authentication_policy|connection_memory_limit|global_connection_memory_limit|"
                      r"table_open_cache|innodb_buffer_pool\w*|innodb_ft\w*table|lower_case_table_names|max_allowed_packet)$")
    for name in sorted(names[0] & names[1]):
        if skip.match(name):
            continue
        for scope in ("SESSION", "GLOBAL"):
            for value in WRONG:
                sql = f"SET {scope} {name} = {value}"
                ours[sql], theirs[sql] = answer(b.ours, sql), answer(b.theirs, sql)
                for c in (b.ours, b.theirs):
                    answer(c, f"SET {scope} {name} = DEFAULT")
                if scope == "SESSION" and "1229" in ours[sql] + theirs[sql] or "1238" in ours[sql] + theirs[sql]:
                    break
    b.lists("SET", ours, theirs)


def status(b):
    names = [{r[0]: "" for r in rows if not re.match(r"(Ssl|Tls|Mysqlx|Caching_sha2|Rsa|Current_tls|Compression)", r[0])}
             for rows in b.rows("SHOW GLOBAL STATUS")]
    b.lists("status variables", *names)


def messages(b, file):
    """The error texts of `base/src/error.rs` against MySQL's list; formats are compared without their widths."""
    ours = {}
    for name, code, state, text in re.findall(r'^    (\w+) = (\d+) "(\w+)" "((?:[^"\\]|\\.)*)";', (ROOT / "crates/base/src/error.rs").read_text(), re.M):
        ours[int(code)] = (f"ER_{name}", state, text.replace('\\"', '"').replace("\\\\", "\\"))
    theirs, code, name, state = {}, 1000, None, "HY000"
    for line in file.read_text(errors="replace").splitlines():
        if m := re.match(r"start-error-number (\d+)", line):
            code = int(m[1]) - 1
        elif m := re.match(r"((?:OBSOLETE_)?(?:ER|WARN)_\w+)\s*(\w*)", line):
            code += 1
            name, state = m[1], m[2] or "HY000"
        elif (m := re.match(r'\s+eng "(.*)"', line)) and name:
            theirs[code] = (name, state, m[1].replace('\\"', '"').replace("\\\\", "\\"))

    def plain(t):
        return re.sub(r"%s", "%s", re.sub(r"%[-.0-9*]*(?:l|ll|z)?[sdcuxiM]|%[-.0-9*]*l?llu", "%s", t.replace("\\n", "\n")))

    shared = set(ours) & set(theirs)
    more = {str(c): " ".join(ours[c]) for c in ours if c not in theirs}
    left = {str(c): f"{ours[c][0]} {ours[c][1]} {plain(ours[c][2])}" for c in shared}
    right = {str(c): f"{theirs[c][0]} {theirs[c][1]} {plain(theirs[c][2])}" for c in shared}
    fix = {c: v.replace("ER_WARN_", "WARN_").replace("ER_", "") for c, v in right.items()}
    left = {c: v.replace("ER_WARN_", "WARN_").replace("ER_", "") for c, v in left.items()}
    b.lists("messages", {**left, **more}, fix)


SECTIONS = {
    "columns": columns,
    "variables": variables,
    "set": set_variables,
    "status": status,
    "keywords": lambda b: b.query("keywords", "SELECT WORD, RESERVED FROM information_schema.KEYWORDS"),
    "charsets": lambda b: b.query("character sets", "SELECT * FROM information_schema.CHARACTER_SETS"),
    "collations": lambda b: b.query("collations", "SELECT * FROM information_schema.COLLATIONS"),
    "engines": lambda b: b.query("engines", "SHOW ENGINES"),
    "metrics": lambda b: b.query("metrics", "SELECT NAME, SUBSYSTEM, STATUS, TYPE, COMMENT FROM information_schema.INNODB_METRICS"),
    "privileges": lambda b: b.query("privileges", "SHOW PRIVILEGES"),
    "grants": lambda b: b.query("grants of root", "SHOW GRANTS"),
}


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("--messages", type=pathlib.Path, help="MySQL's messages_to_clients.txt (default: that of the peer)")
    a.add_argument("sections", nargs="*", choices=[[], *SECTIONS, "messages"])
    a = a.parse_args()
    ours, theirs = Server().start(), MySQL().start()
    try:
        b = Both(ours, theirs)
        for name in a.sections or [*SECTIONS, "messages"]:
            if name == "messages":
                file = a.messages or MySQL.folder() / "usr/share/mysql/messages_to_clients.txt"
                if file.exists():
                    messages(b, file)
                else:
                    print(f"messages: not compared, there is no {file} (Debian's package has none; name one with --messages)")
            else:
                SECTIONS[name](b)
        print(f"{b.total} differences")
    finally:
        for s in (ours, theirs):
            s.stop()
            s.remove()
    return 1 if b.total else 0


if __name__ == "__main__":
    sys.exit(main())
