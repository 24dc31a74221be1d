//! Words that are keywords of MySQL and no names of functions, beyond those that this grammar asks for.
//!
//! A keyword that is not reserved may name a table or a column, but `contains(1)` is a syntax error unless the grammar has
//! a function of that name (manual: "Keywords and Reserved Words"; the list is information_schema.KEYWORDS without the
//! words of [`crate::lexer::Kw`], for which `Kw::names_no_function` answers). Constant; tested in `tests/statements.rs`.

/// In order.
const WORDS: &[&str] = &[
    "active",
    "assign_gtids_to_anonymous_transactions",
    "auto",
    "bernoulli",
    "bulk",
    "catalog_name",
    "challenge_response",
    "class_origin",
    "column_name",
    "compact",
    "compressed",
    "constraint_catalog",
    "constraint_name",
    "constraint_schema",
    "contains",
    "cursor_name",
    "default_auth",
    "definition",
    "extent_size",
    "file_block_size",
    "filter",
    "generate",
    "get_source_public_key",
    "gtid_only",
    "ignore_server_ids",
    "inactive",
    "initial_size",
    "io_thread",
    "keyring",
    "locks",
    "max_size",
    "message_text",
    "mysql_errno",
    "ndb",
    "ndbcluster",
    "network_namespace",
    "no_wait",
    "nodegroup",
    "number",
    "options",
    "organization",
    "plugin_dir",
    "privilege_checks_user",
    "redo_buffer_size",
    "relay",
    "relay_log_file",
    "relay_log_pos",
    "relay_thread",
    "replicate_do_db",
    "replicate_do_table",
    "replicate_ignore_db",
    "replicate_ignore_table",
    "replicate_rewrite_db",
    "replicate_wild_do_table",
    "replicate_wild_ignore_table",
    "require_row_format",
    "require_table_primary_key_check",
    "schema_name",
    "socket",
    "source_auto_position",
    "source_bind",
    "source_compression_algorithms",
    "source_connect_retry",
    "source_connection_auto_failover",
    "source_delay",
    "source_heartbeat_period",
    "source_host",
    "source_log_file",
    "source_log_pos",
    "source_password",
    "source_port",
    "source_public_key_path",
    "source_retry_count",
    "source_ssl",
    "source_ssl_ca",
    "source_ssl_capath",
    "source_ssl_cert",
    "source_ssl_cipher",
    "source_ssl_crl",
    "source_ssl_crlpath",
    "source_ssl_key",
    "source_ssl_verify_server_cert",
    "source_tls_ciphersuites",
    "source_tls_version",
    "source_user",
    "source_zstd_compression_level",
    "sql_after_gtids",
    "sql_after_mts_gaps",
    "sql_before_gtids",
    "sql_thread",
    "starts",
    "stream",
    "subclass_origin",
    "table_name",
    "thread_priority",
    "tls",
    "types",
    "undo_buffer_size",
    "until",
    "url",
    "vcpu",
    "vector",
];

/// Whether this word (lower case) cannot name a function although it is not reserved.
pub(crate) fn names_no_function(word: &str) -> bool {
    WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn in_order_and_no_keyword_of_the_lexer() {
        assert!(super::WORDS.is_sorted());
        for w in super::WORDS {
            assert_eq!(crate::lexer::Kw::lookup(w.as_bytes()), crate::lexer::Kw::NOT_A_KEYWORD, "{w}");
        }
    }
}
