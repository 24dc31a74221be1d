-- Warnings of expressions that are errors of a change in strict mode (manual, "Strict SQL Mode"), wherever in the statement they stand; with IGNORE, and without a
-- strict mode, they stay warnings. A SELECT only warns.
CREATE TABLE t (id INT PRIMARY KEY, a INT, c VARCHAR(9), j JSON);
INSERT INTO t VALUES (1, 1234567, 'abc', '"x"'), (2, 5, '7', '8');
-- out of range: 1264
UPDATE t SET a = CAST(a AS DECIMAL(5,2)) WHERE id = 1;
UPDATE t SET c = 'q' WHERE CAST(a AS DECIMAL(3,2)) = 9.99;
INSERT INTO t (id, a) VALUES (3, CAST(123 AS DECIMAL(3,2)));
INSERT INTO t (id, a) SELECT 3, CAST(123 AS DECIMAL(3,2)) + 0;
--! differs MariaDB only warns
DELETE FROM t WHERE CAST(a AS DECIMAL(3,2)) = 9.99 + 1;
CREATE TABLE u AS SELECT CAST(123 AS DECIMAL(3,2)) + 0 AS b;
SELECT id, a, c, j FROM t ORDER BY id;
-- what is no number in a JSON value: 3156
--! differs MariaDB's JSON is text
UPDATE t SET a = CAST(j AS SIGNED);
--! differs MariaDB's JSON is text
UPDATE t SET a = CAST(j AS DECIMAL(5,2));
--! differs MariaDB's JSON is text
UPDATE t SET a = CAST(JSON_EXTRACT(j, '$') AS SIGNED);
--! differs MariaDB's JSON is text
SELECT id, CAST(j AS SIGNED), CAST(JSON_EXTRACT(j, '$') AS DOUBLE) FROM t ORDER BY id DESC;
--! differs MariaDB's JSON is text
SELECT CAST(CAST('[]' AS JSON) AS UNSIGNED);
-- results beyond max_allowed_packet: 1301, logarithms: 3020
UPDATE t SET c = REPEAT('a', 70000000) WHERE id = 1;
UPDATE t SET a = LENGTH(SPACE(70000000)) WHERE id = 1;
--! differs MariaDB has no such error
INSERT INTO t (id, a) SELECT 3, LN(-1);
SELECT id, a, c FROM t ORDER BY id;
-- the first error is the only one, even where no warning is kept
UPDATE t SET a = CAST(CONCAT(c, 'x') AS SIGNED);
SHOW WARNINGS;
SET max_error_count = 0;
UPDATE t SET a = CAST(CONCAT(c, 'x') AS SIGNED);
SET max_error_count = DEFAULT;
SELECT id, a, c FROM t ORDER BY id;
-- warnings
INSERT IGNORE INTO t (id, a) VALUES (3, CAST(123 AS DECIMAL(3,2)));
SET sql_mode = '';
UPDATE t SET a = CAST(123 AS DECIMAL(3,2)) WHERE id = 2;
SET sql_mode = DEFAULT;
SELECT id, a, c FROM t ORDER BY id;
-- CAST AS FLOAT ends where FLOAT ends, and CHAR(n) where a length ends: 1690
--! differs MariaDB gives the largest FLOAT
SELECT CAST(1e39 AS FLOAT);
--! differs MariaDB gives the largest FLOAT
SELECT CAST(CONCAT('-1e', id, '00') AS FLOAT) FROM t WHERE id = 1;
SELECT CAST(3.4e38 AS FLOAT) > 3e38, CAST(-3.4e38 AS FLOAT) < -3e38, CAST(NULL AS FLOAT);
--! differs MariaDB has other limits
SELECT CAST('a' AS CHAR(4294967295));
--! differs MariaDB has other limits
SELECT CAST('a' AS NCHAR(4294967295));
-- JSON assigned to numbers, dates and times: what is none is 3156, which names where the value comes from
CREATE TABLE v (id INT, j JSON, i INT, d DOUBLE, n DECIMAL(5,2), dt DATE, tm TIME, gc INT GENERATED ALWAYS AS (JSON_EXTRACT(j, '$[0]')));
--! ours MariaDB's JSON is text
INSERT INTO v (id, j) VALUES (1, '["abc"]');
INSERT INTO v (id, j) VALUES (1, '{}');
INSERT INTO v (i) VALUES (CAST('"abc"' AS JSON));
INSERT INTO v (i) VALUES (CAST('"12x"' AS JSON));
INSERT INTO v (d) VALUES (CAST('"abc"' AS JSON));
INSERT INTO v (n) VALUES (CAST('[]' AS JSON));
INSERT INTO v (dt) VALUES (CAST('"abc"' AS JSON));
INSERT INTO v (dt) VALUES (CAST('20200101' AS JSON));
INSERT INTO v (tm) VALUES (CAST('true' AS JSON));
INSERT INTO v (i) VALUES (CAST(DATE'2020-01-01' AS JSON));
INSERT INTO v (n) VALUES (CAST(TIME'10:11:12' AS JSON));
INSERT INTO v (i) VALUES (CAST('"99999999999"' AS JSON));
SELECT COUNT(*) FROM v;
INSERT INTO v (id, i, d, n) VALUES (1, CAST('"12"' AS JSON), CAST('"1.5"' AS JSON), CAST('"1.234"' AS JSON));
INSERT INTO v (id, dt, tm) VALUES (2, CAST('"2020-01-01 10:11:12"' AS JSON), CAST('"10:11:12.7"' AS JSON));
INSERT INTO v (id, dt, tm) VALUES (3, CAST(DATE'2020-01-02' AS JSON), CAST(TIME'10:11:12' AS JSON));
UPDATE v SET j = '["2"]', i = JSON_EXTRACT(j, '$[0]') WHERE id = 1;
UPDATE v SET i = j WHERE id = 1;
INSERT IGNORE INTO v (id, i, d, n) VALUES (4, CAST('"12x"' AS JSON), CAST('"12x"' AS JSON), CAST('"12x"' AS JSON));
INSERT IGNORE INTO v (id, i, dt, tm) VALUES (5, CAST('"abc"' AS JSON), CAST('"12x"' AS JSON), CAST('7' AS JSON));
SELECT id, j, i, d, n, dt, tm, gc FROM v ORDER BY id;
--! end
-- TIME beyond its range: 1292 for numbers too, 1264 without a strict mode
CREATE TABLE w (a TIME(6));
--! differs MariaDB's TIME ends elsewhere
INSERT INTO w VALUES ('838:59:59.0000009');
INSERT INTO w VALUES (8390000);
INSERT INTO w VALUES (-8390000.5);
INSERT INTO w VALUES (8390000e0);
SET sql_mode = '';
--! differs MariaDB's TIME ends elsewhere
INSERT INTO w VALUES ('838:59:59.0000004'), ('-838:59:59.0000005'), (8390000);
--! differs MariaDB's TIME ends elsewhere
SELECT a FROM w;
SET sql_mode = DEFAULT;
