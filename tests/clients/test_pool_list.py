"""The list of the buffer pool's pages: a restarted server is warm; requests, status variables, what is not a list."""
import re
import time

import pymysql
import pytest

from lib.servers import Server
from lib.wait import PATIENCE

OPTIONS = ["--innodb-buffer-pool-dump-pct=100", "--innodb-buffer-pool-size=6M"]
DONE = r"Buffer pool\(s\) {} completed at \d{{6}} [ \d]\d:\d\d:\d\d"


def status(server, name):
    return server.query(f"SHOW GLOBAL STATUS LIKE '{name}'")[0][1]


def settled(server, what, pattern):
    end = time.time() + PATIENCE
    while not re.match(pattern, status(server, f"Innodb_buffer_pool_{what}_status")):
        assert time.time() < end, status(server, f"Innodb_buffer_pool_{what}_status")
        time.sleep(0.05)


def pages_of_t(server):
    return server.query("SELECT COUNT(*) FROM information_schema.INNODB_BUFFER_PAGE WHERE TABLE_NAME = '`d`.`t`' AND PAGE_TYPE = 'INDEX'")[0][0]


def restart(server, *options):
    server.stop()
    server.options = [*OPTIONS, *options]
    server.start()


def test_a_restart_is_warm():
    s = Server(options=OPTIONS).start()
    try:
        assert "No such file" in status(s, "Innodb_buffer_pool_load_status")
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE d.t (a INT PRIMARY KEY, b VARCHAR(1000))")
        s.query("SET SESSION cte_max_recursion_depth = 100000")
        s.query("INSERT INTO d.t WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 900) SELECT i, REPEAT('x', 1000) FROM n")
        had = pages_of_t(s)
        assert had > 50
        restart(s)
        settled(s, "load", DONE.format("load"))
        assert pages_of_t(s) == had
        reads = int(status(s, "Innodb_buffer_pool_reads"))
        assert s.query("SELECT SUM(LENGTH(b)) FROM d.t")[0][0] == 900000
        assert int(status(s, "Innodb_buffer_pool_reads")) - reads < 5
        # not loaded: cold; and the list stays as it was while nothing is dumped
        restart(s, "--innodb-buffer-pool-load-at-startup=OFF", "--innodb-buffer-pool-dump-at-shutdown=OFF")
        assert status(s, "Innodb_buffer_pool_load_status") == "Loading of buffer pool not started"
        assert pages_of_t(s) == 0
        s.query("SET GLOBAL innodb_buffer_pool_load_now = ON")
        settled(s, "load", DONE.format("load"))
        assert pages_of_t(s) == had
        assert s.query("SELECT @@innodb_buffer_pool_load_now")[0][0] == 0
        # a crash leaves the last list; another name, and a share of the pool
        s.query("SET GLOBAL innodb_buffer_pool_filename = 'other'")
        s.query("SET GLOBAL innodb_buffer_pool_dump_pct = 1")
        s.query("SET GLOBAL innodb_buffer_pool_dump_now = ON")
        settled(s, "dump", DONE.format("dump"))
        lines = (s.dir / "data" / "other").read_text().split()
        frames = int(status(s, "Innodb_buffer_pool_pages_total"))
        assert len(lines) == frames // 100 and all(re.fullmatch(r"\d+,\d+", line) for line in lines)
        s.kill()
        s.start()
        settled(s, "load", "Loading of buffer pool not started")
        # lines about what is gone do no harm, what is no list is said
        (s.dir / "data" / "other").write_text("4000000,7\n" + "".join(f"3,{n}\n" for n in range(5000, 5200)))
        s.query("SET GLOBAL innodb_buffer_pool_filename = 'other'")
        s.query("SET GLOBAL innodb_buffer_pool_load_now = ON")
        settled(s, "load", DONE.format("load"))
        (s.dir / "data" / "other").write_text("hello\n")
        s.query("SET GLOBAL innodb_buffer_pool_load_now = ON")
        settled(s, "load", "Error parsing")
        assert s.query("SELECT SUM(LENGTH(b)) FROM d.t")[0][0] == 900000
        assert s.query("CHECK TABLE d.t")[0][3] == "OK"
        with pytest.raises(pymysql.MySQLError):
            s.query("SET GLOBAL innodb_buffer_pool_load_now = 'perhaps'")
    finally:
        s.remove()
