"""What operators of a replica use: filters by options and by statement, errors that are passed over, the replication_* tables, waits for positions and
GTIDs, SHOW RELAYLOG EVENTS, START REPLICA UNTIL, SOURCE_DELAY."""
import time

import pymysql
import pytest

from binlog.test_replica import GTIDS, KINDS, applier_failed, caught_up, make, pair, point, run, state, status
from lib.servers import MySQL, Server
from lib.wait import until

NO_GTIDS = ["--gtid-mode=OFF", "--enforce-gtid-consistency=OFF"]


def rows(server, table):
    with server.connect(database="performance_schema") as c, c.cursor(pymysql.cursors.DictCursor) as cur:
        cur.execute(f"SELECT * FROM {table}")
        return cur.fetchall()


def error(server, sql):
    with pytest.raises(pymysql.err.MySQLError) as e:
        server.query(sql)
    return e.value.args[0]


CHANGES = """CREATE DATABASE a
CREATE DATABASE b
CREATE DATABASE c
CREATE TABLE a.t (i INT PRIMARY KEY)
CREATE TABLE a.skip_me (i INT)
CREATE TABLE b.t (i INT)
CREATE TABLE c.t (i INT)
INSERT INTO a.t VALUES (1), (2)
INSERT INTO a.skip_me VALUES (1)
INSERT INTO b.t VALUES (1)
INSERT INTO c.t VALUES (1), (2), (3)
USE a; UPDATE a.t, b.t SET a.t.i = a.t.i + 10, b.t.i = 5
DELETE FROM c.t WHERE i = 2"""


def fill(s):
    with s.connect() as c, c.cursor() as cur:
        for line in CHANGES.splitlines():
            # DDL is asked by its default schema first
            name = line.split("TABLE ")[1].split(".")[0] if "TABLE" in line else None
            for sql in ([f"USE {name}"] if name else []) + line.split("; "):
                cur.execute(sql)


def there(server):
    found = server.query("SELECT CONCAT(TABLE_SCHEMA, '.', TABLE_NAME) FROM information_schema.TABLES WHERE TABLE_SCHEMA IN ('a', 'b', 'c', 'd') ORDER BY 1")
    return {t: sorted(i for (i,) in server.query(f"SELECT * FROM {t}")) for (t,) in found}


@pytest.mark.parametrize("kind", KINDS)
def test_filters(kind):
    with pair(kind, replica=["--replicate-ignore-db=b", "--replicate-wild-ignore-table=a.skip%"]) as (s, r):
        point(s, r)
        r.query("START REPLICA")
        fill(s)
        caught_up(s, r)
        assert there(r) == {"a.t": [11, 12], "c.t": [1, 3]}
        # nothing is left of some transactions: their GTIDs count
        assert r.query("SELECT @@GLOBAL.gtid_executed") == s.query("SELECT @@GLOBAL.gtid_executed")
        assert (status(r)["Replicate_Ignore_DB"], status(r)["Replicate_Wild_Ignore_Table"]) == ("b", "a.skip%")
        assert error(r, "CHANGE REPLICATION FILTER REPLICATE_DO_DB = (a)") == 3085
        r.query("STOP REPLICA")
        r.query("CHANGE REPLICATION FILTER REPLICATE_IGNORE_DB = (), REPLICATE_WILD_IGNORE_TABLE = (), REPLICATE_DO_TABLE = (a.t, d.t), REPLICATE_REWRITE_DB = ((c, d))")
        r.query("CREATE DATABASE d")
        r.query("CREATE TABLE d.t (i INT)")
        r.query("START REPLICA")
        run(s, "INSERT INTO a.t VALUES (3)\nINSERT INTO c.t VALUES (9)\nINSERT INTO b.t VALUES (1)\nINSERT INTO a.skip_me VALUES (1)")
        caught_up(s, r)
        assert there(r) == {"a.t": [3, 11, 12], "c.t": [1, 3], "d.t": [9]}
        told = [(f["FILTER_NAME"], f["FILTER_RULE"], f["CONFIGURED_BY"]) for f in rows(r, "replication_applier_filters")]
        assert told == [("REPLICATE_DO_TABLE", "a.t,d.t", "CHANGE_REPLICATION_FILTER"), ("REPLICATE_REWRITE_DB", "(c,d)", "CHANGE_REPLICATION_FILTER")]
        assert len(rows(r, "replication_applier_global_filters")) == 2
        r.query("STOP REPLICA")
        assert error(r, "CHANGE REPLICATION FILTER REPLICATE_WILD_DO_TABLE = ('x')") == 3067
        assert error(r, "CHANGE REPLICATION FILTER REPLICATE_DO_TABLE = (x)") == 1064
        # they end with the server
        r.kill()
        r.start()
        assert [f["CONFIGURED_BY"] for f in rows(r, "replication_applier_filters")] == ["STARTUP_OPTIONS"] * 2


@pytest.mark.parametrize("by", ["gtid", "file"])
def test_skipped_errors(by):
    options = [] if by == "gtid" else NO_GTIDS
    more = ["--replica-skip-errors=1062,1032,ddl_exist_errors"]
    with (pair(replica=more) if by == "gtid" else pair(options=options, replica=more)) as (s, r):
        where = "SOURCE_AUTO_POSITION=1"
        if by == "file":
            file, at = s.query("SHOW BINARY LOG STATUS")[0][:2]
            where = f"SOURCE_LOG_FILE='{file}', SOURCE_LOG_POS={at}"
        point(s, r, where)
        r.query("START REPLICA")
        run(s, "CREATE DATABASE d\nCREATE TABLE d.t (a INT PRIMARY KEY, b INT)\nINSERT INTO d.t VALUES (1, 1), (2, 2), (3, 3)")
        caught_up(s, r)
        run(r, "SET SESSION sql_log_bin = 0; DELETE FROM d.t WHERE a = 2; INSERT INTO d.t VALUES (5, 55); CREATE TABLE d.there (a INT)")
        # of one statement the rows that can be are changed
        run(s, "UPDATE d.t SET b = b + 10\nINSERT INTO d.t VALUES (4, 4), (5, 5), (6, 6)\nCREATE TABLE d.there (a INT, b INT)\nINSERT INTO d.t VALUES (7, 7)")
        caught_up(s, r)
        assert r.query("SELECT a, b FROM d.t ORDER BY a") == ((1, 11), (3, 13), (4, 4), (5, 55), (6, 6), (7, 7))
        assert status(r)["Last_SQL_Errno"] == 0
        # another error ends the applier
        run(r, "SET SESSION sql_log_bin = 0; DROP TABLE d.there; CREATE VIEW d.there AS SELECT 1")
        run(s, "INSERT INTO d.there VALUES (1, 1)\nALTER TABLE d.there ADD COLUMN c INT")
        until(lambda: status(r)["Replica_SQL_Running"] == "No")


def test_idempotent():
    with pair() as (s, r):
        point(s, r)
        r.query("SET GLOBAL replica_exec_mode = IDEMPOTENT")
        r.query("START REPLICA")
        run(s, "CREATE DATABASE d\nCREATE TABLE d.t (a INT PRIMARY KEY, b INT)\nINSERT INTO d.t VALUES (1, 1), (2, 2)")
        caught_up(s, r)
        run(r, "SET SESSION sql_log_bin = 0; DELETE FROM d.t WHERE a = 2; INSERT INTO d.t VALUES (3, 33)")
        run(s, "INSERT INTO d.t VALUES (3, 3)\nDELETE FROM d.t WHERE a = 2")
        caught_up(s, r)
        assert state(r) == state(s)


def test_performance_schema():
    with pair() as (s, r):
        assert not rows(r, "replication_connection_configuration") and not rows(r, "replication_applier_status_by_worker")
        point(s, r, "SOURCE_AUTO_POSITION=1, SOURCE_HEARTBEAT_PERIOD=0.5, SOURCE_DELAY=1")
        (c,) = rows(r, "replication_connection_configuration")
        assert (c["CHANNEL_NAME"], c["HOST"], c["PORT"], c["USER"], c["AUTO_POSITION"], c["HEARTBEAT_INTERVAL"]) == ("", "127.0.0.1", s.port, "repl", "1", 0.5)
        (c,) = rows(r, "replication_connection_status")
        assert (c["SERVICE_STATE"], c["LAST_QUEUED_TRANSACTION"], c["LAST_HEARTBEAT_TIMESTAMP"]) == ("OFF", "", "0000-00-00 00:00:00.000000")
        r.query("START REPLICA")
        run(s, "CREATE DATABASE d\nCREATE TABLE d.t (a INT PRIMARY KEY)\nINSERT INTO d.t VALUES (1)")
        until(lambda: status(r)["SQL_Remaining_Delay"] is not None, why=lambda: status(r))
        caught_up(s, r)
        until(lambda: rows(r, "replication_connection_status")[0]["COUNT_RECEIVED_HEARTBEATS"] > 0)
        uuid = s.query("SELECT @@server_uuid")[0][0]
        (c,) = rows(r, "replication_connection_status")
        assert (c["SERVICE_STATE"], c["SOURCE_UUID"], c["LAST_QUEUED_TRANSACTION"], c["QUEUEING_TRANSACTION"]) == ("ON", uuid, f"{uuid}:3", "")
        assert c["RECEIVED_TRANSACTION_SET"] == f"{uuid}:1-3"
        assert c["LAST_QUEUED_TRANSACTION_ORIGINAL_COMMIT_TIMESTAMP"] <= c["LAST_QUEUED_TRANSACTION_END_QUEUE_TIMESTAMP"]
        (a,) = rows(r, "replication_applier_configuration")
        assert (a["DESIRED_DELAY"], a["REQUIRE_TABLE_PRIMARY_KEY_CHECK"]) == (1, "STREAM")
        (a,) = rows(r, "replication_applier_status")
        assert (a["SERVICE_STATE"], a["REMAINING_DELAY"], a["COUNT_TRANSACTIONS_RETRIES"]) == ("ON", None, 0)
        until(lambda: any(w["LAST_APPLIED_TRANSACTION"] == f"{uuid}:3" for w in rows(r, "replication_applier_status_by_worker")))
        w = [w for w in rows(r, "replication_applier_status_by_worker") if w["LAST_APPLIED_TRANSACTION"] == f"{uuid}:3"][0]
        assert (w["SERVICE_STATE"], w["LAST_ERROR_NUMBER"], w["APPLYING_TRANSACTION"]) == ("ON", 0, "")
        # not before its time
        assert (w["LAST_APPLIED_TRANSACTION_START_APPLY_TIMESTAMP"] - w["LAST_APPLIED_TRANSACTION_IMMEDIATE_COMMIT_TIMESTAMP"]).total_seconds() < 60
        assert (w["LAST_APPLIED_TRANSACTION_END_APPLY_TIMESTAMP"] - w["LAST_APPLIED_TRANSACTION_IMMEDIATE_COMMIT_TIMESTAMP"]).total_seconds() > 0.0
        # a wait for a lock that takes too long is another try
        r.query("SET GLOBAL innodb_lock_wait_timeout = 1")
        r.query("STOP REPLICA")
        r.query("CHANGE REPLICATION SOURCE TO SOURCE_DELAY=0")
        r.query("START REPLICA")
        with r.connect(autocommit=False) as c, c.cursor() as cur:
            cur.execute("SELECT * FROM d.t FOR UPDATE")
            run(s, "UPDATE d.t SET a = 9")
            until(lambda: rows(r, "replication_applier_status")[0]["COUNT_TRANSACTIONS_RETRIES"] > 0)
            assert any(w["APPLYING_TRANSACTION_LAST_TRANSIENT_ERROR_NUMBER"] == 1205 for w in rows(r, "replication_applier_status_by_worker"))
        caught_up(s, r)
        # an error
        run(r, "SET SESSION sql_log_bin = 0; DELETE FROM d.t")
        run(s, "DELETE FROM d.t")
        until(lambda: rows(r, "replication_applier_status")[0]["SERVICE_STATE"] == "OFF")
        told = [w for w in rows(r, "replication_applier_status_by_worker") if w["LAST_ERROR_NUMBER"]]
        assert told and told[0]["LAST_ERROR_NUMBER"] == 1032 and "Can't find record in 't'" in told[0]["LAST_ERROR_MESSAGE"]
        with r.connect() as c, c.cursor() as cur:
            cur.execute("CREATE USER w@localhost")
        with r.connect(user="w") as c, c.cursor() as cur, pytest.raises(pymysql.err.MySQLError) as e:
            cur.execute("SELECT * FROM performance_schema.replication_connection_configuration")
        assert e.value.args[0] == 1142


def test_waits():
    with pair() as (s, r):
        run(s, "CREATE DATABASE d\nCREATE TABLE d.t (a INT)\nINSERT INTO d.t VALUES (1)")
        file, at = s.query("SHOW BINARY LOG STATUS")[0][:2]
        gtids = s.query("SELECT @@GLOBAL.gtid_executed")[0][0]
        assert r.query(f"SELECT SOURCE_POS_WAIT('{file}', {at}, 1)") == ((None,),)
        assert r.query(f"SELECT WAIT_FOR_EXECUTED_GTID_SET('{gtids}', 0.1)") == ((1,),)
        point(s, r)
        r.query("START REPLICA")
        assert r.query(f"SELECT WAIT_FOR_EXECUTED_GTID_SET('{gtids}')") == ((0,),)
        assert r.query(f"SELECT SOURCE_POS_WAIT('{file}', {at}, 60) >= 0, SOURCE_POS_WAIT('{file}', {at + 1}, 0.2), SOURCE_POS_WAIT('{file}', {at}, 1, '')") == ((1, -1, 0),)
        assert r.query("SELECT SOURCE_POS_WAIT('x', 4, 1), SOURCE_POS_WAIT(NULL, 4), SOURCE_POS_WAIT('bin.000001', NULL, 1)") == ((None, None, None),)
        assert error(r, "SELECT SOURCE_POS_WAIT('bin.000001', 4, -1)") == 1210 and error(r, "SELECT SOURCE_POS_WAIT('bin.000001')") == 1582
        with r.connect() as c, c.cursor() as cur:
            cur.execute(f"SELECT MASTER_POS_WAIT('{file}', {at})")
            cur.execute("SHOW WARNINGS")
            assert [w[1] for w in cur.fetchall()] == [1287]
        # the applier's end ends the wait
        with r.connect() as c, c.cursor() as cur:
            cur._query(f"SELECT SOURCE_POS_WAIT('{file}', {at + 1}, 1)")
            r.query("STOP REPLICA SQL_THREAD")


def test_relay_log_events():
    with pair() as (s, r):
        assert r.query("SHOW RELAYLOG EVENTS") == ()
        point(s, r)
        r.query("START REPLICA IO_THREAD")
        run(s, "CREATE DATABASE d\nCREATE TABLE d.t (a INT)\nINSERT INTO d.t VALUES (1)")
        gtids = s.query("SELECT @@GLOBAL.gtid_executed")[0][0]
        until(lambda: status(r)["Retrieved_Gtid_Set"] == gtids)
        file = status(r)["Relay_Log_File"]
        events = r.query(f"SHOW RELAYLOG EVENTS IN '{file}'")
        assert [e[2] for e in events[:3]] == ["Format_desc", "Previous_gtids", "Rotate"] and all(e[0] == file for e in events)
        wanted = [e[2] for e in s.query(f"SHOW BINLOG EVENTS IN '{status(r)['Source_Log_File']}'") if e[2] not in ("Previous_gtids", "Format_desc")]
        assert [e[2] for e in events][-len(wanted):] == wanted
        assert r.query(f"SHOW RELAYLOG EVENTS IN '{file}' FROM {events[3][1]} LIMIT 1, 2") == events[4:6]
        assert error(r, "SHOW RELAYLOG EVENTS IN 'gone'") == 1220


def test_until():
    with pair() as (s, r):
        run(s, "CREATE DATABASE d\nCREATE TABLE d.t (a INT)\nINSERT INTO d.t VALUES (1)")
        uuid = s.query("SELECT @@server_uuid")[0][0]
        places = []
        for n in range(2, 8):
            run(s, f"INSERT INTO d.t VALUES ({n})")
            places.append(s.query("SHOW BINARY LOG STATUS")[0][:2])
        point(s, r)

        def applied():
            until(lambda: status(r)["Replica_SQL_Running"] == "No", why=lambda: status(r))
            assert not status(r)["Last_SQL_Error"]
            return r.query("SELECT MAX(a) FROM d.t")[0][0]
        r.query(f"START REPLICA UNTIL SQL_BEFORE_GTIDS = '{uuid}:5-6'")
        assert applied() == 2 and status(r)["Until_Condition"] == "SQL_BEFORE_GTIDS"
        r.query(f"START REPLICA UNTIL SQL_AFTER_GTIDS = '{uuid}:5-6'")
        assert applied() == 4
        file, at = places[3]
        r.query(f"START REPLICA UNTIL SOURCE_LOG_FILE = '{file}', SOURCE_LOG_POS = {at}")
        assert applied() == 5 and (status(r)["Until_Log_File"], status(r)["Until_Log_Pos"]) == (file, at)
        # a place inside a transaction: it is applied whole
        r.query(f"START REPLICA UNTIL SOURCE_LOG_FILE = '{file}', SOURCE_LOG_POS = {at + 1}")
        assert applied() == 6
        r.query(f"START REPLICA UNTIL SQL_AFTER_GTIDS = '{uuid}:1-5'")
        assert applied() == 6
        # up to a place of the relay log: the beginning of the last transaction there, then inside of it
        r.query("START REPLICA IO_THREAD")
        until(lambda: status(r)["Retrieved_Gtid_Set"].endswith("-9") or status(r)["Retrieved_Gtid_Set"].endswith(":9"), why=lambda: status(r))
        file = status(r)["Relay_Log_File"]
        begins = [e[1] for e in r.query(f"SHOW RELAYLOG EVENTS IN '{file}'") if e[2] == "Gtid"][-1]
        for pos, last in ((4, 6), (begins, 6), (begins + 1, 7)):
            r.query(f"START REPLICA SQL_THREAD UNTIL RELAY_LOG_FILE = '{file}', RELAY_LOG_POS = {pos}")
            assert applied() == last
            now = status(r)
            assert (now["Until_Condition"], now["Until_Log_File"], now["Until_Log_Pos"]) == ("Relay", file, pos)
            assert now["Relay_Log_File"] == file and (now["Relay_Log_Pos"] >= pos or last == 6)
        r.query("START REPLICA")
        caught_up(s, r)
        assert r.query("SELECT MAX(a) FROM d.t") == ((7,),) and status(r)["Until_Condition"] == "None"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("algorithm", ["zlib", "zstd"])
def test_compressed_connections(kind, algorithm):
    """What the source sends is compressed on its way."""
    with pair(kind, source=[f"--protocol-compression-algorithms={algorithm},uncompressed"]) as (s, r):
        point(s, r, "SOURCE_AUTO_POSITION=1, SOURCE_COMPRESSION_ALGORITHMS='zstd,zlib', SOURCE_ZSTD_COMPRESSION_LEVEL=5")
        r.query("START REPLICA")
        run(s, "CREATE DATABASE d\nCREATE TABLE d.t (a INT PRIMARY KEY, b LONGTEXT)")
        # small, and larger than a piece and than a packet
        s.query("INSERT INTO d.t VALUES (1, 'x')")
        s.query("SET GLOBAL max_allowed_packet = 1073741824")
        s.query("INSERT INTO d.t VALUES (2, REPEAT('y', 20000000))")
        caught_up(s, r)
        assert r.query("SELECT a, LENGTH(b), MD5(b) FROM d.t") == s.query("SELECT a, LENGTH(b), MD5(b) FROM d.t")
        if kind is MySQL:  # Evenkeel counts bytes before they are compressed
            assert int(s.query("SHOW GLOBAL STATUS LIKE 'Bytes_sent'")[0][1]) < 10_000_000
        row = r.query("SELECT COMPRESSION_ALGORITHM, ZSTD_COMPRESSION_LEVEL FROM performance_schema.replication_connection_configuration")
        assert row == (("zstd,zlib", 5),)
        # none that both have
        r.query("STOP REPLICA")
        r.query(f"CHANGE REPLICATION SOURCE TO SOURCE_COMPRESSION_ALGORITHMS='{'zlib' if algorithm == 'zstd' else 'zstd'}'")
        r.query("START REPLICA IO_THREAD")
        until(lambda: status(r)["Last_IO_Errno"] == 2066, why=lambda: status(r))


def test_tables_without_primary_keys():
    """REQUIRE_TABLE_PRIMARY_KEY_CHECK: as on the source, never, always."""
    with pair() as (s, r):
        point(s, r)
        r.query("START REPLICA")
        run(s, "CREATE DATABASE d\nCREATE TABLE d.a (a INT)")
        caught_up(s, r)
        # the source's session says that it need not; this server's setting does not count
        r.query("SET GLOBAL sql_require_primary_key = ON")
        run(s, "CREATE TABLE d.b (a INT)")
        caught_up(s, r)
        r.query("STOP REPLICA")
        r.query("CHANGE REPLICATION SOURCE TO REQUIRE_TABLE_PRIMARY_KEY_CHECK = ON")
        r.query("CHANGE REPLICATION SOURCE TO PRIVILEGE_CHECKS_USER = NULL, REQUIRE_ROW_FORMAT = 0")
        assert r.query("SELECT REQUIRE_TABLE_PRIMARY_KEY_CHECK FROM performance_schema.replication_applier_configuration") == (("ON",),)
        r.stop()
        r.start()
        run(s, "CREATE TABLE d.c (a INT)")
        applier_failed(r, 3750)
        r.query("CHANGE REPLICATION SOURCE TO REQUIRE_TABLE_PRIMARY_KEY_CHECK = OFF")
        run(s, "SET SESSION sql_require_primary_key = 0; CREATE TABLE d.e (a INT)")
        r.query("START REPLICA")
        caught_up(s, r)
        assert len(r.query("SHOW TABLES FROM d")) == 4


def test_delay():
    with pair() as (s, r):
        run(s, "CREATE DATABASE d\nCREATE TABLE d.t (a INT)")
        point(s, r, "SOURCE_AUTO_POSITION=1, SOURCE_DELAY=3")
        r.query("START REPLICA")
        caught_up(s, r)
        run(s, "INSERT INTO d.t VALUES (1)")
        at = s.query("SELECT UNIX_TIMESTAMP()")[0][0]
        until(lambda: status(r)["SQL_Remaining_Delay"] is not None, why=lambda: status(r))
        now = status(r)
        assert now["Replica_SQL_Running_State"] == "Waiting until SOURCE_DELAY seconds after source executed event"
        assert now["SQL_Delay"] == 3
        caught_up(s, r)
        assert time.time() >= at + 2
        # it does not hold up STOP REPLICA
        run(s, "INSERT INTO d.t VALUES (2)")
        until(lambda: status(r)["SQL_Remaining_Delay"] is not None)
        r.query("STOP REPLICA")
        assert r.query("SELECT MAX(a) FROM d.t") == ((1,),)


CASCADES = """CREATE DATABASE d
CREATE TABLE d.p (id INT PRIMARY KEY, x INT)
CREATE TABLE d.c (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES d.p (id) ON DELETE CASCADE ON UPDATE CASCADE)
CREATE TABLE d.g (id INT PRIMARY KEY, c INT, FOREIGN KEY (c) REFERENCES d.c (id) ON DELETE SET NULL ON UPDATE CASCADE)
CREATE TABLE d.own (id INT PRIMARY KEY, up INT, FOREIGN KEY (up) REFERENCES d.own (id) ON DELETE CASCADE)
INSERT INTO d.p VALUES (1, 1), (2, 2), (5, 5), (9, 9)
INSERT INTO d.c VALUES (10, 1), (20, 2), (50, 5), (51, 5)
INSERT INTO d.g VALUES (100, 10), (200, 20), (500, 50)
INSERT INTO d.own VALUES (1, NULL), (2, 1), (3, 2), (4, NULL)
UPDATE d.p SET id = id + 1 WHERE id < 3 ORDER BY id DESC
UPDATE d.c SET id = id + 10 WHERE id < 30 ORDER BY id DESC
DELETE FROM d.p WHERE id = 5
DELETE FROM d.own WHERE id = 1
UPDATE d.p SET x = 7
SET SESSION foreign_key_checks = 0; DELETE FROM d.p WHERE id = 3
SET SESSION foreign_key_checks = 0; INSERT INTO d.c VALUES (77, 77)
INSERT INTO d.c VALUES (90, 9)"""


@pytest.mark.parametrize("native", ["ON", "OFF"])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_cascades_twice(kind, native):
    """A MySQL whose SQL layer does foreign keys logs the children's rows, too; one where InnoDB does them, as 8.4, and Evenkeel do not."""
    if kind is Server and native == "OFF":
        pytest.skip("Evenkeel has one kind of foreign keys")
    more = [] if kind is Server else [f"--innodb-native-foreign-keys={native}"]
    with pair(kind, source=more) as (s, r):
        third = make(Server, 3, *GTIDS).start()
        try:
            point(s, r)
            point(r, third, user="root", password="")
            r.query("START REPLICA")
            third.query("START REPLICA")
            run(s, CASCADES)
            caught_up(s, r)
            assert state(r) == state(s)
            # what it logs itself is as good
            caught_up(r, third)
            assert state(third) == state(s)
            # what is here alone cascades and is looked at all the same, as on a MySQL
            run(r, "SET SESSION sql_log_bin = 0; INSERT INTO d.p VALUES (30, 0), (31, 0); INSERT INTO d.c VALUES (991, 30)")
            run(s, "INSERT INTO d.p VALUES (40, 0), (41, 0)")
            caught_up(s, r)
            run(r, "SET SESSION sql_log_bin = 0; INSERT INTO d.c VALUES (992, 40), (993, 41)")
            run(s, "DELETE FROM d.p WHERE id = 40\nUPDATE d.p SET id = 42 WHERE id = 41")
            caught_up(s, r)
            assert r.query("SELECT id, p FROM d.c WHERE id > 900") == ((991, 30), (993, 42))
        finally:
            third.remove()


def shown(server, name):
    return dict(server.query(f"SHOW STATUS LIKE '{name}'")).get(name)


@pytest.mark.skipif(MySQL.folder() is None, reason="scripts/mysql-peer.sh has not been run")
def test_semi_synchronous_to_mysql():
    """A MySQL that waits for this replica hears of each transaction before it answers its client, and what it heard of outlives kill -9."""
    with pair(MySQL, replica=["--rpl-semi-sync-replica-enabled=ON"]) as (s, r):
        s.query("INSTALL PLUGIN rpl_semi_sync_source SONAME 'semisync_source.so'")
        s.query("SET GLOBAL rpl_semi_sync_source_enabled = ON, GLOBAL rpl_semi_sync_source_timeout = 600000")
        assert r.query("SELECT @@GLOBAL.rpl_semi_sync_replica_enabled, @@GLOBAL.rpl_semi_sync_replica_trace_level") == ((1, 32),)
        point(s, r)
        assert shown(r, "Rpl_semi_sync_replica_status") == "OFF"
        r.query("START REPLICA IO_THREAD")
        until(lambda: shown(s, "Rpl_semi_sync_source_clients") == "1" and shown(r, "Rpl_semi_sync_replica_status") == "ON")
        run(s, "CREATE DATABASE d\nCREATE TABLE d.t (a INT PRIMARY KEY)")
        for n in range(20):
            run(s, f"INSERT INTO d.t VALUES ({n})")
        gtids = s.query("SELECT @@GLOBAL.gtid_executed")[0][0]
        assert status(r)["Retrieved_Gtid_Set"] == gtids
        assert (shown(s, "Rpl_semi_sync_source_yes_tx"), shown(s, "Rpl_semi_sync_source_no_tx")) == ("22", "0")
        # the source is gone for good, the replica was killed: it has what its relay log has
        s.kill()
        r.kill()
        r.start()
        until(lambda: r.query("SELECT @@GLOBAL.gtid_executed")[0][0] == gtids, why=lambda: status(r))
        assert r.query("SELECT COUNT(*) FROM d.t") == ((20,),)
        s.start()


def test_semi_synchronous_to_who_cannot():
    with pair(replica=["--rpl-semi-sync-replica-enabled=ON"]) as (s, r):
        run(s, "CREATE DATABASE d")
        point(s, r)
        r.query("START REPLICA")
        caught_up(s, r)
