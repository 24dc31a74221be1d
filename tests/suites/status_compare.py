#!/usr/bin/env python3
"""Status variables and metrics that stay 0 here and not in a real MySQL (scripts/mysql-peer.sh) under the same statements.

    tests/suites/status_compare.py [--values]

A short mix as sysbench makes it (points, ranges, sorts, changes of indexed and other columns, deletes and inserts, in transactions and alone), DDL, a row
lock and a table lock that wait, temporary tables, and some prepared statements run on both servers. Then every variable of SHOW GLOBAL STATUS and every
metric that is on is listed whose value did not move here and moved there (`-`), or the other way round (`+`). `--values` shows how much those moved
that moved on both.
"""
import argparse
import pathlib
import random
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from lib.servers import MySQL, Server  # noqa: E402
from lib.wait import waits  # noqa: E402

ROWS = 2_000


def values(c):
    """Numbers by name: status variables, and metrics as `metric NAME`."""
    with c.cursor() as cur:
        cur.execute("SHOW GLOBAL STATUS")
        rows = list(cur.fetchall())
        cur.execute("SELECT CONCAT('metric ', NAME), COUNT FROM information_schema.INNODB_METRICS WHERE STATUS = 'enabled' AND NAME NOT LIKE 'latch%'")
        rows += cur.fetchall()
    return {name: float(v) for name, v in rows if str(v).replace(".", "").replace("-", "").isdigit()}


def run(c, *statements):
    with c.cursor() as cur:
        for s in statements:
            cur.execute(s)
            while cur.nextset():
                pass


def fill(c):
    run(c, "CREATE DATABASE mix", "USE mix", "CREATE TABLE sbtest1 (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, k INT NOT NULL DEFAULT 0, "
        "c CHAR(120) NOT NULL DEFAULT '', pad CHAR(60) NOT NULL DEFAULT '', KEY k_1 (k))")
    for start in range(1, ROWS, 500):
        run(c, "INSERT INTO sbtest1 (id, k, c, pad) VALUES " + ",".join(f"({i}, {i * 7 % ROWS}, '{i:0120}', '{i:060}')" for i in range(start, start + 500)))


def transaction(c, r):
    """sysbench's oltp_read_write."""
    n = r.randrange(1, ROWS)
    run(c, "BEGIN", *(f"SELECT c FROM sbtest1 WHERE id = {r.randrange(1, ROWS)}" for _ in range(10)),
        f"SELECT c FROM sbtest1 WHERE id BETWEEN {n} AND {n + 99}", f"SELECT SUM(k) FROM sbtest1 WHERE id BETWEEN {n} AND {n + 99}",
        f"SELECT c FROM sbtest1 WHERE id BETWEEN {n} AND {n + 99} ORDER BY c", f"SELECT DISTINCT c FROM sbtest1 WHERE id BETWEEN {n} AND {n + 99} ORDER BY c",
        f"UPDATE sbtest1 SET k = k + 1 WHERE id = {n}", f"UPDATE sbtest1 SET c = REVERSE(c) WHERE id = {n + 1}", f"DELETE FROM sbtest1 WHERE id = {n}",
        f"INSERT INTO sbtest1 (id, k, c, pad) VALUES ({n}, {n}, 'c', 'pad')", "COMMIT")


def wait_for_locks(server, c):
    """A row lock and a table lock that another session must wait for."""
    for lock, unlock, wants in (("BEGIN; UPDATE sbtest1 SET k = 0 WHERE id = 5", "ROLLBACK", "UPDATE sbtest1 SET k = 1 WHERE id = 5"),
                                ("LOCK TABLES sbtest1 READ", "UNLOCK TABLES", "UPDATE sbtest1 SET k = 1 WHERE id = 6")):
        run(c, *lock.split("; "))
        d = server.connect(database="mix")
        waiter = threading.Thread(target=run, args=(d, wants))
        waiter.start()
        waits(server, d)
        run(c, unlock)
        waiter.join()
        d.close()


def mix(server):
    c, r = server.connect(), random.Random(1)
    fill(c)
    for _ in range(100):
        transaction(c, r)
    for i in range(200):
        run(c, f"SELECT c FROM sbtest1 WHERE id = {i}")
    wait_for_locks(server, c)
    run(c, "SELECT COUNT(*) FROM sbtest1 a JOIN sbtest1 b ON a.pad = b.c", "SELECT k, COUNT(*) FROM sbtest1 GROUP BY k ORDER BY 2", "PREPARE p FROM 'SELECT k FROM sbtest1 WHERE id = ?'",
        "SET @i = 7", "EXECUTE p USING @i", "DEALLOCATE PREPARE p", "BEGIN", "SAVEPOINT s", "UPDATE sbtest1 SET pad = 'x' WHERE id < 100", "ROLLBACK TO s", "ROLLBACK",
        "CREATE TABLE copy LIKE sbtest1", "INSERT INTO copy SELECT * FROM sbtest1", "ALTER TABLE copy ADD INDEX (c)", "ALTER TABLE copy ADD n INT, ALGORITHM=COPY", "ANALYZE TABLE copy",
        "CREATE TEMPORARY TABLE tt SELECT * FROM copy", "SELECT COUNT(*) FROM tt", "DROP TEMPORARY TABLE tt", "CREATE VIEW v AS SELECT k FROM copy", "SELECT COUNT(*) FROM v",
        "LOCK TABLES copy WRITE", "UPDATE copy SET n = 1", "UNLOCK TABLES", "TRUNCATE TABLE copy", "FLUSH TABLES", "DROP VIEW v", "DROP TABLE copy", "CHECK TABLE sbtest1")
    for i in range(20):
        d = server.connect(database="mix")
        run(d, f"SELECT * FROM sbtest1 WHERE k = {i}")
        d.close()
    return c


def moved(kind):
    """How much every number changed under the mix, on a new server of this kind."""
    server = kind().start()
    try:
        before = values(server.connect())
        after = values(mix(server))
        # what shows levels has one at the end
        return {n: (v - before.get(n, 0), v) for n, v in after.items()}
    finally:
        server.stop()
        server.remove()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--values", action="store_true")
    args = p.parse_args()
    ours, theirs = moved(Server), moved(MySQL)
    nothing = (0, 0)
    for n in sorted(set(ours) & set(theirs)):
        (here, now), (there, then) = ours.get(n, nothing), theirs.get(n, nothing)
        if not here and not now and (there or then):
            print(f"- {n}\t0\t{there:g} ({then:g})")
        elif not there and not then and (here or now):
            print(f"+ {n}\t{here:g} ({now:g})\t0")
        elif args.values and (here or there):
            print(f"  {n}\t{here:g}\t{there:g}")
    for mark, some, others in (("-", theirs, ours), ("+", ours, theirs)):
        for n in sorted(set(some) - set(others)):
            print(f"{mark} {n}\tmissing on the other side")


if __name__ == "__main__":
    main()
