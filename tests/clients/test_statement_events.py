"""Statements that have ended: the histories, and the sums by thread, account, user, host and in all."""
import struct
import threading

import pymysql
import pytest

from lib.servers import Server
from lib.wait import until

PS = "performance_schema."
LEVELS = ["thread", "account", "user", "host"]


@pytest.fixture(scope="module")
def server():
    s = Server(options=["--performance-schema-consumer-events-statements-history-long", "--performance-schema-events-statements-history-long-size=300",
                        "--performance-schema-events-statements-history-size=7"]).start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE d.t (id INT PRIMARY KEY, a INT)")
    s.query("INSERT INTO d.t VALUES (1, 10), (2, 20), (3, 30)")
    s.query("CREATE USER u, v")
    s.query("GRANT ALL ON d.* TO u, v")
    yield s
    s.remove()


def rows(server, sql):
    with server.connect() as c, c.cursor(pymysql.cursors.DictCursor) as cur:
        cur.execute(sql)
        return list(cur.fetchall())


def history(server, thread, table="history"):
    return rows(server, f"SELECT * FROM {PS}events_statements_{table} WHERE THREAD_ID = {thread} ORDER BY EVENT_ID")


def total(server, level, kind, where="TRUE"):
    name = "global_by_event_name" if level == "global" else f"by_{level}_by_event_name"
    return int(rows(server, f"SELECT SUM(COUNT_STAR) n FROM {PS}events_statements_summary_{name} WHERE EVENT_NAME = '{kind}' AND {where}")[0]["n"] or 0)


def test_what_the_history_says(server):
    with server.connect(user="u", database="d") as c, c.cursor() as cur:
        cur.execute("SELECT * FROM t WHERE a > 5")
        cur.execute("UPDATE t SET a = a + 1 WHERE id < 3")
        with pytest.raises(pymysql.err.ProgrammingError):
            cur.execute("SELECT * FROM nothing_here")
        with pytest.raises(pymysql.err.ProgrammingError):
            cur.execute("SELEC 1")
        cur.execute("DO 1 / 0")
        own = history(server, c.thread_id())[-5:]
        long = history(server, c.thread_id(), "history_long")[-5:]
    assert own == long
    assert [(e["EVENT_NAME"], e["SQL_TEXT"]) for e in own] == [
        ("statement/sql/select", "SELECT * FROM t WHERE a > 5"), ("statement/sql/update", "UPDATE t SET a = a + 1 WHERE id < 3"),
        ("statement/sql/select", "SELECT * FROM nothing_here"), ("statement/sql/error", "SELEC 1"), ("statement/sql/do", "DO 1 / 0")]
    select, update, missing, wrong, do = own
    assert (select["ROWS_SENT"], select["SELECT_SCAN"], select["NO_INDEX_USED"], select["CURRENT_SCHEMA"]) == (3, 1, 1, "d") and select["ROWS_EXAMINED"] >= 3
    assert select["DIGEST_TEXT"] == "SELECT * FROM `t` WHERE `a` > ?" and len(select["DIGEST"]) == 64
    assert (update["ROWS_AFFECTED"], update["ERRORS"], update["MYSQL_ERRNO"], update["RETURNED_SQLSTATE"]) == (2, 0, 0, "00000")
    assert update["MESSAGE_TEXT"] == "Rows matched: 2  Changed: 2  Warnings: 0"
    assert (missing["ERRORS"], missing["MYSQL_ERRNO"], missing["RETURNED_SQLSTATE"]) == (1, 1146, "42S02")
    assert missing["MESSAGE_TEXT"] == "Table 'd.nothing_here' doesn't exist"
    assert (wrong["MYSQL_ERRNO"], wrong["DIGEST"], wrong["DIGEST_TEXT"]) == (1064, None, None)
    assert do["WARNINGS"] == 1
    for e in own:
        assert e["TIMER_END"] - e["TIMER_START"] == e["TIMER_WAIT"] > 0
        assert e["EVENT_ID"] <= e["END_EVENT_ID"]
    assert [e["EVENT_ID"] for e in own] == sorted({e["EVENT_ID"] for e in own})


def test_the_oldest_go_and_truncate_empties(server):
    with server.connect() as c, c.cursor() as cur:
        for n in range(20):
            cur.execute(f"DO {n}")
        assert [e["SQL_TEXT"] for e in history(server, c.thread_id())] == [f"DO {n}" for n in range(13, 20)]
        assert [e["SQL_TEXT"] for e in history(server, c.thread_id(), "history_long")][-20:] == [f"DO {n}" for n in range(20)]
        for n in range(350):
            cur.execute(f"DO {n}")
        assert len(rows(server, f"SELECT 1 FROM {PS}events_statements_history_long")) == 300
        cur.execute(f"TRUNCATE TABLE {PS}events_statements_history")
        cur.execute(f"TRUNCATE TABLE {PS}events_statements_history_long")
        assert [e["SQL_TEXT"] for e in history(server, c.thread_id())] == [f"TRUNCATE TABLE {PS}events_statements_history", f"TRUNCATE TABLE {PS}events_statements_history_long"]
        assert len(history(server, c.thread_id(), "history_long")) == 1


def test_secrets_are_not_kept(server):
    with server.connect() as c, c.cursor() as cur:
        cur.execute("CREATE USER secretive IDENTIFIED BY 'hunter2-canary'")
        cur.execute("ALTER USER secretive IDENTIFIED BY 'hunter2-canary'")
        cur.execute("SET PASSWORD FOR secretive = 'hunter2-canary'")
        cur.execute("DROP USER secretive")
        for table in ["history", "history_long"]:
            texts = [e["SQL_TEXT"] for e in history(server, c.thread_id(), table)]
            assert any("ALTER USER" in t for t in texts) and not any("hunter2" in t for t in texts)


def test_prepared_statements(server):
    mysql = pytest.importorskip("mysql.connector")
    c = mysql.connect(unix_socket=server.socket, user="root", database="d", use_pure=True)
    cur = c.cursor(prepared=True)
    cur.execute("SELECT a FROM t WHERE id = ?", (1,))
    cur.fetchall()
    last = history(server, c.connection_id)[-1]
    assert (last["EVENT_NAME"], last["SQL_TEXT"], last["ROWS_SENT"]) == ("statement/com/Execute", "SELECT a FROM t WHERE id = ?", 1)
    c.close()


def test_sums_outlive_sessions_and_truncate_moves_them_up(server):
    def do(user, n):
        with server.connect(user=user) as c, c.cursor() as cur:
            for _ in range(n):
                cur.execute("DO 1")
    kind = "statement/sql/do"
    before = {level: total(server, level, kind) for level in ["account", "user", "host", "global"]}
    do("u", 3)
    do("v", 4)
    with server.connect(user="u") as c, c.cursor() as cur:
        cur.execute("DO 1")
        until(lambda: total(server, "account", kind) == before["account"] + 8)
        assert total(server, "thread", kind, f"THREAD_ID = {c.thread_id()}") == 1
        assert [total(server, level, kind) - before[level] for level in ["account", "user", "host", "global"]] == [8] * 4
        u = total(server, "user", kind, "USER = 'u'")
        server.query(f"TRUNCATE TABLE {PS}events_statements_summary_by_thread_by_event_name")
        assert total(server, "thread", kind) == 0
        assert (total(server, "account", kind), total(server, "user", kind, "USER = 'u'")) == (before["account"] + 8, u)
        cur.execute("DO 1")
        assert total(server, "thread", kind, f"THREAD_ID = {c.thread_id()}") == 1
        server.query(f"TRUNCATE TABLE {PS}events_statements_summary_by_account_by_event_name")
        assert total(server, "account", kind) == 0
        assert [total(server, level, kind) - before[level] for level in ["user", "host", "global"]] == [9] * 3
        server.query(f"TRUNCATE TABLE {PS}events_statements_summary_by_user_by_event_name")
        assert (total(server, "user", kind), total(server, "global", kind) - before["global"]) == (0, 9)
        server.query(f"TRUNCATE TABLE {PS}events_statements_summary_global_by_event_name")
        assert [total(server, level, kind) for level in ["account", "user", "host", "global"]] == [0] * 4


def test_every_kind_has_a_row(server):
    kinds = {r["NAME"] for r in rows(server, f"SELECT NAME FROM {PS}setup_instruments WHERE NAME LIKE 'statement/%'")}
    for level in ["global", *LEVELS]:
        name = "global" if level == "global" else f"by_{level}"
        got = {r["EVENT_NAME"] for r in rows(server, f"SELECT EVENT_NAME FROM {PS}events_statements_summary_{name}_by_event_name")}
        assert got == kinds, level


def test_readers_and_truncate_beside_load(server):
    """What is counted is counted once, whoever reads; a statement that ends while a table is truncated may be lost, nothing else."""
    stop, errors, counted = threading.Event(), [], []

    def load(user):
        n = 0
        with server.connect(user=user) as c, c.cursor() as cur:
            while not stop.is_set():
                cur.execute("DO 7")
                n += 1
        counted.append(n)

    def look():
        with server.connect() as c, c.cursor() as cur:
            while not stop.is_set():
                for table in ["summary_by_thread_by_event_name", "summary_by_account_by_event_name", "summary_global_by_event_name", "history", "history_long", "current"]:
                    try:
                        cur.execute(f"SELECT COUNT(*) FROM {PS}events_statements_{table}")
                        cur.fetchall()
                    except pymysql.err.MySQLError as e:
                        errors.append(e)
    before = total(server, "global", "statement/sql/do")
    threads = [threading.Thread(target=load, args=(u,)) for u in "uvu"] + [threading.Thread(target=look) for _ in range(2)]
    for t in threads:
        t.start()
    truncated = 0
    with server.connect() as c, c.cursor() as cur:
        while sum(t.is_alive() for t in threads) == 5 and truncated < 20:
            cur.execute(f"TRUNCATE TABLE {PS}events_statements_summary_by_thread_by_event_name")
            cur.execute(f"TRUNCATE TABLE {PS}events_statements_history_long")
            truncated += 1
    stop.set()
    for t in threads:
        t.join()
    assert not errors, errors[:3]
    until(lambda: rows(server, f"SELECT COUNT(*) n FROM {PS}threads WHERE PROCESSLIST_USER IN ('u', 'v')")[0]["n"] == 0)
    got = total(server, "global", "statement/sql/do") - before
    assert sum(counted) - 3 * truncated <= got <= sum(counted)


def test_prepare_execute_and_deallocate_are_told_of_by_the_text(server):
    """As MySQL 9.7: the text is the prepared one's, the digest has the verb before it."""
    with server.connect() as c, c.cursor() as cur:
        for sql in ("PREPARE told FROM 'select 41 + ?'", "SET @a = 1", "EXECUTE told USING @a", "EXECUTE told USING @a", "DEALLOCATE PREPARE told"):
            cur.execute(sql)
        cur.execute("SELECT event_name, sql_text, digest_text FROM performance_schema.events_statements_history WHERE thread_id = PS_CURRENT_THREAD_ID() AND sql_text LIKE 'select 41%' ORDER BY event_id")
        execute = ("statement/sql/execute_sql", "select 41 + ?", "EXECUTE SELECT ? + ?")
        assert list(cur.fetchall()) == [("statement/sql/prepare_sql", "select 41 + ?", "PREPARE SELECT ? + ?"), execute, execute,
                                        ("statement/sql/dealloc_sql", "select 41 + ?", "DEALLOCATE SELECT ? + ?")]
        cur.execute("SELECT count_star FROM performance_schema.events_statements_summary_by_digest WHERE digest_text = 'EXECUTE SELECT ? + ?' AND query_sample_text = 'select 41 + ?'")
        assert cur.fetchall() == ((2,),)


def test_commands_prepare_and_execute(server):
    """As MySQL 9.7 tells of COM_STMT_PREPARE and COM_STMT_EXECUTE."""
    with server.connect() as c, c.cursor() as cur:
        c._execute_command(0x16, "select 70 + ?")
        statement, columns, params = struct.unpack("<IHH", c._read_packet()._data[1:9])
        for n in (params, columns):
            for _ in range(n + 1 if n else 0):
                c._read_packet()
        c._execute_command(0x17, struct.pack("<IBI", statement, 0, 1) + b"\0\1\x08\0" + struct.pack("<q", 5))
        for _ in range(5):
            c._read_packet()
        cur.execute("SELECT event_name, sql_text, digest_text, rows_sent FROM performance_schema.events_statements_history WHERE thread_id = PS_CURRENT_THREAD_ID() AND sql_text LIKE 'select 70%' ORDER BY event_id")
        assert list(cur.fetchall()) == [("statement/com/Prepare", "select 70 + ?", "PREPARE SELECT ? + ?", 0), ("statement/com/Execute", "select 70 + ?", "EXECUTE SELECT ? + ?", 1)]
        cur.execute("SELECT event_name, count_star > 0 FROM performance_schema.events_statements_summary_by_thread_by_event_name WHERE thread_id = PS_CURRENT_THREAD_ID() AND event_name LIKE 'statement/com/%e' AND count_star > 0 ORDER BY 1")
        assert list(cur.fetchall()) == [("statement/com/Execute", 1), ("statement/com/Prepare", 1)]
        # COM_STMT_CLOSE is told of by what it closes, of a number that means nothing there is nothing to tell
        deallocated = lambda: int(rows(server, f"SELECT COALESCE(SUM(COUNT_STAR), 0) n FROM {PS}events_statements_summary_by_digest WHERE DIGEST_TEXT = 'DEALLOCATE SELECT ? + ?'")[0]["n"])
        before = deallocated()
        for number in (statement, statement, 4711):
            c._execute_command(0x19, struct.pack("<I", number))
        cur.execute("SELECT event_name, sql_text, digest_text, mysql_errno FROM performance_schema.events_statements_history WHERE thread_id = PS_CURRENT_THREAD_ID() AND event_name LIKE '%Close%' ORDER BY event_id")
        closed = ("statement/com/Close stmt", None, None, 0)
        assert list(cur.fetchall()) == [("statement/com/Close stmt", "select 70 + ?", "DEALLOCATE SELECT ? + ?", 0), closed, closed]
        assert deallocated() == before + 1


def test_commands_of_the_protocol_are_events(server):
    """As in MySQL: without text and digest; what they count is none of the statement's before."""
    with server.connect(user="u", database="d") as c, c.cursor() as cur:
        cur.execute("SELECT 1 / 0 FROM t")
        me = c.thread_id()

        def command(number, body=b""):
            c._execute_command(number, body)
            try:
                c._read_packet()
            except pymysql.err.MySQLError:
                pass
            return last()

        def last():
            (e,) = rows(server, f"SELECT * FROM {PS}events_statements_current WHERE THREAD_ID = {me}")
            assert (e["SQL_TEXT"], e["DIGEST"], e["DIGEST_TEXT"]) == (None, None, None)
            assert (e["WARNINGS"], e["ROWS_SENT"], e["ROWS_EXAMINED"]) == (0, 0, 0) and e["END_EVENT_ID"] >= e["EVENT_ID"] and e["TIMER_WAIT"] > 0
            return e["EVENT_NAME"].removeprefix("statement/com/"), e["MYSQL_ERRNO"]

        assert command(0x0e) == ("Ping", 0)
        assert command(0x02, b"d") == ("Init DB", 0)
        assert command(0x02, b"nowhere") == ("Init DB", 1044)
        assert command(0x09) == ("Statistics", 0)
        assert command(0x1b, b"\0\0") == ("Set option", 0)
        assert command(0x1c, struct.pack("<II", 77, 1)) == ("Fetch", 1243)
        # what the server has no use for is an event, too
        refused = {0x00: "Sleep", 0x05: "Create DB", 0x0a: "Processlist", 0x13: "Table Dump", 0x21: "Group Replication Data Stream subscription", 0x22: "Error", 0xf0: "Error"}
        for number, name in refused.items():
            assert command(number) == (name, 1047)
        assert command(0x1f) == ("Reset Connection", 0)
        counted = {k: total(server, "account", f"statement/com/{k}", "USER = 'u'") for k in ["Ping", "Init DB", "Statistics", "Fetch", "Quit"]}
        assert counted["Ping"] == 1 and counted["Init DB"] == 2 and counted["Fetch"] == 1
        quits = counted["Quit"]
    until(lambda: total(server, "account", "statement/com/Quit", "USER = 'u'") == quits + 1)


def test_the_last_event_stays_when_the_account_changes(server):
    """Also where its entry has gone to the long history."""
    with server.connect(user="u", database="d") as c, c.cursor() as cur:
        cur.execute("SELECT 'before'")
        me = c.thread_id()
        c._execute_command(0x11, b"v\0\0d\0\x2d\0caching_sha2_password\0")
        packet = c._read_packet()
        while not packet.is_ok_packet():
            data = packet.get_all_data()
            if data[:1] == b"\xfe":
                c.write_packet(b"")
            packet = c._read_packet()
        # it is told of behind its answer, which the login sends
        current = lambda: rows(server, f"SELECT EVENT_NAME FROM {PS}events_statements_current WHERE THREAD_ID = {me}")[0]["EVENT_NAME"]
        until(lambda: current() == "statement/com/Change user")
        assert [e["SQL_TEXT"] for e in history(server, me, "history_long")][-2:] == ["SELECT 'before'", None]
        cur.execute("SELECT 'behind'")
        # as in MySQL 9.7 the session keeps its history
        assert [e["SQL_TEXT"] for e in history(server, me)][-3:] == ["SELECT 'before'", None, "SELECT 'behind'"]


def test_sums_are_whole_whenever_somebody_looks(server):
    """Statements are added up some together: whoever looks sees all of them, of sessions that live and that have gone, and
    TRUNCATE takes all away."""
    by_digest = lambda: int(rows(server, f"SELECT COALESCE(SUM(COUNT_STAR), 0) n FROM {PS}events_statements_summary_by_digest WHERE DIGEST_TEXT LIKE 'SELECT ? AS `whole`%'")[0]["n"])
    in_histogram = lambda: int(rows(server, f"SELECT COALESCE(SUM(COUNT_BUCKET), 0) n FROM {PS}events_statements_histogram_by_digest JOIN {PS}events_statements_summary_by_digest USING (DIGEST) WHERE DIGEST_TEXT LIKE 'SELECT ? AS `whole`%'")[0]["n"])
    transactions = lambda who: int(rows(server, f"SELECT COUNT_STAR n FROM {PS}events_transactions_summary_by_thread_by_event_name WHERE THREAD_ID = {who}")[0]["n"])
    rows(server, f"SELECT COUNT(*) FROM {PS}events_statements_summary_by_digest")
    with server.connect(user="v", database="d") as c, c.cursor() as cur:
        me, other = c.thread_id(), f"THREAD_ID = {c.thread_id()}"
        selects = total(server, "thread", "statement/sql/select", other)
        for n in range(1, 30):
            cur.execute("SELECT 5 AS `whole`")
            assert by_digest() == n and in_histogram() == n
            assert total(server, "thread", "statement/sql/select", other) == selects + n
        before = transactions(me)
        for n in range(1, 25):
            cur.execute("SELECT a FROM t WHERE id = 1")
            cur.execute("SELECT 6 AS `whole`, a FROM t WHERE id = 2")
            assert transactions(me) == before + 2 * n
        rows(server, f"TRUNCATE TABLE {PS}events_statements_summary_by_digest")
        assert by_digest() == 0
        cur.execute("SELECT 5 AS `whole`")
        assert by_digest() == 1
        of_account = total(server, "account", "statement/sql/select", "USER = 'v'")
        rows(server, f"TRUNCATE TABLE {PS}events_statements_summary_by_thread_by_event_name")
        assert total(server, "thread", "statement/sql/select", other) == 0
        cur.execute("SELECT 7 AS `whole`")
    until(lambda: total(server, "account", "statement/sql/select", "USER = 'v'") == of_account + 1)
    assert by_digest() == 2
