-- What TiDB's test files beside a real MySQL showed (tests/suites/tidb_cases.py).
-- hexadecimal and bit literals as defaults of numbers are numbers
--! ours MariaDB takes their text, or refuses them
CREATE TABLE d (a INT DEFAULT x'31', b DECIMAL(5,2) DEFAULT 0x31, c FLOAT DEFAULT b'11', d BIT(8) DEFAULT x'31', e YEAR DEFAULT x'20', f INT DEFAULT _latin1 x'31', g VARCHAR(3) DEFAULT x'31');
SHOW CREATE TABLE d;
ALTER TABLE d ALTER a SET DEFAULT b'11';
INSERT INTO d () VALUES ();
SELECT a, b, c, HEX(d), e, f, g FROM d;
CREATE TABLE dx (a TINYINT DEFAULT 0xFFFF);
CREATE TABLE dx (a BIGINT UNSIGNED DEFAULT 0xFFFFFFFFFFFFFFFFFF);
CREATE TABLE dx (a INT DEFAULT b'');
-- what a default loses is noted
CREATE TABLE dx (b DATE DEFAULT '2020-01-01 10:11:12', c TIME DEFAULT '2020-01-01 10:11:12', f DECIMAL(3,1) DEFAULT 1.55, g VARCHAR(2) DEFAULT 'a   ');
DROP TABLE dx;
SET sql_mode = '';
CREATE TABLE dx (b DATE DEFAULT '2020-01-01 10:11', t TIME DEFAULT '0000-00-00 10:00:00');
DROP TABLE dx;
CREATE TABLE dx (j JSON NOT NULL DEFAULT '');
SET sql_mode = DEFAULT;
INSERT INTO d (a) VALUES (1);
--! end
-- the first UNIQUE key of columns that cannot be NULL is the primary key where there is none
--! ours MariaDB has no invisible indexes
CREATE TABLE k (a INT NOT NULL, UNIQUE (a) INVISIBLE);
CREATE TABLE k (a INT, PRIMARY KEY (a) INVISIBLE);
CREATE TABLE k (a INT NOT NULL, b INT NOT NULL, UNIQUE (b) INVISIBLE, UNIQUE (a));
CREATE TABLE k (a INT NOT NULL, b INT NOT NULL, UNIQUE (a), UNIQUE (b) INVISIBLE);
ALTER TABLE k ALTER INDEX a INVISIBLE;
ALTER TABLE k DROP INDEX a;
ALTER TABLE k MODIFY a INT;
CREATE TABLE k2 (a INT, UNIQUE (a) INVISIBLE);
ALTER TABLE k2 MODIFY a INT NOT NULL;
--! end
-- no index on what has no length
--! differs MariaDB makes indexes on columns without length
CREATE TABLE z (b CHAR(0), c BINARY(0), d VARCHAR(0), INDEX (b));
--! differs MariaDB makes indexes on columns without length
CREATE TABLE z (b CHAR(0), c BINARY(0), d VARCHAR(0));
--! differs MariaDB makes indexes on columns without length
CREATE INDEX i ON z (c);
--! differs MariaDB makes indexes on columns without length
ALTER TABLE z ADD UNIQUE (d);
-- white space of all kinds is cut off silently
CREATE TABLE w (v VARCHAR(4), c CHAR(4), t TINYTEXT, b VARBINARY(4));
INSERT INTO w (v) VALUES ('ab\n\n\n');
INSERT INTO w (c) VALUES ('ab\t\t\t');
INSERT INTO w (v) VALUES ('ab  \r\n');
INSERT INTO w (t) VALUES (CONCAT(REPEAT('a', 255), '\n'));
INSERT INTO w (b) VALUES ('ab   ');
INSERT INTO w (v) VALUES ('ab \n x');
SELECT HEX(v), HEX(c), LENGTH(t) FROM w;
-- numbers of members are whole
CREATE TABLE m (e ENUM('a','b','c'), s SET('a','b','c'));
INSERT INTO m (e) VALUES ('1.4');
INSERT INTO m (e) VALUES ('2e0');
INSERT INTO m (s) VALUES ('1.4');
INSERT INTO m VALUES ('2', '3');
INSERT INTO m (s) VALUES ('a ,b');
INSERT INTO m (s) VALUES ('b ');
INSERT INTO m (s) VALUES ('  ');
SELECT e, s, s + 0 FROM m;
-- GROUP BY expressions are recognized as a whole only
CREATE TABLE g (a INT, b INT);
INSERT INTO g VALUES (1,2),(3,4);
CREATE VIEW v AS SELECT a + 1 AS x, b FROM g;
--! ours MariaDB lets all expressions through
SELECT (a + 1) * 2 FROM g GROUP BY a + 1;
SELECT MAX(b) + (a + 1) FROM g GROUP BY a + 1;
SELECT CASE a + 1 WHEN 2 THEN 'x' END FROM g GROUP BY a + 1;
SELECT a + 1 AS x FROM g GROUP BY x ORDER BY (a + 1) * 2;
SELECT a + 1, (a + 1) * 2 FROM g GROUP BY a + 1 WITH ROLLUP;
SELECT (x + 1) * 2 FROM v GROUP BY x + 1;
SELECT a, b AS a FROM g GROUP BY a;
SELECT x.a, y.a FROM g x JOIN g y USING (a) GROUP BY a;
--! end
SELECT a + 1 AS x FROM g GROUP BY x ORDER BY x * -2;
SELECT a + 1 AS x FROM g GROUP BY x HAVING x * 2 > 4;
SELECT x * 2, MAX(b) + x FROM v GROUP BY x;
SELECT d.x * 2 FROM (SELECT a + 1 x FROM g) d GROUP BY x ORDER BY x * 3;
--! ours MariaDB has no GROUPING(), or names columns otherwise
SELECT GROUPING(a + 1), a + 1 FROM g GROUP BY a + 1 WITH ROLLUP;
-- of a subquery of IN, EXISTS and ANY without aggregates only the rows count
SELECT EXISTS (SELECT b FROM g GROUP BY a), 4 IN (SELECT b FROM g GROUP BY a), 4 = ANY (SELECT (a + 1) * 2 FROM g GROUP BY a + 1);
CREATE TABLE g2 (a INT, b INT);
INSERT INTO g2 VALUES (1,1),(1,2),(1,3);
SELECT a FROM g WHERE a IN (SELECT b FROM g2 GROUP BY a);
SELECT a FROM g WHERE a IN (SELECT b FROM g2 GROUP BY a HAVING COUNT(*) > 0);
SELECT a FROM g WHERE a IN (SELECT MAX(b) FROM g2 GROUP BY a);
SELECT (SELECT b FROM g GROUP BY a LIMIT 1);
-- HAVING finds the only item that is a column of this name
SELECT x.a AS c, x.a AS d FROM g x, g y HAVING a = 1;
SELECT x.a AS c, x.b AS d FROM g x, g y HAVING b = 4;
SELECT x.a AS c, y.a AS d FROM g x, g y HAVING a = 1;
--! end
-- CONVERT(... USING binary) keeps all bytes
SELECT HEX(CONVERT('中文x' USING binary)), LENGTH(CONVERT('é' USING binary));
CREATE TABLE u (c VARCHAR(3) CHARACTER SET utf8mb4, a VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin, l VARCHAR(10) CHARACTER SET latin1 COLLATE latin1_bin, k VARCHAR(10) CHARACTER SET gbk);
INSERT INTO u VALUES ('中文字', 'a', 'a', 'a');
SELECT HEX(CONVERT(c USING binary)) FROM u;
-- ASCII goes into every set that holds it
SELECT COLLATION(CONCAT(a, l)), COLLATION(CONCAT(l, a)), COLLATION(CONCAT(a, k)), a = l, l IN (a), a = k, COLLATION(IFNULL(a, l)) FROM u;
SELECT a FROM u UNION SELECT l FROM u;
SELECT l = k FROM u;
-- numbers of characters beyond 2^63 are not negative
SELECT LEFT('abc', 18446744073709551615), RIGHT('abc', 18446744073709551615), SUBSTR('abc', 18446744073709551615), SUBSTR('abc', 2, 18446744073709551615);
--! differs MariaDB counts from the end
SELECT SUBSTRING_INDEX('a.b.c', '.', 18446744073709551615), SUBSTRING_INDEX('a.b.c', '.', 18446744073709551613);
SELECT REPEAT('a', 18446744073709551615);
-- units that begin with DAY take times
--! differs MariaDB counts days
SELECT EXTRACT(DAY_MICROSECOND FROM '-512:37:22.00'), EXTRACT(DAY_HOUR FROM '512:37:22'), EXTRACT(DAY_SECOND FROM '36:37:22'), EXTRACT(DAY_HOUR FROM '10:11:12'), EXTRACT(DAY_HOUR FROM '2 10:11'), EXTRACT(DAY_HOUR FROM '2020-01-02 10:11:12'), EXTRACT(DAY_SECOND FROM 20200102101112);
-- no year 0 with NO_ZERO_DATE
--! differs MariaDB has a year 0
SELECT STR_TO_DATE('0000-01-01', '%Y-%m-%d'), STR_TO_DATE('0001-01-01', '%Y-%m-%d'), STR_TO_DATE('10:11', '%H:%i');
SET sql_mode = '';
SELECT STR_TO_DATE('0000-01-01', '%Y-%m-%d');
SET sql_mode = DEFAULT;
-- a column's display width cuts no digits
CREATE TABLE n (id BIGINT(3), i INT(2));
INSERT INTO n VALUES (1234567890123456, 12345);
--! differs MariaDB's columns are named after another type
SELECT IFNULL(id, 'abc'), COALESCE(i, 'abc'), IF(1, id, 'x'), CASE WHEN 1 THEN i ELSE 'x' END, CONCAT(id), LEAST(id, 'x') FROM n;
SELECT id FROM n UNION SELECT 'x';
-- accounts are in tables, to MySQL: not under the session's own read lock, nor under LOCK TABLES
--! ours MariaDB lets some of them through
FLUSH TABLES WITH READ LOCK;
CREATE USER lu@localhost;
DROP USER IF EXISTS lu@localhost;
SET PASSWORD = 'x';
UNLOCK TABLES;
LOCK TABLES n READ;
CREATE USER lu@localhost;
GRANT SELECT ON *.* TO lu@localhost;
UNLOCK TABLES;
--! end
-- CREATE may be granted on a table before there is one
CREATE USER lu@'127.0.0.1';
GRANT CREATE, INSERT ON missing TO lu@'127.0.0.1';
GRANT INSERT ON missing TO lu@'127.0.0.1';
GRANT CREATE, INSERT (a) ON missing TO lu@'127.0.0.1';
SHOW GRANTS FOR lu@'127.0.0.1';
DROP USER lu@'127.0.0.1';
