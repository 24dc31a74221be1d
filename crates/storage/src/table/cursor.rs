//! [`TableCursor`]: reads of one index.
//!
//! Consistent reads copy batches of records out of the leaves and decide visibility per record; nothing is locked, no latch is
//! held between calls. Locking reads ([`super::locking`]) go record by record.
//!
//! # What a consistent read through a secondary index sees
//!
//! An entry whose last writer the snapshot sees is as it was for the snapshot: delete-marked ones are left out, others belong to the
//! visible version of their row. For any other entry the clustered record decides: the row is returned if the version that the
//! snapshot sees has this entry. That holds of the reader's own entries as well, once it has rolled something back: what rollback restores or
//! delete-marks bears the id of the transaction, though the row is again another's, whom the snapshot may not see. So index-only reads touch the clustered index only for entries that were changed lately.

use crate::btree;
use crate::error::{Result, StorageError};
use crate::mvcc;
use crate::row::prefix_successor;
use crate::rowlock::LockMode;
use crate::table::secondary::{entry_deleted, entry_trx};
use crate::table::{Direction, KeyRange, LockWait, ReadMode, Row, Table, TableHandle};
use crate::txn::{Isolation, Snapshot, Trx};
use base::IndexId;
use std::ops::Bound;

/// Where the current row's bytes are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// In the batch of the B+tree cursor: a clustered record.
    Batch,
    /// In `key` and `payload`: a clustered record.
    Copied,
    /// In the batch: an entry of this index, enough for an index-only read.
    Entry,
    /// The same under its lock: in `entry` and `payload`.
    Locked,
}

/// A cursor on one index of a table. It holds no latch and no page between calls, and does not borrow the transaction, so
/// that a statement can have several and change rows in between.
#[derive(Debug)]
pub struct TableCursor {
    pub(super) table: TableHandle,
    pub(super) index: usize,
    pub(super) mode: ReadMode,
    pub(super) index_only: bool,
    pub(super) direction: Direction,
    /// Batches of consistent reads.
    batch: btree::Cursor,
    /// Range: `lo <= key < hi`.
    pub(super) lo: Vec<u8>,
    pub(super) hi: Option<Vec<u8>>,
    /// Locking reads: forwards, the smallest key still to be looked at; backwards, look below this.
    pub(super) at: Option<Vec<u8>>,
    pub(super) done: bool,
    /// A backward locking scan has not locked the gap above its range yet.
    pub(super) gap_pending: bool,
    /// Clustered key and payload of the current row, where they had to be copied.
    pub(super) key: Vec<u8>,
    pub(super) payload: Vec<u8>,
    /// The same in the present layout, where the row was written before an instant change of the columns.
    present: Vec<u8>,
    /// Long values of computed columns of that row.
    beside: Vec<u8>,
    /// The columns that will be looked at; `None`: maybe all.
    wanted: Option<Box<[u16]>>,
    /// Key of the current secondary entry (locking reads).
    pub(super) entry: Vec<u8>,
    /// What the last row locked that was not locked so before, for `unlock_row`; whether it was locked S.
    pub(super) fresh: Vec<(IndexId, Vec<u8>, bool)>,
    /// Records locked next-key one after the other, up to the last one looked at (whose key is `entry`).
    pub(super) streak: u32,
    pub(super) semi: bool,
    pub(super) was_semi: bool,
    /// Plain SELECT under SERIALIZABLE turned into a locking read.
    pub(super) locking: Option<(LockMode, LockWait)>,
    /// What has been read since the last seek, for the `Handler_read_*` status variables.
    pub(super) reads: super::reads::Reads,
}

/// Turns bounds over key prefixes into `lo <= key < hi`. `None`: nothing can be in the range.
fn to_half_open(range: &KeyRange<'_>, lo: &mut Vec<u8>, hi: &mut Option<Vec<u8>>) -> bool {
    lo.clear();
    match range.lower {
        Bound::Unbounded => {}
        Bound::Included(k) => lo.extend_from_slice(k),
        Bound::Excluded(k) => {
            lo.extend_from_slice(k);
            if !prefix_successor(lo) {
                return false;
            }
        }
    }
    let mut buf = hi.take().unwrap_or_default();
    buf.clear();
    match range.upper {
        Bound::Unbounded => {}
        Bound::Excluded(k) => {
            buf.extend_from_slice(k);
            *hi = Some(buf);
        }
        Bound::Included(k) => {
            buf.extend_from_slice(k);
            if prefix_successor(&mut buf) {
                *hi = Some(buf);
            }
        }
    }
    hi.as_ref().is_none_or(|h| lo.as_slice() < h.as_slice())
}

impl Drop for TableCursor {
    fn drop(&mut self) {
        self.tell_reads();
        super::spare::give(std::mem::take(&mut self.key), std::mem::take(&mut self.payload));
    }
}

impl TableCursor {
    /// A cursor on `table.def.indexes[index]`. With `index_only` rows carry only the columns of that index and of the
    /// clustered key (consistent reads then avoid the clustered index where they can).
    pub fn open(table: impl Into<TableHandle>, index: usize, mode: ReadMode, index_only: bool) -> TableCursor {
        let table = table.into();
        let none = btree::BTree { space: table.def.space, root: base::PageNo::NONE, index: IndexId(0) };
        let (key, payload) = super::spare::take();
        TableCursor {
            batch: btree::Cursor::new(table.tree(index).unwrap_or(none)),
            table,
            index,
            mode,
            index_only: index_only && index > 0,
            direction: Direction::Forward,
            lo: Vec::new(),
            hi: None,
            at: None,
            done: true,
            gap_pending: false,
            key,
            payload,
            present: Vec::new(),
            beside: Vec::new(),
            wanted: None,
            entry: Vec::new(),
            fresh: Vec::new(),
            streak: 0,
            semi: false,
            was_semi: false,
            locking: None,
            reads: super::reads::Reads::default(),
        }
    }

    /// Counts this cursor's reads as a statement's (`Handler_read_*`); the engine's own reads are not counted. `ordered`: the
    /// clustered index is read for its order, not as the table.
    #[must_use]
    pub fn counted(mut self, ordered: bool) -> TableCursor {
        self.reads.on(ordered);
        self
    }

    /// Only these columns will be looked at: what cannot be computed of the others is no error.
    #[must_use]
    pub fn wanting(mut self, columns: &[u16]) -> TableCursor {
        if self.table.lacks_columns() {
            self.wanted = Some(columns.into());
        }
        self
    }

    /// The table.
    pub fn table(&self) -> &TableHandle {
        &self.table
    }

    /// Decides between snapshot and locks for this read, and takes the table's intention lock.
    pub(super) fn begin(&mut self, trx: &mut Trx) -> Result<()> {
        trx.check_killed()?;
        trx.ensure_begun();
        self.was_semi = false;
        self.streak = 0;
        self.locking = match self.mode {
            ReadMode::Lock { mode, wait } => Some((mode, wait)),
            ReadMode::Consistent if trx.isolation() == Isolation::Serializable && trx.explicit => {
                Some((LockMode::S, LockWait::Wait))
            }
            ReadMode::Source if trx.isolation() > Isolation::ReadCommitted => Some((LockMode::S, LockWait::Wait)),
            ReadMode::Consistent | ReadMode::Source => None,
        };
        match self.locking {
            Some((LockMode::X, _)) => trx.intention(&self.table, LockMode::IX),
            Some(_) => trx.intention(&self.table, LockMode::IS),
            None if self.table.visible_from() != 0 => self.check_snapshot(trx),
            None => Ok(()),
        }
    }

    /// The table was rebuilt, or got an index, while the server ran: snapshots from before then would miss older versions.
    #[cold]
    fn check_snapshot(&self, trx: &mut Trx) -> Result<()> {
        self.table.has_tablespace()?;
        let old = trx.isolation() > Isolation::ReadUncommitted && trx.snapshot().no.0 < self.table.visible_from();
        if old { Err(StorageError::TableDefChanged) } else { Ok(()) }
    }

    /// Starts a scan. Rows come with [`TableCursor::next`].
    ///
    /// # Errors
    /// Table lock waits; `Interrupted`.
    pub fn seek(&mut self, trx: &mut Trx, range: KeyRange<'_>, direction: Direction) -> Result<()> {
        self.begin(trx)?;
        self.tell_reads();
        self.reads.seek(self.index, &range, direction);
        self.direction = direction;
        self.fresh.clear();
        self.done = !to_half_open(&range, &mut self.lo, &mut self.hi);
        if self.locking.is_some() {
            self.gap_pending = direction == Direction::Backward;
            let mut at = self.at.take().unwrap_or_default();
            at.clear();
            self.at = match (direction, &self.hi) {
                (Direction::Forward, _) => {
                    at.extend_from_slice(&self.lo);
                    Some(at)
                }
                (Direction::Backward, Some(hi)) => {
                    at.extend_from_slice(hi);
                    Some(at)
                }
                (Direction::Backward, None) => None,
            };
        } else if !self.done {
            match direction {
                Direction::Forward => self.batch.forward(&self.lo, self.hi.as_deref()),
                Direction::Backward => self.batch.backward(self.hi.as_deref(), &self.lo),
            }
        }
        Ok(())
    }

    /// Tells a consistent scan that about so many rows will be read, so that it copies larger batches from the start.
    pub fn expect_rows(&mut self, rows: usize) {
        self.batch.expect_rows(rows);
    }

    /// Next row of the scan, `None` at its end.
    ///
    /// # Errors
    /// Lock waits (locking reads), `Interrupted`, I/O, corruption.
    #[allow(clippy::should_implement_trait)] // it fails, and it lends
    pub fn next(&mut self, trx: &mut Trx) -> Result<Option<Row<'_>>> {
        self.reads.next();
        if self.done {
            self.reads.missed();
            self.reads.ended();
            return Ok(None);
        }
        let found = if self.locking.is_some() { self.next_locked(trx)? } else { self.next_consistent(trx)? };
        if found.is_none() {
            self.reads.ended();
        }
        self.lend(found)
    }

    /// What has been read is counted: for the status variables and for performance_schema.
    fn tell_reads(&mut self) {
        let writes = matches!(self.mode, ReadMode::Lock { mode, .. } if mode == LockMode::X);
        self.reads.flush(&self.table, self.index, writes);
    }

    pub(super) fn lend(&mut self, found: Option<Found>) -> Result<Option<Row<'_>>> {
        let (key, payload) = match found {
            None => {
                self.reads.missed();
                return Ok(None);
            }
            Some(Found::Copied) => (self.key.as_slice(), self.payload.as_slice()),
            Some(Found::Locked) => (self.entry.as_slice(), self.payload.as_slice()),
            Some(Found::Batch | Found::Entry) => match self.batch.current() {
                Some(current) => current,
                None => return Ok(None),
            },
        };
        if matches!(found, Some(Found::Entry | Found::Locked)) {
            return Row::entry(&self.table, self.index, key, payload).map(Some);
        }
        if self.table.former_version(payload).is_none() {
            return Row::clustered(&self.table, key, payload).map(Some);
        }
        self.table.present(payload, self.wanted.as_deref(), &mut self.present, &mut self.beside)?;
        Row::presented(&self.table, key, &self.present, &self.beside).map(Some)
    }

    fn next_consistent(&mut self, trx: &mut Trx) -> Result<Option<Found>> {
        trx.check_killed()?;
        let snapshot = trx.view();
        let engine = &trx.engine;
        let pool = engine.store.pool();
        loop {
            let Some((key, payload)) = self.batch.next(pool)? else {
                self.done = true;
                return Ok(None);
            };
            if self.index > 0 {
                match visible_entry(trx, &self.table, self.index, snapshot.as_ref(), key, payload, self.index_only)? {
                    Entry::Skip => continue,
                    Entry::Enough => return Ok(Some(Found::Entry)),
                    Entry::Look { check } => {
                        self.key.clear();
                        self.key.extend_from_slice(self.table.clustered_key_of(self.index, key)?);
                        let there = engine.read_clustered(&self.table, &self.key, &mut self.payload)?
                            && version_for(trx, snapshot.as_ref(), &mut self.payload)?;
                        if there
                            && (!check
                                || engine.entry_matches(&self.table, self.index, &self.payload, &self.key, key)?)
                        {
                            return Ok(Some(Found::Copied));
                        }
                        continue;
                    }
                }
            }
            let newest = match &snapshot {
                None => true,
                Some(s) => mvcc::newest_is_visible(&engine.trx_sys, s, trx.id, payload),
            };
            if newest {
                if mvcc::is_deleted(payload) {
                    continue;
                }
                return Ok(Some(Found::Batch));
            }
            self.key.clear();
            self.key.extend_from_slice(key);
            self.payload.clear();
            self.payload.extend_from_slice(payload);
            if version_for(trx, snapshot.as_ref(), &mut self.payload)? {
                return Ok(Some(Found::Copied));
            }
        }
    }

    /// As [`TableCursor::next`] for a consistent scan of the clustered index, but rows come only if the snapshot sees
    /// their newest version and another wrote it: that is what every younger snapshot sees, too, as long as nobody
    /// changes them. The keys of all other records are added to `unsettled`.
    pub(super) fn next_settled(&mut self, trx: &mut Trx, unsettled: &mut Vec<Box<[u8]>>) -> Result<Option<Row<'_>>> {
        trx.check_killed()?;
        let snapshot = trx.snapshot();
        let engine = &trx.engine;
        loop {
            let Some((key, payload)) = self.batch.next(engine.store.pool())? else {
                self.done = true;
                return Ok(None);
            };
            if !engine.trx_sys.sees(&snapshot, mvcc::trx_id(payload)) {
                unsettled.push(key.into());
            } else if !mvcc::is_deleted(payload) {
                return self.lend(Some(Found::Batch));
            }
        }
    }

    /// The row with this full key of a unique index (clustered or secondary, no NULL part), without starting a scan. A
    /// locking read locks the record only, or the gap where the key is missing (REPEATABLE READ and above).
    ///
    /// # Errors
    /// As [`TableCursor::next`].
    pub fn point(&mut self, trx: &mut Trx, key: &[u8]) -> Result<Option<Row<'_>>> {
        self.begin(trx)?;
        self.reads.point();
        self.fresh.clear();
        let found = match (self.locking.is_some(), self.index) {
            (true, _) => self.point_locked(trx, key)?,
            (false, 0) => self.point_consistent(trx, key)?,
            (false, _) => {
                let range = KeyRange::prefix(key);
                self.direction = Direction::Forward;
                self.done = !to_half_open(&range, &mut self.lo, &mut self.hi);
                self.batch.forward(&self.lo, self.hi.as_deref());
                let found = self.next_consistent(trx)?;
                self.done = true;
                found
            }
        };
        self.lend(found)
    }

    #[inline]
    fn point_consistent(&mut self, trx: &mut Trx, key: &[u8]) -> Result<Option<Found>> {
        self.key.clear();
        self.key.extend_from_slice(key);
        self.point_at_key(trx)
    }

    /// The visible row whose clustered key is in `key`.
    #[inline]
    fn point_at_key(&mut self, trx: &mut Trx) -> Result<Option<Found>> {
        let snapshot = trx.view();
        let there = trx.engine.read_clustered(&self.table, &self.key, &mut self.payload)?
            && version_for(trx, snapshot.as_ref(), &mut self.payload)?;
        Ok(there.then_some(Found::Copied))
    }

    /// An empty buffer for the key of [`TableCursor::point_of`].
    #[inline]
    pub fn key_buffer(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.key)
    }

    /// As [`TableCursor::point`]; the key is not copied.
    ///
    /// # Errors
    /// As [`TableCursor::next`].
    pub fn point_of(&mut self, trx: &mut Trx, key: Vec<u8>) -> Result<Option<Row<'_>>> {
        self.begin(trx)?;
        if self.locking.is_some() || self.index != 0 {
            return self.point(trx, &key);
        }
        self.reads.point();
        self.fresh.clear();
        self.key = key;
        let found = self.point_at_key(trx)?;
        self.lend(found)
    }

    /// Under READ COMMITTED and below, an UPDATE first evaluates its condition on the newest committed version of a locked
    /// row (semi-consistent read). With `true`, `next` returns such a version without waiting and
    /// [`TableCursor::was_semi_consistent`] tells; call [`TableCursor::relock`] to wait for the lock and get the row again.
    pub fn set_semi_consistent(&mut self, on: bool) {
        self.semi = on;
    }

    /// Whether the last row is an unlocked committed version.
    pub fn was_semi_consistent(&self) -> bool {
        self.was_semi
    }
}

/// What a consistent read does about a secondary entry.
enum Entry {
    Skip,
    /// The entry itself answers an index-only read.
    Enough,
    /// The clustered record decides; `check`: only if the visible version has this entry.
    Look {
        check: bool,
    },
}

fn visible_entry(
    trx: &Trx,
    _table: &Table,
    _index: usize,
    snapshot: Option<&Snapshot>,
    _key: &[u8],
    payload: &[u8],
    index_only: bool,
) -> Result<Entry> {
    let deleted = entry_deleted(payload);
    let Some(snapshot) = snapshot else {
        return Ok(if deleted { Entry::Skip } else { Entry::Look { check: true } });
    };
    let writer = entry_trx(payload);
    let known = if writer == trx.id { !trx.took_back } else { trx.engine.trx_sys.sees(snapshot, writer) };
    if !known {
        return Ok(Entry::Look { check: true });
    }
    Ok(match (deleted, index_only) {
        (true, _) => Entry::Skip,
        (false, true) => Entry::Enough,
        (false, false) => Entry::Look { check: false },
    })
}

/// Steps the payload back to the version to be read; `None` as snapshot: the newest. `false`: no such row.
#[inline]
fn version_for(trx: &Trx, snapshot: Option<&Snapshot>, payload: &mut Vec<u8>) -> Result<bool> {
    match snapshot {
        None => Ok(!mvcc::is_deleted(payload)),
        Some(s) => mvcc::to_visible(&trx.engine.store, &trx.engine.trx_sys, s, trx.id, payload),
    }
}
