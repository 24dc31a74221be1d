//! [`TrxSys`]: the engine-wide part of transactions.
//!
//! # Ring and spill
//!
//! `ring[id mod 2^k]` holds (id, commit number or ACTIVE). A newer id that falls on the slot of an older one moves the
//! older one to the spill map if anybody may still ask for it: it is active, or its number is above the purge horizon. So
//! an id that is found neither in the ring nor in the map was committed at or below every snapshot's number.
//!
//! # Dekker check between snapshot and horizon
//!
//! A session takes the watermark, stores it in its slot, and then looks at `announced`, the watermark that purge is about
//! to use; purge announces first and scans the slots afterwards. With sequential consistency either purge sees the slot or
//! the session sees the announcement and takes a newer number.

use base::{TrxId, TrxNo};
use crossbeam_utils::CachePadded;
use hashbrown::HashMap;
use parking_lot::{Mutex, RwLock, RwLockReadGuard};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::trx::TrxShared;

/// Slots of the ring; a power of two.
const RING: usize = 1 << 14;
/// Number of a transaction that has not committed.
const ACTIVE: u64 = u64::MAX;
/// Content of a snapshot slot whose session has no snapshot.
const NO_SNAPSHOT: u64 = u64::MAX;
/// Snapshot slots come in blocks, so that they never move.
const BLOCK: usize = 128;
const BLOCKS: usize = 512;

/// What is known about a transaction id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IdState {
    /// Running, or being rolled back.
    Active,
    /// Ended with this number.
    Ended(TrxNo),
    /// Ended so long ago that every snapshot sees it.
    Old,
}

#[derive(Debug)]
struct RingSlot {
    id: AtomicU64,
    no: AtomicU64,
}

/// What a consistent read sees: everything that ended with a number up to `no`, and the reader's own changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Snapshot {
    /// Watermark at the time it was taken.
    pub no: TrxNo,
    /// All ids below had ended by then.
    pub low_id: TrxId,
}

/// A session's place for its published snapshot. Freed on drop of the session by [`TrxSys::free_slot`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SnapshotSlot(usize);

/// State that changes under the short critical section: ids handed out, ends in order.
#[derive(Debug)]
struct Inner {
    /// Next id to hand out.
    next_id: u64,
    /// Ids below may be handed out without raising the persistent high-water mark.
    id_limit: u64,
    /// First id of `active`.
    front: u64,
    /// For each id from `front`: its transaction while it runs.
    active: VecDeque<Option<Arc<TrxShared>>>,
    /// Number of `Some` in `active`.
    running: usize,
    free_slots: Vec<usize>,
    used_slots: usize,
}

/// Ids, numbers, snapshots, horizon.
pub struct TrxSys {
    ring: Box<[RingSlot]>,
    spill: Mutex<HashMap<u64, u64>>,
    spilled: AtomicUsize,
    inner: Mutex<Inner>,
    /// Highest number published; written only inside the critical section.
    published: CachePadded<AtomicU64>,
    /// Every id below has ended; written only inside the critical section, before `published`'s readers may rely on it.
    low_id: CachePadded<AtomicU64>,
    /// Watermark that the next horizon will not exceed.
    announced: CachePadded<AtomicU64>,
    /// The cut: undo of transactions with a number up to this one may have been removed. Held shared by those who walk
    /// version chains without a snapshot.
    cut: RwLock<u64>,
    blocks: Box<[OnceLock<Box<[CachePadded<AtomicU64>]>>]>,
    used_blocks: AtomicUsize,
}

impl std::fmt::Debug for TrxSys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TrxSys(published {})", self.published.load(Ordering::Relaxed))
    }
}

impl TrxSys {
    /// Starts with `next_id` as the first id and `no` as the watermark.
    pub fn new(next_id: TrxId, no: TrxNo) -> TrxSys {
        let next = next_id.0.max(1);
        TrxSys {
            ring: (0..RING).map(|_| RingSlot { id: AtomicU64::new(0), no: AtomicU64::new(0) }).collect(),
            spill: Mutex::new(HashMap::new()),
            spilled: AtomicUsize::new(0),
            inner: Mutex::new(Inner {
                next_id: next,
                id_limit: next,
                front: next,
                active: VecDeque::new(),
                running: 0,
                free_slots: Vec::new(),
                used_slots: 0,
            }),
            published: CachePadded::new(AtomicU64::new(no.0)),
            low_id: CachePadded::new(AtomicU64::new(next)),
            announced: CachePadded::new(AtomicU64::new(no.0)),
            cut: RwLock::new(no.0),
            blocks: (0..BLOCKS).map(|_| OnceLock::new()).collect(),
            used_blocks: AtomicUsize::new(0),
        }
    }

    #[allow(clippy::indexing_slicing)] // masked to the length
    fn slot_of(&self, id: u64) -> &RingSlot {
        &self.ring[id as usize & (RING - 1)]
    }

    /// Next id that will be handed out: everything below existed at some time.
    pub fn next_id(&self) -> TrxId {
        TrxId(self.inner.lock().next_id)
    }

    /// Highest number that is visible to new snapshots.
    pub fn published(&self) -> TrxNo {
        TrxNo(self.published.load(Ordering::SeqCst))
    }

    /// Every id below this one has ended. A row with such a trx_id is not locked implicitly.
    #[inline]
    pub fn low_id(&self) -> TrxId {
        TrxId(self.low_id.load(Ordering::SeqCst))
    }

    /// Gives an id to a transaction. `None`: the persistent high-water mark must be raised first ([`TrxSys::raise_limit`]).
    pub fn assign(&self, trx: &Arc<TrxShared>) -> Option<TrxId> {
        let mut inner = self.inner.lock();
        let id = inner.next_id;
        if id >= inner.id_limit {
            return None;
        }
        inner.next_id += 1;
        self.enter_ring(id, ACTIVE);
        while inner.front + (inner.active.len() as u64) < id {
            inner.active.push_back(None); // only behind ids that recovery adopted
        }
        inner.active.push_back(Some(trx.clone()));
        inner.running += 1;
        trx.set_id(id);
        Some(TrxId(id))
    }

    /// Ids below `limit` may be handed out: an mtr with the new high-water mark has been committed.
    pub fn raise_limit(&self, limit: TrxId) {
        let mut inner = self.inner.lock();
        inner.id_limit = inner.id_limit.max(limit.0);
    }

    /// Limit of ids that may be handed out now.
    pub fn limit(&self) -> TrxId {
        TrxId(self.inner.lock().id_limit)
    }

    /// Makes an id that recovery found without COMMIT marker active again. Only before sessions exist.
    pub fn adopt(&self, trx: &Arc<TrxShared>, id: TrxId) {
        let mut inner = self.inner.lock();
        while inner.front > id.0 {
            inner.front -= 1;
            inner.active.push_front(None);
        }
        while inner.front + inner.active.len() as u64 <= id.0 {
            inner.active.push_back(None);
        }
        let at = (id.0 - inner.front) as usize;
        if let Some(place) = inner.active.get_mut(at) {
            *place = Some(trx.clone());
            inner.running += 1;
        }
        inner.next_id = inner.next_id.max(id.0 + 1);
        trx.set_id(id.0);
        self.spill.lock().insert(id.0, ACTIVE);
        self.spilled.fetch_add(1, Ordering::SeqCst);
        let low = self.low_id.load(Ordering::SeqCst).min(id.0);
        self.low_id.store(low, Ordering::SeqCst);
    }

    /// Caller holds `inner`.
    fn enter_ring(&self, id: u64, no: u64) {
        let slot = self.slot_of(id);
        let (old, old_no) = (slot.id.load(Ordering::SeqCst), slot.no.load(Ordering::SeqCst));
        if old != 0 && (old_no == ACTIVE || old_no > self.announced_floor()) {
            self.spill.lock().insert(old, old_no);
            self.spilled.fetch_add(1, Ordering::SeqCst);
        }
        slot.id.store(0, Ordering::SeqCst);
        slot.no.store(no, Ordering::SeqCst);
        slot.id.store(id, Ordering::SeqCst);
    }

    /// A number that is at or below every live snapshot: the cut, if it can be read without waiting.
    fn announced_floor(&self) -> u64 {
        self.cut.try_read().map_or(0, |c| *c)
    }

    /// The transaction becomes visible (or, after rollback, is over). Call when its last mtr is in the log and before its
    /// locks are released. Returns its number.
    pub fn end(&self, id: TrxId) -> TrxNo {
        probe::inc(probe::Counter::InnodbActivity);
        let mut inner = self.inner.lock();
        let no = self.published.load(Ordering::Relaxed) + 1;
        let slot = self.slot_of(id.0);
        if slot.id.load(Ordering::SeqCst) == id.0 {
            slot.no.store(no, Ordering::SeqCst);
        } else {
            self.spill.lock().insert(id.0, no);
        }
        if let Some(place) = id.0.checked_sub(inner.front).and_then(|i| inner.active.get_mut(i as usize))
            && place.take().is_some()
        {
            inner.running -= 1;
        }
        while let Some(None) = inner.active.front() {
            inner.active.pop_front();
            inner.front += 1;
        }
        // first the number, then the low id: who reads the low id first and the number second never misses an end
        self.published.store(no, Ordering::SeqCst);
        let low = if inner.active.is_empty() { inner.next_id } else { inner.front };
        if inner.active.is_empty() {
            inner.front = inner.next_id;
        }
        self.low_id.store(low, Ordering::SeqCst);
        TrxNo(no)
    }

    /// State of an id.
    pub fn state(&self, id: TrxId) -> IdState {
        let slot = self.slot_of(id.0);
        if slot.id.load(Ordering::SeqCst) == id.0 {
            let no = slot.no.load(Ordering::SeqCst);
            if slot.id.load(Ordering::SeqCst) == id.0 {
                return state_of(no);
            }
        }
        if self.spilled.load(Ordering::SeqCst) == 0 {
            return IdState::Old;
        }
        self.spill.lock().get(&id.0).map_or(IdState::Old, |&no| state_of(no))
    }

    /// Whether the id belongs to a running transaction.
    #[inline]
    pub fn is_active(&self, id: TrxId) -> bool {
        id >= self.low_id() && self.state(id) == IdState::Active
    }

    /// The running transaction with this id.
    pub fn find_active(&self, id: TrxId) -> Option<Arc<TrxShared>> {
        let inner = self.inner.lock();
        let at = id.0.checked_sub(inner.front)?;
        inner.active.get(usize::try_from(at).ok()?)?.clone()
    }

    /// Running transactions with an id.
    pub fn active_count(&self) -> usize {
        self.inner.lock().running
    }

    /// All running transactions with an id, oldest first.
    pub fn list_active(&self) -> Vec<Arc<TrxShared>> {
        self.inner.lock().active.iter().flatten().cloned().collect()
    }

    // ---- snapshots -------------------------------------------------------------------------------------------------

    /// A place for a session's snapshot; `None` when 65,536 sessions have one.
    pub fn new_slot(&self) -> Option<SnapshotSlot> {
        let mut inner = self.inner.lock();
        if let Some(n) = inner.free_slots.pop() {
            return Some(SnapshotSlot(n));
        }
        let n = inner.used_slots;
        let block = self.blocks.get(n / BLOCK)?;
        block.get_or_init(|| (0..BLOCK).map(|_| CachePadded::new(AtomicU64::new(NO_SNAPSHOT))).collect());
        inner.used_slots += 1;
        self.used_blocks.store(n / BLOCK + 1, Ordering::SeqCst);
        Some(SnapshotSlot(n))
    }

    /// Gives a session's place back.
    pub fn free_slot(&self, slot: SnapshotSlot) {
        self.close_snapshot(slot);
        self.inner.lock().free_slots.push(slot.0);
    }

    fn cell(&self, slot: SnapshotSlot) -> Option<&AtomicU64> {
        self.blocks.get(slot.0 / BLOCK)?.get()?.get(slot.0 % BLOCK).map(|c| &**c)
    }

    /// Takes a snapshot and publishes it in the session's slot.
    pub fn open_snapshot(&self, slot: SnapshotSlot) -> Snapshot {
        loop {
            let low_id = self.low_id.load(Ordering::SeqCst);
            let no = self.published.load(Ordering::SeqCst);
            if let Some(cell) = self.cell(slot) {
                cell.store(no, Ordering::SeqCst);
            }
            if self.announced.load(Ordering::SeqCst) <= no {
                return Snapshot { no: TrxNo(no), low_id: TrxId(low_id) };
            }
        }
    }

    /// What a snapshot would see that was taken now. Nothing is published: whoever steps through versions by it holds an older one, or the cut.
    pub fn seen_now(&self) -> Snapshot {
        let low_id = TrxId(self.low_id.load(Ordering::SeqCst));
        Snapshot { no: self.published(), low_id }
    }

    /// The session needs its snapshot no longer.
    #[inline]
    pub fn close_snapshot(&self, slot: SnapshotSlot) {
        if let Some(cell) = self.cell(slot) {
            cell.store(NO_SNAPSHOT, Ordering::Release);
        }
    }

    /// Whether a snapshot sees the changes of `id`. The reader's own id is the caller's business.
    #[inline]
    pub fn sees(&self, snapshot: &Snapshot, id: TrxId) -> bool {
        if id < snapshot.low_id {
            return true;
        }
        match self.state(id) {
            IdState::Active => false,
            IdState::Ended(no) => no <= snapshot.no,
            IdState::Old => true,
        }
    }

    /// Number of published snapshots.
    pub fn open_snapshots(&self) -> usize {
        self.cells().filter(|c| c.load(Ordering::Relaxed) != NO_SNAPSHOT).count()
    }

    fn cells(&self) -> impl Iterator<Item = &AtomicU64> {
        let used = self.used_blocks.load(Ordering::SeqCst);
        self.blocks.iter().take(used).filter_map(OnceLock::get).flatten().map(|c| &**c)
    }

    // ---- horizon ---------------------------------------------------------------------------------------------------

    /// Advances the cut to the smallest number any snapshot uses (or the watermark) and returns it. Called by the purge
    /// coordinator only, when no purge work is under way; waits for walkers that hold [`TrxSys::hold_cut`].
    pub fn advance_cut(&self) -> TrxNo {
        let watermark = self.published.load(Ordering::SeqCst);
        self.announced.store(watermark, Ordering::SeqCst);
        let min = self.cells().map(|c| c.load(Ordering::SeqCst)).min().unwrap_or(NO_SNAPSHOT).min(watermark);
        let mut cut = self.cut.write();
        *cut = (*cut).max(min);
        let cut = *cut;
        if self.spilled.load(Ordering::SeqCst) > 0 {
            let mut spill = self.spill.lock();
            let before = spill.len();
            spill.retain(|_, no| *no == ACTIVE || *no > cut);
            self.spilled.fetch_sub(before - spill.len(), Ordering::SeqCst);
        }
        TrxNo(cut)
    }

    /// The cut cannot advance while the guard lives. Hold it for one lookup, with no latch taken before it.
    pub fn hold_cut(&self) -> RwLockReadGuard<'_, u64> {
        self.cut.read()
    }

    /// The cut as last advanced.
    pub fn cut(&self) -> TrxNo {
        TrxNo(*self.cut.read())
    }
}

fn state_of(no: u64) -> IdState {
    if no == ACTIVE { IdState::Active } else { IdState::Ended(TrxNo(no)) }
}

#[cfg(test)]
#[path = "sys_tests.rs"]
mod tests;
