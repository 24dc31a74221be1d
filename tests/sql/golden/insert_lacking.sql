-- INSERT through a view that lacks columns without a default: told of when the row's values have been converted, not before.
--! ours MariaDB tells of it first, and has no zero for an AUTO_INCREMENT column in ON DUPLICATE KEY UPDATE
CREATE TABLE t (id INT PRIMARY KEY, a INT NOT NULL, s VARCHAR(3), n INT NOT NULL DEFAULT 2, c INT CHECK (c < 3));
CREATE VIEW v AS SELECT id, s, n, c FROM t WHERE id < 100 WITH CHECK OPTION;
INSERT INTO v (id, s) VALUES (1, 'abcdef');
INSERT INTO v (id, s) VALUES (1, 'abc');
INSERT INTO v (id, s) VALUES (1, 'abc'), (2, 'abcdef');
INSERT INTO v (id, n) VALUES (1, NULL);
INSERT INTO v (id, c) VALUES (1, 5);
INSERT INTO v (id, c) VALUES (1000, 5);
INSERT INTO v (id, s) VALUES (1, (SELECT 1 UNION SELECT 2));
REPLACE INTO v SET id = 1, s = 'abcdef';
REPLACE INTO v (id, n) SELECT 1, NULL;
INSERT INTO v (id, s) SELECT 1, 'abcdef' FROM dual WHERE 0;
INSERT INTO v (id, s) SELECT 1, 'abcdef';
PREPARE p FROM 'INSERT INTO v (id, s) VALUES (?, ?)';
SET @i = 1, @s = 'abcdef';
EXECUTE p USING @i, @s;
SET @s = 'abc';
EXECUTE p USING @i, @s;
INSERT IGNORE INTO v (id, s) VALUES (1, 'abcdef'), (2, 'abc');
-- once, also where CHECK OPTION leaves rows out
INSERT IGNORE INTO v (id, s) VALUES (100, 'abc'), (101, 'abc');
SET sql_mode = '';
INSERT INTO v (id, s) VALUES (3, 'abcdef'), (4, 'abc');
SET sql_mode = DEFAULT;
SELECT * FROM t;

-- NULL for an AUTO_INCREMENT column: a new number for a row that is inserted, zero in ON DUPLICATE KEY UPDATE, refused by UPDATE
CREATE TABLE a (id INT PRIMARY KEY AUTO_INCREMENT, a INT, b INT NOT NULL);
INSERT INTO a VALUES (1, 5, 1), (2, 6, 1);
INSERT INTO a (id, b) SELECT 1, 5 ON DUPLICATE KEY UPDATE id = NULL;
INSERT INTO a (id, b) VALUES (2, 5) ON DUPLICATE KEY UPDATE a = NULL, id = a.a;
INSERT INTO a (id, b) VALUES (2, 5) ON DUPLICATE KEY UPDATE b = NULL;
UPDATE a SET id = NULL WHERE id = 2;
INSERT INTO a (b) VALUES (2);
SELECT * FROM a;
--! end
