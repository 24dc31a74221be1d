//! Averages per second since the monitor was looked at before (by anybody, as in InnoDB; [`refresh`] sees to it that
//! this is a
//! minute ago at most).
//!
//! One mutex over what was seen then; nothing is taken under it.

use probe::Counter;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// A look is forgotten after this long.
const OLD: Duration = Duration::from_secs(60);

struct Look {
    at: Instant,
    counts: Vec<u64>,
}

static LAST: Mutex<Option<Look>> = Mutex::new(None);

fn last() -> MutexGuard<'static, Option<Look>> {
    LAST.lock().unwrap_or_else(|e| e.into_inner())
}

/// Counts now, and what they were at the last look.
pub(super) struct Rates {
    seconds: f64,
    now: Vec<u64>,
    before: Vec<u64>,
}

fn of(counts: &[u64], c: Counter) -> u64 {
    probe::shown_of(c, counts)
}

impl Rates {
    /// Looks now. `uptime`: seconds since the start, for the first look.
    pub(super) fn look(uptime: f64) -> Rates {
        let (now, at) = (probe::global_all(), Instant::now());
        let before = last().replace(Look { at, counts: now.clone() });
        match before {
            Some(l) => Rates { seconds: at.duration_since(l.at).as_secs_f64(), now, before: l.counts },
            None => Rates { seconds: uptime, now, before: Vec::new() },
        }
    }

    /// Whole seconds.
    pub(super) fn seconds(&self) -> u64 {
        self.seconds as u64
    }

    /// Since the start.
    pub(super) fn total(&self, c: Counter) -> u64 {
        of(&self.now, c)
    }

    /// Since the last look.
    pub(super) fn since(&self, c: Counter) -> u64 {
        self.total(c).saturating_sub(of(&self.before, c))
    }

    /// Since the last look, for each second.
    pub(super) fn per_second(&self, c: Counter) -> f64 {
        self.since(c) as f64 / self.seconds.max(0.001)
    }

    /// Since the last look, for each thousand of another.
    pub(super) fn per_thousand(&self, c: Counter, of: Counter) -> u64 {
        (1000 * self.since(c)).checked_div(self.since(of)).unwrap_or(0)
    }
}

/// Looks where nobody has for a minute, so that averages are not over a whole night. Called from time to time.
pub fn refresh() {
    let old = last().as_ref().is_none_or(|l| l.at.elapsed() > OLD);
    if old {
        let counts = probe::global_all();
        *last() = Some(Look { at: Instant::now(), counts });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_counts_from_the_one_before() {
        let _ = Rates::look(1.0);
        probe::add(Counter::InnodbPagesRead, 5);
        std::thread::sleep(Duration::from_millis(20));
        let r = Rates::look(1.0);
        assert!(r.since(Counter::InnodbPagesRead) >= 5 && r.total(Counter::InnodbPagesRead) >= 5);
        assert!(r.per_second(Counter::InnodbPagesRead) > 0.0 && r.per_second(Counter::InnodbPagesRead) <= 250.0);
        assert_eq!(r.per_thousand(Counter::InnodbPagesRead, Counter::InnodbPagesRead), 1000);
    }
}
