#!/usr/bin/env python3
"""The tests of the Rust crates sea-orm and sea-orm-migration with MySQL (out of their repository, over sqlx without TLS) on Evenkeel and on MySQL.

    tests/suites/seaorm_suite.py [--git DIR] [--only KIND] [TEST-NAME-FILTER ...]
"""
import sys

from common import beside, cache, cargo_tests, serving, sources

EXPLAINED = {}
PARTS = ((".", "tests-features,sqlx-mysql,runtime-tokio"), ("sea-orm-migration", "sqlx-mysql,runtime-tokio"))


def fetch(git):
    source = sources("seaorm", "https://github.com/SeaQL/sea-orm", git)
    for toolchain in source.glob("rust-toolchain*"):  # the toolchain that is here does
        toolchain.unlink()
    return source


def one(kind, source, arguments):
    out = {}
    with serving(kind, "seaorm") as server:
        env = dict(DATABASE_URL=f"mysql://suite:suite@127.0.0.1:{server.port}", CARGO_PROFILE_DEV_DEBUG="0")
        for folder, features in PARTS:
            out.update(cargo_tests(cache("seaorm") / f"{kind}.{folder.strip('.')}.log", source / folder, cache("seaorm", "target"), "--test", "*",
                                   "--features", features, tests=arguments, env=env))
    return out


if __name__ == "__main__":
    sys.exit(beside("SeaORM", fetch, one, EXPLAINED))
