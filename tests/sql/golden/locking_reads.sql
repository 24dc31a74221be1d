-- FOR UPDATE locks the tables of its own block and of views in it, not what derived tables and subqueries read
CREATE TABLE a (id INT PRIMARY KEY, x INT);
CREATE TABLE b (id INT PRIMARY KEY, x INT);
INSERT INTO a VALUES (1, 1), (2, 2);
INSERT INTO b VALUES (1, 1), (2, 2);
CREATE VIEW va AS SELECT * FROM a;
CREATE VIEW vd AS SELECT d.* FROM (SELECT * FROM a) d;
--! on main
BEGIN;
SELECT * FROM (SELECT * FROM a) d FOR UPDATE;
--! on other
SELECT * FROM a FOR UPDATE NOWAIT;
SELECT * FROM b FOR UPDATE NOWAIT;
--! on main
ROLLBACK;
--! on main
BEGIN;
SELECT d.id, b.x FROM (SELECT * FROM a ORDER BY id) d JOIN b ON b.id = d.id FOR UPDATE;
--! on other
SELECT * FROM a FOR UPDATE NOWAIT;
--! differs MariaDB answers 1205
SELECT * FROM b FOR UPDATE NOWAIT;
--! on main
ROLLBACK;
--! on main
BEGIN;
WITH d AS (SELECT * FROM a) SELECT * FROM d FOR UPDATE;
--! on other
SELECT * FROM a FOR UPDATE NOWAIT;
SELECT * FROM b FOR UPDATE NOWAIT;
--! on main
ROLLBACK;
--! on main
BEGIN;
SELECT * FROM va FOR UPDATE;
--! on other
--! differs MariaDB answers 1205
SELECT * FROM a FOR UPDATE NOWAIT;
SELECT * FROM b FOR UPDATE NOWAIT;
--! on main
ROLLBACK;
--! on main
BEGIN;
SELECT * FROM (SELECT * FROM a FOR UPDATE) d;
--! on other
--! differs MariaDB answers 1205
SELECT * FROM a FOR UPDATE NOWAIT;
SELECT * FROM b FOR UPDATE NOWAIT;
--! on main
ROLLBACK;
--! on main
BEGIN;
SELECT * FROM (SELECT * FROM va) d FOR UPDATE;
--! on other
SELECT * FROM a FOR UPDATE NOWAIT;
SELECT * FROM b FOR UPDATE NOWAIT;
--! on main
ROLLBACK;
--! on main
BEGIN;
SELECT * FROM vd FOR UPDATE;
--! on other
SELECT * FROM a FOR UPDATE NOWAIT;
SELECT * FROM b FOR UPDATE NOWAIT;
--! on main
ROLLBACK;
--! on main
BEGIN;
SELECT * FROM b WHERE id IN (SELECT id FROM a) FOR UPDATE;
--! on other
SELECT * FROM a FOR UPDATE NOWAIT;
--! differs MariaDB answers 1205
SELECT * FROM b FOR UPDATE NOWAIT;
--! on main
ROLLBACK;
-- a semijoin is read first, and only what it leads to is locked
--! on main
BEGIN;
SELECT * FROM a WHERE id IN (SELECT x FROM b WHERE id = 2) FOR UPDATE;
--! on other
SELECT * FROM a WHERE id = 1 FOR UPDATE NOWAIT;
--! differs MariaDB answers 1205
SELECT * FROM a WHERE id = 2 FOR UPDATE NOWAIT;
SELECT * FROM b FOR UPDATE NOWAIT;
--! on main
ROLLBACK;
-- READ COMMITTED gives back what a semijoin turns down
--! on main
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
BEGIN;
UPDATE a SET x = x + 1 WHERE EXISTS (SELECT 1 FROM b WHERE b.x > a.id);
--! on other
--! differs MariaDB answers 1205
SELECT * FROM a WHERE id = 1 FOR UPDATE NOWAIT;
SELECT * FROM a WHERE id = 2 FOR UPDATE NOWAIT;
--! on main
ROLLBACK;
-- an index merge locks what its indexes find
--! on main
SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ;
CREATE TABLE dig (n INT PRIMARY KEY);
INSERT INTO dig VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9);
CREATE TABLE m (id INT PRIMARY KEY, a INT, b INT, c INT, KEY (a), KEY (b));
INSERT INTO m SELECT x.n + 10 * y.n + 100 * z.n, x.n + 10 * y.n, y.n + 10 * z.n, z.n FROM dig x, dig y, dig z;
ANALYZE TABLE m;
--! differs other costs
EXPLAIN FORMAT=TRADITIONAL UPDATE m SET c = c + 1 WHERE a = 11 OR b = 22;
BEGIN;
UPDATE m SET c = c + 1 WHERE (a = 11 OR b = 22) AND c < 3;
--! on other
SELECT id FROM m WHERE id IN (12, 333) FOR UPDATE NOWAIT;
--! differs MariaDB answers 1205
SELECT id FROM m WHERE id = 511 FOR UPDATE NOWAIT;
--! differs MariaDB answers 1205
SELECT id FROM m WHERE id = 222 FOR UPDATE NOWAIT;
--! differs waits, whatever SKIP LOCKED says
--! mysql waits, whatever SKIP LOCKED says
SELECT id FROM m WHERE (a = 11 OR b = 23) FOR UPDATE SKIP LOCKED;
--! on main
ROLLBACK;
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
BEGIN;
UPDATE m SET a = a + 1, b = b - 1, c = c + 1 WHERE (a = 11 OR b = 22) AND c < 3;
--! on other
--! differs the rows that the other conditions turn down stay locked
--! mysql the rows that the other conditions turn down stay locked
SELECT id FROM m WHERE id = 511 FOR UPDATE NOWAIT;
--! on main
SELECT COUNT(*), SUM(a), SUM(b), SUM(c) FROM m;
DELETE FROM m WHERE a = 12 OR b = 21;
SELECT COUNT(*), SUM(a), SUM(b), SUM(c) FROM m;
ROLLBACK;
DROP TABLE m, dig;
DROP VIEW va, vd;
DROP TABLE a, b;

-- FOR SHARE is a reader to LOCK TABLES ... READ, FOR UPDATE a writer, each for the tables that it names
--! on a
CREATE TABLE lt1 (a INT PRIMARY KEY);
CREATE TABLE lt2 (a INT PRIMARY KEY);
INSERT INTO lt1 VALUES (1);
INSERT INTO lt2 VALUES (1);
LOCK TABLES lt2 READ;
--! on b
SET lock_wait_timeout = 1;
--! ours MariaDB has neither FOR SHARE nor OF
SELECT * FROM lt1, lt2 FOR SHARE OF lt1 FOR SHARE OF lt2;
SELECT * FROM lt2 LOCK IN SHARE MODE;
SELECT * FROM lt1, lt2 FOR UPDATE OF lt1;
SELECT * FROM lt1 WHERE a IN (SELECT a FROM lt2 FOR SHARE) FOR UPDATE;
SELECT * FROM lt1, lt2 FOR SHARE OF lt1 FOR UPDATE OF lt2;
--! end
SET lock_wait_timeout = DEFAULT;
--! on a
UNLOCK TABLES;
DROP TABLE lt1, lt2;
