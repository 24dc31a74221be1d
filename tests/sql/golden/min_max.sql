-- MIN and MAX without groups: one row from the end of an index for each, where indexes give them all ("Select tables optimized away").
CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, a INT, b INT NOT NULL, c VARCHAR(20), d INT, e DATETIME(3), f VARCHAR(10) CHARACTER SET latin1 COLLATE latin1_general_cs, en ENUM('z','a','m'), KEY(a), KEY(b), KEY(c(3)), KEY kd(d DESC), KEY ab (a,b), KEY(e), KEY(f), KEY(en), KEY bd(b,d));
SELECT MIN(a), MAX(a), MIN(id), MAX(id), MIN(f) FROM t;
INSERT INTO t (a,b,c,d,e,f,en) VALUES (NULL,3,'x',4,'2020-01-01',NULL,'z'),(2,7,'abc',NULL,NULL,'b','a'),(5,1,'zz',9,'2024-05-05 10:00:00.125','B','m'),(2,3,'abd',-1,'1999-12-31','a',NULL),(NULL,3,NULL,NULL,NULL,NULL,NULL);
ANALYZE TABLE t;
SELECT MIN(a), MAX(a) FROM t;
SELECT MIN(a), MAX(a), MIN(b), MAX(b), MIN(d), MAX(d), MIN(e), MAX(e), MIN(f), MAX(f), MAX(id) FROM t;
SELECT MIN(a), MAX(a) FROM t WHERE a > 2;
SELECT MIN(a), MAX(a) FROM t WHERE a > 200;
SELECT MIN(a), MAX(a) FROM t WHERE a BETWEEN 0 AND 4;
SELECT MIN(a), MAX(a) FROM t WHERE a IS NULL;
SELECT MIN(a), MAX(a) FROM t WHERE a IS NOT NULL;
SELECT MIN(d), MAX(d) FROM t WHERE d < 9;
SELECT MIN(d), MAX(d), MIN(b) FROM t WHERE b = 3;
SELECT MIN(d), MAX(d) FROM t WHERE b = 77;
SELECT MIN(b), MAX(b) FROM t WHERE a = 2;
SELECT MIN(b), MAX(b) FROM t WHERE a <=> NULL;
SELECT MIN(b), MAX(b) FROM t WHERE a IN (2, 5);
SELECT MIN(a), MAX(b) FROM t WHERE id = 3;
SELECT MIN(a), MAX(b) FROM t WHERE id = 30;
SELECT MIN(a), MAX(b) FROM t WHERE b > 1;
SELECT MIN(a), MAX(a) FROM t WHERE a < 2 OR a > 4;
SELECT MIN(a) + MAX(b) * 2, MAX(id) - MIN(id) FROM t HAVING MAX(b) > 1;
SELECT MIN(a), MAX(b) FROM t HAVING MAX(b) > 10;
SELECT MIN(a), MAX(b), COUNT(*), COUNT(a), SUM(b) FROM t;
SELECT DISTINCT MIN(a), MAX(b) FROM t;
SELECT MIN(a), MAX(b) FROM t LIMIT 1 OFFSET 1;
SELECT MIN(a), MAX(b) FROM t LIMIT 0;
SELECT MIN(a), MAX(b) FROM t FOR UPDATE;
SELECT MIN(DISTINCT a), MAX(DISTINCT a) FROM t;
SELECT (SELECT MIN(a) + MAX(a) FROM t WHERE b = s.b) x FROM t s ORDER BY id;
SELECT * FROM (SELECT MIN(a) x, MAX(b) y FROM t) q;
SELECT MIN(a), MAX(b), RANK() OVER (ORDER BY MAX(a)) r FROM t;
SELECT MIN(a), MAX(a) FROM t IGNORE INDEX (a, ab);
SELECT MIN(a), MAX(a) FROM t WHERE @x IS NULL;
SELECT MIN(a), MAX(a) FROM t WHERE @x = 1;
SELECT MIN(a), MAX(a) FROM t WHERE 1 = 0;
SELECT MIN(a), MAX(a) FROM t WHERE a = 2;
SELECT MIN(a), MAX(a) FROM t WHERE a < (SELECT MAX(b) FROM t);
-- in a view of the data of its own, beside changes that are not committed
--! on b
BEGIN;
DELETE FROM t WHERE a = 5;
INSERT INTO t (a, b) VALUES (100, -100);
SELECT MIN(a), MAX(a), MIN(b) FROM t;
--! on a
SELECT MIN(a), MAX(a), MIN(b) FROM t;
--! on b
ROLLBACK;
--! close
--! on a
PREPARE p FROM 'SELECT MIN(a), MAX(a), MAX(id) FROM t WHERE a > ?';
SET @n = 2, @none = NULL, @text = 'x';
EXECUTE p USING @n;
EXECUTE p USING @none;
--! differs MariaDB warns for each index that it looks at
--! mysql it converts the text anew for each index and condition it looks at, and warns each time
EXECUTE p USING @text;
DEALLOCATE PREPARE p;
INSERT INTO t (a, b) SELECT MAX(a) + 1, MIN(b) - 1 FROM t;
SELECT MAX(a), MIN(b) FROM t;
UPDATE t SET a = a + 10 WHERE a = (SELECT m FROM (SELECT MAX(a) m, MIN(a) n FROM t) q);
SELECT MAX(a), MIN(a) FROM t;
DELETE FROM t;
SELECT MIN(a), MAX(a), MAX(b), MIN(e), MAX(id) FROM t;
INSERT INTO t (id, b) VALUES (1, 1), (2, 2);
SELECT MIN(a), MAX(a), MAX(b), MIN(e), MAX(id) FROM t;
--! differs MariaDB has no such variable
SET explain_format = 'TRADITIONAL';
--! ours MariaDB has other columns
EXPLAIN SELECT MIN(a) FROM t;
EXPLAIN SELECT MIN(a), MAX(b), MAX(id), MIN(id) FROM t;
EXPLAIN SELECT MAX(b) - MIN(b) FROM t WHERE b < 3;
EXPLAIN SELECT MIN(a), COUNT(*) FROM t;
--! mysql EXPLAIN looks for the rows there: "No matching min/max row"
EXPLAIN SELECT MAX(b), MIN(b) FROM t WHERE b < 3 AND a = 1;
EXPLAIN SELECT a, (SELECT MAX(b) - MIN(a) FROM t) m FROM t;
--! mysql it shows the cost of the first row too
EXPLAIN FORMAT=TREE SELECT MIN(a), MAX(b) FROM t;
--! end
