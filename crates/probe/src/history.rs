//! Rings of events that have ended: `events_statements_history` and `_history_long`, and the same of transactions.
//!
//! A [`Ring`] keeps the last event of one session and the `size` before it; its entries are used again, so recording
//! copies bytes into memory that is there. It stands behind a mutex that only its session takes on a statement's path,
//! and a reader for as long as it copies the entries. The long history is one list of such mutexes for all sessions;
//! which entry is next is a counter that all of them write, which is why it is off unless asked for.
//!
//! What an end of a session leaves: its ring goes with it, the long history keeps its events. Tested below and by
//! `tests/clients/test_statement_events.py`.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock};

/// What a ring holds: something whose memory can be used again.
pub trait Event: Clone + Default + Send + 'static {}

/// The last event of a session, and those before that belong to its history. The last one is what the tables of current
/// events show; whether it belongs to the history the consumer decided that was on when it came.
#[derive(Debug, Default)]
pub struct Ring<E> {
    entries: Vec<E>,
    /// Where the last one is.
    at: usize,
    /// It belongs to the history, so the next one must not take its place.
    kept: bool,
    /// TRUNCATE has taken it from the current ones.
    hidden: bool,
    /// How many the history keeps.
    size: usize,
}

impl<E: Event> Ring<E> {
    /// The entry of the next event, with what an old one has left in it. `size`: of the history; `keep`: it belongs to
    /// it.
    #[inline]
    pub fn next(&mut self, size: usize, keep: bool) -> &mut E {
        if self.kept {
            self.at = if self.at >= size { 0 } else { self.at + 1 };
        }
        (self.size, self.kept, self.hidden) = (size, keep, false);
        if self.at >= self.entries.len() {
            self.grow();
        }
        let at = self.at;
        // there always is one: a place beyond the last has just been filled
        #[allow(clippy::indexing_slicing)]
        &mut self.entries[at]
    }

    /// The entry that [`Ring::next`] gave last.
    #[inline]
    pub(crate) fn latest(&mut self) -> Option<&mut E> {
        self.entries.get_mut(self.at)
    }

    /// Entries, and the bytes that they have: `of` says what hangs at one.
    pub fn memory(&self, of: impl Fn(&E) -> usize) -> (u64, u64) {
        let hanging: usize = self.entries.iter().map(of).sum();
        (self.entries.len() as u64, (self.entries.capacity() * size_of::<E>() + hanging) as u64)
    }

    /// All entries, in no order.
    pub(crate) fn entries(&mut self) -> impl Iterator<Item = &mut E> {
        self.entries.iter_mut()
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.at = self.entries.len();
        self.entries.push(E::default());
    }

    /// The last one.
    pub fn last(&self) -> Option<&E> {
        if self.hidden { None } else { self.entries.get(self.at) }
    }

    /// The history, the oldest first.
    pub fn all(&self) -> Vec<E> {
        let (new, old) = self.entries.split_at((self.at + 1).min(self.entries.len()));
        let all: Vec<&E> = old.iter().chain(new).collect();
        let all = if self.kept { &all[..] } else { all.split_last().map_or(&[][..], |(_, before)| before) };
        all.iter().skip(all.len().saturating_sub(self.size)).map(|e| (*e).clone()).collect()
    }

    /// TRUNCATE of the current events.
    pub fn hide(&mut self) {
        self.hidden = true;
    }

    /// TRUNCATE of the history.
    pub fn clear(&mut self) {
        if self.at < self.entries.len() {
            self.entries.swap(0, self.at);
            self.entries.truncate(1);
        }
        (self.at, self.kept) = (0, false);
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

    /// Entries, and their bytes without what hangs at them; none before the first event.
    pub fn memory(&self) -> (u64, u64) {
        let n = self.entries.get().map_or(0, |e| e.len());
        (n as u64, (n * size_of::<Mutex<Option<E>>>()) as u64)
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
        assert!(r.last().is_none() && r.all().is_empty());
        (1..=12u64).for_each(|n| *r.next(5, true) = n);
        assert_eq!((r.all(), r.last()), (vec![8, 9, 10, 11, 12], Some(&12)));
        (13..=20u64).for_each(|n| *r.next(5, false) = n);
        assert_eq!((r.all(), r.last()), (vec![8, 9, 10, 11, 12], Some(&20)), "without the consumer");
        *r.next(5, true) = 21;
        assert_eq!((r.all(), r.last()), (vec![9, 10, 11, 12, 21], Some(&21)));
        r.clear();
        assert_eq!((r.all(), r.last()), (vec![], Some(&21)));
        (1..=3u64).for_each(|n| *r.next(5, true) = n);
        assert_eq!(r.all(), [1, 2, 3]);
        r.hide();
        assert_eq!((r.all(), r.last()), (vec![1, 2, 3], None));
        *r.next(5, true) = 4;
        assert_eq!((r.all(), r.last()), (vec![1, 2, 3, 4], Some(&4)));
        let mut none = Ring::default();
        (1..=3u64).for_each(|n| *none.next(0, true) = n);
        assert_eq!((none.all(), none.last()), (vec![], Some(&3)));
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
