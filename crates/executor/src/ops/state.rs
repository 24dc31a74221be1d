//! What the operators of one execution have in common, and how they are built from plan nodes.
//!
//! [`Operators`] is made with the execution's `Cx`, which knows it only as the one who computes subqueries
//! ([`Subqueries`]). Operators that build others while they run, or meet rows of others, hold it weakly: it holds the
//! operators of subqueries.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use planner::plan::Plan;
use storage::table::TableHandle;
use value::OwnedValue;

use super::recursive::Round;
use super::subquery::SubState;
use super::timed::Measures;
use crate::eval::{Cx, Subqueries};
use crate::gate::Cleared;
use crate::rows::env::Env;

/// See the module.
pub struct Operators<'e> {
    /// This, for operators to hold.
    this: Weak<Operators<'e>>,
    /// Subqueries' operators and results.
    pub(super) subs: RefCell<Vec<SubState<'e>>>,
    /// Rows of the present round of recursive tables, by their numbers.
    pub(super) working: RefCell<Vec<Round>>,
    /// EXPLAIN ANALYZE: operators are measured.
    pub(super) measures: Option<Rc<Measures>>,
}

impl<'e> Operators<'e> {
    fn new(plan: &Plan, measures: Option<Rc<Measures>>) -> Rc<Operators<'e>> {
        let subs = plan.subqueries.iter().map(|_| SubState::default()).collect();
        Rc::new_cyclic(|this| Operators {
            this: this.clone(),
            subs: RefCell::new(subs),
            working: RefCell::default(),
            measures,
        })
    }

    /// The rows that the members of recursive table number `id` read now.
    pub(super) fn set_round(&self, id: usize, round: Round) {
        let mut working = self.working.borrow_mut();
        if working.len() <= id {
            working.resize_with(id + 1, Round::default);
        }
        if let Some(w) = working.get_mut(id) {
            *w = round;
        }
    }

    /// For an operator to hold.
    pub(super) fn weak(&self) -> Weak<Operators<'e>> {
        self.this.clone()
    }
}

/// The state of an execution that evaluates expressions and builds no operators but those of their subqueries.
pub fn context<'e>(
    cleared: Cleared<'e>,
    params: &'e [OwnedValue],
    tables: Vec<TableHandle>,
    env: &'e mut Env,
) -> Cx<'e> {
    let plan = cleared.plan();
    let mut cx = Cx::new(cleared, params, tables, env);
    if !plan.subqueries.is_empty() {
        let ops: Rc<dyn Subqueries<'e> + 'e> = Operators::new(plan, None);
        cx.subqueries = Some(ops);
    }
    cx
}

/// The state of an execution, and its operators' part of it.
pub fn begin<'e>(
    cleared: Cleared<'e>,
    params: &'e [OwnedValue],
    tables: Vec<TableHandle>,
    env: &'e mut Env,
) -> (Cx<'e>, Rc<Operators<'e>>) {
    start(cleared, params, tables, env, None)
}

/// The same for EXPLAIN ANALYZE: every operator is measured.
pub fn begin_measured<'e>(
    cleared: Cleared<'e>,
    params: &'e [OwnedValue],
    tables: Vec<TableHandle>,
    env: &'e mut Env,
    measures: Rc<Measures>,
) -> (Cx<'e>, Rc<Operators<'e>>) {
    start(cleared, params, tables, env, Some(measures))
}

fn start<'e>(
    cleared: Cleared<'e>,
    params: &'e [OwnedValue],
    tables: Vec<TableHandle>,
    env: &'e mut Env,
    measures: Option<Rc<Measures>>,
) -> (Cx<'e>, Rc<Operators<'e>>) {
    let plan = cleared.plan();
    let mut cx = Cx::new(cleared, params, tables, env);
    let ops = Operators::new(plan, measures);
    let known: Rc<dyn Subqueries<'e> + 'e> = ops.clone();
    cx.subqueries = Some(known);
    (cx, ops)
}
