//! The session in which a replica's applier works: it may do everything, read-only servers included, its changes keep
//! the `server_id` of where they were made, and events that it makes are disabled.
//!
//! With PRIVILEGE_CHECKS_USER it is a session of that account, and may do what the account may
//! ([`super::applier_rights`]).
//!
//! One thread uses it, from [`Server::with_applier`]'s call to its end. Whatever transaction is open there is rolled
//! back at the end. Tested: `tests/binlog/test_replica.py`.

use crate::kernel::binary_log::SkippedErrors;
use crate::kernel::parts::Deferred;
use crate::kernel::server::Server;
use crate::kernel::session::Session;
use crate::results::collector::Collector;
use crate::results::outcome::Outcome;
use crate::statements::Changed;
use base::{ErrorCode, Lsn, SqlError, SqlResult};
use catalog::accounts::mark::Mark;
use catalog::accounts::{Account, Privileges};
use catalog::client::{Capabilities, SessionContext, SessionHandler, TextRows};
use catalog::connections::Connection;
use catalog::sysvar::Var;
use executor::binlog::SourcePosition;
use parser::ast::StartTransaction;
use probe::Stage;
use std::sync::Arc;
use storage::rowlock::Turns;

/// See the module.
pub struct ApplierSession(pub(super) Session);

/// A row as text.
pub type TextRow = Vec<Option<String>>;

impl Server {
    /// Runs `body` with a session of its own; `thread` names its thread. It may do what the account may, with this user
    /// and host, or (`None`: the process list shows `system user`) everything. An account that is not there may do
    /// nothing.
    ///
    /// # Errors
    /// Of opening the session.
    pub fn with_applier<R>(
        self: &Arc<Self>,
        thread: &'static str,
        account: Option<&(String, String)>,
        body: impl FnOnce(&mut ApplierSession) -> R,
    ) -> SqlResult<R> {
        let conn = self.connections.register("");
        let id = conn.id();
        let done = self.run_applier(thread, account, &conn, body);
        self.connections.unregister(id);
        done
    }

    fn run_applier<R>(
        self: &Arc<Self>,
        thread: &'static str,
        named: Option<&(String, String)>,
        conn: &Arc<Connection>,
        body: impl FnOnce(&mut ApplierSession) -> R,
    ) -> SqlResult<R> {
        let mut all = Account::new("system user", "");
        all.privileges = Privileges { of_server: true, ..Privileges::all() };
        let all = Arc::new(all);
        let account = match named {
            None => all.clone(),
            Some((user, host)) => {
                let known = self.accounts.get(user, host);
                known.unwrap_or_else(|| Arc::new(Account::new(user, host)))
            }
        };
        let (user, host) = (account.user.clone(), account.host.clone());
        let context = SessionContext {
            conn: conn.clone(),
            account: (user.clone(), host.clone()),
            user: user.clone(),
            host: host.clone(),
            database: None,
            collation: value::CollationId::UTF8MB4_0900_AI_CI.0,
            capabilities: Capabilities::default(),
            attributes: Vec::new(),
            tls: None,
            unix_socket: true,
        };
        let mut session = Session::with_account(self, context, account, true)?;
        if named.is_some() {
            session.applier.server = Some(all);
            session.identity.live = true;
            // whoever dropped the account in between
            session.renew_account(&self.accounts.table());
        }
        let attached = session.sched.clone();
        let _attached = attached.attach();
        conn.set_who(&user, &host);
        conn.served_by(thread);
        let mut session = ApplierSession(session);
        session.0.env.binlog.set_origin(Some(self.globals.num(Var::server_id) as u32));
        session.0.client.deferred = Some(Deferred(None));
        let done = body(&mut session);
        let _ = session.rollback();
        let _ = session.flush();
        Ok(done)
    }
}

impl ApplierSession {
    /// Number of its connection, for KILL.
    pub fn connection(&self) -> Arc<Connection> {
        self.0.env.client.connection.clone()
    }

    /// Runs one statement.
    ///
    /// # Errors
    /// The statement's.
    pub fn statement(&mut self, text: &[u8]) -> SqlResult<()> {
        self.rows_of(text).map(drop)
    }

    /// Runs statements, with `;` between them (`init_replica`).
    ///
    /// # Errors
    /// The first one's that fails.
    pub fn statements(&mut self, text: &[u8]) -> SqlResult<()> {
        let several = std::mem::replace(&mut self.0.client.multi_statements, true);
        let done = self.0.run_text(text, &mut Collector::default());
        self.0.client.multi_statements = several;
        done
    }

    /// Whether a statement changes accounts, which are kept outside the engine.
    pub fn changes_accounts(&self, text: &[u8]) -> bool {
        self.0.changes_accounts(text)
    }

    /// Runs a statement that does; `mark` is what it is called, each time that it comes. Where the accounts have it
    /// from before a crash, which took its commit, it is logged and no more.
    ///
    /// # Errors
    /// The statement's.
    pub fn account_statement(&mut self, text: &[u8], mark: Mark) -> SqlResult<()> {
        if self.0.server.accounts.has_done(&mark.text) {
            return self.within(|s| s.log_what_was_done(text));
        }
        // the channel's last mark only is kept: its statement before must not be lost any more
        self.flush()?;
        catalog::accounts::mark::within(mark, || self.statement(text))
    }

    /// The rows of a query.
    ///
    /// # Errors
    /// The statement's.
    pub fn rows_of(&mut self, text: &[u8]) -> SqlResult<Vec<TextRow>> {
        let mut rows = Vec::new();
        let keep = |row: TextRow| {
            rows.push(row);
            Ok(())
        };
        self.0.query(text, &[], &mut TextRows::new(Capabilities::default(), keep))?;
        Ok(rows)
    }

    /// The default schema; one that does not exist is none.
    pub fn set_schema(&mut self, name: &[u8]) {
        let name = String::from_utf8_lossy(name);
        if self.0.env.schema.as_deref() == Some(&*name) {
            return;
        }
        // whose privileges there are missing is told of by the statement
        if name.is_empty() || self.0.as_server(|s| s.use_schema(&name)).is_err() {
            self.0.env.schema = None;
        }
    }

    /// What a statement does, as one.
    pub(super) fn within(&mut self, f: impl FnOnce(&mut Session) -> SqlResult<()>) -> SqlResult<()> {
        let s = &mut self.0;
        s.begin_statement();
        let done = f(s).map(|()| Outcome::ok());
        s.end_statement(done).map(drop)
    }

    /// BEGIN.
    ///
    /// # Errors
    /// Of ending the transaction before.
    pub fn begin(&mut self) -> SqlResult<()> {
        self.within(|s| s.begin(&StartTransaction { consistent_snapshot: false, access: None }))
    }

    /// COMMIT.
    ///
    /// # Errors
    /// Then nothing is left of the transaction.
    pub fn commit(&mut self) -> SqlResult<()> {
        self.within(|s| {
            // a table that the transaction has made takes it along with its name, which commits last
            if !s.is_filling() {
                s.env.write_position()?;
            }
            s.commit_transaction()
        })
    }

    /// The position, in the transaction that is open: it commits in a way of its own.
    ///
    /// # Errors
    /// Of the engine.
    pub fn write_position(&mut self) -> SqlResult<()> {
        self.within(|s| s.env.write_position())
    }

    /// What it does next is number `n` of those that commit in order.
    pub fn begin_turn(&self, turns: &Turns, n: u64) {
        self.0.env.trx.begin_turn(turns, n);
    }

    /// Waits until all before number `n` are over. `gives_way` is asked now and then whether one of them may need what
    /// this one has locked.
    ///
    /// # Errors
    /// 1213: an earlier one waits for a lock of this one, which is rolled back; 1317.
    pub fn wait_for_turn(&mut self, turns: &Turns, n: u64, gives_way: &dyn Fn() -> bool) -> SqlResult<()> {
        if turns.now() == n {
            return Ok(());
        }
        self.within(|s| {
            let _stage = probe::stage::enter(Stage::WaitingPreceding);
            Ok(s.env.trx.wait_for_turn(turns, n, gives_way)?)
        })
    }

    /// Number `n` is over.
    pub fn end_turn(&self, turns: &Turns, n: u64) {
        self.0.env.trx.end_turn(turns, n);
    }

    /// What the process list says that it is at.
    pub fn at(&self, stage: Stage) {
        self.0.env.client.connection.applies();
        probe::stage::show(stage);
    }

    /// What commits next ends there in the log of the channel's source: its row of `mysql.evenkeel_replica` changes
    /// with it.
    pub fn set_position(&mut self, channel: &Arc<str>, file: &str, offset: u64) {
        self.0.env.binlog.set_position(SourcePosition { channel: channel.clone(), file: file.to_owned(), offset });
    }

    /// Takes it back if nothing has committed with it. Whether that is so.
    pub fn forget_position(&mut self) -> bool {
        self.0.env.binlog.forget_position()
    }

    /// ROLLBACK. Of an XA transaction, too.
    ///
    /// # Errors
    /// Of the engine.
    pub fn rollback(&mut self) -> SqlResult<()> {
        self.within(Session::rollback_transaction)
    }

    /// Events that follow end in a checksum. Tables that were named are forgotten.
    pub fn set_checksums(&mut self, on: bool) {
        self.0.applier.checksum = Some(on);
        self.0.applier.maps.clear();
    }

    /// Keeps what a TABLE_MAP says for the row events that follow.
    ///
    /// # Errors
    /// Of an event that is none.
    pub fn map_table(&mut self, event: &[u8]) -> SqlResult<()> {
        self.0.apply_events(event)
    }

    /// Applies row events in the transaction that is open.
    ///
    /// # Errors
    /// 1032, 1062, 1677 and what else a change may say.
    pub fn apply_rows(&mut self, events: &[u8]) -> SqlResult<()> {
        self.within(|s| s.apply_events(events))
    }

    /// Waits until what has been committed is as durable as `innodb_flush_log_at_trx_commit` says: commits of this
    /// session do not.
    ///
    /// # Errors
    /// Of the log.
    pub fn flush(&mut self) -> SqlResult<()> {
        match self.0.client.deferred.take() {
            Some(Deferred(Some(lsn))) => {
                self.0.client.deferred = Some(Deferred(None));
                let engine = &self.0.server.engine;
                Ok(engine.wait_for_commit(lsn, engine.durability())?)
            }
            other => {
                self.0.client.deferred = other;
                Ok(())
            }
        }
    }

    /// Up to where the log has what this session has committed and has not waited for.
    pub fn unflushed(&self) -> Option<Lsn> {
        self.0.client.deferred.as_ref().and_then(|d| d.0)
    }

    /// Waits until the log is as durable up to there: with what other sessions have committed.
    ///
    /// # Errors
    /// Of the log.
    pub fn flush_to(&mut self, lsn: Lsn) -> SqlResult<()> {
        let engine = &self.0.server.engine;
        Ok(engine.wait_for_commit(lsn, engine.durability())?)
    }

    /// Rows that fail with one of these errors are passed over.
    pub fn skip_errors(&mut self, which: SkippedErrors) {
        self.0.applier.skips = which;
    }

    /// Events that are made stay enabled: what is applied was this server's, and is its again.
    pub fn keep_events(&mut self, on: bool) {
        self.0.applier.own_past = on;
    }

    /// What a statement would change.
    ///
    /// # Errors
    /// Of its syntax.
    pub fn changed_by(&self, text: &[u8]) -> SqlResult<Changed> {
        self.0.changed_by(text)
    }

    /// Temporary tables that it has, of all sessions of the source.
    pub fn open_temporary_tables(&self) -> u64 {
        self.0.env.temp.count() as u64
    }

    /// Whether a transaction is open.
    pub fn in_transaction(&self) -> bool {
        self.0.in_transaction()
    }

    /// Whether the server is shutting down.
    ///
    /// # Errors
    /// 1053 then.
    pub fn check_running(&self) -> SqlResult<()> {
        match self.0.server.is_stopping() {
            true => Err(SqlError::new(ErrorCode::SERVER_SHUTDOWN, &[])),
            false => Ok(()),
        }
    }
}
