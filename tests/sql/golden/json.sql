-- The data type JSON: what columns take, what is printed, how values compare and sort. Expectations: MySQL 8.4's manual, "The JSON Data Type".
-- MariaDB's JSON is LONGTEXT with a check: it keeps the text as written, has no type JSON, and compares text.
--! ours MariaDB keeps JSON as text and has no JSON values
CREATE TABLE t1 (jdoc JSON);
INSERT INTO t1 VALUES ('{"key1": "value1", "key2": "value2"}');
INSERT INTO t1 VALUES ('[1, 2,');
INSERT INTO t1 VALUES (1);
INSERT INTO t1 VALUES (CURRENT_DATE);
INSERT INTO t1 VALUES (x'5b5d');
INSERT INTO t1 VALUES (NULL), ('null'), ('[ 1,2.0 ,"x" ]'), (JSON_ARRAY('a', 1, NOW() IS NULL));
SELECT jdoc, jdoc IS NULL, JSON_TYPE(jdoc) FROM t1;
--! types
SELECT jdoc FROM t1 LIMIT 1;
--! binary []
SELECT jdoc FROM t1 LIMIT 1;
UPDATE t1 SET jdoc = '{"a": 1}' WHERE jdoc IS NULL;
UPDATE t1 SET jdoc = 'x' WHERE jdoc IS NOT NULL;
SELECT jdoc FROM t1;
DROP TABLE t1;
CREATE TABLE t2 (a JSON DEFAULT '[]');
CREATE TABLE t2 (a JSON DEFAULT (JSON_ARRAY()), b INT, n JSON NOT NULL);
CREATE TABLE t3 (a JSON, KEY (a));
INSERT INTO t2 (b, n) VALUES (1, '{}');
INSERT INTO t2 (b) VALUES (2);
INSERT INTO t2 VALUES (NULL, 3, NULL);
SELECT * FROM t2;
SHOW CREATE TABLE t2;
DROP TABLE t2;
-- normalization: the last of equal keys counts, keys in order of length and then of bytes
SELECT JSON_OBJECT('key1', 1, 'key2', 'abc', 'key1', 'def');
SELECT CAST('{"x": 17, "x": "red", "x": [3, 5, 7]}' AS JSON);
SELECT CAST('{ "bb" : 1,"a":[1,2] , "ab":null}' AS JSON);
SELECT CAST('["\\u00e9\\n\\/", "😀", 1.0, 1e3, -0.5, 1E400]' AS JSON);
SELECT CAST('["\\u00e9\\n\\/", "😀", 1.0, 1e3, -0.5, 1e-7, 123456789012345678901234567890]' AS JSON);
SELECT CAST('[9223372036854775807, 9223372036854775808, 18446744073709551615, -9223372036854775808]' AS JSON);
-- errors of CAST
SELECT CAST('hello' AS JSON);
SELECT CAST('{"a":}' AS JSON);
SELECT CAST('{a:1}' AS JSON);
SELECT CAST('[1] 2' AS JSON);
SELECT CAST('' AS JSON);
SELECT CAST(REPEAT('[', 101) AS JSON);
SELECT CAST(CONCAT(REPEAT('[', 101), REPEAT(']', 101)) AS JSON);
SELECT JSON_DEPTH(CONCAT(REPEAT('[', 100), REPEAT(']', 100)));
SELECT CAST(x'31' AS JSON);
SELECT CAST(NULL AS JSON), CAST(1.50 AS JSON), CAST(3e0 AS JSON), CAST(TRUE AS JSON), CAST(18446744073709551615 AS JSON);
-- types of values made from SQL values
SELECT JSON_TYPE(CAST(DATE'2015-01-15' AS JSON)), CAST(DATE'2015-01-15' AS JSON);
SELECT JSON_TYPE(CAST(TIMESTAMP'2015-01-15 23:24:25.12' AS JSON)), CAST(TIMESTAMP'2015-01-15 23:24:25.12' AS JSON);
SELECT JSON_TYPE(CAST(TIME'-01:02:03' AS JSON)), CAST(TIME'-01:02:03' AS JSON);
SELECT JSON_ARRAY(1.50, 1e0, 7, -7, 'x', NULL, TRUE, FALSE, 1 = 1, 1 > 2, NOT 1, 1 IN (1), 'a' LIKE 'b', EXISTS (SELECT 1));
SELECT JSON_ARRAY(x'cafebabe', b'101', _latin1 x'e9');
SELECT JSON_TYPE(JSON_EXTRACT(JSON_ARRAY(x'cafe'), '$[0]'));
-- from JSON to SQL
SELECT CAST(CAST('12' AS JSON) AS SIGNED), CAST(CAST('"12"' AS JSON) AS SIGNED), CAST(CAST('1.5' AS JSON) AS DECIMAL(5,2)), CAST(CAST('true' AS JSON) AS UNSIGNED);
SELECT CAST(CAST('"2020-01-02"' AS JSON) AS DATE), CAST(CAST('"10:11:12"' AS JSON) AS TIME), CAST(CAST('[1, 2]' AS JSON) AS CHAR);
SELECT CAST(CAST('[1]' AS JSON) AS SIGNED);
SELECT CAST(CAST('"x"' AS JSON) AS DOUBLE);
SELECT CAST('5' AS JSON) + 1, CAST('[1]' AS JSON) + 1;
CREATE TABLE t4 (i INT, d DATE, v VARCHAR(20));
INSERT INTO t4 VALUES (CAST('7' AS JSON), CAST('"2021-02-03"' AS JSON), CAST('{"a":1}' AS JSON));
INSERT INTO t4 (i) VALUES (CAST('[7]' AS JSON));
INSERT INTO t4 (i) VALUES (CAST('99999999999' AS JSON));
INSERT INTO t4 (d) VALUES (CAST('"x"' AS JSON));
SELECT * FROM t4;
DROP TABLE t4;
-- user variables hold the text
SET @j = JSON_OBJECT('key', 'value');
SELECT @j, CHARSET(@j), COLLATION(@j);
SELECT @k := JSON_ARRAY(1, 'x');
SELECT JSON_ARRAY(@j), JSON_ARRAY(CAST(@j AS JSON));
-- comparison: types first
SELECT CAST('1' AS JSON) = 1, CAST('1' AS JSON) = 1.0, CAST('1' AS JSON) = '1', CAST('"1"' AS JSON) = '1', CAST('true' AS JSON) = TRUE, CAST('true' AS JSON) = 1;
SELECT CAST('"a"' AS JSON) = 'A', CAST('"a"' AS JSON) < 'b', CAST('[1]' AS JSON) > CAST('{}' AS JSON), CAST('null' AS JSON) IS NULL, CAST('null' AS JSON) < 0;
SELECT CAST('9223372036854775806' AS JSON) < CAST('9223372036854775807' AS JSON), CAST('9223372036854775807' AS JSON) = CAST('9223372036854775807.0' AS JSON);
SELECT CAST('[1, 2]' AS JSON) = CAST('[1, 2.0]' AS JSON), CAST('{"a": 1, "b": 2}' AS JSON) = CAST('{"b": 2, "a": 1}' AS JSON), CAST('["ab", ["cd"]]' AS JSON) < CAST('["ab", ["ef"]]' AS JSON);
--! mysql MySQL warns (1235) of BETWEEN
SELECT CAST('1' AS JSON) <=> NULL, CAST('1' AS JSON) = NULL, CAST('3' AS JSON) BETWEEN 2 AND 4, CAST('3' AS JSON) IN (1, '3', 3), CAST('"x"' AS JSON) NOT IN ('y', 'z');
CREATE TABLE t5 (id INT PRIMARY KEY, j JSON);
INSERT INTO t5 VALUES (1, 'null'), (2, '10'), (3, '9.5'), (4, '"10"'), (5, '"9"'), (6, '{"a": 1}'), (7, '[1]'), (8, 'true'), (9, 'false'), (10, NULL), (11, CAST(DATE'2020-01-01' AS JSON)), (12, '-3'), (13, '1e1'), (14, '[1, 0]'), (15, CAST(10.0 AS JSON));
SELECT id, j FROM t5 ORDER BY j, id;
SELECT id, j FROM t5 ORDER BY j DESC, id;
SELECT MIN(id), j, COUNT(*) FROM t5 GROUP BY j ORDER BY 1;
SELECT COUNT(DISTINCT j) FROM t5;
SELECT DISTINCT j FROM t5 WHERE j = 10;
SELECT id FROM t5 WHERE j;
SELECT a.id, b.id FROM t5 a JOIN t5 b ON a.j = b.j WHERE a.id < b.id ORDER BY 1, 2;
SELECT MIN(j), MAX(j) FROM t5;
SELECT id FROM t5 WHERE j IN (SELECT j FROM t5 WHERE id > 12) ORDER BY id;
SELECT j FROM t5 WHERE id = 6 UNION SELECT j FROM t5 WHERE id = 6;
SELECT IF(id > 6, j, 'text'), COALESCE(j, 'none'), IFNULL(j, j), CASE id WHEN 6 THEN j ELSE 1 END FROM t5 WHERE id IN (6, 7, 10) ORDER BY id;
ALTER TABLE t5 MODIFY j LONGTEXT;
SELECT j FROM t5 WHERE id IN (6, 11) ORDER BY id;
ALTER TABLE t5 MODIFY j JSON;
SELECT j, JSON_TYPE(j) FROM t5 WHERE id IN (6, 11) ORDER BY id;
DROP TABLE t5;
-- documents that are stored outside of their row
CREATE TABLE t6 (id INT PRIMARY KEY, j JSON);
INSERT INTO t6 VALUES (1, CONCAT('["', REPEAT('x', 70000), '", 1]')), (2, CONCAT('[', REPEAT('70000,', 20000), '1]'));
SELECT id, JSON_LENGTH(j), JSON_STORAGE_SIZE(j), j->'$[1]', LENGTH(j) FROM t6;
UPDATE t6 SET j = JSON_SET(j, '$[1]', 'new') WHERE id = 2;
SELECT JSON_LENGTH(j), j->'$[1]', j->'$[last]' FROM t6 WHERE id = 2;
DROP TABLE t6;
--! end
-- JSON_SEARCH compares in the collation of a pattern that is more than a literal; no number is a date or time
CREATE TABLE jsn (j JSON, g VARCHAR(9) COLLATE utf8mb4_general_ci, b VARCHAR(9) COLLATE utf8mb4_bin, l VARCHAR(9) CHARACTER SET latin1);
INSERT INTO jsn VALUES ('["a", "B"]', 'A', 'A', 'A%');
--! differs in MariaDB the document's bytes are compared
SELECT JSON_SEARCH(j, 'one', g) g, JSON_SEARCH(j, 'one', b) b, JSON_SEARCH(j, 'one', l) l, JSON_SEARCH(j, 'one', 'A') c, JSON_SEARCH(j, 'one', 'A' COLLATE utf8mb4_general_ci) e FROM jsn;
DROP TABLE jsn;
--! differs MariaDB's JSON is text
SELECT CAST(CAST('5' AS JSON) AS TIME) a, CAST(CAST('20200101' AS JSON) AS DATE) b, CAST(CAST('true' AS JSON) AS DATETIME) c, CAST(CAST('"10:00:00"' AS JSON) AS TIME) d, CAST(CAST('"100"' AS JSON) AS TIME) f, CAST(CAST('"20200101"' AS JSON) AS DATE) g, CAST(CAST(TIME'10:00:00' AS JSON) AS TIME) e;
