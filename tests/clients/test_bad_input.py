"""Bad input of every kind: a clear error each, the server alive afterwards, nothing acknowledged lost."""
import os
import random
import socket
import struct
import subprocess
import time

import pymysql
import pytest

from lib.servers import AS_USER, Server, binary
from lib.wait import PATIENCE


def raw(server):
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(15)
    s.connect(server.socket)
    return s


def packet(seq, body):
    return struct.pack("<I", len(body))[:3] + bytes([seq]) + body


def read_packet(s):
    head = b""
    while len(head) < 4:
        got = s.recv(4 - len(head))
        if not got:
            return None
        head += got
    n = int.from_bytes(head[:3], "little")
    body = b""
    while len(body) < n:
        got = s.recv(n - len(body))
        if not got:
            return None
        body += got
    return body


def still_fine(server):
    assert server.alive(), server.log_tail()
    assert server.query("SELECT 1 + 1") == ((2,),)


def test_random_bytes_64_mib(server):
    rng = random.Random(1)
    sent = 0
    while sent < 64 << 20:
        with raw(server) as s:
            try:
                for _ in range(16):
                    chunk = rng.randbytes(256 << 10)
                    s.sendall(chunk)
                    sent += len(chunk)
            except OSError:
                sent += 256 << 10
    still_fine(server)


def test_half_a_handshake(server):
    for n in range(0, 60, 7):
        with raw(server) as s:
            assert read_packet(s)[0] == 10
            s.sendall(packet(1, b"\x85\xa6\xff\x01" + b"\0" * 56)[:n])
    still_fine(server)


def test_malformed_commands(server):
    rng = random.Random(2)
    for i in range(300):
        c = server.connect()
        sock = c._sock
        sock.settimeout(10)
        body = bytes([rng.choice([n for n in range(40) if n != 8])]) + rng.randbytes(rng.choice([0, 1, 4, 9, 50, 1000]))
        try:
            sock.sendall(packet(rng.choice([0, 0, 0, 5]), body))
            if body[0] not in (1, 24, 25):  # QUIT, STMT_SEND_LONG_DATA and STMT_CLOSE have no answer
                read_packet(sock)
        except OSError:
            pass
        sock.close()
    still_fine(server)


def test_wrong_passwords(server):
    server.query("CREATE USER IF NOT EXISTS 'bob'@'localhost' IDENTIFIED BY 'secret'")
    for password in ("", "x", "secre", "secret2", "\0", "a" * 300):
        with pytest.raises(pymysql.err.OperationalError) as e:
            server.connect(user="bob", password=password)
        assert e.value.args[0] == 1045
    with pytest.raises(pymysql.err.OperationalError) as e:
        server.connect(user="nobody", password="x")
    assert e.value.args[0] == 1045
    with server.connect(user="bob", password="secret") as c, c.cursor() as cur:
        cur.execute("SELECT CURRENT_USER()")
        assert cur.fetchone() == ("bob@localhost",)
    still_fine(server)


@pytest.mark.parametrize("text", [
    "(" * 10000 + "1" + ")" * 10000,
    "NOT " * 10000 + "1",
    "-" + " -" * 10000 + "1",
    "CASE WHEN " * 10000 + "1" + " THEN 1 END" * 10000,
    "(SELECT " * 10000 + "1" + ")" * 10000,
    "IF(1," * 10000 + "1" + ",2)" * 10000,
    "1" + "+1" * 10000,
    "1" + " AND 1" * 10000,
    "CONCAT(" * 10000 + "'a'" + ")" * 10000,
], ids=["parens", "not", "minus", "case", "subquery", "if", "plus", "and", "concat"])
def test_nested_10000_deep(server, text):
    with server.connect() as c, c.cursor() as cur:
        try:
            cur.execute("SELECT " + text)
            cur.fetchall()
        except pymysql.err.MySQLError as e:
            assert e.args[0] in (1064, 1436, 1235, 3150), e
    still_fine(server)


def test_packet_too_large(server):
    with server.connect(max_allowed_packet=1 << 28) as c, c.cursor() as cur:
        with pytest.raises(pymysql.err.MySQLError) as e:
            cur.execute("SELECT '" + "x" * (70 << 20) + "'")
        assert e.value.args[0] in (1153, 2006, 2013, 2055)
    still_fine(server)


def test_second_server_on_the_same_directory(server):
    r = subprocess.run([binary(), "serve", "--no-defaults", AS_USER, f"--datadir={server.dir}/data", f"--socket={server.dir}/b.sock", "--port=0"],
                       capture_output=True, text=True, timeout=PATIENCE)
    assert r.returncode != 0
    assert str(server.process.pid) in r.stderr, r.stderr
    still_fine(server)


def test_unknown_option_and_bad_value():
    for option in ("--no-such-option", "--port=abc", "--innodb-buffer-pool-size=12Q"):
        r = subprocess.run([binary(), "serve", "--no-defaults", AS_USER, "--datadir=/nonexistent/x", option], capture_output=True, text=True, timeout=PATIENCE)
        assert r.returncode != 0 and option.split("=")[0].lstrip("-") in r.stderr.replace("_", "-"), r.stderr


def test_read_only_data_directory(tmp_path):
    target = tmp_path / "file"
    target.write_text("not a directory")
    r = subprocess.run([binary(), "serve", "--no-defaults", AS_USER, f"--datadir={target}/data", f"--socket={tmp_path}/s"], capture_output=True, text=True, timeout=PATIENCE)
    assert r.returncode != 0 and "data" in r.stderr, r.stderr


def spaces(server):
    return sorted((server.dir / "data").rglob("*.ibd"), key=lambda p: p.stat().st_size)


def test_flipped_byte_in_a_page():
    s = Server(options=["--innodb-buffer-pool-size=16M"]).start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE t (id INT PRIMARY KEY, pad VARCHAR(500))", db="d")
    for i in range(20):
        s.query("INSERT INTO t VALUES " + ",".join(f"({i * 1000 + k}, REPEAT('a', 500))" for k in range(1000)), db="d")
    assert s.stop() == 0
    victim = spaces(s)[-1]
    with open(victim, "r+b") as f:
        f.seek(16384 * 200 + 5000)
        byte = f.read(1)
        f.seek(-1, os.SEEK_CUR)
        f.write(bytes([byte[0] ^ 0x40]))
    s.start()
    with s.connect(database="d") as c, c.cursor() as cur:
        with pytest.raises(pymysql.err.MySQLError) as e:
            cur.execute("SELECT COUNT(*), SUM(LENGTH(pad)) FROM t")
            cur.fetchall()
        assert e.value.args[0] in (126, 1030, 1034, 1194, 1712), e.value
    still_fine(s)
    s.remove()


def test_flipped_byte_in_the_log():
    s = Server(options=["--innodb-buffer-pool-size=64M"]).start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE t (id INT PRIMARY KEY, pad VARCHAR(500))", db="d")
    with s.connect(database="d") as c, c.cursor() as cur:
        for i in range(50):
            cur.execute(f"INSERT INTO t VALUES ({i}, REPEAT('b', 400))")
        # at once: the page cleaner moves the checkpoint now and then, and what is before that no longer matters
        s.kill()
    logs = sorted((s.dir / "data").rglob("#ib_redo*"))
    assert logs, "no redo files found"
    data = bytearray(logs[0].read_bytes())
    at = 0
    for _ in range(45):
        at = data.find(b"b" * 400, at + 400)
        assert at > 0
    data[at + 100] ^= 1
    logs[0].write_bytes(data)
    # acknowledged commits lie behind the damage: the server must say so and not come up as if nothing were
    try:
        with pytest.raises(RuntimeError) as e:
            s.start(wait=20)
    finally:
        if s.alive():
            s.kill()
    assert "log" in str(e.value).lower()
    s.remove()


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small tmpfs needs root")
def test_full_disk(tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160m", "tmpfs", str(small)]).returncode != 0:
        pytest.skip("cannot mount a tmpfs here")
    s = Server(folder=small / "s", options=["--innodb-buffer-pool-size=16M", "--innodb-redo-log-capacity=32M"])
    try:
        s.start()
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, pad VARCHAR(4000))", db="d")
        acked = 0
        failed = None
        with s.connect(database="d") as c, c.cursor() as cur:
            for _ in range(400):
                try:
                    cur.execute("INSERT INTO t (pad) VALUES " + ",".join(["(REPEAT('a', 4000))"] * 100))
                    acked += 100
                except pymysql.err.MySQLError as e:
                    failed = e
                    break
        assert failed is not None and failed.args[0] in (1021, 1114, 1030, 3, 1026, 1180), failed
        if failed.args[0] == 1114:
            assert failed.args[1] == "The table 't' is full"
        assert s.alive()
        assert s.query("SELECT COUNT(*) FROM t", db="d")[0][0] == acked
        s.query("DROP TABLE t", db="d")
        s.query("CREATE TABLE t2 (id INT PRIMARY KEY)", db="d")
        s.query("INSERT INTO t2 VALUES (1)", db="d")
        s.stop()
    finally:
        if s.process is not None and s.alive():
            s.kill()
        subprocess.run(["umount", "--lazy", str(small)])


def test_slow_handshakes_do_not_block_others(server):
    server.query("SET GLOBAL connect_timeout = 300")
    held = [raw(server) for _ in range(50)]
    t = time.time()
    still_fine(server)
    assert time.time() - t < PATIENCE, "it waited for one that says nothing"
    for s in held:
        s.close()
    server.query("SET GLOBAL connect_timeout = DEFAULT")
