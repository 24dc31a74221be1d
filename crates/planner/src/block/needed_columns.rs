//! The columns that a block needs: those that its expressions read, by slot.

use std::collections::BTreeSet;

use super::{Draft, JoinTree};
use crate::expr::{Expr, ExprKind, SlotId};
use crate::func::FuncId;
use hashbrown::HashMap;

/// Column sets per slot.
pub(crate) type Needed = HashMap<SlotId, BTreeSet<u16>>;

/// Columns in `roots`, in the join conditions of `tree` and in all subqueries planned so far.
pub(crate) fn columns(draft: &Draft, roots: &[&Expr], tree: Option<&JoinTree>) -> Needed {
    let mut n = Needed::new();
    for e in roots {
        add(e, &mut n);
    }
    if let Some(t) = tree {
        conditions(t, &mut n);
    }
    for (slot, column) in &draft.lateral_refs {
        n.entry(*slot).or_default().insert(*column);
    }
    for s in &draft.subs {
        for (slot, column) in &s.refs {
            n.entry(*slot).or_default().insert(*column);
        }
    }
    n
}

/// Adds the columns of an expression.
pub(crate) fn add(e: &Expr, n: &mut Needed) {
    match &e.kind {
        ExprKind::Column { slot, column } => {
            n.entry(*slot).or_default().insert(*column);
        }
        // the column of the multi-valued index is not read
        ExprKind::Call(FuncId::InElements, args) => args.iter().take(1).for_each(|c| add(c, n)),
        _ => e.children(&mut |c| add(c, n)),
    }
}

fn conditions(t: &JoinTree, n: &mut Needed) {
    match t {
        JoinTree::Leaf(_) => {}
        JoinTree::Inner { parts, conds, .. } => {
            conds.iter().for_each(|c| add(c, n));
            parts.iter().for_each(|p| conditions(p, n));
        }
        JoinTree::Left { left, right, conds } => {
            conds.iter().for_each(|c| add(c, n));
            conditions(left, n);
            conditions(right, n);
        }
        JoinTree::Semi { right, conds, .. } => {
            conds.iter().for_each(|c| add(c, n));
            conditions(right, n);
        }
    }
}
