#!/usr/bin/env python3
"""Django's own tests (out of its sdist on PyPI) with the mysql backend over PyMySQL, on Evenkeel and on MariaDB.

    tests/suites/django_suite.py [--only evenkeel|mariadb] [--keep FILE] [LABEL ...]

Without labels: LABELS, the parts of Django that issue 3 names. A part runs in one process; what fails is listed by test. `--keep` writes the
tracebacks of our failures into FILE.
"""
import argparse
import os
import re
import subprocess
import sys
import tarfile

from common import SERVERS, cache, compare, run

VERSION = "5.2.8"
LABELS = ("basic queries aggregation annotations expressions transactions schema migrations introspection inspectdb backends bulk_create update "
          "delete lookup ordering select_for_update datetimes db_functions model_fields constraints").split()
RETURNING = "only asked of MariaDB, which has INSERT ... RETURNING"
MYSQL = "skipped by Django on MySQL"
EXPLAINED = {
    **{f"queries.test_db_returning.ReturningValuesTests.test_{t}": RETURNING for t in ("bulk_insert", "insert_returning", "insert_returning_multiple", "insert_returning_non_integer")},
    **{f"bulk_create.tests.BulkCreateTests.test_{t}": RETURNING for t in ("nullable_fk_after_parent_bulk_create", "set_pk_and_insert_single_item", "set_pk_and_query_efficiency", "set_state")},
    "aggregation.tests.AggregateTestCase.test_group_by_nested_expression_with_params": "skipped by Django under ONLY_FULL_GROUP_BY, which MySQL has by default",
    **{f"migrations.test_operations.OperationTests.test_invalid_generated_field_changes_on_rename_{t}": MYSQL for t in ("stored", "virtual")},
    **{f"schema.tests.SchemaTests.test_func_{t}_unsupported": "skipped by Django on MySQL, which has indexes of expressions" for t in ("index", "unique_constraint")},
    "select_for_update.tests.SelectForUpdateTests.test_unsupported_of_raises_error": "only for servers without FOR UPDATE OF",
    "backends.mysql.test_introspection.StorageEngineTests.test_get_storage_engine": "ENGINE=MyISAM makes an InnoDB table (docs/compat.md)",
}
# tests/schema/tests.py, test_char_field_with_db_index_to_fk: MariaDB 10.11 sometimes crashes in it (signal 11), and then the rest of `schema` fails there
# MySQLdb's name for PyMySQL; Django asks for the version of mysqlclient
SETTINGS = """
import pymysql
pymysql.version_info = (2, 2, 7, "final", 0)
pymysql.install_as_MySQLdb()
COMMON = dict(ENGINE="django.db.backends.mysql", USER="root", PASSWORD="", HOST={socket!r}, OPTIONS={{"charset": "utf8mb4"}})
DATABASES = {{"default": dict(COMMON, NAME="django", TEST={{"CHARSET": "utf8mb4"}}), "other": dict(COMMON, NAME="other", TEST={{"CHARSET": "utf8mb4"}})}}
SECRET_KEY = "tests"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
USE_TZ = False
"""


def fetch():
    folder = cache("django")
    source = folder / f"django-{VERSION}"
    if not source.is_dir():
        run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "-d", folder, f"Django=={VERSION}")
        with tarfile.open(next(folder.glob("*.tar.gz"))) as tar:
            tar.extractall(folder, filter="data")
    python = folder / "venv/bin/python"
    if not python.exists():
        run(sys.executable, "-m", "venv", folder / "venv")
        run(python, "-m", "pip", "install", "-q", "asgiref", "sqlparse", "PyMySQL==1.1.1", "cryptography", "jinja2", "tblib", "black", "docutils", "pytz")
    return source, python


def outcomes(text):
    out = {}
    for m in re.finditer(r"^(\w+) \(([\w.]+)\)(?:\n.*?)?? \.\.\. (?:.*?)(ok|FAIL|ERROR|skipped|expected failure|unexpected success)", text, re.M | re.S):
        kind = {"ok": "passed", "expected failure": "passed", "skipped": "skipped"}.get(m[3], "failed")
        out[m[2]] = kind
    for m in re.finditer(r"^(?:ERROR|FAIL): (\w+) \(([\w.]+)\)", text, re.M):
        out[m[2]] = "failed"
    return out


def one(kind, source, python, labels, keep):
    server = SERVERS[kind]().start()
    out = {}
    try:
        (source / "tests/evenkeel_settings.py").write_text(SETTINGS.format(socket=server.socket))
        for label in labels:
            if not server.alive():
                print(f"  {kind} died:\n{server.log_tail(1500)}", flush=True)
                server.remove()
                server = SERVERS[kind]().start()
                (source / "tests/evenkeel_settings.py").write_text(SETTINGS.format(socket=server.socket))
            for name in ("test_django", "test_other"):
                server.query(f"DROP DATABASE IF EXISTS {name}")
            try:
                done = subprocess.run([str(python), "runtests.py", "--settings=evenkeel_settings", "--noinput", "--parallel=1", "-v", "2", label], cwd=source / "tests",
                                      env=dict(os.environ, PYTHONPATH=f"{source}:{source}/tests"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1800)
                text = done.stdout
            except subprocess.TimeoutExpired as e:
                text = (e.stdout or b"").decode(errors="replace") + f"\nERROR: timeout ({label}.timeout)\n"
            results = outcomes(text)
            if not results:
                results = {f"{label}.setup": "failed"}
            if keep:
                with open(f"{keep}.{kind}", "a") as f:
                    f.write(f"######## {label}\n{text}")
            count = {k: sum(r == k for r in results.values()) for k in ("passed", "failed", "skipped")}
            print(f"  {kind} {label}: {count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped", flush=True)
            out.update(results)
        return out
    finally:
        server.kill()
        server.remove()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--only")
    p.add_argument("--keep")
    p.add_argument("labels", nargs="*")
    a = p.parse_args()
    source, python = fetch()
    results = {kind: one(kind, source, python, a.labels or LABELS, a.keep) for kind in SERVERS if a.only in (None, kind)}
    if len(results) < 2:
        return 0
    return 0 if compare("Django", results["evenkeel"], results["mariadb"], EXPLAINED) else 1


if __name__ == "__main__":
    sys.exit(main())
