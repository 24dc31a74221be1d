-- Index condition pushdown, and the switches and hints of joins.
CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT, c VARCHAR(20), d INT, KEY abc (a, b, c), KEY kp (c(2)));
INSERT INTO t VALUES (1,1,1,'x',1),(2,1,2,'y',2),(3,1,NULL,'z',3),(4,2,1,'x',4),(5,2,2,NULL,5),(6,NULL,1,'x',6),(7,1,2,'xy',7),(8,3,3,'Y',8);
INSERT INTO t SELECT id + 10 * n, 100 + id, n, 'filler', 0 FROM t JOIN (SELECT 1 n UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5) x;
CREATE TABLE u (id INT PRIMARY KEY, a INT, n INT);
INSERT INTO u VALUES (1,1,2),(2,2,1),(3,NULL,1),(4,9,9);
ANALYZE TABLE t, u;
SELECT id, d FROM t FORCE INDEX (abc) WHERE a = 1 AND c LIKE '%y%' ORDER BY id;
SELECT id, d FROM t FORCE INDEX (abc) WHERE a BETWEEN 1 AND 2 AND c = 'x' ORDER BY id;
SELECT id, d FROM t FORCE INDEX (abc) WHERE a BETWEEN 1 AND 2 AND c = 'x' AND d > 1 ORDER BY id;
SELECT id, d FROM t FORCE INDEX (abc) WHERE a = 1 AND b IS NULL ORDER BY id;
SELECT id, d FROM t FORCE INDEX (abc) WHERE a < 3 AND b + a > 2 ORDER BY a DESC, id;
SELECT id, d FROM t FORCE INDEX (abc) WHERE a IS NULL AND c <> 'y' ORDER BY id;
SELECT id, d FROM t FORCE INDEX (kp) WHERE c >= 'x' AND c < 'y' ORDER BY id;
SELECT u.id, t.id, t.d FROM u JOIN t FORCE INDEX (abc) ON t.a = u.a AND t.b >= u.n ORDER BY 1, 2;
SELECT u.id, t.id, t.d FROM u LEFT JOIN t FORCE INDEX (abc) ON t.a = u.a AND t.c = 'x' ORDER BY 1, 2;
BEGIN;
UPDATE t SET b = 9, d = 99 WHERE id = 1;
DELETE FROM t WHERE id = 2;
INSERT INTO t VALUES (9, 1, 9, 'x', 100);
SELECT id, d FROM t FORCE INDEX (abc) WHERE a = 1 AND c LIKE 'x%' ORDER BY id;
--! on b
SELECT id, d FROM t FORCE INDEX (abc) WHERE a = 1 AND c LIKE 'x%' ORDER BY id;
SELECT id, d FROM t FORCE INDEX (abc) WHERE a = 1 AND b * 2 = 4 ORDER BY id;
--! on a
ROLLBACK;
SELECT id, d FROM t FORCE INDEX (abc) WHERE a = 1 AND c LIKE 'x%' ORDER BY id FOR UPDATE;
UPDATE t FORCE INDEX (abc) SET d = d + 1 WHERE a = 1 AND c LIKE 'x%';
SELECT SUM(d) FROM t;
--! ours plans are MySQL's
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT id, d FROM t WHERE a = 1 AND c LIKE '%y%';
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT id, d FROM t WHERE a = 1 AND c LIKE '%y%' AND d > 1;
EXPLAIN SELECT id, d FROM t WHERE a BETWEEN 1 AND 2;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT /*+ NO_ICP(t) */ id, d FROM t WHERE a = 1 AND c LIKE '%y%';
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT /*+ NO_ICP(t abc) */ id, d FROM t WHERE a = 1 AND c LIKE '%y%';
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT /*+ NO_ICP(t kp) */ id, d FROM t WHERE a = 1 AND c LIKE '%y%';
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT id, a FROM t WHERE a = 1 AND c LIKE '%y%';
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT id, d FROM t WHERE a = 1 AND c LIKE '%y%' FOR UPDATE;
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT id, d FROM t WHERE a = 1 AND c LIKE '%y%' AND d > 1;
SET optimizer_switch = 'index_condition_pushdown=off';
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT id, d FROM t WHERE a = 1 AND c LIKE '%y%';
SET optimizer_switch = DEFAULT;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT d FROM t x JOIN u ON x.d = u.n;
SET optimizer_switch = 'block_nested_loop=off';
EXPLAIN SELECT d FROM t x JOIN u ON x.d = u.n;
SET optimizer_switch = DEFAULT;
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT id FROM t WHERE d IN (SELECT n FROM u);
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT /*+ SEMIJOIN(@s FIRSTMATCH) */ id FROM t WHERE d IN (SELECT /*+ QB_NAME(s) */ n FROM u);
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT /*+ NO_SEMIJOIN(@s) */ id FROM t WHERE d IN (SELECT /*+ QB_NAME(s) */ n FROM u);
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT id FROM t WHERE d IN (SELECT /*+ NO_SEMIJOIN() */ n FROM u);
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT id FROM u WHERE a IN (SELECT /*+ SEMIJOIN(MATERIALIZATION) */ a FROM t);
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT id FROM u WHERE a IN (SELECT /*+ SEMIJOIN(FIRSTMATCH) */ a FROM t);
SET optimizer_switch = 'materialization=off';
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT id FROM t WHERE d IN (SELECT n FROM u);
SET optimizer_switch = 'semijoin=off';
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT /*+ SEMIJOIN(@s) */ id FROM t WHERE d IN (SELECT /*+ QB_NAME(s) */ n FROM u);
SET optimizer_switch = DEFAULT;
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT x.id FROM (SELECT id, a FROM t WHERE a > 1) x WHERE x.id < 4;
SET optimizer_switch = 'derived_merge=off';
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT x.id FROM (SELECT id, a FROM t WHERE a > 1) x WHERE x.id < 4;
SET optimizer_switch = DEFAULT;
ALTER TABLE t ALTER INDEX abc INVISIBLE;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT id FROM t WHERE a = 1;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT /*+ SET_VAR(optimizer_switch = 'use_invisible_indexes=on') */ id FROM t WHERE a = 1;
--! end
