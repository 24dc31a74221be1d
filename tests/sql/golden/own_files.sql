-- found by reading what differs in MySQL's own test files (tests/suites/mysqltest_mysql.py)
-- STR_TO_DATE: a day of the month without month and year makes no date
SET sql_mode = '';
SELECT STR_TO_DATE('02 10:11:12', '%d %H:%i:%S') a, STR_TO_DATE('02 10', '%d %f') b, STR_TO_DATE('02', '%d') c, STR_TO_DATE('5 10', '%D %H') d, STR_TO_DATE('10 2020', '%H %Y') e, STR_TO_DATE('12 10:11:12 PM', '%e %r') f;
CREATE TABLE parts AS SELECT STR_TO_DATE('02 10:11:12', '%d %H:%i:%S') a, STR_TO_DATE('02 10:11:12.5', '%d %H:%i:%S.%f') b, STR_TO_DATE('02', '%d') c;
SHOW CREATE TABLE parts;
SELECT * FROM parts;
SELECT STR_TO_DATE(s, f), STR_TO_DATE(s, '%d %H:%i:%S') FROM (SELECT '02 10:11:12' s, '%d %H:%i:%S' f) t;
SET sql_mode = DEFAULT;
-- quotients have the digits of their type where they tell rows apart
CREATE TABLE q (f1 INT, f2 INT);
INSERT INTO q VALUES (1, 100000), (2, 100000), (3, 100000), (1, 2);
SELECT DISTINCT f1 / f2 FROM q ORDER BY 1;
SELECT f1 / f2 x, COUNT(*) FROM q GROUP BY f1 / f2 ORDER BY x;
--! differs MariaDB does not use a temporary table there
SELECT f1 / f2 x, COUNT(*) FROM q GROUP BY x WITH ROLLUP;
SELECT f1 / f2 FROM q UNION SELECT f1 / f2 FROM q ORDER BY 1;
SELECT COUNT(DISTINCT f1 / f2), SUM(DISTINCT f1 / f2) FROM q;
--! sorted
SELECT f1 / f2 a, COUNT(*) OVER (PARTITION BY f1 / f2) n, RANK() OVER (ORDER BY f1 / f2) r FROM q;
CREATE VIEW vq AS SELECT f1 / f2 x FROM q;
SELECT DISTINCT x FROM vq ORDER BY x;
SELECT x, COUNT(*) FROM vq GROUP BY x ORDER BY x;
-- VALUES() in a subquery: NULL where the subquery has such a column
CREATE TABLE d (a INT PRIMARY KEY, b INT);
INSERT INTO d VALUES (1, 0);
CREATE TABLE d1 (x INT);
INSERT INTO d1 VALUES (10);
CREATE TABLE d2 (a INT);
INSERT INTO d2 VALUES (7);
--! ours MariaDB has another grammar there
INSERT INTO d (a, b) VALUES (1, 0) ON DUPLICATE KEY UPDATE b = (SELECT VALUES(a) + 2 FROM d1);
SELECT * FROM d;
--! mysql the newer one's warning says so
INSERT INTO d (a, b) VALUES (1, 0) ON DUPLICATE KEY UPDATE b = (SELECT VALUES(a) + 2 FROM d2);
SELECT * FROM d;
-- deviations that no DOUBLE holds
CREATE TABLE s (v DOUBLE);
INSERT INTO s VALUES (9.33174e+07), (4.5e+95), (1.79769e+308), (-1.79769e+308), (0);
SELECT STDDEV(v) FROM s;
SELECT VARIANCE(v) FROM s;
SELECT VAR_SAMP(v), STDDEV_SAMP(v) FROM s;
-- comments for newer servers are no part of headings
SELECT 1 + /*!99999 noise*/ + 4, 2 /*!40000 + 1 */, 3 /* plain */ + 1;
--! end
