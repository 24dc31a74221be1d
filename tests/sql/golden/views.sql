-- Views: definition, reading, metadata, updating, check options, errors.
CREATE TABLE t1 (a INT PRIMARY KEY AUTO_INCREMENT, b VARCHAR(10) NOT NULL, c DECIMAL(5,2) DEFAULT 1.50, d DATETIME);
CREATE TABLE t2 (a INT, e INT NOT NULL DEFAULT 3, KEY (a));
INSERT INTO t1 (a,b,c,d) VALUES (1,'one',1.25,'2020-01-01 10:00:00'),(2,'two',NULL,NULL),(3,'three',3.5,'2021-05-06 07:08:09'),(10,'ten',10,NULL);
INSERT INTO t2 VALUES (1,10),(1,11),(3,30),(NULL,40),(7,70);
CREATE VIEW v1 AS SELECT a, b, c + 1 AS c1 FROM t1 WHERE a < 5;
CREATE VIEW v2 (x, y) AS SELECT a, b FROM t1;
CREATE VIEW v3 AS SELECT v1.a, v1.b, t2.e FROM v1 JOIN t2 ON v1.a = t2.a;
CREATE VIEW v4 AS SELECT a, COUNT(*) AS n, MAX(e) AS m FROM t2 GROUP BY a;
CREATE ALGORITHM=TEMPTABLE VIEW v5 AS SELECT a, b FROM t1;
CREATE VIEW v6 AS SELECT * FROM t1;
CREATE VIEW v7 AS SELECT a FROM t1 UNION SELECT e FROM t2;
CREATE VIEW v8 AS SELECT DISTINCT a FROM t2 ORDER BY a DESC LIMIT 2;
--! sorted
SELECT * FROM v1;
--! sorted
SELECT * FROM v2;
--! sorted
SELECT * FROM v3;
--! sorted
SELECT * FROM v4;
--! sorted
SELECT * FROM v5;
--! sorted
SELECT * FROM v7;
SELECT * FROM v8;
SELECT x.a, x.b, y.n FROM v1 x LEFT JOIN v4 y ON x.a = y.a ORDER BY x.a;
SELECT t2.a, v1.c1, v1.b FROM t2 LEFT JOIN v1 ON v1.a = t2.a ORDER BY t2.e;
SELECT t2.e, k.one, k.a FROM t2 LEFT JOIN (SELECT a, 1 AS one FROM t1 WHERE a < 3) k ON k.a = t2.a ORDER BY t2.e;
SELECT v1.b, t2.e FROM v1 RIGHT JOIN t2 ON v1.a = t2.a ORDER BY t2.e;
SELECT COUNT(*), SUM(c1), MIN(b) FROM v1;
SELECT c1, COUNT(*) FROM v1 GROUP BY c1 ORDER BY c1;
SELECT b FROM v1 WHERE c1 > 2 AND a IN (SELECT a FROM v3);
SELECT x, (SELECT MAX(e) FROM v3 WHERE v3.a = v2.x) AS m FROM v2 ORDER BY x;
SELECT d.s FROM (SELECT a + 1 AS s FROM t1 WHERE a > 1) d WHERE d.s < 5 ORDER BY d.s DESC;
SELECT d.r, q.s FROM (SELECT b AS r, a FROM t1) d JOIN (SELECT e AS s, a FROM t2) q USING (a) ORDER BY q.s;
--! differs MySQL takes over the ORDER BY of a merged derived table
SELECT * FROM (SELECT a, b FROM t1 ORDER BY b) d;
SELECT v1.a, test.v1.b FROM test.v1 WHERE test.v1.a = 3;
SELECT EXISTS (SELECT 1 FROM v1 WHERE a = 99), (SELECT COUNT(*) FROM v7);
-- definitions
--! differs MySQL writes parentheses around every operator and its own names of functions
SHOW CREATE VIEW v1;
--! differs MySQL 8 keeps the list of columns as it was given
SHOW CREATE VIEW v2;
--! differs MySQL writes parentheses around every operator
SHOW CREATE VIEW v3;
SHOW CREATE VIEW v4;
SHOW CREATE VIEW v6;
SHOW CREATE TABLE v7;
SHOW CREATE VIEW v8;
ALTER TABLE t1 ADD f INT DEFAULT 7;
SELECT * FROM v6 WHERE a = 1;
ALTER TABLE t1 DROP f;
CREATE OR REPLACE ALGORITHM=MERGE SQL SECURITY INVOKER VIEW v6 AS SELECT a FROM t1 WITH LOCAL CHECK OPTION;
SHOW CREATE VIEW v6;
ALTER VIEW v6 AS SELECT a, b FROM t1 WHERE a > 1;
--! differs MySQL writes parentheses around every operator
SHOW CREATE VIEW v6;
--! sorted
SHOW TABLES;
--! sorted
SHOW FULL TABLES;
--! differs MariaDB still shows display widths of integers
SHOW COLUMNS FROM v1;
--! differs MariaDB still shows display widths of integers
DESCRIBE v4;
SELECT TABLE_NAME, CHECK_OPTION, IS_UPDATABLE, DEFINER, SECURITY_TYPE FROM information_schema.VIEWS WHERE TABLE_SCHEMA = 'test' ORDER BY TABLE_NAME;
--! differs MySQL writes parentheses around every operator
SELECT VIEW_DEFINITION FROM information_schema.VIEWS WHERE TABLE_SCHEMA = 'test' AND TABLE_NAME = 'v1';
--! differs MariaDB has no such table
SELECT VIEW_NAME, TABLE_SCHEMA, TABLE_NAME FROM information_schema.VIEW_TABLE_USAGE WHERE VIEW_SCHEMA = 'test' AND VIEW_NAME IN ('v3', 'v7') ORDER BY 1, 3;
SELECT COLUMN_NAME, ORDINAL_POSITION, IS_NULLABLE, DATA_TYPE FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'test' AND TABLE_NAME = 'v3' ORDER BY 2;
-- writing
INSERT INTO v2 (x, y) VALUES (20, 'twenty');
INSERT INTO v2 VALUES (21, 'more'), (22, 'most');
UPDATE v2 SET y = CONCAT(y, '!') WHERE x >= 21;
DELETE FROM v2 WHERE x = 22;
SELECT * FROM v2 WHERE x > 10 ORDER BY x;
INSERT INTO v2 (x, y) VALUES (20, 'again') ON DUPLICATE KEY UPDATE y = CONCAT(VALUES(y), x);
REPLACE INTO v2 VALUES (21, 'replaced');
SELECT a, b, c FROM t1 WHERE a > 10 ORDER BY a;
UPDATE v1 SET b = 'ONE' WHERE a = 1;
UPDATE v1 SET c1 = 5;
--! differs MariaDB says first that the view takes no rows
INSERT INTO v1 VALUES (30, 'x', 2);
UPDATE v3 SET e = e + 1 WHERE a = 3;
UPDATE v3 SET b = 'uno' WHERE e = 10;
UPDATE v3 SET b = 'q', e = 5;
DELETE FROM v3;
INSERT INTO v3 VALUES (1, 'a', 2);
INSERT INTO v3 (e) VALUES (99);
INSERT INTO v3 (b, e) VALUES ('z', 98);
UPDATE v4 SET n = 1;
DELETE FROM v4;
INSERT INTO v4 VALUES (1, 2, 3);
UPDATE v5 SET b = 'x';
DELETE FROM v7;
DELETE v2 FROM v2 JOIN t2 ON v2.x = t2.e WHERE t2.e = 11;
UPDATE v2 JOIN t2 ON v2.x = t2.a SET v2.y = 'joined' WHERE t2.e = 11;
SELECT a, b FROM t1 ORDER BY a;
SELECT * FROM t2 ORDER BY e;
-- check options
CREATE VIEW c1 AS SELECT a, b FROM t1 WHERE a < 100;
CREATE VIEW c2 AS SELECT a, b FROM c1 WHERE a > 0 WITH LOCAL CHECK OPTION;
CREATE VIEW c3 AS SELECT a, b FROM c1 WHERE a > 0 WITH CASCADED CHECK OPTION;
CREATE VIEW c4 AS SELECT a, b FROM c3 WHERE b <> 'no';
CREATE VIEW c5 AS SELECT e FROM t2 WHERE a > 0 WITH CHECK OPTION;
INSERT INTO c2 VALUES (200, 'local');
--! differs SQLSTATE HY000 is the manual's
INSERT INTO c2 VALUES (-1, 'local');
--! differs SQLSTATE HY000 is the manual's
INSERT INTO c3 VALUES (201, 'cascaded');
--! differs SQLSTATE HY000 is the manual's
INSERT INTO c3 VALUES (-2, 'cascaded');
INSERT INTO c3 VALUES (50, 'fine');
INSERT INTO c4 VALUES (51, 'no');
--! differs MySQL checks the views below one without CHECK OPTION too
INSERT INTO c4 VALUES (-51, 'yes');
INSERT IGNORE INTO c3 VALUES (60, 'sixty'), (-60, 'minus'), (61, 'more');
--! differs SQLSTATE HY000 is the manual's
UPDATE c3 SET a = 500 WHERE a = 50;
UPDATE c3 SET a = 55 WHERE a = 50;
--! differs MariaDB sends no text for an impossible WHERE
UPDATE c3 SET b = 'ok' WHERE a = 200;
--! differs SQLSTATE HY000 is the manual's
INSERT INTO c5 VALUES (5);
--! differs the row of c4 above
SELECT a, b FROM t1 WHERE a >= 50 OR a < 0 ORDER BY a;
--! differs the row of c4 above
DELETE FROM t1 WHERE a < 0;
CREATE VIEW bad1 AS SELECT DISTINCT a FROM t1 WITH CHECK OPTION;
-- errors
CREATE VIEW v1 AS SELECT 1;
CREATE VIEW t1 AS SELECT 1;
CREATE OR REPLACE VIEW t1 AS SELECT 1;
ALTER VIEW nothere AS SELECT 1;
CREATE VIEW e1 AS SELECT @x;
CREATE VIEW e1 AS SELECT @@sql_mode;
CREATE VIEW e1 (a, b) AS SELECT 1;
CREATE VIEW e1 AS SELECT a, a FROM t1;
CREATE VIEW e1 AS SELECT nothere FROM t1;
CREATE VIEW e1 AS SELECT * FROM nothere;
CREATE VIEW nodb.e1 AS SELECT 1;
CREATE ALGORITHM=MERGE VIEW e1 AS SELECT COUNT(*) AS n FROM t1;
--! differs MariaDB has errors of its own here
DROP VIEW t1;
--! differs MariaDB has errors of its own here
DROP VIEW nothere;
--! differs MariaDB has errors of its own here
DROP VIEW IF EXISTS nothere, e1;
--! differs MariaDB has errors of its own here
DROP TABLE v1;
ALTER TABLE v1 ADD x INT;
TRUNCATE TABLE v1;
CREATE INDEX i ON v1 (a);
SHOW CREATE VIEW t1;
CREATE OR REPLACE VIEW v1 AS SELECT * FROM v1;
CREATE TABLE gone (g INT);
CREATE VIEW r1 AS SELECT g FROM gone;
CREATE VIEW r2 AS SELECT g FROM r1;
SELECT * FROM r2;
DROP TABLE gone;
SELECT * FROM r2;
SELECT * FROM r1;
INSERT INTO r1 VALUES (1);
CREATE TABLE gone (h INT);
SELECT * FROM r1;
DROP TABLE gone;
CREATE TABLE gone (h INT, g INT DEFAULT 5);
INSERT INTO gone (h) VALUES (1);
SELECT * FROM r2;
RENAME TABLE r1 TO r3;
SELECT * FROM r2;
SELECT * FROM r3;
RENAME TABLE r3 TO r1, gone TO away;
SELECT * FROM r1;
RENAME TABLE away TO gone;
SELECT * FROM r2;
DROP VIEW r1, r2;
DROP TABLE gone;
-- names, nesting, aliases
CREATE VIEW `odd name` AS SELECT `a` AS `x y`, 'it''s' AS lit FROM t1 WHERE b LIKE 'o%';
SELECT * FROM `odd name`;
--! differs MySQL writes parentheses around every operator
SHOW CREATE VIEW c1;
SELECT n.`x y` FROM `odd name` AS n;
CREATE VIEW w1 AS SELECT (SELECT MAX(e) FROM t2 WHERE t2.a = t1.a) AS m, a FROM t1;
SELECT * FROM w1 WHERE a IN (1, 3) ORDER BY a;
CREATE VIEW w2 AS SELECT a, CASE WHEN c > 2 THEN 'big' ELSE 'small' END AS size, IFNULL(d, 'never') AS w FROM t1 WHERE a < 4;
SELECT * FROM w2 ORDER BY a;
SELECT size, COUNT(*) FROM w2 GROUP BY size ORDER BY size;
CREATE VIEW w3 AS WITH q AS (SELECT a, e FROM t2 WHERE a IS NOT NULL) SELECT q.a, SUM(q.e) AS s FROM q GROUP BY q.a;
SELECT * FROM w3 ORDER BY a;
PREPARE p FROM 'SELECT b FROM v1 WHERE a = ?';
SET @k = 2;
EXECUTE p USING @k;
CREATE OR REPLACE VIEW v1 AS SELECT a, 'changed' AS b, c AS c1 FROM t1;
EXECUTE p USING @k;
DEALLOCATE PREPARE p;
DROP VIEW v1, v2, v3, v4, v5, v6, v7, v8, c1, c2, c3, c4, c5, w1, w2, w3, `odd name`;
DROP TABLE t1, t2;
-- a column of a derived table that is kept has its default where an outer join makes it NULL, too
--! ours MariaDB shows other defaults
CREATE TABLE outer_default (a INT NOT NULL, b INT NOT NULL DEFAULT 7, s VARCHAR(9) NOT NULL);
CREATE VIEW outer_view AS SELECT t.a, d.n, d.m, d.q, d.w FROM outer_default t LEFT JOIN (SELECT a, COUNT(*) n, MAX(b) m, 5 q, CONCAT(s, 'x') w FROM outer_default GROUP BY a, s) d ON d.a = t.a;
SHOW COLUMNS FROM outer_view;
CREATE VIEW outer_view2 AS SELECT v.n, v.a, v.w FROM outer_default t LEFT JOIN outer_view v ON v.a = t.a;
SHOW COLUMNS FROM outer_view2;
DROP VIEW outer_view, outer_view2;
DROP TABLE outer_default;
--! end
