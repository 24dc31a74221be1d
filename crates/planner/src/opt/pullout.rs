//! Table pullout: a table of a semijoin that has at most one row for the rows outside is joined to them like any other.
//!
//! That is so where all parts of a unique index are equal to what is outside (MySQL's manual, "Optimizing IN and EXISTS Subquery Predicates with
//! Semijoin and Antijoin Transformations"). It changes no row, needs no estimate, and lets the table come first in the order. Tested by the
//! golden file `semijoin` and `tests/sql/plan_random.py`.

use hashbrown::HashSet;
use storage::dict::TableDef;

use crate::block::predicates::groups_agree;
use crate::block::{Draft, JoinTree, Leaf, LeafKind};
use crate::expr::{CmpOp, Expr, ExprKind, SlotId};

/// Takes such tables out of the semijoins of a tree.
pub(super) fn pull_out(draft: &Draft, t: &mut JoinTree, leaves: &[Option<Leaf>]) {
    match t {
        JoinTree::Leaf(_) => {}
        JoinTree::Left { left, right, .. } => {
            pull_out(draft, left, leaves);
            pull_out(draft, right, leaves);
        }
        JoinTree::Semi { right, .. } => pull_out(draft, right, leaves),
        JoinTree::Inner { parts, conds, straight } => {
            parts.iter_mut().for_each(|p| pull_out(draft, p, leaves));
            if *straight {
                return;
            }
            let mut out = Vec::with_capacity(parts.len());
            for p in std::mem::take(parts) {
                match p {
                    JoinTree::Semi { right, conds: on, anti: false, may, select } => {
                        let (pulled, rest) = pulled(draft, *right, on, leaves, conds);
                        out.extend(pulled);
                        out.extend(rest.map(|(right, conds)| JoinTree::Semi {
                            right: Box::new(right),
                            conds,
                            anti: false,
                            may,
                            select,
                        }));
                    }
                    p => out.push(p),
                }
            }
            *parts = out;
        }
    }
}

/// Parts taken out of a semijoin, and what is left of it. Conditions that concern it no longer go to `outer`.
fn pulled(
    draft: &Draft,
    right: JoinTree,
    on: Vec<Expr>,
    leaves: &[Option<Leaf>],
    outer: &mut Vec<Expr>,
) -> (Vec<JoinTree>, Option<(JoinTree, Vec<Expr>)>) {
    let (mut parts, mut conds) = match right {
        JoinTree::Inner { parts, conds, straight: false } => (parts, conds),
        right => (vec![right], Vec::new()),
    };
    conds.extend(on);
    let mut out = Vec::new();
    let slots = |t: &JoinTree| {
        let mut l = Vec::new();
        t.leaves(&mut l);
        l.into_iter().filter_map(|i| leaves.get(i)?.as_ref().map(|l| l.slot)).collect::<Vec<SlotId>>()
    };
    loop {
        let inside: HashSet<SlotId> = parts.iter().flat_map(slots).collect();
        let single = |p: &JoinTree| match p {
            JoinTree::Leaf(i) => {
                leaves.get(*i).and_then(Option::as_ref).is_some_and(|l| is_single(draft, l, &conds, &inside))
            }
            _ => false,
        };
        let Some(at) = parts.iter().position(single) else { break };
        out.push(parts.remove(at));
    }
    let positive = |p: &JoinTree| !matches!(p, JoinTree::Semi { .. });
    if !out.is_empty() && !parts.iter().any(positive) {
        // semijoins inside this one are semijoins of what is outside now
        out.append(&mut parts);
    }
    let inside: HashSet<SlotId> = parts.iter().flat_map(slots).collect();
    if !out.is_empty() {
        let (stay, go): (Vec<Expr>, Vec<Expr>) =
            conds.into_iter().partition(|c| draft.expr_slots(c).iter().any(|s| inside.contains(s)));
        outer.extend(go);
        conds = stay;
    }
    let rest = (!parts.is_empty()).then(|| match parts.pop() {
        Some(p) if parts.is_empty() => (p, conds),
        last => {
            parts.extend(last);
            (JoinTree::Inner { parts, conds: Vec::new(), straight: false }, conds)
        }
    });
    (out, rest)
}

/// Whether the conditions leave at most one row of a table for the rows outside of `inside`.
fn is_single(draft: &Draft, leaf: &Leaf, conds: &[Expr], inside: &HashSet<SlotId>) -> bool {
    let LeafKind::Base { def, .. } = &leaf.kind else { return false };
    let def: &TableDef = def;
    let fixed = |column: u16| {
        conds.iter().any(|c| {
            let ExprKind::Compare { op: CmpOp::Eq, args, cmp } = &c.kind else { return false };
            let [a, b] = args.as_ref();
            let own =
                |e: &Expr| matches!(e.kind, ExprKind::Column { slot, column: c } if slot == leaf.slot && c == column);
            let outside = |e: &Expr| !draft.expr_slots(e).iter().any(|s| inside.contains(s));
            (own(a) && outside(b) && groups_agree(a, cmp)) || (own(b) && outside(a) && groups_agree(b, cmp))
        })
    };
    def.indexes.iter().any(|ix| {
        ix.unique()
            && ix.array_part(&def.columns).is_none()
            && !ix.parts.is_empty()
            && ix.parts.iter().all(|p| p.prefix == 0 && fixed(p.column))
    })
}
