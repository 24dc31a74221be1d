-- JSON as an operand of functions that choose or compare; found by go-mysql-server's tests beside a real MySQL
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
