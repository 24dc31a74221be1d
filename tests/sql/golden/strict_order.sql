-- What an expression cannot convert is the error of a strict change at once: before the row is stored, before triggers
-- and before anything of the next row is evaluated.
CREATE TABLE p (id INT PRIMARY KEY);
CREATE TABLE t (id INT PRIMARY KEY, n INT, d DECIMAL(6,2), CONSTRAINT t_n FOREIGN KEY (n) REFERENCES p (id), CHECK (d < 500));
CREATE TABLE big (id TINYINT PRIMARY KEY, n INT NOT NULL);
INSERT INTO p VALUES (1), (2);
INSERT INTO t VALUES (1, 1, 1), (2, 2, 2);
SET @a = 'abc', @fired = 0, @called = 0;
CREATE FUNCTION called(x INT) RETURNS INT NO SQL RETURN (@called := @called + 1);
CREATE TRIGGER fires BEFORE INSERT ON t FOR EACH ROW SET @fired = @fired + 1;
CREATE TRIGGER fires_too BEFORE UPDATE ON t FOR EACH ROW SET @fired = @fired + 1;
CREATE TRIGGER fires_as_well BEFORE DELETE ON t FOR EACH ROW SET @fired = @fired + 1;
--! ours MariaDB goes on to the row's own fault, or keeps a row of such a statement; its messages name keys otherwise
-- INSERT: a duplicate, a foreign key, a CHECK, a value out of range
INSERT INTO t VALUES (1, 1, 'abc' + 0);
SHOW WARNINGS;
INSERT INTO t VALUES (3, 9, @a + 0e0);
INSERT INTO t VALUES (3, 9, CAST('abc' AS SIGNED)), (4, 1, called(1));
INSERT INTO t VALUES (3, CAST('abc' AS DECIMAL), called(1) + 1000);
INSERT INTO t VALUES (3, 1, IF('abc' = 0, 1000, 1000));
INSERT INTO t (id, d) SELECT id, 'x' + d FROM t;
INSERT INTO t (id, d) SELECT id + 2, IF(id = 2, 'x' + d, called(1)) FROM t ORDER BY id;
INSERT INTO big VALUES (1000 + 'abc', 1);
SHOW WARNINGS;
--! mysql "Truncated incorrect date value" since 9
INSERT INTO big VALUES (1, 1 + YEAR('abc'));
REPLACE INTO t VALUES (1, 9, 'abc' * 2);
SHOW WARNINGS;
INSERT INTO t VALUES (1, 1, 1) ON DUPLICATE KEY UPDATE d = 'abc' + 0, id = 2;
INSERT INTO t SET id = 1, d = 'abc' * 2;
SELECT @fired, @called;
SET @fired = 0, @called = 0;
-- UPDATE
UPDATE t SET id = 2, d = 'abc' + 0 WHERE id = 1;
SHOW WARNINGS;
UPDATE t SET d = 'abc' + 0, n = 9 WHERE id = 1;
UPDATE t SET d = 'abc' + 0, n = called(1) WHERE id = 1;
UPDATE t SET id = 2 WHERE id = 1 AND 'abc' + 1;
UPDATE t SET id = 2 WHERE id = 1 AND 'abc' + 1 ORDER BY id;
UPDATE t JOIN p ON p.id = t.n SET t.id = 2, t.d = 'abc' + 0 WHERE t.id = 1;
UPDATE t JOIN p ON p.id = t.n SET t.n = 9 WHERE t.id = 1 AND p.id + 'abc';
-- DELETE
DELETE FROM p WHERE id = 1 AND 'abc' + 1;
DELETE FROM p WHERE id = 1 AND 'abc' + 1 ORDER BY id;
DELETE p FROM p JOIN t ON t.n = p.id WHERE p.id + 'abc';
DELETE FROM t WHERE id = 1 AND 'abc' + 1;
SELECT @fired, @called;
-- in a function it is the same error
CREATE FUNCTION stores() RETURNS INT BEGIN REPLACE INTO t VALUES (6, 9, COALESCE(@a + 0e0, 3)); RETURN 1; END;
SELECT stores();
SELECT * FROM t;
-- with IGNORE, and without strict mode, the row's own fault is told behind it
INSERT IGNORE INTO t VALUES (1, 1, 'abc' + 0);
UPDATE IGNORE t SET id = 2, d = 'abc' + 0 WHERE id = 1;
SET sql_mode = '';
INSERT INTO t VALUES (1, 1, 'abc' + 0);
SHOW WARNINGS;
UPDATE t SET id = 2, d = 'abc' + 0 WHERE id = 1;
SHOW WARNINGS;
DELETE FROM p WHERE id = 1 AND 'abc' + 1;
SELECT * FROM t;
--! end
