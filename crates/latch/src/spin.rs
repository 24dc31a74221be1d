//! The only spin loop of the house, and how long it may last.
//!
//! Every class learns from samples how long its waits are: one contended acquisition in [`SAMPLE`] (less than one acquisition in a thousand,
//! as contention is rare) spins up to the limit whatever the class's budget, and notes after how long the latch was free, or that it was
//! not. From these [`budget`] chooses the spin that costs least in all: waits no longer than it cost themselves, longer ones the spin
//! and a park ([`PARK_NS`]); where nothing is gained that is no spin at all. (Karlin et al., "Competitive randomized algorithms for
//! nonuniform problems", 1990, section on known distributions.) Old samples fade: all counts are halved each time.
//!
//! Bounded in nanoseconds (one PAUSE costs 5..40 ns depending on the processor, so it is measured once). One spinner per latch: a second one
//! parks at once. `sched` sets the limit every second from the effective CPUs and from how often the kernel takes CPUs away; 0 forbids
//! spinning. [`set_spin_cap`] bounds it further (`innodb_sync_spin_loops` and its relatives).

use crate::LatchClass;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

/// Longest spin where there are CPUs to spare: half a park and unpark.
pub const DEFAULT_SPIN_NS: u32 = 2_000;
const UNSET: u32 = u32::MAX;
static LIMIT_NS: AtomicU32 = AtomicU32::new(UNSET);
static CAP_NS: AtomicU32 = AtomicU32::new(u32::MAX);
static PAUSE_TENTHS: AtomicU32 = AtomicU32::new(0);

/// Longest spin in nanoseconds from now on; 0 = never spin.
pub fn set_spin_limit(ns: u32) {
    LIMIT_NS.store(ns.min(100_000), Relaxed);
}

/// Another bound on spins, nanoseconds; 0 = never spin, `u32::MAX` = none.
pub fn set_spin_cap(ns: u32) {
    CAP_NS.store(ns, Relaxed);
}

/// So many PAUSEs in nanoseconds on this processor.
pub fn pauses_ns(pauses: u64) -> u64 {
    pauses.saturating_mul(u64::from(pause_tenths())) / 10
}

/// The limit in force. Before anybody has set one it comes from the effective CPUs.
pub fn spin_limit() -> u32 {
    let l = LIMIT_NS.load(Relaxed);
    if l != UNSET {
        return l.min(CAP_NS.load(Relaxed));
    }
    let limits = sys::limits::current();
    let l = if limits.effective_cpus() < 2.0 || limits.quota_binds() { 0 } else { DEFAULT_SPIN_NS };
    LIMIT_NS.store(l, Relaxed);
    l
}

/// Price of one PAUSE in tenths of a nanosecond, measured at first use.
fn pause_tenths() -> u32 {
    let known = PAUSE_TENTHS.load(Relaxed);
    if known != 0 {
        return known;
    }
    let one = || {
        let t = sys::clock::now_ns();
        (0..100).for_each(|_| sys::thread::pause());
        (sys::clock::now_ns() - t) / 10
    };
    let best = (0..5).map(|_| one()).min().unwrap_or(200).clamp(10, 5_000) as u32;
    PAUSE_TENTHS.store(best, Relaxed);
    best
}

/// What a look at the latch says.
pub(crate) enum Look {
    /// Free now: try to take it.
    Free,
    /// Still taken.
    Busy,
    /// Others have parked: spinning would only overtake them.
    GiveUp,
}

/// One contended acquisition in so many is a sample.
const SAMPLE: u64 = 16;
/// Processor time of a park and the unpark that ends it, both sides together.
const PARK_NS: u64 = 5_000;
/// Samples after which the budget is chosen anew.
const ENOUGH: u32 = 64;
/// Upper bounds of the histogram's buckets but the last, ns.
pub(crate) const BOUNDS: [u32; 7] = [62, 125, 250, 500, 1_000, 2_000, 4_000];

/// The spin (ns, 0 or one of [`BOUNDS`]) that costs least when waits are distributed like these counts (one per bound, then
/// those that lasted longer).
fn budget(counts: &[u32; BOUNDS.len() + 1], limit: u32) -> u32 {
    let cost = |spin: u32| -> u64 {
        let mut sum = 0;
        for (bound, n) in BOUNDS.iter().chain([&u32::MAX]).zip(counts) {
            let one = if *bound <= spin { u64::from(*bound) } else { u64::from(spin) + PARK_NS };
            sum += one * u64::from(*n);
        }
        sum
    };
    let spins = BOUNDS.iter().copied().filter(|b| *b <= limit);
    spins.fold(0, |best, b| if cost(b) < cost(best) { b } else { best })
}

/// Notes a sample and chooses anew when there are enough.
fn note(class: &LatchClass, waited: Option<u64>, limit: u32) {
    let at = waited.map_or(BOUNDS.len(), |ns| BOUNDS.iter().take_while(|b| u64::from(**b) < ns).count());
    let Some(bucket) = class.samples.get(at) else { return };
    bucket.fetch_add(1, Relaxed);
    let mut counts = [0; BOUNDS.len() + 1];
    counts.iter_mut().zip(&class.samples).for_each(|(to, from)| *to = from.load(Relaxed));
    if counts.iter().sum::<u32>() >= ENOUGH {
        class.budget_ns.store(budget(&counts, limit), Relaxed);
        // Racing samples may be lost or counted twice: they are samples.
        class.samples.iter().zip(counts).for_each(|(c, n)| c.store(n / 2, Relaxed));
    }
}

/// Latches that somebody spins on, by hash: two that collide have one spinner together.
static SPINNING: [AtomicBool; 64] = [const { AtomicBool::new(false) }; 64];

/// Spins on the latch at address `key` while `look` says busy; true if it became free in time. `shared`: for a shared
/// hold.
pub(crate) fn spin(class: &LatchClass, key: usize, shared: bool, look: impl Fn() -> Look) -> bool {
    if cfg!(loom) {
        return false;
    }
    let limit = spin_limit();
    if limit == 0 {
        return false;
    }
    let n = class.contended.fetch_add(1, Relaxed);
    let sample = n.is_multiple_of(SAMPLE);
    let budget = if sample { limit } else { class.budget_ns.load(Relaxed).min(limit) };
    if budget == 0 {
        return false;
    }
    let Some(spinner) = SPINNING.get((key >> 6) % SPINNING.len()) else { return false };
    if spinner.swap(true, Relaxed) {
        return false;
    }
    class.spins.fetch_add(1, Relaxed);
    if shared {
        class.shared.spins.fetch_add(1, Relaxed);
    }
    let began = if sample { sys::clock::now_ns() } else { 0 };
    let all = (budget * 10 / pause_tenths()).max(1);
    let (free, left, rounds) = turn(all, look);
    spinner.store(false, Relaxed);
    class.rounds.fetch_add(rounds, Relaxed);
    if shared {
        class.shared.rounds.fetch_add(rounds, Relaxed);
    }
    class.spin_ns.fetch_add(u64::from((all - left) * pause_tenths() / 10), Relaxed);
    if free {
        class.spin_successes.fetch_add(1, Relaxed);
    }
    if sample {
        note(class, free.then(|| sys::clock::now_ns().saturating_sub(began)), limit);
    }
    free
}

/// The loop: at most so many pauses; whether it is free, the pauses that are left, and how often it looked.
fn turn(mut pauses: u32, look: impl Fn() -> Look) -> (bool, u32, u64) {
    let (mut step, mut rounds) = (1, 0);
    loop {
        rounds += 1;
        match look() {
            Look::Free => return (true, pauses, rounds),
            Look::GiveUp => return (false, pauses, rounds),
            Look::Busy if pauses == 0 => return (false, 0, rounds),
            Look::Busy => {}
        }
        let now = step.min(pauses);
        (0..now).for_each(|_| sys::thread::pause());
        pauses -= now;
        step = (step * 2).min(16); // polling the word too often slows its owner down
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn the_budget_is_where_spinning_pays() {
        let at = |counts| budget(&counts, 2_000);
        assert_eq!(at([0; 8]), 0, "nothing known");
        assert_eq!(at([0, 0, 64, 0, 0, 0, 0, 0]), 250, "all waits are short");
        assert_eq!(at([0, 0, 0, 0, 0, 0, 0, 64]), 0, "none is");
        assert_eq!(at([0, 0, 2, 0, 0, 0, 0, 62]), 0, "too few are");
        assert_eq!(at([0, 0, 30, 0, 0, 0, 0, 34]), 250, "half of them are");
        assert_eq!(at([20, 0, 20, 0, 0, 20, 0, 4]), 2_000, "the long ones are worth it too");
        assert_eq!(budget(&[0, 0, 0, 0, 64, 0, 0, 0], 500), 0, "beyond the limit");
    }

    #[test]
    fn budgets_follow_samples() {
        let c = LatchClass::new("t", 0, true);
        let t = pause_tenths();
        assert!((10..=5_000).contains(&t));
        set_spin_limit(2_000);
        let busy_for = |polls: u32| {
            let seen = std::cell::Cell::new(0);
            move || {
                seen.set(seen.get() + 1);
                if seen.get() > polls { Look::Free } else { Look::Busy }
            }
        };
        (0..16 * ENOUGH).for_each(|_| {
            spin(&c, 64, false, busy_for(0));
        });
        assert!(c.spin_budget_ns() > 0, "waits that end at once are spun for");
        assert!(c.spin_successes.load(Relaxed) > 0 && c.spins.load(Relaxed) >= c.spin_successes.load(Relaxed));
        (0..64 * ENOUGH).for_each(|_| {
            spin(&c, 64, false, || Look::Busy);
        });
        assert_eq!(c.spin_budget_ns(), 0, "waits that never end are not");
        let spins = c.spins.load(Relaxed);
        (0..160).for_each(|_| assert!(!spin(&c, 64, false, || Look::Busy)));
        assert_eq!(c.spins.load(Relaxed) - spins, 10, "only the samples spin");
        assert!(c.spin_ns.load(Relaxed) > 0);
        set_spin_cap(0);
        assert!(!spin(&c, 64, false, || Look::Free), "the cap forbids it");
        set_spin_cap(u32::MAX);
        set_spin_limit(0);
        assert!(!spin(&c, 64, false, || Look::Free), "no spinning without CPUs");
    }
}
