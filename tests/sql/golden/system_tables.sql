-- Columns of system tables against MySQL 8.4's manual, and rows that do not depend on the server's state. MariaDB's tables are others.
--! ours MariaDB's tables of these names have other columns or are not there
SET group_concat_max_len = 100000;
--! mysql what InnoDB counts
SELECT table_name, GROUP_CONCAT(column_name, ' ', column_type, IF(is_nullable = 'YES', '?', '') ORDER BY ordinal_position SEPARATOR ', ') AS c FROM information_schema.columns WHERE table_schema = 'information_schema' AND table_name NOT IN ('INNODB_SYS_TABLES', 'INNODB_SYS_INDEXES', 'INNODB_BUFFER_POOL_PAGES', 'INNODB_BUFFER_POOL_PAGES_INDEX') GROUP BY table_name ORDER BY table_name;
--! mysql 9.7 has more and other tables; missing ones are in docs/compat.md
SELECT table_name, GROUP_CONCAT(column_name, ' ', column_type, IF(is_nullable = 'YES', '?', '') ORDER BY ordinal_position SEPARATOR ', ') AS c FROM information_schema.columns WHERE table_schema = 'performance_schema' AND table_name NOT LIKE 'clone%' GROUP BY table_name ORDER BY table_name;
SET group_concat_max_len = DEFAULT;
-- ENUM and SET columns hold numbers and read as text; NULL members, comparisons, sorting by the number
SELECT table_type + 0, table_type, row_format + 0 FROM information_schema.tables WHERE table_schema = 'information_schema' AND table_name = 'TABLES';
SELECT routine_type, sql_mode FROM information_schema.routines WHERE routine_schema = 'test';
SELECT event_definition, event_body, on_completion FROM information_schema.events WHERE event_schema = 'test';
SELECT action_condition, action_reference_old_row FROM information_schema.triggers WHERE trigger_schema = 'test';
SELECT numeric_precision, character_set_name FROM information_schema.parameters WHERE specific_schema = 'test';
SELECT DISTINCT pad_attribute, pad_attribute + 0 FROM information_schema.collations ORDER BY pad_attribute;
SELECT execution_engine FROM performance_schema.processlist WHERE id = CONNECTION_ID();
-- times of creation are in the session's time zone
CREATE TABLE zoned (id INT);
SET time_zone = '+05:00';
SELECT ABS(TIMESTAMPDIFF(MINUTE, create_time, NOW())) < 5 FROM information_schema.tables WHERE table_schema = 'test' AND table_name = 'zoned';
SET time_zone = DEFAULT;
DROP TABLE zoned;
SELECT DISTINCT table_type, engine FROM information_schema.tables WHERE table_schema = 'performance_schema';
SELECT * FROM information_schema.KEYWORDS WHERE word IN ('SELECT', 'RANK', 'ACCOUNT', 'SYSTEM', 'MANUAL') ORDER BY word;
--! mysql 9.7 has other words
SELECT MIN(reserved), MAX(reserved), SUM(reserved) FROM information_schema.KEYWORDS;
CREATE TABLE se (id INT PRIMARY KEY, b INT, UNIQUE KEY bu (b));
SELECT * FROM information_schema.TABLES_EXTENSIONS WHERE table_schema = 'test';
SELECT * FROM information_schema.COLUMNS_EXTENSIONS WHERE table_schema = 'test' ORDER BY 4;
SELECT * FROM information_schema.TABLE_CONSTRAINTS_EXTENSIONS WHERE constraint_schema = 'test' ORDER BY 3;
SELECT * FROM information_schema.SCHEMATA_EXTENSIONS WHERE schema_name = 'test';
SELECT * FROM information_schema.TABLESPACES_EXTENSIONS WHERE tablespace_name = 'test/se';
SELECT name, row_format, page_size, space_type, state, file_size > 0 FROM information_schema.INNODB_TABLESPACES WHERE name = 'test/se';
SELECT b.name, b.space_type, b.path = d.path, b.path = f.file_name FROM information_schema.INNODB_TABLESPACES_BRIEF b JOIN information_schema.INNODB_DATAFILES d USING (space) JOIN information_schema.FILES f ON f.tablespace_name = b.name WHERE b.name = 'test/se';
INSERT INTO se VALUES (1, 1), (2, 2);
ANALYZE TABLE se;
CREATE TABLE virt (a INT, b INT, c INT GENERATED ALWAYS AS (a + b) VIRTUAL, h VARCHAR(10), d INT AS (a * 2) STORED, e VARCHAR(30) AS (CONCAT(H, '`b`''`a`', c)), f INT AS (7));
--! mysql what InnoDB counts
SELECT v.pos, v.base_pos FROM information_schema.INNODB_VIRTUAL v JOIN information_schema.INNODB_TABLES t USING (table_id) WHERE t.name = 'test/virt' ORDER BY pos, base_pos;
DROP TABLE virt;
--! mysql what InnoDB counts
SELECT name, num_rows, clust_index_size, other_index_size FROM information_schema.INNODB_TABLESTATS WHERE name = 'test/se';
SELECT pool_id, pool_size > 0, free_buffers + database_pages = pool_size, number_pages_get > 0 FROM information_schema.INNODB_BUFFER_POOL_STATS;
SELECT COUNT(*) FROM information_schema.OPTIMIZER_TRACE;
SELECT COUNT(*) FROM information_schema.ST_GEOMETRY_COLUMNS;
CREATE USER attributed@localhost;
SELECT * FROM information_schema.USER_ATTRIBUTES WHERE user = 'attributed';
DROP USER attributed@localhost;
SET optimizer_trace = 'enabled=on';
SET optimizer_trace = 'enabled=off';
SELECT @@optimizer_trace;
--! mysql the grant tables' keys are not shown
DESCRIBE mysql.default_roles;
-- what mysqld_exporter, mysqldump, mydumper and phpMyAdmin ask
SELECT DISTINCT TABLESPACE_NAME, FILE_NAME, LOGFILE_GROUP_NAME, EXTENT_SIZE, INITIAL_SIZE, ENGINE FROM INFORMATION_SCHEMA.FILES WHERE FILE_TYPE = 'DATAFILE' ORDER BY TABLESPACE_NAME, LOGFILE_GROUP_NAME;
SELECT COUNT(*) FROM performance_schema.replication_group_members;
SELECT COUNT(*) FROM performance_schema.replication_connection_status;
SELECT COUNT(*) > 0 FROM (SELECT ifnull(SCHEMA_NAME, 'NONE') AS SCHEMA_NAME, DIGEST, LEFT(DIGEST_TEXT, 120) AS DIGEST_TEXT, COUNT_STAR, SUM_TIMER_WAIT, SUM_LOCK_TIME, SUM_ERRORS, SUM_WARNINGS, SUM_ROWS_AFFECTED, SUM_ROWS_SENT, SUM_ROWS_EXAMINED, SUM_CREATED_TMP_DISK_TABLES, SUM_CREATED_TMP_TABLES, SUM_SORT_MERGE_PASSES, SUM_SORT_ROWS, SUM_NO_INDEX_USED FROM (SELECT * FROM performance_schema.events_statements_summary_by_digest WHERE SCHEMA_NAME NOT IN ('mysql', 'performance_schema', 'information_schema') AND LAST_SEEN > DATE_SUB(NOW(), INTERVAL 86400 SECOND) ORDER BY LAST_SEEN DESC) Q GROUP BY Q.SCHEMA_NAME, Q.DIGEST, Q.DIGEST_TEXT, Q.COUNT_STAR, Q.SUM_TIMER_WAIT, Q.SUM_LOCK_TIME, Q.SUM_ERRORS, Q.SUM_WARNINGS, Q.SUM_ROWS_AFFECTED, Q.SUM_ROWS_SENT, Q.SUM_ROWS_EXAMINED, Q.SUM_CREATED_TMP_DISK_TABLES, Q.SUM_CREATED_TMP_TABLES, Q.SUM_SORT_MERGE_PASSES, Q.SUM_SORT_ROWS, Q.SUM_NO_INDEX_USED ORDER BY SUM_TIMER_WAIT DESC LIMIT 250) x;
SELECT user, COUNT(*) > 0 FROM information_schema.processlist WHERE id <> connection_id() AND user = 'nobody' GROUP BY user;
SELECT t.PROCESSLIST_COMMAND, t.CONNECTION_TYPE IS NOT NULL FROM performance_schema.threads t WHERE t.PROCESSLIST_ID = CONNECTION_ID();
--! end
