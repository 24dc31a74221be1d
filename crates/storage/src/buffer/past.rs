//! Which LSNs a page that is read from a file can have: those that the log has given out.
//!
//! **Rule.** A page's LSN is the end of a mini-transaction, and no page is written before its log. So a page that carries an LSN which
//! the log never reached comes from somewhere else: a copy taken while the server ran, a newer file beside an older log. It must not be used: what
//! this server logs for it at lower LSNs would be passed over by the next recovery, and acknowledged commits would be lost.
//!
//! Each start goes on with the log far behind its end (`recovery::GAP`), so what lies in between was never given out. The gaps of earlier starts
//! are kept in the system page; the check of a page is two comparisons, and a search among those gaps for pages that are older than this start. With
//! `innodb_force_recovery` such a page is named in the error log, once, and taken. Decision 0033. Tested: `damage_tests.rs`,
//! `tests/crash/test_damaged_files.py`.
//!
//! Locks: two leaves, taken only for pages of earlier starts and for pages that are wrong.

use crate::error::{Result, StorageError};
use base::{Lsn, PageId};
use parking_lot::{Mutex, RwLock};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A stretch of LSNs that the log never had: above the first, below the second.
pub type Gap = (Lsn, Lsn);

/// What pages are compared with.
pub(crate) struct Past {
    /// End of the log that was found at the start.
    end: AtomicU64,
    /// Where this start's log begins.
    start: AtomicU64,
    /// Gaps of earlier starts, ascending.
    gaps: RwLock<Vec<Gap>>,
    forced: AtomicBool,
    /// Pages told of.
    named: Mutex<BTreeSet<PageId>>,
}

impl Past {
    /// Everything up to `log`'s present end is known.
    pub(super) fn new() -> Past {
        Past {
            end: AtomicU64::new(0),
            start: AtomicU64::new(0),
            gaps: RwLock::default(),
            forced: AtomicBool::new(false),
            named: Mutex::default(),
        }
    }

    /// The log that was found ended at `end`, and goes on at `start`. `forced`: wrong pages are named and taken.
    pub(crate) fn set(&self, end: Lsn, start: Lsn, forced: bool) {
        self.end.store(end.0, Ordering::Relaxed);
        self.start.store(start.0, Ordering::Relaxed);
        self.forced.store(forced, Ordering::Relaxed);
    }

    /// What the system page says of earlier starts.
    pub(crate) fn set_gaps(&self, gaps: Vec<Gap>) {
        *self.gaps.write() = gaps;
    }

    /// Whether a page with this LSN can be; `now`: the end of the log.
    #[inline]
    pub(super) fn check(&self, page: PageId, lsn: Lsn, now: impl Fn() -> Lsn) -> Result<()> {
        let (end, start) = (self.end.load(Ordering::Relaxed), self.start.load(Ordering::Relaxed));
        if lsn.0 >= start {
            let now = now();
            return if lsn <= now { Ok(()) } else { self.wrong(page, lsn, now) };
        }
        if lsn.0 > end {
            return self.wrong(page, lsn, Lsn(end));
        }
        match self.gap_of(lsn) {
            None => Ok(()),
            Some(end) => self.wrong(page, lsn, end),
        }
    }

    /// Where the gap begins that has this LSN.
    fn gap_of(&self, lsn: Lsn) -> Option<Lsn> {
        let gaps = self.gaps.read();
        let after = gaps.partition_point(|(end, _)| *end < lsn);
        let (end, start) = gaps.get(after.checked_sub(1)?)?;
        (lsn > *end && lsn < *start).then_some(*end)
    }

    #[cold]
    fn wrong(&self, page: PageId, lsn: Lsn, end: Lsn) -> Result<()> {
        let e = StorageError::PageBeyondLog { page, lsn, end };
        if !self.forced.load(Ordering::Relaxed) {
            return Err(e);
        }
        if self.named.lock().insert(page) {
            probe::errorlog::say("ERROR", "InnoDB", 12_729, &format!("innodb_force_recovery: {e}"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{PageNo, SpaceId};

    #[test]
    fn only_what_the_log_gave_out_is_taken() {
        let p = Past::new();
        let id = PageId::new(SpaceId(7), PageNo(3));
        let ok = |lsn: u64| p.check(id, Lsn(lsn), || Lsn(5_000)).is_ok();
        assert!(ok(0) && ok(5_000) && !ok(5_001));
        p.set(Lsn(1_000), Lsn(4_000), false);
        assert!(ok(0) && ok(1_000) && !ok(1_001) && !ok(3_999) && ok(4_000) && ok(5_000) && !ok(5_001));
        p.set_gaps(vec![(Lsn(100), Lsn(200)), (Lsn(300), Lsn(400))]);
        for (lsn, fine) in
            [(99, true), (100, true), (101, false), (199, false), (200, true), (300, true), (350, false), (400, true)]
        {
            assert_eq!(ok(lsn), fine, "{lsn}");
        }
        p.set(Lsn(1_000), Lsn(4_000), true);
        assert!(ok(350) && ok(9_999));
        assert_eq!(p.named.lock().len(), 1);
    }
}
