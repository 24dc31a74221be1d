"""Clients that change a table through vtgate while Vitess moves it, and the model that its rows must equal afterwards.

The table has columns of every kind that travels as a row event. Each client owns its ids (id % clients), writes one of
them, and keeps the row as it read it after the write. If a write fails while traffic is switched, the client reads the
row before it goes on: either is right, but what it saw then must stay.
"""
import random
import threading
import time

import pymysql

from cluster import Failed

COLUMNS = {
    "id": "BIGINT NOT NULL PRIMARY KEY", "i8": "TINYINT", "u8": "TINYINT UNSIGNED", "i24": "MEDIUMINT", "u64": "BIGINT UNSIGNED", "d": "DECIMAL(30,10)",
    "f": "FLOAT", "g": "DOUBLE", "b": "BIT(9)", "t": "VARCHAR(300)", "latin": "VARCHAR(40) CHARACTER SET latin1", "bytes": "VARBINARY(90)",
    "fixed": "BINARY(5)", "txt": "TEXT", "blb": "BLOB", "j": "JSON", "e": "ENUM('a','b','日')", "s": "SET('x','y','z')", "dt": "DATETIME(6)",
    "ts": "TIMESTAMP(3) NULL", "tm": "TIME(2)", "day": "DATE", "y": "YEAR", "n": "INT NOT NULL DEFAULT 0",
}
WORDS = ["", "a", "Grüße", "日本語", "😀", "it''s", "x\\\\y", "line\\nend", " end "]


def create(name="customer"):
    return f"CREATE TABLE {name} (" + ", ".join(f"`{c}` {t}" for c, t in COLUMNS.items()) + ", KEY(n), KEY(t(20)))"


def names():
    return ", ".join(f"`{c}`" for c in COLUMNS)


def value(rng, column):
    """A literal for the column, NULL now and then."""
    if column == "n":
        return str(rng.randrange(1000))
    if rng.random() < 0.1:
        return "NULL"
    text = rng.choice(WORDS) * rng.randrange(1, 4)
    return {
        "i8": lambda: str(rng.randrange(-128, 128)), "u8": lambda: str(rng.randrange(256)), "i24": lambda: str(rng.randrange(-8388608, 8388608)),
        "u64": lambda: str(rng.randrange(2**64)), "d": lambda: f"{rng.randrange(-10**18, 10**18)}.{rng.randrange(10**10):010d}",
        "f": lambda: f"{rng.uniform(-1e6, 1e6):.4g}", "g": lambda: repr(rng.uniform(-1e200, 1e200)), "b": lambda: f"b'{rng.randrange(512):b}'",
        "t": lambda: f"'{text}'", "latin": lambda: f"'{rng.choice(['', 'é', 'plain', 'ÿß'])}'",
        "bytes": lambda: f"x'{rng.randbytes(rng.randrange(20)).hex()}'", "fixed": lambda: f"x'{rng.randbytes(rng.randrange(6)).hex()}'",
        "txt": lambda: f"'{text * rng.choice([1, 1, 300])}'", "blb": lambda: f"x'{rng.randbytes(rng.choice([0, 3, 700])).hex()}'",
        "j": lambda: "'" + rng.choice(['{}', '[]', 'null', '1.5', '"é"', '{"a": [1, -2, 3e10, true, null], "b": {"c": "d"}}',
                                       '[18446744073709551615, "😀"]', '{"long": "' + "x" * 300 + '"}']) + "'",
        "e": lambda: rng.choice(["'a'", "'b'", "'日'"]), "s": lambda: rng.choice(["''", "'x'", "'x,z'", "'x,y,z'"]),
        "dt": lambda: f"'{rng.randrange(1000, 9999)}-0{rng.randrange(1, 9)}-1{rng.randrange(9)} 0{rng.randrange(9)}:11:12.{rng.randrange(10**6):06d}'",
        "ts": lambda: f"'{rng.randrange(1971, 2037)}-06-1{rng.randrange(9)} 12:13:14.{rng.randrange(1000):03d}'",
        "tm": lambda: f"'{rng.choice(['', '-'])}{rng.randrange(838)}:11:12.{rng.randrange(100):02d}'", "day": lambda: f"'{rng.randrange(1000, 9999)}-02-2{rng.randrange(8)}'",
        "y": lambda: str(rng.randrange(1901, 2155)),
    }[column]()


def row(rng, key):
    return f"({key}, " + ", ".join(value(rng, c) for c in COLUMNS if c != "id") + ")"


def fill(cluster, keyspace, table, ids, seed=1):
    """Rows to begin with."""
    rng = random.Random(seed)
    ids = list(ids)
    with cluster.connect(keyspace) as c, c.cursor() as cur:
        for at in range(0, len(ids), 100):
            cur.execute(f"INSERT INTO {table} ({names()}) VALUES " + ", ".join(row(rng, i) for i in ids[at:at + 100]))


class Load:
    """`with Load(...) as load:` changes rows meanwhile; afterwards `load.model` holds id -> row of all ids below `ids`."""

    def __init__(self, cluster, keyspace, table="customer", ids=1000, clients=4, seed=7, columns="*"):
        self.cluster, self.keyspace, self.table, self.ids, self.clients, self.seed = cluster, keyspace, table, ids, clients, seed
        self.columns = columns
        self.model, self.writes, self.failures, self.broken, self.longest = {}, 0, {}, [], 0.0
        self.ending = threading.Event()

    def __enter__(self):
        for r in self.cluster.query(f"SELECT {self.columns} FROM {self.table} LIMIT 100000", self.keyspace):
            self.model[r[0]] = r
        self.threads = [threading.Thread(target=self.client, args=(n,)) for n in range(self.clients)]
        for t in self.threads:
            t.start()
        return self

    def __exit__(self, *_):
        self.ending.set()
        for t in self.threads:
            t.join()

    def check(self):
        """All clients must have worked until the end."""
        if self.broken:
            raise Failed("; ".join(self.broken))

    def client(self, number):
        rng, connection = random.Random(self.seed * 1000 + number), None
        try:
            while not self.ending.is_set():
                key = rng.randrange(self.ids // self.clients) * self.clients + number
                kind = rng.random()
                if key not in self.model:
                    sql = f"INSERT INTO {self.table} ({names()}) VALUES {row(rng, key)}"
                elif kind < 0.2:
                    sql = f"DELETE FROM {self.table} WHERE id = {key}"
                else:
                    chosen = rng.sample([c for c in COLUMNS if c != "id"], rng.randrange(1, 6))
                    sql = f"UPDATE {self.table} SET {', '.join(f'`{c}` = {value(rng, c)}' for c in chosen)} WHERE id = {key}"
                connection = self.write(connection, sql, key)
                time.sleep(0.002)
        except Exception as error:  # a client that ends is a failure of the run
            self.broken.append(f"client {number}: {error!r}")
        finally:
            if connection:
                connection.close()

    def write(self, connection, sql, key):
        """One write, then what the row is now."""
        begun, wrote = time.time(), False
        while True:
            try:
                connection = connection or self.cluster.connect(self.keyspace, read_timeout=90)
                with connection.cursor() as cur:
                    if not wrote:
                        try:
                            cur.execute(sql)
                            self.writes += 1
                        except (pymysql.err.OperationalError, pymysql.err.InternalError, pymysql.err.ProgrammingError) as error:
                            if error.args[0] in (2006, 2013, 0):
                                connection.close()
                                connection = None
                            self.note(error)
                        wrote = True
                        continue
                    cur.execute(f"SELECT {self.columns} FROM {self.table} WHERE id = {key}")
                    rows = cur.fetchall()
                    break
            except (pymysql.err.Error, OSError) as error:
                self.note(error)
                if connection:
                    connection.close()
                connection = None
                if time.time() - begun > 120:
                    raise
                time.sleep(0.2)
        if rows:
            self.model[key] = rows[0]
        else:
            self.model.pop(key, None)
        self.longest = max(self.longest, time.time() - begun)
        return connection

    def note(self, error):
        text = str(error.args[1] if len(error.args) > 1 else error)[:160]
        self.failures[text] = self.failures.get(text, 0) + 1
