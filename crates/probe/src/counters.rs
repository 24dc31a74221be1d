//! The list of counters: every one is declared once, here, and gets an enum variant, MySQL's status name, a scope and its text.
//!
//! `both`: `SHOW SESSION STATUS` shows the session's own count. `global`: it shows the server's. `level`: goes up and down (a gauge
//! spread over the blocks; only the sum means anything). Names and meanings: MySQL 8.4 manual, "Server Status Variables"; those
//! marked as extension are Evenkeel's. Values that somebody computes when asked (pool sizes, uptime ...) are [`crate::Gauge`]s or belong
//! to `views`. To add one: a line in the table.

/// Who sees which count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// A session has its own.
    Both,
    /// Only the server has one.
    Global,
    /// Goes up and down; only the server has one.
    Level,
}

macro_rules! scope {
    (both) => {
        Scope::Both
    };
    (global) => {
        Scope::Global
    };
    (level) => {
        Scope::Level
    };
}

macro_rules! counters {
    ($($id:ident $scope:ident $name:literal $doc:literal;)*) => {
        /// A counter; see the table in this file.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u16)]
        pub enum Counter { $(#[doc = $doc] $id,)* }

        impl Counter {
            /// All, in the order of the table.
            pub const ALL: &[Counter] = &[$(Counter::$id),*];
            /// How many there are.
            pub const COUNT: usize = Counter::ALL.len();
            /// MySQL's status name, or the extension's.
            pub const fn name(self) -> &'static str { match self { $(Counter::$id => $name,)* } }
            /// One line of text.
            pub const fn doc(self) -> &'static str { match self { $(Counter::$id => $doc,)* } }
            /// Who sees it.
            pub const fn scope(self) -> Scope { match self { $(Counter::$id => scope!($scope),)* } }
        }
    };
}

#[rustfmt::skip]
counters! {
    BinlogCacheDiskUse global "Binlog_cache_disk_use" "Transactions whose events went to a file before they committed";
    BinlogCacheUse global "Binlog_cache_use" "Transactions with events for the binary log";
    ComAdminCommands both "Com_admin_commands" "Administrative protocol commands that are no statements";
    ComAlterDb both "Com_alter_db" "Statements of kind alter_db";
    ComAlterEvent both "Com_alter_event" "Statements of kind alter_event";
    ComAlterFunction both "Com_alter_function" "Statements of kind alter_function";
    ComAlterInstance both "Com_alter_instance" "Statements of kind alter_instance";
    ComAlterProcedure both "Com_alter_procedure" "Statements of kind alter_procedure";
    ComAlterResourceGroup both "Com_alter_resource_group" "Statements of kind alter_resource_group";
    ComAlterServer both "Com_alter_server" "Statements of kind alter_server";
    ComAlterTable both "Com_alter_table" "Statements of kind alter_table";
    ComAlterTablespace both "Com_alter_tablespace" "Statements of kind alter_tablespace";
    ComAlterUser both "Com_alter_user" "Statements of kind alter_user";
    ComAlterUserDefaultRole both "Com_alter_user_default_role" "Statements of kind alter_user_default_role";
    ComAnalyze both "Com_analyze" "Statements of kind analyze";
    ComAssignToKeycache both "Com_assign_to_keycache" "Statements of kind assign_to_keycache";
    ComBegin both "Com_begin" "Statements of kind begin";
    ComBinlog both "Com_binlog" "Statements of kind binlog";
    ComCallProcedure both "Com_call_procedure" "Statements of kind call_procedure";
    ComChangeDb both "Com_change_db" "Statements of kind change_db";
    ComChangeReplicationSource both "Com_change_replication_source" "Statements of kind change_replication_source";
    ComChangeReplicationFilter both "Com_change_repl_filter" "Statements of kind change_replication_filter";
    ComCheck both "Com_check" "Statements of kind check";
    ComChecksum both "Com_checksum" "Statements of kind checksum";
    ComClone both "Com_clone" "Statements of kind clone";
    ComCommit both "Com_commit" "Statements of kind commit";
    ComCreateDb both "Com_create_db" "Statements of kind create_db";
    ComCreateEvent both "Com_create_event" "Statements of kind create_event";
    ComCreateFunction both "Com_create_function" "Statements of kind create_function";
    ComCreateIndex both "Com_create_index" "Statements of kind create_index";
    ComCreateProcedure both "Com_create_procedure" "Statements of kind create_procedure";
    ComCreateResourceGroup both "Com_create_resource_group" "Statements of kind create_resource_group";
    ComCreateRole both "Com_create_role" "Statements of kind create_role";
    ComCreateServer both "Com_create_server" "Statements of kind create_server";
    ComCreateSpatialReferenceSystem both "Com_create_spatial_reference_system" "Statements of kind create_spatial_reference_system";
    ComCreateTable both "Com_create_table" "Statements of kind create_table";
    ComCreateTrigger both "Com_create_trigger" "Statements of kind create_trigger";
    ComCreateUdf both "Com_create_udf" "Statements of kind create_udf";
    ComCreateUser both "Com_create_user" "Statements of kind create_user";
    ComCreateView both "Com_create_view" "Statements of kind create_view";
    ComDeallocSql both "Com_dealloc_sql" "Statements of kind dealloc_sql";
    ComDelete both "Com_delete" "Statements of kind delete";
    ComDeleteMulti both "Com_delete_multi" "Statements of kind delete_multi";
    ComDo both "Com_do" "Statements of kind do";
    ComDropDb both "Com_drop_db" "Statements of kind drop_db";
    ComDropEvent both "Com_drop_event" "Statements of kind drop_event";
    ComDropFunction both "Com_drop_function" "Statements of kind drop_function";
    ComDropIndex both "Com_drop_index" "Statements of kind drop_index";
    ComDropProcedure both "Com_drop_procedure" "Statements of kind drop_procedure";
    ComDropResourceGroup both "Com_drop_resource_group" "Statements of kind drop_resource_group";
    ComDropRole both "Com_drop_role" "Statements of kind drop_role";
    ComDropServer both "Com_drop_server" "Statements of kind drop_server";
    ComDropSpatialReferenceSystem both "Com_drop_spatial_reference_system" "Statements of kind drop_spatial_reference_system";
    ComDropTable both "Com_drop_table" "Statements of kind drop_table";
    ComDropTrigger both "Com_drop_trigger" "Statements of kind drop_trigger";
    ComDropUser both "Com_drop_user" "Statements of kind drop_user";
    ComDropView both "Com_drop_view" "Statements of kind drop_view";
    ComEmptyQuery both "Com_empty_query" "Statements of kind empty_query";
    ComExecuteSql both "Com_execute_sql" "Statements of kind execute_sql";
    ComExplainOther both "Com_explain_other" "Statements of kind explain_other";
    ComFlush both "Com_flush" "Statements of kind flush";
    ComGetDiagnostics both "Com_get_diagnostics" "Statements of kind get_diagnostics";
    ComGrant both "Com_grant" "Statements of kind grant";
    ComGrantRoles both "Com_grant_roles" "Statements of kind grant_roles";
    ComGroupReplicationStart both "Com_group_replication_start" "Statements of kind group_replication_start";
    ComGroupReplicationStop both "Com_group_replication_stop" "Statements of kind group_replication_stop";
    ComHaClose both "Com_ha_close" "Statements of kind ha_close";
    ComHaOpen both "Com_ha_open" "Statements of kind ha_open";
    ComHaRead both "Com_ha_read" "Statements of kind ha_read";
    ComHelp both "Com_help" "Statements of kind help";
    ComImport both "Com_import" "Statements of kind import";
    ComInsert both "Com_insert" "Statements of kind insert";
    ComInsertSelect both "Com_insert_select" "Statements of kind insert_select";
    ComInstallComponent both "Com_install_component" "Statements of kind install_component";
    ComInstallPlugin both "Com_install_plugin" "Statements of kind install_plugin";
    ComKill both "Com_kill" "Statements of kind kill";
    ComLoad both "Com_load" "Statements of kind load";
    ComLockInstance both "Com_lock_instance" "Statements of kind lock_instance";
    ComLockTables both "Com_lock_tables" "Statements of kind lock_tables";
    ComOptimize both "Com_optimize" "Statements of kind optimize";
    ComPreloadKeys both "Com_preload_keys" "Statements of kind preload_keys";
    ComPrepareSql both "Com_prepare_sql" "Statements of kind prepare_sql";
    ComPurge both "Com_purge" "Statements of kind purge";
    ComPurgeBeforeDate both "Com_purge_before_date" "Statements of kind purge_before_date";
    ComReleaseSavepoint both "Com_release_savepoint" "Statements of kind release_savepoint";
    ComRenameTable both "Com_rename_table" "Statements of kind rename_table";
    ComRenameUser both "Com_rename_user" "Statements of kind rename_user";
    ComRepair both "Com_repair" "Statements of kind repair";
    ComReplace both "Com_replace" "Statements of kind replace";
    ComReplaceSelect both "Com_replace_select" "Statements of kind replace_select";
    ComReplicaStart both "Com_replica_start" "Statements of kind replica_start";
    ComReplicaStop both "Com_replica_stop" "Statements of kind replica_stop";
    ComReset both "Com_reset" "Statements of kind reset";
    ComResignal both "Com_resignal" "Statements of kind resignal";
    ComRestart both "Com_restart" "Statements of kind restart";
    ComRevoke both "Com_revoke" "Statements of kind revoke";
    ComRevokeAll both "Com_revoke_all" "Statements of kind revoke_all";
    ComRevokeRoles both "Com_revoke_roles" "Statements of kind revoke_roles";
    ComRollback both "Com_rollback" "Statements of kind rollback";
    ComRollbackToSavepoint both "Com_rollback_to_savepoint" "Statements of kind rollback_to_savepoint";
    ComSavepoint both "Com_savepoint" "Statements of kind savepoint";
    ComSelect both "Com_select" "Statements of kind select";
    ComSetOption both "Com_set_option" "Statements of kind set_option";
    ComSetPassword both "Com_set_password" "Statements of kind set_password";
    ComSetResourceGroup both "Com_set_resource_group" "Statements of kind set_resource_group";
    ComSetRole both "Com_set_role" "Statements of kind set_role";
    ComShowBinaryLogStatus both "Com_show_binary_log_status" "Statements of kind show_binary_log_status";
    ComShowBinlogEvents both "Com_show_binlog_events" "Statements of kind show_binlog_events";
    ComShowBinlogs both "Com_show_binlogs" "Statements of kind show_binlogs";
    ComShowCharsets both "Com_show_charsets" "Statements of kind show_charsets";
    ComShowCollations both "Com_show_collations" "Statements of kind show_collations";
    ComShowCreateDb both "Com_show_create_db" "Statements of kind show_create_db";
    ComShowCreateEvent both "Com_show_create_event" "Statements of kind show_create_event";
    ComShowCreateFunc both "Com_show_create_func" "Statements of kind show_create_func";
    ComShowCreateProc both "Com_show_create_proc" "Statements of kind show_create_proc";
    ComShowCreateTable both "Com_show_create_table" "Statements of kind show_create_table";
    ComShowCreateTrigger both "Com_show_create_trigger" "Statements of kind show_create_trigger";
    ComShowCreateUser both "Com_show_create_user" "Statements of kind show_create_user";
    ComShowDatabases both "Com_show_databases" "Statements of kind show_databases";
    ComShowEngineLogs both "Com_show_engine_logs" "Statements of kind show_engine_logs";
    ComShowEngineMutex both "Com_show_engine_mutex" "Statements of kind show_engine_mutex";
    ComShowEngineStatus both "Com_show_engine_status" "Statements of kind show_engine_status";
    ComShowErrors both "Com_show_errors" "Statements of kind show_errors";
    ComShowEvents both "Com_show_events" "Statements of kind show_events";
    ComShowFields both "Com_show_fields" "Statements of kind show_fields";
    ComShowFunctionCode both "Com_show_function_code" "Statements of kind show_function_code";
    ComShowFunctionStatus both "Com_show_function_status" "Statements of kind show_function_status";
    ComShowGrants both "Com_show_grants" "Statements of kind show_grants";
    ComShowKeys both "Com_show_keys" "Statements of kind show_keys";
    ComShowOpenTables both "Com_show_open_tables" "Statements of kind show_open_tables";
    ComShowParseTree both "Com_show_parse_tree" "Statements of kind show_parse_tree";
    ComShowPlugins both "Com_show_plugins" "Statements of kind show_plugins";
    ComShowPrivileges both "Com_show_privileges" "Statements of kind show_privileges";
    ComShowProcedureCode both "Com_show_procedure_code" "Statements of kind show_procedure_code";
    ComShowProcedureStatus both "Com_show_procedure_status" "Statements of kind show_procedure_status";
    ComShowProcesslist both "Com_show_processlist" "Statements of kind show_processlist";
    ComShowProfile both "Com_show_profile" "Statements of kind show_profile";
    ComShowProfiles both "Com_show_profiles" "Statements of kind show_profiles";
    ComShowRelaylogEvents both "Com_show_relaylog_events" "Statements of kind show_relaylog_events";
    ComShowReplicaStatus both "Com_show_replica_status" "Statements of kind show_replica_status";
    ComShowReplicas both "Com_show_replicas" "Statements of kind show_replicas";
    ComShowStatus both "Com_show_status" "Statements of kind show_status";
    ComShowStorageEngines both "Com_show_storage_engines" "Statements of kind show_storage_engines";
    ComShowTableStatus both "Com_show_table_status" "Statements of kind show_table_status";
    ComShowTables both "Com_show_tables" "Statements of kind show_tables";
    ComShowTriggers both "Com_show_triggers" "Statements of kind show_triggers";
    ComShowVariables both "Com_show_variables" "Statements of kind show_variables";
    ComShowWarnings both "Com_show_warnings" "Statements of kind show_warnings";
    ComShutdown both "Com_shutdown" "Statements of kind shutdown";
    ComSignal both "Com_signal" "Statements of kind signal";
    ComStmtClose both "Com_stmt_close" "Statements of kind stmt_close";
    ComStmtExecute both "Com_stmt_execute" "Statements of kind stmt_execute";
    ComStmtFetch both "Com_stmt_fetch" "Statements of kind stmt_fetch";
    ComStmtPrepare both "Com_stmt_prepare" "Statements of kind stmt_prepare";
    ComStmtReprepare both "Com_stmt_reprepare" "Statements of kind stmt_reprepare";
    ComStmtReset both "Com_stmt_reset" "Statements of kind stmt_reset";
    ComStmtSendLongData both "Com_stmt_send_long_data" "Statements of kind stmt_send_long_data";
    ComTruncate both "Com_truncate" "Statements of kind truncate";
    ComUninstallComponent both "Com_uninstall_component" "Statements of kind uninstall_component";
    ComUninstallPlugin both "Com_uninstall_plugin" "Statements of kind uninstall_plugin";
    ComUnlockInstance both "Com_unlock_instance" "Statements of kind unlock_instance";
    ComUnlockTables both "Com_unlock_tables" "Statements of kind unlock_tables";
    ComUpdate both "Com_update" "Statements of kind update";
    ComUpdateMulti both "Com_update_multi" "Statements of kind update_multi";
    ComXaCommit both "Com_xa_commit" "Statements of kind xa_commit";
    ComXaEnd both "Com_xa_end" "Statements of kind xa_end";
    ComXaPrepare both "Com_xa_prepare" "Statements of kind xa_prepare";
    ComXaRecover both "Com_xa_recover" "Statements of kind xa_recover";
    ComXaRollback both "Com_xa_rollback" "Statements of kind xa_rollback";
    ComXaStart both "Com_xa_start" "Statements of kind xa_start";
    AbortedClients global "Aborted_clients" "Connections that ended without COM_QUIT";
    AbortedConnects global "Aborted_connects" "Failed attempts to connect";
    AccessDeniedErrors global "Access_denied_errors" "Statements and connections refused for missing privileges";
    BytesReceived both "Bytes_received" "Bytes read from clients";
    BytesSent both "Bytes_sent" "Bytes written to clients";
    Connections global "Connections" "Connection attempts, successful or not";
    ConnectionErrorsAccept global "Connection_errors_accept" "Errors of accept() on the listening port";
    ConnectionErrorsInternal global "Connection_errors_internal" "Connections refused for internal errors, such as no thread";
    ConnectionErrorsMaxConnections global "Connection_errors_max_connections" "Connections refused because max_connections was reached";
    ConnectionErrorsPeerAddress global "Connection_errors_peer_address" "Errors while looking up a client address";
    ConnectionErrorsSelect global "Connection_errors_select" "Errors of poll() on the listening port";
    ConnectionErrorsTcpwrap global "Connection_errors_tcpwrap" "Connections refused by libwrap (none here)";
    CreatedTmpDiskTables both "Created_tmp_disk_tables" "Internal temporary tables that went to disk";
    CreatedTmpFiles global "Created_tmp_files" "Temporary files made";
    CreatedTmpTables both "Created_tmp_tables" "Internal temporary tables";
    DeprecatedUseISProcesslistCount global "Deprecated_use_i_s_processlist_count" "Uses of information_schema.processlist";
    FlushCommands global "Flush_commands" "FLUSH commands executed";
    HandlerCommit both "Handler_commit" "Internal COMMITs";
    HandlerDelete both "Handler_delete" "Rows deleted";
    HandlerDiscover both "Handler_discover" "Tables discovered (NDB; none here)";
    HandlerExternalLock both "Handler_external_lock" "Locks of a table instance at statement start and end";
    HandlerMrrInit both "Handler_mrr_init" "Multi-range reads begun";
    HandlerPrepare both "Handler_prepare" "Prepares of two-phase commit";
    HandlerReadFirst both "Handler_read_first" "First entry of an index read: suggests full index scans";
    HandlerReadKey both "Handler_read_key" "Rows read by key";
    HandlerReadLast both "Handler_read_last" "Last entry of an index read";
    HandlerReadNext both "Handler_read_next" "Next entry in key order read";
    HandlerReadPrev both "Handler_read_prev" "Previous entry in key order read";
    HandlerReadRnd both "Handler_read_rnd" "Rows read by position";
    HandlerReadRndNext both "Handler_read_rnd_next" "Next row of a data scan read: suggests table scans";
    HandlerRollback both "Handler_rollback" "Internal ROLLBACKs";
    HandlerSavepoint both "Handler_savepoint" "Savepoints set in the engine";
    HandlerSavepointRollback both "Handler_savepoint_rollback" "Rollbacks to a savepoint in the engine";
    HandlerUpdate both "Handler_update" "Rows updated";
    HandlerWrite both "Handler_write" "Rows inserted";
    InnodbBackgroundLogSync global "Innodb_background_log_sync" "Log syncs made by background threads";
    InnodbBufferPoolPagesFlushed global "Innodb_buffer_pool_pages_flushed" "Requests to flush pages";
    InnodbBufferPoolPagesMadeYoung global "Innodb_buffer_pool_pages_made_young" "Pages moved to the young part";
    InnodbBufferPoolPagesMadeNotYoung global "Innodb_buffer_pool_pages_made_not_young" "Accesses that left a page in the old part";
    InnodbBufferPoolReadAhead global "Innodb_buffer_pool_read_ahead" "Pages read ahead";
    InnodbBufferPoolReadAheadEvicted global "Innodb_buffer_pool_read_ahead_evicted" "Pages read ahead and evicted without use";
    InnodbBufferPoolReadAheadRnd global "Innodb_buffer_pool_read_ahead_rnd" "Random read-aheads begun";
    InnodbBufferPoolReadRequests global "Innodb_buffer_pool_read_requests" "Logical page reads";
    InnodbBufferPoolReads global "Innodb_buffer_pool_reads" "Logical reads that needed the disk";
    InnodbBufferPoolWaitFree global "Innodb_buffer_pool_wait_free" "Waits for a free frame";
    InnodbBufferPoolWriteRequests global "Innodb_buffer_pool_write_requests" "Page changes";
    InnodbDataFsyncs global "Innodb_data_fsyncs" "fsync() calls on data files and the log";
    InnodbDataRead global "Innodb_data_read" "Bytes read from data files and the log";
    InnodbDataReads global "Innodb_data_reads" "Reads from data files and the log";
    InnodbDataWrites global "Innodb_data_writes" "Writes to data files and the log";
    InnodbDataWritten global "Innodb_data_written" "Bytes written to data files and the log";
    InnodbDblwrPagesWritten global "Innodb_dblwr_pages_written" "Pages written through the doublewrite buffer";
    InnodbDblwrWrites global "Innodb_dblwr_writes" "Doublewrite batches";
    InnodbLogWaits global "Innodb_log_waits" "Waits because the log buffer was too small";
    InnodbLogWriteRequests global "Innodb_log_write_requests" "Mini-transactions that wrote log";
    InnodbLogWrites global "Innodb_log_writes" "Physical writes of the log";
    InnodbOsLogFsyncs global "Innodb_os_log_fsyncs" "fsync() calls on log files";
    InnodbOsLogWritten global "Innodb_os_log_written" "Bytes of log written to its file";
    InnodbPagesCreated global "Innodb_pages_created" "Pages created";
    InnodbPagesRead global "Innodb_pages_read" "Pages read";
    InnodbPagesWritten global "Innodb_pages_written" "Pages written";
    InnodbRedoLogCheckpoints global "Innodb_redo_log_checkpoints" "Checkpoints completed";
    InnodbRowLockTime global "Innodb_row_lock_time" "Time spent waiting for row locks, in microseconds here; shown in milliseconds";
    InnodbRowLockWaits global "Innodb_row_lock_waits" "Waits for row locks";
    InnodbDeadlocks global "Innodb_deadlocks" "Deadlocks of row locks (extension)";
    InnodbDeadlockRounds global "Innodb_deadlock_rounds" "Searches for a cycle of waits for row locks (extension; INNODB_METRICS lock_deadlock_rounds)";
    InnodbRecGrantAttempts global "Innodb_rec_grant_attempts" "Times that who waits for a record was looked at because a lock of it had gone (extension; INNODB_METRICS lock_rec_grant_attempts)";
    InnodbRecReleaseAttempts global "Innodb_rec_release_attempts" "Record locks given back (extension; INNODB_METRICS lock_rec_release_attempts)";
    InnodbLockTimeouts global "Innodb_lock_timeouts" "Row-lock waits that timed out (extension)";
    InnodbRowsDeleted global "Innodb_rows_deleted" "Rows deleted from tables";
    InnodbRowsInserted global "Innodb_rows_inserted" "Rows inserted into tables";
    InnodbRowsRead global "Innodb_rows_read" "Rows read from tables";
    InnodbRowsUpdated global "Innodb_rows_updated" "Rows updated in tables";
    InnodbSystemRowsDeleted global "Innodb_system_rows_deleted" "Rows deleted from system tables";
    InnodbSystemRowsInserted global "Innodb_system_rows_inserted" "Rows inserted into system tables";
    InnodbSystemRowsRead global "Innodb_system_rows_read" "Rows read from system tables";
    InnodbSystemRowsUpdated global "Innodb_system_rows_updated" "Rows updated in system tables";
    InnodbSampledPagesRead global "Innodb_sampled_pages_read" "Pages read for histogram sampling";
    InnodbSampledPagesSkipped global "Innodb_sampled_pages_skipped" "Pages skipped by histogram sampling";
    InnodbUndoRecordsWritten global "Innodb_undo_records_written" "Undo records written (extension)";
    InnodbPurgeRecords global "Innodb_purge_records" "Undo records purged (extension)";
    InnodbBtreeSplits global "Innodb_btree_splits" "Page splits (extension)";
    InnodbBtreeMerges global "Innodb_btree_merges" "Pages given back by merges (extension; INNODB_METRICS index_page_merge_successful)";
    InnodbActivity global "Innodb_activity_count" "Transactions that wrote and have ended (extension; INNODB_METRICS innodb_activity_count)";
    InnodbMasterActiveLoops global "Innodb_master_active_loops" "Seconds in which transactions wrote (extension; INNODB_METRICS innodb_master_active_loops)";
    InnodbMasterIdleLoops global "Innodb_master_idle_loops" "Seconds in which none did (extension; INNODB_METRICS innodb_master_idle_loops)";
    InnodbBtreeSearches global "Innodb_btree_searches" "Descents of an index's tree (extension; INNODB_METRICS adaptive_hash_searches_btree)";
    InnodbBtreeRestarts global "Innodb_btree_restarts" "Optimistic reads that had to be repeated (extension)";
    InnodbTrxRollbacks global "Innodb_trx_rollbacks" "Transactions with changes that were rolled back (extension; INNODB_METRICS trx_rollbacks)";
    InnodbTrxRollbacksSavepoint global "Innodb_trx_rollbacks_savepoint" "Of the changes of a transaction, those behind a savepoint rolled back (extension; INNODB_METRICS trx_rollbacks_savepoint)";
    LockedConnects global "Locked_connects" "Attempts to connect to locked accounts";
    MaxExecutionTimeExceeded both "Max_execution_time_exceeded" "Statements that exceeded their execution time";
    MaxExecutionTimeSet both "Max_execution_time_set" "Statements with an execution time limit";
    MaxExecutionTimeSetFailed both "Max_execution_time_set_failed" "Failed attempts to set the execution time limit";
    OpenedFiles global "Opened_files" "Files opened by the SQL layer";
    OpenedTableDefinitions both "Opened_table_definitions" "Table definitions loaded";
    OpenedTables both "Opened_tables" "Tables opened";
    ConnectAttrsLost global "Performance_schema_session_connect_attrs_lost" "Connections whose attributes were cut";
    PlanCacheHits both "Plan_cache_hits" "Statements whose plan was found by digest (extension)";
    PlanCacheMisses both "Plan_cache_misses" "Statements that had to be planned (extension)";
    Queries both "Queries" "Statements executed, those of stored programs included";
    RowsNotFound both "Rows_not_found" "Requests for a row that found none, the end of a scan among them, and the first row of a table, which counts twice (extension)";
    Questions both "Questions" "Statements executed that clients sent";
    SelectFullJoin both "Select_full_join" "Joins without an index";
    SelectFullRangeJoin both "Select_full_range_join" "Joins with a range search on the reference table";
    SelectRange both "Select_range" "Joins with a range on the first table";
    SelectRangeCheck both "Select_range_check" "Joins that check for keys after each row";
    SelectScan both "Select_scan" "Joins with a full scan of the first table";
    SecondaryEngineExecutionCount both "Secondary_engine_execution_count" "Statements run by a secondary engine (none here)";
    SlowLaunchThreads global "Slow_launch_threads" "Threads that took longer than slow_launch_time to start";
    SlowQueries both "Slow_queries" "Statements longer than long_query_time";
    SortMergePasses both "Sort_merge_passes" "Merge passes of sorts";
    SortRange both "Sort_range" "Sorts fed by ranges";
    SortRows both "Sort_rows" "Rows sorted";
    SortScan both "Sort_scan" "Sorts fed by scans";
    SslAccepts global "Ssl_accepts" "TLS connections accepted";
    SslFinishedAccepts global "Ssl_finished_accepts" "TLS handshakes finished";
    TableLocksImmediate global "Table_locks_immediate" "Table locks granted at once";
    TableLocksWaited global "Table_locks_waited" "Table locks that had to wait";
    TableOpenCacheHits both "Table_open_cache_hits" "Table definitions found in the cache";
    TableOpenCacheMisses both "Table_open_cache_misses" "Table definitions not found in the cache";
    TableOpenCacheOverflows both "Table_open_cache_overflows" "Evictions from the table cache";
    TcLogPageWaits global "Tc_log_page_waits" "Waits for a page of the two-phase commit log";
    ThreadsCreated global "Threads_created" "Threads made to serve connections";
    MdlFastPath both "Mdl_fast_path" "Metadata locks granted from the session own slots (extension)";
    MdlSlowPath both "Mdl_slow_path" "Metadata locks that needed the lock table (extension)";
    MdlWaitTime both "Mdl_wait_time" "Microseconds waited for metadata locks (extension)";
    MdlDeadlocks global "Mdl_deadlocks" "Deadlocks of metadata locks (extension)";
    SchedParks global "Sched_parks" "Times an answered connection was put aside without a thread (extension)";
    SchedAnswersTogether global "Sched_answers_together" "Answers that were sent together with others (extension)";
    SchedMoves global "Sched_moves" "Connections that are served on another CPU from now on (extension)";
    SchedPaced global "Sched_paced" "Times the server rested to stay below its CPU quota (extension)";
    SchedPacedNs global "Sched_paced_ns" "How long, nanoseconds (extension)";
    SchedLongStatements global "Sched_long_statements" "Statements that lost their run token by running long (extension)";
    SessionPanics global "Session_panics" "Sessions ended by an internal error (extension)";
    ThreadsConnected level "Threads_connected" "Open connections";
    ThreadsRunning level "Threads_running" "Connections executing a statement";
    PreparedStmtCount level "Prepared_stmt_count" "Prepared statements";
    InnodbNumOpenFiles level "Innodb_num_open_files" "Tablespace files open";
    OpenTables level "Open_tables" "Tables open";
    InnodbRowLockCurrentWaits level "Innodb_row_lock_current_waits" "Sessions waiting for a row lock";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = Counter::ALL.iter().map(|c| c.name().to_ascii_lowercase()).collect();
        names.sort();
        assert!(names.windows(2).all(|w| w[0] != w[1]));
        assert_eq!(Counter::ComSelect.name(), "Com_select");
        assert_eq!(Counter::ALL[Counter::HandlerReadKey as usize], Counter::HandlerReadKey);
        assert!(Counter::ALL.iter().all(|c| !c.doc().is_empty()));
    }
}
