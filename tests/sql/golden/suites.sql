-- What suites of other projects found (tests/suites): go-sql-driver/mysql, mysqltest's main suite.

-- SET TRANSACTION is for the transaction that begins next
CREATE TABLE t (v INT);
--! on b
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
START TRANSACTION;
SELECT COUNT(*) FROM t;
--! on a
INSERT INTO t VALUES (1);
--! on b
SELECT COUNT(*) FROM t;
COMMIT;
START TRANSACTION;
SELECT COUNT(*) FROM t;
--! on a
INSERT INTO t VALUES (2);
--! on b
SELECT COUNT(*) FROM t;
COMMIT;
SET TRANSACTION READ ONLY;
START TRANSACTION;
INSERT INTO t VALUES (3);
COMMIT;
INSERT INTO t VALUES (3);
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
START TRANSACTION;
COMMIT AND CHAIN;
SELECT COUNT(*) FROM t;
--! on a
INSERT INTO t VALUES (4);
--! on b
SELECT COUNT(*) FROM t;
COMMIT;

-- read-only sessions: DDL and account statements are refused too, and end no transaction
SET SESSION TRANSACTION READ ONLY;
INSERT INTO t VALUES (5);
DROP TABLE t;
CREATE TABLE u (a INT);
ALTER TABLE t ADD c INT;
START TRANSACTION READ WRITE;
INSERT INTO t VALUES (5);
COMMIT;
SET SESSION TRANSACTION READ WRITE;
START TRANSACTION READ ONLY;
--! differs MariaDB truncates: the statement commits first. In MySQL it is refused like other DDL
TRUNCATE TABLE t;
--! differs the same
SELECT COUNT(*) FROM t;
COMMIT;
DROP TABLE t;
--! close
--! on a

-- precision of the clock functions
SELECT NOW(7);
SELECT CURTIME(7);
SELECT UTC_TIMESTAMP(8);
SELECT LENGTH(NOW(6)), LENGTH(CURTIME(3));

-- the last AUTO_INCREMENT value
CREATE TABLE t (i TINYINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY);
INSERT INTO t VALUES (254);
INSERT INTO t VALUES (NULL);
--! differs MariaDB answers 167; MySQL hands out the largest value again
INSERT INTO t VALUES (NULL);
--! differs the same
INSERT INTO t VALUES (NULL), (NULL);
SELECT * FROM t;
DROP TABLE t;

-- VALUES that reads a column without a default: the type's own
CREATE TABLE t (a INT NOT NULL, b VARCHAR(5) NOT NULL, c INT DEFAULT 7);
INSERT INTO t VALUES (a + 2, CONCAT('<', b, '>'), c + 1);
SELECT * FROM t;
DROP TABLE t;

-- HAVING: GROUP BY columns, then the select list, nothing else
SET sql_mode = '';
CREATE TABLE t (a INT, b INT, c INT);
INSERT INTO t VALUES (1, 2, 3), (1, 3, 4), (5, 2, 6);
SELECT COUNT(*) FROM t GROUP BY b HAVING a = 1;
--! sorted
SELECT a + 10 AS a, COUNT(*) FROM t GROUP BY b HAVING a = 11;
--! sorted
SELECT MAX(a) AS c FROM t GROUP BY b HAVING c < 5;
--! sorted
SELECT b, COUNT(*) FROM t GROUP BY b HAVING t.b = 2;
SELECT a FROM t HAVING b = 2;
SELECT a FROM t HAVING a = 5;
SELECT COUNT(*) FROM t HAVING SUM(c) > 5;
--! sorted
SELECT b FROM t GROUP BY b HAVING SUM(a) > 1 AND b < 3;
-- GROUP BY finds the select list where FROM is ambiguous
--! sorted
SELECT x.b, COUNT(*) FROM t x JOIN t y ON x.a = y.a GROUP BY b;
SELECT COUNT(*) FROM t x JOIN t y ON x.a = y.a GROUP BY b;
DROP TABLE t;
