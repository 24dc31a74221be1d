//! UPDATE and DELETE of one row that the transaction has locked.
//!
//! A row whose clustered key stays is replaced in place; its undo record carries the difference and the entries that change.
//! A changed clustered key is a delete and an insert. DELETE only marks the record; purge removes it.

use crate::engine::Engine;
use crate::error::{Result, StorageError};
use crate::mvcc;
use crate::rowlock::LockMode;
use crate::table::info::{DELETE_MARK, FLAGS_AT};
use crate::table::insert::free_all;
use crate::table::write::{Replaced, RowValues, Scratch, encode_payload};
use crate::table::{Inserted, OnDuplicate, Table, external};
use crate::txn::Trx;
use bumpalo::Bump;
use smallvec::SmallVec;
use std::sync::Arc;
use value::Value;

impl Trx {
    /// Changes columns of the row with this clustered key, which the transaction has locked (cursor with
    /// [`ReadMode::FOR_UPDATE`](crate::table::ReadMode::FOR_UPDATE)). `changes`: (column, new value). `Duplicate` and errors leave the row as it was.
    ///
    /// # Errors
    /// `NotFound` when there is no such row.
    pub fn update(&mut self, table: &Arc<Table>, key: &[u8], changes: &[(usize, Value<'_>)]) -> Result<Inserted> {
        self.engine.lag.delay();
        self.check_killed()?;
        self.ensure_write()?;
        self.intention(table, LockMode::IX)?;
        let engine = self.engine.clone();
        let mut s = std::mem::take(&mut self.scratch);
        let before = self.savepoint();
        let arena = std::mem::take(&mut s.arena);
        let done = self.update_row(&engine, table, key, changes, &mut s, &arena);
        s.keep(arena);
        self.scratch = s;
        match done {
            Ok(Inserted::Done) => {
                self.autoinc_changed(table, changes);
                self.note_rows(table, 0);
            }
            _ => self.rollback_to(before)?,
        }
        done
    }

    fn update_row(
        &mut self,
        engine: &Engine,
        table: &Arc<Table>,
        key: &[u8],
        changes: &[(usize, Value<'_>)],
        s: &mut Scratch,
        arena: &Bump,
    ) -> Result<Inserted> {
        let Some(mut row) = self.changed_row(engine, table, key, changes, s, arena)? else {
            return self.move_row(engine, table, key, changes, s);
        };
        self.change_in_place(engine, table, key.len(), &mut row, s)?;
        self.change_entries(engine, table, s)
    }

    /// The row to be changed (read into `s.old`) with the changes in it, and in `s.entries` how its entries change; `None` where its clustered key
    /// changes too.
    pub(super) fn changed_row<'a>(
        &mut self,
        engine: &Engine,
        table: &'a Table,
        key: &[u8],
        changes: &[(usize, Value<'a>)],
        s: &mut Scratch,
        arena: &'a Bump,
    ) -> Result<Option<RowValues<'a>>> {
        s.key.clear();
        s.key.extend_from_slice(key);
        self.read_locked(engine, table, s)?;
        let old_payload = arena.alloc_slice_copy(&s.old);
        let lacks = !table.lacking(old_payload).is_empty();
        let mut old = engine.row_values(table, old_payload, arena, |c| lacks || table.indexed(c))?;
        table.complete(old_payload, &mut old.values, arena)?;
        let mut new_values: SmallVec<[Value<'_>; 16]> = old.values.clone();
        let mut external = old.external.clone();
        for (c, v) in changes {
            if let Some(to) = new_values.get_mut(*c) {
                *to = *v;
            }
            if let Some(to) = external.get_mut(*c) {
                *to = None;
            }
        }
        if !table.hidden_key && changes.iter().any(|(c, _)| table.in_clustered_key(*c)) {
            let mut new_key = Vec::with_capacity(key.len());
            table.encode_parts(0, &new_values, &mut new_key)?;
            if new_key != key {
                return Ok(None);
            }
        }
        s.entries.clear();
        for (n, info) in table.secondary() {
            if changes
                .iter()
                .any(|(c, _)| info.columns.contains(&(*c as u16)) || info.payload_columns.contains(&(*c as u16)))
            {
                s.entries.add(table, n, Some(&old.values), Some(&new_values), key)?;
            }
        }
        // a fetched long column that stays keeps its reference; its value must not be stored again
        for (v, e) in new_values.iter_mut().zip(&external) {
            if e.is_some() {
                *v = Value::Str(b"");
            }
        }
        Ok(Some(RowValues { values: new_values, external }))
    }

    /// The clustered record of a row that keeps its key.
    pub(super) fn change_in_place(
        &mut self,
        engine: &Engine,
        table: &Table,
        key_len: usize,
        row: &mut RowValues<'_>,
        s: &mut Scratch,
    ) -> Result<()> {
        let mut written = SmallVec::new();
        let mut done = encode_payload(engine, table, key_len, row, &mut s.new, &mut written);
        if done.is_ok() {
            done = self.change_row(engine, table, s);
        }
        if done.is_err() {
            free_all(engine, table, &written)?;
        }
        done
    }

    /// Reads the row to be changed into `s.old`.
    pub(super) fn read_locked(&mut self, engine: &Engine, table: &Table, s: &mut Scratch) -> Result<()> {
        if !engine.read_clustered(table, &s.key, &mut s.old)? || mvcc::is_deleted(&s.old) {
            return Err(StorageError::NotFound);
        }
        let writer = mvcc::trx_id(&s.old);
        if writer != self.id && engine.trx_sys.is_active(writer) {
            // the caller did not lock it; never overwrite another's uncommitted row
            return Err(StorageError::LockNowait);
        }
        Ok(())
    }

    /// The clustered record: `s.old` becomes `s.new`.
    pub(super) fn change_row(&mut self, engine: &Engine, table: &Table, s: &mut Scratch) -> Result<()> {
        let blobs = external::only_in(table, &s.old, &s.new)?;
        match self.change_clustered(engine, table, s, &blobs)? {
            Replaced::Done => Ok(()),
            Replaced::Changed => Err(StorageError::CorruptPage {
                page: table.error_page(),
                why: "a locked row was changed by another transaction",
            }),
        }
    }

    fn change_entries(&mut self, engine: &Engine, table: &Table, s: &Scratch) -> Result<Inserted> {
        for e in s.entries.iter() {
            match (e.old, e.new) {
                (Some(old), Some(new)) if old == new => self.replace_entry(engine, table, e.index, new, e.payload)?,
                (old, new) => {
                    if let Some(old) = old {
                        self.mark_entry(engine, table, e.index, old)?;
                    }
                    if let Some(new) = new
                        && let Some(key) =
                            self.insert_entry(engine, table, e.index, new, e.payload, OnDuplicate::Error)?
                    {
                        return Ok(Inserted::Duplicate { index: e.index, key });
                    }
                }
            }
        }
        Ok(Inserted::Done)
    }

    /// The clustered key changes: the row goes and comes again.
    fn move_row(
        &mut self,
        engine: &Engine,
        table: &Arc<Table>,
        key: &[u8],
        changes: &[(usize, Value<'_>)],
        s: &mut Scratch,
    ) -> Result<Inserted> {
        let arena = Bump::new();
        let payload = arena.alloc_slice_copy(&s.old);
        // the new row gets its own long columns: the old version keeps its chains until it is purged
        let mut row = engine.row_values(table, payload, &arena, |_| true)?;
        table.complete(payload, &mut row.values, &arena)?;
        for (c, v) in changes {
            if let Some(to) = row.values.get_mut(*c) {
                *to = *v;
            }
        }
        self.delete_row(engine, table, key, s, &arena)?;
        self.insert_row(engine, table, &row.values, OnDuplicate::Error, s)
    }

    /// Deletes the row with this clustered key, which the transaction has locked.
    ///
    /// # Errors
    /// `NotFound` when there is no such row.
    pub fn delete(&mut self, table: &Arc<Table>, key: &[u8]) -> Result<()> {
        self.engine.lag.delay();
        self.check_killed()?;
        self.ensure_write()?;
        self.intention(table, LockMode::IX)?;
        let engine = self.engine.clone();
        let mut s = std::mem::take(&mut self.scratch);
        let before = self.savepoint();
        let arena = std::mem::take(&mut s.arena);
        let done = self.delete_row(&engine, table, key, &mut s, &arena);
        s.keep(arena);
        self.scratch = s;
        match done {
            Ok(()) => self.note_rows(table, -1),
            Err(_) => self.rollback_to(before)?,
        }
        done
    }

    fn delete_row(&mut self, engine: &Engine, table: &Table, key: &[u8], s: &mut Scratch, arena: &Bump) -> Result<()> {
        s.key.clear();
        s.key.extend_from_slice(key);
        self.read_locked(engine, table, s)?;
        s.entries.clear();
        if table.indexes.len() > 1 {
            let row = engine.row_values(table, &s.old, arena, |c| table.indexed(c))?;
            for (n, _) in table.secondary() {
                s.entries.add(table, n, Some(&row.values), None, key)?;
            }
        }
        s.new.clear();
        s.new.extend_from_slice(&s.old);
        if let Some(flags) = s.new.get_mut(FLAGS_AT) {
            *flags |= DELETE_MARK;
        }
        self.change_row(engine, table, s)?;
        for e in s.entries.iter() {
            if let Some(old) = e.old {
                self.mark_entry(engine, table, e.index, old)?;
            }
        }
        Ok(())
    }
}
