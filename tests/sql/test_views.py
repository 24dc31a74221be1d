"""Views beyond single statements: whose privileges count, metadata locks, restart, what a client is told about columns."""
import threading

import pymysql
import pytest

from lib.servers import Server
from lib.wait import PATIENCE, until


@pytest.fixture(scope="module")
def db():
    s = Server().start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(10), secret INT)", db="d")
    s.query("INSERT INTO t VALUES (1,'x',10),(2,'y',20)", db="d")
    for who in ("reader", "maker"):
        s.query(f"CREATE USER {who}@localhost")
    yield s
    s.remove()


def error(connection, sql):
    with connection.cursor() as cur, pytest.raises(pymysql.err.MySQLError) as e:
        cur.execute(sql)
    return e.value.args[0]


def test_definer_and_invoker(db):
    db.query("CREATE VIEW v_definer AS SELECT a, b FROM t", db="d")
    db.query("CREATE SQL SECURITY INVOKER VIEW v_invoker AS SELECT a, b FROM t", db="d")
    db.query("CREATE DEFINER=maker@localhost VIEW v_maker AS SELECT a, b FROM t", db="d")
    db.query("CREATE DEFINER=nobody@localhost VIEW v_nobody AS SELECT a, b FROM t", db="d")
    for v in ("v_definer", "v_invoker", "v_maker", "v_nobody"):
        db.query(f"GRANT SELECT, INSERT ON d.{v} TO reader@localhost")
    with db.connect(user="reader", database="d") as c, c.cursor() as cur:
        cur.execute("SELECT a, b FROM v_definer ORDER BY a")
        assert cur.fetchall() == ((1, "x"), (2, "y"))
        cur.execute("INSERT INTO v_definer VALUES (3, 'z')")
        assert error(c, "SELECT * FROM t") == 1142
        assert error(c, "DELETE FROM v_definer WHERE a = 3") == 1142
        assert error(c, "SELECT * FROM v_invoker") == 1356
        assert error(c, "SELECT * FROM v_maker") == 1356
        assert error(c, "SELECT * FROM v_nobody") == 1045
        assert error(c, "CREATE VIEW mine AS SELECT 1") == 1142
        assert error(c, "SHOW CREATE VIEW v_definer") == 1142
    db.query("GRANT SELECT ON d.t TO maker@localhost")
    with db.connect(user="reader", database="d") as c, c.cursor() as cur:
        cur.execute("SELECT COUNT(*) FROM v_maker")
        assert cur.fetchone() == (3,)
        assert error(c, "INSERT INTO v_maker VALUES (4, 'w')") == 1356
    db.query("DELETE FROM t WHERE a = 3", db="d")


def test_what_the_client_is_told(db):
    db.query("CREATE OR REPLACE VIEW v_meta (x, y) AS SELECT a, secret + 1 FROM t", db="d")
    with db.connect(database="d") as c, c.cursor() as cur:
        cur.execute("SELECT x, y FROM v_meta AS al")
        got = [(f.db, f.table_name, f.org_table, f.name, f.org_name) for f in cur._result.fields]
        assert got == [(b"d", "al", "v_meta", "x", "x"), (b"", "al", "v_meta", "y", "y")]


def test_ddl_waits_for_readers(db):
    """A transaction that has read a view keeps others from dropping the view and its table."""
    db.query("CREATE TABLE m (a INT)", db="d")
    db.query("CREATE VIEW v_m AS SELECT a FROM m", db="d")
    for sql, undo in (("DROP VIEW v_m", "CREATE VIEW v_m AS SELECT a FROM m"), ("ALTER TABLE m ADD z INT", None)):
        with db.connect(database="d", autocommit=False) as c, c.cursor() as cur:
            cur.execute("SELECT * FROM v_m")
            done = threading.Event()

            def ddl():
                db.query(sql, db="d")
                done.set()

            t = threading.Thread(target=ddl)
            t.start()
            until(lambda: done.is_set() or db.query("SELECT 1 FROM performance_schema.metadata_locks WHERE LOCK_STATUS = 'PENDING'"), "the DDL does not wait")
            assert not done.is_set()
            c.rollback()
            t.join(PATIENCE)
            assert done.is_set()
        if undo:
            db.query(undo, db="d")


def test_views_survive_a_restart():
    s = Server().start()
    try:
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(10))", db="d")
        s.query("CREATE VIEW v (p, q) AS SELECT a, UPPER(b) FROM t WHERE a > 0 WITH CHECK OPTION", db="d")
        s.query("INSERT INTO t VALUES (1, 'x')", db="d")
        before = s.query("SHOW CREATE VIEW v", db="d")
        s.kill()
        s.start()
        assert s.query("SHOW CREATE VIEW v", db="d") == before
        assert s.query("SELECT * FROM v", db="d") == ((1, "X"),)
    finally:
        s.remove()
