"""`binlog_format` of a session: the events beside MySQL's, byte by byte (`peers.py` recorded them); notes 1592 with MySQL's reasons; what is refused; that a
replica that runs the texts has the same rows."""
import re

import pytest
from binlog import events, peers
from binlog.test_replica import caught_up, pair, point, state
from lib.servers import MySQL, Server
from lib.wait import until

SETUP = ["CREATE DATABASE f", "USE f", "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT UNIQUE, b INT)", "CREATE TABLE s (a INT, b INT)",
         "CREATE TABLE p (id INT PRIMARY KEY, b INT)", "CREATE TABLE au (id INT AUTO_INCREMENT PRIMARY KEY, b INT)", "INSERT INTO s VALUES (1, 1), (2, 2)",
         "INSERT INTO p VALUES (1, 1)", "CREATE VIEW v AS SELECT a FROM s LIMIT 1",
         "CREATE FUNCTION fa() RETURNS INT DETERMINISTIC BEGIN INSERT INTO au (b) VALUES (1); RETURN 1; END",
         "CREATE FUNCTION fr() RETURNS INT DETERMINISTIC RETURN RAND() * 10"]
LIMIT, FUNCTION, VARIABLE = "The statement is unsafe because it uses a LIMIT", "Statement is unsafe because it uses a system function", "Statement is unsafe because it uses a system variable"
COUNTS, INSIDE = "Statements writing to a table with an auto-increment column", "Statement is unsafe because it invokes a trigger or a stored function"
# recorded from MySQL 9.7: the words that its reasons begin with, in its order
NOTES = [
    ("INSERT INTO t (a) VALUES (1)", []),
    ("INSERT INTO t (a) VALUES (10000 * RAND() + 5000)", [FUNCTION]),
    ("INSERT INTO t (a, b) SELECT a + 50, b FROM s", [COUNTS]),
    ("INSERT INTO t (a, b) VALUES (1000, (SELECT MAX(b) FROM s))", [COUNTS]),
    ("INSERT INTO t (a) SELECT a + 20000 FROM t", [COUNTS]),
    ("INSERT INTO t (a) SELECT 7", []),
    ("UPDATE t JOIN s ON t.id = s.a SET t.b = 1", [COUNTS]),
    ("DELETE t FROM t JOIN s ON t.id = s.a", [COUNTS]),
    ("REPLACE INTO t (a, b) SELECT a + 60, b FROM s", [COUNTS, "REPLACE... SELECT is unsafe"]),
    ("REPLACE INTO p SELECT a, b FROM s", ["REPLACE... SELECT is unsafe"]),
    ("REPLACE INTO p SELECT 1, 5", ["REPLACE... SELECT is unsafe"]),
    ("INSERT INTO p SELECT a + 1000, b FROM s", []),
    ("UPDATE p SET b = 2 LIMIT 1", [LIMIT]),
    ("UPDATE p SET b = 2 ORDER BY id LIMIT 1", [LIMIT]),
    ("UPDATE p SET b = (SELECT a FROM s ORDER BY a LIMIT 1)", [LIMIT]),
    ("UPDATE p SET b = (SELECT a FROM v)", [LIMIT]),
    ("DELETE FROM p ORDER BY id LIMIT 1", [LIMIT]),
    ("INSERT INTO t VALUES (100, 100, 1) ON DUPLICATE KEY UPDATE b = 3", ["INSERT... ON DUPLICATE KEY UPDATE  on a table with more than one"]),
    ("INSERT INTO p VALUES (1, 1) ON DUPLICATE KEY UPDATE b = 3", []),
    ("INSERT IGNORE INTO p SELECT a + 7, b FROM s", ["INSERT IGNORE... SELECT is unsafe"]),
    ("INSERT IGNORE INTO p VALUES (1, 1)", []),
    ("INSERT INTO p SELECT a + 10, b FROM s ON DUPLICATE KEY UPDATE b = 1", ["INSERT... SELECT... ON DUPLICATE KEY UPDATE is unsafe"]),
    ("INSERT INTO t SELECT a + 10, b + 600, 6 FROM s ON DUPLICATE KEY UPDATE b = 1", ["INSERT... SELECT... ON DUPLICATE KEY UPDATE is unsafe", COUNTS]),
    ("UPDATE IGNORE p SET b = 4", ["UPDATE IGNORE is unsafe"]),
    ("DELETE IGNORE FROM p WHERE id = 8", []),
    ("INSERT INTO p VALUES (11002, @@server_id)", [VARIABLE]),
    ("INSERT INTO p VALUES (11004, @@timestamp)", []),
    ("INSERT INTO p VALUES (11005, @@session.auto_increment_increment)", []),
    ("INSERT INTO p VALUES (11006, @@insert_id)", [VARIABLE]),
    ("INSERT INTO p VALUES (11007, CONNECTION_ID())", []),
    ("INSERT INTO p VALUES (11008, LENGTH(USER()))", [FUNCTION]),
    ("INSERT INTO p VALUES (11009, LENGTH(CURRENT_USER()))", [FUNCTION]),
    ("INSERT INTO p VALUES (11010, LENGTH(DATABASE()))", []),
    ("INSERT INTO p VALUES (11011, LENGTH(VERSION()))", [FUNCTION]),
    ("INSERT INTO p VALUES (11012, LENGTH(UUID()))", [FUNCTION]),
    ("INSERT INTO p VALUES (11015, ROW_COUNT())", [FUNCTION]),
    ("INSERT INTO p VALUES (11017, RAND(1) * 10)", [FUNCTION]),
    ("INSERT INTO p VALUES (11018, fa())", [INSIDE]),
    ("INSERT INTO p VALUES (11019, fr())", [FUNCTION]),
    ("INSERT INTO p VALUES (11023, LENGTH(CURDATE()))", []),
    ("INSERT INTO p VALUES (11024, LENGTH(SYSDATE()))", [FUNCTION]),
    ("INSERT INTO p VALUES (11025, UNIX_TIMESTAMP())", []),
    ("INSERT INTO p SELECT b + 12000, 2 FROM s LIMIT 1", [LIMIT]),
    ("INSERT INTO p SELECT a + 13000, 2 FROM s FOR UPDATE SKIP LOCKED", ["Statement is unsafe because it uses SKIP LOCKED"]),
    ("INSERT INTO p SELECT a + 13010, 2 FROM s FOR UPDATE NOWAIT", ["Statement is unsafe because it uses NOWAIT"]),
    ("INSERT INTO p SELECT 15000, COUNT(*) FROM performance_schema.threads", ["The statement is unsafe because it uses the general log"]),
    ("INSERT INTO p SELECT 15001, COUNT(*) FROM information_schema.schemata", []),
    ("REPLACE INTO p VALUES (1, 1)", []),
]


def comparable(lines):
    """Without what the moment decides, and user variables of one statement in the order of their names (MySQL: in that in which it met them)."""
    out, held = [], []
    for line in map(events.plain, lines):
        line = re.sub(r"^RAND .*", "RAND", line)
        line = re.sub(r"^(WRITE_ROWS 0 0 020002ff0051000000).*", r"\1 RAND()", line)
        # MySQL ends with XID what finds a row and leaves it as it is
        line = "XID 0" if line.startswith("QUERY flags=8 error=0 [f] 'COMMIT'") else line
        # ends a transaction that changed nothing, and names a schema or none
        line = re.sub(r"^(QUERY flags=\d+ error=0 \[f\] '(BEGIN|COMMIT)' .*)", lambda m: re.sub(r" ?schemas=\S+", "", m[1]), line)
        if line.startswith("USER_VAR"):
            held.append(line)
            continue
        out += sorted(held) + [re.sub(r" ?(schemas|sql_foreign_keys)=\S+?(?=[ }])", "", line)]
        held = []
    return out + sorted(held)


def test_same_events():
    server = Server(options=["--log-bin=bin", "--server-id=1"])
    try:
        server.start()
        seen, wrong = 0, []
        with server.connect() as c, c.cursor() as cur:
            for q, lines in peers.recorded("statement_format"):
                failed = []
                try:
                    cur.execute(q)
                    cur.fetchall()
                except Exception as e:  # noqa: BLE001
                    failed = [f"error {e.args[0]}"]
                file, count = server.dir / "data/bin.000001", len([line for line in lines if not line.startswith("error")])
                try:
                    until(lambda: len(events.settled(file)) >= seen + count, seconds=2)
                except AssertionError:
                    pass
                got = [events.show(e) for e in events.settled(file)[seen:]]
                seen += len(got)
                mine, theirs = comparable(failed + got), comparable(lines)
                if mine != theirs:
                    wrong.append("\n".join([f">> {q}", *(f"  ours   {x}" for x in mine), *(f"  mysql  {x}" for x in theirs)]))
        assert not wrong, "\n".join(wrong)
    finally:
        server.remove()


@pytest.fixture(scope="module")
def server():
    s = Server(options=["--log-bin=bin", "--server-id=1"])
    try:
        s.start()
        yield s
    finally:
        s.remove()


def test_notes_and_refusals(server):
    with server.connect() as c, c.cursor() as cur:
        for q in SETUP:
            cur.execute(q)
        cur.execute("CREATE PROCEDURE called() UPDATE p SET b = 777")
        cur.execute("SET binlog_format = 'STATEMENT'")
        wrong = []
        for q, reasons in NOTES:
            cur.execute(q)
            cur.execute("SHOW WARNINGS")
            told = [text.split("BINLOG_FORMAT = STATEMENT. ")[1] for level, n, text in cur.fetchall() if (level, n) == ("Note", 1592)]
            if len(told) != len(reasons) or not all(a.startswith(b) for a, b in zip(told, reasons)):
                wrong.append((q, told))
        assert not wrong, "\n".join(map(str, wrong))

        def error(q, code):
            with pytest.raises(Exception) as e:
                cur.execute(q)
            assert e.value.args[0] == code, (q, e.value)

        error("CALL called()", 1235)
        cur.execute("CREATE TEMPORARY TABLE tt (a INT)")
        cur.execute("INSERT INTO tt VALUES (5000)")
        error("INSERT INTO p SELECT a, 1 FROM tt", 1235)
        error("SET binlog_format = 'ROW'", 3745)
        cur.execute("DROP TEMPORARY TABLE tt")
        cur.execute("SET autocommit = 0")
        cur.execute("SELECT COUNT(*) FROM p WHERE b = 777 OR id = 5000")
        assert cur.fetchone()[0] == 0
        error("SET binlog_format = 'ROW'", 1679)
        cur.execute("COMMIT")
        cur.execute("SET autocommit = 1, binlog_format = 'ROW'")
        cur.execute("UPDATE p SET b = 8")
        cur.execute("SHOW BINLOG EVENTS")
        texts = [r[5] for r in cur.fetchall() if r[2] == "Query"]
        assert "use `f`; REPLACE INTO p SELECT a, b FROM s" in texts
        assert not [t for t in texts if "called" in t and "CREATE" not in t or "tt" in t or "b = 8" in t]


def test_prepared(server):
    """Values stand in the text; LIMIT ? too."""
    server.query("CREATE DATABASE prep")
    server.query("CREATE TABLE prep.w (id INT PRIMARY KEY, b VARCHAR(100) CHARACTER SET utf8mb4)")
    with server.connect() as c, c.cursor() as cur:
        cur.execute("USE prep")
        cur.execute("SET binlog_format = 'STATEMENT', @x = 'it''s', @i = 3, @d = 1.5, @n = NULL, @f = 1e0, @l = _latin1 X'E9'")
        cur.execute("PREPARE a FROM 'INSERT /* ? */ INTO w VALUES (?, ?), (LENGTH(\\'?\\') + 100 + ?, ?)'")
        cur.execute("EXECUTE a USING @i, @x, @f, @n")
        cur.execute("PREPARE a FROM 'UPDATE w SET b = CONCAT(?, b, ?) WHERE id = ? LIMIT ?'")
        cur.execute("EXECUTE a USING @d, @l, @i, @i")
        cur.execute("SELECT * FROM w")
        rows = cur.fetchall()
        cur.execute("SHOW BINLOG EVENTS")
        texts = [r[5] for r in cur.fetchall() if r[2] == "Query" and r[5].startswith("use `prep`; ") and "CREATE" not in r[5]]
        assert len(texts) == 2 and "?" not in texts[1] and rows == ((3, "1.5it'sé"), (102, None))
        # the texts give the same
        cur.execute("DELETE FROM w")
        for t in texts:
            cur.execute(t.split("; ", 1)[1])
        cur.execute("SELECT * FROM w")
        assert cur.fetchall() == rows


CHUNK = ("REPLACE INTO percona.checksums (db, tbl, chunk, this_cnt, this_crc) SELECT 'd', 't', '{}', COUNT(*) AS cnt, COALESCE(LOWER(CONV(BIT_XOR(CAST(CRC32("
         "CONCAT_WS('#', id, a, CONCAT(ISNULL(a)))) AS UNSIGNED)), 10, 16)), 0) AS crc FROM d.t FORCE INDEX (PRIMARY) WHERE id >= {} AND id < {} /*checksum chunk*/")


@pytest.mark.parametrize("replica", [Server, pytest.param(MySQL, marks=pytest.mark.skipif(MySQL.folder() is None, reason="scripts/mysql-peer.sh has not been run"))])
def test_replica_computes_anew(replica):
    """As pt-table-checksum uses it: the replica runs the text, so a row that it lacks is seen; settings, variables, seeds and ids are the source's."""
    with pair() as (s, r):
        if replica is MySQL:
            r.remove()
            r = MySQL(options=["--log-bin=bin", "--server-id=2", "--gtid-mode=ON", "--enforce-gtid-consistency=ON"]).start()
            r.query("RESET BINARY LOGS AND GTIDS")
        try:
            point(s, r)
            r.query("START REPLICA")
            with s.connect() as c, c.cursor() as cur:
                for q in ["CREATE DATABASE d", "CREATE DATABASE percona", "CREATE TABLE d.t (id INT AUTO_INCREMENT PRIMARY KEY, a VARCHAR(100))",
                          "CREATE TABLE percona.checksums (db CHAR(64), tbl CHAR(64), chunk INT, this_crc CHAR(40), this_cnt INT, master_crc CHAR(40), PRIMARY KEY (db, tbl, chunk))",
                          "CREATE TABLE d.what (id INT AUTO_INCREMENT PRIMARY KEY, a VARCHAR(100), b DOUBLE, c DATETIME(6), n INT)",
                          "CREATE TRIGGER d.tr AFTER INSERT ON d.what FOR EACH ROW INSERT INTO d.t (a) VALUES (CONCAT(@from_trigger, NEW.id))"]:
                    cur.execute(q)
                cur.execute("INSERT INTO d.t (a) VALUES " + ", ".join(f"('a{i}')" for i in range(40)))
                caught_up(s, r)
                r.query("SET sql_log_bin = 0") if replica is Server else None
                r.query("DELETE FROM d.t WHERE id = 25")
                cur.execute("SET @@binlog_format := 'STATEMENT'")
                cur.execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                for i in range(4):
                    cur.execute(CHUNK.format(i, i * 10 + 1, i * 10 + 11))
                    crc = s.query(f"SELECT this_crc FROM percona.checksums WHERE chunk = {i}")[0][0]
                    cur.execute(f"UPDATE percona.checksums SET master_crc = '{crc}' WHERE db = 'd' AND chunk = {i}")
                cur.execute("SET @from_trigger = 'é', @d = -12.50, @big = 18446744073709551615, time_zone = '+05:00', sql_mode = 'PIPES_AS_CONCAT', auto_increment_increment = 3")
                cur.execute("INSERT INTO d.what (a, b, c, n) VALUES ('x' || @d || @big, RAND(), NOW(6), LAST_INSERT_ID()), (@nothing, RAND(), SYSDATE(6) > 0, 0)")
                cur.execute("SET timestamp = 1000000000.25, @d = 'later'")
                cur.execute("INSERT INTO d.what (a, c, n) VALUES (@d, NOW(6), LAST_INSERT_ID())")
                cur.execute("SET binlog_format = 'MIXED'")
                cur.execute("INSERT INTO d.what (a, b) VALUES (UUID(), CONNECTION_ID())")
                cur.execute("DELETE FROM d.what WHERE id < 0")
            caught_up(s, r) if replica is Server else r.query("SELECT WAIT_FOR_EXECUTED_GTID_SET('{}', 30)".format(s.query("SELECT @@GLOBAL.gtid_executed")[0][0]))
            assert state(s, "percona") != state(r, "percona")
            assert r.query("SELECT chunk, this_cnt FROM percona.checksums WHERE this_crc <> master_crc") == ((2, 9),)
            assert s.query("SELECT COUNT(*) FROM percona.checksums WHERE this_crc <> master_crc") == ((0,),)
            assert s.query("SELECT * FROM d.what") == r.query("SELECT * FROM d.what")
            assert s.query("SELECT * FROM d.t WHERE id <> 25") == r.query("SELECT * FROM d.t WHERE id <> 25")
        finally:
            r.remove()
