-- Conditions on derived tables, views and common table expressions move into them and mean the same there (crates/planner/src/bind/pushdown.rs).

CREATE TABLE t (id INT PRIMARY KEY, a INT, b DECIMAL(8,2), c VARCHAR(10), d DATE, KEY (a));
INSERT INTO t VALUES (1, 1, 1.50, 'x', '2020-01-01'), (2, 1, 2.50, 'X', '2020-01-02'), (3, 2, 3.25, 'y', '2020-01-03'), (4, 2, NULL, 'y ', NULL), (5, NULL, 5, NULL, '2020-01-05'), (6, 3, -1, 'z', '2020-01-01'), (7, 3, 0, 'Z', '2020-01-01');
CREATE TABLE u (id INT PRIMARY KEY);
INSERT INTO u VALUES (1), (2), (3), (4);
ANALYZE TABLE t, u;
CREATE ALGORITHM = TEMPTABLE VIEW v AS SELECT a, b, c FROM t WHERE id > 1;
CREATE VIEW g AS SELECT a, SUM(b) s, COUNT(*) n FROM t GROUP BY a;

-- WHERE of groups, HAVING of aggregates, both
--! sorted
SELECT * FROM (SELECT a, SUM(b) s FROM t GROUP BY a) q WHERE a = 1;
--! sorted
SELECT * FROM (SELECT a, SUM(b) s FROM t GROUP BY a) q WHERE s > 3;
--! sorted
SELECT * FROM (SELECT a, SUM(b) s FROM t GROUP BY a) q WHERE a > 1 AND s < 3;
--! sorted
SELECT * FROM (SELECT a, SUM(b) s FROM t GROUP BY a) q WHERE a = 2 OR s = 5;
--! sorted
SELECT * FROM (SELECT a, SUM(b) s FROM t GROUP BY a) q WHERE a IS NULL;
--! sorted
SELECT * FROM (SELECT a, SUM(b) s FROM t GROUP BY a WITH ROLLUP) q WHERE a IS NULL;
SELECT * FROM (SELECT COUNT(*) n, 5 k FROM t) q WHERE k = 6;
SELECT * FROM (SELECT COUNT(*) n FROM t) q WHERE n > 3;
--! sorted
SELECT * FROM g WHERE a = 2;
--! sorted
SELECT * FROM g WHERE n > 1 AND a < 3;
--! sorted
SELECT * FROM v WHERE a = 2 AND b IS NOT NULL;
--! sorted
WITH w AS (SELECT a, MAX(id) m FROM t GROUP BY a) SELECT * FROM w WHERE a BETWEEN 1 AND 2;
--! sorted
WITH w AS (SELECT a, MAX(id) m FROM t GROUP BY a) SELECT x.a, y.m FROM w x JOIN w y ON x.a = y.a WHERE x.a = 1 AND y.m > 1;
-- equal strings of which one stands for all
SELECT COUNT(*) FROM (SELECT c, COUNT(*) n FROM t GROUP BY c) q WHERE c = 'X';
SELECT COUNT(*) FROM (SELECT DISTINCT c FROM t) q WHERE c = 'x';
SELECT n FROM (SELECT c, COUNT(*) n FROM t GROUP BY c) q WHERE c IN ('y', 'q');
-- windows
--! sorted
SELECT * FROM (SELECT id, a, ROW_NUMBER() OVER (PARTITION BY a ORDER BY id) r FROM t) q WHERE a = 3 AND r = 1;
--! sorted
SELECT * FROM (SELECT id, a, COUNT(*) OVER (ORDER BY id) r FROM t) q WHERE id > 5;
--! sorted
SELECT * FROM (SELECT id, a, COUNT(*) OVER (PARTITION BY a) n, RANK() OVER (ORDER BY id) r FROM t) q WHERE a = 2;
-- UNION
--! sorted
SELECT * FROM (SELECT id, a FROM t UNION SELECT id, id FROM u) q WHERE a = 2;
--! sorted
SELECT * FROM (SELECT id, b FROM t UNION ALL SELECT id, id FROM u) q WHERE b > 2;
--! sorted
SELECT * FROM (SELECT id, c FROM t UNION ALL SELECT id, id FROM u) q WHERE c = '2';
--! sorted
SELECT * FROM (SELECT a FROM t INTERSECT SELECT id FROM u) q WHERE a > 1;
--! sorted
SELECT * FROM (SELECT a FROM t EXCEPT SELECT 1) q WHERE a < 3;
-- nothing moves into LIMIT
SELECT * FROM (SELECT id, a FROM t ORDER BY id LIMIT 2) q WHERE id = 3;
SELECT * FROM (SELECT id, a FROM t UNION ALL SELECT 9, 9 ORDER BY id LIMIT 2) q WHERE id = 9;
-- outer joins
--! sorted
SELECT u.id, q.n FROM u LEFT JOIN (SELECT a, COUNT(*) n FROM t GROUP BY a) q ON q.a = u.id AND q.a = 2;
--! sorted
SELECT u.id, q.n FROM u LEFT JOIN (SELECT a, COUNT(*) n FROM t GROUP BY a) q ON q.a = u.id WHERE q.a IS NULL;
--! sorted
SELECT u.id, q.n FROM u LEFT JOIN (SELECT a, COUNT(*) n FROM t GROUP BY a) q ON q.a = u.id WHERE q.a > 1;
--! sorted
SELECT u.id, q.n FROM (SELECT a, COUNT(*) n FROM t GROUP BY a) q RIGHT JOIN u ON q.a = u.id WHERE q.n <=> NULL;
-- through several levels
--! sorted
SELECT * FROM (SELECT DISTINCT a, s + 1 FROM (SELECT a, SUM(b) s FROM t GROUP BY a) i) o WHERE a = 1;
SELECT COUNT(*) FROM u WHERE id IN (SELECT a FROM (SELECT a, COUNT(*) n FROM t GROUP BY a) q WHERE n > 1);
-- hints and the switch
--! differs MariaDB's columns of EXPLAIN
--! mysql MySQL reads the derived table while it plans
EXPLAIN FORMAT=TRADITIONAL SELECT * FROM (SELECT a, SUM(b) s FROM t GROUP BY a) q WHERE a = 77;
--! sorted
SELECT /*+ NO_DERIVED_CONDITION_PUSHDOWN(q) */ * FROM (SELECT a, SUM(b) s FROM t GROUP BY a) q WHERE a = 1;
--! sorted
SELECT /*+ NO_DERIVED_CONDITION_PUSHDOWN() */ * FROM (SELECT a, SUM(b) s FROM t GROUP BY a) q WHERE a = 1;
--! differs MariaDB calls the switch condition_pushdown_for_derived
SET optimizer_switch = 'derived_condition_pushdown=off';
--! sorted
SELECT /*+ DERIVED_CONDITION_PUSHDOWN(q) */ * FROM (SELECT a, SUM(b) s FROM t GROUP BY a) q WHERE a = 1;
--! sorted
SELECT * FROM (SELECT a, SUM(b) s FROM t GROUP BY a) q WHERE a = 1;
SET optimizer_switch = DEFAULT;
-- the first N of a sort: what is not kept is not computed, unless somebody could tell
SELECT id, b FROM t ORDER BY b DESC, id LIMIT 3;
SELECT id, b FROM t ORDER BY b, id LIMIT 2 OFFSET 3;
SELECT id, (SELECT COUNT(*) FROM u WHERE u.id <= t.a) n FROM t ORDER BY d, id LIMIT 2;
SELECT id, b * 3 AS e FROM t ORDER BY e DESC, c LIMIT 0;
