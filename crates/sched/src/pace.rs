//! Pacing under a CPU quota: the server rests for moments of its own choice, so that the kernel never has to stop it for the rest of a
//! period (100 ms as a rule, in which every client would wait).
//!
//! One account for the process: it is credited with wall time times the quota (less a margin for what the kernel's own slices
//! lose) and debited with the processor time that all threads have used. Threads look at it before each command, every few dozen rows of
//! a long one, and between pieces of background work (purge, page cleaner: otherwise what they use at once would be missing to all clients at once); one of them settles it every half millisecond, and all rest when it is overdrawn: after [`TURN_NS`] at the earliest, for a millisecond or two. A thread that has answered all
//! commands there were rests at once ([`rest_between`]): the clients work meanwhile, and send the next ones together. Credit does not
//! pile up beyond [`BURST_NS`]. A period in which the kernel stopped the group all the same widens the margin.
//!
//! Without a quota that binds this is one load per command. Rule: called without latches. A long statement may hold row locks while it rests, for the millisecond or two that the kernel would otherwise take later in one piece. Tested here, and
//! with a real control group by `scripts/quota.py`.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use sys::clock::now_ns;

/// How often the account is settled.
const SETTLE_NS: u64 = 500_000;
/// How long it works at least between two rests. 5 and 7 ms cost the 99th percentile 2 and 4 ms and gave no more transactions per CPU second (2026-11-22).
const TURN_NS: u64 = 3_000_000;
/// A rest between two rounds of commands is begun for at least so long.
const WORTH_NS: u64 = 300_000;
/// Most credit, in nanoseconds of wall time: a rest lasts longer than asked for when the clients have the CPUs, and what is not used then is not lost.
const BURST_NS: i64 = 5_000_000;
/// Most debt, likewise: a long statement has been stopped by the kernel for the rest.
const DEBT_NS: i64 = 20_000_000;
/// Thousandths of the quota that are used, at most and at least.
const SHARE: (u64, u64) = (955, 800);

/// CPUs granted, in thousandths; 0: no quota binds.
static QUOTA: AtomicU64 = AtomicU64::new(0);
/// Thousandths of the quota that are used now.
static SHARE_NOW: AtomicU64 = AtomicU64::new(SHARE.0);
static NEXT_SETTLE: AtomicU64 = AtomicU64::new(0);
static RESUME_AT: AtomicU64 = AtomicU64::new(0);
/// Changed by whoever settles, one at a time.
static WALL: AtomicU64 = AtomicU64::new(0);
static CPU: AtomicU64 = AtomicU64::new(0);
static BALANCE: AtomicI64 = AtomicI64::new(0);
static THROTTLED: AtomicU64 = AtomicU64::new(0);

/// The monitor, every second: the quota in CPUs if one binds, and in how many periods the kernel has stopped the group so far.
pub(crate) fn set_quota(cpus: Option<f64>, throttled_periods: u64) {
    let before = THROTTLED.swap(throttled_periods, Relaxed);
    let share = SHARE_NOW.load(Relaxed);
    let share = if throttled_periods > before { share.saturating_sub(20) } else { share + 4 };
    SHARE_NOW.store(share.clamp(SHARE.1, SHARE.0), Relaxed);
    QUOTA.store(cpus.map_or(0, |c| ((c * 1000.0) as u64).max(10)), Relaxed);
}

/// What the account says after a while: the new balance, and for how long to rest. All in ns.
fn settle(balance: i64, wall: u64, used: u64, rate: u64) -> (i64, u64) {
    let of = |ns: i64| ns.saturating_mul(rate as i64) / 1_000_000;
    let balance = balance + of(wall as i64) - used as i64;
    let balance = balance.clamp(-of(DEBT_NS), of(BURST_NS));
    let rest = if balance < 0 { (-balance) as u64 * 1_000_000 / rate.max(1) } else { 0 };
    (balance, rest)
}

/// Before a command, between some rows of a long one, between pieces of background work: rests while the process has used more than its quota.
#[inline]
pub fn pace() {
    let quota = QUOTA.load(Relaxed);
    if quota != 0 {
        pace_slowly(quota);
    }
}

#[cold]
fn pace_slowly(quota: u64) {
    let now = now_ns();
    let next = NEXT_SETTLE.load(Relaxed);
    if now >= next {
        settle_and_rest(now, next, quota, 1);
    }
    let until = RESUME_AT.load(Relaxed);
    if now < until {
        crate::pool::send_mine();
        std::thread::sleep(Duration::from_nanos(until - now));
    }
}

/// Settles the account unless another thread does, and lets all rest who look from now on if that takes at least `worth` ns. For how long, ns; 0: no rest.
fn settle_and_rest(now: u64, next: u64, quota: u64, worth: u64) -> u64 {
    if NEXT_SETTLE.compare_exchange(next, next.max(now + SETTLE_NS), Relaxed, Relaxed).is_err() {
        return 0;
    }
    let cpu = sys::usage::process_cpu_ns();
    let wall = now.saturating_sub(WALL.swap(now, Relaxed));
    let used = cpu.saturating_sub(CPU.swap(cpu, Relaxed));
    let (balance, rest) = settle(BALANCE.load(Relaxed), wall, used, quota * SHARE_NOW.load(Relaxed));
    BALANCE.store(balance, Relaxed);
    if rest < worth {
        return 0;
    }
    RESUME_AT.store(now + rest, Relaxed);
    // Not at once when it is over: short turns cost more than they give.
    NEXT_SETTLE.store(now + rest + TURN_NS, Relaxed);
    probe::inc(probe::Counter::SchedPaced);
    probe::add(probe::Counter::SchedPacedNs, rest);
    rest
}

/// Whether a quota binds: commands are then served in rounds, whose answers leave together before a rest.
#[inline]
pub(crate) fn in_rounds() -> bool {
    QUOTA.load(Relaxed) != 0
}

/// All commands that were there have been answered: a thread rests now, if it must rest soon, rather than serve the next ones one by one as they come.
#[inline]
pub(crate) fn rest_between() {
    let quota = QUOTA.load(Relaxed);
    if quota != 0 {
        rest_slowly(quota);
    }
}

#[cold]
fn rest_slowly(quota: u64) {
    let rest = settle_and_rest(now_ns(), NEXT_SETTLE.load(Relaxed), quota, WORTH_NS);
    if rest > 0 {
        std::thread::sleep(Duration::from_nanos(rest));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rests_make_up_for_what_was_used() {
        // half a CPU: 1 ms of work in 1 ms costs 1 ms of rest
        let half = 500 * 1000;
        assert_eq!(settle(0, 1_000_000, 1_000_000, half), (-500_000, 1_000_000));
        // after which nothing is owed
        assert_eq!(settle(-500_000, 1_000_000, 0, half), (0, 0));
        // credit is bounded, and so is debt
        assert_eq!(settle(0, 1_000_000_000, 0, half), (2_500_000, 0));
        assert_eq!(settle(0, 1_000_000, 1_000_000_000, half), (-10_000_000, 20_000_000));
        // two threads on one and a half CPUs
        assert_eq!(settle(0, 4_000_000, 8_000_000, 1500 * 1000), (-2_000_000, 1_333_333));
    }

    #[test]
    fn in_the_long_run_no_more_than_the_share_is_used() {
        let (mut balance, mut wall, mut used, rate) = (0, 0u64, 0u64, 300 * 955);
        while wall < 10_000_000_000 {
            // one thread works for half a millisecond, then rests as told
            let (b, rest) = settle(balance, 500_000, 500_000, rate);
            (balance, _) = settle(b, rest, 0, rate);
            wall += 500_000 + rest;
            used += 500_000;
        }
        let share = used as f64 / wall as f64;
        assert!((0.28..=0.30).contains(&share), "{share}");
    }

    #[test]
    fn throttling_widens_the_margin() {
        let start = SHARE_NOW.load(Relaxed);
        let n = THROTTLED.load(Relaxed);
        set_quota(None, n + 5);
        assert!(SHARE_NOW.load(Relaxed) < start);
        (0..60).for_each(|_| set_quota(None, n + 5));
        assert_eq!(SHARE_NOW.load(Relaxed), SHARE.0);
        pace();
    }
}
