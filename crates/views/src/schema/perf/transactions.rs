//! events_transactions_current, _history, _history_long and the sums by thread, account, user, host and in all.
//!
//! A transaction begins with the first statement that uses tables, or with BEGIN. GTID is AUTOMATIC as on a MySQL
//! without GTIDs; XA's columns are NULL, also of XA transactions. Tested: `tests/clients/test_transaction_events.py`.

use super::super::{Columns, Hints, NULL, Row, SessionView, Spec, T, joined, s, u};
use super::sum_columns::{ALL_TIMED, timed};
use super::sums::{Column, who_columns, who_values};
use super::{PS, ps, threads};
use base::SqlResult;
use catalog::connections::{Connection, Connections};
use probe::instruments::{self, Consumer};
use probe::summaries::{Account, ByKind, Level, Sums};
use probe::timing::{Times, merge};
use probe::transactions::{LONG, SUMS, State, Stats, TransactionEvent};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use value::OwnedValue;

const EVENTS: Columns = &[
    ("THREAD_ID", T::U, false),
    ("EVENT_ID", T::U, false),
    ("END_EVENT_ID", T::U, true),
    ("EVENT_NAME", T::S(128), false),
    ("STATE", T::Enum(&["ACTIVE", "COMMITTED", "ROLLED BACK"]), true),
    ("TRX_ID", T::U, true),
    ("GTID", T::S(90), true),
    ("XID_FORMAT_ID", T::Int, true),
    ("XID_GTRID", T::S(130), true),
    ("XID_BQUAL", T::S(130), true),
    ("XA_STATE", T::S(64), true),
    ("SOURCE", T::S(64), true),
    ("TIMER_START", T::U, true),
    ("TIMER_END", T::U, true),
    ("TIMER_WAIT", T::U, true),
    ("ACCESS_MODE", T::Enum(&["READ ONLY", "READ WRITE"]), true),
    ("ISOLATION_LEVEL", T::S(64), true),
    ("AUTOCOMMIT", super::super::column_types::YES_NO, false),
    ("NUMBER_OF_SAVEPOINTS", T::U, true),
    ("NUMBER_OF_ROLLBACK_TO_SAVEPOINT", T::U, true),
    ("NUMBER_OF_RELEASE_SAVEPOINT", T::U, true),
    ("OBJECT_INSTANCE_BEGIN", T::U, true),
    ("NESTING_EVENT_ID", T::U, true),
    ("NESTING_EVENT_TYPE", T::Enum(&["TRANSACTION", "STATEMENT", "STAGE", "WAIT"]), true),
];

/// EVENT_NAME and the sums: of all, of those that may write, of those that may not.
const COLUMNS: [Column; 16] =
    joined(&[&[("EVENT_NAME", T::S(128), false)], &ALL_TIMED, &timed!("READ_WRITE"), &timed!("READ_ONLY")]);
const BY_THREAD: [Column; 17] = who_columns([("THREAD_ID", T::U, false)], &COLUMNS);
const BY_ACCOUNT: [Column; 18] = who_columns([threads::USER, threads::HOST], &COLUMNS);
const BY_USER: [Column; 17] = who_columns([threads::USER], &COLUMNS);
const BY_HOST: [Column; 17] = who_columns([threads::HOST], &COLUMNS);

pub(in super::super) const TABLES: &[Spec] = &[
    Spec { schema: PS, name: "events_transactions_current", columns: EVENTS, rows: current },
    Spec { schema: PS, name: "events_transactions_history", columns: EVENTS, rows: history },
    Spec { schema: PS, name: "events_transactions_history_long", columns: EVENTS, rows: history_long },
    Spec {
        schema: PS,
        name: "events_transactions_summary_by_thread_by_event_name",
        columns: &BY_THREAD,
        rows: by_thread,
    },
    Spec {
        schema: PS,
        name: "events_transactions_summary_by_account_by_event_name",
        columns: &BY_ACCOUNT,
        rows: |v, _| Ok(by(v, Level::Account)),
    },
    Spec {
        schema: PS,
        name: "events_transactions_summary_by_user_by_event_name",
        columns: &BY_USER,
        rows: |v, _| Ok(by(v, Level::User)),
    },
    Spec {
        schema: PS,
        name: "events_transactions_summary_by_host_by_event_name",
        columns: &BY_HOST,
        rows: |v, _| Ok(by(v, Level::Host)),
    },
    Spec {
        schema: PS,
        name: "events_transactions_summary_global_by_event_name",
        columns: &COLUMNS,
        rows: |v, _| Ok(by(v, Level::Global)),
    },
];

fn current(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    if instruments::active() & Consumer::TransactionsCurrent.bit() == 0 {
        return Ok(Vec::new());
    }
    let all = v.connections.all();
    let of = |c: &Arc<Connection>| {
        let [began, _] = &c.activity.times;
        c.activity.recorder.transaction(began.load(Relaxed))
    };
    Ok(all.iter().filter_map(of).map(|e| row(&e)).collect())
}

fn history(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let all = v.connections.all();
    Ok(all.iter().flat_map(|c| c.activity.recorder.kept().all_transactions().all()).map(|e| row(&e)).collect())
}

fn history_long(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let all = v.connections.all();
    let unfilled = all.iter().map(|c| c.activity.recorder.kept().all_transactions().unfilled());
    Ok(LONG.all(unfilled).iter().map(row).collect())
}

fn row(e: &TransactionEvent) -> Row {
    let runs = e.state == State::Active;
    let end = if runs { sys::clock::now_ns() } else { e.times.1 };
    let level = ["READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"];
    let mut row = vec![
        u(e.thread),
        u(e.events.0),
        if runs { NULL } else { u(e.events.1) },
        s("transaction"),
        s(match e.state {
            State::Active => "ACTIVE",
            State::Committed => "COMMITTED",
            State::RolledBack => "ROLLED BACK",
        }),
        NULL,
        s("AUTOMATIC"),
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        ps(e.times.0),
        ps(end),
        ps(end.saturating_sub(e.times.0)),
        s(if e.kind.read_only() { "READ ONLY" } else { "READ WRITE" }),
        level.get(usize::from(e.kind.isolation())).map_or(NULL, s),
        s(if e.kind.autocommit() { "YES" } else { "NO" }),
    ];
    row.extend(e.counts.map(|n| u(u64::from(n))));
    row.extend([NULL, u(e.nesting), s("STATEMENT")]);
    row
}

/// Count, sum, least, average and greatest time.
pub(super) fn times(t: &Times) -> [OwnedValue; 5] {
    let [count, sum, min, max] = *t;
    let average = sum.saturating_mul(1000).checked_div(count).unwrap_or(0);
    [u(count), ps(sum), ps(min), u(average), ps(max)]
}

fn sums_row(mut who: Row, sums: &ByKind<Stats>) -> Row {
    let [write, read] = sums.get(&0).copied().unwrap_or_default();
    let mut all = write;
    merge(&mut all, &read);
    who.push(s("transaction"));
    who.extend([all, write, read].iter().flat_map(times));
    who
}

fn by_thread(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |c: &Arc<Connection>| sums_row(vec![u(c.id())], &c.activity.recorder.transaction_sums.all());
    let open = v.connections.all();
    super::count_all(&open);
    Ok(open.iter().map(row).collect())
}

fn live(connections: &[Arc<Connection>]) -> impl Iterator<Item = (Account, &Sums<Stats>)> {
    connections.iter().map(|c| (super::sums::account(c), &c.activity.recorder.transaction_sums))
}

fn by(v: &SessionView, level: Level) -> Vec<Row> {
    let open = v.connections.all();
    super::count_all(&open);
    let all = SUMS.read(level, live(&open));
    all.into_iter().map(|(who, sums)| sums_row(who_values(level, who), &sums)).collect()
}

/// TRUNCATE TABLE of one of these tables; false: it is none of them.
pub(super) fn truncate(table: &str, connections: &Connections) -> bool {
    let all = connections.all();
    match table {
        "events_transactions_current" => all.iter().for_each(|c| {
            c.activity.recorder.transaction.end();
            c.activity.recorder.kept().all_transactions().hide();
        }),
        "events_transactions_history" => all.iter().for_each(|c| c.activity.recorder.kept().all_transactions().clear()),
        "events_transactions_history_long" => {
            LONG.clear();
            all.iter().for_each(|c| c.activity.recorder.kept().all_transactions().clear_unfilled());
        }
        _ => match super::sums::level(table, "events_transactions_summary_") {
            Some(level) => {
                super::count_all(&all);
                SUMS.truncate(level, live(&all));
            }
            None => return false,
        },
    }
    true
}
