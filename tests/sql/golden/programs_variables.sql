-- A function assigns to a user variable of the statement that calls it. It keeps the type that it had when the statement
-- was resolved where a number is wanted; its text is that of what it holds.
CREATE TABLE t (n INT, s VARCHAR(20));
CREATE FUNCTION ft() RETURNS INT NO SQL BEGIN SET @b = '12 is text'; RETURN 1; END;
CREATE FUNCTION fi() RETURNS INT NO SQL BEGIN SET @b = 99; RETURN 1; END;
CREATE FUNCTION fn() RETURNS INT NO SQL BEGIN SET @b = NULL; RETURN 1; END;
--! ours MariaDB reads all of the type it had
SET @b = 7;
SELECT ft(), CONCAT(@b, '');
SET @b = 7;
--! mysql its text is in the character set of text, where a letter is a letter (here it is a number's)
SELECT ft(), LENGTH(@b), UPPER(@b), CAST(@b AS CHAR), @b + 1, @b = 12;
SET @b = 7;
INSERT INTO t VALUES (ft(), CONCAT('', @b));
SET @b = 7;
SELECT fn(), CONCAT(@b, ''), COALESCE(CONCAT(@b, ''), 'null'), @b + 1;
SET @b = 1.5;
SELECT ft(), CONCAT(@b, ''), LENGTH(@b), CAST(@b AS CHAR), @b + 1;
SET @b = 1.5;
SELECT fi(), CONCAT(@b, ''), LENGTH(@b), CAST(@b AS CHAR);
SET @b = 2e0;
--! mysql warns that it is no number (1292)
SELECT ft(), CONCAT(@b, ''), LENGTH(@b), CAST(@b AS CHAR), @b + 1;
SET @b = 'seven';
SELECT fi(), CONCAT(@b, ''), @b + 1;
SELECT * FROM t;
--! end
