"""Each level of recording by itself: what is switched on is complete, and what is switched off says nothing.

The levels are those of the issue's table of costs: everything off by the start option, no instrument, rows of tables alone, statements alone, the defaults,
and everything. The same work is done at each, by several sessions at once, and counted afterwards."""
import threading

import pymysql
import pytest

from lib.servers import Server
from lib.wait import until

PS = "performance_schema."
SESSIONS, SELECTS, TABLES = 4, 60, 3
ALL = SESSIONS * SELECTS


@pytest.fixture(scope="module")
def server():
    s = started([])
    yield s
    s.remove()


def started(options):
    s = Server(options=options).start()
    s.query("CREATE DATABASE d")
    for n in range(TABLES):
        s.query(f"CREATE TABLE d.t{n} (id INT PRIMARY KEY, a INT, KEY (a))")
        s.query(f"INSERT INTO d.t{n} VALUES (1, 10), (2, 20), (3, 30)")
    return s


def rows(server, sql):
    with server.connect() as c, c.cursor(pymysql.cursors.DictCursor) as cur:
        cur.execute(sql)
        return list(cur.fetchall())


def number(server, sql):
    return int(list(rows(server, sql)[0].values())[0] or 0)


def level(server, instruments, consumers):
    """Only these instruments (a condition) and consumers are on; nothing is counted yet."""
    server.query(f"UPDATE {PS}setup_instruments SET ENABLED = IF({instruments}, 'YES', 'NO'), TIMED = IF(NAME LIKE 'memory/%' OR NAME = 'error', NULL, IF({instruments}, 'YES', 'NO'))")
    server.query(f"UPDATE {PS}setup_consumers SET ENABLED = IF({consumers}, 'YES', 'NO')")
    for r in rows(server, "SELECT TABLE_NAME n FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'performance_schema' AND (TABLE_NAME LIKE 'events\\_%' OR TABLE_NAME LIKE 'table\\_%summary%')"):
        server.query(f"TRUNCATE TABLE {PS}{r['n']}")


def work(server):
    """Point selects, half of them as transactions of their own; every fourth session prepares. The sessions stay for whoever looks; their ids."""
    errors, sessions = [], [server.connect(user="root", database="d") for _ in range(SESSIONS)]

    def one(c, which):
        try:
            with c.cursor() as cur:
                if which % 2:
                    cur.execute("BEGIN")
                for n in range(SELECTS):
                    cur.execute(f"SELECT a FROM t{n % TABLES} WHERE id = {n % 3 + 1}")
                    assert cur.fetchall() == ((10 * (n % 3 + 1),),)
                if which % 2:
                    cur.execute("COMMIT")
        except Exception as e:  # noqa: BLE001
            errors.append(e)

    threads = [threading.Thread(target=one, args=(c, n)) for n, c in enumerate(sessions)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not errors
    return sessions


class Found:
    """What the tables say of the work."""

    def __init__(self, server, sessions):
        self.threads = ", ".join(str(c.thread_id()) for c in sessions)
        mine = f"THREAD_ID IN ({self.threads})"
        self.fetched = number(server, f"SELECT SUM(COUNT_FETCH) FROM {PS}table_io_waits_summary_by_table WHERE OBJECT_SCHEMA = 'd'")
        self.by_index = number(server, f"SELECT SUM(COUNT_FETCH) FROM {PS}table_io_waits_summary_by_index_usage WHERE OBJECT_SCHEMA = 'd' AND INDEX_NAME = 'PRIMARY'")
        self.locks = number(server, f"SELECT SUM(COUNT_READ) FROM {PS}table_lock_waits_summary_by_table WHERE OBJECT_SCHEMA = 'd'")
        self.selects = {}
        for table, where in [("thread", mine), ("account", "USER = 'root'"), ("user", "USER = 'root'"), ("host", "HOST = 'localhost'"), ("global", "TRUE")]:
            name = "global" if table == "global" else f"by_{table}"
            sql = f"SELECT SUM(COUNT_STAR) FROM {PS}events_statements_summary_{name}_by_event_name WHERE EVENT_NAME = 'statement/sql/select' AND {where}"
            # the questions of this test are selects too, in other sessions
            self.selects[table] = number(server, sql)
        self.sent = number(server, f"SELECT SUM(SUM_ROWS_SENT) FROM {PS}events_statements_summary_by_thread_by_event_name WHERE EVENT_NAME = 'statement/sql/select' AND {mine}")
        digest = f"FROM {PS}events_statements_summary_by_digest WHERE DIGEST_TEXT LIKE 'SELECT `a` FROM `t_` WHERE `id` = ?'"
        self.digests = number(server, f"SELECT SUM(COUNT_STAR) {digest}")
        self.kinds = number(server, f"SELECT COUNT(*) {digest}")
        self.examined = number(server, f"SELECT SUM(SUM_ROWS_EXAMINED) {digest}")
        self.bucketed = number(server, f"SELECT SUM(h.COUNT_BUCKET) FROM {PS}events_statements_histogram_by_digest h JOIN {PS}events_statements_summary_by_digest s USING (DIGEST) WHERE s.DIGEST_TEXT LIKE 'SELECT `a` FROM `t_` WHERE `id` = ?'")
        self.history = rows(server, f"SELECT THREAD_ID, SQL_TEXT, ROWS_SENT, TIMER_WAIT FROM {PS}events_statements_history WHERE {mine} ORDER BY THREAD_ID, EVENT_ID")
        self.current = number(server, f"SELECT COUNT(*) FROM {PS}events_statements_current WHERE {mine}")
        self.long = number(server, f"SELECT COUNT(*) FROM {PS}events_statements_history_long WHERE {mine} AND SQL_TEXT LIKE 'SELECT a FROM t%'")
        self.transactions = number(server, f"SELECT SUM(COUNT_STAR) FROM {PS}events_transactions_summary_by_thread_by_event_name WHERE {mine}")
        self.ended = number(server, f"SELECT COUNT(*) FROM {PS}events_transactions_history WHERE {mine}")
        self.stages = number(server, f"SELECT SUM(COUNT_STAR) FROM {PS}events_stages_summary_by_thread_by_event_name WHERE {mine} AND EVENT_NAME = 'stage/sql/statistics'")
        self.idle = number(server, f"SELECT SUM(COUNT_STAR) FROM {PS}events_waits_summary_by_thread_by_event_name WHERE {mine} AND EVENT_NAME = 'idle'")
        self.waits = number(server, f"SELECT COUNT(*) FROM {PS}events_waits_history WHERE {mine}")


# transactions: each select of the even sessions, one of each odd one
TRANSACTIONS = SESSIONS // 2 * SELECTS + SESSIONS // 2


def found(server):
    sessions = work(server)
    got = Found(server, sessions)
    [c.close() for c in sessions]
    return got


def nothing_of_statements(f):
    assert (set(f.selects.values()), f.sent, f.digests, f.bucketed, f.history, f.current, f.long) == ({0}, 0, 0, 0, [], 0, 0)


def nothing_of_tables(f):
    assert (f.fetched, f.by_index, f.locks) == (0, 0, 0)


def nothing_else(f):
    assert (f.transactions, f.ended, f.stages, f.idle, f.waits) == (0, 0, 0, 0, 0)


def all_of_tables(f):
    assert (f.fetched, f.by_index, f.locks) == (ALL, ALL, ALL)


def all_of_statements(f):
    assert f.selects["thread"] == ALL and all(n >= ALL for n in f.selects.values()), f.selects
    assert (f.sent, f.digests, f.kinds, f.examined, f.bucketed) == (ALL, ALL, TABLES, ALL, ALL)
    by_thread = {}
    for e in f.history:
        by_thread.setdefault(e["THREAD_ID"], []).append(e["SQL_TEXT"])
        assert e["TIMER_WAIT"] > 0
    expected = [f"SELECT a FROM t{n % TABLES} WHERE id = {n % 3 + 1}" for n in range(SELECTS)]
    assert sorted(by_thread.values()) == sorted([expected[-10:]] * (SESSIONS // 2) + [[*expected, "COMMIT"][-10:]] * (SESSIONS // 2))
    assert f.current == SESSIONS


def test_off():
    s = started(["--performance-schema=OFF"])
    try:
        f = found(s)
        nothing_of_statements(f)
        nothing_of_tables(f)
        nothing_else(f)
        assert number(s, "SELECT VARIABLE_VALUE FROM performance_schema.global_status WHERE VARIABLE_NAME = 'Com_select'") >= ALL
    finally:
        s.remove()


def test_no_instrument(server):
    level(server, "FALSE", "TRUE")
    f = found(server)
    nothing_of_statements(f)
    nothing_of_tables(f)
    nothing_else(f)


def test_tables(server):
    level(server, "NAME LIKE 'wait/io/table/%' OR NAME LIKE 'wait/lock/table/%'", "NAME IN ('global_instrumentation', 'thread_instrumentation')")
    f = found(server)
    all_of_tables(f)
    nothing_of_statements(f)
    nothing_else(f)


def test_statements(server):
    level(server, "NAME LIKE 'statement/%'", "NAME IN ('global_instrumentation', 'thread_instrumentation', 'statements_digest', 'events_statements_current', 'events_statements_history')")
    f = found(server)
    all_of_statements(f)
    nothing_of_tables(f)
    nothing_else(f)
    assert f.long == 0


def test_defaults():
    s = started([])
    try:
        server_wide = lambda: number(s, f"SELECT COUNT_STAR FROM {PS}events_statements_summary_global_by_event_name WHERE EVENT_NAME = 'statement/sql/select'")
        for t in ["events_statements_summary_by_digest", "table_io_waits_summary_by_table", "table_lock_waits_summary_by_table"]:
            s.query(f"TRUNCATE TABLE {PS}{t}")
        before = server_wide()
        f = found(s)
        all_of_statements(f)
        all_of_tables(f)
        assert (f.transactions, f.ended, f.long, f.stages, f.waits) == (TRANSACTIONS, SESSIONS // 2 * 10 + SESSIONS // 2, 0, 0, 0)
        # one before each command; the end of the session's last one is told with the next
        assert f.idle >= ALL
        until(lambda: number(s, f"SELECT COUNT(*) FROM {PS}threads WHERE THREAD_ID IN ({f.threads})") == 0)
        assert server_wide() >= before + ALL, "what sessions counted outlives them"
    finally:
        s.remove()


def test_everything(server):
    level(server, "TRUE", "TRUE")
    f = found(server)
    all_of_statements(f)
    all_of_tables(f)
    assert f.long == ALL
    assert (f.transactions, f.ended) == (TRANSACTIONS, SESSIONS // 2 * 10 + SESSIONS // 2)
    assert f.stages == ALL, "each reads its row at this stage"
    assert f.idle >= ALL and f.waits == 10 * SESSIONS
