-- A table that a statement changes and its subqueries read (1093, 1443, 1288). MySQL counts derived tables, views and CTEs that are merged;
-- MariaDB keeps rows for them in UPDATE and DELETE.
--! ours MariaDB 10.11 keeps rows for whatever UPDATE and DELETE read (manual, "Restrictions on Subqueries")
CREATE TABLE t (a INT PRIMARY KEY, b INT, c INT);
INSERT INTO t VALUES (1,1,1),(2,2,2);
UPDATE t SET b = (SELECT MAX(b) FROM t x);
DELETE FROM t WHERE a IN (SELECT a FROM t x);
UPDATE t SET b = (SELECT MAX(b) FROM (SELECT * FROM t) d);
UPDATE t JOIN (SELECT a FROM t) d ON t.a = d.a SET t.b = 5;
DELETE FROM t WHERE a IN (SELECT a FROM (SELECT a FROM t) d);
DELETE t FROM t JOIN (SELECT a FROM t) d ON t.a = d.a;
WITH c AS (SELECT a FROM t) UPDATE t SET b = 1 WHERE a IN (SELECT a FROM c);
INSERT INTO t VALUES ((SELECT MAX(a) + 1 FROM (SELECT a FROM t) d), 1, 1);
UPDATE t SET b = (SELECT MAX(b) FROM (SELECT MAX(b) AS b FROM t) d);
UPDATE t JOIN (SELECT DISTINCT a FROM t) d ON t.a = d.a SET t.b = 5;
INSERT INTO t VALUES ((SELECT MAX(a) + 1 FROM (SELECT DISTINCT a FROM t) d), 1, 1);
INSERT INTO t SELECT a + 10, b, c FROM t;
UPDATE t p, t q SET p.b = q.b + 1 WHERE p.a = q.a;
--! sorted
SELECT * FROM t;
WITH c AS (SELECT MAX(a) AS a FROM t) UPDATE t SET b = 1 WHERE a IN (SELECT a FROM c);
CREATE VIEW v1 AS SELECT a, b, c FROM t;
CREATE VIEW v2 AS SELECT DISTINCT a, b, c FROM t;
CREATE VIEW v3 AS SELECT t1.a, t1.b, t2.c FROM t t1 JOIN t t2 ON t1.a = t2.a;
UPDATE t SET b = (SELECT MAX(b) FROM v1);
UPDATE v1 SET b = (SELECT MAX(b) FROM t);
UPDATE v1 SET b = (SELECT MAX(b) FROM v1);
UPDATE t, v1 SET t.b = 1 WHERE t.a = v1.a;
UPDATE v1 p, v1 q SET p.b = 1 WHERE p.a = q.a;
UPDATE v3 SET b = 5;
DELETE FROM v1 WHERE a = (SELECT MAX(a) FROM t);
DELETE t FROM t, v1 WHERE t.a = v1.a AND t.a = 77;
UPDATE t SET b = (SELECT MAX(b) FROM v2);
UPDATE v1 SET b = (SELECT MAX(b) FROM v2);
UPDATE t, v1 SET v1.b = 1 WHERE t.a = v1.a;
-- empty input
DELETE FROM t;
UPDATE t SET b = (SELECT MAX(b) FROM (SELECT MAX(b) AS b FROM t) d);
-- INSERT ... VALUES may read its table under another name (Django's suite does, on MySQL)
CREATE TABLE t4 (a INT PRIMARY KEY, b INT);
INSERT INTO t4 VALUES (1,1),(2,2);
INSERT INTO t4 VALUES ((SELECT MAX(a) + 1 FROM t4), 1);
INSERT INTO t4 VALUES ((SELECT MAX(x.a) + 1 FROM t4 x), 1);
INSERT INTO t4 VALUES ((SELECT MAX(a) + 1 FROM t4 x WHERE a IN (SELECT a FROM t4)), 1);
INSERT INTO t4 SET a = (SELECT MAX(a) + 1 FROM t4 x WHERE a IN (SELECT a FROM t4 y)), b = 2;
INSERT INTO t4 VALUES (1, 5) ON DUPLICATE KEY UPDATE b = 1 + (SELECT MAX(b) FROM (SELECT DISTINCT b FROM t4) x);
REPLACE INTO t4 VALUES (2, (SELECT MAX(b) FROM t4 x));
REPLACE INTO t4 VALUES (2, (SELECT MAX(b) FROM t4));
SELECT * FROM t4 ORDER BY a;
--! end
