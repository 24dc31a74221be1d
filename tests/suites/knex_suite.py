#!/usr/bin/env python3
"""Knex's own tests of a database (client mysql2, out of its repository: those for mocha and those for tape) on Evenkeel and on MySQL.

    tests/suites/knex_suite.py [--git DIR] [--only KIND] [MOCHA-ARGUMENT ...]
"""
import json
import os
import re
import sys

from common import beside, cache, mocha, output, run, serving, sources

EXPLAINED = {f"Schema geometry columns mysql2 Creates {kind} column for supported databases": "spatial types" for kind in ("GEOMETRY", "POINT")}
# Of what its package.json asks for, what these tests need; the others are drivers and tools of development
NEEDED = """@types/node chai chai-as-promised chai-subset-in-order cli-testlab jake JSONStream mocha mock-fs mysql2 rimraf semver sinon sinon-chai source-map-support tape
    toxiproxy-node-client ts-node typescript""".split()


def fetch(git):
    source = sources("knex", "https://github.com/knex/knex", git)
    if not (source / "node_modules").is_dir():
        package = json.loads((source / "package.json").read_text())
        (source / "package.json").write_text(json.dumps(dict(
            package, scripts={}, devDependencies={k: v for k, v in package["devDependencies"].items() if k in NEEDED})))
        run("npm", "install", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--silent", cwd=source)
    taped = source / "test/tape/index.js"  # without those of SQLite, whose driver is not built
    taped.write_text(re.sub(r"^require\('\./(parse-connection|raw|query-builder|seed|migrate|pool|knex)'\);\n", "", taped.read_text(), flags=re.M))
    for spec in (source / "test/integration2/dialects").glob("*sqlite*"):
        spec.unlink()
    spec = source / "test/integration2/dialects/mysql2.spec.js"  # its port is a fixed one
    spec.write_text(spec.read_text().replace("testuser:testpassword@127.0.0.1:23306", "suite:suite@127.0.0.1:${process.env.SUITE_PORT}"))
    return source


def taped(kind, source, env):
    """The assertions of the tests for tape, by the test's title, the text and the number among equals."""
    out, title = {}, ""
    for line in output(cache("knex") / f"{kind}.tape", "node", "test/tape/index.js", cwd=source, env=dict(os.environ, **env), limit=600).splitlines():
        if line.startswith("# "):
            title = line[2:]
        elif found := re.match(r"(not )?ok \d+ ?(.*)", line):
            name = f"tape: {title}: {found[2]}"
            while name in out:
                name += "'"
            out[name] = "failed" if found[1] else "passed"
    return out


def one(kind, source, arguments):
    with serving(kind, "knex_test") as server:
        settings = cache("knex") / "connection.json"
        settings.write_text(json.dumps(dict(mysql=dict(host="127.0.0.1", port=server.port, user="suite", password="suite", database="knex_test", charset="utf8"))))
        env = dict(DB="mysql2", KNEX_TEST=str(settings), SUITE_PORT=str(server.port))
        results = mocha("knex", kind, source, "npx", "mocha", "--exit", "-t", "10000", "--config", "test/mocha-integration-config-test.js", *arguments, env=env,
                        absent="sqlite3 better-sqlite3 pg pg-query-stream tedious oracledb mysql mariadb")
        return results if arguments else dict(results, **taped(kind, source, env))


if __name__ == "__main__":
    sys.exit(beside("Knex", fetch, one, EXPLAINED))
