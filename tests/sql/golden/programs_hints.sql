-- Hints of one statement of a program say nothing to its other statements.
CREATE PROCEDURE h1() BEGIN SELECT /*+ SET_VAR(max_execution_time = 12345) */ @@max_execution_time; SELECT @@max_execution_time; SELECT /*+ QB_NAME(x) */ 1; SHOW WARNINGS; SELECT /*+ QB_NAME(x) */ 2; SHOW WARNINGS; END;
CALL h1();
CALL h1();
-- the hint of the last statement is its own, and what stands before it does not count
CREATE PROCEDURE h2() BEGIN SELECT @@max_execution_time; SELECT /*+ SET_VAR(max_execution_time = 54321) */ @@max_execution_time; END;
CALL h2();
CALL h2();
