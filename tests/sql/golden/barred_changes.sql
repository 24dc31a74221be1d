-- What is said first of statements that may not be: changes in read-only transactions, locking reads and changes of information_schema.
--! ours MariaDB looks for tables and columns first, and its information_schema is another
CREATE TABLE t (id INT PRIMARY KEY, i INT);
CREATE TEMPORARY TABLE tmp (a INT);
START TRANSACTION READ ONLY;
UPDATE nosuch SET a = 1;
UPDATE nodb.x SET a = 1;
UPDATE t SET nosuch = 1;
UPDATE t SET i = 1 WHERE SUM(i) > 1;
UPDATE tmp, t SET nosuch = 1;
UPDATE tmp SET nosuch = 1;
INSERT INTO nosuch VALUES (1);
INSERT INTO t VALUES (1);
INSERT INTO t (nosuch) VALUES (1);
INSERT INTO t (id) VALUES (1) ON DUPLICATE KEY UPDATE nosuch = 1;
INSERT INTO t SELECT * FROM nosuch;
INSERT INTO tmp VALUES (1, 2);
REPLACE INTO t SET id = 1, id = 2;
DELETE FROM nosuch;
DELETE FROM t WHERE nosuch = 1;
DELETE nosuch FROM t;
DELETE t FROM t JOIN nosuch;
SELECT * FROM nosuch FOR UPDATE;
SELECT nosuch FROM t FOR UPDATE;
SELECT nosuch FROM t FOR SHARE;
PREPARE s FROM 'UPDATE nosuch SET i = 1';
ROLLBACK;
SELECT * FROM information_schema.tables FOR UPDATE;
SELECT nosuch FROM information_schema.tables FOR UPDATE;
SELECT 1 FROM information_schema.tables FOR SHARE;
SELECT 1 FROM information_schema.tables LOCK IN SHARE MODE;
SELECT * FROM information_schema.nosuch FOR UPDATE;
SELECT g.i FROM t g JOIN information_schema.tables x FOR UPDATE OF x;
SELECT g.i FROM t g JOIN information_schema.tables x FOR UPDATE OF g;
UPDATE information_schema.tables SET table_name = 1;
LOCK TABLES information_schema.tables READ;
-- a number beyond the column's range is told of, not what follows it
CREATE TABLE n (a TINYINT, b SMALLINT UNSIGNED, c BIGINT);
INSERT INTO n (a) VALUES ('999x');
INSERT INTO n (b) VALUES ('-1:00');
INSERT INTO n (c) VALUES ('99999999999999999999 x');
INSERT INTO n (a) VALUES ('12x');
INSERT IGNORE INTO n VALUES ('999x', '-1:00', '99999999999999999999 x'), ('12x', '1:00', '1 x');
SELECT * FROM n;
--! end
