"""Tables of the schema mysql, and what performance_schema tells of every session's variables: who may read them, and that their values are those of now."""
import pymysql
import pytest


@pytest.fixture
def connect(server):
    opened = []

    def one(**options):
        opened.append(pymysql.connect(unix_socket=server.socket, autocommit=True, **{"user": "root", **options}))
        return opened[-1]
    yield one
    for c in opened:
        c.close()


def rows(c, sql, *args):
    with c.cursor() as cur:
        cur.execute(sql, args or None)
        return cur.fetchall()


TABLES = ["component", "engine_cost", "func", "gtid_executed", "help_category", "help_keyword", "help_relation", "help_topic", "innodb_index_stats",
          "innodb_table_stats", "ndb_binlog_index", "password_history", "plugin", "procs_priv", "replication_asynchronous_connection_failover",
          "replication_asynchronous_connection_failover_managed", "replication_group_configuration_version", "replication_group_member_actions",
          "server_cost", "servers", "slave_master_info", "slave_relay_log_info", "slave_worker_info"]


@pytest.fixture
def nobody(connect):
    """An account without a privilege on mysql, one that has SELECT on two of its tables."""
    root = connect()
    for s in ("CREATE USER reader_mt", "CREATE USER other_mt", "GRANT SELECT ON mysql.server_cost TO reader_mt", "GRANT SELECT ON mysql.innodb_table_stats TO reader_mt"):
        rows(root, s)
    yield connect(user="reader_mt"), connect(user="other_mt")
    rows(root, "DROP USER reader_mt, other_mt")


def test_they_need_select(connect, nobody):
    reader, other = nobody
    for name in TABLES:
        assert len(rows(connect(), f"SELECT * FROM mysql.{name}")) >= 0
        for c in (reader, other):
            if c is reader and name in ("server_cost", "innodb_table_stats"):
                continue
            with pytest.raises(pymysql.err.OperationalError) as e:
                rows(c, f"SELECT * FROM mysql.{name}")
            assert e.value.args[0] == 1142, name
            with pytest.raises(pymysql.err.OperationalError) as e:
                rows(c, f"SHOW COLUMNS FROM mysql.{name}")
            assert e.value.args[0] == 1142, name
            assert rows(c, "SELECT * FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'mysql' AND TABLE_NAME = %s", name) == ()
    assert len(rows(reader, "SELECT * FROM mysql.server_cost")) == 6 and rows(reader, "SELECT COUNT(*) FROM mysql.innodb_table_stats")


def test_dumps_do_not_meet_them(connect):
    c = connect()
    listed = {r[0] for r in rows(c, "SHOW TABLES FROM mysql")} | {r[0] for r in rows(c, "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'mysql'")}
    assert "general_log" in listed
    assert not listed & set(TABLES)


@pytest.mark.parametrize("statement, reason", [
    ("UPDATE mysql.server_cost SET cost_value = 1", "costs"), ("INSERT INTO mysql.engine_cost (engine_name) VALUES ('x')", "costs"),
    ("DELETE FROM mysql.innodb_table_stats", "ANALYZE TABLE"), ("UPDATE mysql.innodb_index_stats SET stat_value = 1", "ANALYZE TABLE"),
    ("DELETE FROM mysql.help_topic", "HELP"), ("INSERT INTO mysql.func (name) VALUES ('f')", "doesn't yet support"),
    ("UPDATE mysql.password_history SET Password = ''", "ALTER USER")])
def test_what_cannot_be_changed_says_why(connect, statement, reason):
    with pytest.raises(pymysql.err.Error) as e:
        rows(connect(), statement)
    assert reason in e.value.args[1]


def test_topics_of_help(connect):
    c = connect()
    sql = ("SELECT t.name, c.name, t.description FROM mysql.help_topic t JOIN mysql.help_category c USING (help_category_id) JOIN mysql.help_relation USING (help_topic_id) "
           "JOIN mysql.help_keyword k USING (help_keyword_id) WHERE k.name = 'ALTER USER'")
    (name, category, text), = rows(c, sql)
    assert (name, category) == ("ALTER USER", "Statements")
    assert rows(c, "HELP 'alter user'")[0][1] == text


def test_earlier_passwords(connect):
    c = connect()
    rows(c, "CREATE USER former_mt IDENTIFIED BY 'first' PASSWORD HISTORY 3")
    rows(c, "ALTER USER former_mt IDENTIFIED BY 'second'")
    kept = rows(c, "SELECT Host, Password FROM mysql.password_history WHERE User = 'former_mt' ORDER BY Password_timestamp")
    present, = rows(c, "SELECT authentication_string FROM mysql.user WHERE User = 'former_mt'")
    rows(c, "DROP USER former_mt")
    assert len(kept) == 2 and {h for h, _ in kept} == {"%"} and present[0] in {p for _, p in kept} and all(p.startswith("$A$") for _, p in kept)


def test_when_a_table_was_changed(connect):
    c, d = connect(), connect()
    sql = "SELECT ABS(TIMESTAMPDIFF(SECOND, UPDATE_TIME, NOW())) < 60 FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'changed_mt'"
    for s in ("CREATE DATABASE changed_mt", "CREATE TABLE changed_mt.t (id INT PRIMARY KEY, a INT)", "SELECT * FROM changed_mt.t"):
        rows(c, s)
    assert rows(c, sql) == ((None,),), "reading changes nothing"
    rows(c, "BEGIN")
    rows(c, "INSERT INTO changed_mt.t VALUES (1, 1)")
    assert rows(d, sql) == ((None,),), "not before the commit"
    rows(c, "COMMIT")
    assert rows(d, sql) == ((1,),)
    status, = rows(d, "SHOW TABLE STATUS FROM changed_mt")
    assert status[12] is not None
    rows(c, "TRUNCATE TABLE changed_mt.t")
    assert rows(d, sql) == ((None,),), "another table"
    rows(c, "DROP DATABASE changed_mt")


def test_variables_of_every_thread(connect):
    c, d = connect(), connect()
    rows(c, "SET @a = 1, @b = 'x', @n = NULL, @d = 1.50, @when = CAST('2020-01-02' AS DATE)")
    rows(c, "SET SESSION sort_buffer_size = 65536, sql_mode = 'ANSI_QUOTES'")
    rows(c, "SELECT @a := @a + 1")
    mine = dict(rows(d, "SELECT VARIABLE_NAME, VARIABLE_VALUE FROM performance_schema.user_variables_by_thread WHERE THREAD_ID = %s", c.thread_id()))
    assert mine == {"a": b"2", "b": b"x", "n": None, "d": b"1.50", "when": b"2020-01-02"}
    sql = "SELECT VARIABLE_NAME, VARIABLE_VALUE FROM performance_schema.variables_by_thread WHERE THREAD_ID = %s"
    theirs = dict(rows(d, sql, c.thread_id()))
    assert (theirs["sort_buffer_size"], theirs["sql_mode"], theirs["pseudo_thread_id"]) == ("65536", "ANSI_QUOTES", str(c.thread_id()))
    assert "max_connections" not in theirs and len(theirs) > 100
    shown = dict(rows(d, "SHOW SESSION VARIABLES"))
    own = dict(rows(d, sql, d.thread_id()))
    skip = {"timestamp", "error_count", "warning_count", "last_insert_id", "identity", "statement_id"}
    assert {n: v for n, v in own.items() if shown[n] != v and n not in skip} == {}
    # nothing is left of it
    rows(d, "SET @mine = 1")
    d._execute_command(31, b"")  # COM_RESET_CONNECTION
    d._read_ok_packet()
    assert rows(c, "SELECT * FROM performance_schema.user_variables_by_thread WHERE THREAD_ID = %s", d.thread_id()) == ()


def test_variables_of_others_need_select(connect, nobody):
    for name in ("user_variables_by_thread", "variables_by_thread", "innodb_redo_log_files"):
        with pytest.raises(pymysql.err.OperationalError) as e:
            rows(nobody[0], f"SELECT * FROM performance_schema.{name}")
        assert e.value.args[0] == 1142


def test_the_log_s_file(connect):
    c = connect()
    row, = rows(c, "SELECT START_LSN, END_LSN, SIZE_IN_BYTES, IS_FULL, FILE_NAME FROM performance_schema.innodb_redo_log_files")
    status = dict(rows(c, "SHOW GLOBAL STATUS LIKE 'Innodb_redo_log%'"))
    assert row[0] <= int(status["Innodb_redo_log_current_lsn"]) <= row[1] and row[1] - row[0] <= row[2] and row[3] == 0
    assert row[2] == int(status["Innodb_redo_log_physical_size"])


def test_compressed_pages_are_none(connect):
    c = connect()
    for t in ("INNODB_CMP", "INNODB_CMP_RESET", "INNODB_CMPMEM", "INNODB_CMPMEM_RESET"):
        assert [r[0] for r in rows(c, f"SELECT * FROM information_schema.{t}")] == [1024, 2048, 4096, 8192, 16384]
        assert {v for r in rows(c, f"SELECT * FROM information_schema.{t}") for v in r[1:]} == {0}


def test_none_can_be_made_behind_them(connect, nobody):
    c = connect()
    with pytest.raises(pymysql.err.OperationalError) as e:
        rows(c, "CREATE TABLE mysql.server_cost (a INT)")
    assert e.value.args[0] == 1050
    rows(c, "CREATE TABLE IF NOT EXISTS mysql.user (a INT)")
    assert rows(c, "SHOW WARNINGS") == (("Note", 1050, "Table 'user' already exists"),)
    with pytest.raises(pymysql.err.OperationalError) as e:
        rows(nobody[0], "CREATE TABLE mysql.server_cost (a INT)")
    assert e.value.args[0] == 1142
