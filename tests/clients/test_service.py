"""What a service manager (systemd, Type=notify) hears from the server: READY, STATUS, EXTEND_TIMEOUT_USEC, STOPPING (crates/server/src/notify.rs)."""
import os
import shutil
import signal
import socket
import subprocess
import time

import pytest

from lib.servers import ROOT, Server


class Told:
    """A manager's socket. `abstract`: a name in Linux's abstract name space."""

    def __init__(self, folder, abstract):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.name = f"@evenkeel-test-{os.getpid()}-{time.monotonic_ns()}" if abstract else str(folder / "notify")
        self.socket.bind("\0" + self.name[1:] if abstract else self.name)
        self.socket.settimeout(60)

    def next(self):
        """One message: names and values."""
        return dict(line.split("=", 1) for line in self.socket.recv(4096).decode().splitlines())

    def until(self, name):
        """Messages up to the first with this name."""
        seen = []
        while not seen or name not in seen[-1]:
            seen.append(self.next())
        return seen

    def nothing_more(self):
        self.socket.settimeout(0.0)
        try:
            return [self.next()]
        except BlockingIOError:
            return []


def started(folder, told, monkeypatch, options=()):
    monkeypatch.setenv("NOTIFY_SOCKET", told.name)
    return Server(folder, options).start()


@pytest.mark.parametrize("abstract", [False, True], ids=["path", "abstract"])
def test_from_start_to_end(tmp_path, monkeypatch, abstract):
    told = Told(tmp_path, abstract)
    s = started(tmp_path / "s", told, monkeypatch)
    try:
        opening = told.until("READY")
        # the manager is asked for time before anything that can be long
        assert "EXTEND_TIMEOUT_USEC" in opening[0] and opening[0]["STATUS"] == "Opening the data directory", opening
        ready = opening[-1]
        assert ready["READY"] == "1" and int(ready["MAINPID"]) == s.process.pid
        assert ready["STATUS"] == f"Ready for connections, port {s.port}"
        # it was true: a client that comes now is served
        s.connect().close()
        assert s.stop() == 0
        assert told.next()["STOPPING"] == "1"
        closing = told.next()
        assert int(closing["EXTEND_TIMEOUT_USEC"]) >= 30_000_000 and closing["STATUS"].startswith("Shutting down")
    finally:
        s.remove()


def test_recovery_says_how_far_it_is(tmp_path, monkeypatch):
    s = Server(tmp_path / "s").start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE d.t (id INT PRIMARY KEY AUTO_INCREMENT, c VARCHAR(1000))")
    s.query("INSERT INTO d.t (c) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT REPEAT('x', 900) FROM n")
    s.kill()
    told = Told(tmp_path, False)
    s = started(tmp_path / "s", told, monkeypatch)
    try:
        opening = told.until("READY")
        assert "EXTEND_TIMEOUT_USEC" in opening[0]
        # whether a later message fell into recovery depends on the machine: each must be one of these
        for m in opening[:-1]:
            assert m["STATUS"] == "Opening the data directory" or m["STATUS"].startswith("Recovery: "), m
        assert s.query("SELECT COUNT(*) FROM d.t") == ((1000,),)
        assert s.stop() == 0
    finally:
        s.remove()


def test_a_failed_start_says_why(tmp_path, monkeypatch):
    told = Told(tmp_path, False)
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "data").mkdir()
    (tmp_path / "s" / "data" / "ibdata1").write_text("somebody else's")
    with pytest.raises(RuntimeError):
        started(tmp_path / "s", told, monkeypatch)
    m = told.next()
    assert m["STATUS"].startswith("Cannot start: ") and "READY" not in m
    assert told.nothing_more() == []


@pytest.mark.parametrize("name", ["", "relative/name", "/nobody/listens/here", "@nobody-listens-here"])
def test_a_socket_that_leads_nowhere_is_no_failure(tmp_path, monkeypatch, name):
    monkeypatch.setenv("NOTIFY_SOCKET", name)
    s = Server(tmp_path / "s").start()
    try:
        assert s.stop() == 0
    finally:
        s.remove()


def test_a_manager_that_does_not_read_is_not_waited_for_long(tmp_path, monkeypatch):
    told = Told(tmp_path, False)
    # its queue is full before the server comes
    full = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    full.setblocking(False)
    with pytest.raises(BlockingIOError):
        while True:
            full.sendto(b"X=1", told.name)
    s = started(tmp_path / "s", told, monkeypatch)
    try:
        assert s.query("SELECT 1") == ((1,),)
        s.process.send_signal(signal.SIGTERM)
        assert s.process.wait(60) == 0
    finally:
        s.remove()


def test_unit_file(tmp_path):
    """The unit means something to systemd, where systemd is installed; its paths are those of `make install`."""
    text = (ROOT / "packaging/evenkeel.service.in").read_text()
    assert "Type=notify" in text and "@BINDIR@" in text
    if not shutil.which("systemd-analyze"):
        pytest.skip("no systemd-analyze here")
    unit = tmp_path / "evenkeel.service"
    unit.write_text(text.replace("@BINDIR@/evenkeel", "/bin/true").replace("@SYSCONFDIR@", "/etc").replace("@DOCDIR@", "/usr/share/doc/evenkeel"))
    r = subprocess.run(["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True)
    said = [line for line in (r.stdout + r.stderr).splitlines() if "evenkeel.service" in line]
    assert r.returncode == 0 and not said, said
