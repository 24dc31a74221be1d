//! The GTID that `gtid_next` names, from there to the end of its transaction.

use super::Binlog;
use base::{ErrorCode, SqlError, SqlResult};
use binlog::Gtid;

/// GTID of the next transaction (`gtid_next`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NextGtid {
    /// The log gives one, if `gtid_mode` says so.
    #[default]
    Automatic,
    /// None.
    Anonymous,
    /// This one, which the session owns.
    Given(Gtid),
}

/// What has become of a GTID that `gtid_next` names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GivenGtid {
    /// `gtid_next` names none.
    #[default]
    None,
    /// The session owns it; no event has it yet.
    Owned,
    /// It is in an event that is committing.
    Logged,
    /// Another transaction has had it: statements are passed over.
    Executed,
    /// It is used up: `gtid_next` must be set anew.
    Used,
}

impl Binlog {
    /// What has become of the GTID that `gtid_next` names.
    #[inline]
    pub fn given_gtid(&self) -> GivenGtid {
        self.gtid
    }

    /// The GTID that the session owns.
    pub fn owned_gtid(&self) -> Option<Gtid> {
        match (self.next_gtid, self.gtid) {
            (NextGtid::Given(g), GivenGtid::Owned | GivenGtid::Logged) => Some(g),
            _ => None,
        }
    }

    /// `gtid_next` is this; `owned`: the session has it for itself.
    pub fn set_next_gtid(&mut self, next: NextGtid, owned: bool) {
        self.next_gtid = next;
        self.gtid = match next {
            NextGtid::Given(_) if owned => GivenGtid::Owned,
            NextGtid::Given(_) => GivenGtid::Executed,
            NextGtid::Automatic | NextGtid::Anonymous => GivenGtid::None,
        };
    }

    /// 1837 where `gtid_next` names a GTID that has been used up or was executed elsewhere: nothing more is logged as
    /// that. Statements ask before they run; here is asked what comes behind such a one, a procedure's second for one.
    pub(super) fn check_gtid(&self) -> SqlResult<()> {
        match (self.next_gtid, self.gtid) {
            (NextGtid::Given(g), GivenGtid::Used | GivenGtid::Executed) => {
                Err(SqlError::new(ErrorCode::GTID_NEXT_TYPE_UNDEFINED_GTID, &[&g]))
            }
            _ => Ok(()),
        }
    }

    /// The transaction is over; its GTID goes back if nothing was committed under it.
    pub fn end_gtid(&mut self) {
        if self.gtid == GivenGtid::Executed {
            self.gtid = GivenGtid::Used;
        }
        if let (Some(g), Some(log)) = (self.owned_gtid(), &self.log) {
            if self.gtid == GivenGtid::Owned {
                log.release(g);
            }
            self.gtid = GivenGtid::Used;
        }
    }
}
