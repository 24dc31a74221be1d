"""What a replica with PRIVILEGE_CHECKS_USER applies: statements of a source, each tried with several grants, and what becomes of it. The source is Evenkeel;
recorded from MySQL as the replica (`python tests/binlog/privilege_checks.py`), compared with ours by `test_privilege_checks.py`."""
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import pymysql  # noqa: E402

from lib.servers import MySQL, Server  # noqa: E402
from lib.wait import until  # noqa: E402

GTIDS = ["--log-bin=bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON"]
OPTIONS = [*GTIDS, "--skip-replica-start", "--secure-file-priv="]
RECORDED = HERE / "recorded/privilege_checks.txt"
APPLIER = "REPLICATION_APPLIER ON *.*"
SESSION = "SESSION_VARIABLES_ADMIN ON *.*"
SETUP = """CREATE DATABASE d
CREATE DATABASE other
CREATE TABLE d.t (a INT PRIMARY KEY, b INT, c INT AS (b + 1), KEY (b))
CREATE TABLE d.nokey (a INT, b INT)
CREATE TABLE d.parent (id INT PRIMARY KEY)
CREATE TABLE d.child (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES d.parent (id) ON DELETE CASCADE)
CREATE TABLE d.logged (n INT PRIMARY KEY AUTO_INCREMENT, what INT)
CREATE TABLE d.fires (a INT PRIMARY KEY)
CREATE TRIGGER d.tr AFTER INSERT ON d.fires FOR EACH ROW INSERT INTO d.logged (what) VALUES (NEW.a)
CREATE TABLE other.t (a INT PRIMARY KEY)
CREATE VIEW d.v AS SELECT a FROM d.t
CREATE PROCEDURE d.p () SELECT 1
CREATE USER u@localhost
INSERT INTO d.t (a, b) VALUES (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (8, 8)
INSERT INTO d.nokey VALUES (1, 1), (2, 2), (3, 3)
INSERT INTO d.parent VALUES (1), (2), (3), (4), (5), (6)
INSERT INTO d.child VALUES (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6)"""

# Each: what runs at the source (`;` between statements of one session; `#` is a number that no other has), and the grants with which it is tried. `!` before a
# grant leaves out what all others begin with: REPLICATION_APPLIER stays, SESSION_VARIABLES_ADMIN does not
CASES = [
    # rows
    ("INSERT INTO d.t (a, b) VALUES (#, 1)",
     ["", "SELECT ON d.t", "INSERT ON d.t", "INSERT ON d.*", "INSERT ON *.*", "INSERT (a, b) ON d.t", "INSERT (a) ON d.t", "INSERT ON other.*", "!INSERT ON d.t", "UPDATE ON d.t"]),
    ("UPDATE d.t SET b = # WHERE a = 1", ["SELECT ON d.t", "UPDATE ON d.t", "UPDATE ON d.*", "UPDATE (b) ON d.t", "INSERT, DELETE ON d.t", "SELECT, UPDATE ON d.t"]),
    ("DELETE FROM d.t ORDER BY a DESC LIMIT 1", ["SELECT ON d.t", "DELETE ON d.t", "DELETE ON d.*", "UPDATE ON d.t"]),
    ("UPDATE d.t SET a = # WHERE a = 1; UPDATE d.t SET a = 1 WHERE a = #", ["UPDATE ON d.t", "UPDATE (b) ON d.t"]),
    ("UPDATE d.nokey SET b = #", ["UPDATE ON d.nokey", "SELECT ON d.nokey"]),
    ("DELETE FROM d.nokey LIMIT 1", ["DELETE ON d.nokey"]),
    ("REPLACE INTO d.t (a, b) VALUES (1, #)", ["INSERT ON d.t", "INSERT, DELETE ON d.t", "INSERT, UPDATE ON d.t", "UPDATE ON d.t"]),
    ("DELETE FROM d.parent ORDER BY id LIMIT 1", ["DELETE ON d.parent", "DELETE ON d.*"]),
    ("INSERT INTO d.fires VALUES (#)", ["INSERT ON d.fires", "INSERT ON d.*"]),
    ("BEGIN; INSERT INTO d.t (a, b) VALUES (#, 1); SAVEPOINT s; INSERT INTO other.t VALUES (#); COMMIT", ["INSERT ON d.t", "INSERT ON *.*"]),
    ("SET binlog_transaction_compression = 1; INSERT INTO d.t (a, b) VALUES (#, 1)", ["", "INSERT ON d.t"]),
    ("SET binlog_row_image = MINIMAL; UPDATE d.t SET b = # WHERE a = 1", ["UPDATE ON d.t", "UPDATE (b) ON d.t"]),
    ("XA START 'x'; INSERT INTO d.t (a, b) VALUES (#, 1); XA END 'x'; XA PREPARE 'x'; XA COMMIT 'x'", ["", "INSERT ON d.t"]),
    # statements
    ("SET binlog_format = STATEMENT; INSERT INTO d.t (a, b) VALUES (#, 1)", ["", "INSERT ON d.t", "!INSERT ON d.t"]),
    ("SET binlog_format = STATEMENT; UPDATE d.t SET b = # WHERE a = 1", ["UPDATE ON d.t", "SELECT, UPDATE ON d.t"]),
    ("SET binlog_format = STATEMENT; INSERT INTO d.logged (what) VALUES (#)", ["", "INSERT ON d.logged"]),
    # tables
    ("CREATE TABLE d.c# (a INT PRIMARY KEY)", ["", "CREATE ON d.*", "CREATE ON other.*", "!CREATE ON d.*"]),
    ("CREATE TABLE d.c# (a INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES parent (id))", ["CREATE ON d.*", "CREATE, REFERENCES ON d.*"]),
    ("CREATE TABLE d.c# LIKE d.t", ["CREATE ON d.*", "CREATE, SELECT ON d.*"]),
    ("CREATE TABLE d.c# (PRIMARY KEY (a)) SELECT a FROM d.t", ["CREATE ON d.*", "CREATE, INSERT ON d.*"]),
    ("ALTER TABLE d.t ADD COLUMN n# INT", ["", "ALTER ON d.t", "ALTER, CREATE, INSERT ON d.*"]),
    ("CREATE INDEX i# ON d.t (b)", ["", "INDEX ON d.t"]),
    ("CREATE TABLE other.d# (a INT); DROP TABLE other.d#", ["CREATE ON other.*", "CREATE, DROP ON other.*"]),
    ("TRUNCATE TABLE d.logged", ["DELETE ON d.logged", "DROP ON d.logged"]),
    ("CREATE TABLE other.r# (a INT); RENAME TABLE other.r# TO other.s#", ["CREATE, ALTER ON other.*", "CREATE, ALTER, DROP, INSERT ON other.*"]),
    ("CREATE DATABASE c#", ["", "CREATE ON `c%`.*", "CREATE ON *.*"]),
    ("ALTER DATABASE d CHARACTER SET latin1", ["", "ALTER ON d.*"]),
    ("DROP DATABASE IF EXISTS nope", ["", "DROP ON *.*"]),
    ("ANALYZE TABLE d.t", ["", "SELECT, INSERT ON d.t"]),
    ("FLUSH TABLES", ["", "RELOAD ON *.*"]),
    # views, programs: their definer is root
    ("CREATE VIEW d.v# AS SELECT a FROM d.t", ["CREATE VIEW, SELECT ON d.*", "CREATE VIEW, SELECT ON d.*|SET_ANY_DEFINER ON *.*",
                                              "CREATE VIEW, SELECT ON d.*|SET_ANY_DEFINER, SYSTEM_USER ON *.*", "SET_ANY_DEFINER, SYSTEM_USER ON *.*"]),
    ("CREATE PROCEDURE d.p# () SELECT 1", ["", "CREATE ROUTINE ON d.*", "CREATE ROUTINE ON d.*|SET_ANY_DEFINER, SYSTEM_USER ON *.*"]),
    ("CREATE FUNCTION d.f# () RETURNS INT DETERMINISTIC RETURN 1", ["CREATE ROUTINE ON d.*|SET_ANY_DEFINER, SYSTEM_USER ON *.*",
                                                                  "CREATE ROUTINE ON d.*|SET_ANY_DEFINER, SYSTEM_USER, SUPER ON *.*"]),
    ("CREATE TRIGGER d.t# BEFORE UPDATE ON d.fires FOR EACH ROW SET NEW.a = NEW.a", ["TRIGGER ON d.*", "TRIGGER ON d.*|SET_ANY_DEFINER, SYSTEM_USER, SUPER ON *.*"]),
    ("CREATE EVENT d.e# ON SCHEDULE EVERY 1 DAY DO SELECT 1", ["EVENT ON d.*", "EVENT ON d.*|SET_ANY_DEFINER, SYSTEM_USER ON *.*"]),
    ("CREATE DEFINER = u@localhost VIEW d.v# AS SELECT a FROM d.t", ["CREATE VIEW, SELECT ON d.*|SET_ANY_DEFINER ON *.*"]),
    ("CREATE OR REPLACE VIEW d.v AS SELECT b FROM d.t", ["CREATE VIEW, SELECT ON d.*|SET_ANY_DEFINER, SYSTEM_USER ON *.*",
                                                        "CREATE VIEW, SELECT, DROP ON d.*|SET_ANY_DEFINER, SYSTEM_USER ON *.*"]),
    ("ALTER PROCEDURE d.p COMMENT '#'", ["", "ALTER ROUTINE ON d.*"]),
    ("DROP PROCEDURE IF EXISTS d.nope", ["", "ALTER ROUTINE ON d.*"]),
    # accounts
    ("CREATE USER c#@localhost", ["", "CREATE USER ON *.*", "SELECT, INSERT, UPDATE, DELETE ON mysql.*"]),
    ("CREATE ROLE r#", ["", "CREATE ROLE ON *.*"]),
    ("GRANT SELECT ON d.* TO u@localhost", ["", "SELECT ON d.*", "SELECT ON d.* WITH GRANT OPTION", "CREATE USER ON *.*"]),
    ("GRANT SUPER ON *.* TO u@localhost; REVOKE SUPER ON *.* FROM u@localhost", ["CREATE USER ON *.*", "SUPER ON *.* WITH GRANT OPTION"]),
    ("SET PASSWORD FOR u@localhost = '#'", ["", "CREATE USER ON *.*", "UPDATE ON mysql.*"]),
    ("ALTER USER root@localhost COMMENT '#'", ["CREATE USER ON *.*", "CREATE USER, SYSTEM_USER ON *.*"]),
    ("RENAME USER u@localhost TO w@localhost; RENAME USER w@localhost TO u@localhost", ["", "CREATE USER ON *.*"]),
    ("DROP USER IF EXISTS nope@localhost", ["", "CREATE USER ON *.*"]),
    # what a source says of its settings
    ("SET sql_require_primary_key = 1; INSERT INTO d.t (a, b) VALUES (#, 1)", ["!INSERT ON d.t"]),
    ("SET sql_require_primary_key = 1; CREATE TABLE d.c# (a INT PRIMARY KEY)", ["!CREATE ON d.*", "CREATE ON d.*"]),
    ("SET foreign_key_checks = 0, unique_checks = 0, sql_mode = ''; DROP TABLE IF EXISTS d.nope", ["!DROP ON d.*", "DROP ON d.*"]),
    ("SET SESSION sql_log_bin = 1, time_zone = '+03:00'; CREATE TABLE d.c# (a TIMESTAMP DEFAULT '2020-01-01 00:00:00')", ["!CREATE ON d.*"]),
]

# The same with REQUIRE_ROW_FORMAT = 1, with every privilege
ROW_FORMAT = [
    "INSERT INTO d.t (a, b) VALUES (#, 1)",
    "CREATE TABLE d.c# (a INT PRIMARY KEY)",
    "CREATE TABLE d.c# (PRIMARY KEY (a)) SELECT a FROM d.t",
    "CREATE USER c#@localhost",
    "CREATE PROCEDURE d.p# () SELECT 1",
    "XA START 'x'; INSERT INTO d.t (a, b) VALUES (#, 1); XA END 'x'; XA PREPARE 'x'; XA COMMIT 'x'",
    "SET binlog_transaction_compression = 1; INSERT INTO d.t (a, b) VALUES (#, 1)",
    "BEGIN; INSERT INTO d.t (a, b) VALUES (#, 1); SAVEPOINT s; INSERT INTO other.t VALUES (#); ROLLBACK TO s; COMMIT",
    "ANALYZE TABLE d.t",
    "SET binlog_format = STATEMENT; INSERT INTO d.t (a, b) VALUES (#, 1)",
    "SET binlog_format = STATEMENT; UPDATE d.t SET b = # WHERE a = 1",
    "SET binlog_format = STATEMENT; DELETE FROM d.logged",
    "SET binlog_format = STATEMENT; INSERT INTO d.logged (what) VALUES (#)",
    "SET binlog_format = STATEMENT; SET @v = #; INSERT INTO d.t (a, b) VALUES (@v, 1)",
    "SET binlog_format = STATEMENT; INSERT INTO d.t (a, b) VALUES (#, RAND() * 100)",
    "SET binlog_format = STATEMENT; CREATE TEMPORARY TABLE d.tmp (a INT)",
    "SET binlog_format = STATEMENT; DROP TEMPORARY TABLE IF EXISTS d.nope",
]


def ran(s, sql, n):
    with s.connect() as c, c.cursor() as cur:
        for q in sql.replace("#", str(n)).split("; "):
            cur.execute(q)


def status(r):
    with r.connect() as c, c.cursor(pymysql.cursors.DictCursor) as cur:
        cur.execute("SHOW REPLICA STATUS")
        return cur.fetchone()


def grant(r, grants):
    """The account has these and no others."""
    with r.connect() as c, c.cursor() as cur:
        cur.execute("SET sql_log_bin = 0")
        cur.execute("DROP USER IF EXISTS app@localhost")
        cur.execute("CREATE USER app@localhost")
        plain, grants = grants.startswith("!"), grants.lstrip("!")
        for g in [APPLIER, *([] if plain else [SESSION]), *filter(None, grants.split("|"))]:
            what, _, more = g.partition(" WITH ")
            cur.execute(f"GRANT {what} TO app@localhost" + (f" WITH {more}" if more else ""))


def over(s, r):
    """Waits for the applier's or the receiver's end, or for all of the source's log: what was said."""
    wanted = s.query("SELECT @@GLOBAL.gtid_executed")[0][0].replace("\n", "")
    said = []

    def ended():
        now = status(r)
        for thread in ("IO", "SQL"):
            if now[f"Last_{thread}_Errno"] and now[f"Replica_{thread}_Running"] == "No":
                said.append(f"{thread} {now[f'Last_{thread}_Errno']}")
                return True
        return r.query(f"SELECT GTID_SUBSET('{wanted}', @@GLOBAL.gtid_executed)") == ((1,),)
    until(ended, why=lambda: status(r))
    return said[0] if said else "applied"


def tried(s, r, sql, n, options, told=None):
    """What becomes of a statement under these options of CHANGE REPLICATION SOURCE TO. Afterwards it is applied in any case."""
    r.query(f"CHANGE REPLICATION SOURCE TO {options}")
    ran(s, sql, n)
    r.query("START REPLICA")
    said = over(s, r)
    if told is not None:
        told.append((status(r), r.query("SELECT LAST_ERROR_MESSAGE FROM performance_schema.replication_applier_status_by_worker WHERE LAST_ERROR_NUMBER > 0")))
    r.query("STOP REPLICA")
    if said != "applied":
        r.query("CHANGE REPLICATION SOURCE TO PRIVILEGE_CHECKS_USER = NULL, REQUIRE_ROW_FORMAT = 0")
        r.query("START REPLICA")
        assert over(s, r) == "applied", (sql, status(r))
        r.query("STOP REPLICA")
    return said


def answers(s, r, told=None):
    """Each case with what became of it."""
    with s.connect() as c, c.cursor() as cur:
        cur.execute("SET sql_log_bin = 0")
        cur.execute("CREATE USER repl@'%' IDENTIFIED BY 'p w'")
        cur.execute("GRANT REPLICATION SLAVE ON *.* TO repl@'%'")
    for q in SETUP.splitlines():
        s.query(q)
    r.query("RESET BINARY LOGS AND GTIDS")
    r.query(f"CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT={s.port}, SOURCE_USER='repl', SOURCE_PASSWORD='p w', SOURCE_AUTO_POSITION=1, "
            "GET_SOURCE_PUBLIC_KEY=1")
    r.query("START REPLICA")
    assert over(s, r) == "applied", status(r)
    r.query("STOP REPLICA")
    out, n = [], 100
    for sql, grants in CASES:
        for g in grants:
            n += 1
            grant(r, g)
            out.append(f"{sql} | {g} | {tried(s, r, sql, n, 'PRIVILEGE_CHECKS_USER = app@localhost, REQUIRE_ROW_FORMAT = 0', told)}")
    for sql in ROW_FORMAT:
        n += 1
        out.append(f"{sql} | REQUIRE_ROW_FORMAT | {tried(s, r, sql, n, 'PRIVILEGE_CHECKS_USER = NULL, REQUIRE_ROW_FORMAT = 1', told)}")
    return out


if __name__ == "__main__":
    source, replica = Server(options=[*GTIDS, "--server-id=1"]), MySQL(options=[*OPTIONS, "--server-id=2"])
    told = []
    try:
        source.start()
        replica.start()
        lines = answers(source, replica, told)
        RECORDED.write_text("".join(f"{line}\n" for line in lines))
        for line, (now, workers) in zip(lines, told):
            print(line, now["Last_SQL_Error"][:300], now["Last_IO_Error"], workers)
    finally:
        source.remove()
        replica.remove()
