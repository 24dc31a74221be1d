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
    # whether there is such a table is told to anybody
    "SHOW COLUMNS FROM d.gone": {"nothing": (1146, "Table 'd.gone' doesn't exist")},
    "SHOW INDEX FROM d.gone": {"nothing": (1146, "Table 'd.gone' doesn't exist")},
    "DESCRIBE nodb.t": {"nothing": (1049, "Unknown database 'nodb'")},
    "SHOW COLUMNS FROM information_schema.gone": {"nothing": (1109, "Unknown table 'GONE' in information_schema")},
    # 1044 names the account
    "DELETE FROM information_schema.tables": {"nothing": (1044, "Access denied for user 'u_nothing'@'%' to database 'information_schema'")},
    "LOCK TABLES d.t READ": {"nothing": (1044, "Access denied for user 'u_nothing'@'%' to database 'd'")},
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


def test_lock_tables(server):
    """LOCK TABLES on the database (1044) and SELECT on the table (1142), whatever there is."""
    with server.connect() as root, root.cursor() as cur:
        cur.execute("CREATE USER u_lock")

        def locked(table):
            with pymysql.connect(unix_socket=server.socket, user="u_lock") as c, c.cursor() as cur:
                try:
                    cur.execute(f"LOCK TABLES d.{table} WRITE")
                    return 0
                except pymysql.err.MySQLError as e:
                    return e.args[0]

        assert (locked("t"), locked("missing")) == (1044, 1044)
        cur.execute("GRANT SELECT ON d.t TO u_lock")
        assert locked("t") == 1044
        cur.execute("GRANT LOCK TABLES ON d.* TO u_lock")
        assert (locked("t"), locked("other"), locked("missing")) == (0, 1142, 1142)
        cur.execute("GRANT SELECT ON d.* TO u_lock")
        assert (locked("other"), locked("missing")) == (0, 1146)


ON_COLUMNS = {"SELECT", "INSERT", "UPDATE", "REFERENCES"}
ON_TABLES = ON_COLUMNS | {"DELETE", "CREATE", "DROP", "INDEX", "ALTER", "CREATE VIEW", "SHOW VIEW", "TRIGGER"}
ON_DATABASES = ON_TABLES | {"LOCK TABLES", "EXECUTE", "CREATE TEMPORARY TABLES", "EVENT", "CREATE ROUTINE", "ALTER ROUTINE"}
ELSEWHERE = {"SHOW DATABASES", "PROCESS", "RELOAD", "FILE", "CREATE USER"}
LEVELS = [("*.*", p) for p in sorted(ON_DATABASES | ELSEWHERE | {"GRANT OPTION"})] + [("d.*", p) for p in sorted(ON_DATABASES | {"GRANT OPTION"})] + [
    ("d.t", p) for p in sorted(ON_TABLES | {"GRANT OPTION"})] + [("d.t (a)", p) for p in sorted(ON_COLUMNS)]


@pytest.mark.parametrize("level, privilege", LEVELS, ids=lambda x: x.replace(" ", "_"))
def test_what_each_privilege_shows(server, level, privilege):
    """Measured on MySQL for each privilege: what its holder sees of a database, a table and its columns."""
    with server.connect() as c, c.cursor() as cur:
        cur.execute("DROP USER IF EXISTS one")
        cur.execute("CREATE USER one")
        column = level.endswith("(a)")
        cur.execute(f"GRANT {privilege + ' (a)' if column else privilege} ON {level.split()[0]} TO one")
    # the columns with what may be done with them
    columns = [("a", privilege.lower())] + ([] if column else [("b", privilege.lower())]) if privilege in ON_COLUMNS else []
    table = privilege in ON_TABLES or level.startswith("d.t")
    database = privilege in ON_DATABASES or level.startswith("d.t")
    told = privilege == "SELECT" or level.startswith("d.t")
    known = database or level == "d.*" or privilege == "SHOW DATABASES"
    with pymysql.connect(unix_socket=server.socket, user="one") as c, c.cursor() as cur:
        def q(sql):
            try:
                cur.execute(sql)
                return cur.fetchall()
            except pymysql.err.MySQLError as e:
                return e.args[0]

        of_table = "FROM information_schema.{} WHERE TABLE_SCHEMA = 'd' AND TABLE_NAME = 't'"
        assert list(q("SELECT COLUMN_NAME, PRIVILEGES " + of_table.format("COLUMNS") + " ORDER BY ORDINAL_POSITION")) == columns
        assert len(q("SELECT 1 " + of_table.format("TABLES"))) == table
        assert len(q("SELECT 1 " + of_table.format("STATISTICS"))) == table
        names = [r[0] for r in q("SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = 'd'")]
        assert names == (["d"] if known else [])
        got = q("SHOW FULL COLUMNS FROM d.t")
        assert got == 1142 if not told else [(r[0], r[7]) for r in got] == columns
        got = q("SHOW INDEX FROM d.t")
        assert got == 1142 if not told else len(got) == 1
        got = q("SHOW CREATE TABLE d.t")
        assert got == 1142 if column or privilege not in ON_TABLES else len(got) == 1
        if level != "d.t" or privilege != "GRANT OPTION":
            got = q("SHOW TABLES FROM d")
            assert got == 1044 if not database else ("t" in [r[0] for r in got]) == table
            assert q("SHOW CREATE DATABASE d") == 1044 if not database else len(q("SHOW CREATE DATABASE d")) == 1


@pytest.mark.parametrize("security", ["DEFINER", "INVOKER"])
@pytest.mark.parametrize("broken", ["ALTER TABLE w.canary_table DROP COLUMN canary_column", "DROP TABLE w.canary_table"])
def test_a_broken_view_does_not_say_what_it_reads(server, security, broken):
    """Who may SELECT from a view, and nothing else, learns from no statement which tables and columns stand behind it."""
    with server.connect() as c, c.cursor() as root:
        for sql in ("DROP DATABASE IF EXISTS w", "CREATE DATABASE w", "CREATE TABLE w.canary_table (id INT PRIMARY KEY, canary_column INT)",
                    f"CREATE SQL SECURITY {security} VIEW w.v AS SELECT id FROM w.canary_table WHERE canary_column > 1", "DROP USER IF EXISTS viewer",
                    "CREATE USER viewer IDENTIFIED BY 'pw'", "GRANT SELECT ON w.v TO viewer", broken):
            root.execute(sql)
    told = []
    with server.connect(user="viewer", password="pw") as c, c.cursor() as cur:
        for sql in ("SELECT * FROM w.v", "CHECK TABLE w.v", "CHECK TABLE w.v EXTENDED", "ANALYZE TABLE w.v", "CHECKSUM TABLE w.v", "DESCRIBE w.v", "SHOW FULL COLUMNS FROM w.v",
                    "SHOW INDEX FROM w.v", "SHOW TABLE STATUS FROM w", "SHOW CREATE VIEW w.v", "EXPLAIN SELECT * FROM w.v", "HANDLER w.v OPEN", "LOCK TABLES w.v READ",
                    "PREPARE p FROM 'SELECT * FROM w.v'", "UPDATE w.v SET id = 1", "DO (SELECT COUNT(*) FROM w.v)", "CREATE TEMPORARY TABLE w.t LIKE w.v",
                    "SELECT * FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'w'", "SELECT * FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'w'",
                    "SELECT * FROM information_schema.VIEWS WHERE TABLE_SCHEMA = 'w'", "SELECT * FROM information_schema.VIEW_TABLE_USAGE WHERE TABLE_SCHEMA = 'w'"):
            for asked in (sql, "SHOW WARNINGS"):
                try:
                    cur.execute(asked)
                    answer = cur.fetchall()
                except pymysql.MySQLError as e:
                    answer = e.args
                if "canary" in str(answer):
                    told.append((sql, asked, answer))
    assert not told
