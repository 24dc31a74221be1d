-- PREPARE/EXECUTE/DEALLOCATE, binary protocol, user variables, system variables.
CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, i INT, d DECIMAL(10,2), f DOUBLE, s VARCHAR(20), dt DATETIME(3), da DATE, ti TIME, b BLOB, bu BIGINT UNSIGNED, y YEAR, fl FLOAT);
PREPARE ins FROM 'INSERT INTO t (i, d, s) VALUES (?, ?, ?)';
SET @a = 1, @b = 2.5, @c = 'three';
EXECUTE ins USING @a, @b, @c;
EXECUTE ins USING @a, @b;
SET @a = NULL, @b = '7.125', @c = 12;
EXECUTE ins USING @a, @b, @c;
EXECUTE ins USING @nope, @nope, @nope;
SELECT i, d, s FROM t;
PREPARE sel FROM 'SELECT i, s FROM t WHERE i <=> ? ORDER BY id LIMIT ?';
SET @n = 1, @lim = 10;
EXECUTE sel USING @n, @lim;
SET @n = NULL;
EXECUTE sel USING @n, @lim;
SET @lim = -1;
--! differs MySQL's errors for parameters of LIMIT
EXECUTE sel USING @n, @lim;
PREPARE sel FROM 'SELECT ? + 1 AS x, CONCAT(?, ''!'') AS y';
SET @p = '5', @q = 3;
EXECUTE sel USING @p, @q;
DEALLOCATE PREPARE sel;
EXECUTE sel USING @p, @q;
DEALLOCATE PREPARE sel;
DROP PREPARE nope;
PREPARE bad FROM 'SELEC 1';
PREPARE bad FROM 'SELECT 1; SELECT 2';
PREPARE bad FROM 'SELECT nope FROM t';
PREPARE bad FROM '';
PREPARE bad FROM 'PREPARE x FROM "SELECT 1"';
SET @sql = 'SELECT COUNT(*) FROM t';
PREPARE v FROM @sql;
EXECUTE v;
ALTER TABLE t ADD COLUMN extra INT;
PREPARE star FROM 'SELECT * FROM t WHERE id = 1';
EXECUTE star;
ALTER TABLE t DROP COLUMN extra;
EXECUTE star;
EXECUTE v;
DROP PREPARE ins;
PREPARE c FROM 'CREATE TABLE made (a INT)';
EXECUTE c;
EXECUTE c;
PREPARE sh FROM 'SHOW TABLES';
EXECUTE sh;
PREPARE se FROM 'SET @z = 5';
EXECUTE se;
SELECT @z;
PREPARE setp FROM 'SET @z = ? + 1, @w = CONCAT(?, ?)';
SET @p = 41, @q = 'ab', @r = NULL;
EXECUTE setp USING @p, @q, @p;
SELECT @z, @w;
EXECUTE setp USING @p, @q, @r;
SELECT @z, @w;
EXECUTE setp USING @p;
PREPARE setv FROM 'SET lock_wait_timeout = ?';
SET @p = 77;
EXECUTE setv USING @p;
SELECT @@lock_wait_timeout;
SET @p = 'x';
--! mysql a parameter of SET is converted there
EXECUTE setv USING @p;
PREPARE dop FROM 'DO ? + ?';
EXECUTE dop USING @p, @q;
DEALLOCATE PREPARE dop;
PREPARE up FROM 'UPDATE t SET i = i + ? WHERE id IN (?, ?)';
SET @x = 10, @y = 1, @z = 2;
EXECUTE up USING @x, @y, @z;
PREPARE del FROM 'DELETE FROM t WHERE id = ?';
SET @id = 3;
EXECUTE del USING @id;
EXECUTE del USING @id;
-- the binary protocol
--! binary [1, 2.5, "x", "2020-01-02 03:04:05.678", "2020-01-02", "-10:11:12", "blob", 18446744073709551615, 2020, 1.5]
--! binary [-5, -0.25, "é", "1000-01-01", "9999-12-31", "838:59:59", "", 0, 1901, -2.25]
--! binary [null, null, null, null, null, null, null, null, null, null]
INSERT INTO t (i, f, s, dt, da, ti, b, bu, y, fl) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
--! binary []
SELECT i, f, s, dt, da, ti, b, bu, y, fl FROM t ORDER BY id;
--! differs the first execution decides the type in MySQL
--! types
--! binary [1]
--! binary ["1"]
--! binary [1.5]
--! binary [null]
--! mysql parameters of an unknown type are text here
SELECT ?;
--! binary [10, 3, 7]
--! binary [10.5, 2, 7]
--! binary ["10", "4", 7]
SELECT ? + ?, ? - 1 > 5 FROM t WHERE 0;
--! binary [1, 100]
--! binary [-5, -1]
SELECT id, i FROM t WHERE i BETWEEN ? AND ? ORDER BY id;
--! binary ["x"]
--! binary ["X"]
--! binary [5]
SELECT s FROM t WHERE s = ?;
--! binary [2]
--! binary [0]
SELECT id FROM t ORDER BY id LIMIT ?;
--! binary ["2020-01-02"]
SELECT da, dt FROM t WHERE da = ? ;
--! binary []
SELECT 1, 1.5, 1e0, 'a', NULL, DATE'2020-01-02', TIME'10:00:00.5', TIMESTAMP'2020-01-02 03:04:05.25', -1, 18446744073709551615, x'4142', TIME'00:00:00', TIME'-838:59:59';
--! binary []
SELECT COUNT(*), SUM(i), AVG(i), MAX(f) FROM t;
--! binary [5, 1]
--! binary [5, 1]
UPDATE t SET i = ? WHERE id = ?;
--! binary [99]
DELETE FROM t WHERE id = ?;
--! binary []
SELECT nope FROM t;
-- user variables
SET @u = 5;
SELECT @u, @u + 1, @U, @nope, @`a b`;
SET @`a b` = 'q', @x := 3;
SELECT @`a b`, @x;
SELECT @u := @u + 1;
SELECT @u;
SELECT id, i INTO @id, @i FROM t ORDER BY id LIMIT 1;
SELECT @id, @i;
SELECT id FROM t INTO @id;
SELECT id, i INTO @id FROM t LIMIT 1;
SELECT id INTO @id FROM t WHERE 0;
SET @d = 1.50, @f = 1e0, @s = 'str', @n = NULL, @t = CURRENT_DATE IS NOT NULL;
SELECT @d, @f, @s, @n, @t;
SELECT 1 WHERE @s = 'STR';
-- system variables
SELECT @@autocommit, @@sql_mode LIKE '%STRICT%', @@session.autocommit, @@global.autocommit;
SET autocommit = 'maybe';
SET autocommit = 2;
SET nosuch = 1;
SELECT @@nosuch;
SET @@global.nosuch = 1;
SET SESSION max_connections = 5;
SET GLOBAL sql_warnings = DEFAULT;
SET version = 'x';
SELECT @@global.timestamp;
SET sql_mode = 'NOPE';
SET sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT';
SELECT 'a' || 'b', "x" FROM t;
SELECT "id" FROM t ORDER BY 1 LIMIT 1;
SET sql_mode = 'NO_BACKSLASH_ESCAPES';
SELECT 'a\b';
SET sql_mode = 'HIGH_NOT_PRECEDENCE';
SELECT NOT 1 BETWEEN -5 AND 5;
SET sql_mode = DEFAULT;
SELECT NOT 1 BETWEEN -5 AND 5;
SET sql_select_limit = 2;
SELECT id FROM t ORDER BY id;
SELECT id FROM t ORDER BY id LIMIT 3;
SET sql_select_limit = DEFAULT;
SET group_concat_max_len = 5;
SELECT GROUP_CONCAT('abcdef');
SET group_concat_max_len = DEFAULT;
SELECT @@wait_timeout, @@max_allowed_packet > 0, @@version_comment IS NOT NULL, @@character_set_client, @@collation_connection;
SET NAMES latin1;
SELECT @@character_set_client, @@character_set_results, @@collation_connection;
SET NAMES nosuch;
SET NAMES utf8mb4 COLLATE latin1_bin;
SET NAMES utf8mb4 COLLATE utf8mb4_bin;
SELECT 'a' = 'A';
SET NAMES utf8mb4 COLLATE utf8mb4_general_ci;
SELECT LAST_INSERT_ID(5), LAST_INSERT_ID();
INSERT INTO t (i) VALUES (1);
SELECT LAST_INSERT_ID() = MAX(id) FROM t;
DO 1 + 1, SLEEP(0);
DO nope;
SELECT CONNECTION_ID() > 0, USER() LIKE 'root@%', CURRENT_USER(), DATABASE(), SCHEMA(), VERSION() IS NOT NULL, ROW_COUNT(), FOUND_ROWS();
SELECT BENCHMARK(2, 1+1), SLEEP(0), UUID() <> UUID(), RAND(1) = RAND(1), GET_LOCK('x', 0), IS_FREE_LOCK('x'), RELEASE_LOCK('x'), RELEASE_LOCK('x');
-- LIMIT takes integers, and text as one
--! ours MariaDB takes any number, and negative ones for no limit in the binary protocol; MySQL's parameter there is an integer (1210)
--! binary [-1]
SELECT id > 0 FROM t ORDER BY id LIMIT ?;
--! binary [2.5]
SELECT id > 0 FROM t ORDER BY id LIMIT ?;
--! binary [-2.5]
SELECT id > 0 FROM t ORDER BY id LIMIT ?;
--! binary ["-2"]
SELECT id > 0 FROM t ORDER BY id LIMIT ?;
--! binary ["2"]
--! binary ["18446744073709551615"]
--! binary [null]
SELECT id > 0 FROM t ORDER BY id LIMIT ?;
--! binary [1, -1]
SELECT id > 0 FROM t ORDER BY id LIMIT ? OFFSET ?;
--! binary [1, 1.5]
SELECT id > 0 FROM t ORDER BY id LIMIT ? OFFSET ?;
--! binary [1, "1"]
SELECT id > 0 FROM t ORDER BY id LIMIT ? OFFSET ?;
PREPARE l FROM 'SELECT id > 0 FROM t ORDER BY id LIMIT ?';
SET @a = -1, @b = -2.5, @c = 2.5, @d = 1e0, @e = '2', @f = '-2', @g = 'abc';
EXECUTE l USING @a;
EXECUTE l USING @b;
EXECUTE l USING @c;
EXECUTE l USING @d;
EXECUTE l USING @e;
EXECUTE l USING @f;
EXECUTE l USING @g;
--! end
SELECT 1 LIMIT -1;
SELECT 1 LIMIT 2.5;
SELECT 1 LIMIT '2';
-- what cannot be prepared
--! ours MariaDB prepares nearly all of them
PREPARE p FROM 'BEGIN';
PREPARE p FROM 'SAVEPOINT a';
PREPARE p FROM 'USE test';
PREPARE p FROM 'LOCK TABLES t READ';
PREPARE p FROM 'SHOW WARNINGS';
PREPARE p FROM 'CHECK TABLE t';
PREPARE p FROM 'ALTER DATABASE test CHARACTER SET latin1';
PREPARE p FROM 'CREATE ROLE r';
--! end
PREPARE p FROM 'COMMIT';
PREPARE p FROM 'ROLLBACK';
-- what tells of the statement before it would tell of its own preparation
--! differs MariaDB prepares it
PREPARE s FROM 'SELECT @@warning_count';
--! differs as above
PREPARE s FROM 'SET @a = @@session.error_count';
--! differs as above
PREPARE s FROM 'GET DIAGNOSTICS @a = NUMBER';
-- a statement is executed in the database that it was prepared in
CREATE DATABASE prepared_1;
CREATE DATABASE prepared_2;
USE prepared_1;
CREATE TABLE t (v INT);
INSERT INTO t VALUES (1);
PREPARE s FROM 'SELECT v, DATABASE() FROM t';
PREPARE w FROM 'INSERT INTO t VALUES (?)';
PREPARE c FROM 'CREATE TABLE made (a INT)';
USE prepared_2;
CREATE TABLE t (v INT);
INSERT INTO t VALUES (2);
EXECUTE s;
SET @v = 7;
EXECUTE w USING @v;
EXECUTE c;
SELECT * FROM t;
SELECT v FROM prepared_1.t;
SHOW TABLES FROM prepared_1;
CREATE TEMPORARY TABLE prepared_1.t (v INT);
INSERT INTO prepared_1.t VALUES (3);
EXECUTE s;
DROP TABLE prepared_1.t;
EXECUTE s;
SELECT DATABASE();
USE prepared_1;
PREPARE d FROM 'DROP DATABASE prepared_2';
USE prepared_2;
--! differs MariaDB notes that the database it goes back to is gone
EXECUTE d;
SELECT DATABASE();
DROP DATABASE prepared_1;
--! differs MariaDB looks for the table first
EXECUTE s;
USE test;
