//! Session variables that not everybody may set: who may (MySQL's manual, "System Variable Privileges": a "restricted operation"), and global
//! ones that need more than SYSTEM_VARIABLES_ADMIN.
//!
//! Pure tables. SUPER stands for the named privileges where it is among them. Tested: `tests/clients/test_dynamic_privileges.py`.

use super::Var;

/// Whoever has one of these privileges may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needed {
    /// Dynamic privileges.
    pub any: &'static [&'static str],
    /// SUPER too.
    pub or_super: bool,
    /// As error 1227 lists them.
    pub shown: &'static str,
}

const ADMIN: Needed = Needed {
    any: &["SYSTEM_VARIABLES_ADMIN", "SESSION_VARIABLES_ADMIN"],
    or_super: true,
    shown: "SUPER, SYSTEM_VARIABLES_ADMIN or SESSION_VARIABLES_ADMIN",
};
const NOT_SUPER: Needed =
    Needed { or_super: false, shown: "SYSTEM_VARIABLES_ADMIN or SESSION_VARIABLES_ADMIN", ..ADMIN };
const APPLIER: Needed = Needed {
    any: &["SYSTEM_VARIABLES_ADMIN", "SESSION_VARIABLES_ADMIN", "REPLICATION_APPLIER"],
    or_super: true,
    shown: "SUPER, SYSTEM_VARIABLES_ADMIN, SESSION_VARIABLES_ADMIN or REPLICATION_APPLIER",
};

/// What setting the session's value needs; `None`: nothing.
pub fn session(v: Var) -> Option<Needed> {
    Some(match v {
        Var::binlog_direct_non_transactional_updates
        | Var::binlog_format
        | Var::binlog_row_image
        | Var::binlog_row_value_options
        | Var::binlog_rows_query_log_events
        | Var::binlog_transaction_compression
        | Var::binlog_transaction_compression_level_zstd
        | Var::bulk_insert_buffer_size
        | Var::character_set_database
        | Var::character_set_filesystem
        | Var::connection_memory_chunk_size
        | Var::connection_memory_limit
        | Var::global_connection_memory_tracking
        | Var::histogram_generation_max_mem_size
        | Var::pseudo_thread_id
        | Var::require_row_format
        | Var::sql_generate_invisible_primary_key
        | Var::sql_log_bin
        | Var::sql_log_off
        | Var::sql_require_primary_key
        | Var::xa_detach_on_prepare => ADMIN,
        Var::innodb_strict_mode
        | Var::internal_tmp_mem_storage_engine
        | Var::low_priority_updates
        | Var::max_delayed_threads
        | Var::max_error_count
        | Var::max_insert_delayed_threads
        | Var::min_examined_row_limit
        | Var::preload_buffer_size
        | Var::select_into_buffer_size
        | Var::select_into_disk_sync_delay => NOT_SUPER,
        Var::gtid_next
        | Var::immediate_server_version
        | Var::original_commit_timestamp
        | Var::original_server_version
        | Var::pseudo_replica_mode
        | Var::pseudo_slave_mode => APPLIER,
        _ => return None,
    })
}

/// What setting the global value needs besides the right to set global variables (SUPER will do instead); `None`: nothing.
pub fn global(v: Var) -> Option<&'static str> {
    Some(match v {
        Var::offline_mode => "CONNECTION_ADMIN",
        Var::binlog_encryption => "BINLOG_ENCRYPTION_ADMIN",
        Var::keyring_operations => "ENCRYPTION_KEY_ADMIN",
        Var::default_table_encryption | Var::table_encryption_privilege_check => "TABLE_ENCRYPTION_ADMIN",
        _ => return None,
    })
}
