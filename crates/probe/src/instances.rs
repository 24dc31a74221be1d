//! Latches as instances: mutex_instances, rwlock_instances and events_waits_summary_by_instance.
//!
//! A latch is a word that nobody registers; it gets an entry when somebody has waited for it while its instrument was
//! on, or when its owner asks for one ([`register`]: the partitions of the metadata locks, which count each use). At
//! most `performance_schema_max_mutex_instances` and `_rwlock_instances` have entries; waits for the others count for
//! their class alone, and `Performance_schema_mutex_instances_lost` and its kin tell of them.
//!
//! Lock: the registry's, cold: taken after a wait that has blocked. Tested below and by
//! `tests/clients/test_latch_events.py`.

use crate::instruments::Instrument;
use crate::timing::Times;
use crate::waits::{About, Shared, record, wanted};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};

/// One latch.
#[derive(Debug)]
pub struct Instance {
    instrument: Instrument,
    address: usize,
    sums: Shared,
}

type Key = (Instrument, usize);
static ALL: Mutex<BTreeMap<Key, Arc<Instance>>> = Mutex::new(BTreeMap::new());
/// Of mutexes and of read-write latches.
static MOST: [AtomicUsize; 2] = [const { AtomicUsize::new(10_000) }; 2];
static LOST: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

fn all_of() -> MutexGuard<'static, BTreeMap<Key, Arc<Instance>>> {
    ALL.lock().unwrap_or_else(|e| e.into_inner())
}

/// What a latch is, by its instrument's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A mutex.
    Mutex = 0,
    /// Shared or exclusive.
    RwLock = 1,
}

impl Kind {
    /// Of an instrument.
    pub fn of(i: Instrument) -> Kind {
        if i.name().starts_with("wait/synch/mutex/") { Kind::Mutex } else { Kind::RwLock }
    }
}

/// Sets how many have entries.
pub fn configure(mutexes: usize, rwlocks: usize) {
    let [m, r] = &MOST;
    m.store(mutexes, Relaxed);
    r.store(rwlocks, Relaxed);
}

/// Those that found no room.
pub fn lost(kind: Kind) -> u64 {
    LOST.get(kind as usize).map_or(0, |l| l.load(Relaxed))
}

/// The entry of a latch, made if there is none.
pub fn register(instrument: Instrument, address: usize) -> Arc<Instance> {
    let made = || Arc::new(Instance { instrument, address, sums: Shared::new() });
    let mut all = all_of();
    if let Some(known) = all.get(&(instrument, address)) {
        return known.clone();
    }
    let kind = Kind::of(instrument);
    let most = MOST.get(kind as usize).map_or(0, |m| m.load(Relaxed));
    if all.keys().filter(|(i, _)| Kind::of(*i) == kind).count() >= most {
        LOST.get(kind as usize).into_iter().for_each(|l| _ = l.fetch_add(1, Relaxed));
        return made();
    }
    all.entry((instrument, address)).or_insert_with(made).clone()
}

/// A latch is gone.
pub fn gone(i: &Instance) {
    all_of().remove(&(i.instrument, i.address));
}

/// Somebody has waited `ns` for a latch.
pub fn waited(instrument: Instrument, address: usize, ns: u64) {
    if wanted(instrument) {
        register(instrument, address).used(ns);
    }
}

impl Instance {
    /// Whether uses of it are recorded.
    #[inline]
    pub fn is_wanted(&self) -> bool {
        wanted(self.instrument)
    }

    /// It has been taken, after a wait of `ns` (0: at once).
    pub fn used(&self, ns: u64) {
        let about = || About { operation: "lock", address: self.address, ..About::default() };
        if record(self.instrument, ns, about) {
            self.sums.add(if self.instrument.timed() { ns } else { 0 });
        }
    }
}

/// A row: instrument, address, and what was counted.
pub type InstanceRow = (Instrument, usize, Times);

/// All entries, by instrument and address.
pub fn all() -> Vec<InstanceRow> {
    all_of().values().map(|i| (i.instrument, i.address, i.sums.times())).collect()
}

/// TRUNCATE.
pub fn reset() {
    all_of().values().for_each(|i| i.sums.reset());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_latch_is_known_when_somebody_has_waited() {
        let _alone = crate::instruments::switching();
        let i = Instrument::latch(7);
        let of = |address| all().into_iter().find(|r| r.0 == i && r.1 == address).map(|r| r.2);
        waited(i, 64, 10);
        assert_eq!(of(64), None, "its instrument is off");
        i.set(true, true);
        waited(i, 64, 10);
        waited(i, 64, 30);
        let own = register(i, 128);
        own.used(0);
        assert_eq!((of(64), of(128)), (Some([2, 40, 10, 30]), Some([1, 0, 0, 0])));
        i.set(false, false);
        own.used(5);
        assert_eq!(of(128), Some([1, 0, 0, 0]));
        gone(&own);
        assert_eq!(of(128), None);
    }
}
