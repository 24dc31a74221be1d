//! How often rows of tables were read and changed, by index: table_io_waits_summary_by_index_usage and _by_table,
//! table_lock_waits_summary_by_table, objects_summary_global_by_type.
//!
//! Kept as statements by digest are ([`crate::statements`]): a thread counts into slots of its own, one for each index
//! that it has met, with plain loads and stores; the slots also hang in the registry, where readers sum. A statement
//! tells of a cursor once, with the rows that it has read, not of each row, and no clock is read: times are 0.
//!
//! A thread that meets an index for the first time asks `setup_objects` about its table; a change there, and TRUNCATE,
//! make it ask anew. Lock: the registry's, cold. Tested below and by `tests/clients/test_table_io.py`.

use crate::WaitClass;
use crate::instruments::{self, Consumer, Instrument};
use crate::objects::{Kind, decided};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// Rows read.
    Fetch = 0,
    /// Rows written.
    Insert = 1,
    /// Rows changed.
    Update = 2,
    /// Rows deleted.
    Delete = 3,
    /// Uses by statements that read (the external lock of MySQL).
    ReadLock = 4,
    /// Uses by statements that write.
    WriteLock = 5,
}

/// By [`What`].
pub type Counts = [u64; 6];

/// A table's number and the place of an index in it; `None`: no index.
pub type Place = (u64, Option<u16>);

#[derive(Debug, Default)]
struct Slot([AtomicU64; 6]);

impl Slot {
    fn counts(&self) -> Counts {
        self.0.each_ref().map(|c| c.load(Relaxed))
    }

    #[inline(always)]
    fn add(&self, what: What, n: u64) {
        if let Some(c) = self.0.get(what as usize) {
            c.store(c.load(Relaxed).wrapping_add(n), Relaxed);
        }
    }

    /// Those that are wanted, as in [`STATE`].
    #[inline(always)]
    fn add_some(&self, wanted: u64, counts: &[(What, u64)]) {
        for (what, n) in counts {
            let bit = if (*what as usize) < What::ReadLock as usize { ROWS } else { USES };
            if wanted & bit != 0 {
                self.add(*what, *n);
            }
        }
    }
}

#[derive(Default)]
struct Entry {
    live: Vec<Arc<Slot>>,
    /// Of threads that are gone or have started over.
    kept: Counts,
}

static REGISTRY: Mutex<Option<HashMap<Place, Entry>>> = Mutex::new(None);
const ROWS: u64 = 1;
const USES: u64 = 2;
/// Whether rows, and whether uses of tables are counted; above it, by [`ROUND`], a number that TRUNCATE and changes of
/// setup_objects raise.
static STATE: AtomicU64 = AtomicU64::new(ROUND | ROWS | USES);
const ROUND: u64 = 1 << 8;
/// Entries of indexes; what is beyond is not counted.
const MOST: usize = 100_000;
static LOST: AtomicU64 = AtomicU64::new(0);

fn registry() -> MutexGuard<'static, Option<HashMap<Place, Entry>>> {
    REGISTRY.lock().unwrap_or_else(|e| e.into_inner())
}

/// Indexes that found no room (Performance_schema_index_stat_lost).
pub fn lost() -> u64 {
    LOST.load(Relaxed)
}

/// Places that a thread finds without its map.
const RECENT: usize = 64;

struct Mine {
    /// With what [`Mine::slots`] has there; a place that is none matches nothing.
    recent: [(u64, u32, Option<Arc<Slot>>); RECENT],
    map: HashMap<Place, usize>,
    /// `None`: setup_objects leaves the table out.
    slots: Vec<Option<(Place, Arc<Slot>)>>,
    /// What [`STATE`] was then.
    seen: u64,
}

impl Default for Mine {
    fn default() -> Mine {
        Mine { recent: [NOWHERE; RECENT], map: HashMap::new(), slots: Vec::new(), seen: 0 }
    }
}

const NOWHERE: (u64, u32, Option<Arc<Slot>>) = (0, u32::MAX, None);

impl Mine {
    /// The slot of an index by its place plus one (0: no index), where [`STATE`] is this.
    #[inline(always)]
    fn near<'n>(
        &mut self,
        state: u64,
        (table, index): (u64, u32),
        names: impl FnOnce() -> (&'n str, &'n str),
    ) -> Option<&Slot> {
        if self.seen != state {
            self.start_over();
        }
        let near = (table as usize).wrapping_mul(4).wrapping_add(index as usize) % RECENT;
        if self.recent.get(near).is_none_or(|(t, i, _)| *t != table || *i != index) {
            let place = (table, index.checked_sub(1).map(|n| n as u16));
            self.find(place, index, near, names);
        }
        self.recent.get(near)?.2.as_deref()
    }

    #[cold]
    #[inline(never)]
    fn find<'n>(&mut self, place: Place, index: u32, near: usize, names: impl FnOnce() -> (&'n str, &'n str)) {
        let at = match self.map.get(&place) {
            Some(at) => *at,
            None => {
                if self.slots.len() >= MOST / 10 {
                    self.start_over();
                }
                let (schema, name) = names();
                let slot = decided(Kind::Table, schema, name).0.then(|| enter(place)).flatten();
                self.slots.push(slot.map(|s| (place, s)));
                self.map.insert(place, self.slots.len() - 1);
                self.slots.len() - 1
            }
        };
        let slot = self.slots.get(at).and_then(|s| Some(s.as_ref()?.1.clone()));
        self.recent.get_mut(near).into_iter().for_each(|r| *r = (place.0, index, slot.clone()));
    }

    /// Hands over what was counted.
    fn give_back(&mut self) {
        let mut all = registry();
        for (place, slot) in self.slots.drain(..).flatten() {
            // what TRUNCATE has taken away stays away
            let Some(e) = all.as_mut().and_then(|a| a.get_mut(&place)) else { continue };
            let before = e.live.len();
            e.live.retain(|s| !Arc::ptr_eq(s, &slot));
            if e.live.len() < before {
                e.kept.iter_mut().zip(slot.counts()).for_each(|(to, n)| *to += n);
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn start_over(&mut self) {
        self.recent = [NOWHERE; RECENT];
        self.give_back();
        self.map.clear();
        self.seen = STATE.load(Relaxed);
    }
}

impl Drop for Mine {
    fn drop(&mut self) {
        self.give_back();
    }
}

fn enter(place: Place) -> Option<Arc<Slot>> {
    let mut all = registry();
    let all = all.get_or_insert_default();
    if all.len() >= MOST && !all.contains_key(&place) {
        LOST.fetch_add(1, Relaxed);
        return None;
    }
    let slot = Arc::new(Slot::default());
    all.entry(place).or_default().live.push(slot.clone());
    Some(slot)
}

thread_local! {
    static MINE: RefCell<Mine> = RefCell::default();
}

/// Something has been switched.
pub(crate) fn switched() {
    let on = instruments::active() & Consumer::Global.bit() != 0;
    let of = |i: Instrument, bit| if on && i.enabled() { bit } else { 0 };
    let wanted = of(Instrument::TABLE_IO, ROWS) | of(Instrument::wait(WaitClass::TableLock), USES);
    let _ = STATE.fetch_update(Relaxed, Relaxed, |s| Some(s & !(ROWS | USES) | wanted));
}

/// What is counted, as in [`STATE`]; `None`: nothing.
#[inline(always)]
fn wanted() -> Option<u64> {
    Some(STATE.load(Relaxed)).filter(|s| instruments::BUILT && s & (ROWS | USES) != 0)
}

/// Whether rows of tables are counted.
#[cfg(test)]
pub(crate) fn counts_rows() -> bool {
    wanted().is_some_and(|s| s & ROWS != 0)
}

/// Counts. `names`: schema and name of the table, if they are needed.
#[inline(always)]
pub fn count<'n, const N: usize>(place: Place, counts: [(What, u64); N], names: impl FnOnce() -> (&'n str, &'n str)) {
    let Some(wanted) = wanted() else { return };
    let _ = MINE.try_with(|m| {
        let mut m = m.borrow_mut();
        let index = place.1.map_or(0, |n| u32::from(n) + 1);
        let Some(slot) = m.near(wanted, (place.0, index), names) else { return };
        slot.add_some(wanted, &counts);
    });
}

/// Counts rows that were read, by the place of the index plus one (0: no index), and perhaps a use of the table by a
/// statement that only reads or `writes`.
#[inline(always)]
pub fn count_reads<'n>(
    place: (u64, u32),
    rows: u64,
    uses: bool,
    writes: bool,
    names: impl FnOnce() -> (&'n str, &'n str),
) {
    let Some(wanted) = wanted() else { return };
    let _ = MINE.try_with(|m| {
        let mut m = m.borrow_mut();
        let Some(slot) = m.near(wanted, place, names) else { return };
        let lock = if writes { What::WriteLock } else { What::ReadLock };
        if wanted & (ROWS | USES) != ROWS | USES {
            return slot.add_some(wanted, &[(What::Fetch, rows), (lock, u64::from(uses))]);
        }
        slot.add(What::Fetch, rows);
        if uses {
            slot.add(lock, 1);
        }
    });
}

/// setup_objects has changed.
pub(crate) fn ask_anew() {
    STATE.fetch_add(ROUND, Relaxed);
}

/// All that was counted.
pub fn all() -> HashMap<Place, Counts> {
    let sum = |e: &Entry| {
        let mut sums = e.kept;
        e.live.iter().for_each(|s| sums.iter_mut().zip(s.counts()).for_each(|(to, n)| *to += n));
        sums
    };
    registry().iter().flatten().map(|(place, e)| (*place, sum(e))).collect()
}

/// Forgets tables that are gone.
pub fn keep(is_there: impl Fn(u64) -> bool) {
    registry().iter_mut().for_each(|all| all.retain(|(table, _), _| is_there(*table)));
}

/// TRUNCATE.
pub fn truncate() {
    *registry() = None;
    LOST.store(0, Relaxed);
    STATE.fetch_add(ROUND, Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_count_and_truncate_forgets() {
        let _alone = crate::instruments::switching();
        let names = || ("d", "t");
        let one = move |n| count((7, Some(0)), [(What::Fetch, n), (What::ReadLock, 1)], names);
        one(3);
        std::thread::spawn(move || one(4)).join().unwrap();
        let of = |p| all().get(&p).copied();
        assert_eq!(of((7, Some(0))), Some([7, 0, 0, 0, 2, 0]), "what a thread has counted stays");
        count((7, None), [(What::Insert, 2)], names);
        count((8, None), [(What::Insert, 2)], || ("mysql", "user"));
        assert_eq!((of((7, None)), of((8, None))), (Some([0, 2, 0, 0, 0, 0]), None));
        crate::objects::change(|_| ());
        one(1);
        assert_eq!(of((7, Some(0))), Some([8, 0, 0, 0, 3, 0]), "a change of setup_objects loses nothing");
        Instrument::TABLE_IO.set(false, false);
        one(1);
        Instrument::TABLE_IO.set(true, true);
        assert_eq!(of((7, Some(0))), Some([8, 0, 0, 0, 4, 0]));
        truncate();
        assert_eq!(of((7, Some(0))), None);
        one(1);
        keep(|table| table != 7);
        assert_eq!(of((7, Some(0))), None);
    }
}
