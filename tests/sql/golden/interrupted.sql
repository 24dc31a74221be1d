-- SLEEP() and BENCHMARK() that max_execution_time ends give a value in the select list of the last row, and otherwise end the statement (3024).
CREATE TABLE s (a INT);
INSERT INTO s VALUES (1),(2),(3);
--! ours MariaDB has no max_execution_time
SET max_execution_time=100;
SELECT SLEEP(0.4) AS x, 2;
SELECT (SELECT SLEEP(0.4)) AS x;
SELECT SLEEP(0.4) FROM s LIMIT 1;
SELECT SLEEP(0.4)+1, SLEEP(0.4), IF(SLEEP(0.4), 'a', 'b');
SELECT SLEEP(0.4) INTO @x;
SELECT @x;
SELECT BENCHMARK(3000000, MD5('a')) AS x;
SELECT a, SLEEP(0.4) FROM s;
SELECT * FROM s WHERE SLEEP(0.4);
SELECT * FROM s ORDER BY SLEEP(0.4);
SELECT SUM(SLEEP(0.4)) FROM s;
SELECT DISTINCT SLEEP(0.4) FROM s;
SELECT SLEEP(0.4) UNION ALL SELECT 5;
SELECT * FROM (SELECT SLEEP(0.4)) x;
SELECT /*+ MAX_EXECUTION_TIME(50) */ SLEEP(0.4) AS x;
INSERT INTO s SELECT SLEEP(0.2);
--! end
-- What SLEEP() gives all the same counts as exceeded too.
--! ours MariaDB has no max_execution_time
FLUSH STATUS;
SELECT SLEEP(0.4);
SHOW SESSION STATUS LIKE 'Max_execution_time_exceeded';
SELECT * FROM s WHERE SLEEP(0.4);
SHOW SESSION STATUS LIKE 'Max_execution_time_exceeded';
--! end
