"""`mysqlbinlog | mysql`: BINLOG statements bring another server to the same rows; what BINLOG refuses, and whom."""
import base64
import contextlib
import subprocess

import pymysql
import pytest

from lib import binlog
from lib.servers import MySQL, Server

SCHEMA = """CREATE DATABASE d
CREATE TABLE d.t (id INT PRIMARY KEY, a VARCHAR(20), b DECIMAL(12,3), c DATETIME(3), e TIMESTAMP NULL, f DOUBLE, g JSON, h ENUM('x','y'), i SET('p','q'), j BIT(9), k BLOB, l DATE, m TIME(2), n YEAR, o BIGINT UNSIGNED, v INT AS (id * 2), w INT AS (id + 1) STORED)
CREATE TABLE d.nokey (a VARCHAR(10), b INT)
CREATE TABLE d.parent (id INT PRIMARY KEY)
CREATE TABLE d.child (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES d.parent (id) ON DELETE CASCADE)
CREATE TABLE d.told (n INT AUTO_INCREMENT PRIMARY KEY, what VARCHAR(20))
CREATE TRIGGER d.tell AFTER INSERT ON d.t FOR EACH ROW INSERT INTO d.told (what) VALUES (CONCAT('in ', NEW.id))"""
CHANGES = """INSERT INTO d.t (id, a, b, c, e, f, g, h, i, j, k, l, m, n, o) VALUES (1, 'one', -1.5, '2020-02-29 12:00:00.125', '2021-01-01 00:00:01', 1e-300, '{"a": [1, "é", null]}', 'y', 'p,q', b'101010101', X'00ff', '1999-12-31', '-12:34:56.78', 2024, 18446744073709551615)
INSERT INTO d.t (id) VALUES (2), (3), (0)
UPDATE d.t SET a = CONCAT('ü', id), g = '[1.5, true]' WHERE id > 0
DELETE FROM d.t WHERE id = 3
INSERT INTO d.nokey VALUES ('a', 1), ('A', 1), ('a', 1), (NULL, NULL)
DELETE FROM d.nokey WHERE BINARY a = 'A'
UPDATE d.nokey SET b = 7 WHERE a IS NULL
DELETE FROM d.nokey WHERE a = 'a' LIMIT 1
INSERT INTO d.parent VALUES (1), (2)
INSERT INTO d.child VALUES (10, 1), (11, 1), (12, 2)
DELETE FROM d.parent WHERE id = 1
ALTER TABLE d.t ADD z INT DEFAULT 5
UPDATE d.t SET z = id"""
TABLES = ("t", "nokey", "parent", "child", "told")


@contextlib.contextmanager
def server(*options):
    s = Server(options=list(options))
    try:
        yield s.start()
    finally:
        s.remove()


def state(s):
    return {t: sorted(map(repr, s.query(f"SELECT * FROM d.{t}"))) for t in TABLES}


def statements(data):
    """The file as mysqlbinlog writes it, as far as it matters here."""
    pending = []
    for e, raw in binlog.raw(data):
        if e.kind == binlog.FORMAT:
            yield "BINLOG '%s'" % base64.b64encode(raw).decode()
        elif e.kind == binlog.QUERY:
            yield e.query
        elif e.kind == binlog.TABLE_MAP:
            pending.append(raw)
        elif e.kind in (binlog.WRITE_ROWS, binlog.UPDATE_ROWS, binlog.DELETE_ROWS):
            yield "BINLOG '%s'" % "\n".join(base64.b64encode(r).decode() for r in (*pending, raw))
            pending = []
        elif e.kind == binlog.XID:
            yield "COMMIT"


def replay(s, texts):
    with s.connect() as c, c.cursor() as cur:
        cur.execute("SET pseudo_replica_mode = 1")
        for text in texts:
            cur.execute(text)


def test_replayed_by_statements():
    with server("--log-bin=bin") as source, server("--log-bin=bin") as target:
        for sql in (SCHEMA + "\n" + CHANGES).splitlines():
            source.query(sql)
        source.query("FLUSH BINARY LOGS")
        replay(target, statements((source.dir / "data/bin.000001").read_bytes()))
        assert state(target) == state(source)
        # the target's own log has the changes again
        target.query("FLUSH BINARY LOGS")
        with server() as third:
            replay(third, statements((target.dir / "data/bin.000001").read_bytes()))
            assert state(third) == state(source)


def test_rows_are_found_again():
    """Whatever their keys are made of: values of BINARY, whose last zero bytes the log leaves out; texts that are equal by their collation only."""
    with server("--log-bin=bin") as source, server("--log-bin=bin") as target:
        source.query("CREATE DATABASE d")
        made = []
        for n, keys in enumerate(["a BINARY(7) PRIMARY KEY", "a BINARY(7) UNIQUE", "a BINARY(7)", "a BINARY(7) NOT NULL, KEY (a)", "a BINARY(7), UNIQUE (a(3))",
                                  "a CHAR(7) NOT NULL", "a VARCHAR(7) NOT NULL, KEY (a)", "a TEXT NOT NULL", "a CHAR(7) COLLATE utf8mb4_bin NOT NULL UNIQUE"]):
            made.append(f"d.f{n}")
            source.query(f"CREATE TABLE d.f{n} ({keys}, b INT)")
            source.query(f"INSERT INTO d.f{n} VALUES ('A', 1), ('a', 1), ('b', 1), ('B', 1), ('', 1)")
            source.query(f"UPDATE d.f{n} SET b = 2 WHERE BINARY a LIKE 'a%'")
            source.query(f"DELETE FROM d.f{n} WHERE BINARY a LIKE 'B%'")
            source.query(f"UPDATE d.f{n} SET a = 'c' WHERE LENGTH(TRIM('\0' FROM a)) = 0")
        source.query("FLUSH BINARY LOGS")
        replay(target, statements((source.dir / "data/bin.000001").read_bytes()))
        for t in made:
            rows = [sorted(s.query(f"SELECT * FROM {t}")) for s in (source, target)]
            assert rows[0] == rows[1] and len(rows[0]) == 4, (t, *rows)


def test_branches_of_which_nothing_was_logged():
    """XA COMMIT and XA ROLLBACK are in the log exactly where XA PREPARE is."""
    with server("--log-bin=bin") as s, s.connect(database="mysql") as c, c.cursor() as cur:
        for q in ("CREATE DATABASE d", "USE d", "CREATE TABLE p (a INT PRIMARY KEY)", "CREATE TABLE t (a INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES p (a))"):
            cur.execute(q)
        for n, end in enumerate(("COMMIT", "ROLLBACK")):
            for off, change in ((0, "INSERT IGNORE INTO t VALUES (1, 9)"), (1, f"INSERT INTO p VALUES ({n})"), (0, f"INSERT INTO p VALUES ({n + 10})")):
                cur.execute(f"SET sql_log_bin = {1 - off}")
                for q in (f"XA START 'x{n}'", change, f"XA END 'x{n}'", f"XA PREPARE 'x{n}'"):
                    cur.execute(q)
                cur.execute("SET sql_log_bin = 1")
                cur.execute(f"XA {end} 'x{n}'")
        cur.execute("FLUSH BINARY LOGS")
        xa = [e.query.split("'")[0] for e in binlog.read((s.dir / "data/bin.000001").read_bytes()) if e.kind == binlog.QUERY and e.query.startswith("XA")]
        assert xa == ["XA START X", "XA END X", "XA COMMIT X", "XA START X", "XA END X", "XA ROLLBACK X"], xa


def test_minimal_images():
    with server("--log-bin=bin", "--binlog-row-image=MINIMAL") as source, server() as target:
        for sql in (SCHEMA + "\n" + CHANGES).splitlines():
            source.query(sql)
        source.query("FLUSH BINARY LOGS")
        replay(target, statements((source.dir / "data/bin.000001").read_bytes()))
        assert state(target) == state(source)


def test_errors():
    with server("--log-bin=bin") as s:
        # what is left of mysqlbinlog's /*!\\C utf8mb4 */ when the client has read it
        for nothing in ("/*!*/", "/*! */", "/*!80000 */;"):
            s.query(nothing)
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE d.t (id INT PRIMARY KEY, a VARCHAR(20))")
        s.query("FLUSH BINARY LOGS")
        s.query("INSERT INTO d.t VALUES (1, 'x')")
        s.query("DELETE FROM d.t")
        s.query("FLUSH BINARY LOGS")
        texts = [t for t in statements((s.dir / "data/bin.000002").read_bytes()) if t.startswith("BINLOG")]
        format_event, insert, delete = texts

        def error(sql, **kw):
            with s.connect(**kw) as c, c.cursor() as cur, pytest.raises(pymysql.err.MySQLError) as e:
                for one in [sql] if isinstance(sql, str) else sql:
                    cur.execute(one)
            return e.value.args

        assert error("BINLOG 'x'") == (1575, "Decoding of base64 string failed")
        assert error("BINLOG ''")[0] == 1149 and error("BINLOG 'AAAA'")[0] == 1149
        assert error(insert) == (1609, "The BINLOG statement of type `Table_map` was not preceded by a format description BINLOG statement.")
        assert error([format_event, delete])[0] == 1032
        replay(s, [format_event, insert])
        assert error([format_event, insert])[0] == 1062
        assert s.query("SELECT * FROM d.t") == ((1, "x"),)
        with s.connect() as c, c.cursor() as cur:
            cur.execute("SET rbr_exec_mode = IDEMPOTENT")
            for text in (format_event, insert, delete, delete):
                cur.execute(text)
        assert s.query("SELECT * FROM d.t") == ()
        halves = insert[8:-1]
        with s.connect() as c, c.cursor() as cur:
            cur.execute(format_event)
            cur.execute("SET @a = %s, @b = %s", (halves[:30], halves[30:]))
            cur.execute("BINLOG @a, @b")
        assert s.query("SELECT * FROM d.t") == ((1, "x"),)
        s.query("DELETE FROM d.t")
        s.query("ALTER TABLE d.t MODIFY a INT")
        assert error([format_event, insert])[0] == 1677
        s.query("DROP TABLE d.t")
        assert error([format_event, insert])[0] == 1146
        s.query("CREATE USER u@localhost IDENTIFIED BY 'x'")
        assert error(format_event, user="u", password="x")[0] == 1227
        s.query("GRANT REPLICATION_APPLIER ON *.* TO u@localhost")
        with s.connect(user="u", password="x") as c:
            c.query(format_event)


@pytest.mark.skipif(MySQL.folder() is None, reason="scripts/mysql-peer.sh has not been run")
def test_mysqlbinlog_and_mysql():
    with server("--log-bin=bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON") as source, \
            server("--log-bin=bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON") as target:
        for sql in (SCHEMA + "\n" + CHANGES).splitlines():
            source.query(sql)
        source.query("FLUSH BINARY LOGS")
        client = [*MySQL.program("usr/bin/mysql"), "--no-defaults", "-uroot", f"--socket={target.socket}"]
        text = subprocess.run([*MySQL.program("usr/bin/mysqlbinlog"), "--no-defaults", "--verify-binlog-checksum", "--read-from-remote-server", "-uroot",
                               f"--socket={source.socket}", "bin.000001"], capture_output=True, check=True).stdout
        done = subprocess.run(client, input=text, capture_output=True)
        assert done.returncode == 0, done.stderr
        assert state(target) == state(source)
        assert target.query("SELECT @@gtid_executed") == source.query("SELECT @@gtid_executed")
