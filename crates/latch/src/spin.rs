//! The only spin loop of the house. Bounded by nanoseconds (one PAUSE costs 5..40 ns depending on the processor, so it is
//! measured once), adapted per latch class: a spin that got the latch adds 100 ns to the class's budget, one that did not takes 200
//! (HotSpot's scheme). A class whose budget fell to nothing tries again every 64th time, so that it can recover.
//!
//! `sched` sets the limit every second from the effective CPUs; 0 forbids spinning.

use crate::LatchClass;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Longest spin where there are CPUs to spare: half a park and unpark.
pub const DEFAULT_SPIN_NS: u32 = 2_000;
const UNSET: u32 = u32::MAX;
static LIMIT_NS: AtomicU32 = AtomicU32::new(UNSET);
static PAUSE_TENTHS: AtomicU32 = AtomicU32::new(0);

/// Longest spin in nanoseconds from now on; 0 = never spin.
pub fn set_spin_limit(ns: u32) {
    LIMIT_NS.store(ns.min(100_000), Relaxed);
}

/// The limit in force. Before anybody has set one it comes from the effective CPUs.
pub fn spin_limit() -> u32 {
    let l = LIMIT_NS.load(Relaxed);
    if l != UNSET {
        return l;
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

/// Spins while `look` says busy; true if it became free in time.
pub(crate) fn spin(class: &LatchClass, look: impl Fn() -> Look) -> bool {
    if cfg!(loom) {
        return false;
    }
    let limit = spin_limit();
    if limit == 0 {
        return false;
    }
    let n = class.spins.fetch_add(1, Relaxed);
    let mut budget = class.budget_ns.load(Relaxed).min(limit);
    if budget < 100 {
        if !n.is_multiple_of(64) {
            return false;
        }
        budget = limit / 2;
    }
    let mut pauses = budget * 10 / pause_tenths();
    let mut step = 1;
    loop {
        match look() {
            Look::Free => {
                class.spin_successes.fetch_add(1, Relaxed);
                let b = class.budget_ns.load(Relaxed);
                class.budget_ns.store((b + 100).min(limit), Relaxed);
                return true;
            }
            Look::GiveUp => return false,
            Look::Busy if pauses == 0 => break,
            Look::Busy => {}
        }
        let now = step.min(pauses);
        (0..now).for_each(|_| sys::thread::pause());
        pauses -= now;
        step = (step * 2).min(16); // polling the word too often slows its owner down
    }
    let b = class.budget_ns.load(Relaxed);
    class.budget_ns.store(b.saturating_sub(200), Relaxed);
    false
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn budget_follows_success() {
        let c = LatchClass::new("t", 0, true);
        let t = pause_tenths();
        assert!((10..=5_000).contains(&t));
        if spin_limit() == 0 {
            assert!(!spin(&c, || Look::Free), "no spinning without CPUs");
            return;
        }
        let start = c.spin_budget_ns();
        assert!(spin(&c, || Look::Free));
        assert!(c.spin_budget_ns() > start);
        for _ in 0..40 {
            assert!(!spin(&c, || Look::Busy));
        }
        assert!(c.spin_budget_ns() < 100);
        assert!(!spin(&c, || Look::GiveUp));
    }
}
