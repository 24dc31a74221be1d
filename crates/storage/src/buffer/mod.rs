//! The buffer pool: pages of all tablespaces in frames of memory.
//!
//! * [`frame`]: frames (type-stable memory in one mapping) and their headers: latch, identity, dirty marks, replacement bits.
//! * [`table`]: (space, page) -> frame, read without a latch.
//! * [`replace`]: free list and the two CLOCK rings with `innodb_old_blocks_pct`/`innodb_old_blocks_time` meaning.
//! * [`resize`]: `innodb_buffer_pool_size` at run time.
//! * [`flush`]: writing dirty pages (log first, doublewrite, in place, sync).
//! * [`guard`]: [`SharedPage`], [`ExclPage`], [`OptPage`]. Holding a latch is the pin.
//! * [`inspect`]: what lies in the frames, for those who ask in SQL.
//! * [`past`]: pages newer than the log are refused.
//! * [`order`]: debug builds check that pages of an index are waited for from the root downwards.
//!
//! Rules. Bytes of a frame are read under its latch (or optimistically, by copies that are validated) and changed only by an
//! [`crate::mtr::Mtr`] that holds it exclusively. A page is read from disk by whoever misses it first, under the exclusive latch of
//! its new frame; others wait for that latch. A frame is given to another page only when it could be latched
//! exclusively without waiting and is clean. Lock order: flusher, page latches, page-table group, rings.
//! A crash loses the pool; redo brings it back. Tests: `buffer/tests.rs`, `crash_tests.rs`.

pub mod flush;
mod frame;
mod guard;
mod inspect;
pub(crate) mod order;
mod past;
mod prefetch;
mod replace;
mod resize;
mod table;

pub use frame::Frame;
pub(crate) use frame::bytes_of_mut;
pub use guard::{ExclPage, OptPage, SharedPage};
pub use inspect::{PageContent, PageInfo};
pub use past::Gap;
pub(crate) use past::Past;

use crate::error::{Result, StorageError};
use crate::file::Files;
use crate::page::{PAGE_SIZE, PageBuf};
use crate::redo::Log;
use base::{PageId, SpaceId};
use frame::Frames;
use probe::Counter;
use replace::{Rings, Taken};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use sys::clock::Deadline;
use table::PageTable;

/// Pages that one read-ahead reads at most.
pub const MAX_RUN: u32 = 64;

/// How long somebody waits for a free frame before the statement fails: pages are written all the time, so the pool is too small then.
const FRAME_WAIT: Duration = Duration::from_secs(60);

/// How the pool is to be built.
#[derive(Clone, Copy, Debug)]
pub struct PoolConfig {
    /// `innodb_buffer_pool_size` in bytes; at least 64 frames are made.
    pub bytes: u64,
    /// How large [`BufferPool::resize`] may make it; address space only. Below `bytes`: as `bytes`.
    pub max_bytes: u64,
    /// `innodb_old_blocks_pct`: share of the pool for pages not yet proven, 5..=95.
    pub old_blocks_pct: u32,
    /// `innodb_old_blocks_time` in milliseconds.
    pub old_blocks_time: u32,
    /// `innodb_doublewrite`.
    pub doublewrite: bool,
}

impl Default for PoolConfig {
    fn default() -> PoolConfig {
        PoolConfig { bytes: 128 << 20, max_bytes: 0, old_blocks_pct: 37, old_blocks_time: 1000, doublewrite: true }
    }
}

/// The pool. One per engine.
pub struct BufferPool {
    frames: Frames,
    table: PageTable,
    rings: Rings,
    files: Arc<Files>,
    log: Arc<Log>,
    /// Which LSNs pages can have.
    pub(crate) past: Past,
    pub(crate) flusher: flush::Flusher,
    /// Milliseconds since the pool was made, as of the last miss or tick: what touches compare with.
    now_ms: AtomicU32,
    born_ns: u64,
    /// Pages read and written in each of the last seconds.
    recent: parking_lot::Mutex<Recent>,
    /// Held by the one thread that changes the size.
    resizing: parking_lot::Mutex<()>,
}

/// Seconds that [`Recent`] remembers (InnoDB's BUF_LRU_STAT_N_INTERVAL).
const RECENT: usize = 50;

/// Pages read and written, second by second.
#[derive(Debug, Default)]
struct Recent {
    seconds: std::collections::VecDeque<u64>,
    /// The counters' sum at the end of the last second.
    until: u64,
}

impl Recent {
    fn now() -> u64 {
        probe::global(Counter::InnodbPagesRead) + probe::global(Counter::InnodbPagesWritten)
    }
}

fn frames_in(bytes: u64) -> u32 {
    (bytes / PAGE_SIZE as u64).clamp(64, u32::MAX as u64 / 2) as u32
}

/// Figures for SHOW ENGINE INNODB STATUS and INNODB_BUFFER_POOL_STATS; counted when asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct PoolStatus {
    /// Frames in all.
    pub frames: usize,
    /// Frames without a page.
    pub free: usize,
    /// Frames of the old part: those replaced first, `innodb_old_blocks_pct` of them.
    pub old: usize,
    /// The other frames with a page.
    pub young: usize,
    /// Frames whose page is newer than its file.
    pub dirty: usize,
}

impl BufferPool {
    /// Makes the pool's memory (committed by the kernel when touched).
    pub fn new(config: &PoolConfig, files: Arc<Files>, log: Arc<Log>) -> Result<BufferPool> {
        let n = frames_in(config.bytes);
        let max = frames_in(config.max_bytes).max(n);
        let frames = Frames::new(n, max)?;
        Ok(BufferPool {
            table: PageTable::new(n, max),
            rings: Rings::new(n, config.old_blocks_pct, config.old_blocks_time),
            frames,
            flusher: flush::Flusher::new(config.doublewrite),
            files,
            log,
            past: Past::new(),
            now_ms: AtomicU32::new(0),
            born_ns: sys::clock::coarse_ns(),
            recent: parking_lot::Mutex::new(Recent::default()),
            resizing: parking_lot::Mutex::new(()),
        })
    }

    /// Number of frames in use, or free.
    pub fn frame_count(&self) -> usize {
        self.rings.limit() as usize
    }

    /// The tablespace files.
    pub fn files(&self) -> &Arc<Files> {
        &self.files
    }

    /// Reads the clock for the replacement's time stamps; background threads call it every 100 ms or so.
    pub fn tick(&self) {
        let ms = sys::clock::coarse_ns().saturating_sub(self.born_ns) / 1_000_000;
        self.now_ms.store(ms as u32, Ordering::Relaxed);
    }

    /// A second has passed.
    pub(crate) fn end_second(&self) {
        let now = Recent::now();
        let mut r = self.recent.lock();
        let pages = now.saturating_sub(r.until);
        r.until = now;
        r.seconds.push_back(pages);
        if r.seconds.len() > RECENT {
            r.seconds.pop_front();
        }
    }

    /// Pages read and written within the last seconds that were counted, and since the last of these.
    pub fn recent_io(&self) -> (u64, u64) {
        let r = self.recent.lock();
        (r.seconds.iter().sum(), Recent::now().saturating_sub(r.until))
    }

    /// `SET GLOBAL innodb_old_blocks_pct`.
    pub fn set_old_blocks_pct(&self, pct: u32) {
        self.rings.old_pct.store(pct.clamp(5, 95), Ordering::Relaxed);
    }

    /// `SET GLOBAL innodb_old_blocks_time` (milliseconds).
    pub fn set_old_blocks_time(&self, ms: u32) {
        self.rings.old_time.store(ms, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn frame(&self, f: u32) -> &Frame {
        self.frames.get(f)
    }

    #[inline]
    pub(crate) fn page_ptr(&self, f: u32) -> *mut PageBuf {
        self.frames.page(f)
    }

    #[inline]
    fn touch(&self, frame: &Frame) {
        #[cfg(test)]
        hit_rates::recorder::note(frame.id());
        self.rings.touch(frame, &self.now_ms);
    }

    /// The page for reading, latched shared. Waits for the latch and, on a miss, for the disk.
    #[inline]
    pub fn read(&self, id: PageId) -> Result<SharedPage<'_>> {
        probe::inc(Counter::InnodbBufferPoolReadRequests);
        loop {
            if let Some(f) = self.table.find(&self.frames, id) {
                let frame = self.frame(f);
                frame.latch.lock_shared();
                if frame.id() == id {
                    self.touch(frame);
                    let page = SharedPage::new(self, f);
                    order::waited(f, &page);
                    return Ok(page);
                }
                frame.latch.unlock_shared();
                continue;
            }
            if let Some(f) = self.load(id)? {
                self.frame(f).latch.downgrade();
                let page = SharedPage::new(self, f);
                order::waited(f, &page);
                return Ok(page);
            }
        }
    }

    /// The page for copying out without a latch; see [`OptPage`]. Reads it from disk on a miss; waits while a writer
    /// holds it.
    #[inline]
    pub fn optimistic(&self, id: PageId) -> Result<OptPage<'_>> {
        if let Some(p) = self.try_optimistic(id) {
            order::looked(&p);
            return Ok(p);
        }
        loop {
            // Let the shared latch do the waiting (for a writer or for the disk), then take the version.
            drop(self.read(id)?);
            if let Some(p) = self.try_optimistic(id) {
                return Ok(p);
            }
        }
    }

    /// As [`BufferPool::optimistic`], but `None` when the page is not in the pool or being written.
    #[inline]
    pub fn try_optimistic(&self, id: PageId) -> Option<OptPage<'_>> {
        let f = self.table.find(&self.frames, id)?;
        let frame = self.frame(f);
        let version = frame.latch.version()?;
        if frame.id() != id {
            return None;
        }
        self.touch(frame);
        Some(OptPage::new(self, f, version))
    }

    /// The page latched exclusively. To change it, hand the guard to [`crate::mtr::Mtr::adopt`].
    pub fn write(&self, id: PageId) -> Result<ExclPage<'_>> {
        probe::inc(Counter::InnodbBufferPoolReadRequests);
        loop {
            if let Some(f) = self.table.find(&self.frames, id) {
                let frame = self.frame(f);
                frame.latch.lock_exclusive();
                if frame.id() == id {
                    self.touch(frame);
                    let page = ExclPage::new(self, f);
                    order::waited(f, &page);
                    return Ok(page);
                }
                frame.latch.unlock_exclusive_unchanged();
                continue;
            }
            if let Some(f) = self.load(id)? {
                let page = ExclPage::new(self, f);
                order::waited(f, &page);
                return Ok(page);
            }
        }
    }

    /// As [`BufferPool::write`] without waiting: `None` when somebody holds the page or it is not in the pool.
    pub fn try_write(&self, id: PageId) -> Option<ExclPage<'_>> {
        let f = self.table.find(&self.frames, id)?;
        let frame = self.frame(f);
        if !frame.latch.try_lock_exclusive() {
            return None;
        }
        if frame.id() != id {
            frame.latch.unlock_exclusive_unchanged();
            return None;
        }
        self.touch(frame);
        let page = ExclPage::new(self, f);
        order::tried(f, &page);
        Some(page)
    }

    /// A frame for a page whose old contents do not matter, latched exclusively; nothing is read from disk. The first op on
    /// it must be `PageOp::Init`. A page that is in the pool keeps its bytes until then.
    pub fn create(&self, id: PageId) -> Result<ExclPage<'_>> {
        loop {
            if let Some(f) = self.table.find(&self.frames, id) {
                let frame = self.frame(f);
                frame.latch.lock_exclusive();
                if frame.id() == id {
                    return Ok(ExclPage::new(self, f));
                }
                frame.latch.unlock_exclusive_unchanged();
                continue;
            }
            if let Some(f) = self.claim(id)? {
                self.frames.with_page(f, |page| {
                    page.bytes_mut().fill(0);
                    page.set_id(id);
                });
                probe::inc(Counter::InnodbPagesCreated);
                return Ok(ExclPage::new(self, f));
            }
        }
    }

    /// For redo: the page as it is on disk, or zeros with its identity where the file ends before it or was never written.
    pub(crate) fn write_for_redo(&self, id: PageId) -> Result<ExclPage<'_>> {
        loop {
            if let Some(f) = self.table.find(&self.frames, id) {
                let frame = self.frame(f);
                frame.latch.lock_exclusive();
                if frame.id() == id {
                    return Ok(ExclPage::new(self, f));
                }
                frame.latch.unlock_exclusive_unchanged();
                continue;
            }
            let Some(f) = self.claim(id)? else { continue };
            let read = self.frames.with_page(f, |page| {
                let file = self.files.get(id.space)?;
                let n = file.read_up_to(id.page.0 as u64 * PAGE_SIZE as u64, page.bytes_mut())?;
                if n < PAGE_SIZE || page.is_zero() {
                    page.bytes_mut().fill(0);
                    page.set_id(id);
                    return Ok(());
                }
                self.check_page(id, page)
            });
            if let Err(e) = read {
                self.unclaim(f, id);
                return Err(e);
            }
            return Ok(ExclPage::new(self, f));
        }
    }

    /// For redo: changes the bytes of a frame taken by [`BufferPool::write_for_redo`] and unlatches it, dirty from `bound` on.
    pub(crate) fn redo_frame(&self, f: u32, bound: base::Lsn, change: impl FnOnce(&mut PageBuf)) {
        self.frame(f).mark_dirty(bound);
        self.frames.with_page(f, change);
        self.frame(f).latch.unlock_exclusive();
    }

    /// Reads a missing page into a new frame and returns that latched exclusively; `None`: somebody else was faster.
    #[cold]
    fn load(&self, id: PageId) -> Result<Option<u32>> {
        let Some(f) = self.claim(id)? else { return Ok(None) };
        probe::inc(Counter::InnodbBufferPoolReads);
        let read = || self.frames.with_page(f, |page| self.read_page(id, page));
        match sched::blocking_wait(probe::WaitClass::PageRead, read) {
            Ok(()) => Ok(Some(f)),
            Err(e) => {
                self.unclaim(f, id);
                Err(e)
            }
        }
    }

    /// Reads and verifies a page from its file.
    fn read_page(&self, id: PageId, to: &mut PageBuf) -> Result<()> {
        let n = self.files.get(id.space)?.read_up_to(id.page.0 as u64 * PAGE_SIZE as u64, to.bytes_mut())?;
        probe::inc(Counter::InnodbPagesRead);
        if n < PAGE_SIZE {
            return Err(StorageError::CorruptPage { page: id, why: "beyond the end of its file" });
        }
        self.check_page(id, to)
    }

    /// Verifies a page as read: itself, and that it is not newer than the log.
    fn check_page(&self, id: PageId, page: &PageBuf) -> Result<()> {
        page.check(id)?;
        self.past.check(id, page.lsn(), || self.log.current_lsn())
    }

    /// A free frame with the identity `id`, in the table and latched exclusively; `None` when the page came meanwhile.
    fn claim(&self, id: PageId) -> Result<Option<u32>> {
        #[cfg(test)]
        hit_rates::recorder::note(id);
        self.tick();
        let f = self.take_frame()?;
        let frame = self.frame(f);
        if !self.table.insert(&self.frames, id, f) {
            frame.latch.unlock_exclusive_unchanged();
            self.rings.put_free(frame, f);
            return Ok(None);
        }
        self.rings.enter(frame, f, self.now_ms.load(Ordering::Relaxed));
        Ok(Some(f))
    }

    /// Undoes [`BufferPool::claim`] after a failed read; whoever waits for the latch finds another identity and tries itself.
    fn unclaim(&self, f: u32, id: PageId) {
        self.table.remove(&self.frames, id, f);
        // It stays in its ring as an empty frame; the clock hand frees it.
        self.frame(f).latch.unlock_exclusive();
    }

    /// An empty frame, latched exclusively. Evicts when the free list is empty; waits for pages to be written out when the next
    /// victims are all dirty.
    fn take_frame(&self) -> Result<u32> {
        // Not past those who sleep.
        match self.try_take_frame(self.rings.sleepers() == 0) {
            Some(f) => Ok(f),
            None => sched::blocking_wait(probe::WaitClass::FreeFrame, || self.wait_for_frame()),
        }
    }

    /// From the free list or, with `search`, the next victim if it is clean.
    fn try_take_frame(&self, search: bool) -> Option<u32> {
        for _ in 0..64 {
            match self.rings.take(&self.frames, search)? {
                Taken::Free(f) => {
                    // Nobody else can find a free frame; a late optimistic reader does not latch.
                    self.frame(f).latch.lock_exclusive();
                    return Some(f);
                }
                Taken::Victim(f) if !self.try_evict(f) => {}
                // The pool is being made smaller.
                Taken::Victim(f) if f >= self.rings.limit() => self.put_free(f),
                Taken::Victim(f) => return Some(f),
            }
        }
        None
    }

    /// Writes victims out, or sleeps while somebody else does: each frame that becomes free wakes one sleeper, and who leaves with a frame
    /// wakes another, who finds a frame too or becomes the one that writes. The caller may hold page latches; whoever writes
    /// pages out only tries latches, so it never waits for a sleeper.
    #[cold]
    fn wait_for_frame(&self) -> Result<u32> {
        probe::inc(Counter::InnodbBufferPoolWaitFree);
        let end = Deadline::after(FRAME_WAIT);
        while !end.passed() {
            if !self.flush_for_space()? {
                self.rings.wait_for_free(Deadline::after(Duration::from_millis(100)));
            }
            if let Some(f) = self.try_take_frame(true) {
                self.rings.wake_one();
                return Ok(f);
            }
        }
        Err(StorageError::PoolExhausted)
    }

    /// Takes the page out of a frame that came from a ring, if it is clean and nobody holds it: the frame is then latched
    /// exclusively, empty and in no ring. Otherwise it goes back to the end of its ring.
    fn try_evict(&self, f: u32) -> bool {
        let frame = self.frame(f);
        if !frame.latch.try_lock_exclusive() {
            self.rings.push_back(frame, f);
            return false;
        }
        if frame.is_dirty() {
            frame.latch.unlock_exclusive_unchanged();
            self.rings.push_back(frame, f);
            return false;
        }
        let id = frame.id();
        if id.to_u64() != 0 {
            self.table.remove(&self.frames, id, f);
        }
        self.rings.leave(frame);
        true
    }

    /// Unlatches an empty frame and puts it on the free list.
    fn put_free(&self, f: u32) {
        let frame = self.frame(f);
        frame.latch.unlock_exclusive();
        self.rings.put_free(frame, f);
    }

    /// Frees a frame for each sleeper, as far as clean victims are found.
    pub(super) fn serve_sleepers(&self) {
        self.refill_free(self.rings.sleepers());
    }

    /// How many frames the page cleaner keeps free once the pool has been full: what reads take while it writes one batch.
    pub(crate) fn wanted_free(&self) -> usize {
        if self.rings.has_been_full() { (self.frame_count() / 32).clamp(16, 2048) } else { 0 }
    }

    /// Evicts until at least `want` frames are free, as far as clean victims are found. The page cleaner's job. Returns how many.
    pub fn refill_free(&self, want: usize) -> usize {
        let mut done = 0;
        while self.rings.free_count() < want {
            let Some(f) = self.rings.victim(&self.frames) else { break };
            if self.try_evict(f) {
                self.put_free(f);
                done += 1;
            }
        }
        done
    }

    /// Free frames.
    pub(crate) fn free_count(&self) -> usize {
        self.rings.free_count()
    }

    /// The thread to wake when free frames run short.
    pub(crate) fn set_cleaner(&self, thread: std::thread::Thread) {
        self.rings.set_cleaner(thread, self.frame_count() / 64);
    }

    /// Reads pages that will be needed soon, if they are not there; neighbours with one read. Ascending ids are best. Errors are
    /// left for the real read to report. Waits for the device; hold no latch.
    pub fn prefetch(&self, ids: &[PageId]) {
        self.read_many(ids, false, &mut Vec::new());
    }

    /// As [`BufferPool::prefetch`]; `redo`: not counted as read-ahead. `buf`: memory for the reads, kept between calls.
    pub(crate) fn read_many(&self, mut ids: &[PageId], redo: bool, buf: &mut Vec<PageBuf>) {
        while let Some(first) = ids.first() {
            let span = |id: &PageId| id.space == first.space && id.page.0.wrapping_sub(first.page.0) < MAX_RUN;
            let n = ids.iter().take_while(|id| span(id)).count().max(1);
            let (run, rest) = ids.split_at_checked(n).unwrap_or((ids, &[]));
            self.read_run(*first, run, redo, buf);
            ids = rest;
        }
    }

    /// Reads pages within [`MAX_RUN`] of `first` by one read. Their frames are claimed first, so that nobody else reads (and
    /// changes, and writes) them meanwhile.
    fn read_run(&self, first: PageId, ids: &[PageId], redo: bool, buf: &mut Vec<PageBuf>) {
        let mut claimed = Vec::with_capacity(ids.len());
        for id in ids.iter().filter(|id| self.table.find(&self.frames, **id).is_none()) {
            match self.claim(*id) {
                Ok(Some(f)) => claimed.push((*id, f)),
                Ok(None) => {}
                Err(_) => break,
            }
        }
        let Some(last) = claimed.iter().map(|(id, _)| id.page.0 - first.page.0).max() else { return };
        while buf.len() <= last as usize {
            buf.push(*PageBuf::zeroed());
        }
        let buf = frame::bytes_of_mut(buf.get_mut(..=last as usize).unwrap_or(&mut []));
        let got = self
            .files
            .get(first.space)
            .and_then(|file| file.read_up_to(first.page.0 as u64 * PAGE_SIZE as u64, buf))
            .unwrap_or(0);
        for (id, f) in claimed {
            let at = (id.page.0 - first.page.0) as usize * PAGE_SIZE;
            let ok = self.frames.with_page(f, |page| match buf.get(at..at + PAGE_SIZE) {
                Some(bytes) if at + PAGE_SIZE <= got => {
                    page.bytes_mut().copy_from_slice(bytes);
                    self.check_page(id, page).is_ok()
                }
                _ => false,
            });
            if ok {
                probe::inc(Counter::InnodbPagesRead);
                if !redo {
                    probe::inc(Counter::InnodbBufferPoolReadAhead);
                }
                self.frame(f).latch.unlock_exclusive();
            } else {
                self.unclaim(f, id);
            }
        }
    }

    /// Whether the page is in the pool now.
    pub fn contains(&self, id: PageId) -> bool {
        self.table.find(&self.frames, id).is_some()
    }

    /// Forgets all pages of a space without writing them: before its file is removed. Nobody may use the space any more.
    pub fn discard_space(&self, space: SpaceId) {
        self.discard_from(PageId::new(space, base::PageNo(0)));
    }

    /// The same of the space's pages from `first` on: before its file is cut there.
    pub(crate) fn discard_from(&self, first: PageId) {
        let _no_flush = self.flusher.lock();
        let behind = |id: PageId| id.space == first.space && id.page.0 >= first.page.0;
        let mut emptied = 0;
        for f in 0..self.frames.len() as u32 {
            let frame = self.frame(f);
            if !behind(frame.id()) {
                continue;
            }
            frame.latch.lock_exclusive();
            let id = frame.id();
            if behind(id) && id.to_u64() != 0 {
                frame.clear_dirty();
                self.table.remove(&self.frames, id, f);
                emptied += 1;
            }
            frame.latch.unlock_exclusive();
        }
        self.rings.collect_empty(&self.frames, emptied);
    }

    /// Figures, by looking at every frame.
    pub fn status(&self) -> PoolStatus {
        let (free, old, young) = self.rings.counts();
        let dirty = (0..self.frames.len() as u32).filter(|f| self.frame(*f).is_dirty()).count();
        PoolStatus { frames: self.frame_count(), free, old, young, dirty }
    }
}

#[cfg(test)]
pub(crate) mod hit_rates;
#[cfg(test)]
mod tests;
