"""Who may change which account: every kind of account statement, by many actors, on many targets. MySQL's answers are in `account_rules.json`: the error's number and
text, and for a statement that went through what SHOW GRANTS says of the accounts afterwards.

`python tests/clients/test_account_rules.py --mysql` asks the MySQL of scripts/mysql-peer.sh and writes that file anew; without the flag it lists the differences."""
import json
import os
import pathlib
import re
import sys

import pymysql
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import MySQL, Server  # noqa: E402

KINDS = [Server] + ([MySQL] if os.environ.get("EVENKEEL_MYSQL") and MySQL.folder() else [])
ANSWERS = pathlib.Path(__file__).with_name("account_rules.json")

# (name, what it is granted, its active roles)
ACTORS = [
    ("plain", [], None),
    ("creator", ["CREATE USER ON *.* TO creator"], None),
    ("creator_su", ["CREATE USER, SYSTEM_USER ON *.* TO creator_su"], None),
    ("creator_su_role", ["CREATE USER ON *.* TO creator_su_role", "r_su TO creator_su_role"], "r_su"),
    ("role_creator", ["r_creator TO role_creator"], "r_creator"),
    ("maker", ["CREATE ROLE ON *.* TO maker"], None),
    ("dropper", ["DROP ROLE ON *.* TO dropper"], None),
    ("role_admin", ["ROLE_ADMIN ON *.* TO role_admin"], None),
    ("role_admin_su", ["ROLE_ADMIN, SYSTEM_USER ON *.* TO role_admin_su"], None),
    ("super", ["SUPER ON *.* TO super"], None),
    ("app_admin", ["APPLICATION_PASSWORD_ADMIN ON *.* TO app_admin"], None),
    ("auth_admin", ["CREATE USER, AUTHENTICATION_POLICY_ADMIN, PASSWORDLESS_USER_ADMIN ON *.* TO auth_admin"], None),
    ("reader", ["SELECT ON mysql.* TO reader"], None),
    ("writer", ["SELECT, INSERT, UPDATE, DELETE ON mysql.* TO writer"], None),
    ("user_updater", ["UPDATE ON mysql.user TO user_updater"], None),
    ("lender", ["SELECT, CREATE USER ON *.* TO lender WITH GRANT OPTION"], None),
    ("lender_some", ["SELECT ON *.* TO lender_some WITH GRANT OPTION", "BACKUP_ADMIN ON *.* TO lender_some"], None),
    ("dyn_lender", ["BACKUP_ADMIN ON *.* TO dyn_lender WITH GRANT OPTION"], None),
    ("db_lender", ["SELECT, INSERT ON d.* TO db_lender WITH GRANT OPTION"], None),
    ("table_lender", ["SELECT ON d.t TO table_lender WITH GRANT OPTION"], None),
    ("column_lender", ["SELECT (a) ON d.t TO column_lender", "GRANT OPTION ON d.t TO column_lender"], None),
    ("ord_admin", ["ord TO ord_admin WITH ADMIN OPTION"], None),
    ("su_admin", ["r_su TO su_admin WITH ADMIN OPTION"], None),
    ("proxy_lender", ["PROXY ON victim TO proxy_lender WITH GRANT OPTION"], None),
    ("everything", ["ALL ON *.* TO everything"], None),
    ("all_lender", ["ALL ON *.* TO all_lender WITH GRANT OPTION"], None),
    ("statics", ["ALL ON *.* TO statics WITH GRANT OPTION", "-SYSTEM_USER ON *.* FROM statics"], None),
]

# names that a statement is tried on
USERS = ["victim", "guarded", "via_default", "via_role", "via_deep", "'root'@'localhost'"]
ROLES = ["ord", "r_su", "r_mid", "r_all"]

# made anew after each statement that changed something
TARGETS = [
    "CREATE ROLE ord, r_su, r_mid, r_all, r_creator, r_free",
    "GRANT SELECT ON d.* TO ord",
    "GRANT SYSTEM_USER ON *.* TO r_su",
    "GRANT r_su TO r_mid",
    "GRANT ALL ON *.* TO r_all",
    "GRANT CREATE USER ON *.* TO r_creator",
    "CREATE USER victim IDENTIFIED BY 'v', guarded IDENTIFIED BY 'g', via_default, via_role, via_deep",
    "GRANT SELECT ON d.* TO victim, guarded",
    "GRANT ord TO victim, guarded",
    "GRANT SYSTEM_USER ON *.* TO guarded",
    "GRANT r_su TO via_default, via_role",
    "SET DEFAULT ROLE r_su TO via_default",
    "GRANT r_mid TO via_deep",
]
NAMES = ["ord", "r_su", "r_mid", "r_all", "r_creator", "r_free", "victim", "guarded", "via_default", "via_role", "via_deep"]
CREATED = ["made", "made2", "renamed", "made_role"]


def statements():
    """Every statement, most of them on every target."""
    out = []

    def each(text, names):
        out.extend(text.replace("{}", n) for n in names)

    each("ALTER USER {} IDENTIFIED BY 'new'", USERS + ["ord", "r_su"])
    each("ALTER USER {} ACCOUNT LOCK", USERS + ["r_su"])
    each("ALTER USER {} REQUIRE SSL", ["victim", "guarded", "via_default"])
    each("ALTER USER {} WITH MAX_QUERIES_PER_HOUR 1000", ["victim", "guarded"])
    each("ALTER USER {} COMMENT 'x'", ["victim", "guarded"])
    each("ALTER USER {} ATTRIBUTE '{\"a\": 1}'", ["victim", "guarded"])
    each("ALTER USER {} PASSWORD EXPIRE", ["victim", "guarded"])
    each("ALTER USER {} DISCARD OLD PASSWORD", ["victim", "guarded"])
    each("ALTER USER {} IDENTIFIED BY 'n' RETAIN CURRENT PASSWORD", ["victim", "guarded"])
    each("ALTER USER {} DEFAULT ROLE NONE", USERS)
    each("ALTER USER {} DEFAULT ROLE ALL", ["victim", "guarded", "via_default", "via_role", "via_deep"])
    each("ALTER USER IF EXISTS {} ACCOUNT UNLOCK", ["nobody", "guarded"])
    each("ALTER USER nobody, {} ACCOUNT UNLOCK", ["victim", "guarded"])
    each("ALTER USER victim, {} ACCOUNT UNLOCK", ["guarded", "via_default"])
    each("SET PASSWORD FOR {} = 'new'", USERS + ["nobody"])
    each("SET DEFAULT ROLE NONE TO {}", USERS)
    each("SET DEFAULT ROLE ALL TO {}", ["victim", "guarded", "via_role"])
    each("SET DEFAULT ROLE ord TO {}", ["victim", "guarded"])
    each("SET DEFAULT ROLE r_su TO {}", ["victim", "via_role", "via_default"])
    each("DROP USER {}", USERS[:-1] + ROLES + ["nobody", "victim, guarded"])
    each("DROP ROLE {}", ROLES + USERS[:-1] + ["nobody", "ord, r_su"])
    each("DROP USER IF EXISTS {}", ["nobody", "guarded", "via_default"])
    each("DROP ROLE IF EXISTS {}", ["nobody", "r_su"])
    each("RENAME USER {} TO renamed", USERS[:-1] + ["ord", "r_free", "nobody", "r_all"])
    each("CREATE USER {}", ["made", "victim", "made IDENTIFIED BY 'x'", "made ACCOUNT LOCK", "made COMMENT 'c'", "IF NOT EXISTS guarded"])
    each("CREATE USER made DEFAULT ROLE {}", ROLES + ["r_free", "guarded", "victim", "'root'@'localhost'", "ord, r_su", "nobody"])
    each("CREATE USER made, made2 DEFAULT ROLE {}", ["ord", "r_all"])
    each("CREATE ROLE {}", ["made_role", "victim", "ord", "IF NOT EXISTS r_su"])
    each("GRANT {} TO victim", ROLES + ["guarded", "via_default", "'root'@'localhost'", "r_creator", "nobody", "ord, r_su"])
    each("GRANT ord TO {}", USERS[1:] + ROLES[1:] + ["nobody", "victim, guarded"])
    each("GRANT {} TO victim WITH ADMIN OPTION", ["ord", "r_su"])
    each("GRANT {} TO CURRENT_USER()", ["ord", "r_su", "r_all", "guarded", "'root'@'localhost'"])
    each("REVOKE ord FROM {}", USERS + ["r_su", "nobody"])
    each("REVOKE r_su FROM {}", ["via_default", "via_role", "r_mid", "victim"])
    each("REVOKE {} FROM victim", ["r_all", "guarded"])
    each("GRANT SELECT ON *.* TO {}", USERS + ROLES)
    each("GRANT SELECT ON d.* TO {}", USERS + ["r_su", "r_mid", "nobody", "victim, guarded"])
    each("GRANT INSERT ON d.t TO {}", ["victim", "guarded", "r_su"])
    each("GRANT SELECT ON d.t TO {}", ["victim", "guarded", "via_default"])
    each("GRANT SELECT (a) ON d.t TO {}", ["victim", "guarded"])
    each("GRANT SELECT (b) ON d.t TO {}", ["victim"])
    each("GRANT UPDATE (a) ON d.t TO {}", ["victim"])
    each("GRANT GRANT OPTION ON d.* TO {}", ["victim", "guarded"])
    each("GRANT ALL ON d.* TO {}", ["victim", "guarded"])
    each("GRANT ALL ON d.t TO {}", ["victim"])
    each("GRANT ALL ON *.* TO {}", ["victim", "guarded", "ord", "r_su"])
    each("GRANT ALL ON *.* TO {} WITH GRANT OPTION", ["victim"])
    each("GRANT USAGE ON *.* TO {}", ["victim", "guarded"])
    each("GRANT USAGE ON d.* TO {}", ["victim"])
    each("GRANT USAGE ON *.* TO {} WITH GRANT OPTION", ["victim"])
    each("GRANT CREATE USER ON *.* TO {}", ["victim", "guarded", "CURRENT_USER()"])
    each("GRANT SYSTEM_USER ON *.* TO {}", ["victim", "guarded", "r_free", "CURRENT_USER()"])
    each("GRANT BACKUP_ADMIN ON *.* TO {}", ["victim", "guarded", "r_su"])
    each("GRANT BACKUP_ADMIN ON *.* TO {} WITH GRANT OPTION", ["victim"])
    each("GRANT SELECT, BACKUP_ADMIN ON *.* TO {}", ["victim"])
    each("GRANT SELECT ON *.* TO {} AS victim", ["victim"])
    each("GRANT SUPER ON *.* TO {}", ["victim", "CURRENT_USER()"])
    each("GRANT PROXY ON victim TO {}", ["ord", "guarded", "via_default", "CURRENT_USER()"])
    each("GRANT PROXY ON {} TO victim", ["guarded", "''@''", "'root'@'localhost'"])
    each("GRANT PROXY ON victim TO {} WITH GRANT OPTION", ["ord"])
    each("REVOKE PROXY ON victim FROM {}", ["guarded", "ord"])
    each("REVOKE IF EXISTS PROXY ON victim FROM {}", ["guarded", "ord"])
    each("REVOKE SELECT ON d.* FROM {}", USERS + ["ord", "r_su", "nobody"])
    each("REVOKE SELECT ON *.* FROM {}", ["victim", "guarded", "'root'@'localhost'", "r_all"])
    each("REVOKE IF EXISTS SELECT ON d.* FROM {}", ["victim", "guarded", "via_default"])
    each("REVOKE SELECT ON d.* FROM nobody IGNORE UNKNOWN USER", [""])
    each("REVOKE ALL ON d.* FROM {}", ["victim", "guarded"])
    each("REVOKE ALL ON *.* FROM {}", USERS[:-1] + ["r_su", "r_all"])
    each("REVOKE ALL, GRANT OPTION FROM {}", USERS[:-1] + ROLES + ["'root'@'localhost'", "victim, guarded", "nobody"])
    each("REVOKE GRANT OPTION ON *.* FROM {}", ["victim", "guarded"])
    each("REVOKE SYSTEM_USER ON *.* FROM {}", ["victim", "guarded", "r_su", "'root'@'localhost'"])
    each("REVOKE BACKUP_ADMIN ON *.* FROM {}", ["victim", "guarded", "r_all"])
    each("SHOW CREATE USER {}", ["victim", "guarded", "CURRENT_USER()", "'root'@'localhost'", "ord", "nobody"])
    each("SHOW GRANTS FOR {}", ["victim", "guarded", "ord", "nobody", "CURRENT_USER()"])
    each("SHOW GRANTS FOR victim USING {}", ["ord", "r_su"])
    # on oneself
    each("ALTER USER {} IDENTIFIED BY 'mine'", ["CURRENT_USER()", "USER()"])
    each("SET PASSWORD {}", ["= 'mine'", "= 'mine' RETAIN CURRENT PASSWORD", "FOR CURRENT_USER() = 'mine'"])
    each("ALTER USER USER() {}", ["IDENTIFIED BY 'mine' RETAIN CURRENT PASSWORD", "DISCARD OLD PASSWORD"])
    each("ALTER USER CURRENT_USER() {}", ["ACCOUNT LOCK", "COMMENT 'mine'", "PASSWORD EXPIRE", "DEFAULT ROLE ALL", "IDENTIFIED WITH caching_sha2_password BY 'mine'", "REQUIRE NONE",
                                          "IDENTIFIED BY 'mine' PASSWORD EXPIRE NEVER"])
    each("SET ROLE {}", ["ALL", "NONE", "ord", "r_su", "DEFAULT"])
    each("REVOKE {} FROM CURRENT_USER()", ["ALL, GRANT OPTION", "ord", "SELECT ON d.*", "SYSTEM_USER ON *.*", "ALL ON *.*"])
    each("DROP USER {}", ["CURRENT_USER()"])
    each("RENAME USER {} TO renamed", ["CURRENT_USER()"])
    # the tables
    each("SELECT COUNT(*) > 0 FROM mysql.{}", ["user", "db", "tables_priv", "global_grants", "role_edges", "default_roles", "proxies_priv"])
    each("SELECT COUNT(authentication_string) > 0 FROM mysql.{}", ["user"])
    return list(dict.fromkeys(out))


# what a successful statement may have taken from these too
LEANING = [a for a, grants, _ in ACTORS if any(" ON *.*" not in g and " ON mysql" not in g and " ON d." not in g for g in grants)]
EVERYBODY = NAMES + CREATED + [a for a, _, _ in ACTORS]
ROOT = ["REVOKE ALL, GRANT OPTION FROM 'root'@'localhost'", "ALTER USER 'root'@'localhost' IDENTIFIED BY '' REQUIRE NONE ACCOUNT UNLOCK", "GRANT ALL ON *.* TO 'root'@'localhost' WITH GRANT OPTION",
        "GRANT PROXY ON ''@'' TO 'root'@'localhost' WITH GRANT OPTION"]


class Fixture:
    """The accounts on a server, and a connection per actor."""

    def __init__(self, server):
        self.server = server
        with server.connect() as root, root.cursor() as c:
            c.execute("CREATE USER keeper")
            c.execute("GRANT ALL ON *.* TO keeper WITH GRANT OPTION")
            c.execute("GRANT SYSTEM_USER ON *.* TO keeper WITH GRANT OPTION")
            c.execute("GRANT PROXY ON ''@'' TO keeper WITH GRANT OPTION")
        self.keeper = server.connect(user="keeper", client_flag=pymysql.constants.CLIENT.MULTI_STATEMENTS)
        self.run(["CREATE DATABASE d", "CREATE TABLE d.t (a INT, b INT)", "CREATE TABLE d.u (a INT)"])
        self.clients = {}
        self.reset([a for a, _, _ in ACTORS])
        self.base = self.grants()

    def run(self, statements):
        out = []
        with self.keeper.cursor() as c:
            c.execute("; ".join(statements))
            out.append(c.fetchall())
            while c.nextset():
                out.append(c.fetchall())
        return out

    def reset(self, actors):
        actors = list(dict.fromkeys(actors + LEANING))
        grants = [g for a, grants, _ in ACTORS for g in grants if a in actors]
        self.run(["DROP USER IF EXISTS " + ", ".join(NAMES + CREATED + actors), *TARGETS, "CREATE USER " + ", ".join(actors),
                  *("REVOKE " + g[1:] if g.startswith("-") else "GRANT " + g for g in grants)])
        for a in actors:
            if a in self.clients:
                self.clients.pop(a).close()

    def reset_root(self):
        self.run(ROOT)

    def client(self, name):
        c = self.clients.get(name)
        if c is None:
            c = self.clients[name] = self.server.connect(user=name)
            active = next(r for a, _, r in ACTORS if a == name)
            if active:
                with c.cursor() as cur:
                    cur.execute(f"SET ROLE {active}")
        return c

    def grants(self):
        """SHOW GRANTS of whoever is there, with what differs between versions taken out."""
        users = self.run(["SELECT user, account_locked, password_expired, authentication_string = '', max_questions, ssl_type FROM mysql.user "
                          "WHERE user NOT LIKE 'mysql.%' AND user <> 'keeper'", "SELECT user, default_role_user FROM mysql.default_roles"])
        there = sorted(r[0] for r in users[0] if r[0] != "root")
        shown = self.run([*(f"SHOW GRANTS FOR {n}" for n in there), "SHOW GRANTS FOR 'root'@'localhost'"])
        out = {n: [plain(r[0]) for r in rows] for n, rows in zip([*there, "root"], shown)}
        for r in users[0]:
            out[r[0]].append(" ".join(str(x.decode() if isinstance(x, bytes) else x) for x in r[1:]))
        out["default roles"] = sorted(f"{u}: {r}" for u, r in users[1])
        return out


# registered by components and plugins that the peer has and 8.4 has not, or the other way round
NOT_COMPARED = {"CREATE_SPATIAL_REFERENCE_SYSTEM", "MASKING_DICTIONARIES_ADMIN", "AUDIT_ADMIN", "FIREWALL_EXEMPT", "FIREWALL_ADMIN", "FIREWALL_USER", "TELEMETRY_LOG_ADMIN",
                "MANAGE_DATA_MASKING_POLICY"}
STATIC = ("SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, RELOAD, SHUTDOWN, PROCESS, FILE, REFERENCES, INDEX, ALTER, SHOW DATABASES, SUPER, CREATE TEMPORARY TABLES, LOCK TABLES, "
          "EXECUTE, REPLICATION SLAVE, REPLICATION CLIENT, CREATE VIEW, SHOW VIEW, CREATE ROUTINE, ALTER ROUTINE, CREATE USER, EVENT, TRIGGER, CREATE TABLESPACE, CREATE ROLE, DROP ROLE")
DYNAMIC = ("ALLOW_NONEXISTENT_DEFINER APPLICATION_PASSWORD_ADMIN AUDIT_ABORT_EXEMPT AUTHENTICATION_POLICY_ADMIN BACKUP_ADMIN BINLOG_ADMIN BINLOG_ENCRYPTION_ADMIN CLONE_ADMIN "
           "CONNECTION_ADMIN ENCRYPTION_KEY_ADMIN FLUSH_OPTIMIZER_COSTS FLUSH_PRIVILEGES FLUSH_STATUS FLUSH_TABLES FLUSH_USER_RESOURCES GROUP_REPLICATION_ADMIN "
           "GROUP_REPLICATION_STREAM INNODB_REDO_LOG_ARCHIVE INNODB_REDO_LOG_ENABLE OPTIMIZE_LOCAL_TABLE PASSWORDLESS_USER_ADMIN PERSIST_RO_VARIABLES_ADMIN REPLICATION_APPLIER "
           "REPLICATION_SLAVE_ADMIN RESOURCE_GROUP_ADMIN RESOURCE_GROUP_USER ROLE_ADMIN SENSITIVE_VARIABLES_OBSERVER SERVICE_CONNECTION_ADMIN SESSION_VARIABLES_ADMIN "
           "SET_ANY_DEFINER SHOW_ROUTINE SYSTEM_USER SYSTEM_VARIABLES_ADMIN TABLE_ENCRYPTION_ADMIN TRANSACTION_GTID_TAG XA_RECOVER_ADMIN").split()


def plain(text):
    """A line of SHOW GRANTS, where whole lists have a short name."""
    text = text.replace(STATIC, "ALL STATIC")
    m = re.match(r"GRANT ([A-Z_,]+) ON \*\.\* TO (.*)$", text)
    if m and "_" in m[1]:
        names = [p for p in m[1].split(",") if p not in NOT_COMPARED]
        missing = [p for p in DYNAMIC if p not in names]
        if len(missing) < 3:
            names = ["ALL DYNAMIC"] + [p for p in names if p not in DYNAMIC] + ["-" + p for p in missing]
        return f"GRANT {','.join(names)} ON *.* TO {m[2]}"
    return text


READS = ("SHOW", "SELECT")


def anonymous(answer, actor):
    """The actor's own name as {me}, so that the answers of many are one."""
    answer = answer.replace(f"'{actor}'@'localhost' for table", f"'{actor}'@'%' for table")  # the client's host or the account's
    answer = re.sub(r" \(User account (does not exist|already exists)\)", "", answer)  # 9.x adds that
    return answer.replace(f"`{actor}`", "`{me}`").replace(f"'{actor}'", "'{me}'").replace(f" {actor}: ", " {me}: ")


def quick(theirs):
    """What is run in CI: whatever MySQL refuses, and of what it does one actor for each of its answers. Undoing takes the time."""
    def choose(statement, actor):
        row = theirs.get(statement, {})
        answer = row.get(actor, "")
        return not answer.startswith("OK ") or actor == next(a for a, x in row.items() if x == answer)
    return choose


def answers(server, only=None, chosen=lambda statement, actor: True):
    """statement -> actor -> answer."""
    f = Fixture(server)
    out = {}
    for s in statements():
        if only and only not in s:
            continue
        for actor, _, _ in ACTORS:
            if not chosen(s, actor):
                continue
            try:
                with f.client(actor).cursor() as c:
                    c.execute(s)
                    rows = c.fetchall()
            except pymysql.err.MySQLError as e:
                out.setdefault(s, {})[actor] = anonymous(f"{e.args[0]} {e.args[1]}", actor)
                continue
            answer = "OK"
            if s.startswith("SHOW GRANTS"):
                answer = "OK " + "; ".join(plain(r[0]) for r in rows)
            elif s.startswith("SHOW CREATE USER"):
                answer = "OK hash" if "IDENTIFIED WITH 'caching_sha2_password' AS" in rows[0][0] else "OK"
            elif not s.startswith(READS):
                now, base = f.grants(), f.base
                changed = [f"{n}: {' / '.join(now.get(n, ['gone']))}" for n in sorted(set(base) | set(now)) if base.get(n) != now.get(n)]
                answer = "OK " + " | ".join(changed)
                if now.get("root") != base.get("root"):
                    f.reset_root()
                if changed or s.startswith(("SET ROLE", "ALTER USER", "SET PASSWORD")):
                    f.reset([actor])
            out.setdefault(s, {})[actor] = anonymous(answer, actor)
    return out


def folded(table):
    """Per statement, answer -> actors: what is kept in the file."""
    out = {}
    for s, row in table.items():
        by = out.setdefault(s, {})
        for actor, answer in row.items():
            by.setdefault(answer, []).append(actor)
    return out


NEED = "1227 Access denied; you need (at least one of) the {} privilege(s) for this operation"


def granted_less(statement, actor, answer):
    """Where we knowingly grant less than MySQL, and why."""
    if re.search(r"via_|r_mid", statement) and answer == NEED.format("SYSTEM_USER"):
        # who may become a system user by a role can be changed only by one: or CREATE USER would be enough to take the account over and become it
        return True
    if "_" in statement and actor in ("writer", "everything", "statics") and answer == NEED.format("GRANT OPTION"):
        # a dynamic privilege is handed on by who has it WITH GRANT OPTION. MySQL asks for the right to write the schema mysql instead, which here can be written by nobody
        return True
    # and so GRANT ALL hands on no more than that
    return actor == "statics" and statement.startswith("GRANT ALL ON *.*") and "ALL DYNAMIC,-SYSTEM_USER" in answer


def differences(ours, theirs):
    out = []
    for s, row in ours.items():
        for actor, answer in row.items():
            want = theirs.get(s, {}).get(actor)
            # what is missing of ALL is not always listed alike
            same = answer == want or s.startswith("GRANT ALL ON d.t") and answer[:4] == str(want)[:4] == "1142"
            if not same and not granted_less(s, actor, answer):
                out.append(f"{s}  AS {actor}\n    here:  {answer}\n    MySQL: {want}")
    return out


def unfolded(table):
    return {s: {a: answer for answer, actors in row.items() for a in actors} for s, row in table.items()}


def test_as_mysql():
    with_all = unfolded(json.loads(ANSWERS.read_text()))
    server = Server().start()
    try:
        got = answers(server, chosen=quick(with_all))
        assert set(got) == set(with_all), "the list of statements changed: run this file with --mysql"
        found = differences(got, with_all)
        assert not found, f"{len(found)} differences\n" + "\n".join(found[:40])
        assert server.alive()
        server.stop()
    finally:
        server.remove()


# made by root; then who, what, and the error's number (MySQL's), None where it goes through.
AROUND = [
    ["CREATE ROLE everybody, opener, opened", "CREATE USER setter, chooser, viewer, held, target", "GRANT SYSTEM_VARIABLES_ADMIN ON *.* TO setter, chooser", "GRANT ROLE_ADMIN ON *.* TO chooser",
     "GRANT SYSTEM_USER ON *.* TO opener", "GRANT opener TO opened", "CREATE VIEW d.v AS SELECT 1 AS a", "GRANT ALL ON d.* TO viewer", "SET GLOBAL partial_revokes = ON",
     "GRANT ALL ON *.* TO held WITH GRANT OPTION", "REVOKE SELECT, INSERT ON mysql.* FROM held", "GRANT SELECT, UPDATE ON *.* TO target"],
    # what everybody has
    ("setter", "SET GLOBAL mandatory_roles = 'everybody'", 1227), ("setter", "SET PERSIST mandatory_roles = 'everybody'", 1227), ("setter", "SET GLOBAL mandatory_roles = DEFAULT", 1227),
    ("chooser", "SET GLOBAL mandatory_roles = 'opener'", 3880), ("chooser", "SET GLOBAL mandatory_roles = 'opened'", 3880), ("chooser", "SET GLOBAL mandatory_roles = 'everybody'", None),
    ("root", "GRANT SYSTEM_USER ON *.* TO everybody", 3897), ("chooser", "SET GLOBAL mandatory_roles = ''", None),
    # another's view
    ("viewer", "ALTER VIEW d.v AS SELECT 2 AS a", 1227), ("viewer", "ALTER DEFINER = root@localhost VIEW d.v AS SELECT 2 AS a", 1227), ("viewer", "CREATE OR REPLACE VIEW d.v AS SELECT 2 AS a", None),
    ("viewer", "ALTER VIEW d.v AS SELECT 3 AS a", None),
    # partial revokes
    ("held", "REVOKE SELECT ON *.* FROM target", 3879), ("held", "REVOKE ALL ON *.* FROM target", 3879), ("held", "REVOKE ALL, GRANT OPTION FROM target", 3879),
    ("held", "GRANT SELECT ON *.* TO target AS root@localhost", 3836), ("held", "GRANT SELECT ON *.* TO target AS target", 3836), ("held", "GRANT SELECT ON *.* TO target AS held", None),
    ("held", "GRANT UPDATE ON *.* TO target AS root@localhost", None), ("held", "REVOKE UPDATE ON *.* FROM target", None), ("held", "REVOKE SELECT ON *.* FROM held", None),
    # what there is is told to nobody who may not grant it
    ("setter", "GRANT SELECT (gone) ON d.t TO target", 1142), ("setter", "GRANT SELECT (a) ON d.t TO target", 1142), ("root", "GRANT SELECT (gone) ON d.t TO target", 1054),
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.name)
def test_ways_around(kind):
    """Rights that come by other ways than GRANT."""
    server = kind().start()
    try:
        root = server.connect()
        with root.cursor() as c:
            for s in ["CREATE DATABASE d", "CREATE TABLE d.t (a INT)", *AROUND[0]]:
                c.execute(s)
        clients = {"root": root}
        for who, sql, want in AROUND[1:]:
            if who not in clients:
                clients[who] = server.connect(user=who)
            try:
                with clients[who].cursor() as c:
                    c.execute(sql)
                got = None
            except pymysql.err.MySQLError as e:
                got = e.args[0]
            assert got == want or isinstance(want, tuple) and got in want, (who, sql, got)
        server.stop() if kind is Server else server.kill()
    finally:
        server.remove()


if __name__ == "__main__":
    mysql = "--mysql" in sys.argv
    only = next((a for a in sys.argv[1:] if not a.startswith("--")), None)
    server = (MySQL if mysql else Server)().start()
    try:
        got = answers(server, only)
        if mysql and not only:
            ANSWERS.write_text(json.dumps(folded(got), indent=0, ensure_ascii=False) + "\n")
        elif mysql:
            print(json.dumps(folded(got), indent=1))
        else:
            found = differences(got, unfolded(json.loads(ANSWERS.read_text())))
            print("\n".join(found))
            print(len(found), "differences of", sum(map(len, got.values())))
    finally:
        server.kill()
        server.remove()
