#!/usr/bin/env python3
"""MySQL's own client programs (of scripts/mysql-peer.sh) against Evenkeel and the real MySQL they belong to: what they print must be the same.

    tests/suites/mysql_programs.py [--show N]

mysqldump (plain, consistent, XML, complete inserts; restored and dumped again), mysqlshow, mysqlcheck, mysql (tables, verbose, types of columns, XML, HTML),
mysqlimport, mysqlslap, mysqladmin. Lines about versions, times, paths and GTIDs are left out ([`NOISE`]). Exit code 1 if anything else differs.
"""
import argparse
import difflib
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import MySQL, Server  # noqa: E402

SCHEMA = [
    "CREATE DATABASE d", "USE d",
    """CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a VARCHAR(20) NOT NULL DEFAULT 'x' COMMENT 'c', b DECIMAL(10,2), c DATETIME(3) DEFAULT '2020-01-01',
       d JSON, e ENUM('a','b'), f SET('x','y'), g BIT(5), h BLOB, i INT GENERATED ALWAYS AS (b + 1) VIRTUAL, j TIMESTAMP NULL, UNIQUE KEY u (a, b),
       KEY k ((b * 2)), CHECK (b > 0), FULLTEXT KEY ft (a))""",
    "INSERT INTO t (a, b, d, e, f, g, h) VALUES ('a', 1.5, '{\"a\": 1}', 'a', 'x,y', b'101', x'00ff'), ('b', NULL, NULL, 'b', '', NULL, NULL)",
    "CREATE VIEW v AS SELECT id, a FROM t WHERE id > 0",
    "CREATE TABLE ch (id INT PRIMARY KEY, t_id INT, FOREIGN KEY (t_id) REFERENCES t (id) ON DELETE CASCADE)",
]
SESSION = ("insert into t (a) values ('q');\nupdate t set a = 'z' where a = 'q';\nselect count(*) from t;\nselect 1/0;\nshow warnings;\ndelete from t where a = 'z';\n"
           "show create table t;\nshow columns from t;\nshow index from t;\n")
TYPES = "select * from t;\nselect 1, 'a', 1.5, 1e0, now(), null, count(*), concat('a', 1), x'41', -0x05 from t group by 4;\n"
CASES = [  # (name, program, arguments, input)
    ("dump", "mysqldump", ["d"], None),
    ("consistent dump", "mysqldump", ["--single-transaction", "--hex-blob", "--triggers", "d"], None),
    ("dump in XML", "mysqldump", ["--xml", "--no-create-info", "d"], None),
    ("complete inserts", "mysqldump", ["--column-statistics", "--complete-insert", "d", "t"], None),
    ("tables", "mysqlshow", ["d"], None), ("columns", "mysqlshow", ["d", "t"], None), ("counts", "mysqlshow", ["--count", "d"], None),
    ("check", "mysqlcheck", ["d"], None), ("analyze", "mysqlcheck", ["--analyze", "d"], None), ("optimize", "mysqlcheck", ["--optimize", "d"], None),
    ("ping", "mysqladmin", ["ping"], None),
    ("a table", "mysql", ["-t", "d"], "select * from t; select * from v;\n"), ("a session", "mysql", ["-vvv", "d"], SESSION),
    ("types", "mysql", ["--column-type-info", "d"], TYPES), ("XML", "mysql", ["--xml", "d"], "select id, a from t;\n"),
    ("HTML", "mysql", ["--html", "d"], "select id, a from t;\n"),
    ("import", "mysqlimport", ["--local", "--columns=id,t_id", "d", "FILE"], None), ("imported", "mysql", ["d"], "select * from ch;\n"),
    ("load", "mysqlslap", ["--concurrency=5", "--iterations=2", "--auto-generate-sql", "--number-of-queries=50"], None),
]
NOISE = re.compile(r"^-- (Server version|Host|MySQL dump|Dump completed)|GTID|SQL_LOG_BIN|seconds to run|^--$|^$|^\d+ rows? in set|^Query OK|^Uptime|^Bye")


def run(server, program, arguments, text=None):
    command = [*MySQL.program(f"usr/bin/{program}"), "--no-defaults", "-uroot", f"--socket={server.socket}", *arguments]
    r = subprocess.run(command, capture_output=True, encoding="latin1", input=text, timeout=120)
    out = [re.sub(r"\d{4}-\d\d-\d\d +\d+:\d\d:\d\d(\.\d+)?", "TIME", line) for line in r.stdout.splitlines()]
    errors = [line for line in r.stderr.splitlines() if not re.search("GTID|password|consistent backup", line)]
    return [line for line in out if not NOISE.search(line)] + errors + [f"exit code {r.returncode}"], r.stdout


def everything(server, file):
    with server.connect() as c, c.cursor() as cur:
        for s in SCHEMA:
            cur.execute(s)
    found = {name: run(server, program, [str(file) if a == "FILE" else a for a in arguments], text) for name, program, arguments, text in CASES}
    run(server, "mysql", [], "create database r;")
    found["restore"] = run(server, "mysql", ["r"], found["consistent dump"][1])
    found["dump of the restored"] = run(server, "mysqldump", ["--single-transaction", "--hex-blob", "--triggers", "r"])
    return {name: lines for name, (lines, _) in found.items()}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--show", type=int, default=20, help="lines of a difference")
    p = p.parse_args()
    answers, bad = [], 0
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "ch.txt")
        file.write_text("1\t1\n2\t2\n3\t\\N\n")
        for server in (Server(options=["--local-infile=1"]), MySQL(options=["--local-infile=1"])):
            try:
                answers.append(everything(server.start(), file))
            finally:
                server.remove()
    ours, theirs = answers
    for name in ours:
        different = list(difflib.unified_diff(theirs[name], ours[name], "mysql", "evenkeel", lineterm="", n=0))
        bad += bool(different)
        print(f"{'DIFFERENT' if different else 'same'} {name}: {len(ours[name])} lines")
        for line in different[:p.show]:
            print("    " + line[:200])
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
