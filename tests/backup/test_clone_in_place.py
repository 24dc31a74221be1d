"""CLONE INSTANCE without DATA DIRECTORY: the donor's data takes the place of the recipient's, in a restart.

Whatever moment the recipient is killed at, its next start has all of the old data or all of the new.
"""
import os
import random
import subprocess
import threading
import time

import pymysql
import pytest

from lib.servers import Server, binary
from lib.wait import until

GTIDS = ["--log-bin=bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON"]
ROUNDS = int(os.environ.get("EVENKEEL_CLONE_ROUNDS", 8))


@pytest.fixture
def donor():
    s = Server(options=[*GTIDS, "--server-id=1"]).start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE d.t (a INT PRIMARY KEY, b LONGBLOB)")
    s.query("INSERT INTO d.t VALUES (1, REPEAT('n', 3000000)), (2, 'x')")
    s.query("CREATE USER donor@'127.0.0.1' IDENTIFIED BY 'p', new@localhost IDENTIFIED BY 'q'")
    s.query("GRANT BACKUP_ADMIN ON *.* TO donor@'127.0.0.1'")
    yield s
    s.remove()


def make_old(donor):
    s = Server(options=[*GTIDS, "--server-id=2"]).start()
    s.query("CREATE DATABASE o")
    s.query("CREATE TABLE o.t (a INT PRIMARY KEY)")
    s.query("INSERT INTO o.t VALUES (1)")
    s.query("FLUSH BINARY LOGS")
    s.query("INSERT INTO o.t VALUES (2)")
    s.query("CREATE USER old@localhost IDENTIFIED BY 'q'")
    s.query("SET PERSIST max_connections = 77")
    s.query(f"SET PERSIST clone_valid_donor_list = '127.0.0.1:{donor.port}'")
    return s


def clone(donor):
    return f"CLONE INSTANCE FROM donor@'127.0.0.1':{donor.port} IDENTIFIED BY 'p'"


def is_old(s):
    return (s.query("SHOW DATABASES LIKE 'o'"), s.query("SHOW DATABASES LIKE 'd'")) == ((("o",),), ())


def check_old(s):
    assert s.query("SELECT a FROM o.t") == ((1,), (2,)) and s.query("CHECK TABLE o.t")[0][3] == "OK"
    assert s.query("SELECT user FROM mysql.user WHERE user IN ('old', 'new', 'donor')") == (("old",),)
    assert s.query("SELECT @@gtid_executed")[0][0].startswith(s.query("SELECT @@server_uuid")[0][0])


def check_new(s, donor, uuid):
    assert s.query("CHECKSUM TABLE d.t") == donor.query("CHECKSUM TABLE d.t") and s.query("CHECK TABLE d.t")[0][3] == "OK"
    assert s.query("SHOW DATABASES LIKE 'o'") == ()
    assert [u for u, in s.query("SELECT user FROM mysql.user WHERE user IN ('old', 'new', 'donor') ORDER BY 1")] == ["donor", "new"]
    executed = donor.query("SELECT @@gtid_executed")[0][0]
    assert s.query("SELECT @@gtid_executed, @@gtid_purged, @@server_uuid, @@max_connections") == ((executed, executed, uuid, 77),)
    assert s.query("SHOW BINARY LOGS")[0][0] == "bin.000001"


def test_without_a_supervisor(donor):
    s = make_old(donor)
    try:
        uuid = s.query("SELECT @@server_uuid")[0][0]
        with s.connect() as c, pytest.raises(pymysql.err.MySQLError) as e:
            c.cursor().execute(clone(donor))
        assert e.value.args == (3707, "Restart server failed (mysqld is not managed by supervisor process).")
        assert s.process.wait(120) == 0
        s.start()
        check_new(s, donor, uuid)
        row = s.query("SELECT ID, PID, STATE, BEGIN_TIME < END_TIME, SOURCE, DESTINATION, ERROR_NO, GTID_EXECUTED FROM performance_schema.clone_status")
        assert row == ((1, 0, "Completed", 1, f"127.0.0.1:{donor.port}", "LOCAL INSTANCE", 0, donor.query("SELECT @@gtid_executed")[0][0]),)
        assert {r for r in s.query("SELECT STATE, BEGIN_TIME <= END_TIME FROM performance_schema.clone_progress")} == {("Completed", 1)}
        folder = s.dir / "data/#clone"
        assert [p.name for p in folder.iterdir()] == ["status.json"]
        # it goes on as a server: changes, GTIDs of its own, another start, which still knows of the clone
        s.query("INSERT INTO d.t VALUES (3, 'mine')")
        assert s.stop() == 0
        s.start()
        assert f"{uuid}:1" in s.query("SELECT @@gtid_executed")[0][0] and s.query("SELECT COUNT(*) FROM d.t") == ((3,),)
        assert s.query("SELECT STATE FROM performance_schema.clone_status") == (("Completed",),)
        # and may be cloned upon again
        with s.connect() as c, pytest.raises(pymysql.err.MySQLError):
            c.cursor().execute(clone(donor))
        assert s.process.wait(120) == 0
        s.start()
        check_new(s, donor, uuid)
    finally:
        s.remove()


def test_with_a_supervisor(donor):
    """A process above that names itself in MYSQLD_PARENT_PID: the server ends with 16, for RESTART too."""
    s = make_old(donor)
    try:
        assert s.stop() == 0
        command = " ".join(f"'{a}'" for a in s.command())
        script = f"MYSQLD_PARENT_PID=$$; export MYSQLD_PARENT_PID; while :; do {command} >>'{s.dir}/log' 2>&1; code=$?; echo $code >>'{s.dir}/codes'; [ $code = 16 ] || exit $code; done"
        parent = subprocess.Popen(["/bin/sh", "-c", script])

        def connects():
            try:
                return s.query("SELECT @@server_uuid")[0][0]
            except pymysql.err.MySQLError:
                return None
        uuid = until(connects)
        base = [binary(), "backup", "-uroot", f"--socket={s.socket}", "--quiet", f"--to={s.dir}/before"]
        subprocess.run(base, check=True, timeout=120)
        s.query(clone(donor))
        codes = lambda: (s.dir / "codes").read_text().split() if (s.dir / "codes").exists() else []
        until(lambda: codes() == ["16"] and connects())
        check_new(s, donor, uuid)
        # other data under the same UUID: pages of the old would stand beside the new ones in a restore
        refused = subprocess.run([*base[:-1], f"--incremental-from={s.dir}/before", f"--to={s.dir}/after"], capture_output=True, text=True, timeout=120)
        assert "3862" in refused.stderr and not (s.dir / "after").exists()
        s.query("RESTART")
        until(lambda: codes() == ["16", "16"] and connects())
        s.query("SHUTDOWN")
        assert parent.wait(120) == 0 and codes() == ["16", "16", "0"]
    finally:
        s.remove()


def test_what_is_refused(donor):
    s = make_old(donor)
    try:
        donor.query(f"SET GLOBAL clone_valid_donor_list = '127.0.0.1:{donor.port}'")
        for server, code in ((donor, 3871), (s, 3862)):
            with server.connect() as c, pytest.raises(pymysql.err.MySQLError) as e:
                c.cursor().execute(clone(donor).replace("'p'", "'p'" if server is donor else "'wrong'"))
            assert e.value.args[0] == code
            assert not (server.dir / "data/#clone/new").exists()
            assert server.query("SELECT STATE, ERROR_NO FROM performance_schema.clone_status") == (("Failed", code),)
        with s.connect() as c, pytest.raises(pymysql.err.MySQLError) as e:
            c.cursor().execute("RESTART")
        assert e.value.args[0] == 3707
        check_old(s)
        folded = Server(options=["--lower-case-table-names=1"]).start()
        try:
            folded.query(f"SET GLOBAL clone_valid_donor_list = '127.0.0.1:{donor.port}'")
            with folded.connect() as c, pytest.raises(pymysql.err.MySQLError) as e:
                c.cursor().execute(clone(donor))
            assert e.value.args == (3868, "Clone Configuration lower_case_table_names: Donor value: 0 is different from Recipient value: 1.")
        finally:
            folded.remove()
    finally:
        s.remove()


def test_killed_at_any_moment(donor):
    """kill -9 while it clones, when it stops and while it starts; then again during the start that goes on."""
    rng, ends = random.Random(7), []
    for n in range(ROUNDS):
        s = make_old(donor)
        try:
            uuid = s.query("SELECT @@server_uuid")[0][0]

            def run():
                try:
                    with s.connect() as c:
                        c.cursor().execute(clone(donor))
                except pymysql.err.MySQLError:
                    pass
            t = threading.Thread(target=run)
            t.start()
            ready = s.dir / "data/#clone/ready.json"
            if n % 2:
                # the new data counts from here on
                until(lambda: ready.exists() or s.process.poll() is not None)
            # the first of all dies before it can be through
            time.sleep(n and rng.random() * (0.02 if n % 2 else 0.6))
            s.kill()
            t.join()
            committed = ready.exists()
            for _ in range(rng.randrange(3)):
                starting = subprocess.Popen(s.command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(rng.random() * 0.3)
                starting.kill()
                starting.wait()
            s.start()
            ends.append(is_old(s))
            assert ends[-1] != committed
            check_old(s) if ends[-1] else check_new(s, donor, uuid)
            assert s.stop() == 0
        finally:
            s.remove()
    assert set(ends) == {True, False}, ends
