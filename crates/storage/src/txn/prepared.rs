//! Prepared transactions: the engine's side of XA (manual, "XA Transactions").
//!
//! [`Trx::prepare`] puts a PREPARED record with the identifier behind what the transaction wrote and waits for the log as a commit does. From then on
//! only `commit` and `rollback` may follow, from whatever thread holds the [`Trx`].
//!
//! # Crash
//!
//! Recovery finds a slot whose last record is PREPARED: the transaction's id becomes active again, its rows are locked through it (implicitly, as
//! before; locks of gaps and of rows only read are gone, as in InnoDB), and [`Engine::take_prepared`] hands it to the server. A rollback first marks
//! the PREPARED record as undone, so that a crash in the middle of it is followed by the rest of the rollback, never by half a prepared transaction. A transaction
//! that wrote nothing leaves no trace. A [`Trx`] that is dropped while prepared (the server stops) stays what it is in the undo slot.
//!
//! Tested in `engine/tests/prepared.rs`, `engine/tests/crash.rs` and `tests/crash/test_xa.py`.

use crate::engine::Engine;
use crate::error::Result;
use crate::rowlock::LockMode;
use crate::table::Table;
use crate::undo::log::unprepare;
use crate::undo::{UndoLog, record};
use base::{TableId, TrxId};
use std::collections::BTreeSet;
use std::sync::Arc;

use super::Xid;
use super::trx::{Trx, TrxShared};

/// A prepared transaction that recovery found, until the server asks for it.
#[derive(Debug)]
pub(crate) struct Recovered {
    pub(crate) xid: Xid,
    pub(crate) id: TrxId,
    pub(crate) log: UndoLog,
    pub(crate) shared: Arc<TrxShared>,
}

impl Trx {
    /// Whether it is prepared, and wrote something.
    pub fn is_prepared(&self) -> bool {
        self.prepared.is_some()
    }

    /// XA PREPARE: what was written is durable (as far as `innodb_flush_log_at_trx_commit` says) and survives the process, neither committed nor
    /// rolled back.
    ///
    /// # Errors
    /// Of pages and of the log; the transaction can then only be rolled back.
    pub fn prepare(&mut self, xid: &Xid) -> Result<()> {
        self.close_snapshot();
        let engine = self.engine.clone();
        let Some(undo) = self.undo.as_mut().filter(|u| u.first().is_some()) else { return Ok(()) };
        let attached = self.attached.take();
        let (lsn, at) = undo.mark_prepared(&engine.undo, self.id, xid, attached.as_deref())?;
        self.prepared = Some(at);
        self.last_lsn = lsn;
        engine.wait_for_commit(lsn, engine.durability())
    }

    /// It belongs to no session any more, as INNODB_TRX and data_locks show.
    pub fn detach(&self) {
        self.shared.detach();
    }

    /// First step of a prepared transaction's rollback; whether it was one.
    pub(super) fn unprepare(&mut self) -> Result<bool> {
        let Some(at) = self.prepared else { return Ok(false) };
        let attached = self.attached.take();
        unprepare(&self.engine.undo, at, attached.as_deref())?;
        self.prepared = None;
        Ok(true)
    }

    /// Tables with rows that the transaction changed, as far as they exist.
    ///
    /// # Errors
    /// Of reading undo pages and the dictionary.
    pub fn changed_tables(&self) -> Result<Vec<Arc<Table>>> {
        let mut tables = BTreeSet::<TableId>::new();
        if let Some(log) = &self.undo
            && let (Some(first), Some(last)) = (log.first(), log.last())
        {
            self.engine.undo.walk(first, last, |_, rec| {
                tables.extend(record::decode(rec).map(|r| r.table).filter(|t| t.0 != 0));
                Ok(())
            })?;
        }
        tables.into_iter().filter_map(|id| self.engine.table_by_id(id).transpose()).collect()
    }
}

impl Engine {
    /// The prepared transactions that recovery found; once. They hold their rows and the intention locks of their tables.
    ///
    /// # Errors
    /// `TooManyTrx`, and what reading pages gives.
    pub fn take_prepared(self: &Arc<Self>) -> Result<Vec<(Xid, Trx)>> {
        let found = std::mem::take(&mut *self.recovered.lock());
        found.into_iter().map(|r| self.resume(r)).collect()
    }

    fn resume(self: &Arc<Self>, r: Recovered) -> Result<(Xid, Trx)> {
        let mut trx = self.trx_of(r.shared)?;
        trx.start();
        trx.id = r.id;
        trx.prepared = r.log.last();
        trx.undo = Some(r.log);
        trx.owner_begun = true;
        for table in trx.changed_tables()? {
            trx.intention(&table, LockMode::IX)?;
        }
        Ok((r.xid, trx))
    }
}
