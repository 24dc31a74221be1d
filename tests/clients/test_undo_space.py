"""innodb_undo_log_truncate: after a huge transaction the undo tablespace gives its space back while the server runs."""
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lib.servers import Server  # noqa: E402

MB = 1 << 20


def test_it_shrinks_while_the_server_runs():
    s = Server(options=["--innodb-max-undo-log-size=10M", "--innodb-purge-rseg-truncate-frequency=1", "--innodb-undo-log-truncate=OFF",
                        "--innodb-flush-log-at-trx-commit=2"]).start()
    undo = s.dir / "data/#spaces/00000002.ibd"
    try:
        s.query("CREATE DATABASE d")
        with s.connect(database="d", autocommit=False) as c, c.cursor() as cur:
            cur.execute("SET cte_max_recursion_depth = 100000")
            cur.execute("CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(1000))")
            cur.execute("INSERT INTO t WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 10000) SELECT n, REPEAT('a', 1000) FROM r")
            c.commit()
            with s.connect(database="d", autocommit=False) as other, other.cursor() as reads:
                reads.execute("SELECT COUNT(*) FROM t WHERE b LIKE 'aaaa%'")
                for letter in "bcd":
                    cur.execute(f"UPDATE t SET b = REPEAT('{letter}', 1000)")
                c.commit()
                full = undo.stat().st_size
                assert full > 25 * MB
                cur.execute("SET GLOBAL innodb_undo_log_truncate = ON")
                # what a snapshot needs stays
                time.sleep(0.5)
                reads.execute("SELECT COUNT(*) FROM t WHERE b LIKE 'aaaa%'")
                assert reads.fetchone() == (10000,)
                assert undo.stat().st_size >= full
            deadline = time.time() + 120
            while (now := undo.stat().st_size) > 10 * MB and time.time() < deadline:
                time.sleep(0.1)
            assert now <= 10 * MB, f"{now} of {full} bytes"
            # and all goes on
            for n in range(50):
                cur.execute(f"UPDATE t SET b = '{n}' WHERE a = {n + 1}")
                c.commit() if n % 2 else c.rollback()
        s.kill()
        s.start()
        assert s.query("SELECT SUM(b LIKE 'dddd%'), COUNT(*) FROM t", db="d") == ((10000 - 25, 10000),)
        assert s.query("CHECK TABLE t", db="d")[-1][-1] == "OK"
        assert s.stop() == 0
    finally:
        s.remove()
