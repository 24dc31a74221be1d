"""System variables that act: the query logs, SET PERSIST, init_connect, offline_mode, max_execution_time, engines, notes."""
import json
import os
import re
import socket
import ssl
import struct
import threading
import time

import pymysql
import pytest

from lib.servers import Server
from lib.wait import PATIENCE


@pytest.fixture(scope="module")
def server():
    s = Server().start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE d.t (a INT PRIMARY KEY, b VARCHAR(20))")
    s.query("INSERT INTO d.t VALUES (1,'x'),(2,'y'),(3,'z')")
    s.query("CREATE USER u IDENTIFIED BY 'pw'")
    s.query("GRANT ALL ON d.* TO u")
    yield s
    s.remove()


def ask(conn, sql, *args):
    with conn.cursor() as c:
        c.execute(sql, *args)
        return c.fetchall()


def error(conn, sql):
    with pytest.raises(pymysql.MySQLError) as e:
        ask(conn, sql)
    return e.value.args[0]


def warnings(conn):
    return [(w[0], w[1]) for w in ask(conn, "SHOW WARNINGS")]


def test_slow_log_file(server, tmp_path):
    log = tmp_path / "slow.log"
    with server.connect(database="d") as admin:
        ask(admin, f"SET GLOBAL slow_query_log_file = '{log}'")
        ask(admin, "FLUSH LOGS")
        ask(admin, "SET GLOBAL slow_query_log = ON")
        try:
            with server.connect(database="d") as c:
                ask(c, "SELECT 'fast'")
                ask(c, "SET long_query_time = 0.05")
                ask(c, "SELECT SLEEP(0.1), 'slow one' FROM t WHERE a = 1")
                ask(c, "SET long_query_time = 0")
                ask(c, "SELECT * FROM t -- all rows")
                ask(c, "SET min_examined_row_limit = 3")
                ask(c, "SELECT 'too few rows'")
                ask(c, "SELECT b, 'enough' FROM t")
                ask(c, "ALTER TABLE t COMMENT 'not an ordinary statement'")
                ask(c, "PREPARE p FROM 'SELECT a, ''prepared'' FROM t WHERE b > ?'")
                ask(c, "SET @b = 'a'")
                ask(c, "EXECUTE p USING @b")
                ask(c, "SELECT SQL_CALC_FOUND_ROWS b, 'two of all' FROM t LIMIT 2")
                # row and metadata locks that others hold
                for hold, want in [("SELECT * FROM t FOR UPDATE", "UPDATE t SET b = b WHERE 'waits for rows' <> ''"),
                                   ("LOCK TABLES t WRITE", "SELECT 'waits for the table' FROM t")]:
                    ask(admin, "BEGIN")
                    ask(admin, hold)
                    timer = threading.Timer(0.3, lambda: ask(admin, "ROLLBACK" if "UPDATE" in hold else "UNLOCK TABLES"))
                    timer.start()
                    ask(c, "SET min_examined_row_limit = 0")
                    ask(c, want)
                    timer.join()
                slow = ask(c, "SHOW SESSION STATUS LIKE 'Slow_queries'")[0][1]
        finally:
            ask(admin, "SET GLOBAL slow_query_log = OFF")
    text = log.read_text()
    assert "'slow one'" in text and "all rows" in text and "'enough'" in text and "EXECUTE p" in text
    for absent in ("'fast'", "too few rows", "not an ordinary"):
        assert absent not in text, text
    entry = re.search(r"# Time: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z\n# User@Host: root\[root\] @ localhost \[\]  Id: +\d+\n"
                      r"# Query_time: (\d+\.\d+)  Lock_time: \d+\.\d+ Rows_sent: (\d+)  Rows_examined: (\d+)\n(?:use d;\n)?SET timestamp=\d+;\n"
                      r"SELECT SLEEP\(0\.1\), 'slow one' FROM t WHERE a = 1;\n", text)
    assert entry, text
    assert 0.1 <= float(entry[1]) < 5 and entry[2] == "1" and entry[3] == "1"
    assert re.search(r"Rows_sent: 2  Rows_examined: \d+\nSET timestamp=\d+;\n.*two of all", text), text
    for word in ("waits for rows", "waits for the table"):
        waited = re.search(rf"Query_time: (\S+)  Lock_time: (\S+) .*\n(?:use d;\n)?SET timestamp=\d+;\n.*{word}", text)
        assert waited and 0.1 < float(waited[2]) <= float(waited[1]), text
    assert int(slow) >= 4


def slow_log_of(server, log, settings, statements, own=()):
    """What the slow log gets of the statements while the settings are on."""
    names = [s.split("=")[0].strip() for s in settings]
    with server.connect(database="d") as admin:
        ask(admin, f"SET GLOBAL slow_query_log_file = '{log}'")
        ask(admin, "FLUSH LOGS")
        for s in settings:
            ask(admin, f"SET GLOBAL {s}")
        try:
            with server.connect(database="d") as c:
                for s in own:
                    ask(c, s)
                ask(admin, "SET GLOBAL slow_query_log = ON")
                for s in statements:
                    try:
                        ask(c, s)
                    except pymysql.MySQLError:
                        pass
        finally:
            ask(admin, "SET GLOBAL slow_query_log = OFF")
            for n in names:
                ask(admin, f"SET GLOBAL {n} = DEFAULT")
    return log.read_text() if log.exists() else ""


def test_queries_without_indexes(server, tmp_path):
    statements = ["SELECT 'scan' FROM t", "SELECT 'key' FROM t WHERE a = 2", "SELECT 'scan of a key', a FROM t ORDER BY a",
                  "UPDATE t SET b = b WHERE b = 'change by scan'", "UPDATE t SET b = b WHERE a = 1 AND b <> 'change by key'",
                  "DELETE FROM t WHERE b = 'removal by scan'", "SHOW TABLES", "INSERT INTO t VALUES (1, 'duplicate')"]
    text = slow_log_of(server, tmp_path / "a", ["log_queries_not_using_indexes = ON"], statements)
    for there in ("'scan'", "scan of a key", "change by scan", "removal by scan"):
        assert there in text, text
    for absent in ("'key'", "change by key", "SHOW", "duplicate"):
        assert absent not in text, text
    assert "'scan'" not in slow_log_of(server, tmp_path / "b", ["log_output = 'FILE'"], statements)
    few = slow_log_of(server, tmp_path / "c", ["log_queries_not_using_indexes = ON", "min_examined_row_limit = 100"], statements[:1])
    assert "'scan'" not in few
    settings = ["log_queries_not_using_indexes = ON", "log_throttle_queries_not_using_indexes = 2"]
    text = slow_log_of(server, tmp_path / "d", settings, [f"SELECT 'scan {n}' FROM t" for n in range(5)])
    assert "scan 0" in text and "scan 1" in text and "scan 2" not in text and "scan 4" not in text


def test_extra_fields_and_zone(server, tmp_path):
    settings = ["log_slow_extra = ON", "log_timestamps = SYSTEM"]
    statements = ["SELECT * FROM t ORDER BY b", "SELECT * FROM nope"]
    text = slow_log_of(server, tmp_path / "a", settings, statements, ["SET long_query_time = 0"])
    fields = (r"Rows_examined: (\d+) Thread_id: \d+ Errno: (\d+) Killed: 0 Bytes_received: (\d+) Bytes_sent: (\d+) Read_first: \d+ Read_last: 0 "
              r"Read_key: \d+ Read_next: \d+ Read_prev: 0 Read_rnd: \d+ Read_rnd_next: (\d+) Sort_merge_passes: 0 Sort_range_count: 0 Sort_rows: (\d+) "
              r"Sort_scan_count: (\d+) Created_tmp_disk_tables: 0 Created_tmp_tables: 0 Start: \S+[+-]\d\d:\d\d End: \S+[+-]\d\d:\d\d\n")
    found = re.findall(fields, text)
    assert len(found) == 2, text
    examined, errno, received, sent, scanned, rows, sorts = map(int, found[0])
    # three rows of four and more bytes, two columns
    assert errno == 0 and received == 5 + len(statements[0]) and 60 < sent < 400 and rows == 3 and sorts == 1 and scanned >= 3 and examined >= 3
    assert found[1][1] == "1146"
    assert re.search(r"^# Time: \S+[+-]\d\d:\d\d$", text, re.M)
    assert "Thread_id" not in slow_log_of(server, tmp_path / "b", ["log_timestamps = UTC"], statements, ["SET long_query_time = 0"])


def test_raw_passwords(server, tmp_path):
    log = tmp_path / "general.log"
    with server.connect() as c:
        ask(c, f"SET GLOBAL general_log_file = '{log}', GLOBAL general_log = ON")
        try:
            for raw in ("ON", "OFF"):
                ask(c, f"SET GLOBAL log_raw = {raw}")
                ask(c, f"CREATE USER shown IDENTIFIED BY 'Secret{raw}'")
                ask(c, "DROP USER shown")
        finally:
            ask(c, "SET GLOBAL general_log = OFF, GLOBAL log_raw = OFF")
    text = log.read_text()
    assert "'SecretON'" in text and "SecretOFF" not in text


def test_general_log_table_and_file(server, tmp_path):
    log = tmp_path / "general.log"
    with server.connect(database="d") as c:
        ask(c, f"SET GLOBAL general_log_file = '{log}'")
        ask(c, "SET GLOBAL log_output = 'TABLE,FILE'")
        ask(c, "FLUSH GENERAL LOGS")
        ask(c, "SET GLOBAL general_log = ON, GLOBAL slow_query_log = ON")
        ask(c, "SET long_query_time = 0")
        try:
            ask(c, "SELECT 'seen', 'é'")
            ask(c, "CREATE USER hidden IDENTIFIED BY 'TopSecret'")
            ask(c, "DROP USER hidden")
            ask(c, "BEGIN")
            ask(c, "SELECT 'in a transaction'")
            ask(c, "ROLLBACK")
            ask(c, "SET sql_log_off = 1")
            ask(c, "SELECT 'not seen'")
            ask(c, "SET sql_log_off = 0")
            other = server.connect(database="d")
            other.close()
            rows = ask(c, "SELECT user_host, thread_id, command_type, CONVERT(argument USING utf8mb4) FROM mysql.general_log ORDER BY event_time")
            slow = ask(c, "SELECT db, CONVERT(sql_text USING utf8mb4), query_time, rows_sent FROM mysql.slow_log")
        finally:
            ask(c, "SET GLOBAL general_log = OFF, GLOBAL slow_query_log = OFF")
            ask(c, "SET GLOBAL log_output = DEFAULT")
    said = [r[3] for r in rows]
    assert "SELECT 'seen', 'é'" in said and "SELECT 'in a transaction'" in said
    assert "CREATE USER hidden IDENTIFIED BY <secret>" in said
    assert not any("not seen" in s for s in said)
    assert {"Connect", "Query"} <= {r[2] for r in rows}
    assert any(r[2] == "Connect" and r[3] == "root@localhost on d using Socket" for r in rows)
    assert all(r[0] == "root[root] @ localhost []" for r in rows)
    assert any(r[0] == "d" and r[1] == "SELECT 'seen', 'é'" and r[3] == 1 for r in slow)
    text = log.read_text()
    assert "Query\tSELECT 'seen', 'é'\n" in text and "TopSecret" not in text and "not seen" not in text
    with server.connect() as c:
        ask(c, "TRUNCATE mysql.general_log")
        ask(c, "TRUNCATE mysql.slow_log")


def test_log_under_locks(server):
    """The logs go on while the session holds locks."""
    with server.connect(database="d") as c:
        ask(c, "SET GLOBAL log_output = 'TABLE'")
        ask(c, "SET GLOBAL general_log = ON")
        start = time.time()
        try:
            ask(c, "LOCK TABLES t WRITE")
            ask(c, "SELECT 'locked' FROM t")
            ask(c, "UNLOCK TABLES")
        finally:
            ask(c, "SET GLOBAL general_log = OFF")
            ask(c, "SET GLOBAL log_output = DEFAULT")
        assert time.time() - start < PATIENCE
        assert ask(c, "SELECT COUNT(*) FROM mysql.general_log WHERE argument LIKE '%''locked''%'")[0][0] >= 1
        ask(c, "TRUNCATE mysql.general_log")


def test_persist(tmp_path):
    s = Server(folder=tmp_path / "s").start()
    try:
        with s.connect() as c:
            ask(c, "SET PERSIST max_connections = 77, PERSIST sort_buffer_size = DEFAULT")
            ask(c, "SET PERSIST_ONLY back_log = 55")
            ask(c, "SET PERSIST sql_mode = 'ANSI_QUOTES', PERSIST init_connect = 'SET @a = ''b'''")
            ask(c, "SET @@PERSIST.optimizer_switch = 'mrr=off'")
            assert ask(c, "SELECT @@GLOBAL.max_connections, @@GLOBAL.back_log = 55") == ((77, 0),)
            assert error(c, "SET PERSIST datadir = '/x'") == 1238
            assert error(c, "SET PERSIST back_log = 55") == 1238
            assert error(c, "SET PERSIST timestamp = 5") == 1228
            assert error(c, "SET PERSIST max_connections = 'x'") == 1232
            rows = dict(ask(c, "SELECT * FROM performance_schema.persisted_variables"))
            assert rows["max_connections"] == "77" and rows["back_log"] == "55" and rows["sql_mode"] == "ANSI_QUOTES"
            ask(c, "SET GLOBAL max_connections = 66")
        auto = json.loads((s.dir / "data/mysqld-auto.cnf").read_text())
        assert auto["Version"] == 2 and auto["mysql_dynamic_variables"]["max_connections"]["Value"] == "77"
        assert auto["mysql_static_variables"]["back_log"]["Metadata"]["User"] == "root"
        s.stop()
        s.options = ["--max-connections=88"]
        s.start()
        with s.connect() as c:
            assert ask(c, "SELECT @@max_connections, @@back_log, @@GLOBAL.init_connect, @@GLOBAL.sql_mode, @@optimizer_switch LIKE '%mrr=off%'") == (
                (77, 55, "SET @a = 'b'", "ANSI_QUOTES", 1),)
            ask(c, "RESET PERSIST max_connections")
            assert error(c, "RESET PERSIST max_connections") == 3615
            ask(c, "RESET PERSIST IF EXISTS max_connections")
            assert warnings(c) == [("Warning", 3615)]
            assert ask(c, "SELECT @@max_connections")[0][0] == 77
        s.stop()
        s.start()
        with s.connect() as c:
            assert ask(c, "SELECT @@max_connections, @@back_log") == ((88, 55),)
            ask(c, "RESET PERSIST")
            assert ask(c, "SELECT COUNT(*) FROM performance_schema.persisted_variables")[0][0] == 0
        s.stop()
        s.options = ["--persisted-globals-load=OFF"]
        (s.dir / "data/mysqld-auto.cnf").write_text("{ damaged")
        s.start()
        s.stop()
        s.options = []
        with pytest.raises(RuntimeError, match="mysqld-auto.cnf"):
            s.start()
    finally:
        s.remove()


def test_init_connect(server):
    with server.connect() as admin:
        ask(admin, "SET GLOBAL init_connect = 'SET @a = 5; SET lock_wait_timeout = 77'")
        try:
            with server.connect(user="u", password="pw") as c:
                assert ask(c, "SELECT @a, @@lock_wait_timeout") == ((5, 77),)
            with server.connect() as c:
                assert ask(c, "SELECT @a")[0][0] is None, "not for administrators"
            ask(admin, "SET GLOBAL init_connect = 'no such statement'")
            with pytest.raises(pymysql.MySQLError) as e:
                server.connect(user="u", password="pw")
            assert e.value.args[0] == 1184
            server.connect().close()
        finally:
            ask(admin, "SET GLOBAL init_connect = ''")


def test_offline_mode(server):
    before = server.connect(user="u", password="pw")
    assert ask(before, "SELECT 1") == ((1,),)
    with server.connect() as admin:
        ask(admin, "SET GLOBAL offline_mode = ON")
        try:
            assert error(before, "SELECT 1") == 3032
            assert error(before, "SELECT 1") in (2006, 2013, 3032)
            assert error(before, "SELECT 1") in (0, 2006, 2013), "the connection is closed"
            with pytest.raises(pymysql.MySQLError) as e:
                server.connect(user="u", password="pw")
            assert e.value.args[0] == 3032
            assert ask(admin, "SELECT 1") == ((1,),)
        finally:
            ask(admin, "SET GLOBAL offline_mode = OFF")
    server.connect(user="u", password="pw").close()


def test_max_execution_time_is_for_select(server):
    with server.connect(database="d") as c:
        ask(c, "SET max_execution_time = 100")
        # SLEEP alone is interrupted and gives 1
        start = time.time()
        try:
            assert ask(c, "SELECT SLEEP(1000)") == ((1,),)
        except pymysql.MySQLError as e:
            assert e.args[0] == 3024
        assert time.time() - start < PATIENCE
        ask(c, "UPDATE t SET b = CONCAT(b, SLEEP(0.1)) WHERE a < 4")
        assert ask(c, "SELECT GROUP_CONCAT(b ORDER BY a) FROM t") == (("x0,y0,z0",),)
        ask(c, "DO SLEEP(0.3)")
        assert ask(c, "SELECT /*+ MAX_EXECUTION_TIME(0) */ SLEEP(0.3)") == ((0,),)
        ask(c, "UPDATE t SET b = LEFT(b, 1)")


def test_notes_and_information(server):
    with server.connect(database="d") as c:
        ask(c, "DROP TABLE IF EXISTS nowhere")
        assert warnings(c) == [("Note", 1051)]
        ask(c, "SET sql_notes = 0")
        ask(c, "DROP TABLE IF EXISTS nowhere")
        assert warnings(c) == [] and ask(c, "SELECT @@warning_count") == ((0,),)
        ask(c, "SET sql_notes = 1, sql_mode = ''")
        ask(c, "CREATE TEMPORARY TABLE s (a TINYINT)")

        def info(sql):
            with c.cursor() as cur:
                cur.execute(sql)
                return (c._result.message or b"").decode(errors="replace")
        assert "Records" not in info("INSERT INTO s VALUES (1000)")
        ask(c, "SET sql_warnings = 1")
        assert "Records: 1  Duplicates: 0  Warnings: 1" in info("INSERT INTO s VALUES (1000)")
        assert "Records" not in info("INSERT INTO s VALUES (1)")


def test_engines(tmp_path):
    s = Server(options=["--disabled-storage-engines=MyISAM,ARCHIVE"]).start()
    try:
        s.query("CREATE DATABASE d")
        with s.connect(database="d") as c:
            assert error(c, "CREATE TABLE a (a INT) ENGINE=MyISAM") == 3161
            ask(c, "SET default_storage_engine = archive")
            assert ask(c, "SELECT @@default_storage_engine") == (("ARCHIVE",),)
            assert error(c, "CREATE TABLE a (a INT)") == 3161
            ask(c, "CREATE TABLE a (a INT) ENGINE=InnoDB")
            assert error(c, "ALTER TABLE a ENGINE=ARCHIVE") == 3161
            assert error(c, "ALTER TABLE a ADD b INT, ENGINE=myisam") == 3161
            ask(c, "ALTER TABLE a ENGINE=InnoDB")
            ask(c, "SET default_storage_engine = MEMORY")
            ask(c, "CREATE TABLE b (a INT)")
            assert warnings(c) == [("Warning", 1266)]
            ask(c, "CREATE TABLE e AS SELECT 1 AS a")
            assert ("Warning", 1266) in warnings(c)
            ask(c, "CREATE TABLE f LIKE b")
            assert warnings(c) == []
            assert error(c, "SET default_storage_engine = nonsense") == 1286
            ask(c, "SET lc_messages = 'de_DE'")
            assert error(c, "SET lc_messages = 'xx'") == 1649
            ask(c, "SET lc_messages = 'en_GB'")
    finally:
        s.remove()


def test_quotes_of_show_create(server):
    with server.connect(database="d") as c:
        ask(c, "CREATE TABLE `a b` (`select` INT, plain INT DEFAULT 5 COMMENT '`x`', KEY `k` (plain), CONSTRAINT c CHECK (plain > 0))")
        quoted = ask(c, "SHOW CREATE TABLE `a b`")[0][1]
        ask(c, "SET sql_quote_show_create = 0")
        text = ask(c, "SHOW CREATE TABLE `a b`")[0][1]
        assert "`a b`" in text and "`select` int" in text and "\n  plain int DEFAULT '5' COMMENT '`x`'" in text and "KEY k (plain)" in text
        assert ask(c, "SHOW CREATE DATABASE d")[0][1].startswith("CREATE DATABASE d ")
        ask(c, "DROP TABLE `a b`")
        ask(c, text)
        ask(c, "SET sql_quote_show_create = 1")
        assert ask(c, "SHOW CREATE TABLE `a b`")[0][1] == quoted
        ask(c, "DROP TABLE `a b`")


def test_select_into_synced(server, tmp_path):
    """select_into_buffer_size, _disk_sync and _disk_sync_delay: after each piece the file is synced and the statement sleeps."""
    s = Server(options=[f"--secure-file-priv={tmp_path}"]).start()
    try:
        with s.connect() as c:
            ask(c, "SET select_into_buffer_size = 8192, select_into_disk_sync = ON, select_into_disk_sync_delay = 100")
            start = time.time()
            ask(c, f"WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 400) SELECT REPEAT('x', 100) FROM n INTO OUTFILE '{tmp_path}/a'")
            took = time.time() - start
            assert took >= 0.5, took
            ask(c, "SET select_into_disk_sync = OFF")
            ask(c, "SET select_into_disk_sync_delay = 100000")
            ask(c, f"WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 400) SELECT REPEAT('x', 100) FROM n INTO OUTFILE '{tmp_path}/b'")
            assert time.time() - start - took < 5 * 100, "the delay is for what is synced"
        assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text() == ("x" * 100 + "\n") * 400
    finally:
        s.remove()


def test_options_that_act_at_the_start(tmp_path):
    s = Server(options=["--skip-show-database", "--slow-launch-time=0", "--performance-schema-session-connect-attrs-size=40",
                        "--innodb-log-file-size=16M", "--innodb-log-files-in-group=3", "--innodb-doublewrite=OFF", "--innodb-flush-method=fsync",
                        "--core-file"]).start()
    try:
        s.query("CREATE DATABASE d")
        s.query("CREATE USER u")
        with s.connect(user="u") as c:
            assert error(c, "SHOW DATABASES") == 1227
            s.query("GRANT SHOW DATABASES ON *.* TO u")
        with s.connect(user="u") as c:
            assert ("d",) in ask(c, "SHOW DATABASES")
        assert int(s.query("SHOW GLOBAL STATUS LIKE 'Slow_launch_threads'")[0][1]) >= 3
        attributes = dict(s.query("SELECT ATTR_NAME, ATTR_VALUE FROM performance_schema.session_account_connect_attrs WHERE PROCESSLIST_ID = CONNECTION_ID()"))
        assert int(attributes["_truncated"]) > 0 and sum(len(k) + len(v) for k, v in attributes.items() if k != "_truncated") <= 40
        counts = dict(s.query("SHOW GLOBAL STATUS LIKE 'Performance_schema_session_connect_attrs%'"))
        assert int(counts["Performance_schema_session_connect_attrs_lost"]) >= 3
        assert int(counts["Performance_schema_session_connect_attrs_longest_seen"]) > 40
        assert s.query("SELECT @@innodb_redo_log_capacity")[0][0] == 48 << 20
        with open(f"/proc/{s.process.pid}/limits") as f:
            core = next(line for line in f if line.startswith("Max core")).split()
        assert core[4] == core[5]
        s.query("CREATE TABLE d.t (a INT PRIMARY KEY)")
        s.query("INSERT INTO d.t VALUES (1),(2)")
        s.stop()
        assert not list((s.dir / "data").glob("*.dblwr"))
        s.options = []
        s.start()
        assert s.query("SELECT COUNT(*) FROM d.t") == ((2,),)
        s.query("INSERT INTO d.t VALUES (3)")
        s.stop()
        # copies that nobody keeps up would be older than the checkpoint one day
        assert list((s.dir / "data").glob("*.dblwr"))
        s.options = ["--innodb-doublewrite=OFF"]
        s.start()
        assert not list((s.dir / "data").glob("*.dblwr"))
        assert s.query("SELECT COUNT(*) FROM d.t") == ((3,),)
    finally:
        s.remove()
    # what cannot be had stops the start
    for option in ("--innodb-page-size=32768", "--authentication-policy=mysql_native_password"):
        s = Server(options=[option])
        with pytest.raises(RuntimeError, match="supports only"):
            s.start()
        s.remove()


def test_parser_memory(server):
    with server.connect() as c:
        ask(c, "SET parser_max_mem_size = 10000000")
        assert error(c, "SELECT " + ", ".join("(1+2)" for _ in range(100000)) + " LIMIT 0") == 3170
        assert ask(c, "SELECT 7") == ((7,),)


def test_purge_lag(server):
    """Writers wait while the history is longer than it may be."""
    with server.connect(database="d") as c, server.connect(database="d", autocommit=False) as old:
        ask(c, "CREATE TABLE behind (a INT PRIMARY KEY, b INT)")
        ask(c, "INSERT INTO behind VALUES (1,0)")
        # a snapshot that nothing can be purged past
        ask(old, "SELECT * FROM behind")
        for n in range(60):
            ask(c, f"UPDATE behind SET b = {n + 1} WHERE a = 1")

        def took():
            start = time.time()
            for n in range(5):
                ask(c, "UPDATE behind SET b = b + 1000 WHERE a = 1")
            return time.time() - start
        free = min(took() for _ in range(3))  # a busy machine may be away for some time, but not always
        ask(c, "SET GLOBAL innodb_max_purge_lag = 1")
        try:
            held = took()
            ask(c, "SET GLOBAL innodb_max_purge_lag_delay = 1000")
            bounded = min(took() for _ in range(3))
        finally:
            ask(c, "SET GLOBAL innodb_max_purge_lag = 0, GLOBAL innodb_max_purge_lag_delay = 0")
        old.rollback()
        # sixty times what it may be: some 0.6 s each
        assert held > 2 and free < held / 2 and bounded < held / 2, (free, held, bounded)
        ask(c, "DROP TABLE behind")


def test_fill_factor_and_sample_pages(server):
    with server.connect(database="d") as c:
        ask(c, "SET cte_max_recursion_depth = 100000")
        ask(c, "CREATE TABLE f (a INT PRIMARY KEY, b VARCHAR(100), c INT)")
        ask(c, "INSERT INTO f WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i, REPEAT(CHAR(97 + i % 7), 90), i FROM n")

        def leaves(name, factor):
            ask(c, f"SET GLOBAL innodb_fill_factor = {factor}")
            ask(c, f"ALTER TABLE f ADD INDEX {name} (b)")
            return ask(c, f"SELECT COUNT(*) FROM information_schema.INNODB_BUFFER_PAGE WHERE TABLE_NAME = '`d`.`f`' AND INDEX_NAME = '{name}' AND PAGE_TYPE = 'INDEX'")[0][0]
        try:
            full, half = leaves("full", 100), leaves("half", 50)
        finally:
            ask(c, "SET GLOBAL innodb_fill_factor = DEFAULT")
        assert 1.7 * full < half < 2.4 * full, (full, half)
        # delete-marked rows are counted where that is asked for; as long as somebody may read them none is purged
        rows = lambda: ask(c, "SELECT TABLE_ROWS FROM information_schema.TABLES WHERE TABLE_NAME = 'f'")[0][0]
        with server.connect(database="d", autocommit=False) as old:
            ask(old, "SELECT COUNT(*) FROM f")
            ask(c, "DELETE FROM f WHERE a > 5000")
            ask(c, "SET GLOBAL innodb_stats_include_delete_marked = ON, GLOBAL innodb_stats_persistent_sample_pages = 2000")
            try:
                ask(c, "ANALYZE TABLE f")
                with_marked = rows()
                ask(c, "SET GLOBAL innodb_stats_include_delete_marked = OFF")
                ask(c, "ANALYZE TABLE f")
                without = rows()
            finally:
                ask(c, "SET GLOBAL innodb_stats_include_delete_marked = OFF, GLOBAL innodb_stats_persistent_sample_pages = DEFAULT")
            old.rollback()
        assert with_marked > 19000 and 4900 < without < 5100, (with_marked, without)
        # the table's own number of pages; leaves that purge joins meanwhile may be counted twice
        ask(c, "ALTER TABLE f STATS_SAMPLE_PAGES = 2000")
        deadline = time.time() + 60
        while ask(c, "ANALYZE TABLE f") and not 4900 < rows() < 5100:
            assert time.time() < deadline, rows()
            time.sleep(0.2)
        ask(c, "DROP TABLE f")


def test_administrative_interface():
    from lib.servers import free_port
    port = free_port()
    s = Server(options=["--admin-address=127.0.0.1", f"--admin-port={port}", "--max-connections=2"]).start()
    try:
        s.query("CREATE USER plain IDENTIFIED BY 'x', admin IDENTIFIED BY 'x'")
        s.query("GRANT SERVICE_CONNECTION_ADMIN ON *.* TO admin")
        at = dict(host="127.0.0.1", port=port, password="x")
        with pytest.raises(pymysql.MySQLError) as e:
            s.connect(user="plain", **at)
        assert e.value.args[0] == 1227 and "SERVICE_CONNECTION_ADMIN" in e.value.args[1]
        first, second = s.connect(user="admin", **at), s.connect(user="admin", **at)
        # those do not count
        plain = [s.connect(user="plain", host="127.0.0.1", password="x") for _ in range(2)]
        with pytest.raises(pymysql.MySQLError) as e:
            s.connect(user="plain", host="127.0.0.1", password="x")
        assert e.value.args[0] == 1040
        third = s.connect(user="admin", **at)
        assert ask(third, "SELECT @@admin_port, CURRENT_USER()") == ((port, "admin@%"),)
        for c in (first, second, third, *plain):
            c.close()
        assert s.stop() == 0
    finally:
        s.remove()
    s = Server(options=["--admin-address=0.0.0.0"])
    with pytest.raises(RuntimeError, match="all addresses"):
        s.start()
    s.remove()


def resumed(server):
    """Whether a second TLS connection may go on with the session of the first."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion.TLSv1_2

    def once(session):
        with socket.create_connection(("127.0.0.1", server.port)) as s:
            s.recv(4096)
            # SSLRequest: protocol 4.1, TLS, secure connection, plugins
            body = struct.pack("<IIB23x", 0x200 | 0x800 | 0x8000 | 0x80000, 1 << 24, 45)
            s.sendall(struct.pack("<I", len(body) | 1 << 24) + body)
            with context.wrap_socket(s, session=session) as t:
                return t.session, t.session_reused
    return once(once(None)[0])[1]


def test_tls_sessions_are_resumed_or_not(server):
    assert resumed(server)
    s = Server(options=["--ssl-session-cache-mode=OFF"]).start()
    try:
        assert not resumed(s)
    finally:
        s.remove()


def test_nulls_in_statistics(server):
    with server.connect(database="d") as c:
        ask(c, "CREATE TABLE nulls (a INT PRIMARY KEY, b INT, INDEX (b))")
        ask(c, "SET cte_max_recursion_depth = 10000")
        ask(c, "INSERT INTO nulls WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
               "SELECT i, IF(i <= 2000, NULL, i % 10) FROM n")
        found = {}
        ask(c, "SET GLOBAL innodb_stats_persistent_sample_pages = 1000")
        try:
            for method in ("nulls_equal", "nulls_unequal", "nulls_ignored"):
                ask(c, f"SET GLOBAL innodb_stats_method = {method}")
                ask(c, "ANALYZE TABLE nulls")
                found[method] = ask(c, "SELECT CARDINALITY FROM information_schema.STATISTICS WHERE TABLE_NAME = 'nulls' AND INDEX_NAME = 'b'")[0][0]
        finally:
            ask(c, "SET GLOBAL innodb_stats_method = DEFAULT, GLOBAL innodb_stats_persistent_sample_pages = DEFAULT")
        # ten values in a thousand rows, and two thousand NULLs
        assert found == {"nulls_equal": 11, "nulls_unequal": 2010, "nulls_ignored": 30}
        ask(c, "DROP TABLE nulls")


def test_search_depth(server):
    """Few tables: all orders are looked at, unless optimizer_search_depth says fewer. A cached plan is another session's setting's no longer."""
    with server.connect() as c:
        ask(c, "CREATE DATABASE depth")
        ask(c, "USE depth")
        ask(c, "SET cte_max_recursion_depth = 100000")
        for name, columns, rows, values in [
                ("s", "id INT PRIMARY KEY, n INT, KEY (n)", 50, "i, 1 + i % 25"),
                ("cu", "id INT PRIMARY KEY, n INT, KEY (n)", 750, "i, 1 + i * 7 % 25"),
                ("o", "id INT PRIMARY KEY, c INT, dt INT, KEY (c), KEY (dt)", 7500, "i, 1 + i * 31 % 750, i % 70"),
                ("l", "id INT PRIMARY KEY, o INT, s INT, KEY (o), KEY (s)", 30000, "i, 1 + i * 13 % 7500, 1 + i * 17 % 50")]:
            ask(c, f"CREATE TABLE {name} ({columns})")
            ask(c, f"INSERT INTO {name} WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < {rows}) SELECT {values} FROM n")
            ask(c, f"ANALYZE TABLE {name}")
        sql = "EXPLAIN SELECT COUNT(*) FROM cu JOIN o ON o.c = cu.id JOIN l ON l.o = o.id JOIN s ON s.id = l.s AND s.n = cu.n WHERE o.dt BETWEEN 3 AND 12"
        order = lambda: [row[2] for row in ask(c, sql)]
        all_orders = order()
        ask(c, "SET optimizer_search_depth = 2")
        greedy = order()
        ask(c, "SET optimizer_search_depth = 0")
        assert order() == all_orders != greedy
        ask(c, "DROP DATABASE depth")
