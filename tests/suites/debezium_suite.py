#!/usr/bin/env python3
"""Debezium's embedded engine (out of Maven) beside Evenkeel and a real MySQL: a snapshot, live changes of every type, schema changes, a restart.

    tests/suites/debezium_suite.py

Needs Java, Maven, and EVENKEEL_MYSQL or target/mysql-peer. The records of both servers are compared one by one, without what names the server, its log
and the time. Exit code 1 when they differ. Spatial types are left out: Evenkeel does not have them.
"""
import json
import shutil
import subprocess
import sys
from pathlib import Path

from common import cache, run, serving
from lib.wait import until

VERSION = "3.6.1.Final"
OPTIONS = ("--log-bin=bin", "--server-id=1", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--binlog-rows-query-log-events=ON")
PROGRAM = Path(__file__).parent / "programs" / "Changes.java"
# what differs from server to server and from run to run
LEFT = {"ts_ms", "ts_us", "ts_ns", "gtid", "file", "pos", "thread", "row", "server_id", "version", "uuid", "transaction"}
TYPES = ["TINYINT", "TINYINT(1)", "BOOL", "SMALLINT UNSIGNED", "MEDIUMINT", "INT UNSIGNED", "BIGINT", "BIGINT UNSIGNED", "DECIMAL(12,4)", "FLOAT", "DOUBLE", "BIT(1)", "BIT(13)", "YEAR", "DATE", "TIME(3)",
         "DATETIME(6)", "TIMESTAMP(2) NULL", "CHAR(5)", "VARCHAR(20) CHARACTER SET latin1", "TEXT", "BINARY(4)", "VARBINARY(9)", "BLOB", "ENUM('a','ö','c')", "SET('x','y','z')", "JSON"]
ROWS = [
    ["-128", "1", "TRUE", "65535", "-8388608", "4294967295", "-9223372036854775808", "18446744073709551615", "-12345678.1234", "1.5", "-2.25e10", "1", "b'1010101010101'", "2026", "'2026-11-28'", "'-12:34:56.789'",
     "'2026-11-28 01:02:03.456789'", "'2026-11-28 01:02:03.45'", "'ab'", "'äöü'", "'€😀'", "'ab'", "x'00ff'", "x'0102'", "'ö'", "'x,z'", "'{\"a\": [1, 2.5, null, \"é\"]}'"],
    ["0"] * 13 + ["1901", "'1000-01-01'", "'838:59:59'", "'9999-12-31 23:59:59.999999'", "'1970-01-02 00:00:01'", "''", "''", "''", "''", "''", "''", "'a'", "''", "'[]'"],
    ["NULL"] * len(TYPES),
]
COLUMNS = [f"c{n} {t}" for n, t in enumerate(TYPES)]
BEFORE = ["CREATE DATABASE inventory", f"CREATE TABLE inventory.types (id INT PRIMARY KEY, {', '.join(COLUMNS)})", *(f"INSERT INTO inventory.types VALUES ({n}, {', '.join(r)})" for n, r in enumerate(ROWS)),
          "CREATE TABLE inventory.orders (id INT AUTO_INCREMENT PRIMARY KEY, item VARCHAR(30) NOT NULL DEFAULT 'x', n INT)", "INSERT INTO inventory.orders (item, n) VALUES ('one', 1), ('two', 2)",
          "CREATE TABLE inventory.nokey (a INT, b INT)", "INSERT INTO inventory.nokey VALUES (1, 1)", "CREATE TABLE inventory.marks (id INT PRIMARY KEY, mark INT)", "INSERT INTO inventory.marks VALUES (0, 0)"]
LIVE = [*(f"INSERT INTO inventory.types VALUES ({10 + n}, {', '.join(r)})" for n, r in enumerate(ROWS)), *(f"UPDATE inventory.types SET c{n} = {v} WHERE id = 12" for n, v in enumerate(ROWS[0])), "UPDATE inventory.types SET id = 20 WHERE id = 11",
        "DELETE FROM inventory.types WHERE id < 3", "INSERT INTO inventory.orders (item) VALUES ('three'), ('four')", "UPDATE inventory.orders SET n = 7 WHERE id > 1", "UPDATE inventory.nokey SET b = 2", "DELETE FROM inventory.nokey",
        "ALTER TABLE inventory.orders ADD COLUMN price DECIMAL(8,2) DEFAULT 1.50 AFTER item, ADD KEY (n)", "INSERT INTO inventory.orders (item) VALUES ('five')", "ALTER TABLE inventory.orders CHANGE n amount BIGINT DEFAULT 3",
        "INSERT INTO inventory.orders (item) VALUES ('six')", "RENAME TABLE inventory.orders TO inventory.sales", "INSERT INTO inventory.sales (item) VALUES ('seven')", "ALTER TABLE inventory.sales DROP COLUMN price",
        "UPDATE inventory.sales SET item = UPPER(item)", "CREATE TABLE inventory.copy LIKE inventory.sales", "INSERT INTO inventory.copy SELECT * FROM inventory.sales", "TRUNCATE TABLE inventory.copy", "DROP TABLE inventory.copy",
        "INSERT INTO inventory.marks VALUES (1, 1)"]
DOWN = ["INSERT INTO inventory.sales (item) VALUES ('while down')", "ALTER TABLE inventory.sales ADD COLUMN note TEXT", "UPDATE inventory.sales SET note = 'n' WHERE id < 3", "CREATE TABLE inventory.late (id INT PRIMARY KEY)", "INSERT INTO inventory.late VALUES (1)",
        "INSERT INTO inventory.marks VALUES (2, 2)"]
POM = f"""<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>evenkeel</groupId><artifactId>changes</artifactId><version>1</version><dependencies>
{"".join(f"<dependency><groupId>io.debezium</groupId><artifactId>debezium-{a}</artifactId><version>{VERSION}</version></dependency>" for a in ("api", "embedded", "connector-mysql"))}
</dependencies></project>"""


def built():
    folder = cache("debezium")
    if not (folder / "lib").is_dir():
        (folder / "pom.xml").write_text(POM)
        run("mvn", "-B", "-q", "dependency:copy-dependencies", "-DoutputDirectory=lib", cwd=folder)
    run("javac", "-cp", "lib/*", "-d", folder, PROGRAM, cwd=folder)
    return folder


def plain(v):
    if isinstance(v, dict):
        return {k: plain(w) for k, w in v.items() if k not in LEFT}
    return [plain(w) for w in v] if isinstance(v, list) else v


def records(path):
    return [plain(json.loads(line)) for line in path.read_text().splitlines() if line.startswith("{")]


def follow(folder, kind, server, number, statements):
    """Starts the engine, runs statements once it has what was there before, and waits for its end."""
    path = folder / f"{kind}.{number}.out"
    with open(path, "w") as out, open(folder / f"{kind}.{number}.log", "w") as log:
        p = subprocess.Popen(["java", "-cp", f"{folder}:{folder}/lib/*", "Changes", str(server.port), str(folder / kind), str(number)], stdout=out, stderr=log)
        try:
            if statements:
                until(lambda: p.poll() is not None or '"snapshot":"last"' in path.read_text(), seconds=300)
                with server.connect() as c, c.cursor() as cur:
                    for q in statements:
                        cur.execute(q)
            if p.wait(400):
                sys.exit(f"Debezium ended early on {kind}: see {folder}/{kind}.{number}.log")
        finally:
            p.kill()
    return records(path)


def one(folder, kind):
    shutil.rmtree(folder / kind, ignore_errors=True)
    (folder / kind).mkdir()
    with serving(kind, options=OPTIONS) as server:
        for q in ["CREATE USER dbz@'%' IDENTIFIED BY 'dbz'", "GRANT SELECT, RELOAD, SHOW DATABASES, LOCK TABLES, REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO dbz@'%'", *BEFORE]:
            server.query(q)
        first = follow(folder, kind, server, 1, LIVE)
        for q in DOWN:
            server.query(q)
        return first, follow(folder, kind, server, 2, ())


def main():
    folder = built()
    ours, peer = one(folder, "evenkeel"), one(folder, "mysql")
    wrong = 0
    for part, a, b in zip(("snapshot and live", "after a restart"), ours, peer):
        differ = [(x, y) for x, y in zip(a, b) if x != y]
        wrong += len(differ) + abs(len(a) - len(b))
        print(f"{part}: {len(a)} records on evenkeel, {len(b)} on MySQL, {len(differ)} differ")
        for x, y in differ[:10]:
            print("  evenkeel", json.dumps(x, ensure_ascii=False)[:1500], "\n  mysql   ", json.dumps(y, ensure_ascii=False)[:1500])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
