"""COM_CHANGE_USER and COM_RESET_CONNECTION: a pooled connection that begins anew tells nothing of what it did before, and holds nothing.

Whatever a session can be asked about itself is asked (ASKED; new kinds of state belong there) and compared with a connection that is new.
"""
import mysql.connector
import pytest

from lib.servers import Server

BEFORE = [
    "USE d", "SET @a = 'canary'", "SET sql_mode = 'ANSI', time_zone = '+05:00', max_execution_time = 12345, last_insert_id = 77, insert_id = 78, timestamp = 5",
    "CREATE TEMPORARY TABLE tmp SELECT 'canary' c", "PREPARE p FROM 'SELECT ''canary'''", "SELECT GET_LOCK('canary', 0)", "SET profiling = 1",
    "SELECT * FROM t WHERE v = 'canary'", "SET optimizer_trace = 'enabled=on'", "SELECT * FROM t WHERE v = 'canary' OR id = 7", "SET profiling = 0",
    "INSERT INTO t (v) VALUES ('canary')", "SET SESSION TRANSACTION READ ONLY", "SET SESSION TRANSACTION READ WRITE", "HANDLER t OPEN",
    "LOCK TABLES t WRITE", "UPDATE t SET v = 'canary' WHERE id = 1", "UNLOCK TABLES", "HANDLER t OPEN AS h", "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
    "SET autocommit = 0", "UPDATE t SET v = 'changed' WHERE id = 1", "INSERT IGNORE INTO t VALUES (1, 'canary')",
]
ASKED = [
    "SHOW WARNINGS", "SHOW ERRORS", "SHOW COUNT(*) WARNINGS", "SELECT @@warning_count, @@error_count", "SHOW PROFILES", "SHOW PROFILE", "SHOW PROFILE FOR QUERY 1",
    "SELECT * FROM information_schema.PROFILING", "SELECT * FROM information_schema.OPTIMIZER_TRACE", "SELECT @a", "SELECT * FROM d.tmp", "EXECUTE p",
    "SELECT IS_FREE_LOCK('canary'), RELEASE_ALL_LOCKS()", "SELECT LAST_INSERT_ID(), ROW_COUNT(), FOUND_ROWS()", "HANDLER t READ FIRST", "HANDLER h READ FIRST",
    "GET DIAGNOSTICS @n = NUMBER", "SELECT @n", "GET DIAGNOSTICS CONDITION 1 @m = MESSAGE_TEXT", "SELECT @m",
    "SELECT @@sql_mode, @@time_zone, @@max_execution_time, @@profiling, @@optimizer_trace, @@autocommit, @@identity, @@insert_id, @@last_insert_id",
    "SELECT @@transaction_isolation, @@transaction_read_only, @@timestamp > 1000", "SELECT CURRENT_USER(), USER(), CURRENT_ROLE()",
    "SELECT COUNT(*) FROM performance_schema.prepared_statements_instances", "SHOW OPEN TABLES WHERE In_use > 0", "SELECT GET_LOCK('canary', 0)",
    "SELECT v FROM d.t WHERE id = 1",
]


@pytest.fixture(scope="module")
def server():
    s = Server().start()
    for sql in ("CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY AUTO_INCREMENT, v VARCHAR(20), KEY (v))", "INSERT INTO d.t VALUES (1, 'canary')",
                "CREATE USER owner IDENTIFIED BY 'pw'", "CREATE USER guest IDENTIFIED BY 'pw'", "GRANT ALL ON d.* TO owner", "GRANT SELECT (id) ON d.t TO guest"):
        s.query(sql)
    yield s
    s.stop()
    s.remove()


def connect(server, user):
    return mysql.connector.connect(unix_socket=server.socket, user=user, password="pw", use_pure=True, autocommit=True)


def ask(c, sql):
    cur = c.cursor()
    try:
        cur.execute(sql)
        return cur.fetchall() if cur.description else "done"
    except mysql.connector.Error as e:
        return e.errno
    finally:
        cur.close()


@pytest.mark.parametrize("user", ["guest", "owner", None], ids=["to another account", "to the same", "reset"])
def test_begun_anew_is_as_new(server, user):
    c = connect(server, "owner")
    told = [ask(c, sql) for sql in BEFORE]
    assert [t for t in told if isinstance(t, int)] == [], list(zip(BEFORE, told))
    assert any("canary" in str(p) for p in ask(c, "SHOW PROFILES"))
    c.cmd_change_user(user, "pw") if user else c.cmd_reset_connection()
    c.autocommit = True
    new = connect(server, user or "owner")
    # MySQL keeps the schema; the traces of its own statements are no secret
    asked = [q for q in ASKED if user or "OPTIMIZER_TRACE" not in q]
    got = [(q, ask(c, q)) for q in asked]
    c.close()
    assert got == [(q, ask(new, q)) for q in asked]
    if user == "guest":
        assert "canary" not in str([g for _, g in got])
    new.close()
