-- A JSON value where a text is expected: positions and lengths are counted in characters, not in bytes.
--! ours MariaDB keeps JSON as text
CREATE TABLE j (id INT PRIMARY KEY, d JSON);
INSERT INTO j VALUES (1, '"äöü€😀z"'), (2, '{"ключ": "знач"}'), (3, '["é", 1, null]'), (4, NULL);
SELECT id, LEFT(d, 4), RIGHT(d, 4), SUBSTRING(d, 3, 2), MID(d, -4, 3), SUBSTRING(d FROM 4) FROM j;
SELECT id, LENGTH(d), CHAR_LENGTH(d), BIT_LENGTH(d), OCTET_LENGTH(d) FROM j;
SELECT id, INSERT(d, 3, 2, '…'), INSERT(d, 2, 100, 'x') FROM j;
SELECT id, LOCATE('ü', d), INSTR(d, '€'), POSITION('z' IN d), LOCATE('"', d, 3), LOCATE(d, CONCAT('éé', d)) FROM j;
SELECT id, LPAD(d, 5, 'é'), RPAD(d, 5, 'é'), LPAD(d, 20, 'é'), RPAD(d, 20, '€') FROM j;
SELECT id, REVERSE(d), UPPER(d), LOWER(d) FROM j;
SELECT id, REPEAT(d, 2), REPLACE(d, 'ö', 'oe'), SUBSTRING_INDEX(d, 'ü', 1), TRIM(BOTH '"' FROM d), TRIM('"' FROM LEFT(d, 3)) FROM j;
SELECT id, ASCII(d), ORD(d), ORD(SUBSTRING(d, 2)), HEX(LEFT(d, 3)), HEX(d) = HEX(CONVERT(d USING utf8mb4)) FROM j;
--! mysql MySQL's warnings name another length
SELECT id, CAST(d AS CHAR(3)), CAST(d AS CHAR(3) CHARACTER SET utf8mb4), CAST(d AS BINARY(3)) = CAST(CONVERT(d USING utf8mb4) AS BINARY(3)) FROM j;
--! mysql MySQL's warnings name another length
SELECT id, CONVERT(CAST(d AS CHAR(4)) USING latin1), CAST(d AS CHAR(4) CHARACTER SET latin1) FROM j;
SELECT id, ELT(1, LEFT(d, 2)), FIELD(LEFT(d, 2), '"ä'), QUOTE(LEFT(d, 3)), CONCAT_WS('|', LEFT(d, 2), RIGHT(d, 2)) FROM j;
SELECT id, REGEXP_SUBSTR(d, '[а-я]+'), REGEXP_INSTR(d, 'ü'), REGEXP_REPLACE(d, '[äöü]', '_'), d LIKE '_ä%', d LIKE '"__ü%' FROM j;
SELECT id, SOUNDEX(d), STRCMP(LEFT(d, 2), '"ä'), FIND_IN_SET(LEFT(d, 2), '"ä,x'), TO_BASE64(LEFT(d, 3)), WEIGHT_STRING(LEFT(d, 2) AS CHAR(1)) IS NULL FROM j;
SELECT LEFT(JSON_OBJECT('é', 'ü'), 4), RIGHT(JSON_ARRAY('é', 'ü'), 4), SUBSTRING(JSON_EXTRACT('["éü"]', '$[0]'), 2, 1), CHAR_LENGTH(JSON_QUOTE('éü'));
SELECT id, LEFT(d->'$[0]', 2), LEFT(d->>'$[0]', 1), RIGHT(JSON_KEYS(d), 5) FROM j;
SELECT MAX(LEFT(d, 3)), GROUP_CONCAT(LEFT(d, 2) ORDER BY id SEPARATOR '-') FROM j;
CREATE TABLE k AS SELECT LEFT(d, 3) a, RIGHT(d, 3) b, SUBSTRING(d, 2, 2) c, REVERSE(d) e, LPAD(d, 3, 'x') f, INSERT(d, 1, 2, 'x') g, UPPER(d) i FROM j;
SHOW CREATE TABLE k;
SELECT a, b, c, e, f, g, i FROM k ORDER BY a;
PREPARE s FROM 'SELECT LEFT(d, ?), SUBSTRING(d, ?, ?) FROM j WHERE id = 1';
SET @a = 3, @b = 2, @c = 3;
EXECUTE s USING @a, @b, @c;
DROP TABLE j, k;

-- parts of a document are counted in characters, also in generated columns
--! ours MariaDB has no type JSON
SELECT LEFT(CAST('"äöü"' AS JSON), 3) l, RIGHT(CAST('"äöü"' AS JSON), 3) r, SUBSTRING(CAST('"äöü"' AS JSON), 2, 2) s, SUBSTR(CAST('"äöü"' AS JSON) FROM 3) f;
CREATE TABLE parts (id INT PRIMARY KEY AUTO_INCREMENT, j JSON, l VARCHAR(20) AS (LEFT(j, 3)) STORED, r VARCHAR(20) AS (RIGHT(j, 3)) STORED, s VARCHAR(20) AS (SUBSTRING(j, 2, 2)), b VARBINARY(20) AS (LEFT(j, 3)));
INSERT INTO parts (j) VALUES ('"äöü"'), ('{"ä": "ö"}'), ('["é", 1.5]');
SELECT l, r, s, b, LEFT(j, 3) = l, RIGHT(j, 3) = r, SUBSTRING(j, 2, 2) = s FROM parts;
DROP TABLE parts;
--! end
