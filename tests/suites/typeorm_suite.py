#!/usr/bin/env python3
"""TypeORM's own tests (type mysql over mysql2, out of its repository) on Evenkeel and on MySQL.

    tests/suites/typeorm_suite.py [--git DIR] [--only KIND] [MOCHA-ARGUMENT ...]
"""
import json
import sys

from common import beside, cache, mocha, output, run, serving, sources

ORIGIN = "https://github.com/typeorm/typeorm"
EXPLAINED = {
    **{f"{test}*": "spatial types" for test in (
        "spatial > mysql", "database schema > column types > mysql all types should work correctly", "entity-schema > indices > mysql should correctly create SPATIAL",
        "github issues > #750 Need option for Mysql's full text search should correctly create SPATIAL")},
    "transaction > isolation level > mysql *": "performance_schema has no events_transactions_current",
}
# Of what its package.json asks for, what the tests of MySQL need; the others are drivers and tools of development
NEEDED = """@tsconfig/node20 @types/chai @types/chai-as-promised @types/debug @types/mocha @types/node @types/sinon @types/sinon-chai @types/source-map-support
    @types/yargs chai chai-as-promised class-transformer mocha mysql2 sinon sinon-chai source-map-support ts-node typescript sql.js""".split()


def fetch(git):
    source = sources("typeorm", ORIGIN, git, ("package.json", "src", "test", "tsconfig.json", ".mocharc.json"))
    if not (source / "node_modules").is_dir():
        package = json.loads((source / "package.json").read_text())
        (source / "package.json").write_text(json.dumps(dict(
            name="typeorm", version=package["version"], dependencies=package["dependencies"],
            devDependencies={k: v for k, v in package["devDependencies"].items() if k in NEEDED})))
        run("npm", "install", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--silent", cwd=source)
    # Its set-up turns on instruments of transactions, for mysql-isolation.test.ts alone; performance_schema has no setup_instruments here
    utils = source / "test/utils/test-utils.ts"
    utils.write_text(utils.read_text().replace('if (connection.driver.options.type === "mysql") {', 'if (process.env.SUITE_INSTRUMENTS) {'))
    if not (source / "build/compiled/test").is_dir():  # types of drivers that are not there are missed; the programs are written all the same
        output(cache("typeorm") / "compile.log", "npx", "tsc", "--noEmitOnError", "false", cwd=source)
    return source


def one(kind, source, arguments):
    with serving(kind, "typeorm") as server:
        (source / "ormconfig.json").write_text(json.dumps([dict(
            skip=False, type="mysql", host="127.0.0.1", port=server.port, username="suite", password="suite", database="typeorm", logging=False)]))
        return mocha("typeorm", kind, source, "npx", "mocha", *arguments, env=dict(SUITE_INSTRUMENTS="1") if kind == "mysql" else {},
                     absent="testcontainers redis mongodb mssql pg oracledb better-sqlite3")


if __name__ == "__main__":
    sys.exit(beside("TypeORM", fetch, one, EXPLAINED))
