"""File descriptors: many tables under a small `ulimit -n`, with DDL, a crash and recovery; connections have theirs in reserve; who finds none is told."""
import os
import pathlib
import resource
import sys
import time

import pymysql
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lib.cpu import cpu_seconds  # noqa: E402
from lib.servers import Server  # noqa: E402

TABLES = int(os.environ.get("EVENKEEL_TABLES", 400))
LIMIT = int(os.environ.get("EVENKEEL_ULIMIT", 250))


class Limited(Server):
    def command(self):
        return ["bash", "-c", f'ulimit -n {LIMIT}; exec "$0" "$@"', *super().command()]


def descriptors(s):
    return len(os.listdir(f"/proc/{s.process.pid}/fd"))


def variable(s, name):
    return int(s.query(f"SELECT @@GLOBAL.{name}")[0][0])


def test_many_tables_few_descriptors():
    s = Limited(options=["--innodb-flush-log-at-trx-commit=2"]).start()
    try:
        assert variable(s, "open_files_limit") == LIMIT
        files, connections = variable(s, "innodb_open_files"), variable(s, "max_connections")
        assert 10 <= files and files + connections <= LIMIT
        s.query("CREATE DATABASE d")
        with s.connect(database="d") as c, c.cursor() as cur:
            for n in range(TABLES):
                cur.execute(f"CREATE TABLE t{n} (a INT PRIMARY KEY, b VARCHAR(100), KEY (b))")
                cur.execute(f"INSERT INTO t{n} VALUES ({n}, 'x'), ({n} + 1, 'y')")
                if n % 10 == 0:
                    cur.execute(f"ALTER TABLE t{n} ADD COLUMN c INT DEFAULT 5, ALGORITHM=COPY")
            cur.execute("SHOW GLOBAL STATUS LIKE 'Innodb_num_open_files'")
            assert int(cur.fetchone()[1]) <= files + 2
        # every connection that is promised one has a descriptor
        held = [s.connect() for _ in range(min(connections, 60))]
        assert descriptors(s) <= LIMIT
        for c in held:
            with c.cursor() as cur:
                cur.execute("SELECT SUM(a) FROM d.t7")
                assert int(cur.fetchone()[0]) == 15
        s.kill()
        [c.close() for c in held]
        s.start()
        with s.connect(database="d") as c, c.cursor() as cur:
            for n in range(TABLES):
                cur.execute(f"SELECT SUM(a) FROM t{n}")
                assert int(cur.fetchone()[0]) == 2 * n + 1
            for n in range(0, TABLES, 2):
                cur.execute(f"DROP TABLE t{n}")
            cur.execute("SELECT COUNT(*), SUM(data_length > 0) FROM information_schema.tables WHERE table_schema = 'd'")
            assert [int(v) for v in cur.fetchone()] == [TABLES // 2] * 2
        assert s.stop() == 0
    finally:
        s.remove()


def test_limits_follow_from_each_other():
    """innodb_open_files and the others as asked, as far as there are descriptors."""
    s = Server(options=["--innodb-open-files=77", "--max-connections=30", "--table-open-cache=500"]).start()
    try:
        assert [variable(s, v) for v in ("innodb_open_files", "max_connections", "table_open_cache")] == [77, 30, 500]
        assert variable(s, "open_files_limit") >= 1024
    finally:
        s.remove()
    # the soft limit is raised, the hard one kept
    s = Server(options=["--max-connections=100"])
    plain = s.command
    s.command = lambda: ["bash", "-c", 'ulimit -Sn 100; ulimit -Hn 3000; exec "$0" "$@"', *plain()]
    s.start()
    try:
        assert variable(s, "open_files_limit") == 3000
        assert (variable(s, "max_connections"), variable(s, "table_open_cache"), variable(s, "innodb_open_files")) == (100, 1445, 1445)
        assert "Changed limits: max_open_files: 3000 (requested 8110)" in s.log_tail()
    finally:
        s.remove()


@pytest.mark.parametrize("way", ["socket", "tcp"])
def test_a_client_without_a_descriptor_is_told(way):
    s = Server().start()
    address = {} if way == "socket" else {"host": "127.0.0.1"}
    held, told = [], 0
    try:
        with s.connect() as c, c.cursor() as cur:
            highest = max(int(n) for n in os.listdir(f"/proc/{s.process.pid}/fd"))
            before = resource.prlimit(s.process.pid, resource.RLIMIT_NOFILE)
            resource.prlimit(s.process.pid, resource.RLIMIT_NOFILE, (highest + 1, before[1]))
            # an `accept` that waits has its descriptor already, and the server closes what it can do without
            for _ in range(60):
                try:
                    held.append(s.connect(connect_timeout=20, read_timeout=20, **address))
                except pymysql.err.OperationalError as e:
                    assert e.args[0] == 1040, e
                    told += 1
            assert told >= 20, "nobody was told"
            begun = cpu_seconds(s.process.pid)
            time.sleep(1)
            assert cpu_seconds(s.process.pid) - begun < 0.5, "it spins"
            cur.execute("SELECT 1")
            assert s.log_tail(100_000).count("Error in accept") <= 3
            resource.prlimit(s.process.pid, resource.RLIMIT_NOFILE, before)
            held.append(s.connect())
        for c in held:
            c.close()
        assert s.stop() == 0
    finally:
        s.remove()
