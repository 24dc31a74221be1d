//! What is written and counted about statements: the general and the slow query log, the measures of
//! performance_schema.
//!
//! Below the kernel: a log knows the executor's state of a session ([`executor::Env`]) and its own part of it
//! ([`SessionLog`]). Rows of the log tables are inserted by whom the kernel names ([`general::LogTables`]).

mod around;
mod digests;
mod entries;
pub(crate) mod general;
pub(crate) mod measures;
pub(crate) mod named;
mod profiles;
mod recorded;
pub(crate) mod slow;
pub(crate) mod told_file;
pub(crate) mod transactions;

use catalog::sysvar::GlobalVars;
use std::sync::Arc;

/// A session's part of the logs. Written by the session's thread alone.
pub(crate) struct SessionLog {
    /// The server's files and tables.
    files: Arc<general::QueryLog>,
    /// Whose counters are read before and after a statement.
    sched: Arc<sched::Session>,
    /// What performance_schema is told.
    pub(crate) instrument: measures::Instrument,
    /// Nothing had to be hidden in the text that the client has sent.
    pub(crate) without_secrets: bool,
    /// What performance_schema is told of transactions.
    transactions: transactions::Transactions,
    /// The session writes the logs or works for the server: it is in none of them.
    pub(crate) unlogged: bool,
    /// When the running or last statement began.
    began: u64,
    /// The statement took longer than long_query_time; told with its answer.
    pub(crate) slow: bool,
    /// The running statement is profiled.
    profiled: bool,
}

impl SessionLog {
    pub(crate) fn new(files: &Arc<general::QueryLog>, sched: &Arc<sched::Session>, globals: &GlobalVars) -> SessionLog {
        SessionLog {
            files: files.clone(),
            sched: sched.clone(),
            instrument: measures::Instrument::new(globals),
            without_secrets: false,
            transactions: transactions::Transactions::default(),
            unlogged: false,
            began: 0,
            slow: false,
            profiled: false,
        }
    }
}

/// What an ending session has counted goes to its account, and its last events to the long histories.
pub(crate) fn leave_sums(account: &probe::summaries::Account, recorder: &probe::events::Recorder) {
    let mut kept = recorder.kept();
    kept.count(recorder);
    kept.leave();
    drop(kept);
    probe::events::STATEMENT_SUMS.end(account.clone(), &recorder.sums);
    probe::errors::SUMS.end(account.clone(), &recorder.errors);
    probe::held::SUMS.end(account.clone(), &recorder.held.freed);
    probe::transactions::SUMS.end(account.clone(), &recorder.transaction_sums);
    for phase in [probe::phases::Phase::Stage, probe::phases::Phase::Wait] {
        phase.shared().sums.end(account.clone(), recorder.phases.sums(phase));
    }
}
