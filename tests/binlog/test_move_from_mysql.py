"""The guide "From MySQL without downtime" (docs/operations/migrate.md), each of its steps with MySQL's own programs: dump with a position, replicate, verify with
pt-table-checksum, switch, and the way back, while clients write all the time. Skipped without MySQL (scripts/mysql-peer.sh)."""
import os
import pathlib
import re
import shutil
import subprocess
import threading

import pytest

from binlog.test_pt_table_checksum import WORDS
from binlog.test_replica import caught_up, make, status
from lib.servers import MySQL, Server
from lib.wait import until

pytestmark = pytest.mark.skipif(MySQL.folder() is None, reason="scripts/mysql-peer.sh has not been run")
TOOL = os.environ.get("PT_TABLE_CHECKSUM") or shutil.which("pt-table-checksum")
SHOP = """CREATE DATABASE shop
CREATE TABLE shop.items (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(50), price DECIMAL(10, 2), more JSON, at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)
CREATE TABLE shop.orders (id INT AUTO_INCREMENT PRIMARY KEY, item INT, n INT, FOREIGN KEY (item) REFERENCES shop.items (id))
CREATE TABLE shop.log (id INT AUTO_INCREMENT PRIMARY KEY, what TEXT)
CREATE TRIGGER shop.tell AFTER INSERT ON shop.orders FOR EACH ROW INSERT INTO shop.log (what) VALUES (CONCAT('order ', NEW.id))
CREATE PROCEDURE shop.order_one (i INT) INSERT INTO shop.orders (item, n) VALUES (i, 1)
CREATE VIEW shop.sums AS SELECT item, SUM(n) AS n FROM shop.orders GROUP BY item
CREATE EVENT shop.clean ON SCHEDULE EVERY 1 YEAR DO DELETE FROM shop.log WHERE id < 0"""


class Clients:
    """Write to whichever server is told, as an application does; a server that is read-only is waited for."""

    def __init__(self, server):
        self.server, self.over, self.done = server, threading.Event(), 0
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        while not self.over.is_set():
            try:
                with self.server.connect(user="app", password="a", host="127.0.0.1") as c, c.cursor() as cur:
                    while not self.over.is_set():
                        cur.execute("INSERT INTO shop.items (name, price, more) VALUES ('x', 1.5, '{\"a\": [1, 2]}')")
                        cur.execute("CALL shop.order_one(LAST_INSERT_ID())")
                        cur.execute("UPDATE shop.items SET price = price + 1 ORDER BY id DESC LIMIT 3")
                        self.done += 1
            except Exception:  # noqa: BLE001
                self.over.wait(0.05)

    def at_work(self):
        before = self.done
        until(lambda: self.done > before + 20)

    def stop(self):
        self.over.set()
        self.thread.join()


def dump(m, gtids):
    ran = subprocess.run([*MySQL.program("usr/bin/mysqldump"), "--no-defaults", "-uroot", f"--socket={m.socket}", "--single-transaction", "--source-data=2",
                          f"--set-gtid-purged={'ON' if gtids else 'OFF'}", "--no-tablespaces", "--routines", "--events", "--triggers", "--databases", "shop"],
                         capture_output=True, check=True)
    return ran.stdout


def load(r, text):
    subprocess.run([*MySQL.program("usr/bin/mysql"), "--no-defaults", "-uroot", f"--socket={r.socket}"], input=text, check=True, capture_output=True)


def follow(source, replica, how):
    replica.query(f"CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT={source.port}, SOURCE_USER='repl', SOURCE_PASSWORD='p w', SOURCE_SSL=1,"
                  f" SOURCE_CONNECT_RETRY=1, {how}")
    replica.query("START REPLICA")


def verify(m, r, folder):
    """pt-table-checksum of the source finds nothing."""
    if TOOL is None:
        return
    tool = folder / "pt-table-checksum"
    tool.write_bytes(re.sub("|".join(WORDS), lambda x: WORDS[x[0]], pathlib.Path(TOOL).read_bytes().decode("latin-1")).encode("latin-1"))
    for q in ("CREATE DATABASE percona", "CREATE TABLE percona.dsns (id INT AUTO_INCREMENT PRIMARY KEY, parent_id INT, dsn VARCHAR(255) NOT NULL)",
              "CREATE USER pt@'%' IDENTIFIED BY 'pt'", "GRANT ALL ON *.* TO pt@'%'", f"INSERT INTO percona.dsns (dsn) VALUES ('h=127.0.0.1,P={r.port},u=pt,p=pt')"):
        m.query(q)
    ran = subprocess.run(["perl", str(tool), f"h=127.0.0.1,P={m.port},u=pt,p=pt", "--recursion-method=dsn=D=percona,t=dsns", "--databases=shop",
                          "--no-check-binlog-format"], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    tables = "SELECT tbl, SUM(this_crc <> master_crc OR this_cnt <> master_cnt) FROM percona.checksums WHERE db = 'shop' GROUP BY tbl ORDER BY 1"
    wanted = (("items", 0), ("log", 0), ("orders", 0))
    try:
        until(lambda: tuple((t, int(n)) for t, n in r.query(tables)) == wanted, seconds=30)
    except AssertionError as e:
        raise AssertionError((r.query(tables), ran)) from e


def sums(server):
    return [server.query(f"CHECKSUM TABLE shop.{t}") for t in ("items", "orders", "log")] + [server.query("SELECT COUNT(*), SUM(n) FROM shop.sums")]


@pytest.mark.parametrize("gtids", [True, False])
def test_without_downtime(gtids, tmp_path):
    on = "ON" if gtids else "OFF"
    options = [f"--gtid-mode={on}", f"--enforce-gtid-consistency={on}"]
    m, r = make(MySQL, 1, *options), make(Server, 2, *options, "--event-scheduler=OFF")
    clients = None
    try:
        m.start()
        r.start()
        for q in ("CREATE USER repl@'%' IDENTIFIED BY 'p w'", "GRANT REPLICATION SLAVE ON *.* TO repl@'%'", "CREATE USER app@'%' IDENTIFIED BY 'a'",
                  "GRANT ALL ON shop.* TO app@'%'", *SHOP.splitlines()):
            m.query(q)
        clients = Clients(m)
        clients.at_work()
        # the dump, while they write, and the accounts, which are not in it
        text = dump(m, gtids)
        accounts = [m.query(f"SHOW CREATE USER {u}@'%'")[0][0] for u in ("repl", "app")] + [g for u in ("repl", "app") for (g,) in m.query(f"SHOW GRANTS FOR {u}@'%'")]
        clients.at_work()
        if gtids:
            r.query("RESET BINARY LOGS AND GTIDS")
        load(r, text)
        with r.connect() as c, c.cursor() as cur:
            cur.execute("SET sql_log_bin = 0")
            for q in accounts:
                cur.execute(q)
        place = re.search(rb"-- CHANGE REPLICATION SOURCE TO (SOURCE_LOG_FILE='[^']+', SOURCE_LOG_POS=\d+);", text)[1].decode()
        follow(m, r, "SOURCE_AUTO_POSITION=1" if gtids else place)
        r.query("SET GLOBAL super_read_only = ON")
        clients.at_work()
        until(lambda: status(r)["Seconds_Behind_Source"] == 0, why=lambda: status(r))
        verify(m, r, tmp_path)
        # the switch: nothing is written for so long
        m.query("SET GLOBAL super_read_only = ON")
        caught_up(m, r)
        assert sums(r) == sums(m)
        r.query("STOP REPLICA")
        r.query("RESET REPLICA ALL")
        # the way back is open before the first change here
        file, at = r.query("SHOW BINARY LOG STATUS")[0][:2]
        follow(r, m, "SOURCE_AUTO_POSITION=1" if gtids else f"SOURCE_LOG_FILE='{file}', SOURCE_LOG_POS={at}")
        m.query("SET GLOBAL event_scheduler = OFF")
        r.query("SET GLOBAL event_scheduler = ON")
        r.query("SET GLOBAL read_only = OFF")
        clients.server = r
        clients.at_work()
        r.query("ALTER TABLE shop.items ADD COLUMN place VARCHAR(10) DEFAULT 'here'")
        clients.at_work()
        # back
        r.query("SET GLOBAL super_read_only = ON")
        caught_up_mysql(r, m, gtids)
        assert sums(r) == sums(m)
        m.query("STOP REPLICA")
        m.query("RESET REPLICA ALL")
        m.query("SET GLOBAL read_only = OFF")
        clients.server = m
        clients.at_work()
    finally:
        if clients:
            clients.stop()
        m.stop()
        m.remove()
        r.remove()


def caught_up_mysql(s, m, gtids):
    if gtids:
        wanted = s.query("SELECT @@GLOBAL.gtid_executed")[0][0].replace("\n", "")
        assert m.query(f"SELECT WAIT_FOR_EXECUTED_GTID_SET('{wanted}', 60)") == ((0,),), status(m)
    else:
        file, at = s.query("SHOW BINARY LOG STATUS")[0][:2]
        assert m.query(f"SELECT SOURCE_POS_WAIT('{file}', {at}, 60)")[0][0] is not None, status(m)
    assert not status(m)["Last_SQL_Error"]
