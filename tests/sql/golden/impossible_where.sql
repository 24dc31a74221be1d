-- Conditions of WHERE that no row has a part in are asked once, before a table is read.
CREATE TABLE s(a INT PRIMARY KEY, v INT NOT NULL, d DATE NOT NULL);
INSERT INTO s VALUES (1, 1, '2020-01-01'), (2, 2, '2020-01-01');
CREATE TABLE e(a INT);
SELECT * FROM s WHERE 1 = 0;
SELECT * FROM s WHERE FALSE;
SELECT * FROM s WHERE NULL;
SELECT * FROM s WHERE NOT 1;
SELECT * FROM s WHERE 'a' = 'b';
SELECT * FROM s WHERE a = 1 AND 1 = 2;
SELECT * FROM s WHERE 1 = 1 ORDER BY a DESC LIMIT 1;
SELECT * FROM s WHERE NOW() < '2000-01-01';
SELECT * FROM s WHERE @@sql_mode = 'none';
SELECT COUNT(*), MAX(a), SUM(v) FROM s WHERE 1 = 0;
SELECT COUNT(*) FROM s WHERE 1 = 0 GROUP BY a;
SELECT MIN(a) FROM s WHERE 1 = 0;
SELECT a FROM s WHERE 1 = 0 UNION ALL SELECT 7;
SELECT * FROM (SELECT * FROM s WHERE 0) q;
SELECT s.a, q.a FROM s LEFT JOIN (SELECT * FROM s WHERE 0) q ON s.a = q.a ORDER BY 1;
SELECT s.a, t.a FROM s LEFT JOIN s t ON 1 = 0 ORDER BY 1;
SELECT a FROM s WHERE a IN (SELECT a FROM s WHERE 1 = 0);
SELECT a FROM s WHERE a NOT IN (SELECT a FROM s WHERE 1 = 0) ORDER BY a;
SELECT a FROM s WHERE EXISTS (SELECT 1 FROM s t WHERE t.a = s.a AND 1 = 0);
SELECT a FROM s WHERE NOT EXISTS (SELECT 1 FROM s t WHERE t.a = s.a AND 1 = 0) ORDER BY a;
SELECT a, (SELECT COUNT(*) FROM s t WHERE t.a = s.a AND 1 = 0) c FROM s ORDER BY a;
-- warnings come once, and for an empty table too
SELECT * FROM s WHERE 'x' = 0 ORDER BY a;
SELECT * FROM e WHERE 'x' = 1;
--! differs MariaDB does not look at the condition of an empty table
SELECT * FROM e WHERE JSON_EXTRACT('x', '$');
-- what is not the same for every row is asked for every row
SET @n = 0;
SELECT a FROM s WHERE (@n := @n + 1) = 2;
SELECT COUNT(*) FROM e WHERE SLEEP(0);
PREPARE p FROM 'SELECT a FROM s WHERE ? ORDER BY a';
SET @no = 0, @yes = 1;
EXECUTE p USING @no;
EXECUTE p USING @yes;
DEALLOCATE PREPARE p;
-- changes: nothing is locked
START TRANSACTION;
--! differs MariaDB sends no text
UPDATE s SET v = 9 WHERE FALSE;
DELETE FROM s WHERE 1 = 0;
SELECT * FROM s WHERE 1 = 2 FOR UPDATE;
UPDATE s, e SET s.v = 9 WHERE 0;
--! differs MariaDB has no such table
SELECT COUNT(*) FROM performance_schema.data_locks;
COMMIT;
INSERT INTO e SELECT a FROM s WHERE 0;
SELECT * FROM e;
--! differs MariaDB has no such output
EXPLAIN FORMAT = TRADITIONAL SELECT * FROM s WHERE FALSE;
--! mysql prints "false" for the condition in the note
--! differs MariaDB's note
EXPLAIN FORMAT = TRADITIONAL SELECT * FROM s WHERE a = 1 AND 1 = 2;
--! mysql prints "false" for the condition in the note
--! differs MariaDB's note
EXPLAIN FORMAT = TRADITIONAL UPDATE s SET v = 1 WHERE 1 = 0;
--! mysql prints "false" for the condition in the note
--! differs MariaDB's note
EXPLAIN FORMAT = TRADITIONAL DELETE FROM s WHERE 0;
DROP TABLE s, e;
