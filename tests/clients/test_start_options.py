"""Options of the start that change who may come in, and how: --skip-grant-tables, --mysql-native-password, --daemonize."""
import os
import signal
import subprocess
import time

import pymysql
import pytest

from lib.servers import Server


def ask(c, sql):
    with c.cursor() as cur:
        cur.execute(sql)
        return cur.fetchall()


def refused(f):
    with pytest.raises(pymysql.err.MySQLError) as e:
        f()
    return e.value.args


class Plain(Server):
    """Without what lib.servers adds for tests of the old plugin."""

    def command(self):
        all = super().command()
        all.remove("--loose-mysql-native-password=ON")
        return all


def test_skip_grant_tables(tmp_path):
    s = Server(tmp_path).start()
    s.query("ALTER USER root@localhost IDENTIFIED BY 'forgotten'")
    s.connect(password="forgotten").close()
    s.stop()
    s = Server(tmp_path, options=["--skip-grant-tables"]).start()
    try:
        assert "skip-grant-tables" in s.log_tail()
        # from this machine only
        assert refused(lambda: s.connect(host="127.0.0.1"))[0] == 2003
        with s.connect(user="whoever", password="whatever") as c:
            assert ask(c, "SELECT USER(), CURRENT_USER(), @@skip_networking") == (("whoever@localhost", "skip-grants user@skip-grants host", 1),)
            ask(c, "CREATE DATABASE d")
            assert refused(lambda: ask(c, "ALTER USER root@localhost IDENTIFIED BY 'new'")) == (
                1290, "The MySQL server is running with the --skip-grant-tables option so it cannot execute this statement")
            for statement in ("CREATE USER u", "GRANT SELECT ON *.* TO root@localhost", "SET PASSWORD FOR root@localhost = 'x'", "DROP USER root@localhost"):
                assert refused(lambda: ask(c, statement))[0] == 1290
            # the way out that the manual describes
            ask(c, "FLUSH PRIVILEGES")
            ask(c, "ALTER USER root@localhost IDENTIFIED BY 'new'")
            assert refused(lambda: s.connect(user="whoever"))[0] == 1045
            assert refused(lambda: s.connect(password="forgotten"))[0] == 1045
        s.connect(password="new").close()
        with s.connect(password="new") as c:
            assert ask(c, "SELECT CURRENT_USER()") == (("root@localhost",),)
    finally:
        assert s.stop() == 0


def test_native_password_is_off_as_in_84(tmp_path):
    s = Plain(tmp_path).start()
    make = "CREATE USER old@localhost IDENTIFIED WITH mysql_native_password BY 'pw'"
    state = "SELECT PLUGIN_STATUS FROM information_schema.PLUGINS WHERE PLUGIN_NAME='mysql_native_password'"
    assert refused(lambda: s.query(make)) == (1524, "Plugin 'mysql_native_password' is not loaded")
    assert s.query(state) == (("DISABLED",),)
    s.stop()
    s = Plain(tmp_path, options=["--mysql-native-password=ON"]).start()
    s.query(make)
    assert s.query(state) == (("ACTIVE",),)
    s.connect(user="old", password="pw").close()
    s.stop()
    # asked to keep them out
    s = Plain(tmp_path, options=["--mysql-native-password=OFF"]).start()
    assert "'old'@'localhost'" in s.log_tail()
    assert refused(lambda: s.connect(user="old", password="pw"))[0] == 1524
    assert refused(lambda: s.connect(user="old", password="wrong"))[0] == 1524
    s.stop()
    # not asked at all: accounts that there are go on, and the log says so
    s = Plain(tmp_path).start()
    try:
        assert "'old'@'localhost'" in s.log_tail() and "caching_sha2_password" in s.log_tail()
        s.connect(user="old", password="pw").close()
        s.query("ALTER USER old@localhost IDENTIFIED WITH caching_sha2_password BY 'pw'")
    finally:
        s.stop()
    s = Plain(tmp_path).start()
    try:
        assert refused(lambda: s.query("CREATE USER other IDENTIFIED WITH mysql_native_password BY 'pw'"))[0] == 1524
    finally:
        s.stop()


def test_daemonize(tmp_path):
    s = Server(tmp_path)
    with open(tmp_path / "log", "ab") as log:
        done = subprocess.run([*s.command(), "--daemonize"], stdout=log, stderr=log, stdin=subprocess.DEVNULL, timeout=60)
    pid = int((tmp_path / "run.pid").read_text())
    try:
        # it serves as soon as the command is back, and is nobody's child here
        assert done.returncode == 0, s.log_tail()
        assert s.query("SELECT 1") == ((1,),)
        assert os.getsid(pid) == pid
        # a second one on the same directory cannot start, and the command says so
        with open(tmp_path / "log", "ab") as log:
            second = subprocess.run([*s.command(), "--daemonize"], stdout=log, stderr=log, stdin=subprocess.DEVNULL, timeout=60)
        assert second.returncode == 1 and "in use" in s.log_tail()
        assert s.query("SELECT 1") == ((1,),)
    finally:
        os.kill(pid, signal.SIGTERM)
        for _ in range(600):
            if not (tmp_path / "run.pid").exists():
                break
            time.sleep(0.05)
    assert not (tmp_path / "run.pid").exists()
