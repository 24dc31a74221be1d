-- What suites of other projects found (tests/suites): go-sql-driver/mysql, mysqltest's main suite.

-- SET TRANSACTION is for the transaction that begins next
CREATE TABLE t (v INT);
--! on b
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
START TRANSACTION;
SELECT COUNT(*) FROM t;
--! on a
INSERT INTO t VALUES (1);
--! on b
SELECT COUNT(*) FROM t;
COMMIT;
START TRANSACTION;
SELECT COUNT(*) FROM t;
--! on a
INSERT INTO t VALUES (2);
--! on b
SELECT COUNT(*) FROM t;
COMMIT;
SET TRANSACTION READ ONLY;
START TRANSACTION;
INSERT INTO t VALUES (3);
COMMIT;
INSERT INTO t VALUES (3);
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
START TRANSACTION;
COMMIT AND CHAIN;
SELECT COUNT(*) FROM t;
--! on a
INSERT INTO t VALUES (4);
--! on b
SELECT COUNT(*) FROM t;
COMMIT;

-- read-only sessions: DDL and account statements are refused too, and end no transaction
SET SESSION TRANSACTION READ ONLY;
INSERT INTO t VALUES (5);
DROP TABLE t;
CREATE TABLE u (a INT);
ALTER TABLE t ADD c INT;
START TRANSACTION READ WRITE;
INSERT INTO t VALUES (5);
COMMIT;
SET SESSION TRANSACTION READ WRITE;
START TRANSACTION READ ONLY;
TRUNCATE TABLE t;
SELECT COUNT(*) FROM t;
COMMIT;
DROP TABLE t;
--! close
--! on a

-- precision of the clock functions
SELECT NOW(7);
SELECT CURTIME(7);
SELECT UTC_TIMESTAMP(8);
SELECT LENGTH(NOW(6)), LENGTH(CURTIME(3));

-- the last AUTO_INCREMENT value
CREATE TABLE t (i TINYINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY);
INSERT INTO t VALUES (254);
INSERT INTO t VALUES (NULL);
--! differs MariaDB answers 167; MySQL hands out the largest value again
INSERT INTO t VALUES (NULL);
--! differs the same
INSERT INTO t VALUES (NULL), (NULL);
SELECT * FROM t;
DROP TABLE t;

-- VALUES that reads a column without a default: the type's own
CREATE TABLE t (a INT NOT NULL, b VARCHAR(5) NOT NULL, c INT DEFAULT 7);
INSERT INTO t VALUES (a + 2, CONCAT('<', b, '>'), c + 1);
SELECT * FROM t;
DROP TABLE t;

-- HAVING: GROUP BY columns, then the select list, nothing else
SET sql_mode = '';
CREATE TABLE t (a INT, b INT, c INT);
INSERT INTO t VALUES (1, 2, 3), (1, 3, 4), (5, 2, 6);
SELECT COUNT(*) FROM t GROUP BY b HAVING a = 1;
--! sorted
SELECT a + 10 AS a, COUNT(*) FROM t GROUP BY b HAVING a = 11;
--! sorted
SELECT MAX(a) AS c FROM t GROUP BY b HAVING c < 5;
--! sorted
SELECT b, COUNT(*) FROM t GROUP BY b HAVING t.b = 2;
SELECT a FROM t HAVING b = 2;
SELECT a FROM t HAVING a = 5;
SELECT COUNT(*) FROM t HAVING SUM(c) > 5;
--! sorted
SELECT b FROM t GROUP BY b HAVING SUM(a) > 1 AND b < 3;
-- GROUP BY finds the select list where FROM is ambiguous
--! sorted
SELECT x.b, COUNT(*) FROM t x JOIN t y ON x.a = y.a GROUP BY b;
SELECT COUNT(*) FROM t x JOIN t y ON x.a = y.a GROUP BY b;
DROP TABLE t;

-- a TIME where a DATETIME is needed lies on the statement's day
SET timestamp = UNIX_TIMESTAMP('2012-01-31 10:14:35');
CREATE TABLE t (f TIME, KEY (f));
INSERT INTO t VALUES ('00:20:01'), ('-24:00:00'), ('48:00:00');
CREATE TABLE u (d DATETIME, e DATE, KEY (d));
--! sorted
SELECT f FROM t WHERE f > CURDATE();
--! sorted
SELECT f FROM t IGNORE INDEX (f) WHERE f > CURDATE();
--! sorted
SELECT f FROM t WHERE f < NOW();
--! sorted
SELECT f FROM t WHERE f < DATE'2012-01-31';
INSERT INTO u (d) SELECT f FROM t;
INSERT INTO u VALUES (TIME'25:00:00', TIME'25:00:00');
SELECT d, e FROM u ORDER BY d;
SELECT f, d FROM t JOIN u ON f = d ORDER BY f;
SELECT f, d FROM u IGNORE INDEX (d) JOIN t IGNORE INDEX (f) ON f = d ORDER BY f;
SELECT TIME'10:00:00' > DATE'2012-01-30', TIME'10:00:00' > TIMESTAMP'2012-01-31 10:00:01', CAST(TIME'24:00:00' AS DATETIME), CAST(TIME'24:00:00' AS DATE);
SELECT TIMESTAMP(f, '1') FROM t ORDER BY f;
DROP TABLE t, u;
SET timestamp = DEFAULT;

-- text that is a DATETIME where a TIME is wanted
--! differs MariaDB warns
--! mysql the newer one reads a date as a date and not as a time
SELECT ADDTIME('1997-12-31 23:59:59.999999', '1998-01-01 01:01:01.999999');
SELECT ADDTIME('2007-12-31 23:59:59.999999', '1 1:1:1.000002'), SUBTIME('10:11:12', '1 1:1:1.5'), ADDTIME('01:00:00.999999', '02:00:00.999998');
--! differs MariaDB says nothing of delimiters
SELECT TIMEDIFF('2000:01:01 00:00:00', '2000:01:01 00:00:00.000001'), TIMEDIFF('10:11:12', '1 10:11:12.5');
SELECT TIMEDIFF('2008-12-31 23:59:59.000001', '2008-12-30 01:01:01.000002'), TIMEDIFF('2000-01-01 00:00:00', '10:00:00');

-- members of a SET
CREATE TABLE t (f1 SET('1','2','3','4','5','6','7','8','9','10','11','12','13','14','15','16','17','18','19','20','21','22','23','24','25','26','27','28','29','30','31','32','33','34','35','36','37','38','39','40','41','42','43','44','45','46','47','48','49','50','51','52','53','54','55','56','57','58','59','60','61','62','63','64','128'));

-- a locking clause at the end of a set operation belongs to its last query; behind parentheses, to what they hold
CREATE TABLE t1 (a INT NOT NULL PRIMARY KEY);
CREATE TABLE t2 (a INT NOT NULL PRIMARY KEY);
INSERT INTO t1 VALUES (1);
INSERT INTO t2 VALUES (2);
BEGIN;
SELECT * FROM t1 UNION SELECT * FROM t2 FOR UPDATE;
--! on c
SET innodb_lock_wait_timeout = 1;
SELECT * FROM t1 FOR UPDATE;
SELECT * FROM t2 FOR UPDATE;
--! on a
COMMIT;
BEGIN;
SELECT * FROM (SELECT * FROM t1 UNION SELECT * FROM t2 FOR UPDATE) d;
--! on c
SELECT * FROM t2 FOR UPDATE;
--! on a
COMMIT;
BEGIN;
(SELECT * FROM t2) FOR UPDATE;
--! on c
SELECT * FROM t2 FOR UPDATE;
--! close
--! on a
COMMIT;
DROP TABLE t1, t2;

-- ON DUPLICATE KEY UPDATE can name columns of the SELECT's tables
CREATE TABLE t (id INT PRIMARY KEY, n INT, s VARCHAR(20));
CREATE TABLE src (k INT, v INT, name VARCHAR(20));
CREATE TABLE more (k2 INT, w INT);
INSERT INTO t VALUES (1, 10, 'a'), (2, 20, 'b');
INSERT INTO src VALUES (1, 100, 'one'), (3, 300, 'three'), (2, NULL, 'two');
INSERT INTO more VALUES (1, 7), (2, 8), (3, 9);
INSERT INTO t SELECT k, v, 'x' FROM src ORDER BY k ON DUPLICATE KEY UPDATE n = t.n + src.v, s = CONCAT(t.s, '-', src.name);
SELECT * FROM t ORDER BY id;
INSERT INTO t (id) SELECT k FROM src JOIN more ON k = k2 ON DUPLICATE KEY UPDATE n = w, s = name;
SELECT * FROM t ORDER BY id;
INSERT INTO t (id, n) SELECT * FROM (SELECT 1 AS a, 50 AS b) AS d ON DUPLICATE KEY UPDATE n = d.b;
INSERT INTO t (id, n) SELECT id, n FROM t AS o ON DUPLICATE KEY UPDATE n = o.n + VALUES(n) + t.n;
SELECT * FROM t ORDER BY id;
INSERT INTO t (id) SELECT k FROM src ON DUPLICATE KEY UPDATE n = nothing;
INSERT INTO t (id) SELECT k FROM src ON DUPLICATE KEY UPDATE nothing = 1;
INSERT INTO t (id, n) SELECT k, COUNT(*) FROM src GROUP BY k ON DUPLICATE KEY UPDATE n = v;
--! differs MariaDB lets the first SELECT of a UNION be named; MySQL's manual excludes UNION
INSERT INTO t (id) SELECT k FROM src UNION SELECT k2 FROM more ON DUPLICATE KEY UPDATE n = v;
INSERT INTO t (id, n) SELECT k FROM src ON DUPLICATE KEY UPDATE n = v;
DROP TABLE t, src, more;
-- Django: an index that the server made for a foreign key stays beside a descending one
CREATE TABLE p (id INT PRIMARY KEY);
CREATE TABLE c (id INT PRIMARY KEY, p_id INT, s VARCHAR(10), CONSTRAINT c_fk FOREIGN KEY (p_id) REFERENCES p (id));
--! ours MariaDB replaces it; Django's tests on MySQL drop the descending index again
CREATE INDEX down ON c (p_id DESC, s);
SELECT index_name, seq_in_index, column_name FROM information_schema.statistics WHERE table_schema = 'test' AND table_name = 'c' ORDER BY 1, 2;
DROP INDEX down ON c;
CREATE INDEX up ON c (p_id, s);
SELECT index_name, seq_in_index, column_name FROM information_schema.statistics WHERE table_schema = 'test' AND table_name = 'c' ORDER BY 1, 2;
DROP INDEX up ON c;
--! end
DROP TABLE c, p;
-- SQLAlchemy: the name of a constraint may end with a space; a JSON operand of CASE
CREATE TABLE ck (a INT, CONSTRAINT `ck " two ` CHECK (a > 0));
--! differs MariaDB has another error number for checks
INSERT INTO ck VALUES (0);
DROP TABLE ck;
CREATE TABLE j (id INT PRIMARY KEY, d JSON);
INSERT INTO j VALUES (1, '{"v": null}'), (2, '{"v": "null"}'), (3, '{}'), (4, '{"v": 12}'), (5, NULL);
SELECT id, CASE JSON_EXTRACT(d, '$.v') WHEN 'null' THEN 'a' WHEN '"null"' THEN 'b' WHEN 12 THEN 'c' ELSE 'd' END AS x FROM j ORDER BY id;
DELETE FROM j;
INSERT INTO j VALUES (1, '{"v": true}'), (2, '{"v": false}'), (3, '{"v": null}'), (4, '{"v": 1.5}'), (5, '{}');
--! ours MariaDB's JSON is text, so that true is not 1
SELECT id, CASE JSON_EXTRACT(d, '$.v') WHEN 'null' THEN NULL WHEN true THEN true WHEN 1.5 THEN 3 ELSE false END AS x FROM j ORDER BY id;
--! end
SELECT CASE d WHEN d THEN 1 ELSE 0 END AS x FROM j ORDER BY id;
DROP TABLE j;
