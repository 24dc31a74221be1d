"""Memory that a statement holds while it runs, by area: internal temporary tables, sorts, hash joins in memory and beyond it,
large commands and answers. Each is looked at by another session while the statement waits for a lock, and is gone when it
has ended; sums by account, user, host and in all agree with those of the session."""
import socket
import threading

import pytest

from lib.servers import Server
from lib.wait import until

PS = "performance_schema."
MB = 1 << 20
ROWS = 4000
TMP, SORT, MERGE, JOIN, NET, ZIP = ("temptable/physical_ram", "sql/Filesort_buffer::sort_keys", "sql/Filesort_info::merge",
                                    "sql/hashed_operation", "sql/NET::buff", "sql/NET::compress_packet")


@pytest.fixture(scope="module")
def server():
    s = Server(options=["--innodb-buffer-pool-size=64M", "--max-allowed-packet=64M"]).start()
    with s.connect() as c, c.cursor() as cur:
        cur.execute("CREATE DATABASE m")
        cur.execute("CREATE TABLE m.t (id INT PRIMARY KEY, g INT, pad VARCHAR(1000))")
        cur.execute("SET cte_max_recursion_depth = 10000")
        cur.execute(f"INSERT INTO m.t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {ROWS}) SELECT i, i, REPEAT('x', 500) FROM n")
        cur.execute("CREATE TABLE m.s (g INT, id INT, pad VARCHAR(1000), PRIMARY KEY (g, id))")
        cur.execute("INSERT INTO m.s SELECT id DIV 100000, id, pad FROM m.t")
        cur.execute("CREATE USER 'v'@'localhost'")
        cur.execute("GRANT ALL ON *.* TO 'v'@'localhost'")
    yield s
    s.remove()


@pytest.fixture
def c(server):
    with server.connect() as c, c.cursor() as cur:
        yield cur


def rows(c, sql):
    c.execute(sql)
    return list(c.fetchall())


def held(c, area, table="thread", where=""):
    """Current bytes, count, bytes given back, most bytes."""
    sql = f"SELECT current_number_of_bytes_used, current_count_used, sum_number_of_bytes_free, high_number_of_bytes_used FROM {PS}memory_summary_{'global' if table == 'global' else 'by_' + table}_by_event_name WHERE event_name = 'memory/{area}' {where}"
    found = rows(c, sql)
    assert len(found) == 1, sql
    return tuple(int(n) for n in found[0])


# what a statement holds when it has read the rows and waits for the lock, at least and at most
HOLDERS = [
    (TMP, "SELECT GET_LOCK('stop', 60), d.a FROM (SELECT DISTINCT pad, g a FROM m.t) d LIMIT 1", "", ROWS * 500, ROWS * 2600),
    (TMP, "SELECT GET_LOCK('stop', 60), g, COUNT(*), MAX(pad) FROM m.t GROUP BY g LIMIT 1", "", ROWS * 200, ROWS * 1600),  # without the values of MAX
    (TMP, "WITH c AS (SELECT pad, g FROM m.t LIMIT 100000) SELECT GET_LOCK('stop', 60) FROM c a, c b WHERE a.g = 1 AND b.g = 2", "", ROWS * 500, ROWS * 2600),
    (TMP, "SELECT GET_LOCK('stop', 60) FROM m.t WHERE id = 1 AND pad NOT IN (SELECT CONCAT(pad, g) FROM m.t)", "", ROWS * 500, ROWS * 2600),
    (TMP, "SELECT GET_LOCK('stop', 60) FROM (SELECT pad, ROW_NUMBER() OVER (ORDER BY pad, g) n FROM m.t) d WHERE n = 1", "", ROWS * 500, ROWS * 5000),
    (TMP, "(SELECT pad, g FROM m.t EXCEPT SELECT 'a', 1) UNION ALL SELECT GET_LOCK('stop', 60), 1", "", ROWS * 500, ROWS * 5000),
    (TMP, "SELECT COUNT(*) FROM (SELECT pad, g FROM m.t EXCEPT SELECT GET_LOCK('stop', 60), 1) d", "", ROWS * 500, ROWS * 5000),
    (SORT, "SELECT GET_LOCK('stop', 60), d.g FROM (SELECT pad, g FROM m.t ORDER BY pad, g DESC LIMIT 100000) d LIMIT 1", "SET sort_buffer_size = 16777216", 0, 0),
    (SORT, "SELECT GET_LOCK('stop', 60), pad FROM m.t ORDER BY CONCAT(pad, g) DESC LIMIT 100000", "SET sort_buffer_size = 16777216", ROWS * 500, ROWS * 5000),
    (MERGE, "SELECT SQL_NO_CACHE pad, GET_LOCK('stop', 60) FROM m.t ORDER BY CONCAT(pad, g) DESC LIMIT 100000", "SET sort_buffer_size = 262144", 100_000, 3 * MB),
    # values of aggregates: without groups, and of groups that come one after the other
    (TMP, f"SELECT JSON_ARRAYAGG(IF(id = {ROWS}, GET_LOCK('stop', 60), pad)) FROM m.t", "", ROWS * 450, ROWS * 1600),
    (TMP, f"SELECT g, JSON_ARRAYAGG(IF(id = {ROWS}, GET_LOCK('stop', 60), pad)) FROM m.s GROUP BY g", "", ROWS * 450, ROWS * 1600),
    (TMP, f"SELECT g, GROUP_CONCAT(IF(id = {ROWS}, GET_LOCK('stop', 60), pad)) FROM m.s GROUP BY g", "SET group_concat_max_len = 16777216", ROWS * 450, ROWS * 1600),
    (JOIN, "SELECT GET_LOCK('stop', 60) FROM m.t a JOIN m.t b ON a.g + 0 = b.g + 0 LIMIT 1", "SET join_buffer_size = 16777216", ROWS * 60, ROWS * 2000),
    (JOIN, "SELECT GET_LOCK('stop', 60) FROM m.t a JOIN m.t b ON a.g + 0 = b.g + 0 AND a.pad = b.pad LIMIT 1", "SET join_buffer_size = 131072", 30_000, 400_000),
]


@pytest.mark.parametrize("n", range(len(HOLDERS)))
def test_a_statement_holds_and_gives_back(server, c, n):
    area, sql, setting, least, most = HOLDERS[n]
    with server.connect(user="v") as other, other.cursor() as o:
        if setting:
            o.execute(setting)
        thread = rows(o, "SELECT PS_CURRENT_THREAD_ID()")[0][0]
        mine = lambda: held(c, area, "thread", f"AND thread_id = {thread}")
        assert mine()[:2] == (0, 0)
        before = held(c, area, "global")
        rows(c, "SELECT GET_LOCK('stop', 10)")
        worker = threading.Thread(target=lambda: rows(o, sql))
        worker.start()
        until(lambda: rows(c, f"SELECT 1 FROM {PS}threads WHERE thread_id = {thread} AND processlist_state = 'User lock'"), "the lock is waited for")
        now = mine()
        if least:
            assert least <= now[0] <= most and now[1] >= 1, now
        for table, where in [("account", "AND user = 'v' AND host = 'localhost'"), ("user", "AND user = 'v'")]:
            assert held(c, area, table, where)[0] == now[0]
        assert held(c, area, "global")[0] - before[0] >= now[0]
        rows(c, "SELECT RELEASE_LOCK('stop')")
        worker.join()
        rows(o, "SELECT RELEASE_ALL_LOCKS()")
        until(lambda: mine()[0] == 0, "given back")
        end = mine()
        assert end[1] == 0 and end[2] >= now[0] and end[3] >= now[0], (now, end)
        assert held(c, area, "global")[0] == before[0]
        sys = rows(c, f"SELECT COUNT(*) FROM sys.`x$memory_by_thread_by_current_bytes` WHERE thread_id = {thread}")
        assert sys == [(1,)]
    until(lambda: held(c, area, "account", "AND user = 'v' AND host = 'localhost'")[2] >= end[2], "what ended sessions gave back stays with the account")


def test_an_error_gives_back(server, c):
    with server.connect() as other, other.cursor() as o:
        thread = rows(o, "SELECT PS_CURRENT_THREAD_ID()")[0][0]
        with pytest.raises(Exception):
            rows(o, "SELECT ST_GeomFromText(MAX(pad)) FROM m.t GROUP BY g")
        with pytest.raises(Exception):
            rows(o, "SELECT (SELECT pad FROM m.t a WHERE a.id <= d.g) FROM (SELECT DISTINCT pad, g FROM m.t) d")
        for area in (TMP, SORT, JOIN):
            assert held(c, area, "thread", f"AND thread_id = {thread}")[:2] == (0, 0)


def test_large_commands_and_answers(server, c):
    """A command of 8 MB while it runs; an answer that the client does not take."""
    with server.connect() as other, other.cursor() as o:
        thread = rows(o, "SELECT PS_CURRENT_THREAD_ID()")[0][0]
        mine = lambda: held(c, NET, "thread", f"AND thread_id = {thread}")
        assert mine()[:2] == (0, 0), "between commands"
        rows(c, "SELECT GET_LOCK('stop', 10)")
        worker = threading.Thread(target=lambda: rows(o, f"SELECT GET_LOCK('stop', 60), LENGTH('{'x' * (8 * MB)}')"))
        worker.start()
        until(lambda: rows(c, f"SELECT 1 FROM {PS}threads WHERE thread_id = {thread} AND processlist_state = 'User lock'"), "the lock is waited for")
        assert 8 * MB <= mine()[0] <= 17 * MB
        rows(c, "SELECT RELEASE_LOCK('stop')")
        worker.join()
        until(lambda: mine()[0] == 0, "given back")
    with server.connect(read_timeout=120) as other, other.cursor() as o:
        thread = rows(o, "SELECT PS_CURRENT_THREAD_ID()")[0][0]
        other._sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        other._execute_command(3, f"SELECT REPEAT('y', {24 * MB})")
        until(lambda: mine()[0] >= 24 * MB, "the answer waits for its client")
        other._read_query_result()
        until(lambda: mine()[0] == 0, "it is gone")


def test_truncate(server, c):
    with server.connect() as other, other.cursor() as o:
        thread = rows(o, "SELECT PS_CURRENT_THREAD_ID()")[0][0]
        mine = lambda: held(c, TMP, "thread", f"AND thread_id = {thread}")
        rows(o, "SELECT COUNT(*) FROM (SELECT DISTINCT pad, g FROM m.t) d")
        until(lambda: mine()[2] > 0, "counted")
        of_all = held(c, TMP, "global")
        c.execute(f"TRUNCATE TABLE {PS}memory_summary_by_thread_by_event_name")
        assert mine() == (0, 0, 0, 0)
        assert held(c, TMP, "global")[2] >= of_all[2], "moved up, not lost"
        c.execute(f"TRUNCATE TABLE {PS}memory_summary_global_by_event_name")
        assert held(c, TMP, "global") == (0, 0, 0, 0)
        c.execute(f"UPDATE {PS}setup_instruments SET ENABLED = 'NO' WHERE NAME = 'memory/{TMP}'")
        rows(o, "SELECT COUNT(*) FROM (SELECT DISTINCT pad, g FROM m.t) d")
        c.execute(f"UPDATE {PS}setup_instruments SET ENABLED = 'YES' WHERE NAME = 'memory/{TMP}'")
        assert mine() == (0, 0, 0, 0), "off"
