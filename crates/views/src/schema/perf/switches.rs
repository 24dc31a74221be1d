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
use probe::instruments::{Consumer, Instrument, switch_consumers};
use probe::objects::{self, Kind, Rule};
use probe::threads::ThreadClass;
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
    Spec {
        schema: PS,
        name: "setup_objects",
        columns: &[
            ("OBJECT_TYPE", T::Or(&OBJECTS, "TABLE"), false),
            ("OBJECT_SCHEMA", T::Or(&T::S(64), "%"), true),
            ("OBJECT_NAME", T::Or(&T::S(64), "%"), false),
            ("ENABLED", T::Or(&YES_NO, "YES"), false),
            ("TIMED", T::Or(&YES_NO, "YES"), false),
        ],
        rows: object_rows,
    },
    Spec {
        schema: PS,
        name: "setup_threads",
        columns: &[
            ("NAME", T::S(128), false),
            ("ENABLED", YES_NO, false),
            ("HISTORY", YES_NO, false),
            ("PROPERTIES", T::Set(&["singleton", "user"]), false),
            ("VOLATILITY", T::Int, false),
            ("DOCUMENTATION", T::Text, true),
        ],
        rows: thread_rows,
    },
];

const OBJECTS: T = T::Enum(&["EVENT", "FUNCTION", "PROCEDURE", "TABLE", "TRIGGER"]);

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
        let timed = if d.class.has_time() { yes(n.timed()) } else { NULL };
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

fn object_rows(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    if !on(v) {
        return Ok(Vec::new());
    }
    let row = |r: &Rule| {
        let [schema, name] = r.names.each_ref().map(s);
        vec![s(r.kind.word()), schema, name, yes(r.enabled), yes(r.timed)]
    };
    Ok(objects::rules(|all| all.iter().map(row).collect()))
}

fn thread_rows(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let all = if on(v) { ThreadClass::all() } else { &[] };
    let row = |c: &ThreadClass| {
        let [enabled, history] = [INSTRUMENTED, KEEPS_HISTORY].map(|bit| yes(c.flags() & bit != 0));
        vec![s(c.name), enabled, history, s(c.properties), i(0), NULL]
    };
    Ok(all.iter().map(row).collect())
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
const SETUP: [Setup; 6] = [
    Setup { name: "setup_instruments", changes: &[1, 2], rows: false },
    Setup { name: "setup_consumers", changes: &[1], rows: false },
    Setup { name: "setup_actors", changes: &[3, 4], rows: true },
    Setup { name: "setup_objects", changes: &[3, 4], rows: true },
    Setup { name: "setup_threads", changes: &[1, 2], rows: false },
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
        "setup_objects" => objects::change(|all| {
            for r in all.iter_mut().filter(|r| is_row(r, old)) {
                (r.enabled, r.timed) = (enabled, more);
            }
        }),
        "setup_threads" => {
            let class = ThreadClass::all().iter().find(|c| c.name == name);
            class.into_iter().for_each(|c| c.set_flags(flags_of(enabled, more)));
        }
        _ => {
            let number = |n: usize| old.get(n).and_then(|v| if let OwnedValue::UInt(n) = v { Some(*n) } else { None });
            if let Some(c) = number(0).and_then(|id| connections.get(id)) {
                c.activity.recorder.set_flags(flags_of(enabled, more));
            } else if let Some(tid) = number(THREAD_OS_ID) {
                probe::threads::set_flags(tid, flags_of(enabled, more));
            }
        }
    }
    Ok(enabled != was(first) || second != usize::MAX && more != was(second))
}

/// Place of THREAD_OS_ID in table threads.
const THREAD_OS_ID: usize = 16;

fn flags_of(enabled: bool, history: bool) -> u8 {
    u8::from(enabled) * INSTRUMENTED + u8::from(history) * KEEPS_HISTORY
}

/// An OBJECT_TYPE, by its word or its number.
fn kind_of(v: &OwnedValue) -> Option<Kind> {
    let numbered = |n: u64| usize::try_from(n).ok()?.checked_sub(1).and_then(|n| Kind::ALL.get(n)).copied();
    match v {
        OwnedValue::Str(word) => Kind::of(word),
        OwnedValue::Int(n) => u64::try_from(*n).ok().and_then(numbered),
        OwnedValue::UInt(n) => numbered(*n),
        _ => None,
    }
}

/// Whether a row of setup_objects is this one.
fn is_row(r: &Rule, row: &[OwnedValue]) -> bool {
    let names = [1, 2].map(|n: usize| text(row.get(n)));
    row.first().and_then(kind_of) == Some(r.kind) && r.names == names
}

/// Adds a row to setup_actors or setup_objects. `values`: of all columns, `None` for what is not given.
///
/// # Errors
/// 1265 for a value that the column does not have, 1048 for NULL, 1022 for a row that is there.
pub fn insert(table: &Setup, values: &[Option<OwnedValue>], row: u64) -> SqlResult<()> {
    let given = |n: usize| values.get(n).and_then(Option::as_ref);
    let objects = table.name == "setup_objects";
    let columns = if objects {
        ["OBJECT_TYPE", "OBJECT_SCHEMA", "OBJECT_NAME", "ENABLED", "TIMED"]
    } else {
        ["HOST", "USER", "ROLE", "ENABLED", "HISTORY"]
    };
    for (n, column) in columns.iter().enumerate() {
        if matches!(given(n), Some(OwnedValue::Null)) && !(objects && n == 1) {
            return Err(SqlError::new(ErrorCode::BAD_NULL_ERROR, &[column]));
        }
    }
    let name = |n| given(n).map_or_else(|| "%".to_owned(), |v| text(Some(v)));
    let switch = |n| given(n).map_or(Ok(true), |v| flag(v, columns.get(n).copied().unwrap_or_default(), row));
    let (first, second) = (switch(3)?, switch(4)?);
    let there = || SqlError::new(ErrorCode::DUP_KEY, &[&table.name]);
    if !objects {
        let actor = Actor { who: [name(0), name(1), name(2)], enabled: first, history: second };
        return actors(|all| {
            if all.iter().any(|a| a.who == actor.who) {
                return Err(there());
            }
            all.push(actor);
            Ok(())
        });
    }
    let kind = given(0).map_or(Some(Kind::Table), kind_of);
    let kind = kind.ok_or_else(|| SqlError::new(ErrorCode::WARN_DATA_TRUNCATED, &[&"OBJECT_TYPE", &row]))?;
    let rule = Rule { kind, names: [name(1), name(2)], enabled: first, timed: second };
    objects::change(|all| {
        if all.iter().any(|r| r.kind == kind && r.names == rule.names) {
            return Err(there());
        }
        all.push(rule);
        Ok(())
    })
}

/// Takes a row from setup_actors or setup_objects.
pub fn delete(table: &Setup, old: &[OwnedValue]) {
    if table.name == "setup_objects" {
        objects::change(|all| all.retain(|r| !is_row(r, old)));
        return;
    }
    let who = [0, 1, 2].map(|n: usize| text(old.get(n)));
    actors(|all| all.retain(|a| a.who != who));
}
