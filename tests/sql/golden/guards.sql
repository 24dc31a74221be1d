-- Settings that forbid statements: read_only, super_read_only, sql_safe_updates, sql_require_primary_key, max_join_size.
CREATE TABLE t (id INT PRIMARY KEY, v INT, w INT, KEY (v));
INSERT INTO t VALUES (1,1,1),(2,2,2),(3,3,3);
SET sql_safe_updates = 1;
UPDATE t SET w = 0;
UPDATE t SET w = 0 WHERE w = 1;
DELETE FROM t WHERE w = 1;
DELETE FROM t;
UPDATE t SET w = 0 WHERE id = 1;
UPDATE t SET w = 0 WHERE v = 2;
UPDATE t SET w = 7 LIMIT 1;
DELETE FROM t WHERE w = 99 LIMIT 1;
SELECT * FROM t ORDER BY id;
SET sql_safe_updates = 0;
UPDATE t SET w = 0;
--! ours MariaDB has no sql_require_primary_key
SET sql_require_primary_key = 1;
CREATE TABLE nopk (a INT);
CREATE TABLE nopk (a INT UNIQUE);
CREATE TABLE pk (a INT PRIMARY KEY, b INT);
ALTER TABLE pk DROP PRIMARY KEY;
ALTER TABLE pk DROP PRIMARY KEY, ADD PRIMARY KEY (b);
SET sql_require_primary_key = 0;
CREATE TABLE nopk (a INT);
--! end
SET sql_big_selects = 0, max_join_size = 5;
SELECT @@max_join_size, @@sql_big_selects;
--! differs MariaDB's estimate of the same rows is lower
--! mysql the newer one does not count the rows of a COUNT(*)
SELECT COUNT(*) FROM t a, t b;
SELECT COUNT(*) FROM t;
SET sql_big_selects = 1;
SELECT COUNT(*) FROM t a, t b;
SET max_join_size = DEFAULT;
SELECT @@sql_big_selects;
--! ours MariaDB has no super_read_only, and its root may write under read_only
SET GLOBAL read_only = 1;
INSERT INTO t VALUES (4,4,4);
SET GLOBAL super_read_only = 1;
SELECT @@global.read_only, @@global.super_read_only;
INSERT INTO t VALUES (5,5,5);
UPDATE t SET w = 1;
DELETE FROM t;
REPLACE INTO t VALUES (1,1,1);
CREATE TABLE ro (a INT);
DROP TABLE t;
ALTER TABLE t ADD x INT;
TRUNCATE t;
CREATE DATABASE ro;
CREATE USER ro;
SET PASSWORD = '';
SET PASSWORD FOR root@localhost = '';
ALTER USER root@localhost COMMENT 'x';
SET DEFAULT ROLE NONE TO root@localhost;
START TRANSACTION READ WRITE;
START TRANSACTION;
COMMIT AND CHAIN;
ROLLBACK AND CHAIN;
COMMIT;
START TRANSACTION READ ONLY;
COMMIT;
SELECT COUNT(*) FROM t;
SELECT COUNT(*) FROM t FOR UPDATE;
SET @a = 1;
SET GLOBAL read_only = 0;
SELECT @@global.read_only, @@global.super_read_only;
INSERT INTO t VALUES (5,5,5);
BEGIN;
INSERT INTO t VALUES (6,6,6);
--! on b
SET GLOBAL super_read_only = 1;
--! on a
COMMIT;
--! on b
SET GLOBAL super_read_only = 0;
SET GLOBAL read_only = 0;
--! on a
SELECT COUNT(*) FROM t;
CREATE USER low@localhost;
--! mysql MySQL warns (1285) where names are not resolved
GRANT ALL ON test.* TO low@localhost;
DROP USER low@localhost;
--! end
-- parameters outside of prepared statements, empty statements
SELECT ?;
SELECT 1 WHERE 1 = ?;
SET @a = ?;
SELECT /* only */ 1;
-- div_precision_increment is part of a plan
SELECT 1/7;
SET div_precision_increment = 8;
SELECT 1/7;
SET div_precision_increment = DEFAULT;
SELECT 1/7;
