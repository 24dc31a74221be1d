//! The host of a CALL: its statements go the way of a client's, one by one, each with its own bracket, and may commit.
//!
//! Result sets go to the client, each with the flag that more follows: the OK of CALL comes last.

use crate::kernel::programs::plans::{self, Made, ProgramResolver, request, under_hints, whole};
use crate::kernel::programs::{Program, context, lent, load, may_recurse, routine};
use crate::kernel::session::{Session, settings_key};
use crate::results::outcome::Outcome;
use base::{ErrorCode, SqlError, SqlResult, TableId};
use bumpalo::Bump;
use catalog::client::{EndRows, ResultSink, StatusFlags};
use executor::{Env, Wanted};
use parser::ast::{Body, Call, Expr, Statement};
use planner::Request;
use program::code::{Kept, Kind};
use program::host::Place;
use program::{Areas, Host};
use std::rc::Rc;
use std::sync::Arc;
use storage::dict::{ProgramDefinition, ProgramKind};
use value::{OwnedValue, SqlType, Value};

/// What a statement does once it has begun.
type Running<'r> = dyn FnMut(&mut Session, executor::gate::Cleared<'_>, &mut dyn ResultSink) -> SqlResult<Outcome> + 'r;

/// A session that runs the procedures of one CALL.
pub(crate) struct CallHost<'s> {
    pub(crate) session: &'s mut Session,
    pub(crate) out: &'s mut dyn ResultSink,
    /// What plans depend on beside the text.
    key: u128,
    empty: parser::Lexed,
    /// The statement that failed has begun to send rows.
    cut_off: bool,
    /// Expressions that are one statement are evaluated; whether one of them has used tables or functions.
    list: Option<bool>,
}

impl<'s> CallHost<'s> {
    pub(crate) fn new(session: &'s mut Session, out: &'s mut dyn ResultSink) -> CallHost<'s> {
        let key = settings_key(&session.env);
        CallHost { session, out, key, empty: parser::Lexed::new(), cut_off: false, list: None }
    }

    fn refresh(&mut self) {
        self.key = settings_key(&self.session.env);
    }

    /// The plan that is kept, if it is good.
    #[inline]
    fn found(&self, kept: &Kept<Made>) -> Option<Rc<Made>> {
        let kept = kept.borrow();
        let (key, made) = kept.as_ref()?;
        (*key == self.key && made.fits(&self.session.env)).then(|| made.clone())
    }

    fn keep(&self, kept: &Kept<Made>, made: &Rc<Made>) {
        if made.keeps() {
            *kept.borrow_mut() = Some((self.key, made.clone()));
        }
    }

    fn planned_statement(&mut self, place: &Place<'_>, tree: &Statement<'_>) -> SqlResult<Rc<Made>> {
        let mut variables = Vec::new();
        let plan = self.session.plan_counted(place.values, |session, counted| {
            let resolver = ProgramResolver::new(session.0, place.types);
            let plan = planner::plan(tree, &Request { counted, ..request(place, whole(place), &resolver) })?;
            variables = resolver.variables.take();
            Ok(plan)
        })?;
        Ok(Rc::new(Made::new(plan, variables, &self.session.env)))
    }

    fn planned_expression(&mut self, place: &Place<'_>, tree: &Expr<'_>) -> SqlResult<Rc<Made>> {
        Ok(Rc::new(Made::of_expression(&self.session.env, place, tree)?))
    }

    /// Runs a planned statement with `body`, planning it (again) where that is wanted. `false`: its tree is.
    fn run_planned(
        &mut self,
        place: Place<'_>,
        kept: &Kept<Made>,
        tree: Option<&Statement<'_>>,
        body: &mut Running<'_>,
    ) -> SqlResult<bool> {
        self.session.env.begin_statement();
        under_hints(self, &place, tree.is_some(), |host| host.run_begun(place, kept, tree, body))
    }

    fn run_begun(
        &mut self,
        place: Place<'_>,
        kept: &Kept<Made>,
        tree: Option<&Statement<'_>>,
        body: &mut Running<'_>,
    ) -> SqlResult<bool> {
        let mut found = self.found(kept);
        for _ in 0..8 {
            let made = match (found.take(), tree) {
                (Some(m), _) => m,
                (None, None) => return Ok(false),
                (None, Some(tree)) => {
                    let made = self.planned_statement(&place, tree);
                    let made = made.inspect_err(|e| self.session.statement_failed(None, e))?;
                    self.keep(kept, &made);
                    made
                }
            };
            let (session, out) = (&mut *self.session, &mut *self.out);
            let ran = session.run_bracketed(&made.plan, |s, cleared| body(s, cleared, out));
            session.log.transaction_flushed(&session.env);
            if let Some(o) = ran? {
                self.ended(&o)?;
                return Ok(true);
            }
            // a definition has changed: plan again, with its lock held
            *kept.borrow_mut() = None;
            if tree.is_none() {
                return Ok(false);
            }
        }
        Err(SqlError::new(ErrorCode::TABLE_DEF_CHANGED, &[]))
    }

    /// Runs a statement; its rows go to the client.
    fn run_statement(
        &mut self,
        place: Place<'_>,
        kept: &Kept<Made>,
        kind: Kind,
        tree: Option<&Statement<'_>>,
    ) -> SqlResult<bool> {
        self.session.refresh_account();
        match tree {
            Some(t) => self.session.check_filling(t)?,
            None if kind == Kind::Planned => self.session.check_filling_command()?,
            None => {}
        }
        let setup = tree.is_some_and(|t| self.session.server.unplanned.takes(self.session, t));
        if kind == Kind::Planned && !setup {
            self.out.more_follows(true);
            return self.run_planned(place, kept, tree, &mut |s, cleared, out| s.run_body(cleared, place.values, out));
        }
        let Some(statement) = tree else { return Ok(false) };
        if kind != Kind::Keeps {
            self.session.env.begin_statement();
        }
        self.out.more_follows(true);
        let (empty, out) = (&self.empty, &mut *self.out);
        self.session.running.span = place.span;
        let done = lent::with_slots(self.session, &place, |session| {
            let parsed = lent::parsed(&place, statement);
            match session.server.unplanned.instead(session, place.source, &parsed) {
                Some(done) => done,
                None => session.run_unplanned(place.source, empty, &parsed, out),
            }
        });
        self.told_of();
        let done = done.and_then(|o| self.ended(&o));
        self.refresh();
        done.map(|()| true)
    }

    /// PREPARE, EXECUTE and DEALLOCATE are told of by the text of the other statement.
    fn told_of(&mut self) {
        self.session.log.transaction_flushed(&self.session.env);
        let instrument = &mut self.session.log.instrument;
        if let Some(named) = instrument.about() {
            self.session.env.kernel.steps.is_about(&named.text);
        }
        let instrument = &mut self.session.log.instrument;
        if let Some(p) = instrument.executed.take() {
            let mut one = probe::statements::One::default();
            let now = self.session.env.clock.now_us.max(0) as u64;
            one.begin(0, now);
            p.stats.add(&one);
        }
    }

    /// The end of a statement: ROW_COUNT(), and what ends its rows.
    fn ended(&mut self, o: &Outcome) -> SqlResult<()> {
        self.session.env.counts.row_count = o.row_count;
        self.session.env.kernel.steps.says(&o.info);
        if o.rows {
            self.session.diagnostics.count = self.session.env.conv.warning_count;
            self.session.answer(o, true, self.out)?;
        }
        Ok(())
    }
}

impl Host for CallHost<'_> {
    type Plan = Made;

    fn env(&mut self) -> &mut Env {
        &mut self.session.env
    }

    fn procedure(&mut self, call: &Call<'_>) -> SqlResult<Rc<Program>> {
        let p = routine(&mut self.session.env, ProgramKind::Procedure, call.schema, call.name)?;
        may_recurse(&mut self.session.env, &p)?;
        Ok(p)
    }

    fn within<T>(
        &mut self,
        d: &Arc<ProgramDefinition>,
        body: &mut dyn FnMut(&mut Self) -> SqlResult<T>,
    ) -> SqlResult<T> {
        let caller = context::enter(&mut self.session.env, d)?;
        self.refresh();
        let done = body(self);
        caller.leave(&mut self.session.env);
        self.refresh();
        done
    }

    fn parse<'a>(&mut self, arena: &'a Bump, source: &[u8]) -> SqlResult<Body<'a>> {
        load::body(&self.session.env, arena, source)
    }

    fn evaluate(
        &mut self,
        place: Place<'_>,
        kept: &Kept<Made>,
        tree: Option<&Expr<'_>>,
        f: &mut dyn FnMut(Value<'_>, &SqlType, &mut Env) -> SqlResult<()>,
    ) -> SqlResult<bool> {
        let mut found = self.found(kept);
        for _ in 0..8 {
            let made = match (found.take(), tree) {
                (Some(m), _) => m,
                (None, None) => return Ok(false),
                (None, Some(tree)) => {
                    let made = self.planned_expression(&place, tree)?;
                    self.keep(kept, &made);
                    made
                }
            };
            if let Some((q, ty)) = &made.quick
                && let Some(n) = q.value(place.values)
            {
                f(Value::Int(n), ty, &mut self.session.env)?;
                return Ok(true);
            }
            self.session.env.slow_step();
            if made.plain {
                self.session.env.begin_expression();
                foretold(&made, &mut self.session.env);
                executor::scalar(made.plan.cleared(&self.session.env)?, place.values, &mut self.session.env, f)?;
                return Ok(true);
            }
            let (session, alone) = (&mut *self.session, self.list.is_none());
            match alone {
                true => session.env.begin_statement(),
                false => {
                    session.env.conv.strict = session.env.is_strict_around();
                    self.list = Some(true);
                }
            }
            match session.evaluated(&made, place.values, f) {
                Ok(true) => {
                    if alone {
                        session.statement_succeeded()?;
                    }
                    return Ok(true);
                }
                Ok(false) => {
                    *kept.borrow_mut() = None;
                    if tree.is_none() {
                        return Ok(false);
                    }
                }
                Err(e) => {
                    if alone {
                        session.statement_failed(None, &e);
                    }
                    return Err(e);
                }
            }
        }
        Err(SqlError::new(ErrorCode::TABLE_DEF_CHANGED, &[]))
    }

    fn begin_list(&mut self, tables: Vec<TableId>) {
        self.session.env.begin_statement();
        self.session.env.statement.beside = tables;
        self.list = Some(false);
    }

    fn end_list(&mut self, failed: Option<&SqlError>) -> SqlResult<()> {
        self.session.env.statement.beside.clear();
        match (self.list.take(), failed) {
            (Some(true), Some(e)) => self.session.statement_failed(None, e),
            (Some(true), None) => self.session.statement_succeeded()?,
            _ => {}
        }
        Ok(())
    }

    fn tables_of(&mut self, place: Place<'_>, list: &[Expr<'_>]) -> SqlResult<Vec<TableId>> {
        plans::tables_of(&self.session.env, &place, list)
    }

    fn statement(
        &mut self,
        place: Place<'_>,
        kept: &Kept<Made>,
        kind: Kind,
        tree: Option<&Statement<'_>>,
    ) -> SqlResult<bool> {
        let before = self.out.bytes();
        let done = self.run_statement(place, kept, kind, tree);
        self.cut_off = done.is_err() && self.out.bytes() > before;
        done
    }

    fn handled(&mut self) -> SqlResult<()> {
        if !std::mem::take(&mut self.cut_off) {
            return Ok(());
        }
        let status = self.session.status_flags().with(StatusFlags::MORE_RESULTS);
        self.out.end_rows(&EndRows { status, warnings: 0, state: &[] })
    }

    fn query(
        &mut self,
        place: Place<'_>,
        kept: &Kept<Made>,
        tree: Option<&Statement<'_>>,
        begin: &mut dyn FnMut(&[SqlType]) -> SqlResult<()>,
        wanted: &mut Wanted<'_>,
    ) -> SqlResult<bool> {
        self.run_planned(place, kept, tree, &mut |s, cleared, _| {
            let plan = cleared.plan();
            begin(&plan.column_types)?;
            s.plan_warnings(plan);
            executor::wanted_rows(cleared, place.values, &mut s.env, wanted)?;
            Ok(Outcome { row_count: -1, ..Outcome::default() })
        })
    }

    fn may_handle(&self, e: &SqlError) -> bool {
        !is_end(e)
    }

    fn told(&mut self, areas: &Areas) {
        let d = &mut self.session.diagnostics;
        d.rows.clear();
        d.rows.extend(areas.present.iter().map(program::Condition::row));
        (d.count, d.errors) = areas.counts();
        self.session.env.counts.conditions = (d.count, d.errors);
    }

    fn step(&mut self) -> SqlResult<()> {
        base::memory::check()?;
        self.session.env.check_killed()?;
        sched::check_interrupt()
    }
}

impl Session {
    /// Evaluates an expression that uses tables or functions. `false`: its plan is stale.
    fn evaluated(
        &mut self,
        made: &Made,
        values: &[OwnedValue],
        f: &mut dyn FnMut(Value<'_>, &SqlType, &mut Env) -> SqlResult<()>,
    ) -> SqlResult<bool> {
        let cleared = made.plan.cleared(&self.env)?;
        if self.lock_plan(&made.plan)? == crate::kernel::locks::Locked::Stale {
            return Ok(false);
        }
        self.check_access(&made.plan)?;
        foretold(made, &mut self.env);
        self.may_write(&made.plan.plan)?;
        executor::scalar(cleared, values, &mut self.env, f)?;
        Ok(true)
    }
}

/// Warnings of planning an expression belong to each evaluation.
pub(crate) fn foretold(made: &Made, env: &mut Env) {
    for w in &made.plan.plan.notes.warnings {
        env.conv.warnings.push(w.clone());
        env.conv.warning_count += 1;
    }
}

/// Errors that end the whole statement, whatever handlers there are.
pub(crate) fn is_end(e: &SqlError) -> bool {
    [ErrorCode::QUERY_INTERRUPTED, ErrorCode::QUERY_TIMEOUT, ErrorCode::SERVER_SHUTDOWN].iter().any(|c| e.is(*c))
}
