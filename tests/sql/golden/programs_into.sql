-- SELECT ... INTO: each variable has its value before the next item is evaluated, so what fails leaves those in front of it with new values and those behind it with old ones; strict is what goes to a variable of the program.
--! ours skip: MariaDB's programs have another grammar, other errors and other texts; MySQL 9.7 is asked
CREATE TABLE c (id INT PRIMARY KEY, n INT);
INSERT INTO c VALUES (1, 11), (2, 12), (3, NULL);
CREATE FUNCTION fe() RETURNS INT DETERMINISTIC BEGIN SIGNAL SQLSTATE '45000'; RETURN 1; END;
CREATE PROCEDURE fails() BEGIN DECLARE v, w, x INT DEFAULT 5; DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; SELECT 8, fe(), 9 INTO v, w, x; SELECT v, w, x; SELECT 7, (SELECT id FROM c), 9 INTO v, w, x; SELECT v, w, x; SELECT id, fe(), n INTO v, w, x FROM c WHERE id = 1; SELECT v, w, x; SELECT MAX(id), fe(), 9 INTO v, w, x FROM c; SELECT v, w, x; SELECT id, 18446744073709551615 + id, n INTO v, w, x FROM c WHERE id = 2; SELECT v, w, x; SELECT 8, JSON_EXTRACT('x', '$'), 2 INTO v, w, x; SELECT v, w, x; END;
CALL fails();
CREATE PROCEDURE strict() BEGIN DECLARE v, w, x INT DEFAULT 5; DECLARE z INT DEFAULT 0; DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN GET DIAGNOSTICS CONDITION 1 @m = MESSAGE_TEXT; END; SET @m = 'none'; SELECT 7, 1 / 0, 6 INTO v, w, x; SELECT v, w, x, @m; SELECT 1 / 0, 7, 6 INTO v, w, x; SELECT v, w, x, @m; SELECT 3, 7 MOD z, 6 INTO v, w, x; SELECT v, w, x, @m; SELECT 4, '7x' + 1, 6 INTO v, w, x; SELECT v, w, x, @m; SELECT 3, 'x', fe() INTO v, w, x; SELECT v, w, x, @m; SELECT 1000000, 3e10, 4 INTO v, w, x; SELECT v, w, x, @m; END;
CALL strict();
CREATE PROCEDURE to_user_variables() BEGIN DECLARE v, w, x INT DEFAULT 5; DECLARE z INT DEFAULT 0; DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN GET DIAGNOSTICS CONDITION 1 @m = MESSAGE_TEXT; END; SET @m = 'none', @w = 3; SELECT 7, 1 / z, 6 INTO v, @w, x; SELECT v, @w, x, @m; SELECT 1, '7x' + 1, 8 INTO v, @w, x; SELECT v, @w, x, @m; SELECT 2, fe(), 9 INTO v, @w, x; SELECT v, @w, x, @m; SELECT 1 / z, 2 INTO @w, v; SELECT @w, v; SELECT 3, 1 / z INTO @w, v; SELECT @w, v, @m; END;
CALL to_user_variables();
-- the search for the row is not strict
CREATE PROCEDURE searched() BEGIN DECLARE v INT DEFAULT 5; SELECT id INTO v FROM c WHERE id = 1 OR id = 1 / 0; SELECT v; SELECT id INTO v FROM c WHERE id + 0 = '2x'; SELECT v; END;
CALL searched();
-- a second row is an error before its items are evaluated; the first one is assigned
CREATE PROCEDURE second() BEGIN DECLARE v, w INT DEFAULT 5; DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN GET DIAGNOSTICS CONDITION 1 @m = MESSAGE_TEXT; END; SELECT id, IF(id = 1, 1, fe()) INTO v, w FROM c ORDER BY id; SELECT v, w, @m; SELECT id, n INTO v, w FROM c WHERE id > 5; SELECT v, w, @m; END;
CALL second();
-- outside of programs
SET @v = 1, @w = 3, @x = 4;
SELECT 7, fe(), 8 INTO @v, @w, @x;
SELECT @v, @w, @x;
SELECT 9, (SELECT id FROM c), 8 INTO @v, @w, @x;
SELECT @v, @w, @x;
SELECT 6, 1 / 0, 8 INTO @v, @w, @x;
SELECT @v, @w, @x;
SELECT id, n, 5 INTO @v, @w, @x FROM c ORDER BY id;
SELECT @v, @w, @x;
-- the same in a function within a change, which is strict around it
CREATE TABLE t (a INT);
CREATE FUNCTION f_into() RETURNS INT DETERMINISTIC BEGIN DECLARE v, w INT DEFAULT 5; DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; SELECT 1, 1 / 0 INTO v, w; SET @seen = CONCAT_WS(',', v, IFNULL(w, 'null')); RETURN v; END;
INSERT INTO t VALUES (f_into());
SELECT @seen, a FROM t;
CREATE FUNCTION f_user() RETURNS INT DETERMINISTIC BEGIN SET @w = 5; SELECT 1, 1 / 0 INTO @v, @w; RETURN @v; END;
INSERT INTO t VALUES (f_user());
SELECT f_user(), @w;
-- a DOUBLE is rounded until it fits, as in a column
CREATE PROCEDURE narrow() BEGIN DECLARE v VARCHAR(4); DECLARE c CHAR(4); DECLARE f DOUBLE DEFAULT 1e0/3; DECLARE n FLOAT DEFAULT 123.456;
 SELECT f INTO v; SET c = f; SELECT v, c; SELECT -44.0e0 + 0.25, n INTO v, c; SELECT v, c; SET v = 12345e0; SELECT v; SET v = 1e-10; END;
CALL narrow();
