"""What the suites of others have in common: a cache folder, the two servers, tallies.

Nothing of those suites is part of this repository: every script fetches what it runs into the cache (`EVENKEEL_CACHE`, by default
`~/.cache/evenkeel-suites`) with the ordinary client of the registry, and starts its servers through tests/lib/servers.py.
"""
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from lib.servers import MariaDB, MySQL, Server  # noqa: E402

SERVERS = {"evenkeel": Server, "mariadb": MariaDB, "mysql": MySQL}


def cache(*parts):
    """A folder in the cache, made when missing."""
    root = os.environ.get("EVENKEEL_CACHE") or pathlib.Path.home() / ".cache/evenkeel-suites"
    folder = pathlib.Path(root, *parts)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def run(*command, **kw):
    """Runs a command of the set-up, with its output only when it fails."""
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **kw)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def printed_by_go(folder, name, module, program, go):
    """What a Go program prints that is written here and uses a module of the proxy: built and run once, kept as `name` in the cache. `program` is its
    text, or makes it of the folder where the module's source lies; `go` is the version of the language it needs."""
    folder = cache(folder)
    found = folder / name
    if found.exists():
        return found
    env = dict(os.environ, GOFLAGS="-mod=mod")
    (folder / "go.mod").write_text(f"module printer\n\ngo {go}\n\nrequire {' '.join(module)}\n")
    if callable(program):
        source = json.loads(run("go", "mod", "download", "-json", "@".join(module), cwd=folder, env=env))["Dir"]
        program = program(pathlib.Path(source))
    (folder / "main.go").write_text(program)
    run("go", "build", "-o", "printer", ".", cwd=folder, env=env)
    with open(f"{found}.new", "wb") as out:
        subprocess.run(["./printer"], cwd=folder, stdout=out, check=True)
    os.replace(f"{found}.new", found)
    return found


def tally(name, who, results):
    """Prints how many passed."""
    count = {kind: sum(r == kind for r in results.values()) for kind in ("passed", "failed", "skipped")}
    print(f"{name} on {who}: {count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")


def compare(name, ours, peer, explained=()):
    """Prints the tallies of two runs and the tests that differ. `ours` and `peer` map a test's name to "passed", "failed" or "skipped";
    `explained` maps names of tests to the reason why they may differ. True when there is no other difference."""
    explained = dict(explained)
    tally(name, "evenkeel", ours)
    tally(name, "mariadb", peer)
    worse = [t for t in sorted(peer) if peer[t] == "passed" and ours.get(t) != "passed"]
    better = [t for t in sorted(ours) if ours[t] == "passed" and peer.get(t) == "failed"]
    for test in worse:
        print(f"  differs: {test}: {ours.get(test, 'missing')} here, passed on mariadb" + (f" ({explained[test]})" if test in explained else ""))
    for test in better:
        print(f"  better:  {test}: passed here, failed on mariadb")
    return not [t for t in worse if t not in explained]
