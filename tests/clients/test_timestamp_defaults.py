"""The DEFAULT of a TIMESTAMP is the same moment after a restart under another time zone, after ALTER TABLE there, and in a dump that is restored."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from lib.servers import Server


def epochs(s):
    s.query("INSERT INTO d.t (id) SELECT COUNT(*) FROM d.t")
    return [(r[0], float(r[1])) for r in s.query("SELECT UNIX_TIMESTAMP(a), UNIX_TIMESTAMP(b) FROM d.t ORDER BY id")]


def test_a_restart_elsewhere_and_a_dump():
    s = Server(options=["--default-time-zone=+02:00"]).start()
    try:
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE d.t (id INT PRIMARY KEY, a TIMESTAMP DEFAULT '2024-06-01 12:00:00', b TIMESTAMP(3) DEFAULT '2024-12-01 00:30:00.125')")
        first = epochs(s)[0]
        assert first == (1717236000, 1733005800.125)
        s.stop()
        s.options = ["--default-time-zone=-07:00"]
        s.start()
        assert "'2024-06-01 03:00:00'" in s.query("SHOW CREATE TABLE d.t")[0][1]
        s.query("ALTER TABLE d.t ADD COLUMN c INT, ADD COLUMN e TIMESTAMP DEFAULT '2024-06-01 03:00:00'")
        assert s.query("SELECT UNIX_TIMESTAMP(e) FROM d.t") == ((1717236000,),)
        s.kill()
        s.options = ["--default-time-zone=+05:30"]
        s.start()
        dump = subprocess.run(["mariadb-dump", "-uroot", f"-S{s.socket}", "d", "t"], check=True, capture_output=True).stdout
        s.query("CREATE DATABASE r")
        subprocess.run(["mariadb", "-uroot", f"-S{s.socket}", "r"], input=dump, check=True)
        s.query("INSERT INTO r.t (id) VALUES (9)")
        assert s.query("SELECT UNIX_TIMESTAMP(a) FROM r.t WHERE id = 9") == ((1717236000,),)
        assert epochs(s) == [first, first]
    finally:
        s.remove()
