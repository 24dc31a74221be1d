//! IF, CASE, COALESCE, IFNULL, INTERVAL, STRCMP.

use std::cmp::Ordering;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use planner::expr::Expr;
use planner::func::FuncId;
use value::Value;
use value::compare::Comparator;

use super::{Args, eval, truth};
use crate::context::Cx;

/// CASE.
pub(super) fn case<'a>(
    operand: Option<&'a Expr>,
    branches: &'a [(Expr, Expr)],
    cmp: &[Comparator],
    otherwise: Option<&'a Expr>,
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    match operand {
        None => {
            for (w, t) in branches {
                if truth(w, cx, arena)? == Some(true) {
                    return eval(t, cx, arena);
                }
            }
        }
        Some(o) => {
            let v = eval(o, cx, arena)?;
            for ((when, t), c) in branches.iter().zip(cmp) {
                let w = eval(when, cx, arena)?;
                if super::numbers::compare((v, o), (w, when), c, cx) == Some(Ordering::Equal) {
                    return eval(t, cx, arena);
                }
            }
        }
    }
    otherwise.map_or(Ok(Value::Null), |e| eval(e, cx, arena))
}

/// INTERVAL(): how many of the numbers behind the first, in their order, are not above it; -1 for NULL.
fn interval<T: PartialOrd>(
    len: usize,
    mut number: impl FnMut(usize) -> SqlResult<Option<T>>,
) -> SqlResult<Value<'static>> {
    let Some(n) = number(0)? else { return Ok(Value::Int(-1)) };
    let mut at = 0;
    for i in 1..len {
        match number(i)? {
            Some(v) if v > n => break,
            _ => at = i as i64,
        }
    }
    Ok(Value::Int(at))
}

/// The functions of this family.
pub(super) fn call<'a>(f: FuncId, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    match f {
        FuncId::If => {
            let i = if truth(a.expr(0)?, cx, a.arena)? == Some(true) { 1 } else { 2 };
            a.value(i, cx)
        }
        FuncId::IfNull | FuncId::Coalesce => {
            for i in 0..a.len() {
                let v = a.value(i, cx)?;
                if !v.is_null() {
                    return Ok(v);
                }
            }
            Ok(Value::Null)
        }
        FuncId::NullIf => super::compare::null_if(a, cx),
        FuncId::IsNullFn => Ok(Value::from_bool(a.value(0, cx)?.is_null())),
        FuncId::Greatest | FuncId::Least => super::extreme::call(f, a, cx),
        FuncId::Interval => {
            // beside an exact number all are, else doubles
            let exact = a.ty(0)?.kind;
            if exact.is_integer() || exact == value::TypeKind::Decimal {
                return interval(a.len(), |i| a.decimal(i, cx));
            }
            interval(a.len(), |i| a.double(i, cx))
        }
        FuncId::Strcmp => {
            let (x, y) = (a.text(0, cx)?, a.text(1, cx)?);
            let (Some(x), Some(y)) = (x, y) else { return Ok(Value::Null) };
            let c = a.ty(0)?.collation;
            Ok(Value::Int(match c.get().compare(x, y) {
                Ordering::Less => -1,
                Ordering::Equal => 0,
                Ordering::Greater => 1,
            }))
        }
        FuncId::GroupItem(_) => a.value(0, cx),
        // the planner replaces it under GROUP BY ... WITH ROLLUP, and nothing else may hold it
        FuncId::Grouping => Err(SqlError::new(ErrorCode::INVALID_GROUP_FUNC_USE, &[])),
        _ => Err(SqlError::unsupported(f.name())),
    }
}
