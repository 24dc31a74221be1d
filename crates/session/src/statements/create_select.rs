//! CREATE [TEMPORARY] TABLE ... SELECT.
//!
//! The query is planned to learn its columns, then the table is made (`executor::ddl::select`), which nobody else can
//! see: its files exist, its name does not. An INSERT ... SELECT with the same query fills it through the session's
//! transaction. For a permanent table that transaction is the statement's own and commits before the name appears; a
//! temporary table is filled in the open transaction.
//!
//! Failure: the rows are rolled back and the files removed. Crash before the name appears: the DDL log removes the
//! files.
//!
//! Tested: `tests/sql/golden/create_select.sql`.

use crate::kernel::plans::CachedPlan;
use crate::kernel::resolver::SessionResolver;
use crate::kernel::session::Session;
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlError, SqlResult};
use executor::ddl::select::{self, Target};
use executor::gate::{Cleared, Gate};
use parser::ast::{self, ColumnRef, Insert, InsertSource, OnDuplicate, Priority, Span, Statement};
use planner::Request;
use planner::expr::VarScope;
use planner::plan::{Body, Plan, Reads};
use planner::resolve::{Resolved, Resolver, TableStats, Wish};
use std::sync::Arc;
use storage::dict::TableDef;
use value::{CollationId, SqlMode, SqlType};

/// Names as the session sees them, and the table that is being filled.
struct Filling<'e> {
    session: SessionResolver<'e>,
    target: Arc<TableDef>,
}

impl Resolver for Filling<'_> {
    fn local(&self, slot: u32) -> Option<SqlType> {
        self.session.local(slot)
    }
    fn stored_function(
        &self,
        schema: Option<&str>,
        name: &str,
    ) -> SqlResult<Option<Arc<storage::dict::ProgramDefinition>>> {
        self.session.stored_function(schema, name)
    }
    fn account(&self) -> (&str, &str) {
        self.session.account()
    }
    fn locks_reads(&self) -> bool {
        self.session.locks_reads()
    }
    fn hidden_function(&self, schema: &str, name: &str) -> Option<SqlError> {
        self.session.hidden_function(schema, name)
    }
    fn names_hidden(&self) -> bool {
        self.session.names_hidden()
    }
    fn table(&self, schema: &str, name: &str, wish: &Wish<'_>) -> SqlResult<Resolved> {
        if schema == self.target.schema && name == self.target.name {
            return Ok(Resolved::Base(self.target.clone()));
        }
        self.session.table(schema, name, wish)
    }
    fn behind(&self, schema: &str, name: &str) -> Option<Arc<TableDef>> {
        self.session.behind(schema, name)
    }
    fn hidden_column(&self, schema: &str, table: &str, column: &str, update: bool) -> Option<SqlError> {
        self.session.hidden_column(schema, table, column, update)
    }
    fn user(&self) -> (&str, &str) {
        self.session.user()
    }
    fn current_schema(&self) -> Option<&str> {
        self.session.current_schema()
    }
    fn stats(&self, table: &TableDef) -> TableStats {
        self.session.stats(table)
    }
    fn sql_mode(&self) -> SqlMode {
        self.session.sql_mode()
    }
    fn connection_collation(&self) -> CollationId {
        self.session.connection_collation()
    }
    fn client_collation(&self) -> CollationId {
        self.session.client_collation()
    }
    fn client_charset(&self) -> value::Charset {
        self.session.client_charset()
    }
    fn results_collation(&self) -> CollationId {
        self.session.results_collation()
    }
    fn system_variable(&self, scope: VarScope, name: &str) -> SqlResult<SqlType> {
        self.session.system_variable(scope, name)
    }
    fn user_variable(&self, name: &str) -> Option<SqlType> {
        self.session.user_variable(name)
    }
    fn select_limit(&self) -> u64 {
        u64::MAX
    }
    fn setting(&self, name: &str) -> u64 {
        self.session.setting(name)
    }
}

impl Session {
    /// Runs the statement.
    pub(crate) fn create_table_select(
        &mut self,
        sql: &[u8],
        statement: &Statement<'_>,
        s: &ast::CreateTable<'_>,
    ) -> SqlResult<Outcome> {
        let Some(query) = s.select else { return Err(SqlError::unsupported("CREATE TABLE without a query here")) };
        let schema = self.schema_of(&s.table);
        if s.temporary {
            if self.txn.read_only {
                return Err(SqlError::new(ErrorCode::CANT_EXECUTE_IN_READ_ONLY_TRANSACTION, &[]));
            }
        } else {
            self.commit_transaction()?;
            self.check_read_only()?;
            self.check_global_read_lock()?;
        }
        // the commit before it ends no transaction under a GTID that was given: the statement is that
        self.env.binlog.forget_text();
        let cleared = Gate::new(&self.env).ddl(statement)?;
        if !s.temporary && !self.tables.locked.is_empty() {
            return Err(SqlError::new(ErrorCode::TABLE_NOT_LOCKED, &[&s.table.name]));
        }
        let plan = match self.lock_query(sql, query) {
            // MySQL opens tables, the new one too, before it reads the query
            Err(e)
                if !e.is(ErrorCode::NO_SUCH_TABLE)
                    && !s.if_not_exists
                    && self.env.identity(&schema, s.table.name).is_some() =>
            {
                return Err(SqlError::new(ErrorCode::TABLE_EXISTS_ERROR, &[&s.table.name]));
            }
            plan => plan?,
        };
        if let Some(t) = crate::kernel::programs::closure::changed(&mut self.env, &plan) {
            let code = ErrorCode::CANT_UPDATE_TABLE_IN_CREATE_TABLE_SELECT;
            return Err(SqlError::new(code, &[&t, &s.table.name]));
        }
        let logged = self.env.binlog.on();
        let (target, warnings) = self.with_ddl(sql, |ctx| select::prepare(ctx, cleared, &plan, logged));
        self.env.conv.warning_count += warnings.len() as u64;
        let mut warnings = warnings;
        self.env.conv.warnings.append(&mut warnings);
        let Some(target) = target? else {
            self.statement_succeeded()?;
            return Ok(Outcome::ok());
        };
        self.fill(sql, s, query, &plan, target)
    }

    /// CREATE TABLE ... START TRANSACTION (`kernel::filling`).
    pub(crate) fn create_table_to_fill(&mut self, sql: &[u8], statement: &Statement<'_>) -> SqlResult<Outcome> {
        self.commit_for_ddl()?;
        self.check_read_only()?;
        let text = self.env.binlog.take_text().filter(|_| self.logs_text());
        let cleared = Gate::new(&self.env).ddl(statement)?;
        if !self.tables.locked.is_empty() {
            self.check_locked_ddl(statement)?;
        }
        self.check_global_read_lock()?;
        let (target, mut warnings) = self.with_ddl(sql, |ctx| select::prepare_written(ctx, cleared));
        self.env.conv.warning_count += warnings.len() as u64;
        self.env.conv.warnings.append(&mut warnings);
        let target = target?;
        // a key that is generated here is in the text that goes on, as in CREATE TABLE
        let text = match (statement, &target, text) {
            (Statement::CreateTable(c), Some(t), Some(_)) if t.table.def.has_generated_key() => {
                Some(self.log_filled(c, &t.table.def))
            }
            (_, _, text) => text,
        };
        self.begin_filling(target, text)?;
        Ok(Outcome::ok())
    }

    /// Whether `binlog-do-db` and `binlog-ignore-db` let a text through.
    fn logs_text(&self) -> bool {
        executor::binlog::wants(&self.env, self.env.schema.as_deref())
    }

    /// Plans the query and takes its tables' metadata locks.
    fn lock_query(&mut self, sql: &[u8], query: &ast::QueryExpr<'_>) -> SqlResult<Plan> {
        let (types, _) = self.parameters();
        let plan = self.ready(|s| {
            let resolver = SessionResolver(&s.env);
            let plan = planner::plan(&Statement::Query(query), &Request::plain(sql, &resolver).with(&types))?;
            if matches!(&plan.body, Body::Select(q) if !q.into_vars.is_empty()) {
                return Err(SqlError::new(ErrorCode::WRONG_USAGE, &[&"CREATE TABLE", &"INTO"]));
            }
            Ok(CachedPlan::new(plan, &s.env))
        })?;
        Ok(plan.plan)
    }

    fn fill(
        &mut self,
        sql: &[u8],
        s: &ast::CreateTable<'_>,
        query: &ast::QueryExpr<'_>,
        plan: &Plan,
        target: Target,
    ) -> SqlResult<Outcome> {
        self.env.temp.set_pending(Some(target.table.clone()));
        let start = match s.temporary {
            true => self.statement_start(true),
            false => {
                self.env.binlog.begin_statement();
                self.env.trx.begin_statement()
            }
        };
        if self.env.binlog.on() && !s.temporary && self.logs_text() {
            let text = self.log_filled(s, &target.table.def);
            self.env.log_table(&text);
        }
        let done = self.insert_rows(sql, s, query, plan, &target);
        self.env.temp.set_pending(None);
        let filled = match done {
            Ok(r) if s.temporary => Ok((r, None)),
            Ok(r) => self.commit_rows().map(|events| (r, events)),
            Err(e) => Err(e),
        };
        let engine = self.server.engine.clone();
        match filled {
            Ok((r, events)) => {
                target.publish(&mut self.env, events)?;
                self.statement_succeeded()?;
                if !self.in_transaction() {
                    self.env.mdl.release_transaction();
                }
                Ok(Outcome { affected: r.affected, info: r.info, row_count: r.affected as i64, ..Outcome::ok() })
            }
            Err(e) => {
                if s.temporary {
                    self.statement_failed(Some(start), &e);
                } else {
                    let _ = self.rollback_transaction();
                }
                target.discard(&engine);
                Err(e)
            }
        }
    }

    fn insert_rows(
        &mut self,
        sql: &[u8],
        s: &ast::CreateTable<'_>,
        query: &ast::QueryExpr<'_>,
        plan: &Plan,
        target: &Target,
    ) -> SqlResult<executor::DmlResult> {
        let columns: Vec<ColumnRef<'_>> = plan
            .columns
            .columns()
            .iter()
            .map(|c| ColumnRef { span: Span::default(), schema: None, table: None, column: &c.name })
            .collect();
        let insert = Insert {
            replace: s.on_duplicate == OnDuplicate::Replace,
            priority: Priority::Normal,
            ignore: s.on_duplicate == OnDuplicate::Ignore,
            hints: None,
            table: s.table,
            partitions: &[],
            columns: &columns,
            has_columns: true,
            source: InsertSource::Query(query),
            row_alias: None,
            column_aliases: &[],
            on_duplicate: &[],
        };
        let (types, values) = self.parameters();
        let plan = self.plan_counted(&values, |resolver, counted| {
            let resolver = Filling { session: SessionResolver(resolver.0), target: target.table.def.clone() };
            let request = Request::plain(sql, &resolver).with(&types);
            planner::plan(&Statement::Insert(&insert), &Request { counted, ..request })
        })?;
        // the commit before has made the snapshot as new as locks would make it, and nobody waits for a table that is copied
        let mut plan = Plan { reads: Reads::Consistent, ..plan };
        // INSERT on the new table was asked for, which is enough for REPLACE too
        plan.tables.iter_mut().filter(|t| t.def.id == target.table.def.id).for_each(|t| t.privileges = 0);
        self.plan_warnings(&plan);
        executor::dml(Cleared::check(&plan, &self.env)?, &values, &mut self.env)
    }
}
