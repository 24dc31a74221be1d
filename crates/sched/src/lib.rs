//! Who runs, who waits, who is told to stop.
//!
//! * [`Session`]: what the engine knows of a connection: its kill flag, statement timeout, counters, what it waits for.
//!   The thread that works for it attaches it ([`Session::attach`]).
//! * [`WaitCell`]: every wait for a lock or for the log is one of these. It ends when it is woken with a code, times out, or
//!   is interrupted by KILL.
//! * [`pool`]: threads for connections. While there are few sessions each has its own thread; otherwise as many threads as
//!   there are run tokens serve the connections that have sent something. There is a token for each effective CPU (rounded
//!   up), at most `innodb_thread_concurrency` if that is set. [`blocking_wait`] and [`WaitCell::wait`] give the token to
//!   another thread for as long as theirs sleeps.
//! * [`monitor`]: reads effective CPUs every second; sets tokens and `latch`'s spin limit.
//! * [`stack`]: how much stack a thread has left.
//! * [`Tasks`]: named background threads that can be stopped.
//!
//! Rule: nobody waits while holding a latch (debug builds check it for all waits but page reads, free frames and I/O).
//!
//! Locks: the pool's queue and the timers' queue (one class `sched/queue`, never both); nothing is taken while one is held,
//! and nobody waits then.

mod background;
mod cell;
mod kill;
pub mod monitor;
mod pace;
mod parker;
pub mod pool;
mod ready;
mod run;
mod session;
pub mod stack;
mod timer;

pub use background::{TaskContext, TaskHandle, Tasks};
pub use cell::{WaitCell, Waited};
pub use kill::Kill;
pub use monitor::{effective_cpus, set_thread_concurrency};
pub use pace::pace;
pub use parker::Parker;
pub use run::blocking_wait;
pub use session::{Attached, Session, check_interrupt, current, killed, sleep};
pub use sys::clock::Deadline;
