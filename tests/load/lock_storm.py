#!/usr/bin/env python3
"""DML of many sessions on one table while ALTER, TRUNCATE, RENAME, LOCK TABLES, FLUSH TABLES WITH READ LOCK and LOCK INSTANCE come and go.

    PYTHONPATH=tests tests/load/lock_storm.py [--sessions 64] [--seconds 60] [--seed 1] [--mysql]

Shown is that
* no answer is wrong: each transaction inserts three rows that belong together and now and then deletes such three, so whoever reads sees all of them or none; at the end the rows
  that are left, and those that TRUNCATE was seen to remove, are exactly those that were committed;
* nobody is stuck: every statement ends, with an answer or one of the errors that such work may give;
* whoever waits for a lock has MySQL's state for it, and `sys.blocked_sessions` names who stands in the way (looked at while it goes on: a session that waits in one statement in
  three looks one after the other must be named in one of them);
* when everything stands still, `sys.innodb_lock_waits`, `schema_table_lock_waits` and `blocked_sessions` say what data_lock_waits and metadata_locks say, and `statement_analysis`
  counts the statements that were sent.

`test_lock_storm.py` runs the short form. On MySQL (--mysql) the views of ours are left out.
"""
import argparse
import collections
import random
import sys
import threading
import time

import pymysql

from lib.servers import MySQL, Server
from lib.wait import PATIENCE, until

# deadlock, lock wait timeout, the snapshot is older than the table's present form; a column or key is there, or gone, because its ALTER was the victim of a deadlock
MAY = {1213, 1205, 1412, 1060, 1061, 1091}
STATES = {"Waiting for table metadata lock", "Waiting for global read lock", "Waiting for commit lock", "Waiting for backup lock", "Waiting for schema metadata lock", "User lock"}
INSERT = "INSERT INTO t (session, txn, part) VALUES (%d, %d, %d)"
DIGEST = "INSERT INTO `t` (%) VALUES (...)"


class Storm:
    def __init__(self, server, sessions, seed):
        self.server, self.sessions, self.seed = server, sessions, seed
        self.over = threading.Event()
        self.lock = threading.Lock()
        self.inserted = self.deleted = self.truncated = self.sent = 0
        self.done = collections.Counter()
        self.problems, self.looks, self.named = [], 0, 0

    def query(self, sql, db="d"):
        return self.server.query(sql, db=db)

    def setup(self):
        self.query("CREATE DATABASE d", None)
        for t in ("t", "t2"):
            self.query(f"CREATE TABLE {t} (id INT AUTO_INCREMENT PRIMARY KEY, session INT, txn INT, part INT, KEY k (session, txn))")
        self.query("CREATE TABLE side (id INT AUTO_INCREMENT PRIMARY KEY, a INT)")
        self.query("CREATE TABLE held (id INT PRIMARY KEY, a INT)")
        self.query("INSERT INTO held VALUES (1, 0), (2, 0)")
        self.query("TRUNCATE performance_schema.events_statements_summary_by_digest")

    def count(self, what, n=1):
        with self.lock:
            self.done[what] += n

    def guarded(self, work, number):
        """Calls `work(cursor, random)` again and again. What may go wrong begins anew, everything else is a problem."""
        rng = random.Random(f"{self.seed} {work.__name__} {number}")
        with self.server.connect(database="d", autocommit=True) as c, c.cursor() as cur:
            cur.execute("SET lock_wait_timeout = 100, innodb_lock_wait_timeout = 100")
            while not self.over.is_set():
                try:
                    work(cur, rng, number)
                    self.count(work.__name__)
                except pymysql.MySQLError as e:
                    self.count(e.args[0])
                    if e.args[0] not in MAY:
                        with self.lock:
                            self.problems.append(f"{work.__name__} {number}: {e}")
                        return
                    for sql in ("ROLLBACK", "UNLOCK TABLES", "UNLOCK INSTANCE"):
                        cur.execute(sql)

    # ---- what sessions do -------------------------------------------------------------------------------------------

    def transfer(self, cur, rng, number):
        with self.lock:
            txn = self.sent
            self.sent += 3
        sent = 0
        try:
            cur.execute("BEGIN")
            for part in (1, 2, 4):
                sent += 1
                cur.execute(INSERT % (number, txn, part))
            gone = 0
            if rng.random() < 0.3:
                gone = cur.execute(f"DELETE FROM t WHERE session = {number} AND txn < {txn} ORDER BY session, txn LIMIT 3")
            if rng.random() < 0.1:
                cur.execute("ROLLBACK")
                return
            cur.execute("COMMIT")
        finally:
            with self.lock:
                self.sent -= 3 - sent
        with self.lock:
            self.inserted += 3
            self.deleted += gone

    def read(self, cur, rng, number):
        # the table that is out is read too
        for t in ("t", "t2"):
            cur.execute(f"SELECT session, txn, COUNT(*), SUM(part) FROM {t} GROUP BY session, txn HAVING COUNT(*) <> 3 OR SUM(part) <> 7")
            torn = cur.fetchall()
            if torn:
                with self.lock:
                    self.problems.append(f"torn transactions in {t}: {torn[:3]}")

    def beside(self, cur, rng, number):
        cur.execute(f"INSERT INTO side (a) VALUES ({number})")
        cur.execute("UPDATE held SET a = a + 1 WHERE id = 1")

    def long_read(self, cur, rng, number):
        """Holds the table while others want to change it."""
        cur.execute("BEGIN")
        cur.execute("SELECT COUNT(*) FROM t")
        self.over.wait(rng.uniform(0.05, 0.3))
        cur.execute("COMMIT")

    def alter(self, cur, rng, number):
        what = rng.choice(["ADD COLUMN c INT", "ADD KEY s (part)", "ENGINE=InnoDB", "COMMENT 'x'"])
        cur.execute(f"ALTER TABLE t {what}" + rng.choice(["", ", ALGORITHM=COPY"]))
        if what.startswith("ADD"):
            # the two tables change places; where the change is now, is tried
            for t in ("t", "t2"):
                try:
                    cur.execute(f"ALTER TABLE {t} {'DROP COLUMN c' if 'COLUMN' in what else 'DROP KEY s'}")
                    return
                except pymysql.MySQLError as e:
                    if e.args[0] != 1091:
                        raise

    def truncate(self, cur, rng, number):
        cur.execute("TRUNCATE TABLE side")
        cur.execute("LOCK TABLES t WRITE")
        cur.execute("SELECT COUNT(*) FROM t")
        (n,), = cur.fetchall()
        cur.execute("TRUNCATE TABLE t")
        with self.lock:
            self.truncated += n
        cur.execute("UNLOCK TABLES")
        self.over.wait(0.1)

    def rename(self, cur, rng, number):
        cur.execute("RENAME TABLE t TO t3, t2 TO t, t3 TO t2")
        self.over.wait(0.1)

    def lock_tables(self, cur, rng, number):
        cur.execute("LOCK TABLES t READ" if rng.random() < 0.5 else "LOCK TABLES t WRITE, side READ")
        self.over.wait(0.05)
        cur.execute("UNLOCK TABLES")
        self.over.wait(0.1)

    def read_lock(self, cur, rng, number):
        cur.execute("FLUSH TABLES WITH READ LOCK")
        self.over.wait(0.05)
        cur.execute("UNLOCK TABLES")
        cur.execute("LOCK INSTANCE FOR BACKUP")
        self.over.wait(0.05)
        cur.execute("UNLOCK INSTANCE")
        self.over.wait(0.1)

    # ---- who waits, and who is named --------------------------------------------------------------------------------

    def waiting(self):
        """Connection -> its statement's number, of those that wait for a lock."""
        rows = self.query("SELECT t.processlist_id, s.event_id, t.processlist_state, t.processlist_info FROM performance_schema.threads t"
                          " JOIN performance_schema.events_statements_current s ON s.thread_id = t.thread_id"
                          " WHERE t.processlist_command = 'Query' AND s.end_event_id IS NULL")
        locks = {pid for (pid,) in self.query("SELECT trx_mysql_thread_id FROM information_schema.INNODB_TRX WHERE trx_state = 'LOCK WAIT'")}
        locks |= {pid for (pid,) in self.query("SELECT owner_thread_id FROM performance_schema.metadata_locks WHERE lock_status = 'PENDING'")}
        return {pid: event for pid, event, state, _ in rows if state in STATES or pid in locks}

    def watch(self):
        """Looks again and again until it is over."""
        unnamed = {}
        while not self.over.is_set():
            before = self.waiting()
            named = {pid for (pid,) in self.query("SELECT DISTINCT waiting_pid FROM sys.x$blocked_sessions")}
            after = self.waiting()
            still = {pid: event for pid, event in before.items() if after.get(pid) == event}
            self.looks += 1
            self.named += len(named)
            unnamed = {(pid, event): unnamed.get((pid, event), 0) + 1 for pid, event in still.items() if pid not in named}
            lost = [key for key, times in unnamed.items() if times >= 3]
            if lost:
                held = self.query("SELECT object_type, object_name, lock_type, lock_status, owner_thread_id FROM performance_schema.metadata_locks"
                                  " WHERE lock_status = 'PENDING' OR lock_type NOT LIKE 'SHARED%' OR object_name IN ('t', 'side', 'held')")
                self.problems.append(f"waits, and nobody is named: {lost[:3]} {held[:20]}")
                return
            self.over.wait(0.05)

    # ---- the whole --------------------------------------------------------------------------------------------------

    def run(self, seconds):
        works = [self.alter, self.truncate, self.rename, self.lock_tables, self.read_lock, self.long_read, self.read, self.beside, self.beside]
        plan = [(w, i) for i, w in enumerate(works)] + [(self.transfer, i) for i in range(len(works), self.sessions)]
        threads = [threading.Thread(target=self.guarded, args=p, daemon=True) for p in plan]
        if self.server.name == "evenkeel":
            threads.append(threading.Thread(target=self.watch, daemon=True))
        for t in threads:
            t.start()
        self.over.wait(seconds)
        self.over.set()
        for t in threads:
            t.join(PATIENCE)
            if t.is_alive():
                self.problems.append(f"stuck: {self.query('SHOW FULL PROCESSLIST')}")
                return
        left = sum(self.query(f"SELECT COUNT(*) FROM {t}")[0][0] for t in ("t", "t2"))
        if left != self.inserted - self.deleted - self.truncated:
            self.problems.append(f"{left} rows are left of {self.inserted} inserted, {self.deleted} deleted, {self.truncated} truncated")
        # what is counted as a statement is what was sent
        analysis = self.query(f"SELECT SUM(exec_count), SUM(err_count) FROM sys.x$statement_analysis WHERE db = 'd' AND query LIKE '{DIGEST}'")
        digests = self.query("SELECT SUM(count_star), SUM(sum_errors) FROM performance_schema.events_statements_summary_by_digest"
                             f" WHERE schema_name = 'd' AND digest_text LIKE '{DIGEST}'")
        exact = self.server.name != "evenkeel" or int(analysis[0][0] or 0) == self.sent
        if analysis != digests or not exact:
            self.problems.append(f"statement_analysis {analysis}, by digest {digests}, sent {self.sent}")

    def stand_still(self):
        """Three kinds of locks are held and everybody waits: the views say what the tables say."""
        holders = [self.server.connect(database="d", autocommit=False) for _ in range(3)]
        for c, sqls in zip(holders, (["UPDATE held SET a = 0 WHERE id = 1"], ["LOCK TABLES side WRITE"], ["LOCK INSTANCE FOR BACKUP"])):
            for sql in sqls:
                c.cursor().execute(sql)
        wanted = ["UPDATE held SET a = a + 1 WHERE id = 1", "INSERT INTO side (a) VALUES (1)", "CREATE TABLE never (a INT)"]
        waiters = [(self.server.connect(database="d"), wanted[i % 3 if i < 6 else i % 2]) for i in range(self.sessions)]

        def ask(c, sql):
            try:
                c.cursor().execute(sql)
            except pymysql.MySQLError as e:
                if e.args[0] != 1050:
                    self.problems.append(f"{sql}: {e}")
        threads = [threading.Thread(target=ask, args=w, daemon=True) for w in waiters]
        for t in threads:
            t.start()
        pids = {c.thread_id(): sql for c, sql in waiters}
        until(lambda: set(self.waiting()) >= set(pids), lambda: f"of {len(pids)} wait {len(self.waiting())}")
        rows = self.query("SELECT waiting_lock_id, blocking_lock_id FROM sys.innodb_lock_waits")
        raw = self.query("SELECT requesting_engine_lock_id, blocking_engine_lock_id FROM performance_schema.data_lock_waits")
        if sorted(rows) != sorted(raw) or not raw:
            self.problems.append(f"innodb_lock_waits has {len(rows)} rows, data_lock_waits {len(raw)}")
        shown = {(w, b) for w, b in self.query("SELECT waiting_pid, blocking_pid FROM sys.schema_table_lock_waits")}
        locks = self.query("SELECT object_schema, object_name, owner_thread_id, lock_status FROM performance_schema.metadata_locks WHERE object_type = 'TABLE'")
        pid = dict(self.query("SELECT thread_id, processlist_id FROM performance_schema.threads WHERE processlist_id IS NOT NULL"))
        pairs = {(pid[w[2]], pid[b[2]]) for w in locks if w[3] == "PENDING" for b in locks if b[3] == "GRANTED" and b[:2] == w[:2] and w[2] in pid and b[2] in pid}
        side = {p for p, sql in pids.items() if "side" in sql}
        if shown != pairs or {w for w, _ in shown} != side or {b for _, b in shown} != {holders[1].thread_id()}:
            self.problems.append(f"schema_table_lock_waits {sorted(shown)[:5]}, metadata_locks {sorted(pairs)[:5]}")
        if self.server.name == "evenkeel":
            holder = {wanted[0]: ("record lock", holders[0]), wanted[1]: ("metadata lock", holders[1]), wanted[2]: ("backup lock", holders[2])}
            state = {wanted[0]: "updating", wanted[1]: "Waiting for table metadata lock", wanted[2]: "Waiting for backup lock"}
            seen = collections.defaultdict(list)
            for w, kind, b, s, q in self.query("SELECT waiting_pid, wait_kind, blocking_pid, waiting_state, waiting_query FROM sys.x$blocked_sessions"):
                seen[w].append((kind, b, s, q))
            for p, sql in pids.items():
                kind, c = holder[sql]
                if not any(x == (kind, c.thread_id(), state[sql], sql) for x in seen[p]):
                    self.problems.append(f"blocked_sessions says of {sql}: {seen[p][:3]}")
            roots = {p for p, depth in self.query("SELECT pid, depth FROM sys.blocking_tree") if depth == 0}
            if roots != {c.thread_id() for c in holders}:
                self.problems.append(f"blocking_tree has the roots {roots}")
        for c in holders:
            c.close()
        for t in threads:
            t.join(PATIENCE)
            if t.is_alive():
                self.problems.append("stuck after everything was let go")
                return
        if self.server.name == "evenkeel" and self.query("SELECT * FROM sys.blocked_sessions"):
            self.problems.append("somebody still waits")


def storm(server, sessions, seconds, seed):
    s = Storm(server, sessions, seed)
    s.setup()
    s.run(seconds)
    if not s.problems:
        s.stand_still()
    return s


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("--sessions", type=int, default=64)
    a.add_argument("--seconds", type=float, default=60)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--mysql", action="store_true")
    a = a.parse_args()
    server = (MySQL if a.mysql else Server)(options=["--max-connections=500"]).start()
    try:
        began = time.time()
        s = storm(server, a.sessions, a.seconds, a.seed)
        print(f"{time.time() - began:.0f} s: {dict(s.done)}; {s.inserted} rows inserted, {s.deleted} deleted, {s.truncated} truncated; {s.looks} looks, {s.named} waits named")
        for p in s.problems:
            print("PROBLEM", p)
        sys.exit(bool(s.problems))
    finally:
        server.remove()


if __name__ == "__main__":
    main()
