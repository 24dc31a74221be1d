-- What running MariaDB's own suite found
CREATE TABLE t1 (a INT, b INT, c VARCHAR(10));
INSERT INTO t1 VALUES (1,2,'a'),(2,3,'b'),(3,4,'c');
CREATE TABLE t2 (a INT);
INSERT INTO t2 VALUES (1),(2),(NULL);
-- rows and subqueries of several columns
SELECT (SELECT 1,2,3) = ROW(1,2,3), ROW(1,2,3) < (SELECT 1,2,4), (SELECT 1,2,NULL) = ROW(1,2,3), (SELECT 1,2) = (SELECT 1,3);
SELECT a, (SELECT a,b,c FROM t1 WHERE t1.a=t2.a) = ROW(a,2,'a') AS x FROM t2 ORDER BY a;
SELECT * FROM t1 WHERE (a,b) = (SELECT a,b FROM t1 WHERE a = 2);
SELECT ROW(1,2) = (SELECT a,b FROM t1);
SELECT ROW(1,2) = (SELECT a,b FROM t1 WHERE a > 10), ROW(1,2) <=> (SELECT a,b FROM t1 WHERE a > 10);
--! ours MariaDB: 4078
SELECT 1 = (SELECT a,b FROM t1);
SELECT (1,2) = (SELECT a FROM t1);
--! end
SELECT a FROM t1 WHERE (a,1) = ANY (SELECT a,1 FROM t1 WHERE b = 3);
SELECT a FROM t1 WHERE (a,1) <> ALL (SELECT a,1 FROM t1 WHERE b = 3);
SELECT a FROM t1 WHERE (a,1) = ALL (SELECT a,1 FROM t1 WHERE b = 3);
SELECT a FROM t1 WHERE (SELECT a, 1) IN (SELECT a,1 FROM t1 WHERE b = 3);
SELECT 1 IN (SELECT a FROM t1 LIMIT 1);
SELECT 1 > ALL (SELECT a FROM t1 LIMIT 1);
-- names of the select list in subqueries
SELECT 1 AS a, (SELECT a+a) AS b, (SELECT b) AS c;
SELECT 1 AS x FROM t1 HAVING (SELECT x) = 1;
SELECT b AS x FROM t1 GROUP BY x HAVING (SELECT x) > 2 ORDER BY (SELECT -x);
SELECT (SELECT y) AS x, 1 AS y;
SELECT (SELECT z) AS x;
SELECT 1 AS x FROM t1 WHERE (SELECT x) = 1;
-- aggregates of an enclosing block
CREATE TABLE o (a INT, b INT);
INSERT INTO o VALUES (1,1),(1,2),(2,3),(3,4);
CREATE TABLE i (c INT, d INT);
INSERT INTO i VALUES (1,1),(2,10),(3,4);
SELECT (SELECT COUNT(DISTINCT o.b) FROM t2 LIMIT 1) AS n FROM o GROUP BY o.a ORDER BY o.a;
SELECT o.a, (SELECT SUM(o.b)) AS s FROM o GROUP BY o.a ORDER BY o.a;
SELECT o.a, (SELECT (SELECT COUNT(o.b))) AS s FROM o GROUP BY o.a ORDER BY o.a;
SELECT a FROM o GROUP BY a HAVING a IN (SELECT c FROM i WHERE MAX(b) < d) ORDER BY a;
SELECT a FROM o GROUP BY a HAVING EXISTS (SELECT c FROM i GROUP BY c HAVING SUM(o.b) = c) ORDER BY a;
SELECT a, SUM(b) AS s FROM o GROUP BY a HAVING a IN (SELECT c FROM i GROUP BY c HAVING c + s > 4) ORDER BY a;
SELECT (SELECT MAX(o.b)) FROM o;
SELECT (SELECT MAX(c) FROM i WHERE c = o.a) AS m FROM o ORDER BY a, b;
SELECT a FROM o WHERE (SELECT MAX(o.b)) > 1;
SELECT a, (SELECT SUM(i.c + o.a) FROM i) AS s FROM o GROUP BY a ORDER BY a;
SELECT SUM(MAX(a)) FROM o;
-- a table that is changed cannot be read in a subquery, but in a derived table
CREATE TABLE u1 (a INT, b INT);
INSERT INTO u1 VALUES (1,2),(2,3),(3,4);
CREATE TABLE u2 (a INT);
INSERT INTO u2 VALUES (1),(2),(NULL);
--! ours MariaDB reads the table that it changes
UPDATE u1 SET a = (SELECT MAX(a) FROM u1 AS x);
UPDATE u1 SET a = a + 1 WHERE a IN (SELECT a FROM u1 AS x);
DELETE FROM u1 WHERE a IN (SELECT a FROM u1 AS x);
DELETE u1, u2 FROM u1, u2 WHERE u1.a = u2.a AND u1.b = (SELECT MAX(a) FROM u2 AS y);
INSERT INTO u2 VALUES ((SELECT MAX(a) FROM u2 AS x));
DELETE FROM u1 WHERE a IN (SELECT a FROM (SELECT MAX(a) AS a FROM u1) AS x);
INSERT INTO u1 SELECT 3, 4 FROM DUAL WHERE NOT EXISTS (SELECT * FROM u1 WHERE a = 3);
SELECT * FROM u1 ORDER BY a;
--! end
DROP TABLE u1, u2;
-- ON sees the tables of its own join
SELECT * FROM t1, t2 JOIN o ON (o.a = t1.a);
SELECT t1.a FROM t1 JOIN t2 JOIN o ON (o.a = t1.a AND t2.a = o.b) ORDER BY 1;
-- literals, texts
SELECT DISTINCT ALL 1;
SELECT a FROM t1 WHERE a NOT NULL;
SELECT ROUND(4, 18446744073709551614), TRUNCATE(4, 18446744073709551614);
--! differs MariaDB: the scale is the most that DECIMAL has
SELECT ROUND(1.5, 9223372036854775808);
--! ours MariaDB's DECIMAL has 38 decimals, and its text of warning 1292 is 1916
--! mysql a number of more than 65 digits stays whole
SELECT 999999999999999999999999999999999999999999999999999999999999999999999999999999999 AS x;
CREATE TABLE d AS SELECT 0.5 AS a, .5 AS b, 1.50 AS c, 0.1234567890123456789012345678901234567890123456789 AS e;
DESCRIBE d;
--! end
CREATE TABLE big (a BIGINT, b BIGINT UNSIGNED);
INSERT INTO big VALUES (-9223372036854775808, 9223372036854775809);
SELECT -a FROM big;
SELECT b + b FROM big;
SELECT CAST(b AS UNSIGNED) * 5 FROM big WHERE a < 3;
--! differs an escape character that is a wildcard escapes
SELECT 'a%b' LIKE 'a|%b' ESCAPE CONCAT('|'), 'axb' LIKE 'a|%b' ESCAPE CONCAT('|'), 'a%' LIKE 'a\%' ESCAPE 0x5c, 'a%' LIKE 'a%%' ESCAPE '%', 'ab' LIKE 'a%%' ESCAPE '%';
SELECT 'a' NOT LIKE 'b' ESCAPE CONCAT('|');
SELECT 'a' LIKE 'b' ESCAPE CONCAT('|', '|');
SELECT 'a' LIKE c ESCAPE c FROM t1;
CREATE TABLE def (a INT DEFAULT (1 + 1), b INT DEFAULT 5);
INSERT INTO def VALUES (1, 1);
--! differs MariaDB evaluates expression defaults in DEFAULT()
SELECT DEFAULT(a) FROM def;
SELECT DEFAULT(b) FROM def;
DROP TABLE t1, t2, o, i, big, d, def;
-- names
CREATE TABLE n (n INT, m INT);
INSERT INTO n VALUES (1,2),(2,2);
SELECT n + 1 AS n FROM n GROUP BY n ORDER BY n;
SELECT n AS n FROM n GROUP BY n ORDER BY n;
SELECT 1 AS " a ";
SELECT MIN(z) FROM (SELECT 1 AS z) x;
CREATE TABLE z (a INT(5) ZEROFILL, f FLOAT(8,2), d DOUBLE(8,1));
INSERT INTO z VALUES (7, 1.1, 2.5), (8, 2.2, 3);
--! ours FLOAT(M,D) keeps its decimals in sums and averages in both; MariaDB's VARIANCE does too
SELECT MIN(a), MAX(a), SUM(f), AVG(f), SUM(d), AVG(d) FROM z;
--! end
DROP TABLE n, z;
-- SUM and AVG of DISTINCT texts take the different numbers
CREATE TABLE sd (a VARCHAR(10), g INT);
INSERT INTO sd VALUES ('1', 1), ('1.0', 1), ('01', 2), ('2x', 2), ('x', 3), (NULL, 3), ('0', 3);
--! mysql SUM(DISTINCT) of text warns in MySQL (1366)
SELECT SUM(DISTINCT a), AVG(DISTINCT a), COUNT(DISTINCT a) FROM sd;
--! mysql SUM(DISTINCT) of text warns in MySQL (1366)
SELECT g, SUM(DISTINCT a), AVG(DISTINCT a) FROM sd GROUP BY g ORDER BY g;
SELECT SUM(DISTINCT a) FROM sd WHERE a IS NULL;
SELECT SUM(DISTINCT a) FROM sd WHERE g = 9;
DROP TABLE sd;
-- temporal literals have the parts of their type and no others
SELECT DATE'2001-01-01 00:00:00';
SELECT TIMESTAMP'2001-01-01';
SELECT TIME'2001-01-01 10:20:30';
SELECT TIME'0000-00-00 00:00:00';
SELECT DATE'2001-00-00';
SELECT DATE'0000-00-00';
SELECT DATE'010101', TIME'1 10:20:30', TIMESTAMP'20010101102030', TIMESTAMP'2001-01-01 10';
SELECT {d'2001-01-01'}, {t'10:20:30'}, {ts'2001-01-01 10:20:30'};
--! names off
SELECT {d'2001-01-01 10:10:10'}, {ts'2010-01-01'}, {t'x'};
--! names on
SET sql_mode = '';
SELECT DATE'2001-00-00', DATE'0000-00-00', TIMESTAMP'0000-00-00 00:00:00';
SET sql_mode = 'ALLOW_INVALID_DATES';
SELECT DATE'2001-02-31';
SET sql_mode = DEFAULT;
-- BIN, OCT and CONV of a BIT; an argument is evaluated once
CREATE TABLE bits (b BIT(8));
INSERT INTO bits VALUES (0), (1), (128), (255), (NULL);
SELECT HEX(b), BIN(b), OCT(b), CONV(b, 10, 16) FROM bits ORDER BY b;
SET @n = 0;
SELECT HEX(CONCAT(@n := @n + 1, '')) > '';
SELECT @n;
SELECT HEX(CAST('ab' AS BINARY(1)));
DROP TABLE bits;

-- names of columns made from text
SELECT +5, +'abc', (7), ((-7)), + +3, 00012, +1.50;
SELECT 1 /*!40000 + 1 */, /*!50000 2 */ * 3;

-- rows within rows
SELECT (1, 2, (3, 4)) IN ((3, 2, (3, 4)), (1, 2, (3, 4))) AS a, (1, (2, 3)) = (1, (2, NULL)) AS b, (1, (2, 3)) <=> (1, (2, 3)) AS c;
SELECT ROW(1, 2, ROW(3, NULL)) IN (ROW(3, 2, ROW(3, 4)), ROW(1, 2, ROW(4, 5))) AS a;
SELECT (1, (2, 3)) = (1, 2);
SELECT (1, (2, 3)) IN ((1, 2, 3), (1, (2, 3)));

-- IN with one member is an equality
CREATE TABLE one_in (a INT, b INT);
INSERT INTO one_in VALUES (3, 4), (5, 6), (NULL, 4);
SELECT * FROM one_in WHERE a IN (3);
SELECT * FROM one_in WHERE a NOT IN (3);
SELECT * FROM one_in WHERE (a, b) IN ((5, 6));
SELECT * FROM one_in WHERE (a, b) NOT IN ((5, 6));
CREATE VIEW one_in_v AS SELECT a FROM one_in WHERE a IN (3) OR b NOT IN (4);
--! differs MySQL prints the parentheses
SELECT VIEW_DEFINITION FROM information_schema.VIEWS WHERE TABLE_NAME = 'one_in_v';
DROP VIEW one_in_v;
DROP TABLE one_in;

-- empty list of columns
CREATE TABLE all_columns (a INT DEFAULT 1, b INT DEFAULT 2);
INSERT INTO all_columns () VALUES (3, 4), (5, 6);
INSERT INTO all_columns () VALUES ();
INSERT INTO all_columns () SELECT 7, 8;
INSERT INTO all_columns () VALUES (1);
SELECT * FROM all_columns ORDER BY a;

-- names in ON DUPLICATE KEY UPDATE of INSERT ... SELECT
CREATE TABLE odku_t (a INT PRIMARY KEY, b INT);
CREATE TABLE odku_s (a INT, c INT);
INSERT INTO odku_s VALUES (1, 10), (1, 20);
INSERT INTO odku_t SELECT odku_s.a, 1 FROM odku_s ON DUPLICATE KEY UPDATE b = a + odku_s.c;
INSERT INTO odku_t SELECT odku_s.a, 1 FROM odku_s ON DUPLICATE KEY UPDATE odku_s.a = odku_t.a + odku_s.c;
INSERT INTO odku_t SELECT odku_s.a, 1 FROM odku_s ON DUPLICATE KEY UPDATE b = VALUES(odku_s.a);
INSERT INTO odku_t SELECT odku_s.a, 1 FROM odku_s ON DUPLICATE KEY UPDATE b = VALUES(c);
INSERT INTO odku_t (a) SELECT a FROM odku_t ON DUPLICATE KEY UPDATE a = odku_t.a + 1;
INSERT INTO odku_t SELECT odku_s.a, 1 FROM odku_s ON DUPLICATE KEY UPDATE b = VALUES(b) + b + c;
SELECT * FROM odku_t;
DROP TABLE odku_t, odku_s;

-- which block an aggregate belongs to
CREATE TABLE agg_o (a INT, b INT);
CREATE TABLE agg_i (a INT);
INSERT INTO agg_o VALUES (1, 10), (1, 20), (2, 30);
INSERT INTO agg_i VALUES (1), (2);
SELECT COUNT(*), a, (SELECT i.a FROM agg_i i WHERE i.a = COUNT(*) LIMIT 1) AS x FROM agg_o GROUP BY a ORDER BY a;
SELECT COUNT(*), a FROM agg_o GROUP BY a HAVING (SELECT MIN(i.a) FROM agg_i i WHERE i.a = COUNT(*)) > 1;
SELECT SUM((SELECT COUNT(i.a) FROM agg_i i)) AS x FROM agg_o;
SELECT SUM((SELECT COUNT(agg_o.a) FROM agg_i)) FROM agg_o;
SELECT a FROM agg_o WHERE (SELECT COUNT(b)) > 0 GROUP BY a ORDER BY a;
SET sql_mode = 'ANSI';
SELECT a FROM agg_o WHERE (SELECT COUNT(b)) > 0 GROUP BY a ORDER BY a;
SET sql_mode = DEFAULT;

-- ORDER BY takes an expression with an alias before a column of that name
SELECT o.a, (SELECT -MAX(b) FROM agg_o m WHERE m.a = o.a) AS a FROM agg_o o ORDER BY a;
SELECT o.a, o.b AS a FROM agg_o o ORDER BY a;
DROP TABLE agg_o, agg_i, all_columns;

-- types of CREATE TABLE ... SELECT
CREATE TABLE ct_source (c CHAR(5), v VARCHAR(5), i INT, d DECIMAL(5,2), s SMALLINT);
CREATE TABLE ct_made AS SELECT MAX(c), MIN(v), AVG(i), AVG(d), AVG(s), NULLIF(c, 'x'), COALESCE(c, v) FROM ct_source GROUP BY c, v;
SELECT COLUMN_NAME, COLUMN_TYPE FROM information_schema.COLUMNS WHERE TABLE_NAME = 'ct_made' ORDER BY ORDINAL_POSITION;
DROP TABLE ct_made, ct_source;

-- names of a view's columns
CREATE VIEW bad_name AS SELECT 1 AS ` `;
CREATE VIEW bad_name AS SELECT 1 AS `x `;

-- WEIGHT_STRING with result length, code points and flags
SELECT HEX(WEIGHT_STRING(_latin1'abc', 2, 3, 0xC0)) AS a, HEX(WEIGHT_STRING(_latin1'abc', 5, 2, 0xC0)) AS b, HEX(WEIGHT_STRING(_latin1'abc', 0, 2, 0x40)) AS c;

-- GROUP BY of an expression over the alias of a subquery
CREATE TABLE sub_g (a INT, b INT);
INSERT INTO sub_g VALUES (1, 1), (2, 1), (3, 2), (4, 3);
SET sql_mode = '';
SELECT (SELECT sub_g.a) aa, COUNT(DISTINCT b) FROM sub_g GROUP BY aa + 0 ORDER BY 1;
SELECT (SELECT sub_g.a) aa, COUNT(*) FROM sub_g GROUP BY -aa ORDER BY 1;
SELECT (SELECT MAX(i.b) FROM sub_g i WHERE i.a <= sub_g.a) m, COUNT(*) FROM sub_g GROUP BY m DIV 2 ORDER BY 1;
SET sql_mode = DEFAULT;
DROP TABLE sub_g;

-- character classes of all scripts
SELECT 'ä' REGEXP '^[[:alpha:]]$' AS a, 'Ä' COLLATE utf8mb4_bin REGEXP '[[:upper:]]' AS b, 'straße' REGEXP '^[[:lower:]]+$' AS c, '٣' REGEXP '^[[:alnum:]]$' AS d, 'é' REGEXP '[[:^alpha:]]' AS e;
SELECT REGEXP_REPLACE('Größe: 12 m²', '[^[:alpha:]]+', '-') AS a, REGEXP_SUBSTR('über alles', '[[:alpha:]]+') AS b;

-- an aggregate of the block within a subquery is no group
CREATE TABLE sub_a (a INT, b INT);
INSERT INTO sub_a VALUES (1, 5), (2, 7);
SELECT (SELECT MIN(sub_a.b) FROM (SELECT 1 AS x) d) AS sq FROM sub_a GROUP BY sq;
-- COUNT is never NULL, in rows of ROLLUP neither
CREATE TABLE roll_made AS SELECT a, COUNT(*) AS n, SUM(b) AS s, LENGTH(a) AS l FROM sub_a GROUP BY a WITH ROLLUP;
SELECT COLUMN_NAME, IS_NULLABLE FROM information_schema.COLUMNS WHERE TABLE_NAME = 'roll_made' ORDER BY ORDINAL_POSITION;
SELECT * FROM roll_made ORDER BY n, a;
DROP TABLE sub_a, roll_made;
--! differs MariaDB has no weights of numbers
SELECT WEIGHT_STRING(5) AS a, WEIGHT_STRING(1.5 AS CHAR(3)) AS b, HEX(WEIGHT_STRING('5')) AS c;
