#!/usr/bin/env python3
"""GORM's own tests with its MySQL driver (out of its repository, the folder `tests`) on Evenkeel and on MySQL.

    tests/suites/gorm_suite.py [--git DIR] [--only KIND] [GO-TEST-ARGUMENT ...]
"""
import sys

from common import beside, go_tests, serving, sources

EXPLAINED = {"tests.TestNonStdPrimaryKeyAndDefaultValues": "two times that the client rounds to milliseconds must differ; the statements between them take less"}


def fetch(git):
    return sources("gorm", "https://github.com/go-gorm/gorm", git) / "tests"


def one(kind, source, arguments):
    with serving(kind, "gorm") as server:
        env = dict(GORM_DIALECT="mysql", GORM_DSN=f"suite:suite@tcp(127.0.0.1:{server.port})/gorm?charset=utf8&parseTime=True&loc=Local", GOFLAGS="-mod=mod")
        return go_tests("gorm", kind, source, "-count=1", "-timeout=1800s", *arguments, "./...", env=env)


if __name__ == "__main__":
    sys.exit(beside("GORM", fetch, one, EXPLAINED))
