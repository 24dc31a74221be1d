//! [`Condvar`]: waiting for a condition under a [`Mutex`]. For background threads (page cleaner, purge). Sessions wait through `sched`, which
//! knows about KILL and gives the run token back.

use crate::MutexGuard;
use std::sync::atomic::{AtomicU32, Ordering};
use sys::clock::Deadline;

/// A counter that a notification raises; sleepers sleep on its value. Spurious wake-ups happen: loop on the condition.
#[derive(Debug, Default)]
pub struct Condvar {
    seq: AtomicU32,
}

impl Condvar {
    /// No sleepers.
    pub const fn new() -> Condvar {
        Condvar { seq: AtomicU32::new(0) }
    }
    /// Releases the mutex, sleeps until notified or the deadline, takes the mutex again. False: the deadline was reached.
    pub fn wait<T: ?Sized>(&self, guard: &mut MutexGuard<'_, T>, deadline: Deadline) -> bool {
        let seen = self.seq.load(Ordering::Acquire); // under the mutex: a notification after it changes the value
        MutexGuard::unlocked(guard, || sys::futex::wait(&self.seq, seen, deadline))
    }
    /// Wakes one sleeper.
    pub fn notify_one(&self) {
        self.seq.fetch_add(1, Ordering::Release);
        sys::futex::wake(&self.seq, 1);
    }
    /// Wakes all sleepers.
    pub fn notify_all(&self) {
        self.seq.fetch_add(1, Ordering::Release);
        sys::futex::wake(&self.seq, u32::MAX);
    }
}
