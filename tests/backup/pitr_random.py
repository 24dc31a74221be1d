#!/usr/bin/env python3
"""Back to a point in time: pitr_random.py [--cuts N] [--times N] [--changes N] [--seed N]. Exit status 1 on a difference.

One writer changes a server at random (`changes_random.py`: rows of several tables, DDL, transactions) while a backup is
taken, and goes on afterwards. After each statement that got into the binary log its position and the CHECKSUM of every
table are written down: the model. Then, for cuts at random positions behind the backup's, in two ways: the backup is
restored, a server is started on it, and `mysqlbinlog --start-position=<the backup's> --stop-position=<the cut> | mysql`
brings it forward; and `evenkeel restore --binlog-dir --to-position` (every other time `--to-gtid`) does all of it. Both
must have the model's checksums. Then, at random seconds, `mysqlbinlog --stop-datetime` and `restore --to-time` must reach the
same state as each other: the writer's clock (SET timestamp) goes on unevenly and back now and then, as the log of
several writers has it. Needs MySQL's programs (scripts/mysql-peer.sh, EVENKEEL_MYSQL) for the first way;
`--ways restore` goes without.
"""
import argparse
import datetime
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "sql")]
from changes_random import Family, ask  # noqa: E402
from lib.servers import MySQL, Server, binary  # noqa: E402

GTIDS = ["--log-bin=bin", "--server-id=7", "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--restrict-fk-on-non-standard-key=OFF"]


def state(cur):
    """Checksums of all tables."""
    cur.execute("SELECT CONCAT(table_schema, '.', table_name) FROM information_schema.tables WHERE table_schema LIKE 'p%' AND table_type = 'BASE TABLE' ORDER BY 1")
    names = [n for n, in cur.fetchall() if not n.startswith("performance_schema.")]
    if not names:
        return ()
    cur.execute("CHECKSUM TABLE " + ", ".join(names))
    return cur.fetchall()


def position(cur):
    cur.execute("SHOW BINARY LOG STATUS")
    file, at = cur.fetchall()[0][:2]
    return file, at


class Writer(threading.Thread):
    def __init__(self, server, seed, families):
        super().__init__()
        self.server, self.random, self.families = server, random.Random(seed), families
        self.model, self.gtids, self.error = {}, {}, None
        self.clock, self.seconds = int(time.time()), {}

    def run(self):
        try:
            with self.server.connect() as c, c.cursor() as cur, self.server.connect() as d, d.cursor() as look:
                for n in range(self.families):
                    f = Family(self.random)
                    for q in [f"CREATE DATABASE p{n}", f"USE p{n}", *f.create(), "SET foreign_key_checks = 0", *f.fill(), "SET foreign_key_checks = 1",
                              *(f.change() for _ in range(60)), "COMMIT"]:
                        before = position(look)
                        self.clock += self.random.choice((0, 0, 0, 1, 1, 2, 5, -1))
                        cur.execute(f"SET timestamp = {self.clock}")
                        ask(cur, q)
                        at = position(look)
                        if at != before:
                            look.execute("SELECT @@gtid_executed")
                            self.gtids[at] = look.fetchall()[0][0].replace("\n", "")
                            self.model[at] = state(look)
                            self.seconds[at] = self.clock
        except Exception as e:  # shown by the main thread
            self.error = e


def forward(source, copy, start, stop, when=None):
    """Applies the log between two positions."""
    number = lambda f: int(f.rsplit(".", 1)[1])
    files = [f"bin.{n:06}" for n in range(number(start[0]), number(stop[0]) + 1)]
    until = f"--stop-position={stop[1]}" if when is None else f"--stop-datetime={when}"
    dump = subprocess.Popen([*MySQL.program("usr/bin/mysqlbinlog"), "--no-defaults", f"--start-position={start[1]}", until,
                             *(str(pathlib.Path(source.dir) / "data" / f) for f in files)], stdout=subprocess.PIPE)
    done = subprocess.run([*MySQL.program("usr/bin/mysql"), "--no-defaults", "-uroot", f"--socket={copy.socket}", "--binary-mode"], stdin=dump.stdout, capture_output=True, text=True)
    assert dump.wait() == 0 and done.returncode == 0, done.stderr[-500:]


def reached(source, folder, way, start, stop, gtids, when=None):
    """The tables of a server that is brought there. `gtids`: those of the cut, if it is to be named by them; `when`: the second
    to which it goes, before the end of the log at `stop`."""
    shutil.rmtree(folder / "copy", ignore_errors=True)
    forwards = []
    if way == "restore":
        forwards = [f"--binlog-dir={source.dir}/data", f"--to-time={when}" if when else f"--to-gtid={gtids}" if gtids else f"--to-position={stop[0]}:{stop[1]}"]
    subprocess.run([binary(), "restore", f"{folder}/b", f"--datadir={folder}/copy/data", "--quiet", *forwards], check=True)
    copy = Server(folder / "copy", options=[*GTIDS[:-1], "--server-id=8", GTIDS[-1]]).start()
    try:
        if way == "mysqlbinlog" and stop > start:
            forward(source, copy, start, stop, when)
        with copy.connect() as c, c.cursor() as cur:
            if way == "restore":
                cur.execute("SELECT @@gtid_executed")
                executed = cur.fetchall()[0][0].replace("\n", "")
                assert not gtids or executed == gtids, (executed, gtids)
            return state(cur)
    finally:
        copy.kill()


def times(o, source, folder, writer, r, start, later):
    """How many of the random seconds differ between the two ways."""
    if o.ways.count(",") == 0 or o.times == 0:
        return 0
    wrong, states = 0, set()
    for n in range(o.times):
        second = writer.seconds[r.choice(later)] + r.choice((0, 0, 0, 1))
        when = datetime.datetime.fromtimestamp(second).strftime("%Y-%m-%d %H:%M:%S")
        got = [reached(source, folder, way, start, later[-1], None, when) for way in o.ways.split(",")]
        states.add(got[0])
        if got[0] != got[1]:
            wrong += 1
            print(f"second {n}, {when}: {[(a, b) for a, b in zip(*got) if a != b][:5]}", flush=True)
    print(f"{o.times} times with {len(states)} states, {wrong} differ")
    return wrong


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--cuts", type=int, default=50)
    p.add_argument("--times", type=int, default=20)
    p.add_argument("--families", type=int, default=12)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--ways", default="mysqlbinlog,restore")
    o = p.parse_args()
    warnings.simplefilter("ignore")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ek-pitr-"))
    source, wrong = Server(options=GTIDS).start(), 0
    try:
        writer = Writer(source, o.seed, o.families)
        writer.start()
        while len(writer.model) < 60 and writer.is_alive():
            pass
        said = subprocess.run([binary(), "backup", f"--socket={source.socket}", "-uroot", f"--to={folder}/b"], capture_output=True, text=True, check=True).stderr
        start = said.split("binary log ")[1].split(",")[0].rsplit(":", 1)
        start = (start[0], int(start[1]))
        source.query("FLUSH BINARY LOGS")
        writer.join()
        assert writer.error is None, writer.error
        later = sorted(at for at in writer.model if at >= start)
        print(f"{len(writer.model)} positions, the backup's is {start}, {len(later)} behind it", flush=True)
        r = random.Random(o.seed)
        for n in range(o.cuts):
            stop = later[0] if n == 0 and later[0] == start else r.choice(later)
            for way in o.ways.split(","):
                if (got := reached(source, folder, way, start, stop, n % 2 and writer.gtids[stop])) != writer.model[stop]:
                    wrong += 1
                    print(f"cut {n} at {stop} by {way}: {[(a, b) for a, b in zip(got, writer.model[stop]) if a != b][:5]}", flush=True)
        print(f"{o.cuts} cuts, {wrong} differ")
        wrong += times(o, source, folder, writer, r, start, later)
    finally:
        source.remove()
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
