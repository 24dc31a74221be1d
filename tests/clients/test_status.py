"""Status variables: what is counted, for the session and for the server, and what says how a client is connected."""
import socket
import threading

import pymysql
import pytest

from lib import wire
from lib.wire import Raw
from lib.wait import until, waits


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


def moved(c, *statements, scope="SESSION"):
    """How much the status variables rose under these statements."""
    before = status(c, scope)
    run(c, *statements)
    after = status(c, scope)
    return {n: int(v) - int(before[n]) for n, v in after.items() if v.lstrip("-").isdigit() and before[n].lstrip("-").isdigit()}


def test_tables_that_are_opened_and_found_open(connect):
    c = connect()
    run(c, "CREATE DATABASE opening", "USE opening")
    definitions = int(status(c)["Open_table_definitions"])
    made = moved(c, "CREATE TABLE t (id INT PRIMARY KEY, a INT)")
    assert made["Opened_table_definitions"] == made["Open_table_definitions"] == 1
    first = moved(c, "SELECT * FROM t")
    assert [first[n] for n in ("Opened_tables", "Open_tables", "Table_open_cache_misses", "Table_open_cache_hits", "Handler_external_lock")] == [1, 1, 1, 0, 2]
    assert first["Table_open_cache_overflows"] == 0
    again = moved(c, "SELECT * FROM t", "SELECT * FROM t JOIN t AS u USING (id)", "INSERT INTO t VALUES (1, 1)")
    assert [again[n] for n in ("Opened_tables", "Open_tables", "Table_open_cache_misses", "Table_open_cache_hits", "Handler_external_lock")] == [0, 0, 0, 4, 8]
    # the session's own
    d = connect()
    assert moved(d, "SELECT * FROM opening.t")["Table_open_cache_hits"] == 1 and int(status(d)["Opened_tables"]) == 0
    # the statement that opens it after a change finds another definition
    assert moved(c, "ALTER TABLE t ADD b INT", "SELECT * FROM t")["Opened_tables"] == 1
    run(c, "DROP DATABASE opening")
    assert int(status(c)["Open_table_definitions"]) == definitions


def test_writes_of_data_files_and_the_log(connect):
    c = connect()
    run(c, "CREATE DATABASE writes", "USE writes", "CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(2000))")
    changed = moved(c, *(f"INSERT INTO t VALUES ({i}, REPEAT('x', 2000))" for i in range(50)), scope="GLOBAL")
    run(c, "DROP DATABASE writes")
    # each commit is written and synced before it is answered; a page is changed by each row
    assert changed["Innodb_log_writes"] >= 50 and changed["Innodb_os_log_fsyncs"] >= 50
    assert changed["Innodb_os_log_written"] >= 50 * 2000
    assert changed["Innodb_log_write_requests"] >= 50 and changed["Innodb_buffer_pool_write_requests"] >= 50
    # what is written in all has the log's part
    for whole, part in (("writes", "Innodb_log_writes"), ("fsyncs", "Innodb_os_log_fsyncs"), ("written", "Innodb_os_log_written")):
        assert changed[f"Innodb_data_{whole}"] >= changed[part], whole


def test_a_lock_that_another_waits_for(server, connect):
    c, d = connect(), connect()
    run(c, "CREATE DATABASE waiting", "CREATE TABLE waiting.t (id INT PRIMARY KEY, a INT)", "INSERT INTO waiting.t VALUES (1, 1)", "BEGIN", "UPDATE waiting.t SET a = 2")
    names = ["lock_deadlock_rounds", "lock_rec_grant_attempts", "lock_rec_release_attempts", "innodb_activity_count", "adaptive_hash_searches_btree", "buffer_pool_write_requests"]

    def metrics():
        with c.cursor() as cur:
            cur.execute("SELECT NAME, COUNT, STATUS FROM information_schema.INNODB_METRICS WHERE NAME IN %s", [names])
            rows = cur.fetchall()
        assert len(rows) == len(names) and {r[2] for r in rows} == {"enabled"}
        return {r[0]: r[1] for r in rows}
    before = metrics()
    waiter = threading.Thread(target=run, args=(d, "UPDATE waiting.t SET a = 3"))
    waiter.start()
    waits(server, d)
    run(c, "COMMIT")
    waiter.join()
    after = metrics()
    run(c, "DROP DATABASE waiting")
    assert all(after[n] > before[n] for n in names), (before, after)


def test_reads_of_tables_that_have_table_locks(connect):
    # InnoDB's tables are locked by rows; performance_schema's as MyISAM's
    c = connect()
    run(c, "CREATE DATABASE tl", "CREATE TABLE tl.t (a INT)")
    own, theirs = moved(c, "SELECT * FROM tl.t"), moved(c, "SELECT * FROM performance_schema.threads")
    run(c, "DROP DATABASE tl")
    assert theirs["Table_locks_immediate"] == own["Table_locks_immediate"] + 1


def test_threads_that_connections_bring(connect):
    c = connect()
    before = int(status(c)["Threads_created"])
    run(connect(), "DO 1")
    assert int(status(c)["Threads_created"]) > before and int(status(c)["Threads_cached"]) >= 0
