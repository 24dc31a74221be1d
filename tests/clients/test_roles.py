"""Roles and column privileges, as the manual describes them ("Using Roles", "Privileges Provided by MySQL", GRANT, SET ROLE ...)."""
import pymysql
import pytest
from lib.servers import Server


@pytest.fixture(scope="module")
def server():
    s = Server().start()
    yield s
    s.kill()
    s.remove()


class Client:
    """One connection; `q` gives rows, `fails` the error's number and text."""

    def __init__(self, server, user="root", **kw):
        self.c = server.connect(user=user, autocommit=True, **({"password": "x"} if user != "root" else {}), **kw)

    def q(self, sql):
        with self.c.cursor() as cur:
            cur.execute(sql)
            return list(cur.fetchall())

    def one(self, sql):
        return self.q(sql)[0][0]

    def fails(self, sql, code, text=""):
        with pytest.raises(pymysql.err.MySQLError) as e:
            self.q(sql)
        assert e.value.args[0] == code, e.value
        assert text in e.value.args[1], e.value

    def grants(self, of=""):
        return [r[0] for r in self.q("SHOW GRANTS " + of)]


@pytest.fixture
def root(server):
    r = Client(server)
    r.q("SET GLOBAL mandatory_roles = ''")
    r.q("SET GLOBAL activate_all_roles_on_login = OFF")
    for user, host in r.q("SELECT user, host FROM mysql.user WHERE user <> 'root'"):
        r.q(f"DROP USER `{user}`@`{host}`")
    r.q("DROP DATABASE IF EXISTS app")
    r.q("CREATE DATABASE app")
    r.q("CREATE TABLE app.t (a INT, b INT, c INT)")
    r.q("INSERT INTO app.t VALUES (1, 2, 3)")
    yield r
    r.c.close()


def test_example_of_the_manual(server, root):
    root.q("CREATE ROLE 'app_developer', 'app_read', 'app_write'")
    root.q("GRANT ALL ON app.* TO 'app_developer'")
    root.q("GRANT SELECT ON app.* TO 'app_read'")
    root.q("GRANT INSERT, UPDATE, DELETE ON app.* TO 'app_write'")
    root.q("CREATE USER 'rw'@'localhost' IDENTIFIED BY 'x'")
    root.q("GRANT 'app_read', 'app_write' TO 'rw'@'localhost'")
    assert root.grants("FOR 'rw'@'localhost'") == ["GRANT USAGE ON *.* TO `rw`@`localhost`",
                                                   "GRANT `app_read`@`%`,`app_write`@`%` TO `rw`@`localhost`"]
    assert root.grants("FOR 'rw'@'localhost' USING 'app_read'")[1] == "GRANT SELECT ON `app`.* TO `rw`@`localhost`"
    assert root.grants("FOR 'rw'@'localhost' USING 'app_read', 'app_write'")[1] == "GRANT SELECT, INSERT, UPDATE, DELETE ON `app`.* TO `rw`@`localhost`"
    root.fails("SHOW GRANTS FOR 'rw'@'localhost' USING app_developer", 3530, "`app_developer`@`%` is not granted to `rw`@`localhost`")
    u = Client(server, "rw")
    assert u.one("SELECT CURRENT_ROLE()") == "NONE"
    u.fails("SELECT * FROM app.t", 1142)
    u.fails("USE app", 1044)
    u.q("SET ROLE app_read")
    assert u.one("SELECT CURRENT_ROLE()") == "`app_read`@`%`"
    assert u.q("SELECT * FROM app.t") == [(1, 2, 3)]
    u.fails("DELETE FROM app.t", 1142)
    assert "GRANT SELECT ON `app`.* TO `rw`@`localhost`" in u.grants()
    u.q("SET ROLE ALL EXCEPT app_read")
    assert u.one("SELECT CURRENT_ROLE()") == "`app_write`@`%`"
    u.q("INSERT INTO app.t VALUES (4, 5, 6)")
    u.q("SET ROLE ALL")
    assert u.one("SELECT CURRENT_ROLE()") == "`app_read`@`%`,`app_write`@`%`"
    u.q("SET ROLE NONE")
    assert u.one("SELECT CURRENT_ROLE()") == "NONE"
    u.fails("SET ROLE app_developer", 3530, "`app_developer`@`%` is not granted to `rw`@`localhost`")
    # default roles
    u.q("SET DEFAULT ROLE app_read TO rw@localhost")
    assert u.one("SELECT CURRENT_ROLE()") == "NONE"
    u.q("SET ROLE DEFAULT")
    assert u.one("SELECT CURRENT_ROLE()") == "`app_read`@`%`"
    v = Client(server, "rw")
    assert v.one("SELECT CURRENT_ROLE()") == "`app_read`@`%`" and v.one("SELECT COUNT(*) FROM app.t") == 2
    assert "DEFAULT ROLE `app_read`@`%` REQUIRE" in root.one("SHOW CREATE USER rw@localhost")
    # what is revoked is gone at once, and so is the default
    root.q("REVOKE app_read FROM rw@localhost")
    v.fails("SELECT * FROM app.t", 1142)
    assert v.one("SELECT CURRENT_ROLE()") == "NONE"
    assert root.q("SELECT * FROM mysql.default_roles") == ()  or root.q("SELECT * FROM mysql.default_roles") == []
    assert root.q("SELECT from_user, to_user, with_admin_option FROM mysql.role_edges") == [("app_write", "rw", "N")]


def test_roles_in_the_schema(server, root):
    root.q("CREATE ROLE r1, r2, m")
    root.q("CREATE USER u IDENTIFIED BY 'x' DEFAULT ROLE r1")
    root.q("GRANT r2 TO r1 WITH ADMIN OPTION")
    root.q("GRANT SELECT ON app.t TO r2")
    root.q("GRANT UPDATE (b) ON app.t TO r1")
    root.q("SET GLOBAL mandatory_roles = '`m`@`%`, nosuch'")
    u = Client(server, "u")
    assert u.one("SELECT CURRENT_ROLE()") == "`r1`@`%`"
    rows = u.q("SELECT grantee, role_name, is_grantable, is_default, is_mandatory FROM information_schema.applicable_roles ORDER BY 1, 2")
    assert rows == [("r1", "r2", "YES", "NO", "NO"), ("u", "m", "NO", "NO", "YES"), ("u", "r1", "NO", "YES", "NO")]
    assert u.q("SELECT role_name FROM information_schema.administrable_role_authorizations") == [("r2",)]
    assert u.q("SELECT role_name, is_default FROM information_schema.enabled_roles ORDER BY 1") == [("r1", "YES")]  # not those granted to them: MySQL 9.7
    assert u.q("SELECT grantee, table_name, privilege_type FROM information_schema.role_table_grants") == [("r2", "t", "Select")]
    assert u.q("SELECT grantee, column_name, privilege_type FROM information_schema.role_column_grants") == [("r1", "b", "Update")]
    # through a role of a role
    assert u.q("SELECT a FROM app.t") == [(1,)]
    u.q("UPDATE app.t SET b = a + 10 WHERE a = 1")
    u.fails("UPDATE app.t SET c = 1", 1143, "UPDATE command denied to user 'u'@'localhost' for column 'c' in table 't'")
    u.q("SET ROLE ALL")
    assert u.one("SELECT CURRENT_ROLE()") == "`m`@`%`,`r1`@`%`"
    root.fails("DROP ROLE m", 3628)
    root.fails("REVOKE m FROM u", 3628)
    root.fails("SET GLOBAL mandatory_roles = 'a b'", 1231)
    root.q("SET GLOBAL activate_all_roles_on_login = ON")
    assert Client(server, "u").one("SELECT CURRENT_ROLE()") == "`m`@`%`,`r1`@`%`"


def test_errors(server, root):
    root.q("CREATE ROLE r1, r2")
    root.fails("CREATE ROLE r1", 1396, "Operation CREATE ROLE failed for 'r1'@'%'")
    root.q("CREATE ROLE IF NOT EXISTS r1")
    assert root.q("SHOW WARNINGS") == [("Note", 3163, "Authorization ID 'r1'@'%' already exists.")]
    root.fails("DROP ROLE nosuch", 1396, "Operation DROP ROLE failed for 'nosuch'@'%'")
    root.q("DROP ROLE IF EXISTS nosuch")
    assert root.q("SHOW WARNINGS") == [("Note", 3162, "Authorization ID 'nosuch'@'%' does not exist.")]
    root.fails("GRANT rx TO nobody", 3523, "Unknown authorization ID `nobody`@`%`")
    root.fails("GRANT rx TO r1", 3523, "Unknown authorization ID `rx`@`%`")
    root.q("GRANT r1 TO r2")
    root.fails("GRANT r2 TO r1", 4027, "User account `r1`@`%` is directly or indirectly granted to the role `r2`@`%`")
    root.fails("GRANT r1 TO r1", 4027)
    root.fails("SET DEFAULT ROLE r1 TO nobody", 3523)
    root.q("CREATE USER u IDENTIFIED BY 'x'")
    root.fails("SET DEFAULT ROLE r1 TO u", 3530)
    root.fails("CREATE USER u2 DEFAULT ROLE nosuch", 3162)
    # a role is a locked account
    with pytest.raises(pymysql.err.OperationalError) as e:
        server.connect(user="r1")
    assert e.value.args[0] in (1045, 3118)
    u = Client(server, "u")
    u.fails("CREATE ROLE x", 1227)
    u.fails("DROP ROLE r1", 1227)
    u.fails("GRANT r1 TO u", 1227, "WITH ADMIN, ROLE_ADMIN, SUPER")
    u.fails("SET DEFAULT ROLE NONE TO r1", 1227)
    u.fails("SHOW GRANTS FOR r1", 1142)
    root.q("GRANT r2 TO u WITH ADMIN OPTION")
    root.q("CREATE USER w IDENTIFIED BY 'x'")
    u.q("GRANT r2 TO w")
    u.fails("GRANT r1 TO w", 1227)
    assert root.grants("FOR u")[-1] == "GRANT `r2`@`%` TO `u`@`%` WITH ADMIN OPTION"
    u.q("SET DEFAULT ROLE ALL TO u")
    # a user can serve as a role
    root.q("GRANT SELECT ON app.* TO w")
    root.q("CREATE USER z IDENTIFIED BY 'x'")
    root.q("GRANT w TO z")
    z = Client(server, "z")
    z.q("SET ROLE w")
    assert z.one("SELECT a FROM app.t") == 1
    # what is granted to somebody keeps its name; dropped ones
    root.fails("RENAME USER w TO w2", 3532)
    root.q("DROP ROLE r1, r2")
    assert root.q("SELECT from_user, to_user FROM mysql.role_edges") == [("w", "z")]
    root.q("RENAME USER z TO z2, z2 TO z")
    assert root.q("SELECT from_user, to_user FROM mysql.role_edges") == [("w", "z")]
    root.q("ALTER USER z DEFAULT ROLE w")
    assert Client(server, "z").one("SELECT CURRENT_ROLE()") == "`w`@`%`"
    root.fails("REVOKE nosuch FROM z", 3523)
    root.q("REVOKE IF EXISTS nosuch FROM z IGNORE UNKNOWN USER")


def test_roles_survive_a_restart():
    s = Server().start()
    try:
        r = Client(s)
        r.q("CREATE ROLE r")
        r.q("CREATE USER u IDENTIFIED BY 'x' DEFAULT ROLE r")
        r.q("CREATE DATABASE d")
        r.q("CREATE TABLE d.t (a INT, b INT)")
        r.q("GRANT SELECT (a) ON d.t TO r")
        s.kill()
        s.start()
        u = Client(s, "u")
        assert u.one("SELECT CURRENT_ROLE()") == "`r`@`%`"
        u.q("SELECT a FROM d.t")
        u.fails("SELECT b FROM d.t", 1143)
    finally:
        s.kill()
        s.remove()


def test_column_privileges(server, root):
    root.q("CREATE USER u IDENTIFIED BY 'x'")
    root.q("GRANT SELECT (a, b), INSERT (a), UPDATE (B), REFERENCES (a) ON app.t TO u")
    assert root.grants("FOR u")[1] == "GRANT SELECT (`a`, `b`), INSERT (`a`), UPDATE (`b`), REFERENCES (`a`) ON `app`.`t` TO `u`@`%`" or \
        root.grants("FOR u")[1] == "GRANT SELECT (`a`, `b`), INSERT (`a`), UPDATE (`B`), REFERENCES (`a`) ON `app`.`t` TO `u`@`%`"
    rows = root.q("SELECT column_name, privilege_type, is_grantable FROM information_schema.column_privileges ORDER BY 1, 2")
    assert ("a", "SELECT", "NO") in rows and ("b", "UPDATE", "NO") in rows and len(rows) == 5
    u = Client(server, "u")
    u.q("USE app")
    assert u.q("SELECT a, b FROM t") == [(1, 2)]
    assert u.one("SELECT COUNT(*) FROM t") == 1
    denied = "SELECT command denied to user 'u'@'localhost' for column 'c' in table 't'"
    for sql in ("SELECT c FROM t", "SELECT a FROM t WHERE c = 3", "SELECT a FROM t ORDER BY c", "SELECT a FROM t GROUP BY a HAVING MAX(c) > 1", "SELECT t.a FROM t JOIN t x ON x.c = t.a",
                "SELECT (SELECT c FROM t)", "SELECT a FROM t WHERE a IN (SELECT c FROM t)", "SELECT * FROM (SELECT a, c FROM t) d", "SELECT 1 FROM t JOIN t x USING (c)",
                "WITH w AS (SELECT c FROM t) SELECT 1 FROM w", "SELECT a FROM t UNION SELECT c FROM t", "SELECT SUM(a) OVER (PARTITION BY c) FROM t",
                "UPDATE t SET b = c", "UPDATE t SET b = 1 WHERE c = 1", "INSERT INTO t (a) SELECT c FROM t", "EXPLAIN SELECT c FROM t"):
        u.fails(sql, 1143, denied)
    u.fails("SELECT * FROM t", 1142, "SELECT command denied to user 'u'@'localhost' for table 't'")
    u.fails("SELECT t.* FROM t", 1142)
    u.fails("SELECT a FROM t NATURAL JOIN (SELECT c FROM t) d", 1143)
    u.q("INSERT INTO t (a) VALUES (7)")
    u.fails("INSERT INTO t (a, b) VALUES (7, 8)", 1143, "INSERT command denied to user 'u'@'localhost' for column 'b' in table 't'")
    u.fails("INSERT INTO t VALUES (7, 8, 9)", 1142)
    u.q("UPDATE t SET b = 70 WHERE a = 7")
    u.fails("UPDATE t SET a = 1", 1143, "UPDATE command denied to user 'u'@'localhost' for column 'a' in table 't'")
    u.fails("UPDATE t SET b = 1, c = 2", 1143)
    u.fails("DELETE FROM t", 1142, "DELETE command denied")
    u.fails("REPLACE INTO t (a) VALUES (1)", 1142, "DELETE command denied")
    u.fails("INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE c = 1", 1143, "UPDATE command denied")
    u.q("INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE b = 1")
    u.fails("ANALYZE TABLE t", 1142)
    # prepared statements
    u.fails("PREPARE p FROM 'SELECT c FROM t'", 1143)
    u.q("PREPARE p FROM 'SELECT b FROM t WHERE a = 7'")
    assert u.q("EXECUTE p") == [(70,)]
    # what can be seen
    assert u.q("SELECT column_name FROM information_schema.columns WHERE table_name = 't' ORDER BY 1") == [("a",), ("b",)]
    assert [r[0] for r in u.q("SHOW COLUMNS FROM t")] == ["a", "b"]
    assert u.q("SHOW TABLES") == [("t",)]
    # taken back
    root.q("REVOKE SELECT (b) ON app.t FROM u")
    u.fails("EXECUTE p", 1143)
    u.fails("SELECT b FROM t", 1143)
    root.q("REVOKE SELECT ON app.t FROM u")
    u.fails("SELECT a FROM t", 1142)
    root.q("REVOKE ALL ON app.t FROM u")
    assert root.grants("FOR u") == ["GRANT USAGE ON *.* TO `u`@`%`"]
    # table and column privileges together
    root.q("GRANT SELECT, UPDATE (a) ON app.t TO u WITH GRANT OPTION")
    assert root.grants("FOR u")[1] == "GRANT SELECT, UPDATE (`a`) ON `app`.`t` TO `u`@`%` WITH GRANT OPTION"
    u.q("UPDATE t SET a = c")
    root.q("CREATE USER v IDENTIFIED BY 'x'")
    u.q("GRANT UPDATE (a) ON app.t TO v")
    u.fails("GRANT UPDATE (b) ON app.t TO v", 1143)
    u.fails("GRANT UPDATE ON app.t TO v", 1142)
    # not on columns
    root.fails("GRANT SELECT (a) ON app.* TO u", 1144)
    root.fails("GRANT DELETE (a) ON app.t TO u", 1144)
    root.fails("GRANT SELECT (nosuch) ON app.t TO u", 1054)


def test_update_without_reading_needs_no_select(server, root):
    root.q("CREATE USER u IDENTIFIED BY 'x'")
    root.q("GRANT UPDATE (a), INSERT ON app.t TO u")
    u = Client(server, "u")
    u.q("UPDATE app.t SET a = 5")
    u.fails("UPDATE app.t SET a = b", 1142, "SELECT command denied")
    u.fails("UPDATE app.t SET a = 5 WHERE b = 1", 1142, "SELECT command denied")
    u.fails("SELECT 1 FROM app.t", 1142)


def test_views_use_the_definers_columns(server, root):
    root.q("CREATE USER d IDENTIFIED BY 'x'")
    root.q("CREATE USER u IDENTIFIED BY 'x'")
    root.q("GRANT SELECT (a), CREATE VIEW ON app.t TO d")
    root.q("GRANT CREATE VIEW, SELECT ON app.v TO d") if False else root.q("CREATE DATABASE IF NOT EXISTS views")
    root.q("GRANT ALL ON views.* TO d")
    root.q("GRANT SELECT ON views.* TO u")
    d = Client(server, "d")
    d.q("CREATE OR REPLACE VIEW views.v AS SELECT a FROM app.t")
    u = Client(server, "u")
    assert u.q("SELECT * FROM views.v") == [(1,)]
    root.q("REVOKE SELECT (a) ON app.t FROM d")
    u.fails("SELECT * FROM views.v", 1356)
    root.q("DROP DATABASE views")


def test_column_privileges_on_views(server, root):
    root.q("CREATE VIEW app.v AS SELECT a AS x, b AS y, c AS z FROM app.t")
    root.q("CREATE VIEW app.m AS SELECT a, MAX(b) AS top FROM app.t GROUP BY a")
    root.q("CREATE USER u IDENTIFIED BY 'x'")
    root.fails("GRANT SELECT (a) ON app.v TO u", 1054)
    root.fails("GRANT SELECT (nosuch) ON app.m TO u", 1054)
    root.q("GRANT SELECT (x, y), INSERT (x), UPDATE (y) ON app.v TO u")
    root.q("GRANT SELECT (top) ON app.m TO u")
    assert "GRANT SELECT (`x`, `y`), INSERT (`x`), UPDATE (`y`) ON `app`.`v` TO `u`@`%`" in root.grants("FOR u")
    u = Client(server, "u", database="app")
    # the table itself is not granted
    u.fails("SELECT a FROM t", 1142)
    assert u.q("SELECT x FROM v") == [(1,)]
    assert u.q("SELECT x + y AS s FROM v AS w WHERE w.y > 0 ORDER BY w.x") == [(3,)]
    denied = "SELECT command denied to user 'u'@'localhost' for column 'z' in table 'v'"
    u.fails("SELECT z FROM v", 1143, denied)
    u.fails("SELECT x FROM v WHERE z = 3", 1143, denied)
    u.fails("SELECT x FROM v ORDER BY z", 1143, denied)
    u.fails("SELECT COUNT(*) FROM v GROUP BY z", 1143, denied)
    u.fails("SELECT (SELECT MAX(z) FROM v)", 1143, denied)
    u.fails("SELECT 1 FROM v AS q JOIN v AS r USING (z)", 1143, denied)
    u.fails("SELECT * FROM v", 1142, "SELECT command denied to user 'u'@'localhost' for table 'v'")
    u.fails("TABLE v", 1142)
    assert u.q("SELECT COUNT(*) FROM v") == [(1,)]
    # a view that is not merged
    assert u.q("SELECT top FROM m") == [(2,)]
    u.fails("SELECT a FROM m", 1143, "for column 'a' in table 'm'")
    u.fails("SELECT * FROM m", 1142)
    # prepared statements and plans kept from before
    u.q("PREPARE p FROM 'SELECT y FROM v'")
    assert u.q("EXECUTE p") == [(2,)]
    root.q("REVOKE SELECT (y) ON app.v FROM u")
    u.fails("EXECUTE p", 1143)
    root.q("GRANT SELECT (y) ON app.v TO u")
    assert u.q("EXECUTE p") == [(2,)]
    # changes
    u.q("INSERT INTO v (x) VALUES (10)")
    u.fails("INSERT INTO v (x, y) VALUES (1, 2)", 1143, "INSERT command denied to user 'u'@'localhost' for column 'y' in table 'v'")
    u.fails("INSERT INTO v VALUES (1, 2, 3)", 1142, "INSERT command denied")
    u.q("UPDATE v SET y = 5 WHERE x = 10")
    u.q("UPDATE v SET y = x + 1 WHERE x = 10")
    u.fails("UPDATE v SET x = 5", 1143, "UPDATE command denied to user 'u'@'localhost' for column 'x' in table 'v'")
    u.fails("UPDATE v SET y = z", 1143, "SELECT command denied")
    u.fails("INSERT INTO v (x) VALUES (1) ON DUPLICATE KEY UPDATE x = 2", 1143, "UPDATE command denied")
    u.q("INSERT INTO v (x) VALUES (11) ON DUPLICATE KEY UPDATE y = 2")
    u.fails("DELETE FROM v", 1142, "DELETE command denied")
    u.fails("REPLACE INTO v (x) VALUES (1)", 1142, "DELETE command denied")
    assert u.q("SELECT column_name FROM information_schema.columns WHERE table_schema = 'app' AND table_name = 'v' ORDER BY 1") == [("x",), ("y",)]
    root.q("GRANT DELETE ON app.v TO u")
    u.fails("DELETE FROM v WHERE z = 1", 1143, denied)
    u.q("DELETE FROM v WHERE x = 11")
    assert root.q("SELECT a, b, c FROM app.t ORDER BY a") == [(1, 2, 3), (10, 11, None)]
    # through a role, and a view of a view: its definer's privileges on the inner one's columns
    root.q("REVOKE ALL ON app.v FROM u")
    u.fails("SELECT x FROM v", 1142)
    root.q("CREATE ROLE r")
    root.q("GRANT SELECT (x) ON app.v TO r")
    root.q("GRANT r TO u")
    u.q("SET ROLE r")
    assert u.q("SELECT x FROM v ORDER BY x") == [(1,), (10,)]
    u.fails("SELECT y FROM v", 1143)
    u.q("SET ROLE NONE")
    root.q("CREATE USER d IDENTIFIED BY 'x'")
    root.q("GRANT SELECT (x), UPDATE (x) ON app.v TO d")
    root.q("CREATE DATABASE IF NOT EXISTS views")
    root.q("GRANT ALL ON views.* TO d")
    root.q("GRANT SELECT ON views.* TO u")
    d = Client(server, "d")
    d.q("CREATE OR REPLACE VIEW views.w AS SELECT x FROM app.v")
    assert u.q("SELECT x FROM views.w ORDER BY x") == [(1,), (10,)]
    root.q("REVOKE SELECT (x) ON app.v FROM d")
    u.fails("SELECT x FROM views.w", 1356)
    root.q("DROP DATABASE views")


def test_privileges_on_routines(server, root):
    root.q("CREATE USER u IDENTIFIED BY 'x'")
    root.fails("GRANT EXECUTE ON PROCEDURE app.p TO u", 1305, "PROCEDURE p does not exist")
    root.fails("GRANT ALL ON FUNCTION app.f TO u WITH GRANT OPTION", 1305, "FUNCTION f does not exist")
    root.fails("GRANT SELECT ON PROCEDURE app.p TO u", 1144)
    root.fails("GRANT EXECUTE ON PROCEDURE app.* TO u", 1144)
    root.fails("GRANT EXECUTE ON PROCEDURE p TO u", 1046)
    root.fails("REVOKE EXECUTE ON PROCEDURE app.p FROM u", 1403, "no such grant defined for user 'u' on host '%' on routine 'p'")
    root.fails("REVOKE ALTER ROUTINE ON FUNCTION app.p FROM nobody", 1403)
    root.q("GRANT EXECUTE, CREATE ROUTINE, ALTER ROUTINE ON app.* TO u")


def test_changes_reach_open_sessions(server, root):
    root.q("CREATE USER u IDENTIFIED BY 'x'")
    u = Client(server, "u")
    u.fails("SELECT a FROM app.t", 1142)
    root.q("GRANT SELECT ON app.t TO u")
    assert u.one("SELECT a FROM app.t") == 1
    root.q("REVOKE SELECT ON app.t FROM u")
    u.fails("SELECT a FROM app.t", 1142)
    # global privileges count from the next connection on
    root.q("GRANT SELECT ON *.* TO u")
    u.fails("SELECT a FROM app.t", 1142)
    assert Client(server, "u").one("SELECT a FROM app.t") == 1


def test_views_run_with_the_definers_default_roles(server, root):
    """Whichever roles the session has active, the definer's own too, and whatever `activate_all_roles_on_login` says."""
    root.q("CREATE USER d IDENTIFIED BY 'x'")
    root.q("CREATE USER i IDENTIFIED BY 'x'")
    root.q("CREATE ROLE reader, nested")
    root.q("GRANT SELECT ON app.t TO reader")
    root.q("GRANT reader TO nested")
    root.q("GRANT reader, nested TO d")
    root.q("CREATE DATABASE IF NOT EXISTS views")
    root.q("CREATE DEFINER = d VIEW views.w AS SELECT a FROM app.t")
    root.q("CREATE SQL SECURITY INVOKER VIEW views.inner_view AS SELECT a FROM app.t")
    root.q("CREATE DEFINER = d VIEW views.outer_view AS SELECT a FROM views.inner_view")
    root.q("GRANT SELECT ON views.* TO d, i")
    d, i = Client(server, "d"), Client(server, "i")
    d.q("SET ROLE ALL")
    assert d.one("SELECT a FROM app.t") == 1
    for c in (d, i, root):
        c.fails("SELECT a FROM views.w", 1356)
    for role in ("reader", "nested"):
        root.q(f"SET DEFAULT ROLE {role} TO d")
        for c in (d, i, root):
            assert c.one("SELECT a FROM views.w") == 1
            assert c.one("SELECT a FROM views.outer_view") == 1
    d.q("SET ROLE NONE")
    assert d.one("SELECT a FROM views.w") == 1
    d.fails("SELECT a FROM views.inner_view", 1356)
    root.q("SET DEFAULT ROLE NONE TO d")
    root.q("SET GLOBAL mandatory_roles = 'reader'")
    root.q("SET GLOBAL activate_all_roles_on_login = ON")
    try:
        i.fails("SELECT a FROM views.w", 1356)
        root.q("SET DEFAULT ROLE reader TO d")
        assert i.one("SELECT a FROM views.w") == 1
    finally:
        root.q("SET GLOBAL activate_all_roles_on_login = OFF")
        root.q("SET GLOBAL mandatory_roles = ''")
        root.q("DROP DATABASE views")
