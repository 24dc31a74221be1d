//! Which transactions a parallel applier may run side by side: `last_committed` by writeset.
//!
//! A transaction names the values of the unique keys of the rows that it changed, before and after, as hashes
//! ([`Keys`]). It depends on the last transaction of the file that named one of them; on nothing else, so that
//! `last_committed` is that one's number. What cannot be told from keys (DDL, a table that foreign keys refer to, more
//! keys than are remembered) waits for everything before it and everything after waits for it: the memory is emptied.
//! A table without a unique key makes its transaction wait for all before it, but nobody for it who shares no key.
//! Two keys with one hash only wait without need. The rules are those of MySQL's manual,
//! "binlog_transaction_dependency_history_size" and "replica_parallel_workers".
//!
//! Keys go from the session to the log beside the piece: [`offer`] before the commit, [`taken`] where the commit gets
//! its place, on the same thread. Whoever makes a piece offers, if only `None`. In the same way the thread learns
//! which GTIDs its commits got ([`watch_gtids`]), for `session_track_gtids`.
//!
//! [`History`] is used under the log's order of commits. Nothing here outlives a crash: a start begins a new file,
//! where numbers begin anew. Tested here by a model: transactions run in the order that the numbers allow least.

use crate::gtid::{Gtid, GtidSet};
use hashbrown::HashMap;
use std::cell::RefCell;
use storage::attached::Place;

/// What a transaction has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    hashes: Vec<u64>,
    /// A row had no unique key.
    missing: bool,
    /// Keys do not tell what it depends on.
    unknown: bool,
}

impl Keys {
    /// A key's value: `number` says which key of which table.
    #[inline]
    pub fn add(&mut self, number: u64, value: &[u8], limit: usize) {
        if self.hashes.len() >= limit {
            self.unknown = true;
        } else {
            self.hashes.push(hash(number, value));
        }
    }

    /// A row without unique key was changed.
    #[inline]
    pub fn add_missing(&mut self) {
        self.missing = true;
    }

    /// Something was done that keys do not tell.
    #[inline]
    pub fn add_unknown(&mut self) {
        self.unknown = true;
    }

    /// Nothing is known.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty() && !self.missing && !self.unknown
    }

    /// Forgets all, keeping the memory.
    pub fn clear(&mut self) {
        self.hashes.clear();
        (self.missing, self.unknown) = (false, false);
    }
}

/// Multiplication and folding of 8 bytes at once: quick, and a collision costs only a wait.
fn hash(number: u64, value: &[u8]) -> u64 {
    const BY: u64 = 0x9e37_79b9_7f4a_7c15;
    let step = |h: u64, word: u64| {
        let wide = u128::from(h ^ word) * u128::from(BY);
        (wide as u64) ^ ((wide >> 64) as u64) ^ BY.rotate_left(17)
    };
    let mut h = step(number, value.len() as u64 ^ BY);
    let mut chunks = value.chunks(8);
    for c in &mut chunks {
        let mut word = [0; 8];
        if let Some(front) = word.get_mut(..c.len()) {
            front.copy_from_slice(c);
        }
        h = step(h.rotate_left(5), u64::from_le_bytes(word));
    }
    h
}

/// The hashes are good as they are.
#[derive(Clone, Copy, Default)]
struct AsIs;

/// Of [`AsIs`].
#[derive(Default)]
struct Same(u64);

impl std::hash::BuildHasher for AsIs {
    type Hasher = Same;
    fn build_hasher(&self) -> Same {
        Same::default()
    }
}

impl std::hash::Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*b);
        }
    }
    fn write_u64(&mut self, n: u64) {
        self.0 = n;
    }
}

/// The last transaction of the file that changed each key.
#[derive(Default)]
pub struct History {
    last: HashMap<u64, u64, AsIs>,
    /// Everything up to this number comes first in any case.
    start: u64,
}

impl History {
    /// `last_committed` of the transaction with this number; `None`: of one of which no keys are known.
    pub fn last_committed(&mut self, keys: Option<&Keys>, sequence: u64, limit: usize) -> u64 {
        let before = sequence.saturating_sub(1);
        let known = keys.filter(|k| !k.unknown && !k.is_empty());
        let Some(keys) = known else {
            self.forget(sequence);
            return before;
        };
        let full = self.last.len() + keys.hashes.len() > limit;
        let mut parent = self.start;
        for h in &keys.hashes {
            if let Some(last) = self.last.get_mut(h) {
                if *last < sequence {
                    parent = parent.max(*last);
                }
                *last = sequence;
            } else if !full {
                self.last.insert(*h, sequence);
            }
        }
        if full {
            self.forget(sequence);
        }
        if keys.missing { before } else { parent.min(before) }
    }

    /// Everything up to this number comes first; 0: a new file.
    pub fn forget(&mut self, sequence: u64) {
        self.last.clear();
        self.start = sequence;
    }
}

#[derive(Default)]
struct Beside {
    keys: Option<Keys>,
    /// Memory of the last ones.
    spare: Keys,
    gtids: Option<GtidSet>,
    /// Where the last commit of this thread ends, until somebody asks.
    end: Option<Place>,
}

thread_local! {
    static BESIDE: RefCell<Beside> = RefCell::new(Beside::default());
}

/// What the commit that this thread makes next has changed.
pub fn offer(keys: Option<Keys>) {
    BESIDE.with_borrow_mut(|b| b.keys = keys);
}

/// Memory for the next transaction's keys.
pub fn spare() -> Keys {
    BESIDE.with_borrow_mut(|b| std::mem::take(&mut b.spare))
}

/// Calls `f` with what was offered, which is used up.
pub(crate) fn taken<T>(f: impl FnOnce(Option<&Keys>) -> T) -> T {
    BESIDE.with_borrow_mut(|b| {
        let keys = b.keys.take();
        let done = f(keys.as_ref());
        if let Some(mut k) = keys {
            k.clear();
            b.spare = k;
        }
        done
    })
}

/// From now on, or no longer, the thread remembers which GTIDs its commits get; those that it has remembered.
pub fn watch_gtids(on: bool) -> GtidSet {
    BESIDE.with_borrow_mut(|b| std::mem::replace(&mut b.gtids, on.then(GtidSet::default)).unwrap_or_default())
}

/// Where the last commit of this thread ends in the log, if it has made one since this was asked last.
pub fn take_end() -> Option<Place> {
    BESIDE.with_borrow_mut(|b| b.end.take())
}

/// A commit of this thread ends here.
pub(crate) fn got_end(end: Place) {
    BESIDE.with_borrow_mut(|b| b.end = Some(end));
}

/// A commit of this thread got this one.
pub(crate) fn got_gtid(gtid: Gtid) {
    BESIDE.with_borrow_mut(|b| {
        if let Some(set) = &mut b.gtids {
            set.add(gtid);
        }
    });
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;

    const LIMIT: usize = 60;

    /// Of random transactions: those that share a key, or one of which keys tell nothing, are ordered by their numbers;
    /// many others are not.
    #[test]
    fn whoever_shares_a_key_waits() {
        let mut n = 11u64;
        let mut next = |below: u64| {
            n = n.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (n >> 33) % below
        };
        let mut free = 0;
        for _ in 0..50 {
            let (mut history, mut done) = (History::default(), Vec::<(Option<Vec<u64>>, bool, u64)>::new());
            for sequence in 1..200u64 {
                let plain: Vec<u64> = (0..1 + next(3)).map(|_| next(90)).collect();
                let (missing, unknown) = (next(20) == 0, next(25) == 0);
                let mut keys = Keys::default();
                for k in &plain {
                    keys.add(1, &k.to_be_bytes(), LIMIT);
                }
                if missing {
                    keys.add_missing();
                }
                let given = (!unknown).then_some(&keys);
                let last = history.last_committed(given, sequence, LIMIT);
                assert!(last < sequence);
                assert!(history.last.len() <= LIMIT);
                for (other, ends, number) in &done {
                    let shares = other.as_ref().is_none_or(|o| o.iter().any(|k| plain.contains(k))) || unknown;
                    // one without keys shares rows with nobody but others without
                    let must = shares || (missing && *ends);
                    assert!(!must || *number <= last, "{number} {sequence} {last}");
                }
                free += usize::from(last + 1 < sequence);
                done.push(((!unknown).then_some(plain), missing, sequence));
            }
        }
        assert!(free > 1000, "{free}");
    }

    #[test]
    fn many_keys_are_unknown() {
        let mut keys = Keys::default();
        (0..5u64).for_each(|k| keys.add(1, &k.to_be_bytes(), 4));
        assert!(keys.unknown);
        let mut history = History::default();
        assert_eq!(history.last_committed(Some(&keys), 7, 4), 6);
        let mut one = Keys::default();
        one.add(1, b"new", 4);
        assert_eq!(history.last_committed(Some(&one), 8, 4), 7);
        one.clear();
        one.add(1, b"other", 4);
        assert_eq!(history.last_committed(Some(&one), 9, 4), 7);
        history.forget(0);
        assert_eq!(history.last_committed(Some(&one), 1, 4), 0);
    }
}
