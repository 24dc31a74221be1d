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
