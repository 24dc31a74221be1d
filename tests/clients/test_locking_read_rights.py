"""FOR UPDATE needs one of UPDATE, DELETE and LOCK TABLES besides SELECT, FOR SHARE does not (manual, "Locking Reads"); through a view the view's
definer needs it for the table, and who asks for the view.
"""
import pymysql
import pytest

from lib.servers import Server

SETUP = """CREATE DATABASE d
CREATE TABLE d.t (a INT PRIMARY KEY, b INT)
INSERT INTO d.t VALUES (1, 1)
CREATE VIEW d.v AS SELECT * FROM d.t
CREATE VIEW d.n AS SELECT COUNT(*) c FROM d.t
CREATE USER reader@localhost, writer@localhost, locker@localhost, deleter@localhost, viewer@localhost
GRANT SELECT ON d.t TO reader@localhost
GRANT SELECT, UPDATE (b) ON d.t TO writer@localhost
GRANT SELECT, LOCK TABLES ON d.* TO locker@localhost
GRANT SELECT, DELETE ON d.t TO deleter@localhost
GRANT SELECT ON d.v TO viewer@localhost
GRANT SELECT ON d.n TO viewer@localhost""".splitlines()
UPDATES = ["SELECT a FROM {} FOR UPDATE", "SELECT a FROM (SELECT a FROM {} FOR UPDATE) x", "SELECT (SELECT MAX(a) FROM {} FOR UPDATE)",
           "SELECT {0}.a FROM {0}, (SELECT 1) x FOR UPDATE OF {0}"]


@pytest.fixture(scope="module")
def server():
    s = Server()
    try:
        s.start()
        for q in SETUP:
            s.query(q)
        yield s
    finally:
        s.remove()


def ask(server, user, sql):
    with server.connect(user=user, database="d") as c, c.cursor() as cursor:
        try:
            cursor.execute(sql)
            return cursor.fetchall()
        except pymysql.MySQLError as e:
            return e.args


@pytest.mark.parametrize("sql", UPDATES)
def test_for_update(server, sql):
    sql = sql.format("t")
    assert ask(server, "reader", sql) == (1142, "SELECT with locking clause command denied to user 'reader'@'localhost' for table 't'")
    for user in ("writer", "locker", "deleter"):
        assert ask(server, user, sql) == ((1,),), user


def test_for_share_needs_select_only(server):
    for sql in ("SELECT a FROM t FOR SHARE", "SELECT a FROM t LOCK IN SHARE MODE"):
        assert ask(server, "reader", sql) == ((1,),)


@pytest.mark.parametrize("view", ["v", "n"])
def test_views(server, view):
    assert ask(server, "viewer", f"SELECT 1 FROM {view} FOR UPDATE") == (
        1142, f"SELECT with locking clause command denied to user 'viewer'@'localhost' for table '{view}'")
    assert ask(server, "viewer", f"SELECT 1 FROM {view} FOR SHARE") == ((1,),)
    assert ask(server, "locker", f"SELECT 1 FROM {view} FOR UPDATE") == ((1,),)
