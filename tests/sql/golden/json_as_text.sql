-- A JSON value as an argument of string functions is text of utf8mb4_bin: characters are counted, not bytes.
CREATE TABLE j (j JSON);
INSERT INTO j VALUES ('{"ä": "ü€"}');
SELECT LEFT(j, 3), RIGHT(j, 4), SUBSTRING(j, 2, 3), MID(j, 3, 2), SUBSTRING(j, -4) FROM j;
SELECT INSERT(j, 3, 1, 'x'), LOCATE('€', j), POSITION('ü' IN j), INSTR(j, '€'), LPAD(j, 14, 'é'), RPAD(j, 14, 'é'), LPAD(j, 5, 'x') FROM j;
SELECT REVERSE(j), CHAR_LENGTH(j), LENGTH(j), UPPER(j), LOWER(j), REPEAT(j, 2), REPLACE(j, 'ü', 'u'), TRIM('{' FROM j), SUBSTRING_INDEX(j, '"', 2) FROM j;
SELECT CONCAT(j, 'ö'), CONCAT_WS('ö', j, j), HEX(j), ORD(j), ASCII(j), QUOTE(j), FIELD(j, '{"ä": "ü€"}'), ELT(1, j), TO_BASE64(j), SOUNDEX(j), REGEXP_SUBSTR(j, '..€'), REGEXP_INSTR(j, '€'), REGEXP_REPLACE(j, 'ü', 'x') FROM j;
SELECT LEFT(JSON_ARRAY('äöü'), 4), SUBSTRING(JSON_UNQUOTE(JSON_EXTRACT(j, '$.ä')), 2), SUBSTRING(JSON_EXTRACT(j, '$.ä'), 3) FROM j;
SELECT FIND_IN_SET('"b"', JSON_ARRAY('ä')), STRCMP(j, j), j LIKE '{"_": "__"}', j LIKE BINARY '{"_": "__"}', WEIGHT_STRING(j), CRC32(j), MD5(j), BIT_LENGTH(j), OCTET_LENGTH(j) FROM j;
SELECT GROUP_CONCAT(j), CHARSET(LEFT(j, 2)), COLLATION(CONCAT(j, 'x')), CHARSET(j), COERCIBILITY(j) FROM j;
SELECT EXPORT_SET(5, j, 'ä', ',', 4), MAKE_SET(1, j), INSERT(j, 5, 100, j), NULLIF(j, 'a'), IFNULL(j, 'ö'), COALESCE(j, 'ö'), IF(1, j, 'ö') FROM j;
