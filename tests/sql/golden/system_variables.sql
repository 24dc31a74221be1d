-- System variables against MySQL 8.4's manual (server system variables, InnoDB parameters, replication options): which there are, scope,
-- what may be set, errors. MariaDB's variables are others.
--! ours MariaDB has other variables
-- removed before or in 8.4
SELECT @@new;
SELECT @@avoid_temporal_upgrade;
SELECT @@sync_frm;
SELECT @@expire_logs_days;
SELECT @@default_authentication_plugin;
SELECT @@show_old_temporals;
SELECT @@old;
-- for features that are not there: MySQL's defaults
SELECT @@binlog_checksum, @@binlog_row_metadata, @@binlog_row_value_options, @@binlog_transaction_compression, @@binlog_cache_size, @@binlog_order_commits, @@binlog_error_action, @@binlog_encryption, @@binlog_expire_logs_auto_purge;
--! mysql gone in 9.7
SELECT @@replica_parallel_workers, @@slave_parallel_workers, @@replica_parallel_type, @@replica_net_timeout, @@slave_net_timeout, @@replica_exec_mode, @@replica_type_conversions, @@replica_skip_errors, @@replica_preserve_commit_order;
SELECT @@relay_log_purge, @@relay_log_recovery, @@relay_log_space_limit, @@max_relay_log_size, @@sync_relay_log, @@sync_source_info, @@skip_replica_start, @@report_host, @@report_port = @@port, @@init_replica, @@sql_replica_skip_counter;
--! mysql gone in 9.7
SELECT @@have_query_cache, @@create_admin_listener_thread, @@tls_certificates_enforced_validation, @@terminology_use_previous, @@temptable_use_mmap, @@set_operations_buffer_size, @@select_into_disk_sync_delay, @@connection_memory_chunk_size, @@connection_memory_limit, @@global_connection_memory_tracking;
SELECT @@innodb_buffer_pool_in_core_file, @@innodb_extend_and_initialize, @@innodb_ft_aux_table, @@innodb_numa_interleave, @@innodb_compression_failure_threshold_pct, @@innodb_compression_pad_pct_max, @@innodb_adaptive_max_sleep_delay;
--! mysql 9.7 has more errors and statements
SELECT @@performance_schema_error_size, @@performance_schema_max_thread_instances, @@performance_schema_max_statement_classes, @@performance_schema_max_rwlock_classes, @@performance_schema_max_memory_classes, @@performance_schema_events_transactions_history_size;
SELECT @@myisam_recover_options, @@myisam_max_sort_file_size, @@myisam_stats_method, @@myisam_use_mmap, @@delayed_insert_timeout;
-- and refused where another value would need the feature
SET GLOBAL replica_exec_mode = 'IDEMPOTENT';
SET GLOBAL replica_exec_mode = 'STRICT';
SET GLOBAL slave_parallel_workers = 8;
SELECT @@replica_parallel_workers;
SET GLOBAL replica_parallel_workers = DEFAULT;
SELECT @@slave_parallel_workers;
SET GLOBAL binlog_checksum = 'NONE';
SET GLOBAL binlog_checksum = DEFAULT;
SET SESSION binlog_rows_query_log_events = ON;
SET binlog_rows_query_log_events = OFF;
SET GLOBAL innodb_buffer_pool_dump_now = OFF;
SET GLOBAL innodb_buffer_pool_load_abort = ON;
SELECT @@innodb_buffer_pool_load_abort;
--! differs MariaDB takes a table that is not there
SET GLOBAL innodb_ft_aux_table = 'test/t';
--! differs MariaDB takes the empty name
SET GLOBAL innodb_ft_aux_table = '';
SET innodb_ft_aux_table = 'test/t';
CREATE TABLE aux (a TEXT, FULLTEXT KEY (a)) ENGINE=InnoDB;
--! differs fixed here (docs/compat.md)
--! mysql fixed here (docs/compat.md)
SET GLOBAL innodb_ft_aux_table = 'test/aux';
DROP TABLE aux;
SET GLOBAL innodb_ft_aux_table = DEFAULT;
SET GLOBAL init_replica = 'SET @a = 1';
SELECT @@init_slave;
SET GLOBAL init_replica = '';
--! mysql fixed here (docs/compat.md)
SET terminology_use_previous = 'BEFORE_8_0_26';
-- scope and read-only
SET binlog_checksum = 'CRC32';
SET SESSION replica_net_timeout = 60;
SELECT @@SESSION.replica_net_timeout;
SET GLOBAL report_port = 1;
SET GLOBAL have_query_cache = 'YES';
SET GLOBAL original_server_version = 999999;
SELECT @@GLOBAL.original_server_version;
SELECT @@original_server_version, @@immediate_server_version, @@original_commit_timestamp;
SET GLOBAL performance_schema_accounts_size = 10;
SET GLOBAL relay_log_basename = 'x';
-- types and ranges
SET GLOBAL replica_exec_mode = 'SOMETIMES';
SET GLOBAL delayed_insert_timeout = 'long';
SET GLOBAL delayed_insert_timeout = 1.5;
SET GLOBAL delayed_insert_timeout = 0;
SELECT @@delayed_insert_timeout;
SET GLOBAL delayed_insert_timeout = DEFAULT;
SET set_operations_buffer_size = 20000;
--! mysql state of the peer
SELECT @@set_operations_buffer_size;
SET set_operations_buffer_size = 1;
SELECT @@set_operations_buffer_size;
SET set_operations_buffer_size = DEFAULT;
SET myisam_stats_method = 'nulls_equal';
SELECT @@myisam_stats_method;
SET myisam_stats_method = NULL;
--! mysql gone in 9.7, and fixed here
SHOW VARIABLES LIKE 'replica_p%';
--! mysql gone in 9.7, and fixed here
SHOW VARIABLES LIKE 'slave_p%';
SELECT COUNT(*) FROM performance_schema.global_variables g JOIN performance_schema.variables_info i USING (variable_name) WHERE variable_name LIKE 'replica\_%';
-- status variables
SHOW GLOBAL STATUS WHERE variable_name IN ('Com_change_repl_filter', 'Acl_cache_items_count', 'Error_log_expired_events', 'Innodb_buffer_pool_dump_status', 'Innodb_buffer_pool_resize_status_code', 'Innodb_redo_log_resize_status', 'Performance_schema_file_handles_lost', 'Performance_schema_memory_classes_lost', 'Slave_open_temp_tables', 'Replica_open_temp_tables');
SELECT variable_value REGEXP '^20[0-9][0-9]-[0-9]{2}-[0-9]{2} [0-9:]{8}$' FROM performance_schema.global_status WHERE variable_name = 'Max_used_connections_time';
--! end
-- values that are of the right type and mean nothing
SET GLOBAL log_output = '';
--! differs MariaDB has another list of variables
SET GLOBAL protocol_compression_algorithms = '';
SET GLOBAL ft_boolean_syntax = 'nonsense';
SET GLOBAL ft_boolean_syntax = '+ -><()~*:&|""';
SET GLOBAL ft_boolean_syntax = ' +-><()~*:""&|';
SET GLOBAL ft_boolean_syntax = DEFAULT;
SET innodb_tmpdir = '/nowhere/at/all';
SET innodb_tmpdir = '';
--! differs MariaDB has another list of variables
SET GLOBAL innodb_redo_log_archive_dirs = '/tmp';
--! differs MariaDB has another list of variables
SET session_track_system_variables = 'nonsense,autocommit';
SET session_track_system_variables = DEFAULT;
