#!/usr/bin/env python3
"""The tests of the Rust crates sea-orm and sea-orm-migration with MySQL (out of their repository, over sqlx without TLS) on Evenkeel and on MySQL.

    tests/suites/seaorm_suite.py [--git DIR] [--only KIND] [TEST-NAME-FILTER ...]
"""
import re
import sys

from common import beside, cache, cargo_tests, serving, sources

PARTS = ((".", "all", "tests-features,sqlx-mysql,runtime-tokio"), ("sea-orm-migration", "main", "sqlx-mysql,runtime-tokio"))


def fetch(git):
    source = sources("seaorm", "https://github.com/SeaQL/sea-orm", git)
    for toolchain in source.glob("rust-toolchain*"):  # the toolchain that is here does
        toolchain.unlink()
    one_program(source / "tests")
    return source


def put(file, text):
    """Writes a file, unless it is so already: cargo goes by its time."""
    if not file.exists() or file.read_text() != text:
        file.write_text(text)


def one_program(folder):
    """Makes all its programs that open a connection one, since each compiles what they have in common anew."""
    modules = []
    for file in sorted(folder.glob("*.rs")):
        text = file.read_text()
        if file.name == "all.rs" or not re.search(r"^(pub )?mod common;$|crate::common", text, re.M):
            continue
        put(file, re.sub(r"\bcrate::DbErr", "sea_orm::DbErr", re.sub(r"^((?:pub )?)mod common;$", r"\1use crate::common;", text, flags=re.M)))
        for inner in re.findall(r'^#\[path = "(\w+)/(\w+)/mod.rs"\]$', text, re.M):  # what such a module calls itself
            for part in (folder / inner[0]).rglob("*.rs"):
                put(part, part.read_text().replace(f"crate::{inner[1]}::", f"crate::{file.stem}::{inner[1]}::"))
        modules.append(f'#[path = "{file.name}"]\nmod {file.stem};\n')
    put(folder / "all.rs", "#![allow(unused_imports, dead_code)]\npub mod common;\n" + "".join(modules))


def one(kind, source, arguments):
    out = {}
    with serving(kind, "seaorm") as server:
        server.query("CREATE USER sea@'%'")  # without a password, for which sqlx wants RSA or TLS
        server.query("GRANT ALL ON *.* TO sea@'%'")
        env = dict(DATABASE_URL=f"mysql://sea:@127.0.0.1:{server.port}")
        for folder, program, features in PARTS:
            out.update(cargo_tests(cache("seaorm") / f"{kind}.{folder.strip('.')}.log", source / folder, cache("seaorm", "target"), "--test", program,
                                   "--features", features, tests=arguments, env=env))
    return out


if __name__ == "__main__":
    sys.exit(beside("SeaORM", fetch, one))
