//! Locking reads: SELECT ... FOR UPDATE / FOR SHARE, UPDATE, DELETE, plain SELECT under SERIALIZABLE.
//!
//! InnoDB's rules (manual, "Locks Set by Different SQL Statements in InnoDB"). REPEATABLE READ and above: next-key locks on
//! the records met, a gap lock on the one behind the range, the record only where a unique key matches in full.
//! READ COMMITTED and below: records only, given back for rows that do not match. Through a secondary index the entry is
//! locked and then the clustered record; an index-only read under shared locks locks the entry alone.
//!
//! A request is made under the leaf's latch, together with the look at the record; if it has to wait, the latch goes, and after
//! the wait the same key is looked for again (by then the lock is held, so the second look is final).
//!
//! A scan that has locked some records next-key, one after the other, locks the next ones as a run ([`crate::rowlock`]): however many, they take the
//! memory of one.

use super::cursor::{Found, TableCursor};
use crate::error::{Result, StorageError};
use crate::mvcc;
use crate::rowlock::{Acquired, LockKind, LockMode, RecKey, WaitPolicy, WaitTicket};
use crate::table::secondary::{entry_deleted, entry_trx};
use crate::table::{Direction, LockWait, Row};
use crate::txn::{Isolation, Trx};
use base::{IndexId, TrxId};

/// After so many next-key locks in a row a scan's further ones become a run: long scans save much by it, short ones beside each other would
/// only meet in the list of runs.
const RUN_FROM: u32 = 64;

/// What one look at the index gave.
enum Look {
    /// A live record is locked and copied.
    Row,
    /// Not a row of the result (delete-marked, or locked and to be skipped); its key is in `self.entry`.
    Skip,
    /// The record is locked by another; semi-consistent read may look at its committed version.
    Busy,
    Wait(WaitTicket),
    End,
}

impl TableCursor {
    fn policy(&self, trx: &Trx) -> (LockMode, WaitPolicy) {
        let (mode, wait) = self.locking.unwrap_or((LockMode::S, LockWait::Wait));
        let semi = self.semi && trx.isolation() <= Isolation::ReadCommitted;
        (mode, if wait == LockWait::Wait && !semi { WaitPolicy::Wait } else { WaitPolicy::NoWait })
    }

    /// Requests the lock on a record and notes whether it is new.
    #[allow(clippy::too_many_arguments)]
    fn lock_met(
        &mut self,
        trx: &mut Trx,
        index: IndexId,
        key: &[u8],
        writer: TrxId,
        kind: LockKind,
        policy: WaitPolicy,
    ) -> Acquired {
        let (mode, _) = self.policy(trx);
        let rc = trx.isolation() <= Isolation::ReadCommitted;
        let held = match rc && !trx.wrote(writer) {
            true => trx.engine.locks.held_mode(trx.shared.owner(), index, RecKey::Key(key)),
            false => None,
        };
        let had = trx.wrote(writer) || held.is_some_and(|h| h.covers(mode));
        let got = trx.request_written(index, key, writer, mode, kind, policy);
        if rc && !had && !matches!(got, Acquired::Busy) {
            self.fresh.push((index, key.to_vec(), held.is_some()));
        }
        got
    }

    fn at_entry(&mut self, key: &[u8]) {
        self.entry.clear();
        self.entry.extend_from_slice(key);
    }

    /// Looks at the record (clustered or entry) at the cursor's place. `exact`: the full unique key looked for.
    fn look(&mut self, trx: &mut Trx, key: &[u8], payload: &[u8], exact: bool) -> Look {
        let Some(index) = self.table.indexes.get(self.index).map(|i| i.id) else { return Look::End };
        let (writer, deleted) = match self.index {
            0 => (mvcc::trx_id(payload), mvcc::is_deleted(payload)),
            _ => (entry_trx(payload), entry_deleted(payload)),
        };
        let rc = trx.isolation() <= Isolation::ReadCommitted;
        if rc && deleted && (writer == trx.id || !trx.engine.trx_sys.is_active(writer)) {
            self.at_entry(key);
            return Look::Skip;
        }
        let kind = if rc || (exact && !deleted) { LockKind::Record } else { LockKind::NextKey };
        let (mode, policy) = self.policy(trx);
        let got = if self.streak >= RUN_FROM && kind == LockKind::NextKey {
            trx.request_next(index, &self.entry, key, writer, mode, policy)
        } else {
            self.lock_met(trx, index, key, writer, kind, policy)
        };
        self.at_entry(key);
        self.streak = if matches!(got, Acquired::Granted) && kind == LockKind::NextKey {
            self.streak.saturating_add(1)
        } else {
            0
        };
        match got {
            Acquired::Wait(t) => Look::Wait(t),
            Acquired::Busy => Look::Busy,
            Acquired::Granted if deleted => Look::Skip,
            Acquired::Granted => {
                if self.index == 0 {
                    self.key.clear();
                    self.key.extend_from_slice(key);
                }
                self.payload.clear();
                self.payload.extend_from_slice(payload);
                Look::Row
            }
        }
    }

    /// Locks the gap before a record that is not part of the result, or before the end of the index.
    fn lock_gap(&mut self, trx: &mut Trx, key: RecKey<'_>) {
        let Some(index) = self.table.indexes.get(self.index).map(|i| i.id) else { return };
        if trx.isolation() > Isolation::ReadCommitted {
            let (mode, _) = self.policy(trx);
            let kind = if key == RecKey::Supremum { LockKind::NextKey } else { LockKind::Gap };
            // gap locks wait for nobody
            let _ = trx.request(index, key, mode, kind, WaitPolicy::NoWait);
        }
    }

    /// After a wait or a refusal: what to do next. `Ok(true)`: look at the same place again.
    fn blocked(&mut self, trx: &mut Trx, look: Look) -> Result<bool> {
        match (look, self.locking) {
            (Look::Wait(t), _) => {
                trx.wait_for(t)?;
                Ok(true)
            }
            (_, Some((_, LockWait::SkipLocked))) => Ok(false),
            _ => Err(StorageError::LockNowait),
        }
    }

    pub(super) fn next_locked(&mut self, trx: &mut Trx) -> Result<Option<Found>> {
        trx.check_killed()?;
        self.fresh.clear();
        self.was_semi = false;
        loop {
            let look = match self.direction {
                Direction::Forward => self.look_forward(trx)?,
                Direction::Backward => self.look_backward(trx)?,
            };
            match look {
                Look::End => {
                    self.done = true;
                    return Ok(None);
                }
                Look::Skip => {
                    self.unlock_row(trx);
                    self.step_over();
                }
                Look::Row => {
                    self.step_over();
                    match self.finish_row(trx)? {
                        Some(f) => return Ok(Some(f)),
                        None => self.unlock_row(trx),
                    }
                }
                Look::Busy if self.semi && matches!(self.locking, Some((_, LockWait::Wait))) => {
                    self.step_over();
                    if let Some(f) = self.committed_version(trx)? {
                        return Ok(Some(f));
                    }
                }
                other => {
                    if !self.blocked(trx, other)? {
                        self.step_over();
                    }
                }
            }
        }
    }

    fn look_forward(&mut self, trx: &mut Trx) -> Result<Look> {
        let tree = self.table.tree(self.index)?;
        let engine = trx.engine.clone();
        let at = self.at.take().unwrap_or_default();
        let look = tree.next_at(engine.store.pool(), &at, |rec| match rec {
            None => {
                self.lock_gap(trx, RecKey::Supremum);
                Look::End
            }
            Some((k, _)) if self.hi.as_ref().is_some_and(|hi| k >= hi.as_slice()) => {
                self.lock_gap(trx, RecKey::Key(k));
                Look::End
            }
            Some((k, p)) => {
                // a range that starts at an existing unique key locks that record without the gap before it
                let exact = self.index == 0 && k == self.lo.as_slice();
                self.look(trx, k, p, exact)
            }
        });
        self.at = Some(at);
        look
    }

    fn look_backward(&mut self, trx: &mut Trx) -> Result<Look> {
        let tree = self.table.tree(self.index)?;
        let engine = trx.engine.clone();
        let pool = engine.store.pool();
        if std::mem::take(&mut self.gap_pending) && trx.isolation() > Isolation::ReadCommitted {
            match self.hi.take() {
                None => self.lock_gap(trx, RecKey::Supremum),
                Some(hi) => {
                    tree.next_at(pool, &hi, |rec| {
                        self.lock_gap(trx, rec.map_or(RecKey::Supremum, |r| RecKey::Key(r.0)))
                    })?;
                    self.hi = Some(hi);
                }
            }
        }
        let at = self.at.take();
        let look = tree.prev_below(pool, at.as_deref(), |rec| match rec {
            Some((k, p)) if k >= self.lo.as_slice() => self.look(trx, k, p, false),
            _ => Look::End,
        });
        self.at = at;
        look
    }

    /// Moves past the record just looked at, whose key is in `self.entry`.
    fn step_over(&mut self) {
        let mut at = self.at.take().unwrap_or_default();
        at.clear();
        at.extend_from_slice(&self.entry);
        if self.direction == Direction::Forward {
            at.push(0);
        }
        self.at = Some(at);
    }

    /// An index-only read under shared locks: whoever changes what the entry says asks for its lock, and the clustered record may change
    /// in columns that are not read.
    fn entry_is_enough(&self) -> bool {
        self.index_only && matches!(self.locking, Some((LockMode::S, _)))
    }

    /// The record at the place is locked; through a secondary index the clustered record is locked now. `None`: it is not a row
    /// after all.
    fn finish_row(&mut self, trx: &mut Trx) -> Result<Option<Found>> {
        if self.index == 0 {
            return Ok(Some(Found::Copied));
        }
        if self.entry_is_enough() {
            return Ok(Some(Found::Locked));
        }
        self.key.clear();
        let (table, entry) = (self.table.clone(), std::mem::take(&mut self.entry));
        self.key.extend_from_slice(table.clustered_key_of(self.index, &entry)?);
        self.entry = entry;
        let semi = self.semi && matches!(self.locking, Some((_, LockWait::Wait)));
        match self.lock_clustered(trx)? {
            Look::Row => Ok(Some(Found::Copied)),
            Look::Busy if semi => self.committed_version(trx),
            Look::Busy => self.blocked(trx, Look::Busy).map(|_| None),
            _ => Ok(None),
        }
    }

    /// Locks and copies the clustered record with `self.key`; waits as the read mode says.
    fn lock_clustered(&mut self, trx: &mut Trx) -> Result<Look> {
        let tree = self.table.tree(0)?;
        let index = tree.index;
        let engine = trx.engine.clone();
        let (_, policy) = self.policy(trx);
        let key = std::mem::take(&mut self.key);
        let found = loop {
            let got = tree.get(engine.store.pool(), &key, |p| {
                let got = self.lock_met(trx, index, &key, mvcc::trx_id(p), LockKind::Record, policy);
                if matches!(got, Acquired::Granted) {
                    self.payload.clear();
                    self.payload.extend_from_slice(p);
                }
                (got, mvcc::is_deleted(p))
            });
            break match got {
                Err(e) => Err(e),
                Ok(None) => Ok(Look::Skip),
                Ok(Some((Acquired::Wait(t), _))) => match trx.wait_for(t) {
                    Ok(()) => continue,
                    Err(e) => Err(e),
                },
                Ok(Some((Acquired::Busy, _))) => Ok(Look::Busy),
                Ok(Some((Acquired::Granted, true))) => Ok(Look::Skip),
                Ok(Some((Acquired::Granted, false))) => Ok(Look::Row),
            };
        };
        self.key = key;
        found
    }

    /// Semi-consistent read: the newest committed version of the row at the place, without a lock.
    fn committed_version(&mut self, trx: &mut Trx) -> Result<Option<Found>> {
        self.fresh.clear();
        // its writer may commit at any moment, and purge would be free to take the older version's undo and long columns away while they are read
        trx.snapshot();
        if self.index == 0 {
            self.key.clear();
            self.key.extend_from_slice(&self.entry);
        } else {
            let at = self.table.clustered_key_of(self.index, &self.entry)?.to_vec();
            self.key = at;
        }
        let engine = &trx.engine;
        // whose writers have ended before it is read: one that ends afterwards may have rolled it back
        let committed = engine.trx_sys.seen_now();
        let live = engine.read_clustered(&self.table, &self.key, &mut self.payload)?
            && mvcc::to_visible(&engine.store, &engine.trx_sys, &committed, trx.id, &mut self.payload)?;
        self.was_semi = live;
        Ok(live.then_some(Found::Copied))
    }

    pub(super) fn point_locked(&mut self, trx: &mut Trx, key: &[u8]) -> Result<Option<Found>> {
        let tree = self.table.tree(self.index)?;
        let engine = trx.engine.clone();
        let mut from = key.to_vec();
        loop {
            let look = tree.next_at(engine.store.pool(), &from, |rec| match rec {
                Some((k, p)) if (self.index == 0 && k == key) || (self.index > 0 && k.starts_with(key)) => {
                    self.look(trx, k, p, true)
                }
                other => {
                    self.lock_gap(trx, other.map_or(RecKey::Supremum, |(k, _)| RecKey::Key(k)));
                    Look::End
                }
            })?;
            match look {
                Look::End => return Ok(None),
                Look::Row => {
                    let found = self.finish_row(trx)?;
                    if found.is_none() {
                        self.unlock_row(trx);
                    }
                    return Ok(found);
                }
                Look::Skip => {
                    self.unlock_row(trx);
                    if self.index == 0 {
                        return Ok(None);
                    }
                    from.clear();
                    from.extend_from_slice(&self.entry);
                    from.push(0);
                }
                Look::Busy if self.semi && matches!(self.locking, Some((_, LockWait::Wait))) => {
                    return self.committed_version(trx);
                }
                other => {
                    if !self.blocked(trx, other)? {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// The last row returned does not match the statement's condition: READ COMMITTED and below give its lock back (unless
    /// the transaction had it before).
    #[inline]
    pub fn unlock_row(&mut self, trx: &mut Trx) {
        // every row that a consistent scan turns down comes here
        if !self.fresh.is_empty() {
            self.give_back(trx);
        }
    }

    fn give_back(&mut self, trx: &mut Trx) {
        let (mode, _) = self.policy(trx);
        for (index, key, shared) in self.fresh.drain(..) {
            trx.engine.locks.unlock_record(trx.shared.owner(), index, RecKey::Key(&key), mode, shared);
        }
    }

    /// Waits for the lock of the last row (after [`TableCursor::was_semi_consistent`]) and reads it again; `None` if it is
    /// gone.
    ///
    /// # Errors
    /// As every lock wait.
    pub fn relock(&mut self, trx: &mut Trx) -> Result<Option<Row<'_>>> {
        let semi = std::mem::replace(&mut self.semi, false);
        self.was_semi = false;
        self.fresh.clear();
        let found = self.lock_clustered(trx);
        self.semi = semi;
        let found = match found? {
            Look::Row => Some(Found::Copied),
            Look::Busy => return Err(StorageError::LockNowait),
            _ => {
                self.unlock_row(trx);
                None
            }
        };
        self.lend(found)
    }
}
