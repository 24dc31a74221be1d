#!/usr/bin/env python3
"""MySQL Connector/Python's own tests (pure Python) on Evenkeel and on MariaDB.

    tests/suites/connector_python_suite.py [--git DIR] [UNITTESTS.PY-ARGUMENT ...]

PyPI's sdists of the present versions have no tests: they come from the project's git repository, `--git` naming a clone or a bare one, else it is
cloned into the cache. The tests run by the project's own runner with an external server.
"""
import pathlib
import re
import subprocess
import sys

from common import SERVERS, cache, compare, run

ORIGIN = "https://github.com/mysql/mysql-connector-python"
FOLDER = "mysql-connector-python"
SPATIAL = "spatial types"
EXPLAINED = {
    **{test: SPATIAL for test in (
        "conversion.MySQLConverterIntegrationTests.test_converter_class_integration", "qa.test_qa_wl6455.WL6936Tests.test_fetch_index",
        "qa.test_qa_wl6455.WL6936Tests.test_insert_point", "qa.test_qa_wl6455.WL6936Tests.test_linestring", "qa.test_qa_wl6455.WL6936Tests.test_polygon")},
}
EXPLAINED["examples.TestExamples.test_engines"] = "SHOW ENGINES must list MyISAM"
NAMED = {"ok": "passed", "FAIL": "failed", "ERROR": "failed", "skipped": "skipped"}


def fetch(git):
    folder = cache("connector")
    if git is None:
        git = folder / "git"
        if not git.is_dir():
            run("git", "clone", "-q", "--bare", "--depth", "1", ORIGIN, git)
    source = folder / FOLDER
    if not source.is_dir():
        names = run("git", "-C", git, "ls-tree", "-r", "--name-only", "HEAD", FOLDER).splitlines()
        for name in [n for n in names if "/docs/" not in n]:
            show = subprocess.run(["git", "-C", git, "show", f"HEAD:{name}"], capture_output=True)
            if show.returncode == 0:  # the largest data file may be missing from a mirror
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(show.stdout)
    python = folder / "venv/bin/python"
    if not python.exists():
        run(sys.executable, "-m", "venv", folder / "venv")
        run(python, "-m", "pip", "install", "-q", "dnspython")
    return source, python


def outcomes(log):
    """Test name -> outcome of the runner's lines; with asyncio's debug lines between a test's name and its end."""
    out = {}
    for line in re.sub(r"\.\.\. Executing <.*\n(?:Executing <.*\n)*", "... ", log).splitlines():
        m = re.match(r"(?:tests\.)?(\S+\.\S+)(?: \(.*\))? \.\.\. (ok|FAIL|ERROR|skipped)", line)
        if m:
            out[m[1]] = NAMED[m[2]]
    return out


def one(kind, source, python, arguments):
    server = SERVERS[kind](options=["--local-infile=1", "--secure-file-priv="]).start()
    try:
        server.query("CREATE DATABASE myconnpy")
        done = subprocess.run([str(python), "unittests.py", "--use-external-server", "--host=127.0.0.1", f"--port={server.port}", "--user=root", "--password=",
                               f"--unix-socket={server.socket}", "--verbosity=2", "--skip-install", *arguments], cwd=source, capture_output=True, text=True,
                              timeout=1800, stdin=subprocess.DEVNULL)
        log = done.stdout + done.stderr
        (cache("connector") / f"{kind}.log").write_text(log)
        return outcomes(log)
    finally:
        server.kill()
        server.remove()


def main():
    arguments, git = sys.argv[1:], None
    if "--git" in arguments:
        at = arguments.index("--git")
        git = pathlib.Path(arguments[at + 1])
        del arguments[at:at + 2]
    source, python = fetch(git)
    ours = one("evenkeel", source, python, arguments)
    peer = one("mariadb", source, python, arguments)
    return 0 if compare("Connector/Python", ours, peer, EXPLAINED) else 1


if __name__ == "__main__":
    sys.exit(main())
