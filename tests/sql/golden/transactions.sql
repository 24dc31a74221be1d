-- Transactions, savepoints, autocommit, isolation as seen by two connections, locking reads, lock waits, deadlock.
CREATE TABLE t (id INT PRIMARY KEY, v INT, KEY (v));
INSERT INTO t VALUES (1,10),(2,20),(3,30);
BEGIN;
UPDATE t SET v = 11 WHERE id = 1;
--! on b
SELECT * FROM t ORDER BY id;
--! on a
COMMIT;
--! on b
SELECT * FROM t ORDER BY id;
--! on a
START TRANSACTION;
INSERT INTO t VALUES (4,40);
DELETE FROM t WHERE id = 2;
UPDATE t SET v = 0;
ROLLBACK;
SELECT * FROM t ORDER BY id;
BEGIN;
INSERT INTO t VALUES (4,40);
SAVEPOINT s1;
INSERT INTO t VALUES (5,50);
SAVEPOINT s2;
INSERT INTO t VALUES (6,60);
ROLLBACK TO s1;
ROLLBACK TO s2;
SAVEPOINT S1;
UPDATE t SET v = 41 WHERE id = 4;
ROLLBACK TO SAVEPOINT s1;
RELEASE SAVEPOINT s1;
RELEASE SAVEPOINT s1;
COMMIT;
SELECT * FROM t ORDER BY id;
ROLLBACK TO nope;
SAVEPOINT outside;
ROLLBACK TO outside;
-- a failing statement undoes itself only
BEGIN;
INSERT INTO t VALUES (7,70);
INSERT INTO t VALUES (8,80),(1,1),(9,90);
SELECT COUNT(*) FROM t;
COMMIT;
SELECT id FROM t ORDER BY id;
DELETE FROM t WHERE id > 3;
-- autocommit
SET autocommit = 0;
INSERT INTO t VALUES (10,100);
--! on b
SELECT COUNT(*) FROM t WHERE id = 10;
--! on a
ROLLBACK;
SELECT COUNT(*) FROM t WHERE id = 10;
INSERT INTO t VALUES (10,100);
SET autocommit = 1;
--! on b
SELECT COUNT(*) FROM t WHERE id = 10;
-- DDL commits
--! on a
BEGIN;
DELETE FROM t WHERE id = 10;
CREATE TABLE ddl (a INT);
ROLLBACK;
SELECT COUNT(*) FROM t WHERE id = 10;
BEGIN;
UPDATE t SET v = 12 WHERE id = 1;
BEGIN;
ROLLBACK;
SELECT v FROM t WHERE id = 1;
UPDATE t SET v = 11 WHERE id = 1;
-- repeatable read, read committed, read uncommitted
--! on b
BEGIN;
SELECT v FROM t WHERE id = 1;
--! on a
UPDATE t SET v = 13 WHERE id = 1;
--! on b
SELECT v FROM t WHERE id = 1;
SELECT v FROM t WHERE id = 1 FOR UPDATE;
SELECT v FROM t WHERE id = 1;
COMMIT;
SELECT v FROM t WHERE id = 1;
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
BEGIN;
SELECT v FROM t WHERE id = 1;
--! on a
UPDATE t SET v = 14 WHERE id = 1;
--! on b
SELECT v FROM t WHERE id = 1;
COMMIT;
SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED;
--! on a
BEGIN;
UPDATE t SET v = 15 WHERE id = 1;
--! on b
SELECT v FROM t WHERE id = 1;
--! on a
ROLLBACK;
--! on b
SELECT v FROM t WHERE id = 1;
SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ;
START TRANSACTION WITH CONSISTENT SNAPSHOT;
--! on a
UPDATE t SET v = 16 WHERE id = 1;
--! on b
SELECT v FROM t WHERE id = 1;
COMMIT;
START TRANSACTION READ ONLY;
UPDATE t SET v = 1;
SELECT v FROM t WHERE id = 1;
COMMIT;
SET TRANSACTION READ ONLY;
UPDATE t SET v = 1;
-- it is for the next transaction: neither a statement without tables nor BEGIN is one
SET TRANSACTION READ ONLY;
SELECT 1;
BEGIN;
UPDATE t SET v = 1;
COMMIT;
UPDATE t SET v = v WHERE id = 1;
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
BEGIN;
SELECT v FROM t WHERE id = 1;
--! on a
UPDATE t SET v = v + 1 WHERE id = 1;
--! on b
SELECT v FROM t WHERE id = 1;
COMMIT AND CHAIN;
SELECT v FROM t WHERE id = 1;
--! on a
UPDATE t SET v = v - 1 WHERE id = 1;
--! on b
SELECT v FROM t WHERE id = 1;
COMMIT;
--! on a
BEGIN;
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;
COMMIT;
-- locking reads
BEGIN;
SELECT * FROM t WHERE id = 1 FOR UPDATE;
--! on b
COMMIT;
SET innodb_lock_wait_timeout = 1;
--! differs 3572 in MySQL
SELECT * FROM t WHERE id = 1 FOR UPDATE NOWAIT;
SELECT * FROM t ORDER BY id FOR UPDATE SKIP LOCKED;
--! differs MariaDB has no FOR SHARE
SELECT * FROM t WHERE id = 1 FOR SHARE NOWAIT;
SELECT * FROM t WHERE id = 1 LOCK IN SHARE MODE;
UPDATE t SET v = 1 WHERE id = 1;
SELECT * FROM t WHERE id = 1;
--! async
UPDATE t SET v = v + 1 WHERE id = 1;
--! on a
COMMIT;
--! on b
--! reap
SELECT v FROM t WHERE id = 1;
-- gap locks
--! on a
BEGIN;
SELECT * FROM t WHERE id > 3 FOR UPDATE;
--! on b
INSERT INTO t VALUES (5,50);
INSERT INTO t VALUES (-5,-50);
--! on a
COMMIT;
BEGIN;
SELECT * FROM t WHERE v = 20 LOCK IN SHARE MODE;
--! on b
INSERT INTO t VALUES (21,21);
UPDATE t SET v = 31 WHERE id = 3;
--! on a
COMMIT;
-- deadlock: the second to wait is the victim
BEGIN;
UPDATE t SET v = 0 WHERE id = 1;
UPDATE t SET v = 0 WHERE id = 10;
--! on b
SET innodb_lock_wait_timeout = 50;
BEGIN;
UPDATE t SET v = 5 WHERE id = 2;
--! on a
--! async
UPDATE t SET v = 6 WHERE id = 2;
--! on b
UPDATE t SET v = 5 WHERE id = 1;
--! on a
--! reap
COMMIT;
SELECT * FROM t ORDER BY id;
-- completion types
SET completion_type = CHAIN;
BEGIN;
INSERT INTO t VALUES (30,30);
COMMIT;
INSERT INTO t VALUES (31,31);
ROLLBACK AND NO CHAIN;
SET completion_type = NO_CHAIN;
SELECT id FROM t WHERE id >= 30;
BEGIN;
COMMIT AND CHAIN;
INSERT INTO t VALUES (32,32);
ROLLBACK;
SELECT id FROM t WHERE id >= 30;
-- metadata locks
BEGIN;
SELECT COUNT(*) FROM t;
--! on b
SET lock_wait_timeout = 1;
ALTER TABLE t ADD COLUMN c INT;
DROP TABLE t;
TRUNCATE TABLE t;
--! on a
COMMIT;
LOCK TABLES t READ;
INSERT INTO t VALUES (99,99);
SELECT COUNT(*) FROM ddl;
UNLOCK TABLES;
LOCK TABLES t WRITE;
DELETE FROM t WHERE id = -5;
UNLOCK TABLES;
-- KILL
--! on b
CREATE TABLE kid (id BIGINT UNSIGNED);
INSERT INTO kid VALUES (CONNECTION_ID());
--! async
SELECT SLEEP(30);
--! on a
SELECT id INTO @id FROM kid;
KILL QUERY @id;
--! on b
--! differs MySQL's manual: SLEEP() gives 1 where it is all that the statement does
--! reap
SELECT 'alive';
--! async
SELECT COUNT(*) FROM kid a JOIN t b WHERE SLEEP(30) = 0;
--! on a
KILL QUERY @id;
--! on b
--! reap
--! async
SELECT SLEEP(30);
--! on a
KILL @id;
--! gone b
SELECT COUNT(*) FROM information_schema.processlist WHERE id = @id;
KILL 99999999;
KILL QUERY 99999999;
KILL 'abc';
