#!/usr/bin/env python3
"""Fuzzing under limited accounts, with a canary that must never be seen: tests/sql/fuzz_limited.py [--seconds N] [--seed N] [--workers N] [--corpus FILE ...]

`vault` holds tables with the canary: in rows (vault.t, of which `col` may read one column, and over which there are views with other definers), in rows, columns, comments, defaults, indexes,
histograms (vault.u, of which nobody may know anything but its name), in the text of a view (vault.w) and in names of tables, accounts and databases. Each worker has an account of its own: nothing at all; a database of its own; that and single columns of vault.t; that and every privilege from which no row follows.
The statements are those of fuzz.py, of tests/clients/gate.txt and of the matrix in tests/access, mutated, and with names of the vault put in the place of others. No statement contains the canary, so
wherever it comes up it came out of the vault. Every packet that a worker gets is searched, after each four hundred statements what the account sees of information_schema, performance_schema, SHOW and its
own variables, at the end the error log and the folder of temporary files. Also wrong: a row of the vault that changed, was locked or is held by a metadata lock longer than a statement runs; a panic; a
server that ends. Exit status 1 if anything was wrong.
"""
import argparse
import pathlib
import random
import re
import sys
import threading
import time

import pymysql

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE), str(HERE.parent / "access")]
import binary  # noqa: E402
import fuzz  # noqa: E402
from lib.servers import Server  # noqa: E402

# in any case of letters, as UTF-16 and UTF-32 text, as hex and as base64 of a text that begins with it
WORD, NUMBER = b"zqcanary", b"73737373737"
SIGNS = [re.compile(re.escape(x), re.I) for x in (WORD, NUMBER, *("zqcanary".encode(e) for e in ("utf-16-be", "utf-32-be")), WORD.hex().encode(), b"enFjYW5hcn")]
MAKE = """CREATE DATABASE vault
CREATE TABLE vault.t (id INT PRIMARY KEY, secret VARCHAR(60), v BIGINT, j JSON, d DATE, n INT, KEY (v), KEY (secret), FULLTEXT (secret), CHECK (v > 0))
INSERT INTO vault.t VALUES (1, 'zqcanary one', 73737373737, '{"zqcanary": "zqcanary"}', '2001-01-01', 1), (2, 'zqcanary two', 73737373738, '["zqcanary"]', '2002-02-02', 2), (3, 'zqcanary 3', 73737373739, NULL, NULL, 3)
CREATE TABLE vault.u (id INT PRIMARY KEY, secret VARCHAR(60) DEFAULT 'zqcanary default' COMMENT 'zqcanary comment', v BIGINT, zqcanary_column INT, KEY zqcanary_key (v), CONSTRAINT zqcanary_check CHECK (v > 0)) COMMENT 'zqcanary table'
INSERT INTO vault.u SELECT id, secret, v, n FROM vault.t
CREATE TABLE vault.zqcanary_p (a INT, b VARCHAR(40))
INSERT INTO vault.zqcanary_p VALUES (1, 'zqcanary'), (20, 'zqcanary')
CREATE TABLE vault.zqcanary_child (id INT PRIMARY KEY, t INT, CONSTRAINT zqcanary_fk FOREIGN KEY (t) REFERENCES vault.u (id))
CREATE VIEW vault.w AS SELECT id, secret, v FROM vault.u WHERE secret <> 'zqcanary'
CREATE SQL SECURITY INVOKER VIEW vault.i AS SELECT * FROM vault.t
ANALYZE TABLE vault.t UPDATE HISTOGRAM ON secret, v
ANALYZE TABLE vault.u UPDATE HISTOGRAM ON secret, v
CREATE DATABASE zqcanary_db
CREATE USER zqcanary_user@localhost
CREATE ROLE zqcanary_role
GRANT zqcanary_role TO zqcanary_user@localhost
GRANT SYSTEM_USER ON *.* TO zqcanary_user@localhost, zqcanary_role
CREATE USER weak@localhost, gone@localhost
GRANT SELECT (id) ON vault.t TO weak@localhost""".split("\n")
OWN = """DROP DATABASE IF EXISTS {M}
CREATE DATABASE {M}
CREATE TABLE {M}.m (id INT PRIMARY KEY, x VARCHAR(40), v INT)
INSERT INTO {M}.m VALUES (1, 'a', 1), (2, 'b', 2)
CREATE OR REPLACE SQL SECURITY INVOKER VIEW {M}.iv AS SELECT * FROM vault.t
CREATE OR REPLACE DEFINER=weak@localhost SQL SECURITY DEFINER VIEW {M}.weak AS SELECT * FROM vault.t
CREATE OR REPLACE DEFINER=gone@localhost SQL SECURITY DEFINER VIEW {M}.gone AS SELECT * FROM vault.t
CREATE OR REPLACE SQL SECURITY INVOKER VIEW {M}.ioi AS SELECT * FROM {M}.iv""".split("\n")
# privileges from which no row, name or definition of others follows (SHOW VIEW and INDEX of their own database come with ALL)
HARMLESS = "CREATE USER, CREATE ROLE, DROP ROLE, REPLICATION CLIENT, CREATE TABLESPACE"
DYNAMIC = "RESOURCE_GROUP_ADMIN, XA_RECOVER_ADMIN, SESSION_VARIABLES_ADMIN, BACKUP_ADMIN, FLUSH_STATUS, FLUSH_TABLES, FLUSH_OPTIMIZER_COSTS, FLUSH_USER_RESOURCES, SHOW_ROUTINE, TABLE_ENCRYPTION_ADMIN"
RIGHTS = {"none": [], "own": ["ALL ON {M}.*"], "col": ["ALL ON {M}.*", "SELECT (id), UPDATE (id), REFERENCES (id) ON vault.t"], "many": ["ALL ON {M}.*", HARMLESS + " ON *.*", DYNAMIC + " ON *.*"]}
NAMES = ["vault.t", "vault.u", "vault.u.secret", "vault.w", "vault.i", "vault.t.secret", "vault.t.v", "{M}.iv", "{M}.weak", "{M}.gone", "{M}.ioi", "vault", "t", "(SELECT secret FROM vault.t LIMIT 1)",
         "(SELECT MAX(v) FROM vault.t)", "(SELECT secret FROM {M}.iv LIMIT 1)", "(TABLE vault.u)", "(SELECT secret FROM vault.u LIMIT 1)", "EXISTS (SELECT * FROM vault.t FOR UPDATE)", "vault.t FOR UPDATE", "secret", "v", "zz", "{M}.m"]
# what would stop the worker itself for long
NEVER = re.compile(r"sleep|get_lock|benchmark|max_execution_time|wait_timeout|net_|interactive_timeout|lock\s+instance|tables?\s+with\s+read|\bflush\b.*\bexport\b|source_pos_wait|wait_for_executed", re.I)
SEEN = """SHOW WARNINGS
SHOW DATABASES
SHOW TABLES FROM vault
SHOW FULL COLUMNS FROM vault.t
SHOW FULL COLUMNS FROM vault.u
SHOW INDEX FROM vault.u
SHOW TABLE STATUS FROM vault
SHOW CREATE TABLE vault.u
SHOW CREATE VIEW vault.w
SHOW VARIABLES
SHOW STATUS
SHOW PROCESSLIST
SHOW OPEN TABLES
SHOW GRANTS
SHOW ENGINE INNODB STATUS
EXPLAIN SELECT * FROM vault.t WHERE v = 5
SELECT * FROM performance_schema.user_variables_by_thread
SELECT * FROM performance_schema.events_statements_current
SELECT * FROM performance_schema.data_locks
SELECT * FROM performance_schema.metadata_locks
SELECT * FROM performance_schema.threads
SELECT * FROM performance_schema.session_variables
SELECT * FROM sys.schema_table_statistics
SELECT * FROM mysql.user
SELECT * FROM mysql.innodb_index_stats
SELECT @a, @b, @c, @d, @e, @q, @x, @y""".split("\n")


def seeds(corpus):
    """Statements with the places {M} (the worker's database)."""
    out = fuzz.seeds(corpus)
    gate = (HERE.parent / "clients" / "gate.txt").read_text().split("\n")
    secret = ["(SELECT secret FROM vault.t LIMIT 1)", "(SELECT v FROM vault.t LIMIT 1 FOR UPDATE)", "(SELECT secret FROM {M}.iv LIMIT 1)"]
    near = [x.replace("{S}", secret[i % 3]).replace("d.t", "vault.t").replace("d.dv", "vault.w").replace("d.p", "vault.p") for x in gate if x and x[0] != "#" for i in range(3)]
    from families import all_statements
    matrix = [step for s in all_statements() for step in s.steps if isinstance(step, str)]
    matrix = [re.sub(r"\bmxa\.t1\b", "vault.t", re.sub(r"\bmxa\.v[dsx]\w*", "vault.w", re.sub(r"\bmxa\.vi\b", "vault.i", re.sub(r"\bpub\b", "id", x)))) for x in matrix]
    near += [p for x in near for p in x.split(" ;; ")] + matrix
    return [x for x in out if WORD.decode() not in x.lower()], [x for x in near if "canary" not in x.lower() and "{S}" not in x]


class Watching(pymysql.connections.Connection):
    """A connection that searches every packet it gets."""
    found = None

    def _read_bytes(self, n):
        data = super()._read_bytes(n)
        if self.found is not None and any(s.search(data) for s in SIGNS):
            self.found.append(bytes(data))
        return data


class Worker(threading.Thread):
    def __init__(self, n, kind, server, statements, seed, until):
        super().__init__(daemon=True)
        self.name, self.kind, self.server, self.statements, self.until = f"w{n}_{kind}", kind, server, statements, until
        self.r, self.conn, self.found, self.count, self.answers, self.denied, self.lost, self.recent, self.began, self.failed = random.Random(f"{seed} {n}"), None, [], 0, 0, 0, 0, [], time.time(), ""

    def account(self):
        """The account as it is at first: it may have changed or dropped itself."""
        me = f"{self.name}@localhost"
        with self.server.connect() as c, c.cursor() as cur:
            for sql in (f"DROP USER IF EXISTS {me}", f"CREATE USER {me}", *(f"GRANT {g} TO {me}" for g in RIGHTS[self.kind]), *OWN):
                cur.execute(sql.replace("{M}", f"m_{self.name}"))

    def open(self):
        if self.conn is not None:
            try:
                self.conn.close()
            except pymysql.MySQLError:
                pass
        self.account()
        self.conn = Watching(unix_socket=self.server.socket, user=self.name, charset="utf8mb4", autocommit=True, conv={}, use_unicode=False, read_timeout=60)
        self.conn.found = self.found
        with self.conn.cursor() as cur:
            cur.execute("SET SESSION max_execution_time=2000, lock_wait_timeout=1, innodb_lock_wait_timeout=1, cte_max_recursion_depth=100")
            if self.kind != "none":
                cur.execute(f"USE m_{self.name}")

    def statement(self):
        broad, near = self.statements
        s = fuzz.mutate(self.r, near if self.r.random() < 0.6 else broad)
        t = s.decode("latin1")
        if self.r.random() < 0.5:
            words = [m for m in re.finditer(r"[A-Za-z_][\w.]*", t)]
            for m in sorted(self.r.sample(words, min(len(words), self.r.choice([1, 1, 2]))), key=lambda m: -m.start()):
                t = t[:m.start()] + self.r.choice(NAMES) + t[m.end():]
        t = t.replace("{M}", f"m_{self.name}")
        return None if NEVER.search(t) or any(x.search(t.encode("latin1", "replace")) for x in SIGNS) else t.encode("latin1", "replace")

    def send(self, s, prepared=False):
        self.recent, self.began = self.recent[-40:] + [s], time.time()
        try:
            if prepared:
                stmt, params = binary.prepare(self.conn, s)
                binary.execute(self.conn, stmt, [self.r.choice([None, 0, -1, 1.5, "a", "2020-01-01"]) for _ in range(params)])
                binary.read_result(self.conn)
                binary.close(self.conn, stmt)
            else:
                with self.conn.cursor() as cur:
                    cur.execute(s)
                    cur.fetchmany(1000)
            self.answers += 1
        except pymysql.MySQLError as e:
            code = e.args[0] if e.args else 0
            self.denied += code in (1044, 1045, 1142, 1143, 1227, 1345, 1356, 1370, 1410, 1449)
            if code in (2006, 2013, 0, 4081, 4082, 4031) or not self.conn.open:
                self.lost += 1
                self.conn = None
        except (UnicodeDecodeError, IndexError, AssertionError, ValueError):
            self.conn = None  # an answer that PyMySQL cannot read; what was read has been searched

    def run(self):
        while time.time() < self.until and not self.found:
            try:
                if self.conn is None or self.count % 2000 == 1999:
                    self.open()
                s = self.statement()
                if s is None:
                    continue
                self.count += 1
                self.send(s, self.r.random() < 0.15)
                if self.conn is not None and self.r.random() < 0.05:
                    self.send(b"SHOW WARNINGS")
                if self.count % 400 == 0:
                    for q in SEEN + self.server.schema:
                        if self.conn is not None:
                            self.send(q.encode())
            except pymysql.MySQLError as e:
                self.conn = None
                if time.time() < self.until:
                    self.lost += 1
                    self.failed = str(e)
                    time.sleep(0.1)


def intact(server, rows):
    """What is wrong with the vault, or None. `col` may read and update `id`: that column is not looked at."""
    with server.connect() as c, c.cursor() as cur:
        cur.execute("SET innodb_lock_wait_timeout = 5, lock_wait_timeout = 10")
        try:
            cur.execute("SELECT secret, v, j, d, n FROM vault.t ORDER BY n FOR UPDATE")
            got = cur.fetchall()
            cur.execute("ALTER TABLE vault.t COMMENT 'again', ALGORITHM=INPLACE")
            cur.execute("ALTER TABLE vault.u COMMENT 'zqcanary table again', ALGORITHM=INPLACE")
        except pymysql.MySQLError as e:
            return f"somebody holds a lock: {e}"
    return None if got == rows else f"rows changed: {got}"


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--seconds", type=float, default=60)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--workers", type=int, default=4)
    p.add_argument("--corpus", nargs="*", default=[])
    p = p.parse_args()
    server = Server(options=["--innodb-flush-log-at-trx-commit=0", "--global-connection-memory-tracking=ON", "--global-connection-memory-limit=400000000", "--max-connections=300"]).start()
    bad, until = [], time.time() + p.seconds
    try:
        for q in MAKE:
            server.query(q)
        server.query("DROP USER gone@localhost")
        rows = server.query("SELECT secret, v, j, d, n FROM vault.t ORDER BY n")
        server.schema = [f"SELECT * FROM information_schema.`{t}`" for (t,) in server.query("SELECT table_name FROM information_schema.tables WHERE table_schema='information_schema'")]
        statements = seeds(p.corpus)
        kinds = list(RIGHTS)
        workers = [Worker(n, kinds[n % len(kinds)], server, statements, p.seed, until) for n in range(p.workers)]
        for w in workers:
            w.start()
        looked, panics = time.time(), 0
        while any(w.is_alive() for w in workers) and not bad:
            time.sleep(1)
            if not server.alive():
                bad.append("the server ended")
                break
            for w in workers:
                if w.found:
                    bad.append(f"{w.name} saw {w.found[0][:500]!r}; it had sent {w.recent[-3:]!r}")
                if w.is_alive() and time.time() - w.began > 15 and w.conn is not None:
                    try:
                        server.query(f"KILL QUERY {w.conn.thread_id()}")
                    except pymysql.MySQLError:
                        pass
            if time.time() - looked > 20:
                looked = time.time()
                wrong = intact(server, rows)
                if wrong:
                    bad.append(wrong + "; sent: " + repr([(w.name, w.recent[-5:]) for w in workers]))
            if server.log_tail(10**8).count("panicked") > panics:
                bad.append("panic")
                print("panic; last sent:", *(f"  {w.name}: {w.recent[-1:]!r}" for w in workers), sep="\n", flush=True)
        if server.alive():
            wrong = intact(server, rows)
            bad += [wrong] if wrong and not bad else []
        log = (server.dir / "log").read_bytes()
        for line in log.split(b"\n"):
            if any(s.search(line) for s in SIGNS):
                bad.append(f"the log says {line[:300]!r}")
                break
        if bad:
            print(server.log_tail(5000))
    finally:
        server.remove()
    for w in workers:
        print(f"{w.name}: {w.count} statements and what is seen after each four hundred: {w.answers} answered, {w.denied} denied, {w.lost} connections lost {w.failed}")
    print(f"{sum(w.count for w in workers)} statements; wrong: {bad}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
