//! Changes of a row index by index, for tables with foreign keys: the caller looks into other tables between the moment when the row's
//! old entry has left an index and the one when its new entry goes in.
//!
//! That is the order in which InnoDB works, and what a check finds depends on it: a row that refers to itself still has its old entry
//! in the indexes that come later, a row whose key is in use is told of the duplicate only if no earlier index had a foreign key to
//! complain about, and what cascades from a row meets that row half done.
//!
//! Usage: [`Trx::start_insert`], `start_update` or `start_delete`; then [`Trx::leave`] and [`Trx::enter`] in turn until `leave` has no more
//! index; then [`Trx::finish`]. [`Trx::take_back`] at any moment undoes all of it, and what was changed meanwhile. Undo records are
//! those of [`Trx::update`] and so on: the first is written with the clustered record, so rollback and recovery see nothing special.

use crate::error::{Result, StorageError};
use crate::row::BlobRef;
use crate::rowlock::LockMode;
use crate::table::info::{DELETE_MARK, FLAGS_AT};
use crate::table::insert::free_all;
use crate::table::write::{Entries, RowValues, Scratch, encode_payload};
use crate::table::{Inserted, OnDuplicate, Table};
use crate::txn::{Savepoint, Trx};
use bumpalo::Bump;
use smallvec::SmallVec;
use std::sync::Arc;
use value::Value;

/// A row change under way.
#[derive(Debug)]
pub struct RowChange {
    s: Scratch,
    dup: OnDuplicate,
    before: Savepoint,
    /// Index whose turn it is.
    at: usize,
    /// The clustered record is to be delete-marked.
    leaves: bool,
    /// A clustered record to be put in.
    comes: Option<Coming>,
    /// The clustered record stays, but bytes of its key change.
    touched: bool,
    /// Entries to be marked, and those to be put in; of a row that keeps its place both are in the first.
    going: Entries,
    coming: Option<Entries>,
    /// Rows more or less.
    by: i64,
}

#[derive(Debug)]
struct Coming {
    key: Vec<u8>,
    payload: Vec<u8>,
    blobs: SmallVec<[BlobRef; 2]>,
}

impl RowChange {
    fn entries(&self) -> &Entries {
        self.coming.as_ref().unwrap_or(&self.going)
    }
}

impl Trx {
    fn begin_change(&mut self, table: &Arc<Table>, dup: OnDuplicate) -> Result<RowChange> {
        self.engine.lag.delay();
        self.check_killed()?;
        self.ensure_write()?;
        self.intention(table, LockMode::IX)?;
        let before = self.savepoint();
        let s = std::mem::take(&mut self.scratch);
        let (going, coming) = (Entries::default(), None);
        Ok(RowChange { s, dup, before, at: 0, leaves: false, comes: None, touched: false, going, coming, by: 0 })
    }

    /// As [`Trx::insert`].
    ///
    /// # Errors
    /// As there; nothing has been changed then.
    pub fn start_insert(&mut self, table: &Arc<Table>, row: &[Value<'_>], dup: OnDuplicate) -> Result<RowChange> {
        if row.len() != table.def.columns.len() {
            return Err(StorageError::Unsupported { what: "a row with another number of columns" });
        }
        let mut change = self.begin_change(table, dup)?;
        self.comes(table, row, &mut change)?;
        change.by = 1;
        Ok(change)
    }

    /// The row that comes: its key, payload and entries.
    fn comes(&mut self, table: &Arc<Table>, row: &[Value<'_>], change: &mut RowChange) -> Result<()> {
        let engine = self.engine.clone();
        let mut key = Vec::new();
        if table.hidden_key {
            let id = table.take_row_id(&engine)?;
            key.extend_from_slice(id.to_be_bytes().get(2..).unwrap_or(&[]));
        } else {
            table.encode_parts(0, row, &mut key)?;
        }
        let mut entries = Entries::default();
        for (n, _) in table.secondary() {
            entries.add(table, n, None, Some(row), &key)?;
        }
        let mut values = RowValues { values: row.iter().copied().collect(), external: SmallVec::new() };
        let (mut payload, mut blobs) = (Vec::new(), SmallVec::new());
        if let Err(e) = encode_payload(&engine, table, key.len(), &mut values, &mut payload, &mut blobs) {
            free_all(&engine, table, &blobs)?;
            return Err(e);
        }
        change.coming = Some(entries);
        change.comes = Some(Coming { key, payload, blobs });
        Ok(())
    }

    /// As [`Trx::update`]. A row that keeps its clustered key is changed at once, its entries later.
    ///
    /// # Errors
    /// As there; nothing has been changed then.
    pub fn start_update(
        &mut self,
        table: &Arc<Table>,
        key: &[u8],
        changes: &[(usize, Value<'_>)],
    ) -> Result<RowChange> {
        let mut change = self.begin_change(table, OnDuplicate::Error)?;
        let arena = std::mem::take(&mut change.s.arena);
        let done = self.begin_update(table, key, changes, &mut change, &arena);
        change.s.keep(arena);
        if let Err(e) = done {
            self.take_back(table, change)?;
            return Err(e);
        }
        Ok(change)
    }

    fn begin_update(
        &mut self,
        table: &Arc<Table>,
        key: &[u8],
        changes: &[(usize, Value<'_>)],
        change: &mut RowChange,
        arena: &Bump,
    ) -> Result<()> {
        let engine = self.engine.clone();
        let Some(mut row) = self.changed_row(&engine, table, key, changes, &mut change.s, arena)? else {
            // the clustered key changes: the row goes and comes again, with long columns of its own
            self.goes(table, change, arena)?;
            let payload = arena.alloc_slice_copy(&change.s.old);
            let mut row = engine.row_values(table, payload, arena, |_| true)?;
            table.complete(payload, &mut row.values, arena)?;
            for (c, v) in changes {
                if let Some(to) = row.values.get_mut(*c) {
                    *to = *v;
                }
            }
            return self.comes(table, &row.values, change);
        };
        change.touched = !table.hidden_key && changes.iter().any(|(c, _)| table.in_clustered_key(*c));
        self.change_in_place(&engine, table, key.len(), &mut row, &mut change.s)?;
        change.going = std::mem::take(&mut change.s.entries);
        Ok(())
    }

    /// As [`Trx::delete`].
    ///
    /// # Errors
    /// As there; nothing has been changed then.
    pub fn start_delete(&mut self, table: &Arc<Table>, key: &[u8]) -> Result<RowChange> {
        let mut change = self.begin_change(table, OnDuplicate::Error)?;
        change.s.key.clear();
        change.s.key.extend_from_slice(key);
        let engine = self.engine.clone();
        self.read_locked(&engine, table, &mut change.s)?;
        let arena = Bump::new();
        self.goes(table, &mut change, &arena)?;
        change.coming = Some(Entries::default());
        change.by = -1;
        Ok(change)
    }

    /// The row that goes (`s.old`): its entries.
    fn goes(&mut self, table: &Arc<Table>, change: &mut RowChange, arena: &Bump) -> Result<()> {
        change.s.entries.clear();
        change.leaves = true;
        if table.indexes.len() > 1 {
            let payload = arena.alloc_slice_copy(&change.s.old);
            let row = self.engine.row_values(table, payload, arena, |c| table.indexed(c))?;
            for (n, _) in table.secondary() {
                change.going.add(table, n, Some(&row.values), None, &change.s.key)?;
            }
        }
        Ok(())
    }

    /// Takes the row's old entry out of the next index that changes; that index, or `None` if all are done.
    ///
    /// # Errors
    /// As [`Trx::update`]; [`Trx::take_back`] is for the caller.
    pub fn leave(&mut self, table: &Arc<Table>, change: &mut RowChange) -> Result<Option<usize>> {
        let engine = self.engine.clone();
        if change.at == 0 {
            if std::mem::take(&mut change.leaves) {
                self.mark_row(table, change)?;
                return Ok(Some(0));
            }
            if change.comes.is_some() || change.touched {
                return Ok(Some(0));
            }
            change.at = 1;
        }
        while change.at < table.indexes.len() {
            let n = change.at;
            let mut any = change.entries().iter().any(|e| e.index == n);
            for e in change.going.iter().filter(|e| e.index == n) {
                any = true;
                if let Some(old) = e.old.filter(|_| e.old != e.new) {
                    self.mark_entry(&engine, table, n, old)?;
                }
            }
            if any {
                return Ok(Some(n));
            }
            change.at += 1;
        }
        Ok(None)
    }

    /// Delete-marks the clustered record.
    fn mark_row(&mut self, table: &Arc<Table>, change: &mut RowChange) -> Result<()> {
        let engine = self.engine.clone();
        let s = &mut change.s;
        s.new.clear();
        s.new.extend_from_slice(&s.old);
        if let Some(flags) = s.new.get_mut(FLAGS_AT) {
            *flags |= DELETE_MARK;
        }
        s.entries = std::mem::take(&mut change.going);
        let done = self.change_row(&engine, table, s);
        change.going = std::mem::take(&mut s.entries);
        done
    }

    /// Puts the row's new entry into the index that [`Trx::leave`] named.
    ///
    /// # Errors
    /// As [`Trx::update`]; after a duplicate, too, [`Trx::take_back`] is for the caller.
    pub fn enter(&mut self, table: &Arc<Table>, change: &mut RowChange) -> Result<Inserted> {
        let engine = self.engine.clone();
        let n = change.at;
        change.at += 1;
        if n == 0 {
            return self.enter_clustered(table, change);
        }
        for e in change.entries().iter().filter(|e| e.index == n) {
            let Some(new) = e.new else { continue };
            if e.old == Some(new) {
                self.replace_entry(&engine, table, n, new, e.payload)?;
            } else if let Some(key) = self.insert_entry(&engine, table, n, new, e.payload, change.dup)? {
                return Ok(Inserted::Duplicate { index: n, key });
            }
        }
        Ok(Inserted::Done)
    }

    fn enter_clustered(&mut self, table: &Arc<Table>, change: &mut RowChange) -> Result<Inserted> {
        let engine = self.engine.clone();
        let Some(new) = change.comes.take() else { return Ok(Inserted::Done) };
        let s = &mut change.s;
        (s.key, s.new) = (new.key, new.payload);
        s.entries = change.coming.take().unwrap_or_default();
        let got = self.insert_clustered(&engine, table, change.dup, s);
        change.coming = Some(std::mem::take(&mut s.entries));
        if !matches!(got, Ok(None)) {
            free_all(&engine, table, &new.blobs)?;
        }
        Ok(match got? {
            Some(key) => Inserted::Duplicate { index: 0, key },
            None => Inserted::Done,
        })
    }

    /// All indexes are done. `changes`: those of an update.
    pub fn finish(&mut self, table: &Arc<Table>, change: RowChange, changes: &[(usize, Value<'_>)]) {
        self.autoinc_changed(table, changes);
        self.note_rows(table, change.by);
        self.scratch = change.s;
    }

    /// Undoes the change and whatever the transaction has changed since it began.
    ///
    /// # Errors
    /// As [`Trx::rollback_to`].
    pub fn take_back(&mut self, table: &Arc<Table>, change: RowChange) -> Result<()> {
        if let Some(new) = &change.comes {
            free_all(&self.engine.clone(), table, &new.blobs)?;
        }
        self.rollback_to(change.before)?;
        self.scratch = change.s;
        Ok(())
    }
}
