//! Begin, commit, rollback of [`Trx`].
//!
//! Commit: the COMMIT marker goes to the undo slot (that mtr's end is the LSN that makes the transaction durable), then the
//! transaction becomes visible, then its locks go, and only then does the session wait for the log. Another transaction
//! that saw its rows and writes something itself has a later LSN, so its own wait covers this one.

use crate::error::{Result, StorageError};
use crate::undo::Kind;
use crate::undo::log::UndoCopy;
use base::{Lsn, TrxId};
use std::sync::atomic::Ordering;

use super::sys::Snapshot;
use super::trx::{EXPLICIT, Isolation, READ_ONLY, Savepoint, Trx};

impl Trx {
    pub(crate) fn ensure_open(&mut self) {
        if self.open {
            return;
        }
        self.open = true;
        self.serial += 1;
    }

    /// It reads, locks or writes: from now on views show it, as in InnoDB.
    #[inline]
    pub(crate) fn ensure_begun(&mut self) {
        if !self.begun {
            self.ensure_open();
            self.begun = true;
            let nature = if self.explicit { EXPLICIT } else { 0 } | if self.read_only { READ_ONLY } else { 0 };
            self.shared.begun(self.isolation, nature, self.engine.now_us());
        }
    }

    /// The lock owner knows of this transaction: before any lock is asked for.
    pub(crate) fn ensure_owner(&mut self) {
        if !self.owner_begun {
            self.ensure_begun();
            self.shared.owner().begin(self.id.0);
            self.owner_begun = true;
        }
    }

    /// Gives the transaction its id and undo slot.
    pub(crate) fn ensure_write(&mut self) -> Result<()> {
        if self.id.0 != 0 {
            return Ok(());
        }
        self.engine.check_writable()?;
        self.ensure_owner();
        let undo = self.engine.undo.acquire()?;
        let id = loop {
            match self.engine.trx_sys.assign(&self.shared) {
                Some(id) => break id,
                None => {
                    if let Err(e) = self.engine.raise_id_limit() {
                        self.engine.undo.release(undo);
                        return Err(e);
                    }
                }
            }
        };
        self.shared.owner().begin(id.0);
        self.id = id;
        self.undo = Some(undo);
        Ok(())
    }

    /// The snapshot of the statement or transaction, taken now if there is none.
    #[inline]
    pub(crate) fn snapshot(&mut self) -> Snapshot {
        match self.snapshot {
            Some(s) => s,
            None => {
                self.ensure_begun();
                let s = self.engine.trx_sys.open_snapshot(self.slot);
                self.snapshot = Some(s);
                s
            }
        }
    }

    /// What a consistent read sees; `None`: the newest versions. READ UNCOMMITTED has a snapshot all the same: what it reads keeps its long columns.
    #[inline]
    pub(crate) fn view(&mut self) -> Option<Snapshot> {
        let snapshot = self.snapshot();
        if self.isolation > Isolation::ReadUncommitted {
            return Some(snapshot);
        }
        if !self.uncommitted {
            self.uncommitted = true;
            self.engine.uncommitted.enter();
        }
        None
    }

    pub(super) fn close_snapshot(&mut self) {
        if self.snapshot.take().is_some() {
            self.engine.trx_sys.close_snapshot(self.slot);
        }
        if std::mem::take(&mut self.uncommitted) {
            self.engine.uncommitted.leave();
        }
    }

    /// Start of a statement; what to roll back to if it fails. READ COMMITTED forgets its snapshot here.
    pub fn begin_statement(&mut self) -> Savepoint {
        if self.isolation <= Isolation::ReadCommitted {
            self.close_snapshot();
        }
        self.savepoint()
    }

    /// End of a statement that succeeded (or whose failure has been rolled back).
    pub fn end_statement(&mut self) {
        self.release_autoinc();
        if self.isolation <= Isolation::ReadCommitted {
            self.close_snapshot();
        }
    }

    /// SAVEPOINT: names are the session's business.
    pub fn savepoint(&mut self) -> Savepoint {
        self.ensure_open();
        Savepoint { serial: self.serial, undo_no: self.undo.as_ref().map_or(0, |u| u.undo_no()) }
    }

    /// Undoes everything after the savepoint. Locks are kept, as in InnoDB.
    ///
    /// # Errors
    /// Only what reading and writing pages can give; the transaction should then be rolled back.
    pub fn rollback_to(&mut self, to: Savepoint) -> Result<()> {
        if !self.open || to.serial != self.serial || self.id.0 == 0 {
            return Ok(());
        }
        probe::inc(probe::Counter::InnodbTrxRollbacksSavepoint);
        self.undo_back_to(to.undo_no)
    }

    /// Undoes everything and goes on as if it had just begun: without locks and snapshot.
    ///
    /// # Errors
    /// As [`Trx::rollback`].
    pub fn restart(&mut self) -> Result<()> {
        if self.id.0 != 0 {
            probe::inc(probe::Counter::InnodbTrxRollbacksSavepoint);
        }
        let (open, explicit, read_only) = (self.open, self.explicit, self.read_only);
        self.rollback()?;
        if open {
            self.ensure_open();
        }
        (self.explicit, self.read_only) = (explicit, read_only);
        Ok(())
    }

    fn undo_back_to(&mut self, undo_no: u64) -> Result<()> {
        let engine = self.engine.clone();
        let (mut before, mut copy) = (None, UndoCopy::default());
        loop {
            let Some(log) = &self.undo else { return Ok(()) };
            let Some(pos) = log.newest(&engine.undo, before, undo_no, self.id, &mut copy)? else { return Ok(()) };
            self.took_back = true;
            if let Some(rec) = copy.record() {
                crate::table::rollback::undo_record(&engine, self.shared.owner(), self.id, pos, &rec)?;
            }
            before = Some(pos);
        }
    }

    /// Commits; visible to others and locks released before the wait for the log. Returns the LSN that makes it durable.
    ///
    /// # Errors
    /// An error of the log: the transaction is over in memory, but nobody knows whether it is durable.
    pub fn commit(&mut self) -> Result<Lsn> {
        let wrote = self.id.0 != 0;
        let lsn = self.commit_detached()?;
        if wrote {
            self.engine.wait_for_commit(lsn, self.engine.durability())?;
        }
        Ok(lsn)
    }

    /// Commits without waiting for the log: the caller calls [`crate::engine::Engine::wait_for_commit`] before it tells the
    /// client.
    pub fn commit_detached(&mut self) -> Result<Lsn> {
        if self.id.0 != 0 {
            self.end_write(Kind::Commit)?;
            self.settle_rows(true);
        }
        self.end();
        Ok(self.last_lsn)
    }

    /// Bytes for the log's [`crate::attached::CommitSink`] that are durable exactly if the commit that follows is, at
    /// most [`crate::attached::MAX_ATTACHED`]. The same holds for a [`Trx::prepare`] that follows,
    /// and for the [`Trx::rollback`] of a prepared transaction; any other rollback forgets them. A transaction that
    /// wrote nothing takes none
    /// along: [`crate::engine::Engine::attach`].
    pub fn attach(&mut self, bytes: Vec<u8>) {
        self.attached = Some(bytes);
    }

    /// Memory of what was attached to the last transaction.
    pub fn take_spare(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.spare)
    }

    /// Rolls the whole transaction back. One that was prepared waits for the log as a commit does: what was answered must not be found prepared again.
    ///
    /// # Errors
    /// Only what reading and writing pages can give; the transaction stays open then and can be tried again.
    pub fn rollback(&mut self) -> Result<()> {
        if self.id.0 != 0 {
            self.shared.rolling_back.store(true, Ordering::Relaxed);
            let prepared = self.unprepare()?;
            self.undo_back_to(0)?;
            self.end_write(Kind::RolledBack)?;
            probe::inc(probe::Counter::InnodbTrxRollbacks);
            self.settle_rows(false);
            if prepared {
                self.end();
                return self.engine.wait_for_commit(self.last_lsn, self.engine.durability());
            }
        }
        self.end();
        Ok(())
    }

    /// Marker, visibility, purge queue, slot.
    fn end_write(&mut self, kind: Kind) -> Result<()> {
        let engine = self.engine.clone();
        let Some(mut undo) = self.undo.take() else { return Ok(()) };
        if undo.first().is_none() {
            engine.trx_sys.end(self.id);
        } else {
            let ended = match self.attached.as_deref().filter(|_| kind == Kind::Commit) {
                Some(bytes) => undo.finish_attached(&engine.undo, self.id, bytes, || engine.trx_sys.end(self.id)),
                None => {
                    undo.finish(&engine.undo, kind, self.id).map(|(lsn, end)| (lsn, end, engine.trx_sys.end(self.id)))
                }
            };
            match ended {
                Ok((lsn, end, no)) => {
                    self.last_lsn = lsn;
                    engine.undo.enqueue(&undo, no, end);
                }
                Err(e) => {
                    self.undo = Some(undo);
                    return Err(e);
                }
            }
        }
        engine.undo.release(undo);
        Ok(())
    }

    /// Everything but what was written: snapshot, locks, state for views.
    fn end(&mut self) {
        self.close_snapshot();
        self.release_autoinc();
        if self.owner_begun {
            self.engine.locks.release_all(self.shared.owner());
            self.owner_begun = false;
        }
        self.id = TrxId(0);
        self.prepared = None;
        if let Some(bytes) = self.attached.take() {
            self.spare = bytes;
        }
        self.open = false;
        self.took_back = false;
        self.explicit = false;
        self.read_only = false;
        self.begun = false;
        self.shared.ended();
    }

    /// A deadlock victim loses everything at once, before the error goes up.
    pub(crate) fn lost(&mut self, e: StorageError) -> StorageError {
        if e == StorageError::Deadlock
            && let Err(worse) = self.rollback()
        {
            return worse;
        }
        e
    }
}

impl Drop for Trx {
    fn drop(&mut self) {
        // an error here leaves the transaction to recovery; its locks go so that nobody hangs
        if self.prepared.is_none() && self.rollback().is_err() {
            self.engine.locks.release_all(self.shared.owner());
        }
        self.close_snapshot();
        self.engine.forget(&self.shared);
        self.engine.trx_sys.free_slot(self.slot);
    }
}
