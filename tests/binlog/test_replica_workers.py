"""A replica that applies with several workers (docs/replica.md, "Workers"): equal to its source after kill -9 among independent and dependent transactions and
DDL; what waits for what; who gives way to whom; the transaction at which an error stops all of them; UNTIL."""
import random
import threading
import time
import warnings

import pymysql
import pytest

from binlog.replica_random import SHARED, checksums, own, sharing
from binlog.test_replica import GTIDS, KINDS, applier_failed, caught_up, pair, point, run, started_again, status
from lib.wait import until, waits

FILES = ["--gtid-mode=OFF", "--enforce-gtid-consistency=OFF"]
WORKERS = ["--replica-parallel-workers=4"]


def here(s):
    """CHANGE REPLICATION SOURCE's options for the place where the source's log ends."""
    file, at = s.query("SHOW BINARY LOG STATUS")[0][:2]
    return f"SOURCE_LOG_FILE='{file}', SOURCE_LOG_POS={at}"


def workers(r):
    return r.query("SELECT WORKER_ID, SERVICE_STATE, LAST_ERROR_NUMBER, LAST_ERROR_MESSAGE FROM performance_schema.replication_applier_status_by_worker ORDER BY 1")


def states(r):
    return [s for (s,) in r.query("SELECT STATE FROM information_schema.PROCESSLIST WHERE USER = 'system user'")]


def local(c, *statements):
    with c.cursor() as cur:
        cur.execute("SET sql_log_bin = 0")
        for sql in statements:
            cur.execute(sql)


@pytest.mark.parametrize("by", ["gtid", "file", "any order"])
@pytest.mark.parametrize("kind", KINDS)
def test_killed_among_shared_rows(kind, by):
    """Clients change rows of the same tables, one makes and drops tables of its own."""
    warnings.simplefilter("ignore")
    order = ["--replica-preserve-commit-order=OFF"] if by == "any order" else []
    with pair(kind, FILES if by == "file" else GTIDS, replica=[*WORKERS, *order, "--restrict-fk-on-non-standard-key=OFF"]) as (s, r):
        s.query("SET GLOBAL restrict_fk_on_non_standard_key = 0")
        point(s, r, here(s) if by == "file" else "SOURCE_AUTO_POSITION=1")
        for sql in SHARED:
            s.query(sql)
        r.query("START REPLICA")
        over = threading.Event()

        def going():
            return not over.is_set()

        count = {"done": 0, "failed": 0}
        threads = [threading.Thread(target=sharing, args=(s, random.Random(f"s{i}"), going, count, "ROW")) for i in range(3)]
        threads.append(threading.Thread(target=own, args=(s, random.Random("o"), "o", going, count, "ROW")))
        [t.start() for t in threads]
        try:
            started_again(r, 40_000)
        finally:
            over.set()
            [t.join() for t in threads]
        caught_up(s, r)
        assert count["done"] > 100 and checksums(r) == checksums(s)
        assert [w[:3] for w in workers(r)] == [(n, "ON", 0) for n in range(1, 5)]


TABLES = """CREATE DATABASE d
CREATE TABLE d.a (id INT PRIMARY KEY, n INT)
CREATE TABLE d.b (id INT PRIMARY KEY, n INT)
INSERT INTO d.a VALUES (1, 0), (2, 0), (3, 0), (4, 0)
INSERT INTO d.b VALUES (1, 0), (2, 0), (3, 0), (4, 0)"""


def transaction(s, *statements):
    with s.connect(autocommit=False) as c, c.cursor() as cur:
        for sql in statements:
            cur.execute(sql)
        c.commit()


def held(s, r, more=(), auto="SOURCE_AUTO_POSITION=1"):
    """The replica has the tables; a client there has row 1 of d.a locked."""
    point(s, r, auto)
    run(s, TABLES)
    r.query("START REPLICA")
    caught_up(s, r)
    c = r.connect(autocommit=False)
    local(c, *more, "BEGIN", "SELECT * FROM d.a WHERE id = 1 FOR UPDATE")
    return c


def same(s, r):
    caught_up(s, r)
    for t in ("d.a", "d.b"):
        assert r.query(f"SELECT * FROM {t} ORDER BY id") == s.query(f"SELECT * FROM {t} ORDER BY id")


def committed(r):
    return r.query("SELECT n FROM d.a ORDER BY id") + r.query("SELECT n FROM d.b ORDER BY id")


@pytest.mark.parametrize("by", ["gtid", "file"])
def test_order_of_commits(by):
    """What is independent is applied beside the first, which waits for a row, and commits behind it."""
    with pair(options=GTIDS if by == "gtid" else FILES, replica=WORKERS) as (s, r):
        c = held(s, r, auto="SOURCE_AUTO_POSITION=1" if by == "gtid" else here(s))
        before = committed(r)
        for sql in ("UPDATE d.a SET n = 1 WHERE id = 1", "UPDATE d.a SET n = 2 WHERE id = 2", "UPDATE d.b SET n = 3 WHERE id = 3", "UPDATE d.b SET n = n + 3 WHERE id = 3"):
            s.query(sql)
        until(lambda: states(r).count("Waiting for preceding transaction to commit") == 2 and "Waiting for dependent transaction to commit" in states(r), why=lambda: states(r))
        assert committed(r) == before
        applying = r.query("SELECT COUNT(*) FROM performance_schema.replication_applier_status_by_worker WHERE APPLYING_TRANSACTION <> ''")
        assert applying == ((3,),)
        assert len(r.query("SELECT * FROM performance_schema.replication_applier_status_by_coordinator WHERE SERVICE_STATE = 'ON'")) == 1
        # STOP takes back what has not committed
        r.query("STOP REPLICA")
        assert committed(r) == before and [w[1:3] for w in workers(r)] == [("OFF", 0)] * 4
        r.query("START REPLICA")
        c.rollback()
        same(s, r)
        assert "Replica has read all relay log; waiting for more updates" in states(r)


def test_any_order():
    """With replica_preserve_commit_order=OFF the GTIDs say what is missing, also after kill -9."""
    with pair(replica=[*WORKERS, "--replica-preserve-commit-order=OFF"]) as (s, r):
        c = held(s, r)
        for sql in ("UPDATE d.a SET n = 1 WHERE id = 1", "UPDATE d.a SET n = n + 2 WHERE id = 2", "UPDATE d.b SET n = n + 3 WHERE id = 3"):
            s.query(sql)
        until(lambda: committed(r) == ((0,), (2,), (0,), (0,), (0,), (0,), (3,), (0,)), why=lambda: committed(r))
        gtids = r.query("SELECT @@GLOBAL.gtid_executed")[0][0]
        assert gtids.split(":")[1:] == ["1-5", "7-8"], gtids
        r.kill()
        c.close()
        r.start()
        same(s, r)
        r.query("STOP REPLICA")
        r.query("CHANGE REPLICATION SOURCE TO SOURCE_AUTO_POSITION=0")
        with pytest.raises(pymysql.err.MySQLError) as e:
            r.query("START REPLICA")
        assert e.value.args[0] == 1235 and "replica_preserve_commit_order" in e.value.args[1]
        r.query("SET GLOBAL replica_preserve_commit_order = ON")
        r.query("START REPLICA")


def test_who_waits_for_its_turn_gives_way():
    """Without its primary key the replica's table is locked whole by who changes a row. The second transaction has it and waits for the first, which needs it."""
    with pair(replica=WORKERS) as (s, r):
        c = held(s, r, ["ALTER TABLE d.b DROP PRIMARY KEY"])
        transaction(s, "UPDATE d.a SET n = 1 WHERE id = 1", "UPDATE d.b SET n = 1 WHERE id = 1")
        transaction(s, "UPDATE d.b SET n = 2 WHERE id = 2")
        until(lambda: "Waiting for preceding transaction to commit" in states(r), why=lambda: states(r))
        began = time.monotonic()
        c.rollback()
        same(s, r)
        # by the wait-for graph, not by innodb_lock_wait_timeout
        assert time.monotonic() - began < 45
        assert r.query("SELECT COUNT_TRANSACTIONS_RETRIES FROM performance_schema.replication_applier_status") == ((0,),)


def test_who_waits_for_its_turn_gives_way_to_ddl():
    """A client's ALTER TABLE waits for the second transaction, and the first for it."""
    with pair(replica=WORKERS) as (s, r):
        c = held(s, r)
        transaction(s, "UPDATE d.a SET n = 1 WHERE id = 1", "UPDATE d.b SET n = 1 WHERE id = 1")
        transaction(s, "UPDATE d.b SET n = 2 WHERE id = 2")
        until(lambda: "Waiting for preceding transaction to commit" in states(r), why=lambda: states(r))
        other = r.connect()
        alter = threading.Thread(target=local, args=(other, "ALTER TABLE d.b ADD COLUMN m INT, ALGORITHM=COPY"))
        alter.start()
        waits(r, other)
        c.rollback()
        alter.join()
        until(lambda: r.query("SELECT id, n FROM d.b") == s.query("SELECT id, n FROM d.b"), why=lambda: status(r))


def test_tried_again():
    with pair(replica=[*WORKERS, "--innodb-lock-wait-timeout=1", "--replica-transaction-retries=100"]) as (s, r):
        c = held(s, r)
        s.query("UPDATE d.a SET n = 1 WHERE id = 1")
        s.query("UPDATE d.a SET n = 2 WHERE id = 2")
        until(lambda: r.query("SELECT COUNT_TRANSACTIONS_RETRIES > 1 FROM performance_schema.replication_applier_status") == ((1,),))
        told = r.query("SELECT APPLYING_TRANSACTION_LAST_TRANSIENT_ERROR_NUMBER FROM performance_schema.replication_applier_status_by_worker"
                       " WHERE APPLYING_TRANSACTION_RETRIES_COUNT > 1")
        assert told == ((1205,),)
        c.rollback()
        same(s, r)


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_stops_all_at_its_transaction(kind):
    with pair(kind, replica=WORKERS) as (s, r):
        point(s, r)
        run(s, TABLES)
        r.query("START REPLICA")
        caught_up(s, r)
        r.query("STOP REPLICA")
        local(r.connect(), "INSERT INTO d.a VALUES (50, 0)", "DELETE FROM d.b WHERE id = 4")
        for n in range(10, 90):
            s.query(f"INSERT INTO d.a VALUES ({n}, {n})")
        uuid = s.query("SELECT @@server_uuid")[0][0]
        first = int(s.query("SELECT @@GLOBAL.gtid_executed")[0][0].rsplit("-", 1)[1]) - 79
        r.query("START REPLICA")
        until(lambda: status(r)["Replica_SQL_Running"] == "No")
        now = status(r)
        gtid = f"{uuid}:{first + 40}"
        assert now["Last_SQL_Errno"] == 1062
        failed = [w for w in workers(r) if w[2]]
        assert len(failed) == 1 and failed[0][1] == "OFF"
        n = failed[0][0]
        at = failed[0][3].split("end_log_pos ")[1].split(";")[0]
        begins = f"Worker {n} failed executing transaction '{gtid}' at source log bin."
        assert failed[0][3].startswith(begins) and "; Could not execute Write_rows event on table d.a; Duplicate entry '50' for key 'a.PRIMARY', Error_code: 1062; handler error" \
            " HA_ERR_FOUND_DUPP_KEY; the event's source log bin." in failed[0][3]
        assert now["Last_SQL_Error"].startswith(f"Coordinator stopped because there were error(s) in the worker(s). The most recent failure being: {begins}")
        assert now["Last_SQL_Error"].endswith(f", end_log_pos {at}. See error log and/or performance_schema.replication_applier_status_by_worker table for more details about"
                                              " this failure or others, if any.")
        # all before it, none behind it
        assert r.query("SELECT COUNT(*) FROM d.a WHERE id BETWEEN 10 AND 49") == ((40,),) and r.query("SELECT COUNT(*) FROM d.a WHERE id > 50") == ((0,),)
        local(r.connect(), "DELETE FROM d.a WHERE id = 50")
        r.query("START REPLICA")
        caught_up(s, r)
        s.query("UPDATE d.b SET n = 1 WHERE id = 4")
        applier_failed(r, 1032)
        assert any("Could not execute Update_rows event on table d.b; Can't find record in 'b', Error_code: 1032" in w[3] for w in workers(r))
        local(r.connect(), "INSERT INTO d.b VALUES (4, 0)")
        r.query("START REPLICA")
        same(s, r)


def test_until():
    with pair(replica=WORKERS) as (s, r):
        point(s, r)
        run(s, TABLES)
        r.query("START REPLICA")
        caught_up(s, r)
        r.query("STOP REPLICA SQL_THREAD")
        for n in range(10, 60):
            s.query(f"INSERT INTO d.a VALUES ({n}, {n})")
            if n == 39:
                place = s.query("SHOW BINARY LOG STATUS")[0][:2]
        s.query("ALTER TABLE d.a ADD COLUMN m INT")
        for n in range(60, 80):
            s.query(f"INSERT INTO d.a VALUES ({n}, {n}, {n})")
        uuid, last = s.query("SELECT @@GLOBAL.gtid_executed")[0][0].split(":1-")
        first = int(last) - 70

        def runs_until(what):
            r.query(f"START REPLICA SQL_THREAD UNTIL {what}")
            condition = status(r)["Until_Condition"]
            until(lambda: status(r)["Replica_SQL_Running"] == "No", why=lambda: status(r))
            assert not status(r)["Last_SQL_Error"]
            return condition, r.query("SELECT MAX(id) FROM d.a")[0][0]
        assert runs_until("SQL_AFTER_MTS_GAPS") == ("SQL_AFTER_MTS_GAPS", 4)
        assert runs_until(f"SQL_AFTER_GTIDS = '{uuid}:{first}-{first + 9}'") == ("SQL_AFTER_GTIDS", 19)
        assert runs_until(f"SQL_BEFORE_GTIDS = '{uuid}:{first + 20}'") == ("SQL_BEFORE_GTIDS", 29)
        assert runs_until(f"SOURCE_LOG_FILE = '{place[0]}', SOURCE_LOG_POS = {place[1]}") == ("Source", 39)
        assert runs_until(f"SQL_AFTER_GTIDS = '{uuid}:{first + 55}'") == ("SQL_AFTER_GTIDS", 64)
        r.query("START REPLICA SQL_THREAD")
        caught_up(s, r)
        assert r.query("SELECT * FROM d.a ORDER BY id") == s.query("SELECT * FROM d.a ORDER BY id")


def test_without_workers():
    """One thread reads and applies: it is the worker with number 0, and there is no coordinator."""
    with pair(replica=["--replica-parallel-workers=0"]) as (s, r):
        point(s, r)
        run(s, TABLES)
        r.query("START REPLICA")
        same(s, r)
        assert [w[:3] for w in workers(r)] == [(0, "ON", 0)] and r.query("SELECT * FROM performance_schema.replication_applier_status_by_coordinator") == ()


def test_a_backlog():
    """Many small transactions that depend on nothing: workers wait for their turn all the time, and nobody for ever."""
    with pair(replica=["--replica-parallel-workers=8"]) as (s, r):
        point(s, r)
        run(s, "CREATE DATABASE d\nCREATE TABLE d.a (id INT PRIMARY KEY, n INT)\nINSERT INTO d.a WITH RECURSIVE t (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM t WHERE i < 400)"
               " SELECT i, 0 FROM t\nCREATE PROCEDURE d.p () BEGIN DECLARE i INT DEFAULT 1; WHILE i <= 400 DO UPDATE d.a SET n = n + 1 WHERE id = i; SET i = i + 1; END WHILE; END")
        r.query("START REPLICA")
        caught_up(s, r)
        for _ in range(2):
            r.query("STOP REPLICA SQL_THREAD")
            for _ in range(3):
                s.query("CALL d.p()")
            r.query("START REPLICA SQL_THREAD")
            caught_up(s, r)
        assert r.query("SELECT MIN(n), MAX(n), COUNT(*) FROM d.a") == ((6, 6, 400),)
