//! Subqueries in expressions. An uncorrelated one is computed once per execution and its result kept.

use std::cmp::Ordering;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use hashbrown::HashSet;
use planner::expr::{CmpOp, Expr, SubqueryUse};
use planner::plan::SubPlan;
use value::compare::Comparator;
use value::{OwnedValue, Value};

use super::{Op, build};
use crate::context::Cx;
use crate::eval::eval as eval_expr;
use crate::keys;

/// Kept result of an uncorrelated subquery.
enum Kept {
    Scalar(OwnedValue),
    /// The single row; no values when there was none.
    Row(Vec<OwnedValue>),
    Exists(bool),
    /// Keys of a single column, and whether a NULL was among them.
    Set(HashSet<Box<[u8]>, foldhash::fast::RandomState>, bool),
    Rows(Vec<Box<[OwnedValue]>>),
    /// Rows that are looked for as a whole.
    RowSet(RowSet),
}

/// The rows of an IN of several columns.
#[derive(Default)]
struct RowSet {
    rows: Vec<Box<[OwnedValue]>>,
    /// Keys of those without NULL.
    keys: HashSet<Box<[u8]>, foldhash::fast::RandomState>,
    /// The others, by number.
    nulls: Vec<usize>,
}

/// A subquery's operators and kept result.
#[derive(Default)]
pub struct SubState<'e> {
    op: Option<Box<Op<'e>>>,
    kept: Option<Kept>,
    keyed: super::keyed::State<'e>,
    probe: super::probe::State<'e>,
}

impl<'e> SubState<'e> {
    /// Its lookups.
    pub(super) fn probe(&mut self) -> &mut super::probe::State<'e> {
        &mut self.probe
    }

    /// Its rows by key, taken out while it is used.
    pub(super) fn keyed(&mut self) -> &mut super::keyed::State<'e> {
        &mut self.keyed
    }
}

/// Value of a subquery expression.
pub fn eval<'a>(id: u16, how: &'a SubqueryUse, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    let plan = cx.plan;
    let Some(sub) = plan.subqueries.get(id as usize) else { return Err(SqlError::unsupported("subquery")) };
    let Some(state) = cx.subs.get_mut(id as usize) else { return Err(SqlError::unsupported("subquery")) };
    let mut op = match state.op.take() {
        Some(op) => op,
        None => Box::new(build(&sub.query.root, cx)),
    };
    let around = sub.repeated().then(|| cx.begin_round(sub.inside));
    let r = run(sub, &mut op, id, how, cx, arena);
    if let Some(around) = around {
        cx.round.now = around;
    }
    if let Some(state) = cx.subs.get_mut(id as usize) {
        state.op = Some(op);
    }
    r
}

fn run<'a, 'e>(
    sub: &'e SubPlan,
    op: &mut Op<'e>,
    id: u16,
    how: &'a SubqueryUse,
    cx: &mut Cx<'e>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    match how {
        SubqueryUse::Scalar => {
            if let Some(Some(Kept::Scalar(v))) = cx.subs.get(id as usize).map(|s| &s.kept) {
                return Ok(v.as_value().copy_into(arena));
            }
            if let Some(v) = super::keyed::value(sub, id, cx, arena)? {
                return Ok(v);
            }
            let v = scalar(sub, op, 0, cx, arena)?;
            keep(sub, id, cx, || Kept::Scalar(v.to_owned()));
            Ok(v)
        }
        SubqueryUse::Column(n) => {
            if let Some(Some(Kept::Row(row))) = cx.subs.get(id as usize).map(|s| &s.kept) {
                return Ok(row.get(*n as usize).map_or(Value::Null, |v| v.as_value().copy_into(arena)));
            }
            if sub.repeated() {
                return scalar(sub, op, *n as usize, cx, arena);
            }
            let mut row = Vec::with_capacity(sub.query.items.len());
            op.open(cx)?;
            if op.next(cx)? {
                for e in &sub.query.items {
                    row.push(eval_expr(e, cx, arena)?.to_owned());
                }
                if op.next(cx)? {
                    return Err(SqlError::new(ErrorCode::SUBQUERY_NO_1_ROW, &[]));
                }
            }
            let v = row.get(*n as usize).map_or(Value::Null, |v| v.as_value().copy_into(arena));
            keep(sub, id, cx, || Kept::Row(row));
            Ok(v)
        }
        SubqueryUse::Exists => {
            if let Some(Some(Kept::Exists(b))) = cx.subs.get(id as usize).map(|s| &s.kept) {
                return Ok(Value::from_bool(*b));
            }
            op.open(cx)?;
            let b = op.next(cx)?;
            keep(sub, id, cx, || Kept::Exists(b));
            Ok(Value::from_bool(b))
        }
        SubqueryUse::In { left, cmp } => {
            let mut values = smallvec::SmallVec::<[Value<'a>; 4]>::new();
            for (e, c) in left.iter().zip(cmp.iter()) {
                // rows that are kept are looked for by the text
                values.push(match sub.repeated() {
                    true => crate::eval::numbers::compared(e, c, cx, arena)?,
                    false => eval_expr(e, cx, arena)?,
                });
            }
            if !sub.repeated() {
                let kept = cx.subs.get(id as usize).is_some_and(|s| s.kept.is_some());
                if !kept && let Some(found) = super::probe::found(sub, id, &values, cx)? {
                    return Ok(Value::from_bool(found));
                }
                return in_kept(sub, op, id, left, cmp, &values, cx);
            }
            let mut null = false;
            let mut inner = Bump::new();
            op.open(cx)?;
            while op.next(cx)? {
                inner.reset();
                let mut result = Some(true);
                for ((v, e), c) in values.iter().zip(&sub.query.items).zip(cmp.iter()) {
                    let w = eval_expr(e, cx, &inner)?;
                    match c.compare(*v, w, &mut cx.env.conv) {
                        Some(Ordering::Equal) => {}
                        Some(_) => {
                            result = Some(false);
                            break;
                        }
                        None => result = None,
                    }
                }
                match result {
                    Some(true) => return Ok(Value::Int(1)),
                    None => null = true,
                    Some(false) => {}
                }
                cx.tick()?;
            }
            Ok(if null { Value::Null } else { Value::Int(0) })
        }
        SubqueryUse::Quantified { left, op: cmp_op, all, cmp } => {
            let v = crate::eval::numbers::compared(left, cmp, cx, arena)?;
            if sub.repeated() {
                return quantified_rows(sub, op, v, (*cmp_op, *all, cmp), cx);
            }
            let rows = kept_rows(sub, op, id, cx)?;
            let r = quantified(v, *cmp_op, *all, cmp, &rows, cx);
            if let Some(s) = cx.subs.get_mut(id as usize) {
                s.kept = Some(Kept::Rows(rows));
            }
            Ok(r)
        }
    }
}

fn keep(sub: &SubPlan, id: u16, cx: &mut Cx<'_>, what: impl FnOnce() -> Kept) {
    if !sub.repeated()
        && let Some(s) = cx.subs.get_mut(id as usize)
    {
        s.kept = Some(what());
    }
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
    sub: &'e SubPlan,
    op: &mut Op<'e>,
    id: u16,
    left: &[Expr],
    cmp: &[Comparator],
    values: &[Value<'_>],
    cx: &mut Cx<'e>,
) -> SqlResult<Value<'static>> {
    if let ([v], [_], [c]) = (values, left, cmp)
        && c.within == 0.0
    {
        if !matches!(cx.subs.get(id as usize).map(|s| &s.kept), Some(Some(Kept::Set(..)))) {
            let (mut set, mut null) = (HashSet::default(), false);
            let mut inner = Bump::new();
            let mut k = Vec::new();
            op.open(cx)?;
            while op.next(cx)? {
                inner.reset();
                let Some(e) = sub.query.items.first() else { break };
                let w = eval_expr(e, cx, &inner)?;
                k.clear();
                if keys::put_compared(w, &c.right, c.kind, &mut cx.env.conv, &mut k) {
                    if !set.contains(k.as_slice()) {
                        cx.keep(k.len() + 48)?;
                        set.insert(Box::<[u8]>::from(k.as_slice()));
                    }
                } else {
                    null = true;
                }
                cx.tick()?;
            }
            if let Some(s) = cx.subs.get_mut(id as usize) {
                s.kept = Some(Kept::Set(set, null));
            }
        }
        let mut k = Vec::new();
        let known = keys::put_compared(*v, &c.left, c.kind, &mut cx.env.conv, &mut k);
        let Some(Some(Kept::Set(set, null))) = cx.subs.get(id as usize).map(|s| &s.kept) else {
            return Ok(Value::Null);
        };
        return Ok(if set.is_empty() && !*null {
            Value::Int(0)
        } else if !known {
            Value::Null
        } else if set.contains(k.as_slice()) {
            Value::Int(1)
        } else if *null {
            Value::Null
        } else {
            Value::Int(0)
        });
    }
    let keyed = cmp.iter().all(|c| c.within == 0.0);
    let known = match cx.subs.get_mut(id as usize) {
        Some(s) if matches!(s.kept, Some(Kept::RowSet(_))) => s.kept.take(),
        _ => None,
    };
    let set = match known {
        Some(Kept::RowSet(set)) => set,
        _ => row_set(kept_rows(sub, op, id, cx)?, cmp, keyed, cx)?,
    };
    let mut key = Vec::new();
    let answer = if !keyed || !row_key(values.iter().copied(), cmp, true, cx, &mut key) {
        // with a NULL on the left any row that is equal in the rest makes it unknown
        among(values, cmp, set.rows.iter(), cx)
    } else if set.keys.contains(key.as_slice()) {
        Value::Int(1)
    } else {
        among(values, cmp, set.nulls.iter().filter_map(|n| set.rows.get(*n)), cx)
    };
    if let Some(s) = cx.subs.get_mut(id as usize) {
        s.kept = Some(Kept::RowSet(set));
    }
    Ok(answer)
}

/// Rows with their keys; without keys where the comparison is not equality of keys.
fn row_set(rows: Vec<Box<[OwnedValue]>>, cmp: &[Comparator], keyed: bool, cx: &mut Cx<'_>) -> SqlResult<RowSet> {
    let mut set = RowSet { rows, ..RowSet::default() };
    if !keyed {
        return Ok(set);
    }
    let mut key = Vec::new();
    for (n, row) in set.rows.iter().enumerate() {
        if !row_key(row.iter().map(OwnedValue::as_value), cmp, false, cx, &mut key) {
            set.nulls.push(n);
        } else if !set.keys.contains(key.as_slice()) {
            cx.keep(key.len() + 48)?;
            set.keys.insert(Box::from(key.as_slice()));
        }
        cx.tick()?;
    }
    Ok(set)
}

/// The key of a row's values, each with its length in front; `false` where one is NULL. `left`: they stand on the left of IN.
fn row_key<'v>(
    values: impl Iterator<Item = Value<'v>>,
    cmp: &[Comparator],
    left: bool,
    cx: &mut Cx<'_>,
    key: &mut Vec<u8>,
) -> bool {
    key.clear();
    for (v, c) in values.zip(cmp) {
        let at = key.len();
        key.extend_from_slice(&[0; 4]);
        let ty = if left { &c.left } else { &c.right };
        if !keys::put_compared(v, ty, c.kind, &mut cx.env.conv, key) {
            return false;
        }
        let length = (key.len() - at) as u32;
        if let Some(place) = key.get_mut(at..at + 4) {
            place.copy_from_slice(&length.to_le_bytes());
        }
    }
    true
}

/// Whether the values are a row of these.
fn among<'r>(
    values: &[Value<'_>],
    cmp: &[Comparator],
    rows: impl Iterator<Item = &'r Box<[OwnedValue]>>,
    cx: &mut Cx<'_>,
) -> Value<'static> {
    let mut null = false;
    for r in rows {
        let mut result = Some(true);
        for ((v, w), c) in values.iter().zip(r.iter()).zip(cmp) {
            match c.compare(*v, w.as_value(), &mut cx.env.conv) {
                Some(Ordering::Equal) => {}
                Some(_) => {
                    result = Some(false);
                    break;
                }
                None => result = None,
            }
        }
        match result {
            Some(true) => return Value::Int(1),
            None => null = true,
            Some(false) => {}
        }
    }
    if null { Value::Null } else { Value::Int(0) }
}

/// What a kept row of so many values is taken for, bytes.
fn size_of_row(values: usize) -> usize {
    values * 48
}

/// All rows, taken out of the kept result or computed.
fn kept_rows<'e>(sub: &'e SubPlan, op: &mut Op<'e>, id: u16, cx: &mut Cx<'e>) -> SqlResult<Vec<Box<[OwnedValue]>>> {
    if let Some(s) = cx.subs.get_mut(id as usize) {
        match s.kept.take() {
            Some(Kept::Rows(r)) => return Ok(r),
            other => s.kept = other,
        }
    }
    let mut rows = Vec::new();
    super::each_row(op, &sub.query, cx, &mut |cx, row| {
        cx.keep(size_of_row(row.len()))?;
        rows.push(row.iter().map(Value::to_owned).collect());
        Ok(true)
    })?;
    Ok(rows)
}

/// ANY or ALL over rows as they come: the first that decides ends it, and with a NULL on the left any row does.
fn quantified_rows<'e>(
    sub: &'e SubPlan,
    op: &mut Op<'e>,
    v: Value<'_>,
    (cmp_op, all, cmp): (CmpOp, bool, &Comparator),
    cx: &mut Cx<'e>,
) -> SqlResult<Value<'static>> {
    let mut null = false;
    let mut inner = Bump::new();
    op.open(cx)?;
    while op.next(cx)? {
        if v.is_null() {
            return Ok(Value::Null);
        }
        inner.reset();
        let Some(e) = sub.query.items.first() else { break };
        let w = eval_expr(e, cx, &inner)?;
        match cmp.compare(v, w, &mut cx.env.conv) {
            None => null = true,
            Some(o) if cmp_op.holds(o) != all => return Ok(Value::from_bool(!all)),
            Some(_) => {}
        }
        cx.tick()?;
    }
    Ok(if null { Value::Null } else { Value::from_bool(all) })
}

fn quantified(
    v: Value<'_>,
    op: CmpOp,
    all: bool,
    cmp: &Comparator,
    rows: &[Box<[OwnedValue]>],
    cx: &mut Cx<'_>,
) -> Value<'static> {
    let mut null = false;
    for r in rows {
        let w = r.first().map_or(Value::Null, OwnedValue::as_value);
        match cmp.compare(v, w, &mut cx.env.conv) {
            None => null = true,
            Some(o) => {
                if op.holds(o) != all {
                    return Value::from_bool(!all);
                }
            }
        }
    }
    if null { Value::Null } else { Value::from_bool(all) }
}
