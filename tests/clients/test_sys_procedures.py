"""The procedures of the schema sys (MySQL's manual, "sys Schema Stored Procedures"): what they do and say. Texts and errors are those of MySQL 9.7."""
import pymysql
import pytest

from lib.servers import Server

PROCEDURES = """create_synonym_db diagnostics execute_prepared_stmt ps_setup_disable_background_threads ps_setup_disable_consumer ps_setup_disable_instrument ps_setup_disable_thread
ps_setup_enable_background_threads ps_setup_enable_consumer ps_setup_enable_instrument ps_setup_enable_thread ps_setup_reload_saved ps_setup_reset_to_default ps_setup_save ps_setup_show_disabled
ps_setup_show_disabled_consumers ps_setup_show_disabled_instruments ps_setup_show_enabled ps_setup_show_enabled_consumers ps_setup_show_enabled_instruments ps_statement_avg_latency_histogram
ps_trace_statement_digest ps_trace_thread ps_truncate_all_tables statement_performance_analyzer table_exists""".split()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    s = Server(options=[f"--secure-file-priv={folder}"]).start()
    s.files = folder
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE d.t (id INT PRIMARY KEY, a INT)")
    s.query("CREATE VIEW d.v AS SELECT id FROM d.t")
    yield s
    s.remove()


@pytest.fixture
def cur(server):
    with server.connect(database="d") as c, c.cursor() as cur:
        yield cur


def results(cur, sql):
    """All results of a statement: [(column names, rows)]."""
    cur.execute(sql)
    out = []
    while True:
        if cur.description:
            out.append(([d[0] for d in cur.description], cur.fetchall()))
        if not cur.nextset():
            return out


def error(cur, sql):
    with pytest.raises(pymysql.err.MySQLError) as e:
        results(cur, sql)
    return e.value.args


def summary(cur, sql):
    (names, ((text,),)), = results(cur, sql)
    assert names == ["summary"]
    return text


def one(cur, sql):
    cur.execute(sql)
    return cur.fetchone()[0]


def test_they_are_there_and_shown(cur):
    cur.execute("SELECT ROUTINE_NAME FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = 'sys' AND ROUTINE_TYPE = 'PROCEDURE' ORDER BY 1")
    assert [r[0] for r in cur.fetchall()] == PROCEDURES
    cur.execute("SELECT ROUTINE_TYPE, ROUTINE_NAME, ROUTINE_DEFINITION, SECURITY_TYPE, DEFINER FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = 'sys'")
    for kind, name, body, security, definer in cur.fetchall():
        cur.execute(f"SHOW CREATE {kind} sys.{name}")
        row = cur.fetchone()
        assert row[0] == name and row[2].startswith(f"CREATE DEFINER=`mysql.sys`@`localhost` {kind} `{name}`(") and row[2].endswith(body)
        assert (security, definer) == ("INVOKER", "mysql.sys@localhost")
    cur.execute("SELECT PARAMETER_MODE, PARAMETER_NAME, DTD_IDENTIFIER FROM information_schema.PARAMETERS WHERE SPECIFIC_SCHEMA = 'sys' AND SPECIFIC_NAME = 'table_exists' ORDER BY ORDINAL_POSITION")
    assert cur.fetchall() == (("IN", "in_db", "varchar(64)"), ("IN", "in_table", "varchar(64)"), ("OUT", "out_exists", "enum('','BASE TABLE','VIEW','TEMPORARY')"))


def test_nobody_changes_them(cur):
    for sql in ("DROP PROCEDURE sys.table_exists", "DROP FUNCTION sys.format_path", "ALTER PROCEDURE sys.diagnostics COMMENT 'x'"):
        assert error(cur, sql)[0] == 3554
    assert error(cur, "CALL sys.nothing()")[0] == 1305


def test_who_may(server, cur):
    cur.execute("CREATE USER weak")
    cur.execute("GRANT SELECT ON performance_schema.* TO weak")
    with server.connect(user="weak") as c, c.cursor() as weak:
        assert error(weak, "CALL sys.ps_setup_show_enabled_consumers()")[0] == 1370
        cur.execute("GRANT EXECUTE ON sys.* TO weak")
    with server.connect(user="weak") as c, c.cursor() as weak:
        assert results(weak, "CALL sys.ps_setup_show_enabled_consumers()")[0][0] == ["enabled_consumers"]
        # they run with the rights of who calls them
        assert error(weak, "CALL sys.ps_setup_disable_consumer('events_waits')")[0] == 1142


def test_table_exists(cur):
    for name, kind in (("t", "BASE TABLE"), ("v", "VIEW"), ("nothing", "")):
        results(cur, f"CALL sys.table_exists('d', '{name}', @kind)")
        assert one(cur, "SELECT @kind") == kind
    cur.execute("CREATE TEMPORARY TABLE t (a INT)")
    results(cur, "CALL sys.table_exists('d', 't', @kind)")
    assert one(cur, "SELECT @kind") == "TEMPORARY"
    cur.execute("DROP TEMPORARY TABLE t")
    assert error(cur, "CALL sys.table_exists(REPEAT('a', 65), 't', @kind)") == (1406, "Data too long for column 'in_db' at row 1")


def test_table_exists_tells_nobody_what_is_not_his(server, cur):
    """MySQL's errors: 1142 for what the account may not see, whether it exists or not, 1044 where it may make no temporary table."""
    for sql in ("CREATE USER nosy, reader, maker", "GRANT EXECUTE ON sys.* TO nosy, reader, maker", "GRANT SELECT ON d.t TO reader",
                "GRANT CREATE TEMPORARY TABLES ON d.* TO maker", "GRANT INSERT ON d.t TO maker"):
        cur.execute(sql)
    outcomes = {"nosy": {"t": 1142, "v": 1142, "nothing": 1142}, "reader": {"t": 1044, "v": 1142, "nothing": 1142}, "maker": {"t": 0, "v": 1142, "nothing": 1142}}
    for user, wanted in outcomes.items():
        with server.connect(user=user) as c, c.cursor() as theirs:
            for table, code in wanted.items():
                theirs.execute("SET @kind = 'unset'")
                call = f"CALL sys.table_exists('d', '{table}', @kind)"
                if code:
                    assert error(theirs, call)[0] == code, (user, table)
                else:
                    results(theirs, call)
                assert one(theirs, "SELECT @kind") == ("unset" if code else "BASE TABLE"), (user, table)
    assert error(cur, "CALL sys.table_exists('nodb', 't', @kind)")[0] == 1049


def test_execute_prepared_stmt(cur):
    results(cur, "CALL sys.execute_prepared_stmt('INSERT INTO d.t VALUES (1, 2)')")
    assert results(cur, "CALL sys.execute_prepared_stmt('SELECT * FROM d.t')") == [(["id", "a"], ((1, 2),))]
    for wrong in ("NULL", "'foo'"):
        assert error(cur, f"CALL sys.execute_prepared_stmt({wrong})") == (1644, "The @sys.execute_prepared_stmt.sql must contain a query")


def test_create_synonym_db(cur):
    cur.execute("CREATE DATABASE `o``dd`")
    cur.execute("CREATE TABLE `o``dd`.`ta``ble` (a INT)")
    assert summary(cur, "CALL sys.create_synonym_db('d', 'syn')") == "Created 2 views in the `syn` database"
    cur.execute("SELECT TABLE_NAME, SECURITY_TYPE FROM information_schema.VIEWS WHERE TABLE_SCHEMA = 'syn' ORDER BY 1")
    assert cur.fetchall() == (("t", "INVOKER"), ("v", "INVOKER"))
    assert summary(cur, "CALL sys.create_synonym_db('o`dd', 'sy`n')") == "Created 1 view in the `sy``n` database"
    assert error(cur, "CALL sys.create_synonym_db('d', 'syn')")[1] == "Can't create database syn; database exists"
    assert error(cur, "CALL sys.create_synonym_db('nothing', 'other')")[1] == "Unknown database nothing"
    for name in ("syn", "sy``n", "o``dd"):
        cur.execute(f"DROP DATABASE `{name}`")


def test_switches(server, cur):
    enabled = "SELECT COUNT(*) FROM performance_schema.setup_consumers WHERE ENABLED = 'YES' AND NAME LIKE '%waits%'"
    assert one(cur, enabled) == 0
    assert summary(cur, "CALL sys.ps_setup_enable_consumer('events_waits')") == "Enabled 3 consumers"
    assert one(cur, enabled) == 3
    assert summary(cur, "CALL sys.ps_setup_disable_consumer('waits_history_long')") == "Disabled 1 consumer"
    assert summary(cur, "CALL sys.ps_setup_disable_consumer('events_waits')") == "Disabled 2 consumers"
    assert summary(cur, "CALL sys.ps_setup_disable_instrument('nothing at all')") == "Disabled 0 instruments"
    assert summary(cur, "CALL sys.ps_setup_disable_instrument('statement/sql/select')") == "Disabled 1 instrument"
    assert one(cur, "SELECT CONCAT(ENABLED, TIMED) FROM performance_schema.setup_instruments WHERE NAME = 'statement/sql/select'") == "NONO"
    assert ("statement/sql/select", "NO") in results(cur, "CALL sys.ps_setup_show_disabled_instruments()")[0][1]
    assert summary(cur, "CALL sys.ps_setup_enable_instrument('statement/sql/select')") == "Enabled 1 instrument"
    assert summary(cur, "CALL sys.ps_setup_disable_thread(CONNECTION_ID())") == "Disabled 1 thread"
    assert summary(cur, "CALL sys.ps_setup_enable_thread(CONNECTION_ID())") == "Enabled 1 thread"
    assert summary(cur, "CALL sys.ps_setup_disable_background_threads()").endswith("background threads")
    assert summary(cur, "CALL sys.ps_setup_enable_background_threads()").endswith("background threads")
    shown = results(cur, "CALL sys.ps_setup_show_enabled(TRUE, TRUE)")
    assert [names[0] for names, _ in shown] == ["performance_schema_enabled", "enabled_users", "object_type", "enabled_consumers", "enabled_threads", "enabled_instruments"]
    assert shown[1][1] == (("'%'@'%'",),)
    assert [names[0] for names, _ in results(cur, "CALL sys.ps_setup_show_disabled(FALSE, FALSE)")] == ["performance_schema_enabled", "disabled_users", "object_type", "disabled_consumers"]


def test_save_and_reload(server, cur):
    state = "SELECT GROUP_CONCAT(NAME, ENABLED ORDER BY NAME) FROM performance_schema.setup_consumers"
    before = one(cur, state)
    assert error(cur, "CALL sys.ps_setup_reload_saved()")[0] == 1644
    results(cur, "CALL sys.ps_setup_save(1)")
    with server.connect() as c, c.cursor() as other:
        assert error(other, "CALL sys.ps_setup_save(0)") == (1644, "Could not lock the sys.ps_setup_save user lock, another thread has a saved configuration")
    results(cur, "CALL sys.ps_setup_enable_consumer('events')")
    results(cur, "CALL sys.ps_setup_disable_instrument('statement/sql/insert')")
    cur.execute("DELETE FROM performance_schema.setup_actors")
    assert one(cur, state) != before
    results(cur, "CALL sys.ps_setup_reload_saved()")
    assert one(cur, state) == before
    assert one(cur, "SELECT ENABLED FROM performance_schema.setup_instruments WHERE NAME = 'statement/sql/insert'") == "YES"
    assert one(cur, "SELECT COUNT(*) FROM performance_schema.setup_actors") == 1


def test_reset_to_default(cur):
    default = "SELECT GROUP_CONCAT(NAME, ENABLED ORDER BY NAME) FROM performance_schema.setup_consumers"
    before = one(cur, default)
    results(cur, "CALL sys.ps_setup_enable_consumer('events')")
    cur.execute("INSERT INTO performance_schema.setup_objects VALUES ('TABLE', 'd', '%', 'NO', 'NO')")
    assert results(cur, "CALL sys.ps_setup_reset_to_default(FALSE)") == []
    assert one(cur, default) == before and one(cur, "SELECT COUNT(*) FROM performance_schema.setup_objects WHERE OBJECT_SCHEMA = 'd'") == 0
    said = results(cur, "CALL sys.ps_setup_reset_to_default(TRUE)")
    assert [rows[0][0].split("\n")[0] for _, rows in said] == [f"Resetting: {t}" for t in ("setup_actors", "setup_actors", "setup_instruments", "setup_consumers", "setup_objects", "setup_objects", "threads")]
    assert said[-1][1][0][0].split("\n")[1:] == ["UPDATE performance_schema.threads", "   SET instrumented = 'YES'"]


def test_truncate_all_tables(cur):
    cur.execute("SELECT 'before'")
    text = summary(cur, "CALL sys.ps_truncate_all_tables(FALSE)")
    assert text.startswith("Truncated ") and text.endswith(" tables") and int(text.split()[1]) > 40
    assert one(cur, "SELECT COUNT(*) FROM performance_schema.events_statements_summary_by_digest WHERE DIGEST_TEXT LIKE '%before%'") == 0


def test_histogram(cur):
    for n in range(5):
        cur.execute(f"SELECT {'1 + ' * n} 1")
    (names, ((text,),)), = results(cur, "CALL sys.ps_statement_avg_latency_histogram()")
    assert names == ["Performance Schema Statement Digest Average Latency Histogram"]
    assert ". = 1 unit" in text and text.count("| ") == 16 and "Buckets: 16;" in text


def test_statement_performance_analyzer(cur):
    views = "with_runtimes_in_95th_percentile,analysis,with_errors_or_warnings,with_full_table_scans,with_sorting,with_temp_tables"
    headings = ["Queries with Runtime in 95th Percentile", "Top 100 Queries Ordered by Total Latency", "Top 100 Queries with Errors", "Top 100 Queries with Full Table Scan", "Top 100 Queries with Sorting",
                "Top 100 Queries with Internal Temporary Tables"]
    results(cur, "CALL sys.ps_truncate_all_tables(FALSE)")
    cur.execute("SELECT a FROM d.t ORDER BY a")
    results(cur, "CALL sys.statement_performance_analyzer('create_tmp', 'd.first', NULL)")
    results(cur, "CALL sys.statement_performance_analyzer('snapshot', NULL, NULL)")
    results(cur, "CALL sys.statement_performance_analyzer('save', 'd.first', NULL)")
    cur.execute("SELECT a FROM d.t ORDER BY a")
    cur.execute("SELECT a FROM d.t ORDER BY a")
    results(cur, "CALL sys.statement_performance_analyzer('snapshot', NULL, NULL)")
    for action, table, runs in (("overall", "NULL", 3), ("delta", "'d.first'", 2)):
        said = results(cur, f"CALL sys.statement_performance_analyzer('{action}', {table}, '{views}')")
        assert [rows[0][0] for names, rows in said if names == ["Next Output"]] == headings
        names, rows = said[said.index((["Next Output"], ((headings[1],),))) + 1]
        mine = [dict(zip(names, row)) for row in rows if row[0] == "SELECT `a` FROM `d` . `t` ORDER BY `a`"]
        assert [m["exec_count"] for m in mine] == [runs]
    assert error(cur, "CALL sys.statement_performance_analyzer('save', 'd.nothing', NULL)")[0] == 1644
    results(cur, "CALL sys.statement_performance_analyzer('cleanup', NULL, NULL)")


def test_traces(server, cur):
    results(cur, "CALL sys.ps_setup_enable_consumer('events_statements_history_long')")
    cur.execute("SELECT 'traced' FROM d.t")
    digest = one(cur, "SELECT DIGEST FROM performance_schema.events_statements_history WHERE SQL_TEXT = 'SELECT ''traced'' FROM d.t' LIMIT 1")
    said = results(cur, f"CALL sys.ps_trace_statement_digest('{digest}', 0, 0.1, FALSE, FALSE)")
    assert [names[0] for names, _ in said][:2] == ["SUMMARY STATISTICS", "executions"] and said[1][1][0][0] == 1
    assert (("SELECT 'traced' FROM d.t",),) in [rows for _, rows in said]
    assert any(names == ["EXPLAIN"] for names, _ in said)
    thread = one(cur, "SELECT sys.ps_thread_id(NULL)")
    out = server.files / "stack.dot"
    said = results(cur, f"CALL sys.ps_trace_thread({thread}, '{out}', 0.2, 0.1, FALSE, FALSE, TRUE)")
    assert [names[0] for names, _ in said] == ["summary", "Info", "Info", "Convert to PDF", "Convert to PNG", "summary"]
    text = out.read_text()
    assert text.startswith("digraph events {") and text.endswith("}\n") and "traced" in text


def test_diagnostics(cur):
    assert error(cur, "CALL sys.diagnostics(0, 0, 'current')")[1] == "in_max_runtime must be greater than 0"
    assert error(cur, "CALL sys.diagnostics(2, 0, 'current')")[1] == "in_interval must be greater than 0"
    assert error(cur, "CALL sys.diagnostics(1, 2, 'current')")[1] == "in_max_runtime must be greater than or equal to in_interval"
    before = one(cur, "SELECT GROUP_CONCAT(NAME, ENABLED ORDER BY NAME) FROM performance_schema.setup_consumers")
    said = results(cur, "CALL sys.diagnostics(1, 1, 'medium')")
    told = [rows[0][0] for names, rows in said if names == ["The following output is:"]]
    assert told[0] == "Configuration" and told[-3:] == ["Overall", "Delta", "End"] and any(t.startswith("Iteration 1") for t in told)
    assert one(cur, "SELECT GROUP_CONCAT(NAME, ENABLED ORDER BY NAME) FROM performance_schema.setup_consumers") == before
