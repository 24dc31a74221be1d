"""A source, its replica and their backups under random changes with DDL, killed at random moments: by hand.

    .venv/bin/python tests/binlog/kill_random.py [--seed N] [--rounds N] [--kills] [--mysql] [--positions]

Clients change rows, tables, programs, accounts and events of a few names that they share. Meanwhile `kill -9` meets the
source, the replica or both (also while they start), a backup's program or the server that it reads; the replica's
threads are stopped. After each round nothing that was acknowledged may be missing (a counter for each client, tables
whose last statement is known), source and replica must be equal, GTIDs without holes, and a backup brought forward
along the log (`evenkeel restore --binlog-dir`) must be what the server is now. `--kills`: each round begins with `kill -9` of
one or both. `--mysql`: the source is MySQL, which is followed but not backed up. `--positions`: without GTIDs. A line
for each round says what happened; a failure names its seed and keeps its folder (`--folder`).
"""
import argparse
import pathlib
import random
import re
import shutil
import subprocess
import sys
import threading
import time

import pymysql

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from lib.servers import MySQL, Server, binary  # noqa: E402

CLIENTS = 4
SCHEMAS = ["d0", "d1", "d2"]
KILLED = ["source", "replica", "both"]
HAPPENS = [*KILLED, "nothing", "backup", "backup", "threads", "restart"]
OWN = "'^(d[0-9]|led)$'"
DEFINITIONS = [
    "DROP DATABASE IF EXISTS {d}", "CREATE DATABASE IF NOT EXISTS {d}", "CREATE DATABASE IF NOT EXISTS {d}", "DROP TABLE IF EXISTS {t}", "DROP TABLE IF EXISTS {t}, {u}", "TRUNCATE TABLE {t}", "RENAME TABLE {t} TO {u}",
    *4 * ["CREATE TABLE IF NOT EXISTS {t} (a INT PRIMARY KEY AUTO_INCREMENT, b TEXT, c INT DEFAULT 5, g INT AS (c + 1) VIRTUAL, KEY (c), KEY (g))"], "CREATE TABLE IF NOT EXISTS {d}.l{n} LIKE {t}",
    "CREATE TABLE {d}.fk{n} (a INT PRIMARY KEY AUTO_INCREMENT, p INT, FOREIGN KEY (p) REFERENCES {t} (a) ON DELETE CASCADE ON UPDATE CASCADE)", "DROP TABLE IF EXISTS {d}.fk0, {d}.fk1",
    "ALTER TABLE {t} ADD COLUMN x{n} VARCHAR(20) DEFAULT 'q'", "ALTER TABLE {t} DROP COLUMN x{n}", "ALTER TABLE {t} MODIFY c BIGINT", "ALTER TABLE {t} MODIFY c INT, ADD INDEX ix{n} (b(10))", "ALTER DATABASE {d} CHARACTER SET latin1",
    "CREATE USER IF NOT EXISTS u{n}@localhost IDENTIFIED BY 'p{k}'", "DROP USER IF EXISTS u{n}@localhost", "GRANT SELECT ON {d}.* TO u{n}@localhost", "ALTER USER u{n}@localhost IDENTIFIED BY 'n{k}'", "RENAME USER u0@localhost TO u1@localhost",
    "CREATE ROLE IF NOT EXISTS r{n}", "GRANT r{n} TO u{n}@localhost", "DROP ROLE IF EXISTS r{n}", "CREATE PROCEDURE IF NOT EXISTS {d}.p{n}() INSERT INTO t0 (b) VALUES ('p{k}')", "DROP PROCEDURE IF EXISTS {d}.p{n}",
    "CREATE FUNCTION IF NOT EXISTS {d}.f{n}() RETURNS INT BEGIN INSERT INTO led.told (b) VALUES ('f'); RETURN 5; END", "CREATE TRIGGER {d}.tr{n} AFTER INSERT ON {t} FOR EACH ROW INSERT INTO led.told (b) VALUES ('t{k}')", "DROP TRIGGER IF EXISTS {d}.tr{n}",
    "CREATE EVENT IF NOT EXISTS {d}.e{n} ON SCHEDULE EVERY 1 SECOND ENDS NOW() + INTERVAL 3 SECOND DO INSERT INTO led.told (b) VALUES (RAND())", "DROP EVENT IF EXISTS {d}.e{n}", "CREATE OR REPLACE VIEW {d}.v{n} AS SELECT a FROM {t}", "DROP VIEW IF EXISTS {d}.v{n}",
    "FLUSH BINARY LOGS", "ANALYZE TABLE {t}", "OPTIMIZE TABLE {t}",
]
CHANGES = [
    *3 * ["INSERT INTO {t} (b, c) VALUES (REPEAT('x', {k} * 90), {k})"], "INSERT INTO {t} (b, c) SELECT b, c FROM {u} LIMIT 30", "UPDATE {t} SET c = {k} WHERE a % 7 = {n}", "UPDATE {t} SET a = a + 1000 WHERE a = {k}", "DELETE FROM {t} WHERE a % 9 = {n}",
    "REPLACE INTO {t} (a, b) VALUES ({k}, '{k}')", "INSERT INTO {t} (a) VALUES ({k}) ON DUPLICATE KEY UPDATE c = c + 1", "UPDATE {t} x JOIN {u} y ON x.a = y.a SET x.c = 7, y.c = 8", "CALL {d}.p{n}()", "INSERT INTO {t} (c) VALUES ({d}.f{n}())",
    "INSERT INTO {d}.fk{n} (p) SELECT a FROM {t} LIMIT 5", "INSERT INTO led.big (b) VALUES (REPEAT('z', 300000 * ({n} + 1)))", "DELETE FROM led.big", "SAVEPOINT s", "ROLLBACK TO SAVEPOINT s",
]


class Gone(Exception):
    """The server was killed under a client."""


def run(cur, q):
    """True, or the error's number."""
    try:
        cur.execute(q)
        while cur.nextset():
            pass
        return True
    except pymysql.err.Error as e:
        if not e.args or e.args[0] in (0, 1053, 2002, 2003, 2006, 2013):
            raise Gone from e
        return e.args[0]


class Lab:
    """The servers, and what is known of them."""

    def __init__(self, args):
        self.r, self.args, self.problems = random.Random(args.seed), args, []
        self.folder = pathlib.Path(args.folder) / f"kill_random.{args.seed}"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        pick = self.r.choice
        gtids = [] if args.positions else ["--gtid-mode=ON", "--enforce-gtid-consistency=ON"]
        common = ["--log-bin=bin", *gtids, "--innodb-buffer-pool-size=64M", "--log-bin-trust-function-creators=ON", "--lock-wait-timeout=5", "--innodb-lock-wait-timeout=3", f"--max-binlog-size={pick([4096, 65536, 1 << 20])}"]
        source = [*common, "--server-id=1", f"--innodb-redo-log-capacity={pick([8 << 20, 64 << 20])}", f"--binlog-row-image={pick(['FULL', 'MINIMAL', 'NOBLOB'])}", f"--binlog-transaction-compression={pick(['ON', 'OFF'])}"]
        order = "ON" if args.positions else pick(["ON", "OFF"])
        replica = [*common, "--server-id=2", f"--replica-parallel-workers={pick([0, 1, 4, 8])}", f"--max-relay-log-size={pick([0, 4096, 65536])}", f"--relay-log-recovery={pick(['ON', 'OFF'])}", f"--replica-preserve-commit-order={order}"]
        print(source, replica, sep="\n")
        self.source = (MySQL if args.mysql else Server)(self.folder / "s", source).start()
        self.replica = Server(self.folder / "r", replica).start()
        self.acknowledged, self.under_way = [0] * CLIENTS, [False] * CLIENTS
        self.known = [{} for _ in range(CLIENTS)]  # tables of a client: whether they are there, or both
        self.backups, self.kills = 0, 0
        s = self.source.query
        s("CREATE USER rep@'%' IDENTIFIED BY 'rep'")
        s("GRANT REPLICATION SLAVE ON *.* TO rep@'%'")
        file, at = s("SHOW BINARY LOG STATUS")[0][:2]
        for q in ["CREATE DATABASE led", "CREATE TABLE led.c (w INT PRIMARY KEY, n BIGINT)", "CREATE TABLE led.told (a BIGINT PRIMARY KEY AUTO_INCREMENT, b TEXT)", "CREATE TABLE led.big (a INT PRIMARY KEY AUTO_INCREMENT, b LONGTEXT)",
                  *(f"INSERT INTO led.c VALUES ({w}, 0)" for w in range(CLIENTS)), *(f"CREATE DATABASE {d}" for d in SCHEMAS)]:
            s(q)
        where = f"SOURCE_LOG_FILE='{file}', SOURCE_LOG_POS={at}" if args.positions else "SOURCE_AUTO_POSITION=1"
        self.replica.query(f"CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT={self.source.port}, SOURCE_USER='rep', SOURCE_PASSWORD='rep', GET_SOURCE_PUBLIC_KEY=1, SOURCE_CONNECT_RETRY=1, SOURCE_RETRY_COUNT=1000, {where}")
        self.replica.query("START REPLICA")

    def problem(self, *what):
        self.problems.append(what)
        print("PROBLEM", *what, flush=True)

    # ---- clients

    def client(self, w, seed, stop):
        r = random.Random(seed)
        while not stop.is_set():
            try:
                with self.source.connect(read_timeout=60, connect_timeout=5) as c, c.cursor() as cur:
                    self.settle(cur, w)
                    for _ in range(r.randrange(5, 60)):
                        if stop.is_set():
                            break
                        kind = r.random()
                        if kind < 0.3:
                            run(cur, self.filled(r, DEFINITIONS))
                        elif kind < 0.38:
                            self.known_table(cur, r, w)
                        elif kind < 0.43 and not self.args.positions:
                            self.xa(cur, r, w)
                        else:
                            self.transaction(cur, r, w)
            except (Gone, pymysql.err.Error, OSError):
                time.sleep(0.05)

    @staticmethod
    def filled(r, texts):
        table = lambda: f"{r.choice(SCHEMAS)}.t{r.randrange(4)}"  # noqa: E731
        return r.choice(texts).format(d=r.choice(SCHEMAS), t=table(), u=table(), n=r.randrange(3), k=r.randrange(200))

    def settle(self, cur, w):
        """What a client that was cut off finds: what it knows happened, and what was under way did or did not."""
        cur.execute("XA RECOVER")
        for *_, name in cur.fetchall():
            if name.startswith(f"x{w}_"):
                run(cur, f"XA ROLLBACK '{name}'")
        cur.execute(f"SELECT n FROM led.c WHERE w = {w} FOR UPDATE")
        n = cur.fetchone()[0]
        if n != self.acknowledged[w] and not (self.under_way[w] and n == self.acknowledged[w] + 1):
            self.problem("client", w, "has", n, "of", self.acknowledged[w])
        self.acknowledged[w], self.under_way[w] = n, False
        for name, may_be in self.known[w].items():
            cur.execute(f"SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'led' AND table_name = '{name}'")
            there = bool(cur.fetchone()[0])
            if there not in may_be:
                self.problem("table", name, "is there" if there else "is gone")
            self.known[w][name] = {there}

    def known_table(self, cur, r, w):
        name = f"k{w}_{r.randrange(3)}"
        there, = self.known[w].get(name, {False})
        self.known[w][name] = {True, False}
        done = run(cur, f"DROP TABLE led.{name}" if there else f"CREATE TABLE led.{name} (a INT)")
        self.known[w][name] = {there != (done is True)}

    def transaction(self, cur, r, w):
        self.under_way[w] = True
        run(cur, "BEGIN")
        good = run(cur, f"UPDATE led.c SET n = n + 1 WHERE w = {w}") is True
        for _ in range(r.randrange(5)):
            good &= run(cur, self.filled(r, CHANGES)) != 1213
        cur.execute(f"SELECT n FROM led.c WHERE w = {w}")
        good &= cur.fetchone()[0] == self.acknowledged[w] + 1
        if good and r.random() < 0.9:
            self.acknowledged[w] += run(cur, "COMMIT") is True
        else:
            run(cur, "ROLLBACK")
        self.under_way[w] = False

    def xa(self, cur, r, w):
        self.under_way[w] = True
        x = f"'x{w}_{r.randrange(10**9)}'"
        run(cur, f"XA START {x}")
        good = run(cur, f"UPDATE led.c SET n = n + 1 WHERE w = {w}") is True
        run(cur, self.filled(r, CHANGES))
        run(cur, f"XA END {x}")
        prepared = r.random() < 0.5 and run(cur, f"XA PREPARE {x}") is True
        if good and r.random() < 0.5 and run(cur, f"XA COMMIT {x}" + ("" if prepared else " ONE PHASE")) is True:
            self.acknowledged[w] += 1
        else:
            run(cur, f"XA ROLLBACK {x}")
        self.under_way[w] = False

    # ---- what happens to the servers

    def start(self, s):
        while self.r.random() < 0.3:  # killed while it starts
            s.log = open(s.dir / "log", "ab")
            s.process = subprocess.Popen(s.command(), stdout=s.log, stderr=s.log, stdin=subprocess.DEVNULL)
            time.sleep(self.r.random() * 0.3)
            s.kill()
        s.start()

    def killed(self, s):
        s.kill()
        self.kills += 1
        self.start(s)

    def happens(self, what, made):
        if what == "both":
            self.source.kill()
        if what in ("replica", "both"):
            self.killed(self.replica)
        if what == "source":
            self.killed(self.source)
        elif what == "both":
            self.start(self.source)
        elif what == "restart":
            s = self.r.choice([self.source, self.replica])
            if s.stop() != 0:
                self.problem("a stop ended with", s.process.returncode)
            self.start(s)
        elif what == "threads":
            for q in (self.r.choice(["STOP REPLICA", "STOP REPLICA SQL_THREAD", "STOP REPLICA IO_THREAD"]), "START REPLICA"):
                self.replica.query(q)
        elif what == "backup":
            self.back_up(made)

    def back_up(self, made):
        s = self.replica if self.args.mysql else self.r.choice([self.source, self.replica])
        self.backups += 1
        to = self.folder / f"b{self.backups}"
        before = [b for b in made if b[1] is s]
        chain = before[-1][0] if before and self.r.random() < 0.6 else []
        command = [binary(), "backup", f"--socket={s.socket}", "-uroot", f"--to={to}", *(f"--incremental-from={b}" for b in chain[-1:])]
        p = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        if self.r.random() < 0.3:
            time.sleep(self.r.random() * 0.5)
            if self.r.random() < 0.5:
                p.kill()
            else:
                self.killed(s)
            p.communicate()
            if p.returncode and (to / "backup.json").exists():
                self.problem("a backup that failed looks complete", to)
            return
        said = p.communicate()[1]
        if p.returncode:
            self.problem("backup", said)
        made.append(([*chain, to], s))

    # ---- comparing

    def state(self, s):
        def rows(q):
            return s.query(q)
        names = [n for n, in rows(f"SELECT CONCAT(table_schema, '.', table_name) FROM information_schema.tables WHERE table_schema REGEXP {OWN} AND table_type = 'BASE TABLE' ORDER BY 1")]
        users = rows("SELECT user, host, authentication_string FROM mysql.user WHERE user REGEXP '^[ur][0-9]' ORDER BY 1, 2")
        return {
            "schemas": rows(f"SELECT schema_name, default_character_set_name FROM information_schema.schemata WHERE schema_name REGEXP {OWN} ORDER BY 1"),
            "sums": rows("CHECKSUM TABLE " + ", ".join(names)), "tables": [re.sub(r" AUTO_INCREMENT=\d+", "", rows(f"SHOW CREATE TABLE {n}")[0][1]) for n in names],
            "views": rows(f"SELECT table_schema, table_name, view_definition FROM information_schema.views WHERE table_schema REGEXP {OWN} ORDER BY 1, 2"),
            "routines": rows(f"SELECT routine_schema, routine_name, routine_definition FROM information_schema.routines WHERE routine_schema REGEXP {OWN} ORDER BY 1, 2"),
            "triggers": rows(f"SELECT trigger_schema, trigger_name, event_object_table, action_statement FROM information_schema.triggers WHERE trigger_schema REGEXP {OWN} ORDER BY 1, 2"),
            "events": rows("SELECT event_schema, event_name, event_definition, ends FROM information_schema.events ORDER BY 1, 2"), "users": users, "grants": [sorted(rows(f"SHOW GRANTS FOR '{u}'@'{h}'")) for u, h, _ in users],
            "prepared": sorted(x[3] for x in rows("XA RECOVER")), "gtids": rows("SELECT @@gtid_executed")[0][0].replace("\n", ""),
        }

    def compare(self, what, a, b):
        for k in a:
            if a[k] != b[k]:
                self.problem(what, k, a[k], b[k])

    def caught_up(self):
        deadline = time.time() + 120
        while time.time() < deadline:
            if self.args.positions:
                file, at = self.source.query("SHOW BINARY LOG STATUS")[0][:2]
                done = self.replica.query(f"SELECT SOURCE_POS_WAIT('{file}', {at}, 2)")[0][0]
                if done is not None and done >= 0:
                    return True
            else:
                done, = self.source.query("SELECT @@gtid_executed")
                if self.replica.query(f"SELECT WAIT_FOR_EXECUTED_GTID_SET('{done[0]}', 2)") == ((0,),):
                    return True
            failed = self.replica.query("SELECT last_error_message FROM performance_schema.replication_applier_status_by_worker WHERE last_error_number <> 0")
            if failed:
                break
        self.problem("the replica does not follow", failed)
        return False

    def restored(self, chain, s):
        shutil.rmtree(self.folder / "copy", ignore_errors=True)
        now = self.state(s)
        s.query("SHOW BINARY LOG STATUS")  # writes the files' rest
        done = subprocess.run([binary(), "restore", *map(str, chain), f"--datadir={self.folder}/copy/data", f"--binlog-dir={s.dir}/data"], capture_output=True, text=True)
        if done.returncode:
            return self.problem("restore", chain, done.stderr)
        copy = Server(self.folder / "copy", [*s.options, "--skip-replica-start", "--event-scheduler=OFF", "--server-id=9"]).start()
        then = self.state(copy)
        if self.args.positions:
            now["gtids"] = then["gtids"] = ""
        self.compare(f"restored from {chain}", now, then)
        copy.remove()

    def round(self, n):
        stop, made = threading.Event(), []
        clients = [threading.Thread(target=self.client, args=(w, self.r.randrange(1 << 40), stop), daemon=True) for w in range(CLIENTS)]
        for c in clients:
            c.start()
        happened = self.r.choices(KILLED if self.args.kills else HAPPENS, k=1) + self.r.choices(HAPPENS, k=self.r.randrange(3))
        for what in happened:
            time.sleep(self.r.random() * 1.5)
            self.happens(what, made)
        time.sleep(self.r.random())
        stop.set()
        for c in clients:
            c.join(120)
            if c.is_alive():
                return self.problem("a client hangs", self.source.query("SHOW FULL PROCESSLIST"))
        self.source.query("SET GLOBAL event_scheduler = OFF")
        with self.source.connect() as c, c.cursor() as cur:
            for w in range(CLIENTS):
                self.settle(cur, w)
        time.sleep(1.2)  # an event that was running ends
        if not self.caught_up():
            return
        a, b = self.state(self.source), self.state(self.replica)
        self.compare(f"round {n}", a, b)
        if not self.args.positions and not re.fullmatch(r"[0-9a-f-]{36}:1-\d+", a["gtids"]):
            self.problem("holes", a["gtids"])
        for chain, s in made[-2:]:
            self.restored(chain, s)
        if any("panic" in (s.dir / "log").read_text(errors="replace") for s in (self.source, self.replica)):
            self.problem("a panic")
        if not self.problems:
            for b in self.folder.glob("b[0-9]*"):
                shutil.rmtree(b)
        self.source.query("SET GLOBAL event_scheduler = ON")
        print("round", n, "+".join(happened), a["gtids"], self.kills, "kills", self.backups, "backups", flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--rounds", type=int, default=50)
    p.add_argument("--kills", action="store_true")
    p.add_argument("--folder", default="/tmp")
    p.add_argument("--mysql", action="store_true")
    p.add_argument("--positions", action="store_true")
    args = p.parse_args()
    lab = Lab(args)
    for n in range(args.rounds):
        lab.round(n)
        if lab.problems:
            print(f"seed {args.seed}: {len(lab.problems)} problems; see {lab.folder}")
            lab.source.stop()
            lab.replica.stop()
            return 1
    lab.source.remove()
    lab.replica.remove()
    shutil.rmtree(lab.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
