"""Memory by area and by session, processor time and the most memory of statements."""
import pytest

from lib.servers import Server
from lib.wait import until

PS = "performance_schema."


@pytest.fixture(scope="module")
def server():
    s = Server(options=["--innodb-buffer-pool-size=64M"]).start()
    yield s
    s.remove()


@pytest.fixture
def c(server):
    with server.connect() as c, c.cursor() as cur:
        yield cur


def all_of(c, sql):
    c.execute(sql)
    return list(c.fetchall())


def test_areas(server, c):
    used = lambda: dict(all_of(c, f"SELECT event_name, current_number_of_bytes_used FROM {PS}memory_summary_global_by_event_name"))
    first = used()
    assert first["memory/innodb/buf_buf_pool"] == 64 << 20
    assert first["memory/innodb/log_buffer_memory"] == min(int(all_of(c, "SELECT @@innodb_log_buffer_size")[0][0]), 16 << 20)
    c.execute("SET @x = REPEAT('x', 100000)")
    assert used()["memory/sql/user_var_entry::value"] - first["memory/sql/user_var_entry::value"] == 100_001
    mine = all_of(c, f"SELECT current_count_used, current_number_of_bytes_used, high_number_of_bytes_used FROM {PS}memory_summary_by_thread_by_event_name WHERE thread_id = PS_CURRENT_THREAD_ID() AND event_name LIKE '%user_var%'")
    assert mine == [(1, 100_001, 100_001)]
    for table, where in [("account", "user = 'root' AND host = 'localhost'"), ("user", "user = 'root'"), ("host", "host = 'localhost'")]:
        assert all_of(c, f"SELECT current_number_of_bytes_used >= 100001 FROM {PS}memory_summary_by_{table}_by_event_name WHERE {where} AND event_name LIKE '%user_var%'") == [(1,)]
    c.execute("PREPARE s FROM 'SELECT 12345'")
    c.execute(f"UPDATE {PS}setup_instruments SET ENABLED = 'NO' WHERE NAME = 'memory/innodb/buf_buf_pool'")
    assert "memory/innodb/buf_buf_pool" not in used()
    c.execute(f"UPDATE {PS}setup_instruments SET ENABLED = 'YES' WHERE NAME = 'memory/innodb/buf_buf_pool'")
    assert all_of(c, f"SELECT TIMED FROM {PS}setup_instruments WHERE NAME LIKE 'memory/%' LIMIT 1") == [(None,)]


def test_areas_of_the_server(server, c):
    used = lambda: dict(all_of(c, f"SELECT event_name, current_number_of_bytes_used FROM {PS}memory_summary_global_by_event_name"))
    for _ in range(12):  # sums are made when entries are counted
        c.execute("DO 1")
    first = used()
    for area in ["sql/dd::objects", "performance_schema/events_statements_history", "performance_schema/events_statements_summary_by_digest", "performance_schema/events_statements_summary_by_thread_by_event_name"]:
        assert first[f"memory/{area}"] > 0, area
    for area in ["setup_actors", "setup_objects", "session_connect_attrs", "events_transactions_history", "events_transactions_summary_by_thread_by_event_name", "events_errors_summary_by_account_by_error"]:
        assert f"memory/performance_schema/{area}" in first, area
    objects = first["memory/performance_schema/setup_objects"]
    c.execute(f"INSERT INTO {PS}setup_objects VALUES ('TABLE', 'd', '%', 'NO', 'NO')")
    assert used()["memory/performance_schema/setup_objects"] > objects > 0
    c.execute(f"DELETE FROM {PS}setup_objects WHERE OBJECT_SCHEMA = 'd'")
    kept = used()["memory/performance_schema/events_statements_summary_by_account_by_event_name"]
    with server.connect(user="root") as other, other.cursor() as o:
        for _ in range(12):
            o.execute("DO 2")
    until(lambda: used()["memory/performance_schema/events_statements_summary_by_account_by_event_name"] > kept or kept > 0)
    for what in ("stages", "waits"):
        c.execute(f"UPDATE {PS}setup_consumers SET ENABLED = 'YES' WHERE NAME LIKE 'events_{what}%'")
        c.execute(f"UPDATE {PS}setup_instruments SET ENABLED = 'YES' WHERE NAME LIKE '{what[:-1]}/%'")
    c.execute("SELECT SLEEP(0.01)")
    assert used()["memory/performance_schema/events_stages_history"] > 0
    c.execute("CALL sys.ps_setup_reset_to_default(FALSE)")
    assert first["memory/performance_schema/events_statements_history_long"] == 0, "until it is switched on"
    c.execute("CREATE DATABASE m")
    c.execute("CREATE TABLE m.t (id INT PRIMARY KEY, a INT)")
    c.execute("INSERT INTO m.t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900) SELECT i, i FROM n")
    for n in range(30):
        c.execute(f"SELECT {', '.join(['a'] * (n + 2))} FROM m.t LIMIT 1")
    c.execute("CREATE PROCEDURE m.p() BEGIN " + " ".join(f"SET @x = {n};" for n in range(200)) + " END")
    before = used()
    assert before["memory/sql/dd::objects"] > first["memory/sql/dd::objects"]
    assert before["memory/performance_schema/events_statements_summary_by_digest"] > first["memory/performance_schema/events_statements_summary_by_digest"]
    c.execute("CALL m.p()")
    assert used()["memory/sql/sp_head::main_mem_root"] > before["memory/sql/sp_head::main_mem_root"] + 1000
    c.execute("BEGIN")
    c.execute("SELECT * FROM m.t FOR UPDATE")
    c.fetchall()
    assert used()["memory/innodb/lock0lock"] > 0
    c.execute("ROLLBACK")


def last(c, columns):
    return all_of(c, f"SELECT {columns} FROM {PS}events_statements_history WHERE thread_id = PS_CURRENT_THREAD_ID() ORDER BY event_id DESC LIMIT 1")[0]


def test_processor_time_and_memory_of_statements(c):
    busy = "SELECT BENCHMARK(300000, SHA2('x', 512))"
    c.execute(busy)
    assert last(c, "cpu_time") == (0,), "without its consumer"
    c.execute(f"UPDATE {PS}setup_consumers SET ENABLED = 'YES' WHERE NAME = 'events_statements_cpu'")
    c.execute(busy)
    cpu, wait = last(c, "cpu_time, timer_wait")
    assert 0 < cpu <= wait * 1.05
    assert all_of(c, f"SELECT SUM(sum_cpu_time) > 0 FROM {PS}events_statements_summary_by_digest WHERE digest_text LIKE '%BENCHMARK%'") == [(1,)]
    c.execute(f"UPDATE {PS}setup_consumers SET ENABLED = 'NO' WHERE NAME = 'events_statements_cpu'")
    c.execute("SELECT 1")
    small = last(c, "max_total_memory")[0]
    c.execute("SELECT LENGTH(REPEAT('x', 3000000))")
    controlled, large = last(c, "max_controlled_memory, max_total_memory")
    assert large >= 3_000_000 > 100_000 > small and controlled == large
    assert all_of(c, f"SELECT max_total_memory >= 3000000 FROM {PS}events_statements_summary_by_digest WHERE digest_text LIKE '%LENGTH%REPEAT%'") == [(1,)]
