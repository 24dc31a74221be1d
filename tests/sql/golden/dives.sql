-- Ranges of constants are counted in the index, not guessed: EXPLAIN's rows, and which index is read.
CREATE TABLE n (i INT PRIMARY KEY);
INSERT INTO n WITH RECURSIVE r (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < 99) SELECT i FROM r;
CREATE TABLE t (id INT PRIMARY KEY, u INT NOT NULL, s VARCHAR(10) NOT NULL, d DATE NOT NULL, x VARCHAR(50), KEY (u), KEY (s, d), KEY (d));
INSERT INTO t SELECT a.i * 100 + b.i, (a.i * 100 + b.i) DIV 5, IF(a.i = 7 AND b.i < 5, 'rare', 'often'), DATE_ADD('2020-01-01', INTERVAL a.i DAY), REPEAT('x', 40) FROM n a, n b WHERE a.i < 50;
ANALYZE TABLE t;
--! differs MariaDB has no such variable
SET explain_format = 'TRADITIONAL';
--! ours MariaDB has other columns
EXPLAIN SELECT * FROM t WHERE u < 10;
EXPLAIN SELECT * FROM t WHERE u BETWEEN 5 AND 8;
EXPLAIN SELECT * FROM t WHERE u > 995;
EXPLAIN SELECT * FROM t WHERE s = 'rare';
EXPLAIN SELECT * FROM t WHERE s LIKE 'ra%';
--! mysql it writes the date as a literal of its own in the note, estimates `filtered` from other indexes, and needs no condition behind d's key
EXPLAIN SELECT * FROM t WHERE d = '2020-01-03';
--! mysql it writes the date as a literal of its own in the note, estimates `filtered` from other indexes, and needs no condition behind d's key
EXPLAIN SELECT * FROM t WHERE d >= '2020-02-15' + INTERVAL 3 DAY;
EXPLAIN SELECT * FROM t WHERE u < 10 OR u > 998;
EXPLAIN SELECT * FROM t WHERE u < 10 ORDER BY id;
--! mysql it writes the date as a literal of its own in the note, estimates `filtered` from other indexes, and needs no condition behind d's key
EXPLAIN SELECT * FROM t WHERE d < '2020-01-02' AND u BETWEEN 3 AND 4;
-- each branch of a union of indexes is counted, too
EXPLAIN SELECT * FROM t WHERE s = 'rare' OR u = 3;
EXPLAIN SELECT * FROM t WHERE s = 'rare' OR u = 3 OR s = 'none';
EXPLAIN SELECT * FROM t WHERE s = 'rare' OR u < 10 OR u > 998;
--! mysql it takes `filtered` of a scan from what it counted
EXPLAIN SELECT * FROM t WHERE s = 'often' OR u = 3;
EXPLAIN SELECT id FROM t WHERE u < 0;
EXPLAIN UPDATE t SET x = 'y' WHERE u < 3;
--! mysql it writes the date as a literal of its own in the note, estimates `filtered` from other indexes, and needs no condition behind d's key
EXPLAIN DELETE FROM t WHERE d < '2019-01-01';
--! end
-- the plan of one execution does not bind the next: rows read
FLUSH STATUS;
SELECT COUNT(x) FROM t WHERE u < 2;
SELECT COUNT(x) FROM t WHERE u < 3;
--! differs MariaDB has no such table
SELECT VARIABLE_VALUE < 60 FROM performance_schema.session_status WHERE VARIABLE_NAME = 'Handler_read_next';
SELECT COUNT(x) FROM t WHERE u < 900;
SELECT COUNT(x) FROM t WHERE u < 2;
PREPARE p FROM 'SELECT COUNT(x) FROM t WHERE u < ?';
SET @few = 2, @many = 900;
EXECUTE p USING @few;
EXECUTE p USING @many;
EXECUTE p USING @few;
DEALLOCATE PREPARE p;
--! binary [2]
--! binary [900]
--! binary [2]
--! binary [null]
--! binary ["2"]
SELECT COUNT(x) FROM t WHERE u < ?;
--! differs MariaDB has no such table
SELECT VARIABLE_VALUE < 100 FROM performance_schema.session_status WHERE VARIABLE_NAME = 'Handler_read_next';
SELECT COUNT(x) FROM t WHERE s = 'often' OR u = 3;
SELECT COUNT(x) FROM t WHERE s = 'rare' OR u = 3;
SELECT COUNT(x) FROM t WHERE s = 'none' OR u = 4999;
-- a constant that cannot be converted is told of once
--! differs MariaDB warns twice
SELECT COUNT(*) FROM t WHERE u < '2x';
SELECT id FROM t WHERE id = '7x';
--! differs MariaDB does not warn
SELECT id FROM t WHERE id = '-7x';
--! differs MariaDB compares the text as a date without an error
SELECT COUNT(*) FROM t WHERE d < 'abc';
DROP TABLE t, n;
