"""performance_schema's setup tables: what UPDATE, INSERT and DELETE of them switch, at once and for whom; start options."""
import pymysql
import pytest

from lib.servers import Server

PS = "performance_schema."
SUMS = PS + "events_statements_summary_by_thread_by_event_name"


@pytest.fixture(scope="module")
def server():
    s = Server(options=["--performance-schema-instrument=stage/sql/%=COUNTED", "--performance-schema-instrument=stage/sql/User sleep=OFF",
                        "--performance-schema-consumer-events-statements-history-long=ON", "--performance-schema-consumer-events-stages-current"]).start()
    yield s
    s.remove()


@pytest.fixture
def c(server):
    with server.connect() as c, c.cursor() as cur:
        cur.execute("USE performance_schema")
        yield cur


def code(cur, sql):
    try:
        cur.execute(sql)
    except pymysql.err.MySQLError as e:
        return e.args[0]
    return None


def all_of(cur, sql):
    cur.execute(sql)
    return list(cur.fetchall())


def counted(cur, kind, thread="PS_CURRENT_THREAD_ID()"):
    return all_of(cur, f"SELECT COUNT_STAR FROM {SUMS} WHERE EVENT_NAME = '{kind}' AND THREAD_ID = CONNECTION_ID()")[0][0]


# Statement and what MySQL 9.7 answered: rows changed, or the error.
ANSWERS = [
    ("UPDATE setup_instruments SET NAME = 'x' WHERE NAME = 'idle'", 1683),
    ("UPDATE setup_instruments SET NOPE = 'x'", 1054),
    ("UPDATE setup_instruments SET ENABLED = 'NO', TIMED = 'NO' WHERE NAME = 'statement/sql/do'", (1,)),
    ("UPDATE setup_instruments SET ENABLED = 'NO' WHERE NAME = 'statement/sql/do'", (0,)),
    ("UPDATE setup_instruments SET ENABLED = 2 WHERE NAME = 'statement/sql/do'", (0,)),
    ("UPDATE setup_instruments SET ENABLED = 'maybe' WHERE NAME = 'statement/sql/do'", 1265),
    ("UPDATE setup_instruments SET ENABLED = 'YES', TIMED = 'YES' WHERE NAME LIKE 'statement/sql/d_' LIMIT 1", (1,)),
    ("INSERT INTO setup_instruments VALUES ('a', 'YES', 'YES', '', '', 0, '')", 1142),
    ("DELETE FROM setup_instruments", 1142),
    ("TRUNCATE TABLE setup_instruments", 1142),
    ("UPDATE setup_consumers SET ENABLED = 'NO' WHERE NAME = 'nope'", (0,)),
    ("UPDATE setup_consumers SET NAME = 'a'", 1683),
    ("INSERT INTO setup_actors VALUES ('h', 'u', '%', 'YES', 'NO')", (1,)),
    ("INSERT INTO setup_actors VALUES ('h', 'u', '%', 'YES', 'NO')", 1022),
    ("INSERT INTO setup_actors (HOST, USER) VALUES (CONCAT('h', 2), 'u2'), (DEFAULT, 'u3')", (2,)),
    ("UPDATE setup_actors SET HISTORY = 'NO' WHERE USER = 'u2'", (1,)),
    ("UPDATE setup_actors SET USER = 'u9' WHERE USER = 'u2'", 1683),
    ("DELETE FROM setup_actors WHERE USER LIKE 'u%' ORDER BY USER LIMIT 2", (2,)),
    ("DELETE FROM setup_actors WHERE USER = 'u3'", (1,)),
    ("UPDATE threads SET NAME = 'x' WHERE PROCESSLIST_ID = CONNECTION_ID()", 1683),
    ("UPDATE threads SET INSTRUMENTED = 'NO' WHERE PROCESSLIST_ID = CONNECTION_ID()", (1,)),
    ("UPDATE threads SET INSTRUMENTED = 'YES' WHERE PROCESSLIST_ID = CONNECTION_ID()", (1,)),
]


def test_answers(c):
    for sql, want in ANSWERS:
        got = code(c, sql)
        assert got == (want if isinstance(want, int) else None), sql
        if not isinstance(want, int):
            assert c.rowcount == want[0], sql
    assert all_of(c, "SELECT * FROM setup_actors") == [("%", "%", "%", "YES", "YES")]


def test_an_instrument_is_switched_at_once(c):
    c.execute("DO 1")
    before = counted(c, "statement/sql/do")
    c.execute("UPDATE setup_instruments SET ENABLED = 'NO' WHERE NAME = 'statement/sql/do'")
    c.execute("DO 2")
    assert counted(c, "statement/sql/do") == before
    assert not all_of(c, "SELECT 1 FROM events_statements_history WHERE THREAD_ID = CONNECTION_ID() AND SQL_TEXT = 'DO 2'")
    c.execute("UPDATE setup_instruments SET ENABLED = 'YES', TIMED = 'NO' WHERE NAME = 'statement/sql/do'")
    c.execute("DO 3")
    assert counted(c, "statement/sql/do") == before + 1
    assert all_of(c, "SELECT TIMER_WAIT FROM events_statements_history WHERE THREAD_ID = CONNECTION_ID() AND SQL_TEXT = 'DO 3'") == [(None,)]
    c.execute("UPDATE setup_instruments SET TIMED = 'YES' WHERE NAME = 'statement/sql/do'")


@pytest.mark.parametrize("consumer, stops", [
    ("global_instrumentation", {"sums", "history", "digest"}), ("thread_instrumentation", {"sums", "history"}),
    ("events_statements_current", {"history"}), ("events_statements_history", {"history"}), ("statements_digest", {"digest"}),
])
def test_a_consumer_is_switched_at_once(c, consumer, stops):
    digest = "SELECT COUNT_STAR FROM events_statements_summary_by_digest WHERE DIGEST_TEXT = 'DO ( ? + ? )'"
    history = "SELECT COUNT(*) FROM events_statements_history WHERE THREAD_ID = CONNECTION_ID() AND SQL_TEXT LIKE 'DO (%'"

    def now():
        return {"sums": counted(c, "statement/sql/do"), "history": all_of(c, history)[0][0], "digest": sum(n for n, in all_of(c, digest))}
    c.execute("DO (1 + 1)")
    before = now()
    c.execute(f"UPDATE setup_consumers SET ENABLED = 'NO' WHERE NAME = '{consumer}'")
    try:
        c.execute("DO (2 + 2)")
        c.execute("TRUNCATE TABLE events_statements_history")  # so that ten statements do not hide it
    finally:
        c.execute(f"UPDATE setup_consumers SET ENABLED = 'YES' WHERE NAME = '{consumer}'")
    c.execute("DO (3 + 3)")
    after = now()
    assert after["history"] == 1
    assert {k for k in ("sums", "digest") if after[k] == before[k] + 1} == stops & {"sums", "digest"}
    assert {k for k in ("sums", "digest") if after[k] == before[k] + 2} == {"sums", "digest"} - stops


def test_actors_decide_at_login(server, c):
    server.query("CREATE USER IF NOT EXISTS seen, unseen, nohist")
    server.query("GRANT SELECT ON performance_schema.* TO seen, unseen, nohist")
    c.execute("INSERT INTO setup_actors VALUES ('%', 'unseen', '%', 'NO', 'NO'), ('%', 'nohist', '%', 'YES', 'NO')")
    try:
        for user, want in [("seen", ("YES", "YES", 1, 1)), ("unseen", ("NO", "NO", 0, 0)), ("nohist", ("YES", "NO", 1, 0))]:
            with server.connect(user=user) as other, other.cursor() as cur:
                flags = all_of(cur, f"SELECT INSTRUMENTED, HISTORY FROM {PS}threads WHERE PROCESSLIST_ID = CONNECTION_ID()")[0]
                cur.execute("DO 'who am I'")
                kept = all_of(c, f"SELECT COUNT(*) FROM events_statements_history WHERE THREAD_ID = {other.thread_id()} AND SQL_TEXT LIKE 'DO %'")[0][0]
                sums = all_of(c, f"SELECT COUNT_STAR FROM {SUMS} WHERE THREAD_ID = {other.thread_id()} AND EVENT_NAME = 'statement/sql/do'")[0][0]
                assert (*flags, sums, kept) == want, user
                c.execute(f"UPDATE threads SET INSTRUMENTED = 'YES', HISTORY = 'YES' WHERE PROCESSLIST_ID = {other.thread_id()}")
                cur.execute("DO 'now'")
                assert all_of(c, f"SELECT COUNT(*) FROM events_statements_history WHERE THREAD_ID = {other.thread_id()} AND SQL_TEXT = 'DO ''now'''")[0][0] == 1
    finally:
        c.execute("DELETE FROM setup_actors WHERE USER <> '%'")
        server.query("DROP USER seen, unseen, nohist")


def test_who_may(server, c):
    server.query("CREATE USER small")
    server.query("GRANT SELECT ON performance_schema.* TO small")
    with server.connect(user="small") as other, other.cursor() as cur:
        for sql in ["UPDATE performance_schema.setup_consumers SET ENABLED = 'NO'", "DELETE FROM performance_schema.setup_actors",
                    "INSERT INTO performance_schema.setup_actors VALUES ('%', 'x', '%', 'NO', 'NO')", "TRUNCATE performance_schema.setup_actors"]:
            assert code(cur, sql) == 1142, sql
        server.query("GRANT UPDATE ON performance_schema.setup_consumers TO small")
        assert code(cur, "UPDATE performance_schema.setup_consumers SET ENABLED = 'NO' WHERE NAME = 'events_waits_current'") is None
        assert code(cur, "UPDATE performance_schema.setup_consumers SET ENABLED = (SELECT authentication_string FROM mysql.user LIMIT 1)") in (1142, 1143)
    server.query("REVOKE SELECT ON performance_schema.* FROM small")
    with server.connect(user="small") as other, other.cursor() as cur:
        # a column that is only read needs SELECT
        assert code(cur, "UPDATE performance_schema.setup_consumers SET ENABLED = 'NO' WHERE NAME = 'x'") in (1142, 1143)
    server.query("DROP USER small")


def test_options(server, c):
    stages = dict((n, (e, t)) for n, e, t in all_of(c, "SELECT NAME, ENABLED, TIMED FROM setup_instruments WHERE NAME LIKE 'stage/sql/%'"))
    assert stages.pop("stage/sql/User sleep") == ("NO", "NO")
    assert set(stages.values()) == {("YES", "NO")}
    on = dict(all_of(c, "SELECT * FROM setup_consumers"))
    assert (on["events_statements_history_long"], on["events_stages_current"], on["events_stages_history"]) == ("YES", "YES", "NO")


def test_switched_off():
    s = Server(options=["--performance-schema=OFF"]).start()
    try:
        for table in ["setup_instruments", "setup_consumers", "setup_actors", "events_statements_history", "events_statements_current"]:
            assert s.query(f"SELECT * FROM {PS}{table}") == (), table
        assert s.query(f"SELECT SUM(COUNT_STAR) FROM {PS}events_statements_summary_global_by_event_name")[0][0] in (0, None)
    finally:
        s.remove()


def test_setup_objects(c):
    rows = all_of(c, "SELECT * FROM setup_objects")
    assert len(rows) == 20 and ("TABLE", "%", "%", "YES", "YES") in rows and ("TRIGGER", "mysql", "%", "NO", "NO") in rows
    answers = [
        ("UPDATE setup_objects SET OBJECT_TYPE = 'EVENT'", 1683),
        ("INSERT INTO setup_objects SELECT * FROM setup_objects LIMIT 1", 1022),
        ("INSERT INTO setup_objects VALUES ('TABLE', 'x', 'y', 'YES', NULL)", 1048),
        ("INSERT INTO setup_objects VALUES ('VIEW', 'x', 'y', 'YES', 'NO')", 1265),
        ("INSERT INTO setup_objects (OBJECT_SCHEMA) VALUES ('zz')", 1),
        ("UPDATE setup_objects SET TIMED = 'NO' WHERE OBJECT_SCHEMA = 'zz'", 1),
        ("INSERT INTO setup_objects (OBJECT_TYPE, OBJECT_SCHEMA, ENABLED) SELECT OBJECT_TYPE, 'copy', TIMED FROM setup_objects WHERE OBJECT_SCHEMA = 'zz'", 1),
    ]
    for sql, want in answers:
        got = code(c, sql)
        assert got == want if want > 1000 else (got, c.rowcount) == (None, want), sql
    assert all_of(c, "SELECT * FROM setup_objects WHERE OBJECT_SCHEMA IN ('zz', 'copy') ORDER BY 2") == [("TABLE", "copy", "%", "NO", "YES"), ("TABLE", "zz", "%", "YES", "NO")]
    c.execute("DELETE FROM setup_objects WHERE OBJECT_SCHEMA IN ('zz', 'copy')")
    assert c.rowcount == 2
    assert code(c, "TRUNCATE TABLE setup_objects") is None and all_of(c, "SELECT * FROM setup_objects") == []
    for row in rows:
        c.execute("INSERT INTO setup_objects VALUES (%s, %s, %s, %s, %s)", row)
    assert all_of(c, "SELECT * FROM setup_objects") == rows


def test_setup_threads(server, c):
    assert code(c, "DELETE FROM setup_threads") == 1142 and code(c, "TRUNCATE TABLE setup_threads") == 1142
    assert code(c, "UPDATE setup_threads SET PROPERTIES = ''") == 1683
    names = {r[0] for r in all_of(c, "SELECT NAME FROM setup_threads")}
    assert {"thread/sql/main", "thread/sql/one_connection", "thread/innodb/srv_purge_thread"} <= names
    # the event scheduler is a session of the server's own and not recorded yet (docs/instruments.md)
    running = all_of(c, "SELECT NAME, TYPE, INSTRUMENTED FROM threads WHERE PROCESSLIST_USER IS NULL OR PROCESSLIST_USER <> 'event_scheduler'")
    assert all(instrumented == "YES" for _, _, instrumented in running) and {r[0] for r in running} <= names
    # a session is setup_actors' matter, whatever its class says
    c.execute("UPDATE setup_threads SET ENABLED = 'NO' WHERE NAME = 'thread/sql/one_connection'")
    with server.connect() as other, other.cursor() as cur:
        assert all_of(cur, "SELECT INSTRUMENTED FROM performance_schema.threads WHERE PROCESSLIST_ID = CONNECTION_ID()") == [("YES",)]
    c.execute("UPDATE setup_threads SET ENABLED = 'YES' WHERE NAME = 'thread/sql/one_connection'")
    # one of the server's threads: what it does to files counts no longer
    purge = "thread/innodb/page_flush_coordinator_thread"
    c.execute(f"UPDATE threads SET INSTRUMENTED = 'NO' WHERE NAME = '{purge}'")
    assert c.rowcount == 1 and all_of(c, f"SELECT INSTRUMENTED, HISTORY FROM threads WHERE NAME = '{purge}'") == [("NO", "YES")]
    c.execute(f"UPDATE threads SET INSTRUMENTED = 'YES' WHERE NAME = '{purge}'")


def test_prepared_statements_change_setup_tables(server):
    with server.connect(database="performance_schema") as con, con.cursor() as cur:
        cur.execute("PREPARE s FROM 'UPDATE setup_instruments SET ENABLED = ?, TIMED = ? WHERE NAME = ?'")
        for on in ("NO", "YES"):
            cur.execute("SET @on = %s, @name = 'statement/sql/do'", (on,))
            cur.execute("EXECUTE s USING @on, @on, @name")
            assert cur.rowcount == 1
            assert all_of(cur, "SELECT ENABLED, TIMED FROM setup_instruments WHERE NAME = 'statement/sql/do'") == [(on, on)]
        cur.execute("SET @who = 'prep'")
        cur.execute("PREPARE s FROM 'INSERT INTO setup_actors (HOST, USER) VALUES (?, ?)'")
        cur.execute("EXECUTE s USING @who, @who")
        cur.execute("PREPARE s FROM 'DELETE FROM setup_actors WHERE USER = ?'")
        cur.execute("EXECUTE s USING @who")
        assert cur.rowcount == 1
