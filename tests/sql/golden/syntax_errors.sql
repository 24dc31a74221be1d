-- What MySQL's grammar refuses (1064) and what it takes, cause by cause; found by preparing the statements of its own tests on both.
CREATE DATABASE se;
USE se;
CREATE TABLE t (a INT, b INT);
INSERT INTO t VALUES (1, 10), (2, 20);
-- keywords that are no functions, and functions whose number of arguments is part of the grammar
--! differs MariaDB's grammar is another one here
SELECT contains(1, 2);
--! differs MariaDB's grammar is another one here
SELECT password(1);
--! differs MariaDB's grammar is another one here
SELECT no_wait(1);
SELECT ascii(1, 2);
--! differs MariaDB's grammar is another one here
SELECT coalesce();
--! differs MariaDB's grammar is another one here
SELECT database(1);
--! differs MariaDB's grammar is another one here
SELECT format(1);
SELECT left('a');
--! differs MariaDB's grammar is another one here
SELECT log(1, 2, 3);
--! differs MariaDB's grammar is another one here
SELECT log();
--! differs MariaDB's grammar is another one here
SELECT point(1);
SELECT repeat('a', 2, 3);
SELECT round(1, 2, 3);
CREATE TABLE adddate(a INT);
DROP TABLE adddate;
-- window functions take numbers, parameters and variables only
--! differs MariaDB's grammar is another one here
SELECT NTILE(-1) OVER () FROM t;
--! differs MariaDB's grammar is another one here
SELECT NTILE(1 + 1) OVER () FROM t;
--! differs MariaDB's grammar is another one here
SELECT LEAD(a, 1.5) OVER (ORDER BY a) FROM t;
--! differs MariaDB's grammar is another one here
SELECT LEAD(a, 'x') OVER (ORDER BY a) FROM t;
SELECT LEAD(a, 1) OVER (ORDER BY a) FROM t;
-- INTO: once, in the statement's own query
--! differs MariaDB's grammar is another one here
SELECT 1 INTO @v INTO @w;
--! differs MariaDB's grammar is another one here
SELECT a INTO @v FROM t UNION SELECT 1;
--! differs MariaDB's grammar is another one here
(SELECT 1 INTO @v) UNION (SELECT 2);
--! differs MariaDB's grammar is another one here
SELECT * FROM (SELECT 1 INTO @v) x;
--! differs MariaDB's grammar is another one here
SELECT (SELECT 1 INTO @v);
SELECT * FROM (SELECT a FROM t INTO @v) x;
(SELECT a FROM t INTO @v) UNION SELECT 1;
SELECT a FROM t INTO @v FOR UPDATE INTO @w;
--! differs MariaDB's grammar is another one here
CREATE VIEW v AS SELECT 1 INTO @v;
--! differs MariaDB's grammar is another one here
WITH x AS (SELECT 1 INTO @v) SELECT * FROM x;
--! differs MariaDB's grammar is another one here
SELECT 1 WHERE FALSE UNION SELECT 5 INTO @v LIMIT 1;
--! differs MariaDB's grammar is another one here
SELECT @v;
--! differs MariaDB's grammar is another one here
(SELECT 1 WHERE FALSE) UNION (SELECT 6 INTO @v);
--! differs MariaDB's grammar is another one here
SELECT @v;
--! differs MariaDB's grammar is another one here
(SELECT 7 INTO @v);
--! differs MariaDB's grammar is another one here
SELECT @v;
--! differs MariaDB's grammar is another one here
SELECT a FROM t WHERE a = 2 INTO @v FOR UPDATE;
SELECT @v;
-- character sets and collations
--! differs MariaDB's grammar is another one here
CREATE TABLE u (a INT) CHARSET DEFAULT;
--! differs MariaDB's grammar is another one here
CREATE DATABASE u COLLATE DEFAULT;
--! differs MariaDB's grammar is another one here
CREATE TABLE u (a VARCHAR(10) COLLATE utf8mb4_bin COLLATE utf8mb4_bin);
--! differs MariaDB's grammar is another one here
CREATE TABLE u (a VARCHAR(10) CHARSET latin1 COLLATE latin1_bin NOT NULL COLLATE latin1_bin);
-- names
--! differs MariaDB's grammar is another one here
CREATE TABLE u (u.a INT);
--! differs MariaDB's grammar is another one here
ALTER TABLE t ADD t.c INT;
SELECT .a FROM t;
--! differs MariaDB's grammar is another one here
SELECT 1 AS $x$;
SELECT $$ text $$;
--! differs MariaDB's grammar is another one here
CREATE ROLE EVENT;
--! differs MariaDB's grammar is another one here
CREATE ROLE r, SUPER;
--! differs MariaDB's grammar is another one here
DROP ROLE NONE;
--! differs MariaDB's grammar is another one here
GRANT EVENT TO r;
CREATE ROLE CURRENT_USER;
ALTER USER USER() ACCOUNT LOCK;
ALTER USER USER(), r IDENTIFIED BY 'x';
DROP USER USER();
GRANT SELECT (a) ON FUNCTION se.f TO r;
-- variables
--! differs MariaDB's grammar is another one here
SET GLOBAL = 1;
--! differs MariaDB's grammar is another one here
SET SESSION global = 1;
SET NAMES = 1;
SELECT @@global;
SELECT @@session.global;
-- numbers and their places
--! differs MariaDB's grammar is another one here
CREATE TABLE u (a INT) KEY_BLOCK_SIZE = 65536;
--! differs MariaDB's grammar is another one here
CREATE TABLE u (a INT) AVG_ROW_LENGTH = 4294967296;
CREATE TABLE u (a INT) STATS_SAMPLE_PAGES = 0;
CREATE TABLE u (a INT) TABLESPACE 'x';
ALTER DATABASE se READ ONLY = 2;
XA START 'x', 'y', 9223372036854775808;
SELECT CAST(1 AS DECIMAL(10, 2147483648));
-- statements
--! differs MariaDB's grammar is another one here
FLUSH HOSTS;
RESET PERSIST IF EXISTS;
SELECT 1 <=> ALL (SELECT 1);
--! differs MariaDB's grammar is another one here
SELECT * FROM {x t};
HANDLER se.t READ FIRST;
--! differs MariaDB's grammar is another one here
HANDLER t READ a = ((SELECT 1));
HANDLER t READ a = ();
SELECT CAST(TIMESTAMP'2020-01-01 00:00:00' AT TIME ZONE '+00:00' AS CHAR);
--! differs MariaDB's grammar is another one here
SELECT CAST(TIMESTAMP'2020-01-01 00:00:00' AT LOCAL AS DATETIME);
-- comments of a version: the sixth digit counts before white space only
SELECT 1 /*!050000 + 1*/;
SELECT 1 /*!999999 + 1*/;
--! differs MariaDB's grammar is another one here
SELECT 1 /*!000000+1*/;
-- LOAD DATA: clauses of bulk loads
--! differs MariaDB's grammar is another one here
LOAD DATA INFILE '/x' COUNT 2 INTO TABLE t;
--! mysql 9.7 says URI/URL
--! differs MariaDB's grammar is another one here
LOAD DATA URL '/x' INTO TABLE t;
LOAD DATA INFILE '/x' XYZ 2 INTO TABLE t;
--! differs MariaDB's grammar is another one here
LOAD DATA INFILE '/x' INTO TABLE t ALGORITHM = BULK;
-- what only secondary engines and the hypergraph optimizer run
--! mysql the text changed since 8.4
--! differs MariaDB's grammar is another one here
SELECT a FROM t GROUP BY CUBE (a);
SELECT a FROM nowhere GROUP BY CUBE (a);
--! differs MariaDB's grammar is another one here
SELECT a, ROW_NUMBER() OVER () AS n FROM t QUALIFY n > 1;
--! mysql the text changed since 8.4
--! differs MariaDB's grammar is another one here
SELECT * FROM t TABLESAMPLE SYSTEM (10);
--! differs MariaDB's grammar is another one here
SELECT * FROM t TABLESAMPLE BERNOULLI (101);
SELECT * FROM (SELECT 1) x TABLESAMPLE SYSTEM (10);
-- partitions: what is no syntax error is not offered
CREATE TABLE u (a INT) PARTITION BY HASH (a) PARTITIONS 3 (PARTITION p0, PARTITION p1);
--! differs MariaDB's grammar is another one here
CREATE TABLE u (a INT) PARTITION BY RANGE (a) (PARTITION p0);
--! differs MariaDB's grammar is another one here
CREATE TABLE u (a INT) PARTITION BY LIST (a) (PARTITION p0 VALUES IN (1), PARTITION p1);
CREATE TABLE u (a INT) PARTITION BY LIST (a) (PARTITION p0 VALUES IN (MAXVALUE));
CREATE TABLE u (a INT) PARTITION BY LIST (a) (PARTITION p0 VALUES IN ((1)));
CREATE TABLE u (a INT, b INT) PARTITION BY RANGE COLUMNS (a, b) (PARTITION p0 VALUES LESS THAN (1));
CREATE TABLE u (a INT) PARTITION BY HASH (RAND());
CREATE TABLE u (a INT) PARTITION BY HASH (a + @x);
--! differs MariaDB's grammar is another one here
CREATE TABLE u (a INT) PARTITION BY HASH (a + (SELECT 1));
CREATE TABLE u (a INT) PARTITION BY HASH (a) PARTITIONS 1.5;
CREATE TABLE u (a INT) PARTITION BY KEY ALGORITHM = 3 (a);
CREATE TABLE u (a INT) PARTITION BY RANGE (a) SUBPARTITION BY HASH (a) (PARTITION p0 VALUES LESS THAN (1) (SUBPARTITION s0), PARTITION p1 VALUES LESS THAN (2));
-- stored programs are read to their ends
CREATE PROCEDURE p() SELEC 1;
CREATE PROCEDURE p(a INT b INT) SELECT 1;
CREATE PROCEDURE p() BEGIN IF 1 THEN SELECT 1 END IF; END;
CREATE PROCEDURE p() BEGIN SELECT 1; DECLARE x INT; END;
CREATE PROCEDURE p() BEGIN DECLARE c CURSOR FOR SHOW TABLES; END;
CREATE PROCEDURE p() BEGIN WHILE 1 DO END WHILE; END;
CREATE FUNCTION f() RETURNS CHAR(1) CHARSET DEFAULT RETURN 'a';
CREATE FUNCTION f() BEGIN RETURN 1; END;
CREATE TRIGGER tr BEFORE INSERT, UPDATE ON t FOR EACH ROW SET NEW.a = 1;
CREATE EVENT e ON SCHEDULE AT NOW() STARTS NOW() DO SELECT 1;
ALTER EVENT e;
SIGNAL;
SIGNAL SQLSTATE '45000' SET BLA = 1;
SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = -1;
GET DIAGNOSTICS;
GET DIAGNOSTICS @x = NONSENSE;
GET DIAGNOSTICS CONDITION 1 @x = NUMBER;
-- what is not offered is read too
CREATE TABLESPACE s ADD DATAFILE 's.ibd' ENCRYPTION = 1;
ALTER TABLESPACE s;
DROP TABLESPACE 's';
DROP SPATIAL REFERENCE SYSTEM -1;
CREATE RESOURCE GROUP g TYPE = NONSENSE;
INSTALL COMPONENT 'file://x' SET SESSION a = 1;
ALTER INSTANCE ROTATE MyISAM MASTER KEY;
STOP REPLICA nonsense;
--! differs MariaDB's grammar is another one here
PURGE BINARY LOGS BEFORE (SELECT 1);
SHOW PARSE_TREE SELECT 1;
--! differs MariaDB's grammar is another one here
DROP DATABASE se;
