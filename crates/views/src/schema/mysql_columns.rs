//! The columns of the tables in [`super::mysql_tables`]: MySQL 8.4's (golden `mysql_tables`, which a MySQL answers
//! alike).

use super::column_types::{ASCII, BIN, LATIN, ROUTINE, WIDE};
use super::{Columns, T};

pub(super) const COMPONENT: Columns =
    &[("component_id", T::UInt, false), ("component_group_id", T::UInt, false), ("component_urn", T::Short, false)];

pub(super) const ENGINE_COST: Columns = &[
    ("engine_name", T::S(64), false),
    ("device_type", T::Int, false),
    ("cost_name", T::S(64), false),
    ("cost_value", T::Real, true),
    ("last_update", T::Stamp(0), false),
    ("comment", T::S(1024), true),
    ("default_value", T::Real, true),
];

pub(super) const FUNC: Columns = &[
    ("name", T::Or(&T::In(&T::Char(64), BIN), ""), false),
    ("ret", T::Or(&T::Tiny, "0"), false),
    ("dl", T::Or(&T::In(&T::Char(128), BIN), ""), false),
    ("type", T::Enum(&["function", "aggregate"]), false),
];

pub(super) const GTID_EXECUTED: Columns = &[
    ("source_uuid", T::In(&T::Char(36), WIDE), false),
    ("interval_start", T::I, false),
    ("interval_end", T::I, false),
    ("gtid_tag", T::In(&T::Char(32), WIDE), false),
];

pub(super) const HELP_CATEGORY: Columns = &[
    ("help_category_id", T::USmall, false),
    ("name", T::Char(64), false),
    ("parent_category_id", T::USmall, true),
    ("url", T::Short, false),
];

pub(super) const HELP_KEYWORD: Columns = &[("help_keyword_id", T::UInt, false), ("name", T::Char(64), false)];

pub(super) const HELP_RELATION: Columns = &[("help_topic_id", T::UInt, false), ("help_keyword_id", T::UInt, false)];

pub(super) const HELP_TOPIC: Columns = &[
    ("help_topic_id", T::UInt, false),
    ("name", T::Char(64), false),
    ("help_category_id", T::USmall, false),
    ("description", T::Short, false),
    ("example", T::Short, false),
    ("url", T::Short, false),
];

pub(super) const INNODB_INDEX_STATS: Columns = &[
    ("database_name", T::In(&T::S(64), BIN), false),
    ("table_name", T::In(&T::S(199), BIN), false),
    ("index_name", T::In(&T::S(64), BIN), false),
    ("last_update", T::Stamp(0), false),
    ("stat_name", T::In(&T::S(64), BIN), false),
    ("stat_value", T::U, false),
    ("sample_size", T::U, true),
    ("stat_description", T::In(&T::S(1024), BIN), false),
];

pub(super) const INNODB_TABLE_STATS: Columns = &[
    ("database_name", T::In(&T::S(64), BIN), false),
    ("table_name", T::In(&T::S(199), BIN), false),
    ("last_update", T::Stamp(0), false),
    ("n_rows", T::U, false),
    ("clustered_index_size", T::U, false),
    ("sum_of_other_index_sizes", T::U, false),
];

pub(super) const NDB_BINLOG_INDEX: Columns = &[
    ("Position", T::U, false),
    ("File", T::In(&T::S(255), LATIN), false),
    ("epoch", T::U, false),
    ("inserts", T::UInt, false),
    ("updates", T::UInt, false),
    ("deletes", T::UInt, false),
    ("schemaops", T::UInt, false),
    ("orig_server_id", T::UInt, false),
    ("orig_epoch", T::U, false),
    ("gci", T::UInt, false),
    ("next_position", T::U, false),
    ("next_file", T::In(&T::S(255), LATIN), false),
];

pub(super) const PASSWORD_HISTORY: Columns = &[
    ("Host", T::Or(&T::In(&T::Char(255), ASCII), ""), false),
    ("User", T::Or(&T::In(&T::Char(32), BIN), ""), false),
    ("Password_timestamp", T::Stamp(6), false),
    ("Password", T::In(&T::Short, BIN), true),
];

pub(super) const PLUGIN: Columns = &[("name", T::Or(&T::S(64), ""), false), ("dl", T::Or(&T::S(128), ""), false)];

pub(super) const PROCS_PRIV: Columns = &[
    ("Host", T::Or(&T::In(&T::Char(255), ASCII), ""), false),
    ("Db", T::Or(&T::In(&T::Char(64), BIN), ""), false),
    ("User", T::Or(&T::In(&T::Char(32), BIN), ""), false),
    ("Routine_name", T::Or(&T::Char(64), ""), false),
    ("Routine_type", T::In(&ROUTINE, BIN), false),
    ("Grantor", T::Or(&T::In(&T::S(288), BIN), ""), false),
    ("Proc_priv", T::Or(&T::Set(&["Execute", "Alter Routine", "Grant"]), ""), false),
    ("Timestamp", T::Stamp(0), false),
];

pub(super) const REPLICATION_ASYNCHRONOUS_CONNECTION_FAILOVER: Columns = &[
    ("Channel_name", T::Char(64), false),
    ("Host", T::In(&T::Char(255), ASCII), false),
    ("Port", T::UInt, false),
    ("Network_namespace", T::Char(64), false),
    ("Weight", T::UTiny, false),
    ("Managed_name", T::Or(&T::Char(64), ""), false),
];

pub(super) const REPLICATION_ASYNCHRONOUS_CONNECTION_FAILOVER_MANAGED: Columns = &[
    ("Channel_name", T::Char(64), false),
    ("Managed_name", T::Or(&T::Char(64), ""), false),
    ("Managed_type", T::Or(&T::Char(64), ""), false),
    ("Configuration", T::Json, true),
];

pub(super) const REPLICATION_GROUP_CONFIGURATION_VERSION: Columns =
    &[("name", T::In(&T::Char(255), ASCII), false), ("version", T::U, false)];

pub(super) const REPLICATION_GROUP_MEMBER_ACTIONS: Columns = &[
    ("name", T::In(&T::Char(255), ASCII), false),
    ("event", T::In(&T::Char(64), ASCII), false),
    ("enabled", T::Bool, false),
    ("type", T::In(&T::Char(64), ASCII), false),
    ("priority", T::UTiny, false),
    ("error_handling", T::In(&T::Char(64), ASCII), false),
];

pub(super) const SERVER_COST: Columns = &[
    ("cost_name", T::S(64), false),
    ("cost_value", T::Real, true),
    ("last_update", T::Stamp(0), false),
    ("comment", T::S(1024), true),
    ("default_value", T::Real, true),
];

pub(super) const SERVERS: Columns = &[
    ("Server_name", T::Or(&T::Char(64), ""), false),
    ("Host", T::Or(&T::In(&T::Char(255), ASCII), ""), false),
    ("Db", T::Or(&T::Char(64), ""), false),
    ("Username", T::Or(&T::Char(64), ""), false),
    ("Password", T::Or(&T::Char(64), ""), false),
    ("Port", T::Or(&T::Int, "0"), false),
    ("Socket", T::Or(&T::Char(64), ""), false),
    ("Wrapper", T::Or(&T::Char(64), ""), false),
    ("Owner", T::Or(&T::Char(64), ""), false),
];

pub(super) const SLAVE_MASTER_INFO: Columns = &[
    ("Number_of_lines", T::UInt, false),
    ("Master_log_name", T::In(&T::Short, BIN), false),
    ("Master_log_pos", T::U, false),
    ("Host", T::In(&T::S(255), ASCII), true),
    ("User_name", T::In(&T::Short, BIN), true),
    ("User_password", T::In(&T::Short, BIN), true),
    ("Port", T::UInt, false),
    ("Connect_retry", T::UInt, false),
    ("Enabled_ssl", T::Bool, false),
    ("Ssl_ca", T::In(&T::Short, BIN), true),
    ("Ssl_capath", T::In(&T::Short, BIN), true),
    ("Ssl_cert", T::In(&T::Short, BIN), true),
    ("Ssl_cipher", T::In(&T::Short, BIN), true),
    ("Ssl_key", T::In(&T::Short, BIN), true),
    ("Ssl_verify_server_cert", T::Bool, false),
    ("Heartbeat", T::Real, false),
    ("Bind", T::In(&T::Short, BIN), true),
    ("Ignored_server_ids", T::In(&T::Short, BIN), true),
    ("Uuid", T::In(&T::Short, BIN), true),
    ("Retry_count", T::U, false),
    ("Ssl_crl", T::In(&T::Short, BIN), true),
    ("Ssl_crlpath", T::In(&T::Short, BIN), true),
    ("Enabled_auto_position", T::Bool, false),
    ("Channel_name", T::S(64), false),
    ("Tls_version", T::In(&T::Short, BIN), true),
    ("Public_key_path", T::In(&T::Short, BIN), true),
    ("Get_public_key", T::Bool, false),
    ("Network_namespace", T::In(&T::Short, BIN), true),
    ("Master_compression_algorithm", T::In(&T::S(64), BIN), false),
    ("Master_zstd_compression_level", T::UInt, false),
    ("Tls_ciphersuites", T::In(&T::Short, BIN), true),
    ("Source_connection_auto_failover", T::Or(&T::Bool, "0"), false),
    ("Gtid_only", T::Or(&T::Bool, "0"), false),
];

pub(super) const SLAVE_RELAY_LOG_INFO: Columns = &[
    ("Number_of_lines", T::UInt, false),
    ("Relay_log_name", T::In(&T::Short, BIN), true),
    ("Relay_log_pos", T::U, true),
    ("Master_log_name", T::In(&T::Short, BIN), true),
    ("Master_log_pos", T::U, true),
    ("Sql_delay", T::Int, true),
    ("Number_of_workers", T::UInt, true),
    ("Id", T::UInt, true),
    ("Channel_name", T::S(64), false),
    ("Privilege_checks_username", T::In(&T::S(32), BIN), true),
    ("Privilege_checks_hostname", T::In(&T::S(255), ASCII), true),
    ("Require_row_format", T::Bool, false),
    ("Require_table_primary_key_check", T::Or(&T::Enum(&["STREAM", "ON", "OFF", "GENERATE"]), "STREAM"), false),
    ("Assign_gtids_to_anonymous_transactions_type", T::Or(&T::Enum(&["OFF", "LOCAL", "UUID"]), "OFF"), false),
    ("Assign_gtids_to_anonymous_transactions_value", T::In(&T::Short, BIN), true),
];

pub(super) const SLAVE_WORKER_INFO: Columns = &[
    ("Id", T::UInt, false),
    ("Relay_log_name", T::In(&T::Short, BIN), false),
    ("Relay_log_pos", T::U, false),
    ("Master_log_name", T::In(&T::Short, BIN), false),
    ("Master_log_pos", T::U, false),
    ("Checkpoint_relay_log_name", T::In(&T::Short, BIN), false),
    ("Checkpoint_relay_log_pos", T::U, false),
    ("Checkpoint_master_log_name", T::In(&T::Short, BIN), false),
    ("Checkpoint_master_log_pos", T::U, false),
    ("Checkpoint_seqno", T::UInt, false),
    ("Checkpoint_group_size", T::UInt, false),
    ("Checkpoint_group_bitmap", T::Blob, false),
    ("Channel_name", T::S(64), false),
];
