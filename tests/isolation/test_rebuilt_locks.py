"""Row locks on rows that no transaction has written: those of a table or an index that a statement has built anew bear no transaction's id, as
does a transaction that has only read so far. It must lock them all the same.
"""
import pymysql
import pytest

from lib.servers import Server


@pytest.fixture(scope="module")
def server():
    s = Server().start()
    s.query("CREATE DATABASE r")
    yield s
    s.stop()
    s.remove()


BUILDS = ["ALTER TABLE t FORCE", "OPTIMIZE TABLE t", "ALTER TABLE t FORCE, ALGORITHM=COPY", "ALTER TABLE t ADD INDEX b (b)", "CREATE TABLE u LIKE t", "ALTER TABLE t DROP INDEX a, ADD UNIQUE INDEX a (a)"]
READS = ["WHERE id = 2", "WHERE a = 20", "FORCE INDEX (a) WHERE a > 0", "WHERE id > 0"]


@pytest.mark.parametrize("level", ["READ COMMITTED", "REPEATABLE READ"])
@pytest.mark.parametrize("build", BUILDS)
def test_a_reader_locks_rows_that_were_built(server, build, level):
    with server.connect(database="r", autocommit=False) as one, server.connect(database="r") as two:
        a, b = one.cursor(), two.cursor()
        b.execute("DROP TABLE IF EXISTS t, u")
        b.execute("CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT, UNIQUE (a))")
        b.execute("INSERT INTO t VALUES (1, 10, 1), (2, 20, 2), (3, 30, 3)")
        b.execute(build)
        b.fetchall()
        for c in (a, b):
            c.execute(f"SET SESSION TRANSACTION ISOLATION LEVEL {level}")
        for read in READS:
            for mode, other in (("FOR UPDATE", "FOR SHARE"), ("FOR SHARE", "FOR UPDATE")):
                a.execute("BEGIN")
                a.execute(f"SELECT * FROM t {read} {mode}")
                assert 2 in [r[0] for r in a.fetchall()]
                with pytest.raises(pymysql.err.OperationalError) as e:
                    b.execute(f"SELECT * FROM t WHERE id = 2 {other} NOWAIT")
                assert e.value.args[0] == 3572
                one.rollback()
