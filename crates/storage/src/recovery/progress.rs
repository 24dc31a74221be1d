//! How far recovery is, for whoever waits for the server: a service manager that would otherwise take a long start
//! for a dead one.
//!
//! One process opens one engine; several (tests) would overwrite each other's numbers, which are only shown. Three
//! atomics, no lock: a reader may see a step with the numbers of the one before it. Tested: below, and
//! `tests/clients/test_service.py`.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// What recovery is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Step {
    /// Not recovering.
    None,
    /// Looking for the end of the log.
    Scan,
    /// Applying it.
    Replay,
    /// Writing the pages.
    Write,
    /// Rolling back what was not committed.
    RollBack,
}

static STEP: AtomicU8 = AtomicU8::new(0);
static DONE: AtomicU64 = AtomicU64::new(0);
static TOTAL: AtomicU64 = AtomicU64::new(0);

/// A step begins, with as much to do (0: nobody knows).
pub(crate) fn begin(step: Step, total: u64) {
    DONE.store(0, Relaxed);
    TOTAL.store(total, Relaxed);
    STEP.store(step as u8, Relaxed);
}

/// So much of the step is done.
pub(crate) fn done(n: u64) {
    DONE.store(n, Relaxed);
}

/// In words; `None` while nothing is recovered.
pub fn text() -> Option<String> {
    let (done, total) = (DONE.load(Relaxed), TOTAL.load(Relaxed));
    let mib = |bytes: u64| bytes >> 20;
    Some(match STEP.load(Relaxed) {
        s if s == Step::Scan as u8 => format!("reading the redo log, {} MiB", mib(done)),
        s if s == Step::Replay as u8 => format!("applying the redo log, {} of {} MiB", mib(done), mib(total)),
        s if s == Step::Write as u8 => "writing the recovered pages".to_owned(),
        s if s == Step::RollBack as u8 => format!("rolling back unfinished transactions, {done} of {total}"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_has_words() {
        for (step, words) in [
            (Step::Scan, "reading the redo log, 3 MiB"),
            (Step::Replay, "applying the redo log, 3 of 7 MiB"),
            (Step::Write, "writing the recovered pages"),
            (Step::RollBack, "rolling back unfinished transactions, 3145728 of 7340032"),
        ] {
            // other tests of this process recover as well: try until the numbers are ours
            let told = (0..1_000_000).any(|_| {
                begin(step, 7 << 20);
                done(3 << 20);
                text().as_deref() == Some(words)
            });
            assert!(told, "{words}");
        }
    }
}
