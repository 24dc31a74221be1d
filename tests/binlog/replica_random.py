#!/usr/bin/env python3
"""Servers follow each other while clients change tables of the first at random:

    tests/binlog/replica_random.py [--way evenkeel-mysql] [--seconds 30] [--round 120] [--backlog 20000] [--workers 8] [--seed N]

`--way` names the servers, each of which follows the one before: mysql-evenkeel, evenkeel-evenkeel-mysql. Clients (one per schema) run the random changes of
tests/sql/changes_random.py and, with the types and ALTER TABLE of alter_random.py, change tables of their own; others change rows of tables that they all share,
with unique keys, foreign keys, generated columns, a trigger, JSON and other types, so that what `last_committed` allows side by side matters. Clients wait while the
last server lacks more than `--backlog` transactions. After each round CHECKSUM TABLE of each table must be the same everywhere, old logs are purged, and the
clients' own schemas are dropped. A MySQL at the beginning that ends of its own is started again, and who follows it must come to hold what it holds. Exit status 1 on
a difference."""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import threading
import time
import warnings
from functools import partial

import pymysql

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "sql")]
import alter_random  # noqa: E402
from changes_random import Family, ask  # noqa: E402
from lib.servers import MySQL, Server  # noqa: E402

WITH_GTIDS = ["--log-bin=bin", "--enforce-gtid-consistency=ON", "--gtid-mode=ON"]
SHARED = ["CREATE DATABASE shared", "CREATE TABLE shared.u (id INT PRIMARY KEY, a INT, b VARCHAR(20), n INT, UNIQUE (a), UNIQUE (b))",
          "CREATE TABLE shared.two (x INT NOT NULL, y VARCHAR(9) NOT NULL, n INT, PRIMARY KEY (x, y))", "CREATE TABLE shared.nokey (a INT, n INT)",
          "CREATE TABLE shared.parent (id INT PRIMARY KEY, n INT)",
          "CREATE TABLE shared.child (id INT AUTO_INCREMENT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES shared.parent (id) ON DELETE CASCADE ON UPDATE CASCADE)"]


def shared_change(r):
    i, j, k = (r.randint(1, 60) for _ in range(3))
    return r.choice([
        f"INSERT IGNORE INTO shared.u VALUES ({i}, {j}, 'k{k}', 0)", f"DELETE FROM shared.u WHERE id = {i}", f"UPDATE IGNORE shared.u SET a = {j} WHERE id = {i}",
        f"UPDATE IGNORE shared.u SET b = 'K{k}' WHERE id = {i}", f"UPDATE shared.u SET n = n + 1 WHERE a = {j}", f"REPLACE INTO shared.u VALUES ({i}, {j}, 'k{k}', 1)",
        f"REPLACE INTO shared.two VALUES ({i % 7}, 'y{j % 7}', {k})", f"DELETE FROM shared.two WHERE x = {i % 7}", f"UPDATE shared.two SET n = n + 1 WHERE y = 'Y{j % 7}'",
        f"INSERT INTO shared.nokey VALUES ({i}, {j})", f"UPDATE shared.nokey SET n = n + 1 WHERE a = {i}", f"DELETE FROM shared.nokey WHERE a = {i} LIMIT 2",
        f"INSERT IGNORE INTO shared.parent VALUES ({i}, 0)", f"DELETE FROM shared.parent WHERE id = {i}", f"UPDATE IGNORE shared.parent SET id = {j} WHERE id = {i}",
        f"INSERT IGNORE INTO shared.child (p) VALUES ({i})", f"DELETE FROM shared.child WHERE p = {i} LIMIT 1"])


WIDE = ["CREATE TABLE shared.told (n BIGINT AUTO_INCREMENT PRIMARY KEY, was INT, became INT, b VARCHAR(20))",
        "CREATE TRIGGER shared.tells AFTER UPDATE ON shared.u FOR EACH ROW INSERT INTO shared.told (was, became, b) VALUES (OLD.n, NEW.n, NEW.b)",
        "CREATE TABLE shared.wide (id INT PRIMARY KEY, j JSON, e SET('a','b','c'), at TIMESTAMP(6) NULL, f FLOAT, w TEXT CHARACTER SET utf16, k VARCHAR(30) CHARACTER SET sjis, p DECIMAL(30,5), y YEAR, t TIME(3), bits BIT(20), big LONGBLOB,"
        " g BIGINT AS (id * 2) STORED, v VARCHAR(99) AS (CONCAT('v', HEX(k))) VIRTUAL, n INT AS (j->'$.n'), KEY (v), KEY (n), KEY (e))"]


def wide_change(r):
    i, j = r.randint(1, 60), r.randint(1, 60)
    values = {"j": r.choice([f"JSON_OBJECT('n', {j}, 'long', REPEAT('x', {j * 9}))", f"'[1, {j}.5, null, \"\u00e4\"]'", "NULL"]), "e": r.choice(["'a'", "'c,a'", "''", "NULL"]),
              "at": f"'2024-02-29 12:00:00.{i:06}'", "f": f"{j} / {i}", "w": f"'w\u20ac\U0001f600{j}'", "k": f"'\u8868\u793a{j}'", "p": f"{i}{j}{i}{j}.25e-1", "y": f"19{i + 10}", "t": f"'-{i * 9}:00:01.00{j % 10}'", "bits": f"{i * j}", "big": f"REPEAT(x'00ff', {j * r.choice([1, 1, 1, 2000])})"}
    some = {c: values[c] for c in values if r.random() < 0.5}
    sets = ", ".join(f"{c} = {x}" for c, x in some.items()) or "e = 'b'"
    columns, row = "".join(f", {c}" for c in some), "".join(f", {x}" for x in some.values())
    return r.choice([f"INSERT IGNORE INTO shared.wide (id{columns}) VALUES ({i}{row})", f"REPLACE INTO shared.wide (id{columns}) VALUES ({i}{row})", f"UPDATE shared.wide SET {sets} WHERE id = {j}",
                     f"UPDATE shared.wide SET {sets} WHERE n = {i}", f"UPDATE shared.wide SET j = JSON_SET(j, '$.n', {i}) WHERE id > {j} AND JSON_TYPE(j) = 'OBJECT'", f"DELETE FROM shared.wide WHERE id = {i}"])


def sharing(server, r, going, count, form, change=shared_change):
    """Changes tables that others change, too, while `going()`."""
    with server.connect(autocommit=False) as c, c.cursor() as cur:
        cur.execute(f"SET binlog_format = '{form}'")
        cur.execute("SET innodb_lock_wait_timeout = 2")
        while going():
            for _ in range(r.choice([1, 1, 1, 2, 4])):
                count["done" if ask(cur, change(r))[0] == "done" else "failed"] += 1
            c.rollback() if r.random() < 0.1 else c.commit()


DELETES_SEVERAL = re.compile(r"(WITH .*)?DELETE (IGNORE )?(FROM )?\w+(\.\*)?, ")


def own(server, r, name, going, count, form):
    """Makes schema after schema, NAME_1 and so on, and changes what is in it. A MySQL is not asked to delete from several tables at once: it logs a row that
    its own cascade has deleted before, where it then stops as a replica of itself (1032)."""
    with server.connect() as c, c.cursor() as cur:
        cur.execute(f"SET binlog_format = '{form}'")
        n = 0
        while going():
            n += 1
            family = Family(r)
            changes = [q for q in (family.change() for _ in range(60)) if server.name == "evenkeel" or not DELETES_SEVERAL.match(q)]
            for q in [f"CREATE DATABASE {name}_{n}", f"USE {name}_{n}", "SET restrict_fk_on_non_standard_key = 0", *family.create(), "SET foreign_key_checks = 0", *family.fill(),
                      "SET foreign_key_checks = 1", *changes]:
                count["done" if ask(cur, q)[0] == "done" else "failed"] += 1
            ask(cur, "ROLLBACK")


def altering(server, r, name, going, count, form):
    """Makes tables of many types, one per schema, and alters them between changes."""
    with server.connect() as c, c.cursor() as cur:
        cur.execute(f"SET binlog_format = '{form}', sql_mode = ''")
        n = 0
        while going():
            n, t = n + 1, alter_random.Table(r)
            def next_one(t=t):
                x = r.random()
                if x < 0.15:
                    actions = t.actions()
                    return f"ALTER TABLE t {actions}" if actions else "COMMIT"
                return r.choice(["BEGIN", "COMMIT", "COMMIT", "ROLLBACK"]) if x < 0.25 else t.change()
            for q in [f"CREATE DATABASE {name}_{n}", f"USE {name}_{n}", "CREATE TABLE t (id INT PRIMARY KEY, " + ", ".join(t.text(c) for c in t.columns) + ")"]:
                ask(cur, q)
            for _ in range(60):
                count["done" if ask(cur, next_one())[0] == "done" else "failed"] += 1
            ask(cur, "ROLLBACK")


def checksums(server):
    tables = server.query("SELECT CONCAT('`', table_schema, '`.`', table_name, '`') FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND table_schema"
                          " NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema') ORDER BY 1")
    return {t: server.query(f"CHECKSUM TABLE {t}")[0][1] for (t,) in tables}


def executed(server):
    """The server's set of GTIDs, and how many they are."""
    said = server.query("SELECT @@gtid_executed")[0][0].replace("\n", "")
    return said, sum(int(b or a) - int(a) + 1 for a, b in re.findall(r":(\d+)(?:-(\d+))?", said))


class Pace:
    """Lets clients go on until a time, and holds them while the last server lacks more than `most` of the first one's transactions."""

    def __init__(self, first, last, until, most):
        self.first, self.last, self.until, self.most, self.worst, self.held = first, last, until, most, 0, 0.0
        self.free = threading.Event()
        self.free.set()

    def going(self):
        self.free.wait()
        return self.until > time.time()

    def watch(self):
        try:
            self.look()
        finally:
            self.until = 0
            self.free.set()

    def look(self):
        while self.until > time.time():
            lacks = executed(self.first)[1] - executed(self.last)[1]
            self.worst = max(self.worst, lacks)
            if lacks > self.most:
                self.free.clear()
                self.held += 0.2
            else:
                self.free.set()
            time.sleep(0.2)


def follow(source, replica):
    replica.query(f"CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT={source.port}, SOURCE_USER='repl', SOURCE_PASSWORD='r', SOURCE_AUTO_POSITION=1,"
                  " GET_SOURCE_PUBLIC_KEY=1, SOURCE_CONNECT_RETRY=1")
    replica.query("START REPLICA")


def caught_up(wanted, server):
    """Whether the server comes to have these GTIDs; one that stands still for a minute hangs."""
    has, moved = "", time.time()
    while time.time() < moved + 60:
        if server.query(f"SELECT WAIT_FOR_EXECUTED_GTID_SET('{wanted}', 5)")[0][0] == 0:
            return True
        now = executed(server)[0]
        if now != has:
            has, moved = now, time.time()
    return False


def chain(a):
    """The servers, each of which follows the one before."""
    servers = []
    for n, kind in enumerate(a.way.split("-"), 1):
        options = [*WITH_GTIDS, f"--server-id={n}", f"--replica-parallel-workers={a.workers}", "--replica-preserve-commit-order=ON", "--skip-replica-start=ON", "--max-binlog-size=64M",
                   "--innodb-flush-log-at-trx-commit=2", "--restrict-fk-on-non-standard-key=OFF"]
        if kind == "mysql":
            servers.append(MySQL(options=[*options, "--sync-binlog=0", f"--innodb-native-foreign-keys={a.native}"]))
        else:
            servers.append(Server(options=options))
    for s in servers:
        s.start()
        s.query("RESET BINARY LOGS AND GTIDS")
    servers[0].query("CREATE USER repl@'%' IDENTIFIED WITH caching_sha2_password BY 'r'")
    servers[0].query("GRANT REPLICATION SLAVE ON *.* TO repl@'%'")
    for source, replica in zip(servers, servers[1:]):
        follow(source, replica)
        assert caught_up(executed(source)[0], replica)
    return servers


def ended(server):
    """Whether it is a MySQL that has ended of its own: 9.7 fails assertions of its own on some ALTER TABLEs. It may still be writing its stack down."""
    try:
        return server.name == "mysql" and server.process.wait(30) is not None
    except subprocess.TimeoutExpired:
        return False


def while_it_runs(work, server):
    """`work`, which may end with its server."""
    try:
        work()
    except (pymysql.err.OperationalError, pymysql.err.InterfaceError) as e:
        if e.args[0] not in (0, 2003, 2006, 2013) or not ended(server):
            raise


def revive(servers, count):
    """Starts the first one again if it has ended, and who follows it: what it had committed must have come through."""
    if servers[0].process.poll() is None:
        return
    count["crashes of MySQL"] = count.get("crashes of MySQL", 0) + 1
    servers[0].start()
    for q in ["STOP REPLICA", "START REPLICA"]:
        servers[1].query(q)


def one_round(a, n, servers, until, count):
    """Changes until then; what is wrong afterwards."""
    pace = Pace(servers[0], servers[-1], until, a.backlog)
    r = lambda what: random.Random(f"{a.seed} {n} {what}")  # noqa: E731
    args = lambda what: (servers[0], r(what), what, pace.going, count, a.format)  # noqa: E731
    work = [pace.watch]
    work += [partial(sharing, servers[0], r(f"s{i}"), pace.going, count, a.format, change) for i, change in enumerate([shared_change] * 5 + [wide_change] * 2)]
    work += [partial(own, *args(f"o{i}")) for i in range(2)] + [partial(altering, *args("w0"))]
    work = [threading.Thread(target=while_it_runs, args=(w, servers[0])) for w in work]
    [t.start() for t in work]
    [t.join() for t in work]
    revive(servers, count)
    wanted, wrong = executed(servers[0])[0], []
    for s in servers[1:]:
        if not caught_up(wanted, s):
            wrong.append(f"{s.name} stands still at {executed(s)[0]}")
        wrong += s.query("SELECT DISTINCT last_error_number, last_error_message FROM performance_schema.replication_applier_status_by_worker WHERE last_error_number"
                         " UNION SELECT last_error_number, last_error_message FROM performance_schema.replication_connection_status WHERE last_error_number")
    sums = [checksums(s) for s in servers]
    different = sorted(t for t in set().union(*sums) if len({x.get(t) for x in sums}) > 1)
    wrong += [(t, [x.get(t) for x in sums]) for t in different]
    print(f"{time.strftime('%T')} round {n}: {count}, {len(sums[0])} tables, GTIDs {wanted}, at most {pace.worst} behind, held {pace.held:.0f} s; {len(different)} tables differ {wrong[:8]}", flush=True)
    return len(sums[0]), wrong


def tidy(servers):
    """Drops the clients' own schemas, and logs that everybody has read."""
    for (name,) in servers[0].query("SELECT schema_name FROM information_schema.schemata WHERE schema_name REGEXP '^[ow][0-9]_'"):
        servers[0].query(f"DROP DATABASE {name}")
    for s in servers[1:]:
        assert caught_up(executed(servers[0])[0], s)
    for s in servers:
        s.query("FLUSH BINARY LOGS")
        s.query("PURGE BINARY LOGS BEFORE NOW()")


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    a.add_argument("--way", default="evenkeel-mysql")
    a.add_argument("--seconds", type=int, default=30)
    a.add_argument("--round", type=int, default=120, help="seconds of changes between two comparisons")
    a.add_argument("--backlog", type=int, default=20_000, help="transactions that the last server may lack")
    a.add_argument("--workers", type=int, default=8)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--format", default="ROW", help="binlog_format of the clients' sessions: MIXED logs most changes as text")
    a.add_argument("--native", default="ON", help="MySQL's innodb_native_foreign_keys")
    a = a.parse_args()
    warnings.simplefilter("ignore")
    servers, good = chain(a), False
    try:
        for q in SHARED + WIDE:
            servers[0].query(q)
        count, end, n, tables = {"done": 0, "failed": 0}, time.time() + a.seconds, 0, 0
        while time.time() < end:
            n += 1
            have, wrong = one_round(a, n, servers, min(end, time.time() + a.round), count)
            tables += have
            if wrong:
                return 1
            tidy(servers)
        print(f"{a.way}: {count}, {tables} tables compared in {n} rounds, none differs", flush=True)
        good = True
        return 0
    finally:
        for s in servers:
            s.stop()
            if good:
                s.remove()
            else:
                print(f"kept: {s.dir}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
