//! Outer joins that may as well be inner ones: a condition above them, or of a join or semijoin around them, is never true for their NULL rows.
//! Tested by the golden files (`select`, `explain`) and `tests/sql/plan_random.py`.

use hashbrown::HashSet;

use crate::bind::{JoinTree, Leaf};
use crate::expr::{CmpOp, Expr, ExprKind, SlotId};

/// Turns LEFT joins whose NULL rows the conditions above reject into inner joins.
pub(super) fn simplify(t: &mut JoinTree, conds: &[Expr], leaves: &[Option<Leaf>]) {
    match t {
        JoinTree::Leaf(_) => {}
        JoinTree::Inner { parts, conds: on, .. } => {
            let semi = parts.iter().flat_map(|p| match p {
                JoinTree::Semi { conds, anti: false, .. } => conds.as_slice(),
                _ => &[],
            });
            let all: Vec<Expr> = conds.iter().chain(on.iter()).chain(semi).cloned().collect();
            for p in parts {
                simplify(p, &all, leaves);
            }
        }
        JoinTree::Semi { right, conds: on, .. } => {
            let on = on.clone();
            simplify(right, &on, leaves);
        }
        JoinTree::Left { left, right, conds: on } => {
            let mut l = Vec::new();
            right.leaves(&mut l);
            let slots: HashSet<SlotId> =
                l.iter().filter_map(|i| leaves.get(*i).and_then(Option::as_ref)).map(|l| l.slot).collect();
            simplify(left, conds, leaves);
            if conds.iter().any(|c| rejects_null(c, &slots)) {
                let on = std::mem::take(on);
                let mut right = std::mem::replace(right.as_mut(), JoinTree::Leaf(usize::MAX));
                let left = std::mem::replace(left.as_mut(), JoinTree::Leaf(usize::MAX));
                let all: Vec<Expr> = conds.iter().chain(on.iter()).cloned().collect();
                simplify(&mut right, &all, leaves);
                *t = JoinTree::Inner { parts: vec![left, right], conds: on, straight: false };
            } else {
                let on = on.clone();
                simplify(right, &on, leaves);
            }
        }
    }
}

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
