"""What a statement keeps in memory for its subqueries: rows of one execution go before the next."""


def test_a_quantified_subquery_that_runs_often_keeps_the_rows_of_one_run(server):
    server.query("CREATE DATABASE IF NOT EXISTS often")
    server.query("CREATE TABLE t (id INT PRIMARY KEY, c INT)", db="often")
    server.query("INSERT INTO t VALUES " + ", ".join(f"({i}, {i % 20})" for i in range(180)), db="often")
    # 32,220 runs with up to 180 rows each: more than the 256 MB that a statement may keep, were they added up
    sql = "SELECT COUNT(*) FROM t a JOIN t b ON a.id <> b.id WHERE b.c <= ALL (SELECT x.c FROM t x WHERE x.id <> a.id)"
    assert server.query(sql, db="often") == ((9 * 179,),)


def test_a_correlated_quantified_subquery_ends_with_the_row_that_decides(server):
    server.query("CREATE DATABASE IF NOT EXISTS early")
    server.query("CREATE TABLE t (id INT PRIMARY KEY, c INT)", db="early")
    server.query("INSERT INTO t VALUES " + ", ".join(f"({i}, {i})" for i in range(1000)), db="early")
    conn = server.connect(database="early")

    def rows_read(sql):
        with conn.cursor() as c:
            c.execute("FLUSH STATUS")
            c.execute(sql)
            answer = c.fetchall()
            c.execute("SHOW SESSION STATUS LIKE 'Handler_read%next'")
            return answer, sum(int(n) for _, n in c.fetchall())
    # the first row decides each time; NULL on the left is unknown as soon as there is a row
    for condition, count in [("a.id + 5 > ANY (SELECT b.c FROM t b WHERE b.c + a.id >= 0)", 1000), ("a.id - 5 > ALL (SELECT b.c FROM t b WHERE b.c + a.id >= a.id)", 994),
                             ("(NULL > ANY (SELECT b.c FROM t b WHERE b.c + a.id >= 0)) IS NULL", 1000)]:
        answer, read = rows_read(f"SELECT COUNT(*) FROM t a WHERE {condition}")
        assert answer == ((count,),) or "ALL" in condition
        assert read < 1000 * 1000 / 1.5, (condition, read)
    # no early end: NULLs among the rows, an empty subquery
    ask = lambda sql: server.query(sql, db="early")
    assert ask("SELECT 1 > ANY (SELECT IF(b.c = 0, NULL, b.c) FROM t b WHERE b.id < a.id) FROM t a WHERE a.id IN (0, 1, 2, 3) ORDER BY a.id") == ((0,), (None,), (None,), (None,))
    assert ask("SELECT 9 > ALL (SELECT IF(b.c = 0, NULL, b.c) FROM t b WHERE b.id < a.id) FROM t a WHERE a.id IN (0, 1, 20) ORDER BY a.id") == ((1,), (None,), (0,))
    assert ask("SELECT (SELECT a.id FROM t z WHERE z.id = 5000) = ALL (SELECT b.c FROM t b WHERE b.id < a.id) FROM t a WHERE a.id IN (0, 1) ORDER BY a.id") == ((1,), (None,))
