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
//!
//! # Files
//!
//! * The opened table: [`info`].
//! * Changes: [`insert`], [`update`] (and delete), [`write`] (what all changes share), [`row_change`] (a change that
//!   goes through the indexes one by one), [`secondary`] (entries of secondary indexes), [`external`] (long columns),
//!   [`multi`] (entries of multi-valued indexes), [`counter`] (AUTO_INCREMENT), [`rollback`].
//! * Reads: [`cursor`], [`locking`] (which locks a read takes), [`lock`] (row locks), [`reference`] (what foreign keys
//!   ask).
//! * Whole tables: [`check`] (CHECK TABLE), [`stats`] (what the optimizer asks), [`build`] (index builds and bulk
//!   loads), [`online`] (the same while others write), [`words`] (what full-text searches keep).

mod autoinc;
mod build;
mod check;
pub mod computed;
mod counter;
mod cursor;
pub(crate) mod external;
pub(crate) mod info;
pub(crate) mod insert;
mod lock;
mod locking;
pub mod multi;
mod online;
mod reads;
mod reference;
pub(crate) mod rollback;
mod row;
mod row_change;
mod sampled;
pub(crate) mod secondary;
mod spare;
pub(crate) mod stats;
pub use sampled::{IndexStatistics, Statistics};
pub use stats::{StatsSetting, keeps_statistics};
mod undone_columns;
mod update;
mod words;
pub(crate) mod write;

pub use crate::handle::TableHandle;
pub use autoinc::AutoincMode;
pub use build::{BuildOptions, TableLoader};
pub use check::CheckReport;
pub use counter::Steps;
pub use cursor::TableCursor;
pub use info::Table;
pub use online::Recording;
pub use row::Row;
pub use row_change::RowChange;
pub(crate) use undone_columns::Uncommitted;
pub use words::{Usable, Words};

use crate::rowlock::LockMode;
use std::ops::Bound;

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
    /// Without locks: the versions that the transaction's snapshot sees. READ UNCOMMITTED sees the newest version;
    /// under SERIALIZABLE, inside a transaction, the read becomes a shared locking one.
    Consistent,
    /// The tables that a change only reads (`INSERT ... SELECT`): shared locks, but consistent under READ COMMITTED and
    /// below.
    Source,
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
    /// `FOR SHARE`.
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

/// Counts a row that a statement changes, for performance_schema: for no index where it is new, else for the clustered
/// one.
#[inline]
pub fn count_change(table: &Table, what: probe::tables::What) {
    let by_index = what != probe::tables::What::Insert && !table.def.has_no_key();
    let place = (table.def.id.0, by_index.then_some(0));
    probe::tables::count(place, [(what, 1)], || (&table.def.schema, &table.def.name));
}
