//! Waits that really blocked: count, total, maximum and a log2 histogram per class.
//!
//! Recorded only after a thread has slept, which costs microseconds by itself; so one shared record per class with relaxed
//! atomic adds is cheap enough, and readers need no sweep. Nothing here is called on a path that did not block.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Buckets of a histogram: bucket `i` counts values in `[2^i, 2^(i+1))` nanoseconds, bucket 0 also 0; the last one everything above
/// (2^39 ns is nine minutes).
pub const BUCKETS: usize = 40;

/// Statistics of one class of waits. A `static`; all methods are safe from any thread.
#[derive(Debug)]
pub struct WaitStats {
    count: AtomicU64,
    total_ns: AtomicU64,
    max_ns: AtomicU64,
    histogram: [AtomicU64; BUCKETS],
}

impl Default for WaitStats {
    fn default() -> Self {
        Self::new()
    }
}

impl WaitStats {
    /// All zero.
    pub const fn new() -> WaitStats {
        WaitStats {
            count: AtomicU64::new(0),
            total_ns: AtomicU64::new(0),
            max_ns: AtomicU64::new(0),
            histogram: [const { AtomicU64::new(0) }; BUCKETS],
        }
    }

    /// Adds one wait of `ns` nanoseconds.
    pub fn record(&self, ns: u64) {
        self.count.fetch_add(1, Relaxed);
        self.total_ns.fetch_add(ns, Relaxed);
        self.max_ns.fetch_max(ns, Relaxed);
        if let Some(b) = self.histogram.get(bucket(ns)) {
            b.fetch_add(1, Relaxed);
        }
    }

    /// The numbers now (each by itself exact, together as of about the same moment).
    pub fn snapshot(&self) -> WaitSnapshot {
        let mut h = [0; BUCKETS];
        for (to, from) in h.iter_mut().zip(&self.histogram) {
            *to = from.load(Relaxed);
        }
        WaitSnapshot {
            count: self.count.load(Relaxed),
            total_ns: self.total_ns.load(Relaxed),
            max_ns: self.max_ns.load(Relaxed),
            histogram: h,
        }
    }

    /// Back to zero (`TRUNCATE TABLE performance_schema...`).
    pub fn reset(&self) {
        self.count.store(0, Relaxed);
        self.total_ns.store(0, Relaxed);
        self.max_ns.store(0, Relaxed);
        self.histogram.iter().for_each(|b| b.store(0, Relaxed));
    }
}

fn bucket(ns: u64) -> usize {
    ((63 - (ns | 1).leading_zeros()) as usize).min(BUCKETS - 1)
}

/// What [`WaitStats::snapshot`] returns.
#[derive(Clone, Copy, Debug)]
pub struct WaitSnapshot {
    /// Waits that blocked.
    pub count: u64,
    /// Their sum in nanoseconds.
    pub total_ns: u64,
    /// The longest.
    pub max_ns: u64,
    /// See [`BUCKETS`].
    pub histogram: [u64; BUCKETS],
}

impl WaitSnapshot {
    /// Upper bound in nanoseconds of the bucket that holds the `q`-quantile (0.0..=1.0); 0 without waits.
    pub fn quantile_ns(&self, q: f64) -> u64 {
        let all: u64 = self.histogram.iter().sum();
        let want = (all as f64 * q).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (i, n) in self.histogram.iter().enumerate() {
            seen += n;
            if all > 0 && seen >= want {
                return (2u64 << i) - 1;
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_and_quantiles() {
        assert_eq!((bucket(0), bucket(1), bucket(2), bucket(3), bucket(4), bucket(u64::MAX)), (0, 0, 1, 1, 2, 39));
        let w = WaitStats::new();
        assert_eq!(w.snapshot().quantile_ns(0.5), 0);
        (0..99).for_each(|_| w.record(1000));
        w.record(1 << 20);
        let s = w.snapshot();
        assert_eq!((s.count, s.total_ns, s.max_ns), (100, 99_000 + (1 << 20), 1 << 20));
        assert_eq!((s.quantile_ns(0.5), s.quantile_ns(1.0)), (1023, (2 << 20) - 1));
        w.reset();
        assert_eq!(w.snapshot().count, 0);
    }
}
