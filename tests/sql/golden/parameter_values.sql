-- What becomes of the values that are sent for parameters: signs, times behind dates, dates in arithmetic, digits of DECIMAL in columns of text.
CREATE TABLE t (id INT PRIMARY KEY, i INT, u INT UNSIGNED, d DECIMAL(10,2), da DATE, dt DATETIME(3), tm TIME(2), y YEAR, v VARCHAR(30));
INSERT INTO t VALUES (1, 7, 5, 1.25, '1999-01-01', '1999-01-01 10:11:12', '10:11:12.345', 2024, 'abc'), (2, 100, 0, 99, '2024-02-29', '2024-02-29 12:30:45.678', '0:0', 0, '9'),
  (3, 8, 1, 1.33, NULL, NULL, NULL, NULL, NULL);
--! ours in MariaDB a parameter has the type of its value
-- a number with a time of the day is no date
--! binary [19990101101112]
SELECT id FROM t WHERE da = ?;
--! binary [19990101]
SELECT id FROM t WHERE da <=> ?;
--! types
--! binary [19990101101112]
SELECT IFNULL(da, ?) x FROM t WHERE id < 3 ORDER BY id;
-- a number of the other sign does not do for an integer's parameter: all have the types of their values
--! types
--! binary [1, 1]
SELECT d + ? x FROM t WHERE u <> ? ORDER BY id;
--! types
--! binary [1, 1]
SELECT d + ? x FROM t WHERE i <> ? ORDER BY id;
--! types
--! binary [1, 18446744073709551615]
SELECT d + ? x FROM t WHERE i < ? ORDER BY id;
-- a TIME that is equal to a column by a condition is rounded as one that is stored; not in other comparisons
--! binary ["10:11:12.345"]
SELECT id FROM t WHERE tm = ?;
--! binary ["10:11:12.345"]
SELECT id, tm = ? x FROM t WHERE tm >= '10:00:00';
--! binary ["10:11:12.345"]
SELECT id FROM t WHERE tm > ?;
-- dates in arithmetic are integers, times have six digits
--! types
--! binary [1, 1, 1]
SELECT da + ? a, dt - ? b, tm + ? c FROM t WHERE id = 1;
--! types
--! binary [1.5, 1.5, 1.5]
SELECT da + ? a, dt + ? b, tm + ? c FROM t WHERE id = 1;
--! binary ["1.5", "1.5", "1.5"]
SELECT da - ? a, dt - ? b, tm - ? c FROM t WHERE id = 1;
-- AVG has all digits
--! binary [1]
SELECT AVG(d + ?) x FROM t;
-- a DECIMAL that becomes a column of text has its own digits
--! binary [1]
UPDATE t SET v = ROUND(d, ?) WHERE id = 1;
--! binary [1]
UPDATE t SET v = d + ? WHERE id = 2;
--! binary ["1.50"]
INSERT INTO t (id, v) VALUES (4, ROUND(1.25, 1) + ?);
SELECT id, v FROM t ORDER BY id;
--! binary [1]
SELECT ROUND(d, ?) x FROM t UNION SELECT 'abc';
--! binary ["7.25", 3, "x"]
SELECT ROUND(?, ?) x UNION SELECT ?;
PREPARE s FROM 'SELECT ? x UNION SELECT v FROM t WHERE id = 1';
PREPARE i FROM 'INSERT INTO t (id, v) SELECT 5, ?';
SET @t = TIME'10:11:12.340', @d = TIMESTAMP'2024-01-01 10:11:12.34';
EXECUTE s USING @t;
EXECUTE i USING @d;
SELECT v FROM t WHERE id = 5;
-- what is stored is compared with its column's type
--! types
--! binary [1, 2]
UPDATE t SET i = ? WHERE u = ?;
--! end
DROP TABLE t;
