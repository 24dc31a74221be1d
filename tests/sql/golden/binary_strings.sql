-- Binary strings where text is expected: CAST AS CHAR, REGEXP, bit aggregates; WEIGHT_STRING AS; IN (subquery) between character sets.
--! ours MySQL gives NULL under a strict mode, else what precedes the bad bytes; MariaDB question marks
SELECT CAST(x'ff' AS CHAR), CAST(b'11111111' AS CHAR);
SELECT CAST(x'61ff62636465' AS CHAR(3)), CONVERT(x'c3' USING utf8mb4);
SET sql_mode='';
SELECT CAST(x'61ff62636465' AS CHAR(3)), CONVERT(x'c3' USING utf8mb4);
SET sql_mode=DEFAULT;
--! end
SELECT CAST(x'c3a9' AS CHAR), CAST(x'ff' AS CHAR CHARACTER SET latin1), CAST(NULL AS CHAR), CAST(x'' AS CHAR);
CREATE TABLE b (i INT, v VARBINARY(4), bl BLOB, bi BIGINT UNSIGNED);
--! ours MariaDB has no bit aggregates of strings
SELECT HEX(BIT_AND(v)), HEX(BIT_OR(v)), HEX(BIT_XOR(v)) FROM b;
INSERT INTO b VALUES (1, x'0f0f', 'a', 5), (1, x'ff00', 'b', 6), (2, NULL, 'c', 7);
SELECT i, HEX(BIT_AND(v)), HEX(BIT_OR(v)), HEX(BIT_XOR(v)) FROM b GROUP BY i;
SELECT HEX(BIT_OR(DISTINCT v)), HEX(BIT_XOR(SUBSTRING(bl, 1, 1))) FROM b;
SELECT BIT_AND(bl) FROM b;
SELECT i, HEX(BIT_OR(v) OVER (PARTITION BY i)) FROM b ORDER BY i;
INSERT INTO b VALUES (1, x'0f', 'a', 5);
SELECT BIT_OR(v) FROM b;
SELECT BIT_OR(x'0f'), BIT_AND(bi), BIT_OR(NULL), BIT_XOR(b'1'), SUM(x'0f'), AVG(0x0f) FROM b;
--! end
SELECT SUM(0x0f), BIT_OR(0x0f), SUM(b'11'), MAX(0x41);
--! ours MariaDB takes any mixture, and has no REGEXP_LIKE
SELECT 'a' REGEXP BINARY 'a';
SELECT BINARY 'a' REGEXP 'a';
SELECT 'a' NOT RLIKE x'61';
SELECT REGEXP_INSTR('abc', _binary'b');
SELECT REGEXP_REPLACE('abc', 'b', BINARY 'x');
SELECT CAST(NULL AS BINARY) REGEXP 'a';
--! mysql the newer one heeds i for binary strings too; 8.4's manual: "even if match_type contains the i character" they are compared byte by byte
SELECT REGEXP_LIKE(_binary'A', _binary'a', 'i'), REGEXP_LIKE('A', 'a', 'i'), REGEXP_LIKE('A', 'a', 'c');
--! end
SELECT BINARY 'Abc' REGEXP BINARY 'abc', BINARY 'abc' REGEXP BINARY 'b';
SELECT 'a' REGEXP NULL, BINARY 'a' REGEXP NULL, 1 REGEXP 1;
SELECT HEX(REGEXP_SUBSTR(x'00ff4100', CONCAT(x'ff', '.'))), REGEXP_INSTR(x'00ff41', x'41'), HEX(REGEXP_REPLACE(x'00ff41', x'ff', x'fefd'));
--! binary ["abc"]
SELECT 'xabc' REGEXP ?;
SELECT HEX(WEIGHT_STRING('ab' AS CHAR(4))), HEX(WEIGHT_STRING('ab' AS CHAR(1))), HEX(WEIGHT_STRING('ab' AS BINARY(4))), HEX(WEIGHT_STRING('ab' AS BINARY(1)));
SELECT WEIGHT_STRING(NULL AS CHAR(3)), WEIGHT_STRING(NULL AS BINARY(3));
--! differs utf8mb4_0900_ai_ci
SELECT HEX(WEIGHT_STRING('ab' COLLATE utf8mb4_0900_ai_ci AS CHAR(4)));
CREATE TABLE l (c VARCHAR(10) CHARACTER SET latin1);
CREATE TABLE u (c VARCHAR(10));
SELECT c IN (SELECT c FROM l) FROM u;
INSERT INTO l VALUES ('a'), ('é'), (NULL);
INSERT INTO u VALUES ('A'), ('x'), ('é');
SELECT c, c IN (SELECT c FROM l) FROM u;
SELECT c, c IN (SELECT c FROM u) FROM l;
SELECT c FROM u WHERE c IN (SELECT c FROM l);
SELECT c FROM l WHERE c NOT IN (SELECT c FROM u);
SELECT c FROM u WHERE (c, 1) IN (SELECT c, 1 FROM l);
SELECT c = ANY (SELECT c FROM l) FROM u;
SELECT c > ALL (SELECT c FROM l WHERE c IS NOT NULL) FROM u;
SELECT c IN (SELECT c FROM l WHERE l.c = u.c) FROM u;
SELECT c IN (SELECT c FROM l UNION SELECT 'x') FROM u;

-- hexadecimal and bit literals where a number is needed: beside numbers, as truth values, as a function's number
SELECT 5 BETWEEN 0x04 AND 6 a, 0x05 BETWEEN 4 AND 6 b, 0x35 BETWEEN 4 AND 6 c, 5.0 BETWEEN 0x04 AND 0x06 d, b'101' BETWEEN 4 AND 6 e, 0x05 BETWEEN 0x04 AND 0x06 f;
SELECT 0x05 IN (5, 6) a, 5 IN (0x05, 0x06) b, CASE 5 WHEN 0x05 THEN 1 END c, NULLIF(5, 0x05) d, (5, 1) = (0x05, 1) e, (1, 2) IN ((0x01, 0x02), (3, 4)) f;
--! differs MariaDB: FIELD compares a number and a literal as DOUBLE of its text, BIN and OCT read its text
SELECT INTERVAL(5, 0x04, 0x06) a, FIELD(5, 0x05) b, ELT(0x01, 'a') c, WEEK('2020-01-01', 0x01) d, BIN(0x0A) e, OCT(0x0A) f, SUBSTRING_INDEX('a,b,c', ',', 0x02) g;
SELECT EXPORT_SET(0x05, 'Y', 'N', ',', 0x04) a, '2020-01-01' + INTERVAL 0x02 DAY b, ROUND(1.25, 0x01) c, TRUNCATE(1.239, 0x01) d, -0x05 e, IF(0x00, 1, 2) f, NOT 0x00 g, MAKETIME(0x01, 0x02, 0x03) h;
SELECT 0x05 IN ('5') a, 'a' BETWEEN 0x61 AND 0x62 b, CONCAT(0x41, 1) c, COALESCE(0x35, 5) + 0 d;
--! differs MariaDB: an integer
--! types
SELECT -0x05 a, x'41' b;
CREATE TABLE hx AS SELECT x'41' a, IF(1, x'41', x'42') b, 0x41 + 0 c;
--! differs MariaDB gives such columns no default and integers a width
SHOW CREATE TABLE hx;
DROP TABLE hx;
--! differs MariaDB's JSON has no opaque values
SELECT JSON_ARRAY(x'41', LEFT(x'4142', 1)) a;
SELECT HEX(WEIGHT_STRING(_utf8mb4'aé' COLLATE utf8mb4_bin)) a, HEX(WEIGHT_STRING(_utf16 x'0061D83DDE00' COLLATE utf16_bin)) b;
--! differs no such collations there
SELECT HEX(WEIGHT_STRING(_utf32 x'0000D7A4' COLLATE utf32_unicode_ci)) z, HEX(WEIGHT_STRING(CONVERT(_utf32 x'0000D7A4' USING utf8mb4) COLLATE utf8mb4_0900_ai_ci)) a, HEX(WEIGHT_STRING(CONVERT(_utf32 x'0000D700' USING utf8mb4) COLLATE utf8mb4_0900_as_cs)) b, HEX(WEIGHT_STRING(CONVERT(_utf32 x'0000FDFA' USING utf8mb4) COLLATE utf8mb4_0900_ai_ci)) c;
-- a number or a time is neither binary nor text to a regular expression
SELECT CAST('1' AS BINARY) REGEXP 1 a, 1 REGEXP CAST('1' AS BINARY) b, CAST('2020-01-01' AS BINARY) REGEXP DATE'2020-01-01' c, REGEXP_REPLACE(CAST('a1' AS BINARY), 1, 2) d;
--! differs MariaDB mixes binary strings and text
SELECT CAST('1' AS BINARY) REGEXP '1';
