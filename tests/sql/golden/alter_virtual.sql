-- VIRTUAL columns that come without touching the rows: they are computed when rows from before are read. Expectations: a real MySQL.
--! ours MariaDB copies in many of these cases, and its INSTANT has other rules
CREATE TABLE t (id INT PRIMARY KEY, a INT, s VARCHAR(20), big TEXT);
INSERT INTO t VALUES (1, 5, 'x', REPEAT('b', 900)), (2, 2147483646, 'zz', 'b'), (3, NULL, NULL, NULL), (4, 0, '0', '');
ALTER TABLE t ADD COLUMN v INT AS (a + 1) VIRTUAL, ALGORITHM=INSTANT;
SELECT id, v FROM t;
SELECT id, v FROM t WHERE v > 3 ORDER BY v DESC;
SELECT SUM(v), COUNT(v), MAX(v) FROM t;
-- a second one that reads the first, columns in other places, a constant column beside
ALTER TABLE t ADD COLUMN w VARCHAR(30) AS (CONCAT(s, '-', v)) VIRTUAL AFTER v, ADD COLUMN c INT NOT NULL DEFAULT 7 FIRST, ALGORITHM=INSTANT;
SELECT c, id, a, s, v, w FROM t;
ALTER TABLE t ADD COLUMN len INT AS (LENGTH(big)) VIRTUAL, ALGORITHM=INSTANT;
SELECT len, id, w FROM t;
SHOW CREATE TABLE t;
-- new rows beside old ones; changed ones
INSERT INTO t (id, a, s, big) VALUES (5, 6, 'new', 'four');
UPDATE t SET a = 10 WHERE id = 1;
UPDATE t SET s = 'only s' WHERE id = 4;
UPDATE t SET c = 8 WHERE id = 2;
SELECT len, c, id, a, s, v, w FROM t;
-- what an INSERT would refuse
UPDATE t SET a = 2147483647 WHERE id = 1;
UPDATE t SET id = 40 WHERE id = 4;
DELETE FROM t WHERE w LIKE 'new%';
SELECT len, c, id, a, s, v, w FROM t;
INSERT INTO t (id, a) VALUES (3, 1) ON DUPLICATE KEY UPDATE a = 33;
REPLACE INTO t (id, a, s) VALUES (40, 44, 'r');
SELECT len, c, id, a, s, v, w FROM t;
-- snapshots and rollback
BEGIN;
UPDATE t SET a = 100 WHERE id = 3;
SELECT id, v, w FROM t WHERE id = 3;
ROLLBACK;
SELECT id, v, w FROM t WHERE id = 3;
-- joins, groups, subqueries, copies
SELECT x.id, y.id FROM t x JOIN t y ON x.v = y.v ORDER BY 1, 2;
SELECT v IS NULL AS n, COUNT(*) FROM t GROUP BY v IS NULL ORDER BY n;
CREATE TABLE copy AS SELECT id, v, w, len FROM t;
SELECT * FROM copy ORDER BY id;
CREATE TABLE alike LIKE t;
INSERT INTO alike (id, a, s) SELECT id, a, s FROM t WHERE id <> 2;
SELECT id, v, w FROM alike ORDER BY id;
-- an index needs the values: the rows are written anew
ALTER TABLE t ADD INDEX (len);
SELECT id FROM t FORCE INDEX (len) WHERE len = 900;
ALTER TABLE t ADD INDEX (w);
SELECT id FROM t FORCE INDEX (w) WHERE w = 'r-45';
DROP TABLE t, copy, alike;

-- what fails, fails where it is read
CREATE TABLE t (id INT PRIMARY KEY, a BIGINT, k INT, KEY (k));
INSERT INTO t VALUES (1, 1, 1), (2, 3, 2), (3, NULL, 3);
ALTER TABLE t ADD COLUMN b BIGINT AS (a * 9223372036854775807) VIRTUAL, ALGORITHM=INSTANT;
SELECT id, a FROM t;
SELECT COUNT(*) FROM t;
SELECT id, b FROM t WHERE id = 2;
SELECT id, b FROM t WHERE id = 1;
SELECT id FROM t WHERE k = 2;
ALTER TABLE t ADD INDEX (a);
SELECT id FROM t FORCE INDEX (a) WHERE a = 3;
ALTER TABLE t DROP COLUMN b, ALGORITHM=INSTANT;
ALTER TABLE t ADD COLUMN n INT AS (a) VIRTUAL NOT NULL, ADD COLUMN tiny TINYINT AS (id * 100) VIRTUAL, ALGORITHM=INSTANT;
SELECT id, n, tiny FROM t;
UPDATE t SET k = 22 WHERE id = 2;
SELECT id, n, tiny, k FROM t;
UPDATE t SET a = 5 WHERE id = 2;
--! mysql each row is told of as row 1
ALTER TABLE t ADD INDEX (tiny);
ALTER TABLE t DROP COLUMN tiny, DROP COLUMN n;
SELECT * FROM t;
DROP TABLE t;

-- WITH VALIDATION copies
CREATE TABLE t (id INT PRIMARY KEY, a INT);
INSERT INTO t VALUES (1, 2147483647);
ALTER TABLE t ADD COLUMN v INT AS (a + 1) VIRTUAL, ALGORITHM=INPLACE, WITH VALIDATION;
ALTER TABLE t ADD COLUMN v INT AS (a + 1) VIRTUAL, ALGORITHM=INSTANT, WITH VALIDATION;
ALTER TABLE t ADD COLUMN v INT AS (a + 1) VIRTUAL, LOCK=NONE, WITH VALIDATION;
ALTER TABLE t ADD COLUMN v INT AS (a + 1) VIRTUAL, WITH VALIDATION;
ALTER TABLE t ADD COLUMN v INT AS (a + 1) VIRTUAL, WITHOUT VALIDATION;
SELECT * FROM t;
ALTER TABLE t DROP COLUMN v, WITH VALIDATION;
ALTER TABLE t WITHOUT VALIDATION;
ALTER TABLE t ADD COLUMN i INT AS (id) VIRTUAL, ADD INDEX (i), ALGORITHM=INSTANT;
ALTER TABLE t ADD COLUMN i INT AS (id) VIRTUAL, ADD INDEX (i), LOCK=NONE;
ALTER TABLE t ADD COLUMN i INT AS (id) VIRTUAL, ADD INDEX (i), ALGORITHM=INPLACE;
SELECT i FROM t;
CREATE TEMPORARY TABLE tt (a INT);
ALTER TABLE tt ADD COLUMN v INT AS (a) VIRTUAL, ALGORITHM=INSTANT;
ALTER TABLE tt ADD COLUMN v INT AS (a) VIRTUAL, ALGORITHM=INPLACE;
ALTER TABLE tt ADD COLUMN v INT AS (a) VIRTUAL, LOCK=NONE;
CREATE TABLE u (a INT, b INT NOT NULL AS (a));
CREATE TABLE u (a INT, b INT COMMENT 'x' GENERATED ALWAYS AS (a));
CREATE TABLE u (a INT, b VARCHAR(10) COLLATE utf8mb4_bin AS (a) VIRTUAL COMMENT 'y');
DROP TABLE u, tt, t;

-- UPDATE computes what it touches
CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT, sum INT AS (a + b) STORED, twice INT AS (sum * 2) VIRTUAL, other INT AS (id + 1), stamp TIMESTAMP(6) NULL ON UPDATE CURRENT_TIMESTAMP(6), late INT AS (stamp IS NULL), KEY (twice));
INSERT INTO t (id, a, b) VALUES (1, 2, 3), (2, 4, 5);
UPDATE t SET a = 10 WHERE id = 1;
SELECT id, a, b, sum, twice, other, late FROM t;
UPDATE t SET b = a, a = 1 WHERE twice = 18;
SELECT id, a, b, sum, twice, other, late FROM t FORCE INDEX (twice) WHERE twice > 0 ORDER BY twice;
UPDATE t x JOIN t y ON x.id = y.id + 1 SET x.b = 100, y.a = 7;
UPDATE t x JOIN t y ON x.id = y.id + 1 SET x.b = 100, y.id = 7;
UPDATE t x JOIN t y ON x.id = y.id + 1 SET x.id = 100;
SELECT id, a, b, sum, twice, other, late FROM t ORDER BY id;
DROP TABLE t;

-- long ones, JSON, times
CREATE TABLE t (id INT PRIMARY KEY, j JSON, s TEXT, ts TIMESTAMP NULL);
INSERT INTO t VALUES (1, CONCAT('{"list": [', REPEAT('1, ', 20000), '2], "k": 7}'), REPEAT('ab', 40000), '2020-07-01 12:00:00'), (2, '{"list": [1]}', 'short', '2020-01-01 00:30:00'), (3, NULL, NULL, NULL);
ALTER TABLE t ADD COLUMN list JSON AS (j->'$.list') VIRTUAL, ALGORITHM=INSTANT;
ALTER TABLE t ADD COLUMN up MEDIUMTEXT AS (UPPER(s)) VIRTUAL, ADD COLUMN twice LONGTEXT AS (CONCAT(up, s)) VIRTUAL, ALGORITHM=INSTANT;
ALTER TABLE t ADD COLUMN day DATE AS (DATE(ts)) VIRTUAL, ADD COLUMN h INT AS (HOUR(ts)) VIRTUAL, ALGORITHM=INSTANT;
SELECT id, JSON_LENGTH(list), LENGTH(up), LEFT(twice, 12), RIGHT(twice, 3), LENGTH(twice), day, h FROM t;
SELECT id FROM t WHERE twice LIKE '%bab' ORDER BY twice;
SELECT MD5(up), COUNT(*) FROM t GROUP BY up ORDER BY 1;
SELECT x.id, y.id FROM t x JOIN t y ON x.twice = y.twice ORDER BY 1, 2;
UPDATE t SET j = JSON_SET(j, '$.k', 8) WHERE id = 1;
SELECT id, JSON_LENGTH(list), j->'$.k', LENGTH(twice), day, h FROM t;
UPDATE t SET s = REPEAT('x', 30000) WHERE id = 3;
DELETE FROM t WHERE id = 2;
SELECT id, JSON_LENGTH(list), LENGTH(up), LENGTH(twice), day FROM t;
CHECK TABLE t;
ALTER TABLE t ADD FULLTEXT (s), ADD COLUMN n INT AS (LENGTH(twice)) STORED;
SELECT id, n, LENGTH(twice) FROM t;
DROP TABLE t;
-- a STORED column that was cut without a strict mode is kept by a rebuild, and computed anew where MySQL copies
SET sql_mode = '';
CREATE TABLE cut (id INT PRIMARY KEY, a DECIMAL(8,2) NOT NULL, s VARCHAR(20) AS (CAST(a AS CHAR(3))) STORED, l INT AS (CHAR_LENGTH(s)) STORED, KEY (l));
INSERT INTO cut (id, a) VALUES (1, 1234.5), (2, 7);
SET sql_mode = 'STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO';
ALTER TABLE cut FORCE;
ALTER TABLE cut ENGINE = InnoDB;
ALTER TABLE cut ADD COLUMN n INT DEFAULT 3 FIRST, ALGORITHM=INPLACE;
ALTER TABLE cut DROP COLUMN n, ADD KEY (a);
--! differs MariaDB keeps the column when it copies too
ALTER TABLE cut FORCE, ALGORITHM=COPY;
--! differs MariaDB keeps the column when it copies too
ALTER TABLE cut MODIFY a DECIMAL(9,2) NOT NULL;
SELECT * FROM cut;
