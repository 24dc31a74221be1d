-- Handler_*, Select_*, Sort_*: what the manual's "Server Status Variables" says they count, for InnoDB
CREATE DATABASE d;
USE d;
CREATE TABLE t (id INT PRIMARY KEY, k INT, v INT, KEY (k));
INSERT INTO t VALUES (1,1,1),(2,1,2),(3,2,3),(4,2,4),(5,3,5);
FLUSH STATUS;
SHOW SESSION STATUS WHERE Variable_name LIKE 'Handler_read%' AND Value <> 0;
SELECT * FROM t WHERE id = 3;
SHOW SESSION STATUS WHERE Variable_name LIKE 'Handler_read%' AND Value <> 0;
FLUSH STATUS;
SELECT SUM(v) FROM t;
--! differs MySQL counts the first index entry that a scan of InnoDB begins with
SHOW SESSION STATUS WHERE (Variable_name LIKE 'Handler_read%' OR Variable_name LIKE 'Select%') AND Value <> 0;
FLUSH STATUS;
SELECT SUM(v) FROM t FORCE INDEX (k) WHERE k = 2;
SHOW SESSION STATUS WHERE (Variable_name LIKE 'Handler_read%' OR Variable_name LIKE 'Select%') AND Value <> 0;
FLUSH STATUS;
SELECT SUM(v) FROM t FORCE INDEX (k) WHERE k > 1;
SHOW SESSION STATUS WHERE (Variable_name LIKE 'Handler_read%' OR Variable_name LIKE 'Select%') AND Value <> 0;
FLUSH STATUS;
SELECT id FROM t ORDER BY id DESC LIMIT 2;
--! differs MySQL counts the last entry as read by key too
SHOW SESSION STATUS WHERE (Variable_name LIKE 'Handler_read%' OR Variable_name LIKE 'Select%') AND Value <> 0;
FLUSH STATUS;
SELECT v FROM t ORDER BY v DESC;
SHOW SESSION STATUS WHERE (Variable_name LIKE 'Sort%' OR Variable_name LIKE 'Select%') AND Value <> 0;
FLUSH STATUS;
INSERT INTO t VALUES (6,4,6);
UPDATE t SET v = 7 WHERE id = 6;
DELETE FROM t WHERE id = 6;
SHOW SESSION STATUS WHERE Variable_name IN ('Handler_write', 'Handler_update', 'Handler_delete', 'Handler_commit', 'Handler_rollback');
BEGIN;
SAVEPOINT a;
INSERT INTO t VALUES (7,7,7);
ROLLBACK TO a;
ROLLBACK;
--! differs MariaDB does not count InnoDB's savepoints here
--! mysql savepoints before anything was read count for no engine
SHOW SESSION STATUS WHERE Variable_name IN ('Handler_write', 'Handler_rollback', 'Handler_savepoint', 'Handler_savepoint_rollback');
DROP DATABASE d;
