-- What the rest of a join sees of the rows that change while it is read. MySQL's rules, which EXPLAIN FORMAT=TREE tells ("immediate"); MariaDB has
-- others in places.
--! ours MariaDB reads and changes in another order
CREATE TABLE p (id INT PRIMARY KEY, a INT, s INT, KEY (a), FOREIGN KEY (a) REFERENCES p (id) ON DELETE CASCADE);
CREATE TABLE c (id INT PRIMARY KEY, p INT, n INT, KEY (n), FOREIGN KEY (p) REFERENCES p (id) ON DELETE CASCADE ON UPDATE CASCADE);
SET foreign_key_checks = 0;
INSERT INTO p VALUES (1, 2, 0), (2, NULL, 0), (3, 2, 0), (4, NULL, 0), (5, 4, 0);
INSERT INTO c VALUES (1, 1, 5), (2, 2, 4), (3, 3, 3), (4, 4, 2), (5, 5, 1);
SET foreign_key_checks = 1;

-- rows of the second table, and of the first itself, go by cascades before they are read
BEGIN;
DELETE p FROM p STRAIGHT_JOIN c ON c.n = p.id;
SELECT * FROM p;
SELECT * FROM c;
ROLLBACK;
BEGIN;
DELETE c, p FROM p STRAIGHT_JOIN c ON c.n = p.id;
SELECT * FROM p;
SELECT * FROM c;
ROLLBACK;
-- no index for the join: nested loops all the same
BEGIN;
DELETE p FROM p STRAIGHT_JOIN c ON c.n + 0 = p.id;
SELECT * FROM p;
SELECT * FROM c;
ROLLBACK;
-- and are as the cascade has left them
CREATE TABLE q (id INT PRIMARY KEY, k INT, s INT, UNIQUE KEY (k));
CREATE TABLE r (id INT PRIMARY KEY, k INT, n INT, FOREIGN KEY (k) REFERENCES q (k) ON UPDATE CASCADE);
INSERT INTO q VALUES (1, 1, 0), (2, 2, 0), (3, 3, 0);
INSERT INTO r VALUES (1, 1, 0), (2, 2, 0), (3, 3, 0);
UPDATE q STRAIGHT_JOIN r ON r.k >= q.id SET q.k = 10 - q.id, r.n = r.k;
SELECT * FROM q;
SELECT * FROM r;

-- values for other tables are computed of the row as it is now
BEGIN;
UPDATE p STRAIGHT_JOIN c SET p.s = 3, c.n = p.s WHERE p.id IN (2, 4);
SELECT * FROM c;
ROLLBACK;
BEGIN;
UPDATE p STRAIGHT_JOIN c SET p.s = p.id + 3, c.n = p.s WHERE p.id > 3 AND c.id > 3;
SELECT * FROM c;
ROLLBACK;
-- also of one that IGNORE has left as it was
CREATE TABLE u (id INT PRIMARY KEY, k INT, UNIQUE KEY (k));
INSERT INTO u VALUES (1, 1), (2, 2);
BEGIN;
UPDATE IGNORE u STRAIGHT_JOIN c SET u.k = 2, c.n = u.k WHERE u.id = 1;
SELECT * FROM u;
SELECT * FROM c;
ROLLBACK;
-- a later condition reads what changes: nothing changes before all is read
BEGIN;
UPDATE p STRAIGHT_JOIN c ON c.p > p.s SET p.s = 3, c.n = p.s;
SELECT * FROM p;
SELECT * FROM c;
ROLLBACK;

-- the first of several rows of the join counts for a row of another table, but what it is assigned is computed of all
CREATE TABLE x (id INT, v INT);
CREATE TABLE y (id INT PRIMARY KEY, v TINYINT NOT NULL, w INT);
INSERT INTO x VALUES (1, 5), (1, 1000), (1, NULL);
INSERT INTO y VALUES (1, 1, 0);
UPDATE x STRAIGHT_JOIN y ON x.id = y.id SET y.v = x.v;
SELECT * FROM y;
UPDATE IGNORE x STRAIGHT_JOIN y ON x.id = y.id SET y.v = x.v;
SELECT * FROM y;
SET sql_mode = '';
UPDATE x STRAIGHT_JOIN y ON x.id = y.id SET y.v = x.v + 1;
SELECT * FROM y;
SET sql_mode = DEFAULT;
UPDATE x STRAIGHT_JOIN y ON x.id = y.id SET y.w = 10 + (SELECT x.v UNION SELECT 5) WHERE x.v > 4;
UPDATE y STRAIGHT_JOIN x ON x.id = y.id SET y.v = x.v;
SELECT * FROM y;

-- which tables those are
--! names off
--! mysql costs
EXPLAIN FORMAT=TREE UPDATE p STRAIGHT_JOIN c SET p.s = 3, c.n = 5;
--! mysql costs
EXPLAIN FORMAT=TREE UPDATE p STRAIGHT_JOIN c SET p.id = 3, c.n = 5;
--! mysql costs
EXPLAIN FORMAT=TREE UPDATE p x STRAIGHT_JOIN p y SET x.s = 3;
--! mysql costs
EXPLAIN FORMAT=TREE DELETE x, c FROM p x STRAIGHT_JOIN c;
--! mysql costs
EXPLAIN FORMAT=TREE DELETE p, c FROM p STRAIGHT_JOIN c WHERE p.id = 2;
--! mysql costs
EXPLAIN FORMAT=TREE DELETE x, y FROM c x STRAIGHT_JOIN p y STRAIGHT_JOIN c z;
--! names on
--! end
