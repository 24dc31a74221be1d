-- a display width says nothing about how long a number is: not of the text that is made of it, nor of what it is calculated into
CREATE TABLE t (i INT(1), s SMALLINT(2), b BIGINT(3), t TINYINT(1), z INT(3) ZEROFILL, u INT(2) UNSIGNED);
INSERT INTO t VALUES (1500000, 12345, 123456789012345, 100, 12345, 4000000000);
SELECT 'a' UNION SELECT i FROM t;
SELECT b FROM t UNION SELECT 'a';
--! sorted
SELECT 'a' UNION SELECT s FROM t UNION SELECT t FROM t UNION SELECT z FROM t UNION SELECT u FROM t;
SELECT MAX(IFNULL(i, 'a')), MIN(COALESCE(b, 'a')), MAX(CONCAT(z)) FROM t;
CREATE VIEW v AS SELECT IFNULL(i, 'a') x, IF(1, b, 'a') y FROM t;
SELECT x, y FROM v GROUP BY x, y;
CREATE TABLE texts AS SELECT CONCAT(i) a, CONCAT(s) b, CONCAT(b) c, CONCAT(t) d, CONCAT(z) e, IFNULL('a', i) f, CAST(i AS CHAR) g, LOWER(u) h, REPEAT(i, 2) k FROM t;
SELECT * FROM texts;
SELECT COLUMN_NAME, COLUMN_TYPE FROM information_schema.COLUMNS WHERE TABLE_NAME = 'texts' ORDER BY ORDINAL_POSITION;
SELECT 1.5 UNION SELECT i FROM t;
SELECT b FROM t UNION SELECT 0.25;
CREATE TABLE sums AS SELECT i + 2000000000 + 2000000000 a, b * 1 b, -b c, b % 1000000000000 d, ABS(b) e, ROUND(b, -1) f, i * 1.5 g, b + 0.5 h, b DIV 1 k FROM t;
SELECT * FROM sums;
-- the width is still that of the column itself
CREATE TABLE same AS SELECT t, b FROM t;
--! differs MariaDB shows every display width
SHOW CREATE TABLE same;
SELECT z, CONCAT(z) FROM t;
SELECT * FROM (SELECT t, b FROM t) d UNION ALL SELECT t, b FROM t;
DROP VIEW v;
