"""The container's entrypoint (packaging/container/entrypoint.sh), run directly in a temporary folder: no container is needed.

The image itself is built by `make image` and tried by `make image-check` (docs/operations/containers.md).
"""
import getpass
import gzip
import os
import shutil
import signal
import socket
import subprocess

import pymysql
import pytest
import zstandard

from lib.servers import ROOT, binary, free_port
from lib.wait import until

ENTRYPOINT = ROOT / "packaging/container/entrypoint.sh"


class Container:
    def __init__(self, folder):
        self.folder = folder
        for name in ("bin", "initdb", "run"):
            (folder / name).mkdir()
        (folder / "bin/evenkeel").symlink_to(os.path.realpath(binary()))
        self.port = free_port()
        self.process = None

    def start(self, *args, **variables):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("MYSQL")}
        environment |= {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "EVENKEEL_INITDB": f"{self.folder}/initdb", **variables}
        options = [f"--no-defaults", f"--datadir={self.folder}/data", f"--socket={self.folder}/run/s.sock", f"--pid-file={self.folder}/run/s.pid",
                   f"--port={self.port}", "--bind-address=127.0.0.1", f"--user={getpass.getuser()}"]
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen([str(ENTRYPOINT), "evenkeel", "serve", *options, *args], env=environment, stdout=log, stderr=log,
                                            stdin=subprocess.DEVNULL)
        return self

    def log(self):
        return (self.folder / "log").read_text()

    def ready(self):
        """The entrypoint has become the server, which answers on both ways (on the port alone somebody else could)."""
        server = os.path.realpath(binary())
        until(lambda: self.process.poll() is not None or os.path.realpath(f"/proc/{self.process.pid}/exe") == server and self.answers(), why=self.log)
        assert self.process.poll() is None, self.log()
        return self

    def answers(self):
        try:
            with socket.socket(socket.AF_UNIX) as s, socket.create_connection(("127.0.0.1", self.port), 1):
                s.connect(f"{self.folder}/run/s.sock")
                return True
        except OSError:
            return False

    def failed(self):
        assert self.process.wait(60) == 1, self.log()
        return self.log()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(60) == 0, self.log()

    def ask(self, sql, user="root", password="", database=None, tcp=False):
        how = {"host": "127.0.0.1", "port": self.port} if tcp else {"unix_socket": f"{self.folder}/run/s.sock"}
        with pymysql.connect(user=user, password=password, database=database, autocommit=True, **how) as c, c.cursor() as cur:
            cur.execute(sql)
            return cur.fetchall()


@pytest.fixture
def container(tmp_path):
    c = Container(tmp_path)
    yield c
    if c.process and c.process.poll() is None:
        c.process.kill()
        c.process.wait()
    pid_file = tmp_path / "run/s.pid"
    if pid_file.exists() and pid_file.read_text().strip().isdigit():  # a temporary server whose entrypoint has gone
        try:
            os.kill(int(pid_file.read_text()), signal.SIGKILL)
        except ProcessLookupError:
            pass


def test_first_start_with_everything_and_a_second(container, tmp_path):
    """Passwords with quotes and backslashes, names with wildcards, one value from a file, files of all four kinds in their order."""
    password = "r'o\\o\"t"
    (tmp_path / "secret").write_text("us'er\n")
    initdb = tmp_path / "initdb"
    (initdb / "10-a.sql").write_text("CREATE TABLE steps (n INT AUTO_INCREMENT PRIMARY KEY, what VARCHAR(20));\nINSERT INTO steps (what) VALUES ('sql');\n"
                                     "DELIMITER //\nINSERT INTO steps (what) VALUES ('a;b')//\n")
    (initdb / "20-b.sql.gz").write_bytes(gzip.compress(b"INSERT INTO steps (what) VALUES ('gz');"))
    (initdb / "30-c.sql.zst").write_bytes(zstandard.compress(b"INSERT INTO steps (what) VALUES ('zst');"))
    (initdb / "40-sourced.sh").write_text("sql --database=\"$MYSQL_DATABASE\" <<< \"INSERT INTO steps (what) VALUES ('sourced')\"\n")
    run = initdb / "50-run.sh"
    run.write_text(f"#!/bin/sh\ntouch {tmp_path}/has-run\n")
    run.chmod(0o755)
    (initdb / "60-notes.txt").write_text("nothing")
    c = container.start(MYSQL_ROOT_PASSWORD=password, MYSQL_DATABASE="a_b", MYSQL_USER="u", MYSQL_PASSWORD_FILE=str(tmp_path / "secret")).ready()
    assert [w for w, in c.ask("SELECT what FROM a_b.steps ORDER BY n", password=password)] == ["sql", "a;b", "gz", "zst", "sourced"]
    assert (tmp_path / "has-run").exists() and "not looked at: " in c.log()
    assert sorted(c.ask("SELECT user, host FROM mysql.user", password=password)) == [("root", "%"), ("root", "localhost"), ("u", "%")]
    # the account has its database, and not one whose name only fits the wildcard
    c.ask("CREATE DATABASE axb", password=password)
    assert c.ask("SELECT COUNT(*) FROM steps", "u", "us'er", "a_b", tcp=True) == ((5,),)
    with pytest.raises(pymysql.err.OperationalError) as e:
        c.ask("SELECT 1", "u", "us'er", "axb")
    assert e.value.args[0] == 1044
    for password_tried in ("", "wrong"):
        with pytest.raises(pymysql.err.OperationalError) as e:
            c.ask("SELECT 1", password=password_tried)
        assert e.value.args[0] == 1045
    # no password in the environment of the server, nor in the log
    environment = open(f"/proc/{c.process.pid}/environ", "rb").read()
    assert b"MYSQL_" not in environment and b"us'er" not in environment
    assert "us'er" not in c.log() and "r'o" not in c.log()
    # the healthcheck sees it; the process is the server itself, as PID 1 has to be
    check = [ROOT / "packaging/container/healthcheck.sh", str(c.port)]
    assert subprocess.run(check, timeout=30).returncode == 0
    assert os.path.basename(os.readlink(f"/proc/{c.process.pid}/exe")) == os.path.basename(os.path.realpath(binary()))
    c.stop()
    assert subprocess.run(check, timeout=30, stderr=subprocess.DEVNULL).returncode == 1
    # again on the same volume: nothing is made anew, other variables do not count
    c.start(MYSQL_ROOT_PASSWORD="another", MYSQL_DATABASE="another").ready()
    assert c.ask("SELECT COUNT(*) FROM a_b.steps", password=password) == ((5,),)
    assert "another" not in [d for d, in c.ask("SHOW DATABASES", password=password)]
    c.stop()


def test_random_password(container):
    c = container.start(MYSQL_RANDOM_ROOT_PASSWORD="yes", MYSQL_ROOT_HOST="localhost").ready()
    password = c.log().split("GENERATED ROOT PASSWORD: ")[1].split()[0]
    assert len(password) == 32
    assert c.ask("SELECT user, host FROM mysql.user", password=password) == (("root", "localhost"),)
    c.stop()


def test_empty_password_stays_inside(container):
    c = container.start(MYSQL_ALLOW_EMPTY_PASSWORD="1").ready()
    assert c.ask("SELECT user, host FROM mysql.user") == (("root", "localhost"),)
    c.stop()


@pytest.mark.parametrize("variables, said", [
    ({}, "needs one of MYSQL_ROOT_PASSWORD"),
    ({"MYSQL_ROOT_PASSWORD": "a", "MYSQL_ALLOW_EMPTY_PASSWORD": "1"}, "needs one of MYSQL_ROOT_PASSWORD"),
    ({"MYSQL_ROOT_PASSWORD": "a", "MYSQL_ROOT_PASSWORD_FILE": "/etc/hostname"}, "are both set"),
    ({"MYSQL_ROOT_PASSWORD_FILE": "/no/such/file"}, "cannot be read"),
    ({"MYSQL_ALLOW_EMPTY_PASSWORD": "1", "MYSQL_ROOT_HOST": "%"}, "from this container only"),
    ({"MYSQL_ROOT_PASSWORD": "a", "MYSQL_USER": "u"}, "MYSQL_USER needs MYSQL_PASSWORD"),
    ({"MYSQL_ROOT_PASSWORD": "a", "MYSQL_PASSWORD": "p"}, "MYSQL_PASSWORD needs MYSQL_USER"),
    ({"MYSQL_ROOT_PASSWORD": "a", "MYSQL_USER": "root", "MYSQL_PASSWORD": "p"}, "root is there already"),
])
def test_what_is_refused_leaves_the_volume_empty(container, tmp_path, variables, said):
    assert said in container.start(**variables).failed()
    assert not (tmp_path / "data").exists() or os.listdir(tmp_path / "data") == []


def test_options_are_checked_first(container, tmp_path):
    assert "no-such-option" in container.start("--no-such-option=1", MYSQL_ROOT_PASSWORD="a").failed()
    assert not (tmp_path / "data").exists()


def test_a_script_that_fails_is_not_taken_for_a_start(container, tmp_path):
    (tmp_path / "initdb/a.sql").write_text("SELECT * FROM nothing_here.t;\n")
    assert "a.sql failed" in container.start(MYSQL_ROOT_PASSWORD="a").failed()
    # the volume is half made: a second start says so instead of serving it
    assert "was cut short" in container.start(MYSQL_ROOT_PASSWORD="a").failed()
    # and the temporary server has gone
    shutil.rmtree(tmp_path / "data")
    (tmp_path / "initdb/a.sql").unlink()
    container.start(MYSQL_ROOT_PASSWORD="a").ready().stop()


def test_a_refused_account_does_not_tell_its_password(container):
    log = container.start(MYSQL_ROOT_PASSWORD="a", MYSQL_USER="u" * 40, MYSQL_PASSWORD="hush-hush").failed()
    assert "ERROR 1470" in log and "hush" not in log


def test_other_programs_run_as_they_are(container):
    r = subprocess.run([ENTRYPOINT, "echo", "hello"], capture_output=True, text=True)
    assert (r.returncode, r.stdout) == (0, "hello\n")
    r = subprocess.run([ENTRYPOINT, "--version"], capture_output=True, text=True, env={**os.environ, "PATH": f"{container.folder}/bin:{os.environ['PATH']}"})
    assert r.returncode == 0 and r.stdout.startswith("evenkeel  Ver ")
