"""What a disk does to the server stands in the error log: an ERROR line each, with the file, the table and what to do, and not a thousand times."""
import os
import pathlib
import subprocess
import sys

import pymysql
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lib.servers import Server  # noqa: E402

PAGE = 16384
OPTIONS = ["--innodb-buffer-pool-load-at-startup=0", "--innodb-buffer-pool-dump-at-shutdown=0"]


def errors(s, since=0):
    return [line for line in s.log_tail(1_000_000)[since:].splitlines() if "[ERROR]" in line]


def line(s, code, *parts):
    hits = [e for e in errors(s) if f"[ERROR] [MY-{code:06}] [InnoDB]" in e and all(p in e for p in parts)]
    assert len(hits) == 1, errors(s)
    return hits[0]


@pytest.fixture
def server():
    """With a table of a few hundred pages, stopped."""
    s = Server(options=OPTIONS).start()
    s.query("CREATE DATABASE d")
    with s.connect(database="d") as c, c.cursor() as cur:
        cur.execute("CREATE TABLE small (a INT PRIMARY KEY)")
        cur.execute("INSERT INTO small VALUES (1)")
        before = set((s.dir / "data/#spaces").iterdir())
        cur.execute("CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(500))")
        s.file, = set((s.dir / "data/#spaces").iterdir()) - before
        cur.execute("SET cte_max_recursion_depth = 10000")
        cur.execute("INSERT INTO t WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5000) SELECT n, REPEAT('b', 400) FROM r")
    assert s.stop() == 0
    yield s
    s.remove()


def fails(s, sql, times=1):
    with s.connect(database="d") as c, c.cursor() as cur:
        for _ in range(times):
            with pytest.raises(pymysql.err.MySQLError):
                cur.execute(sql)


def goes_on(s):
    assert s.query("SELECT COUNT(*) FROM small", db="d") == ((1,),)
    s.query("INSERT INTO small VALUES (2)", db="d")


def test_a_file_cut_under_the_server(server):
    server.start()
    with open(server.file, "r+b") as f:
        f.truncate(3 * PAGE)
    fails(server, "SELECT SUM(LENGTH(b)) FROM t", 30)
    said = line(server, 11906, server.file.name, "(table d.t)", "restore the table from a backup")
    assert "beyond the end of its file" in said
    goes_on(server)


def test_a_damaged_page(server):
    with open(server.file, "r+b") as f:
        for page in range(5, 60):
            f.seek(page * PAGE + 5000)
            f.write(b"damage")
    server.start()
    fails(server, "SELECT SUM(LENGTH(b)) FROM t", 30)
    line(server, 11906, server.file.name, "(table d.t)", "restore the table from a backup")
    rows = server.query("CHECK TABLE t", db="d")
    assert rows[-1][-1] != "OK"
    # CHECK TABLE finds more, but a log is no place for thousands of lines
    assert 1 <= len(errors(server)) < 30, errors(server)
    goes_on(server)


def test_a_lost_file(server):
    server.file.unlink()
    server.start()
    fails(server, "SELECT SUM(LENGTH(b)) FROM t", 30)
    said = line(server, 12593, server.file.name, "is missing", "put it back")
    assert "(table d.t)" in said
    goes_on(server)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(server):
    server.file.chmod(0)
    server.start()
    fails(server, "SELECT SUM(LENGTH(b)) FROM t", 30)
    line(server, 12592, "Operation 'open' on", server.file.name, "Permission denied", "Give the server's account the right")
    goes_on(server)
    server.file.chmod(0o640)
    assert server.query("SELECT COUNT(*) FROM t", db="d") == ((5000,),)


def test_a_full_disk(tmp_path):
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", str(tmp_path)], capture_output=True).returncode:
        pytest.skip("a file system of its own cannot be mounted here")
    s = Server(folder=tmp_path / "s", options=[*OPTIONS, "--innodb-redo-log-capacity=8M", "--innodb-buffer-pool-size=16M"])
    try:
        s.start()
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE small (a INT PRIMARY KEY)", db="d")
        s.query("INSERT INTO small VALUES (1)", db="d")
        s.query("CREATE TABLE t (a INT AUTO_INCREMENT PRIMARY KEY, b LONGTEXT)", db="d")
        with s.connect(database="d") as c, c.cursor() as cur:
            with pytest.raises(pymysql.err.MySQLError) as e:
                for _ in range(200):
                    cur.execute("INSERT INTO t (b) VALUES (REPEAT('x', 1000000))")
            assert e.value.args[0] == 1114, e.value
            cur.execute("SELECT COUNT(*) FROM t")
            kept = cur.fetchone()[0]
        said = errors(s)
        assert any("[MY-012639] [InnoDB] No space left on the device" in e and "Free space" in e for e in said), said
        assert len(said) < 10, said
        s.query("DROP TABLE t", db="d")
        goes_on(s)
        assert kept > 5
        assert s.stop() == 0
    finally:
        if s.alive():
            s.kill()
        s.log.close()
        subprocess.run(["umount", str(tmp_path)], check=False)


def test_a_full_folder_of_temporary_files(tmp_path):
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(tmp_path)], capture_output=True).returncode:
        pytest.skip("a file system of its own cannot be mounted here")
    s = Server(options=[*OPTIONS, f"--tmpdir={tmp_path}", "--sort-buffer-size=32K", "--tmp-table-size=16K"])
    try:
        s.start()
        s.query("CREATE DATABASE d")
        large = ("SET cte_max_recursion_depth = 100000", "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 50000) SELECT REPEAT(MD5(n), 10) x FROM r ORDER BY x")
        with s.connect(database="d") as c, c.cursor() as cur:
            cur.execute(large[0])
            for _ in range(5):
                with pytest.raises(pymysql.err.MySQLError):
                    cur.execute(large[1])
            cur.execute("SELECT 1")
        line(s, 12639, "No space left on the device", str(tmp_path), "temporary files", "Free space")
        assert len(errors(s)) == 1, errors(s)
        assert s.stop() == 0
    finally:
        if s.alive():
            s.kill()
        s.remove()
        subprocess.run(["umount", str(tmp_path)], check=False)
