"""kill -9 in the middle of cascades and of DDL on foreign keys: no row without its parent, no half of a definition."""
import random
import threading
import time

import pymysql

from lib.servers import Server

ROUNDS = 6


def setup(s):
    s.query("CREATE DATABASE fk")
    for sql in [
        "CREATE TABLE p (id INT PRIMARY KEY, k INT NOT NULL, UNIQUE KEY (k))",
        "CREATE TABLE c (id INT AUTO_INCREMENT PRIMARY KEY, pid INT, pad VARCHAR(200),"
        " FOREIGN KEY (pid) REFERENCES p (id) ON DELETE CASCADE ON UPDATE CASCADE)",
        "CREATE TABLE n (id INT AUTO_INCREMENT PRIMARY KEY, pk INT, FOREIGN KEY (pk) REFERENCES p (k) ON DELETE SET NULL ON UPDATE CASCADE)",
        "CREATE TABLE d (a INT PRIMARY KEY, b INT)",
    ]:
        s.query(sql, db="fk")


def writer(s, seed):
    r = random.Random(seed)
    try:
        with s.connect(database="fk") as con, con.cursor() as cur:
            while True:
                i = r.randrange(200)
                try:
                    if r.random() < 0.5:
                        cur.execute("INSERT IGNORE INTO p VALUES (%s, %s)", (i, i))
                        for _ in range(10):
                            cur.execute("INSERT INTO c (pid, pad) VALUES (%s, %s)", (i, "x" * r.randrange(200)))
                        cur.execute("INSERT INTO n (pk) SELECT k FROM p WHERE id = %s", (i,))
                    elif r.random() < 0.5:
                        cur.execute("DELETE FROM p WHERE id BETWEEN %s AND %s", (i, i + 5))
                    else:
                        cur.execute("UPDATE p SET id = id + 1000, k = k + 1000 WHERE id = %s", (i,))
                        cur.execute("UPDATE p SET id = id - 1000, k = k - 1000 WHERE id = %s", (i + 1000,))
                except (pymysql.err.IntegrityError, pymysql.err.InternalError):
                    pass
                except pymysql.err.OperationalError as e:
                    if e.args[0] not in (1205, 1213):
                        return
    except Exception:  # the server is gone
        return


def ddl(s, seed):
    r = random.Random(seed)
    try:
        with s.connect(database="fk") as con, con.cursor() as cur:
            while True:
                for sql in r.sample([
                    "ALTER TABLE d ADD CONSTRAINT dp FOREIGN KEY (b) REFERENCES p (id)",
                    "ALTER TABLE d DROP FOREIGN KEY dp",
                    "RENAME TABLE d TO d2", "RENAME TABLE d2 TO d",
                    "ALTER TABLE p RENAME COLUMN k TO kk", "ALTER TABLE p RENAME COLUMN kk TO k",
                ], 6):
                    try:
                        cur.execute(sql)
                    except pymysql.err.MySQLError as e:
                        if e.args[0] in (2006, 2013):
                            return
    except Exception:
        return


def consistent(s):
    k = "kk" if s.query("SELECT COUNT(*) FROM information_schema.columns WHERE table_schema='fk' AND table_name='p' AND column_name='kk'")[0][0] else "k"
    assert s.query("SELECT COUNT(*) FROM c LEFT JOIN p ON p.id = c.pid WHERE c.pid IS NOT NULL AND p.id IS NULL", db="fk")[0][0] == 0
    assert s.query(f"SELECT COUNT(*) FROM n LEFT JOIN p ON p.{k} = n.pk WHERE n.pk IS NOT NULL AND p.id IS NULL", db="fk")[0][0] == 0
    # the child's definition names the parent's column as it is
    assert f"REFERENCES `p` (`{k}`)" in s.query("SHOW CREATE TABLE n", db="fk")[0][1]
    for t in ("p", "c", "n"):
        assert s.query(f"CHECK TABLE {t}", db="fk")[0][3] == "OK"
    # both sides still know each other
    try:
        s.query("INSERT INTO c (pid) VALUES (99999)", db="fk")
        raise AssertionError("a child without a parent")
    except pymysql.err.IntegrityError as e:
        assert e.args[0] == 1452


def test_no_orphans_after_kill():
    s = Server().start()
    try:
        setup(s)
        for n in range(ROUNDS):
            threads = [threading.Thread(target=writer, args=(s, 10 * n + i)) for i in range(3)]
            threads.append(threading.Thread(target=ddl, args=(s, n)))
            for t in threads:
                t.start()
            time.sleep(1.0 + random.random())
            s.kill()
            for t in threads:
                t.join(120)
            s.start()
            consistent(s)
    finally:
        s.remove()
