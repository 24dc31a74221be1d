//! Who copies the log behind its writers: a backup. The log is a circle, and the checkpoint says what of it may be
//! overwritten; so the checkpoint does not pass what a reader has still to read. If a reader is slower than the writers
//! for a whole turn, mini-transactions wait for log space ([`super::admit`]) as they wait for the page cleaner.
//!
//! A reader that cannot go on must be dropped, or writers wait for ever: its owner drops it at the first error.
//! Locks: the list's mutex, under which nothing else is taken. Nothing of it survives a crash. Tested: `redo/tests.rs`,
//! `engine/tests/backup.rs`.

use super::Log;
use base::Lsn;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

/// The readers that there are.
#[derive(Default)]
pub(super) struct Readers(Mutex<Vec<Weak<AtomicU64>>>);

impl Readers {
    /// The lowest LSN that a reader wants; [`u64::MAX`] without readers.
    pub(super) fn lowest(&self) -> u64 {
        let mut list = self.0.lock();
        list.retain(|r| r.strong_count() > 0);
        list.iter().filter_map(Weak::upgrade).map(|r| r.load(Ordering::Acquire)).min().unwrap_or(u64::MAX)
    }
}

/// Where one reader is. Dropping it lets the checkpoint go on.
pub(crate) struct Reader(Arc<AtomicU64>);

impl Reader {
    /// Everything below has been read.
    pub(crate) fn move_to(&self, lsn: Lsn) {
        self.0.store(lsn.0, Ordering::Release);
    }
}

impl Log {
    /// Keeps what comes at `from` and behind it. A checkpoint that is made at this moment may still pass `from`.
    pub(crate) fn reader(&self, from: Lsn) -> Reader {
        let at = Arc::new(AtomicU64::new(from.0));
        self.readers.0.lock().push(Arc::downgrade(&at));
        Reader(at)
    }
}
