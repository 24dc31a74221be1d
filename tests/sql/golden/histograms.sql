-- Histograms: ANALYZE TABLE ... UPDATE and DROP HISTOGRAM, COLUMN_STATISTICS, `filtered`.
--! ours MariaDB keeps histograms in mysql.column_stats and has no such statements
CREATE TABLE t (id INT PRIMARY KEY, a INT, b VARCHAR(20), c DECIMAL(8,2), d DATE, dt DATETIME(3), tm TIME, e ENUM('x','y','z'), s SET('p','q'),
  f DOUBLE, u BIGINT UNSIGNED, bi BIT(8), y YEAR, bl BLOB, j JSON, uq INT UNIQUE, g INT AS (a * 2) VIRTUAL);
INSERT INTO t (id, a, b, c, d, dt, tm, e, s, f, u, bi, y, bl, uq) VALUES
 (1, 1, 'ann', 1.5, '2020-01-01', '2020-01-01 10:00:00.123', '10:00:00', 'x', 'p', 0.5, 18446744073709551615, 1, 2020, 'a', 1),
 (2, 1, 'bob', 2.5, '2020-01-02', '2020-01-02 10:00:00', '-10:00:00', 'y', 'p,q', 1.5, 0, 2, 2021, 'b', 2),
 (3, 1, 'ANN', NULL, NULL, NULL, NULL, 'x', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
 (4, 2, NULL, 99.99, '2020-01-01', '2020-01-01 10:00:00', '10:00:00', 'z', 'q', -1e10, 7, 255, 1999, '', 4);
ANALYZE TABLE t UPDATE HISTOGRAM ON a;
SELECT SCHEMA_NAME, TABLE_NAME, COLUMN_NAME, JSON_REMOVE(HISTOGRAM, '$."last-updated"') h FROM information_schema.COLUMN_STATISTICS;
SELECT HISTOGRAM->>'$."last-updated"' BETWEEN UTC_TIMESTAMP() - INTERVAL 1 MINUTE AND UTC_TIMESTAMP() + INTERVAL 1 SECOND now FROM information_schema.COLUMN_STATISTICS;
ANALYZE TABLE t UPDATE HISTOGRAM ON b, c, d, dt, tm, e, s, f, u, bi, y, bl, g WITH 8 BUCKETS;
--! mysql kinds and collations of some columns are named otherwise
SELECT COLUMN_NAME, HISTOGRAM->'$.buckets' b, HISTOGRAM->>'$."data-type"' t, HISTOGRAM->'$."null-values"' n, HISTOGRAM->'$."collation-id"' c,
  HISTOGRAM->'$."number-of-buckets-specified"' w FROM information_schema.COLUMN_STATISTICS ORDER BY COLUMN_NAME;
-- what is refused, column by column
ANALYZE TABLE t UPDATE HISTOGRAM ON id, uq, j, nosuch, a WITH 4 BUCKETS;
ANALYZE TABLE t UPDATE HISTOGRAM ON a WITH 0 BUCKETS;
ANALYZE TABLE t UPDATE HISTOGRAM ON a WITH 1025 BUCKETS;
ANALYZE TABLE t UPDATE HISTOGRAM ON a, A;
ANALYZE TABLE t, t UPDATE HISTOGRAM ON a;
ANALYZE TABLE nosuch UPDATE HISTOGRAM ON a;
ANALYZE TABLE t DROP HISTOGRAM ON a, nosuch, id;
ANALYZE TABLE t DROP HISTOGRAM ON a;
CREATE VIEW v AS SELECT a FROM t;
ANALYZE TABLE v UPDATE HISTOGRAM ON a;
CREATE TEMPORARY TABLE tt (a INT);
ANALYZE TABLE tt UPDATE HISTOGRAM ON a;
DROP TEMPORARY TABLE tt;
ANALYZE TABLE information_schema.tables UPDATE HISTOGRAM ON table_name;
-- USING DATA
ANALYZE TABLE t UPDATE HISTOGRAM ON a USING DATA '{"buckets": [[1, 0.25], [2, 1.0]], "data-type": "int", "null-values": 0.0, "collation-id": 8, "last-updated": "2021-06-08 14:19:53.088572", "sampling-rate": 1.0, "histogram-type": "singleton", "number-of-buckets-specified": 100}';
SELECT HISTOGRAM FROM information_schema.COLUMN_STATISTICS WHERE COLUMN_NAME = 'a';
ANALYZE TABLE t UPDATE HISTOGRAM ON a USING DATA '{}';
ANALYZE TABLE t UPDATE HISTOGRAM ON a USING DATA 'x';
ANALYZE TABLE t UPDATE HISTOGRAM ON b USING DATA '{"buckets": [[1, 0.25], [2, 1.0]], "data-type": "int", "null-values": 0.0, "collation-id": 8, "last-updated": "2021-06-08 14:19:53.088572", "sampling-rate": 1.0, "histogram-type": "singleton", "number-of-buckets-specified": 100}';
ANALYZE TABLE t UPDATE HISTOGRAM ON a, b USING DATA '{}';
-- AUTO UPDATE: a plain ANALYZE TABLE renews them
ANALYZE TABLE t UPDATE HISTOGRAM ON a WITH 4 BUCKETS AUTO UPDATE;
ANALYZE TABLE t UPDATE HISTOGRAM ON b WITH 4 BUCKETS MANUAL UPDATE;
INSERT INTO t (id, a, b) VALUES (5, 7, 'zoe');
ANALYZE TABLE t;
SELECT COLUMN_NAME, HISTOGRAM->'$.buckets[last][1]' b, HISTOGRAM->'$.buckets[last][0]' l, HISTOGRAM->'$."auto-update"' auto FROM information_schema.COLUMN_STATISTICS
  WHERE COLUMN_NAME IN ('a', 'b') ORDER BY 1;
-- empty, and nothing but NULL
CREATE TABLE n (a INT, b INT);
ANALYZE TABLE n UPDATE HISTOGRAM ON a, b;
INSERT INTO n VALUES (NULL, 1), (NULL, 1);
ANALYZE TABLE n UPDATE HISTOGRAM ON b, a;
SELECT COLUMN_NAME, JSON_REMOVE(HISTOGRAM, '$."last-updated"') h FROM information_schema.COLUMN_STATISTICS WHERE TABLE_NAME = 'n' ORDER BY 1;
-- they follow the table and the column
ALTER TABLE n RENAME COLUMN b TO bb;
RENAME TABLE n TO m;
CREATE TABLE lk LIKE m;
--! mysql kinds and collations of some columns are named otherwise
SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMN_STATISTICS WHERE TABLE_NAME <> 't' ORDER BY 1, 2;
ALTER TABLE m MODIFY bb BIGINT;
SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMN_STATISTICS WHERE TABLE_NAME <> 't' ORDER BY 1, 2;
ALTER TABLE m DROP COLUMN a;
SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMN_STATISTICS WHERE TABLE_NAME <> 't' ORDER BY 1, 2;
CREATE TABLE k (a INT, b VARCHAR(5));
INSERT INTO k VALUES (1, 'a'), (2, 'b');
ANALYZE TABLE k UPDATE HISTOGRAM ON a, b;
TRUNCATE k;
ALTER TABLE k ADD COLUMN c INT FIRST, ALGORITHM=INSTANT;
ALTER TABLE k ADD INDEX (b);
SELECT COLUMN_NAME FROM information_schema.COLUMN_STATISTICS WHERE TABLE_NAME = 'k' ORDER BY 1;
ALTER TABLE k CONVERT TO CHARACTER SET latin1;
SELECT COLUMN_NAME FROM information_schema.COLUMN_STATISTICS WHERE TABLE_NAME = 'k' ORDER BY 1;
ALTER TABLE k ADD UNIQUE (a);
SELECT COLUMN_NAME FROM information_schema.COLUMN_STATISTICS WHERE TABLE_NAME = 'k' ORDER BY 1;
DROP TABLE k, m, lk;
-- estimates
CREATE TABLE h (id INT PRIMARY KEY, a INT, b VARCHAR(10), d DATETIME, e ENUM('x','y'), c DECIMAL(6,2));
INSERT INTO h WITH RECURSIVE n AS (SELECT 1 i UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
  SELECT i, IF(i <= 900, 1, IF(i <= 990, 2, NULL)), IF(i <= 10, 'rare', 'often'), '2020-01-01' + INTERVAL i HOUR, IF(i <= 250, 'x', 'y'), i / 10 FROM n;
ANALYZE TABLE h UPDATE HISTOGRAM ON a, b, d, e, c;
ANALYZE TABLE h;
EXPLAIN SELECT * FROM h WHERE a = 1;
EXPLAIN SELECT * FROM h WHERE a = 2;
EXPLAIN SELECT * FROM h WHERE a = 3;
EXPLAIN SELECT * FROM h WHERE a <> 1;
EXPLAIN SELECT * FROM h WHERE a < 2;
EXPLAIN SELECT * FROM h WHERE a <= 2;
EXPLAIN SELECT * FROM h WHERE 1 < a;
EXPLAIN SELECT * FROM h WHERE a >= 1;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM h WHERE a > -5;
EXPLAIN SELECT * FROM h WHERE a IS NULL;
EXPLAIN SELECT * FROM h WHERE a IS NOT NULL;
EXPLAIN SELECT * FROM h WHERE a <=> NULL;
EXPLAIN SELECT * FROM h WHERE a IN (2, 3);
EXPLAIN SELECT * FROM h WHERE a NOT IN (2, 3);
EXPLAIN SELECT * FROM h WHERE a = NULL;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM h WHERE a = 1.5;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM h WHERE a < '2';
EXPLAIN SELECT * FROM h WHERE b = 'RARE';
EXPLAIN SELECT * FROM h WHERE b > 'often';
EXPLAIN SELECT * FROM h WHERE b IN ('rare', 'often');
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM h WHERE d < '2020-01-11';
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM h WHERE d BETWEEN '2020-01-11' AND '2020-01-21';
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM h WHERE d NOT BETWEEN '2020-01-11' AND '2020-01-21';
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM h WHERE d >= DATE '2020-02-01';
EXPLAIN SELECT * FROM h WHERE e = 'x';
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM h WHERE c < 25;
EXPLAIN SELECT * FROM h WHERE c BETWEEN 20.05 AND 29.95;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM h WHERE a = 2 AND b = 'rare';
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM h WHERE a = 2 OR b = 'rare';
-- a skewed column decides the join order
CREATE TABLE g (id INT PRIMARY KEY, hid INT, x INT, KEY (hid));
INSERT INTO g SELECT id, id, 100 + id % 10 FROM h;
ALTER TABLE h ADD INDEX (a);
ALTER TABLE h DROP INDEX a;
ANALYZE TABLE g, h;
ANALYZE TABLE g UPDATE HISTOGRAM ON x;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM h JOIN g ON g.hid = h.id WHERE h.b = 'rare' AND g.x < 105;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM h JOIN g ON g.hid = h.id WHERE h.b = 'often' AND g.x = 105;
SELECT COUNT(*) FROM h JOIN g ON g.hid = h.id WHERE h.b = 'rare' AND g.x < 105;
SELECT COUNT(*) FROM h JOIN g ON g.hid = h.id WHERE h.b = 'often' AND g.x < 105;
SELECT COUNT(*) FROM h JOIN g ON g.hid = h.id WHERE h.b = 'often' AND g.x = 105;
-- a prepared statement knows the average only
PREPARE p FROM 'SELECT COUNT(*) FROM h JOIN g ON g.hid = h.id WHERE h.b = ? AND g.x < ?';
SET @b = 'rare', @x = 105;
EXECUTE p USING @b, @x;
SET @b = 'often';
EXECUTE p USING @b, @x;
-- sampling
SET histogram_generation_max_mem_size = 1000000;
ANALYZE TABLE h UPDATE HISTOGRAM ON c WITH 16 BUCKETS;
SELECT HISTOGRAM->'$."sampling-rate"' r, HISTOGRAM->>'$."histogram-type"' t, JSON_LENGTH(HISTOGRAM->'$.buckets') n,
  HISTOGRAM->'$.buckets[last][1]' high, HISTOGRAM->'$.buckets[last][2]' f FROM information_schema.COLUMN_STATISTICS WHERE TABLE_NAME = 'h' AND COLUMN_NAME = 'c';
SET histogram_generation_max_mem_size = DEFAULT;
--! end
