-- Queries of monitoring agents and administrators' programs that are not installed where tests run, as their public
-- documentation and sources show them. "-- NAME rows": it has rows on a MySQL 9.7 that has done the test's little work;
-- "-- NAME": it may have none there. Recorded by tests/clients/test_agents_queries.py --mysql.

-- datadog rows
SHOW /*!50002 GLOBAL */ STATUS;
-- datadog rows
SHOW GLOBAL VARIABLES;
-- datadog rows
SELECT engine FROM information_schema.ENGINES WHERE engine='InnoDB' and support != 'no' and support != 'disabled';
-- datadog rows
SELECT THREAD_ID, NAME FROM performance_schema.threads WHERE NAME LIKE '%sql/%' OR NAME LIKE '%evenkeel%' OR NAME LIKE '%one_connection';
-- datadog rows
SELECT schema_name, ROUND((SUM(sum_timer_wait) / SUM(count_star)) / 1000000) AS avg_us FROM performance_schema.events_statements_summary_by_digest WHERE schema_name IS NOT NULL GROUP BY schema_name;
-- datadog rows
SELECT `avg_us`, `ro` as `percentile` FROM (SELECT `avg_us`, @rownum := @rownum + 1 as `ro` FROM (SELECT ROUND(avg_timer_wait / 1000000) as `avg_us` FROM performance_schema.events_statements_summary_by_digest ORDER BY `avg_us` ASC) p, (SELECT @rownum := 0) r) q WHERE q.`ro` > ROUND(.95*@rownum) ORDER BY `ro` ASC LIMIT 1;
-- datadog rows
SELECT table_schema, IFNULL(SUM(data_length+index_length)/1024/1024,0) AS total_mb FROM information_schema.tables GROUP BY table_schema;
-- datadog rows
SELECT table_schema, table_name, IFNULL(index_length/1024/1024,0) AS index_size_mb, IFNULL(data_length/1024/1024,0) AS data_size_mb FROM information_schema.tables WHERE table_schema NOT IN ('mysql', 'performance_schema', 'information_schema');
-- datadog rows
SELECT OBJECT_SCHEMA as table_schema, OBJECT_NAME as table_name, COUNT_READ as rows_read, COUNT_WRITE as rows_changed FROM performance_schema.table_io_waits_summary_by_table WHERE OBJECT_SCHEMA NOT IN ('mysql', 'performance_schema', 'information_schema');
-- datadog rows
SELECT `schema_name`, `digest`, `digest_text`, `count_star`, `sum_timer_wait`, `sum_lock_time`, `sum_errors`, `sum_rows_affected`, `sum_rows_sent`, `sum_rows_examined`, `sum_select_scan`, `sum_select_full_join`, `sum_no_index_used`, `sum_no_good_index_used` FROM performance_schema.events_statements_summary_by_digest WHERE `digest_text` NOT LIKE 'EXPLAIN %' OR `digest_text` IS NULL ORDER BY `count_star` DESC LIMIT 10000;
-- datadog rows
SELECT COUNT(*), NAME, ENABLED FROM performance_schema.setup_consumers WHERE NAME LIKE 'events_statements_%' GROUP BY NAME, ENABLED;
-- datadog rows
SELECT thread_a.thread_id, thread_a.processlist_id, thread_a.processlist_user, thread_a.processlist_host, thread_a.processlist_db, thread_a.processlist_command, thread_a.processlist_state, COALESCE(statement.sql_text, thread_a.PROCESSLIST_info) AS sql_text, statement.timer_start as event_timer_start, statement.timer_end as event_timer_end, statement.lock_time, statement.current_schema, waits_a.event_id AS event_id, waits_a.end_event_id, IF(waits_a.thread_id IS NULL, 'other', COALESCE(IF(thread_a.processlist_state = 'User sleep', 'User sleep', IF(waits_a.event_id = waits_a.end_event_id, 'CPU', waits_a.event_name)), 'CPU')) AS wait_event, waits_a.operation, waits_a.timer_start as wait_timer_start, waits_a.timer_end as wait_timer_end, waits_a.object_schema, waits_a.object_name, waits_a.index_name, waits_a.object_type, waits_a.source FROM performance_schema.threads AS thread_a LEFT JOIN performance_schema.events_waits_current AS waits_a ON waits_a.thread_id = thread_a.thread_id LEFT JOIN performance_schema.events_statements_current AS statement ON statement.thread_id = thread_a.thread_id WHERE thread_a.processlist_state IS NOT NULL AND thread_a.processlist_command != 'Sleep' AND thread_a.processlist_id != 0 AND (waits_a.EVENT_NAME != 'idle' OR waits_a.EVENT_NAME IS NULL) AND (waits_a.operation != 'idle' OR waits_a.operation IS NULL) AND waits_a.event_id IS NULL;
-- datadog rows
SELECT processlist_user, processlist_host, processlist_db, processlist_state, COUNT(processlist_user) AS connections FROM performance_schema.threads WHERE processlist_user IS NOT NULL AND processlist_state IS NOT NULL GROUP BY processlist_user, processlist_host, processlist_db, processlist_state;
-- datadog
SHOW REPLICAS;
-- datadog
SHOW REPLICA STATUS;
-- datadog
SELECT plugin_status FROM information_schema.plugins WHERE plugin_name='group_replication';
-- datadog rows
SELECT variable_name, variable_source FROM performance_schema.variables_info WHERE variable_source <> 'COMPILED' LIMIT 5;

-- zabbix rows
SELECT COALESCE(SUM(DATA_LENGTH + INDEX_LENGTH),0) FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA='work';
-- zabbix rows
SELECT SCHEMA_NAME FROM INFORMATION_SCHEMA.SCHEMATA;
-- zabbix rows
SHOW DATABASES;
-- zabbix rows
SHOW GLOBAL STATUS LIKE 'Uptime';

-- percona-pmm rows
SELECT COALESCE(SCHEMA_NAME, ''), COALESCE(DIGEST, ''), COALESCE(DIGEST_TEXT, ''), COUNT_STAR, SUM_TIMER_WAIT, MIN_TIMER_WAIT, AVG_TIMER_WAIT, MAX_TIMER_WAIT, SUM_LOCK_TIME, SUM_ERRORS, SUM_WARNINGS, SUM_ROWS_AFFECTED, SUM_ROWS_SENT, SUM_ROWS_EXAMINED, SUM_CREATED_TMP_DISK_TABLES, SUM_CREATED_TMP_TABLES, SUM_SELECT_FULL_JOIN, SUM_SELECT_FULL_RANGE_JOIN, SUM_SELECT_RANGE, SUM_SELECT_RANGE_CHECK, SUM_SELECT_SCAN, SUM_SORT_MERGE_PASSES, SUM_SORT_RANGE, SUM_SORT_ROWS, SUM_SORT_SCAN, SUM_NO_INDEX_USED, SUM_NO_GOOD_INDEX_USED FROM performance_schema.events_statements_summary_by_digest WHERE DIGEST IS NOT NULL AND DIGEST_TEXT IS NOT NULL AND LAST_SEEN >= NOW() - INTERVAL 1 HOUR;
-- percona-pmm rows
SELECT sql_text, digest, digest_text, current_schema FROM performance_schema.events_statements_history WHERE DIGEST IS NOT NULL AND SQL_TEXT IS NOT NULL;
-- percona-pmm rows
SELECT count_star, sum_timer_wait, bucket_quantile FROM (SELECT s.count_star, s.sum_timer_wait, h.bucket_quantile FROM performance_schema.events_statements_summary_by_digest s JOIN performance_schema.events_statements_histogram_by_digest h ON h.digest = s.digest AND h.schema_name <=> s.schema_name WHERE h.count_bucket > 0) q LIMIT 5;
-- percona-pmm rows
SELECT user, host, ssl_type, password_lifetime, account_locked FROM mysql.user;

-- mysqld_exporter rows
SELECT EVENT_NAME, COUNT_STAR, SUM_TIMER_WAIT FROM performance_schema.events_waits_summary_global_by_event_name;
-- mysqld_exporter rows
SELECT EVENT_NAME, COUNT_READ, SUM_TIMER_READ, SUM_NUMBER_OF_BYTES_READ, COUNT_WRITE, SUM_TIMER_WRITE, SUM_NUMBER_OF_BYTES_WRITE, COUNT_MISC, SUM_TIMER_MISC FROM performance_schema.file_summary_by_event_name;
-- mysqld_exporter rows
SELECT EVENT_NAME, SUM_NUMBER_OF_BYTES_ALLOC, SUM_NUMBER_OF_BYTES_FREE, CURRENT_NUMBER_OF_BYTES_USED FROM performance_schema.memory_summary_global_by_event_name WHERE COUNT_ALLOC > 0;
-- mysqld_exporter rows
SELECT table_schema, table_name, column_name, auto_increment, pow(2, case data_type when 'tinyint' then 7 when 'smallint' then 15 when 'mediumint' then 23 when 'int' then 31 when 'bigint' then 63 end+(column_type like '% unsigned'))-1 as max_int FROM information_schema.columns c STRAIGHT_JOIN information_schema.tables t USING (table_schema,table_name) WHERE c.extra = 'auto_increment' AND t.auto_increment IS NOT NULL AND t.TABLE_SCHEMA NOT IN ('information_schema');

-- phpmyadmin rows
SELECT @@version, @@version_comment;
-- phpmyadmin rows
SELECT CURRENT_USER();
-- phpmyadmin rows
SELECT *, CAST(BIN_NAME AS CHAR CHARACTER SET utf8) AS SCHEMA_NAME FROM (SELECT BINARY s.SCHEMA_NAME AS BIN_NAME, s.DEFAULT_COLLATION_NAME FROM `information_schema`.SCHEMATA s GROUP BY BINARY s.SCHEMA_NAME, s.DEFAULT_COLLATION_NAME ORDER BY BINARY `SCHEMA_NAME` ASC LIMIT 100) a;
-- phpmyadmin rows
SELECT s.SCHEMA_NAME, s.DEFAULT_COLLATION_NAME, COUNT(t.TABLE_SCHEMA) AS SCHEMA_TABLES, SUM(t.TABLE_ROWS) AS SCHEMA_TABLE_ROWS, SUM(t.DATA_LENGTH) AS SCHEMA_DATA_LENGTH, SUM(t.MAX_DATA_LENGTH) AS SCHEMA_MAX_DATA_LENGTH, SUM(t.INDEX_LENGTH) AS SCHEMA_INDEX_LENGTH, SUM(IF(t.ENGINE <> 'InnoDB', t.DATA_FREE, 0)) AS SCHEMA_DATA_FREE FROM `information_schema`.SCHEMATA s LEFT JOIN `information_schema`.TABLES t ON BINARY t.TABLE_SCHEMA = BINARY s.SCHEMA_NAME GROUP BY s.SCHEMA_NAME, s.DEFAULT_COLLATION_NAME;
-- phpmyadmin rows
SELECT *, `TABLE_SCHEMA` AS `Db`, `TABLE_NAME` AS `Name`, `TABLE_TYPE` AS `TABLE_TYPE`, `ENGINE` AS `Engine`, `ENGINE` AS `Type`, `VERSION` AS `Version`, `ROW_FORMAT` AS `Row_format`, `TABLE_ROWS` AS `Rows`, `AVG_ROW_LENGTH` AS `Avg_row_length`, `DATA_LENGTH` AS `Data_length`, `AUTO_INCREMENT` AS `Auto_increment`, `CREATE_TIME` AS `Create_time`, `UPDATE_TIME` AS `Update_time`, `TABLE_COLLATION` AS `Collation`, `CREATE_OPTIONS` AS `Create_options`, `TABLE_COMMENT` AS `Comment` FROM `information_schema`.`TABLES` t WHERE `TABLE_SCHEMA` IN ('work') ORDER BY Name ASC;
-- phpmyadmin rows
SHOW FULL TABLES FROM `work` WHERE `Table_type` IN ('BASE TABLE', 'SYSTEM VERSIONED');
-- phpmyadmin rows
SHOW TABLE STATUS FROM `work` WHERE `Engine` IS NOT NULL;
-- phpmyadmin rows
SHOW FULL COLUMNS FROM `work`.`p`;
-- phpmyadmin rows
SHOW INDEXES FROM `work`.`p`;
-- phpmyadmin rows
SELECT TABLE_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE WHERE REFERENCED_TABLE_NAME IS NOT NULL AND TABLE_SCHEMA = 'work';
-- phpmyadmin
SELECT TRIGGER_SCHEMA, TRIGGER_NAME, EVENT_MANIPULATION, EVENT_OBJECT_TABLE, ACTION_TIMING, ACTION_STATEMENT, EVENT_OBJECT_SCHEMA, EVENT_OBJECT_TABLE, DEFINER FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA COLLATE utf8mb3_bin = 'work';
-- phpmyadmin
SELECT `EVENT_SCHEMA` AS `Db`, `EVENT_NAME` AS `Name`, `DEFINER` AS `Definer`, `TIME_ZONE` AS `Time zone`, `EVENT_TYPE` AS `Type`, `STATUS` AS `Status` FROM `information_schema`.`EVENTS` WHERE `EVENT_SCHEMA` COLLATE utf8mb3_general_ci = 'work';
-- phpmyadmin
SELECT `ROUTINE_SCHEMA` AS `Db`, `SPECIFIC_NAME` AS `Name`, `ROUTINE_TYPE` AS `Type`, `DEFINER` AS `Definer`, `DTD_IDENTIFIER` FROM `information_schema`.`ROUTINES` WHERE `ROUTINE_SCHEMA` COLLATE utf8mb3_general_ci = 'work';
-- phpmyadmin rows
SELECT `VARIABLE_NAME`, `VARIABLE_VALUE` FROM `performance_schema`.`global_status` WHERE VARIABLE_NAME LIKE 'Com\_%';
-- phpmyadmin rows
SHOW SESSION VARIABLES LIKE 'collation_connection';
-- phpmyadmin rows
SHOW PLUGINS;
-- phpmyadmin rows
SELECT PLUGIN_NAME, PLUGIN_DESCRIPTION FROM information_schema.PLUGINS WHERE PLUGIN_TYPE = 'AUTHENTICATION';
-- phpmyadmin rows
SHOW STORAGE ENGINES;
-- phpmyadmin rows
SHOW FULL PROCESSLIST;
-- phpmyadmin rows
SELECT `CHARACTER_SET_NAME` AS `Charset`, `DEFAULT_COLLATE_NAME` AS `Default collation`, `DESCRIPTION` AS `Description`, `MAXLEN` AS `Maxlen` FROM `information_schema`.`CHARACTER_SETS`;
-- phpmyadmin rows
SELECT `PRIVILEGE_TYPE` FROM `INFORMATION_SCHEMA`.`USER_PRIVILEGES` WHERE GRANTEE LIKE '%root%';
-- phpmyadmin rows
SHOW GRANTS;

-- workbench rows
SELECT * FROM sys.`x$host_summary_by_file_io`;
-- workbench rows
SELECT * FROM sys.`x$statement_analysis` LIMIT 1000;
-- workbench rows
SELECT * FROM sys.`x$statements_with_errors_or_warnings`;
-- workbench rows
SELECT * FROM sys.`x$statements_with_full_table_scans`;
-- workbench rows
SELECT * FROM sys.`x$memory_by_host_by_current_bytes`;
-- workbench rows
SELECT * FROM sys.`x$memory_global_by_current_bytes`;
-- workbench rows
SELECT * FROM sys.`x$memory_global_total`;
-- workbench rows
SELECT * FROM sys.`x$io_global_by_file_by_bytes`;
-- workbench rows
SELECT * FROM sys.`x$io_global_by_wait_by_latency`;
-- workbench rows
SELECT * FROM sys.`x$schema_index_statistics`;
-- workbench rows
SELECT * FROM sys.`x$schema_table_statistics`;
-- workbench rows
SELECT * FROM sys.schema_unused_indexes;
-- workbench rows
SELECT * FROM sys.`x$innodb_buffer_stats_by_schema`;
-- workbench rows
SELECT * FROM sys.`x$user_summary_by_statement_latency`;
-- workbench rows
SELECT * FROM sys.`x$user_summary`;
-- workbench rows
SELECT * FROM sys.schema_object_overview;
-- workbench rows
SELECT VARIABLE_VALUE FROM performance_schema.global_status WHERE VARIABLE_NAME = 'Innodb_buffer_pool_read_requests';
-- workbench
SELECT st.* FROM performance_schema.events_stages_history_long st WHERE st.nesting_event_id = 1;
-- workbench rows
SELECT th.thread_id, th.processlist_id, ml.object_type, ml.object_name, ml.lock_type, ml.lock_status FROM performance_schema.threads th JOIN performance_schema.metadata_locks ml ON th.thread_id = ml.owner_thread_id;
