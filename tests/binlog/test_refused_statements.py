"""Statements about the binary log, or that write to it, that something forbids: answers as MySQL's."""
import pymysql

from lib.servers import MySQL, Server

PURGE = "PURGE BINARY LOGS BEFORE '2000-01-01'"
STATEMENTS = [
    "CREATE DATABASE d", "USE d", "CREATE TABLE t (a INT)",
    # a backup copies the files
    "LOCK INSTANCE FOR BACKUP", "FLUSH BINARY LOGS", "PURGE BINARY LOGS TO 'bin.000002'", PURGE, f"other: {PURGE}", "UNLOCK INSTANCE", f"other: {PURGE}",
    "PURGE BINARY LOGS TO 'bin.000002'", "other: LOCK INSTANCE FOR BACKUP", PURGE, "other: UNLOCK INSTANCE", PURGE,
    "LOCK TABLES t READ", "RESET BINARY LOGS AND GTIDS", PURGE, "UNLOCK TABLES", "BEGIN", "INSERT INTO t VALUES (1)", "RESET BINARY LOGS AND GTIDS",
    "SELECT * FROM t", "ROLLBACK",
    # a transaction of its own is what a replica must not have
    "SET GLOBAL super_read_only = 1", "ANALYZE TABLE t", "ANALYZE LOCAL TABLE t", "OPTIMIZE TABLE t", "OPTIMIZE LOCAL TABLE t", "CHECK TABLE t", "CHECKSUM TABLE t",
    "CREATE TEMPORARY TABLE tt (a INT)", "ANALYZE TABLE tt", "OPTIMIZE TABLE tt", "ANALYZE TABLE t, tt", "SET GLOBAL read_only = 0", "ANALYZE TABLE t"]


def answers(server):
    out = []
    with server.connect() as c, c.cursor() as mine, server.connect() as d, d.cursor() as theirs:
        for text in STATEMENTS:
            cursor, q = (theirs, text[7:]) if text.startswith("other: ") else (mine, text)
            try:
                cursor.execute(q)
                out.append((text, cursor.fetchall()))
            except pymysql.Error as e:
                out.append((text, e.args))
    return out


def asked(kind):
    server = kind(options=["--log-bin=bin"])
    try:
        return answers(server.start())
    finally:
        server.stop()


def test_refused_as_by_mysql():
    ours = asked(Server)
    refused = [a[1][0] for a in ours if a[1] and isinstance(a[1][0], int)]
    assert refused == [4085, 4085, 4085, 4085, 1192, 1290, 1290, 1290, 1290, 1290]
    if MySQL.folder():
        assert ours == asked(MySQL)
