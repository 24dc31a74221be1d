#!/usr/bin/env python3
"""Tools that change a table's schema with triggers while it is in use, on Evenkeel and on a real MySQL (scripts/mysql-peer.sh).

    tests/suites/schema_changers.py [--osc DIR] [--lhm DIR] [--pt] [--oak DIR] [--only KIND] [--rows N] [--rounds N]

osc   Facebook's OnlineSchemaChange: a clone (bare or not) of github.com/facebookincubator/OnlineSchemaChange, its commit of
      August 2021, the last without modules that are Facebook's own. Triggers write to a table of changes, the rows go
      through SELECT ... INTO OUTFILE and LOAD DATA, sums are compared, changes replayed, and under LOCK TABLES the names
      exchanged, one after the other, so that clients find no table for a moment (1146). It runs with mysqlclient (as `mysqlclient_suite` builds it). It is of MySQL 5.6 and 8.0: `PATCHES`
lhm   Large Hadron Migrator: a clone of github.com/Shopify/lhm, with Debian's ruby-activerecord, ruby-mysql2 and
      ruby-retriable. Triggers write to the new table, chunks of rows are copied, RENAME TABLE exchanges both. It does not
      carry over a change of a primary key, by its design, so nobody changes one
pt    Debian's percona-toolkit, where pt-online-schema-change is installed; CI has it, tests/clients
      (test_pt_online_schema_change.py), with three clients and with foreign keys
oak   oak-online-alter-table: a clone of github.com/shlomi-noach/openarkkit, brought to Python 3 with lib2to3

Eight clients insert, change, replace and delete rows, and change primary keys, all the time; when the tool has ended every
row must be what its client left, nothing more be there, and none of the tool's tables and triggers. Each tool gives the
table a column, an index and a wider column. Exit code 1 when something is lost on Evenkeel, or goes on MySQL alone.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import time

from common import SERVERS, cache, run
from lib.writers import LOCKED, Writers, rows
from mysqlclient_suite import fetch as mysqlclient

CLIENTS = 8
OSC_COMMIT = "06baaaa"
# (file, text, what stands there instead, why)
PATCHES = [
    ("core/lib/sql.py", '"SHOW SLAVE STATUS"', '"SHOW REPLICA STATUS"', "gone since 8.4"),
    ("core/lib/sql.py", '"STOP SLAVE SQL_THREAD"', '"STOP REPLICA SQL_THREAD"', "gone since 8.4"),
    ("core/lib/sql.py", '"START SLAVE SQL_THREAD"', '"START REPLICA SQL_THREAD"', "gone since 8.4"),
    ("core/lib/mysql_version.py", "self.major == 8", "self.major >= 8", "9.7, too"),
    ("core/lib/payload/copy.py", 'if self.mysql_vars["binlog_format"] == "ROW":', 'if self.mysql_vars["log_bin"] == "ON":', "no binary log, no replicas that the triggers could disturb"),
]
CREATE = "CREATE TABLE t (id INT PRIMARY KEY, n INT, s VARCHAR(40), KEY k_n (n))"
WANTED = "CREATE TABLE `t` (`id` int NOT NULL, `n` bigint DEFAULT NULL, `s` varchar(40) DEFAULT NULL, `x` int NOT NULL DEFAULT '5', PRIMARY KEY (`id`), KEY `k_n` (`n`), KEY `k_s` (`s`)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4"
LHM = """
require "active_record"
require "lhm"
ActiveRecord::Base.establish_connection(adapter: "mysql2", socket: ARGV[0], username: "root", database: "osc")
Lhm.setup(ActiveRecord::Base.connection)
Lhm.change_table(:t, stride: 150, throttle: 20, atomic_switch: true) do |m|
  m.add_column(:x, "INT NOT NULL DEFAULT 5")
  m.add_index([:s], "k_s")
  m.ddl("ALTER TABLE #{m.name} MODIFY n BIGINT")
end
Lhm.cleanup(true)
"""


def unpacked(name, git, commit="HEAD"):
    """A clone's files in the cache."""
    folder = cache("schema_changers") / f"{name}-{commit}"
    if not folder.is_dir():
        run("git", "-C", git, "archive", "-o", folder.with_suffix(".tar"), commit)
        with tarfile.open(folder.with_suffix(".tar")) as tar:
            tar.extractall(folder, filter="data")
    return folder


def osc(git):
    source, (_, python) = unpacked("osc", git, OSC_COMMIT), mysqlclient()
    run(python, "-m", "pip", "install", "-q", "pyparsing==2.4.7")
    for file, old, new, _ in PATCHES:
        text = (source / file).read_text()
        if new not in text:
            if old not in text:
                raise SystemExit(f"{file} of {OSC_COMMIT} has no {old}")
            (source / file).write_text(text.replace(old, new))
    (source / "t.sql").write_text(WANTED)

    def command(server):
        # here there is no folder for each schema, where it would write to
        (server.dir / "out").mkdir(exist_ok=True)
        return [python, source / "osc_cli", "--log-file", cache("schema_changers") / f"osc-{server.name}.log", "copy", "--socket", server.socket, "--database", "osc", "--mysql-user", "root",
                "--mysql-password", "", "--ddl-file-list", source / "t.sql", "--chunk-size", "20000", "--outfile-dir", server.dir / "out"]
    return command, True


def lhm(git):
    missing = [p for p in ("ruby-activerecord", "ruby-mysql2", "ruby-retriable") if subprocess.run(["dpkg", "-s", p], capture_output=True).returncode]
    if missing:
        run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing)
    source = unpacked("lhm", git)
    (source / "change.rb").write_text(LHM)
    return (lambda server: ["ruby", "-I", source / "lib", source / "change.rb", server.socket]), False


def pt(_):
    return (lambda server: ["pt-online-schema-change", "--execute", "--no-version-check", "--alter", "ADD COLUMN x INT NOT NULL DEFAULT 5, ADD KEY k_s (s), MODIFY n BIGINT", "--chunk-size=150",
                            "--sleep=0.02", "--max-load", "Threads_running=1000", "--critical-load", "Threads_running=2000", "--recursion-method=none", f"S={server.socket},u=root,D=osc,t=t"]), True


def oak(git):
    source, (_, python) = unpacked("oak", git), mysqlclient()
    program = source / "openarkkit/src/oak/oak-online-alter-table.py"
    if not program.with_suffix(".py.bak").exists():
        run(sys.executable, "-m", "lib2to3", "-w", program)
    return (lambda server: [python, program, "-u", "root", "--password", "", "-S", server.socket, "-d", "osc", "-t", "t", "-a", "ADD COLUMN x INT NOT NULL DEFAULT 5, ADD KEY k_s (s), MODIFY n BIGINT", "-c", "150",
                            "--sleep=20"]), True


def change(kind, name, command, moves, count):
    """One run: (what is wrong, a remark)."""
    server = SERVERS[kind](options=[] if kind == "mysql" else ["--secure-file-priv="]).start()
    try:
        with server.connect() as c, c.cursor() as cur:
            cur.execute("CREATE DATABASE osc CHARACTER SET utf8mb4")
            cur.execute("USE osc")
            cur.execute(CREATE)
            rows(cur, count)
        began = time.time()
        with Writers(server, "osc", count, CLIENTS, moves, LOCKED + ((1146,) if name == "osc" else ())) as writers:
            done = subprocess.run([str(x) for x in command(server)], capture_output=True, text=True, timeout=900)
            took = time.time() - began
            before = sum(writers.done)
            # the changed table in use
            while sum(writers.done) < before + 200 and not writers.failed:
                time.sleep(0.05)
        (cache("schema_changers") / f"{name}-{kind}.out").write_text(done.stdout + done.stderr)
        remark = f"{took:.1f} s, {before} changes meanwhile, {writers.again} refused"
        return wrong(server, done, writers.expected), remark
    finally:
        server.kill()
        server.remove()


def wrong(server, done, expected):
    """What is not as it must be."""
    if done.returncode:
        return [f"exit code {done.returncode}: {(done.stdout + done.stderr)[-1500:]}"]
    out = []
    with server.connect(database="osc") as c, c.cursor() as cur:
        cur.execute("SELECT id, n, s FROM t")
        found = {r[0]: r[1:] for r in cur.fetchall()}
        out += [f"row {i}: {found.get(i)}, not {expected.get(i)}" for i in sorted(found.keys() | expected.keys()) if found.get(i) != expected.get(i)]
        cur.execute("SELECT column_name, column_type FROM information_schema.columns WHERE table_schema = 'osc' AND table_name = 't' ORDER BY 1")
        columns = [tuple(x.decode() if isinstance(x, bytes) else x for x in r) for r in cur.fetchall()]
        if columns != [("id", "int"), ("n", "bigint"), ("s", "varchar(40)"), ("x", "int")]:
            out.append(f"columns: {columns}")
        cur.execute("SELECT DISTINCT index_name FROM information_schema.statistics WHERE table_schema = 'osc' AND table_name = 't' ORDER BY 1")
        indexes = [r[0] for r in cur.fetchall()]
        if indexes != ["k_n", "k_s", "PRIMARY"]:
            out.append(f"indexes: {indexes}")
        for sql in ("SHOW TABLES", "SHOW TRIGGERS"):
            cur.execute(sql)
            left = [r[0] for r in cur.fetchall() if r[0] != "t"]
            out += [f"left of {sql}: {left}"] if left else []
        cur.execute("SELECT COUNT(*) FROM t FORCE INDEX (k_s) WHERE s IS NOT NULL")
        if cur.fetchone()[0] != len(expected):
            out.append("the new index has another number of rows")
        cur.execute("CHECK TABLE t")
        out += [str(r) for r in cur.fetchall() if r[3] != "OK"]
    return out


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--osc", "--lhm", "--oak"):
        p.add_argument(option, type=pathlib.Path)
    p.add_argument("--pt", action="store_true")
    p.add_argument("--only", choices=("evenkeel", "mysql"))
    p.add_argument("--rows", type=int, default=20000)
    p.add_argument("--rounds", type=int, default=1)
    a = p.parse_args()
    if a.pt and not shutil.which("pt-online-schema-change"):
        raise SystemExit("no pt-online-schema-change: apt-get install percona-toolkit")
    failed = False
    for name, tool in (("osc", osc), ("lhm", lhm), ("oak", oak), ("pt", pt)):
        if not getattr(a, name):
            continue
        command, moves = tool(getattr(a, name))
        for kind in [a.only] if a.only else ["mysql", "evenkeel"]:
            for _ in range(a.rounds):
                told, remark = change(kind, name, command, moves, a.rows)
                print(f"{name} on {kind}: {remark}: {'nothing lost' if not told else f'{len(told)} wrong'}", flush=True)
                print("".join(f"    {x}\n" for x in told[:20]), end="")
                failed |= bool(told) and kind == "evenkeel"
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
