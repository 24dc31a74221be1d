//! The host of functions and triggers: their statements are nested in the statement that calls them
//! (`docs/nested-statements.md`). Nothing here ends a transaction, and rows go nowhere.

use crate::kernel::locks::{is_current, take_locks};
use crate::kernel::nested::{Nested, may_be_nested, may_change};
use crate::kernel::programs::call::{foretold, is_end};
use crate::kernel::programs::lent::Around;
use crate::kernel::programs::plans::{self, Made, ProgramResolver, request, under_hints, whole};
use crate::kernel::programs::{Program, context, load, may_recurse, routine};
use crate::kernel::run::plan_key;
use base::{ErrorCode, SqlError, SqlResult, TableId};
use bumpalo::Bump;
use catalog::sysvar::Var;
use executor::gate::Cleared;
use executor::{Env, Wanted};
use parser::ast::{Body, Call, Expr, Statement};
use program::code::{Kept, Kind};
use program::host::Place;
use program::{Areas, Host};
use sched::Deadline;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use storage::dict::{ProgramDefinition, ProgramKind};
use value::{SqlType, Value};

/// An environment in the middle of a statement.
pub(crate) struct InnerHost<'e> {
    env: &'e mut Env,
    nested: &'e Nested,
    /// For statements without a plan, once there was one.
    around: Option<Around>,
    /// What plans depend on beside the text, once it is wanted.
    key: Cell<Option<u128>>,
}

impl Drop for InnerHost<'_> {
    fn drop(&mut self) {
        if let Some(a) = self.around.take() {
            self.nested.give_spare(a.into_session());
        }
    }
}

impl<'e> InnerHost<'e> {
    pub(crate) fn new(env: &'e mut Env, nested: &'e Nested) -> InnerHost<'e> {
        InnerHost { env, nested, around: None, key: Cell::new(None) }
    }

    /// Runs a statement that has no plan; one that fails is undone alone.
    fn unplanned(&mut self, place: &Place<'_>, statement: &Statement<'_>) -> SqlResult<()> {
        may_be_nested(statement, self.env, false)?;
        self.env.begin_nested_statement();
        let mut around = match self.around.take() {
            Some(a) => a,
            None => Around::new(self.nested.take_spare()?),
        };
        let start = self.env.trx.savepoint();
        let done = around.run(self.env, place, statement);
        self.around = Some(around);
        self.refresh();
        match done {
            Ok(o) => self.env.counts.row_count = o.row_count,
            Err(e) => {
                if !e.is(ErrorCode::LOCK_DEADLOCK) {
                    self.env.trx.rollback_to(start)?;
                }
                self.env.counts.row_count = -1;
                return Err(e);
            }
        }
        Ok(())
    }

    fn refresh(&mut self) {
        self.key.set(None);
    }

    #[inline]
    fn key(&self) -> u128 {
        match self.key.get() {
            Some(k) => k,
            None => {
                let k = plan_key(self.env, 0);
                self.key.set(Some(k));
                k
            }
        }
    }

    #[inline]
    fn found(&self, kept: &Kept<Made>) -> Option<Rc<Made>> {
        let kept = kept.borrow();
        let (key, made) = kept.as_ref()?;
        (*key == self.key() && made.fits(self.env)).then(|| made.clone())
    }

    fn keep(&self, kept: &Kept<Made>, made: &Rc<Made>) {
        if made.keeps() {
            *kept.borrow_mut() = Some((self.key(), made.clone()));
        }
    }

    /// Metadata locks of a plan; whether it is current under them. 1137 for a temporary table that a calling statement
    /// uses.
    fn locked(&mut self, made: &Made) -> SqlResult<bool> {
        let plan = &made.plan;
        for t in plan.plan.tables.iter().filter(|t| t.def.is_temporary()) {
            if self.env.kernel.programs.iter().any(|p| p.used.contains(&t.def.id)) {
                return Err(SqlError::new(ErrorCode::CANT_REOPEN_TABLE, &[&t.alias]));
            }
        }
        let deadline = Deadline::after(std::time::Duration::from_secs(self.env.vars.num(Var::lock_wait_timeout)));
        take_locks(plan, self.env, deadline)?;
        Ok(is_current(self.env, plan))
    }

    fn planned_statement(&mut self, place: &Place<'_>, tree: &Statement<'_>) -> SqlResult<Rc<Made>> {
        let resolver = ProgramResolver::new(self.env, place.types);
        let plan = planner::plan(tree, &request(place, whole(place), &resolver))?;
        let variables = resolver.variables.take();
        Ok(Rc::new(Made::new(plan, variables, self.env)))
    }

    fn planned_expression(&mut self, place: &Place<'_>, tree: &Expr<'_>) -> SqlResult<Rc<Made>> {
        Ok(Rc::new(Made::of_expression(self.env, place, tree)?))
    }

    /// Runs a planned statement with `body`; one that fails is undone alone. `false`: its tree is wanted.
    fn run_planned(
        &mut self,
        place: Place<'_>,
        kept: &Kept<Made>,
        tree: Option<&Statement<'_>>,
        body: &mut dyn FnMut(Cleared<'_>, &mut Env) -> SqlResult<i64>,
    ) -> SqlResult<bool> {
        self.env.begin_nested_statement();
        under_hints(self, &place, tree.is_some(), |host| host.run_begun(place, kept, tree, body))
    }

    fn run_begun(
        &mut self,
        place: Place<'_>,
        kept: &Kept<Made>,
        tree: Option<&Statement<'_>>,
        body: &mut dyn FnMut(Cleared<'_>, &mut Env) -> SqlResult<i64>,
    ) -> SqlResult<bool> {
        let mut found = self.found(kept);
        for _ in 0..8 {
            let made = match (found.take(), tree) {
                (Some(m), _) => m,
                (None, None) => return Ok(false),
                (None, Some(tree)) => {
                    let made = self.planned_statement(&place, tree)?;
                    self.keep(kept, &made);
                    made
                }
            };
            let cleared = made.plan.cleared(self.env)?;
            if !self.locked(&made)? {
                *kept.borrow_mut() = None;
                if tree.is_none() {
                    return Ok(false);
                }
                continue;
            }
            if made.plan.writes || made.plan.locking {
                may_change(&made.plan, self.env)?;
            }
            crate::kernel::forbidding_settings::check(self.env, &made.plan.plan)?;
            probe::inc(crate::kernel::com_counters::of_plan(&made.plan.plan.body));
            self.env.binlog.note_inside(|| crate::kernel::statement_format::reasons_inside(&made.plan.plan));
            let start = self.env.trx.savepoint();
            let mark = self.env.binlog.begin_nested();
            return match body(cleared, self.env) {
                Ok(n) => {
                    self.env.binlog.end_nested(mark, true);
                    self.env.counts.row_count = n;
                    Ok(true)
                }
                Err(e) => {
                    // a deadlock has no savepoint any more: the calling statement rolls everything back
                    if !e.is(ErrorCode::LOCK_DEADLOCK) {
                        self.env.trx.rollback_to(start)?;
                    }
                    self.env.binlog.end_nested(mark, false);
                    self.env.counts.row_count = -1;
                    Err(e)
                }
            };
        }
        Err(SqlError::new(ErrorCode::TABLE_DEF_CHANGED, &[]))
    }
}

impl Host for InnerHost<'_> {
    type Plan = Made;

    fn env(&mut self) -> &mut Env {
        self.env
    }

    fn procedure(&mut self, call: &Call<'_>) -> SqlResult<Rc<Program>> {
        let p = routine(self.env, ProgramKind::Procedure, call.schema, call.name)?;
        let [function, trigger] = &p.code.refused;
        let in_trigger = self.env.kernel.programs.iter().any(|p| p.kind.eq_ignore_ascii_case("trigger"));
        if let Some(e) = if in_trigger { trigger } else { function } {
            return Err(e.clone());
        }
        may_recurse(self.env, &p)?;
        Ok(p)
    }

    fn within<T>(
        &mut self,
        d: &Arc<ProgramDefinition>,
        body: &mut dyn FnMut(&mut Self) -> SqlResult<T>,
    ) -> SqlResult<T> {
        let caller = context::enter(self.env, d)?;
        self.refresh();
        let done = body(self);
        caller.leave(self.env);
        self.refresh();
        done
    }

    fn parse<'a>(&mut self, arena: &'a Bump, source: &[u8]) -> SqlResult<Body<'a>> {
        load::body(self.env, arena, source)
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
                f(Value::Int(n), ty, self.env)?;
                return Ok(true);
            }
            self.env.slow_step();
            let cleared = made.plan.cleared(self.env)?;
            if !made.plain && !self.locked(&made)? {
                *kept.borrow_mut() = None;
                if tree.is_none() {
                    return Ok(false);
                }
                continue;
            }
            self.env.begin_expression();
            foretold(&made, self.env);
            executor::scalar(cleared, place.values, self.env, f)?;
            return Ok(true);
        }
        Err(SqlError::new(ErrorCode::TABLE_DEF_CHANGED, &[]))
    }

    fn tables_of(&mut self, place: Place<'_>, list: &[Expr<'_>]) -> SqlResult<Vec<TableId>> {
        plans::tables_of(self.env, &place, list)
    }

    fn statement(
        &mut self,
        place: Place<'_>,
        kept: &Kept<Made>,
        kind: Kind,
        tree: Option<&Statement<'_>>,
    ) -> SqlResult<bool> {
        if kind != Kind::Planned {
            let Some(statement) = tree else { return Ok(false) };
            return self.unplanned(&place, statement).map(|()| true);
        }
        let word = self.env.kernel.programs.last().map_or("function", |p| p.kind).to_ascii_lowercase();
        self.run_planned(place, kept, tree, &mut |cleared, env| match cleared.plan().body {
            planner::plan::Body::Select(_) => Err(SqlError::new(ErrorCode::SP_NO_RETSET, &[&word])),
            _ => {
                let done = executor::dml(cleared, place.values, env)?;
                env.kernel.steps.says(&done.info);
                Ok(done.affected as i64)
            }
        })
    }

    fn query(
        &mut self,
        place: Place<'_>,
        kept: &Kept<Made>,
        tree: Option<&Statement<'_>>,
        begin: &mut dyn FnMut(&[SqlType]) -> SqlResult<()>,
        wanted: &mut Wanted<'_>,
    ) -> SqlResult<bool> {
        self.run_planned(place, kept, tree, &mut |cleared, env| {
            begin(&cleared.plan().column_types)?;
            executor::wanted_rows(cleared, place.values, env, wanted)?;
            Ok(-1)
        })
    }

    fn may_handle(&self, e: &SqlError) -> bool {
        !is_end(e) && !e.is(ErrorCode::LOCK_DEADLOCK)
    }

    fn told(&mut self, areas: &Areas) {
        self.env.counts.conditions = areas.counts();
    }

    fn step(&mut self) -> SqlResult<()> {
        base::memory::check()?;
        self.env.check_killed()?;
        sched::check_interrupt()
    }
}
