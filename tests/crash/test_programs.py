"""kill -9 in the middle of CREATE, ALTER and DROP of stored programs, and of what takes programs along (DROP TABLE, RENAME TABLE, DROP DATABASE).

One client keeps a ledger of what was acknowledged. After every crash and restart each object is as acknowledged, and the one whose statement
was under way is as before or as after it, whole: a table with all of its triggers in their order or with none, a database with everything in
it or gone. Every program that is listed can be shown.

EVENKEEL_PROGRAM_ROUNDS sets the number of rounds (CI: 6), EVENKEEL_SEED the seed.
"""
import os
import random
import threading
import time

import pymysql

from lib.servers import Server

ROUNDS = int(os.environ.get("EVENKEEL_PROGRAM_ROUNDS", "6"))
SEED = int(os.environ.get("EVENKEEL_SEED", "1"))


class Ledger:
    """What is known of each object: its state, and while a statement is under way the state that it makes."""

    def __init__(self):
        self.state = {}
        self.under_way = {}

    def run(self, cur, name, new, *statements):
        self.under_way[name] = new
        for s in statements:
            cur.execute(s)
        self.state[name] = self.under_way.pop(name)

    def settle(self, found):
        """After a crash: `found` is what the server has."""
        for name in set(self.state) | set(found) | set(self.under_way):
            known, now = self.state.get(name), found.get(name)
            allowed = [known] + ([self.under_way[name]] if name in self.under_way else [])
            assert now in allowed, f"{name}: {now}, not one of {allowed}"
        self.state, self.under_way = dict(found), {}


def routine(rng, ledger, cur, kind, name, n):
    """A procedure, function or event whose comment counts its changes."""
    word = {"p": "PROCEDURE", "f": "FUNCTION", "e": "EVENT"}[kind]
    make = {"p": f"PROCEDURE {name}(a INT) COMMENT '{n}' BEGIN SELECT a; SELECT {n}; END",
            "f": f"FUNCTION {name}(a INT) RETURNS INT DETERMINISTIC COMMENT '{n}' RETURN a + {n}",
            "e": f"EVENT {name} ON SCHEDULE EVERY 1 DAY DISABLE COMMENT '{n}' DO SELECT {n}"}[kind]
    if ledger.state.get(name) is None:
        ledger.run(cur, name, str(n), f"CREATE {make}")
    elif rng.random() < 0.6:
        ledger.run(cur, name, str(n), f"ALTER {word} {name} COMMENT '{n}'")
    else:
        ledger.run(cur, name, None, f"DROP {word} {name}")


def table(rng, ledger, cur, name, n):
    """A table under one of two names, with triggers in their order: (table's name, triggers)."""
    state = ledger.state.get(name)
    if state is None:
        ledger.run(cur, name, (name, ()), f"CREATE TABLE {name} (a INT)")
        return
    now, triggers = state
    what = rng.random()
    if what < 0.5 or not triggers:
        trigger = f"{name}_{n}"
        at = rng.randrange(len(triggers) + 1)
        order = f"PRECEDES {triggers[at]}" if at < len(triggers) else ""
        made = triggers[:at] + (trigger,) + triggers[at:]
        ledger.run(cur, name, (now, made), f"CREATE TRIGGER {trigger} BEFORE INSERT ON {now} FOR EACH ROW {order} SET @x = {n}")
    elif what < 0.65:
        gone = rng.choice(triggers)
        ledger.run(cur, name, (now, tuple(t for t in triggers if t != gone)), f"DROP TRIGGER {gone}")
    elif what < 0.8:
        other = f"{name}x" if now == name else name
        ledger.run(cur, name, (other, triggers), f"RENAME TABLE {now} TO {other}")
    elif what < 0.9:
        ledger.run(cur, name, state, rng.choice([f"TRUNCATE TABLE {now}", f"ALTER TABLE {now} ENGINE = InnoDB"]))
    else:
        ledger.run(cur, name, None, f"DROP TABLE {now}")


def database(ledger, cur, name):
    """Its contents are made one by one, and go with it at once."""
    if ledger.state.get(name) is None:
        cur.execute(f"CREATE DATABASE IF NOT EXISTS {name}")
        for kind in (f"TABLE {name}.t (a INT)", f"PROCEDURE {name}.p() BEGIN END", f"EVENT {name}.e ON SCHEDULE EVERY 1 DAY DISABLE DO SELECT 1",
                     f"TRIGGER {name}.t BEFORE INSERT ON {name}.t FOR EACH ROW SET @x = 1"):
            cur.execute(f"CREATE {kind.replace(' ', ' IF NOT EXISTS ', 1)}")
        ledger.state[name] = ("e", "p", "t", "t")
    else:
        ledger.run(cur, name, None, f"DROP DATABASE {name}")


def work(server, ledger, stop, seed):
    rng = random.Random(seed)
    try:
        conn = server.connect(database="test")
        cur = conn.cursor()
        n = seed * 1_000_000
        while not stop.is_set():
            n += 1
            what = rng.random()
            if what < 0.45:
                kind = rng.choice("pfe")
                routine(rng, ledger, cur, kind, f"{kind}{rng.randrange(3)}", n)
            elif what < 0.9:
                table(rng, ledger, cur, f"t{rng.randrange(3)}", n)
            else:
                database(ledger, cur, "gone")
    except (pymysql.err.OperationalError, pymysql.err.InterfaceError, OSError, AttributeError):
        assert stop.is_set() or not server.alive()


def found(server):
    """What the server has, as the ledger names it."""
    out = {}
    with server.connect(database="test") as conn, conn.cursor() as cur:
        cur.execute("SELECT ROUTINE_TYPE, ROUTINE_NAME, ROUTINE_COMMENT FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = 'test' "
                    "UNION ALL SELECT 'EVENT', EVENT_NAME, EVENT_COMMENT FROM information_schema.EVENTS WHERE EVENT_SCHEMA = 'test'")
        for kind, name, comment in cur.fetchall():
            out[name] = comment
            cur.execute(f"SHOW CREATE {kind} {name}")
            assert f"COMMENT '{comment}'" in str(cur.fetchone())
        cur.execute("SHOW TABLES")
        for (name,) in cur.fetchall():
            cur.execute(f"SHOW TRIGGERS WHERE `Table` = '{name}'")
            listed = {r[0] for r in cur.fetchall()}
            cur.execute("SELECT TRIGGER_NAME, ACTION_ORDER FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = 'test' "
                        "AND EVENT_OBJECT_TABLE = %s ORDER BY ACTION_ORDER", (name,))
            triggers = cur.fetchall()
            assert [r[1] for r in triggers] == list(range(1, len(triggers) + 1)) and {r[0] for r in triggers} == listed
            out[name.removesuffix("x")] = (name, tuple(r[0] for r in triggers))
            for t, _ in triggers:
                cur.execute(f"SHOW CREATE TRIGGER {t}")
                assert f"ON `{name}`" in cur.fetchone()[2]
        cur.execute("SELECT COUNT(*) FROM information_schema.TRIGGERS t WHERE EVENT_OBJECT_SCHEMA = 'test' AND NOT EXISTS "
                    "(SELECT 1 FROM information_schema.TABLES x WHERE x.TABLE_SCHEMA = t.EVENT_OBJECT_SCHEMA AND x.TABLE_NAME = t.EVENT_OBJECT_TABLE)")
        assert cur.fetchone() == (0,)
        cur.execute("SELECT EVENT_NAME FROM information_schema.EVENTS WHERE EVENT_SCHEMA = 'gone' UNION ALL SELECT ROUTINE_NAME FROM "
                    "information_schema.ROUTINES WHERE ROUTINE_SCHEMA = 'gone' UNION ALL SELECT TABLE_NAME FROM information_schema.TABLES WHERE "
                    "TABLE_SCHEMA = 'gone' UNION ALL SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = 'gone'")
        gone = tuple(sorted(r[0] for r in cur.fetchall()))
    return out, gone


def test_programs_survive_kill9():
    server = Server().start()
    try:
        server.query("CREATE DATABASE IF NOT EXISTS test")
        ledger, rng = Ledger(), random.Random(SEED)
        done = 0
        for round_ in range(ROUNDS):
            stop = threading.Event()
            worker = threading.Thread(target=work, args=(server, ledger, stop, SEED * 100 + round_))
            worker.start()
            time.sleep(rng.uniform(0.2, 0.8))
            stop.set()
            server.kill()
            worker.join()
            server.start()
            now, gone = found(server)
            # while it is being filled the database has what there is so far; when it goes it goes whole
            dropping = "gone" in ledger.under_way
            full = ("e", "p", "t", "t")
            if dropping:
                assert gone in (full, ())
            elif ledger.state.get("gone") == full:
                assert gone == full
            now.pop("gone", None)
            ledger.under_way.pop("gone", None)
            ledger.state.pop("gone", None)
            ledger.settle({k: v for k, v in now.items() if v is not None})
            done += len(now)
            server.query("DROP DATABASE IF EXISTS gone")
        assert done > ROUNDS, "the rounds met next to nothing"
    finally:
        server.remove()
