-- Bytes that become text beside JSON and columns must be text of its character set (3854), where they are used
--! ours MariaDB gives the bytes, or 1300
CREATE TABLE t (j JSON, b VARBINARY(10), v VARCHAR(10), l VARCHAR(10) CHARACTER SET latin1);
INSERT INTO t VALUES ('[1]', x'FF', 'a', 'b');
SELECT CONCAT(JSON_ARRAY(1), x'FF');
SELECT CONCAT(UNHEX('FF'), j) FROM t;
SELECT CONCAT_WS(',', v, x'FF') FROM t;
SELECT CONCAT(JSON_ARRAY(1), x'41', 'ü') a, CONCAT(l, x'FC') b, CONCAT(v, NULL, x'FF') c, CONCAT(j, b) d, CONCAT('ü', x'FF') e FROM t;
SELECT IF(1, x'FF', v) FROM t;
SELECT IF(1, v, x'FF'), COALESCE(v, x'FF'), ELT(1, v, x'FF') FROM t;
SELECT ELT(2, v, x'FF') FROM t;
SELECT GREATEST(j, x'FF') FROM t;
SELECT v = x'FF' FROM t;
SELECT v LIKE x'FF' FROM t;
SELECT STRCMP(v, UNHEX('FF')) FROM t;
SELECT FIELD(JSON_ARRAY(1), x'FF');
SELECT FIELD(JSON_ARRAY(1), '[1]') a, FIELD('x', JSON_ARRAY(1)) b;
SELECT v FROM t UNION SELECT x'FF';
SELECT v IN (SELECT UNHEX('FF')) FROM t;
SELECT v IN (SELECT UNHEX('61')), v = x'61', v > UNHEX('60') FROM t;
UPDATE t SET b = CONCAT(j, x'FF');
SET @b = x'FF';
PREPARE s FROM 'SELECT HEX(CONCAT(JSON_ARRAY(1), ?))';
EXECUTE s USING @b;
SELECT REPLACE(v, NULL, x'FF') FROM t;
DROP TABLE t;
-- numbers
SELECT CAST(-1.5 AS UNSIGNED) a;
SELECT INTERVAL(18446744073709551615, -1, 9223372036854775807, 18446744073709551616) a, INTERVAL(1, 1.1, 2) b, INTERVAL('23', 1, 15, 17) c, INET_NTOA(0x0000000000000000000000000A000509) d;
SELECT CAST(1 AS DECIMAL(0, 4));
-- texts of JSON functions are like literals: a column's collation counts beside them, and bytes stay bytes
CREATE TABLE t (j JSON, v VARCHAR(20) COLLATE utf8mb4_general_ci);
INSERT INTO t VALUES ('"a"', 'A');
SELECT COERCIBILITY(JSON_UNQUOTE(j)) a, COERCIBILITY(JSON_TYPE(j)) b, COERCIBILITY(JSON_QUOTE(v)) c, COERCIBILITY(j) d, COERCIBILITY(JSON_KEYS('{}')) e FROM t;
SELECT v = j->>'$' a, v IN (j->>'$', 'x') b, v LIKE j->>'$' c, j->>'$' = 'A' d, v = JSON_VALUE(j, '$') e, v = j f, COLLATION(CONCAT(v, j->>'$')) g, COLLATION(j->>'$') h, COALESCE(v, j->>'$') = 'a' i FROM t;
SELECT v FROM t WHERE v = j->>'$';
SELECT HEX(CONCAT(j->>'$', x'FF')) a, HEX(CONCAT(JSON_TYPE(j), x'FF')) b, HEX(GROUP_CONCAT(j, x'FF')) c FROM t;
SELECT FIND_IN_SET(x'FF', JSON_ARRAY(1)) a, POSITION(x'FF' IN NULL) b;
DROP TABLE t;
SELECT -0xFFFFFFFFFFFFFFFF < -1e19 a, ROUND(15.5, -0x1) b, FIELD('x', NULL, 0x4142) c;
--! mysql the warning has the fraction
SELECT MAKETIME(18446744073709551615, 59, 1.1);
--! end
