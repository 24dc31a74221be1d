-- INSERT ... VALUES ROW(...) takes what VALUES (...) takes; ANY_VALUE counts its arguments as a function; 1690 of a table's own expressions.
CREATE TABLE t (a INT, b INT);
--! ours MariaDB has no ROW() in VALUES, no ANY_VALUE and other words for the expressions of columns
INSERT INTO t VALUES ROW(1,2), ROW(3,4);
INSERT INTO t VALUES ROW();
INSERT INTO t VALUES ROW(1,DEFAULT);
INSERT INTO t VALUES ROW(5,a);
INSERT INTO t (a) VALUES ROW(1,2);
INSERT INTO t VALUES ROW(8,9) UNION SELECT 3,4;
INSERT INTO t VALUE ROW(1,2);
REPLACE INTO t VALUES ROW(10,DEFAULT);
VALUES ROW(1,DEFAULT);
VALUES ROW();
SELECT * FROM t;
SELECT ANY_VALUE();
SELECT any_value(1,2);
SELECT ANY_VALUE(*);
SELECT ANY_VALUE(DISTINCT a) FROM t;
SELECT ANY_VALUE(ALL a) FROM t;
SELECT ANY_VALUE(a) OVER () FROM t;
CREATE TABLE f (a INT, b TINYINT UNSIGNED, KEY ((a*1000000000000000)));
INSERT INTO f VALUES (100000,1);
CREATE TABLE f2 (a BIGINT, b BIGINT UNSIGNED, KEY kk ((a+b)), KEY ((b-10)));
INSERT INTO f2 VALUES (1,1);
INSERT INTO f2 VALUES (1,20);
UPDATE f2 SET b = 1;
ALTER TABLE f2 ADD KEY ((a-b));
CREATE TABLE f3 (a INT, g BIGINT AS (a*1000000000000000));
INSERT INTO f3 (a) VALUES (100000);
CREATE TABLE f4 (a DOUBLE, KEY ((EXP(a))));
INSERT INTO f4 VALUES (1000);
--! end
-- a subquery of several columns on the left of ANY and ALL; a row that is not there
--! ours MariaDB takes no row on the left of ANY, and a row that is not there for one of NULLs
CREATE TABLE r (a INT, b INT);
INSERT INTO r VALUES (1, 2), (3, 4), (NULL, 5);
SELECT (SELECT a, b FROM r WHERE a = 1) = ANY (SELECT a, b FROM r), (SELECT a, b FROM r WHERE a = 1) <> ALL (SELECT a, b FROM r),
  (SELECT a, b FROM r WHERE a = 9) = ANY (SELECT a, b FROM r), (SELECT a, b FROM r WHERE a = 9) <> ALL (SELECT a, b FROM r WHERE a = 9);
SELECT (SELECT a, b FROM r) = ANY (SELECT 1, 2);
SELECT (SELECT a, b FROM r WHERE a = 1) > ANY (SELECT a, b FROM r);
SELECT (SELECT a, b FROM r WHERE a = 1) = ANY (SELECT a FROM r);
SELECT x.a FROM r x WHERE (SELECT y.a, y.b FROM r y WHERE y.a = x.a) = ANY (SELECT z.a, z.b FROM r z WHERE z.b = x.b);
SELECT (NULL, NULL) <=> (SELECT a, b FROM r WHERE a = 9), (1, 2) <=> (SELECT a, b FROM r WHERE a = 9), (1, 2) <=> (SELECT a, b FROM r WHERE a = 1);
SELECT (SELECT a, b FROM r WHERE a = 9) <=> (NULL, NULL), (SELECT a, b FROM r WHERE a = 9) <=> (SELECT a, b FROM r WHERE a = 9),
  (SELECT a, b FROM r WHERE b = 5) <=> (NULL, 5), (SELECT NULL, NULL) <=> (NULL, NULL);
SELECT a FROM r WHERE (NULL, NULL) <=> (SELECT a, b FROM r WHERE a = 9);
SELECT x.a, x.b FROM r x WHERE (x.a, x.b) <=> (SELECT y.a, y.b FROM r y WHERE y.b = x.b) ORDER BY x.b;
DROP TABLE r;
--! end
