"""Plans that a program keeps are good only for the definitions, settings, rights, variables and temporary tables that they were made under: these change at
random between the calls of a procedure, a function and a trigger, and each answer is the one that the same programs give when nothing of them is kept."""
import os
import random

import pymysql
import pytest

SEED = int(os.environ.get("EVENKEEL_SEED", 1))
BODY = """BEGIN
  DECLARE i INT DEFAULT 0;
  DECLARE c CURSOR FOR SELECT a FROM t ORDER BY a;
  DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN GET DIAGNOSTICS CONDITION 1 @code = MYSQL_ERRNO, @text = MESSAGE_TEXT; SELECT @code, @text; END;
  SELECT * FROM t ORDER BY a;
  SELECT * FROM v ORDER BY 1;
  SELECT f(2), @u, @u + 1, 1 / 3, CURRENT_USER(), f(a) FROM t ORDER BY a;
  SELECT 'x' || 'y', GROUP_CONCAT(a ORDER BY a), "word" FROM t;
  OPEN c; FETCH c INTO i; CLOSE c;
  SELECT i, (SELECT COUNT(*) FROM t WHERE a > i);
  INSERT INTO w (a) VALUES (i), (i + 1);
  SELECT * FROM w;
  UPDATE w SET a = a + f(1);
  SELECT COUNT(*), SUM(a) FROM w;
  DELETE FROM w;
  SELECT * FROM secret;
END"""
CHANGES = [
    "ALTER TABLE plans.t ADD x INT DEFAULT 7", "ALTER TABLE plans.t DROP x", "ALTER TABLE plans.t ADD INDEX k (a)", "ALTER TABLE plans.t DROP INDEX k",
    "ALTER TABLE plans.t MODIFY a INT", "ALTER TABLE plans.t MODIFY a VARCHAR(20)", "ALTER TABLE plans.t MODIFY a DECIMAL(5,2)",
    "CREATE OR REPLACE VIEW plans.v AS SELECT a FROM plans.t WHERE a > 1", "CREATE OR REPLACE VIEW plans.v AS SELECT plans.f(a) AS n FROM plans.t",
    "CREATE OR REPLACE SQL SECURITY INVOKER VIEW plans.v AS SELECT * FROM plans.secret", "DROP VIEW plans.v",
    "DROP FUNCTION plans.f", "CREATE FUNCTION plans.f(n INT) RETURNS INT DETERMINISTIC RETURN n * 10", "CREATE FUNCTION plans.f(n INT) RETURNS VARCHAR(20) RETURN CONCAT('f', n)",
    "CREATE FUNCTION plans.f(n INT) RETURNS INT READS SQL DATA RETURN n + (SELECT COUNT(*) FROM plans.t)", "ALTER FUNCTION plans.f SQL SECURITY INVOKER",
    "DROP TRIGGER plans.tr", "CREATE TRIGGER plans.tr BEFORE INSERT ON plans.w FOR EACH ROW SET NEW.b = CONCAT('b', NEW.a)",
    "CREATE TRIGGER plans.tr BEFORE INSERT ON plans.w FOR EACH ROW SET NEW.b = (SELECT COUNT(*) FROM plans.v)", "ALTER TABLE plans.w ADD c INT DEFAULT 3", "ALTER TABLE plans.w DROP c",
    "CREATE TEMPORARY TABLE plans.t (a INT, tmp INT DEFAULT 9)", "INSERT INTO plans.t (a) VALUES (5)", "DROP TEMPORARY TABLE plans.t", "CREATE TEMPORARY TABLE plans.w (a INT, b VARCHAR(5) DEFAULT 't')",
    "DROP TEMPORARY TABLE plans.w", "SET @u = 5", "SET @u = 'text'", "SET @u = 1.50", "SET @u = NULL", "SET @u = DATE'2024-01-31'",
    "SET sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT'", "SET sql_mode = DEFAULT", "SET div_precision_increment = 9", "SET div_precision_increment = DEFAULT",
    "SET group_concat_max_len = 4", "SET group_concat_max_len = DEFAULT", "SET NAMES latin1", "SET NAMES utf8mb4", "USE mysql", "USE plans", "SET sql_select_limit = 1", "SET sql_select_limit = DEFAULT",
    "SET SESSION transaction_isolation = 'SERIALIZABLE'", "SET SESSION transaction_isolation = 'READ-COMMITTED'", "SET optimizer_switch = 'derived_merge=off'", "SET optimizer_switch = DEFAULT",
    "GRANT SELECT ON plans.secret TO plans_definer", "REVOKE SELECT ON plans.secret FROM plans_definer", "GRANT ALL ON plans.* TO plans_definer", "REVOKE ALL ON plans.* FROM plans_definer",
    "REVOKE EXECUTE ON plans.* FROM plans_definer", "GRANT EXECUTE ON plans.* TO plans_definer", "TRUNCATE TABLE plans.t", "INSERT INTO plans.t (a) VALUES (1), (2), (3)",
    "RENAME TABLE plans.t TO plans.t9", "RENAME TABLE plans.t9 TO plans.t", "BEGIN", "COMMIT", "ROLLBACK",
]


def told(cur, sql):
    """All results, or the error."""
    try:
        cur.execute(sql)
        out = []
        while True:
            out.append((tuple(d[:2] for d in cur.description or ()), cur.fetchall()))
            if not cur.nextset():
                return out
    except pymysql.err.MySQLError as e:
        return e.args


@pytest.fixture
def cur(server):
    c = server.connect()
    cur = c.cursor()
    for sql in ["DROP DATABASE IF EXISTS plans", "DROP USER IF EXISTS plans_definer", "CREATE DATABASE plans", "USE plans", "CREATE USER plans_definer", "GRANT ALL ON plans.* TO plans_definer",
                "CREATE TABLE t (a INT)", "INSERT INTO t VALUES (1), (2), (3)", "CREATE TABLE w (id INT AUTO_INCREMENT PRIMARY KEY, a INT, b VARCHAR(20))",
                "CREATE TABLE secret (s INT)", "INSERT INTO secret VALUES (42)", f"CREATE DEFINER = plans_definer PROCEDURE p() {BODY}",
                f"CREATE PROCEDURE q() {BODY.replace('INT DEFAULT 0', 'INT DEFAULT 1')}", *(f"CREATE FUNCTION d{i}() RETURNS INT NO SQL RETURN {i}" for i in range(17)),
                "SET GLOBAL stored_program_cache = 16"]:
        cur.execute(sql)
    yield cur
    c.close()
    with server.connect() as c, c.cursor() as cur:
        cur.execute("SET GLOBAL stored_program_cache = DEFAULT")
        cur.execute("DROP DATABASE plans")
        cur.execute("DROP USER plans_definer")


@pytest.mark.parametrize("seed", range(SEED, SEED + 3))
def test_kept_plans_are_as_good_as_new_ones(cur, seed):
    rng = random.Random(seed)
    forget = "SELECT " + ", ".join(f"plans.d{i}()" for i in range(17))
    done = []
    for _ in range(40):
        for sql in rng.sample(CHANGES, rng.choice([1, 1, 2, 4])):
            done.append(sql)
            told(cur, sql)
        call = rng.choice(["CALL plans.p()", "CALL plans.q()"])
        kept = told(cur, call)
        assert len(told(cur, forget)) == 1
        fresh = told(cur, call)
        assert without_ids(kept) == without_ids(fresh), (call, done[-12:])


def without_ids(results):
    """Without the values of w.id."""
    if isinstance(results, tuple):
        return results
    return [(head, tuple(row[1:] for row in rows) if head and head[0][0] == "id" else rows) for head, rows in results]
