"""What a new user meets in the first hour: each message says what to do."""
import os
import pathlib
import shutil
import socket
import subprocess

import pymysql
import pytest

from lib.servers import Server, binary

ROOT = pathlib.Path(__file__).resolve().parents[2]


def start(tmp_path, *options):
    """A start that fails: its log."""
    s = Server(tmp_path / "d", options=options)
    r = subprocess.run(s.command(), capture_output=True, text=True, timeout=60)
    assert r.returncode == 1
    return r.stderr


def error(server, sql):
    with pytest.raises(pymysql.err.MySQLError) as e:
        server.query(sql)
    return e.value.args


def test_a_port_that_is_taken(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        said = start(tmp_path, f"--port={taken.getsockname()[1]}", "--bind-address=127.0.0.1")
    assert "make run PORT=3307" in said and "--port=3307" in said


def test_a_folder_of_the_socket_that_is_missing(tmp_path):
    said = start(tmp_path, f"--socket={tmp_path}/no/such/x.sock")
    assert f"There is no folder '{tmp_path}/no/such'" in said and "--socket=/tmp/evenkeel.sock" in said


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="needs root to give up its capabilities")
def test_a_port_below_1024(tmp_path):
    limit = pathlib.Path("/proc/sys/net/ipv4/ip_unprivileged_port_start")
    if not limit.exists() or int(limit.read_text()) <= 81:
        pytest.skip("ports below 1024 are free for all here")
    s = Server(tmp_path / "d", options=["--port=81"])
    r = subprocess.run(["setpriv", "--bounding-set=-net_bind_service", "--inh-caps=-net_bind_service", *s.command()], capture_output=True, text=True, timeout=60)
    assert r.returncode == 1 and "Ports below 1024" in r.stderr and "make run PORT=3307" in r.stderr, r.stderr


def test_make_without_cargo():
    if not shutil.which("make"):
        pytest.skip("no make")
    r = subprocess.run(["make", "-n", "run", "CARGO=no-such-cargo"], cwd=ROOT, capture_output=True, text=True)
    assert "rustup" in r.stdout
    r = subprocess.run(["make", "tool-cargo", "CARGO=no-such-cargo"], cwd=ROOT, capture_output=True, text=True)
    assert r.returncode != 0 and "https://rustup.rs" in r.stdout


def test_usage_names_what_there_is():
    r = subprocess.run([binary()], capture_output=True, text=True)
    assert r.returncode == 2 and "evenkeel serve" in r.stderr and "evenkeel lab" in r.stderr


def test_refusals_name_evenkeel(server):
    # ours: the page that lists what is missing
    code, text = error(server, "CREATE LOGFILE GROUP g ADD UNDOFILE 'f'")[:2]
    assert code == 1235 and "Evenkeel" in text and "docs/compat.md" in text and "MySQL" not in text
    # MySQL's own: its words
    code, text = error(server, "SELECT 1 IN (SELECT 1 LIMIT 1)")
    assert (code, text) == (1235, "This version of MySQL doesn't yet support 'LIMIT & IN/ALL/ANY/SOME subquery'")


def test_restart_and_accounts(server):
    assert error(server, "RESTART") == (3707, "Restart server failed (mysqld is not managed by supervisor process).")
    for statement, code in (("UPDATE mysql.user SET Host = '%' WHERE User = 'root'", 1288), ("DELETE FROM mysql.user WHERE User = ''", 1142), ("INSERT INTO mysql.user (User) VALUES ('x')", 1142)):
        said = error(server, statement)
        assert said[0] == code and "ALTER USER" in said[1], said


def test_help(server):
    with server.connect() as c, c.cursor() as cur:
        def ask(what):
            cur.execute(f"HELP '{what}'")
            return [d[0] for d in cur.description], cur.fetchall()

        assert ask("no such thing") == (["name", "is_it_category"], ())
        columns, rows = ask("contents")
        assert columns == ["source_category_name", "name", "is_it_category"] and ("Contents", "System Variables", "Y") in rows
        columns, rows = ask("system variables")
        assert ("System Variables", "max_connections", "N") in rows
        columns, ((name, description, example),) = ask("MAX_CONNECTIONS")
        assert columns == ["name", "description", "example"] and name == "max_connections" and "151" in description
        assert "refman/8.4/en/create-table.html" in ask("create table")[1][0][1]
        assert "2 or 3" in ask("substring")[1][0][1] or "2 to 3 arguments" in ask("substring")[1][0][1]
        columns, rows = ask("innodb_buffer_pool_%")
        assert columns == ["name", "is_it_category"] and ("innodb_buffer_pool_size", "N") in rows
        assert len(ask("%")[1]) > 900


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to make a small disk")
def test_a_full_disk_at_the_first_start(tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(small)], capture_output=True).returncode != 0:
        pytest.skip("no disks can be mounted here")
    try:
        s = Server(tmp_path / "d")
        command = [f"--datadir={small}/data" if o.startswith("--datadir") else o for o in s.command()]
        r = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert r.returncode == 1 and f"'{small}/data' is full: make room" in r.stderr and "remove it before the next try" in r.stderr, r.stderr
    finally:
        subprocess.run(["umount", "-l", str(small)], check=True)
