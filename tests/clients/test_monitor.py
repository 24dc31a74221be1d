"""InnoDB's monitor: deadlocks told of, `innodb_deadlock_detect`, `innodb_print_all_deadlocks`, `innodb_status_output_locks`; and the error log's settings."""
import os
import re
import threading
import time

import pymysql
import pytest

from lib.servers import Server
from lib.wait import until


@pytest.fixture(scope="module")
def server():
    s = Server().start()
    s.query("CREATE DATABASE d")
    s.query("CREATE TABLE d.t (a INT PRIMARY KEY, b INT)")
    s.query("INSERT INTO d.t VALUES (1,0),(2,0),(3,0)")
    yield s
    s.remove()


def ask(conn, sql):
    with conn.cursor() as c:
        c.execute(sql)
        return c.fetchall()


def cross(server, timeout):
    """Two transactions that each want what the other has: the errors' numbers."""
    with server.connect(database="d", autocommit=False) as a, server.connect(database="d", autocommit=False) as b:
        errors = []

        def run(conn, sql):
            try:
                ask(conn, sql)
            except pymysql.MySQLError as e:
                errors.append(e.args[0])

        for conn in (a, b):
            ask(conn, f"SET innodb_lock_wait_timeout = {timeout}")
        ask(a, "UPDATE t SET b = b + 1 WHERE a = 1")
        ask(b, "UPDATE t SET b = b + 10 WHERE a = 2")
        waiter = threading.Thread(target=run, args=(a, "UPDATE t SET b = 77 WHERE a = 2"))
        waiter.start()
        while not server.query("SELECT 1 FROM performance_schema.data_lock_waits"):
            time.sleep(0.01)
        start = time.time()
        run(b, "UPDATE t SET b = 88 WHERE a = 1")
        took = time.time() - start
        ids = a.thread_id(), b.thread_id()
        b.rollback()
        waiter.join()
        a.rollback()
    return errors, took, ids


def monitor(server):
    return server.query("SHOW ENGINE INNODB STATUS")[0][2]


def test_deadlock_is_told(server):
    errors, took, ids = cross(server, 50)
    assert errors == [1213], "found, not waited for: that would be 1205"
    text = monitor(server)
    part = text[text.index("LATEST DETECTED DEADLOCK"):text.index("TRANSACTIONS\n------------")]
    assert "UPDATE t SET b = 77 WHERE a = 2" in part and "UPDATE t SET b = 88 WHERE a = 1" in part, part
    for n in (1, 2):
        holds = part[part.index(f"*** ({n}) HOLDS"):]
        lock = r"RECORD LOCKS space id \d+ page no \d+ n bits \d+ index PRIMARY of table `d`.`t` trx id \d+ lock_mode X locks rec but not gap"
        record = r"Record lock, heap no \d+ PHYSICAL RECORD: n_fields 4; compact format; info bits 0\n( \d: len \d; hex [0-9a-f]+; asc .*;;\n){4}\n"
        assert re.match(rf"\*\*\* \(\d\) HOLDS THE LOCK\(S\):\n{lock}\n{record}\n\*\*\* \(\d\) WAITING FOR THIS LOCK TO BE GRANTED:\n"
                        rf"{lock} waiting\n{record}", holds), part
    assert all(f"MySQL thread id {i}," in part for i in ids)
    # the one that came last
    assert "*** WE ROLL BACK TRANSACTION (2)" in part
    assert "Transactions deadlock detected" not in server.log_tail(100000)


def test_all_deadlocks_in_the_log(server):
    server.query("SET GLOBAL innodb_print_all_deadlocks = ON")
    try:
        cross(server, 50)
    finally:
        server.query("SET GLOBAL innodb_print_all_deadlocks = OFF")
    log = server.log_tail(100000)
    assert "[MY-012468] [InnoDB] Transactions deadlock detected" in log and "UPDATE t SET b = 88 WHERE a = 1" in log
    rows = server.query("SELECT SUBSYSTEM FROM performance_schema.error_log WHERE DATA LIKE '%WE ROLL BACK TRANSACTION%'")
    assert rows == (("InnoDB",),)


def test_no_detection(server):
    before = server.query("SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks'")
    server.query("SET GLOBAL innodb_deadlock_detect = OFF")
    try:
        errors, took, _ = cross(server, 1)
    finally:
        server.query("SET GLOBAL innodb_deadlock_detect = ON")
    assert 1213 not in errors and 1205 in errors and took > 0.8, (errors, took)
    assert server.query("SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks'") == before
    assert cross(server, 50)[0] == [1213]


def test_locks_in_the_monitor(server):
    with server.connect(database="d", autocommit=False) as c:
        ask(c, "SELECT * FROM t WHERE a = 2 FOR UPDATE")
        wanted = "index PRIMARY of table `d`.`t` trx id"
        own = lambda: monitor(server).split("TRANSACTIONS\n------------")[1]
        assert wanted not in own()
        server.query("SET GLOBAL innodb_status_output_locks = ON")
        try:
            assert wanted in own()
        finally:
            server.query("SET GLOBAL innodb_status_output_locks = OFF")
        c.rollback()


def test_monitor_in_the_log(server):
    assert "INNODB MONITOR OUTPUT" not in server.log_tail(100000)
    server.query("SET GLOBAL innodb_status_output = ON")
    try:
        until(lambda: "END OF INNODB MONITOR OUTPUT" in server.log_tail(100000))
    finally:
        server.query("SET GLOBAL innodb_status_output = OFF")


def test_error_log_follows_its_variables():
    """Zone of the stamps, verbosity and suppression while the server runs (a warning: a client that must be cut off at the end)."""
    def log_of(*options):
        s = Server(options=["--log-timestamps=SYSTEM", *options])
        os.environ["TZ"] = "Asia/Kolkata"
        try:
            s.start()
        finally:
            del os.environ["TZ"]
        text = (s.dir / "log").read_text()
        s.remove()
        return text
    text = log_of()
    assert re.search(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+05:30 0 \[System\] \[MY-010931\]", text, re.M), text
    # an option that is out of range is adjusted with a warning
    wrong = "--max-connections=0"
    assert "[Warning]" in log_of(wrong)
    assert "[Warning]" not in log_of(wrong, "--log-error-verbosity=1")
    adjusted = r"\[Warning\] \[MY-(\d+)\].*max[_-]connections"
    number = re.search(adjusted, log_of(wrong))[1]
    assert not re.search(adjusted, log_of(wrong, f"--log-error-suppression-list=MY-{number}"))


def test_ddl_logs(server):
    server.query("CREATE TABLE d.unseen (a INT)")
    server.query("SET GLOBAL innodb_print_ddl_logs = ON")
    try:
        server.query("CREATE TABLE d.seen (a INT)")
        server.query("DROP TABLE d.seen")
    finally:
        server.query("SET GLOBAL innodb_print_ddl_logs = OFF")
    lines = re.findall(r"DDL log (\w+) : \[DDL record: DELETE SPACE, id=(\d+), space_id=(\d+)\]", server.log_tail(100000))
    inserted = [space for what, _, space in lines if what == "insert"]
    # one entry should the creation fail, one for the drop, which is carried out
    assert len(inserted) == 2 and inserted[0] == inserted[1] and ("replay", inserted[0]) in [(w, s) for w, _, s in lines], lines
