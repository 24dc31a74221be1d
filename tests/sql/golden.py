#!/usr/bin/env python3
"""Golden SQL tests: golden/<topic>.sql with the expected answers in golden/<topic>.result.

    tests/sql/golden.py [--update] [--peer | --mysql] [TOPIC ...]

Without options: every topic against Evenkeel, answers compared with the .result files. `--update` writes them. `--peer` runs the
same files against Evenkeel and MariaDB and shows every statement whose answers differ. A difference is allowed only where the file
says why; a mark on a statement that does not differ is an error too. `--mysql` does the same with a real MySQL (scripts/mysql-peer.sh), whose texts of errors
and warnings are compared too; it is newer than 8.4, so a `mysql` mark says what changed since, or what is missing here.

A .sql file holds statements ended by `;` at the end of a line, `-- ` comments, and directives on lines of their own:

    --! on NAME            the following statements go to connection NAME (made when first named; the first is "a");
                           `on NAME as USER`: it logs in as USER, whose password is 'p', without a database
    --! close              ends the present connection
    --! sorted             the next statement's rows are compared as a set
    --! types              ... its columns are shown with type, unsigned flag, decimals
    --! names off | on     column names are not shown (for long expressions)
    --! binary JSON-LIST   ... it is prepared and executed in the binary protocol with these parameters (several lists: several runs)
    --! async              ... it is sent and its answer is read by the next `--! reap` on the same connection
    --! reap               reads the answer
    --! gone NAME          waits until the server has forgotten the connection, which was closed or killed
    --! sleep SECONDS      not for what must have happened by then: that an async statement waits for its lock is waited for
    --! differs REASON     ... MariaDB answers something else, and why Evenkeel (MySQL 8.4's manual) is right
    --! mysql REASON       ... the newer MySQL answers something else (`skip: REASON`: it is not sent there at all)
    --! ours REASON        all statements up to `--! end` differ or may differ from MariaDB (`skip: REASON`: they are not sent there at all,
                           as it may end of them: programs_handlers kills MariaDB 10.11)
    --! end

An answer: the column names, rows (tab between values, NULL as \\N, binary as 0x..), `OK n` for changed rows with the info text; then warnings as
`W level code text`; an error is `E code sqlstate text`. Texts of warnings and errors are not compared with MariaDB's.
Every file starts on an empty database `test` with MySQL 8.4's default sql_mode and utf8mb4_general_ci.
"""
import argparse
import difflib
import json
import pathlib
import re
import sys
import threading
import time

import pymysql

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))
import binary  # noqa: E402
from lib.servers import MariaDB, MySQL, Server  # noqa: E402
from lib.wait import PATIENCE, until, waiting  # noqa: E402

MODE = "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"
TYPES = {0: "DECIMAL", 1: "TINYINT", 2: "SMALLINT", 3: "INT", 4: "FLOAT", 5: "DOUBLE", 6: "NULL", 7: "TIMESTAMP", 8: "BIGINT", 9: "MEDIUMINT",
         10: "DATE", 11: "TIME", 12: "DATETIME", 13: "YEAR", 16: "BIT", 245: "JSON", 246: "DECIMAL", 247: "ENUM", 248: "SET", 249: "TINYTEXT",
         250: "MEDIUMTEXT", 251: "LONGTEXT", 252: "TEXT", 253: "VARCHAR", 254: "CHAR"}


class Step:
    """One statement or directive of a file."""

    def __init__(self, kind, text, line):
        self.kind, self.text, self.line = kind, text, line
        self.marks = {}
        self.differs = None
        self.mysql = None


def parse(path):
    steps, buffer, marks, area, start = [], [], {}, None, 0
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not buffer and line.startswith("--!"):
            word, _, rest = line[3:].strip().partition(" ")
            if word in ("on", "close", "reap", "sleep", "gone", "names"):
                steps.append(Step(word, rest.strip(), number))
                if word == "reap":
                    steps[-1].differs, steps[-1].mysql = marks.pop("differs", None) or area, marks.pop("mysql", None)
            elif word == "ours":
                area = rest.strip()
                assert area, f"{path.name}:{number}: a reason is needed"
            elif word == "end":
                area = None
            elif word in ("sorted", "types", "binary", "async", "differs", "mysql"):
                assert rest or word in ("sorted", "types", "async"), f"{path.name}:{number}: an argument is needed"
                marks.setdefault("binary", []).append(rest) if word == "binary" else marks.__setitem__(word, rest or True)
            else:
                raise ValueError(f"{path.name}:{number}: unknown directive {word}")
            continue
        if not buffer and (not line.strip() or line.startswith("--")):
            continue
        if not buffer:
            start = number
        buffer.append(line)
        if line.rstrip().endswith(";"):
            step = Step("sql", "\n".join(buffer).rstrip()[:-1], start)
            step.marks, step.differs = marks, marks.pop("differs", None) or area
            step.area, step.mysql = area is not None, marks.pop("mysql", None)
            steps.append(step)
            buffer, marks = [], {}
    assert not buffer, f"{path.name}: unfinished statement at the end"
    return steps


def show(value):
    if value is None:
        return "\\N"
    if isinstance(value, str):
        value = value.encode()
    try:
        text = value.decode("utf8")
    except UnicodeDecodeError:
        return "0x" + value.hex().upper()
    if any(ord(c) < 32 or ord(c) == 127 for c in text.replace("\n", "").replace("\t", "")):
        return "0x" + value.hex().upper()
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


class Run:
    """One file on one server."""

    def __init__(self, server, steps):
        self.server, self.steps = server, steps
        self.conns, self.ids, self.users, self.current, self.waiting, self.names = {}, {}, {}, "a", {}, True

    def conn(self):
        if self.current not in self.conns:
            user = self.users.get(self.current, "root")
            who = {"database": "test"} if user == "root" else {"user": user, "password": "p"}
            c = self.server.connect(conv={}, use_unicode=False, **who)
            # MySQL rounds fractions of seconds; MariaDB does so only in this mode
            mode = MODE + (",TIME_ROUND_FRACTIONAL" if self.server.name == "mariadb" else "")
            self.quiet(c, f"SET sql_mode='{mode}'", "SET NAMES utf8mb4 COLLATE utf8mb4_general_ci", "SET time_zone='+00:00'")
            if self.server.name == "mysql":
                self.quiet(c, "SET explain_format=TRADITIONAL")
            if self.server.name == "mariadb":  # where it waits for a lock and we do not, the file says so: 50 s would be lost
                self.quiet(c, "SET innodb_lock_wait_timeout=4, lock_wait_timeout=30")
            self.conns[self.current] = c
            self.ids[self.current] = c.thread_id()
        return self.conns[self.current]

    @staticmethod
    def quiet(c, *statements):
        for s in statements:
            with c.cursor() as cur:
                cur.execute(s)

    def fresh(self):
        with self.server.connect() as c:
            if self.server.name == "mariadb":
                self.quiet(c, f"SET GLOBAL sql_mode='{MODE},TIME_ROUND_FRACTIONAL'")
            with c.cursor() as cur:  # what another file left prepared holds locks
                cur.execute("XA RECOVER")
                for form, g, b, data in cur.fetchall():
                    data = data.encode() if isinstance(data, str) else data
                    self.quiet(c, f"XA ROLLBACK x'{data[:g].hex()}', x'{data[g:g + b].hex()}', {form}")
            self.quiet(c, "DROP DATABASE IF EXISTS test", "CREATE DATABASE test CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci")

    def warnings(self, c):
        with c.cursor() as cur:
            cur.execute("SHOW WARNINGS")
            return [f"W {show(l)} {show(n)} {show(t)}" for l, n, t in cur.fetchall()]

    def table(self, fields, rows, marks):
        out = []
        if marks.get("types"):
            out.append("\t".join(f"{show(f.name if isinstance(f.name, (str, bytes)) else str(f.name))}:"
                                 f"{TYPES.get(f.type_code, f.type_code)}{' UNSIGNED' if f.flags & 32 else ''}"
                                 f"{'' if f.type_code > 248 else f',{f.scale}'}" for f in fields))
        elif self.names:
            out.append("\t".join(show(f.name) for f in fields))
        lines = ["\t".join(show(v) for v in r) for r in rows]
        return out + (sorted(lines) if marks.get("sorted") else lines) + [f"({len(rows)} row{'s' if len(rows) != 1 else ''})"]

    def one(self, c, sql, marks):
        """Lines of the answer."""
        try:
            out = []
            if "binary" in marks:
                stmt, _ = binary.prepare(c, sql)
                for text in marks["binary"]:
                    binary.execute(c, stmt, json.loads(text))
                    fields, rows, affected = binary.read_result(c)
                    out += self.table(fields, rows, marks) if fields else [f"OK {affected}"]
                binary.close(c, stmt)
                return out
            with c.cursor() as cur:
                cur.execute(sql)
                r = cur._result
                if r.description is not None:
                    out = self.table(r.fields, cur.fetchall(), marks)
                else:
                    info = r.message or b""
                    info = info.encode() if isinstance(info, str) else info
                    info = show(info[1:] if info and info[0] == len(info) - 1 else info)  # the length is left in by PyMySQL
                    out = [f"OK {r.affected_rows}" + (f" [{info}]" if info else "")]
                while cur.nextset():
                    out += ["--"] + self.table(cur._result.fields, cur.fetchall(), marks) if cur.description else [f"OK {cur._result.affected_rows}"]
            if r.warning_count:
                out += self.warnings(c)
            return out
        except pymysql.err.MySQLError as e:
            code = e.args[0] if e.args else 0
            return [f"E {code} {self.sqlstate(c)} {show(str(e.args[1]) if len(e.args) > 1 else '')}"]

    @staticmethod
    def sqlstate(c):
        """PyMySQL does not keep the SQLSTATE: it is caught where the error packet is read (see `watch`)."""
        return getattr(c, "last_state", "?????")

    def answers(self):
        self.fresh()
        try:
            return [(s, self.step(s)) for s in self.steps]
        finally:  # what stays open may hold locks, for which the next file would wait
            for c in self.conns.values():
                if c.open:
                    c.close()

    def step(self, s):
        if s.kind == "on":
            self.current, _, user = s.text.partition(" as ")
            self.users.setdefault(self.current, user or "root")
            return []
        if s.kind == "names":
            self.names = s.text != "off"
            return []
        if s.kind == "sleep":
            time.sleep(float(s.text))
            return []
        if s.kind == "gone":
            until(lambda: not self.server.query(f"SELECT 1 FROM information_schema.processlist WHERE id = {self.ids[s.text]}"))
            return []
        if s.kind == "close":
            if connection := self.conns.pop(self.current, None):  # who is asked nothing has not connected
                connection.close()
            return []
        if s.kind == "reap":
            if self.skips(s):
                return ["(skipped)"]
            thread, box = self.waiting.pop(self.current)
            thread.join(PATIENCE)
            assert not thread.is_alive(), f"line {s.line}: no answer after {PATIENCE} s"
            return box
        if self.skips(s):
            return ["(skipped)"]
        c = self.conn()
        if "async" in s.marks:
            box = []
            thread = threading.Thread(target=lambda: box.extend(self.one(c, s.text, s.marks)), daemon=True)
            thread.start()
            self.waiting[self.current] = (thread, box)
            self.settled(c, box)
            return ["(sent)"]
        return self.one(c, s.text, s.marks)


    def skips(self, s):
        """Whether the file says that this server is not sent the statement."""
        reason = {"mysql": s.mysql, "mariadb": s.differs}.get(self.server.name)
        return (reason or "").startswith("skip: ")

    def settled(self, c, box):
        """Waits until the statement that was sent has its answer or waits for a lock; what does neither (SLEEP) is given a moment."""
        time.sleep(0.15)
        end = time.monotonic() + 2
        while self.server.name != "mariadb" and not box and time.monotonic() < end and not waiting(self.server, c):
            time.sleep(0.05)


def watch():
    """Keeps the SQLSTATE of the last error packet on the connection."""

    raise_for_error = pymysql.protocol.MysqlPacket.raise_for_error
    state = threading.local()

    def keep(self):
        data = self._data
        state.value = data[4:9].decode("ascii", "replace") if data[3:4] == b"#" else "HY000"
        raise_for_error(self)

    pymysql.protocol.MysqlPacket.raise_for_error = keep
    Run.sqlstate = staticmethod(lambda c: getattr(state, "value", "?????"))


watch()


def render(answers):
    out = []
    for s, lines in answers:
        if s.kind == "sql":
            out += [f"> {l}" if i == 0 else f". {l}" for i, l in enumerate(s.text.splitlines())]
        elif s.kind in ("on", "close", "reap"):
            out.append(f"!{s.kind} {s.text}".rstrip())
        out += lines + ([""] if s.kind in ("sql", "reap") else [])
    return "\n".join(out) + "\n"


# deprecations that MariaDB does not know
DEPRECATED = re.compile(r"W Warning (?:1287|1681|3090|3135|3719|3720|3778|4079) ")


def without_texts(lines):
    """An answer without the texts of errors and warnings, and without what only MySQL calls deprecated."""
    left = [l for l in lines if not DEPRECATED.match(l)]
    gone = len(lines) - len(left)
    lines = [re.sub(r"(?<=  Warnings: )\d+", lambda m: str(int(m[0]) - gone), l) if gone and l.startswith("OK ") else l for l in left]
    return [re.sub(r"^(E \d+ \w+) .*", r"\1", re.sub(r"^(W \w+ \d+) .*", r"\1", l)).replace("E 1366 22007", "E 1366 HY000") for l in lines]


def compare(topic, ours, theirs, peer="mariadb"):
    """Differences from the peer that the file does not explain, and explanations of nothing."""
    mysql, problems = peer == "mysql", []
    plain = list if mysql else without_texts
    for (s, a), (_, b) in zip(ours, theirs):
        if s.kind not in ("sql", "reap"):
            continue
        same, reason = plain(a) == plain(b), s.mysql if mysql else s.differs
        if same and reason and (mysql or not getattr(s, "area", False)):
            problems.append(f"{topic}.sql:{s.line}: marked as different ({reason}), but equal\n  {s.text}")
        elif not same and not reason:
            d = "\n".join("    " + l for l in list(difflib.unified_diff(plain(b), plain(a), peer, "evenkeel", lineterm="", n=0))[:30])
            problems.append(f"{topic}.sql:{s.line}: {s.text}\n{d}\n" + "\n".join("    ours: " + l for l in a if l[:2] in ("E ", "W ")))
    return problems


def topics(names=()):
    return [p for p in sorted((HERE / "golden").glob("*.sql")) if not names or p.stem in names]


def check(path, answers):
    """Unified diff between the expected and the actual answers, empty if equal."""
    want = path.with_suffix(".result")
    have = render(answers)
    expected = want.read_text() if want.exists() else ""
    return "\n".join(difflib.unified_diff(expected.splitlines(), have.splitlines(), want.name, "evenkeel", lineterm=""))


def main():
    a = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    a.add_argument("--update", action="store_true")
    a.add_argument("--peer", action="store_true", help="compare with MariaDB")
    a.add_argument("--mysql", action="store_true", help="compare with MySQL")
    a.add_argument("topics", nargs="*")
    a = a.parse_args()
    server = Server().start()
    peer = MySQL().start() if a.mysql else MariaDB().start() if a.peer else None
    bad = total = 0
    try:
        for path in topics(a.topics):
            steps = parse(path)
            count = sum(s.kind == "sql" for s in steps)
            total += count
            ours = Run(server, steps).answers()
            if a.update:
                path.with_suffix(".result").write_text(render(ours))
            problems = [] if a.update else [d for d in [check(path, ours)] if d and not peer]
            if peer:
                problems += compare(path.stem, ours, Run(peer, steps).answers(), peer.name)
            bad += len(problems)
            print(f"{path.stem}: {count} statements, {len(problems)} problems")
            for p in problems:
                print(p)
    finally:
        server.stop()
        if peer:
            peer.stop()
            peer.remove()
        server.remove()
    print(f"{total} statements, {bad} problems")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
