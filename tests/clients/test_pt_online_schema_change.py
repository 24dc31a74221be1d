"""pt-online-schema-change (Percona Toolkit, where it is installed) on a table under load: it copies rows in chunks while three triggers carry every change over, and
renames at the end. Nothing may be lost, doubled or old afterwards, with and without foreign keys."""
import shutil
import subprocess

import pymysql
import pytest

from lib.writers import Writers, rows

TOOL = shutil.which("pt-online-schema-change")
ROWS = 3000


@pytest.mark.skipif(not TOOL, reason="no pt-online-schema-change")
@pytest.mark.parametrize("foreign", [False, True])
def test_nothing_is_lost(server, foreign):
    with server.connect() as c, c.cursor() as cur:
        cur.execute("DROP DATABASE IF EXISTS osc")
        cur.execute("CREATE DATABASE osc")
        cur.execute("USE osc")
        cur.execute("CREATE TABLE t (id INT PRIMARY KEY, n INT, s VARCHAR(40), KEY (n))")
        rows(cur, ROWS)
        if foreign:
            # of rows that nobody changes
            cur.executemany("INSERT INTO t VALUES (%s, 0, 'parent')", [(i,) for i in range(-20, 0)])
            cur.execute("CREATE TABLE child (id INT PRIMARY KEY AUTO_INCREMENT, t INT, FOREIGN KEY (t) REFERENCES t (id))")
            cur.executemany("INSERT INTO child (t) VALUES (%s)", [(i,) for i in range(-20, 0)])
    with Writers(server, "osc", ROWS) as writers:
        method = ["--alter-foreign-keys-method=rebuild_constraints"] if foreign else []
        done = subprocess.run([TOOL, "--execute", "--no-version-check", "--alter", "ADD COLUMN x INT NOT NULL DEFAULT 5, ADD KEY k_s (s), MODIFY n BIGINT", "--chunk-size=150", "--sleep=0.01", "--max-load", "Threads_running=1000", "--critical-load", "Threads_running=2000",
                               "--recursion-method=none", *method, f"S={server.socket},u=root,D=osc,t=t"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(n > 20 for n in writers.done)
    with server.connect(database="osc") as c, c.cursor() as cur:
        cur.execute("SELECT id, n, s, x FROM t WHERE id > 0")
        found = cur.fetchall()
        assert {r[0]: (r[1], r[2]) for r in found} == writers.expected and all(r[3] == 5 for r in found)
        cur.execute("SHOW TABLES")
        assert sorted(r[0] for r in cur.fetchall()) == (["child", "t"] if foreign else ["t"])
        cur.execute("SHOW TRIGGERS")
        assert cur.fetchall() == ()
        if foreign:
            cur.execute("SELECT COUNT(*) FROM child JOIN t ON t.id = child.t")
            assert cur.fetchone() == (20,)
            with pytest.raises(pymysql.err.IntegrityError):
                cur.execute("DELETE FROM t WHERE id = -1")
        cur.execute("DROP DATABASE osc")
