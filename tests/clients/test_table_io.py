"""What statements did with tables: rows by index, uses of tables, handles; as MySQL 9.7 counts them on the same statements."""
import pytest

from lib.servers import Server

PS = "performance_schema."
IO = PS + "table_io_waits_summary_by_index_usage"


@pytest.fixture(scope="module")
def server():
    s = Server().start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE d.t (a INT PRIMARY KEY, b INT, c INT, KEY kb (b), UNIQUE KEY uc (c))")
    s.query("CREATE TABLE d.u (a INT, b INT)")
    yield s
    s.remove()


@pytest.fixture
def c(server):
    with server.connect(database="d") as c, c.cursor() as cur:
        yield cur


def all_of(c, sql):
    c.execute(sql)
    return list(c.fetchall())


def counted(c, sql):
    """What one statement adds: by table and index (fetch, insert, update, delete), and by table (read, write)."""
    c.execute(f"TRUNCATE {IO}")
    c.execute(sql)
    c.fetchall()
    rows = all_of(c, f"SELECT object_name, index_name, count_fetch, count_insert, count_update, count_delete, count_read, count_write, count_star FROM {IO} WHERE object_schema = 'd' AND count_star > 0")
    assert all(r[6] == r[2] and r[7] == sum(r[3:6]) and r[8] == r[6] + r[7] for r in rows), rows
    locks = all_of(c, f"SELECT object_name, count_read_external, count_write_external, count_read, count_write, count_star FROM {PS}table_lock_waits_summary_by_table WHERE object_schema = 'd' AND count_star > 0")
    assert all(r[1:3] == r[3:5] and r[5] == r[3] + r[4] for r in locks), locks
    return {r[:2]: r[2:6] for r in rows}, {r[0]: r[1:3] for r in locks}


# Statement, rows by index, uses. In this order: each needs what those before have done. As MySQL 9.7.
WORK = [
    ("INSERT INTO t VALUES (1,1,1),(2,2,2),(3,3,3),(4,3,4)", {("t", None): (0, 4, 0, 0)}, None),
    ("INSERT INTO u VALUES (1,1),(2,2)", {("u", None): (0, 2, 0, 0)}, None),
    ("SELECT * FROM t", {("t", None): (4, 0, 0, 0)}, {"t": (1, 0)}),
    ("SELECT * FROM u", {("u", None): (2, 0, 0, 0)}, {"u": (1, 0)}),
    ("SELECT * FROM t WHERE a = 1", {("t", "PRIMARY"): (1, 0, 0, 0)}, {"t": (1, 0)}),
    ("SELECT * FROM t FORCE INDEX (kb) WHERE b = 3", {("t", "kb"): (2, 0, 0, 0)}, {"t": (1, 0)}),
    ("SELECT * FROM t FORCE INDEX (uc) WHERE c = 3", {("t", "uc"): (1, 0, 0, 0)}, {"t": (1, 0)}),
    ("SELECT * FROM t FORCE INDEX (PRIMARY) WHERE a BETWEEN 1 AND 3", {("t", "PRIMARY"): (3, 0, 0, 0)}, {"t": (1, 0)}),
    ("SELECT b FROM t FORCE INDEX (kb) WHERE b = 3", {("t", "kb"): (2, 0, 0, 0)}, {"t": (1, 0)}),
    ("UPDATE t SET b = 9 WHERE a = 1", {("t", "PRIMARY"): (1, 0, 1, 0)}, {"t": (0, 1)}),
    ("UPDATE u SET b = 10", {("u", None): (2, 0, 2, 0)}, {"u": (0, 1)}),
    ("DELETE FROM t WHERE a = 2", {("t", "PRIMARY"): (1, 0, 0, 1)}, {"t": (0, 1)}),
    ("DELETE FROM u", {("u", None): (2, 0, 0, 2)}, {"u": (0, 1)}),
    ("SELECT * FROM t WHERE a = 1 FOR UPDATE", {("t", "PRIMARY"): (1, 0, 0, 0)}, {"t": (0, 1)}),
    ("SELECT * FROM t WHERE a = 1 FOR SHARE", {("t", "PRIMARY"): (1, 0, 0, 0)}, {"t": (1, 0)}),
]


def test_rows_and_uses(c):
    for sql, rows, uses in WORK:
        got = counted(c, sql)
        assert got[0] == rows, sql
        if uses is not None:
            assert got[1] == uses, sql
    c.execute("SELECT * FROM t JOIN t AS s ON t.a = s.a")
    c.fetchall()


def test_sums_by_table_and_object(c):
    c.execute(f"TRUNCATE {PS}objects_summary_global_by_type")
    c.execute("SELECT * FROM t FORCE INDEX (kb) WHERE b = 3")
    c.fetchall()
    c.execute("SELECT * FROM t WHERE a = 1")
    c.fetchall()
    assert all_of(c, f"SELECT count_star, count_fetch, sum_timer_wait FROM {PS}table_io_waits_summary_by_table WHERE object_name = 't'") == [(3, 3, 0)]
    # rows and uses
    assert all_of(c, f"SELECT object_type, count_star FROM {PS}objects_summary_global_by_type WHERE object_name = 't'") == [("TABLE", 5)]
    # each index has a row, used or not, and there is one for none
    assert all_of(c, f"SELECT index_name, count_star FROM {IO} WHERE object_name = 't' ORDER BY 1") == [(None, 0), ("kb", 2), ("PRIMARY", 1), ("uc", 0)]
    c.execute("CREATE TABLE gone (a INT PRIMARY KEY)")
    c.execute("INSERT INTO gone VALUES (1)")
    assert all_of(c, f"SELECT count_insert FROM {PS}table_io_waits_summary_by_table WHERE object_name = 'gone'") == [(1,)]
    c.execute("DROP TABLE gone")
    assert all_of(c, f"SELECT count_insert FROM {PS}table_io_waits_summary_by_table WHERE object_name = 'gone'") == []


def test_setup_objects_and_instruments_act(c):
    read = "SELECT * FROM t WHERE a = 1"
    one = {("t", "PRIMARY"): (1, 0, 0, 0)}
    assert counted(c, read)[0] == one
    c.execute(f"INSERT INTO {PS}setup_objects VALUES ('TABLE', 'd', 't', 'NO', 'NO')")
    assert counted(c, read) == ({}, {})
    c.execute(f"UPDATE {PS}setup_objects SET ENABLED = 'YES' WHERE object_schema = 'd'")
    assert counted(c, read)[0] == one
    c.execute(f"DELETE FROM {PS}setup_objects WHERE object_schema = 'd'")
    c.execute(f"UPDATE {PS}setup_instruments SET ENABLED = 'NO' WHERE NAME = 'wait/io/table/sql/handler'")
    assert counted(c, read) == ({}, {"t": (1, 0)})
    c.execute(f"UPDATE {PS}setup_instruments SET ENABLED = 'YES' WHERE NAME = 'wait/io/table/sql/handler'")
    # the server's own tables are left out, that of sys excepted, as in MySQL
    assert all_of(c, f"SELECT DISTINCT object_schema FROM {IO} WHERE object_schema <> 'sys'") == [("d",)]


def test_handles(server, c):
    c.execute("SELECT * FROM t, u")
    c.fetchall()
    c.execute("LOCK TABLES t WRITE, u READ")
    with server.connect() as other, other.cursor() as cur:
        got = all_of(cur, f"SELECT object_name, owner_thread_id IS NOT NULL, internal_lock, external_lock FROM {PS}table_handles WHERE object_schema = 'd' ORDER BY 1")
    c.execute("UNLOCK TABLES")
    assert got == [("t", 1, None, "WRITE EXTERNAL"), ("u", 1, None, "READ EXTERNAL")]
    assert all_of(c, f"SELECT object_name, owner_thread_id, external_lock FROM {PS}table_handles WHERE object_schema = 'd' ORDER BY 1") == [("t", None, None), ("u", None, None)]
