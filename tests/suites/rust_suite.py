#!/usr/bin/env python3
"""The tests of the Rust crate `mysql` (out of its package on crates.io) on Evenkeel and on MariaDB.

    tests/suites/rust_suite.py [TEST-NAME-FILTER ...]
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from common import SERVERS, cache, compare, run

VERSION = "26.0.1"
FEATURES = "minimal,derive,buffer-pool,time,frunk"
EXPLAINED = {}


def fetch():
    source = cache("rust") / f"mysql-{VERSION}"
    if not source.is_dir():
        asks = cache("rust", "asks")
        (asks / "lib.rs").write_text("")
        (asks / "Cargo.toml").write_text(f'[package]\nname = "asks"\nversion = "0.0.0"\nedition = "2021"\n[lib]\npath = "lib.rs"\n[dependencies]\n'
                                         f'mysql = {{ version = "={VERSION}", default-features = false, features = ["minimal"] }}\n[workspace]\n')
        run("cargo", "fetch", cwd=asks)
        home = pathlib.Path(os.environ.get("CARGO_HOME", pathlib.Path.home() / ".cargo"))
        shutil.copytree(next(home.glob(f"registry/src/*/mysql-{VERSION}")), source)
        with open(source / "Cargo.toml", "a") as f:
            f.write("\n[workspace]\n")
    return source


def one(kind, source, arguments):
    server = SERVERS[kind]().start()
    try:
        if kind == "mariadb":
            server.query("CREATE USER IF NOT EXISTS root@'127.0.0.1'")
            server.query("GRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION")
        server.query("CREATE DATABASE rust_tests")
        server.query("SET GLOBAL local_infile = 1")
        server.query("SET GLOBAL max_allowed_packet = 36700160")
        env = dict(os.environ, DATABASE_URL=f"mysql://root@127.0.0.1:{server.port}/rust_tests", CARGO_TARGET_DIR=str(cache("rust", "target")))
        done = subprocess.run(["cargo", "test", "--no-default-features", "--features", FEATURES, "--lib", "--no-fail-fast", "--", "--test-threads=1", *arguments],
                              cwd=source, env=env, capture_output=True, text=True, timeout=3000)
        (cache("rust") / f"{kind}.log").write_text(done.stdout + done.stderr)
        names = {"ok": "passed", "FAILED": "failed", "ignored": "skipped"}
        return {m[1]: names[m[2]] for m in re.finditer(r"^test (\S+)(?: - should panic)? \.\.\. (?:.*\n)*?.*?(ok|FAILED|ignored)", done.stdout, re.M)}
    finally:
        server.kill()
        server.remove()


def main():
    source = fetch()
    ours = one("evenkeel", source, sys.argv[1:])
    peer = one("mariadb", source, sys.argv[1:])
    return 0 if ours and compare("mysql crate", ours, peer, EXPLAINED) else 1


if __name__ == "__main__":
    sys.exit(main())
