-- What prepared_random.py found: types that functions give their parameters, plans that are used again for wider values, parameters of select lists.
CREATE TABLE t (id INT PRIMARY KEY, i INT, d DECIMAL(6,2), f DOUBLE, c DATE, ts DATETIME, tm TIME, s VARCHAR(80));
INSERT INTO t VALUES (1, 1, 1.5, 1.5, '2024-01-01', '2024-01-01 10:00:00', '10:00:00', 'a'), (2, 7, 2, 2, '1999-01-01', '1999-01-01', '-01:00:00', '7');
--! ours in MariaDB a parameter has the type of its value
-- a text, number or DECIMAL that is longer than those the plan was made for is not cut
--! binary ["a", "b"]
--! binary ["0123456789012345678901234567890123456789012345678901234567890123456789", "b"]
--! binary ["c", "b"]
SELECT ? x UNION SELECT ?;
--! binary ["a", "a"]
--! binary ["0123456789012345678901234567890123456789012345678901234567890123456789", "aa"]
SELECT DISTINCT CONCAT(?, s) x FROM t WHERE id = 1 UNION ALL SELECT UPPER(?);
PREPARE p FROM 'SELECT ? x UNION SELECT ?';
SET @i = 1, @j = -1234, @d = 1.5, @e = -1234.56789, @a = 'a', @b = 'abcdef';
EXECUTE p USING @i, @a;
EXECUTE p USING @j, @b;
EXECUTE p USING @d, @a;
EXECUTE p USING @e, @b;
EXECUTE p USING @a, @b;
EXECUTE p USING @b, @a;
-- a parameter in a select list is not typed by what reads the column
--! binary ["2023-12-31", "2023-12-31"]
SELECT d.x, d.x + ? FROM (SELECT ? x FROM t WHERE id = 1) d;
--! binary ["1a"]
--! binary [1]
SELECT d.x, COALESCE(d.x, i) y FROM (SELECT ? x, i FROM t) d WHERE d.x = i;
--! binary ["1a"]
WITH d AS (SELECT ? x, i FROM t) SELECT d.x, COALESCE(d.x, i) y FROM d WHERE d.x = i;
--! binary ["1a"]
SELECT ? AS x, i FROM t HAVING x = i;
-- DECIMAL is DECIMAL(65,30)
PREPARE p FROM 'SELECT ?, ? + 1, i + ?, d * ?, IFNULL(?, i) FROM t WHERE id = 1';
SET @d = 1.50;
EXECUTE p USING @d, @d, @d, @d, @d;
PREPARE p FROM 'SELECT MAX(?) FROM t';
EXECUTE p USING @d;
-- but a value alone, of CASE or of IF has its own digits
--! types
--! binary [2]
SELECT IF(id = 0, d, ?) x FROM t;
--! types
--! binary ["1.55"]
SELECT CASE WHEN id = 0 THEN i ELSE ? END x FROM t;
-- functions of a number: DOUBLE or DECIMAL
--! types
--! binary [2]
--! binary ["-3"]
SELECT ABS(?) x;
--! types
--! binary [2]
SELECT FLOOR(?) x;
--! types
--! binary [2]
--! binary ["1.55"]
SELECT ROUND(?, 1) x;
--! types
--! binary [2]
SELECT SUM(?) x FROM t;
--! types
--! binary [2]
--! binary ["1.5"]
SELECT AVG(?) x FROM t;
--! types
--! binary [2]
SELECT SEC_TO_TIME(?) x;
--! types
--! binary [2]
SELECT FROM_UNIXTIME(?) IS NULL, MAKETIME(1, 1, ?) x;
-- counts are BIGINT: a text with a fraction is rounded
--! binary ["1.55"]
SELECT LEFT('abcdef', ?) x;
--! binary ["1.55", "2.5"]
SELECT SUBSTRING('abcdef', ?, ?) x;
--! binary ["1.55"]
SELECT ELT(?, 'a', 'b', 'c') x;
--! binary ["1.55"]
SELECT CAST(? AS SIGNED) x;
--! binary ["1.55"]
SELECT SUBSTRING_INDEX('a.b.c', '.', ?) x;
-- intervals
--! types
--! binary [2]
--! binary ["1.5"]
SELECT ts + INTERVAL ? SECOND x, c + INTERVAL 1 DAY y FROM t WHERE id = 1;
--! types
--! binary [2]
--! binary ["1.5"]
SELECT ts + INTERVAL ? DAY x FROM t WHERE id = 1;
--! types
--! binary ["2024-01-05"]
--! binary ["2024-01-05 10:11:12"]
SELECT ? + INTERVAL 1 DAY x;
--! types
--! binary ["2024-01-05"]
SELECT ? + INTERVAL 1 HOUR x;
--! types
--! binary ["10:11:12"]
SELECT COALESCE(c, ?) x FROM t WHERE id = 1;
--! types
--! binary [2]
SELECT ADDTIME(tm, ?) x FROM t WHERE id = 1;
-- a negative integer in a text is DECIMAL
--! types
--! binary ["-3"]
SELECT i + ? x FROM t WHERE id = 1;
--! types
--! binary ["3"]
SELECT i + ? y FROM t WHERE id = 1;
-- one value that does not do for its parameter: all parameters have the types of their values
--! types
--! binary [2, 1.5]
SELECT ABS(?) x, i + ? y FROM t WHERE id = 1;
--! types
--! binary [2, "1.5"]
SELECT ABS(?) z, i + ? y FROM t WHERE id = 1;
-- those of LIMIT and of frames have no say
--! types
--! binary [2, 1]
SELECT ABS(?) x FROM t LIMIT ?;
--! types
--! binary [5, 1]
SELECT id, SUM(?) OVER (ORDER BY id ROWS ? PRECEDING) x FROM t;
--! binary [2, "abc"]
SELECT ABS(?) x, i + ? y FROM t WHERE id = 1;
-- so that a text that is no number is a text
--! types
--! binary ["abc", 1.5]
SELECT COALESCE(i, ?) x, i + ? y FROM t WHERE id = 1;
-- but not in a change
--! binary ["abc"]
UPDATE t SET i = 3 WHERE i = ?;
--! end
-- ENUM and SET in arithmetic are shown with all digits
CREATE TABLE e (id INT PRIMARY KEY, a ENUM('a','bb','c3'), b SET('x','y','z'));
INSERT INTO e VALUES (1, 'bb', 'x,z');
--! differs MariaDB shows four decimals
SELECT a / 3, (a + 5) / (b + 4), b * 0.1, 1 / b FROM e;
DROP TABLE t, e;
