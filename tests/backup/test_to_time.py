"""`evenkeel restore --to-time, --to-gtid, --to-position`: a backup, and the binary log up to a point.

What must be there is a model: the checksums of all tables, and the GTIDs, that were seen at that point.
"""
import datetime
import pathlib
import shutil
import subprocess
import time

import pytest

from lib.servers import AS_USER, Server, binary
from lib.wait import until

LOG = ["--log-bin=bin", "--server-id=7"]
GTIDS = [*LOG, "--gtid-mode=ON", "--enforce-gtid-consistency=ON"]


def evenkeel(*args, ok=True):
    done = subprocess.run([binary(), *map(str, args)], capture_output=True, text=True, timeout=600)
    assert (done.returncode == 0) == ok, done.stderr
    return done.stderr


class Case:
    """A server with a backup, and states that were seen behind it."""

    def __init__(self, tmp, options):
        self.tmp, self.options = tmp, options
        self.server, self.n = Server(options=options).start(), 0

    @property
    def logs(self):
        """The folder of the binary log, all commits in its files: those of a running server are up to 50 ms behind unless it is asked."""
        if self.server.alive():
            self.position()
        return pathlib.Path(self.server.dir) / "data"

    def back_up(self, name="b", *more):
        evenkeel("backup", f"--socket={self.server.socket}", "-uroot", f"--to={self.tmp / name}", *more)
        # the next statement is of a later second than the backup's end
        self.next_second()

    def next_second(self):
        now = int(time.time())
        until(lambda: int(time.time()) > now)

    def state(self, server=None):
        server = server or self.server
        names = [n for n, in server.query("SELECT CONCAT('`', table_schema, '`.`', table_name, '`') FROM information_schema.tables "
                                          "WHERE table_schema LIKE 'd%' AND table_type = 'BASE TABLE' ORDER BY 1")]
        sums = server.query("CHECKSUM TABLE " + ", ".join(names)) if names else ()
        accounts = server.query("SELECT user, host, authentication_string FROM mysql.user WHERE user LIKE 'u%' ORDER BY 1")
        events = server.query("SELECT event_schema, event_name, status FROM information_schema.events ORDER BY 1, 2")
        return sums, accounts, events, server.query("SELECT @@gtid_executed")

    def position(self):
        return "%s:%s" % self.server.query("SHOW BINARY LOG STATUS")[0][:2]

    def restore(self, *point, backups=("b",), ok=True):
        """The state of a server on what was restored; of a refusal its text, and no server starts."""
        self.n += 1
        folder = self.tmp / f"r{self.n}"
        said = evenkeel("restore", *(self.tmp / b for b in backups), f"--datadir={folder}/data", *point, ok=ok)
        if not ok:
            refused = subprocess.run([binary(), "serve", "--no-defaults", AS_USER, f"--datadir={folder}/data", "--skip-networking", f"--socket={folder}/s"],
                                     capture_output=True, text=True, timeout=60) if (folder / "data").exists() else None
            assert refused is None or refused.returncode != 0, refused
            return said
        assert not list((folder / "data").glob("bin.*")) and not list((folder / "data").glob("#replay*"))
        assert [p for p in (folder / "data").rglob("*") if p.stat().st_mode & 0o007] == []
        copy = Server(folder, options=[*self.options, "--server-id=8"]).start()
        try:
            state = self.state(copy)
            assert copy.query("SELECT @@gtid_purged") == copy.query("SELECT @@gtid_executed")
            for table, in copy.query("SELECT CONCAT(table_schema, '.', table_name) FROM information_schema.tables WHERE table_schema LIKE 'd%'"):
                assert copy.query(f"CHECK TABLE {table}")[-1][3] == "OK"
            assert copy.stop() == 0
        finally:
            copy.remove()
        return state


CHANGES = [
    ["INSERT INTO d.t VALUES (3, 'three', NULL)", "UPDATE d.t SET b = 'TWO' WHERE a = 2"],
    ["CREATE TABLE d.filled AS SELECT a, b FROM d.t", "INSERT INTO d.filled VALUES (9, 'nine')"],
    ["CREATE USER u1@localhost IDENTIFIED BY 'x'", "GRANT SELECT ON d.* TO u1@localhost"],
    ["CREATE EVENT d.e ON SCHEDULE EVERY 1 DAY STARTS '2035-01-01 00:00:00' DO DELETE FROM d.t", "CREATE DATABASE d2", "CREATE TABLE d2.j (a INT PRIMARY KEY, j JSON)", "INSERT INTO d2.j VALUES (1, '{\"a\": 1}')"],
    ["XA START 'x'", "INSERT INTO d.t VALUES (4, 'xa', NULL)", "XA END 'x'", "XA PREPARE 'x'", "XA COMMIT 'x'"],
    ["SET binlog_format = STATEMENT", "UPDATE d.t SET c = RAND() * 1000", "SET binlog_format = ROW", "SET binlog_transaction_compression = ON", "INSERT INTO d.t VALUES (5, REPEAT('z', 5000), 1)"],
    ["DROP TABLE d.filled", "ALTER TABLE d.t ADD COLUMN e INT DEFAULT 7", "CREATE TRIGGER d.tr BEFORE INSERT ON d.t FOR EACH ROW SET NEW.e = NEW.a", "INSERT INTO d.t (a) VALUES (6)"],
]


def run_all(cur, statements):
    for q in statements:
        cur.execute(q)


def test_every_point(tmp_path):
    case = Case(tmp_path, GTIDS)
    s = case.server
    try:
        with s.connect() as c, c.cursor() as cur:
            run_all(cur, ["CREATE DATABASE d", "CREATE TABLE d.t (a INT PRIMARY KEY, b TEXT, c INT)", "INSERT INTO d.t VALUES (1, 'one', 1), (2, 'two', 2)"])
            case.back_up()
            first = case.state()
            seen = []
            for n, statements in enumerate(CHANGES):
                run_all(cur, statements)
                if n % 2:
                    cur.execute("FLUSH BINARY LOGS")
                last = int(time.time())
                seen.append((case.position(), last + 1, case.state()))
                case.next_second()
        logs = f"--binlog-dir={case.logs}"
        assert case.restore(logs) == seen[-1][2]
        for n, (position, second, state) in enumerate(seen):
            assert case.restore(logs, f"--to-position={position}") == state
            if n % 2 == 0:
                when = datetime.datetime.fromtimestamp(second).strftime("%Y-%m-%d %H:%M:%S")
                assert case.restore(logs, f"--to-time={when}") == state
            else:
                assert case.restore(logs, f"--to-gtid={state[3][0][0]}") == state
        # the backup's own last transaction
        assert case.restore(logs, f"--to-gtid={first[3][0][0]}") == first
        said = evenkeel("restore", "--verify", tmp_path / "b", logs)
        assert "are to be applied" in said
        uuid = first[3][0][0].split(":")[0]
        for point, text in ((f"--to-gtid={uuid}:1-999", "are neither in the backup nor"), (f"--to-gtid={uuid}:1", "the backup is later"), ("--to-time=2020-01-01 00:00:00", "the backup is later"),
                            ("--to-time=yesterday", "is no time"), ("--to-position=bin.000099:4", "'bin.000099' is missing"), ("--to-position=other.000001:4", "is no file of the binary log"),
                            ("--to-gtid=x", "no set of GTIDs")):
            assert text in case.restore(logs, point, ok=False), point
        assert "needs --binlog-dir" in case.restore("--to-time=2035-01-01 00:00:00", ok=False)
        assert "only one" in case.restore(logs, "--to-time=2035-01-01 00:00:00", "--to-gtid=x", ok=False)
    finally:
        s.remove()


def test_a_chain_without_gtids_and_gaps(tmp_path):
    case = Case(tmp_path, LOG)
    s = case.server
    try:
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE d.t (a INT PRIMARY KEY)")
        case.back_up()
        s.query("INSERT INTO d.t VALUES (1)")
        case.back_up("b2", f"--incremental-from={tmp_path / 'b'}")
        for n in range(2, 8):
            s.query(f"INSERT INTO d.t VALUES ({n})")
            s.query("FLUSH BINARY LOGS")
        state = case.state()
        logs = tmp_path / "logs"
        logs.mkdir()
        for f in case.logs.glob("bin.0*"):
            shutil.copy(f, logs)
        args = (f"--binlog-dir={logs}", "--to-time=2035-01-01 00:00:00")
        for backups in (("b",), ("b", "b2")):
            assert case.restore(*args, backups=backups) == state
        files = sorted(logs.glob("bin.0*"))
        gone = files[3].read_bytes()
        files[3].unlink()
        assert f"'{files[3].name}' is missing" in case.restore(*args, ok=False)
        for damage in (gone[:-5], gone[:-60] + b"?" + gone[-59:]):
            files[3].write_bytes(damage)
            assert files[3].name in case.restore(*args, ok=False)
        files[3].write_bytes(gone)
        # a stream is known at its end only
        stream = subprocess.run([binary(), "backup", f"--socket={s.socket}", "-uroot", "--to=-"], capture_output=True, check=True).stdout
        (tmp_path / "stream").write_bytes(stream)
        text = case.restore(f"--binlog-dir={logs}", "--to-position=bin.000001:4", backups=("stream",), ok=False)
        assert "the backup is later" in text
        assert "there is no folder" in case.restore("--binlog-dir=/nowhere", ok=False)
    finally:
        s.remove()


def test_what_cannot_be_applied_starts_nowhere(tmp_path):
    """The log does not fit the data: changed without being logged. The directory that was half made is none."""
    case = Case(tmp_path, GTIDS)
    s = case.server
    try:
        with s.connect() as c, c.cursor() as cur:
            run_all(cur, ["CREATE DATABASE d", "CREATE TABLE d.t (a INT PRIMARY KEY)"])
            case.back_up()
            run_all(cur, ["SET sql_log_bin = 0", "INSERT INTO d.t VALUES (1)", "SET sql_log_bin = 1", "UPDATE d.t SET a = 2"])
        text = case.restore(f"--binlog-dir={case.logs}", ok=False)
        assert "1032" in text and "bin.000001" in text
        folder = tmp_path / f"r{case.n}"
        refused = subprocess.run([binary(), "serve", "--no-defaults", AS_USER, f"--datadir={folder}/data", "--skip-grant-tables"], capture_output=True, text=True, timeout=60)
        assert "is not complete: the restore" in refused.stdout + refused.stderr
    finally:
        s.remove()


def test_a_replica_by_position_forgets_its_source(tmp_path):
    case = Case(tmp_path, LOG)
    s = case.server
    try:
        s.query("CREATE DATABASE d")
        s.query("CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = 1, SOURCE_LOG_FILE = 'x.000001', SOURCE_LOG_POS = 4")
        case.back_up()
        s.query("CREATE TABLE d.t (a INT PRIMARY KEY)")
        said = evenkeel("restore", tmp_path / "b", f"--datadir={tmp_path}/r/data", f"--binlog-dir={case.logs}")
        assert "that position is forgotten" in said
        copy = Server(tmp_path / "r", options=LOG).start()
        try:
            assert copy.query("SHOW REPLICA STATUS") == ()
            assert copy.query("SHOW TABLES FROM d") == (("t",),)
        finally:
            copy.remove()
    finally:
        s.remove()


def test_what_was_restored_follows_the_source_on(tmp_path):
    """A replica is made of a backup and of the log up to a point; it asks for what comes behind, and gets each transaction once."""
    case = Case(tmp_path, GTIDS)
    s = case.server
    try:
        with s.connect() as c, c.cursor() as cur:
            run_all(cur, ["CREATE DATABASE d", "CREATE TABLE d.t (a INT PRIMARY KEY, b TEXT, c INT)", "CREATE TABLE d.n (a INT)", "INSERT INTO d.t VALUES (1, 'one', 1), (2, 'two', 2)"])
            case.back_up()
            for statements in CHANGES[:2]:
                run_all(cur, [*statements, "INSERT INTO d.n VALUES (1)"])
            point = case.state()[3][0][0]
            for statements in CHANGES[2:]:
                run_all(cur, [*statements, "INSERT INTO d.n VALUES (1)"])
        evenkeel("restore", tmp_path / "b", f"--datadir={tmp_path}/r/data", f"--binlog-dir={case.logs}", f"--to-gtid={point}")
        copy = Server(tmp_path / "r", options=[*GTIDS, "--server-id=8"]).start()
        try:
            for _ in range(2):
                copy.query(f"CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = {s.port}, SOURCE_USER = 'root', SOURCE_AUTO_POSITION = 1, GET_SOURCE_PUBLIC_KEY = 1")
                copy.query("START REPLICA")
                wanted = s.query("SELECT @@gtid_executed")[0][0]
                assert copy.query(f"SELECT WAIT_FOR_EXECUTED_GTID_SET('{wanted}', 120)") == ((0,),), copy.query("SHOW REPLICA STATUS")
                copy.query("STOP REPLICA")
                (sums, accounts, _, executed), (mine, my_accounts, _, all_mine) = case.state(), case.state(copy)
                assert (mine, my_accounts, all_mine) == (sums, accounts, executed)
                copy.kill()
                copy.start()
                copy.query("STOP REPLICA")
                s.query("INSERT INTO d.n VALUES (2)")
        finally:
            copy.remove()
    finally:
        s.remove()
