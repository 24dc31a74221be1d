"""Files and folders that settings name while the server runs: who may name them, and what is refused.

An account that may set variables but has no FILE must not write files that somebody reads as settings, nor into the server's own; who may set nothing
must not choose where temporary files lie, nor learn which files exist.
"""
import pymysql
import pytest

from lib.servers import Server

LOGS = ["general_log_file", "slow_query_log_file"]
# everything that names a place and can be set
PLACES = LOGS + ["innodb_buffer_pool_filename", "innodb_tmpdir"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    s = Server(options=["--log-bin", "--server-id=1"])
    s.out = tmp_path_factory.mktemp("out")
    s.start()
    for sql in ("CREATE USER guest IDENTIFIED BY 'pw'", "CREATE USER setter IDENTIFIED BY 'pw'", "GRANT SYSTEM_VARIABLES_ADMIN ON *.* TO setter",
                "CREATE USER filer IDENTIFIED BY 'pw'", "GRANT SYSTEM_VARIABLES_ADMIN, FILE ON *.* TO filer"):
        s.query(sql)
    yield s
    s.stop()
    s.remove()


def outcome(server, user, sql):
    with server.connect(user=user, password="pw") as c, c.cursor() as cur:
        try:
            cur.execute(sql)
            return 0
        except pymysql.MySQLError as e:
            return e.args[0]


def test_all_such_variables_are_here(server):
    """A new one has to be thought about."""
    paths = {v for (v,) in server.query("SELECT VARIABLE_NAME FROM performance_schema.global_variables WHERE VARIABLE_NAME REGEXP 'file(name)?$|dirs?$|tmpdir$|_path$'"
                                     " AND VARIABLE_VALUE NOT IN ('ON', 'OFF')")}
    writable = set()
    for v in paths:
        with server.connect() as c, c.cursor() as cur:
            try:
                cur.execute(f"SET GLOBAL {v} = @@GLOBAL.{v}")
                writable.add(v)
            except pymysql.MySQLError as e:
                if e.args[0] not in (1238, 1229, 1228):
                    writable.add(v)
    # the archive of the redo log does not exist: its folders are a list of names only
    assert writable - {"innodb_redo_log_archive_dirs"} <= set(PLACES), "say in PLACES what may be named"


@pytest.mark.parametrize("var", LOGS)
def test_a_log_is_no_settings_and_no_file_of_the_server(server, var):
    out = server.out
    for name in (f"{out}/my.cnf", f"{out}/MY.CNF", f"{out}/a.ini", "evil.cnf", "", str(out), "/nonexistent/a.log", "missing/a.log", "accounts.json", "../data/accounts.json",
                 "mysqld-auto.cnf", "#spaces/00000001.ibd", "binlog.000001", "x.index", "server-key.pem", "#innodb_redo/#ib_redo0", "evenkeel.lock"):
        for scope in ("GLOBAL", "PERSIST"):
            assert outcome(server, "setter", f"SET {scope} {var} = '{name}'") == 1231, name
    assert not list(out.iterdir())
    for name in (f"{out}/a.log", "plain.log", "cnf", "a.cnf.log"):
        assert outcome(server, "setter", f"SET GLOBAL {var} = '{name}'") == 0, name
    assert outcome(server, "setter", f"SET GLOBAL {var} = DEFAULT") == 0
    for path in out.iterdir():
        path.unlink()


def test_the_folder_of_temporary_files_needs_file(server):
    data = server.dir / "data"
    for name in (server.out, "/nonexistent", data, "/"):
        # the same answer whether it exists or not
        assert outcome(server, "guest", f"SET SESSION innodb_tmpdir = '{name}'") == 1227, name
        assert outcome(server, "setter", f"SET GLOBAL innodb_tmpdir = '{name}'") == 1227, name
        assert outcome(server, "setter", f"SET PERSIST innodb_tmpdir = '{name}'") == 1227, name
    for name in ("/nonexistent", data, f"{data}/#spaces", f"{server.out}/../../{server.out}/nothing", server.dir / "log"):
        assert outcome(server, "filer", f"SET SESSION innodb_tmpdir = '{name}'") == 1231, name
    assert outcome(server, "filer", f"SET SESSION innodb_tmpdir = '{server.out}'") == 0
    assert outcome(server, "guest", "SET SESSION innodb_tmpdir = DEFAULT") == 0


def test_a_start_with_settings_as_a_log(tmp_path):
    s = Server(tmp_path / "s", options=[f"--general-log-file={tmp_path}/my.cnf"])
    try:
        with pytest.raises(RuntimeError, match="Invalid value for --general_log_file"):
            s.start()
    finally:
        s.remove()
    assert not (tmp_path / "my.cnf").exists()
