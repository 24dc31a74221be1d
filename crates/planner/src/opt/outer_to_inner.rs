//! Outer joins that may as well be inner ones: a condition above them, or of a join or semijoin around them, is never true for their NULL rows.
//! Tested by the golden files (`select`, `explain`) and `tests/sql/plan_random.py`.

use hashbrown::HashSet;

use crate::block::predicates::rejects_null;
use crate::block::{JoinTree, Leaf};
use crate::expr::{Expr, SlotId};

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
