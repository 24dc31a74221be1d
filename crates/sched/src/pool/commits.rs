//! Whether clients mostly commit: then few connections share threads, too.
//!
//! A thread of its own is the shortest way for a command that is answered at once. A commit waits for the log, and
//! threads of their own pay for that wait twice: each is woken by the one that has synced, and each sends its answer
//! by itself. Threads that are shared run the next commits meanwhile and let the answers leave together. With more
//! sessions than run tokens, and at least a tenth of the commands commits, sharing wins (docs/decisions/0041).
//!
//! [`look`] decides, called by the ticker: over windows of a tenth of a second, at once for sharing, against it after
//! three windows in a row. Commits that do not share their syncs (one busy client among idle ones) do not count.
//!
//! No locks: counters of each thread's own, and one for the log's syncs.

use super::{ME, Worker};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use sys::clock::now_ns;

/// How long a window is at least.
const WINDOW_NS: u64 = 100_000_000;
/// Fewer commands in a window say nothing.
const ENOUGH: u64 = 20;
/// So many windows in a row without commits end the sharing.
const PATIENCE: u64 = 3;

/// Clients mostly commit.
static COMMITTING: AtomicBool = AtomicBool::new(false);
static SYNCS: AtomicU64 = AtomicU64::new(0);
/// Of threads that have ended.
static GONE_SERVED: AtomicU64 = AtomicU64::new(0);
static GONE_COMMITS: AtomicU64 = AtomicU64::new(0);
/// What [`look`] saw last: when, commands, commits, syncs.
static LAST: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];
/// Windows in a row that spoke against it.
static AGAINST: AtomicU64 = AtomicU64::new(0);

/// A commit of this thread's session waits for the log, or would.
pub fn note_commit() {
    ME.with(|m| {
        if let Some(me) = m.borrow().as_ref() {
            me.note_commit();
        }
    });
}

/// The log has been synced.
pub fn note_sync() {
    SYNCS.fetch_add(1, Ordering::Relaxed);
}

pub(super) fn are_most() -> bool {
    COMMITTING.load(Ordering::Relaxed)
}

impl Worker {
    /// By the thread itself.
    pub(super) fn note_commit(&self) {
        self.commits.store(self.commits.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// By the thread itself.
    pub(super) fn note_served(&self) {
        self.served.store(self.served.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// Its thread ends.
    pub(super) fn leave_counts(&self) {
        GONE_SERVED.fetch_add(self.served.load(Ordering::Relaxed), Ordering::Relaxed);
        GONE_COMMITS.fetch_add(self.commits.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

/// What a window of so many commands, commits and syncs says: for sharing, against it, or nothing.
fn verdict(commands: u64, commits: u64, syncs: u64) -> Option<bool> {
    if commands < ENOUGH {
        return Some(false);
    }
    if commits * 10 >= commands && commits * 4 >= syncs * 5 {
        return Some(true);
    }
    (commits * 20 < commands || commits * 10 < syncs * 11).then_some(false)
}

/// By the ticker, with all threads: whether the answer has changed.
pub(super) fn look<'a>(workers: impl Iterator<Item = &'a Worker>) -> bool {
    let now = now_ns();
    let [at, served, commits, syncs] = &LAST;
    if now.saturating_sub(at.load(Ordering::Relaxed)) < WINDOW_NS {
        return false;
    }
    let mut totals = [&GONE_SERVED, &GONE_COMMITS].map(|n| n.load(Ordering::Relaxed));
    for w in workers {
        totals[0] += w.served.load(Ordering::Relaxed);
        totals[1] += w.commits.load(Ordering::Relaxed);
    }
    at.store(now, Ordering::Relaxed);
    let since = |last: &AtomicU64, total: u64| total.saturating_sub(last.swap(total, Ordering::Relaxed));
    let found =
        verdict(since(served, totals[0]), since(commits, totals[1]), since(syncs, SYNCS.load(Ordering::Relaxed)));
    let before = are_most();
    let against = match found {
        Some(false) => AGAINST.fetch_add(1, Ordering::Relaxed) + 1,
        _ => {
            AGAINST.store(0, Ordering::Relaxed);
            0
        }
    };
    let after = found == Some(true) || before && against < PATIENCE;
    COMMITTING.store(after, Ordering::Relaxed);
    before != after
}

#[cfg(test)]
mod tests {
    use super::verdict;

    #[test]
    fn what_a_window_says() {
        // of 1,000 commands 1,000, 170 (write_only), 70, 30 commits, three for each sync
        let found: Vec<_> = [1000, 170, 70, 30].map(|c| verdict(1000, c, c / 3)).to_vec();
        assert_eq!(found, [Some(true), Some(true), None, Some(false)]);
        assert_eq!(verdict(1000, 1000, 1000), Some(false), "one client that commits");
        assert_eq!(verdict(1000, 1000, 850), None, "between");
        assert_eq!(verdict(10, 10, 1), Some(false), "nearly idle");
    }
}
