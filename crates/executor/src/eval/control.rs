//! IF, CASE, COALESCE, IFNULL, INTERVAL, STRCMP.

use std::cmp::Ordering;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use planner::expr::Expr;
use planner::func::family::Control;
use value::compare::{Comparator, ComparisonKind};
use value::{Decimal, SqlType, TypeKind, Value};

use super::{Args, eval, truth};
use crate::eval::Cx;

/// CASE.
pub(super) fn case<'a>(
    operand: Option<&'a Expr>,
    branches: &'a [(Expr, Expr)],
    cmp: &[Comparator],
    otherwise: Option<&'a Expr>,
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    let chosen = chosen(operand, branches, cmp, cx, arena)?.or(otherwise);
    chosen.map_or(Ok(Value::Null), |e| eval(e, cx, arena))
}

/// The result that CASE chooses; `None`: what ELSE says.
#[inline]
pub(super) fn chosen<'a>(
    operand: Option<&'a Expr>,
    branches: &'a [(Expr, Expr)],
    cmp: &[Comparator],
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Option<&'a Expr>> {
    match operand {
        None => {
            for (w, t) in branches {
                if truth(w, cx, arena)? == Some(true) {
                    return Ok(Some(t));
                }
            }
        }
        Some(o) => {
            let numbers = cmp.iter().all(|c| c.kind == ComparisonKind::Double);
            let v = if numbers { super::numbers::operand(o, cx, arena)? } else { eval(o, cx, arena)? };
            for ((when, t), c) in branches.iter().zip(cmp) {
                let w = super::numbers::compared(when, c, cx, arena)?;
                if super::numbers::compare((v, o), (w, when), c, cx) == Some(Ordering::Equal) {
                    return Ok(Some(t));
                }
            }
        }
    }
    Ok(None)
}

/// The first argument of INTERVAL().
enum Sought {
    Exact(Decimal, f64),
    Real(f64),
}

impl Sought {
    /// `None`: it is NULL.
    fn of(a: &Args<'_>, cx: &mut Cx<'_>) -> SqlResult<Option<Sought>> {
        if exact(a.ty(0)?) {
            return Ok(a.decimal(0, cx)?.map(|d| Sought::Exact(d, d.to_f64())));
        }
        Ok(a.double(0, cx)?.map(Sought::Real))
    }

    /// Whether argument `i` is above it: two exact numbers are compared as such, others as doubles. `None`: that is NULL.
    fn below(&self, i: usize, a: &Args<'_>, cx: &mut Cx<'_>) -> SqlResult<Option<bool>> {
        let n = match self {
            Sought::Exact(d, _) if exact(a.ty(i)?) => return Ok(a.decimal(i, cx)?.map(|x| x > *d)),
            Sought::Exact(_, n) | Sought::Real(n) => *n,
        };
        Ok(a.double(i, cx)?.map(|x| x > n))
    }
}

fn exact(t: &SqlType) -> bool {
    t.kind.is_integer() || t.kind == TypeKind::Decimal
}

/// INTERVAL(): how many of the numbers behind the first, in their order, are not above it; -1 for NULL. Eight constants and more are taken for
/// sorted, and what is found among them in halves is the answer whether they are or not.
fn interval(a: &Args<'_>, cx: &mut Cx<'_>) -> SqlResult<i64> {
    let Some(sought) = Sought::of(a, cx)? else { return Ok(-1) };
    if a.len() > 8 && constants(a, cx)? {
        let (mut low, mut high) = (0, a.len() - 2);
        while low != high {
            let middle = (low + high).div_ceil(2);
            if sought.below(middle + 1, a, cx)? == Some(true) {
                high = middle - 1;
            } else {
                low = middle;
            }
        }
        return Ok(if sought.below(low + 1, a, cx)? == Some(true) { 0 } else { low as i64 + 1 });
    }
    for i in 1..a.len() {
        if sought.below(i, a, cx)? == Some(true) {
            return Ok(i as i64 - 1);
        }
    }
    Ok(a.len() as i64 - 1)
}

/// Whether everything behind the first argument is a constant and not NULL.
fn constants(a: &Args<'_>, cx: &mut Cx<'_>) -> SqlResult<bool> {
    for i in 1..a.len() {
        if !a.expr(i)?.is_const() || a.value(i, cx)?.is_null() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The functions of this family.
pub(super) fn call<'a>(f: Control, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    match f {
        Control::If => {
            let i = if truth(a.expr(0)?, cx, a.arena)? == Some(true) { 1 } else { 2 };
            a.value(i, cx)
        }
        Control::IfNull | Control::Coalesce => {
            for i in 0..a.len() {
                let v = a.value(i, cx)?;
                if !v.is_null() {
                    return Ok(v);
                }
            }
            Ok(Value::Null)
        }
        Control::NullIf => super::compare::null_if(a, cx),
        Control::IsNullFn => Ok(Value::from_bool(a.value(0, cx)?.is_null())),
        Control::Greatest | Control::Least => super::greatest::call(f == Control::Greatest, a, cx),
        Control::Interval => interval(a, cx).map(Value::Int),
        Control::Strcmp => {
            let (x, y) = (a.text(0, cx)?, a.text(1, cx)?);
            let (Some(x), Some(y)) = (x, y) else { return Ok(Value::Null) };
            let c = a.ty(0)?.collation;
            Ok(Value::Int(match c.get().compare(x, y) {
                Ordering::Less => -1,
                Ordering::Equal => 0,
                Ordering::Greater => 1,
            }))
        }
        Control::GroupItem(_) => a.value(0, cx),
        // the planner replaces it under GROUP BY ... WITH ROLLUP, and nothing else may hold it
        Control::Grouping => Err(SqlError::new(ErrorCode::INVALID_GROUP_FUNC_USE, &[])),
        Control::LikeEscape => super::compare::like_escape(a, cx),
    }
}
