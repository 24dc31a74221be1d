-- What MySQL's own test files (8.4.8's recorded results) showed: limits and errors of definitions, functions, comparisons. Beside MySQL and MariaDB.

-- types
--! ours MariaDB has BIT(1) then
CREATE TABLE t1 (a BIT(0));
DROP TABLE IF EXISTS t1;
--! end
CREATE TABLE t1 (a ENUM('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'));
DROP TABLE t1;
--! ours MariaDB takes longer ones
CREATE TABLE t1 (a ENUM('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'));
CREATE TABLE t1 (a SET('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx') CHARACTER SET binary);
DROP TABLE IF EXISTS t1;
--! end
SET @mode = @@sql_mode;
SET sql_mode = '';
CREATE TABLE t1 (a VARCHAR(70000), b VARBINARY(70000));
--! differs MariaDB shows the default NULL of texts
SHOW CREATE TABLE t1;
DROP TABLE t1;
SET sql_mode = @mode;
--! ours MariaDB takes a number for a member's place
CREATE TABLE t1 (a ENUM('a', 'b') DEFAULT 1);
CREATE TABLE t1 (a SET('a', 'b') DEFAULT 0);
CREATE TABLE t1 (a SET('a', 'b') DEFAULT 3);
CREATE TABLE t1 (a ENUM('a', '1') DEFAULT 1, b SET('x', '2', '1') DEFAULT '1', c ENUM('9', '10') CHARACTER SET utf16 DEFAULT 10);
SHOW CREATE TABLE t1;
ALTER TABLE t1 ALTER a SET DEFAULT 2;
DROP TABLE t1;
--! end
--! differs MariaDB's error is 4145
CREATE TABLE t1 (a INT INVISIBLE);
CREATE TABLE t1 (a BIT(3));
INSERT INTO t1 VALUES (7.9e0);
INSERT INTO t1 VALUES (7.4);
INSERT INTO t1 VALUES (7.9);
SELECT a + 0 FROM t1;
DROP TABLE t1;
--! ours MariaDB has neither functional keys nor these attributes
CREATE TABLE t1 (j JSON, KEY k (((j, j))));
CREATE TABLE t1 (a INT) ENGINE_ATTRIBUTE = '';
CREATE TABLE t1 (a INT) ENGINE_ATTRIBUTE = '{bad:json';
CREATE TABLE t1 (a INT) SECONDARY_ENGINE_ATTRIBUTE = '{"a": }';
CREATE TABLE t1 (a INT ENGINE_ATTRIBUTE = '{"a": 1}');
CREATE TABLE t1 (a INT, KEY (a) ENGINE_ATTRIBUTE = '{"a": 1}');
CREATE TABLE t1 (a INT);
ALTER TABLE t1 ENGINE_ATTRIBUTE = '{"a": 1}';
ALTER TABLE t1 ADD COLUMN b INT ENGINE_ATTRIBUTE = '{"a": 1}';
DROP TABLE t1;
--! end
CREATE TABLE t1 (a TEXT CHARACTER SET utf16, b VARCHAR(10) CHARACTER SET utf32, c MEDIUMTEXT CHARACTER SET ucs2, d LONGTEXT CHARACTER SET utf32, e TINYTEXT);
--! differs MariaDB shows bytes for texts
SELECT column_name, character_maximum_length, character_octet_length FROM information_schema.columns WHERE table_name = 't1' ORDER BY ordinal_position;
DROP TABLE t1;

-- statements
--! ours MariaDB has other debugging aids and no EXPLAIN INTO
SHOW PROCEDURE CODE foo;
SHOW FUNCTION CODE foo;
EXPLAIN FORMAT=TRADITIONAL INTO @v1 SELECT 1;
EXPLAIN FORMAT=TREE INTO @v1 SELECT 1;
EXPLAIN FORMAT=JSON INTO @v1 FOR CONNECTION 1;
--! end
CREATE TABLE t1 (a INT, b INT);
INSERT INTO t1 VALUES (1, 2), (3, 4);
--! ours MariaDB aggregates without a word
SELECT a FROM t1 ORDER BY COUNT(*);
SELECT a FROM t1 ORDER BY a, SUM(b);
SELECT DISTINCT 1 FROM t1 ORDER BY COUNT(*);
SELECT 1 FROM t1 GROUP BY (SELECT 1 FROM t1 ORDER BY AVG(a));
--! end
SELECT a FROM t1 GROUP BY a ORDER BY COUNT(*), a;
SELECT COUNT(*) FROM t1 ORDER BY SUM(b);
SELECT (SELECT 1 FROM t1 LIMIT 1) FROM t1 ORDER BY a;
DROP TABLE t1;

--! differs MariaDB says 1102
ALTER DATABASE aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffggggg CHARACTER SET latin1;
--! differs MariaDB says 1102
DROP DATABASE aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffggggg;

-- accounts
--! ours MariaDB's roles are other objects, and it does not look at definers
CREATE USER u1, r1;
GRANT r1 TO u1;
RENAME USER r1 TO r2;
REVOKE r1 FROM u1;
RENAME USER r1 TO r2;
DROP USER u1, r2;
CREATE USER definer;
CREATE DEFINER = definer VIEW v1 AS SELECT 1;
DROP USER definer;
CREATE USER definer;
RENAME USER definer TO other;
DROP USER other;
DROP VIEW v1;
--! end

-- CAST
--! differs MariaDB takes any precision
SELECT CAST(1 AS FLOAT(54));
SELECT CAST('a' AS BINARY(4294967296));
SELECT HEX(CAST('a' AS CHAR(2) CHARACTER SET binary));
--! ours MariaDB has no CAST AS YEAR, and its dates in JSON are text
SELECT CAST(TIMESTAMP'0579-10-10 10:10:10' AS YEAR), CAST(DATE'1900-01-01' AS YEAR), CAST(DATE'1901-01-01' AS YEAR), CAST(DATE'2156-01-01' AS YEAR);
SELECT CAST(CAST(TIMESTAMP'2015-01-15 23:24:25' AS JSON) AS UNSIGNED), CAST(CAST(TIME'23:24:25' AS JSON) AS SIGNED);
SELECT CAST(CAST(DATE'2015-01-15' AS JSON) AS DECIMAL(20,2)), CAST(CAST(DATE'2015-01-15' AS JSON) AS DOUBLE), CAST(CAST(DATE'2015-01-15' AS JSON) AS YEAR);
SELECT CAST(CAST(DATE'2015-01-15' AS JSON) AS DATE), CAST(CAST(TIME'23:24:25' AS JSON) AS TIME);
--! end

-- collations: one that is named decides also where the others do not go together
--! ours MariaDB has other rules for literals
SELECT CONCAT(_latin1'a', _latin2'b', _latin5'c' COLLATE latin5_turkish_ci) AS x;
SELECT LEAST(_latin1'a', _latin2'b', _latin5'c' COLLATE latin5_turkish_ci) AS x;
SELECT CONCAT(_latin1'a', _latin2'b') AS x;
SELECT CONCAT(_latin1'a', _latin2'b', _utf8mb4'c') AS x;
--! end
CREATE TABLE t1 (a CHAR(1) CHARACTER SET latin1, b CHAR(1) CHARACTER SET latin2, c CHAR(1) CHARACTER SET utf8mb4);
INSERT INTO t1 VALUES ('a', 'b', 'c');
SELECT CONCAT(a, b, c) AS x FROM t1;
SELECT CONCAT(a, b, c COLLATE utf8mb4_bin) AS x FROM t1;
DROP TABLE t1;

-- dates
--! ours MariaDB wants the whole name, and compares a year as the number that it is
SELECT STR_TO_DATE('15 SEPTEMB 2001', '%d %M %Y') AS a, STR_TO_DATE('15 S 2001', '%d %M %Y') AS b, STR_TO_DATE('15 Ju 2001', '%d %M %Y') AS c, STR_TO_DATE('15 SEPTEMBE2001', '%d %M%Y') AS d;
SELECT STR_TO_DATE('15 Jul 2001', '%d %b %Y') AS a, STR_TO_DATE('15 July 2001', '%d %b %Y') AS b, STR_TO_DATE('15 Ma 2001', '%d %b %Y') AS c, STR_TO_DATE('Sund 15 MAY 2001', '%W %d %b %Y') AS d, STR_TO_DATE('S 15 MAY 2001', '%W %d %b %Y') AS e;
CREATE TABLE t1 (y YEAR, d DATE, dt DATETIME);
INSERT INTO t1 VALUES (1998, '1970-01-01', '1970-11-11 22:22:22'), (1998, '1998-01-01', '1998-01-01 00:00:00'), (1998, '2000-01-01', '2000-01-01'), (0, '2000-01-01', '2000-01-01'), (NULL, NULL, NULL);
SELECT y, d, y > d, y < d, y = d, y BETWEEN d AND d, y IN (d, d) FROM t1;
SELECT y, dt, y > dt, y < dt, y <=> dt FROM t1;
SELECT d FROM t1 WHERE y = DATE'1998-05-05';
DROP TABLE t1;
--! end

-- functions
--! ours MariaDB has no such functions or arguments
SELECT STATEMENT_DIGEST_TEXT('SELECT 1; SELECT 2');
SELECT STATEMENT_DIGEST_TEXT('SELECT 1;');
SELECT STATEMENT_DIGEST_TEXT('SELECT ?');
SELECT STATEMENT_DIGEST_TEXT('foo bar');
SELECT STATEMENT_DIGEST_TEXT(CONCAT('foo', ' bar'));
SELECT HEX(AES_ENCRYPT('a', REPEAT('x', 17))) AS x;
SELECT HEX(AES_ENCRYPT('a', REPEAT('x', 16), NULL)) AS x;
SELECT HEX(AES_ENCRYPT('a', REPEAT('x', 16), 'c')) AS x;
SELECT HEX(AES_ENCRYPT('a', REPEAT('x', 16), '', 'hkdf')) AS x;
SELECT HEX(AES_ENCRYPT('a', REPEAT('x', 16), '', 'HKDF')) AS x;
SELECT HEX(AES_ENCRYPT('a', REPEAT('x', 16), '', 'hkdf', NULL)) AS x;
SELECT HEX(AES_ENCRYPT('a', REPEAT('x', 16), '', 'hkdf', REPEAT('1', 300))) AS x;
SELECT HEX(AES_ENCRYPT('a', REPEAT('x', 16), '', 'pbkdf2_hmac', 'salt', NULL)) AS x;
SELECT HEX(AES_ENCRYPT('a', REPEAT('x', 16), '', 'pbkdf2_hmac', 'salt', 1)) AS x;
SELECT REGEXP_LIKE('a', '^(a(?(1)b)){4}$');
--! end
CREATE TABLE t1 AS SELECT SHA2('a', 224) a, SHA2('a', 256) b, SHA2('a', 384) c, SHA2('a', 0) d, SHA2('a', 512) e;
--! differs MariaDB's columns have the connection's character set
SHOW CREATE TABLE t1;
DROP TABLE t1;

-- weights by number of bytes and characters: collations that do not pad fill up with zeros
--! ours MariaDB's flags are others
SELECT HEX(WEIGHT_STRING(_utf8mb4'abc' COLLATE utf8mb4_0900_ai_ci, 10, 5, 0xC0)) AS a, HEX(WEIGHT_STRING(_utf8mb4'abc' COLLATE utf8mb4_0900_ai_ci, 10, 5, 0x40)) AS b, HEX(WEIGHT_STRING(_utf8mb4'abc' COLLATE utf8mb4_0900_ai_ci, 5, 2, 0x80)) AS c;
SELECT HEX(WEIGHT_STRING(_latin1'abc' COLLATE latin1_bin, 10, 5, 0xC0)) AS a, HEX(WEIGHT_STRING(_binary'abc', 10, 5, 0xC0)) AS b, HEX(WEIGHT_STRING(_cp1250'abc' COLLATE cp1250_czech_cs, 10, 3, 0xC0)) AS c;
SELECT REGEXP_LIKE('-', '(?<=x+)y');
SELECT REGEXP_LIKE('xy', '(?<=x)y+');
SET @packet = @@global.max_allowed_packet;
SET GLOBAL max_allowed_packet = 2048;
SET GLOBAL max_allowed_packet = @packet;
--! end

-- addresses with zeros in front of a number, and the fraction of a set time
--! ours MariaDB takes no zeros there
SELECT HEX(INET6_ATON('01.002.03.004')) AS a, HEX(INET6_ATON('::01.2.3.4')) AS b, HEX(INET6_ATON('::ffff:192.168.001.002')) AS c, IS_IPV4('010.0.0.1') AS d, IS_IPV6('1::01.2.3.4') AS e;
SELECT HEX(INET6_ATON('0001.2.3.4')) AS a, HEX(INET6_ATON('1.2.3.256')) AS b, HEX(INET6_ATON('1:2:3:4:5:6:7:1.2.3.4')) AS c, IS_IPV6('::1.2.3') AS d;
--! end
SET timestamp = 8705637.657898;
--! differs MariaDB cuts the last digit
SELECT MICROSECOND(NOW(6)) AS x;
SET timestamp = DEFAULT;
