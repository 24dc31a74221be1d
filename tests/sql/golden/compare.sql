-- Conversions in expressions and comparisons between types; NULL; warnings.
CREATE TABLE m (i INT, bi BIGINT, ub BIGINT UNSIGNED, de DECIMAL(10,2), f DOUBLE, s VARCHAR(20), d DATE, dt DATETIME, t TIME, y YEAR);
INSERT INTO m VALUES (1, 9223372036854775807, 18446744073709551615, 1.50, 1.5, '1.5', '2020-01-02', '2020-01-02 03:04:05', '10:11:12', 2020), (0, -1, 0, 0, 0, 'abc', '1999-12-31', '1999-12-31 00:00:00', '-01:00:00', 1999), (NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
SELECT i = s, i = de, de = s, f = s, f = de, bi = ub, bi < ub, i < ub FROM m;
--! differs MySQL shows -0
SELECT s + 0, s * 1, -s, s + 1.5, CONCAT(i, de, f), i + s FROM m;
--! mysql another order of the warnings
SELECT i || s, i && s, NOT s, i XOR s FROM m;
SELECT d = '2020-01-02', d = 20200102, dt > d, dt = '2020-01-02 03:04:05', t = '10:11:12', t > 100000, y = 2020, y = '2020', y + 1 FROM m;
SELECT d + 0, dt + 0, t + 0, d + INTERVAL 1 DAY, CONCAT(d), CONCAT(t) FROM m;
--! differs the number of warnings: the text is converted for each member of IN here
SELECT s = 0, s = 1.5, s = '1.50', s < 2, s IN (1.5, 2), s BETWEEN 1 AND 2 FROM m;
SELECT bi = 9223372036854775807, bi = '9223372036854775807', bi = 9223372036854775806, bi = '9223372036854775806', ub = 18446744073709551615, ub = -1, ub > 9223372036854775807 FROM m;
--! mysql another number of warnings
SELECT bi IN ('9223372036854775806'), bi IN (9223372036854775807, 'x'), ub IN (-1, 18446744073709551615) FROM m;
--! differs constants of both kinds compare as DOUBLE (manual 14.3)
SELECT 9223372036854775807 = '9223372036854775806', 9223372036854775807 = 9223372036854775806e0, 0.1 = 0.1e0, '0.1' = 0.1, 1 = 1.0000000001;
SELECT NULL = 1, NULL <> 1, NULL < 1, NULL AND 0, NULL AND 1, NULL OR 0, NULL OR 1, NOT NULL, NULL XOR 1, NULL + 1, CONCAT('a', NULL), NULL IN (1), 1 IN (NULL), 1 NOT IN (2, NULL), NULL BETWEEN 1 AND 2, 2 BETWEEN 3 AND NULL, 2 BETWEEN 1 AND NULL;
SELECT i IS NULL, i IS NOT NULL, ISNULL(i), i <=> NULL, i <=> 1, i IS TRUE, i IS FALSE, i IS NOT TRUE, i IS UNKNOWN FROM m;
SELECT IFNULL(i, 'x'), COALESCE(i, de, f), NULLIF(i, 1), IF(i, 'yes', 'no'), CASE i WHEN 1 THEN 'one' WHEN NULL THEN 'null' ELSE 'other' END FROM m;
--! types
SELECT IFNULL(i, de), COALESCE(i, f), IF(1, i, s), IFNULL(d, dt), COALESCE(t, 'x'), NULLIF(de, 1), CASE WHEN 1 THEN de ELSE f END, GREATEST(de, f), LEAST(d, dt) FROM m LIMIT 1;
SELECT MIN(s), MAX(s), MIN(i), MAX(de), SUM(s), AVG(s), SUM(d), COUNT(y) FROM m;
SELECT * FROM m WHERE s = 0;
SELECT i FROM m WHERE s;
SELECT i FROM m WHERE i = 'abc';
UPDATE m SET i = 5 WHERE s = 0;
--! differs strict mode applies to DELETE (manual 7.1.11)
DELETE FROM m WHERE s = 5;
--! differs 1525 in MySQL 8
SELECT * FROM m WHERE d = 'abc';
--! differs 1525 in MySQL 8
SELECT * FROM m WHERE dt > '2020-02-30';
SELECT COUNT(*) FROM m WHERE d IN ('2020-01-02', '');
CREATE TABLE strict (a INT, b VARCHAR(10));
INSERT INTO strict VALUES ('5' + 0, 'x'), ('abc' + 1, 'y');
INSERT INTO strict VALUES (1, 'x'), (2, 'y');
UPDATE strict SET a = b + 1;
--! differs strict mode applies to DELETE (manual 7.1.11)
DELETE FROM strict WHERE b > 5;
UPDATE IGNORE strict SET a = b + 1;
INSERT INTO strict SELECT CAST('1x' AS SIGNED), 'z';
INSERT INTO strict VALUES (1/0, 'q');
SELECT * FROM strict;
--! differs MariaDB notes trailing spaces
SELECT 'a' + 1, '1e2' + 0, '0x10' + 0, ' 12 ' + 0, '12 abc' + 0, '' + 0, '-' + 0, '.5' + 0, '5.' + 0, '+7' + 0;
--! differs hexadecimal literals are numbers in numeric context (manual 11.1.4)
SELECT x'31' + 0, x'31' = '1', x'41' = 'A', 0x0A + 0, CONCAT(0x41, 'B'), b'1000001' = 'A', HEX(b'101'), x'' = '';
--! differs MariaDB warns of the empty text
SELECT TRUE = 1, TRUE = '1', FALSE = '', 'true' = TRUE, 2 = TRUE, 2 IS TRUE;
--! differs 1525 in MySQL 8
SELECT DATE'2020-01-02' = 'abc';
--! differs a TIME is compared with text as text
SELECT '2020-01-02' = DATE'2020-01-02', '2020-1-2' = DATE'2020-01-02', 'x' < TIME'10:00:00';
SELECT 1 IN ('1', 2), 'a' IN ('A', 1), ('1', 2) = (1, '2'), (1, NULL) = (1, 2), (1, NULL) <=> (1, NULL), (1, 2) < (1, 3), (2, NULL) > (1, 5);
SELECT 5 DIV '2', '7' MOD 4, '3' & 1, ~'0' = 18446744073709551615, '8' >> 1, 1.9 & 3, -1 & 255, '-1' & 255;
SELECT CAST('12.7' AS SIGNED), CAST(12.7 AS SIGNED), CAST('-12.5' AS DECIMAL(4,0)), CAST('abc' AS SIGNED), CAST('' AS SIGNED), CAST('2020-01-02' AS SIGNED), CAST(NULL AS SIGNED), CAST(TRUE AS CHAR), CAST(1.50 AS CHAR), CAST(x'41' AS CHAR), CAST('é' AS BINARY);
SELECT MAX(v), MIN(v) FROM (SELECT '10' v UNION ALL SELECT '9') q;
SELECT v FROM (SELECT '10' v UNION ALL SELECT '9' UNION ALL SELECT 'a') q ORDER BY v + 0, v;
SELECT COUNT(*) FROM m GROUP BY i IS NULL ORDER BY 1;
--! mysql quotients keep their digits within an expression in 8.4; changed since
SELECT 10 / 4, 10 DIV 4, 10 % 4, -10 DIV 4, -10 % 4, 10.0 / 4, 10 / 4e0, 1 / 3 * 3, 2 / 3 + 2 / 3, AVG(1) / 3;
SELECT AVG(a) * 3, AVG(a) > 1.66666 FROM (SELECT 1 a UNION ALL SELECT 2 UNION ALL SELECT 2) q;
-- each pair of rows of IN is compared in its own collation
CREATE TABLE rowin (a INT, v VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci);
INSERT INTO rowin VALUES (5, 'A');
SELECT (5, CHAR(65)) IN ((7, v), (5, 'a')), (5, CHAR(65)) IN ((7, v), (5, 'A')), (5, CHAR(65)) NOT IN ((7, v), (5, 'a')), (a, v) IN ((5, 'a'), (6, 'b')), (5, CHAR(65)) IN ((NULL, v), (5, 'a')) FROM rowin;
SELECT COERCIBILITY(CHARSET('a')), COERCIBILITY(COLLATION('a')), CHARSET(GREATEST(CHARSET('a'), CHAR(2, 65)));
DROP TABLE rowin;
-- a number among the operands of BETWEEN makes all three numbers ("applied to all the three arguments", manual)
SELECT '9' BETWEEN '10' AND 20, '5' BETWEEN '10' AND 6, '5' NOT BETWEEN '10' AND 6, '9' BETWEEN _binary'10' AND 20, '5' BETWEEN '10' AND NULL, '5' BETWEEN '6' AND 7.5, '5' BETWEEN '40' AND 1e1, '9' BETWEEN 5 AND '10';
CREATE TABLE three (v VARCHAR(9), e ENUM('z','a'), y YEAR, u VARCHAR(9) CHARACTER SET utf16, KEY (v));
INSERT INTO three VALUES ('9', 'z', 2020, '9'), ('10', 'a', 1999, '10'), ('12', 'a', 2001, '100');
SELECT v, v BETWEEN '10' AND 11, v NOT BETWEEN '10' AND y, '5' BETWEEN v AND y, e BETWEEN 1 AND '1', e BETWEEN '2' AND 2 FROM three;
SELECT v FROM three FORCE INDEX (v) WHERE v BETWEEN '10' AND 12 ORDER BY v;
-- a collation is not needed where numbers are compared
SELECT v, u BETWEEN '10' AND 11, v BETWEEN u AND 12 FROM three;
DROP TABLE three;
-- a constant text that is compared with dates and with texts is a date for the dates only
--! mysql CASE compares a text with a text as texts beside a date too; another number of warnings
--! differs MariaDB compares dates in CASE
SELECT '2000-02-28' IN ('2000-02-28', TIMESTAMP'2020-01-01 10:00:00.5'), '2000-02-28' NOT IN (TIMESTAMP'2020-01-01 10:00:00.5', '2000-02-28'), CASE '2000-02-28' WHEN '2000-02-28' THEN 1 WHEN TIMESTAMP'2020-01-01 10:00:00.5' THEN 2 END, CASE '2000-2-28' WHEN '2000-02-28' THEN 1 WHEN DATE'2000-02-28' THEN 2 END, ('2000-02-28', 1) IN (('2000-02-28', 1), (TIMESTAMP'2020-01-01 10:00:00.5', 1)), CONCAT('2000-02-28') IN ('2000-02-28', TIMESTAMP'2020-01-01 10:00:00.5'), '2000-02-28' IN ('x', NULL, DATE'2020-01-01');
CREATE TABLE years (y YEAR, d DATE, s VARCHAR(12));
INSERT INTO years VALUES (1970, '2020-01-02', '70'), (2001, '2020-01-03', '2020-01-02'), (NULL, NULL, NULL);
--! differs MariaDB reads the text beside the date as a date too, with a warning
--! mysql another number of warnings
SELECT '2020-01-02' IN (s, d), CASE '2020-01-02' WHEN s THEN 1 WHEN d THEN 2 END, ('2020-01-02', 5) IN ((s, 5), (d, 5)) FROM years;
-- beside a YEAR column 70 is 1970 (manual, "2-Digit Years in Dates"), beside a number it is 70
SELECT 70 IN (y, s), 70 IN (s, y), CASE 70 WHEN s THEN 1 WHEN y THEN 2 END FROM years WHERE s IS NOT NULL;
DROP TABLE years;
