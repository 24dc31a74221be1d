#!/usr/bin/env python3
"""Python's ORMs, migration tools and asynchronous drivers: their own tests, out of their repositories, on Evenkeel and on MySQL.

    tests/suites/python_orm_suites.py peewee|alembic|pony|asyncmy|aiomysql [--git DIR] [--only KIND] [PYTEST-ARGUMENT ...]
"""
import os
import shutil
import sys
import xml.etree.ElementTree as xml

from common import beside, cache, output, run, serving, sources

ACCOUNT = "suite:suite@127.0.0.1"
# What a suite needs: its repository, packages, databases; `tests` what pytest runs; `env` its environment, `arguments` more of them, of a server
SUITES = {
    "peewee": dict(origin="https://github.com/coleifer/peewee", packages=["pymysql"], databases=["peewee_test"], tests=["-o", "python_files=__init__.py", "tests/__init__.py"], env=lambda port: dict(
        PEEWEE_TEST_BACKEND="mysql", PEEWEE_MYSQL_HOST="127.0.0.1", PEEWEE_MYSQL_PORT=str(port), PEEWEE_MYSQL_USER="suite", PEEWEE_MYSQL_PASSWORD="suite")),
    "alembic": dict(origin="https://github.com/sqlalchemy/alembic", packages=["pymysql", "SQLAlchemy>=2.0,<2.1", "Mako", "typing-extensions", "tomli", "black", "python-dateutil"],
                    databases=["test", "test_schema", "test_schema_2"], tests=["tests"], env=lambda port: dict(SQLALCHEMY_WARN_20="1"),
                    arguments=lambda port: ["--dburi", f"mysql+pymysql://{ACCOUNT}:{port}/test?charset=utf8mb4", "--backend-only", "-p", "no:warnings"]),
    "pony": dict(origin="https://github.com/ponyorm/pony", packages=["pymysql"], databases=["pony"], tests=["pony/orm/tests"], env=lambda port: dict(
        pony_test_db=str(settings("pony", dict(provider="mysql", host="127.0.0.1", port=port, user="suite", passwd="suite", db="pony"))))),
    "asyncmy": dict(origin="https://github.com/long2ice/asyncmy", packages=["asyncmy", "pytest<8", "pytest-asyncio<0.22"], databases=["test"], tests=["tests"], edit={
        "conftest.py": [("port=3306", 'port=int(os.environ["SUITE_PORT"])'), ('user="root"', 'user="suite"')]},
        env=lambda port: dict(MYSQL_PASS="suite", SUITE_PORT=str(port)), without=["asyncmy"]),
    "aiomysql": dict(origin="https://github.com/aio-libs/aiomysql", packages=["pymysql", "uvloop", "SQLAlchemy<1.4"], databases=["test_pymysql", "test_pymysql2"], tests=["tests"], edit={
        "tests/conftest.py": [("'user': 'root'", "'user': 'suite'")]}, options=lambda source: [
            f"--ssl-{option}={source}/tests/ssl_resources/ssl/{file}.pem" for option, file in (("ca", "ca"), ("cert", "server-cert"), ("key", "server-key"))],
                     env=lambda port: dict(MYSQL_USER="suite", MYSQL_PASSWORD="suite", MYSQL_ROOT_PASSWORD="suite"), arguments=lambda port: ["--mysql-address", f"127.0.0.1:{port}"]),
}


def settings(name, content):
    """A file of settings in the cache."""
    file = cache(name) / "settings.py"
    file.write_text(f"settings = {content!r}\n")
    return file


def fetcher(name):
    suite = SUITES[name]

    def fetch(git):
        source = sources(name, suite["origin"], git)
        for file, changes in suite.get("edit", {}).items():
            text = (source / file).read_text()
            for old, new in changes:
                text = text.replace(old, new)
            (source / file).write_text(text)
        for folder in suite.get("without", ()):  # the package that was installed and compiled stands for it
            shutil.rmtree(source / folder, ignore_errors=True)
        venv = cache(name) / "venv"
        if not (venv / "ready").exists():
            run(sys.executable, "-m", "venv", venv)
            run(venv / "bin/python", "-m", "pip", "install", "-q", "pytest<9", "cryptography", *suite["packages"])
            (venv / "ready").touch()
        return source
    return fetch


def outcomes(report):
    """Test's name -> "passed", "failed" or "skipped" of a JUnit file."""
    out = {}
    for case in xml.parse(report).iter("testcase") if report.exists() else ():
        kinds = {child.tag for child in case}
        test = f"{case.get('classname')}.{case.get('name')}"
        out[test] = "failed" if kinds & {"failure", "error"} or out.get(test) == "failed" else "skipped" if "skipped" in kinds else "passed"
    return out


def runner(name):
    suite = SUITES[name]

    def one(kind, source, arguments):
        folder = cache(name)
        report = folder / f"{kind}.xml"
        report.unlink(missing_ok=True)
        with serving(kind, *suite["databases"], options=suite["options"](source) if "options" in suite else ()) as server:
            more = suite["arguments"](server.port) if "arguments" in suite else []
            output(folder / f"{kind}.log", folder / "venv/bin/python", "-m", "pytest", "-q", "-rfE", "-p", "no:cacheprovider", f"--junitxml={report}", *more,
                   *(arguments or suite["tests"]), cwd=source, env=dict(os.environ, PYTHONPATH=str(source), **suite["env"](server.port)))
        return outcomes(report)
    return one


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in SUITES:
        raise SystemExit(__doc__)
    chosen = sys.argv.pop(1)
    sys.exit(beside(chosen, fetcher(chosen), runner(chosen), {}))
