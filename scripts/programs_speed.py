#!/usr/bin/env python3
"""How fast stored programs run beside MySQL: scripts/programs_speed.py [BINARY] [--rounds 5] [--only WORD] [--alone]

Four cases, whose answers are compared before a time counts: a WHILE loop with arithmetic, a cursor over a million rows, a function in the select list over
a million rows, one INSERT of 100,000 rows into a table whose AFTER INSERT trigger writes an audit row. Servers take turns within a round, because a
machine's speed drifts; told are the median times, and MySQL's by ours in the median of the rounds. MySQL: EVENKEEL_MYSQL (scripts/mysql-peer.sh);
`--alone` goes without it. Goals and figures: docs/programs.md.
"""
import argparse
import os
import pathlib
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
MILLION = 1_000_000

SETUP = [
    "CREATE DATABASE speed",
    "USE speed",
    "CREATE TABLE digits (d INT)",
    "INSERT INTO digits VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)",
    "CREATE TABLE big (id INT PRIMARY KEY, a INT NOT NULL, b VARCHAR(20))",
    "INSERT INTO big SELECT n, n * 7 % 1000, CONCAT('row ', n) FROM (SELECT 1 + a.d + 10*b.d + 100*c.d + 1000*d.d + 10000*e.d + 100000*f.d AS n"
    " FROM digits a, digits b, digits c, digits d, digits e, digits f) x",
    "CREATE TABLE small LIKE big",
    "INSERT INTO small SELECT * FROM big WHERE id <= 100000",
    "CREATE TABLE base (id INT PRIMARY KEY, a INT NOT NULL, b VARCHAR(20))",
    "CREATE TABLE audit (id INT AUTO_INCREMENT PRIMARY KEY, base_id INT NOT NULL, what VARCHAR(40))",
    "CREATE TRIGGER base_ai AFTER INSERT ON base FOR EACH ROW INSERT INTO audit (base_id, what) VALUES (NEW.id, CONCAT('new ', NEW.b))",
    """CREATE PROCEDURE looped(n INT) BEGIN
         DECLARE i, s BIGINT DEFAULT 0; DECLARE x DECIMAL(20,4) DEFAULT 0;
         WHILE i < n DO SET s = (s * 31 + i) % 1000003, i = i + 1; IF i % 10 = 0 THEN SET x = x + i / 8; END IF; END WHILE;
         SELECT s, x; END""",
    """CREATE PROCEDURE walked() BEGIN
         DECLARE done INT DEFAULT FALSE; DECLARE v, w INT; DECLARE s BIGINT DEFAULT 0;
         DECLARE c CURSOR FOR SELECT id, a FROM big; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = TRUE;
         OPEN c; l: LOOP FETCH c INTO v, w; IF done THEN LEAVE l; END IF; SET s = s + w; END LOOP; CLOSE c;
         SELECT s; END""",
    "CREATE FUNCTION twice(n INT) RETURNS INT NO SQL RETURN n * 2 + 1",
]
CASES = {
    "WHILE loop of 2,000,000": ("CALL looped(2000000)", None, 3.0),
    "cursor over a million": ("CALL walked()", None, 2.0),
    "function over a million": ("SELECT SUM(twice(a)) FROM big", None, 2.0),
    "trigger, 100,000 rows": ("INSERT INTO base SELECT * FROM small", "SELECT COUNT(*), SUM(base_id), MAX(what) FROM audit", 1 / 0.6),
}


def start(kind):
    from lib import servers

    server = kind(options=["--innodb-buffer-pool-size=512M", *servers.log_and_disk(kind)]).start(wait=300)
    with server.connect() as c, c.cursor() as cur:
        for sql in SETUP:
            cur.execute(sql)
    return server


def once(server, name):
    """(seconds, what it answered)."""
    sql, after, _ = CASES[name]
    with server.connect(database="speed") as c, c.cursor() as cur:
        if after:
            cur.execute("TRUNCATE TABLE base")
            cur.execute("TRUNCATE TABLE audit")
        began = time.perf_counter()
        cur.execute(sql)
        answer = cur.fetchall()
        took = time.perf_counter() - began
        while cur.nextset():
            pass
        if after:
            cur.execute(after)
            answer = cur.fetchall()
    return took, answer


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("binary", nargs="?")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--only", default="")
    p.add_argument("--alone", action="store_true")
    args = p.parse_args()
    if args.binary:
        os.environ["EVENKEEL"] = str(pathlib.Path(args.binary).resolve())
    from lib import servers

    kinds = [servers.Server] if args.alone else [servers.Server, servers.MySQL]
    running = []
    missed = 0
    try:
        for k in kinds:
            running.append(start(k))
        for name in (n for n in CASES if args.only in n):
            times = {s.name: [] for s in running}
            for r in range(args.rounds + 1):
                answers = {}
                for s in running:
                    took, answers[s.name] = once(s, name)
                    if r:  # the first round warms up
                        times[s.name].append(took)
                if len(set(answers.values())) > 1:
                    sys.exit(f"{name}: other answers: {answers}")
            line = ", ".join(f"{n} {statistics.median(t):.3f} s" for n, t in times.items())
            if len(running) > 1:
                ratio = statistics.median(b / a for a, b in zip(*times.values()))
                goal = CASES[name][2]
                missed += ratio < goal
                line += f": {ratio:.2f} times as fast (goal {goal:.2f}{'' if ratio >= goal else ', MISSED'})"
            print(f"{name}: {line}", flush=True)
    finally:
        for s in running:
            s.stop()
            s.remove()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
