-- SELECT: WHERE, joins, USING/NATURAL, GROUP BY, HAVING, ORDER BY, DISTINCT, LIMIT, set operations, subqueries.
CREATE TABLE d (id INT PRIMARY KEY, name VARCHAR(10), boss INT);
CREATE TABLE e (id INT PRIMARY KEY, d_id INT, name VARCHAR(10), pay DECIMAL(8,2), born DATE, KEY (d_id), KEY np (name, pay));
INSERT INTO d VALUES (1,'dev',NULL),(2,'ops',1),(3,'hr',1),(4,'empty',2);
INSERT INTO e VALUES (1,1,'ann',100.50,'1990-01-01'),(2,1,'bob',200,'1985-05-05'),(3,2,'cid',150.25,NULL),(4,NULL,'dan',NULL,'2000-12-31'),(5,3,'Ann',100.5,'1990-01-01'),(6,2,'eve',300,'1970-07-07');
SELECT * FROM e WHERE pay > 100 AND d_id = 1;
SELECT id FROM e WHERE name = 'ANN' ORDER BY id;
SELECT id FROM e WHERE pay IS NULL OR born IS NULL ORDER BY id;
SELECT id FROM e WHERE NOT (pay > 150) ORDER BY id;
SELECT id FROM e WHERE d_id IN (1,3) AND name LIKE 'a%' ORDER BY id;
SELECT id FROM e WHERE d_id NOT IN (1, NULL);
SELECT id FROM e WHERE pay BETWEEN 100.5 AND 200 ORDER BY pay, id;
SELECT id FROM e WHERE (d_id, name) = (1, 'bob');
SELECT id FROM e WHERE (d_id, name) IN ((1,'ann'),(2,'eve')) ORDER BY id;
SELECT id FROM e WHERE id <=> NULL OR d_id <=> NULL;
SELECT 1 FROM e WHERE 0;
SELECT id+1 AS x, x FROM e;
SELECT id AS x FROM e WHERE x = 1;
SELECT id AS x FROM e HAVING x = 1;
SELECT id AS x FROM e ORDER BY x DESC LIMIT 2;
SELECT nope FROM e;
SELECT e.nope FROM e;
SELECT x.id FROM e;
SELECT id FROM e, d;
SELECT * FROM e AS a, e AS a;
SELECT *;
SELECT * FROM nope;
SELECT e.*, 1 FROM e WHERE id = 1;
SELECT test.e.id FROM test.e WHERE test.e.id = 1;
-- joins
SELECT e.name, d.name FROM e JOIN d ON e.d_id = d.id ORDER BY e.id;
SELECT e.name, d.name FROM e LEFT JOIN d ON e.d_id = d.id ORDER BY e.id;
SELECT e.name, d.name FROM e RIGHT JOIN d ON e.d_id = d.id ORDER BY d.id, e.id;
SELECT COUNT(*) FROM e CROSS JOIN d;
SELECT COUNT(*) FROM e, d WHERE e.d_id = d.id;
SELECT e.name FROM e LEFT JOIN d ON e.d_id = d.id AND d.name = 'dev' WHERE d.id IS NULL ORDER BY e.id;
SELECT e.name FROM e LEFT JOIN d ON e.d_id = d.id WHERE d.name = 'dev' ORDER BY e.id;
SELECT d.name, b.name FROM d LEFT JOIN d b ON d.boss = b.id ORDER BY d.id;
SELECT d.name, b.name, c.name FROM d LEFT JOIN d b ON d.boss = b.id LEFT JOIN d c ON b.boss = c.id ORDER BY d.id;
SELECT a.id, b.id FROM e a JOIN e b ON a.pay < b.pay AND a.d_id = b.d_id ORDER BY 1, 2;
SELECT e.id, d.id FROM e LEFT JOIN (d JOIN d b ON d.boss = b.id) ON e.d_id = d.id ORDER BY e.id;
CREATE TABLE u1 (id INT, k INT, a INT);
CREATE TABLE u2 (id INT, k INT, b INT);
INSERT INTO u1 VALUES (1,1,10),(2,2,20),(3,3,30);
INSERT INTO u2 VALUES (1,1,100),(2,9,200),(4,4,400);
SELECT * FROM u1 JOIN u2 USING (id) ORDER BY id;
SELECT * FROM u1 JOIN u2 USING (id, k);
SELECT * FROM u1 NATURAL JOIN u2;
SELECT * FROM u1 LEFT JOIN u2 USING (id) ORDER BY id;
SELECT * FROM u1 RIGHT JOIN u2 USING (id) ORDER BY id;
SELECT * FROM u1 NATURAL LEFT JOIN u2 ORDER BY id;
SELECT id, u1.id, u2.id FROM u1 RIGHT JOIN u2 USING (id) ORDER BY id;
SELECT k FROM u1 JOIN u2 USING (id);
SELECT * FROM u1 JOIN u2 USING (nope);
SELECT * FROM u1 STRAIGHT_JOIN u2 ON u1.id = u2.id ORDER BY 1;
SELECT * FROM u1 INNER JOIN u2 ORDER BY u1.id, u2.id LIMIT 2;
SELECT * FROM u1 LEFT JOIN u2;
-- grouping
SELECT d_id, COUNT(*), COUNT(pay), SUM(pay), AVG(pay), MIN(name), MAX(born) FROM e GROUP BY d_id ORDER BY d_id;
--! types
SELECT COUNT(*), SUM(id), AVG(id), MIN(id), MAX(pay), SUM(pay), BIT_AND(id), BIT_OR(id), BIT_XOR(id) FROM e;
SELECT COUNT(*), SUM(id), AVG(id), MIN(id), MAX(name), GROUP_CONCAT(name), BIT_AND(id), BIT_OR(id) FROM e WHERE 0;
SELECT d_id, GROUP_CONCAT(name ORDER BY name DESC SEPARATOR '/') FROM e GROUP BY d_id ORDER BY d_id;
SELECT COUNT(DISTINCT pay), SUM(DISTINCT pay), AVG(DISTINCT pay), COUNT(DISTINCT d_id, pay), GROUP_CONCAT(DISTINCT d_id ORDER BY d_id) FROM e;
SELECT d_id, name FROM e GROUP BY d_id;
SELECT name, COUNT(*) FROM e;
--! differs functional dependence on the key (manual 14.19.3); MariaDB has none
SELECT id, name, COUNT(*) FROM e GROUP BY id ORDER BY id LIMIT 2;
SELECT d_id+1, COUNT(*) FROM e GROUP BY d_id+1 ORDER BY 1;
SELECT YEAR(born) y, COUNT(*) FROM e GROUP BY y HAVING COUNT(*) > 1 OR y IS NULL ORDER BY y;
SELECT d_id, SUM(pay) s FROM e GROUP BY d_id HAVING s > 200 ORDER BY s DESC;
SELECT d_id FROM e GROUP BY d_id HAVING MAX(pay) = 300;
SELECT MAX(pay) FROM e HAVING MAX(pay) > 1000;
SELECT d_id FROM e WHERE COUNT(*) > 1;
--! mysql another error
SELECT d_id, COUNT(*) FROM e GROUP BY COUNT(*);
SELECT SUM(COUNT(*)) FROM e;
SELECT d_id, COUNT(*) FROM e GROUP BY 1 ORDER BY 2 DESC, 1;
SELECT d_id FROM e GROUP BY 5;
SELECT name FROM e GROUP BY name ORDER BY name;
--! differs functional dependence on the key (manual 14.19.3); MariaDB has none
SELECT d.name, COUNT(e.id) FROM d LEFT JOIN e ON e.d_id = d.id GROUP BY d.id ORDER BY d.id;
SELECT d_id, AVG(pay) FROM e GROUP BY d_id ORDER BY AVG(pay), d_id;
SELECT COUNT(*) FROM e GROUP BY d_id ORDER BY d_id LIMIT 1;
SELECT MIN(pay) FROM e GROUP BY name ORDER BY MIN(pay) LIMIT 1 OFFSET 1;
--! differs MariaDB has no ANY_VALUE
SELECT ANY_VALUE(name) IS NOT NULL FROM e GROUP BY d_id LIMIT 1;
-- order, distinct, limit
SELECT id FROM e ORDER BY pay DESC, id;
SELECT id FROM e ORDER BY name, id DESC;
SELECT id, pay FROM e ORDER BY 2, 1;
SELECT id FROM e ORDER BY 9;
SELECT id FROM e ORDER BY -id LIMIT 1,2;
SELECT id FROM e ORDER BY id LIMIT 2 OFFSET 3;
SELECT id FROM e LIMIT 0;
SELECT id FROM e LIMIT -1;
SELECT id FROM e ORDER BY id LIMIT 100, 5;
SELECT DISTINCT d_id FROM e ORDER BY d_id;
SELECT DISTINCT pay, d_id FROM e ORDER BY pay, d_id;
--! differs MySQL refuses it in ONLY_FULL_GROUP_BY (3065)
SELECT DISTINCT name FROM e ORDER BY pay;
SELECT DISTINCT d_id IS NULL FROM e ORDER BY 1;
SELECT DISTINCT COUNT(*) FROM e GROUP BY d_id ORDER BY 1;
SELECT SQL_CALC_FOUND_ROWS id FROM e ORDER BY id LIMIT 2;
SELECT FOUND_ROWS();
SELECT ALL id FROM e ORDER BY NULL LIMIT 1;
SELECT id FROM e FORCE INDEX (np) WHERE name = 'ann' ORDER BY id;
SELECT id FROM e USE INDEX () WHERE name = 'ann' ORDER BY id;
SELECT id FROM e FORCE INDEX (nope);
-- set operations and subqueries
SELECT 1 UNION SELECT 2 UNION SELECT 1;
SELECT 1 UNION ALL SELECT 1 ORDER BY 1 LIMIT 1;
SELECT 1, 2 UNION SELECT 3;
(SELECT id FROM e ORDER BY id LIMIT 1) UNION ALL (SELECT id FROM d ORDER BY id DESC LIMIT 1);
SELECT id FROM d INTERSECT SELECT d_id FROM e ORDER BY id;
SELECT id FROM d EXCEPT SELECT d_id FROM e;
--! types
SELECT 1 UNION SELECT 'a' UNION SELECT 2.5;
SELECT name FROM e WHERE d_id = (SELECT id FROM d WHERE name = 'ops') ORDER BY id;
SELECT name FROM e WHERE d_id = (SELECT id FROM d);
--! differs 1241 in MySQL
SELECT name FROM e WHERE d_id = (SELECT id, name FROM d);
SELECT name FROM d WHERE id IN (SELECT d_id FROM e WHERE pay > 150) ORDER BY id;
SELECT name FROM d WHERE id NOT IN (SELECT d_id FROM e);
SELECT name FROM d WHERE id NOT IN (SELECT d_id FROM e WHERE d_id IS NOT NULL);
SELECT name FROM d WHERE EXISTS (SELECT * FROM e WHERE e.d_id = d.id) ORDER BY id;
SELECT name FROM d WHERE NOT EXISTS (SELECT * FROM e WHERE e.d_id = d.id) ORDER BY id;
SELECT name, (SELECT MAX(pay) FROM e WHERE e.d_id = d.id) FROM d ORDER BY id;
SELECT name FROM e WHERE pay > ALL (SELECT pay FROM e WHERE d_id = 1) ORDER BY id;
SELECT name FROM e WHERE pay = ANY (SELECT pay FROM e WHERE name = 'ann') ORDER BY id;
SELECT t.n, t.c FROM (SELECT name n, COUNT(*) c FROM e GROUP BY name) t WHERE t.c > 1;
--! differs 1248 in MySQL
SELECT * FROM (SELECT 1);
WITH q AS (SELECT d_id, SUM(pay) s FROM e GROUP BY d_id) SELECT d.name, q.s FROM q JOIN d ON d.id = q.d_id ORDER BY d.id;
SELECT CASE WHEN pay > 150 THEN 'hi' WHEN pay IS NULL THEN 'none' ELSE 'lo' END c, COUNT(*) FROM e GROUP BY c ORDER BY c;
SELECT CASE d_id WHEN 1 THEN 'one' WHEN 2 THEN 'two' END FROM e ORDER BY id;
SELECT id FROM e WHERE IF(d_id = 1, pay > 150, pay < 150) ORDER BY id;
SELECT 1 FROM DUAL WHERE 1 = 1;
--! differs gone from MySQL 8
SELECT id FROM e PROCEDURE ANALYSE();
SELECT id FROM e WHERE;
SELECT FROM e;
SELEC 1;
SELECT 1 +;
SELECT (1, 2);
--! differs 1241 in MySQL
SELECT 1 = (1, 2);
SELECT nofunc(1);
SELECT ABS();
SELECT ABS(1, 2);
SELECT test.nofunc(1);
-- each row of VALUES has a column (3942) unless it is INSERT's
--! ours MariaDB has no ROW in VALUES
VALUES ROW();
VALUES ROW(), ROW(1, 2);
--! mysql another error
VALUES ROW(1, 2), ROW();
SELECT * FROM (VALUES ROW()) t;
SELECT 1 UNION VALUES ROW();
--! end
