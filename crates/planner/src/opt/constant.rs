//! Conditions of WHERE that no row has a part in: `1 = 0`, `? IS NULL`, `@@x > 3`.
//!
//! MySQL evaluates them before it reads a table and says "Impossible WHERE" (manual, "WHERE Clause Optimization"); clients ask for a
//! table's columns in this way. What is known from the statement alone is decided here; the rest is asked once, when the block's rows are
//! first wanted ([`Node::Filter`] with `once`). Numbers and NULL only are decided here: other comparisons may have to warn on every
//! execution. Tested in `tests/sql/golden/impossible_where.sql`.

use value::{ConvCtx, OwnedValue};

use crate::block::{Draft, JoinTree};
use crate::expr::{Expr, ExprKind};

/// What the conditions without rows come to.
pub(super) enum Gate {
    /// All are true.
    Open,
    /// One is not true.
    Shut,
    /// To be asked when the block is executed.
    Asked(Expr),
}

/// Takes the conditions without rows out of a block's conjuncts, and of those of its inner joins and semijoins.
pub(super) fn gate(draft: &mut Draft, conds: &mut Vec<Expr>, tree: &mut JoinTree) -> Gate {
    if draft.handler {
        return Gate::Open;
    }
    let mut known: Vec<Expr> = conds.extract_if(.., |c| c.is_const()).collect();
    within(tree, &mut known);
    let mut asked = Vec::new();
    for c in known {
        match truth(&c) {
            Some(Some(true)) => {}
            Some(_) => return Gate::Shut,
            None => asked.push(c),
        }
    }
    draft.conjunction(asked).map_or(Gate::Open, Gate::Asked)
}

/// Takes those of joins that give no row where their condition is not true.
fn within(tree: &mut JoinTree, out: &mut Vec<Expr>) {
    match tree {
        JoinTree::Leaf(_) => {}
        JoinTree::Inner { parts, conds, .. } => {
            out.extend(conds.extract_if(.., |c| c.is_const()));
            parts.iter_mut().for_each(|p| within(p, out));
        }
        JoinTree::Left { left, .. } => within(left, out),
        JoinTree::Semi { conds, anti: false, .. } => out.extend(conds.extract_if(.., |c| c.is_const())),
        JoinTree::Semi { .. } => {}
    }
}

/// The truth of a condition on numbers (`Some(None)`: unknown, as of NULL), if the statement alone tells.
fn truth(e: &Expr) -> Option<Option<bool>> {
    match &e.kind {
        ExprKind::Const(v) => match v {
            OwnedValue::Null => Some(None),
            OwnedValue::Int(n) => Some(Some(*n != 0)),
            OwnedValue::UInt(n) => Some(Some(*n != 0)),
            OwnedValue::Double(f) => Some(Some(*f != 0.0)),
            _ => None,
        },
        ExprKind::Not(a) => truth(a).map(|t| t.map(|t| !t)),
        ExprKind::And(list) => all(list, false),
        ExprKind::Or(list) => all(list, true),
        ExprKind::Compare { op, args, cmp } => {
            let [a, b] = args.as_ref();
            let (ExprKind::Const(a), ExprKind::Const(b)) = (&a.kind, &b.kind) else { return None };
            if !number(a) || !number(b) || *op == crate::expr::CmpOp::NullSafeEq {
                return None;
            }
            let order = cmp.compare(a.as_value(), b.as_value(), &mut ConvCtx::default());
            Some(order.map(|o| op.holds(o)))
        }
        _ => None,
    }
}

/// AND (`decisive` false) or OR (true) of conditions that are all known.
fn all(list: &[Expr], decisive: bool) -> Option<Option<bool>> {
    let known = list.iter().map(truth).collect::<Option<Vec<_>>>()?;
    Some(if known.contains(&Some(decisive)) {
        Some(decisive)
    } else if known.contains(&None) {
        None
    } else {
        Some(!decisive)
    })
}

fn number(v: &OwnedValue) -> bool {
    matches!(v, OwnedValue::Null | OwnedValue::Int(_) | OwnedValue::UInt(_) | OwnedValue::Double(_))
}
