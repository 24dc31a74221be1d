"""Stages and waits as events: recorded when they are switched on, in the statement they belong to, summed by whoever had them."""
import threading
import time

import pymysql
import pytest

from lib.servers import Server
from lib.wait import until, waits

PS = "performance_schema."
CONSUMERS = [f"events_{what}_{where}" for what in ("stages", "waits") for where in ("current", "history", "history_long")]


@pytest.fixture(scope="module")
def server():
    s = Server(options=[f"--performance-schema-consumer-{c.replace('_', '-')}" for c in CONSUMERS] + ["--performance-schema-instrument=stage/sql/%=ON"]).start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE d.t (id INT PRIMARY KEY, a INT)")
    s.query("INSERT INTO d.t VALUES (1, 10), (2, 20)")
    yield s
    s.remove()


@pytest.fixture
def c(server):
    with server.connect(database="d") as c:
        yield c


def run(c, sql):
    with c.cursor() as cur:
        cur.execute(sql)


def rows(server, sql):
    with server.connect() as c, c.cursor(pymysql.cursors.DictCursor) as cur:
        cur.execute(sql)
        return list(cur.fetchall())


def events(server, c, table):
    return rows(server, f"SELECT * FROM {PS}events_{table} WHERE THREAD_ID = {c.thread_id()} ORDER BY EVENT_ID")


def statement(server, c, text):
    return [e for e in events(server, c, "statements_history") if e["SQL_TEXT"] == text][0]


def test_stages_of_a_statement(server, c):
    run(c, "SELECT SLEEP(0.05) FROM t WHERE id = 1")
    mine = statement(server, c, "SELECT SLEEP(0.05) FROM t WHERE id = 1")
    inside = [e for e in events(server, c, "stages_history") if e["NESTING_EVENT_ID"] == mine["EVENT_ID"]]
    names = [e["EVENT_NAME"] for e in inside]
    assert names[0] == "stage/sql/starting" and "stage/sql/User sleep" in names
    for e in inside:
        assert e["NESTING_EVENT_TYPE"] == "STATEMENT" and mine["EVENT_ID"] < e["EVENT_ID"] <= e["END_EVENT_ID"] <= mine["END_EVENT_ID"]
        assert mine["TIMER_START"] <= e["TIMER_START"] <= e["TIMER_END"] <= mine["TIMER_END"]
    # one after the other
    assert all(a["TIMER_END"] <= b["TIMER_START"] for a, b in zip(inside, inside[1:]))
    sleep, = [e for e in inside if e["EVENT_NAME"] == "stage/sql/User sleep"]
    assert sleep["TIMER_WAIT"] >= 0.05 * 1e12
    sums = rows(server, f"SELECT * FROM {PS}events_stages_summary_by_thread_by_event_name WHERE THREAD_ID = {c.thread_id()} AND EVENT_NAME = 'stage/sql/User sleep'")
    assert [(s["COUNT_STAR"], s["SUM_TIMER_WAIT"], s["MIN_TIMER_WAIT"]) for s in sums] == [(1, sleep["TIMER_WAIT"], sleep["TIMER_WAIT"])]


def test_a_lock_that_is_waited_for(server, c):
    run(c, "BEGIN")
    run(c, "UPDATE t SET a = 1 WHERE id = 1")
    with server.connect(database="d") as other:
        t = threading.Thread(target=run, args=(other, "UPDATE t SET a = 2 WHERE id = 1"))
        t.start()
        waits(server, other)
        now = [e for e in events(server, other, "stages_current") if e["END_EVENT_ID"] is None]
        assert [e["EVENT_NAME"] for e in now] == ["stage/sql/updating"]
        run(c, "COMMIT")
        t.join()
        mine = statement(server, other, "UPDATE t SET a = 2 WHERE id = 1")
        wait, = [e for e in events(server, other, "waits_history") if e["EVENT_NAME"] == "wait/lock/innodb/row"]
        stage, = [e for e in events(server, other, "stages_history") if e["EVENT_ID"] == wait["NESTING_EVENT_ID"]]
        assert (wait["NESTING_EVENT_TYPE"], wait["OPERATION"], stage["EVENT_NAME"], stage["NESTING_EVENT_ID"]) == ("STAGE", "lock", "stage/sql/updating", mine["EVENT_ID"])
        assert 0 < wait["TIMER_WAIT"] <= stage["TIMER_WAIT"] <= mine["TIMER_WAIT"]
        assert [wait[k] for k in ("OBJECT_TYPE", "OBJECT_SCHEMA", "OBJECT_NAME", "INDEX_NAME")] == ["TABLE", "d", "t", "PRIMARY"]
        got = rows(server, f"SELECT COUNT_STAR FROM {PS}events_waits_summary_by_thread_by_event_name WHERE THREAD_ID = {other.thread_id()} AND EVENT_NAME = 'wait/lock/innodb/row'")
        assert [r["COUNT_STAR"] for r in got] == [1]


def test_a_session_without_a_command(server, c):
    idle = lambda: rows(server, f"SELECT COUNT_STAR n, MIN_TIMER_WAIT mn, MAX_TIMER_WAIT mx FROM {PS}events_waits_summary_by_thread_by_event_name WHERE THREAD_ID = {c.thread_id()} AND EVENT_NAME = 'idle'")[0]
    run(c, "DO 1")
    before = idle()["n"]
    time.sleep(0.2)
    run(c, "DO 1")
    run(c, "DO 1")
    assert idle()["n"] == before + 2 and idle()["mx"] >= 0.2e12 > idle()["mn"]
    last = [e for e in events(server, c, "waits_history") if e["EVENT_NAME"] == "idle"][-2:]
    assert last[0]["TIMER_WAIT"] >= 0.2e12 and {(e["NESTING_EVENT_ID"], e["OPERATION"], e["OBJECT_TYPE"]) for e in last} == {(None, "idle", None)}
    in_all = lambda: rows(server, f"SELECT COUNT_STAR n, SUM_TIMER_WAIT t FROM {PS}events_waits_summary_global_by_event_name WHERE EVENT_NAME = 'idle'")[0]
    assert in_all()["n"] >= before + 2 and in_all()["t"] >= 0.2e12
    run(c, "UPDATE performance_schema.setup_instruments SET ENABLED = 'NO' WHERE NAME = 'idle'")
    n = idle()["n"]
    run(c, "DO 1")
    assert idle()["n"] == n
    run(c, "UPDATE performance_schema.setup_instruments SET ENABLED = 'YES' WHERE NAME = 'idle'")
    assert idle()["n"] == n
    # shown while it lasts, by the number that it will have
    shown = lambda: [(e["EVENT_ID"], e["END_EVENT_ID"], e["TIMER_WAIT"]) for e in events(server, c, "waits_current") if e["EVENT_NAME"] == "idle"]
    number, end, took = shown()[0]
    assert end is None and took > 0 and shown()[0][0] == number and shown()[0][2] > took
    run(c, "DO 1")
    assert number in [e["EVENT_ID"] for e in events(server, c, "waits_history_long") if e["EVENT_NAME"] == "idle"]
    run(c, "UPDATE performance_schema.setup_instruments SET ENABLED = 'NO' WHERE NAME = 'idle'")
    try:
        assert [end for _, end, _ in shown()] != [None], "the last one has ended"
    finally:
        run(c, "UPDATE performance_schema.setup_instruments SET ENABLED = 'YES' WHERE NAME = 'idle'")


def test_what_a_session_leaves_in_the_long_histories(server):
    """It fills chunks of them by itself; what it has of one when it ends stays, and no event is there twice."""
    with server.connect(database="d") as c:
        number = c.thread_id()
        for n in range(100):
            run(c, f"SELECT {n} FROM t WHERE id = 1")
        there = lambda table: [e["EVENT_ID"] for e in rows(server, f"SELECT EVENT_ID FROM {PS}events_{table} WHERE THREAD_ID = {number} ORDER BY EVENT_ID")]
        before = {t: there(t) for t in ("stages_history_long", "waits_history_long")}
        assert all(len(set(ids)) == len(ids) >= 100 for ids in before.values()), "full chunks and the one being filled"
    until(lambda: not rows(server, f"SELECT 1 FROM {PS}threads WHERE THREAD_ID = {number}"))
    for table, ids in before.items():
        after = there(table)
        assert len(set(after)) == len(after) and set(ids) <= set(after)


def test_metadata_locks(server, c):
    run(c, "BEGIN")
    run(c, "SELECT * FROM t")
    with server.connect(database="d") as other:
        t = threading.Thread(target=run, args=(other, "ALTER TABLE t ADD COLUMN b INT"))
        t.start()
        waits(server, other)
        assert [e["EVENT_NAME"] for e in events(server, other, "stages_current")] == ["stage/sql/Waiting for table metadata lock"]
        run(c, "COMMIT")
        t.join()
        assert "wait/lock/metadata/sql/mdl" in [e["EVENT_NAME"] for e in events(server, other, "waits_history")]
    run(c, "ALTER TABLE t DROP COLUMN b")


def test_switched_off_at_once(server, c):
    run(c, "UPDATE performance_schema.setup_instruments SET ENABLED = 'NO' WHERE NAME = 'stage/sql/User sleep'")
    try:
        run(c, "DO SLEEP(0.01)")
        assert "stage/sql/User sleep" not in [e["EVENT_NAME"] for e in events(server, c, "stages_history")]
    finally:
        run(c, "UPDATE performance_schema.setup_instruments SET ENABLED = 'YES' WHERE NAME = 'stage/sql/User sleep'")
    run(c, "DO SLEEP(0.01)")
    assert "stage/sql/User sleep" in [e["EVENT_NAME"] for e in events(server, c, "stages_history")]
    run(c, "UPDATE performance_schema.setup_consumers SET ENABLED = 'NO' WHERE NAME = 'events_stages_history'")
    try:
        server.query(f"TRUNCATE TABLE {PS}events_stages_history")
        server.query(f"TRUNCATE TABLE {PS}events_stages_history_long")
        run(c, "DO SLEEP(0.02)")
        assert (len(events(server, c, "stages_history")), len(events(server, c, "stages_history_long")) > 0) == (0, True)
    finally:
        run(c, "UPDATE performance_schema.setup_consumers SET ENABLED = 'YES' WHERE NAME = 'events_stages_history'")


def test_sums_outlive_their_session(server):
    def total(what, level):
        name = "global_by_event_name" if level == "global" else f"by_{level}_by_event_name"
        return int(rows(server, f"SELECT SUM(COUNT_STAR) n FROM {PS}events_{what}_summary_{name} WHERE EVENT_NAME IN ('stage/sql/User sleep', 'wait/synch/cond/sql/sleep')")[0]["n"] or 0)
    levels = ("account", "user", "host")
    before = [total(what, level) for what in ("stages", "waits") for level in levels]
    with server.connect() as c:
        run(c, "DO SLEEP(0.01), SLEEP(0.01), SLEEP(0.01)")
        id = c.thread_id()
    until(lambda: not rows(server, f"SELECT 1 FROM {PS}threads WHERE PROCESSLIST_ID = {id}"))
    assert [total(what, level) - n for (what, level), n in zip([(w, x) for w in ("stages", "waits") for x in levels], before)] == [3] * 6
    for what in ("stages", "waits"):
        server.query(f"TRUNCATE TABLE {PS}events_{what}_summary_by_account_by_event_name")
        assert total(what, "account") == 0 and total(what, "user") > 0


def test_nothing_by_default():
    s = Server().start()
    try:
        s.query("DO SLEEP(0.01)")
        for table in ["stages_current", "stages_history", "stages_history_long", "waits_current", "waits_history", "waits_history_long"]:
            assert s.query(f"SELECT * FROM {PS}events_{table}") == (), table
        assert s.query(f"SELECT SUM(COUNT_STAR) FROM {PS}events_stages_summary_global_by_event_name")[0][0] == 0
        # waits are counted, as in MySQL those of files, tables and locks are
        assert s.query(f"SELECT COUNT_STAR FROM {PS}events_waits_summary_by_host_by_event_name WHERE HOST = 'localhost' AND EVENT_NAME = 'wait/synch/cond/sql/sleep'") == ((1,),)
    finally:
        s.remove()


def test_alter_table_tells_how_far_it_is(server):
    """Rows copied, rows read for a new index, indexes built: while it runs and when it has ended; the process list shows
    MySQL's state, which InnoDB's stages are not."""
    with server.connect() as c, c.cursor() as cur:
        cur.execute("CREATE DATABASE progress")
        cur.execute("CREATE TABLE progress.t (id INT PRIMARY KEY, a INT, b VARCHAR(20))")
        cur.execute("SET cte_max_recursion_depth = 10000")
        cur.execute("INSERT INTO progress.t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i, i, 'x' FROM n")

        def stages(sql):
            cur.execute(sql)
            cur.execute("SELECT MAX(EVENT_ID) FROM performance_schema.events_statements_history WHERE THREAD_ID = PS_CURRENT_THREAD_ID() AND EVENT_NAME = 'statement/sql/alter_table'")
            (statement,) = cur.fetchone()
            cur.execute(f"SELECT EVENT_NAME, WORK_COMPLETED, WORK_ESTIMATED FROM performance_schema.events_stages_history_long WHERE THREAD_ID = PS_CURRENT_THREAD_ID() AND NESTING_EVENT_ID = {statement} AND WORK_COMPLETED IS NOT NULL")
            return {name.split("/", 1)[1]: (done, all_of) for name, done, all_of in cur.fetchall()}

        assert stages("ALTER TABLE progress.t ENGINE = InnoDB, ALGORITHM = COPY") == {"sql/copy to tmp table": (5000, 5000)}
        found = stages("ALTER TABLE progress.t ADD INDEX (a), ADD INDEX (b, a)")
        assert found == {"innodb/alter table (read PK and internal sort)": (5000, 5000), "innodb/alter table (insert)": (2, 2)}, found
        cur.execute("SELECT NAME, ENABLED, PROPERTIES FROM performance_schema.setup_instruments WHERE NAME LIKE 'stage/innodb/alter%' AND PROPERTIES = 'progress' AND ENABLED = 'YES'")
        assert len(cur.fetchall()) == 5
