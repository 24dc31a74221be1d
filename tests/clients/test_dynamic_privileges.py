"""What dynamic privileges allow, and who may set session variables that not everybody may: the errors of an account without each of them, and with it alone.

EVENKEEL_MYSQL (scripts/mysql-peer.sh) runs the same beside a real MySQL."""
import os
import sys
import pathlib

import pymysql
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from lib.servers import MySQL, Server  # noqa: E402

KINDS = [Server] + ([MySQL] if os.environ.get("EVENKEEL_MYSQL") and MySQL.folder() else [])


@pytest.fixture(params=KINDS, ids=lambda k: k.name)
def server(request):
    s = request.param().start()
    yield s
    s.stop() if request.param is Server else s.kill()
    s.remove()


ADMIN = "SUPER, SYSTEM_VARIABLES_ADMIN or SESSION_VARIABLES_ADMIN"
# statement, what 1227 names for an account without any privilege, what is enough (each by itself)
CASES = [
    ("SET GLOBAL sort_buffer_size = DEFAULT", "SUPER or SYSTEM_VARIABLES_ADMIN", ["SYSTEM_VARIABLES_ADMIN", "SUPER"]),
    ("SET GLOBAL TRANSACTION ISOLATION LEVEL REPEATABLE READ", "SUPER or SYSTEM_VARIABLES_ADMIN", ["SYSTEM_VARIABLES_ADMIN", "SUPER"]),
    ("SET PERSIST sort_buffer_size = DEFAULT", "SUPER or SYSTEM_VARIABLES_ADMIN", ["SYSTEM_VARIABLES_ADMIN", "SUPER"]),
    ("SET SESSION sql_log_off = DEFAULT", ADMIN, ["SYSTEM_VARIABLES_ADMIN", "SESSION_VARIABLES_ADMIN", "SUPER"]),
    ("SET SESSION sql_require_primary_key = ON", ADMIN, ["SESSION_VARIABLES_ADMIN", "SUPER"]),
    ("SET SESSION sql_generate_invisible_primary_key = ON", ADMIN, ["SESSION_VARIABLES_ADMIN", "SUPER"]),
    ("SET SESSION character_set_database = latin1", ADMIN, ["SESSION_VARIABLES_ADMIN", "SUPER"]),
    ("SET SESSION max_error_count = 5", "SYSTEM_VARIABLES_ADMIN or SESSION_VARIABLES_ADMIN", ["SYSTEM_VARIABLES_ADMIN", "SESSION_VARIABLES_ADMIN"]),
    ("SET SESSION pseudo_replica_mode = DEFAULT", "SUPER, SYSTEM_VARIABLES_ADMIN, SESSION_VARIABLES_ADMIN or REPLICATION_APPLIER", ["REPLICATION_APPLIER", "SUPER"]),
    ("CREATE OR REPLACE DEFINER = plain VIEW test.v AS SELECT 1 AS a", "SUPER or SET_ANY_DEFINER", ["SET_ANY_DEFINER", "SUPER"]),
    ("CREATE OR REPLACE DEFINER = nobody VIEW test.v AS SELECT 1 AS a", "SUPER or SET_ANY_DEFINER", ["SET_ANY_DEFINER, ALLOW_NONEXISTENT_DEFINER", "SUPER"]),
    ("FLUSH STATUS", "RELOAD or FLUSH_STATUS", ["FLUSH_STATUS", "RELOAD"]),
    ("FLUSH TABLES", "RELOAD or FLUSH_TABLES", ["FLUSH_TABLES", "RELOAD"]),
    ("FLUSH USER_RESOURCES", "RELOAD or FLUSH_USER_RESOURCES", ["FLUSH_USER_RESOURCES", "RELOAD"]),
    ("FLUSH OPTIMIZER_COSTS", "RELOAD or FLUSH_OPTIMIZER_COSTS", ["FLUSH_OPTIMIZER_COSTS", "RELOAD"]),
    ("FLUSH PRIVILEGES", "RELOAD or FLUSH_PRIVILEGES", ["FLUSH_PRIVILEGES", "RELOAD"]),
    ("FLUSH ENGINE LOGS", "RELOAD", ["RELOAD"]),
    ("OPTIMIZE LOCAL TABLE test.t", "OPTIMIZE_LOCAL_TABLE", ["OPTIMIZE_LOCAL_TABLE"]),
    ("OPTIMIZE NO_WRITE_TO_BINLOG TABLE test.t", "OPTIMIZE_LOCAL_TABLE", ["OPTIMIZE_LOCAL_TABLE"]),
    ("LOCK INSTANCE FOR BACKUP", "BACKUP_ADMIN", ["BACKUP_ADMIN"]),
    ("ALTER INSTANCE RELOAD TLS", "CONNECTION_ADMIN", ["CONNECTION_ADMIN"]),
    ("SHOW ENGINE INNODB STATUS", "PROCESS", ["PROCESS"]),
    ("CREATE ROLE IF NOT EXISTS another", "CREATE USER, CREATE ROLE", ["CREATE ROLE", "CREATE USER"]),
    ("DROP ROLE IF EXISTS another", "CREATE USER, DROP ROLE", ["DROP ROLE", "CREATE USER"]),
    ("GRANT role TO plain", "WITH ADMIN, ROLE_ADMIN, SUPER", ["ROLE_ADMIN", "SUPER"]),
    ("ALTER USER plain ACCOUNT UNLOCK", "CREATE USER", ["CREATE USER"]),
    # accounts with SYSTEM_USER
    ("ALTER USER guarded ACCOUNT UNLOCK", "CREATE USER", ["CREATE USER, SYSTEM_USER"]),
    ("CREATE OR REPLACE DEFINER = guarded VIEW test.v AS SELECT 1 AS a", "SUPER or SET_ANY_DEFINER", ["SET_ANY_DEFINER, SYSTEM_USER"]),
    ("GRANT role TO guarded", "WITH ADMIN, ROLE_ADMIN, SUPER", ["ROLE_ADMIN, SYSTEM_USER"]),
]
# privileges that are not enough: statement, privileges, what 1227 names then
NOT_ENOUGH = [
    ("ALTER USER guarded ACCOUNT UNLOCK", "CREATE USER", "SYSTEM_USER"),
    ("DROP USER kept", "CREATE USER", "SYSTEM_USER"),
    ("RENAME USER kept TO other", "CREATE USER", "SYSTEM_USER"),
    ("GRANT role TO guarded", "ROLE_ADMIN", "SYSTEM_USER"),
    ("REVOKE role FROM guarded", "ROLE_ADMIN", "SYSTEM_USER"),
    ("CREATE OR REPLACE DEFINER = guarded VIEW test.v AS SELECT 1 AS a", "SET_ANY_DEFINER", "SYSTEM_USER"),
    ("CREATE OR REPLACE DEFINER = nobody VIEW test.v AS SELECT 1 AS a", "SET_ANY_DEFINER", "SUPER or ALLOW_NONEXISTENT_DEFINER"),
    ("SET SESSION max_error_count = 5", "SUPER", "SYSTEM_VARIABLES_ADMIN or SESSION_VARIABLES_ADMIN"),
    ("LOCK INSTANCE FOR BACKUP", "SUPER", "BACKUP_ADMIN"),
    ("ALTER INSTANCE RELOAD TLS", "SUPER", "CONNECTION_ADMIN"),
    ("SET GLOBAL sort_buffer_size = DEFAULT", "SESSION_VARIABLES_ADMIN", "SUPER or SYSTEM_VARIABLES_ADMIN"),
    ("FLUSH TABLES", "FLUSH_STATUS", "RELOAD or FLUSH_TABLES"),
    ("OPTIMIZE LOCAL TABLE test.t", "SUPER, SELECT, INSERT", "OPTIMIZE_LOCAL_TABLE"),
]
# statements about a table, privileges that are not enough, the one that 1142 names, and those that are
TABLES = [
    ("OPTIMIZE TABLE test.t", "SELECT", "INSERT", "SELECT, INSERT"),
    ("ANALYZE TABLE test.t", "SELECT", "INSERT", "SELECT, INSERT"),
    ("REPAIR TABLE test.t", "INSERT", "SELECT", "SELECT, INSERT"),
    ("CHECK TABLE test.t", "INSERT", "SELECT", "SELECT"),
    ("CHECKSUM TABLE test.t", "INSERT", "SELECT", "SELECT"),
]


def answer(server, admin, privileges, statement):
    """What the statement answers to a new account that has these privileges on everything."""
    with admin.cursor() as cur:
        cur.execute("CREATE USER u IDENTIFIED BY 'x'")
        cur.execute("GRANT CREATE VIEW, DROP ON test.* TO u")
        if privileges:
            cur.execute(f"GRANT {privileges} ON *.* TO u")
        try:
            c = pymysql.connect(unix_socket=str(server.socket), user="u", password="x", autocommit=True)
            with c.cursor() as other:
                other.execute(statement)
                other.fetchall()
            return "done"
        except pymysql.err.MySQLError as e:
            return e.args
        finally:
            c.close()
            cur.execute("DROP USER u")


def denied(what):
    return (1227, f"Access denied; you need (at least one of) the {what} privilege(s) for this operation")


def test_dynamic_privileges(server):
    admin = server.connect()
    with admin.cursor() as cur:
        for s in ("DROP DATABASE IF EXISTS test", "CREATE DATABASE test", "CREATE TABLE test.t (a INT)", "CREATE USER plain, guarded, kept", "GRANT SYSTEM_USER ON *.* TO guarded, kept", "CREATE ROLE role"):
            cur.execute(s)
    wrong = []
    for statement, named, enough in CASES:
        expected = [(None, denied(named)), *((p, "done") for p in enough)]
        for privileges, want in expected:
            got = answer(server, admin, privileges, statement)
            if got != want:
                wrong.append((statement, privileges, got))
    for statement, privileges, named in NOT_ENOUGH:
        got = answer(server, admin, privileges, statement)
        if got != denied(named):
            wrong.append((statement, privileges, got))
    for statement, little, missing, enough in TABLES:
        for privileges, want in ((little, (1142, f"{missing} command denied to user 'u'@'localhost' for table 't'")), (enough, "done")):
            got = answer(server, admin, privileges, statement)
            if got != want:
                wrong.append((statement, privileges, got))
    got = answer(server, admin, "SYSTEM_VARIABLES_ADMIN", "SET PERSIST_ONLY back_log = 100")
    if got != (3630, "Access denied; you need SYSTEM_VARIABLES_ADMIN and PERSIST_RO_VARIABLES_ADMIN privileges for this operation"):
        wrong.append(("PERSIST_ONLY", got))
    assert wrong == []


def test_open_sessions(server):
    """Dynamic privileges count at once in sessions that are open, static ones on everything do not. 1142 names all that is missing."""
    admin = server.connect()
    with admin.cursor() as cur:
        for s in ("DROP DATABASE IF EXISTS test", "CREATE DATABASE test", "CREATE TABLE test.t (a INT)", "CREATE USER o", "GRANT CREATE VIEW ON test.* TO o"):
            cur.execute(s)
        c = pymysql.connect(unix_socket=str(server.socket), user="o", autocommit=True)
        got = []
        for change in ("SELECT 1", "GRANT FLUSH_STATUS, OPTIMIZE_LOCAL_TABLE, PROCESS ON *.* TO o", "REVOKE FLUSH_STATUS, OPTIMIZE_LOCAL_TABLE ON *.* FROM o"):
            cur.execute(change)
            with c.cursor() as other:
                for s in ("FLUSH STATUS", "OPTIMIZE LOCAL TABLE test.t", "SHOW ENGINE INNODB STATUS", "OPTIMIZE TABLE test.t", "RENAME TABLE test.t TO test.u"):
                    try:
                        other.execute(s)
                        other.fetchall()
                        got.append(0)
                    except pymysql.err.MySQLError as e:
                        got.append(e.args[1].split(" command")[0] if e.args[0] == 1142 else e.args[0])
        c.close()
    missing = ["SELECT, INSERT", "DROP, ALTER"]
    assert got == [1227, 1227, 1227, *missing, 0, 0, 1227, *missing, 1227, 1227, 1227, *missing]


def test_kill(server):
    """KILL of a session with SYSTEM_USER takes a session with SYSTEM_USER, also where a role gave it."""
    admin = server.connect()
    with admin.cursor() as cur:
        for s in ("CREATE USER strong, plain, roled", "CREATE ROLE strength", "GRANT SYSTEM_USER ON *.* TO strong, strength", "GRANT strength TO roled"):
            cur.execute(s)
        ids = {}
        kept = []
        for user in ("strong", "plain", "roled"):
            c = pymysql.connect(unix_socket=str(server.socket), user=user, autocommit=True)
            ids[user] = c.thread_id()
            kept.append(c)
        got = {user: answer(server, admin, "CONNECTION_ADMIN", f"KILL QUERY {n}") for user, n in ids.items()}
        assert got == {"strong": (1095, f"You are not owner of thread {ids['strong']}"), "plain": "done", "roled": "done"}
        with kept[2].cursor() as own:
            own.execute("SET ROLE ALL")
        assert answer(server, admin, "CONNECTION_ADMIN", f"KILL {ids['roled']}")[0] == 1095
        assert answer(server, admin, "CONNECTION_ADMIN, SYSTEM_USER", f"KILL {ids['roled']}") == "done"
        assert answer(server, admin, None, f"KILL {ids['plain']}")[0] == 1095
        cur.execute("DROP USER strong, plain, roled, strength")
        for c in kept[:2]:
            c.close()


def test_definers(server):
    """An account that views name as their definer is not dropped, renamed or made by those who may not make orphans."""
    admin = server.connect()
    with admin.cursor() as cur:
        for s in ("DROP DATABASE IF EXISTS test", "CREATE DATABASE test", "CREATE USER d", "CREATE DEFINER = d VIEW test.v AS SELECT 1", "CREATE DEFINER = missing VIEW test.w AS SELECT 1"):
            cur.execute(s)
    refused = "Operation {} failed for {} as it is referenced as a definer account in a view."
    for statement, name in (("DROP USER d", "'d'@'%'"), ("RENAME USER d TO e", "'d'@'%'"), ("CREATE USER missing", "'missing'@'%'")):
        assert answer(server, admin, "CREATE USER", statement) == (4006, refused.format(" ".join(statement.split()[:2]), name))
    for statement in ("DROP USER d", "CREATE USER missing", "RENAME USER missing TO other"):
        assert answer(server, admin, "CREATE USER, ALLOW_NONEXISTENT_DEFINER", statement) == "done"


def test_read_only(server):
    """CONNECTION_ADMIN changes data under read_only, nobody under super_read_only."""
    admin = server.connect()
    with admin.cursor() as cur:
        for s in ("DROP DATABASE IF EXISTS test", "CREATE DATABASE test", "CREATE TABLE test.t (a INT)", "CREATE USER w, c", "GRANT INSERT ON test.* TO w, c",
                  "GRANT CONNECTION_ADMIN ON *.* TO c", "SET GLOBAL read_only = ON"):
            cur.execute(s)
        answers = []
        for setting in ("SELECT 1", "SET GLOBAL super_read_only = ON"):
            cur.execute(setting)
            for user in ("w", "c"):
                c = pymysql.connect(unix_socket=str(server.socket), user=user, autocommit=True)
                with c.cursor() as other:
                    try:
                        other.execute("INSERT INTO test.t VALUES (1)")
                        answers.append((user, 0))
                    except pymysql.err.MySQLError as e:
                        answers.append((user, e.args[0]))
                c.close()
        cur.execute("SET GLOBAL read_only = OFF")
    assert answers == [("w", 1290), ("c", 0), ("w", 1290), ("c", 1290)]
