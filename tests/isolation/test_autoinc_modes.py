"""`innodb_autoinc_lock_mode` 0, 1 and 2 (manual, "AUTO_INCREMENT Handling in InnoDB"): which statements lock a table AUTO-INC to their end, whom that
holds up, and what values come of it.

What the modes leave of a table's counter after each kind of statement was compared with MySQL (all of golden/auto_increment.sql and
more, under each mode); `EVENKEEL_MYSQL` runs this file beside it too.
"""
import os
import threading
import time

import pymysql
import pytest

from lib.servers import MySQL, Server
from lib.wait import PATIENCE

ER_NO_SUCH_THREAD = 1094
KINDS = [Server, MySQL] if os.environ.get("EVENKEEL_MYSQL") else [Server]
TABLES = """CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, who INT, u INT, UNIQUE (u));
CREATE TABLE slow (a INT PRIMARY KEY);
CREATE TABLE gate (a INT PRIMARY KEY)"""


@pytest.fixture(scope="module", params=[(k, m) for k in KINDS for m in (0, 1, 2)], ids=lambda p: f"{p[0].name}-{p[1]}")
def server(request):
    kind, mode = request.param
    s = kind(options=[f"--innodb-autoinc-lock-mode={mode}"]).start()
    s.mode = mode
    s.query("CREATE DATABASE a")
    yield s
    s.stop()
    s.remove()


@pytest.fixture
def sessions(server):
    """Three connections on fresh tables; the first two wait a second for locks."""
    with server.connect() as c, c.cursor() as cur:
        for (n,) in server.query("SELECT ID FROM information_schema.PROCESSLIST WHERE ID <> CONNECTION_ID() AND DB = 'a'"):
            try:
                cur.execute(f"KILL {n}")
            except pymysql.err.OperationalError as e:
                assert e.args[0] == ER_NO_SUCH_THREAD  # the test before closed it, and it has ended meanwhile
        cur.execute("DROP DATABASE a")
        cur.execute("CREATE DATABASE a")
    all_ = [server.connect(database="a") for _ in range(3)]
    with all_[0].cursor() as cur:
        for sql in TABLES.split(";"):
            cur.execute(sql)
        cur.execute("INSERT INTO slow VALUES (1), (2), (3), (4)")
        cur.execute("INSERT INTO gate VALUES (1), (2), (3), (4)")
    for c in all_[:2]:
        with c.cursor() as cur:
            cur.execute("SET innodb_lock_wait_timeout = 1")
    yield all_
    for c in all_:
        c.close()


def run(c, sql):
    with c.cursor() as cur:
        cur.execute(sql)
        return cur.fetchall()


def is_held_up(c, sql):
    """Whether the statement waits for a lock until its time is over."""
    try:
        run(c, sql)
        return False
    except pymysql.err.OperationalError as e:
        assert e.args[0] == 1205, e
        return True


class Bulk(threading.Thread):
    """INSERT ... SELECT that stores a row and then waits for the second row of `gate`, which somebody has locked."""

    SQL = "INSERT INTO t (who) SELECT 1 FROM gate"

    def __init__(self, server, sql=SQL):
        super().__init__()
        self.c, self.sql, self.error = server.connect(database="a", autocommit=False), sql, None
        self.start()
        deadline = time.time() + PATIENCE
        while not server.query("SELECT 1 FROM performance_schema.data_locks WHERE OBJECT_NAME = 'gate' AND LOCK_STATUS = 'WAITING'"):
            assert time.time() < deadline and self.is_alive()
            time.sleep(0.02)

    def run(self):
        try:
            run(self.c, self.sql)
        except pymysql.err.OperationalError as e:
            self.error = e

    def finish(self):
        self.join(PATIENCE)
        assert not self.is_alive()
        self.c.close()


def values(c, who):
    return [r[0] for r in run(c, f"SELECT id FROM t WHERE who = {who} ORDER BY id")]


def test_variable(server):
    assert server.query("SELECT @@innodb_autoinc_lock_mode") == ((server.mode,),)


def test_whom_a_bulk_insert_holds_up(server, sessions):
    one, two, gate = sessions
    gate.begin()
    run(gate, "SELECT * FROM gate WHERE a = 2 FOR UPDATE")
    bulk = Bulk(server)
    locks = [r[0] for r in run(two, "SELECT LOCK_STATUS FROM performance_schema.data_locks WHERE OBJECT_NAME = 't' AND LOCK_MODE = 'AUTO_INC' AND LOCK_TYPE = 'TABLE'")]
    assert locks == ([] if server.mode == 2 else ["GRANTED"])
    locking = server.mode < 2
    assert is_held_up(one, "INSERT INTO t (who) VALUES (2)") == locking
    assert is_held_up(one, "INSERT INTO t (who) VALUES (2), (2)") == locking
    assert is_held_up(one, "INSERT INTO t (id, who) VALUES (1000, 2)") == locking
    assert is_held_up(one, "REPLACE INTO t (who) VALUES (2)") == locking
    assert is_held_up(one, "INSERT INTO t (who) SELECT 3 FROM slow") == locking
    # nobody asks for a value
    assert not is_held_up(one, "UPDATE t SET who = 2 WHERE id > 500")
    assert not is_held_up(one, "DELETE FROM t WHERE id > 500")
    gate.rollback()
    bulk.join()
    # the lock went with the statement: the transaction is still open
    assert not is_held_up(one, "INSERT INTO t (who) VALUES (4)")
    run(bulk.c, "COMMIT")
    bulk.finish()
    assert bulk.error is None
    mine = values(one, 1)
    assert len(mine) == 4
    if locking:
        assert mine == list(range(mine[0], mine[0] + 4))


def test_simple_inserts_in_open_transactions(server, sessions):
    one, two, _ = sessions
    for c in (one, two):
        c.begin()
    for n in range(3):
        assert not is_held_up(one, "INSERT INTO t (who) VALUES (1), (1)")
        assert not is_held_up(two, "INSERT INTO t (who) VALUES (2)")
        assert not is_held_up(two, "INSERT INTO t (who) SELECT 3 FROM slow")
    one.rollback()
    two.commit()
    assert len(values(two, 2)) == 3 and len(values(two, 3)) == 12


def test_a_failing_statement_gives_its_lock_up(server, sessions):
    one, two, _ = sessions
    run(one, "INSERT INTO t (who, u) VALUES (1, 1)")
    # under REPEATABLE READ MySQL keeps the gap locked that a row leaves which is taken back
    run(two, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
    two.begin()
    with pytest.raises(pymysql.err.IntegrityError):
        run(two, "INSERT INTO t (who, u) SELECT 2, a - 1 FROM slow")
    with pytest.raises(pymysql.err.IntegrityError):
        run(two, "INSERT INTO t (who, u) VALUES (2, 1)")
    # behind the duplicate, which is locked with its gap
    assert not is_held_up(one, "INSERT INTO t (who, u) SELECT 3, a + 100 FROM slow")
    two.rollback()


def test_a_simple_insert_waits_in_line(server, sessions):
    """A statement that waits for the lock counts as one that has it: simple inserts queue up behind it."""
    one, two, gate = sessions
    run(two, "SET innodb_lock_wait_timeout = 50")
    gate.begin()
    run(gate, "SELECT * FROM gate WHERE a = 2 FOR UPDATE")
    bulk = Bulk(server)
    waiting = threading.Thread(target=run, args=(two, "INSERT INTO t (who) SELECT 2 FROM slow"))
    waiting.start()
    if server.mode < 2:
        while waiting.is_alive() and not server.query("SELECT 1 FROM performance_schema.data_locks WHERE LOCK_MODE = 'AUTO_INC' AND LOCK_STATUS = 'WAITING'"):
            time.sleep(0.02)
        assert server.query("SELECT trx_state FROM information_schema.INNODB_TRX t JOIN performance_schema.data_locks l ON l.ENGINE_TRANSACTION_ID = t.trx_id WHERE LOCK_MODE = 'AUTO_INC' AND LOCK_STATUS = 'WAITING'") == (("LOCK WAIT",),)
        assert "AUTO-INC" in server.query("SHOW ENGINE INNODB STATUS")[0][2]
    gate.rollback()
    waiting.join(PATIENCE)
    assert not waiting.is_alive()
    # its thread may still be reading the answer from the connection
    bulk.join()
    run(bulk.c, "COMMIT")
    bulk.finish()
    for who in (1, 2) if server.mode < 2 else ():
        got = values(one, who)
        assert got == list(range(got[0], got[0] + 4)), who


def test_deadlock(server, sessions):
    """A statement with the AUTO-INC lock waits for a row whose holder asks for a value."""
    if server.mode == 2:
        pytest.skip("nobody locks")
    one, two, gate = sessions
    run(gate, "SET innodb_lock_wait_timeout = 20")
    gate.begin()
    run(gate, "SELECT * FROM gate WHERE a = 2 FOR UPDATE")
    bulk = Bulk(server)
    errors = []
    try:
        run(gate, "INSERT INTO t (who) SELECT 9 FROM slow")
    except pymysql.err.OperationalError as e:
        errors.append(e.args[0])
    gate.rollback()
    bulk.join(PATIENCE)
    assert not bulk.is_alive()
    bulk.c.rollback()
    bulk.finish()
    if bulk.error:
        errors.append(bulk.error.args[0])
    assert errors == [1213]
    assert not is_held_up(one, "INSERT INTO t (who) SELECT 3 FROM slow")


def test_many_at_once(server, sessions):
    """Bulk and simple inserts of several sessions: in modes 0 and 1 each statement's values follow each other, in all each value is given once."""
    errors = []

    def work(n):
        try:
            with server.connect(database="a") as c:
                for i in range(40):
                    who = n * 1000 + i
                    run(c, f"INSERT INTO t (who) SELECT {who} FROM slow s1, slow s2" if (n + i) % 2 else f"INSERT INTO t (who) VALUES ({who}), ({who}), ({who})")
        except pymysql.MySQLError as e:
            errors.append(e)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(1, 7)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(120)
    assert not errors
    groups = run(sessions[0], "SELECT who, COUNT(*), MAX(id) - MIN(id) + 1 FROM t GROUP BY who")
    assert len(groups) == 240 and sum(g[1] for g in groups) == 120 * 19
    scattered = [g for g in groups if g[1] != g[2] and (server.mode < 2 or g[1] == 3)]
    assert not scattered


def test_what_is_left_of_the_counter(server, sessions):
    """Mode 0 takes values row by row; 1 and 2 take as many as a simple insert has rows, and ever more for one of unknown length."""
    c = sessions[0]
    run(c, "INSERT INTO t (u) SELECT a FROM slow")
    run(c, "INSERT INTO t (u) SELECT a + 10 FROM slow LIMIT 1")
    run(c, "INSERT INTO t (id, u) VALUES (NULL, 20), (100, 21), (NULL, 22), (50, 23)")
    run(c, "INSERT IGNORE INTO t (u) VALUES (1), (30), (2)")
    run(c, "INSERT INTO t (u) VALUES (1) ON DUPLICATE KEY UPDATE who = 1")
    run(c, "INSERT INTO t (u) VALUES (40)")
    ids = [r[0] for r in run(c, "SELECT id FROM t ORDER BY id")]
    if server.mode == 0:
        assert ids == [1, 2, 3, 4, 5, 6, 50, 100, 101, 102, 103]
    else:
        assert ids == [1, 2, 3, 4, 8, 9, 50, 100, 101, 103, 107]


def test_a_crash_leaves_nothing(server, sessions):
    if server.name != "evenkeel":
        pytest.skip("not ours")
    gate = sessions[2]
    gate.begin()
    run(gate, "SELECT * FROM gate WHERE a = 2 FOR UPDATE")
    Bulk(server)
    run(sessions[1], "INSERT INTO slow VALUES (50)")
    server.kill()
    server.start()
    with server.connect(database="a") as c:
        assert run(c, "SELECT * FROM t") == ()
        run(c, "INSERT INTO t (who) SELECT 1 FROM slow")
        assert len(values(c, 1)) == 5
