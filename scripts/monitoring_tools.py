#!/usr/bin/env python3
"""The programs and queries that administrators look at a server with, run against Evenkeel and, where scripts/mysql-peer.sh has put one, a real
MySQL beside it.

    scripts/monitoring_tools.py tables [--write]   which tables of performance_schema, sys, mysql and information_schema have rows by default, here and in
                                                   MySQL: docs/compat/tables_with_rows.md
    scripts/monitoring_tools.py tools [DIR]        mysqltuner, pt-mysql-summary, pt-stalk's collection, pt-query-digest and mysqld_exporter, as far as they
                                                   are installed; their outputs go to DIR. Each failing statement is printed

Both servers do the same work first (a table, a transaction that waits, an error, a prepared statement). A table that MySQL fills and Evenkeel does not is a
defect or has its reason in docs/compat/system_tables.md. mysqld_exporter is looked for in PATH and in $MYSQLD_EXPORTER.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import pymysql  # noqa: E402

from lib.servers import MySQL, Server, free_port  # noqa: E402

SCHEMAS = ("information_schema", "performance_schema", "sys", "mysql")
PAGE = ROOT / "docs/compat/tables_with_rows.md"


def work(s):
    """What both servers have done before they are looked at."""
    with s.connect() as c, s.connect() as other, c.cursor() as cur, other.cursor() as cur2:
        for sql in ["CREATE USER IF NOT EXISTS monitor@localhost IDENTIFIED BY 'secret'", "GRANT ALL ON *.* TO monitor@localhost", "CREATE DATABASE IF NOT EXISTS work", "DROP TABLE IF EXISTS work.c, work.p", "CREATE TABLE work.p (a INT PRIMARY KEY, b VARCHAR(20), KEY (b))",
                    "CREATE TABLE work.c (a INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES work.p (a), CHECK (a > 0))",
                    "CREATE OR REPLACE VIEW work.v AS SELECT a FROM work.p", "INSERT INTO work.p VALUES (1, 'x'), (2, 'y')", "ANALYZE TABLE work.p UPDATE HISTOGRAM ON b",
                    "PREPARE s FROM 'SELECT * FROM work.p WHERE a = ?'", "SET @a = 1", "EXECUTE s USING @a", "START TRANSACTION", "UPDATE work.p SET b = 'z' WHERE a = 1"]:
            cur.execute(sql)
        cur2.execute("SET innodb_lock_wait_timeout = 1")
        for sql in ["SELECT * FROM nowhere.nothing", "UPDATE work.p SET b = 'w' WHERE a = 1"]:
            try:
                cur2.execute(sql)
            except pymysql.MySQLError:
                pass
        cur.execute("COMMIT")


def rows_of(s):
    """(schema, table) to whether it has rows; an error's number where it cannot be read."""
    found = {}
    with s.connect() as c, c.cursor() as cur:
        for schema in SCHEMAS:
            cur.execute(f"SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = '{schema}'")
            for (name,) in cur.fetchall():
                try:
                    cur.execute(f"SELECT 1 FROM `{schema}`.`{name}` LIMIT 1")
                    found[schema, name] = bool(cur.fetchall())
                except pymysql.MySQLError as e:
                    found[schema, name] = e.args[0]
    return found


def tables(write):
    sides = []
    for kind in (MySQL, Server):
        s = kind().start()
        try:
            work(s)
            sides.append(rows_of(s))
        finally:
            s.remove()
    theirs, ours = sides
    word = {True: "rows", False: "empty"}
    lines, counts = [], {}
    for schema in SCHEMAS:
        names = sorted({n for s, n in theirs if s == schema} | {n for s, n in ours if s == schema}, key=str.lower)
        part = []
        for n in names:
            a, b = theirs.get((schema, n)), ours.get((schema, n))
            a, b = word.get(a, "-" if a is None else f"error {a}"), word.get(b, "-" if b is None else f"error {b}")
            counts.setdefault(schema, {}).setdefault((a, b), []).append(n)
            if a != b:
                part.append(f"| {n} | {a} | {b} |")
        same = ", ".join(f"{len(v)} {a}" for (a, b), v in sorted(counts[schema].items()) if a == b)
        lines += [f"\n## {schema}\n", f"Alike: {same}.\n", "| table | MySQL 9.7 | Evenkeel |", "|---|---|---|", *part]
    text = ("# Tables with rows by default\n\nMade by `scripts/monitoring_tools.py tables --write`: what has rows in a new server after the same\n"
            "little work, where the two differ. `-`: there is no such table. Why a table is empty here stands in\n[system tables](system_tables.md).\n" + "\n".join(lines) + "\n")
    missing = [f"{s}.{n}" for s in SCHEMAS for (a, b), v in counts[s].items() if a == "rows" and b != "rows" for n in v]
    if write:
        PAGE.write_text(text)
    print(text if not write else f"{len(missing)} tables have rows in MySQL alone")
    return 0


def run(name, command, out, env=None, seconds=180):
    began = time.time()
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=seconds, errors="replace")
    (out / f"{name}.out").write_text(done.stdout)
    (out / f"{name}.err").write_text(done.stderr)
    wrong = [line for line in (done.stdout + done.stderr).splitlines() if re.search(r"ERROR \d+ \(|\b1064\b|You have an error|doesn't exist|Unknown (column|table|system)", line)]
    print(f"  {name:<18} exit {done.returncode}, {len(done.stdout.splitlines())} lines, {time.time() - began:.0f} s" + "".join(f"\n      {w.strip()[:160]}" for w in wrong[:12]))


def settings(s, folder):
    """A file with which the clients connect."""
    file = folder / "client.cnf"
    file.write_text(f"[client]\nuser=monitor\npassword=secret\nsocket={s.socket}\nhost=localhost\n")
    return file


def exporter(s, out):
    program = os.environ.get("MYSQLD_EXPORTER") or shutil.which("mysqld_exporter") or shutil.which("prometheus-mysqld-exporter")
    if not program:
        return print("  mysqld_exporter    not installed")
    help_text = subprocess.run([program, "--help"], capture_output=True, text=True)
    # those that are switches, not values of others
    collectors = sorted(set(re.findall(r"^  +--(?:\[no-\])?(collect\.[\w.]+)(?:  |$)", help_text.stdout + help_text.stderr, re.M)))
    port = free_port()
    collectors = [c for c in collectors if "heartbeat" not in c]  # it needs a table of its own
    file = out / "client.cnf"
    command = [program, f"--config.my-cnf={file}", f"--web.listen-address=127.0.0.1:{port}", *(f"--{c}" for c in collectors)]
    environment = {**os.environ, "DATA_SOURCE_NAME": f"monitor:secret@unix({s.socket})/"}
    with open(out / "mysqld_exporter.err", "w") as err:
        p = subprocess.Popen(command, stdout=err, stderr=err, env=environment)
    text = ""
    try:
        for _ in range(100):
            try:
                text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60).read().decode()
                break
            except OSError:
                time.sleep(0.1)
    finally:
        p.terminate()
        p.wait()
    (out / "mysqld_exporter.out").write_text(text)
    series = {re.match(r"[\w:]+", line)[0] for line in text.splitlines() if line and not line.startswith("#")}
    failed = re.findall(r'mysql_exporter_collector_success\{collector="([^"]+)"\} 0', text)
    print(f"  mysqld_exporter    {len(collectors)} collectors, {len(series)} metrics, failed: {', '.join(failed) or 'none'}")
    said = {m for m in re.findall(r'err="?([^"\n]*)', (out / 'mysqld_exporter.err').read_text())}
    for line in sorted(said)[:12]:
        print(f"      {line[:160]}")
    return series


def tools(folder):
    folder = pathlib.Path(folder or tempfile.mkdtemp(prefix="monitoring-"))
    series = {}
    for kind in [MySQL, Server] if MySQL.folder() else [Server]:
        out = folder / kind.name
        out.mkdir(parents=True, exist_ok=True)
        s = kind().start()
        try:
            work(s)
            with s.connect() as c, c.cursor() as cur:
                cur.execute(f"SET GLOBAL slow_query_log_file = '{out}/slow.log', long_query_time = 0, slow_query_log = ON")
            work(s)
            print(kind.name)
            cnf = settings(s, out)
            if shutil.which("mysqltuner"):
                run("mysqltuner", ["mysqltuner", "--defaults-file", str(cnf), "--nocolor", "--forcemem", "4096", "--forceswap", "1024", "--skipsize"], out)
            if shutil.which("pt-mysql-summary"):
                run("pt-mysql-summary", ["pt-mysql-summary", "--defaults-file", str(cnf), "--sleep", "2"], out)
            if shutil.which("pt-stalk"):
                stalk = out / "stalk"
                run("pt-stalk", ["pt-stalk", "--no-stalk", "--run-time", "4", "--iterations", "1", "--sleep", "1", "--dest", str(stalk), "--pid", str(out / "stalk.pid"),
                                 "--log", str(out / "stalk.log"), "--", f"--defaults-file={cnf}"], out)
                time.sleep(8)
                sizes = {re.sub(r"^[\d_]+-", "", p.name): p.stat().st_size for p in stalk.glob("*")} if stalk.exists() else {}
                print(f"      {len(sizes)} files, empty: {', '.join(sorted(n for n, b in sizes.items() if not b)) or 'none'}")
            if shutil.which("pt-query-digest"):
                run("pt-query-digest", ["pt-query-digest", "--no-version-check", str(out / "slow.log")], out)
            series[kind.name] = exporter(s, out)
        finally:
            s.remove()
    if all(series.get(k) for k in ("mysql", "evenkeel")):
        print("metrics of MySQL alone:", ", ".join(sorted(series["mysql"] - series["evenkeel"])) or "none")
    print(f"outputs in {folder}")
    return 0


if __name__ == "__main__":
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if what == "tables":
        sys.exit(tables("--write" in sys.argv))
    if what == "tools":
        sys.exit(tools(sys.argv[2] if len(sys.argv) > 2 else None))
    sys.exit(__doc__)
