#!/usr/bin/env python3
"""bun's tests of a database (Go; out of its repository, the folder `internal/dbtest`; its dialect mysql8 over go-sql-driver/mysql) on Evenkeel and on MySQL.

    tests/suites/bun_suite.py [--git DIR] [--only KIND] [GO-TEST-ARGUMENT ...]
"""
import sys

from common import beside, go_tests, serving, sources

EXPLAINED = {}


def fetch(git):
    return sources("bun", "https://github.com/uptrace/bun", git) / "internal/dbtest"


def one(kind, source, arguments):
    with serving(kind, "bun") as server:
        env = dict(MYSQL=f"suite:suite@tcp(127.0.0.1:{server.port})/bun?parseTime=true", GOFLAGS="-mod=mod", TZ="UTC")
        return go_tests("bun", kind, source, "-count=1", "-timeout=1800s", "-run=/mysql8", *arguments, ".", env=env)


if __name__ == "__main__":
    sys.exit(beside("bun", fetch, one, EXPLAINED))
