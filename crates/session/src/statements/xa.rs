//! XA transactions: START, END, PREPARE, COMMIT, ROLLBACK, RECOVER (manual, "XA Transactions"). What a branch is:
//! `kernel/xa.rs`.
//!
//! Tested: `tests/sql/golden/xa.sql` beside MySQL, `tests/crash/test_xa.py`.

use crate::kernel::session::{Session, install_kill};
use crate::kernel::xa::{Branch, Detached, State, rmfail};
use crate::results::columns;
use crate::results::outcome::Outcome;
use crate::results::table::{Cell, Table};
use base::{ErrorCode, SqlError, SqlResult, hex};
use binlog::transaction::XaId;
use catalog::client::ResultSink;
use catalog::sysvar::Var;
use executor::binlog::{Ending, GivenGtid, Kind};
use parser::ast::{self, StartTransaction};
use probe::Counter;
use storage::txn::Xid;

fn xid_of(x: &ast::Xid<'_>) -> Xid {
    Xid { format_id: x.format_id, gtrid: x.gtrid.to_vec(), bqual: x.bqual.to_vec() }
}

/// An identifier as statements of the binary log have it.
fn logged(x: &Xid) -> String {
    format!("X'{}',X'{}',{}", hex::encode(&x.gtrid), hex::encode(&x.bqual), x.format_id)
}

fn event_id(x: &Xid) -> XaId<'_> {
    XaId { format: x.format_id as u32, global: &x.gtrid, branch: &x.bqual }
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
        if self.in_transaction() || !self.tables.locked.is_empty() {
            return Err(SqlError::new(ErrorCode::XAER_OUTSIDE, &[]));
        }
        self.server.xa.add(xid)?;
        let begun = self.begin(&StartTransaction { consistent_snapshot: false, access: None });
        if begun.is_err() {
            self.server.xa.remove(xid);
            return begun;
        }
        if self.env.binlog.on() {
            let text = |verb: &str| format!("XA {verb} {}", logged(xid)).into_bytes().into();
            self.env.binlog.open_branch(text("START"), text("END"));
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
        let logged = self.env.trx.has_written() && !self.env.binlog.is_empty();
        self.attach_events(Ending::Xa(event_id(xid), false))?;
        if self.env.binlog.given_gtid() == GivenGtid::Owned {
            // it has changed nothing: the log has an empty transaction in its place
            self.end_gtid(Ok(()))?;
        }
        let id = self.env.client.connection.id();
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
        install_kill(&self.env.client.connection, &self.sched, &self.env.trx);
        self.txn.xa = None;
        self.log.transaction_left();
        self.transaction_over();
        self.server.xa.put(xid.clone(), Box::new(Detached { trx, mdl, logged }));
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
        if self.env.trx.has_written() {
            self.enter_commit()?;
        }
        self.attach_events(Ending::Xa(event_id(xid), true))?;
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
            if d.logged && d.trx.is_prepared() && self.env.binlog.on() {
                self.lock_commit()?;
                let verb = if commit { "COMMIT" } else { "ROLLBACK" };
                self.env.binlog.begin_text(Kind::Inside, format!("XA {verb} {}", logged(xid)).as_bytes(), Vec::new());
                if let Some(piece) = self.env.take_statement_piece(false)? {
                    d.trx.attach(piece.bytes);
                }
            }
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
        match ended {
            // nothing of it was logged: an empty transaction has the GTID
            Ok(()) if self.env.binlog.given_gtid() == GivenGtid::Owned => self.end_gtid(Ok(())),
            ended => ended,
        }
    }

    /// 1401 without XA_RECOVER_ADMIN.
    fn xa_recover(&mut self, convert: bool, out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        if !self.env.security.account.privileges.holds_dynamic("XA_RECOVER_ADMIN") {
            let why = SqlError::new(ErrorCode::SPECIFIC_ACCESS_DENIED_ERROR, &[&"XA_RECOVER_ADMIN"]);
            self.env.conv.push(value::Level::Error, why);
            return Err(SqlError::new(ErrorCode::XAER_RMERR, &[]));
        }
        let mut t = Table::new(columns::XA_RECOVER).not_null(&["data"]);
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
}
