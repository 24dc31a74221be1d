//! Where a transaction of the source begins and ends, for the session that applies it: when and where it was made, and
//! under which GTID. Tested: `tests/binlog/test_replica.py`, `test_replica_options.py`.

use super::applier::ApplierSession;
use crate::variables::gtids::allowed;
use base::SqlResult;
use binlog::{Gtid, Sid};
use catalog::sysvar::{Raw, Var};
use executor::binlog::{GivenGtid, NextGtid, UNSET_TIMESTAMP, UNSET_VERSION};

/// What becomes of a transaction that has no GTID.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Unnamed {
    /// It has none here either.
    #[default]
    Anonymous,
    /// It gets one of this server's.
    Local,
    /// It gets the next one with this UUID.
    Of(Sid),
}

/// What the source says of a transaction where it begins.
#[derive(Clone, Copy, Debug)]
pub struct SourceTransaction {
    /// `server_id` of the server where it was made.
    pub server_id: u32,
    /// Seconds since 1970.
    pub timestamp: u32,
    /// `None`: it has none.
    pub gtid: Option<Gtid>,
    /// Which one it gets then.
    pub without: Unnamed,
    /// When and with which version it was committed first; 0: not said.
    pub original_commit: u64,
    /// See `original_commit`.
    pub original_version: u32,
}

impl ApplierSession {
    /// A transaction of the source begins: what follows is made at that time, on that server, under that GTID. False:
    /// the GTID has been executed already.
    ///
    /// # Errors
    /// 1781, 1782: `gtid_mode` does not allow it.
    pub fn begin_source(&mut self, t: &SourceTransaction) -> SqlResult<bool> {
        let s = &mut self.0;
        s.env.binlog.set_origin(Some(t.server_id));
        s.applier.files.clear();
        let next = match (t.gtid, t.without) {
            (Some(gtid), _) => NextGtid::Given(gtid),
            (None, Unnamed::Anonymous) => NextGtid::Anonymous,
            (None, Unnamed::Local) => NextGtid::Automatic,
            (None, Unnamed::Of(sid)) => s.next_gtid_of(sid),
        };
        s.own_gtid(allowed(&s.env, next)?)?;
        let owned = s.env.binlog.given_gtid() != GivenGtid::Executed;
        s.env.clock.fixed_us = Some(i64::from(t.timestamp) * 1_000_000);
        let mode = s.env.shared.globals.num(Var::replica_exec_mode);
        s.env.vars.store(Var::rbr_exec_mode, Raw::Num(mode));
        let or = |n: u64, unset: u64| Raw::Num(if n == 0 { unset } else { n });
        let vars = &mut s.env.vars;
        vars.store(Var::original_commit_timestamp, or(t.original_commit, UNSET_TIMESTAMP));
        vars.store(Var::original_server_version, or(u64::from(t.original_version), UNSET_VERSION));
        Ok(owned)
    }

    /// It is over.
    ///
    /// # Errors
    /// None of its own.
    pub fn end_source(&mut self) -> SqlResult<()> {
        self.0.env.binlog.end_gtid();
        self.0.own_gtid(NextGtid::Automatic)
    }
}
