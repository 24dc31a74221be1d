"""System variables of replication that act: older names beside newer ones, `init_replica`, `report_*`, compression, the longest packet, the relay log's size
and its files, how long STOP REPLICA waits."""
import contextlib
import pathlib
import re
import socket

import pymysql
import pytest

from binlog.test_replica import KINDS, caught_up, pair, point, run, status
from lib.servers import Server
from lib.wait import until

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "crates/catalog/src/sysvar/deprecated.rs"
PAIRS = [p for p in re.findall(r'\("(\w+)", "(\w+)"\)', SOURCE.read_text()) if re.search("slave|master", p[0])]
# another value than the default; what SET may not change has one for its option only
OTHER = {"init_replica": "SET @a = 1", "replica_exec_mode": "IDEMPOTENT", "replica_parallel_type": "DATABASE", "replica_type_conversions": "ALL_LOSSY",
         "replica_skip_errors": "1062", "sql_replica_skip_counter": "0", "replica_load_tmpdir": "/var/tmp", "log_replica_updates": "OFF",
         "replica_max_allowed_packet": "2048", "replica_pending_jobs_size_max": "2048", "replica_checkpoint_group": "1024"}
# of a session only, and what is no option
SESSION, NO_OPTION = ["pseudo_replica_mode"], ["sql_replica_skip_counter", "pseudo_replica_mode"]


def other(server, newer):
    if newer in OTHER:
        return OTHER[newer]
    now = server.query(f"SHOW VARIABLES LIKE '{newer}'")[0][1]
    return {"ON": "OFF", "OFF": "ON"}.get(now) or "7"


def shown(cur, name):
    cur.execute(f"SHOW VARIABLES LIKE '{name}'")
    said = cur.fetchone()[1]
    cur.execute(f"SELECT @@{name}")
    return said, cur.fetchone()[0]


def both_ways(server, older, newer):
    """Either name sets what both show; the older one warns, where it is set and where it is read."""
    value, scope = other(server, newer), "SESSION" if newer in SESSION else "GLOBAL"
    with server.connect() as c, c.cursor() as cur:
        before = shown(cur, newer)
        for name, same in ((older, newer), (newer, older)):
            literal = value if re.fullmatch(r"ON|OFF|\d+", value) else f"'{value}'"
            try:
                cur.execute(f"SET {scope} {name} = {literal}")
            except pymysql.err.OperationalError as e:  # for the start only
                assert e.args[0] == 1238, (name, e)
                return "read only"
            cur.execute("SHOW WARNINGS")
            told = [w for w in cur.fetchall() if f"'@@{older}'" in w[2]]
            assert [w[1] for w in told] == [1287] * (name == older), (name, told)
            assert shown(cur, name) == shown(cur, same) and shown(cur, name)[0] == value, (name, shown(cur, name), shown(cur, same))
            cur.execute(f"SET {scope} {name} = DEFAULT")
            assert shown(cur, same) == shown(cur, name) == before, name
        cur.execute(f"SELECT @@{older}")
        cur.execute("SHOW WARNINGS")
        assert [w[1] for w in cur.fetchall()] == [1287], older
    return "set"


def test_older_names():
    """All pairs, by SET and as options."""
    assert len(PAIRS) == 25
    s = Server()
    try:
        s.start()
        done = {newer: both_ways(s, older, newer) for older, newer in PAIRS}
        read_only = {n for n, how in done.items() if how == "read only"}
        assert read_only == {"log_replica_updates", "replica_load_tmpdir", "replica_skip_errors", "skip_replica_start"}
        values = {newer: other(s, newer) for _, newer in PAIRS}
    finally:
        s.remove()
    options = [(o, n) for o, n in PAIRS if n not in NO_OPTION]
    for which in (0, 1):
        s = Server(options=[f"--{p[which].replace('_', '-')}={values[p[1]]}" for p in options])
        try:
            s.start()
            with s.connect() as c, c.cursor() as cur:
                for older, newer in options:
                    assert shown(cur, older) == shown(cur, newer), (older, newer)
                    assert shown(cur, newer)[0] == values[newer], (newer, shown(cur, newer))
        finally:
            s.remove()


def test_another_value_is_refused():
    """Fewer bits of server_id would tell servers apart in another way."""
    s = Server()
    try:
        s.start()
        with pytest.raises(pymysql.err.MySQLError) as e:
            s.query("SET GLOBAL server_id_bits = 7")
        assert e.value.args[0] == 1235 and "server_id_bits" in e.value.args[1]
    finally:
        s.remove()


@pytest.mark.parametrize("kind", KINDS)
def test_reported(kind):
    reported = ["--report-host=here.example", "--report-port=4711", "--report-user=u", "--report-password=secret"]
    with pair(kind, replica=reported) as (s, r):
        point(s, r)
        r.query("START REPLICA")
        until(lambda: s.query("SHOW REPLICAS"))
        [(server_id, host, port, source, uuid)] = s.query("SHOW REPLICAS")
        assert (server_id, host, port, source) == (2, "here.example", 4711, 1) and uuid == r.query("SELECT @@server_uuid")[0][0]
        assert s.query("SELECT @@report_port = @@port") == ((1,),)


def test_what_the_applier_begins_with():
    with pair() as (s, r):
        point(s, r)
        run(s, "CREATE DATABASE d\nCREATE TABLE d.t (a INT PRIMARY KEY)")
        r.query("CREATE DATABASE own")
        r.query("CREATE TABLE own.begun (n INT AUTO_INCREMENT PRIMARY KEY, by_whom TEXT)")
        r.query("SET GLOBAL init_replica = 'SET @who = CURRENT_USER(); INSERT INTO own.begun (by_whom) VALUES (@who)'")
        r.query("START REPLICA")
        caught_up(s, r)
        assert len(r.query("SELECT * FROM own.begun")) == 1
        # its own change is this server's: logged here, and not the source's
        uuid = r.query("SELECT @@server_uuid")[0][0]
        assert uuid in r.query("SELECT @@GLOBAL.gtid_executed")[0][0]
        # of the applier's thread alone, each time
        r.query("STOP REPLICA")
        r.query("START REPLICA IO_THREAD")
        r.query("START REPLICA SQL_THREAD")
        until(lambda: len(r.query("SELECT * FROM own.begun")) == 2)
        r.query("STOP REPLICA")
        r.query("SET GLOBAL init_replica = 'SELECT * FROM own.nothing'")
        r.query("START REPLICA SQL_THREAD")
        until(lambda: status(r)["Replica_SQL_Running"] == "No" and status(r)["Last_SQL_Errno"], why=lambda: status(r))
        now = status(r)
        assert now["Last_SQL_Errno"] == 13145
        assert now["Last_SQL_Error"] == ("Replica SQL thread aborted. Can't execute init_replica query, MY-001146 - 'Table 'own.nothing' doesn't exist'")
        r.query("SET GLOBAL init_replica = DEFAULT")
        run(s, "INSERT INTO d.t VALUES (1)")
        r.query("START REPLICA")
        caught_up(s, r)
        assert r.query("SELECT * FROM d.t") == ((1,),)


@pytest.mark.parametrize("kind", KINDS)
def test_compressed_protocol(kind):
    """It goes before the channel's own algorithms; without it the same connection is refused."""
    with pair(kind, source=["--protocol-compression-algorithms=zlib,uncompressed"]) as (s, r):
        point(s, r, "SOURCE_AUTO_POSITION=1, SOURCE_COMPRESSION_ALGORITHMS='zstd'")
        r.query("START REPLICA IO_THREAD")
        until(lambda: status(r)["Last_IO_Errno"] == 2066, why=lambda: status(r))
        r.query("STOP REPLICA")
        r.query("SET GLOBAL replica_compressed_protocol = ON")
        r.query("START REPLICA")
        until(lambda: status(r)["Replica_IO_Running"] == "Yes", why=lambda: status(r))


@pytest.mark.parametrize("kind", KINDS)
def test_longest_packet(kind):
    with pair(kind) as (s, r):
        point(s, r)
        r.query("SET GLOBAL replica_max_allowed_packet = 65536")
        r.query("START REPLICA")
        run(s, "CREATE DATABASE d\nCREATE TABLE d.t (a INT PRIMARY KEY, b LONGTEXT)\nINSERT INTO d.t VALUES (1, REPEAT('x', 60000))")
        caught_up(s, r)
        run(s, "INSERT INTO d.t VALUES (2, REPEAT('x', 70000))")
        until(lambda: status(r)["Last_IO_Errno"] and status(r)["Replica_IO_Running"] == "No", why=lambda: status(r))
        now = status(r)
        assert now["Last_IO_Errno"] == 13125 and now["Last_IO_Error"] == "Got a packet bigger than 'replica_max_allowed_packet' bytes"
        r.query("SET GLOBAL replica_max_allowed_packet = DEFAULT")
        r.query("START REPLICA")
        caught_up(s, r)
        assert r.query("SELECT SUM(LENGTH(b)) FROM d.t") == ((130000,),)


def relay_files(r):
    return sorted(p.name for p in (r.dir / "data").glob("*-relay-bin.0*")) or sorted(p.name for p in r.dir.rglob("r.0*"))


def test_files_of_the_relay_log_stay():
    with pair(replica=["--relay-log=r", "--relay-log-purge=OFF"]) as (s, r):
        point(s, r)
        r.query("START REPLICA")
        run(s, "CREATE DATABASE d\nCREATE TABLE d.t (a INT PRIMARY KEY)")
        for n in range(4):
            caught_up(s, r)
            r.query("FLUSH RELAY LOGS")
            run(s, f"INSERT INTO d.t VALUES ({n})")
        caught_up(s, r)
        kept = relay_files(r)
        assert kept[0] == "r.000001" and len(kept) >= 5, kept
        # and are passed over after a restart
        r.stop()
        r.start()
        run(s, "INSERT INTO d.t VALUES (10)")
        caught_up(s, r)
        assert set(kept) <= set(relay_files(r)) and r.query("SELECT COUNT(*) FROM d.t") == ((5,),)
        r.query("SET GLOBAL relay_log_purge = ON")
        r.query("FLUSH RELAY LOGS")
        run(s, "INSERT INTO d.t VALUES (11)")
        caught_up(s, r)
        until(lambda: not set(kept) & set(relay_files(r)), why=lambda: relay_files(r))


@pytest.mark.parametrize("workers", [0, 4])
def test_room_for_the_relay_log(workers):
    """With a limit the receiver waits for the applier; what is larger than that comes all the same."""
    limit = 100_000
    with pair(replica=["--relay-log=r", f"--relay-log-space-limit={limit}", f"--replica-parallel-workers={workers}"]) as (s, r):
        point(s, r)
        run(s, "CREATE DATABASE d\nCREATE TABLE d.t (a INT PRIMARY KEY, b LONGTEXT)")
        with s.connect() as c, c.cursor() as cur:
            for n in range(30):
                cur.execute(f"INSERT INTO d.t VALUES ({n}, REPEAT('x', 20000))")
            cur.execute("INSERT INTO d.t VALUES (100, REPEAT('x', 1000000))")
            cur.execute("INSERT INTO d.t VALUES (101, 'x')")
        r.query("START REPLICA IO_THREAD")
        waits = "Waiting for the replica SQL thread to free relay log space"
        until(lambda: status(r)["Replica_IO_State"] == waits, why=lambda: status(r))
        held = status(r)["Relay_Log_Space"]
        assert limit < held < limit + 30_000
        # nobody has to apply for it to end
        r.query("STOP REPLICA")
        r.query("START REPLICA")
        caught_up(s, r)
        assert r.query("SELECT COUNT(*), SUM(LENGTH(b)) FROM d.t") == s.query("SELECT COUNT(*), SUM(LENGTH(b)) FROM d.t")
        assert status(r)["Relay_Log_Space"] < 1_100_000


def test_stop_gives_up():
    """A source that does not answer the connection: the receiver waits for it longer than STOP REPLICA does."""
    with socket.socket() as deaf, contextlib.ExitStack() as held:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        for _ in range(8):  # more than its queue takes: the next one hangs
            c = held.enter_context(socket.socket())
            c.setblocking(False)
            c.connect_ex(deaf.getsockname())
        r = Server(options=["--log-bin=bin", "--server-id=2", "--gtid-mode=ON", "--enforce-gtid-consistency=ON"])
        try:
            r.start()
            r.query(f"CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT={deaf.getsockname()[1]}, SOURCE_USER='u'")
            r.query("SET GLOBAL rpl_stop_replica_timeout = 2")
            r.query("START REPLICA IO_THREAD")
            until(lambda: status(r)["Replica_IO_State"] == "Connecting to source", why=lambda: status(r))
            with pytest.raises(pymysql.err.MySQLError) as e:
                r.query("STOP REPLICA IO_THREAD")
            assert e.value.args[0] == 1876 and "Replica IO thread got the stop signal" in e.value.args[1]
            until(lambda: status(r)["Replica_IO_Running"] == "No", why=lambda: status(r))
        finally:
            r.remove()
