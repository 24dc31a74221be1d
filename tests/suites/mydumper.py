#!/usr/bin/env python3
"""A current mydumper and myloader (Debian has 0.10, which asks by SHOW MASTER STATUS): tests/suites/mydumper.py FOLDER [--rounds N]

FOLDER holds `mydumper` and `myloader`, built from github.com/mydumper/mydumper. A server is dumped while writers move money and a session makes,
changes and drops tables; another one is loaded from the dump, must hold what the test of backups asks for (tests/backup/test_backup.py), and
follows the first from the position that the dump's `metadata` names, in turns by GTIDs and by file: in the end both are equal. By hand.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from backup.test_backup import GTIDS, Load, look  # noqa: E402
from lib.servers import Server  # noqa: E402

TABLES = """CREATE DATABASE p
CREATE TABLE p.t (a INT PRIMARY KEY, b BIT(5), c BLOB, d JSON, e DATETIME(3), f DECIMAL(20,5), g ENUM('x','y'), h VARCHAR(50) CHARACTER SET latin1, i INT AS (a*2), j INT AS (a*3) STORED, k FLOAT, l DOUBLE, m YEAR, n TIME(2), o SET('p','q'), q BINARY(4))
INSERT INTO p.t (a,b,c,d,e,f,g,h,k,l,m,n,o,q) VALUES (1,b'101',x'00ff27','{"a": [1, 2.50, "ä"]}','2026-01-02 03:04:05.678',12345.67890,'y','é',1.5,1e-300,2026,'-12:00:00.25','p,q','ab')
INSERT INTO p.t (a) VALUES (2)
CREATE TABLE p.child (a INT PRIMARY KEY, r INT, FOREIGN KEY (r) REFERENCES p.t (a) ON DELETE CASCADE, CHECK (a > 0))
INSERT INTO p.child VALUES (5, 1)
CREATE VIEW p.v AS SELECT a, h FROM p.t
CREATE PROCEDURE p.proc() SELECT 1
CREATE FUNCTION p.func(x INT) RETURNS INT DETERMINISTIC RETURN x + 1
CREATE TRIGGER p.trg BEFORE INSERT ON p.child FOR EACH ROW SET NEW.a = NEW.a + 0
CREATE EVENT p.ev ON SCHEDULE EVERY 1 DAY DO DELETE FROM p.child"""
NAMES = """SELECT routine_name FROM information_schema.routines WHERE routine_schema = 'p' UNION ALL SELECT trigger_name FROM information_schema.triggers
 WHERE trigger_schema = 'p' UNION ALL SELECT event_name FROM information_schema.events UNION ALL SELECT table_name FROM information_schema.tables WHERE table_schema = 'p' ORDER BY 1"""


def ran(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stderr


def one(tools, s, t, out, by_file):
    for q in TABLES.splitlines():
        s.query(q)
    with Load(s) as load:
        least = list(load.acked)
        ran(tools / "mydumper", "-u", "root", "-S", s.socket, "-o", out, "-B", "d,p", "-G", "-E", "-R", "--threads", 4, "--source-data", 0)
        most = [n + 1 for n in load.acked]
    ran(tools / "myloader", "-u", "root", "-S", t.socket, "-d", out, "--threads", 4, "-o")
    look(t, least, most)
    said = (out / "metadata").read_text()
    gtids, file, at = (re.search(rf'^{name} = "?([^"\n]*)', said, re.M)[1] for name in ("executed_gtid_set", "SOURCE_LOG_FILE", "SOURCE_LOG_POS"))
    t.query("RESET BINARY LOGS AND GTIDS")
    t.query(f"SET GLOBAL gtid_purged = '{gtids}'")
    where = f"SOURCE_LOG_FILE = '{file}', SOURCE_LOG_POS = {at}, SOURCE_AUTO_POSITION = 0" if by_file else "SOURCE_AUTO_POSITION = 1"
    t.query(f"CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = {s.port}, SOURCE_USER = 'root', GET_SOURCE_PUBLIC_KEY = 1, {where}")
    t.query("START REPLICA")
    wanted = s.query("SELECT @@gtid_executed")[0][0]
    assert t.query(f"SELECT WAIT_FOR_EXECUTED_GTID_SET('{wanted}', 120)") == ((0,),), t.query("SHOW REPLICA STATUS")
    for table in ("d.bank", "d.moves", "p.t", "p.child"):
        assert s.query(f"CHECKSUM TABLE {table}") == t.query(f"CHECKSUM TABLE {table}"), table
    assert s.query(NAMES) == t.query(NAMES)
    return at


def main():
    p = argparse.ArgumentParser()
    p.add_argument("folder", type=pathlib.Path)
    p.add_argument("--rounds", type=int, default=4)
    a = p.parse_args()
    for n in range(a.rounds):
        s, t = Server(options=GTIDS), Server(options=[*GTIDS, "--server-id=9", "--local-infile=1"])
        with tempfile.TemporaryDirectory() as out:
            try:
                s.start(), t.start()
                by_file = n % 2 == 1
                print(f"round {n + 1}: equal, from {'file' if by_file else 'GTIDs'} at {one(a.folder, s, t, pathlib.Path(out) / 'dump', by_file)}", flush=True)
            finally:
                s.remove()
                t.remove()


if __name__ == "__main__":
    main()
