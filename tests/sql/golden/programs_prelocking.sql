-- What programs reach through views and triggers: locks, LOCK TABLES, 1442.
--! ours skip: MariaDB's programs have another grammar, other errors and other texts; MySQL 9.7 is asked
CREATE TABLE t (id INT PRIMARY KEY, v INT);
CREATE TABLE u (id INT PRIMARY KEY, v INT);
CREATE TABLE w (id INT PRIMARY KEY, v INT);
CREATE TABLE log (n INT AUTO_INCREMENT PRIMARY KEY, what VARCHAR(50));
INSERT INTO t VALUES (1, 10), (2, 20);
INSERT INTO u VALUES (1, 100), (2, 200);
CREATE VIEW vt AS SELECT id, v FROM t;
CREATE VIEW vu AS SELECT id, v FROM u;
CREATE VIEW vvu AS SELECT * FROM vu WHERE id > 0;
-- 1442 through views
CREATE FUNCTION ft() RETURNS INT BEGIN UPDATE vt SET v = v + 1; RETURN 1; END;
SELECT ft() FROM t;
SELECT ft() FROM vt;
SELECT ft();
SELECT ft() FROM u LIMIT 1;
SELECT * FROM t;
CREATE FUNCTION fvu() RETURNS INT BEGIN INSERT INTO vvu VALUES (50, 1); RETURN 1; END;
SELECT fvu() FROM vu;
SELECT fvu() FROM vvu;
SELECT fvu() FROM u;
SELECT fvu() FROM t;
DELETE FROM u WHERE id = 50;
CREATE FUNCTION fread() RETURNS INT RETURN (SELECT SUM(v) FROM vvu);
SELECT fread(), fread() FROM u;
UPDATE u SET v = fread() WHERE id = 1;
SELECT * FROM u;
CREATE TRIGGER ub BEFORE UPDATE ON u FOR EACH ROW UPDATE vu SET v = 1;
UPDATE u SET v = 5;
UPDATE vu SET v = 5;
UPDATE vvu SET v = 5;
DROP TRIGGER ub;
CREATE TRIGGER ub BEFORE UPDATE ON u FOR EACH ROW SET @s = (SELECT SUM(v) FROM vvu);
UPDATE u SET v = v + 1;
SELECT @s;
DROP TRIGGER ub;
-- a function in a view that changes a table
CREATE FUNCTION flog(x INT) RETURNS INT BEGIN INSERT INTO log (what) VALUES (x); RETURN x; END;
CREATE VIEW vlog AS SELECT id, flog(v) AS l FROM t;
SELECT * FROM vlog;
SELECT COUNT(*) FROM log;
SELECT v.l FROM vlog v, log;
INSERT INTO log (what) SELECT l FROM vlog;
CREATE TRIGGER la AFTER INSERT ON log FOR EACH ROW INSERT INTO w VALUES (NEW.n, 1);
SELECT l FROM vlog;
SELECT COUNT(*) FROM w;
SELECT l FROM vlog, w LIMIT 1;
-- a trigger that comes back to its table through others
CREATE TRIGGER wa AFTER INSERT ON w FOR EACH ROW INSERT INTO vu VALUES (NEW.id + 1000, 0);
CREATE TRIGGER ua AFTER INSERT ON u FOR EACH ROW INSERT INTO log (what) VALUES ('again');
INSERT INTO log (what) VALUES ('x');
SELECT flog(1);
DROP TRIGGER ua;
INSERT INTO log (what) VALUES ('x');
SELECT COUNT(*) FROM u;
DROP TRIGGER wa;
-- LOCK TABLES: what triggers reach is locked with them
--! names off
CREATE TRIGGER tb BEFORE INSERT ON t FOR EACH ROW BEGIN INSERT INTO log (what) VALUES (NEW.id); SET NEW.v = (SELECT COUNT(*) FROM vu); END;
LOCK TABLES t WRITE;
INSERT INTO t VALUES (30, 0);
SELECT * FROM t WHERE id = 30;
INSERT INTO t VALUES (31, fread());
UNLOCK TABLES;
LOCK TABLES t READ;
INSERT INTO t VALUES (32, 0);
UNLOCK TABLES;
--! on b
--! names off
USE test;
--! on a
LOCK TABLES t WRITE;
--! on b
SELECT OBJECT_NAME, LOCK_TYPE FROM performance_schema.metadata_locks WHERE OBJECT_SCHEMA = 'test' AND OBJECT_TYPE = 'TABLE' ORDER BY 1, 2;
--! on a
UNLOCK TABLES;
LOCK TABLES vlog READ;
--! on b
SELECT OBJECT_NAME, LOCK_TYPE FROM performance_schema.metadata_locks WHERE OBJECT_SCHEMA = 'test' AND OBJECT_TYPE = 'TABLE' ORDER BY 1, 2;
--! on a
SELECT COUNT(l) FROM vlog;
SELECT flog(5);
SELECT COUNT(*) FROM log;
UNLOCK TABLES;
LOCK TABLES t READ;
SELECT fread();
SELECT flog(1);
UNLOCK TABLES;
LOCK TABLES u READ, vvu READ;
SELECT fread();
UNLOCK TABLES;
LOCK TABLES log READ, w READ;
SELECT flog(1);
UNLOCK TABLES;
LOCK TABLES log WRITE;
SELECT flog(1);
INSERT INTO log (what) VALUES ('z');
SELECT COUNT(*) > 0 FROM w;
UNLOCK TABLES;
-- locks of statements in a transaction
BEGIN;
SELECT fread();
--! on b
SELECT OBJECT_TYPE, OBJECT_NAME, LOCK_TYPE, LOCK_DURATION FROM performance_schema.metadata_locks WHERE OBJECT_SCHEMA = 'test' ORDER BY 1, 2, 3;
--! on a
COMMIT;
BEGIN;
INSERT INTO t VALUES (40, 0);
--! on b
SELECT OBJECT_TYPE, OBJECT_NAME, LOCK_TYPE, LOCK_DURATION FROM performance_schema.metadata_locks WHERE OBJECT_SCHEMA = 'test' AND OBJECT_TYPE <> 'SCHEMA' ORDER BY 1, 2, 3;
--! on a
ROLLBACK;
-- definitions that change between two runs
PREPARE p FROM 'INSERT INTO t VALUES (?, 0)';
SET @n = 60;
EXECUTE p USING @n;
DROP TRIGGER tb;
SET @n = 61;
EXECUTE p USING @n;
CREATE TRIGGER tb BEFORE INSERT ON t FOR EACH ROW SET NEW.v = fread() * 0 - 1;
SET @n = 62;
EXECUTE p USING @n;
ALTER VIEW vvu AS SELECT * FROM vu WHERE id = 1;
SET @n = 63;
EXECUTE p USING @n;
DROP FUNCTION fread;
SET @n = 64;
--! mysql the prepared statement goes on without a word there; CALL and INSERT say 1305 there too
EXECUTE p USING @n;
CREATE FUNCTION fread() RETURNS INT RETURN 5;
SET @n = 65;
EXECUTE p USING @n;
SELECT * FROM t WHERE id >= 60 AND id <> 64 ORDER BY id;
DROP VIEW vu;
CREATE FUNCTION fgone() RETURNS INT RETURN (SELECT COUNT(*) FROM vvu);
--! mysql says 1146 of the table behind the view
SELECT fgone();
DROP TABLE log;
SELECT flog(1);
SELECT * FROM vlog;
--! end
