"""The schema sys: its views have MySQL's columns (sys_columns.txt, recorded from a MySQL 9.7) and say what was done; who may read them; who blocks whom."""
import pathlib
import threading

import pymysql
import pytest

from lib.servers import Server
from lib.wait import PATIENCE, until, waits

COLUMNS = pathlib.Path(__file__).with_name("sys_columns.txt")
# views of ours, which MySQL does not have
OURS = {"blocked_sessions", "x$blocked_sessions", "blocking_tree", "buffer_pool_by_index", "x$buffer_pool_by_index", "cpu_limits", "latch_waits", "x$latch_waits",
        "statements_last_minute", "x$statements_last_minute"}

MISSING = set()


def recorded():
    """View -> [(name, type, NULL-able, collation)], as MySQL shows them."""
    views = {}
    for line in COLUMNS.read_text().splitlines():
        if not line.startswith("#"):
            view, name, kind, null, collation = line.split("\t")
            views.setdefault(view, []).append((name, kind, null, collation))
    return views


@pytest.fixture(scope="module")
def server():
    s = Server().start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE d.t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, b VARCHAR(20), KEY a (a), KEY ab (a, b), UNIQUE KEY u (b))")
    s.query("INSERT INTO d.t (a, b) VALUES (1, 'x'), (2, 'y'), (3, 'z')")
    yield s
    s.remove()


def rows(server, sql, **who):
    with server.connect(**who) as c, c.cursor(pymysql.cursors.DictCursor) as cur:
        cur.execute(sql)
        return list(cur.fetchall())


def one(server, sql, **who):
    (row,) = rows(server, sql, **who)
    return row


def error(server, sql, **who):
    with server.connect(**who) as c, c.cursor() as cur, pytest.raises(pymysql.err.MySQLError) as e:
        cur.execute(sql)
    return e.value.args[0]


class Meanwhile:
    """A statement on a connection while the block goes on; the block's end waits for its answer."""

    def __init__(self, connection, sql):
        self.connection, self.sql, self.result = connection, sql, None

    def run(self):
        with self.connection.cursor() as cur:
            try:
                self.result = cur.execute(self.sql)
            except pymysql.err.MySQLError as e:
                self.result = e

    def __enter__(self):
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        return self

    def answer(self):
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive(), f"no answer: {self.sql}"
        return self.result

    def __exit__(self, failed, *_):
        if not failed:
            self.answer()


def test_every_view_has_mysqls_columns_and_can_be_read(server):
    have = {}
    for r in rows(server, "SELECT TABLE_NAME v, COLUMN_NAME n, COLUMN_TYPE t, IS_NULLABLE i, COLLATION_NAME c FROM information_schema.COLUMNS"
                          " WHERE TABLE_SCHEMA = 'sys' ORDER BY TABLE_NAME, ORDINAL_POSITION"):
        have.setdefault(r["v"], []).append((r["n"], r["t"], r["i"], r["c"] or "-"))
    want = recorded()
    want["version"][1] = ("mysql_version", "varchar(60)", *want["version"][1][2:])  # there it is as long as the version's text
    assert set(have) == (set(want) | OURS) - MISSING
    assert {v: c for v, c in have.items() if v in want} == {v: c for v, c in want.items() if v not in MISSING}
    for view in have:
        rows(server, f"SELECT * FROM sys.`{view}`")
    shown = {v for (v,) in server.query("SELECT TABLE_NAME FROM information_schema.VIEWS WHERE TABLE_SCHEMA = 'sys'")}
    assert shown == set(have) - {"sys_config"} and len(shown - OURS | MISSING) == 100


def test_what_is_shown_of_the_schema(server):
    assert ("sys",) in server.query("SHOW DATABASES")
    assert ("version", "VIEW") in server.query("SHOW FULL TABLES", db="sys")
    (_, text, _, _), = server.query("SHOW CREATE VIEW sys.version")
    assert text.startswith("CREATE ALGORITHM=UNDEFINED DEFINER=`mysql.sys`@`localhost` SQL SECURITY INVOKER VIEW `sys`.`version` AS select '2.1.3'")
    v = one(server, "SELECT * FROM information_schema.VIEWS WHERE TABLE_SCHEMA = 'sys' AND TABLE_NAME = 'x$waits_global_by_latency'")
    assert (v["SECURITY_TYPE"], v["DEFINER"]) == ("INVOKER", "mysql.sys@localhost")
    # the text that is shown is a query that gives the same columns
    assert rows(server, v["VIEW_DEFINITION"] + " LIMIT 0") == []
    used = {r["TABLE_NAME"] for r in rows(server, "SELECT * FROM information_schema.VIEW_TABLE_USAGE WHERE VIEW_SCHEMA = 'sys' AND VIEW_NAME = 'innodb_lock_waits'")}
    assert used >= {"data_lock_waits", "data_locks", "INNODB_TRX"}


def test_it_cannot_be_damaged(server):
    for sql, code in [("DROP DATABASE sys", 3552), ("ALTER DATABASE sys CHARSET latin1", 3552), ("DROP VIEW sys.version", 3554),
                      ("CREATE OR REPLACE VIEW sys.version AS SELECT 1", 3554), ("ALTER VIEW sys.version AS SELECT 1", 3554),
                      ("RENAME TABLE sys.version TO sys.v2", 3554), ("CREATE TABLE sys.version (a INT)", 1050), ("DROP TABLE sys.version", 1051),
                      ("TRUNCATE sys.version", 1146), ("CREATE DATABASE sys", 3552)]:
        assert error(server, sql) == code, sql
    # what a dump says changes nothing either, and is warned of
    with server.connect() as c, c.cursor() as cur:
        for sql in ("DROP VIEW IF EXISTS sys.version", "CREATE VIEW sys.version AS SELECT 1",
                    "CREATE FUNCTION sys.quote_identifier (in_identifier TEXT) RETURNS TEXT DETERMINISTIC RETURN 'mine'"):
            cur.execute(sql)
            cur.execute("SHOW WARNINGS")
            assert [w[:2] for w in cur.fetchall()] == [("Warning", 3554)]
    assert one(server, "SELECT * FROM sys.version")["sys_version"] == "2.1.3"
    assert one(server, "SELECT sys.quote_identifier('a') q")["q"] == "`a`"
    # objects of one's own may stand beside them, as in MySQL
    server.query("CREATE TABLE sys.own (a INT)")
    server.query("DROP TABLE sys.own")


def test_who_may_read_it(server):
    server.query("CREATE USER nobody, views, tables, functions, everything")
    server.query("GRANT SELECT ON sys.* TO views, tables, everything")
    server.query("GRANT SELECT ON performance_schema.* TO tables, everything")
    server.query("GRANT EXECUTE ON sys.* TO functions, everything")
    answers = {
        "nobody": {"USE sys": 1044, "SELECT * FROM sys.version": 1142, "SELECT * FROM sys.x$statement_analysis": 1142, "SELECT sys.quote_identifier('a')": 1370},
        "views": {"USE sys": 0, "SELECT * FROM sys.version": 0, "SELECT * FROM sys.x$statement_analysis": 1356, "SELECT sys.quote_identifier('a')": 1370,
                  "SELECT * FROM sys.sys_config": 0, "SHOW CREATE VIEW sys.version": 1142, "UPDATE sys.sys_config SET value = 1": 1142},
        "tables": {"SELECT * FROM sys.x$statement_analysis": 0, "SELECT * FROM sys.statement_analysis": 1356, "SELECT sys.ps_thread_account(1)": 1370},
        "functions": {"SELECT sys.quote_identifier('a')": 0, "SELECT sys.format_path('a')": 0, "SELECT sys.format_statement('a')": 1142,
                      "SELECT sys.ps_thread_account(1)": 1142, "SELECT * FROM sys.version": 1142},
        "everything": {"SELECT * FROM sys.statement_analysis": 0, "SELECT sys.format_statement('a')": 0,
                       "SELECT * FROM sys.schema_table_lock_waits": 0},
    }
    for who, asked in answers.items():
        for sql, code in asked.items():
            if code:
                assert error(server, sql, user=who) == code, (who, sql)
            else:
                rows(server, sql, user=who)
    assert rows(server, "SHOW DATABASES LIKE 'sys'", user="nobody") == [] and len(rows(server, "SHOW DATABASES LIKE 'sys'", user="views")) == 1
    # a plan in the cache is asked about again
    with server.connect(user="everything") as c, c.cursor() as cur:
        cur.execute("SELECT sys.quote_identifier('a')")
        server.query("REVOKE EXECUTE ON sys.* FROM everything")
        with pytest.raises(pymysql.err.MySQLError) as e:
            cur.execute("SELECT sys.quote_identifier('a')")
        assert e.value.args[0] == 1370
    # through a view with SQL SECURITY DEFINER its definer's privileges count
    server.query("CREATE VIEW d.v AS SELECT sys.quote_identifier(b) q FROM d.t")
    server.query("GRANT SELECT ON d.v TO nobody")
    assert [r["q"] for r in rows(server, "SELECT q FROM d.v ORDER BY q", user="nobody")] == ["`x`", "`y`", "`z`"]


def test_sys_config_acts(server):
    text = "SELECT variable, value FROM sys.sys_config WHERE variable LIKE 'statement%'"
    shown = lambda: server.query(f'SELECT sys.format_statement("{text}")')[0][0]
    assert len(shown()) == 30 + 5 + 30
    server.query("UPDATE sys.sys_config SET value = 30 WHERE variable = 'statement_truncate_len'")
    assert shown() == text[:13] + " ... " + text[-13:]
    queries = [r["query"] for r in rows(server, "SELECT query FROM sys.statement_analysis")]
    assert queries and max(map(len, queries)) <= 31
    server.query("UPDATE sys.sys_config SET value = 64 WHERE variable = 'statement_truncate_len'")
    assert one(server, "SELECT sys.sys_get_config('statement_truncate_len', 1) v")["v"] == "64"


def test_statements(server):
    with server.connect(user="root", database="d") as c, c.cursor() as cur:
        cur.execute("TRUNCATE performance_schema.events_statements_summary_by_digest")
        for i in range(5):
            cur.execute(f"SELECT * FROM t WHERE id = {i}")
        for _ in range(3):
            cur.execute("SELECT COUNT(*) FROM t WHERE CONCAT(a) = '2'")
        cur.execute("SELECT b FROM t IGNORE INDEX (u) ORDER BY b DESC")
        cur.execute("SELECT CONCAT(a) k, COUNT(*) FROM t GROUP BY k")
        with pytest.raises(pymysql.err.MySQLError):
            cur.execute("SELECT nothing FROM t")
        cur.execute("SELECT 1 / 0 FROM t LIMIT 1")

    def of(view, like):
        found = rows(server, f"SELECT * FROM sys.`{view}` WHERE query LIKE '{like}'")
        return found[0] if found else None

    analysis = of("x$statement_analysis", "SELECT * FROM `t` WHERE%")
    assert (analysis["exec_count"], analysis["err_count"], analysis["db"], analysis["full_scan"]) == (5, 0, "d", "")
    assert (analysis["rows_sent"], analysis["rows_sent_avg"]) == (3, 1) and analysis["total_latency"] >= analysis["max_latency"] >= analysis["avg_latency"] > 0
    digest = one(server, f"SELECT * FROM performance_schema.events_statements_summary_by_digest WHERE digest = '{analysis['digest']}'")
    assert (digest["COUNT_STAR"], digest["SUM_ROWS_SENT"]) == (5, 3)
    scan = of("x$statements_with_full_table_scans", "SELECT COUNT ( * )%")
    assert (scan["exec_count"], scan["no_index_used_count"], scan["no_index_used_pct"]) == (3, 3, 100)
    assert of("statement_analysis", "SELECT COUNT ( * )%")["full_scan"] == "*"
    sort = of("x$statements_with_sorting", "SELECT `b`%")
    assert (sort["exec_count"], sort["rows_sorted"], sort["avg_rows_sorted"]) == (1, 3, 3) and sort["sorts_using_scans"] == 1
    temp = of("x$statements_with_temp_tables", "%GROUP BY%")
    assert temp["memory_tmp_tables"] == 1 and temp["disk_tmp_tables"] == 0
    wrong = of("x$statements_with_errors_or_warnings", "SELECT `nothing`%")
    assert (wrong["errors"], wrong["error_pct"]) == (1, 100)
    warned = of("x$statements_with_errors_or_warnings", "SELECT ? / ?%")
    assert (warned["errors"], warned["warnings"], warned["warning_pct"]) == (0, 1, 100)
    assert of("x$statements_with_errors_or_warnings", "SELECT * FROM `t`%") is None
    slow = rows(server, "SELECT * FROM sys.x$statements_with_runtimes_in_95th_percentile")
    slowest = one(server, "SELECT MAX(avg_timer_wait) m FROM performance_schema.events_statements_summary_by_digest")["m"]
    assert 1 <= len(slow) <= 5 and slow[0]["avg_latency"] <= slowest


def test_users_and_hosts(server):
    server.query("CREATE USER ann IDENTIFIED BY ''")
    server.query("GRANT ALL ON d.* TO ann")
    with server.connect(user="ann", database="d") as c, c.cursor() as cur:
        for i in range(7):
            cur.execute("SELECT a FROM t WHERE CONCAT(a) = '1'")
        cur.execute("UPDATE t SET a = a + 0 WHERE id = 1")
        kind = one(server, "SELECT * FROM sys.x$user_summary_by_statement_type WHERE user = 'ann' AND statement = 'select'")
        assert (kind["total"], kind["rows_sent"], kind["full_scans"]) == (7, 7, 7)
        whole = one(server, "SELECT * FROM sys.x$user_summary_by_statement_latency WHERE user = 'ann'")
        assert whole["total"] >= 8 and whole["full_scans"] == 7 and whole["total_latency"] >= whole["max_latency"] > 0
        by_host = one(server, "SELECT * FROM sys.x$host_summary_by_statement_latency WHERE host = 'localhost'")
        assert by_host["total"] > whole["total"]
        assert rows(server, "SELECT * FROM sys.user_summary_by_statement_type WHERE user = 'ann'")[0]["total_latency"].split()[1] in ("ns", "us", "ms", "s")


def test_indexes_and_objects(server):
    (redundant,) = rows(server, "SELECT * FROM sys.schema_redundant_indexes WHERE table_schema = 'd'")
    assert (redundant["redundant_index_name"], redundant["dominant_index_name"]) == ("a", "ab")
    assert (redundant["redundant_index_columns"], redundant["dominant_index_columns"]) == ("a", "a,b")
    assert redundant["sql_drop_index"] == "ALTER TABLE `d`.`t` DROP INDEX `a`"
    auto = one(server, "SELECT * FROM sys.schema_auto_increment_columns WHERE table_schema = 'd'")
    assert (auto["column_name"], auto["is_signed"], auto["max_value"], auto["auto_increment"]) == ("id", 1, 2147483647, 4)
    count = {(r["db"], r["object_type"]): r["count"] for r in rows(server, "SELECT * FROM sys.schema_object_overview")}
    assert count["d", "BASE TABLE"] == 1 and count["d", "INDEX (BTREE)"] == 5 and count["sys", "VIEW"] == 100 + len(OURS) - len(MISSING)


def test_redundant_indexes_are_mysqls(server):
    """Every pair of a few indexes: what a MySQL 9.7 says of the same table."""
    server.query("CREATE TABLE d.r (a INT, b INT, c INT, PRIMARY KEY (a), KEY k1 (a), UNIQUE u1 (a), KEY k2 (a, b), UNIQUE u2 (b), KEY k3 (b), KEY k4 (b, c),"
                 " UNIQUE u3 (b, c), KEY k5 (b, c), KEY k6 (c))")
    pairs = {(r["redundant_index_name"], r["dominant_index_name"]) for r in rows(server, "SELECT * FROM sys.schema_redundant_indexes WHERE table_name = 'r'")}
    server.query("DROP TABLE d.r")
    assert pairs == REDUNDANT


REDUNDANT = {("k1", "PRIMARY"), ("k1", "u1"), ("k1", "k2"), ("k2", "PRIMARY"), ("k2", "u1"), ("k3", "u2"), ("k3", "u3"), ("k3", "k4"), ("k3", "k5"), ("k4", "u2"),
             ("k4", "u3"), ("k5", "u2"), ("k5", "u3"), ("k5", "k4"), ("u1", "PRIMARY"), ("u3", "u2")}


def test_waits_and_locks_of_rows(server):
    with server.connect(database="d", autocommit=False) as a, server.connect(database="d", autocommit=False) as b, a.cursor() as ca:
        ca.execute("UPDATE t SET a = 10 WHERE id = 1")
        with Meanwhile(b, "UPDATE t SET a = 11 WHERE id = 1") as m:
            waits(server, b)
            w = one(server, "SELECT * FROM sys.x$innodb_lock_waits")
            assert (w["waiting_pid"], w["blocking_pid"]) == (b.thread_id(), a.thread_id())
            assert (w["locked_table"], w["locked_index"], w["locked_type"]) == ("`d`.`t`", "PRIMARY", "RECORD")
            assert (w["waiting_lock_mode"], w["blocking_lock_mode"], w["waiting_query"]) == ("X,REC_NOT_GAP", "X,REC_NOT_GAP", "UPDATE t SET a = 11 WHERE id = 1")
            assert (w["sql_kill_blocking_query"], w["sql_kill_blocking_connection"]) == (f"KILL QUERY {a.thread_id()}", f"KILL {a.thread_id()}")
            raw = one(server, "SELECT * FROM performance_schema.data_lock_waits")
            assert (raw["REQUESTING_ENGINE_LOCK_ID"], raw["BLOCKING_ENGINE_LOCK_ID"]) == (w["waiting_lock_id"], w["blocking_lock_id"])
            ours = one(server, "SELECT * FROM sys.blocked_sessions")
            assert (ours["wait_kind"], ours["object"], ours["lock_data"]) == ("record lock", "`d`.`t` index `PRIMARY`", "1")
            assert (ours["waiting_pid"], ours["waiting_account"], ours["blocking_pid"], ours["blocking_state"]) == (b.thread_id(), "root@localhost", a.thread_id(), "Sleep")
            assert ours["blocking_last_query"] == "UPDATE t SET a = 10 WHERE id = 1" and ours["blocking_query"] is None
            assert ours["blocking_trx_age_secs"] >= 0 and ours["waiting_since"] is not None and ours["sql_kill"] == f"KILL {a.thread_id()}"
            with server.connect() as k, k.cursor() as ck:
                ck.execute(ours["sql_kill"])
            assert m.answer() == 1
        b.rollback()


def test_locks_of_metadata(server):
    with server.connect(database="d", autocommit=False) as a, server.connect(database="d") as b, server.connect(database="d") as c, a.cursor() as ca:
        ca.execute("SELECT * FROM t")
        with Meanwhile(b, "ALTER TABLE t ADD COLUMN z INT"):
            waits(server, b)
            with Meanwhile(c, "SELECT COUNT(*) FROM t"):
                waits(server, c)
                pid = {x: x.thread_id() for x in (a, b, c)}
                shown = {(r["waiting_pid"], r["blocking_pid"]): r for r in rows(server, "SELECT * FROM sys.schema_table_lock_waits")}
                w = shown[pid[b], pid[a]]
                assert (w["object_schema"], w["object_name"], w["waiting_lock_type"], w["blocking_lock_type"]) == ("d", "t", "EXCLUSIVE", "SHARED_READ")
                assert (w["waiting_account"], w["waiting_query"], w["sql_kill_blocking_connection"]) == ("root@localhost", "ALTER TABLE t ADD COLUMN z INT", f"KILL {pid[a]}")
                ours = {(r["waiting_pid"], r["blocking_pid"]): r for r in rows(server, "SELECT * FROM sys.blocked_sessions")}
                assert set(ours) == {(pid[b], pid[a]), (pid[c], pid[b])}
                assert ours[pid[b], pid[a]]["wait_kind"] == "metadata lock" and ours[pid[b], pid[a]]["sql_kill"] == f"KILL {pid[a]}"
                assert ours[pid[b], pid[a]]["waiting_state"] == "Waiting for table metadata lock"
                # the SELECT waits behind the ALTER, which has nothing yet
                assert ours[pid[c], pid[b]]["blocking_lock_status"] == "PENDING" and ours[pid[c], pid[b]]["sql_kill"] == f"KILL QUERY {pid[b]}"
                tree = [(r["depth"], r["pid"], r["blocks"]) for r in rows(server, "SELECT * FROM sys.blocking_tree")]
                assert tree == [(0, pid[a], 2), (1, pid[b], 1), (2, pid[c], 0)]
                a.rollback()
    server.query("ALTER TABLE d.t DROP COLUMN z")


@pytest.mark.parametrize("held, wanted, kind, thing", [
    ("FLUSH TABLES WITH READ LOCK", "INSERT INTO d.t (a) VALUES (99)", "global read lock", "GLOBAL"),
    ("LOCK INSTANCE FOR BACKUP", "CREATE TABLE d.new (a INT)", "backup lock", "BACKUP LOCK"),
    ("LOCK TABLES d.t WRITE", "DELETE FROM d.t WHERE a = 99", "metadata lock", "`d`.`t`"),
    ("SELECT GET_LOCK('mine', 1)", "SELECT GET_LOCK('mine', 100)", "user lock", "mine"),
])
def test_other_locks(server, held, wanted, kind, thing):
    with server.connect() as a, server.connect() as b, a.cursor() as ca:
        ca.execute(held)
        with Meanwhile(b, wanted):
            until(lambda: rows(server, "SELECT * FROM sys.blocked_sessions"))
            (w,) = rows(server, "SELECT * FROM sys.blocked_sessions")
            assert (w["wait_kind"], w["object"], w["waiting_pid"], w["blocking_pid"]) == (kind, thing, b.thread_id(), a.thread_id())
            assert w["waiting_query"] == wanted and w["blocking_last_query"] == held and w["sql_kill"] == f"KILL {a.thread_id()}"
            with server.connect() as k, k.cursor() as ck:
                ck.execute(w["sql_kill"])
    server.query("DROP TABLE IF EXISTS d.new")


def test_the_pool_by_index(server):
    by_table = one(server, "SELECT * FROM sys.x$innodb_buffer_stats_by_table WHERE object_schema = 'd' AND object_name = 't'")
    by_index = rows(server, "SELECT * FROM sys.x$buffer_pool_by_index WHERE object_schema = 'd' AND object_name = 't'")
    assert {r["index_name"] for r in by_index} >= {"PRIMARY", "a", "ab", "u"}
    assert sum(r["pages"] for r in by_index) == by_table["pages"] and by_table["allocated"] == by_table["pages"] * 16384
    assert all(r["young_pages"] + r["old_pages"] == r["pages"] for r in by_index)
    limits = one(server, "SELECT * FROM sys.cpu_limits")
    assert limits["effective_cpus"] > 0 and limits["run_tokens"] >= 1 and limits["throttled_periods"] >= 0
    latches = {r["latch_class"] for r in rows(server, "SELECT * FROM sys.x$latch_waits")}
    assert {"innodb_page", "innodb_log", "mdl_shard"} <= latches


def test_use_of_indexes_and_tables(server):
    server.query("CREATE TABLE d.io (id INT PRIMARY KEY, a INT, b INT, KEY used (a), KEY idle (b), UNIQUE one (b))")
    server.query("INSERT INTO d.io VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3)")
    server.query("SELECT a FROM d.io FORCE INDEX (used) WHERE a = 2")
    server.query("SELECT COUNT(*) FROM d.io IGNORE INDEX (used, idle, one, PRIMARY) WHERE a + b > 0")
    server.query("UPDATE d.io SET a = 30 WHERE id = 3")
    server.query("DELETE FROM d.io WHERE id = 1")
    of = lambda view, where="": rows(server, f"SELECT * FROM sys.`{view}` WHERE {'object_name' if 'unused' in view or 'full' in view else 'table_name'} = 'io' {where}")
    (used,) = of("x$schema_index_statistics", "AND index_name = 'used'")
    assert used["table_schema"] == "d" and used["rows_selected"] == 1
    assert [r["index_name"] for r in of("schema_unused_indexes")] == ["idle"]
    (table,) = of("x$schema_table_statistics")
    assert (table["rows_inserted"], table["rows_updated"], table["rows_deleted"]) == (3, 1, 1) and table["rows_fetched"] >= 4
    assert table["io_write_requests"] is None or table["io_write_requests"] > 0
    (with_buffer,) = of("x$schema_table_statistics_with_buffer")
    assert with_buffer["rows_inserted"] == 3 and with_buffer["innodb_buffer_pages"] >= 4
    assert with_buffer["innodb_buffer_allocated"] == with_buffer["innodb_buffer_pages"] * 16384
    assert with_buffer["innodb_buffer_free"] == with_buffer["innodb_buffer_allocated"] - with_buffer["innodb_buffer_data"]
    (scanned,) = of("x$schema_tables_with_full_table_scans")
    assert scanned["rows_full_scanned"] >= 3
    server.query("DROP TABLE d.io")
    assert of("x$schema_table_statistics") == []


def test_sessions(server):
    with server.connect(database="d", user="root", program_name="sys-test") as a, server.connect() as b, a.cursor() as ca:
        ca.execute("SELECT COUNT(*) FROM t")
        with Meanwhile(b, "SELECT SLEEP(1000)"):
            until(lambda: rows(server, f"SELECT 1 FROM sys.session WHERE conn_id = {b.thread_id()} AND state = 'User sleep'"))
            idle = one(server, f"SELECT * FROM sys.x$session WHERE conn_id = {a.thread_id()}")
            busy = one(server, f"SELECT * FROM sys.x$session WHERE conn_id = {b.thread_id()}")
            assert (idle["user"], idle["db"], idle["command"], idle["last_statement"]) == ("root@localhost", "d", "Sleep", "SELECT COUNT(*) FROM t")
            assert idle["current_statement"] is None and idle["last_statement_latency"] > 0 and idle["rows_sent"] == 1
            assert (busy["current_statement"], busy["command"], busy["last_statement"]) == ("SELECT SLEEP(1000)", "Query", None)
            assert busy["statement_latency"] > 0 and busy["full_scan"] == "NO"
            assert idle["program_name"] == "sys-test" and idle["pid"].isdigit()
            assert {r["conn_id"] for r in rows(server, "SELECT conn_id FROM sys.processlist")} >= {a.thread_id(), b.thread_id()}
            server.query(f"KILL QUERY {b.thread_id()}")
    ssl = rows(server, "SELECT * FROM sys.session_ssl_status")
    # a session that ends at this moment has no status any more
    assert any(r["ssl_sessions_reused"] == "0" for r in ssl) and all(r["ssl_sessions_reused"] in ("0", None) for r in ssl)


def test_files(server):
    files = rows(server, "SELECT * FROM sys.x$io_global_by_file_by_bytes")
    log = max(files, key=lambda f: f["total_written"])
    assert files == sorted(files, key=lambda f: -f["total"]) and log["total"] == log["total_read"] + log["total_written"] > 0
    shown = {r["file"] for r in rows(server, "SELECT file FROM sys.io_global_by_file_by_latency")}
    assert any(f.startswith("@@") for f in shown), shown
    by_wait = rows(server, "SELECT * FROM sys.x$io_global_by_wait_by_bytes")
    assert sum(r["total_written"] for r in by_wait) > 0 and all(r["event_name"].count("/") == 1 for r in by_wait)
    latency = rows(server, "SELECT * FROM sys.x$io_global_by_wait_by_latency")
    assert {r["event_name"] for r in latency} == {r["event_name"] for r in by_wait}
    raw = one(server, "SELECT SUM(count_star) n FROM performance_schema.file_summary_by_event_name WHERE event_name LIKE 'wait/io/file/%%'")["n"]
    assert 0 < sum(r["total"] for r in by_wait) <= raw


def test_memory_and_metrics(server):
    total = one(server, "SELECT * FROM sys.x$memory_global_total")["total_allocated"]
    by_event = rows(server, "SELECT * FROM sys.x$memory_global_by_current_bytes")
    assert total > 0 and by_event and all(r["current_alloc"] > 0 and r["high_alloc"] >= r["current_alloc"] for r in by_event)
    assert by_event == sorted(by_event, key=lambda r: -r["current_alloc"])
    mine = [r for r in rows(server, "SELECT * FROM sys.x$memory_by_user_by_current_bytes") if r["user"] == "root"]
    assert mine and mine[0]["current_allocated"] is not None
    metrics = {r["Variable_name"]: r for r in rows(server, "SELECT * FROM sys.metrics")}
    assert metrics["threads_connected"]["Type"] == "Global Status" and int(metrics["threads_connected"]["Variable_value"]) >= 1
    assert metrics["trx_rseg_history_len"]["Type"] == "InnoDB Metrics - transaction" and metrics["trx_rseg_history_len"]["Enabled"] == "YES"
    assert int(metrics["memory_current_allocated"]["Variable_value"]) > 0 and metrics["memory_current_allocated"]["Type"] == "Performance Schema"
    assert {"NOW()", "UNIX_TIMESTAMP()"} <= set(metrics) and "buffer_pool_reads" not in metrics
    assert rows(server, "SELECT * FROM sys.ps_check_lost_instrumentation") == []


def test_users_with_all_parts(server):
    server.query("CREATE USER bob")
    server.query("GRANT ALL ON d.* TO bob")
    with server.connect(user="bob", database="d") as c, c.cursor() as cur:
        cur.execute("SELECT COUNT(*) FROM t")
        bob = one(server, "SELECT * FROM sys.x$user_summary WHERE user = 'bob'")
        statements = one(server, "SELECT total, full_scans FROM sys.x$user_summary_by_statement_latency WHERE user = 'bob'")
        assert (bob["statements"], bob["table_scans"]) == (statements["total"], statements["full_scans"])
        assert (bob["current_connections"], bob["total_connections"], bob["unique_hosts"]) == (1, 1, 1) and bob["statement_latency"] > 0
        host = one(server, "SELECT * FROM sys.x$host_summary WHERE host = 'localhost'")
        whole = one(server, "SELECT total FROM sys.x$host_summary_by_statement_latency WHERE host = 'localhost'")
        # once, however many accounts the host has; between the two questions a connection ended and another began
        assert host["unique_users"] >= 2 and abs(host["statements"] - whole["total"]) <= 4
        assert " " in one(server, "SELECT * FROM sys.user_summary WHERE user = 'bob'")["statement_latency"]


def test_waits(server):
    with server.connect() as c, c.cursor() as cur:
        cur.execute("UPDATE performance_schema.setup_instruments SET enabled = 'YES', timed = 'YES' WHERE name LIKE 'wait/%'")
        cur.execute("UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name LIKE 'events_waits%'")
        cur.execute("LOCK TABLES d.t WRITE")
        with server.connect(user="root", database="d") as other:
            with Meanwhile(other, "SELECT COUNT(*) FROM t"):
                waits(server, other)
                cur.execute("UNLOCK TABLES")
            last = one(server, f"SELECT * FROM sys.session WHERE conn_id = {other.thread_id()}")
            # a session without a command waits for one, as MySQL shows it
            assert (last["last_wait"], last["last_wait_latency"]) == ("idle", "Still Waiting")
            ended = {r["e"] for r in rows(server, f"SELECT EVENT_NAME e FROM performance_schema.events_waits_history WHERE THREAD_ID = {other.thread_id()}")}
            assert "wait/lock/metadata/sql/mdl" in ended
            for i in range(20):
                other.cursor().execute(f"INSERT INTO t (a, b) VALUES ({i}, 'w{i}')")
        waited = {r["events"]: r for r in rows(server, "SELECT * FROM sys.x$waits_global_by_latency")}
        lock = waited["wait/lock/metadata/sql/mdl"]
        assert lock["total"] >= 1 and lock["total_latency"] >= lock["max_latency"] > 0
        classes = {r["event_class"]: r for r in rows(server, "SELECT * FROM sys.x$wait_classes_global_by_latency")}
        assert classes["wait/lock/metadata"]["total"] >= lock["total"] and "idle" not in classes
        assert {r["event_class"] for r in rows(server, "SELECT * FROM sys.wait_classes_global_by_avg_latency")} == set(classes)
        by_user = rows(server, "SELECT * FROM sys.x$waits_by_user_by_latency WHERE user = 'root' AND event = 'wait/lock/metadata/sql/mdl'")
        by_host = rows(server, "SELECT * FROM sys.x$waits_by_host_by_latency WHERE host = 'localhost' AND event = 'wait/lock/metadata/sql/mdl'")
        assert by_user[0]["total"] == by_host[0]["total"] >= 1
        server.query("DELETE FROM d.t WHERE b LIKE 'w%%'")
        cur.execute("UPDATE performance_schema.setup_consumers SET enabled = 'NO' WHERE name LIKE 'events_waits%'")


def test_the_last_minute(server):
    with server.connect(database="d") as c, c.cursor() as cur:
        cur.execute("UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name IN ('events_statements_cpu', 'events_statements_history_long')")
        for i in range(15):
            cur.execute(f"SELECT COUNT(*) FROM t WHERE CONCAT(a, {i}) = 'minute'")
        found = {r["query"]: r for r in rows(server, "SELECT * FROM sys.x$statements_last_minute WHERE db = 'd'")}
        minute = found["SELECT COUNT ( * ) FROM `t` WHERE `CONCAT` ( `a` , ? ) = ?"]
        # more than the ten that the thread's own history keeps, and each once
        assert minute["executions"] == 15 and minute["total_latency"] >= minute["cpu_latency"] >= 0 and minute["rows_sent"] == 15
        cur.execute("UPDATE performance_schema.setup_consumers SET enabled = 'NO' WHERE name IN ('events_statements_cpu', 'events_statements_history_long')")
