-- GROUP BY ... WITH ROLLUP and GROUPING().
CREATE TABLE sales (y INT, c VARCHAR(10), p VARCHAR(10), profit INT);
INSERT INTO sales VALUES (2000,'Finland','Computer',1500),(2000,'Finland','Phone',100),(2001,'Finland','Phone',10),(2000,'India','Calculator',75),(2000,'India','Calculator',75),
 (2000,'India','Computer',1200),(2000,'USA','Calculator',75),(2000,'USA','Computer',1500),(2001,'USA','Calculator',50),(2001,'USA','Computer',2700),(2001,'USA','TV',250),(2001,NULL,'TV',5);
SELECT y, SUM(profit) s FROM sales GROUP BY y WITH ROLLUP;
SELECT y, c, p, SUM(profit) s, COUNT(*) n FROM sales GROUP BY y, c, p WITH ROLLUP;
SELECT c, AVG(profit) a, MIN(profit) i, MAX(p) m, COUNT(DISTINCT p) d, GROUP_CONCAT(DISTINCT p ORDER BY p) g FROM sales GROUP BY c WITH ROLLUP;
SELECT y + 1 AS z, SUM(profit) s FROM sales GROUP BY y WITH ROLLUP;
SELECT y DIV 2 AS z, SUM(profit) s FROM sales GROUP BY y DIV 2 WITH ROLLUP;
SELECT COALESCE(c, 'all') cc, SUM(profit) s FROM sales WHERE c IS NOT NULL GROUP BY c WITH ROLLUP;
SELECT y, SUM(profit) s FROM sales GROUP BY y WITH ROLLUP HAVING s > 5000;
SELECT y, c, SUM(profit) s FROM sales GROUP BY y, c WITH ROLLUP HAVING c IS NULL;
--! mysql the newer one has a total of no rows
SELECT y, SUM(profit) s FROM sales WHERE y > 3000 GROUP BY y WITH ROLLUP;
SELECT SUM(s) FROM (SELECT SUM(profit) s FROM sales GROUP BY y WITH ROLLUP) t;
SELECT DISTINCT y FROM sales GROUP BY y, c WITH ROLLUP;
SELECT y, SUM(profit) s FROM sales GROUP BY y WITH ROLLUP LIMIT 1;
SELECT y, c, SUM(profit) FROM sales GROUP BY y WITH ROLLUP;
--! ours MariaDB has no GROUPING() and no ORDER BY with ROLLUP
SELECT y, c, SUM(profit) s, GROUPING(y) gy, GROUPING(c) gc, GROUPING(y, c) g2, GROUPING(c, y) g3 FROM sales GROUP BY y, c WITH ROLLUP;
SELECT IF(GROUPING(y), 'all years', y) y, IF(GROUPING(c), 'all countries', c) c, SUM(profit) s FROM sales GROUP BY y, c WITH ROLLUP;
SELECT y, SUM(profit) s FROM sales GROUP BY y WITH ROLLUP ORDER BY y DESC;
SELECT y, SUM(profit) s FROM sales GROUP BY y WITH ROLLUP ORDER BY GROUPING(y) DESC, y;
SELECT y, c, SUM(profit) s FROM sales GROUP BY y, c WITH ROLLUP HAVING GROUPING(c) = 1 ORDER BY s;
SELECT y, c, SUM(profit) s FROM sales GROUP BY y, c WITH ROLLUP ORDER BY s DESC LIMIT 3;
SELECT y, SUM(profit) s, RANK() OVER (ORDER BY SUM(profit)) r FROM sales GROUP BY y WITH ROLLUP ORDER BY r;
--! mysql GROUPING without ROLLUP is allowed since 9
SELECT y, GROUPING(y) FROM sales GROUP BY y;
SELECT GROUPING(y) FROM sales;
SELECT y, GROUPING(c) FROM sales GROUP BY y WITH ROLLUP;
SELECT y FROM sales WHERE GROUPING(y) = 0 GROUP BY y WITH ROLLUP;
--! end
-- no rows: no total either (8.4; since 9 there is one)
--! mysql the newer one has a total of no rows
--! differs MariaDB has no GROUPING()
SELECT y, c, SUM(profit) s, COUNT(*) n, GROUPING(y, c) g FROM sales WHERE y > 3000 GROUP BY y, c WITH ROLLUP;
--! mysql the newer one has a total of no rows
SELECT y, MIN(p) m, GROUP_CONCAT(p) g, BIT_AND(profit) b FROM sales WHERE 1 = 2 GROUP BY y WITH ROLLUP;
SELECT y FROM sales WHERE y > 3000 GROUP BY y WITH ROLLUP HAVING y IS NOT NULL;
--! mysql the newer one has a total of no rows
SELECT COUNT(*) FROM (SELECT y FROM sales WHERE y > 3000 GROUP BY y WITH ROLLUP) t;
-- items of one expression that GROUP BY names one by one are rolled up one by one
CREATE TABLE twins (a INT, b INT);
INSERT INTO twins VALUES (1, 1), (1, 2), (3, 4);
SELECT a, a AS c, SUM(b) FROM twins GROUP BY c, a WITH ROLLUP;
SELECT a AS x, a AS y, SUM(b) FROM twins GROUP BY x, y WITH ROLLUP;
SELECT a AS x, a AS y, SUM(b) FROM twins GROUP BY 2, 1 WITH ROLLUP;
SELECT a AS x, a AS y, SUM(b) FROM twins GROUP BY 1, 2 WITH ROLLUP HAVING y IS NULL;
--! ours MariaDB has no ORDER BY beside ROLLUP, and rolls up one expression at its last place
SELECT a AS x, a AS y, SUM(b) FROM twins GROUP BY x, y WITH ROLLUP ORDER BY y, x;
SELECT a AS x, a AS y, a, SUM(b) FROM twins GROUP BY x, y WITH ROLLUP;
SELECT a + 1 AS x, a + 1, SUM(b) FROM twins GROUP BY x, a + 1 WITH ROLLUP;
SELECT a, a, SUM(b) FROM twins GROUP BY 1, 2 WITH ROLLUP;
--! end
