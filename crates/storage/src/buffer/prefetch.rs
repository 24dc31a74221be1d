//! Prefetching a page: the cache lines that the way to it and the first steps of a search in it go over are asked for
//! ([`sys::prefetch`]) by a thread that is about to descend from a root it knows. If the page has moved to another frame
//! since, only the gain is lost.

use super::BufferPool;
use crate::page::slotted::SLOT_SIZE;
use crate::page::{HEADER_SIZE, PAGE_SIZE};
use base::PageId;
use sys::prefetch::Lines;

impl BufferPool {
    /// Adds the page's place in the page table and, if it is in the pool, its frame, header and the middle slots.
    pub(crate) fn lines(&self, id: PageId, out: &mut Lines) {
        self.table.lines(id, out);
        let Some(f) = self.table.find(&self.frames, id) else { return };
        out.add(self.frame(f));
        let at = self.page_ptr(f).addr();
        out.add_range(at, HEADER_SIZE);
        let slots = self.try_optimistic(id).and_then(|p| p.racy().slot_count().ok()).unwrap_or(0);
        for quarter in [2, 1, 3] {
            out.add_range(at + (HEADER_SIZE + slots * quarter / 4 * SLOT_SIZE).min(PAGE_SIZE - SLOT_SIZE), SLOT_SIZE);
        }
    }
}
