//! Waits: what all threads together have waited for, by instrument, and what a wait is about.
//!
//! A wait is told of when it has ended ([`record`]): what blocked in the kernel or for a lock, and each operation on a
//! file. It counts for the instrument, for its session and, where somebody wants to see it, as an event of the session
//! ([`crate::phases`]). The sums of an instrument are written by all threads with atomic additions, which are small
//! beside a wait. Who waits inside other code says beforehand what it is about ([`about`]); the wait takes it.

use crate::classes::WaitClass;
use crate::instruments::{self, Consumer, Instrument};
use crate::timing::Times;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a wait is about.
#[derive(Debug, Default)]
pub struct Object {
    /// OBJECT_TYPE: FILE, SOCKET, TABLE, ...
    pub kind: &'static str,
    /// OBJECT_SCHEMA.
    pub schema: Option<String>,
    /// OBJECT_NAME.
    pub name: Option<String>,
    /// INDEX_NAME.
    pub index: Option<String>,
}

/// What a wait does, and about what.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// OPERATION; empty: the usual one of its class.
    pub operation: &'static str,
    /// The object, if there is one.
    pub object: Option<Arc<Object>>,
    /// OBJECT_INSTANCE_BEGIN; 0 = none.
    pub address: usize,
    /// How much, or what of the object.
    pub part: Part,
}

/// What else there is to say of a wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Part {
    /// Nothing.
    #[default]
    None,
    /// NUMBER_OF_BYTES, of reads and writes.
    Bytes(u64),
    /// It is for a lock of this table; who shows it knows names.
    Table(u64),
    /// The same of rows of an index.
    Index(u64),
}

impl About {
    /// About nothing else than this operation.
    pub(crate) fn clear(&mut self, operation: &'static str) {
        if self.object.is_some() {
            self.object = None;
        }
        (self.operation, self.address, self.part) = (operation, 0, Part::None);
    }
}

/// Count, sum, least and greatest time that many threads write.
#[derive(Debug)]
pub struct Shared([AtomicU64; 4]);

impl Default for Shared {
    fn default() -> Shared {
        Shared::new()
    }
}

impl Shared {
    /// Nothing counted.
    pub const fn new() -> Shared {
        Shared([AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(u64::MAX), AtomicU64::new(0)])
    }

    /// Adds one of `ns`.
    pub fn add(&self, ns: u64) {
        let [count, sum, min, max] = &self.0;
        count.fetch_add(1, Relaxed);
        sum.fetch_add(ns, Relaxed);
        if ns < min.load(Relaxed) {
            min.fetch_min(ns, Relaxed);
        }
        if ns > max.load(Relaxed) {
            max.fetch_max(ns, Relaxed);
        }
    }

    /// Counts one whose time nobody has taken.
    pub fn count(&self) {
        self.add(0);
    }

    /// The values now.
    pub fn times(&self) -> Times {
        let [count, sum, min, max] = self.0.each_ref().map(|v| v.load(Relaxed));
        // the first one may be half told
        [count, sum, if min == u64::MAX { 0 } else { min }, max]
    }

    /// Back to nothing.
    pub fn reset(&self) {
        let [count, sum, min, max] = &self.0;
        count.store(0, Relaxed);
        sum.store(0, Relaxed);
        min.store(u64::MAX, Relaxed);
        max.store(0, Relaxed);
    }
}

static SUMS: [Shared; Instrument::WAITS] = [const { Shared::new() }; Instrument::WAITS];

/// What all threads have of an instrument of waits.
pub fn sums(i: Instrument) -> &'static Shared {
    static NOWHERE: Shared = Shared::new();
    SUMS.get(i.number() as usize).unwrap_or(&NOWHERE)
}

thread_local! {
    static ABOUT: Cell<Option<About>> = const { Cell::new(None) };
}

/// Says what the next wait of this thread is about, unless `f` is dropped without one.
#[must_use]
pub fn about(what: About) -> Told {
    ABOUT.set(Some(what));
    Told(())
}

/// See [`about`].
#[derive(Debug)]
pub struct Told(());

impl Drop for Told {
    fn drop(&mut self) {
        ABOUT.set(None);
    }
}

/// Whether an instrument is recorded at all: who would read a clock for it asks first.
#[inline]
pub fn wanted(i: Instrument) -> bool {
    i.enabled() && instruments::active() & Consumer::Global.bit() != 0
}

/// A wait of `ns` has ended. Whether it is recorded, as the thread or its session is.
pub fn record(i: Instrument, ns: u64, about: impl FnOnce() -> About) -> bool {
    record_at(i, (ns, None), |to| *to = about())
}

/// As [`record`], where somebody knows when it ended. `about` writes over what another wait was about.
pub(crate) fn record_at(i: Instrument, (ns, end): (u64, Option<u64>), about: impl FnOnce(&mut About)) -> bool {
    if !wanted(i) {
        return false;
    }
    let ns = if i.timed() { ns } else { 0 };
    let recorded = crate::block::recorder_or(|r| r.waited(i, (ns, end), about), crate::threads::is_recorded);
    if recorded {
        sums(i).add(ns);
    }
    recorded
}

/// A wait of a class has blocked for `ns`.
pub(crate) fn blocked(class: WaitClass, ns: u64) {
    let about = ABOUT.take();
    record(Instrument::wait(class), ns, || about.unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_many_threads() {
        let s = Shared::new();
        assert_eq!(s.times(), [0; 4]);
        std::thread::scope(|scope| {
            for t in 1..=4u64 {
                let s = &s;
                scope.spawn(move || (0..100).for_each(|_| s.add(t)));
            }
        });
        assert_eq!(s.times(), [400, 1000, 1, 4]);
        s.reset();
        assert_eq!(s.times(), [0; 4]);
    }

    #[test]
    fn what_a_wait_is_about_is_told_once() {
        let _told = about(About { address: 7, ..About::default() });
        assert_eq!(ABOUT.take().map(|a| a.address), Some(7));
        drop(about(About::default()));
        assert!(ABOUT.take().is_none());
    }
}
