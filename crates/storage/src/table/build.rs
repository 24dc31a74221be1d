//! Building trees from rows: CREATE INDEX on a table that has rows, and loading a new table.
//!
//! [`Engine::build_indexes`] scans the clustered index once, sorts the entries of each index ([`crate::sort`]) and builds the trees
//! with [`BulkBuilder`]. [`TableLoader`] does the same for the clustered index of a table that nobody else knows yet; its rows get
//! trx_id 0, which every snapshot sees, and no undo.
//!
//! # Rules of access
//! [`Engine::build_indexes`]: the caller has the table for itself: no row is locked and none has an uncommitted version. Purge may run: it
//! only removes what is delete-marked, which is left out here. [`Engine::build_indexes_at`] reads a snapshot, and others may write
//! ([`super::online`]).
//!
//! Only the newest version of each row gets an entry. A snapshot older than the build would miss older ones, so the published
//! table refuses it (1412).
//!
//! # Crash
//! Everything is logged; the DDL log removes the trees or the tablespace unless the statement commits. Tests: `engine/tests/build.rs`.

use crate::btree::{BulkBuilder, Cursor};
use crate::engine::Engine;
use crate::error::{Result, StorageError};
use crate::mvcc;
use crate::row::RowError;
use crate::sort::Sorter;
use crate::table::info::ENTRY_SYSTEM;
use crate::table::secondary::entry_head;
use crate::table::write::{Entries, RowValues, encode_payload};
use crate::table::{Direction, KeyRange, ReadMode, Table, TableCursor};
use crate::txn::Trx;
use crate::undo::RollPtr;
use base::{PageNo, TrxId};
use bumpalo::Bump;
use probe::Stage;
use smallvec::SmallVec;
use std::sync::Arc;
use value::Value;

/// Rows or entries between two looks at KILL.
const CHECK_EVERY: u64 = 512;

/// How to build.
#[derive(Clone, Copy)]
pub struct BuildOptions<'a> {
    /// Bytes of sort buffers in all; more goes to temporary files.
    pub memory: usize,
    /// KILL arrived?
    pub interrupted: &'a dyn Fn() -> bool,
}

impl BuildOptions<'_> {
    fn check(&self, n: u64) -> Result<()> {
        if n.is_multiple_of(CHECK_EVERY) && (self.interrupted)() { Err(StorageError::Interrupted) } else { Ok(()) }
    }
}

impl Engine {
    /// Fills the empty trees of secondary indexes `which` of the table from its rows; the number of rows. `table` need not be
    /// published: [`Table::new`] on the definition to come.
    ///
    /// # Errors
    /// `DuplicateKey` with the clustered key of the second row that has the same key of a unique index; `Interrupted`; I/O.
    pub fn build_indexes(&self, table: &Table, which: &[usize], opts: BuildOptions<'_>) -> Result<u64> {
        if which.is_empty() {
            return Ok(0);
        }
        let pool = self.store.pool();
        let mut build = IndexBuild::new(self, table, which, opts);
        let mut cursor = Cursor::new(table.tree(0)?);
        cursor.forward(&[], None);
        cursor.expect_rows(1024);
        let mut arena = Bump::new();
        while let Some((key, record)) = cursor.next(pool)? {
            if mvcc::is_deleted(record) {
                continue;
            }
            build.add(
                key,
                &self.row_values(table, record, &arena, |c| table.indexed(c))?.values,
                mvcc::trx_id(record),
            )?;
            arena.reset();
        }
        drop(cursor);
        build.finish()
    }

    /// The same from the rows of the published table that the reader's snapshot sees; `table` is the definition to come, with the same
    /// columns in the same places.
    ///
    /// # Errors
    /// As [`Engine::build_indexes`].
    pub fn build_indexes_at(
        &self,
        reader: &mut Trx,
        from: &Arc<Table>,
        table: &Table,
        which: &[usize],
        opts: BuildOptions<'_>,
    ) -> Result<u64> {
        let at = probe::stage::enter(Stage::AlterRead);
        let mut build = IndexBuild::new(self, table, which, opts);
        build.estimate = from.row_estimate();
        let indexed: Vec<u16> = (0..table.def.columns.len()).filter(|c| table.indexed(*c)).map(|c| c as u16).collect();
        let mut cursor = TableCursor::open(from, 0, ReadMode::Consistent, false).wanting(&indexed);
        cursor.seek(reader, KeyRange::ALL, Direction::Forward)?;
        cursor.expect_rows(1024);
        let mut arena = Bump::new();
        while let Some(row) = cursor.next(reader)? {
            {
                let value = |c| if table.indexed(c) { row.column(c, &arena) } else { Ok(Value::Null) };
                let values = (0..table.def.columns.len()).map(value).collect::<Result<SmallVec<[Value<'_>; 16]>>>()?;
                build.add(row.key(), &values, TrxId(0))?;
            }
            arena.reset();
        }
        drop(cursor);
        probe::stage::progress(build.rows, build.rows);
        drop(at);
        let _at = probe::stage::enter(Stage::AlterInsert);
        build.finish()
    }

    fn sorter(&self, budget: usize) -> Sorter {
        Sorter::new(self.store.files().fs().clone(), budget)
    }

    fn build_index(&self, table: &Table, n: usize, sorter: Sorter, opts: BuildOptions<'_>) -> Result<()> {
        let unique = table.index(n)?.unique;
        let mut sorted = sorter.sorted()?;
        let mut bulk = BulkBuilder::new(&self.store, table.tree(n)?)?;
        let (mut count, mut last) = (0u64, Vec::new());
        while let Some((key, payload)) = sorted.next()? {
            count += 1;
            opts.check(count)?;
            if unique && !table.key_has_null(n, key)? {
                let parts = key.get(..table.parts_len(n, key)?).unwrap_or(key);
                if count > 1 && parts == last.as_slice() {
                    let key = key.get(parts.len()..).unwrap_or(&[]).to_vec();
                    return Err(StorageError::DuplicateKey { index: n, key });
                }
                last.clear();
                last.extend_from_slice(parts);
            }
            if !bulk.push(key, payload)? {
                return Err(table.bad(RowError::Corrupt));
            }
        }
        bulk.finish().map(drop)
    }
}

/// The entries of several indexes on their way from rows to trees.
struct IndexBuild<'b> {
    engine: &'b Engine,
    table: &'b Table,
    which: &'b [usize],
    opts: BuildOptions<'b>,
    /// One for each index.
    sorters: Vec<Sorter>,
    entries: Entries,
    payload: Vec<u8>,
    rows: u64,
    /// How many there will be.
    estimate: u64,
}

impl<'b> IndexBuild<'b> {
    fn new(engine: &'b Engine, table: &'b Table, which: &'b [usize], opts: BuildOptions<'b>) -> IndexBuild<'b> {
        let budget = opts.memory / which.len().max(1);
        let sorters = which.iter().map(|_| engine.sorter(budget)).collect();
        IndexBuild {
            engine,
            table,
            which,
            opts,
            sorters,
            entries: Entries::default(),
            payload: Vec::new(),
            rows: 0,
            estimate: 0,
        }
    }

    /// A row; `trx` is whom its entries name as their last writer.
    fn add(&mut self, key: &[u8], row: &[Value<'_>], trx: TrxId) -> Result<()> {
        self.rows += 1;
        self.opts.check(self.rows)?;
        if self.rows.is_multiple_of(CHECK_EVERY) {
            probe::stage::progress(self.rows, self.estimate);
        }
        self.entries.clear();
        for n in self.which {
            self.entries.add(self.table, *n, None, Some(row), key)?;
        }
        for e in self.entries.iter() {
            let at = self.which.iter().position(|n| *n == e.index);
            let Some(sorter) = at.and_then(|at| self.sorters.get_mut(at)) else { continue };
            self.payload.clear();
            self.payload.extend_from_slice(&entry_head(0, trx));
            self.payload.extend_from_slice(e.payload.get(ENTRY_SYSTEM..).unwrap_or(&[]));
            sorter.push(e.new.unwrap_or(&[]), &self.payload)?;
        }
        Ok(())
    }

    /// Builds the trees; the number of rows.
    fn finish(self) -> Result<u64> {
        for (done, (n, sorter)) in self.which.iter().zip(self.sorters).enumerate() {
            probe::stage::progress(done as u64, self.which.len() as u64);
            self.engine.build_index(self.table, *n, sorter, self.opts)?;
        }
        probe::stage::progress(self.which.len() as u64, self.which.len() as u64);
        Ok(self.rows)
    }
}

/// Loads rows into a table that is empty and not published.
pub struct TableLoader<'e> {
    engine: &'e Engine,
    table: Arc<Table>,
    opts: BuildOptions<'e>,
    /// Rows come in order of the clustered key: no sorting.
    bulk: Option<BulkBuilder<'e>>,
    sorter: Sorter,
    key: Vec<u8>,
    payload: Vec<u8>,
    rows: u64,
}

impl<'e> TableLoader<'e> {
    /// `in_order`: the rows will come in order of the clustered key (or the table has a hidden one).
    ///
    /// # Errors
    /// I/O; a table that is not empty.
    pub fn new(
        engine: &'e Engine,
        table: &Arc<Table>,
        in_order: bool,
        opts: BuildOptions<'e>,
    ) -> Result<TableLoader<'e>> {
        engine.check_writable()?;
        let bulk = match in_order || table.hidden_key {
            true => Some(BulkBuilder::new(&engine.store, table.tree(0)?)?),
            false => None,
        };
        Ok(TableLoader {
            engine,
            table: table.clone(),
            opts,
            bulk,
            sorter: engine.sorter(opts.memory),
            key: Vec::new(),
            payload: Vec::new(),
            rows: 0,
        })
    }

    /// Takes a row: one value per column, converted to the column types. `row_id`: its key in a table with a hidden one, which goes on
    /// being its key (in order); otherwise the next one is taken.
    ///
    /// # Errors
    /// `DuplicateKey` of the clustered index when rows come in order (else [`TableLoader::finish`] says so): the key is that of
    /// the row which is there; `RecordTooLong`, I/O, `Interrupted`.
    pub fn add(&mut self, row: &[Value<'_>], row_id: Option<&[u8]>) -> Result<()> {
        self.rows += 1;
        self.opts.check(self.rows)?;
        let (engine, table) = (self.engine, &self.table);
        if row.len() != table.def.columns.len() {
            return Err(StorageError::Unsupported { what: "a row with another number of columns" });
        }
        self.key.clear();
        match row_id {
            Some(id) if table.hidden_key => self.key.extend_from_slice(id),
            _ if table.hidden_key => {
                let id = table.take_row_id(engine)?;
                self.key.extend_from_slice(id.to_be_bytes().get(2..).unwrap_or(&[]));
            }
            _ => table.encode_parts(0, row, &mut self.key)?,
        }
        let mut values = RowValues { values: row.iter().copied().collect(), external: SmallVec::new() };
        // pages of long columns that are written and then not referred to go with the tablespace
        encode_payload(engine, table, self.key.len(), &mut values, &mut self.payload, &mut SmallVec::new())?;
        let roll = RollPtr { insert: true, page: PageNo(0), offset: 0 };
        mvcc::set_system(&mut self.payload, TrxId(0), roll);
        match &mut self.bulk {
            None => self.sorter.push(&self.key, &self.payload),
            Some(bulk) => match bulk.push(&self.key, &self.payload)? {
                true => Ok(()),
                false => {
                    let duplicate = bulk.last_key() == self.key;
                    self.bulk.take().map(BulkBuilder::finish).transpose()?;
                    Err(match duplicate {
                        true => StorageError::DuplicateKey { index: 0, key: self.key.clone() },
                        false => StorageError::Unsupported { what: "rows out of order" },
                    })
                }
            },
        }
    }

    /// Builds what is left: the clustered index if rows came in any order, then the secondary ones. The number of rows.
    ///
    /// # Errors
    /// As [`TableLoader::add`] and [`Engine::build_indexes`]. With `DuplicateKey` the row with that clustered key can be read.
    pub fn finish(self) -> Result<u64> {
        let (engine, table) = (self.engine, self.table);
        match self.bulk {
            Some(bulk) => {
                bulk.finish()?;
            }
            None => {
                let mut bulk = BulkBuilder::new(&engine.store, table.tree(0)?)?;
                let mut sorted = self.sorter.sorted()?;
                let mut n = 0u64;
                while let Some((key, payload)) = sorted.next()? {
                    n += 1;
                    self.opts.check(n)?;
                    if !bulk.push(key, payload)? {
                        let key = key.to_vec();
                        bulk.finish()?;
                        return Err(StorageError::DuplicateKey { index: 0, key });
                    }
                }
                bulk.finish()?;
            }
        }
        let all: Vec<usize> = table.secondary().map(|(n, _)| n).collect();
        engine.build_indexes(&table, &all, self.opts)?;
        Ok(self.rows)
    }
}
