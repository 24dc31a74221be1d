-- expressions that are one statement: what they read no function among them changes (1442), and what functions have
-- written is undone when the last of them fails, or when the value does not fit its place
--! ours skip: MariaDB's programs have another grammar, other errors and other texts; MySQL 9.7 is asked
CREATE TABLE c (id INT PRIMARY KEY, n INT);
CREATE TABLE d (id INT PRIMARY KEY, n INT);
CREATE TABLE log (id INT AUTO_INCREMENT PRIMARY KEY, txt VARCHAR(20));
INSERT INTO c VALUES (1, 1);
INSERT INTO d VALUES (1, 1);
CREATE VIEW vc AS SELECT * FROM c;
CREATE FUNCTION f(x INT) RETURNS INT BEGIN UPDATE c SET n = n + x; INSERT INTO log (txt) VALUES (CONCAT('f', x)); RETURN x; END;
CREATE PROCEDURE q(a INT, b INT) UPDATE c SET n = 100 + a;
-- arguments of CALL
CALL q(f(1), (SELECT MAX(n) FROM c));
CALL q((SELECT MAX(n) FROM c), f(1));
CALL q((SELECT MAX(n) FROM vc), f(1));
CALL q((SELECT MAX(n) FROM d), f(1));
CALL q((SELECT MAX(n) FROM c), 5);
CALL q(f(1), f(2));
PREPARE st FROM 'CALL q(f(?), (SELECT MAX(n) FROM c))';
SET @x = 1;
EXECUTE st USING @x;
CREATE PROCEDURE in_procedure() BEGIN DECLARE CONTINUE HANDLER FOR 1442 SELECT 'used'; CALL q((SELECT MAX(n) FROM c), f(1)); CALL q((SELECT MAX(n) FROM d), f(1)); END;
CALL in_procedure();
CREATE FUNCTION in_function() RETURNS INT BEGIN CALL q((SELECT MAX(n) FROM c), f(1)); RETURN 1; END;
SELECT in_function();
CREATE FUNCTION reads_then_calls() RETURNS INT BEGIN CALL q((SELECT MAX(n) FROM c), 1); RETURN 1; END;
SELECT reads_then_calls();
CALL q(reads_then_calls(), 1);
CALL q(reads_then_calls(), (SELECT MAX(n) FROM c));
-- items of SET; in a program each is a statement of its own
SET @a = f(1), @b = (SELECT MAX(n) FROM c);
SET @b = (SELECT MAX(n) FROM c), @a = f(1);
SET @b = (SELECT MAX(n) FROM d), @a = f(1);
CREATE PROCEDURE sets() BEGIN DECLARE v INT; SET @a = f(1), @b = (SELECT MAX(n) FROM c), v = f(2); SELECT @a, v; END;
CALL sets();
-- DO of several: one statement in a program, too, which ends with the first that fails
DO f(1), (SELECT MAX(n) FROM c);
CREATE PROCEDURE does() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SHOW WARNINGS; DO (SELECT MAX(n) FROM c), f(1); DO f(7), (SELECT 1 UNION SELECT 2), f(8); DO CAST('1x' AS SIGNED), 1 / 0; SHOW WARNINGS; END;
CALL does();
CREATE FUNCTION does() RETURNS INT BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SET @does = 'failed'; DO 1, (SELECT 1 UNION SELECT 2), (@does2 := 1); DO 1, 2; RETURN 3; END;
SELECT does(), @does, @does2;
SELECT txt FROM log ORDER BY id;
-- what does not fit: the value of SELECT INTO
TRUNCATE TABLE log;
CREATE PROCEDURE into_small() BEGIN DECLARE v TINYINT DEFAULT 3; DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; SELECT f(1000) INTO v; SELECT v; SELECT 5, f(1001), 6 INTO @one, v, @two; SELECT v, @one, @two; SELECT f(1) INTO v; SELECT v; END;
CALL into_small();
SELECT txt FROM log ORDER BY id;
-- an argument of CALL, in a procedure
CREATE PROCEDURE tiny(a TINYINT, b INT) INSERT INTO log (txt) VALUES ('tiny');
CREATE PROCEDURE small() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; CALL tiny(f(1000), 1); CALL tiny(f(2), 'x'); CALL tiny(f(3), f(4)); END;
CALL small();
CREATE PROCEDURE small_outside() CALL tiny(f(5), f(300000000000));
CALL small_outside();
SET @v = f(6);
CREATE PROCEDURE small_case() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION BEGIN END; SET @y = f(7) + '1x'; CASE f(8) + '1x' WHEN 9 THEN SELECT 9; ELSE BEGIN END; END CASE; IF f(9) > 'x' THEN SELECT 'x'; END IF; END;
CALL small_case();
SELECT txt FROM log ORDER BY id;
-- behind NULL that is written so DIV evaluates nothing
TRUNCATE TABLE log;
SELECT NULL DIV f(10), 127 IN (NULL DIV f(11), 1, 2), f(12) DIV NULL, NULL * f(13);
SELECT txt FROM log ORDER BY id;
--! end
