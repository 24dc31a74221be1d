//! Status variables that are not counters of `probe`.
//!
//! [`global`] makes the server's list, [`for_session`] puts the session's own counts and texts in. Tested: `tests/clients/test_status.py`.

use crate::schema::SessionView;
use catalog::sysvar::Var;
use probe::Counter;

/// Variables of things that Evenkeel has none of (binary log, resizing of the pool, MyISAM's key cache, delayed inserts, TLS sessions kept by the server,
/// instruments of performance_schema that could be lost), with what MySQL shows when there are none.
const NONE_OF_IT: &[(&str, &str)] = &[
    ("Acl_cache_items_count", "0"),
    ("Binlog_stmt_cache_disk_use", "0"),
    ("Binlog_stmt_cache_use", "0"),
    ("Delayed_errors", "0"),
    ("Delayed_insert_threads", "0"),
    ("Delayed_writes", "0"),
    ("Innodb_buffer_pool_resize_status", ""),
    ("Innodb_buffer_pool_resize_status_code", "0"),
    ("Innodb_buffer_pool_resize_status_progress", "0"),
    ("Innodb_redo_log_resize_status", "OK"),
    ("Innodb_truncated_status_writes", "0"),
    ("Innodb_undo_tablespaces_explicit", "0"),
    ("Key_blocks_not_flushed", "0"),
    ("Key_blocks_unused", "0"),
    ("Key_blocks_used", "0"),
    ("Key_read_requests", "0"),
    ("Key_reads", "0"),
    ("Key_write_requests", "0"),
    ("Key_writes", "0"),
    ("Not_flushed_delayed_rows", "0"),
    ("Ongoing_anonymous_transaction_count", "0"),
    ("Open_streams", "0"),
    ("Performance_schema_accounts_lost", "0"),
    ("Performance_schema_cond_classes_lost", "0"),
    ("Performance_schema_cond_instances_lost", "0"),
    ("Performance_schema_file_classes_lost", "0"),
    ("Performance_schema_file_handles_lost", "0"),
    ("Performance_schema_hosts_lost", "0"),
    ("Performance_schema_locker_lost", "0"),
    ("Performance_schema_logger_lost", "0"),
    ("Performance_schema_memory_classes_lost", "0"),
    ("Performance_schema_metadata_lock_lost", "0"),
    ("Performance_schema_meter_lost", "0"),
    ("Performance_schema_metric_lost", "0"),
    ("Performance_schema_mutex_classes_lost", "0"),
    ("Performance_schema_prepared_statements_lost", "0"),
    ("Performance_schema_rwlock_classes_lost", "0"),
    ("Performance_schema_socket_classes_lost", "0"),
    ("Performance_schema_socket_instances_lost", "0"),
    ("Performance_schema_stage_classes_lost", "0"),
    ("Performance_schema_statement_classes_lost", "0"),
    ("Performance_schema_table_handles_lost", "0"),
    ("Performance_schema_table_instances_lost", "0"),
    ("Performance_schema_table_lock_stat_lost", "0"),
    ("Performance_schema_thread_classes_lost", "0"),
    ("Performance_schema_thread_instances_lost", "0"),
    ("Performance_schema_users_lost", "0"),
    ("Resource_group_supported", "OFF"),
    ("Ssl_accept_renegotiates", "0"),
    ("Ssl_callback_cache_hits", "0"),
    ("Ssl_client_connects", "0"),
    ("Ssl_connect_renegotiates", "0"),
    ("Ssl_ctx_verify_depth", "0"),
    ("Ssl_ctx_verify_mode", "0"),
    ("Ssl_finished_connects", "0"),
    ("Ssl_session_cache_hits", "0"),
    ("Ssl_session_cache_misses", "0"),
    ("Ssl_session_cache_mode", "NONE"),
    ("Ssl_session_cache_overflows", "0"),
    ("Ssl_session_cache_size", "0"),
    ("Ssl_session_cache_timeout", "0"),
    ("Ssl_session_cache_timeouts", "0"),
    ("Ssl_used_session_cache_entries", "0"),
    ("Table_open_cache_triggers_hits", "0"),
    ("Tc_log_max_pages_used", "0"),
    ("Tc_log_page_size", "0"),
    ("Telemetry_traces_supported", "OFF"),
    ("Tls_sni_server_name", ""),
];
/// Texts of a session; SHOW GLOBAL STATUS shows what a session without TLS and compression has.
const SESSION_TEXTS: &[(&str, &str)] = &[
    ("Compression", "OFF"),
    ("Compression_algorithm", ""),
    ("Compression_level", "0"),
    ("Ssl_cipher", ""),
    ("Ssl_cipher_list", ""),
    ("Ssl_sessions_reused", "0"),
    ("Last_query_cost", "0.000000"),
    ("Last_query_partial_plans", "0"),
    ("Ssl_verify_depth", "0"),
    ("Ssl_verify_mode", "0"),
    ("Ssl_default_timeout", "0"),
    ("Ssl_version", ""),
];

fn put(all: &mut Vec<(String, String)>, name: &str, value: String) {
    match all.iter_mut().find(|(n, _)| n == name) {
        Some(slot) => slot.1 = value,
        None => all.push((name.to_owned(), value)),
    }
}

/// SHOW SESSION STATUS: what [`global`] gave, with the session's values.
pub fn for_session(v: &SessionView, all: &mut Vec<(String, String)>) {
    for (name, value) in &v.session_status {
        put(all, name, value.to_string());
    }
    let [received, sent] = v.connection.bytes();
    put(all, "Bytes_received", received.to_string());
    put(all, "Bytes_sent", sent.to_string());
    for (name, value) in &v.session_texts {
        put(all, name, value.clone());
    }
}

fn texts(v: &SessionView, all: &mut Vec<(String, String)>) {
    for (name, value) in NONE_OF_IT.iter().chain(SESSION_TEXTS) {
        put(all, name, (*value).to_owned());
    }
    for (name, var) in [
        ("Current_tls_ca", Var::ssl_ca),
        ("Current_tls_capath", Var::ssl_capath),
        ("Current_tls_cert", Var::ssl_cert),
        ("Current_tls_cipher", Var::ssl_cipher),
        ("Current_tls_ciphersuites", Var::tls_ciphersuites),
        ("Current_tls_crl", Var::ssl_crl),
        ("Current_tls_crlpath", Var::ssl_crlpath),
        ("Current_tls_key", Var::ssl_key),
        ("Current_tls_version", Var::tls_version),
    ] {
        put(all, name, v.globals.get(var).show());
    }
    let most = v.time_zone.from_unix(v.connections.max_used_at() as i64, 0);
    let mut when = Vec::new();
    value::temporal::format::format_datetime(most, 0, &mut when);
    put(all, "Max_used_connections_time", String::from_utf8_lossy(&when).into_owned());
    put(all, "Innodb_redo_log_enabled", "ON".to_owned());
    put(all, "Innodb_redo_log_read_only", "OFF".to_owned());
    put(all, "Tls_library_version", "rustls".to_owned());
    let keys = v.connections.keys.shown();
    let [not_before, not_after] = keys.validity;
    put(all, "Ssl_server_not_before", not_before);
    put(all, "Ssl_server_not_after", not_after);
    put(all, "Rsa_public_key", String::new());
    put(all, "Caching_sha2_password_rsa_public_key", keys.rsa_public);
}

/// What performance_schema had no room for.
fn lost() -> [(&'static str, u64); 7] {
    [
        ("Performance_schema_digest_lost", probe::statements::lost()),
        ("Performance_schema_file_instances_lost", probe::files::lost()),
        ("Performance_schema_mutex_instances_lost", probe::instances::lost(probe::instances::Kind::Mutex)),
        ("Performance_schema_rwlock_instances_lost", probe::instances::lost(probe::instances::Kind::RwLock)),
        ("Performance_schema_index_stat_lost", probe::tables::lost()),
        ("Performance_schema_nested_statement_lost", probe::events::lost_nested()),
        ("Performance_schema_program_lost", probe::programs::lost()),
    ]
}

/// SHOW GLOBAL STATUS: name, value; unsorted.
pub fn global(v: &SessionView) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> =
        probe::status().into_iter().map(|(n, value)| (n.to_owned(), value.to_string())).collect();
    let e = v.engine.status();
    let running = v.connections.all().iter().filter(|c| c.row().command != "Sleep").count();
    let page = storage::page::PAGE_SIZE as u64;
    let pool = &e.pool;
    let data = (pool.frames - pool.free.min(pool.frames)) as u64;
    let errors = probe::errorlog::summary();
    let (definitions, open) = v.engine.dict().counts();
    let own = [
        ("Uptime", v.uptime),
        ("Uptime_since_flush_status", v.uptime),
        ("Prepared_stmt_count", v.prepared_statements),
        ("Threads_cached", sched::pool::spares() as u64),
        ("Threads_connected", v.connections.len() as u64),
        ("Threads_running", running as u64),
        ("Max_used_connections", u64::from(v.connections.max_used())),
        ("Connections", v.connections.total()),
        ("Global_connection_memory", base::memory::global()),
        ("Innodb_page_size", page),
        ("Innodb_history_list_length", e.history_list_length),
        ("Innodb_num_open_files", e.open_files),
        ("Innodb_row_lock_current_waits", e.lock_waiting),
        ("Innodb_buffer_pool_pages_total", pool.frames as u64),
        ("Innodb_buffer_pool_pages_free", pool.free as u64),
        ("Innodb_buffer_pool_pages_data", data),
        ("Innodb_buffer_pool_pages_dirty", pool.dirty as u64),
        ("Innodb_buffer_pool_pages_old", pool.old as u64),
        ("Innodb_buffer_pool_bytes_data", data * page),
        ("Innodb_buffer_pool_bytes_dirty", pool.dirty as u64 * page),
        ("Innodb_redo_log_current_lsn", e.lsn.0),
        ("Innodb_redo_log_flushed_to_disk_lsn", e.flushed_lsn.0),
        ("Innodb_redo_log_checkpoint_lsn", e.checkpoint_lsn.0),
        ("Innodb_redo_log_logical_size", e.checkpoint_age),
        ("Open_table_definitions", definitions),
        ("Open_tables", open),
        // one, made with the data directory
        ("Innodb_undo_tablespaces_total", 1),
        ("Innodb_undo_tablespaces_active", 1),
        ("Innodb_undo_tablespaces_implicit", 1),
        ("Error_log_buffered_bytes", errors.bytes),
        ("Error_log_buffered_events", errors.lines),
        ("Error_log_expired_events", errors.expired),
        ("Error_log_latest_write", errors.latest_us),
    ];
    for (n, value) in own.into_iter().chain(lost()) {
        put(&mut all, n, value.to_string());
    }
    // live connections have not handed their counts over yet
    let live = v.connections.all().iter().map(|c| c.bytes()).fold([0, 0], |a, b| [a[0] + b[0], a[1] + b[1]]);
    for (name, counter, more) in
        [("Bytes_received", Counter::BytesReceived, live[0]), ("Bytes_sent", Counter::BytesSent, live[1])]
    {
        put(&mut all, name, (probe::global(counter) + more).to_string());
    }
    let waits = probe::global(Counter::InnodbRowLockWaits);
    let waited = probe::global(Counter::InnodbRowLockTime) / 1000;
    put(&mut all, "Innodb_row_lock_time_avg", waited.checked_div(waits).unwrap_or(0).to_string());
    texts(v, &mut all);
    for (name, value) in &v.server_texts {
        put(&mut all, name, value.clone());
    }
    all
}
