"""MariaDB 10.11 follows Evenkeel by file and position, under the conditions that its documentation states for a MySQL 8.0 source: an account with
mysql_native_password, no JSON columns, no partial updates of JSON, no compressed transactions, collations that it knows (docs/replica.md). The tables are equal after
changes of every kind, a restart of the replica and a kill -9 of the source. Skipped without mariadbd."""
import pathlib
import random

import pymysql
import pytest

from lib.servers import MariaDB, Server
from lib.wait import until

pytestmark = pytest.mark.skipif(not pathlib.Path("/usr/sbin/mariadbd").exists(), reason="mariadb-server is not installed")
SOURCE = ["--log-bin=bin", "--server-id=1", "--character-set-server=utf8mb4", "--collation-server=utf8mb4_unicode_ci", "--binlog-transaction-compression=OFF",
          "--binlog-row-value-options="]
TABLES = """CREATE TABLE d.numbers (id INT AUTO_INCREMENT PRIMARY KEY, a TINYINT, b BIGINT UNSIGNED, c DECIMAL(20, 6), d DOUBLE, e FLOAT, f BIT(11), g MEDIUMINT)
CREATE TABLE d.texts (id INT PRIMARY KEY, a VARCHAR(300), b CHAR(10) CHARACTER SET latin1, c TEXT, d BLOB, e ENUM('x', 'y', 'z'), f SET('p', 'q', 'r'), g VARBINARY(30))
CREATE TABLE d.times (id INT PRIMARY KEY, a DATE, b TIME(3), c DATETIME(6), d TIMESTAMP NULL DEFAULT NULL, e YEAR)
CREATE TABLE d.parent (id INT PRIMARY KEY, n INT)
CREATE TABLE d.child (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES d.parent (id) ON DELETE CASCADE)
CREATE TABLE d.nokey (a INT, b VARCHAR(20))"""


def changes(r, n):
    i = r.randint(1, 200)
    return [f"INSERT INTO d.numbers (a, b, c, d, e, f, g) VALUES ({r.randint(-128, 127)}, {r.getrandbits(64)}, {r.randint(-9**9, 9**9)}.5, {r.random()}, 0.5, b'101', {-i})",
            f"UPDATE d.numbers SET c = c * 2, g = {i} WHERE id % 7 = {i % 7}", f"REPLACE INTO d.texts VALUES ({i}, 'aé€😀{n}', 'ü{i}', REPEAT('t', {i * 20}), 0xff00{i:04x}, 'y', 'p,r', 0x00{i:04x})",
            f"DELETE FROM d.texts WHERE id < {i // 4}", f"REPLACE INTO d.times VALUES ({i}, '2024-02-29', '-12:34:56.789', '2025-01-02 03:04:05.678901', '2026-05-06 07:08:09', 1999)",
            f"INSERT IGNORE INTO d.parent VALUES ({i}, {n})", f"INSERT IGNORE INTO d.child VALUES ({n}, {i})", f"DELETE FROM d.parent WHERE id = {i - 1}",
            f"INSERT INTO d.nokey VALUES ({i}, 'n{n}'), ({i}, 'n{n}')", f"UPDATE d.nokey SET b = 'x' WHERE a = {i} LIMIT 1", f"DELETE FROM d.nokey WHERE a = {i - 1} LIMIT 1"]


def state(server):
    tables = [t for (t,) in server.query("SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'd' AND TABLE_TYPE = 'BASE TABLE' ORDER BY 1")]
    return {t: sorted(map(repr, server.query(f"SELECT * FROM d.{t}"))) for t in tables}


def status(m):
    with m.connect() as c, c.cursor(pymysql.cursors.DictCursor) as cur:
        cur.execute("SHOW SLAVE STATUS")
        return cur.fetchone()


def caught_up(s, m):
    wanted = s.query("SHOW BINARY LOG STATUS")[0][:2]

    def same():
        now = status(m)
        assert not now["Last_SQL_Error"] and "1236" not in now["Last_IO_Error"], now
        return (now["Relay_Master_Log_File"], now["Exec_Master_Log_Pos"]) == wanted
    until(same, why=lambda: (wanted, status(m)))


@pytest.mark.parametrize("gtids", ["OFF", "ON"])
def test_mariadb_follows(gtids):
    s = Server(options=[*SOURCE, f"--gtid-mode={gtids}", f"--enforce-gtid-consistency={gtids}"])
    m = MariaDB(options=["--server-id=2", "--slave-net-timeout=10"])
    try:
        s.start()
        m.start()
        file, at = s.query("SHOW BINARY LOG STATUS")[0][:2]
        m.query(f"CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT={s.port}, MASTER_USER='repl', MASTER_PASSWORD='pw', MASTER_CONNECT_RETRY=1,"
                f" MASTER_LOG_FILE='{file}', MASTER_LOG_POS={at}, MASTER_USE_GTID=no")
        with s.connect() as c, c.cursor() as cur:
            cur.execute("SET sql_log_bin = 0")
            cur.execute("CREATE USER repl@'%' IDENTIFIED WITH mysql_native_password BY 'pw'")
            cur.execute("GRANT REPLICATION SLAVE ON *.* TO repl@'%'")
        m.query("START SLAVE")
        r, n = random.Random(gtids), 0
        with s.connect(init_command="SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci") as c, c.cursor() as cur:
            cur.execute("CREATE DATABASE d")
            for sql in TABLES.splitlines():
                cur.execute(sql)
            for n in range(1, 60):
                cur.execute("BEGIN")
                for sql in r.sample(changes(r, n), 5):
                    cur.execute(sql)
                cur.execute("ROLLBACK" if n % 10 == 0 else "COMMIT")
            cur.execute("ALTER TABLE d.numbers ADD COLUMN more VARCHAR(10) DEFAULT 'x', ADD INDEX (a)")
            cur.execute("CREATE TABLE d.like_it LIKE d.nokey")
            cur.execute("INSERT INTO d.like_it SELECT * FROM d.nokey")
            cur.execute("TRUNCATE TABLE d.nokey")
            cur.execute("RENAME TABLE d.like_it TO d.renamed")
            cur.execute("CREATE VIEW d.v AS SELECT id FROM d.parent")
            cur.execute("FLUSH BINARY LOGS")
        caught_up(s, m)
        assert state(m) == state(s) and len(state(s)) == 7
        m.stop()
        s.kill()
        s.start()
        m.start()
        with s.connect(init_command="SET NAMES utf8mb4 COLLATE utf8mb4_unicode_ci") as c, c.cursor() as cur:
            for n in range(60, 80):
                for sql in changes(r, n)[1:]:
                    cur.execute(sql)
            cur.execute("DROP TABLE d.renamed")
        caught_up(s, m)
        assert state(m) == state(s) and len(state(s)) == 6
    finally:
        s.remove()
        m.remove()
