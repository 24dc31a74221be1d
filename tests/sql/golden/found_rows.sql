-- FOUND_ROWS() after changes; found by go-mysql-server's tests beside a real MySQL
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
