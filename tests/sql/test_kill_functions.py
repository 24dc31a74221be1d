"""Functions whose time is the product of their arguments' lengths end when they are told to, and what looks as if it took so long does not."""
import pytest

from lib.kill import kill_while_running
from lib.wait import PATIENCE, Work

LONG = "REPEAT('a', 20000000)"
LINEAR = 100  # units of work; those that were not linear took thousands
NEEDLE = "CONCAT(REPEAT('a', 1000000), 'b')"


@pytest.mark.parametrize("sql", [
    f"SELECT LOCATE({NEEDLE}, {LONG})",
    f"SELECT {LONG} LIKE CONCAT('%', {NEEDLE})",
    f"SELECT {LONG} LIKE CONCAT('%', REPEAT('_', 1000000), 'b%')",
    f"SELECT REGEXP_INSTR({LONG}, 'a', 1, 19999999)",
    "SELECT JSON_CONTAINS(CONCAT('[', REPEAT('1,', 300000), '1]'), CONCAT('[', REPEAT('1,', 300000), '2]')), SLEEP(100)",
])
def test_kill_ends_it(server, sql):
    said, _ = kill_while_running(server, server.connect(read_timeout=2 * PATIENCE), [sql], 1.5)
    assert said, sql
    # SLEEP answers 1; whatever ended by itself before is no failure
    assert said == [1317] or isinstance(said[0], tuple)


def test_long_searches_are_linear(server):
    work = Work(server)
    for sql, answer in [
        (f"SELECT LENGTH(REPLACE({LONG}, {NEEDLE}, 'x'))", 20000000),
        (f"SELECT LENGTH(SUBSTRING_INDEX({LONG}, {NEEDLE}, 3))", 20000000),
        (f"SELECT LENGTH(SUBSTRING_INDEX({LONG}, 'a', -3))", 2),
        (f"SELECT LOCATE({NEEDLE}, BINARY {LONG})", 0),
        ("SELECT JSON_LENGTH(JSON_EXTRACT(CONCAT(REPEAT('{\"a\":', 99), '1', REPEAT('}', 99)), '$**.a**.a**.a**.a**.a**.a**.a**.a'))", 92),
        ("SELECT JSON_LENGTH(JSON_EXTRACT(CONCAT('[', REPEAT('1,', 200000), '1]'), '$**[0]'))", 200001),
    ]:
        said, units = work.of(lambda: server.query(sql))  # noqa: B023
        assert said == ((answer,),), sql
        assert units < LINEAR, (sql, units)
