#!/usr/bin/env python3
"""Dumps with stored programs, loaded into Evenkeel and into a real MySQL (scripts/mysql-peer.sh), compared and used.

    tests/suites/dumps.py [--iredmail DIR] [--classicmodels DIR] [--freeradius DIR] [--only NAME] [--verbose]

What is loaded, each file through MySQL's `mysql` client with --force, so that errors are part of the comparison:

freeradius     Debian's package freeradius-config, downloaded with apt-get and unpacked, not installed: accounting, address
               pools, DHCP pools and the rest of mods-config/sql; `lockless` are its procedures for servers without SKIP
               LOCKED, which have the same names
  _loose       the same with an empty sql_mode, without which one of its tables (`cui`, zero dates) and a procedure (DATETIME
               DEFAULT 0) fail on MySQL, too
freeradius4    the same of FreeRADIUS 4: a clone (bare or not) of github.com/FreeRADIUS/freeradius-server, `--freeradius`
iredmail       samples/ and update/ of a clone of github.com/iredmail/iRedMail, `--iredmail`
classicmodels  mysqlsampledatabase.sql at the top of a clone, github.com/hhorak/mysql-sample-db for one, `--classicmodels`

Then SHOW CREATE of every table, view, routine, trigger and event, the rows of information_schema about them, CHECKSUM
TABLE, and the dumps' programs in use (`USES`): calls with a fixed clock whose results and rows must be the same, an event
that calls, and eight clients at once that ask the pools for addresses, of which each may be given once. Exit code 1 when
something differs that EXPLAINED does not name. Nothing of the dumps' text is in this repository.
"""
import argparse
import difflib
import pathlib
import re
import subprocess
import sys
import threading
import time

import pymysql

from common import MySQL, Server
from debian_schemas import unpack

SQL = "mods-config/sql"
RADIUS = ["main/mysql/schema.sql", "main/mysql/process-radacct.sql", "main/mysql/extras/wimax/schema.sql", "ippool/mysql/schema.sql",
          "ippool/mysql/procedure.sql", "cui/mysql/schema.sql"]
RADIUS3 = ["ippool-dhcp/mysql/schema.sql", "ippool-dhcp/mysql/procedure.sql", "dhcp/mysql/schema.sql", "moonshot-targeted-ids/mysql/schema.sql"]
LOCKLESS = [f"{pool}/mysql/{file}.sql" for pool in ("ippool", "ippool-dhcp") for file in ("schema", "procedure-no-skip-locked")]
# what iRedMail's installer puts into a template's place
PLACES = {"VMAIL_DB_NAME": "vmail", "VMAIL_DB_BIND_USER": "vmail", "VMAIL_DB_ADMIN_USER": "vmailadmin", "MYSQL_GRANT_HOST": "localhost",
          "FIRST_DOMAIN": "example.com", "TRANSPORT": "dovecot", "DOMAIN_ADMIN_EMAIL": "postmaster@example.com"}
IREDMAIL = [("mysql", "samples/mysql/sql/init_vmail_db.sql"), ("vmail", "samples/iredmail/iredmail.mysql"), ("vmail", "samples/mysql/sql/add_first_domain_and_user.sql"),
            ("dovecot", "samples/dovecot/sql/used_quota.mysql"), ("dovecot", "samples/dovecot/sql/imap_share_folder.mysql"),
            ("dovecot", "samples/dovecot/sql/last_login.mysql"), ("amavisd", "samples/amavisd/amavisd.mysql"),
            ("amavisd", "samples/amavisd/default_spam_policy.sql"), ("fail2ban", "samples/fail2ban/sql/fail2ban.mysql")]
UPDATES = [("vmail", f"update/{f}.mysql") for f in ("1.4.0/iredmail", "1.6.3/iredmail", "1.7.2/vmail", "1.7.3/deleted_mailboxes", "1.7.3/vmail", "1.7.3/iredadmin")]
UPDATES += [("amavisd", "update/1.7.1/amavisd.mysql"), ("fail2ban", "update/1.7.0/fail2ban.mysql")]
# (dump or "", pattern of a line that differs): why
EXPLAINED = {
    ("", r"Warning \(Code 1285\)"): "the peer is started with --skip-name-resolve",
    ("", r"'FLUSH PRIVILEGES' is deprecated"): "since MySQL 9, not in 8.4",
    ("", r"ERROR 1396 .*Operation CREATE USER failed for 'radius'@'localhost'"): "MySQL 9 adds the reason: dhcp/mysql/setup.sql makes the account once more",
    ("freeradius4", r"^-setup: (ERROR|Error)|^\+radius information: .\"'radius'@"): "IDENTIFIED WITH mysql_native_password, which 8.4 still has: no account on 9.7",
}
# the sql_mode with which a dump is loaded, where it is not the default
MODES = {"freeradius_loose": "", "freeradius4_loose": ""}
CLOCK = 1750000000
# kind, the names, how many fields of SHOW CREATE (behind them: times)
OBJECTS = (
    ("TABLE", "SELECT table_name FROM information_schema.tables WHERE table_schema = '{0}' ORDER BY 1", 2),
    ("PROCEDURE", "SELECT routine_name FROM information_schema.routines WHERE routine_schema = '{0}' AND routine_type = 'PROCEDURE' ORDER BY 1", None),
    ("FUNCTION", "SELECT routine_name FROM information_schema.routines WHERE routine_schema = '{0}' AND routine_type = 'FUNCTION' ORDER BY 1", None),
    ("TRIGGER", "SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = '{0}' ORDER BY 1", 6),
    ("EVENT", "SELECT event_name FROM information_schema.events WHERE event_schema = '{0}' ORDER BY 1", None),
)
# how a schema is described, without times of creation
DESCRIBED = (
    "SELECT * FROM information_schema.parameters WHERE specific_schema = '{0}' ORDER BY specific_name, ordinal_position",
    "SELECT routine_name, routine_type, data_type, routine_definition, sql_data_access, security_type, sql_mode, definer, is_deterministic, character_set_client,"
    " collation_connection, database_collation FROM information_schema.routines WHERE routine_schema = '{0}' ORDER BY 1",
    "SELECT trigger_name, event_manipulation, event_object_table, action_order, action_statement, action_timing, sql_mode, definer, character_set_client,"
    " collation_connection FROM information_schema.triggers WHERE trigger_schema = '{0}' ORDER BY 1",
    "SELECT table_name, column_name, ordinal_position, column_default, is_nullable, column_type, collation_name, column_key, extra"
    " FROM information_schema.columns WHERE table_schema = '{0}' ORDER BY 1, 3",
    "SELECT table_name, index_name, seq_in_index, column_name, sub_part, non_unique FROM information_schema.statistics WHERE table_schema = '{0}' ORDER BY 1, 2, 3",
    "SELECT table_name, view_definition, check_option, is_updatable, definer, security_type FROM information_schema.views WHERE table_schema = '{0}' ORDER BY 1",
    "SELECT constraint_name, table_name, column_name, referenced_table_name, referenced_column_name FROM information_schema.key_column_usage"
    " WHERE table_schema = '{0}' ORDER BY 1, 2, 3",
    "SELECT grantee, privilege_type, table_name FROM information_schema.table_privileges WHERE table_schema = '{0}' ORDER BY 1, 2, 3",
)

ACCOUNTING = [
    f"SET timestamp = {CLOCK}, time_zone = '+00:00'",
    "INSERT INTO radacct (acctsessionid, acctuniqueid, username, nasipaddress, acctstarttime, acctstoptime, acctinputoctets, acctoutputoctets) VALUES"
    " ('1', 'u1', 'ann', '10.0.0.1', '2025-06-15 10:00:00', '2025-06-15 11:00:00', 1000, 5000), ('2', 'u2', 'ann', '10.0.0.1', '2025-06-15 12:00:00', NULL, 70, 700),"
    " ('3', 'u3', 'bob', '10.0.0.2', '2025-06-15 09:00:00', NULL, 11, 13), ('4', 'u4', 'cid', '10.0.0.2', '2025-06-01', '2025-06-02', NULL, NULL)",
    "CALL fr_new_data_usage_period()", "SHOW WARNINGS", "SELECT * FROM data_usage_by_period ORDER BY 1, 2",
    "UPDATE radacct SET acctinputoctets = acctinputoctets + 30, acctoutputoctets = 1713 WHERE acctstoptime IS NULL",
    "SET timestamp = 1750086400", "CALL fr_new_data_usage_period()", "SELECT * FROM data_usage_by_period ORDER BY 1, 2",
    # a second time in the same second: the key is there, all is rolled back
    "CALL fr_new_data_usage_period()", "SELECT * FROM data_usage_by_period ORDER BY 1, 2",
    "INSERT INTO nasreload VALUES ('10.0.0.2', '2025-06-16 00:00:00')", "SELECT username, acctstoptime_with_reloads, acctsessiontime_with_reloads FROM radacct_with_reloads ORDER BY radacctid",
    "INSERT INTO radacct (acctsessionid, acctuniqueid, username, nasipaddress, acctstarttime) WITH RECURSIVE s AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM s WHERE n < 900)"
    " SELECT n, CONCAT('w', n), CONCAT('user', n MOD 50), CONCAT('10.0.0.', n MOD 4), '2025-06-15 08:00:00' + INTERVAL n MINUTE FROM s",
    "CALL fr_radacct_close_after_reload()", "SELECT acctterminatecause, COUNT(*), SUM(acctsessiontime) FROM radacct GROUP BY 1 ORDER BY 1",
    "SELECT period_start, period_end, COUNT(*), SUM(acctinputoctets), SUM(acctoutputoctets) FROM data_usage_by_period GROUP BY 1, 2 ORDER BY 1, 2",
]
# once a day, its prose says
EVENT = ["CREATE EVENT daily ON SCHEDULE EVERY 1 DAY DO CALL fr_new_data_usage_period()",
         "SELECT COUNT(*), SUM(acctinputoctets IS NULL) FROM data_usage_by_period WHERE period_end IS NOT NULL OR period_start > '2026-01-01'"]


def pool(table, column, procedure, arguments):
    """Calls for a pool of addresses with a fixed clock: a new one, the same again, a renewed one, two that are asked for, none left."""
    call = lambda owner, wanted="0.0.0.0", named="pool1": f"CALL {procedure}({arguments.format(pool=named, owner=owner, wanted=wanted)})"
    return [
        f"SET timestamp = {CLOCK}, time_zone = '+00:00'",
        f"INSERT INTO {table} (pool_name, {column}, expiry_time) VALUES ('pool1', '192.0.2.1', '2025-06-01'), ('pool1', '192.0.2.2', '2025-06-02'),"
        " ('pool1', '192.0.2.3', '2025-06-03'), ('pool2', '198.51.100.1', '2030-01-01')",
        call("a"), call("a"), call("b"), call("c", "192.0.2.3"), call("d"), call("d", named="pool2"), call("d", named="none"),
        "SET timestamp = 1750009999", call("e", "192.0.2.2"), call("f", "192.0.2.77"), "SHOW WARNINGS",
        f"SELECT * FROM {table} ORDER BY id", "SELECT @@transaction_isolation, IS_USED_LOCK('radippool_192.0.2.1') IS NULL",
    ]


POOL3 = ("radippool", "framedipaddress", "fr_allocate_previous_or_new_framedipaddress", "'{pool}', 'u{owner}', 'calling{owner}', 'called', '10.0.0.1', '{owner}', 3600")
POOL3_LOCKLESS = (*POOL3[:3], POOL3[3].replace(" 'called',", ""))
DHCP3 = ("dhcpippool", "framedipaddress", "fr_dhcp_allocate_previous_or_new_framedipaddress", "'{pool}', '10.0.0.1', '{owner}', 3600, '{wanted}'")
DHCP3_LOCKLESS = (*DHCP3[:2], POOL3[2], DHCP3[3])
POOL4 = ("fr_ippool", "address", "fr_ippool_allocate_previous_or_new_address", "'{pool}', '10.0.0.1', '{owner}', 3600, '{wanted}'")
QUOTA = ["INSERT INTO used_quota (username, bytes, messages) VALUES ('a@example.com', 10, 1), ('b@other@x.org', 5, 2), ('nobody', 0, 0)",
         "INSERT INTO used_quota (username, bytes, messages, domain) VALUES ('a@example.com', 20, 2, 'wrong') ON DUPLICATE KEY UPDATE bytes = VALUES(bytes), domain = VALUES(domain)",
         "REPLACE INTO used_quota VALUES ('nobody', 1, 1, 'x')", "SELECT * FROM used_quota ORDER BY 1"]
AMAVISD = ["INSERT INTO maddr (email, domain) VALUES ('user+abc@domain.com', 'com.domain'), ('plain@domain.com', 'com.domain'), ('a+b+c@d@e', ''), ('+@', '')",
           "INSERT IGNORE INTO maddr (email, domain) VALUES ('plain@domain.com', 'x'), ('new+@domain.com', 'y')", "SHOW WARNINGS", "SELECT * FROM maddr ORDER BY id"]
# programs of ours on the sample database, which has none
ORDERS = [
    "CREATE TABLE stock_log (id INT AUTO_INCREMENT PRIMARY KEY, productCode VARCHAR(15), was INT, became INT)",
    "CREATE TRIGGER taken AFTER INSERT ON orderdetails FOR EACH ROW UPDATE products SET quantityInStock = quantityInStock - NEW.quantityOrdered WHERE productCode = NEW.productCode",
    "CREATE TRIGGER logged BEFORE UPDATE ON products FOR EACH ROW BEGIN IF NEW.quantityInStock < 0 THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'out of stock'; END IF;"
    " INSERT INTO stock_log (productCode, was, became) VALUES (OLD.productCode, OLD.quantityInStock, NEW.quantityInStock); END",
    "CREATE FUNCTION level_of(credit DECIMAL(10,2)) RETURNS VARCHAR(20) DETERMINISTIC RETURN IF(credit > 50000, 'PLATINUM', IF(credit >= 10000, 'GOLD', 'SILVER'))",
    "CREATE PROCEDURE mails(INOUT list TEXT) BEGIN DECLARE done INT DEFAULT 0; DECLARE mail VARCHAR(100); DECLARE c CURSOR FOR SELECT email FROM employees ORDER BY employeeNumber;"
    " DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1; OPEN c; l: LOOP FETCH c INTO mail; IF done THEN LEAVE l; END IF; SET list = CONCAT(mail, ';', list); END LOOP; CLOSE c; END",
    "SELECT level_of(creditLimit) AS l, COUNT(*), SUM(creditLimit) FROM customers GROUP BY l ORDER BY l", "SET @list = ''", "CALL mails(@list)", "SELECT @list",
    "INSERT INTO orderdetails VALUES (10100, 'S10_1678', 33, 100.5, 9), (10100, 'S10_1949', 40, 200, 10)", "INSERT INTO orderdetails VALUES (10100, 'S10_2016', 30000, 1, 11)",
    "SELECT * FROM stock_log", "SELECT productCode, quantityInStock FROM products WHERE productCode IN ('S10_1678', 'S10_1949', 'S10_2016') ORDER BY 1",
]
# of a dump: schema: (statements, the pools that its clients ask at once)
FREERADIUS3 = {"radius": (ACCOUNTING + pool(*POOL3) + pool(*DHCP3), [POOL3, DHCP3])}
FREERADIUS4 = {"radius": (ACCOUNTING + pool(*POOL4), [POOL4])}
USES = {
    "freeradius": FREERADIUS3,
    "freeradius_loose": FREERADIUS3,
    "lockless": {"lockless": (pool(*POOL3_LOCKLESS), [])},
    "lockless_dhcp": {"lockless_dhcp": (pool(*DHCP3_LOCKLESS), [])},
    "freeradius4": FREERADIUS4,
    "freeradius4_loose": FREERADIUS4,
    "iredmail": {"dovecot": (QUOTA, []), "vmail": (QUOTA + ["SELECT * FROM mailbox", "SELECT * FROM forwardings"], []), "amavisd": (AMAVISD, [])},
    "classicmodels": {"classicmodels": (ORDERS, [])},
}


def shown(git, path):
    """A file of a clone."""
    done = subprocess.run(["git", "-C", str(git), "show", f"HEAD:{path}"], capture_output=True)
    return done.stdout if done.returncode == 0 else None


def filled(text):
    return re.sub(rb"PH_([A-Z_]+)", lambda m: PLACES.get(m[1].decode(), m[1].decode().lower()).encode(), text)


def dumps(a):
    """Name: list of (schema, name of a file, text)."""
    root = unpack(["freeradius-config"])[0] / "etc/freeradius/3.0" / SQL
    read = lambda schema, files: [(schema, f, (root / f).read_bytes()) for f in files]
    out = {
        "freeradius": read("radius", [*RADIUS, *RADIUS3]) + read("mysql", ["main/mysql/setup.sql", "dhcp/mysql/setup.sql"]),
        "lockless": read("lockless", LOCKLESS[:2]),
        "lockless_dhcp": read("lockless_dhcp", LOCKLESS[2:]),
    }
    out["freeradius_loose"] = out["freeradius"][:-1]
    if a.freeradius:
        of = lambda f: shown(a.freeradius, f"raddb/{SQL}/{f}")
        out["freeradius4"] = [("radius", f, of(f)) for f in RADIUS] + [("mysql", "setup", of("main/mysql/setup.sql"))]
        out["freeradius4_loose"] = out["freeradius4"][:-1]
    if a.iredmail:
        out["iredmail"] = [(schema, f, filled(shown(a.iredmail, f))) for schema, f in IREDMAIL]
        out["iredmail_updates"] = [(schema, f, filled(shown(a.iredmail, f))) for schema, f in IREDMAIL + UPDATES]
    if a.classicmodels:
        out["classicmodels"] = [("mysql", "mysqlsampledatabase.sql", shown(a.classicmodels, "mysqlsampledatabase.sql"))]
    return {n: files for n, files in out.items() if not a.only or n in a.only}


def load(server, files, mode):
    """What the client and the server say of the files, loaded with a clock that stands still."""
    lines, settings = [], f"SET timestamp = {CLOCK}" + ("" if mode is None else f", sql_mode = '{mode}'")
    for schema, name, text in files:
        server.query(f"CREATE DATABASE IF NOT EXISTS `{schema}`")
        command = [*MySQL.program("usr/bin/mysql"), "--no-defaults", "-uroot", f"--socket={server.socket}", "--force", "--show-warnings", "--comments", "-v",
                   f"--init-command={settings}", schema]
        done = subprocess.run(command, input=text, capture_output=True, timeout=300)
        told = done.stderr.decode(errors="replace").splitlines()
        told += [x for x in done.stdout.decode(errors="replace").splitlines() if re.match(r"(Warning|Note|Error) \(Code", x)]
        lines += [f"{name}: {x}" for x in told]
    return lines


def schemas(server):
    told = [r[0] for r in server.query("SELECT schema_name FROM information_schema.schemata ORDER BY 1")]
    return [s for s in told if s not in ("mysql", "sys", "information_schema", "performance_schema")]


def described(server):
    """What is there, as lines."""
    lines = []
    for schema in schemas(server):
        for kind, names, width in OBJECTS:
            for (name,) in server.query(names.format(schema)):
                row = server.query(f"SHOW CREATE {kind} `{schema}`.`{name}`")[0][:width]
                lines += [f"{schema} {kind} {name}: {x}" for field in row for x in str(field).splitlines()]
                if kind == "TABLE":
                    lines.append(f"{schema} rows and checksum: {server.query(f'SELECT COUNT(*) FROM `{schema}`.`{name}`')} {server.query(f'CHECKSUM TABLE `{schema}`.`{name}` EXTENDED')}")
        lines += [f"{schema} information: {row}" for sql in DESCRIBED for row in server.query(sql.format(schema))]
    return lines


def answers(server, schema, statements):
    """Each statement and all that it answers."""
    lines = []
    with server.connect(database=schema) as c, c.cursor() as cursor:
        for sql in statements:
            lines.append(f"{schema}> {sql}")
            try:
                cursor.execute(sql)
                while True:
                    lines += [f"    {row}" for row in cursor.fetchall()] or [f"    {cursor.rowcount} rows"]
                    if not cursor.nextset():
                        break
            except pymysql.err.MySQLError as e:
                lines.append(f"    {e}")
    return lines


def event(server):
    """The event, which runs at once: what it has left."""
    with server.connect(database="radius") as c, c.cursor() as cursor:
        cursor.execute("UPDATE radacct SET acctinputoctets = 1 WHERE acctstoptime IS NULL")
        cursor.execute(EVENT[0])
        deadline = time.time() + 60
        while time.time() < deadline:
            cursor.execute("SELECT COUNT(*) FROM data_usage_by_period WHERE period_end > NOW() - INTERVAL 1 HOUR")
            if cursor.fetchone()[0]:
                break
            time.sleep(0.1)
        cursor.execute(EVENT[1])
        return [f"the event: {cursor.fetchall()}"]


def at_once(server, schema, table, column, procedure, arguments, clients=8, each=50):
    """As many clients at once as many times each ask for an address: (what went wrong, how often a client had to ask again)."""
    with server.connect(database=schema) as c, c.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} (pool_name, {column}, expiry_time) VALUES " + ", ".join(f"('big', '10.9.{n // 250}.{n % 250}', '2025-01-01')" for n in range(clients * each)))
    given, again, errors, lock = [], [0], [], threading.Lock()

    def client(n):
        with server.connect(database=schema) as c, c.cursor() as cursor:
            for i in range(each):
                while True:
                    try:
                        cursor.execute(f"CALL {procedure}({arguments.format(pool='big', owner=f'{n}-{i}', wanted='0.0.0.0')})")
                        with lock:
                            given.append(cursor.fetchone())
                        while cursor.nextset():
                            pass
                        break
                    except pymysql.err.MySQLError as e:
                        if e.args[0] not in (1205, 1213):
                            errors.append(str(e))
                            return
                        again[0] += 1

    threads = [threading.Thread(target=client, args=(n,)) for n in range(clients)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    right = len(given) == len(set(given)) == clients * each and None not in given
    return [f"{procedure} of {clients} clients at once: {'each address once' if right else f'{len(given)} given, {len(set(given))} different'} {errors[:3]}"], again[0]


def one(kind, name, files):
    """Everything about a dump on a new server: (lines of loading, lines of what is there and what it does, remarks)."""
    server = kind().start()
    try:
        loaded, lines, remarks = load(server, files, MODES.get(name)), described(server), []
        for schema, (statements, pools) in USES.get(name, {}).items():
            lines += answers(server, schema, statements)
            if "fr_new_data_usage_period" in str(statements):
                lines += event(server)
            for p in pools:
                told, again = at_once(server, schema, *p)
                lines += told
                remarks.append(f"{told[0]}, {again} times again ({server.name})")
        return loaded, lines, remarks
    finally:
        server.kill()
        server.remove()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--iredmail", "--classicmodels", "--freeradius"):
        p.add_argument(option, type=pathlib.Path)
    p.add_argument("--only", action="append")
    p.add_argument("--verbose", action="store_true", help="what MySQL says while it loads, and answers")
    a = p.parse_args()
    wrong = 0
    for name, files in dumps(a).items():
        theirs, ours = (one(kind, name, files) for kind in (MySQL, Server))
        differ = [x for x in difflib.unified_diff(theirs[0] + theirs[1], ours[0] + ours[1], n=0, lineterm="") if x[0] in "+-" and x[:3] not in ("+++", "---")]
        left = [x for x in differ if not any(d in ("", name) and re.search(p, x) for d, p in EXPLAINED)]
        wrong += bool(left)
        errors = [sum("ERROR" in x for x in loaded) for loaded in (ours[0], theirs[0])]
        print(f"{name}: {len(files)} files, {errors[0]} errors here and {errors[1]} on MySQL, {len(ours[0]) + len(ours[1])} lines, {len(differ)} differ, {len(left)} without an explanation", flush=True)
        print("".join(f"    {x}\n" for x in theirs[2] + ours[2]), end="")
        if a.verbose:
            print("\n".join(theirs[0] + [x for x in theirs[1] if x[:1] == " " or "> " in x]))
        for x in left[:400]:
            print("   ", x[:300])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
