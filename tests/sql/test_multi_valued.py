"""Multi-valued indexes: random rows and questions, with the indexes and without; CHECK TABLE; dump and reload."""
import json
import random

import pytest
from lib.servers import Server

# one of each kind of number and text, equal ones in different forms
NUMBERS = ["0", "1", "2", "3", "1.0", "2.5", "2.5e0", "3.5", "4", "4.5", "10", "1e1", "9223372036854775807"]
TEXTS = ['"a"', '"b"', '"A"', '"a "', '"\\u00e9"', '"12"', '"1"']
TABLE = """CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, x INT, j JSON, s JSON,
 KEY n ((CAST(j AS SIGNED ARRAY))), KEY d ((CAST(j AS DECIMAL(30, 2) ARRAY))), KEY xn (x, (CAST(j AS SIGNED ARRAY))),
 KEY c ((CAST(s->'$.t' AS CHAR(10) ARRAY))), KEY b ((CAST(s->'$.t' AS BINARY(10) ARRAY))))"""
INDEXES = "n, d, xn, c, b"


def document(rng, of):
    kind = rng.random()
    if kind < 0.08:
        return None
    if kind < 0.2:
        return rng.choice(of)
    return "[" + ", ".join(rng.choice(of) for _ in range(rng.randrange(5))) + "]"


def texts(rng):
    return TEXTS + NUMBERS[:6] if rng.random() < 0.3 else TEXTS


def wrapped(doc):
    return "{}" if doc is None else '{"t": %s}' % doc


def scalar(rng, of):
    """A value on the left of MEMBER OF."""
    v = rng.choice(of)
    if v.startswith('"'):
        return "'%s'" % json.loads(v)
    return v if rng.random() < 0.7 else "CAST('%s' AS JSON)" % v


def condition(rng):
    column, of = (("j", NUMBERS) if rng.random() < 0.6 else ("s->'$.t'", texts(rng)))
    kind = rng.randrange(6)
    if kind < 3:
        c = "%s MEMBER OF (%s)" % (scalar(rng, of), column)
    else:
        doc = (document(rng, of) or "[]").replace("\\", "\\\\")
        c = ("JSON_CONTAINS(%s, '%s')" if kind == 3 else "JSON_OVERLAPS(%s, '%s')") % (column, doc)
    extra = rng.random()
    if extra < 0.25:
        c += " AND x = %d" % rng.randrange(4)
    elif extra < 0.35:
        c += " AND x IN (%d, %d)" % (rng.randrange(4), rng.randrange(4))
    elif extra < 0.5:
        c = "(%s OR id = %d)" % (c, rng.randrange(60))
    elif extra < 0.6:
        c = "(%s OR %s)" % (c, condition(rng))
    return c


def change(rng, cur):
    j, s, x = document(rng, NUMBERS), wrapped(document(rng, texts(rng))), rng.randrange(4)
    kind = rng.randrange(10)
    if kind < 5:
        cur.execute("INSERT INTO t (x, j, s) VALUES (%s, %s, %s)", (x, j, s))
    elif kind < 7:
        cur.execute("UPDATE t SET x = %%s, j = %%s, s = %%s WHERE %s LIMIT 3" % condition(rng).replace("%", "%%"), (x, j, s))
    elif kind < 9:
        cur.execute("UPDATE t SET j = %s WHERE id = %s", (j, rng.randrange(80)))
    else:
        cur.execute("DELETE FROM t WHERE %s LIMIT 2" % condition(rng))


def rows(cur, sql):
    cur.execute(sql)
    return sorted(cur.fetchall())


def check(cur):
    cur.execute("CHECK TABLE t")
    answer = cur.fetchall()
    assert answer[-1][-1] == "OK", answer


@pytest.fixture
def server():
    s = Server().start()
    try:
        yield s
    finally:
        s.kill()
        s.remove()


def test_same_answers_with_and_without(server):
    rng = random.Random(17)
    with_index = 0
    with server.connect() as connection, connection.cursor() as cur:
        cur.execute("CREATE DATABASE m")
        cur.execute("USE m")
        cur.execute(TABLE)
        for round_ in range(40):
            cur.execute("START TRANSACTION")
            for _ in range(12):
                change(rng, cur)
            if round_ % 8 == 7:
                cur.execute("ANALYZE TABLE t")
            for n in range(20):
                c = condition(rng)
                force = "FORCE INDEX (%s)" % INDEXES if n % 2 else ""
                want = rows(cur, "SELECT id, j, s FROM t IGNORE INDEX (%s) WHERE %s" % (INDEXES, c))
                sql = "SELECT id, j, s FROM t %s WHERE %s" % (force, c)
                assert rows(cur, sql) == want, sql
                assert rows(cur, sql + " FOR UPDATE") == want, sql
                cur.execute("EXPLAIN FORMAT=TRADITIONAL " + sql)
                key = cur.fetchall()[0][6]
                with_index += any(k in INDEXES.split(", ") for k in (key or "").split(","))
            cur.execute("ROLLBACK" if rng.random() < 0.2 else "COMMIT")
        check(cur)
        assert with_index > 100, with_index
        reload(server, cur)


def reload(server, cur):
    """What SHOW CREATE TABLE prints makes the same table, and an index that is added to rows is the same as one that was there."""
    cur.execute("SHOW CREATE TABLE t")
    text = cur.fetchone()[1]
    cur.execute("RENAME TABLE t TO old")
    cur.execute(text)
    cur.execute("INSERT INTO t SELECT * FROM old")
    check(cur)
    cur.execute("SHOW CREATE TABLE t")
    assert cur.fetchone()[1] == text
    cur.execute("ALTER TABLE t " + ", ".join("DROP INDEX " + i for i in INDEXES.split(", ")))
    cur.execute("ALTER TABLE t ADD KEY n ((CAST(j AS SIGNED ARRAY))), ADD KEY c ((CAST(s->'$.t' AS CHAR(10) ARRAY)))")
    check(cur)
    server.kill()
    server.start()
    cur = server.connect(db="m").cursor()
    check(cur)
    want = rows(cur, "SELECT id FROM t IGNORE INDEX (n) WHERE 1 MEMBER OF (j)")
    assert rows(cur, "SELECT id FROM t FORCE INDEX (n) WHERE 1 MEMBER OF (j)") == want
