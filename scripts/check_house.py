#!/usr/bin/env python3
"""The house's rules as a test; each part of scripts/house/ says in its first lines what it checks.

    check_house.py                 prints each breach as FILE: RULE and exits 1 if there is any
    check_house.py --lower         writes the numbers of scripts/ratchets.txt that fell, then checks
    check_house.py --list KIND     the places that a ratchet counts ("long functions", ...), of all crates or after --in CRATE

`--root DIR` checks another tree.
"""
import argparse, pathlib, sys

from house import arrows, methods, prose, ratchets, rooms

if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    p.add_argument("--lower", action="store_true")
    p.add_argument("--list", metavar="KIND", choices=list(ratchets.KINDS))
    p.add_argument("--in", dest="section", metavar="CRATE")
    a = p.parse_args()
    root = a.root.resolve()
    if a.list:
        for section, kinds in ratchets.measure(root).items():
            if a.section in (None, section):
                print(*kinds.get(a.list, []), sep="\n")
        sys.exit(0)
    breaches = rooms.check(root) + arrows.check(root) + methods.check(root) + ratchets.check(root, a.lower) + prose.check(root)
    for b in breaches:
        print(b)
    sys.exit(1 if breaches else 0)
