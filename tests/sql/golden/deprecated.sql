-- Deprecated syntax: the warnings that MySQL gives when it reads a statement (manual, "What Is New in MySQL 8.0", "Deprecated features").
CREATE TABLE widths(a INT(11), b TINYINT(1), c INT(4) ZEROFILL, d INT UNSIGNED ZEROFILL, e BIGINT(20) UNSIGNED, f BOOL, g INT UNSIGNED);
CREATE TABLE reals(a FLOAT UNSIGNED, b DOUBLE UNSIGNED ZEROFILL, c DECIMAL(10,2) UNSIGNED, d DECIMAL ZEROFILL, e FLOAT(7), f FLOAT(7,3), g REAL(7,3) UNSIGNED ZEROFILL, h DECIMAL(8,2));
CREATE TABLE years(a YEAR(4), b YEAR UNSIGNED, c YEAR(4) UNSIGNED ZEROFILL, d YEAR);
CREATE TABLE sets(a CHAR(5) CHARACTER SET utf8mb3, b CHAR(5) CHARSET utf8, c TEXT CHARACTER SET ucs2 COLLATE ucs2_bin, d CHAR(5) COLLATE utf8mb3_bin, e CHAR(5) CHARSET macroman) CHARSET hp8;
CREATE TABLE attributes(a CHAR(5) BINARY, b CHAR(5) ASCII, c CHAR(4) UNICODE, d CHAR(4) BINARY ASCII, e CHAR(4) ASCII BINARY, f CHAR(3) CHARSET latin1 BINARY);
CREATE TABLE nationals(a NCHAR(5), b NVARCHAR(5), c NATIONAL CHAR(5) BINARY);
ALTER TABLE nationals CONVERT TO CHARACTER SET utf8mb3 COLLATE utf8mb3_bin;
ALTER TABLE nationals ADD d SMALLINT(3) ZEROFILL;
CREATE DATABASE old CHARSET utf8;
ALTER DATABASE old CHARSET dec8;
DROP DATABASE old;
SELECT CONVERT('a' USING utf8mb3) AS a, CONVERT('a' USING utf8) AS b, CAST('a' AS CHAR CHARACTER SET ucs2) AS c, CHAR(65 USING utf8mb3) AS d;
SELECT _utf8mb3'a' AS a, _utf8'b' AS b, _latin1'c' AS c, N'd' AS d, _macce X'45' AS e;
-- the collation of an expression is not mentioned
SELECT _utf8mb3'a' COLLATE utf8mb3_bin AS a;
SELECT CAST('a' AS NCHAR) AS a, CAST('a' AS CHAR(3) BINARY) AS b;
--! types
SELECT BINARY 'a' AS a, BINARY('b') AS b, CAST('c' AS BINARY) AS c;
-- an item without a name is read twice and told once
SELECT BINARY 'a';
SELECT @a := 1, (@b := 2) + (@c := 3);
-- again from the plan cache
SELECT @a := 1, (@b := 2) + (@c := 3);
SELECT 1 && 2 AS a, !1 AS b, ! 0 + 1 AS c, NOT 1 AS d;
SELECT 1 || 0 AS a, 1 OR 0 AS b;
SET sql_mode = CONCAT(@@sql_mode, ',PIPES_AS_CONCAT');
SELECT 1 || 0 AS a;
SET sql_mode = DEFAULT;
SELECT SQL_CALC_FOUND_ROWS 1 AS a;
SELECT FOUND_ROWS() AS a;
SELECT SQL_NO_CACHE 1 AS a;
-- functions are told behind the rest
SELECT FOUND_ROWS() AS a, BINARY 1 AS b, @q := 4 AS c;
CREATE TABLE ins(a INT PRIMARY KEY, b INT);
INSERT INTO ins VALUES (1, 2) ON DUPLICATE KEY UPDATE b = VALUES(b) + VALUES(a);
INSERT INTO ins VALUES (1, 2) ON DUPLICATE KEY UPDATE b = VALUES(b) + VALUES(a);
INSERT INTO ins SELECT 1, 5 ON DUPLICATE KEY UPDATE b = VALUES(b);
--! differs MariaDB has no row alias
INSERT INTO ins VALUES (1, 2) AS n ON DUPLICATE KEY UPDATE b = n.b;
--! differs MariaDB has VALUE() for it
SELECT VALUES(a) AS a FROM ins;
UPDATE ins SET b = BINARY 7;
DELETE FROM ins WHERE b = (@d := 1);
DO @e := 1;
SET @f = BINARY 'x', @g = (@h := 1);
-- when it is prepared, not when it runs
PREPARE p FROM 'SELECT FOUND_ROWS() + 10 > 1 AS a, BINARY 1 AS b, CAST(1 AS CHAR CHARSET utf8mb3) AS c';
EXECUTE p;
DEALLOCATE PREPARE p;
CREATE VIEW v AS SELECT BINARY 'x' AS a;
SELECT * FROM v;
CREATE TABLE g(a INT, b VARBINARY(4) AS (BINARY 'a'));
SELECT * FROM g;
-- before an error
CREATE TABLE g(a INT(3));
SELECT BINARY nothing FROM g;
CREATE TABLE $t ($a INT);
SELECT $a FROM $t;
SELECT `$a` FROM `$t`;
SET NAMES utf8mb3;
SET NAMES utf8mb3 COLLATE utf8mb3_bin;
SET NAMES utf8;
SET NAMES utf8mb4;
-- SET CHARACTER SET says nothing
SET CHARACTER SET utf8mb3;
SET NAMES utf8mb4;
SET character_set_results = utf8mb3;
SET character_set_results = 'utf8';
SET character_set_results = utf8mb4;
SET collation_connection = utf8mb3_bin;
SET NAMES utf8mb4 COLLATE utf8mb4_general_ci;
SET character_set_database = utf8mb4;
SET collation_database = utf8mb4_bin;
SET sql_mode = 'STRICT_TRANS_TABLES';
SET sql_mode = 'NO_ZERO_DATE';
SET sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO';
SET sql_mode = CONCAT(@@sql_mode, ',PAD_CHAR_TO_FULL_LENGTH');
SET sql_mode = '';
SET sql_mode = DEFAULT;
CREATE USER many;
GRANT SUPER ON *.* TO many;
REVOKE SUPER ON *.* FROM many;
DROP USER many;
