#!/usr/bin/env python3
"""PyMySQL's own tests (out of its sdist on PyPI) on Evenkeel and on MariaDB.

    tests/suites/pymysql_suite.py [--verbose] [PYTEST-ARGUMENT ...]

Both tallies and the tests that differ are printed; exit code 1 when a test passes on MariaDB and not here without a reason below.
"""
import json
import os
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as xml

from common import SERVERS, cache, compare, run

VERSION = "0.10.1"  # the last sdist that has the tests
EXPLAINED = {
    "TestAuthentication.testMySQLOldPasswordAuth": "no mysql_old_password, as in MySQL 8",
    "TestAuthentication.test_plugin": "no table mysql.user",
    "TestGitHubIssues.test_issue_363": "spatial types",
    "TestOldIssues.test_issue_6": "no table mysql.user",
}


def fetch():
    folder = cache("pymysql")
    source = folder / f"PyMySQL-{VERSION}"
    if not source.is_dir():
        run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", folder, f"PyMySQL=={VERSION}")
        with tarfile.open(next(folder.glob("*.tar.gz"))) as tar:
            tar.extractall(folder, filter="data")
    return source


def outcomes(report):
    """Test name -> "passed", "failed" or "skipped" of a JUnit file."""
    out = {}
    for case in xml.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        name = f"{case.get('classname').rsplit('.', 1)[-1]}.{case.get('name')}"
        out[name] = "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"
    return out


def one(kind, source, arguments, verbose):
    server = SERVERS[kind]().start()
    try:
        for name in ("test1", "test2"):
            server.query(f"CREATE DATABASE {name} DEFAULT CHARACTER SET utf8mb4")
        server.query("SET GLOBAL local_infile = 1")
        server.query("CREATE USER IF NOT EXISTS test2 IDENTIFIED BY 'some password'")
        server.query("GRANT ALL ON test2.* TO test2")
        shared = {"unix_socket": server.socket, "host": "localhost", "port": server.port, "user": "root", "passwd": ""}
        (source / "pymysql/tests/databases.json").write_text(json.dumps([
            dict(shared, db="test1", use_unicode=True, local_infile=True), dict(shared, db="test2")]))
        report = cache("pymysql") / f"{kind}.xml"
        report.unlink(missing_ok=True)
        done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", "--timeout=60",
                               "pymysql/tests", *arguments], cwd=source, env=dict(os.environ, PYTHONPATH=str(source), USER="root"), capture_output=True, text=True)
        if verbose or not report.exists():
            print(done.stdout[-20000:], done.stderr[-3000:])
        return outcomes(report)
    finally:
        server.kill()
        server.remove()


def main():
    arguments = sys.argv[1:]
    verbose = "--verbose" in arguments
    arguments = [a for a in arguments if a != "--verbose"]
    source = fetch()
    ours = one("evenkeel", source, arguments, verbose)
    peer = one("mariadb", source, arguments, False)
    return 0 if compare("PyMySQL", ours, peer, EXPLAINED) else 1


if __name__ == "__main__":
    sys.exit(main())
