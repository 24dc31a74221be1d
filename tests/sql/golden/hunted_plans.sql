-- What the plan hunt (scripts/plan_hunt.py) found: conditions whose index was not used. The answers, and how many rows were read for them.
CREATE TABLE n (i INT PRIMARY KEY);
INSERT INTO n WITH RECURSIVE r (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < 99) SELECT i FROM r;
CREATE TABLE t (id INT PRIMARY KEY, e ENUM('new','Paid','done','') NOT NULL, f ENUM('red','Blue','green'), p INT, s INT NOT NULL, at DATETIME NOT NULL, KEY ef (e), KEY fa (f, at), KEY ps (p, s), KEY (at));
INSERT INTO t SELECT x.i * 100 + y.i, IF(y.i < 98, 'done', 'paid'), ELT(1 + (x.i * 100 + y.i) % 40, 'red', 'BLUE'), IF(y.i = 5, x.i, NULL), (x.i + y.i) % 7, '2025-01-01' + INTERVAL x.i * 100 + y.i MINUTE FROM n x, n y WHERE x.i < 50;
SET sql_mode = '';
INSERT INTO t VALUES (6000, 'none such', 'none such', 1, 1, '2025-06-01'), (6001, '', 'green', 1, 2, '2025-06-01'), (6002, 1, 2, NULL, 2, '2025-06-02');
SET sql_mode = DEFAULT;
ANALYZE TABLE t, n;
-- ENUM: by number, text in any case, the error value's empty text, NULL, a text that is no member
SELECT COUNT(*), MIN(id), MAX(id) FROM t WHERE f = 'red';
SELECT COUNT(*), MIN(id), MAX(id) FROM t WHERE f = 'blue';
SELECT id FROM t WHERE f = 'green' OR f = '' ORDER BY id;
--! mysql its index on the ENUM is asked for what would be stored (0 for no member, a number written as text, any case), which is another answer than without the index
--! differs the same
SELECT id, e + 0 FROM t WHERE e = '' ORDER BY id;
SELECT id, f + 0 FROM t WHERE f = '' ORDER BY id;
--! mysql its index on the ENUM is asked for what would be stored (0 for no member, a number written as text, any case), which is another answer than without the index
SELECT COUNT(*) FROM t WHERE f = 'pink';
--! mysql its index on the ENUM is asked for what would be stored (0 for no member, a number written as text, any case), which is another answer than without the index
SELECT COUNT(*) FROM t WHERE f = '2';
SELECT COUNT(*) FROM t WHERE f = 2;
SELECT COUNT(*) FROM t WHERE f > 'blue';
SELECT COUNT(*) FROM t WHERE f BETWEEN 'blue' AND 'green';
SELECT COUNT(*) FROM t WHERE f IN ('green', 'red', 'pink', NULL);
SELECT COUNT(*) FROM t WHERE f NOT IN ('green', 'red');
SELECT COUNT(*) FROM t WHERE f <> 'red';
SELECT COUNT(*) FROM t WHERE f <=> NULL;
SELECT COUNT(*) FROM t WHERE (f, p) = ('red', 2) OR (f, at) > ('green', '2025-01-01');
SELECT id FROM t WHERE f = 'red' ORDER BY at LIMIT 3;
SELECT id FROM t WHERE f = 'red' ORDER BY at DESC LIMIT 3;
SELECT id FROM t WHERE f = 'red ' AND at < '2025-01-01 01:00:00' ORDER BY id;
--! mysql its index on the ENUM is asked for what would be stored (0 for no member, a number written as text, any case), which is another answer than without the index
SELECT COUNT(*) FROM t WHERE f = BINARY 'blue';
--! mysql its index on the ENUM is asked for what would be stored (0 for no member, a number written as text, any case), which is another answer than without the index
SELECT COUNT(*) FROM t WHERE f = 'blue' COLLATE utf8mb4_bin;
SELECT COUNT(*) FROM t a JOIN (SELECT 'blue' w UNION ALL SELECT 'RED') b ON a.f = b.w;
UPDATE t SET s = s + 10 WHERE e = 'Paid' AND id < 1000;
SELECT COUNT(*) FROM t WHERE s >= 10;
CREATE TABLE u (e ENUM('x','X ','y') COLLATE utf8mb4_bin PRIMARY KEY);
INSERT INTO u VALUES ('x'), ('y');
SELECT e, e + 0 FROM u WHERE e = 'y';
SELECT e, e + 0 FROM u WHERE e = '';
SELECT e FROM u WHERE e IN ('x', 'z') ORDER BY 1;
PREPARE q FROM 'SELECT COUNT(*) FROM t WHERE f = ?';
SET @a = 'blue', @b = '', @c = NULL;
EXECUTE q USING @a;
EXECUTE q USING @b;
EXECUTE q USING @c;
-- IS NOT NULL, disjunctions of one column, rows of IN, pages behind an equality
SELECT COUNT(*), SUM(p) FROM t WHERE p IS NOT NULL;
SELECT COUNT(*) FROM t WHERE p IS NOT NULL AND s > 3;
SELECT COUNT(*) FROM t WHERE p IS NULL;
SELECT COUNT(*) FROM t WHERE (p = 1 OR p = 2 OR p IN (3, 4)) AND (s = 1 OR s = 2);
SELECT COUNT(*) FROM t WHERE (p = 1 OR p = NULL) AND (s = 1 OR s = 2);
SELECT id FROM t WHERE f = 'red' AND (at > '2025-01-03' OR at = '2025-01-03' AND id > 2900) ORDER BY at, id LIMIT 3;
CREATE TABLE v (a INT, b VARCHAR(10), c DECIMAL(5,2));
INSERT INTO v VALUES (1, 'a', 1), (2, 'B ', 2.5), (3, NULL, 3), (NULL, 'd', 4), (5, 'e', NULL);
SELECT a, b, (a, b) IN (SELECT a, b FROM v LIMIT 10 UNION ALL SELECT 7, 'x') x FROM v;
SELECT a, b, (a, b) IN (SELECT MAX(a), MAX(b) FROM v WHERE a IS NOT NULL AND b IS NOT NULL GROUP BY a) x FROM v;
SELECT n, b, (n, b) IN (SELECT MAX(a), b FROM v GROUP BY b) x FROM (SELECT 1 n, 'A' b UNION ALL SELECT 2, 'b' UNION ALL SELECT 3, 'zz' UNION ALL SELECT 9, 'a' UNION ALL SELECT NULL, 'q' UNION ALL SELECT 5, NULL) w;
SELECT (c, a) IN (SELECT MAX(a), c FROM v GROUP BY c) x, (c, a) NOT IN (SELECT MAX(c), a FROM v WHERE a > 100 GROUP BY a) y FROM v;
SELECT ('1', 2.0) IN (SELECT a, COUNT(*) + 1 FROM v GROUP BY a) x, ('a', 'ab') IN (SELECT b, CONCAT(b, 'c') FROM v GROUP BY b) y, ('aa', 'b') IN (SELECT MAX(b), 'ab' FROM v GROUP BY a) z;
-- LIKE of characters of ASCII, under several collations
--! differs has no utf8mb4_tr_0900_ai_ci
SELECT 'aB-c' LIKE '%b_C' a, 'aB-c' COLLATE utf8mb4_bin LIKE '%b_c' b, 'x\0y' LIKE 'x\0Y' c, 'i' COLLATE utf8mb4_tr_0900_ai_ci LIKE 'I' d, 'a b' COLLATE utf8mb4_unicode_ci LIKE 'A%B' e, '\t' COLLATE utf8mb4_0900_ai_ci LIKE ' ' f, 'a_b' LIKE 'a\_B' g, _latin1'aB' LIKE 'Ab' h, 'Straße' LIKE '%SSE' i;
--! ours MariaDB has other names for these counters
FLUSH STATUS;
SELECT COUNT(*) FROM t WHERE f = 'green' AND at > '2025-01-01';
SELECT COUNT(*) FROM t WHERE p IS NOT NULL AND s > 3;
SELECT COUNT(*) FROM t WHERE (p = 1 OR p = 2) AND (s = 1 OR s = 2);
SELECT IF(SUM(VARIABLE_VALUE) < 150, 'a part of the table', SUM(VARIABLE_VALUE)) told FROM performance_schema.session_status WHERE VARIABLE_NAME LIKE 'Handler\_read\_%';
FLUSH STATUS;
SELECT id FROM t WHERE p IS NULL ORDER BY at DESC LIMIT 3;
SELECT IF(SUM(VARIABLE_VALUE) < 150, 'a part of the table', SUM(VARIABLE_VALUE)) told FROM performance_schema.session_status WHERE VARIABLE_NAME LIKE 'Handler\_read\_%';
--! end
