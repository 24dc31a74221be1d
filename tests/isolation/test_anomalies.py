"""The anomalies of the isolation literature (Adya's G0 ... G2; names after Hermitage) at each of MySQL's four levels.

Each scenario is a script of steps over three connections; what each step must do is InnoDB's documented outcome (manual,
"InnoDB Transaction Model"). The same script runs against a real MariaDB, so that the expectation is not our own invention.
A step that blocks is expected to block: the runner waits a moment and then goes on with the others.
"""
import threading

import pymysql
import pytest

LEVELS = ["READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"]
BLOCKED = "blocked"


class Session:
    """One connection whose statements run in a thread, so that a blocked one can be observed."""

    def __init__(self, server, level):
        self.conn = server.connect(autocommit=False, database="iso")
        self.run(f"SET SESSION TRANSACTION ISOLATION LEVEL {level}")
        self.run("SET SESSION innodb_lock_wait_timeout = 5")
        self.thread = None
        self.result = None

    def _go(self, sql):
        try:
            with self.conn.cursor() as cur:
                cur.execute(sql)
                self.result = list(cur.fetchall()) if cur.description else cur.rowcount
        except pymysql.err.MySQLError as e:
            self.result = f"error {e.args[0]}"

    def start(self, sql, patience=0.25):
        """Runs `sql`; returns its result, or BLOCKED if it does not come back within `patience` seconds."""
        assert self.thread is None, "the previous statement is still blocked"
        self.thread = threading.Thread(target=self._go, args=(sql,))
        self.thread.start()
        return self.wait(patience)

    def wait(self, patience=8.0):
        self.thread.join(patience)
        if self.thread.is_alive():
            return BLOCKED
        self.thread = None
        return self.result

    def run(self, sql):
        self.thread = None
        return self.start(sql, 8.0)

    def close(self):
        if self.thread:
            self.thread.join(8)
        self.conn.close()


def fresh(server):
    server.query("CREATE DATABASE IF NOT EXISTS iso")
    server.query("DROP TABLE IF EXISTS test", db="iso")
    server.query("CREATE TABLE test (id INT PRIMARY KEY, value INT NOT NULL) ENGINE=InnoDB", db="iso")
    server.query("INSERT INTO test VALUES (1, 10), (2, 20)", db="iso")


# Scenario: steps of (session, sql, {level: expected} or expected). Levels may share an expectation by a tuple key.
RU, RC, RR, SER = LEVELS
ALL = "all"


def play(server, level, steps):
    fresh(server)
    sessions = [Session(server, level) for _ in range(3)]
    try:
        got = []
        for n, sql, _ in steps:
            s = sessions[n - 1]
            got.append(s.wait() if sql is None else s.start(sql))
        return got
    finally:
        for s in sessions:
            s.close()


def expected_at(expectation, level):
    if isinstance(expectation, dict):
        for k, v in expectation.items():
            if level == k or (isinstance(k, tuple) and level in k):
                return v
        return expectation[ALL]
    return expectation


SCENARIOS = {
    # G0: write cycles. The second writer blocks until the first ends.
    "G0": [
        (1, "UPDATE test SET value = 11 WHERE id = 1", 1),
        (2, "UPDATE test SET value = 12 WHERE id = 1", BLOCKED),
        (1, "UPDATE test SET value = 21 WHERE id = 2", 1),
        (1, "COMMIT", 0),
        (2, None, 1),
        (2, "UPDATE test SET value = 22 WHERE id = 2", 1),
        (2, "COMMIT", 0),
        (3, "SELECT * FROM test ORDER BY id", [(1, 12), (2, 22)]),
    ],
    # G1a: aborted reads.
    "G1a": [
        (1, "UPDATE test SET value = 101 WHERE id = 1", 1),
        (2, "SELECT value FROM test WHERE id = 1", {RU: [(101,)], SER: BLOCKED, ALL: [(10,)]}),
        (1, "ROLLBACK", 0),
        (2, None, {SER: [(10,)], ALL: None}),
    ],
    # G1b: intermediate reads.
    "G1b": [
        (1, "UPDATE test SET value = 101 WHERE id = 1", 1),
        (2, "SELECT value FROM test WHERE id = 1", {RU: [(101,)], SER: BLOCKED, ALL: [(10,)]}),
        (1, "UPDATE test SET value = 11 WHERE id = 1", 1),
        (1, "COMMIT", 0),
        (2, None, {SER: [(11,)], ALL: None}),
    ],
    # G1c: circular information flow.
    "G1c": [
        (1, "UPDATE test SET value = 11 WHERE id = 1", 1),
        (2, "UPDATE test SET value = 22 WHERE id = 2", 1),
        (1, "SELECT value FROM test WHERE id = 2", {RU: [(22,)], SER: BLOCKED, ALL: [(20,)]}),
        (2, "SELECT value FROM test WHERE id = 1", {RU: [(11,)], SER: "error 1213", ALL: [(10,)]}),
    ],
    # OTV: observed transaction vanishes.
    "OTV": [
        (1, "UPDATE test SET value = 11 WHERE id = 1", 1),
        (1, "UPDATE test SET value = 19 WHERE id = 2", 1),
        (2, "UPDATE test SET value = 12 WHERE id = 1", BLOCKED),
        (1, "COMMIT", 0),
        (2, None, 1),
        (3, "SELECT value FROM test WHERE id = 1", {RU: [(12,)], SER: BLOCKED, ALL: [(11,)]}),
        (2, "UPDATE test SET value = 18 WHERE id = 2", 1),
        (2, "COMMIT", 0),
        (3, None, {SER: [(12,)], ALL: None}),
        (3, "SELECT value FROM test WHERE id = 2", {RR: [(19,)], ALL: [(18,)]}),
    ],
    # PMP: predicate-many-preceders, read predicates.
    "PMP": [
        (1, "SELECT * FROM test WHERE value = 30", []),
        (2, "INSERT INTO test VALUES (3, 30)", {SER: BLOCKED, ALL: 1}),
        (2, "COMMIT", {SER: None, ALL: 0}),
        (1, "SELECT * FROM test WHERE value % 3 = 0", {(RU, RC): [(3, 30)], ALL: []}),
        (1, "COMMIT", 0),
        (2, None, {SER: 1, ALL: None}),
    ],
    # PMP with write predicates: a locking statement sees the latest committed rows at every level.
    "PMP-write": [
        (1, "UPDATE test SET value = value + 10", 2),
        (2, "DELETE FROM test WHERE value = 20", BLOCKED),
        (1, "COMMIT", 0),
        (2, None, 1),
        (2, "SELECT * FROM test", [(2, 30)]),
    ],
    # P4: lost update.
    "P4": [
        (1, "SELECT value FROM test WHERE id = 1", [(10,)]),
        (2, "SELECT value FROM test WHERE id = 1", [(10,)]),
        (1, "UPDATE test SET value = 11 WHERE id = 1", {SER: BLOCKED, ALL: 1}),
        (2, "UPDATE test SET value = 11 WHERE id = 1", {SER: "error 1213", ALL: BLOCKED}),
        (1, None, {SER: 1, ALL: None}),
        (1, "COMMIT", 0),
        (2, None, {SER: None, ALL: 0}),
    ],
    # G-single: read skew.
    "G-single": [
        (1, "SELECT value FROM test WHERE id = 1", [(10,)]),
        (2, "SELECT * FROM test ORDER BY id", [(1, 10), (2, 20)]),
        (2, "UPDATE test SET value = 12 WHERE id = 1", {SER: BLOCKED, ALL: 1}),
        (2, "UPDATE test SET value = 18 WHERE id = 2", {SER: None, ALL: 1}),
        (2, "COMMIT", {SER: None, ALL: 0}),
        (1, "SELECT value FROM test WHERE id = 2", {(RU, RC): [(18,)], ALL: [(20,)]}),
        (1, "COMMIT", 0),
        (2, None, {SER: 1, ALL: None}),
    ],
    # G-single with a write predicate: the delete sees the new row, not the snapshot's.
    "G-single-write": [
        (1, "SELECT value FROM test WHERE id = 1", [(10,)]),
        (2, "UPDATE test SET value = 12 WHERE id = 1", {SER: BLOCKED, ALL: 1}),
        (2, "UPDATE test SET value = 18 WHERE id = 2", {SER: None, ALL: 1}),
        (2, "COMMIT", {SER: None, ALL: 0}),
        (1, "DELETE FROM test WHERE value = 20", {SER: "error 1213 or 1", ALL: 0}),
    ],
    # G2-item: write skew on items.
    "G2-item": [
        (1, "SELECT * FROM test WHERE id IN (1, 2) ORDER BY id", [(1, 10), (2, 20)]),
        (2, "SELECT * FROM test WHERE id IN (1, 2) ORDER BY id", [(1, 10), (2, 20)]),
        (1, "UPDATE test SET value = 11 WHERE id = 1", {SER: BLOCKED, ALL: 1}),
        (2, "UPDATE test SET value = 21 WHERE id = 2", {SER: "error 1213", ALL: 1}),
        (1, None, {SER: 1, ALL: None}),
    ],
    # G2: write skew by predicate.
    "G2": [
        (1, "SELECT * FROM test WHERE value % 3 = 0", []),
        (2, "SELECT * FROM test WHERE value % 3 = 0", []),
        (1, "INSERT INTO test VALUES (3, 30)", {SER: BLOCKED, ALL: 1}),
        (2, "INSERT INTO test VALUES (4, 42)", {SER: "error 1213", ALL: 1}),
        (1, None, {SER: 1, ALL: None}),
    ],
}


def steps_for(level, scenario):
    """The steps that exist at this level: a step whose expectation is None there is left out."""
    return [s for s in SCENARIOS[scenario] if expected_at(s[2], level) is not None]


def check(server, level, scenario):
    steps = steps_for(level, scenario)
    got = play(server, level, steps)
    for (n, sql, expectation), result in zip(steps, got):
        want = expected_at(expectation, level)
        if want == "error 1213 or 1":
            assert result in ("error 1213", 1, BLOCKED), f"session {n}: {sql}"
        else:
            assert result == want, f"{scenario} at {level}, session {n}: {sql or 'its blocked statement'}"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_evenkeel(server, level, scenario):
    check(server, level, scenario)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_expectation_is_innodbs(mariadb, level, scenario):
    check(mariadb, level, scenario)
