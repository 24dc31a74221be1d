#![allow(unsafe_code)]
//! Frames: the memory of the pages and one cache line of header for each.
//!
//! The memory is one mapping that lives as long as the pool, so an optimistic reader that comes too late reads the bytes of
//! another page, never unmapped memory. Who may touch the bytes is decided by the frame's latch.

use crate::error::{Result, StorageError};
use crate::page::{PAGE_SIZE, PageBuf};
use base::{Lsn, PageId};
use latch::PageLatch;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};
use sys::mem::Region;

/// "No frame" in chains.
pub(super) const NONE: u32 = u32::MAX;

/// Header of a frame.
#[repr(align(64))]
pub struct Frame {
    /// Guards the page's bytes. Holding it is the pin.
    pub(crate) latch: PageLatch,
    /// Page in this frame; 0 = empty. Changes only under the exclusive latch.
    id: AtomicU64,
    /// A lower bound of the LSN of the oldest change not yet on its way to disk; 0 = none.
    oldest: AtomicU64,
    /// The same for the copy that is being written now; 0 = none.
    flushing: AtomicU64,
    /// Next frame in the page table's chain.
    pub(super) next: AtomicU32,
    /// When the page was first touched (pool milliseconds).
    pub(super) first_touch: AtomicU32,
    /// Which ring holds it (`replace`).
    pub(super) ring: AtomicU8,
    /// CLOCK counter in the main ring, promotion mark in probation.
    pub(super) refs: AtomicU8,
}

impl Frame {
    fn new() -> Frame {
        Frame {
            latch: PageLatch::new(),
            id: AtomicU64::new(0),
            oldest: AtomicU64::new(0),
            flushing: AtomicU64::new(0),
            next: AtomicU32::new(NONE),
            first_touch: AtomicU32::new(0),
            ring: AtomicU8::new(0),
            refs: AtomicU8::new(0),
        }
    }

    /// The page in it (0:0 = none).
    #[inline]
    pub fn id(&self) -> PageId {
        PageId::from_u64(self.id.load(Ordering::Acquire))
    }

    pub(super) fn set_id(&self, id: PageId) {
        self.id.store(id.to_u64(), Ordering::Release);
    }

    /// Whether memory is newer than the file.
    #[inline]
    pub fn is_dirty(&self) -> bool {
        // In the opposite order of `abort_flush`, so that a bound on its way back is seen in one of the two places.
        self.flushing.load(Ordering::SeqCst) != 0 || self.oldest.load(Ordering::SeqCst) != 0
    }

    /// Marks changes that will have an LSN above `bound`. Called under the exclusive latch, before the LSN is reserved.
    #[inline]
    pub(crate) fn mark_dirty(&self, bound: Lsn) {
        if self.oldest.load(Ordering::Relaxed) == 0 {
            // Fails only against `abort_flush`, which put an older bound there.
            let _ = self.oldest.compare_exchange(0, bound.0, Ordering::AcqRel, Ordering::Relaxed);
        }
    }

    pub(super) fn clear_dirty(&self) {
        self.oldest.store(0, Ordering::Release);
        self.flushing.store(0, Ordering::Release);
    }

    /// Oldest bound not yet durable, for checkpoints; `u64::MAX` when clean. Order matters: see `begin_flush`.
    pub(crate) fn oldest_lsn(&self) -> u64 {
        let a = self.oldest.load(Ordering::SeqCst);
        let b = self.flushing.load(Ordering::SeqCst);
        [a, b].into_iter().filter(|v| *v != 0).min().unwrap_or(u64::MAX)
    }

    /// Under at least the shared latch: the copy just made carries all changes so far. `flushing` is set before `oldest` is
    /// cleared, and readers look at them in the opposite order, so the bound is never missed.
    pub(super) fn begin_flush(&self) {
        let oldest = self.oldest.load(Ordering::Relaxed);
        self.flushing.store(oldest, Ordering::SeqCst);
        self.oldest.store(0, Ordering::SeqCst);
    }

    pub(super) fn is_flushing(&self) -> bool {
        self.flushing.load(Ordering::Acquire) != 0
    }

    pub(super) fn has_new_changes(&self) -> bool {
        self.oldest.load(Ordering::Acquire) != 0
    }

    /// The copy is durable.
    pub(super) fn end_flush(&self) {
        self.flushing.store(0, Ordering::SeqCst);
    }

    /// The copy could not be written: its changes are as unwritten as before. Needs no latch.
    pub(super) fn abort_flush(&self) {
        let bound = self.flushing.load(Ordering::Relaxed);
        // A bound put there since is never older than the one of the copy.
        let _ = self.oldest.fetch_update(Ordering::SeqCst, Ordering::Relaxed, |_| Some(bound));
        self.flushing.store(0, Ordering::SeqCst);
    }
}

/// Pages that lie one after the other as bytes.
pub(crate) fn bytes_of(pages: &[PageBuf]) -> &[u8] {
    // SAFETY: PageBuf is `repr(C)` around PAGE_SIZE bytes without padding (asserted below): n pages are n * PAGE_SIZE initialised bytes,
    // borrowed as long as the slice.
    unsafe { std::slice::from_raw_parts(pages.as_ptr().cast(), size_of_val(pages)) }
}

/// The same to be read into.
pub(crate) fn bytes_of_mut(pages: &mut [PageBuf]) -> &mut [u8] {
    // SAFETY: as in `bytes_of`; any bytes are a PageBuf, and the borrow is unique.
    unsafe { std::slice::from_raw_parts_mut(pages.as_mut_ptr().cast(), size_of_val(pages)) }
}

const _: () = assert!(size_of::<PageBuf>() == PAGE_SIZE);

/// All frames: address space for as many as the pool may ever have, memory behind those that were made.
pub(super) struct Frames {
    headers: Region,
    memory: Region,
    /// Headers up to here exist, for ever.
    made: AtomicU32,
    max: u32,
}

impl Frames {
    /// `n` frames, later at most `max`.
    pub(super) fn new(n: u32, max: u32) -> Result<Frames> {
        let failed = |e: std::io::Error| StorageError::from_io("allocate", "buffer pool", &e);
        let max = max.max(n);
        let memory = Region::reserve(max as usize * PAGE_SIZE).map_err(failed)?;
        let headers = Region::reserve(max as usize * size_of::<Frame>()).map_err(failed)?;
        memory.advise_huge();
        headers.advise_huge();
        memory.advise_no_dump();
        let frames = Frames { headers, memory, made: AtomicU32::new(0), max };
        frames.make(n)?;
        Ok(frames)
    }

    /// Makes frames so that there are `n`. One caller at a time.
    pub(super) fn make(&self, n: u32) -> Result<()> {
        let made = self.made.load(Ordering::Acquire);
        if n <= made {
            return Ok(());
        }
        let failed = |e: std::io::Error| StorageError::from_io("allocate", "buffer pool", &e);
        let bytes = (n as usize * size_of::<Frame>()).next_multiple_of(4096).min(self.headers.len());
        self.headers.commit(0, bytes).map_err(failed)?;
        self.memory.commit(made as usize * PAGE_SIZE, (n - made) as usize * PAGE_SIZE).map_err(failed)?;
        for f in made..n.min(self.max) {
            // SAFETY: inside the committed part of the mapping, which is aligned for a Frame; nobody looks at headers from `made` on.
            unsafe { self.header(f).write(Frame::new()) };
        }
        self.made.store(n.min(self.max), Ordering::Release);
        Ok(())
    }

    /// Gives the memory of empty frames that nobody will use back; reads of it give zeros.
    pub(super) fn give_back(&self, from: u32, to: u32) {
        let _ = self.memory.decommit(from as usize * PAGE_SIZE, to.saturating_sub(from) as usize * PAGE_SIZE);
    }

    #[inline]
    fn header(&self, f: u32) -> *mut Frame {
        self.headers.base().cast::<Frame>().wrapping_add(f as usize)
    }

    /// Frames made.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.made.load(Ordering::Acquire) as usize
    }

    /// How many there can be.
    pub(super) fn max(&self) -> u32 {
        self.max
    }

    /// The header. `f` comes from the pool's own lists; a wrong one is a bug and ends the thread.
    #[inline]
    pub(super) fn get(&self, f: u32) -> &Frame {
        assert!((f as usize) < self.len(), "no such frame");
        // SAFETY: below `made`: initialised, never moved or dropped while the pool lives, shared access only.
        unsafe { &*self.header(f) }
    }

    /// The header if there is such a frame (racy chain walks).
    #[inline]
    pub(super) fn try_get(&self, f: u32) -> Option<&Frame> {
        // SAFETY: as in `get`.
        ((f as usize) < self.len()).then(|| unsafe { &*self.header(f) })
    }

    /// The page's address. Reading or writing through it is the latch holder's right.
    #[inline]
    pub(super) fn page(&self, f: u32) -> *mut PageBuf {
        debug_assert!((f as usize) < self.len());
        self.memory.base().wrapping_add(f as usize * PAGE_SIZE).cast()
    }

    /// Calls `with` on the bytes of a frame that the caller holds exclusively.
    pub(super) fn with_page<R>(&self, f: u32, with: impl FnOnce(&mut PageBuf) -> R) -> R {
        debug_assert!(self.get(f).latch.is_exclusive());
        // SAFETY: inside the mapping, aligned to 16 KiB (mmap gives 4 KiB alignment at least, PageBuf needs 4096), and the
        // caller holds the exclusive latch, so no other reference exists.
        with(unsafe { &mut *self.page(f) })
    }
}
