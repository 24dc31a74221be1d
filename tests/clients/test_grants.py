"""What partial revokes, GRANT ... AS and PROXY let the sessions of other accounts do (manual, "Privilege Restriction Using Partial Revokes")."""
import pymysql
import pytest
from lib.servers import Server


@pytest.fixture(scope="module")
def server():
    s = Server().start()
    yield s
    s.kill()
    s.remove()


def run(server, user, *statements):
    """The error's number, or None, of each statement of one session."""
    out = []
    with server.connect(user=user, password="" if user == "root" else "x") as c, c.cursor() as cur:
        for s in statements:
            try:
                cur.execute(s)
                out.append(None)
            except pymysql.err.MySQLError as e:
                out.append(e.args[0])
    return out


def root(server, *statements):
    assert run(server, "root", *statements) == [None] * len(statements)


def test_restrictions_count_everywhere(server):
    root(server, "SET GLOBAL partial_revokes = ON", "CREATE DATABASE d1", "CREATE DATABASE d2", "CREATE TABLE d1.t (a INT)",
         "CREATE TABLE d2.t (a INT)", "CREATE VIEW d2.v AS SELECT * FROM d1.t", "CREATE USER u1 IDENTIFIED BY 'x'",
         "GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, CREATE USER ON *.* TO u1 WITH GRANT OPTION", "REVOKE SELECT, CREATE ON d1.* FROM u1")
    tried = ["SELECT * FROM d1.t", "SELECT * FROM d2.t", "INSERT INTO d1.t VALUES (1)", "UPDATE d1.t SET a = a + 1", "SELECT * FROM d2.v", "CREATE TABLE d1.n (a INT)",
             "CREATE TABLE d2.n (a INT)", "DELETE FROM d1.t", "USE d1", "CREATE USER u2 IDENTIFIED BY 'x'", "GRANT SELECT ON d1.* TO u2", "GRANT SELECT ON *.* TO u2"]
    assert run(server, "u1", *tried) == [1142, None, None, 1142, None, 1142, None, None, None, None, 1044, None]
    # what was lent is restricted too
    assert run(server, "u2", "SELECT * FROM d1.t", "SELECT * FROM d2.t") == [1142, None]
    # and granting there lifts the restriction
    root(server, "GRANT SELECT ON d1.* TO u2")
    assert run(server, "u2", "SELECT * FROM d1.t") == [None]


def test_roles_without_restriction_free_an_account(server):
    root(server, "CREATE USER u3 IDENTIFIED BY 'x'", "CREATE ROLE r", "GRANT SELECT ON *.* TO u3, r", "REVOKE SELECT ON d1.* FROM u3", "REVOKE SELECT ON d2.* FROM r",
         "GRANT r TO u3")
    both = ["SELECT * FROM d1.t", "SELECT * FROM d2.t"]
    assert run(server, "u3", *both, "SET ROLE r", *both) == [1142, None, None, None, None]


def test_names_are_no_patterns(server):
    root(server, "CREATE USER u4 IDENTIFIED BY 'x'", "GRANT SELECT ON `d_`.* TO u4")
    assert run(server, "u4", "SELECT * FROM d1.t") == [1142]
    assert run(server, "root", "SET GLOBAL partial_revokes = OFF") == [3896]


def test_they_outlive_a_restart(server):
    server.stop()
    server.start()
    with server.connect() as c, c.cursor() as cur:
        cur.execute("SELECT @@partial_revokes")
        assert cur.fetchone() == (1,)
    assert run(server, "u1", "SELECT * FROM d1.t", "SELECT * FROM d2.t") == [1142, None]


def test_proxy_is_lent_by_who_has_it(server):
    root(server, "CREATE USER p1 IDENTIFIED BY 'x'", "CREATE USER p2 IDENTIFIED BY 'x'")
    assert run(server, "p1", "GRANT PROXY ON p2 TO p1", "GRANT PROXY ON p1 TO p2") == [1698, None]
    root(server, "GRANT PROXY ON u1 TO p1 WITH GRANT OPTION")
    assert run(server, "p1", "GRANT PROXY ON u1 TO p2", "GRANT PROXY ON u3 TO p2", "REVOKE PROXY ON u1 FROM p2") == [None, 1698, None]
