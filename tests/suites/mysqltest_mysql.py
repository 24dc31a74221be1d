#!/usr/bin/env python3
"""Runs MySQL's own .test files with MySQL's own `mysqltest` against Evenkeel and compares with the results that MySQL recorded, line by line.

    tests/suites/mysqltest_mysql.py --mysql FOLDER [--area programs] [--list] [--rule] [--causes] [--timeout S] [--jobs N] [--keep DIR] [--peer] [NAME ...]

FOLDER is the folder `mysql-test` of a source tree or package of MySQL 8.4 (t, r, include, suite). No file of it is in this repository: it is GPL, and the
user names it. The program `mysqltest` and the files of `std_data` come from the MySQL that scripts/mysql-peer.sh fetched (EVENKEEL_MYSQL).

Without names: all files that pass the rule of choice (`NEEDS`, `OUT` below), of the main suite and the suites of `SUITES`. A name is `NAME` or `SUITE.NAME`.
`--area` takes those of one area (`AREAS`).
`--list` shows the files, `--rule` why the others are out, `--peer` runs them on that real MySQL (a newer one: what it does not repeat is a change since 8.4),
`--causes` the lines that differ, grouped by what they look like.

The rule, for every .test file with a recorded result: it needs nothing that a plain server lacks (debug builds, plugins and components, replication, the binary
log, restarts, other engines and MyISAM as default, other page sizes); at most one line in a hundred of its recorded result makes partitions or uses spatial
values, each; the options of its .opt file are options that Evenkeel knows (else it is skipped and counted). No result of ours decides.

mysqltest ends a file at the first error that was not expected. So the files run from a copy in which errors are not fatal (`--disable_abort_on_error`) and the
commands `--error` before SQL are left out: the text of each error stands in the result, expected or not. Where several errors were allowed the record has
"Got one of the listed errors", which any error in its place equals. The name of the engine and warning 1266 for another than InnoDB do not count
(docs/compat.md: every table is InnoDB). *equal* is after both sides lost what EXPLAIN prints and rows of statements without
ORDER BY were sorted; *raw* before that.
"""
import argparse
import concurrent.futures
import fnmatch
import functools
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

import mysqltest_lines as shared
from common import Server
from lib.servers import MySQL

SUITES = ["json", "gcol", "collations", "sysschema"]
# includes that a file of an area needs for a part of it at most
ANYWAY = re.compile(r"^\s*(?:--)?\s*source\s+include/(?:have_log_bin|have_myisam|not_parallel)\.inc.*$", re.M | re.I)
# `--area NAME`: files whose names match, also with other engines and statements of replication in them
AREAS = {"programs": ["sp", "sp[-_]*", "trigger*", "events*", "signal*", "get_diagnostics*", "*routine*", "*stored*", "*sproc*", "parser_stack", "view_trigger*", "information_schema_r*", "locking_service*", "mysqldump*trigger*", "show_create_*"], "sys": ["sysschema.*"]}
# what a plain server lacks
NEEDS = re.compile(r"^\s*(?:--)?\s*source\s+(?:\./)?(?:include/(?:have_debug\w*|have_log_bin|have_binlog\w*|have_\w*plugin\w*|have_ndb\w*|have_archive|have_blackhole|have_csv|have_example\w*|have_federated|have_merge\w*|"
                   r"have_myisam|force_myisam_default|have_innodb_(?:4|8|32|64)k|have_innodb_max\w*|have_hypergraph|have_case_insensitive\w*|have_lowercase\w*|have_mysql_upgrade|have_\w*udf\w*|have_component\w*|have_keyring\w*|have_validate\w*|have_32bit|have_windows|"
                   r"windows|big_test|require_icu_version|restart_mysqld\w*|shutdown_mysqld|kill_mysqld|start_mysqld\w*|kill_and_restart\w*|expect_crash|force_restart|only_with_option|not_parallel|have_optimizer_trace|have_numa|have_memory_engine_x|have_ssl_x|have_tlsv13|"
                   r"have_plugin_auth|mysql_upgrade\w*|have_grep|rpl/(?!deprecated/not_binlog_format_statement|debug/show_debug_info)\S+|ndb\S*|master-slave|have_lc_messages\w*|binlog\S*|have_no_undo|have_asan|have_valgrind|have_profiling_x|dd_\w+|ctype_utf16\w*|ctype_utf32\w*|ctype_ucs2\w*)|common/\S*|suite/(?!json|gcol|collations|sysschema)\S+)", re.M | re.I)
# what MySQL's own test run starts each server with, where an area's files show it: everything is recorded
CONSUMERS = ["stages-current", "stages-history", "stages-history-long", "statements-cpu", "statements-current", "statements-history", "statements-history-long", "transactions-current", "transactions-history", "transactions-history-long", "waits-current", "waits-history", "waits-history-long"]
STARTED_WITH = {"sysschema": ["--performance-schema-instrument=%=ON", *(f"--performance-schema-consumer-events-{c}=ON" for c in CONSUMERS)]}
# a statement that is out of the measure's scope, by area
OUT = {area: re.compile(pattern, re.M | re.I) for area, pattern in {
    "partitions": r"\bpartition\s+by\s+(?:linear\s+)?(?:hash|key|range|list)\b(?!\s*\()|^\s*\)?.*\bpartition\s+by\s+(?:linear\s+)?(?:hash|key|range|list)\s*(?:columns)?\s*\(",
    "spatial": r"\b(?:geometry|geometrycollection|linestring|multi(?:point|linestring|polygon)|polygon)\b|\bst_\w+\s*\(|\bspatial\s+(?:index|key)|\bpoint\s*\(",
    "replication": r"^\s*(?:--\s*)?(?:change\s+replication|start\s+(?:slave|replica)|stop\s+(?:slave|replica)|show\s+(?:binlog|binary\s+log|replica)|reset\s+(?:binary|replica)|purge\s+binary)|\bbinlog_format\b|\bgtid_\w+",
    "plugins": r"^\s*(?:eval\s+)?(?:un)?install\s+(?:plugin|component)\b|\bSONAME\b|\$\w*(?:PLUGIN|COMPONENT)\w*",
    "engines": r"\bengine\s*=?\s*'?(?:merge|mrg_myisam|archive|blackhole|federated|csv|ndb|ndbcluster|example|performance_schema)\b|\b(?:default|internal_tmp_mem)_storage_engine\s*=\s*'?(?:myisam|memory|heap)",
    "debug": r"\bdebug_sync\b|\bsession\.debug\b|^\s*set\s+(?:@@)?(?:global|session)?[\s.]*debug\b|innodb_\w*debug\w*",
    "programs": r"^\s*(?:--)?\s*(?:exec|perl|system)\b(?!.*\becho\b)|\$MYSQL_CLIENT_TEST|\$MYSQLXTEST|--mysqlx",
}.items()}
# of these one line in a hundred of the recorded result may be
SHARED = ["partitions", "spatial"]
# commands of mysqltest: an --error before them stays
COMMAND = re.compile(r"\s*(?:--|(?:exec|execw|exec_in_background|perl|system|remove_files?\w*|copy_files?\w*|move_file|rmdir|force-rmdir|mkdir|cat_file|diff_files|file_exists|list_files\w*|write_file|append_file|chmod|connect|change_user|ping|send_quit|shutdown_server|query_get_value|reset_connection|send_shutdown|source)\b)", re.I)
EXE = "usr/lib/mysql-test/bin"
# everybody has all rights in `test`, as where mysql-test-run starts the server
OPEN = ["CREATE USER ''@'%' ACCOUNT LOCK", "GRANT ALL ON test.* TO ''@'%'", r"GRANT ALL ON `test\_%`.* TO ''@'%'"]


def error_free(text):
    """The text of a test file in which errors are not fatal."""
    lines, out, once = text.split("\n"), [], False
    for i, line in enumerate(lines):
        if re.match(r"\s*--\s*error\b", line, re.I) or re.match(r"\s*error\s+[\w,\s]+;\s*$", line, re.I):
            following = next((l for l in lines[i + 1:] if l.strip() and not l.lstrip().startswith("#") and not re.match(r"\s*--\s*(?:echo|replace_\w+|disable_\w+|enable_\w+|sorted_result|let|error|vertical_results|horizontal_results|skip_if_hypergraph)\b", l, re.I)), "")
            if not COMMAND.match(following) or re.match(r"\s*--\s*(?:eval|send|query|reap|send_eval|query_vertical)\b", following, re.I):
                out.append("")
                continue
        # warnings that must come are seen in the result; those of one statement, which stands on the next line, are left out
        m = re.match(r"(\s*--\s*(?:disable|enable)_warnings)\s+ER_[\w,]+(\s+ONCE)?", line, re.I)
        if m:
            line, once = m[1], bool(m[2])
        elif once and line.strip():
            line, once = line + "\n--enable_warnings", False
        # there is no binary log, whatever its format
        out.append("" if ANYWAY.match(line) or re.match(r"\s*(?:--)?\s*(?:enable_abort_on_error|source\s+include/rpl/deprecated/not_binlog_format_statement)", line, re.I) else line)
    return "\n".join(without_system_tables(l) for l in out)


# what files write into mysql.db, which can only be read and deleted from here: the accounts' statements in its place, unseen
GRANTED = "--disable_query_log\n" + "".join(f"{sql};\n" for sql in OPEN[1:]) + "--enable_query_log"
DB_ROWS = {"delete from mysql.db where host='%';": "delete from mysql.db where host='%';\n--disable_query_log\nDROP USER ''@'%';\n--enable_query_log",
           # behind an INSERT INTO mysql.user
           "connect (con1, localhost, mysqltest_1,,);": "--disable_query_log\nCREATE USER IF NOT EXISTS mysqltest_1;\n--enable_query_log\nconnect (con1, localhost, mysqltest_1,,);",
           "insert into mysql.db select * from mysql.db_copy;": "--echo insert into mysql.db select * from mysql.db_copy;\n" + GRANTED}


def without_system_tables(line):
    """A line of a test file as it means the same here: rows of mysql.db, and GTIDs, of which there are none."""
    if line.startswith('--replace_result "$my_gtid_set"'):
        return ""
    return DB_ROWS.get(line.strip(), line)


class Suite:
    """MySQL's folder mysql-test and the copy from which the files run."""

    def __init__(self, folder):
        self.folder = folder
        self.copy = None

    def path(self, name, kind):
        suite, _, plain = name.rpartition(".")
        base = self.folder / "suite" / suite if suite else self.folder
        return base / kind / f"{plain}.{'test' if kind == 't' else 'result'}"

    def names(self):
        for suite in ["", *SUITES]:
            base = self.folder / "suite" / suite if suite else self.folder
            for path in sorted(base.glob("t/*.test")):
                if (base / f"r/{path.stem}.result").exists():
                    yield f"{suite}.{path.stem}" if suite else path.stem

    def options(self, name):
        """What the .opt files say: the server's options, and TZ; None when they are not for a plain server."""
        test, words = self.path(name, "t"), []
        for suffix in (".opt", "-master.opt"):
            path = test.with_name(test.stem + suffix)
            if path.exists():
                words += shlex.split("\n".join(l for l in path.read_text(encoding="latin-1").split("\n") if not l.lstrip().startswith("#")))
        if any(test.with_name(test.stem + suffix).exists() for suffix in (".cnf", "-master.sh", ".combinations", "-slave.opt")):
            return None
        zone = next((w.split("=", 1)[1] for w in words if w.startswith("--timezone=")), "GMT-3")
        words = [w for w in words if not w.startswith(("--timezone=", "--testcase-timeout", "--nowarnings", "--skip-log-bin", "--skip_log_bin"))]
        return None if any("$" in w or re.match(r"--(?:loose-)?(?:initialize|debug|mysqlx|force-restart|innodb[-_]page[-_]size|no-console)", w) for w in words) else (words, zone)

    def reason(self, name, area=None):
        """Why a file is not in the choice, or in that of an area; or None."""
        if self.options(name) is None:
            return "options"
        for text in shared.texts(self.path(name, "t"), [self.folder]):
            text = re.sub(r"^\s*#.*$", "", text, flags=re.M)
            need = NEEDS.search(ANYWAY.sub("", text) if area else text)
            if need:
                return need[0].split("/")[-1].strip() if "include" in need[0] else "another suite"
            for out, pattern in OUT.items():
                if out not in [*SHARED, *(["replication", "engines", "programs"] if area else [])] and pattern.search(text):
                    return out
        recorded = self.path(name, "r").read_bytes().decode("latin-1")
        for out in SHARED:
            if 100 * len(OUT[out].findall(recorded)) > recorded.count("\n"):
                return out
        return None

    def prepare(self, folder):
        """Copies the suite so that errors are not fatal."""
        for sub in ("include", "t", *(f"suite/{s}" for s in SUITES)):
            for path in (self.folder / sub).rglob("*"):
                if path.is_file() and "/r/" not in str(path):
                    to = folder / path.relative_to(self.folder)
                    to.parent.mkdir(parents=True, exist_ok=True)
                    text = path.read_bytes().decode("latin-1")
                    if path.suffix in (".test", ".inc", ".pre") and not str(path).endswith("std_data"):
                        text = ("--disable_abort_on_error\n" if path.suffix == ".test" else "") + error_free(text)
                    to.write_bytes(text.encode("latin-1"))
        data = MySQL.folder() / "usr/lib/mysql-test/std_data"
        (folder / "std_data").symlink_to(data)
        self.copy = folder


def environment(suite, server, var, zone):
    root = MySQL.folder()
    client = f"--no-defaults --socket={server.socket} --user=root"
    env = dict(os.environ, LC_ALL="C", LC_COLLATE="C", LC_CTYPE="C", TZ=zone, USER="root", MYSQL_TEST_DIR=str(suite.copy), MYSQL_TEST_DIR_ABS=str(suite.copy), MYSQLTEST_VARDIR=str(var), MYSQLTEST_VARDIR_ABS=str(var),
               MYSQL_TMP_DIR=str(var / "tmp"), DEFAULT_MASTER_PORT="3306", MASTER_MYPORT=str(server.port), MASTER_MYSOCK=server.socket, MASTER_ADMINPORT="33062", MYSQL_CHARSETSDIR=str(root / "usr/share/mysql/charsets"),
               MYSQL_SHAREDIR=str(root / "usr/share/mysql"), MYSQL_BINDIR=str(root / EXE), MYSQL_BASEDIR=str(root / "usr"), MYSQL_BIN_PATH=str(root / EXE), USE_RUNNING_SERVER="0", SECURE_LOAD_PATH=str(suite.copy / "std_data"),
               MYSQLD_DATADIR=str(var / "mysqld.1/data"), MYSQL_LIBDIR=str(root / "usr/lib"), BIG_TEST="", ENGINE="InnoDB", MYSQL_TEST_LOGIN_FILE=str(var / "tmp/.mylogin.cnf"), NUMBER_OF_CPUS="2", MYSQLD_LOG=str(var / "log/mysqld.1.err"),
               MYSQLD_LOG_DIR=str(var / "log"), SERVER_ID="1", HAVE_TRIGGERS="1")
    exe = " ".join(MySQL.program(EXE))
    for key, program in {"MYSQL": "mysql", "MYSQL_DUMP": "mysqldump", "MYSQL_CHECK": "mysqlcheck", "MYSQL_SHOW": "mysqlshow", "MYSQL_IMPORT": "mysqlimport", "MYSQL_SLAP": "mysqlslap", "MYSQL_BINLOG": "mysqlbinlog"}.items():
        env[key] = f"{exe}/{program} {client}" + (" --default-character-set=utf8mb4" if program in ("mysql", "mysqlcheck", "mysqlshow", "mysqlimport") else "")
    env.update(EXE_MYSQL=f"{exe}/mysql", MYSQLADMIN=f"{exe}/mysqladmin", MYSQL_TEST=f"{exe}/mysqltest", MY_PERROR=f"{exe}/perror")
    return env


def listed_errors(want, got):
    """`got` with "Got one of the listed errors" where that was recorded and an error stands in its place."""
    with tempfile.TemporaryDirectory() as t:
        for name, lines in (("want", want), ("got", got)):
            pathlib.Path(t, name).write_bytes("".join(l + "\n" for l in lines).encode("latin-1"))
        hunks = subprocess.run(["diff", "-a", "want", "got"], cwd=t, capture_output=True).stdout.decode("latin-1")
    got = list(got)
    for m in re.finditer(r"^(\d+)(?:,(\d+))?c(\d+)(?:,(\d+))?$", hunks, re.M):
        a, b = range(int(m[1]) - 1, int(m[2] or m[1])), range(int(m[3]) - 1, int(m[4] or m[3]))
        listed = [i for i in a if want[i].startswith("Got one of the listed errors")]
        errors = [i for i in b if got[i].startswith("ERROR ")]
        if listed and len(a) == len(b):
            errors = [j for i, j in zip(a, b) if i in listed and j in errors]
        for _, j in zip(listed, errors):
            got[j] = "Got one of the listed errors"
    return got


# plans, the cost of plans, other engines
PLAN = re.compile(r"^(?:Note\t1003\t|Last_query_cost\t|Last_query_partial_plans\t|Warning\t1266\tUsing storage engine InnoDB )")
ENGINE = re.compile(r"\bENGINE=(?:InnoDB|MyISAM|MEMORY|HEAP|default_engine)\b", re.I)


def measured(want, got, known, keep=None):
    """(equal lines, lines that count) without plans, with unsorted rows sorted."""
    a, b = (shared.unordered([ENGINE.sub("ENGINE=*", l) for l in shared.syntax_errors(lines) if not PLAN.match(l)], known, within=False) for lines in (want, got))
    a, b = ([l for i, l in enumerate(side) if not (l == "Warnings:" and i + 1 < len(side) and "\t" not in side[i + 1])] for side in (a, b))
    return shared.lines_equal(a, listed_errors(a, b), keep)


def execute(suite, name, server, var, timeout, zone, out):
    """Runs mysqltest; the lines that it printed."""
    result = var / "out.result"
    command = [*MySQL.program(f"{EXE}/mysqltest"), "--no-defaults", "--silent", f"--socket={server.socket}", "--user=root", "--database=test", "--default-character-set=utf8mb4", f"--tmpdir={var}/tmp", f"--logdir={var}/log",
               f"--character-sets-dir={MySQL.folder()}/usr/share/mysql/charsets", "--record", f"--result-file={result}", f"--test-file={suite.copy / suite.path(name, 't').relative_to(suite.folder)}"]
    try:
        done = subprocess.run(command, cwd=suite.copy, env=environment(suite, server, var, zone), capture_output=True, timeout=timeout, stdin=subprocess.DEVNULL)
        if done.returncode == 62:
            out.note = "skipped"
        elif done.returncode:
            out.note = (done.stdout + done.stderr).decode("latin-1").strip().replace("\n", " ")[:200]
    except subprocess.TimeoutExpired:
        out.note = f"more than {timeout:g} s"
    if not server.alive():
        out.note = "SERVER DIED " + server.log_tail(300).replace("\n", " ")
    # where mysqltest ended early, what it had until then is in a log
    for path in (result, *(var / "log").glob("*.log")):
        text = path.read_bytes().decode("latin-1").rstrip("\n") if path.exists() else ""
        if text:
            return text.split("\n")
    return []


def in_zone(kind, zone):
    """The kind of server with TZ set."""
    class Zoned(kind):
        def command(self):
            return ["env", f"TZ={zone}", *super().command()]
    return Zoned


def one(suite, kind, timeout, keep, name):
    """Runs one file on a fresh server."""
    out = shared.Outcome(name)
    options, zone = suite.options(name) or ([], "GMT-3")
    recorded = suite.path(name, "r").read_bytes().decode("latin-1").rstrip("\n").split("\n")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ek-mtr-"))
    var = folder / "var"
    for sub in ("tmp", "log", "run", "mysqld.1"):
        (var / sub).mkdir(parents=True)
    if any("std_data" in t for t in shared.texts(suite.path(name, "t"), [suite.folder])):
        subprocess.run(["cp", "-r", "--reflink=auto", MySQL.folder() / "usr/lib/mysql-test/std_data", var / "std_data"], check=True)
    server = in_zone(kind, zone)(var / "mysqld.1", [f"--secure-file-priv={var}", *STARTED_WITH.get(name.rpartition(".")[0], []), *options])
    got = []
    try:
        try:
            server.start()
        except RuntimeError as e:
            out.note = "skipped: " + str(e).strip().replace("\n", " ")[-120:]
            return out
        with server.connect() as c, c.cursor() as cur:
            for sql in ("DROP DATABASE IF EXISTS test", "CREATE DATABASE test", "CREATE DATABASE mtr", "CREATE TABLE mtr.test_suppressions (pattern VARCHAR(255))", "CREATE PROCEDURE mtr.add_suppression(pattern VARCHAR(255)) INSERT INTO mtr.test_suppressions VALUES (pattern)", *OPEN):
                cur.execute(sql)
        got = execute(suite, name, server, var, timeout, zone, out)
        try:
            server.stop(20)
        except subprocess.TimeoutExpired:
            out.note += " (does not stop)"
    finally:
        if server.process is not None and server.alive():
            server.kill()
        shutil.rmtree(folder, ignore_errors=True)
    got = [l.replace(str(var), "MYSQLTEST_VARDIR").replace(str(suite.copy), "MYSQL_TEST_DIR") for l in shared.without_remarks(got)]
    if keep:
        (keep / f"{name}.result").write_bytes(("\n".join(got) + "\n").encode("latin-1"))
    known = shared.statement_lines(suite.path(name, "t"), [suite.folder])
    raw, total = shared.lines_equal(recorded, got)
    out.same, out.lines = measured(recorded, got, known, keep / f"{name}.diff" if keep else None)
    out.raw = raw * out.lines / total if total else 0
    return out


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--mysql", type=pathlib.Path, required=True)
    for flag in ("--list", "--rule", "--causes", "--peer"):
        p.add_argument(flag, action="store_true")
    p.add_argument("--area", choices=sorted(AREAS))
    p.add_argument("--timeout", type=float, default=60)
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--keep", type=pathlib.Path)
    p.add_argument("names", nargs="*")
    a = p.parse_args()
    suite = Suite(a.mysql.resolve())
    if a.rule:
        for name in suite.names():
            print(f"{name}: {suite.reason(name) or 'chosen'}")
        return 0
    names = a.names or [n for n in suite.names() if (a.area is None or any(fnmatch.fnmatch(n, pattern) for pattern in AREAS[a.area])) and suite.reason(n, a.area) is None]
    if a.list:
        print("\n".join(names))
        return 0
    work = pathlib.Path(tempfile.mkdtemp(prefix="ek-mtr-suite-"))
    if a.keep is None and a.causes:
        a.keep = work / "keep"
    if a.keep:
        a.keep.mkdir(parents=True, exist_ok=True)
    try:
        suite.prepare(work / "mysql-test")
        run(suite, a, names)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


def run(suite, a, names):
    results = []
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for r in pool.map(functools.partial(one, suite, MySQL if a.peer else Server, a.timeout, a.keep), names):
            results.append(r)
            print(f"{r.percent(r.same):6.1f} %  (raw {r.percent(r.raw):5.1f})  {r.lines:6d} lines  {r.name}  {r.note}", flush=True)
    for part in ["", *SUITES]:
        some = [r for r in results if r.name.rpartition(".")[0] == part]
        total = sum(r.lines for r in some)
        if some:
            print(f"{part or 'main'}: {len(some)} files ({sum(r.note.startswith('skipped') for r in some)} skipped, {sum(bool(r.note) and not r.note.startswith('skipped') for r in some)} ended early), {total} lines, "
                  f"{100.0 * sum(r.same for r in some) / max(total, 1):.2f} % equal (raw {100.0 * sum(r.raw for r in some) / max(total, 1):.2f} %)")
    if a.causes:
        for count, shape, files in shared.causes(a.keep, [r.name for r in results if (a.keep / f"{r.name}.diff").exists()])[:100]:
            print(f"{count:6d}  {shape}  ({len(files)}: {', '.join(files[:3])})")


if __name__ == "__main__":
    raise SystemExit(main())
