"""What a replica keeps (`mysql.evenkeel_replica`, docs/replica.md) is the server's own: no account reads or changes it, and no dump carries it.

It holds the password of the source in clear; a dump with it would make the server that loads it a replica; who could change it could have a source of
his own applied, with all rights.
"""
import subprocess

import pymysql
import pytest

from lib.servers import Server

TABLE = "mysql.evenkeel_replica"
WAYS = [
    f"SELECT * FROM {TABLE}", f"SELECT settings FROM {TABLE}", f"SELECT COUNT(*) FROM {TABLE}", f"TABLE {TABLE}", f"DO (SELECT settings FROM {TABLE})",
    f"SET @a = (SELECT settings FROM {TABLE})", f"UPDATE {TABLE} SET settings = ''", f"DELETE FROM {TABLE}", f"TRUNCATE {TABLE}", f"DROP TABLE {TABLE}",
    f"INSERT INTO {TABLE} VALUES ('x', '', '', 0)", f"REPLACE INTO {TABLE} VALUES ('', '', '', 0)", f"ALTER TABLE {TABLE} ADD x INT", f"RENAME TABLE {TABLE} TO d.t",
    f"ALTER TABLE {TABLE} RENAME d.t", f"CREATE TABLE d.t LIKE {TABLE}", f"CREATE TABLE d.t SELECT * FROM {TABLE}", f"CREATE VIEW d.v AS SELECT * FROM {TABLE}",
    f"LOCK TABLES {TABLE} READ", f"HANDLER {TABLE} OPEN", f"CHECKSUM TABLE {TABLE}", f"SHOW CREATE TABLE {TABLE}", f"DESCRIBE {TABLE}", f"SHOW INDEX FROM {TABLE}",
    f"EXPLAIN SELECT * FROM {TABLE}", f"ANALYZE TABLE {TABLE}", f"SELECT * FROM {TABLE} INTO OUTFILE 'x'", f"LOAD DATA INFILE 'x' INTO TABLE {TABLE}",
    f"CREATE TRIGGER mysql.tr BEFORE INSERT ON {TABLE} FOR EACH ROW SET @a = 1", f"CREATE INDEX i ON {TABLE} (log_pos)", f"PREPARE p FROM 'SELECT * FROM {TABLE}'",
]
LISTS = [
    "SHOW TABLES FROM mysql", "SHOW FULL TABLES FROM mysql", "SHOW TABLE STATUS FROM mysql", "SELECT * FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'mysql'",
    "SELECT * FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'mysql'", "SELECT * FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = 'mysql'",
    "SELECT * FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = 'mysql'", "SELECT * FROM information_schema.TABLE_CONSTRAINTS WHERE TABLE_SCHEMA = 'mysql'",
]


@pytest.fixture(scope="module")
def server():
    s = Server(options=["--log-bin", "--server-id=2", "--skip-replica-start", "--secure-file-priv="]).start()
    for sql in ("CREATE DATABASE d", "CREATE USER boss IDENTIFIED BY 'pw'", "GRANT ALL ON *.* TO boss WITH GRANT OPTION", "CREATE USER keeper IDENTIFIED BY 'pw'",
                "GRANT ALL ON mysql.* TO keeper", "GRANT FILE ON *.* TO keeper",
                "CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = 1, SOURCE_USER = 'u', SOURCE_PASSWORD = 'canary'"):
        s.query(sql)
    yield s
    s.stop()
    s.remove()


def test_no_dump_carries_it(server):
    dump = subprocess.run(["mysqldump", "-u", "root", "-S", server.socket, "--all-databases", "--single-transaction"], capture_output=True, text=True, check=True, timeout=300).stdout
    assert "CREATE TABLE `time_zone`" in dump and "canary" not in dump and "evenkeel_replica" not in dump


@pytest.mark.parametrize("user", ["root", "boss", "keeper"])
def test_no_way_to_it(server, user):
    with server.connect(user=user, password="" if user == "root" else "pw") as c, c.cursor() as cur:
        open_ways = []
        for sql in WAYS:
            try:
                cur.execute(sql)
                answer = str(cur.fetchall())
            except pymysql.MySQLError as e:
                answer = None if e.args[0] in (1142, 1143, 1044, 1370) else str(e)
            # CHECKSUM and its kin answer with a row about each table
            if answer is not None and "denied" not in answer:
                open_ways.append((sql, answer))
        assert not open_ways
        for sql in LISTS:
            cur.execute(sql)
            assert "evenkeel_replica" not in str(cur.fetchall()), sql


def test_it_is_there_all_the_same(server):
    assert server.stop() == 0
    server.start()
    with server.connect() as c, c.cursor(pymysql.cursors.DictCursor) as cur:
        cur.execute("SHOW REPLICA STATUS")
        row = cur.fetchone()
        assert (row["Source_Host"], row["Source_User"], row["Source_Port"]) == ("127.0.0.1", "u", 1)
        cur.execute("CHANGE REPLICATION SOURCE TO SOURCE_PORT = 2")
        cur.execute("SHOW REPLICA STATUS")
        assert cur.fetchone()["Source_Port"] == 2
        cur.execute("RESET REPLICA ALL")
        cur.execute("SHOW REPLICA STATUS")
        assert cur.fetchone() is None
