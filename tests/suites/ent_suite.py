#!/usr/bin/env python3
"""ent's integration tests for MySQL 8 (out of its repository) on Evenkeel and on MySQL.

    tests/suites/ent_suite.py [--git DIR] [--only KIND] [GO-TEST-ARGUMENT ...]
"""
import re
import sys

from common import beside, go_tests, serving, sources

EXPLAINED = {}
PORT = 3308  # of MySQL 8 in its tests


def fetch(git):
    source = sources("ent", "https://github.com/ent/ent", git) / "entc/integration"
    for file in source.rglob("*_test.go"):  # the server's address stands in the tests
        text = re.sub(r'map\[string\]int\{"56": 3306, "57": 3307, "8": 3308\}', 'map[string]int{"8": 3308}', file.read_text())
        file.write_text(text)
    return source


def one(kind, source, arguments):
    for file in source.rglob("*_test.go"):
        marked = file.with_suffix(".kept")
        if not marked.exists():
            marked.write_text(file.read_text())
    with serving(kind, "test") as server:
        for kept in source.rglob("*_test.kept"):
            text = kept.read_text().replace("root:pass@tcp(", "suite:suite@tcp(").replace("root:pass@localhost", "suite:suite@localhost")
            text = text.replace('User: "root", Passwd: "pass"', 'User: "suite", Passwd: "suite"')
            kept.with_suffix(".go").write_text(re.sub(rf"\b{PORT}\b", str(server.port), text))
        return go_tests("ent", kind, source, "-count=1", "-timeout=1800s", "-run=MySQL|TestMySQL", *arguments, "./...", env=dict(GOFLAGS="-mod=mod"))


if __name__ == "__main__":
    sys.exit(beside("ent", fetch, one, EXPLAINED))
