#!/usr/bin/env python3
"""performance_schema read, emptied and switched by eight sessions while four others work.

    PYTHONPATH=tests tests/load/perf_storm.py [--seconds 60] [--seed 1]

Four sessions insert, change and read; two read every table of performance_schema in turn, two empty those that may be, four switch instruments, consumers, actors, objects and
threads on and off. Shown is that no statement gives an error that MySQL would not, no session is lost, the server lives and says nothing of a panic; and that afterwards, with
everything as it was, what a session does is counted: each of its statements once, by digest, by its thread and in its history.

`test_perf_storm.py` runs the short form.
"""
import argparse
import random
import threading
import time

from lib.servers import Server

SWITCHES = [
    "UPDATE performance_schema.setup_instruments SET ENABLED = '{0}', TIMED = '{0}' WHERE NAME LIKE '{1}%%'",
    "UPDATE performance_schema.setup_consumers SET ENABLED = '{0}' WHERE NAME LIKE '%%{2}%%'",
    "UPDATE performance_schema.setup_objects SET ENABLED = '{0}' WHERE OBJECT_SCHEMA = '%'",
    "UPDATE performance_schema.threads SET INSTRUMENTED = '{0}', HISTORY = '{0}' WHERE TYPE = 'FOREGROUND'",
    "UPDATE performance_schema.setup_actors SET ENABLED = '{0}', HISTORY = '{0}'",
]
KINDS = ["wait", "stage", "statement", "transaction", "idle", "memory", "error", "wait/synch", "wait/io/table", "statement/sql/select"]
CONSUMERS = ["waits", "stages", "statements", "transactions", "history", "history_long", "current", "cpu", "digest", "thread", "global"]
WORK = ["INSERT INTO d.t (a) VALUES (1)", "UPDATE d.t SET a = a + 1 WHERE id = {0}", "SELECT * FROM d.t WHERE id = {0}", "DELETE FROM d.t WHERE id = {0}", "BEGIN", "COMMIT", "SELECT COUNT(*) FROM d.t"]


class Storm:
    def __init__(self, server, seed):
        self.server, self.seed = server, seed
        self.over, self.problems, self.done = threading.Event(), [], 0
        self.tables = [name for name, in server.query("SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'performance_schema'")]
        self.emptied = [t for t in self.tables if "summary" in t or "history" in t or t.startswith("events_") or t == "host_cache"]

    def loop(self, number, next_statement):
        rng = random.Random(self.seed * 100 + number)
        with self.server.connect(autocommit=True) as c, c.cursor() as cur:
            mine, n = c.thread_id(), 0
            while not self.over.is_set():
                sql = next_statement(rng, n)
                n += 1
                try:
                    cur.execute(sql)
                    cur.fetchall()
                except Exception as e:  # noqa: BLE001 (whatever it is, it is a finding)
                    # deadlock, lock wait
                    if not (e.args and e.args[0] in (1213, 1205)):
                        self.problems.append(f"{sql}: {e.args}")
                        return
            cur.execute("SELECT CONNECTION_ID()")
            if cur.fetchone()[0] != mine:
                self.problems.append("another session")
            self.done += n

    def run(self, seconds):
        self.server.query("CREATE DATABASE d")
        self.server.query("CREATE TABLE d.t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, KEY (a))")
        work = lambda rng, n: rng.choice(WORK).format(rng.randint(1, 500))
        read = lambda rng, n: f"SELECT * FROM performance_schema.{self.tables[n % len(self.tables)]}"
        empty = lambda rng, n: f"TRUNCATE performance_schema.{rng.choice(self.emptied)}"
        switch = lambda rng, n: rng.choice(SWITCHES).format(rng.choice(["YES", "NO"]), rng.choice(KINDS), rng.choice(CONSUMERS)).replace("%%", "%")
        threads = [threading.Thread(target=self.loop, args=(i, f)) for i, f in enumerate([work] * 4 + [read] * 2 + [empty] * 2 + [switch] * 4)]
        [t.start() for t in threads]
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self.problems:
            time.sleep(0.1)
        self.over.set()
        [t.join() for t in threads]
        assert not self.problems, self.problems[:5]
        assert self.server.alive() and "panicked" not in self.server.log_tail(1_000_000)
        self.counted()

    def counted(self):
        """With everything on each statement is counted once."""
        for sql in SWITCHES:
            self.server.query(sql.format("YES", "", "").replace("%%", "%"))
        self.server.query("TRUNCATE performance_schema.events_statements_summary_by_digest")
        with self.server.connect(autocommit=True) as c, c.cursor() as cur:
            for n in range(25):
                cur.execute(f"SELECT {n} AS storm_is_over")
                cur.fetchall()
            me = c.thread_id()
            q = self.server.query
            assert q("SELECT COUNT_STAR FROM performance_schema.events_statements_summary_by_digest WHERE DIGEST_TEXT LIKE '%storm_is_over%' AND DIGEST_TEXT NOT LIKE '%LIKE%'") == ((25,),)
            by_thread = f"SELECT COUNT_STAR FROM performance_schema.events_statements_summary_by_thread_by_event_name s JOIN performance_schema.threads t USING (THREAD_ID) WHERE t.PROCESSLIST_ID = {me} AND EVENT_NAME = 'statement/sql/select'"
            assert q(by_thread) == ((25,),)
            history = f"SELECT SQL_TEXT FROM performance_schema.events_statements_history h JOIN performance_schema.threads t USING (THREAD_ID) WHERE t.PROCESSLIST_ID = {me} ORDER BY EVENT_ID"
            assert q(history) == tuple((f"SELECT {n} AS storm_is_over",) for n in range(15, 25))


def storm(seconds, seed=1):
    s = Server().start()
    try:
        this = Storm(s, seed)
        this.run(seconds)
        return this.done
    finally:
        s.remove()


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--seconds", type=float, default=60)
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    print(f"{storm(a.seconds, a.seed)} statements, no error, no session lost")
