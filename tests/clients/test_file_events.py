"""Files: instances, what was read and written by file and by instrument, and operations as waits of the session that made them."""
import os

import pytest

from lib.servers import Server

PS = "performance_schema."


@pytest.fixture(scope="module")
def server():
    s = Server(options=["--innodb-flush-log-at-trx-commit=1", "--secure-file-priv="]).start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE d.t (a INT PRIMARY KEY, b VARCHAR(500))")
    yield s
    s.remove()


@pytest.fixture
def c(server):
    with server.connect(database="d") as c, c.cursor() as cur:
        yield cur


def all_of(c, sql):
    c.execute(sql)
    return list(c.fetchall())


def log(c):
    return all_of(c, f"SELECT count_write, sum_number_of_bytes_write, count_misc, count_star, sum_timer_wait FROM {PS}file_summary_by_event_name WHERE event_name = 'wait/io/file/innodb/innodb_log_file'")[0]


def test_instances(server, c):
    rows = {name: (event, n) for name, event, n in all_of(c, f"SELECT file_name, event_name, open_count FROM {PS}file_instances")}
    data = all_of(c, "SELECT @@datadir")[0][0].rstrip("/")
    assert all(os.path.exists(name) for name in rows), rows
    redo = [v for name, v in rows.items() if name.startswith(data + "/#innodb_redo/")]
    # open twice where zeros are written ahead of the log
    assert redo and all(event == "wait/io/file/innodb/innodb_log_file" and n >= 1 for event, n in redo)
    tables = [name for name, (event, n) in rows.items() if event == "wait/io/file/innodb/innodb_data_file"]
    assert len(tables) > 1 and all(name.endswith(".ibd") or "undo" in name for name in tables)
    c.execute("CREATE TABLE x (a INT)")
    c.execute("INSERT INTO x VALUES (1)")
    new = {r[0] for r in all_of(c, f"SELECT file_name FROM {PS}file_instances")} - set(rows)
    assert len(new) == 1
    c.execute("DROP TABLE x")
    assert not new & {r[0] for r in all_of(c, f"SELECT file_name FROM {PS}file_instances")}


def test_a_commit_writes_and_syncs_the_log(c):
    before = log(c)
    for i in range(5):
        c.execute("INSERT INTO t VALUES (%s, REPEAT('x', 400))", (i,))
    after = log(c)
    writes, written, others = (after[i] - before[i] for i in range(3))
    assert writes >= 5 and written >= 5 * 400 and others >= 5, "each commit is written and synced"
    assert after[3] - before[3] >= writes + others and after[4] > before[4]
    by_file = all_of(c, f"SELECT SUM(count_star), SUM(sum_number_of_bytes_write) FROM {PS}file_summary_by_instance WHERE event_name = 'wait/io/file/innodb/innodb_log_file'")[0]
    assert by_file[1] <= log(c)[1]


def test_truncate_and_switches(c):
    c.execute(f"TRUNCATE {PS}file_summary_by_event_name")
    c.execute(f"UPDATE {PS}setup_instruments SET ENABLED = 'NO' WHERE NAME LIKE 'wait/io/file/%'")
    c.execute(f"TRUNCATE {PS}file_summary_by_event_name")
    c.execute("INSERT INTO t VALUES (100, 'x')")
    assert log(c) == (0, 0, 0, 0, 0)
    c.execute(f"UPDATE {PS}setup_instruments SET ENABLED = 'YES', TIMED = 'NO' WHERE NAME LIKE 'wait/io/file/%'")
    c.execute("INSERT INTO t VALUES (101, 'x')")
    got = log(c)
    assert got[0] >= 1 and got[4] == 0, "counted without times"
    c.execute(f"UPDATE {PS}setup_instruments SET TIMED = 'YES' WHERE NAME LIKE 'wait/io/file/%'")


def test_operations_are_waits_of_the_session(c):
    c.execute(f"UPDATE {PS}setup_consumers SET ENABLED = 'YES' WHERE NAME LIKE 'events_waits%'")
    c.execute("INSERT INTO t VALUES (200, 'x')")
    rows = all_of(c, f"SELECT operation, number_of_bytes, object_type, object_name, timer_wait, nesting_event_type FROM {PS}events_waits_history WHERE thread_id = PS_CURRENT_THREAD_ID() AND event_name = 'wait/io/file/innodb/innodb_log_file'")
    c.execute(f"UPDATE {PS}setup_consumers SET ENABLED = 'NO' WHERE NAME LIKE 'events_waits%'")
    assert {r[0] for r in rows} == {"write", "sync"}
    for operation, size, kind, name, took, nesting in rows:
        assert (kind, nesting) == ("FILE", "STATEMENT") and "#ib_redo" in name and took > 0
        assert (size is None) == (operation == "sync")
    sums = all_of(c, f"SELECT count_star FROM {PS}events_waits_summary_by_thread_by_event_name WHERE thread_id = PS_CURRENT_THREAD_ID() AND event_name = 'wait/io/file/innodb/innodb_log_file'")
    assert sums[0][0] >= 2


def test_temporary_files(c):
    c.execute(f"TRUNCATE {PS}file_summary_by_event_name")
    c.execute("SET sort_buffer_size = 32768, cte_max_recursion_depth = 100000")
    c.execute("SELECT n, REPEAT('x', 200) AS t FROM (WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 20000) SELECT n FROM r) AS q ORDER BY t, n DESC LIMIT 15000, 5")
    c.fetchall()
    got = all_of(c, f"SELECT sum_number_of_bytes_read, sum_number_of_bytes_write FROM {PS}file_summary_by_event_name WHERE event_name = 'wait/io/file/sql/io_cache'")[0]
    assert got[0] > 0 and got[1] > 100_000
    assert all_of(c, f"SELECT file_name FROM {PS}file_instances WHERE event_name = 'wait/io/file/sql/io_cache' AND file_name LIKE '%MYfd%'") == [], "gone with the statement"


def test_query_logs_and_files_of_statements(server, c):
    used = lambda name: all_of(c, f"SELECT COUNT_READ, SUM_NUMBER_OF_BYTES_READ, COUNT_WRITE, SUM_NUMBER_OF_BYTES_WRITE, COUNT_MISC FROM {PS}file_summary_by_event_name WHERE EVENT_NAME = 'wait/io/file/sql/{name}'")[0]
    c.execute("SET GLOBAL log_output = 'FILE', GLOBAL general_log = ON, GLOBAL slow_query_log = ON, SESSION long_query_time = 0")
    try:
        c.execute("DO 'a text that is in both logs'")
        for log in ("query_log", "slow_log"):
            _, _, writes, written, opened = used(log)
            assert writes >= 1 and written >= 30 and opened >= 1, log
            assert len(all_of(c, f"SELECT 1 FROM {PS}file_instances WHERE EVENT_NAME = 'wait/io/file/sql/{log}' AND OPEN_COUNT = 1")) == 1
    finally:
        c.execute("SET GLOBAL general_log = OFF, GLOBAL slow_query_log = OFF, SESSION long_query_time = DEFAULT")
    path = f"{server.dir}/out.txt"
    c.execute(f"SELECT 1000001, 'xyz' INTO OUTFILE '{path}'")
    size = os.path.getsize(path)
    assert used("select_to_file")[2:4] == (1, size)
    c.execute("CREATE TABLE loaded (a INT, b VARCHAR(9))")
    c.execute(f"LOAD DATA INFILE '{path}' INTO TABLE loaded")
    assert used("load")[1] == size and all_of(c, "SELECT * FROM loaded") == [(1000001, "xyz")]


def test_threads_name_who_began_them(c):
    parents = dict(all_of(c, f"SELECT NAME, PARENT_THREAD_ID FROM {PS}threads"))
    main, = all_of(c, f"SELECT THREAD_ID FROM {PS}threads WHERE NAME = 'thread/sql/main'")
    assert parents["thread/sql/main"] is None and parents["thread/innodb/page_flush_coordinator_thread"] is None
    assert parents["thread/sql/one_connection"] == main[0]


def by_event(c, event):
    return tuple(int(n) for n in all_of(c, f"SELECT count_read, sum_number_of_bytes_read, count_write, sum_number_of_bytes_write, count_misc FROM {PS}file_summary_by_event_name WHERE event_name = 'wait/io/file/sql/{event}'")[0])


def more(c, event, sql):
    """What a statement does with files of an instrument."""
    before = by_event(c, event)
    all_of(c, sql)
    return tuple(b - a for a, b in zip(before, by_event(c, event)))


def test_load_file_and_the_files_of_joins(server, c, tmp_path):
    path = tmp_path / "in"
    path.write_bytes(b"x" * 5000)
    path.chmod(0o644)
    tmp_path.chmod(0o755)
    assert more(c, "LOAD_FILE", f"SELECT LENGTH(LOAD_FILE('{path}'))") == (1, 5000, 0, 0, 1)
    assert more(c, "LOAD_FILE", "SELECT LOAD_FILE('/nowhere/at/all')") == (0, 0, 0, 0, 0)
    c.execute("CREATE TABLE j (id INT PRIMARY KEY, a INT, pad VARCHAR(300))")
    c.execute("INSERT INTO j WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900) SELECT i, i, REPEAT('x', 300) FROM n")
    c.execute("SET join_buffer_size = 16777216")
    join = "SELECT COUNT(x.pad), COUNT(y.pad) FROM j x JOIN j y ON x.a + 0 = y.a + 0"
    assert more(c, "hash_join", join) == (0, 0, 0, 0, 0), "it fits"
    c.execute("SET join_buffer_size = 16384")
    reads, read, writes, written, opened = more(c, "hash_join", join)
    assert reads > 0 and writes > 0 and written > 900 * 300 and read >= written and opened == 1


def test_the_binary_logs_files(server, c):
    if all_of(c, "SELECT @@log_bin")[0][0] != 1:
        pytest.skip("no binary log")
    _, _, writes, written, _ = more(c, "binlog", "REPLACE INTO t VALUES (1000, REPEAT('y', 400))")
    all_of(c, "FLUSH BINARY LOGS")
    names = {n for (n,) in all_of(c, f"SELECT event_name FROM {PS}file_instances WHERE event_name LIKE 'wait/io/file/sql/binlog%'")}
    assert {"wait/io/file/sql/binlog", "wait/io/file/sql/binlog_index"} <= names, names
    assert by_event(c, "binlog_index")[2] > 0 and by_event(c, "binlog")[2] > 0
