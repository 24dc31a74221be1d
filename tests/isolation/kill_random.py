#!/usr/bin/env python3
"""Statements of every kind that are killed at random moments: kill_random.py [--seed 1] [--seconds 10] [--clients 8] [--rounds 1] [--full] [--option ...]

Clients run changes, DDL, sorts that spill, locks of every kind and waits for them, prepared statements and cursors, while others send KILL QUERY and KILL
CONNECTION. Whatever is killed has been done whole or not at all: in `pair` the numbers of each client's rows add up to nought after every
statement, a child has its parent, an index the rows of its table. Nothing of a statement or of a session outlives it: no row, table, metadata or
user lock, no transaction, no table that nobody named, no file without a table. A statement ends within 20 s of the last KILL, and only with what a KILL may
say. `--full`: the disk, a small tmpfs, is full again and again meanwhile, and after the run the server is killed -9 while it is full and started again. Standard output: what was wrong; exit status 1 if anything was. In CI: test_kill_random.py.
"""
import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

import pymysql

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import MySQL, Server  # noqa: E402
from lib.wait import PATIENCE

ROWS = 400  # of a client in `pair`
ALLOWED = {1317, 1066, 1109, 1049, 1007, 1008, 1205, 1213, 1062, 1050, 1051, 1146, 1061, 1091, 1060, 1100, 1099, 1223, 1192, 1412, 1615, 1243, 3058, 1206, 2013, 2006, 0, 1399, 1440, 1397, 1400, 1402, 3024, 1028, 1054, 1105, 3572, 1264, 1690,
           1614}  # XA END of a branch that a deadlock has ended
FULL = {1021, 1114, 1, 3, 1026, 1030, 1290, 1180, 1296, 1016}  # besides, with --full
GONE = (0, 2006, 2013)


class Client(threading.Thread):
    """One connection after the other that runs statements; `busy` is when the running one began."""

    def __init__(self, run, n):
        super().__init__(daemon=True)
        self.run_, self.n, self.r, self.id, self.busy, self.sql = run, n, random.Random(f"{run.seed}/{n}"), None, None, ""
        self.done, self.killed, self.full, self.con = 0, 0, 0, None

    def run(self):
        while not self.run_.stop.is_set():
            try:
                if self.con is None:
                    self.con = self.run_.server.connect(database="kr", read_timeout=120, local_infile=True)
                    self.cur = self.con.cursor()
                    self.cur.execute("SET SESSION innodb_lock_wait_timeout = 3, lock_wait_timeout = 3, sort_buffer_size = 32768, tmp_table_size = 65536, max_heap_table_size = 65536")
                    self.id = self.con.thread_id()
                self.step()
            except pymysql.err.MySQLError as e:
                code = e.args[0] if e.args else 0
                if self.run_.disk and code in FULL:
                    self.full += 1
                elif code not in ALLOWED:
                    self.run_.wrong.append(f"error {e} of {self.sql[:200]}")
                if code in GONE or isinstance(e, pymysql.err.InterfaceError):
                    self.drop()
                else:
                    self.killed += code == 1317
                    self.settle()
            except (OSError, AttributeError):
                self.drop()
        self.drop()

    def drop(self):
        con, self.con, self.id, self.busy = self.con, None, None, None
        if con is not None:
            self.killed += 1
            try:
                con.close()
            except (pymysql.err.MySQLError, OSError):
                pass

    def settle(self):
        """After a statement that failed: the transaction, if there still is one, ends."""
        try:
            self.ex(self.r.choice(("ROLLBACK", "ROLLBACK", "COMMIT")) if not self.in_pair else "ROLLBACK")
            self.ex("UNLOCK TABLES")
        except pymysql.err.MySQLError:
            self.drop()

    in_pair = False

    def ex(self, sql):
        self.sql, self.busy = sql, time.time()
        self.cur.execute(sql)
        rows = self.cur.fetchall()
        self.busy, self.done = None, self.done + 1
        return rows

    def step(self):
        self.in_pair = False
        self.r.choice((self.pairs, self.pairs, self.moved, self.family, self.ddl, self.copy, self.read, self.read, self.waits, self.tables, self.prepared, self.loaded, self.xa, self.temporary))()

    def span(self):
        """Two bounds of rows of this client that come in pairs."""
        a = self.r.randrange(0, ROWS, 2)
        return self.n * 10_000 + a, self.n * 10_000 + self.r.randrange(a, ROWS, 2) + 1

    def pairs(self):
        r, (a, b) = self.r, self.span()
        x = r.randrange(1, 1000)
        where = f"id BETWEEN {a} AND {b}"
        self.ex(r.choice((
            f"UPDATE pair SET x = x + IF(id % 2, {x}, -{x}), t = REPEAT('{x}', {r.choice((3, 300, 6000))}) WHERE {where}",
            f"UPDATE pair SET x = x + IF(id % 2, {x}, -{x}), u = u + 1000000 WHERE {where} ORDER BY id DESC",
            f"UPDATE pair SET u = -u WHERE {where}",
            f"UPDATE pair p JOIN pair q ON q.id = p.id SET p.x = p.x + IF(q.id % 2, {x}, -{x}), p.k = q.k + 1 WHERE p.{where}",
            f"DELETE FROM pair WHERE {where}",
            f"REPLACE INTO pair (id, x, k, u, t) SELECT id, x * 2, k, u, t FROM pair WHERE {where}",
            f"INSERT INTO pair (id, x, k, u, t) SELECT {self.n * 10_000} + n, IF(n % 2, {x}, -{x}), n % 7, {self.n * 10_000} + n, REPEAT('y', n) FROM seq WHERE n < {ROWS}"
            f" ON DUPLICATE KEY UPDATE x = pair.x + IF(pair.id % 2, {x}, -{x})")))

    def moved(self):
        """Two statements of a transaction that belong together."""
        r, x = self.r, self.r.randrange(1, 100)
        self.in_pair = True
        self.ex("START TRANSACTION")
        # both rows are there, or nothing is done
        a = self.n * 10_000 + r.randrange(0, ROWS, 2)
        b = a + 1
        if len(self.ex(f"SELECT id FROM pair WHERE id IN ({a}, {b}) FOR UPDATE")) == 2:
            self.ex(f"UPDATE pair SET x = x + {x} WHERE id = {a}")
            self.ex(f"UPDATE pair SET x = x - {x} WHERE id = {b}")
        self.ex(r.choice(("COMMIT", "COMMIT", "ROLLBACK")))

    def family(self):
        r, p = self.r, self.n * 100 + self.r.randrange(20)
        self.ex(r.choice((
            f"INSERT IGNORE INTO parent VALUES ({p}, 'x')", f"INSERT IGNORE INTO child (p, t) SELECT {p}, REPEAT('c', n) FROM seq WHERE n < 200",
            f"DELETE FROM parent WHERE id = {p}", f"UPDATE IGNORE parent SET id = id + 50 WHERE id = {p}", f"REPLACE INTO parent VALUES ({p}, 'y')",
            f"DELETE c, p FROM parent p JOIN child c ON c.p = p.id WHERE p.id = {p}")))

    def ddl(self):
        r = self.r
        t = r.choice(("pair", "child", "side", "side"))
        self.ex(r.choice((
            f"ALTER TABLE {t} ADD INDEX z (t(10))", f"ALTER TABLE {t} DROP INDEX z", f"ALTER TABLE {t} ADD COLUMN c1 INT DEFAULT 5", f"ALTER TABLE {t} DROP COLUMN c1", f"ALTER TABLE {t} FORCE",
            f"OPTIMIZE TABLE {t}", f"ANALYZE TABLE {t}", f"CHECK TABLE {t}", f"ALTER TABLE {t} ADD COLUMN c2 INT NOT NULL DEFAULT 1 FIRST, ALGORITHM=COPY", f"ALTER TABLE {t} DROP COLUMN c2",
            "TRUNCATE TABLE side", "RENAME TABLE side TO side2", "RENAME TABLE side2 TO side", "DROP TABLE IF EXISTS side2", "CREATE TABLE IF NOT EXISTS side (id INT PRIMARY KEY AUTO_INCREMENT, t TEXT)",
            "ANALYZE TABLE pair UPDATE HISTOGRAM ON x, k", "CREATE OR REPLACE VIEW v AS SELECT * FROM pair", "ALTER TABLE pair ADD COLUMN g INT AS (x * 2) STORED", "ALTER TABLE pair DROP COLUMN g",
            f"CREATE DATABASE IF NOT EXISTS kr{self.n}", f"DROP DATABASE IF EXISTS kr{self.n}", f"CREATE TABLE kr{self.n}.a (a INT)")))

    def copy(self):
        name = f"copy{self.n}"
        self.ex(f"DROP TABLE IF EXISTS {name}")
        self.ex(self.r.choice((f"CREATE TABLE {name} AS SELECT id, x, t FROM pair", f"CREATE TABLE {name} (PRIMARY KEY (id)) SELECT id, x, t FROM pair", f"CREATE TABLE {name} LIKE pair",
                               f"INSERT INTO side (t) SELECT t FROM pair WHERE id % 10 = {self.n % 10}")))

    def read(self):
        self.ex(self.r.choice((
            "SELECT * FROM pair ORDER BY t, x DESC", "SELECT t, COUNT(*), SUM(x) FROM pair GROUP BY t ORDER BY 2", "SELECT COUNT(*) FROM pair a JOIN pair b ON a.k = b.k", "SELECT COUNT(*) FROM seq a, seq b, seq c",
            "SELECT SUM(x) OVER (PARTITION BY k ORDER BY id) FROM pair", "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 900) SELECT COUNT(*) FROM r a, r b",
            "SELECT DISTINCT t FROM pair UNION SELECT t FROM child", "EXPLAIN ANALYZE SELECT COUNT(*) FROM pair a JOIN pair b ON a.k = b.k", "SELECT GROUP_CONCAT(t ORDER BY id) FROM pair",
            "SELECT SLEEP(0.05)", "SELECT BENCHMARK(2000000, MD5('x'))", "SELECT * FROM pair FOR UPDATE", "SELECT * FROM pair WHERE k > 2 FOR SHARE SKIP LOCKED",
            "SELECT * FROM information_schema.columns", "SHOW PROCESSLIST", "SELECT * FROM performance_schema.data_locks", "CHECKSUM TABLE pair, child",
            "HANDLER pair OPEN", "HANDLER pair READ FIRST LIMIT 50", "HANDLER pair CLOSE")))

    def waits(self):
        r = self.r
        self.ex(r.choice((f"SELECT GET_LOCK('l{r.randrange(3)}', 1)", "SELECT RELEASE_ALL_LOCKS()", "SELECT SLEEP(0.2)", f"SELECT GET_LOCK('l{r.randrange(3)}', 0.2), RELEASE_LOCK('l1')",
                          "FLUSH TABLES", "SET GLOBAL innodb_buffer_pool_dump_now = 1")))

    def tables(self):
        r = self.r
        self.ex(r.choice(("LOCK TABLES pair READ", "LOCK TABLES pair WRITE, child READ, parent READ", "LOCK TABLES side WRITE", "FLUSH TABLES WITH READ LOCK",
                          "LOCK INSTANCE FOR BACKUP")))
        if r.random() < 0.5:
            self.ex("SELECT COUNT(*) FROM pair")
        self.ex("UNLOCK INSTANCE")
        self.ex("UNLOCK TABLES")

    def prepared(self):
        a, b = self.span()
        self.ex("PREPARE p FROM 'UPDATE pair SET x = x + IF(id % 2, ?, -?) WHERE id BETWEEN ? AND ?'")
        self.ex(f"SET @x = {self.r.randrange(50)}, @a = {a}, @b = {b}")
        self.ex("EXECUTE p USING @x, @x, @a, @b")
        self.ex("DEALLOCATE PREPARE p")

    def loaded(self):
        self.ex(f"LOAD DATA LOCAL INFILE '{self.run_.file}' REPLACE INTO TABLE side (t)")

    def xa(self):
        name, (a, b) = f"'{self.n}-{self.r.randrange(10**9)}'", self.span()
        self.in_pair = True
        self.run_.xids.add(name)
        self.ex(f"XA START {name}")
        try:
            self.ex(f"UPDATE pair SET x = x + IF(id % 2, 7, -7) WHERE id BETWEEN {a} AND {b}")
        finally:
            if self.con.open:
                self.ex(f"XA END {name}")
                if self.r.random() < 0.7:
                    self.ex(f"XA PREPARE {name}")
                    self.ex(f"XA {self.r.choice(('COMMIT', 'ROLLBACK'))} {name}")
                else:
                    self.ex(f"XA ROLLBACK {name}")

    def temporary(self):
        self.ex("CREATE TEMPORARY TABLE IF NOT EXISTS tmp (id INT PRIMARY KEY, t TEXT, KEY (t(5)))")
        self.ex("REPLACE INTO tmp (id, t) SELECT id, t FROM pair")  # named, for an earlier round may have added z
        self.ex(self.r.choice(("ALTER TABLE tmp ADD COLUMN z INT", "DROP TEMPORARY TABLE tmp", "UPDATE tmp SET id = id + 1000000 ORDER BY id DESC", "TRUNCATE TABLE tmp")))


class Run:
    """One run against one server: what was wrong is in `wrong`."""

    def __init__(self, server, seed, clients, disk=None):
        self.server, self.seed, self.disk, self.stop, self.wrong, self.xids = server, seed, disk, threading.Event(), [], set()
        self.file = str(server.dir / "load.txt")
        pathlib.Path(self.file).write_text("".join(f"line {i} {'z' * (i % 90)}\n" for i in range(3000)))
        q = server.query
        for (d,) in q("SHOW DATABASES LIKE 'kr%'"):
            q(f"DROP DATABASE {d}")
        q("CREATE DATABASE kr")
        q("SET GLOBAL local_infile = 1")
        q("CREATE TABLE seq (n INT PRIMARY KEY)", db="kr")
        q("INSERT INTO seq VALUES " + ",".join(f"({i})" for i in range(ROWS)), db="kr")
        q("CREATE TABLE pair (id INT PRIMARY KEY, x BIGINT NOT NULL, k INT NOT NULL, u BIGINT NOT NULL, t TEXT, UNIQUE KEY u (u), KEY k (k, x), KEY t (t(20)))", db="kr")
        for n in range(clients):
            q(f"INSERT INTO pair SELECT {n * 10_000} + n, IF(n % 2, n - 1, -n), n % 7, {n * 10_000} + n, REPEAT('x', n) FROM seq", db="kr")
        q("CREATE TABLE parent (id INT PRIMARY KEY, t TEXT)", db="kr")
        q("CREATE TABLE child (id INT PRIMARY KEY AUTO_INCREMENT, p INT, t TEXT, KEY p (p), FOREIGN KEY (p) REFERENCES parent (id) ON DELETE CASCADE ON UPDATE CASCADE)", db="kr")
        q("CREATE TABLE side (id INT PRIMARY KEY AUTO_INCREMENT, t TEXT)", db="kr")
        self.clients = [Client(self, n) for n in range(clients)]

    def killer(self, n):
        r = random.Random(f"{self.seed}/k{n}")
        with self.server.connect() as con, con.cursor() as cur:
            while not self.stop.is_set():
                time.sleep(r.choice((0, 0.001, 0.004, 0.02)) * r.random())
                victim = r.choice(self.clients)
                if victim.id is None or victim.busy is None and r.random() < 0.8:
                    continue
                try:
                    cur.execute(f"KILL {r.choice(('QUERY', 'QUERY', 'QUERY', 'CONNECTION'))} {victim.id}")
                except pymysql.err.MySQLError as e:
                    if e.args[0] != 1094:
                        self.wrong.append(f"KILL: {e}")

    def fill(self):
        """Takes what is left of the disk, and gives it back, again and again."""
        r = random.Random(f"{self.seed}/full")
        while not self.stop.is_set():
            self.disk.take()
            time.sleep(r.random() * 0.4)
            self.disk.give()
            time.sleep(r.random() * 0.4)
        self.disk.take()

    def go(self, seconds, least=(0, 0)):
        killers = [threading.Thread(target=self.killer, args=(n,), daemon=True) for n in range(2)]
        if self.disk:
            killers.append(threading.Thread(target=self.fill, daemon=True))
        for t in self.clients + killers:
            t.start()
        time.sleep(seconds)
        figures = lambda: (sum(t.done for t in self.clients), sum(t.killed + t.full for t in self.clients))  # noqa: E731
        end = time.time() + PATIENCE
        while any(a <= b for a, b in zip(figures(), least)) and time.time() < end:
            time.sleep(0.1)
        self.stop.set()
        for t in killers:
            t.join(PATIENCE)
        self.finish()
        for t in self.clients:
            if t.is_alive():
                self.wrong.append(f"client {t.n} hangs in {t.sql[:200]} since {time.time() - (t.busy or 0):.0f} s")
        return figures()

    def finish(self):
        """KILL what still runs, again and again, for at most PATIENCE: a long SELECT is no hang until it has been told to end."""
        end = time.time() + PATIENCE
        while any(t.is_alive() for t in self.clients) and time.time() < end and self.server.alive():
            with self.server.connect() as con, con.cursor() as cur:
                for t in self.clients:
                    if t.is_alive() and t.id is not None:
                        try:
                            cur.execute(f"KILL QUERY {t.id}")
                        except pymysql.err.MySQLError as e:
                            if e.args[0] != 1094:
                                self.wrong.append(f"KILL: {e}")
            self.clients[0].join(0.2)
            time.sleep(0.3)

    def quiet(self, what, sql):
        """Nothing must be left, a moment after the last session has gone."""
        for _ in range(10 * PATIENCE):
            rows = self.server.query(sql)
            if not rows:
                return
            time.sleep(0.1)
        self.wrong.append(f"{what}: {rows[:3]} of {len(rows)}")

    def look(self):
        q, bad = self.server.query, self.wrong
        for row in q("XA RECOVER"):
            q(f"XA ROLLBACK '{row[3]}'")
        self.quiet("sessions", f"SELECT id, command, info FROM information_schema.processlist WHERE db LIKE 'kr%' AND id <> CONNECTION_ID()")
        self.quiet("transactions", "SELECT trx_id, trx_state, trx_query FROM information_schema.innodb_trx")
        self.quiet("row and table locks", "SELECT engine_transaction_id, object_name, lock_type, lock_mode FROM performance_schema.data_locks")
        self.quiet("metadata locks", "SELECT object_type, object_schema, object_name, lock_type FROM performance_schema.metadata_locks WHERE object_schema LIKE 'kr%' OR object_type IN ('USER LEVEL LOCK', 'BACKUP LOCK')")
        if q("SELECT COUNT(*) FROM seq", db="kr") != ((ROWS,),):
            bad.append("seq")
        for n in range(len(self.clients)):
            total, rows, odd = q(f"SELECT COALESCE(SUM(x), 0), COUNT(*), SUM(id % 2) FROM pair WHERE id DIV 10000 = {n}", db="kr")[0]
            if total != 0 or rows and odd * 2 != rows:
                bad.append(f"client {n}: sum {total} of {rows} rows, {odd} of them odd")
        orphans = q("SELECT c.id FROM child c LEFT JOIN parent p ON p.id = c.p WHERE p.id IS NULL AND c.p IS NOT NULL", db="kr")
        bad += [f"children without parent: {orphans[:3]}"] * bool(orphans)
        tables = [t for (t,) in q("SELECT table_name FROM information_schema.tables WHERE table_schema = 'kr' AND table_type = 'BASE TABLE'")]
        bad += [f"table {t}" for t in tables if t not in ("seq", "pair", "parent", "child", "side", "side2") and not t.startswith("copy")]
        for t in tables:
            rows = q(f"CHECK TABLE {t}", db="kr")
            bad += [f"CHECK TABLE: {r}" for r in rows if r[3] != "OK"]
        q("INSERT INTO pair (id, x, k, u) VALUES (-1, 0, 0, 900000000000000000)", db="kr")  # nobody holds anything
        q("ALTER TABLE pair ADD COLUMN last INT", db="kr")


class Disk:
    """A tmpfs of its own, which can be filled."""

    def __init__(self, megabytes):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ek-full-"))
        self.ballast = self.folder / "ballast"
        if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", self.folder], capture_output=True).returncode:
            self.folder.rmdir()
            raise PermissionError("cannot mount a tmpfs")

    def take(self):
        """The rest but a few pages."""
        v = os.statvfs(self.folder)
        with open(self.ballast, "ab") as f:
            try:
                os.posix_fallocate(f.fileno(), 0, max(1, v.f_bavail * v.f_frsize - 20_000))
            except OSError:
                pass

    def give(self):
        self.ballast.unlink(missing_ok=True)

    def remove(self):
        subprocess.run(["umount", "--lazy", self.folder])
        self.folder.rmdir()


def run(server, seed=1, seconds=5, clients=8, disk=None, least=(0, 0)):
    """One run, so long and until more than `least` have been done and killed; (what was wrong, statements done, statements and connections killed)."""
    r = Run(server, seed, clients, disk)
    done, killed = r.go(seconds, least)
    if disk and not sum(t.full for t in r.clients):
        r.wrong.append("the disk was never full")
    if disk and server.alive():
        server.kill()
        disk.give()
        server.start()
    if server.alive():
        try:
            r.look()
        except pymysql.err.MySQLError as e:
            r.wrong.append(f"afterwards: {e}")
    else:
        r.wrong.append("the server has ended")
    if "panicked" in server.log_tail(10**7):
        r.wrong.append("a panic in the log")
    return r.wrong, done, killed


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--seconds", type=float, default=10)
    p.add_argument("--clients", type=int, default=8)
    p.add_argument("--rounds", type=int, default=1)
    p.add_argument("--mysql", action="store_true")
    p.add_argument("--keep", action="store_true")
    p.add_argument("--full", type=int, default=0, metavar="MB", help="on a tmpfs of this size, filled again and again")
    p.add_argument("--option", action="append", default=[])
    a = p.parse_args()
    disk = Disk(a.full) if a.full else None
    server = (MySQL if a.mysql else Server)(disk and disk.folder / "s", options=a.option).start()
    failed = 0
    try:
        for seed in range(a.seed, a.seed + a.rounds):
            wrong, done, killed = run(server, seed, a.seconds, a.clients, disk)
            print(f"{server.name}, seed {seed}: {done} statements, {killed} killed; {len(wrong)} wrong", flush=True)
            for w in wrong[:12]:
                print("  " + str(w)[:400], flush=True)
            failed += bool(wrong)
        server.stop()
    finally:
        if a.keep and failed:
            print(server.dir)
            server.owned = False
        server.remove()
        if disk and not (a.keep and failed):
            disk.remove()
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
