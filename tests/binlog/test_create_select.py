"""CREATE TABLE ... SELECT through the log: one transaction (`CREATE TABLE ... START TRANSACTION` and rows) for replicas by GTID and by file, workers,
`mysqlbinlog | mysql`; kill -9 of the replica and of a server in the middle leaves the table with all its rows, or none."""
import contextlib
import os
import random
import subprocess
import threading

import pymysql
import pytest

from binlog.test_replica import GTIDS, KINDS, caught_up, pair, point, run, started_again, state, status
from clients.test_replay import server, statements
from lib.servers import MySQL, Server
from lib.wait import until

FILES = ["--gtid-mode=OFF", "--enforce-gtid-consistency=OFF"]
ROUNDS = int(os.environ.get("EVENKEEL_REPLICA_ROUNDS", 4))
SCHEMA = """CREATE DATABASE d
CREATE TABLE d.s (id INT PRIMARY KEY, a VARCHAR(20), j JSON, e ENUM('p','q'), t TIMESTAMP NULL)
INSERT INTO d.s WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 500) SELECT i, CONCAT('ü', i), JSON_OBJECT('i', i), 1 + i % 2, '2020-02-29 12:00:00' FROM r"""
TABLES = """CREATE TABLE d.of_rows SELECT * FROM d.s
CREATE TABLE d.of_none SELECT * FROM d.s WHERE id > 5000
CREATE TABLE d.keyed (id INT AUTO_INCREMENT, g INT AS (LENGTH(a)), PRIMARY KEY (id), KEY (a)) SELECT id, a FROM d.s
CREATE TABLE d.ignored (PRIMARY KEY (b)) IGNORE SELECT id DIV 2 AS b, a FROM d.s
CREATE TABLE d.`quo``ted` REPLACE SELECT 1 AS `a b`, j, t FROM d.s
CREATE TABLE IF NOT EXISTS d.of_rows SELECT 1 AS id
CREATE TABLE d.large SELECT a.id, REPEAT('x', 500) AS b FROM d.s AS a, d.s AS b WHERE b.id < 5
INSERT INTO d.keyed (a) VALUES ('next')
DELETE FROM d.of_rows WHERE id % 3 = 0"""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", [GTIDS, FILES], ids=["gtids", "files"])
def test_replicated(kind, options):
    with pair(kind, options) as (s, r):
        begin = s.query("SHOW BINARY LOG STATUS")[0][:2]
        run(s, SCHEMA + "\n" + TABLES)
        r.query("SET GLOBAL replica_parallel_workers = 3")
        point(s, r, "SOURCE_AUTO_POSITION=1" if options == GTIDS else f"SOURCE_LOG_FILE='{begin[0]}', SOURCE_LOG_POS={begin[1]}")
        r.query("START REPLICA")
        caught_up(s, r)
        assert len(state(s)) == 7 and state(r) == state(s)
        for table in state(s):
            quoted = table.replace("`", "``")
            assert r.query(f"SHOW CREATE TABLE d.`{quoted}`") == s.query(f"SHOW CREATE TABLE d.`{quoted}`")
        # one transaction here, too
        lines = [e for f, *_ in r.query("SHOW BINARY LOGS") for e in r.query(f"SHOW BINLOG EVENTS IN '{f}'")]
        made = [n for n, e in enumerate(lines) if e[5].endswith("START TRANSACTION")]
        assert len(made) == 6
        for n in made:
            assert lines[n - 1][5] == "BEGIN" and lines[n - 2][2] in ("Gtid", "Anonymous_Gtid")
            end = next(m for m in range(n, len(lines)) if lines[m][2] == "Xid")
            assert {e[2] for e in lines[n + 1:end]} <= {"Table_map", "Write_rows"}


def test_nobody_sees_it_before():
    """Until COMMIT others wait to make a table of that name; ROLLBACK, the end of the connection and a failed COMMIT leave nothing, not even a file."""
    with server("--log-bin=bin") as source, server("--log-bin=bin") as s:
        files = lambda: sorted(p.name for p in (s.dir / "data").rglob("*.ibd"))  # noqa: E731
        s.query("CREATE DATABASE d")
        source.query("CREATE DATABASE d")
        source.query("FLUSH BINARY LOGS")
        source.query("CREATE TABLE d.t SELECT 1 AS a UNION ALL SELECT 2")
        source.query("UPDATE d.t SET a = 3 WHERE a = 2")
        source.query("FLUSH BINARY LOGS")
        format_event, begin, create, rows, commit, _, update, _ = statements((source.dir / "data/bin.000002").read_bytes())
        assert create.endswith("START TRANSACTION") and commit == "COMMIT"
        before = files()
        with s.connect() as c, c.cursor() as cur, s.connect() as other:
            def done(*texts):
                for text in texts:
                    cur.execute(text)
            other.query("SET lock_wait_timeout = 1")
            done(format_event, "USE d", begin, create, rows)
            with pytest.raises(pymysql.err.OperationalError) as e:
                other.query("CREATE TABLE d.t (b INT)")
            assert e.value.args[0] == 1205 and s.query("SHOW TABLES FROM d") == ()
            with pytest.raises(pymysql.err.MySQLError) as e:
                cur.execute(update)
            assert e.value.args[0] == 3977
            done("ROLLBACK")
            assert s.query("SHOW TABLES FROM d") == () and files() == before
            done(begin, create, rows)
        until(lambda: files() == before)
        with s.connect(database="d") as c, c.cursor() as cur:
            for text in (format_event, begin, create, rows, rows):
                cur.execute(text)
            cur.execute(commit)
        assert s.query("SELECT * FROM d.t") == ((1,), (2,), (1,), (2,))
        with s.connect(database="d") as c, c.cursor() as cur:
            for text in (format_event, begin, create.replace("`t`", "`u`")):
                cur.execute(text)
            with s.connect() as killer:
                killer.query(f"KILL {c.thread_id()}")
        until(lambda: s.query("SHOW TABLES FROM d") == (("t",),))


def replay_killed(s, texts, rng):
    """Replays and is killed meanwhile; whether all of it was acknowledged."""
    wait = threading.Timer(rng.random() * 0.06, s.kill)
    wait.start()
    try:
        with s.connect(database="d") as c, c.cursor() as cur:
            for text in texts:
                cur.execute(text)
        return True
    except (pymysql.err.MySQLError, OSError):
        return False
    finally:
        wait.join()


def test_killed_in_the_middle():
    """A server that is told table and rows by BINLOG, and one that runs the statement itself, are killed: the table is whole or not there."""
    rng = random.Random(int(os.environ.get("EVENKEEL_SEED", 1)))
    with server("--log-bin=bin") as source, server("--log-bin=bin") as s:
        for sql in SCHEMA.splitlines():
            source.query(sql)
            s.query(sql)
        source.query("FLUSH BINARY LOGS")
        source.query("CREATE TABLE d.t SELECT a.id FROM d.s AS a, d.s AS b WHERE b.id < 9")
        source.query("FLUSH BINARY LOGS")
        texts = list(statements((source.dir / "data/bin.000002").read_bytes()))
        seen = set()
        for n in range(ROUNDS):
            s.query("DROP TABLE IF EXISTS d.t")
            acked = replay_killed(s, texts if n % 2 else ["CREATE TABLE d.t SELECT a.id FROM d.s AS a, d.s AS b WHERE b.id < 9"], rng)
            s.start()
            there = s.query("SHOW TABLES FROM d LIKE 't'") != ()
            assert there or not acked
            seen.add(there)
            if there:
                assert s.query("SELECT COUNT(*) FROM d.t") == ((4000,),)
            logged = [e[5] for f, *_ in s.query("SHOW BINARY LOGS") for e in s.query(f"SHOW BINLOG EVENTS IN '{f}'") if "`t`" in e[5]]
            assert bool(logged and "CREATE" in logged[-1]) == there


@pytest.mark.parametrize("options", [GTIDS, FILES], ids=["gtids", "files"])
def test_replica_killed(options):
    """The replica is killed while tables are made, filled and dropped: it goes on where it was and is the same at the end."""
    with pair(Server, options) as (s, r):
        begin = s.query("SHOW BINARY LOG STATUS")[0][:2]
        run(s, SCHEMA)
        for n in range(120):
            s.query(f"CREATE TABLE d.t{n} (PRIMARY KEY (id)) SELECT id, a FROM d.s WHERE id % 120 <= {n}")
            if n % 3 == 0 and n:
                s.query(f"DROP TABLE d.t{n - 1}")
        point(s, r, "SOURCE_AUTO_POSITION=1" if options == GTIDS else f"SOURCE_LOG_FILE='{begin[0]}', SOURCE_LOG_POS={begin[1]}")
        r.query("START REPLICA")
        started_again(r, 5_000)
        caught_up(s, r)
        assert state(r) == state(s)


@pytest.mark.skipif(MySQL.folder() is None, reason="scripts/mysql-peer.sh has not been run")
def test_mysqlbinlog_and_mysql():
    """Both ways between Evenkeel and MySQL."""
    def binlogs(a, b):
        text = subprocess.run([*MySQL.program("usr/bin/mysqlbinlog"), "--no-defaults", "--read-from-remote-server", "--to-last-log", "-uroot",
                               f"--socket={a.socket}", "bin.000001"], capture_output=True, check=True).stdout
        done = subprocess.run([*MySQL.program("usr/bin/mysql"), "--no-defaults", "-uroot", f"--socket={b.socket}"], input=text, capture_output=True)
        assert done.returncode == 0, done.stderr
        assert b.query("SELECT GTID_SUBSET(@@gtid_executed, '%s')" % a.query("SELECT @@gtid_executed")[0][0].replace("\n", "")) == ((1,),)
    options = ["--log-bin=bin", "--server-id=1", *GTIDS]
    a, b, c = Server(options=options), MySQL(options=options), Server(options=options)
    with contextlib.ExitStack() as stack:
        for one in (a, b, c):
            stack.callback(one.remove)
            one.start()
        b.query("RESET BINARY LOGS AND GTIDS")
        run(a, SCHEMA + "\n" + TABLES)
        binlogs(a, b)
        assert state(b) == state(a)
        binlogs(b, c)
        assert state(c) == state(a) and status(c) is None
