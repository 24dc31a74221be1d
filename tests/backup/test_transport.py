"""Tables as files: FLUSH TABLES ... FOR EXPORT on one server, IMPORT TABLESPACE on another."""
import hashlib
import random
import shutil
import struct
import threading

import pymysql
import pytest

from lib.servers import MySQL, Server
from lib.wait import until

PAGE = 16384

TYPES = """CREATE TABLE d.all_types (
  id BIGINT PRIMARY KEY AUTO_INCREMENT, ti TINYINT, tu TINYINT UNSIGNED, si SMALLINT, mi MEDIUMINT, i INT UNSIGNED, big BIGINT UNSIGNED,
  f FLOAT, dbl DOUBLE, dec1 DECIMAL(30, 10), bt BIT(13), y YEAR, dt DATE, t TIME(3), dtm DATETIME(6), ts TIMESTAMP(2) NULL,
  c CHAR(10), vc VARCHAR(300), cs VARCHAR(50) CHARACTER SET latin1, u16 VARCHAR(20) CHARACTER SET utf16, bin BINARY(250), vb VARBINARY(100),
  tx TEXT, lt LONGTEXT, bl LONGBLOB, e ENUM('a', 'b', 'ö'), s SET('x', 'y', 'z'), j JSON,
  g1 INT GENERATED ALWAYS AS (ti + 1) VIRTUAL, g2 VARCHAR(400) GENERATED ALWAYS AS (concat(vc, '!')) STORED,
  KEY (big), UNIQUE KEY (dec1), KEY (vc(7)), KEY (tx(20), i), KEY (dtm DESC), KEY (g1), KEY ((upper(c))), KEY ((CAST(j->'$.n' AS UNSIGNED ARRAY))), FULLTEXT KEY (lt))"""


@pytest.fixture
def pair():
    servers = [Server().start(), Server().start()]
    yield servers
    [s.remove() for s in servers]


@pytest.fixture
def one():
    server = Server().start()
    yield server
    server.remove()


def run(connection, sql, args=None):
    with connection.cursor() as c:
        c.execute(sql, args)
        return c.fetchall()


def fails(connection, sql):
    with pytest.raises(pymysql.err.MySQLError) as e:
        run(connection, sql)
    return e.value.args


def at(server, table, ending="ibd", schema="d"):
    return server.dir / "data" / schema / f"{table}.{ending}"


def export(server, table, to):
    """What a user does: the copies are in `to`."""
    c = server.connect()
    run(c, f"FLUSH TABLES d.{table} FOR EXPORT")
    for ending in ("ibd", "cfg"):
        shutil.copy(at(server, table, ending), to / f"{table}.{ending}")
    run(c, "UNLOCK TABLES")
    assert not at(server, table).exists() and not at(server, table, "cfg").exists()
    c.close()


def lay(server, table, folder, source=None):
    for ending in ("ibd", "cfg"):
        shutil.copy(folder / f"{source or table}.{ending}", at(server, table, ending))


def both(source, target, table, tmp):
    """The table of `source` on `target`, which has none or another of the name; their checksums and contents are equal."""
    create = source.query(f"SHOW CREATE TABLE d.{table}")[0][1]
    with target.connect() as c:
        run(c, "CREATE DATABASE IF NOT EXISTS d")
        run(c, "USE d")
        run(c, "SET foreign_key_checks = 0")
        run(c, f"DROP TABLE IF EXISTS {table}")
        run(c, create)
        run(c, f"ALTER TABLE {table} DISCARD TABLESPACE")
        export(source, table, tmp)
        lay(target, table, tmp)
        run(c, f"ALTER TABLE {table} IMPORT TABLESPACE")
    assert not at(target, table).exists() and not at(target, table, "cfg").exists()
    for q in (f"SELECT * FROM d.{table}", f"CHECKSUM TABLE d.{table}", f"SHOW CREATE TABLE d.{table}"):
        assert sorted(map(repr, source.query(q))) == sorted(map(repr, target.query(q))), q
    assert target.query(f"CHECK TABLE d.{table} EXTENDED")[0][3] == "OK"


def test_every_type(pair, tmp_path):
    source, target = pair
    source.query("CREATE DATABASE d")
    source.query(TYPES)
    rng = random.Random(3)
    with source.connect() as c:
        for n in range(300):
            text = "".join(rng.choices("abc öä日本語 xyz", k=rng.choice((0, 3, 40))))
            row = dict(ti=rng.randint(-128, 126), tu=rng.randint(0, 255), si=-n, mi=n * 1000, i=n, big=2**64 - 1 - n, f=n / 3, dbl=n / 7, dec1=f"{n}.0123456789", bt=n % 8192,
                       y=1970 + n % 100, dt=f"20{n % 100:02}-02-{1 + n % 28:02}", t=f"-{n}:01:02.345", dtm=f"2026-11-{1 + n % 28:02} 01:02:03.{n:06}", ts=f"20{n % 30 + 1:02}-03-04 05:06:07.8",
                       c=text[:10].strip(), vc=text * 5, cs="cäfé", u16=text[:20], bin=bytes(range(n % 200)), vb=bytes(rng.choices(range(256), k=n % 100)), tx=text * 50,
                       lt=f"word{n} " * rng.choice((0, 10, 9000)), bl=rng.randbytes(rng.choice((0, 100, 20_000, 150_000))), e=rng.choice("abö"), s=rng.choice(("", "x", "x,z")), j='{"n": [%d, %d], "t": "%s"}' % (n, n + 1, text * 30))
            row = {k: (None if k not in ("dec1",) and rng.random() < 0.05 else v) for k, v in row.items()}
            run(c, f"INSERT INTO d.all_types ({', '.join(row)}) VALUES ({', '.join(['%s'] * len(row))})", list(row.values()))
        run(c, "DELETE FROM d.all_types WHERE id % 7 = 0")
        run(c, "UPDATE d.all_types SET bl = NULL, vc = 'shorter' WHERE id % 5 = 0")
        # the counter is beyond the rows
        run(c, "DELETE FROM d.all_types WHERE id > 290")
    both(source, target, "all_types", tmp_path)
    for q in ("SELECT id FROM d.all_types WHERE 17 MEMBER OF (j->'$.n') ORDER BY id", "SELECT id FROM d.all_types WHERE upper(c) > 'A' ORDER BY id",
              "SELECT id FROM d.all_types WHERE MATCH (lt) AGAINST ('word11') ORDER BY id", "SELECT g1, count(*) FROM d.all_types GROUP BY g1 ORDER BY g1"):
        assert source.query(q) == target.query(q), q
    for s in pair:
        s.query("INSERT INTO d.all_types (ti) VALUES (1)")
    assert source.query("SELECT max(id) FROM d.all_types") == target.query("SELECT max(id) FROM d.all_types") == ((301,),)


def test_rows_from_before_instant_changes_and_without_a_key(pair, tmp_path):
    source, target = pair
    source.query("CREATE DATABASE d")
    for sql in ("CREATE TABLE d.i (a INT PRIMARY KEY, b VARCHAR(20), gone INT)", "INSERT INTO d.i VALUES (1, 'x', 1), (2, NULL, 2)", "ALTER TABLE d.i ADD COLUMN c INT DEFAULT 7, ALGORITHM = INSTANT",
                "INSERT INTO d.i VALUES (3, 'y', 3, 3)", "ALTER TABLE d.i DROP COLUMN gone, ALGORITHM = INSTANT", "ALTER TABLE d.i ADD COLUMN v INT AS (c * 2) VIRTUAL, ALGORITHM = INSTANT",
                "INSERT INTO d.i (a, b, c) VALUES (4, 'z', 40)",
                "CREATE TABLE d.nokey (a INT, b TEXT, KEY (a))", "INSERT INTO d.nokey WITH RECURSIVE n AS (SELECT 1 n UNION ALL SELECT n + 1 FROM n WHERE n < 900) SELECT n % 50, repeat('b', n) FROM n",
                "CREATE TABLE d.nothing (a INT PRIMARY KEY, b INT, KEY (b))", "CREATE TABLE d.parent (a INT PRIMARY KEY)", "INSERT INTO d.parent VALUES (1)",
                "CREATE TABLE d.child (a INT, FOREIGN KEY (a) REFERENCES parent (a))", "INSERT INTO d.child VALUES (1), (NULL)"):
        source.query(sql)
    for t in ("i", "nokey", "nothing", "parent", "child"):
        both(source, target, t, tmp_path)
    assert target.query("SELECT * FROM d.i ORDER BY a") == ((1, "x", 7, 14), (2, None, 7, 14), (3, "y", 3, 6), (4, "z", 40, 80))
    target.query("INSERT INTO d.nokey VALUES (1, 'new')")
    assert target.query("SELECT count(*) FROM d.nokey") == ((901,),)
    with pytest.raises(pymysql.err.IntegrityError):
        target.query("DELETE FROM d.parent")
    # the same server takes a table back as it was
    source.query("CREATE TABLE d.back LIKE d.nokey")
    export(source, "nokey", tmp_path)
    source.query("ALTER TABLE d.back DISCARD TABLESPACE")
    lay(source, "back", tmp_path, "nokey")
    source.query("ALTER TABLE d.back IMPORT TABLESPACE")
    assert source.query("CHECKSUM TABLE d.back")[0][1] == source.query("CHECKSUM TABLE d.nokey")[0][1]


def test_an_exported_file_is_whole_and_still(one, tmp_path):
    """Purge has work for the table, others write beside: the bytes do not change while the lock is held, and each export
    has what the table has then."""
    one.query("CREATE DATABASE d")
    for t in ("t", "other"):
        one.query(f"CREATE TABLE d.{t} (a INT PRIMARY KEY, b VARCHAR(3000), c BLOB, KEY (b(100)))")
    one.query("CREATE TABLE d.copy LIKE d.t")
    stop, errors = threading.Event(), []

    def write(table, seed):
        rng = random.Random(seed)
        try:
            with one.connect() as c:
                while not stop.is_set():
                    try:
                        run(c, f"REPLACE INTO d.{table} VALUES (%s, %s, %s)", (rng.randrange(400), "b" * rng.randrange(3000), b"c" * rng.choice((10, 40_000))))
                        low = rng.randrange(400)
                        run(c, f"DELETE FROM d.{table} WHERE a BETWEEN %s AND %s", (low, low + rng.randrange(10)))
                    except pymysql.err.OperationalError as e:
                        if e.args[0] != 1213:
                            raise
        except Exception as e:  # noqa: BLE001
            errors.append(e)

    threads = [threading.Thread(target=write, args=(t, n)) for n, t in enumerate(("t", "t", "other", "other"))]
    [t.start() for t in threads]
    try:
        with one.connect() as c:
            for _ in range(5):
                run(c, "FLUSH TABLES d.t FOR EXPORT")
                rows = run(c, "SELECT count(*) FROM d.t")
                said = "SHOW GLOBAL STATUS LIKE 'Innodb_rows_inserted'"
                written, hashes = one.query(said), set()
                for _ in range(4):
                    hashes.add(hashlib.sha256(at(one, "t").read_bytes()).hexdigest())
                    until(lambda: one.query(said) != written)
                    written = one.query(said)
                for ending in ("ibd", "cfg"):
                    shutil.copy(at(one, "t", ending), tmp_path / f"t.{ending}")
                hashes.add(hashlib.sha256((tmp_path / "t.ibd").read_bytes()).hexdigest())
                assert len(hashes) == 1
                run(c, "UNLOCK TABLES")
                run(c, "ALTER TABLE d.copy DISCARD TABLESPACE")
                lay(one, "copy", tmp_path, "t")
                run(c, "ALTER TABLE d.copy IMPORT TABLESPACE")
                assert run(c, "SELECT count(*) FROM d.copy") == rows
                assert run(c, "CHECK TABLE d.copy")[0][3] == "OK"
    finally:
        stop.set()
        [t.join() for t in threads]
    assert not errors


def sealed(page):
    """Its checksum made right."""
    return struct.pack("<I", crc32c(page[4:])) + page[4:]


TABLE = []
for _n in range(256):
    for _ in range(8):
        _n = _n >> 1 ^ (0x82F63B78 if _n & 1 else 0)
    TABLE.append(_n)


def crc32c(b):
    crc = 0xFFFFFFFF
    for x in b:
        crc = crc >> 8 ^ TABLE[(crc ^ x) & 0xFF]
    return crc ^ 0xFFFFFFFF


def test_damaged_and_hostile_files(pair, tmp_path):
    source, target = pair
    source.query("CREATE DATABASE d")
    create = "CREATE TABLE d.t (a INT PRIMARY KEY, b VARCHAR(200), c LONGBLOB, e ENUM('x', 'y'), dt DATE, KEY (b))"
    source.query(create)
    with source.connect() as c:
        for n in range(1500):
            run(c, "INSERT INTO d.t VALUES (%s, %s, %s, 'x', '2026-01-02')", (n, "text" * 30, b"c" * (40_000 if n % 100 == 0 else 10)))
    export(source, "t", tmp_path)
    good, cfg = (tmp_path / "t.ibd").read_bytes(), (tmp_path / "t.cfg").read_bytes()
    target.query("CREATE DATABASE d")
    target.query(create)
    c = target.connect()
    rows = source.query("SELECT count(*), sum(a), sum(length(c)) FROM d.t")

    def attempt(ibd, meta=cfg):
        """`None`: it was imported (and is as it should be); else the error. The table is discarded again."""
        run(c, "ALTER TABLE d.t DISCARD TABLESPACE")
        at(target, "t").write_bytes(ibd)
        at(target, "t", "cfg").write_bytes(meta)
        try:
            run(c, "ALTER TABLE d.t IMPORT TABLESPACE")
        except pymysql.err.MySQLError as e:
            assert fails(c, "SELECT * FROM d.t")[0] == 1814
            assert at(target, "t").exists()
            return e.args
        return None

    assert attempt(good) is None
    assert target.query("SELECT count(*), sum(a), sum(length(c)) FROM d.t") == rows
    pages = [good[i:i + PAGE] for i in range(0, len(good), PAGE)]
    kinds = {}
    for n, page in enumerate(pages):
        kinds.setdefault((page[12], page[13], page[32:40]), []).append(n)
    assert {k[0] for k in kinds} >= {1, 2, 3}
    rng = random.Random(5)
    # each kind of page: a flipped bit is found, or the page is not needed (secondary indexes are built anew)
    said, needed = set(), []
    for kind, where in kinds.items():
        n = where[len(where) // 2]
        b = bytearray(good)
        b[n * PAGE + rng.randrange(PAGE)] ^= 1 << rng.randrange(8)
        e = attempt(bytes(b))
        if e:
            assert e[0] == 1815 and f"'d/t.ibd', page {n}: checksum mismatch" in e[1], (kind, e)
            said.add(kind[0])
            needed.append(n)
        else:
            assert target.query("SELECT count(*), sum(a), sum(length(c)) FROM d.t") == rows
    assert said >= {1, 2, 3}
    # with a right checksum: an error, or rows that this table can have; never more than a second or a lost connection
    for _ in range(120):
        n = rng.randrange(len(pages))
        page = bytearray(pages[n])
        if page == bytes(PAGE):
            continue
        spot = rng.choice((rng.randrange(12, 64), rng.randrange(64, 400), rng.randrange(12, PAGE)))
        page[spot:spot + 4] = rng.choice((rng.randbytes(4), b"\xff\xff\xff\xff", bytes(4)))[:max(0, min(4, PAGE - spot))]
        e = attempt(good[:n * PAGE] + sealed(bytes(page)) + good[(n + 1) * PAGE:])
        if e is None:
            run(c, "SELECT count(*), sum(length(b)), sum(length(c)), max(dt), max(e) FROM d.t")
            assert run(c, "CHECK TABLE d.t")[0][3] == "OK"
        else:
            assert e[0] in (1815, 1062), e
    # pages of other places, other tables, other times
    for n in needed:
        assert attempt(good[:n * PAGE] + pages[n - 1 if n else 1] + good[(n + 1) * PAGE:])[0] == 1815
    for short in (good[:-PAGE], good + bytes(PAGE), b"", good[:100]):
        assert "not as long as FOR EXPORT says" in attempt(short)[1]
    assert attempt(good, cfg[:50])[0] == 1815 and attempt(good, b"")[0] == 1815
    assert "checksum mismatch" in attempt(good, cfg[:40] + bytes([cfg[40] ^ 1]) + cfg[41:])[1]
    source.query("UPDATE d.t SET b = 'changed'")
    export(source, "t", tmp_path)
    newer = (tmp_path / "t.ibd").read_bytes()
    if len(newer) == len(good):
        assert "not of one FOR EXPORT" in attempt(newer)[1]
    at(target, "t").unlink()
    at(target, "t").mkdir()
    assert "not a regular file" in fails(c, "ALTER TABLE d.t IMPORT TABLESPACE")[1]
    at(target, "t").rmdir()
    assert fails(c, "ALTER TABLE d.t IMPORT TABLESPACE") == (1812, "Tablespace is missing for table `d`.`t`.")
    # what MySQL and MariaDB write
    innodb = bytearray(PAGE * 7)
    innodb[24:26] = b"\x00\x08"
    innodb[0:4] = b"\x12\x34\x56\x78"
    assert "a tablespace of MySQL or MariaDB" in attempt(bytes(innodb))[1]
    assert "MySQL's and MariaDB's cannot be read" in attempt(good, b"\x00\x00\x00\x05" + bytes(500))[1]
    assert target.alive()


def test_kill_at_each_step(one, tmp_path):
    one.query("CREATE DATABASE d")
    one.query("CREATE TABLE d.t (a INT PRIMARY KEY, b VARCHAR(100), KEY (b))")
    one.query("CREATE TABLE d.k LIKE d.t")
    one.query("INSERT INTO d.t WITH RECURSIVE n AS (SELECT 1 n UNION ALL SELECT n + 1 FROM n WHERE n < 900) SELECT n, repeat('b', 90) FROM n")
    # in the middle of an export: the start removes what it left, and nothing else
    c = one.connect()
    run(c, "FLUSH TABLES d.t FOR EXPORT")
    lay(one, "k", one.dir / "data" / "d", "t")
    one.kill()
    assert at(one, "t").exists() and at(one, "t", "cfg").exists()
    one.start()
    assert not at(one, "t").exists() and not at(one, "t", "cfg").exists()
    assert at(one, "k").exists() and at(one, "k", "cfg").exists()
    # discarded survives; the files are still there for the import
    one.query("ALTER TABLE d.k DISCARD TABLESPACE")
    one.kill()
    one.start()
    with one.connect() as c:
        assert fails(c, "SELECT * FROM d.k")[0] == 1814
        assert run(c, "SELECT state FROM information_schema.innodb_tablespaces WHERE name = 'd/k'") == (("discarded",),)
    one.query("ALTER TABLE d.k IMPORT TABLESPACE")
    one.kill()
    one.start()
    assert one.query("CHECKSUM TABLE d.k")[0][1] == one.query("CHECKSUM TABLE d.t")[0][1]
    # at random moments of DISCARD and IMPORT: before or after
    export(one, "t", tmp_path)
    rng = random.Random(7)
    for _ in range(6):
        lay(one, "k", tmp_path, "t")
        done = []

        def walk():
            try:
                with one.connect() as c:
                    for what in ("DISCARD", "IMPORT") * 20:
                        if what == "IMPORT":
                            lay(one, "k", tmp_path, "t")
                        run(c, f"ALTER TABLE d.k {what} TABLESPACE")
                        done.append(what)
            except pymysql.err.MySQLError:
                pass

        t = threading.Thread(target=walk)
        t.start()
        wanted = rng.randrange(1, 12)
        until(lambda: len(done) >= wanted)
        one.kill()
        t.join()
        one.start()
        with one.connect() as c:
            state = run(c, "SELECT state FROM information_schema.innodb_tablespaces WHERE name = 'd/k'")[0][0]
            last = done[-1]
            if state == "discarded":
                assert fails(c, "SELECT * FROM d.k")[0] == 1814
                lay(one, "k", tmp_path, "t")
                run(c, "ALTER TABLE d.k IMPORT TABLESPACE")
            assert run(c, "CHECK TABLE d.k")[0][3] == "OK", last
            assert run(c, "SELECT count(*), sum(a) FROM d.k") == ((900, 405450),)
    spaces = len(list((one.dir / "data" / "#spaces").iterdir()))
    one.query("DROP TABLE d.k")
    assert len(list((one.dir / "data" / "#spaces").iterdir())) == spaces - 1


def test_locks_and_their_end(one):
    one.query("CREATE DATABASE d")
    one.query("CREATE TABLE d.t (a INT PRIMARY KEY)")
    one.query("CREATE TABLE d.`a-b é` (a INT)")
    c = one.connect()
    other = one.connect()
    run(other, "SET lock_wait_timeout = 1, innodb_lock_wait_timeout = 1")
    run(c, "FLUSH TABLES d.t, d.`a-b é` FOR EXPORT")
    assert at(one, "a@002db@0020@0p").exists() and at(one, "t").exists()
    assert at(one, "t").stat().st_mode & 0o007 == 0
    for sql in ("INSERT INTO d.t VALUES (1)", "ALTER TABLE d.t ADD b INT", "DROP TABLE d.t", "FLUSH TABLES d.t FOR EXPORT", "DROP DATABASE d"):
        assert fails(other, sql)[0] == 1205, sql
    assert run(other, "SELECT * FROM d.t") == ()
    for end in ("LOCK TABLES d.t READ", "BEGIN"):
        run(c, end)
        assert not at(one, "t").exists() and not at(one, "t", "cfg").exists(), end
        run(c, "COMMIT")
        run(c, "UNLOCK TABLES")
        run(c, "FLUSH TABLES d.t FOR EXPORT")
        assert at(one, "t").exists()
    one.query(f"KILL {c.thread_id()}")
    until(lambda: not at(one, "t").exists() and not at(one, "t", "cfg").exists())
    run(other, "INSERT INTO d.t VALUES (1)")
    # what has the name is not touched
    at(one, "t").write_bytes(b"somebody's")
    code, text = fails(other, "FLUSH TABLES d.t FOR EXPORT")
    assert code == 1811 and "File exists" in text, text
    assert at(one, "t").read_bytes() == b"somebody's"
    run(other, "INSERT INTO d.t VALUES (2)")
    # a writer is waited for
    run(other, "BEGIN")
    run(other, "INSERT INTO d.`a-b é` VALUES (1)")
    c = one.connect()
    run(c, "SET lock_wait_timeout = 1")
    assert fails(c, "FLUSH TABLES d.`a-b é` FOR EXPORT")[0] == 1205
    assert one.stop() == 0


@pytest.mark.skipif(MySQL.folder() is None, reason="no MySQL")
def test_mysqls_files_are_refused(one, tmp_path):
    mysql = MySQL().start()
    try:
        mysql.query("CREATE DATABASE d")
        mysql.query("CREATE TABLE d.t (a INT PRIMARY KEY)")
        with mysql.connect() as c:
            run(c, "FLUSH TABLES d.t FOR EXPORT")
            for ending in ("ibd", "cfg"):
                shutil.copy(mysql.dir / "data" / "d" / f"t.{ending}", tmp_path / f"t.{ending}")
    finally:
        mysql.stop()
        mysql.remove()
    one.query("CREATE DATABASE d")
    one.query("CREATE TABLE d.t (a INT PRIMARY KEY)")
    with one.connect() as c:
        run(c, "ALTER TABLE d.t DISCARD TABLESPACE")
        lay(one, "t", tmp_path)
        code, text = fails(c, "ALTER TABLE d.t IMPORT TABLESPACE")
        assert code == 1815 and "MySQL's and MariaDB's cannot be read" in text
        # beside a .cfg file of ours
        run(c, "CREATE TABLE d.own (a INT PRIMARY KEY)")
        export(one, "own", tmp_path)
        shutil.copy(tmp_path / "own.cfg", at(one, "t", "cfg"))
        code, text = fails(c, "ALTER TABLE d.t IMPORT TABLESPACE")
        assert code == 1815 and "a tablespace of MySQL or MariaDB" in text


def test_a_clone_has_the_mark(one, tmp_path):
    one.query("CREATE DATABASE d")
    one.query("CREATE TABLE d.t (a INT PRIMARY KEY AUTO_INCREMENT, b INT) AUTO_INCREMENT = 9")
    one.query("INSERT INTO d.t VALUES (5, 5)")
    one.query("CREATE TABLE d.kept LIKE d.t")
    export(one, "t", tmp_path)
    one.query("ALTER TABLE d.t DISCARD TABLESPACE")
    one.query(f"CLONE LOCAL DATA DIRECTORY '{tmp_path}/copy/data'")
    copy = Server(tmp_path / "copy").start()
    try:
        with copy.connect() as c:
            assert fails(c, "SELECT * FROM d.t") == (1814, "Tablespace is discarded for table, 't'")
            at(copy, "t").parent.mkdir()
            lay(copy, "t", tmp_path)
            run(c, "ALTER TABLE d.t IMPORT TABLESPACE")
            run(c, "INSERT INTO d.t (b) VALUES (1)")
            assert run(c, "SELECT * FROM d.t") == ((5, 5), (9, 1))
    finally:
        copy.stop()
        copy.remove()


def test_definitions_that_differ(one, tmp_path):
    one.query("CREATE DATABASE d")
    one.query("CREATE TABLE d.t (a INT PRIMARY KEY AUTO_INCREMENT, b VARCHAR(10), e ENUM('x', 'y'), g INT AS (length(b)) STORED, KEY (b))")
    one.query("INSERT INTO d.t (b, e) VALUES ('x', 'y'), ('x', 'x')")
    export(one, "t", tmp_path)
    c = one.connect(database="d")
    base = dict(a="a INT PRIMARY KEY AUTO_INCREMENT", b="b VARCHAR(10)", e="e ENUM('x', 'y')", g="g INT AS (length(b)) STORED", k="KEY (b)")
    # texts of MySQL 9.7 but where it looks at less
    for change, text in ((dict(b="c VARCHAR(10)", g="g INT AS (length(c)) STORED", k="KEY (c)"), "Column c not found in tablespace."), (dict(b="b VARCHAR(11)"), "Column b length mismatch."),
                         (dict(b="b VARCHAR(10) NOT NULL"), "Column b precise type mismatch."), (dict(a="a INT UNSIGNED PRIMARY KEY AUTO_INCREMENT"), "Column a precise type mismatch."),
                         (dict(b="b VARCHAR(10) COLLATE utf8mb4_bin"), "Column b precise type mismatch."), (dict(k="z INT, KEY (b)"), "Number of columns don't match, table has 8 columns but the tablespace meta-data file has 7 columns"),
                         (dict(k="KEY bb (b)"), "Index bb not found in tablespace meta-data file."), (dict(k="KEY b (b DESC)"), "Index b field b is descending which does not match metadata file which is ascending"),
                         (dict(k="KEY b (b, e)"), "Index field count 2 doesn't match tablespace metadata file value 1"), (dict(k="KEY b (b(3))"), "Index b field b prefix len 3 doesn't match metadata file value 0"),
                         (dict(k="CHECK (e <> 'z')"), "Number of indexes don't match, table has 1 indexes but the tablespace meta-data file has 2 indexes"),
                         (dict(e="e ENUM('y', 'x')"), "Column e ENUM or SET members mismatch."), (dict(g="g INT AS (length(b) + 2) STORED"), "Column g generation expression mismatch."),
                         (dict(a=base["b"], b=base["a"]), "Column b ordinal value mismatch, it's at 0 in the table and 1 in the tablespace meta-data file"),
                         # what is no part of rows
                         (dict(b="b VARCHAR(10) DEFAULT 'q' COMMENT 'x'", k="KEY b (b) COMMENT 'y'"), None), (dict(a="a INT PRIMARY KEY"), None), (dict(k="UNIQUE KEY b (b)"), "Duplicate entry 'x' for key 'm.b'")):
        run(c, f"CREATE TABLE m ({', '.join({**base, **change}.values())})")
        run(c, "ALTER TABLE m DISCARD TABLESPACE")
        lay(one, "m", tmp_path, "t")
        if text is None:
            run(c, "ALTER TABLE m IMPORT TABLESPACE")
            assert run(c, "SELECT * FROM m ORDER BY a") == ((1, "x", "y", 1), (2, "x", "x", 1))
        else:
            code, said = fails(c, "ALTER TABLE m IMPORT TABLESPACE")
            assert (code, said) == ((1062, text) if code == 1062 else (1808, f"Schema mismatch ({text})"))
            assert fails(c, "SELECT * FROM m")[0] == 1814
        run(c, "DROP TABLE m")


def test_the_binary_log_has_two_of_them(tmp_path):
    """DISCARD and IMPORT as statements, FOR EXPORT not at all; what fails is not there."""
    server = Server(options=["--log-bin=bin", "--server-id=3"]).start()
    try:
        server.query("CREATE DATABASE d")
        server.query("CREATE TABLE d.t (a INT PRIMARY KEY)")
        export(server, "t", tmp_path)
        with server.connect() as c:
            run(c, "ALTER TABLE d.t DISCARD TABLESPACE")
            fails(c, "ALTER TABLE d.t IMPORT TABLESPACE")
            lay(server, "t", tmp_path)
            run(c, "ALTER TABLE d.t IMPORT TABLESPACE")
            events = [e[5] for e in run(c, "SHOW BINLOG EVENTS") if e[2] == "Query"]
        assert [e.split(" /*")[0] for e in events[2:]] == ["ALTER TABLE d.t DISCARD TABLESPACE", "ALTER TABLE d.t IMPORT TABLESPACE"]
    finally:
        server.remove()
