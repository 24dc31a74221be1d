-- sql_generate_invisible_primary_key: tables without primary key get one (manual, "Generated Invisible Primary Keys"). Found by MySQL's own tests.

--! ours MariaDB has no such variable
SET sql_generate_invisible_primary_key = ON;
CREATE TABLE t1 (f1 INT, f2 INT UNIQUE);
SHOW CREATE TABLE t1;
INSERT INTO t1 VALUES (1, 2), (3, 4);
SELECT * FROM t1;
SELECT my_row_id, f1 FROM t1 ORDER BY my_row_id;
SHOW COLUMNS FROM t1;
CREATE TABLE t2 (f1 INT NOT NULL UNIQUE);
--! mysql the newer one lets the unique key be
SHOW CREATE TABLE t2;
CREATE TABLE t3 (f1 INT PRIMARY KEY);
SHOW CREATE TABLE t3;
CREATE TEMPORARY TABLE tt (f1 INT);
SHOW CREATE TABLE tt;
DROP TEMPORARY TABLE tt;
DROP TABLE t2, t3;
-- not where a column has its name, or another one counts
CREATE TABLE t2 (my_row_id INT, f2 INT);
CREATE TABLE t2 (f1 INT NOT NULL AUTO_INCREMENT, f2 INT, KEY (f1));
CREATE TABLE t2 (MY_ROW_ID INT AUTO_INCREMENT, KEY (my_row_id));
CREATE TABLE t2 (a INT AUTO_INCREMENT, my_row_id INT, KEY (a));
-- LIKE copies, a query's table gets one
CREATE TABLE t2 LIKE t1;
SHOW CREATE TABLE t2;
DROP TABLE t2;
CREATE TABLE t2 AS SELECT * FROM t1;
--! mysql INSERT ... SELECT takes numbers in powers of two there
SHOW CREATE TABLE t2;
SELECT my_row_id, t2.* FROM t2;
DROP TABLE t2;
CREATE TABLE t2 AS SELECT f1, my_row_id FROM t1;
CREATE TABLE t2 (my_row_id INT PRIMARY KEY) AS SELECT f1, my_row_id FROM t1;
SHOW CREATE TABLE t2;
DROP TABLE t2;
SET sql_generate_invisible_primary_key = OFF;
CREATE TABLE bare (f1 INT);
SET sql_generate_invisible_primary_key = ON;
CREATE TABLE t2 LIKE bare;
SHOW CREATE TABLE t2;
DROP TABLE t2, bare;
-- the column stays as it is, and first; only its visibility may change
ALTER TABLE t1 CHANGE my_row_id id INT NOT NULL AUTO_INCREMENT;
ALTER TABLE t1 MODIFY my_row_id INT NOT NULL;
ALTER TABLE t1 MODIFY my_row_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT INVISIBLE AFTER f1;
ALTER TABLE t1 ALTER my_row_id SET DEFAULT 10;
ALTER TABLE t1 ALTER my_row_id DROP DEFAULT;
ALTER TABLE t1 ALTER my_row_id SET INVISIBLE;
ALTER TABLE t1 RENAME COLUMN my_row_id TO id;
ALTER TABLE t1 ADD COLUMN f0 INT FIRST;
ALTER TABLE t1 MODIFY f2 INT FIRST;
SHOW CREATE TABLE t1;
ALTER TABLE t1 ALTER my_row_id SET VISIBLE;
SELECT * FROM t1;
ALTER TABLE t1 ADD COLUMN f INT FIRST;
ALTER TABLE t1 MODIFY my_row_id INT NOT NULL AUTO_INCREMENT;
SHOW CREATE TABLE t1;
DROP TABLE t1;
-- key and column go together, and another key comes while the variable is on
CREATE TABLE t1 (f1 INT, f2 INT);
--! mysql the newer one has other words
ALTER TABLE t1 DROP COLUMN my_row_id;
--! mysql the newer one has other words
ALTER TABLE t1 DROP PRIMARY KEY;
--! mysql the newer one has other words
DROP INDEX `PRIMARY` ON t1;
--! mysql the newer one has other words
ALTER TABLE t1 DROP PRIMARY KEY, DROP COLUMN my_row_id, ADD UNIQUE KEY (f1);
ALTER TABLE t1 DROP PRIMARY KEY, ADD PRIMARY KEY (f1);
ALTER TABLE t1 ADD PRIMARY KEY (f1);
ALTER TABLE t1 ADD COLUMN f0 INT PRIMARY KEY AUTO_INCREMENT FIRST, DROP PRIMARY KEY, DROP COLUMN my_row_id;
SHOW CREATE TABLE t1;
--! mysql the newer one has other words
ALTER TABLE t1 MODIFY f0 INT, DROP PRIMARY KEY;
SET sql_generate_invisible_primary_key = OFF;
ALTER TABLE t1 MODIFY f0 INT, DROP PRIMARY KEY;
-- one that was written out is such a one too
CREATE TABLE t2 (MY_ROW_ID BIGINT UNSIGNED NOT NULL AUTO_INCREMENT INVISIBLE PRIMARY KEY, a INT);
ALTER TABLE t2 ADD b INT FIRST;
SHOW CREATE TABLE t2;
ALTER TABLE t2 MODIFY my_row_id INT;
ALTER TABLE t2 DROP PRIMARY KEY;
ALTER TABLE t2 DROP PRIMARY KEY, ADD PRIMARY KEY (a);
ALTER TABLE t2 DROP COLUMN my_row_id;
SHOW CREATE TABLE t2;
DROP TABLE t1, t2;
-- the session may not want to see it
SET sql_generate_invisible_primary_key = ON;
CREATE TABLE t1 (f1 INT, f2 INT, KEY k (f2, my_row_id));
SET show_gipk_in_create_table_and_information_schema = OFF;
SHOW CREATE TABLE t1;
SHOW COLUMNS FROM t1;
SHOW INDEX FROM t1;
SELECT column_name, ordinal_position FROM information_schema.columns WHERE table_name = 't1' ORDER BY 2;
SELECT index_name, column_name FROM information_schema.statistics WHERE table_name = 't1' ORDER BY 1, seq_in_index;
SELECT constraint_name, column_name FROM information_schema.key_column_usage WHERE table_name = 't1';
SELECT constraint_name FROM information_schema.table_constraints WHERE table_name = 't1';
SELECT column_name FROM information_schema.columns_extensions WHERE table_name = 't1' ORDER BY 1;
SELECT constraint_name FROM information_schema.table_constraints_extensions WHERE table_name = 't1';
SELECT table_name, auto_increment FROM information_schema.tables WHERE table_name = 't1';
INSERT INTO t1 VALUES (1, 1);
SELECT my_row_id FROM t1;
SET show_gipk_in_create_table_and_information_schema = ON;
SHOW COLUMNS FROM t1;
SELECT constraint_name, column_name FROM information_schema.key_column_usage WHERE table_name = 't1';
DROP TABLE t1;
--! end
-- where INVISIBLE stands among the other attributes
--! ours MariaDB writes it otherwise
CREATE TABLE t1 (a INT, b INT NOT NULL DEFAULT 8 INVISIBLE COMMENT 'c', c TIMESTAMP NULL DEFAULT NULL ON UPDATE CURRENT_TIMESTAMP INVISIBLE, d INT AS (a + 1) STORED NOT NULL INVISIBLE, e INT INVISIBLE);
SHOW CREATE TABLE t1;
DROP TABLE t1;
SELECT constraint_name FROM information_schema.table_constraints_extensions WHERE constraint_schema = 'test';
CREATE TABLE t1 (a INT PRIMARY KEY, b INT UNIQUE, c INT, KEY k (c), d TEXT, FULLTEXT f (d));
--! mysql a FULLTEXT key has a hidden index there
SELECT constraint_name FROM information_schema.table_constraints_extensions WHERE constraint_schema = 'test' ORDER BY 1;
DROP TABLE t1;
--! end
