//! Statements that the binary log has as text: which ones, with what settings, and that each of them gets there.
//!
//! [`Session::begin_logged`] notes a statement's text before it runs. Where it commits (a transaction of the
//! dictionary) the event goes along: [`Session::commit_logged`], and the executor's DDL likewise. What has changed
//! something that the engine does not hold (accounts), or nothing at all (`IF EXISTS`), is logged alone afterwards:
//! [`Session::end_logged`]. So a statement of these kinds is logged, whatever way it took; only what says
//! [`executor::binlog::Binlog::forget_text`] is not.
//!
//! [`logged_as`] names every kind of statement, so that a new one must be decided on.
//!
//! Crash: an event that goes along is there exactly if the change is. Between a change of the accounts' journal and its
//! event a crash leaves a change that is not logged.
//!
//! Tested: `binlog_tests.rs`, `tests/binlog`.

use crate::kernel::session::Session;
use base::SqlResult;
use catalog::accounts::place::LogPlace;
use catalog::sysvar::{Raw, Var};
use executor::binlog::{GivenGtid, Kind};
use parser::ast::{self, AdminKind, FlushItem, SetItem, Statement, TableName};
use storage::dict::Ddl;

/// Whether a statement is logged as text, and which settings it needs. Queries and changes of rows are not.
pub(crate) fn logged_as(s: &Statement<'_>) -> Option<Kind> {
    match s {
        Statement::CreateTable(c) => (!c.temporary).then_some(Kind::Table),
        Statement::DropTable(d) => (!d.temporary).then_some(Kind::Definition),
        Statement::AlterTable(_) => Some(Kind::Table),
        Statement::CreateDatabase(_) => Some(Kind::CreateDatabase),
        Statement::AlterDatabase(_) | Statement::DropDatabase { .. } => Some(Kind::Database),
        Statement::CreateIndex(_)
        | Statement::DropIndex(_)
        | Statement::TruncateTable(_)
        | Statement::RenameTable(_)
        | Statement::DropView(_)
        | Statement::DropProgram { .. }
        | Statement::AlterRoutine(_) => Some(Kind::Definition),
        Statement::CreateView(_)
        | Statement::CreateProgram(_)
        | Statement::AlterEvent(_)
        | Statement::Grant(_)
        | Statement::Revoke(_)
        // CURRENT_USER may stand in all of these
        | Statement::CreateUser(_)
        | Statement::AlterUser(_)
        | Statement::DropUser { .. }
        | Statement::RenameUser(_)
        | Statement::CreateRole { .. }
        | Statement::DropRole { .. }
        | Statement::SetDefaultRole { .. } => Some(Kind::Defined),
        Statement::Set(items) => {
            let password = items.iter().any(|i| matches!(i, SetItem::Password { .. }));
            password.then_some(Kind::Definition)
        }
        Statement::TableAdmin(a) => {
            let changes = matches!(a.kind, AdminKind::Analyze | AdminKind::Optimize | AdminKind::Repair);
            (changes && !a.local).then_some(Kind::Plain)
        }
        Statement::Flush(f) => {
            let own = |i: &FlushItem<'_>| match i {
                FlushItem::Tables { with_read_lock, for_export, .. } => *with_read_lock || *for_export,
                FlushItem::Privileges
                | FlushItem::Status
                | FlushItem::UserResources
                | FlushItem::OptimizerCosts => false,
                FlushItem::Logs
                | FlushItem::BinaryLogs
                | FlushItem::EngineLogs
                | FlushItem::ErrorLogs
                | FlushItem::GeneralLogs
                | FlushItem::SlowLogs
                | FlushItem::RelayLogs { .. } => true,
            };
            (!f.local && !f.items.iter().any(own)).then_some(Kind::Plain)
        }
        other => not_as_text(other),
    }
}

/// Statements that are not logged as text: by their rows where they have some, of transactions, of this server or
/// session alone.
fn not_as_text(s: &Statement<'_>) -> Option<Kind> {
    use Statement as S;
    match s {
        S::Query(_) | S::Insert(_) | S::Update(_) | S::Delete(_) | S::LoadData(_) => None,
        S::Do(_) | S::Call(_) | S::Binlog(_) | S::Handler(_) => None,
        S::Begin(_) | S::Commit(_) | S::Rollback(_) | S::Savepoint(_) | S::RollbackTo(_) => None,
        S::ReleaseSavepoint(_) | S::SetTransaction(_) | S::Xa(_) => None,
        S::LockTables(_) | S::UnlockTables | S::LockInstance | S::UnlockInstance => None,
        S::Show(_) | S::Use(_) | S::Explain(_) | S::Describe { .. } | S::Help(_) | S::Empty => None,
        S::Kill(_) | S::Shutdown | S::Restart | S::ReloadTls { .. } | S::Unsupported { .. } => None,
        S::Prepare(_) | S::Execute { .. } | S::Deallocate(_) => None,
        S::Replica { .. } => None,
        S::CloneData(_) | S::Plugin { .. } | S::Reset { .. } | S::PurgeBinaryLogs(_) => None,
        S::ResetPersist { .. } | S::SetRole(_) => None,
        S::Signal(_) | S::GetDiagnostics(_) => None,
        // those that are, above
        S::CreateTable(_) | S::DropTable(_) | S::AlterTable(_) | S::CreateIndex(_) | S::DropIndex(_) => None,
        S::TruncateTable(_) | S::RenameTable(_) | S::CreateView(_) | S::DropView(_) => None,
        S::CreateDatabase(_) | S::AlterDatabase(_) | S::DropDatabase { .. } => None,
        S::CreateProgram(_) | S::DropProgram { .. } | S::AlterRoutine(_) | S::AlterEvent(_) => None,
        S::CreateUser(_) | S::AlterUser(_) | S::DropUser { .. } | S::RenameUser(_) | S::Grant(_) | S::Revoke(_) => None,
        S::CreateRole { .. } | S::DropRole { .. } | S::SetDefaultRole { .. } => None,
        S::Set(_) | S::TableAdmin(_) | S::Flush(_) => None,
    }
}

impl Session {
    /// What the session changes is this server's own affair: the binary log does not have it.
    pub(crate) fn leave_binary_log(&mut self) {
        self.env.vars.store(Var::sql_log_bin, Raw::Num(0));
        self.env.binlog.switch(false);
    }

    /// A statement without a plan begins, which is this text.
    pub(crate) fn begin_logged(&mut self, s: &Statement<'_>, text: &[u8]) {
        if !self.env.binlog.on() {
            return;
        }
        match logged_as(s) {
            Some(kind) => {
                let schemas = self.changed_schemas(s);
                self.env.binlog.begin_text(kind, crate::text::trimmed(text), schemas);
            }
            None => self.env.binlog.forget_text(),
        }
    }

    /// It is over: what has to be logged and is not yet is logged now.
    pub(crate) fn end_logged(&mut self, done: bool) -> SqlResult<()> {
        if !self.env.binlog.is_text_waiting() {
            if self.env.binlog.given_gtid() == GivenGtid::Logged {
                self.env.binlog.end_gtid();
            }
            return Ok(());
        }
        if !done {
            self.env.binlog.forget_text();
            return Ok(());
        }
        if self.env.binlog.has_position() {
            // a transaction for the position alone takes the event along
            let ddl = Ddl::begin(&self.env.shared.engine, self.env.client.connection.id())?;
            self.commit_logged(ddl)?;
            self.env.binlog.end_gtid();
            return Ok(());
        }
        let accounts = self.env.binlog.text_is_of("mysql");
        let Some(piece) = self.env.take_statement_piece(accounts)? else { return Ok(()) };
        let engine = &self.server.engine;
        let lsn = engine.attach(&piece.bytes)?;
        engine.wait_for_commit(lsn, engine.durability())?;
        self.env.binlog.end_gtid();
        Ok(())
    }

    /// A definition of temporary tables is nobody else's affair, and not in the log; nor is one that `binlog_do_db` and
    /// `binlog_ignore_db` leave out. Under a GTID that was given it is executed all the same, as in MySQL: a source
    /// would send it again, and who replays a log sets the next GTID behind it.
    pub(crate) fn end_own_definition(&mut self, s: &Statement<'_>, done: bool) -> SqlResult<()> {
        use Statement as S;
        let defines = matches!(s, S::CreateTable(_) | S::DropTable(_)) || logged_as(s).is_some();
        let owned = self.env.binlog.given_gtid() == GivenGtid::Owned;
        if !done || !owned || !defines || self.in_transaction() || self.is_filling() {
            return Ok(());
        }
        self.end_gtid(Ok(()))
    }

    /// Where the log ends now: the event of the statement on accounts that begins comes there or behind. `None`: it has
    /// none, or one that the applier's position comes along with ([`catalog::accounts::mark`]).
    pub(crate) fn log_place(&self) -> SqlResult<Option<LogPlace>> {
        if !self.env.binlog.is_text_waiting() || self.env.binlog.has_position() {
            return Ok(None);
        }
        let Some(log) = self.server.source.log() else { return Ok(None) };
        let at = log.catch_up()?;
        let server = self.env.shared.globals.string(Var::server_uuid).to_string();
        Ok(Some(LogPlace { server, file: log.names().shown(at.file), at: at.offset }))
    }

    /// A statement that changes definitions is at its end. What found nothing to do is logged too, and before its locks
    /// go: another's statement on the same names would otherwise come between them, and a replica would do the two in
    /// the other order.
    pub(crate) fn end_definition<T>(&mut self, done: SqlResult<T>) -> SqlResult<T> {
        let logged = self.end_logged(done.is_ok());
        self.env.mdl.release_transaction();
        done.and_then(|t| logged.map(|()| t))
    }

    /// Commits a transaction of the dictionary; the statement's event goes with it.
    pub(crate) fn commit_logged(&mut self, mut ddl: Ddl) -> SqlResult<()> {
        self.env.attach_statement(&mut ddl)?;
        Ok(ddl.commit()?)
    }

    /// Schemas that a statement changes something in.
    fn changed_schemas(&self, s: &Statement<'_>) -> Vec<String> {
        let of = |t: &TableName<'_>| self.schema_of(t);
        let mut all: Vec<String> = match s {
            // MySQL names none for these
            Statement::CreateTable(ast::CreateTable { like: Some(_), .. })
            | Statement::TruncateTable(_)
            | Statement::AlterRoutine(_)
            | Statement::TableAdmin(_)
            | Statement::Flush(_) => Vec::new(),
            Statement::CreateTable(c) => vec![of(&c.table)],
            Statement::DropTable(d) => d.tables.iter().map(of).collect(),
            Statement::AlterTable(a) => vec![of(&a.table)],
            Statement::CreateIndex(c) => vec![of(&c.table)],
            Statement::DropIndex(d) => vec![of(&d.table)],
            Statement::RenameTable(pairs) => pairs.iter().flat_map(|(a, b)| [of(a), of(b)]).collect(),
            Statement::CreateDatabase(c) => vec![c.name.to_owned()],
            Statement::AlterDatabase(a) => {
                vec![a.name.or(self.env.schema.as_deref()).unwrap_or_default().to_owned()]
            }
            Statement::DropDatabase { name, .. } => vec![(*name).to_owned()],
            Statement::CreateView(v) => vec![of(&v.view)],
            Statement::DropView(v) => v.views.iter().map(of).collect(),
            Statement::DropProgram { name, .. } => vec![of(name)],
            Statement::CreateProgram(c) => vec![of(&c.name)],
            Statement::AlterEvent(a) => vec![of(&a.name)],
            _ => vec!["mysql".to_owned()],
        };
        let mut seen = std::collections::BTreeSet::new();
        all.retain(|s| seen.insert(s.clone()));
        all
    }
}
