//! Statements that have no plan: to the code that runs each kind.

use crate::kernel::session::Session;
use crate::kernel::unplanned::Unplanned;
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlError, SqlResult};
use catalog::accounts::Privs;
use catalog::client::ResultSink;
use catalog::sysvar::Var;
use executor::ddl::DdlResult;
use executor::gate::Gate;
use parser::Parsed;
use parser::ast::{AlterAction, Statement, TableName};

/// The statements of this folder and of `accounts`, as the kernel reaches them.
pub(crate) struct Statements;

impl Unplanned for Statements {
    fn run(
        &self,
        s: &mut Session,
        sql: &[u8],
        lexed: &parser::Lexed,
        parsed: &Parsed<'_>,
        out: &mut dyn ResultSink,
    ) -> SqlResult<Outcome> {
        let done = s.dispatch(sql, lexed, parsed, out);
        s.unplanned_ends(done.as_ref().err());
        done
    }

    fn instead(&self, s: &mut Session, sql: &[u8], parsed: &Parsed<'_>) -> Option<SqlResult<Outcome>> {
        match parsed.statement {
            Statement::Query(q) => {
                let into = crate::kernel::statement_kinds::file_target(q)?;
                s.remark(parsed.remarks);
                Some(s.select_into_file(sql, q, into))
            }
            Statement::Delete(d) if crate::accounts::mysql_db::target(d).is_some() => {
                let table = crate::accounts::mysql_db::target(d)?;
                s.delete_database_grants(sql, parsed.end, &table)
            }
            Statement::AlterTable(_) => s.leave_dumped(&parsed.statement),
            _ => s.change_setup(sql, &parsed.statement).or_else(|| s.leave_dumped(&parsed.statement)),
        }
    }

    fn takes(&self, s: &Session, statement: &Statement<'_>) -> bool {
        s.changes_setup(statement) || s.leaves_dumped(statement)
    }
}

impl Session {
    /// Runs a statement that is no query and no DML.
    pub(crate) fn dispatch(
        &mut self,
        sql: &[u8],
        lexed: &parser::Lexed,
        parsed: &Parsed<'_>,
        out: &mut dyn ResultSink,
    ) -> SqlResult<Outcome> {
        let s = &parsed.statement;
        let span = self.running.span.take().map(|s| (s.start as usize, s.end as usize));
        let (start, end) = span.unwrap_or((lexed.start(), parsed.end));
        self.running.logged = Some(parser::Span { start: start as u32, end: end as u32 });
        self.begin_logged(s, sql.get(start..end).unwrap_or(sql));
        let run = if parsed.params as usize != self.running.arguments.len() {
            // `?` outside a prepared statement
            Err(parser::syntax_error(sql, lexed.start(), parsed.first_param as usize))
        } else {
            self.dispatch_kind(sql, s, out)
        };
        let logged = self.end_logged(run.is_ok()).and_then(|()| self.end_own_definition(s, run.is_ok()));
        let run = run.and_then(|o| logged.map(|()| o));
        match run {
            Ok(o) => Ok(o),
            Err(e) => {
                if self.txn.lent {
                    // what is locked is the calling statement's
                } else if !self.in_transaction() {
                    self.env.mdl.release_transaction();
                } else {
                    self.env.mdl.release_statement();
                }
                Err(e)
            }
        }
    }

    fn dispatch_kind(&mut self, sql: &[u8], s: &Statement<'_>, out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        if let Some(counter) = crate::kernel::com_counters::of_statement(s) {
            self.log.kind_is(&self.env, counter);
            probe::inc(counter);
        }
        self.dispatch_counted(sql, s, out)
    }

    /// The same for a statement that was counted in Com_xxx when it arrived.
    pub(crate) fn dispatch_counted(
        &mut self,
        sql: &[u8],
        s: &Statement<'_>,
        out: &mut dyn ResultSink,
    ) -> SqlResult<Outcome> {
        self.check_row_format(s)?;
        match s {
            // a comment alone is a statement that does nothing; no text at all is error 1065 (from the parser)
            Statement::Empty => Ok(Outcome::ok()),
            Statement::Begin(b) => self.begin(b).map(|()| Outcome::ok()),
            Statement::Commit(c) => {
                let disconnect = self.commit(c)?;
                Ok(Outcome { disconnect, ..Outcome::ok() })
            }
            Statement::Rollback(c) => {
                let disconnect = self.rollback(c)?;
                Ok(Outcome { disconnect, ..Outcome::ok() })
            }
            Statement::Savepoint(n) => self.savepoint(n).map(|()| Outcome::ok()),
            Statement::RollbackTo(n) => self.rollback_to(n).map(|()| Outcome::ok()),
            Statement::ReleaseSavepoint(n) => self.release_savepoint(n).map(|()| Outcome::ok()),
            Statement::SetTransaction(t) => self.set_transaction(t).map(|()| Outcome::ok()),
            Statement::LockTables(list) => self.lock_tables(list, false).map(|()| Outcome::ok()),
            Statement::UnlockTables => {
                if !self.tables.locked.is_empty() {
                    self.commit_before_locks()?;
                }
                self.unlock_tables();
                Ok(Outcome::ok())
            }
            Statement::Set(items) => {
                let done = self.set(sql, items);
                self.tell_generated(done, out)
            }
            Statement::SetRole(r) => self.set_role(r).map(|()| Outcome::ok()),
            Statement::Use(name) => self.use_schema(name).map(|()| Outcome::ok()),
            Statement::Show(show) => self.show(sql, show, out),
            Statement::Describe { table, column } => self.describe(sql, table, *column, out),
            Statement::Explain(e) => self.explain(sql, e, out),
            Statement::Do(list) => {
                self.env.statement.strictness.class = executor::strictness::Class::Lenient;
                let done = self.scalars(sql, list);
                self.env.statement.strictness.class = Default::default();
                done?;
                self.env.counts.found_rows = 1;
                self.statement_succeeded()?;
                Ok(Outcome::ok())
            }
            Statement::Kill(k) => self.kill_statement(sql, k).map(|()| Outcome::ok()),
            Statement::Flush(f) => self.flush(f).map(|()| Outcome::ok()),
            Statement::TableAdmin(a) => self.table_admin(sql, a, out),
            Statement::Prepare(p) => {
                self.track_state();
                self.prepare_named(p).map(|()| Outcome { info: "Statement prepared".to_owned(), ..Outcome::ok() })
            }
            Statement::Execute { name, using } => self.execute_named(name, using, out),
            Statement::Deallocate(name) => {
                self.track_state();
                self.deallocate(name).map(|()| Outcome::ok())
            }
            Statement::Help(what) => self.help(what, out),
            Statement::Xa(x) => self.xa(x, out),
            Statement::CloneData(c) => self.clone_data(c).map(|()| Outcome::ok()),
            Statement::LockInstance => self.lock_instance().map(|()| Outcome::ok()),
            Statement::UnlockInstance => self.unlock_instance().map(|()| Outcome::ok()),
            Statement::Handler(h) => self.check_branch_active().and_then(|()| self.handler(sql, h, out)),
            Statement::LoadData(l) => self.check_branch_active().and_then(|()| self.load_data(sql, l, out)),
            Statement::Shutdown => {
                self.require(Privs::SHUTDOWN, "SHUTDOWN")?;
                self.client.shuts_down = true;
                Ok(Outcome { disconnect: true, ..Outcome::ok() })
            }
            Statement::Restart => {
                self.require(Privs::SHUTDOWN, "SHUTDOWN")?;
                self.restart()?;
                Ok(Outcome { disconnect: true, ..Outcome::ok() })
            }
            Statement::CreateUser(_)
            | Statement::AlterUser(_)
            | Statement::DropUser { .. }
            | Statement::RenameUser(_)
            | Statement::CreateRole { .. }
            | Statement::DropRole { .. }
            | Statement::SetDefaultRole { .. }
            | Statement::Grant(_)
            | Statement::Revoke(_) => {
                self.check_grants_count()?;
                self.commit_for_ddl()?;
                self.check_read_only()?;
                self.lock_granted(s)?;
                self.lock_accounts()?;
                let place = self.log_place()?;
                let done = catalog::accounts::place::within(place, || self.account_statement(s));
                match s {
                    Statement::CreateUser(c) if done.is_ok() => self.log_users(sql, c.users),
                    Statement::AlterUser(a) if done.is_ok() && a.default_roles.is_none() => {
                        self.log_users(sql, a.users);
                    }
                    _ => {}
                }
                let done = self.end_definition(done);
                self.tell_generated(done, out)
            }
            Statement::CreateTable(c) => {
                executor::ddl::parser_errors::check(s, self.env.vars.sql_mode())?;
                let other = self.default_engine(c)?;
                if self.is_there_already(c)? {
                    return Ok(Outcome::ok());
                }
                let done = match c.select {
                    Some(_) => self.create_table_select(sql, s, c)?,
                    None if c.starts_transaction() => self.create_table_to_fill(sql, s)?,
                    None => self.ddl(sql, s)?,
                };
                if other {
                    let e = SqlError::new(ErrorCode::WARN_USING_OTHER_HANDLER, &[&"InnoDB", &c.table.name]);
                    self.env.conv.push(value::Level::Warning, e);
                }
                Ok(done)
            }
            Statement::DropProgram { kind, if_exists, name } => {
                self.drop_program(*kind, *if_exists, name).map(|()| Outcome::ok())
            }
            Statement::Reset { logs, replica } => {
                if let Some(r) = replica {
                    self.reset_replica(r)?;
                }
                self.reset_logs(*logs).map(|()| Outcome::ok())
            }
            Statement::Replica { what, channel } => self.replica_statement(what, *channel).map(|()| Outcome::ok()),
            Statement::Binlog(text) => self.binlog_statement(text).map(|()| Outcome::ok()),
            Statement::Plugin { name, library } => {
                let library = library.map(String::from_utf8_lossy);
                self.plugin_statement(library.is_some(), name, library.as_deref()).map(|()| Outcome::ok())
            }
            Statement::PurgeBinaryLogs(what) => self.purge_binary_logs(sql, what).map(|()| Outcome::ok()),
            Statement::ResetPersist { if_exists, name } => {
                self.reset_persist(*if_exists, *name).map(|()| Outcome::ok())
            }
            Statement::AlterTable(a) => {
                executor::ddl::parser_errors::check(s, self.env.vars.sql_mode())?;
                self.check_engines(a)?;
                self.ddl(sql, s)
            }
            Statement::TruncateTable(t) if self.schema_of(t).eq_ignore_ascii_case("performance_schema") => {
                self.truncate_instruments(t).map(|()| Outcome::ok())
            }
            Statement::DropTable(d) => {
                self.may_drop_definers(s)?;
                let done = self.ddl(sql, s)?;
                self.note_dumped(d);
                Ok(done)
            }
            Statement::TruncateTable(_)
            | Statement::RenameTable(_)
            | Statement::CreateIndex(_)
            | Statement::DropIndex(_)
            | Statement::DropDatabase { .. }
            | Statement::DropView(_) => {
                self.may_drop_definers(s)?;
                self.ddl(sql, s)
            }
            Statement::CreateDatabase(_) | Statement::AlterDatabase(_) => {
                executor::ddl::parser_errors::check(s, self.env.vars.sql_mode())?;
                self.ddl(sql, s)
            }
            Statement::CreateView(v) => self.create_view(sql, v),
            // prepared
            Statement::Query(q) => match crate::kernel::statement_kinds::file_target(q) {
                Some(into) => self.select_into_file(sql, q, into),
                None => Err(SqlError::unsupported("this query as a statement without plan")),
            },
            Statement::ReloadTls { channel, no_rollback } => self.reload_tls(*channel, *no_rollback),
            Statement::Signal(s) => self.signal(sql, s),
            Statement::GetDiagnostics(g) => self.get_diagnostics(sql, g),
            Statement::Unsupported { feature, .. } => Err(SqlError::unsupported(feature)),
            Statement::Call(c) => self.call(sql, c, out),
            Statement::CreateProgram(c) => self.create_program(sql, c).map(|()| Outcome::ok()),
            Statement::AlterRoutine(a) => self.alter_routine(a).map(|()| Outcome::ok()),
            Statement::AlterEvent(a) => self.alter_event(sql, a).map(|()| Outcome::ok()),
            _ => Err(SqlError::unsupported("this statement")),
        }
    }

    /// TRUNCATE TABLE of a table of performance_schema resets what it counts. 1142 for those that cannot be as for an account that may
    /// not, 1146 for unknown ones.
    fn truncate_instruments(&mut self, t: &TableName<'_>) -> SqlResult<()> {
        self.commit_transaction()?;
        // this server's affair
        self.env.binlog.forget_text();
        let schema = "performance_schema";
        if views::virtual_table(schema, t.name).is_none() {
            return Err(SqlError::new(ErrorCode::NO_SUCH_TABLE, &[&schema, &t.name]));
        }
        self.require_on_table(Privs::DROP, schema, t.name)?;
        if views::schema::perf::truncate(t.name, &self.server.connections) {
            return Ok(());
        }
        let (user, host) = (&self.env.security.account.user, &self.env.security.account.host);
        Err(SqlError::new(ErrorCode::TABLEACCESS_DENIED_ERROR, &[&"DROP", user, host, &t.name]))
    }

    /// The engine that CREATE TABLE would use: 3161 if it is disabled. Whether it is another one than InnoDB, by default and not as written.
    fn default_engine(&self, c: &parser::ast::CreateTable<'_>) -> SqlResult<bool> {
        let written = c.options.iter().rev().find_map(|o| match o {
            parser::ast::TableOption::Engine(e) => Some(*e),
            _ => None,
        });
        let by_default = if c.temporary { Var::default_tmp_storage_engine } else { Var::default_storage_engine };
        let default = self.env.vars.get(by_default, &self.env.shared.globals).show();
        let engine = written.unwrap_or(&default);
        self.check_engine(engine)?;
        Ok(written.is_none() && c.like.is_none() && engine != "InnoDB")
    }

    /// 3161 if `disabled_storage_engines` names it.
    pub(crate) fn check_engine(&self, engine: &str) -> SqlResult<()> {
        let disabled = self.env.shared.globals.string(Var::disabled_storage_engines);
        if disabled.split(',').any(|d| d.trim().eq_ignore_ascii_case(engine)) {
            return Err(SqlError::new(ErrorCode::DISABLED_STORAGE_ENGINE, &[&engine]));
        }
        Ok(())
    }

    fn check_engines(&self, a: &parser::ast::AlterTable<'_>) -> SqlResult<()> {
        a.actions.iter().try_for_each(|x| match x {
            parser::ast::AlterAction::Option(parser::ast::TableOption::Engine(e)) => self.check_engine(e),
            _ => Ok(()),
        })
    }

    /// DDL: implicit commit before and after, except for CREATE and DROP TEMPORARY TABLE.
    fn ddl(&mut self, sql: &[u8], s: &Statement<'_>) -> SqlResult<Outcome> {
        let temporary = match s {
            Statement::CreateTable(c) => c.temporary,
            Statement::DropTable(d) => d.temporary,
            _ => false,
        };
        let temporary_only = Gate::new(&self.env).only_temporary(s);
        if temporary {
            self.check_branch_access(true)?;
            if self.txn.read_only {
                return Err(SqlError::new(ErrorCode::CANT_EXECUTE_IN_READ_ONLY_TRANSACTION, &[]));
            }
        } else {
            self.commit_for_ddl()?;
            if !temporary_only {
                self.check_read_only()?;
            }
        }
        if temporary_only {
            self.env.binlog.forget_text();
        }
        if let Statement::CreateTable(c) = s {
            self.log_like(c);
        }
        let cleared = Gate::new(&self.env).ddl(s)?;
        if !temporary && !self.tables.locked.is_empty() && !self.only_toggles_keys(s) {
            self.check_locked_ddl(s)?;
        }
        if !temporary && !temporary_only {
            self.check_global_read_lock()?;
        }
        let (result, mut warnings) = self.with_ddl(sql, |ctx| executor::ddl::execute(ctx, cleared));
        self.env.conv.warning_count += warnings.len() as u64;
        self.env.conv.warnings.append(&mut warnings);
        let result = if self.in_transaction() { result } else { self.end_definition(result) };
        let DdlResult { affected, info, dropped_current_schema } = result?;
        if !self.tables.locked.is_empty() {
            self.follow_locked_tables(s)?;
        }
        if dropped_current_schema {
            self.forget_schema();
        }
        Ok(Outcome { affected, info, row_count: affected as i64, ..Outcome::ok() })
    }

    /// `ALTER TABLE ... ENABLE/DISABLE KEYS` of a table locked for writing: what mysqldump's output says around a table's rows. It changes nothing.
    fn only_toggles_keys(&self, s: &Statement<'_>) -> bool {
        let Statement::AlterTable(a) = s else { return false };
        let schema = self.schema_of(&a.table);
        let locked = self.tables.locked.iter().any(|l| l.write && l.is(&schema, a.table.name));
        locked
            && !a.actions.is_empty()
            && a.actions.iter().all(|x| matches!(x, AlterAction::EnableKeys | AlterAction::DisableKeys))
    }
}
