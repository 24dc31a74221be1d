#!/usr/bin/env python3
"""The tests of python-mysql-replication (a reader of binary logs in Python; out of its sdist on PyPI) on Evenkeel and on a real MySQL.

    tests/suites/python_mysql_replication_suite.py [--verbose] [PYTEST-ARGUMENT ...]

Needs EVENKEEL_MYSQL or target/mysql-peer. Statements that 8.4 has renamed (RESET MASTER, SHOW MASTER STATUS) are renamed in the copy that runs. Both
tallies and the tests that differ are printed; exit code 1 when a test passes on MySQL and not here without a reason below.
"""
import json
import os
import subprocess
import sys
import tarfile

from common import cache, compare, run, serving
from pymysql_suite import outcomes

VERSION = "1.0.15"
RENAMED = {"RESET MASTER": "RESET BINARY LOGS AND GTIDS", "SHOW MASTER STATUS": "SHOW BINARY LOG STATUS"}
OPTIONS = ("--log-bin=mysql-bin", "--server-id=1", "--gtid-mode=ON", "--enforce-gtid-consistency=ON")
EXPLAINED = {
    "TestDataType.test_geometry": "spatial types",
    "TestOptionalMetaData.test_geometry_type": "spatial types",
    "TestDataType.test_partition_id": "partitions",
    "TestDataTypeVersion8.test_partition_id": "partitions",
}


def fetch():
    folder = cache("python-mysql-replication")
    source = folder / f"mysql_replication-{VERSION}"
    if not source.is_dir():
        run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", folder, f"mysql-replication=={VERSION}")
        with tarfile.open(next(folder.glob("*.tar.gz"))) as tar:
            tar.extractall(folder, filter="data")
        for path in source.rglob("*.py"):
            text = path.read_text()
            for old, new in RENAMED.items():
                text = text.replace(old, new)
            path.write_text(text)
    return source


def one(kind, source, arguments, verbose):
    with serving(kind, options=OPTIONS) as server:
        # the tests know servers by these names; the account may not be asked for a password
        server.query("CREATE USER reader@'127.0.0.1' IDENTIFIED BY ''")
        server.query("GRANT ALL ON *.* TO reader@'127.0.0.1' WITH GRANT OPTION")
        account = {"host": "127.0.0.1", "port": server.port, "user": "reader", "passwd": "", "use_unicode": True, "db": "pymysqlreplication_test"}
        tests = source / "pymysqlreplication/tests"
        (tests / "config.json").write_text(json.dumps({name: account for name in ("mysql-5", "mysql-8", "mariadb-10")}))
        report = cache("python-mysql-replication") / f"{kind}.xml"
        report.unlink(missing_ok=True)
        done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", "--timeout=60", "--db=mysql-8", *arguments],
                              cwd=tests, env=dict(os.environ, PYTHONPATH=str(source)), capture_output=True, text=True)
        if verbose or not report.exists():
            print(done.stdout[-40000:], done.stderr[-3000:])
        return outcomes(report)


def main():
    arguments = [a for a in sys.argv[1:] if a != "--verbose"]
    source = fetch()
    ours = one("evenkeel", source, arguments, "--verbose" in sys.argv)
    peer = one("mysql", source, arguments, False)
    return 0 if compare("python-mysql-replication", ours, peer, EXPLAINED, who="MySQL") else 1


if __name__ == "__main__":
    sys.exit(main())
