#!/usr/bin/env python3
"""The npm driver mysql2's own integration tests on Evenkeel and on MariaDB.

    tests/suites/mysql2_suite.py [--git DIR] [PIECE-OF-A-FILE'S-NAME ...]

The npm package has no tests: they come from the project's git repository, `--git` naming a clone or a bare one, else it is cloned into the cache. A test
is a file: it passes when its program ends with 0.
"""
import os
import pathlib
import signal
import subprocess
import sys
import tarfile

from common import SERVERS, cache, compare, run

ORIGIN = "https://github.com/sidorares/node-mysql2"
SPATIAL = "spatial types"
EXPLAINED = {
    "connection/test-binary-multiple-results.test.mts": "wants the status flag SERVER_QUERY_NO_INDEX_USED (32), which is never sent here",
    "connection/encoding/test-non-bmp-chars.test.mts": "the client writes a character beyond the BMP as two surrogates of three bytes (CESU-8), which are no characters here, nor in MySQL 9.7 (1366)",
    **{f"connection/{name}.test.mts": SPATIAL for name in (
        "test-execute-type-casting", "test-type-casting-execute", "test-type-casting", "test-typecast-execute", "test-typecast-geometry-execute",
        "test-typecast-geometry", "test-typecast")},
}


def fetch(git):
    folder = cache("mysql2")
    if git is None:
        git = folder / "git"
        if not git.is_dir():
            run("git", "clone", "-q", "--bare", "--depth", "1", ORIGIN, git)
    source = folder / "source"
    if not source.is_dir():
        run("git", "-C", git, "archive", "-o", folder / "source.tar", "HEAD")
        with tarfile.open(folder / "source.tar") as tar:
            tar.extractall(source, filter="data")
    if not (source / "node_modules/.bin/tsx").exists():
        run("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", "poku", "tsx", "portfinder", "assert-diff", "error-stack-parser", cwd=source)
    return source


def outcome(source, name, env):
    """Exit code and output of a test's program; all that it has started ends with it (tsx has a child)."""
    p = subprocess.Popen(["node_modules/.bin/tsx", name], cwd=source, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                         stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        said, _ = p.communicate(timeout=60)
        return p.returncode, said
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        said, _ = p.communicate()
        return 99, said + "\ntimeout"


def one(kind, source, pieces):
    server = SERVERS[kind](options=["--local-infile=1"]).start()
    out, log = {}, []
    try:
        server.query("CREATE DATABASE IF NOT EXISTS test")
        if kind == "mariadb":
            server.query("CREATE USER IF NOT EXISTS root@'127.0.0.1'")
            server.query("GRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION")
        env = dict(os.environ, MYSQL_HOST="127.0.0.1", MYSQL_PORT=str(server.port), MYSQL_USER="root", MYSQL_DATABASE="test", FILTER="")
        files = sorted(str(f.relative_to(source)) for f in (source / "test/integration").rglob("*.test.mts"))
        for name in [f for f in files if not pieces or any(p in f for p in pieces)]:
            code, said = outcome(source, name, env)
            out[name.removeprefix("test/integration/")] = "failed" if code else "passed"
            if code:
                log.append(f"==== {name}\n{said}\n")
    finally:
        (cache("mysql2") / f"{kind}.log").write_text("".join(log))
        server.kill()
        server.remove()
    return out


def main():
    arguments, git = sys.argv[1:], None
    if "--git" in arguments:
        at = arguments.index("--git")
        git = pathlib.Path(arguments[at + 1])
        del arguments[at:at + 2]
    source = fetch(git)
    ours = one("evenkeel", source, arguments)
    peer = one("mariadb", source, arguments)
    return 0 if compare("mysql2", ours, peer, EXPLAINED) else 1


if __name__ == "__main__":
    sys.exit(main())
