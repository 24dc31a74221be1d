"""Clients whose character set hides ASCII: the second byte of a character may be a backslash or a quote. Where MariaDB has the set it is asked too."""
import pathlib
import shutil
import tempfile

import pymysql
import pytest

from lib.servers import MariaDB, Server

# a character of two bytes the second of which is a backslash (big5 功 A55C, gbk 誠 D55C, sjis 表 955C)
CLIENTS = [("gbk", "gbk", "誠中"), ("big5", "big5", "功中"), ("sjis", "sjis", "表日"), ("cp932", "cp932", "表①"), ("gb18030", "gb18030", "誠中😀")]


@pytest.fixture(scope="module")
def servers():
    # a folder that MariaDB, another user, can enter
    files = pathlib.Path(tempfile.mkdtemp(prefix="ek-test-"))
    files.chmod(0o777)
    both = [kind(options=[f"--secure-file-priv={files}"]).start() for kind in (Server, MariaDB)]
    for s in both:
        s.files = files
        s.query("CREATE DATABASE d CHARACTER SET utf8mb4")
    yield both
    for s in both:
        s.remove()
    shutil.rmtree(files, ignore_errors=True)


def ask(conn, sql):
    with conn.cursor() as c:
        c.execute(sql)
        return c.fetchall()


def raw(s, charset, codec):
    """A connection that sends and receives bytes of the set."""
    c = s.connect(database="d", charset="utf8mb4")
    ask(c, f"SET NAMES {charset}")
    c.encoding = codec
    return c


@pytest.mark.parametrize("charset,codec,word", CLIENTS)
def test_statements(servers, charset, codec, word):
    for s in servers:
        if s.name == "mariadb" and charset == "gb18030":
            continue
        c = raw(s, charset, codec)
        code = word[0].encode(codec)
        assert code[1:] == b"\\" and ask(c, f"SELECT '{word}', HEX('{word}'), LENGTH('{word[0]}'), '{word[0]}\\'x', \"{word[0]}\"") == (
            (word, word.encode(codec).hex().upper(), 2, f"{word[0]}'x", word[0]),), s.name
        assert ask(c, f"SELECT CHARSET('{word}'), HEX(_{charset}'{word[0]}'), HEX(_latin1'{word[0]}'), HEX(_binary'{word[0]}')") == (
            (charset, code.hex().upper(), code.hex().upper(), code.hex().upper()),), s.name
        ask(c, "DROP TABLE IF EXISTS t")
        ask(c, f"CREATE TABLE t (id INT PRIMARY KEY, `{word}` VARCHAR(20), g VARCHAR(20) CHARACTER SET {charset} DEFAULT '{word}', e ENUM('{word}','x') CHARACTER SET utf8mb4) COMMENT '{word}'")
        ask(c, f"INSERT INTO t (id, `{word}`, e) VALUES (1,'{word}','{word}'),(2,'{word[0]}','x')")
        assert ask(c, f"SELECT `{word}`, g, e FROM t WHERE `{word}` = '{word}' AND g LIKE '{word[0]}%'") == ((word, word, word),), s.name
        assert ask(c, f"SELECT id FROM t WHERE `{word}` IN ('{word[0]}', 'a\\\\') ORDER BY 1") == ((2,),), s.name
        # another client sees the same
        with s.connect(database="d") as u:
            assert ask(u, f"SELECT `{word}`, g FROM t WHERE id = 1") == ((word, word),), s.name
            assert ask(u, "SELECT table_comment FROM information_schema.tables WHERE table_schema='d' AND table_name='t'") == ((word,),)
        ask(c, f"PREPARE p FROM 'SELECT ''{word}'', ?'")
        ask(c, f"SET @v = '{word}'")
        assert ask(c, "EXECUTE p USING @v") == ((word, word),), s.name
        ask(c, f"SET @s = 'SELECT ''{word}'' AS a'")
        ask(c, "PREPARE q FROM @s")
        assert ask(c, "EXECUTE q") == ((word,),), s.name
        with pytest.raises(pymysql.err.ProgrammingError) as e:
            ask(c, f"SELECT `{word[0]}` FROM FROM t")
        assert e.value.args[0] == 1064
        # the cached plan of the same tokens with other characters
        assert ask(c, f"SELECT CONCAT('{word[0]}', 'b')") == ((word[0] + "b",),) and ask(c, f"SELECT CONCAT('{word[1]}', 'b')") == ((word[1] + "b",),)
        c.close()


def test_errors_in_the_clients_set(servers):
    """Manual, "Error Message Character Set": errors are converted to character_set_results; what that lacks is its code point."""
    for s in servers:
        if s.name == "mariadb":
            continue
        c = s.connect(database="d", charset="utf8mb4")
        c.encoding = "koi8-r"
        ask(c, "SET NAMES koi8r")

        def error(sql):
            # PyMySQL reads messages as UTF-8 whatever the client's set is
            c._execute_command(3, sql if isinstance(sql, bytes) else sql.encode(c.encoding))
            n = int.from_bytes(c._read_bytes(4)[:3], "little")
            data = c._read_bytes(n)
            assert data[0] == 0xff
            return data[9:].decode(c.encoding)
        assert error("SELECT * FROM `таблица`") == "Table 'd.таблица' doesn't exist"
        assert "near 'привет'" in error("SELECT 1 FROM t привет привет")
        ask(c, "SET character_set_results = latin1")
        c.encoding = "latin1"
        assert "d.\\0436" in error(b"SELECT * FROM `\xd6`")  # the koi8r byte of ж
        ask(c, "SET NAMES utf8mb4")
        ask(c, "SET character_set_results = NULL")
        c.encoding = "utf8"
        assert error("SELECT * FROM `ж😀`") == "Table 'd.ж😀' doesn't exist"
        ask(c, "SET character_set_results = utf8mb3")
        assert error("SELECT * FROM `ж😀`") == "Table 'd.ж\\+01F600' doesn't exist"
        # SHOW in another set is counted once
        ask(c, "SET NAMES koi8r")
        c.encoding = "koi8-r"
        count = lambda: int(ask(c, "SHOW STATUS LIKE 'Com_show_tables'")[0][1])
        before = count()
        ask(c, "SHOW TABLES LIKE 'ж%'")
        assert count() == before + 1


def test_connection_set(servers):
    """Literals are converted from the client's set to the connection's."""
    for s in servers:
        with s.connect(database="d") as c:
            ask(c, "SET collation_connection = latin1_swedish_ci")
            assert ask(c, "SELECT HEX('ä'), CHARSET('ä')") == (("E4", "latin1"),)
            ask(c, "SET NAMES utf8mb4")
            ask(c, "SET character_set_results = ucs2")
            c.query("SELECT 'a中'")
            assert tuple(c._result.rows[0])[0] in ("\0aN-", b"\0aN-")
            ask(c, "SET character_set_results = utf8mb4")
            for wide in ("ucs2", "utf16", "utf16le", "utf32"):
                with pytest.raises(pymysql.MySQLError) as e:
                    ask(c, f"SET NAMES {wide}")
                assert e.value.args[0] == 1231
            ask(c, "SET GLOBAL character_set_server = ucs2")
            with s.connect() as fresh:
                assert ask(fresh, "SELECT '中'") == (("中",),)
            ask(c, "SET GLOBAL character_set_server = utf8mb4")


@pytest.mark.parametrize("charset,codec,word", CLIENTS)
def test_files(servers, charset, codec, word):
    """A file in the set, written and read: no byte of a character is taken for an escape."""
    for s in servers:
        if s.name == "mariadb" and charset == "gb18030":
            continue
        with s.connect(database="d") as c:
            ask(c, "DROP TABLE IF EXISTS f")
            ask(c, "CREATE TABLE f (a VARCHAR(4000), b INT)")
            ask(c, f"INSERT INTO f VALUES ('{word}',1),('a\\\\{word[0]}\\n',2),(NULL,3),(REPEAT('x{word}',900),4)")
            path = s.files / f"{s.name}-{charset}.txt"
            ask(c, f"SELECT * FROM f ORDER BY b INTO OUTFILE '{path}' CHARACTER SET {charset}")
            text = path.read_bytes()
            if s.name == "evenkeel":
                assert text.decode(codec).split("\n")[0] == f"{word}\t1"
            before = ask(c, "SELECT * FROM f ORDER BY b")
            ask(c, "TRUNCATE f")
            ask(c, f"LOAD DATA INFILE '{path}' INTO TABLE f CHARACTER SET {charset}")
            assert ask(c, "SELECT * FROM f ORDER BY b") == before, s.name
