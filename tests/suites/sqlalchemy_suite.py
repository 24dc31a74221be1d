#!/usr/bin/env python3
"""SQLAlchemy's dialect compliance suite (sqlalchemy.testing.suite, with the requirements out of its sdist) on Evenkeel and on MariaDB.

    tests/suites/sqlalchemy_suite.py [--verbose] [PYTEST-ARGUMENT ...]

Driver: mysql+pymysql. Both tallies and the tests that differ are printed; exit code 1 when a test passes on MariaDB and not here without
a reason below. SQLAlchemy skips by server: what it runs on MariaDB only (sequences, RETURNING) is "missing" here and is no difference. Where a real MySQL is at hand
(scripts/mysql-peer.sh) the suite runs there too: what it asks of MySQL is what it asks of Evenkeel.
"""
import os
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as xml

from common import SERVERS, cache, compare, run, tally

VERSION = "2.0.58"
# What SQLAlchemy has for MariaDB only: the classes are not collected here, single tests are skipped by its requirements
ONLY_MARIADB = "SQLAlchemy asks this of MariaDB only"
CLASSES = ("HasSequenceTest", "HasSequenceTestEmpty", "NativeUUIDTest", "ReturningTest", "SequenceCompilerTest", "SequenceTest")


def fetch():
    folder = cache("sqlalchemy")
    source = folder / f"sqlalchemy-{VERSION}"
    if not source.is_dir():
        run(sys.executable, "-m", "venv", folder / "venv")
        python = folder / "venv/bin/python"
        run(python, "-m", "pip", "install", "-q", "pytest<9", "pymysql", "typing-extensions", "cryptography")
        run(python, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", "sqlalchemy", "-d", folder, f"sqlalchemy=={VERSION}")
        with tarfile.open(next(folder.glob("sqlalchemy-*.tar.gz"))) as tar:
            tar.extractall(folder, filter="data")
    return source, folder / "venv/bin/python"


def outcomes(report):
    """Test name without the server's name in it -> "passed", "failed" or "skipped" of a JUnit file."""
    out = {}
    for case in xml.parse(report).iter("testcase"):
        kinds = {child.tag for child in case}
        suite = case.get("classname").rsplit(".", 1)[-1].split("_mysql+")[0].split("_mariadb+")[0]
        name = f"{suite}.{case.get('name')}"
        out[name] = "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"
    return out


def one(kind, source, python, arguments, verbose):
    server = SERVERS[kind]().start()
    try:
        for name in ("test", "test_schema", "test_schema_2"):
            server.query(f"CREATE DATABASE IF NOT EXISTS {name}")
            server.query(f"ALTER DATABASE {name} DEFAULT CHARACTER SET utf8mb4")  # MariaDB comes with one in latin1
        if kind != "evenkeel":
            server.query("CREATE USER IF NOT EXISTS root@'127.0.0.1'")
            server.query("GRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION")
        report = cache("sqlalchemy") / f"{kind}.xml"
        report.unlink(missing_ok=True)
        uri = f"mysql+pymysql://root@127.0.0.1:{server.port}/test?charset=utf8mb4"
        done = subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:logging", f"--junitxml={report}", "--maxfail=10000",
                               "--dburi", uri, "test/dialect/test_suite.py", *arguments], cwd=source,
                              env=dict(os.environ, PYTHONPATH=str(source / "lib")), capture_output=True, text=True, timeout=1800)
        if verbose or not report.exists():
            print(done.stdout[-60000:], done.stderr[-3000:])
        return outcomes(report)
    finally:
        server.kill()
        server.remove()


def main():
    arguments = sys.argv[1:]
    verbose = "--verbose" in arguments
    arguments = [a for a in arguments if a != "--verbose"]
    source, python = fetch()
    ours = one("evenkeel", source, python, arguments, verbose)
    peer = one("mariadb", source, python, arguments, False)
    if SERVERS["mysql"].folder():
        mysql = one("mysql", source, python, arguments, False)
        tally("SQLAlchemy", "mysql", mysql)
        for test in sorted(t for t in mysql if mysql[t] != ours.get(t)):
            print(f"  {test}: {ours.get(test, 'missing')} here, {mysql[test]} on mysql")
    explained = {t: ONLY_MARIADB for t in peer if ours.get(t) == "skipped" or t not in ours and t.split(".")[0] in CLASSES}
    return 0 if compare("SQLAlchemy", ours, peer, explained) else 1


if __name__ == "__main__":
    sys.exit(main())
