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
-- @@warning_count: statements see what the one before has left, expressions of the program what the last statement that
-- asked has seen
CREATE PROCEDURE asked() BEGIN DECLARE v INT; GET DIAGNOSTICS CONDITION 9 @x = MESSAGE_TEXT; SET v = @@warning_count; SELECT v, @@warning_count; END;
CALL asked();
CREATE PROCEDURE asked2() BEGIN DECLARE v INT; SELECT CAST('7x' AS SIGNED) INTO @x; SET @n = @@warning_count, v = @@warning_count; SELECT v, @n; IF @@warning_count THEN SELECT 'still'; END IF; END;
CALL asked2();
CREATE PROCEDURE asked3() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN CASE @@error_count WHEN 0 THEN SELECT 'none'; ELSE SELECT 'some'; END CASE; SELECT @@error_count; END; SELECT * FROM nope; END;
CALL asked3();
CREATE PROCEDURE asked4() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN SELECT @@error_count; CASE @@error_count WHEN 0 THEN SELECT 'none'; ELSE SELECT 'some'; END CASE; END; SELECT * FROM nope; END;
CALL asked4();
CREATE FUNCTION f_asked() RETURNS INT DETERMINISTIC BEGIN GET DIAGNOSTICS CONDITION 9 @x = MESSAGE_TEXT; RETURN @@warning_count; END;
SELECT f_asked();
-- a change of one table: what a key is looked up by may be NULL, and warn of that
CREATE TABLE keyed (id INT PRIMARY KEY, n INT, u INT UNIQUE);
INSERT INTO keyed VALUES (1, 1, 1), (2, 2, 2);
DELETE FROM keyed WHERE id = 1 DIV 0;
UPDATE keyed SET n = 5 WHERE id > 1 / 0;
UPDATE keyed SET n = 5 WHERE id = (SELECT 1 / 0);
DELETE FROM keyed WHERE n = 1 / 0;
DELETE keyed FROM keyed WHERE id = 1 / 0;
DELETE FROM keyed WHERE id = 1 / 0 + id;
SELECT * FROM keyed;
-- behind NULL a DECIMAL operand is not evaluated, one of whole numbers is
CREATE PROCEDURE null_first(d DECIMAL(6, 2), i INT) BEGIN SELECT d - (SELECT id FROM keyed) AS x; SELECT d / (SELECT id FROM keyed) AS x; SELECT i / (SELECT id FROM keyed) AS x; SELECT i - (SELECT id FROM keyed) AS x; END;
CALL null_first(NULL, NULL);
-- a procedure that could not run in a function or trigger is not begun there
CREATE PROCEDURE sends() BEGIN IF FALSE THEN SELECT 1; END IF; END;
CREATE PROCEDURE prepares() BEGIN IF FALSE THEN SELECT 1; COMMIT; PREPARE q FROM 'SELECT 1'; END IF; END;
CREATE PROCEDURE commits() BEGIN IF FALSE THEN COMMIT; END IF; END;
CREATE PROCEDURE sets() BEGIN IF FALSE THEN COMMIT; SET autocommit = 1; END IF; END;
CREATE PROCEDURE calls() BEGIN CALL sends(); END;
CREATE FUNCTION f_sends() RETURNS INT DETERMINISTIC BEGIN CALL sends(); RETURN 1; END;
CREATE FUNCTION f_prepares() RETURNS INT DETERMINISTIC BEGIN CALL prepares(); RETURN 1; END;
CREATE FUNCTION f_commits() RETURNS INT DETERMINISTIC BEGIN CALL commits(); RETURN 1; END;
CREATE FUNCTION f_sets() RETURNS INT DETERMINISTIC BEGIN CALL sets(); RETURN 1; END;
CREATE FUNCTION f_calls() RETURNS INT DETERMINISTIC BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION RETURN 2; CALL calls(); RETURN 1; END;
CREATE TRIGGER keyed_sends BEFORE INSERT ON keyed FOR EACH ROW CALL sends();
SELECT f_sends();
SELECT f_prepares();
SELECT f_commits();
SELECT f_sets();
SELECT f_calls();
INSERT INTO keyed VALUES (3, 3, 3);
CALL calls();
-- an item of RESIGNAL that is wrong stands behind what the handler is for
CREATE PROCEDURE item() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION RESIGNAL SET MESSAGE_TEXT = NULL; SELECT * FROM nope; END;
CALL item();
SHOW WARNINGS;
CREATE PROCEDURE item2() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN GET STACKED DIAGNOSTICS @n = NUMBER; GET STACKED DIAGNOSTICS CONDITION 1 @a = MYSQL_ERRNO; END; BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION RESIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 0; SELECT * FROM nope; END; END;
CALL item2();
SELECT @n, @a;
-- from VARCHAR to VARCHAR columns and variables are copied, which says 1265 where all else says 1406
CREATE TABLE copied (s VARCHAR(60), t VARCHAR(12), c CHAR(12), l VARCHAR(200), w VARCHAR(60) CHARACTER SET latin1);
INSERT INTO copied (s, l, w) VALUES ('a longer text', 'a longer text', 'a longer text');
INSERT INTO copied (t) SELECT s FROM copied;
INSERT INTO copied (t) SELECT l FROM copied;
INSERT INTO copied (t) SELECT w FROM copied;
CREATE TABLE source AS SELECT s FROM copied;
INSERT INTO copied (t) SELECT s FROM source;
INSERT INTO copied (t) SELECT CONCAT(s) FROM source;
INSERT INTO copied (c) SELECT s FROM copied;
UPDATE copied SET t = s;
UPDATE copied SET t = CONCAT(s);
UPDATE copied SET t = 'a longer text';
CREATE PROCEDURE copies(v VARCHAR(60)) BEGIN DECLARE w VARCHAR(12); SET w = v; END;
CALL copies('a longer text');
CREATE PROCEDURE copies2(v VARCHAR(60)) BEGIN DECLARE w VARCHAR(12); SET w = CONCAT(v); END;
CALL copies2('a longer text');
CREATE PROCEDURE copies3(v VARCHAR(60)) BEGIN DECLARE w CHAR(12); SET w = v; END;
CALL copies3('a longer text');
CREATE PROCEDURE copies4(v VARCHAR(60)) INSERT INTO copied (t) VALUES (v);
CALL copies4('a longer text');
CREATE PROCEDURE takes(v VARCHAR(12)) SELECT v;
CREATE PROCEDURE copies5(v VARCHAR(60)) CALL takes(v);
CALL copies5('a longer text');
CREATE FUNCTION f_takes(v VARCHAR(12)) RETURNS INT DETERMINISTIC RETURN 1;
SELECT f_takes(s) FROM copied;
SELECT f_takes('a longer text');
CREATE FUNCTION f_gives(v VARCHAR(60)) RETURNS VARCHAR(12) DETERMINISTIC RETURN v;
SELECT f_gives('a longer text');
CREATE PROCEDURE gives(OUT v VARCHAR(60)) SET v = 'a longer text';
CREATE PROCEDURE copies6() BEGIN DECLARE w VARCHAR(12); CALL gives(w); END;
CALL copies6();
SET sql_mode = '';
CALL copies('a longer text');
UPDATE copied SET t = s;
SELECT t FROM copied;
SET sql_mode = DEFAULT;
-- IGNORE makes warnings of the statement's own errors, not of those of its functions
CREATE FUNCTION f_taken() RETURNS INT DETERMINISTIC BEGIN INSERT INTO keyed (id) VALUES (1); RETURN 1; END;
DROP TRIGGER keyed_sends;
CREATE TABLE ignoring (id INT PRIMARY KEY, n INT);
INSERT IGNORE INTO ignoring VALUES (1, f_taken());
INSERT IGNORE INTO ignoring VALUES (1, 1), (1, 2);
UPDATE IGNORE ignoring SET n = f_taken();
INSERT IGNORE INTO ignoring SELECT 2, f_taken();
SELECT * FROM ignoring;
-- what is computed for each row calls a function for each, what is asked of each row once where its arguments are constant
CREATE FUNCTION f_told(x VARCHAR(20)) RETURNS INT DETERMINISTIC BEGIN INSERT INTO l (a) VALUES (x); RETURN 1; END;
DELETE FROM l;
SELECT id, f_told(10), COALESCE(NULL, f_told(11)) + 1 FROM keyed;
UPDATE keyed SET n = f_told(12);
INSERT INTO ignoring SELECT id + 5, f_told(13) FROM keyed;
SELECT a, COUNT(*) FROM l GROUP BY a ORDER BY a;
-- a negative DECIMAL does not fit an unsigned column, whatever it rounds to
CREATE TABLE unsigned_column (u INT UNSIGNED);
INSERT INTO unsigned_column VALUES (-0.1);
INSERT INTO unsigned_column VALUES (-0.1e0), ('-0.1'), (0.0 * -1);
INSERT IGNORE INTO unsigned_column VALUES (-0.4);
CREATE PROCEDURE unsigned_parameter(u INT UNSIGNED) SELECT u;
CALL unsigned_parameter(ROUND(-1 / 10, 2));
SELECT * FROM unsigned_column;
-- behind a statement that has succeeded handlers are asked about its warnings and notes, not about errors that stand there
CREATE PROCEDURE warns() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION RESIGNAL SQLSTATE '01000'; CASE 5 WHEN 6 THEN SELECT 1; END CASE; END;
CREATE PROCEDURE behind1() BEGIN DECLARE CONTINUE HANDLER FOR 1339 SET @a = 1339; SET @a = 0; CALL warns(); SELECT @a; END;
CALL behind1();
CREATE PROCEDURE behind2() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET @a = 'error'; DECLARE CONTINUE HANDLER FOR SQLWARNING SET @a = 'warning'; SET @a = 0; CALL warns(); SELECT @a; END;
CALL behind2();
CREATE PROCEDURE behind3() BEGIN DECLARE CONTINUE HANDLER FOR 1642 SET @a = 1642; SET @a = 0; BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION RESIGNAL SQLSTATE '01000'; CASE 5 WHEN 6 THEN SELECT 1; END CASE; END; SELECT @a; END;
CALL behind3();
CREATE PROCEDURE lacks() GET DIAGNOSTICS CONDITION 1 @x = MESSAGE_TEXT;
CREATE PROCEDURE behind4() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION SELECT 'handled'; CALL lacks(); SELECT 'went on'; END;
CALL behind4();
-- arithmetic with the literal NULL is a DOUBLE, which evaluates both operands
CREATE FUNCTION f_decimal() RETURNS DECIMAL(6, 2) DETERMINISTIC BEGIN SET @n = @n + 1; RETURN 1; END;
SET @n = 0;
SELECT NULL * f_decimal(), (2 * NULL) - f_decimal(), (NULL + 1.5) - f_decimal();
SELECT @n;
SELECT CAST(NULL AS DECIMAL(5, 2)) - f_decimal(), (SELECT n FROM keyed WHERE id = 99) - f_decimal();
SELECT @n;
CREATE TABLE nulls AS SELECT NULL * 1.5 AS a, 2 * NULL AS b, NULL + CAST(1 AS DECIMAL(5, 2)) AS c, NULL / 2 AS d, -NULL AS e, NULL % 2 AS f, ABS(NULL) AS g, (2 * NULL) - 1.5 AS h, NULL + NULL AS i, NULL DIV 2 AS j, -(-NULL) AS k, NULL + 1e0 AS l, NULL | 1 AS m;
SHOW CREATE TABLE nulls;
-- a condition is not strict because the statement before it was
CREATE FUNCTION f_four() RETURNS INT BEGIN DECLARE v INT DEFAULT 3; SET v = v + 1; RETURN v; END;
CREATE PROCEDURE strict1() BEGIN DECLARE v INT; SET v = f_four(); IF (1 % 0) <=> ROW_COUNT() THEN SELECT 'then'; ELSE SELECT 'else'; END IF; SET @s = 1 / 0; CASE 1 / 0 WHEN 1 THEN SELECT 1; ELSE SELECT 'no case'; END CASE; SET v = (SELECT COUNT(*) FROM keyed); WHILE 1 / 0 DO SELECT 1; END WHILE; DO 1 / 0; SET v = 1 / 0; END;
CALL strict1();
CREATE FUNCTION strict2() RETURNS INT BEGIN DECLARE v INT; SET v = f_four(); DO 1 / 0; IF 1 / 0 THEN SET v = 1; END IF; SET @s = 1 / 0; RETURN v; END;
SELECT strict2();
DO strict2();
-- SIGNAL of a warning has succeeded
CREATE PROCEDURE signals1() BEGIN SELECT 1; SIGNAL SQLSTATE '01000'; GET DIAGNOSTICS @a = NUMBER, @rc = ROW_COUNT; END;
CALL signals1();
SELECT @a, @rc;
CREATE PROCEDURE signals2() BEGIN DECLARE CONTINUE HANDLER FOR SQLWARNING BEGIN GET DIAGNOSTICS @a = NUMBER, @rc = ROW_COUNT; END; SELECT 1; SIGNAL SQLSTATE '01000'; END;
CALL signals2();
SELECT @a, @rc;
CREATE PROCEDURE signals3() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN RESIGNAL SQLSTATE '01000'; GET DIAGNOSTICS @a = NUMBER, @rc = ROW_COUNT; END; SIGNAL SQLSTATE '45000'; SELECT ROW_COUNT(); END;
CALL signals3();
SELECT @a, @rc;
CREATE PROCEDURE signals4() BEGIN DECLARE CONTINUE HANDLER FOR SQLWARNING BEGIN RESIGNAL SET MYSQL_ERRNO = 77; GET DIAGNOSTICS @a = NUMBER, @rc = ROW_COUNT; END; SELECT 1; SIGNAL SQLSTATE '01000'; END;
CALL signals4();
SELECT @a, @rc;
-- that a function calls itself is said before the arguments of the inner call are evaluated
CREATE TABLE called (a INT);
CREATE FUNCTION argument() RETURNS INT BEGIN SET @argument = 1; RETURN 1; END;
CREATE TRIGGER calls_again BEFORE INSERT ON called FOR EACH ROW SET @s = again(argument());
CREATE FUNCTION again(n INT) RETURNS INT BEGIN INSERT INTO called VALUES (n); RETURN n; END;
SET @argument = 0;
SELECT again(5);
SELECT @argument;
-- a comparison converts a value that stays the same once, and calls the function for it once
CREATE FUNCTION f_text(a INT) RETURNS VARCHAR(20) DETERMINISTIC BEGIN SET @n = @n + 1; RETURN 'a text'; END;
CREATE FUNCTION f_int(a INT) RETURNS INT DETERMINISTIC BEGIN SET @n = @n + 1; RETURN 1; END;
CREATE TABLE three (a INT PRIMARY KEY);
INSERT INTO three VALUES (1), (2), (3);
SET @n = 0;
SELECT a, f_text((SELECT MIN(a) FROM three)) > 1 FROM three;
SHOW WARNINGS;
SELECT @n;
SELECT a, f_text(2) > a, f_int(1) > 1.5, f_int(1) = 'x' FROM three;
SELECT @n;
SELECT a, f_int(1) > 1, f_text(1) > 'b', f_text(a) > 1 FROM three;
SELECT @n;
-- an argument that does not fit its parameter is said before a subquery behind it fails
CREATE FUNCTION f_small(a TINYINT, b INT) RETURNS INT RETURN b;
SELECT f_small(300, (SELECT a FROM three));
CREATE PROCEDURE small_first() BEGIN DECLARE v INT; SET v = f_small(300, (SELECT a FROM three)); END;
CALL small_first();
SELECT f_small(3, (SELECT a FROM three));
