"""Sending the binary log: what a replica is sent and told, against MySQL's answers (which the file `binlog.py` reads without our code)."""
import contextlib
import subprocess

import pymysql
import pytest

from lib import binlog
from lib.servers import MySQL, Server
from lib.wait import until

HEAD = [binlog.ROTATE, binlog.FORMAT, binlog.PREVIOUS_GTIDS]


@contextlib.contextmanager
def server(*options):
    s = Server(options=["--log-bin=bin", *options])
    try:
        yield s.start()
    finally:
        s.remove()


@pytest.fixture(scope="module")
def log():
    with server() as s:
        s.query("FLUSH BINARY LOGS")
        yield s


def refused(s, **kw):
    with s.connect() as c, pytest.raises(pymysql.err.MySQLError) as e:
        list(binlog.Dump(c, **kw))
    return e.value.args


def test_files_follow_one_another(log):
    with log.connect() as c:
        events = list(binlog.Dump(c, "bin.000001"))
    assert [e.kind for e in events] == [*HEAD, binlog.ROTATE, *HEAD]
    rotates = [e for e in events if e.kind == binlog.ROTATE]
    assert [e.rotate_to for e in rotates] == [(4, "bin.000001"), (4, "bin.000002"), (4, "bin.000002")]
    assert [(e.flags & 0x20, e.timestamp == 0, e.end == 0) for e in rotates] == [(0x20, True, True), (0, False, False), (0x20, True, True)]
    # without a name: from the first file on
    with log.connect() as c:
        assert [e.kind for e in binlog.Dump(c)] == [e.kind for e in events]


def test_from_inside_a_file(log):
    at = log.query("SHOW BINLOG EVENTS IN 'bin.000001'")[1][1]
    with log.connect() as c:
        events = list(binlog.Dump(c, "bin.000001", at))
    assert [e.kind for e in events][:3] == HEAD
    # a reader that comes in the middle gets a format description that is in no file, and keeps its temporary tables
    assert events[1].end == 0 and events[1].body[52:56] == b"\0\0\0\0"


def test_refusals(log):
    assert refused(log, file="bin.000077") == (1236, "Could not find first log file name in binary log index file")
    assert refused(log, file="bin.000001", position=3) == (1236, "Client requested source to start replication from position < 4")
    assert refused(log, file="bin.000001", position=99999) == (1236, "Client requested source to start replication from position > file size")
    assert refused(log, file="bin.000001", checksum=None)[0] == 1236
    code, text = refused(log, gtids={})
    assert code == 1236 and "AUTO_POSITION mode: this server has GTID_MODE = OFF instead of ON" in text
    log.query("CREATE USER reader@localhost IDENTIFIED BY 'x'")
    try:
        with log.connect(user="reader", password="x") as c, pytest.raises(pymysql.err.MySQLError) as e:
            binlog.Dump(c, "bin.000001")
        assert e.value.args == (1045, "Access denied for user 'reader'@'localhost' (using password: YES)")
        with log.connect(user="reader", password="x") as c, pytest.raises(pymysql.err.MySQLError) as e:
            list(binlog.Dump(c, "bin.000001", register=False))
        assert e.value.args[0] == 1227 and "REPLICATION SLAVE" in e.value.args[1]
    finally:
        log.query("DROP USER reader@localhost")


def test_a_file_named_with_gtids():
    """The dump begins there, as mysqlbinlog --read-from-remote-source=BINLOG-DUMP-GTIDS wants it; zero bytes are no name."""
    with server("--server-id=1", "--gtid-mode=ON", "--enforce-gtid-consistency=ON") as s:
        for n in range(3):
            s.query(f"CREATE DATABASE d{n}")
            s.query("FLUSH BINARY LOGS")

        def names(file):
            with s.connect() as c:
                return [e.query.split()[-1] for e in binlog.Dump(c, file, gtids={}) if e.kind == binlog.QUERY]

        assert names("bin.000002") == ["d1", "d2"]
        assert names("") == names("\0\0\0") == ["d0", "d1", "d2"]
        assert refused(s, file="bin.000077", gtids={}) == (1236, "Could not find first log file name in binary log index file")


def test_log_off():
    s = Server()
    try:
        s.start()
        assert refused(s, file="x") == (1236, "Binary log is not open")
    finally:
        s.remove()


def test_heartbeats_and_replicas(log):
    with log.connect() as c:
        d = binlog.Dump(c, "bin.000002", server_id=41, wait=True, heartbeat=0.05)
        while (e := next(d)).kind != binlog.HEARTBEAT:
            pass
        assert e.body == b"bin.000002" and e.end == log.query("SHOW BINARY LOG STATUS")[0][1]
        replicas = log.query("SHOW REPLICAS")
        assert [r[:3] for r in replicas] == [(41, "replica", 3307)]
        shown = [r for r in log.query("SHOW PROCESSLIST") if r[4] == "Binlog Dump"]
        assert len(shown) == 1
        assert shown[0][6] in ("Source has sent all binlog to replica; waiting for more updates", "Sending binlog event to replica")
    until(lambda: log.query("SHOW REPLICAS") == ())


def test_a_replica_that_comes_again_ends_its_old_connection(log):
    with log.connect() as old, log.connect() as new:
        for c in (old, new):
            c.query("SET @replica_uuid = '3e11fa47-71ca-11e1-9e33-c80aa9429562'")
        first = binlog.Dump(old, "bin.000002", wait=True)
        assert [next(first).kind for _ in HEAD] == HEAD
        second = binlog.Dump(new, "bin.000002", wait=True, heartbeat=0.05)
        assert [next(second).kind for _ in HEAD] == HEAD
        with pytest.raises(pymysql.err.OperationalError):
            while True:
                next(first)
    until(lambda: log.query("SHOW REPLICAS") == ())


def test_kill_and_rotation_while_it_waits():
    with server() as s, s.connect() as c:
        d = binlog.Dump(c, "bin.000001", wait=True)
        assert [next(d).kind for _ in HEAD] == HEAD
        s.query("FLUSH BINARY LOGS")
        assert [next(d).kind for _ in range(4)] == [binlog.ROTATE, *HEAD]
        (me,) = [r[0] for r in s.query("SHOW PROCESSLIST") if r[4] == "Binlog Dump"]
        s.query(f"KILL {me}")
        with pytest.raises(pymysql.err.OperationalError):
            next(d)
        # a dump ends with its files
        with s.connect() as other:
            d = binlog.Dump(other, "bin.000001", wait=True)
            assert [next(d).kind for _ in range(7)] == [*HEAD, binlog.ROTATE, *HEAD]
            s.query("RESET BINARY LOGS AND GTIDS")
            with pytest.raises(pymysql.err.MySQLError) as e:
                next(d)
            assert e.value.args[0] == 1236
        # the server stops although somebody waits
        with s.connect() as last:
            d = binlog.Dump(last, "bin.000001", wait=True)
            assert next(d).kind == binlog.ROTATE
            assert s.stop() == 0


@pytest.mark.skipif(MySQL.folder() is None, reason="scripts/mysql-peer.sh has not been run")
def test_mysqlbinlog(log):
    program = MySQL.program("usr/bin/mysqlbinlog")
    data = log.dir / "data"
    of_file = subprocess.run([*program, "--no-defaults", "--verify-binlog-checksum", str(data / "bin.000001")], capture_output=True, check=True)
    assert b"Rotate to bin.000002" in of_file.stdout, of_file.stdout
    remote = subprocess.run([*program, "--no-defaults", "--verify-binlog-checksum", "--read-from-remote-server", "-uroot", f"--socket={log.socket}",
                             "--to-last-log", "bin.000001"], capture_output=True, check=True)
    assert remote.stdout.count(b"Rotate to bin.000002") >= 1 and not remote.stderr, (remote.stdout, remote.stderr)
    # byte by byte
    raw = log.dir / "raw-"
    subprocess.run([*program, "--no-defaults", "--raw", f"--result-file={raw}", "--read-from-remote-server", "-uroot", f"--socket={log.socket}",
                    "bin.000001"], capture_output=True, check=True)
    assert (log.dir / "raw-bin.000001").read_bytes() == (data / "bin.000001").read_bytes()


@pytest.mark.skipif(MySQL.folder() is None, reason="scripts/mysql-peer.sh has not been run")
def test_mysql_as_replica():
    """A MySQL 9.7 replicates from here, by GTID, over rotation and a kill of its source."""
    on = ["--gtid-mode=ON", "--enforce-gtid-consistency=ON"]
    replica = MySQL(options=["--server-id=2", "--log-bin=bin", *on])
    with server("--server-id=1", *on) as s:
        try:
            replica.start()
            s.query("CREATE USER repl@'127.0.0.1' IDENTIFIED BY 'x'")
            s.query("GRANT REPLICATION SLAVE ON *.* TO repl@'127.0.0.1'")
            replica.query(f"CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT={s.port}, SOURCE_USER='repl', SOURCE_PASSWORD='x', "
                          "SOURCE_AUTO_POSITION=1, GET_SOURCE_PUBLIC_KEY=1, SOURCE_SSL=0, SOURCE_HEARTBEAT_PERIOD=1, SOURCE_CONNECT_RETRY=1")
            replica.query("START REPLICA")
            s.query("CREATE DATABASE d")
            s.query("CREATE TABLE d.t (id INT PRIMARY KEY, a VARCHAR(100), g JSON)")
            for i in range(50):
                s.query(f"INSERT INTO d.t VALUES ({i}, REPEAT('x', {i}), '[{i}]')")
            s.query("UPDATE d.t SET a = 'y' WHERE id % 2 = 0")
            s.query("FLUSH BINARY LOGS")
            s.query("DELETE FROM d.t WHERE id < 10")
            s.kill()
            s.start()
            s.query("INSERT INTO d.t VALUES (1000, 'after', NULL)")
            executed = s.query("SELECT @@gtid_executed")[0][0]

            def caught_up():
                status = replica.query("SELECT LAST_ERROR_MESSAGE FROM performance_schema.replication_applier_status_by_worker WHERE LAST_ERROR_NUMBER <> 0")
                assert status == (), status
                return replica.query(f"SELECT GTID_SUBSET('{executed}', @@gtid_executed)") == ((1,),)

            until(caught_up)
            assert sorted(map(repr, replica.query("SELECT * FROM d.t"))) == sorted(map(repr, s.query("SELECT * FROM d.t")))
        finally:
            replica.remove()
