"""PRIVILEGE_CHECKS_USER and REQUIRE_ROW_FORMAT: what a replica applies with which grants, beside MySQL's recorded answers; what of the account changes while a
channel runs; what the statements say; LOAD DATA and other texts of a MySQL source; relay logs of channels whose names are not ASCII."""
import contextlib

import pymysql
import pytest

from binlog import privilege_checks as checks
from binlog.test_replica import GTIDS, applier_failed, caught_up, make, pair, point, status
from lib.servers import MySQL, Server
from lib.wait import until

HAS_MYSQL = pytest.mark.skipif(MySQL.folder() is None, reason="scripts/mysql-peer.sh has not been run")

# What we refuse and MySQL does not, or with another error
OURS = {
    # columns that have another value than before are asked for, not any
    "UPDATE d.t SET a = # WHERE a = 1; UPDATE d.t SET a = 1 WHERE a = # | UPDATE (b) ON d.t": "SQL 1143",
    "INSERT INTO d.t (a, b) VALUES (#, 1) | INSERT (a) ON d.t": "SQL 1143",
    # both refuse, as of any client: 1142 names the table where 1143 names a column
    "SET binlog_format = STATEMENT; UPDATE d.t SET b = # WHERE a = 1 | UPDATE ON d.t": "SQL 1142",
}


def test_events_and_grants():
    """Each statement with each grant is applied, or stops the applier with the same error, as MySQL does it."""
    s, r = Server(options=[*checks.GTIDS, "--server-id=1"]), Server(options=[*checks.OPTIONS, "--server-id=2"])
    try:
        s.start()
        r.start()
        ours = checks.answers(s, r)
    finally:
        s.remove()
        r.remove()
    wanted = checks.RECORDED.read_text().splitlines()
    assert [x.rpartition(" | ")[0] for x in ours] == [x.rpartition(" | ")[0] for x in wanted]
    different = []
    for us, mysql in zip(ours, wanted):
        case, _, said = us.rpartition(" | ")
        if said != OURS.get(case, mysql.rpartition(" | ")[2]):
            different.append(f"{us}; MySQL: {mysql.rpartition(' | ')[2]}")
    assert not different, "\n".join(different)


@contextlib.contextmanager
def guarded(grants, more="", kind=Server):
    """A source with a table, and a replica whose channel has an account with these grants; both run."""
    with pair(kind) as (s, r):
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE d.t (a INT PRIMARY KEY, b INT)")
        point(s, r)
        r.query("START REPLICA")
        caught_up(s, r)
        r.query("STOP REPLICA")
        checks.grant(r, grants)
        r.query(f"CHANGE REPLICATION SOURCE TO PRIVILEGE_CHECKS_USER = app@localhost{more}")
        r.query("START REPLICA")
        yield s, r


def unlogged(r, *statements):
    with r.connect() as c, c.cursor() as cur:
        cur.execute("SET sql_log_bin = 0")
        for sql in statements:
            cur.execute(sql)


def stopped(s, r):
    """Waits for the applier's end: its error."""
    until(lambda: status(r)["Replica_SQL_Running"] == "No", why=lambda: status(r))
    return status(r)["Last_SQL_Errno"]


@pytest.mark.parametrize("change, error", [
    ("REVOKE INSERT ON d.t FROM app@localhost", 1142),
    # MySQL lets these go on until the applier begins anew
    ("REVOKE INSERT ON *.* FROM app@localhost", 1142),
    ("REVOKE REPLICATION_APPLIER ON *.* FROM app@localhost", 13496),
    ("DROP USER app@localhost", 13494),
    ("RENAME USER app@localhost TO other@localhost", 13494),
])
def test_what_is_taken_away_counts_at_once(change, error):
    where = "*.*" if "*.*" in change and "INSERT" in change else "d.t"
    with guarded(f"INSERT ON {where}") as (s, r):
        s.query("INSERT INTO d.t VALUES (1, 1)")
        caught_up(s, r)
        unlogged(r, change)
        s.query("INSERT INTO d.t VALUES (2, 2)")
        assert stopped(s, r) == error
        assert r.query("SELECT * FROM d.t") == ((1, 1),)
        # the channel has its account still, also after a restart, and begins with nothing else
        r.stop()
        r.start()
        assert r.query("SELECT PRIVILEGE_CHECKS_USER FROM performance_schema.replication_applier_configuration") == (("'app'@'localhost'",),)
        assert stopped(s, r) == error and r.query("SELECT * FROM d.t") == ((1, 1),)
        r.query("STOP REPLICA")
        # what is granted again is seen, too
        unlogged(r, "DROP USER IF EXISTS app@localhost, other@localhost")
        checks.grant(r, "INSERT ON d.t")
        r.query("START REPLICA")
        caught_up(s, r)
        assert r.query("SELECT * FROM d.t") == ((1, 1), (2, 2))


def test_the_account_drops_itself():
    """DROP USER of the account comes by the channel that it guards: nothing behind it is applied."""
    with guarded("CREATE USER, INSERT ON *.*") as (s, r):
        s.query("DROP USER IF EXISTS app@localhost")
        s.query("INSERT INTO d.t VALUES (1, 1)")
        assert stopped(s, r) == 13494
        assert r.query("SELECT * FROM d.t") == () and r.query("SELECT 1 FROM mysql.user WHERE user = 'app'") == ()


def test_roles():
    """Default roles count, roles that are only granted do not; mandatory ones where all are active from login on."""
    with guarded("") as (s, r):
        unlogged(r, "CREATE ROLE w", "GRANT INSERT ON d.t TO w", "GRANT w TO app@localhost")
        s.query("INSERT INTO d.t VALUES (1, 1)")
        assert stopped(s, r) == 1142
        r.query("STOP REPLICA")
        unlogged(r, "SET DEFAULT ROLE w TO app@localhost")
        r.query("START REPLICA")
        caught_up(s, r)
        unlogged(r, "REVOKE w FROM app@localhost")
        s.query("INSERT INTO d.t VALUES (2, 2)")
        assert stopped(s, r) == 1142
        r.query("STOP REPLICA")
        r.query("SET GLOBAL mandatory_roles = 'w'")
        r.query("START REPLICA")
        assert stopped(s, r) == 1142
        r.query("STOP REPLICA")
        r.query("SET GLOBAL activate_all_roles_on_login = 1")
        r.query("START REPLICA")
        caught_up(s, r)
        assert r.query("SELECT COUNT(*) FROM d.t") == ((2,),)


@pytest.mark.parametrize("workers", [0, 4])
def test_a_denied_change_leaves_nothing(workers):
    """A transaction of which a part may not be is not done at all; an offline and read-only replica applies; whoever looks sees the account."""
    with guarded("INSERT, UPDATE ON d.t") as (s, r):
        r.query("STOP REPLICA")
        for name, value in (("replica_parallel_workers", workers), ("super_read_only", 1), ("offline_mode", 1)):
            r.query(f"SET GLOBAL {name} = {value}")
        r.query("START REPLICA")
        s.query("INSERT INTO d.t VALUES (1, 1)")
        caught_up(s, r)
        assert ("app", "localhost") in r.query("SELECT USER, HOST FROM information_schema.PROCESSLIST")
        with s.connect(autocommit=False) as c, c.cursor() as cur:
            cur.execute("INSERT INTO d.t VALUES (2, 2)")
            cur.execute("UPDATE d.t SET b = 5 WHERE a = 1")
            cur.execute("DELETE FROM d.t WHERE a = 2")
            c.commit()
        assert stopped(s, r) == 1142
        said = r.query("SELECT LAST_ERROR_MESSAGE FROM performance_schema.replication_applier_status_by_worker WHERE LAST_ERROR_NUMBER > 0")
        assert "DELETE command denied to user 'app'@'localhost' for table 't'" in said[0][0]
        assert r.query("SELECT * FROM d.t") == ((1, 1),)


@HAS_MYSQL
@pytest.mark.parametrize("sql", ["INSERT INTO mysql.evenkeel_replica VALUES ('x', '', '', 4)", "SET binlog_format = STATEMENT; DELETE FROM mysql.evenkeel_replica",
                                 "TRUNCATE TABLE mysql.evenkeel_replica", "ALTER TABLE mysql.evenkeel_replica ADD COLUMN x INT"])
def test_the_servers_own_table(sql):
    """Where a replica's settings lie a source changes nothing, whatever the account has: from a source on which that is a table like others."""
    table = "CREATE TABLE mysql.evenkeel_replica (channel VARCHAR(64) PRIMARY KEY, settings LONGTEXT, log_file VARCHAR(512), log_pos BIGINT UNSIGNED)"
    with guarded("ALL ON *.*", kind=MySQL) as (s, r):
        unlogged(s, table, "INSERT INTO mysql.evenkeel_replica VALUES ('', '', '', 4)")
        with s.connect() as c, c.cursor() as cur:
            for q in sql.split("; "):
                cur.execute(q)
        assert stopped(s, r) == 1142


STATEMENTS = [
    ("PRIVILEGE_CHECKS_USER = nobody@localhost", 3926), ("PRIVILEGE_CHECKS_USER = ''@localhost", 3925), ("PRIVILEGE_CHECKS_USER = ''", 3925),
    ("PRIVILEGE_CHECKS_USER = CURRENT_USER()", 1064), ("REQUIRE_ROW_FORMAT = 2", 3945), ("REQUIRE_ROW_FORMAT = -1", 1064),
]


def test_statements():
    """What CHANGE REPLICATION SOURCE TO says, what is shown, and what a restart and RESET REPLICA leave of it."""
    shown = "SELECT PRIVILEGE_CHECKS_USER, REQUIRE_ROW_FORMAT FROM performance_schema.replication_applier_configuration"
    r = make(Server, 9, *GTIDS, "--relay-log=r", "--skip-replica-start")
    try:
        r.start()
        change = "CHANGE REPLICATION SOURCE TO "
        r.query(change + "SOURCE_HOST = '127.0.0.1', SOURCE_PORT = 1")
        for option, code in STATEMENTS:
            with pytest.raises(pymysql.err.MySQLError) as e:
                r.query(change + option)
            assert e.value.args[0] == code, option
        assert r.query(shown) == ((None, "NO"),)
        r.query("CREATE USER 'a''b\\\\c\"`'@'h_%'")
        r.query(change + "PRIVILEGE_CHECKS_USER = 'a''b\\\\c\"`'@'H_%', REQUIRE_ROW_FORMAT = 1")
        wanted = (("'a\\'b\\c\"`'@'h_%'", "YES"),)
        assert r.query(shown) == wanted
        r.query("RESET REPLICA")
        r.query("DROP USER 'a''b\\\\c\"`'@'h_%'")
        r.stop()
        r.start()
        assert r.query(shown) == wanted
        # a change of something else leaves it, MySQL forgets it there
        r.query(change + "SOURCE_DELAY = 1")
        assert r.query(shown) == wanted
        r.query("START REPLICA SQL_THREAD")
        applier_failed(r, 13494)
        r.query(change + "PRIVILEGE_CHECKS_USER = NULL, REQUIRE_ROW_FORMAT = 0")
        assert r.query(shown) == ((None, "NO"),)
        r.query("CREATE USER app")
        r.query(change + "PRIVILEGE_CHECKS_USER = app")
        r.query("START REPLICA SQL_THREAD")
        applier_failed(r, 13496)
        r.query("GRANT REPLICATION_APPLIER ON *.* TO app")
        r.query("START REPLICA SQL_THREAD")
        for option in ("PRIVILEGE_CHECKS_USER = NULL", "REQUIRE_ROW_FORMAT = 0"):
            with pytest.raises(pymysql.err.MySQLError) as e:
                r.query(change + option)
            assert e.value.args[0] == 3085, option
        r.query("STOP REPLICA")
        r.query("RESET REPLICA ALL")
        r.query(change + "SOURCE_HOST = '127.0.0.1', SOURCE_PORT = 1")
        assert r.query(shown) == ((None, "NO"),)
    finally:
        r.remove()


def test_require_row_format_of_a_session():
    """The variable, as `mysqlbinlog --require-row-format` sets it."""
    s = Server()
    try:
        s.start()
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE d.t (a INT PRIMARY KEY)")
        s.query("CREATE PROCEDURE d.p () INSERT INTO d.t VALUES (1)")
        with s.connect() as c, c.cursor() as cur:
            cur.execute("SET SESSION require_row_format = 1")
            for sql in ("INSERT INTO d.t VALUES (1)", "DELETE FROM d.t", "UPDATE d.t SET a = 1", "CREATE TEMPORARY TABLE d.x (a INT)",
                        "DROP TEMPORARY TABLE IF EXISTS d.x", "CALL d.p()", "LOAD DATA INFILE '/nope' INTO TABLE d.t"):
                with pytest.raises(pymysql.err.MySQLError) as e:
                    cur.execute(sql)
                assert e.value.args[0] == 3944, sql
            cur.execute("SELECT * FROM d.t")
            cur.execute("CREATE TABLE d.u (a INT)")
    finally:
        s.remove()


@HAS_MYSQL
def test_default_collation_for_utf8mb4():
    """CHARACTER SET utf8mb4 means what it meant at the source; a literal with an introducer is refused by name."""
    with pair(MySQL) as (s, r):
        point(s, r)
        r.query("START REPLICA")
        with s.connect() as c, c.cursor() as cur:
            for sql in ("SET default_collation_for_utf8mb4 = utf8mb4_general_ci", "CREATE DATABASE d CHARACTER SET utf8mb4",
                        "CREATE TABLE d.t (a VARCHAR(10) CHARACTER SET utf8mb4, b ENUM('x') CHARACTER SET utf8mb4, c TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin)",
                        "CREATE TABLE d.u (a VARCHAR(10)) CHARACTER SET utf8mb4", "CREATE TABLE d.w (a VARCHAR(10)) CHARACTER SET latin1",
                        "ALTER TABLE d.w CONVERT TO CHARACTER SET utf8mb4", "CREATE DATABASE e CHARACTER SET latin1", "ALTER DATABASE e CHARACTER SET utf8mb4",
                        "SET default_collation_for_utf8mb4 = utf8mb4_0900_ai_ci", "CREATE TABLE d.x (a VARCHAR(10) CHARACTER SET utf8mb4)"):
                cur.execute(sql)
        caught_up(s, r)
        shown = ["SELECT TABLE_NAME, COLUMN_NAME, COLLATION_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'd' ORDER BY 1, 2",
                 "SELECT SCHEMA_NAME, DEFAULT_COLLATION_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME IN ('d', 'e') ORDER BY 1",
                 "SELECT TABLE_NAME, TABLE_COLLATION FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'd' ORDER BY 1"]
        for sql in shown:
            assert r.query(sql) == s.query(sql)
        assert "utf8mb4_general_ci" in repr(r.query(shown[0]))
        with s.connect() as c, c.cursor() as cur:
            cur.execute("SET default_collation_for_utf8mb4 = utf8mb4_general_ci")
            cur.execute("CREATE TABLE d.y (a VARCHAR(10) DEFAULT (_utf8mb4'a'))")
        assert stopped(s, r) == 1235


@HAS_MYSQL
def test_texts_of_mysql():
    """LOAD DATA, temporary tables and what comes before statements, as MySQL logs them: refused by REQUIRE_ROW_FORMAT (3944), LOAD DATA without FILE (4117)."""
    with guarded("ALL ON *.*", ", REQUIRE_ROW_FORMAT = 1", MySQL) as (s, r):
        file = s.dir / "rows.txt"
        file.write_text("900\t1\n")
        texts = ["INSERT INTO d.t VALUES (1, 1)", "INSERT INTO d.t VALUES (LAST_INSERT_ID() + 10, 1)", "INSERT INTO d.t VALUES (2, RAND() * 10)",
                 "SET @v = 3; INSERT INTO d.t VALUES (@v, 1)", "CREATE TEMPORARY TABLE d.x (a INT)", f"LOAD DATA INFILE '{file}' INTO TABLE d.t"]
        for n, text in enumerate(texts):
            with s.connect() as c, c.cursor() as cur:
                for q in ("SET binlog_format = STATEMENT; " + text).split("; "):
                    cur.execute(q)
            assert stopped(s, r) == 3944, text
            gtid = s.query("SELECT @@GLOBAL.gtid_executed")[0][0].replace("\n", "")
            r.query("STOP REPLICA")
            r.query("RESET BINARY LOGS AND GTIDS")
            r.query(f"SET GLOBAL gtid_purged = '{gtid}'")
            r.query("RESET REPLICA")
            r.query("START REPLICA")
        s.query("CREATE TABLE d.u (a INT PRIMARY KEY)")
        s.query("INSERT INTO d.u VALUES (1)")
        caught_up(s, r)
        r.query("STOP REPLICA")
        checks.grant(r, "INSERT ON *.*")
        r.query("CHANGE REPLICATION SOURCE TO REQUIRE_ROW_FORMAT = 0")
        r.query("START REPLICA")
        file.write_text("901\t1\n")
        with s.connect() as c, c.cursor() as cur:
            cur.execute("SET binlog_format = STATEMENT")
            cur.execute(f"LOAD DATA INFILE '{file}' INTO TABLE d.t")
        assert stopped(s, r) == 4117
