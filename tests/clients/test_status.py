"""Status variables: what is counted, for the session and for the server, and what says how a client is connected."""
import socket

import pymysql
import pytest

from lib import wire
from lib.wire import Raw
from lib.wait import until


@pytest.fixture
def connect(server):
    opened = []

    def one(**options):
        opened.append(pymysql.connect(unix_socket=server.socket, user="root", autocommit=True, **options))
        return opened[-1]
    yield one
    for c in opened:
        try:
            c.close()
        except pymysql.err.Error:
            pass


def status(c, scope="SESSION"):
    with c.cursor() as cur:
        cur.execute(f"SHOW {scope} STATUS")
        return dict(cur.fetchall())


def run(c, *statements):
    with c.cursor() as cur:
        for s in statements:
            cur.execute(s)


STATEMENTS = {
    "Com_create_db": "CREATE DATABASE counted", "Com_change_db": "USE counted", "Com_create_table": "CREATE TABLE t (id INT PRIMARY KEY, a INT)",
    "Com_insert": "INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)", "Com_insert_select": "INSERT INTO t SELECT id + 10, a FROM t", "Com_replace": "REPLACE INTO t VALUES (1, 5)",
    "Com_replace_select": "REPLACE INTO t SELECT id, a + 1 FROM t WHERE id = 2", "Com_update": "UPDATE t SET a = 7 WHERE id = 3",
    "Com_update_multi": "UPDATE t JOIN t AS u USING (id) SET t.a = u.a + 1", "Com_delete": "DELETE FROM t WHERE id = 13",
    "Com_delete_multi": "DELETE t FROM t JOIN t AS u USING (id) WHERE u.id = 12", "Com_select": "SELECT * FROM t", "Com_begin": "BEGIN", "Com_savepoint": "SAVEPOINT s",
    "Com_rollback_to_savepoint": "ROLLBACK TO s", "Com_release_savepoint": "RELEASE SAVEPOINT s", "Com_commit": "COMMIT", "Com_rollback": "ROLLBACK",
    "Com_set_option": "SET @x = 1", "Com_alter_table": "ALTER TABLE t ADD b INT", "Com_create_index": "CREATE INDEX i ON t (a)", "Com_drop_index": "DROP INDEX i ON t",
    "Com_create_view": "CREATE VIEW v AS SELECT 1", "Com_show_fields": "SHOW COLUMNS FROM t", "Com_show_keys": "SHOW INDEX FROM t", "Com_show_create_table": "SHOW CREATE TABLE t",
    "Com_show_tables": "SHOW TABLES", "Com_show_warnings": "SHOW WARNINGS", "Com_show_variables": "SHOW VARIABLES LIKE 'port'", "Com_analyze": "ANALYZE TABLE t",
    "Com_check": "CHECK TABLE t", "Com_lock_tables": "LOCK TABLES t READ", "Com_unlock_tables": "UNLOCK TABLES", "Com_flush": "FLUSH TABLES", "Com_do": "DO 1",
    "Com_prepare_sql": "PREPARE p FROM 'SELECT 1'", "Com_execute_sql": "EXECUTE p", "Com_dealloc_sql": "DEALLOCATE PREPARE p", "Com_empty_query": "/* nothing */",
    "Com_create_user": "CREATE USER counted", "Com_grant": "GRANT SELECT ON counted.* TO counted", "Com_revoke": "REVOKE SELECT ON counted.* FROM counted", "Com_drop_user": "DROP USER counted",
    "Com_rename_table": "RENAME TABLE t TO t2", "Com_truncate": "TRUNCATE TABLE t2", "Com_drop_view": "DROP VIEW v", "Com_drop_table": "DROP TABLE t2", "Com_drop_db": "DROP DATABASE counted",
}


def test_every_kind_of_statement_counts_once(connect):
    c = connect()
    before, server_before = status(c), status(c, "GLOBAL")
    run(c, *STATEMENTS.values())
    after, server_after = status(c), status(c, "GLOBAL")
    for name in STATEMENTS:
        # EXECUTE runs a SELECT
        expected = 2 if name == "Com_select" else 1
        assert int(after[name]) - int(before[name]) == expected, name
        assert int(server_after[name]) - int(server_before[name]) == expected, name
    # its own texts, and one SHOW SESSION STATUS; SHOW GLOBAL STATUS twice
    assert int(after["Questions"]) - int(before["Questions"]) == len(STATEMENTS) + 2
    assert int(server_after["Innodb_rows_inserted"]) >= int(server_before["Innodb_rows_inserted"]) + 6


def test_a_failed_statement_counts_and_a_wrong_one_does_not(connect):
    c = connect()
    before = status(c)
    for s in ("SELECT * FROM no_such.t", "DROP TABLE no_such.t", "SELEKT"):
        with pytest.raises(pymysql.err.Error):
            run(c, s)
    after = status(c)
    assert int(after["Com_drop_table"]) - int(before["Com_drop_table"]) == 1
    assert int(after["Questions"]) - int(before["Questions"]) == 4


def test_a_session_shows_the_servers_values_of_what_only_the_server_has(connect):
    c, d = connect(), connect()
    session, server = status(c), status(c, "GLOBAL")
    assert set(session) == set(server)
    assert int(session["Threads_connected"]) >= 2 and session["Threads_connected"] == server["Threads_connected"]
    assert int(session["Connections"]) >= 2 and session["Max_used_connections"] == server["Max_used_connections"]
    assert int(session["Uptime"]) >= 0 and int(session["Threads_running"]) >= 1
    assert status(d)["Com_show_status"] == "1", "its own only"


def test_bytes(connect):
    c, d = connect(), connect()
    before, server_before, other = status(c), status(c, "GLOBAL"), status(d)
    run(c, f"SELECT '{'x' * 10_000}'")
    after, server_after = status(c), status(c, "GLOBAL")
    assert 10_000 < int(after["Bytes_received"]) - int(before["Bytes_received"]) < 12_000
    assert int(after["Bytes_sent"]) - int(before["Bytes_sent"]) > 10_000
    assert int(server_after["Bytes_sent"]) - int(server_before["Bytes_sent"]) > 10_000
    assert int(status(d)["Bytes_received"]) - int(other["Bytes_received"]) < 100
    total = int(status(d, "GLOBAL")["Bytes_received"])
    c.close()
    assert int(status(d, "GLOBAL")["Bytes_received"]) >= total, "what ended connections received stays"


def test_connections_that_break_off(server, connect):
    c = connect()
    before = status(c, "GLOBAL")
    Raw(server).sock.close()
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(server.socket)
    with pytest.raises(pymysql.err.OperationalError):
        connect(password="wrong")
    until(lambda: int(status(c, "GLOBAL")["Aborted_clients"]) == int(before["Aborted_clients"]) + 1)
    until(lambda: int(status(c, "GLOBAL")["Aborted_connects"]) == int(before["Aborted_connects"]) + 2)
    connect().close()
    assert int(status(c, "GLOBAL")["Aborted_clients"]) == int(before["Aborted_clients"]) + 1, "a goodbye is no breaking off"


def test_how_a_client_is_connected(server, connect):
    plain = status(connect(ssl_disabled=True))
    assert [plain[n] for n in ("Ssl_version", "Ssl_cipher", "Compression", "Compression_algorithm")] == ["", "", "OFF", ""]
    with Raw(server, wire.BASE, tcp=True, tls=True) as r:
        rows = dict(r.query("SHOW SESSION STATUS WHERE Variable_name IN ('Ssl_version', 'Ssl_cipher', 'Compression')")[1])
        assert rows[b"Ssl_version"] in (b"TLSv1.2", b"TLSv1.3") and rows[b"Ssl_cipher"].startswith(b"TLS_") and rows[b"Compression"] == b"OFF"
    for capability, name in ((wire.COMPRESS, b"zlib"), (wire.ZSTD, b"zstd")):
        with Raw(server, wire.BASE | capability) as r:
            assert r.query("SHOW STATUS LIKE 'Compression_algorithm'")[1] == [[b"Compression_algorithm", name]]
    assert int(status(connect(), "GLOBAL")["Ssl_finished_accepts"]) >= 1


def test_connection_attributes(server, connect):
    with Raw(server, wire.BASE | wire.CONNECT_ATTRS, attributes=[("program_name", "tester"), ("_pid", "7")]) as r:
        mine = r.query("SELECT attr_name, attr_value, ordinal_position FROM performance_schema.session_account_connect_attrs WHERE processlist_id = CONNECTION_ID() ORDER BY 3")[1]
        assert mine == [[b"program_name", b"tester", b"0"], [b"_pid", b"7", b"1"]]
        with connect().cursor() as cur:
            cur.execute(f"SELECT COUNT(*) FROM performance_schema.session_connect_attrs WHERE processlist_id = {r.thread_id}")
            assert cur.fetchall() == ((2,),)


def test_host_cache_can_be_emptied(connect):
    c = connect()
    run(c, "TRUNCATE TABLE performance_schema.host_cache", "SELECT * FROM performance_schema.host_cache")
    for table, code in (("processlist", 1142), ("nothing", 1146)):
        with pytest.raises(pymysql.err.Error) as e:
            run(c, f"TRUNCATE TABLE performance_schema.{table}")
        assert e.value.args[0] == code
