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
DROP VIEW va, vd;
DROP TABLE a, b;
