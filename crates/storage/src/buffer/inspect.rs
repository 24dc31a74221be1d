//! What lies in the frames, for INNODB_BUFFER_PAGE, INNODB_BUFFER_PAGE_LRU and INNODB_CACHED_INDEXES.
//!
//! Nobody waits for a page here: a header is copied optimistically, and a page that is being changed each time one looks shows no
//! content. The frames are looked at one after the other, so the picture is of no single moment. Tested in `buffer/tests.rs`.

use super::BufferPool;
use super::frame::Frame;
use crate::page::racy::{RacyPage, Restart};
use crate::page::{PAGE_SIZE, PageType, field};
use base::{IndexId, Lsn, PageId};
use std::sync::atomic::Ordering;

/// How often a header is copied before the page counts as being changed.
const TRIES: usize = 3;

/// One frame with a page.
#[derive(Clone, Copy, Debug)]
pub struct PageInfo {
    /// Which page.
    pub id: PageId,
    /// What its header says; `None` while it is read from disk or changed.
    pub content: Option<PageContent>,
    /// LSN up to which changes are in the file for certain; 0 when the page is as its file.
    pub oldest_modification: Lsn,
    /// When it was first touched, milliseconds since the pool was made.
    pub first_touch: u32,
    /// Threads that hold its latch.
    pub holders: u64,
    /// A copy is on its way to disk.
    pub flushing: bool,
}

/// What a page's header says.
#[derive(Clone, Copy, Debug)]
pub struct PageContent {
    /// What the page is for.
    pub kind: PageType,
    /// The index it belongs to; 0 = none.
    pub index: IndexId,
    /// Records; 0 but for index pages.
    pub records: u32,
    /// Bytes of the records; 0 but for index pages.
    pub data: u32,
    /// End LSN of the last change.
    pub lsn: Lsn,
}

fn content(page: &RacyPage<'_>) -> Result<PageContent, Restart> {
    let kind = PageType::from_u8(page.u8_at(field::TYPE)?).unwrap_or(PageType::Free);
    let lsn = Lsn(page.u64_at(field::LSN)?);
    if kind != PageType::Index {
        return Ok(PageContent { kind, index: IndexId(0), records: 0, data: 0, lsn });
    }
    let used = PAGE_SIZE.saturating_sub(page.u16_at(field::HEAP_TOP)? as usize);
    let data = used.saturating_sub(page.u16_at(field::GARBAGE)? as usize) as u32;
    let (index, records) = (IndexId(page.u64_at(field::INDEX_ID)?), page.slot_count()? as u32);
    Ok(PageContent { kind, index, records, data, lsn })
}

impl BufferPool {
    /// The page in a frame; `None` when the frame is free.
    pub fn page_info(&self, f: u32) -> Option<PageInfo> {
        let frame = self.frames.try_get(f)?;
        let id = frame.id();
        if id.to_u64() == 0 {
            return None;
        }
        let oldest = Some(frame.oldest_lsn()).filter(|lsn| *lsn != u64::MAX);
        Some(PageInfo {
            id,
            content: (0..TRIES).find_map(|_| self.content_of(f, frame, id)),
            oldest_modification: Lsn(oldest.unwrap_or(0)),
            first_touch: frame.first_touch.load(Ordering::Relaxed),
            holders: frame.latch.shared_holders() + u64::from(frame.latch.is_exclusive()),
            flushing: frame.is_flushing(),
        })
    }

    fn content_of(&self, f: u32, frame: &Frame, id: PageId) -> Option<PageContent> {
        let page = super::OptPage::new(self, f, frame.latch.version()?);
        let content = content(&page.racy()).ok()?;
        (page.id() == Some(id)).then_some(content)
    }

    /// The pages in the pool, the hottest first.
    pub fn pages_by_heat(&self) -> Vec<PageId> {
        let frames = self.rings.order();
        frames.into_iter().rev().map(|f| self.frame(f).id()).filter(|id| id.to_u64() != 0).collect()
    }

    /// Whether at least so many frames are free.
    pub fn has_free(&self, n: usize) -> bool {
        self.free_count() >= n
    }

    /// The frames of the old part, by number.
    pub fn old_frames(&self) -> std::collections::HashSet<u32> {
        self.rings.old().into_iter().collect()
    }

    /// Frames with pages in the order of replacement, the coldest first.
    pub fn replacement_order(&self) -> Vec<u32> {
        self.rings.order()
    }
}
