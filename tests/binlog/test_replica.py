"""Evenkeel as a replica of Evenkeel and of MySQL: the same rows after changes of every kind, after stops, restarts and kill -9 in the middle; what
ends the threads (1062, 1032, purged files) and how it is shown; passwords and TLS."""
import contextlib
import os
import random
import threading

import pymysql
import pytest

from binlog.events_random import Family
from clients.test_replay import CHANGES, SCHEMA, TABLES
from lib.servers import MySQL, Server
from lib.wait import until

GTIDS = ["--gtid-mode=ON", "--enforce-gtid-consistency=ON"]
ROUNDS = int(os.environ.get("EVENKEEL_REPLICA_ROUNDS", 4))
KINDS = [Server, pytest.param(MySQL, marks=pytest.mark.skipif(MySQL.folder() is None, reason="scripts/mysql-peer.sh has not been run"))]


def make(kind, number, *options):
    return kind(options=["--log-bin=bin", f"--server-id={number}", *options])


@contextlib.contextmanager
def pair(kind=Server, options=GTIDS, replica=(), source=()):
    """A source and a replica that knows how to log in there, and nothing yet."""
    s, r = make(kind, 1, *options, *source), make(Server, 2, *options, *replica)
    try:
        s.start()
        r.start()
        with s.connect() as c, c.cursor() as cur:
            cur.execute("SET sql_log_bin = 0")
            cur.execute("CREATE USER repl@'%' IDENTIFIED BY 'p w'")
            cur.execute("GRANT REPLICATION SLAVE ON *.* TO repl@'%'")
        yield s, r
    finally:
        s.remove()
        r.remove()


def point(s, r, more="SOURCE_AUTO_POSITION=1", user="repl", password="p w"):
    r.query(f"CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT={s.port}, SOURCE_USER='{user}', SOURCE_PASSWORD='{password}', "
            f"SOURCE_CONNECT_RETRY=1, SOURCE_RETRY_COUNT=100, GET_SOURCE_PUBLIC_KEY=1, {more}")


def status(r):
    with r.connect() as c, c.cursor(pymysql.cursors.DictCursor) as cur:
        cur.execute("SHOW REPLICA STATUS")
        return cur.fetchone()


def errors(r):
    """What the applier's threads have failed with."""
    return r.query("SELECT LAST_ERROR_MESSAGE FROM performance_schema.replication_applier_status_by_worker WHERE LAST_ERROR_NUMBER > 0")


def applier_failed(r, code):
    """Waits until the applier has ended with this error. The error shows while its threads still end, and START REPLICA then finds it running and does nothing, as in MySQL."""
    until(lambda: status(r)["Replica_SQL_Running"] == "No", why=lambda: status(r))
    assert status(r)["Last_SQL_Errno"] == code, (status(r), errors(r))


def started_again(r, length):
    """Kills the replica, every fourth time stops it, and starts it: ROUNDS times, each when so many bytes more are applied."""
    for n in range(ROUNDS):
        seen = status(r)["Exec_Source_Log_Pos"]
        until(lambda: status(r)["Exec_Source_Log_Pos"] > seen + length or status(r)["Last_SQL_Error"], why=lambda: status(r))
        r.kill() if n % 4 != 3 else r.stop()
        r.start()


def caught_up(s, r):
    """Waits until the replica has applied what the source has logged."""
    def same():
        now = status(r)
        assert not now["Last_SQL_Error"], errors(r)
        if now["Auto_Position"]:
            return r.query(f"SELECT GTID_SUBSET('{wanted}', @@GLOBAL.gtid_executed)") == ((1,),)
        return (now["Relay_Source_Log_File"], now["Exec_Source_Log_Pos"]) == wanted
    if status(r)["Auto_Position"]:
        wanted = s.query("SELECT @@GLOBAL.gtid_executed")[0][0].replace("\n", "")
    else:
        wanted = s.query("SHOW BINARY LOG STATUS")[0][:2]
    until(same, why=lambda: status(r))


def state(server, schema="d"):
    tables = [t for (t,) in server.query(f"SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = '{schema}' AND TABLE_TYPE = 'BASE TABLE'"
                                         " ORDER BY 1")]
    quoted = {t: "`" + t.replace("`", "``") + "`" for t in tables}
    return {t: sorted(map(repr, server.query(f"SELECT * FROM {schema}.{q}"))) for t, q in quoted.items()}


MORE = """CREATE VIEW d.v AS SELECT id, a FROM d.t
CREATE PROCEDURE d.p (n INT) UPDATE d.nokey SET b = n
CALL d.p(11)
CREATE FUNCTION d.f (n INT) RETURNS INT DETERMINISTIC RETURN n + 1
INSERT INTO d.parent VALUES (d.f(40))
CREATE EVENT d.e ON SCHEDULE EVERY 1 DAY DO DELETE FROM d.t
CREATE USER u@localhost IDENTIFIED BY 'x'
GRANT SELECT ON d.* TO u@localhost
SET SESSION sql_mode = ''; CREATE TABLE d.zero (a DATE DEFAULT '0000-00-00')
SET SESSION sql_mode = ''; INSERT INTO d.zero VALUES ()
CREATE TABLE d.`quoted ``name``` (`a b` INT PRIMARY KEY, c VARCHAR(10) CHARACTER SET latin1)
INSERT INTO d.`quoted ``name``` VALUES (1, 'é')
SET SESSION timestamp = 1700000000; ALTER TABLE d.told ADD COLUMN at DATETIME DEFAULT CURRENT_TIMESTAMP
INSERT INTO d.told (what) VALUES ('now')
CREATE TABLE d.copy LIKE d.t
INSERT INTO d.copy (id, a) SELECT id, a FROM d.t
RENAME TABLE d.copy TO d.other
TRUNCATE TABLE d.other
CREATE INDEX i ON d.nokey (b)
DROP TABLE d.zero
SET SESSION binlog_row_image = MINIMAL; UPDATE d.t SET a = 'minimal' WHERE id = 1
SET SESSION binlog_transaction_compression = 1; INSERT INTO d.parent SELECT id + 1000 FROM d.t"""


def run(server, text):
    for line in text.splitlines():
        with server.connect() as c, c.cursor() as cur:
            for sql in line.split("; ") if line.startswith("SET SESSION") else [line]:
                cur.execute(sql)


@pytest.mark.parametrize("kind", KINDS)
def test_changes_of_every_kind(kind):
    with pair(kind) as (s, r):
        run(s, SCHEMA + "\n" + CHANGES)
        point(s, r)
        r.query("SET GLOBAL super_read_only = 1")
        r.query("START REPLICA")
        run(s, MORE)
        caught_up(s, r)
        assert set(TABLES) < set(state(s)) and state(r) == state(s)
        now = status(r)
        assert (now["Replica_IO_Running"], now["Replica_SQL_Running"]) == ("Yes", "Yes")
        assert now["Source_UUID"] == s.query("SELECT @@server_uuid")[0][0] and now["Source_Server_Id"] == 1
        assert r.query("SELECT STATUS FROM information_schema.EVENTS") in ((("REPLICA_SIDE_DISABLED",),), (("SLAVESIDE_DISABLED",),))
        assert r.query("SELECT d.f(1)") == ((2,),) and r.query("SELECT COUNT(*) FROM d.v") == s.query("SELECT COUNT(*) FROM d.v")
        assert r.query("SHOW GRANTS FOR u@localhost") == s.query("SHOW GRANTS FOR u@localhost")
        # its own log holds the same transactions, with the server where they were made
        assert r.query("SELECT @@GLOBAL.gtid_executed") == s.query("SELECT @@GLOBAL.gtid_executed")
        ids = {e[3] for f, *_ in r.query("SHOW BINARY LOGS") for e in r.query(f"SHOW BINLOG EVENTS IN '{f}'") if e[2] not in ("Format_desc", "Previous_gtids", "Stop")}
        assert ids == {1}
        # each transaction once
        told = [e[5] for f, *_ in r.query("SHOW BINARY LOGS") for e in r.query(f"SHOW BINLOG EVENTS IN '{f}'") if e[2] == "Gtid"]
        assert len(told) == len(set(told))
        # stopped, changed, started: nothing is missing and nothing done twice
        r.query("STOP REPLICA")
        assert (status(r)["Replica_IO_Running"], status(r)["Replica_SQL_Running"]) == ("No", "No")
        run(s, "INSERT INTO d.parent VALUES (77)\nDELETE FROM d.nokey\nFLUSH BINARY LOGS\nINSERT INTO d.nokey VALUES ('z', 1)")
        r.query("START REPLICA")
        caught_up(s, r)
        assert state(r) == state(s)


class Load:
    """Random changes of tables with foreign keys, DDL among them, until it is told to stop."""

    def __init__(self, source, seed):
        self.r, self.source, self.over, self.failed = random.Random(seed), source, False, None
        self.family = Family(self.r)
        run(source, "\n".join(["CREATE DATABASE d"]))
        with source.connect(database="d") as c, c.cursor() as cur:
            cur.execute("SET foreign_key_checks = 0")
            for sql in (*self.family.create(), *self.family.fill()):
                with contextlib.suppress(pymysql.err.MySQLError):
                    cur.execute(sql)
        self.thread = threading.Thread(target=self.work)
        self.thread.start()

    def work(self):
        try:
            n = 0
            with self.source.connect(database="d") as c, c.cursor() as cur:
                while not self.over:
                    n += 1
                    with contextlib.suppress(pymysql.err.MySQLError):
                        cur.execute(self.family.change())
                    if n % 4 == 0:
                        cur.execute(f"CREATE TABLE x{n} (a INT)")
                        cur.execute(f"INSERT INTO x{n} VALUES ({n})")
                        cur.execute(f"RENAME TABLE x{n} TO y{n}")
                        cur.execute(f"ALTER TABLE y{n} ADD COLUMN b INT DEFAULT {n}")
                        cur.execute(f"DROP TABLE y{n}" if n % 8 == 0 else f"CREATE VIEW v{n} AS SELECT a FROM y{n}")
        except BaseException as e:
            self.failed = e

    def end(self):
        self.over = True
        self.thread.join()
        if self.failed:
            raise self.failed


@pytest.mark.parametrize("by", ["gtid", "file"])
@pytest.mark.parametrize("kind", KINDS)
def test_killed_in_the_middle(kind, by):
    with pair(kind, GTIDS if by == "gtid" else ["--gtid-mode=OFF", "--enforce-gtid-consistency=OFF"]) as (s, r):
        where = "SOURCE_AUTO_POSITION=1"
        if by == "file":
            file, at = s.query("SHOW BINARY LOG STATUS")[0][:2]
            where = f"SOURCE_LOG_FILE='{file}', SOURCE_LOG_POS={at}"
        point(s, r, where)
        r.query("START REPLICA")
        load = Load(s, 11)
        try:
            started_again(r, 20_000)
        finally:
            load.end()
        caught_up(s, r)
        assert state(r) == state(s)


def test_what_stops_the_applier():
    with pair() as (s, r):
        point(s, r)
        r.query("START REPLICA")
        run(s, "CREATE DATABASE d\nCREATE TABLE d.t (a INT PRIMARY KEY, b INT)\nINSERT INTO d.t VALUES (1, 1), (2, 2)")
        caught_up(s, r)
        with r.connect() as c, c.cursor() as cur:
            cur.execute("SET sql_log_bin = 0")
            cur.execute("INSERT INTO d.t VALUES (3, 33)")
        run(s, "INSERT INTO d.t VALUES (3, 3)")
        until(lambda: status(r)["Replica_SQL_Running"] == "No")
        now = status(r)
        assert now["Last_SQL_Errno"] == 1062 and "Could not execute Write_rows event on table d.t; Duplicate entry '3' for key 't.PRIMARY', Error_code: 1062; " \
            "handler error HA_ERR_FOUND_DUPP_KEY; the event's source log bin." in errors(r)[0][0]
        with r.connect() as c, c.cursor() as cur:
            cur.execute("SET sql_log_bin = 0")
            cur.execute("DELETE FROM d.t WHERE a IN (2, 3)")
        r.query("START REPLICA")
        caught_up(s, r)
        run(s, "UPDATE d.t SET b = 5 WHERE a = 2")
        until(lambda: status(r)["Replica_SQL_Running"] == "No")
        now = status(r)
        assert now["Last_SQL_Errno"] == 1032 and "Could not execute Update_rows event on table d.t; Can't find record in 't'" in errors(r)[0][0]
        # the transaction is passed over by an empty one with its GTID
        gtid = s.query("SELECT @@GLOBAL.gtid_executed")[0][0].split(":")[0] + ":5"
        with r.connect() as c, c.cursor() as cur:
            for sql in (f"SET gtid_next = '{gtid}'", "BEGIN", "COMMIT", "SET gtid_next = 'AUTOMATIC'"):
                cur.execute(sql)
        r.query("START REPLICA")
        run(s, "INSERT INTO d.t VALUES (9, 9)")
        caught_up(s, r)
        assert r.query("SELECT a FROM d.t ORDER BY a") == ((1,), (3,), (9,))


def test_purged():
    with pair() as (s, r):
        run(s, "CREATE DATABASE d\nFLUSH BINARY LOGS\nCREATE TABLE d.t (a INT)")
        last = s.query("SHOW BINARY LOG STATUS")[0][0]
        s.query(f"PURGE BINARY LOGS TO '{last}'")
        point(s, r)
        r.query("START REPLICA")
        until(lambda: status(r)["Replica_IO_Running"] == "No")
        now = status(r)
        assert now["Last_IO_Errno"] == 13114 and now["Last_IO_Error"].startswith(
            "Got fatal error 1236 from source when reading data from binary log: 'Cannot replicate because the source purged required binary logs.")


def test_statements():
    def error(sql):
        with pytest.raises(pymysql.err.MySQLError) as e:
            r.query(sql)
        return e.value.args[0]
    r = make(Server, 2)
    try:
        r.start()
        assert status(r) is None
        assert error("START REPLICA") == 1200
        with r.connect() as c, c.cursor() as cur:  # there is nothing to stop, and MySQL says so (Vitess stops before it configures)
            for sql in ("STOP REPLICA", "STOP REPLICA IO_THREAD", "STOP REPLICA FOR CHANNEL ''"):
                cur.execute(sql)
                cur.execute("SHOW WARNINGS")
                assert [(w[0], w[1]) for w in cur.fetchall()] == [("Note", 3084)], sql
        assert error("CHANGE REPLICATION SOURCE TO SOURCE_HOST='x', SOURCE_AUTO_POSITION=1") == 1777
        # in MySQL's order: 1776 where there are GTIDs (test_replica_options.py)
        assert error("CHANGE REPLICATION SOURCE TO SOURCE_AUTO_POSITION=1, SOURCE_LOG_POS=4") == 1777
        for refused in ("SOURCE_CONNECTION_AUTO_FAILOVER=1", "RELAY_LOG_FILE='r.000001'", "RELAY_LOG_POS=4"):
            assert error(f"CHANGE REPLICATION SOURCE TO {refused}") == 1235
        assert error("START REPLICA FOR CHANNEL 'c'") == 3074
        with r.connect() as c, c.cursor() as cur:
            cur.execute("CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT=1, SOURCE_USER='u', SOURCE_PASSWORD='p', SOURCE_RETRY_COUNT=2, SOURCE_CONNECT_RETRY=1")
            cur.execute("SHOW WARNINGS")
            assert [(w[0], w[1]) for w in cur.fetchall()] == [("Note", 1759), ("Note", 1760)]
        r.query("START REPLICA")
        assert status(r)["Replica_SQL_Running"] == "Yes"
        assert error("CHANGE REPLICATION SOURCE TO SOURCE_HOST='y'") in (3021, 3081) and error("RESET REPLICA") == 3081
        until(lambda: status(r)["Replica_IO_Running"] == "No")
        now = status(r)
        assert now["Last_IO_Errno"] == 2003 and "Error connecting to source 'u@127.0.0.1:1'. This was attempt 2/2, with a delay of 1 seconds" in now["Last_IO_Error"]
        r.query("STOP REPLICA")
        # what was said outlives the server, and RESET REPLICA ALL forgets it
        r.kill()
        r.start()
        assert (status(r)["Source_Host"], status(r)["Source_Port"], status(r)["Source_User"]) == ("127.0.0.1", 1, "u")
        r.query("STOP REPLICA")
        r.query("RESET REPLICA ALL")
        assert status(r) is None
        r.query("CREATE USER w@localhost")
        with r.connect(user="w") as c, c.cursor() as cur:
            for sql in ("START REPLICA", "STOP REPLICA", "CHANGE REPLICATION SOURCE TO SOURCE_HOST='x'", "SHOW REPLICA STATUS"):
                with pytest.raises(pymysql.err.MySQLError) as e:
                    cur.execute(sql)
                assert e.value.args[0] == 1227
    finally:
        r.remove()


@pytest.mark.parametrize("kind", KINDS)
def test_passwords_and_tls(kind):
    with pair(kind) as (s, r):
        ca = s.dir / "data/ca.pem"
        run(s, "CREATE DATABASE d\nCREATE USER tls@'%' IDENTIFIED BY 'secret' REQUIRE SSL\nGRANT REPLICATION SLAVE ON *.* TO tls@'%'")
        for more, good in ((f"SOURCE_SSL=1, SOURCE_SSL_CA='{ca}'", True), ("SOURCE_SSL=1, SOURCE_SSL_CA=''", True), ("SOURCE_SSL=0", False)):
            point(s, r, more + ", SOURCE_AUTO_POSITION=1, SOURCE_RETRY_COUNT=1", user="tls", password="secret")
            r.query("START REPLICA")
            until(lambda: status(r)["Replica_IO_Running"] != "Connecting")
            now = status(r)
            assert (now["Replica_IO_Running"] == "Yes") == good, now["Last_IO_Error"]
            r.query("STOP REPLICA")
        point(s, r, "SOURCE_AUTO_POSITION=1, SOURCE_RETRY_COUNT=1", password="wrong")
        r.query("START REPLICA")
        until(lambda: status(r)["Replica_IO_Running"] == "No")
        assert status(r)["Last_IO_Errno"] == 1045
        r.query("STOP REPLICA")


def test_a_position_beyond_4_gib_is_refused():
    """COM_BINLOG_DUMP has 32 bits: what stands at the position without its upper bits is something else."""
    with pair(options=()) as (s, r):
        file = s.query("SHOW BINARY LOG STATUS")[0][0]
        point(s, r, f"SOURCE_LOG_FILE='{file}', SOURCE_LOG_POS={2 ** 32 + 4}")
        r.query("START REPLICA")
        until(lambda: status(r)["Last_IO_Error"])
        assert f"position {2 ** 32 + 4} of '{file}' is beyond 4 GiB" in status(r)["Last_IO_Error"] and status(r)["Last_IO_Errno"] == 13117


def test_statements_bring_their_locale():
    with pair() as (s, r):
        point(s, r)
        s.query("CREATE DATABASE d")
        with s.connect() as c, c.cursor() as cur:
            cur.execute("SET binlog_format = 'STATEMENT'")
            cur.execute("CREATE TABLE d.t (a INT PRIMARY KEY, b VARCHAR(40) CHARACTER SET utf8mb4)")
            for n, name in enumerate(["de_DE", "ru_RU", "en_US", "fr_FR", "en_US"]):
                cur.execute(f"SET lc_time_names = '{name}'")
                cur.execute(f"INSERT INTO d.t VALUES ({n}, DATE_FORMAT('2026-03-{n + 1}', '%W %M'))")
            cur.execute("SET lc_time_names = 'es_ES'")
            cur.execute("CREATE VIEW d.v AS SELECT MONTHNAME('2026-01-01') m")
        r.query("START REPLICA")
        caught_up(s, r)
        assert r.query("SELECT * FROM d.t") == s.query("SELECT * FROM d.t") and len({b for _, b in r.query("SELECT * FROM d.t")}) == 5
        assert "März" in r.query("SELECT b FROM d.t WHERE a = 0")[0][0] and not status(r)["Last_SQL_Error"]
