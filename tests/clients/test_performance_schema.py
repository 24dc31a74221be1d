"""performance_schema: rows from what connections really do, who may see them, and what TRUNCATE resets."""
import hashlib

import pymysql
import pytest
from lib.wait import until

DIGESTS = "performance_schema.events_statements_summary_by_digest"


@pytest.fixture
def connect(server):
    opened = []

    def one(**options):
        opened.append(server.connect(**options))
        return opened[-1]
    yield one
    for c in opened:
        try:
            c.close()
        except pymysql.err.Error:
            pass


def rows(c, sql):
    with c.cursor(pymysql.cursors.DictCursor) as cur:
        cur.execute(sql)
        return list(cur.fetchall())


def one(c, sql):
    found = rows(c, sql)
    assert len(found) == 1, found
    return found[0]


def code(c, sql):
    try:
        rows(c, sql)
    except pymysql.err.Error as e:
        return e.args[0]
    return None


@pytest.fixture
def table(connect):
    c = connect()
    rows(c, "DROP DATABASE IF EXISTS ps")
    rows(c, "CREATE DATABASE ps")
    rows(c, "CREATE TABLE ps.t (id INT PRIMARY KEY, a INT)")
    rows(c, "INSERT INTO ps.t VALUES (1, 10), (2, 20), (3, 30)")
    yield c
    rows(c, "SET SESSION lock_wait_timeout = 10")  # a test that failed may have left a transaction
    rows(c, "DROP DATABASE ps")


def test_digests_add_up_over_sessions_and_after_their_end(connect, table):
    rows(table, f"TRUNCATE TABLE {DIGESTS}")
    for i in range(3):
        c = connect(database="ps")
        for n in range(1, 4):
            rows(c, f"SELECT a FROM t WHERE id = {n}")
        rows(c, "select  a from t where id=2 /* spelled otherwise */")
        if i == 0:
            assert code(c, "SELECT nope FROM t WHERE id = 1") == 1054
        if i < 2:
            c.close()
    rows(table, "SELECT a FROM ps.t")
    where = "WHERE schema_name = 'ps' AND digest_text = 'SELECT `a` FROM `t` WHERE `id` = ?'"
    d = one(table, f"SELECT * FROM {DIGESTS} {where}")
    assert (d["COUNT_STAR"], d["SUM_ROWS_SENT"], d["SUM_ROWS_EXAMINED"], d["SUM_ERRORS"]) == (12, 12, 12, 0)
    assert d["DIGEST"] == hashlib.sha256(d["DIGEST_TEXT"].encode()).hexdigest()
    assert 0 < d["MIN_TIMER_WAIT"] <= d["AVG_TIMER_WAIT"] <= d["MAX_TIMER_WAIT"] <= d["SUM_TIMER_WAIT"]
    assert d["QUANTILE_95"] <= d["QUANTILE_99"] <= d["QUANTILE_999"]
    assert d["QUERY_SAMPLE_TEXT"].lower().split() [0] == "select" and d["QUERY_SAMPLE_TIMER_WAIT"] <= d["MAX_TIMER_WAIT"]
    assert d["FIRST_SEEN"] <= d["LAST_SEEN"]
    failed = one(table, f"SELECT * FROM {DIGESTS} WHERE digest_text LIKE 'SELECT `nope`%'")
    assert (failed["COUNT_STAR"], failed["SUM_ERRORS"]) == (1, 1)
    scan = one(table, f"SELECT * FROM {DIGESTS} WHERE digest_text = 'SELECT `a` FROM `ps` . `t`'")
    assert (scan["SCHEMA_NAME"], scan["SUM_SELECT_SCAN"], scan["SUM_NO_INDEX_USED"], scan["SUM_ROWS_SENT"]) == (None, 1, 1, 3)
    h = rows(table, "SELECT * FROM performance_schema.events_statements_histogram_by_digest "
                    f"WHERE digest = '{d['DIGEST']}' AND schema_name = 'ps'")
    assert sum(r["COUNT_BUCKET"] for r in h) == 12 and h[-1]["COUNT_BUCKET_AND_LOWER"] == 12 and h[-1]["BUCKET_QUANTILE"] == 1
    assert all(a["BUCKET_TIMER_HIGH"] == b["BUCKET_TIMER_LOW"] for a, b in zip(h, h[1:]))
    rows(table, f"TRUNCATE TABLE {DIGESTS}")
    assert rows(table, f"SELECT * FROM {DIGESTS} {where}") == []
    rows(c, "SELECT a FROM t WHERE id = 9")
    assert one(table, f"SELECT count_star AS n FROM {DIGESTS} {where}")["n"] == 1


def test_what_cannot_be_parsed_has_no_digest_but_an_error(connect, table):
    errors = "performance_schema.events_errors_summary_global_by_error"
    rows(table, f"TRUNCATE TABLE {errors}")
    assert code(table, "SELEC unparsed") == 1064
    assert code(table, "SELECT * FROM ps.missing") == 1146
    e = {r["ERROR_NUMBER"]: r for r in rows(table, f"SELECT * FROM {errors} WHERE sum_error_raised > 0")}
    assert {n: r["SUM_ERROR_RAISED"] for n, r in e.items()} == {1064: 1, 1146: 1}
    assert (e[1146]["ERROR_NAME"], e[1146]["SQL_STATE"]) == ("ER_NO_SUCH_TABLE", "42S02")
    assert rows(table, f"SELECT * FROM {DIGESTS} WHERE digest_text LIKE '%unparsed%'") == []
    # passwords are not in samples
    rows(table, "CREATE USER secretive IDENTIFIED BY 'very-secret'")
    rows(table, "DROP USER secretive")
    assert not [r for r in rows(table, f"SELECT query_sample_text AS t FROM {DIGESTS}") if "very-secret" in r["t"]]


def test_current_statement_and_threads(connect, table):
    c = connect(database="ps")
    me = rows(c, "SELECT CONNECTION_ID() AS id, PS_CURRENT_THREAD_ID() AS t")[0]
    rows(c, "UPDATE t SET a = a + 1 WHERE id < 3")
    last = one(table, f"SELECT * FROM performance_schema.events_statements_current WHERE thread_id = {me['t']}")
    assert (last["EVENT_NAME"], last["ROWS_AFFECTED"], last["MYSQL_ERRNO"]) == ("statement/sql/update", 2, 0)
    assert last["SQL_TEXT"] == "UPDATE t SET a = a + 1 WHERE id < 3"
    assert last["DIGEST_TEXT"] == "UPDATE `t` SET `a` = `a` + ? WHERE `id` < ?"
    assert last["TIMER_WAIT"] == last["TIMER_END"] - last["TIMER_START"] > 0
    assert last["END_EVENT_ID"] > last["EVENT_ID"], "its transaction is an event within it"
    thread = one(table, f"SELECT * FROM performance_schema.threads WHERE processlist_id = {me['id']}")
    assert (thread["TYPE"], thread["PROCESSLIST_DB"], thread["PROCESSLIST_COMMAND"]) == ("FOREGROUND", "ps", "Sleep")
    assert (thread["PROCESSLIST_INFO"], thread["CONNECTION_TYPE"]) == (None, "Socket")
    background = rows(table, "SELECT * FROM performance_schema.threads WHERE type = 'BACKGROUND'")
    assert "thread/innodb/srv_purge_thread" in {r["NAME"] for r in background}
    assert all(r["PROCESSLIST_ID"] is None and r["THREAD_OS_ID"] for r in background)
    ids = [r["THREAD_ID"] for r in rows(table, "SELECT thread_id AS THREAD_ID FROM performance_schema.threads")]
    assert len(ids) == len(set(ids))


def test_prepared_statements(connect, table):
    c = connect(database="ps")
    me = rows(c, "SELECT CONNECTION_ID() AS id")[0]["id"]
    rows(c, "PREPARE p FROM 'SELECT a FROM t WHERE id = ?'")
    rows(c, "SET @x = 2")
    for _ in range(3):
        rows(c, "EXECUTE p USING @x")
    query = f"SELECT * FROM performance_schema.prepared_statements_instances WHERE owner_thread_id = {me}"
    p = one(table, query)
    assert (p["STATEMENT_NAME"], p["SQL_TEXT"], p["COUNT_EXECUTE"], p["SUM_ROWS_SENT"]) == ("p", "SELECT a FROM t WHERE id = ?", 3, 3)
    assert p["TIMER_PREPARE"] > 0 and p["COUNT_REPREPARE"] == 0
    rows(c, "ALTER TABLE t ADD b INT")
    rows(c, "EXECUTE p USING @x")
    p = one(table, query)
    assert (p["COUNT_EXECUTE"], p["COUNT_REPREPARE"]) == (4, 1)
    rows(c, "DEALLOCATE PREPARE p")
    assert rows(table, query) == []


def test_accounts_and_status_by_them(connect, table):
    rows(table, "CREATE USER counted@localhost")
    rows(table, "GRANT SELECT ON ps.* TO counted@localhost")
    try:
        c = connect(user="counted", database="ps")
        rows(c, "SELECT * FROM t")
        c.close()
        c = connect(user="counted", database="ps")
        rows(c, "SELECT * FROM t")
        account = lambda: one(table, "SELECT * FROM performance_schema.accounts WHERE user = 'counted' AND host = 'localhost'")  # noqa: E731
        until(lambda: account()["CURRENT_CONNECTIONS"] == 1)
        a = account()
        assert (a["CURRENT_CONNECTIONS"], a["TOTAL_CONNECTIONS"]) == (1, 2)
        assert one(table, "SELECT * FROM performance_schema.users WHERE user = 'counted'")["TOTAL_CONNECTIONS"] == 2
        assert one(table, "SELECT * FROM performance_schema.hosts WHERE host = 'localhost'")["TOTAL_CONNECTIONS"] > 2
        where = "variable_name = 'Com_select'"
        for by in "user", "account":
            s = one(table, f"SELECT * FROM performance_schema.status_by_{by} WHERE {where} AND user = 'counted'")
            assert s["VARIABLE_VALUE"] == "2"
        me = rows(c, "SELECT CONNECTION_ID() AS id")[0]["id"]
        s = one(table, f"SELECT * FROM performance_schema.status_by_thread WHERE {where} AND thread_id = {me}")
        assert s["VARIABLE_VALUE"] == "2"
        # who may see what
        assert code(c, "SELECT * FROM performance_schema.threads") == 1142
        assert code(c, f"SELECT * FROM {DIGESTS}") == 1142
        assert code(c, f"TRUNCATE TABLE {DIGESTS}") == 1142
        assert code(c, "SELECT * FROM information_schema.INNODB_TRX") == 1227
        assert code(c, "SELECT * FROM information_schema.FILES") == 1227
        assert code(c, "SELECT * FROM performance_schema.global_status LIMIT 1") is None
        assert {r["USER"] for r in rows(c, "SELECT * FROM performance_schema.processlist")} == {"counted"}
        assert code(c, "LOCK INSTANCE FOR BACKUP") == 1227
        rows(table, "GRANT SELECT ON performance_schema.threads TO counted@localhost")
        assert code(c, "SELECT * FROM performance_schema.threads") is None
    finally:
        rows(table, "DROP USER counted@localhost")


def test_transactions(connect, table):
    """INNODB_TRX shows a transaction from the first row it reads, locks or writes on, and its locks by its number; as MySQL 9.7 in all that is asserted."""
    a, b = connect(database="ps"), connect(database="ps")
    me = [rows(c, "SELECT CONNECTION_ID() AS id")[0]["id"] for c in (a, b)]

    def shown(c=0):
        got = rows(table, f"SELECT * FROM information_schema.INNODB_TRX WHERE trx_mysql_thread_id = {me[c]}")
        return got and tuple(int(got[0][k]) for k in ("trx_tables_locked", "trx_rows_locked", "trx_rows_modified", "trx_is_read_only", "trx_autocommit_non_locking"))

    assert not rows(table, "SELECT * FROM information_schema.INNODB_TRX"), "who looks has no transaction"
    for sql in ("BEGIN", "START TRANSACTION READ ONLY", "SET autocommit = 0", "XA START 'x'"):
        rows(a, sql)
        rows(a, "SELECT 1")
        assert not shown(), sql
        if sql.startswith("XA"):
            rows(a, "XA END 'x'")
            rows(a, "XA ROLLBACK 'x'")
        else:
            rows(a, "ROLLBACK")
    rows(a, "SET autocommit = 1")
    for statements, want in ((["START TRANSACTION READ ONLY", "SELECT * FROM t"], (0, 0, 0, 1, 0)), (["START TRANSACTION WITH CONSISTENT SNAPSHOT"], (0, 0, 0, 0, 0)),
                             (["BEGIN", "SELECT * FROM t WHERE id = 1 FOR UPDATE"], (1, 1, 0, 0, 0)), (["BEGIN", "SELECT * FROM t WHERE id = 1 FOR SHARE"], (1, 1, 0, 0, 0)),
                             (["BEGIN", "UPDATE t SET a = a + 1 WHERE id = 1"], (1, 1, 1, 0, 0)), (["BEGIN", "CREATE TEMPORARY TABLE tmp (a INT)", "INSERT INTO tmp VALUES (1)"], (0, 0, 1, 0, 0))):
        for sql in statements:
            rows(a, sql)
        assert shown() == want, statements
        rows(a, "ROLLBACK")
    a._execute_command(3, "SELECT SLEEP(1000) FROM t LIMIT 1")
    until(shown)
    assert shown() == (0, 0, 0, 1, 1), "a plain SELECT of its own"
    rows(table, f"KILL QUERY {me[0]}")
    a._read_query_result()
    # what is locked
    rows(a, "CREATE TABLE named (k VARCHAR(20) PRIMARY KEY, n INT, d DATE, b VARBINARY(5), KEY n (n, k), KEY d (d), KEY b (b))")
    rows(a, "INSERT INTO named VALUES ('a''b', -3, '2024-02-29', x'00ff'), ('c', 4, NULL, NULL), ('d', 5, '2025-01-01', 'x'), ('e', 6, '2025-01-01', 'y')")
    for where, want in (("n = -3", ["-3, 'a''b'", "'a''b'", "4, 'c'"]), ("k = 'c'", ["'c'"]), ("d = '2024-02-29'", ["'2024-02-29', 'a''b'", "'a''b'", "'2025-01-01', 'd'"]),
                        ("b = x'00ff'", ["0x00FF, 'a''b'", "'a''b'", "0x78, 'd'"])):
        rows(a, "BEGIN")
        rows(a, f"SELECT * FROM named FORCE INDEX ({'PRIMARY' if where[0] == 'k' else where[0]}) WHERE {where} FOR UPDATE")
        got = rows(table, "SELECT lock_data FROM performance_schema.data_locks WHERE object_name = 'named' AND lock_type = 'RECORD'")
        assert sorted(r["lock_data"] for r in got) == sorted(want), where
        rows(a, "ROLLBACK")
    # two that have written nothing are told apart
    for c, n in ((a, 1), (b, 2)):
        rows(c, "BEGIN")
        rows(c, f"SELECT * FROM t WHERE id = {n} FOR UPDATE")
    for n in (0, 1):
        locks = rows(table, "SELECT thread_id, lock_type, lock_mode FROM performance_schema.data_locks l JOIN information_schema.INNODB_TRX t ON t.trx_id = l.engine_transaction_id"
                     f" WHERE t.trx_mysql_thread_id = {me[n]} ORDER BY lock_type")
        assert [tuple(r.values()) for r in locks] == [(me[n], "RECORD", "X,REC_NOT_GAP"), (me[n], "TABLE", "IX")]
    a.close()
    b.close()


def test_locks(connect, table):
    a, b = connect(database="ps", autocommit=False), connect(database="ps", autocommit=False)
    ids = [rows(c, "SELECT CONNECTION_ID() AS id")[0]["id"] for c in (a, b)]
    rows(a, "UPDATE t SET a = 0 WHERE id = 1")
    held = one(table, f"SELECT * FROM performance_schema.metadata_locks WHERE owner_thread_id = {ids[0]} AND object_name = 't'")
    assert (held["OBJECT_TYPE"], held["OBJECT_SCHEMA"], held["LOCK_TYPE"]) == ("TABLE", "ps", "SHARED_WRITE")
    assert (held["LOCK_DURATION"], held["LOCK_STATUS"]) == ("TRANSACTION", "GRANTED")
    with b.cursor() as cur:
        cur.execute("SET innodb_lock_wait_timeout = 1000")
    b._execute_command(3, "UPDATE t SET a = 1 WHERE id = 1")
    waits = until(lambda: rows(table, "SELECT * FROM performance_schema.data_lock_waits"))
    assert [(w["REQUESTING_THREAD_ID"], w["BLOCKING_THREAD_ID"]) for w in waits] == [(ids[1], ids[0])]
    locks = {r["ENGINE_LOCK_ID"]: r for r in rows(table, "SELECT * FROM performance_schema.data_locks")}
    wanted, blocking = (locks[waits[0][k + "_ENGINE_LOCK_ID"]] for k in ("REQUESTING", "BLOCKING"))
    assert (wanted["LOCK_STATUS"], wanted["THREAD_ID"]) == ("WAITING", ids[1])
    assert (blocking["LOCK_STATUS"], blocking["OBJECT_NAME"]) == ("GRANTED", "t")
    a.rollback()
    b._read_query_result()
    b.rollback()


def test_variables_info(connect, table):
    info = "SELECT * FROM performance_schema.variables_info WHERE variable_name = '%s'"
    assert one(table, info % "socket")["VARIABLE_SOURCE"] == "COMMAND_LINE"
    assert one(table, info % "max_connect_errors")["VARIABLE_SOURCE"] == "COMPILED"
    rows(table, "SET GLOBAL max_connect_errors = 77")
    i = one(table, info % "max_connect_errors")
    assert (i["VARIABLE_SOURCE"], i["SET_USER"], i["SET_HOST"]) == ("DYNAMIC", "root", "localhost") and i["SET_TIME"]
    rows(table, "SET GLOBAL max_connect_errors = DEFAULT")


def test_backup_lock_keeps_ddl_out(connect, table):
    c = connect(database="ps")
    rows(table, "LOCK INSTANCE FOR BACKUP")
    rows(c, "SET lock_wait_timeout = 1")
    rows(c, "INSERT INTO t (id) VALUES (100)")
    assert code(c, "CREATE TABLE u (id INT)") == 1205
    assert code(c, "ALTER TABLE t ADD z INT") == 1205
    assert code(c, "DROP TABLE t") == 1205
    assert code(c, "TRUNCATE TABLE t") == 1205
    assert code(c, "CREATE USER nobody1") == 1205
    assert code(c, "CREATE TEMPORARY TABLE u (id INT)") is None
    lock = one(table, "SELECT * FROM performance_schema.metadata_locks WHERE object_type = 'BACKUP LOCK'")
    assert (lock["LOCK_TYPE"], lock["LOCK_DURATION"]) == ("SHARED", "EXPLICIT")
    rows(table, "UNLOCK INSTANCE")
    assert code(c, "ALTER TABLE t ADD z INT") is None
    assert code(table, "UNLOCK INSTANCE") is None


def test_setup_says_what_is_measured(table):
    on = {r["NAME"] for r in rows(table, "SELECT name AS NAME FROM performance_schema.setup_consumers WHERE enabled = 'YES'")}
    assert on == {"events_statements_current", "events_statements_history", "events_transactions_current", "events_transactions_history",
                  "global_instrumentation", "thread_instrumentation", "statements_digest"}  # as MySQL 8.4 and 9.7


def test_error_log_keeps_the_log(connect):
    c = connect()
    lines = rows(c, "SELECT * FROM performance_schema.error_log ORDER BY logged")
    assert any("ready for connections" in line["DATA"] and line["ERROR_CODE"] == "MY-010931" for line in lines), lines
    assert all(line["PRIO"] in ("System", "Error", "Warning", "Note") and line["SUBSYSTEM"] == "Server" for line in lines)
    status = {r["Variable_name"]: int(r["Value"]) for r in rows(c, "SHOW GLOBAL STATUS LIKE 'Error_log%'")}
    assert status["Error_log_buffered_events"] >= len(lines) and status["Error_log_expired_events"] == 0
    assert status["Error_log_buffered_bytes"] >= sum(len(line["DATA"].encode()) for line in lines)


def test_log_status(connect):
    c = connect()
    row = one(c, "SELECT server_uuid = @@server_uuid AS same, local, replication, "
                 "JSON_EXTRACT(storage_engines, '$.InnoDB.LSN') >= JSON_EXTRACT(storage_engines, '$.InnoDB.LSN_checkpoint') AS sane "
                 "FROM performance_schema.log_status")
    assert row == {"same": 1, "local": '{"gtid_executed": ""}', "replication": '{"channels": []}', "sane": 1}
    rows(c, "CREATE USER reader IDENTIFIED BY 'x'")
    rows(c, "GRANT SELECT ON performance_schema.* TO reader")
    reader = connect(user="reader", password="x")
    assert code(reader, "SELECT * FROM performance_schema.log_status") == 1227
    assert code(reader, "SELECT * FROM performance_schema.error_log") is None
    rows(c, "DROP USER reader")


def test_tls_channel_status(connect):
    found = {r["PROPERTY"]: r["VALUE"] for r in rows(connect(), "SELECT * FROM performance_schema.tls_channel_status WHERE channel = 'mysql_main'")}
    assert found["Enabled"] == "Yes" and found["Current_tls_version"] == "TLSv1.2,TLSv1.3" and "Ssl_accepts" in found


def test_names_of_errors_are_mysqls(connect):
    sql = "SELECT error_name AS n FROM performance_schema.events_errors_summary_global_by_error WHERE error_number IN (1062, 1265, 1647, 3065) ORDER BY error_number"
    names = [r["n"] for r in rows(connect(), sql)]
    assert names == ["ER_DUP_ENTRY", "WARN_DATA_TRUNCATED", "WARN_COND_ITEM_TRUNCATED", "ER_FIELD_IN_ORDER_NOT_SELECT"]
