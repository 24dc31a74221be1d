"""connection_memory_limit, global_connection_memory_limit: who holds too much is refused (4082, 4081) and disconnected, whatever it is that he holds."""
import pathlib
import re
import sys

import pymysql
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from lib.servers import Server  # noqa: E402

MB = 1 << 20


@pytest.fixture(scope="module")
def server():
    s = Server(options=["--innodb-flush-log-at-trx-commit=0"]).start()
    with s.connect() as c, c.cursor() as cur:
        cur.execute("CREATE DATABASE d")
        cur.execute("CREATE USER small@localhost")
        cur.execute("GRANT ALL ON *.* TO small@localhost")
        cur.execute("REVOKE SUPER, CONNECTION_ADMIN, SYSTEM_VARIABLES_ADMIN, SESSION_VARIABLES_ADMIN ON *.* FROM small@localhost")
        cur.execute("CREATE TABLE d.big (a LONGTEXT)")
        cur.execute("INSERT INTO d.big VALUES (REPEAT('x', 20000000)), (REPEAT('y', 20000000)), (REPEAT('z', 20000000)), (REPEAT('z', 20000000))")
        cur.execute("CREATE TABLE d.many (a INT, b VARCHAR(100))")
        cur.execute("INSERT INTO d.many WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 1000) SELECT n, REPEAT('b', 90) FROM r")
        cur.execute("INSERT INTO d.many SELECT x.a, x.b FROM d.many x, d.many y WHERE y.a <= 100")
    yield s
    s.remove()


@pytest.fixture
def limit(server):
    """Sets the limits for the sessions to come."""
    def set_to(connection=2**64 - 1, everybody=2**64 - 1, tracking=0):
        with server.connect() as c, c.cursor() as cur:
            cur.execute(f"SET GLOBAL connection_memory_limit={connection}, global_connection_memory_limit={everybody}, global_connection_memory_tracking={tracking}")
    yield set_to
    set_to()


def peak(pid):
    return int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text()).group(1)) // 1024


def resident(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text()).group(1)) // 1024


def forget_peak(pid):
    pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")


HOSTILE = [
    "SELECT LENGTH(CONCAT_WS('', REPEAT('a', 15000000), REPEAT('a', 15000000), REPEAT('a', 15000000), REPEAT('a', 15000000)))",
    "SELECT LENGTH(HEX(HEX(HEX(REPEAT('a', 5000000)))))",
    "SELECT LENGTH(REPLACE(REPEAT('a', 1000), 'a', REPEAT('b', 60000)))",
    "SELECT LENGTH(GROUP_CONCAT(a)) FROM big",
    "INSERT INTO big SELECT x.a FROM big x, big y",
    "SELECT JSON_LENGTH(JSON_ARRAYAGG(b)) FROM many",
    "SELECT JSON_LENGTH(JSON_OBJECTAGG(CONCAT(a, UUID()), b)) FROM many",
    "SELECT JSON_LENGTH(CONCAT('[', REPEAT('1,', 8000000), '1]'))",
    "SELECT JSON_LENGTH(CONCAT('[', REPEAT('[],', 8000000), '1]'))",
    "SELECT JSON_LENGTH(CONCAT('{', REPEAT('\"a\":{},', 3000000), '\"b\":1}'))",
    "SELECT JSON_DEPTH(JSON_ARRAY(REPEAT('a', 20000000), REPEAT('b', 20000000)))",
    "SELECT LENGTH(JSON_MERGE_PRESERVE(j, j, j, j)) FROM (SELECT CAST(CONCAT('[', REPEAT('1,', 2000000), '1]') AS JSON) AS j) t",
    "SELECT LENGTH(WEIGHT_STRING(REPEAT('a', 30000000)))",
    "SELECT LENGTH(AES_ENCRYPT(REPEAT('a', 30000000), 'k'))",
    "SELECT LENGTH(UNCOMPRESS(COMPRESS(REPEAT('a', 40000000))))",
    "SELECT LENGTH(REGEXP_REPLACE(REPEAT('a', 10000), 'a', REPEAT('b', 5000)))",
    "SELECT LENGTH(EXPORT_SET(5, REPEAT('a', 900000), REPEAT('b', 900000)))",
    "SELECT LENGTH(MAKE_SET(31, REPEAT('a', 15000000), REPEAT('a', 15000000), REPEAT('a', 15000000)))",
    "SELECT LENGTH(TO_BASE64(REPEAT('a', 30000000)))",
    "SELECT LENGTH(QUOTE(REPEAT('''', 25000000)))",
    "SELECT LENGTH(DATE_FORMAT('2020-01-01', REPEAT('%W', 10000000)))",
    "SELECT LENGTH(CONVERT(REPEAT('a', 20000000) USING utf32))",
    "WITH RECURSIVE r(n, s) AS (SELECT 1, CAST(REPEAT('a', 1000000) AS CHAR(16000000)) UNION ALL SELECT n + 1, CONCAT(s, s) FROM r WHERE n < 8) SELECT SUM(LENGTH(s)) FROM r",
    "SELECT SUM(LENGTH(x)) FROM (SELECT b, GROUP_CONCAT(b) OVER () AS x FROM many) t",
]


@pytest.mark.parametrize("sql", HOSTILE)
def test_a_statement_that_holds_too_much_is_refused(server, limit, sql):
    limit(connection=32 * MB)
    with server.connect(user="small", database="d") as c, c.cursor() as cur:
        cur.execute("SET group_concat_max_len = 100000000, cte_max_recursion_depth = 100000")
        forget_peak(server.process.pid)
        before = resident(server.process.pid)
        try:
            cur.execute(sql)
        except pymysql.err.MySQLError as e:
            assert e.args[0] in (4082, 1235, 1582, 1301, 1406, 3593), e
            if e.args[0] == 4082:
                assert re.fullmatch(r"Connection closed. Connection memory limit 33554432 bytes exceeded. Consumed \d+ bytes.", e.args[1])
                with pytest.raises(pymysql.err.MySQLError):
                    cur.execute("SELECT 1")
        most = peak(server.process.pid) - before
        assert most < 200, f"{most} MB for a connection of 32 MB"


# what is four times as long in utf32 as it was made, or is copied on its way through an operator
COPIED = [
    "SELECT LENGTH(TO_BASE64(REPEAT('a', 60000000)))",
    "SELECT LENGTH(TO_BASE64(REPEAT('a', 12000000)))",
    "SELECT LENGTH(HEX(REPEAT('a', 8000000)))",
    "SELECT LENGTH(CONVERT(REPEAT(_latin1'a', 60000000) USING utf32))",
    "SELECT LENGTH(CONCAT(REPEAT(_latin1'a', 16000000), _utf32 0x61))",
    "SELECT REPEAT('a', 16000000) = REPEAT('b', 16000000)",
    "SELECT GROUP_CONCAT(REPEAT('a', 16000000), REPEAT('b', 16000000))",
    "SELECT a FROM long_texts",
    "SELECT MAX(a) FROM long_texts",
    "SELECT a FROM long_texts GROUP BY a",
    "SELECT a FROM long_texts ORDER BY a",
    "UPDATE long_texts SET w = a",
]


@pytest.mark.parametrize("sql", COPIED)
def test_copies_of_one_value_count(server, limit, sql):
    with server.connect(database="d") as c, c.cursor() as cur:
        cur.execute("CREATE TABLE IF NOT EXISTS long_texts (a LONGTEXT, w LONGTEXT CHARACTER SET utf32)")
        cur.execute("SELECT COUNT(*) FROM long_texts")
        if cur.fetchone()[0] == 0:
            cur.execute("INSERT INTO long_texts (a) VALUES (REPEAT('a', 60000000))")
    limit(connection=128 * MB)
    with server.connect(user="small", database="d") as c, c.cursor() as cur:
        cur.execute("SET collation_connection = utf32_bin")
        forget_peak(server.process.pid)
        before = resident(server.process.pid)
        try:
            cur.execute(sql)
        except pymysql.err.MySQLError as e:
            assert e.args[0] == 4082, e
        most = peak(server.process.pid) - before
        assert most < 128 + 90, f"{most} MB for a connection of 128 MB"


def test_user_variables_count(server, limit):
    limit(connection=32 * MB)
    with server.connect(user="small") as c, c.cursor() as cur:
        cur.execute("SET @a = REPEAT('a', 1000000)")
        with pytest.raises(pymysql.err.MySQLError) as e:
            for n in range(100):
                cur.execute(f"SET @a{n} = @a")
        assert e.value.args[0] == 4082


def test_the_sum_of_all_connections(server, limit):
    limit(everybody=64 * MB, tracking=1)
    held = []
    try:
        with pytest.raises(pymysql.err.MySQLError) as e:
            for _ in range(20):
                held.append(server.connect(user="small"))
                with held[-1].cursor() as cur:
                    cur.execute("SET @a = REPEAT('a', 10000000)")
        assert e.value.args[0] == 4081
        assert len(held) > 2
        with server.connect() as c, c.cursor() as cur:
            cur.execute("SHOW GLOBAL STATUS LIKE 'Global_connection_memory'")
            assert 20_000_000 < int(cur.fetchone()[1]) <= 64 * MB
            cur.execute("SELECT LENGTH(REPEAT('a', 60000000))")
    finally:
        for c in held:
            c.close()
    with server.connect() as c, c.cursor() as cur:
        for _ in range(100):
            cur.execute("SHOW GLOBAL STATUS LIKE 'Global_connection_memory'")
            if int(cur.fetchone()[1]) < MB:
                break
        else:
            pytest.fail("connections that have ended still count")


def test_administrators_are_not_refused(server, limit):
    limit(connection=2 * MB, everybody=16 * MB, tracking=1)
    with server.connect() as c, c.cursor() as cur:
        cur.execute("SELECT LENGTH(REPEAT('a', 60000000))")
        assert cur.fetchone() == (60000000,)


def test_the_session_cannot_lift_its_own_limit(server, limit):
    limit(connection=32 * MB)
    with server.connect(user="small") as c, c.cursor() as cur:
        for sql in ("SET connection_memory_limit = 4000000000", "SET global_connection_memory_tracking = OFF", "SET connection_memory_chunk_size = 100"):
            with pytest.raises(pymysql.err.MySQLError) as e:
                cur.execute(sql)
            assert e.value.args[0] == 1227


PROGRAMS = [
    "PROCEDURE p() BEGIN DECLARE a LONGTEXT DEFAULT REPEAT('a', 1000000); LOOP SET a = CONCAT(a, a); END LOOP; END",
    "PROCEDURE p() BEGIN DECLARE n INT DEFAULT 0; LOOP SET n = n + 1, @sql = CONCAT('SET @v', n, ' = REPEAT(1, 500000)'); PREPARE s FROM @sql; EXECUTE s; END LOOP; END",
    "PROCEDURE p() BEGIN DECLARE c CURSOR FOR SELECT x.b FROM many x, many y; OPEN c; END",
    "PROCEDURE p(n INT) BEGIN DECLARE a LONGTEXT DEFAULT REPEAT('a', 500000); CALL p(n + 1); END",
    "FUNCTION f() RETURNS INT READS SQL DATA BEGIN DECLARE c CURSOR FOR SELECT x.b FROM many x, many y; OPEN c; RETURN 1; END",
    "FUNCTION f() RETURNS INT NO SQL BEGIN DECLARE a LONGTEXT DEFAULT REPEAT('a', 1000000); LOOP SET a = CONCAT(a, a); END LOOP; RETURN 1; END",
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_programs_hold_counts(server, limit, program):
    with server.connect(database="d") as c, c.cursor() as cur:
        cur.execute("DROP PROCEDURE IF EXISTS p")
        cur.execute("DROP FUNCTION IF EXISTS f")
        cur.execute(f"CREATE {program}")
    limit(connection=32 * MB)
    with server.connect(user="small", database="d") as c, c.cursor() as cur:
        cur.execute("SET tmp_table_size = 1000000000, max_sp_recursion_depth = 255")
        with pytest.raises(pymysql.err.MySQLError) as e:
            cur.execute("CALL p(1)" if "p(n" in program else "CALL p()" if "PROCEDURE" in program else "SELECT f()")
        assert e.value.args[0] == 4082, e.value


def test_the_rows_of_a_large_cursor_go_to_a_file(server, limit):
    with server.connect(database="d") as c, c.cursor() as cur:
        cur.execute("DROP PROCEDURE IF EXISTS p")
        cur.execute("CREATE PROCEDURE p() BEGIN DECLARE v VARCHAR(100); DECLARE n INT DEFAULT 0; DECLARE c CURSOR FOR SELECT b FROM many;"
                    " DECLARE EXIT HANDLER FOR NOT FOUND SELECT n; OPEN c; LOOP FETCH c INTO v; SET n = n + LENGTH(v); END LOOP; END")
        cur.execute("SELECT SUM(LENGTH(b)) FROM many")
        expected = cur.fetchall()
    limit(connection=6 * MB)
    for room, fits in [(100000, True), (1000000000, False)]:
        with server.connect(user="small", database="d") as c, c.cursor() as cur:
            cur.execute(f"SET tmp_table_size = {room}")
            if fits:
                cur.execute("CALL p()")
                assert cur.fetchall() == expected
            else:
                with pytest.raises(pymysql.err.MySQLError) as e:
                    cur.execute("CALL p()")
                assert e.value.args[0] == 4082
