//! The table of system variables (MySQL 8.4 manual, "Server System Variables" and "InnoDB System Variables").
//!
//! Sorted by name, because [`Var::by_name`] searches it. Flags: `DO` dynamic and an option, `RO` an option only, `C` neither,
//! `D_` dynamic but no option, `FX` accepts only the value it has (`FR`: an option only), `CO`/`COD` state of the session (`COD`: SET can change it),
//! `SRO` the session's value is read only. `have_ssl` and `have_openssl` are gone from 8.4, as there.
// One line per variable is clearer than several files: this one is longer than the house's limit for that reason.

use super::def::{
    Def, Flags, Kind,
    Kind::{Bool as B, Enum, FlagSet, Set},
    Scope,
};

const DO: Flags = Flags(Flags::DO);
const RO: Flags = Flags(Flags::OPT);
const C: Flags = Flags(Flags::NONE);
const D_: Flags = Flags(Flags::DYN);
const FX: Flags = Flags(Flags::DO | Flags::FIXED);
const FR: Flags = Flags(Flags::OPT | Flags::FIXED);
const CO: Flags = Flags(Flags::COMPUTED);
const COD: Flags = Flags(Flags::COMPUTED | Flags::DYN);
const SRO: Flags = Flags(Flags::DO | Flags::SESSION_READ_ONLY);
const S: Kind = Kind::Str(false);
const SN: Kind = Kind::Str(true);
#[allow(non_snake_case)]
const fn U(min: u64, max: u64) -> Kind {
    Kind::UInt(min, max, 1)
}
#[allow(non_snake_case)]
const fn UB(min: u64, max: u64, block: u64) -> Kind {
    Kind::UInt(min, max, block)
}
#[allow(non_snake_case)]
const fn D(min: f64, max: f64) -> Kind {
    Kind::Double(min, max)
}

const ENGINES: &[&str] = &["InnoDB", "MyISAM", "MEMORY", "CSV", "ARCHIVE", "BLACKHOLE", "MRG_MYISAM"];
const ISOLATION: &[&str] = &["READ-UNCOMMITTED", "READ-COMMITTED", "REPEATABLE-READ", "SERIALIZABLE"];

/// Names of sql_mode by bit number; an empty name is an unused bit.
#[rustfmt::skip]
pub const SQL_MODES: &[&str] = &[
    "REAL_AS_FLOAT", "PIPES_AS_CONCAT", "ANSI_QUOTES", "IGNORE_SPACE", "", "ONLY_FULL_GROUP_BY", "NO_UNSIGNED_SUBTRACTION",
    "NO_DIR_IN_CREATE", "", "", "", "", "", "", "", "", "", "", "ANSI", "NO_AUTO_VALUE_ON_ZERO", "NO_BACKSLASH_ESCAPES",
    "STRICT_TRANS_TABLES", "STRICT_ALL_TABLES", "NO_ZERO_IN_DATE", "NO_ZERO_DATE", "ALLOW_INVALID_DATES", "ERROR_FOR_DIVISION_BY_ZERO",
    "TRADITIONAL", "", "HIGH_NOT_PRECEDENCE", "NO_ENGINE_SUBSTITUTION", "PAD_CHAR_TO_FULL_LENGTH", "TIME_TRUNCATE_FRACTIONAL",
];

/// Names of optimizer_switch in MySQL's order.
#[rustfmt::skip]
pub const OPTIMIZER_SWITCHES: &[&str] = &[
    "index_merge", "index_merge_union", "index_merge_sort_union", "index_merge_intersection", "engine_condition_pushdown",
    "index_condition_pushdown", "mrr", "mrr_cost_based", "block_nested_loop", "batched_key_access", "materialization", "semijoin",
    "loosescan", "firstmatch", "duplicateweedout", "subquery_materialization_cost_based", "use_index_extensions", "condition_fanout_filter",
    "derived_merge", "use_invisible_indexes", "skip_scan", "hash_join", "subquery_to_derived", "prefer_ordering_index",
    "hypergraph_optimizer", "derived_condition_pushdown", "hash_set_operations",
];

macro_rules! variables {
    ($($name:ident $scope:ident $flags:ident ($kind:expr) $default:literal $doc:literal;)*) => {
        /// A system variable. The variants carry the variables' names.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u16)]
        #[allow(non_camel_case_types, missing_docs)]
        pub enum Var { $($name,)* }

        /// Definitions in the order of [`Var`].
        pub(super) const TABLE: &[Def] = &[$(Def {
            name: stringify!($name), scope: Scope::$scope, kind: $kind, default: $default, flags: $flags, doc: $doc,
        },)*];

        const VARS: &[Var] = &[$(Var::$name,)*];
    };
}

static DEFS: &[Def] = TABLE;

impl Var {
    /// All variables in order of their names.
    pub fn all() -> impl Iterator<Item = Var> {
        VARS.iter().copied()
    }

    /// The variable with this name (underscores, any case).
    pub fn by_name(name: &str) -> Option<Var> {
        let cmp = |v: &Var| v.def().name.bytes().cmp(name.bytes().map(|b| b.to_ascii_lowercase()));
        VARS.binary_search_by(cmp).ok().and_then(|i| VARS.get(i)).copied()
    }

    /// Its definition.
    #[inline]
    #[allow(clippy::indexing_slicing)] // both lists come from one macro
    pub fn def(self) -> &'static Def {
        &DEFS[self as usize]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.def().name
    }
}

variables! {
    activate_all_roles_on_login Global DO (B) "OFF" "Activate all granted roles when a user logs in";
    admin_address Global RO (SN) "NULL" "Address of the administrative interface";
    admin_port Global RO (U(0, 65535)) "33062" "Port of the administrative interface";
    admin_ssl_ca Global RO (SN) "NULL" "Without effect: the administrative interface uses the server's TLS settings";
    admin_ssl_capath Global RO (SN) "NULL" "Without effect: as admin_ssl_ca";
    admin_ssl_cert Global RO (SN) "NULL" "Without effect: as admin_ssl_ca";
    admin_ssl_cipher Global RO (SN) "NULL" "Without effect: as admin_ssl_ca";
    admin_ssl_crl Global RO (SN) "NULL" "Without effect: as admin_ssl_ca";
    admin_ssl_crlpath Global RO (SN) "NULL" "Without effect: as admin_ssl_ca";
    admin_ssl_key Global RO (SN) "NULL" "Without effect: as admin_ssl_ca";
    admin_tls_ciphersuites Global RO (SN) "NULL" "Without effect: as admin_ssl_ca";
    admin_tls_version Global RO (S) "TLSv1.2,TLSv1.3" "Without effect: as admin_ssl_ca";
    authentication_policy Global FX (S) "*,," "Authentication plugins per factor";
    auto_generate_certs Global RO (B) "ON" "Create TLS keys and certificates in the data directory at first start";
    auto_increment_increment Both DO (U(1, 65535)) "1" "Step between AUTO_INCREMENT values";
    auto_increment_offset Both DO (U(1, 65535)) "1" "First AUTO_INCREMENT value";
    autocommit Both DO (B) "ON" "Commit each statement";
    automatic_sp_privileges Global DO (B) "ON" "Grant EXECUTE and ALTER ROUTINE to a routine's creator";
    back_log Global RO (U(1, 65535)) "151" "Length of the listen queue";
    basedir Global RO (S) "/usr/" "Without effect: what it names is built in. Directory of the installation";
    big_tables Both DO (B) "OFF" "Without effect: temporary tables spill by themselves";
    bind_address Global RO (S) "127.0.0.1" "Addresses to listen on, comma separated; * for all";
    binlog_cache_size Global DO (UB(4096, u64::MAX, 4096)) "32768" "Bytes of a transaction's events that are kept in memory; more go to a file";
    binlog_checksum Global DO (Enum(&["NONE", "CRC32"])) "CRC32" "Checksums in the binary log";
    binlog_direct_non_transactional_updates Both DO (B) "OFF" "Without effect: all tables are transactional";
    binlog_encryption Global FX (B) "OFF" "Encrypt the binary log";
    binlog_error_action Global FX (Enum(&["IGNORE_ERROR", "ABORT_SERVER"])) "ABORT_SERVER" "When the binary log cannot be written";
    binlog_expire_logs_auto_purge Global DO (B) "ON" "Remove old binary logs";
    binlog_expire_logs_seconds Global DO (U(0, 4294967295)) "2592000" "Seconds to keep binary logs";
    binlog_format Both DO (Enum(&["MIXED", "STATEMENT", "ROW"])) "ROW" "Format of the binary log";
    binlog_group_commit_sync_delay Global DO (U(0, 1000000)) "0" "Without effect: commits that come while the redo log is synced share the next sync; nothing waits for more of them";
    binlog_group_commit_sync_no_delay_count Global DO (U(0, 100000)) "0" "Without effect: commits that come while the redo log is synced share the next sync; nothing waits for more of them";
    binlog_gtid_simple_recovery Global RO (B) "ON" "Without effect: the last file and what the log keeps beside it say all at a start";
    binlog_max_flush_queue_time Global DO (U(0, 100000)) "0" "Without effect: it has none in MySQL either";
    binlog_order_commits Global DO (B) "ON" "Without effect: commits always have the order of the log";
    binlog_rotate_encryption_master_key_at_startup Global RO (B) "OFF" "Without effect: binlog_encryption is always OFF";
    binlog_row_event_max_size Global RO (UB(256, u64::MAX, 256)) "8192" "Most bytes of a rows event, if it is not of one row";
    binlog_row_image Both DO (Enum(&["MINIMAL", "NOBLOB", "FULL"])) "FULL" "Columns in row events";
    binlog_row_metadata Global DO (Enum(&["MINIMAL", "FULL"])) "MINIMAL" "Metadata in row events";
    binlog_row_value_options Both DO (Set(&["PARTIAL_JSON"])) "" "Partial JSON in row events";
    binlog_rows_query_log_events Both DO (B) "OFF" "Statements beside row events";
    binlog_stmt_cache_size Global DO (UB(4096, u64::MAX, 4096)) "32768" "Without effect: all tables are transactional";
    binlog_transaction_compression Both DO (B) "OFF" "Compress transactions in the binary log";
    binlog_transaction_compression_level_zstd Both DO (U(1, 22)) "3" "Level of that compression";
    binlog_transaction_dependency_history_size Global DO (U(1, 1000000)) "25000" "Keys of changed rows that are remembered, to tell which transactions a replica may apply side by side";
    block_encryption_mode Both DO (Enum(&["aes-128-ecb", "aes-192-ecb", "aes-256-ecb", "aes-128-cbc", "aes-192-cbc", "aes-256-cbc", "aes-128-cfb1", "aes-192-cfb1", "aes-256-cfb1", "aes-128-cfb8", "aes-192-cfb8", "aes-256-cfb8", "aes-128-cfb128", "aes-192-cfb128", "aes-256-cfb128", "aes-128-ofb", "aes-192-ofb", "aes-256-ofb"])) "aes-128-ecb" "Mode of AES_ENCRYPT()";
    bulk_insert_buffer_size Both DO (U(0, u64::MAX)) "8388608" "Without effect: for MyISAM";
    caching_sha2_password_auto_generate_rsa_keys Global RO (B) "ON" "Create an RSA key pair in the data directory at first start";
    caching_sha2_password_digest_rounds Global RO (U(5000, 4095000)) "5000" "Rounds of the password hash";
    caching_sha2_password_private_key_path Global RO (S) "private_key.pem" "RSA private key";
    caching_sha2_password_public_key_path Global RO (S) "public_key.pem" "RSA public key";
    character_set_client Both DO (Kind::Charset) "utf8mb4" "Character set of statements";
    character_set_connection Both DO (Kind::Charset) "utf8mb4" "Character set of literals";
    character_set_database Both DO (Kind::Charset) "utf8mb4" "Character set of the default database";
    character_set_filesystem Both DO (Kind::Charset) "binary" "Character set of file names";
    character_set_results Both DO (Kind::Charset) "utf8mb4" "Character set of results; NULL = as stored";
    character_set_server Both DO (Kind::Charset) "utf8mb4" "Default character set of the server";
    character_set_system Global C (Kind::Charset) "utf8mb3" "Character set of identifiers";
    character_sets_dir Global RO (S) "/usr/share/mysql/charsets/" "Without effect: what it names is built in. Directory of character sets (they are built in)";
    check_proxy_users Global DO (B) "OFF" "Without effect: there are no proxy users. Proxy users for the built-in plugins";
    clone_valid_donor_list Global DO (S) "" "Servers, HOST:PORT with commas between, from which CLONE INSTANCE may copy";
    collation_connection Both DO (Kind::Collation) "utf8mb4_0900_ai_ci" "Collation of literals";
    collation_database Both DO (Kind::Collation) "utf8mb4_0900_ai_ci" "Collation of the default database";
    collation_server Both DO (Kind::Collation) "utf8mb4_0900_ai_ci" "Default collation of the server";
    completion_type Both DO (Enum(&["NO_CHAIN", "CHAIN", "RELEASE"])) "NO_CHAIN" "What COMMIT and ROLLBACK do afterwards";
    concurrent_insert Global DO (Enum(&["NEVER", "AUTO", "ALWAYS"])) "AUTO" "Without effect: for MyISAM";
    connect_timeout Global DO (U(2, 31536000)) "10" "Seconds for the handshake";
    connection_memory_chunk_size Both DO (U(0, 536870912)) "8192" "Bytes after which a connection's memory is looked at again (at least 64 KiB)";
    connection_memory_limit Both DO (U(2097152, u64::MAX)) "18446744073709551615" "Bytes that a connection may hold; not for accounts with CONNECTION_ADMIN";
    core_file Global RO (B) "OFF" "Write a core file when the server crashes";
    create_admin_listener_thread Global RO (B) "OFF" "Without effect: the administrative interface always has its thread";
    cte_max_recursion_depth Both DO (U(0, 4294967295)) "1000" "Iterations of a recursive common table expression";
    datadir Global RO (S) "./data/" "Data directory";
    default_collation_for_utf8mb4 Both FX (Kind::Collation) "utf8mb4_0900_ai_ci" "For replication only";
    default_password_lifetime Global DO (U(0, 65535)) "0" "Days until passwords expire; 0 = never";
    default_storage_engine Both DO (Enum(ENGINES)) "InnoDB" "Engine of new tables";
    default_table_encryption Both FX (B) "OFF" "Encrypt new schemas";
    default_tmp_storage_engine Both DO (Enum(ENGINES)) "InnoDB" "Engine of temporary tables";
    default_week_format Both DO (U(0, 7)) "0" "Mode of WEEK()";
    delay_key_write Global DO (Enum(&["OFF", "ON", "ALL"])) "ON" "Without effect: for MyISAM";
    delayed_insert_limit Global DO (U(1, u64::MAX)) "100" "Without effect: INSERT DELAYED is gone";
    delayed_insert_timeout Global DO (U(1, 31536000)) "300" "Without effect: DELAYED is INSERT";
    delayed_queue_size Global DO (U(1, u64::MAX)) "1000" "Without effect: INSERT DELAYED is gone";
    disabled_storage_engines Global RO (S) "" "Engines that may not be used";
    disconnect_on_expired_password Global RO (B) "ON" "Refuse clients with expired passwords that cannot handle them";
    div_precision_increment Both DO (U(0, 30)) "4" "Digits a division adds to the scale";
    end_markers_in_json Both FX (B) "OFF" "Markers in JSON output of EXPLAIN and the optimizer trace";
    enforce_gtid_consistency Global DO (Enum(&["OFF", "ON", "WARN"])) "OFF" "Only statements that GTIDs can log: all are, here";
    eq_range_index_dive_limit Both DO (U(0, 4294967295)) "200" "Equality ranges estimated by index dives";
    error_count Session CO (U(0, u64::MAX)) "0" "Errors of the last statement";
    event_scheduler Global DO (Enum(&["OFF", "ON", "DISABLED"])) "ON" "Event scheduler";
    explain_format Both DO (Enum(&["DEFAULT", "TRADITIONAL", "TREE", "JSON"])) "TRADITIONAL" "Format of EXPLAIN";
    explain_json_format_version Both FX (U(1, 2)) "1" "Version of EXPLAIN FORMAT=JSON";
    explicit_defaults_for_timestamp Both FX (B) "ON" "TIMESTAMP columns have no implicit defaults";
    external_user Session CO (SN) "NULL" "User name of an authentication plugin";
    flush Global DO (B) "OFF" "Without effect: for MyISAM";
    flush_time Global DO (U(0, 31536000)) "0" "Without effect: for MyISAM";
    foreign_key_checks Both DO (B) "ON" "Check foreign keys";
    ft_boolean_syntax Global DO (S) "+ -><()~*:\"\"&|" "Operators of boolean full-text search";
    ft_max_word_len Global RO (U(10, 84)) "84" "Without effect: for MyISAM. Longest word of MyISAM's full-text index";
    ft_min_word_len Global RO (U(1, 82)) "4" "Without effect: for MyISAM. Shortest word of MyISAM's full-text index";
    ft_query_expansion_limit Global RO (U(0, 1000)) "20" "Without effect: for MyISAM, InnoDB's expansion takes all matches";
    ft_stopword_file Global RO (S) "(built-in)" "Without effect: for MyISAM. Stopwords of MyISAM's full-text index";
    general_log Global DO (B) "OFF" "Log every statement";
    general_log_file Global DO (S) "" "File of the general log";
    generated_random_password_length Both DO (U(5, 255)) "20" "Characters of generated passwords";
    global_connection_memory_limit Global DO (U(16777216, u64::MAX)) "18446744073709551615" "Bytes that all connections may hold, while global_connection_memory_tracking is on";
    global_connection_memory_tracking Both DO (B) "OFF" "Bytes of all connections are summed up: Global_connection_memory";
    group_concat_max_len Both DO (U(4, u64::MAX)) "1024" "Bytes of GROUP_CONCAT()'s result";
    gtid_executed Global C (S) "" "GTIDs of all transactions that were committed";
    gtid_executed_compression_period Global FX (U(0, 4294967295)) "0" "Transactions between compressions of the GTID table";
    gtid_mode Global DO (Enum(&["OFF", "OFF_PERMISSIVE", "ON_PERMISSIVE", "ON"])) "OFF" "Whether transactions get GTIDs; changes by one step at a time";
    gtid_next Session D_ (S) "AUTOMATIC" "GTID of the next transaction";
    gtid_owned Both C (S) "" "GTIDs that sessions hold";
    gtid_purged Global D_ (S) "" "GTIDs that no file of the binary log holds any more";
    have_compress Global C (S) "YES" "zlib is there";
    have_dynamic_loading Global C (S) "NO" "Plugins can be loaded";
    have_geometry Global C (S) "NO" "Spatial types are there";
    have_profiling Global C (S) "YES" "SHOW PROFILE is there";
    have_query_cache Global C (S) "NO" "Query cache";
    have_rtree_keys Global C (S) "NO" "SPATIAL indexes are there";
    have_statement_timeout Global C (S) "YES" "max_execution_time works";
    have_symlink Global C (S) "DISABLED" "Symbolic links for tables";
    histogram_generation_max_mem_size Both DO (U(1000000, u64::MAX)) "20000000" "Memory for building a histogram";
    host_cache_size Global DO (U(0, 65536)) "279" "Without effect: host names are not looked up. Entries of the host cache (hosts are not resolved)";
    hostname Global C (S) "localhost" "Name of this machine";
    identity Session COD (U(0, u64::MAX)) "0" "Same as last_insert_id";
    immediate_server_version Session D_ (U(0, 999999)) "999999" "For mysqlbinlog: version of the server whose log is applied";
    information_schema_stats_expiry Both DO (U(0, 31536000)) "86400" "Without effect: statistics in information_schema are those of the moment";
    init_connect Global DO (S) "" "Statements run for each new connection";
    init_file Global RO (SN) "NULL" "Statements run at start";
    init_replica Global DO (S) "" "Statements that a channel's SQL thread begins with";
    init_slave Global DO (S) "" "Older name of init_replica";
    innodb_adaptive_flushing Global DO (B) "ON" "Without effect: one cleaner writes by the log's and the pool's need. Flush by the rate of redo";
    innodb_adaptive_flushing_lwm Global DO (U(0, 70)) "10" "Without effect: one cleaner writes by the log's and the pool's need. Percent of redo at which adaptive flushing begins";
    innodb_adaptive_hash_index Global DO (B) "OFF" "Without effect: there is no adaptive hash index";
    innodb_adaptive_hash_index_parts Global RO (U(1, 512)) "8" "Without effect: there is no adaptive hash index";
    innodb_adaptive_max_sleep_delay Global DO (U(0, 1000000)) "150000" "Without effect: sessions do not sleep before they enter";
    innodb_autoextend_increment Global DO (U(1, 1000)) "64" "Without effect: each table has a file in the data directory, which grows as it fills. MiB by which tablespaces grow";
    innodb_autoinc_lock_mode Global RO (U(0, 2)) "2" "AUTO-INC lock held by statements: 0 all, 1 those of unknown length, 2 none";
    innodb_buffer_pool_chunk_size Global RO (U(1048576, u64::MAX)) "134217728" "Without effect: the pool is resized by MiB. Unit of buffer pool resizing";
    innodb_buffer_pool_dump_at_shutdown Global DO (B) "ON" "Save the list of hot pages at shutdown";
    innodb_buffer_pool_dump_now Global DO (B) "OFF" "Save the list of pages now";
    innodb_buffer_pool_dump_pct Global DO (U(1, 100)) "25" "Percent of pages in that list";
    innodb_buffer_pool_filename Global DO (S) "ib_buffer_pool" "File of the list of hot pages";
    innodb_buffer_pool_in_core_file Global DO (B) "OFF" "Without effect: core files are the system's matter";
    innodb_buffer_pool_instances Global RO (U(1, 64)) "1" "Without effect: there is one pool";
    innodb_buffer_pool_load_abort Global DO (B) "OFF" "Stop loading pages";
    innodb_buffer_pool_load_at_startup Global RO (B) "ON" "Load the hot pages at start";
    innodb_buffer_pool_load_now Global DO (B) "OFF" "Load the saved list of pages now";
    innodb_buffer_pool_size Global DO (UB(5242880, 1 << 46, 1048576)) "134217728" "Bytes of the buffer pool";
    innodb_change_buffer_max_size Global DO (U(0, 50)) "25" "Without effect: there is no change buffer";
    innodb_change_buffering Global DO (Enum(&["none", "inserts", "deletes", "changes", "purges", "all"])) "none" "Without effect: there is no change buffer";
    innodb_checksum_algorithm Global FX (Enum(&["crc32", "strict_crc32", "innodb", "strict_innodb", "none", "strict_none"])) "crc32" "Page checksums";
    innodb_cmp_per_index_enabled Global DO (B) "OFF" "Without effect: no compressed pages. Statistics of compression";
    innodb_commit_concurrency Global DO (U(0, 1000)) "0" "Without effect: commits share their syncs";
    innodb_compression_failure_threshold_pct Global DO (U(0, 100)) "5" "Without effect: no compressed tables";
    innodb_compression_level Global DO (U(0, 9)) "6" "Without effect: no compressed pages. Level of zlib";
    innodb_compression_pad_pct_max Global DO (U(0, 75)) "50" "Without effect: no compressed tables";
    innodb_concurrency_tickets Global DO (U(1, 4294967295)) "5000" "Without effect: admission is done by run tokens";
    innodb_data_file_path Global RO (S) "ibdata1:12M:autoextend" "Without effect: each table has a file in the data directory, which grows as it fills. Files of the system tablespace";
    innodb_data_home_dir Global RO (S) "" "Without effect: each table has a file in the data directory, which grows as it fills. Directory of the system tablespace";
    innodb_ddl_buffer_size Both DO (U(65536, 4294967295)) "1048576" "Memory for building indexes, at least 64 MiB";
    innodb_ddl_threads Both DO (U(1, 64)) "4" "Without effect: one thread does it. Threads for building indexes";
    innodb_deadlock_detect Global DO (B) "ON" "Look for deadlocks";
    innodb_dedicated_server Global RO (B) "OFF" "Size memory after the machine";
    innodb_default_row_format Global DO (Enum(&["redundant", "compact", "dynamic"])) "dynamic" "Without effect: rows have one format, shown as DYNAMIC unless ROW_FORMAT says otherwise";
    innodb_directories Global RO (S) "" "Without effect: each table has a file in the data directory, which grows as it fills. More directories with tablespaces";
    innodb_disable_sort_file_cache Global DO (B) "OFF" "Without effect: indexes are built with innodb_ddl_buffer_size. Temporary files of sorts bypass the cache";
    innodb_doublewrite Global RO (Enum(&["OFF", "ON", "DETECT_ONLY", "DETECT_AND_RECOVER"])) "ON" "Protect pages against torn writes";
    innodb_doublewrite_batch_size Global RO (U(0, 256)) "0" "Without effect: there is one file, a batch long. Pages per doublewrite batch";
    innodb_doublewrite_dir Global RO (S) "" "Without effect: there is one file, a batch long. Directory of the doublewrite files";
    innodb_doublewrite_files Global RO (U(1, 256)) "2" "Without effect: there is one file, a batch long. Doublewrite files";
    innodb_doublewrite_pages Global RO (U(1, 512)) "128" "Without effect: there is one file, a batch long. Pages per doublewrite write";
    innodb_extend_and_initialize Global DO (B) "ON" "Without effect: new pages are written in full";
    innodb_fast_shutdown Global DO (U(0, 2)) "1" "0 = purge everything first, 2 = like a crash";
    innodb_file_per_table Global FX (B) "ON" "One tablespace per table";
    innodb_fill_factor Global DO (U(10, 100)) "100" "Percent to which index builds fill pages";
    innodb_flush_log_at_timeout Global DO (U(1, 2700)) "1" "Seconds between log flushes when commits do not flush";
    innodb_flush_log_at_trx_commit Global DO (U(0, 2)) "1" "1 = durable commits, 2 = written, 0 = once a second";
    innodb_flush_method Global RO (Enum(&["fsync", "O_DSYNC", "littlesync", "nosync", "O_DIRECT", "O_DIRECT_NO_FSYNC"])) "O_DIRECT" "How files are written";
    innodb_flush_neighbors Global DO (U(0, 2)) "0" "Without effect: one cleaner writes by the log's and the pool's need. Flush neighbouring pages too";
    innodb_flush_sync Global DO (B) "ON" "Without effect: one cleaner writes by the log's and the pool's need. Ignore io_capacity at checkpoints";
    innodb_flushing_avg_loops Global DO (U(1, 1000)) "30" "Without effect: one cleaner writes by the log's and the pool's need. Iterations over which flushing is averaged";
    innodb_force_load_corrupted Global RO (B) "OFF" "Without effect: no table is marked corrupted. Load tables marked corrupted";
    innodb_force_recovery Global RO (U(0, 6)) "0" "Start with a damaged data directory: from 1 on only to read it; 3: unfinished transactions are not rolled back; 5: undo is not looked at";
    innodb_fsync_threshold Global DO (UB(0, u64::MAX, 16384)) "0" "Without effect: indexes are built with innodb_ddl_buffer_size. Bytes after which a new file is synced";
    innodb_ft_aux_table Global FX (SN) "NULL" "Table the INNODB_FT_* tables are about";
    innodb_ft_cache_size Global RO (U(1600000, 80000000)) "8000000" "Without effect: full-text search keeps no tables of words. Cache of a full-text index";
    innodb_ft_enable_diag_print Global DO (B) "OFF" "Without effect: full-text search prints nothing";
    innodb_ft_enable_stopword Both DO (B) "ON" "Use stopwords";
    innodb_ft_max_token_size Global RO (U(10, 84)) "84" "Longest word of full-text indexes";
    innodb_ft_min_token_size Global RO (U(0, 16)) "3" "Shortest word of full-text indexes";
    innodb_ft_num_word_optimize Global DO (U(1000, 10000)) "2000" "Without effect: full-text search keeps no tables of words. Words per OPTIMIZE of a full-text index";
    innodb_ft_result_cache_limit Global DO (U(1000000, 4294967295)) "2000000000" "Without effect: full-text search keeps no tables of words. Bytes of a full-text query's result";
    innodb_ft_server_stopword_table Global DO (SN) "NULL" "Table with stopwords";
    innodb_ft_sort_pll_degree Global RO (U(1, 32)) "2" "Without effect: full-text search keeps no tables of words. Threads for building full-text indexes";
    innodb_ft_total_cache_size Global RO (U(32000000, 1600000000)) "640000000" "Bytes of memory for the words of all full-text indexes, at most half the buffer pool's: beyond them a search reads its table";
    innodb_ft_user_stopword_table Both DO (SN) "NULL" "Table with stopwords for new indexes";
    innodb_idle_flush_pct Global DO (U(0, 100)) "100" "Without effect: one cleaner writes by the log's and the pool's need. Percent of io_capacity while idle";
    innodb_io_capacity Global DO (U(100, u64::MAX)) "10000" "Background writes per second";
    innodb_io_capacity_max Global DO (U(100, u64::MAX)) "20000" "Background writes per second under pressure";
    innodb_lock_wait_timeout Both DO (U(1, 1073741824)) "50" "Seconds to wait for a row lock";
    innodb_log_buffer_size Global DO (UB(262144, 4294967295, 1024)) "67108864" "Bytes of the log buffer";
    innodb_log_checksums Global FX (B) "ON" "Checksums of the log";
    innodb_log_compressed_pages Global DO (B) "ON" "Without effect: no compressed pages. Log recompressed pages";
    innodb_log_file_size Global RO (U(4194304, u64::MAX)) "50331648" "Replaced by innodb_redo_log_capacity";
    innodb_log_files_in_group Global RO (U(2, 100)) "2" "Replaced by innodb_redo_log_capacity";
    innodb_log_group_home_dir Global RO (S) "./" "Without effect: it lies in the data directory. Directory of the log";
    innodb_log_spin_cpu_abs_lwm Global DO (U(0, 4294967295)) "80" "Without effect: the log does not spin";
    innodb_log_spin_cpu_pct_hwm Global DO (U(0, 100)) "50" "Without effect: the log does not spin";
    innodb_log_wait_for_flush_spin_hwm Global DO (U(0, u64::MAX)) "400" "Without effect: the log does not spin";
    innodb_log_write_ahead_size Global DO (UB(512, 16384, 512)) "8192" "Without effect: the log is written in its own blocks, and fdatasync is enough. Unit of log writes";
    innodb_log_writer_threads Global DO (B) "OFF" "Without effect: flushing is a role, not a thread";
    innodb_lru_scan_depth Global DO (U(100, u64::MAX)) "1024" "Without effect: one cleaner writes by the log's and the pool's need. Pages kept free ahead of demand";
    innodb_max_dirty_pages_pct Global DO (D(0.0, 99.999)) "90" "Percent of dirty pages allowed";
    innodb_max_dirty_pages_pct_lwm Global DO (D(0.0, 99.999)) "10" "Percent of dirty pages at which flushing begins";
    innodb_max_purge_lag Global DO (U(0, 4294967295)) "0" "Purge lag at which writers are delayed";
    innodb_max_purge_lag_delay Global DO (U(0, 10000000)) "0" "Longest such delay in microseconds";
    innodb_max_undo_log_size Global DO (U(10485760, u64::MAX)) "1073741824" "Size from which the undo tablespace is truncated";
    innodb_monitor_disable Global DO (SN) "NULL" "Counters to disable";
    innodb_monitor_enable Global DO (SN) "NULL" "Counters to enable";
    innodb_monitor_reset Global DO (SN) "NULL" "Counters to reset";
    innodb_monitor_reset_all Global DO (SN) "NULL" "Counters to reset with their maxima";
    innodb_numa_interleave Global RO (B) "ON" "Without effect: memory is placed by the system";
    innodb_old_blocks_pct Global DO (U(5, 95)) "37" "Percent of the pool for pages read once";
    innodb_old_blocks_time Global DO (U(0, 4294967295)) "1000" "Milliseconds before a page read once can become hot";
    innodb_online_alter_log_max_size Global DO (U(65536, u64::MAX)) "134217728" "Log of online ALTER TABLE";
    innodb_open_files Global RO (U(10, 2147483647)) "4000" "Tablespace files that are open at the same time; not set: as table_open_cache";
    innodb_optimize_fulltext_only Global DO (B) "OFF" "Without effect: full-text search keeps no tables of words. OPTIMIZE TABLE works on full-text indexes only";
    innodb_page_cleaners Global RO (U(1, 64)) "1" "Without effect: one cleaner writes by the log's and the pool's need. Threads that flush pages";
    innodb_page_size Global FR (U(4096, 65536)) "16384" "Bytes of a page";
    innodb_parallel_read_threads Both DO (U(1, 256)) "1" "Without effect: one thread does it. Threads of a full scan";
    innodb_print_all_deadlocks Global DO (B) "OFF" "Log every deadlock";
    innodb_print_ddl_logs Global DO (B) "OFF" "Log the DDL log";
    innodb_purge_batch_size Global DO (U(1, 5000)) "127" "Without effect: a batch is at most 256 transactions";
    innodb_purge_rseg_truncate_frequency Global DO (U(1, 128)) "128" "Purge batches between truncations of the undo tablespace";
    innodb_purge_threads Global RO (U(1, 32)) "1" "Threads that purge";
    innodb_random_read_ahead Global DO (B) "OFF" "Without effect: scans read ahead by what they will need. Read ahead when many pages of an extent are hot";
    innodb_read_ahead_threshold Global DO (U(0, 64)) "56" "Without effect: scans read ahead by what they will need. Sequentially read pages that start read-ahead";
    innodb_read_io_threads Global RO (U(1, 64)) "4" "Without effect: pages are read and written by who needs it. Threads for reading ahead";
    innodb_read_only Global RO (B) "OFF" "Open the data directory read only";
    innodb_redo_log_archive_dirs Global DO (SN) "NULL" "Directories for archived redo";
    innodb_redo_log_capacity Global DO (UB(8388608, 549755813888, 1048576)) "104857600" "Bytes of redo log on disk";
    innodb_redo_log_encrypt Global FX (B) "OFF" "Encrypt the redo log";
    innodb_replication_delay Global DO (U(0, 4294967295)) "0" "Without effect: appliers are not held back for innodb_thread_concurrency";
    innodb_rollback_on_timeout Global RO (B) "OFF" "Roll back the transaction, not the statement, on a lock wait timeout";
    innodb_rollback_segments Global DO (U(1, 128)) "128" "Without effect: undo is kept in slots of one tablespace, whose pages are used again. Rollback segments";
    innodb_segment_reserve_factor Global DO (D(0.03, 40.0)) "12.5" "Without effect: undo is kept in slots of one tablespace, whose pages are used again. Percent of a segment kept free";
    innodb_sort_buffer_size Global RO (U(65536, 67108864)) "1048576" "Without effect: indexes are built with innodb_ddl_buffer_size. Memory for sorting index entries";
    innodb_spin_wait_delay Global DO (U(0, 1000)) "6" "Caps the spins of latches: loops times delay times multiplier PAUSEs; 0 forbids spinning";
    innodb_spin_wait_pause_multiplier Global DO (U(0, 100)) "50" "Caps the spins of latches: loops times delay times multiplier PAUSEs; 0 forbids spinning";
    innodb_stats_auto_recalc Global DO (B) "ON" "Recalculate statistics after changes";
    innodb_stats_include_delete_marked Global DO (B) "OFF" "Count delete-marked records";
    innodb_stats_method Global DO (Enum(&["nulls_equal", "nulls_unequal", "nulls_ignored"])) "nulls_equal" "How statistics treat NULLs";
    innodb_stats_on_metadata Global DO (B) "OFF" "Without effect: numbers of rows are always current";
    innodb_stats_persistent Global DO (B) "ON" "Keep statistics";
    innodb_stats_persistent_sample_pages Global DO (U(1, u64::MAX)) "20" "Pages sampled for kept statistics";
    innodb_stats_transient_sample_pages Global DO (U(1, u64::MAX)) "8" "Pages sampled for transient statistics";
    innodb_status_output Global DO (B) "OFF" "Print the monitor to the log";
    innodb_status_output_locks Global DO (B) "OFF" "Print locks too";
    innodb_strict_mode Both DO (B) "ON" "Bad table options are errors";
    innodb_sync_array_size Global RO (U(1, 1024)) "1" "Without effect: there is no wait array";
    innodb_sync_spin_loops Global DO (U(0, 4294967295)) "30" "Caps the spins of latches: loops times delay times multiplier PAUSEs; 0 forbids spinning";
    innodb_table_locks Both DO (B) "ON" "Without effect: LOCK TABLES takes metadata locks, which all statements respect";
    innodb_temp_data_file_path Global RO (S) "ibtmp1:12M:autoextend" "Without effect: each table has a file in the data directory, which grows as it fills. Files of the temporary tablespace";
    innodb_temp_tablespaces_dir Global RO (S) "./#innodb_temp/" "Without effect: each table has a file in the data directory, which grows as it fills. Directory of temporary tablespaces";
    innodb_thread_concurrency Global DO (U(0, 1000)) "0" "Most threads that serve statements at once; 0: as many as there are effective CPUs";
    innodb_thread_sleep_delay Global DO (U(0, 1000000)) "10000" "Without effect: admission is done by run tokens";
    innodb_tmpdir Both DO (SN) "NULL" "Directory for online ALTER TABLE";
    innodb_undo_directory Global RO (S) "./" "Without effect: it lies in the data directory. Directory of undo tablespaces";
    innodb_undo_log_encrypt Global FX (B) "OFF" "Encrypt undo";
    innodb_undo_log_truncate Global DO (B) "ON" "Truncate the undo tablespace when it is large";
    innodb_undo_tablespaces Global RO (U(2, 127)) "2" "Without effect: undo is kept in slots of one tablespace, whose pages are used again. Undo tablespaces";
    innodb_use_fdatasync Global DO (B) "ON" "Without effect: the log is written in its own blocks, and fdatasync is enough. fdatasync instead of fsync";
    innodb_use_native_aio Global RO (B) "ON" "Without effect: pages are read and written by who needs it. Asynchronous I/O";
    innodb_validate_tablespace_paths Global RO (B) "ON" "Without effect: each table has a file in the data directory, which grows as it fills. Check where tablespaces are at start";
    innodb_version Global C (S) "8.4.7" "Version of the engine";
    innodb_write_io_threads Global RO (U(1, 64)) "4" "Without effect: pages are read and written by who needs it. Threads for writing pages";
    insert_id Session COD (U(0, u64::MAX)) "0" "AUTO_INCREMENT value for the next INSERT";
    interactive_timeout Both DO (U(1, 31536000)) "28800" "Seconds an interactive client may be idle";
    internal_tmp_mem_storage_engine Both DO (Enum(&["MEMORY", "TempTable"])) "TempTable" "Without effect: internal temporary tables have one form, and files when they get long. Engine of internal temporary tables in memory";
    join_buffer_size Both DO (UB(128, u64::MAX, 128)) "262144" "Memory of a join without index";
    keep_files_on_create Both DO (B) "OFF" "Without effect: for MyISAM";
    key_buffer_size Global DO (UB(0, u64::MAX, 4096)) "8388608" "Without effect: for MyISAM";
    key_cache_age_threshold Global DO (UB(100, u64::MAX, 100)) "300" "Without effect: for MyISAM";
    key_cache_block_size Global DO (UB(512, 16384, 512)) "1024" "Without effect: for MyISAM";
    key_cache_division_limit Global DO (U(1, 100)) "100" "Without effect: for MyISAM";
    keyring_operations Global D_ (B) "ON" "Without effect: there is no keyring and no encryption. Keyring may be changed";
    large_files_support Global C (B) "ON" "Files may exceed 2 GiB";
    large_page_size Global C (U(0, u64::MAX)) "0" "Size of large pages";
    large_pages Global RO (B) "OFF" "Without effect: the pool asks for transparent large pages by itself";
    last_insert_id Session COD (U(0, u64::MAX)) "0" "Value of LAST_INSERT_ID()";
    lc_messages Both DO (S) "en_US" "Locale of messages";
    lc_messages_dir Global RO (S) "/usr/share/mysql/" "Without effect: what it names is built in. Directory of messages (they are built in)";
    lc_time_names Both DO (S) "en_US" "Locale of month and day names";
    license Global C (S) "MIT OR Apache-2.0" "Licence of the server";
    local_infile Global DO (B) "OFF" "Allow LOAD DATA LOCAL";
    lock_wait_timeout Both DO (U(1, 31536000)) "31536000" "Seconds to wait for a metadata lock";
    locked_in_memory Global C (B) "OFF" "Memory is locked";
    log_bin Global C (B) "OFF" "Binary log";
    log_bin_basename Global C (SN) "NULL" "Path of the binary log";
    log_bin_index Global C (SN) "NULL" "Path of the binary log's index";
    log_bin_trust_function_creators Global DO (B) "OFF" "Allow functions that are not deterministic while there is a binary log";
    log_error Global RO (S) "stderr" "Error log";
    log_error_services Global DO (S) "log_filter_internal; log_sink_internal" "Parts of the error log";
    log_error_suppression_list Global DO (S) "" "Messages kept out of the error log";
    log_error_verbosity Global DO (U(1, 3)) "2" "1 = errors, 2 = warnings too, 3 = notes too";
    log_output Global DO (Set(&["NONE", "FILE", "TABLE"])) "FILE" "Where logs go";
    log_queries_not_using_indexes Global DO (B) "OFF" "Log them as slow";
    log_raw Global DO (B) "OFF" "Do not rewrite passwords in the general log";
    log_replica_updates Global RO (B) "ON" "Replicas log updates; OFF is refused by START REPLICA";
    log_slave_updates Global RO (B) "ON" "Older name of log_replica_updates";
    log_slow_admin_statements Global DO (B) "OFF" "Log slow administrative statements";
    log_slow_extra Global DO (B) "OFF" "More fields in the slow log";
    log_slow_replica_statements Global DO (B) "OFF" "Without effect: the slow query log has nothing of what an applier runs";
    log_slow_slave_statements Global DO (B) "OFF" "Older name of log_slow_replica_statements";
    log_statements_unsafe_for_binlog Global DO (B) "ON" "Without effect: the client is told of them (1592), the error log is not";
    log_throttle_queries_not_using_indexes Global DO (U(0, 4294967295)) "0" "At most this many per minute";
    log_timestamps Global DO (Enum(&["UTC", "SYSTEM"])) "UTC" "Time zone of logs";
    long_query_time Both DO (D(0.0, 31536000.0)) "10" "Seconds after which a statement is slow";
    low_priority_updates Both DO (B) "OFF" "Without effect: for MyISAM";
    lower_case_file_system Global C (B) "OFF" "File names ignore case";
    lower_case_table_names Global RO (U(0, 2)) "0" "0: names of tables and schemas are case sensitive, 1: kept and compared in lower case; settled by the first start";
    mandatory_roles Global DO (S) "" "Roles everybody has";
    master_verify_checksum Global DO (B) "OFF" "Older name of source_verify_checksum";
    max_allowed_packet Both SRO (UB(1024, 1073741824, 1024)) "67108864" "Largest packet";
    max_binlog_cache_size Global DO (UB(4096, u64::MAX, 4096)) "18446744073709547520" "Most bytes of a transaction's events";
    max_binlog_size Global DO (UB(4096, 1073741824, 4096)) "1073741824" "Size of a binary log file";
    max_binlog_stmt_cache_size Global DO (UB(4096, u64::MAX, 4096)) "18446744073709547520" "Without effect: all tables are transactional";
    max_connect_errors Global DO (U(1, u64::MAX)) "100" "Without effect: hosts are not blocked";
    max_connections Global DO (U(1, 100000)) "151" "Clients at the same time";
    max_delayed_threads Both DO (U(0, 16384)) "20" "Without effect: INSERT DELAYED is gone";
    max_digest_length Global RO (U(0, 1048576)) "1024" "Bytes of a statement digest";
    max_error_count Both DO (U(0, 65535)) "1024" "Warnings kept for SHOW WARNINGS";
    max_execution_time Both DO (U(0, 4294967295)) "0" "Milliseconds for a SELECT; 0 = no limit";
    max_heap_table_size Both DO (UB(16384, u64::MAX, 1024)) "16777216" "Bytes of a MEMORY table";
    max_insert_delayed_threads Both DO (U(0, 16384)) "20" "Without effect: INSERT DELAYED is gone";
    max_join_size Both DO (U(1, u64::MAX)) "18446744073709551615" "Rows a join may examine";
    max_length_for_sort_data Both DO (U(4, 8388608)) "4096" "Without effect";
    max_points_in_geometry Both DO (U(3, 1048576)) "65536" "Without effect: there are no spatial types. Points of ST_Buffer()";
    max_prepared_stmt_count Global DO (U(0, 4194304)) "16382" "Prepared statements in the server";
    max_relay_log_size Global DO (UB(0, 1073741824, 4096)) "0" "Size of a relay log file; 0: max_binlog_size";
    max_seeks_for_key Both DO (U(1, u64::MAX)) "18446744073709551615" "Without effect: what a lookup costs is taken from samples";
    max_sort_length Both DO (U(4, 8388608)) "1024" "Without effect: sorting compares whole strings";
    max_sp_recursion_depth Both DO (U(0, 255)) "0" "Recursion of stored procedures";
    max_user_connections Both SRO (U(0, 4294967295)) "0" "Connections per account; 0 = no limit";
    max_write_lock_count Global DO (U(1, u64::MAX)) "18446744073709551615" "Write locks before waiting readers go first";
    min_examined_row_limit Both DO (U(0, u64::MAX)) "0" "Rows examined for the slow log";
    myisam_data_pointer_size Global DO (U(2, 7)) "6" "Without effect: for MyISAM";
    myisam_max_sort_file_size Global DO (UB(0, i64::MAX as u64, 1_048_576)) "9223372036853727232" "Without effect: for MyISAM";
    myisam_mmap_size Global RO (U(7, u64::MAX)) "18446744073709551615" "Without effect: for MyISAM";
    myisam_recover_options Global RO (Set(&["DEFAULT", "BACKUP", "FORCE", "QUICK", "OFF"])) "OFF" "Without effect: for MyISAM";
    myisam_sort_buffer_size Both DO (U(4096, u64::MAX)) "8388608" "Without effect: for MyISAM";
    myisam_stats_method Both DO (Enum(&["nulls_unequal", "nulls_equal", "nulls_ignored"])) "nulls_unequal" "Without effect: for MyISAM";
    myisam_use_mmap Global DO (B) "OFF" "Without effect: for MyISAM";
    mysql_native_password_proxy_users Global FX (B) "OFF" "Proxy users for mysql_native_password";
    net_buffer_length Both SRO (UB(1024, 1048576, 1024)) "16384" "Start size of connection buffers";
    net_read_timeout Both DO (U(1, 31536000)) "30" "Seconds for reading more of a packet";
    net_retry_count Both DO (U(1, u64::MAX)) "10" "Without effect";
    net_write_timeout Both DO (U(1, 31536000)) "60" "Seconds for writing";
    ngram_token_size Global RO (U(1, 10)) "2" "Characters of a full-text n-gram";
    offline_mode Global DO (B) "OFF" "Refuse clients without administrative privileges";
    old_alter_table Both DO (B) "OFF" "ALTER TABLE copies";
    open_files_limit Global RO (U(0, 4294967295)) "10000" "Files the server may open";
    optimizer_max_subgraph_pairs Both DO (U(1, 2147483647)) "100000" "Without effect: for the hypergraph optimizer";
    optimizer_prune_level Both DO (U(0, 1)) "1" "Without effect: what cannot be cheaper is never looked at, and nothing else is left out";
    optimizer_search_depth Both DO (U(0, 62)) "62" "Tables whose join orders are all looked at, at most 8; 0: as many";
    optimizer_switch Both DO (FlagSet(OPTIMIZER_SWITCHES)) "batched_key_access,use_invisible_indexes,subquery_to_derived,hypergraph_optimizer" "Optimizer features";
    optimizer_trace Both DO (FlagSet(&["enabled", "one_line"])) "enabled,one_line" "Optimizer trace";
    optimizer_trace_features Both DO (FlagSet(&["greedy_search", "range_optimizer", "dynamic_range", "repeated_subselect"])) "" "Parts of the optimizer trace; dynamic_range and repeated_subselect without effect, as plans are made once";
    optimizer_trace_limit Both DO (U(0, 2147483647)) "1" "Traces shown";
    optimizer_trace_max_mem_size Both DO (U(0, 4294967295)) "1048576" "Bytes of traces kept";
    optimizer_trace_offset Both DO (Kind::Int(-2147483647, 2147483647)) "-1" "First trace shown";
    original_commit_timestamp Session D_ (U(0, u64::MAX)) "36028797018963968" "For mysqlbinlog: when the next transaction was committed first";
    original_server_version Session D_ (U(0, 999999)) "999999" "For mysqlbinlog: version of the server that committed the next transaction first";
    parser_max_mem_size Both DO (U(10000000, u64::MAX)) "18446744073709551615" "Memory of the parser";
    partial_revokes Global DO (B) "OFF" "Revoke on schemas what was granted globally";
    password_history Global DO (U(0, 4294967295)) "0" "Old passwords that may not be used again";
    password_require_current Global DO (B) "OFF" "ALTER USER needs the current password";
    password_reuse_interval Global DO (U(0, 4294967295)) "0" "Days before a password may be used again";
    performance_schema Global RO (B) "ON" "Instrumentation";
    performance_schema_accounts_size Global RO (Kind::Int(-1, 1048576)) "-1" "Without effect: the tables need no memory of their own";
    performance_schema_digests_size Global RO (Kind::Int(-1, 1048576)) "10000" "Rows of the digest table";
    performance_schema_error_size Global RO (U(0, 1048576)) "5550" "Without effect: the tables need no memory of their own, or have no rows. Errors counted";
    performance_schema_events_stages_history_long_size Global RO (Kind::Int(-1, 1048576)) "10000" "Without effect: the tables need no memory of their own, or have no rows. Rows of that table";
    performance_schema_events_stages_history_size Global RO (Kind::Int(-1, 1024)) "10" "Without effect: the tables need no memory of their own, or have no rows. Rows per thread";
    performance_schema_events_statements_history_long_size Global RO (Kind::Int(-1, 1048576)) "10000" "Without effect: the tables need no memory of their own, or have no rows. Rows of that table";
    performance_schema_events_statements_history_size Global RO (Kind::Int(-1, 1024)) "10" "Without effect: the tables need no memory of their own, or have no rows. Rows per thread";
    performance_schema_events_transactions_history_long_size Global RO (Kind::Int(-1, 1048576)) "10000" "Without effect: the tables need no memory of their own";
    performance_schema_events_transactions_history_size Global RO (Kind::Int(-1, 1024)) "10" "Without effect: the tables need no memory of their own";
    performance_schema_events_waits_history_long_size Global RO (Kind::Int(-1, 1048576)) "10000" "Without effect: the tables need no memory of their own, or have no rows. Rows of that table";
    performance_schema_events_waits_history_size Global RO (Kind::Int(-1, 1024)) "10" "Without effect: the tables need no memory of their own, or have no rows. Rows per thread";
    performance_schema_hosts_size Global RO (Kind::Int(-1, 1048576)) "-1" "Without effect: the tables need no memory of their own";
    performance_schema_max_cond_classes Global RO (U(0, 1024)) "150" "Without effect: the tables need no memory of their own";
    performance_schema_max_cond_instances Global RO (Kind::Int(-1, 1048576)) "-1" "Without effect: the tables need no memory of their own";
    performance_schema_max_digest_length Global RO (U(0, 1048576)) "1024" "Bytes of a digest";
    performance_schema_max_digest_sample_age Global DO (U(0, 1048576)) "60" "Seconds a sample statement is kept";
    performance_schema_max_file_classes Global RO (U(0, 1024)) "80" "Without effect: the tables need no memory of their own";
    performance_schema_max_file_handles Global RO (U(0, 1048576)) "32768" "Without effect: the tables need no memory of their own";
    performance_schema_max_file_instances Global RO (Kind::Int(-1, 1048576)) "-1" "Files with an entry of their own (-1: 10000)";
    performance_schema_max_index_stat Global RO (Kind::Int(-1, 1048576)) "-1" "Without effect: the tables need no memory of their own";
    performance_schema_max_memory_classes Global RO (U(0, 1024)) "470" "Without effect: the tables need no memory of their own";
    performance_schema_max_metadata_locks Global RO (Kind::Int(-1, 1048576)) "-1" "Without effect: the tables need no memory of their own";
    performance_schema_max_meter_classes Global RO (U(0, 1024)) "30" "Without effect: the tables need no memory of their own";
    performance_schema_max_metric_classes Global RO (U(0, 1024)) "600" "Without effect: the tables need no memory of their own";
    performance_schema_max_mutex_classes Global RO (U(0, 1024)) "350" "Without effect: the tables need no memory of their own";
    performance_schema_max_mutex_instances Global RO (Kind::Int(-1, 1048576)) "-1" "Mutexes with an entry of their own (-1: 10000)";
    performance_schema_max_prepared_statements_instances Global RO (Kind::Int(-1, 1048576)) "-1" "Without effect: the tables need no memory of their own";
    performance_schema_max_program_instances Global RO (Kind::Int(-1, 1048576)) "-1" "Without effect: the tables need no memory of their own";
    performance_schema_max_rwlock_classes Global RO (U(0, 1024)) "100" "Without effect: the tables need no memory of their own";
    performance_schema_max_rwlock_instances Global RO (Kind::Int(-1, 1048576)) "-1" "Read-write latches with an entry of their own (-1: 10000)";
    performance_schema_max_socket_classes Global RO (U(0, 1024)) "10" "Without effect: the tables need no memory of their own";
    performance_schema_max_socket_instances Global RO (Kind::Int(-1, 1048576)) "-1" "Without effect: the tables need no memory of their own";
    performance_schema_max_sql_text_length Global RO (U(0, 1048576)) "1024" "Bytes of statement text";
    performance_schema_max_stage_classes Global RO (U(0, 1024)) "175" "Without effect: the tables need no memory of their own";
    performance_schema_max_statement_classes Global RO (U(0, 1024)) "220" "Without effect: the tables need no memory of their own";
    performance_schema_max_statement_stack Global RO (U(1, 256)) "10" "Without effect: the tables need no memory of their own";
    performance_schema_max_table_handles Global RO (Kind::Int(-1, 1048576)) "-1" "Without effect: the tables need no memory of their own";
    performance_schema_max_table_instances Global RO (Kind::Int(-1, 1048576)) "-1" "Without effect: the tables need no memory of their own";
    performance_schema_max_table_lock_stat Global RO (Kind::Int(-1, 1048576)) "-1" "Without effect: the tables need no memory of their own";
    performance_schema_max_thread_classes Global RO (U(0, 1024)) "100" "Without effect: the tables need no memory of their own";
    performance_schema_max_thread_instances Global RO (Kind::Int(-1, 1048576)) "-1" "Without effect: the tables need no memory of their own";
    performance_schema_session_connect_attrs_size Global RO (Kind::Int(-1, 1048576)) "512" "Bytes of connection attributes";
    performance_schema_setup_actors_size Global RO (Kind::Int(-1, 1048576)) "-1" "Without effect: the tables need no memory of their own";
    performance_schema_setup_objects_size Global RO (Kind::Int(-1, 1048576)) "-1" "Without effect: the tables need no memory of their own";
    performance_schema_show_processlist Global DO (B) "OFF" "Without effect: both forms of SHOW PROCESSLIST have the same rows";
    performance_schema_users_size Global RO (Kind::Int(-1, 1048576)) "-1" "Without effect: the tables need no memory of their own";
    persist_only_admin_x509_subject Global FR (S) "" "Who may SET PERSIST_ONLY restricted variables";
    persist_sensitive_variables_in_plaintext Global FR (B) "ON" "Sensitive variables may be persisted";
    persisted_globals_load Global RO (B) "ON" "Read mysqld-auto.cnf";
    pid_file Global RO (S) "" "File with the process id";
    plugin_dir Global RO (S) "/usr/lib/mysql/plugin/" "Without effect: what it names is built in. Directory of plugins (none are loaded)";
    port Global RO (U(0, 65535)) "3306" "TCP port";
    preload_buffer_size Both DO (U(1024, 1073741824)) "32768" "Without effect: for MyISAM";
    print_identified_with_as_hex Both DO (B) "OFF" "SHOW CREATE USER prints hashes in hex";
    profiling Both DO (B) "OFF" "Profiles of statements for SHOW PROFILE";
    profiling_history_size Both DO (U(0, 100)) "15" "Profiles that a session keeps";
    protocol_compression_algorithms Global DO (Set(&["zlib", "zstd", "uncompressed"])) "zlib,zstd,uncompressed" "Compression a client may ask for";
    protocol_version Global C (U(0, 255)) "10" "Version of the protocol";
    proxy_user Session CO (SN) "NULL" "Proxy user";
    pseudo_replica_mode Session D_ (B) "OFF" "For mysqlbinlog: the session applies a binary log";
    pseudo_slave_mode Session D_ (B) "OFF" "Older name of pseudo_replica_mode";
    pseudo_thread_id Session COD (U(0, u64::MAX)) "0" "For mysqlbinlog: whose statements come; CONNECTION_ID() is that, and temporary tables are its own";
    query_alloc_block_size Both DO (UB(1024, 4294967295, 1024)) "8192" "Without effect";
    query_prealloc_size Both DO (UB(8192, u64::MAX, 1024)) "8192" "Without effect";
    rand_seed1 Session COD (U(0, u64::MAX)) "0" "Seed of RAND()";
    rand_seed2 Session COD (U(0, u64::MAX)) "0" "Seed of RAND()";
    range_alloc_block_size Both DO (UB(4096, 4294967295, 1024)) "4096" "Without effect";
    range_optimizer_max_mem_size Both DO (U(0, u64::MAX)) "8388608" "Without effect: ranges are kept in as much memory as their values take";
    rbr_exec_mode Session D_ (Enum(&["STRICT", "IDEMPOTENT"])) "STRICT" "For mysqlbinlog: whether rows that are there, or gone, are an error";
    read_buffer_size Both DO (UB(8192, 2147479552, 4096)) "131072" "Without effect: for MyISAM";
    read_only Global DO (B) "OFF" "Only administrators may write";
    read_rnd_buffer_size Both DO (U(1, 2147483647)) "262144" "Without effect: rows are not read again in the order of a sort. Memory of multi-range read";
    regexp_stack_limit Global DO (U(0, 2147483647)) "8000000" "Bytes (as ICU counts) of states a match may keep to go back to; 0: no limit";
    regexp_time_limit Global DO (U(0, 2147483647)) "32" "How long a match may try, in steps of 10,000 states as ICU; 0: no limit";
    relay_log Global RO (S) "" "Name of the relay log's files";
    relay_log_basename Global C (SN) "NULL" "Path of the relay log's files";
    relay_log_index Global RO (SN) "NULL" "Path of the relay log's index";
    relay_log_purge Global DO (B) "ON" "Remove files of the relay log that are applied";
    relay_log_recovery Global RO (B) "OFF" "At a start the relay log is thrown away and received again";
    relay_log_space_limit Global RO (U(0, u64::MAX)) "0" "Bytes of relay log from which on the receiver waits for the applier; 0: no limit";
    replica_allow_batching Global DO (B) "ON" "Without effect: there is no NDB";
    replica_checkpoint_group Global DO (UB(32, 524280, 8)) "512" "Without effect: positions are in the engine with each applied transaction";
    replica_checkpoint_period Global DO (U(1, 4294967295)) "300" "Without effect: positions are in the engine with each applied transaction";
    replica_compressed_protocol Global DO (B) "OFF" "Ask the source for zlib, whatever SOURCE_COMPRESSION_ALGORITHMS says";
    replica_exec_mode Global DO (Enum(&["STRICT", "IDEMPOTENT"])) "STRICT" "What an applier does with conflicts of rows";
    replica_load_tmpdir Global RO (S) "/tmp" "Where an applier keeps the files of LOAD DATA that is logged as text";
    replica_max_allowed_packet Global DO (UB(1024, 1073741824, 1024)) "1073741824" "Longest packet from the source; 1 GiB: as long as the protocol lets it be";
    replica_net_timeout Global DO (U(1, 31536000)) "60" "Seconds a replica waits for its source";
    replica_parallel_type Global DO (Enum(&["DATABASE", "LOGICAL_CLOCK"])) "LOGICAL_CLOCK" "Without effect: appliers go by LOGICAL_CLOCK. What an applier may do at a time";
    replica_parallel_workers Global DO (U(0, 1024)) "4" "Threads that apply beside each other; 0: one that reads and applies";
    replica_pending_jobs_size_max Global DO (UB(1024, u64::MAX, 1024)) "134217728" "Bytes of transactions that wait for a worker";
    replica_preserve_commit_order Global DO (B) "ON" "Workers commit in the order of the source";
    replica_skip_errors Global RO (S) "OFF" "Errors that an applier passes over";
    replica_sql_verify_checksum Global DO (B) "ON" "Without effect: the relay log's checksums are always checked";
    replica_transaction_retries Global DO (U(0, u64::MAX)) "10" "Times a transaction is applied again";
    replica_type_conversions Global DO (Set(&["ALL_LOSSY", "ALL_NON_LOSSY", "ALL_SIGNED", "ALL_UNSIGNED"])) "" "Between which types an applier converts columns";
    replication_optimize_for_static_plugin_config Global DO (B) "OFF" "Without effect: semisynchronous replication is built in and no plugin";
    replication_sender_observe_commit_only Global DO (B) "OFF" "Without effect: semisynchronous replication is built in and no plugin";
    report_host Global RO (SN) "NULL" "Name of this replica in SHOW REPLICAS of its source";
    report_password Global RO (SN) "NULL" "Password that the replica tells its source, which does not show it";
    report_port Global RO (U(0, 65535)) "3306" "Port of this replica in SHOW REPLICAS of its source; by default its own";
    report_user Global RO (SN) "NULL" "Account that the replica tells its source, which does not show it";
    require_row_format Session D_ (B) "OFF" "For mysqlbinlog: changes are refused that are no row events";
    require_secure_transport Global DO (B) "OFF" "Refuse clients without TLS or socket";
    restrict_fk_on_non_standard_key Both DO (B) "ON" "Foreign keys refer to unique keys only";
    resultset_metadata Session D_ (Enum(&["NONE", "FULL"])) "FULL" "Send column definitions";
    rpl_read_size Global DO (UB(8192, 4294959104, 8192)) "8192" "Without effect: 256 KiB of a log are read at a time";
    rpl_semi_sync_replica_enabled Global DO (B) "OFF" "The receiver tells the source what is in its relay log, durably";
    rpl_semi_sync_replica_trace_level Global DO (U(0, 4294967295)) "32" "Without effect: there is nothing here that it would trace";
    rpl_semi_sync_source_enabled Global DO (B) "OFF" "Commits wait for a replica that acknowledges them";
    rpl_semi_sync_source_timeout Global DO (U(0, u64::MAX)) "10000" "Milliseconds that they wait at most";
    rpl_semi_sync_source_trace_level Global DO (U(0, u64::MAX)) "32" "Without effect: there is nothing here that it would trace";
    rpl_semi_sync_source_wait_for_replica_count Global DO (U(1, 65535)) "1" "Replicas that have to acknowledge";
    rpl_semi_sync_source_wait_no_replica Global DO (B) "ON" "Wait even where there are fewer replicas";
    rpl_semi_sync_source_wait_point Global DO (Enum(&["AFTER_SYNC", "AFTER_COMMIT"])) "AFTER_SYNC" "Without effect: commits wait once they are durable, before the client hears of them";
    rpl_stop_replica_timeout Global DO (U(2, 31536000)) "31536000" "Seconds STOP REPLICA waits for the threads to end";
    rpl_stop_slave_timeout Global DO (U(2, 31536000)) "31536000" "Older name of rpl_stop_replica_timeout";
    schema_definition_cache Global DO (U(256, 524288)) "256" "Without effect: what has been opened stays open. Schemas cached";
    secondary_engine_cost_threshold Session DO (D(0.0, 1e300)) "100000" "Without effect: no secondary engine";
    secure_file_priv Global RO (SN) "NULL" "Directory for LOAD DATA and SELECT INTO OUTFILE; NULL = none";
    select_into_buffer_size Both DO (UB(8192, 2147479552, 4096)) "131072" "Bytes that SELECT INTO OUTFILE writes at a time";
    select_into_disk_sync Both DO (B) "OFF" "Sync the file of SELECT INTO OUTFILE";
    select_into_disk_sync_delay Both DO (U(0, 31536000)) "0" "Milliseconds to sleep after each such sync";
    server_id Global DO (U(0, 4294967295)) "1" "Id of this server";
    server_id_bits Global FX (U(0, 32)) "32" "Bits of server_id that count: fewer are for NDB only";
    server_uuid Global C (S) "" "UUID of this data directory";
    session_track_gtids Both DO (Enum(&["OFF", "OWN_GTID", "ALL_GTIDS"])) "OFF" "Report GTIDs in OK packets";
    session_track_schema Both DO (B) "ON" "Report the default database in OK packets";
    session_track_state_change Both DO (B) "OFF" "Report that the state changed";
    session_track_system_variables Both DO (SN) "time_zone,autocommit,character_set_client,character_set_results,character_set_connection" "Variables reported in OK packets";
    session_track_transaction_info Both DO (Enum(&["OFF", "STATE", "CHARACTERISTICS"])) "OFF" "Report the transaction in OK packets";
    set_operations_buffer_size Both DO (UB(16384, 1073741824, 128)) "262144" "Without effect: INTERSECT and EXCEPT use tmp_table_size";
    sha256_password_auto_generate_rsa_keys Global RO (B) "ON" "Without effect: for sha256_password, which is not there. Create RSA keys at first start";
    sha256_password_private_key_path Global RO (S) "private_key.pem" "Without effect: for sha256_password, which is not there. RSA private key";
    sha256_password_proxy_users Global DO (B) "OFF" "Without effect: there are no proxy users. Proxy users";
    sha256_password_public_key_path Global RO (S) "public_key.pem" "Without effect: for sha256_password, which is not there. RSA public key";
    show_create_table_skip_secondary_engine Session DO (B) "OFF" "Without effect: no secondary engine. SHOW CREATE TABLE leaves SECONDARY_ENGINE out";
    show_create_table_verbosity Both DO (B) "OFF" "SHOW CREATE TABLE prints default ROW_FORMATs";
    show_gipk_in_create_table_and_information_schema Both DO (B) "ON" "Show generated invisible primary keys";
    skip_external_locking Global RO (B) "ON" "Without effect: for MyISAM";
    skip_name_resolve Global RO (B) "ON" "Without effect: host names are never looked up";
    skip_networking Global RO (B) "OFF" "No TCP";
    skip_replica_start Global RO (B) "OFF" "The replica's threads do not start with the server";
    skip_show_database Global RO (B) "OFF" "SHOW DATABASES needs a privilege";
    skip_slave_start Global RO (B) "OFF" "Older name of skip_replica_start";
    slave_allow_batching Global DO (B) "ON" "Older name of replica_allow_batching";
    slave_checkpoint_group Global DO (UB(32, 524280, 8)) "512" "Older name of replica_checkpoint_group";
    slave_checkpoint_period Global DO (U(1, 4294967295)) "300" "Older name of replica_checkpoint_period";
    slave_compressed_protocol Global DO (B) "OFF" "Older name of replica_compressed_protocol";
    slave_exec_mode Global DO (Enum(&["STRICT", "IDEMPOTENT"])) "STRICT" "Older name of replica_exec_mode";
    slave_load_tmpdir Global RO (S) "/tmp" "Older name of replica_load_tmpdir";
    slave_max_allowed_packet Global DO (UB(1024, 1073741824, 1024)) "1073741824" "Older name of replica_max_allowed_packet";
    slave_net_timeout Global DO (U(1, 31536000)) "60" "Older name of replica_net_timeout";
    slave_parallel_type Global DO (Enum(&["DATABASE", "LOGICAL_CLOCK"])) "LOGICAL_CLOCK" "Older name of replica_parallel_type";
    slave_parallel_workers Global DO (U(0, 1024)) "4" "Older name of replica_parallel_workers";
    slave_pending_jobs_size_max Global DO (UB(1024, u64::MAX, 1024)) "134217728" "Older name of replica_pending_jobs_size_max";
    slave_preserve_commit_order Global DO (B) "ON" "Older name of replica_preserve_commit_order";
    slave_skip_errors Global RO (S) "OFF" "Older name of replica_skip_errors";
    slave_sql_verify_checksum Global DO (B) "ON" "Older name of replica_sql_verify_checksum";
    slave_transaction_retries Global DO (U(0, u64::MAX)) "10" "Older name of replica_transaction_retries";
    slave_type_conversions Global DO (Set(&["ALL_LOSSY", "ALL_NON_LOSSY", "ALL_SIGNED", "ALL_UNSIGNED"])) "" "Older name of replica_type_conversions";
    slow_launch_time Global DO (U(0, 31536000)) "2" "Seconds after which a new thread is slow";
    slow_query_log Global DO (B) "OFF" "Log slow statements";
    slow_query_log_file Global DO (S) "" "File of the slow log";
    socket Global RO (S) "/tmp/mysql.sock" "Unix socket";
    sort_buffer_size Both DO (U(32768, u64::MAX)) "262144" "Memory of a sort";
    source_verify_checksum Global DO (B) "OFF" "Check events before sending them";
    sql_auto_is_null Both FX (B) "OFF" "IS NULL finds the last AUTO_INCREMENT value";
    sql_big_selects Both DO (B) "ON" "Allow joins beyond max_join_size";
    sql_buffer_result Both DO (B) "OFF" "Without effect: results hold no locks that this would free";
    sql_generate_invisible_primary_key Both DO (B) "OFF" "Give tables without primary key an invisible one";
    sql_log_bin Session D_ (B) "ON" "Write to the binary log";
    sql_log_off Both DO (B) "OFF" "Leave this session out of the general log";
    sql_mode Both DO (Set(SQL_MODES)) "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION" "SQL dialect and strictness";
    sql_notes Both D_ (B) "ON" "Notes count as warnings";
    sql_quote_show_create Both DO (B) "ON" "Quote identifiers in SHOW CREATE";
    sql_replica_skip_counter Global D_ (U(0, 4294967295)) "0" "Events that the applier that starts next passes over";
    sql_require_primary_key Both DO (B) "OFF" "Tables need a primary key";
    sql_safe_updates Both DO (B) "OFF" "UPDATE and DELETE need a key or LIMIT";
    sql_select_limit Both DO (U(0, u64::MAX)) "18446744073709551615" "Rows a SELECT returns";
    sql_slave_skip_counter Global D_ (U(0, 4294967295)) "0" "Older name of sql_replica_skip_counter";
    sql_warnings Both D_ (B) "OFF" "Information string for single-row INSERT";
    ssl_ca Global RO (S) "ca.pem" "CA certificate";
    ssl_capath Global RO (SN) "NULL" "Directory of CA certificates";
    ssl_cert Global RO (S) "server-cert.pem" "Server certificate";
    ssl_cipher Global RO (SN) "NULL" "TLS 1.2 ciphers";
    ssl_crl Global RO (SN) "NULL" "Revocation list";
    ssl_crlpath Global RO (SN) "NULL" "Directory of revocation lists";
    ssl_fips_mode Global FR (Enum(&["OFF", "ON", "STRICT"])) "OFF" "FIPS mode";
    ssl_key Global RO (S) "server-key.pem" "Server key";
    ssl_session_cache_mode Global RO (B) "ON" "Resume TLS sessions";
    ssl_session_cache_timeout Global RO (U(0, 84600)) "300" "Without effect: the latest sessions can be resumed, however old";
    statement_id Session CO (U(0, u64::MAX)) "0" "Id of the running statement";
    stored_program_cache Global DO (U(16, 524288)) "256" "Compiled programs kept by a thread";
    stored_program_definition_cache Global DO (U(256, 524288)) "256" "Without effect: all definitions are in memory. Definitions of stored programs cached";
    super_read_only Global DO (B) "OFF" "Nobody may write";
    sync_binlog Global DO (U(0, 4294967295)) "1" "1: a commit is durable with its events, whatever innodb_flush_log_at_trx_commit says; other values leave it to that";
    sync_master_info Global DO (U(0, 4294967295)) "10000" "Older name of sync_source_info";
    sync_relay_log Global DO (U(0, 4294967295)) "10000" "Events between syncs of the relay log; 0: none";
    sync_relay_log_info Global DO (U(0, 4294967295)) "10000" "Without effect: positions are in the engine with each applied transaction";
    sync_source_info Global DO (U(0, 4294967295)) "10000" "Without effect: positions are in the engine with each applied transaction";
    system_time_zone Global C (S) "UTC" "Time zone of this machine";
    table_definition_cache Global DO (U(400, 524288)) "2000" "Without effect: what has been opened stays open. Table definitions cached";
    table_encryption_privilege_check Global DO (B) "OFF" "Without effect: there is no keyring and no encryption. Check a privilege for encryption";
    table_open_cache Global DO (U(1, 524288)) "4000" "Without effect: what has been opened stays open. Open tables cached";
    table_open_cache_instances Global RO (U(1, 64)) "16" "Without effect";
    tablespace_definition_cache Global DO (U(256, 524288)) "256" "Without effect: what has been opened stays open. Tablespace definitions cached";
    temptable_max_mmap Global DO (U(0, u64::MAX)) "0" "Without effect: internal temporary tables have one form, and files when they get long. Bytes of mapped files for temporary tables";
    temptable_max_ram Global DO (U(2097152, u64::MAX)) "1073741824" "Bytes of memory for temporary tables";
    temptable_use_mmap Global FX (B) "OFF" "Temporary tables in mapped files";
    terminology_use_previous Both FX (Enum(&["NONE", "BEFORE_8_0_26", "BEFORE_8_2_0"])) "NONE" "Older names in performance_schema";
    thread_cache_size Global DO (U(0, 16384)) "9" "Without effect: spare threads end after ten seconds. Threads kept for new connections";
    thread_handling Global RO (Enum(&["one-thread-per-connection", "no-threads", "loaded-dynamically"])) "one-thread-per-connection" "Without effect: few connections have a thread each, many share as many as there are CPUs";
    thread_stack Global RO (UB(131072, u64::MAX, 1024)) "1048576" "Stack of a connection's thread";
    time_zone Both D_ (S) "SYSTEM" "Time zone of sessions";
    timestamp Session COD (D(0.0, 2147483647.999999)) "0" "Time of NOW()";
    tls_certificates_enforced_validation Global RO (B) "OFF" "Without effect: certificates are checked when they are used";
    tls_ciphersuites Global RO (SN) "NULL" "TLS 1.3 ciphers";
    tls_version Global RO (S) "TLSv1.2,TLSv1.3" "TLS versions";
    tmp_table_size Both DO (U(1024, u64::MAX)) "16777216" "Bytes of an internal temporary table in memory";
    tmpdir Global RO (S) "/tmp" "Directory of temporary files";
    transaction_alloc_block_size Both DO (UB(1024, 131072, 1024)) "8192" "Without effect";
    transaction_isolation Both DO (Enum(ISOLATION)) "REPEATABLE-READ" "Isolation level";
    transaction_prealloc_size Both DO (UB(1024, 131072, 1024)) "4096" "Without effect";
    transaction_read_only Both DO (B) "OFF" "Transactions are read only";
    unique_checks Both DO (B) "ON" "Without effect: unique keys are always checked";
    updatable_views_with_limit Both DO (Enum(&["NO", "YES"])) "YES" "Views without key may be updated with LIMIT";
    use_secondary_engine Session DO (Enum(&["OFF", "ON", "FORCED"])) "ON" "Without effect: no secondary engine";
    version Global C (S) "8.4.7-evenkeel" "Version of the server";
    version_comment Global C (S) "Evenkeel" "Name of the server";
    version_compile_machine Global C (S) "x86_64" "Machine";
    version_compile_os Global C (S) "Linux" "Operating system";
    version_compile_zlib Global C (S) "1.3.1" "Version of zlib";
    wait_timeout Both DO (U(1, 31536000)) "28800" "Seconds a client may be idle";
    warning_count Session CO (U(0, u64::MAX)) "0" "Warnings of the last statement";
    windowing_use_high_precision Both DO (B) "ON" "Without effect: window functions never lose precision";
    xa_detach_on_prepare Both FX (B) "ON" "XA transactions are detached at PREPARE";
}
