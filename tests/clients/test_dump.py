"""mariadb-dump of everything, restored into a fresh server and dumped again: the same text. Also by way of MariaDB.

The data: sakila (where its files are), and a database with a table of every column type, odd names, views on views, NULLs and bytes of every
value. Also with --tab, and with mydumper and myloader. No generated columns: MariaDB's dump program writes their values, which MySQL refuses (3105).
"""
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "sql"))
import test_sakila  # noqa: E402
from lib.servers import MariaDB, Server  # noqa: E402

TYPES = [
    """CREATE TABLE every_type (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  ti TINYINT, tu TINYINT UNSIGNED, si SMALLINT, mi MEDIUMINT, i INT ZEROFILL, bi BIGINT, bu BIGINT UNSIGNED, bo BOOLEAN DEFAULT TRUE,
  de DECIMAL(30,10) DEFAULT 1.5, fl FLOAT, db DOUBLE, b1 BIT(1) DEFAULT b'1', b64 BIT(64),
  da DATE DEFAULT '2000-01-01', ti6 TIME(6), dt DATETIME DEFAULT CURRENT_TIMESTAMP, dt3 DATETIME(3), ts TIMESTAMP NULL DEFAULT NULL, ye YEAR,
  ch CHAR(10) CHARACTER SET latin1, vc VARCHAR(50) NOT NULL DEFAULT 'it''s', vb VARBINARY(300), bn BINARY(4),
  tt TINYTEXT, tx TEXT, mt MEDIUMTEXT, lt LONGTEXT, tb TINYBLOB, bl BLOB, mb MEDIUMBLOB, lb LONGBLOB,
  en ENUM('a','b','c''d') DEFAULT 'b', se SET('x','y','z'), js JSON,
  PRIMARY KEY (id), UNIQUE KEY u (vc, i), KEY d (da, dt), KEY p (tx(10))
) DEFAULT CHARSET=utf8mb4 COMMENT='all of them'""",
    "INSERT INTO every_type (id) VALUES (1)",
    """INSERT INTO every_type (ti,tu,si,mi,i,bi,bu,bo,de,fl,db,b1,b64,da,ti6,dt,dt3,ts,ye,ch,vc,vb,bn,tt,tx,mt,lt,tb,bl,mb,lb,en,se) VALUES
 (-128,255,-32768,-8388608,42,-9223372036854775808,18446744073709551615,0,-12345678901234567890.0123456789,1.5,-2.25e-100,b'0',
  b'1111111111111111111111111111111111111111111111111111111111111111','1000-01-01','-838:59:59','9999-12-31 23:59:59','2020-02-29 12:34:56.789',
  '2020-01-01 00:00:01',2155,'h\u00f6',_utf8mb4'Ödegård ☃ \U0001F600',_binary'\\0\\n\\r\\Z\\'"\\\\',_binary'ab',
  'tiny','line 1\\nline 2\\ttab','m','l',0x00FF,0x0102030405,x'',REPEAT(0xFE,3000),'c''d','x,z')""",
    "CREATE TABLE `odd ``name` (`a b` INT, `select` VARCHAR(5) DEFAULT NULL, KEY `k``` (`a b`))",
    "INSERT INTO `odd ``name` VALUES (1,'x'),(NULL,NULL)",
    "CREATE TABLE bytes (n INT PRIMARY KEY, b BLOB)",
    "CREATE TABLE nothing_in_it (a INT)",
    "CREATE VIEW v_z AS SELECT id, vc AS `odd col` FROM every_type WHERE id > 0",
    "CREATE VIEW v_a AS SELECT z.id, z.`odd col`, COUNT(*) AS n FROM v_z z JOIN bytes ON bytes.n = z.id GROUP BY z.id, z.`odd col`",
    "CREATE ALGORITHM=MERGE SQL SECURITY INVOKER VIEW v_check AS SELECT n, b FROM bytes WHERE n < 1000 WITH LOCAL CHECK OPTION",
]


def fill(server):
    server.query("CREATE DATABASE types CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
    with server.connect(database="types") as c, c.cursor() as cur:
        cur.execute("SET time_zone = '+00:00'")
        for s in TYPES:
            cur.execute(s)
        for n in range(256):
            cur.execute("INSERT INTO bytes VALUES (%s, %s)", (n, bytes([n, n ^ 0x55, n])))
    if test_sakila.FOLDER:
        test_sakila.load(server)
        return ["types", "sakila"]
    return ["types"]


def client(server, tool, *args, **kw):
    r = subprocess.run([tool, "--no-defaults", "-uroot", f"--socket={server.socket}", "--default-character-set=utf8mb4", *args],
                       capture_output=True, timeout=300, **kw)
    assert r.returncode == 0, f"{tool} {args}\n{r.stdout[-2000:]!r}\n{r.stderr.decode(errors='replace')}"
    return r.stdout


def dump(server, *args):
    return client(server, "mariadb-dump", "--skip-dump-date", "--skip-comments", *args)


def restore(server, text):
    client(server, "mysql", input=text)


@pytest.fixture(scope="module")
def source():
    s = Server(options=["--secure-file-priv=/"]).start()
    s.databases = fill(s)
    yield s
    s.remove()


def unwritten(text):
    """Without the character set of columns whose collation alone was written. SHOW CREATE TABLE shows an inherited collation that is not the default one as COLLATE,
    and the same column with CHARACTER SET too once COLLATE was written, as a dump writes it: MySQL's (9.7) second dump differs there from its first."""
    return text.replace(b" CHARACTER SET utf8mb4 COLLATE ", b" COLLATE ")


VARIANTS = [["--all-databases"], ["--all-databases", "--single-transaction"], ["--all-databases", "--hex-blob"],
            # a statement per row: of the small database only
            ["--databases", "types", "--single-transaction", "--hex-blob", "--skip-extended-insert"],
            ["--databases", "types", "--skip-opt", "--create-options", "--complete-insert", "--quick"]]


@pytest.mark.parametrize("options", VARIANTS, ids=lambda o: " ".join(o) or "plain")
def test_all_databases_come_back(source, options):
    text = dump(source, *options)
    for word in (b"every_type", b"v_check", b"CHECK OPTION"):
        assert word in text
    fresh = Server().start()
    try:
        restore(fresh, text)
        again = dump(fresh, *options)
        assert unwritten(again) == unwritten(text)
        # what is written once stays: the next dump is the same to the byte
        third = Server().start()
        try:
            restore(third, again)
            assert dump(third, *options) == again
        finally:
            third.remove()
    finally:
        fresh.remove()


def tab_dump(server, folder, database):
    """`--tab`: a file of SQL and one of rows for each table. Without triggers: they would run while the rows are loaded."""
    folder.mkdir()
    # the rows' bytes as they are: mariadb-import reads files so
    client(server, "mariadb-dump", "--default-character-set=binary", "--skip-dump-date", "--skip-comments", "--skip-triggers",
           f"--tab={folder}", database)
    return {f.name: f.read_bytes() for f in sorted(folder.iterdir())}


def test_tab(source, tmp_path):
    """mariadb-dump --tab, restored with mysql and mysqlimport, and dumped again."""
    fresh = Server(options=["--secure-file-priv=/"]).start()
    fresh.query("SET GLOBAL foreign_key_checks = 0")  # mariadb-import loads one table after the other
    try:
        for db in source.databases:
            first = tab_dump(source, tmp_path / db, db)
            assert any(n.endswith(".txt") for n in first) and any(n.endswith(".sql") for n in first)
            collation = source.query(f"SELECT DEFAULT_COLLATION_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = '{db}'")[0][0]
            fresh.query(f"CREATE DATABASE {db} COLLATE {collation}")
            # tables before the views that use them, views in any order that works
            left = [n for n in first if n.endswith(".sql")]
            for _ in range(4):
                left = [n for n in left if not restored(fresh, db, first[n])]
            assert not left, left
            for n in first:
                if n.endswith(".txt"):
                    client(fresh, "mariadb-import", db, str(tmp_path / db / n))
            again = tab_dump(fresh, tmp_path / f"{db} again", db)
            assert list(again) == list(first)
            assert [n for n in first if unwritten(again[n]) != unwritten(first[n])] == []
    finally:
        fresh.remove()


def restored(server, db, text):
    r = subprocess.run(["mysql", "--no-defaults", "-uroot", f"--socket={server.socket}", "--init-command=SET foreign_key_checks=0", db],
                       input=text, capture_output=True, timeout=300)
    return r.returncode == 0


@pytest.fixture(scope="module")
def plain_source():
    """Without what Debian's mydumper 0.10 cannot do on MySQL 8 either: names with backticks, and columns whose EXTRA says DEFAULT_GENERATED,
    which it takes for generated columns and leaves out."""
    s = Server().start()
    s.databases = fill(s)
    s.query("DROP TABLE `odd ``name`", db="types")
    columns = s.query("SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, EXTRA FROM information_schema.COLUMNS"
                      " WHERE EXTRA LIKE '%DEFAULT_GENERATED%' AND TABLE_SCHEMA IN ('types', 'sakila')"
                      " AND TABLE_NAME IN (SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_TYPE = 'BASE TABLE')")
    for schema, table, column, kind, null, extra in columns:
        null = "NULL" if null == "YES" else "NOT NULL"
        update = " ON UPDATE CURRENT_TIMESTAMP" if "on update" in extra else ""
        default = " DEFAULT '2001-01-01'" if "date" in kind or "time" in kind else ""
        s.query(f"ALTER TABLE `{schema}`.`{table}` MODIFY `{column}` {kind} {null}{default}{update}")
    yield s
    s.remove()


# Calls in which a program waits for its server: read, poll, recvfrom, recvmsg, ppoll.
WAITING_FOR_SERVER = {"0", "7", "45", "47", "271"}


def run_to_its_end(command):
    """Runs mydumper or myloader. Debian's mydumper 0.10 now and then waits for itself for ever on a busy machine (its connection idle, nothing
    asked): that is tried again. If one of its threads waits for the server it is the server's fault."""
    for _ in range(3):
        p = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            _, err = p.communicate(timeout=60)
            return p.returncode, err
        except subprocess.TimeoutExpired:
            calls = [(t / "syscall").read_text().split() for t in pathlib.Path(f"/proc/{p.pid}/task").iterdir()]
            p.kill()
            p.communicate()
            assert not WAITING_FOR_SERVER & {c[0] for c in calls}, f"{command[0]} waits for the server: {calls}"
            shutil.rmtree(next((a.split("=", 1)[1] for a in command if a.startswith("--outputdir=")), ""), ignore_errors=True)
    raise AssertionError(f"{command[0]} hung three times: {calls}")


@pytest.mark.skipif(not shutil.which("mydumper"), reason="mydumper is not installed")
@pytest.mark.parametrize("options", [[], ["--trx-consistency-only"], ["--rows=1000"], ["--compress"]], ids=lambda o: " ".join(o) or "plain")
def test_mydumper(plain_source, tmp_path, options):
    """mydumper and myloader: what comes back gives the same dump."""
    login = ["--user=root", f"--socket={plain_source.socket}"]
    folder = tmp_path / "dump"
    code, err = run_to_its_end(["mydumper", *login, f"--outputdir={folder}", "--regex=^(types|sakila)\\.", *options])
    assert code == 0 and b"CRITICAL" not in err, err
    fresh = Server().start()
    try:
        code, err = run_to_its_end(["myloader", "--user=root", f"--socket={fresh.socket}", f"--directory={folder}"])
        assert code == 0 and b"CRITICAL" not in err, err
        # mydumper 0.10 gives triggers the sql_mode of whoever loads them
        names = ["--skip-triggers", "--databases", *plain_source.databases]
        assert unwritten(dump(fresh, *names)) == unwritten(dump(plain_source, *names))
    finally:
        fresh.remove()


def portable(text):
    """MariaDB 10.11 has no UCA 9.0.0 collations."""
    return text.replace(b"utf8mb4_0900_ai_ci", b"utf8mb4_general_ci")


@pytest.mark.skipif(not os.path.exists("/usr/sbin/mariadbd"), reason="MariaDB is not installed")
def test_by_way_of_mariadb(source):
    """Ours into MariaDB and MariaDB's dump back into a fresh one of ours: all rows of all tables and views are the same."""
    text = portable(dump(source, "--databases", *source.databases, "--hex-blob"))
    peer, back = MariaDB().start(), Server().start()
    try:
        restore(peer, text)
        # MariaDB's sql_mode of sakila's triggers has NO_AUTO_CREATE_USER, which MySQL 8 does not know
        again = dump(peer, "--databases", *source.databases, "--hex-blob", "--skip-triggers")
        # the sandbox line is for MariaDB's own client
        restore(back, b"\n".join(line for line in again.splitlines() if b"enable the sandbox mode" not in line))
        for db in source.databases:
            names = [r[0] for r in source.query(f"SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = '{db}' ORDER BY 1")]
            for n in names:
                q = "SELECT * FROM `" + n.replace("`", "``") + "`"
                assert sorted(map(repr, source.query(q, db=db))) == sorted(map(repr, back.query(q, db=db))), (db, n)
    finally:
        peer.remove()
        back.remove()
