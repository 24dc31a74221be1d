//! What the pool is asked for on this thread: every touch of a page that is there, every page that comes. In an engine
//! whose pool is never full that is what any replacement would see. Other threads (purge, cleaner) are not recorded.

use super::traces::{Access, Trace};
use base::PageId;
use std::cell::RefCell;
use std::collections::HashMap;

thread_local! {
    static PAGES: RefCell<Option<Vec<u64>>> = const { RefCell::new(None) };
}

/// The pool's call.
pub(in crate::buffer) fn note(id: PageId) {
    PAGES.with_borrow_mut(|p| {
        if let Some(p) = p {
            p.push(id.to_u64());
        }
    });
}

/// Records what `work` asks for.
pub(crate) fn record(name: &'static str, frames: usize, work: impl FnOnce()) -> Trace {
    PAGES.set(Some(Vec::new()));
    work();
    let pages = PAGES.take().unwrap_or_default();
    let mut numbers = HashMap::new();
    let accesses = pages
        .into_iter()
        .map(|id| {
            let next = numbers.len() as u32;
            Access { page: *numbers.entry(id).or_insert(next), counts: true }
        })
        .collect();
    Trace { name, frames, accesses }
}
