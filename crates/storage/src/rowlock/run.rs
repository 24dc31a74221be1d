//! Runs: the next-key locks of a long scan, kept as the stretch of the index that they cover.
//!
//! A scan that locks one record after the other holds, with next-key locks on all of them, every record from the first to the last and
//! every gap between. That is one interval of keys: two keys and a mode, however many records there are. A run is extended by the record
//! that follows it (before it, when the scan goes backwards), under the leaf's latch, so no record can be between; none can come
//! between later but its owner's, for the gaps are locked too.
//!
//! # What a run is to others
//!
//! Like an implicit lock it has no entry in any queue until somebody meets it: a request that might conflict *surfaces* the runs over its
//! key ([`Runs::surface`]), each as a granted next-key entry of its owner, and goes on as with any entries. The entry stays; the run still covers its key.
//!
//! * A key that has a queue when a run reaches it gets an entry as well ([`super::LockSys::lock_next`] asks for it in the usual way): whoever waits
//!   in a queue finds in it all that he waits for.
//! * Extending a run by a key and looking for runs over that key both happen under the key's shard mutex: one of two sees the other.
//! * Keys inside a run that were not there when it passed are its owner's inserts, or heirs' ([`super::LockSys::inherit_on_insert`] need
//!   not tell it). A record removed inside leaves the run as it is; one removed at its end leaves a gap lock on its successor.
//!
//! A run is never shortened: [`super::LockSys::unlock_record`] is for READ COMMITTED, whose scans lock records without gaps and have no runs.
//!
//! # Access
//!
//! Runs are kept in groups by index, each with a mutex (after shard mutexes, before owner mutexes) and a count that is read first: where nobody
//! has a run nobody takes the mutex. Tested in `rowlock/run_tests.rs`.

use super::owner::LockOwner;
use super::queue::{LockKind, LockMode, RecKey};
use crossbeam_utils::CachePadded;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const GROUPS: usize = 64;
/// Runs of one owner at most; further records are locked one by one.
const MOST: usize = 32;

/// Next-key locks of `owner` on every record with `lo <= key <= hi`.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) owner: Arc<LockOwner>,
    pub(super) index: u64,
    pub(super) mode: LockMode,
    pub(super) lo: Vec<u8>,
    pub(super) hi: Vec<u8>,
    /// Records that extended it.
    pub(super) rows: u64,
}

impl Run {
    fn over(&self, index: u64, key: &[u8]) -> bool {
        self.index == index && self.lo.as_slice() <= key && key <= self.hi.as_slice()
    }

    /// Whether a request of another has to wait for this run: [`super::queue::conflicts`] for a next-key lock on a record.
    fn stops(&self, mode: LockMode, kind: LockKind) -> bool {
        !mode.compatible(self.mode) && kind != LockKind::Gap
    }

    fn covers(&self, mode: LockMode, kind: LockKind) -> bool {
        self.mode.covers(mode) && matches!(kind, LockKind::Record | LockKind::Gap | LockKind::NextKey)
    }
}

#[derive(Debug, Default)]
struct Group {
    live: CachePadded<AtomicUsize>,
    runs: CachePadded<Mutex<Vec<Run>>>,
}

/// What runs there are over a key, for one request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Over {
    /// The asking owner holds what it asks for.
    pub(super) own: bool,
    /// Another's stands in the way.
    pub(super) stops: bool,
    /// There is one, whoever's.
    pub(super) any: bool,
}

/// All runs.
#[derive(Debug)]
pub(super) struct Runs {
    groups: Box<[Group]>,
}

impl Default for Runs {
    fn default() -> Runs {
        Runs { groups: (0..GROUPS).map(|_| Group::default()).collect() }
    }
}

impl Runs {
    #[allow(clippy::indexing_slicing)] // masked to the length
    fn group(&self, index: u64) -> &Group {
        &self.groups[index as usize & (GROUPS - 1)]
    }

    /// What covers this key. Call with the key's shard locked.
    #[inline]
    pub(super) fn over(&self, owner: &Arc<LockOwner>, index: u64, key: &[u8], mode: LockMode, kind: LockKind) -> Over {
        let group = self.group(index);
        let mut found = Over::default();
        if group.live.load(Ordering::Acquire) > 0 {
            for run in group.runs.lock().iter().filter(|r| r.over(index, key)) {
                let mine = Arc::ptr_eq(&run.owner, owner);
                found.any = true;
                found.own |= mine && run.covers(mode, kind);
                found.stops |= !mine && run.stops(mode, kind);
            }
        }
        found
    }

    /// Shows every run over the key to `add`, for an entry in the key's queue (whose shard is locked). The group stays locked meanwhile: an owner
    /// that ends takes its runs away before it can begin again.
    pub(super) fn surface(&self, index: u64, key: &[u8], mut add: impl FnMut(&Arc<LockOwner>, LockMode)) {
        let group = self.group(index);
        if group.live.load(Ordering::Acquire) > 0 {
            group.runs.lock().iter().filter(|r| r.over(index, key)).for_each(|r| add(&r.owner, r.mode));
        }
    }

    /// Shows the runs over the key that are not over `heir` too.
    pub(super) fn over_one(
        &self,
        index: u64,
        key: &[u8],
        heir: RecKey<'_>,
        mut see: impl FnMut(&Arc<LockOwner>, LockMode),
    ) {
        let beyond = |r: &&Run| match heir {
            RecKey::Key(h) => !r.over(index, h),
            RecKey::Supremum => true,
        };
        let group = self.group(index);
        if group.live.load(Ordering::Acquire) > 0 {
            let runs = group.runs.lock();
            runs.iter().filter(|r| r.over(index, key)).filter(beyond).for_each(|r| see(&r.owner, r.mode));
        }
    }

    /// Adds `key`, which is next to `last`, to the owner's run that ends there, or begins one; `false` if it has too many. Nothing may stand
    /// in the way: call under the key's shard, or with an entry of the owner in the key's queue.
    pub(super) fn extend(&self, owner: &Arc<LockOwner>, index: u64, last: &[u8], key: &[u8], mode: LockMode) -> bool {
        let group = self.group(index);
        let mut runs = group.runs.lock();
        let mut mine = 0;
        for run in runs.iter_mut().filter(|r| Arc::ptr_eq(&r.owner, owner)) {
            mine += 1;
            if run.mode == mode && run.over(index, last) {
                if !run.over(index, key) {
                    let end = if key > run.hi.as_slice() { &mut run.hi } else { &mut run.lo };
                    end.clear();
                    end.extend_from_slice(key);
                    run.rows += 1;
                }
                return true;
            }
        }
        if mine >= MOST {
            return false;
        }
        runs.push(Run { owner: owner.clone(), index, mode, lo: key.to_vec(), hi: key.to_vec(), rows: 1 });
        owner.state.lock().runs.push(index);
        group.live.fetch_add(1, Ordering::Release);
        true
    }

    /// Takes the runs away that an owner has on one of these indexes.
    pub(super) fn end(&self, owner: &Arc<LockOwner>, indexes: &[u64]) {
        for index in indexes {
            let group = self.group(*index);
            let mut runs = group.runs.lock();
            let before = runs.len();
            runs.retain(|r| !Arc::ptr_eq(&r.owner, owner));
            group.live.fetch_sub(before - runs.len(), Ordering::Release);
        }
    }

    /// Calls `each` with every run.
    pub(super) fn for_each(&self, mut each: impl FnMut(&Run)) {
        for g in &self.groups {
            g.runs.lock().iter().for_each(&mut each);
        }
    }
}
