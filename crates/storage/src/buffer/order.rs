//! Debug builds check the order of page latches within an index: nobody waits for a page above one that it holds (parents come before
//! children, so that whoever holds a parent may wait for a child). Release builds compile this to nothing.
//!
//! Pages are noted when they are latched and forgotten when unlatched, by frame, per thread. Latches that are only tried are exempt from the
//! check. The level noted is the one at the time of latching: a root that is raised meanwhile counts with its old level.

use crate::page::PageBuf;

#[cfg(debug_assertions)]
mod checked {
    use crate::page::{PageBuf, PageType};
    use std::cell::RefCell;

    /// Frame, index, level.
    type Held = (u32, u64, u8);

    thread_local! {
        static HELD: RefCell<Vec<Held>> = const { RefCell::new(Vec::new()) };
    }

    pub(super) fn check(index: u64, level: u8) {
        let below = HELD.with(|h| h.borrow().iter().find(|(_, i, l)| *i == index && *l < level).copied());
        if let Some((_, _, held)) = below {
            panic!("page latch order: waiting for level {level} of index {index} while holding a page of level {held}");
        }
    }

    pub(super) fn note(frame: u32, page: &PageBuf) {
        if page.page_type() == PageType::Index {
            HELD.with(|h| h.borrow_mut().push((frame, page.index_id(), page.level())));
        }
    }

    pub(super) fn forget(frame: u32) {
        HELD.with(|h| {
            let mut h = h.borrow_mut();
            if let Some(i) = h.iter().rposition(|(f, ..)| *f == frame) {
                h.swap_remove(i);
            }
        });
    }
}

/// The thread has waited for this page's latch, as far as it was taken.
#[inline]
pub(super) fn waited(frame: u32, page: &PageBuf) {
    #[cfg(debug_assertions)]
    {
        if page.page_type() == crate::page::PageType::Index {
            checked::check(page.index_id(), page.level());
        }
        checked::note(frame, page);
    }
    let _ = (frame, page);
}

/// The thread has got the latch without waiting.
#[inline]
pub(super) fn tried(frame: u32, page: &PageBuf) {
    #[cfg(debug_assertions)]
    checked::note(frame, page);
    let _ = (frame, page);
}

/// The thread would have waited for a page with this level had a writer held it (optimistic reads).
#[inline]
pub(super) fn looked(page: &super::OptPage<'_>) {
    #[cfg(debug_assertions)]
    {
        let racy = page.racy();
        if let (Ok(index), Ok(level)) = (racy.u64_at(crate::page::field::INDEX_ID), racy.level())
            && page.validate()
        {
            checked::check(index, level);
        }
    }
    let _ = page;
}

/// The latch is given back.
#[inline]
pub(crate) fn left(frame: u32) {
    #[cfg(debug_assertions)]
    checked::forget(frame);
    let _ = frame;
}
