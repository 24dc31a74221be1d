"""A match that would try for ever (without regexp_time_limit) ends with the statement: KILL QUERY is 1317, max_execution_time 3024. Patterns with look-around, references and atomic groups, over long texts, by each function that searches."""
import threading

import pymysql
import pytest
from lib.wait import PATIENCE, Work, until

ENDLESS = [
    "SELECT REPEAT('a', 100000) REGEXP '^(a|a)*(?!a)b$'",
    "SELECT REGEXP_REPLACE(REPEAT('ab', 500000), '(?=(a|b)*c)[abx]', '')",
    "SELECT REGEXP_SUBSTR(REPEAT('a', 1000000), '(?>a*)b(?=c)')",
    "SELECT REGEXP_INSTR(CONCAT(REPEAT('ab', 200000), 'c'), '(.*)(.*)(.*)\\\\1\\\\2d')",
    "SELECT COUNT(*) FROM information_schema.COLUMNS WHERE REPEAT(TABLE_NAME, 50000) REGEXP '(.+)+(?<=X)\\\\1y'",
]


@pytest.fixture
def unlimited(server):
    c = server.connect()
    cur = c.cursor()
    cur.execute("SET GLOBAL regexp_time_limit=0")
    cur.execute("SET GLOBAL regexp_stack_limit=0")
    yield server
    cur.execute("SET GLOBAL regexp_time_limit=DEFAULT")
    cur.execute("SET GLOBAL regexp_stack_limit=DEFAULT")
    c.close()


@pytest.mark.parametrize("statement", ENDLESS)
def test_kill(unlimited, statement):
    c, killer = unlimited.connect(), unlimited.connect()
    seen = []

    def run():
        try:
            c.cursor().execute(statement)
            seen.append(None)
        except pymysql.MySQLError as e:
            seen.append(e.args[0])

    t = threading.Thread(target=run)
    t.start()

    def kill():
        killer.cursor().execute(f"KILL QUERY {c.thread_id()}")
        return seen

    cur = killer.cursor()
    until(lambda: cur.execute(f"SELECT 1 FROM information_schema.PROCESSLIST WHERE ID={c.thread_id()} AND COMMAND='Query'"), "it runs")
    until(kill, "the killed statement ends")
    t.join(PATIENCE)
    assert seen == [1317]


@pytest.mark.parametrize("statement", ENDLESS)
def test_max_execution_time(unlimited, statement):
    cur = unlimited.connect().cursor()
    cur.execute("SET max_execution_time=50")
    with pytest.raises(pymysql.MySQLError) as e:
        cur.execute(statement)
    assert e.value.args[0] == 3024


def test_patterns_of_a_schema_are_compiled_once(server):
    """Not for each document: a pattern that takes a millisecond to compile, over 20,000 of them."""
    work = Work(server)
    pattern = "|".join(f"[a-y]{{{n % 7 + 2},{n % 7 + 40}}}z{n}" for n in range(40))
    before = work.used()
    rows = "(SELECT 1 FROM JSON_TABLE(CONCAT('[', REPEAT('1,', 19999), '1]'), '$[*]' COLUMNS (a INT PATH '$')) t) d"
    schema = '{"pattern": "%s", "patternProperties": {"^%s$": {"type": "string"}}}' % (pattern, pattern)
    assert server.query(f"SELECT SUM(JSON_SCHEMA_VALID('{schema}', JSON_QUOTE(CONCAT('abcz', RAND())))) >= 0 FROM {rows}") == ((1,),)
    assert work.used() - before < 10 * work.unit
