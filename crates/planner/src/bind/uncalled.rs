//! IS NULL of what is never NULL: MySQL knows the answer and does not evaluate the operand, so a function of a
//! schema in it is not called, and does not fail (`COALESCE(f(), 1) IS NULL`). IS NOT NULL is known so only as a
//! condition that decides alone or through AND and OR.
//!
//! Operands without such a function stay as they are, as nobody can tell; so do those with a subquery or an aggregate,
//! which are computed elsewhere. Tested by `tests/sql/golden/programs_found.sql`.

use value::OwnedValue;

use super::expr::boolean;
use crate::expr::{Expr, ExprKind};
use crate::func::FuncId;

/// `x IS [NOT] NULL`.
pub(super) fn is_null(x: Expr, negated: bool) -> Expr {
    match !negated && is_known(&x) {
        true => answer(false),
        false => boolean(ExprKind::IsNull(Box::new(x), negated), false),
    }
}

/// The same for the IS NOT NULL of a condition.
pub(super) fn skip_not_null(e: &mut Expr) {
    match &mut e.kind {
        ExprKind::And(list) | ExprKind::Or(list) => list.iter_mut().for_each(skip_not_null),
        ExprKind::IsNull(x, true) if is_known(x) => *e = answer(true),
        _ => {}
    }
}

fn answer(holds: bool) -> Expr {
    boolean(ExprKind::Const(OwnedValue::Int(holds.into())), false)
}

/// Whether an expression is never NULL, and calls a function of a schema.
fn is_known(x: &Expr) -> bool {
    let calls = |e: &Expr| matches!(e.kind, ExprKind::Call(FuncId::Stored(_) | FuncId::StoredConstant(_), _));
    let apart = |e: &Expr| matches!(e.kind, ExprKind::Subquery(..) | ExprKind::Agg { .. } | ExprKind::Win(_));
    !x.ty.nullable && x.any(&mut |e| calls(e)) && !x.any(&mut |e| apart(e))
}
