//! Instruments that are always on. What `SHOW STATUS`, performance_schema and INNODB_METRICS read is kept here; `views`
//! formats it.
//!
//! * [`inc`], [`add`]: counters ([`Counter`], one table in [`counters`]), about 1 ns each, no shared line written.
//! * [`SessionCounters`]: a session's own block, attached to the thread that runs it; `SHOW SESSION STATUS`.
//! * [`Gauge`]: values that are set now and then.
//! * [`statements`]: what statements did, by digest and the last one of each session.
//! * [`programs`], [`steps`]: stored programs and their steps as events.
//! * [`instruments`]: what can be switched on and off, and where events go.
//! * [`events`], [`transactions`], [`phases`]: what is kept of statements, transactions, stages and
//!   waits that have ended, and whose.
//! * [`waits`], [`files`], [`sockets`], [`instances`]: what threads waited for, what was done with files and sockets,
//!   and single latches.
//! * [`tables`]: what was done with rows of tables.
//! * [`objects`], [`threads`]: of which tables and threads events are recorded.
//! * [`timing`]: how often and how long, of events that have no other measures.
//! * [`histogram`]: the buckets of statements' times.
//! * [`history`], [`summaries`]: the last events of sessions, and sums of events by session, account, user and host.
//! * [`errorlog`]: the last lines of the error log.
//! * [`stage`]: what each session is at.
//! * [`WaitClass`]: what a thread may wait for. [`WaitStats`]: waits for latches that blocked, with log2 histograms.
//!
//! Rules: recording never allocates (except the first time in a thread or session), takes no lock that another recording
//! thread takes (unless a long history is switched on, and then rarely) and never fails. The reader does the work.

mod activity;
mod areas;
mod block;
mod classes;
mod commands;
mod consumers;
pub mod counted;
pub mod counters;
pub mod counting;
mod entry;
pub mod errorlog;
pub mod errors;
pub mod events;
pub mod files;
mod gauge;
pub mod held;
pub mod histogram;
pub mod history;
#[cfg(test)]
mod history_tests;
pub mod instances;
pub mod instruments;
#[cfg(test)]
mod instruments_tests;
mod kept;
mod measures;
pub mod objects;
mod phase_event;
pub mod phases;
pub mod profile;
pub mod programs;
pub mod sockets;
pub mod stage;
pub mod statements;
#[cfg(test)]
mod statements_tests;
pub mod steps;
pub mod summaries;
pub mod tables;
pub mod threads;
pub mod timing;
pub mod transactions;
mod usual;
pub mod wait;
pub mod waits;

pub use block::{
    Attached, SessionCounters, add, forget_counted, global, global_all, inc, session_status, shown_of, status, sub,
};
pub use classes::WaitClass;
pub use counters::{Counter, Scope};
pub use gauge::Gauge;
pub use stage::Stage;
pub use usual::{USUAL_CONSUMERS, usual};
pub use wait::{WaitSnapshot, WaitStats};
