#!/usr/bin/env python3
"""Objection.js's integration tests (out of its repository, over Knex; the driver mysql2 in the place of mysql, which cannot log in as MySQL 8 wants it) on
Evenkeel and on MySQL. Each test begins with tables emptied and ALTER TABLE ... AUTO_INCREMENT = n, and expects the ids that follow.

    tests/suites/objection_suite.py [--git DIR] [--only KIND] [MOCHA-ARGUMENT ...]
"""
import json
import re
import shutil
import sys

from common import beside, mocha, run, serving, sources

EXPLAINED = {}
# Of what its package.json asks for, what these tests need; the others are other drivers and tools of development
UNNEEDED = ("sqlite3", "pg", "eslint", "vuepress", "typescript", "prettier", "nyc", "coveralls", "@types")


def fetch(git):
    source = sources("objection", "https://github.com/Vincit/objection.js", git)
    if not (source / "node_modules").is_dir():
        package = json.loads((source / "package.json").read_text())
        needed = {k: v for k, v in package["devDependencies"].items() if not k.startswith(UNNEEDED)}
        (source / "package.json").write_text(json.dumps(dict(package, scripts={}, devDependencies=dict(needed, mysql2="^3", bluebird="^3", lodash="^4", uuid="^3"))))
        run("npm", "install", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--silent", cwd=source)
        shutil.rmtree(source / "node_modules/mysql", ignore_errors=True)
        shutil.copytree(source / "node_modules/mysql2", source / "node_modules/mysql")
    return source


def one(kind, source, arguments):
    with serving(kind, "objection_test") as server:
        tests = source / "tests/integration/index.js"
        text = re.sub(r"host: '127.0.0.1',( port: \d+, password: 'suite',)?\n\s*user: '\w+'", f"host: '127.0.0.1', port: {server.port}, password: 'suite',\n        user: 'suite'", tests.read_text())
        tests.write_text(text)
        return mocha("objection", kind, source, "npx", "mocha", "--exit", "--slow", "100000", "--timeout", "15000", *arguments, "tests/integration/index.js",
                     env=dict(DATABASES="mysql"), absent="sqlite3 pg")


if __name__ == "__main__":
    sys.exit(beside("Objection.js", fetch, one, EXPLAINED))
