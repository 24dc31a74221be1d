//! EXPLAIN: of a statement, of what another connection runs, and EXPLAIN ANALYZE.
//!
//! The statement is planned for its text alone (constants stay constants), under the metadata locks and with the privileges it would need to
//! run. A query's canonical text is left as note 1003, for SHOW WARNINGS.

use crate::kernel::plans::CachedPlan;
use crate::kernel::resolver::SessionResolver;
use crate::kernel::session::Session;
use crate::results::columns;
use crate::results::outcome::Outcome;
use crate::results::table::{Cell, Table};
use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use catalog::accounts::Privs;
use catalog::client::ResultSink;
use catalog::sysvar::Var;
use executor::UserVar;
use executor::gate::Gate;
use parser::ast::{Explain, ExplainFormat, ExplainTarget, QueryExpr, Statement};
use planner::Request;
use planner::plan::Plan;
use value::{Level, OwnedValue, Warning};

/// Number of the note with a query's canonical text (ER_YES).
const YES: u16 = 1003;
/// Bytes of another connection's statement that can be seen (the process list keeps no more).
const SEEN: usize = 64 * 1024;

impl Session {
    /// EXPLAIN [ANALYZE] [FORMAT = ...] [INTO @v] statement | FOR CONNECTION id.
    pub(crate) fn explain(&mut self, sql: &[u8], e: &Explain<'_>, out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        let format = match (e.format, self.env.vars.num(Var::explain_format)) {
            (Some(f), _) => f,
            (None, _) if e.analyze => ExplainFormat::Tree,
            (None, 2) => ExplainFormat::Tree,
            (None, 3) => ExplainFormat::Json,
            (None, _) => ExplainFormat::Traditional,
        };
        if e.analyze && format != ExplainFormat::Tree {
            let name = if format == ExplainFormat::Json { "JSON" } else { "TRADITIONAL" };
            return Err(SqlError::unsupported(format!("EXPLAIN ANALYZE with {name} format")));
        }
        if e.into.is_some() && format != ExplainFormat::Json {
            return Err(SqlError::unsupported("EXPLAIN INTO without FORMAT=JSON"));
        }
        let table = match &e.target {
            ExplainTarget::Statement(s) => {
                let vars = planner::set_vars(sql);
                Some(self.with_hinted(&vars, |x| x.explained(sql, s, format, e.analyze))?)
            }
            ExplainTarget::Connection(id) => self.explain_connection(*id, format)?,
        };
        self.statement_succeeded()?;
        if let Some(name) = e.into {
            let text = match table.as_ref().and_then(|t| t.rows.first()).and_then(|r| r.first()) {
                Some(Cell::Text(t)) => OwnedValue::Str(t.as_bytes().into()),
                _ => OwnedValue::Null,
            };
            let var = UserVar::new(text, value::json::convert::text_type());
            self.env.user_vars.insert(name.to_lowercase().into(), var);
            return Ok(Outcome::ok());
        }
        table.unwrap_or_else(|| empty(format)).send(self.env.vars.collation(Var::character_set_results), out)?;
        Ok(Outcome::rows())
    }

    /// The answer for a statement.
    fn explained(&mut self, sql: &[u8], s: &Statement<'_>, format: ExplainFormat, run: bool) -> SqlResult<Table> {
        // no file is written, nor is one spoken of
        let bare = match s {
            Statement::Query(q) if crate::kernel::statement_kinds::file_target(q).is_some() => {
                Some(QueryExpr { into: None, ..**q })
            }
            _ => None,
        };
        let unwritten = bare.as_ref().map(Statement::Query);
        let s = unwritten.as_ref().filter(|_| !run).unwrap_or(s);
        if self.traces() {
            self.start_trace(sql);
        }
        let plan = self.plan_locked(sql, s);
        if self.traces() {
            let trace = self.finish_trace(sql, sql, s, plan.as_ref().ok().map(|p| &p.plan), run);
            self.keep_trace(trace);
        }
        let plan = plan?;
        for w in &plan.plan.notes.warnings {
            self.env.conv.warnings.push(w.clone());
            self.env.conv.warning_count += 1;
        }
        if !run {
            let params = self.parameters().1;
            executor::read_constants(plan.cleared(&self.env)?, &params, &mut self.env)?;
        }
        let table = if run { self.analyzed(&plan)? } else { shown(&plan.plan, format) };
        if !run && format != ExplainFormat::Tree {
            let (types, _) = self.parameters();
            let resolver = SessionResolver(&self.env);
            let request = Request::plain(sql, &resolver).with(&types);
            let message = match s {
                Statement::Query(q) => Some(planner::view::canonical(q, &request)?),
                s => planner::view::canonical_dml(s, &request, self.env.schema.as_deref().unwrap_or_default())?,
            };
            if let Some(message) = message {
                self.env.conv.warnings.push(Warning { level: Level::Note, code: YES, message });
                self.env.conv.warning_count += 1;
            }
        }
        Ok(table)
    }

    /// Plans and takes what running would take: metadata locks, checked privileges.
    fn plan_locked(&mut self, sql: &[u8], s: &Statement<'_>) -> SqlResult<CachedPlan> {
        let (types, values) = self.parameters();
        let plan = self.ready(|x| {
            let plan = x.plan_counted(&values, |resolver, counted| {
                planner::plan(s, &Request { counted, ..Request::plain(sql, resolver).with(&types) })
            })?;
            if !Gate::new(&x.env).sees_below(&plan) {
                return Err(SqlError::new(ErrorCode::VIEW_NO_EXPLAIN, &[]));
            }
            let mut plan = CachedPlan::new(plan, &x.env);
            plan.locking = false; // nothing is locked
            Ok(plan)
        });
        // of a view that cannot be used it is not told why
        let p = &self.env.security.account.privileges;
        let told = p.has_global(Privs::SELECT.with(Privs::SHOW_VIEW)) && p.restrictions.is_empty();
        plan.map_err(|e| match e.is(ErrorCode::VIEW_INVALID) && !told {
            true => SqlError::new(ErrorCode::VIEW_NO_EXPLAIN, &[]),
            false => e,
        })
    }

    /// EXPLAIN ANALYZE: runs the query and shows what was measured.
    fn analyzed(&mut self, plan: &CachedPlan) -> SqlResult<Table> {
        self.check_guards(&plan.plan)?;
        let uses_tables = !plan.plan.tables.is_empty();
        self.note_tables(uses_tables);
        self.statement_start(uses_tables);
        let (cleared, params) = (plan.cleared(&self.env)?, self.parameters().1);
        let measures = executor::analyze(cleared, &params, &mut self.env)?;
        let mut t = empty(ExplainFormat::Tree);
        t.push(vec![planner::explain::tree(&plan.plan, Some(&|node| measures.of(node))).into()]);
        Ok(t)
    }

    /// EXPLAIN FOR CONNECTION: the statement that another connection runs; `None`: it runs none. 1094, 3012; 1227 without PROCESS.
    fn explain_connection(&mut self, id: u64, format: ExplainFormat) -> SqlResult<Option<Table>> {
        let target = self.server.connections.get(id).ok_or_else(|| SqlError::new(ErrorCode::NO_SUCH_THREAD, &[&id]))?;
        let row = target.row();
        if row.who.user != self.env.security.user.0 {
            self.require(Privs::PROCESS, "PROCESS")?;
        }
        let refused = || SqlError::new(ErrorCode::EXPLAIN_NOT_SUPPORTED, &[]);
        let Some(text) = row.info else { return Ok(None) };
        if text.len() >= SEEN {
            return Err(SqlError::unsupported("EXPLAIN FOR CONNECTION of so long a statement"));
        }
        let mut lexed = parser::Lexed::new();
        lexed.tokenize(&text, 0, parser::Mode::default());
        let arena = Bump::new();
        let parsed = parser::parse(&arena, &text, &mut lexed).map_err(|_| refused())?;
        let plannable = matches!(
            parsed.statement,
            Statement::Query(_) | Statement::Insert(_) | Statement::Update(_) | Statement::Delete(_)
        );
        if !plannable || parsed.params > 0 {
            return Err(refused());
        }
        // names mean what they mean there
        let schema = std::mem::replace(&mut self.env.schema, row.who.db.as_deref().map(Into::into));
        let done = self.plan_locked(&text, &parsed.statement);
        self.env.schema = schema;
        Ok(Some(shown(&done?.plan, format)))
    }
}

/// The columns of the answer.
fn empty(format: ExplainFormat) -> Table {
    match format {
        ExplainFormat::Json | ExplainFormat::Tree => Table::new(columns::EXPLAIN_TEXT),
        ExplainFormat::Traditional => Table::new(columns::EXPLAIN).not_null(&["id", "select_type", "Extra"]),
    }
}

/// A plan in a format.
fn shown(plan: &Plan, format: ExplainFormat) -> Table {
    let mut t = empty(format);
    match format {
        ExplainFormat::Json => t.push(vec![planner::explain::json(plan).into()]),
        ExplainFormat::Tree => t.push(vec![planner::explain::tree(plan, None).into()]),
        ExplainFormat::Traditional => {
            for r in planner::explain::rows(plan) {
                t.push(r.into_iter().map(|c| c.map_or(Cell::Null, Cell::Text)).collect());
            }
        }
    }
    t
}
