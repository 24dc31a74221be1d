//! The functions: value of a call for the current row.

use base::SqlResult;
use bumpalo::Bump;
use planner::expr::ExprKind;
use planner::window::WindowFunc;
use value::Value;

use super::{Call, Place, Rows};
use crate::eval::Cx;

/// An argument's value at a row.
fn arg<'a>(c: &'a Call<'_>, n: usize, row: usize, rows: &'a Rows, arena: &'a Bump) -> Value<'a> {
    match c.plan.args.get(n).map(|e| &e.kind) {
        Some(ExprKind::Column { column, .. }) => rows.column(row, *column, arena),
        Some(_) => c.fixed.get(n).and_then(Option::as_ref).map_or(Value::Null, |v| v.as_value()),
        None => Value::Null,
    }
}

/// Value for the current row.
pub(super) fn value<'a>(
    c: &'a mut Call<'_>,
    rows: &'a Rows,
    p: &Place,
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    let size = (p.end - p.first) as u64;
    let row = (p.row - p.first) as u64;
    let frame = match c.plan.func {
        WindowFunc::Aggregate(_) | WindowFunc::FirstValue | WindowFunc::LastValue | WindowFunc::NthValue => {
            c.frame.rows(&c.plan.frame, rows, p, cx, arena)?
        }
        _ => (p.first, p.end),
    };
    if let (WindowFunc::Aggregate(a), Some(state)) = (&c.plan.func, &mut c.agg) {
        return state.value(a, &c.fixed, frame, rows, p, cx, arena);
    }
    let (start, end) = frame;
    let at = |i: usize| if i >= start && i < end { arg(c, 0, i, rows, arena) } else { Value::Null };
    Ok(match c.plan.func {
        WindowFunc::RowNumber => Value::UInt(row + 1),
        WindowFunc::Rank => Value::UInt((p.peers - p.first) as u64 + 1),
        WindowFunc::DenseRank => Value::UInt(p.groups),
        WindowFunc::PercentRank if size <= 1 => Value::Double(0.0),
        WindowFunc::PercentRank => Value::Double((p.peers - p.first) as f64 / (size - 1) as f64),
        WindowFunc::CumeDist => Value::Double((p.peers_end - p.first) as f64 / size as f64),
        WindowFunc::Ntile => {
            let n = c.number.unwrap_or(1).max(1);
            let (small, large) = (size / n, size % n);
            // the first `large` buckets have one row more
            let bucket = match row.checked_sub(large * (small + 1)) {
                None => row / (small + 1),
                Some(rest) => large + rest / small.max(1),
            };
            Value::UInt(bucket + 1)
        }
        WindowFunc::Lead(ahead) => {
            let n = usize::try_from(c.number.unwrap_or(1)).unwrap_or(usize::MAX);
            let other = if ahead { p.row.checked_add(n) } else { p.row.checked_sub(n) };
            match other.filter(|i| *i >= p.first && *i < p.end) {
                Some(i) => arg(c, 0, i, rows, arena),
                None => arg(c, 2, p.row, rows, arena),
            }
        }
        WindowFunc::FirstValue => at(start),
        WindowFunc::LastValue => end.checked_sub(1).map_or(Value::Null, at),
        WindowFunc::NthValue => {
            let n = usize::try_from(c.number.unwrap_or(1)).unwrap_or(usize::MAX);
            start.checked_add(n.saturating_sub(1)).map_or(Value::Null, at)
        }
        WindowFunc::Aggregate(_) => Value::Null,
    })
}
