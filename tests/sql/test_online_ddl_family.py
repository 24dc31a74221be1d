"""ALTER TABLE beside writers where rows have no primary key, get another one, or have relatives: nothing is lost, no row is orphaned."""
import collections
import random
import threading
import time

import pymysql
import pytest

from lib.meanwhile import writing
from lib.servers import Server
from lib.wait import PATIENCE, waits

ROWS = 6_000
WRITERS = 4

# The table has no primary key: rows are known by their hidden row id.
BARE = [
    "create index kv on t (v)",
    "alter table t engine=innodb",
    "alter table t modify n int not null, algorithm=inplace, lock=none",
    "alter table t drop index kv",
    "alter table t add column extra int not null default 7, algorithm=inplace, lock=none",
    "alter table t drop column extra, add index kn (n, v)",
    "alter table t modify n int null, drop index kn",
]

# It gets one, another one, and loses it again (which copies, and lets others only read).
KEYED = [
    "alter table t add primary key (id), algorithm=inplace, lock=none",
    "alter table t drop primary key, add primary key (u), algorithm=inplace, lock=none",
    "alter table t engine=innodb, lock=none",
    "alter table t drop primary key, add primary key (u desc, id), add unique index ki (id, n), lock=none",
    "alter table t drop primary key, drop index ki, add primary key (id)",
]

# Parent, child and grandchild, each changed while the others are.
FAMILY = [
    "alter table p engine=innodb, lock=none",
    "alter table c engine=innodb, lock=none",
    "alter table g add column extra int not null default 7, algorithm=inplace, lock=none",
    "alter table p add index kn (n), lock=none",
    "alter table c add unique index kv (v, id), lock=none",
    "alter table p modify n int not null, algorithm=inplace",
    "alter table g drop column extra, algorithm=inplace, lock=none",
    "alter table g engine=innodb",
    "alter table c drop index kv, modify v varchar(80) not null default '', algorithm=copy",
    "alter table p drop index kn, modify n int null",
]


class Writer(threading.Thread):
    """Changes rows of its own (id % WRITERS == number) and remembers what must be there. A deadlock is a rollback."""

    def __init__(self, server, number):
        super().__init__()
        self.server, self.number = server, number
        self.r = random.Random(number)
        self.ended = threading.Event()
        self.longest = 0.0
        self.commits = 0
        self.error = None

    def run(self):
        try:
            # closed at an error too: its locks would keep the DDL, and the test would seem to hang
            with self.server.connect(autocommit=False, database="d") as c, c.cursor() as cur:
                # no gap locks: writers meet in them where an index is not unique
                cur.execute("set session transaction isolation level read committed")
                while not self.ended.is_set():
                    before = time.monotonic()
                    self.transaction(c, cur)
                    self.longest = max(self.longest, time.monotonic() - before)
        except Exception as e:  # noqa: BLE001
            self.error = e

    def transaction(self, c, cur):
        new = self.copied()
        try:
            for _ in range(self.r.choice([1, 2, 5])):
                self.change(cur, new)
        except pymysql.err.OperationalError as e:
            if e.args[0] != 1213:
                raise
            c.rollback()
            return
        if self.r.random() < 0.3:
            c.rollback()
        else:
            c.commit()
            self.model = new
            self.commits += 1


class RowWriter(Writer):
    """Rows of a table without primary key; `copies`: how many equal rows there may be."""

    def __init__(self, server, number, copies):
        super().__init__(server, number)
        self.copies = copies
        self.model = {}

    def copied(self):
        return dict(self.model)

    def row(self):
        return (self.r.randrange(1000), f"{self.number}-{self.r.random():.12f}", self.r.choice("abc") * self.r.randrange(40))

    def change(self, cur, new):
        i = self.r.randrange(ROWS // WRITERS * 2) * WRITERS + self.number
        pick = self.r.random()
        if i not in new:
            row, n = self.row(), self.r.randint(1, self.copies)
            for _ in range(n):
                cur.execute("insert into t (id, n, u, v) values (%s, %s, %s, %s)", (i, *row))
            new[i] = (row, n)
        elif pick < 0.3:
            cur.execute("delete from t where id = %s", (i,))
            del new[i]
        elif pick < 0.5 and self.copies > 1:
            cur.execute("delete from t where id = %s limit 1", (i,))
            row, n = new.pop(i)
            if n > 1:
                new[i] = (row, n - 1)
        else:
            (n, u, v), copies = new[i]
            row = (n + 1, self.row()[1] if pick < 0.8 else u, v + "x" if len(v) < 60 else "")
            cur.execute("update t set n = %s, u = %s, v = %s where id = %s", (*row, i))
            new[i] = (row, copies)

    def rows(self):
        return collections.Counter({(i, *row): n for i, (row, n) in self.model.items()})


class FamilyWriter(Writer):
    """Parents with children and their children: {id: (n, {child: (v, {grandchildren})})}, and grandchildren whose parent is gone."""

    def __init__(self, server, number):
        super().__init__(server, number)
        self.model = ({}, set())
        self.next = 0

    def copied(self):
        parents, orphans = self.model
        return ({i: (n, {c: (v, set(g)) for c, (v, g) in kids.items()}) for i, (n, kids) in parents.items()}, set(orphans))

    def fresh(self):
        self.next += 1
        return self.next * WRITERS + self.number

    def change(self, cur, new):
        parents, orphans = new
        pick = self.r.random()
        if len(parents) < 400 or pick < 0.2:
            i, n = self.fresh(), self.r.randrange(100)
            cur.execute("insert into p (id, n) values (%s, %s)", (i, n))
            kids = {}
            for _ in range(self.r.randrange(4)):
                c, v = self.fresh(), self.r.choice("abc") * self.r.randrange(20)
                cur.execute("insert into c (id, pid, v) values (%s, %s, %s)", (c, i, v))
                grand = {self.fresh() for _ in range(self.r.randrange(3))}
                for g in grand:
                    cur.execute("insert into g (id, cid) values (%s, %s)", (g, c))
                kids[c] = (v, grand)
            parents[i] = (n, kids)
            return
        i = self.r.choice(list(parents))
        n, kids = parents[i]
        if pick < 0.5:
            cur.execute("delete from p where id = %s", (i,))
            del parents[i]
            orphans |= {g for _, grand in kids.values() for g in grand}
        elif pick < 0.75:
            to = self.fresh()
            cur.execute("update p set id = %s, n = n + 1 where id = %s", (to, i))
            del parents[i]
            parents[to] = (n + 1, kids)
        elif kids:
            c = self.r.choice(list(kids))
            v, grand = kids.pop(c)
            if pick < 0.85:
                cur.execute("delete from c where id = %s", (c,))
                orphans |= grand
            else:
                to = self.fresh()
                cur.execute("update c set id = %s, v = concat(v, 'x') where id = %s", (to, c))
                kids[to] = (v + "x", grand)

    def tables(self):
        parents, orphans = self.model
        p = {i: n for i, (n, _) in parents.items()}
        c = {c: (i, v) for i, (_, kids) in parents.items() for c, (v, _) in kids.items()}
        g = {x: c for _, kids in parents.values() for c, (_, grand) in kids.items() for x in grand}
        return p, c, g | {x: None for x in orphans}


@pytest.fixture
def server():
    s = Server(options=["--innodb-buffer-pool-size=64M", "--lock-wait-timeout=120"]).start()
    s.query("create database d")
    yield s
    s.remove()


def bare(s, copies):
    s.query("create table t (id int not null, n int, u varchar(40) not null, v varchar(100), key ki0 (id))", db="d")
    writers = [RowWriter(s, k, copies) for k in range(WRITERS)]
    for start in range(0, ROWS, 1000):
        rows = [(i, i % 97, f"{i % WRITERS}-start{i}", "v" * (i % 50)) for i in range(start, start + 1000)]
        s.query("insert into t values " + ",".join(f"({i},{n},'{u}','{v}')" for i, n, u, v in rows), db="d")
        for i, *row in rows:
            writers[i % WRITERS].model[i] = (tuple(row), 1)
    return writers


def family(s):
    for sql in [
        "create table p (id int primary key, n int)",
        "create table c (id int primary key, pid int not null, v varchar(80), foreign key (pid) references p (id)"
        " on delete cascade on update cascade)",
        # neither has the grandchild a primary key
        "create table g (id int not null, cid int, key (id), foreign key (cid) references c (id) on delete set null on update cascade)",
    ]:
        s.query(sql, db="d")
    # rows that stay as they are: the changes take their time
    for start in range(1, ROWS, 1000):
        ids = range(start, start + 1000)
        s.query("insert into p values " + ",".join(f"(-{i},{i})" for i in ids), db="d")
        s.query("insert into c values " + ",".join(f"(-{i},-{i},'v')" for i in ids), db="d")
        s.query("insert into g values " + ",".join(f"(-{i},-{i})" for i in ids), db="d")
    return [FamilyWriter(s, k) for k in range(WRITERS)]


def run(s, writers, changes, ddl=None):
    """All changes beside the writers, each of which must get something done meanwhile."""
    ddl = ddl or s.connect(database="d")
    for w in writers:
        w.start()
    began = time.monotonic()
    while sum(w.commits for w in writers) < 600 and not any(w.error for w in writers):
        time.sleep(0.05)
    # a change that is done before a commit is due proves nothing, and once somebody else may have had the processor
    due, idle = (time.monotonic() - began) / 600, []
    try:
        for change in changes:
            before, began = sum(w.commits for w in writers), time.monotonic()
            with ddl.cursor() as cur:
                cur.execute(change)
            if "lock=none" in change and sum(w.commits for w in writers) == before and time.monotonic() - began > 20 * due:
                idle.append(change)
        assert len(idle) < 2, f"nobody could write during {idle}"
    finally:
        for w in writers:
            w.ended.set()
        for w in writers:
            w.join()
    for w in writers:
        assert w.error is None, w.error
        assert w.longest < PATIENCE, w.longest


def stored(s):
    return collections.Counter(s.query("select id, n, u, v from t", db="d"))


def check_rows(s, writers):
    assert s.query("check table t", db="d")[0][3] == "OK"
    want = sum((w.rows() for w in writers), collections.Counter())
    assert stored(s) == want
    for index, column in s.query("select index_name, column_name from information_schema.statistics where table_schema = 'd'"
                                 " and seq_in_index = 1"):
        through = s.query(f"select id, n, u, v from t force index ({index}) where {column} >= '' or {column} < '' or {column} is null", db="d")
        assert collections.Counter(through) == want, index


def check_family(s, writers):
    for t in "pcg":
        assert s.query(f"check table {t}", db="d")[0][3] == "OK"
    want = [w.tables() for w in writers]
    stay = {-i: i for i in range(1, ROWS + 1)}
    assert dict(s.query("select id, n from p where id < 0", db="d")) == stay
    assert s.query("select count(*) from g join c on c.id = g.cid join p on p.id = c.pid where g.id < 0", db="d")[0][0] == len(stay)
    assert dict(s.query("select id, n from p where id > 0", db="d")) == {k: v for p, _, _ in want for k, v in p.items()}
    assert {i: (p, v) for i, p, v in s.query("select id, pid, v from c where id > 0", db="d")} == {k: v for _, c, _ in want for k, v in c.items()}
    assert collections.Counter(s.query("select id, cid from g where id > 0", db="d")) == collections.Counter((k, v) for *_, g in want for k, v in g.items())
    # the tables still know each other
    for sql, code in [("insert into c values (0, 0, '')", 1452), ("insert into g values (0, 0)", 1452)]:
        with pytest.raises(pymysql.err.IntegrityError) as e:
            s.query(sql, db="d")
        assert e.value.args[0] == code


def test_rows_without_primary_key(server):
    writers = bare(server, 3)
    run(server, writers, BARE)
    check_rows(server, writers)


def test_another_primary_key(server):
    writers = bare(server, 1)
    run(server, writers, KEYED)
    check_rows(server, writers)


def test_relatives(server):
    writers = family(server)
    run(server, writers, FAMILY)
    check_family(server, writers)


def test_primary_key_that_is_not_unique_meanwhile(server):
    writers = bare(server, 1)
    with writing(server, lambda _: "insert into t values (999999, 0, 'same', '')"):
        with server.connect(database="d") as c, c.cursor() as cur, pytest.raises(pymysql.err.IntegrityError) as e:
            cur.execute("alter table t add primary key (u)")
        assert e.value.args[0] == 1062 and "'same' for key 't.PRIMARY'" in e.value.args[1]
    server.query("delete from t where u = 'same'", db="d")
    check_rows(server, writers)


def test_killed_waiting_for_a_relative(server):
    """A transaction that only touched the parent's rows through a child keeps the ALTER of the parent from ending, and it can be killed."""
    server.query("create table p (id int primary key, n int)", db="d")
    server.query("create table c (id int primary key, pid int, foreign key (pid) references p (id))", db="d")
    server.query("insert into p values (1, 1)", db="d")
    child = server.connect(autocommit=False, database="d")
    ddl = server.connect(database="d")
    with child.cursor() as cur:
        cur.execute("insert into c values (1, 1)")
    outcome = []

    def alter():
        with ddl.cursor() as cur:
            try:
                cur.execute("alter table p engine=innodb")
            except pymysql.err.MySQLError as e:
                outcome.append(e.args[0])
    t = threading.Thread(target=alter)
    t.start()
    assert waits(server, ddl, unless=lambda: outcome or not t.is_alive())
    server.query(f"kill query {ddl.thread_id()}")
    t.join(PATIENCE)
    assert outcome == [1317]
    with server.connect(database="d") as c, c.cursor() as cur:
        cur.execute("set lock_wait_timeout = 1")
        with pytest.raises(pymysql.err.OperationalError) as e:
            cur.execute("alter table p engine=innodb")
    assert e.value.args[0] == 1205
    child.commit()
    server.query("alter table p engine=innodb", db="d")
    with pytest.raises(pymysql.err.IntegrityError) as e:
        server.query("delete from p", db="d")
    assert e.value.args[0] == 1451


def test_a_side_without_lock_is_not_opened(server):
    """An INSERT into a parent locks no child, and a DELETE from a child no parent: they do not touch files that DDL may be taking away."""
    server.query("create table p (id int primary key)", db="d")
    folder = server.dir / "data" / "#spaces"
    before = set(folder.iterdir())
    server.query("create table c (id int primary key, pid int, foreign key (pid) references p (id) on delete cascade)", db="d")
    child, = set(folder.iterdir()) - before
    server.query("insert into p values (1), (2)", db="d")
    server.query("insert into c values (1, 1), (2, 2)", db="d")
    server.stop()
    child.rename(server.dir / "child")
    server.start()
    server.query("insert into p values (3)", db="d")
    with pytest.raises(pymysql.err.MySQLError) as e:
        server.query("delete from p where id = 1", db="d")
    assert e.value.args[0] == 1016
    server.stop()
    (server.dir / "child").rename(child)
    parent = max(before, key=lambda f: int(f.stem, 16))
    parent.rename(server.dir / "parent")
    server.start()
    server.query("delete from c where id = 1", db="d")
    with pytest.raises(pymysql.err.MySQLError) as e:
        server.query("insert into c values (1, 1)", db="d")
    assert e.value.args[0] == 1016
    server.stop()
    (server.dir / "parent").rename(parent)
    server.start()
    assert server.query("select * from p order by id", db="d") == ((1,), (2,), (3,))
    assert server.query("select * from c", db="d") == ((2, 2),)


def test_foreign_key_is_checked_beside_readers(server):
    """While the rows of a child are looked up in their parent both can be read, and neither can be written."""
    with server.connect(autocommit=True) as c, c.cursor() as cur:
        cur.execute("create database if not exists d")
        cur.execute("use d")
        cur.execute("create table p (id int primary key)")
        cur.execute("create table c (id int primary key, pid int)")
        cur.execute("set cte_max_recursion_depth = 1000000")
        cur.execute("insert into p with recursive n as (select 1 i union all select i + 1 from n where i < 100000) select i from n")
        cur.execute("insert into c select id, id from p")
    during, ended, reads = threading.Event(), threading.Event(), []

    def read():
        with server.connect(autocommit=True, database="d") as c, c.cursor() as cur:
            while not ended.is_set():
                inside = during.is_set() and number[0]
                try:
                    cur.execute("select (select count(*) from c where id < 10), (select count(*) from p where id < 10)")
                    assert cur.fetchall() == ((9, 9),)
                except pymysql.err.OperationalError as e:
                    # both locks become exclusive at the end, one after the other: who has one and waits for the other is the victim, as in MySQL
                    assert e.args[0] == 1213
                if inside and during.is_set() and number[0] == inside:
                    reads.append(inside)  # it began and ended while one statement was at it
    number, reader = [0], threading.Thread(target=read)
    with server.connect(autocommit=True, database="d") as c, c.cursor() as cur:
        reader.start()
        try:
            for number[0] in range(1, 50):
                during.set()
                cur.execute("alter table c add constraint cp foreign key (pid) references p (id)")
                during.clear()
                cur.execute("alter table c drop foreign key cp")
                if number[0] >= 3 and len(reads) > 10:
                    break
            cur.execute("update c set pid = 0 where id = 77")
            with pytest.raises(pymysql.err.IntegrityError) as e:
                cur.execute("alter table c add constraint cp foreign key (pid) references p (id)")
            assert e.value.args[0] == 1452
        finally:
            ended.set()
            reader.join()
        cur.execute("show create table c")
        assert "FOREIGN KEY" not in cur.fetchone()[1]
    assert len(reads) > 10, "readers wait for the whole of the statement"


def test_ddl_on_relatives_at_once(server):
    """Foreign keys come and go at a parent that is being rebuilt again and again beside writers."""
    writers = family(server)
    server.query("create table e (id int primary key, pid int)", db="d")
    stop, errors = threading.Event(), []

    def others():
        with server.connect(database="d") as c, c.cursor() as cur:
            while not stop.is_set():
                for sql in ["alter table e add constraint ep foreign key (pid) references p (id) on delete cascade",
                            "alter table e engine=innodb", "alter table e drop foreign key ep", "truncate table e"]:
                    try:
                        cur.execute(sql)
                    except pymysql.err.MySQLError as x:
                        if x.args[0] not in (1213, 1205, 1826, 1091):
                            errors.append(x)
    t = threading.Thread(target=others)
    t.start()
    done = 0
    with server.connect(database="d") as c, c.cursor() as cur:
        for w in writers:
            w.start()
        end = time.monotonic() + 6
        while time.monotonic() < end:
            try:
                cur.execute("alter table p engine=innodb")
                done += 1
            except pymysql.err.OperationalError as x:
                assert x.args[0] in (1213, 1205), x
    stop.set()
    t.join()
    for w in writers:
        w.ended.set()
    for w in writers:
        w.join()
        assert w.error is None, w.error
    assert not errors, errors[:3]
    assert done > 2
    check_family(server, writers)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["bare", "keyed", "family"])
def test_killed_server(server, kind, seed):
    writers = family(server) if kind == "family" else bare(server, 3 if kind == "bare" else 1)
    changes = {"bare": BARE, "keyed": KEYED, "family": FAMILY}[kind]
    for w in writers:
        w.start()
    ddl = server.connect(database="d")
    killer = threading.Timer(0.3 + 0.4 * seed, server.kill)
    killer.start()
    try:
        with ddl.cursor() as cur:
            for n in range(3):
                if n and kind == "keyed":
                    cur.execute("alter table t drop primary key")
                for change in changes:
                    cur.execute(change)
    except pymysql.err.MySQLError:
        pass
    killer.join()
    for w in writers:
        w.join()
    server.start()
    # what was in flight when the server went may be there or not: one transaction of each writer
    if kind == "family":
        for t in "pcg":
            assert server.query(f"check table {t}", db="d")[0][3] == "OK"
        for child, column, parent in [("c", "pid", "p"), ("g", "cid", "c")]:
            lost = server.query(f"select count(*) from {child} x left join {parent} y on y.id = x.{column}"
                                f" where x.{column} is not null and y.id is null", db="d")
            assert lost == ((0,),) or lost[0][0] == 0
        got = dict(server.query("select id, n from p where id > 0", db="d"))
        want = [(w, w.tables()[0]) for w in writers]
    else:
        assert server.query("check table t", db="d")[0][3] == "OK"
        got = stored(server)
        want = [(w, w.rows()) for w in writers]
    for w, mine in want:
        there = {k: v for k, v in got.items() if (k if kind == "family" else k[0]) % WRITERS == w.number}
        differing = {k if kind == "family" else k[0] for k in there.keys() | mine.keys() if there.get(k) != mine.get(k)}
        assert len(differing) <= 10, f"more than one transaction of writer {w.number} differs: {sorted(differing)[:20]}"
