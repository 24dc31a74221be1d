//! events_statements_current, _summary_by_digest, _histogram_by_digest, _histogram_global,
//! prepared_statements_instances, and the waits that were counted.
//!
//! Quantiles are ends of MySQL's buckets ([`probe::histogram`]). CPU times are 0 without the consumer
//! events_statements_cpu, as in MySQL; memory is the most that a statement held beyond what was there at its beginning.

use super::super::column_types::EXECUTION;
use super::super::{Columns, Hints, NULL, Row, SessionView, Spec, T, i, joined, s, u};
use super::sum_columns::{ALL_TIMED, OF_STATEMENTS, timed};
use super::{PS, count_all, ps, stamp};
use base::{ErrorCode, SqlResult};
use catalog::connections::{Connection, Connections};
use probe::events::{INSTRUMENTED, Nesting, STATEMENTS_LONG, StatementEvent};
use probe::histogram::{BUCKETS, low, quantile};
use probe::instruments::{self, Class, Consumer, Instrument};
use probe::statements::{Digest, Measure, Totals, all};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use value::OwnedValue;

pub(in super::super) const TABLES: &[Spec] = &[
    Spec { schema: PS, name: "events_statements_history", columns: CURRENT, rows: history },
    Spec { schema: PS, name: "events_statements_history_long", columns: CURRENT, rows: history_long },
    Spec { schema: PS, name: "events_statements_current", columns: CURRENT, rows: current },
    Spec { schema: PS, name: "events_statements_summary_by_digest", columns: BY_DIGEST, rows: by_digest },
    Spec {
        schema: PS,
        name: "events_statements_histogram_by_digest",
        columns: &[
            ("SCHEMA_NAME", T::S(64), true),
            ("DIGEST", T::S(64), true),
            ("BUCKET_NUMBER", T::UInt, false),
            ("BUCKET_TIMER_LOW", T::U, false),
            ("BUCKET_TIMER_HIGH", T::U, false),
            ("COUNT_BUCKET", T::U, false),
            ("COUNT_BUCKET_AND_LOWER", T::U, false),
            ("BUCKET_QUANTILE", T::Fixed(7, 6), false),
        ],
        rows: histogram_by_digest,
    },
    Spec {
        schema: PS,
        name: "events_statements_histogram_global",
        columns: &[
            ("BUCKET_NUMBER", T::UInt, false),
            ("BUCKET_TIMER_LOW", T::U, false),
            ("BUCKET_TIMER_HIGH", T::U, false),
            ("COUNT_BUCKET", T::U, false),
            ("COUNT_BUCKET_AND_LOWER", T::U, false),
            ("BUCKET_QUANTILE", T::Fixed(7, 6), false),
        ],
        rows: histogram_global,
    },
    Spec { schema: PS, name: "prepared_statements_instances", columns: PREPARED, rows: prepared },
    Spec {
        schema: PS,
        name: "events_waits_summary_global_by_event_name",
        columns: &joined::<6>(&[&[("EVENT_NAME", T::S(128), false)], &ALL_TIMED]),
        rows: waits,
    },
];

const CURRENT: Columns = &[
    ("THREAD_ID", T::U, false),
    ("EVENT_ID", T::U, false),
    ("END_EVENT_ID", T::U, true),
    ("EVENT_NAME", T::S(128), false),
    ("SOURCE", T::S(64), true),
    ("TIMER_START", T::U, true),
    ("TIMER_END", T::U, true),
    ("TIMER_WAIT", T::U, true),
    ("LOCK_TIME", T::U, false),
    ("SQL_TEXT", T::Text, true),
    ("DIGEST", T::S(64), true),
    ("DIGEST_TEXT", T::Text, true),
    ("CURRENT_SCHEMA", T::S(64), true),
    ("OBJECT_TYPE", T::S(64), true),
    ("OBJECT_SCHEMA", T::S(64), true),
    ("OBJECT_NAME", T::S(64), true),
    ("OBJECT_INSTANCE_BEGIN", T::U, true),
    ("MYSQL_ERRNO", T::Int, true),
    ("RETURNED_SQLSTATE", T::S(5), true),
    ("MESSAGE_TEXT", T::S(128), true),
    ("ERRORS", T::U, false),
    ("WARNINGS", T::U, false),
    ("ROWS_AFFECTED", T::U, false),
    ("ROWS_SENT", T::U, false),
    ("ROWS_EXAMINED", T::U, false),
    ("CREATED_TMP_DISK_TABLES", T::U, false),
    ("CREATED_TMP_TABLES", T::U, false),
    ("SELECT_FULL_JOIN", T::U, false),
    ("SELECT_FULL_RANGE_JOIN", T::U, false),
    ("SELECT_RANGE", T::U, false),
    ("SELECT_RANGE_CHECK", T::U, false),
    ("SELECT_SCAN", T::U, false),
    ("SORT_MERGE_PASSES", T::U, false),
    ("SORT_RANGE", T::U, false),
    ("SORT_ROWS", T::U, false),
    ("SORT_SCAN", T::U, false),
    ("NO_INDEX_USED", T::U, false),
    ("NO_GOOD_INDEX_USED", T::U, false),
    ("NESTING_EVENT_ID", T::U, true),
    ("NESTING_EVENT_TYPE", T::Enum(&["TRANSACTION", "STATEMENT", "STAGE", "WAIT"]), true),
    ("NESTING_EVENT_LEVEL", T::Int, true),
    ("STATEMENT_ID", T::U, true),
    ("CPU_TIME", T::U, false),
    ("MAX_CONTROLLED_MEMORY", T::U, false),
    ("MAX_TOTAL_MEMORY", T::U, false),
    ("EXECUTION_ENGINE", EXECUTION, true),
];

const BY_DIGEST: Columns = &joined::<39>(&[
    &[("SCHEMA_NAME", T::S(64), true), ("DIGEST", T::S(64), true), ("DIGEST_TEXT", T::Text, true)],
    &ALL_TIMED,
    &OF_STATEMENTS,
    &[
        ("FIRST_SEEN", T::Stamp(6), false),
        ("LAST_SEEN", T::Stamp(6), false),
        ("QUANTILE_95", T::U, false),
        ("QUANTILE_99", T::U, false),
        ("QUANTILE_999", T::U, false),
        ("QUERY_SAMPLE_TEXT", T::Text, true),
        ("QUERY_SAMPLE_SEEN", T::Stamp(6), false),
        ("QUERY_SAMPLE_TIMER_WAIT", T::U, false),
    ],
]);

const PREPARED: Columns = &joined::<40>(&[
    &[
        ("OBJECT_INSTANCE_BEGIN", T::U, false),
        ("STATEMENT_ID", T::U, false),
        ("STATEMENT_NAME", T::S(64), true),
        ("SQL_TEXT", T::Text, false),
        ("OWNER_THREAD_ID", T::U, false),
        ("OWNER_EVENT_ID", T::U, false),
        ("OWNER_OBJECT_TYPE", T::Enum(&["EVENT", "FUNCTION", "PROCEDURE", "TABLE", "TRIGGER"]), true),
        ("OWNER_OBJECT_SCHEMA", T::S(64), true),
        ("OWNER_OBJECT_NAME", T::S(64), true),
        ("EXECUTION_ENGINE", EXECUTION, true),
        ("TIMER_PREPARE", T::U, false),
        ("COUNT_REPREPARE", T::U, false),
    ],
    &timed!("EXECUTE"),
    &OF_STATEMENTS,
]);

/// From ERRORS to NO_GOOD_INDEX_USED, which several tables have in this order.
pub(super) fn measures(t: &Totals) -> Vec<OwnedValue> {
    use Measure::*;
    let list = [
        Errors,
        Warnings,
        RowsAffected,
        RowsSent,
        RowsExamined,
        TmpDiskTables,
        TmpTables,
        FullJoin,
        FullRangeJoin,
        Range,
        RangeCheck,
        Scan,
        SortMergePasses,
        SortRange,
        SortRows,
        SortScan,
        NoIndexUsed,
    ];
    let mut out: Vec<OwnedValue> = list.into_iter().map(|m| u(t.get(m))).collect();
    out.push(u(0));
    out
}

/// CPU time and the most memory. Of memory all is what MySQL calls controlled: it counts for the limits.
pub(super) fn costs(t: &Totals) -> [OwnedValue; 3] {
    let memory = t.get(Measure::MaxMemory);
    [ps(t.get(Measure::CpuNs)), u(memory), u(memory)]
}

/// Sum, minimum, average, maximum and the time of locks.
pub(super) fn timers(t: &Totals) -> [OwnedValue; 5] {
    let ns = t.get(Measure::TimeNs);
    let average = ns.saturating_mul(1000).checked_div(t.get(Measure::Count)).unwrap_or(0);
    [ps(ns), ps(t.get(Measure::MinNs)), u(average), ps(t.get(Measure::MaxNs)), ps(t.get(Measure::LockNs))]
}

fn current(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    if !kept(Consumer::StatementsCurrent) {
        return Ok(Vec::new());
    }
    let open = v.connections.all();
    let digests = by_number();
    let rows = |c: &Arc<Connection>| match running_row(c) {
        Some(row) => std::iter::once(row).chain(super::programs::running(c)).collect(),
        None => {
            let kept = c.activity.recorder.kept();
            let last = kept.statements.last().map(|e| ended_row(e, digests.get(&e.digest)));
            last.into_iter().collect::<Vec<_>>()
        }
    };
    Ok(open.iter().flat_map(rows).collect())
}

/// Whether a consumer counts.
fn kept(c: Consumer) -> bool {
    instruments::active() & c.bit() != 0
}

/// MySQL shows what was kept while the consumer was on, whether it is now or not.
fn history(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let all = v.connections.all();
    Ok(ended(all.iter().flat_map(|c| c.activity.recorder.kept().statements.all())))
}

fn history_long(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let all = v.connections.all();
    Ok(ended(STATEMENTS_LONG.all(all.iter().map(|c| c.activity.recorder.kept().statements.unfilled()))))
}

fn by_number() -> HashMap<u64, Arc<Digest>> {
    all().into_iter().map(|d| (d.id, d)).collect()
}

fn ended(events: impl IntoIterator<Item = StatementEvent>) -> Vec<Row> {
    let digests = by_number();
    events.into_iter().map(|e| ended_row(&e, digests.get(&e.digest))).collect()
}

/// A statement's text without what stands around it.
fn trimmed(text: &[u8]) -> &[u8] {
    let mut text = text.trim_ascii();
    while let Some((b';' | 0, rest)) = text.split_last() {
        text = rest.trim_ascii_end();
    }
    text
}

fn ended_row(e: &StatementEvent, digest: Option<&Arc<Digest>>) -> Row {
    let mut t = Totals::default();
    t.only(&e.one);
    let t = &t;
    let text = digest.and_then(|d| d.text.as_ref());
    let or_null = |text: &str| if text.is_empty() { NULL } else { s(text) };
    let [event, last] = e.events;
    let time = |f: fn((u64, u64)) -> u64| e.times().map_or(NULL, |t| ps(f(t)));
    let sqlstate = ErrorCode::from_number(e.error).map_or("00000", |c| c.sqlstate());
    let mut row = vec![
        u(e.thread),
        u(event),
        u(last),
        s(e.name()),
        NULL,
        time(|t| t.0),
        time(|t| t.1),
        time(|t| t.1.saturating_sub(t.0)),
        ps(t.get(Measure::LockNs)),
        or_null(&String::from_utf8_lossy(trimmed(e.text()))),
        text.map_or(NULL, |t| s(&t.0)),
        text.map_or(NULL, |t| s(&t.1)),
        e.schema.as_ref().map_or(NULL, s),
    ];
    row.extend(super::programs::object(e.program.as_deref()));
    row.extend([
        i(i64::from(e.error)),
        if e.result_set && e.error == 0 { NULL } else { s(sqlstate) },
        or_null(&e.message),
    ]);
    row.extend(measures(t));
    row.extend(nesting(e.nesting()));
    row.extend([i(i64::from(e.level)), u(event)]);
    row.extend(costs(t));
    row.push(s("PRIMARY"));
    row
}

/// NESTING_EVENT_ID and _TYPE.
pub(super) fn nesting(n: Nesting) -> [OwnedValue; 2] {
    match n {
        Nesting::None | Nesting::Transaction(0) => [NULL, NULL],
        Nesting::Transaction(event) => [u(event), s("TRANSACTION")],
        Nesting::Statement(event) => [u(event), s("STATEMENT")],
    }
}

/// The statement that runs, if it is recorded.
fn running_row(c: &Connection) -> Option<Row> {
    let a = &c.activity;
    let event = a.event.load(Relaxed);
    let [start, end] = a.times.each_ref().map(|t| t.load(Relaxed));
    if event == 0 || end != 0 || a.recorder.flags() & INSTRUMENTED == 0 {
        return None;
    }
    let digest = a.digest();
    let text = digest.as_ref().and_then(|d| d.text.clone());
    let now = sys::clock::now_ns();
    let sql = c.text();
    let mut row = vec![
        u(c.id()),
        u(event),
        NULL,
        s(Instrument::of(a.kind.load(Relaxed)).unwrap_or(Instrument::QUERY).name()),
        NULL,
        ps(start),
        ps(now),
        ps(now.saturating_sub(start)),
        u(0),
        if sql.is_empty() { NULL } else { s(String::from_utf8_lossy(&sql)) },
        text.as_ref().map_or(NULL, |t| s(&t.0)),
        text.as_ref().map_or(NULL, |t| s(&t.1)),
        c.who().db.as_ref().map_or(NULL, s),
        NULL,
        NULL,
        NULL,
        NULL,
        i(0),
        NULL,
        NULL,
    ];
    row.extend(measures(&Totals::default()));
    let within = a.recorder.transaction.event();
    row.extend(nesting(if within == 0 || within > event { Nesting::None } else { Nesting::Transaction(within) }));
    row.extend([i(0), u(event), u(0), u(0), u(0), s("PRIMARY")]);
    Some(row)
}

fn by_digest(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |d: Arc<Digest>| {
        let t = d.totals();
        let h = d.histogram();
        let (sample, seen, took) = d.sampled();
        let mut row = vec![
            d.schema.as_ref().map_or(NULL, s),
            d.text.as_ref().map_or(NULL, |t| s(&t.0)),
            d.text.as_ref().map_or(NULL, |t| s(&t.1)),
            u(t.get(Measure::Count)),
        ];
        row.extend(timers(&t));
        row.extend(measures(&t));
        row.extend(costs(&t));
        row.push(u(0));
        row.extend([stamp(v, t.get(Measure::FirstSeen)), stamp(v, t.get(Measure::LastSeen))]);
        row.extend([0.95, 0.99, 0.999].map(|q| u(quantile(&h, q))));
        row.extend([s(String::from_utf8_lossy(&sample)), stamp(v, seen), ps(took)]);
        row
    };
    count_all(&v.connections.all());
    Ok(all().into_iter().filter(|d| d.totals().get(Measure::Count) > 0).map(row).collect())
}

/// BUCKET_NUMBER and what follows.
fn histogram(counts: &[u64]) -> Vec<Row> {
    let sum: u64 = counts.iter().sum();
    let mut below = 0;
    let mut out = Vec::with_capacity(BUCKETS);
    for (n, count) in counts.iter().enumerate() {
        below += count;
        let part = if sum == 0 { 0.0 } else { below as f64 / sum as f64 };
        let (low, high) = (u(low(n)), u(low(n + 1)));
        out.push(vec![u(n as u64), low, high, u(*count), u(below), OwnedValue::Double(part)]);
    }
    out
}

fn histogram_by_digest(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    count_all(&v.connections.all());
    let mut out = Vec::new();
    for d in all() {
        let names = [d.schema.as_ref().map_or(NULL, s), d.text.as_ref().map_or(NULL, |t| s(&t.0))];
        out.extend(histogram(&d.histogram()).into_iter().map(|r| names.iter().cloned().chain(r).collect::<Row>()));
    }
    Ok(out)
}

fn histogram_global(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    count_all(&v.connections.all());
    let mut sums = vec![0; BUCKETS];
    for d in all() {
        sums.iter_mut().zip(d.histogram()).for_each(|(to, n)| *to += n);
    }
    Ok(histogram(&sums))
}

fn prepared(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut out = Vec::new();
    for c in v.connections.all() {
        for (id, p) in c.prepared.lock().iter() {
            let t = p.stats.totals();
            let mut row = vec![
                u(Arc::as_ptr(p) as usize as u64),
                u(u64::from(*id)),
                p.name.lock().as_ref().map_or(NULL, s),
                s(String::from_utf8_lossy(p.text.shown().bytes())),
                u(c.id()),
                u(p.event),
                NULL,
                NULL,
                NULL,
                s("PRIMARY"),
                ps(p.prepare_ns),
                u(p.reprepared.load(Relaxed)),
                u(t.get(Measure::Count)),
            ];
            row.extend(timers(&t));
            row.extend(measures(&t));
            row.extend(costs(&t));
            row.push(u(0));
            out.push(row);
        }
    }
    Ok(out)
}

fn waits(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    // what sessions alone count
    let idle = super::phases::idle(v);
    let all = Instrument::all().filter(|(_, d)| matches!(d.class, Class::Wait | Class::Idle));
    let row = |(i, d): (Instrument, &probe::instruments::Def)| {
        let mut row = vec![s(&d.name)];
        let times = if i == Instrument::IDLE { idle } else { probe::waits::sums(i).times() };
        row.extend(super::transactions::times(&times));
        row
    };
    Ok(all.map(row).collect())
}

/// TRUNCATE TABLE: false if the table cannot be.
pub fn truncate(table: &str, connections: &Connections) -> bool {
    let table = table.to_ascii_lowercase();
    if super::sums::truncate(&table, connections)
        || super::transactions::truncate(&table, connections)
        || super::errors::truncate(&table, connections)
        || super::phases::truncate(&table, connections)
        || super::files::truncate(&table)
        || super::table_io::truncate(&table)
        || super::memory::truncate(&table, connections)
        || super::sockets::truncate(&table)
        || super::programs::truncate(&table)
        || super::compression::truncate(&table)
    {
        return true;
    }
    match table.as_str() {
        "events_statements_history" => {
            connections.all().iter().for_each(|c| c.activity.recorder.kept().clear_statements())
        }
        "events_statements_history_long" => {
            STATEMENTS_LONG.clear();
            connections.all().iter().for_each(|c| c.activity.recorder.kept().statements.clear_unfilled());
        }
        "events_statements_current" => connections.all().iter().for_each(|c| {
            c.activity.event.store(0, Relaxed);
            c.activity.recorder.kept().statements.hide();
        }),
        "setup_actors" => probe::events::actors(Vec::clear),
        "setup_objects" => probe::objects::change(Vec::clear),
        "events_statements_summary_by_digest"
        | "events_statements_histogram_by_digest"
        | "events_statements_histogram_global" => {
            count_all(&connections.all());
            probe::statements::truncate();
        }
        "events_waits_summary_global_by_event_name" => {
            Instrument::all().for_each(|(i, _)| probe::waits::sums(i).reset())
        }
        "host_cache" => {}
        _ => return false,
    }
    true
}
