//! Who runs, who waits, who is told to stop.
//!
//! * [`Session`]: what the engine knows of a connection: its kill flag, statement timeout, counters, what it waits for. A thread
//!   that works for it attaches it ([`Session::attach`]).
//! * [`WaitCell`]: every wait for a lock or for the log is one of these: woken singly with a code, timed out, or interrupted by KILL.
//! * [`enter`]: takes a run token for a statement; [`blocking_wait`] and [`WaitCell::wait`] give it back for as long as the thread sleeps.
//!   Tokens = max(2, 2 x effective CPUs), at most `innodb_thread_concurrency` if that is set. While there are no more sessions than
//!   tokens nothing is counted at all.
//! * [`monitor`]: reads effective CPUs every second; sets tokens and `latch`'s spin limit.
//! * [`Tasks`]: named background threads that can be stopped.
//!
//! Rule: nobody waits while holding a latch (checked in debug builds for all waits but page reads, free frames and I/O).
//!
//! Locks: the token queue (`sched/queue`) and the timer queue (same class, never both); nothing is taken under them. Waits are made
//! outside. Later work (parking idle sessions in epoll, pacing under a quota, two classes of statements) hangs on [`Session`] and
//! [`enter`], which is why callers give no thread anywhere.

mod background;
mod cell;
mod kill;
pub mod monitor;
mod parker;
mod run;
mod session;
mod timer;
mod tokens;

pub use background::{TaskContext, TaskHandle, Tasks};
pub use cell::{WaitCell, Waited};
pub use kill::Kill;
pub use monitor::{effective_cpus, set_thread_concurrency};
pub use parker::Parker;
pub use run::{RunGuard, blocking_wait, enter, token_counts};
pub use session::{Attached, Session, check_interrupt, current, sleep};
pub use sys::clock::Deadline;
pub use tokens::TokenPool;
