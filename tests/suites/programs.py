#!/usr/bin/env python3
"""Programs with drivers whose packages bring no tests along: Connector/J (programs/Program.java), mysql2 (programs/program.js), libmariadb
(programs/program.c), Hibernate over Connector/J and MariaDB Connector/J with stored programs (programs/Hibernate.java, Callable.java).

    tests/suites/programs.py [java] [node] [c] [hibernate] [callable]

Each prints what it does and gets; the lines must be the same on Evenkeel and on MariaDB but for those explained, the last two's on Evenkeel and on MySQL 9.7.
Packages come from Maven Central, npm and Debian into the cache.
"""
import difflib
import os
import subprocess
import sys

from common import HERE, SERVERS, cache, run

# Pieces of lines that may differ, and why. MariaDB 10.11 tells its version as 5.5.5-10.11, which Connector/J takes for a server of that age.
EXPLAINED = {
    "java": {
        "2026-11-21T23:59:58": "no fractions of seconds for a server before 5.6.4",
        "t.dt 93": "the same", "t.ti 92": "the same",
        "| w | VIEW |": "the comment of a view is VIEW in MySQL",
        "of_parent |": "keys out of SHOW CREATE TABLE for an old server, out of information_schema for a new one",
        "| id | -5 | bigint": "the same",
        "  count ": "behind a CALL MariaDB counts the rows of all its statements, MySQL those of the last",
    },
    "node": {
        "ER_WRONG_ARGUMENTS": "a packet with too few parameters is 1835 in MySQL, 1210 in MariaDB", "ER_MALFORMED_PACKET": "the same",
        '["id","t",8,16899': "MariaDB's TIMESTAMP is unsigned",
        "# TLS": "MariaDB has no certificate here", '[{"1":1}]': "the same",
    },
    "c": {
        "dec 39 cs": "MariaDB's number for `not fixed`", "dec 31 cs": "the same",
        "field ? + 1": "a parameter beside a number is a number, to MariaDB nothing yet",
        "type 3 len 1 max 1": "an integer literal is a LONGLONG in MySQL", "type 8 len 2 max 1": "and its length has room for a sign",
        "Warning 1062": "MySQL names a key with its table",
    },
    "callable": {
        "  5 bytes [-61, -74, 55]": "MySQL tells of the text of an OUT parameter as of bytes", "  5 String": "the same",
        "  10 Boolean": "MySQL sends BIT as the character 0, which the driver takes for true",
        "  twice 2": "the driver asks for no order",
    },
}


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
    return ["node", HERE / "programs/program.js", "127.0.0.1", str(server.port), "tls" if server.name == "evenkeel" else ""]


def c(server):
    folder = cache("c")
    root = folder / "root"
    if not root.is_dir():
        for package in ("libmariadb-dev", "libmariadb3"):
            run("apt-get", "download", package, cwd=folder)
        for package in folder.glob("*.deb"):
            run("dpkg-deb", "-x", package, root)
    library = next(root.glob("usr/lib/*-linux-gnu"))
    run("cc", "-std=gnu11", "-Wall", f"-I{root}/usr/include/mariadb", HERE / "programs/program.c", "-o", folder / "program", f"-L{library}", "-lmariadb",
        f"-Wl,-rpath,{library}")
    return [folder / "program", "127.0.0.1", str(server.port), server.socket]


def trusting_account(server):
    server.query("SET GLOBAL log_bin_trust_function_creators = ON")
    server.query("CREATE USER hib@'%'")
    server.query("GRANT ALL ON *.* TO hib@'%' WITH GRANT OPTION")


HIBERNATE = [("org.hibernate.orm", "hibernate-core", "6.6.4.Final"), ("com.mysql", "mysql-connector-j", "9.1.0"), ("org.slf4j", "slf4j-nop", "2.0.16")]


def hibernate(server):
    folder = cache("hibernate")
    if not (folder / "lib").is_dir():
        needs = "".join(f"<dependency><groupId>{g}</groupId><artifactId>{a}</artifactId><version>{v}</version></dependency>" for g, a, v in HIBERNATE)
        about = "<modelVersion>4.0.0</modelVersion><groupId>evenkeel</groupId><artifactId>hibernate</artifactId><version>1</version>"
        (folder / "pom.xml").write_text(f'<project xmlns="http://maven.apache.org/POM/4.0.0">{about}<dependencies>{needs}</dependencies></project>')
        run("mvn", "-B", "-q", "dependency:copy-dependencies", "-DoutputDirectory=lib", cwd=folder)
    run("javac", "-cp", f"{folder}/lib/*", "-d", folder, HERE / "programs/Hibernate.java")
    trusting_account(server)
    return ["java", "-cp", f"{folder}/lib/*:{folder}", "Hibernate", f"jdbc:mysql://127.0.0.1:{server.port}"]


def callable(server):  # noqa: A001
    folder = cache("mariadb-java")
    jar = folder / "mariadb-java-client-3.5.1.jar"
    if not jar.exists():
        run("mvn", "-q", "-B", "dependency:copy", "-Dartifact=org.mariadb.jdbc:mariadb-java-client:3.5.1", f"-DoutputDirectory={folder}", cwd=folder)
    run("javac", "-cp", jar, "-d", folder, HERE / "programs/Callable.java")
    trusting_account(server)
    return ["java", "-cp", f"{jar}:{folder}", "Callable", f"jdbc:mysql://127.0.0.1:{server.port}"]


PEERS = {"hibernate": "mysql", "callable": "mysql"}


def output(kind, program):
    server = SERVERS[kind]().start()
    try:
        if kind == "mariadb":
            server.query("CREATE USER IF NOT EXISTS root@'127.0.0.1'")
            server.query("GRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION")
        env = dict(os.environ, NODE_PATH=str(cache("node") / "node_modules"))
        done = subprocess.run([str(a) for a in program(server)], capture_output=True, text=True, errors="backslashreplace", timeout=200, env=env)
        return (done.stdout + (done.stderr if done.returncode else "")).splitlines()
    finally:
        server.kill()
        server.remove()


def main():
    worst = 0
    for program in [p for p in (java, node, c, hibernate, callable) if not sys.argv[1:] or p.__name__ in sys.argv[1:]]:
        ours, peer = output("evenkeel", program), output(PEERS.get(program.__name__, "mariadb"), program)
        differ = []
        for kind, a, b, x, y in difflib.SequenceMatcher(None, peer, ours, autojunk=False).get_opcodes():
            differ += [] if kind == "equal" else [f"- {line}" for line in peer[a:b]] + [f"+ {line}" for line in ours[x:y]]
        left = [line for line in differ if not any(piece in line for piece in EXPLAINED.get(program.__name__, {}))]
        print(f"{program.__name__}: {len(ours)} lines, {len(left)} differ without an explanation")
        print("\n".join(left))
        worst |= bool(left)
    return worst


if __name__ == "__main__":
    sys.exit(main())
