"""pt-table-checksum itself over a replica with two differing rows: it finds both tables. (Debian's version 3.2.1 says SHOW MASTER STATUS and the like, which 8.4
has not: those words are replaced in a copy, as later versions did.)"""
import pathlib
import re
import shutil
import subprocess

import pytest
from binlog.test_replica import caught_up, pair, point
from lib.servers import MySQL, Server

TOOL = shutil.which("pt-table-checksum")
pytestmark = pytest.mark.skipif(TOOL is None, reason="percona-toolkit is not installed")
WORDS = {"SHOW MASTER STATUS": "SHOW BINARY LOG STATUS", "SHOW SLAVE STATUS": "SHOW REPLICA STATUS", "SHOW SLAVE HOSTS": "SHOW REPLICAS",
         "MASTER_POS_WAIT": "SOURCE_POS_WAIT", "seconds_behind_master": "seconds_behind_source", "master_host": "source_host", "master_port": "source_port",
         "master_user": "source_user", "slave_io_running": "replica_io_running", "slave_sql_running": "replica_sql_running",
         "relay_master_log_file": "relay_source_log_file", "exec_master_log_pos": "exec_source_log_pos", "read_master_log_pos": "read_source_log_pos"}
SETUP = ["CREATE DATABASE d", "CREATE TABLE d.t (id INT AUTO_INCREMENT PRIMARY KEY, a VARCHAR(100), b DECIMAL(10,2), c DATETIME)",
         "CREATE TABLE d.u (k VARCHAR(20) PRIMARY KEY, v DOUBLE, w JSON)", "CREATE TABLE d.same (k INT PRIMARY KEY, v BLOB, n TEXT CHARACTER SET latin1)",
         "INSERT INTO d.t (a, b, c) VALUES " + ", ".join(f"('x{i}', {i}.5, NOW())" for i in range(3000)),
         "INSERT INTO d.u VALUES " + ", ".join(f"('k{i}', {i / 7}, '[{i}]')" for i in range(300)),
         "INSERT INTO d.same VALUES " + ", ".join(f"({i}, NULL, 'é{i}')" for i in range(300)),
         "CREATE DATABASE percona", "CREATE TABLE percona.dsns (id INT AUTO_INCREMENT PRIMARY KEY, parent_id INT, dsn VARCHAR(255) NOT NULL)",
         "CREATE USER pt@'%' IDENTIFIED BY 'pt'", "GRANT ALL ON *.* TO pt@'%'"]


@pytest.mark.parametrize("kind", [Server, pytest.param(MySQL, marks=pytest.mark.skipif(MySQL.folder() is None, reason="scripts/mysql-peer.sh has not been run"))])
def test_differences_are_found(kind, tmp_path):
    tool = tmp_path / "pt-table-checksum"
    tool.write_bytes(re.sub("|".join(WORDS), lambda m: WORDS[m[0]], pathlib.Path(TOOL).read_bytes().decode("latin-1")).encode("latin-1"))
    with pair() as (s, r):
        if kind is MySQL:
            r.remove()
            r = MySQL(options=["--log-bin=bin", "--server-id=2", "--gtid-mode=ON", "--enforce-gtid-consistency=ON"]).start()
            r.query("RESET BINARY LOGS AND GTIDS")
        try:
            point(s, r)
            r.query("START REPLICA")
            for q in [*SETUP, f"INSERT INTO percona.dsns (dsn) VALUES ('h=127.0.0.1,P={r.port},u=pt,p=pt')"]:
                s.query(q)
            caught_up(s, r)
            r.query("DELETE FROM d.t WHERE id = 1500")
            r.query("UPDATE d.u SET v = 3 WHERE k = 'k17'")
            ran = subprocess.run(["perl", str(tool), f"h=127.0.0.1,P={s.port},u=pt,p=pt", "--recursion-method=dsn=D=percona,t=dsns", "--databases=d",
                                  "--no-check-binlog-format"], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
            caught_up(s, r)
            different = r.query("SELECT DISTINCT tbl FROM percona.checksums WHERE this_crc <> master_crc OR this_cnt <> master_cnt ORDER BY 1")
            assert different == (("t",), ("u",)), (different, ran)
            assert r.query("SELECT COUNT(DISTINCT tbl) FROM percona.checksums WHERE db = 'd'") == ((3,),)
            if kind is MySQL:
                assert ran.returncode == 16 and "Error" not in ran.stderr, ran
        finally:
            r.remove()
