//! Latches: short mutual exclusion inside the engine. (Locks, which transactions wait for, are in `storage::rowlock` and
//! `mdl`.)
//!
//! * [`PageLatch`]: one `u64` of state and version; shared, exclusive and optimistic; raw lock and unlock calls.
//! * [`Mutex`], [`RwLock`]: guards around data, built on the same word. [`Condvar`] for background threads.
//! * [`LatchClass`]: every latch belongs to a class of the table in [`class`]: name, rank, counters, spin budget.
//!
//! Rules. Nobody waits (client, lock, log, page) while holding a latch. Only this crate spins: bounded in nanoseconds, adapted per
//! class, not at all when [`set_spin_limit`] says so. Latches are taken in the order of their ranks (debug builds check it:
//! [`order`]); the table is printed in `docs/lock-order.md`. A panic drops the guards, nothing is poisoned.
//!
//! Waiters queue in a global hashed parking lot in order of arrival. New arrivals may overtake them (barging), but not once a waiter is
//! older than [`HANDOFF_NS`]: then the releasing thread hands the latch over. Writers that wait keep new readers out.

#![cfg_attr(not(loom), warn(unused))]

pub mod class;
mod condvar;
mod lot;
mod mutex;
pub mod order;
mod page;
mod rwlock;
mod spin;
pub(crate) mod sync;

pub use class::{LatchClass, classes, name_instruments};
pub use condvar::Condvar;
pub use mutex::{Mutex, MutexGuard};
pub use page::{HANDOFF_NS, PageLatch};
pub use rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard};
pub use spin::{DEFAULT_SPIN_NS, pauses_ns, set_spin_cap, set_spin_limit, spin_limit};

#[cfg(all(test, loom))]
mod loom_tests;
#[cfg(all(test, not(loom)))]
mod stress_tests;
