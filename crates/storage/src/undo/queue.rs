//! [`PurgeQueue`]: finished transactions of some slots that purge has still to go over, oldest first.
//!
//! Purge looks at every queue for each batch, and most have nothing for it: the number of the first item stands beside
//! the queue, so that it takes no lock to see that. Locks: the queue's mutex, under which nothing else is taken. After
//! a crash the queues are filled from the undo log. Tested by what tests purge (`engine/tests/purge.rs`).

use super::pool::PurgeItem;
use base::TrxNo;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

/// See the module's text.
pub(super) struct PurgeQueue {
    items: Mutex<VecDeque<PurgeItem>>,
    /// Number of the first item, [`u64::MAX`] without one. Written under the mutex.
    oldest: AtomicU64,
}

impl Default for PurgeQueue {
    fn default() -> PurgeQueue {
        PurgeQueue { items: Mutex::default(), oldest: AtomicU64::new(u64::MAX) }
    }
}

impl PurgeQueue {
    fn note(&self, items: &VecDeque<PurgeItem>) {
        self.oldest.store(items.front().map_or(u64::MAX, |i| i.no.0), Ordering::Release);
    }

    pub(super) fn push(&self, item: PurgeItem) {
        let mut items = self.items.lock();
        items.push_back(item);
        self.note(&items);
    }

    /// Takes items whose number the cut has reached, until `out` has `max`.
    pub(super) fn take(&self, cut: TrxNo, max: usize, out: &mut Vec<PurgeItem>) {
        if self.oldest.load(Ordering::Acquire) > cut.0 {
            return;
        }
        let mut items = self.items.lock();
        while out.len() < max && items.front().is_some_and(|i| i.no <= cut) {
            out.extend(items.pop_front());
        }
        self.note(&items);
    }

    pub(super) fn len(&self) -> usize {
        self.items.lock().len()
    }

    /// Whether it has an item that this holds for.
    pub(super) fn any(&self, f: impl FnMut(&PurgeItem) -> bool) -> bool {
        self.items.lock().iter().any(f)
    }
}
