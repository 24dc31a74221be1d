//! Rings of events that have ended: `events_statements_history` and `_history_long`, and the same of transactions.
//!
//! A [`Ring`] keeps the last `size` events of one session; its entries are used again, so recording copies bytes into
//! memory that is there. It stands behind a mutex that only its session takes on a statement's path, and a reader for
//! as long as it copies the entries. The long history is one list of such mutexes for all sessions; which entry is next
//! is a counter that all of them write, which is why it is off unless asked for.
//!
//! What an end of a session leaves: its ring goes with it, the long history keeps its events. Tested below and by
//! `tests/clients/test_statement_events.py`.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock};

/// What a ring holds: something whose memory can be used again.
pub trait Event: Clone + Default + Send + 'static {}

/// The last events of a session, the oldest first.
#[derive(Debug, Default)]
pub struct Ring<E> {
    entries: Vec<E>,
    /// The oldest once it is full, where the next one goes.
    next: usize,
}

impl<E: Event> Ring<E> {
    /// Lets `fill` write the next event over the oldest.
    #[inline]
    pub fn record(&mut self, size: usize, fill: impl FnOnce(&mut E)) {
        if size == 0 {
            return;
        }
        if self.entries.len() < size && self.next == self.entries.len() {
            self.entries.push(E::default());
        }
        if let Some(e) = self.entries.get_mut(self.next) {
            fill(e);
        }
        self.next = if self.next + 1 >= size { 0 } else { self.next + 1 };
    }

    /// All, the oldest first.
    pub fn all(&self) -> Vec<E> {
        let (new, old) = self.entries.split_at(self.next.min(self.entries.len()));
        old.iter().chain(new).cloned().collect()
    }

    /// TRUNCATE.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.next = 0;
    }
}

/// The last events of all sessions.
#[derive(Debug)]
pub struct Long<E> {
    entries: OnceLock<Box<[Mutex<Option<E>>]>>,
    next: AtomicU64,
    size: AtomicUsize,
}

impl<E: Event> Long<E> {
    /// Empty. Its memory is taken when the first event comes.
    pub const fn new() -> Long<E> {
        Long { entries: OnceLock::new(), next: AtomicU64::new(0), size: AtomicUsize::new(10_000) }
    }

    /// How many it keeps; before the first event.
    pub fn set_size(&self, size: usize) {
        self.size.store(size, Relaxed);
    }

    /// Lets `fill` write the next event over the oldest.
    pub fn record(&self, fill: impl FnOnce(&mut E)) {
        let entries = self.entries.get_or_init(|| (0..self.size.load(Relaxed)).map(|_| Mutex::new(None)).collect());
        let n = self.next.fetch_add(1, Relaxed) as usize;
        if let Some(e) = n.checked_rem(entries.len()).and_then(|at| entries.get(at)) {
            fill(locked(e).get_or_insert_default());
        }
    }

    /// All, the oldest first; events that come meanwhile may be among them.
    pub fn all(&self) -> Vec<E> {
        let Some(entries) = self.entries.get() else { return Vec::new() };
        let at = (self.next.load(Relaxed) as usize).checked_rem(entries.len()).unwrap_or(0);
        let (new, old) = entries.split_at(at);
        old.iter().chain(new).filter_map(|e| locked(e).clone()).collect()
    }

    /// TRUNCATE.
    pub fn clear(&self) {
        self.entries.get().into_iter().flatten().for_each(|e| *locked(e) = None);
        self.next.store(0, Relaxed);
    }
}

impl<E: Event> Default for Long<E> {
    fn default() -> Self {
        Long::new()
    }
}

fn locked<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(|e| e.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Event for u64 {}

    #[test]
    fn the_oldest_goes_first() {
        let mut r = Ring::default();
        (1..=12u64).for_each(|n| r.record(5, |e| *e = n));
        assert_eq!(r.all(), [8, 9, 10, 11, 12]);
        r.clear();
        (1..=3u64).for_each(|n| r.record(5, |e| *e = n));
        assert_eq!(r.all(), [1, 2, 3]);
        let mut none = Ring::default();
        none.record(0, |e: &mut u64| *e = 1);
        assert!(none.all().is_empty());
    }

    #[test]
    fn the_long_one_takes_from_all_threads() {
        static LONG: Long<u64> = Long::new();
        LONG.set_size(64);
        std::thread::scope(|s| {
            for t in 0..4u64 {
                s.spawn(move || (0..16).for_each(|n| LONG.record(|e| *e = t * 100 + n)));
            }
        });
        let mut all = LONG.all();
        all.sort_unstable();
        assert_eq!(all.len(), 64);
        all.dedup();
        assert_eq!(all.len(), 64, "none lost, none twice");
        LONG.record(|e| *e = 999);
        assert_eq!((LONG.all().len(), LONG.all().last().copied()), (64, Some(999)));
        LONG.clear();
        assert!(LONG.all().is_empty());
    }
}
