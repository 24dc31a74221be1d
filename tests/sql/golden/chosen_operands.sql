-- ENUM, SET and BIT among the operands of IF, CASE, IFNULL, COALESCE, NULLIF, ELT, GREATEST and LEAST, in unions, windows and subqueries: the value is text
-- and sorted as text. Read as a number IF, CASE, ELT and NULLIF are the number of the operand that they choose, the others the number in the text.
--! ours MariaDB keeps the type of ENUMs that have the same members, reads numbers of texts in other places, and says other warnings
CREATE TABLE t (id INT PRIMARY KEY, e ENUM('zz','aa','mm'), f ENUM('zz','aa','mm'), g ENUM('bb','cc'), s SET('zz','aa','mm'), i INT, c VARCHAR(10), d DECIMAL(6,2),
  dt DATE, b BIT(8));
INSERT INTO t VALUES (1, 'zz', 'aa', 'cc', 'zz,mm', 2, '7', 1.50, '2020-01-01', b'1'), (2, 'aa', 'mm', 'bb', 'aa', 3, '8x', 2.50, '2021-01-01', b'11'),
  (3, 'mm', 'zz', 'cc', '', 1, '9', 0.50, '2019-01-01', b'10'), (4, NULL, 'zz', 'bb', NULL, 4, '0', 4, '2022-01-01', b'111');
SELECT id FROM t ORDER BY IF(id < 4, e, f), id;
SELECT id FROM t ORDER BY CASE WHEN id < 4 THEN e ELSE f END, id;
SELECT id FROM t ORDER BY IFNULL(e, f), id;
SELECT id FROM t ORDER BY COALESCE(e, f), id;
SELECT id FROM t ORDER BY NULLIF(e, 'x'), id;
SELECT id FROM t ORDER BY NULLIF(e, 7), id;
SELECT id FROM t ORDER BY GREATEST(e, e), id;
SELECT id FROM t ORDER BY LEAST(s, s), id;
SELECT id FROM t ORDER BY ELT(1, e), id;
SELECT IF(1, e, f) x, COUNT(*) FROM t GROUP BY x ORDER BY x;
SELECT MAX(IF(1, e, f)), MIN(COALESCE(e, f)), MAX(NULLIF(e, 1)) FROM t;
-- as numbers
SELECT IF(id < 3, e, i) + 0, IF(id < 3, e, c) + 0, IF(id < 3, e, g) * 1, CASE WHEN id < 3 THEN s ELSE d END - 0, ELT(2, i, e) + 0, NULLIF(e, 1) + 0 FROM t ORDER BY id;
SELECT IFNULL(e, i) + 0, COALESCE(e, f) + 0, GREATEST(e, e) + 0 FROM t ORDER BY id;
SELECT IF(id < 3, c, b) + 0, ELT(1, b, c) + 0, ELT(1, dt, c) + 0 FROM t ORDER BY id;
SELECT IF(id < 3, e, 'x') = 2, IF(id < 3, e, 'x') > 1.5, IF(id < 3, e, 'x') BETWEEN 2 AND 3, IF(id < 3, e, 'x') IN ('aa', 2), IF(id < 3, e, 'x') IN (2, 3) FROM t ORDER BY id;
SELECT IF(id < 3, e, 'mm') = 'mm', NULLIF(e, 'aa') = 3, ELT(1, e, c) = e, CASE IF(id < 3, e, 'x') WHEN 2 THEN 'two' ELSE 'none' END FROM t ORDER BY id;
SELECT id FROM t WHERE IF(id < 3, e, '0') ORDER BY id;
SELECT id, IF(id < 3, e, '0') AND 1, NOT IF(id < 3, e, '0'), IF(id < 3, e, '0') IS TRUE, IF(IF(id < 3, e, '0'), 'y', 'n'), CASE WHEN NULLIF(e, 1) THEN 1 ELSE 0 END FROM t ORDER BY id;
SELECT SUM(IF(id < 3, e, '5')), AVG(CASE WHEN id < 3 THEN e ELSE '5' END), BIT_OR(ELT(1, e, c)), MAX(IF(id < 3, e, '5')) FROM t;
SELECT ABS(IF(id < 3, e, '5')), FLOOR(IF(id < 3, e, '5')), LEFT('abcdef', IF(id < 3, e, '5')), SEC_TO_TIME(IF(id < 3, e, '5')), FIELD(2, IF(id < 3, e, '5')),
  DATE_ADD('2020-01-01', INTERVAL IF(id < 3, e, '5') DAY), IF(id < 3, e, '5') | 8, -IF(id < 3, e, '5') FROM t ORDER BY id;
SELECT CAST(IF(id < 3, e, '5') AS SIGNED), CAST(IF(id < 3, e, '5') AS DECIMAL(5,2)), CAST(IF(id < 3, e, '5') AS DOUBLE), CAST(NULLIF(e, 'x') AS SIGNED) FROM t ORDER BY id;
SELECT (IF(id < 3, e, '5'), 1) = (2, 1), IF(id < 3, e, '5') = ANY (SELECT 2) FROM t ORDER BY id;
SELECT IF(1, IF(id < 3, e, '9'), 'x') + 0, IFNULL(IF(id < 3, e, '9'), 'x') + 0 FROM t ORDER BY id;
-- the types
CREATE TABLE n AS SELECT IF(1, e, f) a, IFNULL(e, f) b, NULLIF(e, 'x') c, GREATEST(s, s) d, CASE WHEN 1 THEN e END h, ANY_VALUE(e) i, LAG(e) OVER (ORDER BY id) j,
  FIRST_VALUE(e) OVER (ORDER BY id) k, (SELECT e FROM t LIMIT 1) l, MAX(e) m FROM t GROUP BY id, e, f, s;
SHOW CREATE TABLE n;
SELECT LAG(e) OVER (ORDER BY id), FIRST_VALUE(e) OVER (ORDER BY id), (SELECT e FROM t u WHERE u.id = t.id), (SELECT e FROM t ORDER BY id LIMIT 1) FROM t ORDER BY id;
SELECT id FROM t ORDER BY (SELECT e FROM t u WHERE u.id = t.id), id;
SELECT (SELECT e FROM t ORDER BY id LIMIT 1) + 0, FIRST_VALUE(e) OVER (ORDER BY id) + 0 FROM t LIMIT 1;
SELECT e FROM t UNION SELECT f FROM t ORDER BY 1;
CREATE TABLE u AS SELECT e FROM t UNION ALL SELECT f FROM t;
SHOW CREATE TABLE u;
DROP TABLE n, u;
-- what has another character set is converted
CREATE TABLE l (e ENUM('é','a') CHARACTER SET latin1, u VARCHAR(5) CHARACTER SET utf8mb4);
INSERT INTO l VALUES ('é', 'é'), ('a', '😀');
SELECT HEX(CONCAT(e, u)), HEX(IF(1, e, u)), HEX(NULLIF(e, 'x')), HEX(COALESCE(e, u)), e = u, HEX(ELT(1, e, u)) FROM l;
DROP TABLE t, l;
--! end
