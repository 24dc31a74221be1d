-- Procedures: parameters, variables, control flow, result sets, what CALL leaves.
--! ours skip: MariaDB's programs have another grammar, other errors and other texts; MySQL 9.7 is asked
CREATE TABLE t (id INT PRIMARY KEY, v INT, s VARCHAR(20));
CREATE TABLE log (n INT AUTO_INCREMENT PRIMARY KEY, what VARCHAR(50));
CREATE PROCEDURE p1(IN a INT, OUT b INT, INOUT c INT) BEGIN SET b = a * 2; SET c = c + a; SET a = 100; END;
SET @a = 5, @b = 1, @c = 10;
CALL p1(@a, @b, @c);
SELECT @a, @b, @c;
CALL p1(3, @b, @c);
SELECT @b, @c;
CALL p1(1, 2, 3);
CALL p1(1, @b);
CALL nothing();
CALL nowhere.nothing();
-- an OUT parameter begins as NULL
CREATE PROCEDURE p2(OUT x INT) SET x = COALESCE(x, 7);
SET @x = 1;
CALL p2(@x);
SELECT @x;
-- a variable without DEFAULT is NULL, inner blocks hide, and an inner block begins anew each time
CREATE PROCEDURE p3() BEGIN DECLARE x INT; DECLARE y INT DEFAULT 3; DECLARE z VARCHAR(10) DEFAULT CONCAT('a', y); SELECT x, y, z; BEGIN DECLARE y INT DEFAULT y + 1; SELECT y; SET y = 100; END; SELECT y; END;
CALL p3();
CREATE PROCEDURE p4() BEGIN DECLARE i INT DEFAULT 0; WHILE i < 3 DO BEGIN DECLARE k INT DEFAULT 0; SET k = k + 1; INSERT INTO log (what) VALUES (CONCAT('k', k, 'i', i)); END; SET i = i + 1; END WHILE; END;
CALL p4();
SELECT ROW_COUNT(), LAST_INSERT_ID();
SELECT * FROM log;
-- loops and labels
CREATE PROCEDURE p5(n INT) BEGIN DECLARE i INT DEFAULT 0; DECLARE s VARCHAR(100) DEFAULT ''; l1: LOOP SET i = i + 1; IF i > n THEN LEAVE l1; END IF; IF i % 2 = 0 THEN ITERATE l1; END IF; SET s = CONCAT(s, i, ','); END LOOP l1; SELECT s; REPEAT SET i = i - 2; SET s = CONCAT(s, i, ';'); UNTIL i < 0 END REPEAT; SELECT s, i; END;
CALL p5(6);
CREATE PROCEDURE p6() outer_block: BEGIN DECLARE i INT DEFAULT 0; w: WHILE TRUE DO SET i = i + 1; IF i = 5 THEN LEAVE outer_block; END IF; IF i = 3 THEN SELECT 'three'; END IF; END WHILE w; SELECT 'never'; END outer_block;
CALL p6();
-- IF and both forms of CASE
CREATE PROCEDURE p7(x INT) BEGIN IF x < 0 THEN SELECT 'negative'; ELSEIF x = 0 THEN SELECT 'zero'; ELSE SELECT 'positive'; END IF; CASE x WHEN 1 THEN SELECT 'one'; WHEN 2 THEN SELECT 'two'; ELSE SELECT 'many'; END CASE; CASE WHEN x > 1 THEN SELECT 'above'; WHEN x > 0 THEN SELECT 'it'; END CASE; END;
CALL p7(1);
CALL p7(2);
CALL p7(0);
CALL p7(NULL);
CREATE PROCEDURE p8(x VARCHAR(10)) CASE CONCAT(x, 'b') WHEN 'ab' THEN SELECT 1; WHEN 'AB ' THEN SELECT 2; WHEN 5 THEN SELECT 3; ELSE SELECT 4; END CASE;
CALL p8('a');
CALL p8('c');
-- a variable comes before a column of its name
INSERT INTO t VALUES (1, 10, 'one'), (2, 20, 'two'), (3, 30, 'three');
CREATE PROCEDURE p9(id INT) BEGIN DECLARE v INT DEFAULT 77; SELECT id, v, t.v FROM t WHERE t.id = id; UPDATE t SET v = v + 1 WHERE t.id = id; SELECT * FROM t ORDER BY t.id LIMIT id; END;
CALL p9(2);
CREATE PROCEDURE p10(n INT, o INT) SELECT id FROM t ORDER BY id LIMIT n OFFSET o;
CALL p10(1, 1);
CALL p10(2, 0);
-- SELECT INTO
CREATE PROCEDURE p11() BEGIN DECLARE a, b INT; DECLARE c VARCHAR(3); SELECT id, v INTO a, b FROM t WHERE t.id = 1; SELECT s INTO @s FROM t WHERE t.id = 2; SELECT a, b, @s; SELECT id INTO a FROM t WHERE t.id = 99; SELECT a; SELECT id INTO a FROM t; END;
CALL p11();
CREATE PROCEDURE p12() BEGIN DECLARE a INT; SELECT id, v INTO a FROM t WHERE id = 1; END;
CALL p12();
-- conversions into variables
CREATE PROCEDURE p13() BEGIN DECLARE a TINYINT; SET a = 300; SELECT a; END;
CALL p13();
CREATE PROCEDURE p14() BEGIN DECLARE a VARCHAR(3); SET a = 'abcd'; SELECT a; END;
CALL p14();
CREATE PROCEDURE p15() BEGIN DECLARE a INT; SET a = 'abc'; SELECT a; END;
CALL p15();
CREATE PROCEDURE p16() BEGIN DECLARE a INT; DECLARE d DATE; DECLARE e DECIMAL(5,2); DECLARE f ENUM('x','y'); SET a = 2.5; SET d = '2024-02-29'; SET e = 1.005; SET f = 'y'; SELECT a, d, e, f, f + 0, d + INTERVAL 1 DAY; END;
CALL p16();
CREATE PROCEDURE p17() BEGIN DECLARE a INT; SET a = 1 / 0; SELECT a; END;
CALL p17();
CREATE PROCEDURE p18() BEGIN DECLARE a INT; SET a = '5x' + 1; SELECT a; END;
CALL p18();
SET sql_mode = '';
CREATE PROCEDURE p19() BEGIN DECLARE a TINYINT; DECLARE b VARCHAR(3); SET a = 300; SET b = 'abcd'; SELECT a, b; SET a = 'abc'; SHOW WARNINGS; END;
SET sql_mode = DEFAULT;
CALL p19();
SELECT @@sql_mode <> '';
-- types of variables in results
CREATE PROCEDURE p20(a INT, b VARCHAR(10), c DECIMAL(10,3), d DATETIME(3)) SELECT a, b, c, d, a + 1, CONCAT(b, 'x'), c * 2;
--! types
CALL p20(1, 'x', 1.5, '2024-01-01 10:00:00.123');
-- procedures call procedures, recursion
CREATE PROCEDURE inner1(IN n INT, OUT r INT) BEGIN INSERT INTO log (what) VALUES (CONCAT('inner', n)); SET r = n * n; END;
CREATE PROCEDURE outer1() BEGIN DECLARE r, i INT DEFAULT 0; WHILE i < 3 DO CALL inner1(i, r); SELECT i, r; SET i = i + 1; END WHILE; CALL inner1(i, @u); SELECT @u; END;
CALL outer1();
CREATE PROCEDURE outer2() BEGIN DECLARE r INT; CALL inner1(1, r + 1); END;
CALL outer2();
CREATE PROCEDURE fact(IN n INT, OUT r BIGINT) BEGIN IF n <= 1 THEN SET r = 1; ELSE CALL fact(n - 1, r); SET r = r * n; END IF; END;
CALL fact(1, @r);
CALL fact(5, @r);
SET max_sp_recursion_depth = 20;
CALL fact(5, @r);
SELECT @r;
CALL fact(22, @r);
SET max_sp_recursion_depth = DEFAULT;
-- user variables change their types
CREATE PROCEDURE p21() BEGIN SET @q = 1; SET @q = @q + 1; SELECT @q; SET @q = CONCAT(@q, 'x'); SELECT @q; SET @q = NULL; SELECT @q, @q IS NULL; END;
CALL p21();
CALL p21();
-- transactions
CREATE PROCEDURE p22() BEGIN START TRANSACTION; INSERT INTO log (what) VALUES ('gone'); ROLLBACK; INSERT INTO log (what) VALUES ('stays'); END;
DELETE FROM log;
CALL p22();
SELECT what FROM log;
BEGIN;
CALL p22();
ROLLBACK;
SELECT what FROM log;
-- definitions in procedures
CREATE PROCEDURE p23(n INT) BEGIN DROP TABLE IF EXISTS made; CREATE TABLE made (a INT); INSERT INTO made VALUES (n), (n + 1); SELECT SUM(a) FROM made; ALTER TABLE made ADD b INT DEFAULT 9; SELECT * FROM made ORDER BY a; END;
CALL p23(1);
CALL p23(5);
CREATE PROCEDURE p24() BEGIN CREATE TEMPORARY TABLE tt (a INT); INSERT INTO tt VALUES (1); SELECT * FROM tt; DROP TEMPORARY TABLE tt; CREATE TEMPORARY TABLE tt (b VARCHAR(3)); INSERT INTO tt VALUES ('x'); SELECT * FROM tt; DROP TEMPORARY TABLE tt; END;
CALL p24();
CALL p24();
-- dynamic SQL
CREATE PROCEDURE p25(tab VARCHAR(64)) BEGIN SET @sql = CONCAT('SELECT COUNT(*) FROM ', tab); PREPARE s FROM @sql; EXECUTE s; DEALLOCATE PREPARE s; SET @n = 2; PREPARE s FROM 'SELECT id FROM t WHERE id > ? ORDER BY id'; EXECUTE s USING @n; END;
CALL p25('t');
-- DO, SHOW, EXPLAIN, DESCRIBE
CREATE PROCEDURE p26() BEGIN DO 1 + 1, @w := 5; SELECT @w; SHOW TABLES LIKE 't'; DESCRIBE t; END;
CALL p26();
-- subqueries in expressions
CREATE PROCEDURE p27() BEGIN DECLARE n INT DEFAULT (SELECT COUNT(*) FROM t); IF EXISTS (SELECT 1 FROM t WHERE id = 3) THEN SELECT n; END IF; SET n = (SELECT MAX(v) FROM t); SELECT n; WHILE (SELECT COUNT(*) FROM t WHERE v > 0) > 1 DO DELETE FROM t ORDER BY id LIMIT 1; END WHILE; SELECT * FROM t; END;
CALL p27();
-- empty and comments only
CREATE PROCEDURE p28() BEGIN END;
CALL p28();
CALL p28;
CALL test.p28();
-- what is changed is planned anew
CREATE TABLE ch (a INT);
INSERT INTO ch VALUES (1);
CREATE PROCEDURE p29() SELECT * FROM ch;
CALL p29();
ALTER TABLE ch ADD b INT DEFAULT 2;
CALL p29();
DROP TABLE ch;
CALL p29();
CREATE TABLE ch (z VARCHAR(5));
CALL p29();
--! end
