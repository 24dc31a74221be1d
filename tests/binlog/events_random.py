#!/usr/bin/env python3
"""Random changes of tables with foreign keys (those of tests/sql/changes_random.py), and their binary log:

    tests/binlog/events_random.py [--seed N] [--families N] [--statements N] --mysql

* MySQL runs the same statements: where both answer the same, each leaves the same events; rows of one statement may come in another order.
* MySQL replays our log (mysqlbinlog | mysql): the tables are the same as ours.

Exit status 1 on a difference."""
import argparse
import collections
import pathlib
import random
import struct
import subprocess
import sys
import time
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "sql")]
from changes_random import Family, ask, rows  # noqa: E402
from lib.servers import MySQL, Server  # noqa: E402
from lib.wait import until  # noqa: E402

from binlog import events  # noqa: E402

ROWS = ("WRITE_ROWS", "UPDATE_ROWS", "DELETE_ROWS")


def lenenc(b, at):
    n = b[at]
    return (n, at + 1) if n < 251 else (struct.unpack_from("<H", b, at + 1)[0], at + 3)


class Map:
    """A TABLE_MAP: name, types and their metadata."""

    def __init__(self, body):
        at = 2
        names = []
        for _ in range(2):
            n = body[at]
            names.append(body[at + 1:at + 1 + n].decode())
            at += n + 2
        self.name = names[1]
        n, at = lenenc(body, at)
        types, at = body[at:at + n], at + n
        _, at = lenenc(body, at)
        self.columns = []
        for t in types:
            if t == 3:
                self.columns.append(("int", 4))
            elif t == 15:
                self.columns.append(("text", struct.unpack_from("<H", body, at)[0]))
                at += 2
            else:
                raise ValueError(f"type {t}")

    def images(self, kind, body):
        """The rows of an event, each a tuple of one image or two."""
        n, at = lenenc(body, 2)
        at += (n + 7) // 8 * (2 if kind == "UPDATE_ROWS" else 1)
        out = []
        while at < len(body):
            row = []
            for _ in range(2 if kind == "UPDATE_ROWS" else 1):
                nulls, at = body[at:at + (n + 7) // 8], at + (n + 7) // 8
                values = []
                for i, (what, size) in enumerate(self.columns):
                    if nulls[i // 8] >> i % 8 & 1:
                        values.append(None)
                    elif what == "int":
                        values.append(struct.unpack_from("<i", body, at)[0])
                        at += 4
                    else:
                        width = 2 if size > 255 else 1
                        length = int.from_bytes(body[at:at + width], "little")
                        values.append(body[at + width:at + width + length])
                        at += width + length
                row.append(tuple(values))
            out.append(tuple(row))
        return out


class Log:
    """The events of a server's newest file, statement by statement."""

    def __init__(self, server, cursor):
        self.server, self.cursor, self.seen = server, cursor, 0

    def begin(self):
        self.cursor.execute("FLUSH BINARY LOGS")
        self.cursor.execute("SHOW BINARY LOG STATUS")
        self.file = self.server.dir / "data" / self.cursor.fetchone()[0]
        self.seen = len(self.all())

    def all(self):
        return events.with_tables(self.file)

    def take(self, wanted=None):
        """The events since the last call; `wanted`: so many are to come."""
        if wanted is not None:
            try:
                until(lambda: len(self.all()) >= self.seen + wanted, seconds=1)
            except AssertionError:
                pass
        got = self.all()[self.seen:]
        self.seen += len(got)
        return got


def row_changes(es):
    """Rows as often as they change, by table; and the other events."""
    maps, got, other = {}, collections.Counter(), []
    for table, e in es:
        if e[0] == "TABLE_MAP":
            maps[table] = Map(bytes.fromhex(e[2]))
        if e[0] in ROWS:
            for row in maps[table].images(e[0], bytes.fromhex(e[3])):
                got[e[0], maps[table].name, row] += 1
        else:
            line = events.plain(events.show(e))
            if e[0] != "TABLE_MAP" or line not in other:  # MySQL names a table twice that is joined with itself
                other.append(line)
    return other, got


def one(r, statements, servers, cursors, logs, seen):
    family, said = Family(r), []
    for c in cursors:
        for q in ("ROLLBACK", "SET foreign_key_checks = 0", "DROP DATABASE IF EXISTS d", "SET foreign_key_checks = 1, sql_mode = 'STRICT_TRANS_TABLES'",
                  "SET restrict_fk_on_non_standard_key = 0"):
            c.execute(q)
    for log in logs:
        log.begin()
    done = ["CREATE DATABASE d", "USE d", *family.create(), "SET foreign_key_checks = 0", *family.fill(), "SET foreign_key_checks = 1"]
    both, made = True, False
    for n, q in enumerate(done + [family.change() for _ in range(statements)]):
        got = [ask(c, q)[:2] for c in cursors]
        said.append(q)
        made = made or q == "SET foreign_key_checks = 0"
        # they may disagree about an AUTO_INCREMENT value, for one (changes_random.py says which): the logs do, too, from there on
        if got[0] != got[1] or made and rows(cursors[0], family) != rows(cursors[1], family):
            both = False
        if both:
            theirs = logs[1].take()
            ours = logs[0].take(len(theirs))
            mine, wanted = row_changes(ours), row_changes(theirs)
            # MySQL names a join view's other table, too, and the tables of a RIGHT JOIN in another order
            maps = [{x for x in side[0] if x.startswith("TABLE_MAP")} for side in (mine, wanted)]
            if maps[0] <= maps[1]:
                mine, wanted = [([x for x in side[0] if x not in maps[1]], side[1]) for side in (mine, wanted)]
            same = [e for _, e in ours] == [e for _, e in theirs]
            seen["same bytes" if same else "same rows"] += bool(theirs)
            if mine != wanted:
                lines = [f"  ours   {x}" for x in mine[0]] + [f"  mysql  {x}" for x in wanted[0]]
                lines += [f"  ours only  {x}" for x in (mine[1] - wanted[1])] + [f"  mysql only {x}" for x in (wanted[1] - mine[1])]
                return "\n".join([f"events of {q} differ", *lines]), said
    for c in cursors:
        c.execute("ROLLBACK")
    # the end of our file is written, and MySQL makes the same of it
    have = rows(cursors[0], family)
    logs[0].cursor.execute("FLUSH BINARY LOGS")
    c = cursors[1]
    for q in ("SET sql_log_bin = 0", "SET foreign_key_checks = 0", "DROP DATABASE d", "SET foreign_key_checks = 1"):
        c.execute(q)
    text = subprocess.run([*MySQL.program("usr/bin/mysqlbinlog"), str(logs[0].file)], capture_output=True)
    assert text.returncode == 0, text.stderr
    played = subprocess.run([*MySQL.program("usr/bin/mysql"), "--no-defaults", "--binary-mode", "-uroot", f"--socket={servers[1].socket}"],
                            input=b"SET sql_log_bin = 0;\n" + text.stdout, capture_output=True)
    c.execute("SET sql_log_bin = 1")
    if played.returncode:
        return f"MySQL does not replay it: {played.stderr.decode()}", said
    c.execute("USE d")
    there = rows(c, family)
    seen["replayed"] += 1
    if have != there:
        return f"replayed rows differ\n  ours   {have}\n  mysql  {there}", said
    return None, said


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--first", type=int, default=0)
    a.add_argument("--families", type=int, default=20)
    a.add_argument("--statements", type=int, default=40)
    a.add_argument("--mysql", action="store_true", required=True)
    a = a.parse_args()
    warnings.simplefilter("ignore")
    options = ["--log-bin=bin", "--server-id=1"]
    servers = [Server(options=options).start(), MySQL(options=[*options, "--gtid-mode=OFF"]).start()]
    for s in servers:
        s.query("SET GLOBAL restrict_fk_on_non_standard_key = 0")
    cursors = [s.connect().cursor() for s in servers]
    logs = [Log(s, s.connect().cursor()) for s in servers]
    seen, wrong = collections.Counter(), 0
    try:
        for n in range(a.first, a.first + a.families):
            why, said = one(random.Random(f"{a.seed} {n}"), a.statements, servers, cursors, logs, seen)
            if why:
                wrong += 1
                print(f"=== family {n}, statement {len(said)}: {why}", flush=True)
    except Exception:
        for s in servers:
            time.sleep(1)
            print(f"=== family {n}: {s.name} {'lives' if s.alive() else 'is gone'}: {s.log_tail(6000)}", flush=True)
        raise
    finally:
        for s in servers:
            s.stop()
            s.remove()
    print(f"{a.families} families, {wrong} differ; {dict(seen)}")
    return 1 if wrong or not seen["replayed"] else 0


if __name__ == "__main__":
    sys.exit(main())
