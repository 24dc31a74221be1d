//! (space, page) -> frame.
//!
//! Buckets are heads of chains through the frames' headers. Readers walk a chain without a latch: frames are type-stable, so a
//! walk may at worst wander into another chain when a frame moves under it. A hit is verified by the caller under the
//! frame's latch; a miss is only believed when repeated under the bucket group's mutex, which all changes hold. So a wandering
//! walk costs time, never correctness.

use super::frame::{Frames, NONE};
use base::PageId;
use crossbeam_utils::CachePadded;
use latch::{Mutex, classes};
use std::sync::atomic::{AtomicU32, Ordering};

const GROUPS: usize = 256;
/// Longest walk without the mutex.
const MAX_STEPS: usize = 64;

pub(super) struct PageTable {
    buckets: Box<[AtomicU32]>,
    groups: Box<[CachePadded<Mutex<()>>]>,
}

#[allow(clippy::indexing_slicing)] // indexes are masked by the power-of-two lengths
impl PageTable {
    /// For `frames` now and perhaps `max` later: chains of at most two pages on average.
    pub(super) fn new(frames: u32, max: u32) -> PageTable {
        let n = (frames as usize * 2).max(max as usize / 2).next_power_of_two().max(GROUPS);
        PageTable {
            buckets: (0..n).map(|_| AtomicU32::new(NONE)).collect(),
            groups: (0..GROUPS).map(|_| CachePadded::new(Mutex::new(&classes::PAGE_TABLE, ()))).collect(),
        }
    }

    #[inline]
    fn bucket(&self, id: PageId) -> usize {
        let h = id.to_u64().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((h ^ (h >> 32)) as usize) & (self.buckets.len() - 1)
    }

    /// The cache line of the page's chain.
    pub(super) fn lines(&self, id: PageId, out: &mut sys::prefetch::Lines) {
        out.add(&self.buckets[self.bucket(id)]);
    }

    /// The frame that held `id` a moment ago; verify under its latch. `None` may be wrong when chains move (retry with
    /// [`PageTable::insert`], which is exact).
    #[inline]
    pub(super) fn find(&self, frames: &Frames, id: PageId) -> Option<u32> {
        let mut f = self.buckets[self.bucket(id)].load(Ordering::Acquire);
        let mut steps = 0;
        while let Some(frame) = frames.try_get(f) {
            if frame.id() == id {
                return Some(f);
            }
            f = frame.next.load(Ordering::Acquire);
            steps += 1;
            if steps > MAX_STEPS {
                break;
            }
        }
        None
    }

    /// Puts an exclusively latched empty frame in as `id`; false when the page is there already.
    pub(super) fn insert(&self, frames: &Frames, id: PageId, f: u32) -> bool {
        let b = self.bucket(id);
        let _group = self.groups[b & (GROUPS - 1)].lock();
        let head = self.buckets[b].load(Ordering::Acquire);
        let mut at = head;
        while let Some(frame) = frames.try_get(at) {
            if frame.id() == id {
                return false;
            }
            at = frame.next.load(Ordering::Acquire);
        }
        let frame = frames.get(f);
        frame.next.store(head, Ordering::Release);
        frame.set_id(id);
        self.buckets[b].store(f, Ordering::Release);
        true
    }

    /// Takes an exclusively latched frame out and makes it empty.
    pub(super) fn remove(&self, frames: &Frames, id: PageId, f: u32) {
        let b = self.bucket(id);
        let _group = self.groups[b & (GROUPS - 1)].lock();
        let next = frames.get(f).next.load(Ordering::Acquire);
        let mut at = self.buckets[b].load(Ordering::Acquire);
        if at == f {
            self.buckets[b].store(next, Ordering::Release);
        } else {
            while let Some(frame) = frames.try_get(at) {
                let n = frame.next.load(Ordering::Acquire);
                if n == f {
                    frame.next.store(next, Ordering::Release);
                    break;
                }
                at = n;
            }
        }
        // `next` of the removed frame stays: a walker standing on it still gets to the end of the chain.
        frames.get(f).set_id(PageId::from_u64(0));
    }
}
