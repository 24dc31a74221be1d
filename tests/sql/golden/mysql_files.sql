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

-- temporal literals: blanks in front are no part of the date, and a point that is no fraction has no digits behind it
SET time_zone = '+03:00';
--! ours MariaDB does not warn of delimiters
SELECT TIMESTAMP'  2021-07-15 23:01:02' AS a, TIMESTAMP'  2021-07-15 23:01:02.5' AS b, TIMESTAMP'2021-07-15 23:01:02+01:00' AS c;
SELECT TIMESTAMP'2021-07-15 23.01:02' AS a, TIMESTAMP'2021-07-15 23:01.02' AS b, TIMESTAMP'2021-07-17.18:45:00' AS c, TIMESTAMP'20211018.121000' AS d, TIMESTAMP'2021-07-15 23.01:02.25' AS e;
--! end
-- the time of a text with a displacement is that of the session's time zone
--! ours MariaDB knows no displacements
SELECT TIME('2003-12-31 23:59:59+02:00') AS a, HOUR('2003-12-31 23:59:59+02:00') AS b, CAST('2003-12-31 23:59:59.25-01:00' AS TIME(2)) AS c, TIME('10:10:10+01:00') AS d, TIME('2003-12-31 23:59:59') AS e;
CREATE TABLE zoned (t TIME(3), d DATETIME(3));
INSERT INTO zoned VALUES ('2021-10-10 00:00:00.123456+01:00', '2021-10-10 00:00:00.123456+01:00'), ('2021-10-10 00:00:00', '2021-10-10 00:00:00');
SELECT * FROM zoned;
DROP TABLE zoned;
--! end
SET time_zone = DEFAULT;

-- an assignment that is grouped by, and its coercibility
CREATE TABLE g (f1 INT, f2 VARCHAR(10));
INSERT INTO g VALUES (1, 'a'), (1, 'b'), (2, 'a');
--! ours MariaDB does not warn of assignments
SELECT @a := f1 AS a, COUNT(f1) AS n FROM g GROUP BY 1 ORDER BY 1 DESC;
SELECT @a := f2 AS a, COUNT(f2) AS n FROM g GROUP BY @a := f2 ORDER BY 1 DESC;
SELECT @a := f2 AS a, COUNT(f2) AS n FROM g GROUP BY @b := f2;
SELECT @a := f1 AS a, COUNT(f1) AS n FROM g GROUP BY f2;
SELECT COERCIBILITY(@a := _latin2'test') AS a, COERCIBILITY(@a := _latin2'test' COLLATE latin2_bin) AS b;
--! end

-- an order without LIMIT that another one replaces need not fit the groups; its names are looked for all the same
--! ours MariaDB has no ONLY_FULL_GROUP_BY by default
(SELECT f1 AS d FROM g GROUP BY f1 ORDER BY f2) ORDER BY d;
((SELECT f1 AS d FROM g GROUP BY f1 ORDER BY f2)) ORDER BY d;
(SELECT f1 AS d FROM g GROUP BY f1 ORDER BY f2) UNION ALL (SELECT 5 ORDER BY 1) ORDER BY d;
(SELECT DISTINCT f1 AS d FROM g ORDER BY f2) ORDER BY d;
SELECT (SELECT SUM(f1) FROM g ORDER BY f2) AS s, (SELECT f1 FROM g GROUP BY f1 HAVING f1 = 2 ORDER BY f2) AS t;
CREATE TABLE g2 AS (SELECT f1 AS d FROM g GROUP BY f1 ORDER BY f1, f2) ORDER BY d;
DROP TABLE g2;
(SELECT f1 AS d FROM g GROUP BY f1 ORDER BY f2 LIMIT 1) ORDER BY d;
(SELECT f1 AS d FROM g GROUP BY f1 ORDER BY f2) LIMIT 1;
(SELECT f1 AS d FROM g ORDER BY none) ORDER BY d;
--! end
DROP TABLE g;

-- JSON_VALUE: integers below BIGINT, and a DEFAULT that is no JSON
--! ours MariaDB's JSON_VALUE has no RETURNING
SELECT JSON_VALUE('-9223372036854775808', '$' RETURNING SIGNED) AS a, JSON_VALUE('-9223372036854775809', '$' RETURNING SIGNED) AS b, JSON_VALUE('-1e30', '$' RETURNING SIGNED DEFAULT 7 ON ERROR) AS c, JSON_VALUE('9223372036854775808', '$' RETURNING SIGNED) AS d;
SELECT JSON_VALUE('-9223372036854775809', '$' RETURNING SIGNED ERROR ON ERROR);
SELECT * FROM JSON_TABLE('[-9223372036854775809, -9223372036854775808]', '$[*]' COLUMNS (a BIGINT PATH '$' DEFAULT '3' ON ERROR)) AS t;
SELECT JSON_VALUE('{}', '$.a' RETURNING JSON DEFAULT 'not JSON' ON EMPTY);
SELECT JSON_VALUE('{}', '$' RETURNING JSON DEFAULT 'not JSON' ON ERROR);
SELECT JSON_VALUE('{}', '$.a' RETURNING JSON DEFAULT '[1]' ON EMPTY) AS a;
--! end

-- the error value of one ENUM stays one in another, also where '' is a member
SET sql_mode = '';
CREATE TABLE e1 (a ENUM('b', 'x'), n INT);
INSERT INTO e1 VALUES ('q', 1), ('', 2), ('x', 3);
CREATE TABLE e2 (a ENUM('b', 'x', ''), n INT);
INSERT INTO e2 SELECT * FROM e1;
INSERT INTO e2 SELECT CONCAT(a), n + 3 FROM e1;
SELECT n, a + 0 AS a FROM e2 ORDER BY n;
ALTER TABLE e1 MODIFY a ENUM('', 'b', 'x');
SELECT n, a + 0 AS a FROM e1 ORDER BY n;
DROP TABLE e1, e2;

-- zero dates as defaults: short ones too where the mode is not strict, and such with odd delimiters
--! ours MariaDB takes none of them
CREATE TABLE z (a TIMESTAMP NULL DEFAULT '0:0:0', b DATETIME DEFAULT '0', c DATE DEFAULT '0000', d DATETIME DEFAULT '1:2:3', e DATETIME DEFAULT '0.0');
SHOW CREATE TABLE z;
DROP TABLE z;
SET sql_mode = 'STRICT_ALL_TABLES';
CREATE TABLE z (a DATE DEFAULT '0:0:0');
DROP TABLE z;
CREATE TABLE z (a DATE DEFAULT '0');
--! end
SET sql_mode = DEFAULT;

-- what a generated column may not have
--! ours MariaDB's errors are others
CREATE TABLE v (a INT, b INT AS (a + 1) VIRTUAL AUTO_INCREMENT);
CREATE TABLE v (a INT, b INT AS (a + 1) STORED AUTO_INCREMENT PRIMARY KEY);
CREATE TABLE v (a INT, b INT AS (a + 1) VIRTUAL SERIAL DEFAULT VALUE);
CREATE TABLE v (a INT, b DATETIME AS (NULL) VIRTUAL ON UPDATE CURRENT_TIMESTAMP);
CREATE TABLE v (a INT, b INT AS (a + 1) VIRTUAL DEFAULT 3);
--! end

-- ANSI leaves out what other servers lack
--! ours MariaDB has no INVISIBLE indexes
CREATE TABLE o (a INT, b TEXT, c VARCHAR(9) CHARACTER SET latin1 COMMENT 'c', KEY k (a) USING BTREE COMMENT 'k' INVISIBLE, FULLTEXT KEY f (b) COMMENT 'f') AUTO_INCREMENT = 7 COMMENT 'o';
CREATE VIEW w AS SELECT a FROM o WHERE a > 1 WITH CHECK OPTION;
SET sql_mode = 'ANSI';
SHOW CREATE TABLE o;
SHOW CREATE VIEW w;
SET sql_mode = DEFAULT;
DROP VIEW w;
DROP TABLE o;
--! end

-- SHOW CREATE USER can be run again under NO_BACKSLASH_ESCAPES
--! ours MariaDB's accounts have no comments
CREATE USER u_quoted COMMENT 'Hello "you"';
SET sql_mode = 'NO_BACKSLASH_ESCAPES';
SHOW CREATE USER u_quoted;
SET sql_mode = DEFAULT;
SHOW CREATE USER u_quoted;
DROP USER u_quoted;
--! end
