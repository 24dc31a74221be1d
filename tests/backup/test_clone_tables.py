"""performance_schema.clone_status and clone_progress: MySQL's columns and values, of CLONE LOCAL and CLONE INSTANCE."""
import threading

import pymysql
import pytest

from lib.servers import MySQL, Server
from lib.wait import until

GTIDS = ["--log-bin=bin", "--server-id=7", "--gtid-mode=ON", "--enforce-gtid-consistency=ON"]
STAGES = ["DROP DATA", "FILE COPY", "PAGE COPY", "REDO COPY", "FILE SYNC", "RESTART", "RECOVERY"]
STATUS = "SELECT ID, STATE, BEGIN_TIME <= END_TIME, SOURCE, DESTINATION, ERROR_NO, ERROR_MESSAGE FROM performance_schema.clone_status"
# MySQL counts a few pages twice, and what its network sent
PROGRESS = """SELECT ID, STAGE, STATE, BEGIN_TIME <= END_TIME, THREADS, ESTIMATE >= DATA, DATA > 0, NETWORK > 0, DATA_SPEED, NETWORK_SPEED
              FROM performance_schema.clone_progress WHERE STAGE <> 'PAGE COPY'"""


@pytest.fixture
def pair():
    servers = [Server(options=GTIDS).start(), Server().start()]
    yield servers
    [s.remove() for s in servers]


def fails(server, sql):
    with pytest.raises(pymysql.err.MySQLError) as e:
        server.query(sql)
    return e.value.args


def told(server):
    return server.query(STATUS), server.query(PROGRESS)


def done(network):
    return tuple((1, stage, "Completed", 1, 1, 1, int(stage in ("FILE COPY", "REDO COPY")), int(network and stage in ("FILE COPY", "REDO COPY")), 0, 0)
                 if STAGES.index(stage) < 5 else (1, stage, "Not Started", None, 0, 1, 0, 0, 0, 0) for stage in STAGES if stage != "PAGE COPY")


def walk(donor, recipient, tmp):
    """What both servers must say after each statement."""
    donor.query("CREATE DATABASE d")
    donor.query("CREATE TABLE d.t (a INT PRIMARY KEY, b TEXT)")
    donor.query("CREATE USER donor@'127.0.0.1' IDENTIFIED BY 'p'")
    donor.query("GRANT BACKUP_ADMIN ON *.* TO donor@'127.0.0.1'")
    assert told(recipient) == ((), ())
    recipient.query(f"CLONE LOCAL DATA DIRECTORY '{tmp}/local'")
    local = (((1, "Completed", 1, "LOCAL INSTANCE", f"{tmp}/local/", 0, ""),), done(False))
    assert told(recipient) == local
    # refused before it begins: the last one stays
    assert fails(recipient, f"CLONE LOCAL DATA DIRECTORY '{tmp}/local'")[0] == 1007
    clone = lambda word, more: f"CLONE INSTANCE FROM donor@'127.0.0.1':{donor.port} IDENTIFIED BY '{word}' {more}"
    assert fails(recipient, clone("p", f"DATA DIRECTORY '{tmp}/r'"))[0] == 3869
    assert told(recipient) == local
    recipient.query(f"SET GLOBAL clone_valid_donor_list = '127.0.0.1:{donor.port}'")
    at = f"127.0.0.1:{donor.port}"
    for more, where in ((f"DATA DIRECTORY '{tmp}/r'", f"{tmp}/r/"), ("", "LOCAL INSTANCE")):
        code, text = fails(recipient, clone("wrong", more))
        assert code == 3862
        assert told(recipient) == (((1, "Failed", 1, at, where, 3862, text),), ())
    recipient.query(clone("p", f"DATA DIRECTORY '{tmp}/r'"))
    assert told(recipient) == (((1, "Completed", 1, at, f"{tmp}/r/", 0, ""),), done(True))
    assert recipient.query("SELECT PID FROM performance_schema.clone_status")[0][0] > 0
    for sql in ("TRUNCATE TABLE performance_schema.clone_status", "DELETE FROM performance_schema.clone_progress"):
        assert fails(recipient, sql)[0] == 1142


def test_what_is_shown(pair, tmp_path):
    donor, recipient = pair
    walk(donor, recipient, tmp_path)
    file, position, executed = recipient.query("SELECT BINLOG_FILE, BINLOG_POSITION, GTID_EXECUTED FROM performance_schema.clone_status")[0]
    assert (file, position) == donor.query("SHOW BINARY LOG STATUS")[0][:2] and executed == donor.query("SELECT @@gtid_executed")[0][0]


@pytest.mark.skipif(MySQL.folder() is None, reason="no MySQL: scripts/mysql-peer.sh")
def test_mysql_shows_the_same(tmp_path):
    """The oracle. Its tables are there while the plugin is."""
    servers = [MySQL().start(), MySQL().start()]
    try:
        for s in servers:
            s.query("INSTALL PLUGIN clone SONAME 'mysql_clone.so'")
        walk(*servers, tmp_path)
        mine = Server().start()
        try:
            for table in ("clone_status", "clone_progress"):
                columns = f"SELECT column_name, column_type, is_nullable, collation_name FROM information_schema.columns WHERE table_schema = 'performance_schema' AND table_name = '{table}' ORDER BY ordinal_position"
                assert mine.query(columns) == servers[0].query(columns)
        finally:
            mine.remove()
    finally:
        [s.remove() for s in servers]


def test_while_it_runs(pair, tmp_path):
    """Another session sees it; a second one is refused; one that is killed has failed."""
    donor, recipient = pair
    recipient.query("CREATE DATABASE k")
    recipient.query("CREATE TABLE k.t (a INT PRIMARY KEY, b LONGBLOB)")
    for i in range(30):
        recipient.query(f"INSERT INTO k.t VALUES ({i}, REPEAT('x', 4000000))")
    ended = []

    def clone(c):
        try:
            c.cursor().execute(f"CLONE LOCAL DATA DIRECTORY '{tmp_path}/k'")
            ended.append(0)
        except pymysql.err.MySQLError as e:
            ended.append(e.args[0])
    with recipient.connect() as c:
        t = threading.Thread(target=clone, args=(c,))
        t.start()
        state = lambda: recipient.query("SELECT STATE, PID FROM performance_schema.clone_status")
        until(lambda: ended or state() == (("In Progress", c.thread_id()),))
        if not ended:
            until(lambda: ended or recipient.query("SELECT 1 FROM performance_schema.clone_progress WHERE STAGE = 'FILE COPY' AND STATE = 'In Progress' AND ESTIMATE > 100000000"))
            e = None
            try:
                recipient.query(f"CLONE LOCAL DATA DIRECTORY '{tmp_path}/second'")
            except pymysql.err.MySQLError as error:
                e = error.args[0]
            assert e == 3634 or ended
            if not ended:
                recipient.query(f"KILL QUERY {c.thread_id()}")
        t.join()
        if ended == [1317]:
            assert recipient.query("SELECT STATE, ERROR_NO FROM performance_schema.clone_status") == (("Failed", 1317),)
            assert not (tmp_path / "k").exists()
