//! What a replica's threads tell of themselves: the replication_* tables. Without a source they are empty.
//!
//! The rows come from what stands above ([`ToldTables`], crate `replica`), by the names of columns; what a row
//! does not name is 0, empty, or a time that was not.
//!
//! Tested: `tests/binlog/test_replica_operators.py`.

use super::super::column_types::{ASCII, BIN, BIN4, ONE_ZERO, YES_NO};
use super::super::{Columns, NULL, Row, SessionView, Spec, T, s, u};
use super::{PS, stamp};
use base::SqlResult;
use value::OwnedValue;
use value::temporal::DateTime;

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub enum Told {
    /// NULL.
    Null,
    /// Text.
    Text(String),
    /// A number.
    Number(u64),
    /// Seconds with fractions.
    Seconds(f64),
    /// Microseconds since 1970; 0: never.
    Time(u64),
}

/// A row by names of columns.
pub type ToldRow = Vec<(&'static str, Told)>;

/// Who knows of the replica's threads, or of clones.
pub trait ToldTables: Send + Sync {
    /// The rows of this table of performance_schema.
    fn rows(&self, table: &str) -> Vec<ToldRow>;
}

const ON_OFF: T = T::Enum(&["ON", "OFF"]);

fn rows(v: &SessionView, table: &str, columns: Columns) -> SqlResult<Vec<Row>> {
    let told = v.replication.as_ref().map(|r| r.rows(table)).unwrap_or_default();
    Ok(shown(v, &told, columns))
}

/// Rows as they are shown.
pub(super) fn shown(v: &SessionView, told: &[ToldRow], columns: Columns) -> Vec<Row> {
    let cell = |row: &ToldRow, (name, ty, null): &(&str, T, bool)| match row.iter().find(|(n, _)| n == name) {
        Some((_, Told::Null)) => NULL,
        Some((_, Told::Text(t))) => s(t),
        Some((_, Told::Number(n))) => u(*n),
        Some((_, Told::Seconds(n))) => OwnedValue::Double(*n),
        Some((_, Told::Time(us))) if *us != 0 => stamp(v, *us),
        _ if *null => NULL,
        _ if matches!(ty, T::Stamp(_)) => OwnedValue::DateTime(DateTime::ZERO),
        _ if matches!(ty, T::U | T::Int | T::UInt | T::Or(T::U, _)) => u(0),
        _ => s(""),
    };
    told.iter().map(|r| columns.iter().map(|c| cell(r, c)).collect()).collect()
}

pub(in super::super) const TABLES: &[Spec] = &[
    Spec {
        schema: PS,
        name: "replication_connection_configuration",
        columns: CONNECTION_CONFIGURATION,
        rows: |v, _| rows(v, "replication_connection_configuration", CONNECTION_CONFIGURATION),
    },
    Spec {
        schema: PS,
        name: "replication_connection_status",
        columns: CONNECTION_STATUS,
        rows: |v, _| rows(v, "replication_connection_status", CONNECTION_STATUS),
    },
    Spec {
        schema: PS,
        name: "replication_applier_configuration",
        columns: APPLIER_CONFIGURATION,
        rows: |v, _| rows(v, "replication_applier_configuration", APPLIER_CONFIGURATION),
    },
    Spec {
        schema: PS,
        name: "replication_applier_status",
        columns: APPLIER_STATUS,
        rows: |v, _| rows(v, "replication_applier_status", APPLIER_STATUS),
    },
    Spec {
        schema: PS,
        name: "replication_applier_status_by_coordinator",
        columns: APPLIER_STATUS_BY_COORDINATOR,
        rows: |v, _| rows(v, "replication_applier_status_by_coordinator", APPLIER_STATUS_BY_COORDINATOR),
    },
    Spec {
        schema: PS,
        name: "replication_applier_status_by_worker",
        columns: APPLIER_STATUS_BY_WORKER,
        rows: |v, _| rows(v, "replication_applier_status_by_worker", APPLIER_STATUS_BY_WORKER),
    },
    Spec {
        schema: PS,
        name: "replication_applier_filters",
        columns: APPLIER_FILTERS,
        rows: |v, _| rows(v, "replication_applier_filters", APPLIER_FILTERS),
    },
    Spec {
        schema: PS,
        name: "replication_applier_global_filters",
        columns: APPLIER_GLOBAL_FILTERS,
        rows: |v, _| rows(v, "replication_applier_global_filters", APPLIER_GLOBAL_FILTERS),
    },
];

const CONNECTION_CONFIGURATION: Columns = &[
    ("CHANNEL_NAME", T::Char(64), false),
    ("HOST", T::In(&T::Char(255), ASCII), false),
    ("PORT", T::Int, false),
    ("USER", T::In(&T::Char(32), BIN4), false),
    ("NETWORK_INTERFACE", T::In(&T::Char(60), BIN4), false),
    ("AUTO_POSITION", ONE_ZERO, false),
    ("SSL_ALLOWED", T::Enum(&["YES", "NO", "IGNORED"]), false),
    ("SSL_CA_FILE", T::S(512), false),
    ("SSL_CA_PATH", T::S(512), false),
    ("SSL_CERTIFICATE", T::S(512), false),
    ("SSL_CIPHER", T::S(512), false),
    ("SSL_KEY", T::S(512), false),
    ("SSL_VERIFY_SERVER_CERTIFICATE", YES_NO, false),
    ("SSL_CRL_FILE", T::S(255), false),
    ("SSL_CRL_PATH", T::S(255), false),
    ("CONNECTION_RETRY_INTERVAL", T::Int, false),
    ("CONNECTION_RETRY_COUNT", T::U, false),
    ("HEARTBEAT_INTERVAL", T::Fixed(10, 3), false),
    ("TLS_VERSION", T::S(255), false),
    ("PUBLIC_KEY_PATH", T::S(512), false),
    ("GET_PUBLIC_KEY", YES_NO, false),
    ("NETWORK_NAMESPACE", T::S(64), false),
    ("COMPRESSION_ALGORITHM", T::In(&T::Char(64), BIN4), false),
    ("ZSTD_COMPRESSION_LEVEL", T::Int, false),
    ("TLS_CIPHERSUITES", T::In(&T::Short, BIN), true),
    ("SOURCE_CONNECTION_AUTO_FAILOVER", ONE_ZERO, false),
    ("GTID_ONLY", ONE_ZERO, false),
];

const CONNECTION_STATUS: Columns = &[
    ("CHANNEL_NAME", T::Char(64), false),
    ("GROUP_NAME", T::In(&T::Char(36), BIN4), false),
    ("SOURCE_UUID", T::In(&T::Char(36), BIN4), false),
    ("THREAD_ID", T::U, true),
    ("SERVICE_STATE", T::Enum(&["ON", "OFF", "CONNECTING"]), false),
    ("COUNT_RECEIVED_HEARTBEATS", T::Or(&T::U, "0"), false),
    ("LAST_HEARTBEAT_TIMESTAMP", T::Stamp(6), false),
    ("RECEIVED_TRANSACTION_SET", T::Text, false),
    ("LAST_ERROR_NUMBER", T::Int, false),
    ("LAST_ERROR_MESSAGE", T::S(1024), false),
    ("LAST_ERROR_TIMESTAMP", T::Stamp(6), false),
    ("LAST_QUEUED_TRANSACTION", T::Char(90), true),
    ("LAST_QUEUED_TRANSACTION_ORIGINAL_COMMIT_TIMESTAMP", T::Stamp(6), false),
    ("LAST_QUEUED_TRANSACTION_IMMEDIATE_COMMIT_TIMESTAMP", T::Stamp(6), false),
    ("LAST_QUEUED_TRANSACTION_START_QUEUE_TIMESTAMP", T::Stamp(6), false),
    ("LAST_QUEUED_TRANSACTION_END_QUEUE_TIMESTAMP", T::Stamp(6), false),
    ("QUEUEING_TRANSACTION", T::Char(90), true),
    ("QUEUEING_TRANSACTION_ORIGINAL_COMMIT_TIMESTAMP", T::Stamp(6), false),
    ("QUEUEING_TRANSACTION_IMMEDIATE_COMMIT_TIMESTAMP", T::Stamp(6), false),
    ("QUEUEING_TRANSACTION_START_QUEUE_TIMESTAMP", T::Stamp(6), false),
];

const APPLIER_CONFIGURATION: Columns = &[
    ("CHANNEL_NAME", T::Char(64), false),
    ("DESIRED_DELAY", T::Int, false),
    ("PRIVILEGE_CHECKS_USER", T::In(&T::Short, BIN), true),
    ("REQUIRE_ROW_FORMAT", YES_NO, false),
    ("REQUIRE_TABLE_PRIMARY_KEY_CHECK", T::Enum(&["STREAM", "ON", "OFF", "GENERATE"]), false),
    ("ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_TYPE", T::Enum(&["OFF", "LOCAL", "UUID"]), false),
    ("ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_VALUE", T::In(&T::Short, BIN), true),
];

const APPLIER_STATUS: Columns = &[
    ("CHANNEL_NAME", T::Char(64), false),
    ("SERVICE_STATE", T::Enum(&["ON", "OFF"]), false),
    ("REMAINING_DELAY", T::UInt, true),
    ("COUNT_TRANSACTIONS_RETRIES", T::U, false),
];

const APPLIER_STATUS_BY_COORDINATOR: Columns = &[
    ("CHANNEL_NAME", T::Char(64), false),
    ("THREAD_ID", T::U, true),
    ("SERVICE_STATE", ON_OFF, false),
    ("LAST_ERROR_NUMBER", T::Int, false),
    ("LAST_ERROR_MESSAGE", T::S(1024), false),
    ("LAST_ERROR_TIMESTAMP", T::Stamp(6), false),
    ("LAST_PROCESSED_TRANSACTION", T::Char(90), true),
    ("LAST_PROCESSED_TRANSACTION_ORIGINAL_COMMIT_TIMESTAMP", T::Stamp(6), false),
    ("LAST_PROCESSED_TRANSACTION_IMMEDIATE_COMMIT_TIMESTAMP", T::Stamp(6), false),
    ("LAST_PROCESSED_TRANSACTION_START_BUFFER_TIMESTAMP", T::Stamp(6), false),
    ("LAST_PROCESSED_TRANSACTION_END_BUFFER_TIMESTAMP", T::Stamp(6), false),
    ("PROCESSING_TRANSACTION", T::Char(90), true),
    ("PROCESSING_TRANSACTION_ORIGINAL_COMMIT_TIMESTAMP", T::Stamp(6), false),
    ("PROCESSING_TRANSACTION_IMMEDIATE_COMMIT_TIMESTAMP", T::Stamp(6), false),
    ("PROCESSING_TRANSACTION_START_BUFFER_TIMESTAMP", T::Stamp(6), false),
];

const APPLIER_STATUS_BY_WORKER: Columns = &[
    ("CHANNEL_NAME", T::Char(64), false),
    ("WORKER_ID", T::U, false),
    ("THREAD_ID", T::U, true),
    ("SERVICE_STATE", ON_OFF, false),
    ("LAST_ERROR_NUMBER", T::Int, false),
    ("LAST_ERROR_MESSAGE", T::S(1024), false),
    ("LAST_ERROR_TIMESTAMP", T::Stamp(6), false),
    ("LAST_APPLIED_TRANSACTION", T::Char(90), true),
    ("LAST_APPLIED_TRANSACTION_ORIGINAL_COMMIT_TIMESTAMP", T::Stamp(6), false),
    ("LAST_APPLIED_TRANSACTION_IMMEDIATE_COMMIT_TIMESTAMP", T::Stamp(6), false),
    ("LAST_APPLIED_TRANSACTION_START_APPLY_TIMESTAMP", T::Stamp(6), false),
    ("LAST_APPLIED_TRANSACTION_END_APPLY_TIMESTAMP", T::Stamp(6), false),
    ("APPLYING_TRANSACTION", T::Char(90), true),
    ("APPLYING_TRANSACTION_ORIGINAL_COMMIT_TIMESTAMP", T::Stamp(6), false),
    ("APPLYING_TRANSACTION_IMMEDIATE_COMMIT_TIMESTAMP", T::Stamp(6), false),
    ("APPLYING_TRANSACTION_START_APPLY_TIMESTAMP", T::Stamp(6), false),
    ("LAST_APPLIED_TRANSACTION_RETRIES_COUNT", T::U, false),
    ("LAST_APPLIED_TRANSACTION_LAST_TRANSIENT_ERROR_NUMBER", T::Int, false),
    ("LAST_APPLIED_TRANSACTION_LAST_TRANSIENT_ERROR_MESSAGE", T::S(1024), true),
    ("LAST_APPLIED_TRANSACTION_LAST_TRANSIENT_ERROR_TIMESTAMP", T::Stamp(6), false),
    ("APPLYING_TRANSACTION_RETRIES_COUNT", T::U, false),
    ("APPLYING_TRANSACTION_LAST_TRANSIENT_ERROR_NUMBER", T::Int, false),
    ("APPLYING_TRANSACTION_LAST_TRANSIENT_ERROR_MESSAGE", T::S(1024), true),
    ("APPLYING_TRANSACTION_LAST_TRANSIENT_ERROR_TIMESTAMP", T::Stamp(6), false),
];

const APPLIER_FILTERS: Columns = &[
    ("CHANNEL_NAME", T::Char(64), false),
    ("FILTER_NAME", T::Char(64), false),
    ("FILTER_RULE", T::Text, false),
    (
        "CONFIGURED_BY",
        T::Enum(&[
            "STARTUP_OPTIONS",
            "CHANGE_REPLICATION_FILTER",
            "STARTUP_OPTIONS_FOR_CHANNEL",
            "CHANGE_REPLICATION_FILTER_FOR_CHANNEL",
        ]),
        false,
    ),
    ("ACTIVE_SINCE", T::Stamp(6), false),
    ("COUNTER", T::Or(&T::U, "0"), false),
];

const APPLIER_GLOBAL_FILTERS: Columns = &[
    ("FILTER_NAME", T::Char(64), false),
    ("FILTER_RULE", T::Text, false),
    ("CONFIGURED_BY", T::Enum(&["STARTUP_OPTIONS", "CHANGE_REPLICATION_FILTER"]), false),
    ("ACTIVE_SINCE", T::Stamp(6), false),
];
