//! Columns that many tables have alike: how often and how long (`COUNT_READ`, `SUM_TIMER_READ`, `MIN_...`,
//! `AVG_...`, `MAX_TIMER_READ`), and the sums over statements. They are made from the operation's name, so that a
//! table is a list of names. Tested: `tests/clients/test_performance_schema.py` compares all columns with MySQL's.

use super::super::{Column, T};

/// Number, sum, minimum, average and maximum of the times of one operation: `timed!("READ")` is COUNT_READ,
/// SUM_TIMER_READ, MIN_TIMER_READ, AVG_TIMER_READ, MAX_TIMER_READ.
macro_rules! timed {
    ($operation:literal) => {
        [
            (concat!("COUNT_", $operation), T::U, false),
            (concat!("SUM_TIMER_", $operation), T::U, false),
            (concat!("MIN_TIMER_", $operation), T::U, false),
            (concat!("AVG_TIMER_", $operation), T::U, false),
            (concat!("MAX_TIMER_", $operation), T::U, false),
        ]
    };
}
pub(super) use timed;

/// The same of all operations together, which MySQL counts as COUNT_STAR and times as TIMER_WAIT.
pub(super) const ALL_TIMED: [Column; 5] = {
    let mut all = timed!("WAIT");
    all[0].0 = "COUNT_STAR";
    all
};

/// What is summed over statements beside their times.
pub(super) const OF_STATEMENTS: [Column; 23] = [
    ("SUM_LOCK_TIME", T::U, false),
    ("SUM_ERRORS", T::U, false),
    ("SUM_WARNINGS", T::U, false),
    ("SUM_ROWS_AFFECTED", T::U, false),
    ("SUM_ROWS_SENT", T::U, false),
    ("SUM_ROWS_EXAMINED", T::U, false),
    ("SUM_CREATED_TMP_DISK_TABLES", T::U, false),
    ("SUM_CREATED_TMP_TABLES", T::U, false),
    ("SUM_SELECT_FULL_JOIN", T::U, false),
    ("SUM_SELECT_FULL_RANGE_JOIN", T::U, false),
    ("SUM_SELECT_RANGE", T::U, false),
    ("SUM_SELECT_RANGE_CHECK", T::U, false),
    ("SUM_SELECT_SCAN", T::U, false),
    ("SUM_SORT_MERGE_PASSES", T::U, false),
    ("SUM_SORT_RANGE", T::U, false),
    ("SUM_SORT_ROWS", T::U, false),
    ("SUM_SORT_SCAN", T::U, false),
    ("SUM_NO_INDEX_USED", T::U, false),
    ("SUM_NO_GOOD_INDEX_USED", T::U, false),
    ("SUM_CPU_TIME", T::U, false),
    ("MAX_CONTROLLED_MEMORY", T::U, false),
    ("MAX_TOTAL_MEMORY", T::U, false),
    ("COUNT_SECONDARY", T::U, false),
];
