#!/usr/bin/env python3
"""MySQL's own test program of its C client library, against Evenkeel and a real MySQL (scripts/mysql-peer.sh --tests).

    tests/suites/mysql_c_client.py [--log] [TEST ...]

Runs each test of `mysql_client_test` in a process of its own on both servers and prints those that do not pass here; `--log` adds the last statements of
each. Known differences: [`EXPLAINED`]. Exit code 1 if another one fails that MySQL passes.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import MySQL, Server  # noqa: E402

PROGRAM = "usr/lib/mysql-test/bin/mysql_client_test"
EXPLAINED = {
    "test_cursor_for_show": "the server is started without a binary log (1381)",
    **dict.fromkeys(["test_wl12542", "test_bug32847269"], "INSTALL COMPONENT"),
    "test_prepare_text_and_digest": "performance_schema.events_statements_history_long",
    "test_prepare_grant": "mysql.user is a view: DELETE from it is refused",
    "test_mysql_insert_id": "asks for MyISAM, whose rows stay when a statement fails",
    "test_mysql_binlog": "no binary log",
    "test_version_with_update_client_api": "VERSION_WITH_UPDATE() is newer than 8.4",
    "test_wl5928": "warnings about a statement's clauses come when it runs, not when it is prepared",
    "test_bug15510": "warnings about constants come when a statement runs, not when it is prepared",
    "test_wl13128": "no warning about CLIENT_NO_SCHEMA",
    "test_param_integer": "a BIGINT column is compared with a DATETIME constant as DATETIME, not as the column's type",
    "test_bug32915973": "ADDDATE(?, ...) takes the type of the value that is bound; MySQL makes it DATETIME when it prepares",
    "test_bug39603354": "newer than 8.4; a short packet of a command that replicas send is answered 1047 here, as there is no such command (1835 there)",
}


def run(server, name, folder):
    command = [*MySQL.program(PROGRAM), "--no-defaults", "--user=root", f"--socket={server.socket}", f"--vardir={folder}", name]
    try:
        r = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60)
        return r.returncode, (r.stdout + r.stderr).strip().splitlines()[-2:]
    except subprocess.TimeoutExpired:
        return -1, ["no end after 60 s"]


def names():
    r = subprocess.run([*MySQL.program(PROGRAM), "--no-defaults", "-T"], capture_output=True, text=True, errors="replace")
    return re.findall(r"^(test_\w+)", r.stdout, re.M)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--log", action="store_true")
    p.add_argument("tests", nargs="*")
    p = p.parse_args()
    folder = tempfile.TemporaryDirectory(prefix="ek-client-")
    pathlib.Path(folder.name, "log").mkdir()
    log = pathlib.Path(folder.name, "general.log")
    servers = [Server(options=["--local-infile=1", "--general-log=1", f"--general-log-file={log}"]), MySQL(options=["--local-infile=1"])]
    passed, bad = [0, 0], 0
    try:
        for s in servers:
            s.start().query("CREATE DATABASE IF NOT EXISTS test")
        tests = p.tests or names()
        for name in tests:
            at = log.stat().st_size if log.exists() else 0
            (a, text), (b, _) = (run(s, name, folder.name) for s in servers)
            passed[0] += a == 0
            passed[1] += b == 0
            if a == 0 or b != 0:
                continue
            bad += name not in EXPLAINED
            print(f"{name}: {EXPLAINED.get(name, 'UNEXPLAINED')}: {' | '.join(text)[:300]}")
            if p.log:
                with open(log, errors="replace") as f:
                    f.seek(at)
                    print("".join("    " + line[28:260] + "\n" for line in f.read().splitlines()[-8:]))
            for s in servers:
                s.query("DROP DATABASE IF EXISTS client_test_db")
    finally:
        for s in servers:
            s.remove()
        folder.cleanup()
    print(f"{len(tests)} tests: {passed[0]} pass here, {passed[1]} with MySQL; {bad} unexplained")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
