"""Statements of stored programs as events inside the statement that runs them, sums by program, and who runs events. The expected lists are MySQL 9.7's
answers to the same questions, but for rows examined, which MySQL adds up over a program's statements."""
import threading

import pymysql
import pytest

from lib.servers import Server
from lib.wait import until

PS = "performance_schema."
PROGRAMS = [
    "CREATE TABLE t (id INT PRIMARY KEY, a INT)", "CREATE TABLE log (x INT)", "INSERT INTO t VALUES (1, 10), (2, 20), (3, 30)",
    """CREATE PROCEDURE p(n INT) BEGIN DECLARE x INT DEFAULT 0; DECLARE y INT; SET x = x + n; SET @u = x; SELECT a FROM t WHERE id = n;
    SELECT COUNT(*) INTO y FROM t WHERE a > 5; UPDATE t SET a = a + 1 WHERE id = n; IF y > 2 THEN SET y = 1; ELSE SET y = 2; END IF; IF y > 1 THEN SET y = 9; END IF; END""",
    """CREATE PROCEDURE w(n INT) BEGIN DECLARE i INT DEFAULT 0; WHILE i < n DO SET i = i + 1; END WHILE; l: LOOP SET i = i - 1; IF i < 1 THEN LEAVE l; END IF; END LOOP;
    REPEAT SET i = i + 1; UNTIL i > 2 END REPEAT; END""",
    """CREATE PROCEDURE cu() BEGIN DECLARE v, s INT DEFAULT 0; DECLARE done INT DEFAULT 0; DECLARE k CURSOR FOR SELECT a FROM t; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1;
    OPEN k; r: LOOP FETCH k INTO v; IF done THEN LEAVE r; END IF; SET s = s + v; END LOOP; CLOSE k; SELECT s; END""",
    """CREATE PROCEDURE h() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN SELECT 'caught'; END;
    BEGIN DECLARE CONTINUE HANDLER FOR 1146 SET @h = 1; SELECT * FROM nothing; END; INSERT INTO t VALUES (1,1); SELECT 'never'; END""",
    "CREATE FUNCTION f(n INT) RETURNS INT READS SQL DATA BEGIN DECLARE r INT; SELECT a INTO r FROM t WHERE id = n; RETURN r; END",
    "CREATE FUNCTION g(n INT) RETURNS INT DETERMINISTIC RETURN n + 1",
    "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW BEGIN SET NEW.a = NEW.a + 1; INSERT INTO log VALUES (NEW.id); END",
    "CREATE TRIGGER ta AFTER UPDATE ON t FOR EACH ROW INSERT INTO log VALUES (NEW.a)",
    "CREATE PROCEDURE ou(n INT) BEGIN CALL p(n); SET @z = f(n) + g(n); SIGNAL SQLSTATE '01000' SET MESSAGE_TEXT='hi'; END",
    "CREATE PROCEDURE dy() BEGIN PREPARE s FROM 'SELECT a FROM t WHERE id = ?'; SET @i = 1; EXECUTE s USING @i; DEALLOCATE PREPARE s; END",
    "CREATE PROCEDURE ddl() BEGIN START TRANSACTION; INSERT INTO log VALUES (1); COMMIT; END",
    "CREATE PROCEDURE rec(n INT) BEGIN IF n > 0 THEN CALL rec(n - 1); END IF; END",
    "CREATE PROCEDURE fail() BEGIN SET @a = 1, @b = 2; INSERT INTO t VALUES (1,1); END",
    """CREATE PROCEDURE multi() BEGIN DECLARE a, b INT; SET a = 1, @m = 2, b = 3, @n = 4;
    l: BEGIN DECLARE EXIT HANDLER FOR SQLWARNING SET a = 2; IF a = 1 THEN LEAVE l; END IF; END; SELECT a INTO @k; END""",
    "CREATE FUNCTION sl(n DOUBLE) RETURNS INT DETERMINISTIC BEGIN DO SLEEP(n); RETURN 1; END",
    "CREATE PROCEDURE sp2() BEGIN DECLARE x INT; SET x = sl(60); END",
]


@pytest.fixture(scope="module")
def server():
    s = Server(options=["--performance-schema-consumer-events-statements-history-long", "--event-scheduler=ON"]).start()
    s.query("CREATE DATABASE d")
    with s.connect(database="d") as c, c.cursor() as cur:
        for sql in PROGRAMS:
            cur.execute(sql)
    yield s
    s.remove()


def rows(server, sql):
    with server.connect() as c, c.cursor(pymysql.cursors.DictCursor) as cur:
        cur.execute(sql)
        return list(cur.fetchall())


def run(server, c, sql, error=None):
    """The events of a statement, first the client's."""
    server.query(f"TRUNCATE TABLE {PS}events_statements_history_long")
    with c.cursor() as cur:
        if error:
            with pytest.raises(pymysql.err.MySQLError) as e:
                cur.execute(sql)
            assert e.value.args[0] == error
        else:
            cur.execute(sql)
            while cur.nextset():
                pass
    events = rows(server, f"SELECT * FROM {PS}events_statements_history_long WHERE THREAD_ID = {c.thread_id()} ORDER BY EVENT_ID")
    for e in events:
        assert e["EVENT_ID"] <= e["END_EVENT_ID"] and e["TIMER_END"] - e["TIMER_START"] == e["TIMER_WAIT"] >= 0
        inside = [i for i in events if e["EVENT_ID"] < i["EVENT_ID"] <= e["END_EVENT_ID"]]
        assert all(e["TIMER_START"] <= i["TIMER_START"] and i["TIMER_END"] <= e["TIMER_END"] for i in inside)
    return events


def short(events):
    """What stands still from run to run: level, in what (its place in the list), kind, text, program, error."""
    places = [e["EVENT_ID"] for e in events]
    out = []
    for e in events:
        within = e["NESTING_EVENT_TYPE"]
        if within == "STATEMENT":
            within = places.index(e["NESTING_EVENT_ID"])
        out.append((e["NESTING_EVENT_LEVEL"], within, e["EVENT_NAME"].removeprefix("statement/"), e["SQL_TEXT"], e["OBJECT_NAME"], e["MYSQL_ERRNO"]))
    return out


@pytest.fixture
def c(server):
    with server.connect(database="d") as c, c.cursor() as cur:
        cur.execute("SET max_sp_recursion_depth = 20")
        cur.execute("DELETE FROM t WHERE id > 3")
        yield c


def test_procedures(server, c):
    events = run(server, c, "CALL p(1)")
    assert short(events) == [
        (0, None, "sql/call_procedure", "CALL p(1)", None, 0),
        (1, 0, "sp/stmt", "SET @u = x", "p", 0),
        (1, 0, "sp/stmt", "SELECT a FROM t WHERE id = n", "p", 0),
        (1, 0, "sp/stmt", "SELECT COUNT(*) INTO y FROM t WHERE a > 5", "p", 0),
        (1, 0, "sp/stmt", "UPDATE t SET a = a + 1 WHERE id = n", "p", 0),
        (2, "TRANSACTION", "sp/stmt", "INSERT INTO log VALUES (NEW.a)", "ta", 0)]
    call, setting, select, into, update, trigger = events
    assert [(e["ROWS_AFFECTED"], e["ROWS_SENT"], e["SELECT_SCAN"], e["NO_INDEX_USED"]) for e in events] == [
        (1, 0, 0, 0), (0, 0, 0, 0), (0, 1, 0, 0), (1, 0, 1, 1), (1, 0, 0, 0), (1, 0, 0, 0)]
    assert [e["ROWS_EXAMINED"] for e in events] == [0, 0, 1, 3, 1, 0]
    assert {e["DIGEST"] for e in events[1:]} == {None} and call["DIGEST_TEXT"] == "CALL `p` (?)"
    assert {(e["OBJECT_TYPE"], e["OBJECT_SCHEMA"], e["CURRENT_SCHEMA"]) for e in events[1:5]} == {("PROCEDURE", "d", "d")}
    assert (trigger["OBJECT_TYPE"], update["MESSAGE_TEXT"]) == ("TRIGGER", "Rows matched: 1  Changed: 1  Warnings: 0")
    assert [e["RETURNED_SQLSTATE"] for e in events] == ["00000", "00000", None, "00000", "00000", "00000"]
    assert call["END_EVENT_ID"] >= trigger["EVENT_ID"] and update["END_EVENT_ID"] >= trigger["EVENT_ID"]
    assert short(run(server, c, "CALL w(2)")) == [(0, None, "sql/call_procedure", "CALL w(2)", None, 0)]
    assert short(run(server, c, "CALL cu()")) == [(0, None, "sql/call_procedure", "CALL cu()", None, 0), (1, 0, "sp/stmt", "SELECT s", "cu", 0)]
    assert short(run(server, c, "CALL multi()")) == [
        (0, None, "sql/call_procedure", "CALL multi()", None, 0), (1, 0, "sp/stmt", "SET @m = 2", "multi", 0), (1, 0, "sp/stmt", "SET @n = 4", "multi", 0),
        (1, 0, "sp/stmt", "SELECT a INTO @k", "multi", 0)]


def test_errors_and_handlers(server, c):
    server.query(f"TRUNCATE TABLE {PS}events_errors_summary_by_thread_by_error")
    assert short(run(server, c, "CALL h()")) == [
        (0, None, "sql/call_procedure", "CALL h()", None, 0), (1, 0, "sp/stmt", "SELECT * FROM nothing", "h", 1146), (1, 0, "sp/stmt", "SET @h = 1", "h", 0),
        (1, 0, "sp/stmt", "INSERT INTO t VALUES (1,1)", "h", 1062), (2, "TRANSACTION", "sp/stmt", "INSERT INTO log VALUES (NEW.id)", "tr", 0),
        (1, 0, "sp/stmt", "SELECT 'caught'", "h", 0)]
    events = run(server, c, "CALL fail()", error=1062)
    assert short(events) == [
        (0, None, "sql/call_procedure", "CALL fail()", None, 1062), (1, 0, "sp/stmt", "SET @a = 1", "fail", 0), (1, 0, "sp/stmt", "SET @b = 2", "fail", 0),
        (1, 0, "sp/stmt", "INSERT INTO t VALUES (1,1)", "fail", 1062), (2, "TRANSACTION", "sp/stmt", "INSERT INTO log VALUES (NEW.id)", "tr", 0)]
    assert [(e["ERRORS"], e["RETURNED_SQLSTATE"], e["MESSAGE_TEXT"]) for e in events if e["MYSQL_ERRNO"]] == [(1, "23000", "Duplicate entry '1' for key 't.PRIMARY'")] * 2
    run(server, c, "CALL cu()")
    run(server, c, "SELECT f(99)")
    told = rows(server, f"SELECT ERROR_NUMBER n, SUM_ERROR_RAISED r, SUM_ERROR_HANDLED h FROM {PS}events_errors_summary_by_thread_by_error WHERE THREAD_ID = {c.thread_id()} AND SUM_ERROR_RAISED + SUM_ERROR_HANDLED > 0")
    assert {(e["n"], e["r"], e["h"]) for e in told} == {(1062, 1, 1), (1146, 0, 1), (1329, 1, 1)}


def test_functions_triggers_and_what_they_are_in(server, c):
    sql = "SELECT f(id), g(2) FROM t WHERE id = 1"
    events = run(server, c, sql)
    assert short(events) == [(0, None, "sql/select", sql, None, 0), (1, "TRANSACTION", "sp/stmt", "SELECT a INTO r FROM t WHERE id = n", "f", 0)]
    assert events[0]["NESTING_EVENT_ID"] is None and events[0]["EVENT_ID"] < events[1]["NESTING_EVENT_ID"] < events[1]["EVENT_ID"]
    # what a function reads counts for who calls it, too
    assert [e["ROWS_EXAMINED"] for e in events] == [2, 1] and events[1]["OBJECT_TYPE"] == "FUNCTION"
    assert short(run(server, c, "INSERT INTO t VALUES (7, 7)"))[1:] == [(1, "TRANSACTION", "sp/stmt", "INSERT INTO log VALUES (NEW.id)", "tr", 0)]
    assert short(run(server, c, "CALL ou(2)")) == [
        (0, None, "sql/call_procedure", "CALL ou(2)", None, 0),
        (1, 0, "sp/stmt", "CALL p(n)", "ou", 0),
        (2, 1, "sp/stmt", "SET @u = x", "p", 0),
        (2, 1, "sp/stmt", "SELECT a FROM t WHERE id = n", "p", 0),
        (2, 1, "sp/stmt", "SELECT COUNT(*) INTO y FROM t WHERE a > 5", "p", 0),
        (2, 1, "sp/stmt", "UPDATE t SET a = a + 1 WHERE id = n", "p", 0),
        (3, "TRANSACTION", "sp/stmt", "INSERT INTO log VALUES (NEW.a)", "ta", 0),
        (1, 0, "sp/stmt", "SET @z = f(n) + g(n)", "ou", 0),
        # MySQL has it in a transaction that begins with the function's tables
        (2, 7, "sp/stmt", "SELECT a INTO r FROM t WHERE id = n", "f", 0),
        (1, 0, "sp/stmt", "SIGNAL SQLSTATE '01000' SET MESSAGE_TEXT='hi'", "ou", 0)]
    with c.cursor() as cur:
        cur.execute("BEGIN")
        events = run(server, c, "CALL p(2)")
        cur.execute("COMMIT")
    assert [e[:2] for e in short(events)] == [(0, "TRANSACTION"), (1, 0), (1, 0), (1, 0), (1, 0), (2, 4)]
    assert [e[:2] for e in short(run(server, c, "CALL ddl()"))] == [(0, None), (1, 0), (1, "TRANSACTION"), (1, "TRANSACTION")]


def test_prepared_statements_in_programs(server, c):
    text = "SELECT a FROM t WHERE id = ?"
    events = run(server, c, "CALL dy()")
    assert short(events) == [(0, None, "sql/call_procedure", "CALL dy()", None, 0), (1, 0, "sp/stmt", text, "dy", 0), (1, 0, "sp/stmt", "SET @i = 1", "dy", 0),
                             (1, 0, "sp/stmt", text, "dy", 0), (1, 0, "sp/stmt", text, "dy", 0)]
    assert (events[1]["MESSAGE_TEXT"], events[3]["ROWS_SENT"]) == ("Statement prepared", 1)


def test_too_deep(server, c):
    lost = lambda: int(rows(server, "SHOW GLOBAL STATUS LIKE 'Performance_schema_nested_statement_lost'")[0]["Value"])
    before = lost()
    assert [e[0] for e in short(run(server, c, "CALL rec(12)"))] == list(range(10))
    assert lost() - before == 3


def by_program(server, where="TRUE"):
    found = rows(server, f"SELECT OBJECT_TYPE t, OBJECT_NAME n, COUNT_STAR runs, COUNT_STATEMENTS statements, SUM_ERRORS e, SUM_WARNINGS w, SUM_ROWS_AFFECTED a, SUM_ROWS_SENT s, SUM_SELECT_SCAN scan FROM {PS}events_statements_summary_by_program WHERE OBJECT_SCHEMA = 'd' AND {where}")
    return {(r["t"], r["n"]): tuple(int(r[k]) for k in ("runs", "statements", "e", "w", "a", "s", "scan")) for r in found}


def test_sums_by_program(server, c):
    for t in ["events_statements_summary_by_program", "events_statements_summary_by_thread_by_event_name", "events_statements_summary_by_digest"]:
        server.query(f"TRUNCATE TABLE {PS}{t}")
    for sql in ["CALL p(1)", "CALL w(2)", "CALL ou(2)", "SELECT f(1), g(2)", "SELECT id FROM t WHERE g(id) > 2", "CALL dy()"]:
        run(server, c, sql)
    run(server, c, "CALL fail()", error=1062)
    threads = [threading.Thread(target=lambda: server.query("SELECT d.f(1)")) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    n = int(rows(server, "SELECT COUNT(*) n FROM d.t")[0]["n"])
    assert by_program(server, "OBJECT_NAME IN ('p', 'w', 'ou', 'f', 'g', 'dy', 'fail', 'tr', 'ta')") == {
        ("PROCEDURE", "p"): (2, 8, 0, 0, 4, 2, 2), ("PROCEDURE", "w"): (1, 0, 0, 0, 0, 0, 0), ("PROCEDURE", "ou"): (1, 3, 0, 1, 1, 0, 0), ("FUNCTION", "f"): (6, 6, 0, 0, 6, 0, 0),
        ("FUNCTION", "g"): (2 + n, 0, 0, 0, 0, 0, 0), ("PROCEDURE", "dy"): (1, 4, 0, 0, 0, 1, 0), ("PROCEDURE", "fail"): (1, 3, 1, 0, 0, 0, 0), ("TRIGGER", "tr"): (1, 1, 0, 0, 1, 0, 0), ("TRIGGER", "ta"): (2, 2, 0, 0, 2, 0, 0)}
    times = rows(server, f"SELECT SUM_TIMER_WAIT t, SUM_STATEMENTS_WAIT s, MIN_TIMER_WAIT mn, MAX_TIMER_WAIT mx FROM {PS}events_statements_summary_by_program WHERE OBJECT_NAME = 'p'")[0]
    assert 0 < times["s"] <= times["t"] and times["mn"] + times["mx"] == times["t"], "two runs"
    # statements of programs have no digest; the sums by kind have them as their own kind
    digests = {r["d"] for r in rows(server, f"SELECT DIGEST_TEXT d FROM {PS}events_statements_summary_by_digest")}
    assert "CALL `p` (?)" in digests and not any("`log`" in d or "INTO" in d for d in digests if d)
    kinds = {r["e"]: int(r["n"]) for r in rows(server, f"SELECT EVENT_NAME e, COUNT_STAR n FROM {PS}events_statements_summary_by_thread_by_event_name WHERE THREAD_ID = {c.thread_id()} AND COUNT_STAR > 0")}
    assert (kinds["statement/sp/stmt"], kinds["statement/sql/call_procedure"], kinds["statement/sql/select"]) == (23, 5, 2)
    with c.cursor() as cur:
        cur.execute("CREATE PROCEDURE gone() DO 1")
        cur.execute("CALL gone()")
        assert ("PROCEDURE", "gone") in by_program(server)
        cur.execute("DROP PROCEDURE gone")
        assert ("PROCEDURE", "gone") not in by_program(server)
    server.query(f"TRUNCATE TABLE {PS}events_statements_summary_by_program")
    assert by_program(server, "OBJECT_NAME = 'p'") == {("PROCEDURE", "p"): (0,) * 7}
    server.query(f"INSERT INTO {PS}setup_objects VALUES ('PROCEDURE', 'd', 'w', 'NO', 'NO')")
    run(server, c, "CALL w(1)")
    run(server, c, "CALL cu()")
    counted = by_program(server)
    assert ("PROCEDURE", "w") not in counted and counted[("PROCEDURE", "cu")][:2] == (1, 1)
    server.query(f"DELETE FROM {PS}setup_objects WHERE OBJECT_NAME = 'w'")


def test_all_steps_when_asked_for(server, c):
    def kinds(sql):
        events = run(server, c, sql)
        assert [e["EVENT_ID"] for e in events] == sorted({e["EVENT_ID"] for e in events})
        out = {}
        for e in events[1:]:
            k = e["EVENT_NAME"].removeprefix("statement/sp/")
            out[k] = out.get(k, 0) + 1
        return out
    server.query(f"UPDATE {PS}setup_instruments SET ENABLED = 'YES', TIMED = 'YES' WHERE NAME LIKE 'statement/sp/%'")
    try:
        assert kinds("CALL w(2)") == W2
        assert kinds("CALL cu()") == CU
        assert kinds("CALL multi()") == MULTI
        assert kinds("CALL h()") == H
        assert kinds("SELECT g(1)") == {"freturn": 1}
        assert kinds("INSERT INTO t VALUES (8, 8)") == {"set_trigger_field": 1, "stmt": 1}
        server.query(f"TRUNCATE TABLE {PS}events_statements_summary_by_thread_by_event_name")
        server.query(f"TRUNCATE TABLE {PS}events_statements_summary_by_program")
        # more steps than a batch has
        run(server, c, "CALL w(300)")
        sums = {r["e"]: int(r["n"]) for r in rows(server, f"SELECT EVENT_NAME e, COUNT_STAR n FROM {PS}events_statements_summary_by_thread_by_event_name WHERE THREAD_ID = {c.thread_id()} AND EVENT_NAME LIKE 'statement/sp/%' AND COUNT_STAR > 0")}
        assert sums == {f"statement/sp/{k}": n for k, n in w_steps(300).items()}
        program = rows(server, f"SELECT COUNT_STATEMENTS n, SUM_STATEMENTS_WAIT s, SUM_TIMER_WAIT t FROM {PS}events_statements_summary_by_program WHERE OBJECT_NAME = 'w'")[0]
        assert program["n"] == sum(w_steps(300).values()) and 0 < program["s"] <= program["t"]
    finally:
        server.query(f"UPDATE {PS}setup_instruments SET ENABLED = 'NO', TIMED = 'NO' WHERE NAME LIKE 'statement/sp/%' AND NAME <> 'statement/sp/stmt'")


def w_steps(n):
    """The steps of w(n), counted by hand: the variable, three loops, and LEAVE; what jumps to a jump goes on at once."""
    up, down, again = n, n, 3
    return {"set": 1 + up + down + again, "jump_if_not": up + 1 + down + again, "jump": up + 1}


# as MySQL 9.7 counts them
W2 = {"jump": 3, "jump_if_not": 8, "set": 8}
CU = {"cclose": 1, "cfetch": 4, "copen": 1, "cpop": 1, "cpush": 1, "hpop": 1, "hpush_jump": 1, "hreturn": 1, "jump": 4, "jump_if_not": 4, "set": 7, "stmt": 1}
MULTI = {"hpop": 1, "hpush_jump": 1, "jump": 1, "jump_if_not": 1, "set": 4, "stmt": 3}
H = {"hpop": 2, "hpush_jump": 2, "hreturn": 2, "set_trigger_field": 1, "stmt": 5}


def test_what_runs_now(server, c):
    def go():
        with server.connect(database="d") as other, other.cursor() as cur:
            ids.append(other.thread_id())
            with pytest.raises(pymysql.err.MySQLError):
                cur.execute("CALL sp2()")
    ids = []
    t = threading.Thread(target=go)
    t.start()
    until(lambda: ids and any(r["Id"] == ids[0] and r["Info"] == "DO SLEEP(n)" for r in rows(server, "SHOW FULL PROCESSLIST")))
    now = rows(server, f"SELECT * FROM {PS}events_statements_current WHERE THREAD_ID = {ids[0]} ORDER BY EVENT_ID")
    assert [e[:5] for e in short(now)] == [(0, None, "sql/call_procedure", "CALL sp2()", None), (1, 0, "sp/stmt", "DO SLEEP(n)", "sl")]
    assert all(e["END_EVENT_ID"] is None for e in now)
    for table in ["performance_schema.processlist", "information_schema.PROCESSLIST"]:
        assert rows(server, f"SELECT INFO i, STATE s FROM {table} WHERE ID = {ids[0]}") == [{"i": "DO SLEEP(n)", "s": "User sleep"}]
    assert rows(server, f"SELECT PROCESSLIST_INFO i FROM {PS}threads WHERE PROCESSLIST_ID = {ids[0]}") == [{"i": "DO SLEEP(n)"}]
    server.query(f"KILL {ids[0]}")
    t.join()


def test_runs_of_events(server, c):
    scheduler = rows(server, f"SELECT NAME, TYPE, PROCESSLIST_USER u, INSTRUMENTED i, HISTORY h FROM {PS}threads WHERE NAME LIKE '%event_scheduler%'")
    assert scheduler == [{"NAME": "thread/sql/event_scheduler", "TYPE": "FOREGROUND", "u": "event_scheduler", "i": "YES", "h": "YES"}]
    server.query(f"TRUNCATE TABLE {PS}events_statements_history_long")
    with c.cursor() as cur:
        cur.execute("CREATE EVENT e ON SCHEDULE AT NOW() + INTERVAL 1 SECOND DO BEGIN INSERT INTO d.log VALUES (42); DO SLEEP(2); END")
    until(lambda: rows(server, f"SELECT 1 FROM {PS}threads WHERE NAME = 'thread/sql/event_worker'"))
    worker = rows(server, f"SELECT THREAD_ID t, TYPE, INSTRUMENTED i FROM {PS}threads WHERE NAME = 'thread/sql/event_worker'")[0]
    assert (worker["TYPE"], worker["i"]) == ("FOREGROUND", "YES")
    until(lambda: any(e["EVENT_NAME"] == "statement/sp/stmt" for e in rows(server, f"SELECT EVENT_NAME FROM {PS}events_statements_current WHERE THREAD_ID = {worker['t']}")))
    ended = lambda: rows(server, f"SELECT * FROM {PS}events_statements_history_long WHERE THREAD_ID = {worker['t']} ORDER BY EVENT_ID")
    until(lambda: any(e["EVENT_NAME"] == "statement/scheduler/event" for e in ended()))
    assert short(ended()) == [(0, None, "scheduler/event", None, None, 0), (1, 0, "sp/stmt", "INSERT INTO d.log VALUES (42)", "e", 0), (1, 0, "sp/stmt", "DO SLEEP(2)", "e", 0)]
    assert {e["OBJECT_TYPE"] for e in ended()[1:]} == {"EVENT"} and {e["CURRENT_SCHEMA"] for e in ended()} == {"d"}
