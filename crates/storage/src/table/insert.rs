//! INSERT of one row.
//!
//! Order: long columns into overflow pages, the clustered record (with its undo record, one mtr), then each secondary entry.
//! Locks as InnoDB's: the new row is locked implicitly by its trx_id; inserting into a gap waits for gap locks of others; a
//! duplicate is locked S (X for REPLACE and ON DUPLICATE KEY UPDATE), record only under READ COMMITTED in the clustered
//! index and next-key otherwise. A duplicate found in a secondary index takes the row back again.

use crate::engine::Engine;
use crate::error::{Result, StorageError};
use crate::mvcc;
use crate::row::BlobRef;
use crate::rowlock::{Acquired, LockKind, LockMode, RecKey, WaitPolicy};
use crate::table::write::{Replaced, RowValues, Scratch, encode_payload};
use crate::table::{Inserted, OnDuplicate, Table, external};
use crate::txn::{Isolation, Trx};
use crate::undo::record;
use base::{IndexId, TrxId};
use smallvec::SmallVec;
use std::sync::Arc;
use value::Value;

/// What was found at the place of a new clustered record.
enum Step {
    Inserted,
    Duplicate,
    /// A delete-marked record is there (copied to `old`): the row goes over it.
    Over,
    Again,
}

impl Trx {
    /// Inserts a row. `row` has one value per column of the definition, already converted to the column types (generated
    /// columns too). Unique checks, locks and secondary indexes included. `Duplicate` and errors leave nothing behind but locks.
    pub fn insert(&mut self, table: &Arc<Table>, row: &[Value<'_>], dup: OnDuplicate) -> Result<Inserted> {
        self.engine.lag.delay();
        self.check_killed()?;
        self.ensure_write()?;
        self.intention(table, LockMode::IX)?;
        let engine = self.engine.clone();
        let mut s = std::mem::take(&mut self.scratch);
        let before = self.savepoint();
        let done = self.insert_row(&engine, table, row, dup, &mut s);
        self.scratch = s;
        match done {
            Ok(Inserted::Done) => self.note_rows(table, 1),
            _ => self.rollback_to(before)?,
        }
        done
    }

    pub(super) fn insert_row(
        &mut self,
        engine: &Engine,
        table: &Arc<Table>,
        row: &[Value<'_>],
        dup: OnDuplicate,
        s: &mut Scratch,
    ) -> Result<Inserted> {
        if row.len() != table.def.columns.len() {
            return Err(StorageError::Unsupported { what: "a row with another number of columns" });
        }
        s.key.clear();
        if table.hidden_key {
            let id = table.take_row_id(engine)?;
            s.key.extend_from_slice(id.to_be_bytes().get(2..).unwrap_or(&[]));
        } else {
            table.encode_parts(0, row, &mut s.key)?;
        }
        s.entries.clear();
        for (n, _) in table.secondary() {
            s.entries.add(table, n, None, Some(row), &s.key)?;
        }
        let mut values = RowValues { values: row.iter().copied().collect(), external: SmallVec::new() };
        let mut written = SmallVec::new();
        let encoded = encode_payload(engine, table, s.key.len(), &mut values, &mut s.new, &mut written);
        let clustered = encoded.and_then(|()| self.insert_clustered(engine, table, dup, s));
        if !matches!(clustered, Ok(None)) {
            free_all(engine, table, &written)?;
        }
        if let Some(key) = clustered? {
            return Ok(Inserted::Duplicate { index: 0, key });
        }
        for e in s.entries.iter() {
            let Some(key) = e.new else { continue };
            if let Some(key) = self.insert_entry(engine, table, e.index, key, e.payload, dup)? {
                return Ok(Inserted::Duplicate { index: e.index, key });
            }
        }
        Ok(Inserted::Done)
    }

    /// The clustered record; `Some(key)`: a duplicate is there.
    pub(super) fn insert_clustered(
        &mut self,
        engine: &Engine,
        table: &Table,
        dup: OnDuplicate,
        s: &mut Scratch,
    ) -> Result<Option<Box<[u8]>>> {
        loop {
            match self.try_insert(engine, table, dup, s)? {
                Step::Inserted => return Ok(None),
                Step::Duplicate => return Ok(Some(s.key.as_slice().into())),
                Step::Again => {}
                Step::Over => {
                    let blobs = external::references(table, &s.old)?;
                    if self.change_clustered(engine, table, s, &blobs)? == Replaced::Done {
                        return Ok(None);
                    }
                }
            }
        }
    }

    fn try_insert(&mut self, engine: &Engine, table: &Table, dup: OnDuplicate, s: &mut Scratch) -> Result<Step> {
        let tree = table.tree(0)?;
        let index = table.index(0)?.id;
        let Some(undo) = &mut self.undo else { return Err(StorageError::NotFound) };
        record::insert(&mut s.undo, self.id, undo.undo_no(), table.id(), &s.key);
        undo.prepare(&engine.undo, s.undo.len())?;
        let mut mtr = engine.store.mtr()?;
        let tail = undo.latch(&mut mtr)?;
        mvcc::set_system(&mut s.new, self.id, undo.next_roll_ptr(true));
        let (key, room) = (std::mem::take(&mut s.key), s.new.len());
        let got = tree.write(&mut mtr, &key, room, |pos| {
            if pos.found() {
                let (writer, deleted) = (mvcc::trx_id(pos.payload()), mvcc::is_deleted(pos.payload()));
                if deleted {
                    s.old.clear();
                    s.old.extend_from_slice(pos.payload());
                }
                return Ok(match self.lock_found(index, &key, writer, deleted, dup) {
                    Acquired::Wait(t) => (Step::Again, Some(t)),
                    _ if deleted => (Step::Over, None),
                    _ => (Step::Duplicate, None),
                });
            }
            let succ = pos.successor()?.map_or(RecKey::Supremum, |(k, _)| RecKey::Key(k));
            if let Acquired::Wait(t) = engine.locks.lock_insert(self.shared.owner(), index, succ) {
                return Ok((Step::Again, Some(t)));
            }
            engine.locks.inherit_on_insert(index, succ, &key);
            pos.insert(&s.new)?;
            if let Some(undo) = &mut self.undo {
                undo.append(pos.mtr(), tail, &mut s.undo)?;
            }
            Ok((Step::Inserted, None))
        });
        s.key = key;
        let (step, ticket) = got?;
        if matches!(step, Step::Inserted) {
            self.last_lsn = mtr.commit();
            self.shared.count_record();
            table.note_change(&s.key);
        } else {
            drop(mtr);
        }
        if let Some(t) = ticket {
            self.wait_for(t)?;
        }
        Ok(step)
    }

    /// Locks the record that stands where the new one should go; the leaf is latched.
    fn lock_found(&mut self, index: IndexId, key: &[u8], writer: TrxId, deleted: bool, dup: OnDuplicate) -> Acquired {
        if deleted {
            if writer != self.id {
                self.engine.implicit_to_explicit(index, key, writer);
            }
            return self.request_change(index, key);
        }
        let mode = if dup == OnDuplicate::Error { LockMode::S } else { LockMode::X };
        let rc = self.isolation <= Isolation::ReadCommitted;
        let kind = if rc { LockKind::Record } else { LockKind::NextKey };
        self.request_written(index, key, writer, mode, kind, WaitPolicy::Wait)
    }
}

/// Frees overflow chains that no record refers to.
pub(crate) fn free_all(engine: &Engine, table: &Table, blobs: &[BlobRef]) -> Result<()> {
    blobs.iter().try_for_each(|b| external::free(&engine.store, table, *b))
}
