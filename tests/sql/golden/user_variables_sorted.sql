-- user variables in the select list of sorted queries: of the sorted rows where MySQL sorts the first table of the join, of unsorted ones where its plan
-- has "Stream results" or a temporary table below "Sort"
CREATE TABLE t (id INT PRIMARY KEY, g INT, v INT, s VARCHAR(10), KEY (v));
INSERT INTO t VALUES (1, 1, 50, 'e'), (2, 2, 40, 'd'), (3, 1, 30, 'c'), (4, 2, 20, 'b'), (5, 1, 10, 'a');
CREATE TABLE u (id INT PRIMARY KEY, t INT, w INT, KEY (t));
INSERT INTO u VALUES (1, 1, 5), (2, 2, 4), (3, 3, 3), (4, 4, 2), (5, 5, 1), (6, 1, 0);
ANALYZE TABLE t, u;
--! names off
SET @c = 0, @g = NULL, @z = NULL;
SELECT s, @c := @c + 1 FROM t ORDER BY s;
SELECT s, @c := @c + 1, @c * 2, @c := @c + 0 FROM t ORDER BY s DESC;
SET @c = 0;
SELECT s, @c := @c + 1 FROM t ORDER BY s LIMIT 2;
SELECT @c;
SELECT s, @c := @c + 1 FROM t ORDER BY s LIMIT 1, 2;
SELECT @c;
SELECT SQL_CALC_FOUND_ROWS s, @c := @c + 1 FROM t ORDER BY s LIMIT 2;
SELECT FOUND_ROWS();
SET @c = 0;
-- a rank within groups
SELECT g, s, @c := IF(@g = g, @c + 1, 1) AS r, @g := g FROM t ORDER BY g, s;
SET @c = 0, @g = NULL;
SELECT * FROM (SELECT g, s, @c := IF(@g = g, @c + 1, 1) AS r, @g := g AS gg FROM t ORDER BY g, s) d WHERE r <= 2;
SET @c = 0;
SELECT * FROM (SELECT s, @c := @c + 1 AS n FROM t ORDER BY s LIMIT 3) d;
SET @c = 0;
SELECT d.s, @c := @c + 1 FROM (SELECT @c := 0) x, t d ORDER BY d.s;
SELECT d.s, @c := @c + 1 FROM t d JOIN (SELECT @c := 0) x ORDER BY d.s DESC LIMIT 3;
-- differences between rows
SET @z = NULL;
SELECT v, v - @z, @z := v FROM t ORDER BY id;
SET @z = NULL;
SELECT v, v - @z, @z := v FROM t ORDER BY s;
SET @z = 0;
SELECT s, @z := @z + v AS total FROM t ORDER BY s;
-- of unsorted rows
SET @c = 0;
SELECT s, @c := @c + 1 AS n FROM t ORDER BY n DESC;
SET @c = 0;
SELECT s, @c := @c + 1 AS n FROM t ORDER BY s, n;
SET @c = 0;
SELECT s, @c := @c + 1 AS n FROM t ORDER BY @c, s;
SET @c = 0;
SELECT DISTINCT s, @c := @c + 1 AS n FROM t ORDER BY s;
SET @c = 0;
--! differs MariaDB evaluates the item at another place of its plan
SELECT t.s, @c := @c + 1 FROM t STRAIGHT_JOIN u ON u.t = t.id ORDER BY u.w;
-- the first table of a join is sorted
SET @c = 0;
SELECT t.s, @c := @c + 1 FROM t STRAIGHT_JOIN u ON u.t = t.id ORDER BY t.s;
SET @c = 0;
--! differs MariaDB evaluates the item at another place of its plan
SELECT t.s, u.w, @c := @c + 1 FROM t LEFT JOIN u ON u.t = t.id AND u.w > 2 ORDER BY t.s;
-- subqueries in items and keys
SET @c = 0;
SELECT s, (SELECT @c := @c + 1) FROM t ORDER BY s;
SELECT s, (SELECT @c := MAX(w) FROM u WHERE u.t = t.id), @c FROM t ORDER BY s;
SET @c = 0;
SELECT s, @c := @c + 1 FROM t ORDER BY (SELECT MAX(w) FROM u WHERE u.t = t.id);
SET @c = 0;
--! differs MariaDB evaluates the item at another place of its plan
SELECT s, @c := @c + 1 FROM t WHERE v > 15 HAVING s <> 'd' ORDER BY s;
SET @c = 0;
SELECT s, @c := @c + 1 FROM (SELECT * FROM t LIMIT 4) d ORDER BY s;
-- changes
SET @c = 0;
CREATE TABLE made AS SELECT s, @c := @c + 1 AS n FROM t ORDER BY s;
SELECT s, n FROM made ORDER BY s;
SET @c = 0;
INSERT INTO u SELECT id + 10, v, @c := @c + 1 FROM t ORDER BY s;
SELECT id, w FROM u WHERE id > 10 ORDER BY id;
SET @c = 0;
UPDATE t JOIN (SELECT id, @c := @c + 1 AS n FROM t ORDER BY s) d ON d.id = t.id SET t.g = n;
SELECT id, g FROM t ORDER BY id;
SET @c = 10;
UPDATE t SET g = (@c := @c + 1) ORDER BY s;
SELECT id, g FROM t ORDER BY id;
-- what else shows when it is evaluated
SELECT s, LAST_INSERT_ID(v) FROM t ORDER BY s;
SELECT LAST_INSERT_ID();
SELECT s, LAST_INSERT_ID(v) FROM t ORDER BY s LIMIT 2;
SELECT LAST_INSERT_ID();
SELECT COUNT(DISTINCT r) FROM (SELECT s, RAND() AS r FROM t ORDER BY s LIMIT 5) d;
SELECT s, RAND(7) FROM t ORDER BY s;
SELECT s, GET_LOCK(CONCAT('g26-', s), 0) FROM t ORDER BY s LIMIT 2;
SELECT IS_USED_LOCK('g26-a') = CONNECTION_ID(), IS_FREE_LOCK('g26-c'), IS_FREE_LOCK('g26-e'), RELEASE_ALL_LOCKS();
