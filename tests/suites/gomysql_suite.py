#!/usr/bin/env python3
"""Tests of github.com/go-sql-driver/mysql (out of the Go module proxy) on Evenkeel and on MariaDB. Left out: TestConnectorReturnsTimeout,
which connects to an address in the internet.

    tests/suites/gomysql_suite.py [GO-TEST-ARGUMENT ...]
"""
import json
import os
import shutil
import sys

from common import SERVERS, cache, compare, go_tests, run

MODULE, VERSION = "github.com/go-sql-driver/mysql", "v1.9.3"
EXPLAINED = {}


def fetch():
    folder = cache("gomysql")
    source = folder / "source"
    if not source.is_dir():
        info = json.loads(run("go", "mod", "download", "-json", f"{MODULE}@{VERSION}", cwd=folder, env=dict(os.environ, GOFLAGS="-mod=mod")))
        shutil.copytree(info["Dir"], source)
        run("chmod", "-R", "u+w", source)
    return source


def one(kind, source, arguments):
    server = SERVERS[kind](options=["--local-infile=1"]).start()
    try:
        server.query("CREATE DATABASE gotest")
        env = dict(MYSQL_TEST_USER="root", MYSQL_TEST_PASS="", MYSQL_TEST_PROT="tcp", MYSQL_TEST_ADDR=f"127.0.0.1:{server.port}", MYSQL_TEST_DBNAME="gotest",
                   MYSQL_TEST_CONCURRENT="1")
        return go_tests("gomysql", kind, source, "-timeout=300s", "-skip=TestConnectorReturnsTimeout", *arguments, ".", env=env)
    finally:
        server.kill()
        server.remove()


def main():
    source = fetch()
    ours = one("evenkeel", source, sys.argv[1:])
    peer = one("mariadb", source, sys.argv[1:])
    return 0 if compare("go-sql-driver/mysql", ours, peer, EXPLAINED) else 1


if __name__ == "__main__":
    sys.exit(main())
