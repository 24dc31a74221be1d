-- Whose rights count in programs: of definers, through programs and views.
--! ours skip: MariaDB's programs have another grammar, other errors and other texts; MySQL 9.7 is asked
CREATE TABLE t (id INT PRIMARY KEY, v INT);
CREATE TABLE secret (id INT PRIMARY KEY);
INSERT INTO t VALUES (1, 1);
INSERT INTO secret VALUES (7);
CREATE USER def, low, gone;
GRANT INSERT, SELECT ON test.t TO low;
GRANT EXECUTE ON test.* TO low;
GRANT SELECT ON test.secret TO def;
-- the definer of a trigger needs TRIGGER on its table, each time
CREATE DEFINER = def TRIGGER tb BEFORE INSERT ON t FOR EACH ROW SET @s = CURRENT_USER();
INSERT INTO t VALUES (2, 2);
GRANT TRIGGER ON test.t TO def;
INSERT INTO t VALUES (2, 2);
SELECT @s;
REVOKE TRIGGER ON test.t FROM def;
INSERT INTO t VALUES (3, 3);
GRANT TRIGGER ON test.* TO def;
INSERT INTO t VALUES (3, 3);
-- NEW needs SELECT, to change it UPDATE
DROP TRIGGER tb;
CREATE DEFINER = def TRIGGER tb BEFORE INSERT ON t FOR EACH ROW SET NEW.v = NEW.v + 1;
INSERT INTO t VALUES (4, 4);
GRANT SELECT (v) ON test.t TO def;
INSERT INTO t VALUES (4, 4);
GRANT UPDATE (v) ON test.t TO def;
INSERT INTO t VALUES (4, 4);
SELECT * FROM t WHERE id = 4;
DROP TRIGGER tb;
REVOKE SELECT (v), UPDATE (v) ON test.t FROM def;
-- what a definer may not do its trigger may not
CREATE DEFINER = def TRIGGER tb BEFORE INSERT ON t FOR EACH ROW INSERT INTO secret VALUES (8);
INSERT INTO t VALUES (5, 5);
DROP TRIGGER tb;
CREATE DEFINER = def TRIGGER tb BEFORE INSERT ON t FOR EACH ROW SET @s = (SELECT MAX(id) FROM secret);
INSERT INTO t VALUES (5, 5);
SELECT @s;
DROP TRIGGER tb;
-- a definer that is gone
CREATE DEFINER = gone TRIGGER tg BEFORE INSERT ON t FOR EACH ROW SET @s = 1;
CREATE DEFINER = gone FUNCTION fg() RETURNS INT RETURN 1;
CREATE DEFINER = gone PROCEDURE pg() SELECT 1;
DROP USER gone;
INSERT INTO t VALUES (6, 6);
SELECT fg();
CALL pg();
DROP TRIGGER tg;
DROP FUNCTION fg;
DROP PROCEDURE pg;
CREATE DEFINER = never FUNCTION fn() RETURNS INT RETURN 1;
SELECT fn();
DROP FUNCTION fn;
-- through nested programs: INVOKER is who calls, which is the definer of the one around it
GRANT EXECUTE ON test.* TO def;
CREATE SQL SECURITY INVOKER VIEW vs AS SELECT id FROM secret;
CREATE FUNCTION who_i() RETURNS VARCHAR(100) SQL SECURITY INVOKER RETURN CURRENT_USER();
CREATE DEFINER = def FUNCTION who_d() RETURNS VARCHAR(100) RETURN CONCAT(CURRENT_USER(), '+', who_i());
CREATE DEFINER = def FUNCTION sees() RETURNS INT READS SQL DATA RETURN (SELECT MAX(id) FROM secret);
CREATE FUNCTION sees_i() RETURNS INT READS SQL DATA SQL SECURITY INVOKER RETURN (SELECT MAX(id) FROM secret);
CREATE DEFINER = def FUNCTION sees_v() RETURNS INT READS SQL DATA RETURN (SELECT MAX(id) FROM vs);
CREATE DEFINER = def FUNCTION sees_it() RETURNS INT READS SQL DATA RETURN sees_i();
SELECT who_i(), who_d(), sees(), sees_i();
SELECT sees_it();
SELECT sees_v();
GRANT SELECT ON test.vs TO def;
--! mysql leaves an error of its prelocking in the list
SELECT sees_v();
CREATE DEFINER = def VIEW vw AS SELECT who_i() AS i, who_d() AS d, sees() AS s;
SELECT * FROM vw;
CREATE DEFINER = def SQL SECURITY INVOKER VIEW vwi AS SELECT who_i() AS i, who_d() AS d, sees_i() AS s;
SELECT * FROM vwi;
REVOKE EXECUTE ON test.* FROM def;
SELECT who_d();
SELECT * FROM vw;
CALL sys.nothing_there();
GRANT EXECUTE ON FUNCTION test.who_i TO def;
SELECT who_d();
GRANT EXECUTE ON FUNCTION test.who_d TO def;
SELECT who_d();
-- the account is the caller's again, whatever happens
CREATE DEFINER = def PROCEDURE fails() BEGIN SELECT CURRENT_USER(); INSERT INTO secret VALUES (1); END;
GRANT EXECUTE ON PROCEDURE test.fails TO def;
CALL fails();
SELECT CURRENT_USER(), CURRENT_ROLE();
CREATE DEFINER = def PROCEDURE handles() BEGIN DECLARE CONTINUE HANDLER FOR 1142 SELECT 'denied', CURRENT_USER(); INSERT INTO secret VALUES (1); END;
GRANT EXECUTE ON PROCEDURE test.handles TO def;
CALL handles();
SELECT CURRENT_USER();
DROP USER def, low;
--! end
