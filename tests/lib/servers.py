"""Start and stop real servers in temporary folders: ours, and MariaDB as the oracle.

Every server gets a folder of its own with `run.sock`, a free loopback port and a log. `stop()` is clean, `kill()` is -9.
"""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import pymysql

ROOT = pathlib.Path(__file__).resolve().parents[2]


def binary():
    """Path of the evenkeel binary under test (EVENKEEL, or the release build, or the dev build)."""
    candidates = [os.environ.get("EVENKEEL"), ROOT / "target/release/evenkeel", ROOT / "target/debug/evenkeel"]
    for c in candidates:
        if c and os.path.exists(c):
            return str(c)
    raise RuntimeError("no evenkeel binary: run `make build` first")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Server:
    """A running server. `connect(**kw)` gives a PyMySQL connection of root."""

    def __init__(self, folder=None, options=()):
        self.owned = folder is None
        self.dir = pathlib.Path(folder or tempfile.mkdtemp(prefix="ek-test-"))
        self.dir.mkdir(parents=True, exist_ok=True)
        self.socket = str(self.dir / "run.sock")
        self.port = free_port()
        self.options = list(options)
        self.process = None

    name = "evenkeel"

    def command(self):
        return [binary(), "serve", "--no-defaults", f"--datadir={self.dir}/data", f"--socket={self.socket}",
                f"--port={self.port}", f"--pid-file={self.dir}/run.pid", *self.options]

    def start(self, wait=60.0):
        self.log = open(self.dir / "log", "ab")
        self.process = subprocess.Popen(self.command(), stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL)
        deadline = time.time() + wait
        while time.time() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.name} exited with {self.process.returncode}:\n{self.log_tail()}")
            try:
                self.connect(connect_timeout=2).close()
                return self
            except pymysql.err.OperationalError:
                time.sleep(0.02)
        raise RuntimeError(f"{self.name} did not become ready:\n{self.log_tail()}")

    def log_tail(self, n=3000):
        return (self.dir / "log").read_text(errors="replace")[-n:]

    def connect(self, **kw):
        kw.setdefault("user", "root")
        kw.setdefault("autocommit", True)
        kw.setdefault("charset", "utf8mb4")
        if "host" not in kw:
            kw.setdefault("unix_socket", self.socket)
        else:
            kw.setdefault("port", self.port)
        return pymysql.connect(**kw)

    def query(self, sql, db=None):
        with self.connect(database=db) as c, c.cursor() as cur:
            cur.execute(sql)
            return cur.fetchall()

    def alive(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self, wait=60.0):
        if self.alive():
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(wait)
        return self.process.returncode

    def remove(self):
        if self.alive():
            self.kill()
        if self.owned:
            shutil.rmtree(self.dir, ignore_errors=True)


class MariaDB(Server):
    """Debian's MariaDB as the oracle: same connection interface, `--no-defaults`, its own temporary data directory."""

    name = "mariadb"

    def start(self, wait=60.0):
        data = self.dir / "data"
        if not data.exists():
            data.mkdir()
            shutil.chown(self.dir, "mysql")
            shutil.chown(data, "mysql")
            subprocess.run(["mariadb-install-db", "--no-defaults", "--user=mysql", f"--datadir={data}",
                            "--auth-root-authentication-method=normal"], check=True, capture_output=True)
        os.chmod(self.dir, 0o755)
        return super().start(wait)

    def command(self):
        return ["/usr/sbin/mariadbd", "--no-defaults", "--user=mysql", f"--datadir={self.dir}/data", f"--socket={self.socket}",
                f"--port={self.port}", "--bind-address=127.0.0.1", f"--pid-file={self.dir}/data/run.pid", "--skip-name-resolve",
                "--skip-log-bin", "--innodb-flush-log-at-trx-commit=1", *self.options]
