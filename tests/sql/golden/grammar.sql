-- What MySQL 8.4's grammar (sql_yacc.yy) and lexer refuse or take, found by preparing 291,014 statements of test suites on both.
CREATE DATABASE gr;
USE gr;
--! ours MySQL's grammar and lexer, compared with a real MySQL; MariaDB's are others
CREATE TABLE t1 (a INT, b INT, c TIMESTAMP NULL);
INSERT INTO t1 VALUES (1, 2, NULL);
-- signs that could belong to one operator are one token
SELECT 0<!0;
SELECT 1<>!0;
SELECT 1=!0;
SELECT 1<=!0;
SELECT 1<<!0;
SELECT 0 < ! 0;
SELECT !!0;
SELECT ! !0;
SELECT 1>>!0, 1<=>!0, 1>=!0, 1!=!0;
SET @a=!1;
-- ALTER TABLE: what stands alone, and where commas are
ALTER TABLE t1 SECONDARY_LOAD, FORCE;
ALTER TABLE t1 FORCE, SECONDARY_LOAD;
ALTER TABLE t1 algorithm=inplace, PARTITION BY HASH(a);
ALTER TABLE t1 DROP PARTITION p, DROP PARTITION q;
ALTER TABLE t1 ALTER COLUMN c SET DEFAULT current_timestamp();
ALTER TABLE t1 ALTER COLUMN c SET DEFAULT current_timestamp;
ALTER TABLE t1 ALTER COLUMN c SET DEFAULT (current_timestamp());
ALTER TABLE t1 ALTER COLUMN c DROP DEFAULT;
ALTER TABLE t1 ADD SPATIAL INDEX i (a) USING BTREE;
CREATE FULLTEXT INDEX i USING HASH ON t1 (a);
CREATE INDEX i ON t1 (a) WITH PARSER ngram;
-- numbers: whole ones, those of 31 bits, lengths
ALTER USER IF EXISTS u1 PASSWORD EXPIRE INTERVAL 66666888888888888888 DAY;
ALTER USER IF EXISTS u1 PASSWORD HISTORY 1.5;
CREATE TABLE t2 (a timestamp(4294967294));
CREATE TABLE t2 (a timestamp(2147483647));
SELECT CAST(1 AS TIME(4294967295));
SELECT CAST(1 AS TIME(x'06'));
SELECT CAST(1 AS CHAR(x'06'));
CREATE TABLE t2 (a CHAR(0x10));
CREATE TABLE t2 (a INT, KEY (a(4294967296)));
EXPLAIN FOR CONNECTION 1 + 1;
EXPLAIN FORMAT=json FOR CONNECTION (SELECT max(a) FROM t1);
SELECT 1 FROM t1 LIMIT t1.a;
SELECT 1 FROM t1 LIMIT a;
SELECT nth_value(a, a + 1) OVER (ORDER BY a) FROM t1;
SELECT nth_value(a, (1 + 1)) OVER (ORDER BY a) FROM t1;
-- INTO at the end of what is no SELECT of its own
CREATE VIEW v AS SELECT 1 FROM t1 INTO @w;
CREATE VIEW v AS (SELECT 1 FROM t1 INTO @w);
CREATE VIEW v AS SELECT 1 INTO @w;
INSERT INTO t1 (a) SELECT 1 FROM t1 INTO @w;
CREATE TABLE t2 SELECT 1 FROM t1 INTO @w;
-- tables in parentheses
SELECT * FROM ((SELECT a FROM t1) t);
SELECT * FROM (((SELECT a FROM t1) t));
SELECT * FROM (JSON_TABLE('[1]', '$[*]' COLUMNS (a INT PATH '$')) t);
SELECT * FROM ((SELECT a FROM t1) t JOIN (SELECT 2) u);
SELECT a FROM (((t1)));
-- the error that is met first
SELECT 1 FROM (SELECT 1), x y z;
SELECT 1 FROM (SELECT 1) WHERE;
INSERT INTO t1 SET a=1e309);
GET DIAGNOSTICS x;
GET DIAGNOSTICS CONDITION 1 x;
CREATE PROCEDURE p(x INT, x INT);
CREATE PROCEDURE p() UNLOCK TABLE t;
CREATE PROCEDURE p() ALTER SEQUENCE s;
CREATE TABLE t2 (a JSON, KEY k ((CAST(a AS YEAR ARRAY));
-- the empty name of a user variable, and of a host
SELECT @, @=1, @ + 1;
SET @=1;
SELECT @ .a;
SELECT ''@``;
-- SET
SET @a=1, password='x';
SET password='x', @a=1;
SET transaction='a';
SET names='x';
SET names='x', y;
SET names=(;
SELECT @@default.sort_buffer_size;
SELECT @@select.x;
SELECT @@`global`.sort_buffer_size;
SELECT @@`default`.sort_buffer_size;
SELECT @@global.default.sort_buffer_size;
SELECT @@global.'a'.b;
SELECT @@global.'max_connections' = @@max_connections;
SELECT @@'max_connections';
-- tables without columns
CREATE TABLE t2;
CREATE TABLE t2 ENGINE=InnoDB COMMENT 'x';
CREATE TABLE IF NOT EXISTS t1;
-- names that are too long, or end in a space
CREATE USER 'aaaaaaaaaabbbbbbbbbbccccccccccddd';
CREATE USER 'it''saaaaaaaaaabbbbbbbbbbccccccccccddd'@x;
CREATE ROLE aaaaaaaaaabbbbbbbbbbccccccccccddd;
GRANT SELECT ON *.* TO aaaaaaaaaabbbbbbbbbbccccccccccddd +;
SHOW GRANTS FOR aaaaaaaaaabbbbbbbbbbccccccccccddd;
CREATE DEFINER=aaaaaaaaaabbbbbbbbbbccccccccccddd VIEW v AS SELECT 1;
CREATE USER 'ääääääääääbbbbbbbbbbccccccccccdd';
DROP USER 'ääääääääääbbbbbbbbbbccccccccccdd';
CREATE USER a@xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx;
USE `db `;
SELECT * FROM `db `.t;
CREATE TABLE `db `.t (a INT);
SELECT `db `.f();
CALL `db `.p();
CALL `p `();
-- sizes
CREATE TABLE t2 (a INT) AUTOEXTEND_SIZE=10MB;
CREATE TABLE t2 (a INT) AUTOEXTEND_SIZE=x;
CREATE TABLE t2 (a INT) AUTOEXTEND_SIZE=4T;
CREATE TABLE t2 (a INT) AUTOEXTEND_SIZE=3000000000m;
LOCK TABLES t1 LOW_PRIORITY WRITE;
UNLOCK TABLES;
HANDLER t1 READ primary = (1);
--! end
--! differs a statement that MariaDB takes made a table
DROP DATABASE gr;
