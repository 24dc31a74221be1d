//! `x IN (subquery)` by lookups ([`planner::plan::Probe`]): the first evaluations look for one value each; once that has cost (by the planner's
//! estimates) as much as computing the whole subquery, its rows are computed and kept, and this module says nothing more.

use base::SqlResult;
use planner::plan::{Probe, SubPlan};
use value::Value;

use super::{Op, build};
use crate::eval::Cx;

/// What is known so far.
#[derive(Default)]
pub struct State<'e> {
    op: Option<Box<Op<'e>>>,
    runs: f64,
}

/// Whether the values are among the subquery's rows, or nothing if those are to be computed: for a NULL it counts whether there are any.
pub fn found<'e>(sub: &'e SubPlan, id: u16, values: &[Value<'_>], cx: &mut Cx<'e>) -> SqlResult<Option<bool>> {
    let Some(probe) = sub.probe.as_deref() else { return Ok(None) };
    if values.iter().any(Value::is_null) {
        return Ok(None);
    }
    let Some(state) = cx.subs.get_mut(id as usize).map(super::SubState::probe) else { return Ok(None) };
    if state.runs * probe.query.cost >= sub.query.cost {
        return Ok(None);
    }
    state.runs += 1.0;
    let mut op = match state.op.take() {
        Some(op) => op,
        None => Box::new(build(&probe.query.root, cx)),
    };
    let r = look(probe, &mut op, values, cx);
    if let Some(state) = cx.subs.get_mut(id as usize).map(super::SubState::probe) {
        state.op = Some(op);
    }
    r.map(Some)
}

fn look<'e>(probe: &'e Probe, op: &mut Op<'e>, values: &[Value<'_>], cx: &mut Cx<'e>) -> SqlResult<bool> {
    let around = cx.begin_round(probe.inside);
    let r = cx.slot(probe.slot).map(|s| s.set_values(values)).and_then(|()| op.open(cx)).and_then(|()| op.next(cx));
    cx.round.now = around;
    r
}
