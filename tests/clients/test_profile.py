"""SHOW PROFILES, SHOW PROFILE and information_schema.PROFILING: the stages of a session's last statements, with time and what the thread used."""
from decimal import Decimal

import pymysql
import pytest

from lib.servers import Server


@pytest.fixture(scope="module")
def server():
    s = Server().start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE d.t (a INT PRIMARY KEY, b INT)")
    s.query("INSERT INTO d.t VALUES (1,3),(2,2),(3,1)")
    yield s
    s.remove()


def ask(conn, sql):
    with conn.cursor() as c:
        c.execute(sql)
        return c.fetchall()


def columns(conn, sql):
    with conn.cursor() as c:
        c.execute(sql)
        return [d[0] for d in c.description]


def test_profiles_of_the_last_statements(server):
    with server.connect(database="d") as c:
        assert ask(c, "SHOW PROFILES") == () and ask(c, "SHOW PROFILE") == ()
        ask(c, "SET profiling = 1")
        assert [w[1] for w in ask(c, "SHOW WARNINGS")] == [1287]
        ask(c, "SELECT SLEEP(0.1), 'one'")
        ask(c, "INSERT INTO t VALUES (4, 4)")
        with pytest.raises(pymysql.MySQLError):
            ask(c, "SELEC")
        with pytest.raises(pymysql.MySQLError):
            ask(c, "INSERT INTO t VALUES (4, 4)")
        ask(c, "CREATE USER IF NOT EXISTS hidden IDENTIFIED BY 'much too secret'")
        ask(c, "SELECT * FROM t ORDER BY b")
        profiles = ask(c, "SHOW PROFILES")
        texts = [p[2] for p in profiles]
        assert texts[:2] == ["SHOW WARNINGS", "SELECT SLEEP(0.1), 'one'"] and "secret'" not in str(texts)
        assert [p[0] for p in profiles] == list(range(1, len(profiles) + 1)) and len(profiles) == 7
        assert 0.1 <= profiles[1][1] < 60 and all(p[1] > 0 for p in profiles)
        # the last one, and one by its number
        assert columns(c, "SHOW PROFILE") == ["Status", "Duration"]
        last = ask(c, "SHOW PROFILE")
        assert [s for s, _ in last][0] == "starting" and "Creating sort index" in [s for s, _ in last], last
        assert ask(c, "SHOW PROFILE FOR QUERY 7") == last
        insert = [s for s, _ in ask(c, "SHOW PROFILE FOR QUERY 3")]
        assert insert[0] == "starting" and "update" in insert and "waiting for handler commit" in insert, insert
        slept = dict(ask(c, "SHOW PROFILE FOR QUERY 2"))
        assert slept["User sleep"] >= Decimal("0.1")
        assert ask(c, "SHOW PROFILE FOR QUERY 99") == ()
        # SHOW PROFILE itself is no statement of the list
        assert len(ask(c, "SHOW PROFILES")) == 7
        # the table says the same
        rows = ask(c, "SELECT QUERY_ID, SEQ, STATE, DURATION FROM information_schema.PROFILING WHERE QUERY_ID = 2 ORDER BY SEQ")
        assert [(s, d) for _, _, s, d in rows] == list(ask(c, "SHOW PROFILE FOR QUERY 2")) and [r[1] for r in rows] == list(range(2, 2 + len(rows)))
        assert abs(float(sum(r[3] for r in rows)) - profiles[1][1]) < 1e-5


def test_columns_of_resources(server):
    with server.connect(database="d") as c:
        ask(c, "SET profiling = 1")
        ask(c, "SELECT BENCHMARK(300000, SHA2('x', 512))")
        names = {"CPU": ["CPU_user", "CPU_system"], "CONTEXT SWITCHES": ["Context_voluntary", "Context_involuntary"], "BLOCK IO": ["Block_ops_in", "Block_ops_out"],
                 "IPC": ["Messages_sent", "Messages_received"], "PAGE FAULTS": ["Page_faults_major", "Page_faults_minor"], "SWAPS": ["Swaps"],
                 "SOURCE": ["Source_function", "Source_file", "Source_line"], "MEMORY": []}
        both = ["Status", "Duration"]
        for word, own in names.items():
            assert columns(c, f"SHOW PROFILE {word}") == both + own
        everything = both + sum(names.values(), [])
        assert columns(c, "SHOW PROFILE ALL") == everything
        assert columns(c, "SHOW PROFILE SWAPS, CPU FOR QUERY 1 LIMIT 2") == both + names["CPU"] + names["SWAPS"]
        assert len(ask(c, "SHOW PROFILE CPU LIMIT 1")) == 1
        assert ask(c, "SHOW PROFILE LIMIT 1 OFFSET 1") == ask(c, "SHOW PROFILE")[1:2]
        rows = {r[0]: dict(zip(everything, r)) for r in ask(c, "SHOW PROFILE ALL FOR QUERY 1")}
        # CPU time was used, and no more of it than time passed (clocks tick apart)
        e = rows["executing"]
        assert 0 < e["CPU_user"] + e["CPU_system"] <= e["Duration"] + Decimal("0.02"), e
        assert e["Source_file"] is None


def test_history_size_and_switch(server):
    with server.connect(database="d") as c:
        ask(c, "SET profiling = 1, profiling_history_size = 2")
        for n in range(4):
            ask(c, f"SELECT {n}")
        assert [(p[0], p[2]) for p in ask(c, "SHOW PROFILES")] == [(3, "SELECT 2"), (4, "SELECT 3")]
        ask(c, "SET profiling = 0")
        ask(c, "SELECT 'not profiled'")
        assert [p[0] for p in ask(c, "SHOW PROFILES")] == [3, 4]
        with server.connect() as other:
            assert ask(other, "SELECT * FROM information_schema.PROFILING") == (), "each session has its own"
        ask(c, "SET profiling_history_size = 101")
        assert ask(c, "SELECT @@profiling_history_size") == ((100,),)
        assert ask(c, "SELECT @@have_profiling") == (("YES",),)


def test_prepared_statements_and_no_performance_schema():
    s = Server(options=["--performance-schema=OFF"]).start()
    try:
        with s.connect() as c:
            ask(c, "SET profiling = 1")
            ask(c, "PREPARE p FROM 'SELECT SLEEP(0.05) + ?'")
            ask(c, "SET @a = 1")
            ask(c, "EXECUTE p USING @a")
            assert "User sleep" in [s for s, _ in ask(c, "SHOW PROFILE")]
            assert ask(c, "SHOW PROFILES")[-1][2] == "EXECUTE p USING @a"
    finally:
        s.remove()
