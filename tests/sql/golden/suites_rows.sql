-- What MySQL's own test files found (tests/suites/mysqltest_mysql.py, 9.7's): rows, values and refusals that were wrong.

-- A derived table that names columns of the enclosing block keeps its rows for one run of the subquery only
CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(5), b VARCHAR(5));
INSERT INTO t VALUES (1,'c1','b'),(2,'c2','z'),(3,NULL,'q');
--! differs MariaDB's derived tables know no enclosing block
SELECT id, (SELECT MAX(c) FROM (VALUES ROW(a), ROW(b)) AS x(c)) m FROM t ORDER BY id;
--! differs MariaDB's derived tables know no enclosing block
SELECT id, (SELECT MAX(c) FROM (SELECT a AS c UNION ALL SELECT b) x) m FROM t ORDER BY id;
--! differs MariaDB's derived tables know no enclosing block
SELECT id, (SELECT c FROM (SELECT DISTINCT t.a AS c FROM t u) x) m FROM t ORDER BY id;
--! differs MariaDB's derived tables know no enclosing block
SELECT id, (SELECT GROUP_CONCAT(n ORDER BY n) FROM (SELECT u.id AS n FROM t u WHERE u.id IN (SELECT v.id FROM t v WHERE v.id >= t.id) GROUP BY u.id) d) m FROM t ORDER BY id;
--! differs MariaDB's derived tables know no enclosing block
SELECT id FROM t WHERE EXISTS (SELECT 1 FROM t u JOIN (SELECT DISTINCT t.b AS c FROM t w) d ON u.b = d.c AND u.id < 3) ORDER BY id;
--! differs MariaDB's derived tables know no enclosing block
SELECT id FROM t WHERE id IN (SELECT d.c FROM (SELECT DISTINCT t.id AS c FROM t w WHERE w.id <> 2) d) ORDER BY id;
--! differs MariaDB has no LATERAL
SELECT t.id, l.c FROM t, LATERAL (SELECT MAX(c) AS c FROM (SELECT t.a AS c UNION SELECT t.b) d) l ORDER BY t.id;
SELECT id, (SELECT MAX(c) FROM (SELECT DISTINCT a AS c FROM t u) x) m FROM t ORDER BY id;

-- A common table expression sees the blocks around its WITH clause
--! differs MariaDB's common table expressions know no enclosing block
SELECT id FROM t WHERE EXISTS (WITH q AS (SELECT t.id * 2 AS d FROM t u) SELECT * FROM q WHERE d = 4) ORDER BY id;
--! differs MariaDB's common table expressions know no enclosing block
SELECT id, (WITH q AS (SELECT t.id + u.id AS d FROM t u) SELECT MAX(x.d + y.d) FROM q x, q y) m FROM t ORDER BY id;
--! differs MariaDB's common table expressions know no enclosing block
SELECT id, (WITH RECURSIVE q AS (SELECT id * 10 AS n UNION ALL SELECT n + 1 FROM q WHERE n < t.id * 10 + 2) SELECT GROUP_CONCAT(n ORDER BY n) FROM q) m FROM t ORDER BY id;
SELECT * FROM (WITH q AS (SELECT nosuch.id FROM t) SELECT * FROM q) d;
WITH q AS (SELECT 1 AS n), o AS (SELECT (WITH q AS (SELECT 2 AS n) SELECT n FROM q) AS m) SELECT n, m FROM q, o;
--! differs MariaDB's names of common table expressions have no case
WITH qn AS (SELECT 1 AS n), QN AS (SELECT 2 AS n) SELECT QN.n FROM QN;
--! differs MariaDB has an error of its own
WITH qn AS (SELECT 1 AS n), qn AS (SELECT 2 AS n) SELECT n FROM qn;

-- ON DUPLICATE KEY UPDATE: an alias of the new row whose columns are named like the table's
CREATE TABLE k (k INT PRIMARY KEY, x INT);
--! ours MariaDB has no alias of the new row
INSERT INTO k VALUES (1,3),(2,3) AS n(k,x) ON DUPLICATE KEY UPDATE x = k.x + n.x;
INSERT INTO k VALUES (1,3),(2,4) AS n(k,x) ON DUPLICATE KEY UPDATE x = k.x + n.x;
SELECT * FROM k ORDER BY k;
INSERT INTO k VALUES (1,3) AS n(k,x) ON DUPLICATE KEY UPDATE x = x + 1;
INSERT INTO k VALUES (1,3) AS n ON DUPLICATE KEY UPDATE x = k + 1;
INSERT INTO k(k) VALUES (1) AS n ON DUPLICATE KEY UPDATE x = n.x;
INSERT INTO k(x,k) VALUES (50,1) AS n(p) ON DUPLICATE KEY UPDATE x = n.p;
INSERT INTO k VALUES (1,50) AS k ON DUPLICATE KEY UPDATE x = 1;
INSERT INTO k VALUES (1,50) AS n(p,p) ON DUPLICATE KEY UPDATE x = 1;
INSERT INTO k VALUES (9,50) AS n(p);
INSERT INTO k VALUES (1,50) AS n(p,q) ON DUPLICATE KEY UPDATE q = 1;
INSERT INTO k SET k = 1, x = 50 AS n ON DUPLICATE KEY UPDATE x = n.x + k.k;
SELECT * FROM k ORDER BY k;
--! end
-- INSERT ... SELECT DISTINCT: columns of the SELECT's tables have the values of the first of equal rows
CREATE TABLE s (a INT, b INT);
INSERT INTO s VALUES (1,5),(1,5),(2,7);
TRUNCATE k;
INSERT INTO k VALUES (1,0),(2,0);
INSERT INTO k(k) SELECT DISTINCT a FROM s ON DUPLICATE KEY UPDATE x = s.a + 1;
SELECT * FROM k ORDER BY k;
INSERT INTO k(k) SELECT DISTINCT a + 0 FROM s ON DUPLICATE KEY UPDATE x = b;
SELECT * FROM k ORDER BY k;
INSERT INTO k(k) SELECT a FROM s GROUP BY a ON DUPLICATE KEY UPDATE x = s.b;

-- Views whose set operation or parentheses have an ORDER BY of their own
--! ours MariaDB names such columns otherwise
CREATE VIEW v1 (c) AS SELECT 1 AS foo UNION SELECT 2 ORDER BY foo DESC;
SELECT * FROM v1;
SHOW CREATE VIEW v1;
CREATE VIEW v2 AS SELECT * FROM ((SELECT a, b FROM s ORDER BY a, b) ORDER BY b / a DESC LIMIT 7) d;
SELECT * FROM v2 ORDER BY a, b;
SHOW CREATE VIEW v2;
CREATE VIEW v3 AS (SELECT a, b FROM s ORDER BY a LIMIT 2) ORDER BY b DESC;
SELECT * FROM v3;
--! end

-- ONLY_FULL_GROUP_BY: quantified subqueries as keys, derived tables that group
SELECT a > ALL (SELECT x - 5 FROM k WHERE k < 3) AS q, COUNT(*) FROM s GROUP BY q ORDER BY q;
SELECT a IN (SELECT k FROM k WHERE k = 1) AS q, COUNT(*) FROM s GROUP BY q ORDER BY q;
--! differs MariaDB knows no keys of derived tables
SELECT d.n FROM (SELECT a, SUM(b) AS n FROM s GROUP BY a) d GROUP BY d.a ORDER BY d.a;
--! differs MariaDB knows no keys of derived tables
WITH d AS (SELECT a, b, COUNT(*) AS n FROM s GROUP BY a, b ORDER BY a LIMIT 5) SELECT n FROM d GROUP BY b, a ORDER BY a;
SELECT d.n FROM (SELECT a, b, COUNT(*) AS n FROM s GROUP BY a, b) d GROUP BY d.a;
SELECT d.n FROM s LEFT JOIN (SELECT a, COUNT(*) AS n FROM s GROUP BY a) d ON s.b = d.n GROUP BY d.a;
CREATE VIEW w AS SELECT a * 2 AS a, b * 2 AS b FROM s;
SELECT DISTINCT b FROM w ORDER BY ABS(b);
--! differs MariaDB does not look at this
SELECT DISTINCT b FROM w ORDER BY a;
--! differs MariaDB does not look at this
SELECT DISTINCT ABS(b) FROM w ORDER BY ABS(b) + 1;
--! differs MariaDB has no ANY_VALUE
SELECT a FROM s GROUP BY a ORDER BY ANY_VALUE(COUNT(*) - COUNT(b)), a DESC;
--! differs MariaDB has no ANY_VALUE
SELECT a, ANY_VALUE(COUNT(*) + b) n FROM s GROUP BY a ORDER BY a;
--! differs MariaDB has no ANY_VALUE
SELECT a, COUNT(*) FROM s GROUP BY a WITH ROLLUP ORDER BY ANY_VALUE(GROUPING(a)), a;

-- EXISTS does not look at what is selected
SELECT a FROM s WHERE EXISTS (SELECT * FROM DUAL WHERE a = 2);
SELECT a FROM s WHERE EXISTS (SELECT * WHERE a = 2);
SELECT a FROM s WHERE a IN (SELECT *);
SELECT EXISTS (SELECT * FROM s WHERE a IN (SELECT *));

-- a number sorts as its text under COLLATE
CREATE TABLE o (a INT, d DECIMAL(5,2));
INSERT INTO o VALUES (1,1.01),(2,100.49),(100,2.99);
SELECT a FROM o ORDER BY a COLLATE utf8mb4_bin;
SELECT d FROM o ORDER BY d COLLATE utf8mb4_general_ci DESC;
SELECT MAX(a COLLATE utf8mb4_bin), MIN(d COLLATE utf8mb4_bin) FROM o;
CREATE TABLE cv (a INT, v VARCHAR(10));
CREATE VIEW vc AS SELECT a, v COLLATE utf8mb4_bin AS b FROM cv;
INSERT INTO vc (a, b) VALUES (1,'x');
INSERT INTO vc VALUES (2,'y');
UPDATE vc SET b = 'z' WHERE a = 2;
SELECT * FROM cv ORDER BY a;

-- ESCAPE may be a subquery that names nothing outside
SELECT 'a%b' LIKE 'a\%b' ESCAPE (SELECT 'x'), 'a%b' LIKE 'ax%b' ESCAPE (SELECT 'x');
SELECT v LIKE 'x' ESCAPE (SELECT cv.v) FROM cv;

-- members by numbers, dates and addresses
CREATE TABLE e (e ENUM('a','b','c'), s SET('a','b','c'));
INSERT INTO e VALUES (1.6,1.6),(2.4,2.9),(2.9e0,2.9e0);
SELECT e + 0, s + 0 FROM e;
SELECT FIND_IN_SET('c', s), FIND_IN_SET(CONCAT('', 'b'), s), FIND_IN_SET('d', s) FROM e WHERE s = 'b';
INSERT INTO e VALUES ('a','a,c');
SELECT FIND_IN_SET('c', s), FIND_IN_SET('c', CONCAT(s)) FROM e WHERE s = 'a,c';
CREATE TABLE d (t DATETIME, d DATE);
INSERT INTO d VALUES ('2001-01-01','2001-01-02');
SELECT * FROM d WHERE t > 0 AND d > 0;
UPDATE d SET d = '2001-01-03' WHERE t > 0;
DELETE FROM d WHERE d > 0;
SET sql_mode = '';
CREATE TABLE f (d DATETIME(6));
--! differs MariaDB cuts fractions
INSERT INTO f VALUES ('2001-00-00 00:00:00.9999999'),('2001-01-00 00:00:00.9999999');
--! differs MariaDB cuts fractions
SELECT * FROM f;
SET sql_mode = DEFAULT;
CREATE TABLE z (d DECIMAL(0,10));
SELECT INET6_NTOA(INET6_ATON('1::3:4:5:6:7:8')) a, INET6_NTOA(INET6_ATON('1:2:3:4:5:6:7:0')) b, INET6_NTOA(INET6_ATON('1:0:0:4:0:0:0:8')) c, INET6_NTOA(INET6_ATON('::')) d, INET6_NTOA(INET6_ATON('1:2:3:4:5:6:7:8')) e, INET6_NTOA(INET6_ATON('::ffff:1.2.3.4')) f;
--! differs MariaDB has no BIN_TO_UUID
SELECT BIN_TO_UUID(UNHEX('7f9d04ae61b34468ac798ffcc984ab668'));

-- a prepared SELECT has the limit of its execution
SET sql_select_limit = 1;
PREPARE p FROM 'SELECT id FROM t WHERE id > ? ORDER BY id';
SET @v = 0;
EXECUTE p USING @v;
SET sql_select_limit = 2;
EXECUTE p USING @v;
SET sql_select_limit = DEFAULT;
EXECUTE p USING @v;
DEALLOCATE PREPARE p;
-- SHOW and DESCRIBE of a client whose bytes are gb18030 (these are UTF-8, and read as other characters)
--! ours MariaDB has no gb18030
SET character_set_client = gb18030;
CREATE TABLE `表表` (`字字` INT COMMENT '文文');
SHOW COLUMNS FROM `表表`;
DESC `表表`;
SHOW CREATE TABLE `表表`;
--! mysql compares the pattern as the bytes it came in
SHOW FULL COLUMNS FROM `表表` LIKE '字字';
--! mysql compares the pattern as the bytes it came in
SHOW TABLES LIKE '表表';
DROP TABLE `表表`;
SET NAMES utf8mb4;
--! end

-- _rowid is the integer column that is the primary key, or the first UNIQUE key that cannot be NULL
CREATE TABLE r1 (k INT PRIMARY KEY, v INT);
CREATE TABLE r2 (v INT, k INT NOT NULL, UNIQUE KEY (k));
CREATE TABLE r3 (a INT, b INT, PRIMARY KEY (a, b), UNIQUE KEY (b));
CREATE TABLE r4 (a VARCHAR(5) PRIMARY KEY);
CREATE TABLE r5 (_rowid INT, k INT PRIMARY KEY);
INSERT INTO r1 VALUES (7,1);
INSERT INTO r2 VALUES (1,8);
INSERT INTO r5 VALUES (1,2);
SELECT _rowid, r1._rowid, v FROM r1;
SELECT x._ROWID FROM r2 x WHERE _rowid > 3 ORDER BY _rowid;
SELECT _rowid FROM r3;
SELECT _rowid FROM r4;
SELECT _rowid FROM r5;
SELECT _rowid FROM r1, r2;
SELECT r1._rowid, r2._rowid FROM r1, r2;
SELECT _rowid FROM r1, r3;
UPDATE r1 SET v = 5 WHERE _rowid = 7;
SELECT * FROM r1;
SELECT d._rowid FROM (SELECT * FROM r1) d;
CREATE TEMPORARY TABLE tmp (a INT);
--! differs MariaDB reads it twice
SELECT * FROM tmp, tmp t2;
--! differs MariaDB takes it
SET @`a ` = 1;

-- AUTO_INCREMENT beside values that rows give themselves, and rows that are not inserted
CREATE TABLE ai (a INT AUTO_INCREMENT PRIMARY KEY, b INT);
INSERT INTO ai VALUES (NULL,1),(2,2),(NULL,3);
INSERT INTO ai VALUES (NULL,4),(100,5),(NULL,6),(NULL,7);
INSERT INTO ai VALUES (NULL,8);
INSERT INTO ai VALUES (-5,9),(NULL,10),(50,11),(NULL,12);
SELECT * FROM ai ORDER BY a;
INSERT INTO ai SELECT NULL, b FROM ai WHERE b < 3 UNION ALL SELECT 500, 20 UNION ALL SELECT NULL, 21;
SELECT * FROM ai WHERE a > 499 ORDER BY a;
CREATE TABLE au (a INT AUTO_INCREMENT PRIMARY KEY, b INT UNIQUE);
INSERT INTO au(b) VALUES (1),(2);
INSERT INTO au(b) VALUES (1),(50) ON DUPLICATE KEY UPDATE b = b + 10;
SELECT LAST_INSERT_ID();
INSERT INTO au(b) VALUES (60);
INSERT IGNORE INTO au(b) VALUES (60),(61);
INSERT INTO au(b) VALUES (62);
REPLACE INTO au(b) VALUES (62),(63);
SELECT * FROM au ORDER BY a;
CREATE TABLE am (a BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY);
INSERT INTO am VALUES (NULL),(18446744073709551614),(NULL);
SELECT * FROM am;
