"""What the answer to an INSERT tells: changed rows, the AUTO_INCREMENT value, the text, with and without CLIENT_FOUND_ROWS. With EVENKEEL_MYSQL
(scripts/mysql-peer.sh) the same is asked of a real MySQL."""
import os
import pathlib
import sys

import pytest
from pymysql.constants import CLIENT

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import MySQL, Server  # noqa: E402

KINDS = [Server] + ([MySQL] if os.environ.get("EVENKEEL_MYSQL") and MySQL.folder() else [])

# statement, then without the flag and with it: changed rows, value, duplicates (None: no text)
CASES = [
    ("INSERT INTO t (id) VALUES (1), (2)", (2, 2, 0), (2, 2, 0)),
    ("INSERT INTO t (id) VALUES (1), (2), (3) ON DUPLICATE KEY UPDATE id = id", (1, 3, 0), (3, 3, 2)),
    ("INSERT INTO t (id) VALUES (2), (3) ON DUPLICATE KEY UPDATE id = id", (0, 0, 0), (2, 0, 2)),
    ("INSERT INTO t (id) VALUES (3) ON DUPLICATE KEY UPDATE id = id", (0, 0, None), (1, 0, None)),
    ("INSERT INTO t (id) VALUES (3) ON DUPLICATE KEY UPDATE v = 5", (2, 3, None), (2, 3, None)),
    ("INSERT INTO t (id) VALUES (3), (4) ON DUPLICATE KEY UPDATE v = 5", (1, 4, 0), (2, 4, 1)),
    ("INSERT INTO t (id) VALUES (3) ON DUPLICATE KEY UPDATE v = 5, id = LAST_INSERT_ID(id)", (0, 3, None), (1, 3, None)),
    ("INSERT IGNORE INTO t (id) VALUES (3), (4)", (0, 0, 2), (0, 0, 2)),
    ("INSERT INTO t (v) VALUES (7) ON DUPLICATE KEY UPDATE v = 7", (1, 5, None), (1, 5, None)),
    # of a query no value that it gives is told when rows may be duplicates, whatever became of them
    ("INSERT INTO t (id) SELECT 6", (1, 6, 0), (1, 6, 0)),
    ("INSERT INTO t (id) SELECT 6 ON DUPLICATE KEY UPDATE id = t.id", (0, 0, 0), (1, 0, 0)),
    ("INSERT INTO t (id) SELECT 6 ON DUPLICATE KEY UPDATE v = 8", (2, 0, 1), (2, 0, 1)),
    ("INSERT INTO t (id) SELECT 7 UNION SELECT 6 ON DUPLICATE KEY UPDATE v = 8", (1, 0, 0), (2, 0, 0)),
    ("INSERT INTO t (id) SELECT 6 ON DUPLICATE KEY UPDATE v = 9, id = LAST_INSERT_ID(t.id)", (2, 6, 1), (2, 6, 1)),
    ("INSERT IGNORE INTO t (id) SELECT 6 UNION SELECT 8", (1, 8, 1), (1, 8, 1)),
    ("INSERT INTO t (id) SELECT NULL UNION ALL SELECT 6 ON DUPLICATE KEY UPDATE v = 9", (1, 9, 0), (2, 9, 0)),
]


@pytest.mark.parametrize("kind", KINDS)
def test_answers(kind):
    server = kind().start()
    try:
        server.query("CREATE DATABASE d")
        for flag in (0, CLIENT.FOUND_ROWS):
            with server.connect(database="d", client_flag=flag) as c, c.cursor() as cursor:
                cursor.execute("DROP TABLE IF EXISTS t")
                cursor.execute("CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, v INT)")
                for statement, without, found in CASES:
                    changed = cursor.execute(statement)
                    answer = cursor._result
                    text = answer.message.decode()
                    duplicates = int(text.partition("Duplicates: ")[2].split()[0]) if text else None
                    assert (changed, answer.insert_id, duplicates) == (found if flag else without), (flag, statement, text)
    finally:
        server.kill()
        server.remove()
