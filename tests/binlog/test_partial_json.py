"""binlog_row_value_options=PARTIAL_JSON through the log: replicas of either kind, images with and without the document, rows that have drifted, mysqlbinlog.
The events' bytes: `test_logged_events.py` (`partial_json`)."""
import contextlib
import json
import random
import subprocess

import pymysql
import pytest

from binlog import peers
from binlog.test_replica import GTIDS, applier_failed, caught_up, errors, make, pair, point, run, state, status
from lib.servers import MySQL, Server
from lib.wait import until

HAS_MYSQL = pytest.mark.skipif(MySQL.folder() is None, reason="scripts/mysql-peer.sh has not been run")
KINDS = [Server, pytest.param(MySQL, marks=HAS_MYSQL)]
PARTIAL = ("--binlog-row-value-options=PARTIAL_JSON",)


def documents(r, depth=0):
    """A random document whose keys and lengths repeat."""
    kind = r.random()
    if depth < 3 and kind < 0.4:
        return {r.choice(["a", "b", "long key", "é", ""]): documents(r, depth + 1) for _ in range(r.randrange(5))}
    if depth < 3 and kind < 0.6:
        return [documents(r, depth + 1) for _ in range(r.randrange(5))]
    return r.choice([None, True, 1, -70000, 1 << 40, 1.5, "", "x" * r.randrange(300), "ü"])


def path(r):
    legs = [r.choice([".a", ".b", '."long key"', '."é"', '.""', "[0]", "[1]", "[7]", "[last]", "[last-1]", "[last-9]"]) for _ in range(r.randrange(1, 4))]
    return "$" + "".join(legs)


def value(r):
    return r.choice([f"CAST('{json.dumps(documents(r, 2), ensure_ascii=False)}' AS JSON)", "1", "'text'", "NULL", "TRUE", "CAST('2020-01-02' AS DATE)",
                     "CAST(1.25 AS DECIMAL(6, 3))", "CAST('11:12:13.5' AS TIME(1))", "REPEAT('y', 400)", "n", "JSON_SET('{\"q\": 1}', '$.q', n)"])


def change(r, column):
    expr = column
    for _ in range(r.randrange(1, 4)):
        f = r.choice(["JSON_SET", "JSON_REPLACE", "JSON_REMOVE", "JSON_SET"])
        steps = [f"'{path(r)}'" + ("" if f == "JSON_REMOVE" else f", {value(r)}") for _ in range(r.randrange(1, 4))]
        expr = f"{f}({expr}, {', '.join(steps)})"
    return f"{column} = {expr}"


def random_changes(server, seed, count):
    """Updates of two JSON columns by every way, of a table with a key (`t`) and one without; those that fail fail everywhere."""
    r = random.Random(seed)
    with server.connect(database="d") as c, c.cursor() as cur:
        for table, key in (("t", "id INT PRIMARY KEY"), ("u", "id INT")):
            cur.execute(f"CREATE TABLE {table} ({key}, j JSON, n INT, s VARCHAR(20), k JSON, g VARCHAR(50) AS (JSON_TYPE(k)) STORED)")
            for i in range(6):
                cur.execute(f"INSERT INTO {table} (id, j, n, k) VALUES (%s, %s, %s, %s)",
                            (i, json.dumps(documents(r)), r.randrange(9), json.dumps(documents(r))))
        for n in range(count):
            image = r.choice(["FULL", "MINIMAL", "NOBLOB"])
            cur.execute(f"SET binlog_row_image = {image}")
            sets = r.sample([change(r, "j"), change(r, "k"), "s = 'changed'", "n = n + 1"], r.randrange(1, 4))
            table = r.choice("tu")
            where = f"WHERE id = {r.randrange(6)}" if r.random() < 0.7 else ""
            with contextlib.suppress(pymysql.err.MySQLError):
                cur.execute(r.choice([f"UPDATE {table} SET {', '.join(sets)} {where}", f"UPDATE IGNORE {table} SET {', '.join(sets)} {where} LIMIT 2",
                                      f"INSERT INTO t (id) VALUES (1) ON DUPLICATE KEY UPDATE {change(r, 'j')}"]))


def recorded_changes(server):
    with server.connect() as c, c.cursor() as cur:
        for q in peers.statements("partial_json"):
            cur.execute(q)


@pytest.mark.parametrize("kind", KINDS)
def test_replicated(kind):
    with pair(kind, source=PARTIAL) as (s, r):
        recorded_changes(s)
        run(s, "DROP VIEW d.v\nRENAME TABLE d.t TO d.told")
        random_changes(s, 1, 300)
        point(s, r)
        r.query("START REPLICA")
        caught_up(s, r)
        assert state(r) == state(s)
        kinds = {e[2] for f, *_ in s.query("SHOW BINARY LOGS") for e in s.query(f"SHOW BINLOG EVENTS IN '{f}'")}
        assert "Update_rows_partial" in kinds
        # types inside of the documents, too
        for table in ("told", "t", "u"):
            types = f"SELECT MD5(GROUP_CONCAT(CONCAT_WS(',', j, k, JSON_TYPE(j), JSON_TYPE(k)) ORDER BY id, s)) FROM d.{table}"
            assert r.query(types) == s.query(types)


@HAS_MYSQL
def test_mysql_follows():
    """MySQL takes our differences, compressed, and mysqlbinlog's text of them takes Evenkeel to the same rows."""
    s, r, third = make(Server, 1, *GTIDS, *PARTIAL, "--binlog-transaction-compression=ON"), make(MySQL, 2, *GTIDS), make(Server, 3, *GTIDS)
    with contextlib.ExitStack() as stack:
        for one in (s, r, third):
            stack.callback(one.remove)
            one.start()
        r.query("RESET BINARY LOGS AND GTIDS")
        s.query("CREATE USER repl@'%' IDENTIFIED BY 'p w'")
        s.query("GRANT REPLICATION SLAVE ON *.* TO repl@'%'")
        s.query("CREATE DATABASE d")
        random_changes(s, 2, 300)
        r.query(f"CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT={s.port}, SOURCE_USER='repl', SOURCE_PASSWORD='p w', "
                "SOURCE_AUTO_POSITION=1, GET_SOURCE_PUBLIC_KEY=1")
        r.query("START REPLICA")
        wanted = s.query("SELECT @@GLOBAL.gtid_executed")[0][0].replace("\n", "")
        def same():
            assert not status(r)["Last_SQL_Error"], errors(r)
            return r.query(f"SELECT GTID_SUBSET('{wanted}', @@GLOBAL.gtid_executed)") == ((1,),)
        until(same, why=lambda: status(r))
        assert state(r) == state(s)
        text = subprocess.run([*MySQL.program("usr/bin/mysqlbinlog"), "--no-defaults", "--read-from-remote-server", "--to-last-log", "-uroot",
                               f"--socket={s.socket}", "bin.000001"], capture_output=True, check=True).stdout
        done = subprocess.run([*MySQL.program("usr/bin/mysql"), "--no-defaults", "-uroot", f"--socket={third.socket}"], input=text, capture_output=True)
        assert done.returncode == 0, done.stderr
        assert state(third) == state(s)


def test_rows_that_have_drifted():
    """Differences that do not fit the row stop the applier with 3648 and change nothing; a row that is not there, with 1032."""
    with pair(Server, source=(*PARTIAL, "--binlog-row-image=MINIMAL")) as (s, r):
        run(s, "CREATE DATABASE d\nCREATE TABLE d.t (id INT PRIMARY KEY, j JSON)")
        s.query("""INSERT INTO d.t VALUES (1, '{"a": 1, "long": "xxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}'), (2, '{"a": 1, "long": "xxxxxxxxxxxxxxxxxxxxxxxxxxx"}')""")
        point(s, r)
        r.query("START REPLICA")
        caught_up(s, r)
        r.query("UPDATE d.t SET j = '{\"b\": 5}' WHERE id = 1")
        s.query("UPDATE d.t SET j = JSON_SET(j, '$.a', 2) WHERE id = 2")
        caught_up(s, r)
        assert r.query("SELECT j->'$.a' FROM d.t WHERE id = 2") == (("2",),)
        s.query("UPDATE d.t SET j = JSON_SET(j, '$.a', 3)")
        applier_failed(r, 3648)
        assert "table t, column j" in status(r)["Last_SQL_Error"] or any("table t, column j" in e for (e,) in errors(r))
        assert r.query("SELECT j->'$.a' FROM d.t WHERE id = 2") == (("2",),)
        r.query("UPDATE d.t SET j = '{\"a\": 9}' WHERE id = 1")
        r.query("START REPLICA")
        caught_up(s, r)
        assert r.query("SELECT j FROM d.t WHERE id = 1") == (('{"a": 3}',),)
        r.query("DELETE FROM d.t WHERE id = 1")
        s.query("UPDATE d.t SET j = JSON_SET(j, '$.a', 4)")
        applier_failed(r, 1032)
