//! XA transactions: START, END, PREPARE, COMMIT, ROLLBACK, RECOVER (manual, "XA Transactions").
//!
//! A branch belongs to its session while it is ACTIVE, IDLE or ROLLBACK ONLY; XA PREPARE detaches it (`xa_detach_on_prepare`, always ON here): its engine
//! transaction and its metadata locks go to [`Branches`], the session gets a new transaction handle, and any session may commit or roll back. While
//! a session is in a branch nothing else may end a transaction (1399), temporary tables cannot be used (4091), and between END and PREPARE no
//! tables at all. A deadlock dooms the branch: 1614 until it is rolled back.
//!
//! Rule: the mutex of [`Branches`] is a leaf, held for a look or a change of the map, never while a transaction ends: meanwhile the entry says
//! [`Entry::Taken`], as for a branch of a session.
//!
//! # Crash
//!
//! What was prepared is there after a restart (`storage::txn::prepared`): [`Server::recover_branches`] brings it in before the first session. Its metadata
//! locks are taken anew, for the tables whose rows it changed.
//!
//! Tested: `tests/sql/golden/xa.sql` beside MySQL, `tests/crash/test_xa.py`.

use crate::kernel::server::Server;
use crate::kernel::session::{Session, install_kill};
use crate::results::outcome::Outcome;
use crate::results::table::{Cell, Kind, Table};
use base::{ErrorCode, SqlError, SqlResult};
use catalog::client::ResultSink;
use catalog::sysvar::Var;
use mdl::{Duration, MdlKey, MdlSession, MdlType};
use parking_lot::Mutex;
use parser::ast::{self, StartTransaction};
use probe::Counter;
use std::collections::BTreeMap;
use storage::txn::{Trx, Xid};

/// The XA transaction that a session is in.
#[derive(Debug)]
pub(crate) struct Branch {
    xid: Xid,
    state: State,
    /// The engine has rolled it back: with what statements answer.
    lost: Option<ErrorCode>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Active,
    Idle,
    RollbackOnly,
}

impl State {
    fn name(self) -> &'static str {
        match self {
            State::Active => "ACTIVE",
            State::Idle => "IDLE",
            State::RollbackOnly => "ROLLBACK ONLY",
        }
    }
}

/// A prepared transaction.
struct Detached {
    trx: Trx,
    mdl: MdlSession,
}

enum Entry {
    /// A session's, or on its way to its end.
    Taken,
    Prepared(Box<Detached>),
}

/// All branches of a server by their identifiers.
#[derive(Default)]
pub(crate) struct Branches(Mutex<BTreeMap<Xid, Entry>>);

impl Branches {
    /// 1440 if there is one of this name.
    fn add(&self, xid: &Xid) -> SqlResult<()> {
        let mut all = self.0.lock();
        if all.contains_key(xid) {
            return Err(SqlError::new(ErrorCode::XAER_DUPID, &[]));
        }
        all.insert(xid.clone(), Entry::Taken);
        Ok(())
    }

    fn remove(&self, xid: &Xid) {
        self.0.lock().remove(xid);
    }

    fn put(&self, xid: Xid, d: Box<Detached>) {
        self.0.lock().insert(xid, Entry::Prepared(d));
    }

    /// Takes a prepared transaction, whose name stays taken. 1397 if there is none.
    fn take(&self, xid: &Xid) -> SqlResult<Box<Detached>> {
        let mut all = self.0.lock();
        match all.get_mut(xid).map(|e| std::mem::replace(e, Entry::Taken)) {
            Some(Entry::Prepared(d)) => Ok(d),
            Some(Entry::Taken) | None => Err(SqlError::new(ErrorCode::XAER_NOTA, &[])),
        }
    }

    fn prepared(&self) -> Vec<Xid> {
        let all = self.0.lock();
        all.iter().filter(|(_, e)| matches!(e, Entry::Prepared(_))).map(|(x, _)| x.clone()).collect()
    }
}

impl Server {
    /// The prepared transactions that recovery found become branches that any session can end; how many. Before the first session.
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
            self.xa.put(xid, Box::new(Detached { trx, mdl }));
        }
        Ok(count)
    }
}

fn xid_of(x: &ast::Xid<'_>) -> Xid {
    Xid { format_id: x.format_id, gtrid: x.gtrid.to_vec(), bqual: x.bqual.to_vec() }
}

impl Session {
    pub(crate) fn xa(&mut self, x: &ast::Xa<'_>, out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        match *x {
            ast::Xa::Start { xid, join, resume } => self.xa_start(&xid_of(&xid), join, resume),
            ast::Xa::End { xid, suspend, .. } => self.xa_end(&xid_of(&xid), suspend),
            ast::Xa::Prepare(xid) => self.xa_prepare(&xid_of(&xid)),
            ast::Xa::Commit { xid, one_phase } => self.xa_commit(&xid_of(&xid), one_phase),
            ast::Xa::Rollback(xid) => self.xa_rollback(&xid_of(&xid)),
            ast::Xa::Recover { convert_xid } => return self.xa_recover(convert_xid, out),
        }
        .map(|()| Outcome::ok())
    }

    fn xa_start(&mut self, xid: &Xid, join: bool, resume: bool) -> SqlResult<()> {
        if let Some(b) = self.txn.xa.as_mut().filter(|b| resume && b.state == State::Idle) {
            if b.xid != *xid {
                return Err(SqlError::new(ErrorCode::XAER_NOTA, &[]));
            }
            b.state = State::Active;
            return Ok(());
        }
        if join || resume {
            return Err(SqlError::new(ErrorCode::XAER_INVAL, &[]));
        }
        self.check_no_branch()?;
        if self.in_transaction() || !self.locked_tables.is_empty() {
            return Err(SqlError::new(ErrorCode::XAER_OUTSIDE, &[]));
        }
        self.server.xa.add(xid)?;
        let begun = self.begin(&StartTransaction { consistent_snapshot: false, access: None });
        if begun.is_err() {
            self.server.xa.remove(xid);
            return begun;
        }
        self.txn.xa = Some(Branch { xid: xid.clone(), state: State::Active, lost: None });
        Ok(())
    }

    fn xa_end(&mut self, xid: &Xid, suspend: bool) -> SqlResult<()> {
        if suspend {
            return Err(SqlError::new(ErrorCode::XAER_INVAL, &[]));
        }
        let b = self.branch_in(State::Active)?;
        if b.xid != *xid {
            return Err(SqlError::new(ErrorCode::XAER_NOTA, &[]));
        }
        if let Some(code) = b.lost {
            b.state = State::RollbackOnly;
            return Err(SqlError::new(code, &[]));
        }
        b.state = State::Idle;
        Ok(())
    }

    fn xa_prepare(&mut self, xid: &Xid) -> SqlResult<()> {
        if self.branch_in(State::Idle)?.xid != *xid {
            return Err(SqlError::new(ErrorCode::XAER_NOTA, &[]));
        }
        if self.env.trx.has_written() {
            self.enter_commit()?;
        }
        let id = self.env.connection.id();
        let fresh = self.server.engine.new_trx(id)?;
        if let Err(e) = self.env.trx.prepare(xid) {
            let _ = self.rollback_transaction();
            return Err(e.into());
        }
        probe::inc(Counter::HandlerPrepare);
        let mut mdl = self.server.mdl.session(0);
        self.env.mdl.hand_over(&mut mdl);
        let trx = std::mem::replace(&mut self.env.trx, fresh);
        trx.detach();
        install_kill(&self.env.connection, &self.sched, &self.env.trx);
        self.txn.xa = None;
        self.transaction_over();
        self.server.xa.put(xid.clone(), Box::new(Detached { trx, mdl }));
        Ok(())
    }

    fn xa_commit(&mut self, xid: &Xid, one_phase: bool) -> SqlResult<()> {
        let Some(b) = self.txn.xa.as_ref().filter(|b| b.xid == *xid) else { return self.end_detached(xid, true) };
        if let Some(code) = b.lost {
            self.rollback_transaction()?;
            return Err(SqlError::new(code, &[]));
        }
        if b.state != State::Idle || !one_phase {
            return Err(rmfail(b.state.name()));
        }
        self.commit_whole()
    }

    fn xa_rollback(&mut self, xid: &Xid) -> SqlResult<()> {
        let Some(b) = self.txn.xa.as_ref().filter(|b| b.xid == *xid) else { return self.end_detached(xid, false) };
        if b.state == State::Active {
            return Err(rmfail(b.state.name()));
        }
        self.rollback_transaction()
    }

    /// Ends a prepared transaction; the session is in none of its own.
    fn end_detached(&mut self, xid: &Xid, commit: bool) -> SqlResult<()> {
        self.check_no_branch()?;
        if self.in_transaction() {
            return Err(rmfail("NON-EXISTING"));
        }
        if commit {
            self.enter_commit()?;
        }
        let ended = self.server.xa.take(xid).and_then(|mut d| {
            let done = if commit { d.trx.commit().map(drop) } else { d.trx.rollback() };
            match done {
                Ok(()) => {
                    d.mdl.release_all();
                    self.server.xa.remove(xid);
                    probe::inc(if commit { Counter::HandlerCommit } else { Counter::HandlerRollback });
                    Ok(())
                }
                Err(e) => {
                    self.server.xa.put(xid.clone(), d);
                    Err(e.into())
                }
            }
        });
        self.env.mdl.release_transaction();
        ended
    }

    /// 1401 without XA_RECOVER_ADMIN.
    fn xa_recover(&mut self, convert: bool, out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        if !self.env.account.privileges.holds_dynamic("XA_RECOVER_ADMIN") {
            let why = SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&"XA_RECOVER_ADMIN"]);
            self.env.conv.push(value::Level::Error, why);
            return Err(SqlError::new(ErrorCode::XAER_RMERR, &[]));
        }
        let number = Kind::Int(11);
        let mut t = Table::new(&[
            ("formatID", number),
            ("gtrid_length", number),
            ("bqual_length", number),
            ("data", Kind::Text(258)),
        ])
        .not_null(&["data"]);
        for x in self.server.xa.prepared() {
            let data = [x.gtrid.as_slice(), x.bqual.as_slice()].concat();
            let data = if convert {
                Cell::Text(data.iter().fold("0x".to_owned(), |s, b| s + &format!("{b:02X}")))
            } else {
                Cell::Bytes(data)
            };
            t.push(vec![x.format_id.into(), (x.gtrid.len() as u64).into(), (x.bqual.len() as u64).into(), data]);
        }
        t.send(self.env.vars.collation(Var::character_set_results), out)?;
        Ok(Outcome::rows())
    }

    /// The branch in this state. 1399 otherwise.
    fn branch_in(&mut self, state: State) -> SqlResult<&mut Branch> {
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

    /// A statement's error has rolled the whole transaction back: the branch waits for its own end. False: there is none.
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

fn rmfail(state: &str) -> SqlError {
    SqlError::new(ErrorCode::XAER_RMFAIL, &[&state])
}
