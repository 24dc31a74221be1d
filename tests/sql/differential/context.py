"""One run: the two connections, counters, the statements so far, and what happens when two answers differ."""
import collections
import sys

from .arguments import by_arguments
from .compare import ask, brief, connect, difference, near, canon
from .explained import MYSQL, why
from .opinions import by_other_plan


class Context:
    """Asks both servers and keeps count. `fresh` begins on an empty database; `both` changes something; `query` only reads."""

    def __init__(self, ours, peer, keep=None, out=sys.stdout, limit=10**9, excused=None):
        self.servers = (ours, peer)
        self.keep, self.out, self.limit, self.excused = keep, out, limit, excused
        self.counts = collections.Counter()
        self.explained = collections.Counter()
        self.codes = collections.Counter()
        self.topics = collections.Counter()
        self.topic, self.area, self.seed = "", "", 0
        self.conversions = 0.0
        self.log = []
        self.a = self.b = None

    def fresh(self):
        self.close()
        self.a, self.b = (connect(s) for s in self.servers)
        self.log = []
        for s in ("DROP DATABASE IF EXISTS diff", "CREATE DATABASE diff CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci", "USE diff"):
            ask(self.a, s), ask(self.b, s)
            self.log.append(s)

    def close(self):
        for c in (self.a, self.b):
            if c is not None and c.open:
                try:
                    c.close()
                except Exception:  # noqa: BLE001 - a connection that died has been reported already
                    pass

    def pair(self, sql, parameters=None):
        self.counts["statements"] += 1
        x, y = ask(self.a, sql, parameters), ask(self.b, sql, parameters)
        if x[0] == "error":
            self.codes[x[1]] += 1
            if x[1] in (2006, 2013):
                self.report("connection lost", sql, x, y)
                self.a = connect(self.servers[0], "diff")
        return x, y

    def both(self, sql, parameters=None, types=False):
        """A statement that changes something; False when the servers have parted for good."""
        x, y = self.pair(sql, parameters)
        self.log.append(sql if parameters is None else f"-- binary {parameters}\n{sql}")
        d = difference(x, y, types=types)
        if d and not self.excuse(d, sql, x, y):
            self.report(d, sql, x, y)
        # after other rows have been changed the tables differ, whosever fault it is
        return d is None or (x[0] == y[0] and d != "count")

    def prepared(self, sql):
        """`both` through PREPARE and EXECUTE in the binary protocol, without parameters."""
        return self.both(sql, [])

    def query(self, sql, ordered=False, parameters=None, types=True):
        x, y = self.pair(sql, parameters)
        if x[0] == "error" and y[0] == "error":
            self.counts["errors on both"] += 1
        d = difference(x, y, ordered, types)
        if d:
            known = sql if parameters is None else f"{sql} -- with {parameters}"
            if not self.excuse(d, known, x, y):
                self.report(d, known, x, y)
        return x

    def own(self, sql, other, x, ordered=False):
        """`other` must answer on our server what `sql` answered: x."""
        self.counts["own checks"] += 1
        z = ask(self.a, other)
        d = difference(x, z, ordered, types=False)
        if d and d != "names" and not self.excuse(d, other, x, z, own=True):
            self.report("own " + d, f"{sql}\n{other}", x, z)

    def table(self, name):
        """Whether the table is the same on both."""
        return self.same(f"SELECT * FROM {name}")

    def same(self, sql):
        x, y = ask(self.a, sql), ask(self.b, sql)
        d = difference(x, y, types=False)
        if d:
            self.report("contents", sql, x, y)
        return d is None

    def excuse(self, d, sql, x, y, own=False):
        if self.servers[1].name == "mysql":
            reason = why(d, sql, x, y, own, MYSQL) or (None if own else by_arguments(self, d, sql, x, y, MYSQL))
        else:
            reason = why(d, sql, x, y, own) or (None if own else by_arguments(self, d, sql, x, y) or by_other_plan(self, d, sql, x, y))
        if reason:
            self.explained[reason] += 1
            if self.excused:
                first = next(((p, o) for p, o in zip(x[2], y[2]) if p != o), ()) if x[0] == y[0] == "rows" else (brief(x), brief(y))
                print(f"{reason}\n  {self.area} {self.seed} {d}: {sql}\n  {first}"[:1500], file=self.excused, flush=True)
        return reason

    def report(self, kind, sql, x, y):
        self.counts["differences"] += 1
        self.topics[kind] += 1
        if self.counts["differences"] > self.limit:
            return
        print(f"\n=== {self.area} seed {self.seed} #{self.counts['statements']}: {kind}\n{sql}", file=self.out)
        if x[0] == y[0] == "rows" and len(x[2]) == len(y[2]):
            for p, o in zip(x[2], y[2]):
                if not all(near(canon(u), canon(v)) for u, v in zip(p, o)):
                    print(f"  row here {p}\n  there    {o}"[:1500], file=self.out)
                    break
            print(f"  types {[k for _, k in x[1]]} there {[k for _, k in y[1]]}"[:400] if kind.endswith("types") else "", file=self.out)
        else:
            print(f"  here  {brief(x)}\n  there {brief(y)}", file=self.out)
        self.out.flush()
        if self.keep:
            self.keep.mkdir(parents=True, exist_ok=True)
            (self.keep / f"{self.area}-{self.seed}-{self.counts['statements']}.sql").write_text(";\n".join(self.log + [sql]) + ";\n")
