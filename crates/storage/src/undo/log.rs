//! [`UndoLog`]: the undo slot of one writing transaction: appending records, reading them back for rollback.
//!
//! A row operation calls [`UndoLog::prepare`] with the record's length (which may add a page to the slot in an mtr of its
//! own), then latches the slot's tail page **before** any index page in its mtr, and appends in the same mtr that changes the
//! clustered leaf. So record and change are in the log together or not at all.

use super::Xid;
use super::pool::{SlotState, UndoPool};
use super::record::{self, HEADER, KIND_AT, Kind, RollPtr, UNDONE, UndoRecord};
use super::{FIRST_RECORD, UNDO_SPACE, field};
use crate::error::{Result, StorageError};
use crate::mtr::{Mtr, XRef};
use crate::page::{PAGE_SIZE, PageBuf, PageOp};
use base::{Lsn, PageId, PageNo, TrxId};

/// Longest record.
pub const MAX_RECORD: usize = PAGE_SIZE - FIRST_RECORD - HEADER;

/// Place of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pos {
    /// Page in the undo tablespace.
    pub page: PageNo,
    /// Offset on it.
    pub offset: u16,
}

/// A transaction's undo slot.
#[derive(Debug)]
pub struct UndoLog {
    pub(super) slot: SlotState,
    /// First record of the transaction.
    pub(super) first: Option<Pos>,
    /// Newest record of the transaction.
    pub(super) last: Option<Pos>,
    /// Number of the next record.
    pub(super) next_no: u64,
}

/// A record copied out for rollback.
#[derive(Debug, Default)]
pub struct UndoCopy {
    bytes: Vec<u8>,
}

impl UndoCopy {
    /// The record.
    pub fn record(&self) -> Option<UndoRecord<'_>> {
        record::decode(&self.bytes)
    }
}

fn bad(page: PageNo, why: &'static str) -> StorageError {
    StorageError::CorruptPage { page: PageId::new(UNDO_SPACE, page), why }
}

/// The bytes of the record at `offset`.
pub fn record_at(page: &PageBuf, offset: u16) -> Result<&[u8]> {
    let len = page.u16_at(offset as usize) as usize;
    if (offset as usize) < FIRST_RECORD || len < HEADER {
        return Err(bad(page.id().page, "no undo record where one must be"));
    }
    page.get(offset as usize, len).ok_or_else(|| bad(page.id().page, "undo record leaves its page"))
}

impl UndoLog {
    /// Records written so far (undone ones included): a savepoint's position.
    pub fn undo_no(&self) -> u64 {
        self.next_no
    }

    /// First record, if any was written.
    pub fn first(&self) -> Option<Pos> {
        self.first
    }

    /// Makes sure that a record of `len` bytes fits on the tail page. No latch may be held.
    pub fn prepare(&mut self, pool: &UndoPool, len: usize) -> Result<()> {
        if len > MAX_RECORD {
            return Err(StorageError::Unsupported { what: "a row whose index keys do not fit an undo page" });
        }
        // room for the end marker is kept free, so that COMMIT never needs a page
        if self.slot.free as usize + len + HEADER > PAGE_SIZE {
            pool.extend(&mut self.slot)?;
        }
        Ok(())
    }

    /// Latches the tail page; first in the mtr of a row operation.
    pub fn latch(&self, mtr: &mut Mtr<'_>) -> Result<XRef> {
        mtr.x(PageId::new(UNDO_SPACE, self.slot.tail))
    }

    /// Where the next record will be.
    pub fn next_roll_ptr(&self, insert: bool) -> RollPtr {
        RollPtr { insert, page: self.slot.tail, offset: self.slot.free }
    }

    /// Appends a record built by [`record`]. The mtr must be committed afterwards.
    pub fn append(&mut self, mtr: &mut Mtr<'_>, tail: XRef, rec: &mut [u8]) -> Result<()> {
        let (at, len) = (self.slot.free, rec.len() as u16);
        if let Some((to_len, rest)) = rec.split_first_chunk_mut::<2>() {
            *to_len = len.to_le_bytes();
            if let Some(to_prev) = rest.first_chunk_mut::<2>() {
                *to_prev = self.slot.last.to_le_bytes();
            }
        }
        mtr.apply(tail, PageOp::Patch { offset: at, bytes: rec })?;
        self.slot.free = at + len;
        self.slot.last = at;
        let [f0, f1] = self.slot.free.to_le_bytes();
        let [l0, l1] = at.to_le_bytes();
        mtr.apply(tail, PageOp::Patch { offset: field::FREE as u16, bytes: &[f0, f1, l0, l1] })?;
        let pos = Pos { page: self.slot.tail, offset: at };
        self.first.get_or_insert(pos);
        self.last = Some(pos);
        self.next_no += 1;
        Ok(())
    }

    /// Writes the COMMIT or ROLLED_BACK marker in an mtr of its own; returns its end and the marker's place.
    pub fn finish(&mut self, pool: &UndoPool, kind: Kind, trx: TrxId) -> Result<(Lsn, Pos)> {
        let mut rec = Vec::with_capacity(HEADER);
        record::begin(&mut rec, kind, trx, self.next_no);
        self.append_alone(pool, &mut rec)
    }

    /// Writes the COMMIT marker with bytes attached; `publish` runs in the order of commits. Its end, the marker's
    /// place, and what `publish` gave.
    pub fn finish_attached<T>(
        &mut self,
        pool: &UndoPool,
        trx: TrxId,
        bytes: &[u8],
        publish: impl FnOnce() -> T,
    ) -> Result<(Lsn, Pos, T)> {
        let mut rec = Vec::with_capacity(HEADER);
        record::begin(&mut rec, Kind::Commit, trx, self.next_no);
        let mut mtr = pool.store().mtr()?;
        let tail = self.latch(&mut mtr)?;
        mtr.attach(bytes)?;
        if let Err(e) = self.append(&mut mtr, tail, &mut rec) {
            mtr.detach();
            return Err(e);
        }
        let last = self.last;
        let (lsn, done) = mtr.commit_in_order(|_| publish());
        let pos = last.ok_or_else(|| bad(self.slot.tail, "marker without place"))?;
        Ok((lsn, pos, done))
    }

    /// Writes the PREPARED record in an mtr of its own, with bytes attached if there are any; returns its end and the
    /// record's place.
    pub fn mark_prepared(
        &mut self,
        pool: &UndoPool,
        trx: TrxId,
        xid: &Xid,
        bytes: Option<&[u8]>,
    ) -> Result<(Lsn, Pos)> {
        let mut rec = Vec::new();
        record::prepared(&mut rec, trx, self.next_no, xid);
        self.prepare(pool, rec.len())?;
        let Some(bytes) = bytes else { return self.append_alone(pool, &mut rec) };
        let mut mtr = pool.store().mtr()?;
        let tail = self.latch(&mut mtr)?;
        mtr.attach(bytes)?;
        if let Err(e) = self.append(&mut mtr, tail, &mut rec) {
            mtr.detach();
            return Err(e);
        }
        let pos = self.last.ok_or_else(|| bad(self.slot.tail, "marker without place"))?;
        Ok((mtr.commit_in_order(|_| ()).0, pos))
    }

    fn append_alone(&mut self, pool: &UndoPool, rec: &mut [u8]) -> Result<(Lsn, Pos)> {
        let mut mtr = pool.store().mtr()?;
        let tail = self.latch(&mut mtr)?;
        self.append(&mut mtr, tail, rec)?;
        let pos = self.last.ok_or_else(|| bad(self.slot.tail, "marker without place"))?;
        Ok((mtr.commit(), pos))
    }

    /// The newest record's place.
    pub fn last(&self) -> Option<Pos> {
        self.last
    }

    /// Copies the newest record of the transaction with `undo_no >= from` that has not been undone and lies before
    /// `before` (`None`: from the end). Returns its place.
    pub fn newest(
        &self,
        pool: &UndoPool,
        before: Option<Pos>,
        from: u64,
        trx: TrxId,
        copy: &mut UndoCopy,
    ) -> Result<Option<Pos>> {
        let Some(first) = self.first else { return Ok(None) };
        let mut at = match before {
            None => self.last,
            Some(p) if p == first => None,
            Some(p) => pool.previous(p)?,
        };
        while let Some(pos) = at {
            let page = pool.store().pool().read(PageId::new(UNDO_SPACE, pos.page))?;
            let bytes = record_at(&page, pos.offset)?;
            let rec = record::decode(bytes).ok_or_else(|| bad(pos.page, "not an undo record"))?;
            if rec.trx != trx || rec.undo_no < from {
                return Ok(None);
            }
            if !rec.undone && matches!(rec.kind, Kind::Insert | Kind::Update) {
                copy.bytes.clear();
                copy.bytes.extend_from_slice(bytes);
                return Ok(Some(pos));
            }
            drop(page);
            at = if pos == first { None } else { pool.previous(pos)? };
        }
        Ok(None)
    }
}

/// Sets a flag in a record's kind byte; the page is latched in the mtr.
pub fn set_flag(mtr: &mut Mtr<'_>, page: XRef, offset: u16, flag: u8) -> Result<()> {
    let at = offset as usize + KIND_AT;
    let kind = mtr.page(page).get(at, 1).and_then(|b| b.first().copied()).unwrap_or(0);
    mtr.apply(page, PageOp::Patch { offset: at as u16, bytes: &[kind | flag] })
}

/// A prepared transaction is to be rolled back: from now on recovery would do so too. Bytes may be attached to it.
pub fn unprepare(pool: &UndoPool, at: Pos, bytes: Option<&[u8]>) -> Result<()> {
    let mut mtr = pool.store().mtr()?;
    let page = mtr.x(PageId::new(UNDO_SPACE, at.page))?;
    if let Some(bytes) = bytes {
        mtr.attach(bytes)?;
    }
    if let Err(e) = set_undone(&mut mtr, page, at.offset) {
        mtr.detach();
        return Err(e);
    }
    mtr.commit_in_order(|_| ());
    Ok(())
}

/// Marks a record as undone; in the mtr that restores the older version.
pub fn set_undone(mtr: &mut Mtr<'_>, page: XRef, offset: u16) -> Result<()> {
    set_flag(mtr, page, offset, UNDONE)
}
