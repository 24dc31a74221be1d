-- Which error comes first, what max_error_count keeps, and zero dates as defaults where the mode is not strict.
CREATE DATABASE oe;
USE oe;
CREATE TABLE t (a INT, b VARCHAR(10));
INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'z');
-- UPDATE resolves WHERE before SET, and SET before ORDER BY
--! ours MariaDB's texts name another clause
UPDATE t SET nosuch = 1 WHERE nowhere = 2;
UPDATE t SET a = nosuch WHERE nowhere = 2;
UPDATE t SET a = nosuch WHERE a = 2 ORDER BY nothing;
UPDATE t x, t y SET x.q = 1 WHERE x.p = 2;
UPDATE t SET a = (SELECT nosuch) WHERE (SELECT nowhere) = 1;
UPDATE t SET nosuch = 1 WHERE a = (SELECT max(a) FROM nosuch);
UPDATE t SET nosuch = 1;
--! end
-- max_error_count: rows of errors count too
--! ours MariaDB keeps the row of an error
SET max_error_count = 1;
ALTER TABLE t ADD COLUMN x INT(5), ADD COLUMN x INT;
SHOW ERRORS;
SELECT @@error_count, @@warning_count;
SET max_error_count = 0;
SELECT nosuch;
SHOW ERRORS;
SHOW COUNT(*) ERRORS;
GET DIAGNOSTICS @n = NUMBER;
SELECT @n, @@error_count;
SET max_error_count = DEFAULT;
--! end
-- zero dates as defaults
SET sql_mode = 'NO_ZERO_DATE';
--! ours MariaDB refuses them
CREATE TABLE z1 (d DATE DEFAULT '0000-00-00', e DATETIME(3) DEFAULT '0000-00-00', f TIMESTAMP NULL DEFAULT 0, g DATE DEFAULT '2020-00-01', h DATE DEFAULT 0);
SHOW CREATE TABLE z1;
ALTER TABLE t ADD COLUMN d DATE DEFAULT '0000-00-00';
ALTER TABLE t ALTER COLUMN d SET DEFAULT '0000-00-00', MODIFY COLUMN b VARCHAR(11);
SET sql_mode = 'NO_ZERO_IN_DATE';
CREATE TABLE z4 (d DATE DEFAULT '2020-00-00', e DATETIME DEFAULT '2020-01-00 10:00:00', f DATE DEFAULT '0000-00-00', h TIMESTAMP NULL DEFAULT '2020-00-01');
SHOW CREATE TABLE z4;
CREATE TABLE z5 (d TIME DEFAULT '0000-00-00 00:00:00');
CREATE TABLE z5 (d DATE DEFAULT '2020-13-00');
CREATE TABLE z5 (d DATE DEFAULT '2020-02-31');
SET sql_mode = 'NO_ZERO_DATE,STRICT_TRANS_TABLES';
CREATE TABLE z6 (d DATE DEFAULT '0000-00-00');
SET sql_mode = DEFAULT;
CREATE TABLE f1 (a DATE DEFAULT {d '2020-01-01'});
CREATE TABLE f1 (a DATE DEFAULT ({d '2020-01-01'}));
--! end
--! differs MariaDB has other tables
DROP DATABASE oe;
