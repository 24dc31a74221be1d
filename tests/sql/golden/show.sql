-- SHOW, DESCRIBE, information_schema, EXPLAIN. Texts that the two servers spell differently are checked on Evenkeel only.
CREATE TABLE p (id INT NOT NULL AUTO_INCREMENT, u INT UNSIGNED DEFAULT 5, s VARCHAR(20) NOT NULL DEFAULT 'x' COMMENT 'hi', t TEXT, d DECIMAL(10,2) DEFAULT NULL, dt DATETIME DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, ts TIMESTAMP(3) NULL, b VARBINARY(5), c CHAR(3) CHARACTER SET latin1, y YEAR, bo BOOL, PRIMARY KEY (id), UNIQUE KEY us (s), KEY ud (u, d DESC), KEY tp (t(10))) COMMENT='a table';
SHOW TABLES;
SHOW TABLES LIKE 'p%';
SHOW TABLES LIKE 'z%';
SHOW TABLES FROM nope;
SHOW FULL TABLES;
--! ours integers have no display width in MySQL 8.4; the prints are MySQL's
SHOW CREATE TABLE p;
SHOW COLUMNS FROM p;
DESCRIBE p;
DESC p s;
SHOW FULL COLUMNS FROM p LIKE 'u';
EXPLAIN p;
SHOW INDEX FROM p;
SHOW KEYS FROM p WHERE Key_name = 'us';
SHOW CREATE DATABASE test;
SHOW DATABASES;
SHOW SCHEMAS LIKE 'test';
SHOW VARIABLES LIKE 'autocommit';
SHOW GLOBAL VARIABLES WHERE Variable_name = 'sql_big_selects';
SHOW CHARACTER SET LIKE 'latin%';
SHOW COLLATION LIKE 'utf8mb4_0900%';
--! mysql no procedures of sys, no other engines, no plugins; comments of our own
SHOW ENGINES;
--! mysql no procedures of sys, no other engines, no plugins; comments of our own
SHOW PRIVILEGES;
--! mysql 9.7 has more privileges, and PROXY
SHOW GRANTS;
--! mysql no procedures of sys, no other engines, no plugins; comments of our own
SHOW PLUGINS;
SHOW MASTER STATUS;
--! mysql no procedures of sys, no other engines, no plugins; comments of our own
SHOW BINARY LOG STATUS;
--! mysql no procedures of sys, no other engines, no plugins; comments of our own
SHOW OPEN TABLES;
SHOW TRIGGERS;
SHOW EVENTS;
--! mysql no procedures of sys, no other engines, no plugins; comments of our own
SHOW PROCEDURE STATUS WHERE Db <> 'sys';
--! mysql the column Language is newer than 8.4
SHOW FUNCTION STATUS WHERE Db <> 'sys';
SHOW TABLE STATUS LIKE 'nothing';
--! end
SHOW CREATE TABLE nope;
SHOW COLUMNS FROM nope;
SHOW INDEX FROM nope;
SELECT 1/0;
SHOW WARNINGS;
SHOW COUNT(*) WARNINGS;
SHOW WARNINGS LIMIT 0;
SELECT nope;
--! differs the text
SHOW ERRORS;
SHOW COUNT(*) ERRORS;
SELECT @@warning_count, @@error_count;
SHOW NOSUCH;
--! differs MySQL 8 heads columns of information_schema by their own names
SELECT table_name, table_type, engine, table_comment FROM information_schema.tables WHERE table_schema = 'test';
--! ours integers have no display width in MySQL 8.4
SELECT column_name, ordinal_position, column_default, is_nullable, data_type, character_maximum_length, character_octet_length, numeric_precision, numeric_scale, datetime_precision, character_set_name, collation_name, column_type, column_key, extra, column_comment FROM information_schema.columns WHERE table_schema = 'test' AND table_name = 'p' ORDER BY ordinal_position;
SELECT index_name, seq_in_index, column_name, non_unique, collation, sub_part, nullable, index_type FROM information_schema.statistics WHERE table_schema = 'test' ORDER BY 1, 2;
SELECT schema_name, default_character_set_name FROM information_schema.schemata WHERE schema_name IN ('test','mysql','information_schema','performance_schema','sys') ORDER BY 1;
--! end
--! differs MySQL 8 heads columns of information_schema by their own names
SELECT constraint_name, constraint_type FROM information_schema.table_constraints WHERE table_schema = 'test' ORDER BY 1;
--! differs MySQL 8 heads columns of information_schema by their own names
SELECT constraint_name, column_name, ordinal_position FROM information_schema.key_column_usage WHERE table_schema = 'test' ORDER BY 1, 3;
SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'nope';
SELECT * FROM information_schema.nope;
SELECT nope FROM information_schema.tables;
CREATE TABLE information_schema.x (a INT);
INSERT INTO information_schema.tables VALUES (1);
USE information_schema;
SELECT DATABASE();
USE mysql;
USE test;
--! ours EXPLAIN is MySQL's
INSERT INTO p (s, u, d) VALUES ('a',1,1),('b',2,2),('c',3,3),('d',4,4),('e',5,5),('f',6,6),('g',7,7),('h',8,8);
ANALYZE TABLE p;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM p WHERE id = 1;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM p WHERE s = 'a';
EXPLAIN SELECT * FROM p WHERE s > 'f';
EXPLAIN SELECT u, d FROM p WHERE u = 3;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM p WHERE bo = 1;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM p a JOIN p b ON a.u = b.id;
EXPLAIN SELECT bo, COUNT(*) FROM p GROUP BY bo ORDER BY 2;
EXPLAIN SELECT 1;
--! mysql another plan or estimate, or what MySQL's optimizer made of the query in note 1003
EXPLAIN SELECT * FROM p WHERE 1 = 0;
EXPLAIN UPDATE p SET bo = 1 WHERE id = 3;
EXPLAIN DELETE FROM p WHERE s = 'a';
EXPLAIN INSERT INTO p (s) VALUES ('z');
--! mysql 9.7's plans, costs and words in this format
EXPLAIN FORMAT=TREE SELECT * FROM p WHERE id = 1;
EXPLAIN FORMAT=NOSUCH SELECT 1;
--! end
EXPLAIN SELECT * FROM nope;
-- grant tables and InnoDB's tables
--! ours MariaDB keeps accounts in a view over JSON, and its InnoDB tables have other columns
create user gt@localhost identified by 'x';
create table it (a int, b varchar(10), primary key (a), key bk (b));
--! mysql the peer runs with --skip-name-resolve
grant select, insert on test.* to gt@localhost;
--! mysql the peer runs with --skip-name-resolve
grant update on test.it to gt@localhost with grant option;
select Host, User, Select_priv, Grant_priv, plugin, account_locked, length(authentication_string) > 0 as has_password from mysql.user where User = 'gt';
select count(*) > 0 from mysql.user where User = 'root' and Super_priv = 'Y' and Create_role_priv = 'Y';
select Host, Db, User, Select_priv, Insert_priv, Update_priv from mysql.db where User = 'gt';
select User, Table_name, Table_priv, Column_priv from mysql.tables_priv where User = 'gt';
--! mysql skip: grant tables are tables there, and broken by this
update mysql.user set Select_priv = 'N';
--! mysql skip: grant tables are tables there, and broken by this
insert into mysql.db (Host) values ('x');
--! mysql skip: grant tables are tables there, and broken by this
drop table mysql.user;
drop user gt@localhost;
alter table it add column c int;
--! mysql MySQL adds a last column without a version
select t.NAME, t.N_COLS, t.TOTAL_ROW_VERSIONS, i.NAME, i.TYPE, f.NAME, f.POS from information_schema.INNODB_TABLES t join information_schema.INNODB_INDEXES i using (TABLE_ID) join information_schema.INNODB_FIELDS f using (INDEX_ID) where t.NAME like '%/it' order by 4, 7;
select c.NAME, c.POS, c.MTYPE from information_schema.INNODB_COLUMNS c join information_schema.INNODB_TABLES t using (TABLE_ID) where t.NAME like '%/it' order by 2;
drop table it;
--! end
-- the last GLOBAL or SESSION of a SET counts for what follows without one, but not for @@
SET GLOBAL max_sort_length = 1000, wait_timeout = 4242, @@net_read_timeout = 77, SESSION net_write_timeout = 78, lock_wait_timeout = 79;
SELECT @@global.max_sort_length, @@global.wait_timeout, @@session.net_read_timeout, @@session.net_write_timeout, @@session.lock_wait_timeout, @@global.lock_wait_timeout = 79 AS g;
SET GLOBAL max_sort_length = DEFAULT, wait_timeout = DEFAULT;
