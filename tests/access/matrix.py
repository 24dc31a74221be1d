#!/usr/bin/env python3
"""The access matrix: every kind of statement under every kind of account, on Evenkeel and on a real MySQL.

    tests/access/matrix.py --mysql              records MySQL's answers (scripts/mysql-peer.sh) into mysql.answers
    tests/access/matrix.py --compare [WORD ...] runs on Evenkeel and shows what differs from the record; WORDs select statements that contain one of them
    tests/access/matrix.py --beside WORD ...    runs both servers and shows the readable answers that differ (the record keeps hashes of long ones)
    tests/access/matrix.py --check              looks after each statement whether the fixture is as it was

A cell is one statement of one account; all start from the same fixture (fixture.py): what changes rows runs in a transaction that is rolled back, after other changes
root makes anew what the statement names. Its outcome is the error's number, or the rows: values of key columns, of the others whether they are NULL (N), empty (E)
or something (V). An error whose text contains what only rows contain ("canary") has a `!`. The account's own name is `<me>`.

mysql.answers has one line per statement: the statement, a tab, the outcome of most accounts, then for each other outcome the accounts that have it. Statements that Evenkeel
refuses with 1235 are listed in unsupported.txt and do not count. differences.txt holds what may differ, each with the reason.
"""
import argparse
import collections
import functools
import hashlib
import json
import multiprocessing
import pathlib
import re
import sys
import time

import pymysql

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))
import fixture  # noqa: E402
from accounts import ACCOUNTS  # noqa: E402
from families import all_statements  # noqa: E402
from lib.servers import MySQL, Server  # noqa: E402
from pymysql.constants import CLIENT  # noqa: E402

LONGEST = 120
ASKING = list(ACCOUNTS)  # who runs the statements


# dynamic privileges that came after 8.4
NEWER = re.compile(r"CREATE_SPATIAL_REFERENCE_SYSTEM,|MANAGE_DATA_MASKING_POLICY,")


def text(v):
    if isinstance(v, bytes):
        v = v.decode("utf8", "replace")
    return NEWER.sub("", str(v))


class Cells:
    """The matrix on one server."""

    def __init__(self, server):
        self.server, self.conns, self.kept = server, {}, {}
        self.root = self.login("root")
        for s in fixture.made():
            self.run(self.root, s)
        self.root = self.login("keeper")  # statements about root are statements, too
        for a in ASKING:  # all are there from the start, for lists of connections
            self.conn(a)
        for t in ("tgt", "tgt_sys"):
            self.target(t)

    def login(self, account):
        return self.server.connect(user=account, client_flag=CLIENT.MULTI_STATEMENTS, local_infile=True, conv={}, read_timeout=60)

    def run(self, c, sql):
        with c.cursor() as cur:
            cur.execute(sql)
            while cur.nextset():
                pass
            return cur.fetchall()

    def conn(self, account):
        c = self.conns.get(account)
        if c is None or not c.open:
            c = self.conns[account] = self.login(account)
        return c

    def target(self, user):
        """The id of a connection of this account, for KILL."""
        c = self.kept.get(user)
        try:
            if c is None:
                raise pymysql.err.OperationalError
            c.ping(reconnect=False)
        except (pymysql.err.MySQLError, OSError):
            c = self.kept[user] = self.login(user)
        return c.thread_id()

    def rows(self, account, statement, fields, rows):
        me = re.compile(rf"\b{account}\b")
        names = [text(f.name).upper() for f in fields]
        show = [statement.keys is None or n in statement.keys for n in names]
        drop = [n in statement.drop for n in names]
        out = set()
        for r in rows:
            if statement.only and not statement.only(dict(zip(names, map(lambda v: None if v is None else text(v), r)))):
                continue
            cells = []
            for v, key, no in zip(r, show, drop):
                if no:
                    continue
                if v is None:
                    cells.append("N")
                elif key:
                    cells.append(me.sub("<me>", text(v)))
                else:
                    cells.append("V" if v not in (b"", "") else "E")
            out.add(" ".join(cells))
        if statement.any:
            return "rows" if out else "none"
        return "[" + "|".join(sorted(out)) + "]"

    def once(self, account, statement, sql):
        c = self.conn(account)
        try:
            out = []
            with c.cursor() as cur:
                cur.execute(sql)
                while True:
                    r = cur._result
                    out.append(self.rows(account, statement, r.fields, cur.fetchall()) if r.description is not None else f"OK{r.affected_rows or ''}")
                    if not r.has_next:
                        break
                    cur.nextset()
            return " ; ".join(out)
        except pymysql.err.MySQLError as e:
            number = e.args[0] if e.args and isinstance(e.args[0], int) else 0
            if number in (0, 2006, 2013):
                number = 2013
                self.drop(account)
                self.conn(account)
            return (" ; ".join(out) + " ; " if out else "") + f"E{number}" + ("!" if "canary" in str(e) else "")

    def drop(self, account):
        c = self.conns.pop(account, None)
        try:
            if c:
                c.close()
        except pymysql.err.MySQLError:
            pass

    def cell(self, account, statement):
        sqls = statement.steps
        if statement.tx:
            self.run(self.conn(account), "BEGIN")
        out = []
        for sql in sqls:
            if "{" in sql:
                for user in ("tgt", "tgt_sys", "root"):
                    if "{id_" + user + "}" in sql:
                        sql = sql.replace("{id_" + user + "}", str(self.target(user)))
                sql = sql.replace("{id_me}", str(self.conn(account).thread_id())).replace("{me}", f"`{account}`@localhost")
            out.append(self.once(account, statement, sql))
        if "KILL" in sqls[0] and "OK" in out[0] and "{id_t" in sqls[0] and "QUERY" not in sqls[0]:
            for t in ("tgt", "tgt_sys"):
                if "{id_" + t in sqls[0]:
                    self.kept.pop(t)
                    self.target(t)
        if "KILL {id_me}" in sqls[0]:
            self.drop(account)
            self.conn(account)
        if statement.tx and account in self.conns:
            self.run(self.conns[account], "ROLLBACK")
        if any(not o.startswith("E") for o in out):
            if statement.fresh:
                self.drop(account)
                self.conn(account)
            for name in statement.undo:
                for s in fixture.RESTORE.get(name) or [name]:
                    self.restore(s.replace("{me}", f"`{account}`@localhost"))
        return " ;; ".join(out)

    def restore(self, sql):
        try:
            self.run(self.root, sql)
        except pymysql.err.MySQLError as e:
            if not sql.startswith("REVOKE"):  # it may not have been granted
                raise RuntimeError(sql) from e

    def statement(self, s):
        for b in s.before:
            self.run(self.root, b)
        out = {a: self.cell(a, s) for a in ASKING if a not in s.without}
        for b in s.after:
            self.run(self.root, b)
        return out

    def state(self):
        """The fixture as it is, for --check."""
        out = []
        for q in ("SHOW TABLES FROM mxa", "SHOW TABLES FROM mxb", "SHOW DATABASES", "SELECT user, host, account_locked, user_attributes, account_locked FROM mysql.user",
                  "SELECT from_user, to_user, with_admin_option FROM mysql.role_edges ORDER BY 1, 2", "SELECT * FROM mxa.t1", "SELECT * FROM mxa.t2", "SELECT * FROM mxb.s1",
                  "SELECT * FROM mxa.parent", "SHOW CREATE TABLE mxa.t1", "SHOW CREATE TABLE mxa.t2", "SHOW CREATE TABLE mxa.child", "SHOW CREATE TABLE mxb.s1", *(f"SHOW CREATE VIEW mxa.{v}" for v in fixture.VIEWS),
                  "SHOW CREATE DATABASE mxa", "SELECT variable_name, variable_value FROM performance_schema.persisted_variables",
                  "SELECT user, default_role_user FROM mysql.default_roles"):
            out.append((q, sorted(map(str, self.run(self.root, q)))))
        for (user,) in sorted(self.run(self.root, "SELECT user FROM mysql.user WHERE user NOT LIKE 'mysql.%'")):
            host = "%" if user in fixture.ROLES else "localhost"
            out.append((user, [str(self.run(self.root, f"SHOW GRANTS FOR `{text(user)}`@`{host}`"))]))
        return out


def part(kind, names, check):
    """Answers of the statements of these names on a server of this kind."""
    names = set(names)
    statements = [s for s in all_statements() if s.name in names]
    options = ["--secure-file-priv="] if kind is Server else []
    server = kind(options=options).start()
    try:
        cells = Cells(server)
        out, before = {}, cells.state() if check else None
        for s in statements:
            start = time.time()
            out[s.name] = cells.statement(s)
            if time.time() - start > 5:
                print(f"{time.time() - start:.1f} s: {s.name}", file=sys.stderr)
            if check:
                now = cells.state()
                if now != before:
                    print(f"{kind.name}: not as before after {s.name}: {[p for p in zip(before, now) if p[0] != p[1]][:2] or len(now)}"[:900], file=sys.stderr)
                    before = now
        return out
    except Exception:
        print(f"{kind.name} at {s.name}: {server.log_tail()}", file=sys.stderr)
        raise
    finally:
        server.kill()
        server.remove()


def answers(kind, statements, check=False, jobs=2, asking=None):
    """{statement: {account: outcome}}, by two processes with a server each; `asking`: the accounts that ask."""
    if asking:
        ASKING[:] = asking
    if jobs == 1 or len(statements) < 20:
        return part(kind, [s.name for s in statements], check)
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        out = {}
        for p in pool.starmap(part, [(kind, [s.name for s in statements[n::jobs]], check) for n in range(jobs)]):
            out.update(p)
    return {s.name: out[s.name] for s in statements}


def short(outcome):
    if len(outcome) <= LONGEST:
        return outcome.replace("\t", " ").replace("\n", " ")
    return f"{outcome.count('|') + 1} rows #{hashlib.sha256(outcome.encode()).hexdigest()[:10]}"


def lines(all_answers):
    """One line per statement."""
    for name, by_account in all_answers.items():
        groups = collections.OrderedDict()
        for a, o in by_account.items():
            groups.setdefault(short(o), []).append(a)
        most = max(groups, key=lambda o: len(groups[o]))
        rest = [f"{o}\t{' '.join(who)}" for o, who in groups.items() if o != most]
        yield "\t".join([name.replace("\n", " "), most, *rest])


def recorded():
    """{statement: {account: outcome}} of mysql.answers; '*' is everybody else."""
    out = {}
    if not (HERE / "mysql.answers").exists():
        return out
    for line in (HERE / "mysql.answers").read_text().splitlines():
        name, most, *rest = line.split("\t")
        by = {"*": most}
        for o, who in zip(rest[::2], rest[1::2]):
            by.update(dict.fromkeys(who.split(), o))
        out[name] = by
    return out


def unsupported():
    """Those that Evenkeel answers with 1235."""
    refused = set((HERE / "unsupported.txt").read_text().splitlines())
    return [s for s in all_statements() if s.name in refused]


def supported():
    refused = {s.name for s in unsupported()}
    return [s for s in all_statements() if s.name not in refused]


def differing(ours, theirs):
    """[(statement, {(theirs, ours): accounts})] where outcomes differ."""
    out = []
    for name, by_account in ours.items():
        there, pairs = theirs.get(name.replace("\n", " ")), {}
        if there is None:
            out.append((name, {("not recorded", ""): []}))
            continue
        for a, o in by_account.items():
            want = there.get(a, there["*"])
            if want != short(o):
                pairs.setdefault((want, short(o)), []).append(a)
        if pairs:
            out.append((name, pairs))
    return out


def explanations():
    """differences.txt: [(statement, MySQL's outcome, ours, accounts, reason)], the first four with `*` for anything."""
    out = []
    path = HERE / "differences.txt"
    for line in path.read_text().splitlines() if path.exists() else []:
        if line.strip() and not line.startswith("#"):
            fields = line.split("\t")
            assert len(fields) == 5 and len(fields[4]) > 10, f"five fields and a reason: {line}"
            out.append(tuple(fields))
    return out


@functools.cache
def pattern(p):
    return re.compile(".*".join(map(re.escape, p.split("*"))), re.S)


def like(text, p):
    return bool(pattern(p).fullmatch(text))


def refuses(outcome, want):
    """Whether nothing more is told or done than MySQL tells or does: errors, none of which has a text out of a row, or no rows, step by step."""
    ours, theirs = outcome.split(" ;; "), want.split(" ;; ")
    return len(ours) == len(theirs) and all(o == t or re.fullmatch(r"E\d+|\[\]|none", o) for o, t in zip(ours, theirs))


def judge(ours, theirs):
    """(differences without a reason, reasons without a difference). Where an explanation leaves our outcome open (`*`) we must refuse."""
    why, used, left = explanations(), set(), []
    for name, pairs in differing(ours, theirs):
        open_pairs = {}
        for (want, got), who in pairs.items():
            for a in who:
                hit = next((n for n, (s, t, o, accounts, _) in enumerate(why) if like(name, s) and like(want, t) and like(got, o)
                            and (accounts == "*" or a in accounts.split()) and ("*" not in o or refuses(got, want))), None)
                if hit is None:
                    open_pairs.setdefault((want, got), []).append(a)
                else:
                    used.add(hit)
        if open_pairs:
            left.append((name, open_pairs))
    return left, [w for n, w in enumerate(why) if n not in used]


def text_of(differences, accounts=8):
    out = []
    for name, pairs in differences:
        out.append(name)
        for (theirs, ours), who in pairs.items():
            out.append(f"    mysql {theirs}\n    ours  {ours}\n          {len(who)}: {' '.join(who[:accounts])}{' ...' if len(who) > accounts else ''}")
    return "\n".join(out)


def data_file():
    """What LOAD DATA reads."""
    pathlib.Path("/tmp/evenkeel-access-data").write_text("8\tn8\n9\tn9\n")


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for o in ("mysql", "compare", "beside", "check"):
        a.add_argument("--" + o, action="store_true")
    a.add_argument("--full", help="writes the readable answers of this run there, as JSON")
    a.add_argument("--missing", action="store_true", help="with --mysql: only statements that are not recorded yet")
    a.add_argument("--only", help="these accounts, with commas between")
    a.add_argument("words", nargs="*")
    a = a.parse_args()
    ASKING[:] = a.only.split(",") if a.only else ACCOUNTS
    data_file()
    chosen = [s for s in supported() if not a.words or any(w in s.name for w in a.words)]
    start = time.time()
    if a.mysql:
        path = HERE / "mysql.answers"
        old = {l.split("\t")[0]: l for l in path.read_text().splitlines()} if path.exists() else {}
        run = [s for s in chosen if not a.missing or s.name not in old]
        got = answers(MySQL, run, a.check)
        if a.full:
            pathlib.Path(a.full).write_text(json.dumps(got))
        new = {l.split("\t")[0]: l for l in lines(got)}
        old.update(new)
        path.write_text("\n".join(old[s.name] for s in supported() if s.name in old) + "\n")
    elif a.beside:
        there = answers(MySQL, chosen, a.check)
        ours = answers(Server, chosen, a.check)
        for name in ours:
            pairs = {}
            for who, o in ours[name].items():
                if there[name][who] != o:
                    pairs.setdefault((there[name][who], o), []).append(who)
            if pairs:
                print(text_of([(name, pairs)]))
    else:
        got = answers(Server, chosen, a.check)
        if a.full:
            pathlib.Path(a.full).write_text(json.dumps(got))
        found = differing(got, recorded())
        left, stale = judge(got, recorded())
        print(text_of(left))
        if not a.words and not a.only:
            print("\n".join(f"explains nothing: {w}" for w in stale))
        cells = sum(len(v) for v in got.values())
        print(f"{len(got)} statements, {len(ACCOUNTS)} accounts, {cells} cells, {sum(len(w) for _, p in found for w in p.values())} differ in {len(found)} statements; "
              f"{sum(len(w) for _, p in left for w in p.values())} without a reason in {len(left)} statements")
    print(f"{time.time() - start:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
