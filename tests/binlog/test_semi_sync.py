"""The source's part of semi-synchronous replication: what commits wait for, by a replica in Python that acknowledges or does not, and by MySQL's."""
import socket
import struct
import threading
import time

import pymysql
import pytest

from lib.servers import MySQL, Server
from lib.wait import until

OPTIONS = ["--log-bin=bin", "--server-id=1", "--gtid-mode=ON", "--enforce-gtid-consistency=ON"]


@pytest.fixture
def source():
    s = Server(options=OPTIONS)
    try:
        s.start()
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE d.t (id INT PRIMARY KEY)")
        yield s
    finally:
        s.remove()


def status(s):
    return {n.removeprefix("Rpl_semi_sync_source_"): v for n, v in s.query("SHOW GLOBAL STATUS LIKE 'Rpl_semi_sync_source_%'")}


def setting(s, **values):
    for name, value in values.items():
        s.query(f"SET GLOBAL rpl_semi_sync_source_{name} = {value}")


class Raw:
    """Takes the log from its last file on over a plain connection; says what it has where it is asked and `answers`."""

    def __init__(self, source, number, answers=True, asks=True):
        self.c = source.connect()
        self.answers, self.asks, self.asked, self.unanswered, self.kinds, self.error = answers, asks, 0, [], [], None
        with self.c.cursor() as cur:
            cur.execute("SET @source_binlog_checksum = 'NONE', @source_heartbeat_period = 300000000" + (", @rpl_semi_sync_replica = 1" if asks else ""))
        self.file = source.query("SHOW BINARY LOGS")[-1][0].encode()
        self.socket = self.c._sock
        body = b"\x12" + struct.pack("<IHI", 4, 0, number) + self.file
        self.socket.sendall(struct.pack("<I", len(body))[:3] + b"\0" + body)
        self.expected = 1
        self.thread = threading.Thread(target=self.follow, daemon=True)
        self.thread.start()

    def read(self, n):
        out = b""
        while len(out) < n:
            piece = self.socket.recv(n - len(out))
            if not piece:
                raise EOFError
            out += piece
        return out

    def follow(self):
        try:
            self.socket.settimeout(None)
            while True:
                head = self.read(4)
                n, seq = int.from_bytes(head[:3], "little"), head[3]
                packet = self.read(n)
                assert seq == self.expected % 256, f"packet {seq}, expected {self.expected % 256}"
                self.expected = seq + 1
                assert packet[0] == 0, packet
                event = packet[3:] if self.asks else packet[1:]
                if self.asks:
                    assert packet[1] == 0xef, packet[:3]
                self.kinds.append(event[4])
                if event[4] == 4:
                    self.file = event[27:]
                if self.asks and packet[2]:
                    self.asked += 1
                    self.unanswered.append((self.file, int.from_bytes(event[13:17], "little")))
                    self.expected = 1  # as MySQL's replica counts
                    if self.answers:
                        self.answer()
        except (EOFError, OSError):
            pass
        except Exception as e:  # noqa: BLE001
            self.error = e

    def answer(self):
        while self.unanswered:
            file, at = self.unanswered.pop(0)
            body = b"\xef" + struct.pack("<Q", at) + file
            self.socket.sendall(struct.pack("<I", len(body))[:3] + b"\0" + body)

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        assert self.error is None, self.error


def test_variables_and_plugin(source):
    halves = (("rpl_semi_sync_replica_enabled", "OFF"), ("rpl_semi_sync_source_enabled", "OFF"))
    assert source.query("SHOW VARIABLES LIKE 'rpl_semi_sync_%_enabled'") == halves
    # the other half, and a plugin that has nothing to do with it
    for name, library in (("rpl_semi_sync_replica", "semisync_replica.so"), ("clone", "mysql_clone.so")):
        source.query(f"INSTALL PLUGIN {name} SONAME '{library}'")
        with pytest.raises(pymysql.err.MySQLError) as e:
            source.query(f"INSTALL PLUGIN {name} SONAME '{library}'")
        assert e.value.args[0] == 1125
        source.query(f"UNINSTALL PLUGIN {name}")
    assert status(source) == {}
    source.query("INSTALL PLUGIN rpl_semi_sync_source SONAME 'semisync_source.so'")
    for q, code in [("INSTALL PLUGIN rpl_semi_sync_source SONAME 'semisync_source.so'", 1125), ("INSTALL PLUGIN gone SONAME 'gone.so'", 1235),
                    ("SET rpl_semi_sync_source_enabled = 1", 1229), ("SET GLOBAL rpl_semi_sync_source_wait_point = 'x'", 1231)]:
        with pytest.raises(pymysql.err.MySQLError) as e:
            source.query(q)
        assert e.value.args[0] == code
    now = status(source)
    assert len(now) == 14 and now["status"] == "OFF"
    setting(source, enabled=1)
    assert status(source)["status"] == "ON"
    source.query("UNINSTALL PLUGIN rpl_semi_sync_source")
    assert source.query("SELECT @@rpl_semi_sync_source_enabled") == ((0,),)
    with pytest.raises(pymysql.err.MySQLError) as e:
        source.query("UNINSTALL PLUGIN rpl_semi_sync_source")
    assert e.value.args[0] == 1305
    source.query("CREATE USER u@localhost")
    with source.connect(user="u") as c, c.cursor() as cur, pytest.raises(pymysql.err.MySQLError) as e:
        cur.execute("INSTALL PLUGIN rpl_semi_sync_source SONAME 'semisync_source.so'")
    assert e.value.args[0] == 1142


def test_commits_wait_for_the_answer(source):
    r = Raw(source, 7)
    setting(source, timeout=60000, enabled=1)
    until(lambda: status(source)["clients"] == "1")
    for i in range(5):
        source.query(f"INSERT INTO d.t VALUES ({i})")
    assert int(status(source)["yes_tx"]) >= 5 and status(source)["no_tx"] == "0"
    # every kind of commit: transactions, DDL, a prepared statement, several in one text
    with source.connect() as c, c.cursor() as cur:
        cur.execute("BEGIN")
        cur.execute("INSERT INTO d.t VALUES (10)")
        cur.execute("COMMIT")
        cur.execute("ALTER TABLE d.t ADD b INT")
        cur.execute("PREPARE a FROM 'INSERT INTO d.t VALUES (11, 1)'")
        cur.execute("EXECUTE a")
        cur.execute("SET binlog_format = 'STATEMENT'")
        cur.execute("DELETE FROM d.t WHERE id = 12345")
        cur.execute("FLUSH BINARY LOGS")
        cur.execute("INSERT INTO d.t VALUES (13, 1)")
    assert status(source)["no_tx"] == "0" and status(source)["status"] == "ON"
    # no answer: the commit is there, its client waits
    r.answers = False
    done = threading.Event()
    t = threading.Thread(target=lambda: (source.query("INSERT INTO d.t VALUES (20, 1)"), done.set()), daemon=True)
    t.start()
    until(lambda: status(source)["wait_sessions"] == "1")
    assert source.query("SELECT state FROM information_schema.processlist WHERE info LIKE 'INSERT INTO d.t VALUES (20%'") == (("Waiting for semi-sync ACK from replica",),)
    until(lambda: r.unanswered)
    # heartbeats go on meanwhile, and are counted as the replica counts
    until(lambda: r.kinds[-1] == 27)
    assert not done.is_set()
    r.answers = True
    r.answer()
    t.join(30)
    assert done.is_set() and status(source)["no_tx"] == "0"
    # many at once need few answers
    before = r.asked
    with_threads = [threading.Thread(target=lambda k=k: [source.query(f"INSERT INTO d.t VALUES ({k * 100 + i}, 0)") for i in range(20)]) for k in range(1, 9)]
    [t.start() for t in with_threads]
    [t.join() for t in with_threads]
    assert r.asked > before and status(source)["no_tx"] == "0"
    r.close()


def test_timeout_and_return(source):
    setting(source, timeout=200, enabled=1)
    r = Raw(source, 7, answers=False)
    until(lambda: status(source)["clients"] == "1")
    source.query("INSERT INTO d.t VALUES (1)")
    now = status(source)
    assert (now["status"], now["no_times"], now["no_tx"], now["yes_tx"]) == ("OFF", "1", "1", "0")
    began = time.time()
    source.query("INSERT INTO d.t VALUES (2)")
    assert status(source)["no_tx"] == "2" and time.time() - began < 60
    r.answers = True
    r.answer()
    until(lambda: status(source)["status"] == "ON")
    source.query("INSERT INTO d.t VALUES (3)")
    assert status(source)["yes_tx"] == "1"
    # two are wanted: one is not enough, and without waiting for none it goes on at once
    setting(source, timeout=60000, wait_no_replica=0, wait_for_replica_count=2)
    source.query("INSERT INTO d.t VALUES (4)")
    assert status(source)["status"] == "OFF"
    other = Raw(source, 8)
    until(lambda: status(source)["status"] == "ON")
    source.query("INSERT INTO d.t VALUES (5)")
    assert status(source)["yes_tx"] == "2"
    other.close()
    until(lambda: status(source)["status"] == "OFF")
    # those that do not ask for it get the log as ever
    plain = Raw(source, 9, asks=False)
    source.query("INSERT INTO d.t VALUES (6)")
    until(lambda: 16 in plain.kinds)
    plain.close()
    setting(source, enabled=0)
    source.query("INSERT INTO d.t VALUES (7)")
    r.close()


def test_after_a_crash_the_replica_lacks_nothing_that_was_answered(source):
    """What a client was told is on the replica, and what the replica has is on the source after kill -9."""
    r = Raw(source, 7)
    setting(source, timeout=60000, enabled=1)
    until(lambda: status(source)["clients"] == "1")
    for i in range(20):
        source.query(f"INSERT INTO d.t VALUES ({i})")
    assert r.kinds.count(16) >= 20
    source.kill()
    r.thread.join(30)
    source.start()
    assert source.query("SELECT COUNT(*) FROM d.t") == ((20,),)


@pytest.mark.skipif(MySQL.folder() is None, reason="scripts/mysql-peer.sh has not been run")
@pytest.mark.parametrize("tls", [0, 1])
def test_mysql_replica(source, tls):
    replica = MySQL(options=["--log-bin=bin", "--server-id=2", "--gtid-mode=ON", "--enforce-gtid-consistency=ON"]).start()
    try:
        source.query("CREATE USER repl@'%' IDENTIFIED BY 'r'")
        source.query("GRANT REPLICATION SLAVE ON *.* TO repl@'%'")
        replica.query("INSTALL PLUGIN rpl_semi_sync_replica SONAME 'semisync_replica.so'")
        replica.query("SET GLOBAL rpl_semi_sync_replica_enabled = 1")
        replica.query("RESET BINARY LOGS AND GTIDS")
        setting(source, timeout=60000, enabled=1)
        replica.query(f"CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT={source.port}, SOURCE_USER='repl', SOURCE_PASSWORD='r', SOURCE_AUTO_POSITION=1,"
                      f" GET_SOURCE_PUBLIC_KEY=1, SOURCE_CONNECT_RETRY=1, SOURCE_HEARTBEAT_PERIOD=1, SOURCE_SSL={tls}")
        replica.query("START REPLICA")
        until(lambda: status(source)["clients"] == "1")
        until(lambda: replica.query("SHOW STATUS LIKE 'Rpl_semi_sync_replica_status'")[0][1] == "ON")
        before = int(status(source)["no_tx"])
        threads = [threading.Thread(target=lambda k=k: [source.query(f"INSERT INTO d.t VALUES ({k * 1000 + i})") for i in range(25)]) for k in range(4)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        source.query("FLUSH BINARY LOGS")
        source.query("CREATE TABLE d.after_rotation (a INT PRIMARY KEY)")
        time.sleep(2.5)  # heartbeats
        source.query("INSERT INTO d.after_rotation VALUES (1)")
        now = status(source)
        assert now["status"] == "ON" and int(now["no_tx"]) == before and int(now["yes_tx"]) >= 100, now
        received = replica.query("SELECT received_transaction_set FROM performance_schema.replication_connection_status")[0][0].replace("\n", "")
        executed = source.query("SELECT @@gtid_executed")[0][0].replace("\n", "")
        assert source.query(f"SELECT GTID_SUBSET('{executed}', '{received}')") == ((1,),), "answered, and not yet with the replica"
        assert replica.query(f"SELECT WAIT_FOR_EXECUTED_GTID_SET('{executed}', 30)")[0][0] == 0
        assert replica.query("CHECKSUM TABLE d.t")[0][1] == source.query("CHECKSUM TABLE d.t")[0][1]
        errors = replica.query("SELECT last_error_number, last_error_message FROM performance_schema.replication_connection_status WHERE last_error_number")
        assert not errors
        replica.query("STOP REPLICA")
        until(lambda: status(source)["clients"] == "0")
    finally:
        replica.stop()
        replica.remove()


def test_ends_of_a_wait():
    """KILL, the variable and the server's end end it; what was committed is there. Options set the variables."""
    s = Server(options=[*OPTIONS, "--rpl-semi-sync-source-enabled=1", "--rpl-semi-sync-source-timeout=3600000", "--plugin-load-add=semisync_source.so"])
    try:
        s.start()
        r = Raw(s, 7)
        until(lambda: status(s)["clients"] == "1")
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE d.t (id INT PRIMARY KEY)")
        r.answers = False

        def waiting(i):
            def insert():
                try:
                    s.query(f"INSERT INTO d.t VALUES ({i})")
                except pymysql.err.MySQLError:
                    pass
            t = threading.Thread(target=insert, daemon=True)
            t.start()
            until(lambda: status(s)["wait_sessions"] == "1")
            return t

        t = waiting(1)
        (number,), = s.query("SELECT id FROM information_schema.processlist WHERE info LIKE 'INSERT INTO d.t%'")
        s.query(f"KILL QUERY {number}")
        t.join(30)
        assert not t.is_alive() and status(s)["no_tx"] == "1"
        t = waiting(2)
        setting(s, enabled=0)
        t.join(30)
        assert not t.is_alive()
        setting(s, enabled=1)
        t = waiting(3)
        s.stop()
        t.join(30)
        s.start()
        assert s.query("SELECT id FROM d.t") == ((1,), (2,), (3,))
    finally:
        s.remove()
