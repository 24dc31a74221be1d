#!/usr/bin/env python3
"""Fuzzing of whole sessions with mutated statements: tests/sql/fuzz.py [--seconds N] [--seed N] [--corpus FILE ...]

Seeds are the statements of golden/*.sql and of the files given (one statement a line; of *.jsonl, as ../shared/tools/mtr_extract.py writes it, the field "sql"). A statement is changed by tokens (dropped, doubled, swapped, replaced by
one of another statement, numbers at the edges) or by bytes, and sent; now and then it is prepared instead. The workers are no administrators, and their
connections together may hold --connections MB (`global_connection_memory_limit`; who holds more is refused with 4081 and disconnected). Wrong are: a panic in the log, a session that does
not answer in a minute in which the server had 45 s of CPU (a busy machine may give it less), or in five minutes (`max_execution_time` is 2 s; what is no SELECT is killed after 15 s), a server that ends, memory above the
limit (`bound`), and memory that is not given back when the sessions have ended and their databases are dropped (`rest`). What was sent last is printed then. Exit status 1 if anything was wrong.
"""
import argparse
import json
import pathlib
import random
import re
import sys
import threading
import time

import pymysql

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import binary  # noqa: E402
from lib.cpu import cpu_seconds  # noqa: E402
from lib.servers import Server  # noqa: E402

TOKEN = re.compile(r"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|[A-Za-z_@$][\w@$.]*|\d+\.?\d*(?:e[-+]?\d+)?|--? ?|/\*|\*/|<=>|[<>!:]=|<<|>>|&&|\|\||\s+|.", re.S)
EDGE = ["0", "-1", "1", "NULL", "''", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "1e308", "-1e-308", "99999999999999999999999999999999.9", "4294967296", "65536", "'\\0'", "0x",
        "b''", "_utf8mb4'x'", "'9999-12-31'", "'0000-00-00'", "'838:59:59'", "'{\"a\": [1]}'", "(SELECT 1)", "(1, 2)", "*", "?", "@a", "DEFAULT", "CAST(1 AS JSON)", "REPEAT('a', 100000)"]
NEVER = re.compile(r"shutdown|restart|\bkill\b|sleep|get_lock|benchmark|into\s+(out|dump)file|load\s+data|max_execution_time|password|identified|\buser\b|super_read_only|read_only|innodb_|flush|lock\s+instance"
                   r"|\block\s+table|tables?\s+with\s+read|max_connections|offline|global|persist|wait_timeout|net_|interactive|for\s+update|backup|init_|general_log", re.I)


def seeds(corpus):
    out = []
    for f in sorted((HERE / "golden").glob("*.sql")):
        text = "\n".join(x for x in f.read_text().split("\n") if not x.startswith("--"))
        out += [s.strip() for s in text.split(";\n")]
    for f in corpus:
        lines = pathlib.Path(f).read_text(errors="replace").split("\n")
        out += [json.loads(x)["sql"] for x in lines if x] if f.endswith(".jsonl") else lines
    return [s.rstrip(";") for s in out if s.strip() and len(s) < 4000 and not NEVER.search(s)]


def mutate(r, statements):
    t = TOKEN.findall(r.choice(statements))
    for _ in range(r.choice([0, 1, 1, 1, 2, 3, 6])):
        if not t:
            break
        i, kind = r.randrange(len(t)), r.random()
        if kind < 0.2:
            del t[i:i + r.choice([1, 1, 2, 5])]
        elif kind < 0.3:
            t.insert(i, t[i])
        elif kind < 0.4:
            j = r.randrange(len(t))
            t[i], t[j] = t[j], t[i]
        elif kind < 0.65:
            other = TOKEN.findall(r.choice(statements))
            j = r.randrange(len(other))
            t[i:i + 1] = other[j:j + r.choice([1, 1, 2, 6, 12])]
        elif kind < 0.85:
            t[i] = r.choice(EDGE)
        elif kind < 0.95:
            number = [k for k, x in enumerate(t) if x[0].isdigit() or x[0] == "'"]
            if number:
                t[r.choice(number)] = r.choice(EDGE)
        else:
            t[i] = "(" * r.choice([1, 10, 300]) + t[i]
    s = "".join(t).encode("utf8", "replace")
    if r.random() < 0.08 and s:
        b = bytearray(s)
        for _ in range(r.choice([1, 2, 5])):
            b[r.randrange(len(b))] = r.randrange(256)
        s = bytes(b)
    return s


class Worker(threading.Thread):
    def __init__(self, n, server, statements, seed, until):
        super().__init__(daemon=True)
        self.n, self.server, self.statements, self.r, self.until = n, server, statements, random.Random(f"{seed} {n}"), until
        self.last, self.began, self.count, self.lost, self.conn, self.recent, self.steps, self.killed, self.refused = b"", time.time(), 0, 0, None, [], 0, -1, 0
        self.seen, self.cpu = -1, 0  # the statement that was looked at, and the server's CPU time then

    def run(self):
        while time.time() < self.until:
            try:
                if self.conn is None or self.count % 3000 == 0:
                    grant(self.server)
                    self.conn = self.server.connect(user="fuzz", conv={}, use_unicode=False, read_timeout=90)
                    cur = self.conn.cursor()
                    cur.execute("SET SESSION max_execution_time=2000, lock_wait_timeout=1, innodb_lock_wait_timeout=1, cte_max_recursion_depth=100")
                    cur.execute(f"CREATE DATABASE IF NOT EXISTS f{self.n}")
                    cur.execute(f"USE f{self.n}")
                self.one()
            except (pymysql.err.OperationalError, pymysql.err.InterfaceError) as e:
                if e.args and e.args[0] in (2006, 2013, 0):
                    self.lost += 1
                    self.conn = None
                    print(f"connection lost: {e.args} after {[x[:1000] for x in self.recent[-3:]]!r}", flush=True)
                elif e.args and e.args[0] in (4081, 4082):
                    self.refused += 1
                    self.conn = None
            except UnicodeDecodeError:
                # a name in another character_set_results, which PyMySQL takes for UTF-8: it leaves the rest of the answer unread
                self.conn.close()
                self.conn = None
            except (pymysql.err.MySQLError, IndexError, AssertionError) as e:
                if self.conn is not None and not self.conn.open and "sequence" in str(e):
                    # an answer was not read to its end: its rows are not what their columns say
                    self.steps += 1
                    print(f"out of step: {e.args} after {self.recent[-2:]!r}", flush=True)

    def one(self):
        s = mutate(self.r, self.statements)
        if NEVER.search(s.decode("latin1")):
            return
        self.last, self.began, self.count = s, time.time(), self.count + 1
        self.recent = self.recent[-30:] + [s]
        if self.r.random() < 0.15:
            stmt, params = binary.prepare(self.conn, s)
            binary.execute(self.conn, stmt, [self.r.choice([None, 0, -1, 2**63, 1.5, "a", b"\xff", "2020-01-01"]) for _ in range(params)])
            binary.read_result(self.conn)
            binary.close(self.conn, stmt)
        else:
            with self.conn.cursor() as cur:
                cur.execute(s)
                cur.fetchmany(1000)


def rss(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text()).group(1)) // 1024


# MB of what a server keeps; the sizes are its defaults and the constants of crates/session/src/kernel/plans.rs
POOL, LOG, PACKET = 128, 16, 64
PROGRAM = 64  # code and data after the start, and statements' digests (10,000)
PLANS, THREAD_PLANS = 2 * 48, 16  # of the server: statements and prepared ones; of a thread


def rest(workers):
    """What may be left when nobody is connected. Small blocks leave a quarter of their pages free (jemalloc's classes and runs, measured: 143 of 189 MB)."""
    return POOL + LOG + (PROGRAM + PLANS + THREAD_PLANS * (workers + 2)) * 5 // 4


def bound(connections, workers):
    """What may be held while they run: all connections together may hold `connections`, and each may pass that by what it makes between two looks
    (crates/base/src/memory.rs), which is at most two copies of a value of max_allowed_packet: one in the arena, one in what it goes into."""
    return rest(workers) + connections + workers * 2 * PACKET


def left(server):
    """Memory after the sessions have ended, without the databases."""
    with server.connect() as c, c.cursor() as cur:
        cur.execute("SHOW DATABASES")
        for (name,) in cur.fetchall():
            if name not in ("mysql", "sys", "information_schema", "performance_schema"):
                try:
                    cur.execute("DROP DATABASE `%s`" % name.replace("`", "``"))
                except pymysql.err.MySQLError as e:
                    print(f"DROP DATABASE {name!r}: {e}", flush=True)
    time.sleep(5)  # pages that nobody uses go back after a second; purge
    return rss(server.process.pid)


def start(mb):
    """A server whose connections may hold so many MB together, with the workers' account."""
    server = Server(options=["--innodb-flush-log-at-trx-commit=0", "--global-connection-memory-tracking=ON", f"--global-connection-memory-limit={mb << 20}"]).start()
    grant(server)
    return server


def grant(server):
    """The workers' account as it is at first: they can take rights from themselves."""
    with server.connect() as c, c.cursor() as cur:
        for sql in ("CREATE USER IF NOT EXISTS fuzz@localhost", "GRANT ALL ON *.* TO fuzz@localhost WITH GRANT OPTION",
                    "REVOKE SUPER, CONNECTION_ADMIN, SYSTEM_VARIABLES_ADMIN, SESSION_VARIABLES_ADMIN ON *.* FROM fuzz@localhost"):
            cur.execute(sql)


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--seconds", type=float, default=60)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--workers", type=int, default=3)
    p.add_argument("--memory", type=int, help="limit in MB; else what follows from --connections and --workers")
    p.add_argument("--connections", type=int, default=384, help="MB that all connections may hold")
    p.add_argument("--corpus", nargs="*", default=[])
    p = p.parse_args()
    limit, after = p.memory or bound(p.connections, p.workers), 0
    server = start(p.connections)
    statements, until, bad, most = seeds(p.corpus), time.time() + p.seconds, [], 0
    workers = [Worker(n, server, statements, p.seed, until) for n in range(p.workers)]
    try:
        for w in workers:
            w.start()
        told, used = 0, 0
        while any(w.is_alive() for w in workers) and not [b for b in bad if b != "panic"]:
            time.sleep(1)
            if not server.alive():
                bad.append("the server ended")
            else:
                used, now = cpu_seconds(server.process.pid), rss(server.process.pid)
                if now > most + 50:
                    print(f"{time.time() - until + p.seconds:.0f} s: {now} MB; sent:", *(f"  {w.n}: {w.last[:300]!r}" for w in workers), sep="\n", flush=True)
                    most = now
                if most > limit:
                    bad.append(f"memory {most} MB")
            for w in workers:
                # only SELECT ends by max_execution_time: whatever takes long must end when it is told to
                if w.is_alive() and time.time() - w.began > 15 and w.conn is not None and w.killed != w.count:
                    w.killed = w.count
                    with server.connect() as c, c.cursor() as cur:
                        cur.execute(f"KILL QUERY {w.conn.thread_id()}")
                if w.seen != w.count:
                    w.seen, w.cpu = w.count, used
                waits = time.time() - w.began
                if (waits > 60 and used - w.cpu > 45 or waits > 300) and w.is_alive() and time.time() < until + 300:
                    bad.append(f"worker {w.n} waits since {time.time() - w.began:.0f} s for {w.last!r}")
            panics = server.log_tail(10**8).count("panicked")
            if panics > told:
                told = panics
                bad.append("panic")
                print("panic; last sent:", *(f"  {w.n}: {w.last!r}" for w in workers), sep="\n", flush=True)
        for w in workers:
            if w.conn is not None and w.conn.open and not w.is_alive():
                w.conn.close()
        if server.alive() and not any(w.is_alive() for w in workers):
            after = left(server)
            if after > rest(p.workers):
                bad.append(f"{after} MB after the sessions' end, of {rest(p.workers)}")
        if any(w.steps for w in workers):
            bad.append("answers out of step")
        if bad:
            for w in workers:
                print(f"worker {w.n}:", *w.recent[-3:], sep="\n  ")
            print(server.log_tail(20000))
    finally:
        server.remove()
    print(f"{sum(w.count for w in workers)} statements, {sum(w.lost for w in workers)} connections lost, {sum(w.refused for w in workers)} refused memory, at most {most} MB of {limit}, {after} MB after their end; wrong: {bad}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
