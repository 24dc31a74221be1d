-- Index paths: composite, prefix, descending, unique with NULL, ranges on every part, ORDER BY by index, all against a table scan.
CREATE TABLE x (id INT PRIMARY KEY, a INT, b INT, c VARCHAR(10), d DATE, u INT, KEY ab (a, b), KEY abd (a DESC, b), KEY cp (c(2)), KEY ca (c, a), KEY d (d DESC), UNIQUE KEY u (u), UNIQUE KEY ub (u, b));
INSERT INTO x VALUES (1,1,1,'aa','2020-01-01',1),(2,1,2,'aab','2020-02-01',2),(3,1,NULL,'ab','2020-03-01',NULL),(4,2,1,'AA','2019-01-01',NULL),(5,2,2,'b',NULL,5),(6,NULL,1,NULL,'2020-01-01',6),(7,NULL,NULL,'aa ','2021-01-01',7),(8,3,-1,'aacc','2020-01-02',8),(9,-1,9,'','1999-12-31',9),(10,2147483647,-2147483648,'zz','9999-12-31',10);
SELECT id FROM x FORCE INDEX (ab) WHERE a = 1 ORDER BY id;
SELECT id FROM x FORCE INDEX (ab) WHERE a = 1 AND b = 2;
SELECT id FROM x FORCE INDEX (ab) WHERE a = 1 AND b IS NULL;
SELECT id FROM x FORCE INDEX (ab) WHERE a IS NULL ORDER BY id;
SELECT id FROM x FORCE INDEX (ab) WHERE a IS NULL AND b IS NULL;
SELECT id FROM x FORCE INDEX (ab) WHERE a IS NOT NULL ORDER BY a, b, id;
SELECT id FROM x FORCE INDEX (ab) WHERE a <=> NULL AND b <=> 1;
SELECT id FROM x FORCE INDEX (ab) WHERE a > 1 ORDER BY id;
SELECT id FROM x FORCE INDEX (ab) WHERE a >= 1 AND a < 3 ORDER BY id;
SELECT id FROM x FORCE INDEX (ab) WHERE a = 2 AND b > 1;
SELECT id FROM x FORCE INDEX (ab) WHERE a = 2 AND b BETWEEN 0 AND 1;
SELECT id FROM x FORCE INDEX (ab) WHERE a IN (1,3,NULL) ORDER BY id;
SELECT id FROM x FORCE INDEX (ab) WHERE a IN (1,2) AND b IN (1,2) ORDER BY id;
SELECT id FROM x FORCE INDEX (ab) WHERE (a = 1 AND b = 1) OR (a = 2 AND b = 2) ORDER BY id;
SELECT id FROM x FORCE INDEX (ab) WHERE a = 1 OR a IS NULL ORDER BY id;
SELECT id FROM x FORCE INDEX (ab) WHERE a > 2147483646;
SELECT id FROM x FORCE INDEX (ab) WHERE a > 2147483647;
SELECT id FROM x FORCE INDEX (ab) WHERE a < 99999999999 ORDER BY id;
SELECT id FROM x FORCE INDEX (ab) WHERE a = 99999999999;
SELECT id FROM x FORCE INDEX (ab) WHERE a > -99999999999 ORDER BY id;
SELECT id FROM x FORCE INDEX (ab) WHERE a > 0.5 AND a < 1.5 ORDER BY id;
SELECT id FROM x FORCE INDEX (ab) WHERE a = '1' ORDER BY id;
SELECT id FROM x FORCE INDEX (ab) WHERE a = '1.0' ORDER BY id;
--! differs the number of warnings: the constant is converted for the range and for the filter here
SELECT id FROM x FORCE INDEX (ab) WHERE a = 'x' ORDER BY id;
SELECT id FROM x FORCE INDEX (ab) WHERE a = 1e0 ORDER BY id;
SELECT id FROM x FORCE INDEX (ab) WHERE a BETWEEN 3 AND 1;
SELECT id FROM x FORCE INDEX (ab) WHERE a <> 1 ORDER BY id;
SELECT id FROM x FORCE INDEX (ab) WHERE a NOT IN (1,2) ORDER BY id;
SELECT a, b FROM x FORCE INDEX (ab) ORDER BY a, b;
SELECT a, b FROM x FORCE INDEX (ab) ORDER BY a DESC, b DESC;
SELECT a, b FROM x FORCE INDEX (abd) ORDER BY a DESC, b;
SELECT a, b FROM x FORCE INDEX (abd) ORDER BY a, b DESC;
SELECT a, b FROM x FORCE INDEX (abd) WHERE a >= 1 ORDER BY a DESC, b;
SELECT a, b FROM x FORCE INDEX (abd) WHERE a < 2 ORDER BY a DESC, b;
SELECT a, b FROM x FORCE INDEX (abd) WHERE a = 1 AND b >= 1 ORDER BY b;
SELECT id FROM x FORCE INDEX (cp) WHERE c = 'aa' ORDER BY id;
SELECT id FROM x FORCE INDEX (cp) WHERE c = 'aab';
SELECT id FROM x FORCE INDEX (cp) WHERE c > 'aa' ORDER BY id;
SELECT id FROM x FORCE INDEX (cp) WHERE c >= 'aab' AND c < 'ab' ORDER BY id;
SELECT id FROM x FORCE INDEX (cp) WHERE c LIKE 'aa%' ORDER BY id;
SELECT id FROM x FORCE INDEX (cp) WHERE c LIKE 'aac%' ORDER BY id;
SELECT id FROM x FORCE INDEX (cp) WHERE c LIKE 'a_' ORDER BY id;
SELECT id FROM x FORCE INDEX (cp) WHERE c LIKE '%b' ORDER BY id;
SELECT id FROM x FORCE INDEX (cp) WHERE c = '' ORDER BY id;
SELECT id FROM x FORCE INDEX (cp) WHERE c IS NULL;
SELECT id FROM x FORCE INDEX (ca) WHERE c = 'aa' AND a = 1;
SELECT id FROM x FORCE INDEX (ca) WHERE c IN ('AA','b') AND a > 1 ORDER BY id;
SELECT id FROM x FORCE INDEX (ca) WHERE c > 'aa' AND c <= 'b' ORDER BY id;
--! differs MariaDB warns of the empty text
SELECT id FROM x FORCE INDEX (ca) WHERE c = 5;
SELECT id FROM x FORCE INDEX (d) WHERE d >= '2020-01-01' AND d < '2020-02-01' ORDER BY id;
SELECT id FROM x FORCE INDEX (d) WHERE d = '2020-01-01 00:00:00' ORDER BY id;
SELECT id FROM x FORCE INDEX (d) WHERE d > '2020-01-01 12:00:00' ORDER BY d, id;
SELECT id FROM x FORCE INDEX (d) WHERE d = 20200101 ORDER BY id;
SELECT d FROM x FORCE INDEX (d) ORDER BY d;
SELECT d FROM x FORCE INDEX (d) ORDER BY d DESC LIMIT 3;
SELECT id FROM x FORCE INDEX (u) WHERE u IS NULL ORDER BY id;
SELECT id FROM x FORCE INDEX (u) WHERE u = 5;
SELECT id FROM x FORCE INDEX (ub) WHERE u = 5 AND b = 2;
SELECT MIN(a), MAX(a), MIN(u), MAX(u), MIN(d), MAX(d) FROM x;
SELECT MAX(b) FROM x WHERE a = 1;
SELECT MIN(b) FROM x WHERE a = 99;
SELECT a, MAX(b) FROM x GROUP BY a ORDER BY a;
SELECT DISTINCT a FROM x ORDER BY a;
SELECT COUNT(DISTINCT a, b) FROM x;
SELECT x.id, y.id FROM x JOIN x y ON x.a = y.b ORDER BY 1, 2;
SELECT x.id, y.id FROM x LEFT JOIN x y ON x.a = y.u AND y.b > 0 ORDER BY 1, 2;
SELECT x.id, y.id FROM x JOIN x y ON x.c = y.c ORDER BY 1, 2;
SELECT id FROM x WHERE id IN (3,1,2) ORDER BY id DESC;
SELECT id FROM x WHERE id > 3 ORDER BY id LIMIT 2;
SELECT id FROM x WHERE id BETWEEN 2 AND 4 ORDER BY id DESC;
UPDATE x SET a = a + 1 WHERE a > 0 AND a < 100;
SELECT id, a FROM x FORCE INDEX (ab) WHERE a > 0 ORDER BY a, id;
UPDATE x SET u = NULL WHERE u = 1;
INSERT INTO x VALUES (11,1,1,'q',NULL,NULL);
INSERT INTO x VALUES (12,1,1,'q',NULL,5);
UPDATE x SET u = 2 WHERE id = 5;
DELETE FROM x WHERE c LIKE 'a%';
SELECT id, c FROM x FORCE INDEX (ca) ORDER BY c, id;
SELECT COUNT(*) FROM x FORCE INDEX (ab);
SELECT COUNT(*) FROM x FORCE INDEX (PRIMARY);
CREATE TABLE lx (v VARCHAR(500) CHARACTER SET latin1, t TEXT, b BLOB, KEY (v), KEY (t(20)), KEY (b(5)));
INSERT INTO lx VALUES (REPEAT('a',500), REPEAT('b',1000), REPEAT('c',1000)), ('x', 'y', 'z'), (REPEAT('a',499), REPEAT('b',999), 'cccccd');
SELECT LENGTH(v), LENGTH(t), LENGTH(b) FROM lx FORCE INDEX (v) WHERE v LIKE 'aaa%' ORDER BY 1;
SELECT LENGTH(t) FROM lx FORCE INDEX (t) WHERE t = REPEAT('b',999);
SELECT LENGTH(b) FROM lx FORCE INDEX (b) WHERE b > 'ccccc' ORDER BY 1;
SELECT LENGTH(b) FROM lx FORCE INDEX (b) WHERE b = 'cccccd';
-- text of numbers beyond what a DOUBLE holds exactly, looked for in an index
CREATE TABLE big (a BIGINT, b INT, KEY k (a, b));
INSERT INTO big VALUES (9223372036854775806, 1), (9223372036854775806, 2), (9223372036854775807, 1), (10, 1), (10, 2), (2, 1), (-9223372036854775808, 1);
--! sorted
SELECT a, b FROM big FORCE INDEX (k) WHERE a IN (2, '9223372036854775806', 2, 10);
--! sorted
SELECT a, b FROM big FORCE INDEX (k) WHERE a IN (2, '9223372036854775806', 2, 10) AND b = 1;
--! sorted
SELECT a, b FROM big FORCE INDEX (k) WHERE a = '9223372036854775806' AND b = 1;
--! sorted
SELECT a, b FROM big FORCE INDEX (k) WHERE a IN ('9223372036854775806', '10') AND b IN (1, '1');
--! sorted
SELECT a, b FROM big FORCE INDEX (k) WHERE a BETWEEN '9223372036854775806' AND '9223372036854775806' AND b > 1;
--! sorted
SELECT a, b FROM big FORCE INDEX (k) WHERE a IN ('-9223372036854775808', '99999999999999999999');
DROP TABLE big;
CREATE TABLE big (a BIGINT UNSIGNED PRIMARY KEY, b INT);
INSERT INTO big VALUES (18446744073709551615, 1), (18446744073709551614, 2), (9223372036854775807, 3), (5, 4);
SELECT a, b FROM big WHERE a = '18446744073709551615';
SELECT a, b FROM big WHERE a = '9223372036854775807';
SELECT a, b FROM big WHERE a = '5';
SELECT a, b FROM big WHERE a = '18446744073709551616';
SELECT a, b FROM big WHERE a = 5e0;
DROP TABLE big;
-- rows in IN and in disjunctions of row equalities are ranges of an index
CREATE TABLE rows_in (id INT PRIMARY KEY, a INT, b INT, c INT, s VARCHAR(10), KEY ab (a, b), KEY sb (s, b));
INSERT INTO rows_in WITH RECURSIVE n AS (SELECT 1 x UNION ALL SELECT x + 1 FROM n WHERE x < 900) SELECT x, NULLIF(x % 100, 7), NULLIF(x, 103), x % 5, x % 90 FROM n;
ANALYZE TABLE rows_in;
--! ours EXPLAIN is printed otherwise
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM rows_in WHERE (a, b) IN ((1, 1), (3, 4));
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM rows_in WHERE (a, b) = (1, 1) OR (a, b) = (3, 4);
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM rows_in WHERE (b, a) IN ((1, 1), (103, 3)) AND c > 0;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM rows_in WHERE (a, b, c) IN ((1, 1, 1), (3, 203, 3));
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM rows_in WHERE (s, b) IN (('1', 1), ('3', 3));
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM rows_in WHERE (a, c) IN ((1, 1), (3, 4));
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM rows_in WHERE (a, b) IN ((1, NULL), (3, 3));
EXPLAIN UPDATE rows_in SET c = 9 WHERE (a, b) IN ((1, 1), (3, 4));
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN DELETE FROM rows_in WHERE (a, b) = (1, 1) OR (a, b) = (3, 4);
--! end
SELECT id FROM rows_in WHERE (a, b) IN ((1, 1), (3, 4), (3, 203), (3, 203), (NULL, 7), (4, NULL)) ORDER BY id;
SELECT id FROM rows_in WHERE (a, b) = (1, 101) OR (a, b) = (3, 303) OR (b, a) = (5, 5) ORDER BY id;
--! mysql another number of warnings
SELECT id FROM rows_in WHERE (a, b) IN ((1, 1.0), (3, '203'), (5, '5x'), ('6', 6e0)) ORDER BY id;
SELECT id FROM rows_in WHERE (a, b, c) IN ((1, 101, 1), (3, 203, 4)) ORDER BY id;
SELECT id FROM rows_in WHERE (s, b) IN (('1', 1), ('3', 93), ('x', 5)) AND a > 0 ORDER BY id;
SELECT id FROM rows_in WHERE (a, b) NOT IN ((1, 1), (3, 3)) AND id < 5 ORDER BY id;
UPDATE rows_in SET c = 9 WHERE (a, b) IN ((1, 1), (3, 203));
DELETE FROM rows_in WHERE (a, b) = (1, 1) OR (b, a) = (203, 3);
SELECT COUNT(*), SUM(c = 9) FROM rows_in;
DROP TABLE rows_in;
-- BETWEEN of integers and two texts with fractions, with and without index
CREATE TABLE bt (b BIGINT, i INT, u BIGINT UNSIGNED, t TINYINT, KEY(b), KEY(i));
INSERT INTO bt VALUES (1,1,1,1),(2,2,2,2),(3,3,3,3),(9007199254740993,3,9007199254740993,4),(9007199254740992,3,9007199254740992,4);
SELECT b FROM bt WHERE b BETWEEN '1.5' AND '2.5';
SELECT b FROM bt IGNORE INDEX (b) WHERE b BETWEEN '1.5' AND '2.5';
SELECT b FROM bt WHERE b BETWEEN '1.4' AND '2.4';
SELECT b FROM bt IGNORE INDEX (b) WHERE b BETWEEN '1.4' AND '2.4';
--! sorted
SELECT b FROM bt WHERE b NOT BETWEEN '1.5' AND '2.5';
SELECT i FROM bt WHERE i BETWEEN '1.5' AND '2.5';
SELECT i FROM bt IGNORE INDEX (i) WHERE i BETWEEN '0.6' AND '1.4';
SELECT u FROM bt WHERE u BETWEEN '-1.5' AND '1.4';
SELECT t FROM bt WHERE t BETWEEN '-1000.5' AND '1.4';
SELECT b FROM bt WHERE b BETWEEN '9007199254740992.6' AND '9007199254740993.4';
SELECT 2 BETWEEN '1.5' AND '2.5' a, 1 BETWEEN '1.5' AND '2.5' b, 1 BETWEEN '0.6' AND '1.4' c, 3 BETWEEN '1.5' AND '2.5' d;
SELECT i, i BETWEEN '1.5' AND '2.5' a, i+0 BETWEEN '1.5' AND '2.5' b, u BETWEEN '1.5' AND '2.5' c FROM bt WHERE t < 4;
PREPARE bt FROM 'SELECT b FROM bt WHERE b BETWEEN ? AND ?';
SET @a='1.5', @c='2.5';
EXECUTE bt USING @a,@c;
SELECT b FROM bt WHERE b BETWEEN @a AND @c;
