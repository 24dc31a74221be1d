-- Kinds that a fresh reader has found with procedures of tutorials and of public repositories; MySQL 9.7 is the oracle.
--! ours skip: MySQL 9.7 is the oracle
CREATE TABLE t (id INT PRIMARY KEY, v INT, j JSON, s VARCHAR(30));
INSERT INTO t VALUES (1, 1, '{"a":1}', 'x'), (2, 1, '{"a":2}', 'y'), (3, 2, NULL, 'z'), (4, 5, '{"a":1}', 'w');
CREATE TABLE calls (n INT);
INSERT INTO calls VALUES (0);
CREATE FUNCTION counts(x INT) RETURNS INT BEGIN UPDATE calls SET n = n + 1; RETURN x; END;
CREATE PROCEDURE counted() BEGIN SELECT n FROM calls; UPDATE calls SET n = 0; END;
-- -> and ->> of variables, parameters, and columns of NEW and OLD
CREATE PROCEDURE arrows(j JSON, k VARCHAR(30)) BEGIN DECLARE x JSON DEFAULT '{"q":[1,{"z":"w"}]}'; SELECT j->'$.a', j->>'$.a', x->'$.q[1]', x->>'$.q[1].z', k->'$.a'; IF x->'$.q[0]' = 1 THEN SET k = j->>'$.a'; SELECT k; END IF; SELECT id FROM t WHERE j->'$.a' = 1; SELECT id FROM t WHERE t.j->'$.a' = 1; END;
CALL arrows('{"a":"str"}', '{"a":2}');
CALL arrows('{"a":1}', '[]');
CALL arrows(NULL, NULL);
CALL arrows('{"a":1}', 'no JSON');
CREATE FUNCTION reads(j JSON) RETURNS VARCHAR(20) RETURN j->>'$.x';
SELECT reads('{"x":"1"}'), reads('{}'), reads(NULL);
CREATE TRIGGER bi BEFORE INSERT ON t FOR EACH ROW BEGIN SET NEW.s = NEW.j->>'$.name'; SET NEW.v = NEW.j->'$.v'; END;
CREATE TRIGGER bu BEFORE UPDATE ON t FOR EACH ROW SET NEW.s = CONCAT(OLD.j->>'$.name', '-', NEW.j->>'$.name');
CREATE TRIGGER bd BEFORE DELETE ON t FOR EACH ROW SET @gone = OLD.j->>'$.name';
CREATE TRIGGER none BEFORE DELETE ON t FOR EACH ROW SET @gone = NEW.j->>'$.name';
CREATE TRIGGER none BEFORE INSERT ON t FOR EACH ROW SET @gone = NEW.none->>'$.name';
INSERT INTO t (id, j) VALUES (9, '{"name":"nm","v":7}');
SELECT id, v, s FROM t WHERE id = 9;
UPDATE t SET j = '{"name":"n2"}' WHERE id = 9;
SELECT id, v, s FROM t WHERE id = 9;
DELETE FROM t WHERE id = 9;
SELECT @gone;
DROP TRIGGER bi;
-- LIMIT takes whole numbers, a negative one as unsigned: all rows
CREATE PROCEDURE limits(a INT, b INT) BEGIN SELECT id FROM t ORDER BY id LIMIT a; SELECT id FROM t ORDER BY id LIMIT a, b; (SELECT id FROM t ORDER BY id LIMIT a) UNION ALL (SELECT id + 10 FROM t ORDER BY id LIMIT b) ORDER BY id LIMIT b OFFSET a; END;
CALL limits(1, 2);
CALL limits(-1, 1);
CALL limits(1, -1);
CALL limits(NULL, 1);
CREATE PROCEDURE changes(a TINYINT) BEGIN START TRANSACTION; UPDATE t SET s = CONCAT(s, '!') ORDER BY id LIMIT a; SELECT ROW_COUNT(); DELETE FROM t ORDER BY id LIMIT a; SELECT ROW_COUNT(); ROLLBACK; END;
CALL changes(2);
CALL changes(-2);
CREATE PROCEDURE none(a VARCHAR(5)) SELECT id FROM t LIMIT a;
CREATE PROCEDURE none(a DECIMAL(5)) SELECT id FROM t LIMIT 1, a;
CREATE PROCEDURE none() BEGIN DECLARE `the size` YEAR; DELETE FROM t LIMIT `the size`; END;
CREATE PROCEDURE none(a BIT(4)) SELECT 1 UNION SELECT 2 LIMIT a;
CREATE PROCEDURE whole(a BOOL, b SMALLINT UNSIGNED, c MEDIUMINT, d BIGINT UNSIGNED) BEGIN SELECT id FROM t ORDER BY id LIMIT a; SELECT id FROM t ORDER BY id LIMIT b, c; SELECT id FROM t ORDER BY id LIMIT d; END;
CALL whole(TRUE, 1, 1, 18446744073709551615);
-- GROUP BY, ORDER BY and DISTINCT know an item of the select list whose function is not DETERMINISTIC
SELECT counts(v) g, COUNT(*) FROM t GROUP BY g ORDER BY g;
SELECT counts(v), COUNT(*) FROM t GROUP BY counts(v) ORDER BY counts(v) DESC;
SELECT CONCAT(counts(v), 'x') g, SUM(id) FROM t GROUP BY g HAVING g > '1x' ORDER BY g;
SELECT counts(v), COUNT(*) FROM t GROUP BY 1 ORDER BY 1;
SELECT counts(v) g, COUNT(*) FROM t GROUP BY g WITH ROLLUP;
SELECT counts(v) g, COUNT(*) OVER () n FROM t GROUP BY g ORDER BY g;
SELECT counts(v) g, counts(v) + 1 h FROM t GROUP BY g, h ORDER BY g;
SELECT RAND(1) * 0 + v g, COUNT(*) FROM t GROUP BY g ORDER BY g;
SELECT DISTINCT counts(v) FROM t ORDER BY counts(v);
SELECT counts(v) + 1 g, COUNT(*) FROM t GROUP BY counts(v);
SELECT v, COUNT(*) FROM t GROUP BY counts(v);
-- a group has the value that it was made by, which is evaluated once
SET @r = 0;
SELECT @r := @r + 1 g, COUNT(*) FROM t GROUP BY g ORDER BY g;
SELECT @r;
SELECT COUNT(*) = COUNT(DISTINCT g), SUM(n) FROM (SELECT FLOOR(RAND() * 3) g, COUNT(*) n FROM t a, t b, t c GROUP BY g) d;
SELECT COUNT(*) = COUNT(DISTINCT g), SUM(n) FROM (SELECT FLOOR(RAND() * 3) g, v, COUNT(*) n FROM t a GROUP BY g, v WITH ROLLUP) d WHERE v IS NULL AND g IS NOT NULL;
CREATE FUNCTION next_one() RETURNS INT BEGIN UPDATE calls SET n = n + 1; RETURN (SELECT n FROM calls); END;
UPDATE calls SET n = 0;
SELECT next_one() g, COUNT(*) FROM t GROUP BY g ORDER BY g;
SELECT next_one() g, COUNT(*) FROM t GROUP BY g WITH ROLLUP;
SELECT DISTINCT next_one() FROM t;
CALL counted();
SELECT counts(v) g, COUNT(*) FROM t GROUP BY g ORDER BY g;
CALL counted();
-- a subquery that depends on nothing outside is evaluated once, whatever it calls, but for one without tables
UPDATE calls SET n = 0;
SELECT (SELECT MAX(counts(v)) FROM t) m FROM t;
CALL counted();
SELECT (SELECT next_one() FROM t LIMIT 1) m FROM t;
CALL counted();
SELECT (SELECT next_one()) m FROM t;
CALL counted();
SELECT id FROM t WHERE v < (SELECT MAX(counts(v)) FROM t) ORDER BY id;
CALL counted();
SELECT id FROM t ORDER BY (SELECT MAX(counts(v)) FROM t), id;
CALL counted();
SELECT id, (SELECT MAX(counts(v)) FROM t x WHERE x.id <= t.id) m FROM t ORDER BY id;
CALL counted();
-- a view with such a function is merged: it can be changed, and calls what is asked of it
CREATE VIEW vf AS SELECT id, counts(v) g, s FROM t;
UPDATE calls SET n = 0;
SELECT g FROM vf WHERE id = 1;
CALL counted();
SELECT COUNT(*) FROM vf;
CALL counted();
SELECT id FROM vf WHERE g = 1 ORDER BY id;
CALL counted();
SELECT g, COUNT(*) FROM vf GROUP BY g ORDER BY g;
SELECT d.g FROM (SELECT id, counts(v) g FROM t) d WHERE d.id < 3 ORDER BY d.id;
UPDATE vf SET id = id + 10 WHERE id = 4;
DELETE FROM vf WHERE id = 14;
UPDATE calls SET n = 0;
WITH c AS (SELECT counts(v) x FROM t) SELECT a.x FROM c a JOIN c b USING (x) ORDER BY a.x;
CALL counted();
SELECT table_name, is_updatable FROM information_schema.views WHERE table_schema = 'test';
-- CURRENT_USER() is the definer in a view with its rights, and the definer must be there
CREATE USER u@'%' IDENTIFIED BY 'p', q@'%' IDENTIFIED BY 'p';
CREATE TABLE owned (id INT, owner VARCHAR(50));
INSERT INTO owned VALUES (1, 'u@%'), (2, 'q@%'), (3, 'root@localhost');
GRANT SELECT ON test.* TO u@'%', q@'%';
CREATE DEFINER = u@'%' VIEW v1 AS SELECT CURRENT_USER() c, USER() = CURRENT_USER() same;
CREATE DEFINER = u@'%' SQL SECURITY INVOKER VIEW v2 AS SELECT CURRENT_USER() c;
CREATE DEFINER = u@'%' VIEW v3 AS SELECT id FROM owned WHERE owner = CURRENT_USER;
CREATE DEFINER = u@'%' VIEW v4 AS SELECT c FROM v2;
CREATE DEFINER = q@'%' VIEW v5 AS SELECT c, CURRENT_USER() d FROM v1;
CREATE DEFINER = q@'%' PROCEDURE shows() SELECT v1.c, v2.c, CURRENT_USER() FROM v1, v2;
SELECT * FROM v1;
SELECT * FROM v2;
SELECT * FROM v3;
SELECT * FROM v4;
SELECT * FROM v5;
CALL shows();
SHOW CREATE VIEW v3;
--! on other as q
SELECT * FROM test.v1;
SELECT * FROM test.v2;
SELECT * FROM test.v3;
SELECT * FROM test.v4;
SELECT * FROM test.v5;
--! on a
DROP USER u@'%';
SELECT * FROM v1;
SELECT * FROM v2;
SELECT * FROM v5;
--! on other
SELECT * FROM test.v1;
SELECT * FROM test.v5;
--! close
--! on a
DROP USER q@'%';
-- what is granted and revoked in a definer's program counts there and for who calls; the program has its definer's rights only
CREATE USER low@'%' IDENTIFIED BY 'p', adm@'%' IDENTIFIED BY 'p';
CREATE DATABASE kept;
CREATE TABLE kept.secret (id INT);
INSERT INTO kept.secret VALUES (1);
GRANT ALL ON *.* TO adm@'%' WITH GRANT OPTION;
GRANT EXECUTE ON test.* TO low@'%';
CREATE DEFINER = adm@'%' PROCEDURE gives() BEGIN GRANT INSERT ON kept.* TO low@'%'; SELECT CURRENT_USER(); SELECT * FROM kept.secret; END;
CREATE DEFINER = adm@'%' PROCEDURE takes() BEGIN REVOKE INSERT ON kept.* FROM low@'%'; SELECT CURRENT_USER(); SELECT * FROM kept.secret; END;
CREATE DEFINER = adm@'%' PROCEDURE roles() BEGIN SET ROLE NONE; SELECT CURRENT_USER(); SELECT * FROM kept.secret; END;
CREATE DEFINER = low@'%' PROCEDURE climbs() BEGIN SET ROLE NONE; SELECT CURRENT_USER(); SELECT * FROM kept.secret; END;
CREATE DEFINER = low@'%' FUNCTION climbing() RETURNS INT BEGIN SET ROLE DEFAULT; RETURN (SELECT COUNT(*) FROM kept.secret); END;
CREATE PROCEDURE asks() SQL SECURITY INVOKER BEGIN DECLARE CONTINUE HANDLER FOR SQLEXCEPTION SELECT 'no'; SELECT * FROM kept.secret; CALL opens(); SELECT * FROM kept.secret; CALL closes(); SELECT * FROM kept.secret; END;
CREATE DEFINER = adm@'%' PROCEDURE opens() GRANT SELECT ON kept.* TO low@'%';
CREATE DEFINER = adm@'%' PROCEDURE closes() REVOKE SELECT ON kept.* FROM low@'%';
CALL climbs();
SELECT climbing();
--! on low as low
CALL test.gives();
INSERT INTO kept.secret VALUES (2);
CALL test.takes();
INSERT INTO kept.secret VALUES (3);
CALL test.roles();
CALL test.climbs();
CALL test.asks();
SELECT * FROM kept.secret;
--! close
--! on a
DROP USER low@'%', adm@'%';
DROP DATABASE kept;
-- what SIGNAL and RESIGNAL give stays with what is left of a CALL
CREATE PROCEDURE warns(s INT) BEGIN IF s THEN SIGNAL SQLSTATE '01S00' SET MESSAGE_TEXT = 'w', TABLE_NAME = 'tt'; ELSE SIGNAL SQLSTATE '01000'; END IF; END;
CALL warns(1);
GET DIAGNOSTICS CONDITION 1 @m = MESSAGE_TEXT, @n = MYSQL_ERRNO, @s = RETURNED_SQLSTATE, @t = TABLE_NAME, @c = CLASS_ORIGIN, @d = SUBCLASS_ORIGIN;
SELECT @m, @n, @s, @t, @c, @d;
CALL warns(0);
GET DIAGNOSTICS CONDITION 1 @m = MESSAGE_TEXT, @n = MYSQL_ERRNO, @s = RETURNED_SQLSTATE, @t = TABLE_NAME, @c = CLASS_ORIGIN, @d = SUBCLASS_ORIGIN;
SELECT @m, @n, @s, @t, @c, @d;
CREATE PROCEDURE again() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION RESIGNAL SET MYSQL_ERRNO = 9999, TABLE_NAME = 'tt'; SELECT * FROM none; END;
CALL again();
GET DIAGNOSTICS CONDITION 1 @n = MYSQL_ERRNO, @s = RETURNED_SQLSTATE, @t = TABLE_NAME, @c = CLASS_ORIGIN, @d = SUBCLASS_ORIGIN;
SELECT @n, @s, @t, @c, @d;
--! end
