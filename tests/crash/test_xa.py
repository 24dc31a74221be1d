"""XA: what was prepared outlives the process, killed or stopped, with its rows and its tables locked; what was not prepared is rolled back."""
import random

import pymysql
import pytest

from lib.servers import Server


@pytest.fixture
def server():
    s = Server()
    s.start()
    s.query("create database d")
    s.query("create table d.t (id int primary key, v int, key (v))")
    s.query("insert into d.t values " + ",".join(f"({i}, {i})" for i in range(100)))
    yield s
    s.remove()


def session(s):
    c = s.connect(database="d")
    cur = c.cursor()
    cur.execute("set innodb_lock_wait_timeout = 1, lock_wait_timeout = 1")
    return c, cur


def branch(s, xid, *changes, until="prepare"):
    """A branch in a session of its own, as far as `until`; the session (kept alive by who wants it)."""
    c, cur = session(s)
    cur.execute(f"xa start {xid}")
    for sql in changes:
        cur.execute(sql)
    if until in ("end", "prepare"):
        cur.execute(f"xa end {xid}")
    if until == "prepare":
        cur.execute(f"xa prepare {xid}")
    return c


def restart(s, how):
    getattr(s, how)()
    s.start()


def refused(cur, sql):
    with pytest.raises(pymysql.err.OperationalError) as e:
        cur.execute(sql)
    return e.value.args[0]


@pytest.mark.parametrize("how", ["kill", "stop"])
def test_prepared_branches_outlive_the_server(server, how):
    branch(server, "'commits', 'b', 7", "update t set v = 1000 where id = 1", "insert into t values (200, 200)", "delete from t where id = 2")
    branch(server, "x'00ff', x'80'", "update t set v = -1 where id between 10 and 20")
    branch(server, "'reads'", "select * from t where id = 50")
    kept = [branch(server, f"'{until}'", f"update t set v = 5 where id = {id}", until=until) for id, until in ((60, "active"), (61, "end"))]
    for round in range(2):
        restart(server, how)
        c, cur = session(server)
        cur.execute("xa recover convert xid")
        assert cur.fetchall() == ((1, 2, 1, "0x00FF80"), (7, 7, 1, "0x" + b"commitsb".hex().upper())), round
        # rows and tables are locked
        for id in (2, 200):
            assert refused(cur, f"insert into t values ({id}, 0) on duplicate key update v = 0") == 1205
        assert refused(cur, "alter table t add column w int") == 1205
        assert refused(cur, "xa start 'commits', 'b', 7") == 1440
        cur.execute("update t set v = 1 where id in (60, 61)")
        assert cur.rowcount == (2 if round == 0 else 0)
        cur.execute("select count(*), sum(v) from t")
        assert cur.fetchone() == (100, sum(range(100)) - 60 - 61 + 2)
    cur.execute("xa commit 'commits', 'b', 7")
    cur.execute("xa rollback x'00ff', x'80'")
    restart(server, how)
    c, cur = session(server)
    cur.execute("xa recover")
    assert cur.fetchall() == ()
    cur.execute("select id, v from t where id in (1, 2, 15, 200)")
    assert cur.fetchall() == ((1, 1000), (15, 15), (200, 200))
    cur.execute("alter table t add column w int")
    assert server.query("check table d.t")[0][3] == "OK"
    del kept


def test_flush_tables_with_read_lock_waits_for_no_prepared_branch(server):
    branch(server, "'p'", "update t set v = 7 where id = 7")
    c, cur = session(server)
    cur.execute("flush tables with read lock")
    other, cur2 = session(server)
    assert refused(cur2, "xa commit 'p'") == 1205
    cur.execute("unlock tables")
    cur2.execute("xa commit 'p'")


def test_killed_at_any_step(server):
    """Branches of two tables' worth of changes, killed anywhere: each is wholly there, prepared, or wholly gone."""
    r = random.Random(7)
    total = 4950
    for n in range(12):
        c, cur = session(server)
        step = r.choice(["active", "end", "prepare", "commit", "rollback", "one phase"])
        add = r.randrange(1, 50)
        cur.execute(f"xa start 'k{n}'")
        cur.execute(f"update t set v = v + {add} where id < 50")
        if step != "active":
            cur.execute(f"xa end 'k{n}'")
        if step in ("prepare", "commit", "rollback"):
            cur.execute(f"xa prepare 'k{n}'")
        if step in ("commit", "rollback"):
            cur.execute(f"xa {step} 'k{n}'")
        elif step == "one phase":
            cur.execute(f"xa commit 'k{n}' one phase")
        restart(server, "kill")
        c, cur = session(server)
        cur.execute("xa recover")
        assert [row[3] for row in cur.fetchall()] == ([f"k{n}"] if step == "prepare" else []), step
        if step == "prepare":
            ending = r.choice(["commit", "rollback"])
            cur.execute(f"xa {ending} 'k{n}'")
            total += 50 * add * (ending == "commit")
        total += 50 * add * (step in ("commit", "one phase"))
        cur.execute("select sum(v), (select sum(v) from t force index (v) where v > -1) from t")
        assert cur.fetchone() == (total, total), step
    assert server.query("check table d.t")[0][3] == "OK"


def test_needs_a_privilege(server):
    server.query("create user u@localhost")
    with server.connect(user="u") as c, c.cursor() as cur:
        with pytest.raises(pymysql.err.MySQLError) as e:
            cur.execute("xa recover")
        assert e.value.args[0] == 1401
        cur.execute("show warnings")
        assert sorted(row[1] for row in cur.fetchall()) == [1227, 1401]
