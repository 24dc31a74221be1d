"""Signals, and log rotation: rename, then signal or FLUSH; nothing is lost, and the file is made anew."""
import os
import pathlib
import pty
import signal
import subprocess
import sys
import time

import pymysql
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lib.servers import Server  # noqa: E402

# those whose default would end or stop the server, and which mean nothing to it
IGNORED = [signal.SIGUSR2, signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF, signal.SIGIO, signal.SIGPWR, signal.SIGXFSZ, signal.SIGPIPE,
           signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGINT, signal.SIGCHLD, signal.SIGWINCH, signal.SIGRTMIN, signal.SIGRTMAX]


def until(what, seconds=20):
    deadline = time.time() + seconds
    while time.time() < deadline:
        if what():
            return True
        time.sleep(0.01)
    return False


@pytest.fixture(scope="module")
def server():
    s = Server()
    logs = s.dir / "logs"
    logs.mkdir()
    s.options += [f"--log-error={logs}/error.log", "--general-log=1", f"--general-log-file={logs}/general.log", "--slow-query-log=1",
                  f"--slow-query-log-file={logs}/slow.log", "--long-query-time=0"]
    s.logs = logs
    s.start()
    yield s
    s.remove()


@pytest.mark.parametrize("sig", IGNORED, ids=lambda s: s.name if hasattr(s, "name") else str(s))
def test_ignored(server, sig):
    with server.connect() as c, c.cursor() as cur:
        server.process.send_signal(sig)
        time.sleep(0.05)
        cur.execute("SELECT 1")
        assert cur.fetchone() == (1,)
    assert server.alive()


def content(path):
    return path.read_text() if path.exists() else ""


HOW = {
    "USR1": (lambda s: s.process.send_signal(signal.SIGUSR1), {"error", "general", "slow"}),
    "HUP": (lambda s: s.process.send_signal(signal.SIGHUP), {"error", "general", "slow"}),
    "FLUSH LOGS": (lambda s: s.query("FLUSH LOGS"), {"error", "general", "slow"}),
    "FLUSH ERROR LOGS": (lambda s: s.query("FLUSH ERROR LOGS"), {"error"}),
    "FLUSH GENERAL LOGS": (lambda s: s.query("FLUSH GENERAL LOGS"), {"general"}),
    "FLUSH LOCAL SLOW LOGS": (lambda s: s.query("FLUSH LOCAL SLOW LOGS"), {"slow"}),
}


@pytest.mark.parametrize("how", HOW)
def test_rotation(server, how):
    """As logrotate does it. Statements run all the time; each is in the old file or in the new one."""
    do, kinds = HOW[how]
    with server.connect() as c, c.cursor() as cur:
        for kind in ("error", "general", "slow"):
            old = server.logs / f"{kind}.log"
            assert old.exists()
            old.rename(server.logs / f"{kind}.log.1")
        marks = [f"mark_{os.urandom(6).hex()}" for _ in range(200)]
        for n, mark in enumerate(marks):
            if n == 100:
                do(server)
            cur.execute(f"SELECT '{mark}'")
        # the file is there before anything is written to it
        assert until(lambda: {k for k in ("error", "general", "slow") if (server.logs / f"{k}.log").exists()} >= kinds)
        for kind in ("general", "slow"):
            both = content(server.logs / f"{kind}.log.1") + content(server.logs / f"{kind}.log")
            assert [m for m in marks if m not in both] == []
        for kind in kinds & {"general", "slow"}:
            last = f"last_{os.urandom(6).hex()}"
            cur.execute(f"SELECT '{last}'")
            cur.execute("DO 1")
            assert until(lambda: last in content(server.logs / f"{kind}.log")), f"{kind} goes on in the old file"
        # nothing else was touched
        for kind in {"error", "general", "slow"} - kinds:
            assert not (server.logs / f"{kind}.log").exists()
            (server.logs / f"{kind}.log.1").rename(server.logs / f"{kind}.log")


def test_the_log_follows_its_variable(server):
    with server.connect() as c, c.cursor() as cur:
        cur.execute(f"SET GLOBAL general_log_file = '{server.logs}/other.log'")
        cur.execute("SELECT 'to the other file'")
        assert "to the other file" in content(server.logs / "other.log")
        cur.execute(f"SET GLOBAL general_log_file = '{server.logs}/general.log'")


def test_a_folder_that_is_gone():
    """The errors are MySQL's, and the logs go on in the files that are open."""
    s = Server()
    logs = s.dir / "logs"
    logs.mkdir()
    s.options += [f"--log-error={logs}/error.log", "--general-log=1", f"--general-log-file={logs}/general.log"]
    s.start()
    try:
        moved = s.dir / "moved"
        logs.rename(moved)
        for sql, number, text in [("FLUSH ERROR LOGS", 4004, f"Could not open file '{logs}/error.log' for error logging."),
                                  ("FLUSH LOGS", 4004, f"Could not open file '{logs}/error.log' for error logging."),
                                  ("FLUSH GENERAL LOGS", 29, f"File '{logs}/general.log' not found (OS errno 2 - No such file or directory)")]:
            with pytest.raises(pymysql.err.MySQLError) as e:
                s.query(sql)
            assert e.value.args == (number, text)
        s.process.send_signal(signal.SIGUSR1)
        assert until(lambda: "[ERROR]" in content(moved / "error.log"))
        s.query("SELECT 'still logged'")
        assert "still logged" in content(moved / "general.log")
    finally:
        s.remove()


def test_ctrl_c_at_a_terminal():
    """mysqld ignores SIGINT; somebody who started the server in his terminal wants to end it."""
    s = Server()
    control, terminal = pty.openpty()
    s.log = open(s.dir / "log", "ab")
    s.process = subprocess.Popen(s.command(), stdout=s.log, stderr=s.log, stdin=terminal, start_new_session=True,
                                 preexec_fn=lambda: __import__("fcntl").ioctl(0, __import__("termios").TIOCSCTTY, 0))
    try:
        assert until(lambda: "ready for connections" in s.log_tail(), 60)
        os.write(control, b"\x03")
        assert s.process.wait(30) == 0
        assert "Shutdown complete" in s.log_tail()
    finally:
        s.remove()
        os.close(control)
        os.close(terminal)
