"""Temporary tables at the end of a connection, at COM_RESET_CONNECTION, COM_CHANGE_USER and after kill -9: files and names are gone.

CREATE TABLE ... SELECT killed in the middle leaves nothing.
"""
import os
import pathlib
import sys
import threading
import time

import pymysql

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lib.servers import Server  # noqa: E402
from lib.wait import PATIENCE


def files(server):
    return sorted(os.listdir(server.dir / "data" / "#spaces"))


def inserted(server):
    return int(server.query("SHOW GLOBAL STATUS LIKE 'Innodb_rows_inserted'")[0][1])


def wait_for(condition, seconds=PATIENCE):
    end = time.time() + seconds
    while time.time() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def test_gone_at_the_end():
    s = Server().start()
    try:
        admin = s.connect()
        c = admin.cursor()
        c.execute("create database d")
        c.execute("create table d.p (a int primary key)")
        c.execute("insert into d.p values (1),(2)")
        before = files(s)
        one = s.connect(database="d")
        k = one.cursor()
        k.execute("create temporary table p (a int)")
        k.execute("create temporary table q select * from (select 1 as x union all select 2) t")
        assert len(files(s)) == len(before) + 2
        k.execute("drop temporary table q")
        assert len(files(s)) == len(before) + 1
        one._execute_command(0x1F, b"")  # COM_RESET_CONNECTION
        one._read_ok_packet()
        assert files(s) == before
        k.execute("select count(*) from p")
        assert k.fetchone() == (2,)
        k.execute("create temporary table p (a int)")
        one.begin()
        k.execute("insert into p values (5)")
        one.close()
        assert wait_for(lambda: files(s) == before)
        # left behind by a crash, removed by the next start
        two = s.connect(database="d")
        k = two.cursor()
        k.execute("create temporary table p (a int primary key, b int, key (b))")
        k.execute("insert into p values (1,1),(2,2)")
        two.begin()
        k.execute("update p set b=b+1")
        k.execute("insert into p values (3,3)")
        assert len(files(s)) == len(before) + 1
        s.kill()
        s.start()
        assert files(s) == before
        c = s.connect(database="d").cursor()
        c.execute("select count(*) from p")
        assert c.fetchone() == (2,)
    finally:
        s.kill()
        s.remove()


def test_create_select_killed():
    s = Server().start()
    try:
        c = s.connect().cursor()
        c.execute("create database d")
        c.execute("create table d.n (a int primary key)")
        c.execute("insert into d.n values " + ",".join(f"({i})" for i in range(1000)))
        before = files(s)

        def fill():
            try:
                s.connect(database="d").cursor().execute("create table big (primary key (k)) select x.a*1000000+y.a*1000+z.a as k from n x, n y, n z")
            except pymysql.MySQLError:
                pass

        t = threading.Thread(target=fill)
        t.start()
        assert wait_for(lambda: len(files(s)) > len(before) and inserted(s) > 20_000)
        c.execute("select count(*) from information_schema.tables where table_schema='d'")
        assert c.fetchone() == (1,)
        c.execute("select id from information_schema.processlist where info like 'create table big%'")
        victim = c.fetchone()[0]
        c.execute(f"kill query {victim}")
        t.join(PATIENCE)
        assert wait_for(lambda: files(s) == before)
        t = threading.Thread(target=fill)
        t.start()
        had = inserted(s)
        assert wait_for(lambda: len(files(s)) > len(before) and inserted(s) > had + 20_000)
        s.kill()
        t.join(PATIENCE)
        s.start()
        assert files(s) == before
        c = s.connect(database="d").cursor()
        c.execute("show tables")
        assert c.fetchall() == (("n",),)
    finally:
        s.kill()
        s.remove()
