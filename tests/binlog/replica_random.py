#!/usr/bin/env python3
"""MySQL follows us with several appliers while clients change tables: tests/binlog/replica_random.py [--seconds 30] [--workers 8] [--seed N]

Clients (one per schema) run the random changes of tests/sql/changes_random.py, others change rows of tables with unique keys that they all share, so that
what `last_committed` allows side by side matters. At the end CHECKSUM TABLE of each table must be equal. Exit status 1 on a difference."""
import argparse
import pathlib
import random
import sys
import threading
import time
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "sql")]
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


def sharing(server, r, until, count, form):
    with server.connect(autocommit=False) as c, c.cursor() as cur:
        cur.execute(f"SET binlog_format = '{form}'")
        cur.execute("SET innodb_lock_wait_timeout = 2")
        while until > time.time():
            for _ in range(r.choice([1, 1, 1, 2, 4])):
                count["done" if ask(cur, shared_change(r))[0] == "done" else "failed"] += 1
            c.rollback() if r.random() < 0.1 else c.commit()


def own(server, r, name, until, count, form):
    with server.connect() as c, c.cursor() as cur:
        cur.execute(f"SET binlog_format = '{form}'")
        n = 0
        while until > time.time():
            n += 1
            family = Family(r)
            for q in [f"CREATE DATABASE {name}_{n}", f"USE {name}_{n}", "SET restrict_fk_on_non_standard_key = 0", *family.create(), "SET foreign_key_checks = 0", *family.fill(),
                      "SET foreign_key_checks = 1", *(family.change() for _ in range(60))]:
                count["done" if ask(cur, q)[0] == "done" else "failed"] += 1
            ask(cur, "ROLLBACK")


def checksums(server):
    tables = server.query("SELECT CONCAT('`', table_schema, '`.`', table_name, '`') FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND table_schema"
                          " NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema') ORDER BY 1")
    return {t: server.query(f"CHECKSUM TABLE {t}")[0][1] for (t,) in tables}


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    a.add_argument("--seconds", type=int, default=30)
    a.add_argument("--workers", type=int, default=8)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--format", default="ROW", help="binlog_format of the clients' sessions: MIXED logs most changes as text")
    a = a.parse_args()
    warnings.simplefilter("ignore")
    source = Server(options=[*WITH_GTIDS, "--server-id=1"]).start()
    replica = MySQL(options=[*WITH_GTIDS, "--server-id=2", f"--replica-parallel-workers={a.workers}", "--replica-preserve-commit-order=ON",
                             "--skip-replica-start=ON", "--sync-binlog=0", "--innodb-flush-log-at-trx-commit=2", "--innodb-native-foreign-keys=ON"]).start()
    try:
        for s in (source, replica):
            s.query("SET GLOBAL restrict_fk_on_non_standard_key = 0")
        source.query("CREATE USER repl@'%' IDENTIFIED WITH caching_sha2_password BY 'r'")
        source.query("GRANT REPLICATION SLAVE ON *.* TO repl@'%'")
        replica.query("RESET BINARY LOGS AND GTIDS")
        replica.query(f"CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT={source.port}, SOURCE_USER='repl', SOURCE_PASSWORD='r', SOURCE_AUTO_POSITION=1,"
                      " GET_SOURCE_PUBLIC_KEY=1, SOURCE_CONNECT_RETRY=1")
        replica.query("START REPLICA")
        for q in SHARED:
            source.query(q)
        count, until = {"done": 0, "failed": 0}, time.time() + a.seconds
        work = [threading.Thread(target=sharing, args=(source, random.Random(f"{a.seed} s{i}"), until, count, a.format)) for i in range(6)]
        work += [threading.Thread(target=own, args=(source, random.Random(f"{a.seed} o{i}"), f"o{i}", until, count, a.format)) for i in range(2)]
        [t.start() for t in work]
        [t.join() for t in work]
        executed = source.query("SELECT @@gtid_executed")[0][0]
        has, moved = "", time.time()
        while time.time() < moved + 60:  # a replica that stands still for a minute hangs
            reached = replica.query(f"SELECT WAIT_FOR_EXECUTED_GTID_SET('{executed}', 5)")[0][0]
            now = replica.query("SELECT @@gtid_executed")[0][0]
            if reached == 0:
                break
            if now != has:
                has, moved = now, time.time()
        errors = replica.query("SELECT DISTINCT last_error_number, last_error_message FROM performance_schema.replication_applier_status_by_worker WHERE last_error_number"
                               " UNION SELECT last_error_number, last_error_message FROM performance_schema.replication_connection_status WHERE last_error_number")
        ours, theirs = checksums(source), checksums(replica)
        different = [t for t in ours.keys() | theirs.keys() if ours.get(t) != theirs.get(t)]
        print(f"{count}, {len(ours)} tables, GTIDs {executed}; {'all applied' if reached == 0 else 'stands still at ' + has}; {len(different)} tables differ {different[:8]} {errors}")
        return 1 if different or errors or reached != 0 else 0
    finally:
        for s in (source, replica):
            s.stop()
            s.remove()


if __name__ == "__main__":
    sys.exit(main())
