-- Warnings of optimizer hints: what cannot be read, contradicts, repeats, or names what is not there; their order.
--! ours hints and their warnings are MySQL's
CREATE TABLE p (id INT PRIMARY KEY, a INT, b INT, KEY ka (a), KEY kb (b));
CREATE TABLE q (id INT PRIMARY KEY, p_id INT, KEY kp (p_id));
CREATE VIEW v AS SELECT * FROM p;
SELECT /*+ SEMIJOIN(@s FIRSTMATCH) NO_SEMIJOIN(@s LOOSESCAN) SUBQUERY(@s INTOEXISTS) */ COUNT(*) FROM p WHERE a IN (SELECT /*+ QB_NAME(s) */ p_id FROM q);
SELECT COUNT(*) FROM p WHERE a IN (SELECT /*+ SEMIJOIN() NO_SEMIJOIN() SUBQUERY(MATERIALIZATION) SUBQUERY(INTOEXISTS) */ p_id FROM q);
SELECT COUNT(*) FROM p WHERE a IN (SELECT /*+ SUBQUERY(MATERIALIZATION) SUBQUERY(INTOEXISTS) SEMIJOIN(DUPSWEEDOUT, LOOSESCAN) */ p_id FROM q);
SELECT /*+ SEMIJOIN(@s) */ COUNT(*) FROM p WHERE a IN (SELECT /*+ QB_NAME(s) SEMIJOIN(LOOSESCAN) */ p_id FROM q);
SELECT /*+ JOIN_ORDER(p, t9) */ COUNT(*) FROM p JOIN q;
SELECT /*+ JOIN_PREFIX(t9) JOIN_SUFFIX(t8, t9) JOIN_ORDER(t7@x) */ COUNT(*) FROM p JOIN q;
SELECT /*+ JOIN_PREFIX(p) JOIN_PREFIX(q, p) JOIN_SUFFIX(p) JOIN_SUFFIX(q) */ COUNT(*) FROM p JOIN q;
SELECT /*+ JOIN_FIXED_ORDER() JOIN_FIXED_ORDER() JOIN_ORDER(p) JOIN_PREFIX(q) JOIN_SUFFIX(p) */ COUNT(*) FROM p JOIN q;
SELECT /*+ JOIN_ORDER(p,q) JOIN_FIXED_ORDER() */ COUNT(*) FROM p JOIN q;
SELECT /*+ JOIN_ORDER(p,q) JOIN_ORDER(q,p) */ COUNT(*) FROM p JOIN q;
SELECT /*+ BNL(t9) NO_BNL(t8) BKA(t7) NO_BKA(t6) MERGE(t5) NO_MERGE(t4) HASH_JOIN(t3) NO_HASH_JOIN(t2) */ COUNT(*) FROM p;
SELECT /*+ MRR(p k9) NO_MRR(p k8) SKIP_SCAN(p k7) NO_SKIP_SCAN(q ka) NO_ICP(p k9) NO_RANGE_OPTIMIZATION(p k5) */ COUNT(*) FROM p;
SELECT /*+ BNL(p) NO_BNL(p) BKA(p) BKA(p) MRR(p) NO_MRR(p) MRR(p ka) SKIP_SCAN(p ka) NO_SKIP_SCAN(p ka, kb) MERGE() NO_MERGE() NO_MERGE(p) */ COUNT(*) FROM p;
SELECT /*+ INDEX(p ka) JOIN_INDEX(p ka) GROUP_INDEX(p kb) ORDER_INDEX(p) INDEX(p) INDEX(p kb, ka) NO_INDEX_MERGE(p ka) INDEX_MERGE(p) INDEX_MERGE(p ka) */ COUNT(*) FROM p;
SELECT /*+ INDEX_MERGE(p ka) */ COUNT(*) FROM p;
SELECT /*+ NO_ICP(p ka) NO_ICP(p ka, kb) NO_ICP(p) */ COUNT(*) FROM p;
SELECT /*+ NO_ICP(t9 ka) INDEX(t8 ka, kb) NO_ICP(t7) */ COUNT(*) FROM p;
SELECT /*+ QB_NAME(o) NO_ICP(t1) */ (SELECT /*+ NO_ICP(t2) NO_ICP(@o p) QB_NAME(o) */ 1) FROM p WHERE a IN (SELECT /*+ NO_ICP(t3) BAD */ id FROM q) AND EXISTS (SELECT /*+ NO_ICP(t4) NO_ICP(@x p) */ 1 FROM q WHERE p_id = p.b);
SELECT /*+ NO_ICP(t1) BAD */ COUNT(*) FROM (SELECT /*+ NO_ICP(t2) WORSE */ id FROM p LIMIT 1) d JOIN q;
SELECT /*+ NO_ICP(t1) */ 1 UNION SELECT /*+ NO_ICP(t2) NO_ICP(t2) */ 2 UNION (SELECT /*+ NO_ICP(t3) */ 3);
SELECT /*+ NO_ICP(v) NO_ICP(d) NO_ICP(v ka) */ COUNT(*) FROM v JOIN (SELECT 1 x) d;
INSERT /*+ NO_ICP(q) NO_ICP(t9) BKA(q kp) */ INTO q VALUES (1, 2);
INSERT /*+ NO_ICP(q) NO_ICP(t9) NO_ICP(p) */ INTO q SELECT id, a FROM p;
INSERT /*+ NO_ICP(q) */ INTO q SELECT /*+ NO_ICP(t9) NO_ICP(q) */ id, a FROM p;
REPLACE /*+ NO_ICP(q) NO_ICP(t9) */ INTO q SET id = 5;
UPDATE /*+ NO_ICP(p) NO_ICP(t9) NO_ICP(p x) JOIN_ORDER(t9) */ p SET a = 1 WHERE b IN (SELECT /*+ NO_ICP(t8) */ id FROM q);
DELETE /*+ NO_ICP(p) NO_ICP(t9) NO_ICP(p x) JOIN_ORDER(t9) */ FROM p WHERE b IN (SELECT /*+ NO_ICP(t8) */ id FROM q);
SELECT /*+ MAX_EXECUTION_TIME(99999999999) NO_ICP(t9) */ 1;
SELECT /*+ MAX_EXECUTION_TIME(100) MAX_EXECUTION_TIME(100) */ 1 UNION SELECT /*+ MAX_EXECUTION_TIME(100) */ 2;
SELECT /*+ NO_ICP() */ 1;
SELECT /*+*/ 1;
SELECT /*+ BKA(p q) BKA( @) SUBQUERY() */ 1;
SELECT /*+ BKA("x") */ 1;
SELECT /*+ QB_NAME(``) */ 1;
SELECT /*+ NO_ICP(@`select#1` t9) NO_ICP(t8@`select#1` k) NO_ICP(@`select#4` t9) */ 1;
CREATE VIEW w AS SELECT /*+ NO_ICP(t9) BKA(p) BKA(p) */ a FROM p;
SELECT * FROM w;
CREATE TABLE cc SELECT /*+ MAX_EXECUTION_TIME(100) NO_ICP(t9) */ 1;
SELECT /*+ NO_ICP(t9) JOIN_ORDER(t8) */ COUNT(*) FROM p JOIN q ON p.id = q.id WHERE p.a = (SELECT /*+ NO_ICP(t7) JOIN_ORDER(t6) */ MAX(x.id) FROM q x JOIN q y WHERE x.id > p.b);
--! mysql numbers the blocks of common table expressions behind the block that names them
WITH c AS (SELECT /*+ NO_ICP(t7) */ id FROM p) SELECT /*+ NO_ICP(t9) */ COUNT(*) FROM c;
--! mysql numbers the blocks of common table expressions behind the block that names them
WITH c AS (SELECT /*+ NO_ICP(t7) */ id FROM p) SELECT /*+ NO_ICP(t9) */ COUNT(*) FROM c JOIN c d;
SELECT /*+ JOIN_ORDER(p@s, q) */ COUNT(*) FROM q WHERE q.p_id IN (SELECT /*+ QB_NAME(s) */ a FROM p);
--! mysql ours does not look for tables of subqueries in hints about the order
SELECT /*+ JOIN_ORDER(x@s, q) */ COUNT(*) FROM q WHERE q.p_id IN (SELECT /*+ QB_NAME(s) */ a FROM p);
SELECT /*+ SUBQUERY(INTOEXISTS, MATERIALIZATION) */ 1;
SELECT /*+ NO_SEMIJOIN(LOOSESCAN FIRSTMATCH) */ 1;
SELECT /*+ JOIN_PREFIX(q) JOIN_ORDER(p, q) */ COUNT(*) FROM p JOIN q;
--! end
