//! What a condition says, looked at alone: about NULL, and whether it calls equal what GROUP BY does.

use hashbrown::HashSet;
use value::TypeKind;
use value::compare::{Comparator, ComparisonKind};

use crate::expr::{CmpOp, Expr, ExprKind, SlotId};

/// Whether the condition cannot be true when all columns of `slots` are NULL.
pub(crate) fn rejects_null(e: &Expr, slots: &HashSet<SlotId>) -> bool {
    let strict = |x: &Expr| strict_on(x, slots);
    match &e.kind {
        ExprKind::Compare { op, args, .. } => *op != CmpOp::NullSafeEq && args.iter().any(strict),
        ExprKind::Between { negated: false, args, .. } => args.iter().any(strict),
        ExprKind::InList { left, .. } => left.iter().any(strict),
        ExprKind::Like { args, .. } => args.iter().any(strict),
        ExprKind::IsNull(x, true) => strict(x),
        ExprKind::And(l) => l.iter().any(|x| rejects_null(x, slots)),
        ExprKind::Or(l) => l.iter().all(|x| rejects_null(x, slots)),
        ExprKind::Column { slot, .. } => slots.contains(slot),
        _ => false,
    }
}

/// Whether the value is NULL when all columns of `slots` are.
pub(crate) fn strict_on(e: &Expr, slots: &HashSet<SlotId>) -> bool {
    use crate::func::FuncId as F;
    match &e.kind {
        ExprKind::Column { slot, .. } => slots.contains(slot),
        ExprKind::Call(F::Add | F::Sub | F::Mul | F::Div | F::Mod | F::Neg | F::Lower | F::Upper | F::Collate, a) => {
            a.iter().any(|x| strict_on(x, slots))
        }
        ExprKind::Cast(x) => strict_on(x, slots),
        _ => false,
    }
}

/// Whether equal keys of GROUP BY are exactly those that the comparison calls equal.
pub(crate) fn groups_agree(inner: &Expr, cmp: &Comparator) -> bool {
    let k = inner.ty.kind;
    match cmp.kind {
        ComparisonKind::Int => k.is_integer(),
        ComparisonKind::Decimal => k.is_integer() || k == TypeKind::Decimal,
        ComparisonKind::String(c) => k.is_string() && inner.ty.collation == c,
        ComparisonKind::DateTime => matches!(k, TypeKind::Date | TypeKind::DateTime),
        _ => false,
    }
}
