//! `x IN (subquery)` by lookups ([`planner::plan::Probe`]): the first evaluations look for one value each; once that has cost (by the planner's
//! estimates) as much as computing the whole subquery, its rows are computed and kept, and this module says nothing more.

use base::SqlResult;
use planner::plan::Probe;
use value::Value;

use super::Op;
use super::subquery::Sub;
use crate::eval::Cx;

/// What is known so far.
#[derive(Default)]
pub struct State<'e> {
    op: Option<Box<Op<'e>>>,
    runs: f64,
}

/// Whether the values are among the subquery's rows, or nothing if those are to be computed: for a NULL it counts whether there are any.
pub(super) fn found<'e>(sub: Sub<'_, 'e>, values: &[Value<'_>], cx: &mut Cx<'e>) -> SqlResult<Option<bool>> {
    let Some(probe) = sub.plan.probe.as_deref() else { return Ok(None) };
    if values.iter().any(Value::is_null) {
        return Ok(None);
    }
    if sub.state(|s| s.probe.runs) * probe.query.cost >= sub.plan.query.cost {
        return Ok(None);
    }
    let op = sub.state(|s| {
        s.probe.runs += 1.0;
        s.probe.op.take()
    });
    let mut op = match op {
        Some(op) => op,
        None => Box::new(sub.ops.build(&probe.query.root, cx)),
    };
    let r = look(probe, &mut op, values, cx);
    sub.state(|s| s.probe.op = Some(op));
    r.map(Some)
}

fn look<'e>(probe: &'e Probe, op: &mut Op<'e>, values: &[Value<'_>], cx: &mut Cx<'e>) -> SqlResult<bool> {
    let around = cx.begin_round(probe.inside);
    let r = cx.slot(probe.slot).map(|s| s.set_values(values)).and_then(|()| op.open(cx)).and_then(|()| op.next(cx));
    cx.round.now = around;
    r
}
