//! Subqueries in expressions. An uncorrelated one is computed once per execution and its result kept.

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use hashbrown::HashSet;
use planner::expr::{Expr, SubqueryUse};
use planner::plan::SubPlan;
use probe::held::Held;
use value::compare::Comparator;
use value::{OwnedValue, Value};

use super::quantified::{extremes, quantified, quantified_rows};
use super::row_set::RowSet;
use super::{Op, Operators};
use crate::eval::compare::rows_equal;
use crate::eval::eval as eval_expr;
use crate::eval::{Cx, Subqueries};
use crate::rows::keys;

/// Kept result of an uncorrelated subquery.
enum Kept {
    Scalar(OwnedValue),
    /// The single row; no values when there was none.
    Row(Vec<OwnedValue>),
    Exists(bool),
    /// Keys of a single column, whether a NULL was among them, and, for performance_schema, what they take.
    Set(HashSet<Box<[u8]>, foldhash::fast::RandomState>, bool, #[expect(dead_code, reason = "gives back")] Held),
    Rows(Vec<Box<[OwnedValue]>>),
    /// Rows that are looked for as a whole.
    RowSet(RowSet),
}

/// A subquery's operators and kept result.
#[derive(Default)]
pub struct SubState<'e> {
    op: Option<Box<Op<'e>>>,
    kept: Option<Kept>,
    /// Its rows by key, taken out while they are used.
    pub(super) keyed: super::keyed_subquery::State,
    /// Its lookups.
    pub(super) probe: super::probe::State<'e>,
}

impl<'e> Subqueries<'e> for Operators<'e> {
    fn value<'a>(&self, id: u16, how: &'a SubqueryUse, cx: &mut Cx<'e>, arena: &'a Bump) -> SqlResult<Value<'a>> {
        let plan = cx.plan;
        let Some(sub) = plan.subqueries.get(id as usize) else { return Err(SqlError::unsupported("subquery")) };
        let this = Sub { id, plan: sub, ops: self };
        let mut op = match this.state(|s| s.op.take()) {
            Some(op) => op,
            None => Box::new(self.build(&sub.query.root, cx)),
        };
        let around = sub.repeated().then(|| cx.begin_round(sub.inside));
        let r = run(this, &mut op, how, cx, arena);
        if let Some(around) = around {
            cx.round.now = around;
        }
        this.state(|s| s.op = Some(op));
        r
    }
}

/// A subquery: its plan, and what is kept of it under its number.
#[derive(Clone, Copy)]
pub(super) struct Sub<'o, 'e> {
    id: u16,
    pub(super) plan: &'e SubPlan,
    pub(super) ops: &'o Operators<'e>,
}

impl<'e> Sub<'_, 'e> {
    /// Reads or changes what is kept of it. (Nothing is evaluated meanwhile: a subquery inside may want the same.)
    pub(super) fn state<R: Default>(&self, f: impl FnOnce(&mut SubState<'e>) -> R) -> R {
        self.ops.subs.borrow_mut().get_mut(self.id as usize).map(f).unwrap_or_default()
    }

    /// Keeps the result of a subquery that is computed once.
    fn keep(&self, what: impl FnOnce() -> Kept) {
        if !self.plan.repeated() {
            self.state(|s| s.kept = Some(what()));
        }
    }
}

fn run<'a, 'e>(
    sub: Sub<'_, 'e>,
    op: &mut Op<'e>,
    how: &'a SubqueryUse,
    cx: &mut Cx<'e>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    match how {
        SubqueryUse::Scalar => scalar_value(sub, op, cx, arena),
        SubqueryUse::Column(n) => row_column(sub, op, *n as usize, cx, arena),
        SubqueryUse::Exists => {
            let kept = sub.state(|s| match s.kept {
                Some(Kept::Exists(b)) => Some(b),
                _ => None,
            });
            if let Some(b) = kept {
                return Ok(Value::from_bool(b));
            }
            op.open(cx)?;
            let b = op.next(cx)?;
            sub.keep(|| Kept::Exists(b));
            Ok(Value::from_bool(b))
        }
        SubqueryUse::In { left, cmp } => {
            let mut values = smallvec::SmallVec::<[Value<'a>; 4]>::new();
            for (e, c) in left.iter().zip(cmp.iter()) {
                // rows that are kept are looked for by the text
                values.push(match sub.plan.repeated() {
                    true => crate::eval::numbers::compared(e, c, cx, arena)?,
                    false => eval_expr(e, cx, arena)?,
                });
            }
            if sub.plan.repeated() {
                return in_rows(sub, op, &values, cmp, cx);
            }
            let kept = sub.state(|s| s.kept.is_some());
            if !kept && let Some(found) = super::probe::found(sub, &values, cx)? {
                return Ok(Value::from_bool(found));
            }
            in_kept(sub, op, left, cmp, &values, cx)
        }
        SubqueryUse::Quantified { left, op: cmp_op, all, cmp } => {
            let v = crate::eval::numbers::compared(left, cmp, cx, arena)?;
            if sub.plan.repeated() {
                return quantified_rows(sub.plan, op, v, (*cmp_op, *all, cmp), cx);
            }
            let first = sub.state(|s| s.kept.is_none());
            let mut rows = kept_rows(sub, op, cx)?;
            if first {
                extremes(&mut rows, cmp, &mut cx.env.conv);
            }
            let r = quantified(v, *cmp_op, *all, cmp, &rows, cx);
            sub.state(|s| s.kept = Some(Kept::Rows(rows)));
            Ok(r)
        }
    }
}

/// `(SELECT a ...)`: the value of its only row, NULL without a row.
fn scalar_value<'a, 'e>(sub: Sub<'_, 'e>, op: &mut Op<'e>, cx: &mut Cx<'e>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    let kept = sub.state(|s| match &s.kept {
        Some(Kept::Scalar(v)) => Some(v.as_value().copy_into(arena)),
        _ => None,
    });
    if let Some(v) = kept {
        return Ok(v);
    }
    if let Some(v) = super::keyed_subquery::value(sub, cx, arena)? {
        return Ok(v);
    }
    let v = scalar(sub.plan, op, 0, cx, arena)?;
    sub.keep(|| Kept::Scalar(v.to_owned()));
    Ok(v)
}

/// Column `n` of `(SELECT a, b ...)`. The whole row is kept, because the other columns are asked for too.
fn row_column<'a, 'e>(
    sub: Sub<'_, 'e>,
    op: &mut Op<'e>,
    n: usize,
    cx: &mut Cx<'e>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    let column = |row: &[OwnedValue]| row.get(n).map_or(Value::Null, |v| v.as_value().copy_into(arena));
    let kept = sub.state(|s| match &s.kept {
        Some(Kept::Row(row)) => Some(column(row)),
        _ => None,
    });
    if let Some(v) = kept {
        return Ok(v);
    }
    if sub.plan.repeated() {
        return scalar(sub.plan, op, n, cx, arena);
    }
    let mut row = Vec::with_capacity(sub.plan.query.items.len());
    op.open(cx)?;
    if op.next(cx)? {
        for e in &sub.plan.query.items {
            row.push(eval_expr(e, cx, arena)?.to_owned());
        }
        if op.next(cx)? {
            return Err(SqlError::new(ErrorCode::SUBQUERY_NO_1_ROW, &[]));
        }
    }
    let v = column(&row);
    sub.keep(|| Kept::Row(row));
    Ok(v)
}

/// `values IN (SELECT ...)` of a subquery that is run again for each row: its rows are compared one by one.
fn in_rows<'a, 'e>(
    sub: Sub<'_, 'e>,
    op: &mut Op<'e>,
    values: &[Value<'_>],
    cmp: &[Comparator],
    cx: &mut Cx<'e>,
) -> SqlResult<Value<'a>> {
    let mut null = false;
    let mut inner = Bump::new();
    op.open(cx)?;
    while op.next(cx)? {
        inner.reset();
        let members = values.iter().zip(&sub.plan.query.items).zip(cmp);
        let orders = members.map(|((v, e), c)| -> SqlResult<_> {
            let w = eval_expr(e, cx, &inner)?;
            Ok(c.compare(*v, w, &mut cx.env.conv))
        });
        match rows_equal(orders)? {
            Some(true) => return Ok(Value::Int(1)),
            None => null = true,
            Some(false) => {}
        }
        cx.tick()?;
    }
    Ok(if null { Value::Null } else { Value::Int(0) })
}

/// Column `n` of the single row.
fn scalar<'a, 'e>(
    sub: &'e SubPlan,
    op: &mut Op<'e>,
    n: usize,
    cx: &mut Cx<'e>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    cx.reading(|cx| op.open(cx))?;
    if !cx.reading(|cx| op.next(cx))? {
        return Ok(Value::Null);
    }
    let inner = Bump::new();
    let v = match sub.query.items.get(n) {
        Some(e) => eval_expr(e, cx, &inner)?.copy_into(arena),
        None => Value::Null,
    };
    if cx.reading(|cx| op.next(cx))? {
        return Err(SqlError::new(ErrorCode::SUBQUERY_NO_1_ROW, &[]));
    }
    Ok(v)
}

/// IN over a kept set.
fn in_kept<'e>(
    sub: Sub<'_, 'e>,
    op: &mut Op<'e>,
    left: &[Expr],
    cmp: &[Comparator],
    values: &[Value<'_>],
    cx: &mut Cx<'e>,
) -> SqlResult<Value<'static>> {
    if let ([v], [_], [c]) = (values, left, cmp)
        && c.within == 0.0
    {
        if !sub.state(|s| matches!(s.kept, Some(Kept::Set(..)))) {
            let (mut set, mut null) = (HashSet::default(), false);
            let (mut kept, mut held) = (0, Held::default());
            let mut inner = Bump::new();
            let mut k = Vec::new();
            op.open(cx)?;
            while op.next(cx)? {
                inner.reset();
                let Some(e) = sub.plan.query.items.first() else { break };
                let w = eval_expr(e, cx, &inner)?;
                k.clear();
                if keys::put_compared(w, &c.right, c.kind, &mut cx.env.conv, &mut k) {
                    if !set.contains(k.as_slice()) {
                        cx.keep(k.len() + 48)?;
                        kept += k.len() + 48;
                        held.set(kept);
                        set.insert(Box::<[u8]>::from(k.as_slice()));
                    }
                } else {
                    null = true;
                }
                cx.tick()?;
            }
            sub.state(|s| s.kept = Some(Kept::Set(set, null, held)));
        }
        let mut k = Vec::new();
        let known = keys::put_compared(*v, &c.left, c.kind, &mut cx.env.conv, &mut k);
        return Ok(sub.state(|s| match &s.kept {
            Some(Kept::Set(set, null, _)) if set.is_empty() && !*null => Value::Int(0),
            Some(Kept::Set(set, ..)) if known && set.contains(k.as_slice()) => Value::Int(1),
            Some(Kept::Set(_, null, _)) if known && !*null => Value::Int(0),
            _ => Value::Null,
        }));
    }
    let known = sub.state(|s| match s.kept.take() {
        Some(Kept::RowSet(set)) => Some(set),
        other => {
            s.kept = other;
            None
        }
    });
    let set = match known {
        Some(set) => set,
        None => RowSet::new(kept_rows(sub, op, cx)?, cmp, cx)?,
    };
    let answer = set.look_up(values, cmp, cx);
    sub.state(|s| s.kept = Some(Kept::RowSet(set)));
    Ok(answer)
}

/// What a kept row of so many values is taken for, bytes.
pub(super) fn size_of_row(values: usize) -> usize {
    values * 48
}

/// All rows, taken out of the kept result or computed.
fn kept_rows<'e>(sub: Sub<'_, 'e>, op: &mut Op<'e>, cx: &mut Cx<'e>) -> SqlResult<Vec<Box<[OwnedValue]>>> {
    let kept = sub.state(|s| match s.kept.take() {
        Some(Kept::Rows(r)) => Some(r),
        other => {
            s.kept = other;
            None
        }
    });
    if let Some(rows) = kept {
        return Ok(rows);
    }
    let mut rows = Vec::new();
    super::each_row(op, &sub.plan.query, cx, &mut |cx, row| {
        cx.keep(size_of_row(row.len()))?;
        rows.push(row.iter().map(Value::to_owned).collect());
        Ok(true)
    })?;
    Ok(rows)
}
