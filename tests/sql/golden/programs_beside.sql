-- Programs beside MySQL, kinds that random programs have found: NULLs that triggers assign, variables whose assignment fails, ROW_COUNT(), arguments, what a program sees of the conditions before it.
--! ours skip: MariaDB's programs have another grammar, other errors and other texts; MySQL 9.7 is asked
CREATE TABLE t (id INT PRIMARY KEY, n INT NOT NULL, m INT NOT NULL DEFAULT 7);
CREATE TRIGGER tb BEFORE INSERT ON t FOR EACH ROW BEGIN IF NEW.id = 1 THEN SET NEW.n = NULL; END IF; IF NEW.id = 2 THEN SET NEW.n = 5; SET NEW.n = NULL; END IF; IF NEW.id = 3 THEN SET NEW.m = NULL; END IF; IF NEW.id IN (4, 6) THEN SET NEW.n = 4; END IF; IF NEW.id = 5 THEN SET NEW.n = 4, NEW.m = NULL; END IF; IF NEW.id = 6 THEN SET NEW.m = NULL, NEW.m = 3; END IF; END;
INSERT INTO t (id) VALUES (0);
INSERT INTO t (id) VALUES (1);
INSERT INTO t (id) VALUES (2);
INSERT INTO t (id) VALUES (3);
INSERT INTO t (id) VALUES (4);
INSERT INTO t (id) VALUES (5);
INSERT INTO t (id) VALUES (6);
INSERT INTO t (id, n) VALUES (7, NULL);
INSERT INTO t (id, n) VALUES (1, 8);
--! mysql the warning is there (SHOW WARNINGS), but not counted in what the client gets
INSERT IGNORE INTO t (id) VALUES (1);
--! mysql the warning is there (SHOW WARNINGS), but not counted in what the client gets
INSERT IGNORE INTO t (id) VALUES (2);
--! mysql the warning is there (SHOW WARNINGS), but not counted in what the client gets
INSERT IGNORE INTO t (id) VALUES (3);
--! mysql the warning is there (SHOW WARNINGS), but not counted in what the client gets
INSERT IGNORE INTO t (id) VALUES (5);
INSERT IGNORE INTO t (id, n) VALUES (15, NULL);
INSERT INTO t VALUES (1, 4, 4) ON DUPLICATE KEY UPDATE m = 9;
REPLACE INTO t VALUES (1, 4, 4);
INSERT INTO t SELECT 5, 5, 5;
SELECT * FROM t;
DELETE FROM t;
SET sql_mode = '';
INSERT INTO t (id) VALUES (0);
INSERT INTO t (id) VALUES (1);
INSERT INTO t (id) VALUES (2), (12);
INSERT INTO t (id) VALUES (3);
INSERT INTO t (id) VALUES (5);
SELECT * FROM t;
SET sql_mode = DEFAULT;
DROP TABLE t;
CREATE TABLE t (id INT PRIMARY KEY, n INT NOT NULL, m INT NOT NULL DEFAULT 7);
INSERT INTO t VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3);
CREATE TRIGGER tb BEFORE UPDATE ON t FOR EACH ROW BEGIN IF NEW.id = 1 THEN SET NEW.n = NULL; END IF; END;
UPDATE t SET m = 5 WHERE id = 1;
--! mysql the warning is there (SHOW WARNINGS), but not counted in what the client gets
UPDATE IGNORE t SET m = 5 WHERE id = 1;
UPDATE t SET n = NULL WHERE id = 2;
UPDATE IGNORE t SET n = NULL WHERE id = 2;
INSERT INTO t VALUES (1, 4, 4) ON DUPLICATE KEY UPDATE m = 9;
SELECT * FROM t;
SET sql_mode = '';
UPDATE t SET m = 6 WHERE id = 1;
UPDATE t SET m = 6;
UPDATE t SET n = NULL WHERE id = 3;
SELECT * FROM t;
SET sql_mode = DEFAULT;
CREATE TABLE a (id INT PRIMARY KEY AUTO_INCREMENT, n INT);
CREATE TRIGGER ab BEFORE INSERT ON a FOR EACH ROW SET NEW.id = NULL;
INSERT INTO a (n) VALUES (5);
INSERT INTO a VALUES (17, 6);
SELECT * FROM a;
-- GET DIAGNOSTICS of a condition that is not there
CREATE PROCEDURE r() BEGIN UPDATE a SET n = n + 1; GET DIAGNOSTICS CONDITION 7 @m = MESSAGE_TEXT; SET @r1 = ROW_COUNT(); UPDATE a SET n = n + 1; GET DIAGNOSTICS @x = NUMBER; SET @r2 = ROW_COUNT(); END;
CALL r();
SELECT @r1, @r2;
-- a variable whose assignment fails is NULL afterwards
CREATE PROCEDURE o(OUT a VARCHAR(10)) SET a = 'x';
CREATE PROCEDURE n1() BEGIN DECLARE v, w INT DEFAULT 5; DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; SELECT 'x', 7 INTO v, w; SELECT v, w; SELECT 8, 'x' INTO v, w; SELECT v, w; SELECT 1/0, 9 INTO v, w; SELECT v, w; END;
CALL n1();
CREATE PROCEDURE n2() BEGIN DECLARE v, w INT DEFAULT 5; DECLARE c CURSOR FOR SELECT 'x', 7; DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; OPEN c; FETCH c INTO v, w; SELECT v, w; CALL o(w); SELECT v, w; END;
CALL n2();
CREATE PROCEDURE n3() BEGIN DECLARE v TINYINT DEFAULT 5; DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; SELECT 1000 INTO v; SELECT v; SET v = 5; SET v = 1000; SELECT v; END;
CALL n3();
-- IN with NULL on its left calls what is on its right
CREATE FUNCTION f() RETURNS INT DETERMINISTIC BEGIN SET @n = @n + 1; RETURN 1; END;
SET @n = 0;
SELECT NULL IN (f(), f()), @n;
-- RESIGNAL outside of a handler stands behind what the statement before has left
CREATE PROCEDURE w1() BEGIN SET @a = '7x' + 1; RESIGNAL; END;
CALL w1();
SHOW WARNINGS;
CREATE PROCEDURE w2() BEGIN GET DIAGNOSTICS CONDITION 9 @x = MESSAGE_TEXT; RESIGNAL SQLSTATE '45000'; END;
CALL w2();
SHOW WARNINGS;
-- an argument that does not fit its parameter is told before the next one is evaluated, and undoes what functions in it wrote
CREATE TABLE l (a INT);
CREATE FUNCTION fl(x INT) RETURNS INT DETERMINISTIC BEGIN INSERT INTO l VALUES (x); RETURN x; END;
CREATE FUNCTION two(x TINYINT, y INT) RETURNS INT DETERMINISTIC RETURN x + y;
CREATE PROCEDURE args(x TINYINT, y INT) SELECT x, y;
SET @n = 0;
CALL args(1000, f());
CALL args(fl(7), 'x');
SELECT two(1000, f());
SELECT two(fl(8), 'x');
SELECT @n;
SELECT * FROM l;
-- a program does not see the conditions of what was before it
CREATE PROCEDURE seen() BEGIN SHOW WARNINGS; GET DIAGNOSTICS @n = NUMBER; SELECT @@warning_count, @n; END;
CREATE FUNCTION f_seen() RETURNS INT DETERMINISTIC BEGIN GET DIAGNOSTICS @n = NUMBER; RETURN @@warning_count; END;
CREATE PROCEDURE before1() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION CALL seen(); SELECT * FROM nope; END;
CALL before1();
CREATE PROCEDURE before2() BEGIN SET @a = '7x' + 1; CALL seen(); END;
CALL before2();
CREATE PROCEDURE before3() BEGIN DECLARE v INT; DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN SET v = f_seen(); SELECT v, @n; END; SELECT * FROM nope; SET @a = '7x' + 1; SELECT f_seen(); SELECT @n; END;
CALL before3();
CREATE PROCEDURE unknown_condition() BEGIN GET DIAGNOSTICS CONDITION 2 @b = MESSAGE_TEXT; SHOW WARNINGS; END;
CALL unknown_condition();
