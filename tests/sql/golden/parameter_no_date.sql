-- A text sent for a parameter that is a date or time, and is none: it is read where it is used, is NULL in comparisons and yet equal to no NULL.
CREATE TABLE n (id INT PRIMARY KEY, k DATETIME, dt DATETIME(3), da DATE, tm TIME(2), v VARCHAR(10), KEY (k));
CREATE TABLE e LIKE n;
INSERT INTO n VALUES (1, '2024-01-02', '2024-02-29 12:30:45.001', '2024-01-02', '00:00:01', 'a'), (2, NULL, NULL, NULL, NULL, NULL),
  (3, '2024-01-01', '2024-02-29 12:30:45.678', '2024-01-01', '-10:11:12.345', 'A');
--! ours in MariaDB a parameter has the type of its value
--! binary ["abc", "abc", "abc", "abc"]
SELECT id, da = ? a, da <=> ? b, NOT (da <=> ?) c, NOT (da > ?) d FROM n ORDER BY id;
--! binary ["abc", "abc"]
SELECT id, tm <=> ? a, dt <=> ? b FROM n ORDER BY id;
--! binary ["abc", "abc", "abc"]
SELECT id, da NOT IN (?, '2024-01-01') a, tm NOT IN (?, '1:1:1') b, dt NOT IN (?, '2024-01-01') c FROM n ORDER BY id;
--! binary ["2024-01-01x"]
SELECT id FROM n WHERE da > ?;
-- no row is read, none is changed
--! binary ["abc"]
DELETE FROM e WHERE dt = ?;
--! binary ["abc"]
DELETE FROM n WHERE v = 'q' AND da < ?;
--! binary ["abc"]
DELETE FROM n WHERE id = 9 AND COALESCE(da, ?) IS NULL;
--! binary ["abc"]
DELETE FROM n WHERE da < ?;
--! binary ["abc"]
DELETE FROM n WHERE tm <=> ?;
-- without a strict mode: what is equal to NULL is not deleted
SET sql_mode = '';
--! binary ["abc"]
DELETE FROM n WHERE da <=> ?;
--! binary ["abc"]
DELETE n FROM n FORCE INDEX (k) WHERE k <=> ?;
--! binary ["abc"]
DELETE FROM n WHERE tm <=> ?;
SELECT COUNT(*) FROM n;
SET sql_mode = DEFAULT;
-- counts of a window are integers
PREPARE w FROM 'SELECT id, SUM(id) OVER (ORDER BY id ROWS ? PRECEDING) x, LAG(id, ?) OVER (ORDER BY id) y FROM n';
SET @one = 1, @text = '1', @half = 1.5, @null = NULL;
EXECUTE w USING @one, @one;
EXECUTE w USING @text, @one;
EXECUTE w USING @one, @half;
--! binary ["1", "x"]
SELECT id, SUM(id) OVER (ORDER BY id ROWS ? PRECEDING) x, LAG(id, ?) OVER (ORDER BY id) y FROM n;
-- bytes in a user variable are text beside text
SET @b = x'41';
PREPARE b FROM 'SELECT id, v = ? x, v REGEXP ? y, ? COLLATE utf8mb4_bin = v z, COLLATION(?) c FROM n WHERE v IS NOT NULL ORDER BY id';
EXECUTE b USING @b, @b, @b, @b;
--! types
--! binary [null, null]
SELECT ? x, COALESCE(?, NULL) y, NULL z;
--! end
DROP TABLE n, e;
