//! Variables that are deprecated in MySQL 8.4: setting and reading them gives warning 1287.
//!
//! Tested in `tests/sql/golden/system_variables.sql`.

use super::table::Var;
use base::{ErrorCode, SqlError};

/// Names, and what takes their place.
const DEPRECATED: &[(&str, &str)] = &[
    ("binlog_format", ""),
    ("binlog_max_flush_queue_time", ""),
    ("delayed_insert_limit", ""),
    ("delayed_insert_timeout", ""),
    ("delayed_queue_size", ""),
    ("have_profiling", ""),
    ("have_query_cache", ""),
    ("init_slave", "init_replica"),
    ("log_bin_trust_function_creators", ""),
    ("log_slave_updates", "log_replica_updates"),
    ("log_slow_slave_statements", "log_slow_replica_statements"),
    ("log_statements_unsafe_for_binlog", ""),
    ("master_verify_checksum", "source_verify_checksum"),
    ("max_delayed_threads", ""),
    ("max_insert_delayed_threads", ""),
    ("max_length_for_sort_data", ""),
    ("profiling", ""),
    ("profiling_history_size", ""),
    ("pseudo_slave_mode", "pseudo_replica_mode"),
    ("query_prealloc_size", ""),
    ("replica_parallel_type", ""),
    ("rpl_stop_slave_timeout", "rpl_stop_replica_timeout"),
    ("skip_slave_start", "skip_replica_start"),
    ("slave_allow_batching", "replica_allow_batching"),
    ("slave_checkpoint_group", "replica_checkpoint_group"),
    ("slave_checkpoint_period", "replica_checkpoint_period"),
    ("slave_compressed_protocol", "replica_compressed_protocol"),
    ("slave_exec_mode", "replica_exec_mode"),
    ("slave_load_tmpdir", "replica_load_tmpdir"),
    ("slave_max_allowed_packet", "replica_max_allowed_packet"),
    ("slave_net_timeout", "replica_net_timeout"),
    ("slave_parallel_type", "replica_parallel_type"),
    ("slave_parallel_workers", "replica_parallel_workers"),
    ("slave_pending_jobs_size_max", "replica_pending_jobs_size_max"),
    ("slave_preserve_commit_order", "replica_preserve_commit_order"),
    ("slave_skip_errors", "replica_skip_errors"),
    ("slave_sql_verify_checksum", "replica_sql_verify_checksum"),
    ("slave_transaction_retries", "replica_transaction_retries"),
    ("slave_type_conversions", "replica_type_conversions"),
    ("sql_slave_skip_counter", "sql_replica_skip_counter"),
    ("ssl_fips_mode", ""),
    ("sync_master_info", "sync_source_info"),
    ("sync_relay_log_info", ""),
    ("terminology_use_previous", ""),
    ("transaction_prealloc_size", ""),
];

/// The variable that an older name stands for; itself for any other.
pub fn newer(var: Var) -> Var {
    let at = DEPRECATED.binary_search_by(|d| d.0.cmp(var.name()));
    at.ok().and_then(|at| DEPRECATED.get(at)).and_then(|d| Var::by_name(d.1)).unwrap_or(var)
}

/// The name that remarks about a value use: the newer one.
pub(super) fn newer_name(name: &'static str) -> &'static str {
    let at = DEPRECATED.binary_search_by(|d| d.0.cmp(name)).ok();
    at.and_then(|at| DEPRECATED.get(at)).map(|d| d.1).filter(|n| !n.is_empty()).unwrap_or(name)
}

/// The older name of a variable, if it has one: the two hold the same.
pub(super) fn older(var: Var) -> Option<Var> {
    DEPRECATED.iter().find(|d| d.1 == var.name()).and_then(|d| Var::by_name(d.0))
}

/// The warning for a deprecated variable.
pub fn deprecation(name: &str) -> Option<SqlError> {
    let at = DEPRECATED.binary_search_by(|d| d.0.cmp(name)).ok()?;
    let (name, instead) = DEPRECATED.get(at)?;
    let instead = if instead.is_empty() { String::new() } else { format!(" Please use {instead} instead.") };
    let text = format!("'@@{name}' is deprecated and will be removed in a future release.{instead}");
    Some(SqlError::with_message(ErrorCode::WARN_DEPRECATED_SYNTAX, text))
}

/// The warning for setting `name`; `off`: to a false value.
pub fn set_deprecation(name: &str, off: bool) -> Option<SqlError> {
    match name {
        "restrict_fk_on_non_standard_key" if off => Some(SqlError::new(ErrorCode::WARN_DEPRECATED_WITH_NOTE, &[&name])),
        "restrict_fk_on_non_standard_key" => {
            Some(SqlError::new(ErrorCode::WARN_DEPRECATED_SYNTAX_NO_REPLACEMENT, &[&name]))
        }
        "default_collation_for_utf8mb4" => {
            let text = format!("Updating '{name}' is deprecated. It will be made read-only in a future release.");
            Some(SqlError::with_message(ErrorCode::WARN_DEPRECATED_SYNTAX_NO_REPLACEMENT, text))
        }
        _ => deprecation(name),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_list_is_sorted() {
        assert!(super::DEPRECATED.is_sorted());
        assert!(super::deprecation("slave_net_timeout").is_some() && super::deprecation("net_read_timeout").is_none());
    }
}
