-- Empty quoted identifiers: an alias or a heading may be empty, a name may not (compared with a real MySQL)
CREATE TABLE t1 (a INT, KEY k (a));
INSERT INTO t1 VALUES (1);
SELECT 1 AS ``;
SELECT ``.a FROM t1 ``;
SELECT a '' FROM t1;
--! ours MariaDB words some errors otherwise
SELECT * FROM ``;
SELECT * FROM ``.t1;
SELECT `` FROM t1;
CREATE TABLE `` (a INT);
CREATE TABLE q (`` INT);
CREATE TABLE q (a INT, KEY `` (a));
CREATE DATABASE ``;
DROP TABLE IF EXISTS ``;
ALTER TABLE t1 ADD COLUMN `` INT;
ALTER TABLE t1 RENAME TO ``;
ALTER TABLE t1 RENAME COLUMN a TO ``;
RENAME TABLE t1 TO ``;
CREATE INDEX `` ON t1 (a);
CREATE VIEW `` AS SELECT 1;
CREATE VIEW v AS SELECT 1 ``;
INSERT INTO `` VALUES (1);
UPDATE t1 SET `` = 1;
DELETE FROM ``;
TRUNCATE ``;
SHOW CREATE TABLE ``;
SELECT * FROM (SELECT 1) AS x(``);
WITH `` AS (SELECT 1) SELECT * FROM ``;
--! end
