"""Few connections share threads while they mostly commit, and have threads of their own again when they read (docs/decisions/0041)."""
import os
import threading

from lib.servers import Server
from lib.wait import until


def parked(s):
    return int(s.query("SHOW GLOBAL STATUS LIKE 'Sched_parked_connections'")[0][1])


def test_writers_share_and_readers_do_not():
    clients = 2 * len(os.sched_getaffinity(0)) + 2
    s = Server().start()
    stop, failed, statement = threading.Event(), [], ["INSERT INTO d.t (a) VALUES (1)"]

    def client():
        try:
            with s.connect() as c, c.cursor() as cur:
                while not stop.is_set():
                    cur.execute(statement[0])
        except Exception as e:  # told by the test
            failed.append(e)

    threads = [threading.Thread(target=client) for _ in range(clients)]
    try:
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE d.t (id INT AUTO_INCREMENT PRIMARY KEY, a INT)")
        [t.start() for t in threads]
        until(lambda: failed or parked(s) > 0)
        statement[0] = "SELECT 1"
        until(lambda: failed or parked(s) == 0)
        statement[0] = "INSERT INTO d.t (a) VALUES (2)"
        until(lambda: failed or parked(s) > 0)
        stop.set()
        [t.join() for t in threads]
        assert not failed, failed
        assert s.query("SELECT COUNT(*) > 0, COUNT(*) = MAX(id) FROM d.t") == ((1, 1),)
    finally:
        stop.set()
        s.remove()
