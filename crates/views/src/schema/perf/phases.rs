//! events_stages_* and events_waits_*: current, histories, and sums by thread, account, user, host (stages also in
//! all).
//!
//! A wait is there if it blocked or did something to a file, and belongs to a session;
//! events_waits_summary_global_by_event_name (`statements.rs`) has those of background threads too. SPINS and SOURCE
//! are NULL. Tested: `tests/clients/test_phase_events.py`, `test_file_events.py`.

use super::super::{Columns, NULL, Row, SessionView, Spec, T, i, joined, s, u};
use super::sum_columns::ALL_TIMED;
use super::sums::{Column, who_columns, who_values};
use super::transactions::times;
use super::{PS, ps, threads};
use catalog::connections::{Connection, Connections};
use probe::instruments::{Class, Instrument};
use probe::phases::{Phase, PhaseEvent, Stats};
use probe::summaries::{Account, ByKind, Level, Sums as Own};
use probe::waits::{Object, Part};
use std::sync::Arc;

const NESTING: T = T::Enum(&["TRANSACTION", "STATEMENT", "STAGE", "WAIT"]);

const STAGES: Columns = &[
    ("THREAD_ID", T::U, false),
    ("EVENT_ID", T::U, false),
    ("END_EVENT_ID", T::U, true),
    ("EVENT_NAME", T::S(128), false),
    ("SOURCE", T::S(64), true),
    ("TIMER_START", T::U, true),
    ("TIMER_END", T::U, true),
    ("TIMER_WAIT", T::U, true),
    ("WORK_COMPLETED", T::U, true),
    ("WORK_ESTIMATED", T::U, true),
    ("NESTING_EVENT_ID", T::U, true),
    ("NESTING_EVENT_TYPE", NESTING, true),
];

const WAITS: Columns = &[
    ("THREAD_ID", T::U, false),
    ("EVENT_ID", T::U, false),
    ("END_EVENT_ID", T::U, true),
    ("EVENT_NAME", T::S(128), false),
    ("SOURCE", T::S(64), true),
    ("TIMER_START", T::U, true),
    ("TIMER_END", T::U, true),
    ("TIMER_WAIT", T::U, true),
    ("SPINS", T::UInt, true),
    ("OBJECT_SCHEMA", T::S(64), true),
    ("OBJECT_NAME", T::S(512), true),
    ("INDEX_NAME", T::S(64), true),
    ("OBJECT_TYPE", T::S(64), true),
    ("OBJECT_INSTANCE_BEGIN", T::U, false),
    ("NESTING_EVENT_ID", T::U, true),
    ("NESTING_EVENT_TYPE", NESTING, true),
    ("OPERATION", T::S(32), false),
    ("NUMBER_OF_BYTES", T::I, true),
    ("FLAGS", T::UInt, true),
];

/// EVENT_NAME and the sums.
const SUMS: [Column; 6] = joined(&[&[("EVENT_NAME", T::S(128), false)], &ALL_TIMED]);
const BY_THREAD: [Column; 7] = who_columns([("THREAD_ID", T::U, false)], &SUMS);
const BY_ACCOUNT: [Column; 8] = who_columns([threads::USER, threads::HOST], &SUMS);
const BY_USER: [Column; 7] = who_columns([threads::USER], &SUMS);
const BY_HOST: [Column; 7] = who_columns([threads::HOST], &SUMS);

pub(in super::super) const TABLES: &[Spec] = &[
    Spec { schema: PS, name: "events_stages_current", columns: STAGES, rows: |v, _| Ok(current(v, Phase::Stage)) },
    Spec { schema: PS, name: "events_stages_history", columns: STAGES, rows: |v, _| Ok(history(v, Phase::Stage)) },
    Spec { schema: PS, name: "events_stages_history_long", columns: STAGES, rows: |v, _| Ok(long(v, Phase::Stage)) },
    Spec { schema: PS, name: "events_waits_current", columns: WAITS, rows: |v, _| Ok(current(v, Phase::Wait)) },
    Spec { schema: PS, name: "events_waits_history", columns: WAITS, rows: |v, _| Ok(history(v, Phase::Wait)) },
    Spec { schema: PS, name: "events_waits_history_long", columns: WAITS, rows: |v, _| Ok(long(v, Phase::Wait)) },
    Spec {
        schema: PS,
        name: "events_stages_summary_by_thread_by_event_name",
        columns: &BY_THREAD,
        rows: |v, _| Ok(by_thread(v, Phase::Stage)),
    },
    Spec {
        schema: PS,
        name: "events_stages_summary_by_account_by_event_name",
        columns: &BY_ACCOUNT,
        rows: |v, _| Ok(by(v, Phase::Stage, Level::Account)),
    },
    Spec {
        schema: PS,
        name: "events_stages_summary_by_user_by_event_name",
        columns: &BY_USER,
        rows: |v, _| Ok(by(v, Phase::Stage, Level::User)),
    },
    Spec {
        schema: PS,
        name: "events_stages_summary_by_host_by_event_name",
        columns: &BY_HOST,
        rows: |v, _| Ok(by(v, Phase::Stage, Level::Host)),
    },
    Spec {
        schema: PS,
        name: "events_stages_summary_global_by_event_name",
        columns: &SUMS,
        rows: |v, _| Ok(by(v, Phase::Stage, Level::Global)),
    },
    Spec {
        schema: PS,
        name: "events_waits_summary_by_thread_by_event_name",
        columns: &BY_THREAD,
        rows: |v, _| Ok(by_thread(v, Phase::Wait)),
    },
    Spec {
        schema: PS,
        name: "events_waits_summary_by_account_by_event_name",
        columns: &BY_ACCOUNT,
        rows: |v, _| Ok(by(v, Phase::Wait, Level::Account)),
    },
    Spec {
        schema: PS,
        name: "events_waits_summary_by_user_by_event_name",
        columns: &BY_USER,
        rows: |v, _| Ok(by(v, Phase::Wait, Level::User)),
    },
    Spec {
        schema: PS,
        name: "events_waits_summary_by_host_by_event_name",
        columns: &BY_HOST,
        rows: |v, _| Ok(by(v, Phase::Wait, Level::Host)),
    },
];

fn current(v: &SessionView, phase: Phase) -> Vec<Row> {
    let all = v.connections.all();
    let of = |c: &Arc<Connection>| {
        let r = &c.activity.recorder;
        let idle = if phase == Phase::Wait { c.idle_since().and_then(|since| r.idle_now(since)) } else { None };
        idle.or_else(|| r.kept().last_phase(phase))
    };
    rows(v, phase, all.iter().filter_map(of).collect())
}

fn history(v: &SessionView, phase: Phase) -> Vec<Row> {
    let all = v.connections.all();
    rows(v, phase, all.iter().flat_map(|c| c.activity.recorder.kept().phases(phase)).collect())
}

fn long(v: &SessionView, phase: Phase) -> Vec<Row> {
    let all = v.connections.all();
    rows(v, phase, phase.shared().long.all(all.iter().map(|c| c.activity.recorder.kept().unfilled_phases(phase))))
}

fn rows(v: &SessionView, phase: Phase, mut events: Vec<PhaseEvent>) -> Vec<Row> {
    if events.iter().any(|e| number(e.about.part).is_some()) {
        let objects = super::locks::objects(&v.engine);
        for e in &mut events {
            e.about.object = e.about.object.take().or_else(|| locked(&objects, number(e.about.part)?));
        }
    }
    events.iter().map(|e| row(phase, e)).collect()
}

/// Whether a lock of a table is waited for, and its number or that of the index.
fn number(part: Part) -> Option<(bool, u64)> {
    match part {
        Part::Table(n) => Some((true, n)),
        Part::Index(n) => Some((false, n)),
        Part::None | Part::Bytes(_) => None,
    }
}

/// What is locked, by its number; `None`: it is gone.
fn locked(objects: &super::locks::Objects, what: (bool, u64)) -> Option<Arc<Object>> {
    let (table, index) = objects.get(&what)?;
    let index = index.and_then(|n| table.indexes.get(n)).map(|i| i.name.clone());
    let (schema, name) = (Some(table.schema.clone()), Some(table.name.clone()));
    Some(Arc::new(Object { kind: "TABLE", schema, name, index }))
}

fn row(phase: Phase, e: &PhaseEvent) -> Row {
    let runs = e.events.1 == 0;
    let times = e.times().map(|(from, to)| (from, if runs { sys::clock::now_ns() } else { to }));
    let name = Instrument::of(e.instrument).map_or(NULL, |i| s(i.name()));
    let mut row = vec![
        u(e.thread),
        u(e.events.0),
        if runs { NULL } else { u(e.events.1) },
        name,
        NULL,
        times.map_or(NULL, |t| ps(t.0)),
        times.map_or(NULL, |t| ps(t.1)),
        times.map_or(NULL, |t| ps(t.1.saturating_sub(t.0))),
    ];
    let nesting =
        if e.nesting == 0 { [NULL, NULL] } else { [u(e.nesting), s(if e.in_stage { "STAGE" } else { "STATEMENT" })] };
    match phase {
        Phase::Stage => {
            let (completed, estimated) = e.work.as_deref().map_or((NULL, NULL), |(done, all)| (u(*done), u(*all)));
            row.extend([completed, estimated].into_iter().chain(nesting));
        }
        Phase::Wait => {
            let o = e.about.object.as_deref();
            let bytes = if let Part::Bytes(n) = e.about.part { i(n as i64) } else { NULL };
            let name = |n: Option<&String>| n.map_or(NULL, s);
            row.push(NULL);
            row.push(name(o.and_then(|o| o.schema.as_ref())));
            row.push(name(o.and_then(|o| o.name.as_ref())));
            row.push(name(o.and_then(|o| o.index.as_ref())));
            row.push(o.map_or(NULL, |o| s(o.kind)));
            row.push(u(e.about.address as u64));
            row.extend(nesting);
            row.extend([s(operation(e)), bytes, NULL]);
        }
    }
    row
}

/// What a wait does, in MySQL's words for its class.
fn operation(e: &PhaseEvent) -> &'static str {
    if !e.about.operation.is_empty() {
        return e.about.operation;
    }
    let name = Instrument::of(e.instrument).map_or("", Instrument::name);
    match name {
        "wait/lock/metadata/sql/mdl" | "wait/lock/user/sql/get_lock" => "metadata lock",
        _ if name.starts_with("wait/synch/cond") => "timed_wait",
        _ if name.starts_with("wait/lock") => "lock",
        _ => "idle",
    }
}

/// A row for each instrument of the class.
fn kinds(phase: Phase, who: &[value::OwnedValue], sums: &ByKind<Stats>) -> Vec<Row> {
    let of = |c: Class| match phase {
        Phase::Stage => c == Class::Stage,
        Phase::Wait => matches!(c, Class::Wait | Class::Idle),
    };
    let all = Instrument::all().filter(|(_, d)| of(d.class));
    let row = |(kind, def): (Instrument, &probe::instruments::Def)| {
        let mut row = who.to_vec();
        row.push(s(&def.name));
        row.extend(times(&sums.get(&kind.number()).copied().unwrap_or_default()));
        row
    };
    all.map(row).collect()
}

fn by_thread(v: &SessionView, phase: Phase) -> Vec<Row> {
    let rows = |c: &Arc<Connection>| kinds(phase, &[u(c.id())], &c.activity.recorder.phases.sums(phase).all());
    v.connections.all().iter().flat_map(rows).collect()
}

fn live(connections: &[Arc<Connection>], phase: Phase) -> impl Iterator<Item = (Account, &Own<Stats>)> {
    connections.iter().map(move |c| (super::sums::account(c), c.activity.recorder.phases.sums(phase)))
}

fn by(v: &SessionView, phase: Phase, level: Level) -> Vec<Row> {
    let open = v.connections.all();
    let all = phase.shared().sums.read(level, live(&open, phase));
    all.into_iter().flat_map(|(who, sums)| kinds(phase, &who_values(level, who), &sums)).collect()
}

/// How long sessions were without a command, in all.
pub(super) fn idle(v: &SessionView) -> probe::timing::Times {
    let open = v.connections.all();
    let all = Phase::Wait.shared().sums.read(Level::Global, live(&open, Phase::Wait));
    all.iter().find_map(|(_, sums)| sums.get(&Instrument::IDLE.number()).copied()).unwrap_or_default()
}

/// TRUNCATE TABLE of one of these tables; false: it is none of them.
pub(super) fn truncate(table: &str, connections: &Connections) -> bool {
    let all = connections.all();
    for (phase, name) in [(Phase::Stage, "events_stages_"), (Phase::Wait, "events_waits_")] {
        let Some(rest) = table.strip_prefix(name) else { continue };
        match rest {
            "current" => all.iter().for_each(|c| c.activity.recorder.kept().hide_phases(phase)),
            "history" => all.iter().for_each(|c| c.activity.recorder.kept().clear_phases(phase, false)),
            "history_long" => {
                phase.shared().long.clear();
                all.iter().for_each(|c| c.activity.recorder.kept().clear_phases(phase, true));
            }
            _ => match super::sums::level(rest, "summary_") {
                // that of waits is kept elsewhere, and counts more than sessions
                Some(Level::Global) if phase == Phase::Wait => {
                    phase.shared().sums.truncate(Level::Global, live(&all, phase));
                    return false;
                }
                Some(level) => phase.shared().sums.truncate(level, live(&all, phase)),
                None => return false,
            },
        }
        return true;
    }
    false
}
