"""Clients that change rows of one table all the time and remember what must be in it: for tools that copy a table while it is in use.

`Writers(server, database, rows, clients)` starts them on `t (id INT PRIMARY KEY, n INT, s VARCHAR(40))`, each with the ids of its own remainder; as a context manager
it ends them and raises what one of them met. `rows()` fills such a table and says what it holds."""
import random
import threading

import pymysql

# what a client meets when the tool has the lock that it needs: a deadlock, a wait that took too long
LOCKED = (1213, 1205)


def rows(cursor, count):
    """Fills the table with `count` rows."""
    cursor.executemany("INSERT INTO t (id, n, s) VALUES (%s, %s, %s)", [(i, i * 10, f"row {i}") for i in range(1, count + 1)])


class Writer(threading.Thread):
    def __init__(self, server, database, n, clients, count, moves, met, stop):
        super().__init__(daemon=True)
        self.server, self.database, self.stop, self.r = server, database, stop, random.Random(n)
        self.clients, self.moves, self.met, self.done, self.again, self.error = clients, moves, met, 0, 0, None
        self.top = clients * count + n
        self.rows = {i: (i * 10, f"row {i}") for i in range(1, count + 1) if i % clients == n}

    def run(self):
        try:
            with self.server.connect(database=self.database) as c, c.cursor() as cur:
                while not self.stop.is_set():
                    try:
                        self.change(cur)
                        self.done += 1
                    except pymysql.err.MySQLError as e:
                        if e.args[0] not in self.met:
                            raise
                        self.again += 1
        except Exception as e:  # noqa: BLE001
            self.error = e

    def change(self, cur):
        self.top += self.clients
        new, x = self.top, self.r.random()
        i = self.r.choice(list(self.rows)) if self.rows else None
        if i is None or x < 0.3:
            cur.execute("INSERT INTO t (id, n, s) VALUES (%s, %s, 'new')", (new, new))
            self.rows[new] = (new, "new")
        elif x < 0.5:
            cur.execute("DELETE FROM t WHERE id = %s", (i,))
            del self.rows[i]
        elif x < 0.6 and self.moves:
            cur.execute("UPDATE t SET id = %s WHERE id = %s", (new, i))
            self.rows[new] = self.rows.pop(i)
        elif x < 0.7:
            cur.execute("REPLACE INTO t (id, n, s) VALUES (%s, %s, 'again')", (i, new))
            self.rows[i] = (new, "again")
        else:
            cur.execute("UPDATE t SET n = n + 1, s = %s WHERE id = %s", (f"changed {new}", i))
            self.rows[i] = (self.rows[i][0] + 1, f"changed {new}")


class Writers:
    """The clients. `moves`: they change primary keys, too; `met`: the errors after which they go on with something else."""

    def __init__(self, server, database, count, clients=3, moves=True, met=LOCKED):
        self.stop = threading.Event()
        self.all = [Writer(server, database, n, clients, count, moves, met, self.stop) for n in range(clients)]

    def __enter__(self):
        for w in self.all:
            w.start()
        return self

    def end(self):
        self.stop.set()
        for w in self.all:
            w.join()

    def __exit__(self, kind, *_):
        self.end()
        errors = [w.error for w in self.all if w.error]
        if errors and kind is None:
            raise errors[0]

    @property
    def done(self):
        """How many changes each has made."""
        return [w.done for w in self.all]

    @property
    def failed(self):
        return any(w.error for w in self.all)

    @property
    def again(self):
        return sum(w.again for w in self.all)

    @property
    def expected(self):
        """Each row that must be there: id, (n, s)."""
        return {i: row for w in self.all for i, row in w.rows.items()}
