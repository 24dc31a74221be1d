#!/usr/bin/env python3
"""The schemas that Debian's packages bring for MySQL, loaded into Evenkeel and into a real MySQL (scripts/mysql-peer.sh), and compared.

    tests/suites/debian_schemas.py [APPLICATION ...]

Packages are downloaded with apt-get into the cache and unpacked, not installed. Every file goes through the `mysql` client with --force, so that
errors are part of the comparison: errors and warnings in their order, then of every table SHOW CREATE TABLE and the number of rows, and what
information_schema says of columns, indexes and keys. What may differ is named in EXPLAINED. Exit code 1 when something else does.

Why these: people wrote them who never thought of Evenkeel, with the upgrades of many years (Zabbix alone has 170 tables and 8,000 rows).
"""
import difflib
import gzip
import re
import subprocess
import sys

from common import cache, run

sys.path.insert(0, str(__import__("pathlib").Path(__file__).resolve().parents[1]))
from lib.servers import MySQL, Server  # noqa: E402

DATA = "usr/share/dbconfig-common/data"
# application: its packages and its files in the order in which they are loaded (globs, sorted)
APPLICATIONS = {
    "bacula": (["bacula-director-mysql"], [f"{DATA}/bacula-director-mysql/install/mysql"]),
    "cacti": (["cacti"], ["usr/share/cacti/conf_templates/cacti.sql"]),
    "glewlwyd": (["glewlwyd"], [f"{DATA}/glewlwyd/install/mysql"]),
    "icinga2": (["icinga2-ido-mysql"], ["usr/share/icinga2-ido-mysql/schema/mysql.sql"]),
    "icinga2_upgrades": (["icinga2-ido-mysql"], ["usr/share/icinga2-ido-mysql/schema/upgrade/*.sql"]),
    "icingadb": (["icingadb"], ["usr/share/icingadb/schema/mysql/schema.sql", "usr/share/icingadb/schema/mysql/upgrades/*.sql"]),
    "kea": (["kea-common", "kea-admin"], ["usr/share/kea/scripts/mysql/*.mysql", "usr/share/kea/scripts/mysql/*.sql"]),
    "mediawiki": (["mediawiki"], ["usr/share/mediawiki/maintenance/tables-generated.sql", "usr/share/mediawiki/maintenance/archives/*.sql",
                                  "usr/share/mediawiki/extensions-core/AbuseFilter/db_patches/mysql/*.sql"]),
    "opendmarc": (["opendmarc"], [f"{DATA}/opendmarc/install/mysql"]),
    "pdns": (["pdns-backend-mysql"], ["usr/share/pdns-backend-mysql/schema/schema.mysql.sql", "usr/share/pdns-backend-mysql/schema/*.sql"]),
    "phpmyadmin": (["phpmyadmin"], ["usr/share/phpmyadmin/sql/create_tables.sql", "usr/share/phpmyadmin/sql/upgrade*.sql"]),
    "request_tracker": (["request-tracker5"], ["usr/share/request-tracker5/etc/schema.mysql", "usr/share/request-tracker5/etc/upgrade/*/schema.mysql"]),
    "roundcube": (["roundcube-core"], ["usr/share/roundcube/SQL/mysql.initial.sql"]),
    "roundcube_upgrades": (["roundcube-core"], ["usr/share/roundcube/SQL/mysql/*.sql"]),
    "tango": (["tango-db"], ["usr/share/tango-db/create_db_tables.sql"]),
    "tt_rss": (["tt-rss"], ["usr/share/tt-rss/schema/ttrss_schema_mysql.sql", "usr/share/tt-rss/schema/versions/mysql/*.sql"]),
    "zabbix": (["zabbix-server-mysql"], [f"usr/share/zabbix-server-mysql/{n}.sql.gz" for n in ("schema", "images", "data")]),
    "zoph": (["zoph"], [f"{DATA}/zoph/install/mysql"]),
}
# (application or "", pattern of a line that differs): why
EXPLAINED = {
    ("", r"Code 1266\): Using storage engine InnoDB|ENGINE=\w+"): "every table is InnoDB (docs/compat.md)",
    ("kea", r"Warning \(Code (1681|3719)\)"): "in the bodies of stored programs",
    ("tango", r".*"): "MyISAM's keys of 1,000 bytes at most: seven tables are not there in MySQL",
    ("tt_rss", r"ttrss_(app_passwords|filters2_\w+|\w+_prefs\w*|\w+)(:|_ibfk|')"): "REFERENCES at a column makes a foreign key since MySQL 9.0, not in 8.4",
    ("zoph", r"^-mysql: "): "warnings that the parser has before an error 1064 are not kept",
    ("cacti", r"'(HASH|BTREE)', [01]\)"): "indexes of MEMORY tables are B-trees here: the tables are InnoDB's",
}
INFORMATION = (
    "SELECT table_name, column_name, ordinal_position, column_default, is_nullable, data_type, character_maximum_length, numeric_precision,"
    " collation_name, column_type, column_key, extra, column_comment FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY 1, 3",
    "SELECT table_name, index_name, seq_in_index, column_name, collation, sub_part, nullable, index_type, non_unique"
    " FROM information_schema.statistics WHERE table_schema = DATABASE() ORDER BY 1, 2, 3",
    "SELECT constraint_name, table_name, column_name, referenced_table_name, referenced_column_name FROM information_schema.key_column_usage"
    " WHERE table_schema = DATABASE() ORDER BY 1, 2, 3",
)


def unpack(packages):
    """The folder with the packages' files."""
    folder, unpacked = cache("debian-schemas"), cache("debian-schemas", "files")
    for p in packages:
        if not any(folder.glob(f"{p}_*.deb")):
            run("apt-get", "download", "-qq", p, cwd=folder)
        if not (unpacked / p).is_dir():
            run("dpkg", "-x", next(folder.glob(f"{p}_*.deb")), unpacked / p)
    return [unpacked / p for p in packages]


def files(packages, patterns):
    """(name, text) of the files to load, each once."""
    seen = []
    for pattern in patterns:
        for root in unpack(packages):
            seen += [f for f in sorted(root.glob(pattern)) if f not in seen]
    return [(f.name, gzip.decompress(f.read_bytes()) if f.suffix == ".gz" else f.read_bytes()) for f in seen]


def load(server, application, texts):
    """Loads the files and tells, as lines, what happened and what is there."""
    server.query(f"CREATE DATABASE `{application}` CHARACTER SET utf8mb4")
    lines = []
    for name, text in texts:
        command = ["mysql", "--no-defaults", "-uroot", f"--socket={server.socket}", "--force", "--show-warnings", "-v", application]
        done = subprocess.run(command, input=text, capture_output=True, timeout=300)
        told = done.stderr.decode(errors="replace").splitlines()
        told += [x for x in done.stdout.decode(errors="replace").splitlines() if re.match(r"(Warning|Note|Error) \(Code", x)]
        lines += [f"{name}: {x}" for x in told]
    for table, kind in server.query(f"SHOW FULL TABLES FROM `{application}`"):
        try:
            lines += [f"{table}: {x}" for x in server.query(f"SHOW CREATE TABLE `{application}`.`{table}`")[0][1].splitlines()]
            lines.append(f"{table}: {server.query(f'SELECT COUNT(*) FROM `{application}`.`{table}`')[0][0]} rows")
        except Exception as e:  # noqa: BLE001 (a view of a table that went is an answer like any other)
            lines.append(f"{table} ({kind}): {e!r}")
    for sql in INFORMATION:
        lines += [str(r) for r in server.query(sql, application)]
    return lines


def main():
    names = sys.argv[1:] or list(APPLICATIONS)
    texts = {n: files(*APPLICATIONS[n]) for n in names}
    answers = []
    for kind in (MySQL, Server):
        server = kind()
        try:
            server.start()
            answers.append({n: load(server, n, texts[n]) for n in names})
        finally:
            server.kill()
            server.remove()
    wrong = 0
    for n in names:
        theirs, ours = answers[0][n], answers[1][n]
        differ = [x for x in difflib.unified_diff(theirs, ours, "mysql", "evenkeel", n=0, lineterm="") if x[0] in "+-" and x[:3] not in ("+++", "---")]
        left = [x for x in differ if not any(a in ("", n) and re.search(p, x) for a, p in EXPLAINED)]
        wrong += bool(left)
        print(f"{n}: {len(texts[n])} files, {len(ours)} lines, {len(differ)} differ, {len(left)} without an explanation")
        for x in left[:400]:
            print("   ", x[:220])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
