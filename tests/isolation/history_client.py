"""One client of tests/isolation/history.py: draws transactions, runs them, and records what each statement saw and did.

Two tables of lists, `t0` with a primary key and `t1` with a hidden row id: the key, the list `v`, its length `n`, its last value (`last`, `u`), `g` = key / 3, `pad` made
from the last value, on overflow pages now and then. With `Shared.long` every second one is, and so are a JSON document `doc` and a stored generated
column `gen`, all of them with indexes; more is rolled back, and statements fail in their middle. Whatever a row says that does not fit together goes to `Shared.torn`, as do errors that nothing explains
(3572 without NOWAIT, 1032).
"""
import json
import random
import threading
import time

import pymysql

from isolation.history_check import LEVELS, RC, RR, RU, SER, Op
from lib.servers import MariaDB, Server

TABLES = ("t0", "t1")
KEYS = 10  # keys in use at a time
LENGTH = 40  # appends tried to a key before a new one takes its place
ACCOUNTS, BALANCE = 12, 100
HOP = 1_000_000  # where a key goes that comes back


def pad_length(x, long=False):
    """Most are short; some fill half a page, some are on overflow pages: with `long` every second one."""
    if long and x % 2:
        return 9_000 + x * 7919 % 91_000
    return 8000 + x % 9 * 2000 if x % 23 == 0 else x % 7000 if x % 5 == 0 else x % 50


def pad(x, long=False):
    n = pad_length(x, long)
    return (str(x) * (n // len(str(x)) + 1))[:n]


def pad_sql(x, long=False):
    n = pad_length(x, long)
    return f"LEFT(REPEAT('{x}', {n // len(str(x)) + 1}), {n})"


def doc_sql(x):
    """A document that is long where the text is short, and the other way round."""
    return f"JSON_OBJECT('x', {x}, 'a', JSON_ARRAY({x}, {x + 1}), 'p', {pad_sql(x + 1, True)})"


def doc(x):
    return {"x": x, "a": [x, x + 1], "p": pad(x + 1, True)}


class Over(Exception):
    """The transaction is over: rolled back by the server, or its connection is gone."""


class Client(threading.Thread):
    """One connection that runs transactions until it is told to stop or the server is gone."""

    def __init__(self, shared, number):
        super().__init__(daemon=True)
        self.s, self.r = shared, random.Random(f"{shared.seed}/{number}")
        self.number, self.failure, self.counts, self.prepared_statements = number, None, {}, {}

    def run(self):
        try:
            self.con = self.s.server.connect(database="h")
            self.cur = self.con.cursor()
            self.cur.execute("SET SESSION innodb_lock_wait_timeout = 2")
            if self.s.peer is not MariaDB:
                self.cur.execute("SET SESSION lock_wait_timeout = 5")
            while not self.s.stop.is_set():
                self.bank() if self.r.random() < 0.15 else self.transaction()
        except (pymysql.err.OperationalError, pymysql.err.InterfaceError, OSError, AttributeError) as e:
            if not self.s.stop.is_set():
                self.failure = e
        except Exception as e:  # a defect of this script or an answer that is none
            self.failure = e
            self.s.torn.append(f"client {self.number}: {type(e).__name__}: {e}")

    # statements

    def send(self, sql, op=None):
        """Runs it and returns the rows; fills the operation's times. Over: the transaction is gone; None: the statement failed alone."""
        t, began = self.t, time.monotonic_ns() // 1000
        if op:
            op.sql, op.t0, self.begun = sql, began, True
            self.mine.update(k for k, _ in op.appends)
            self.mine.update(op.maybe)
            t.ops.append(op)
        try:
            if op and op.kind != "snapshot" and self.r.random() < 0.2:
                self.prepared(sql)
            else:
                self.cur.execute(sql)
            rows = self.cur.fetchall()
            if op:
                op.t1 = time.monotonic_ns() // 1000
                op.count = self.cur.rowcount
            return rows
        except pymysql.err.MySQLError as e:
            now = time.monotonic_ns() // 1000
            code = e.args[0] if e.args else 0
            self.counts[code] = self.counts.get(code, 0) + 1
            if code in (0, 2006, 2013, 2014) or isinstance(e, pymysql.err.InterfaceError):
                if op:
                    op.t1 = now
                raise
            if op:
                op.kind, op.undone, op.t1 = "failed", True, now
            if code in (1205, 1062) and t.autocommit is False:
                return None
            if code in (1213, 1614) or t.autocommit:
                t.status, t.t0, t.t1 = "fail", began, now
                if code != 1213 or self.in_xa:
                    self.rollback(False)
                raise Over from None
            if code in (1176, 1205, 1062, 1412):
                self.rollback()
                raise Over from None
            self.s.torn.append(f"error {e} of {sql[:300]}")
            self.rollback()
            raise Over from None

    def prepared(self, sql):
        """Through PREPARE; the text is kept, so that some statements run again."""
        name = self.prepared_statements.get(sql)
        if name is None:
            if len(self.prepared_statements) > 30:
                self.prepared_statements.clear()
            name = self.prepared_statements[sql] = f"s{len(self.prepared_statements)}"
            self.cur.execute(f"PREPARE {name} FROM " + self.con.escape(sql))
        self.cur.execute(f"EXECUTE {name}")

    def rollback(self, note=True):
        began = time.monotonic_ns() // 1000
        if self.in_xa:
            for sql in (f"XA END '{self.in_xa}'", f"XA ROLLBACK '{self.in_xa}'"):
                try:
                    self.cur.execute(sql)
                except pymysql.err.MySQLError as e:
                    if e.args[0] in (0, 2006, 2013):
                        raise
        else:
            self.cur.execute("ROLLBACK")
        if note:
            self.t.status, self.t.t0, self.t.t1 = "fail", began, time.monotonic_ns() // 1000

    def settle(self):
        """The level of the next transaction, which the session has from now on."""
        level = self.r.choice(LEVELS) if self.s.level == "mixed" else self.s.level
        self.in_xa = None
        if getattr(self, "at", None) != level:
            self.cur.execute(f"SET SESSION TRANSACTION ISOLATION LEVEL {level}")
            self.at = level
        return level

    def transaction(self):
        r, s = self.r, self.s
        level = self.settle()
        self.level = level
        t = self.t = s.new_txn(level, r.random() < 0.25)
        self.mine, self.begun = set(), False
        try:
            if t.autocommit:
                self.step()
                if t.ops:
                    t.status, t.t0, t.t1 = "ok", t.ops[-1].t0, t.ops[-1].t1
                else:
                    t.status, t.t0, t.t1 = "fail", 0, None
                return
            if r.random() < s.xa:
                self.in_xa = f"x{t.id}"
                self.cur.execute(f"XA START '{self.in_xa}'")
            elif r.random() < 0.1:
                self.send("START TRANSACTION WITH CONSISTENT SNAPSHOT", Op("snapshot", mode="plain" if level == RR else "write"))
            else:
                self.cur.execute("START TRANSACTION")
            for _ in range(r.choice((1, 2, 2, 3, 4, 6))):
                if r.random() < (0.3 if s.long else 0.15):
                    self.savepoint()
                else:
                    self.step()
                if r.random() < 0.05:
                    time.sleep(r.random() * 0.02)
            if r.random() < (0.35 if s.long else 0.1):
                self.rollback()
                return
            if self.in_xa:
                self.cur.execute(f"XA END '{self.in_xa}'")
                with s.lock:
                    s.prepared[self.in_xa] = [t, "preparing"]
                self.cur.execute(f"XA PREPARE '{self.in_xa}'")
                with s.lock:
                    s.prepared[self.in_xa][1] = "prepared"
                if r.random() < 0.3:
                    time.sleep(r.random() * 0.05)
                commit = r.random() < 0.8
                s.prepared[self.in_xa][1] = "commit" if commit else "rollback"
                t.t0 = time.monotonic_ns() // 1000
                self.cur.execute(f"XA {'COMMIT' if commit else 'ROLLBACK'} '{self.in_xa}'")
                t.t1 = time.monotonic_ns() // 1000
                t.status = "ok" if commit else "fail"
                with s.lock:
                    del s.prepared[self.in_xa]
                return
            t.t0 = time.monotonic_ns() // 1000
            self.cur.execute("COMMIT")
            t.t1 = time.monotonic_ns() // 1000
            t.status = "ok"
        except Over:
            pass

    def savepoint(self):
        """Some steps that may be rolled back alone."""
        self.cur.execute("SAVEPOINT a")
        first, whole = len(self.t.ops), not self.begun
        for _ in range(self.r.choice((1, 1, 2, 3))):
            self.step()
        if self.r.random() < 0.6:
            began = time.monotonic_ns() // 1000
            self.cur.execute("ROLLBACK TO SAVEPOINT a")
            for o in self.t.ops[first:]:
                o.undone = True
            self.t.ops.append(Op("rolled back all" if whole else "rolled back", began, time.monotonic_ns() // 1000, mode="none"))
            self.begun = not whole

    # reads

    def step(self):
        if self.r.random() < 0.5:
            self.read()
        elif self.s.long and self.r.random() < 0.15:
            self.stumble()
        else:
            self.append()

    def key(self):
        return self.r.choice(self.s.window)

    def row(self, t, columns, row, op):
        """Notes a row's list in `op`, after looking whether the row fits together."""
        d, seen = dict(zip(columns, row)), op.reads
        k = d["k"]
        if k >= HOP and self.level == RU:  # on its way: uncommitted
            self.whole(t, k, d)
            return
        if "v" not in d:
            got = ("tail", d["n"], d["last"])
        else:
            got = tuple(map(int, d["v"].split(",")))
            want = {"n": len(got), "last": got[-1], "u": f"{k}-{got[-1]}", "g": k // 3, "len": len(d["v"])}
            for c, w in want.items():
                if c in d and d[c] != w:
                    self.tear(t, k, c, d)
            self.whole(t, k, d)
            if "j" in d and tuple(map(int, d["j"].strip("[]").split(","))) != got:
                self.s.torn.append(f"torn row: {t} {k}: j is {d['j']}, v {got}; T{self.t.id} {self.t.ops[-1].sql}")
        if (t, k) in seen and self.level == RR and op.mode == "plain" and (t, k) in self.mine:
            # in the table with the hidden row id: the row that the snapshot has, deleted since, and the one that took its place and was
            # changed by this transaction ("you might see the table in a state that never existed in the database")
            seen[t, k] = max(seen[t, k], got, key=lambda l: l[-1])
            return
        if (t, k) in seen and self.level != RU:
            self.s.torn.append(f"twice in one answer: {t} {k}: {got}, {seen[t, k]}; T{self.t.id} ({self.level}) {self.t.ops[-1].sql}")
        seen[t, k] = got

    def tear(self, t, k, c, d):
        self.s.torn.append(f"torn row: {t} {k}: {c} is {str(d[c])[:80]}, v {d.get('v')}, last {d.get('last')}; T{self.t.id} ({self.level}) {self.t.ops[-1].sql}")

    def whole(self, t, k, d):
        """The long columns are those of the row's last value."""
        if self.level == RU and self.s.peer is not Server:
            return
        last, long = d.get("last"), self.s.long
        if "pad" in d and d["pad"] != pad(last, long):
            self.tear(t, k, "pad", d)
        if "gen" in d and d["gen"] != f"{last}:{pad(last, long)}":
            self.tear(t, k, "gen", d)
        if "doc" in d and json.loads(d["doc"]) != doc(last):
            self.tear(t, k, "doc", d)

    def read(self):
        r, t = self.r, self.r.choice(TABLES)
        mode = r.choice(("plain", "plain", "plain", "share", "update"))
        lock = {"plain": "", "share": " " + self.s.share, "update": " FOR UPDATE"}[mode]
        columns = ["k", "g", "n", "last", "v", "u", "len"] + ["pad"] * (r.random() < 0.4) + ["j"] * (self.s.mv and r.random() < 0.4)
        if self.s.long:
            columns += [c for c in ("doc", "gen") if r.random() < 0.5]
        shape = r.choice(("point", "point", "range", "in", "group", "n", "u", "last", "mv", "len", "both") + ("pads", "gens", "docs", "match") * self.s.long)
        op, k = Op("read", mode=mode), self.key()
        absent, index = [], ""
        known = [k for k in list(self.s.tried)]
        if shape == "point":
            where, absent = f"k = {k}", [k]
        elif shape == "range":
            n = r.randrange(1, 8)
            where, absent = f"k BETWEEN {k} AND {k + n} ORDER BY k{r.choice((' DESC', ''))}", range(k, k + n + 1)
        elif shape == "in":
            absent = sorted({self.key() for _ in range(3)})
            where = f"k IN ({', '.join(map(str, absent))})"
        elif shape == "group":
            where, absent, index = f"g = {k // 3}", range(k // 3 * 3, k // 3 * 3 + 3), "g"
        elif shape == "n":  # everything, through an index whose entries move
            where, absent, index = "n >= 0 AND k < 1000000", known, "n"
        elif shape == "len":
            where, absent, index = "len > 0 AND k < 1000000", known, "len"
        elif shape == "last":  # covering
            where, absent, index, columns = "last > 0 AND k < 1000000", known, "last", ["k", "n", "last"]
        elif shape == "pads":  # everything, by the first bytes of a long text
            where, absent, index = "pad >= '' AND k < 1000000", known, "p"
        elif shape == "gens":
            where, absent, index = "gen > '' AND k < 1000000 ORDER BY gen, k", known, "gp"
        elif shape == "docs":
            where, index = f"{r.randrange(max(1, self.s.value - 60), self.s.value + 2)} MEMBER OF (doc->'$.a')", "dm"
        elif shape == "match":  # by the long values themselves, wherever they are
            where, absent = "LENGTH(pad) >= 0 AND doc->'$.x' = last AND gen LIKE CONCAT(last, ':%') AND k < 1000000", known
        elif shape == "u":
            where, index = f"u = '{k}-{r.randrange(max(1, self.s.value - 60), self.s.value + 2)}'", "u"
        elif shape == "mv":
            x = r.randrange(max(1, self.s.value - 60), self.s.value + 2)
            where, index = f"{x} MEMBER OF (j)", "mv"
            if not self.s.mv:
                return
        else:
            absent = sorted({self.key() for _ in range(2)})
            columns = ["k", "g", "n", "last", "v", "u"]
            one = f"SELECT '%s', {', '.join(columns)} FROM %s WHERE k IN ({', '.join(map(str, absent))})"
            op.mode = "plain"
            rows = self.send(" UNION ALL ".join(one % (t, t) for t in TABLES), op)
            for row in rows or ():
                self.row(row[0], columns, row[1:], op)
            for t in TABLES:
                for k in absent:
                    op.reads.setdefault((t, k), ())
            return
        if self.level == RU and mode == "plain":
            absent = ()
        force = f" FORCE INDEX ({index})" if index else ""
        rows = self.send(f"SELECT {', '.join(columns)} FROM {t}{force} WHERE {where}{lock}", op)
        if rows is None:
            return
        for row in rows:
            self.row(t, columns, row, op)
        # under READ COMMITTED a locking scan of an index whose entries move may pass a row by
        if index in ("n", "last", "len", "p", "gp") and self.level in (RC, RU) and mode != "plain":
            return
        for k in absent:
            op.reads.setdefault((t, k), ())

    # writes

    def sets(self, x):
        j = f", j = JSON_ARRAY_APPEND(j, '$', {x})" if self.s.mv else ""
        return (f"v = CONCAT(v, ',', {x}), n = n + 1, last = {x}, u = CONCAT(IF(k >= {HOP}, k - {HOP}, k), '-', {x}),"
                f" pad = {pad_sql(x, self.s.long)}{j}" + f", doc = {doc_sql(x)}" * self.s.long)

    def insert(self, verb, t, k, values):
        x = values[-1]
        j = (", j", f", JSON_ARRAY({', '.join(map(str, values))})") if self.s.mv else ("", "")
        if self.s.long:
            j = (j[0] + ", doc", f"{j[1]}, {doc_sql(x)}")
        text = ",".join(map(str, values))
        return (f"{verb} INTO {t} (k, g, n, last, v, u, pad{j[0]}) VALUES ({k}, {k // 3}, {len(values)}, {x}, '{text}', '{k}-{x}',"
                f" {pad_sql(x, self.s.long)}{j[1]})")

    def append(self):
        r, s, t, k = self.r, self.s, self.r.choice(TABLES), self.key()
        shape = r.choice(("update", "update", "odku", "odku", "range", "group", "n", "reinsert", "replace", "hop"))
        if shape == "odku" or shape in ("reinsert", "replace", "hop") and self.t.autocommit:
            x = s.new_value([k])
            self.send(self.insert("INSERT", t, k, [x]) + f" ON DUPLICATE KEY UPDATE {self.sets(x)}", Op("write", mode="write", appends=[((t, k), x)], value=x))
            if s.kids and t == "t0" and not self.t.autocommit:
                self.quiet(f"INSERT IGNORE INTO kid VALUES ({k}, {x})")
        elif shape in ("update", "range", "group", "n"):
            bounds, index = None, ""
            if shape == "update":
                keys, where = [k], f"k = {k}"
            elif shape == "range":
                n = r.randrange(1, 5)
                keys, where = list(range(k, k + n + 1)), f"k BETWEEN {k} AND {k + n}"
            elif shape == "group":
                keys, where, index = list(range(k // 3 * 3, k // 3 * 3 + 3)), f"g = {k // 3}", " FORCE INDEX (g)"
            else:
                a = r.randrange(1, 20)
                bounds, keys = (a, a + 1), list(s.tried)
                where, index = f"n BETWEEN {a} AND {a + 1} AND k IN ({', '.join(map(str, keys))})", " FORCE INDEX (n)"
            x = s.new_value(keys if bounds is None else ())
            self.send(f"UPDATE {t}{index} SET {self.sets(x)} WHERE {where}",
                      Op("write", mode="write", maybe=[(t, k) for k in keys], value=x, bounds=bounds))
        else:
            self.rewrite(shape, t, k)

    def stumble(self):
        """A statement that fails when it has written long values already: nothing of it stays."""
        t, far = self.r.choice(TABLES), 3 * HOP + 10 * self.number
        keys = [far, far + 1, self.key(), far] if self.r.random() < 0.5 else [far, far + 1, far]
        rows, tried = [], []
        for k in keys:
            x = self.s.new_value([])
            rows.append(self.insert("INSERT", t, k, [x]))
            tried.append(((t, k), x))
        sql = ", ".join([rows[0]] + [r.split(" VALUES ")[1] for r in rows[1:]])
        if self.send(sql, Op("write", mode="write", appends=tried)) is not None:
            self.s.torn.append(f"a duplicate key was let in: {t} {keys}")

    def rewrite(self, shape, t, k):
        """Appends by several statements: all of them, or the transaction is over."""
        op = Op("read", mode="update")
        rows = self.send(f"SELECT k, n, last, v FROM {t} WHERE k = {k} FOR UPDATE", op)
        if rows is None:
            return
        old = []
        if rows:
            self.row(t, ("k", "n", "last", "v"), rows[0], op)
            old = list(op.reads[t, k])
        else:
            op.reads[t, k] = ()
        x = self.s.new_value([k])
        write = Op("write", mode="write", appends=[((t, k), x)], value=x)
        done = True
        if shape == "replace" and (old or self.level in (RR, SER)):  # else nothing keeps another's row from coming meanwhile
            self.send(self.insert("REPLACE", t, k, old + [x]), write)
        elif shape == "hop" and old:
            done = self.quiet(f"UPDATE {t} SET k = k + {HOP} WHERE k = {k}")
            done = done and self.send(f"UPDATE {t} SET {self.sets(x)}, k = k - {HOP} WHERE k = {k + HOP}", write) is not None
        else:
            done = not old or self.quiet(f"DELETE FROM {t} WHERE k = {k}")
            done = self.send(self.insert("INSERT", t, k, old + [x]), write) is not None if done else done
        if not done:
            self.rollback()
            raise Over

    def quiet(self, sql):
        """A statement of a rewriting that appends nothing by itself; a failure ends the transaction."""
        op = Op("write", mode="write")
        return self.send(sql, op) is not None

    # the bank

    def bank(self):
        r, s = self.r, self.s
        level = self.settle()
        try:
            if r.random() < 0.5:
                self.audit(level)
            else:
                self.transfer()
        except pymysql.err.MySQLError as e:
            code = e.args[0] if e.args else 0
            if code not in (1205, 1213, 1062, 1412, 1176):
                raise
            self.cur.execute("ROLLBACK")

    def audit(self, level):
        r = self.r
        self.cur.execute("START TRANSACTION")
        for i in range(r.choice((1, 2, 3))):
            index = r.choice(("PRIMARY", "bal"))
            lock = "" if level in (RU, RC) or r.random() < 0.7 else " " + self.s.share
            self.cur.execute(f"SELECT SUM(bal), COUNT(*) FROM acct FORCE INDEX ({index}) WHERE {'id > -1' if index == 'PRIMARY' else 'bal > -100000'}{lock}")
            got = tuple(map(int, self.cur.fetchone()))
            if level != RU and got != (ACCOUNTS * BALANCE, ACCOUNTS):
                self.s.torn.append(f"bank: sum and count {got} by {index}{lock} under {level}, read {i}")
        self.cur.execute("COMMIT")

    def transfer(self):
        r, s, ids = self.r, self.s, self.s.accounts
        a, b = r.sample(range(ACCOUNTS), 2)
        self.cur.execute("START TRANSACTION")
        if r.random() < 0.3:  # the account gets another number
            with s.lock:
                new, old = max(ids) + 1, ids[a]
                ids[a] = new
            self.cur.execute(f"SELECT bal FROM acct WHERE id = {old} FOR UPDATE")
            found = self.cur.fetchone()
            if not found:
                with s.lock:
                    ids[a] = r.choice([x[0] for x in self.everyone()] or [0])
                self.cur.execute("ROLLBACK")
                return
            self.cur.execute(f"DELETE FROM acct WHERE id = {old}")
            self.cur.execute(f"INSERT INTO acct VALUES ({new}, {found[0]})")
        else:
            n = r.randrange(1, 10)
            self.cur.execute(f"UPDATE acct SET bal = bal - {n} WHERE id = {ids[a]}")
            one = self.cur.rowcount
            self.cur.execute(f"UPDATE acct SET bal = bal + {n} WHERE id = {ids[b]}")
            if (one, self.cur.rowcount) != (1, 1):
                self.cur.execute("ROLLBACK")
                return
        self.cur.execute("ROLLBACK" if r.random() < 0.1 else "COMMIT")

    def everyone(self):
        self.cur.execute("SELECT id FROM acct")
        return self.cur.fetchall()
