-- PREPARE of a CALL looks at the procedure, at the number of its arguments, at what they name and at rights.
--! ours skip: MariaDB has no scale of these types, and other texts; MySQL 9.7 is asked
CREATE PROCEDURE z() SELECT 2;
CREATE PROCEDURE o(IN a INT, OUT b INT) SET b = a;
PREPARE s FROM 'CALL nothing(?)';
PREPARE s FROM 'CALL nowhere.z()';
PREPARE s FROM 'CALL z(?)';
PREPARE s FROM 'CALL o(?)';
PREPARE s FROM 'CALL o(nocol, @a)';
PREPARE s FROM 'CALL o((SELECT MAX(x) FROM nowhere), @a)';
PREPARE s FROM 'CALL o(1 / 0, @a)';
PREPARE s FROM 'CALL o(?, @a)';
SET @i = 7;
EXECUTE s USING @i;
SELECT @a;
DROP PROCEDURE o;
EXECUTE s USING @i;
CREATE PROCEDURE o(IN a INT) SELECT a;
EXECUTE s USING @i;
DEALLOCATE PREPARE s;
PREPARE s FROM 'CALL z';
EXECUTE s;
DROP PROCEDURE z;
DROP PROCEDURE o;
-- float, double and bit have a scale of 0 where columns have none
CREATE PROCEDURE p(a FLOAT, b DOUBLE, c BIT(9), d FLOAT(7,3), e DECIMAL(20,5), f INT, g YEAR, h DATE, i VARCHAR(9)) SELECT 1;
SELECT parameter_name, numeric_precision, numeric_scale FROM information_schema.parameters WHERE specific_schema = DATABASE() ORDER BY ordinal_position;
DROP PROCEDURE p;
