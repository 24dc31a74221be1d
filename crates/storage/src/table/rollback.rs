//! Taking one undo record back: rollback of a statement, a transaction, or, in recovery, of an unfinished transaction.
//!
//! Secondary entries first (each in an mtr of its own, every step harmless when repeated), then the clustered record in one mtr with
//! the note in the undo record that it is done. So a crash in the middle repeats the record as a whole.

use crate::engine::Engine;
use crate::error::{Result, StorageError};
use crate::mvcc;
use crate::rowlock::{LockOwner, RecKey};
use crate::table::info::FLAGS_AT;
use crate::table::write::Entries;
use crate::table::{Table, external};
use crate::txn::IdState;
use crate::undo::log::set_undone;
use crate::undo::{Pos, UNDO_SPACE, UndoRecord};
use base::{PageId, TrxId};
use bumpalo::Bump;
use std::sync::Arc;

/// Undoes the record at `pos` of transaction `trx`. A table that no longer exists has nothing to undo.
pub(crate) fn undo_record(
    engine: &Engine,
    _owner: &Arc<LockOwner>,
    trx: TrxId,
    pos: Pos,
    rec: &UndoRecord<'_>,
) -> Result<()> {
    let mut table = engine.table_by_id(rec.table)?;
    engine.with_table(rec.table, &mut table, |table| Undo { engine, table, trx, pos, key: rec.key }.run(rec)).map(drop)
}

struct Undo<'a> {
    engine: &'a Engine,
    table: &'a Table,
    trx: TrxId,
    pos: Pos,
    key: &'a [u8],
}

impl Undo<'_> {
    fn run(&self, rec: &UndoRecord<'_>) -> Result<()> {
        let mut now = Vec::new();
        let there = self.engine.read_clustered(self.table, self.key, &mut now)?;
        let roll = mvcc::roll_ptr(&now);
        if !there || mvcc::trx_id(&now) != self.trx || (roll.page, roll.offset) != (self.pos.page, self.pos.offset) {
            return Err(StorageError::CorruptPage {
                page: PageId::new(UNDO_SPACE, self.pos.page),
                why: "undo record without its row",
            });
        }
        match &rec.update {
            None => self.undo_insert(&now),
            Some(u) => {
                let mut old = now.clone();
                mvcc::step_back(&self.engine.store, &mut old)?;
                for e in u.entries() {
                    let Some((n, _)) = self.table.index_by_id(e.index) else { continue };
                    if let Some(new) = e.new.filter(|_| e.new != e.old) {
                        self.take_entry(n, new)?;
                    }
                    if let Some(was) = e.old {
                        self.bring_entry(n, was, &old)?;
                    }
                }
                self.undo_update(&now, &old)
            }
        }
    }

    /// An entry the transaction put in: goes, or keeps a delete mark where older versions want it.
    fn take_entry(&self, n: usize, entry: &[u8]) -> Result<()> {
        let cut = self.engine.trx_sys.hold_cut();
        self.engine.remove_entry(self.table, n, entry, base::TrxNo(*cut), Some(self.trx))?;
        Ok(())
    }

    fn bring_entry(&self, n: usize, entry: &[u8], old: &[u8]) -> Result<()> {
        let arena = Bump::new();
        let row = self.engine.row_values(self.table, old, &arena, |c| self.table.indexed(c))?;
        let mut payload = Vec::new();
        self.table.encode_entry_payload(n, &row.values, &mut payload)?;
        self.engine.restore_entry(self.table, n, entry, &payload, self.trx)
    }

    fn undo_insert(&self, now: &[u8]) -> Result<()> {
        if self.table.indexes.len() > 1 {
            let arena = Bump::new();
            let row = self.engine.row_values(self.table, now, &arena, |c| self.table.indexed(c))?;
            let mut entries = Entries::default();
            for (n, _) in self.table.secondary() {
                entries.add(self.table, n, Some(&row.values), None, self.key)?;
            }
            for e in entries.iter() {
                if let Some(k) = e.old {
                    self.take_entry(e.index, k)?;
                }
            }
        }
        self.table.note_removed(self.engine, now)?;
        let blobs = external::references(self.table, now)?;
        self.remove_clustered()?;
        self.engine.free_undone(self.table, blobs)
    }

    fn undo_update(&self, now: &[u8], old: &[u8]) -> Result<()> {
        let blobs = external::only_in(self.table, now, old)?;
        // A delete-marked record that comes back may have been passed over by purge while our row stood on it.
        let cut = self.engine.trx_sys.hold_cut();
        let nobody_wants = mvcc::is_deleted(old)
            && match self.engine.trx_sys.state(mvcc::trx_id(old)) {
                IdState::Active => false,
                IdState::Ended(no) => no.0 <= *cut,
                IdState::Old => true,
            };
        if nobody_wants {
            self.table.note_removed(self.engine, old)?;
            let gone = external::references(self.table, old)?;
            self.remove_clustered()?;
            drop(cut);
            self.engine.free_undone(self.table, gone)?;
        } else {
            let tree = self.table.tree(0)?;
            let mut mtr = self.engine.store.mtr()?;
            let undo = mtr.x(PageId::new(UNDO_SPACE, self.pos.page))?;
            let room = if old.len() > now.len() { old.len() } else { 0 };
            tree.write(&mut mtr, self.key, room, |at| {
                if at.payload().get(..FLAGS_AT) != now.get(..FLAGS_AT) {
                    return Err(self.gone());
                }
                at.replace(old)?;
                set_undone(at.mtr(), undo, self.pos.offset)
            })?;
            mtr.commit();
        }
        self.engine.free_undone(self.table, blobs)
    }

    fn gone(&self) -> StorageError {
        StorageError::CorruptPage { page: self.table.error_page(), why: "a row changed while it was rolled back" }
    }

    fn remove_clustered(&self) -> Result<()> {
        let tree = self.table.tree(0)?;
        let index = self.table.index(0)?.id;
        let mut mtr = self.engine.store.mtr()?;
        let undo = mtr.x(PageId::new(UNDO_SPACE, self.pos.page))?;
        let empty = tree.write(&mut mtr, self.key, 0, |at| {
            if !at.found() {
                return Err(self.gone());
            }
            let succ = at.successor()?.map_or(RecKey::Supremum, |(k, _)| RecKey::Key(k));
            self.engine.locks.inherit_on_remove(index, self.key, succ);
            at.delete()?;
            let empty = at.worth_a_merge();
            set_undone(at.mtr(), undo, self.pos.offset)?;
            Ok(empty)
        })?;
        mtr.commit();
        if empty {
            tree.merge(&self.engine.store, self.key)?;
        }
        Ok(())
    }
}
