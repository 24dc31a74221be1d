-- Optimizer hints in UPDATE, DELETE, INSERT and REPLACE; query block names; SET_VAR; conflicts.
--! ours hints, their warnings and plans are MySQL's
CREATE TABLE p (id INT PRIMARY KEY, a INT, b INT, KEY ka (a), KEY kb (b));
CREATE TABLE q (id INT PRIMARY KEY, p_id INT, KEY kp (p_id));
INSERT INTO p VALUES (1,1,1),(2,1,2),(3,2,1),(4,2,2),(5,3,3);
INSERT INTO q VALUES (1,1),(2,1),(3,2),(4,5);
ANALYZE TABLE p, q;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN UPDATE /*+ NO_INDEX(p ka) */ p SET b = 5 WHERE a = 1;
EXPLAIN UPDATE p SET b = 5 WHERE a = 1;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN DELETE /*+ INDEX(p kb) */ FROM p WHERE a = 1 AND b = 1;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN UPDATE /*+ JOIN_ORDER(q, p) */ p JOIN q ON q.p_id = p.id SET p.b = 1;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN UPDATE /*+ JOIN_ORDER(p, q) */ p JOIN q ON q.p_id = p.id SET p.b = 1;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN INSERT /*+ NO_INDEX(p ka) */ INTO q SELECT id + 10, a FROM p WHERE a = 1;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN INSERT INTO q SELECT /*+ NO_INDEX(p ka) */ id + 10, a FROM p WHERE a = 1;
UPDATE /*+ NO_INDEX(nosuch) */ p SET b = 5 WHERE a = 1;
DELETE /*+ NONSENSE(p) */ FROM p WHERE a = 100;
INSERT /*+ MAX_EXECUTION_TIME(100) */ INTO q VALUES (20, 20);
REPLACE /*+ SET_VAR(nosuch = 1) */ INTO q VALUES (20, 21);
SELECT p_id FROM q WHERE id = 20;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT /*+ NO_INDEX(@inner q kp) */ * FROM p WHERE a = 1 AND EXISTS (SELECT /*+ QB_NAME(inner) */ 1 FROM q WHERE q.p_id = p.id);
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT /*+ NO_INDEX(q@`select#2` kp) */ * FROM p WHERE a = 1 AND EXISTS (SELECT 1 FROM q WHERE q.p_id = p.id);
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM p WHERE a = 1 AND EXISTS (SELECT 1 FROM q WHERE q.p_id = p.id);
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT /*+ QB_NAME(o) */ * FROM p WHERE a = 1 AND EXISTS (SELECT /*+ NO_INDEX(@o p ka) */ 1 FROM q WHERE q.id = p.id);
SELECT /*+ NO_INDEX(@nowhere p) */ COUNT(*) FROM p;
SELECT /*+ QB_NAME(a) QB_NAME(b) */ COUNT(*) FROM p;
SELECT /*+ INDEX(p ka) NO_INDEX(p ka) */ COUNT(*) FROM p;
SELECT /*+ MAX_EXECUTION_TIME(1000) MAX_EXECUTION_TIME(2000) */ COUNT(*) FROM p;
SELECT (SELECT /*+ MAX_EXECUTION_TIME(1000) */ COUNT(*) FROM p);
SELECT /*+ NO_BNL() */ COUNT(*) FROM p JOIN q ON q.p_id = p.b;
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT /*+ NO_BNL(q) NO_INDEX(q) JOIN_ORDER(p, q) */ * FROM p JOIN q ON q.p_id = p.b;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT /*+ NO_RANGE_OPTIMIZATION(p ka) */ id FROM p WHERE a > 2;
EXPLAIN SELECT id FROM p WHERE a > 2;
SELECT /*+ SET_VAR(group_concat_max_len = 4) */ GROUP_CONCAT(id ORDER BY id) FROM p;
SELECT GROUP_CONCAT(id ORDER BY id) FROM p;
SELECT /*+ SET_VAR(sql_mode = 'PIPES_AS_CONCAT,ANSI_QUOTES') */ @@sql_mode;
SELECT @@sql_mode = 'PIPES_AS_CONCAT,ANSI_QUOTES';
SELECT /*+ SET_VAR(time_zone = '+03:00') */ @@time_zone, FROM_UNIXTIME(0);
SELECT @@time_zone;
SELECT /*+ SET_VAR(max_allowed_packet = 1024) */ 1;
SELECT /*+ SET_VAR(max_join_size = 'x') */ 1;
SELECT /*+ SET_VAR(max_error_count = 3) SET_VAR(max_error_count = 4) */ @@max_error_count;
--! mysql hints take no empty strings there
INSERT /*+ SET_VAR(sql_mode = '') */ INTO q VALUES (30, 'x');
INSERT INTO q VALUES (31, 'x');
--! mysql hints take no empty strings there
UPDATE /*+ SET_VAR(sql_mode = '') */ q SET p_id = 'y' WHERE id = 30;
SELECT /*+ SET_VAR(sql_select_limit = 2) */ id FROM p ORDER BY id;
SELECT COUNT(*) FROM p FORCE INDEX FOR ORDER BY (ka) IGNORE INDEX FOR GROUP BY (kb) WHERE a > 0;
UPDATE p USE INDEX (kb) SET b = b WHERE a = 1;
DELETE p FROM p FORCE INDEX (nosuch) WHERE a = 1;
PREPARE s FROM 'SELECT /*+ SET_VAR(group_concat_max_len = 4) */ GROUP_CONCAT(id ORDER BY id) FROM p WHERE a > ?';
SET @n = 0;
EXECUTE s USING @n;
SELECT @@group_concat_max_len;
--! end
