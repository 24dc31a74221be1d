#!/usr/bin/env python3
"""Sequelize's own integration tests (dialect mysql over mysql2, out of its repository) on Evenkeel and on MySQL.

    tests/suites/sequelize_suite.py [--git DIR] [--only KIND] [MOCHA-ARGUMENT ...]
"""
import sys

from common import beside, mocha, run, serving, sources

ORIGIN = "https://github.com/sequelize/sequelize"
EXPLAINED = {
    "[MYSQL] DataTypes GEOMETRY*": "spatial types",
    "[MYSQL] Model constructor descending indices (MySQL specific) complains about missing support for descending indexes": "ENGINE=MyISAM makes an InnoDB table",
}
DIALECTS = "utils core validator-js mysql mariadb postgres mssql sqlite3 db2 ibmi snowflake oracle".split()


def fetch(git):
    source = sources("sequelize", ORIGIN, git)
    if not (source / "node_modules").is_dir():
        yarn = next((source / ".yarn/releases").glob("yarn-*.cjs"))
        run("node", yarn, "install", "--mode=skip-build", cwd=source)
    for package in DIALECTS:
        if not (source / "packages" / package / "lib/index.d.ts").exists():
            run("node", "build-packages.mjs", package, cwd=source)
    return source / "packages/core"


def one(kind, source, arguments):
    with serving(kind, "sequelize_test") as server:
        env = dict(DIALECT="mysql", SEQ_MYSQL_HOST="127.0.0.1", SEQ_MYSQL_PORT=str(server.port), SEQ_MYSQL_USER="suite", SEQ_MYSQL_PW="suite")
        return mocha("sequelize", kind, source, "npx", "mocha", "-r", "../../test/register-esbuild.js", "test/integration/**/*.test.[tj]s", *arguments, env=env,
                     absent="ibm_db odbc sqlite3 oracledb snowflake-sdk pg-native")


if __name__ == "__main__":
    sys.exit(beside("Sequelize", fetch, one, EXPLAINED))
