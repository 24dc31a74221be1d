"""The steps by which docker-library's entrypoint makes a database and starts it, twice on one volume, with this binary under the name of mysqld.

The script itself is not part of this repository; run by hand on 2026-11-26 it worked unchanged (docs/compat.md). Here are the calls it makes.
"""
import os
import re
import subprocess
import time

import pymysql

from lib.servers import binary


class Volume:
    def __init__(self, folder):
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir()
        (self.bin / "mysqld").symlink_to(os.path.realpath(binary()))
        self.socket = str(folder / "run.sock")
        (folder / "my.cnf").write_text(
            f"[mysqld]\nhost-cache-size=0\nskip-name-resolve\ndatadir={folder}/data\nsocket={self.socket}\nsecure-file-priv=NULL\n"
            f"pid-file={folder}/mysqld.pid\nport=0\nbind-address=127.0.0.1\n" + ("user=root\n" if os.geteuid() == 0 else ""))

    def command(self, *args):
        return [str(self.bin / "mysqld"), f"--defaults-file={self.folder}/my.cnf", *args]

    def run(self, *args):
        with open(self.folder / "log", "ab") as log:
            return subprocess.run(self.command(*args), stdout=log, stderr=log, stdin=subprocess.DEVNULL, timeout=120).returncode

    def config(self, name):
        """What the script's awk finds: the first line that begins with the name. It stops reading there, which is no failure (pipefail)."""
        piped = f"set -eo pipefail; $0 \"$@\" | awk -v conf={name} '$1 == conf && /^[^ \\t]/ {{ print; exit }}' >/dev/null"
        subprocess.run(["bash", "-c", piped, *self.command("--verbose", "--help")], check=True)
        text = subprocess.run(self.command("--verbose", "--help", "--log-bin-index=/tmp/none"), capture_output=True, text=True, check=True).stdout
        for line in text.splitlines():
            if re.match(rf"{re.escape(name)}\s", line):
                return line.split(None, 1)[1].strip()
        return ""

    def connect(self, **kw):
        return pymysql.connect(unix_socket=self.socket, autocommit=True, **kw)

    def sql(self, *statements, **kw):
        with self.connect(user="root", **kw) as c, c.cursor() as cur:
            for s in statements:
                cur.execute(s)
            return cur.fetchall()

    def serve(self):
        """exec mysqld: the process of the container."""
        log = open(self.folder / "log", "ab")
        p = subprocess.Popen(self.command(), stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        for _ in range(600):
            try:
                self.connect(user="nobody").close()
            except pymysql.err.OperationalError as e:
                if e.args[0] == 1045:
                    return p
            assert p.poll() is None, (self.folder / "log").read_text()
            time.sleep(0.05)
        raise AssertionError("not ready")


def test_two_starts_on_one_volume(tmp_path):
    v = Volume(tmp_path)
    assert v.config("datadir") == f"{tmp_path}/data/" and v.config("socket") == v.socket
    assert v.config("secure-file-priv") == "NULL" and v.config("pid-file") == f"{tmp_path}/mysqld.pid"
    assert v.config("general-log-file").startswith(f"{tmp_path}/data/") and v.config("keyring_file_data") == ""
    os.mkdir(tmp_path / "data")
    assert not (tmp_path / "data/mysql").exists()
    assert v.run("--initialize-insecure", "--default-time-zone=SYSTEM") == 0
    # the script's sign that there is a database
    assert (tmp_path / "data/mysql").is_dir()
    assert v.run("--daemonize", "--skip-networking", "--default-time-zone=SYSTEM", f"--socket={v.socket}") == 0
    pid = int((tmp_path / "mysqld.pid").read_text())
    v.sql("TRUNCATE TABLE time_zone_name", "INSERT INTO time_zone (Use_leap_seconds) VALUES ('N')", "SET @time_zone_id = LAST_INSERT_ID()",
          "INSERT INTO time_zone_name (Name, Time_zone_id) VALUES ('Test/Zone', @time_zone_id)",
          "INSERT INTO time_zone_transition_type (Time_zone_id, Transition_type_id, Offset, Is_DST, Abbreviation) VALUES (@time_zone_id, 0, 7200, 0, 'TZ')", database="mysql")
    v.sql("SET autocommit = 1", "SET @@SESSION.SQL_LOG_BIN=0", "ALTER USER 'root'@'localhost' IDENTIFIED BY 'secret'",
          "GRANT ALL ON *.* TO 'root'@'localhost' WITH GRANT OPTION", "FLUSH PRIVILEGES", "CREATE USER 'root'@'%' IDENTIFIED BY 'secret'",
          "GRANT ALL ON *.* TO 'root'@'%' WITH GRANT OPTION", "DROP DATABASE IF EXISTS test", database="mysql")
    v.sql("CREATE DATABASE IF NOT EXISTS `shop_1`", "CREATE USER 'app'@'%' IDENTIFIED BY 'pw'", "GRANT ALL ON `shop\\_1`.* TO 'app'@'%'", password="secret", database="mysql")
    v.sql("ALTER USER 'root'@'%' PASSWORD EXPIRE", password="secret")
    v.sql("SHUTDOWN", password="secret")
    for _ in range(600):
        if not os.path.exists(f"/proc/{pid}") or not (tmp_path / "mysqld.pid").exists():
            break
        time.sleep(0.05)
    for start in (1, 2):
        p = v.serve()
        with v.connect(user="app", password="pw", database="shop_1") as c, c.cursor() as cur:
            cur.execute("CREATE TABLE IF NOT EXISTS t (a INT)")
            cur.execute("INSERT INTO t VALUES (1)")
            cur.execute("SELECT COUNT(*), CONVERT_TZ('2020-01-01 00:00:00', '+00:00', 'Test/Zone') FROM t")
            n, converted = cur.fetchone()
            assert n == start and str(converted) == "2020-01-01 02:00:00"
        p.terminate()
        assert p.wait(60) == 0
    assert "Shutdown complete" in (tmp_path / "log").read_text()


def test_what_stops_the_script(tmp_path):
    v = Volume(tmp_path)
    (tmp_path / "my.cnf").write_text((tmp_path / "my.cnf").read_text() + "no_such_option=1\n")
    assert v.run("--initialize-insecure") == 1
    assert "no_such_option" in (tmp_path / "log").read_text()
