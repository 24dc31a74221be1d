"""FLUSH TABLES WITH READ LOCK among transactions: it never closes a circle with their row locks."""
import threading

from lib.servers import Server
from lib.wait import until, waits


def test_a_transaction_ends_before_a_read_lock_that_waits():
    """The read lock waits for an UPDATE, which waits for a row of a transaction, whose next UPDATE must not wait for the read lock."""
    s = Server().start()
    try:
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE d.t (id INT PRIMARY KEY, v INT)")
        s.query("INSERT INTO d.t VALUES (1, 0), (2, 0), (3, 0)")
        for first in ("UPDATE d.t SET v = v + 1 WHERE id = 1", "SELECT * FROM d.t WHERE id = 1 FOR UPDATE"):
            with s.connect(autocommit=False) as a, s.connect() as b, s.connect() as reader, s.connect(autocommit=False) as new, a.cursor() as cur:
                cur.execute(first)
                threads = []
                for c, q in ((b, "UPDATE d.t SET v = v + 1 WHERE id = 1"), (reader, "FLUSH TABLES WITH READ LOCK"), (new, "UPDATE d.t SET v = v + 1 WHERE id = 3")):
                    threads.append(threading.Thread(target=lambda c=c, q=q: c.cursor().execute(q)))
                    threads[-1].start()
                    waits(s, c)
                # of the transaction that others wait for; a new one queues behind the read lock
                cur.execute("UPDATE d.t SET v = v + 1 WHERE id = 2")
                a.commit()
                for t in threads[:2]:
                    t.join()
                before = s.query("SELECT * FROM d.t")
                waits(s, new)
                reader.cursor().execute("UNLOCK TABLES")
                threads[2].join()
                new.commit()
                until(lambda: s.query("SELECT * FROM d.t") != before)
    finally:
        s.remove()


DEFINITIONS = ["CREATE TABLE d.x (a INT)", "ALTER TABLE d.t ADD w INT", "DROP TABLE d.x", "TRUNCATE TABLE d.t", "RENAME TABLE d.t TO d.s, d.s TO d.t", "CREATE VIEW d.v AS SELECT 1",
               "CREATE DATABASE e", "ALTER DATABASE e COLLATE utf8mb4_bin", "DROP DATABASE e", "CREATE PROCEDURE d.p() SELECT 1", "DROP PROCEDURE d.p", "CREATE FUNCTION d.f() RETURNS INT DETERMINISTIC RETURN 1",
               "CREATE TRIGGER d.tr BEFORE INSERT ON d.t FOR EACH ROW SET @a = 1", "DROP TRIGGER d.tr", "CREATE EVENT d.e ON SCHEDULE EVERY 1 DAY DO SELECT 1", "CREATE USER u", "GRANT SELECT ON d.* TO u",
               "DROP USER u", "CREATE INDEX i ON d.t (v)", "CREATE TABLE d.y AS SELECT 1 AS a"]
LOCKS = ["LOCK INSTANCE FOR BACKUP", "FLUSH TABLES WITH READ LOCK"]


def test_a_definition_that_waits_is_in_no_backups_way():
    """Tools (mydumper, for one) take both locks, in either order: a definition's change that waits for the first is not waited for by the second, and neither fails."""
    s = Server().start()
    try:
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE d.t (id INT PRIMARY KEY, v INT)")
        for n, q in enumerate(DEFINITIONS):
            said = []

            def define(c, q=q, said=said):
                try:
                    said.append(c.cursor().execute(q))
                except Exception as e:  # noqa: BLE001
                    said.append(e)
            with s.connect() as tool, s.connect() as other, tool.cursor() as cur:
                cur.execute("SET lock_wait_timeout = 60")
                first, second = LOCKS if n % 2 == 0 else LOCKS[::-1]
                cur.execute(first)
                thread = threading.Thread(target=define, args=(other,))
                thread.start()
                waits(s, other)
                cur.execute(second)
                waits(s, other)
                # one goes, and it still waits for the other
                cur.execute("UNLOCK TABLES")
                waits(s, other)
                assert said == []
                cur.execute("UNLOCK INSTANCE")
                thread.join()
                assert len(said) == 1 and isinstance(said[0], int), (q, said)
    finally:
        s.remove()
