-- CREATE, DROP, TRUNCATE, RENAME of tables and databases; CREATE/DROP INDEX; ALTER TABLE on columns and indexes.
CREATE TABLE a (id INT PRIMARY KEY, v VARCHAR(10) NOT NULL DEFAULT 'x', n INT DEFAULT 5, d DATETIME DEFAULT CURRENT_TIMESTAMP, UNIQUE KEY uv (v), KEY (n));
CREATE TABLE a (id INT);
CREATE TABLE IF NOT EXISTS a (id INT);
CREATE TABLE nodb.a (id INT);
CREATE TABLE b (id INT, id INT);
CREATE TABLE b (id INT, KEY (nope));
CREATE TABLE b (id INT, KEY k (id), KEY k (id));
CREATE TABLE b (id INT, PRIMARY KEY (id), PRIMARY KEY (id));
CREATE TABLE b (id INT AUTO_INCREMENT);
CREATE TABLE b (a INT AUTO_INCREMENT PRIMARY KEY, b INT AUTO_INCREMENT UNIQUE);
CREATE TABLE b (v VARCHAR(10) AUTO_INCREMENT PRIMARY KEY);
CREATE TABLE b ();
CREATE TABLE b (id INT NOT NULL DEFAULT NULL);
--! differs 1171 in MySQL; MariaDB makes the column NOT NULL
CREATE TABLE b (id INT NULL PRIMARY KEY);
--! differs the table is there in MariaDB
DROP TABLE IF EXISTS b;
CREATE TABLE b (id INT DEFAULT 'abc');
CREATE TABLE b (v VARCHAR(10), KEY (v(20)));
DROP TABLE IF EXISTS b;
CREATE TABLE b (n INT, KEY (n(2)));
--! ours MariaDB shortens keys that are too long
CREATE TABLE b (t TEXT, KEY (t));
CREATE TABLE b (v VARCHAR(1000), KEY (v));
DROP TABLE IF EXISTS b;
--! end
CREATE TABLE b (id INT) ENGINE=nosuch;
CREATE TABLE b (id INT) CHARACTER SET nosuch;
CREATE TABLE b (id INT) CHARACTER SET latin1 COLLATE utf8mb4_bin;
CREATE TABLE `a b` (`c d` INT, `select` INT);
INSERT INTO `a b` VALUES (1,2);
SELECT `c d`, `select` FROM `a b`;
DROP TABLE `a b`;
DROP TABLE nope;
DROP TABLE IF EXISTS nope;
CREATE TABLE b LIKE a;
CREATE TABLE c (id INT PRIMARY KEY);
DROP TABLE b, nope, c;
--! differs DROP TABLE drops all or nothing in MySQL 8
SELECT * FROM b;
DROP TABLE IF EXISTS b, nope, c;
INSERT INTO a (id, v) VALUES (1,'a'),(2,'b'),(3,'c');
TRUNCATE TABLE a;
TRUNCATE nope;
SELECT COUNT(*) FROM a;
CREATE TABLE ai (id INT AUTO_INCREMENT PRIMARY KEY, v INT);
INSERT INTO ai (v) VALUES (1),(2),(3);
SELECT LAST_INSERT_ID();
INSERT INTO ai VALUES (10,4), (NULL,5), (0,6);
SELECT * FROM ai;
DELETE FROM ai;
INSERT INTO ai (v) VALUES (7);
SELECT * FROM ai;
TRUNCATE ai;
INSERT INTO ai (v) VALUES (8);
SELECT * FROM ai;
ALTER TABLE ai AUTO_INCREMENT = 100;
INSERT INTO ai (v) VALUES (9);
SELECT * FROM ai;
SET sql_mode='NO_AUTO_VALUE_ON_ZERO';
INSERT INTO ai VALUES (0, 10);
SELECT * FROM ai;
SET sql_mode=DEFAULT;
INSERT INTO ai VALUES (-5, 11), (NULL, 12);
SELECT * FROM ai;
CREATE TABLE ti (id TINYINT AUTO_INCREMENT PRIMARY KEY);
INSERT INTO ti VALUES (127);
--! differs MySQL tries the largest value again (1062), MariaDB has a code of its own
INSERT INTO ti VALUES (NULL);
-- columns
INSERT INTO a (id, v, n) VALUES (1,'a',10),(2,'b',20),(3,'c',NULL);
ALTER TABLE a ADD COLUMN x INT;
ALTER TABLE a ADD x INT;
ALTER TABLE a ADD COLUMN f INT NOT NULL DEFAULT 7 FIRST, ADD COLUMN m VARCHAR(5) NOT NULL AFTER v;
SELECT f, id, v, m, n, x FROM a ORDER BY id;
ALTER TABLE a DROP COLUMN d, DROP f;
ALTER TABLE a DROP COLUMN nope;
ALTER TABLE a MODIFY n BIGINT NOT NULL;
UPDATE a SET n = 30 WHERE id = 3;
ALTER TABLE a MODIFY n BIGINT NOT NULL;
ALTER TABLE a MODIFY v VARCHAR(20) FIRST;
SELECT * FROM a ORDER BY id;
ALTER TABLE a CHANGE n num INT UNSIGNED AFTER id;
ALTER TABLE a CHANGE nope x2 INT;
ALTER TABLE a CHANGE x id INT;
ALTER TABLE a RENAME COLUMN num TO number;
ALTER TABLE a RENAME COLUMN nope TO n2;
SELECT * FROM a ORDER BY id;
ALTER TABLE a MODIFY number TINYINT;
--! differs rows are copied because the column is in an index
ALTER TABLE a MODIFY v VARCHAR(20) COLLATE utf8mb4_bin NOT NULL DEFAULT 'dflt';
ALTER TABLE a ALTER COLUMN x SET DEFAULT 42, ALTER v DROP DEFAULT;
INSERT INTO a (id) VALUES (4);
INSERT INTO a (id, v, m) VALUES (4, 'd', 'mm');
SELECT * FROM a ORDER BY id;
UPDATE a SET number = 300 WHERE id = 1;
ALTER TABLE a MODIFY number INT;
UPDATE a SET number = 300 WHERE id = 1;
ALTER TABLE a MODIFY number TINYINT;
--! differs MariaDB's code for the same
ALTER TABLE a MODIFY m INT;
UPDATE a SET m = id;
ALTER TABLE a MODIFY m INT;
SELECT * FROM a ORDER BY id;
ALTER TABLE a ADD COLUMN x2 INT AFTER nope;
-- indexes
ALTER TABLE a ADD INDEX im (m), ADD UNIQUE ux (x, id), ADD INDEX pv (v(1));
ALTER TABLE a ADD INDEX im (m);
ALTER TABLE a ADD UNIQUE un (x);
UPDATE a SET x = 1;
ALTER TABLE a ADD UNIQUE un (x);
CREATE INDEX i2 ON a (m DESC, number);
CREATE UNIQUE INDEX i3 ON a (m);
--! differs a warning in MySQL, a note in MariaDB
CREATE UNIQUE INDEX i4 ON a (x);
CREATE INDEX i5 ON nope (x);
CREATE INDEX i5 ON a (nope);
DROP INDEX i3 ON a;
DROP INDEX nope ON a;
ALTER TABLE a DROP INDEX ux, DROP KEY pv;
ALTER TABLE a RENAME INDEX im TO im2;
ALTER TABLE a RENAME INDEX nope TO x;
--! differs MySQL copies the rows where a primary key goes and none comes
ALTER TABLE a DROP PRIMARY KEY;
ALTER TABLE a DROP PRIMARY KEY;
ALTER TABLE a ADD PRIMARY KEY (id);
ALTER TABLE a ADD PRIMARY KEY (m);
ALTER TABLE a DROP PRIMARY KEY, ADD PRIMARY KEY (m);
SELECT m, id FROM a ORDER BY m;
--! differs MySQL 8 heads columns of information_schema by their own names
SELECT index_name, seq_in_index, column_name, non_unique, collation, sub_part FROM information_schema.statistics WHERE table_schema='test' AND table_name='a' ORDER BY 1,2;
ALTER TABLE a RENAME TO a2;
SELECT COUNT(*) FROM a;
SELECT COUNT(*) FROM a2;
RENAME TABLE a2 TO a3, ai TO a2;
SELECT COUNT(*) FROM a3;
RENAME TABLE a3 TO a2;
RENAME TABLE nope TO x;
ALTER TABLE a3 COMMENT 'hello', ENGINE=InnoDB;
--! differs MySQL copies the rows where a primary key goes and none comes
ALTER TABLE a3 DROP COLUMN m;
ALTER TABLE a3 CONVERT TO CHARACTER SET latin1;
--! differs MySQL 8 heads columns of information_schema by their own names
SELECT table_comment, table_collation FROM information_schema.tables WHERE table_schema='test' AND table_name='a3';
CREATE TABLE one (a INT);
ALTER TABLE one DROP a;
--! differs MariaDB says Records even where nothing is asked
ALTER TABLE one;
ALTER TABLE one ORDER BY a;
CREATE TABLE ci (a INT, b INT, c VARCHAR(10), PRIMARY KEY (a, b), KEY cd (c DESC, b), UNIQUE KEY u (b DESC));
INSERT INTO ci VALUES (1,1,'x'),(1,2,'y'),(2,3,'x'),(2,4,NULL);
INSERT INTO ci VALUES (1,1,'z');
INSERT INTO ci VALUES (5,4,'z');
SELECT c, b FROM ci FORCE INDEX (cd) ORDER BY c DESC, b;
SELECT b FROM ci FORCE INDEX (u) ORDER BY b DESC;
SELECT b FROM ci FORCE INDEX (u) WHERE b > 1 ORDER BY b;
SELECT a, b FROM ci FORCE INDEX (PRIMARY) WHERE a = 2;
-- databases
CREATE DATABASE d1;
CREATE DATABASE d1;
--! differs MySQL counts it as one affected row
CREATE DATABASE IF NOT EXISTS d1;
CREATE DATABASE d2 CHARACTER SET latin1 COLLATE latin1_bin;
--! differs MySQL 8 heads columns of information_schema by their own names
SELECT default_character_set_name, default_collation_name FROM information_schema.schemata WHERE schema_name = 'd2';
CREATE TABLE d2.t (v VARCHAR(10));
--! differs MySQL 8 heads columns of information_schema by their own names
SELECT character_set_name, collation_name FROM information_schema.columns WHERE table_schema = 'd2';
ALTER DATABASE d2 CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
--! differs MySQL 8 heads columns of information_schema by their own names
SELECT default_collation_name FROM information_schema.schemata WHERE schema_name = 'd2';
RENAME TABLE d2.t TO d1.t;
SELECT * FROM d1.t;
DROP DATABASE d1;
DROP DATABASE d1;
DROP DATABASE IF EXISTS d1;
DROP DATABASE d2;
USE nope;
CREATE DATABASE d3;
USE d3;
DROP DATABASE d3;
SELECT DATABASE();
CREATE TABLE x (a INT);
USE test;
