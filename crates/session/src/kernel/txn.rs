//! Transactions as the session sees them: autocommit, explicit transactions, savepoints, implicit commits, the bracket
//! around every statement.
//!
//! A statement that fails is rolled back alone; a deadlock (1213) rolls the whole transaction back, a lock wait timeout (1205) only the
//! statement unless `innodb_rollback_on_timeout`. With autocommit and no open transaction the statement is the transaction.
//! Metadata locks of a transaction end after its commit.

use crate::kernel::parts::Deferred;
use crate::kernel::plans::CachedPlan;
use crate::kernel::session::Session;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::{Raw, Var};
use executor::binlog::{Ending, GivenGtid};
use parser::ast::{self, AccessMode, Completion, SetTransaction, StartTransaction, VarScope};
use probe::Counter;
use std::time::Duration;
use storage::txn::{Isolation, Savepoint};

/// A named savepoint.
#[derive(Debug)]
struct Named {
    name: String,
    rows: Savepoint,
    tables: mdl::Savepoint,
    /// Bytes of the transaction's events up to it.
    events: u64,
    /// Set before the transaction had read or locked anything: to go back to it is to begin anew.
    untouched: bool,
}

/// What the session remembers about its transaction.
#[derive(Debug, Default)]
pub(crate) struct TxnState {
    /// START TRANSACTION was given and not ended.
    pub(crate) explicit: bool,
    /// READ ONLY.
    pub(crate) read_only: bool,
    /// The running statement uses tables: with autocommit it is the transaction that SET TRANSACTION spoke of.
    pub(crate) uses_tables: bool,
    /// Some statement of the transaction has used tables, or it began WITH CONSISTENT SNAPSHOT.
    touched: bool,
    /// SET TRANSACTION for the next transaction only.
    next_isolation: Option<Isolation>,
    next_read_only: Option<bool>,
    /// Named savepoints, oldest first.
    savepoints: Vec<Named>,
    /// The transaction is a calling statement's (`programs/lent.rs`): nothing here ends it, its snapshot or its locks.
    pub(crate) lent: bool,
    /// Where a statement without a plan of its own (DO, SET, CALL's arguments) is undone to: functions in it may write.
    undone_to: Option<Savepoint>,
    /// The XA transaction that the session is in.
    pub(crate) xa: Option<crate::kernel::xa::Branch>,
    /// A table that the transaction has made.
    pub(crate) filling: Option<crate::kernel::filling::Filling>,
}

/// What the transaction after COMMIT AND CHAIN has in common with the one before.
struct Characteristics {
    level: Isolation,
    read_only: bool,
    /// As far as a statement named them.
    written: (Option<Isolation>, Option<bool>),
}

impl Session {
    /// @@autocommit.
    pub(crate) fn autocommit(&self) -> bool {
        self.env.vars.bool(Var::autocommit)
    }

    /// A transaction is open as clients see it (SERVER_STATUS_IN_TRANS).
    pub(crate) fn in_transaction(&self) -> bool {
        self.txn.explicit || (!self.autocommit() && self.env.trx.is_under_way())
    }

    /// Isolation level and lock timeout from the session's variables to the transaction handle.
    pub(crate) fn apply_transaction_settings(&mut self) {
        if !self.in_transaction() {
            let level = self.txn.next_isolation.unwrap_or(isolation(self.env.vars.num(Var::transaction_isolation)));
            self.env.trx.set_isolation(level);
        }
        let timeout = self.env.vars.num(Var::innodb_lock_wait_timeout);
        self.env.trx.set_lock_wait_timeout(Duration::from_secs(timeout));
    }

    /// BEGIN, START TRANSACTION: ends the open transaction, UNLOCK TABLES.
    pub(crate) fn begin(&mut self, s: &StartTransaction) -> SqlResult<()> {
        self.check_own_transaction()?;
        // without one, what SET TRANSACTION said is for the transaction that begins here
        if self.in_transaction() {
            self.commit_transaction()?;
        }
        // a global read lock outlives transactions
        if !self.tables.locked.is_empty() {
            self.release_table_locks();
        }
        if s.access == Some(AccessMode::ReadWrite) {
            self.check_read_only()?;
        }
        let session_ro = self.env.vars.bool(Var::transaction_read_only);
        self.tracked.transaction.begin(s.consistent_snapshot, s.access.map(|a| a == AccessMode::ReadOnly));
        self.txn.read_only = match s.access {
            Some(AccessMode::ReadOnly) => true,
            Some(AccessMode::ReadWrite) => false,
            None => self.txn.next_read_only.unwrap_or(session_ro),
        };
        self.apply_transaction_settings();
        self.env.trx.set_read_only(self.txn.read_only);
        self.txn.explicit = true;
        self.sched.set_in_transaction(true);
        if s.consistent_snapshot {
            self.env.trx.start_with_snapshot();
            self.txn.touched = true;
        } else {
            self.env.trx.start();
        }
        self.event_begins(false);
        Ok(())
    }

    /// The statement that begins uses tables or not.
    pub(crate) fn note_tables(&mut self, uses: bool) {
        self.txn.uses_tables = uses;
        self.txn.touched |= uses;
        if uses {
            let autocommit = !self.in_transaction() && self.autocommit();
            self.event_begins(autocommit);
        }
    }

    /// A transaction begins, for performance_schema; nothing if one runs.
    #[inline]
    fn event_begins(&mut self, autocommit: bool) {
        let (txn, env) = (&self.txn, &self.env);
        self.log.transaction_begins(env, || {
            let next = || txn.next_read_only.unwrap_or_else(|| env.vars.bool(Var::transaction_read_only));
            let read_only = txn.read_only || (!txn.explicit && next());
            probe::transactions::Kind::new(env.trx.isolation() as u8, read_only, autocommit)
        });
    }

    /// Whether a transaction that begins with the present statement is read-only.
    pub(crate) fn next_is_read_only(&self) -> bool {
        self.txn.next_read_only.unwrap_or_else(|| self.env.vars.bool(Var::transaction_read_only))
    }

    /// The implicit commit before DDL. It ends a read-only transaction too: only `transaction_read_only` refuses what follows.
    pub(crate) fn commit_for_ddl(&mut self) -> SqlResult<()> {
        self.commit_transaction()?;
        if self.env.vars.bool(Var::transaction_read_only) {
            return Err(SqlError::new(ErrorCode::CANT_EXECUTE_IN_READ_ONLY_TRANSACTION, &[]));
        }
        Ok(())
    }

    /// Changes are refused: the transaction, or the one that would begin now, is read-only.
    pub(crate) fn check_transaction_access(&self) -> SqlResult<()> {
        if self.txn.read_only || (!self.txn.explicit && self.next_is_read_only()) {
            return Err(SqlError::new(ErrorCode::CANT_EXECUTE_IN_READ_ONLY_TRANSACTION, &[]));
        }
        Ok(())
    }

    /// Changes and FOR UPDATE are refused in read-only transactions, FOR UPDATE also on a read-only server (changes: [`Session::check_guards`]).
    pub(crate) fn check_access(&self, plan: &CachedPlan) -> SqlResult<()> {
        if plan.writes || plan.locking {
            self.check_transaction_access()?;
        }
        if plan.locking { self.check_read_only() } else { Ok(()) }
    }

    pub(crate) fn transaction_over(&mut self) {
        if self.is_filling() {
            self.discard_filled();
        }
        self.env.binlog.clear();
        self.forget_branch();
        self.txn.explicit = false;
        self.txn.read_only = false;
        self.txn.next_isolation = None;
        self.txn.next_read_only = None;
        self.txn.savepoints.clear();
        self.txn.touched = false;
        self.tracked.transaction.end();
        self.sched.set_in_transaction(false);
        self.env.mdl.release_transaction();
        self.apply_transaction_settings();
    }

    /// 1422 in a stored function or trigger.
    fn check_own_transaction(&self) -> SqlResult<()> {
        if self.txn.lent {
            return Err(SqlError::new(ErrorCode::COMMIT_NOT_ALLOWED_IN_SF_OR_TRG, &[]));
        }
        Ok(())
    }

    /// Commits whatever is open. A failure leaves nothing open. 1399 in an XA transaction.
    pub(crate) fn commit_transaction(&mut self) -> SqlResult<()> {
        self.check_no_branch()?;
        self.commit_whole()
    }

    pub(crate) fn commit_whole(&mut self) -> SqlResult<()> {
        self.check_own_transaction()?;
        let open = self.env.trx.is_open();
        let filled = self.end_filling();
        let done = match open {
            _ if filled.is_some() => filled.map_or(Ok(()), |t| self.commit_filled(t)),
            true if self.env.trx.has_written() => self.enter_commit().and_then(|()| self.commit_open()),
            true => self.commit_open(),
            false if !self.env.binlog.is_empty() => self.commit_open(),
            false => Ok(()),
        };
        if done.is_err() {
            let _ = self.env.trx.rollback();
        } else if open {
            probe::inc(Counter::HandlerCommit);
        }
        self.env.binlog.clear();
        let done = self.end_gtid(done);
        self.log.transaction_ends(done.is_ok());
        self.transaction_over();
        done
    }

    /// Before changes are committed or prepared: 1290 if the server has become read-only since, and another's global read lock is waited for.
    pub(crate) fn enter_commit(&mut self) -> SqlResult<()> {
        self.check_read_only()?;
        self.lock_commit()
    }

    /// Commits the engine's transaction. The wait for the log may be left to the connection: then the client hears nothing before.
    fn commit_open(&mut self) -> SqlResult<()> {
        if self.env.binlog.is_empty() {
            return self.commit_attached();
        }
        if !self.env.trx.has_written() {
            self.log_unchanged()?;
            return if self.env.trx.is_open() { self.commit_attached() } else { Ok(()) };
        }
        self.attach_events(Ending::Commit)?;
        let done = self.commit_attached();
        self.env.reuse_piece();
        done
    }

    /// Statements stand in the log as text that have changed nothing: no commit of the engine takes them along.
    #[cold]
    fn log_unchanged(&mut self) -> SqlResult<()> {
        self.lock_commit()?;
        if let Some(piece) = self.env.take_piece(Ending::Unchanged)? {
            let engine = &self.server.engine;
            let lsn = engine.attach(&piece.bytes)?;
            engine.wait_for_commit(lsn, engine.durability())?;
        }
        Ok(())
    }

    /// The same with what is attached to it.
    fn commit_attached(&mut self) -> SqlResult<()> {
        if self.client.deferred.is_some() && self.env.trx.has_written() {
            self.client.deferred = Some(Deferred(Some(self.env.trx.commit_detached()?)));
            return Ok(());
        }
        if !self.client.may_finish_later || !self.env.trx.has_written() {
            return self.env.trx.commit().map(drop).map_err(SqlError::from);
        }
        let Some(completer) = self.env.shared.engine.commit_completer() else {
            return self.env.trx.commit().map(drop).map_err(SqlError::from);
        };
        let lsn = self.env.trx.commit_detached()?;
        self.client.unflushed = Some((completer, lsn.0));
        Ok(())
    }

    /// The transaction has ended, under a GTID that `gtid_next` names: one that changed nothing is logged empty.
    #[inline]
    pub(crate) fn end_gtid(&mut self, done: SqlResult<()>) -> SqlResult<()> {
        // the commit before a DDL statement ends no transaction under the GTID: the statement is that
        if self.env.binlog.given_gtid() == GivenGtid::None || self.env.binlog.is_text_waiting() {
            return done;
        }
        let logged = match done {
            Ok(()) => self.log_empty(),
            e => e,
        };
        self.env.binlog.end_gtid();
        logged
    }

    #[cold]
    fn log_empty(&mut self) -> SqlResult<()> {
        let Some(piece) = self.env.empty_piece() else { return Ok(()) };
        let engine = &self.server.engine;
        let lsn = engine.attach(&piece.bytes)?;
        Ok(engine.wait_for_commit(lsn, engine.durability())?)
    }

    /// The transaction's events go with its commit.
    #[inline]
    pub(crate) fn attach_events(&mut self, ending: Ending<'_>) -> SqlResult<()> {
        if self.env.binlog.is_empty() {
            return Ok(());
        }
        if !self.env.trx.has_written() {
            // XA PREPARE of a branch that has changed nothing: there will be nothing to commit
            self.env.binlog.clear();
            return Ok(());
        }
        // what the log's settings are stays so until the events have their place
        self.lock_commit()?;
        if let Some(piece) = self.env.take_piece(ending)? {
            self.env.trx.attach(piece.bytes);
        }
        Ok(())
    }

    /// Rolls back whatever is open.
    pub(crate) fn rollback_transaction(&mut self) -> SqlResult<()> {
        self.check_own_transaction()?;
        self.env.binlog.clear();
        self.env.binlog.end_gtid();
        let open = self.env.trx.is_open();
        let done = if open { self.env.trx.rollback() } else { Ok(()) };
        if open {
            probe::inc(Counter::HandlerRollback);
        }
        self.log.transaction_ends(false);
        self.transaction_over();
        done.map_err(SqlError::from)
    }

    /// COM_RESET_CONNECTION, end of the connection.
    pub(crate) fn end_transaction_for_reset(&mut self) -> SqlResult<()> {
        self.rollback_transaction()
    }

    /// COMMIT, with CHAIN and RELEASE. Returns whether the connection ends.
    pub(crate) fn commit(&mut self, c: &Completion) -> SqlResult<bool> {
        let (chain, release) = self.completion(c);
        let before = self.characteristics();
        self.commit_transaction()?;
        self.chain(chain, before)?;
        Ok(release)
    }

    /// ROLLBACK, with CHAIN and RELEASE.
    pub(crate) fn rollback(&mut self, c: &Completion) -> SqlResult<bool> {
        self.check_no_branch()?;
        let (chain, release) = self.completion(c);
        let before = self.characteristics();
        self.rollback_transaction()?;
        self.chain(chain, before)?;
        Ok(release)
    }

    fn completion(&self, c: &Completion) -> (bool, bool) {
        // completion_type: 0 NO_CHAIN, 1 CHAIN, 2 RELEASE
        let default = self.env.vars.num(Var::completion_type);
        (c.chain.unwrap_or(default == 1), c.release.unwrap_or(default == 2 && c.chain.is_none()))
    }

    fn characteristics(&self) -> Characteristics {
        Characteristics {
            level: self.env.trx.isolation(),
            read_only: self.txn.read_only,
            written: (self.tracked.transaction.level, self.tracked.transaction.read_only),
        }
    }

    fn chain(&mut self, chain: bool, before: Characteristics) -> SqlResult<()> {
        if !chain {
            return Ok(());
        }
        // not as if READ WRITE were written, which a read-only server refuses
        (self.txn.next_isolation, self.txn.next_read_only) = (Some(before.level), Some(before.read_only));
        self.begin(&StartTransaction { consistent_snapshot: false, access: None })?;
        (self.tracked.transaction.level, self.tracked.transaction.read_only) = before.written;
        Ok(())
    }

    /// SAVEPOINT name: an older one of the same name is gone.
    pub(crate) fn savepoint(&mut self, name: &str) -> SqlResult<()> {
        if self.autocommit() && !self.txn.explicit {
            // without a transaction there is nothing to come back to
            return Ok(());
        }
        self.check_branch_active()?;
        self.log.savepoint(&self.env, probe::transactions::Count::Savepoint);
        self.txn.savepoints.retain(|s| !s.name.eq_ignore_ascii_case(name));
        let untouched = !self.txn.touched && !self.env.trx.is_touched() && !self.txn.lent;
        let (rows, tables) = (self.env.trx.savepoint(), self.env.mdl.savepoint());
        if self.env.trx.is_open() {
            probe::inc(Counter::HandlerSavepoint);
        }
        if !self.env.binlog.is_empty() {
            let text = format!("SAVEPOINT {}", views::create::quote(name));
            self.env.log_inside(text.as_bytes());
        }
        let events = self.env.binlog.len();
        self.txn.savepoints.push(Named { name: name.to_owned(), rows, tables, events, untouched });
        Ok(())
    }

    fn find_savepoint(&self, name: &str) -> SqlResult<usize> {
        let missing =
            || SqlError::with_message(ErrorCode::SP_DOES_NOT_EXIST, format!("SAVEPOINT {name} does not exist"));
        self.txn.savepoints.iter().position(|s| s.name.eq_ignore_ascii_case(name)).ok_or_else(missing)
    }

    /// ROLLBACK TO SAVEPOINT: later savepoints are gone, locks on rows stay. And with them, as in MySQL, those on the tables: DDL would rebuild
    /// a table whose rows are locked, and the locks would be on nothing. From a savepoint before the first statement nothing is left, neither locks nor snapshot.
    pub(crate) fn rollback_to(&mut self, name: &str) -> SqlResult<()> {
        let at = self.find_savepoint(name)?;
        let Some(s) = self.txn.savepoints.get(at) else { return Ok(()) };
        if s.untouched {
            self.env.trx.restart()?;
            self.txn.touched = false;
        } else {
            self.env.trx.rollback_to(s.rows)?;
        }
        self.env.binlog.cut(s.events);
        if self.env.trx.is_open() {
            probe::inc(Counter::HandlerSavepointRollback);
        }
        if !self.env.trx.holds_locks() && !self.txn.lent {
            self.env.mdl.rollback_to(s.tables);
        }
        self.log.savepoint(&self.env, probe::transactions::Count::RollbackTo);
        self.txn.savepoints.truncate(at + 1);
        Ok(())
    }

    /// RELEASE SAVEPOINT: it and later ones are forgotten.
    pub(crate) fn release_savepoint(&mut self, name: &str) -> SqlResult<()> {
        let at = self.find_savepoint(name)?;
        self.log.savepoint(&self.env, probe::transactions::Count::Release);
        self.txn.savepoints.truncate(at);
        Ok(())
    }

    /// SET TRANSACTION.
    pub(crate) fn set_transaction(&mut self, s: &SetTransaction) -> SqlResult<()> {
        let level = s.isolation.map(|l| match l {
            ast::Isolation::ReadUncommitted => 0u64,
            ast::Isolation::ReadCommitted => 1,
            ast::Isolation::RepeatableRead => 2,
            ast::Isolation::Serializable => 3,
        });
        let read_only = s.access.map(|a| u64::from(a == AccessMode::ReadOnly));
        let pairs = [(Var::transaction_isolation, level), (Var::transaction_read_only, read_only)];
        match s.scope {
            VarScope::Global | VarScope::Persist | VarScope::PersistOnly => {
                self.may_set_global(s.scope == VarScope::PersistOnly)?;
                for (v, n) in pairs {
                    if let Some(n) = n {
                        self.env.shared.globals.store(v, Raw::Num(n));
                    }
                }
            }
            VarScope::Session => {
                for (v, n) in pairs {
                    if let Some(n) = n {
                        self.env.vars.store(v, Raw::Num(n));
                    }
                }
            }
            VarScope::Default => {
                if self.in_transaction() {
                    return Err(SqlError::new(ErrorCode::CANT_CHANGE_TX_CHARACTERISTICS, &[]));
                }
                self.txn.next_isolation = level.map(isolation).or(self.txn.next_isolation);
                self.tracked.transaction.level = self.txn.next_isolation;
                self.txn.next_read_only = read_only.map(|r| r == 1).or(self.txn.next_read_only);
                self.tracked.transaction.read_only = self.txn.next_read_only;
            }
        }
        self.apply_transaction_settings();
        Ok(())
    }

    /// Where a statement begins that reads or changes rows: a new snapshot under READ COMMITTED, and what a failure
    /// goes back to. Without autocommit the transaction begins with it, if it names tables (`uses_tables`): `SELECT 1`
    /// begins none, so that SET TRANSACTION may follow it.
    pub(crate) fn statement_start(&mut self, uses_tables: bool) -> Savepoint {
        if self.txn.lent {
            return self.env.trx.savepoint();
        }
        let start = self.env.trx.begin_statement();
        self.env.binlog.begin_statement();
        if self.txn.explicit || (uses_tables && !self.autocommit()) {
            self.sched.set_in_transaction(true);
            self.env.trx.start();
        }
        start
    }

    /// A statement without autocommit has ended that named no table: functions in it may have begun the transaction.
    fn note_begun(&mut self) {
        if !self.autocommit() && self.env.trx.is_under_way() {
            self.sched.set_in_transaction(true);
            self.env.trx.start();
        }
    }

    /// Before the expressions of a statement without a plan of its own: what their functions write is undone with the
    /// statement (`SET @a = f(1), @b = f(2)`, where the second call fails). 1399 behind XA END: a branch that is idle
    /// does not change any more.
    pub(crate) fn may_write(&mut self, plan: &planner::plan::Plan) -> SqlResult<()> {
        let calls = !plan.functions.is_empty() || !plan.views.is_empty();
        if calls {
            self.check_branch_active()?;
        }
        if calls && self.txn.undone_to.is_none() {
            let start = self.statement_start(false);
            self.txn.undone_to = Some(start);
        }
        Ok(())
    }

    /// A statement without a plan has ended; with an error, what its functions have written is undone.
    pub(crate) fn unplanned_ends(&mut self, error: Option<&SqlError>) {
        if let (Some(e), Some(_)) = (error, self.txn.undone_to) {
            self.statement_failed(None, e);
        }
        self.txn.undone_to = None;
        if !self.txn.lent {
            self.note_begun();
        }
    }

    /// A program ends: its savepoints are gone.
    pub(crate) fn forget_savepoints(&mut self) {
        self.txn.savepoints.clear();
    }

    /// After a statement without error: commit if it was its own transaction.
    pub(crate) fn statement_succeeded(&mut self) -> SqlResult<()> {
        self.txn.undone_to = None;
        if self.txn.lent {
            return Ok(());
        }
        if std::mem::take(&mut self.env.statement.settings_changed) {
            self.apply_settings();
        }
        if self.sched.killed() == Some(sched::Kill::Timeout) {
            // a function that gives its value all the same, as SLEEP() does
            probe::inc(Counter::MaxExecutionTimeExceeded);
        }
        self.env.trx.end_statement();
        if self.autocommit() && !self.txn.explicit {
            if self.env.trx.is_open() || !self.env.binlog.is_empty() {
                self.env.binlog.end_statement();
                let wrote = !self.env.binlog.is_empty();
                let mut done = self.commit_open();
                self.env.binlog.clear();
                if wrote {
                    done = self.end_gtid(done);
                }
                if done.is_err() {
                    let _ = self.env.trx.rollback();
                } else {
                    probe::inc(Counter::HandlerCommit);
                }
                self.log.transaction_ends(done.is_ok());
                self.finish_autocommit(true);
                return done;
            }
            // SET TRANSACTION is for the next transaction, and this was none
            self.env.binlog.clear();
            self.env.mdl.release_transaction();
        } else {
            self.note_begun();
            self.env.binlog.end_statement();
            self.env.mdl.release_statement();
        }
        Ok(())
    }

    /// The end of a statement that was a transaction, or would have been (`begun`): SET TRANSACTION is for one that begins.
    fn finish_autocommit(&mut self, begun: bool) {
        let one_shot = self.txn.next_isolation.is_some() || self.txn.next_read_only.is_some();
        if !one_shot {
            self.tracked.transaction.end();
        } else if begun && self.txn.uses_tables {
            return self.transaction_over();
        }
        self.env.mdl.release_transaction();
    }

    /// After a statement that failed with `e`: undo it.
    pub(crate) fn statement_failed(&mut self, start: Option<Savepoint>, e: &SqlError) {
        let start = start.or(self.txn.undone_to.take());
        if self.txn.lent {
            // it is undone alone; a deadlock has no savepoint any more, the calling statement rolls everything back
            if let Some(s) = start.filter(|_| !e.is(ErrorCode::LOCK_DEADLOCK)) {
                let _ = self.env.trx.rollback_to(s);
            }
            return;
        }
        if std::mem::take(&mut self.env.statement.settings_changed) {
            self.apply_settings();
        }
        if e.is(ErrorCode::QUERY_TIMEOUT) {
            probe::inc(Counter::MaxExecutionTimeExceeded);
        }
        let own = self.autocommit() && !self.txn.explicit;
        let whole = own
            || e.is(ErrorCode::LOCK_DEADLOCK)
            || (e.is(ErrorCode::LOCK_WAIT_TIMEOUT) && self.env.shared.globals.bool(Var::innodb_rollback_on_timeout));
        if whole {
            probe::inc(Counter::HandlerRollback);
            self.env.binlog.clear();
            let _ = self.env.trx.rollback();
            self.log.transaction_ends(false);
            if own {
                self.finish_autocommit(start.is_some());
            } else {
                self.give_up_gtid();
                if !self.branch_lost(e) {
                    self.transaction_over();
                }
            }
            return;
        }
        self.env.binlog.statement_failed();
        if let Some(s) = start
            && self.env.trx.is_open()
            && self.env.trx.rollback_to(s).is_err()
        {
            let _ = self.env.trx.rollback();
            self.env.binlog.clear();
            self.give_up_gtid();
            self.log.transaction_ends(false);
            self.transaction_over();
        }
        self.note_begun();
        self.env.trx.end_statement();
        self.env.mdl.release_statement();
    }
}

/// The variable's number as a level.
fn isolation(n: u64) -> Isolation {
    match n {
        0 => Isolation::ReadUncommitted,
        1 => Isolation::ReadCommitted,
        3 => Isolation::Serializable,
        _ => Isolation::RepeatableRead,
    }
}
