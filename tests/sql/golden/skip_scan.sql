-- Skip scans (manual, "Skip Scan Range Access Method"): a condition on an index part that is not the first, read for each value of the parts before it
--! ours MariaDB has not these collations and no skip scan
CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, a INT, b INT NOT NULL, c VARCHAR(10) COLLATE utf8mb4_0900_ai_ci, d INT, x INT, KEY ab (a, b, c, d));
INSERT INTO t (a, b, c, d, x) WITH RECURSIVE n AS (SELECT 1 i UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT NULLIF(i % 3, 2), i * 7 % 500, CONCAT('c', i % 90), NULLIF(i % 700, 5), i FROM n;
INSERT INTO t (a, b, c, d, x) SELECT a, b + 500, UPPER(c), d, x FROM t;
ANALYZE TABLE t;
--! mysql skip: costs are our own
EXPLAIN SELECT a, b FROM t WHERE b = 990;
--! names off
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE b > 990;
--! sorted
SELECT a, b, c, d FROM t WHERE b > 990 AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE b >= 990 AND b < 995;
--! sorted
SELECT a, b, c, d FROM t WHERE b >= 990 AND b < 995 AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE b BETWEEN 990 AND 995;
--! sorted
SELECT a, b, c, d FROM t WHERE b BETWEEN 990 AND 995 AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE b = 990;
--! sorted
SELECT a, b, c, d FROM t WHERE b = 990 AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE b < 3;
--! sorted
SELECT a, b, c, d FROM t WHERE b < 3 AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE b <= 3 OR b > 990;
--! sorted
SELECT a, b, c, d FROM t WHERE b <= 3 OR b > 990 AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE b IN (1,2,3);
--! sorted
SELECT a, b, c, d FROM t WHERE b IN (1,2,3) AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE b > 990 AND d = 3;
--! sorted
SELECT a, b, c, d FROM t WHERE b > 990 AND d = 3 AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE b > 990 AND d IS NULL;
--! sorted
SELECT a, b, c, d FROM t WHERE b > 990 AND d IS NULL AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE b = 7 AND c = 'C7';
--! sorted
SELECT a, b, c, d FROM t WHERE b = 7 AND c = 'C7' AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE b > NULL;
--! sorted
SELECT a, b, c, d FROM t WHERE b > NULL AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE b = 990.0;
--! sorted
SELECT a, b, c, d FROM t WHERE b = 990.0 AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE b = '990';
--! sorted
SELECT a, b, c, d FROM t WHERE b = '990' AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE b > 1000;
--! sorted
SELECT a, b, c, d FROM t WHERE b > 1000 AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE b >= 0 AND b < 0;
--! sorted
SELECT a, b, c, d FROM t WHERE b >= 0 AND b < 0 AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE a = 1 AND c = 'c7';
--! sorted
SELECT a, b, c, d FROM t WHERE a = 1 AND c = 'c7' AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE a = 1 AND c > 'c88';
--! sorted
SELECT a, b, c, d FROM t WHERE a = 1 AND c > 'c88' AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE a IS NULL AND c = 'c7';
--! sorted
SELECT a, b, c, d FROM t WHERE a IS NULL AND c = 'c7' AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE a = 0 AND b > 10 AND c = 'c7';
--! sorted
SELECT a, b, c, d FROM t WHERE a = 0 AND b > 10 AND c = 'c7' AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE a <=> NULL AND b < 9;
--! sorted
SELECT a, b, c, d FROM t WHERE a <=> NULL AND b < 9 AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE b > 989.5 AND b < 991.5;
--! sorted
SELECT a, b, c, d FROM t WHERE b > 989.5 AND b < 991.5 AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE b = 18446744073709551615;
--! sorted
SELECT a, b, c, d FROM t WHERE b = 18446744073709551615 AND d < 100;
SELECT COUNT(*), SUM(a), SUM(b), COUNT(DISTINCT c), SUM(d) FROM t WHERE b > -1 AND b <= 1;
--! sorted
SELECT a, b, c, d FROM t WHERE b > -1 AND b <= 1 AND d < 100;
SELECT a, b, c, d FROM t WHERE b > 995 ORDER BY a, b, c, d;
SELECT b, a FROM t WHERE b > 990 ORDER BY b DESC, a LIMIT 3;
SELECT DISTINCT a FROM t WHERE b > 990 ORDER BY a;
SELECT a, COUNT(*) FROM t WHERE b > 990 GROUP BY a ORDER BY a;
SELECT MIN(a), MAX(a), MIN(b), MAX(c) FROM t WHERE b > 990;
SELECT COUNT(*) FROM t o WHERE o.id < 50 AND EXISTS (SELECT 1 FROM t WHERE t.b = o.x AND t.d = 4);
SELECT COUNT(*) FROM (SELECT b FROM t WHERE b > 990) u;
SELECT /*+ NO_SKIP_SCAN(t) */ COUNT(*) FROM t WHERE b > 990;
DELETE FROM t WHERE b = 991;
UPDATE t SET b = 2000 WHERE b = 992;
SELECT COUNT(*) FROM t WHERE b > 990;
CREATE TABLE e (a INT, b INT, KEY (a, b));
SELECT a, b FROM e WHERE b = 1;
INSERT INTO e VALUES (NULL, NULL), (NULL, 1), (1, NULL), (1, 1), (2, 5);
INSERT INTO e SELECT 1, NULL FROM t LIMIT 800;
INSERT INTO e SELECT 2, 7 FROM t LIMIT 800;
ANALYZE TABLE e;
SELECT a, b FROM e WHERE b = 1 ORDER BY a;
SELECT a, COUNT(*) FROM e WHERE b IS NULL GROUP BY a ORDER BY a;
SELECT COUNT(*) FROM e WHERE b < 5;
SELECT COUNT(*) FROM e WHERE b <= 5;
CREATE TABLE desc_ (a INT, b INT, KEY (a DESC, b DESC));
INSERT INTO desc_ SELECT id % 4, id FROM t WHERE id <= 800;
ANALYZE TABLE desc_;
SELECT a, b FROM desc_ WHERE b > 795 ORDER BY a, b;
SELECT a, b FROM desc_ WHERE b < 4 ORDER BY a, b;
SELECT a, b FROM desc_ WHERE b = 400 ORDER BY a, b;
--! end
