"""ALTER TABLE and CREATE INDEX while others read and write: nothing is lost, nothing stalls, indexes agree, whatever ends the statement."""
import random
import threading
import time

import pymysql
import pytest

from lib.meanwhile import writing
from lib.servers import Server
from lib.wait import PATIENCE, waits

ROWS = 20_000
WRITERS = 4

CHANGES = [
    "create index kv on t (v)",
    "alter table t add unique index ku (u)",
    "alter table t engine=innodb",
    "alter table t modify n int not null",
    "drop index kv on t",
    "alter table t add column extra int not null default 7, algorithm=inplace",
    "alter table t drop index ku, add index kn (n, v)",
    "alter table t drop column extra, algorithm=inplace",
    "alter table t modify n int null, drop index kn",
]


class Writer(threading.Thread):
    """Changes rows with ids of its own (id % WRITERS == number) and remembers what must be there."""

    def __init__(self, server, number, model):
        super().__init__()
        self.server, self.number, self.model = server, number, model
        self.r = random.Random(number)
        self.ended = threading.Event()
        self.longest = 0.0
        self.commits = 0
        self.error = None

    def run(self):
        try:
            c = self.server.connect(autocommit=False, database="d")
            with c.cursor() as cur:
                while not self.ended.is_set():
                    before = time.monotonic()
                    self.transaction(c, cur)
                    self.longest = max(self.longest, time.monotonic() - before)
        except Exception as e:  # noqa: BLE001
            self.error = e

    def transaction(self, c, cur):
        """A transaction that loses a deadlock changes nothing: DELETE of rows that are not there locks gaps into which others insert, in MySQL too."""
        new = dict(self.model)
        try:
            self.change(cur, new)
        except pymysql.err.OperationalError as e:
            if e.args[0] != 1213:
                raise
            return
        if self.r.random() < 0.3:
            c.rollback()
        else:
            c.commit()
            self.model = new
            self.commits += 1

    def change(self, cur, new):
        for _ in range(self.r.choice([1, 2, 5])):
            i = self.r.randrange(ROWS // WRITERS * 2) * WRITERS + self.number
            pick = self.r.random()
            if pick < 0.3:
                cur.execute("delete from t where id = %s", (i,))
                new.pop(i, None)
            elif pick < 0.6 or i not in new:
                row = (self.r.randrange(1000), f"{self.number}-{self.r.random():.15f}", self.r.choice("abc") * self.r.randrange(40))
                cur.execute("replace into t (id, n, u, v) values (%s, %s, %s, %s)", (i, *row))
                new[i] = row
            else:
                n, u, v = new[i]
                new[i] = (n + 1, u, v + "x" if len(v) < 60 else "")
                cur.execute("update t set n = n + 1, v = %s where id = %s", (new[i][2], i))


@pytest.fixture
def server():
    s = Server(options=["--innodb-buffer-pool-size=64M", "--lock-wait-timeout=120"]).start()
    yield s
    s.remove()


def fill(s):
    s.query("create database d")
    s.query("create table t (id int primary key, n int, u varchar(40), v varchar(100))", db="d")
    models = [{} for _ in range(WRITERS)]
    for start in range(0, ROWS, 1000):
        rows = [(i, i % 97, f"{i % WRITERS}-start{i}", "v" * (i % 50)) for i in range(start, start + 1000)]
        s.query("insert into t values " + ",".join(f"({i},{n},'{u}','{v}')" for i, n, u, v in rows), db="d")
        for i, n, u, v in rows:
            models[i % WRITERS][i] = (n, u, v)
    return models


def verify(s, models):
    assert s.query("check table t", db="d")[0][3] == "OK"
    want = {i: row for m in models for i, row in m.items()}
    got = {i: (n, u, v) for i, n, u, v in s.query("select id, n, u, v from t", db="d")}
    assert got == want
    for index, column in s.query("select index_name, column_name from information_schema.statistics where table_schema = 'd'"
                                 " and index_name <> 'PRIMARY' and seq_in_index = 1"):
        through = s.query(f"select id, {column} from t force index ({index}) where {column} >= '' or {column} < ''", db="d")
        at = {"n": 0, "u": 1, "v": 2}[column]
        assert dict(through) == {i: row[at] for i, row in want.items()}


def test_writers_beside_every_change(server):
    models = fill(server)
    writers = [Writer(server, k, m) for k, m in enumerate(models)]
    for w in writers:
        w.start()
    ddl = server.connect(database="d")
    for change in CHANGES:
        before = sum(w.commits for w in writers)
        with ddl.cursor() as cur:
            cur.execute(change)
        assert sum(w.commits for w in writers) > before, f"nobody could write during {change}"
    for w in writers:
        w.ended.set()
    for w in writers:
        w.join()
        assert w.error is None, w.error
        assert w.longest < PATIENCE, w.longest
    verify(server, [w.model for w in writers])


def test_duplicate_that_comes_meanwhile(server):
    models = fill(server)
    # all with the same value in the column that shall become unique
    with writing(server, lambda i: f"insert into t values ({10 * ROWS + i}, 0, 'same', '')"):
        with server.connect(database="d") as c, c.cursor() as cur, pytest.raises(pymysql.err.IntegrityError) as e:
            cur.execute("alter table t add unique index ku (u)")
        assert e.value.args[0] == 1062 and "'same' for key 't.ku'" in e.value.args[1]
    server.query("delete from t where u = 'same'", db="d")
    verify(server, models)


def test_killed_and_waiting_for_the_lock(server):
    models = fill(server)
    reader = server.connect(autocommit=False, database="d")
    ddl = server.connect(database="d")
    with reader.cursor() as cur:
        cur.execute("select count(*) from t")
        cur.fetchall()
    # a transaction that has read the table keeps the statement from beginning; others may write until it asks
    outcome = []

    def alter():
        with ddl.cursor() as cur:
            try:
                cur.execute("create index kv on t (v)")
            except pymysql.err.MySQLError as e:
                outcome.append(e.args[0])
    t = threading.Thread(target=alter)
    t.start()
    assert waits(server, ddl, unless=lambda: outcome or not t.is_alive())
    server.query(f"kill query {ddl.thread_id()}")
    t.join(PATIENCE)
    assert outcome == [1317]
    reader.commit()
    server.query("set global lock_wait_timeout = 1")
    with reader.cursor() as cur:
        cur.execute("select count(*) from t")
        cur.fetchall()
    with server.connect(database="d") as c, c.cursor() as cur, pytest.raises(pymysql.err.OperationalError) as e:
        cur.execute("create index kv on t (v)")
    assert e.value.args[0] == 1205
    reader.commit()
    server.query("create index kv on t (v)", db="d")
    verify(server, models)


def test_too_many_changes(server):
    fill(server)
    server.query("set global innodb_online_alter_log_max_size = 65536")
    writer_stop = threading.Event()

    def update():
        with server.connect(database="d") as c, c.cursor() as cur:
            while not writer_stop.is_set():
                cur.execute("update t set n = n + 1")
    t = threading.Thread(target=update)
    t.start()
    codes = set()
    try:
        for _ in range(10):
            try:
                server.query("alter table t engine=innodb", db="d")
            except pymysql.err.MySQLError as e:
                codes.add(e.args[0])
    finally:
        writer_stop.set()
        t.join()
    assert codes <= {1799}, codes
    assert server.query("check table t", db="d")[0][3] == "OK"


@pytest.mark.parametrize("seed", range(3))
def test_killed_server(server, seed):
    models = fill(server)
    # what was in flight when the server went may be there or not: compare up to that
    writers = [Writer(server, k, m) for k, m in enumerate(models)]
    for w in writers:
        w.start()
    ddl = server.connect(database="d")
    killer = threading.Timer(0.2 + 0.3 * seed, server.kill)
    killer.start()
    try:
        with ddl.cursor() as cur:
            for change in CHANGES * 3:
                cur.execute(change)
    except pymysql.err.MySQLError:
        pass
    killer.join()
    for w in writers:
        w.join()
    server.start()
    assert server.query("check table t", db="d")[0][3] == "OK"
    got = {i: (n, u, v) for i, n, u, v in server.query("select id, n, u, v from t", db="d")}
    for w in writers:
        mine = {i: row for i, row in got.items() if i % WRITERS == w.number}
        differing = {i for i in mine.keys() | w.model.keys() if mine.get(i) != w.model.get(i)}
        assert len(differing) <= 5, f"more than one transaction of writer {w.number} differs: {sorted(differing)[:20]}"
