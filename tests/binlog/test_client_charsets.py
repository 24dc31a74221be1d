"""Clients of character sets whose characters may end in a byte that looks like a quote or a backslash: what they define and change comes to a replica as it is at
the source, as text or as rows, whatever names and values hold."""
import pytest

from binlog.test_replica import caught_up, pair, point

CLIENTS = ["utf8mb4", "latin1", "gbk", "sjis", "big5", "gb18030", "cp932"]
CODECS = {"utf8mb4": "utf8", "sjis": "cp932"}


def send(c, text):
    c._execute_command(3, text)
    c._read_query_result()


NAMES = ["\u8868`, @x:=(SELECT 1)", "`;DROP TABLE d.t;", "\u00e4\u8868`", "a\\", "\u8868\\", "x'\"", "\u00c3\u00df``", "\u58a8`\u58a8``"]
VALUES = [b"\xbf'; DROP TABLE d.t", b"\x95\x5c", b"plain", b"\xb1\x60\x60", b"\\'"]


@pytest.mark.parametrize("client", CLIENTS)
def test_names_and_values_stay_inside(client):
    """User variables of an Evenkeel source, whatever they are called and hold, in sessions of each character set whose characters may end like a quote."""
    with pair() as (s, r):
        point(s, r)
        r.query("START REPLICA")
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE d.t (n INT AUTO_INCREMENT PRIMARY KEY, a BLOB, b BLOB, c DOUBLE)")
        codec = CODECS.get(client, client)
        with s.connect() as c, c.cursor() as cur:
            cur.execute("SET binlog_format = 'STATEMENT'")
            cur.execute(f"SET NAMES {client}")
            done = 0
            for name in NAMES:
                try:
                    quoted = "`".encode() + b"".join(b"``" if ch == "`" else ch.encode(codec) for ch in name) + b"`"
                except UnicodeEncodeError:
                    continue
                for v in VALUES:
                    text = b"SET @" + quoted + b" = X'" + v.hex().encode() + b"', @m = 1.250, @u = 18446744073709551615, @i = -5, @d = 2.5e0, @z = NULL"
                    send(c, text)
                    send(c, b"INSERT INTO d.t (a, b, c) VALUES (@" + quoted + b", CONCAT_WS('/', @m, @u, @i, @d, @z, LAST_INSERT_ID()), RAND())")
                    done += 1
            assert done >= 15
        caught_up(s, r)
        wanted = s.query("SELECT n, HEX(a), b, c FROM d.t ORDER BY n")
        assert len(wanted) == done and r.query("SELECT n, HEX(a), b, c FROM d.t ORDER BY n") == wanted

# whose second byte is a backslash or a letter, in some sets
WORDS = {"utf8mb4": "\u00e4\u8868", "latin1": "\u00e4\u00df", "gbk": "\u8aa0\u8868", "sjis": "\u8868\u30bd", "big5": "\u529f\u8a31", "gb18030": "\u8aa0\u8868", "cp932": "\u8868\u2460"}
DEFINITIONS = r"""CREATE DATABASE {d}
USE {d}
CREATE TABLE {t} (a INT PRIMARY KEY, {c} VARCHAR(40) CHARACTER SET utf8mb4 DEFAULT '{w}', e ENUM('{w}', 'b') CHARACTER SET utf8mb4) COMMENT '{w}'
INSERT INTO {t} (a) VALUES (1)
INSERT INTO {t} VALUES (2, '{w}''\'\\', '{w}')
SET binlog_format = 'STATEMENT'
INSERT INTO {t} VALUES (3, '\\{w}', '{w}')
UPDATE {t} SET {c} = CONCAT({c}, '{w}'';') WHERE {c} LIKE '%{w}%'
SET binlog_format = 'ROW'
CREATE USER {u}@localhost IDENTIFIED BY '{w}' COMMENT '{w}'
GRANT SELECT ({c}) ON {t} TO {u}@localhost
CREATE TABLE {z} LIKE {t}
RENAME TABLE {z} TO {r}
ALTER TABLE {r} COMMENT '{w}\'', ADD {n} INT
CREATE PROCEDURE {p} () COMMENT '{w}' UPDATE {t} SET {c} = '{w}!' WHERE a = 1
CREATE TRIGGER {g} BEFORE INSERT ON {t} FOR EACH ROW SET NEW.{c} = CONCAT(NEW.{c}, '{w}?')
CALL {p}()
INSERT INTO {t} VALUES (4, '{w}', 'b')
CREATE VIEW {v} AS SELECT a, '{w}' AS {c}, {c} AS {n} FROM {t} WHERE {c} LIKE '{w}%'
CREATE TABLE {x} (a INT, b VARCHAR(40) CHARACTER SET utf8mb4 AS (CONCAT('{w}', a)), {c} VARCHAR(40) CHARACTER SET utf8mb4 DEFAULT (CONCAT('{w}', '#')), CHECK ({c} <> '{w}'))
INSERT INTO {x} (a) VALUES (1)
CREATE EVENT {e} ON SCHEDULE EVERY 1 DAY DISABLE COMMENT '{w}' DO DELETE FROM {t} WHERE {c} = '{w}'
SAVEPOINT {n}
XA START '{w}'
INSERT INTO {t} (a) VALUES (5)
XA END '{w}'
XA PREPARE '{w}'
XA COMMIT '{w}'""".split("\n")
SHOWN = [
    "SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_COMMENT FROM information_schema.TABLES WHERE TABLE_SCHEMA LIKE 'd%' ORDER BY 1, 2",
    "SELECT TABLE_NAME, COLUMN_NAME, COLUMN_DEFAULT, COLUMN_TYPE FROM information_schema.COLUMNS WHERE TABLE_SCHEMA LIKE 'd%' ORDER BY 1, ORDINAL_POSITION",
    "SELECT ROUTINE_NAME, ROUTINE_DEFINITION, ROUTINE_COMMENT, CHARACTER_SET_CLIENT FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA LIKE 'd%'",
    "SELECT TRIGGER_NAME, ACTION_STATEMENT, CHARACTER_SET_CLIENT FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA LIKE 'd%'",
    "SELECT TABLE_NAME, VIEW_DEFINITION, CHARACTER_SET_CLIENT FROM information_schema.VIEWS WHERE TABLE_SCHEMA LIKE 'd%'",
    "SELECT EVENT_NAME, EVENT_DEFINITION, EVENT_COMMENT FROM information_schema.EVENTS", "SELECT User, authentication_string, User_attributes FROM mysql.user WHERE User LIKE 'u%'",
    "SELECT * FROM mysql.columns_priv",
]


@pytest.mark.parametrize("client", CLIENTS)
def test_definitions(client):
    """What a client defines, with names and values of its character set; bodies of programs are shown as they were written."""
    word = WORDS[client]
    with pair(source=["--log-bin-trust-function-creators=ON"]) as (s, r):
        point(s, r)
        r.query("START REPLICA")
        names = {x: f"`{x}{word}'\\`" for x in "dtcuzrnpgevx"}
        with s.connect() as c, c.cursor() as cur:
            cur.execute(f"SET NAMES {client}")
            for q in DEFINITIONS:
                send(c, q.format(w=word, **names).encode(CODECS.get(client, client)))
        caught_up(s, r)
        shown = [s.query(q) for q in SHOWN]
        assert [r.query(q) for q in SHOWN] == shown
        assert all(word in repr(x) for x in shown) and f"= '{word}!'" in shown[2][0][1] and f"'{word}?'" in shown[3][0][1]
        rows = s.query(f"SELECT * FROM {names['d']}.{names['t']}")
        assert r.query(f"SELECT * FROM {names['d']}.{names['t']}") == rows
        for server in (s, r):
            assert server.query(f"SELECT * FROM {names['d']}.{names['v']} WHERE a = 1") == ((1, word, f"{word}!"),)
            assert server.query(f"SELECT * FROM {names['d']}.{names['x']}") == ((1, f"{word}1", f"{word}#"),)
        assert [x[1] for x in rows] == [f"{word}!", f"{word}''\\{word}';", f"\\{word}{word}';", f"{word}{word}?", f"{word}{word}?"]
