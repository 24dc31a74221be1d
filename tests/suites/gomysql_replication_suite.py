#!/usr/bin/env python3
"""The tests of go-mysql (a reader of binary logs and a client in Go; out of the Go module proxy), packages replication, canal and client, on Evenkeel and
on a real MySQL.

    tests/suites/gomysql_replication_suite.py [GO-TEST-ARGUMENT ...]

Needs EVENKEEL_MYSQL or target/mysql-peer. The tests know a server at port 3306 and root without a password; the port is replaced in the copy that runs.
Tests that need a MariaDB are skipped. Spatial types, which Evenkeel does not have, stand in the middle of one long test: those statements are left out of
the copy, on both servers, so that the rest of it runs. Both tallies and the tests that differ are printed; exit code 1 when a test passes on MySQL and not here.
"""
import json
import os
import shutil
import sys

from common import SERVERS, MySQL, cache, compare, go_tests, run

MODULE, VERSION = "github.com/go-mysql-org/go-mysql", "v1.15.0"
PACKAGES = ("replication", "canal", "client")
OPTIONS = ("--log-bin=mysql", "--server-id=1", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--bind-address=*", "--local-infile=1")
SPATIAL = ("ST_GeomFromText('POINT(1 1)')", "INSERT INTO test_geo VALUES (POINT(1, 1))", "INSERT INTO test_geo VALUES (LINESTRING(")
EXPLAINED = {}


def fetch(port):
    """A copy in which servers are expected at this port."""
    folder = cache("gomysql-replication")
    source = folder / "source"
    info = json.loads(run("go", "mod", "download", "-json", f"{MODULE}@{VERSION}", cwd=folder, env=dict(os.environ, GOFLAGS="-mod=mod")))
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(info["Dir"], source)
    run("chmod", "-R", "u+w", source)
    for path in source.rglob("*.go"):
        text = path.read_text()
        if "3306" in text:
            path.write_text(text.replace("3306", str(port)))
    path = source / "replication" / "replication_test.go"
    text = path.read_text()
    left = [line for line in text.split("\n") if not any(word in line for word in SPATIAL)]
    if len(left) != text.count("\n") + 1 - len(SPATIAL):
        sys.exit("the test of replication has other spatial statements than this script knows")
    path.write_text("\n".join(left).replace("CREATE TABLE test_geo (g GEOMETRY)", "CREATE TABLE test_geo (g INT)"))
    return source


def programs():
    """A folder with the mysqldump that canal calls."""
    folder = cache("gomysql-replication", "bin")
    dump = folder / "mysqldump"
    dump.write_text("#!/bin/sh\nexec " + " ".join(MySQL.program("usr/bin/mysqldump")) + ' "$@"\n')
    dump.chmod(0o755)
    return folder


def one(kind, arguments):
    server = SERVERS[kind](options=OPTIONS).start()
    try:
        source = fetch(server.port)
        for host in ("127.0.0.1", "::1", "%"):
            server.query(f"CREATE USER IF NOT EXISTS root@'{host}' IDENTIFIED BY ''")
            server.query(f"GRANT ALL ON *.* TO root@'{host}' WITH GRANT OPTION")
        server.query("CREATE DATABASE test")
        env = dict(PATH=f"{programs()}:{os.environ['PATH']}")
        # one after the other: tests of replication reset the log
        packages = [f"./{package}/..." for package in PACKAGES]
        return go_tests("gomysql-replication", kind, source, "-count=1", "-p=1", "-timeout=300s", *arguments, *packages, env=env)
    finally:
        server.kill()
        server.remove()


def main():
    ours = one("evenkeel", sys.argv[1:])
    peer = one("mysql", sys.argv[1:])
    return 0 if compare("go-mysql", ours, peer, EXPLAINED, who="MySQL") else 1


if __name__ == "__main__":
    sys.exit(main())
