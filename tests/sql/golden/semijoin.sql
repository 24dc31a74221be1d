-- Subqueries that become semijoins, antijoins and lookups by key.
CREATE TABLE c (id INT PRIMARY KEY, name VARCHAR(20), grp INT, KEY kg (grp));
CREATE TABLE o (id INT PRIMARY KEY, cid INT, amount DECIMAL(10,2), d DATE);
CREATE TABLE l (oid INT NOT NULL, n INT NOT NULL, item VARCHAR(10) NOT NULL, q INT, PRIMARY KEY (oid, n));
CREATE TABLE nn (a INT NOT NULL, b VARCHAR(10) NOT NULL);
CREATE TABLE e (a INT);
INSERT INTO c VALUES (1,'ann',1),(2,'bob',1),(3,'cid',2),(4,'dee',NULL),(5,'eve',2);
INSERT INTO o VALUES (1,1,10,'2024-01-01'),(2,1,20.5,'2024-02-01'),(3,2,5,'2024-03-01'),(4,NULL,7,'2024-04-01'),(5,5,NULL,NULL),(6,9,1,'2024-05-01');
INSERT INTO l VALUES (1,1,'pen',2),(1,2,'ink',NULL),(2,1,'pen',1),(3,1,'cup',3),(3,2,'Pen',4),(5,1,'jar',0);
INSERT INTO nn VALUES (1,'ann'),(3,'x'),(3,'CID');
ANALYZE TABLE c, o, l, nn, e;
SELECT id FROM c WHERE EXISTS (SELECT * FROM o WHERE o.cid = c.id) ORDER BY id;
SELECT id FROM c WHERE NOT EXISTS (SELECT 1 FROM o WHERE o.cid = c.id) ORDER BY id;
SELECT id FROM c WHERE id IN (SELECT cid FROM o) ORDER BY id;
SELECT id FROM c WHERE id NOT IN (SELECT cid FROM o) ORDER BY id;
SELECT id FROM c WHERE id NOT IN (SELECT cid FROM o WHERE cid IS NOT NULL) ORDER BY id;
SELECT id FROM c WHERE id NOT IN (SELECT a FROM nn) ORDER BY id;
SELECT id FROM c WHERE grp NOT IN (SELECT a FROM nn) ORDER BY id;
SELECT id FROM c WHERE grp IN (SELECT a FROM e) ORDER BY id;
SELECT id FROM c WHERE grp NOT IN (SELECT a FROM e) ORDER BY id;
SELECT id FROM c WHERE NOT (id IN (SELECT a FROM nn)) ORDER BY id;
SELECT id FROM c WHERE NOT (NOT EXISTS (SELECT 1 FROM o WHERE cid = c.id)) ORDER BY id;
SELECT id FROM c WHERE (id, name) IN (SELECT a, b FROM nn) ORDER BY id;
SELECT id FROM c WHERE (id, name) NOT IN (SELECT a, b FROM nn) ORDER BY id;
SELECT id FROM c WHERE name IN (SELECT b FROM nn) ORDER BY id;
SELECT id FROM c WHERE id IN (SELECT cid FROM o, l WHERE l.oid = o.id AND l.item = 'pen') ORDER BY id;
SELECT id FROM c WHERE EXISTS (SELECT 1 FROM o JOIN l ON l.oid = o.id WHERE o.cid = c.id AND l.q > c.grp) ORDER BY id;
SELECT id FROM c WHERE NOT EXISTS (SELECT 1 FROM o LEFT JOIN l ON l.oid = o.id WHERE o.cid = c.id AND l.oid IS NULL) ORDER BY id;
SELECT id FROM c WHERE EXISTS (SELECT 1 FROM o WHERE cid = c.id AND EXISTS (SELECT 1 FROM l WHERE oid = o.id AND q >= c.id)) ORDER BY id;
SELECT id FROM c WHERE EXISTS (SELECT 1 FROM o WHERE cid = c.id AND NOT EXISTS (SELECT 1 FROM l WHERE oid = o.id)) ORDER BY id;
SELECT id FROM c WHERE id IN (SELECT cid FROM o WHERE id IN (SELECT oid FROM l WHERE item = 'pen')) AND grp = 1 ORDER BY id;
SELECT x.oid, x.n FROM l x WHERE EXISTS (SELECT 1 FROM l y WHERE y.oid = x.oid AND y.n <> x.n) AND NOT EXISTS (SELECT 1 FROM l z WHERE z.oid = x.oid AND z.n <> x.n AND z.q > 3) ORDER BY 1, 2;
SELECT id FROM c WHERE EXISTS (SELECT 1 FROM o) ORDER BY id;
SELECT id FROM c WHERE EXISTS (SELECT 1 FROM e) ORDER BY id;
SELECT id FROM c WHERE EXISTS (SELECT MAX(cid) FROM o WHERE o.cid = c.id) ORDER BY id;
SELECT id FROM c WHERE EXISTS (SELECT 1 FROM o WHERE cid = c.id LIMIT 1) ORDER BY id;
SELECT id FROM c WHERE id IN (SELECT cid FROM o GROUP BY cid HAVING COUNT(*) > 1) ORDER BY id;
SELECT id FROM c WHERE id IN (SELECT 1 FROM o) ORDER BY id;
SELECT id FROM c WHERE 1 IN (SELECT cid FROM o) ORDER BY id;
SELECT id FROM c WHERE id IN (SELECT cid FROM o UNION SELECT 4) ORDER BY id;
SELECT id FROM c WHERE id = 3 OR id IN (SELECT cid FROM o) ORDER BY id;
SELECT id, id IN (SELECT cid FROM o) x, EXISTS (SELECT 1 FROM o WHERE cid = c.id) y FROM c ORDER BY id;
SELECT d.id FROM (SELECT id, grp FROM c WHERE EXISTS (SELECT 1 FROM o WHERE cid = c.id)) d WHERE d.grp = 1 ORDER BY 1;
SELECT c.id, d.id FROM c LEFT JOIN (SELECT id, grp FROM c x WHERE NOT EXISTS (SELECT 1 FROM o WHERE cid = x.id)) d ON d.grp = c.grp ORDER BY 1, 2;
SELECT COUNT(*), MIN(id), MAX(id) FROM c WHERE NOT EXISTS (SELECT 1 FROM o WHERE cid = c.id);
SELECT DISTINCT grp FROM c WHERE id IN (SELECT cid FROM o) ORDER BY grp;
SELECT grp, COUNT(*) FROM c WHERE EXISTS (SELECT 1 FROM o WHERE cid = c.id) GROUP BY grp ORDER BY grp;
SELECT id FROM c WHERE id IN (SELECT cid FROM o WHERE amount > 6) ORDER BY id LIMIT 1;
SELECT id FROM c WHERE id IN (SELECT cid, id FROM o);
SELECT id FROM c WHERE (id, grp) IN (SELECT cid FROM o);
SELECT id FROM c WHERE EXISTS (SELECT nosuch FROM o WHERE cid = c.id);
SELECT id FROM c WHERE EXISTS (SELECT 1 FROM o WHERE o.cid = c.nosuch);
SELECT id FROM c WHERE EXISTS (SELECT 1 FROM nosuch);
SELECT id FROM c WHERE id IN (SELECT cid FROM o LIMIT 1);
SELECT id FROM c WHERE name IN (SELECT item FROM l) ORDER BY id;
CREATE VIEW v AS SELECT id, name FROM c WHERE id IN (SELECT cid FROM o WHERE amount > 6);
SELECT * FROM v ORDER BY id;
SELECT id FROM o WHERE cid IN (SELECT id FROM v) ORDER BY id;
UPDATE c SET grp = grp + 10 WHERE EXISTS (SELECT 1 FROM o WHERE cid = c.id);
SELECT id, grp FROM c ORDER BY id;
DELETE FROM nn WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.id = nn.a AND c.name = nn.b);
SELECT * FROM nn ORDER BY a;
INSERT INTO e SELECT id FROM c WHERE id IN (SELECT cid FROM o);
INSERT INTO e SELECT id FROM c WHERE id IN (SELECT a FROM e);
SELECT a, COUNT(*) FROM e GROUP BY a ORDER BY a;
--! differs MySQL does not allow it
UPDATE c SET grp = 0 WHERE id IN (SELECT id FROM c WHERE id > 99);
-- lookups: aggregates of a group that depends on the row outside
SELECT id, (SELECT SUM(amount) FROM o WHERE cid = c.id) s, (SELECT COUNT(*) FROM o WHERE cid = c.id) n, (SELECT COUNT(*) + c.id FROM o WHERE cid = c.id) m FROM c ORDER BY id;
SELECT id, (SELECT IFNULL(MAX(q), -1) FROM l WHERE oid = o.id) m, (SELECT AVG(q) * 2 FROM l WHERE o.id = oid AND item LIKE 'p%') a FROM o ORDER BY id;
SELECT id FROM o WHERE amount > (SELECT 0.5 * AVG(amount) FROM o x WHERE x.cid = o.cid) ORDER BY id;
SELECT id FROM o WHERE (SELECT COUNT(*) FROM l WHERE oid = o.id) = 0 ORDER BY id;
SELECT id, (SELECT GROUP_CONCAT(item ORDER BY n) FROM l WHERE oid = o.id) g FROM o ORDER BY id;
SELECT id, (SELECT MIN(item) FROM l WHERE oid = o.id AND n = c.grp) m FROM o LEFT JOIN (SELECT 1 AS grp) c ON 1 ORDER BY id;
SELECT grp, (SELECT SUM(amount) FROM o WHERE cid = MIN(c.id)) s FROM c GROUP BY grp ORDER BY grp;
SELECT name, (SELECT COUNT(*) FROM nn WHERE b = c.name) n FROM c ORDER BY id;
SELECT id, (SELECT SUM(q) FROM l WHERE oid = o.id HAVING SUM(q) > 1) h FROM o ORDER BY id;
SELECT id, (SELECT SUM(q) FROM l WHERE oid < o.id) h FROM o ORDER BY id;
SELECT id, (SELECT SUM(x.q) FROM l x WHERE x.oid = o.id AND x.n = (SELECT MAX(n) FROM l y WHERE y.oid = x.oid)) h FROM o ORDER BY id;
-- disjunctions
SELECT o.id, l.n FROM o, l WHERE (l.oid = o.id AND l.item = 'pen' AND o.amount > 6) OR (l.oid = o.id AND l.item = 'cup' AND o.amount < 6) ORDER BY 1, 2;
SELECT o.id, l.n FROM o, l WHERE (l.oid = o.id AND l.item = 'pen') OR l.oid = o.id ORDER BY 1, 2;
SELECT x.id, y.id FROM c x, c y WHERE (x.name = 'ann' AND y.name = 'bob') OR (x.name = 'bob' AND y.name = 'ann') ORDER BY 1, 2;
SELECT id FROM c WHERE (grp = 11 AND id = 1) OR (grp = 11 AND id = NULL) OR (grp = NULL AND id = 2);
--! ours plans are MySQL's
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT id FROM c WHERE EXISTS (SELECT * FROM o WHERE o.cid = c.id);
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT id FROM o WHERE EXISTS (SELECT * FROM l WHERE l.oid = o.id AND q > 1);
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT id FROM o WHERE NOT EXISTS (SELECT * FROM l WHERE l.oid = o.id);
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT /*+ NO_SEMIJOIN(@s) */ id FROM o WHERE EXISTS (SELECT /*+ QB_NAME(s) */ * FROM l WHERE l.oid = o.id);
SET optimizer_switch = 'semijoin=off';
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT id FROM o WHERE EXISTS (SELECT * FROM l WHERE l.oid = o.id);
SET optimizer_switch = DEFAULT;
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT o.id, l.n FROM o, l WHERE (l.oid = o.id AND l.item = 'pen') OR (l.oid = o.id AND l.item = 'cup');
--! end
-- the strategies of semijoins: what is read first
CREATE TABLE dig (n INT PRIMARY KEY);
INSERT INTO dig VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9);
CREATE TABLE big (id INT PRIMARY KEY, v INT, KEY kv (v));
INSERT INTO big SELECT x.n + 10 * y.n + 100 * z.n, (x.n + 10 * y.n) % 97 FROM dig x, dig y, dig z;
CREATE TABLE small (id INT PRIMARY KEY, b_id INT, x INT);
INSERT INTO small SELECT x.n + 10 * y.n, NULLIF(50 * x.n + y.n % 3, 0), y.n FROM dig x, dig y;
CREATE TABLE mid (id INT PRIMARY KEY, k INT, x INT, s VARCHAR(10), KEY kkx (k, x), KEY ks (s));
INSERT INTO mid SELECT id, NULLIF(id % 50, 7), id % 7, ELT(id % 4 + 1, 'ann', 'BOB', 'x', NULL) FROM big;
CREATE TABLE uq (u INT, w INT, UNIQUE KEY (u), UNIQUE KEY (w, u));
INSERT INTO uq VALUES (1, 1), (2, NULL), (NULL, 3), (NULL, 4), (5, 5);
ANALYZE TABLE dig, big, small, mid, uq;
--! ours plans are MySQL's
--! mysql what MySQL's optimizer made of the query in note 1003
EXPLAIN FORMAT=TRADITIONAL SELECT * FROM big WHERE id IN (SELECT b_id FROM small WHERE x < 8);
--! mysql another plan or estimate
EXPLAIN FORMAT=TREE SELECT * FROM big WHERE id IN (SELECT b_id FROM small WHERE x < 8);
--! mysql 9.7's format
EXPLAIN FORMAT=JSON SELECT * FROM big WHERE id IN (SELECT b_id FROM small WHERE x < 8);
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN FORMAT=TRADITIONAL SELECT * FROM big WHERE id IN (SELECT /*+ SEMIJOIN(DUPSWEEDOUT) */ b_id FROM small WHERE x < 8);
--! mysql another plan or estimate
EXPLAIN FORMAT=TREE SELECT * FROM big, mid WHERE mid.k = big.v AND (big.id, mid.id) IN (SELECT /*+ SEMIJOIN(DUPSWEEDOUT) */ b_id, x FROM small, dig WHERE x < 8 AND n = x);
--! mysql 9.7's format
EXPLAIN FORMAT=JSON SELECT * FROM big WHERE id IN (SELECT /*+ SEMIJOIN(DUPSWEEDOUT) */ b_id FROM small WHERE x < 8);
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN FORMAT=TRADITIONAL SELECT * FROM big WHERE id IN (SELECT /*+ SEMIJOIN(LOOSESCAN) */ k FROM mid);
--! mysql another plan or estimate
EXPLAIN FORMAT=TREE SELECT * FROM big WHERE id IN (SELECT /*+ SEMIJOIN(LOOSESCAN) */ k FROM mid WHERE x = 3);
--! mysql 9.7's format
EXPLAIN FORMAT=JSON SELECT * FROM big WHERE id IN (SELECT /*+ SEMIJOIN(LOOSESCAN) */ k FROM mid WHERE x = 3);
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN FORMAT=TRADITIONAL SELECT * FROM dig WHERE n IN (SELECT /*+ SEMIJOIN(FIRSTMATCH) */ k FROM mid);
--! mysql 9.7's format
EXPLAIN FORMAT=JSON SELECT * FROM dig WHERE n IN (SELECT /*+ SEMIJOIN(FIRSTMATCH) */ k FROM mid);
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN FORMAT=TRADITIONAL SELECT * FROM dig WHERE NOT EXISTS (SELECT * FROM mid WHERE k = n);
--! end
-- a unique key: pulled out of the semijoin
--! ours plans are MySQL's
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN FORMAT=TRADITIONAL SELECT * FROM mid WHERE k IN (SELECT n FROM dig WHERE n > 7);
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN FORMAT=TRADITIONAL SELECT * FROM mid WHERE k IN (SELECT b_id FROM small JOIN dig ON n = b_id WHERE small.id = mid.x);
--! end
SELECT COUNT(*), SUM(id) FROM mid WHERE k IN (SELECT u FROM uq);
SELECT COUNT(*), SUM(id) FROM mid WHERE (k, x) IN (SELECT u, w FROM uq);
SELECT COUNT(*), SUM(id) FROM mid WHERE EXISTS (SELECT 1 FROM uq WHERE u <=> k);
SELECT COUNT(*), SUM(id) FROM mid WHERE k + 0.5 IN (SELECT u + 0.5 FROM uq);
-- the same answer by each
SELECT * FROM big WHERE id IN (SELECT b_id FROM small WHERE x < 3) ORDER BY id;
SELECT * FROM big WHERE id IN (SELECT /*+ SEMIJOIN(MATERIALIZATION) */ b_id FROM small WHERE x < 3) ORDER BY id;
SELECT * FROM big WHERE id IN (SELECT /*+ SEMIJOIN(DUPSWEEDOUT) */ b_id FROM small WHERE x < 3) ORDER BY id;
SELECT * FROM big WHERE id IN (SELECT /*+ SEMIJOIN(FIRSTMATCH) */ b_id FROM small WHERE x < 3) ORDER BY id;
SELECT v, COUNT(*) FROM big WHERE v IN (SELECT /*+ SEMIJOIN(LOOSESCAN) */ k FROM mid WHERE x = 3 OR x = 4) AND v < 12 GROUP BY v ORDER BY v;
SELECT v, COUNT(*) FROM big WHERE v IN (SELECT /*+ SEMIJOIN(DUPSWEEDOUT) */ k FROM mid WHERE x = 3 OR x = 4) AND v < 12 GROUP BY v ORDER BY v;
SELECT v, COUNT(*) FROM big WHERE v IN (SELECT /*+ NO_SEMIJOIN(MATERIALIZATION, LOOSESCAN, DUPSWEEDOUT) */ k FROM mid WHERE x = 3 OR x = 4) AND v < 12 GROUP BY v ORDER BY v;
SELECT v, COUNT(*) FROM big WHERE v IN (SELECT /*+ NO_SEMIJOIN(FIRSTMATCH, MATERIALIZATION, LOOSESCAN, DUPSWEEDOUT) */ k FROM mid WHERE x = 3 OR x = 4) AND v < 12 GROUP BY v ORDER BY v;
SELECT COUNT(*) FROM c WHERE name IN (SELECT s FROM mid);
SELECT COUNT(*) FROM c WHERE name IN (SELECT /*+ SEMIJOIN(LOOSESCAN) */ s FROM mid);
SELECT COUNT(*) FROM c WHERE name COLLATE utf8mb4_bin IN (SELECT /*+ SEMIJOIN(MATERIALIZATION) */ s FROM mid);
SELECT COUNT(*) FROM c WHERE name COLLATE utf8mb4_bin IN (SELECT /*+ SEMIJOIN(LOOSESCAN) */ s FROM mid);
SELECT COUNT(*) FROM c WHERE name COLLATE utf8mb4_bin IN (SELECT /*+ SEMIJOIN(DUPSWEEDOUT) */ s FROM mid);
SELECT COUNT(*), SUM(b.id) FROM big b LEFT JOIN mid m ON m.k = b.id WHERE m.id IN (SELECT /*+ SEMIJOIN(DUPSWEEDOUT) */ b_id FROM small);
SELECT COUNT(*), SUM(b.id) FROM big b LEFT JOIN mid m ON m.k = b.id AND m.x = 2 WHERE b.v IN (SELECT /*+ SEMIJOIN(DUPSWEEDOUT) */ x FROM small WHERE small.id > IFNULL(m.id, 90));
SELECT COUNT(*), SUM(b.id) FROM big b LEFT JOIN mid m ON m.k = b.id AND m.x = 2 WHERE b.v IN (SELECT x FROM small WHERE small.id > IFNULL(m.id, 90));
SELECT id FROM small WHERE x IN (SELECT /*+ SEMIJOIN(MATERIALIZATION) */ k FROM mid WHERE id IN (SELECT /*+ SEMIJOIN(DUPSWEEDOUT) */ b_id FROM small s WHERE s.x = 2)) AND id < 25 ORDER BY id;
SELECT id FROM big WHERE id IN (SELECT b_id FROM small) AND v IN (SELECT /*+ SEMIJOIN(DUPSWEEDOUT) */ x FROM mid) AND EXISTS (SELECT /*+ SEMIJOIN(DUPSWEEDOUT) */ 1 FROM mid m WHERE m.k = big.v) ORDER BY id LIMIT 4;
SELECT id FROM big WHERE id IN (SELECT b_id FROM small) ORDER BY id DESC LIMIT 2, 3;
PREPARE p FROM 'SELECT COUNT(*) FROM big WHERE id IN (SELECT b_id FROM small WHERE x < ?) AND v > ?';
SET @a = 3, @b = 40;
EXECUTE p USING @a, @b;
SET @a = 0;
EXECUTE p USING @a, @b;
DEALLOCATE PREPARE p;
SET optimizer_switch = 'materialization=off,firstmatch=off,loosescan=off';
SELECT COUNT(*) FROM big WHERE id IN (SELECT b_id FROM small WHERE x < 3);
--! differs no such switch in MariaDB
SET optimizer_switch = 'duplicateweedout=off';
SELECT COUNT(*) FROM big WHERE id IN (SELECT b_id FROM small WHERE x < 3);
SET optimizer_switch = DEFAULT;
-- hints
--! ours MariaDB has other hints
SELECT COUNT(*) FROM big WHERE id IN (SELECT /*+ SEMIJOIN(NOSUCH) */ b_id FROM small);
SELECT COUNT(*) FROM big WHERE id IN (SELECT /*+ QB_NAME(q) NO_SEMIJOIN(FIRSTMATCH, X) */ b_id FROM small);
SELECT /*+ SEMIJOIN(@q firstmatch) */ COUNT(*) FROM big WHERE id IN (SELECT /*+ QB_NAME(q) */ b_id FROM small);
SELECT COUNT(*) FROM big WHERE id IN (SELECT /*+ BAD HINT( */ b_id FROM small);
--! end
-- changes find their rows by semijoins
--! ours plans are MySQL's
--! mysql what MySQL's optimizer made of the query in note 1003
EXPLAIN FORMAT=TRADITIONAL DELETE FROM big WHERE id IN (SELECT b_id FROM small WHERE x < 8);
--! mysql what MySQL's optimizer made of the query in note 1003
EXPLAIN FORMAT=TRADITIONAL UPDATE big SET v = v + 1 WHERE id IN (SELECT b_id FROM small WHERE x < 8);
--! end
--! ours MariaDB looks at all tables, not at those that are changed alone, under sql_safe_updates, and lets DELETE read its table
SET sql_safe_updates = 1;
UPDATE big SET v = v + 1000 WHERE id IN (SELECT b_id FROM small WHERE x < 2);
UPDATE big SET v = v + 1000 WHERE v NOT IN (SELECT id FROM small);
SET sql_safe_updates = DEFAULT;
SELECT id, v FROM big WHERE v >= 1000 ORDER BY id;
DELETE FROM big WHERE id IN (SELECT /*+ SEMIJOIN(DUPSWEEDOUT) */ b_id FROM small WHERE x < 2) AND v % 2 = 0;
DELETE FROM big WHERE EXISTS (SELECT 1 FROM small WHERE b_id = big.id AND x < 2);
DELETE FROM big WHERE id IN (SELECT b_id FROM small WHERE x < 8) LIMIT 3;
UPDATE big, dig SET v = 7 WHERE big.id = n AND n NOT IN (SELECT x FROM small WHERE b_id > 400 AND x < 5);
SELECT COUNT(*), SUM(v) FROM big;
DELETE FROM mid WHERE k IN (SELECT mid.x FROM small, mid);
DELETE FROM mid WHERE k IN (SELECT k FROM small) OR id IN (SELECT b_id FROM small);
SELECT COUNT(*) FROM mid;
--! end
-- a LIMIT that the order of an index lets stop early: lookups for the rows that are wanted, instead of a hash table of all others
--! ours the tables are filled with WITH RECURSIVE as MySQL has it
SET cte_max_recursion_depth = 10000;
CREATE TABLE oo (a INT PRIMARY KEY, b INT);
CREATE TABLE ii (a INT PRIMARY KEY, b INT, KEY (b));
INSERT INTO ii WITH RECURSIVE r AS (SELECT 1 n UNION ALL SELECT n + 1 FROM r WHERE n < 4000) SELECT n, n % 2000 FROM r;
INSERT INTO oo SELECT a, b FROM ii;
ANALYZE TABLE oo, ii;
--! mysql 9.7 keeps the subquery's rows
EXPLAIN FORMAT=TREE SELECT * FROM oo WHERE b IN (SELECT ii.b FROM ii JOIN oo x ON ii.a = x.a) ORDER BY a LIMIT 3;
--! mysql another plan or estimate
EXPLAIN FORMAT=TREE SELECT * FROM oo WHERE b IN (SELECT ii.b FROM ii JOIN oo x ON ii.a = x.a) ORDER BY a;
SELECT * FROM oo WHERE b IN (SELECT ii.b FROM ii JOIN oo x ON ii.a = x.a) ORDER BY a LIMIT 3;
SELECT * FROM oo WHERE b IN (SELECT ii.b FROM ii JOIN oo x ON ii.a = x.a AND ii.a > 3990) ORDER BY a LIMIT 3;
SELECT oo.a, ii.a FROM oo LEFT JOIN ii ON ii.b = oo.b AND ii.a > 2001 ORDER BY oo.a, ii.a LIMIT 3;
--! end
