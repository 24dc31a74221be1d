//! The fast path: a session's slots and the strong-lock counters. Kept apart from everything else so that the loom model in
//! `tests/loom_fast.rs` compiles this very file with loom's atomics.
//!
//! A slot holds one word: `hash (56 bits) | duration (4) | type + 1 (4)`, 0 = empty, type nibble 15 = moved to the table.
//!
//! ```text
//!   weak (the owner)               strong (anybody)
//!   slot := word                   counter += 1
//!   fence(SeqCst)                  fence(SeqCst)
//!   counter = 0 ? granted          slot = word ? change it to "moved", ticket into the table
//!     else change word -> 0,
//!     and go to the table
//! ```
//! Of the two loads after the fences at least one sees the other side's store, so a weak lock is never granted unseen. Both changes of the
//! slot are compare-exchanges: if the sweep wins, the weak lock *is* granted, as a ticket in the table. Therefore a sweep passes by what a
//! strong lock in the table excludes already: such a word is a newcomer's that has not looked at the counter yet, and it will be taken
//! back (that strong lock's own sweep moved whatever was granted before).

use super::sync::{AtomicU32, AtomicU64, Ordering, fence};

/// Bits below the hash.
pub const META: u64 = 0xFF;
const TYPE: u64 = 0xF;
const MOVED: u64 = 0xF;

/// Puts a slot word together. `kind` is below 14, `duration` below 16; the lower 8 bits of `hash` are dropped.
pub fn word(hash: u64, kind: u8, duration: u8) -> u64 {
    (hash & !META) | (u64::from(duration) << 4 & 0xF0) | (u64::from(kind) + 1)
}

/// Type and duration of an unmoved, filled slot word.
pub fn parts(word: u64) -> Option<(u8, u8)> {
    match word & TYPE {
        0 | MOVED => None,
        t => Some((t as u8 - 1, (word >> 4 & 0xF) as u8)),
    }
}

/// What became of a weak request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Published {
    /// Granted in the slot.
    Granted,
    /// Granted, but a sweep has moved it to the table already.
    Moved,
    /// Taken back because of a strong lock: ask the table.
    Withdrawn,
}

/// One session's slots. Written by their owner; a sweep only changes a filled one to "moved". Two cache lines of their own.
#[repr(align(128))]
#[derive(Debug)]
pub struct Slots<const N: usize> {
    words: [AtomicU64; N],
}

impl<const N: usize> Default for Slots<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Slots<N> {
    /// All empty.
    pub fn new() -> Slots<N> {
        Slots { words: std::array::from_fn(|_| AtomicU64::new(0)) }
    }

    /// The owner's weak request in its empty slot `i`.
    pub fn publish(&self, i: usize, word: u64, strong: &AtomicU32) -> Published {
        let Some(slot) = self.words.get(i) else { return Published::Withdrawn };
        slot.store(word, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        // Acquire: a strong holder's changes (a new table definition) happened before it lowered the counter.
        if strong.load(Ordering::Acquire) == 0 {
            return Published::Granted;
        }
        match slot.compare_exchange(word, 0, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => Published::Withdrawn,
            Err(_) => Published::Moved,
        }
    }

    /// The owner empties slot `i`. True: the lock had been moved, its ticket is in the table.
    pub fn retract(&self, i: usize) -> bool {
        self.words.get(i).is_some_and(|s| s.swap(0, Ordering::AcqRel) & TYPE == MOVED)
    }

    /// Marks every filled slot of this hash as moved and reports (slot, type, duration), but not what is `excluded`: types that a granted
    /// strong lock stands against. Call after [`raise`].
    pub fn sweep(&self, hash: u64, excluded: impl Fn(u8) -> bool, mut hit: impl FnMut(usize, u8, u8)) {
        for (i, slot) in self.words.iter().enumerate() {
            loop {
                let w = slot.load(Ordering::Acquire);
                if w & !META != hash & !META {
                    break;
                }
                let Some((kind, duration)) = parts(w) else { break };
                if excluded(kind) {
                    break;
                }
                if slot.compare_exchange(w, w | MOVED, Ordering::AcqRel, Ordering::Acquire).is_ok() {
                    hit(i, kind, duration);
                    break;
                }
            }
        }
    }

    /// The words now, for listings.
    pub fn words(&self) -> impl Iterator<Item = u64> + '_ {
        self.words.iter().map(|w| w.load(Ordering::Acquire))
    }
}

/// Announces a strong request; what comes after it may sweep.
pub fn raise(strong: &AtomicU32) {
    strong.fetch_add(1, Ordering::AcqRel);
    fence(Ordering::SeqCst);
}

/// Ends a strong request or lock.
pub fn lower(strong: &AtomicU32) {
    strong.fetch_sub(1, Ordering::Release);
}
