-- ONLY_FULL_GROUP_BY: quantified subqueries as keys, derived tables that group
CREATE TABLE s (a INT, b INT);
INSERT INTO s VALUES (1,5),(1,5),(2,7);
CREATE TABLE k (k INT PRIMARY KEY, x INT);
INSERT INTO k VALUES (1,5),(2,7);
SELECT a > ALL (SELECT x - 5 FROM k WHERE k < 3) AS q, COUNT(*) FROM s GROUP BY q ORDER BY q;
SELECT a IN (SELECT k FROM k WHERE k = 1) AS q, COUNT(*) FROM s GROUP BY q ORDER BY q;
--! differs MariaDB knows no keys of derived tables
SELECT d.n FROM (SELECT a, SUM(b) AS n FROM s GROUP BY a) d GROUP BY d.a ORDER BY d.a;
--! differs MariaDB knows no keys of derived tables
WITH d AS (SELECT a, b, COUNT(*) AS n FROM s GROUP BY a, b ORDER BY a LIMIT 5) SELECT n FROM d GROUP BY b, a ORDER BY a;
SELECT d.n FROM (SELECT a, b, COUNT(*) AS n FROM s GROUP BY a, b) d GROUP BY d.a;
SELECT d.n FROM s LEFT JOIN (SELECT a, COUNT(*) AS n FROM s GROUP BY a) d ON s.b = d.n GROUP BY d.a;
CREATE VIEW w AS SELECT a * 2 AS a, b * 2 AS b FROM s;
SELECT DISTINCT b FROM w ORDER BY ABS(b);
--! differs MariaDB does not look at this
SELECT DISTINCT b FROM w ORDER BY a;
--! differs MariaDB does not look at this
SELECT DISTINCT ABS(b) FROM w ORDER BY ABS(b) + 1;
--! differs MariaDB has no ANY_VALUE
SELECT a FROM s GROUP BY a ORDER BY ANY_VALUE(COUNT(*) - COUNT(b)), a DESC;
--! differs MariaDB has no ANY_VALUE
SELECT a, ANY_VALUE(COUNT(*) + b) n FROM s GROUP BY a ORDER BY a;
--! differs MariaDB has no ANY_VALUE
SELECT a, COUNT(*) FROM s GROUP BY a WITH ROLLUP ORDER BY ANY_VALUE(GROUPING(a)), a;

-- EXISTS does not look at what is selected
SELECT a FROM s WHERE EXISTS (SELECT * FROM DUAL WHERE a = 2);
SELECT a FROM s WHERE EXISTS (SELECT * WHERE a = 2);
SELECT a FROM s WHERE a IN (SELECT *);
SELECT EXISTS (SELECT * FROM s WHERE a IN (SELECT *));
