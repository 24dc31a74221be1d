//! DDL that lets others change the table meanwhile: what was changed, and how it gets into trees that nobody else knows yet.
//!
//! The statement reads the table as of a snapshot into a new tablespace or new index trees. Meanwhile [`Table::note_change`] notes
//! the clustered key of every record that a transaction changes ([`Recording`]); nothing else about the change. Afterwards the statement
//! goes in passes: it takes a new snapshot, takes the noted keys, and brings what it has built for those rows from the old
//! snapshot to the new one. A key whose newest version the snapshot does not see yet is kept for the next pass. So after each pass
//! the new trees hold exactly the rows of one snapshot, unique keys included; after the last one, under the exclusive metadata lock,
//! those of now.
//!
//! # Rules of access
//! Recording begins and ends under the exclusive metadata lock, when nobody has uncommitted changes. A key is noted after its
//! record was changed and before that can be committed. The snapshot is taken before the keys are: whatever it sees has been noted.
//! The trees under construction belong to the statement alone: no row locks, no undo, trx_id 0.
//!
//! # Crash
//! Everything is logged; the DDL log removes the trees or the tablespace. The noted keys are in memory only.
//!
//! Tests: `engine/tests/online.rs`, `tests/sql/test_online_ddl.py`.

use crate::engine::Engine;
use crate::error::{Result, StorageError};
use crate::mvcc;
use crate::table::info::ENTRY_SYSTEM;
use crate::table::insert::free_all;
use crate::table::secondary::entry_head;
use crate::table::write::{Entries, RowValues, encode_payload};
use crate::table::{Table, external};
use crate::txn::Trx;
use crate::undo::RollPtr;
use base::{PageNo, TrxId};
use hashbrown::HashSet;
use parking_lot::Mutex;
use smallvec::SmallVec;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use value::Value;

/// Bytes of memory that a noted key costs beside its own.
const KEY_OVERHEAD: usize = 48;

/// Part of an opened [`Table`]: whether changes are noted, and those that were.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    on: AtomicBool,
    noted: Mutex<Noted>,
}

#[derive(Debug, Default)]
struct Noted {
    keys: HashSet<Box<[u8]>>,
    bytes: usize,
    limit: usize,
}

impl Noted {
    /// Beyond the limit keys are dropped, and the statement fails when it looks.
    fn add(&mut self, key: &[u8]) {
        if self.bytes <= self.limit && self.keys.insert(key.into()) {
            self.bytes += key.len() + KEY_OVERHEAD;
        }
    }
}

impl Table {
    /// A transaction has changed the clustered record with this key.
    #[inline]
    pub(crate) fn note_change(&self, key: &[u8]) {
        self.note_for_ddl(key);
        self.words.note(key);
    }

    /// The same of a record that was there and is there, with both payloads.
    #[inline]
    pub(crate) fn note_replaced(&self, key: &[u8], old: &[u8], new: &[u8]) {
        self.note_for_ddl(key);
        if self.words.is_on() && !self.has_same_texts(old, new) {
            self.words.note(key);
        }
    }

    #[inline]
    fn note_for_ddl(&self, key: &[u8]) {
        if self.changes.on.load(Ordering::Relaxed) {
            self.changes.noted.lock().add(key);
        }
    }

    /// Notes the keys of changed rows from now on, until the result is dropped. The caller has the exclusive metadata lock. `limit`: bytes
    /// of memory (`innodb_online_alter_log_max_size`).
    pub fn record_changes(self: &Arc<Self>, limit: usize) -> Recording {
        *self.changes.noted.lock() = Noted { limit, ..Noted::default() };
        self.changes.on.store(true, Ordering::Release);
        Recording { table: self.clone() }
    }
}

/// See [`Table::record_changes`].
#[derive(Debug)]
pub struct Recording {
    table: Arc<Table>,
}

impl Recording {
    /// The keys noted so far, which are forgotten; `None`: there were more than memory for them.
    pub fn take(&self) -> Option<Vec<Box<[u8]>>> {
        let mut noted = self.table.changes.noted.lock();
        if noted.bytes > noted.limit {
            return None;
        }
        noted.bytes = 0;
        Some(std::mem::take(&mut noted.keys).into_iter().collect())
    }

    /// Keeps a key for the next pass.
    pub fn keep(&self, key: &[u8]) {
        self.table.changes.noted.lock().add(key);
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        self.table.changes.on.store(false, Ordering::Release);
        *self.table.changes.noted.lock() = Noted::default();
    }
}

impl Trx {
    /// Whether this transaction's snapshot sees the newest version of the row with this clustered key (or nothing is there).
    ///
    /// # Errors
    /// I/O, corruption.
    pub fn sees_newest(&mut self, table: &Table, key: &[u8]) -> Result<bool> {
        let (snapshot, own) = (self.snapshot(), self.id);
        let engine = &self.engine;
        let seen = table
            .tree(0)?
            .get(engine.store.pool(), key, |p| mvcc::newest_is_visible(&engine.trx_sys, &snapshot, own, p))?;
        Ok(seen.unwrap_or(true))
    }
}

impl Engine {
    /// Takes the entries of a row out of secondary indexes `which`, which only the caller knows.
    ///
    /// # Errors
    /// I/O, corruption.
    pub fn remove_built_entries(&self, table: &Table, which: &[usize], key: &[u8], row: &[Value<'_>]) -> Result<()> {
        let mut entries = Entries::default();
        for n in which {
            entries.add(table, *n, Some(row), None, key)?;
        }
        entries.iter().try_for_each(|e| self.remove_built(table, e.index, e.old.unwrap_or(&[])))
    }

    /// Puts the entries of a row into secondary indexes `which`, which only the caller knows.
    ///
    /// # Errors
    /// `DuplicateKey` with the clustered key of the row that is there; I/O, corruption.
    pub fn add_built_entries(&self, table: &Table, which: &[usize], key: &[u8], row: &[Value<'_>]) -> Result<()> {
        let mut entries = Entries::default();
        for n in which {
            entries.add(table, *n, None, Some(row), key)?;
        }
        for e in entries.iter() {
            let entry = e.new.unwrap_or(&[]);
            self.check_built_unique(table, e.index, entry)?;
            let mut payload: SmallVec<[u8; 64]> = SmallVec::from_slice(&entry_head(0, TrxId(0)));
            payload.extend_from_slice(e.payload.get(ENTRY_SYSTEM..).unwrap_or(&[]));
            self.put_built(table, e.index, entry, &payload)?;
        }
        Ok(())
    }

    /// Takes a row out of a table that only the caller knows; fine if it is not there.
    ///
    /// # Errors
    /// I/O, corruption.
    pub fn remove_built_row(&self, table: &Table, key: &[u8]) -> Result<()> {
        let mut payload = Vec::new();
        if !self.read_clustered(table, key, &mut payload)? {
            return Ok(());
        }
        let arena = bumpalo::Bump::new();
        let row = self.row_values(table, &payload, &arena, |c| table.indexed(c))?;
        let all: SmallVec<[usize; 8]> = table.secondary().map(|(n, _)| n).collect();
        self.remove_built_entries(table, &all, key, &row.values)?;
        self.remove_built(table, 0, key)?;
        free_all(self, table, &external::references(table, &payload)?)
    }

    /// The clustered key that these values have in a table with a declared primary key.
    ///
    /// # Errors
    /// Values that do not fit.
    pub fn built_key(&self, table: &Table, row: &[Value<'_>]) -> Result<Vec<u8>> {
        let mut key = Vec::new();
        table.encode_parts(0, row, &mut key)?;
        Ok(key)
    }

    /// Puts a row into a table that only the caller knows; `row_id`: its key in a table with a hidden one.
    ///
    /// # Errors
    /// `DuplicateKey` with the clustered key of the row that is there; `RecordTooLong`, I/O, corruption.
    pub fn add_built_row(&self, table: &Table, row: &[Value<'_>], row_id: &[u8]) -> Result<()> {
        if row.len() != table.def.columns.len() {
            return Err(StorageError::Unsupported { what: "a row with another number of columns" });
        }
        let key = if table.hidden_key { row_id.to_vec() } else { self.built_key(table, row)? };
        let mut payload = Vec::new();
        if table.tree(0)?.get(self.store.pool(), &key, |_| ())?.is_some() {
            return Err(StorageError::DuplicateKey { index: 0, key });
        }
        let mut values = RowValues { values: row.iter().copied().collect(), external: SmallVec::new() };
        // pages of long columns that are written and then not referred to go with the tablespace
        encode_payload(self, table, key.len(), &mut values, &mut payload, &mut SmallVec::new())?;
        mvcc::set_system(&mut payload, TrxId(0), RollPtr { insert: true, page: PageNo(0), offset: 0 });
        self.put_built(table, 0, &key, &payload)?;
        let all: SmallVec<[usize; 8]> = table.secondary().map(|(n, _)| n).collect();
        self.add_built_entries(table, &all, &key, row)
    }

    fn check_built_unique(&self, table: &Table, n: usize, entry: &[u8]) -> Result<()> {
        if !table.index(n)?.unique || table.key_has_null(n, entry)? {
            return Ok(());
        }
        let parts = entry.get(..table.parts_len(n, entry)?).unwrap_or(entry);
        let there = table.tree(n)?.next_at(self.store.pool(), parts, |rec| {
            rec.filter(|(k, _)| k.starts_with(parts) && *k != entry).map(|(k, _)| k.to_vec())
        })?;
        match there {
            Some(k) => Err(StorageError::DuplicateKey { index: n, key: table.clustered_key_of(n, &k)?.to_vec() }),
            None => Ok(()),
        }
    }

    fn put_built(&self, table: &Table, n: usize, key: &[u8], payload: &[u8]) -> Result<()> {
        let mut mtr = self.store.mtr()?;
        table.tree(n)?.write(&mut mtr, key, payload.len(), |pos| {
            if pos.found() { pos.replace(payload) } else { pos.insert(payload) }
        })?;
        mtr.commit();
        Ok(())
    }

    fn remove_built(&self, table: &Table, n: usize, key: &[u8]) -> Result<()> {
        let tree = table.tree(n)?;
        let mut mtr = self.store.mtr()?;
        let emptied = tree.write(&mut mtr, key, 0, |pos| {
            if !pos.found() {
                return Ok(false);
            }
            pos.delete()?;
            Ok(pos.worth_a_merge())
        })?;
        mtr.commit();
        if emptied {
            tree.merge(&self.store, key)?;
        }
        Ok(())
    }
}
