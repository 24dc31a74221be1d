#!/usr/bin/env python3
"""The random differential tester: see differential/__init__.py."""
import argparse
import pathlib
import random
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
from differential.areas import AREAS  # noqa: E402
from differential.context import Context  # noqa: E402
from lib.servers import MariaDB, MySQL, Server  # noqa: E402

OPTIONS = ["--innodb-flush-log-at-trx-commit=0"]


def run(ctx, seed, statements, areas=None, seconds=1e9, slice=400):
    """Shares the statements among the areas, in slices with a seed each, so that a difference is found again by (area, seed)."""
    end = time.time() + seconds
    names = areas or list(AREAS)
    done = 0
    while done < statements and time.time() < end:
        for name in names:
            ctx.area, ctx.seed = name, seed
            before = ctx.counts["statements"]
            AREAS[name](ctx, random.Random(f"{name} {seed}")).run(min(slice, statements - done))
            done += ctx.counts["statements"] - before
            if not ctx.servers[0].alive():
                raise SystemExit("the server died:\n" + ctx.servers[0].log_tail())
            if done >= statements or time.time() > end:
                break
        seed += 1
    ctx.close()
    return done


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--statements", type=int, default=5000)
    p.add_argument("--area", action="append", choices=list(AREAS))
    p.add_argument("--seconds", type=float, default=1e9)
    p.add_argument("--keep", type=pathlib.Path)
    p.add_argument("--limit", type=int, default=10**9, help="differences that are printed")
    p.add_argument("--excused", type=argparse.FileType("w"), help="file for the differences that have an explanation")
    p.add_argument("--mysql", action="store_true", help="compare with a real MySQL (scripts/mysql-peer.sh) instead of MariaDB")
    p = p.parse_args()
    ours, peer = Server(options=OPTIONS), (MySQL if p.mysql else MariaDB)(options=OPTIONS)
    start = time.time()
    try:
        ours.start(), peer.start()
        ctx = Context(ours, peer, p.keep, limit=p.limit, excused=p.excused)
        run(ctx, p.seed, p.statements, p.area, p.seconds)
        if "panicked" in ours.log_tail(10**7):
            print("a panic is in the log:\n" + ours.log_tail())
            ctx.counts["differences"] += 1
    finally:
        ours.remove()
        peer.remove()
    print(f"\n{dict(ctx.counts)} in {time.time() - start:.0f} s; kinds {dict(ctx.topics)}; our errors {dict(ctx.codes)}")
    for reason, n in ctx.explained.most_common():
        print(f"  explained {n}: {reason}")
    return 1 if ctx.counts["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
