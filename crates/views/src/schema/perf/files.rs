//! file_instances, file_summary_by_event_name, file_summary_by_instance; mutex_instances, rwlock_instances,
//! cond_instances, events_waits_summary_by_instance.
//!
//! Files are those that the engine and temporary results use ([`probe::files`]); a latch has a row once somebody has
//! waited for it while its instrument was on, the partitions of metadata locks always ([`probe::instances`]). Who holds
//! a latch is not known: NULL and 0. Tested: `tests/clients/test_file_events.py`, `test_latch_events.py`.

use super::super::{Hints, NULL, Row, SessionView, Spec, i, s, u};
use super::io_columns::{CONDS, FILE_BY_INSTANCE, FILE_INSTANCES, MUTEXES, RWLOCKS, WAITS_BY_INSTANCE};
use super::sums::{Column, tail};
use super::transactions::times;
use super::{PS, is_on};
use base::SqlResult;
use probe::files::{FileTotals, FileUse};
use probe::instances::{InstanceRow, Kind};
use probe::instruments::{Class, Instrument};
use value::OwnedValue;

/// Those of `file_summary_by_instance` without its name and its place.
const BY_EVENT_NAME: [Column; 23] = {
    let mut all: [Column; 23] = tail(FILE_BY_INSTANCE);
    all[0] = FILE_BY_INSTANCE[1];
    all
};

pub(in super::super) const TABLES: &[Spec] = &[
    Spec { schema: PS, name: "file_instances", columns: FILE_INSTANCES, rows: files },
    Spec { schema: PS, name: "file_summary_by_event_name", columns: &BY_EVENT_NAME, rows: by_event_name },
    Spec { schema: PS, name: "file_summary_by_instance", columns: FILE_BY_INSTANCE, rows: by_instance },
    Spec { schema: PS, name: "mutex_instances", columns: MUTEXES, rows: |v, _| Ok(latches(v, Kind::Mutex)) },
    Spec { schema: PS, name: "rwlock_instances", columns: RWLOCKS, rows: |v, _| Ok(latches(v, Kind::RwLock)) },
    Spec { schema: PS, name: "cond_instances", columns: CONDS, rows: conds },
    Spec { schema: PS, name: "events_waits_summary_by_instance", columns: WAITS_BY_INSTANCE, rows: waits_by_instance },
];

fn files(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let all = if is_on(v) { probe::files::all() } else { Vec::new() };
    Ok(all.iter().map(|f| vec![s(&f.name), s(f.used.name()), u(f.open.max(0) as u64)]).collect())
}

/// From COUNT_STAR on.
fn operations(t: &FileTotals) -> Vec<OwnedValue> {
    let [read, write, misc] = t.times.each_ref().map(times);
    let [bytes_read, bytes_written] = t.bytes.map(|n| i(n as i64));
    let all = times(&t.all());
    all.into_iter().chain(read).chain([bytes_read]).chain(write).chain([bytes_written]).chain(misc).collect()
}

fn by_event_name(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let all = if is_on(v) { FileUse::ALL } else { &[] };
    let row = |used: &FileUse| {
        let mut row = vec![s(used.name())];
        row.extend(operations(&probe::files::totals(*used)));
        row
    };
    Ok(all.iter().map(row).collect())
}

fn by_instance(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let all = if is_on(v) { probe::files::all() } else { Vec::new() };
    let row = |f: &probe::files::FileRow| {
        let mut row = vec![s(&f.name), s(f.used.name()), u(f.address as u64)];
        row.extend(operations(&f.totals));
        row
    };
    Ok(all.iter().map(row).collect())
}

fn latches(v: &SessionView, kind: Kind) -> Vec<Row> {
    let all = if is_on(v) { probe::instances::all() } else { Vec::new() };
    let row = |(instrument, address, _): &InstanceRow| {
        let mut row = vec![s(instrument.name()), u(*address as u64), NULL];
        if kind == Kind::RwLock {
            row.push(u(0));
        }
        row
    };
    all.iter().filter(|(instrument, ..)| Kind::of(*instrument) == kind).map(row).collect()
}

/// Where a thread waits for something to happen: one for each of these instruments.
fn cond_instruments() -> impl Iterator<Item = Instrument> {
    let is_cond = |d: &probe::instruments::Def| d.class == Class::Wait && d.name.starts_with("wait/synch/cond/");
    Instrument::all().filter(move |(_, d)| is_cond(d)).map(|(instrument, _)| instrument)
}

fn address_of(instrument: Instrument) -> OwnedValue {
    u(std::ptr::from_ref(probe::waits::sums(instrument)).addr() as u64)
}

fn conds(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let all = cond_instruments().filter(|_| is_on(v));
    Ok(all.map(|c| vec![s(c.name()), address_of(c)]).collect())
}

/// Latches, conditions and files.
fn waits_by_instance(v: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    if !is_on(v) {
        return Ok(Vec::new());
    }
    let row = |name: &str, address: OwnedValue, t: &probe::timing::Times| {
        let mut row = vec![s(name), address];
        row.extend(times(t));
        row
    };
    let latches = probe::instances::all().into_iter().map(|(i, address, t)| row(i.name(), u(address as u64), &t));
    let conds = cond_instruments().map(|c| row(c.name(), address_of(c), &probe::waits::sums(c).times()));
    let files = probe::files::all().into_iter().map(|f| row(f.used.name(), u(f.address as u64), &f.totals.all()));
    Ok(latches.chain(conds).chain(files).collect())
}

/// TRUNCATE TABLE of one of these tables; false: it is none of them.
pub(super) fn truncate(table: &str) -> bool {
    match table {
        "file_summary_by_event_name" => probe::files::reset(false),
        "file_summary_by_instance" => probe::files::reset(true),
        "events_waits_summary_by_instance" => {
            probe::instances::reset();
            probe::files::reset(true);
            cond_instruments().for_each(|c| probe::waits::sums(c).reset());
        }
        _ => return false,
    }
    true
}
