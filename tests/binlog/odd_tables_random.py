#!/usr/bin/env python3
"""Random changes of oddly defined tables, brought elsewhere by the binary log: odd_tables_random.py [--seed N] [--rounds N] [--statements N] [--mysql].

Tables without keys, with prefix, nullable, descending and functional keys, invisible and generated columns, every kind of type and many character
sets, foreign keys, triggers, routines. One session changes rows (some statements fail half way), definitions, row images, compression, formats and
settings, in transactions, savepoints and XA. A backup is taken in the middle. The same rows must then be in a server that `evenkeel restore`
brings forward from that backup, and with `--mysql` in one of ours and a MySQL that `mysqlbinlog | mysql` has filled, with the same `gtid_executed`.
Exit status 1 on a difference."""
import argparse
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "sql")]
from changes_random import ask  # noqa: E402
from lib.servers import MySQL, Server, binary  # noqa: E402

OPTIONS = ["--log-bin=bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--log-bin-trust-function-creators=1"]
TABLES = """
CREATE TABLE nk (a INT, b VARCHAR(30) CHARACTER SET latin1, c DECIMAL(20,5), d DOUBLE, e FLOAT)
CREATE TABLE nn (a VARCHAR(5) NOT NULL, b CHAR(4) NOT NULL COLLATE utf8mb4_general_ci, c INT)
CREATE TABLE pk (id INT PRIMARY KEY, a TINYINT UNSIGNED, b SMALLINT, c MEDIUMINT UNSIGNED, d BIGINT UNSIGNED, e BIT(13), f YEAR, g ENUM('x','y','ü'), h SET('a','b','c','d'))
CREATE TABLE tm (id INT PRIMARY KEY AUTO_INCREMENT, a DATE, b TIME(3), c DATETIME(6), d TIMESTAMP(2) NULL, e TIMESTAMP DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP)
CREATE TABLE cs (id VARCHAR(20) PRIMARY KEY, a CHAR(10) CHARACTER SET sjis, b VARCHAR(300) CHARACTER SET utf16, c TEXT CHARACTER SET ucs2, d CHAR(255), e VARCHAR(10) CHARACTER SET gbk)
CREATE TABLE bl (a BLOB, b TINYTEXT, c MEDIUMBLOB, d LONGTEXT, e VARBINARY(500), f BINARY(7), j JSON, UNIQUE KEY (f), KEY (e(10)))
CREATE TABLE bp (a BINARY(4), b VARBINARY(4), c CHAR(3) CHARACTER SET ucs2 NOT NULL, d INT, PRIMARY KEY (a, b))
CREATE TABLE pfx (a VARCHAR(200), b TEXT, PRIMARY KEY (a(5)), UNIQUE KEY (b(3)))
CREATE TABLE un (a INT NULL, b INT NULL, c INT NOT NULL DEFAULT 4, UNIQUE KEY (a, b))
CREATE TABLE inv (a INT, h INT INVISIBLE DEFAULT 9, b INT AS (a + COALESCE(h,0)) VIRTUAL, s VARCHAR(20) AS (CONCAT(a,'x')) STORED, KEY (b), UNIQUE KEY ((a * 2 + h)))
CREATE TABLE fk1 (id INT PRIMARY KEY, v INT)
CREATE TABLE fk2 (id INT PRIMARY KEY, p INT, v INT, FOREIGN KEY (p) REFERENCES fk1(id) ON DELETE CASCADE ON UPDATE CASCADE)
CREATE TABLE fk3 (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES fk2(id) ON DELETE SET NULL ON UPDATE CASCADE)
CREATE TABLE js (id INT PRIMARY KEY, j JSON, k JSON, g INT AS (j->'$.n') VIRTUAL)
CREATE TABLE mv (id INT PRIMARY KEY, j JSON, KEY ((CAST(j->'$.a' AS UNSIGNED ARRAY))))
CREATE TABLE trg (id INT PRIMARY KEY, v INT)
CREATE TABLE trl (n INT AUTO_INCREMENT PRIMARY KEY, what VARCHAR(50))
CREATE TABLE upk (a VARCHAR(20) COLLATE utf8mb4_general_ci, b INT, PRIMARY KEY (a, b DESC))
CREATE TABLE mid (v TEXT, id BINARY(16) DEFAULT (RANDOM_BYTES(16)), w INT DEFAULT (RAND()*100), PRIMARY KEY (id))
CREATE TRIGGER t1 BEFORE INSERT ON trg FOR EACH ROW SET NEW.v = NEW.v + 1
CREATE TRIGGER t2 AFTER UPDATE ON trg FOR EACH ROW INSERT INTO trl (what) VALUES (CONCAT(OLD.v, '->', NEW.v))
CREATE TRIGGER t3 AFTER DELETE ON trg FOR EACH ROW INSERT INTO trl (what) VALUES (RAND())
CREATE PROCEDURE pr(n INT) BEGIN WHILE n > 0 DO INSERT INTO trl (what) VALUES (UUID()); SET n = n - 1; END WHILE; END
CREATE FUNCTION fu(n INT) RETURNS INT MODIFIES SQL DATA BEGIN INSERT INTO trl (what) VALUES (n); RETURN n; END
""".strip().splitlines()
# one of the choices of `Maker.CHOICES` stands where there is a letter in angle brackets
CHANGES = """
INSERT INTO nk VALUES (<i>, <t>, <i> * 1.12345, <i> / 3, <i> / 7)
UPDATE nk SET c = c + 1 WHERE a < <k>
DELETE FROM nk WHERE a = <k>
INSERT INTO nn VALUES (<c>, <c>, <k>)
UPDATE nn SET c = c + 1 WHERE BINARY a = 'A' AND BINARY b = 'a'
DELETE FROM nn WHERE BINARY b = <c> AND c > 3
REPLACE INTO pk VALUES (<k>, <k>, <i>, <k>, 18446744073709551615 - <k>, b'10110', 1901 + <k>, 1, 1 + 7)
INSERT IGNORE INTO pk (id, a, g) VALUES (<k>, 300, 'nosuch')
UPDATE pk SET id = id + 25, e = e ^ 5, h = 'a,d' WHERE id < <k> ORDER BY id DESC
DELETE FROM pk WHERE id > <k> + 20
INSERT INTO tm (a, b, c, d) VALUES (DATE(<d>), TIME(CONCAT('-', <k> * 30, ':59:59.5')), <d>, <d>)
UPDATE tm SET b = ADDTIME(b, '00:00:01.5'), d = <d> WHERE id % 3 = <k> % 3
UPDATE tm SET a = <d>, e = e WHERE id = <k>
DELETE FROM tm WHERE id = <k>
INSERT INTO cs VALUES (CONCAT('k', <k>), '表', <s>, <s>, <s>, '中') ON DUPLICATE KEY UPDATE b = CONCAT(COALESCE(b, ''), '+'), c = <s>
UPDATE cs SET id = UPPER(id) WHERE id = CONCAT('k', <k>)
DELETE FROM cs WHERE id = CONCAT('k', <k>)
INSERT IGNORE INTO bl VALUES (<s>, <s>, <s>, <s>, <s>, CONCAT('f', <k>), <j>)
UPDATE bl SET d = CONCAT(COALESCE(d, ''), REPEAT('z', <k> * 300)), e = <s> WHERE f LIKE CONCAT('f', <k>, '%')
UPDATE bl SET j = JSON_SET(j, '$.n', <k>) WHERE f LIKE 'f1%'
DELETE FROM bl WHERE f LIKE CONCAT('f', <k>, '%')
REPLACE INTO bp VALUES (CHAR(<k> % 3 USING binary), CONCAT(CHAR(<k> % 3), CHAR(0)), <k>, 1)
UPDATE IGNORE bp SET d = d + 1, a = CHAR(<k> % 3), c = '' WHERE b LIKE CONCAT(CHAR(<k> % 3), '%')
DELETE FROM bp WHERE a LIKE CONCAT(CHAR(<k> % 3), '%')
INSERT IGNORE INTO pfx VALUES (CONCAT(<k>, <c>, 'defg'), <s>)
UPDATE IGNORE pfx SET b = <s>, a = CONCAT('q', a) WHERE a LIKE CONCAT(<k>, '%')
DELETE FROM pfx WHERE b IS NULL
INSERT IGNORE INTO un (a, b) VALUES (<i>, <i>), (<i>, 1)
UPDATE IGNORE un SET a = <i> WHERE b < <k>
DELETE FROM un WHERE a IS NULL
INSERT IGNORE INTO inv (a) VALUES (<i>)
INSERT IGNORE INTO inv (a, h) VALUES (<i>, <i>)
UPDATE IGNORE inv SET h = <i> WHERE b < <k>
DELETE FROM inv WHERE b = <k>
INSERT IGNORE INTO fk1 VALUES (<k>, <i>), (<k>, <i>)
INSERT IGNORE INTO fk2 VALUES (<k>, <k>, 1)
INSERT IGNORE INTO fk3 VALUES (<k>, <k>)
UPDATE IGNORE fk1 SET id = id + 13 WHERE id = <k>
UPDATE IGNORE fk2 SET id = id + 13, p = <k> WHERE id = <k>
DELETE FROM fk1 WHERE id = <k>
DELETE fk1, fk2 FROM fk1 JOIN fk2 ON fk1.id = fk2.p WHERE fk1.id = <k>
UPDATE fk1 JOIN fk2 ON fk1.id = fk2.p SET fk1.v = 5, fk2.v = fk1.v + 1 WHERE fk2.id < <k>
REPLACE INTO js (id, j, k) VALUES (<k>, JSON_OBJECT('n', 1, 's', REPEAT('x', 200)), <j>)
UPDATE js SET j = JSON_SET(j, '$.n', <k>, '$.z', 'q'), k = JSON_REMOVE(k, '$.a') WHERE id < <k>
UPDATE js SET j = JSON_REPLACE(j, '$.s', <c>), id = id + 0 WHERE id > <k>
REPLACE INTO mv VALUES (<k>, JSON_OBJECT('a', JSON_ARRAY(<k>, <k>)))
DELETE FROM mv WHERE <k> MEMBER OF (j->'$.a')
INSERT IGNORE INTO trg VALUES (<k>, <k>)
UPDATE trg SET v = v + 1 WHERE id < <k>
DELETE FROM trg WHERE id = <k>
CALL pr(<k> % 3)
SELECT fu(<k>)
INSERT INTO nk (a) SELECT fu(id) FROM trg WHERE id < 4
INSERT IGNORE INTO upk VALUES (<c>, <k>)
UPDATE IGNORE upk SET b = b - 1, a = LOWER(a)
INSERT INTO mid (v) VALUES (<s>), (<s>)
UPDATE mid SET w = w + 1 WHERE w < <k> * 4
DELETE FROM mid WHERE w > 90
INSERT INTO un (a, b, c) VALUES (100, 1, 1), (101, 1, NULL)
INSERT INTO pk (id) VALUES (70), (71), (70)
UPDATE pk SET id = 5
UPDATE fk1, fk2 SET fk1.v = 7, fk2.id = 3
ALTER TABLE un ADD COLUMN x<n> VARCHAR(10) DEFAULT 'd' AFTER b
ALTER TABLE un DROP COLUMN x<n>
ALTER TABLE nk ADD COLUMN (y<n> INT), ALGORITHM=INSTANT
ALTER TABLE nk DROP COLUMN y<n>, ALGORITHM=INSTANT
ALTER TABLE nk RENAME COLUMN y<n> TO y<n>
ALTER TABLE cs MODIFY b VARCHAR(30<n>) CHARACTER SET utf8mb4
ALTER TABLE trl ADD KEY kw (what)
ALTER TABLE trl DROP KEY kw
CREATE TABLE cts<n> SELECT * FROM pk WHERE id < <k>
CREATE TABLE cts<n> (PRIMARY KEY (id)) SELECT * FROM js WHERE id < <k>
CREATE TABLE cts<n> (extra INT DEFAULT 3) SELECT * FROM tm
DROP TABLE cts<n>, nosuch
DROP TABLE IF EXISTS cts<n>, nosuch
TRUNCATE mv
RENAME TABLE cts1 TO ctsx, cts2 TO cts1, ctsx TO cts2
CREATE TEMPORARY TABLE tt<n> SELECT * FROM pk
INSERT INTO nk (a) SELECT id FROM tt<n>
DROP TEMPORARY TABLE tt<n>
""".strip().splitlines()
SETTINGS = """
SET binlog_row_image = FULL
SET binlog_row_image = MINIMAL
SET binlog_row_image = NOBLOB
SET binlog_row_value_options = PARTIAL_JSON
SET binlog_row_value_options = ''
SET binlog_transaction_compression = ON
SET binlog_transaction_compression = OFF
SET binlog_format = MIXED
SET binlog_format = ROW
SET sql_mode = ''
SET sql_mode = 'STRICT_TRANS_TABLES'
SET time_zone = '+05:30'
SET time_zone = SYSTEM
SET NAMES latin1
SET NAMES utf8mb4
FLUSH BINARY LOGS
""".strip().splitlines()


class Maker:
    """Statements at random, and which of them belong together."""

    def __init__(self, r):
        self.r, self.within, self.branches = r, None, 0

    def value(self, letter):
        r = self.r
        document = """'{"a":[1,2,3],"n":4,"s":"äé"}'|'[1,[2,{"x":null}]]'|NULL|'null'|CAST(1.50 AS JSON)|JSON_OBJECT('t',NOW(6),'b',REPEAT('q',99))""".split("|")
        return {"i": lambda: r.choice(["NULL", *range(-5, 40)]), "k": lambda: r.randint(1, 25), "n": lambda: r.randint(1, 3),
                "c": lambda: r.choice(["'a'", "'A'", "'a '", "''"]), "t": lambda: r.choice(["NULL", "'é'", "'x'"]), "j": lambda: r.choice(document),
                "s": lambda: r.choice(["''", "'äöü'", "'ソ表'", "'a\\0b'", f"REPEAT('xy', {r.randint(0, 120)})", "'  pad  '", "NULL", "'😀z'", "'ABC'", "'abc'"]),
                "d": lambda: r.choice(["NULL", "'2024-03-31 02:30:00.123456'", "NOW(6)", "'1971-01-01 10:00:00'", "'2037-12-31 23:59:59.99'"])}[letter]()

    def change(self):
        return re.sub(r"<(\w)>", lambda m: str(self.value(m[1])), self.r.choice(CHANGES))

    def next(self):
        """The next statements."""
        r, n = self.r.random(), self.branches
        if self.within and r < 0.2:
            ends = {"BEGIN": [["COMMIT"], ["COMMIT"], ["ROLLBACK"]],
                    "XA": [[f"XA END 'x{n}'", *e] for e in ([f"XA COMMIT 'x{n}' ONE PHASE"], [f"XA PREPARE 'x{n}'", f"XA COMMIT 'x{n}'"], [f"XA PREPARE 'x{n}'", f"XA ROLLBACK 'x{n}'"])]}
            ending, self.within = self.r.choice(ends[self.within]), None
            return ending
        if self.within == "BEGIN" and r < 0.35:
            return [self.r.choice(["SAVEPOINT s1", "SAVEPOINT s2", "ROLLBACK TO s1", "ROLLBACK TO s2", "RELEASE SAVEPOINT s1"])]
        if not self.within and r < 0.12:
            self.within = "BEGIN"
            return ["BEGIN"]
        if not self.within and r < 0.15:
            self.within, self.branches = "XA", n + 1
            return [f"XA START 'x{n + 1}'"]
        return [self.r.choice(SETTINGS)] if not self.within and r < 0.22 else [self.change()]

    def run(self, cur, statements):
        said = []
        for _ in range(statements):
            for q in self.next():
                said.append((q, ask(cur, q)))
                if self.within == "BEGIN" and q.startswith(("ALTER", "CREATE TABLE", "DROP TABLE", "RENAME", "TRUNCATE")):
                    self.within = None
                    ask(cur, "COMMIT")
        if self.within:
            for q in ("COMMIT",) if self.within == "BEGIN" else (f"XA END 'x{self.branches}'", f"XA COMMIT 'x{self.branches}' ONE PHASE"):
                ask(cur, q)
            self.within = None
        return said


def state(server):
    """Rows by table, as bytes where they are text."""
    out = {}
    with server.connect(database="d") as c, c.cursor() as cur:
        cur.execute("SET time_zone = '+00:00'")
        cur.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'd' AND table_type = 'BASE TABLE'")
        for table, in sorted(cur.fetchall()):
            cur.execute(f"SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 'd' AND table_name = '{table}' ORDER BY ordinal_position")
            plain = ("json", "float", "double", "time", "date", "datetime", "timestamp", "decimal")
            columns = ", ".join(f"CONCAT(`{n}`)" if t in plain else f"HEX(`{n}`)" for n, t in cur.fetchall())
            cur.execute(f"SELECT {columns} FROM `{table}`")
            out[table] = sorted(map(repr, cur.fetchall()))
    return out


def differences(source, other):
    a, b = state(source), state(other)
    out = [f"  {t}: here only {[x for x in a.get(t, []) if x not in b.get(t, [])][:3]}, there only {[x for x in b.get(t, []) if x not in a.get(t, [])][:3]}"
           for t in sorted({*a, *b}) if a.get(t) != b.get(t)]
    sets = [s.query("SELECT @@global.gtid_executed")[0][0] for s in (source, other)]
    return out + ([f"  gtid_executed: {sets}"] if sets[0] != sets[1] else [])


def restored(source, folder):
    done = subprocess.run([binary(), "restore", "--quiet", f"{folder}/backup", f"--datadir={folder}/copy/data", f"--binlog-dir={source.dir}/data"], capture_output=True, text=True)
    if done.returncode:
        return [done.stderr]
    other = Server(folder=f"{folder}/copy", options=OPTIONS)
    try:
        return differences(source, other.start())
    finally:
        other.stop()


def replayed(source, kind):
    other = kind(options=["--server-id=2", *OPTIONS])
    try:
        other.start()
        other.query("RESET BINARY LOGS AND GTIDS")
        files = sorted(map(str, (source.dir / "data").glob("bin.0*")))
        text = subprocess.run([*MySQL.program("usr/bin/mysqlbinlog"), *files], capture_output=True, check=True).stdout
        played = subprocess.run([*MySQL.program("usr/bin/mysql"), "--no-defaults", "--binary-mode", "-uroot", f"--socket={other.socket}"], input=text, capture_output=True)
        return [played.stderr.decode()] if played.returncode else differences(source, other)
    finally:
        other.stop()
        other.remove()


def one(seed, statements, mysql=False):
    """What differs after a round, and how many statements were not refused."""
    source, folder = Server(options=["--server-id=1", *OPTIONS]), tempfile.mkdtemp(prefix="ek-odd-")
    try:
        source.start().query("CREATE DATABASE d")
        maker = Maker(random.Random(seed))
        with source.connect(database="d") as c, c.cursor() as cur:
            for q in TABLES:
                cur.execute(q)
            said = maker.run(cur, statements // 2)
            subprocess.run([binary(), "backup", "--quiet", "-uroot", f"--socket={source.socket}", f"--to={folder}/backup"], check=True)
            said += maker.run(cur, statements // 2)
        source.query("FLUSH BINARY LOGS")
        wrong = {"restore": restored(source, folder)}
        if mysql:
            wrong |= {f"mysqlbinlog | {kind.name}": replayed(source, kind) for kind in (Server, MySQL)}
        return {k: v for k, v in wrong.items() if v}, sum(answer[0] == "done" for _, answer in said)
    finally:
        source.stop()
        source.remove()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--rounds", type=int, default=10)
    a.add_argument("--statements", type=int, default=700)
    a.add_argument("--mysql", action="store_true")
    a = a.parse_args()
    warnings.simplefilter("ignore")
    bad = 0
    for seed in range(a.seed, a.seed + a.rounds):
        wrong, done = one(seed, a.statements, a.mysql)
        bad += bool(wrong)
        for what, lines in wrong.items():
            print(f"=== seed {seed}, {what}:", *lines, sep="\n", flush=True)
    print(f"{a.rounds} rounds, {bad} differ; {done} statements of the last were done")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
