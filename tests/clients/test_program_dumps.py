"""Stored programs through mariadb-dump, and MySQL's own mysqldump where there is one: dumped with --routines --triggers --events, restored into a fresh
server and dumped again: the same text, and the same rows in information_schema.
"""
import subprocess

import pytest

from lib.servers import MySQL, Server

PROGRAMS = [
    "CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, a INT, b VARCHAR(50))",
    "CREATE TABLE audit (what VARCHAR(100), at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)",
    # the order of their names is not the one in which they run
    "CREATE TRIGGER z1 BEFORE INSERT ON t FOR EACH ROW SET NEW.b = CONCAT(NEW.b, '1')",
    "CREATE TRIGGER a2 BEFORE INSERT ON t FOR EACH ROW FOLLOWS z1 SET NEW.b = CONCAT(NEW.b, '2')",
    "CREATE TRIGGER m0 BEFORE INSERT ON t FOR EACH ROW PRECEDES z1 BEGIN IF NEW.a IS NULL THEN SET NEW.a = 7; END IF; END",
    "CREATE TRIGGER after1 AFTER UPDATE ON t FOR EACH ROW INSERT INTO audit (what) VALUES (CONCAT(OLD.a, '->', NEW.a, ';'))",
    "CREATE TRIGGER after2 AFTER DELETE ON t FOR EACH ROW /* a comment */ INSERT INTO audit (what) VALUES ('gone')",
    "CREATE PROCEDURE `odd ``name` (IN a INT, OUT `out b` VARCHAR(20) CHARACTER SET latin1, INOUT c DECIMAL(10,2))\n  READS SQL DATA COMMENT 'it''s; odd'\n"
    "BEGIN\n  -- a line; with a semicolon\n  SET `out b` = 'x;y', c = c + a;\n  outer_: BEGIN LEAVE outer_; END;\nEND",
    "CREATE DEFINER = someone@somewhere FUNCTION f (a INT, b VARCHAR(10)) RETURNS VARCHAR(30) CHARSET utf8mb4 COLLATE utf8mb4_bin\n"
    "    DETERMINISTIC SQL SECURITY INVOKER RETURN CONCAT(a, b, 'ö')",
    "CREATE FUNCTION g () RETURNS ENUM('a','b''c') NO SQL RETURN 'a'",
    "CREATE EVENT e1 ON SCHEDULE EVERY '1:30' HOUR_MINUTE STARTS '2030-01-01 00:00:00' ENDS '2031-01-01 00:00:00' ON COMPLETION PRESERVE DISABLE COMMENT 'c;' "
    "DO INSERT INTO audit (what) VALUES ('e1')",
    "SET time_zone = '+05:30'",
    "CREATE EVENT e2 ON SCHEDULE AT '2035-05-05 05:05:05' DO BEGIN SET @x = 1; SET @y = ';'; END",
    "SET time_zone = DEFAULT, sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT'",
    'CREATE PROCEDURE "ansi" () BEGIN SET @a = \'x\' || \'y\'; END',
    'CREATE TRIGGER "ansi" AFTER INSERT ON t FOR EACH ROW INSERT INTO audit (what) VALUES (\'a\' || \'b\')',
    "SET sql_mode = 'NO_BACKSLASH_ESCAPES'",
    "CREATE FUNCTION slash () RETURNS VARCHAR(10) CHARSET utf8mb4 DETERMINISTIC RETURN '\\n'",
    "SET sql_mode = DEFAULT",
]

TABLES = {
    "ROUTINES": "ROUTINE_NAME, ROUTINE_TYPE, DATA_TYPE, DTD_IDENTIFIER, CHARACTER_SET_NAME, COLLATION_NAME, ROUTINE_DEFINITION, IS_DETERMINISTIC, "
                "SQL_DATA_ACCESS, SECURITY_TYPE, SQL_MODE, ROUTINE_COMMENT, DEFINER, CHARACTER_SET_CLIENT, COLLATION_CONNECTION, DATABASE_COLLATION",
    "PARAMETERS": "SPECIFIC_NAME, ORDINAL_POSITION, PARAMETER_MODE, PARAMETER_NAME, DTD_IDENTIFIER, CHARACTER_SET_NAME, COLLATION_NAME",
    "TRIGGERS": "TRIGGER_NAME, EVENT_MANIPULATION, EVENT_OBJECT_TABLE, ACTION_ORDER, ACTION_STATEMENT, ACTION_TIMING, SQL_MODE, DEFINER, "
                "CHARACTER_SET_CLIENT, COLLATION_CONNECTION, DATABASE_COLLATION",
    "EVENTS": "EVENT_NAME, DEFINER, TIME_ZONE, EVENT_DEFINITION, EVENT_TYPE, EXECUTE_AT, INTERVAL_VALUE, INTERVAL_FIELD, SQL_MODE, STARTS, ENDS, STATUS, "
              "ON_COMPLETION, EVENT_COMMENT, CHARACTER_SET_CLIENT, COLLATION_CONNECTION, DATABASE_COLLATION",
}


def described(server):
    out = {}
    for table, columns in TABLES.items():
        schema = {"ROUTINES": "ROUTINE", "PARAMETERS": "SPECIFIC", "TRIGGERS": "TRIGGER", "EVENTS": "EVENT"}[table]
        out[table] = sorted(map(str, server.query(f"SELECT {columns} FROM information_schema.{table} WHERE {schema}_SCHEMA = 'progs'")))
    return out


def tools():
    out = {"mariadb-dump": (["mariadb-dump"], ["mariadb"])}
    if MySQL.folder():
        out["mysqldump"] = (MySQL.program("usr/bin/mysqldump"), MySQL.program("usr/bin/mysql"))
    return out


def call(command, server, *args, **kw):
    r = subprocess.run([*command, "--no-defaults", "-uroot", f"--socket={server.socket}", "--default-character-set=utf8mb4", *args],
                       capture_output=True, timeout=300, **kw)
    assert r.returncode == 0, f"{args}\n{r.stdout[-2000:]!r}\n{r.stderr.decode(errors='replace')}"
    return r.stdout


@pytest.mark.parametrize("tool", sorted(tools()))
def test_programs_come_back(tool):
    dump, load = tools()[tool]
    args = ["--skip-dump-date", "--skip-comments", "--routines", "--triggers", "--events", "--databases", "progs"]
    source, fresh = Server().start(), Server().start()
    try:
        source.query("CREATE DATABASE progs COLLATE utf8mb4_0900_ai_ci")
        with source.connect(database="progs") as c, c.cursor() as cur:
            for s in PROGRAMS:
                cur.execute(s)
            cur.execute("INSERT INTO t (a, b) VALUES (1, 'x')")
        text = call(dump, source, *args)
        # without it a client leaves comments out of bodies
        call(load, fresh, "--comments", input=text)
        was, now = described(source), described(fresh)
        assert now == was and len(was["TRIGGERS"]) == 6 and len(was["EVENTS"]) == 2 and len(was["ROUTINES"]) == 5
        assert call(dump, fresh, *args) == text
        # what was restored runs, once each
        for s in (source, fresh):
            s.query("INSERT INTO progs.t (b) VALUES ('q')")
        assert source.query("SELECT a, b FROM progs.t ORDER BY id") == fresh.query("SELECT a, b FROM progs.t ORDER BY id")
    finally:
        source.remove()
        fresh.remove()
