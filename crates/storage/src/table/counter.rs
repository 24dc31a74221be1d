//! AUTO_INCREMENT and DB_ROW_ID counters.
//!
//! Values are handed out by an atomic and never given back; which locks are held meanwhile is `autoinc.rs`'s business (by default none). After a
//! restart the counter is the largest value in the index plus one, or the hint on page 0 of the table's space (8 bytes at 80)
//! if that is higher. The hint is only written when a row is physically removed whose value is not below it: as long as the row is
//! in the tree the tree itself remembers.

use crate::btree::Cursor;
use crate::engine::Engine;
use crate::error::{Result, StorageError};
use crate::page::PageOp;
use crate::table::Table;
use crate::table::info::{DELETE_MARK, FLAGS_AT, IndexInfo};
use crate::txn::Trx;
use base::{PageId, PageNo};
use bumpalo::Bump;
use std::sync::atomic::Ordering;
use value::Value;

/// Where page 0 of a tablespace keeps the AUTO_INCREMENT hint.
const HINT_AT: usize = 80;

fn as_u64(v: Value<'_>) -> Option<u64> {
    match v {
        Value::Int(i) => Some(u64::try_from(i).unwrap_or(0)),
        Value::UInt(u) => Some(u),
        Value::Double(d) => Some(d.clamp(0.0, 9e18) as u64),
        _ => None,
    }
}

impl Table {
    fn hint_page(&self) -> PageId {
        PageId::new(self.def.space, PageNo(0))
    }

    /// Makes sure that the AUTO_INCREMENT counter is known.
    fn init_autoinc(&self, engine: &Engine) -> Result<()> {
        if self.autoinc.load(Ordering::Acquire) != 0 {
            return Ok(());
        }
        let Some(column) = self.def.auto_increment_column() else { return Ok(()) };
        let hint = engine.store.pool().read(self.hint_page())?.u64_at(HINT_AT).max(self.def.auto_increment).max(1);
        self.hint.store(hint, Ordering::Relaxed);
        let next = hint.max(self.last_value(engine, column, Of::All)?.saturating_add(1));
        // another session may have been faster and already handed values out
        let _ = self.autoinc.compare_exchange(0, next, Ordering::AcqRel, Ordering::Acquire);
        Ok(())
    }

    /// The largest value in the index that `column` leads; 0 without one, or without rows.
    fn last_value(&self, engine: &Engine, column: usize, of: Of) -> Result<u64> {
        // rows with empty arrays are in no multi-valued index
        let leads = |i: &IndexInfo| i.columns.first() == Some(&(column as u16)) && i.array.is_none();
        let Some(n) = self.indexes.iter().position(leads) else { return Ok(0) };
        let mut cursor = Cursor::new(self.tree(n)?);
        if self.def.indexes.get(n).and_then(|i| i.parts.first()).is_some_and(|p| p.desc) {
            cursor.forward(&[], None);
        } else {
            cursor.backward(None, &[]);
        }
        let flags = if n == 0 { FLAGS_AT } else { 0 };
        let arena = Bump::new();
        while let Some((key, payload)) = cursor.next(engine.store.pool())? {
            if of == Of::Rows && payload.get(flags).is_none_or(|f| f & DELETE_MARK != 0) {
                continue;
            }
            let value = self.index(n)?.encoder.decode_part(key, 0, &arena).map_err(|e| self.bad(e))?;
            return Ok(as_u64(value).unwrap_or(0));
        }
        Ok(0)
    }

    /// A fresh hidden row id.
    pub(crate) fn take_row_id(&self, engine: &Engine) -> Result<u64> {
        if self.next_row_id.load(Ordering::Acquire) == 0 {
            let last = self.tree(0)?.prev_below(engine.store.pool(), None, |rec| {
                let key = rec.and_then(|(k, _)| k.try_into().ok());
                key.map_or(0, |[a, b, c, d, e, f]: [u8; 6]| u64::from_be_bytes([0, 0, a, b, c, d, e, f]))
            })?;
            let _ = self.next_row_id.compare_exchange(0, last + 1, Ordering::AcqRel, Ordering::Acquire);
        }
        Ok(self.next_row_id.fetch_add(1, Ordering::AcqRel))
    }

    /// A row is about to be removed physically: the tree no longer remembers its AUTO_INCREMENT value, so the hint must. Not so a value beyond
    /// the counter: ALTER TABLE has set that back since the row was deleted.
    pub(crate) fn note_removed(&self, engine: &Engine, payload: &[u8]) -> Result<()> {
        let Some(column) = self.def.auto_increment_column() else { return Ok(()) };
        let arena = Bump::new();
        let value = self.row_of(payload)?.value(column, &arena).map_err(|e| self.bad(e))?;
        let value = as_u64(value).unwrap_or(0);
        self.init_autoinc(engine)?;
        if value < self.hint.load(Ordering::Acquire) {
            return Ok(());
        }
        let counter = self.autoinc.load(Ordering::Acquire);
        if value > counter {
            return Ok(());
        }
        // everything handed out so far, so that the next removals find the hint high enough
        let next = counter.max(value.saturating_add(1));
        let mut mtr = engine.store.mtr()?;
        let page = mtr.x(self.hint_page())?;
        if mtr.page(page).u64_at(HINT_AT) < next {
            mtr.apply(page, PageOp::Patch { offset: HINT_AT as u16, bytes: &next.to_le_bytes() })?;
        }
        mtr.commit();
        self.hint.fetch_max(next, Ordering::AcqRel);
        Ok(())
    }

    /// Next AUTO_INCREMENT value (SHOW CREATE TABLE, information_schema); `None` without such a column.
    pub fn autoinc_value(&self, engine: &Engine) -> Result<Option<u64>> {
        self.init_autoinc(engine)?;
        Ok(Some(self.autoinc_next()).filter(|v| *v != 0))
    }

    /// The same as far as it is known: 0 before the first insert since the table was opened.
    pub fn autoinc_next(&self) -> u64 {
        self.autoinc.load(Ordering::Acquire)
    }

    /// ALTER TABLE ... AUTO_INCREMENT = n, which may go back, but not behind a row (manual, ALTER TABLE): rows that are deleted and not purged yet have no say,
    /// nor has the hint. For the table under its exclusive metadata lock, with no transaction that has changed it; the definition that takes its
    /// place goes on from there. After a crash the rows of the tree have their say again, deleted ones too, so that no value comes twice.
    pub fn set_back_autoinc(&self, engine: &Engine, next: u64) -> Result<()> {
        let Some(column) = self.def.auto_increment_column() else { return Ok(()) };
        let next = next.max(1).max(self.last_value(engine, column, Of::Rows)?.saturating_add(1));
        if engine.store.pool().read(self.hint_page())?.u64_at(HINT_AT) > next {
            let mut mtr = engine.store.mtr()?;
            let page = mtr.x(self.hint_page())?;
            mtr.apply(page, PageOp::Patch { offset: HINT_AT as u16, bytes: &next.to_le_bytes() })?;
            mtr.commit();
        }
        self.hint.store(0, Ordering::Release);
        self.autoinc.store(next, Ordering::Release);
        Ok(())
    }

    /// The counter of the definition that this one takes the place of, before anybody uses it; 0: it is found out when it is needed.
    pub(crate) fn go_on_from(&self, next: u64) {
        self.autoinc.store(next, Ordering::Release);
    }
}

/// Whose values count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    /// Of all in the tree: deleted ones were given to somebody.
    All,
    /// Of rows that are not delete-marked.
    Rows,
}

/// The values of a session and a column.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// `auto_increment_increment`.
    increment: u64,
    /// `auto_increment_offset`; one above the increment counts as 0.
    offset: u64,
    /// The column's largest value.
    pub max: u64,
}

impl Steps {
    /// Of a session and a column whose largest value is `max`.
    pub fn new(increment: u64, offset: u64, max: u64) -> Steps {
        let increment = increment.max(1);
        Steps { increment, offset: if offset > increment { 0 } else { offset }, max }
    }

    /// Each number after the other, without a largest one.
    pub fn plain(max: u64) -> Steps {
        Steps::new(1, 1, max)
    }

    /// `auto_increment_increment`.
    pub fn increment(self) -> u64 {
        self.increment
    }

    /// The value behind `value`; the largest number if there is none.
    pub fn after(self, value: u64) -> u64 {
        value.checked_add(1).and_then(|v| aligned(v, self.increment, self.offset)).unwrap_or(u64::MAX)
    }

    /// The largest value that the column takes.
    pub fn last(self) -> u64 {
        self.max.checked_sub(self.offset).map_or(self.max, |n| n / self.increment * self.increment + self.offset)
    }

    /// The first value from `next` on. The last number of BIGINT UNSIGNED is never given.
    fn first(self, next: u64) -> Result<u64> {
        let first = aligned(next.max(1), self.increment, self.offset).ok_or(StorageError::NotFound)?;
        if first > self.max || first == u64::MAX { Err(StorageError::NotFound) } else { Ok(first) }
    }
}

impl Trx {
    /// Reserves `n` AUTO_INCREMENT values for this statement and returns the first of a run `first, first + increment, ...`
    /// whose members are congruent to the offset modulo the increment (`auto_increment_increment`, `auto_increment_offset`).
    ///
    /// # Errors
    /// `NotFound` when the run would start beyond the column's largest value (1467).
    pub fn autoinc_reserve(&mut self, table: &Table, n: u64, steps: Steps) -> Result<u64> {
        Ok(self.autoinc_reserve_while(table, n, steps, || true)?.unwrap_or(u64::MAX))
    }

    /// The same as long as `free` says so each time between reading the counter and changing it; `None` if it says no.
    pub(super) fn autoinc_reserve_while(
        &mut self,
        table: &Table,
        n: u64,
        steps: Steps,
        free: impl Fn() -> bool,
    ) -> Result<Option<u64>> {
        table.init_autoinc(&self.engine)?;
        let mut now = table.autoinc.load(Ordering::Acquire);
        loop {
            if !free() {
                return Ok(None);
            }
            let first = steps.first(now)?;
            let last = first.saturating_add((n.max(1) - 1).saturating_mul(steps.increment));
            let next = steps.after(last).min(steps.max);
            match table.autoinc.compare_exchange_weak(now, next, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Ok(Some(first)),
                Err(v) => now = v,
            }
        }
    }

    /// The value that would be reserved next.
    ///
    /// # Errors
    /// As [`Trx::autoinc_reserve`].
    pub(super) fn autoinc_peek(&mut self, table: &Table, steps: Steps) -> Result<u64> {
        table.init_autoinc(&self.engine)?;
        steps.first(table.autoinc.load(Ordering::Acquire))
    }

    /// The counter; 0 if it cannot be read now: it is then found out from the tree, which has the row, when it is needed.
    pub(super) fn autoinc_known(&mut self, table: &Table) -> u64 {
        table.init_autoinc(&self.engine).map_or(0, |()| table.autoinc.load(Ordering::Acquire))
    }

    /// A row was stored with an explicit AUTO_INCREMENT value: the counter moves past it, to the next of the session's values, and stays
    /// within the column's.
    pub fn autoinc_observe(&mut self, table: &Table, value: u64, steps: Steps) {
        if self.autoinc_known(table) != 0 {
            table.autoinc.fetch_max(steps.after(value).min(steps.max), Ordering::AcqRel);
        }
    }

    /// A row was changed: a larger AUTO_INCREMENT value moves the counter.
    pub(crate) fn autoinc_changed(&mut self, table: &Table, changes: &[(usize, Value<'_>)]) {
        let Some(column) = table.def.auto_increment_column() else { return };
        if let Some((_, v)) = changes.iter().find(|(c, _)| *c == column) {
            self.autoinc_observe(table, as_u64(*v).unwrap_or(0), Steps::plain(u64::MAX));
        }
    }
}

/// The smallest `offset + k * increment` (k >= 0) that is not below `from`.
fn aligned(from: u64, increment: u64, offset: u64) -> Option<u64> {
    if increment == 1 {
        return Some(from.max(offset));
    }
    if from <= offset {
        return Some(offset);
    }
    let k = (from - offset).div_ceil(increment);
    offset.checked_add(k.checked_mul(increment)?)
}

#[cfg(test)]
mod tests {
    use super::aligned;

    #[test]
    fn runs_follow_increment_and_offset() {
        assert_eq!(aligned(1, 1, 1), Some(1));
        assert_eq!(aligned(7, 1, 1), Some(7));
        assert_eq!(aligned(1, 10, 5), Some(5));
        assert_eq!(aligned(6, 10, 5), Some(15));
        assert_eq!(aligned(15, 10, 5), Some(15));
        assert_eq!(aligned(u64::MAX, 10, 6), None);
    }
}
