//! setup_instruments, setup_consumers, setup_actors and setup_threads: what is recorded, and how UPDATE, INSERT and
//! DELETE change it. The statements are the session's (`session::statements::setup_tables`), which finds the rows by a
//! query; a change of one row is made here.
//!
//! Only columns that MySQL lets one change can be: 1683 for the others, 1265 for a value that is neither YES nor NO,
//! 1022 for an actor that is there. What is changed acts from the next event on, of actors from the next login on.
//! Nothing is durable. Tested: `tests/clients/test_setup_tables.py`.

use super::super::column_types::{ASCII, BIN4, YES_NO};
use super::super::{Columns, Hints, NULL, Row, SessionView, Spec, T, i, s};
use super::PS;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::connections::Connections;
use catalog::sysvar::Var;
use probe::events::{Actor, INSTRUMENTED, KEEPS_HISTORY, actors};
use probe::instruments::{Class, Consumer, Instrument, switch_consumers};
use value::OwnedValue;

const PROPERTIES: T =
    T::Set(&["singleton", "progress", "user", "global_statistics", "mutable", "controlled_by_default"]);

pub(in super::super) const TABLES: &[Spec] = &[
    Spec {
        schema: PS,
        name: "setup_instruments",
        columns: &[
            ("NAME", T::S(128), false),
            ("ENABLED", YES_NO, false),
            ("TIMED", YES_NO, true),
            ("PROPERTIES", PROPERTIES, false),
            ("FLAGS", T::Set(&["controlled"]), true),
            ("VOLATILITY", T::Int, false),
            ("DOCUMENTATION", T::Text, true),
        ],
        rows: instruments,
    },
    Spec {
        schema: PS,
        name: "setup_consumers",
        columns: &[("NAME", T::S(64), false), ("ENABLED", YES_NO, false)],
        rows: consumers,
    },
    Spec { schema: PS, name: "setup_actors", columns: ACTORS, rows: actor_rows },
];

const ACTORS: Columns = &[
    ("HOST", T::Or(&T::In(&T::Char(255), ASCII), "%"), false),
    ("USER", T::Or(&T::In(&T::Char(32), BIN4), "%"), false),
    ("ROLE", T::Or(&T::In(&T::Char(32), BIN4), "%"), false),
    ("ENABLED", T::Or(&YES_NO, "YES"), false),
    ("HISTORY", T::Or(&YES_NO, "YES"), false),
];

fn on(v: &SessionView) -> bool {
    v.globals.bool(Var::performance_schema)
}

fn yes(yes: bool) -> OwnedValue {
    s(if yes { "YES" } else { "NO" })
}

fn instruments(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    if !on(v) {
        return Ok(Vec::new());
    }
    let row = |(n, d): (Instrument, &probe::instruments::Def)| {
        let timed = if d.class == Class::Error { NULL } else { yes(n.timed()) };
        vec![s(&d.name), yes(n.enabled()), timed, s(d.properties), NULL, i(0), d.doc.map_or(NULL, s)]
    };
    Ok(Instrument::all().map(row).collect())
}

fn consumers(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let all = if on(v) { Consumer::ALL } else { &[] };
    Ok(all.iter().map(|c| vec![s(c.name()), yes(c.is_on())]).collect())
}

fn actor_rows(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    if !on(v) {
        return Ok(Vec::new());
    }
    let row = |a: &Actor| a.who.iter().map(s).chain([yes(a.enabled), yes(a.history)]).collect();
    Ok(actors(|all| all.iter().map(row).collect()))
}

/// What may be done with the rows of a setup table.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Its name.
    pub name: &'static str,
    /// The places of the columns that UPDATE may change.
    pub changes: &'static [usize],
    /// INSERT and DELETE may be used.
    pub rows: bool,
}

/// The tables that can be changed, in lower case.
const SETUP: [Setup; 4] = [
    Setup { name: "setup_instruments", changes: &[1, 2], rows: false },
    Setup { name: "setup_consumers", changes: &[1], rows: false },
    Setup { name: "setup_actors", changes: &[3, 4], rows: true },
    Setup { name: "threads", changes: &[13, 14], rows: false },
];

/// The table of this name, if it can be changed.
pub fn setup(table: &str) -> Option<Setup> {
    SETUP.into_iter().find(|t| t.name.eq_ignore_ascii_case(table))
}

/// YES or NO, or the number of the value: 1265 for anything else. `row` counts from 1.
fn flag(v: &OwnedValue, column: &str, row: u64) -> SqlResult<bool> {
    let found = match v {
        OwnedValue::Str(text) if text.eq_ignore_ascii_case(b"YES") => Some(true),
        OwnedValue::Str(text) if text.eq_ignore_ascii_case(b"NO") => Some(false),
        OwnedValue::Int(1) | OwnedValue::UInt(1) => Some(true),
        OwnedValue::Int(2) | OwnedValue::UInt(2) => Some(false),
        _ => None,
    };
    found.ok_or_else(|| SqlError::new(ErrorCode::WARN_DATA_TRUNCATED, &[&column, &row]))
}

fn text(v: Option<&OwnedValue>) -> String {
    match v {
        Some(OwnedValue::Str(t)) => String::from_utf8_lossy(t).into_owned(),
        _ => String::new(),
    }
}

/// The flag at a place of a row: the new value, or what stands there.
fn new_flag(old: &[OwnedValue], new: &[(usize, OwnedValue)], at: usize, row: u64) -> SqlResult<bool> {
    let columns = ["", "ENABLED", "TIMED"];
    let value = new.iter().rev().find(|(n, _)| *n == at).map(|(_, v)| v).or_else(|| old.get(at));
    match value {
        // TIMED of what has no times
        Some(OwnedValue::Null) | None => Ok(false),
        Some(v) => flag(v, columns.get(at).copied().unwrap_or("ENABLED"), row),
    }
}

/// Changes one row. `old`: all its columns; `new`: places and values of those that change. Whether it is another now.
///
/// # Errors
/// 1265 for a value that the column does not have.
pub fn update(
    table: &Setup,
    old: &[OwnedValue],
    new: &[(usize, OwnedValue)],
    row: u64,
    connections: &Connections,
) -> SqlResult<bool> {
    let [first, second] = [0, 1].map(|n: usize| table.changes.get(n).copied().unwrap_or(usize::MAX));
    let enabled = new_flag(old, new, first, row)?;
    let more = if second == usize::MAX { false } else { new_flag(old, new, second, row)? };
    let name = text(old.first());
    let was = |at: usize| old.get(at).is_some_and(|v| flag(v, "", 0) == Ok(true));
    match table.name {
        "setup_instruments" => {
            if let Some((n, _)) = Instrument::all().find(|(_, d)| d.name == name) {
                n.set(enabled, more);
            }
        }
        "setup_consumers" => {
            if let Some(c) = Consumer::named(&name) {
                switch_consumers(c.bit(), if enabled { c.bit() } else { 0 });
            }
        }
        "setup_actors" => {
            let who = [0, 1, 2].map(|n: usize| text(old.get(n)));
            actors(|all| {
                for a in all.iter_mut().filter(|a| a.who == who) {
                    (a.enabled, a.history) = (enabled, more);
                }
            });
        }
        _ => {
            let id = old.first().and_then(|v| if let OwnedValue::UInt(n) = v { Some(*n) } else { None });
            if let Some(c) = id.and_then(|id| connections.get(id)) {
                let flags = u8::from(enabled) * INSTRUMENTED + u8::from(more) * KEEPS_HISTORY;
                c.activity.recorder.set_flags(flags);
            } else if enabled != was(first) || more != was(second) {
                return Err(SqlError::unsupported("switching the recording of a background thread"));
            }
        }
    }
    Ok(enabled != was(first) || second != usize::MAX && more != was(second))
}

/// Adds a row to setup_actors. `values`: of all columns, `None` for what is not given.
///
/// # Errors
/// 1265 for a value that the column does not have, 1022 for an actor that is there.
pub fn insert(values: &[Option<OwnedValue>], row: u64) -> SqlResult<()> {
    let given = |n: usize| values.get(n).and_then(Option::as_ref);
    let name = |n| given(n).map_or_else(|| "%".to_owned(), |v| text(Some(v)));
    let switch = |n, column| given(n).map_or(Ok(true), |v| flag(v, column, row));
    let actor =
        Actor { who: [name(0), name(1), name(2)], enabled: switch(3, "ENABLED")?, history: switch(4, "HISTORY")? };
    actors(|all| {
        if all.iter().any(|a| a.who == actor.who) {
            return Err(SqlError::new(ErrorCode::DUP_KEY, &[&"setup_actors"]));
        }
        all.push(actor);
        Ok(())
    })
}

/// Takes a row from setup_actors.
pub fn delete(old: &[OwnedValue]) {
    let who = [0, 1, 2].map(|n: usize| text(old.get(n)));
    actors(|all| all.retain(|a| a.who != who));
}
