"""What a start may touch: folders of others are refused before the first write, `--initialize` and `--user` as mysqld has them, and nothing that is not
ours is written over."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import pymysql
import pytest

from lib.servers import AS_USER, Server, binary, free_port

ROOT = os.geteuid() == 0


def serve(folder, *options, user=AS_USER, data=None, timeout=30):
    """A start that is expected to end by itself."""
    args = [binary(), "serve", "--no-defaults", f"--datadir={data or folder / 'data'}", f"--socket={folder}/run.sock", f"--port={free_port()}", f"--pid-file={folder}/run.pid"]
    return subprocess.run([*args, *([user] if user else []), *options], capture_output=True, text=True, timeout=timeout)


def tree(folder):
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None for p in sorted(folder.rglob("*"))}


@pytest.mark.parametrize("name", ["mysql.ibd", "ibdata1", "aria_log_control", "aria_log.00000001", "ib_logfile0", "undo_001", "#innodb_temp/x", "#innodb_redo/#ib_redo9",
                                  "PG_VERSION", "letter.txt", "mysql/db.opt"])
def test_folder_of_somebody_else_is_left_alone(tmp_path, name):
    data = tmp_path / "data"
    file = data / name
    file.parent.mkdir(parents=True)
    file.write_text("mine")
    (data / "auto.cnf").write_text("[auto]\nserver-uuid=5e8b9e5c-0000-11f0-8000-000000000000\n")
    before = tree(data)
    for options in ((), ("--initialize",), ("--initialize-insecure",)):
        r = serve(tmp_path, *options)
        assert r.returncode == 1, r.stderr
        assert tree(data) == before
        if not options:
            assert name.split("/")[0] in r.stderr and "--datadir" in r.stderr, r.stderr


def test_foreign_files_beside_ours_are_refused_too():
    """As an earlier version left them: it had started in MySQL's directory."""
    s = Server().start()
    try:
        assert s.stop() == 0
        (s.dir / "data" / "ibdata1").write_text("mine")
        r = serve(s.dir)
        assert r.returncode == 1 and "ibdata1" in r.stderr and "dump" in r.stderr, r.stderr
    finally:
        s.remove()


def test_empty_folder_with_what_a_file_system_puts_there(tmp_path):
    (tmp_path / "data" / "lost+found").mkdir(parents=True)
    (tmp_path / "data" / ".snapshot").write_text("")
    s = Server(tmp_path).start()
    assert s.query("SELECT 1") == ((1,),)
    assert "empty password" in s.log_tail() and "ALTER USER root@localhost" in s.log_tail()
    assert s.stop() == 0
    size = len((tmp_path / "log").read_text())
    s.start()
    assert "empty password" not in (tmp_path / "log").read_text()[size:]
    s.remove()


def test_first_start_that_was_killed_at_once_is_begun_anew(tmp_path):
    """Between the lock and the mark of a first start there is nothing that could be missing."""
    for left in (["evenkeel.lock"], ["evenkeel.lock", "evenkeel.new.tmp"], ["evenkeel.lock", "evenkeel.new"]):
        s = Server(tmp_path / str(len(left[-1])))
        (s.dir / "data").mkdir()
        for name in left:
            (s.dir / "data" / name).write_text("")
        s.start()
        assert s.query("SELECT 1") == ((1,),)
        assert s.stop() == 0


def test_first_start_that_was_killed_is_completed(tmp_path):
    for n in range(8):
        folder = tmp_path / str(n)
        folder.mkdir()
        s = Server(folder)
        with open(folder / "log", "ab") as log:
            p = subprocess.Popen(s.command(), stdout=log, stderr=log)
            try:
                p.wait(0.02 + 0.03 * n)
            except subprocess.TimeoutExpired:
                p.kill()
                p.wait()
        s.start()
        assert s.query("SELECT COUNT(*) FROM mysql.general_log") == ((0,),)
        s.kill()
        assert not (folder / "data" / "evenkeel.new").exists()


def test_initialize_makes_a_password_that_must_be_changed(tmp_path):
    r = serve(tmp_path, "--initialize")
    assert r.returncode == 0, r.stderr
    found = re.search(r"\[Note\] \[MY-010454\] \[Server\] A temporary password is generated for root@localhost: (\S+)\n", r.stderr)
    assert found, r.stderr
    again = serve(tmp_path, "--initialize")
    assert again.returncode == 1 and "[MY-010457] [Server] --initialize specified but the data directory has files in it. Aborting." in again.stderr, again.stderr
    assert "[MY-013236]" in again.stderr
    s = Server(tmp_path)
    connect = s.connect

    def sandboxed(**kw):
        """An expired password allows no statement, so none is sent at the connect."""
        c = connect(**{**kw, "password": found[1], "autocommit": None, "client_flag": 1 << 22, "defer_connect": True})
        c.set_character_set = lambda *a, **k: None
        c.connect()
        return c

    s.connect = sandboxed
    s.start()
    try:
        with pytest.raises(pymysql.err.OperationalError) as e:
            connect()
        assert e.value.args[0] == 1045
        with s.connect() as c, c.cursor() as cur:
            with pytest.raises(pymysql.err.MySQLError) as e:
                cur.execute("SELECT 1 FROM mysql.user")
            assert e.value.args[0] == 1820
            cur.execute("ALTER USER root@localhost IDENTIFIED BY 'mine'")
            cur.execute("SELECT 1")
        assert "empty password" not in s.log_tail()
    finally:
        s.kill()


def test_initialize_insecure(tmp_path):
    r = serve(tmp_path, "--initialize-insecure")
    assert r.returncode == 0, r.stderr
    assert "[MY-010453] [Server] root@localhost is created with an empty password ! Please consider switching off the --initialize-insecure option." in r.stderr
    s = Server(tmp_path).start()
    assert s.query("SELECT CURRENT_USER()") == (("root@localhost",),)
    s.kill()


@pytest.mark.skipif(not ROOT, reason="only root can become somebody else")
def test_user():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ek-user-"))
    try:
        r = serve(folder, user=None)
        assert r.returncode == 1 and "[MY-010123] [Server] Fatal error:" in r.stderr and "--user=root" in r.stderr, r.stderr
        r = serve(folder, user="--user=no-such-user")
        assert r.returncode == 1
        assert "[MY-010124] [Server] Fatal error: Can't change to run as user 'no-such-user' ;  Please check that the user exists!" in r.stderr, r.stderr
        assert not (folder / "data").exists()
        shutil.chown(folder, "nobody")
        s = Server(folder, ["--user=nobody", f"--log-error={folder}/err.log", "--general-log=1"]).start()
        owner = folder.stat().st_uid
        status = pathlib.Path(f"/proc/{s.process.pid}/status").read_text()
        ids = re.search(r"^Uid:\t(\d+)\t(\d+)\t(\d+)\t(\d+)$", status, re.M)
        assert set(ids.groups()) == {str(owner)}, status
        groups = re.search(r"^Groups:\t?(.*)$", status, re.M)[1].split()
        assert "0" not in groups, status
        made = [p for p in folder.rglob("*") if p.name != "log"]
        assert len(made) > 10 and {p.stat().st_uid for p in made} == {owner}, [(p, p.stat().st_uid) for p in made]
        s.query("CREATE DATABASE d")
        assert s.stop() == 0
        # and root's files are not in its way afterwards
        s.start()
        assert ("d",) in s.query("SHOW DATABASES")
        s.kill()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("options, code, text", [
    (["--tmpdir=/no/such/folder"], "", "Can't get stat of '/no/such/folder' (OS errno 2 - No such file or directory)"),
    (["--tmpdir=/tmp:/no/such/folder"], "", "/no/such/folder"),
    (["--tmpdir=/etc/passwd"], "", "/etc/passwd"),
    (["--secure-file-priv=/no/such/folder"], "MY-010095", "Failed to access directory for --secure-file-priv."),
    (["--log-error=accounts.json"], "", "accounts.json"),
    (["--general-log-file=#spaces/00000001.ibd"], "", "general-log-file"),
    (["--slow-query-log-file=./auto.cnf"], "MY-010157", "--slow_query_log_file"),
    (["--pid-file=auto.cnf"], "", "pid-file"),
    (["--innodb-buffer-pool-filename=accounts.json"], "", "innodb-buffer-pool-filename"),
])
def test_places_that_cannot_be(tmp_path, options, code, text):
    r = serve(tmp_path, *options)
    assert r.returncode == 1 and code in r.stderr and text in r.stderr and "[MY-010119]" in r.stderr, r.stderr


def test_values_out_of_range_are_told():
    s = Server(options=["--max-connections=0", "--innodb-redo-log-capacity=5", "--server-id=99999999999", "--wait-timeout=0"]).start()
    log = s.log_tail(20_000)
    for line in ("[Warning] [MY-000081] [Server] option 'max_connections': unsigned value 0 adjusted to 1.",
                 "[Warning] [MY-000081] [Server] option 'innodb-redo-log-capacity': unsigned value 5 adjusted to 8388608.",
                 "[Warning] [MY-000081] [Server] option 'server_id': unsigned value 99999999999 adjusted to 4294967295.",
                 "[Warning] [MY-000081] [Server] option 'wait_timeout': unsigned value 0 adjusted to 1."):
        assert line in log, log
    s.remove()


def test_files_of_others_are_not_replaced(tmp_path):
    """Where the pid file or the socket should be is somebody's file."""
    letter = tmp_path / "letter"
    letter.write_text("dear friend")
    for option in ("--pid-file", "--socket"):
        r = serve(tmp_path, f"{option}={letter}")
        assert r.returncode == 1 and str(letter) in r.stderr, r.stderr
        assert letter.read_text() == "dear friend"


def test_ids_whose_file_exists_are_passed_over():
    """As after a dictionary was put back from an older copy: its next ids have files already, which are somebody's data."""
    s = Server().start()
    try:
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE d.a (id INT PRIMARY KEY)")
        s.stop()
        spaces = s.dir / "data" / "#spaces"
        last = max(int(p.stem, 16) for p in spaces.iterdir())
        mine = [spaces / f"{n:08x}.ibd" for n in range(last + 1, last + 200)]
        for p in mine:
            p.write_bytes(b"mine")
        s.start()
        s.query("CREATE TABLE d.b (id INT PRIMARY KEY)")
        s.query("INSERT INTO d.b VALUES (1)")
        assert all(p.read_bytes() == b"mine" for p in mine)
        assert mine[0].name in s.log_tail(100_000)
        s.kill()
        s.start()
        assert s.query("SELECT * FROM d.b") == ((1,),)
        assert all(p.read_bytes() == b"mine" for p in mine)
    finally:
        s.remove()


def test_nobody_is_let_in_where_all_accounts_were_dropped(tmp_path):
    s = Server(tmp_path).start()
    s.stop()
    (tmp_path / "data" / "accounts.json").write_text('{"version": 1, "accounts": []}')
    p = subprocess.Popen(s.command(), stdout=subprocess.DEVNULL, stderr=open(tmp_path / "log", "ab"))
    try:
        for _ in range(300):
            if "ready for connections" in s.log_tail(300):
                break
            try:
                p.wait(0.05)
            except subprocess.TimeoutExpired:
                pass
        with pytest.raises(pymysql.err.OperationalError) as e:
            s.connect()
        assert e.value.args[0] == 1045
    finally:
        p.kill()
        p.wait()


@pytest.mark.parametrize("var", ["innodb_data_home_dir", "innodb_log_group_home_dir", "innodb_undo_directory", "innodb_temp_tablespaces_dir"])
def test_files_that_would_lie_elsewhere(tmp_path, var):
    """Whoever gives the log a disk of its own hears that it is not there; naming the data directory itself is nothing to tell."""
    for place, told in ((tmp_path / "disk", True), ("./", False), (tmp_path / "s/data", False)):
        s = Server(tmp_path / "s", options=[f"--{var}={place}"])
        (tmp_path / "s/log").write_text("")
        try:
            s.start()
            assert (f"option '{var}' has no effect" in s.log_tail()) == told, place
        finally:
            s.stop()
