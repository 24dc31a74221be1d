"""The wire protocol: drivers (PyMySQL, mysql-connector-python in pure Python, go-sql-driver in tests/load/test_tpcc.py) and, for what they do not
reach, raw packets (tests/lib/wire.py). Column metadata is compared with MariaDB's."""
import struct
import time

import mysql.connector
import pymysql
import pytest

from lib import wire
from lib.servers import Server
from lib.wire import Raw, ServerError
from lib.wait import PATIENCE, runs

OLD = wire.BASE
NEW = wire.BASE | wire.DEPRECATE_EOF | wire.SESSION_TRACK | wire.MULTI_STATEMENTS


@pytest.fixture(scope="module")
def world(server):
    server.query("CREATE DATABASE world")
    server.query("CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(20), data LONGBLOB)", db="world")
    server.query("CREATE USER nat@'%' IDENTIFIED WITH mysql_native_password BY 'one two'")
    server.query("CREATE USER sha@'%' IDENTIFIED WITH caching_sha2_password BY 'drei'")
    server.query("GRANT ALL ON *.* TO nat@'%'")
    server.query("GRANT ALL ON *.* TO sha@'%'")
    return server


@pytest.fixture
def raw(world):
    with Raw(world, NEW, db="world") as r:
        yield r


def forget(server):
    """Empties the cache of fast authentication."""
    server.query("FLUSH PRIVILEGES")


# authentication

def test_greeting(world):
    with Raw(world) as r:
        assert r.version.startswith("8.4.") and r.plugin == "caching_sha2_password" and r.charset == 255
        for cap in (wire.SSL, wire.COMPRESS, wire.ZSTD, wire.DEPRECATE_EOF, wire.SESSION_TRACK, wire.QUERY_ATTRIBUTES, wire.CONNECT_ATTRS, wire.OPTIONAL_METADATA):
            assert r.server_caps & cap, hex(cap)
        assert r.thread_id == int(r.query("SELECT CONNECTION_ID()")[1][0][0])


@pytest.mark.parametrize("how", [dict(), dict(tcp=True), dict(tcp=True, tls=True)], ids=["socket", "tcp", "tls"])
def test_native_password(world, how):
    with Raw(world, user="nat", password="one two", plugin="mysql_native_password", **how) as r:
        assert r.query("SELECT CURRENT_USER()")[1] == [[b"nat@%"]]
    # the client guesses the other plugin: the server switches
    with Raw(world, user="nat", password="one two", **how) as r:
        assert r.steps == ["switch:mysql_native_password"]
    with pytest.raises(ServerError) as e:
        Raw(world, user="nat", password="wrong", **how)
    assert (e.value.code, e.value.state) == (1045, "28000")


@pytest.mark.parametrize("how", [dict(), dict(tcp=True, tls=True), dict(tcp=True, rsa=True)], ids=["socket", "tls", "rsa"])
def test_caching_sha2_password_full_then_fast(world, how):
    forget(world)
    with Raw(world, user="sha", password="drei", **how) as r:
        assert r.steps == ["full"], r.steps
        assert r.query("SELECT USER()")[1][0][0].startswith(b"sha@")
    with Raw(world, user="sha", password="drei", **how) as r:
        assert r.steps == ["fast"], r.steps
    with Raw(world, user="sha", password="drei", plugin="mysql_native_password", **how) as r:
        assert r.steps[0] == "switch:caching_sha2_password"
    for wrong in ("x", ""):
        with pytest.raises(ServerError) as e:
            Raw(world, user="sha", password=wrong, **how)
        assert e.value.code == 1045
    # a new password empties the cache for that account
    world.query("ALTER USER sha@'%' IDENTIFIED BY 'vier'")
    with pytest.raises(ServerError):
        Raw(world, user="sha", password="drei", **how)
    with Raw(world, user="sha", password="vier", **how) as r:
        assert r.steps == ["full"]
    world.query("ALTER USER sha@'%' IDENTIFIED BY 'drei'")


def test_tls(world):
    with Raw(world, NEW, tcp=True, tls=True) as r:
        assert r.sock.version() in ("TLSv1.2", "TLSv1.3")
    assert (world.dir / "data" / "ca.pem").exists()
    with pymysql.connect(host="127.0.0.1", port=world.port, user="root", ssl={"ca": str(world.dir / "data" / "ca.pem"), "check_hostname": False}) as c:
        c.ping()
    world.query("CREATE USER strict@'%' IDENTIFIED BY 'x' REQUIRE SSL")
    with pytest.raises(ServerError) as e:
        Raw(world, user="strict", password="x", tcp=True, rsa=True)
    assert e.value.code in (1045, 3159)
    Raw(world, user="strict", password="x", tcp=True, tls=True).close()


# commands

@pytest.mark.parametrize("text,answer", [("SELECT 1\0", 1), ("SELECT 1;\0", 1), ("SELECT 1\0\0", 1064), ("SELECT 1\0 2", 1064), ("\0", 1065)])
def test_zero_byte_at_the_end(world, text, answer):
    """C programs send the end of their string too (mysqlslap); another zero byte is an error whose text ends there. As a real MySQL 9.7 answers."""
    with world.connect() as c, c.cursor() as cur:
        if answer == 1:
            cur.execute(text)
            assert cur.fetchall() == ((1,),)
            return
        with pytest.raises(pymysql.err.MySQLError) as e:
            cur.execute(text)
        assert e.value.args[0] == answer and "\0" not in e.value.args[1]


def test_insert_id_in_the_ok_packet(world):
    """The argument of LAST_INSERT_ID(expr) is what the client is told (manual, "Information Functions": sequences); values as a real MySQL 9.7's."""
    with world.connect() as c, c.cursor() as cur:
        def told(sql):
            cur.execute(sql)
            return cur.lastrowid
        cur.execute("CREATE DATABASE IF NOT EXISTS ids")
        cur.execute("USE ids")
        cur.execute("CREATE TABLE s (id INT NOT NULL, n VARCHAR(20))")
        assert told("INSERT INTO s VALUES (0, 'a')") == 0
        assert told("UPDATE s SET id = LAST_INSERT_ID(id + 1)") == 1
        assert told("UPDATE s SET id = LAST_INSERT_ID(id + 1)") == 2
        assert told("UPDATE s SET n = 'b'") == 0
        assert told("INSERT INTO s VALUES (5, LAST_INSERT_ID(300))") == 300
        assert told("INSERT INTO s SELECT 6, LAST_INSERT_ID(400)") == 400
        cur.execute("CREATE TABLE k (id INT PRIMARY KEY AUTO_INCREMENT)")
        assert told("INSERT INTO k VALUES (12), (13)") == 13
        assert told("INSERT IGNORE INTO k VALUES (12), (13)") == 0
        assert told("INSERT INTO k VALUES (NULL), (NULL)") == 14
        cur.execute("DROP DATABASE ids")


def test_multi_statements_and_results(raw):
    columns, rows = raw.query("SELECT 1; INSERT INTO t (name) VALUES ('m'); SELECT 'zwei' AS b, NULL; SELECT nope; SELECT 4")
    assert rows == [[b"1"]] and raw.status & wire.MORE_RESULTS
    ok = raw.result()
    assert ok.affected == 1 and ok.insert_id > 0 and ok.status & wire.MORE_RESULTS
    columns, rows = raw.result()
    assert rows == [[b"zwei", None]] and columns[0].name == "b" and raw.status & wire.MORE_RESULTS
    with pytest.raises(ServerError) as e:
        raw.result()
    assert (e.value.code, e.value.state) == (1054, "42S22")
    raw.command(wire.PING)  # nothing comes behind the error
    assert raw.ok().header == 0


# text, answers where several statements are allowed, answers where one is (None: OK)
STATEMENTS = [
    ("SELECT 1;-- a", [b"1", None], [b"1"]),
    ("SELECT 1;/* a; b */ ; ", [b"1", None], [b"1"]),
    ("SELECT 1;\n# a;#b;", [b"1", None], [b"1"]),
    ("SELECT 1;; ;\n", [b"1"], [b"1"]),
    ("-- a;\nSELECT 1; -- b\nSELECT 2", [b"1", b"2"], [1064]),
    ("/* a */", [None], [None]),
    ("SELECT 1; ;SELECT 2", [b"1", 1064], [1064]),
    (";SELECT 1", [1064], [1064]),
    ("/* a */;SELECT 1", [1064], [1064]),
    (" ;; ", [1065], [1065]),
]


@pytest.mark.parametrize("text,several,one", STATEMENTS)
def test_what_follows_a_semicolon(world, text, several, one):
    """One answer for each statement that was announced: a comment behind a semicolon is one (as on MariaDB)."""
    for capabilities, expected in ((NEW, several), (OLD, one)):
        with Raw(world, capabilities) as r:
            got = []
            try:
                answer = r.query(text)
                got.append(answer[1][0][0] if isinstance(answer, tuple) else None)
                while r.status & wire.MORE_RESULTS:
                    answer = r.result()
                    got.append(answer[1][0][0] if isinstance(answer, tuple) else None)
            except ServerError as e:
                got.append(e.code)
            assert got == expected
            r.command(wire.PING)
            assert r.ok().header == 0


def test_column_definitions_follow_the_results_character_set(world):
    """Those of a prepared statement too, which was planned for another one. With SET NAMES ... COLLATE they name the collation."""
    with Raw(world, NEW) as r:
        statement = r.prepare("SELECT ? AS n, 1")[0]
        for change, charset in (("SET NAMES utf8mb4", 255), ("SET character_set_results = koi8r", 7), ("SET NAMES utf8mb4 COLLATE utf8mb4_bin", 46), ("SET NAMES latin1", 8)):
            r.query(change)
            r.execute(statement, [b"x"])
            columns = r.result(binary=True)[0]
            assert [c.charset for c in columns] == [charset, 63], change
            assert r.query("SELECT 'x'")[0][0].charset == charset


def test_set_option(world):
    with Raw(world, OLD | wire.SESSION_TRACK) as r:
        with pytest.raises(ServerError) as e:
            r.query("SELECT 1; SELECT 2")
        assert e.value.code == 1064
        r.command(wire.SET_OPTION, struct.pack("<H", 0))
        assert r.ok()[0] == 0xfe
        assert r.query("SELECT 1; SELECT 2")[1] == [[b"1"]] and r.result()[1] == [[b"2"]]
        r.command(wire.SET_OPTION, struct.pack("<H", 1))
        r.ok()
        with pytest.raises(ServerError):
            r.query("SELECT 1; SELECT 2")
        r.command(wire.SET_OPTION, struct.pack("<H", 7))
        with pytest.raises(ServerError):
            r.ok()


def test_init_db_ping_statistics_debug(raw):
    raw.command(wire.INIT_DB, b"information_schema")
    assert raw.ok().header == 0
    assert raw.query("SELECT DATABASE()")[1] == [[b"information_schema"]]
    raw.command(wire.INIT_DB, b"nosuch")
    with pytest.raises(ServerError) as e:
        raw.ok()
    assert e.value.code == 1049
    raw.command(wire.PING)
    raw.ok()
    raw.command(wire.STATISTICS)
    assert raw.packet().startswith(b"Uptime: ")
    raw.command(200)
    with pytest.raises(ServerError) as e:
        raw.ok()
    assert e.value.code == 1047


def test_field_list(raw):
    raw.command(wire.FIELD_LIST, b"t\0")
    columns = [wire.Column(p) for p in raw.rows()]
    assert [c.name for c in columns] == ["id", "name", "data"]
    assert columns[0].type == 3 and columns[0].flags & 0x203 == 0x203
    raw.command(wire.FIELD_LIST, b"t\0na%")
    assert [wire.Column(p).name for p in raw.rows()] == ["name"]
    raw.command(wire.FIELD_LIST, b"nosuch\0")
    with pytest.raises(ServerError) as e:
        raw.rows()
    assert e.value.code == 1146


def test_process_kill(world, raw):
    with Raw(world) as victim:
        victim.command(wire.QUERY, b"SELECT SLEEP(1000)")
        runs(world, victim.thread_id, "SELECT SLEEP")
        raw.command(wire.PROCESS_KILL, struct.pack("<I", victim.thread_id))
        raw.ok()
        begun = time.time()
        with pytest.raises((ServerError, EOFError, ConnectionError)):
            victim.result()
            victim.query("SELECT 1")
        assert time.time() - begun < PATIENCE
    raw.command(wire.PROCESS_KILL, struct.pack("<I", 4_000_000))
    with pytest.raises(ServerError) as e:
        raw.ok()
    assert e.value.code == 1094


def change_user(r, user, password, db=""):
    r.password = password.encode()
    answer = r.scramble("mysql_native_password")
    r.command(wire.CHANGE_USER, user.encode() + b"\0" + bytes([len(answer)]) + answer + db.encode() + b"\0" + struct.pack("<H", 45) + b"mysql_native_password\0")
    r.steps = []
    r.finish_login()


def test_change_user_and_reset_connection(world):
    with Raw(world, NEW) as r:
        r.query("SET @a = 1, @@sql_select_limit = 5")
        r.query("SET autocommit = 0")
        r.query("INSERT INTO world.t (name) VALUES ('never')")
        statement, _, _ = r.prepare("SELECT 1")
        change_user(r, "nat", "one two", "world")
        assert r.query("SELECT CURRENT_USER(), DATABASE(), @a, @@autocommit, @@sql_select_limit > 5")[1] == [[b"nat@%", b"world", None, b"1", b"1"]]
        assert r.query("SELECT COUNT(*) FROM t WHERE name = 'never'")[1] == [[b"0"]]
        r.execute(statement)
        with pytest.raises(ServerError) as e:
            r.result(binary=True)
        assert e.value.code == 1243
        r.query("SET @a = 2, SESSION sort_buffer_size = 100000")
        r.query("BEGIN")
        r.query("INSERT INTO t (name) VALUES ('never')")
        statement, _, _ = r.prepare("SELECT 1")
        r.command(wire.RESET_CONNECTION)
        r.ok()
        assert r.query("SELECT CURRENT_USER(), DATABASE(), @a, @@sort_buffer_size = @@global.sort_buffer_size")[1] == [[b"nat@%", b"world", None, b"1"]]
        assert r.query("SELECT COUNT(*) FROM t WHERE name = 'never'")[1] == [[b"0"]]
        r.execute(statement)
        with pytest.raises(ServerError):
            r.result(binary=True)
        with pytest.raises(ServerError) as e:
            change_user(r, "nat", "wrong")
        assert e.value.code == 1045


# prepared statements

@pytest.mark.parametrize("caps", [OLD, NEW], ids=["eof", "deprecate_eof"])
def test_prepared(world, caps):
    with Raw(world, caps, db="world") as r:
        statement, params, columns = r.prepare("SELECT ? + 1 AS n, CONCAT(?, 'x') AS s, ?")
        assert len(params) == 3 and [c.name for c in columns] == ["n", "s", "?"]
        r.execute(statement, [41, b"abc", None])
        columns, rows = r.result(binary=True)
        assert rows[0][0] == 0 and rows[0][1] == 1 << 4, "header and NULL bitmap (offset 2, third column)"
        assert rows[0][2:] == struct.pack("<q", 42) + b"\x04abcx"
        r.command(wire.RESET, struct.pack("<I", statement))
        r.ok()
        r.command(wire.CLOSE, struct.pack("<I", statement))
        r.execute(statement, [1, b"", 1])
        with pytest.raises(ServerError) as e:
            r.result(binary=True)
        assert (e.value.code, e.value.state) == (1243, "HY000")
        with pytest.raises(ServerError) as e:
            r.prepare("SELECT * FROM nosuch")
        assert e.value.code == 1146


def test_long_data(raw):
    statement, _, _ = raw.prepare("INSERT INTO t (name, data) VALUES (?, ?)")
    for part in (b"a" * 1000, b"", b"\0\xff" * 500_000):
        raw.command(wire.LONG_DATA, struct.pack("<IH", statement, 1) + part)
    raw.execute(statement, [b"long", ...])
    ok = raw.result()
    assert ok.affected == 1
    assert raw.query(f"SELECT LENGTH(data), LEFT(data, 3), RIGHT(HEX(RIGHT(data, 2)), 4) FROM t WHERE id = {ok.insert_id}")[1] == [[b"1001000", b"aaa", b"00FF"]]
    # RESET forgets what was sent
    raw.command(wire.LONG_DATA, struct.pack("<IH", statement, 1) + b"forgotten")
    raw.command(wire.RESET, struct.pack("<I", statement))
    raw.ok()
    raw.execute(statement, [b"short", b"new"])
    ok = raw.result()
    assert raw.query(f"SELECT data FROM t WHERE id = {ok.insert_id}")[1] == [[b"new"]]


def test_parameters_are_described(world):
    """A parameter has the type that its place gives it, and is text of 65,532 bytes where nothing does; so has a column that nothing else decides about."""
    with Raw(world, NEW, db="world") as r:
        r.query("CREATE TEMPORARY TABLE described (i INT, u BIGINT UNSIGNED, d DECIMAL(5,2), dt DATETIME, v VARCHAR(5))")
        _, params, columns = r.prepare("SELECT ?, i + ?, u = ?, d + ?, COALESCE(dt, ?), v = ?, 1.5e0 + ? FROM described WHERE ? LIMIT ?")
        kinds = [(c.type, c.flags & 32, c.length) for c in params]
        assert kinds == [(253, 0, 65532), (8, 0, 21), (8, 32, 21), (246, 0, 67), (12, 0, 26), (253, 0, 65532), (5, 0, 23), (8, 0, 21), (8, 32, 21)]
        assert columns[0].type == 253
        _, params, _ = r.prepare("INSERT INTO described VALUES (?, ?, ?, ?, ?)")
        assert [c.type for c in params] == [8, 8, 246, 12, 253]


@pytest.mark.parametrize("caps", [OLD, NEW], ids=["eof", "deprecate_eof"])
def test_cursor_and_fetch(world, caps):
    with Raw(world, caps, db="world") as r:
        statement, _, _ = r.prepare("SELECT 1 AS a UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT ?")
        r.execute(statement, [4], cursor=1)
        assert r.packet() == b"\x01"
        wire.Column(r.packet())
        end = r.packet()
        assert end[0] == 0xfe and r.end_status(end) & wire.CURSOR_EXISTS
        seen = []
        for n in (1, 2, 5):
            r.command(wire.FETCH, struct.pack("<II", statement, n))
            seen.append(len(r.rows()))
        assert seen == [1, 2, 1] and r.status & wire.LAST_ROW_SENT
        r.command(wire.FETCH, struct.pack("<II", statement, 1))
        with pytest.raises(ServerError) as e:
            r.rows()
        assert e.value.code == 1421
        assert r.query("SELECT 1")[1] == [[b"1"]]


# session state, attributes

def test_query_attributes(world):
    with Raw(world, NEW | wire.QUERY_ATTRIBUTES) as r:
        assert r.query("SELECT 1 + 1")[1] == [[b"2"]]
        try:
            rows = r.query("SELECT mysql_query_attribute_string('trace')", [("trace", "abc"), ("other", "d")])[1]
            assert rows == [[b"abc"]]
        except ServerError as e:  # MySQL has it in a component that is not installed by default
            assert e.code in (1305, 1046)
        assert r.query("SELECT 5", [("trace", "x" * 300)])[1] == [[b"5"]]


def test_connection_attributes_and_database(world):
    with Raw(world, NEW, db="world", attributes=[("program_name", "pytest"), ("_os", "x" * 100)]) as r:
        assert r.query("SELECT DATABASE()")[1] == [[b"world"]]
    with pytest.raises(ServerError) as e:
        Raw(world, NEW, db="nosuch")
    assert e.value.code == 1049


def test_session_tracking(raw):
    ok = raw.query("USE information_schema")
    assert (1, [b"information_schema"]) in ok.changes, ok.changes
    ok = raw.query("SET autocommit = 0")
    assert (0, [b"autocommit", b"OFF"]) in ok.changes, ok.changes
    ok = raw.query("SET NAMES latin1")
    names = {p[0] for k, p in ok.changes if k == 0}
    assert {b"character_set_client", b"character_set_connection", b"character_set_results"} <= names
    # only what session_track_system_variables lists
    assert not raw.query("SET lock_wait_timeout = 5").changes
    raw.query("SET session_track_system_variables = '*', session_track_state_change = ON")
    assert raw.query("SET lock_wait_timeout = 6").changes == [(0, [b"lock_wait_timeout", b"6"]), (2, [b"1"])]
    assert raw.query("SET @a = 1, @b = 2").changes == [(2, [b"1"])]
    assert not raw.query("DO 1").changes
    raw.query("SET session_track_schema = OFF, session_track_state_change = OFF")
    assert not raw.query("USE mysql").changes


TRANSACTIONS = """\
SET session_track_transaction_info = 'CHARACTERISTICS'
SELECT 1
SELECT * FROM t
INSERT INTO t VALUES (1)
DO 1
BEGIN
SELECT 1
SELECT * FROM t
SELECT * FROM t FOR UPDATE
INSERT INTO t VALUES (2)
INSERT INTO t VALUES (2)
UPDATE t SET a = a WHERE a = 77
SELECT UUID()
INSERT INTO t SELECT LENGTH(UUID())
DO 1
SAVEPOINT x
ROLLBACK TO x
COMMIT
DO 1
START TRANSACTION READ ONLY
SELECT a FROM t
ROLLBACK
START TRANSACTION WITH CONSISTENT SNAPSHOT
COMMIT
START TRANSACTION READ WRITE, WITH CONSISTENT SNAPSHOT
COMMIT
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE
SET TRANSACTION READ ONLY
DO 1
SELECT 1
SELECT a FROM t
BEGIN
COMMIT
SET TRANSACTION ISOLATION LEVEL READ COMMITTED
START TRANSACTION
SELECT a FROM t
COMMIT AND CHAIN
SELECT a FROM t
ROLLBACK
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED
BEGIN
COMMIT
SET SESSION TRANSACTION READ ONLY
BEGIN
COMMIT
SET SESSION TRANSACTION READ WRITE
SET autocommit = 0
SELECT 1
SELECT a FROM t
SELECT 1
INSERT INTO t VALUES (3)
COMMIT
INSERT INTO t VALUES (4)
CREATE TABLE u (a INT)
SET autocommit = 1
LOCK TABLES t WRITE
INSERT INTO t VALUES (5)
SELECT a FROM t
UNLOCK TABLES
BEGIN
SELECT a FROM t
CREATE TABLE v (a INT)
BEGIN
INSERT INTO t VALUES (6)
DROP TABLE u, v
BEGIN
ROLLBACK
BEGIN
SELECT a FROM nosuch
DELETE FROM t WHERE a = 6
ROLLBACK
SET session_track_transaction_info = 'STATE'
BEGIN
SELECT a FROM t
COMMIT
SET session_track_transaction_info = 'OFF'
BEGIN
COMMIT
"""


def test_transaction_tracking(world, mariadb):
    """session_track_transaction_info, statement by statement as MariaDB reports it."""
    def changes(server):
        server.query("CREATE DATABASE IF NOT EXISTS tracked")
        server.query("DROP TABLE IF EXISTS t", db="tracked")
        server.query("CREATE TABLE t (a INT)", db="tracked")
        out = []
        with Raw(server, NEW, db="tracked") as r:
            for statement in TRANSACTIONS.splitlines():
                try:
                    r.query(statement)
                    out.append((statement, [c for c in r.changes if c[0] in (4, 5)]))
                except ServerError as e:
                    out.append((statement, e.code))
        return out
    for ours, theirs in zip(changes(world), changes(mariadb), strict=True):
        assert ours == theirs


def test_status_flags(raw):
    assert raw.query("BEGIN").status & 3 == 3
    assert raw.query("COMMIT").status & 3 == 2
    assert raw.query("SET autocommit = 0").status & 2 == 0
    raw.query("SET sql_mode = 'NO_BACKSLASH_ESCAPES'")
    assert raw.query("DO 1").status & 0x200
    ok = raw.query("UPDATE t SET name = name WHERE id < 0")
    assert ok.info == b"Rows matched: 0  Changed: 0  Warnings: 0"


@pytest.mark.parametrize("end", ["COMMIT RELEASE", "ROLLBACK AND NO CHAIN RELEASE"])
def test_release_is_answered_before_the_end(world, end):
    for caps in (OLD, NEW):
        with Raw(world, caps, db="world") as r:
            assert r.query(end).status & 2
            with pytest.raises((ConnectionError, EOFError, OSError)):
                r.query("DO 1")


def test_column_names_follow_the_text(raw):
    """The plan is shared by statements that differ in their literals only; the names are not."""
    for n in (1, 22, 333):
        assert raw.query(f"SELECT {n}, {n} + id FROM t LIMIT 0")[0][1].name == f"{n} + id"
        assert raw.query(f"SELECT {n}")[0][0].name == str(n)


def test_found_rows_capability(world):
    world.query("REPLACE INTO t (id, name) VALUES (9001, 'same')", db="world")
    for caps, affected in ((NEW, 0), (NEW | wire.FOUND_ROWS, 1)):
        with Raw(world, caps, db="world") as r:
            assert r.query("UPDATE t SET name = 'same' WHERE id = 9001").affected == affected


# size and compression

@pytest.mark.parametrize("cap", [wire.COMPRESS, wire.ZSTD], ids=["zlib", "zstd"])
def test_compression(world, cap):
    with Raw(world, NEW | cap) as r:
        assert r.compression
        assert r.query("SELECT 1")[1] == [[b"1"]]
        assert r.query("SELECT REPEAT('ab', 3000000)")[1] == [[b"ab" * 3_000_000]]
        assert r.squeezed > 0
        assert r.query("SELECT LENGTH('" + "z" * 3_000_000 + "')")[1] == [[b"3000000"]]
    # with TLS beneath
    with Raw(world, NEW | cap, tcp=True, tls=True) as r:
        assert r.query("SELECT REPEAT('ab', 300000)")[1] == [[b"ab" * 300_000]]


@pytest.mark.parametrize("cap", [0, wire.COMPRESS, wire.ZSTD], ids=["plain", "zlib", "zstd"])
def test_packets_above_16_mib(world, cap):
    with Raw(world, NEW | cap) as r:
        for n in (0xffffff - 1, 0xffffff, 0xffffff + 1, 20 << 20):
            text = b"SELECT LENGTH('" + b"q" * (n - 18) + b"')"
            assert len(text) + 1 == n
            columns, rows = r.query(text)
            assert rows == [[str(n - 18).encode()]], n
            assert columns[0].name == "LENGTH('" + "q" * 248, "a column's name ends after 256 characters"
        for n in (0xffffff - 4, 0xffffff - 3, 20 << 20):  # the row's length bytes bring it across the edge
            assert r.query(f"SELECT REPEAT('r', {n})")[1] == [[b"r" * n]], n
        r.command(wire.PING)
        r.ok()


def test_max_allowed_packet():
    s = Server(options=["--max-allowed-packet=2M"]).start()
    try:
        with Raw(s, NEW) as r:
            assert r.query(b"SELECT LENGTH('" + b"x" * (2 << 20 >> 1) + b"')")[1] == [[b"1048576"]]
            with pytest.raises((ServerError, EOFError, ConnectionError)) as e:
                r.query(b"SELECT LENGTH('" + b"x" * (3 << 20) + b"')")
            assert not isinstance(e.value, ServerError) or (e.value.code, e.value.state) == (1153, "08S01")
        columns = s.query("SELECT REPEAT('x', 3000000)")
        assert columns == ((None,),), "longer than max_allowed_packet: NULL and a warning"
        with s.connect() as c, c.cursor() as cur:
            with pytest.raises(pymysql.err.OperationalError) as e:
                cur.execute("SET SESSION max_allowed_packet = 1000000")
            assert e.value.args[0] == 1621
        assert s.stop() == 0
    finally:
        s.remove()


def test_results_without_metadata(world):
    for caps in (OLD, NEW):
        with Raw(world, caps, db="world") as r, pytest.raises(ServerError) as e:
            r.query("SET resultset_metadata = NONE")
        assert e.value.code == 3640
        with Raw(world, caps | wire.OPTIONAL_METADATA, db="world") as r:
            assert r.query("SELECT 1, 'a'")[1] == [[b"1", b"a"]]
            r.query("SET resultset_metadata = NONE")
            assert r.query("SELECT 1, 'a', 3") == ([None] * 3, [[b"1", b"a", b"3"]])
            r.query("SET resultset_metadata = FULL")
            assert [c.name for c in r.query("SELECT 1 AS one")[0]] == ["one"]


def test_slow_statements_say_so(world):
    for caps in (OLD, NEW):
        with Raw(world, caps, db="world") as r:
            r.query("SET long_query_time = 0.1")
            r.query("SELECT SLEEP(0.2)")
            assert r.status & 0x0800
            r.query("SELECT 1")
            assert not r.status & 0x0800


def test_what_is_not_prepared(world):
    with Raw(world, NEW, db="world") as r:
        for sql in ("SELECT @@warning_count", "SET @a = @@session.error_count", "GET DIAGNOSTICS @a = NUMBER", "CREATE PROCEDURE p() SELECT 1"):
            with pytest.raises(ServerError) as e:
                r.prepare(sql)
            assert e.value.code == 1295, sql
        # a cursor cannot run over what goes elsewhere
        s, _, _ = r.prepare("SELECT 1 INTO @a")
        r.execute(s, [], cursor=1)
        with pytest.raises(ServerError) as e:
            r.result(binary=True)
        assert e.value.code == 1323


# metadata

TYPES = """c_tiny TINYINT, c_tinyu TINYINT UNSIGNED NOT NULL, c_bool BOOL, c_small SMALLINT, c_med MEDIUMINT UNSIGNED ZEROFILL, c_int INT, c_intu INT UNSIGNED,
c_big BIGINT, c_bigu BIGINT UNSIGNED, c_float FLOAT, c_double DOUBLE, c_dbl2 DOUBLE(10,3), c_dec DECIMAL(10,2), c_decu DECIMAL(12,0) UNSIGNED, c_bit BIT(10),
c_char CHAR(10), c_varchar VARCHAR(50) NOT NULL, c_latin VARCHAR(30) CHARACTER SET latin1 COLLATE latin1_swedish_ci, c_bin BINARY(8), c_varbin VARBINARY(20),
c_tt TINYTEXT, c_text TEXT, c_mt MEDIUMTEXT, c_lt LONGTEXT, c_tb TINYBLOB, c_blob BLOB, c_mb MEDIUMBLOB, c_lb LONGBLOB,
c_date DATE, c_time TIME, c_time3 TIME(3), c_dt DATETIME, c_dt6 DATETIME(6), c_ts TIMESTAMP NULL, c_year YEAR, c_enum ENUM('a','bb') NOT NULL, c_set SET('x','yy')"""

EXPRESSIONS = ["1", "-1", "1.50", "1e0", "'abc'", "NULL", "1 + 1", "2 / 3", "c_int + 1", "c_dec * 2", "COUNT(*)", "SUM(c_int)", "AVG(c_int)", "SUM(c_double)", "MAX(c_varchar)",
               "MIN(c_date)", "CONCAT(MAX(c_char), 'x')", "LENGTH(MAX(c_text))", "1 = 1", "CURRENT_DATE()", "NOW()", "NOW(3)", "CAST(1 AS UNSIGNED)", "CAST('1' AS DECIMAL(8,3))"]


def metadata(server, sql, init=()):
    with Raw(server, OLD, db="meta") as r:
        for q in init:
            r.query(q)
        return {c.name: c for c in r.query(sql)[0]}


@pytest.fixture(scope="module")
def both(world, mariadb):
    for s in (world, mariadb):
        s.query("DROP DATABASE IF EXISTS meta")
        s.query("CREATE DATABASE meta CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")
        s.query(f"CREATE TABLE every (id INT UNSIGNED NOT NULL AUTO_INCREMENT, {TYPES}, PRIMARY KEY (id), UNIQUE KEY (c_int), KEY (c_varchar, c_char)) DEFAULT CHARSET utf8mb4 COLLATE utf8mb4_general_ci", db="meta")
    return world, mariadb


def compare(ours, theirs):
    assert list(ours) == list(theirs)
    wrong = []
    for name, a in ours.items():
        b = theirs[name]
        for f in wire.Column.FIELDS:
            x, y = getattr(a, f), getattr(b, f)
            if f == "decimals" and y == 39:
                y = 31  # MariaDB's number for "not fixed"
            if f == "flags":
                # MariaDB: AUTO_INCREMENT etc. are the same bits; bits above are its own, and MySQL marks NO_DEFAULT_VALUE (4096) alike
                x, y = x & 0x7fff, y & 0x7fff
                if b.type == 7:  # MariaDB's TIMESTAMP is unsigned
                    y &= ~32
            if x != y:
                wrong.append(f"{name}.{f}: {x}, MariaDB {y}")
    return wrong


def test_metadata_of_every_type(both):
    ours, theirs = (metadata(s, "SELECT * FROM every") for s in both)
    wrong = compare(ours, theirs)
    assert not wrong, "\n".join(wrong)


def test_metadata_of_aliases(both):
    sql = "SELECT e.c_int AS i, e.c_text, x.c_varchar v, (SELECT MAX(c_char) FROM every) AS sub FROM every AS e JOIN meta.every x ON e.id = x.id"
    ours, theirs = (metadata(s, sql) for s in both)
    wrong = compare(ours, theirs)
    assert not wrong, "\n".join(wrong)
    assert (ours["i"].table, ours["i"].org_table, ours["i"].org_name, ours["i"].schema) == ("e", "every", "c_int", "meta")


def test_metadata_in_another_character_set(both):
    sql = "SELECT c_char, c_latin, c_text, c_enum, c_bin, c_int FROM every"
    ours, theirs = (metadata(s, sql, ["SET NAMES latin1 COLLATE latin1_swedish_ci"]) for s in both)
    wrong = compare(ours, theirs)
    assert not wrong, "\n".join(wrong)


def test_metadata_without_conversion(both):
    """Every column tells its own collation and comes in its own bytes: Connector/J works so."""
    sql = "SELECT c_char, c_latin, c_tt, c_text, c_mt, c_enum, c_bin, c_int FROM every"
    ours, theirs = (metadata(s, sql, ["SET character_set_results = NULL"]) for s in both)
    wrong = compare(ours, theirs)
    assert not wrong, "\n".join(wrong)


def test_metadata_of_expressions(both):
    """Types and names agree with MariaDB's; lengths differ between the two servers' own versions and are not compared."""
    wrong = []
    for e in EXPRESSIONS:
        (a,), (b,) = (metadata(s, f"SELECT {e} FROM every").values() for s in both)
        # MySQL 8.4's integer expressions are BIGINT, MariaDB's INT where that is enough
        b.type = 8 if b.type == 3 else b.type
        b.decimals = 31 if b.decimals == 39 else b.decimals
        if (a.type, a.name, a.decimals, a.table) != (b.type, b.name, b.decimals, b.table):
            wrong.append(f"{e}: type {a.type} name {a.name} decimals {a.decimals}; MariaDB {b.type} {b.name} {b.decimals}")
    assert not wrong, "\n".join(wrong)


# drivers

def connector(world, **kw):
    return mysql.connector.connect(host="127.0.0.1", port=world.port, use_pure=True, database="world", **kw)


def test_mysql_connector(world):
    for user, password in (("root", ""), ("sha", "drei"), ("nat", "one two")):
        c = connector(world, user=user, password=password, autocommit=True)
        cur = c.cursor()
        cur.execute("SELECT CURRENT_USER(), %s, %s", ("ä", 3))
        assert cur.fetchall()[0][1:] == ("ä", 3)
        cur = c.cursor(prepared=True)
        cur.execute("INSERT INTO t (name, data) VALUES (?, ?)", ("prep", b"\0\1"))
        cur.execute("SELECT name, data FROM t WHERE id = ?", (cur.lastrowid,))
        assert cur.fetchall() == [("prep", b"\0\1")]
        c.cmd_reset_connection()
        c.cmd_change_user("nat", "one two", "world")
        assert c.is_connected() and c.cmd_statistics()["Uptime"] >= 0
        c.close()
    c = connector(world, user="root", compress=True)
    cur = c.cursor()
    cur.execute("SELECT REPEAT('x', 100000)")
    assert len(cur.fetchone()[0]) == 100000
    c.close()


def test_pymysql_types_round_trip(both):
    import datetime
    from decimal import Decimal
    world, _ = both
    with world.connect(database="meta") as c, c.cursor() as cur:
        cur.execute("INSERT INTO every (c_tinyu, c_varchar, c_enum, c_dec, c_dt6, c_time3, c_bit, c_set, c_date, c_year, c_med, c_float) VALUES"
                    " (200, 'ü😀', 'bb', 12.3, '2026-01-02 03:04:05.678901', '-12:34:56.789', 5, 'x,yy', '1000-01-01', 2026, 7, 0.1)")
        cur.execute("SELECT c_tinyu, c_varchar, c_enum, c_dec, c_dt6, c_time3, c_bit, c_set, c_date, c_year, c_med, c_float FROM every WHERE id = %s", (cur.lastrowid,))
        assert cur.fetchone() == (200, "ü😀", "bb", Decimal("12.30"), datetime.datetime(2026, 1, 2, 3, 4, 5, 678901), -datetime.timedelta(hours=12, minutes=34, seconds=56, milliseconds=789),
                                  b"\0\5", "x,yy", datetime.date(1000, 1, 1), 2026, 7, 0.1)
    with world.connect(cursorclass=pymysql.cursors.SSCursor, database="meta") as c, c.cursor() as cur:
        cur.execute("SELECT id FROM every")
        assert cur.fetchone() == (1,)


def test_error_behind_column_definitions(both):
    """A row lock that cannot be had is an error that comes when the columns are out already."""
    world, _ = both
    with Raw(world, OLD, db="world") as a, Raw(world, OLD, db="world") as b:
        a.query("REPLACE INTO t (id, name) VALUES (77, 'x')")
        a.query("BEGIN")
        a.query("SELECT * FROM t WHERE id = 77 FOR UPDATE")
        b.query("SET innodb_lock_wait_timeout = 1")
        with pytest.raises(ServerError) as e:
            b.query("SELECT * FROM t WHERE id = 77 FOR UPDATE")
        assert e.value.code == 1205
        with pytest.raises(ServerError) as e:
            b.query("SELECT * FROM t WHERE id = 77 FOR UPDATE NOWAIT")
        assert e.value.code == 3572
        assert b.query("SELECT id FROM t WHERE id = 77 FOR UPDATE SKIP LOCKED")[1] == []
        assert b.query("SELECT 1")[1] == [[b"1"]]


def test_counters_of_prepared_statements(raw):
    """A session's own Com_stmt_* counters, also of the commands that have no answer."""
    def counts():
        return {n.decode(): int(v) for n, v in raw.query("SHOW SESSION STATUS LIKE 'Com_stmt%'")[1]}

    before = counts()
    for n in range(3):
        statement, _, _ = raw.prepare("SELECT ?")
        raw.execute(statement, [n])
        raw.result(binary=True)
        raw.command(0x1A, struct.pack("<I", statement))
        raw.ok()
        raw.command(0x19, struct.pack("<I", statement))
    after = counts()
    assert {k: after[k] - before[k] for k in after if after[k] != before[k]} == {"Com_stmt_prepare": 3, "Com_stmt_execute": 3, "Com_stmt_reset": 3, "Com_stmt_close": 3}
