-- Loose index scans: DISTINCT, GROUP BY with MIN or MAX, and DISTINCT aggregates that read one row of each group
CREATE TABLE dig (n INT PRIMARY KEY);
INSERT INTO dig VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9);
CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT NOT NULL, c INT, s VARCHAR(10), f DOUBLE, KEY kabc (a, b, c), KEY ks (s, b), KEY kf (f, b));
INSERT INTO t SELECT x.n + 10 * y.n + 100 * z.n, NULLIF(x.n, 7), y.n, z.n, ELT(x.n % 4 + 1, 'a', 'A', 'b', 'B'), x.n - 5 FROM dig x, dig y, dig z;
ANALYZE TABLE t;
SELECT a, MIN(b) FROM t WHERE a > 3 GROUP BY a ORDER BY a;
SELECT a, MAX(b), MAX(b) + 1 FROM t WHERE a IN (3, 5, NULL) GROUP BY a ORDER BY a;
SELECT b, MAX(c) FROM t WHERE a = 3 GROUP BY b ORDER BY b;
SELECT b, MIN(b), MAX(b) FROM t WHERE a = 3 AND b BETWEEN 2 AND 4 GROUP BY b ORDER BY b;
SELECT a, MIN(b) FROM t WHERE a > 3 AND a + 1 < 9 AND a <> 6 GROUP BY a ORDER BY a;
SELECT a, MIN(b) FROM t WHERE b > 3 GROUP BY a ORDER BY a;
SELECT a, MIN(b) FROM t WHERE a IS NULL GROUP BY a;
SELECT a, MIN(b) FROM t WHERE a IS NULL OR a = 2 GROUP BY a ORDER BY a;
SELECT DISTINCT a FROM t WHERE a BETWEEN 2 AND 5 ORDER BY a;
SELECT DISTINCT b, a FROM t WHERE a = 2 AND b > 6 ORDER BY b;
SELECT DISTINCT a FROM t WHERE a <> 4 AND c = 3 ORDER BY a;
SELECT COUNT(DISTINCT a), SUM(DISTINCT a), AVG(DISTINCT a) FROM t WHERE a > 3;
SELECT COUNT(DISTINCT a, b), COUNT(DISTINCT a, b) FROM t WHERE a > 3;
SELECT COUNT(DISTINCT a), COUNT(DISTINCT b) FROM t WHERE a > 3;
SELECT a, COUNT(DISTINCT b) FROM t WHERE a > 6 GROUP BY a ORDER BY a;
SELECT b, COUNT(DISTINCT a) FROM t WHERE a > 6 GROUP BY b ORDER BY b;
SELECT COUNT(DISTINCT s) FROM t WHERE s >= 'b';
SELECT COUNT(*), MIN(b) FROM (SELECT s, MIN(b) b FROM t WHERE s COLLATE utf8mb4_bin >= 'b' GROUP BY s) d;
--! differs its loose scan tests the first row of a group alone, which is another letter
--! mysql as MariaDB
SELECT MIN(b) FROM t WHERE HEX(s) = '41' GROUP BY s;
SELECT f, MAX(b) FROM t WHERE f >= -0.0 AND f < 3 GROUP BY f ORDER BY f;
PREPARE p FROM 'SELECT a, MAX(b) FROM t WHERE a BETWEEN ? AND ? GROUP BY a ORDER BY a';
SET @x = 2, @y = 4;
EXECUTE p USING @x, @y;
SET @x = NULL;
EXECUTE p USING @x, @y;
DEALLOCATE PREPARE p;
--! ours plans are MySQL's
--! mysql another plan or estimate
EXPLAIN FORMAT=TREE SELECT a, MIN(b) FROM t WHERE a > 3 GROUP BY a;
--! mysql another plan or estimate
EXPLAIN FORMAT=TREE SELECT a, MAX(b) FROM t WHERE a IN (3, 5) GROUP BY a;
--! mysql another plan or estimate
EXPLAIN FORMAT=TREE SELECT DISTINCT a, b FROM t WHERE a = 2 AND b > 3;
--! mysql another plan or estimate
EXPLAIN FORMAT=TREE SELECT COUNT(DISTINCT a, b) FROM t WHERE a > 3;
--! mysql another plan or estimate
EXPLAIN FORMAT=TREE SELECT a, COUNT(DISTINCT b) FROM t WHERE a > 6 GROUP BY a;
--! mysql another plan or estimate
EXPLAIN FORMAT=TREE SELECT n FROM dig WHERE n IN (SELECT a FROM t WHERE a > 2);
--! mysql another plan or estimate, and what MySQL's optimizer made of the query in note 1003
EXPLAIN FORMAT=TRADITIONAL SELECT a, MAX(b) FROM t WHERE a > 3 GROUP BY a;
--! end
