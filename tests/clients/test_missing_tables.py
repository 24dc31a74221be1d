"""Who might not use a table does not learn whether it exists: 1142 instead of 1146 and 1049, as MySQL 9.7 answers the same statements."""
import pymysql
import pytest

from lib.servers import Server

SETUP = """CREATE DATABASE d
CREATE TABLE d.t (a INT)
CREATE USER nobody@localhost, reader@localhost, writer@localhost, target@localhost
GRANT SELECT ON d.* TO reader@localhost
GRANT INSERT ON d.* TO writer@localhost""".splitlines()
DENIED = {
    "SELECT * FROM {}": "SELECT", "SELECT (SELECT a FROM {})": "SELECT", "SELECT * FROM (SELECT * FROM {}) d": "SELECT",
    "WITH c AS (SELECT * FROM {}) SELECT * FROM c": "SELECT", "TABLE {}": "SELECT", "EXPLAIN SELECT * FROM {}": "SELECT",
    "INSERT INTO {} VALUES (1)": "INSERT", "INSERT INTO {} SELECT * FROM d.t": "INSERT", "REPLACE INTO {} VALUES (1)": "INSERT, DELETE",
    "UPDATE {} SET a = 1": "UPDATE", "DELETE FROM {}": "DELETE",
}


@pytest.fixture(scope="module")
def server():
    s = Server()
    try:
        s.start()
        for q in SETUP:
            ask(s, "root", q)
        yield s
    finally:
        s.stop()


def ask(server, user, sql):
    with pymysql.connect(unix_socket=server.socket, user=user) as c, c.cursor() as cur:
        try:
            cur.execute(sql)
            return cur.fetchall()
        except pymysql.MySQLError as e:
            return e.args


@pytest.mark.parametrize("table", ["d.t", "d.none", "none.none"])
@pytest.mark.parametrize("sql", DENIED)
def test_without_rights(server, sql, table):
    name = table.partition(".")[2]
    assert ask(server, "nobody", sql.format(table)) == (1142, f"{DENIED[sql]} command denied to user 'nobody'@'localhost' for table '{name}'")


def test_with_rights(server):
    missing = (1146, "Table 'd.none' doesn't exist")
    assert ask(server, "reader", "SELECT * FROM d.none") == missing
    assert ask(server, "writer", "INSERT INTO d.none VALUES (1)") == missing
    assert ask(server, "root", "UPDATE d.none SET a = 1") == missing
    assert ask(server, "root", "SELECT * FROM none.none") == (1049, "Unknown database 'none'")
    assert ask(server, "writer", "SELECT * FROM d.none") == (1142, "SELECT command denied to user 'writer'@'localhost' for table 'none'")
    assert ask(server, "reader", "DELETE FROM d.none")[0] == 1142


def test_all_that_is_needed(server):
    sql = "INSERT INTO d.t VALUES (1) ON DUPLICATE KEY UPDATE a = 1"
    assert ask(server, "nobody", sql) == (1142, "INSERT, UPDATE command denied to user 'nobody'@'localhost' for table 't'")
    assert ask(server, "writer", sql) == (1142, "UPDATE command denied to user 'writer'@'localhost' for table 't'")


def test_grant(server):
    assert [ask(server, "nobody", f"GRANT SELECT ON {t} TO target@localhost")[0] for t in ("d.t", "d.none", "none.none")] == [1142] * 3
    assert ask(server, "root", "GRANT SELECT ON d.none TO target@localhost")[0] == 1146
