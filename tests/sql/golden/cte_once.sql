-- A common table expression that keeps rows of its own is computed once, however often and wherever it is named.
CREATE TABLE t (a INT, b INT, c VARCHAR(10), KEY (a));
INSERT INTO t VALUES (1, 1, 'a'), (2, 2, 'b'), (2, 3, 'c'), (3, 3, NULL);
ANALYZE TABLE t;
--! ours MariaDB computes each reference for itself, has no LATERAL, no WITH before UPDATE and DELETE, and another EXPLAIN
WITH c AS (SELECT RAND() r) SELECT a.r = b.r FROM c a, c b;
WITH c AS (SELECT a, RAND() r FROM t) SELECT COUNT(*), SUM(x.r = y.r) > 0 FROM c x JOIN c y ON x.r = y.r;
WITH c AS (SELECT UUID() r) SELECT (SELECT r FROM c) = (SELECT r FROM c b) same;
WITH c AS (SELECT UUID() r) SELECT r IN (SELECT r FROM c) same FROM c;
WITH c AS (SELECT UUID() r) SELECT COUNT(*) FROM (SELECT r FROM c UNION SELECT r FROM c) u;
WITH c AS (SELECT UUID() r) SELECT COUNT(*) FROM (SELECT r FROM c EXCEPT SELECT r FROM c) u;
-- through others
WITH c AS (SELECT UUID() r), d AS (SELECT r FROM c) SELECT c.r = d.r x, e.r = d.r y FROM c, d, d e;
WITH c AS (SELECT RAND() r FROM t), d AS (SELECT r FROM c ORDER BY r LIMIT 1) SELECT SUM(c.r = d.r) x, SUM(e.r = d.r) y FROM c, d, d e;
-- a condition moves into none that is named twice, and does not make others of its rows
WITH c AS (SELECT RAND() r, a FROM t) SELECT COUNT(*) FROM c x JOIN c y ON x.r = y.r WHERE x.a = 2;
WITH c AS (SELECT a, COUNT(*) n FROM t GROUP BY a) SELECT * FROM c x, c y WHERE x.a = 1 AND y.a = 3;
WITH c AS (SELECT a, COUNT(*) n FROM t GROUP BY a) SELECT * FROM c x WHERE n > (SELECT AVG(n) FROM c);
-- with columns of the blocks around it: once for each execution of the subquery that has the WITH clause, also for those inside that
--! sorted
SELECT a, (WITH c AS (SELECT t.a + RAND() r) SELECT COUNT(*) FROM c x, c y WHERE x.r = y.r) k FROM t;
--! sorted
SELECT a, (WITH c AS (SELECT t.a + RAND() r) SELECT COUNT(*) FROM c x WHERE EXISTS (SELECT * FROM c y WHERE x.r = y.r)) k FROM t;
--! sorted
SELECT a, (WITH c AS (SELECT t.a + RAND() r) SELECT COUNT(*) FROM c x WHERE (SELECT COUNT(*) FROM c y WHERE x.r = y.r AND t.a)) k FROM t;
--! sorted
SELECT b, (WITH c AS (SELECT t.b v UNION ALL SELECT 10) SELECT SUM(x.v * y.v) FROM c x, c y) k FROM t;
--! sorted
SELECT b, (SELECT SUM(u.a + (WITH c AS (SELECT t.b v UNION ALL SELECT u.b) SELECT SUM(x.v * y.v) FROM c x, c y)) FROM t u) k FROM t;
--! sorted
SELECT b, (WITH c AS (SELECT t.b v UNION ALL SELECT 1) SELECT SUM(u.a * (SELECT SUM(x.v * y.v) FROM c x, c y WHERE x.v <= u.b)) FROM t u) k FROM t;
--! sorted
SELECT a, l.* FROM t, LATERAL (WITH c AS (SELECT t.a + RAND() r) SELECT COUNT(*) n, MIN(FLOOR(x.r)) f FROM c x, c y WHERE x.r = y.r) l;
--! sorted
SELECT a, l.* FROM t, LATERAL (WITH c AS (SELECT t.b v UNION ALL SELECT 10) SELECT SUM(x.v * y.v) n FROM c x JOIN c y) l;
--! sorted
WITH k AS (SELECT RAND() r) SELECT a, l.same FROM t, LATERAL (WITH c AS (SELECT t.a v, k.r FROM k) SELECT x.r = k.r same FROM c x, c y, k) l;
-- recursion
WITH RECURSIVE c AS (SELECT 1 n, CAST(RAND() AS CHAR(40)) r UNION ALL SELECT n + 1, RAND() FROM c WHERE n < 4) SELECT COUNT(*), SUM(x.r = y.r) FROM c x JOIN c y USING (n);
WITH RECURSIVE d AS (SELECT RAND() r), c AS (SELECT 1 n, r FROM d UNION ALL SELECT n + 1, d.r FROM c, d WHERE n < 4) SELECT COUNT(DISTINCT r) FROM c;
--! sorted
SELECT a, (WITH RECURSIVE c AS (SELECT t.a n UNION ALL SELECT n + 1 FROM c WHERE n < 4) SELECT SUM(x.n * y.n) FROM c x, c y) s FROM t;
-- more rows than memory has room for
SET tmp_table_size = 1024;
WITH RECURSIVE g AS (SELECT 1 n UNION ALL SELECT n + 1 FROM g WHERE n < 900), c AS (SELECT n, RAND() r, REPEAT('x', 50) p FROM g) SELECT COUNT(*), SUM(x.r = y.r) FROM c x JOIN c y USING (n);
SET tmp_table_size = DEFAULT;
-- prepared
PREPARE s FROM 'WITH c AS (SELECT RAND() r, ? v) SELECT a.r = b.r same, a.v FROM c a, c b';
SET @v = 5;
EXECUTE s USING @v;
SET @v = 6;
EXECUTE s USING @v;
-- changes
CREATE TABLE u (r VARCHAR(40), s VARCHAR(40));
INSERT INTO u WITH c AS (SELECT UUID() r) SELECT x.r, y.r FROM c x, c y;
SELECT r = s FROM u;
WITH c AS (SELECT UUID() r) UPDATE u SET r = (SELECT r FROM c), s = (SELECT r FROM c);
SELECT r = s FROM u;
WITH c AS (SELECT UUID() r) UPDATE u, c x, c y SET u.r = x.r, u.s = y.r;
SELECT r = s FROM u;
WITH c AS (SELECT UUID() r) DELETE FROM u WHERE (SELECT r FROM c) <> (SELECT r FROM c);
WITH c AS (SELECT UUID() r) DELETE FROM u WHERE (SELECT r FROM c) = (SELECT r FROM c);
CREATE VIEW v AS WITH c AS (SELECT RAND() r) SELECT a.r = b.r same FROM c a, c b;
SELECT * FROM v;
-- what can be merged is; MERGE, NO_MERGE and derived_merge say otherwise
--! mysql the note numbers blocks by their references and writes hints anew
EXPLAIN FORMAT=TRADITIONAL WITH c AS (SELECT a FROM t) SELECT /*+ NO_MERGE(x) */ COUNT(*) FROM c x;
SET optimizer_switch = 'derived_merge=off';
--! mysql the note numbers blocks by their references and writes hints anew
EXPLAIN FORMAT=TRADITIONAL WITH c AS (SELECT a FROM t) SELECT COUNT(*) FROM c x;
SET optimizer_switch = DEFAULT;
--! mysql the note numbers blocks by their references and writes hints anew
EXPLAIN FORMAT=TRADITIONAL SELECT /*+ NO_MERGE(x) */ COUNT(*) FROM (SELECT a FROM t) x;
-- EXPLAIN shows once what it is made of
--! mysql its own estimates, and keys for derived tables
EXPLAIN FORMAT=TRADITIONAL WITH c AS (SELECT a, COUNT(*) n FROM t GROUP BY a) SELECT * FROM c x, c y WHERE x.a = 1;
--! mysql its own estimates, and keys for derived tables
EXPLAIN FORMAT=TREE WITH c AS (SELECT a, COUNT(*) n FROM t GROUP BY a) SELECT * FROM c x, c y WHERE x.a = 1;
--! mysql its own estimates
EXPLAIN FORMAT=TREE WITH c AS (SELECT a, COUNT(*) n FROM t GROUP BY a) SELECT * FROM c x WHERE n > (SELECT AVG(n) FROM c);
--! mysql its own estimates
EXPLAIN FORMAT=JSON WITH c AS (SELECT a, COUNT(*) n FROM t GROUP BY a) SELECT x.a FROM c x, c y;
--! mysql its own estimates
EXPLAIN FORMAT=TRADITIONAL SELECT (WITH c AS (SELECT t.a + RAND() r) SELECT COUNT(*) FROM c x, c y WHERE x.r = y.r) k FROM t;
--! end
