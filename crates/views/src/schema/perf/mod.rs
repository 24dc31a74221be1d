//! performance_schema, by what the rows come from.
//!
//! THREAD_ID of a client's thread is its connection id; background threads are the process's other threads, numbered from 2^32 by the
//! kernel's ids. Times are picoseconds on the monotonic clock, as TIMER columns are in MySQL.
//!
//! Tested: `tests/clients/test_performance_schema.py`.

pub(super) mod absent;
pub(super) mod clone;
pub(super) mod compression;
pub(super) mod errors;
pub(super) mod files;
mod io_columns;
pub(crate) mod locks;
pub(super) mod memory;
pub(super) mod phases;
pub(super) mod programs;
pub mod replication;
pub(super) mod server;
pub(super) mod setup;
pub(super) mod sockets;
pub(super) mod statements;
mod sum_columns;
pub(super) mod sums;
pub mod switches;
pub(super) mod table_io;
pub(super) mod threads;
pub(super) mod transactions;
pub(super) mod variables;

pub use statements::truncate;

use super::{NULL, SessionView, u};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::connections::Connection;
use std::sync::Arc;
use value::OwnedValue;

pub(super) const PS: &str = "performance_schema";

/// What anybody may read, as in MySQL.
const WORLD: &[&str] = &[
    "global_status",
    "global_variables",
    "persisted_variables",
    "processlist",
    "session_account_connect_attrs",
    "session_status",
    "session_variables",
    "variables_info",
];

/// Whether it is one of the tables that anybody may read.
pub fn open_to_all(table: &str) -> bool {
    WORLD.contains(&table)
}

/// Whether reading a table needs SELECT, which the gate asks for: those of `mysql` and performance_schema.
pub(super) fn is_guarded(schema: &str, table: &str) -> bool {
    schema == "mysql" || schema == PS && !open_to_all(table)
}

/// 1227 for InnoDB's tables without PROCESS, which is asked of the session whoever made the view.
pub(super) fn check_access(v: &SessionView, schema: &str, table: &str) -> SqlResult<()> {
    let p = &v.account.privileges;
    let innodb = schema == "information_schema" && table.starts_with("INNODB_");
    let open = ["INNODB_FT_DEFAULT_STOPWORD"];
    if innodb && !open.contains(&table) && !p.has_global(Privs::PROCESS) {
        return Err(SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&"PROCESS"]));
    }
    Ok(())
}

/// Whether there is anything to show: `performance_schema` is ON.
fn is_on(v: &SessionView) -> bool {
    v.globals.bool(catalog::sysvar::Var::performance_schema)
}

/// What statements of all sessions have left to be counted is: before sums are looked at or taken away.
fn count_all(connections: &[Arc<Connection>]) {
    connections.iter().for_each(|c| c.activity.recorder.count());
}

/// Nanoseconds as picoseconds.
fn ps(ns: u64) -> OwnedValue {
    u(ns.saturating_mul(1000))
}

/// Microseconds since 1970 as a TIMESTAMP(6) in the session's time zone.
fn stamp(v: &SessionView, us: u64) -> OwnedValue {
    if us == 0 {
        return NULL;
    }
    let zone = v.time_zone.from_unix((us / 1_000_000) as i64, (us % 1_000_000) as u32);
    OwnedValue::DateTime(zone)
}

/// A host without the port behind it.
fn host_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((h, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => h,
        _ => host,
    }
}
