-- IN and NOT IN that are no semijoins begin with lookups of one value each, and turn to the subquery's kept rows where many are looked for.
CREATE TABLE n (i INT PRIMARY KEY);
INSERT INTO n WITH RECURSIVE r (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < 99) SELECT i FROM r;
CREATE TABLE t (id INT PRIMARY KEY, a INT NOT NULL, b INT, k VARCHAR(10) NOT NULL, KEY (a), KEY (b), KEY (k));
INSERT INTO t SELECT x.i * 100 + y.i, (x.i * 100 + y.i) * 2, NULLIF(y.i, 7), CONCAT('K', x.i * 100 + y.i) FROM n x, n y WHERE x.i < 50;
CREATE TABLE u (id INT PRIMARY KEY, v INT, w VARCHAR(10));
INSERT INTO u VALUES (1, 10, 'k5'), (2, 11, 'x'), (3, NULL, NULL), (4, 9998, 'K4999 '), (5, 10000, '');
ANALYZE TABLE t, u;
SELECT id, v IN (SELECT a FROM t) x FROM u ORDER BY id;
SELECT id, v NOT IN (SELECT a FROM t WHERE b > 5) x FROM u ORDER BY id;
SELECT id, v IN (SELECT a FROM t WHERE id < 0) x FROM u ORDER BY id;
SELECT id, v IN (SELECT b FROM t) x FROM u ORDER BY id;
SELECT id, w IN (SELECT k FROM t) x FROM u ORDER BY id;
SELECT id FROM u WHERE v IN (SELECT a FROM t WHERE id > 3) OR w = 'x' ORDER BY id;
SELECT id FROM u WHERE NOT (v IN (SELECT a FROM t) AND w <> 'x') ORDER BY id;
SELECT id, (v, w) IN (SELECT a, k FROM t) x FROM u ORDER BY id;
SELECT id, v IN (SELECT x.a FROM t x JOIN t y ON y.id = x.id + 1 WHERE y.b = 6) x FROM u ORDER BY id;
SELECT id, v IN (SELECT a FROM t WHERE a IN (SELECT a FROM t WHERE k LIKE 'K%')) x FROM u ORDER BY id;
SELECT id, v IN (SELECT DISTINCT a FROM t) x, v IN (SELECT a FROM t UNION SELECT 11) y, v IN (SELECT MAX(a) FROM t GROUP BY b) z FROM u ORDER BY id;
SELECT SUM(i * 2 IN (SELECT a FROM t)), SUM(i IN (SELECT a FROM t)) FROM n;
SELECT MAX(v) IN (SELECT a FROM t), MIN(v) + 1 IN (SELECT a FROM t) FROM u;
SELECT id, v IN (SELECT a FROM t) x, ROW_NUMBER() OVER (ORDER BY v IN (SELECT a FROM t), id) r FROM u ORDER BY id;
PREPARE s FROM 'SELECT ? IN (SELECT a FROM t WHERE id > ?)';
SET @p = 10, @q = 3, @r = 5;
EXECUTE s USING @p, @q;
EXECUTE s USING @p, @r;
EXECUTE s USING @q, @q;
--! ours MariaDB has other names for these counters
FLUSH STATUS;
SELECT u.id, v IN (SELECT a FROM t WHERE b < 50) x FROM u WHERE id = 1;
SELECT IF(SUM(VARIABLE_VALUE) < 20, 'a lookup', SUM(VARIABLE_VALUE)) told FROM performance_schema.session_status WHERE VARIABLE_NAME LIKE 'Handler\_read\_%' AND VARIABLE_NAME <> 'Handler_read_rnd_next';
--! end
