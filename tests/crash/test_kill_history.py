"""kill -9 in the middle of random transactions whose history is recorded (tests/isolation/history.py), round after round on one data directory with a small
buffer pool and a small redo log, beside cascades, XA and DDL.

After every restart the lists are read and the whole history up to there is checked: what was acknowledged is there exactly once and in the order that
the reads before the kill saw, what was not is there wholly or not at all, a transaction that had not asked for its COMMIT is not there, a branch whose XA
PREPARE was acknowledged is in XA RECOVER (and is then committed or rolled back). CHECK TABLE of everything, and the same rows through every index.

EVENKEEL_HISTORY_ROUNDS (CI: 3), EVENKEEL_HISTORY_DDL=0 (none), EVENKEEL_SEED, EVENKEEL_KEEP.
"""
import os
import random
import threading
import time

import pytest

from isolation.history import Shared, ddl, tables_sound
from isolation.history_client import Client
from isolation.history_check import Checker
from lib.servers import Server

DDL = os.environ.get("EVENKEEL_HISTORY_DDL", "1") == "1"
ROUNDS = int(os.environ.get("EVENKEEL_HISTORY_ROUNDS", "3"))
SMALL = ["--innodb-buffer-pool-size=8M", "--innodb-redo-log-capacity=8M", "--innodb-flush-log-at-trx-commit=1"]
KILLED = ("torn row", "twice in one answer", "bank")  # of what a client says when the server goes away in the middle of its statement


def kill_in_the_middle(server, shared, n, rng, clients):
    """One round; what was found while the server ran."""
    shared.stop = threading.Event()
    idle = [server.connect() for _ in range(n % 2 * 20)]
    threads = [Client(shared, 1000 * n + i) for i in range(clients)]
    if DDL:
        threads.append(threading.Thread(target=ddl, args=(shared, rng.random()), daemon=True))
    for t in threads:
        t.start()
    time.sleep(rng.uniform(0.5, 2.0))
    server.kill()
    shared.stop.set()
    for t in threads:
        t.join(120)
        assert not t.is_alive(), "a client hangs though its server is gone"
    for c in idle + [t.con for t in threads if hasattr(t, "con")]:
        c._force_close()
    return [x for x in shared.torn if x.startswith(KILLED)]


def settle(server, shared, rng):
    """What became of the transactions that were under way: branches are looked for and ended."""
    found = []
    for t in shared.txns:
        if t.status == "unknown" and t.t0 is None:
            if t.autocommit and t.ops:
                t.t0 = t.ops[-1].t0
            else:
                t.status = "fail"  # never asked for its end
    recovered = {r[3] if isinstance(r[3], str) else r[3].decode() for r in server.query("XA RECOVER")}
    for xid, (t, state) in shared.prepared.items():
        if xid not in recovered:
            if state == "prepared":
                found.append(f"{xid} was prepared and is gone")
            t.status = {"commit": "ok", "rollback": "fail", "preparing": "fail", "prepared": "unknown"}[state]
            continue
        commit = rng.random() < 0.5
        t.t0 = time.monotonic_ns() // 1000
        server.query(f"XA {'COMMIT' if commit else 'ROLLBACK'} '{xid}'")
        t.t1 = time.monotonic_ns() // 1000
        t.status = "ok" if commit else "fail"
    found += [f"{xid} was never prepared" for xid in recovered - set(shared.prepared)]
    shared.prepared.clear()
    return found


def rounds(seed, count, level="mixed", clients=8, options=(), long=False):
    """What was found, in which round; the number of transactions committed."""
    rng = random.Random(seed)
    server = Server(options=[*SMALL, *options]).start()
    shared = Shared(server, seed, level, Server, xa=0.2, kids=True, long=long)
    try:
        shared.setup()
        for n in range(count):
            found = kill_in_the_middle(server, shared, n, rng, clients)
            server.start()
            found += settle(server, shared, rng)
            found += Checker(shared.txns, shared.lists()).run()
            found += tables_sound(server)
            orphans = server.query("SELECT COUNT(*) FROM kid LEFT JOIN t0 ON t0.k = kid.k WHERE t0.k IS NULL", db="h")[0][0]
            found += [f"{orphans} children without parents"] * (orphans > 0)
            if found:
                return found, n, shared
        server.stop()
        return [], count, shared
    finally:
        if not os.environ.get("EVENKEEL_KEEP"):
            server.remove()


@pytest.mark.timeout(60 + 30 * ROUNDS)
@pytest.mark.parametrize("long", [False, True])
def test_what_was_acknowledged_is_there_in_order(long):
    seed = int(os.environ.get("EVENKEEL_SEED", "1"))
    found, n, shared = rounds(seed, ROUNDS, long=long)
    assert not found, f"seed {seed}, round {n}:\n" + "\n".join(found[:5])
    assert sum(t.status == "ok" for t in shared.txns) > (5 if long else 15) * ROUNDS, "hardly anything was committed: the test tested nothing"


if __name__ == "__main__":
    import sys
    for seed in range(int(sys.argv[1]), int(sys.argv[1]) + int(sys.argv[2])):
        found, n, shared = rounds(seed, ROUNDS, long="--long" in sys.argv)
        print(f"seed {seed}: {n} rounds, {len(shared.txns)} transactions, {sum(t.status == 'ok' for t in shared.txns)} committed; {len(found)} found", flush=True)
        for f in found[:8]:
            print("  " + (f if "-v" in sys.argv else f.split("\n")[0][:400]), flush=True)
