"""Starting and stopping: data directory, signals, options files, where it listens."""
import os
import re
import signal
import socket
import subprocess
import sys
import time

import pymysql
import pytest

from lib.servers import AS_USER, Server, binary, free_port
from lib.wait import PATIENCE, runs, waits


def serve(args, timeout=PATIENCE, **kw):
    return subprocess.run([binary(), "serve", *args, AS_USER], capture_output=True, text=True, timeout=timeout, **kw)


def test_first_start_takes_less_than_a_second():
    """From exec to the first answer, best of five. A slow or busy machine is told by what Python's own start takes on it."""
    ratios = []
    for _ in range(5):
        s = Server()
        begun = time.perf_counter()
        s.start()
        assert s.query("SELECT 1") == ((1,),)
        took = time.perf_counter() - begun
        assert s.stop() == 0
        s.remove()
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import pymysql"], check=True)
        ratios.append(took / max(1.0, 8 * (time.perf_counter() - begun)))
        if ratios[-1] < 0.5:
            break
    print(f"first start: {ratios}")
    assert min(ratios) < 1.0, ratios


def test_second_start_says_who_holds_the_directory(server):
    r = serve(["--no-defaults", f"--datadir={server.dir}/data", f"--socket={server.dir}/other.sock", f"--port={free_port()}"])
    assert r.returncode != 0
    assert str(server.process.pid) in r.stderr and "data" in r.stderr, r.stderr
    assert server.query("SELECT 1") == ((1,),)
    # a different directory, but the port is taken
    r = serve(["--no-defaults", f"--datadir={server.dir}/data2", f"--socket={server.dir}/other.sock", f"--port={server.port}"])
    assert r.returncode != 0 and str(server.port) in r.stderr, r.stderr
    # and the socket
    r = serve(["--no-defaults", f"--datadir={server.dir}/data3", f"--socket={server.socket}", f"--port={free_port()}"])
    assert r.returncode != 0 and server.socket in r.stderr, r.stderr
    assert server.query("SELECT 1") == ((1,),)


def test_socket_left_by_a_dead_server_is_taken_over():
    s = Server().start()
    s.query("CREATE DATABASE kept")
    s.kill()
    assert os.path.exists(s.socket)
    s.start()
    assert ("kept",) in s.query("SHOW DATABASES")
    assert s.stop() == 0
    assert not os.path.exists(s.socket) and not (s.dir / "run.pid").exists()
    s.remove()


@pytest.mark.parametrize("sig", [signal.SIGTERM, signal.SIGQUIT])
def test_clean_shutdown_by_signal(sig):
    """Committed rows stay, open transactions go, a running statement does not hold the server up, nothing is recovered at the next start."""
    s = Server().start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE t (id INT PRIMARY KEY)", db="d")
    s.query("INSERT INTO t VALUES (1),(2)", db="d")
    opened = s.connect(database="d", autocommit=False)
    opened.cursor().execute("INSERT INTO t VALUES (3)")
    waiting = s.connect(database="d")
    waiting._execute_command(3, "SELECT SLEEP(1000)")
    blocked = s.connect(database="d", autocommit=False)
    with blocked.cursor() as cur:
        cur.execute("SET innodb_lock_wait_timeout = 1000")
    blocked._execute_command(3, "INSERT INTO t VALUES (3)")
    runs(s, waiting, "SELECT SLEEP")
    assert waits(s, blocked)
    s.process.send_signal(sig)
    assert s.process.wait(PATIENCE) == 0, "the shutdown waited for a client"
    log = s.log_tail()
    assert "Received SHUTDOWN" in log and "Shutdown complete" in log, log
    s.start()
    assert s.query("SELECT * FROM t", db="d") == ((1,), (2,))
    assert not re.search("recover", s.log_tail(20000)[len(log):], re.I), s.log_tail()
    assert s.stop() == 0
    s.remove()


def test_shutdown_statement():
    """The client hears that its SHUTDOWN was accepted; nobody is told of a lost connection instead."""
    for _ in range(5):
        s = Server().start()
        with s.connect() as c, c.cursor() as cur:
            assert cur.execute("SHUTDOWN") == 0
        assert s.process.wait(20) == 0
        assert "Received SHUTDOWN from user root." in s.log_tail(), "the log says whose it was"
        s.remove()


def test_loopback_guard():
    """Until every account that could come from elsewhere has a password, only loopback addresses are listened on."""
    s = Server().start()
    assert s.query("SELECT 1")
    # root@localhost has no password, but can only come from here; bob@'%' could come from anywhere
    s.query("CREATE USER bob@'%'")
    assert s.stop() == 0
    s.options = ["--bind-address=0.0.0.0"]
    with pytest.raises(RuntimeError, match="(?s)Refusing to listen.*bob"):
        s.start()
    s.options = ["--bind-address=127.0.0.1"]
    s.start()
    s.query("ALTER USER bob@'%' IDENTIFIED BY 'long enough'")
    s.stop()
    s.remove()


def test_refuses_beyond_loopback_with_the_first_root():
    """A new data directory: root has no password."""
    s = Server(options=["--bind-address=*"])
    try:
        s.start(wait=20)
        # root@localhost only: reachable by nobody else, so listening is allowed; but then nobody may come in from outside
        names = {ip for ip in socket.gethostbyname_ex(socket.gethostname())[2] if not ip.startswith("127.")}
        for ip in names:
            with pytest.raises(pymysql.err.OperationalError):
                s.connect(host=ip, user="root").close()
    except RuntimeError as e:
        assert "Refusing to listen" in str(e)
    finally:
        if s.process is not None:
            s.remove()


def test_defaults_file_groups_include_and_loose(tmp_path):
    (tmp_path / "more.d").mkdir()
    (tmp_path / "more.d" / "a.cnf").write_text("[mysqld]\nmax_connections = 77\n")
    (tmp_path / "more.d" / "ignored.txt").write_text("[mysqld]\nmax_connections = 1\n")
    (tmp_path / "one.cnf").write_text("[server]\nwait-timeout=1234\n")
    cnf = tmp_path / "my.cnf"
    cnf.write_text(f"""
# comment
[client]
port=1
[mysqld]
datadir = "{tmp_path}/data"   # the rest of the line is a comment
socket='{tmp_path}/run.sock'
port={free_port()}
innodb-buffer_pool-size=32M
key_buffer_size = 2M
sort-buffer-size=512K
loose-no-such-option=1
loose_innodb_lock_wait_timeout=7
skip-name-resolve
max_allowed_packet=4M

!include {tmp_path}/one.cnf
!includedir {tmp_path}/more.d

[evenkeel]
innodb_old_blocks_time=1001
[mysqldump]
quick
""")
    s = Server(folder=tmp_path)
    s.command = lambda: [binary(), "serve", f"--defaults-file={cnf}", "--max-allowed-packet=8M", AS_USER]
    s.start()
    want = {"innodb_buffer_pool_size": 32 << 20, "sort_buffer_size": 512 << 10, "innodb_lock_wait_timeout": 7, "wait_timeout": 1234, "max_connections": 77,
            "innodb_old_blocks_time": 1001, "max_allowed_packet": 8 << 20}
    for name, value in want.items():
        assert s.query(f"SELECT @@global.{name}") == ((value,),), name
    log = s.log_tail()
    assert "no-such-option" in log.replace("_", "-"), "an unknown loose- option gives a warning"
    assert s.stop() == 0
    # the same without loose- is an error that names option and file
    cnf.write_text(cnf.read_text().replace("loose-no-such-option", "no-such-option"))
    r = serve([f"--defaults-file={cnf}"])
    assert r.returncode != 0 and "no-such-option" in r.stderr.replace("_", "-"), r.stderr
    r = serve([f"--defaults-file={tmp_path}/missing.cnf"])
    assert r.returncode != 0 and "missing.cnf" in r.stderr, r.stderr
    r = serve(["--no-defaults", "--verbose", "--help"])
    assert r.returncode == 0 and "innodb-buffer-pool-size" in r.stdout


def test_sizes_and_spellings():
    s = Server(options=["--innodb_buffer-pool_size=48M", "--max_connections", "55", "--loose-foo=bar", "--innodb-redo-log-capacity=16m", "--skip-networking"])
    s.start()
    assert s.query("SELECT @@innodb_buffer_pool_size, @@max_connections, @@skip_networking, @@innodb_redo_log_capacity") == ((48 << 20, 55, 1, 16 << 20),)
    with pytest.raises(pymysql.err.OperationalError):
        s.connect(host="127.0.0.1")
    assert s.stop() == 0
    s.remove()


def test_max_connections_keeps_one_for_the_administrator():
    s = Server(options=["--max-connections=3"]).start()
    s.query("CREATE USER plain@localhost IDENTIFIED BY 'x'")
    held = []
    with pytest.raises(pymysql.err.OperationalError) as e:
        for _ in range(8):
            held.append(s.connect(user="plain", password="x"))
    assert e.value.args[0] == 1040 and len(held) == 3, (e.value, len(held))
    for _ in range(100):  # the refused one is gone a moment after its client heard so
        try:
            admin = s.connect()
            break
        except pymysql.err.OperationalError:
            time.sleep(0.02)
    with admin as c, c.cursor() as cur:  # root has CONNECTION_ADMIN: one more than max_connections
        cur.execute("SHOW PROCESSLIST")
        assert len(cur.fetchall()) >= 4
    for c in held:
        c.close()
    assert s.stop() == 0
    s.remove()


def test_survives_many_restarts():
    s = Server(options=["--innodb-redo-log-capacity=16M"])
    for i in range(8):
        s.start()
        if i == 0:
            s.query("CREATE DATABASE d")
            s.query("CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, v INT, KEY(v))", db="d")
        s.query("INSERT INTO t (v) VALUES (1), (2), (3)", db="d")
        if i % 2:
            s.kill()
        else:
            assert s.stop() == 0, s.log_tail()
    s.start()
    assert s.query("SELECT COUNT(*), MAX(id) FROM t", db="d") == ((24, 24),)
    assert s.query("CHECK TABLE t", db="d")[0][3] == "OK"
    assert s.stop() == 0
    s.remove()


def test_the_system_schema_stays(server):
    # not in a golden file: MariaDB carries it out
    for statement in ("DROP DATABASE mysql", "DROP DATABASE IF EXISTS mysql", "ALTER DATABASE mysql CHARSET utf8mb4", "CREATE DATABASE mysql"):
        with pytest.raises(pymysql.err.MySQLError) as e:
            server.query(statement)
        assert e.value.args == (3552, "Access to system schema 'mysql' is rejected.")
