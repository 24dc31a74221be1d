"""What a query of a virtual table does not read is not looked for: counting tables, as monitoring does at each start, opens
none. Every virtual table is asked, so that one that opens tables for columns nobody reads is found."""
import pytest

from lib.servers import Server

TABLES = 40


@pytest.fixture(scope="module")
def server():
    s = Server(options=["--innodb-buffer-pool-size=64M"]).start()
    with s.connect() as c, c.cursor() as cur:
        cur.execute("CREATE DATABASE many")
        cur.execute("CREATE DATABASE views")
        for n in range(TABLES):
            cur.execute(f"CREATE TABLE many.t{n} (id INT AUTO_INCREMENT PRIMARY KEY, a INT, b INT, UNIQUE (a), KEY (b, a))")
            cur.execute(f"INSERT INTO many.t{n} (a) VALUES (1), (2)")
        cur.execute("CREATE VIEW views.v AS SELECT a.id FROM many.t0 a JOIN many.t1 b USING (id)")
    s.stop()
    s.start()
    yield s
    s.remove()


@pytest.fixture
def c(server):
    with server.connect() as c, c.cursor() as cur:
        yield cur


def rows(c, sql):
    c.execute(sql)
    return list(c.fetchall())


def opened(c):
    return tuple(int(rows(c, f"SHOW GLOBAL STATUS LIKE '{name}'")[0][1]) for name in ("Opened_tables", "Open_tables"))


def test_counting_opens_nothing(c):
    before = opened(c)
    asked = 0
    for schema in ("information_schema", "performance_schema", "mysql", "sys"):
        for (name,) in rows(c, f"SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = '{schema}' AND TABLE_TYPE <> 'VIEW'"):
            c.execute(f"SELECT COUNT(*) FROM {schema}.{name}")
            c.fetchall()
            # tables that are stored open themselves
            now = opened(c)
            stored = rows(c, f"SELECT COUNT(*) FROM information_schema.INNODB_TABLES WHERE NAME = '{schema}/{name}'")[0][0]
            assert now[0] - before[0] <= stored, f"{schema}.{name} has opened {now[0] - before[0]}"
            before, asked = now, asked + 1
    assert asked > 150


def test_names_and_times_open_nothing(c):
    before = opened(c)
    for sql in [
        "SELECT TABLE_SCHEMA, TABLE_NAME, ENGINE, TABLE_COLLATION, CREATE_TIME, UPDATE_TIME, CREATE_OPTIONS FROM information_schema.TABLES",
        "SELECT TABLE_SCHEMA, ENGINE, COUNT(*) FROM information_schema.TABLES WHERE TABLE_TYPE = 'BASE TABLE' GROUP BY 1, 2",
        "SELECT t.TABLE_NAME, c.COLUMN_NAME, c.DATA_TYPE FROM information_schema.TABLES t JOIN information_schema.COLUMNS c USING (TABLE_SCHEMA, TABLE_NAME) WHERE t.ENGINE = 'InnoDB'",
        "SELECT TABLE_NAME FROM information_schema.TABLES t WHERE NOT EXISTS (SELECT 1 FROM information_schema.STATISTICS s WHERE s.TABLE_SCHEMA = t.TABLE_SCHEMA AND s.TABLE_NAME = t.TABLE_NAME AND s.INDEX_NAME = 'PRIMARY')",
        "SELECT TABLE_NAME, PARTITION_NAME FROM information_schema.PARTITIONS",
        "SELECT NAME, SPACE_TYPE FROM information_schema.INNODB_TABLESPACES",
        "SELECT DISTINCT table_name, index_name FROM mysql.innodb_index_stats",
    ]:
        assert rows(c, sql), sql
        assert opened(c) == before, sql


def test_what_is_read_is_true(c):
    assert rows(c, "SELECT TABLE_ROWS, AUTO_INCREMENT, DATA_LENGTH > 0 FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'many' AND TABLE_NAME = 't7'") == [(2, 3, 1)]
    assert rows(c, "SELECT AUTO_INCREMENT FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'many' AND TABLE_NAME = 't8'") == [(3,)]
    # read by a condition, an order, a subquery's condition
    assert len(rows(c, "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'many' AND TABLE_ROWS = 2")) == TABLES
    assert rows(c, "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'many' ORDER BY TABLE_ROWS DESC, TABLE_NAME LIMIT 1") == [("t0",)]
    assert rows(c, "SELECT COUNT(*) FROM information_schema.TABLES t WHERE TABLE_SCHEMA = 'many' AND EXISTS (SELECT 1 FROM information_schema.STATISTICS s WHERE s.TABLE_SCHEMA = 'many' AND s.TABLE_NAME = t.TABLE_NAME AND s.CARDINALITY = t.TABLE_ROWS)") == [(TABLES,)]
    assert rows(c, "SELECT SUM(TABLE_ROWS) FROM information_schema.PARTITIONS WHERE TABLE_SCHEMA = 'many'") == [(2 * TABLES,)]
    assert rows(c, "SELECT SUM(n) FROM (SELECT TABLE_ROWS n FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'many') d") == [(2 * TABLES,)]
    assert rows(c, "SELECT TABLE_COMMENT FROM information_schema.TABLES WHERE TABLE_NAME = 'v' AND TABLE_SCHEMA = 'views'") == [("VIEW",)]
    for table in ("information_schema.TABLES", "information_schema.STATISTICS", "information_schema.PARTITIONS", "mysql.innodb_table_stats",
                  "mysql.innodb_index_stats", "information_schema.INNODB_TABLESTATS", "information_schema.INNODB_TABLESPACES", "information_schema.FILES"):
        assert rows(c, f"SELECT COUNT(*) FROM {table}")[0][0] == len(rows(c, f"SELECT * FROM {table}")), table
    c.execute("UPDATE many.t9 SET b = 5")
    assert rows(c, "SELECT UPDATE_TIME IS NOT NULL FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'many' AND TABLE_NAME = 't9'") == [(1,)]
