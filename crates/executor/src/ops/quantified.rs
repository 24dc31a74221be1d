//! ANY and ALL of a subquery's rows.

use std::cmp::Ordering;

use base::SqlResult;
use bumpalo::Bump;
use planner::expr::CmpOp;
use planner::plan::SubPlan;
use value::compare::{Comparator, ComparisonKind, Constant};
use value::{ConvCtx, OwnedValue, Value};

use super::Op;
use crate::eval::Cx;
use crate::eval::eval as eval_expr;

/// ANY or ALL over rows as they come: the first that decides ends it, and with a NULL on the left any row does.
pub(super) fn quantified_rows<'e>(
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

/// Leaves of the rows of ANY or ALL what decides for every value on the left: the least, the greatest, and a NULL
/// if there is one. Whatever is
/// compared otherwise than its own type is stays as it is.
pub(super) fn extremes(rows: &mut Vec<Box<[OwnedValue]>>, cmp: &Comparator, conv: &mut ConvCtx) {
    let exact = |k: ComparisonKind| matches!(k, ComparisonKind::Int | ComparisonKind::Decimal);
    let own =
        Comparator::new(&cmp.right, &cmp.right).is_ok_and(|c| c.kind == cmp.kind || exact(c.kind) && exact(cmp.kind));
    if rows.len() < 4
        || !own
        || cmp.within != 0.0
        || cmp.constant != Constant::Plain
        || cmp.kind == ComparisonKind::Json
    {
        return;
    }
    let among = Comparator::with_kind(cmp.kind, &cmp.right, &cmp.right);
    let (mut least, mut greatest, mut null) = (None, None, None);
    for (i, row) in rows.iter().enumerate() {
        let v = row.first().map_or(Value::Null, OwnedValue::as_value);
        if v.is_null() {
            null = Some(i);
            continue;
        }
        let mut beyond = |kept: Option<(usize, Value<'_>)>, wanted| {
            kept.is_none_or(|(_, k)| among.compare(v, k, conv) == Some(wanted))
        };
        if beyond(least, Ordering::Less) {
            least = Some((i, v));
        }
        if beyond(greatest, Ordering::Greater) {
            greatest = Some((i, v));
        }
    }
    let keep = [least.map(|k| k.0), greatest.map(|k| k.0), null];
    let mut i = 0;
    rows.retain(|_| {
        i += 1;
        keep.contains(&Some(i - 1))
    });
}

/// ANY or ALL over kept rows.
pub(super) fn quantified(
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
