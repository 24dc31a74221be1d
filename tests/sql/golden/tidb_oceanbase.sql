-- what TiDB's and OceanBase's tests have shown (tests/suites/tidb_go_statements.py, oceanbase_cases.py)
-- a cast to CHAR CHARACTER SET binary keeps all bytes
--! mysql writes the bytes of the text in the warning
--! differs MariaDB's n counts characters
SELECT HEX(CAST('a人' AS CHAR CHARACTER SET binary)), LENGTH(CAST('人人人' AS CHAR CHARACTER SET binary)), HEX(CAST('a人' AS CHAR(2) CHARACTER SET binary));
SELECT CAST(1.5 AS NUMERIC);
SELECT CAST(1.5 AS FIXED(5,2));
SELECT CAST(1.5 AS DEC(5,2));
-- INTERVAL of eight constants and more is looked up in halves, sorted or not; a text beside a number is a double
SELECT INTERVAL(4, 3, 0, 0, 0, 0, 0, 8, 3, -3, -6), INTERVAL(4, 1, 9, 3, 9, 3, 9, 3, 9, 3, 9), INTERVAL(4, 1, 2, 3, 0, 5, 0, 7, 8);
SELECT INTERVAL(4, 1, 9, 3, 9, NULL, 9, 3, 9, 3, 9), INTERVAL(0, 1, 2, 3, 4, 5, 6, 7, 8), INTERVAL(9, 1, 2, 3, 4, 5, 6, 7, 8);
SELECT INTERVAL(9007199254740992, '9007199254740993'), INTERVAL(9007199254740992, 9007199254740993), INTERVAL(9007199254740993, 9007199254740992.5);
-- bytes are numbers beside a column of numbers
CREATE TABLE d (a INT DEFAULT 0x123, b BIGINT DEFAULT b'101', c DECIMAL(10,2) DEFAULT 0x11, e FLOAT DEFAULT 0x10, f VARCHAR(10) DEFAULT 0x41, g BIT(8) DEFAULT 0x15);
INSERT INTO d () VALUES ();
SELECT a, b, c, e, f, g + 0 FROM d;
CREATE TABLE bad (a TINYINT DEFAULT 0x123);
-- whoever may create a table may be granted that before it is there
CREATE USER gr;
GRANT CREATE, SELECT ON test.nosuch TO gr;
GRANT ALL ON test.nosuch2 TO gr;
GRANT SELECT ON test.nosuch3 TO gr;
--! sorted
SHOW GRANTS FOR gr;
DROP USER gr;
-- RENAME TABLE: the new name first
CREATE TABLE r (a INT);
RENAME TABLE r TO r;
--! differs MariaDB asks for the old one first
RENAME TABLE nosuch TO r;
RENAME TABLE r TO r2, r2 TO r;
-- a name in GROUP BY that two columns of the select list have
CREATE TABLE g (a INT, b INT);
CREATE TABLE h (a INT, c INT);
INSERT INTO g VALUES (1, 8), (2, 7);
SELECT a, b AS a FROM g GROUP BY a;
SELECT g.a, h.a FROM g JOIN h USING (a) GROUP BY a;
SELECT g.a, g.a FROM g GROUP BY a;
-- arguments of the functions of REGEXP
--! ours MariaDB's are others
SELECT REGEXP_INSTR('abcadef', 'a.', 1, 2, 2);
SELECT REGEXP_INSTR(NULL, 'a.', 1, 2, -1);
SELECT REGEXP_INSTR('abcadef', 'a.', 1, 2, NULL, 'x');
SELECT REGEXP_LIKE(NULL, 'a', 'x');
SELECT REGEXP_REPLACE('abcadef', 'a.', 'X', 1, -1);
SELECT REGEXP_SUBSTR('abcadef', 'a.', 1, -1);
--! end
-- DISTINCTROW wherever DISTINCT stands, SQL_TSI_ before every unit of TIMESTAMPADD
--! ours MariaDB knows neither everywhere
SELECT AVG(DISTINCTROW a), COUNT(DISTINCTROW a, b), GROUP_CONCAT(DISTINCTROW a) FROM g;
SELECT 1 UNION DISTINCTROW SELECT 1;
SELECT DATE_ADD('2011-11-11 10:10:10', INTERVAL 10 SQL_TSI_SECOND), '2011-11-11' + INTERVAL 1 SQL_TSI_QUARTER, EXTRACT(SQL_TSI_DAY FROM '2011-11-12');
SELECT TIMESTAMPADD(SQL_TSI_MICROSECOND, 1, '2003-01-02');
SELECT TIMESTAMPADD(FRAC_SECOND, 1, '2003-01-02');
--! end
-- of nothing but NULL the functions of strings make bytes
--! ours MariaDB's NULL has the connection's collation
SELECT COLLATION(CONCAT(NULL)), COLLATION(LOWER(NULL)), COLLATION(TRIM('a' FROM NULL)), COLLATION(REPEAT(NULL, 2)), COLLATION(CONCAT(NULL, 'a')), COLLATION(QUOTE(NULL));
CREATE TABLE n AS SELECT CONCAT(NULL) a, QUOTE(NULL) b, REPEAT(NULL, 2) c;
SELECT COLUMN_NAME, COLUMN_TYPE FROM information_schema.COLUMNS WHERE TABLE_NAME = 'n' ORDER BY ORDINAL_POSITION;
SELECT * FROM n;
--! end
-- a year beside a number that no signed integer holds
CREATE TABLE y (c YEAR, KEY (c));
INSERT INTO y VALUES (2016), (0);
--! differs MariaDB does not find 0000
SELECT c FROM y WHERE c < 16212511333665770580 ORDER BY c;
SELECT c < 9223372036854775808, c = 18446744073709551615, c BETWEEN 0 AND 16212511333665770580, c > 18446744073709551615 FROM y ORDER BY c;
-- a column whose default was dropped needs a value, though it may be NULL
CREATE TABLE dd (id INT, a INT, b TEXT);
ALTER TABLE dd ALTER a DROP DEFAULT, ALTER b DROP DEFAULT;
--! ours MariaDB keeps NULL
INSERT INTO dd (id) VALUES (1);
INSERT INTO dd (id, a) VALUES (2, DEFAULT);
INSERT INTO dd (id, a) VALUES (3, NULL);
SET sql_mode = '';
INSERT INTO dd (id) VALUES (4);
SET sql_mode = DEFAULT;
SELECT * FROM dd;
SHOW CREATE TABLE dd;
--! end
