//! events_errors_summary_*: errors and warnings by number, for each thread, account, user, host and in all.
//!
//! The one of all has a row for each error there is, as in MySQL; the others have those that were raised (MySQL shows
//! thousands of zeros for each thread). SUM_ERROR_HANDLED is 0: there are no programs with handlers. Tested:
//! `tests/clients/test_error_events.py`.

use super::super::{Hints, NULL, Row, SessionView, Spec, T, i, s, u};
use super::sums::{Column, who_columns, who_values};
use super::{PS, stamp, threads};
use base::{ErrorCode, SqlResult};
use catalog::connections::{Connection, Connections};
use probe::errors::{Raised, SUMS, Stats};
use probe::summaries::{Account, ByKind, Level, Sums};
use std::collections::BTreeMap;
use std::sync::Arc;

const COLUMNS: [Column; 7] = [
    ("ERROR_NUMBER", T::Int, true),
    ("ERROR_NAME", T::S(64), true),
    ("SQL_STATE", T::S(5), true),
    ("SUM_ERROR_RAISED", T::U, false),
    ("SUM_ERROR_HANDLED", T::U, false),
    ("FIRST_SEEN", T::Stamp(0), true),
    ("LAST_SEEN", T::Stamp(0), true),
];
const BY_THREAD: [Column; 8] = who_columns([("THREAD_ID", T::U, false)], &COLUMNS);
const BY_ACCOUNT: [Column; 9] = who_columns([threads::USER, threads::HOST], &COLUMNS);
const BY_USER: [Column; 8] = who_columns([threads::USER], &COLUMNS);
const BY_HOST: [Column; 8] = who_columns([threads::HOST], &COLUMNS);

pub(in super::super) const TABLES: &[Spec] = &[
    Spec { schema: PS, name: "events_errors_summary_by_thread_by_error", columns: &BY_THREAD, rows: by_thread },
    Spec {
        schema: PS,
        name: "events_errors_summary_by_account_by_error",
        columns: &BY_ACCOUNT,
        rows: |v, _| Ok(by(v, Level::Account)),
    },
    Spec {
        schema: PS,
        name: "events_errors_summary_by_user_by_error",
        columns: &BY_USER,
        rows: |v, _| Ok(by(v, Level::User)),
    },
    Spec {
        schema: PS,
        name: "events_errors_summary_by_host_by_error",
        columns: &BY_HOST,
        rows: |v, _| Ok(by(v, Level::Host)),
    },
    Spec { schema: PS, name: "events_errors_summary_global_by_error", columns: &COLUMNS, rows: global },
];

fn row(v: &SessionView, who: &[value::OwnedValue], number: u16, r: Raised) -> Row {
    let code = ErrorCode::from_number(number);
    let mut row = who.to_vec();
    row.extend([
        i(i64::from(number)),
        code.map_or(NULL, |c| s(c.symbol())),
        code.map_or(NULL, |c| s(c.sqlstate())),
        u(r.count),
        u(r.handled),
        stamp(v, r.first_us / 1_000_000 * 1_000_000),
        stamp(v, r.last_us / 1_000_000 * 1_000_000),
    ]);
    row
}

fn raised(v: &SessionView, who: &[value::OwnedValue], sums: ByKind<Stats>) -> Vec<Row> {
    let all: BTreeMap<u16, Raised> = sums.into_iter().filter_map(|(n, r)| Some((u16::try_from(n).ok()?, r))).collect();
    all.into_iter().map(|(n, r)| row(v, who, n, r)).collect()
}

fn by_thread(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let rows = |c: &Arc<Connection>| raised(v, &[u(c.id())], c.activity.recorder.errors.all());
    Ok(v.connections.all().iter().flat_map(rows).collect())
}

fn live(connections: &[Arc<Connection>]) -> impl Iterator<Item = (Account, &Sums<Stats>)> {
    connections.iter().map(|c| (super::sums::account(c), &c.activity.recorder.errors))
}

fn by(v: &SessionView, level: Level) -> Vec<Row> {
    let open = v.connections.all();
    let all = SUMS.read(level, live(&open));
    all.into_iter().flat_map(|(who, sums)| raised(v, &who_values(level, who), sums)).collect()
}

fn global(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let open = v.connections.all();
    let all = SUMS.read(Level::Global, live(&open)).into_iter().next().map(|(_, sums)| sums).unwrap_or_default();
    let known = |n: &u16| all.contains_key(&u32::from(*n)) || ErrorCode::from_number(*n).is_some();
    let of = |n: u16| row(v, &[], n, all.get(&u32::from(n)).copied().unwrap_or_default());
    Ok((1..=u16::MAX).filter(known).map(of).collect())
}

/// TRUNCATE TABLE of one of these tables; false: it is none of them.
pub(super) fn truncate(table: &str, connections: &Connections) -> bool {
    let name = table.strip_suffix("_by_error").map(|t| format!("{t}_by_event_name")).unwrap_or_default();
    let Some(level) = super::sums::level(&name, "events_errors_summary_") else { return false };
    SUMS.truncate(level, live(&connections.all()));
    true
}
