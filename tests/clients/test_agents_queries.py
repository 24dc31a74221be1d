"""The queries of agents and programs that nobody has installed here (`agents.sql`): none fails, and those have rows that have
rows on MySQL 9.7 after the same work. With --mysql this file runs them on a MySQL (scripts/mysql-peer.sh) and says where the
marks are wrong."""
import pathlib
import re
import sys

if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import pymysql
import pytest

from lib.servers import MySQL, Server

QUERIES = [(m[1], bool(m[2]), m[3]) for m in re.finditer(r"^-- ([\w-]+)( rows)?\n(.+);$", (pathlib.Path(__file__).parent / "agents.sql").read_text(), re.M)]
WORK = ["CREATE DATABASE work", "CREATE TABLE work.p (a INT AUTO_INCREMENT PRIMARY KEY, b VARCHAR(20), KEY (b))",
        "CREATE TABLE work.c (a INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES work.p (a))", "USE work", "INSERT INTO p (b) VALUES ('x'), ('y'), ('z')",
        "SELECT COUNT(*) FROM p WHERE b > 'a'", "SELECT * FROM p ORDER BY CONCAT(b, a)", "SELECT * FROM nowhere", "SELECT b FROM p GROUP BY b"]


def work(server):
    """A session that stays in a transaction."""
    c = server.connect(autocommit=False)
    with c.cursor() as cur:
        for sql in WORK:
            try:
                cur.execute(sql)
            except pymysql.err.ProgrammingError:
                assert "nowhere" in sql
    return c


def run(server, sql):
    with server.connect() as c, c.cursor() as cur:
        cur.execute(sql)
        return cur.fetchall()


@pytest.fixture(scope="module")
def server():
    s = Server(options=["--innodb-buffer-pool-size=64M"]).start()
    with work(s):
        yield s
    s.remove()


@pytest.mark.parametrize("n", range(len(QUERIES)))
def test_query(server, n):
    agent, rows, sql = QUERIES[n]
    found = run(server, sql)
    assert found or not rows, f"{agent}: no rows: {sql}"


def test_there_are_queries_of_each(server):
    assert {a for a, _, _ in QUERIES} >= {"datadog", "zabbix", "percona-pmm", "phpmyadmin", "workbench", "mysqld_exporter"} and len(QUERIES) >= 70


if __name__ == "__main__":
    s = MySQL().start()
    with work(s):
        for agent, rows, sql in QUERIES:
            found = run(s, sql)
            if bool(found) != rows:
                print(f"{agent}: {'has' if found else 'no'} rows in MySQL: {sql}")
    s.remove()
