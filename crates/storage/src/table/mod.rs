//! Row operations on tables: [`Table`] (an opened table), [`Trx::insert`](crate::txn::Trx::insert), `update`, `delete`,
//! and [`TableCursor`] for reads.
//!
//! # Order of latches and waits
//!
//! * A row change is one mtr: undo page first, then the clustered leaf. Each secondary index entry is changed by an mtr of
//!   its own afterwards; an index leaf and another index's leaf are never latched together, except by purge and rollback
//!   which read the clustered index while they hold a secondary leaf.
//! * Row locks are requested while the leaf is latched; if the request must wait, the latches are dropped first and the
//!   operation positions itself again by key afterwards.
//!
//! # Crash
//!
//! Between the clustered change and the secondary ones the undo record is already in the log, so rollback in recovery
//! brings the secondary entries back as well; it tolerates entries that were never written.

mod stats;

use crate::dict::TableDef;
use crate::error::{Result, StorageError};
use crate::rowlock::LockMode;
use crate::txn::Trx;
use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use value::Value;

/// An opened table: definition, row layout, B+tree handles, AUTO_INCREMENT counter, statistics. Shared by all sessions.
#[derive(Debug)]
pub struct Table {
    /// Definition; a changed definition is another `Table`.
    pub def: Arc<TableDef>,
    /// Next AUTO_INCREMENT value to hand out; 0 while not known yet.
    pub(crate) autoinc: AtomicU64,
    /// Approximate number of rows.
    pub(crate) rows: AtomicU64,
    /// Set when DDL has published another definition or dropped the table: cached plans must be made anew.
    pub(crate) obsolete: AtomicBool,
}

/// What an insert does about a row that has the same unique key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnDuplicate {
    /// Plain INSERT and INSERT IGNORE: the duplicate is locked shared.
    Error,
    /// REPLACE and ON DUPLICATE KEY UPDATE: the duplicate is locked exclusively.
    LockExclusive,
}

/// Outcome of [`Trx::insert`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Inserted {
    /// The row is in.
    Done,
    /// A row with the same key of index number `index` is there (and locked as [`OnDuplicate`] says); nothing was inserted.
    Duplicate {
        /// Position of the index in the definition.
        index: usize,
        /// Clustered key of the row in the way, for [`TableCursor::point`], `update` and `delete`.
        key: Box<[u8]>,
    },
}

/// How a cursor reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadMode {
    /// Non-locking: what the isolation level's snapshot sees (the newest version under READ UNCOMMITTED; under
    /// SERIALIZABLE inside a transaction it becomes a shared locking read).
    Consistent,
    /// Locking.
    Lock {
        /// S (FOR SHARE) or X (FOR UPDATE, UPDATE, DELETE).
        mode: LockMode,
        /// What to do about a row that is locked by another.
        wait: LockWait,
    },
}

impl ReadMode {
    /// `UPDATE`, `DELETE`, `FOR UPDATE`.
    pub const FOR_UPDATE: ReadMode = ReadMode::Lock { mode: LockMode::X, wait: LockWait::Wait };
    /// `FOR SHARE`, `INSERT ... SELECT`'s source.
    pub const FOR_SHARE: ReadMode = ReadMode::Lock { mode: LockMode::S, wait: LockWait::Wait };
}

/// What a locking read does about a row that is locked by another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockWait {
    /// Wait up to `innodb_lock_wait_timeout`.
    Wait,
    /// Fail with `LockNowait`.
    NoWait,
    /// Leave the row out.
    SkipLocked,
}

/// Direction of a scan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Direction {
    Forward,
    Backward,
}

/// A range of an index, by normalized key **prefixes** (any number of leading parts): `Included(p)` contains all keys that start
/// with `p`, `Excluded(p)` none of them.
#[derive(Clone, Copy, Debug)]
pub struct KeyRange<'a> {
    /// Lower end.
    pub lower: Bound<&'a [u8]>,
    /// Upper end.
    pub upper: Bound<&'a [u8]>,
}

impl<'a> KeyRange<'a> {
    /// The whole index.
    pub const ALL: KeyRange<'static> = KeyRange { lower: Bound::Unbounded, upper: Bound::Unbounded };
    /// All keys that start with `prefix`.
    pub fn prefix(prefix: &'a [u8]) -> KeyRange<'a> {
        KeyRange { lower: Bound::Included(prefix), upper: Bound::Included(prefix) }
    }
}

/// A row as a cursor returns it; valid until the cursor moves.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    pub(crate) table: &'a Table,
    pub(crate) key: &'a [u8],
    pub(crate) row: &'a [u8],
}

impl<'a> Row<'a> {
    /// Clustered key: identifies the row for `update` and `delete`.
    pub fn key(&self) -> &'a [u8] {
        self.key
    }
    /// Row-format bytes (see `row`); empty for index-only rows.
    pub fn bytes(&self) -> &'a [u8] {
        self.row
    }
    /// The table.
    pub fn table(&self) -> &'a Table {
        self.table
    }
    /// Value of column `i` (position in the definition); long columns are fetched into the arena.
    pub fn column<'b>(&self, _i: usize, _arena: &'b bumpalo::Bump) -> Result<Value<'b>>
    where
        'a: 'b,
    {
        Err(StorageError::Unsupported { what: "column" })
    }
}

/// A cursor on one index of a table. It holds no latch and no page between calls, and does not borrow the transaction, so
/// that a statement can have several and change rows in between.
#[derive(Debug)]
pub struct TableCursor {
    table: Arc<Table>,
    index: usize,
    mode: ReadMode,
    index_only: bool,
}

impl TableCursor {
    /// A cursor on `table.def.indexes[index]`. With `index_only` rows carry only the columns of that index and of the
    /// clustered key (consistent reads then avoid the clustered index where the page allows it).
    pub fn open(table: &Arc<Table>, index: usize, mode: ReadMode, index_only: bool) -> TableCursor {
        TableCursor { table: table.clone(), index, mode, index_only }
    }

    /// The table.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// Starts a scan. Rows come with [`TableCursor::next`].
    pub fn seek(&mut self, trx: &mut Trx, range: KeyRange<'_>, direction: Direction) -> Result<()> {
        let _ = (trx, range, direction, self.index, self.mode, self.index_only);
        Err(StorageError::Unsupported { what: "scan" })
    }

    /// Next row of the scan, `None` at its end.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self, _trx: &mut Trx) -> Result<Option<Row<'_>>> {
        Err(StorageError::Unsupported { what: "scan" })
    }

    /// The row with this full key of a unique index (clustered or secondary, no NULL part), without starting a scan. A
    /// locking read locks the record only, or the gap where the key is missing (REPEATABLE READ and above).
    pub fn point(&mut self, _trx: &mut Trx, _key: &[u8]) -> Result<Option<Row<'_>>> {
        Err(StorageError::Unsupported { what: "point read" })
    }

    /// The last row returned does not match the statement's condition: READ COMMITTED and below give its lock back (unless
    /// the transaction had it before).
    pub fn unlock_row(&mut self, _trx: &mut Trx) {}

    /// Under READ COMMITTED and below, an UPDATE first evaluates its condition on the newest committed version of a locked
    /// row (semi-consistent read). With `true`, `next` returns such a version without waiting and
    /// [`TableCursor::was_semi_consistent`] tells; call [`TableCursor::relock`] to wait for the lock and get the row again.
    pub fn set_semi_consistent(&mut self, _on: bool) {}

    /// Whether the last row is an unlocked committed version.
    pub fn was_semi_consistent(&self) -> bool {
        false
    }

    /// Waits for the lock of the last row and reads it again; `None` if it is gone.
    pub fn relock(&mut self, _trx: &mut Trx) -> Result<Option<Row<'_>>> {
        Err(StorageError::Unsupported { what: "semi-consistent read" })
    }
}

impl Trx {
    /// Inserts a row. `row` has one value per column of the definition, already converted to the column types (virtual
    /// generated columns too). Unique checks, locks and secondary indexes included.
    pub fn insert(&mut self, _table: &Arc<Table>, _row: &[Value<'_>], _dup: OnDuplicate) -> Result<Inserted> {
        Err(StorageError::Unsupported { what: "insert" })
    }

    /// Changes columns of the row with this clustered key, which the transaction has locked (cursor with
    /// [`ReadMode::FOR_UPDATE`]). `changes`: (column, new value). `Duplicate` leaves the row as it was.
    pub fn update(&mut self, _table: &Arc<Table>, _key: &[u8], _changes: &[(usize, Value<'_>)]) -> Result<Inserted> {
        Err(StorageError::Unsupported { what: "update" })
    }

    /// Deletes the row with this clustered key, which the transaction has locked.
    pub fn delete(&mut self, _table: &Arc<Table>, _key: &[u8]) -> Result<()> {
        Err(StorageError::Unsupported { what: "delete" })
    }

    /// Waits for a table lock (LOCK TABLES, IS/IX are taken by the row operations themselves).
    pub fn lock_table(&mut self, _table: &Table, _mode: LockMode) -> Result<()> {
        Err(StorageError::Unsupported { what: "table lock" })
    }

    /// Reserves `n` AUTO_INCREMENT values for this statement: the first of a run `first, first+increment, ...` that are
    /// congruent to `offset` modulo `increment` (`innodb_autoinc_lock_mode` 2). Saturates at `max`.
    pub fn autoinc_reserve(
        &mut self,
        _table: &Table,
        _n: u64,
        _increment: u64,
        _offset: u64,
        _max: u64,
    ) -> Result<u64> {
        Err(StorageError::Unsupported { what: "auto_increment" })
    }

    /// A row was stored with an explicit AUTO_INCREMENT value: the counter moves past it.
    pub fn autoinc_observe(&mut self, _table: &Table, _value: u64) {}
}

impl Table {
    /// Opens a table: layouts, trees, counters. The dictionary shares the result ([`crate::dict::Dict::open_table`]).
    pub fn open(_engine: &Arc<crate::engine::Engine>, _def: Arc<TableDef>) -> Result<Arc<Table>> {
        Err(StorageError::Unsupported { what: "Table::open" })
    }

    /// Whether DDL has replaced or dropped this table.
    #[inline]
    pub fn is_obsolete(&self) -> bool {
        self.obsolete.load(std::sync::atomic::Ordering::Acquire)
    }

    pub(crate) fn mark_obsolete(&self) {
        self.obsolete.store(true, std::sync::atomic::Ordering::Release);
    }

    /// Next AUTO_INCREMENT value (SHOW CREATE TABLE, information_schema).
    pub fn autoinc_next(&self) -> u64 {
        self.autoinc.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Approximate number of rows.
    pub fn row_estimate(&self) -> u64 {
        self.rows.load(std::sync::atomic::Ordering::Relaxed)
    }
}
