"""Channels: what the statements about them say, beside MySQL's recorded answers; several sources feed one replica, each channel with its relay log, position,
filters and threads; restarts and kill -9 with several of them; what an older data directory has."""
import contextlib
import os
import random
import threading

import pymysql
import pytest

from binlog import peers
from binlog.test_replica import GTIDS, KINDS, make
from lib.servers import MySQL, Server
from lib.wait import until

FILES = ["--gtid-mode=OFF", "--enforce-gtid-consistency=OFF"]
ROUNDS = int(os.environ.get("EVENKEEL_REPLICA_ROUNDS", 3))


def test_statements():
    """The answers, in the order of the file, are MySQL's."""
    s = Server(options=["--log-bin=bin", "--server-id=1", *peers.OPTIONS["channels"]])
    try:
        s.start()
        wanted = peers.recorded("channels")
        assert [q for q, _ in wanted] == peers.statements("channels")
        ours = peers.told(s, settled=[lines for _, lines in wanted])
        different = [(q, told, lines) for (q, told), (_, lines) in zip(ours, wanted) if told != lines]
        assert not different, "\n".join(map(repr, different))
    finally:
        s.stop()
        s.remove()


@contextlib.contextmanager
def sources(kinds=(Server, Server), options=GTIDS, replica=(), numbers=(1, 2)):
    """Sources and a replica that knows how to log in there."""
    all_of_them = [make(kind, n, *options) for n, kind in zip(numbers, kinds)]
    r = make(Server, 9, *options, *replica)
    try:
        for s in [*all_of_them, r]:
            s.start()
        for s in all_of_them:
            with s.connect() as c, c.cursor() as cur:
                cur.execute("SET sql_log_bin = 0")
                cur.execute("CREATE USER repl@'%' IDENTIFIED BY 'p w'")
                cur.execute("GRANT REPLICATION SLAVE ON *.* TO repl@'%'")
        yield *all_of_them, r
    finally:
        for s in [*all_of_them, r]:
            s.remove()


def point(s, r, channel, more="SOURCE_AUTO_POSITION=1"):
    r.query(f"CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT={s.port}, SOURCE_USER='repl', SOURCE_PASSWORD='p w', SOURCE_CONNECT_RETRY=1,"
            f" SOURCE_RETRY_COUNT=100, GET_SOURCE_PUBLIC_KEY=1, {more} FOR CHANNEL '{channel}'")


def here(s):
    file, at = s.query("SHOW BINARY LOG STATUS")[0][:2]
    return f"SOURCE_LOG_FILE='{file}', SOURCE_LOG_POS={at}"


def status(r, channel):
    with r.connect() as c, c.cursor(pymysql.cursors.DictCursor) as cur:
        cur.execute(f"SHOW REPLICA STATUS FOR CHANNEL '{channel}'")
        return cur.fetchone()


def caught_up(s, r, channel):
    now = status(r, channel)
    if now["Auto_Position"]:
        wanted = s.query("SELECT @@GLOBAL.gtid_executed")[0][0].replace("\n", "")
    else:
        wanted = s.query("SHOW BINARY LOG STATUS")[0][:2]

    def same():
        now = status(r, channel)
        assert not now["Last_SQL_Error"], (now, r.query("SELECT CHANNEL_NAME, LAST_ERROR_MESSAGE FROM performance_schema.replication_applier_status_by_worker"))
        if now["Auto_Position"]:
            return r.query(f"SELECT GTID_SUBSET('{wanted}', @@GLOBAL.gtid_executed)") == ((1,),)
        return (now["Relay_Source_Log_File"], now["Exec_Source_Log_Pos"]) == wanted
    until(same, why=lambda: status(r, channel))


def files(r, word=""):
    return sorted(f.name for f in (r.dir / "data").iterdir() if "relay" in f.name and word in f.name)


def error(r, sql):
    with pytest.raises(pymysql.err.MySQLError) as e:
        r.query(sql)
    return e.value.args[0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("by", ["gtid", "file"])
def test_two_sources(kind, by):
    with sources((kind, Server), GTIDS if by == "gtid" else FILES) as (a, b, r):
        for s, name in ((a, "one"), (b, "Two-2")):
            point(s, r, name, "SOURCE_AUTO_POSITION=1" if by == "gtid" else here(s))
        r.query("START REPLICA")
        for n, s in enumerate((a, b)):
            s.query(f"CREATE DATABASE d{n}")
            s.query(f"CREATE TABLE d{n}.t (id INT PRIMARY KEY, n INT)")
            for i in range(20):
                s.query(f"INSERT INTO d{n}.t VALUES ({i}, {n})")
            s.query(f"CREATE USER u{n}@localhost")
        for s, name in ((a, "one"), (b, "two-2")):
            caught_up(s, r, name)
        for n in range(2):
            assert r.query(f"SELECT COUNT(*), SUM(n) FROM d{n}.t") == ((20, 20 * n),)
        assert r.query("SELECT COUNT(*) FROM mysql.user WHERE user IN ('u0', 'u1')") == ((2,),)
        # each has files, threads and rows of its own
        names = [f for f in files(r) if not f.endswith("index")]
        assert any("-one.0000" in f for f in names) and any("-two@002d2.0000" in f for f in names), names
        assert [x[0] for x in r.query("SELECT CHANNEL_NAME FROM performance_schema.replication_connection_status WHERE SERVICE_STATE = 'ON'")] == ["one", "two-2"]
        per_channel = r.query("SELECT CHANNEL_NAME, COUNT(*) FROM performance_schema.replication_applier_status_by_worker WHERE SERVICE_STATE = 'ON' GROUP BY CHANNEL_NAME")
        assert sorted(per_channel) == [("one", 4), ("two-2", 4)]
        ids = r.query("SELECT CHANNEL_NAME, SOURCE_UUID FROM performance_schema.replication_connection_status")
        assert [u for _, u in ids] == [s.query("SELECT @@server_uuid")[0][0] for s in (a, b)]
        told = r.query("SELECT JSON_EXTRACT(REPLICATION, '$.channels[*].channel_name') FROM performance_schema.log_status")
        assert told == (('["one", "two-2"]',),)
        # one waits, the other goes on; a wait is for one of them
        r.query("STOP REPLICA SQL_THREAD FOR CHANNEL 'one'")
        a.query("INSERT INTO d0.t VALUES (100, 1)")
        b.query("INSERT INTO d1.t VALUES (100, 1)")
        file, at = b.query("SHOW BINARY LOG STATUS")[0][:2]
        assert r.query(f"SELECT SOURCE_POS_WAIT('{file}', {at}, 60, 'TWO-2') >= 0") == ((1,),)
        assert r.query(f"SELECT SOURCE_POS_WAIT('{file}', {at}, 60, 'one')") == ((None,),)
        assert r.query("SELECT COUNT(*) FROM d0.t WHERE id = 100") + r.query("SELECT COUNT(*) FROM d1.t WHERE id = 100") == ((0,), (1,))
        events = r.query("SHOW RELAYLOG EVENTS FOR CHANNEL 'one'")
        assert events and all("-one.0000" in e[0] for e in events)
        # files follow, also in the middle of what is received
        before = files(r, "-two")
        r.query("FLUSH RELAY LOGS FOR CHANNEL 'two-2'")
        b.query("INSERT INTO d1.t VALUES (101, 1)")
        caught_up(b, r, "two-2")
        until(lambda: files(r, "-two") != before)
        # a restart goes on with both
        r.stop()
        r.start()
        for s, name in ((a, "one"), (b, "two-2")):
            s.query(f"INSERT INTO d{int(s is b)}.t VALUES (200, 1)")
            caught_up(s, r, name)
        for n in range(2):
            assert r.query(f"SELECT COUNT(*) FROM d{n}.t WHERE id >= 100") == (((2,),), ((3,),))[n]
        # one goes, the other stays
        assert error(r, "RESET REPLICA ALL") == 3081
        r.query("STOP REPLICA FOR CHANNEL 'one'")
        r.query("RESET REPLICA ALL FOR CHANNEL 'one'")
        assert error(r, "START REPLICA FOR CHANNEL 'one'") == 3074 and not files(r, "-one")
        r.kill()
        r.start()
        assert [x[0] for x in r.query("SELECT CHANNEL_NAME FROM performance_schema.replication_connection_configuration")] == ["two-2"]
        b.query("INSERT INTO d1.t VALUES (201, 1)")
        caught_up(b, r, "two-2")


@pytest.mark.parametrize("by", ["gtid", "file"])
def test_killed_with_two_sources(by):
    """kill -9 of the replica while both sources change: afterwards it has all of both, once, accounts included."""
    with sources(options=GTIDS if by == "gtid" else FILES, replica=["--replica-parallel-workers=4"]) as (a, b, r):
        for n, s in enumerate((a, b)):
            point(s, r, f"c{n}", "SOURCE_AUTO_POSITION=1" if by == "gtid" else here(s))
            s.query(f"CREATE DATABASE d{n}")
            s.query(f"CREATE TABLE d{n}.t (id INT AUTO_INCREMENT PRIMARY KEY, n INT)")
        r.query("START REPLICA")
        over, failed = threading.Event(), []

        def change(n, s):
            try:
                rnd, count = random.Random(n), 0
                with s.connect() as c, c.cursor() as cur:
                    while not over.is_set():
                        count += 1
                        cur.execute(f"INSERT INTO d{n}.t (n) VALUES ({count}), ({count})")
                        cur.execute(f"UPDATE d{n}.t SET n = n + 1 WHERE id = {rnd.randint(1, 2 * count)}")
                        if count % 20 == 0:
                            cur.execute(f"CREATE USER u{n}_{count}@localhost")
                            cur.execute(f"CREATE TABLE d{n}.t{count} (x INT)")
            except Exception as e:  # noqa: BLE001
                failed.append(e)
        threads = [threading.Thread(target=change, args=x) for x in enumerate((a, b))]
        [t.start() for t in threads]
        try:
            for _ in range(ROUNDS):
                seen = [status(r, f"c{n}")["Exec_Source_Log_Pos"] for n in range(2)]
                until(lambda: all(status(r, f"c{n}")["Exec_Source_Log_Pos"] > seen[n] + 20_000 or status(r, f"c{n}")["Last_SQL_Error"] for n in range(2)),
                      why=lambda: [status(r, f"c{n}") for n in range(2)])
                r.kill()
                r.start()
        finally:
            over.set()
            [t.join() for t in threads]
        assert not failed, failed
        for n, s in enumerate((a, b)):
            caught_up(s, r, f"c{n}")
            assert r.query(f"CHECKSUM TABLE d{n}.t") == s.query(f"CHECKSUM TABLE d{n}.t")
            for q in (f"SELECT COUNT(*) FROM mysql.user WHERE user LIKE 'u{n}%'", f"SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'd{n}'"):
                assert r.query(q) == s.query(q), q


def test_a_gtid_by_two_ways():
    """A source, a replica of it that is a source itself, and one that follows both: each transaction is applied once."""
    with sources(numbers=(1, 2)) as (a, b, r):
        point(a, b, "")
        b.query("START REPLICA")
        for name, s in (("direct", a), ("round", b)):
            point(s, r, name)
        r.query("START REPLICA")
        a.query("CREATE DATABASE d")
        a.query("CREATE TABLE d.t (id INT AUTO_INCREMENT PRIMARY KEY, n INT)")
        for i in range(200):
            a.query(f"INSERT INTO d.t (n) VALUES ({i})")
        a.query("CREATE USER u@localhost")
        for s, name in ((a, "direct"), (b, "round")):
            caught_up(a, r, name)
        caught_up(a, b, "")
        assert r.query("CHECKSUM TABLE d.t") == a.query("CHECKSUM TABLE d.t")
        assert r.query("SELECT @@GLOBAL.gtid_executed") == a.query("SELECT @@GLOBAL.gtid_executed")


def test_filters_of_channels():
    """Options and statements for one channel and for all."""
    options = ["--replicate-ignore-db=no", "--replicate-do-db=one:d0", "--replicate-rewrite-db=two:d1->other"]
    with sources(replica=options) as (a, b, r):
        for s, name in ((a, "one"), (b, "two")):
            point(s, r, name)
        shown = r.query("SELECT CHANNEL_NAME, FILTER_NAME, FILTER_RULE, CONFIGURED_BY FROM performance_schema.replication_applier_filters")
        assert shown == (("one", "REPLICATE_DO_DB", "d0", "STARTUP_OPTIONS_FOR_CHANNEL"), ("one", "REPLICATE_IGNORE_DB", "no", "STARTUP_OPTIONS"),
                         ("two", "REPLICATE_IGNORE_DB", "no", "STARTUP_OPTIONS"), ("two", "REPLICATE_REWRITE_DB", "(d1,other)", "STARTUP_OPTIONS_FOR_CHANNEL"))
        r.query("CREATE DATABASE other")
        r.query("START REPLICA")
        for d in ("d0", "d2", "no"):
            a.query(f"CREATE DATABASE {d}")
            a.query("CREATE TABLE t (id INT PRIMARY KEY)", db=d)
            a.query("INSERT INTO t VALUES (1)", db=d)
        b.query("CREATE DATABASE d1")
        b.query("CREATE TABLE u (id INT PRIMARY KEY)", db="d1")
        b.query("INSERT INTO u VALUES (1), (2)", db="d1")
        for s, name in ((a, "one"), (b, "two")):
            caught_up(s, r, name)
        tables = r.query("SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA IN ('d0', 'd1', 'd2', 'no', 'other')")
        assert sorted(tables) == [("d0", "t"), ("other", "u")]
        assert r.query("SELECT * FROM d0.t") + r.query("SELECT * FROM other.u") == ((1,), (1,), (2,))
        assert error(r, "CHANGE REPLICATION FILTER REPLICATE_DO_DB = () FOR CHANNEL 'one'") == 3085
        assert error(r, "CHANGE REPLICATION FILTER REPLICATE_DO_DB = () FOR CHANNEL 'gone'") == 1794
        assert error(r, "CHANGE REPLICATION SOURCE TO SOURCE_HOST = 'h' FOR CHANNEL 'a\nb'") == 1525


def test_an_older_data_directory():
    """What a server without channels has left: the row of the channel without a name, in a table of that time."""
    if MySQL.folder() is None:
        pytest.skip("scripts/mysql-peer.sh has not been run")
    with sources((MySQL, Server), options=FILES) as (a, b, r):
        with a.connect() as c, c.cursor() as cur:
            cur.execute("SET sql_log_bin = 0")
            cur.execute("CREATE TABLE mysql.evenkeel_replica (channel VARCHAR(64) NOT NULL PRIMARY KEY)")
        point(a, r, "", here(a))
        r.query("START REPLICA")
        # no account may change that table, only what is applied
        a.query("ALTER TABLE mysql.evenkeel_replica MODIFY channel VARCHAR(64) COLLATE utf8mb4_0900_ai_ci NOT NULL")
        a.query("CREATE DATABASE d0")
        caught_up(a, r, "")
        r.query("STOP REPLICA")
        r.stop()
        r.start()
        a.query("CREATE TABLE d0.t (id INT PRIMARY KEY)")
        caught_up(a, r, "")
        # names that such a collation takes for the same
        for name in ("é", "e"):
            point(b, r, name, here(b))
        a.query("INSERT INTO d0.t VALUES (1)")
        caught_up(a, r, "")
        shown = r.query("SELECT channel_name FROM performance_schema.replication_connection_configuration")
        assert sorted(shown) == [("",), ("e",), ("é",)]
        r.query("STOP REPLICA")
        r.query("RESET REPLICA ALL FOR CHANNEL 'e'")
        r.query("RESET REPLICA ALL FOR CHANNEL 'é'")
        r.kill()
        r.start()
        a.query("INSERT INTO d0.t VALUES (2)")
        caught_up(a, r, "")
        assert r.query("SELECT COUNT(*) FROM d0.t") == ((2,),)
