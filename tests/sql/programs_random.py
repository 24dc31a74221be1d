#!/usr/bin/env python3
"""Random stored programs beside a real MySQL: result sets, errors, warnings, variables and rows must be the same.

    tests/sql/programs_random.py [--seed N] [--worlds N] [--keep DIR] [--record]

A *world* is one schema: tables with foreign keys, functions, triggers and procedures that call each other, and some
thirty statements that use them; it follows from its seed alone (`World`). Programs have nested blocks with variables,
conditions, cursors and handlers, loops with labels, SIGNAL, RESIGNAL and GET DIAGNOSTICS, changes of tables that may
fail, transactions and dynamic SQL. Loops count, so every program ends.

Without `--record` the worlds run on Evenkeel and on the MySQL of scripts/mysql-peer.sh; a world that differs is printed
up to the first difference and left in DIR as a script (`SEED.sql`). `--record` writes MySQL's answers to the first worlds
that both servers answer alike, some five hundred programs, as one hash for each statement, to programs_random.answers:
test_programs_random.py compares ours with them. (The others are known differences, docs/compat/different.md.)

What the two servers are known to do otherwise is kept out, as narrowly as it goes:

* A statement that fails in a function or trigger is undone here, and half done in MySQL. MySQL gets each of them with a
  savepoint around it (`UNDONE`); procedures that triggers call are there twice, the second time so. How many rows a
  statement has changed is not asked there.
* MySQL counts cursors of a handler's body from the block that declares the handler: OPEN takes another one if the
  condition came up in a block with cursors of its own. Bodies of handlers declare none.
* Cursors of a block that an EXIT handler further out has left still count in MySQL: OPEN behind it takes another one.
  Blocks inside of one with such a handler declare none.
* Behind a FETCH that could not store its values MySQL's next FETCH goes on by two rows. Values are fetched into text
  with room for all of them.
* Functions in conditions of queries and changes are called as often as the access path wants: none stand there.
* The operator <=> calls a function among its operands once more when one of them is NULL, and IN once for each kind of
  number in its list.
* Where ROW_COUNT() is a member of IN's list MySQL keeps its value from the first run of the statement: none is there.
* A division by zero in the bound of a range or of a look-up in an index is a warning where the same condition, asked of
  rows, is an error: conditions of queries and changes do not divide.
* Behind a function that has failed as the left operand of DIV (and of no other operator) MySQL begins the one of its right
  operand all the same, if that has no arguments, and both errors are there: DIV has functions on one side.
* What fails (a function, a subquery, a division) is NULL for the column that waits, and beside its error stands that a
  NOT NULL column cannot be that (1048), which GET DIAGNOSTICS counts: what is computed for a column is never NULL.
* A constant length of LEFT is evaluated once more when the statement is resolved, also beside NULL: lengths do not divide.
* Which row of several SELECT ... INTO takes is the access path's choice: such queries are ordered.
* INSERT IGNORE reads a subquery that asks for nothing outside of it before its IGNORE begins: 1242 is an error there (the
  manual has it among those that IGNORE makes warnings of). Such subqueries find one row at most.
* COALESCE, IFNULL, GREATEST and products of 0 have no digits behind the point in MySQL where they are kept in a user
  variable or in text, although they are shown with some (`SET @x = COALESCE(1, 1.5)` is 1, `SELECT COALESCE(1, 1.5)` is
  1.0): zeros at the end of a value are not compared.
* A user variable in a statement of a program has for MySQL the type that it had when that first ran (manual, "Prepared
  Statements"), now and then another one; here it has its value's type at each run. Programs read them as `@a + 0e0` and
  `CONCAT(@b, '')`, and lend them to INOUT parameters only where they have no variable.
* ON DUPLICATE KEY UPDATE that leaves NULL in a column with a DEFAULT counts as a change in MySQL (it compares the bytes
  under the NULL): no NULL is assigned there.
* UPDATE writes a row back that a function in its SET has just deleted through a foreign key, as an orphan: functions
  stand in changes of the table that no foreign key deletes from.
* A savepoint in a function or trigger makes MySQL keep what it wrote if the statement that called it fails afterwards,
  so the frames have a price. They do not catch 1265, an error with a warning's SQLSTATE: where a handler further out
  does (world 3468), what the statement did before stays in MySQL. A world that differs is run without them, too: where
  the first different answer is that of MySQL without frames the world is counted apart.
* MySQL 9 rounds each quotient to the digits that it shows; quotients are rounded.
"""
import argparse
import hashlib
import pathlib
import random
import re
import signal
import sys
import time

import pymysql

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from lib.servers import MySQL, Server  # noqa: E402

ANSWERS = HERE / "programs_random.answers"
CI_PROGRAMS = 500
TABLES = ["p", "c", "g"]
TYPES = [("INT", "n"), ("INT", "n"), ("BIGINT", "n"), ("TINYINT", "n"), ("INT UNSIGNED", "n"), ("DECIMAL(6,2)", "n"), ("VARCHAR(12)", "s"), ("VARCHAR(60)", "s"), ("CHAR(4)", "s")]
STATES = ["45000", "45001", "23000", "02000", "01000", "22012", "42S02", "HY000"]
ERRORS = ["1062", "1048", "1264", "1329", "1406", "1452", "1451", "1365", "1242", "1172", "1690", "1366", "1339", "1644"]
SETUP = """CREATE TABLE p (id INT PRIMARY KEY, n INT NOT NULL, s VARCHAR(10), u TINYINT UNSIGNED, UNIQUE KEY (u))
CREATE TABLE c (id INT PRIMARY KEY AUTO_INCREMENT, p INT, n INT DEFAULT 7, s VARCHAR(10), CONSTRAINT c_p FOREIGN KEY (p) REFERENCES p (id) ON DELETE {0} ON UPDATE {1})
CREATE TABLE g (id INT PRIMARY KEY, c INT, n DECIMAL(6,2) CHECK (n < 500), s VARCHAR(10) NOT NULL DEFAULT 'd', CONSTRAINT g_c FOREIGN KEY (c) REFERENCES c (id) ON DELETE {2})
CREATE TABLE log (id INT PRIMARY KEY AUTO_INCREMENT, txt VARCHAR(200))
INSERT INTO p VALUES (1, 10, 'one', 1), (2, 20, 'two', 2), (3, 30, NULL, 3), (5, -5, 'five', NULL)
INSERT INTO c VALUES (1, 1, 11, 'a'), (2, 1, 12, 'b'), (3, 2, NULL, 'c'), (4, NULL, 14, NULL)
INSERT INTO g VALUES (1, 1, 1.5, 'x'), (2, 2, 2.25, 'y'), (3, NULL, NULL, 'z')""".split("\n")

# what MySQL runs around a statement (between the marks) of a function or trigger, so that one that fails is undone
MARK, END = "\x01", "\x02"
UNDONE = "BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION{0} BEGIN ROLLBACK TO SAVEPOINT back; RESIGNAL; END; SAVEPOINT back; {1}; END"
# divisions, and calls of functions
DIVISION, CALLS = re.compile(r"(?<= )(?:/|DIV|%)(?= )"), re.compile(r"\bf\d+\(")
# what such a frame would change the value of
SEEN = re.compile(r"@@warning_count")


def marked(statement, kind):
    return statement if kind == "client" or SEEN.search(statement) else f"{MARK}{statement}{END}"


def framed(text):
    """A program's text with the marked statements in their frames, and calls of the procedures that are so, too."""
    not_found = lambda m: "" if m[1].startswith("SELECT") else ", NOT FOUND"
    text = re.sub(f"{MARK}([^{MARK}{END}]*){END}", lambda m: UNDONE.format(not_found(m), m[1]), text)
    return re.sub(r"\bCALL (q\d+)\(", r"CALL \1n(", text)


def plain_text(text):
    return text.replace(MARK, "").replace(END, "")


def undivided(number):
    return DIVISION.sub(lambda m: {"/": "*", "DIV": "+", "%": "-"}[m[0]], number)


class Scope:
    """What a place in a program knows."""

    def __init__(self, outer=None):
        self.variables = list(outer.variables) if outer else []
        self.assignable = list(outer.assignable) if outer else []
        self.conditions = list(outer.conditions) if outer else []
        self.cursors = list(outer.cursors) if outer else []
        self.labels = list(outer.labels) if outer else []
        self.loops = list(outer.loops) if outer else []
        self.handler = outer.handler if outer else False
        self.exits = outer.exits if outer else False


class World:
    """One seed: `statements`, those that MySQL runs in their place (`oracle`: a list for each), and how many programs
    they make."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.n, self.programs = 0, 0
        self.functions, self.procedures = [], []
        self.kind, self.used, self.nested = "", set(), False
        self.silent = False
        self.statements = ["DROP DATABASE IF EXISTS rp", "CREATE DATABASE rp", "USE rp", "SET max_sp_recursion_depth = 2, @a = 1, @b = 'b', @c = NULL"]
        actions = ["CASCADE", "RESTRICT", "SET NULL", "NO ACTION"]
        foreign = [self.r.choice(actions), self.r.choice(actions), self.r.choice(actions)]
        self.statements += [s.format(*foreign) for s in SETUP]
        for _ in range(self.r.choice([2, 3, 4])):
            self.function()
        if self.chance(0.4):
            # one that triggers may call
            self.nested = True
            self.procedure()
            self.nested = False
        for _ in range(self.r.choice([1, 2, 3, 5])):
            self.trigger()
        for _ in range(self.r.choice([3, 4, 5])):
            self.procedure()
        for _ in range(14):
            self.use()
        self.oracle = [list(self.of_oracle(s)) for s in self.statements]
        self.statements = [plain_text(s) for s in self.statements]

    @staticmethod
    def of_oracle(statement):
        """What MySQL runs; the answer is the last one's."""
        if statement.startswith("CREATE PROCEDURE"):
            yield re.sub(r"^CREATE PROCEDURE (q\d+)", r"CREATE PROCEDURE \1n", framed(statement))
            yield plain_text(statement)
        else:
            yield framed(statement) if statement.startswith(("CREATE FUNCTION", "CREATE TRIGGER")) else statement

    # --- names and expressions

    def name(self, prefix):
        self.n += 1
        return f"{prefix}{self.n}"

    def chance(self, x):
        return self.r.random() < x

    def pick(self, *choices):
        return self.r.choice(choices)

    def variable(self, scope, kind=None, assignable=False):
        some = [v for v in (scope.assignable if assignable else scope.variables) if kind in (None, v[1])]
        return self.r.choice(some)[0] if some else None

    def number(self, scope, depth=0):
        r = self.r
        x = r.random()
        v = self.variable(scope, "n")
        if x < 0.35 and v:
            return v
        if x < 0.6 or depth > 2:
            return self.pick("0", "1", "2", "3", "5", "7", "-1", "10", "127", "128", "300", "1.5", "NULL")
        a, b = self.number(scope, depth + 1), self.number(scope, depth + 1)
        if x < 0.72:
            return f"({a} {self.pick('+', '-', '*')} {b})"
        if x < 0.75:
            divisor = 3 if CALLS.search(a) and CALLS.search(b) else b
            return self.pick(f"ROUND({a} / {b}, 2)", f"({a} DIV {divisor})", f"({a} % {b})")
        if x < 0.79:
            return f"COALESCE({a}, {b})"
        if x < 0.83:
            return f"IF({self.truth(scope, depth + 1)}, {a}, {b})"
        if x < 0.86:
            return f"(SELECT {self.pick('MAX', 'MIN', 'COUNT')}({self.pick('id', 'n')}) FROM {self.table()})"
        if x < 0.88:
            return f"(SELECT n FROM {self.table()} WHERE id {self.pick('=', '=', '<')} {self.quiet(scope, depth + 1)})"
        if x < 0.91:
            variable = "@a" if self.kind == "client" else "(@a + 0e0)"
            return self.pick(self.rows("ROW_COUNT()", "LAST_INSERT_ID()"), "LAST_INSERT_ID()", variable, "@@warning_count", f"LENGTH({self.text(scope, depth + 1)})")
        f = [f for f in self.functions if f[2] == "n"]
        return self.call(r.choice(f), scope, depth) if f and not self.silent else a

    def rows(self, this, that):
        """`this` where the number of rows is not one of a frame (`UNDONE`)."""
        return this if self.kind in ("procedure", "client") and not self.nested else that

    def text(self, scope, depth=0):
        x = self.r.random()
        v = self.variable(scope, "s")
        if x < 0.35 and v:
            return v
        if x < 0.6 or depth > 2:
            return self.pick("'x'", "''", "'abc'", "'a longer text'", "'12'", "'7x'", "NULL", "'zz'")
        a = self.text(scope, depth + 1)
        if x < 0.75:
            return f"CONCAT({a}, {self.pick(self.text(scope, depth + 1), self.number(scope, depth + 1))})"
        if x < 0.82:
            return f"LEFT({a}, {undivided(self.number(scope, depth + 1))})"
        if x < 0.86:
            return f"COALESCE({a}, 'null')"
        if x < 0.9:
            return f"(SELECT s FROM {self.table()} WHERE id = {self.quiet(scope, depth + 1)})"
        if x < 0.93:
            return "@b" if self.kind == "client" else "CONCAT(@b, '')"
        f = [f for f in self.functions if f[2] == "s"]
        return self.call(self.r.choice(f), scope, depth) if f and not self.silent else f"UPPER({a})"

    def quiet(self, scope, depth=0):
        """A number for the condition of a query or change: without functions, which are called as often as the access
        path wants."""
        before, self.silent = self.silent, True
        n = self.number(scope, depth)
        self.silent = before
        return undivided(n)

    def any(self, scope):
        return self.pick(self.number, self.number, self.text)(scope)

    def of(self, scope, kind):
        if self.chance(0.07):
            kind = "s" if kind == "n" else "n"
        return self.number(scope) if kind == "n" else self.text(scope)

    def truth(self, scope, depth=0):
        a, b = self.number(scope, depth + 1), self.number(scope, depth + 1)
        x = self.r.random()
        if x < 0.7:
            op = self.pick('=', '<', '>', '<>', '<=>', '>=')
            return f"{a} {'=' if op == '<=>' and CALLS.search(f'{a} {b}') else op} {b}"
        if x < 0.8:
            return f"{self.text(scope, depth + 1)} IS {self.pick('', 'NOT ')}NULL"
        if x < 0.9:
            return f"EXISTS (SELECT 1 FROM {self.table()} WHERE id = {self.quiet(scope, depth + 1)})"
        return f"{a} IN ({3 if CALLS.search(a) or 'ROW_COUNT' in b else b}, 1, 2)"

    def table(self):
        return self.r.choice(TABLES)

    def call(self, f, scope, depth):
        name, parameters, _ = f
        return f"{name}({', '.join(self.number(scope, depth + 1) if k == 'n' else self.text(scope, depth + 1) for k in parameters)})"

    # --- statements

    def change(self, scope):
        """A change of a table."""
        t = self.table() if self.kind != "trigger" else self.r.choice([x for x in TABLES if x not in self.used] or ["log"])
        if t == "log" or self.chance(0.3):
            return f"INSERT INTO log (txt) VALUES (CONCAT('{self.name('l')}:', COALESCE({self.any(scope)}, 'null')))"
        n, s = self.number(scope), self.text(scope)
        n, s = f"COALESCE({n}, 3)" if "(" in n else n, f"COALESCE({s}, 'null')" if "(" in s else s
        key = self.pick("1", "2", "3", "4", "5", "6", "7", "9", self.quiet(scope))
        columns = {"p": ("id, n, s, u", [key, n, s, self.pick("NULL", "4", "8", self.number(scope))]), "c": ("id, p, n, s", [key, self.pick("1", "2", "3", "9", "NULL"), n, s]), "g": ("id, c, n, s", [key, self.pick("1", "2", "3", "9", "NULL"), n, s])}[t]
        x = self.r.random()
        if x < 0.4:
            verb = self.pick("INSERT INTO", "INSERT INTO", "INSERT IGNORE INTO", "REPLACE INTO")
            if verb == "INSERT IGNORE INTO":
                n, s, key = (x.replace(" WHERE id < ", " WHERE id = ") for x in (n, s, key))
                columns[1][:] = [x.replace(" WHERE id < ", " WHERE id = ") for x in columns[1]]
            twice = f", ({key} + 1, {', '.join(columns[1][1:])})" if self.chance(0.15) else ""
            other = self.pick("n + 1", n)
            other = f"COALESCE({other}, 3)" if t == "c" else other
            extra = f" ON DUPLICATE KEY UPDATE n = {other}" if verb == "INSERT INTO" and self.chance(0.25) else ""
            return f"{verb} {t} ({columns[0]}) VALUES ({', '.join(columns[1])}){twice}{extra}"
        if x < 0.75:
            what = self.pick(f"n = {n}", f"s = {s}", "n = n + 1", f"n = {n}, s = {s}", f"id = id + {self.pick('0', '10', '1')}")
            if CALLS.search(what) and t != "p":
                return f"UPDATE p SET {what} WHERE id = {key}" if self.kind != "trigger" or "p" not in self.used else f"DELETE FROM {t} WHERE id = {key}"
            return f"UPDATE {t} SET {what} WHERE id {self.pick('=', '=', '=', '>')} {key}"
        if x < 0.95:
            return f"DELETE FROM {t} WHERE id = {key}"
        return f"INSERT INTO g (id, c, n) SELECT id + 20, NULL, n FROM {self.pick('p', 'c')} WHERE id < {self.pick('2', '3')}"

    def signal(self, scope, again=False):
        word = "RESIGNAL" if again else "SIGNAL"
        what = "" if again and self.chance(0.5) else self.pick(f" SQLSTATE '{self.pick(*STATES)}'", *(f" {c}" for c in scope.conditions))
        items = []
        if self.chance(0.5):
            v = self.variable(scope)
            items.append("MESSAGE_TEXT = " + (v if v and self.chance(0.5) else f"'m{self.n}'"))
        if self.chance(0.3):
            items.append(f"MYSQL_ERRNO = {self.pick('5000', '1062', '1329', '30001')}")
        if self.chance(0.1):
            items.append(f"{self.pick('CLASS_ORIGIN', 'TABLE_NAME', 'CONSTRAINT_NAME', 'CURSOR_NAME')} = 'it'")
        return word + what + (" SET " + ", ".join(items) if items else "")

    def diagnostics(self, scope):
        which = self.pick("", "CURRENT ", "STACKED " if scope.handler or self.chance(0.1) else "")
        n, s = self.variable(scope, "n", True), self.variable(scope, "s", True)
        if self.chance(0.4) or not s:
            return f"GET {which}DIAGNOSTICS {n or '@a'} = NUMBER" + self.rows(", @rc = ROW_COUNT", "")
        items = [f"{s} = {self.pick('RETURNED_SQLSTATE', 'MESSAGE_TEXT', 'CLASS_ORIGIN')}", f"@b = {self.pick('MESSAGE_TEXT', 'RETURNED_SQLSTATE', 'SUBCLASS_ORIGIN', 'TABLE_NAME')}", f"@a = MYSQL_ERRNO"]
        return f"GET {which}DIAGNOSTICS CONDITION {self.pick('1', '1', '2')} " + ", ".join(items[:self.pick(1, 2, 3)])

    def statement(self, scope, depth):
        r = self.r
        x = r.random()
        if x < 0.16:
            v = self.r.choice(scope.assignable) if scope.assignable else None
            if v is None or self.chance(0.25):
                return f"SET {self.pick('@a', '@b', '@c')} = {self.any(scope)}"
            return f"SET {v[0]} = {self.of(scope, v[1])}"
        if x < 0.22:
            v = self.variable(scope, None, True)
            if v:
                return marked(self.pick(f"SELECT {self.any(scope)} INTO {v}", f"SELECT {self.pick('n', 's', 'id')} INTO {v} FROM {self.table()} WHERE id {self.pick('=', '=', '<')} {self.quiet(scope)} ORDER BY id"), self.kind)
        if x < 0.45:
            return marked(self.change(scope), self.kind)
        if x < 0.5 and self.kind == "procedure":
            return self.pick(f"SELECT {self.any(scope)} AS x, {self.any(scope)} AS y", f"SELECT id, n, s FROM {self.table()} ORDER BY id", "SHOW WARNINGS")
        if x < 0.56 and (scope.handler or self.chance(0.35)):
            return self.signal(scope, scope.handler and self.chance(0.6) or self.chance(0.1))
        if x < 0.61:
            return self.diagnostics(scope)
        if x < 0.64 and scope.cursors:
            cursor, width = r.choice(scope.cursors)
            fetch = f"FETCH {cursor} INTO {', '.join(self.fetched(cursor, width))}"
            return self.pick(f"OPEN {cursor}", f"CLOSE {cursor}", fetch)
        if x < 0.67 and self.procedures and (self.kind == "procedure" or self.chance(0.5)):
            return self.call_procedure(scope)
        if x < 0.7 and self.kind == "procedure":
            return self.pick("START TRANSACTION", "COMMIT", "ROLLBACK", "SAVEPOINT s1", "ROLLBACK TO SAVEPOINT s1", "SET autocommit = 0", "SET autocommit = 1")
        if x < 0.72 and self.kind == "procedure":
            text = self.pick("SELECT id, s FROM p ORDER BY id", "INSERT INTO p (id, n) VALUES (?, ?)", "SELECT ? + 1, ?", "UPDATE c SET n = 1 WHERE nothing = 2", "DELETE FROM g WHERE id = 1")
            using = " USING @a, @b" if "?" in text else ""
            return f"PREPARE q FROM '{text}'; EXECUTE q{using}; DEALLOCATE PREPARE q"
        if x < 0.74:
            return f"DO {self.number(scope)}"
        if x < 0.77 and scope.labels:
            loop = [l for l in scope.loops if l in scope.labels]
            if loop and self.chance(0.4):
                return f"IF {self.truth(scope)} THEN ITERATE {r.choice(loop)}; END IF"
            return f"IF {self.truth(scope)} THEN LEAVE {r.choice(scope.labels)}; END IF"
        if x < 0.79 and self.kind == "function":
            return f"IF {self.truth(scope)} THEN RETURN {self.any(scope)}; END IF"
        if depth > 2:
            return f"SET @c = {self.any(scope)}"
        return self.pick(self.conditional, self.case, self.loop, self.block, self.block)(scope, depth)

    def list(self, scope, depth):
        return " ".join(self.statement(scope, depth) + ";" for _ in range(self.r.choice([1, 1, 2, 2, 3])))

    def conditional(self, scope, depth):
        out = f"IF {self.truth(scope)} THEN {self.list(scope, depth + 1)}"
        if self.chance(0.3):
            out += f" ELSEIF {self.truth(scope)} THEN {self.list(scope, depth + 1)}"
        if self.chance(0.5):
            out += f" ELSE {self.list(scope, depth + 1)}"
        return out + " END IF"

    def case(self, scope, depth):
        simple = self.chance(0.5)
        out = f"CASE {self.number(scope)}" if simple else "CASE"
        for _ in range(self.pick(1, 2, 3)):
            out += f" WHEN {self.number(scope) if simple else self.truth(scope)} THEN {self.list(scope, depth + 1)}"
        if self.chance(0.7):
            out += f" ELSE {self.list(scope, depth + 1)}"
        return out + " END CASE"

    def loop(self, scope, depth):
        """A loop that ends because it counts, whatever else happens in it."""
        inner, label, counter = Scope(scope), self.name("w"), self.name("i")
        inner.variables.append((counter, "n"))
        inner.labels.append(label)
        inner.loops.append(label)
        turns = self.pick("2", "3", "4")
        head = f"SET {counter} = {counter} + 1; IF {counter} > {turns} THEN LEAVE {label}; END IF;"
        body = self.list(inner, depth + 1)
        kind = self.pick(f"LOOP {head} {body} END LOOP", f"WHILE {self.pick('TRUE', self.truth(inner))} DO {head} {body} END WHILE", f"REPEAT {head} {body} UNTIL {self.truth(inner)} END REPEAT")
        return f"BEGIN DECLARE {counter} INT DEFAULT 0; {label}: {kind}; END"

    def cursor_loop(self, scope, cursor, width, done, depth):
        inner, label, counter = Scope(scope), self.name("w"), self.name("i")
        inner.labels.append(label)
        inner.loops.append(label)
        into = self.fetched(cursor, width)
        targets = [self.variable(scope, None, True) for _ in range(width)]
        sets = "".join(f" SET {v} = {x};" for v, x in zip(targets, into) if v)
        return (f"BEGIN DECLARE {counter} INT DEFAULT 0; OPEN {cursor}; {label}: LOOP SET {counter} = {counter} + 1; FETCH {cursor} INTO {', '.join(into)}; "
                f"IF {done} OR {counter} > 6 THEN LEAVE {label}; END IF;{sets} {self.list(inner, depth + 1)} END LOOP; CLOSE {cursor}; END;")

    @staticmethod
    def fetched(cursor, width):
        """Variables with room for whatever the cursor gives."""
        return [f"{cursor}_{n}" for n in range(width)]

    def handler(self, scope, done, depth):
        """Returns the declaration; a handler for several conditions now and then."""
        inner = Scope(scope)
        # a handler's body must not leave the blocks around it
        inner.handler, inner.labels, inner.loops, inner.cursors = True, [], [], []
        kind = self.pick("CONTINUE", "CONTINUE", "EXIT")
        body = self.pick(lambda: f"BEGIN {self.list(inner, depth + 1)} END", lambda: self.statement(inner, depth + 2), lambda: f"INSERT INTO log (txt) VALUES ('{self.name('h')}')",
                         lambda: f"BEGIN GET STACKED DIAGNOSTICS CONDITION 1 @b = MESSAGE_TEXT, @a = MYSQL_ERRNO; SET @c = CONCAT('{self.name('h')} ', @a, @b); END")()
        if ";" in body and not body.startswith(("BEGIN", "IF", "CASE", "w")):
            body = f"BEGIN {body}; END"
        return kind, body

    def block(self, scope, depth, locals_=None):
        """BEGIN ... END with what it declares; `locals_`: variables that are there already (parameters)."""
        inner, declared = Scope(scope), []
        label = self.name("b") if self.chance(0.4) else ""
        if label:
            inner.labels.append(label)
        for _ in range(self.pick(0, 1, 1, 2, 3)):
            ty, kind = self.r.choice(TYPES)
            v = self.pick(self.name("v"), self.name("v"), *(x[0] for x in scope.assignable[:1] if "." not in x[0])) if not locals_ else self.name("v")
            if any(d.startswith(f"DECLARE {v} ") for d in declared):
                continue
            default = f" DEFAULT {self.of(inner, kind)}" if self.chance(0.7) else ""
            declared.append(f"DECLARE {v} {ty}{default};")
            for some in (inner.variables, inner.assignable):
                some[:] = [x for x in some if x[0] != v] + [(v, kind)]
        done = self.name("done")
        cursors, variables = [], []
        if self.chance(0.3):
            declared.append(f"DECLARE {done} INT DEFAULT 0;")
        for _ in range(self.pick(0, 0, 1)):
            c = self.name("k")
            inner.conditions.append(c)
            declared.append(f"DECLARE {c} CONDITION FOR {self.pick(*(f'''SQLSTATE '{s}' ''' for s in STATES[:6]))};")
        has_done = any(d.startswith(f"DECLARE {done} ") for d in declared)
        if not inner.handler and not scope.exits and (has_done or self.chance(0.1)):
            c, width = self.name("cur"), self.pick(1, 2)
            cursors.append((c, width))
            inner.cursors.append((c, width))
            for v in self.fetched(c, width):
                inner.variables.append((v, "s"))
                variables.append(f"DECLARE {v} VARCHAR(60);")
            t = self.table()
            where = f" WHERE id {self.pick('<', '>', '<>')} {self.quiet(inner)}" if self.chance(0.5) else ""
            declared.append(f"DECLARE {c} CURSOR FOR SELECT {', '.join([self.pick('id', 'n', 's'), self.pick('n', 's', 'id + 1')][:width])} FROM {t}{where} ORDER BY id;")
        seen = set()
        if has_done:
            seen.add("NOT FOUND")
            declared.append(f"DECLARE CONTINUE HANDLER FOR NOT FOUND SET {done} = 1;")
        for _ in range(self.pick(0, 0, 1, 1, 2)):
            kind, body = self.handler(inner, done, depth)
            conditions = []
            for _ in range(self.pick(1, 1, 2)):
                c = self.pick("SQLEXCEPTION", "SQLEXCEPTION", "SQLWARNING", "NOT FOUND", self.pick(*ERRORS), f"SQLSTATE '{self.pick(*STATES[:6])}'", *inner.conditions)
                if c not in seen and not (c.startswith("SQLSTATE") and any(k in seen for k in inner.conditions)) and not (c in inner.conditions and any(k.startswith("SQLSTATE") for k in seen)):
                    seen.add(c)
                    conditions.append(c)
            if c in inner.conditions and len([k for k in seen if k in inner.conditions]) > 1:
                conditions = [k for k in conditions if k not in inner.conditions]
            if conditions:
                declared.append(f"DECLARE {kind} HANDLER FOR {', '.join(conditions)} {body};")
                inner.exits |= kind == "EXIT"
        out = " ".join(variables + declared)
        for _ in range(self.pick(1, 2, 2, 3, 4) if depth else self.pick(3, 4, 5, 6)):
            out += " " + self.statement(inner, depth + 1) + ";"
            for c, width in cursors:
                if has_done and self.chance(0.5):
                    out += " " + self.cursor_loop(inner, c, width, done, depth + 1)
        if self.kind == "function" and depth == 0:
            out += f" RETURN {self.of(inner, self.returns)};"
        return f"{label + ': ' if label else ''}BEGIN {out} END{' ' + label if label and self.chance(0.5) else ''}"

    # --- programs

    def function(self):
        self.kind, scope = "function", Scope()
        parameters = [(self.name("a"), *self.r.choice(TYPES)) for _ in range(self.pick(0, 1, 1, 2))]
        ty, self.returns = self.r.choice(TYPES)
        for name, _, kind in parameters:
            scope.variables.append((name, kind))
            scope.assignable.append((name, kind))
        name = self.name("f")
        head = f"CREATE FUNCTION {name}({', '.join(f'{n} {t}' for n, t, _ in parameters)}) RETURNS {ty} {self.pick('DETERMINISTIC', 'NO SQL', 'MODIFIES SQL DATA', '')} "
        body = f"RETURN {self.of(scope, self.returns)}" if self.chance(0.2) else self.block(scope, 0, True)
        self.statements.append(head + body)
        self.functions.append((name, [k for _, _, k in parameters], self.returns))
        self.programs += 1

    def trigger(self):
        self.kind, scope = "trigger", Scope()
        t, when, event = self.table(), self.pick("BEFORE", "AFTER"), self.pick("INSERT", "UPDATE", "DELETE")
        self.used = {t}
        columns = {"p": [("id", "n"), ("n", "n"), ("s", "s"), ("u", "n")], "c": [("id", "n"), ("p", "n"), ("n", "n"), ("s", "s")], "g": [("id", "n"), ("c", "n"), ("n", "n"), ("s", "s")]}[t]
        for row in (["NEW"] if event != "DELETE" else []) + (["OLD"] if event != "INSERT" else []):
            scope.variables += [(f"{row}.{c}", k) for c, k in columns]
        if when == "BEFORE" and event != "DELETE":
            scope.assignable += [(f"NEW.{c}", k) for c, k in columns if c in ("n", "s")]
        self.assign_new = True
        # only SET takes NEW columns: SELECT INTO, FETCH and GET DIAGNOSTICS take variables
        body = self.block(scope, 0, True)
        self.statements.append(f"CREATE TRIGGER {self.name('t')} {when} {event} ON {t} FOR EACH ROW {body}")
        self.programs += 1

    def procedure(self):
        self.kind, scope = "procedure", Scope()
        parameters = [(self.pick("IN", "IN", "OUT", "INOUT"), self.name("a"), *self.r.choice(TYPES)) for _ in range(self.pick(0, 1, 2, 3))]
        for _, name, _, kind in parameters:
            scope.variables.append((name, kind))
            scope.assignable.append((name, kind))
        name = self.name("q")
        me = (name, [(m, k) for m, _, _, k in parameters])
        if self.chance(0.2):
            self.procedures.append(me)
        self.statements.append(f"CREATE PROCEDURE {name}({', '.join(f'{m} {n} {t}' for m, n, t, _ in parameters)}) {self.block(scope, 0, True)}")
        if me not in self.procedures:
            self.procedures.append(me)
        self.programs += 1

    def call_procedure(self, scope):
        name, parameters = self.r.choice(self.procedures)
        args = []
        for mode, kind in parameters:
            v = self.variable(scope, None, True)
            if mode == "IN":
                args.append(self.of(scope, kind))
            else:
                other = self.pick("@a", "@b", "@c")
                args.append(v if v and (self.chance(0.7) or mode == "INOUT" and self.kind != "client") else other)
        return f"CALL {name}({', '.join(args)})"

    def use(self):
        """A statement of the client, and what can be seen afterwards."""
        self.kind, scope = "client", Scope()
        x = self.r.random()
        if x < 0.6:
            self.statements.append(self.call_procedure(scope))
        elif x < 0.75 and self.functions:
            f = self.call(self.r.choice(self.functions), scope, 0)
            self.statements.append(self.pick(f"SELECT {f}", f"SELECT id, {f} FROM p ORDER BY id", f"UPDATE p SET n = COALESCE({f}, 3) WHERE id = {self.pick('1', '2', '3')}", f"SELECT id, {f} > 1 FROM c ORDER BY id"))
        else:
            self.statements.append(self.change(scope))
        self.statements += ["SHOW WARNINGS", "SELECT @a, @b, @c, @rc, @@autocommit"]
        if self.chance(0.5):
            self.statements += [f"SELECT * FROM {t} ORDER BY id" for t in TABLES] + ["SELECT txt FROM log ORDER BY id"]
        if self.chance(0.25):
            self.statements += [self.pick("ROLLBACK", "COMMIT"), "SET autocommit = 1"]


# how an expression that is out of range is written; numbers of rows, which MySQL goes on counting from statements before;
# and whether a function's result is named by the function or by its call
RANGE = re.compile(r"(value is out of range in )'.*|( at row )\d+|(column 'f\d+)\(.*\)(?=')")


ZEROS = re.compile(r"(?<=\d)(\.\d*?)0+$")


def plain(v):
    v = v.decode("latin-1") if isinstance(v, bytes) else v
    if not isinstance(v, str):
        return v
    return ZEROS.sub(lambda m: m[1].rstrip("."), RANGE.sub(lambda m: m[1] or m[2] or m[3], v))


def answer(cursor, statement):
    """All results of a statement, or results up to its error."""
    out = []
    try:
        cursor.execute(statement)
        while True:
            if cursor.description:
                out.append([[d[0] for d in cursor.description], [[plain(v) for v in row] for row in cursor.fetchall()]])
            else:
                out.append(cursor.rowcount)
            if not cursor.nextset():
                break
    except pymysql.err.MySQLError as e:
        if not e.args or e.args[0] in (0, 2006, 2013):
            raise
        out.append([e.args[0], plain(e.args[1])])
    return out


def answers(server, world, frames=True):
    oracle = frames and isinstance(server, MySQL)
    with server.connect(conv={}, read_timeout=60 if oracle else 300) as c, c.cursor() as cursor:
        out = []
        for s, of_oracle in zip(world.statements, world.oracle):
            # MySQL leaves 3004 itself out of the conditions, and those of the statement before stay
            unsaid = s == "SHOW WARNINGS" and bool(out) and out[-1][-1:] and isinstance(out[-1][-1], list) and out[-1][-1][0] == 3004
            for each in of_oracle if oracle else [s]:
                said = answer(cursor, each)
            out.append([] if unsaid else said)
        cursor.execute("ROLLBACK")
        return out


def digest(a):
    return hashlib.sha1(repr(a).encode()).hexdigest()[:6]


def script(world, upto):
    lines = ["DELIMITER //"] + [s + "\n//" for some in world.oracle[:upto + 1] for s in some]
    return "\n".join(lines) + "\n"


def worlds(seed, count):
    return ((n, World(n)) for n in range(seed, seed + count))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--worlds", type=int, default=20)
    p.add_argument("--keep", type=pathlib.Path)
    p.add_argument("--record", action="store_true")
    a = p.parse_args()
    # whoever ends a long run finds no servers left behind
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    fast = ["--innodb-flush-log-at-trx-commit=0", "--skip-innodb-doublewrite"]
    mysql = MySQL(options=fast)
    mine = Server(options=["--innodb-flush-log-at-trx-commit=0"])
    try:
        mysql.start()
        mine.start()
        return record(mine, mysql) if a.record else compare(a, mine, mysql)
    finally:
        for s in (mysql, mine):
            s.remove()


def record(mine, mysql):
    lines, programs = [], 0
    for n, w in worlds(1, 1000):
        try:
            theirs = answers(mysql, w)
        except AssertionError:
            # rows of MySQL's that break off
            continue
        if theirs == answers(mine, w):
            programs += w.programs
            lines.append(f"{n} {' '.join(digest(x) for x in theirs)}")
        if programs >= CI_PROGRAMS:
            break
    ANSWERS.write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} worlds of {n}, {programs} programs")
    return 0


def compare(a, mine, mysql):
    different, broken, programs, frames, began = 0, 0, 0, [], time.time()
    for n, w in worlds(a.seed, a.worlds):
        if n > a.seed and n % 100 == 0:
            print(f"up to {n}: {programs} programs, {different} worlds differ, {time.time() - began:.0f} s", flush=True)
        try:
            theirs = answers(mysql, w)
        except (AssertionError, pymysql.err.OperationalError) as e:
            # MySQL ends a result behind half a row, or in the middle of one: who reads waits for the rest
            if isinstance(e, pymysql.err.OperationalError) and not (e.args[0] == 2013 and mysql.alive()):
                raise
            broken += 1
            continue
        try:
            ours = answers(mine, w)
        except pymysql.err.MySQLError as e:
            ours = [str(e)]
            if not mine.alive():
                print("SERVER DIED", mine.log_tail())
                return 1
        programs += w.programs
        bad = next((i for i, t in enumerate(theirs) if i >= len(ours) or ours[i] != t), None)
        if bad is not None and bad < len(ours) and answers(mysql, w, frames=False)[bad] == ours[bad]:
            frames.append(n)
            continue
        if bad is not None:
            different += 1
            print(f"--- seed {n}, statement {bad}: {w.statements[bad][:1500]}\n  ours  {ours[bad] if bad < len(ours) else ours}\n  MySQL {theirs[bad]}", flush=True)
            if a.keep:
                a.keep.mkdir(parents=True, exist_ok=True)
                (a.keep / f"{n}.sql").write_text(script(w, bad))
    print(f"{a.worlds} worlds, {programs} programs, {different} worlds differ, {broken} with rows of MySQL's that break off, {time.time() - began:.0f} s")
    print(f"{len(frames)} whose first difference is one of the frames: {frames}")
    return int(different > 0)


if __name__ == "__main__":
    raise SystemExit(main())
