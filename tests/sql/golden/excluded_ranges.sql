-- What is left out becomes the ranges between: <>, NOT IN, NOT BETWEEN, NOT of a comparison; row comparisons; keyset paging.
CREATE TABLE n (i INT PRIMARY KEY);
INSERT INTO n WITH RECURSIVE r (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < 99) SELECT i FROM r;
CREATE TABLE t (id INT PRIMARY KEY, a INT, k VARCHAR(10) NOT NULL, d INT NOT NULL, KEY (a, id), KEY (k), KEY (d DESC), KEY p (k(2), a));
INSERT INTO t SELECT x.i * 100 + y.i, IF(x.i = 7 AND y.i > 95, NULL, IF(x.i * 100 + y.i < 4990, 5, y.i)), IF(y.i = 3 AND x.i < 3, ELT(x.i + 1, 'rare', 'RÄRE', 'Rare '), 'often'), IF(x.i = 1, 9, x.i % 3) FROM n x, n y WHERE x.i < 50;
ANALYZE TABLE t;
SELECT a, COUNT(*) FROM t WHERE a <> 5 GROUP BY a;
SELECT COUNT(*) FROM t WHERE a NOT IN (5, 93, 1000);
SELECT COUNT(*) FROM t WHERE a NOT IN (5, NULL);
SELECT id, a FROM t WHERE a <> 5 AND a <> 90 AND a NOT IN (91, 92.5, '93') ORDER BY id;
SELECT id, a FROM t WHERE a NOT BETWEEN 5 AND 97 ORDER BY a, id;
SELECT COUNT(*) FROM t WHERE NOT a >= 6;
SELECT COUNT(*) FROM t WHERE NOT (a < 6 OR a > 98);
SELECT COUNT(*) FROM t WHERE NOT (a <=> NULL);
SELECT id, k FROM t WHERE k <> 'OFTEN' ORDER BY id;
SELECT DISTINCT k FROM t WHERE k <> 'rare';
SELECT d, COUNT(*) FROM t WHERE d <> 2 AND d <> 0 GROUP BY d ORDER BY d;
SELECT id FROM t WHERE id NOT BETWEEN 3 AND 4996;
SELECT id FROM t WHERE id NOT IN (0, 2, 2, -1, 1e30, 3.5) ORDER BY id LIMIT 3;
SELECT a, id FROM t WHERE a > 5 OR (a = 5 AND id > 4985) ORDER BY a, id LIMIT 6;
SELECT a, id FROM t WHERE a < 92 OR (a = 92 AND id < 4992) ORDER BY a DESC, id DESC LIMIT 3;
SELECT a, id FROM t WHERE (a, id) > (5, 4985) ORDER BY a, id LIMIT 6;
SELECT a, id FROM t WHERE (a, id) <= (92, 4992) ORDER BY a DESC, id DESC LIMIT 3;
SELECT COUNT(*) FROM t WHERE (a, id) > (NULL, 5);
SELECT COUNT(*) FROM t WHERE (a, id) >= (99, NULL);
PREPARE s FROM 'SELECT COUNT(*) FROM t WHERE a <> ? AND a NOT IN (?, ?)';
SET @x = 5, @y = 99, @z = NULL;
EXECUTE s USING @x, @y, @y;
EXECUTE s USING @x, @y, @z;
EXECUTE s USING @y, @y, @y;
--! ours MariaDB has another format
--! mysql costs, the order of ranges, and which conditions are left to check
EXPLAIN FORMAT=TREE SELECT * FROM t WHERE a <> 5;
--! mysql costs, the order of ranges, and which conditions are left to check
EXPLAIN FORMAT=TREE SELECT * FROM t WHERE a NOT IN (5, 93, 1000);
--! mysql costs, the order of ranges, and which conditions are left to check
EXPLAIN FORMAT=TREE SELECT * FROM t WHERE a NOT BETWEEN 5 AND 97;
--! mysql costs, the order of ranges, and which conditions are left to check
EXPLAIN FORMAT=TREE SELECT * FROM t WHERE NOT a >= 3;
--! mysql costs, the order of ranges, and which conditions are left to check
EXPLAIN FORMAT=TREE SELECT * FROM t WHERE a > 5 OR (a = 5 AND id > 4985) ORDER BY a, id LIMIT 6;
--! mysql costs, the order of ranges, and which conditions are left to check
EXPLAIN FORMAT=TREE SELECT * FROM t WHERE (a, id) > (5, 4985) ORDER BY a, id LIMIT 6;
--! mysql costs, the order of ranges, and which conditions are left to check
EXPLAIN FORMAT=TREE SELECT * FROM t WHERE k IN ('rare', 'x') ORDER BY id DESC LIMIT 1;
--! mysql costs, the order of ranges, and which conditions are left to check
EXPLAIN FORMAT=TREE SELECT DISTINCT k FROM t WHERE k <> '';
--! end
