//! Which of a session's counters are measures of a statement: their share of it is taken at its end.

use probe::Counter;
use probe::statements::Measure;

/// Counters of which a statement's share is taken.
pub(super) const COUNTERS: [Counter; 18] = [
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
pub(super) const MISSED: usize = 4;
/// Where they stand.
pub(super) static PLACES: probe::Eighths = probe::by_eighth(&COUNTERS);
/// What each of them counts for.
pub(super) const MEASURES: [Measure; COUNTERS.len()] = [
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
