//! How often and how long: count, sum, least and greatest time of events that have no other measures.

use crate::measures::Run;
use crate::summaries::Counts;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Count, sum, least and greatest time in ns.
pub type Times = [u64; 4];

/// [`Times`] that one session writes and anybody reads.
#[derive(Debug, Default)]
pub struct Timing([AtomicU64; 4]);

impl Timing {
    /// Adds one event; only the owner may.
    #[inline]
    pub fn add(&self, ns: u64) {
        let [count, sum, min, max] = &self.0;
        let n = count.load(Relaxed);
        count.store(n + 1, Relaxed);
        sum.store(sum.load(Relaxed).wrapping_add(ns), Relaxed);
        if n == 0 || ns < min.load(Relaxed) {
            min.store(ns, Relaxed);
        }
        if ns > max.load(Relaxed) {
            max.store(ns, Relaxed);
        }
    }
}

impl Timing {
    /// Adds some events; only the owner may.
    pub(crate) fn add_run(&self, run: &Run) {
        let mut now = self.totals();
        merge(&mut now, &[run.count, run.time, run.least, run.most]);
        self.0.iter().zip(now).for_each(|(to, n)| to.store(n, Relaxed));
    }
}

/// Adds the times of some events to others'.
pub fn merge(to: &mut Times, from: &Times) {
    let [count, sum, min, max] = to;
    let [more, time, least, most] = *from;
    if more == 0 {
        return;
    }
    *min = if *count == 0 { least } else { least.min(*min) };
    *count += more;
    *sum = sum.wrapping_add(time);
    *max = most.max(*max);
}

impl Counts for Timing {
    type Totals = Times;
    fn totals(&self) -> Times {
        self.0.each_ref().map(|v| v.load(Relaxed))
    }
    fn merge(to: &mut Times, from: &Times) {
        merge(to, from);
    }
}
