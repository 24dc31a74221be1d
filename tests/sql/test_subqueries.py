"""What a statement keeps in memory for its subqueries: rows of one execution go before the next."""


def test_a_quantified_subquery_that_runs_often_keeps_the_rows_of_one_run(server):
    server.query("CREATE DATABASE IF NOT EXISTS often")
    server.query("CREATE TABLE t (id INT PRIMARY KEY, c INT)", db="often")
    server.query("INSERT INTO t VALUES " + ", ".join(f"({i}, {i % 20})" for i in range(180)), db="often")
    # 32,220 runs with up to 180 rows each: more than the 256 MB that a statement may keep, were they added up
    sql = "SELECT COUNT(*) FROM t a JOIN t b ON a.id <> b.id WHERE b.c <= ALL (SELECT x.c FROM t x WHERE x.id <> a.id)"
    assert server.query(sql, db="often") == ((9 * 179,),)
