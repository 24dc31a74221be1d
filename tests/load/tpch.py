#!/usr/bin/env python3
"""TPC-H at scale 0.1 (issue 3): go-tpc's data and its 22 queries on Evenkeel and on MariaDB in turn; the answers are compared, times and ratios printed.

    EVENKEEL=target/release/evenkeel .venv/bin/python tests/load/tpch.py [--rounds 3] [--queries 1,17] [--dir DIR] [--explain 17] [--markdown]

go-tpc knows whole scales only, so its generator is built from a copy in which the tables' base sizes are a tenth (the data of the
specification's scale 0.1: 15,000 customers, 150,000 orders, 600,572 lines). The CSV files are kept in target/tools; both servers load
them with LOAD DATA LOCAL, then ANALYZE. `--dir` keeps the servers' data for the next run. DOUBLEs are compared with a tolerance of 1e-9,
everything else exactly; where ORDER BY leaves rows in any order they are sorted first. What takes a server more than SLOW seconds is not repeated on it.
MariaDB needs minutes for Q13, Q20 and Q22 without secondary indexes: a query it does not end within `--limit` counts with that time ("at least") and is
answered by it once more, without a clock, with the indexes of HELP, which are dropped again. Exit 1 when an answer differs, 2 when a goal is missed
(total above MariaDB's, or a query above 3 x).
"""
import argparse
import hashlib
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import ROOT, MariaDB, Server  # noqa: E402

TOOLS = ROOT / "target/tools"
TABLES = ["region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem"]
# go-tpc leaves the view of query 15 to the tester
VIEW = """CREATE OR REPLACE VIEW revenue0 (supplier_no, total_revenue) AS SELECT l_suppkey, SUM(l_extendedprice * (1 - l_discount)) FROM lineitem
WHERE l_shipdate >= '1997-07-01' AND l_shipdate < DATE_ADD('1997-07-01', INTERVAL '3' MONTH) GROUP BY l_suppkey"""

SLOW = 10.0
# what MariaDB looks up row by row in the queries that it does not end
HELP = [("orders", "help_customer", "o_custkey"), ("lineitem", "help_part", "l_partkey, l_suppkey")]


def module():
    """Folder of go-tpc's source in Go's cache (scripts/go-tpc.sh builds it, which fetches it)."""
    subprocess.run([ROOT / "scripts/go-tpc.sh"], check=True, capture_output=True, timeout=600)
    out = subprocess.run(["go", "list", "-mod=mod", "-m", "-f", "{{.Dir}}", "github.com/pingcap/go-tpc"], cwd=ROOT / "tests/load/gotpc",
                         check=True, capture_output=True, text=True)
    return pathlib.Path(out.stdout.strip())


def data(source):
    """Folder with the CSV files of scale 0.1."""
    out = TOOLS / f"tpch-0.1-{hashlib.sha256(str(source).encode()).hexdigest()[:8]}"
    if (out / "done").exists():
        return out
    work = TOOLS / "go-tpc-tenth"
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(source, work)
    subprocess.run(["chmod", "-R", "u+w", work], check=True)
    driver = work / "tpch/dbgen/driver.go"
    text = driver.read_text()
    for n in ("200000", "150000", "10000"):
        text = re.sub(rf", {n}(?=[ ,])", f", {n[:-1]}", text)
    driver.write_text(text)
    subprocess.run(["go", "build", "-mod=mod", "-o", work / "bin", "./cmd/go-tpc"], cwd=work, check=True, timeout=600)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    # it creates the tables before it writes the files: into a server of ours
    s = Server().start()
    try:
        s.query("CREATE DATABASE tpch")
        subprocess.run([work / "bin", "tpch", "prepare", "-H127.0.0.1", f"-P{s.port}", "-Uroot", "-Dtpch", "--output-type=csv", f"--output-dir={out}"],
                       check=True, capture_output=True, timeout=900)
        with open(out / "ddl.sql", "w") as f:
            for t in TABLES:
                f.write(s.query(f"SHOW CREATE TABLE tpch.{t}")[0][1] + ";\n")
    finally:
        s.kill()
        s.remove()
    (out / "done").touch()
    shutil.rmtree(work, ignore_errors=True)
    return out


def queries(source):
    """Number -> text."""
    found = re.findall(r"\tq(\d+) = `\n/\*PLACEHOLDER\*/ (.*?);\n`", (source / "tpch/query.go").read_text(), re.S)
    return {int(n): q for n, q in found}


def prepare(server, folder):
    """Loads the tables unless they are there."""
    if server.query("SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = 'tpch'")[0][0]:
        return
    start = time.time()
    server.query("CREATE DATABASE loading")
    server.query("SET GLOBAL local_infile = 1")
    ddl = (folder / "ddl.sql").read_text()
    # the columns of the tables alone: both servers' own engine, character set and collation of strings that sort alike
    ddl = re.sub(r"ENGINE=.*?;", "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;", ddl)
    c = server.connect(database="loading", local_infile=True)
    cur = c.cursor()
    for statement in filter(str.strip, ddl.split(";\n")):
        cur.execute(statement)
    for t in TABLES:
        cur.execute(f"LOAD DATA LOCAL INFILE '{folder}/tpch.{t}.csv' INTO TABLE {t} FIELDS TERMINATED BY '|' OPTIONALLY ENCLOSED BY '\"' ESCAPED BY ''")
        assert cur.rowcount > 0 and not cur.execute("SHOW WARNINGS"), t
    cur.execute("CREATE DATABASE tpch")
    cur.execute("RENAME TABLE " + ", ".join(f"loading.{t} TO tpch.{t}" for t in TABLES))
    cur.execute("DROP DATABASE loading")
    cur.execute("USE tpch")
    cur.execute(VIEW)
    cur.execute("ANALYZE TABLE " + ", ".join(TABLES))
    cur.fetchall()
    c.close()
    print(f"{server.name}: loaded in {time.time() - start:.1f} s", flush=True)


def same(a, b):
    if isinstance(a, float) or isinstance(b, float):
        return abs(float(a) - float(b)) <= 1e-9 * max(1.0, abs(float(a)), abs(float(b)))
    return a == b


def difference(ours, theirs):
    """What differs between two answers, or None."""
    if len(ours) != len(theirs):
        return f"{len(ours)} rows, MariaDB {len(theirs)}"
    for x, y in zip(ours, theirs):
        if len(x) != len(y) or not all(map(same, x, y)):
            break
    else:
        return None
    for x, y in zip(sorted(ours, key=str), sorted(theirs, key=str)):
        if len(x) != len(y) or not all(map(same, x, y)):
            return f"{x}, MariaDB {y}"
    return None


def timed(cur, sql):
    start = time.perf_counter()
    cur.execute(sql)
    rows = cur.fetchall()
    return time.perf_counter() - start, rows


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--queries", default="")
    p.add_argument("--dir", help="keeps the data here")
    p.add_argument("--explain", type=int, help="shows both plans of a query and ends")
    p.add_argument("--limit", type=int, default=120, help="seconds for a statement")
    p.add_argument("--ours", action="store_true", help="Evenkeel only")
    p.add_argument("--set", default="", help="SET for the sessions on Evenkeel")
    p.add_argument("--markdown", action="store_true")
    a = p.parse_args()
    source = module()
    folder = data(source)
    base = pathlib.Path(a.dir) if a.dir else None
    if base:
        base.mkdir(parents=True, exist_ok=True)
        os.chmod(base, 0o755)
    options = ["--innodb-buffer-pool-size=1G"]
    ours = Server(base and base / "evenkeel", options)
    peer = MariaDB(base and base / "mariadb", options + ["--innodb-log-file-size=256M"])
    try:
        ours.start()
        prepare(ours, folder)
        co = ours.connect(database="tpch").cursor()
        co.execute(f"SET max_execution_time = {a.limit * 1000}")
        if a.set:
            co.execute("SET " + a.set)
        if not a.ours:
            peer.start()
            prepare(peer, folder)
            cp = peer.connect(database="tpch").cursor()
            cp.execute(f"SET max_statement_time = {a.limit}")
        texts = queries(source)
        assert len(texts) == 22
        if a.explain:
            co.execute("EXPLAIN FORMAT=TREE " + texts[a.explain])
            print(co.fetchall()[0][0])
            co.execute("EXPLAIN ANALYZE " + texts[a.explain])
            print(co.fetchall()[0][0])
            if not a.ours:
                cp.execute("EXPLAIN " + texts[a.explain])
                for r in cp.fetchall():
                    print(*r, sep="\t")
            return 0
        wanted = [int(q) for q in a.queries.split(",") if q] or sorted(texts)
        return run(a, {n: texts[n] for n in wanted}, co, None if a.ours else cp)
    finally:
        for s in (ours, peer):
            if s.process:
                try:
                    s.stop()
                except subprocess.TimeoutExpired:
                    s.kill()
            s.remove()


def helped(cur, sql):
    """The answer of a MariaDB that has indexes for it."""
    for table, name, columns in HELP:
        cur.execute(f"CREATE INDEX {name} ON {table} ({columns})")
    cur.execute("SET max_statement_time = 0")
    try:
        return timed(cur, sql)[1]
    finally:
        for table, name, _ in HELP:
            cur.execute(f"DROP INDEX {name} ON {table}")


def run(a, texts, co, cp):
    failed, missed, totals, unended = [], [], [0.0, 0.0], []
    print("| query | Evenkeel ms | MariaDB ms | ratio |\n|---|---|---|---|" if a.markdown else "query  evenkeel ms  mariadb ms  ratio", flush=True)
    for n, sql in texts.items():
        times, answers = ([], []), [None, None]
        for _ in range(a.rounds):
            for i, cur in enumerate((co, cp)):
                if cur is None or times[i] and max(times[i]) > SLOW:
                    continue
                try:
                    t, answers[i] = timed(cur, sql)
                except Exception as e:  # the time limit, a statement that is refused
                    t, answers[i] = float(a.limit), [(str(e),)]
                    if cur is cp and e.args[0] == 1969:  # max_statement_time
                        unended.append(n)
                times[i].append(t)
        if n in unended:
            answers[1] = helped(cp, sql)
            cp.execute(f"SET max_statement_time = {a.limit}")
        mine, theirs = (statistics.median(t) * 1000 if t else 0.0 for t in times)
        totals[0] += mine
        totals[1] += theirs
        ratio = mine / theirs if theirs else 0.0
        why = difference(answers[0], answers[1]) if cp else None
        if why:
            failed.append(n)
        if ratio > 3:
            missed.append(n)
        if a.markdown:
            least = ("at least ", "below ") if n in unended else ("", "")
            print(f"| Q{n} | {mine:,.0f} | {least[0]}{theirs:,.0f} | {least[1]}{ratio:.2f} |", flush=True)
        else:
            more = " (not ended)" if n in unended else ""
            print(f"Q{n:<5} {mine:>11.1f} {theirs:>11.1f} {ratio:>6.2f}{more}  {len(answers[0])} rows {'DIFFERS: ' + why if why else ''}", flush=True)
    ratio = totals[0] / totals[1] if totals[1] else 0.0
    if a.markdown:
        print(f"| all | {totals[0]:,.0f} | {totals[1]:,.0f} | **{ratio:.2f}** |")
    else:
        print(f"all    {totals[0]:>11.1f} {totals[1]:>11.1f} {ratio:>6.2f}")
    print(f"answers: {'all equal' if not failed else f'different in {failed}'}; above 3 x: {missed or 'none'}; MariaDB did not end: {unended or 'none'}")
    return 1 if failed else 2 if cp and (missed or ratio > 1) else 0


if __name__ == "__main__":
    sys.exit(main())
