"""VIRTUAL columns that rows from before lack: computed for many sessions at once, without any account, over kills, and at a clean end of the server."""
import random
import threading

from lib.servers import Server

ROWS = 3000


def wrong(rows):
    return [r for r in rows if (r[2], r[3]) != (r[1] * 2 + 1, f"<{r[1] * 2 + 1}>")]


def test_many_readers_beside_changes():
    s = Server(options=["--innodb-buffer-pool-size=64M"]).start()
    try:
        with s.connect(autocommit=True) as c, c.cursor() as cur:
            cur.execute("create database d")
            cur.execute("use d")
            cur.execute("create table t (id int primary key, a int)")
            cur.execute("set cte_max_recursion_depth = 10000")
            cur.execute(f"insert into t with recursive n as (select 1 i union all select i + 1 from n where i < {ROWS}) select i, i from n")
            cur.execute("alter table t add column v int as (a * 2 + 1) virtual, add column w varchar(20) as (concat('<', v, '>')) virtual, algorithm=instant")
            # the server computes them for itself, as nobody
            cur.execute("create user admin")
            cur.execute("grant all on *.* to admin with grant option")
            cur.execute("grant system_user on *.* to admin")
        with s.connect(user="admin", autocommit=True) as c, c.cursor() as cur:
            cur.execute("drop user root@localhost")
            cur.execute("set global sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES'")
        stop, errors, reads = threading.Event(), [], []

        def work(number):
            r = random.Random(number)
            try:
                with s.connect(user="admin", autocommit=True, database="d") as c, c.cursor() as cur:
                    while not stop.is_set():
                        if number % 3 == 0:
                            cur.execute("update t set a = a + %s where id between %s and %s", (r.randrange(9), n := r.randrange(ROWS), n + r.randrange(4)))
                        else:
                            cur.execute("select id, a, v, w from t where id >= %s limit 200", (r.randrange(ROWS),))
                            found = cur.fetchall()
                            reads.append(len(found))
                            if wrong(found):
                                errors.append(wrong(found)[:3])
            except Exception as e:  # noqa: BLE001
                errors.append(e)
        threads = [threading.Thread(target=work, args=(i,)) for i in range(24)]
        for t in threads:
            t.start()
        stop.wait(4)
        stop.set()
        for t in threads:
            t.join()
        assert not errors, errors[:3]
        assert len(reads) > 50
        with s.connect(user="admin") as c, c.cursor() as cur:
            cur.execute("create user root@localhost")
            cur.execute("grant all on *.* to root@localhost")
        s.kill()
        s.start()
        with s.connect(database="d") as c, c.cursor() as cur:
            cur.execute("select id, a, v, w from t")
            rows = cur.fetchall()
            assert len(rows) == ROWS and not wrong(rows)
            cur.execute("check table t")
            assert cur.fetchall()[0][3] == "OK"
        assert s.stop() in (0, None)
    finally:
        s.remove()


def test_settings_of_sessions():
    """Rows from before follow the global time zone; a session with another one computes its own for all rows there are."""
    s = Server(options=["--default-time-zone=+00:00"]).start()
    try:
        with s.connect() as c, c.cursor() as cur:
            def column(name):
                cur.execute(f"select {name} from d.t order by id")
                return [r[0] for r in cur.fetchall()]
            cur.execute("create database d")
            cur.execute("create table d.t (id int primary key, ts timestamp)")
            cur.execute("insert into d.t values (1, '2020-01-01 12:00:00')")
            cur.execute("alter table d.t add column h int as (hour(ts)) virtual, algorithm=instant")
            assert column("h") == [12]
            cur.execute("set global time_zone = '+05:00'")
            assert column("h") == [17]
            cur.execute("insert into d.t (id, ts) values (2, '2020-01-01 12:00:00')")
            assert column("h") == [17, 12]
            # this session's zone is not the global one: the rows are written
            cur.execute("set time_zone = '+02:00'")
            cur.execute("alter table d.t add column two int as (hour(ts)) virtual")
            assert column("two") == [14, 14]
            cur.execute("set global time_zone = '+09:00'")
            assert column("two") == [14, 14]
            # nothing that depends on it
            cur.execute("alter table d.t add column n int as (id * 2) virtual, algorithm=instant")
            assert column("n") == [2, 4]
    finally:
        s.remove()
