//! The list of the texts.

/// Which views a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// `NAME` and `x$NAME`.
    Pair,
    /// `NAME` alone.
    Single,
    /// `x$NAME` alone.
    Plain,
}

macro_rules! texts {
    ($($name:literal $kind:ident;)*) => {
        /// Name, kind and text of each.
        pub(super) const TEXTS: &[(&str, Kind, &str)] =
            &[$(($name, Kind::$kind, include_str!(concat!("texts/", $name, ".sql")))),*];
    };
}

texts! {
    "blocked_sessions" Pair;
    "blocking_tree" Single;
    "buffer_pool_by_index" Pair;
    "cpu_limits" Single;
    "host_summary" Pair;
    "host_summary_by_file_io" Pair;
    "host_summary_by_file_io_type" Pair;
    "host_summary_by_stages" Pair;
    "host_summary_by_statement_latency" Pair;
    "host_summary_by_statement_type" Pair;
    "innodb_buffer_stats_by_schema" Pair;
    "innodb_buffer_stats_by_table" Pair;
    "innodb_lock_waits" Pair;
    "io_by_thread_by_latency" Pair;
    "io_global_by_file_by_bytes" Pair;
    "io_global_by_file_by_latency" Pair;
    "io_global_by_wait_by_bytes" Pair;
    "io_global_by_wait_by_latency" Pair;
    "latch_waits" Pair;
    "latest_file_io" Pair;
    "memory_by_host_by_current_bytes" Pair;
    "memory_by_thread_by_current_bytes" Pair;
    "memory_by_user_by_current_bytes" Pair;
    "memory_global_by_current_bytes" Pair;
    "memory_global_total" Pair;
    "metrics" Single;
    "processlist" Pair;
    "ps_check_lost_instrumentation" Single;
    "ps_digest_95th_percentile_by_avg_us" Plain;
    "ps_digest_avg_latency_distribution" Plain;
    "ps_schema_table_statistics_io" Plain;
    "schema_auto_increment_columns" Single;
    "schema_flattened_keys" Plain;
    "schema_index_statistics" Pair;
    "schema_object_overview" Single;
    "schema_redundant_indexes" Single;
    "schema_table_lock_waits" Pair;
    "schema_table_statistics" Pair;
    "schema_table_statistics_with_buffer" Pair;
    "schema_tables_with_full_table_scans" Pair;
    "schema_unused_indexes" Single;
    "session" Pair;
    "session_ssl_status" Single;
    "statement_analysis" Pair;
    "statements_last_minute" Pair;
    "statements_with_errors_or_warnings" Pair;
    "statements_with_full_table_scans" Pair;
    "statements_with_runtimes_in_95th_percentile" Pair;
    "statements_with_sorting" Pair;
    "statements_with_temp_tables" Pair;
    "user_summary" Pair;
    "user_summary_by_file_io" Pair;
    "user_summary_by_file_io_type" Pair;
    "user_summary_by_stages" Pair;
    "user_summary_by_statement_latency" Pair;
    "user_summary_by_statement_type" Pair;
    "version" Single;
    "wait_classes_global_by_avg_latency" Pair;
    "wait_classes_global_by_latency" Pair;
    "waits_by_host_by_latency" Pair;
    "waits_by_user_by_latency" Pair;
    "waits_global_by_latency" Pair;
}
