-- Hints of one statement of a program say nothing to its other statements.
--! ours skip: MariaDB's programs have another grammar, other errors and other texts; MySQL 9.7 is asked
CREATE PROCEDURE h1() BEGIN SELECT /*+ SET_VAR(max_execution_time = 12345) */ @@max_execution_time; SELECT @@max_execution_time; SELECT /*+ QB_NAME(x) */ 1; SHOW WARNINGS; SELECT /*+ QB_NAME(x) */ 2; SHOW WARNINGS; END;
--! mysql SET_VAR in a statement of a program has no effect here yet
CALL h1();
--! mysql SET_VAR in a statement of a program has no effect here yet
CALL h1();
-- the hint of the last statement is its own, and what stands before it does not count
CREATE PROCEDURE h2() BEGIN SELECT @@max_execution_time; SELECT /*+ SET_VAR(max_execution_time = 54321) */ @@max_execution_time; END;
--! mysql SET_VAR in a statement of a program has no effect here yet
CALL h2();
--! mysql SET_VAR in a statement of a program has no effect here yet
CALL h2();
--! end
