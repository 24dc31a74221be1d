-- Kinds that MariaDB's own files of stored programs have found beside MySQL 9.7 (tests/suites/mysqltest_programs.py).
--! ours skip: MariaDB's programs have another grammar, other errors and other texts; MySQL 9.7 is asked
-- a variable in CREATE TABLE ... SELECT makes a column of its own type
CREATE PROCEDURE makes(x DATETIME) BEGIN DECLARE a TINYINT; DECLARE b SMALLINT UNSIGNED; DECLARE c MEDIUMINT; DECLARE d INT; DECLARE e BIGINT; DECLARE f FLOAT; DECLARE g DECIMAL(10,3); DECLARE h BIT(8); DECLARE i YEAR; DECLARE j TINYTEXT; DECLARE k TEXT; DECLARE l MEDIUMTEXT; DECLARE m LONGTEXT; DECLARE n VARCHAR(20); DECLARE o CHAR(5) CHARSET latin1; DECLARE p VARBINARY(10); DECLARE q DATE; DECLARE r TIME(3); DECLARE s DATETIME(6); DECLARE t TIMESTAMP; DECLARE u ENUM('a','b'); DECLARE v SET('x','y'); DECLARE w JSON; DECLARE y BOOL; DECLARE z DOUBLE; CREATE TABLE made SELECT x, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, y, z, a + 1, CONCAT(n), g * 2; END;
CALL makes(NULL);
SHOW CREATE TABLE made;
DROP TABLE made;
CREATE PROCEDURE makes_temporary(n VARCHAR(7)) BEGIN CREATE TEMPORARY TABLE made SELECT n; END;
CALL makes_temporary('abc');
SHOW CREATE TABLE made;
DROP TABLE made;
-- ... a parameter of a statement that a program prepares does not
CREATE PROCEDURE makes_prepared(n DATE) BEGIN SET @d = n; PREPARE s FROM 'CREATE TABLE made SELECT ? AS p'; EXECUTE s USING @d; END;
CALL makes_prepared('2020-01-01');
SHOW CREATE TABLE made;
DROP TABLE made;
-- a view has no variables: said when the program is made
CREATE PROCEDURE v1(i INT) CREATE VIEW v AS SELECT i;
CREATE PROCEDURE v2() BEGIN DECLARE i INT; CREATE VIEW v AS SELECT 1 FROM (SELECT i) d; END;
CREATE PROCEDURE v3() CREATE VIEW v AS SELECT @a;
CREATE PROCEDURE v4() CREATE VIEW v AS SELECT @@sql_mode;
CREATE PROCEDURE v5(i INT) CREATE VIEW v AS SELECT 1 WHERE i = 1;
CREATE PROCEDURE v6(i INT) BEGIN CREATE VIEW v AS SELECT 1; SELECT i; END;
CREATE PROCEDURE v7(i INT) CREATE VIEW v AS SELECT 1 LIMIT i;
PREPARE s FROM 'CREATE VIEW v AS SELECT ?';
PREPARE s FROM 'CREATE VIEW v AS SELECT @a';
PREPARE s FROM 'CREATE VIEW v AS SELECT 1 LIMIT ?';
CREATE VIEW v AS SELECT 1 INTO @a;
-- DEFAULT() is of columns
CREATE PROCEDURE d1() BEGIN DECLARE s INT DEFAULT 0; SELECT DEFAULT(s) FROM t; END;
CREATE FUNCTION d2(a INT) RETURNS INT RETURN DEFAULT(a);
CREATE PROCEDURE d3() BEGIN DECLARE s INT DEFAULT 0; SELECT DEFAULT(t.s) FROM t; END;
-- what a view's function lacks is an error of the view
CREATE TABLE base (i INT);
CREATE FUNCTION reads() RETURNS INT RETURN (SELECT MAX(i) FROM base);
CREATE FUNCTION reads_by() RETURNS INT RETURN reads();
CREATE VIEW of_function AS SELECT reads();
CREATE VIEW of_caller AS SELECT reads_by();
CREATE VIEW of_view AS SELECT * FROM of_function;
DROP TABLE base;
SELECT * FROM of_function;
SELECT * FROM of_caller;
SELECT * FROM of_view;
SELECT reads();
DROP VIEW of_function, of_caller, of_view;
-- a statement that runs may neither run nor be prepared again
SET max_sp_recursion_depth = 10;
CREATE PROCEDURE recurs() BEGIN EXECUTE s; END;
CREATE PROCEDURE replaces() BEGIN PREPARE s FROM 'SELECT 1'; END;
CREATE PROCEDURE forgets() BEGIN DEALLOCATE PREPARE s; END;
PREPARE s FROM 'CALL recurs()';
EXECUTE s;
EXECUTE s;
CALL recurs();
PREPARE s FROM 'CALL replaces()';
EXECUTE s;
PREPARE s FROM 'CALL forgets()';
EXECUTE s;
CALL forgets();
EXECUTE s;
SET max_sp_recursion_depth = DEFAULT;
-- a RESIGNAL that adds a condition has room for it: the oldest goes
CREATE PROCEDURE deep3() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION RESIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'three'; DROP TABLE not_here; END;
CREATE PROCEDURE deep2() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION RESIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'two'; CALL deep3(); END;
CREATE PROCEDURE deep1() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION RESIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'one'; CALL deep2(); END;
SET max_error_count = 2;
CALL deep1();
SHOW WARNINGS;
SET max_error_count = 3;
CALL deep1();
SHOW WARNINGS;
SET max_error_count = 1;
CALL deep1();
SHOW WARNINGS;
SET max_error_count = DEFAULT;
CALL deep1();
SHOW WARNINGS;
-- events: an event that is written as disabled is not disabled for its time
CREATE EVENT e1 ON SCHEDULE AT '1970-01-02' ON COMPLETION PRESERVE DISABLE DO SELECT 1;
CREATE EVENT e2 ON SCHEDULE AT '1970-01-02' ON COMPLETION PRESERVE DO SELECT 1;
CREATE EVENT e3 ON SCHEDULE EVERY 1 DAY STARTS '1999-01-01' ENDS '1999-01-02' ON COMPLETION PRESERVE DISABLE DO SELECT 1;
ALTER EVENT e1 ON SCHEDULE AT '1970-01-03' DISABLE;
ALTER EVENT e1 ON SCHEDULE AT '1970-01-03';
ALTER EVENT e1 ON SCHEDULE AT '1970-01-03' ENABLE;
SELECT EVENT_NAME, STATUS FROM information_schema.events WHERE EVENT_SCHEMA = 'test' ORDER BY 1;
-- ... the new name is asked for first
ALTER EVENT not_here RENAME TO e1;
ALTER EVENT not_here RENAME TO e4;
DROP EVENT e1;
DROP EVENT e2;
DROP EVENT e3;
-- SHOW ... FROM a name that cannot be one
SHOW EVENTS FROM ``;
SHOW TABLES FROM ``;
SHOW TRIGGERS FROM `a `;
SHOW TABLE STATUS FROM ``;
SHOW EVENTS FROM aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;
SHOW TABLES FROM aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;
-- a keyword that no function is called by
SELECT MAX (1);
SELECT `count`(1);
SELECT `now`();
SELECT test.substr('a');
SELECT SUBSTR ('abc', 1);
SELECT `nosuch`(1);
SELECT `abs`(-1);
CREATE FUNCTION `MAX`(a INT) RETURNS INT RETURN a;
--! mysql the note 1585 comes again when it loads the function
SELECT MAX (7), `max`(8);
DROP FUNCTION `MAX`;
-- a join without a list of columns is said before what REPLACE would delete
CREATE TABLE a1 (x INT PRIMARY KEY);
CREATE TABLE a2 (y INT PRIMARY KEY);
CREATE VIEW joined AS SELECT x, y FROM a1 JOIN a2;
REPLACE joined VALUES (1, 2);
REPLACE joined SELECT 1, 2;
REPLACE joined(x) VALUES (1);
REPLACE joined SET x = 1;
INSERT joined VALUES (1, 2);
DROP VIEW joined;
-- sql_select_limit is not for procedures, but for functions; what a procedure sets ends with it
CREATE TABLE ls (a INT);
INSERT INTO ls VALUES (1), (2), (3);
CREATE PROCEDURE limited() BEGIN DECLARE n INT DEFAULT 0; DECLARE x INT; DECLARE c CURSOR FOR SELECT a FROM ls; DECLARE EXIT HANDLER FOR NOT FOUND SELECT n, @@sql_select_limit; SELECT a FROM ls ORDER BY a; OPEN c; LOOP FETCH c INTO x; SET n = n + 1; END LOOP; END;
CREATE FUNCTION limited() RETURNS INT BEGIN DECLARE n INT DEFAULT 0; DECLARE x INT; DECLARE c CURSOR FOR SELECT a FROM ls; DECLARE EXIT HANDLER FOR NOT FOUND RETURN n; OPEN c; LOOP FETCH c INTO x; SET n = n + 1; END LOOP; RETURN 0; END;
CREATE PROCEDURE prepares() BEGIN PREPARE s FROM 'SELECT a FROM ls ORDER BY a'; EXECUTE s; END;
CREATE PROCEDURE sets() BEGIN SET sql_select_limit = 2; SELECT a FROM ls ORDER BY a; END;
SET sql_select_limit = 1;
CALL limited();
SELECT limited();
CALL prepares();
CALL sets();
SELECT @@sql_select_limit;
SET sql_select_limit = DEFAULT;
-- a default schema that a procedure drops is none any more
CREATE DATABASE dropped;
CREATE PROCEDURE drops() DROP DATABASE dropped;
USE dropped;
CALL test.drops();
SELECT DATABASE();
CREATE DATABASE dropped;
CREATE PROCEDURE dropped.drops() DROP DATABASE dropped;
USE dropped;
CALL drops();
SELECT DATABASE();
USE test;
-- hexadecimal and binary literals are numbers of errors
SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 0x12;
CREATE PROCEDURE signals() SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 0b100010010;
CALL signals();
SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = x'010203';
-- a LONGTEXT of a program is a BLOB to a client
CREATE PROCEDURE tells(OUT v LONGTEXT, OUT w MEDIUMBLOB) BEGIN DECLARE l LONGTEXT; DECLARE m LONGBLOB; SELECT l, m, v, REPEAT(l, 10000000) AS made; END;
--! types
CALL tells(@v, @w);
--! end
