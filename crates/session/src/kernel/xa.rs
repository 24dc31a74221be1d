//! Branches of XA transactions: the one that a session is in, and those of the server by their identifiers (the
//! statements: `statements/xa.rs`).
//!
//! A branch belongs to its session while it is ACTIVE, IDLE or ROLLBACK ONLY; XA PREPARE detaches it
//! (`xa_detach_on_prepare`, always ON here): its engine transaction and its metadata locks go to [`Branches`], the
//! session gets a new transaction handle, and any session may commit or roll back. While a session is in a branch
//! nothing else may end a transaction (1399), temporary tables cannot be used (4091), and between END and PREPARE no
//! tables at all. A deadlock dooms the branch: 1614 until it is rolled back.
//!
//! Rule: the mutex of [`Branches`] is a leaf, held for a look or a change of the map, never while a transaction ends:
//! meanwhile the entry says [`Entry::Taken`], as for a branch of a session.
//!
//! # Crash
//!
//! What was prepared is there after a restart (`storage::txn::prepared`): [`Server::recover_branches`] brings it in
//! before the first session. Its metadata locks are taken anew, for the tables whose rows it changed.
//!
//! Tested: `tests/sql/golden/xa.sql` beside MySQL, `tests/crash/test_xa.py`.

use crate::kernel::server::Server;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use mdl::{Duration, MdlKey, MdlSession, MdlType};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use storage::txn::{Trx, Xid};

/// The XA transaction that a session is in.
#[derive(Debug)]
pub(crate) struct Branch {
    pub(crate) xid: Xid,
    pub(crate) state: State,
    /// The engine has rolled it back: with what statements answer.
    pub(crate) lost: Option<ErrorCode>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    Active,
    Idle,
    RollbackOnly,
}

impl State {
    pub(crate) fn name(self) -> &'static str {
        match self {
            State::Active => "ACTIVE",
            State::Idle => "IDLE",
            State::RollbackOnly => "ROLLBACK ONLY",
        }
    }
}

/// A prepared transaction.
pub(crate) struct Detached {
    pub(crate) trx: Trx,
    pub(crate) mdl: MdlSession,
    /// Its XA PREPARE is in the binary log, and so is what ends it. Not of one whose changes came to nothing, or that
    /// was prepared with `sql_log_bin` off; after a restart that is not known any more, and it counts as logged.
    pub(crate) logged: bool,
}

pub(crate) enum Entry {
    /// A session's, or on its way to its end.
    Taken,
    Prepared(Box<Detached>),
}

/// All branches of a server by their identifiers.
#[derive(Default)]
pub(crate) struct Branches(Mutex<BTreeMap<Xid, Entry>>);

impl Branches {
    /// 1440 if there is one of this name.
    pub(crate) fn add(&self, xid: &Xid) -> SqlResult<()> {
        let mut all = self.0.lock();
        if all.contains_key(xid) {
            return Err(SqlError::new(ErrorCode::XAER_DUPID, &[]));
        }
        all.insert(xid.clone(), Entry::Taken);
        Ok(())
    }

    pub(crate) fn remove(&self, xid: &Xid) {
        self.0.lock().remove(xid);
    }

    pub(crate) fn put(&self, xid: Xid, d: Box<Detached>) {
        self.0.lock().insert(xid, Entry::Prepared(d));
    }

    /// Takes a prepared transaction, whose name stays taken. 1397 if there is none.
    pub(crate) fn take(&self, xid: &Xid) -> SqlResult<Box<Detached>> {
        let mut all = self.0.lock();
        match all.get_mut(xid).map(|e| std::mem::replace(e, Entry::Taken)) {
            Some(Entry::Prepared(d)) => Ok(d),
            Some(Entry::Taken) | None => Err(SqlError::new(ErrorCode::XAER_NOTA, &[])),
        }
    }

    pub(crate) fn prepared(&self) -> Vec<Xid> {
        let all = self.0.lock();
        all.iter().filter(|(_, e)| matches!(e, Entry::Prepared(_))).map(|(x, _)| x.clone()).collect()
    }
}

impl Server {
    /// The prepared transactions that recovery found become branches that any session can end; how many. Before the
    /// first session.
    ///
    /// # Errors
    /// Of reading what they wrote.
    pub fn recover_branches(&self) -> SqlResult<usize> {
        let found = self.engine.take_prepared()?;
        let count = found.len();
        for (xid, trx) in found {
            let mut mdl = self.mdl.session(0);
            for table in trx.changed_tables()? {
                let key = MdlKey::table(&table.def.schema, &table.def.name);
                mdl.try_acquire(&key, MdlType::Sw, Duration::Transaction)?;
            }
            self.xa.put(xid, Box::new(Detached { trx, mdl, logged: true }));
        }
        Ok(count)
    }
}

impl Session {
    /// The branch in this state. 1399 otherwise.
    pub(crate) fn branch_in(&mut self, state: State) -> SqlResult<&mut Branch> {
        match self.txn.xa.as_mut() {
            Some(b) if b.state == state => Ok(b),
            Some(b) => Err(rmfail(b.state.name())),
            None => Err(rmfail("NON-EXISTING")),
        }
    }

    /// 1399 in an XA transaction: only its own statements end it.
    pub(crate) fn check_no_branch(&self) -> SqlResult<()> {
        self.txn.xa.as_ref().map_or(Ok(()), |b| Err(rmfail(b.state.name())))
    }

    /// 1399 in an XA transaction that is not ACTIVE, 1614 and its kin in one that was rolled back.
    pub(crate) fn check_branch_active(&self) -> SqlResult<()> {
        let Some(b) = &self.txn.xa else { return Ok(()) };
        match b.lost {
            Some(code) => Err(SqlError::new(code, &[])),
            None if b.state != State::Active => Err(rmfail(b.state.name())),
            None => Ok(()),
        }
    }

    /// The same before tables are used; 4091 for temporary ones.
    pub(crate) fn check_branch_access(&self, temporary: bool) -> SqlResult<()> {
        self.check_branch_active()?;
        if temporary && self.txn.xa.is_some() {
            return Err(SqlError::new(ErrorCode::XA_TEMP_TABLE, &[]));
        }
        Ok(())
    }

    /// A statement's error has rolled the whole transaction back: the branch waits for its own end. False: there is
    /// none.
    pub(crate) fn branch_lost(&mut self, e: &SqlError) -> bool {
        let Some(mut b) = self.txn.xa.take() else { return false };
        self.transaction_over();
        b.lost = Some(if e.is(ErrorCode::LOCK_DEADLOCK) {
            ErrorCode::XA_RBDEADLOCK
        } else if e.is(ErrorCode::LOCK_WAIT_TIMEOUT) {
            ErrorCode::XA_RBTIMEOUT
        } else {
            ErrorCode::XA_RBROLLBACK
        });
        self.txn.xa = Some(b);
        self.txn.explicit = true;
        true
    }

    /// The session's transaction is over, and its branch with it.
    pub(crate) fn forget_branch(&mut self) {
        if let Some(b) = self.txn.xa.take() {
            self.server.xa.remove(&b.xid);
        }
    }
}

/// 1399 with the state that the branch is in.
pub(crate) fn rmfail(state: &str) -> SqlError {
    SqlError::new(ErrorCode::XAER_RMFAIL, &[&state])
}
