"""Start and stop real servers in temporary folders: ours, and MariaDB or MySQL as the oracle.

Every server gets a folder of its own with `run.sock`, a free loopback port and a log. `stop()` is clean, `kill()` is -9.
"""
import getpass
import os
import pathlib
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import pymysql

ROOT = pathlib.Path(__file__).resolve().parents[2]
# as whom a server runs: whoever runs the tests (root must say so)
AS_USER = f"--user={getpass.getuser()}"


def binary():
    """Path of the evenkeel binary under test (EVENKEEL, or the release build, or the dev build)."""
    candidates = [os.environ.get("EVENKEEL"), ROOT / "target/release/evenkeel", ROOT / "target/debug/evenkeel"]
    for c in candidates:
        if c and os.path.exists(c):
            return str(c)
    raise RuntimeError("no evenkeel binary: run `make build` first")


def free_port():
    """A port that nobody listens on, below those that the kernel gives to whoever connects: one of these may be taken again before the server starts."""
    while True:
        port = 10_000 + secrets.randbelow(20_000)
        with socket.socket() as s:
            try:
                s.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


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
        # without a binary log unless a test asks for one: most want nothing of it, and peers are started like that
        log = [] if any(re.match("--(skip-|disable-)?log[-_]bin(=|$)", o) for o in self.options) else ["--skip-log-bin"]
        return [binary(), "serve", "--no-defaults", AS_USER, f"--datadir={self.dir}/data", f"--socket={self.socket}",
                f"--port={self.port}", f"--pid-file={self.dir}/run.pid", "--loose-mysql-native-password=ON", *log, *self.options]

    def start(self, wait=180.0):
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

    def stop(self, wait=180.0):
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

    def start(self, wait=180.0):
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
                f"--port={self.port}", "--bind-address=127.0.0.1", f"--pid-file={self.dir}/data/run.pid", f"--tmpdir={self.dir}", "--skip-name-resolve",
                "--skip-log-bin", "--innodb-flush-log-at-trx-commit=1", *self.options]


class MySQL(Server):
    """A real MySQL as the oracle, fetched by scripts/mysql-peer.sh into EVENKEEL_MYSQL or target/mysql-peer; not part of what CI runs. Foreign keys are
    checked by InnoDB, as in 8.4."""

    name = "mysql"

    @staticmethod
    def folder():
        """Where scripts/mysql-peer.sh put MySQL, or None."""
        folder = pathlib.Path(os.environ.get("EVENKEEL_MYSQL") or ROOT / "target/mysql-peer") / "root"
        return folder if (folder / "usr/sbin/mysqld").exists() else None

    @staticmethod
    def program(path):
        """The command that runs a program of that MySQL (path below its root) with the libraries that belong to it."""
        root = MySQL.folder()
        if root is None:
            raise RuntimeError("no MySQL: run scripts/mysql-peer.sh first")
        return [str(root / "usr/lib64/ld-linux-x86-64.so.2"), "--library-path", str(root / "usr/lib/x86_64-linux-gnu"), str(root / path)]

    def server(self):
        root = self.folder()
        return [*self.program("usr/sbin/mysqld"), "--no-defaults", "--user=root", f"--datadir={self.dir}/data",
                f"--lc-messages-dir={root}/usr/share/mysql", f"--character-sets-dir={root}/usr/share/mysql/charsets",
                f"--plugin-dir={root}/usr/lib/mysql/plugin"]

    def start(self, wait=180.0):
        fresh = not (self.dir / "data").exists()
        if fresh:
            subprocess.run([*self.server(), "--initialize-insecure"], check=True, capture_output=True)
        started = super().start(wait)
        if fresh:  # MD5 and SHA1 are in a component there
            self.query("INSTALL COMPONENT 'file://component_classic_hashing'")
        return started

    def command(self):
        return [*self.server(), f"--socket={self.socket}", f"--port={self.port}", "--bind-address=127.0.0.1", f"--pid-file={self.dir}/run.pid",
                "--mysqlx=OFF", "--skip-log-bin", "--skip-name-resolve", "--innodb-native-foreign-keys=ON", "--secure-file-priv=", *self.options]


def kinds():
    """What takes part in measurements: Evenkeel, MariaDB, and MySQL if EVENKEEL_MYSQL names one."""
    return (Server, MariaDB, MySQL) if os.environ.get("EVENKEEL_MYSQL") else (Server, MariaDB)


def log_and_disk(kind, direct=True):
    """The options by which servers have the same redo log (1 GiB) and, with `direct`, reach their files with O_DIRECT as Evenkeel does."""
    log = "--innodb-log-file-size=1G" if kind is MariaDB else "--innodb-redo-log-capacity=1G"
    return [log, "--innodb-flush-method=O_DIRECT"] if direct and kind is not Server else [log]
