-- Warnings of a statement's text: what MySQL 8.4 calls deprecated. MariaDB has none of them; golden.py leaves their numbers out when it compares with it.
CREATE TABLE t (a INT PRIMARY KEY, s VARCHAR(10));
INSERT INTO t VALUES (1, 'one'), (2, 'Two');
-- a plan that is known gives them again
SELECT a FROM t WHERE a > 0 && s = BINARY 'one';
SELECT a FROM t WHERE a > 1 && s = BINARY 'Two';
SELECT 1 || 0, !1, 2 XOR 1, NOT 0 OR 1;
-- an item that is read twice tells once
SELECT !5, 1 && BINARY 'x';
SELECT @v := a, @w := @v + 1 FROM t ORDER BY a;
SELECT SQL_CALC_FOUND_ROWS a FROM t ORDER BY a LIMIT 1;
SELECT FOUND_ROWS() AS n;
INSERT INTO t VALUES (1, 'x') ON DUPLICATE KEY UPDATE s = VALUES(s);
INSERT INTO t VALUES (1, 'y') ON DUPLICATE KEY UPDATE s = VALUES(s);
--! differs MariaDB has no row alias
INSERT INTO t VALUES (1, 'z') AS n ON DUPLICATE KEY UPDATE s = n.s;
SELECT JSON_MERGE('[1]', '2');
SELECT N'a', _utf8'b', _utf8mb3'c', CAST('d' AS NCHAR), CONVERT('e' USING utf8);
SELECT HEX(_ucs2'a'), CAST('a' AS CHAR CHARACTER SET ucs2);
CREATE TABLE n (a INT(5), b BIGINT(20) UNSIGNED ZEROFILL, c FLOAT(5,2), d DOUBLE(7,3) UNSIGNED, e DECIMAL(5,2) UNSIGNED, f DECIMAL(5) ZEROFILL, g YEAR(4), h TINYINT(1), i FLOAT(10));
CREATE TABLE c (a NCHAR(5), b NATIONAL VARCHAR(5), c CHAR(5) BINARY, d CHAR(5) ASCII, e CHAR(5) UNICODE, f NVARCHAR(5) BINARY);
CREATE TABLE o (a CHAR(5) CHARACTER SET utf8mb3, b CHAR(5) COLLATE utf8mb3_bin, c CHAR(5) CHARACTER SET utf8, d CHAR(5) COLLATE macroman_bin) CHARACTER SET ucs2;
ALTER TABLE o MODIFY a CHAR(5) CHARACTER SET macce;
SET NAMES utf8mb3 COLLATE utf8mb3_bin;
SET NAMES utf8;
SET NAMES utf8mb4;
SET sql_mode = 'STRICT_TRANS_TABLES';
SET sql_mode = 'NO_ZERO_DATE';
SET sql_mode = '';
SET sql_mode = DEFAULT;
-- prepared: when it is prepared, not when it runs
PREPARE p FROM 'SELECT a FROM t WHERE a = 1 && s = BINARY ?';
SET @x = 'z';
--! differs it has not been changed there
EXECUTE p USING @x;
CREATE VIEW v AS SELECT a, BINARY s AS b FROM t WHERE a && 1;
SELECT a FROM v ORDER BY a;
DROP VIEW v;
