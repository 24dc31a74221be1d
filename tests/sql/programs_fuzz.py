#!/usr/bin/env python3
"""Fuzzing of stored programs: tests/sql/programs_fuzz.py [--seconds N] [--seed N] [--workers N]

The worlds of programs_random.py, with CREATE PROCEDURE, FUNCTION and TRIGGER mutated by tokens or bytes before they are
sent, and what uses them too. What is wrong, and the limits under which the workers run, is fuzz.py's (a panic, a session
that does not answer, a server that ends, memory that is not given back): whatever runs longer than 15 s is killed and
must end then, since mutation makes endless loops.
"""
import pathlib
import sys

import pymysql

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import fuzz  # noqa: E402
from programs_random import World  # noqa: E402


class Worker(fuzz.Worker):
    """Goes through one world after the other."""

    todo = ()

    def one(self):
        if not self.todo:
            world = World(self.r.randrange(10**9))
            make = [s for s in world.statements[4:] if s.startswith("CREATE")]
            self.pool = [s for s in make if not s.startswith("CREATE TABLE")]
            self.todo = [f"DROP DATABASE IF EXISTS f{self.n}", f"CREATE DATABASE f{self.n}", f"USE f{self.n}", *world.statements[4:]]
        s = self.todo.pop(0)
        if s in self.pool and self.r.random() < 0.7:
            for _ in range(self.r.choice([1, 2, 4])):
                self.send(fuzz.mutate(self.r, [s] * 4 + self.pool))
        if s.startswith(("CALL", "SELECT", "UPDATE", "INSERT", "REPLACE")) and self.r.random() < 0.3:
            self.send(fuzz.mutate(self.r, [s]))
        self.send(s.encode())

    def send(self, s):
        if fuzz.NEVER.search(s.decode("latin1")):
            return
        self.last, self.began, self.count = s, fuzz.time.time(), self.count + 1
        self.recent = self.recent[-30:] + [s]
        try:
            with self.conn.cursor() as cur:
                cur.execute(s)
                while cur.nextset():
                    pass
        except pymysql.err.MySQLError as e:
            # one of the statement's own; the others end the connection
            if not self.conn.open or not e.args or e.args[0] in (0, 2006, 2013, 4081, 4082):
                raise


if __name__ == "__main__":
    fuzz.Worker, fuzz.seeds = Worker, lambda corpus: []
    sys.exit(fuzz.main())
