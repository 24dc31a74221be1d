-- Hints of one statement of a program say nothing to its other statements.
--! ours skip: MariaDB's programs have another grammar, other errors and other texts; MySQL 9.7 is asked
CREATE PROCEDURE h1() BEGIN SELECT /*+ SET_VAR(max_execution_time = 12345) */ @@max_execution_time; SELECT @@max_execution_time; SELECT /*+ QB_NAME(x) */ 1; SHOW WARNINGS; SELECT /*+ QB_NAME(x) */ 2; SHOW WARNINGS; END;
CALL h1();
CALL h1();
-- the hint of the last statement is its own, and what stands before it does not count
CREATE PROCEDURE h2() BEGIN SELECT @@max_execution_time; SELECT /*+ SET_VAR(max_execution_time = 54321) */ @@max_execution_time; END;
CALL h2();
CALL h2();
-- SET_VAR acts for the length of the statement, in all that runs in it
CREATE FUNCTION size() RETURNS BIGINT RETURN @@sort_buffer_size;
CREATE FUNCTION hsize() RETURNS BIGINT RETURN (SELECT /*+ SET_VAR(sort_buffer_size = 77777) */ @@sort_buffer_size);
CREATE FUNCTION hinto() RETURNS BIGINT BEGIN DECLARE a, b BIGINT; SELECT /*+ SET_VAR(sort_buffer_size = 88888) */ @@sort_buffer_size INTO a; SELECT @@sort_buffer_size INTO b; RETURN a * 1000000 + b; END;
SELECT size() = @@sort_buffer_size, hinto() DIV 1000000, hinto() MOD 1000000 = @@sort_buffer_size;
SELECT /*+ SET_VAR(sort_buffer_size = 99999) */ size(), hinto() DIV 1000000, hinto() MOD 1000000;
SELECT hsize() = @@sort_buffer_size;
CREATE TABLE t (a INT, b VARCHAR(3));
CREATE PROCEDURE h3() BEGIN INSERT /*+ SET_VAR(sql_mode = 'ANSI_QUOTES') */ INTO t VALUES (1, 'long'); SHOW WARNINGS; UPDATE /*+ SET_VAR(sql_mode = 'ANSI_QUOTES') */ t SET b = 'longer'; SELECT * FROM t; INSERT INTO t VALUES (2, 'long'); END;
CALL h3();
CALL h3();
SELECT * FROM t;
CREATE PROCEDURE h4() BEGIN DECLARE v VARCHAR(50); DECLARE c CURSOR FOR SELECT /*+ SET_VAR(time_zone = '+03:00') */ FROM_UNIXTIME(0); OPEN c; FETCH c INTO v; SELECT v, @@time_zone; END;
CALL h4();
CREATE PROCEDURE h5() BEGIN SELECT /*+ SET_VAR(no_such_variable = 1) */ 1; SHOW WARNINGS; SELECT /*+ SET_VAR(max_connections = 1) */ 2; SHOW WARNINGS; SELECT /*+ SET_VAR(sort_buffer_size = 40000) SET_VAR(sort_buffer_size = 50000) */ @@sort_buffer_size; SHOW WARNINGS; END;
CALL h5();
CREATE TRIGGER tr BEFORE DELETE ON t FOR EACH ROW SELECT /*+ SET_VAR(sort_buffer_size = 66666) */ @@sort_buffer_size INTO @s;
DELETE FROM t;
SELECT @s, @@sort_buffer_size <> 66666;
-- an error in such a statement leaves nothing set
CREATE PROCEDURE h6() BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SELECT 'error', @@sort_buffer_size <> 44444; SELECT /*+ SET_VAR(sort_buffer_size = 44444) */ * FROM nowhere; SELECT @@sort_buffer_size <> 44444; END;
CALL h6();
--! end
