//! The life of a text statement.
//!
//! [`Session::run_text`] walks over the statements of a COM_QUERY. Each: tokens, plan from the cache or parse, [`Session::run_plan`]
//! for what has a plan, `dispatch` for the rest; then the diagnostics area, `ROW_COUNT()`, and the answer's status.

use crate::kernel::buffers;
use crate::kernel::diagnostics::{Held, Signalled};
use crate::kernel::literals;
use crate::kernel::locks::Locked;
use crate::kernel::plans::CachedPlan;
use crate::kernel::resolver::SessionResolver;
use crate::kernel::session::Session;
use crate::kernel::statement_kinds;
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use catalog::client::{EndRows, OkInfo, ResultSink, StatusFlags};
use catalog::sysvar::Var;
use executor::binlog::GivenGtid;
use executor::gate::Cleared;
use parser::ast::Statement;
use parser::{Mode, Parsed};
use planner::Request;
use planner::plan::{Access, Body, InsertSource, Node};
use probe::Counter;
use probe::Stage;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use std::time::Duration;
use storage::txn::Isolation;
use value::{Charset, CollationId, Level, OwnedValue, SqlType};

/// Deepest expression a recursive walk over the tree may meet on a session's stack.
const MAX_DEPTH: u32 = 400;

pub(crate) fn as_warning(r: &parser::Remark<'_>) -> value::Warning {
    value::Warning { level: Level::Warning, code: r.code.number(), message: r.text.to_owned() }
}

impl Session {
    /// The character sets that string literals come in and are kept in: utf8mb4 in place of a set without ASCII, as the planner types them.
    fn text_charsets(&self) -> (Charset, Charset) {
        let connection = self.env.vars.collation(Var::collation_connection).charset();
        (
            crate::text::text_collation(&self.env).charset(),
            if connection.is_wide() { Charset::Utf8mb4 } else { connection },
        )
    }

    /// The character set that the client reads; binary: nothing is converted.
    pub(crate) fn results_charset(&self) -> Charset {
        match self.env.vars.collation(Var::character_set_results) {
            CollationId(0) => Charset::Binary,
            c => c.charset(),
        }
    }

    /// COM_QUERY.
    pub(crate) fn run_text(&mut self, sql: &[u8], out: &mut dyn ResultSink) -> SqlResult<()> {
        let mut sql = crate::text::trimmed(sql);
        let mut first = true;
        loop {
            let mut lexed = buffers::LEXED.take();
            crate::text::tokenize(&self.env, &mut lexed, sql, 0);
            let end = statement_end(sql, &mut lexed);
            let more = self.client.multi_statements && has_text(sql, end);
            if more || !first {
                out.more_follows(more);
            }
            self.client.may_finish_later = !more && sched::pool::may_finish_later() && !self.waits_for_replicas();
            self.check_online()?;
            self.begin_statement();
            let (text, rest) = sql.split_at_checked(end).unwrap_or((sql, b""));
            if more || !first {
                // of several statements others see the one that runs
                let shown = crate::text::showable(&self.env, crate::text::trimmed(text));
                self.env.client.connection.set_text(&shown);
            }
            self.note_rows_query(text);
            self.note_own_text(text);
            self.log.general(&self.env, "Query", text);
            let began = self.log.slow_start(&self.env, out);
            let begun = self.log.measure(&self.env, lexed.key());
            let result = self.run_one(sql, &mut lexed, out);
            self.log.measured(&self.env, begun, text, &result, || parser::digest::digest_text(sql, &mut lexed));
            buffers::give_lexed(lexed, sql);
            let slow = self.log.slow_end(&self.env, began, &result);
            let outcome = self.end_statement(result);
            let answered = outcome.and_then(|o| self.answer(&o, more, out).map(|()| o));
            self.log.slow_answered(&self.env, slow, text, out);
            let outcome = answered?;
            if outcome.disconnect {
                self.env.client.connection.end_after_answer();
                return Ok(());
            }
            if !more {
                return Ok(());
            }
            (sql, first) = (rest, false);
        }
    }

    /// The statement's text goes beside its rows into the binary log (`binlog_rows_query_log_events`).
    #[inline]
    pub(crate) fn note_rows_query(&mut self, text: &[u8]) {
        if self.env.binlog.on() && self.env.vars.bool(Var::binlog_rows_query_log_events) {
            self.env.binlog.set_text(Some(crate::text::trimmed(text)));
        }
    }

    /// Prepares the statement's context; counts it.
    pub(crate) fn begin_statement(&mut self) {
        probe::inc(Counter::Questions);
        probe::stage::show(Stage::Starting);
        if self.waits_for_replicas() {
            binlog::dependency::take_end();
        }
        self.env.trx.clear_kill();
        self.sched.begin_statement(None);
        self.env.begin_statement();
        self.refresh_account();
        self.begin_memory();
        if self.env.vars.num(Var::session_track_gtids) > 0 {
            self.watch_gtids();
        }
    }

    /// Diagnostics and ROW_COUNT() after a statement.
    pub(crate) fn end_statement(&mut self, result: SqlResult<Outcome>) -> SqlResult<Outcome> {
        if self.waits_for_replicas() {
            self.wait_for_replicas();
        }
        self.sched.end_statement();
        if let Err(e) = &result {
            self.gtid_after_error(e);
        }
        if !self.tables.handlers.is_empty() {
            self.give_way();
        }
        self.end_memory(&result);
        let held = std::mem::take(&mut self.diagnostics.held);
        let keep = held != Held::Nothing || matches!(&result, Ok(o) if o.keep_diagnostics);
        if !keep {
            if !self.env.vars.bool(Var::sql_notes) {
                let all = self.env.conv.warnings.len();
                self.env.conv.warnings.retain(|w| w.level != Level::Note);
                let notes = (all - self.env.conv.warnings.len()) as u64;
                self.env.conv.warning_count = self.env.conv.warning_count.saturating_sub(notes);
            }
            self.diagnostics.rows.clear();
            self.diagnostics.rows.append(&mut self.env.conv.warnings);
            self.diagnostics.count = self.env.conv.warning_count.max(self.diagnostics.rows.len() as u64);
            let errors = self.diagnostics.rows.iter().filter(|w| w.level == Level::Error).count();
            self.diagnostics.errors = errors as u64;
        }
        match &result {
            Ok(o) => self.env.counts.row_count = o.row_count,
            Err(_) if held == Held::All => self.env.counts.row_count = -1,
            Err(e) => {
                self.diagnostics.add(Level::Error, e, self.env.conv.max_warnings);
                if let Some(items) = self.env.statement.take_items(e) {
                    self.diagnostics.raised.get_or_insert(Box::new(Signalled { sqlstate: *e.sqlstate(), items }));
                }
                for (level, e) in self.env.statement.further.drain(..) {
                    self.diagnostics.add(level, &e, self.env.conv.max_warnings);
                }
                self.env.counts.row_count = -1;
            }
        }
        if !keep {
            let last = self.diagnostics.rows.len().saturating_sub(1);
            self.diagnostics.signalled = self.diagnostics.raised.take().map(|s| (last, s));
        }
        if !keep || held == Held::Rows {
            self.env.counts.conditions = (self.diagnostics.count, self.diagnostics.errors);
        }
        result
    }

    pub(crate) fn warning_count(&self) -> u16 {
        self.diagnostics.count.min(u64::from(u16::MAX)) as u16
    }

    /// Sends the packet that ends a statement's answer.
    pub(crate) fn answer(&mut self, o: &Outcome, more: bool, out: &mut dyn ResultSink) -> SqlResult<()> {
        self.track_transaction(o.rows);
        self.track_gtids();
        let mut status = self.status_flags();
        if more {
            status = status.with(StatusFlags::MORE_RESULTS);
        }
        if self.log.slow {
            status = status.with(StatusFlags::QUERY_WAS_SLOW);
        }
        // within a CALL none are told: its next statement drops them
        let untold = self.running.calls || (o.keep_diagnostics && !o.counts_warnings);
        let warnings = if untold { 0 } else { self.warning_count() };
        let done = if o.rows {
            out.end_rows(&EndRows { status, warnings, state: self.tracked.changes.bytes() })
        } else {
            out.ok(&OkInfo {
                affected_rows: o.affected,
                last_insert_id: o.last_insert_id,
                status,
                warnings,
                info: o.info.as_bytes(),
                state: self.tracked.changes.bytes(),
            })
        };
        self.tracked.changes.clear();
        done
    }

    /// Hash of what decides a plan besides its tokens.
    pub(crate) fn plan_key(&self, tokens: u128) -> u128 {
        plan_key(&self.env, tokens)
    }

    /// Runs the first statement of `sql`: what stands before it is gone, and what follows it counts in messages only.
    fn run_one(&mut self, sql: &[u8], lexed: &mut parser::Lexed, out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        let arena = Bump::new();
        let key = self.plan_key(lexed.key());
        let mut counted = false;
        // a second statement where none is allowed is an error of the first, known plan or not
        let tracing = self.traces();
        let given = self.env.binlog.given_gtid() != GivenGtid::None;
        let trailing = !self.client.multi_statements && has_statement(sql, lexed.end(), lexed.mode());
        if !trailing
            && !given
            && !tracing
            && !self.identity.sandbox
            && !self.is_filling()
            && let Some(plan) = self.plans.find(&self.server.plans, self.env.temp.epoch(), key, lexed, sql)
        {
            self.count_use(|| statement_kinds::plan_changes(&plan.plan.body))?;
            counted = true;
            plan.prefetch();
            let mut params = buffers::PARAMS.take();
            literals::parameters(lexed, sql, &arena, self.text_charsets(), &mut params);
            let done = if self.suits(&plan, &params) { self.run_cached(&plan, &params, out) } else { Ok(None) };
            buffers::give_params(params);
            if let Some(outcome) = done? {
                return Ok(outcome);
            }
            // one of its tables has changed, or its ranges are of another size: plan anew below
        }
        let parsed =
            parser::parse(&arena, sql, lexed).map_err(|e| crate::text::told_in_utf8(&self.env, e, sql, lexed))?;
        self.check_parser_memory(arena.allocated_bytes())?;
        if !self.client.multi_statements && has_statement(sql, parsed.end, lexed.mode()) {
            return Err(trailing_text(sql, parsed.end));
        }
        // hints of the statements that follow are not this one's, and whoever looks for its own does not read them all
        let sql = sql.get(..parsed.end).unwrap_or(sql);
        if parsed.depth > MAX_DEPTH {
            return Err(too_deep());
        }
        if !counted {
            self.count_use(|| statement_kinds::changes_data(&parsed.statement))?;
        }
        self.check_sandbox(&parsed.statement)?;
        self.check_filling(&parsed.statement)?;
        if given && let Some(done) = self.instead_of_executed(&parsed.statement) {
            return done;
        }
        if parsed.params == 0 {
            let statements = self.server.unplanned;
            if let Some(done) = statements.instead(self, sql, &parsed) {
                return done;
            }
        }
        match parsed.statement {
            // the plan has the remarks
            Statement::Query(_) | Statement::Insert(_) | Statement::Update(_) | Statement::Delete(_) => {
                let vars = planner::set_vars(sql);
                if vars.is_empty() {
                    return self.plan_and_run(sql, lexed, &parsed, key, &arena, out);
                }
                self.with_hinted(&vars, |s| s.plan_and_run(sql, lexed, &parsed, key, &arena, out))
            }
            _ => {
                self.remark(parsed.remarks);
                self.run_unplanned(sql, lexed, &parsed, out)
            }
        }
    }

    /// `parser_max_mem_size`: 3170.
    pub(crate) fn check_parser_memory(&self, bytes: usize) -> SqlResult<()> {
        let limit = self.env.vars.num(Var::parser_max_mem_size);
        if bytes as u64 <= limit {
            return Ok(());
        }
        let what = [&"parser_max_mem_size" as &dyn std::fmt::Display, &"Parser bailed out for this query."];
        let [name, text] = what;
        Err(SqlError::new(ErrorCode::CAPACITY_EXCEEDED, &[&limit, name, text]))
    }

    /// Warnings about deprecated syntax.
    pub(crate) fn remark(&mut self, remarks: &[parser::Remark<'_>]) {
        for r in remarks {
            self.env.conv.push(Level::Warning, SqlError::with_message(r.code, r.text));
        }
    }

    fn plan_and_run(
        &mut self,
        sql: &[u8],
        lexed: &parser::Lexed,
        parsed: &Parsed<'_>,
        key: u128,
        arena: &Bump,
        out: &mut dyn ResultSink,
    ) -> SqlResult<Outcome> {
        if parsed.params > 0 {
            // `?` outside a prepared statement
            return Err(parser::syntax_error(sql, lexed.start(), parsed.first_param as usize));
        }
        if self.traces() {
            return self.trace_and_run(sql, lexed, parsed, out);
        }
        let mut params = buffers::PARAMS.take();
        literals::parameters(lexed, sql, arena, self.text_charsets(), &mut params);
        let fixed: Vec<(u32, Box<[u8]>)> =
            parsed.fixed.iter().map(|n| (*n, lexed.literal_text(sql, *n).into())).collect();
        let mut result = Err(stale_forever());
        for _ in 0..8 {
            let before = base::memory::live();
            let plan = self.plan_counted(&params, |resolver, counted| {
                planner::plan(
                    &parsed.statement,
                    &Request {
                        sql,
                        from: 0,
                        resolver,
                        lift: true,
                        param_types: &[],
                        params: params.len() as u32,
                        fixed: fixed.clone(),
                        peek: &params,
                        counted,
                    },
                )
            });
            let plan = match plan {
                Ok(mut p) => {
                    p.notes.warnings.splice(0..0, parsed.remarks.iter().map(as_warning));
                    Arc::new(CachedPlan::new(p, &self.env).made_since(before))
                }
                Err(e) => {
                    result = Err(self.not_planned(parsed, e));
                    break;
                }
            };
            match self.run_cached(&plan, &params, out) {
                Ok(Some(o)) => {
                    if !plan.plan.notes.uncacheable && params.len() <= MAX_CACHED_LITERALS {
                        let server = self.server.clone();
                        self.plans.insert(&server.plans, key, &plan);
                    }
                    result = Ok(o);
                    break;
                }
                Ok(None) => {} // changed between planning and locking: again, with its lock held
                Err(e) => {
                    result = Err(e);
                    break;
                }
            }
        }
        buffers::give_params(params);
        result
    }

    /// What the client is told of a statement that could not be planned.
    pub(crate) fn not_planned(&mut self, parsed: &Parsed<'_>, e: SqlError) -> SqlError {
        self.remark(parsed.remarks);
        let e = self.barred(&parsed.statement, e);
        self.count_kind(crate::kernel::com_counters::of_unplanned(&parsed.statement));
        self.statement_failed(None, &e);
        e
    }

    /// Runs a plan; `None`: a table's definition is no longer the plan's, nothing was done.
    pub(crate) fn run_cached(
        &mut self,
        plan: &CachedPlan,
        params: &[OwnedValue],
        out: &mut dyn ResultSink,
    ) -> SqlResult<Option<Outcome>> {
        if !plan.plan.notes.set_vars.is_empty() && !self.running.set_var {
            // a prepared statement
            return self.with_hinted(&plan.plan.notes.set_vars, |s| s.run_cached(plan, params, out));
        }
        self.run_bracketed(plan, |s, cleared| s.run_body(cleared, params, out))
    }

    /// Runs `body` as the statement of this plan: rights, metadata locks, transaction, end. `None` as
    /// [`Session::run_cached`].
    pub(crate) fn run_bracketed(
        &mut self,
        plan: &CachedPlan,
        body: impl FnOnce(&mut Session, Cleared<'_>) -> SqlResult<Outcome>,
    ) -> SqlResult<Option<Outcome>> {
        let cleared = match plan.cleared(&self.env) {
            Ok(c) => c,
            // columns that are no more may be what it lacks
            Err(_) if !self.is_current(plan) => return Ok(None),
            Err(e) => {
                self.count_kind(Some(crate::kernel::com_counters::of_plan(&plan.plan.body)));
                self.statement_failed(None, &e);
                return Err(e);
            }
        };
        if !self.tables.handlers.is_empty() {
            self.give_way();
        }
        match self.lock_plan(plan) {
            Ok(Locked::Current) => {}
            Ok(Locked::Stale) => return Ok(None),
            Err(e) => {
                self.count_kind(Some(crate::kernel::com_counters::of_plan(&plan.plan.body)));
                self.statement_failed(None, &e);
                return Err(e);
            }
        }
        let allowed = self.check_access(plan).and_then(|()| self.check_guards(&plan.plan));
        allowed.inspect_err(|e| {
            self.count_kind(Some(crate::kernel::com_counters::of_plan(&plan.plan.body)));
            self.statement_failed(None, e);
        })?;
        if self.env.vars.num(Var::session_track_transaction_info) > 0 {
            self.tracked.transaction.note(&plan.plan);
        }
        let uses_tables = !plan.plan.tables.is_empty();
        self.note_tables(uses_tables);
        let start = self.statement_start(uses_tables);
        let ran = body(self, cleared);
        #[cfg(test)]
        let ran = ran.and_then(|o| self.run_double(&plan.plan).map(|()| o));
        let done = match ran {
            Ok(o) => {
                plan.has_run();
                self.statement_succeeded().map(|()| o)
            }
            Err(e) => {
                self.statement_failed(Some(start), &e);
                Err(e)
            }
        };
        done.map(Some)
    }

    /// The warnings that belong to a plan; that a frame is ignored is only told by EXPLAIN.
    pub(crate) fn plan_warnings(&mut self, plan: &planner::plan::Plan) {
        let frame = ErrorCode::WINDOW_FUNCTION_IGNORES_FRAME.number();
        for w in plan.notes.warnings.iter().filter(|w| w.code != frame) {
            self.env.conv.warnings.push(w.clone());
            self.env.conv.warning_count += 1;
        }
        if plan.notes.grant_tables > 0 && self.env.trx.isolation() == Isolation::Serializable {
            for _ in 0..plan.notes.grant_tables {
                let e = SqlError::new(ErrorCode::WARN_UNSUPPORTED_ACL_TABLES_READ, &[]);
                self.env.conv.push(value::Level::Warning, e);
            }
        }
    }

    /// Counts the statement as one of this kind, unless it is counted. One that fails counts too, as in MySQL.
    fn count_kind(&mut self, kind: Option<Counter>) {
        if self.log.instrument.kind.is_none()
            && let Some(kind) = kind
        {
            self.log.instrument.kind = Some(kind);
            probe::inc(kind);
        }
    }

    pub(crate) fn run_body(
        &mut self,
        cleared: Cleared<'_>,
        params: &[OwnedValue],
        out: &mut dyn ResultSink,
    ) -> SqlResult<Outcome> {
        let plan = cleared.plan();
        self.plan_warnings(plan);
        let kind = crate::kernel::com_counters::of_plan(&plan.body);
        self.log.kind_is(&self.env, kind);
        probe::inc(kind);
        probe::stage::set(stage_of(&plan.body));
        match &plan.body {
            Body::Select(q) => {
                // for SELECT only; the hint comes before the variable
                let limit = self.env.vars.num(Var::max_execution_time);
                let limit = plan.notes.max_execution_time.unwrap_or(limit);
                if limit > 0 && !self.running.calls {
                    probe::inc(probe::Counter::MaxExecutionTimeSet);
                    self.sched.limit_statement(Duration::from_millis(limit));
                }
                if q.into_vars.is_empty() {
                    executor::select(cleared, params, &mut self.env, out)?;
                    return Ok(Outcome::rows());
                }
                let n = executor::select_into(cleared, params, &mut self.env)?;
                Ok(Outcome { affected: n, row_count: n as i64, ..Outcome::default() })
            }
            body => {
                let reasons = self.begin_as_text(plan)?;
                let done = executor::dml(cleared, params, &mut self.env);
                let mut r = self.end_as_text(reasons, done)?;
                let n = self.env.conv.warning_count;
                if n > 0
                    && r.info.is_empty()
                    && matches!(body, Body::Insert(_))
                    && self.env.vars.bool(Var::sql_warnings)
                {
                    r.info = format!("Records: 1  Duplicates: 0  Warnings: {n}");
                }
                Ok(Outcome {
                    affected: r.affected,
                    last_insert_id: r.last_insert_id,
                    info: r.info,
                    row_count: r.affected as i64,
                    ..Outcome::default()
                })
            }
        }
    }

    /// Types and values of the running prepared statement's parameters, where it has no plan of its own (see `prepared.rs`).
    pub(crate) fn parameters(&self) -> (Vec<SqlType>, Vec<OwnedValue>) {
        self.running.arguments.iter().map(|(v, t)| (t.clone(), v.clone())).unzip()
    }

    /// Evaluates expressions without tables (SET, KILL, LIMIT of SHOW).
    pub(crate) fn scalars(
        &mut self,
        sql: &[u8],
        list: &[parser::ast::Expr<'_>],
    ) -> SqlResult<Vec<(OwnedValue, SqlType)>> {
        let (types, values) = self.parameters();
        let plan = self.ready(|s| {
            let plan = planner::plan_scalars(list, &Request::plain(sql, &SessionResolver(&s.env)).with(&types))?;
            Ok(CachedPlan::new(plan, &s.env))
        })?;
        self.check_access(&plan)?;
        self.may_write(&plan.plan)?;
        executor::scalars(plan.cleared(&self.env)?, &values, &mut self.env)
    }

    /// Runs another statement's text in place of the current one (SHOW as SELECT). Its rows go to `out`.
    pub(crate) fn run_inner(&mut self, sql: &str, whole: bool, out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        let text = format!("{sql} LIMIT 18446744073709551615");
        let sql = if whole && self.env.vars.num(Var::sql_select_limit) < u64::MAX { text.as_str() } else { sql };
        let mut lexed = parser::Lexed::new();
        lexed.tokenize(sql.as_bytes(), 0, Mode::default());
        let arena = Bump::new();
        let parsed = parser::parse(&arena, sql.as_bytes(), &mut lexed)?;
        let (types, values) = self.parameters();
        let plan = self.ready(|s| {
            let resolver = SessionResolver(&s.env);
            let plan = planner::plan(&parsed.statement, &Request::plain(sql.as_bytes(), &resolver).with(&types))?;
            Ok(CachedPlan::new(plan, &s.env))
        })?;
        executor::select(plan.cleared(&self.env)?, &values, &mut self.env, out)?;
        Ok(Outcome::rows())
    }
}

/// Hash of what decides a plan besides its tokens.
pub(crate) fn plan_key(env: &executor::Env, tokens: u128) -> u128 {
    let mut h = foldhash::fast::FixedState::with_seed(tokens as u64).build_hasher();
    h.write(env.schema.as_deref().unwrap_or("").as_bytes());
    h.write_u64(env.temp.epoch());
    h.write_u64(env.vars.sql_mode().0);
    h.write_u64(env.vars.num(Var::collation_connection));
    h.write_u64(env.vars.num(Var::character_set_results) ^ env.vars.num(Var::character_set_client).rotate_left(32));
    h.write_u64(env.vars.num(Var::sql_select_limit) ^ env.vars.num(Var::optimizer_switch).rotate_left(32));
    h.write_u64(
        env.vars.num(Var::optimizer_search_depth) << 48
            ^ env.vars.num(Var::div_precision_increment) << 32
            ^ env.vars.num(Var::group_concat_max_len),
    );
    h.write_u8(u8::from(locks_reads(env)));
    tokens ^ (u128::from(h.finish()) << 64 | u128::from(h.finish()))
}

/// Statements with more literals than this (bulk inserts) are not worth a place in the cache.
const MAX_CACHED_LITERALS: usize = 64;
/// First words of error 1064.
pub(crate) const SYNTAX: &str = "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use";

/// Where the first of several statements ends. A text that begins with a program is read as one; the parser finds the
/// end of the program's body.
fn statement_end(sql: &[u8], lexed: &mut parser::Lexed) -> usize {
    if !lexed.has_semicolons() {
        return lexed.end();
    }
    let arena = Bump::new();
    parser::parse(&arena, sql, lexed).map_or(lexed.end(), |p| p.end)
}

/// Whether anything but white space follows.
pub(crate) fn has_text(sql: &[u8], from: usize) -> bool {
    sql.get(from..).is_some_and(|rest| rest.iter().any(|b| !b.is_ascii_whitespace() && *b != 0))
}

/// Whether more than white space and comments follows at `from`.
pub(crate) fn has_statement(sql: &[u8], from: usize, mode: parser::Mode) -> bool {
    if !has_text(sql, from) {
        return false;
    }
    let mut rest = parser::Lexed::new();
    rest.tokenize(sql, from, mode);
    !rest.is_empty() || rest.end() < sql.len()
}

/// 1064 for a second statement where only one is allowed.
pub(crate) fn trailing_text(sql: &[u8], from: usize) -> SqlError {
    let rest = sql.get(from..).unwrap_or(&[]);
    let skip = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
    let near = String::from_utf8_lossy(rest.get(skip..).unwrap_or(&[])).chars().take(80).collect::<String>();
    let line = 1 + sql.get(..from + skip).unwrap_or(&[]).iter().filter(|b| **b == b'\n').count();
    SqlError::new(ErrorCode::PARSE_ERROR, &[&SYNTAX, &near, &line])
}

/// 1436: the expression is nested too deeply for the stack.
pub(crate) fn too_deep() -> SqlError {
    sched::stack::overrun()
}

pub(crate) fn stale_forever() -> SqlError {
    SqlError::with_message(
        ErrorCode::UNKNOWN_ERROR,
        "Table definitions change faster than the statement can be planned",
    )
}

/// Whether statements lock the rows that they read: under SERIALIZABLE. Such ones have plans of their own.
pub(crate) fn locks_reads(env: &executor::Env) -> bool {
    env.trx.isolation() == Isolation::Serializable
}

/// What a statement is at while it runs, as MySQL 9.7 shows it: statements of several tables are `executing`, and a
/// table that a whole unique key gives one row of is read while it plans.
fn stage_of(body: &Body) -> Stage {
    match body {
        Body::Select(q) => match &q.root {
            Node::Scan(s) if matches!(s.access, Access::Point(_)) => Stage::Statistics,
            _ => Stage::Executing,
        },
        Body::Insert(i) => match i.source {
            InsertSource::Values(_) => Stage::Update,
            InsertSource::Select(_) => Stage::Executing,
        },
        Body::Update(u) if u.targets.len() > 1 => Stage::Executing,
        Body::Delete(d) if d.multi => Stage::Executing,
        Body::Update(_) | Body::Delete(_) => Stage::Updating,
    }
}
