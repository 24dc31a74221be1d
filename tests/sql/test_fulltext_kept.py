"""Full-text searches with the words of a table that an earlier one has kept: the same rows whoever has changed something since (fulltext_kept_random.py), without reading the table."""
import subprocess
import sys

from lib.servers import ROOT, Server


def test_random():
    r = subprocess.run([sys.executable, ROOT / "tests/sql/fulltext_kept_random.py", "--rounds=3", "--steps=500", "--seed=11"], capture_output=True, text=True, timeout=1800)
    assert r.returncode == 0, r.stdout[-4000:] + r.stderr[-4000:]


def reads(cur, sql):
    """The answer, and the rows that were read for it."""
    cur.execute("FLUSH STATUS")
    cur.execute(sql)
    answer = cur.fetchall()
    cur.execute("SHOW SESSION STATUS LIKE 'Handler_read%'")
    return answer, sum(int(n) for name, n in cur.fetchall() if name != "Handler_read_first")


def test_a_search_reads_what_it_finds():
    server = Server().start()
    try:
        cur = server.connect().cursor()
        cur.execute("CREATE DATABASE kept")
        cur.execute("USE kept")
        cur.execute("CREATE TABLE t (id INT PRIMARY KEY, a TEXT, n INT, FULLTEXT (a))")
        cur.executemany("INSERT INTO t VALUES (%s, %s, %s)", [(i, "needle hay" if i % 500 == 7 else "hay", i % 3) for i in range(2000)])
        match = "MATCH (a) AGAINST ('needle')"
        for q, found, most in [
            (f"SELECT COUNT(*) FROM t WHERE {match}", 4, 0),
            (f"SELECT id FROM t WHERE {match} ORDER BY id DESC", 4, 5),
            (f"SELECT id, {match} FROM t WHERE {match} > 0.1 AND n = 1", 2, 5),
        ]:
            for _ in range(2):
                answer, rows = reads(cur, q)
                assert (answer[0][0] if "COUNT" in q else len(answer)) == found, q
                assert rows <= most, (q, rows)
        # what has changed is read again, nothing else
        cur.execute("UPDATE t SET a = 'hay' WHERE id = 7")
        cur.execute("INSERT INTO t VALUES (9000, 'needle', 0)")
        assert reads(cur, f"SELECT id FROM t WHERE {match}") == (((507,), (1007,), (1507,), (9000,)), 4)
    finally:
        server.kill()
        server.remove()
