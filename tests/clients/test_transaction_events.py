"""Transactions as performance_schema tells of them: current, history, sums."""
import pymysql
import pytest

from lib.servers import Server
from lib.wait import until

PS = "performance_schema."


@pytest.fixture(scope="module")
def server():
    s = Server(options=["--performance-schema-consumer-events-transactions-history-long"]).start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE d.t (id INT PRIMARY KEY, a INT)")
    s.query("INSERT INTO d.t VALUES (1, 10), (2, 20)")
    yield s
    s.remove()


def rows(server, sql):
    with server.connect() as c, c.cursor(pymysql.cursors.DictCursor) as cur:
        cur.execute(sql)
        return list(cur.fetchall())


def history(server, c, table="history"):
    return rows(server, f"SELECT * FROM {PS}events_transactions_{table} WHERE THREAD_ID = {c.thread_id()} ORDER BY EVENT_ID")


# What a session runs, and (state, access, isolation, autocommit, savepoints, rolled back to, released) of the transactions it made. MySQL 9.7 has the same.
RR, RC = "REPEATABLE READ", "READ COMMITTED"
CASES = [
    (["SELECT * FROM t"], [("COMMITTED", "READ WRITE", RR, "YES", 0, 0, 0)]),
    (["INSERT INTO t VALUES (1, 1)"], [("ROLLED BACK", "READ WRITE", RR, "YES", 0, 0, 0)]),
    (["UPDATE t SET a = a + 1"], [("COMMITTED", "READ WRITE", RR, "YES", 0, 0, 0)]),
    (["BEGIN", "UPDATE t SET a = 1", "COMMIT"], [("COMMITTED", "READ WRITE", RR, "NO", 0, 0, 0)]),
    (["BEGIN", "UPDATE t SET a = 1", "ROLLBACK"], [("ROLLED BACK", "READ WRITE", RR, "NO", 0, 0, 0)]),
    (["START TRANSACTION READ ONLY", "SELECT * FROM t", "COMMIT"], [("COMMITTED", "READ ONLY", RR, "NO", 0, 0, 0)]),
    (["SET TRANSACTION ISOLATION LEVEL READ COMMITTED", "BEGIN", "SELECT * FROM t", "COMMIT"], [("COMMITTED", "READ WRITE", RC, "NO", 0, 0, 0)]),
    (["BEGIN", "UPDATE t SET a = 2", "SAVEPOINT x", "SAVEPOINT y", "UPDATE t SET a = 3", "ROLLBACK TO x", "RELEASE SAVEPOINT x", "COMMIT"],
     [("COMMITTED", "READ WRITE", RR, "NO", 2, 1, 1)]),
    (["BEGIN", "SELECT * FROM t", "BEGIN", "SELECT * FROM t", "COMMIT AND CHAIN", "SELECT * FROM t", "ROLLBACK"],
     [("COMMITTED", "READ WRITE", RR, "NO", 0, 0, 0), ("COMMITTED", "READ WRITE", RR, "NO", 0, 0, 0), ("ROLLED BACK", "READ WRITE", RR, "NO", 0, 0, 0)]),
    (["SET autocommit = 0", "UPDATE t SET a = 5", "COMMIT", "SET autocommit = 1"], [("COMMITTED", "READ WRITE", RR, "NO", 0, 0, 0)]),
    (["SELECT 1", "DO 1", "SET @a = 1"], []),
    (["BEGIN", "INSERT INTO t VALUES (1, 1)", "INSERT INTO t VALUES (100, 1)", "ROLLBACK"], [("ROLLED BACK", "READ WRITE", RR, "NO", 0, 0, 0)]),
]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_what_is_told(server, number):
    statements, want = CASES[number]
    with server.connect(database="d") as c, c.cursor() as cur:
        for sql in statements:
            try:
                cur.execute(sql)
            except pymysql.err.IntegrityError:
                pass
        got = history(server, c)
        assert got == history(server, c, "history_long")
        assert [(e["STATE"], e["ACCESS_MODE"], e["ISOLATION_LEVEL"], e["AUTOCOMMIT"], e["NUMBER_OF_SAVEPOINTS"],
                 e["NUMBER_OF_ROLLBACK_TO_SAVEPOINT"], e["NUMBER_OF_RELEASE_SAVEPOINT"]) for e in got] == want
        statements = {e["EVENT_ID"]: e for e in rows(server, f"SELECT * FROM {PS}events_statements_history WHERE THREAD_ID = {c.thread_id()}")}
        for e in got:
            begun = statements[e["NESTING_EVENT_ID"]]
            assert e["NESTING_EVENT_TYPE"] == "STATEMENT" and e["EVENT_ID"] > begun["EVENT_ID"]
            assert e["TIMER_END"] - e["TIMER_START"] == e["TIMER_WAIT"] > 0
            assert e["TIMER_START"] >= begun["TIMER_START"]
        sums = rows(server, f"SELECT * FROM {PS}events_transactions_summary_by_thread_by_event_name WHERE THREAD_ID = {c.thread_id()}")[0]
        assert sums["COUNT_STAR"] == len(want) == sums["COUNT_READ_WRITE"] + sums["COUNT_READ_ONLY"]
        assert sums["COUNT_READ_ONLY"] == sum(w[1] == "READ ONLY" for w in want)
        assert sums["SUM_TIMER_WAIT"] == sum(e["TIMER_WAIT"] for e in got)


def test_one_that_runs(server):
    with server.connect(database="d") as c, c.cursor() as cur:
        cur.execute("BEGIN")
        cur.execute("SELECT * FROM t")
        now, = history(server, c, "current")
        assert (now["STATE"], now["END_EVENT_ID"], now["AUTOCOMMIT"]) == ("ACTIVE", None, "NO")
        assert now["TIMER_WAIT"] < history(server, c, "current")[0]["TIMER_WAIT"]
        assert history(server, c) == []
        cur.execute("COMMIT")
        assert history(server, c, "current")[0]["STATE"] == "COMMITTED"


def test_switches(server):
    with server.connect(database="d") as c, c.cursor() as cur:
        cur.execute("UPDATE performance_schema.setup_instruments SET ENABLED = 'NO' WHERE NAME = 'transaction'")
        try:
            cur.execute("SELECT * FROM t")
            assert history(server, c) == []
        finally:
            cur.execute("UPDATE performance_schema.setup_instruments SET ENABLED = 'YES' WHERE NAME = 'transaction'")
        cur.execute("UPDATE performance_schema.setup_consumers SET ENABLED = 'NO' WHERE NAME = 'events_transactions_history'")
        try:
            cur.execute("SELECT * FROM t")
            assert (len(history(server, c)), len(history(server, c, "history_long"))) == (0, 1)
        finally:
            cur.execute("UPDATE performance_schema.setup_consumers SET ENABLED = 'YES' WHERE NAME = 'events_transactions_history'")


def test_sums_outlive_their_session(server):
    def total(level):
        name = "global_by_event_name" if level == "global" else f"by_{level}_by_event_name"
        return int(rows(server, f"SELECT SUM(COUNT_STAR) n FROM {PS}events_transactions_summary_{name}")[0]["n"] or 0)
    before = {level: total(level) for level in ("account", "user", "host", "global")}
    with server.connect(database="d") as c, c.cursor() as cur:
        for _ in range(5):
            cur.execute("SELECT * FROM t")
        id = c.thread_id()
    until(lambda: not rows(server, f"SELECT 1 FROM {PS}threads WHERE PROCESSLIST_ID = {id}"))
    assert {level: total(level) - n for level, n in before.items()} == dict.fromkeys(before, 5)
    server.query(f"TRUNCATE TABLE {PS}events_transactions_summary_global_by_event_name")
    assert total("global") == total("account") == 0
