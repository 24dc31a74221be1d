//! events_statements_summary_by_{thread,account,user,host}_by_event_name and _global_by_event_name.
//!
//! Like MySQL they have a row for each instrument of statements, also where nothing was counted. Their sums are
//! [`probe::summaries`]. Tested: `tests/clients/test_statement_events.py`.

pub(super) use super::super::Column;
use super::super::{Hints, NULL, Row, SessionView, Spec, T, joined, s, u};
use super::statements::{costs, measures, timers};
use super::sum_columns::{ALL_TIMED, OF_STATEMENTS};
use super::{PS, count_all, threads};
use base::SqlResult;
use catalog::connections::{Connection, Connections};
use probe::events::STATEMENT_SUMS;
use probe::instruments::{Class, Instrument};
use probe::statements::{Measure, Stats, Totals};
use probe::summaries::{Account, ByKind, Level, Sums};
use std::sync::Arc;
use value::OwnedValue;

/// EVENT_NAME and the sums.
const SUMS: [Column; 29] = joined(&[&[("EVENT_NAME", T::S(128), false)], &ALL_TIMED, &OF_STATEMENTS]);

/// The columns of a table: `who`, then the sums.
#[allow(clippy::indexing_slicing)] // evaluated by the compiler
pub(super) const fn who_columns<const K: usize, const N: usize>(who: [Column; K], sums: &[Column]) -> [Column; N] {
    assert!(K + sums.len() == N);
    let mut out = [sums[0]; N];
    let mut n = 0;
    while n < N {
        out[n] = if n < K { who[n] } else { sums[n - K] };
        n += 1;
    }
    out
}

/// The last columns of a list.
#[allow(clippy::indexing_slicing)] // evaluated by the compiler
pub(super) const fn tail<const N: usize>(all: &[Column]) -> [Column; N] {
    let mut out = [all[0]; N];
    let mut n = 0;
    while n < N {
        out[n] = all[all.len() - N + n];
        n += 1;
    }
    out
}

const BY_THREAD: [Column; 30] = who_columns([("THREAD_ID", T::U, false)], &SUMS);
const BY_ACCOUNT: [Column; 31] = who_columns([threads::USER, threads::HOST], &SUMS);
const BY_USER: [Column; 30] = who_columns([threads::USER], &SUMS);
const BY_HOST: [Column; 30] = who_columns([threads::HOST], &SUMS);

pub(in super::super) const TABLES: &[Spec] = &[
    Spec {
        schema: PS,
        name: "events_statements_summary_by_thread_by_event_name",
        columns: &BY_THREAD,
        rows: by_thread,
    },
    Spec {
        schema: PS,
        name: "events_statements_summary_by_account_by_event_name",
        columns: &BY_ACCOUNT,
        rows: |v, _| Ok(by(v, Level::Account)),
    },
    Spec {
        schema: PS,
        name: "events_statements_summary_by_user_by_event_name",
        columns: &BY_USER,
        rows: |v, _| Ok(by(v, Level::User)),
    },
    Spec {
        schema: PS,
        name: "events_statements_summary_by_host_by_event_name",
        columns: &BY_HOST,
        rows: |v, _| Ok(by(v, Level::Host)),
    },
    Spec {
        schema: PS,
        name: "events_statements_summary_global_by_event_name",
        columns: &SUMS,
        rows: |v, _| Ok(by(v, Level::Global)),
    },
];

/// A row for each kind of statement.
fn kinds(who: &[OwnedValue], sums: &ByKind<Stats>) -> Vec<Row> {
    let none = Totals::default();
    let statements = Instrument::all().filter(|(_, d)| d.class == Class::Statement);
    let row = |(kind, def): (Instrument, &probe::instruments::Def)| {
        let t = sums.get(&kind.number()).unwrap_or(&none);
        let mut row = who.to_vec();
        row.extend([s(&def.name), u(t.get(Measure::Count))]);
        row.extend(timers(t));
        row.extend(measures(t));
        row.extend(costs(t));
        row.push(u(0));
        row
    };
    statements.map(row).collect()
}

fn by_thread(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let rows = |c: &Arc<Connection>| kinds(&[u(c.id())], &c.activity.recorder.sums.all());
    let open = v.connections.all();
    count_all(&open);
    Ok(open.iter().flat_map(rows).collect())
}

/// User and host of a connection, as the tables name them.
pub(super) fn account(c: &Connection) -> Account {
    let who = c.who();
    (Some(who.user), Some(super::host_of(&who.host).to_owned()))
}

/// What a level's table says of whom a row is.
pub(super) fn who_values(level: Level, (user, host): Account) -> Row {
    let name = |n: Option<String>| n.map_or(NULL, s);
    match level {
        Level::User => vec![name(user)],
        Level::Host => vec![name(host)],
        Level::Global => Vec::new(),
        Level::Thread | Level::Account => vec![name(user), name(host)],
    }
}

/// The level of a table of sums, by what stands between `start` and its end.
pub(super) fn level(table: &str, start: &str) -> Option<Level> {
    match table.strip_prefix(start)?.strip_suffix("_by_event_name")? {
        "by_thread" => Some(Level::Thread),
        "by_account" => Some(Level::Account),
        "by_user" => Some(Level::User),
        "by_host" => Some(Level::Host),
        "global" => Some(Level::Global),
        _ => None,
    }
}

fn live(connections: &[Arc<Connection>]) -> impl Iterator<Item = (Account, &Sums<Stats>)> {
    connections.iter().map(|c| (account(c), &c.activity.recorder.sums))
}

fn by(v: &SessionView, level: Level) -> Vec<Row> {
    let open = v.connections.all();
    count_all(&open);
    let all = STATEMENT_SUMS.read(level, live(&open));
    all.into_iter().flat_map(|(who, sums)| kinds(&who_values(level, who), &sums)).collect()
}

/// TRUNCATE TABLE of one of these tables; false: it is none of them.
pub(super) fn truncate(table: &str, connections: &Connections) -> bool {
    let Some(level) = level(table, "events_statements_summary_") else { return false };
    let open = connections.all();
    count_all(&open);
    STATEMENT_SUMS.truncate(level, live(&open));
    true
}
