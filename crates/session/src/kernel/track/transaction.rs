//! `session_track_transaction_info`: what OK packets say about the transaction, for proxies that move a session to another connection
//! (MySQL manual, "Server Tracking of Client Session State").
//!
//! STATE: eight characters, `_` where nothing is to say: T(explicit) or I(mplicit) transaction, r(ead of a table without transactions: there
//! is none), R(ead), w (likewise), W(rite), s (a function whose value another server would not repeat), S (rows were sent), L(OCK TABLES).
//! CHARACTERISTICS: besides, the statements that begin a transaction like this one. Both are sent when they differ from what was sent last.
//!
//! Tested by `tests/clients/test_protocol.py`, against MariaDB, which has the same tracker.

use crate::kernel::session::Session;
use catalog::sysvar::Var;
use planner::plan::Plan;
use storage::txn::Isolation;

/// What happened in the open transaction, and what the client was told last.
#[derive(Debug, Default)]
pub(crate) struct TransactionTracker {
    read: bool,
    write: bool,
    unsafe_statement: bool,
    rows: bool,
    snapshot: bool,
    /// Written in SET TRANSACTION or carried over by AND CHAIN.
    pub(crate) level: Option<Isolation>,
    /// READ ONLY written there or in START TRANSACTION.
    pub(crate) read_only: Option<bool>,
    /// `None`: the client knows nothing yet.
    told_state: Option<[u8; 8]>,
    told_characteristics: Option<String>,
}

impl TransactionTracker {
    /// A transaction begins by START TRANSACTION.
    pub(crate) fn begin(&mut self, snapshot: bool, read_only: Option<bool>) {
        self.snapshot = snapshot;
        self.read |= snapshot;
        self.read_only = read_only.or(self.read_only);
        self.told_characteristics = self.told_characteristics.take().map(|_| "-".to_owned());
    }

    /// It is over; AND CHAIN calls [`TransactionTracker::chain`] afterwards.
    pub(crate) fn end(&mut self) {
        (self.read, self.write, self.unsafe_statement, self.rows, self.snapshot) = (false, false, false, false, false);
        (self.level, self.read_only) = (None, None);
    }

    /// The plan is about to run.
    pub(crate) fn note(&mut self, plan: &Plan) {
        self.write |= plan.tables.iter().any(|t| t.write || t.locking);
        self.read |= plan.tables.iter().any(|t| !t.write && !t.locking);
        self.unsafe_statement |= plan.notes.unsafe_statement;
    }

    fn state(&self, explicit: bool, autocommit: bool, locked: bool) -> [u8; 8] {
        let implicit = !autocommit && (self.read || self.write);
        let on = explicit || implicit;
        let flag = |is: bool, c: u8| if is { c } else { b'_' };
        [
            if explicit { b'T' } else { flag(implicit, b'I') },
            b'_',
            flag(on && self.read, b'R'),
            b'_',
            flag(on && self.write, b'W'),
            flag(on && self.unsafe_statement, b's'),
            flag(on && self.rows, b'S'),
            flag(locked, b'L'),
        ]
    }

    fn characteristics(&self, explicit: bool) -> String {
        let mut out = Vec::new();
        if let Some(level) = self.level {
            let name = match level {
                Isolation::ReadUncommitted => "READ UNCOMMITTED",
                Isolation::ReadCommitted => "READ COMMITTED",
                Isolation::RepeatableRead => "REPEATABLE READ",
                Isolation::Serializable => "SERIALIZABLE",
            };
            out.push(format!("SET TRANSACTION ISOLATION LEVEL {name};"));
        }
        let access = self.read_only.map(|ro| if ro { "READ ONLY" } else { "READ WRITE" });
        if explicit {
            let options: Vec<&str> =
                self.snapshot.then_some("WITH CONSISTENT SNAPSHOT").into_iter().chain(access).collect();
            let space = if options.is_empty() { "" } else { " " };
            out.push(format!("START TRANSACTION{space}{};", options.join(", ")));
        } else if let Some(access) = access {
            out.push(format!("SET TRANSACTION {access};"));
        }
        out.join(" ")
    }
}

impl Session {
    /// Notes what the client should hear about the transaction after a statement that sent rows or not.
    pub(crate) fn track_transaction(&mut self, rows: bool) {
        let mode = self.env.vars.num(Var::session_track_transaction_info);
        let t = &mut self.tracked.transaction;
        if mode == 0 {
            (t.told_state, t.told_characteristics) = (None, None);
            return;
        }
        let (explicit, locked) = (self.txn.explicit, !self.tables.locked.is_empty());
        let autocommit = self.env.vars.bool(Var::autocommit);
        t.rows |= rows && (explicit || (!autocommit && (t.read || t.write)));
        let state = t.state(explicit, autocommit, locked);
        if t.told_state != Some(state) {
            self.tracked.changes.transaction_state(&state);
            t.told_state = Some(state);
        }
        if mode == 2 {
            let text = t.characteristics(explicit);
            if t.told_characteristics.as_ref() != Some(&text) {
                self.tracked.changes.transaction_characteristics(text.as_bytes());
                t.told_characteristics = Some(text);
            }
        }
    }
}
