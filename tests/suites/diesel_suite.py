#!/usr/bin/env python3
"""The tests for MySQL of the Rust crate diesel (out of its repository: `diesel_tests`, the crate's own, those of its migrations and of its command line
program) on Evenkeel and on MySQL.

    tests/suites/diesel_suite.py [--git DIR] [--only KIND] [TEST-NAME-FILTER ...]

Its client library is libmariadb, which is unpacked from the Debian packages in the cache.
"""
import sys

from common import beside, cache, cargo_tests, run, serving, sources

EXPLAINED = {"diesel.mysql_like::connection::bind::tests::check_all_the_types": "spatial types"}
FEATURES = "diesel/mysql,diesel/extras,diesel_derives/mysql,migrations_macros/mysql,diesel_migrations/mysql,diesel_tests/mysql,diesel_cli/mysql"
PACKAGES = ("diesel_tests", "diesel", "diesel_migrations", "diesel_cli")


def fetch(git):
    source = sources("diesel", "https://github.com/diesel-rs/diesel", git)
    (source / "rust-toolchain").unlink(missing_ok=True)  # the toolchain that is here does
    root = cache("diesel") / "root"
    if not root.is_dir():
        for package in ("libmariadb-dev", "libmariadb3"):
            run("apt-get", "download", package, cwd=cache("diesel"))
        for package in cache("diesel").glob("*.deb"):
            run("dpkg-deb", "-x", package, root)
    return source


def one(kind, source, arguments):
    with serving(kind, "diesel_test", "diesel_unit_test", "diesel_example") as server:
        library = next((cache("diesel") / "root").glob("usr/lib/*-linux-gnu"))
        url = f"mysql://suite:suite@127.0.0.1:{server.port}/diesel_"
        env = dict(MYSQL_DATABASE_URL=f"{url}test", MYSQL_UNIT_TEST_DATABASE_URL=f"{url}unit_test", MYSQL_EXAMPLE_DATABASE_URL=f"{url}example",
                   MYSQLCLIENT_LIB_DIR=str(library), MYSQLCLIENT_LIBNAME="mariadb", MYSQLCLIENT_VERSION="10.11.19", LD_LIBRARY_PATH=str(library))
        env["DIESEL_TEST_BIN"] = str(cache("diesel", "target") / "debug/diesel")
        env["DATABASE_URL"] = env["MYSQL_DATABASE_URL"]
        packages = [part for package in PACKAGES for part in ("-p", package)]
        return cargo_tests(cache("diesel") / f"{kind}.log", source, cache("diesel", "target"), "--no-default-features", "--features", FEATURES, *packages,
                          "--lib", "--tests", env=env, tests=arguments)


if __name__ == "__main__":
    sys.exit(beside("Diesel", fetch, one, EXPLAINED))
