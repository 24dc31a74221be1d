"""What SHOW and CHECK TABLE tell of a table depends on what is granted on it: nothing, one column, the table.

EVENKEEL_MYSQL (scripts/mysql-peer.sh) runs the same beside a real MySQL."""
import os
import pathlib
import sys

import pymysql
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import MySQL, Server  # noqa: E402

KINDS = [Server] + ([MySQL] if os.environ.get("EVENKEEL_MYSQL") and MySQL.folder() else [])
# (statement, who gets what: an error's number and privilege, or how many rows)
TOLD = {
    "SHOW COLUMNS FROM d.t": {"nothing": (1142, "SELECT"), "column": 1, "table": 2},
    "DESCRIBE d.t": {"nothing": (1142, "SELECT"), "column": 1, "table": 2},
    "SHOW INDEX FROM d.t": {"nothing": (1142, "SELECT"), "table": 1},
    "SHOW CREATE TABLE d.t": {"nothing": (1142, "SHOW"), "column": (1142, "SHOW"), "table": 1},
    "CHECK TABLE d.t": {"nothing": (1142, "SELECT"), "column": 1, "table": 1},
    "SHOW CREATE VIEW d.v": {"nothing": (1142, "SELECT"), "view": (1142, "SHOW VIEW")},
}
GRANTS = {
    "nothing": "GRANT SELECT ON d.other TO {}",
    "column": "GRANT INSERT (a) ON d.t TO {}",
    "table": "GRANT SELECT ON d.t TO {}",
    "view": "GRANT SELECT ON d.v TO {}",
}


@pytest.fixture(scope="module", params=KINDS, ids=lambda k: k.name)
def server(request):
    s = request.param().start()
    with s.connect() as c, c.cursor() as cur:
        for sql in ("CREATE DATABASE d", "CREATE TABLE d.t (a INT, b INT, KEY (a))", "CREATE TABLE d.other (a INT)", "CREATE VIEW d.v AS SELECT 1 AS a"):
            cur.execute(sql)
        for who, grant in GRANTS.items():
            cur.execute(f"CREATE USER u_{who}")
            cur.execute(grant.format(f"u_{who}"))
    yield s
    s.stop() if request.param is Server else s.kill()
    s.remove()


@pytest.mark.parametrize("sql", TOLD)
def test_what_is_told(server, sql):
    for who, wanted in TOLD[sql].items():
        with pymysql.connect(unix_socket=server.socket, user=f"u_{who}") as c, c.cursor() as cur:
            try:
                cur.execute(sql)
                got = len(cur.fetchall())
            except pymysql.err.MySQLError as e:
                got = (e.args[0], e.args[1].split(" command denied")[0])
            assert got == wanted, who
