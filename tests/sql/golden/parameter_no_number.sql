-- A text sent for a parameter that is a number, and is none (golden `parameter_types` has those that are numbers). MySQL keeps the text and reads its number where
-- the parameter is used, with the warning or, in a change under a strict mode, the error; only what is compared with a column in a condition, and what is a
-- condition itself, is read before any row is.
CREATE TABLE n (id INT PRIMARY KEY, i INT, k INT, d DECIMAL(10,2), f DOUBLE, v VARCHAR(20), KEY (k));
CREATE TABLE e LIKE n;
INSERT INTO n VALUES (0, 0, 0, 0, 0, '0'), (1, 1, 1, 1, 1, 'a'), (2, NULL, NULL, NULL, NULL, NULL);
--! ours in MariaDB a parameter has the type of its value
-- compared with a column: no row is read, none is changed
--! binary ["abc"]
UPDATE e SET v = 'z' WHERE i = ?;
--! binary ["1x"]
UPDATE n SET v = 'z' WHERE v = 'q' AND i > ?;
--! binary ["abc"]
DELETE FROM n WHERE id IN (5, ?);
--! binary ["abc"]
DELETE FROM n WHERE d = ?;
--! binary ["abc"]
DELETE FROM n WHERE EXISTS (SELECT 1 FROM e WHERE e.i = ?);
--! binary ["abc"]
DELETE FROM n WHERE ? IN (SELECT k FROM e);
--! binary [7, "abc"]
DELETE FROM e WHERE (id, i) = (?, ?);
SELECT COUNT(*) FROM n;
-- no column beside it, BETWEEN, or rows that are ordered: where a row is looked at, if one is
--! binary ["abc"]
UPDATE e SET v = 'z' WHERE i + 1 = ?;
--! binary ["abc"]
UPDATE n SET v = 'z' WHERE i + 1 = ?;
--! binary ["abc"]
DELETE FROM n WHERE v = 'q' AND i + ? = 1;
--! binary ["abc", 1]
DELETE FROM e WHERE i BETWEEN ? AND ?;
--! binary [1, "abc"]
DELETE FROM e WHERE (i, id) < (?, ?);
--! binary ["abc"]
DELETE FROM n WHERE EXISTS (SELECT 1 FROM e WHERE e.i + 1 = ?);
-- values
--! binary ["abc"]
UPDATE e SET i = i + ?;
--! binary ["abc"]
UPDATE n SET i = IF(v = 'q', ?, i);
--! binary ["abc"]
UPDATE n SET i = IF(v = 'a', ?, i);
--! binary ["abc"]
INSERT INTO n (id, i) VALUES (9, ? + 1);
--! binary ["abc"]
INSERT INTO n (id, i) VALUES (9, 5) ON DUPLICATE KEY UPDATE i = i + ?;
--! binary ["abc"]
INSERT INTO n (id, i) VALUES (9, 5) ON DUPLICATE KEY UPDATE i = i - ?;
DELETE FROM n WHERE id = 9;
-- a value that does not do for another parameter: the text stays one, as a literal is
--! binary [1.5, "abc"]
DELETE FROM n WHERE id = ? AND i = ?;
--! binary [7.5, "abc"]
DELETE FROM n WHERE i IN (?, ?);
-- conditions are integers
--! binary ["abc"]
DELETE FROM n WHERE ?;
--! binary [""]
DELETE FROM n WHERE v = 'q' AND ?;
--! binary [""]
DELETE FROM n WHERE NOT ?;
--! binary ["0.5"]
SELECT id FROM n WHERE ?;
--! binary [0.5]
SELECT id FROM n WHERE ? AND i IS NOT NULL;
--! binary ["x", "x", "x"]
SELECT IF(?, 1, 2) a, ? XOR 1 b, ? IS TRUE c;
-- a number that begins with another integer than it is rounded to is in no index
SET sql_mode = '';
--! binary ["1.5x"]
SELECT id FROM n FORCE INDEX (k) WHERE k = ?;
--! binary ["1.5x"]
DELETE FROM n WHERE id = ?;
--! binary ["1.4x"]
SELECT id FROM n FORCE INDEX (k) WHERE k = ?;
SELECT COUNT(*) FROM n;
--! end
DROP TABLE n, e;
