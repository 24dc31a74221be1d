"""What a client is told of columns: the original names (Connector/J's getColumnName()), of SHOW the names that are shown, of derived tables, common table
expressions and set operations the names that they gave; types, lengths, flags and decimals where the rows go through a temporary table. Measured beside MySQL 9.7."""
import datetime
import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../sql"))
import binary
from lib.servers import MySQL, Server

SCHEMA = "information_schema"
CASES = [
    # statement, per column: schema, table, org_table, name, org_name
    ("show tables", [("", "TABLES", "tables", "Tables_in_md", "Tables_in_md")]),
    ("show tables where tables_in_md = 't'", [(None, None, None, "Tables_in_md", "Tables_in_md")]),
    ("show databases", [("", "SCHEMATA", "schemata", "Database", "Database")]),
    ("show columns from t like 'id'", [("", "COLUMNS", None, n, n) for n in ("Field", "Type", "Null", "Key", "Default", "Extra")]),
    ("describe t id", [("", "COLUMNS", None, n, n) for n in ("Field", "Type", "Null", "Key", "Default", "Extra")]),
    ("show variables like 'port'", [("performance_schema", "session_variables", "session_variables", n, n) for n in ("Variable_name", "Value")]),
    ("show global status like 'Uptime'", [("performance_schema", "global_status", "global_status", n, n) for n in ("Variable_name", "Value")]),
    ("show processlist", [("", "", "", n, "") for n in ("Id", "User", "Host", "db", "Command", "Time", "State", "Info")]),
    ("select id as x from t", [("md", "t", "t", "x", "id")]),
    ("select x from (select id as x from t) z", [("md", "z", "t", "x", "x")]),
    ("select x as y from (select id as x from t limit 1) z", [("md", "z", "t", "y", "x")]),
    ("select y from (select x as y from (select id as x from t) a) b", [("md", "b", "t", "y", "y")]),
    ("with c (x) as (select id from t) select x from c", [("md", "c", "t", "x", "x")]),
    ("select x from (select id + 1 as x from t) z", [("", "z", "", "x", "x")]),
    ("select id as x from t union select 1", [("", "", "", "x", "x")]),
    ("select x from (select id as x from t union select 1) z", [("", "z", "", "x", "x")]),
    ("with recursive r as (select 1 as n union all select n + 1 from r where n < 3) select n as m from r", [("", "r", "", "m", "n")]),
    ("select x from v", [("md", "v", "v", "x", "x")]),
    ("select x as y, i from v2", [("md", "v2", "v2", "y", "x"), ("md", "v2", "v2", "i", "i")]),
    ("select id + 1 from t", [("", "", "", "id + 1", "")]),
    ("select max(x) from (select id as x from t) z", [("", "", "", "max(x)", "")]),
]


KINDS = [Server] + ([MySQL] if os.environ.get("EVENKEEL_MYSQL") and MySQL.folder() else [])


@pytest.fixture(scope="module", params=KINDS, ids=lambda k: k.name)
def cursor(request):
    s = request.param().start()
    s.query("create database md")
    c = s.connect()
    cur = c.cursor()
    for sql in ("use md", "create table t (id int primary key, i int)", "insert into t values (1, 1)", "create view v as select id as x, i from t", "create view v2 as select x, i from v"):
        cur.execute(sql)
    yield cur
    s.remove()


@pytest.mark.parametrize("sql,expected", CASES, ids=[c[0] for c in CASES])
def test_original_names(cursor, sql, expected):
    cursor.execute(sql)
    cursor.fetchall()
    seen = [(f.db.decode(), f.table_name, f.org_table, f.name, f.org_name) for f in cursor._result.fields]
    assert len(seen) == len(expected)
    for got, want in zip(seen, expected):
        assert got == tuple(g if w is None else w for g, w in zip(got, want))


# statement, per column: name, original name, type, length, flags, decimals
NOT_NULL, PRI, UNIQUE, MULTIPLE, UNSIGNED, BINARY, COUNTER, NO_DEFAULT, PART = 1, 2, 4, 8, 32, 128, 512, 4096, 16384
KEY = NOT_NULL | PRI | COUNTER | PART
THROUGH = [
    # read from the table: keys; from a temporary one: none, and expressions are columns
    ("select id, k, n from tt", [("id", "id", 3, 11, KEY, 0), ("k", "k", 3, 11, MULTIPLE | PART, 0), ("n", "n", 3, 10, NOT_NULL | UNSIGNED | NO_DEFAULT, 0)]),
    ("select id, k, n, b, id + 1 as x from tt order by rand()", [
        ("id", "id", 3, 11, NOT_NULL, 0), ("k", "k", 3, 11, 0, 0), ("n", "n", 3, 10, NOT_NULL | UNSIGNED | NO_DEFAULT, 0),
        ("b", "b", 16, 3, NOT_NULL | UNSIGNED, 0), ("x", "x", 8, 12, NOT_NULL, 0)]),
    ("select id + 1 as x from tt order by k", [("x", "", 8, 12, NOT_NULL | BINARY, 0)]),
    ("select row_number() over () as r, concat(v) as c from tt", [("r", "r", 8, 21, NOT_NULL | UNSIGNED, 0), ("c", "c", 253, 20, 0, 0)]),
    ("select sql_buffer_result k, k + 1 as x from tt", [("k", "k", 3, 11, 0, 0), ("x", "x", 8, 12, 0, 0)]),
    ("select distinct k + 1 as x from tt", [("x", "x", 8, 12, 0, 0)]),
    ("select distinct id, v from tt", [("id", "id", 3, 11, KEY, 0), ("v", "v", 253, 20, UNIQUE | PART, 0)]),
    ("select k + 1 as s, count(*) as c from tt group by s", [("s", "s", 8, 12, 0, 0), ("c", "", 8, 21, NOT_NULL, 0)]),
    ("select k, count(*) as c from tt group by k", [("k", "k", 3, 11, MULTIPLE | PART, 0), ("c", "", 8, 21, NOT_NULL | BINARY, 0)]),
    ("select k, count(*) as c from tt group by k order by c", [("k", "k", 3, 11, 0, 0), ("c", "c", 8, 21, NOT_NULL, 0)]),
    ("select v, count(*) as c from tt group by v with rollup", [("v", "", 253, 20, 0, 31), ("c", "", 8, 21, NOT_NULL | BINARY, 0)]),
    ("select a.id + 1 as x from tt a straight_join tt b on a.id = b.k order by b.n", [("x", "x", 8, 12, NOT_NULL, 0)]),
    ("select a.id + 1 as x from tt a straight_join tt b on a.id = b.k order by a.n", [("x", "", 8, 12, NOT_NULL | BINARY, 0)]),
    ("select n, b, k from (select * from tt limit 1) z", [
        ("n", "n", 3, 10, NOT_NULL | UNSIGNED | NO_DEFAULT, 0), ("b", "b", 16, 3, NOT_NULL | UNSIGNED, 0), ("k", "k", 3, 11, 0, 0)]),
    # lengths have room for a sign
    ("select 1, -1, cast('1' as signed), ceil(1.5)", [
        ("1", "", 8, 2, NOT_NULL | BINARY, 0), ("-1", "", 8, 2, NOT_NULL | BINARY, 0),
        ("cast('1' as signed)", "", 8, 21, BINARY | NOT_NULL, 0), ("ceil(1.5)", "", 8, 21, NOT_NULL | BINARY, 0)]),
    ("select avg(d), max(d), std(k) from tt", [("avg(d)", "", 5, 23, BINARY, 31), ("max(d)", "", 5, 22, BINARY, 31), ("std(k)", "", 5, 23, BINARY, 31)]),
]


@pytest.mark.parametrize("sql,expected", THROUGH, ids=[c[0] for c in THROUGH])
def test_through_a_table(cursor, sql, expected):
    cursor.execute("create table if not exists tt (id int auto_increment primary key, k int, v varchar(5), n int unsigned not null, b bit(3) not null, d double, key(k), unique(v))")
    cursor.execute(sql)
    cursor.fetchall()
    assert [(f.name, f.org_name, f.type_code, f.length, f.flags, f.scale) for f in cursor._result.fields] == expected


def test_a_trigger_was_created_at_a_time(cursor):
    """In both protocols a TIMESTAMP, as in MySQL, not text that looks like one."""
    cursor.execute("create trigger made before insert on t for each row set @a = 1")
    cursor.execute("show create trigger made")
    (row,), field = cursor.fetchall(), cursor._result.fields[-1]
    assert (field.name, field.type_code) == ("Created", 7) and isinstance(row[-1], datetime.datetime)
    stmt, _ = binary.prepare(cursor.connection, "show create trigger made")
    binary.execute(cursor.connection, stmt, [])
    fields, (told,), _ = binary.read_result(cursor.connection)
    binary.close(cursor.connection, stmt)
    assert fields[-1].type_code == 7 and told[-1].decode() == str(row[-1].replace(microsecond=0))
    cursor.execute("drop trigger made")
