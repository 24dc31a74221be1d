#!/usr/bin/env python3
"""Runs MariaDB's own files of stored programs (main suite of mariadb-test-data), which the rule of mysqltest_choice.py leaves out, against Evenkeel and a real
MySQL (scripts/mysql-peer.sh), and measures those lines that MySQL answers as MariaDB has recorded.

    tests/suites/mysqltest_programs.py [--list] [--timeout S] [--jobs N] [--keep DIR] [--again] [NAME ...]

Without names: every file of `AREA` that needs nothing which a plain server lacks (`NEEDS`); a few lines are changed
before (`EDITS`). What MySQL printed is kept in the cache; `--again` asks it anew.
A file's record, what MySQL and what Evenkeel printed are brought to one spelling as in mysqltest.py; then a line of the record counts when MySQL printed it, too (by
the shortest edit script), and is *equal* when Evenkeel did. *answers*: the same without the lines that are statements, which every server prints alike. *of MySQL*:
how much of all that MySQL printed Evenkeel printed (lines too many count as wrong ones), where MariaDB's record decides nothing.
`--keep DIR` leaves NAME.lost (lines that count and that Evenkeel lacks, by their number in the record), NAME.diff (MySQL's lines beside ours), NAME.mysql
and NAME.evenkeel there.
"""
import argparse
import concurrent.futures
import fnmatch
import functools
import pathlib
import re
import shlex
import subprocess
import tempfile

import mysqltest as mtr
from common import cache
from mysqltest_lines import Outcome, lines_equal, syntax_errors, unordered
from mysqltest_mysql import OPEN

AREA = ["sp", "sp[-_0-9]*", "trigger*", "events_*", "signal*", "get_diagnostics*", "*routine*"]
NEEDS = re.compile(r"^\s*(?:--)?\s*source\s+include/(have_debug\w*|have_log_bin|have_binlog\w*|have_geometry|big_test|is_embedded|restart_mysqld\w*|have_dlopen)\b", re.M | re.I)
# How the files are changed before they run: (name or None, pattern, replacement)
EDITS = [(name, re.compile(p, re.M | re.I), r) for name, p, r in [
    # what a few statements need that MySQL lists otherwise, or not at all
    (None, r"^\s*(?:--)?\s*source\s+include/have_(?:partition|sequence|perfschema)\.inc.*$", ""),
    # MariaDB's client takes the number 65535 for a report of progress and waits for ever
    ("signal", r"^--error \w+\n.*MYSQL_ERRNO = 65535;$", ""),
    # PASSWORD() is gone; without the account the file ends
    ("events_bugs", r"password\('ev1'\)", "'ev1'"),
    # GRANT makes no account
    ("events_bugs", r"^GRANT EVENT ON \*\.\* TO mysqltest_u1@localhost;$", r"--disable_query_log\nCREATE USER mysqltest_u1@localhost;\n--enable_query_log\n\g<0>"),
    ("sp-security", r"^GRANT USAGE ON \*\.\* TO (user19857@localhost IDENTIFIED BY 'meow';)$", r"CREATE USER \1"),
    # nothing is found in MySQL's process list, and mysqltest ends at an empty word
    ("events_processlist", r"^--replace_result \$id id$", ""),
    # many states that only MariaDB has are waited for
    ("sp-lock", r"^--source include/wait_condition\.inc$", r"let $wait_timeout= 2;\n\g<0>"),
    # the rest writes into MariaDB's table of accounts
    ("sp_notembedded", r"^--source include/switch_to_mysql_user\.inc$", "exit;"),
]]
# As MariaDB starts: no events, and somebody without a name may log in
STARTED_WITH = ["--event-scheduler=OFF"]
BEFORE = [*OPEN, "CREATE USER ''@localhost"]


def reason(name):
    """Why a file is not in the choice, or None."""
    need = next((m[1] for text in mtr.texts(name) if (m := NEEDS.search(text))), None)
    return need or (None if (mtr.SUITE / f"main/{name}.result").exists() else "no record")


def options(name):
    """What the file's server is started with."""
    path = mtr.SUITE / f"main/{name}-master.opt"
    return STARTED_WITH + (shlex.split(path.read_text()) if path.exists() else [])


def edited(name, text):
    """The file's text as it runs here."""
    for of, pattern, replacement in EDITS:
        if of in (None, name):
            text = pattern.sub(replacement, text)
    return text


def spelled(lines, known):
    return unordered(mtr.spelled(syntax_errors(lines)), known, mtr.MANUAL)


def common(want, got):
    """The numbers of the lines of `want` that `got` has, by the shortest edit script."""
    with tempfile.TemporaryDirectory() as t:
        for name, lines in (("want", want), ("got", got)):
            pathlib.Path(t, name).write_bytes("".join(l + "\n" for l in lines).encode("latin-1"))
        out = subprocess.run(["diff", "-a", "want", "got"], cwd=t, capture_output=True).stdout.decode("latin-1")
    gone = set()
    for m in re.finditer(r"^(\d+)(?:,(\d+))?[cd]\d+(?:,\d+)?$", out, re.M):
        gone.update(range(int(m[1]) - 1, int(m[2] or m[1])))
    return set(range(len(want))) - gone


def of_mysql(name, timeout, again):
    """What MySQL printed, and how it ended; kept."""
    folder = cache("mysqltest-programs")
    kept, note = folder / f"{name}.mysql", folder / f"{name}.note"
    out = Outcome(name)
    if again or not kept.exists():
        got = mtr.printed(name, "mysql", timeout, out, options(name), BEFORE, functools.partial(edited, name))
        note.write_text(out.note)
        kept.write_bytes("\n".join(got).encode("latin-1"))
    return kept.read_bytes().decode("latin-1").split("\n"), note.read_text()


def one(timeout, keep, again, name):
    """Runs one file on both servers."""
    out = Outcome(name)
    theirs, out.peer = of_mysql(name, timeout, again)
    ours = mtr.printed(name, "evenkeel", timeout, out, options(name), BEFORE, functools.partial(edited, name))
    known = mtr.statement_lines(name)
    record, a, b = (spelled(lines, known) for lines in (mtr.recorded_lines(name), theirs, ours))
    alike = common(record, a)
    had = common(record, mtr.without_zeros(record, b))
    answers = {i for i in alike if record[i].strip().rstrip(";").rstrip() not in known}
    out.lines, out.same = len(alike), len(alike & had)
    out.answers, out.answered = len(answers), len(answers & had)
    out.beside, out.most = lines_equal(a, b, keep / f"{name}.diff" if keep else None)
    out.recorded = len(record)
    if keep:
        (keep / f"{name}.lost").write_text("".join(f"{i + 1}: {record[i]}\n" for i in sorted(alike - had)))
        for who, lines in (("mysql", theirs), ("evenkeel", ours)):
            (keep / f"{name}.{who}").write_bytes("\n".join(lines).encode("latin-1"))
    return out


def total(results):
    """The line of a file, or of all."""
    add = {field: sum(getattr(r, field) for r in results) for field in ("recorded", "lines", "same", "answers", "answered", "beside", "most")}
    share = lambda part, of: f"{100.0 * add[part] / max(add[of], 1):6.2f} %"
    return (f"{share('same', 'lines')} of {add['lines']:6d} of {add['recorded']:6d} lines; answers {share('answered', 'answers')} of {add['answers']:6d}; "
            f"of MySQL {share('beside', 'most')} of {add['most']:6d}")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--list", action="store_true")
    p.add_argument("--again", action="store_true")
    p.add_argument("--timeout", type=float, default=120)
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--keep", type=pathlib.Path)
    p.add_argument("names", nargs="*")
    a = p.parse_args()
    found = sorted(f.stem for f in (mtr.SUITE / "main").glob("*.test") if any(fnmatch.fnmatch(f.stem, pattern) for pattern in AREA))
    if a.list:
        print("\n".join(f"{name}: {reason(name) or 'chosen'}" for name in found))
        return
    if a.keep:
        a.keep.mkdir(parents=True, exist_ok=True)
    mtr.template("mysql")
    results = []
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for r in pool.map(functools.partial(one, a.timeout, a.keep, a.again), a.names or [n for n in found if reason(n) is None]):
            results.append(r)
            print(f"{total([r])}  {r.name}  {r.note}" + (f" (MySQL: {r.peer})" if r.peer else ""), flush=True)
    print(f"{total(results)}  {len(results)} files, {sum(bool(r.note) for r in results)} ended early, of these {sum(bool(r.note and r.peer) for r in results)} on MySQL, too")


if __name__ == "__main__":
    main()
