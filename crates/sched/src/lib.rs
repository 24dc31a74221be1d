//! Which connection runs now, which one waits, and how a statement is told to stop.
//!
//! * [`Session`]: one connection as this crate sees it: its kill flag, statement timeout, counters, and what it
//!   waits for. The thread that works for a connection attaches its session ([`Session::attach`]), so that code
//!   below finds it.
//! * [`WaitCell`]: one wait, for a metadata lock or for the log, say. It ends when somebody wakes it with a code,
//!   when its time is over, or by KILL.
//! * [`pool`]: the threads that serve connections. While there are few connections each has a thread of its own.
//!   Otherwise a thread serves whichever connection has sent something. How many threads may run at once is the
//!   number of *run tokens*: one for each effective CPU (2.5 CPUs give 3), at most `innodb_thread_concurrency` if
//!   that is set. A thread that sleeps in [`blocking_wait`] or [`WaitCell::wait`] gives its token to another one
//!   meanwhile.
//! * [`monitor`]: looks every second how many CPUs the container has, and sets the number of tokens and how long
//!   latches spin.
//! * [`stack`]: how much stack a thread has left.
//! * [`Tasks`]: named background threads that can be stopped.
//!
//! Rule: nobody waits while holding a latch. Debug builds check it, except for page reads, free frames and I/O.
//!
//! Locks: the pool's queue and the timers' queue (both of the class `sched/queue`). No thread holds both, takes
//! another lock under one of them, or waits while it holds one.

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
