-- Outer columns in subqueries under ONLY_FULL_GROUP_BY, maintenance of views, patterns of STR_TO_DATE, names in 1690, scopes of index hints.
CREATE TABLE t (a INT PRIMARY KEY, b INT, c INT, KEY kb (b), KEY kc (c));
INSERT INTO t VALUES (1,1,1),(2,2,2),(3,2,3);
CREATE TABLE s (x INT, y INT);
INSERT INTO s VALUES (1,1),(5,6);
--! differs the primary key determines b (MariaDB knows no such dependence)
SELECT a, b, (SELECT MAX(x) FROM s WHERE y = t.c) FROM t GROUP BY a;
SELECT b + 1, (SELECT MAX(x) FROM s WHERE y = t.b) FROM t GROUP BY b;
SELECT b, (SELECT SUM(t.c)) FROM t GROUP BY b;
SELECT b, (SELECT SUM(t.c) FROM s LIMIT 1) FROM t GROUP BY b;
--! ours MariaDB does not look into subqueries
SELECT b, (SELECT MAX(x) FROM s WHERE y = t.c) FROM t GROUP BY b;
SELECT b, (SELECT t.c) FROM t GROUP BY b;
SELECT b, (SELECT MAX(x + t.c) FROM s) FROM t GROUP BY b;
SELECT b FROM t GROUP BY b HAVING EXISTS (SELECT 1 FROM s WHERE s.x = t.c);
SELECT b, EXISTS (SELECT 1 FROM s WHERE x IN (SELECT y FROM s s2 WHERE s2.x = t.c)) FROM t GROUP BY b;
SELECT MAX(b), (SELECT x FROM s WHERE y = t.c) FROM t;
SELECT b, c IN (SELECT x FROM s) FROM t GROUP BY b;
SELECT b FROM t GROUP BY b ORDER BY (SELECT MAX(x) FROM s WHERE y = t.c);
SELECT b, ANY_VALUE((SELECT MAX(x) FROM s WHERE y = t.b)) FROM t GROUP BY b;
SELECT b, (SELECT MAX(x) FROM s WHERE y = ANY_VALUE(t.c)) FROM t GROUP BY b;
--! end
CREATE VIEW v AS SELECT x FROM s;
CHECK TABLE v;
CHECK TABLE v, t, nix;
--! ours the text names the type as MySQL does
ANALYZE TABLE v;
OPTIMIZE TABLE v;
REPAIR TABLE v;
--! end
CHECKSUM TABLE v;
DROP TABLE s;
--! mysql CHECK TABLE of a view says less
CHECK TABLE v;
DROP VIEW v;
--! types
SELECT STR_TO_DATE('2020-01-02', CONCAT('%Y', '-%m-%d')), STR_TO_DATE('10:11:12.5', CONCAT('%H:%i:', '%s.%f')), STR_TO_DATE('01.02.2020', GET_FORMAT(DATE, 'USA')), STR_TO_DATE('10:11', '%H:%i');
CREATE TABLE f (s VARCHAR(40), p VARCHAR(40));
SELECT STR_TO_DATE(s, p) FROM f;
INSERT INTO f VALUES ('2020-01-02', '%Y-%m-%d'), ('10:11:12', '%H:%i:%s'), ('x', '%Y'), ('2020-01-02 03:04:05.5', '%Y-%m-%d %H:%i:%s.%f'), (NULL, '%Y'), ('1', NULL);
--! types
SELECT STR_TO_DATE(s, p) FROM f;
CREATE TABLE n (a BIGINT UNSIGNED, b BIGINT);
INSERT INTO n VALUES (1, 9223372036854775807);
SELECT CAST(CAST(a AS SIGNED) AS UNSIGNED) - 5 FROM n;
SELECT CAST(b AS SIGNED) + CAST(CAST(b AS CHAR) AS SIGNED) FROM n;
--! mysql MySQL writes the number in parentheses
SELECT ABS(CAST(CAST(-9223372036854775808 AS SIGNED) AS SIGNED)) FROM n;
--! ours plans
--! mysql another cost
EXPLAIN FORMAT=TREE SELECT b FROM t ORDER BY b;
--! mysql another cost
EXPLAIN FORMAT=TREE SELECT b FROM t IGNORE INDEX FOR ORDER BY (kb) ORDER BY b;
--! mysql another cost
EXPLAIN FORMAT=TREE SELECT b FROM t USE INDEX FOR ORDER BY (kc) ORDER BY b;
--! mysql another cost
EXPLAIN FORMAT=TREE SELECT b FROM t IGNORE INDEX FOR GROUP BY (kb) ORDER BY b;
--! mysql another cost
EXPLAIN FORMAT=TREE SELECT b, COUNT(*) FROM t GROUP BY b;
--! mysql another cost
EXPLAIN FORMAT=TREE SELECT b, COUNT(*) FROM t IGNORE INDEX FOR GROUP BY (kb) GROUP BY b;
--! mysql another estimate, and blanks around the equals sign
EXPLAIN FORMAT=TREE SELECT b FROM t IGNORE INDEX FOR ORDER BY (kb) WHERE b = 2;
--! mysql another estimate
EXPLAIN FORMAT=TREE SELECT b FROM t IGNORE INDEX FOR JOIN (kb) WHERE b = 2;
SELECT b FROM t IGNORE INDEX FOR ORDER BY (nix) ORDER BY b;
-- a prepared EXPLAIN sends numbers as numbers
--! binary []
EXPLAIN SELECT b FROM t WHERE a = 1;
--! end
SELECT b FROM t IGNORE INDEX FOR ORDER BY (kb) ORDER BY b;
SELECT b, COUNT(*) FROM t USE INDEX FOR GROUP BY (kc) GROUP BY b ORDER BY b;
-- found by fuzzing: results that would be longer than max_allowed_packet, and lengths that do not fit a type
--! ours MariaDB has other limits
--! mysql the newer one limits the result of HEX only where it is sent
SELECT LENGTH(HEX(HEX(HEX(REPEAT('a', 16000000))))) AS n;
SELECT LENGTH(TO_BASE64(REPEAT('a', 60000000))) AS n;
SELECT LENGTH(REPEAT('abc', 9223372036854775807)) AS n;
SELECT LENGTH(CAST('abc' AS CHAR(9223372036854775807))) AS n;
--! mysql 1301 names the function
SELECT LENGTH(WEIGHT_STRING('abc' AS CHAR(9223372036854775807))) AS n;
--! end
SELECT DATE'2020-02-29' - INTERVAL 2020 YEAR;
