-- What go-mysql-server's tests beside a real MySQL showed: FOUND_ROWS() after changes, warnings of HAVING and of sorted JSON, numbers of JSON
-- beyond 32 bits, JSON_MERGE's warning where nothing is evaluated.
CREATE TABLE b (x INT PRIMARY KEY, y INT);
INSERT INTO b VALUES (1,1),(2,2),(3,3),(4,4);
SELECT x FROM b ORDER BY x;
UPDATE b SET x = x WHERE x < 3;
--! differs MariaDB leaves what SELECT found
SELECT FOUND_ROWS();
UPDATE b SET y = y + 1 WHERE x < 4;
--! differs MariaDB leaves what SELECT found
SELECT FOUND_ROWS();
UPDATE b, (SELECT 2 AS z UNION SELECT 3) d SET y = y + 1 WHERE x = z;
--! differs MariaDB leaves what SELECT found
SELECT FOUND_ROWS();
SELECT * FROM b LIMIT 2;
DELETE FROM b WHERE x > 3;
SELECT FOUND_ROWS();
DELETE b FROM b, (SELECT 10 AS z UNION SELECT 11) d WHERE x = z;
SELECT FOUND_ROWS();
SELECT * FROM b LIMIT 2;
INSERT INTO b VALUES (10,1),(11,1),(12,1);
SELECT FOUND_ROWS();
DO 1;
SELECT FOUND_ROWS();
SELECT * FROM b LIMIT 2;
CHECKSUM TABLE b;
SELECT FOUND_ROWS();
--! differs FOUND_ROWS() is deprecated in MySQL
SHOW COUNT(*) WARNINGS;
SELECT FOUND_ROWS();
-- 1052
CREATE TABLE t (a INT PRIMARY KEY, j JSON);
INSERT INTO t VALUES (1,'{}'),(2,'[1,2]'),(3,'[1]'),(4,'{"a":1}'),(5,'3'),(6,NULL);
SELECT -a AS a FROM t GROUP BY a HAVING a > 0;
SELECT -a AS a FROM t GROUP BY t.a HAVING a > 0;
SELECT -a AS a FROM t GROUP BY t.a, a HAVING t.a > 0;
--! sorted
SELECT -a AS b, a AS c FROM t GROUP BY b, c HAVING c > 0;
SELECT 0 AS c1, 1 AS c2, 2 AS c2 GROUP BY c2 HAVING c2 = 1;
-- 1235, once a statement
--! ours MariaDB orders the texts and does not warn
SELECT a, j FROM t ORDER BY a, j;
SELECT a, j FROM t ORDER BY j, a;
SELECT a FROM t WHERE a > 4 ORDER BY j;
SELECT j, COUNT(*) FROM t WHERE a > 4 GROUP BY j ORDER BY j;
SELECT a, ROW_NUMBER() OVER (ORDER BY j) FROM t ORDER BY a;
SELECT a FROM t ORDER BY j LIMIT 2;
SELECT a FROM t ORDER BY j LIMIT 0;
UPDATE t SET a = a + 10 ORDER BY j;
SELECT JSON_TYPE('4294967296'), JSON_TYPE('4294967295'), JSON_TYPE('9223372036854775807'), JSON_TYPE('-4294967296'), JSON_TYPE('18446744073709551615');
SELECT JSON_TYPE(JSON_EXTRACT('[4294967296]', '$[0]')), JSON_STORAGE_SIZE('4294967296'), JSON_STORAGE_SIZE('[4294967296, 1]');
SELECT CAST('[4294967296]' AS JSON) = CAST('[4294967296.0]' AS JSON), JSON_EXTRACT('4294967296', '$') = 4294967296, JSON_EXTRACT('4294967296', '$') + 1, -JSON_EXTRACT('4294967296', '$');
SELECT JSON_MERGE('[1]', j) FROM t WHERE a < 0;
SELECT JSON_MERGE('[1]', 3);
SELECT JSON_MERGE('[1]', j) FROM t WHERE a = 12;
--! end
CREATE TABLE dt (d DATE, t DATETIME, ts TIMESTAMP);
INSERT INTO dt VALUES ('2000-01-01', '2000-01-01', '2000-01-01');
--! ours MariaDB warns
SELECT * FROM dt WHERE d >= 'not a valid date';
SELECT * FROM dt WHERE t >= 'not a valid date';
SELECT * FROM dt WHERE ts >= 'not a valid date';
--! end
-- JSON in BETWEEN, CASE, GREATEST, LEAST, INTERVAL and FIELD: numbers beside numbers, otherwise texts
--! ours MariaDB's JSON is text
CREATE TABLE jb (a INT PRIMARY KEY, j JSON);
INSERT INTO jb VALUES (1,'3'),(2,'[1]'),(3,'"abc"');
SELECT a FROM jb WHERE j BETWEEN 1 AND 4;
SELECT a FROM jb WHERE j BETWEEN '1' AND '4';
SELECT a FROM jb WHERE j NOT BETWEEN '1' AND '4';
SELECT a FROM jb WHERE a BETWEEN j AND j;
SELECT a FROM jb WHERE 3 BETWEEN j AND 4;
SELECT a FROM jb WHERE 'b' BETWEEN j AND 'c';
SELECT a FROM jb WHERE j BETWEEN j AND j;
SELECT a FROM jb WHERE a IN (1, 2) AND j BETWEEN NULL AND 4;
SELECT LEAST(j, 3), GREATEST(j, a), GREATEST(j, 'x') FROM jb WHERE a < 3;
SELECT CASE a WHEN j THEN 1 ELSE 2 END, CASE '3' WHEN j THEN 1 ELSE 2 END, CASE 0 WHEN j THEN 1 ELSE 2 END FROM jb WHERE a < 3;
SELECT INTERVAL(j, 1, 2) FROM jb WHERE a < 3;
SELECT FIELD(j, 3, 4) FROM jb WHERE a < 3;
--! end

-- a column is named by the first of several strings
--! ours MariaDB names it by all of them; MySQL 9.7 as here
SELECT 'a' 'b';
SELECT 'a'
 'b', 'c' 'd' AS x;
SELECT '' 'b', ' a' 'b';
SELECT 'a' 'b' COLLATE utf8mb4_bin;
SELECT CONCAT('a' 'b'), _utf8mb4'a' 'b', N'a' 'b';
SELECT "x" 'y' "z";
SELECT u.* FROM (SELECT 'a' 'b', 'c' 'd' UNION SELECT 1, 2) u;
--! end
