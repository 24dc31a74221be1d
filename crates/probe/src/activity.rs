//! What a session does now, for others to look at ([`Activity`]): events_statements_current, the process list. Words
//! that the session stores without a lock. Tested by `tests/clients/test_performance_schema.py`.

use crate::statements::{Digest, by_key};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// The running or last statement of a session. Each value is true, together they may be of two statements.
#[derive(Debug, Default)]
pub struct Activity {
    /// The number of the running or last statement; 0 = none ran.
    pub event: AtomicU64,
    /// Its instrument ([`crate::instruments::Instrument::number`]) as far as it is known.
    pub kind: AtomicU32,
    /// The key of its digest, both halves ([`by_key`]).
    pub key: [AtomicU64; 2],
    /// Begin and end on `sys::clock::now_ns`'s scale; end 0 while it runs.
    pub times: [AtomicU64; 2],
    /// When the running command began, until a statement has taken it; 0 = nobody needs to read a clock for it.
    pub command_ns: AtomicU64,
    /// When the last statement of the running command ended; 0 = none did.
    pub ended_ns: AtomicU64,
    /// Since when it waits for a command.
    pub idle_since: AtomicU64,
    /// What is kept of it once it has ended, and of those before.
    pub recorder: Arc<crate::events::Recorder>,
}

impl Activity {
    /// The digest of the running or last statement, if it is known.
    pub fn digest(&self) -> Option<Arc<Digest>> {
        let [high, low] = self.key.each_ref().map(|k| u128::from(k.load(Relaxed)));
        by_key(high << 64 | low)
    }

    /// A statement of this key begins.
    #[inline]
    pub fn set_key(&self, key: u128) {
        let [high, low] = &self.key;
        high.store((key >> 64) as u64, Relaxed);
        low.store(key as u64, Relaxed);
    }

    /// Of a connection.
    pub fn new(connection: u64) -> Activity {
        Activity { recorder: Arc::new(crate::events::Recorder::new(connection)), ..Activity::default() }
    }
}
