"""KILL ends a function that works for long on one value, with error 1317 and no other, and never with a value. (That each piece of work asks is counted in unit tests: `eval/asks_tests.rs`; how long a KILL takes is measured
by scripts/kill_times.py.)"""
import threading
import time

import pymysql
import pytest
from lib.wait import PATIENCE, until

MB = 1 << 20
# texts of 8 MB: `t` ASCII, `u` with characters of one to three bytes, `b` bytes, `h` hexadecimal digits, `c` a list, `j` and `o` JSON
VALUES = [f"SET @t = REPEAT('abcd ', {8 * MB // 5})", f"SET @u = REPEAT('äbc€ ', {MB})", "SET @b = CAST(@t AS BINARY)", "SET @h = HEX(LEFT(@t, 4000000))", f"SET @c = REPEAT('abcd,', {8 * MB // 5})",
          f"SET @j = CONCAT('[', REPEAT('1,', {4 * MB}), '1]')", f"SET @o = CONCAT('{{\"a\": [', REPEAT('{{\"b\": \"c\"}},', {8 * MB // 12}), '1]}}')", "SET @z = COMPRESS(@t)", "SET @e = TO_BASE64(@t)"]
WORK = [
    "REPEAT(LEFT(@u, 1), 4000000)", "CONCAT(@t, @u)", "CHAR_LENGTH(@u)", "UPPER(@t)", "LOWER(@u)", "REVERSE(@u)", "REPLACE(@u, '€', 'xy')", "INSERT(@u, 5, 3, 'abc')", "LPAD(LEFT(@t, 1), 4000000, 'ab€')",
    "SUBSTRING(@u, 1000000)", "RIGHT(@u, 1000000)", "SUBSTRING_INDEX(@t, 'd', -500000)", "LOCATE('xyz', @u)", "FIND_IN_SET('xyz', @c)", "HEX(@t)", "UNHEX(@h)", "TO_BASE64(@t)", "FROM_BASE64(@e)",
    "QUOTE(@t)", "SOUNDEX(@t)", "MD5(@t)", "SHA1(@t)", "SHA2(@t, 512)", "CRC32(@t)", "COMPRESS(@t)", "UNCOMPRESS(@z)", "CONVERT(@t USING utf16)", "CONVERT(@u USING gb18030)", "CONVERT(@b USING utf8mb4)",
    "@u LIKE '%xyz%'", "@t LIKE '%x_z%y'", "JSON_VALID(@j)", "JSON_LENGTH(@o)", "JSON_SET(@o, '$.a[2]', 1)", "REGEXP_REPLACE(@b, 'x', 'y')", "CONVERT(@t USING utf16) REGEXP 'xyz'",
]


@pytest.fixture(scope="module")
def sessions(server):
    c, killer = server.connect(), server.connect()
    for q in VALUES:
        c.cursor().execute(q)
    yield c, killer.cursor()
    c.close()


@pytest.mark.parametrize("work", WORK)
def test_kill(sessions, work):
    c, killer = sessions
    seen = []

    def run():
        try:
            # BENCHMARK itself asks each 1024th time
            c.cursor().execute(f"SELECT COUNT(*) FROM (SELECT 1) d WHERE BENCHMARK(1000, LENGTH({work}) + (@n := @n + 1)) = 1")
            seen.append("done")
        except pymysql.MySQLError as e:
            seen.append(e.args[0])
    c.cursor().execute("SET @n = 0")
    t = threading.Thread(target=run)
    t.start()
    until(lambda: killer.execute(f"SELECT 1 FROM information_schema.processlist WHERE id = {c.thread_id()} AND info LIKE 'SELECT COUNT%'") or seen)
    time.sleep(0.03)  # somewhere in the middle of its work
    killer.execute(f"KILL QUERY {c.thread_id()}")
    t.join(PATIENCE)
    assert seen == [1317]
    cur = c.cursor()
    cur.execute("SELECT @n")
    assert cur.fetchone()[0] < 1000, "it came to its end"
