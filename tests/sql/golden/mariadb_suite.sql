-- What MariaDB's main test suite showed when it ran here and on a real MySQL (tests/suites/mysqltest.py); the statements are our own.
--! ours seen on a real MySQL; types, notes and zones are MariaDB's own in many of them

-- TIMESTAMP is a moment: columns that come, and columns that change their type, in another zone than UTC
SET time_zone = '+03:00';
SET timestamp = 1000;
CREATE TABLE ts (a TIMESTAMP(3) NULL, b DATETIME, c TIMESTAMP NULL);
INSERT INTO ts VALUES ('2020-01-01 10:00:00.123456', '2020-01-01 10:00:00', '2020-01-01 10:00:00'), (NULL, NULL, NULL);
ALTER TABLE ts MODIFY a DATETIME, MODIFY b TIMESTAMP, MODIFY c VARCHAR(30);
SELECT * FROM ts;
SET time_zone = '+00:00';
SELECT * FROM ts;
SET time_zone = '+03:00';
ALTER TABLE ts ADD d TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, ADD e TIMESTAMP NULL DEFAULT '2001-01-01 10:00:00';
ALTER TABLE ts ADD f TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, ADD g TIMESTAMP NULL DEFAULT '2001-01-01 10:00:00', ALGORITHM=COPY;
SELECT d, e, f, g FROM ts;
ALTER TABLE ts MODIFY g BIGINT, MODIFY d TIME, MODIFY f TIMESTAMP(1);
SELECT d, f, g FROM ts;
CREATE TABLE tsg (a TIMESTAMP NULL, b DATE AS (DATE(a)) STORED, c TIME AS (TIME(a)));
INSERT INTO tsg (a) VALUES ('2020-01-01 01:00:00');
ALTER TABLE tsg MODIFY a DATETIME;
SELECT * FROM tsg;
ALTER TABLE tsg MODIFY a TIMESTAMP(1) NULL;
SELECT * FROM tsg;
DROP TABLE ts, tsg;
SET timestamp = DEFAULT, time_zone = DEFAULT;

-- between two TIMESTAMPs a moment that the zone's clocks show twice stays what it is
--! mysql skip: the fetched MySQL has no time zone tables
SET time_zone = 'Europe/Berlin';
SET timestamp = 1729989000;
CREATE TABLE twice (a TIMESTAMP);
INSERT INTO twice VALUES (FROM_UNIXTIME(1729989000));
SET time_zone = '+00:00';
INSERT INTO twice VALUES (FROM_UNIXTIME(1729992600));
SELECT UNIX_TIMESTAMP(a) FROM twice;
ALTER TABLE twice MODIFY a TIMESTAMP(2);
SELECT UNIX_TIMESTAMP(a) FROM twice;
SET timestamp = DEFAULT, time_zone = DEFAULT;
DROP TABLE twice;

-- members that come again are an error in strict mode only; the one that stands first is named
CREATE TABLE e (a ENUM ('b', 'a', 'A', 'B'));
SET sql_mode = '';
CREATE TABLE e (a ENUM ('b', 'a', 'A', 'B') DEFAULT 'A', s SET ('x', 'y', 'X'));
INSERT INTO e VALUES ('A', 'X,y');
SELECT a + 0, s + 0 FROM e;
ALTER TABLE e DROP s, MODIFY a ENUM ('c', 'c', 'A');
SHOW CREATE TABLE e;
DROP TABLE e;

-- ON DUPLICATE KEY UPDATE with NULL: of one row, or of a query's rows, an error in every mode
CREATE TABLE d (id INT PRIMARY KEY, c1 INT NOT NULL, c2 INT NOT NULL);
INSERT INTO d VALUES (1, 1, 1);
INSERT INTO d VALUES (1, 1, 1) ON DUPLICATE KEY UPDATE c1 = NULL;
INSERT INTO d SET id = 1, c1 = 1, c2 = 1 ON DUPLICATE KEY UPDATE c1 = NULL;
INSERT INTO d SELECT 1, 1, 1 ON DUPLICATE KEY UPDATE c1 = NULL;
INSERT INTO d SELECT 2, 2, 2 UNION SELECT 1, 1, 1 ON DUPLICATE KEY UPDATE c1 = NULL;
INSERT INTO d VALUES (1, 1, 1), (2, 2, 2) ON DUPLICATE KEY UPDATE c1 = NULL;
SELECT * FROM d;
DROP TABLE d;
SET sql_mode = DEFAULT;

-- a DOUBLE made of numbers with so many decimals is shown with them
CREATE TABLE n (d DOUBLE(10,2), f FLOAT(8,3), x DOUBLE, i INT, e DECIMAL(5,1), s VARCHAR(5));
INSERT INTO n VALUES (10.25, 1.125, 1.5, 3, 2.5, '1');
SELECT d+1, d*2, d-1.5, d/3, d%2, -d, ABS(d), d+x, d+f, f/3, x/3, d/x, i/d, d*e, d+e, d/e, d+s FROM n;
SELECT SUM(d)/COUNT(d), SUM(d)/2, MAX(d)*2, SUM(x)/COUNT(x), SUM(d)*2, ABS(SUM(d)/COUNT(d)-AVG(d)) FROM n;
SELECT PI()*2, PI()/2, CONCAT(d/3), d/3 = 10.25e0/3 FROM n;
CREATE TABLE n2 AS SELECT d*2 a, d/3 b, ABS(d) c, d*d d, d+x e FROM n;
SHOW CREATE TABLE n2;
SELECT * FROM n2;
DROP TABLE n, n2;

-- FOUND_ROWS() counts what OFFSET leaves out
CREATE TABLE o (a INT);
INSERT INTO o VALUES (1), (2), (3);
SELECT a FROM o ORDER BY a LIMIT 1, 1;
SELECT FOUND_ROWS();
SELECT a FROM o LIMIT 5, 1;
SELECT FOUND_ROWS();
(SELECT a FROM o LIMIT 2) UNION ALL (SELECT a + 10 FROM o) LIMIT 2, 2;
SELECT FOUND_ROWS();
SELECT DISTINCT a FROM o LIMIT 1, 1;
SELECT FOUND_ROWS();
SELECT * FROM (SELECT a FROM o LIMIT 1, 2) x;
SELECT FOUND_ROWS();
SELECT a FROM o ORDER BY a LIMIT 2, 1 INTO @a;
SELECT FOUND_ROWS();
CREATE TABLE o2 (b INT);
INSERT INTO o2 VALUES (7);

-- NATURAL RIGHT JOIN shows the right side first, also where nothing is common
SELECT * FROM o NATURAL RIGHT JOIN o2 ORDER BY a;
SELECT * FROM o2 NATURAL LEFT JOIN o ORDER BY a;
DROP TABLE o, o2;

-- the row that GROUP_CONCAT cuts is counted over the groups
CREATE TABLE g (a INT, b VARCHAR(10));
INSERT INTO g VALUES (1, 'aaaa'), (1, 'bbbbb'), (2, 'aaaa'), (2, 'bbbbb'), (3, 'bbbbb'), (3, 'xxxxxxx');
SET group_concat_max_len = 6;
SELECT a, GROUP_CONCAT(b ORDER BY b) FROM g GROUP BY a;
SELECT a FROM g WHERE b IN (SELECT GROUP_CONCAT(b) FROM g GROUP BY a);
SET group_concat_max_len = DEFAULT;
DROP TABLE g;

-- a subquery that certainly gives a row is not NULL
CREATE TABLE q (a INT NOT NULL);
CREATE TABLE q2 AS SELECT * FROM (SELECT 1 a, (SELECT 1) b, (SELECT a + 0) c, (SELECT 1 FROM q) d, (SELECT 1 WHERE RAND() < 2) e) x;
SHOW CREATE TABLE q2;
DROP TABLE q, q2;

-- the room of WEIGHT_STRING
CREATE TABLE w (a CHAR(5) CHARACTER SET cp1250 COLLATE cp1250_czech_cs);
INSERT INTO w VALUES ('aaaaa');
CREATE TABLE w2 AS SELECT WEIGHT_STRING(a) ws, WEIGHT_STRING(a AS CHAR(3)) w3, WEIGHT_STRING(a AS CHAR(10)) w10 FROM w;
SHOW CREATE TABLE w2;
SELECT HEX(ws), HEX(w3), HEX(w10) FROM w2;
DROP TABLE w, w2;
CREATE TABLE w (a VARCHAR(5) CHARACTER SET latin1 COLLATE latin1_german2_ci, b VARCHAR(5) CHARACTER SET euckr, c VARCHAR(5) CHARACTER SET utf8mb4, d VARCHAR(5) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci,
  e VARCHAR(5) CHARACTER SET latin1, f VARCHAR(5) CHARACTER SET ujis COLLATE ujis_bin, h VARCHAR(5) CHARACTER SET latin2 COLLATE latin2_czech_cs, i VARCHAR(5) CHARACTER SET gb18030);
CREATE TABLE w2 AS SELECT WEIGHT_STRING(a) a, WEIGHT_STRING(a AS CHAR(10)) a10, WEIGHT_STRING(b) b, WEIGHT_STRING(b AS CHAR(10)) b10, WEIGHT_STRING(b AS CHAR(3)) b3, WEIGHT_STRING(c) c, WEIGHT_STRING(c AS CHAR(10)) c10,
  WEIGHT_STRING(d) d, WEIGHT_STRING(e) e, WEIGHT_STRING(e AS CHAR(10)) e10, WEIGHT_STRING(f) f, WEIGHT_STRING(f AS CHAR(10)) f10, WEIGHT_STRING(h) h, WEIGHT_STRING(h AS CHAR(10)) h10, WEIGHT_STRING(i) i FROM w;
SHOW CREATE TABLE w2;
DROP TABLE w, w2;

-- coercibility of numbers and times, and of texts made of them
CREATE TABLE c (d DATE, t TIME, y YEAR, b BIT(3), i INT, v VARCHAR(3));
SELECT COERCIBILITY(d), COERCIBILITY(t), COERCIBILITY(y), COERCIBILITY(b), COERCIBILITY(i), COERCIBILITY(v), COERCIBILITY(CONCAT(d)), COERCIBILITY(MAX(d)) FROM c;
SELECT COERCIBILITY(DATE'2001-01-01'), COERCIBILITY(1), COERCIBILITY(1.5), COERCIBILITY(NULL), COERCIBILITY(CONCAT(1)), COERCIBILITY(CONCAT(TIMESTAMP'2013-11-15 00:41:28' - INTERVAL 7 DAY)), COERCIBILITY(REPEAT(1, 2));
DROP TABLE c;

-- introducers before hexadecimal defaults
CREATE TABLE h (a CHAR CHARACTER SET cp1251 DEFAULT _koi8r 0xFF, b VARCHAR(10) DEFAULT _latin1 0xE4, c VARCHAR(3) DEFAULT 0x41, d VARCHAR(3) DEFAULT _utf8mb4 b'1000001');
INSERT INTO h VALUES ();
SELECT HEX(a), b, c, d FROM h;
--! mysql 9.x says 3854; 8.4.8 recorded 1067 (ctype_recoding)
CREATE TABLE h2 (a CHAR CHARACTER SET latin1 DEFAULT _cp1251 0xFF);
DROP TABLE h;

-- what the client wrote between quotes is in its character set, not the connection's
SET character_set_client = utf8mb4, collation_connection = latin1_swedish_ci;
CREATE TABLE k (a VARCHAR(10) CHARACTER SET utf8mb4 DEFAULT 'ä' COMMENT 'комментарий') COMMENT = 'таблица';
INSERT INTO k VALUES ();
SELECT HEX(a) FROM k;
SELECT table_comment AS c FROM information_schema.tables WHERE table_name = 'k';
SHOW FULL COLUMNS FROM k;
SET NAMES utf8mb4 COLLATE utf8mb4_general_ci;
DROP TABLE k;

-- TEXT(n) takes as many characters as can be written
CREATE TABLE x (a TEXT(1431655798) CHARACTER SET utf8mb3, b TEXT(4294967295), c BLOB(4294967295), d TEXT(20000));
SHOW CREATE TABLE x;
DROP TABLE x;

-- 64 keys beside the hidden one
CREATE TABLE y (a INT);
ALTER TABLE y ADD KEY k1 (a), ADD KEY k2 (a), ADD KEY k3 (a), ADD KEY k4 (a), ADD KEY k5 (a), ADD KEY k6 (a), ADD KEY k7 (a), ADD KEY k8 (a), ADD KEY k9 (a), ADD KEY k10 (a), ADD KEY k11 (a), ADD KEY k12 (a), ADD KEY k13 (a), ADD KEY k14 (a), ADD KEY k15 (a), ADD KEY k16 (a), ADD KEY k17 (a), ADD KEY k18 (a), ADD KEY k19 (a), ADD KEY k20 (a), ADD KEY k21 (a), ADD KEY k22 (a), ADD KEY k23 (a), ADD KEY k24 (a), ADD KEY k25 (a), ADD KEY k26 (a), ADD KEY k27 (a), ADD KEY k28 (a), ADD KEY k29 (a), ADD KEY k30 (a), ADD KEY k31 (a), ADD KEY k32 (a);
ALTER TABLE y ADD KEY k33 (a), ADD KEY k34 (a), ADD KEY k35 (a), ADD KEY k36 (a), ADD KEY k37 (a), ADD KEY k38 (a), ADD KEY k39 (a), ADD KEY k40 (a), ADD KEY k41 (a), ADD KEY k42 (a), ADD KEY k43 (a), ADD KEY k44 (a), ADD KEY k45 (a), ADD KEY k46 (a), ADD KEY k47 (a), ADD KEY k48 (a), ADD KEY k49 (a), ADD KEY k50 (a), ADD KEY k51 (a), ADD KEY k52 (a), ADD KEY k53 (a), ADD KEY k54 (a), ADD KEY k55 (a), ADD KEY k56 (a), ADD KEY k57 (a), ADD KEY k58 (a), ADD KEY k59 (a), ADD KEY k60 (a), ADD KEY k61 (a), ADD KEY k62 (a), ADD KEY k63 (a), ADD KEY k64 (a);
ALTER TABLE y ADD KEY k65 (a);
DROP TABLE y;

-- an account that is not there
ALTER USER IF EXISTS nobody_here, nobody_there@localhost ACCOUNT LOCK;

-- REGEXP_SUBSTR is no longer than what it is cut from
CREATE TABLE r AS SELECT REGEXP_SUBSTR('abc', 'b') a;
SHOW CREATE TABLE r;
DROP TABLE r;

-- a member of ENUM or SET with a COLLATE clause is its text
CREATE TABLE m (e ENUM ('a', 'b') CHARACTER SET latin1 COLLATE latin1_bin, s SET ('a', 'b') CHARACTER SET latin1);
INSERT INTO m VALUES ('b', 'a,b');
CREATE TABLE m2 (v VARCHAR(10) CHARACTER SET latin1);
INSERT INTO m2 VALUES ('b'), ('B'), ('A,B');
SELECT e COLLATE latin1_swedish_ci = 'B', e COLLATE latin1_bin = 'B', s COLLATE latin1_bin = 'a,b', MAX(e COLLATE latin1_swedish_ci) FROM m GROUP BY e, s;
SELECT v FROM m JOIN m2 ON m.e COLLATE latin1_swedish_ci = m2.v ORDER BY BINARY v;
SELECT v FROM m JOIN m2 ON m.s COLLATE latin1_swedish_ci = m2.v;
DROP TABLE m, m2;

-- members whose characters are bytes keep their spaces
CREATE TABLE m (a SET ('a', 'a ') CHARACTER SET BINARY, b ENUM ('x ', 'x') CHARACTER SET BINARY, c ENUM ('y ', 'y'));
CREATE TABLE m (a SET ('a', 'a ') CHARACTER SET BINARY, b ENUM ('x ', 'x') CHARACTER SET BINARY);
INSERT INTO m VALUES ('a', 'x'), ('a ', 'x ');
SELECT HEX(a), HEX(b) FROM m ORDER BY a + 0;
SELECT HEX(a) FROM m WHERE a = 'a ';
SHOW CREATE TABLE m;
DROP TABLE m;

-- an escape character may be written as a number
SELECT 'a1%' LIKE 'a11%' ESCAPE 1 AS a, '1' LIKE '1' ESCAPE (2) AS b, 2 LIKE 2 ESCAPE 3 IS FALSE AS c;
SELECT 'a' LIKE 'a' ESCAPE 12;

-- AUTO_INCREMENT in steps that leave the column's range
CREATE TABLE i (a TINYINT AUTO_INCREMENT PRIMARY KEY);
SET auto_increment_increment = 1000, auto_increment_offset = 700;
INSERT INTO i VALUES (NULL);
SELECT * FROM i;
SET sql_mode = '';
INSERT INTO i VALUES (NULL);
SELECT * FROM i;
SET sql_mode = DEFAULT, auto_increment_increment = DEFAULT, auto_increment_offset = DEFAULT;

-- FLUSH of tables that are locked for reading
LOCK TABLES i READ;
FLUSH TABLE i;
FLUSH TABLES;
UNLOCK TABLES;
LOCK TABLES i WRITE;
FLUSH TABLE i;
UNLOCK TABLES;

-- DROP VIEW IF EXISTS tells of tables
CREATE VIEW v AS SELECT 1;
DROP VIEW i;
DROP VIEW IF EXISTS nowhere, i, v;
SELECT table_name AS n FROM information_schema.views WHERE table_schema = 'test';
DROP TABLE i;
--! end
