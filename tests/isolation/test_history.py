"""Random histories at each level hold what InnoDB documents (history.py, history_check.py), and the checker finds what is wrong: planted by hand, and in
histories of one level that are taken for another's."""
import pytest

from isolation.history import run
from isolation.history_check import LEVELS, RC, RR, RU, SER, Checker, Op, Txn

X, Y = ("t0", 1), ("t0", 2)


@pytest.mark.parametrize("level", [*LEVELS, "mixed"])
def test_histories_hold(server, level):
    committed = reads = 0
    for seed in range(1, 7):  # a busy machine may do little at a time
        found, figures = run(server, seed, 3, level, idle=20 * (level in (RC, SER)))
        assert not found, "\n".join(found[:5])
        committed, reads = committed + figures["committed"], reads + figures["reads"]
        if committed > 100 and reads > 1000:
            return
    raise AssertionError(f"only {committed} committed, {reads} reads: the test tested nothing")


@pytest.mark.parametrize("level, claim", [(RC, RR), (RR, SER)])
def test_a_weaker_level_is_found_out(server, level, claim):
    for seed in range(1, 4):  # a busy machine may do little at a time
        found, _ = run(server, seed, 2, level, claim=claim)
        if any(f.startswith("cycle") for f in found):
            return
    raise AssertionError(f"{level} passed as {claim}")


@pytest.mark.parametrize("level", LEVELS)
def test_the_model_is_innodbs(mariadb, level):
    from lib.servers import MariaDB
    found, _ = run(mariadb, 2, 2, level, peer=MariaDB)
    assert not found, "\n".join(found[:5])


def txn(n, level, *ops, status="ok", autocommit=False, last=None):
    """Transaction `n`, whose statements take a moment each, one after the other from 10 n on."""
    t = Txn(n, level, autocommit)
    for i, o in enumerate(ops):
        o.t0 = o.t0 or 10 * n + i
        o.t1 = o.t1 or o.t0 + 0.5
        t.ops.append(o)
    t.status = status
    t.t0 = last or 10 * n + len(ops)
    t.t1 = None if status == "unknown" else t.t0 + 0.5
    return t


def write(k, v, **kw):
    return Op("write", mode="write", appends=[(k, v)], value=v, **kw)


def read(mode="plain", t0=0, t1=0, **seen):
    return Op("read", mode=mode, t0=t0, t1=t1, reads={{"x": X, "y": Y}[k]: v for k, v in seen.items()})


def find(final, *txns):
    found = Checker(txns, {{"x": X, "y": Y}[k]: v for k, v in final.items()}).run()
    return {f.split(":")[0] for f in found}


def test_a_clean_history_passes():
    for level in LEVELS:
        a = txn(1, level, write(X, 1), write(Y, 2), read(x=(1,), y=(2,)))
        b = txn(2, level, read(x=(1,), y=(2,)), write(X, 3))
        c = txn(3, level, write(X, 4), status="fail")
        assert find({"x": [1, 3], "y": [2]}, a, b, c) == set()


PLANTED = {
    "lost": lambda: find({"x": [2]}, txn(1, RC, write(X, 1)), txn(2, RC, write(X, 2))),
    "duplicate": lambda: find({"x": [1, 1]}, txn(1, RC, write(X, 1))),
    "garbage": lambda: find({"x": [7]}, txn(1, RC, write(X, 1), status="fail")),
    "resurrected": lambda: find({"x": [1]}, txn(1, RC, write(X, 1), status="fail")),
    "half": lambda: find({"x": [1], "y": []}, txn(1, RC, write(X, 1), write(Y, 2), status="unknown")),
    "dirty write": lambda: find({"x": [1, 2, 3]}, txn(1, RU, write(X, 1), write(X, 3)), txn(2, RU, write(X, 2))),
    "aborted read": lambda: find({"x": [1]}, txn(1, RC, write(X, 1)), txn(2, RC, write(X, 2), status="fail"), txn(3, RC, read(x=(1, 2)))),
    "intermediate read": lambda: find({"x": [1, 2]}, txn(1, RC, write(X, 1), write(X, 2)), txn(2, RC, read(x=(1,)))),
    "incompatible order": lambda: find({"x": [1, 2]}, txn(1, RC, write(X, 1)), txn(2, RC, write(X, 2)), txn(3, RC, read(x=(2, 1)))),
    "own write": lambda: find({"x": [1]}, txn(1, RC, write(X, 1), Op("read", mode="plain", reads={X: ()}))),
    "row count": lambda: find({"x": [1]}, txn(1, RC, write(X, 1)), txn(2, RC, Op("write", mode="write", maybe=[X], value=5, count=1))),
}


@pytest.mark.parametrize("what", PLANTED)
def test_planted_faults_are_found(what):
    assert what in PLANTED[what]()


def test_planted_cycles_are_found():
    w1, w2 = (lambda level=RC: txn(1, level, write(X, 1))), (lambda level=RC: txn(2, level, write(X, 2)))
    stale = txn(3, RC, read(x=(1,)))
    assert find({"x": [1, 2]}, w1(), w2(), stale) == {"cycle"}, "a read that misses what was acknowledged before"
    both = txn(2, RC, write(X, 2), write(Y, 3))
    for level, wrong in ((RC, False), (RR, True)):
        # X before T2 and Y after it
        skew = txn(1, level, read(x=(), t0=20, t1=29), read(y=(3,), t0=30), last=40)
        assert (find({"x": [2], "y": [3]}, both, skew) == {"cycle"}) is wrong, level
        torn = txn(1, level, read(x=(), y=(3,), t0=20, t1=29), last=40)
        assert find({"x": [2], "y": [3]}, both, torn) == {"cycle"}, f"one statement, two moments, {level}"
    for level, wrong in ((RR, False), (SER, True)):
        # write skew: each reads what the other is about to change
        a = txn(1, level, read(x=(), y=(), t0=10), write(X, 1, t0=15), last=20)
        b = txn(2, level, read(x=(), y=(), t0=11), write(Y, 2, t0=16), last=21)
        assert (find({"x": [1], "y": [2]}, a, b) == {"cycle"}) is wrong, level
    # a lock that did not hold: read FOR UPDATE at 10, another's append acknowledged at 15, the end at 20
    a = txn(1, RC, read(mode="update", x=(5,), t0=10), last=20)
    b = txn(2, RC, write(X, 6, t0=14), last=15)
    assert find({"x": [5, 6]}, txn(0, RC, write(X, 5, t0=1), last=2), a, b) == {"cycle"}
    # a row that was not there: its gap is locked under REPEATABLE READ only
    for level, wrong in ((RC, False), (RR, True)):
        a = txn(1, level, read(mode="update", x=(), t0=10), last=20)
        b = txn(2, RC, write(X, 6, t0=14), last=15)
        assert (find({"x": [6]}, a, b) == {"cycle"}) is wrong, level
