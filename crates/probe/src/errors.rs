//! Errors sent to clients, by number: events_errors_summary_global_by_error. A mutex, taken when a statement fails. Tested by
//! `tests/clients/test_performance_schema.py`.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

/// One error's history.
#[derive(Clone, Copy, Default, Debug)]
pub struct Raised {
    /// How often.
    pub count: u64,
    /// Microseconds since 1970 of the first.
    pub first_us: u64,
    /// And of the last.
    pub last_us: u64,
}

static RAISED: Mutex<BTreeMap<u16, Raised>> = Mutex::new(BTreeMap::new());

fn raised() -> MutexGuard<'static, BTreeMap<u16, Raised>> {
    RAISED.lock().unwrap_or_else(|e| e.into_inner())
}

/// Counts one.
#[cold]
pub fn record(code: u16, now_us: u64) {
    let mut all = raised();
    let e = all.entry(code).or_default();
    if e.count == 0 {
        e.first_us = now_us;
    }
    e.count += 1;
    e.last_us = now_us;
}

/// All that occurred, by number.
pub fn all() -> BTreeMap<u16, Raised> {
    raised().clone()
}

/// TRUNCATE.
pub fn reset() {
    raised().clear();
}
