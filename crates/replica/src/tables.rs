//! The replication_* tables of performance_schema, by names of columns; what is not named is 0 or empty.
//! Tested: `tests/binlog/test_replica_operators.py`.

use crate::checks;
use crate::filters::{Filters, Rule};
use crate::progress::Seen;
use crate::settings::Settings;
use crate::shared::Shared;
use crate::thread::Thread;
use catalog::sysvar::Var;
use std::sync::atomic::Ordering;
use views::Told::{self, Null, Number, Seconds, Text, Time};
use views::ToldRow;

fn text(t: &str) -> Told {
    Text(t.to_owned())
}

fn word(on: bool, [yes, no]: [&str; 2]) -> Told {
    text(if on { yes } else { no })
}

const ON_OFF: [&str; 2] = ["ON", "OFF"];
const YES_NO: [&str; 2] = ["YES", "NO"];
const BIT: [&str; 2] = ["1", "0"];

/// Characters of NETWORK_INTERFACE.
const INTERFACE: usize = 60;
/// The same of NETWORK_NAMESPACE.
const NAMESPACE: usize = 64;

/// Rows of a table that are of this channel.
pub fn rows(x: &Shared, table: &str) -> Vec<ToldRow> {
    let Some(s) = x.configured() else { return Vec::new() };
    let named = |row: ToldRow| [vec![("CHANNEL_NAME", text(&x.channel))], row].concat();
    of_channel(x, &s, table).into_iter().map(named).collect()
}

/// Rows of `replication_applier_global_filters`.
pub fn global_filters(filters: &Filters) -> Vec<ToldRow> {
    filters.rules().map(|(name, rule)| filter(name, rule)).collect()
}

fn of_channel(x: &Shared, s: &Settings, table: &str) -> Vec<ToldRow> {
    match table {
        "replication_connection_configuration" => vec![connection_configuration(x, s)],
        "replication_connection_status" => vec![connection_status(x)],
        "replication_applier_configuration" => vec![vec![
            ("DESIRED_DELAY", Number(s.delay)),
            ("PRIVILEGE_CHECKS_USER", s.checks_user.as_ref().map_or(Null, |a| Text(checks::shown(a)))),
            ("REQUIRE_ROW_FORMAT", word(s.row_format, YES_NO)),
            ("REQUIRE_TABLE_PRIMARY_KEY_CHECK", text(s.primary_keys.name())),
            ("ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_TYPE", text(s.assign_gtids.kind())),
            ("ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_VALUE", s.assign_gtids.uuid(&x.own_uuid()).map_or(Null, Text)),
        ]],
        "replication_applier_status" => {
            let remaining = x.applier.delay.load(Ordering::Relaxed);
            vec![vec![
                ("SERVICE_STATE", word(x.applier.runs(), ON_OFF)),
                ("REMAINING_DELAY", if remaining == 0 { Null } else { Number(remaining - 1) }),
                ("COUNT_TRANSACTIONS_RETRIES", Number(retries(x))),
            ]]
        }
        "replication_applier_status_by_coordinator" => coordinator(x),
        "replication_applier_status_by_worker" => {
            let workers = x.workers.lock();
            let rows: Vec<ToldRow> = (1..).zip(workers.iter()).map(|(n, w)| worker(n, w)).collect();
            if rows.is_empty() { vec![worker(0, &x.applier)] } else { rows }
        }
        "replication_applier_filters" => {
            let one = |(name, rule)| [filter(name, rule), vec![("COUNTER", Number(rule.hits.get()))]].concat();
            x.filters.lock().rules().map(one).collect()
        }
        "log_status" => {
            let (file, at) = x.applied_in_relay();
            let row = [
                ("channel_name", text(&x.channel)),
                ("relay_log_file", Text(file)),
                ("relay_log_position", Number(at)),
            ];
            vec![row.into()]
        }
        _ => Vec::new(),
    }
}

fn filter(name: &'static str, rule: &Rule) -> ToldRow {
    vec![
        ("FILTER_NAME", text(name)),
        ("FILTER_RULE", Text(rule.list.join(","))),
        ("CONFIGURED_BY", text(rule.configured_by())),
        ("ACTIVE_SINCE", Time(rule.since)),
    ]
}

fn connection_configuration(x: &Shared, s: &Settings) -> ToldRow {
    let timeout = x.globals.num(Var::replica_net_timeout) * 1000;
    vec![
        ("HOST", text(&s.host)),
        ("PORT", Number(u64::from(s.port))),
        ("USER", text(&s.user)),
        ("NETWORK_INTERFACE", Text(s.bind.chars().take(INTERFACE).collect())),
        ("NETWORK_NAMESPACE", Text(s.namespace.chars().take(NAMESPACE).collect())),
        ("AUTO_POSITION", word(s.auto_position, BIT)),
        ("SSL_ALLOWED", word(s.ssl, YES_NO)),
        ("SSL_CA_FILE", text(&s.ssl_ca)),
        ("SSL_CA_PATH", text(&s.ssl_capath)),
        ("SSL_CIPHER", text(&s.ssl_cipher)),
        ("SSL_CRL_FILE", text(&s.ssl_crl)),
        ("SSL_CRL_PATH", text(&s.ssl_crlpath)),
        ("TLS_VERSION", text(&s.tls_version)),
        ("TLS_CIPHERSUITES", s.tls_suites.clone().map_or(Null, Text)),
        ("SSL_CERTIFICATE", text(&s.ssl_cert)),
        ("SSL_KEY", text(&s.ssl_key)),
        ("SSL_VERIFY_SERVER_CERTIFICATE", word(s.ssl_verify, YES_NO)),
        ("CONNECTION_RETRY_INTERVAL", Number(s.connect_retry)),
        ("CONNECTION_RETRY_COUNT", Number(s.retry_count)),
        ("HEARTBEAT_INTERVAL", Seconds(s.heartbeat.unwrap_or(timeout / 2) as f64 / 1000.0)),
        ("PUBLIC_KEY_PATH", text(&s.public_key_path)),
        ("GET_PUBLIC_KEY", word(s.get_public_key, YES_NO)),
        ("COMPRESSION_ALGORITHM", text(&s.compression)),
        ("ZSTD_COMPRESSION_LEVEL", Number(u64::from(s.zstd_level))),
        ("SOURCE_CONNECTION_AUTO_FAILOVER", text("0")),
        ("GTID_ONLY", word(s.gtid_only, BIT)),
    ]
}

/// The last error of a thread.
fn error(t: &Thread) -> ToldRow {
    let e = t.error();
    vec![
        ("LAST_ERROR_NUMBER", Number(u64::from(e.code))),
        ("LAST_ERROR_MESSAGE", Text(e.text)),
        ("LAST_ERROR_TIMESTAMP", Time(e.at * 1_000_000)),
    ]
}

/// A transaction in columns with these names: what it is called, and its four times.
fn seen(t: Option<&Seen>, names: [&'static str; 5]) -> ToldRow {
    let Some(t) = t else { return Vec::new() };
    let values = [Text(t.name()), Time(t.original), Time(t.immediate), Time(t.start), Time(t.end)];
    names.into_iter().zip(values).collect()
}

fn connection_status(x: &Shared) -> ToldRow {
    let (t, p) = (&x.receiver, x.receiver.progress.read());
    let state = match (t.runs(), t.connected.load(Ordering::Acquire)) {
        (false, _) => "OFF",
        (true, false) => "CONNECTING",
        (true, true) => "ON",
    };
    let mut row = vec![
        ("SOURCE_UUID", Text(x.source.lock().1.clone())),
        ("SERVICE_STATE", text(state)),
        ("COUNT_RECEIVED_HEARTBEATS", Number(p.heartbeats)),
        ("LAST_HEARTBEAT_TIMESTAMP", Time(p.last_heartbeat)),
        ("RECEIVED_TRANSACTION_SET", Text(x.relay.retrieved().to_string())),
        ("LAST_QUEUED_TRANSACTION", text("")),
        ("QUEUEING_TRANSACTION", text("")),
    ];
    let last = seen(
        p.last.as_ref(),
        [
            "LAST_QUEUED_TRANSACTION",
            "LAST_QUEUED_TRANSACTION_ORIGINAL_COMMIT_TIMESTAMP",
            "LAST_QUEUED_TRANSACTION_IMMEDIATE_COMMIT_TIMESTAMP",
            "LAST_QUEUED_TRANSACTION_START_QUEUE_TIMESTAMP",
            "LAST_QUEUED_TRANSACTION_END_QUEUE_TIMESTAMP",
        ],
    );
    let now = seen(
        p.now.as_ref(),
        [
            "QUEUEING_TRANSACTION",
            "QUEUEING_TRANSACTION_ORIGINAL_COMMIT_TIMESTAMP",
            "QUEUEING_TRANSACTION_IMMEDIATE_COMMIT_TIMESTAMP",
            "QUEUEING_TRANSACTION_START_QUEUE_TIMESTAMP",
            "",
        ],
    );
    row.extend(error(t));
    // the first of a name counts
    [last, now, row].concat()
}

/// Transactions that were begun again.
fn retries(x: &Shared) -> u64 {
    let workers = x.workers.lock();
    let workers: u64 = workers.iter().map(|w| w.progress.read().retries).sum();
    x.applier.progress.read().retries + workers
}

/// The thread that hands out transactions, where there are workers.
fn coordinator(x: &Shared) -> Vec<ToldRow> {
    if x.workers.lock().is_empty() {
        return Vec::new();
    }
    let (t, p) = (&x.applier, x.applier.progress.read());
    let id = t.connection.lock().as_ref().map(|c| c.id());
    let mut row = vec![
        ("THREAD_ID", id.map_or(Null, Number)),
        ("SERVICE_STATE", word(t.runs(), ON_OFF)),
        ("LAST_PROCESSED_TRANSACTION", text("")),
        ("PROCESSING_TRANSACTION", text("")),
    ];
    row.extend(error(t));
    let last = seen(
        p.last.as_ref(),
        [
            "LAST_PROCESSED_TRANSACTION",
            "LAST_PROCESSED_TRANSACTION_ORIGINAL_COMMIT_TIMESTAMP",
            "LAST_PROCESSED_TRANSACTION_IMMEDIATE_COMMIT_TIMESTAMP",
            "LAST_PROCESSED_TRANSACTION_START_BUFFER_TIMESTAMP",
            "LAST_PROCESSED_TRANSACTION_END_BUFFER_TIMESTAMP",
        ],
    );
    let now = seen(
        p.now.as_ref(),
        [
            "PROCESSING_TRANSACTION",
            "PROCESSING_TRANSACTION_ORIGINAL_COMMIT_TIMESTAMP",
            "PROCESSING_TRANSACTION_IMMEDIATE_COMMIT_TIMESTAMP",
            "PROCESSING_TRANSACTION_START_BUFFER_TIMESTAMP",
            "",
        ],
    );
    vec![[last, now, row].concat()]
}

fn worker(number: u64, t: &Thread) -> ToldRow {
    let p = t.progress.read();
    let id = t.connection.lock().as_ref().map(|c| c.id());
    let mut row = vec![
        ("WORKER_ID", Number(number)),
        ("THREAD_ID", id.map_or(Null, Number)),
        ("SERVICE_STATE", word(t.runs(), ON_OFF)),
        ("LAST_APPLIED_TRANSACTION", text("")),
        ("APPLYING_TRANSACTION", text("")),
        ("LAST_APPLIED_TRANSACTION_LAST_TRANSIENT_ERROR_MESSAGE", text("")),
        ("APPLYING_TRANSACTION_LAST_TRANSIENT_ERROR_MESSAGE", text("")),
    ];
    row.extend(error(t));
    let mut all = Vec::new();
    if let Some(s) = &p.last {
        let names = [
            "LAST_APPLIED_TRANSACTION",
            "LAST_APPLIED_TRANSACTION_ORIGINAL_COMMIT_TIMESTAMP",
            "LAST_APPLIED_TRANSACTION_IMMEDIATE_COMMIT_TIMESTAMP",
            "LAST_APPLIED_TRANSACTION_START_APPLY_TIMESTAMP",
            "LAST_APPLIED_TRANSACTION_END_APPLY_TIMESTAMP",
        ];
        all.extend(seen(Some(s), names));
        all.extend([
            ("LAST_APPLIED_TRANSACTION_RETRIES_COUNT", Number(s.retries)),
            ("LAST_APPLIED_TRANSACTION_LAST_TRANSIENT_ERROR_NUMBER", Number(u64::from(s.transient.code))),
            ("LAST_APPLIED_TRANSACTION_LAST_TRANSIENT_ERROR_MESSAGE", text(&s.transient.text)),
            ("LAST_APPLIED_TRANSACTION_LAST_TRANSIENT_ERROR_TIMESTAMP", Time(s.transient.at * 1_000_000)),
        ]);
    }
    if let Some(s) = &p.now {
        let names = [
            "APPLYING_TRANSACTION",
            "APPLYING_TRANSACTION_ORIGINAL_COMMIT_TIMESTAMP",
            "APPLYING_TRANSACTION_IMMEDIATE_COMMIT_TIMESTAMP",
            "APPLYING_TRANSACTION_START_APPLY_TIMESTAMP",
            "",
        ];
        all.extend(seen(Some(s), names));
        all.extend([
            ("APPLYING_TRANSACTION_RETRIES_COUNT", Number(s.retries)),
            ("APPLYING_TRANSACTION_LAST_TRANSIENT_ERROR_NUMBER", Number(u64::from(s.transient.code))),
            ("APPLYING_TRANSACTION_LAST_TRANSIENT_ERROR_MESSAGE", text(&s.transient.text)),
            ("APPLYING_TRANSACTION_LAST_TRANSIENT_ERROR_TIMESTAMP", Time(s.transient.at * 1_000_000)),
        ]);
    }
    all.extend(row);
    all
}
