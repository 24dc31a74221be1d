#!/usr/bin/env python3
"""The tests for MySQL of the Rust crate sqlx (out of its repository, runtime tokio without TLS) on Evenkeel and on MySQL. Left out: those of its macros,
which ask the server while they are compiled.

    tests/suites/sqlx_suite.py [--git DIR] [--only KIND] [TEST-NAME-FILTER ...]
"""
import os
import re
import sys

from common import beside, cache, output, serving, sources

EXPLAINED = {"mysql.it_drops_results_in_affected_rows": "the schema mysql has no table time_zone"}
FEATURES = "any,macros,migrate,mysql,_unstable-all-types,runtime-tokio,tls-none"
PROGRAMS = ("mysql", "mysql-types", "mysql-describe", "mysql-derives", "mysql-error", "mysql-migrate", "mysql-test-attr", "mysql-rustsec")


def fetch(git):
    source = sources("sqlx", "https://github.com/launchbadge/sqlx", git)
    (source / "rust-toolchain.toml").unlink(missing_ok=True)  # the toolchain that is here does
    return source


def statements(script):
    """The statements of a script without strings that hold a semicolon."""
    text = re.sub(r"--.*", "", script.read_text())
    return [s for s in (s.strip() for s in text.split(";")) if s]


def one(kind, source, arguments):
    out = {}
    with serving(kind, "sqlx") as server:
        with server.connect(database="sqlx") as c, c.cursor() as cursor:
            for statement in statements(source / "tests/mysql/setup.sql"):
                cursor.execute(statement)
        env = dict(os.environ, DATABASE_URL=f"mysql://suite:suite@127.0.0.1:{server.port}/sqlx", CARGO_TARGET_DIR=str(cache("sqlx", "target")), RUSTFLAGS="")
        for program in PROGRAMS:
            text = output(cache("sqlx") / f"{kind}.{program}.log", "cargo", "test", "--no-default-features", "--features", FEATURES, "--no-fail-fast", "--test", program,
                          "--", "--test-threads=1", *arguments, cwd=source, env=env)
            names = {"ok": "passed", "FAILED": "failed", "ignored": "skipped"}
            out.update({f"{program}.{m[1]}": names[m[2]] for m in re.finditer(r"^test (\S+)(?: - should panic)? \.\.\. (?:.*\n)*?.*?(ok|FAILED|ignored)", text, re.M)})
    return out


if __name__ == "__main__":
    sys.exit(beside("sqlx", fetch, one, EXPLAINED))
