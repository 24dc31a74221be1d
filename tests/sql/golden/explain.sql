-- EXPLAIN in its formats, of changes, of another connection; note 1003; EXPLAIN ANALYZE.
--! ours formats, costs and notes are MySQL's
CREATE TABLE p (id INT PRIMARY KEY, a INT, b INT, s VARCHAR(10), KEY ka (a), KEY kb (b));
CREATE TABLE q (id INT PRIMARY KEY, p_id INT, KEY kp (p_id));
INSERT INTO p VALUES (1,1,1,'x'),(2,1,2,'y'),(3,2,1,NULL),(4,2,2,'x'),(5,3,3,'z');
INSERT INTO q VALUES (1,1),(2,1),(3,2),(4,5);
ANALYZE TABLE p, q;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM p WHERE a = 1;
SHOW WARNINGS;
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT * FROM p WHERE a = 1 AND b > 0;
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT * FROM p WHERE id = 3;
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT s, COUNT(*), SUM(a) FROM p GROUP BY s ORDER BY 2 DESC LIMIT 2;
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT * FROM p JOIN q ON q.p_id = p.id WHERE p.a = 1;
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT DISTINCT s FROM p UNION SELECT 'k';
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT * FROM p WHERE a IN (SELECT p_id FROM q) AND b = (SELECT MAX(b) FROM p);
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT RANK() OVER (PARTITION BY a ORDER BY b) FROM p;
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT * FROM p WHERE 1 = 0;
--! mysql 9.7 has version 2 of this format
EXPLAIN FORMAT=JSON SELECT * FROM p WHERE a = 1 AND b > 0;
--! mysql 9.7 has version 2 of this format
EXPLAIN FORMAT=JSON SELECT s, COUNT(*) FROM p JOIN q ON q.p_id = p.id GROUP BY s ORDER BY 2;
--! mysql 9.7 has version 2 of this format
EXPLAIN FORMAT=JSON SELECT 1 UNION SELECT 2;
--! mysql 9.7 has version 2 of this format
EXPLAIN FORMAT=JSON SELECT * FROM (SELECT a, COUNT(*) n FROM p GROUP BY a) d WHERE n > 1;
--! mysql 9.7 has version 2 of this format
EXPLAIN FORMAT=JSON UPDATE p SET b = 1 WHERE id = 2;
--! mysql 9.7 has version 2 of this format
EXPLAIN FORMAT=JSON INTO @plan SELECT a FROM p;
--! mysql 9.7 has version 2 of this format
SELECT JSON_EXTRACT(@plan, '$.query_block.table.table_name');
EXPLAIN INTO @plan SELECT a FROM p;
SET explain_format = TREE;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT a FROM p WHERE b = 2;
SET explain_format = DEFAULT;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN FORMAT=TRADITIONAL SELECT a FROM p WHERE b = 2;
EXPLAIN FORMAT=NOSUCH SELECT 1;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN UPDATE p SET b = 9 WHERE a = 1;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN UPDATE p JOIN q ON q.p_id = p.id SET p.b = 1 WHERE q.id = 1;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN DELETE FROM p WHERE b > 1;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN INSERT INTO q VALUES (9, 9);
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN REPLACE INTO q VALUES (1, 9);
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN INSERT INTO q SELECT id + 10, a FROM p WHERE a = 1;
SELECT COUNT(*) FROM q;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT (SELECT MAX(q.id) FROM q WHERE q.p_id = p.id) m FROM (SELECT * FROM p LIMIT 3) p;
--! mysql 9.7 explained in another format
SHOW WARNINGS;
EXPLAIN FOR CONNECTION 99999;
--! mysql 9.7 has version 2 of this format
EXPLAIN ANALYZE FORMAT=JSON SELECT 1;
EXPLAIN SELECT * FROM nosuch;
--! end
