//! Errors and warnings sent to clients, and those that handlers of programs took, by number: events_errors_summary_*.
//!
//! A session counts in slots of its own, one for each number ([`crate::summaries`]); it does so when a statement ends
//! with an error or with warnings, so nothing is paid otherwise. A login that fails has no session and is not counted.
//! Tested by `tests/clients/test_error_events.py`.

use crate::summaries::{Counts, Own, Summary, Sums};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How often one number was raised, and when.
#[derive(Clone, Copy, Default, Debug)]
pub struct Raised {
    /// How often.
    pub count: u64,
    /// How often a handler of a program took it.
    pub handled: u64,
    /// Microseconds since 1970 of the first.
    pub first_us: u64,
    /// And of the last.
    pub last_us: u64,
}

/// The same, written by one session.
#[derive(Debug, Default)]
pub struct Stats {
    count: AtomicU64,
    handled: AtomicU64,
    first_us: AtomicU64,
    last_us: AtomicU64,
}

impl Counts for Stats {
    type Totals = Raised;
    fn totals(&self) -> Raised {
        Raised {
            count: self.count.load(Relaxed),
            handled: self.handled.load(Relaxed),
            first_us: self.first_us.load(Relaxed),
            last_us: self.last_us.load(Relaxed),
        }
    }
    fn merge(to: &mut Raised, from: &Raised) {
        if from.count + from.handled == 0 {
            return;
        }
        to.first_us = if to.count + to.handled == 0 { from.first_us } else { to.first_us.min(from.first_us) };
        to.last_us = to.last_us.max(from.last_us);
        to.count += from.count;
        to.handled += from.handled;
    }
}

/// What sessions that have ended were told.
pub static SUMS: Summary<Stats> = Summary::new();

/// Counts one for a session; `handled`: a handler of a program has taken it, so that nobody else is told.
#[cold]
pub fn record(own: &mut Own<Stats>, sums: &Sums<Stats>, code: u16, now_us: u64, handled: bool) {
    let Some(slot) = own.slot(u32::from(code), sums) else { return };
    if slot.count.load(Relaxed) + slot.handled.load(Relaxed) == 0 {
        slot.first_us.store(now_us, Relaxed);
    }
    let which = if handled { &slot.handled } else { &slot.count };
    which.store(which.load(Relaxed) + 1, Relaxed);
    slot.last_us.store(now_us, Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summaries::Level;

    #[test]
    fn first_and_last() {
        let (mut own, sums) = (Own::default(), Sums::default());
        record(&mut own, &sums, 1146, 10, false);
        record(&mut own, &sums, 1146, 30, false);
        record(&mut own, &sums, 1064, 20, true);
        let all = sums.all();
        assert_eq!(all.get(&1146).map(|r| (r.count, r.first_us, r.last_us)), Some((2, 10, 30)));
        let who = (Some("errors".to_owned()), None);
        SUMS.end(who.clone(), &sums);
        let kept = SUMS.read(Level::Account, std::iter::empty());
        let mine = kept.iter().find(|(w, _)| *w == who).and_then(|(_, k)| k.get(&1146)).unwrap();
        assert_eq!((mine.count, mine.first_us, mine.last_us), (2, 10, 30));
        assert!(sums.all().is_empty());
    }
}
