#![allow(unsafe_code)]
//! Writing dirty pages: copy under the shared latch, log first, seal, doublewrite + sync, in place + sync, then clean. Neighbouring
//! pages are copied next to each other and written by one call.
//!
//! One batch at a time, under the flusher's mutex (class FLUSHER, before page latches; so whoever holds page latches may only try
//! it and only try page latches; and the holder of the mutex does not wait for page latches, because their holders may wait for frames that
//! only it can clean). A page may be changed again while its copy is being written: it is then dirty anew with a newer
//! bound. A failed write leaves every page of the batch as dirty as before; the error goes to whoever asked.
//! A crash in the middle: the doublewrite file holds whole copies of everything that may be torn in place.

use super::BufferPool;
use super::frame::bytes_of;
use crate::doublewrite::Doublewrite;
use crate::error::Result;
use crate::file::DataFile;
use crate::page::{PAGE_SIZE, PageBuf};
use crate::redo::ForcedBy;
use base::{Lsn, PageId};
use latch::{Mutex, MutexGuard, classes};
use probe::Counter;
use std::sync::Arc;

/// Pages written together.
pub const BATCH: usize = 128;

/// The right to write pages out, with the buffers for it.
pub(crate) struct Flusher {
    state: Mutex<FlushState>,
}

pub(crate) struct FlushState {
    /// Copies, in the order of `items`; all [`BATCH`] from the first use on.
    pages: Vec<PageBuf>,
    items: Vec<Item>,
    wanted: Vec<(PageId, u32)>,
    doublewrite: Option<Doublewrite>,
}

/// What to do about a page that somebody has latched exclusively.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Latches {
    /// Leave it for the next time. Its holder may be waiting for a free frame, and so for the flusher.
    Try,
    /// Wait: only when nobody works.
    Wait,
}

#[derive(Clone, Copy)]
struct Item {
    frame: u32,
    id: PageId,
    lsn: Lsn,
}

impl Flusher {
    pub(super) fn new(doublewrite: bool) -> Flusher {
        let state = FlushState {
            pages: Vec::new(),
            items: Vec::new(),
            wanted: Vec::new(),
            doublewrite: doublewrite.then(Doublewrite::new),
        };
        Flusher { state: Mutex::new(&classes::FLUSHER, state) }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, FlushState> {
        self.state.lock()
    }
}

impl BufferPool {
    /// Lower bound of the LSNs of all changes that are not durable in the files; at most `upto` (the log's end, read before).
    pub(crate) fn oldest_dirty(&self, upto: Lsn) -> Lsn {
        let all = (0..self.frames.len() as u32).map(|f| self.frame(f).oldest_lsn());
        Lsn(all.min().unwrap_or(u64::MAX).min(upto.0))
    }

    /// Writes all pages whose oldest change is below `below`, oldest first, at most `max`. Returns how many were written.
    pub fn flush_older(&self, below: Lsn, max: usize) -> Result<usize> {
        let mut st = self.flusher.lock();
        self.flush_older_in(&mut st, below, max)
    }

    pub(crate) fn flush_older_in(&self, st: &mut FlushState, below: Lsn, max: usize) -> Result<usize> {
        let mut old: Vec<(u64, u32)> = (0..self.frames.len() as u32)
            .map(|f| (self.frame(f).oldest_lsn(), f))
            .filter(|(lsn, _)| *lsn < below.0)
            .collect();
        if old.len() > max {
            old.sort_unstable();
            old.truncate(max);
        }
        // In file order within the batch of the round: neighbouring pages meet on the device.
        old.sort_unstable_by_key(|(_, f)| self.frame(*f).id());
        let mut done = 0;
        for part in old.chunks(BATCH) {
            done += self.flush_frames(st, part.iter().map(|(_, f)| *f), Latches::Try)?;
            while self.rings.sleepers() > 0 && self.flush_next_victims(st)? > 0 {}
        }
        Ok(done)
    }

    /// Writes a batch of the pages that are to be evicted next, and gives frames to those who wait for one.
    fn flush_next_victims(&self, st: &mut FlushState) -> Result<usize> {
        let victims = self.rings.next_candidates(BATCH, |f| self.frame(f).has_new_changes());
        let done = self.flush_frames(st, victims.into_iter(), Latches::Try)?;
        self.serve_sleepers();
        Ok(done)
    }

    /// Writes until nothing is dirty (with no writers around; otherwise until a round finds nothing below its start).
    pub fn flush_all(&self) -> Result<()> {
        let end = Lsn(self.log.current_lsn().0.saturating_add(1));
        while self.flush_older(end, usize::MAX)? > 0 {}
        // what was latched just then
        let mut st = self.flusher.lock();
        let rest: Vec<u32> = (0..self.frames.len() as u32).filter(|f| self.frame(*f).oldest_lsn() < end.0).collect();
        for part in rest.chunks(BATCH) {
            self.flush_frames(&mut st, part.iter().copied(), Latches::Wait)?;
        }
        Ok(())
    }

    /// Writes all dirty pages of a tablespace that nobody changes meanwhile.
    pub fn flush_space(&self, space: base::SpaceId) -> Result<()> {
        loop {
            let mut st = self.flusher.lock();
            // a dirty page stays in its frame, and nobody else writes any while this has the flusher
            let of = |f: &u32| self.frame(*f).id().space == space && self.frame(*f).has_new_changes();
            let dirty: Vec<u32> = (0..self.frames.len() as u32).filter(of).collect();
            let mut done = 0;
            for part in dirty.chunks(BATCH) {
                done += self.flush_frames(&mut st, part.iter().copied(), Latches::Try)?;
                while self.rings.sleepers() > 0 && self.flush_next_victims(&mut st)? > 0 {}
            }
            drop(st);
            if dirty.is_empty() {
                return Ok(());
            }
            if done == 0 {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        }
    }

    /// A foreground thread found no clean victim: write some of the next victims. The caller may hold page latches, so
    /// nothing is waited for but the device. Returns whether something was written; if not, somebody else is at it or the pages are
    /// in use.
    pub(super) fn flush_for_space(&self) -> Result<bool> {
        let Some(mut st) = self.flusher.state.try_lock() else { return Ok(false) };
        Ok(self.flush_next_victims(&mut st)? > 0)
    }

    /// Writes dirty pages among the next victims, so that `refill_free` finds clean ones. The page cleaner's job.
    pub fn flush_victims(&self, max: usize) -> Result<usize> {
        let victims = self.rings.next_candidates(max, |f| self.frame(f).has_new_changes());
        let mut st = self.flusher.lock();
        let mut done = 0;
        for part in victims.chunks(BATCH) {
            done += self.flush_frames(&mut st, part.iter().copied(), Latches::Try)?;
            self.serve_sleepers();
        }
        Ok(done)
    }

    /// Writes these frames' pages (at most [`BATCH`]) where they are dirty.
    pub(super) fn flush_these(&self, frames: &[u32]) -> Result<()> {
        let mut st = self.flusher.lock();
        self.flush_frames(&mut st, frames.iter().copied(), Latches::Try)?;
        Ok(())
    }

    /// Writes one batch.
    fn flush_frames(&self, st: &mut FlushState, frames: impl Iterator<Item = u32>, latches: Latches) -> Result<usize> {
        st.items.clear();
        if st.pages.is_empty() {
            st.pages.extend((0..BATCH).map(|_| *PageBuf::zeroed()));
        }
        // In file order, as far as is known without the latch.
        st.wanted.clear();
        st.wanted.extend(frames.take(BATCH).map(|f| (self.frame(f).id(), f)));
        st.wanted.sort_unstable_by_key(|(id, _)| *id);
        for (_, f) in &st.wanted {
            let f = *f;
            let frame = self.frame(f);
            if !frame.has_new_changes() || frame.is_flushing() {
                continue;
            }
            if latches == Latches::Wait {
                frame.latch.lock_shared();
            } else if !frame.latch.try_lock_shared() {
                continue;
            }
            if frame.has_new_changes()
                && let Some(to) = st.pages.get_mut(st.items.len())
            {
                // SAFETY: latched shared, so nobody changes the bytes while they are copied.
                let from = unsafe { &*self.page_ptr(f) };
                to.bytes_mut().copy_from_slice(from.bytes());
                frame.begin_flush();
                st.items.push(Item { frame: f, id: frame.id(), lsn: to.lsn() });
            }
            frame.latch.unlock_shared();
        }
        if st.items.is_empty() {
            return Ok(0);
        }
        let r = self.write_batch(st);
        for item in &st.items {
            let frame = self.frame(item.frame);
            if r.is_ok() { frame.end_flush() } else { frame.abort_flush() }
        }
        probe::add(Counter::InnodbBufferPoolPagesFlushed, st.items.len() as u64);
        r.map(|()| st.items.len())
    }

    fn write_batch(&self, st: &mut FlushState) -> Result<()> {
        let FlushState { pages, items, doublewrite, .. } = st;
        if let Some(max) = items.iter().map(|i| i.lsn).max() {
            self.log.flush_to(max, ForcedBy::Page)?;
        }
        let pages = pages.get_mut(..items.len()).unwrap_or(&mut []);
        pages.iter_mut().for_each(PageBuf::seal);
        if let Some(d) = doublewrite {
            d.write(self.files.fs().as_ref(), bytes_of(pages))?;
        }
        let mut open: Option<(base::SpaceId, Arc<dyn DataFile>)> = None;
        let mut rest: &[Item] = items;
        let mut at = 0;
        while let Some(first) = rest.first() {
            let file = match &open {
                Some((space, file)) if *space == first.id.space => file,
                _ => {
                    if let Some((_, file)) = open.take() {
                        file.sync_data()?;
                    }
                    &open.insert((first.id.space, self.files.get(first.id.space)?)).1
                }
            };
            // As many as lie side by side in the file.
            let n = rest
                .iter()
                .zip(first.id.page.0..)
                .take_while(|(i, page)| i.id.space == first.id.space && i.id.page.0 == *page)
                .count()
                .max(1);
            let run = bytes_of(pages.get(at..at + n).unwrap_or(&[]));
            let offset = first.id.page.0 as u64 * PAGE_SIZE as u64;
            self.files.grow(first.id.space, file.as_ref(), offset + run.len() as u64)?;
            file.write_at(offset, run)?;
            probe::add(Counter::InnodbPagesWritten, n as u64);
            at += n;
            rest = rest.get(n..).unwrap_or(&[]);
        }
        if let Some((_, file)) = open {
            file.sync_data()?;
        }
        Ok(())
    }
}
