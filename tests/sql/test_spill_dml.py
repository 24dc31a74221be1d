"""Changes that keep more rows than memory may hold (256 MB) before they make any: they go to a temporary file, and the answers are MySQL's."""
WIDE = 8_000_000


def prepare(cur):
    cur.execute("CREATE DATABASE IF NOT EXISTS spill_dml")
    cur.execute("USE spill_dml")
    cur.execute("DROP TABLE IF EXISTS t")
    cur.execute("CREATE TABLE t (id INT PRIMARY KEY, c VARCHAR(10))")
    cur.executemany("INSERT INTO t VALUES (%s, 'x')", [(i,) for i in range(40)])


def files(cur):
    cur.execute("SHOW GLOBAL STATUS LIKE 'Created_tmp_files'")
    return int(cur.fetchone()[1])


def test_insert_from_the_same_table(server):
    with server.connect(read_timeout=120) as c, c.cursor() as cur:
        prepare(cur)
        before = files(cur)
        assert cur.execute(f"INSERT IGNORE INTO t SELECT id + 100, REPEAT('a', {WIDE}) FROM t") == 40
        assert files(cur) > before
        cur.execute("SELECT COUNT(*), SUM(LENGTH(c)), MAX(c) FROM t")
        assert cur.fetchone() == (80, 440, "x")


def test_update_of_a_join(server):
    with server.connect(read_timeout=120) as c, c.cursor() as cur:
        prepare(cur)
        wide = f"(SELECT id, REPEAT('b', {WIDE}) AS d FROM t LIMIT 100) w"
        assert cur.execute(f"UPDATE t JOIN {wide} USING (id) SET t.c = LEFT(w.d, t.id % 4 + 1)") == 40
        cur.execute("SELECT COUNT(*), SUM(LENGTH(c)) FROM t")
        assert cur.fetchone() == (40, 100)
