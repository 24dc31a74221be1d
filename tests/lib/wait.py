"""Waiting for what must come, instead of for a time that is hoped to be enough.

A verdict must not hang on how fast the machine is, so a test waits for a condition (`until`), for a statement to be under way (`runs`) or to wait for a lock (`waits`).
PATIENCE bounds such waits and everything else that must "end soon": so long only hangs what hangs. What must not take quadratic or exponential time is compared with work of
the same server (`Work`), whatever build it is and whoever else uses the processors.
"""
import os
import time

from lib.cpu import cpu_seconds

# seconds; a server under a profiler on one busy processor is through in less
PATIENCE = int(os.environ.get("EVENKEEL_PATIENCE", "120"))


def until(what, why="", seconds=PATIENCE, every=0.02):
    """Waits until `what()` is true; its value."""
    deadline = time.monotonic() + seconds
    while not (value := what()):
        assert time.monotonic() < deadline, f"not within {seconds} s: {why() if callable(why) else why or what}"
        time.sleep(every)
    return value


def runs(server, connection, begins="", unless=lambda: False):
    """Waits until the connection (or the one of that number) executes a statement that begins like this; or until `unless()`."""
    number = connection if isinstance(connection, int) else connection.thread_id()
    where = f"ID = {number} AND COMMAND <> 'Sleep'" + (" AND INFO LIKE '%s%%'" % begins[:40].replace("'", "''").replace("%", "\\%") if begins else "")
    until(lambda: unless() or server.query(f"SELECT 1 FROM information_schema.PROCESSLIST WHERE {where}"), f"connection {number} does not run {begins[:60]}")


def waits(server, connection, unless=lambda: False):
    """Waits until the connection waits for a lock, on metadata or on a row; or until `unless()`. Whether it waits."""
    return until(lambda: ["over"] if unless() else waiting(server, connection), f"connection {connection} waits for no lock") != ["over"]


def waiting(server, connection):
    """Whether it does so now."""
    number = connection if isinstance(connection, int) else connection.thread_id()
    sql = ("SELECT 1 FROM performance_schema.metadata_locks m JOIN performance_schema.threads t ON t.THREAD_ID = m.OWNER_THREAD_ID"
           f" WHERE m.LOCK_STATUS = 'PENDING' AND t.PROCESSLIST_ID = {number}"
           f" UNION ALL SELECT 1 FROM information_schema.INNODB_TRX WHERE trx_mysql_thread_id = {number} AND trx_state = 'LOCK WAIT'")
    return server.query(sql)


class Work:
    """Processor time of the server, in units of a simple statement of its own. A unit is about a tenth of a second on the machine of the day, in the release build."""

    UNIT = "SELECT COUNT(*) FROM JSON_TABLE(CONCAT('[', REPEAT('1,', 199999), '1]'), '$[*]' COLUMNS (a INT PATH '$')) t WHERE a + 1 IN (2, 3) AND CONCAT(a, 'x') LIKE '%x'"

    def __init__(self, server):
        self.server = server
        began = self.used()
        for _ in range(3):
            assert server.query(self.UNIT) == ((200_000,),)
        self.unit = max((self.used() - began) / 3, 0.02)

    def used(self):
        """Processor seconds the server has used."""
        return cpu_seconds(self.server.process.pid)

    def of(self, what):
        """What `what()` returns, and how many units it took."""
        began = self.used()
        value = what()
        return value, (self.used() - began) / self.unit
