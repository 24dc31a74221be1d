-- What statements that change rows of several tables do one after the other, and what INSERT and LOAD say and count.

-- The table that is read first changes while the joined rows are gone through, the others afterwards, table by table.
CREATE TABLE p (id INT PRIMARY KEY, a INT, UNIQUE KEY (a));
CREATE TABLE c (id INT PRIMARY KEY, p INT, n INT NOT NULL, FOREIGN KEY (p) REFERENCES p (id));
INSERT INTO p VALUES (1, 10), (2, 20), (3, 30);
INSERT INTO c VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3);
-- children go first here, though each pair names its parent first
DELETE c, p FROM c STRAIGHT_JOIN p ON c.p = p.id WHERE c.id < 3;
SELECT * FROM p;
SELECT * FROM c;
-- a value that cannot be is an error before the other table's rows change
UPDATE c STRAIGHT_JOIN p ON c.p = p.id SET p.a = 77, c.n = NULL;
SELECT * FROM p;
-- of a table that an outer join may lack NULL is refused when its row is changed
UPDATE p LEFT JOIN c ON c.p = p.id SET c.n = NULL;
SET sql_mode = '';
UPDATE p LEFT JOIN c ON c.p = p.id SET c.n = NULL;
SELECT * FROM c;
SET sql_mode = DEFAULT;

-- rows are found before a cascade changes what the condition reads
CREATE TABLE q (id INT PRIMARY KEY, k INT, UNIQUE KEY (k));
CREATE TABLE r (k INT, FOREIGN KEY (k) REFERENCES q (k) ON UPDATE CASCADE);
INSERT INTO q VALUES (1, 9), (4, 4);
INSERT INTO r VALUES (4);
UPDATE q SET k = 1 WHERE EXISTS (SELECT 1 FROM r WHERE r.k = q.id) ORDER BY id DESC;
SELECT * FROM q;
SELECT * FROM r;

-- a foreign key whose cascade changes a row of its own table is not asked again
CREATE TABLE s (id INT PRIMARY KEY, a INT, c INT, t VARCHAR(5), UNIQUE KEY (t, a), KEY (t, c), FOREIGN KEY (t, c) REFERENCES s (t, a) ON DELETE SET NULL);
SET foreign_key_checks = 0;
INSERT INTO s VALUES (2, 3, 1, 'b'), (5, 1, 3, 'b');
SET foreign_key_checks = 1;
DELETE FROM s WHERE id = 5;
SELECT * FROM s;
-- a BINARY child takes no shorter value
CREATE TABLE b (v VARBINARY(4) PRIMARY KEY);
CREATE TABLE bc (x BINARY(4), FOREIGN KEY (x) REFERENCES b (v) ON UPDATE CASCADE);
INSERT INTO b VALUES ('abcd');
INSERT INTO bc VALUES ('abcd');
UPDATE b SET v = 'x';
UPDATE b SET v = 'wxyz';
SELECT * FROM bc;

-- AUTO_INCREMENT: a row that a constraint refuses gets no value; one that REPLACE or a query meets moves the counter, whatever becomes of it
CREATE TABLE a (id INT AUTO_INCREMENT PRIMARY KEY, u INT UNIQUE, v INT CHECK (v < 5), w INT, FOREIGN KEY (w) REFERENCES p (id));
--! differs MariaDB has another number for a CHECK that fails
INSERT INTO a (u, v) VALUES (1, 9);
INSERT INTO a (u, v) VALUES (1, 1);
SELECT LAST_INSERT_ID();
REPLACE INTO a (id, u, w) VALUES (8, 1, 99);
INSERT INTO a (u) VALUES (2);
SELECT LAST_INSERT_ID();
INSERT INTO a (id, u) SELECT 20, 1 ON DUPLICATE KEY UPDATE w = 99;
INSERT INTO a (u) VALUES (3);
SELECT LAST_INSERT_ID();
-- NULL for a column that is NOT NULL is warned of once for a column of the statement
CREATE TABLE n (a INT NOT NULL, b VARCHAR(5) NOT NULL);
--! differs MariaDB warns for each row
INSERT IGNORE INTO n VALUES (NULL, NULL), (NULL, 'x'), (1, NULL);
--! differs MariaDB warns for each row
INSERT IGNORE INTO n SELECT NULL, 'x' UNION ALL SELECT NULL, NULL;
UPDATE IGNORE n SET a = NULL;

-- Views: a subquery that becomes a join makes a view over such a one a join view
CREATE TABLE t0 (id INT PRIMARY KEY, a INT);
CREATE TABLE t1 (id INT PRIMARY KEY AUTO_INCREMENT, a INT, b INT NOT NULL);
CREATE VIEW s0 AS SELECT * FROM t1 WHERE b IN (SELECT id FROM t0);
CREATE VIEW s1 AS SELECT * FROM s0 WHERE id > 0;
CREATE VIEW e0 AS SELECT * FROM t1 WHERE NOT EXISTS (SELECT 1 FROM t0 WHERE t0.id = t1.b);
CREATE VIEW e1 AS SELECT * FROM e0;
CREATE VIEW m0 AS SELECT * FROM t1 WHERE id IN (SELECT MAX(id) FROM t1);
CREATE VIEW d0 AS SELECT id, a FROM t1 WHERE id > 0;
--! ours MariaDB makes no joins of them
INSERT INTO s0 VALUES (1, 1, 1);
INSERT INTO s1 VALUES (2, 1, 1);
INSERT INTO s1 (id, a, b) VALUES (2, 1, 1);
REPLACE INTO s1 (id, a, b) VALUES (2, 1, 1);
INSERT INTO e0 VALUES (3, 1, 1);
INSERT INTO e1 VALUES (4, 1, 1);
INSERT INTO m0 (id, a, b) VALUES (5, 1, 1);
INSERT INTO m0 (id, a, b) SELECT 5, 1, 1;
UPDATE s0 SET a = 2 ORDER BY id LIMIT 1;
UPDATE s1 SET a = 2 ORDER BY id;
UPDATE s1 SET a = 2 LIMIT 1;
UPDATE e1 SET a = 2;
UPDATE m0 SET a = 2;
DELETE FROM s0 WHERE id = 7;
DELETE FROM s1 WHERE id = 7;
DELETE FROM e1 WHERE id = 7;
DELETE s0 FROM s0 JOIN t0 ON t0.id = s0.id;
DELETE e0 FROM e0 JOIN t0 ON t0.id = e0.id;
DELETE t0 FROM s0 JOIN t0 ON t0.id = s0.id;
-- the table that is told of is the first of FROM
UPDATE s0, t0 SET t0.a = 1;
UPDATE t0 x JOIN t1 y ON x.id = y.id SET y.a = (SELECT MAX(a) FROM t1);
UPDATE t0 x RIGHT JOIN t1 y ON x.id = y.id SET x.a = (SELECT MAX(a) FROM t0);
UPDATE d0 x JOIN d0 y ON x.id = y.a SET x.id = 7, y.a = 1;
DELETE y, x FROM t1 x JOIN t1 y ON x.id = y.id WHERE EXISTS (SELECT 1 FROM t1 z WHERE z.a = x.id);
-- a column without a default is missed when there is a row
INSERT INTO d0 (id, a) SELECT id, a FROM t0 WHERE FALSE;
INSERT INTO d0 (id, a) SELECT 8, 8;
INSERT INTO d0 (id, a) VALUES (8, 8);
--! end

-- 1048 is told of once for a column; of ON DUPLICATE KEY UPDATE beside the rows of a query for each of them
CREATE TABLE n0 (b INT);
INSERT INTO n0 VALUES (1), (2), (NULL), (NULL);
CREATE TABLE n1 (id INT PRIMARY KEY, b INT NOT NULL, c INT NOT NULL DEFAULT 5);
--! differs MariaDB tells of some
INSERT IGNORE INTO n1 (id, b) SELECT 1, b FROM n0 ON DUPLICATE KEY UPDATE b = NULL, c = NULL;
SELECT * FROM n1;
DELETE FROM n1;
--! differs MariaDB tells of each row
INSERT IGNORE INTO n1 (id, b) VALUES (1, 1), (1, NULL), (1, NULL) ON DUPLICATE KEY UPDATE b = NULL, c = NULL;
SELECT * FROM n1;
