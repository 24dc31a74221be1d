"""The State of SHOW PROCESSLIST, information_schema.PROCESSLIST and performance_schema.threads: what a session is at, in MySQL's words. Each case holds a statement where it waits or works for long, and looks;
MySQL 9.7 gives the same (`python tests/clients/test_states.py --mysql`), but for `Creating sort index`,
which its manual has and it no longer shows."""
import pathlib
import sys
import threading

import pymysql
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import MySQL, Server  # noqa: E402
from lib.wait import until  # noqa: E402

SETUP = ["CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY, v INT, w VARCHAR(40), KEY (v))", "CREATE TABLE d.u (id INT PRIMARY KEY, v INT)",
         "INSERT INTO d.t VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c')", "INSERT INTO d.u VALUES (1, 1), (2, 2)", "SET GLOBAL cte_max_recursion_depth = 100000000",
         "CREATE TABLE d.big (id INT PRIMARY KEY, w VARCHAR(200))",
         "INSERT INTO d.big WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 60000) SELECT n, REPEAT(MD5(CONCAT('', n)), 5) FROM r"]
# what another session does first, the statement, its state
CASES = {
    "sleep": ([], "SELECT SLEEP(1000)", "User sleep"),
    "sleep in DO": ([], "DO SLEEP(1000)", "User sleep"),
    "user lock": (["SELECT GET_LOCK('l', 0)"], "SELECT GET_LOCK('l', 1000)", "User lock"),
    "select": ([], "SELECT COUNT(*) FROM d.big a JOIN d.big b JOIN d.big c WHERE a.w < b.w AND b.w <> c.w", "executing"),
    "sort": ([], "SELECT a.id FROM d.big a JOIN d.big b ORDER BY MD5(CONCAT(a.w, b.id)) LIMIT 10", "Creating sort index"),
    "update of two tables": ([], "UPDATE d.big a JOIN d.big b ON a.w < b.w SET a.w = 'x', b.w = 'y' WHERE MD5(a.w) = 'x'", "executing"),
    "insert select": ([], "INSERT INTO d.u SELECT a.id + b.id, 1 FROM d.big a JOIN d.big b WHERE a.w < b.w AND MD5(a.w) = 'x'", "executing"),
    "update waits for a row": (["BEGIN", "UPDATE d.t SET v = 10 WHERE id = 1"], "UPDATE d.t SET v = 11 WHERE id = 1", "updating"),
    "delete waits for a row": (["BEGIN", "UPDATE d.t SET v = 10 WHERE id = 1"], "DELETE FROM d.t WHERE id = 1", "updating"),
    "insert waits for a row": (["BEGIN", "INSERT INTO d.t VALUES (9, 9, '')"], "INSERT INTO d.t VALUES (9, 8, '')", "update"),
    "replace waits for a row": (["BEGIN", "INSERT INTO d.t VALUES (9, 9, '')"], "REPLACE INTO d.t VALUES (9, 8, '')", "update"),
    "locking read of one row": (["BEGIN", "UPDATE d.t SET v = 10 WHERE id = 1"], "SELECT * FROM d.t WHERE id = 1 FOR UPDATE", "statistics"),
    "locking read of many": (["BEGIN", "UPDATE d.t SET v = 10 WHERE id = 1"], "SELECT * FROM d.t FOR UPDATE", "executing"),
    "table lock": (["LOCK TABLES d.t WRITE"], "SELECT * FROM d.t", "Waiting for table metadata lock"),
    "ALTER waits": (["BEGIN", "SELECT * FROM d.t"], "ALTER TABLE d.t ADD COLUMN z INT", "Waiting for table metadata lock"),
    "TRUNCATE waits": (["BEGIN", "SELECT * FROM d.t"], "TRUNCATE TABLE d.t", "Waiting for table metadata lock"),
    "RENAME waits": (["BEGIN", "SELECT * FROM d.t"], "RENAME TABLE d.t TO d.t2", "Waiting for table metadata lock"),
    "DROP DATABASE waits": (["BEGIN", "SELECT * FROM d.t"], "DROP DATABASE d", "Waiting for table metadata lock"),
    "write under FTWRL": (["FLUSH TABLES WITH READ LOCK"], "INSERT INTO d.u VALUES (50, 1)", "Waiting for global read lock"),
    "DDL under LOCK INSTANCE": (["LOCK INSTANCE FOR BACKUP"], "CREATE TABLE d.n (a INT)", "Waiting for backup lock"),
    "ALTER that copies": ([], "ALTER TABLE d.big MODIFY w VARBINARY(190), ALGORITHM=COPY", "copy to tmp table"),
    "EXECUTE": (["BEGIN", "UPDATE d.t SET v = 10 WHERE id = 1"], "EXECUTE s", "updating"),
}


def state_of(server, number):
    (short,), = server.query(f"SELECT state FROM information_schema.processlist WHERE id = {number}") or (("gone",),)
    return short


def held(server, case):
    """The states that were seen until the expected one came up."""
    before, sql, state = CASES[case]
    a, b = server.connect(), server.connect()
    for q in before:
        a.cursor().execute(q)
    if sql == "EXECUTE s":
        b.cursor().execute("PREPARE s FROM 'UPDATE d.t SET v = 11 WHERE id = 1'")
    seen, box = [], []

    def run():
        try:
            b.cursor().execute(sql)
            box.append("done")
        except pymysql.MySQLError as e:
            box.append(e)
    t = threading.Thread(target=run)
    t.start()

    def look():
        now = state_of(server, b.thread_id())
        if not seen or seen[-1] != now:
            seen.append(now)
        return now == state or box
    try:
        until(look, lambda: f"{case}: {seen}", every=0.001)
        if state in seen:
            # the other lists say the same, while it lasts
            rows = [r for r in server.query("SHOW PROCESSLIST") if r[0] == b.thread_id()]
            threads = server.query(f"SELECT processlist_state, processlist_info FROM performance_schema.threads WHERE processlist_id = {b.thread_id()}")
            if not box:
                seen += [rows[0][6], threads[0][0]]
    finally:
        server.query(f"KILL {b.thread_id()}")
        t.join()
        # what it waited for comes free at once: it must not go on for all that
        a.close()
        b.close()
    return seen, box


@pytest.fixture(scope="module")
def world(server):
    for q in SETUP:
        server.query(q)
    server.query("SET GLOBAL lock_wait_timeout = 100")
    yield server
    assert names(server) == {"t", "u", "big"}, "a killed statement went on"


def names(server):
    return {name for name, in server.query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'd'")}


@pytest.mark.parametrize("case", CASES)
def test_state(world, case):
    seen, box = held(world, case)
    assert CASES[case][2] in seen, (seen, box)
    if "waits" in case or "sleep" in case or "lock" in case:
        assert set(seen[-2:]) == {CASES[case][2]}, seen
    assert names(world) == {"t", "u", "big"}


def test_nothing_while_asleep(world):
    with world.connect() as c:
        c.cursor().execute("SELECT SLEEP(0)")
        row, = [r for r in world.query("SHOW PROCESSLIST") if r[0] == c.thread_id()]
        assert row[4] == "Sleep" and not row[6]


if __name__ == "__main__":
    peer = (MySQL if sys.argv[1:] == ["--mysql"] else Server)().start()
    try:
        for q in SETUP:
            peer.query(q)
        for case in CASES:
            if case == "sort" and peer.name == "mysql":
                continue
            seen, box = held(peer, case)
            print("ok " if CASES[case][2] in seen else "NOT", case, CASES[case][2], seen, box)
    finally:
        peer.remove()
