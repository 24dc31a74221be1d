//! Which of a session's counters are measures of a statement: their share of it is taken at its end.

use crate::Counter;
use crate::block::{Eighths, any_changed, by_eighth, changed, counts, grown, touched};
use crate::statements::{Measure, One};

/// Counters of which a statement's share is taken.
const COUNTERS: [Counter; 18] = [
    Counter::HandlerReadKey,
    Counter::HandlerReadNext,
    Counter::HandlerReadPrev,
    Counter::HandlerReadRndNext,
    Counter::RowsNotFound,
    Counter::InnodbRowLockTime,
    Counter::MdlWaitTime,
    Counter::CreatedTmpDiskTables,
    Counter::CreatedTmpTables,
    Counter::SelectFullJoin,
    Counter::SelectFullRangeJoin,
    Counter::SelectRange,
    Counter::SelectRangeCheck,
    Counter::SelectScan,
    Counter::SortMergePasses,
    Counter::SortRange,
    Counter::SortRows,
    Counter::SortScan,
];
/// Which of them is taken off the rows examined.
const MISSED: usize = 4;
/// Where they stand.
static PLACES: Eighths = by_eighth(&COUNTERS);
/// What each of them counts for.
const MEASURES: [Measure; COUNTERS.len()] = [
    Measure::RowsExamined,
    Measure::RowsExamined,
    Measure::RowsExamined,
    Measure::RowsExamined,
    Measure::RowsExamined,
    Measure::LockNs,
    Measure::LockNs,
    Measure::TmpDiskTables,
    Measure::TmpTables,
    Measure::FullJoin,
    Measure::FullRangeJoin,
    Measure::Range,
    Measure::RangeCheck,
    Measure::Scan,
    Measure::SortMergePasses,
    Measure::SortRange,
    Measure::SortRows,
    Measure::SortScan,
];

/// The counters as they were when a statement's share was taken last.
pub type Before = [u64; COUNTERS.len()];

/// Whether the session that is attached has counted rows that it has found by their keys and nothing else, as most
/// statements do.
#[inline(always)]
pub fn is_by_key() -> bool {
    touched(&PLACES) == 1
}

/// How many these are since `before`, which follows.
#[inline(always)]
pub fn take_by_key(before: &mut Before) -> u64 {
    let [by_key, ..] = before;
    grown(COUNTERS[0], by_key)
}

/// Adds to `one` what the session that is attached has counted since `before`, which follows; how many rows were read.
#[inline(always)]
pub fn take(before: &mut Before, one: &mut One) -> u64 {
    if is_by_key() { take_by_key(before) } else { take_all(before, one) }
}

#[inline(never)]
fn take_all(before: &mut Before, one: &mut One) -> u64 {
    let (mut examined, mut missed) = (0, 0);
    changed(&COUNTERS, &PLACES, before, |i, n| match MEASURES.get(i) {
        _ if i == MISSED => missed = n,
        Some(Measure::RowsExamined) | None => examined += n,
        Some(Measure::LockNs) => one.add(Measure::LockNs, n * 1000),
        Some(m) => {
            if *m == Measure::SortRows {
                // what was sorted is read once more
                examined += n;
            }
            one.add(*m, n);
        }
    });
    u64::saturating_sub(examined, missed)
}

/// Whether the session that is attached has counted anything since `before`.
#[inline]
pub fn any(before: &Before) -> bool {
    any_changed(&COUNTERS, &PLACES, before)
}

/// What has been counted so far, also by statements before the present one, belongs to nobody who asks later.
pub fn pass(before: &mut Before) {
    *before = counts(&COUNTERS);
}
