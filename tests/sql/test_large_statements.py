"""Statements that are large or nest deep: none takes quadratic or exponential time, none ends the server, all hear KILL."""
import pymysql
import pytest

from lib.kill import kill_while_running
from lib.wait import PATIENCE, Work

N = 100_000
LINEAR = 150  # units of work; what is quadratic in N takes thousands


def brief(value):
    """A test's name may not hold a statement of megabytes."""
    return str(value)[:30]


NUMBERS = ",".join(str(7 * i) for i in range(N))
MIXED = ",".join((str(i), f"'x{i}'", f"{i}.5", f"{i}e0", "NULL")[i % 5] for i in range(N))


@pytest.fixture(scope="module")
def db(server):
    server.query("CREATE DATABASE large")
    server.query("CREATE TABLE large.t (id INT PRIMARY KEY, a INT, b VARCHAR(50), d DATE, KEY (a))")
    server.query("SET SESSION cte_max_recursion_depth = 10000")
    server.query("INSERT INTO large.t WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 1000) "
                 "SELECT n, n * 3, CONCAT('x', n), DATE_ADD('2020-01-01', INTERVAL n DAY) FROM r")
    yield server
    server.query("DROP DATABASE large")


@pytest.fixture(scope="module")
def work(db):
    return Work(db)


@pytest.mark.parametrize("where,count", [
    (f"a + 1 IN ({NUMBERS})", 143), (f"a NOT IN ({NUMBERS})", 858), (f"a + 1 IN ({MIXED})", 400), (f"b IN ({MIXED})", None),
    (f"CONCAT(b, '') IN ({','.join(repr(f'X{i}') for i in range(N))})", 1000),
    (f"a + 0.5 IN ({','.join(f'{i}.5' for i in range(N))})", 1000),
], ids=brief)
def test_long_lists_of_in(db, work, where, count):
    answer, took = work.of(lambda: db.query(f"SELECT COUNT(*) FROM t WHERE {where}", db="large"))
    assert count is None or answer == ((count,),)
    assert took < LINEAR


def test_many_constants_are_remembered_one_by_one(db):
    # 70,000 dates, of which only one beyond 65,536 fits
    dates = [f"'{1000 + i // 336:04d}-{1 + i // 28 % 12:02d}-{1 + i % 28:02d}'" for i in range(70_000)]
    dates[68_000] = "'2020-01-05'"
    dates = [d for i, d in enumerate(dates) if i == 68_000 or not "'2020" <= d < "'2024"]
    assert db.query(f"SELECT id FROM t WHERE d + INTERVAL 0 DAY IN ({','.join(dates)})", db="large") == ((4,),)


@pytest.mark.parametrize("function,atom,answer", [
    ("ABS({})", "a", 3), ("NULLIF({}, 1)", "a", 3), ("ADDTIME({}, '0')", "'10:00:00'", "10:00:00"), ("ROUND(1, {})", "a", 1),
    ("FIELD({}, 7, 8, 9)", "a", 0), ("DATE_ADD('2020-01-01', INTERVAL YEAR({}) * 0 DAY)", "d", "2020-01-01"),
], ids=brief)
def test_nested_functions_evaluate_their_arguments_once(db, work, function, atom, answer):
    e = atom
    for _ in range(24 if "YEAR" in function else 40):
        e = function.replace("{}", e)
    said, took = work.of(lambda: db.query(f"SELECT {e} FROM t WHERE id = 1", db="large"))
    assert said == ((answer,),) and took < LINEAR


@pytest.mark.parametrize("before,inner,after", [
    ("SELECT {}", "(", ")"),
    ("SELECT {}", "IF(1, ", ", 0)"),
    ("SELECT {}", "CASE WHEN 1 THEN ", " END"),
    ("SELECT {}", "(SELECT ", ")"),
    ("SELECT COUNT(*) > 0 FROM t WHERE {}", "(id = -1 AND a = 2 OR ", ")"),
    ("SELECT 1 WHERE {}", "EXISTS (SELECT 1 FROM t WHERE ", ")"),
    ("SELECT COUNT(*) FROM {}", "(SELECT * FROM ", ") x"),
], ids=brief)
def test_what_nests_sixty_levels_deep_is_no_error(db, before, inner, after):
    last = "(SELECT 1) y" if "COUNT(*) FROM" in before else "1"
    assert db.query(before.replace("{}", inner * 60 + last + after * 60), db="large") == ((1,),)


def test_what_doubles_with_each_level_is_refused(db):
    # its first operand is converted to be compared, and stands there a second time to be shown
    e = "CONVERT(b USING latin1)"
    for _ in range(40):
        e = f"NULLIF({e}, CONVERT('z' USING utf16))"
    with pytest.raises(pymysql.err.MySQLError) as error:
        db.query(f"SELECT {e} FROM t LIMIT 1", db="large")
    assert error.value.args[0] == 1436


@pytest.mark.parametrize("n", [62, 250, 1000, 100_000])
@pytest.mark.parametrize("join", ["LEFT JOIN t a{} ON a{}.id = a0.id", "JOIN t a{}", "NATURAL JOIN t a{}"])
def test_too_many_joins(db, n, join):
    sql = "SELECT 1 FROM t a0 " + " ".join(join.replace("{}", str(i)) for i in range(1, n))
    for text in (sql, f"WITH RECURSIVE r AS (SELECT 1 x UNION ALL {sql}, r) SELECT * FROM r", f"CREATE VIEW v AS {sql}"):
        with pytest.raises(pymysql.err.MySQLError) as error:
            db.query(text, db="large")
        assert error.value.args[0] in (1116, 1060), text[:100]
    assert db.query("SELECT 1") == ((1,),)


@pytest.mark.parametrize("sql,answer", [
    ("CREATE TABLE e (a ENUM({}))".format(",".join(f"'m{i}'" for i in range(65_535))), None),
    ("CREATE TABLE e2 (a ENUM({},'M5'))".format(",".join(f"'m{i}'" for i in range(65_534))), 1291),
    ("CREATE TABLE c ({})".format(",".join(f"c{i} INT" for i in range(N))), 1117),
    ("CREATE TABLE k (a INT, {})".format(",".join(f"CHECK (a > {-i})" for i in range(3_000))), None),
    ("WITH c0 AS (SELECT 1 a){} SELECT * FROM c0".format("".join(f", c{i} AS (SELECT * FROM c{i - 1})" for i in range(1, N))), None),
], ids=brief)
def test_long_definitions(db, work, sql, answer):
    def define():
        try:
            db.query(sql, db="large")
        except pymysql.err.MySQLError as e:
            return e.args[0]

    said, took = work.of(define)
    assert said == answer and took < LINEAR


@pytest.mark.parametrize("sql", [
    "SELECT COUNT(*) FROM t a, t b, t c, t d",
    "SELECT a.id + b.id * 1000 + c.id * 1000000 x, COUNT(*) FROM t a, t b, t c GROUP BY x",
    "WITH RECURSIVE r AS (SELECT 1 n UNION ALL SELECT 1 FROM r) SELECT COUNT(*) FROM r",
    # Each element takes long to make: on a fast machine the array would otherwise reach the statement's memory limit (3170) before it is killed.
    "SELECT JSON_LENGTH(JSON_ARRAYAGG(CRC32(REPEAT(a.id * b.id, 5000)))) FROM t a, t b, t c",
    f"SELECT COUNT(*) FROM t x, t y, t z WHERE (x.id + 1, y.a) IN ({','.join(f'({i}, {-i})' for i in range(1000))})",
], ids=brief)
def test_kill_is_heard_at_once(db, sql):
    conn = db.connect(database="large", read_timeout=2 * PATIENCE)
    said, took = kill_while_running(db, conn, ["SET cte_max_recursion_depth = 4294967295", sql], 1)
    assert said == [1317] and took < PATIENCE
