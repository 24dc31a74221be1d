//! AUTO_INCREMENT values of one INSERT, REPLACE or LOAD DATA.
//!
//! As in MySQL a statement takes values in runs: as many as it has rows (`INSERT ... VALUES`) or, where that is unknown, one, then two, then four
//! and so on; rows that come with a value of their own leave gaps ("mixed-mode inserts"). A value given that is not below the next one moves
//! the rest of the statement behind it, so that a later row never meets it: the run is left and a new one taken. The value of a row that is
//! not stored after all (IGNORE, ON DUPLICATE KEY UPDATE) goes to the next row.
//!
//! The runs come from the table's counter, under the locks of `innodb_autoinc_lock_mode` (`storage::table::autoinc`). Tested:
//! `tests/sql/golden/auto_increment.sql`, `tests/isolation/test_autoinc_modes.py`.

use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::Var;
use storage::StorageError;
use storage::table::{Steps, Table};

use crate::eval::Cx;

/// The largest run that is taken for a statement of unknown length.
const MAX_RUN: u64 = 65_535;

/// Where a statement stands.
#[derive(Default)]
pub(super) struct AutoRun {
    /// The next value; 0 until one has been generated.
    next: u64,
    /// Values from here on are not reserved.
    end: u64,
    /// Rows that the present run was taken for and that have not come yet.
    rows: u64,
    /// Runs taken.
    runs: u32,
}

/// The session's increment and offset, and the column's largest value.
fn steps(table: &Table, column: usize, cx: &Cx<'_>) -> Steps {
    let max = table.def.columns.get(column).map_or(u64::MAX, |c| {
        if c.ty.kind.is_integer() { u64::try_from(c.ty.int_range().1).unwrap_or(u64::MAX) } else { u64::MAX }
    });
    let vars = &cx.env.vars;
    Steps::new(vars.num(Var::auto_increment_increment), vars.num(Var::auto_increment_offset).max(1), max)
}

impl AutoRun {
    /// What [`AutoRun::restore`] takes, before a row's value is known.
    pub(super) fn mark(&self) -> u64 {
        self.next
    }

    /// A row comes with this value.
    pub(super) fn given(&mut self, id: u64, table: &Table, column: usize, cx: &Cx<'_>) {
        if self.next > 0 && id >= self.next {
            self.next = steps(table, column, cx).after(id);
        }
    }

    /// A value for row number `row` of a statement of `rows` rows (0: unknown).
    ///
    /// # Errors
    /// 1467: there is none left. 1264 under strict mode, where only a smaller step would fit the column.
    pub(super) fn take(
        &mut self,
        table: &Table,
        column: usize,
        rows: u64,
        row: u64,
        cx: &mut Cx<'_>,
    ) -> SqlResult<u64> {
        let steps = steps(table, column, cx);
        let (max, step) = (steps.max, steps.increment());
        if self.next == 0 && cx.env.insert_ids.wanted != 0 {
            // SET INSERT_ID: this value and what follows it
            self.next = std::mem::take(&mut cx.env.insert_ids.wanted);
            self.end = u64::MAX;
        }
        let too_large = |cx: &mut Cx<'_>| {
            let name = table.def.columns.get(column).map_or("", |c| c.name.as_str());
            cx.env.conv.fail_or_warn(ErrorCode::WARN_DATA_OUT_OF_RANGE, &[&name, &row])
        };
        if self.next > max && self.end == u64::MAX {
            // SET INSERT_ID beyond the column's values
            too_large(cx)?;
            self.next = steps.last();
        }
        if self.next > max || self.next == u64::MAX {
            // an earlier row of this statement has the largest value
            return Err(SqlError::new(ErrorCode::AUTOINC_READ_FAILED, &[]));
        }
        if self.next == 0 || self.next >= self.end {
            if self.rows == 0 {
                self.rows = match (self.runs, rows) {
                    (0, n) if n > 0 => n,
                    (k, _) => 1_u64.checked_shl(k).map_or(MAX_RUN, |n| n.min(MAX_RUN)),
                };
            }
            let first = match cx.env.trx.autoinc_take(table, rows > 0, self.rows, steps) {
                // in larger steps the next value does not fit the column
                Err(StorageError::NotFound) if max < u64::MAX && step > 1 => {
                    too_large(cx)?;
                    steps.last()
                }
                // used up: the largest value again, which is a duplicate, as in MySQL
                Err(StorageError::NotFound) if max < u64::MAX => max,
                Err(StorageError::NotFound) => return Err(SqlError::new(ErrorCode::AUTOINC_READ_FAILED, &[])),
                r => r?,
            };
            self.runs = self.runs.saturating_add(1);
            self.next = first;
            self.end = first.saturating_add(self.rows.saturating_mul(step));
        }
        let id = self.next.min(max);
        if cx.env.insert_ids.taken == 0 {
            cx.env.insert_ids.taken = id;
        }
        self.next = steps.after(id);
        Ok(id)
    }

    /// A row has been tried with a value of either kind.
    pub(super) fn tried(&mut self) {
        self.rows = self.rows.saturating_sub(1);
    }

    /// The row was not stored: its value goes to the next one.
    pub(super) fn restore(&mut self, mark: u64, generated: u64) {
        self.next = if mark > 0 { mark } else { generated };
    }

    /// A row with this value is stored, in a statement of `rows` rows: the table's counter moves past it.
    ///
    /// # Errors
    /// Those of waiting for the AUTO-INC lock.
    pub(super) fn stored(&self, id: u64, table: &Table, column: usize, rows: u64, cx: &mut Cx<'_>) -> SqlResult<()> {
        let steps = steps(table, column, cx);
        let reserved = self.runs > 0 && id < self.end && self.end < u64::MAX;
        Ok(cx.env.trx.autoinc_stored(table, rows > 0, (id, reserved), steps)?)
    }
}
