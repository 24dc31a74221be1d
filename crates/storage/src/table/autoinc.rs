//! AUTO-INC locks: `innodb_autoinc_lock_mode` 0 and 1 (manual, "AUTO_INCREMENT Handling in InnoDB"). In mode 2 nothing here is called but
//! [`Trx::autoinc_take`] and [`Trx::autoinc_stored`], which go straight to the counter (`counter.rs`).
//!
//! *Consecutive* (1): a statement whose number of rows is unknown (INSERT ... SELECT, LOAD DATA) locks the table AUTO-INC to its end, so that its values
//! follow each other. A simple insert takes all its values at once and locks only where somebody has the lock or waits for it. It
//! reads the counter first, then asks whether there is such a one, and takes its values by exchanging what it has read: whoever has got the lock since
//! has either changed the counter, and the exchange fails, or takes its own values behind these. So nobody is held up for a simple insert, not even by a latch.
//!
//! *Traditional* (0): every statement locks, with its first value, and the counter moves when a row is stored: what a failing row would have got goes to the next one.
//!
//! The lock is one of the table's queue (`rowlock`), so that deadlocks are found and `data_locks` shows it; it lives in memory only, and a crash
//! leaves nothing of it. Tested: `engine/tests/basic.rs`, `tests/isolation/test_autoinc_modes.py`.

use super::counter::Steps;
use crate::error::Result;
use crate::rowlock::LockMode;
use crate::table::Table;
use crate::txn::Trx;
use std::sync::atomic::Ordering;

/// `innodb_autoinc_lock_mode`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AutoincMode {
    /// 0: every statement that generates values locks.
    Traditional,
    /// 1: statements of unknown length lock.
    Consecutive,
    /// 2: none does.
    #[default]
    Interleaved,
}

impl Table {
    /// Whether anybody holds its AUTO-INC lock or waits for it.
    fn autoinc_is_locked(&self) -> bool {
        self.autoinc_lockers.load(Ordering::SeqCst) != 0
    }
}

impl Trx {
    /// `n` values for a statement, as [`Trx::autoinc_reserve`] gives them, under the locks of the server's mode. `simple`: the statement knows how many
    /// rows it has.
    ///
    /// # Errors
    /// Those of [`Trx::autoinc_reserve`] and of waiting for a lock.
    pub fn autoinc_take(&mut self, table: &Table, simple: bool, n: u64, steps: Steps) -> Result<u64> {
        match self.engine.autoinc_mode {
            AutoincMode::Interleaved => {}
            AutoincMode::Traditional => {
                self.lock_autoinc(table)?;
                return self.autoinc_peek(table, steps);
            }
            AutoincMode::Consecutive if simple => {
                let free = || !table.autoinc_is_locked();
                if let Some(first) = self.autoinc_reserve_while(table, n, steps, free)? {
                    return Ok(first);
                }
                self.lock_autoinc(table)?;
            }
            AutoincMode::Consecutive => self.lock_autoinc(table)?,
        }
        self.autoinc_reserve(table, n, steps)
    }

    /// A row with this value is stored: the counter moves past it. `reserved`: the value was taken, with those before it, and the counter is past it
    /// already unless it moves with the rows.
    ///
    /// # Errors
    /// Those of waiting for a lock.
    pub fn autoinc_stored(
        &mut self,
        table: &Table,
        simple: bool,
        (value, reserved): (u64, bool),
        steps: Steps,
    ) -> Result<()> {
        let locks = match self.engine.autoinc_mode {
            AutoincMode::Interleaved => false,
            AutoincMode::Traditional => true,
            AutoincMode::Consecutive if reserved => false,
            AutoincMode::Consecutive => !simple || !self.autoinc_observe_while(table, value, steps),
        };
        if locks && value > 0 {
            self.lock_autoinc(table)?;
        }
        self.autoinc_observe(table, value, steps);
        Ok(())
    }

    /// Moves the counter past a value unless somebody has the lock; whether it did.
    fn autoinc_observe_while(&mut self, table: &Table, value: u64, steps: Steps) -> bool {
        let mut now = self.autoinc_known(table);
        loop {
            if table.autoinc_is_locked() {
                return false;
            }
            let next = steps.after(value).min(steps.max);
            if now >= next {
                return true;
            }
            match table.autoinc.compare_exchange(now, next, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(_) => return true,
                Err(v) => now = v,
            }
        }
    }

    /// Locks the table AUTO-INC to the end of the statement. A session's own table has nobody to be locked against.
    fn lock_autoinc(&mut self, table: &Table) -> Result<()> {
        let id = table.id();
        if table.def.is_temporary() || self.autoinc_locks.iter().any(|(t, _)| *t == id) {
            return Ok(());
        }
        // the transaction that is seen waiting has its id, as it is about to write
        self.ensure_write()?;
        // before the request: a simple insert that finds nobody has taken its values before this statement takes any
        table.autoinc_lockers.fetch_add(1, Ordering::SeqCst);
        if let Err(e) = self.lock_table(table, LockMode::AutoInc) {
            table.autoinc_lockers.fetch_sub(1, Ordering::SeqCst);
            return Err(e);
        }
        self.autoinc_locks.push((id, table.autoinc_lockers.clone()));
        Ok(())
    }

    /// The statement's AUTO-INC locks go.
    #[inline]
    pub(crate) fn release_autoinc(&mut self) {
        if self.autoinc_locks.is_empty() {
            return;
        }
        for (table, lockers) in std::mem::take(&mut self.autoinc_locks) {
            self.engine.locks.unlock_table(self.shared.owner(), table, LockMode::AutoInc);
            lockers.fetch_sub(1, Ordering::SeqCst);
        }
    }
}
