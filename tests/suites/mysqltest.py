#!/usr/bin/env python3
"""Runs Debian's `mysqltest` on main-suite .test files of mariadb-test-data against Evenkeel and compares the results line by line.

    tests/suites/mysqltest.py [--list] [--peer] [--causes] [--timeout S] [--jobs N] [--keep DIR] [--update] [NAME ...]

Without names: the files of mysqltest.list. `--list` only shows them. `--peer` runs them on MariaDB instead. `--keep DIR` leaves NAME.result
and NAME.diff of every file there. `--update` writes the percentages into mysqltest.list.

Two percentages are shown for each file. *raw*: lines of the recorded result that came out the same. *equal*: the same after both sides were
brought to one spelling where MySQL 8.4 and MariaDB are documented to print differently (`SPELLING` below: the name of the engine, display
widths of integers, the product's name ...), without what EXPLAIN prints (MySQL 8.4 has two columns more, another planner and no EXTENDED), and with the rows of a
statement that has no ORDER BY sorted. Lines that are too many count as wrong ones. `--causes` shows the lines that differ, grouped by what they look like.

A file gets a server of its own with the options that mysql-test-run gives: latin1, local_infile, no ONLY_FULL_GROUP_BY and no
NO_ZERO_DATE, the databases `test` and `mtr`. A statement that fails unexpectedly does not end the file (`--continue-on-error`).
The .test and .result files are GPL: they come from the Debian packages mariadb-test and mariadb-test-data, installed or unpacked into the cache.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import mysqltest_lines as lines
from common import HERE, SERVERS, cache, run
from mysqltest_lines import Outcome, causes, lines_equal, syntax_errors, unordered, without_remarks

LIST = HERE / "mysqltest.list"
MODE = "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"
# MariaDB cuts fractions of seconds where MySQL rounds
OPTIONS = {
    "evenkeel": ["--character-set-server=latin1", "--collation-server=latin1_swedish_ci", "--local-infile=1", f"--sql-mode={MODE},TIME_TRUNCATE_FRACTIONAL"],
    # InnoDB, because the order of unsorted rows is the engine's
    "mariadb": ["--character-set-server=latin1", "--local-infile=1", "--default-storage-engine=innodb", "--key-buffer-size=1M",
                "--sort-buffer-size=256K", "--max-heap-table-size=1M", "--innodb-buffer-pool-size=8M", "--performance-schema=on"],
    "mysql": ["--character-set-server=latin1", "--collation-server=latin1_swedish_ci", "--local-infile=1", f"--sql-mode={MODE},TIME_TRUNCATE_FRACTIONAL"],
}
DEFAULT_COLLATION = {"latin1": "latin1_swedish_ci", "utf8mb4": "utf8mb4_0900_ai_ci", "swe7": "swe7_swedish_ci", "big5": "big5_chinese_ci", "sjis": "sjis_japanese_ci", "cp932": "cp932_japanese_ci",
                     "ujis": "ujis_japanese_ci", "eucjpms": "eucjpms_japanese_ci", "euckr": "euckr_korean_ci", "gb2312": "gb2312_chinese_ci", "gbk": "gbk_chinese_ci", "tis620": "tis620_thai_ci",
                     "latin5": "latin5_turkish_ci", "dec8": "dec8_swedish_ci", "hp8": "hp8_english_ci", "binary": "binary"}
# Where MySQL 8.4's manual prints something else than MariaDB 10.11: (pattern, replacement), applied to both sides; None drops the line.
SPELLING = [(re.compile(p, re.I), r) for p, r in [
    (r"\bENGINE=(InnoDB|MyISAM|MEMORY|HEAP|Aria)\b( TRANSACTIONAL=1)?", "ENGINE=*"),
    (r"\b(tiny|small|medium|big)?int\((?:[0-9]+)\)(?! zerofill| unsigned zerofill)", r"\1int"),
    (r"\byear\(4\)", "year"),
    (r"MariaDB", "MySQL"),
    (r"\bcurrent_timestamp\((\d*)\)", lambda m: "CURRENT_TIMESTAMP" + (f"({m[1]})" if m[1] else "")),
    (r"DEFAULT '?(-?[0-9.]+)'?(?=[ ,]|$)", r"DEFAULT '\1'"),
    (r"CHARSET=(latin1 COLLATE=latin1_swedish_ci|utf8mb3 COLLATE=utf8mb3_general_ci)", lambda m: "CHARSET=" + m[1].split()[0]),
    (r"\bCHARSET=utf8mb4 COLLATE=utf8mb4_(general_ci|0900_ai_ci)", "CHARSET=utf8mb4"),
    (r"^(Warning|Note)\t1266\t.*", None),
    (r"\b(Unknown column '[^']*' in )'[^']*'", r"\1''"),
    (r"\b(Column '[^']*' in ).*( is ambiguous)$", r"\1''\2"),
    (r" for column `[^`]*`\.`[^`]*`\.`([^`]*)`", r" for column '\1'"),
    # 1366 is HY000, not 22007; the column of a value that does not fit is named or not
    (r"^ERROR (?:22007|HY000)(: Incorrect \w+ value: .*)", r"ERROR 22007\1"),
    (r"^(Warning\t|Note\t|ERROR )(1292|22007)(.*) for column '[^']*' at row \d+$", r"\1\2\3"),
    # the full stop at the end of a message, "for column 'a'" where MariaDB has "for 'a'", the scale in 1425
    (r"^(ERROR \w+: .*[^.])\.$", r"\1"),
    (r"^(ERROR 42000: (?:Display width out of range|Too big (?:scale|precision))).*?( for) (?:column )?'", r"\1\2 '"),
    (r"^(ERROR 42000: Too big (?:scale|precision)) -?\d+ specified", r"\1 specified"),
    (r"^(ERROR 42000: Too big (?:scale|precision))( specified)? for", r"\1 for"),
    # 3819 (MySQL) and 4025 (MariaDB)
    (r"^ERROR (?:23000: CONSTRAINT `([^`]*)` failed for .*|HY000: Check constraint '([^']*)' is violated)", lambda m: f"ERROR HY000: Check constraint '{m[1] or m[2]}'"),
    # 1140 and 1055 with ONLY_FULL_GROUP_BY: MySQL names the expression
    (r"^ERROR 42000: (?:Mixing of GROUP columns|In aggregated query without GROUP BY).*", "ERROR 42000: Mixing of GROUP columns"),
    # MySQL prints the operators in an expression out of range with their parentheses, MariaDB only where they are needed
    (r"^((?:ERROR \w+:|Error\t1690\t).* value is out of range in ')(.*)'$", lambda m: m[1] + re.sub(r"[()`]", "", m[2]).replace("test.", "") + "'"),
    # LOG of a negative number: 3020 in MySQL
    (r"^Warning\t3020\tInvalid argument for logarithm$", "Warning\t1365\tDivision by 0"),
    (r"^ERROR 2201E: Invalid argument for logarithm", "ERROR 22012: Division by 0"),
    # the collation beside CHARACTER SET when it is the set's default
    (r"\bCHARACTER SET (\w+) COLLATE (\w+)", lambda m: f"CHARACTER SET {m[1]}" + ("" if m[2] == DEFAULT_COLLATION.get(m[1], m[1] + "_general_ci") else f" COLLATE {m[2]}")),
    (r"^ERROR HY000: Illegal parameter data type row for operation .*", "ERROR 21000: Operand should contain 1 column(s)"),
    # counters that MySQL does not have, or whose meaning is another there
    (r"^(Handler_(?:tmp|icp)_\w+|Created_tmp_\w+|Subquery_cache_\w+|Last_query_cost)\t", None),
    # a text compared with a DECIMAL is compared as DOUBLE in MySQL
    (r"^(Warning|Note)(\t1292\tTruncated incorrect )DECIMAL( value)", r"\1\2DOUBLE\3"),
    # a text that is no number for a FLOAT or DOUBLE column: 1265 in MySQL, 1366 in MariaDB
    (r"^(?:ERROR 22007: Incorrect (?:double|float) value: '.*'|ERROR 01000: Data truncated for column '.*)$", "ERROR 01000: Data truncated"),
    (r"^Warning\t(?:1366\tIncorrect (?:double|float) value: '.*' for|1265\tData truncated for) column '(.*)' at row (\d+)$", r"Warning\t1265\tData truncated for column '\1' at row \2"),
    (r"^ERROR 42000: (?:'([^']*)' isn't in GROUP BY|Expression #\d+ of .* contains nonaggregated column '([^']*)'.*)", lambda m: f"ERROR 42000: '{m[1] or m[2]}' isn't in GROUP BY"),
    (r"^ERROR HY000: Illegal parameter data types? \w+ and row for operation .*", "ERROR 21000: Operand should contain 1 column(s)"),
    # the text of views has MySQL's parentheses
    (r"^.*\tCREATE ALGORITHM=.* VIEW .*", lambda m: re.sub(r"[() ]", "", m[0])),
    (r"^ERROR HY000: (?:Table '([^']*)' is specified twice, both as a target for '\w+' and as a separate source for data|You can't specify target table '([^']*)' for update in FROM clause)", lambda m: f"ERROR HY000: target {m[1] or m[2]}"),
    (r"^(ERROR HY000: Illegal mix of collations .*,COERCIBLE\)) and .*", r"\1"),
    # what only MySQL calls deprecated
    (r"^Warning\t(?:1287|1681|3090|3135|3719|3720|3778|4079)\t", None),
    # notes that only MariaDB gives
    (r"^Note\t1105\t(Cannot use key|Cast to (?:un)?signed converted)", None),
    (r"^\S+\tanalyze\tstatus\tEngine-independent statistics collected", None),
    (r"for key '\w+\.(\w+)'", r"for key '\1'"),
    (r"^(Warning|Note)\t1831\tDuplicate index [`'](\w+)['`].*", r"Note\t1831\t\2"),
]]


# a column of CREATE TABLE ... SELECT that cannot be NULL has its type's zero as default in MySQL, none in MariaDB
ZERO = r"(?:0|0\.0+|0000-00-00(?: 00:00:00(?:\.0+)?)?|00:00:00(?:\.0+)?|0000|)"
ZEROS = [(re.compile(rf" NOT NULL DEFAULT '{ZERO}'"), " NOT NULL"), (re.compile(rf"^([^\t]+\t[^\t]+\tNO\t\w*\t){ZERO}(\t[^\t]*)$"), r"\1NULL\2")]
def suite():
    """Folder mysql-test and the program mysqltest, installed or out of the packages."""
    installed = pathlib.Path("/usr/share/mysql/mysql-test")
    if (installed / "main").is_dir() and shutil.which("mysqltest"):
        return installed, "mysqltest"
    folder = cache("mariadb-test")
    if not (folder / "usr/share/mysql/mysql-test/main").is_dir() or not list(folder.glob("usr/lib/*/libpcre2-posix.so.3")):
        # the library is one that the program needs and a plain system lacks
        for package in ("mariadb-test", "mariadb-test-data", "libpcre2-posix3"):
            run("apt-get", "download", package, cwd=folder)
        for package in folder.glob("*.deb"):
            run("dpkg-deb", "-x", package, folder)
    return folder / "usr/share/mysql/mysql-test", str(folder / "usr/bin/mysqltest")


SUITE, PROGRAM = suite()


def spelled(lines):
    out = []
    for line in lines:
        for pattern, replacement in SPELLING:
            if replacement is None:
                if pattern.search(line):
                    break
            else:
                line = pattern.sub(replacement, line)
        else:
            out.append(line)
    # a heading whose lines are all gone
    return [l for i, l in enumerate(out) if not (l == "Warnings:" and i + 1 < len(out) and "\t" not in out[i + 1])]


def texts(name):
    """The .test file and the files that it includes."""
    return lines.texts(SUITE / f"main/{name}.test", [SUITE])


def statement_lines(name):
    """The lines of a .test file and what it includes, as they may appear in a result."""
    return lines.statement_lines(SUITE / f"main/{name}.test", [SUITE])


# What the manual of MySQL 8.4 has otherwise in the output of some statements: (statement, pattern, replacement), applied to both sides
MANUAL = [(re.compile(s, re.I | re.S), re.compile(p, re.I), r) for s, p, r in [
    # the deviations and variances are DOUBLE in MySQL; MariaDB prints them with the digits of a DECIMAL
    # SHOW INDEX: Visible and Expression in MySQL, Ignored in MariaDB
    (r"^show\s+(extended\s+)?(index|indexes|keys)\b", r"(\t[^\t]*\t[^\t]*)\t(?:(?:YES|NO|Visible)\t(?:NULL|Expression|[^\t]*)|NO|YES|Ignored)$", r"\1"),
    # metadata of expressions: no original name, integers are LONGLONG, no numeric flag in text
    (r"", r"^(def\t[^\t]*\t\t\t)[^\t]*(\t[^\t]*\t)(\d+)(\t.*\t[YN]\t)\d+(\t\d+\t\d+)$", lambda m: m[1] + m[2] + ("8" if m[3] == "3" else m[3]) + m[4] + m[5]),
    (r"\b(std|stddev|stddev_pop|stddev_samp|variance|var_pop|var_samp)\s*\(", r"(?<![\w.:'-])-?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.:'-])", lambda m: f"{float(m[0]):.3g}"),
]]


def without_zeros(want, got):
    """What we print without the zero defaults of CREATE TABLE ... SELECT, where that is what was recorded."""
    recorded = set(want)

    def plain(line):
        for pattern, replacement in ZEROS:
            without = pattern.sub(replacement, line)
            if without != line and line not in recorded and without in recorded:
                return without
        return line
    return [plain(line) for line in got]


def template(kind):
    """The empty data directory of MariaDB or MySQL, made once in the cache."""
    if kind == "mysql":
        folder = cache("mysql-data")
        if not (folder / "data/mysql.ibd").exists():
            server = SERVERS["mysql"](folder).start()
            server.stop(60)
        return folder / "data"
    if kind != "mariadb":
        return None
    folder = cache("mariadb-data")
    if not (folder / "data/mysql").is_dir():
        folder.chmod(0o755)
        run("mariadb-install-db", "--no-defaults", f"--datadir={folder}/data", "--auth-root-authentication-method=normal")
    return folder / "data"


def environment(server, var):
    sock = f"--socket={server.socket}"
    client = f"--no-defaults {sock} -uroot"
    tool = {"MYSQL": "mariadb --default-character-set=latin1", "MYSQL_DUMP": "mariadb-dump", "MYSQLADMIN": "mariadb-admin", "MYSQL_SHOW": "mariadb-show",
            "MYSQL_CHECK": "mariadb-check", "MYSQL_IMPORT": "mariadb-import", "MYSQL_SLAP": "mariadb-slap", "MYSQL_UPGRADE": "mariadb-upgrade"}
    env = dict(os.environ, LC_ALL="C", TZ="GMT-3", USER="root", MYSQL_TEST_DIR=str(SUITE), MYSQLTEST_VARDIR=str(var), MYSQL_TMP_DIR=str(var / "tmp"), DEFAULT_MASTER_PORT="3306",
               MASTER_MYPORT=str(server.port), MASTER_MYPORT1=str(server.port), MASTER_MYSOCK=server.socket, MYSQL_CHARSETSDIR="/usr/share/mysql/charsets", MYSQL_SHAREDIR="/usr/share/mysql", MYSQL_BINDIR="/usr",
               BIG_TEST="", STAGING_RUN="0", USE_RUNNING_SERVER="0", MYSQL_TEST=PROGRAM, EXE_MYSQL="mariadb", EXE_MYSQLTEST=PROGRAM, MYSQL_MY_PRINT_DEFAULTS="/usr/bin/my_print_defaults", MTR_PERL="/usr/bin/perl", SECURE_LOAD_PATH=str(SUITE / "std_data"), MYSQL_LIBDIR="/usr")
    libraries = sorted(str(p.parent) for p in cache("mariadb-test").glob("usr/lib/*/libpcre2-posix.so.3"))
    if libraries:
        env["LD_LIBRARY_PATH"] = ":".join(libraries)
    for key, value in tool.items():
        program, *rest = value.split()
        env[key] = " ".join([f"/usr/bin/{program}", client, *rest])
    return env


def recorded_lines(name):
    """The lines of the recorded result."""
    return (SUITE / f"main/{name}.result").read_bytes().decode("latin-1").rstrip("\n").split("\n")


def printed(name, kind, timeout, out, options=(), before=(), edit=None):
    """Runs one file on a fresh server, `before` first: what mysqltest printed. How it ended is left in `out`. `edit` changes the file's text."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ek-mtr-"))
    folder.chmod(0o755)
    var = folder / "var"
    for sub in ("tmp", "log", "run"):
        (var / sub).mkdir(parents=True)
    server = SERVERS[kind](folder, [*OPTIONS[kind], f"--secure-file-priv={var}", *options])
    try:
        if kind == "mariadb":
            subprocess.run(["cp", "-a", template(kind), folder / "data"], check=True)
            for path in (folder, folder / "data", var):
                shutil.chown(path, "mysql") if path == folder else subprocess.run(["chown", "-R", "mysql", path], check=True)
            for path in (var, var / "tmp"):
                path.chmod(0o777)
        if kind == "mysql":
            subprocess.run(["cp", "-a", "--reflink=auto", template(kind), folder / "data"], check=True)
        server.start()
        try:
            with server.connect() as c, c.cursor() as cur:
                for sql in ("DROP DATABASE IF EXISTS test", "CREATE DATABASE test", "CREATE DATABASE mtr", "CREATE TABLE mtr.test_suppressions (pattern VARCHAR(255))",
                            "CREATE PROCEDURE mtr.add_suppression(pattern VARCHAR(255)) INSERT INTO mtr.test_suppressions VALUES (pattern)", *before):
                    try:
                        cur.execute(sql)
                    except Exception as e:
                        if "PROCEDURE" not in sql:
                            raise e
            result = var / "out.result"
            test = SUITE / f"main/{name}.test"
            text = test.read_bytes().decode("latin-1")
            if edit and edit(text) != text:
                test = var / f"{name}.test"
                test.write_bytes(edit(text).encode("latin-1"))
            command = [PROGRAM, "--no-defaults", "--silent", f"--socket={server.socket}", "--user=root", "--skip-ssl", "--database=test", f"--tmpdir={var}/tmp", f"--logdir={var}/log",
                       "--character-sets-dir=/usr/share/mysql/charsets", "--continue-on-error", "--record", f"--result-file={result}", f"--test-file={test}",
                       "--max-connect-retries=5", "--connect-timeout=10"]
            try:
                done = subprocess.run(command, cwd=SUITE, env=environment(server, var), capture_output=True, timeout=timeout, stdin=subprocess.DEVNULL)
                text = (done.stdout + done.stderr).decode("latin-1").strip()
                if done.returncode == 62:
                    out.note = "skipped"
                elif done.returncode:
                    out.note = text.replace("\n", " ")[-150:]
            except subprocess.TimeoutExpired:
                out.note = f"more than {timeout} s"
            if not server.alive():
                out.note = "SERVER DIED " + server.log_tail(300).replace("\n", " ")
            got = result.read_bytes().decode("latin-1").rstrip("\n").split("\n") if result.exists() else []
            # where mysqltest gives up it writes what it has beside the log of the result file's name
            if not got and (var / "log/out.log").exists():
                got = (var / "log/out.log").read_bytes().decode("latin-1").rstrip("\n").split("\n")
        finally:
            if kind == "mariadb":
                server.kill()
            else:
                try:
                    server.stop(10)
                except subprocess.TimeoutExpired:
                    out.note += " (does not stop)"
                    server.kill()
    finally:
        if server.process is not None and server.alive():
            server.kill()
        shutil.rmtree(folder, ignore_errors=True)
    got = without_remarks(got)
    # what the paths of this run look like in the recorded results
    return [l.replace(str(var), "MYSQLTEST_VARDIR").replace(str(SUITE), "MYSQL_TEST_DIR") for l in got]


def one(name, kind, timeout, keep):
    """Runs one file on a fresh server and compares with what was recorded."""
    out = Outcome(name)
    recorded = recorded_lines(name)
    got = printed(name, kind, timeout, out)
    if keep:
        (keep / f"{name}.result").write_bytes("\n".join(got).encode("latin-1"))
    raw, total = lines_equal(recorded, got)
    known = statement_lines(name)
    a, b = (unordered(spelled(syntax_errors(some)), known, MANUAL) for some in (recorded, got))
    b = without_zeros(a, b)
    same, most = lines_equal(a, b, keep / f"{name}.diff" if keep else None)
    out.lines, out.raw, out.same = most, raw * most / total if total else 0, same
    return out


def read_list():
    rows = {}
    for line in LIST.read_text().splitlines() if LIST.exists() else []:
        if line and not line.startswith("#"):
            name, *percent = line.split()
            rows[name] = float(percent[0]) if percent else None
    return rows


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--list", action="store_true")
    p.add_argument("--peer", action="store_true")
    p.add_argument("--causes", action="store_true")
    p.add_argument("--update", action="store_true")
    p.add_argument("--timeout", type=float, default=60)
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--keep", type=pathlib.Path)
    p.add_argument("names", nargs="*")
    a = p.parse_args()
    listed = read_list()
    names = a.names or list(listed)
    if a.list:
        for name in names:
            print(f"{listed.get(name) or 0:6.1f}  {name}")
        return 0
    if a.causes and not a.keep:
        a.keep = pathlib.Path(tempfile.mkdtemp(prefix="ek-mtr-causes-"))
    if a.keep:
        a.keep.mkdir(parents=True, exist_ok=True)
    if a.peer:
        template("mariadb")
    results = []
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for r in pool.map(lambda n: one(n, "mariadb" if a.peer else "evenkeel", a.timeout, a.keep), names):
            results.append(r)
            print(f"{r.percent(r.same):6.1f} %  (raw {r.percent(r.raw):5.1f})  {r.lines:6d} lines  {r.name}  {r.note}", flush=True)
    total = sum(r.lines for r in results)
    print(f"total: {len(results)} files, {total} lines, {100.0 * sum(r.same for r in results) / max(total, 1):.2f} % equal "
          f"(raw {100.0 * sum(r.raw for r in results) / max(total, 1):.2f} %)")
    for count, shape, files in causes(a.keep, names)[:100] if a.causes else []:
        print(f"{count:6d}  {shape}  ({len(files)}: {', '.join(files[:3])})")
    if a.update and not a.peer:
        listed.update({r.name: round(r.percent(r.same), 1) for r in results})
        head = [l for l in LIST.read_text().splitlines() if l.startswith("#")] if LIST.exists() else []
        LIST.write_text("\n".join(head + [f"{n} {v if v is not None else 0}" for n, v in sorted(listed.items())]) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
