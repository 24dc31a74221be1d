-- What is said when a value is read as a number: TEXT and BLOB columns say nothing, CHAR and VARCHAR columns do, and what warns fails in a change
--! ours MariaDB warns for every text
CREATE TABLE t (id INT PRIMARY KEY, tx TEXT, vc VARCHAR(30), bl BLOB, j JSON, e ENUM('5x','b'), n INT, KEY (n));
INSERT INTO t VALUES (1,'abc','abc','abc','"abc"','b',1),(2,'5x','5x','5x','"5x"','5x',1);
SELECT tx = 5, bl = 5, tx + 0, bl | 0, -tx, ~tx, tx XOR 1, NOT tx, tx IS TRUE, tx % 2, ABS(tx) FROM t;
SELECT vc = 5, vc + 0 FROM t;
SELECT SUM(tx), AVG(bl), BIT_OR(tx), STD(tx), MIN(tx + 0) FROM t;
SELECT SUM(vc) FROM t;
SELECT id FROM t WHERE tx;
SELECT id FROM t WHERE vc;
SELECT tx IN (5, 6), tx BETWEEN 5 AND 6, tx < 5.5, CASE tx WHEN 5 THEN 1 ELSE 0 END, NULLIF(tx, 5), tx <=> 5, (tx, 1) = (5, 1) FROM t;
SELECT vc IN (5, 6), vc BETWEEN 6 AND 7 FROM t;
SELECT IF(tx, 1, 0), ROUND(tx), SUBSTR('abcdef', tx), INTERVAL(tx, 1, 2), DATE_ADD('2020-01-01', INTERVAL tx DAY), FORMAT(tx, 1), CHAR(tx) FROM t;
SELECT id FROM t ORDER BY tx + 0;
SELECT tx + 0 AS y, COUNT(*) FROM t GROUP BY y ORDER BY y;
-- an integer of CAST always warns, a DECIMAL does where there is no number at all
SELECT CAST(tx AS SIGNED), CAST(tx AS DOUBLE) FROM t;
SELECT CAST(tx AS DECIMAL(10,2)) FROM t;
SELECT CAST(vc AS DECIMAL(10,2)) FROM t;
SELECT tx DIV 2 FROM t;
-- the operand that a value is of decides; COALESCE, GREATEST and subqueries say nothing
SELECT COALESCE(vc, '1') + 0, IFNULL(vc, '1') + 0, GREATEST(vc, 'b') + 0, COALESCE('1x') + 0, (SELECT vc FROM t LIMIT 1) + 0 FROM t;
SELECT IF(id, tx, '1') + 0, CASE id WHEN 1 THEN tx ELSE 5 END + 0 FROM t;
SELECT IF(id, vc, '1') + 0 FROM t;
SELECT CONCAT(tx) + 0, LOWER(vc) + 0 FROM t WHERE id = 2;
-- what goes through a table is a column
SELECT x + 0 FROM (SELECT CONCAT(tx) x FROM t LIMIT 3) d;
SELECT x + 0 FROM (SELECT CONCAT(vc) x FROM t LIMIT 3) d;
-- JSON says where it is from, an ENUM is a number
SELECT j + 0, e = 1, e + 0 FROM t;
SELECT ROUND(j) FROM t;
SELECT j->'$' + 0 FROM t;
-- changes
UPDATE t SET n = 2 WHERE tx = 5;
UPDATE t SET n = 3 WHERE bl IN (5, 6);
UPDATE t SET n = tx + 1 WHERE id = 2;
UPDATE t SET n = COALESCE(vc, 1) + 2 WHERE id = 2;
UPDATE t SET n = 4 WHERE tx;
UPDATE t a JOIN t b ON a.tx = b.n SET a.n = 8;
UPDATE t SET n = 5 WHERE vc = 5;
UPDATE t SET n = 5 WHERE CONCAT(tx) = 5;
UPDATE t SET n = 5 WHERE CAST(tx AS SIGNED) = 5;
UPDATE t SET n = 5 WHERE CAST(tx AS DECIMAL) = 5;
UPDATE t SET n = 5 WHERE j + 0 = 5;
DELETE FROM t WHERE tx = 6;
DELETE FROM t WHERE vc = 6;
INSERT INTO t (id, n) SELECT 5, tx + 0 FROM t WHERE id = 2;
SELECT id, n FROM t ORDER BY id;
--! end
