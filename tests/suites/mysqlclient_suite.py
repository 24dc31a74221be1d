#!/usr/bin/env python3
"""mysqlclient's own tests (out of its sdist on PyPI) on Evenkeel and on MariaDB.

    tests/suites/mysqlclient_suite.py [PYTEST-ARGUMENT ...]

It is compiled in the cache against libmariadb's headers, which are unpacked from the Debian packages there.
"""
import os
import subprocess
import sys
import tarfile

from common import SERVERS, cache, compare, run
from pymysql_suite import outcomes

VERSION = "2.2.7"
EXPLAINED = {
    "test_MySQLdb.test_MULTIPOLYGON": "spatial types",
}


def fetch():
    folder = cache("mysqlclient")
    source, python = folder / f"mysqlclient-{VERSION}", folder / "venv/bin/python"
    root = folder / "root"
    if not root.is_dir():
        for package in ("libmariadb-dev", "libmariadb3"):
            run("apt-get", "download", package, cwd=folder)
        for package in folder.glob("*.deb"):
            run("dpkg-deb", "-x", package, root)
    library = next(root.glob("usr/lib/*-linux-gnu"))
    env = dict(os.environ, MYSQLCLIENT_CFLAGS=f"-I{root}/usr/include/mariadb", MYSQLCLIENT_LDFLAGS=f"-L{library} -lmariadb -Wl,-rpath,{library}")
    if not source.is_dir():
        run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", folder, f"mysqlclient=={VERSION}", env=env)
        with tarfile.open(next(folder.glob("*.tar.gz"))) as tar:
            tar.extractall(folder, filter="data")
    if not python.exists():
        run(sys.executable, "-m", "venv", folder / "venv")
        run(python, "-m", "pip", "install", "-q", "pytest", "pytest-timeout", source, env=env)
    return source, python


def one(kind, source, python, arguments):
    server = SERVERS[kind](options=["--local-infile=1"]).start()
    try:
        server.query("CREATE DATABASE test_mysqlclient DEFAULT CHARACTER SET utf8mb4" if kind == "evenkeel" else "CREATE DATABASE test_mysqlclient CHARACTER SET utf8mb4")
        settings = cache("mysqlclient") / f"{kind}.cnf"
        settings.write_text(f"[MySQLdb-tests]\nhost = 127.0.0.1\nport = {server.port}\nuser = root\ndatabase = test_mysqlclient\ndefault-character-set = utf8mb4\n")
        report = cache("mysqlclient") / f"{kind}.xml"
        report.unlink(missing_ok=True)
        done = subprocess.run([str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", "--timeout=60", "tests", *arguments], cwd=source,
                              env=dict(os.environ, TESTDB=str(settings)), capture_output=True, text=True)
        (cache("mysqlclient") / f"{kind}.log").write_text(done.stdout + done.stderr)
        return outcomes(report)
    finally:
        server.kill()
        server.remove()


def main():
    source, python = fetch()
    ours = one("evenkeel", source, python, sys.argv[1:])
    peer = one("mariadb", source, python, sys.argv[1:])
    return 0 if compare("mysqlclient", ours, peer, EXPLAINED) else 1


if __name__ == "__main__":
    sys.exit(main())
