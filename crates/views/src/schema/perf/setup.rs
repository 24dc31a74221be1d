//! variables_info, performance_timers, and the tables of what Evenkeel has none of (replication, keyrings, loadable
//! functions): with MySQL's columns, empty. The tables that say what is recorded are in `switches.rs`.

use super::super::column_types::{ASCII, BIN, BIN4, ONE_ZERO, YES_NO};
use super::super::{Columns, Hints, NULL, Row, SessionView, Spec, T, i, none, s};
use super::{PS, stamp};
use base::SqlResult;
use catalog::sysvar::{Flags, Kind, Var};

const SOURCE: T = T::Enum(&[
    "COMPILED",
    "GLOBAL",
    "SERVER",
    "EXPLICIT",
    "EXTRA",
    "USER",
    "LOGIN",
    "COMMAND_LINE",
    "PERSISTED",
    "DYNAMIC",
]);

pub(in super::super) const TABLES: &[Spec] = &[
    Spec {
        schema: PS,
        name: "variables_info",
        columns: &[
            ("VARIABLE_NAME", T::S(64), false),
            ("VARIABLE_SOURCE", T::Or(&SOURCE, "COMPILED"), true),
            ("VARIABLE_PATH", T::S(1024), true),
            ("MIN_VALUE", T::S(64), true),
            ("MAX_VALUE", T::S(64), true),
            ("SET_TIME", T::Stamp(6), true),
            ("SET_USER", T::In(&T::Char(32), BIN4), true),
            ("SET_HOST", T::In(&T::Char(255), ASCII), true),
        ],
        rows: variables_info,
    },
    Spec {
        schema: PS,
        name: "performance_timers",
        columns: &[
            ("TIMER_NAME", T::Enum(&["CYCLE", "NANOSECOND", "MICROSECOND", "MILLISECOND", "THREAD_CPU"]), false),
            ("TIMER_FREQUENCY", T::I, true),
            ("TIMER_RESOLUTION", T::I, true),
            ("TIMER_OVERHEAD", T::I, true),
        ],
        rows: |_, _| Ok(vec![vec![s("NANOSECOND"), i(1_000_000_000), i(1), NULL]]),
    },
    Spec {
        schema: PS,
        name: "keyring_keys",
        columns: &[
            ("KEY_ID", T::Bin(255), false),
            ("KEY_OWNER", T::Bin(255), true),
            ("BACKEND_KEY_ID", T::Bin(255), true),
        ],
        rows: none,
    },
    Spec {
        schema: PS,
        name: "user_defined_functions",
        columns: &[
            ("UDF_NAME", T::S(64), false),
            ("UDF_RETURN_TYPE", T::S(20), false),
            ("UDF_TYPE", T::S(20), false),
            ("UDF_LIBRARY", T::S(1024), true),
            ("UDF_USAGE_COUNT", T::I, true),
        ],
        rows: none,
    },
    Spec { schema: PS, name: "replication_connection_configuration", columns: CONNECTION_CONFIGURATION, rows: none },
    Spec {
        schema: PS,
        name: "replication_connection_status",
        columns: &[
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
        ],
        rows: none,
    },
    Spec {
        schema: PS,
        name: "replication_applier_configuration",
        columns: &[
            ("CHANNEL_NAME", T::Char(64), false),
            ("DESIRED_DELAY", T::Int, false),
            ("PRIVILEGE_CHECKS_USER", T::In(&T::Short, BIN), true),
            ("REQUIRE_ROW_FORMAT", YES_NO, false),
            ("REQUIRE_TABLE_PRIMARY_KEY_CHECK", T::Enum(&["STREAM", "ON", "OFF", "GENERATE"]), false),
            ("ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_TYPE", T::Enum(&["OFF", "LOCAL", "UUID"]), false),
            ("ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_VALUE", T::In(&T::Short, BIN), true),
        ],
        rows: none,
    },
    Spec {
        schema: PS,
        name: "replication_applier_status",
        columns: &[
            ("CHANNEL_NAME", T::Char(64), false),
            ("SERVICE_STATE", T::Enum(&["ON", "OFF"]), false),
            ("REMAINING_DELAY", T::UInt, true),
            ("COUNT_TRANSACTIONS_RETRIES", T::U, false),
        ],
        rows: none,
    },
    Spec {
        schema: PS,
        name: "replication_group_members",
        columns: &[
            ("CHANNEL_NAME", T::Char(64), false),
            ("MEMBER_ID", T::In(&T::Char(36), BIN4), false),
            ("MEMBER_HOST", T::In(&T::Char(255), ASCII), false),
            ("MEMBER_PORT", T::Int, true),
            ("MEMBER_STATE", T::In(&T::Char(64), BIN4), false),
            ("MEMBER_ROLE", T::In(&T::Char(64), BIN4), false),
            ("MEMBER_VERSION", T::In(&T::Char(64), BIN4), false),
            ("MEMBER_COMMUNICATION_STACK", T::In(&T::Char(64), BIN4), false),
        ],
        rows: none,
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

fn variables_info(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for var in Var::all().filter(|v| !v.def().flags.has(Flags::HIDDEN)) {
        let o = v.globals.origin(var);
        let (low, high) = match var.def().kind {
            Kind::UInt(a, b, _) => (a.to_string(), b.to_string()),
            Kind::Int(a, b) => (a.to_string(), b.to_string()),
            Kind::Double(a, b) => (a.to_string(), b.to_string()),
            _ => ("0".to_owned(), "0".to_owned()),
        };
        let text = |t: &str| if o.time_us == 0 { NULL } else { s(t) };
        out.push(vec![
            s(var.name()),
            s(o.source),
            s(&o.path),
            s(low),
            s(high),
            stamp(v, o.time_us),
            text(&o.user),
            text(&o.host),
        ]);
    }
    Ok(out)
}
