"""Stored programs at their limits: endless loops end by KILL, what is nested, long or recursive is answered or refused, never a crash; and what clients do with CALL
(several results, OUT parameters in the binary protocol)."""
import sys
import threading
from pathlib import Path

import pymysql
import pytest
from lib.wait import PATIENCE, runs
from pymysql.constants import CLIENT

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "sql"))
import binary  # noqa: E402


@pytest.fixture
def cur(server):
    c = server.connect(autocommit=True)
    cur = c.cursor()
    cur.execute("DROP DATABASE IF EXISTS limits")
    cur.execute("CREATE DATABASE limits")
    cur.execute("USE limits")
    yield cur
    with server.connect() as c, c.cursor() as cur:
        cur.execute("DROP DATABASE limits")


ENDLESS = [
    ("CREATE PROCEDURE e() WHILE TRUE DO BEGIN END; END WHILE", "CALL limits.e()"),
    ("CREATE PROCEDURE e() BEGIN DECLARE i INT DEFAULT 0; LOOP SET i = (i + 1) % 100; END LOOP; END", "CALL limits.e()"),
    ("CREATE PROCEDURE e() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; l: LOOP ITERATE l; END LOOP; END", "CALL limits.e()"),
    ("CREATE FUNCTION e() RETURNS INT DETERMINISTIC BEGIN REPEAT SET @x = 1; UNTIL FALSE END REPEAT; RETURN 1; END", "SELECT limits.e()"),
    ("CREATE PROCEDURE e() LOOP SELECT COUNT(*) INTO @n FROM information_schema.SCHEMATA; END LOOP", "CALL limits.e()"),
]


@pytest.mark.parametrize("make, call", ENDLESS)
def test_endless_loops_end_by_kill(server, cur, make, call):
    cur.execute(make)
    victim = server.connect()
    told = []

    def run():
        try:
            victim.cursor().execute(call)
        except pymysql.err.MySQLError as e:
            told.append(e.args[0])

    t = threading.Thread(target=run, daemon=True)
    t.start()
    runs(server, victim, call[:6])
    cur.execute(f"KILL QUERY {victim.thread_id()}")
    t.join(PATIENCE)
    assert not t.is_alive() and told == [1317]
    with victim.cursor() as again:
        again.execute("SELECT 1")


def answers(cur, sql):
    """The rows of all results, or the error's number."""
    try:
        cur.execute(sql)
        out = [cur.fetchall()]
        while cur.nextset():
            out.append(cur.fetchall())
        return [r for r in out if r]
    except pymysql.err.MySQLError as e:
        return e.args[0]


def test_nested_long_and_recursive(cur):
    deep = "BEGIN DECLARE v INT DEFAULT 1; " * 64 + "SELECT v; " + "END; " * 63 + "END"
    assert answers(cur, f"CREATE PROCEDURE deep() {deep}") == []
    assert answers(cur, "CALL deep()") == [((1,),)]
    assert answers(cur, "CREATE PROCEDURE deeper() " + "BEGIN " * 50000 + "END; " * 49999 + "END") == 1436
    many = "".join(f"DECLARE v{i} INT DEFAULT {i}; " for i in range(1000))
    assert answers(cur, f"CREATE PROCEDURE many() BEGIN {many} SELECT v0 + v999; END") == []
    assert answers(cur, "CALL many()") == [((999,),)]
    long = "SET @a = @a + 1; " * 60000
    assert answers(cur, f"CREATE PROCEDURE long1() BEGIN SET @a = 0; {long} SELECT @a; END") == []
    assert answers(cur, "CALL long1()") == [((60000,),)]
    assert answers(cur, "CREATE PROCEDURE down(n INT) IF n > 0 THEN CALL down(n - 1); ELSE SELECT 'bottom'; END IF") == []
    cur.execute("SET max_sp_recursion_depth = 255")
    assert answers(cur, "CALL down(10)") == [(("bottom",),)]
    assert answers(cur, "CALL down(250)") in ([(("bottom",),)], 1436)
    assert answers(cur, "CALL down(300)") in (1456, 1436)
    cur.execute("CREATE FUNCTION f1(n INT) RETURNS INT DETERMINISTIC RETURN n + 1")
    for i in range(2, 40):
        cur.execute(f"CREATE FUNCTION f{i}(n INT) RETURNS INT DETERMINISTIC RETURN f{i - 1}(n) + 1")
    assert answers(cur, "SELECT f39(0)") in ([((39,),)], 1436)
    assert answers(cur, "SELECT " + "f1(" * 200 + "0" + ")" * 200) in ([((200,),)], 1436)


NESTED = {
    "IF": ("IF TRUE THEN ", "END IF"),
    "CASE": ("CASE 1 WHEN 1 THEN ", "END CASE"),
    "LOOP": ("l{n}: LOOP ", "END LOOP"),
    "WHILE": ("l{n}: WHILE TRUE DO ", "END WHILE"),
    "REPEAT": ("l{n}: REPEAT ", "UNTIL TRUE END REPEAT"),
}


@pytest.mark.parametrize("kind", NESTED)
def test_statements_nested_64_deep(cur, kind):
    begin, end = NESTED[kind]
    begins = "".join(begin.format(n=n) for n in range(64))
    leave = "LEAVE l0; " if "l{n}" in begin else ""
    assert answers(cur, f"CREATE PROCEDURE p() {begins} SELECT '{kind}'; {leave}{f'{end}; ' * 63}{end}") == []
    assert answers(cur, "CALL p()") == [((kind,),)]


def test_a_thousand_of_what_a_block_declares(cur):
    def program(name, declarations, body, parameters=""):
        assert answers(cur, f"CREATE PROCEDURE {name}({parameters}) BEGIN {declarations} {body} END") == []

    handlers = "DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN " * 64
    program("handlers", handlers, "END; " * 64 + "SELECT * FROM nope;")
    assert answers(cur, "CALL handlers()") == []
    program("many_handlers", "".join(f"DECLARE EXIT HANDLER FOR {1000 + i} SELECT {i}; " for i in range(1000)), "SELECT * FROM nope;")
    assert answers(cur, "CALL many_handlers()") == [((146,),)]
    program("conditions", "".join(f"DECLARE k{i} CONDITION FOR {1000 + i}; " for i in range(1000)), "BEGIN DECLARE EXIT HANDLER FOR k146 SELECT 7; SELECT * FROM nope; END;")
    assert answers(cur, "CALL conditions()") == [((7,),)]
    cursors = "DECLARE v INT; " + "".join(f"DECLARE c{i} CURSOR FOR SELECT {i}; " for i in range(1000))
    program("cursors", cursors, "".join(f"OPEN c{i}; " for i in range(1000)) + "FETCH c999 INTO v; SELECT v;")
    assert answers(cur, "CALL cursors()") == [((999,),)]
    program("parameters", "", "SELECT a0 + a999;", ", ".join(f"a{i} INT" for i in range(1000)))
    assert answers(cur, f"CALL parameters({', '.join(map(str, range(1000)))})") == [((999,),)]


def test_programs_of_a_megabyte(cur):
    texts = {
        "one text": ("SELECT LENGTH('" + "x" * 1000000 + "')", [((1000000,),)]),
        "one list": (f"SELECT 5 IN ({', '.join(map(str, range(150000)))})", [((1,),)]),
        "branches": ("BEGIN SET @x = 0; " + "IF @x = 1 THEN SELECT 1; ELSE SET @x = 0; END IF; " * 20000 + "SELECT 8; END", [((8,),)]),
        "one CASE": ("BEGIN SET @x = 19999; CASE @x " + "".join(f"WHEN {i} THEN SELECT {i}; " for i in range(1, 20000)) + "END CASE; END", [((19999,),)]),
    }
    for text, expected in texts.values():
        assert answers(cur, f"CREATE PROCEDURE p() {text}") == []
        assert answers(cur, "CALL p()") == expected
        cur.execute("DROP PROCEDURE p")
    assert answers(cur, f"CREATE PROCEDURE p() SELECT {'+'.join('1' * 400000)}") == 1436


def test_programs_that_call_each_other_deeply(cur):
    cur.execute("CREATE TABLE t0 (a INT)")
    for i in range(1, 100):
        cur.execute(f"CREATE TABLE t{i} (a INT)")
        cur.execute(f"CREATE TRIGGER g{i} AFTER INSERT ON t{i} FOR EACH ROW INSERT INTO t{i - 1} VALUES (NEW.a)")
    assert answers(cur, "INSERT INTO t8 VALUES (1)") == []
    assert answers(cur, "INSERT INTO t99 VALUES (1)") in ([], 1436)
    assert answers(cur, "SELECT COUNT(*) FROM t8")[0][0][0] == answers(cur, "SELECT COUNT(*) FROM t0")[0][0][0], "a statement that fails undoes what its triggers did"
    cur.execute("CREATE FUNCTION a() RETURNS INT DETERMINISTIC RETURN b()")
    cur.execute("CREATE FUNCTION b() RETURNS INT DETERMINISTIC RETURN a()")
    assert answers(cur, "SELECT a()") == 1424
    cur.execute("SET max_sp_recursion_depth = 255")
    cur.execute("CREATE PROCEDURE d(n INT) BEGIN IF n > 0 THEN SET @s = CONCAT('CALL d(', n - 1, ')'); PREPARE q FROM @s; EXECUTE q; ELSE SELECT 'bottom'; END IF; END")
    assert answers(cur, "CALL d(1)") == [(("bottom",),)]
    assert answers(cur, "CALL d(2)") == 1444, "a statement that runs is not prepared anew"
    cur.execute("CREATE PROCEDURE e(n INT) BEGIN IF n > 0 THEN CALL e(n - 1); ELSE SELECT 'bottom'; END IF; END")
    assert answers(cur, "CALL e(200)") in ([(("bottom",),)], 1436)
    assert answers(cur, "SELECT 1") == [((1,),)]


def test_a_dropped_function_waits_for_who_uses_it(server, cur):
    cur.execute("CREATE FUNCTION f() RETURNS INT DETERMINISTIC RETURN 1")
    other = server.connect(database="limits")
    with other.cursor() as o:
        o.execute("BEGIN")
        o.execute("SELECT f()")
        cur.execute("SET lock_wait_timeout = 1")
        assert answers(cur, "DROP FUNCTION f") == 1205
        o.execute("COMMIT")
        assert answers(cur, "DROP FUNCTION f") == []
        assert answers(o, "SELECT f()") == 1305


def test_what_a_statement_reaches_through_functions_is_locked(server, cur):
    cur.execute("CREATE TABLE t (a INT)")
    cur.execute("CREATE TABLE u (a INT)")
    cur.execute("CREATE FUNCTION inner_f() RETURNS INT READS SQL DATA RETURN (SELECT COUNT(*) FROM u)")
    # which table it origin nobody sees in the statement; and the branch is never taken
    cur.execute("CREATE FUNCTION f() RETURNS INT READS SQL DATA BEGIN IF FALSE THEN RETURN inner_f(); END IF; RETURN 5; END")
    other = server.connect(database="limits")
    with other.cursor() as o:
        o.execute("BEGIN")
        o.execute("SELECT f() FROM t")
        cur.execute("SET lock_wait_timeout = 1")
        assert answers(cur, "DROP TABLE u") == 1205
        o.execute("COMMIT")
        o.execute("LOCK TABLES t READ")
        assert answers(o, "SELECT f() FROM t") == 1100
        o.execute("LOCK TABLES t READ, u READ")
        assert answers(o, "SELECT f() FROM t") == []
        o.execute("UNLOCK TABLES")


def results(conn):
    """(rows, status) of each result of a command in the binary protocol; the last is the OK."""
    from pymysql.protocol import FieldDescriptorPacket
    out = []
    while True:
        p = conn._read_packet()
        if p.is_ok_packet():
            p.read_uint8()
            p.read_length_encoded_integer(), p.read_length_encoded_integer()
            return out + [(None, p.read_uint16())]
        fields = [conn._read_packet(FieldDescriptorPacket) for _ in range(p.read_length_encoded_integer())]
        conn._read_packet()
        rows = []
        while not (p := conn._read_packet()).is_eof_packet():
            rows.append(binary.row(p, fields))
        out.append((rows, int.from_bytes(p._data[3:5], "little")))


def test_results_and_out_parameters(server, cur):
    cur.execute("CREATE PROCEDURE p(IN a INT, OUT b VARCHAR(20), INOUT c INT) BEGIN SELECT a, c; SELECT 'two'; SET b = CONCAT('<', a, '>'), c = c + a; END")
    cur.execute("SET @c = 5")
    assert answers(cur, "CALL p(1, @b, @c)") == [((1, 5),), (("two",),)]
    assert answers(cur, "SELECT @b, @c") == [(("<1>", 6),)]
    assert cur.callproc("p", (2, None, 7)) is not None
    while cur.nextset():
        pass
    assert answers(cur, "SELECT @_p_1, @_p_2") == [(("<2>", 9),)]
    cur.execute("PREPARE s FROM 'CALL p(?, ?, ?)'")
    cur.execute("SET @x = 3, @y = 0, @z = 10")
    assert answers(cur, "EXECUTE s USING @x, @y, @z") == [((3, 10),), (("two",),)]
    assert answers(cur, "SELECT @y, @z") == [(("<3>", 13),)]
    from pymysql.constants import CLIENT
    c = server.connect(database="limits", client_flag=CLIENT.MULTI_STATEMENTS | 1 << 18)
    stmt, params = binary.prepare(c, "CALL p(?, ?, ?)")
    assert params == 3
    for given, out in [([4, None, 1], [b"<4>", 5]), ([5, "x", 2], [b"<5>", 7])]:
        binary.execute(c, stmt, given)
        first, second, outs, last = results(c)
        assert first[0] == [[str(given[0]).encode(), str(given[2]).encode()]] and second[0] == [[b"two"]]
        assert all(status & 8 and not status & 0x1000 for _, status in (first, second))
        assert outs[0] == [[out[0], str(out[1]).encode()]]
        assert outs[1] & 0x1008 == 0x1008 and last[0] is None and not last[1] & 8
    binary.close(c, stmt)
    # a cursor that is asked for changes nothing
    from lib.wire import BASE, Raw
    cur.execute("CREATE PROCEDURE nothing() SELECT 1 FROM DUAL WHERE FALSE")
    with Raw(server, db="limits", caps=BASE | 1 << 17 | 1 << 18) as wire:
        for cursor in (0, 1):
            wire.execute(wire.prepare("CALL nothing()")[0], cursor=cursor)
            columns, rows = wire.result(binary=True)
            assert [c.name for c in columns] == ["1"] and rows == [] and wire.status & 8
            assert wire.result(binary=True).status & 8 == 0
        # variables and OUT parameters are told of as columns, whatever the type
        cur.execute("CREATE PROCEDURE tells(OUT a BINARY(32), OUT b LONGTEXT, OUT c ENUM('x'), OUT d TINYINT) BEGIN DECLARE v BINARY(3); SELECT v AS n; END")
        wire.execute(wire.prepare("CALL tells(?, ?, ?, ?)")[0], (None,) * 4)
        told = lambda: [(c.name, c.org_name, c.table, c.schema, c.type, c.flags, c.decimals) for c in wire.result(binary=True)[0]]
        assert told() == [("n", "v", "", "", 254, 128, 0)]
        assert told() == [("a", "a", "tells", "limits", 254, 128, 0), ("b", "b", "tells", "limits", 252, 16, 0),
                          ("c", "c", "tells", "limits", 254, 256, 0), ("d", "d", "tells", "limits", 1, 0, 0)]
        wire.result(binary=True)


def blocked(cur, sql):
    """Whether a statement waits for a metadata lock that somebody holds."""
    cur.execute("SET lock_wait_timeout = 1")
    return answers(cur, sql) == 1205


def test_what_a_running_program_uses_waits_to_be_changed(server, cur):
    cur.execute("CREATE TABLE t (a INT)")
    cur.execute("CREATE TABLE u (a INT)")
    cur.execute("CREATE VIEW v AS SELECT a FROM u")
    cur.execute("CREATE FUNCTION helper() RETURNS INT READS SQL DATA RETURN (SELECT COUNT(*) FROM v)")
    cur.execute("CREATE VIEW w AS SELECT helper() AS n")
    cur.execute("CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW IF FALSE THEN SET NEW.a = (SELECT n FROM w); END IF")
    other = server.connect(database="limits", autocommit=False)
    with other.cursor() as o:
        o.execute("INSERT INTO t VALUES (1)")
        # no branch that names them was taken; still all of it is the statement's
        for sql in ("DROP TABLE u", "ALTER TABLE u ADD b INT", "DROP VIEW v", "ALTER VIEW w AS SELECT 1 AS n", "DROP FUNCTION helper", "DROP TRIGGER tr", "TRUNCATE TABLE u"):
            assert blocked(cur, sql), sql
        o.execute("COMMIT")
        for sql in ("ALTER TABLE u ADD b INT", "DROP TRIGGER tr", "DROP FUNCTION helper", "DROP VIEW v", "DROP TABLE u"):
            assert not blocked(cur, sql), sql


def test_a_program_goes_on_with_its_text(server, cur):
    cur.execute("CREATE TABLE t (a INT)")
    cur.execute("CREATE PROCEDURE p() BEGIN SELECT 'first'; DO GET_LOCK('gate', 100); DO RELEASE_LOCK('gate'); SELECT 'last', (SELECT COUNT(*) FROM t); END")
    cur.execute("SELECT GET_LOCK('gate', 0)")
    other = server.connect(database="limits")
    got = []
    run = threading.Thread(target=lambda: got.extend(answers(other.cursor(), "CALL p()")), daemon=True)
    run.start()
    runs(server, other)
    third = server.connect(database="limits", autocommit=True)
    told = []
    with third.cursor() as c:
        c.execute("SET lock_wait_timeout = 100")

        def drop():
            told.append(answers(c, "DROP PROCEDURE p"))

        dropping = threading.Thread(target=drop, daemon=True)
        dropping.start()
        cur.execute("SELECT RELEASE_LOCK('gate')")
        run.join(PATIENCE)
        dropping.join(PATIENCE)
    assert got == [(("first",),), (("last", 0),)] and told == [[]]
    assert answers(cur, "CALL p()") == 1305


def test_a_table_that_changes_between_the_statements_of_a_procedure(cur):
    cur.execute("CREATE TABLE t (a INT)")
    cur.execute("CREATE PROCEDURE p() BEGIN INSERT INTO t VALUES (1); ALTER TABLE t ADD b INT DEFAULT 5; SELECT * FROM t; ALTER TABLE t DROP b; SELECT * FROM t; TRUNCATE TABLE t; END")
    for _ in range(3):
        assert answers(cur, "CALL p()") == [((1, 5),), ((1,),)]
    cur.execute("CREATE PROCEDURE q() BEGIN DECLARE n INT DEFAULT 0; WHILE n < 3 DO SET n = n + 1; CREATE TEMPORARY TABLE t (c INT DEFAULT 9); INSERT INTO t VALUES (); SELECT * FROM t; DROP TEMPORARY TABLE t; SELECT * FROM t; END WHILE; END")
    assert answers(cur, "CALL q()") == [((9,),)] * 3


def test_lock_tables_covers_what_triggers_and_views_reach(server, cur):
    cur.execute("CREATE TABLE t (a INT)")
    cur.execute("CREATE TABLE log (a INT)")
    cur.execute("CREATE TABLE origin (a INT)")
    cur.execute("CREATE TRIGGER tr AFTER INSERT ON t FOR EACH ROW INSERT INTO log SELECT NEW.a FROM origin")
    cur.execute("CREATE FUNCTION f() RETURNS INT READS SQL DATA RETURN (SELECT COUNT(*) FROM origin)")
    cur.execute("CREATE VIEW v AS SELECT f() AS n")
    other = server.connect(database="limits", autocommit=True)
    with other.cursor() as o:
        o.execute("LOCK TABLES t WRITE")
        for table in ("t", "log", "origin"):
            assert blocked(cur, f"ALTER TABLE {table} ADD b INT"), table
        o.execute("INSERT INTO t VALUES (1)")
        o.execute("UNLOCK TABLES")
        o.execute("LOCK TABLES v READ")
        assert blocked(cur, "ALTER TABLE origin ADD b INT")
        assert answers(o, "SELECT n FROM v") == [((0,),)]
        assert answers(o, "SELECT f()") in ([((0,),)], 1100)
        o.execute("UNLOCK TABLES")
        for table in ("t", "log", "origin"):
            assert not blocked(cur, f"ALTER TABLE {table} ADD c INT"), table


def test_only_triggers_that_may_fire_are_reached(server, cur):
    for sql in ("CREATE TABLE t (a INT PRIMARY KEY, b INT)", "CREATE TABLE log (a INT)", "CREATE TRIGGER tu BEFORE UPDATE ON t FOR EACH ROW INSERT INTO log VALUES (NEW.a)",
                "CREATE PROCEDURE p() INSERT INTO t VALUES (9, 9)", "CREATE PROCEDURE q() INSERT INTO t VALUES (9, 9) ON DUPLICATE KEY UPDATE b = 0",
                "CREATE FUNCTION fi() RETURNS INT BEGIN CALL p(); RETURN 1; END", "CREATE FUNCTION fu() RETURNS INT BEGIN CALL q(); RETURN 1; END"):
        cur.execute(sql)
    cur.execute("SET lock_wait_timeout = 1")
    with server.connect(database="limits") as c, c.cursor() as o:
        o.execute("LOCK TABLES log WRITE")
        for sql in ("INSERT INTO t VALUES (1, 1)", "REPLACE t VALUES (1, 2)", "INSERT IGNORE INTO t VALUES (1, 3)", "DO fi()", "DELETE FROM t"):
            cur.execute(sql)
        for sql in ("UPDATE t SET b = 1", "INSERT INTO t VALUES (1, 1) ON DUPLICATE KEY UPDATE b = 5", "DO fu()"):
            assert answers(cur, sql) == 1205, sql
        o.execute("UNLOCK TABLES")
    cur.execute("DO fu()")


def test_show_code_needs_a_debug_build(cur):
    cur.execute("CREATE PROCEDURE p() SELECT 1")
    for sql in ("SHOW PROCEDURE CODE p", "SHOW FUNCTION CODE p", "SHOW PROCEDURE CODE nowhere"):
        assert answers(cur, sql) == 1289


def test_an_error_in_the_middle_of_a_result_that_a_handler_takes(server, cur):
    cur.execute("CREATE TABLE t (a INT PRIMARY KEY)")
    cur.execute("INSERT INTO t VALUES (1), (2), (3)")
    cur.execute("CREATE FUNCTION f(n INT) RETURNS INT DETERMINISTIC BEGIN IF n = 3 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'three'; END IF; RETURN n; END")
    cur.execute("CREATE PROCEDURE p() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SELECT 'handled'; SELECT a, f(a) FROM t; SELECT 'after', 2; END")
    # what was sent before the error is a result of its own
    assert answers(cur, "CALL p()") == [((1, 1), (2, 2)), (("handled",),), (("after", 2),)]
    cur.execute("CREATE PROCEDURE q() BEGIN SELECT 'before'; SELECT a, f(a) FROM t; SELECT 'after'; END")
    with pytest.raises(pymysql.err.MySQLError) as e:
        cur.execute("CALL q()")
        while cur.nextset():
            pass
    assert e.value.args == (1644, "three")
    assert answers(cur, "SELECT 1") == [((1,),)]


def test_what_follows_a_program_in_a_text_of_several_statements(server, cur):
    several = server.connect(database="limits", client_flag=CLIENT.MULTI_STATEMENTS)
    cur.execute("CREATE TABLE t (a INT)")
    programs = [
        "CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END",
        "CREATE FUNCTION f() RETURNS INT DETERMINISTIC RETURN 1",
        "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW SET NEW.a = NEW.a + 1",
        "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO BEGIN END",
    ]
    with several.cursor() as c:
        for n, program in enumerate(programs, 1):
            c.execute(f"{program}; INSERT INTO t VALUES ({n}); SELECT COUNT(*) FROM t")
            found = []
            while c.nextset():
                found += c.fetchall()
            assert found == [(n,)], program
        with pytest.raises(pymysql.err.MySQLError):
            c.execute("CREATE PROCEDURE q() BEGIN nonsense; END; INSERT INTO t VALUES (9)")
    assert answers(cur, "SELECT COUNT(*) FROM t") == [((4,),)]
    assert answers(cur, "CREATE PROCEDURE q() SELECT 1; INSERT INTO t VALUES (9)") == 1064, "where one statement is allowed"
