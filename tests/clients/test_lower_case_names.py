"""lower_case_table_names=1: names of schemas, tables, aliases and common table expressions in any case (manual, "Identifier Case Sensitivity").

`python tests/clients/test_lower_case_names.py --mysql` asks a real MySQL the same (scripts/mysql-peer.sh).
"""
import contextlib
import pathlib
import sys

import pymysql
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import MySQL, Server  # noqa: E402

OPTION = "--lower-case-table-names=1"
# a statement and its first column, an error's number, or None
SCRIPT = [
    ("CREATE DATABASE Shop", None),
    ("SHOW DATABASES LIKE 'shop'", ["shop"]),
    ("USE SHOP", None),
    ("SELECT DATABASE()", ["shop"]),
    ("CREATE TABLE Items (Id INT PRIMARY KEY, Name VARCHAR(20))", None),
    ("CREATE TABLE items (id INT)", 1050),
    ("INSERT INTO ITEMS (Items.Id, iTEMS.name) VALUES (1, 'a'), (2, 'b')", None),
    ("SHOW TABLES", ["items"]),
    ("SHOW TABLES LIKE 'ITEM%'", ["items"]),
    ("SELECT ITEMS.id FROM items ORDER BY items.ID", [1, 2]),
    ("SELECT X.Id FROM Items AS x ORDER BY 1", [1, 2]),
    ("SELECT a.* FROM sHoP.Items A WHERE shop.A.id = 1", [1]),
    ("SELECT Shop.ITEMS.id FROM sHoP.Items WHERE SHOP.items.id = 2", [2]),
    ("SELECT a.id FROM Items a JOIN ITEMS A ON 1", 1066),
    ("WITH Q AS (SELECT id FROM Items) SELECT q.id FROM q ORDER BY 1", [1, 2]),
    ("SELECT d.id FROM (SELECT id FROM Items) D WHERE D.id > 1", [2]),
    ("CREATE TABLE Parts (id INT PRIMARY KEY, item INT, FOREIGN KEY (item) REFERENCES ITEMS (id))", None),
    ("INSERT INTO PARTS VALUES (1, 1)", None),
    ("DELETE FROM ITEMS WHERE id = 1", 1451),
    ("SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'SHOP' ORDER BY 1", ["items", "parts"]),
    ("SELECT REFERENCED_TABLE_NAME FROM information_schema.REFERENTIAL_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = 'Shop'", ["items"]),
    ("CREATE VIEW Cheap AS SELECT I.Id FROM Items I", None),
    ("SELECT * FROM CHEAP ORDER BY 1", [1, 2]),
    ("UPDATE Items I, Parts p SET i.Name = 'c' WHERE I.id = P.item", None),
    ("SELECT name FROM items WHERE id = 1", ["c"]),
    ("DELETE P FROM Parts AS p", None),
    ("INSERT INTO Items VALUES (2, 'd') AS New ON DUPLICATE KEY UPDATE name = NEW.name", None),
    ("SELECT name FROM items WHERE id = 2", ["d"]),
    ("ALTER TABLE Items RENAME TO Goods", None),
    ("RENAME TABLE gOODS TO Shop.Wares", None),
    ("SHOW TABLES", ["cheap", "parts", "wares"]),
    ("LOCK TABLES Wares READ", None),
    ("SELECT COUNT(*) FROM WARES", [2]),
    ("UNLOCK TABLES", None),
    ("HANDLER Wares OPEN AS H", None),
    ("HANDLER h READ FIRST", [1]),
    ("HANDLER H CLOSE", None),
    ("CREATE USER reader@localhost", None),
    ("GRANT SELECT ON Shop.Wares TO reader@localhost", None),
    ("SHOW GRANTS FOR reader@localhost", ["GRANT USAGE ON *.* TO `reader`@`localhost`", "GRANT SELECT ON `shop`.`wares` TO `reader`@`localhost`"]),
    ("CREATE TEMPORARY TABLE Tmp (i INT)", None),
    ("DROP TABLE tMP", None),
    ("DROP TABLE PARTS, Wares", None),
    ("DROP DATABASE sHOP", None),
]


def wrong(server):
    """The statements of the script that are not answered as expected."""
    out = []
    with server.connect() as c:
        for sql, expected in SCRIPT:
            cursor = c.cursor()
            try:
                cursor.execute(sql)
                answer = [row[0] for row in cursor.fetchall()] if cursor.description else None
            except pymysql.MySQLError as e:
                answer = e.args[0]
            if answer != expected:
                out.append((sql, answer, expected))
    return out


@contextlib.contextmanager
def running(kind, *options):
    server = kind(options=options)
    try:
        yield server.start()
    finally:
        server.remove()


def test_names_in_any_case():
    with running(Server, OPTION) as server:
        assert wrong(server) == []


def test_the_database_of_a_connection():
    with running(Server, OPTION) as server:
        server.query("CREATE DATABASE d1")
        with server.connect(database="D1") as c, c.cursor() as cursor:
            c.select_db("D1")
            cursor.execute("SELECT DATABASE()")
            assert cursor.fetchone() == ("d1",)


def test_the_data_directory_remembers():
    with running(Server) as server:
        server.query("CREATE DATABASE Dd")
        server.stop()
        server.options.append(OPTION)
        with pytest.raises(RuntimeError):
            server.start()
        assert "Different lower_case_table_names settings for server ('1') and data dictionary ('0')" in server.log_tail()
        server.options.remove(OPTION)
        server.start()
        assert ("Dd",) in server.query("SHOW DATABASES")


if __name__ == "__main__":
    with running(MySQL if "--mysql" in sys.argv else Server, OPTION) as s:
        for line in wrong(s):
            print(line)
