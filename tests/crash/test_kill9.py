"""kill -9 in the middle of writing and of DDL, round after round on one data directory.

Writers keep a ledger of what the server acknowledged. After every crash and restart: every acknowledged transaction is
there, a transaction whose answer never came is there whole or not at all, every index equals its table (CHECK TABLE), and
the dictionary and the files agree (every table listed can be read).

EVENKEEL_ROUNDS sets the number of rounds (CI: 20).
"""
import os
import random
import threading
import time

import pymysql
import pytest

from lib.servers import Server
from lib.wait import until

ROUNDS = int(os.environ.get("EVENKEEL_ROUNDS", "20"))
ACCOUNTS = 200
WRITERS = 6


class Ledger:
    """What each writer knows: per account the last acknowledged sequence number and the one in flight, if any."""

    def __init__(self):
        self.lock = threading.Lock()
        self.acked = {}
        self.in_flight = {}


def writer(server, n, ledger, stop, seed):
    """Transfers between two of the writer's own accounts, with a history row: three statements, one transaction."""
    rng = random.Random(seed)
    mine = list(range(n, ACCOUNTS, WRITERS))
    try:
        conn = server.connect(database="bank", autocommit=False)
        cur = conn.cursor()
        while not stop.is_set():
            a, b = rng.sample(mine, 2)
            seq = ledger.acked.get(n, 0) + 1
            with ledger.lock:
                ledger.in_flight[n] = (seq, a, b)
            cur.execute("UPDATE account SET balance = balance - 1, seq = %s, note = %s WHERE id = %s",
                        (seq, "x" * rng.randrange(0, 300), a))
            cur.execute("UPDATE account SET balance = balance + 1, seq = %s WHERE id = %s", (seq, b))
            cur.execute("INSERT INTO history (writer, seq, a, b, pad) VALUES (%s, %s, %s, %s, %s)",
                        (n, seq, a, b, "p" * rng.randrange(0, 20000 if rng.random() < 0.02 else 200)))
            if rng.random() < 0.1:
                conn.rollback()
                with ledger.lock:
                    del ledger.in_flight[n]
                continue
            if rng.random() < 0.1:
                cur.execute("DELETE FROM history WHERE writer = %s AND seq < %s", (n, seq - 500))
            conn.commit()
            with ledger.lock:
                ledger.acked[n] = seq
                del ledger.in_flight[n]
    except (pymysql.err.MySQLError, OSError, AttributeError):
        pass


def ddl(server, known, stop, seed):
    """Creates, alters and drops tables; `known` maps a table name to None (gone), 'maybe' or its set of index names."""
    rng = random.Random(seed)
    try:
        conn = server.connect(database="bank")
        cur = conn.cursor()
        while not stop.is_set():
            name = f"d{rng.randrange(6)}"
            state = known.get(name)
            known[name] = "maybe"
            if state is None:
                cur.execute(f"CREATE TABLE {name} (id INT PRIMARY KEY AUTO_INCREMENT, v INT, s VARCHAR(100), KEY v (v))")
                cur.execute(f"INSERT INTO {name} (v, s) VALUES (1, 'a'), (2, 'b'), (3, 'c')")
                known[name] = "there"
            elif rng.random() < 0.4:
                cur.execute(f"DROP TABLE IF EXISTS {name}")
                known[name] = None
            elif rng.random() < 0.5:
                cur.execute(f"TRUNCATE TABLE {name}")
                known[name] = "there"
            else:
                cur.execute(f"SHOW INDEX FROM {name} WHERE Key_name = 's'")
                if cur.fetchall():
                    cur.execute(f"ALTER TABLE {name} DROP KEY s")
                else:
                    cur.execute(f"ALTER TABLE {name} ADD KEY s (s)")
                known[name] = "there"
    except (pymysql.err.MySQLError, OSError, AttributeError):
        pass


def verify(server, ledger, known):
    with server.connect(database="bank") as conn, conn.cursor() as cur:
        cur.execute("SELECT COUNT(*), SUM(balance) FROM account")
        count, total = cur.fetchone()
        assert (count, int(total)) == (ACCOUNTS, ACCOUNTS * 1000), "money appeared or vanished"
        for n in range(WRITERS):
            cur.execute("SELECT COALESCE(MAX(seq), 0) FROM history WHERE writer = %s", (n,))
            top = cur.fetchone()[0]
            acked = ledger.acked.get(n, 0)
            flight = ledger.in_flight.pop(n, None)
            allowed = {acked} | ({flight[0]} if flight else set())
            assert top in allowed, f"writer {n}: history ends at {top}, acknowledged {acked}, in flight {flight}"
            cur.execute("SELECT COALESCE(MAX(seq), 0) FROM account WHERE MOD(id, %s) = %s", (WRITERS, n))
            assert cur.fetchone()[0] == top, f"writer {n}: accounts and history disagree"
            ledger.acked[n] = top
        cur.execute("SHOW TABLES")
        tables = [r[0] for r in cur.fetchall()]
        for name, state in known.items():
            if state == "there":
                assert name in tables, f"{name} was created (acknowledged) and is gone"
            elif state is None:
                assert name not in tables, f"{name} was dropped (acknowledged) and is back"
            known[name] = "there" if name in tables else None
        cur.execute("CHECK TABLE " + ", ".join(f"`{t}`" for t in tables))
        bad = [r for r in cur.fetchall() if r[3] != "OK"]
        assert not bad, bad


@pytest.mark.timeout(60 * ROUNDS)
def test_kill9_rounds():
    server = Server(options=["--innodb-buffer-pool-size=16M", "--innodb-redo-log-capacity=16M"])
    rng = random.Random(int(os.environ.get("EVENKEEL_SEED", "1")))
    ledger, known = Ledger(), {}
    server.start()
    server.query("CREATE DATABASE bank")
    server.query("CREATE TABLE account (id INT PRIMARY KEY, balance INT NOT NULL, seq INT NOT NULL, note VARCHAR(300), KEY b (balance), KEY s (seq, balance))", db="bank")
    server.query("CREATE TABLE history (id BIGINT PRIMARY KEY AUTO_INCREMENT, writer INT, seq INT, a INT, b INT, pad TEXT, UNIQUE KEY w (writer, seq), KEY a (a))", db="bank")
    server.query("INSERT INTO account VALUES " + ",".join(f"({i}, 1000, 0, '')" for i in range(ACCOUNTS)), db="bank")
    try:
        for round_no in range(ROUNDS):
            stop = threading.Event()
            # every other round beside idle connections: then all share threads, and commits wait for the log without one
            idle = [server.connect() for _ in range(round_no % 2 * 20)]
            threads = [threading.Thread(target=writer, args=(server, n, ledger, stop, rng.random())) for n in range(WRITERS)]
            threads.append(threading.Thread(target=ddl, args=(server, known, stop, rng.random())))
            for t in threads:
                t.start()
            before = sum(ledger.acked.values())
            time.sleep(rng.uniform(0.2, 1.2))
            until(lambda: sum(ledger.acked.values()) > before + 10, "the writers hardly write")
            server.kill()
            for c in idle:
                c._force_close()
            stop.set()
            for t in threads:
                t.join()
            server.start()
            try:
                verify(server, ledger, known)
            except AssertionError as e:
                raise AssertionError(f"round {round_no}, data in {server.dir}: {e}\n{server.log_tail()}") from e
        server.stop()
    finally:
        if not os.environ.get("EVENKEEL_KEEP"):
            server.remove()
