-- Optimizer and index hints, locking clauses, aliases in EXPLAIN's ref.
CREATE TABLE p (id INT PRIMARY KEY, a INT, b INT, KEY ka (a), KEY kb (b));
CREATE TABLE q (id INT PRIMARY KEY, p_id INT, KEY kp (p_id));
INSERT INTO p VALUES (1,1,1),(2,1,2),(3,2,1),(4,2,2),(5,3,3);
INSERT INTO q VALUES (1,1),(2,1),(3,2),(4,5);
ANALYZE TABLE p, q;
SELECT /*+ MAX_EXECUTION_TIME(1000) */ COUNT(*) FROM p;
SELECT /*+ JOIN_FIXED_ORDER() */ COUNT(*) FROM p JOIN q ON q.p_id = p.id;
SELECT /*+ JOIN_ORDER(q, p) QB_NAME(x) */ COUNT(*) FROM p JOIN q ON q.p_id = p.id;
SELECT /*+ NO_INDEX(p ka) */ id FROM p WHERE a = 2 ORDER BY id;
SELECT id FROM p USE INDEX (ka) WHERE a = 2 ORDER BY id;
SELECT id FROM p IGNORE INDEX (ka) WHERE a = 2 ORDER BY id;
SELECT id FROM p FORCE INDEX (nosuch) WHERE a = 2;
SELECT STRAIGHT_JOIN p.id, q.id FROM q JOIN p ON p.id = q.p_id ORDER BY q.id;
SELECT p.id, q.id FROM q STRAIGHT_JOIN p ON p.id = q.p_id ORDER BY q.id;
SELECT x.id FROM p x JOIN q y ON y.p_id = x.id WHERE x.id = 1 FOR UPDATE;
--! ours plans and warnings are MySQL's
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT /*+ JOIN_FIXED_ORDER() */ * FROM p x JOIN q y ON y.p_id = x.id;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT /*+ JOIN_PREFIX(y) */ * FROM p x JOIN q y ON y.p_id = x.id;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT /*+ JOIN_SUFFIX(y) */ * FROM p x JOIN q y ON y.p_id = x.id;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT /*+ INDEX(p kb) */ * FROM p WHERE a = 1 AND b = 1;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT /*+ NO_INDEX(p ka, kb) */ * FROM p WHERE a = 1 AND b = 1;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM p USE INDEX (kb) WHERE a = 1 AND b = 1;
SELECT /*+ INDEX(nosuch) */ COUNT(*) FROM p;
SELECT /*+ INDEX(p nosuch) */ COUNT(*) FROM p;
SELECT /*+ NONSENSE(p) */ COUNT(*) FROM p;
SELECT /*+ NO PARENTHESES */ COUNT(*) FROM p;
SELECT /*+ SET_VAR(sort_buffer_size = 262144) */ COUNT(*) FROM p;
--! mysql hints take no empty strings there
SELECT /*+ SET_VAR(sql_mode = '') */ COUNT(*) FROM p;
SELECT x.id FROM p x JOIN q y ON y.p_id = x.id WHERE x.id = 1 FOR UPDATE OF x FOR SHARE OF y;
SELECT x.id FROM p x JOIN q y ON y.p_id = x.id WHERE x.id = 1 FOR UPDATE OF x SKIP LOCKED FOR SHARE OF y NOWAIT;
SELECT x.id FROM p x FOR UPDATE OF x FOR SHARE OF x;
--! mysql 9.7 quotes names in one of two texts
SELECT x.id FROM p x FOR UPDATE FOR SHARE;
SELECT x.id FROM p x FOR UPDATE OF p;
--! end
