"""The original names that a client is told (Connector/J's getColumnName()): of SHOW the names that are shown, of derived tables, common table expressions
and set operations the names that they gave. Measured beside MySQL 9.7."""
import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from lib.servers import Server

SCHEMA = "information_schema"
CASES = [
    # statement, per column: schema, table, org_table, name, org_name
    ("show tables", [("", "TABLES", "tables", "Tables_in_md", "Tables_in_md")]),
    ("show tables where tables_in_md = 't'", [("", None, "tables", "Tables_in_md", "Tables_in_md")]),
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


@pytest.fixture(scope="module")
def cursor():
    s = Server().start()
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
