#!/usr/bin/env python3
"""Random concurrent transactions whose history is recorded and checked (history_check.py says for what).

    tests/isolation/history.py --seed 1 --seconds 10 --level "REPEATABLE READ" [--peer mariadb|mysql] [--clients 10] [--idle 0] [--ddl] [--long] [--claim LEVEL]

Two tables of lists (one with a primary key, one with a hidden row id and a unique key), a row per key: the list, its length, its last
value, all of them indexed, a long column made from the last value, a virtual column and (not on MariaDB) a multi-valued index. Appends
are UPDATE, INSERT ... ON DUPLICATE KEY UPDATE, REPLACE, DELETE and INSERT, and a primary key that goes away and comes back; reads go by every
index, plain and locking. Keys are new at first, so that rows that are not there yet are read, too. Beside them a bank. `--level mixed` draws
a level for each transaction, `--idle 20` makes all connections share threads, `--ddl` changes the tables meanwhile, `--long` makes most rows long (and
looks whether their pages come back), `--claim` checks against
another level than the one that was run: REPEATABLE READ claimed of READ COMMITTED must be found out.

Standard output: what was found; exit status 1 if anything was.
"""
import argparse
import pathlib
import random
import sys
import threading
import time

import pymysql

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from isolation.history_check import LEVELS, RR, Checker, Txn  # noqa: E402
from isolation.history_client import ACCOUNTS, BALANCE, KEYS, LENGTH, TABLES, Client  # noqa: E402
from lib.servers import MariaDB, MySQL, Server  # noqa: E402
from lib.wait import PATIENCE


class Shared:
    """What the clients of one run have in common."""

    def __init__(self, server, seed, level, peer, xa=0.0, kids=False, long=False):
        self.server, self.seed, self.level, self.peer, self.xa, self.kids, self.long = server, seed, level, peer, xa, kids, long
        self.lock = threading.Lock()
        self.value = self.txn_id = 0
        self.txns, self.torn = [], []
        self.window = list(range(KEYS))
        self.tried = dict.fromkeys(self.window, 0)
        self.next_key = KEYS
        self.mv = peer is not MariaDB
        self.share = "LOCK IN SHARE MODE" if peer is MariaDB else "FOR SHARE"
        self.stop = threading.Event()
        self.prepared = {}  # xid -> Txn: prepared, or perhaps

    def new_value(self, keys):
        with self.lock:
            self.value += 1
            for k in keys:
                if k in self.tried:
                    self.tried[k] += 1
                    if self.tried[k] > LENGTH:
                        del self.tried[k]
                        self.window[self.window.index(k)] = self.next_key
                        self.tried[self.next_key] = 0
                        self.next_key += 1
            return self.value

    def new_txn(self, level, autocommit):
        with self.lock:
            self.txn_id += 1
            t = Txn(self.txn_id, level, autocommit)
            self.txns.append(t)
            return t

    def setup(self):
        q = self.server.query
        q("DROP DATABASE IF EXISTS h")
        q("CREATE DATABASE h")
        j = ", j JSON, KEY mv ((CAST(j AS UNSIGNED ARRAY)))" if self.mv else ""
        if self.long:
            j += (", doc JSON, gen LONGTEXT AS (CONCAT(last, ':', pad)) STORED, KEY p (pad(20)), KEY gp (gen(300)),"
                  " KEY dm ((CAST(doc->'$.a' AS UNSIGNED ARRAY)))")
        for t, key in (("t0", "k INT PRIMARY KEY"), ("t1", "k INT, UNIQUE KEY k (k)")):
            q(f"CREATE TABLE {t} ({key}, g INT NOT NULL, n INT NOT NULL, last INT NOT NULL, v VARCHAR(3000) NOT NULL, u VARCHAR(40) NOT NULL,"
              f" pad LONGTEXT, len INT AS (CHAR_LENGTH(v)) VIRTUAL, KEY g (g), KEY n (n), UNIQUE KEY u (u), KEY last (last, n, k), KEY len (len){j})"
              f" ENGINE=InnoDB DEFAULT CHARSET=utf8mb4", db="h")
        q("CREATE TABLE acct (id INT PRIMARY KEY, bal INT NOT NULL, KEY bal (bal)) ENGINE=InnoDB", db="h")
        q("INSERT INTO acct VALUES " + ",".join(f"({i}, {BALANCE})" for i in range(ACCOUNTS)), db="h")
        self.accounts = list(range(ACCOUNTS))
        if self.kids:
            q("CREATE TABLE kid (k INT PRIMARY KEY, n INT, FOREIGN KEY (k) REFERENCES t0 (k) ON DELETE CASCADE ON UPDATE CASCADE)", db="h")

    def lists(self):
        """All lists by a consistent read of everything."""
        out = {}
        for t in TABLES:
            for row in self.server.query(f"SELECT k, v FROM {t}", db="h"):
                out[t, row[0]] = tuple(map(int, row[1].split(",")))
        return out


SPARE = 12  # pages that the indexes of an empty table may keep

DDL = ["ALTER TABLE {t} ADD INDEX x (last, len)", "ALTER TABLE {t} DROP INDEX x", "ALTER TABLE {t} ADD COLUMN extra INT DEFAULT 7", "ALTER TABLE {t} DROP COLUMN extra",
       "OPTIMIZE TABLE {t}", "ALTER TABLE {t} FORCE", "ALTER TABLE {t} ADD COLUMN extra2 VARCHAR(20) NOT NULL DEFAULT 'x' AFTER n", "ALTER TABLE {t} DROP COLUMN extra2",
       "ALTER TABLE {t} DROP INDEX len, ADD INDEX len (len)", "ALTER TABLE {t} DROP INDEX u, ADD UNIQUE INDEX u (u)", "ALTER TABLE {t} ADD COLUMN w INT AS (n * 2) VIRTUAL, ADD INDEX w (w)",
       "ALTER TABLE {t} DROP COLUMN w", "RENAME TABLE side TO side2", "RENAME TABLE side2 TO side", "TRUNCATE TABLE side", "CREATE TABLE side (a INT PRIMARY KEY, b TEXT)",
       "INSERT INTO side SELECT n, v FROM {t} ON DUPLICATE KEY UPDATE b = 'again'", "ANALYZE TABLE {t}"]
# of tables with long columns
LONG_DDL = ["ALTER TABLE {t} DROP INDEX p, ADD INDEX p (pad(20))", "ALTER TABLE {t} ADD INDEX y (gen(40), n)", "ALTER TABLE {t} DROP INDEX y",
            "ALTER TABLE {t} ADD COLUMN big LONGTEXT, ALGORITHM=INSTANT", "ALTER TABLE {t} DROP COLUMN big, ALGORITHM=INSTANT", "UPDATE {t} SET big = CONCAT('b', pad) WHERE n % 2 = 0",
            "ALTER TABLE {t} DROP INDEX dm, ADD INDEX dm ((CAST(doc->'$.a' AS UNSIGNED ARRAY)))", "ALTER TABLE {t} ADD FULLTEXT ft (pad)", "ALTER TABLE {t} DROP INDEX ft",
            "CREATE TABLE {t}c SELECT k, last, pad, doc FROM {t}", "DROP TABLE {t}c", "INSERT INTO {t}c SELECT k, last, pad, doc FROM {t}", "CHECK TABLE {t}",
            "ANALYZE TABLE {t} UPDATE HISTOGRAM ON last, u, v", "SELECT COUNT(*) FROM {t} WHERE MATCH (pad) AGAINST ('1')"]


def ddl(shared, seed):
    """Changes the tables until the run ends; refusals (there already, not there, lock waits) are nothing."""
    r = random.Random(seed)
    try:
        with shared.server.connect(database="h") as con, con.cursor() as cur:
            cur.execute("SET SESSION lock_wait_timeout = 2")
            cur.execute(f"SET SESSION TRANSACTION ISOLATION LEVEL {r.choice(LEVELS)}")
            while not shared.stop.is_set():
                try:
                    sql = r.choice(DDL + LONG_DDL * shared.long).format(t=r.choice(TABLES))
                    cur.execute(sql)
                    rows = cur.fetchall()
                    if sql.startswith("CHECK") and rows[0][3] != "OK":
                        shared.torn.append(f"{sql}: {rows}")
                except pymysql.err.MySQLError as e:
                    if e.args[0] in (1712, 1030, 1815, 1105, 126, 1034, 1194):
                        shared.torn.append(f"error {e} of {sql}")
                    if e.args[0] in (0, 2006, 2013):
                        return
                time.sleep(r.random() * 0.4)
    except (pymysql.err.MySQLError, OSError, AttributeError):
        pass


def tables_sound(server):
    """CHECK TABLE, and the same rows through every index; what is wrong."""
    bad = []
    for (t,) in server.query("SHOW TABLES", db="h"):
        rows = server.query(f"CHECK TABLE {t}", db="h")
        bad += [f"CHECK TABLE: {r}" for r in rows if r[3] != "OK"]
    for t in TABLES:
        want = sorted(r[0] for r in server.query(f"SELECT k FROM {t} IGNORE INDEX (g, n, u, last, len)", db="h"))
        indexes = [("g", "g > -1"), ("n", "n > -1"), ("u", "u > ''"), ("last", "last > -1"), ("len", "len > -1")]
        if server.query(f"SHOW COLUMNS FROM {t} LIKE 'gen'", db="h"):
            indexes += [("p", "pad >= ''"), ("gp", "gen > ''")]
        for index, where in indexes:
            got = sorted(r[0] for r in server.query(f"SELECT k FROM {t} FORCE INDEX ({index}) WHERE {where}", db="h"))
            if got != want:
                bad.append(f"{t}: index {index} gives {got}, the table {want}")
    total = server.query("SELECT SUM(bal), COUNT(*) FROM acct", db="h")[0]
    if tuple(map(int, total)) != (ACCOUNTS * BALANCE, ACCOUNTS):
        bad.append(f"bank at the end: {total}")
    return bad


def used(server):
    """Pages in use by each table of lists."""
    server.query(f"ANALYZE TABLE {', '.join(TABLES)}", db="h")
    server.query("SET GLOBAL information_schema_stats_expiry = 0")
    rows = server.query("SELECT TABLE_NAME, DATA_LENGTH, INDEX_LENGTH FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'h'")
    return {r[0]: (int(r[1]) + int(r[2])) // 16384 for r in rows if r[0] in TABLES}


def leaked(server, before):
    """All rows go: once purge has been there so have their pages. What is still taken, if it is more than a few."""
    for t in TABLES:
        server.query(f"DELETE FROM {t}", db="h")
    deadline, bad = time.time() + PATIENCE, ["not looked at"]
    while bad and time.time() < deadline:
        time.sleep(0.2)
        now = used(server)
        bad = [f"leaked: {t} has {now[t]} pages when it is empty, {before[t]} before" for t in TABLES if now[t] > before[t] + SPARE]
    return bad


def run(server, seed, seconds, level, clients=10, idle=0, with_ddl=False, peer=Server, claim=None, long=False, least=0):
    """One run, so long and until more than `least` transactions are committed; (what was found, figures)."""
    shared = Shared(server, seed, level, peer, long=long)
    shared.setup()
    before = used(server) if long else None
    resting = [server.connect() for _ in range(idle)]
    threads = [Client(shared, n) for n in range(clients)]
    changes = threading.Thread(target=ddl, args=(shared, seed)) if with_ddl else None
    for t in threads + [changes] * with_ddl:
        t.start()
    time.sleep(seconds)
    end = time.time() + PATIENCE
    while sum(t.status == "ok" for t in list(shared.txns)) <= least and time.time() < end and any(t.is_alive() for t in threads):
        time.sleep(0.1)
    shared.stop.set()
    for t in threads + [changes] * with_ddl:
        t.join(PATIENCE)
    found = [f"a client died: {t.failure!r}" for t in threads if t.failure is not None] + [f"client {t.number} hangs" for t in threads if t.is_alive()]
    for c in resting + [t.con for t in threads if hasattr(t, "con")]:
        c.close()
    checker = Checker(shared.txns, shared.lists(), claim)
    found += shared.torn[:20] + checker.run() + tables_sound(server)
    if long:
        found += leaked(server, before)
    errors = {}
    for t in threads:
        for k, v in t.counts.items():
            errors[k] = errors.get(k, 0) + v
    done = sum(t.status == "ok" for t in shared.txns)
    return found, {"transactions": len(shared.txns), "committed": done, "reads": checker.reads, "gaps": checker.gaps, "errors": errors}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--seconds", type=float, default=10)
    p.add_argument("--level", default=RR, choices=[*LEVELS, "mixed", "all"])
    p.add_argument("--claim", choices=LEVELS)
    p.add_argument("--peer", choices=["mariadb", "mysql"])
    p.add_argument("--clients", type=int, default=10)
    p.add_argument("--idle", type=int, default=0)
    p.add_argument("--rounds", type=int, default=1)
    p.add_argument("--ddl", action="store_true")
    p.add_argument("--long", action="store_true")
    p.add_argument("--verbose", action="store_true")
    p.add_argument("--option", action="append", default=[])
    a = p.parse_args()
    kind = {None: Server, "mariadb": MariaDB, "mysql": MySQL}[a.peer]
    server = kind(options=a.option).start()
    wrong = 0
    try:
        for n in range(a.rounds):
            for level in [*LEVELS, "mixed"] if a.level == "all" else [a.level]:
                found, figures = run(server, a.seed + n, a.seconds, level, a.clients, a.idle, a.ddl, kind, a.claim, a.long)
                print(f"{server.name}, seed {a.seed + n}, {level}: {figures}; {len(found)} found", flush=True)
                for f in found[:10]:
                    print("  " + (f if a.verbose else f.split("\n")[0][:300]), flush=True)
                wrong += bool(found)
        server.stop()
    finally:
        server.remove()
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
