"""A match that would try for ever (without regexp_time_limit) ends with the statement: KILL QUERY is 1317, max_execution_time 3024. Patterns with look-around, references and atomic groups, and such as have so many
states that automata take minutes, over long texts, by each function that searches; and other statements that work for long without reading a page. How long a KILL takes beside load is
written to $EVENKEEL_KILL_TIMES, if that is set (docs/safe-to-trust.md has the figures)."""
import os
import threading
import time

import pymysql
import pytest
from lib.wait import PATIENCE, Work, runs, until

ENDLESS = [
    "SELECT REPEAT('a', 100000) REGEXP '^(a|a)*(?!a)b$'",
    "SELECT REGEXP_REPLACE(REPEAT('ab', 500000), '(?=(a|b)*c)[abx]', '')",
    "SELECT REGEXP_SUBSTR(REPEAT('a', 1000000), '(?>a*)b(?=c)')",
    "SELECT REGEXP_INSTR(CONCAT(REPEAT('ab', 200000), 'c'), '(.*)(.*)(.*)\\\\1\\\\2d')",
    "SELECT COUNT(*) FROM information_schema.COLUMNS WHERE REPEAT(TABLE_NAME, 50000) REGEXP '(.+)+(?<=X)\\\\1y'",
]

# what automata search for; the last three are done within a second or two by the server, but not in a moment
LONG = [
    "SELECT REGEXP_SUBSTR(REPEAT('abcd ', 3000000), CONCAT('([a-d ]{3,40}x?){100}', LEFT(UUID(), 0), 'y'), 1, 1) FROM information_schema.COLUMNS",
    "SELECT REPEAT('abcd ', 3000000 + ORDINAL_POSITION) REGEXP '([a-d ]{3,40}x?){100}y' FROM information_schema.COLUMNS",
    "SELECT LENGTH(REGEXP_REPLACE(REPEAT('abcd ', 3000000 + ORDINAL_POSITION), '((a)|(b)|(c))+', '$2$3')) FROM information_schema.COLUMNS",
    "SELECT LENGTH(REGEXP_REPLACE(REPEAT('abcd', 3000000 + ORDINAL_POSITION), '^((a)|(b)|(c)|(d))*$', '$2$3')) FROM information_schema.COLUMNS",
]
# many rows instead of a long text
ROWS = [
    "SELECT SUM(LENGTH(REGEXP_REPLACE(CONCAT('ref-', n.i, '-', m.i), '[0-9]+(?=-)|-', CONCAT('x', n.i)))) FROM many.n, many.n m, many.n o",
    "SELECT COUNT(*) FROM many.n, many.n m, many.n o WHERE CONCAT('ref-', n.i, '-', m.i) REGEXP '^ref-[0-9]*7-[[:digit:]]{5}$'",
    "WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 100000000) SELECT COUNT(*) FROM r",
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


@pytest.fixture(scope="module")
def rows(server):
    """A table of 1,000 rows: joined with itself there is work for hours."""
    cur = server.connect().cursor()
    cur.execute("CREATE DATABASE many")
    cur.execute("CREATE TABLE many.n (i INT PRIMARY KEY)")
    cur.execute("INSERT INTO many.n WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 1000) SELECT i FROM r")
    yield
    cur.execute("DROP DATABASE many")


@pytest.fixture(scope="module")
def busy(server, rows):
    """Four connections that compute all the time."""
    stop, threads, connections = [], [], [server.connect() for _ in range(4)]

    def load(c):
        cur = c.cursor()
        while not stop:
            cur.execute("SELECT SUM(SHA2(CONCAT(n.i, m.i), 256) LIKE 'ab%') FROM many.n, (SELECT i FROM many.n LIMIT 50) m")

    for c in connections:
        threads.append(threading.Thread(target=load, args=(c,)))
        threads[-1].start()
    yield
    stop.append(True)
    for t in threads:
        t.join(PATIENCE)


def killed(server, statement, settings=()):
    """Runs the statement until it is killed: the error, how long that took, and how often it had to be told."""
    c, killer = server.connect(), server.connect()
    seen = []

    def run():
        cur = c.cursor()
        for s in settings:
            cur.execute(s)
        try:
            cur.execute(statement)
            seen.append(None)
        except pymysql.MySQLError as e:
            seen.append(e.args[0])

    cur = killer.cursor()
    t = threading.Thread(target=run)
    t.start()
    runs(server, c, statement[:6], unless=lambda: seen)
    time.sleep(0.2)  # so that it is in the middle of its work, whatever that is
    began, told = time.time(), 0

    def kill():
        nonlocal told
        told += 1
        cur.execute(f"KILL QUERY {c.thread_id()}")
        return seen

    until(kill, "the killed statement ends")
    t.join(PATIENCE)
    return seen, time.time() - began, told


@pytest.mark.parametrize("statement", ENDLESS)
def test_kill(unlimited, statement):
    assert killed(unlimited, statement)[0] == [1317]


@pytest.mark.parametrize("statement", ENDLESS[:2] + LONG + ROWS)
def test_kill_beside_load(unlimited, busy, statement):
    """None of them would end within minutes by itself, so that they end at all shows that they were told."""
    seen, took, _ = killed(unlimited, statement, ["SET SESSION cte_max_recursion_depth=4294967295"])
    if os.environ.get("EVENKEEL_KILL_TIMES"):
        with open(os.environ["EVENKEEL_KILL_TIMES"], "a") as f:
            f.write(f"{took * 1000:8.1f} ms  {statement}\n")
    assert seen == [1317]


@pytest.mark.parametrize("statement", ENDLESS + LONG[:1])
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
