"""Is a recorded history one that InnoDB's documentation allows? In the manner of Elle (Kingsbury and Alvaro, VLDB 2020).

Every value is appended once, and a row is the list of what was appended to it, so that the list read last says in which order the
versions came, and each list read earlier says which version it was. From that follow points in time and edges "before" between them:

    end(T)      T commits (or ends otherwise): its versions become visible, its locks go
    view(r)     the moment that a consistent read r shows: its statement's under READ COMMITTED, the transaction's first one under
                REPEATABLE READ (manual, "Consistent Nonlocking Reads"), an autocommit SELECT's own under SERIALIZABLE
    done(s)     a locking statement s has all its locks

    end(A) -> end(B)      B's version of a row follows A's                            (ww)
    end(A) -> view/done   A's version was read                                        (wr)
    view(r) -> end(B)     B's version follows the one that was read                   (rw)
    end(T) -> end(B)      the same for a read of T that locks until T ends; for a row that is not there only where gaps are locked,
                          that is under REPEATABLE READ and SERIALIZABLE (manual, "InnoDB Locking", "Phantom Rows")
    x -> y                x was acknowledged before the statement of y was sent

A cycle is an anomaly. What the levels permit needs no exception: a plain read and a write of one REPEATABLE READ transaction are
different points, so "lost updates" after a snapshot read are no cycle; under SERIALIZABLE every read locks, all edges of a transaction
meet in its end, and a cycle means that the history is not serialisable. READ UNCOMMITTED's plain reads give no edges: they only may not
show what nobody ever wrote.

Besides: no aborted and no intermediate reads, nothing acknowledged is missing, nothing is there twice, nothing that failed is there, an
unacknowledged transaction is there wholly or not, appends of one transaction to a row stand together (no dirty writes), every
transaction reads its own writes, and each row fits together in itself (`torn`, found while reading).
"""
from bisect import bisect_left

RU, RC, RR, SER = "READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"
LEVELS = [RU, RC, RR, SER]


class Op:
    """One statement of a transaction. `kind`: "read", "write", "snapshot", "rolled back" (to a savepoint),
    "rolled back all" (to one from before the first statement: that ends what the engine knows of the transaction) or "failed"; `mode`: "plain" or how
    it locks. `reads`: key -> list seen, () for "not there", or ("tail", length, last) from a covering index.
    `appends`: what it surely appended, (key, value); `maybe`: keys to which `value` was appended if they were there; `lacks`: (key, value):
    the version read does not have the value. `bounds`: the lengths that a list must have had for it. `undone`: failed, or rolled back to a savepoint."""
    __slots__ = ("kind", "mode", "t0", "t1", "reads", "appends", "maybe", "value", "count", "bounds", "lacks", "undone", "sql")

    def __init__(self, kind, t0=0, t1=0, mode="plain", reads=None, appends=(), maybe=(), value=None, count=None, bounds=None, lacks=(), sql=""):
        self.kind, self.mode, self.t0, self.t1, self.sql = kind, mode, t0, t1, sql
        self.reads, self.appends, self.maybe, self.value, self.count = reads or {}, list(appends), list(maybe), value, count
        self.bounds, self.lacks, self.undone = bounds, list(lacks), False


class Txn:
    """A transaction: `status` is "ok", "fail" or "unknown"; `t0`, `t1` are when its last statement was sent and answered (None: never)."""
    __slots__ = ("id", "level", "autocommit", "ops", "status", "t0", "t1")

    def __init__(self, id, level, autocommit=False):
        self.id, self.level, self.autocommit, self.ops = id, level, autocommit, []
        self.status, self.t0, self.t1 = "unknown", None, None

    def __repr__(self):
        return f"T{self.id} ({self.level}{', autocommit' if self.autocommit else ''}, {self.status})"


class Checker:
    """`txns` and the lists read when all was over (`final`: key -> list)."""

    def __init__(self, txns, final, claim=None):
        self.txns = {t.id: t for t in txns}
        self.claim = claim
        self.final = {k: tuple(v) for k, v in final.items()}
        self.found, self.edges, self.stamps = [], {}, {}
        self.writer, self.dead = {}, {}
        self.reads = self.gaps = 0

    def say(self, what, text, *txns):
        if len(self.found) < 40:
            self.found.append(f"{what}: {text}" + "".join(f"\n    {self.story(t)}" for t in txns))

    @staticmethod
    def story(t):
        ops = "; ".join(f"[{o.t0 / 1e6:.3f}-{o.t1 / 1e6:.3f}{' undone' if o.undone else ''}] {o.sql[:160]}"
                        + (f" -> {dict(list(o.reads.items())[:6])}" if o.reads else "") for o in t.ops)
        return f"{t}: {ops}; end {(t.t0 or 0) / 1e6:.3f}-{(t.t1 or 0) / 1e6:.3f}"

    def level(self, t):
        return self.claim or t.level

    # what was written

    def writers(self):
        tried = {}
        for t in self.txns.values():
            for o in t.ops:
                for k, v in o.appends + [(k, o.value) for k in o.maybe]:
                    tried.setdefault((k, v), (t, o))
        self.tried = tried
        for k, values in self.final.items():
            if len(set(values)) != len(values):
                self.say("duplicate", f"{k} has a value twice: {values}")
            last, closed = None, set()
            for v in values:
                t, o = tried.get((k, v), (None, None))
                if t is None:
                    self.say("garbage", f"{k} has {v}, which nobody wrote")
                    continue
                if t.status == "fail" or o.undone:
                    self.say("resurrected", f"{k} has {v}, which was rolled back", t)
                self.writer[k, v] = t.id
                if t.id != last:
                    if t.id in closed:
                        self.say("dirty write", f"T{t.id}'s values stand apart in {k}: {values}", t)
                    closed.add(t.id)
                    last = t.id
        there = {(k, v) for k, values in self.final.items() for v in values}
        for t in self.txns.values():
            sure = [kv for o in t.ops if not o.undone for kv in o.appends]
            have = [kv for kv in sure if kv in there]
            lost = [kv for kv in sure if kv not in there]
            perhaps = [(k, o.value) for o in t.ops if not o.undone for k in o.maybe]
            if t.status == "ok" and lost:
                self.say("lost", f"acknowledged and not there: {lost}", t)
            if t.status == "unknown" and lost and (have or any(kv in there for kv in perhaps)):
                self.say("half", f"there {have}, not there {lost}", t)
            for o in t.ops:
                if t.status == "ok" and not o.undone and o.maybe and o.count is not None:
                    hit = [k for k in o.maybe if (k, o.value) in there]
                    if len(hit) != o.count:
                        self.say("row count", f"{o.count} rows changed, {o.value} is in {hit}", t)
                if o.bounds and not o.undone:
                    for k in o.maybe:
                        if (k, o.value) in there and not o.bounds[0] <= self.final[k].index(o.value) <= o.bounds[1]:
                            self.say("write predicate", f"{o.value} came to {k} at length {self.final[k].index(o.value)}", t)

    # edges

    def edge(self, a, b, why):
        if a != b:
            self.edges.setdefault(a, {}).setdefault(b, why)

    def point(self, p, t0, t1):
        """A point with the time its statement was sent and answered."""
        self.stamps[p] = (t0, t1)

    def orders(self):
        for k, values in self.final.items():
            for a, b in zip(values, values[1:]):
                wa, wb = self.writer.get((k, a)), self.writer.get((k, b))
                if wa is not None and wb is not None and wa != wb:
                    self.edge(("end", wa), ("end", wb), f"ww {k}: {a}, {b}")

    def version(self, t, k, seen, own, kept):
        """The number of values of the version that a read saw, or None where it says nothing of others (own writes, an anomaly).
        `kept`: the transaction's own values are in the final list."""
        final = self.final.get(k, ())
        if seen and seen[0] == "tail":
            _, n, last = seen
            if own:
                if own[-1] != last:
                    self.say("own write", f"{k} ends with {last}, T{t.id} wrote {own}", t)
                return None
            if n > len(final) or final[n - 1] != last:
                dead = self.tried.get((k, last), (None, None))[0]
                if dead is not None and dead.status == "unknown":
                    return None
                self.say("aborted read", f"{k} was {n} long and ended with {last} (of {dead}); at the end {final}", t, *([dead] if dead else []))
                return None
        elif own:
            if tuple(seen[-len(own):]) != tuple(own):
                self.say("own write", f"{k} is {seen}, T{t.id} wrote {own}", t)
                return None
            base = seen[:-len(own)]
            if final[:len(base)] != base or (kept and final[:len(seen)] != seen):
                self.say("incompatible order", f"{k} is {seen}, at the end {final}", t)
            return None
        else:
            n = len(seen)
            if final[:n] != tuple(seen):
                bad = next(v for i, v in enumerate(seen) if i >= len(final) or final[i] != v)
                other = self.tried.get((k, bad), (None, None))[0]
                if other is not None and other.status == "unknown":
                    # committed, seen, and killed before its log was durable and its answer sent: as in InnoDB, visible comes before durable
                    return None
                what = "garbage" if other is None else "aborted read" if bad not in final else "incompatible order"
                self.say(what, f"{k} was {seen}, at the end {final}", t, *([other] if other else []))
                return None
        if 0 < n < len(final) and self.writer.get((k, final[n - 1])) == self.writer.get((k, final[n])):
            if self.writer.get((k, final[n])) != t.id:
                self.say("intermediate read", f"{k} was {final[:n]}, T{self.writer.get((k, final[n]))} went on with {final[n]}", t)
        return n

    def after(self, k, n, t):
        """Who wrote the version after the first `n` values of `k`."""
        final = self.final.get(k, ())
        w = self.writer.get((k, final[n])) if n < len(final) else None
        return None if w == t.id else w

    def transaction(self, t):
        level, own, view = self.level(t), {}, None
        end = ("end", t.id)
        self.point(end, t.t0, t.t1)
        # A rollback to a savepoint that came before the first statement rolls the engine's transaction back: its locks and its view may go. (Here
        # they may also stay, so the next view is some moment since the first one.)
        ends, since = [end] * len(t.ops), None
        for i, o in enumerate(t.ops):
            if o.kind == "rolled back all":
                ends[:i] = [("part", t.id, i) if e == end else e for e in ends[:i]]
                self.point(("part", t.id, i), o.t0, o.t1)
                self.edge(("part", t.id, i), end, "of T")
        for i, o in enumerate(t.ops):
            if o.kind == "failed":
                continue
            if o.kind.startswith("rolled back"):  # to a savepoint: what was undone before is not the transaction's any more
                if o.kind == "rolled back all":
                    view = None
                gone = {kv for x in t.ops[:i] if x.undone for kv in x.appends + [(k, x.value) for k in x.maybe]}
                own = {k: [(v, s) for v, s in vs if (k, v) not in gone] for k, vs in own.items()}
                continue
            until = ends[i]
            locking = o.mode != "plain" or (level == SER and not t.autocommit and o.kind != "snapshot")
            node = ("done", t.id, i)
            if not locking:
                if level == RR and view is not None:
                    node = view
                else:
                    node = ("view", t.id, i)
                    since = since or o.t0
                    self.point(node, since if level == RR else o.t0, o.t1)
                    self.edge(node, until, "of T")
                    view = node if level == RR else view
            else:
                self.point(node, o.t0, o.t1)
                self.edge(node, until, "of T")
            for k, seen in o.reads.items():
                self.reads += 1
                mine = [v for v, sure in own.get(k, ()) if sure or v in seen]
                if k[0] == "t1" and level == RR and not locking and not set(mine) & set(seen):
                    # the table with the hidden row id: another's row took the place of the one that the view has, and this transaction changed
                    # it; a search by a unique key ends at the first of the two
                    mine = []
                if level == RU and not locking:
                    for v in seen[2:] if seen[:1] == ("tail",) else seen:
                        if (k, v) not in self.tried:
                            self.say("garbage", f"{k} has {v}, which nobody wrote", t)
                    continue
                n = self.version(t, k, seen, mine, all((k, v) in self.writer for v in mine))
                if n is None:
                    continue
                if n:
                    w = self.writer[k, self.final[k][n - 1]]
                    if w != t.id:
                        self.edge(("end", w), node, f"wr {k}: {self.final[k][n - 1]}")
                w = self.after(k, n, t)
                if w is not None:
                    if not locking:
                        self.edge(node, ("end", w), f"rw {k} without {self.final[k][n]}")
                    elif n or level in (RR, SER):
                        self.gaps += n == 0
                        self.edge(until, ("end", w), f"locked {k} without {self.final[k][n]}")
            for k, v in o.lacks:
                w = self.writer.get((k, v))
                if w is not None and w != t.id and not locking and level != RU and not own.get(k):
                    self.edge(node, ("end", w), f"rw {k} without {v}")
            for k, v in o.appends:
                own.setdefault(k, []).append((v, True))
                self.follows(t, k, v, node, o)
            for k in o.maybe:
                own.setdefault(k, []).append((o.value, False))
                self.follows(t, k, o.value, node, o)
                if t.status == "ok" and not o.undone and not o.bounds and level in (RR, SER) and (k, o.value) not in self.writer and not own.get(k)[:-1]:
                    w = self.after(k, 0, t)
                    if w is not None:
                        self.gaps += 1
                        self.edge(until, ("end", w), f"changed no {k}")

    def follows(self, t, k, v, node, o):
        """The statement that appended `v` came after the transaction whose value stands before it."""
        if o.undone or (k, v) not in self.writer:
            return
        at = self.final[k].index(v)
        if at:
            w = self.writer.get((k, self.final[k][at - 1]))
            if w is not None and w != t.id:
                self.edge(("end", w), node, f"ww {k}: {self.final[k][at - 1]}, {v}")

    def real_time(self):
        """x -> y where x was answered before y was sent, over a chain of moments."""
        moments = sorted({t1 for _, t1 in self.stamps.values() if t1 is not None})
        for i in range(len(moments) - 1):
            self.edge(("at", i), ("at", i + 1), "time")
        for p, (t0, t1) in self.stamps.items():
            if t1 is not None:
                self.edge(p, ("at", bisect_left(moments, t1)), "answered")
            if t0 is not None:
                i = bisect_left(moments, t0) - 1
                if i >= 0:
                    self.edge(("at", i), p, "sent")

    def cycles(self):
        for scc in components(self.edges):
            cycle = shortest_cycle(self.edges, scc)
            text = " ".join(f"{a} -[{self.edges[a][b]}]->" for a, b in zip(cycle, cycle[1:] + cycle[:1]) if a[0] != "at" or b[0] != "at")
            ids = dict.fromkeys(p[1] for p in cycle if p[0] != "at")
            self.say("cycle", text, *(self.txns[i] for i in list(ids)[:6]))

    def run(self):
        self.writers()
        self.orders()
        for t in self.txns.values():
            self.transaction(t)
        self.real_time()
        self.cycles()
        return self.found


def components(edges):
    """Strongly connected components of more than one point (Tarjan, without recursion)."""
    index, low, on, stack, out = {}, {}, set(), [], []
    for root in list(edges):
        if root in index:
            continue
        work = [(root, iter(edges.get(root, ())))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while work:
            at, rest = work[-1]
            for to in rest:
                if to not in index:
                    index[to] = low[to] = len(index)
                    stack.append(to)
                    on.add(to)
                    work.append((to, iter(edges.get(to, ()))))
                    break
                if to in on:
                    low[at] = min(low[at], index[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[at])
                if low[at] == index[at]:
                    scc = set()
                    while True:
                        p = stack.pop()
                        on.discard(p)
                        scc.add(p)
                        if p == at:
                            break
                    if len(scc) > 1:
                        out.append(scc)
    return out


def shortest_cycle(edges, scc):
    """A cycle with few transactions: from some points of the component, the first way back (moments cost nothing)."""
    best = None
    starts = [p for p in scc if p[0] != "at"][:60]
    for start in starts:
        cost, came, queue, at = {start: 0}, {}, {0: [start]}, 0
        while at <= max(queue, default=-1):
            for p in queue.get(at, ()):
                if cost[p] < at:
                    continue
                for to in edges.get(p, ()):
                    if to == start:
                        path = [p]
                        while path[-1] != start:
                            path.append(came[path[-1]])
                        path.reverse()
                        if best is None or at < best[0]:
                            best = (at, path)
                        queue = {}
                        break
                    step = at + (to[0] != "at")
                    if to in scc and cost.get(to, 1 << 30) > step:
                        cost[to] = step
                        came[to] = p
                        queue.setdefault(step, []).append(to)
                if not queue:
                    break
            at += 1
    return best[1]
