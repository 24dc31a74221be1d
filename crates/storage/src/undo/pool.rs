//! [`UndoPool`]: slots handed out last in first out, the directory, and what purge has still to do.

use super::Xid;
use super::log::{Pos, UndoLog, record_at};
use super::queue::PurgeQueue;
use super::record::{self, Kind};
use super::shrink::Shrink;
use super::{FIRST_RECORD, UNDO_SPACE, field};
use crate::error::{Result, StorageError};
use crate::mtr::{Mtr, XRef};
use crate::page::{PAGE_SIZE, PageBuf, PageOp, PageType, field as page_field};
use crate::space::{self, Want};
use crate::store::Store;
use base::{PageId, PageNo, TrxId, TrxNo};
use crossbeam_utils::CachePadded;
use parking_lot::{Mutex, RwLock};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Directory pages, made with the tablespace: pages 1..=4.
pub const DIRECTORY_PAGES: u32 = 4;
const PER_PAGE: u32 = ((PAGE_SIZE - field::ENTRIES) / field::ENTRY) as u32;
/// Writing transactions at a time.
pub const MAX_SLOTS: u32 = DIRECTORY_PAGES * PER_PAGE;
const SHARDS: usize = 16;
/// Owner of the extents that undo pages come from.
pub(super) const UNDO_OWNER: u64 = 1;

/// A slot while nobody or one transaction has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SlotState {
    pub(super) slot: u32,
    pub(super) tail: PageNo,
    /// First free byte on the tail page.
    pub(super) free: u16,
    /// Last record on the tail page.
    pub(super) last: u16,
}

/// A transaction (or, after recovery, a run of them) whose undo purge may consume.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PurgeItem {
    /// Slot.
    pub slot: u32,
    /// Purge when the cut has reached it.
    pub no: TrxNo,
    /// First record.
    pub first: Pos,
    /// The COMMIT or ROLLED_BACK marker.
    pub end: Pos,
}

/// An unfinished transaction found by recovery.
#[derive(Debug)]
pub struct Unfinished {
    /// Its id.
    pub id: TrxId,
    /// Its slot, as if it were still running.
    pub log: UndoLog,
    /// XA PREPARE had been answered: it goes on.
    pub prepared: Option<Xid>,
}

/// The undo tablespace.
pub struct UndoPool {
    pub(super) store: Arc<Store>,
    free: Mutex<Slots>,
    /// Held by who takes pages of the undo tablespace, exclusively by who gives the end of its file back.
    pub(super) gate: RwLock<()>,
    pub(super) shrink: Shrink,
    queues: Box<[CachePadded<PurgeQueue>]>,
    /// Records purged since start.
    pub(crate) purged: AtomicU64,
}

#[derive(Debug, Default)]
struct Slots {
    free: Vec<SlotState>,
    /// Slots that exist.
    made: u32,
}

impl std::fmt::Debug for UndoPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "UndoPool({} slots)", self.free.lock().made)
    }
}

pub(super) fn dir_page(slot: u32) -> PageId {
    PageId::new(UNDO_SPACE, PageNo(1 + slot / PER_PAGE))
}

pub(super) fn entry_at(slot: u32) -> usize {
    field::ENTRIES + (slot % PER_PAGE) as usize * field::ENTRY
}

pub(super) fn undo_page(page: PageNo) -> PageId {
    PageId::new(UNDO_SPACE, page)
}

fn link(mtr: &mut Mtr<'_>, page: XRef, at: usize, to: PageNo) -> Result<()> {
    mtr.apply(page, PageOp::Patch { offset: at as u16, bytes: &to.0.to_le_bytes() })
}

impl UndoPool {
    /// Over a tablespace that [`UndoPool::create`] has made.
    pub fn new(store: Arc<Store>) -> UndoPool {
        UndoPool {
            store,
            free: Mutex::default(),
            gate: RwLock::default(),
            shrink: Shrink::default(),
            queues: (0..SHARDS).map(|_| CachePadded::default()).collect(),
            purged: AtomicU64::new(0),
        }
    }

    pub(crate) fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// First start: makes the directory pages in a new undo tablespace.
    pub fn create(&self, first_id: TrxId) -> Result<()> {
        for n in 0..DIRECTORY_PAGES {
            let mut mtr = self.store.mtr()?;
            let want = Want { owner: UNDO_OWNER, near: PageNo(n), small: true };
            let (got, page) = space::alloc_page(&mut mtr, UNDO_SPACE, want)?;
            mtr.apply(page, PageOp::Init { ty: PageType::UndoSlot, level: 0, index_id: 0 })?;
            if got.0 != 1 + n {
                mtr.commit();
                return Err(StorageError::CorruptPage { page: undo_page(got), why: "undo directory not at its place" });
            }
            let no_slot = [0xffu8; PAGE_SIZE - field::ENTRIES];
            mtr.apply(page, PageOp::Patch { offset: field::ENTRIES as u16, bytes: &no_slot })?;
            if n == 0 {
                mtr.apply(page, PageOp::Patch { offset: field::ID_LIMIT as u16, bytes: &first_id.0.to_le_bytes() })?;
            }
            mtr.commit();
        }
        Ok(())
    }

    /// The persistent high-water mark of transaction ids.
    pub fn id_limit(&self) -> Result<TrxId> {
        Ok(TrxId(self.store.pool().read(dir_page(0))?.u64_at(field::ID_LIMIT)))
    }

    /// Changes the first directory page without changing anything: it then has the LSN of this start.
    pub(crate) fn touch(mtr: &mut Mtr<'_>) -> Result<()> {
        let page = mtr.x(dir_page(0))?;
        let limit = mtr.page(page).u64_at(field::ID_LIMIT);
        mtr.apply(page, PageOp::Patch { offset: field::ID_LIMIT as u16, bytes: &limit.to_le_bytes() })
    }

    /// Raises it; the ids may be used as soon as this returns (later log records imply this one).
    pub fn raise_id_limit(&self, limit: TrxId) -> Result<()> {
        let mut mtr = self.store.mtr()?;
        let page = mtr.x(dir_page(0))?;
        if mtr.page(page).u64_at(field::ID_LIMIT) < limit.0 {
            mtr.apply(page, PageOp::Patch { offset: field::ID_LIMIT as u16, bytes: &limit.0.to_le_bytes() })?;
        }
        mtr.commit();
        Ok(())
    }

    /// A slot for a transaction that is about to write.
    pub fn acquire(&self) -> Result<UndoLog> {
        let slot = {
            let mut slots = self.free.lock();
            match slots.free.pop() {
                Some(s) => Ok(s),
                None if slots.made < MAX_SLOTS => {
                    slots.made += 1;
                    Err(slots.made - 1)
                }
                None => return Err(StorageError::TooManyTrx),
            }
        };
        let slot = match slot {
            Ok(s) => s,
            Err(n) => self.make_slot(n)?,
        };
        Ok(UndoLog { slot, first: None, last: None, next_no: 0 })
    }

    fn make_slot(&self, slot: u32) -> Result<SlotState> {
        let _gate = self.gate.read();
        let mut mtr = self.store.mtr()?;
        let dir = mtr.x(dir_page(slot))?;
        let page = self.new_undo_page(&mut mtr, PageNo::NONE)?;
        let mut bytes = [0u8; 8];
        let twice = page.0.to_le_bytes().into_iter().cycle();
        bytes.iter_mut().zip(twice).for_each(|(to, from)| *to = from);
        mtr.apply(dir, PageOp::Patch { offset: entry_at(slot) as u16, bytes: &bytes })?;
        mtr.commit();
        Ok(SlotState { slot, tail: page, free: FIRST_RECORD as u16, last: 0 })
    }

    pub(super) fn new_undo_page(&self, mtr: &mut Mtr<'_>, prev: PageNo) -> Result<PageNo> {
        let (no, page) = space::alloc_page(mtr, UNDO_SPACE, Want { owner: UNDO_OWNER, near: prev, small: false })?;
        mtr.apply(page, PageOp::Init { ty: PageType::Undo, level: 0, index_id: 0 })?;
        let free = (FIRST_RECORD as u16).to_le_bytes();
        mtr.apply(page, PageOp::Patch { offset: field::FREE as u16, bytes: &free })?;
        link(mtr, page, page_field::PREV, prev)?;
        Ok(no)
    }

    /// Adds a page to a slot.
    pub(super) fn extend(&self, slot: &mut SlotState) -> Result<()> {
        let _gate = self.gate.read();
        let mut mtr = self.store.mtr()?;
        let tail = mtr.x(undo_page(slot.tail))?;
        let dir = mtr.x(dir_page(slot.slot))?;
        let page = self.new_undo_page(&mut mtr, slot.tail)?;
        link(&mut mtr, tail, page_field::NEXT, page)?;
        let at = entry_at(slot.slot) as u16 + 4;
        mtr.apply(dir, PageOp::Patch { offset: at, bytes: &page.0.to_le_bytes() })?;
        mtr.commit();
        *slot = SlotState { slot: slot.slot, tail: page, free: FIRST_RECORD as u16, last: 0 };
        Ok(())
    }

    /// Gives a slot back whose transaction has written its marker (or nothing).
    pub fn release(&self, log: UndoLog) {
        self.free.lock().free.push(log.slot);
    }

    /// Takes a slot that nobody has, whose last page `wanted` says yes to and of which nothing is left to be purged, out of the free ones.
    pub(super) fn take_idle(&self, wanted: impl Fn(PageNo) -> bool) -> Option<SlotState> {
        let mut slots = self.free.lock();
        let purged = |s: &SlotState| {
            let queue = self.queues.get(s.slot as usize % SHARDS);
            queue.is_some_and(|q| !q.any(|i| i.slot == s.slot))
        };
        let at = slots.free.iter().position(|s| wanted(s.tail) && purged(s))?;
        Some(slots.free.remove(at))
    }

    /// Gives it back, behind all others.
    pub(super) fn put_idle(&self, slot: SlotState) {
        self.free.lock().free.insert(0, slot);
    }

    /// Queues a finished transaction for purge; before its slot is released, so that a slot's items keep their order.
    pub fn enqueue(&self, log: &UndoLog, no: TrxNo, end: Pos) {
        if let (Some(first), Some(q)) = (log.first, self.queues.get(log.slot.slot as usize % SHARDS)) {
            q.push(PurgeItem { slot: log.slot.slot, no, first, end });
        }
    }

    /// Takes up to `max` items whose number the cut has reached, oldest first per queue.
    pub fn take_purgeable(&self, cut: TrxNo, max: usize, out: &mut Vec<PurgeItem>) {
        for q in &self.queues {
            q.take(cut, max, out);
        }
    }

    /// Finished transactions not purged yet.
    pub fn history_len(&self) -> u64 {
        self.queues.iter().map(|q| q.len() as u64).sum()
    }

    /// The record before `pos` in its slot: on the same page or on one before it.
    pub(super) fn previous(&self, pos: Pos) -> Result<Option<Pos>> {
        let page = self.store.pool().read(undo_page(pos.page))?;
        let rec = record_at(&page, pos.offset)?;
        let prev = rec.get(2..4).and_then(|b| b.try_into().ok()).map_or(0, u16::from_le_bytes);
        if prev != 0 {
            return Ok(Some(Pos { page: pos.page, offset: prev }));
        }
        let before = page.prev();
        drop(page);
        self.last_on(before)
    }

    /// The last record on `page` or, if that is empty, before it.
    fn last_on(&self, mut at: PageNo) -> Result<Option<Pos>> {
        while at.is_some() {
            // purge has freed what came before, perhaps the file was cut there
            if at.0 >= space::file_pages(self.store.pool(), UNDO_SPACE)? {
                return Ok(None);
            }
            let page = self.store.pool().read(undo_page(at))?;
            if page.page_type() != PageType::Undo {
                return Ok(None);
            }
            let last = page.u16_at(field::LAST);
            if last != 0 {
                return Ok(Some(Pos { page: at, offset: last }));
            }
            at = page.prev();
        }
        Ok(None)
    }

    /// Calls `f` with every record from `first` to `end` (both included). Those of a page are copied out first: no
    /// latch is held while `f` runs.
    pub fn walk(&self, first: Pos, end: Pos, mut f: impl FnMut(Pos, &[u8]) -> Result<()>) -> Result<()> {
        let mut copy = Vec::new();
        let mut at = first;
        loop {
            let next = {
                let page = self.store.pool().read(undo_page(at.page))?;
                let behind = match at.page == end.page {
                    true => end.offset as usize + record_at(&page, end.offset)?.len(),
                    false => page.u16_at(field::FREE) as usize,
                };
                copy.clear();
                let records = page.bytes().get((at.offset as usize).min(behind)..behind);
                let bad = || StorageError::CorruptPage { page: undo_page(at.page), why: "undo records end behind it" };
                copy.extend_from_slice(records.ok_or_else(bad)?);
                page.next()
            };
            let mut rest = copy.as_slice();
            while !rest.is_empty() {
                let (rec, behind) = copied_record(rest, at)?;
                f(at, rec)?;
                at.offset += rec.len() as u16;
                rest = behind;
            }
            if at.page == end.page {
                return Ok(());
            }
            if !next.is_some() {
                return Err(StorageError::CorruptPage { page: undo_page(at.page), why: "undo chain ends too early" });
            }
            at = Pos { page: next, offset: FIRST_RECORD as u16 };
        }
    }

    /// Gives the slot's pages before `keep` back to the tablespace: everything on them has been purged.
    pub fn truncate(&self, slot: u32, keep: PageNo) -> Result<()> {
        loop {
            // only purge moves a slot's head, so it stays what it is until we change it
            let head = PageNo(self.store.pool().read(dir_page(slot))?.u32_at(entry_at(slot)));
            if head == keep || !head.is_some() {
                return Ok(());
            }
            let mut mtr = self.store.mtr()?;
            let page = mtr.x(undo_page(head))?;
            let next = mtr.page(page).next();
            if !next.is_some() {
                mtr.release_clean(page);
                return Ok(());
            }
            let dir = mtr.x(dir_page(slot))?;
            space::prepare_free(&mut mtr, UNDO_SPACE, head)?;
            mtr.apply(page, PageOp::Init { ty: PageType::Free, level: 0, index_id: 0 })?;
            mtr.apply(dir, PageOp::Patch { offset: entry_at(slot) as u16, bytes: &next.0.to_le_bytes() })?;
            space::free_page(&mut mtr, UNDO_SPACE, head)?;
            mtr.commit();
        }
    }

    /// Reads the directory after the redo pass: free slots, purge work left, and transactions to roll back.
    pub fn recover(&self) -> Result<Vec<Unfinished>> {
        let mut unfinished = Vec::new();
        let mut slots = Slots::default();
        for slot in 0..MAX_SLOTS {
            let (head, tail) = {
                let dir = self.store.pool().read(dir_page(slot))?;
                let at = entry_at(slot);
                (PageNo(dir.u32_at(at)), PageNo(dir.u32_at(at + 4)))
            };
            if !tail.is_some() {
                break; // slots are made in order
            }
            slots.made = slot + 1;
            let state = {
                let page = self.store.pool().read(undo_page(tail))?;
                SlotState { slot, tail, free: page.u16_at(field::FREE), last: page.u16_at(field::LAST) }
            };
            match self.recover_slot(head, state)? {
                Some(u) => unfinished.push(u),
                None => slots.free.push(state),
            }
        }
        slots.free.reverse();
        *self.free.lock() = slots;
        Ok(unfinished)
    }

    fn recover_slot(&self, head: PageNo, state: SlotState) -> Result<Option<Unfinished>> {
        let Some(last) = self.last_on(state.tail)? else { return Ok(None) };
        let (mut kind, trx, undo_no, prepared) = self.kind_at(last)?;
        // back to the last marker
        let (mut at, mut first) = (last, None);
        while !matches!(kind, Kind::Commit | Kind::RolledBack) {
            first = Some(at);
            let at_head = at.page == head && at.offset as usize == FIRST_RECORD;
            match if at_head { None } else { self.previous(at)? } {
                Some(p) => {
                    at = p;
                    kind = self.kind_at(p)?.0;
                }
                None => break,
            }
        }
        if matches!(kind, Kind::Commit | Kind::RolledBack)
            && let Some(q) = self.queues.get(state.slot as usize % SHARDS)
            && let Some(start) = self.first_from(head)?
        {
            q.push(PurgeItem { slot: state.slot, no: TrxNo(0), first: start, end: at });
        }
        Ok(first.map(|first| Unfinished {
            id: trx,
            log: UndoLog { slot: state, first: Some(first), last: Some(last), next_no: undo_no + 1 },
            prepared,
        }))
    }

    fn first_from(&self, mut at: PageNo) -> Result<Option<Pos>> {
        while at.is_some() {
            let page = self.store.pool().read(undo_page(at))?;
            if page.u16_at(field::LAST) != 0 {
                return Ok(Some(Pos { page: at, offset: FIRST_RECORD as u16 }));
            }
            at = page.next();
        }
        Ok(None)
    }

    fn kind_at(&self, at: Pos) -> Result<(Kind, TrxId, u64, Option<Xid>)> {
        let page = self.store.pool().read(undo_page(at.page))?;
        let rec = record::decode(record_at(&page, at.offset)?)
            .ok_or_else(|| StorageError::CorruptPage { page: undo_page(at.page), why: "not an undo record" })?;
        let xid = rec.xid.filter(|_| !rec.undone);
        let xid = xid.map(|(format_id, g, b)| Xid { format_id, gtrid: g.to_vec(), bqual: b.to_vec() });
        Ok((rec.kind, rec.trx, rec.undo_no, xid))
    }

    /// Counts purged records.
    pub(crate) fn count_purged(&self, n: u64) {
        self.purged.fetch_add(n, Ordering::Relaxed);
    }
}

/// The first of some records, and the others.
fn copied_record(copy: &[u8], at: Pos) -> Result<(&[u8], &[u8])> {
    let bad = || StorageError::CorruptPage { page: undo_page(at.page), why: "no undo record where one must be" };
    let len = copy.first_chunk().map_or(0, |b| u16::from_le_bytes(*b)) as usize;
    if len < record::HEADER {
        return Err(bad());
    }
    copy.split_at_checked(len).ok_or_else(bad)
}

/// The record at a roll pointer on a latched page.
pub(crate) fn record_on(page: &PageBuf, offset: u16) -> Result<record::UndoRecord<'_>> {
    record::decode(record_at(page, offset)?)
        .ok_or_else(|| StorageError::CorruptPage { page: page.id(), why: "not an undo record" })
}
