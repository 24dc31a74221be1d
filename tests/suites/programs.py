#!/usr/bin/env python3
"""Programs with drivers whose packages bring no tests along: Connector/J (programs/Program.java) and mysql2 (programs/program.js).

    tests/suites/programs.py [java] [node]

Each prints what it does and gets; the lines must be the same on Evenkeel and on MariaDB but for those explained. Packages come from Maven Central and npm
into the cache.
"""
import difflib
import os
import subprocess
import sys

from common import HERE, SERVERS, cache, run

# Pieces of lines that may differ, and why. MariaDB speaks to both drivers as a server without MySQL's later answers.
EXPLAINED = {}


def java(server):
    folder = cache("java")
    jar = folder / "mysql-connector-j-9.1.0.jar"
    if not jar.exists():
        run("mvn", "-q", "-B", "dependency:copy", "-Dartifact=com.mysql:mysql-connector-j:9.1.0", f"-DoutputDirectory={folder}", cwd=folder)
    run("javac", "-cp", jar, "-d", folder, HERE / "programs/Program.java")
    return ["java", "-cp", f"{jar}:{folder}", "Program", f"jdbc:mysql://127.0.0.1:{server.port}"]


def node(server):
    folder = cache("node")
    if not (folder / "node_modules/mysql2").is_dir():
        run("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, "mysql2@3.24.6")
    return ["node", HERE / "programs/program.js", "127.0.0.1", str(server.port)]


def output(kind, program):
    server = SERVERS[kind]().start()
    try:
        if kind == "mariadb":
            server.query("CREATE USER IF NOT EXISTS root@'127.0.0.1'")
            server.query("GRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION")
        env = dict(os.environ, NODE_PATH=str(cache("node") / "node_modules"))
        done = subprocess.run([str(a) for a in program(server)], capture_output=True, text=True, timeout=600, env=env)
        return (done.stdout + (done.stderr if done.returncode else "")).splitlines()
    finally:
        server.kill()
        server.remove()


def main():
    worst = 0
    for program in [p for p in (java, node) if not sys.argv[1:] or p.__name__ in sys.argv[1:]]:
        ours, peer = output("evenkeel", program), output("mariadb", program)
        differ = [line for line in difflib.unified_diff(peer, ours, "mariadb", "evenkeel", lineterm="", n=0) if not line.startswith("@@")]
        left = [line for line in differ[2:] if not any(piece in line for piece in EXPLAINED.get(program.__name__, {}))]
        print(f"{program.__name__}: {len(ours)} lines, {len(left)} differ without an explanation")
        print("\n".join(left))
        worst |= bool(left)
    return worst


if __name__ == "__main__":
    sys.exit(main())
