//! Time. Three clocks with three prices (measured in a KVM guest): [`coarse_ns`] about 5 ns with 1..4 ms steps, [`now_ns`]
//! about 35 ns, [`wall_micros`] the same. Rows never read a clock; a statement reads one at its start and one at its end.

#![allow(unsafe_code)]

use std::time::Duration;

fn read(id: libc::clockid_t) -> u64 {
    let mut ts = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `ts` is a valid timespec to write to; the clock ids used here exist on every Linux, so the call cannot fail.
    unsafe { libc::clock_gettime(id, &mut ts) };
    (ts.tv_sec as u64).wrapping_mul(1_000_000_000).wrapping_add(ts.tv_nsec as u64)
}

/// Monotonic nanoseconds since an arbitrary start (boot).
#[inline]
pub fn now_ns() -> u64 {
    read(libc::CLOCK_MONOTONIC)
}

/// The same scale as [`now_ns`], but as old as the last timer tick (up to 4 ms); several times cheaper.
#[inline]
pub fn coarse_ns() -> u64 {
    read(libc::CLOCK_MONOTONIC_COARSE)
}

/// Microseconds since 1970-01-01 00:00:00 UTC.
#[inline]
pub fn wall_micros() -> u64 {
    read(libc::CLOCK_REALTIME) / 1_000
}

/// Seconds since 1970-01-01 00:00:00 UTC.
#[inline]
pub fn wall_seconds() -> u64 {
    read(libc::CLOCK_REALTIME_COARSE) / 1_000_000_000
}

/// Processor time this thread has used, in nanoseconds.
pub fn thread_cpu_ns() -> u64 {
    read(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// Processor time the process has used, in nanoseconds.
pub fn process_cpu_ns() -> u64 {
    read(libc::CLOCK_PROCESS_CPUTIME_ID)
}

/// A point on [`now_ns`]'s scale, or never. What every timed wait takes, so that a wait made of several sleeps keeps its end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Deadline(u64);

impl Deadline {
    /// No end.
    pub const NEVER: Deadline = Deadline(u64::MAX);
    /// This far from now; too far means never.
    pub fn after(d: Duration) -> Deadline {
        Deadline(u64::try_from(d.as_nanos()).map_or(u64::MAX, |ns| now_ns().saturating_add(ns)))
    }
    /// At this value of [`now_ns`].
    pub const fn at(ns: u64) -> Deadline {
        Deadline(ns)
    }
    /// Value of [`now_ns`] at which it is reached.
    pub const fn ns(self) -> u64 {
        self.0
    }
    /// Whether there is no end.
    pub const fn is_never(self) -> bool {
        self.0 == u64::MAX
    }
    /// Whether it has been reached.
    pub fn passed(self) -> bool {
        !self.is_never() && now_ns() >= self.0
    }
    /// The earlier of two.
    pub fn earlier(self, other: Deadline) -> Deadline {
        self.min(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_advance_and_agree() {
        let a = now_ns();
        let c = coarse_ns();
        std::thread::sleep(Duration::from_millis(12));
        assert!(now_ns() >= a + 12_000_000);
        assert!(coarse_ns() > c);
        assert!(a.abs_diff(c) < 50_000_000);
        assert!(wall_seconds() > 1_700_000_000);
    }

    #[test]
    fn deadlines() {
        assert!(!Deadline::NEVER.passed());
        assert!(Deadline::after(Duration::MAX).is_never());
        assert!(Deadline::after(Duration::ZERO).passed());
        assert!(!Deadline::after(Duration::from_secs(10)).passed());
    }
}
