//! Prepared statements of both protocols, and cursors.
//!
//! A statement's plan is made at PREPARE (for its metadata) and again when a table changed or the parameters' types are
//! others than it was made for. Statements that have no plan (SET, SHOW, DDL, INTO OUTFILE ...) are parsed anew at each
//! execution; their parameters are in `Session::arguments` meanwhile ([`preparable`]). A cursor's rows are kept in the
//! session until they are fetched.

mod parameter_types;
mod parameters;
mod preparable;

use crate::kernel::plans::{CachedPlan, PreparedPlan};
use crate::kernel::resolver::SessionResolver;
use crate::kernel::run::{has_statement, too_deep, trailing_text};
use crate::kernel::server::Server;
use crate::kernel::session::Session;
use crate::logs::measures::Begun;
use crate::logs::named::{Named, Verb};
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use catalog::client::{CursorType, EndRows, Param, Prepared, ResultMeta, ResultSink, RowFormat, StatusFlags};
use catalog::connections::{Connection, PreparedInstance};
use catalog::sysvar::Var;
use executor::UserVar;
use executor::binlog::GivenGtid;
use executor::gate::Cleared;
use hashbrown::HashMap;
use parameter_types::Places;
pub(crate) use parameters::decimal_type;
use parameters::{in_collation, parameter, same_kind, text_of};
use parser::Lexed;
use parser::ast::{PrepareSource, Statement};
use parser::secrets::Kept;
use planner::Request;
use planner::resolve::Resolver;
use preparable::{asks_for_diagnostics, has_plan, refused, takes_parameters};
use probe::Counter;
use probe::instruments::Instrument;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use value::{CollationId, OwnedValue, SqlType, TypeKind};

pub(crate) use crate::results::collector::Collector;

/// One prepared statement.
pub(crate) struct PreparedStatement {
    sql: Arc<[u8]>,
    params: u32,
    plan: Option<Arc<PreparedPlan>>,
    /// Types of the parameters (`parameter_types.rs`).
    derived: Arc<Places>,
    planned: bool,
    /// A query with INTO, which no cursor runs over.
    has_into: bool,
    /// CALL, whose results come as they are when a cursor is asked for.
    calls: bool,
    cursor: Option<Cursor>,
    /// The lexer's key of the text.
    tokens: u128,
    /// collation_connection when it was prepared: texts become texts of it.
    collation: CollationId,
    /// The default database when it was prepared: it is executed in that one (as MySQL does, whatever USE says meanwhile).
    schema: Option<Arc<str>>,
    /// What performance_schema shows of it.
    instance: Arc<PreparedInstance>,
    /// An EXECUTE of it is on its way: a program that it calls may neither execute nor replace it (1444).
    running: bool,
}

/// Rows of an open cursor.
struct Cursor {
    columns: usize,
    rows: Vec<Box<[u8]>>,
    next: usize,
}

/// A session's statements.
pub(crate) struct Statements {
    connection: Arc<Connection>,
    by_id: HashMap<u32, PreparedStatement>,
    names: HashMap<String, u32>,
    last: u32,
}

impl Statements {
    pub(crate) fn new(connection: Arc<Connection>) -> Statements {
        Statements { connection, by_id: HashMap::default(), names: HashMap::default(), last: 0 }
    }

    /// 1444 for one of this name that runs.
    fn rests(&self, name: &str) -> SqlResult<()> {
        match self.names.get(name).and_then(|id| self.by_id.get(id)) {
            Some(s) if s.running => Err(SqlError::new(ErrorCode::PS_NO_RECURSION, &[])),
            _ => Ok(()),
        }
    }

    fn set_running(&mut self, id: u32, on: bool) {
        if let Some(s) = self.by_id.get_mut(&id) {
            s.running = on;
        }
    }

    fn insert(&mut self, id: u32, s: PreparedStatement) {
        self.connection.prepared.lock().insert(id, s.instance.clone());
        self.by_id.insert(id, s);
    }

    /// A statement's text.
    pub(crate) fn text(&self, id: u32) -> Option<Arc<[u8]>> {
        self.by_id.get(&id).map(|s| s.sql.clone())
    }

    pub(crate) fn close(&mut self, id: u32, server: &Server) {
        if self.by_id.remove(&id).is_some() {
            self.connection.prepared.lock().remove(&id);
            server.prepared.fetch_sub(1, Ordering::Relaxed);
        }
    }

    pub(crate) fn reset(&mut self, id: u32) -> SqlResult<()> {
        match self.by_id.get_mut(&id) {
            Some(s) => {
                s.cursor = None;
                Ok(())
            }
            None => Err(unknown(id, "mysqld_stmt_reset")),
        }
    }

    pub(crate) fn drop_all(&mut self, server: &Server) {
        server.prepared.fetch_sub(self.by_id.len() as u64, Ordering::Relaxed);
        self.by_id.clear();
        self.connection.prepared.lock().clear();
        self.names.clear();
    }
}

/// The expression of an assignment of SET; a word alone may be a value.
pub(crate) fn assigned<'a>(item: &parser::ast::SetItem<'a>) -> Option<parser::ast::Expr<'a>> {
    match item {
        parser::ast::SetItem::UserVar { value, .. } => Some(*value),
        parser::ast::SetItem::Var { value: parser::ast::SetValue::Expr(e), .. } => {
            (!matches!(e.kind, parser::ExprKind::Column(_))).then_some(*e)
        }
        _ => None,
    }
}

fn unknown(id: u32, what: &str) -> SqlError {
    SqlError::new(ErrorCode::UNKNOWN_STMT_HANDLER, &[&id, &what])
}

impl Session {
    /// Parses and plans; registers the statement.
    fn prepare_text(&mut self, sql: &[u8]) -> SqlResult<u32> {
        let sql = crate::text::trimmed(sql);
        let limit = self.env.shared.globals.num(Var::max_prepared_stmt_count);
        if self.server.prepared.load(Ordering::Relaxed) >= limit {
            return Err(SqlError::new(ErrorCode::MAX_PREPARED_STMT_COUNT_REACHED, &[&limit]));
        }
        let began = sys::clock::now_ns();
        let arena = Bump::new();
        let mut lexed = Lexed::new();
        crate::text::tokenize(&self.env, &mut lexed, sql, 0);
        let tokens = lexed.key();
        let parsed =
            parser::parse(&arena, sql, &mut lexed).map_err(|e| crate::text::told_in_utf8(&self.env, e, sql, &lexed))?;
        self.check_parser_memory(arena.allocated_bytes())?;
        self.check_preparable(sql, &lexed, &parsed)?;
        let planned = has_plan(&parsed.statement) && !self.server.unplanned.takes(self, &parsed.statement);
        let params = parsed.params;
        let (mut text, mut plan) = (Arc::<[u8]>::from(sql), None);
        if planned {
            let types = vec![SqlType::new(TypeKind::Null); params as usize];
            let made = self.plan_prepared(&lexed, &parsed.statement, sql, types, None, true)?;
            let cleared = made.plan.cleared(&self.env)?;
            if made.plan.writes || made.plan.locking {
                self.check_transaction_access()?;
            }
            // what they warn of is said by each execution
            let said = self.env.conv.warned();
            executor::read_constants(cleared, &[], &mut self.env)?;
            self.env.conv.forget_since(said);
            text = made.sql.clone();
            plan = Some(made);
        }
        let instance = Arc::new(PreparedInstance {
            name: Default::default(),
            text: Kept::of(&text, crate::text::escapes(&self.env)),
            event: self.env.client.connection.activity.event.load(Ordering::Relaxed),
            prepare_ns: sys::clock::now_ns().saturating_sub(began),
            reprepared: Default::default(),
            stats: Default::default(),
        });
        let has_into = matches!(parsed.statement, Statement::Query(q) if q.into.is_some());
        let calls = matches!(parsed.statement, Statement::Call(_));
        let derived = plan.as_ref().map_or_else(Arc::default, |p| Places::of(&p.plan.plan.notes));
        let collation = self.env.vars.collation(Var::collation_connection);
        let s = PreparedStatement {
            sql: text,
            params,
            plan,
            derived,
            planned,
            has_into,
            calls,
            cursor: None,
            tokens,
            collation,
            schema: self.env.schema.clone(),
            instance,
            running: false,
        };
        self.env.mdl.release_statement();
        self.statements.last = self.statements.last.wrapping_add(1).max(1);
        let id = self.statements.last;
        self.server.prepared.fetch_add(1, Ordering::Relaxed);
        self.statements.insert(id, s);
        Ok(id)
    }

    /// Whether a statement can be prepared: one, of those that MySQL prepares, with `?` where they may stand.
    fn check_preparable(&mut self, sql: &[u8], lexed: &Lexed, parsed: &parser::Parsed<'_>) -> SqlResult<()> {
        if has_statement(sql, parsed.end, lexed.mode()) {
            return Err(trailing_text(sql, parsed.end));
        }
        if matches!(parsed.statement, Statement::Empty) {
            return Err(SqlError::new(ErrorCode::EMPTY_QUERY, &[]));
        }
        if parsed.depth > 400 {
            return Err(too_deep());
        }
        if parsed.params > 65_535 {
            return Err(SqlError::new(ErrorCode::PS_MANY_PARAM, &[]));
        }
        self.check_sandbox(&parsed.statement)?;
        self.check_filling_command()?;
        self.remark(parsed.remarks);
        if refused(&parsed.statement) || asks_for_diagnostics(sql, lexed) {
            return Err(SqlError::new(ErrorCode::UNSUPPORTED_PS, &[]));
        }
        if matches!(parsed.statement, Statement::CreateView(_)) && parsed.params > 0 {
            return Err(SqlError::new(ErrorCode::VIEW_SELECT_VARIABLE, &[]));
        }
        if !has_plan(&parsed.statement) && parsed.params > 0 && !takes_parameters(&parsed.statement) {
            return Err(parser::syntax_error(sql, lexed.start(), parsed.first_param as usize));
        }
        self.check_named(sql, parsed)
    }

    /// What the expressions of a statement without plan name is looked at when it is prepared too, as in MySQL.
    fn check_named(&mut self, sql: &[u8], parsed: &parser::Parsed<'_>) -> SqlResult<()> {
        let exprs: Vec<parser::ast::Expr<'_>> = match &parsed.statement {
            Statement::Do(list) => list.to_vec(),
            Statement::Set(items) => items.iter().filter_map(assigned).collect(),
            Statement::Call(c) => {
                crate::kernel::programs::check_call(&mut self.env, c)?;
                c.args.to_vec()
            }
            _ => return Ok(()),
        };
        let is_call = matches!(parsed.statement, Statement::Call(_));
        if !is_call && !exprs.iter().any(crate::kernel::statement_kinds::names_tables) {
            return Ok(());
        }
        let types = vec![SqlType::new(TypeKind::Null); parsed.params as usize];
        let resolver = SessionResolver(&self.env);
        let plan = planner::plan_scalars(&exprs, &Request::plain(sql, &resolver).with(&types))?;
        Cleared::check(&plan, &self.env).map(drop)
    }

    /// What may change between the executions of a statement without its tables changing.
    fn plan_settings(&self) -> [u64; 2] {
        [Var::sql_select_limit, Var::optimizer_switch].map(|v| self.env.vars.num(v))
    }

    /// A plan for these parameter types: another session's if there is one (`reuse`), its tables have not changed and it suits the `values`.
    fn plan_prepared(
        &mut self,
        lexed: &Lexed,
        statement: &Statement<'_>,
        sql: &[u8],
        types: Vec<SqlType>,
        values: Option<&[OwnedValue]>,
        reuse: bool,
    ) -> SqlResult<Arc<PreparedPlan>> {
        let key = self.plan_key(lexed.key());
        let server = self.server.clone();
        let shared = &server.prepared_plans;
        if reuse
            && let Some(p) = shared.find(key, sql, &types)
            && self.is_current(&p.plan)
            && values.is_none_or(|v| self.suits(&p.plan, v))
        {
            return Ok(p);
        }
        let params = types.len() as u32;
        let before = base::memory::live();
        let make = |resolver: &SessionResolver<'_>, counted: &[(planner::RangeKey, f64)]| {
            planner::plan(
                statement,
                &Request {
                    sql,
                    from: 0,
                    resolver,
                    lift: false,
                    param_types: &types,
                    params,
                    fixed: Vec::new(),
                    peek: &[],
                    counted,
                },
            )
        };
        let plan = match values {
            Some(v) => self.plan_counted(v, make),
            None => make(&SessionResolver(&self.env), &[]),
        };
        let plan = plan.map_err(|e| self.barred(statement, e))?;
        let shareable = !plan.notes.uncacheable;
        let results = self.env.vars.num(Var::character_set_results);
        let plan = CachedPlan::new(plan, &self.env).made_since(before);
        let settings = self.plan_settings();
        let plan = Arc::new(PreparedPlan { sql: sql.into(), types, results, settings, plan });
        if shareable && plan.plan.epoch == 0 {
            shared.insert(key, &plan);
        }
        Ok(plan)
    }

    /// COM_STMT_PREPARE.
    pub(crate) fn prepare_binary(&mut self, sql: &[u8]) -> SqlResult<Prepared> {
        probe::inc(probe::Counter::ComStmtPrepare);
        self.check_online()?;
        self.log.general(&self.env, "Prepare", sql);
        self.begin_statement();
        let begun = self.log.measure(&self.env, 0);
        let result = self.prepare_text(sql);
        self.prepared(begun, sql, &result);
        let id = match result {
            Ok(id) => id,
            Err(e) => {
                self.statement_failed(None, &e);
                let _ = self.end_statement(Err::<Outcome, _>(e.clone()));
                return Err(e);
            }
        };
        if !self.in_transaction() {
            self.env.mdl.release_transaction();
        }
        let _ = self.end_statement(Ok(Outcome::ok()));
        let s = self.statements.by_id.get(&id).ok_or_else(|| unknown(id, "mysqld_stmt_prepare"))?;
        let results = SessionResolver(&self.env).results_collation();
        let params = (0..s.params).map(|i| s.derived.column(i, results)).collect();
        let columns = match &s.plan {
            Some(p) => p.plan.plan.columns.clone(),
            None => Arc::new(ResultMeta::default()),
        };
        Ok(Prepared { id, params, columns, warnings: self.warning_count() })
    }

    /// performance_schema is told of COM_STMT_PREPARE.
    fn prepared(&mut self, begun: Option<Begun>, sql: &[u8], result: &SqlResult<u32>) {
        let known = result.as_ref().ok().and_then(|id| self.statements.by_id.get(id));
        let (text, tokens) = known.map_or_else(|| (Arc::from(sql), 0), |s| (s.sql.clone(), s.tokens));
        let named = Named { kind: Instrument::PREPARE, verb: Verb::Prepare, text, tokens };
        self.log.instrument.is_about(Some(named));
        let result = result.as_ref().map(|_| Outcome::ok()).map_err(SqlError::clone);
        self.log.measured(&self.env, begun, sql, &result, String::new);
    }

    /// COM_STMT_EXECUTE.
    pub(crate) fn execute_binary(
        &mut self,
        id: u32,
        params: &[Param<'_>],
        cursor: CursorType,
        out: &mut dyn ResultSink,
    ) -> SqlResult<()> {
        probe::inc(probe::Counter::ComStmtExecute);
        let values = {
            let statement = self.statements.by_id.get(&id);
            let connection =
                statement.map_or_else(|| self.env.vars.collation(Var::collation_connection), |s| s.collation);
            let client = self.env.vars.collation(Var::character_set_client);
            // parameters are in the client's character set and become texts of the connection's, as literals do
            let sets = (client.charset(), connection.charset());
            let same = sets.0 == sets.1 || sets.0.is_utf8() && sets.1.is_utf8();
            let texts = client != CollationId::BINARY && connection != CollationId::BINARY;
            let from = (!same && texts).then_some(client);
            let c = if sets.0 == sets.1 || from.is_some() { connection } else { client };
            let zone = &self.env.conv.time_zone;
            params.iter().map(|p| parameter(p, c, from, zone)).collect::<SqlResult<Vec<_>>>()
        };
        self.check_online()?;
        self.begin_statement();
        let values = match values {
            Ok(v) => v,
            Err(e) => return self.end_statement(Err(e)).map(|_: Outcome| ()),
        };
        if self.env.shared.globals.bool(Var::general_log)
            && let Some(sql) = self.statements.text(id)
        {
            self.log.general(&self.env, "Execute", &sql);
        }
        let known = self.statements.by_id.get(&id).map(|s| (s.tokens, s.sql.clone(), s.instance.clone()));
        let begun = known.as_ref().and_then(|(tokens, _, instance)| {
            self.env.client.connection.set_text(&instance.text.shown());
            self.log.without_secrets = false;
            self.log.measure(&self.env, *tokens ^ Verb::Execute.key())
        });
        let began = self.log.slow_start(&self.env, out);
        let result = if cursor == CursorType::ReadOnly {
            self.open_cursor(id, &values, out)
        } else {
            self.execute_id(id, &values, out)
        };
        if let Some((_, sql, instance)) = &known {
            let mode = crate::text::lexer_mode(&self.env);
            let digest = || {
                let mut lexed = Lexed::new();
                lexed.tokenize(sql, 0, mode);
                Verb::Execute.digest(&parser::digest::digest_text(sql, &mut lexed))
            };
            self.log.instrument.executed = Some(instance.clone());
            self.log.instrument.by_command = true;
            self.log.measured(&self.env, begun, sql, &result, digest);
        }
        let slow = self.log.slow_end(&self.env, began, &result);
        let outcome = self.end_statement(result);
        let answered = outcome.and_then(|o| {
            if self.statements.by_id.get(&id).is_some_and(|s| s.cursor.is_some()) {
                let status = self.status_flags().with(StatusFlags::CURSOR_EXISTS);
                return out.end_cursor_open(&EndRows { status, warnings: self.warning_count(), state: &[] });
            }
            self.answer(&o, false, out)
        });
        if let Some((_, sql, _)) = &known {
            self.log.slow_answered(&self.env, slow, sql, out);
        }
        answered
    }

    /// Executes a statement in the database that it was prepared in.
    fn execute_id(
        &mut self,
        id: u32,
        values: &[(OwnedValue, SqlType)],
        out: &mut dyn ResultSink,
    ) -> SqlResult<Outcome> {
        if let Some(sql) = self.statements.text(id).filter(|_| self.env.binlog.on()) {
            self.note_rows_query(&sql);
            self.note_own_statement(&sql, values);
        }
        let schema = self.statements.by_id.get(&id).map_or_else(|| self.env.schema.clone(), |s| s.schema.clone());
        if schema == self.env.schema {
            return self.execute_here(id, values, out);
        }
        let current = std::mem::replace(&mut self.env.schema, schema);
        let done = self.execute_here(id, values, out);
        // unless the statement dropped it
        let there = |s: &Arc<str>| {
            views::VIRTUAL_SCHEMAS.iter().any(|v| v.eq_ignore_ascii_case(s))
                || self.env.shared.engine.dict().schema(s).is_some()
        };
        let current = current.filter(there);
        self.env.schema = current;
        done
    }

    fn execute_here(
        &mut self,
        id: u32,
        values: &[(OwnedValue, SqlType)],
        out: &mut dyn ResultSink,
    ) -> SqlResult<Outcome> {
        let s = self.statements.by_id.get_mut(&id).ok_or_else(|| unknown(id, "mysqld_stmt_execute"))?;
        s.cursor = None;
        if s.params as usize != values.len() {
            return Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&"mysqld_stmt_execute"]));
        }
        let (sql, planned) = (s.sql.clone(), s.planned);
        if self.env.binlog.given_gtid() != GivenGtid::None
            && let Some(done) = self.instead_of_prepared(&sql)
        {
            return done;
        }
        if !planned {
            self.running.arguments = values.to_vec();
            let done = self.run_text_unplanned(&sql, out);
            self.running.arguments.clear();
            return done;
        }
        self.check_filling_command()?;
        let s = self.statements.by_id.get(&id).ok_or_else(|| unknown(id, "mysqld_stmt_execute"))?;
        if !s.derived.is_empty() && s.plan.as_ref().is_none_or(|p| !self.is_current(&p.plan)) {
            return self.execute_anew(id, &sql, values, values, out);
        }
        let (sent, converted) = (
            values,
            parameter_types::converted(&s.derived, values, &mut self.env.conv, self.env.statement.executed_by_name)?,
        );
        let values = converted.as_deref().unwrap_or(sent);
        let params: Vec<OwnedValue> = values.iter().map(|(v, _)| v.clone()).collect();
        let fits = |made: &[SqlType]| {
            made.len() == values.len()
                && made.iter().zip(values).all(|(m, (v, t))| matches!(v, OwnedValue::Null) || same_kind(m, t))
        };
        if let Some(made) = &s.plan
            && fits(&made.types)
            && made.results == self.env.vars.num(Var::character_set_results)
            && made.settings == self.plan_settings()
        {
            let made = made.clone();
            made.plan.prefetch();
            if self.suits(&made.plan, &params)
                && let Some(o) = self.run_cached(&made.plan, &params, out)?
            {
                return Ok(o);
            }
            // a table has changed
        }
        self.execute_anew(id, &sql, sent, values, out)
    }

    /// Executes by a new plan: the last was made for other parameter types or another character set of results, or a table has changed. `sent` are the
    /// values as they came.
    fn execute_anew(
        &mut self,
        id: u32,
        sql: &[u8],
        sent: &[(OwnedValue, SqlType)],
        values: &[(OwnedValue, SqlType)],
        out: &mut dyn ResultSink,
    ) -> SqlResult<Outcome> {
        let arena = Bump::new();
        let mut lexed = Lexed::new();
        crate::text::tokenize(&self.env, &mut lexed, sql, 0);
        let parsed = parser::parse(&arena, sql, &mut lexed)?;
        let mut values = values.to_vec();
        for attempt in 0..8 {
            let last = self.statements.by_id.get(&id).and_then(|s| s.plan.as_ref());
            if !values.is_empty() && (attempt > 0 || last.is_none_or(|p| !self.is_current(&p.plan))) {
                // the parameters may stand beside other types now
                if attempt == 0
                    && let Some(s) = self.statements.by_id.get(&id)
                {
                    s.instance.reprepared.fetch_add(1, Ordering::Relaxed);
                }
                let none = vec![SqlType::new(TypeKind::Null); values.len()];
                let made = self
                    .plan_prepared(&lexed, &parsed.statement, sql, none, None, attempt == 0)
                    .inspect_err(|e| self.statement_failed(None, e))?;
                let derived = Places::of(&made.plan.plan.notes);
                let named = self.env.statement.executed_by_name;
                let made = parameter_types::converted(&derived, sent, &mut self.env.conv, named)?;
                values = made.unwrap_or_else(|| sent.to_vec());
                if let Some(s) = self.statements.by_id.get_mut(&id) {
                    s.derived = derived;
                }
            }
            let types: Vec<SqlType> = values.iter().map(|(_, t)| t.clone()).collect();
            let params: Vec<OwnedValue> = values.iter().map(|(v, _)| v.clone()).collect();
            let made = self
                .plan_prepared(&lexed, &parsed.statement, sql, types, Some(&params), attempt == 0)
                .inspect_err(|e| self.statement_failed(None, e))?;
            if let Some(s) = self.statements.by_id.get_mut(&id) {
                s.plan = Some(made.clone());
            }
            if let Some(o) = self.run_cached(&made.plan, &params, out)? {
                return Ok(o);
            }
        }
        Err(SqlError::with_message(ErrorCode::NEED_REPREPARE, "Prepared statement needs to be re-prepared"))
    }

    fn run_text_unplanned(&mut self, sql: &[u8], out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        let arena = Bump::new();
        let mut lexed = Lexed::new();
        crate::text::tokenize(&self.env, &mut lexed, sql, 0);
        let parsed = parser::parse(&arena, sql, &mut lexed)?;
        self.check_filling(&parsed.statement)?;
        let statements = self.server.unplanned;
        if statements.takes(self, &parsed.statement)
            && let Some(done) = statements.instead(self, sql, &parsed)
        {
            return done;
        }
        self.run_unplanned(sql, &lexed, &parsed, out)
    }

    fn open_cursor(
        &mut self,
        id: u32,
        values: &[(OwnedValue, SqlType)],
        out: &mut dyn ResultSink,
    ) -> SqlResult<Outcome> {
        match self.statements.by_id.get(&id) {
            Some(s) if s.has_into => return Err(SqlError::new(ErrorCode::SP_BAD_CURSOR_SELECT, &[])),
            Some(s) if s.calls => return self.execute_id(id, values, out),
            _ => {}
        }
        let mut keep =
            Collector { format: RowFormat::Binary, capabilities: out.capabilities(), ..Collector::default() };
        let o = self.execute_id(id, values, &mut keep)?;
        if o.rows {
            out.begin(&keep.meta)?;
            let columns = keep.meta.len();
            if let Some(s) = self.statements.by_id.get_mut(&id) {
                s.cursor = Some(Cursor { columns, rows: keep.rows, next: 0 });
            }
        }
        Ok(o)
    }

    /// COM_STMT_FETCH.
    pub(crate) fn fetch_cursor(&mut self, id: u32, rows: u32, out: &mut dyn ResultSink) -> SqlResult<()> {
        let status = self.status_flags();
        let s = self.statements.by_id.get_mut(&id).ok_or_else(|| unknown(id, "mysqld_stmt_fetch"))?;
        let c = s.cursor.as_mut().ok_or_else(|| {
            SqlError::with_message(
                ErrorCode::STMT_HAS_NO_OPEN_CURSOR,
                format!("The statement ({id}) has no open cursor."),
            )
        })?;
        out.begin_fetch(c.columns)?;
        let end = c.next.saturating_add(rows as usize).min(c.rows.len());
        for r in c.rows.iter().take(end).skip(c.next) {
            out.row().extend_from_slice(r);
            out.end_row()?;
        }
        c.next = end;
        let bit = if c.next >= c.rows.len() { StatusFlags::LAST_ROW_SENT } else { StatusFlags::CURSOR_EXISTS };
        if bit == StatusFlags::LAST_ROW_SENT {
            s.cursor = None;
        }
        out.end_rows(&EndRows { status: status.with(bit), warnings: 0, state: &[] })
    }

    /// PREPARE name FROM ...
    pub(crate) fn prepare_named(&mut self, p: &parser::ast::Prepare<'_>) -> SqlResult<()> {
        let text: Vec<u8> = match p.source {
            PrepareSource::Text(t) => t.to_vec(),
            PrepareSource::UserVar(name) => match self.env.user_vars.get(name.to_lowercase().as_str()) {
                Some(UserVar { value: OwnedValue::Str(s), ty }) => text_of(s, ty),
                Some(UserVar { value: OwnedValue::Null, .. }) | None => b"NULL".to_vec(),
                Some(UserVar { value, ty }) => {
                    let mut out = Vec::new();
                    value::convert::to_text(value.as_value(), ty, &mut out);
                    out
                }
            },
        };
        let name = p.name.to_lowercase();
        self.statements.rests(&name)?;
        if let Some(old) = self.statements.names.remove(&name) {
            let server = self.server.clone();
            self.statements.close(old, &server);
        }
        let id = self.prepare_text(&text)?;
        if let Some(s) = self.statements.by_id.get(&id) {
            *s.instance.name.lock() = Some(p.name.to_owned());
        }
        self.tells_of(id, Instrument::statement(Counter::ComPrepareSql), Verb::Prepare);
        self.statements.names.insert(name, id);
        if !self.in_transaction() {
            self.env.mdl.release_transaction();
        }
        Ok(())
    }

    /// performance_schema is told of the running statement by the text of the one that it is about.
    pub(crate) fn tells_of(&mut self, id: u32, kind: Instrument, verb: Verb) {
        let of = |s: &PreparedStatement| Named { kind, verb, text: s.sql.clone(), tokens: s.tokens };
        self.log.instrument.is_about(self.statements.by_id.get(&id).map(of));
    }

    /// EXECUTE name USING ...
    pub(crate) fn execute_named(&mut self, name: &str, using: &[&str], out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        let id = self.statements.names.get(&name.to_lowercase()).copied();
        let id = id.ok_or_else(|| SqlError::new(ErrorCode::UNKNOWN_STMT_HANDLER, &[&name, &"EXECUTE"]))?;
        let value = |n: &&str| match self.env.user_vars.get(n.to_lowercase().as_str()) {
            Some(v) => (v.value.clone(), v.ty.clone()),
            None => (OwnedValue::Null, SqlType::new(TypeKind::Null)),
        };
        let values: Vec<_> = using.iter().map(value).collect();
        let values = match self.statements.by_id.get(&id) {
            Some(s) => values.into_iter().map(|v| in_collation(v, s.collation, s.planned)).collect(),
            None => values,
        };
        let expected = self.statements.by_id.get(&id).map_or(0, |s| s.params as usize);
        self.log.instrument.executed = self.statements.by_id.get(&id).map(|s| s.instance.clone());
        self.tells_of(id, Instrument::statement(Counter::ComExecuteSql), Verb::Execute);
        if expected != values.len() {
            return Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&"EXECUTE"]));
        }
        self.statements.rests(&name.to_lowercase())?;
        self.statements.set_running(id, true);
        self.env.statement.executed_by_name = true;
        let using = using.iter().map(|n| n.to_lowercase().into()).collect();
        let outer = std::mem::replace(&mut self.running.using, using);
        let done = self.execute_id(id, &values, out);
        self.running.using = outer;
        self.env.statement.executed_by_name = false;
        self.statements.set_running(id, false);
        done
    }

    /// DEALLOCATE PREPARE name.
    pub(crate) fn deallocate(&mut self, name: &str) -> SqlResult<()> {
        self.statements.rests(&name.to_lowercase())?;
        match self.statements.names.remove(&name.to_lowercase()) {
            Some(id) => {
                self.tells_of(id, Instrument::statement(Counter::ComDeallocSql), Verb::Deallocate);
                let server = self.server.clone();
                self.statements.close(id, &server);
                Ok(())
            }
            None => Err(SqlError::new(ErrorCode::UNKNOWN_STMT_HANDLER, &[&name, &"DEALLOCATE PREPARE"])),
        }
    }
}
