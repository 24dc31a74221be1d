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
