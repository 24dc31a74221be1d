"""Statements that are like others before them leave less to write than the first of their kind: what is shown must not differ.

The same statements run with the settings that nobody has changed, where entries of one shape are written shortly and counted together, and with a long history on, where each is
written in full: both leave the same in the history, in the sums by digest, by kind and in histograms, whatever comes between them.
"""
import random

import pymysql
import pytest

from lib.servers import Server

PS = "performance_schema."
# each with another thing that entries of one shape have in common, or that makes one differ from those before it
STATEMENTS = [
    "SELECT * FROM t WHERE id = {n}", "SELECT * FROM t WHERE id = {n}", "SELECT * FROM t WHERE id = {n}", "SELECT a FROM t", "SELECT COUNT(*) FROM t WHERE a > {n}",
    "UPDATE t SET a = {n} WHERE id = 1", "UPDATE t SET a = 7 WHERE id = {n}", "INSERT INTO t VALUES ({n}, 1)", "DELETE FROM t WHERE id = {n} AND id > 3", "SELECT 1 / 0", "DO 1",
    "SELECT nothing FROM t WHERE id = {n}", "SELEC {n}", "USE d", "USE e", "BEGIN", "COMMIT", "ROLLBACK", "SET SESSION TRANSACTION READ ONLY", "SET SESSION TRANSACTION READ WRITE",
    "CREATE USER IF NOT EXISTS x IDENTIFIED BY 'secret{n}'", "CALL d.p({n})", "PREPARE s FROM 'SELECT * FROM t WHERE id = ?'", "EXECUTE s USING @n", "SET @n = {n}", "TRUNCATE",
    "SELECT SLEEP(0) FROM t WHERE id = {n}", "SHOW WARNINGS",
]
EVENT = "SELECT EVENT_NAME, LOCK_TIME, SQL_TEXT, DIGEST_TEXT, CURRENT_SCHEMA, MYSQL_ERRNO, RETURNED_SQLSTATE, MESSAGE_TEXT, ERRORS, WARNINGS, ROWS_AFFECTED, ROWS_SENT, ROWS_EXAMINED, " \
        "CREATED_TMP_TABLES, SELECT_SCAN, SELECT_RANGE, SORT_ROWS, NO_INDEX_USED, NESTING_EVENT_ID IS NULL, NESTING_EVENT_TYPE, NESTING_EVENT_LEVEL, TIMER_END >= TIMER_START, " \
        f"END_EVENT_ID >= EVENT_ID, OBJECT_NAME FROM {PS}events_statements_history h JOIN {PS}threads t USING (THREAD_ID) WHERE t.PROCESSLIST_ID = %d ORDER BY EVENT_ID"
TRANSACTION = f"SELECT h.STATE, h.ACCESS_MODE, h.AUTOCOMMIT, h.NESTING_EVENT_TYPE, h.END_EVENT_ID >= h.EVENT_ID FROM {PS}events_transactions_history h JOIN {PS}threads t USING (THREAD_ID) " \
              "WHERE t.PROCESSLIST_ID = %d ORDER BY EVENT_ID"
SUMS = ["COUNT_STAR", "SUM_ERRORS", "SUM_WARNINGS", "SUM_ROWS_AFFECTED", "SUM_ROWS_SENT", "SUM_ROWS_EXAMINED", "SUM_SELECT_SCAN", "SUM_NO_INDEX_USED"]
TIMES = "MIN_TIMER_WAIT <= MAX_TIMER_WAIT, MAX_TIMER_WAIT <= SUM_TIMER_WAIT, SUM_TIMER_WAIT >= COUNT_STAR * MIN_TIMER_WAIT"


@pytest.fixture(scope="module")
def server():
    s = Server().start()
    for q in ("CREATE DATABASE d", "CREATE DATABASE e", "CREATE PROCEDURE d.p(n INT) SELECT * FROM t WHERE id = n"):
        s.query(q)
    yield s
    s.remove()


def run(server, seed):
    for d in "de":
        server.query(f"DROP TABLE IF EXISTS {d}.t")
        server.query(f"CREATE TABLE {d}.t (id INT PRIMARY KEY, a INT)")
        server.query(f"INSERT INTO {d}.t VALUES (1, 10), (2, 20), (3, 30)")
    server.query("DROP USER IF EXISTS x")
    out, rng = [], random.Random(seed)
    with server.connect(autocommit=True, database="d") as c, c.cursor() as cur:
        me = c.thread_id()
        server.query(f"TRUNCATE {PS}events_statements_summary_by_digest")
        for n in range(120):
            sql = rng.choice(STATEMENTS)
            number = rng.randint(1, 6)
            # runs of one statement, and pairs in turn
            for _ in range(rng.choice([1, 1, 1, 2, 12, 25])):
                if sql == "TRUNCATE":
                    server.query(f"TRUNCATE {PS}events_statements_summary_by_digest")
                    continue
                try:
                    cur.execute(sql.format(n=number))
                    while cur.nextset():
                        pass
                except pymysql.err.Error:
                    pass
            if n % 7 == 0:
                out.append((n, sql, server.query(EVENT % me), server.query(TRANSACTION % me)))
        mine = "(SELECT THREAD_ID FROM %sthreads WHERE PROCESSLIST_ID = %d)" % (PS, me)
        kinds = ", ".join(SUMS + [TIMES])
        out.append(server.query(f"SELECT EVENT_NAME, {kinds} FROM {PS}events_statements_summary_by_thread_by_event_name WHERE COUNT_STAR > 0 AND THREAD_ID = {mine} ORDER BY 1"))
        out.append(server.query(f"SELECT COUNT_STAR, COUNT_READ_WRITE, COUNT_READ_ONLY FROM {PS}events_transactions_summary_by_thread_by_event_name WHERE THREAD_ID = {mine}"))
        ours = "DIGEST_TEXT NOT LIKE '%%performance_schema%%'"
        out.append(server.query(f"SELECT SCHEMA_NAME, DIGEST_TEXT, {kinds} FROM {PS}events_statements_summary_by_digest WHERE {ours} ORDER BY 1, 2".replace("%%", "%")))
        histogram = f"SELECT s.SCHEMA_NAME, DIGEST_TEXT, SUM(COUNT_BUCKET) = COUNT_STAR FROM {PS}events_statements_summary_by_digest s JOIN {PS}events_statements_histogram_by_digest USING (DIGEST) " \
                    f"WHERE {ours} AND s.SCHEMA_NAME <=> events_statements_histogram_by_digest.SCHEMA_NAME GROUP BY 1, 2, COUNT_STAR ORDER BY 1, 2"
        out.append(server.query(histogram.replace("%%", "%")))
    return out


@pytest.mark.parametrize("seed", [1, 2])
def test_short_ways_leave_what_long_ones_do(server, seed):
    short = run(server, seed)
    server.query(f"UPDATE {PS}setup_consumers SET ENABLED = 'YES' WHERE NAME = 'events_statements_history_long'")
    try:
        long = run(server, seed)
    finally:
        server.query(f"UPDATE {PS}setup_consumers SET ENABLED = 'NO' WHERE NAME = 'events_statements_history_long'")
    for a, b in zip(short, long, strict=True):
        assert a == b


@pytest.mark.parametrize("option", ["ON", "OFF"])
def test_slow_statements_count_with_and_without(option):
    """Slow_queries is no business of performance_schema's."""
    s = Server(options=[f"--performance-schema={option}"]).start()
    try:
        with s.connect() as c, c.cursor() as cur:
            cur.execute("SET long_query_time = 0.05")
            for n in (0.2, 0, 0.2):
                cur.execute(f"SELECT SLEEP({n})")
            cur.execute("SET long_query_time = 60")
            cur.execute("SELECT SLEEP(0.2)")
            cur.execute("SHOW SESSION STATUS LIKE 'Slow_queries'")
            assert cur.fetchall() == (("Slow_queries", "2"),)
    finally:
        s.remove()
