-- CAST to lengths that no column has: 0, and beyond 65,535 bytes.
--! ours MariaDB has no such limits, and tells of them otherwise
SELECT cast('abc' AS CHAR(0)), cast('' AS CHAR(0)), cast('abc' AS BINARY(0)), convert('abc', CHAR(0)), cast(NULL AS CHAR(0)), cast(12 AS CHAR(0));
SELECT length(cast('abc' AS BINARY(70000))), length(cast('abc' AS CHAR(70000))), hex(right(cast('abc' AS BINARY(70000)), 2)), left(cast('äbc' AS CHAR(70000)), 2);
--! mysql its warnings count bytes and show those of BINARY in hexadecimal
SELECT length(cast(repeat('ä', 40000) AS BINARY(70000))), char_length(cast(repeat('ä', 80000) AS CHAR(70000))), length(cast(repeat('ä', 30000) AS CHAR(70000)));
SELECT length(cast('abc' AS BINARY(67108864))), length(cast('abc' AS BINARY(67108865))), length(cast('abc' AS CHAR(67108864))), length(cast('abc' AS CHAR(67108865)));
SELECT cast('abc' AS CHAR(4294967295) CHARACTER SET latin1);
SELECT cast('abc' AS BINARY(100000000)) IS NULL;
SELECT charset(cast('abc' AS CHAR(70000) CHARACTER SET utf16)), hex(cast('abc' AS CHAR(70000) CHARACTER SET utf16)), hex(cast('ab' AS CHAR(0) CHARACTER SET ucs2)), collation(cast('a' AS CHAR(70000))), coercibility(cast('a' AS CHAR(70000)));
CREATE TABLE cl AS SELECT cast('abc' AS CHAR(0)) a;
CREATE TABLE cl AS SELECT cast('' AS CHAR(0)) a, cast('abc' AS CHAR(70000)) b, cast('abc' AS BINARY(70000)) c, cast('abc' AS CHAR(20)) d, cast('abc' AS BINARY(20)) e;
SHOW CREATE TABLE cl;
DROP TABLE cl;
CREATE VIEW vl AS SELECT cast('abc' AS CHAR(0)) a, cast('abc' AS BINARY(70000)) b;
SELECT a, length(b) FROM vl;
DROP VIEW vl;
SELECT cast(_utf8mb4'ab' AS CHAR(70000)) = 'AB', cast('2020-01-01' AS CHAR(70000)) = DATE'2020-01-01', cast('5' AS CHAR(70000)) + 1, concat(cast('x' AS CHAR(0)), 'y');
--! end
