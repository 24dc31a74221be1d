"""TIMESTAMP in the hour that clocks show twice in autumn: UNIX_TIMESTAMP() and AT TIME ZONE of a column, ORDER BY, windows and lookups go by the moment
that is stored, everything else by the local time, of which the first is meant (manual, "UNIX_TIMESTAMP()": the mapping is not one to one).

The answers are those of MySQL 9.7 with `mysql_tzinfo_to_sql /usr/share/zoneinfo/Europe/Berlin Europe/Berlin` loaded; a golden file cannot ask for
them, since the peers' servers have no named time zones."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import Server  # noqa: E402

# 02:30 CEST, 02:30 CET, 02:45 CEST, 02:15 CET, 03:30 CET, 02:30 CET once more
FIRST, SECOND, LATER, EARLIER, AFTER = 1761438600, 1761442200, 1761439500, 1761441300, 1761445800
ROWS = "(1,'2025-10-26 00:30:00'),(2,'2025-10-26 01:30:00'),(3,'2025-10-26 00:45:00'),(4,'2025-10-26 01:15:00'),(5,'2025-10-26 02:30:00'),(6,'2025-10-26 01:30:00'),(7,NULL)"
STORED = [FIRST, SECOND, LATER, EARLIER, AFTER, SECOND, None]

ASKED = [
    ("select unix_timestamp(ts) from t order by id", STORED),
    ("select unix_timestamp(ts) from t where ts is not null order by ts", [FIRST, LATER, EARLIER, SECOND, SECOND, AFTER]),
    ("select id from t ignore index (ts) order by ts, id", [7, 1, 3, 4, 2, 6, 5]),
    ("select id from t ignore index (ts) order by ts desc, id limit 4", [5, 2, 6, 4]),
    ("select id from t ignore index (ts) order by v * 0, ts, id", [7, 1, 3, 4, 2, 6, 5]),
    ("select rank() over (order by ts) from t where id < 7 order by id", [1, 4, 2, 3, 6, 4]),
    ("select id from t where unix_timestamp(ts) = 1761442200 order by id", [2, 6]),
    ("select max(unix_timestamp(ts)) from t where id in (1, 2)", [SECOND]),
    ("select date_format(cast(ts at time zone '+00:00' as datetime), '%H:%i') from t where id < 4 order by id", ["00:30", "01:30", "00:45"]),
    # one lookup after the other, and all rows compared by what they show
    ("select concat(a.id, '-', b.id) from t a straight_join t b force index (ts) on a.ts = b.ts where a.id = 2 order by b.id", ["2-2", "2-6"]),
    ("select concat(a.id, '-', b.id) from t a straight_join t b ignore index (ts) on a.ts = b.ts where a.id = 2 order by b.id", ["2-1", "2-2", "2-6"]),
    ("select id from t ignore index (ts) where ts = '2025-10-26 02:30:00' order by id", [1, 2, 6]),
    ("select id from t force index (ts) where ts = '2025-10-26 02:30:00' order by id", [1]),
    # what is computed of a column is a local time
    ("select unix_timestamp(coalesce(ts, ts)) from t where id = 2", [FIRST]),
    ("select unix_timestamp(ts + interval 0 second) from t where id = 2", [FIRST]),
    ("select unix_timestamp(max(ts)) from t where id = 2", [FIRST]),
    ("select unix_timestamp((select b.ts from t b where b.id = t.id)) from t where id = 2", [FIRST]),
    ("select unix_timestamp(lag(ts) over (order by id)) from t where id in (2, 3) order by id", [None, FIRST]),
]


@pytest.fixture(scope="module")
def session():
    server = Server()
    server.start()
    c = server.connect()
    yield c.cursor()
    server.stop()


def fill(cursor):
    cursor.execute("drop database if exists hour")
    cursor.execute("create database hour")
    cursor.execute("use hour")
    cursor.execute("set time_zone = '+00:00'")
    cursor.execute("create table t (id int primary key, ts timestamp null, ts2 timestamp null, v int default 1, g int as (v + 1) stored, key (ts))")
    cursor.execute(f"insert into t (id, ts) values {ROWS}")
    cursor.execute("set time_zone = 'Europe/Berlin'")


def column(cursor, sql):
    cursor.execute(sql)
    return [row[0] for row in cursor.fetchall()]


def test_what_goes_by_the_moment(session):
    fill(session)
    for sql, expected in ASKED:
        assert column(session, sql) == expected, sql


def test_an_index_alone_tells_the_moment(session):
    fill(session)
    assert column(session, "select unix_timestamp(ts) from t force index (ts) where ts > '2020-01-01' order by ts desc limit 2") == [AFTER, SECOND]


@pytest.mark.parametrize("sql", [
    "update t set v = v + 1",
    "update t set ts = ts",
    "update t, (select 1) d set v = 5",
    "insert into t (id, v) values (1, 5), (2, 5) on duplicate key update v = 50",
    "alter table t add column w int, algorithm=copy",
    "alter table t force",
    "optimize table t",
    "alter table t add column w int as (hour(ts)) stored",
    "alter table t add unique (id, ts)",
])
def test_changes_of_other_columns_leave_the_moment(session, sql):
    fill(session)
    session.execute(sql)
    session.fetchall()
    assert column(session, "select unix_timestamp(ts) from t order by id") == STORED


@pytest.mark.parametrize("sql", ["update t set ts2 = ts", "insert into t (id, ts2) select id + 10, ts from t", "update t a join t b using (id) set a.ts2 = b.ts"])
def test_what_is_assigned_is_a_local_time(session, sql):
    fill(session)
    session.execute(sql)
    assert column(session, "select unix_timestamp(ts2) from t where ts2 is not null order by id")[:4] == [FIRST, FIRST, LATER, EARLIER - 3600]


# what is written into a TIMESTAMP column, and which of the two moments it is
WRITTEN = [
    ("insert into t (id, ts) values (20, '2025-10-26 02:30:00+01:00')", SECOND),
    ("insert into t (id, ts) values (20, '2025-10-26 02:30:00+02:00')", FIRST),
    ("insert into t (id, ts) values (20, '2025-10-26 01:30:00+00:00')", SECOND),
    ("insert into t (id, ts) values (20, '2025-10-26 02:30:00')", FIRST),
    ("insert into t (id, ts) values (20, timestamp'2025-10-26 02:30:00+01:00')", FIRST),
    ("insert into t (id, ts) values (20, cast('2025-10-26 02:30:00+01:00' as datetime))", FIRST),
    ("insert into t (id, ts) values (20, from_unixtime(1761442200))", FIRST),
    ("insert into t (id, ts) values (20, concat('2025-10-26 02:30:00', '+01:00'))", SECOND),
    ("insert into t (id, ts) select 20, '2025-10-26 02:30:00+01:00'", SECOND),
    ("insert into t (id, ts) select 20, a from (select '2025-10-26 02:30:00+01:00' a union select '2025-10-26 02:30:00+01:00') x", SECOND),
    ("replace into t (id, ts) values (20, '2025-10-26 02:30:00+01:00')", SECOND),
    ("insert into t (id, ts) values (1, null) on duplicate key update id = 20, ts = '2025-10-26 02:30:00+01:00'", SECOND),
    ("insert into t (id, ts) values (1, '2025-10-26 02:30:00+01:00') as n on duplicate key update id = 20, ts = concat(n.ts)", FIRST),
    ("update t set id = 20, ts = '2025-10-26 02:30:00+01:00' where id = 1", SECOND),
    ("update t set id = 20, ts = '2025-10-26 02:30:00+02:00' where id = 2", FIRST),
    ("update t set id = 20, ts = '2025-10-26 02:30:00' where id = 2", FIRST),
    ("update t set id = 20, ts = if(id, '2025-10-26 02:30:00+01:00', null) where id = 1", SECOND),
    ("update t set id = 20 where id = 2", SECOND),
    ("alter table t alter ts set default '2025-10-26 02:30:00+01:00'; insert into t (id) values (20)", SECOND),
    ("alter table t alter ts set default '2025-10-26 02:30:00+01:00'; insert into t (id, ts) values (20, default)", SECOND),
    ("alter table t modify ts timestamp default (timestamp'2025-10-26 02:30:00+01:00'); insert into t (id) values (20)", FIRST),
    ("alter table t modify ts timestamp default current_timestamp; set timestamp = 1761442200; insert into t (id) values (20)", SECOND),
    ("alter table t modify ts timestamp default current_timestamp; set timestamp = 1761442200; insert into t (id, ts) values (20, now())", FIRST),
    ("alter table t modify ts timestamp on update current_timestamp; set timestamp = 1761442200; update t set id = 20 where id = 1", SECOND),
    ("alter table t drop ts; set timestamp = 1761442200; alter table t add ts timestamp default current_timestamp; update t set id = 20 where id = 1", SECOND),
    ("alter table t drop ts; alter table t add ts timestamp default '2025-10-26 02:30:00+01:00'; update t set id = 20 where id = 1", SECOND),
]


@pytest.mark.parametrize("sql,moment", WRITTEN)
def test_a_text_with_displacement_is_its_moment(session, sql, moment):
    fill(session)
    for statement in sql.split("; "):
        session.execute(statement)
    session.execute("set timestamp = default")
    assert column(session, "select unix_timestamp(ts) from t where id = 20") == [moment]


def test_rows_that_a_file_loads(session, tmp_path):
    fill(session)
    (tmp_path / "rows").write_text("20\t2025-10-26 02:30:00+01:00\n21\t2025-10-26 02:30:00+02:00\n")
    session.execute("set global local_infile = 1")
    local = session.connection
    session.execute("delete from t")
    from pymysql import connect
    with connect(unix_socket=local.unix_socket, user="root", database="hour", local_infile=True, autocommit=True) as c, c.cursor() as cur:
        cur.execute("set time_zone = 'Europe/Berlin'")
        cur.execute(f"load data local infile '{tmp_path}/rows' into table t (id, ts)")
    assert column(session, "select unix_timestamp(ts) from t order by id") == [SECOND, FIRST]


def test_an_update_to_the_moment_that_is_there_changes_nothing(session):
    fill(session)
    assert session.execute("update t set ts = '2025-10-26 02:30:00+01:00' where id = 2") == 0
    assert session.execute("update t set ts = '2025-10-26 02:30:00+01:00' where id = 1") == 1
    assert session.execute("update t set ts = '2025-10-26 02:30:00+02:00' where id = 1") == 1
    assert session.execute("update t set ts = ts where id = 2") == 0


def test_expressions_see_the_local_time(session):
    """What only storage knows of a new row is nothing that its checks and generated columns could compare."""
    fill(session)
    session.execute("alter table t add d datetime as (ts) stored, add same int as (ts = timestamp'2025-10-26 02:30:00') stored, add constraint c check (ts <> timestamp'2025-10-26 02:31:00')")
    session.execute("insert into t (id, ts) values (20, '2025-10-26 02:30:00+01:00')")
    assert column(session, "select concat(d, same, unix_timestamp(ts)) from t where id = 20") == [f"2025-10-26 02:30:001{SECOND}"]
    with pytest.raises(Exception, match="3819"):
        session.execute("insert into t (id, ts) values (21, '2025-10-26 02:31:00+01:00')")
    assert column(session, "select x.ts = timestamp'2025-10-26 02:30:00' from json_table('[\"2025-10-26 02:30:00+01:00\"]', '$[*]' columns (ts timestamp path '$')) x") in ([1], [None])
