-- INSERT and REPLACE through views: outer joins, joins, rows that the view does not show, and the view's table read meanwhile (compared with MySQL 9.7).
CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT, UNIQUE KEY (a));
CREATE TABLE u (id INT PRIMARY KEY, b INT);
INSERT INTO t VALUES (1,1), (2,2), (5,5);
INSERT INTO u VALUES (1,1);
CREATE VIEW jv AS SELECT t.id, t.a, u.id kid, u.b FROM t JOIN u ON t.id = u.id;
CREATE VIEW lv AS SELECT t.id, t.a, u.id kid, u.b FROM t LEFT JOIN u ON t.id = u.id;
CREATE VIEW ll AS SELECT id, a FROM lv;
--! ours MariaDB 10.11 lets rows in through outer joins and REPLACE through joins
INSERT INTO lv (id, a) VALUES (20,20);
INSERT INTO lv (kid, b) VALUES (20,20);
INSERT INTO lv (id, kid) VALUES (20,20);
INSERT INTO ll (id, a) VALUES (20,20);
REPLACE INTO lv (id, a) VALUES (20,20);
INSERT INTO lv (id, a) SELECT 20, 20;
REPLACE INTO jv (id, a) VALUES (1,1);
REPLACE INTO jv (id, a) SELECT 1, 1;
REPLACE INTO jv (id, kid) VALUES (1,1);
--! end
INSERT INTO jv (id, a) VALUES (21,21);
INSERT INTO jv (kid, b) VALUES (21,21);
DELETE FROM t WHERE id > 5;
-- REPLACE deletes only what the view shows
CREATE VIEW r5 AS SELECT * FROM t WHERE id = 5;
CREATE VIEW nn AS SELECT * FROM r5 WHERE a > 0;
CREATE VIEW sub AS SELECT * FROM t WHERE id IN (SELECT id FROM u);
--! ours MariaDB 10.11 deletes rows outside the view
REPLACE INTO r5 (id, a) VALUES (1,10);
REPLACE INTO r5 (id, a) VALUES (5,50);
REPLACE INTO r5 (id, a) VALUES (7,2);
REPLACE INTO r5 (id, a) VALUES (8,8);
REPLACE INTO r5 (id, a) VALUES (5,2);
REPLACE INTO nn (id, a) VALUES (1,1);
REPLACE INTO r5 (id, a) SELECT 1, 99;
REPLACE INTO r5 (id, a) SELECT 5, 51;
REPLACE INTO sub (id, a) VALUES (1,77);
INSERT INTO r5 (id, a) VALUES (1,12) ON DUPLICATE KEY UPDATE a = 13;
SELECT * FROM t ORDER BY id;
--! end
-- the table below the view, read by a subquery of VALUES or ON DUPLICATE KEY UPDATE: by which name
CREATE VIEW v AS SELECT * FROM t;
CREATE VIEW v2 AS SELECT * FROM t WHERE id > 0;
CREATE VIEW va AS SELECT q.id, q.a FROM t q;
CREATE VIEW n AS SELECT * FROM va;
--! ours MariaDB 10.11 has other rules for what is read and changed
INSERT INTO v (a) VALUES ((SELECT MAX(id) + 100 FROM t));
INSERT INTO v (a) VALUES ((SELECT MAX(id) + 110 FROM t x));
INSERT INTO v (a) VALUES ((SELECT MAX(id) + 120 FROM v));
INSERT INTO v (a) VALUES ((SELECT MAX(id) + 130 FROM v2));
INSERT INTO va (a) VALUES ((SELECT MAX(id) + 140 FROM t));
INSERT INTO va (a) VALUES ((SELECT MAX(id) + 150 FROM t q));
INSERT INTO va (a) VALUES ((SELECT MAX(id) + 160 FROM t va));
INSERT INTO n (a) VALUES ((SELECT MAX(id) + 170 FROM t));
INSERT INTO n (a) VALUES ((SELECT MAX(id) + 180 FROM va));
INSERT INTO n (a) VALUES ((SELECT MAX(id) + 190 FROM n));
INSERT INTO n (a) VALUES ((SELECT MAX(id) + 200 FROM v));
INSERT INTO n (a) VALUES ((SELECT MAX(id) + 210 FROM t q));
INSERT INTO t (a) VALUES ((SELECT MAX(id) + 220 FROM va));
INSERT INTO v (a) VALUES ((SELECT id FROM (SELECT MAX(id) + 230 AS id FROM t) q));
INSERT INTO v (a) VALUES ((SELECT MAX(id) FROM u WHERE id IN (SELECT id FROM t)));
INSERT INTO v (a) VALUES (2) ON DUPLICATE KEY UPDATE a = (SELECT MAX(id) + 240 FROM t);
INSERT INTO v (a) VALUES (2) ON DUPLICATE KEY UPDATE a = (SELECT MAX(id) + 250 FROM t x);
REPLACE INTO v (a) VALUES ((SELECT MAX(id) + 260 FROM t x));
REPLACE INTO v (a) SELECT MAX(id) + 270 FROM t;
SELECT * FROM t ORDER BY id;
--! end
-- UPDATE and DELETE of a view with an outer join alone
CREATE VIEW lj AS SELECT t.id, lv.a FROM t JOIN lv ON t.id = lv.id;
--! ours MariaDB 10.11 changes views with outer joins
UPDATE lv SET a = 7 WHERE id = 900;
UPDATE lv SET b = 7 WHERE id = 900;
UPDATE ll AS q SET a = 7 WHERE id = 900;
UPDATE lj SET a = 7 WHERE id = 900;
DELETE FROM lv WHERE id = 900;
DELETE FROM ll WHERE id = 900;
DELETE lv FROM lv JOIN u ON lv.id = u.id WHERE lv.id = 900;
DELETE lj FROM lj WHERE id = 900;
INSERT INTO lj (id) VALUES (900);
--! end
-- WITH CHECK OPTION does not see the value that AUTO_INCREMENT will give, and comes before CHECK
CREATE TABLE au (id INT AUTO_INCREMENT PRIMARY KEY, a INT, CHECK (a < 7));
CREATE VIEW av AS SELECT * FROM au WHERE id < 3 WITH CHECK OPTION;
CREATE VIEW aw AS SELECT * FROM au WHERE id > 0 WITH CHECK OPTION;
INSERT INTO au VALUES (5,1);
--! ours MariaDB 10.11 tests CHECK first
INSERT INTO av (a) VALUES (2);
INSERT INTO aw (a) VALUES (3);
INSERT IGNORE INTO aw (id, a) VALUES (NULL,3), (0,4), (9,5);
INSERT INTO av (id, a) VALUES (10,8);
SELECT * FROM au;
--! end
SET sql_mode = 'STRICT_TRANS_TABLES,NO_AUTO_VALUE_ON_ZERO';
--! ours DEFAULT is a value like 0 in MySQL
INSERT INTO au (id, a) VALUES (DEFAULT,1), (NULL,2);
SELECT * FROM au;
--! end
SET sql_mode = DEFAULT;
