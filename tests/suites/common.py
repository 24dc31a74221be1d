"""What the suites of others have in common: a cache folder, the two servers, tallies.

Nothing of those suites is part of this repository: every script fetches what it runs into the cache (`EVENKEEL_CACHE`, by default
`~/.cache/evenkeel-suites`) with the ordinary client of the registry, and starts its servers through tests/lib/servers.py.
"""
import argparse
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tarfile

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


def compare(name, ours, peer, explained=(), who="mariadb"):
    """Prints the tallies of two runs and the tests that differ. `ours` and `peer` map a test's name to "passed", "failed" or "skipped";
    `explained` maps names of tests, or their beginnings with a star behind, to the reason why they may differ. True when there is no other difference.
    `who` names the peer."""
    beginnings = {t[:-1]: reason for t, reason in dict(explained).items() if t.endswith("*")}
    explained = dict(explained, **{t: reason for t in peer for start, reason in beginnings.items() if t.startswith(start)})
    tally(name, "evenkeel", ours)
    tally(name, who, peer)
    worse = [t for t in sorted(peer) if peer[t] == "passed" and ours.get(t) != "passed"]
    better = [t for t in sorted(ours) if ours[t] == "passed" and peer.get(t) == "failed"]
    for test in worse:
        print(f"  differs: {test}: {ours.get(test, 'missing')} here, passed on {who}" + (f" ({explained[test]})" if test in explained else ""))
    for test in better:
        print(f"  better:  {test}: passed here, failed on {who}")
    return not [t for t in worse if t not in explained]


def sources(name, origin, git=None, parts=()):
    """The files of another project's repository in the cache, out of `git` (a clone or a bare one) or cloned from `origin`; `parts` limits them to
    some paths."""
    folder = cache(name)
    source = folder / "source"
    if not source.is_dir():
        if git is None:
            git = folder / "git"
            if not git.is_dir():
                run("git", "clone", "-q", "--bare", "--depth", "1", origin, git)
        run("git", "-C", git, "archive", "-o", folder / "source.tar", "HEAD", *parts)
        with tarfile.open(folder / "source.tar") as tar:
            tar.extractall(source, filter="data")
    return source


@contextlib.contextmanager
def serving(kind, *databases, options=()):
    """A server of a kind with these databases and an account `suite` with the password `suite` that may do everything."""
    server = SERVERS[kind](options=list(options)).start()
    try:
        for database in databases:
            server.query(f"CREATE DATABASE IF NOT EXISTS {database}")
        for host in ("%", "localhost"):
            server.query(f"CREATE USER suite@'{host}' IDENTIFIED BY 'suite'")
            server.query(f"GRANT ALL ON *.* TO suite@'{host}' WITH GRANT OPTION")
        yield server
    finally:
        server.kill()
        server.remove()


def output(log, *command, limit=3600, **kw):
    """Runs a suite's command, all that it started ending with it after `limit` seconds; gives what it printed, also kept in the file `log`."""
    with open(log, "w") as out:
        p = subprocess.Popen([str(c) for c in command], stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True, **kw)
        with contextlib.suppress(subprocess.TimeoutExpired):
            p.wait(limit)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(p.pid, signal.SIGKILL)
        p.wait()
    return pathlib.Path(log).read_text(errors="replace")


def go_tests(name, kind, source, *arguments, env=(), limit=3600):
    """The results of `go test` in `source`, tests of several packages by package and name; the failures' texts go to `<kind>.log` in the suite's cache."""
    folder = cache(name)
    out, texts, several = {}, {}, any("..." in a for a in arguments)
    for line in output(folder / f"{kind}.out", "go", "test", "-json", *arguments, cwd=source, env=dict(os.environ, **dict(env)), limit=limit).splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        test = event.get("Test")
        if not test:
            continue
        test = f"{event['Package'].rpartition('/')[2]}.{test}" if several else test
        if event["Action"] in ("pass", "fail", "skip"):
            out[test] = {"pass": "passed", "fail": "failed", "skip": "skipped"}[event["Action"]]
        elif event["Action"] == "output":
            texts.setdefault(test, []).append(event["Output"])
    (folder / f"{kind}.log").write_text("\n".join(f"== {t}\n{''.join(texts.get(t, []))}" for t, r in out.items() if r == "failed"))
    return out


def cargo_tests(log, source, target, *arguments, tests=(), env=(), limit=3600):
    """The results of `cargo test`, one test at a time, by the name of the program and the test's; what it printed goes to the file `log`. `target` is
    where cargo builds, `tests` are arguments of the programs."""
    env = dict(os.environ, **dict(env), CARGO_TARGET_DIR=str(target), CARGO_PROFILE_DEV_DEBUG="0", RUSTFLAGS="")
    text = output(log, "cargo", "test", "--no-fail-fast", *arguments, "--", "--test-threads=1", *tests, cwd=source, env=env, limit=limit)
    names, out = {"ok": "passed", "FAILED": "failed", "ignored": "skipped"}, {}
    for program, part in re.findall(r"^ +Running .*?\(\S*?/deps/(\S+)-[0-9a-f]+\)\n((?:.*\n)*?)(?=^ +Running |^ +Doc-tests |\Z)", text, re.M):
        for m in re.finditer(r"^test (\S+)(?: - should panic)? \.\.\. (?:.*\n)*?.*?(ok|FAILED|ignored)", part, re.M):
            out[f"{program}.{m[1]}"] = names[m[2]]
    return out


# A reporter for mocha: a line of JSON for each test as it ends, so that a run that dies tells what it saw
MOCHA_REPORTER = """
const fs = require("fs");
module.exports = function (runner) {
  const tell = (result) => (test, error) => fs.appendFileSync(process.env.MOCHA_RESULTS, JSON.stringify(
    [test.fullTitle(), result, error ? String(error.stack || error.message || error) + (error.cause ? "\\ncause: " + error.cause : "") : ""]) + "\\n");
  runner.on("pass", tell("passed"));
  runner.on("fail", tell("failed"));
  runner.on("pending", tell("skipped"));
};
"""

# Loaded before the tests: modules that cannot be loaded (drivers of other databases, whose binaries are not built) are empty
ABSENT_MODULES = """
const Module = require("module"), load = Module._load, absent = new Set(process.env.ABSENT_MODULES.split(" "));
const empty = () => new Proxy(class {}, { get: (of, name) => name === "prototype" || typeof name === "symbol" ? of[name] : name === "__esModule" ? undefined : empty() });
Module._load = function (name, ...rest) {
  if (!absent.has(name)) return load.call(this, name, ...rest);
  try { return load.call(this, name, ...rest); } catch { return empty(); }
};
"""


def mocha(name, kind, source, *command, env=(), absent="", limit=3600):
    """The results of a mocha run in `source`; the failures' texts go to `<kind>.log` in the suite's cache. Tests of one title are counted apart.
    `absent` names modules that may be missing."""
    folder = cache(name)
    (folder / "reporter.js").write_text(MOCHA_REPORTER)
    (folder / "absent.js").write_text(ABSENT_MODULES)
    env = dict(env, ABSENT_MODULES=absent, NODE_OPTIONS=f"--require {folder}/absent.js")
    results = folder / f"{kind}.results"
    results.write_text("")
    output(folder / f"{kind}.out", *command, "--reporter", folder / "reporter.js", cwd=source, env=dict(os.environ, **dict(env), MOCHA_RESULTS=str(results)), limit=limit)
    out, log = {}, []
    for line in results.read_text().splitlines():
        title, result, error = json.loads(line)
        known, number = title, 1
        while title in out:
            number += 1
            title = f"{known} ({number})"
        out[title] = result
        if error:
            log.append(f"==== {title}\n{error}\n")
    (folder / f"{kind}.log").write_text("".join(log))
    return out


def beside(name, fetch, one, explained=(), peer="mysql"):
    """The main program of a suite: `fetch(git)` gives what `one(kind, fetched, arguments)` runs on a server of a kind. The exit code: 1 when a test that
    passes on the peer fails here without an explanation."""
    p = argparse.ArgumentParser()
    p.add_argument("--git", type=pathlib.Path, help="a clone of the suite's repository, bare or not; without it, it is cloned")
    p.add_argument("--only", choices=sorted(SERVERS), help="run on this server alone and list what fails")
    p.add_argument("--peer", choices=("mysql", "mariadb"), default=peer)
    a, rest = p.parse_known_args()
    fetched = fetch(a.git)
    if a.only:
        results = one(a.only, fetched, rest)
        tally(name, a.only, results)
        print("".join(f"  {result}: {test}\n" for test, result in results.items() if result == "failed"), end="")
        return 0
    ours = one("evenkeel", fetched, rest)
    theirs = one(a.peer, fetched, rest)
    return 0 if ours and compare(name, ours, theirs, explained, a.peer) else 1
