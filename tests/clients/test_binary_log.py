"""Files of the binary log: options, names, rotation, purge, RESET, what SHOW says of them, restarts."""
import contextlib
import json

import pymysql
import pytest

from lib import binlog
from lib.servers import Server


@contextlib.contextmanager
def server(*options, folder=None):
    s = Server(folder=folder, options=list(options))
    try:
        yield s.start()
    finally:
        s.remove()


def names(s):
    return [r[0] for r in s.query("SHOW BINARY LOGS")]


def error(s, sql, **kw):
    with s.connect(**kw) as c, pytest.raises(pymysql.err.MySQLError) as e:
        c.query(sql)
    return e.value.args


def test_off():
    with server() as s:
        assert s.query("SELECT @@log_bin, @@log_bin_basename, @@log_bin_index, @@log_replica_updates") == ((0, None, None, 0),)
        assert "You need to use --log-bin" not in s.log_tail(20000)
        for sql in ("SHOW BINARY LOGS", "SHOW BINARY LOG STATUS"):
            assert error(s, sql)[0] == 1381
        for sql in ("FLUSH BINARY LOGS", "PURGE BINARY LOGS TO 'x'", "PURGE BINARY LOGS BEFORE NOW()", "RESET BINARY LOGS AND GTIDS"):
            s.query(sql)
        assert s.query("SHOW BINLOG EVENTS") == ()


def test_on_unless_told(tmp_path):
    """Without an option there is a log, as in MySQL 8.4, and what MySQL refuses because of it is refused; a start that is told to have none has none."""
    s = Server(folder=tmp_path)
    told = s.command()
    assert "--skip-log-bin" in told
    s.command = lambda: [o for o in told if o != "--skip-log-bin"]
    try:
        s.start()
        data = tmp_path / "data"
        assert s.query("SELECT @@log_bin, @@log_bin_basename, @@log_bin_index, @@sync_binlog") == ((1, f"{data}/binlog", f"{data}/binlog.index", 1),)
        assert names(s) == ["binlog.000001"]
        s.query("CREATE DATABASE d")
        assert error(s, "CREATE FUNCTION d.f() RETURNS INT RETURN 1")[0] == 1418
        s.query("CREATE FUNCTION d.f() RETURNS INT NO SQL RETURN 1")
        s.query("CREATE TABLE d.t (a INT)")
        s.query("CREATE USER u IDENTIFIED BY 'p'")
        s.query("GRANT ALL ON d.* TO u")
        assert error(s, "CREATE TRIGGER d.g BEFORE INSERT ON d.t FOR EACH ROW SET @a = 1", user="u", password="p")[0] == 1419
        assert s.stop() == 0
        s.command = lambda: told
        s.start()
        assert s.query("SELECT @@log_bin") == ((0,),)
        s.query("CREATE FUNCTION d.g() RETURNS INT RETURN 1")
        s.stop()
        s.command = lambda: [o for o in told if o != "--skip-log-bin"]
        s.start()
        assert names(s) == ["binlog.000001", "binlog.000002"]
    finally:
        s.remove()


def test_files_and_restarts(tmp_path):
    data = tmp_path / "data"
    with server("--log-bin=sub.x", "--log-bin-index=list", folder=tmp_path) as s:
        assert s.query("SELECT @@log_bin, @@log_bin_basename, @@log_bin_index") == ((1, f"{data}/sub", f"{data}/list.index"),)
        assert names(s) == ["sub.000001"]
        ((file, position, *rest),) = s.query("SHOW BINARY LOG STATUS")
        assert (file, rest) == ("sub.000001", ["", "", ""])
        assert (data / "sub.000001").stat().st_size == position
        s.query("FLUSH BINARY LOGS")
        s.query("FLUSH LOGS")
        assert names(s) == ["sub.000001", "sub.000002", "sub.000003"]
        assert (data / "list.index").read_text() == "".join(f"./sub.00000{n}\n" for n in (1, 2, 3))
        assert s.stop() == 0
        last = binlog.read((data / "sub.000003").read_bytes())
        assert [e.kind for e in last] == [binlog.FORMAT, binlog.PREVIOUS_GTIDS, binlog.STOP] and last[0].flags == 0
        s.start()
        assert names(s)[-1] == "sub.000004"
        s.kill()
        s.start()
        assert names(s)[-2:] == ["sub.000004", "sub.000005"]
        # what a crash has left open is closed
        flags = [binlog.read((data / n).read_bytes())[0].flags for n in names(s)]
        assert flags == [0, 0, 0, 0, 1]
        first = [binlog.read((data / n).read_bytes())[0].body[52:56] != b"\0\0\0\0" for n in names(s)]
        assert first == [True, False, False, True, True], "only a server's first file says when it was created"


def test_purge_and_reset():
    with server("--log-bin=bin", "--binlog-expire-logs-seconds=0") as s:
        for _ in range(4):
            s.query("FLUSH BINARY LOGS")
        s.query("PURGE BINARY LOGS TO 'bin.000003'")
        assert names(s) == ["bin.000003", "bin.000004", "bin.000005"]
        assert not (s.dir / "data/bin.000001").exists()
        assert error(s, "PURGE BINARY LOGS TO 'bin.000001'") == (1373, "Target log not found in binlog index")
        s.query("PURGE BINARY LOGS BEFORE '2020-01-01'")
        assert len(names(s)) == 3
        s.query("PURGE BINARY LOGS BEFORE NOW() + INTERVAL 1 HOUR")
        assert names(s) == ["bin.000005"], "the file that is written stays"
        s.query("PURGE BINARY LOGS BEFORE 'never'")
        s.query("RESET BINARY LOGS AND GTIDS")
        assert names(s) == ["bin.000001"] and (s.dir / "data/bin.index").read_text() == "./bin.000001\n"
        s.query("RESET BINARY LOGS AND GTIDS TO 1234567")
        assert names(s) == ["bin.1234567"]
        assert error(s, "RESET BINARY LOGS AND GTIDS TO 0")[0] == 3567
        s.kill()
        s.start()
        assert names(s) == ["bin.1234567", "bin.1234568"]


def test_events_shown():
    with server("--log-bin=bin", "--server-id=7") as s:
        s.query("FLUSH BINARY LOGS")
        rows = s.query("SHOW BINLOG EVENTS")
        version = s.query("SELECT VERSION()")[0][0]
        assert [r[0] for r in rows] == ["bin.000001"] * 3
        assert [r[2:4] for r in rows] == [("Format_desc", 7), ("Previous_gtids", 7), ("Rotate", 7)]
        assert rows[0][1] == 4 and [r[1] for r in rows][1:] == [r[4] for r in rows][:-1]
        assert [r[5] for r in rows] == [f"Server ver: {version}, Binlog ver: 4", "", "bin.000002;pos=4"]
        assert s.query("SHOW BINLOG EVENTS LIMIT 1, 1") == rows[1:2] and s.query("SHOW BINLOG EVENTS LIMIT 0") == rows
        assert s.query(f"SHOW BINLOG EVENTS IN 'bin.000001' FROM {rows[1][1]}") == rows[1:]
        assert [r[2] for r in s.query("SHOW BINLOG EVENTS IN 'bin.000002'")] == ["Format_desc", "Previous_gtids"]
        assert error(s, "SHOW BINLOG EVENTS IN 'x'") == (1220, "Error when executing command SHOW BINLOG EVENTS: Could not find target log")
        assert s.query("SHOW BINLOG EVENTS FROM 5") == rows[1:] and s.query("SHOW BINLOG EVENTS FROM 5000000") == ()


def test_rights():
    with server("--log-bin=bin") as s:
        s.query("CREATE USER u@localhost IDENTIFIED BY 'x'")
        u = {"user": "u", "password": "x"}
        wanted = {"SHOW BINARY LOGS": "REPLICATION CLIENT", "SHOW BINARY LOG STATUS": "REPLICATION CLIENT", "SHOW BINLOG EVENTS": "REPLICATION SLAVE",
                  "SHOW REPLICAS": "REPLICATION SLAVE", "FLUSH BINARY LOGS": "RELOAD", "RESET BINARY LOGS AND GTIDS": "RELOAD",
                  "PURGE BINARY LOGS TO 'bin.000001'": "BINLOG_ADMIN"}
        for sql, right in wanted.items():
            code, text = error(s, sql, **u)
            assert code == 1227 and right in text, sql
            s.query(f"GRANT {right} ON *.* TO u@localhost")
            with s.connect(**u) as c:
                c.query(sql)
            s.query(f"REVOKE {right} ON *.* FROM u@localhost")


def test_settings_of_the_next_file():
    with server("--log-bin=bin") as s:
        s.query("SET GLOBAL binlog_checksum = NONE")
        data = s.dir / "data"
        assert names(s) == ["bin.000001", "bin.000002"]
        ends = [binlog.has_checksums(binlog.read((data / n).read_bytes())[0]) for n in names(s)]
        assert ends == [True, False]
        s.query("SET GLOBAL binlog_checksum = CRC32, server_id = 9")
        s.query("FLUSH BINARY LOGS")
        assert binlog.read((data / "bin.000004").read_bytes())[1].server_id == 9
        assert error(s, "SET GLOBAL binlog_encryption = ON")[0] in (1235, 1231, 1238)
        local = json.loads(s.query("SELECT LOCAL FROM performance_schema.log_status")[0][0])
        ((file, position, *_),) = s.query("SHOW BINARY LOG STATUS")
        assert local == {"gtid_executed": "", "binary_log_file": file, "binary_log_position": position}


def test_another_base_name_and_no_log(tmp_path):
    with server("--log-bin=a", folder=tmp_path) as s:
        s.kill()
        s.options = ["--log-bin=b"]
        s.start()
        assert names(s) == ["b.000001"]
        s.kill()
        s.options = ["--skip-log-bin"]
        s.start()
        assert error(s, "SHOW BINARY LOGS")[0] == 1381
        s.stop()
        s.options = ["--log-bin=a"]
        s.start()
        assert names(s) == ["a.000001", "a.000002"]


def test_an_engine_that_only_reads_has_no_log(tmp_path):
    with server("--log-bin=bin", folder=tmp_path) as s:
        assert s.stop() == 0
        s.options.append("--innodb-read-only")
        s.start()
        assert s.query("SELECT @@log_bin") == ((0,),)
        assert "nothing is logged" in s.log_tail(20000)


GTIDS = ["--log-bin=bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON"]
OTHER = "22222222-2222-2222-2222-222222222222:1-5"


def refused(s, *options):
    """What a start with other options says that does not come up; afterwards the options are as before."""
    before, s.options = s.options, [*options]
    with pytest.raises(RuntimeError) as e:
        s.start()
    s.options = before
    return str(e.value)


def test_what_a_reset_has_done_stays_done(tmp_path):
    """A crash behind RESET: what came after it is not undone, at no later start either."""
    with server(*GTIDS, folder=tmp_path) as s:
        s.query("CREATE DATABASE d")
        s.query("RESET BINARY LOGS AND GTIDS")
        s.query(f"SET GLOBAL gtid_purged = '{OTHER}'")
        for _ in range(3):
            s.kill()
            s.start()
            assert s.query("SELECT @@gtid_executed, @@gtid_purged") == ((OTHER, OTHER),)
        s.query("RESET BINARY LOGS AND GTIDS")
        s.query("CREATE TABLE d.t (a INT)")
        s.query("FLUSH BINARY LOGS")
        s.query("CREATE TABLE d.u (a INT)")
        s.query("PURGE BINARY LOGS TO 'bin.000002'")
        before = s.query("SELECT @@gtid_executed, @@gtid_purged")
        assert before[0][1].endswith(":1") and before[0][0].endswith(":1-2")
        s.kill()
        s.start()
        assert s.query("SELECT @@gtid_executed, @@gtid_purged") == before
        assert names(s) == ["bin.000002", "bin.000003"] and not (tmp_path / "data/bin.000001").exists()


def test_no_file_is_overwritten(tmp_path):
    data = tmp_path / "data"
    with server("--log-bin=bin", folder=tmp_path) as s:
        s.query("CREATE DATABASE d")
        assert s.stop() == 0
        first = (data / "bin.000001").read_bytes()
        # another index, no index, an empty one
        s.options = ["--log-bin=bin", "--log-bin-index=ix"]
        s.start()
        assert names(s) == ["bin.000002"] and s.stop() == 0
        (data / "ix.index").unlink()
        s.start()
        assert names(s) == ["bin.000003"] and "names no file, but there are some" in s.log_tail(20000)
        assert s.stop() == 0
        (data / "ix.index").write_text("")
        s.start()
        s.query("FLUSH BINARY LOGS")
        assert names(s) == ["bin.000004", "bin.000005"]
        # files of somebody else
        (data / "bin.000007").write_text("mine")
        (data / "bin.000009").mkdir()
        s.query("FLUSH BINARY LOGS")
        assert names(s)[-1] == "bin.000010"
        s.query("PURGE BINARY LOGS TO 'bin.000010'")
        s.query("RESET BINARY LOGS AND GTIDS")
        s.query("CREATE TABLE d.t (a INT)")
        s.kill()
        assert (data / "bin.000007").read_text() == "mine" and (data / "bin.000009").is_dir()
        assert (data / "bin.000001").read_bytes() == first
        # recovery needs the files
        index = (data / "ix.index").read_text()
        (data / "ix.index").unlink()
        last = {f.name: f.read_bytes() for f in data.glob("bin.0*") if f.is_file()}
        for options in (s.options, ["--skip-log-bin"]):
            text = refused(s, *options)
            assert "put the index back" in text and "from a backup" not in text
        assert last == {f.name: f.read_bytes() for f in data.glob("bin.0*") if f.is_file()}
        (data / "ix.index").write_text(index)
        s.start()
        assert any(e[2] == "Query" and "d.t" in e[5] for e in s.query(f"SHOW BINLOG EVENTS IN '{names(s)[0]}'"))


def test_a_place_where_no_log_can_be(tmp_path):
    """The start is refused and has changed nothing: without the option it comes up."""
    with server("--log-bin=bin", folder=tmp_path) as s:
        s.query("CREATE DATABASE d")
        assert s.stop() == 0
        note = (tmp_path / "data/#log_bin").read_bytes()
        for wrong in (["--log-bin=/nodir/bl"], ["--log-bin=bin", "--log-bin-index=/nodir/ix"], ["--log-bin=/proc/bl"]):
            assert "Cannot open the binary log" in refused(s, *wrong)
            assert (tmp_path / "data/#log_bin").read_bytes().splitlines()[:2] == note.splitlines()[:2]
        # an index of another log
        index = tmp_path / "data/bin.index"
        was = index.read_text()
        index.write_text("./other.000001\n")
        text = refused(s, "--log-bin=bin")
        assert "names a file that is not one of this binary log" in text and "from a backup" not in text
        s.options = ["--skip-log-bin"]
        s.start()
        assert s.stop() == 0 and index.read_text() == "./other.000001\n"
        index.write_text(was)
        for good in (["--skip-log-bin"], ["--log-bin=bin"]):
            s.options = good
            s.start()
            assert s.stop() == 0
        s.start()
        assert "d" in [r[0] for r in s.query("SHOW DATABASES")]
    # a directory that has never had a log
    with server("--skip-log-bin", folder=tmp_path / "new") as s:
        assert s.stop() == 0
        assert "Cannot open the binary log" in refused(s, "--log-bin=/nodir/bl")
        s.start()


def test_names_of_folders(tmp_path):
    """They are no names of files, as in MySQL, and nothing has been made."""
    with server("--skip-log-bin", "--log-replica-updates", folder=tmp_path) as s:
        assert "You need to use --log-bin to make --log-replica-updates work." in s.log_tail(20000)
        assert s.query("SELECT @@log_replica_updates") == ((1,),)
        assert s.stop() == 0
        (tmp_path / "data/sub").mkdir()
        for name in ("sub/", f"{tmp_path}/data/sub/", "/", "..", "sub/."):
            for options in ([f"--log-bin={name}"], ["--log-bin=bin", f"--log-bin-index={name}"]):
                option = options[-1].split("=")[0]
                assert f"Path '{option}' is a directory name, please specify a file name for {name}" in refused(s, *options)
        assert not list((tmp_path / "data/sub").iterdir()) and not list((tmp_path / "data").glob("bin*"))
        s.options = ["--log-bin=sub/x", "--log-bin-index=sub/y"]
        s.start()
        assert sorted(f.name for f in (tmp_path / "data/sub").iterdir()) == ["x.000001", "y.index"]


def test_sizes_are_whole_blocks():
    """As MySQL 9.7 has answered, with its warning 1292 for what was cut."""
    with server("--log-bin=bin", "--max-binlog-size=5000") as s, s.connect() as c, c.cursor() as cur:
        def settled(name, value):
            cur.execute(f"SET GLOBAL {name} = {value}")
            cur.execute("SHOW WARNINGS")
            told = cur.fetchall()
            assert told in ((), (("Warning", 1292, f"Truncated incorrect {name} value: '{value}'"),))
            cur.execute(f"SELECT @@GLOBAL.{name}")
            return cur.fetchall()[0][0], bool(told)

        assert s.query("SELECT @@max_binlog_size") == ((4096,),)
        for value, kept in ((4097, 4096), (8192, 8192), (5000000, 4997120), (1073741823, 1073737728), (-1, 4096)):
            assert settled("max_binlog_size", value) == (kept, kept != value)
        for name, value, kept in (("max_relay_log_size", 4095, 0), ("max_relay_log_size", 4097, 4096),
                                  ("max_binlog_cache_size", 18446744073709547521, 18446744073709547520),
                                  ("key_buffer_size", 8388609, 8388608), ("key_cache_age_threshold", 301, 300),
                                  ("key_cache_block_size", 1025, 1024), ("innodb_fsync_threshold", 1, 0),
                                  ("innodb_log_write_ahead_size", 8193, 8192),
                                  ("myisam_max_sort_file_size", 9223372036853727233, 9223372036853727232)):
            assert settled(name, value) == (kept, True)


def test_the_number_behind_a_reset(tmp_path):
    """TO a number is that number although a higher one lies beside; MySQL would take the file's place, too."""
    with server("--log-bin=bin", folder=tmp_path) as s:
        (tmp_path / "data/bin.000009").write_text("mine")
        for statement, wanted in (("TO 7", "bin.000007"), ("TO 9", "bin.000010"), ("TO 1", "bin.000001"), ("", "bin.000010")):
            s.query(f"RESET BINARY LOGS AND GTIDS {statement}")
            assert names(s) == [wanted]
        s.query("RESET BINARY LOGS AND GTIDS TO 7")
        s.query("FLUSH BINARY LOGS")
        assert names(s) == ["bin.000007", "bin.000010"] and (tmp_path / "data/bin.000009").read_text() == "mine"
        with pytest.raises(pymysql.err.MySQLError) as e:
            s.query("RESET BINARY LOGS AND GTIDS TO 0")
        assert e.value.args == (3567, "The requested value '0' for the next binary log index is out of range. "
                                      "Please use a value between '1' and '2000000000'.")


def test_a_change_of_gtid_mode_begins_a_file():
    with server("--log-bin=bin", "--enforce-gtid-consistency=ON") as s:
        s.query("CREATE DATABASE d")
        for n, mode in enumerate(["OFF_PERMISSIVE", "OFF_PERMISSIVE", "ON_PERMISSIVE", "ON"]):
            s.query(f"SET GLOBAL gtid_mode = {mode}")
            assert len(names(s)) == [2, 2, 3, 4][n]
            if mode == "ON_PERMISSIVE":
                # in the last file that lacks nothing for who has nothing
                s.query("CREATE TABLE d.t (a INT)")
                with s.connect() as c:
                    c.query("SET gtid_next = 'ANONYMOUS'")
                    c.query("CREATE TABLE d.u (a INT)")
        with s.connect() as c, pytest.raises(pymysql.err.MySQLError) as e:
            list(binlog.Dump(c, "", gtids={}))
        assert e.value.args[0] == 1236
        assert e.value.args[1].startswith(
            "Cannot replicate anonymous transaction when AUTO_POSITION = 1, at file ./bin.000003, position "
        )


def test_a_damaged_file_stops_no_server(tmp_path):
    """MySQL starts, too, where what is read of the file is enough; nothing says that the data had to be restored."""
    with server("--log-bin=bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", folder=tmp_path) as s:
        data = tmp_path / "data"
        s.query("CREATE DATABASE d")
        executed = s.query("SELECT @@gtid_executed")
        for damage in (lambda b: b + bytes(100), lambda b: b + b"garbage!" * 20, lambda b: b[:140] + b"\x77" + b[141:], lambda _: b"garbage!" * 20):
            assert s.stop() == 0
            last = sorted(data.glob("bin.0*"))[-1]
            last.write_bytes(damage(last.read_bytes()))
            kept = last.read_bytes()
            s.start()
            assert s.query("SELECT @@gtid_executed") == executed and last.read_bytes() == kept
            assert "from a backup" not in s.log_tail(20000) and f"file '{last.name}'" in s.log_tail(20000)
            assert names(s)[-1] > last.name
        with s.connect() as c, pytest.raises(pymysql.err.MySQLError) as e:
            list(binlog.Dump(c, last.name, 4))
        assert e.value.args[0] == 1236
        s.query("CREATE TABLE d.t (a INT)")
        assert s.query("SELECT @@gtid_executed")[0][0] == executed[0][0].replace(":1", ":1-2")
        # the oldest: as if it were gone
        (data / "bin.000001").write_bytes(b"garbage!" * 20)
        s.stop()
        s.start()
        assert s.query("SELECT @@gtid_purged") == executed


def test_a_cut_file_is_told(tmp_path):
    with server("--log-bin=bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", folder=tmp_path) as s:
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE d.t (a INT)")
        executed = s.query("SELECT @@gtid_executed")
        assert s.stop() == 0
        path = tmp_path / "data/bin.000001"
        whole = path.read_bytes()
        path.write_bytes(whole[:-60])
        s.start()
        assert s.query("SELECT @@gtid_executed") == executed and "Events are missing now" in s.log_tail(20000)
        # a flipped byte: who reads it gets an error
        damaged = bytearray(path.read_bytes())
        damaged[150] ^= 1
        path.write_bytes(damaged)
        assert error(s, "SHOW BINLOG EVENTS IN 'bin.000001'")[0] == 1220
        s.query("SET GLOBAL source_verify_checksum = ON")
        with s.connect() as c, pytest.raises(pymysql.err.MySQLError) as e:
            list(binlog.Dump(c, "bin.000001"))
        assert e.value.args[0] == 1236 and "did not pass crc check" in e.value.args[1]


def test_a_file_that_cannot_be_written():
    """Not for want of room: the server ends, and the next start has everything in the file. IGNORE_ERROR is refused."""
    s = Server(options=["--server-id=1", "--max-binlog-size=4096"])
    logs = s.dir / "logs"
    logs.mkdir()
    s.options.append(f"--log-bin={logs}/bin")
    try:
        s.start()
        with pytest.raises(pymysql.err.MySQLError) as e:
            s.query("SET GLOBAL binlog_error_action = IGNORE_ERROR")
        assert e.value.args[0] == 1235 and "binlog_error_action" in e.value.args[1]
        s.query("SET GLOBAL binlog_error_action = ABORT_SERVER")
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE d.t (id INT PRIMARY KEY, a VARCHAR(1000))")
        # the next file cannot be made: its folder is gone
        logs.rename(s.dir / "away")
        acked = 0
        with pytest.raises((pymysql.err.MySQLError, OSError)):
            with s.connect() as c, c.cursor() as cur:
                while acked < 100_000:
                    cur.execute("INSERT INTO d.t VALUES (%s, REPEAT('x', 500))", (acked,))
                    acked += 1
        s.process.wait(60)
        assert s.process.returncode == 1 and "'binlog_error_action' is set to 'ABORT_SERVER'" in s.log_tail()
        (s.dir / "away").rename(logs)
        s.start()
        assert s.query("SELECT COUNT(*) >= %d FROM d.t" % acked) == ((1,),)
        rows = s.query("SELECT COUNT(*) FROM d.t")[0][0]
        logged = [e for (f, *_) in s.query("SHOW BINARY LOGS") for e in s.query(f"SHOW BINLOG EVENTS IN '{f}'") if e[2] == "Write_rows"]
        assert len(logged) == rows
    finally:
        s.stop()
        s.remove()
