-- Text and binary strings in one operation: positions in bytes where they are put together, the collation of the stronger side where they are compared
CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20), l VARCHAR(20) CHARACTER SET latin1, b VARBINARY(20), KEY (v));
INSERT INTO t VALUES (1,'abc','abc','abc'),(2,'ABC','ABC','ABC'),(3,'é','é','é'),(4,'É','É','É'),(5,NULL,NULL,NULL);
-- bytes that are COERCIBLE (4): the column (2) wins with its collation
SELECT id FROM t WHERE v = UNHEX('616263') ORDER BY id;
SELECT id FROM t WHERE l = UNHEX('616263') ORDER BY id;
SELECT id FROM t WHERE v = FROM_BASE64('YWJj') ORDER BY id;
SELECT id FROM t WHERE v = CHAR(97,98,99) ORDER BY id;
SELECT id FROM t WHERE v = x'616263' ORDER BY id;
SELECT id FROM t WHERE v = 0x616263 ORDER BY id;
SELECT id FROM t WHERE v = _binary'abc' ORDER BY id;
SELECT id FROM t WHERE v <> UNHEX('616263') ORDER BY id;
SELECT id FROM t WHERE v = CONCAT(UNHEX('61'), 'bc') ORDER BY id;
SELECT id FROM t WHERE v IN (UNHEX('616263'), 'x') ORDER BY id;
SELECT id FROM t WHERE v BETWEEN UNHEX('616263') AND UNHEX('616264') ORDER BY id;
SELECT id FROM t WHERE v LIKE UNHEX('6125') ORDER BY id;
-- the bytes are read in the column's character set
SELECT id FROM t WHERE l = UNHEX('E9') ORDER BY id;
SELECT id FROM t WHERE l = UNHEX('C3A9') ORDER BY id;
SELECT id FROM t WHERE v = UNHEX('C3A9') ORDER BY id;
-- CAST .. AS BINARY, BINARY and CONVERT .. USING binary are IMPLICIT (2), as a column is: bytes
SELECT id FROM t WHERE v = CAST('abc' AS BINARY) ORDER BY id;
SELECT id FROM t WHERE v = BINARY 'abc' ORDER BY id;
SELECT id FROM t WHERE v = CONVERT('abc' USING binary) ORDER BY id;
SELECT id FROM t WHERE v = b ORDER BY id;
SELECT a.id, c.id FROM t a JOIN t c ON a.v = c.b ORDER BY 1, 2;
-- a literal and bytes are both COERCIBLE: bytes
SELECT 'ABC' = UNHEX('616263'), 'abc' = UNHEX('616263'), 'ABC' COLLATE utf8mb4_general_ci = UNHEX('616263');
-- what a COLLATE clause says is stronger than a binary column
SELECT id FROM t WHERE b = 'abc' COLLATE utf8mb4_general_ci ORDER BY id;
SELECT id, CASE v WHEN UNHEX('616263') THEN 1 ELSE 0 END x, NULLIF(v, UNHEX('616263')) n, (v, id) = (UNHEX('616263'), 1) r FROM t ORDER BY id;
--! differs of texts that are equal GREATEST is the last
SELECT id, STRCMP(v, UNHEX('616263')) s, FIELD(v, UNHEX('616263')) f, FIND_IN_SET(UNHEX('616263'), v) i, INSTR(v, UNHEX('62')) p, GREATEST(v, UNHEX('616263')) g, LEAST(v, UNHEX('616263')) m FROM t ORDER BY id;
SELECT id FROM t WHERE v IN (SELECT UNHEX('616263')) ORDER BY id;
SELECT id FROM t WHERE v = (SELECT UNHEX('616263')) ORDER BY id;
SELECT id FROM t WHERE v >= ALL (SELECT UNHEX('616263')) ORDER BY id;
--! differs UUID_TO_BIN is MySQL's
SELECT COERCIBILITY(UNHEX('61')) a, COERCIBILITY(CHAR(97)) b, COERCIBILITY(CAST('a' AS BINARY)) c, COERCIBILITY(x'61') d, COERCIBILITY(FROM_BASE64('YQ==')) e, COERCIBILITY(UUID_TO_BIN(UUID())) f;
--! differs a regular expression takes two binary strings or two texts (3995)
SELECT id, v REGEXP UNHEX('62') FROM t ORDER BY id;
UPDATE t SET l = 'hit' WHERE v = UNHEX('616263');
SELECT id, l FROM t ORDER BY id;
DELETE FROM t WHERE v = x'616263' AND id = 2;
SELECT id FROM t ORDER BY id;
-- positions are bytes where text and bytes were put together and bytes came out
--! differs MariaDB's string that is filled is binary where what fills it is
SELECT HEX(LPAD('é', 5, CAST('é' AS BINARY))) a, HEX(LPAD('é', 5, UNHEX('61'))) b, HEX(RPAD('é', 5, x'61')) c, HEX(RPAD('ééé', 3, _binary'a')) d, HEX(LPAD('é', 1, _binary'a')) e;
--! differs MariaDB's string that is filled is binary where what fills it is
SELECT id, HEX(LPAD(v, 6, CAST('é' AS BINARY))) a, HEX(RPAD(v, 5, b)) b, HEX(LPAD(v, 5, UNHEX('C3A9'))) c, LENGTH(LPAD('é', 5, b)) d, HEX(LPAD(b, 7, 'é')) e FROM t ORDER BY id;
--! differs an empty pad string gives ''
--! mysql changed since 8.4
SELECT HEX(RPAD(CONVERT('é' USING latin1), 5, UNHEX('C3A9'))) a, LPAD('é', 3, '') b, LPAD('é', -1, _binary'a') c, LPAD('é', 3, CAST(NULL AS BINARY)) d;
--! differs MariaDB's string is binary where what goes into it is
SELECT HEX(INSERT('éàü', 2, 1, UNHEX('61'))) a, HEX(INSERT('éàü', 2, 1, _binary'a')) b, HEX(INSERT('éàü', 2, 1, 'a')) c;
--! differs MariaDB's string is binary where what is looked for is
SELECT id, HEX(INSERT(v, 2, 1, b)) a, INSTR(v, b) b, LOCATE(b, CONCAT('é', v)) c, INSTR(CONCAT('é', v), b) d, LOCATE(b, CONCAT('éé', v), 2) e, LOCATE(v, CONCAT('é', b)) f FROM t ORDER BY id;
DROP TABLE t;
-- a subquery's value has the coercibility of what it selects
CREATE TABLE a (id INT PRIMARY KEY, v VARCHAR(20) COLLATE utf8mb4_general_ci, b VARBINARY(20));
INSERT INTO a VALUES (1,'abc','abc'),(2,'ABC','ABC');
SELECT id FROM a WHERE v = (SELECT UNHEX('616263')) ORDER BY id;
SELECT id FROM a WHERE v IN (SELECT UNHEX('616263')) ORDER BY id;
SELECT id FROM a WHERE v IN (SELECT UNHEX('616263') FROM a) ORDER BY id;
SELECT id FROM a WHERE v IN (SELECT UNHEX('616263') UNION SELECT 'x') ORDER BY id;
SELECT id FROM a WHERE v COLLATE utf8mb4_general_ci IN (SELECT b FROM a WHERE id=1) ORDER BY id;
SELECT id FROM a WHERE v COLLATE utf8mb4_general_ci = (SELECT b FROM a WHERE id=1) ORDER BY id;
SELECT id FROM a WHERE v COLLATE utf8mb4_general_ci >= ALL (SELECT b FROM a WHERE id=1) ORDER BY id;
SELECT id FROM a WHERE v >= ALL (SELECT UNHEX('616263') FROM a) ORDER BY id;
SELECT id FROM a WHERE b IN (SELECT 'abc' COLLATE utf8mb4_general_ci) ORDER BY id;
SELECT id FROM a WHERE v = (SELECT 'ABC' COLLATE utf8mb4_bin) ORDER BY id;
SELECT id FROM a WHERE v IN (SELECT 'ABC' COLLATE utf8mb4_bin) ORDER BY id;
SELECT id FROM a WHERE v IN (SELECT 'ABC' COLLATE utf8mb4_bin FROM a) ORDER BY id;
SELECT id FROM a WHERE 'ABC' IN (SELECT v COLLATE utf8mb4_bin FROM a) ORDER BY id;
SELECT id FROM a WHERE 'ABC' = ANY (SELECT v COLLATE utf8mb4_bin FROM a) ORDER BY id;
SELECT id FROM a WHERE v = MAKE_SET(1, UNHEX('616263')) ORDER BY id;
SELECT id FROM a WHERE v = ELT(1, UNHEX('616263')) ORDER BY id;
SELECT id FROM a WHERE v = COALESCE(NULL, UNHEX('616263')) ORDER BY id;
SELECT id FROM a WHERE v = IF(1, UNHEX('616263'), 'abd') ORDER BY id;
SELECT id FROM a WHERE v = LOWER(UNHEX('616263')) ORDER BY id;
SELECT id FROM a WHERE v = LEFT(x'616263', 3) ORDER BY id;
SELECT id FROM a WHERE v = REPLACE(x'616263', 'x', 'y') ORDER BY id;
SELECT id FROM a WHERE v = HEX('abc') ORDER BY id;
SELECT COERCIBILITY((SELECT 'a')) a, COERCIBILITY((SELECT UNHEX('61') FROM a LIMIT 1)) b, COERCIBILITY((SELECT MAX(v) FROM a)) c, COERCIBILITY((SELECT USER())) d, COERCIBILITY((SELECT 'a' UNION SELECT 'b' LIMIT 1)) e, COERCIBILITY((SELECT v COLLATE utf8mb4_bin FROM a LIMIT 1)) f;
DROP TABLE a;
-- LOCATE compares what is as many bytes long
--! differs the collation of what is looked for decides in MariaDB
--! mysql LOCATE compares characters of other lengths in bytes since 9 (bug 36277823)
SELECT LOCATE('é','aeb') a, LOCATE('e','aéb') b, INSTR('aeb','é') c, INSTR('aéb','É') d, LOCATE('é' COLLATE utf8mb4_unicode_ci,'aeb') e, LOCATE('ß' COLLATE utf8mb4_unicode_ci, 'xssy') f, LOCATE('ss' COLLATE utf8mb4_unicode_ci, 'xßy') g, LOCATE('e ', 'é') h, POSITION('É' IN 'eé') i, FIND_IN_SET('é','a,e,b') j;
CREATE TABLE s (id INT, se SET('a','b','c'), en ENUM('a','B'), vl VARCHAR(10) CHARACTER SET latin1, vu VARCHAR(10) COLLATE utf8mb4_unicode_ci);
INSERT INTO s VALUES (1,'a,b','a','_','x'),(2,'c','B','B','y'),(3,'','a','a','z');
--! differs MariaDB looks for bytes among bytes
SELECT id, STRCMP(se, CAST(vl AS BINARY)) a, STRCMP(en, CAST('b' AS BINARY)) b, STRCMP(en, 'b') c, INSTR(en, 'A') d, LOCATE('B', se) e, INSTR(se, CAST('B' AS BINARY)) f, FIND_IN_SET('A', se) g, FIELD(en, 'A', 'b') h, TRIM(LPAD(se, 4, vu)) i FROM s ORDER BY id;
DROP TABLE s;
-- a BIT column beside text is bytes too; EXPORT_SET mixes the collations of its texts
CREATE TABLE bt (id INT, v VARCHAR(20) COLLATE utf8mb4_unicode_ci, b BIT(8));
INSERT INTO bt VALUES (1,'xaby',97),(2,'abc',255);
SELECT LOCATE(b,v) a, INSTR(v,b) b, INSERT(v,1,1,b) c, REPLACE(v,b,'-') d, RPAD(v,6,b) e, TRIM('x' FROM v) f, SUBSTRING_INDEX(v,b,1) g, LOCATE(v,b) h, HEX(EXPORT_SET(3,b,v,'',3)) i, CHARSET(EXPORT_SET(3,b,v)) j FROM bt WHERE id=1;
--! differs MariaDB searches among bytes
SELECT LOCATE(b,v) FROM bt WHERE id=2;
--! differs MariaDB's string is binary then
SELECT RPAD(v,6,b) FROM bt WHERE id=2;
--! differs MariaDB's string is binary then
SELECT INSERT(v,1,1,b) FROM bt WHERE id=2;
SELECT CHARSET(EXPORT_SET(5,_latin1'y',_latin1'n')) a, CHARSET(EXPORT_SET(5,_latin1'y',_latin1'n',_latin1'-')) b, COLLATION(EXPORT_SET(5,'y' COLLATE utf8mb4_bin,'n')) c, HEX(EXPORT_SET(5,x'ff','n',',',4)) d;
SELECT EXPORT_SET(5,'y' COLLATE utf8mb4_bin,'n' COLLATE utf8mb4_general_ci);
DROP TABLE bt;
