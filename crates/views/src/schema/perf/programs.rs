//! events_statements_summary_by_program, and the statements of programs in events_statements_current.
//!
//! What is counted is [`probe::programs`] and [`probe::steps`]. A program has a row once it has run; one that is gone
//! has none. Tested: `tests/clients/test_program_events.py`.

use super::super::{Column, Hints, NULL, Row, SessionView, Spec, T, i, joined, s, u};
use super::statements::{costs, measures, nesting, timers};
use super::sum_columns::{ALL_TIMED, OF_STATEMENTS};
use super::{PS, is_on, ps};
use base::SqlResult;
use catalog::connections::Connection;
use probe::events::RunningStep;
use probe::instruments::Instrument;
use probe::objects::Kind;
use probe::programs::{Program, all, keep};
use probe::statements::{Measure, Totals};
use storage::dict::ProgramKind;
use value::OwnedValue;

pub(in super::super) const TABLES: &[Spec] =
    &[Spec { schema: PS, name: "events_statements_summary_by_program", columns: &BY_PROGRAM, rows: by_program }];

const PROGRAM: T = T::Enum(&["EVENT", "FUNCTION", "PROCEDURE", "TABLE", "TRIGGER"]);

const BY_PROGRAM: [Column; 36] = joined(&[
    &[("OBJECT_TYPE", PROGRAM, false), ("OBJECT_SCHEMA", T::S(64), false), ("OBJECT_NAME", T::S(64), false)],
    &ALL_TIMED,
    &[
        ("COUNT_STATEMENTS", T::U, false),
        ("SUM_STATEMENTS_WAIT", T::U, false),
        ("MIN_STATEMENTS_WAIT", T::U, false),
        ("AVG_STATEMENTS_WAIT", T::U, false),
        ("MAX_STATEMENTS_WAIT", T::U, false),
    ],
    &OF_STATEMENTS,
]);

/// OBJECT_TYPE, _SCHEMA, _NAME and _INSTANCE_BEGIN of an event.
pub(super) fn object(p: Option<&Program>) -> [OwnedValue; 4] {
    match p {
        Some(p) => [s(p.kind.word()), s(&p.schema), s(&p.name), NULL],
        None => [NULL, NULL, NULL, NULL],
    }
}

/// The statements of programs that a session runs, the outermost first.
pub(super) fn running(c: &Connection) -> Vec<Row> {
    let all = c.activity.recorder.running().clone();
    all.iter().filter(|r| r.recorded).map(|r| running_row(c.id(), r)).collect()
}

fn running_row(thread: u64, r: &RunningStep) -> Row {
    let now = sys::clock::now_ns();
    let name = Instrument::of(r.instrument).map_or(NULL, |n| s(n.name()));
    let text = r.text.as_ref().filter(|t| !t.is_empty());
    let mut row = vec![
        u(thread),
        u(r.event),
        NULL,
        name,
        NULL,
        ps(r.began),
        ps(now),
        ps(now.saturating_sub(r.began)),
        u(0),
        text.map_or(NULL, |t| s(String::from_utf8_lossy(t))),
        NULL,
        NULL,
        r.schema.as_ref().map_or(NULL, s),
    ];
    row.extend(object(r.program.as_deref()));
    row.extend([i(0), NULL, NULL]);
    row.extend(measures(&Totals::default()));
    row.extend(nesting(r.nesting.0));
    row.extend([i(i64::from(r.nesting.1)), u(r.event), u(0), u(0), u(0), s("PRIMARY")]);
    row
}

fn kind(k: Kind) -> Option<ProgramKind> {
    match k {
        Kind::Event => Some(ProgramKind::Event),
        Kind::Function => Some(ProgramKind::Function),
        Kind::Procedure => Some(ProgramKind::Procedure),
        Kind::Trigger => Some(ProgramKind::Trigger),
        Kind::Table => None,
    }
}

fn by_program(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    if !is_on(v) {
        return Ok(Vec::new());
    }
    let dict = v.engine.dict();
    keep(|p| kind(p.kind).is_some_and(|k| dict.program(k, &p.schema, &p.name).is_some()));
    let mut programs = all();
    programs.sort_by(|a, b| (a.kind.word(), &a.schema, &a.name).cmp(&(b.kind.word(), &b.schema, &b.name)));
    let row = |p: &std::sync::Arc<Program>| {
        let sums = p.sums();
        let t = &sums.statements;
        let mut row = vec![s(p.kind.word()), s(&p.schema), s(&p.name)];
        row.extend(super::transactions::times(&sums.runs));
        row.push(u(t.get(Measure::Count)));
        row.extend(timers(t));
        row.extend(measures(t));
        row.extend(costs(t));
        row.push(u(0));
        row
    };
    Ok(programs.iter().map(row).collect())
}

/// TRUNCATE TABLE; false: it is another table.
pub(super) fn truncate(table: &str) -> bool {
    let own = table == "events_statements_summary_by_program";
    if own {
        probe::programs::truncate();
    }
    own
}
