#!/usr/bin/env python3
"""The statements of TiDB's integration tests (out of its git repository), run on Evenkeel and on a real MySQL (scripts/mysql-peer.sh) side by side.

    tests/suites/tidb_cases.py --git DIR [--metadata] [--keep FILE] [REGEX-OF-PATHS]

TiDB speaks MySQL's dialect; its own recorded answers are not used: what MySQL answers is right. The files are mysql-tester's: statements that end with `;` at
the end of a line, lines of directives (dropped, but connect, connection and disconnect: each connection has a session of its own on both sides, with short
timeouts for locks). Left out are files and statements about what only TiDB has (OTHER, SKIPPED), partitions, and plans. Compared is what gms_scripts.py
compares; a statement that both refuse, or only one of them as not supported, is no difference. Exit code 1 when something differs that EXPLAINED does not name.
"""
import argparse
import re
import subprocess
import sys

import pymysql

import gms_scripts
from gms_scripts import MODE, Report, Side, difference
from lib.servers import MySQL, Server

CASES = "tests/integrationtest/t/"
# about partitions, plans, statistics, commands and tables that are TiDB's own
OTHER = re.compile(r"partition|globalindex/|bindinfo/|bdr_mode|tiflash|sequence|resource_group|split_table|stale_txn|import_into|sample\.test|nontransactional|index_advise|explainfor"
                   r"|executor/(admin|analyze|cluster_table|compact_table|rowid|distsql|inspection_common)\.|infoschema/cluster|util/admin|ddl/(attributes_sql|serial)|planner/core/(binary_plan|cbo)|vitess_hash|statistics/(lock|handle)")
SKIPPED = re.compile(r"^\s*(explain|desc(ribe)?\s+(format\b|analyze|select|with|update|insert|delete|\()|trace|admin|split|recommend|flashback|recover|kill|shutdown|plan|backup|restore|import|batch|lock stats|unlock stats)\b"
                     r"|^\s*flush tables|^\s*(create|drop|alter|show)\s+(global |session )?(binding|placement|sequence|resource|stats|plugins|config|engines|processlist|full processlist)"
                     r"|tidb|tikv|tiflash|\bttl\b|placement|\bpartitions?\b|auto_random|shard_row_id|pre_split|nextval|lastval|setval|sleep\s*\(|benchmark\s*\(|\bas of timestamp|metrics_schema|statements_summary|slow_query"
                     r"|load data|into outfile|\bvector\b|vec_|@@last_plan|last_insert_id_|\bmysql\.|show (index|keys|table status|stats_|variables|global variables)|\bstats_", re.I)
CONNECT = re.compile(r"(connect|connection|disconnect)\s*\(?\s*([^;)]*)\)?;?\s*$", re.I)
STATEMENT = re.compile(r"""(?:'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`[^`]*`|/\*.*?\*/|[^;'"`])+""", re.S)
EXPLAINED = gms_scripts.EXPLAINED + [
    (r"", r"doesn't yet support", "not built yet (docs/compat.md)"),
    (r"grant|revoke", r"'1285'", "skip_name_resolve is no news here (docs/compat.md)"),
    (r"flush privileges", r"^warnings.*1681", "MySQL 9's warning"),
    (r"alter table|default_as_expression", r"1674|1364|^values.*uuid|^values.*user\(\)", "MySQL's binary log: UUID() and USER() as defaults are unsafe; its _utf8mb3"),
    (r"native_password|native_plugin_user|password_management", r"1524|1396", "MySQL 9 has no mysql_native_password"),
    (r"engine *= *(myisam|merge)", r"^warnings.*1266", "one engine (docs/compat.md)"),
    (r"", r"Name_exp_", "MySQL 9: columns of views without names"),
    (r"coercibility\(", r"^values", "MySQL 9: the coercibility of what has no collation"),
    (r"locate\(", r"^values", "MySQL 9: LOCATE finds what has another number of bytes"),
    (r"executor/issues.* [*] *\(?.*/ *36000|where a/10+", r"^values", "MySQL 9: / keeps div_precision_increment digits only"),
    (r"set default", r"1215", "InnoDB of 8.4 refuses SET DEFAULT"),
    (r"ddl/db.test", r"err', (13|1030|1008|1049|1146|1051),", "long names are no names of files here"),
    (r"date\(0\)|extract\(|from t$", r"613566757|2000-00-00", "MySQL 9: dates with zeros"),
    (r"information_schema.profiling", r"", "profiling is not built (docs/compat.md)"),
    (r"show (open tables|privileges)", r"^values", "what is open and what there is"),
]


class Sessions(Side):
    """One server; its globals as they began, and the sessions of a file by name."""

    def __init__(self, server):
        self.sessions, self.name, self.user, self.database = {}, "default", "root", None
        super().__init__(server)
        self.connect()
        self.first = self.globals()

    def globals(self):
        with self.c.cursor() as cur:
            cur.execute("select lower(variable_name), variable_value from performance_schema.global_variables")
            return dict(cur.fetchall())

    def begin(self, database):
        """Nothing of the file before is left: sessions, databases, accounts, globals."""
        for name in list(self.sessions):
            self.disconnect(name)
        self.c, self.name, self.user, self.database = None, "default", "root", None
        super().fresh()  # databases
        with self.c.cursor() as cur:
            for name, value in self.globals().items():
                if self.first.get(name) != value:
                    self.reset(cur, name, self.first.get(name))
            cur.execute("select user, host from mysql.user where user not like 'mysql.%' and (user, host) <> ('root', 'localhost')")
            for account in cur.fetchall():
                cur.execute("drop user %s@%s", account)
            cur.execute("create database if not exists test")
            cur.execute(f"create database if not exists `{database}`")
        self.database = database
        self.fresh()

    @staticmethod
    def reset(cur, name, value):
        for text in (f"'{value}'", value or "''"):
            try:
                cur.execute(f"set global {name} = {text}")
                return
            except pymysql.err.Error:
                continue

    def fresh(self):
        """A new connection in the place of the present one."""
        self.disconnect(self.name)
        self.connect()
        self.enter()

    def enter(self):
        if self.database:
            self.c.select_db(self.database)
        with self.c.cursor() as cur:
            cur.execute(f"set sql_mode = '{MODE}', innodb_lock_wait_timeout = 1, lock_wait_timeout = 1")

    def connect(self):
        self.c = self.server.connect(conv={}, read_timeout=60, user=self.user, client_flag=pymysql.constants.CLIENT.MULTI_STATEMENTS)
        self.sessions[self.name] = self.c

    def disconnect(self, name):
        c = self.sessions.pop(name, None)
        if c and c.open:
            c.close()

    def directive(self, word, arguments):
        """connect or connection; whether it worked."""
        name, _, user, _, database, *_ = [a.strip() for a in arguments.split(",")] + [""] * 5
        if word == "connection":
            self.c, self.name = self.sessions.get(name), name
            return self.c is not None and self.c.open
        before = self.user, self.database
        self.name, self.user, self.database = name, user or "root", database
        try:
            self.connect()
            self.enter()
            return True
        except pymysql.err.Error:
            return False
        finally:
            self.user, self.database = before


def steps(text):
    """Of one file what happens: ("connect", arguments) and the like, ("", statement)."""
    kept = []
    for line in text.splitlines():
        directive = CONNECT.match(line)
        if not kept and directive:
            yield directive[1].lower(), directive[2]
        elif kept or (line.strip() and not re.match(r"\s*(--|#)", line)):
            kept.append(line)
            if line.rstrip().endswith(";"):
                yield from (("", s.strip()) for s in STATEMENT.findall("\n".join(kept)) if s.strip())
                kept = []


def run(path, text, sides, report):
    for s in sides:
        s.begin(re.sub(r"\W", "_", path.removesuffix(".test").replace("/", "__")))
    usable = True
    for word, what in steps(text):
        if word == "disconnect":
            for s in sides:
                s.disconnect(what)
                if s.name == what:
                    usable = s.directive("connection", "default")
        elif word:
            # what a session does that cannot be made on one side is not compared
            usable = all([s.directive(word, what) for s in sides])
        elif usable and not SKIPPED.search(what) and len(what) < 20000:
            answers = [s.run(what) for s in sides]
            report.statement(f"{path} :: {what}", difference(what, *answers, report.metadata), *answers)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--git", required=True)
    options.add_argument("--metadata", action="store_true")
    options.add_argument("--keep")
    options.add_argument("paths", nargs="?", default="")
    options = options.parse_args()
    git = ["git", "-C", options.git]
    files = subprocess.run([*git, "ls-tree", "-r", "--name-only", "HEAD", CASES], capture_output=True, text=True, check=True).stdout.split()
    files = [f for f in files if f.endswith(".test") and not OTHER.search(f) and re.search(options.paths, f)]
    # after this one root has lost its privileges
    files.sort(key=lambda f: "privilege/" in f)
    gms_scripts.EXPLAINED[:] = EXPLAINED
    report = Report(options.metadata, options.keep)
    sides = [Sessions(kind(options=["--innodb-buffer-pool-size=256M"])) for kind in (Server, MySQL)]
    try:
        for f in files:
            text = subprocess.run([*git, "show", f"HEAD:{f}"], capture_output=True, check=True).stdout.decode(errors="replace")
            run(f.removeprefix(CASES), text, sides, report)
    finally:
        for s in sides:
            s.server.stop()
    return report.end(f"{len(files)} files, {report.count} statements")


if __name__ == "__main__":
    sys.exit(main())
