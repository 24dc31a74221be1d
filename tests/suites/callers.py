#!/usr/bin/env python3
"""Stored programs called by mysqli, PDO, DBD::mysql and DBD::MariaDB, on Evenkeel and on MySQL: several results, OUT parameters, errors, warnings, numbers.

    tests/suites/callers.py      (apt-get install php-cli php-mysql libdbd-mysql-perl libdbd-mariadb-perl)

What they print is compared. Exit code 1 when a line differs.
"""
import difflib
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import MySQL, Server  # noqa: E402

FOLDER = pathlib.Path(__file__).parent / "programs"
MADE = [
    "CREATE DATABASE pr", "USE pr", "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v INT)",
    "CREATE PROCEDURE two(a INT, OUT o INT) BEGIN SELECT a, a * 2 b; SELECT 'x' s UNION SELECT 'y'; SET o = a + 1; END",
    "CREATE PROCEDURE fails() BEGIN SELECT 1; SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no', MYSQL_ERRNO = 4711; END",
    "CREATE PROCEDURE outs(IN a INT, INOUT b VARCHAR(10), OUT c DECIMAL(5,2)) BEGIN SELECT a; SET b = CONCAT(b, b), c = a / 3; END",
    "CREATE PROCEDURE warns() BEGIN SELECT CAST('1x' AS SIGNED); END", "CREATE PROCEDURE ins(a INT) INSERT INTO t VALUES (NULL, a)",
    "CREATE FUNCTION f(a INT) RETURNS INT DETERMINISTIC RETURN a * 10",
]
CALLERS = {"mysqli and PDO": ["php", FOLDER / "callers.php"], "DBD::mysql": ["perl", FOLDER / "callers.pl", "mysql"], "DBD::MariaDB": ["perl", FOLDER / "callers.pl", "MariaDB"]}


def answers(kind):
    """What each caller prints."""
    server = kind().start()
    try:
        with server.connect() as c, c.cursor() as cur:
            for sql in MADE:
                cur.execute(sql)
        done = {n: subprocess.run([*command, server.socket], capture_output=True, text=True, timeout=60) for n, command in CALLERS.items()}
        return {n: (d.returncode, (d.stdout + d.stderr).replace(server.socket, "SOCKET").splitlines()) for n, d in done.items()}
    finally:
        server.kill()
        server.remove()


def main():
    theirs, ours = answers(MySQL), answers(Server)
    wrong = 0
    for name in CALLERS:
        differs = list(difflib.unified_diff(theirs[name][1], ours[name][1], "mysql", "evenkeel", lineterm="", n=0))
        wrong += len(differs) + (ours[name][0] != 0)
        print(f"{name}: {len(ours[name][1])} lines, exit code {ours[name][0]}", *differs, sep="\n    ")
    sys.exit(bool(wrong))


main()
