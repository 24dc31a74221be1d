//! What of the session's state OK packets report: `session_track_system_variables`, `session_track_schema`,
//! `session_track_state_change`, `session_track_gtids` and, in `transaction.rs`, `session_track_transaction_info` (MySQL
//! manual, "Server Tracking of Client Session State"). Collected in [`catalog::client::StateChanges`] while a statement
//! runs; `wire` sends it to clients that asked.
//!
//! Tested by `tests/clients/test_protocol.py`.

mod transaction;

use crate::kernel::session::Session;
use catalog::client::StateChanges;
use catalog::sysvar::Var;
pub(crate) use transaction::TransactionTracker;

/// What OK packets report of the session's state.
#[derive(Default)]
pub(crate) struct Tracked {
    /// What the next OK packet says.
    pub(crate) changes: StateChanges,
    /// What happened in the open transaction.
    pub(crate) transaction: TransactionTracker,
    /// The statement's GTIDs are remembered.
    watches_gtids: bool,
}

/// Of the values of `session_track_gtids`; the other is ALL_GTIDS.
const OWN_GTID: u64 = 1;

/// Whether a list as of `session_track_system_variables` has the variable: names between commas, `*` for all.
fn lists(list: &str, name: &str) -> bool {
    list.split(',').map(str::trim).any(|item| item == "*" || item.eq_ignore_ascii_case(name))
}

impl Session {
    /// A system variable of the session has this value now.
    pub(crate) fn track_variable(&mut self, name: &str, value: &str) {
        let listed = self.env.vars.text(Var::session_track_system_variables).is_some_and(|l| lists(l, name));
        if listed {
            self.tracked.changes.system_variable(name.as_bytes(), value.as_bytes());
        }
        self.track_state();
    }

    /// The default database is this one now.
    pub(crate) fn track_schema(&mut self, name: &str) {
        if self.env.vars.bool(Var::session_track_schema) {
            self.tracked.changes.schema(name.as_bytes());
        }
        self.track_state();
    }

    /// A statement begins: the GTIDs that it gets are for the answer.
    #[cold]
    pub(crate) fn watch_gtids(&mut self) {
        binlog::dependency::watch_gtids(true);
        self.tracked.watches_gtids = true;
    }

    /// Notes which GTIDs the statement got (OWN_GTID), or, if it got one, what is executed (ALL_GTIDS).
    pub(crate) fn track_gtids(&mut self) {
        if !self.tracked.watches_gtids {
            return;
        }
        let more = self.env.vars.num(Var::session_track_gtids);
        self.tracked.watches_gtids = more > 0;
        let own = binlog::dependency::watch_gtids(more > 0);
        let shown = match (own.is_empty(), more, self.env.binlog.log()) {
            (false, OWN_GTID, _) => own,
            (false, _, Some(log)) => log.gtid_executed(),
            _ => return,
        };
        self.tracked.changes.gtids(shown.to_string().as_bytes());
    }

    /// A variable, the default database, a user variable or the set of prepared statements has changed.
    pub(crate) fn track_state(&mut self) {
        if self.env.vars.bool(Var::session_track_state_change) {
            self.tracked.changes.state_change();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::lists;

    #[test]
    fn lists_of_variables() {
        assert!(lists("time_zone, Autocommit", "autocommit") && lists("*", "anything"));
        assert!(!lists("", "autocommit") && !lists("time_zone", "time"));
    }
}
