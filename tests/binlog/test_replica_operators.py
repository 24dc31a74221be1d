"""What operators of a replica use: filters by options and by statement, errors that are passed over, the replication_* tables, waits for positions and
GTIDs, SHOW RELAYLOG EVENTS, START REPLICA UNTIL, SOURCE_DELAY."""
import time

import pymysql
import pytest

from binlog.test_replica import KINDS, caught_up, pair, point, run, state, status
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
        assert error(r, "START REPLICA UNTIL RELAY_LOG_FILE = 'x', RELAY_LOG_POS = 4") == 1235
        r.query("START REPLICA")
        caught_up(s, r)
        assert r.query("SELECT MAX(a) FROM d.t") == ((7,),) and status(r)["Until_Condition"] == "None"


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
