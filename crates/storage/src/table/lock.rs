//! Row locks as row operations need them: implicit locks are made explicit first, waits happen without latches, a deadlock
//! victim is rolled back before the error goes up.

use crate::engine::Engine;
use crate::error::{Result, StorageError};
use crate::rowlock::{Acquired, LockKind, LockMode, RecKey, Turns, WaitError, WaitPolicy, WaitTicket};
use crate::table::Table;
use crate::txn::Trx;
use base::{IndexId, TrxId};

impl Engine {
    /// The active writer of a record (clustered or secondary: both carry their writer's id) becomes an explicit holder of X
    /// on it. Callable with the leaf latched.
    pub(crate) fn implicit_to_explicit(&self, index: IndexId, key: &[u8], writer: TrxId) {
        if !self.trx_sys.is_active(writer) {
            return;
        }
        if let Some(t) = self.trx_sys.find_active(writer) {
            let active = || self.trx_sys.is_active(writer);
            self.locks.make_explicit(t.owner(), index, RecKey::Key(key), active);
        }
    }
}

impl Trx {
    /// Requests a lock; callable with the leaf latched.
    pub(crate) fn request(
        &mut self,
        index: IndexId,
        key: RecKey<'_>,
        mode: LockMode,
        kind: LockKind,
        policy: WaitPolicy,
    ) -> Acquired {
        self.ensure_owner();
        self.engine.locks.lock_record(self.shared.owner(), index, key, mode, kind, policy)
    }

    /// Requests a lock on a record that was written by `writer`; callable with the leaf latched. A record the transaction
    /// wrote itself needs no record lock.
    pub(crate) fn request_written(
        &mut self,
        index: IndexId,
        key: &[u8],
        writer: TrxId,
        mode: LockMode,
        kind: LockKind,
        policy: WaitPolicy,
    ) -> Acquired {
        if self.wrote(writer) && kind == LockKind::Record {
            return Acquired::Granted;
        }
        if writer != self.id {
            self.engine.implicit_to_explicit(index, key, writer);
        }
        self.request(index, RecKey::Key(key), mode, kind, policy)
    }

    /// The same for a scan's next-key lock on the record next to `last`, which it has locked likewise.
    pub(crate) fn request_next(
        &mut self,
        index: IndexId,
        last: &[u8],
        key: &[u8],
        writer: TrxId,
        mode: LockMode,
        policy: WaitPolicy,
    ) -> Acquired {
        if writer != self.id {
            self.engine.implicit_to_explicit(index, key, writer);
        }
        self.ensure_owner();
        self.engine.locks.lock_next(self.shared.owner(), index, last, key, mode, policy)
    }

    /// Waits for a queued request; no latch may be held.
    ///
    /// # Errors
    /// `LockWaitTimeout`, `Interrupted`, or `Deadlock` with the transaction already rolled back.
    pub(crate) fn wait_for(&mut self, ticket: WaitTicket) -> Result<()> {
        let shared = self.shared.clone();
        let killed = || shared.killed();
        let got = self.engine.locks.wait(shared.owner(), ticket, self.lock_wait_timeout, &killed);
        match got {
            // granted, but perhaps after KILL: then the statement ends, and the lock stays until the transaction
            // does
            Ok(()) => self.check_killed(),
            Err(WaitError::Timeout) => Err(StorageError::LockWaitTimeout),
            Err(WaitError::Interrupted) => Err(StorageError::Interrupted),
            Err(WaitError::Deadlock) => Err(self.lost(StorageError::Deadlock)),
        }
    }

    /// Waits until all transactions before number `n` of `turns` are over; no latch may be held. `gives_way` is asked
    /// now and then whether one of them may need what this one has: then it ends as by a deadlock.
    ///
    /// # Errors
    /// `Interrupted`, or `Deadlock` with the transaction already rolled back.
    pub fn wait_for_turn(&mut self, turns: &Turns, n: u64, gives_way: &dyn Fn() -> bool) -> Result<()> {
        let shared = self.shared.clone();
        let ends = || shared.killed() || gives_way();
        match turns.wait(&self.engine.locks, n, &ends) {
            Ok(()) => self.check_killed(),
            Err(WaitError::Interrupted) if shared.killed() => Err(StorageError::Interrupted),
            Err(_) => Err(self.lost(StorageError::Deadlock)),
        }
    }

    /// Number `n` of `turns` is this transaction.
    pub fn begin_turn(&self, turns: &Turns, n: u64) {
        turns.begin(n, self.shared.owner());
    }

    /// Number `n`, whose turn it was, is over.
    pub fn end_turn(&self, turns: &Turns, n: u64) {
        turns.end(&self.engine.locks, n);
    }

    /// Table lock; IS and IX are nearly free.
    ///
    /// # Errors
    /// As every lock wait; `Discarded`.
    pub(crate) fn intention(&mut self, table: &Table, mode: LockMode) -> Result<()> {
        table.has_tablespace()?;
        self.intention_even_without_rows(table, mode)
    }

    /// The same of a table whose rows may be discarded: who asks finds none.
    pub(crate) fn intention_even_without_rows(&mut self, table: &Table, mode: LockMode) -> Result<()> {
        self.ensure_owner();
        if table.def.is_temporary() {
            return Ok(()); // nobody else knows it
        }
        match self.engine.locks.lock_table(self.shared.owner(), table.id(), mode, WaitPolicy::Wait) {
            Acquired::Granted => Ok(()),
            Acquired::Wait(t) => self.wait_for(t),
            Acquired::Busy => Err(StorageError::LockNowait),
        }
    }

    /// Waits for a table lock (LOCK TABLES; IS and IX are taken by the row operations themselves).
    ///
    /// # Errors
    /// As every lock wait.
    pub fn lock_table(&mut self, table: &Table, mode: LockMode) -> Result<()> {
        self.intention(table, mode)
    }

    /// Whether changing this entry has to wait for somebody's lock; then queues up. Callable with the leaf latched; leaves no lock
    /// behind when there is no conflict (the change itself locks the entry implicitly).
    pub(crate) fn request_change(&mut self, index: IndexId, key: &[u8]) -> Acquired {
        self.ensure_owner();
        let owner = self.shared.owner();
        if !self.engine.locks.would_wait(owner, index, RecKey::Key(key), LockMode::X, LockKind::Record) {
            return Acquired::Granted;
        }
        self.request(index, RecKey::Key(key), LockMode::X, LockKind::Record, WaitPolicy::Wait)
    }
}
