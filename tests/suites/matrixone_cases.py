#!/usr/bin/env python3
"""The statements of MatrixOne's distributed tests (out of its git repository), run on Evenkeel and on a real MySQL (scripts/mysql-peer.sh) side by side.

    tests/suites/matrixone_cases.py --git DIR [--metadata] [--keep FILE] [REGEX-OF-PATHS]

MatrixOne speaks MySQL's dialect; its own recorded answers are not used: what MySQL answers is right. A file is a list of statements, ended by `;`; comments and
directives of its runner are dropped, and so are files about what only MatrixOne has (OTHER). Compared is what gms_scripts.py compares; a statement that
both refuse, or only one of them as not supported, is no difference. Exit code 1 when something differs that EXPLAINED does not name.
"""
import argparse
import re
import subprocess
import sys

import gms_scripts
from gms_scripts import Report, both, difference

CASES = "test/distributed/cases"
# folders about MatrixOne's own
# recursive_cte_memory has a query that no server ends
OTHER = re.compile(r"recursive_cte_memory|/(git4data|snapshot|pessimistic_transaction|vector|tenant|zz_\w+|optimistic|load_data|fulltext2?|log|disttae|publication_subscription|stage|array|pitr|sequence|geo"
                   r"|feature_limit|procedure|util|statement_query_type|metadata|datastream|mo_cloud|task|udf|sample|time_window|tenxcloud_xx|plugin|benchmark|system|security)/")
STATEMENT = re.compile(r"""(?:'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`[^`]*`|/\*.*?\*/|[^;'"`])+""", re.S)
# statements that only MatrixOne has, or that end a session's usefulness
SKIPPED = re.compile(r"^\s*(create|drop|alter|show|use|use role|grant|revoke)?\s*(account|role|publication|subscription|snapshot|stage|sequence|stream|source|dynamic|cdc|pitr|connector)\b|mo_ctl|mo_catalog|system_metrics"
                     r"|\bdecimal128|uuid\b|vecf|`?mysql`?\.|show index|show keys|\bgeometry|\bpoint\b|st_\w+\(|partition by|cluster by|sleep\(|\bkill\b|shutdown", re.I)
EXPLAINED = gms_scripts.EXPLAINED + [
    (r"", r"doesn't yet support", "not built yet (docs/compat.md)"),
]


def statements(text):
    lines = [x for x in text.splitlines() if not re.match(r"\s*(--|#)", x)]
    return [s.strip() for s in STATEMENT.findall("\n".join(lines)) if s.strip()]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--git", required=True)
    options.add_argument("--metadata", action="store_true")
    options.add_argument("--keep")
    options.add_argument("paths", nargs="?", default="")
    options = options.parse_args()
    git = ["git", "-C", options.git]
    files = subprocess.run([*git, "ls-tree", "-r", "--name-only", "HEAD", CASES], capture_output=True, text=True, check=True).stdout.split()
    files = [f for f in files if f.endswith((".sql", ".test")) and not OTHER.search(f) and re.search(options.paths, f)]
    gms_scripts.EXPLAINED[:] = EXPLAINED
    report = Report(options.metadata, options.keep)
    sides = both()
    try:
        for f in files:
            text = subprocess.run([*git, "show", f"HEAD:{f}"], capture_output=True, check=True).stdout.decode(errors="replace")
            for s in sides:
                s.fresh()
            for q in statements(text):
                if SKIPPED.search(q) or len(q) > 20000:
                    continue
                answers = [s.run(q) for s in sides]
                report.statement(f"{f.removeprefix(CASES + '/')} :: {q}", difference(q, *answers, report.metadata), *answers)
    finally:
        for s in sides:
            s.server.stop()
    return report.end(f"{len(files)} files, {report.count} statements")


if __name__ == "__main__":
    sys.exit(main())
