"""Files of the server are for its account and its group, whatever umask it was started with; only certificates, public keys and the socket are for everybody.

Everything that writes files is made to write: a new kind of file belongs into the fixture.
"""
import os
import pathlib
import stat
import subprocess

from lib.servers import Server, binary
from lib.wait import until

FOR_ALL = {"ca.pem", "server-cert.pem", "client-cert.pem", "public_key.pem", "run.sock"}


def open_to_others(folder):
    found = []
    for path in pathlib.Path(folder).rglob("*"):
        mode = path.lstat().st_mode
        if not stat.S_ISLNK(mode) and mode & 0o007 and path.name not in FOR_ALL:
            found.append(f"{path.relative_to(folder)} {oct(mode)}")
    return found


def test_nothing_is_readable_by_others(tmp_path):
    (tmp_path / "logs").mkdir(mode=0o750)
    (tmp_path / "out").mkdir(mode=0o750)
    logs = tmp_path / "logs"
    s = Server(tmp_path / "s", options=[
        "--log-bin", "--server-id=1", "--general-log=ON", "--slow-query-log=ON", "--long-query-time=0", f"--general-log-file={logs}/general.log",
        f"--slow-query-log-file={logs}/slow.log", f"--log-error={logs}/error.log", f"--pid-file={logs}/run.pid", f"--secure-file-priv={tmp_path}/out"])
    before = os.umask(0)
    try:
        s.start()
        for sql in ("CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY, v VARCHAR(20)) SELECT 1 id, 'canary' v", f"SELECT * FROM d.t INTO OUTFILE '{tmp_path}/out/rows'",
                    f"SELECT v FROM d.t INTO DUMPFILE '{tmp_path}/out/row'", "SET PERSIST max_connections = 99", "SET GLOBAL innodb_buffer_pool_dump_now = ON",
                    "CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = 1, SOURCE_USER = 'u'", "START REPLICA", "SET GLOBAL log_error_services = 'log_sink_json'",
                    f"CLONE LOCAL DATA DIRECTORY '{tmp_path}/clone'", "FLUSH LOGS"):
            s.query(sql)
        until(lambda: (s.dir / "data/ib_buffer_pool").exists(), "the pool's list is written")
        backup = [binary(), "backup", "-u", "root", f"--socket={s.socket}", "--quiet", f"--to={tmp_path}/backup"]
        subprocess.run(backup, check=True, timeout=300)
        subprocess.run([binary(), "restore", f"{tmp_path}/backup", f"--datadir={tmp_path}/restored", "--quiet"], check=True, timeout=300)
        s.query("STOP REPLICA")
        s.stop()
    finally:
        os.umask(before)
        if s.alive():
            s.kill()
    # what the test itself and the harness have made
    ours = ("s ", "s/log ", "logs ", "out ")
    assert [f for f in open_to_others(tmp_path) if not f.startswith(ours)] == []
    for name in ("general.log", "slow.log", "error.log"):
        assert (logs / name).stat().st_size > 0, name
    # a client elsewhere on the machine can still be given the certificate, and reach the socket
    assert (s.dir / "data/ca.pem").stat().st_mode & 0o004
