//! Functional dependencies that equalities make, for ONLY_FULL_GROUP_BY (MySQL manual, "MySQL Handling of GROUP BY").
//!
//! `a = b` in WHERE or in the ON of an inner join determines `b` where `a` is determined, and the other way round. In the ON of an outer
//! join it determines the columns of the inner side only, and only where all columns of the outer side that the ON names are
//! determined: otherwise some rows of a group could find a partner and others not. Inside the inner side constants determine nothing,
//! because rows without a partner have NULL there. Tested: golden `group_join`.

use hashbrown::HashSet;

use super::group::ColumnId;
use super::{JoinTree, Leaf};
use crate::expr::{CmpOp, Expr, ExprKind};

/// `column` is determined where all of `from` are.
pub(super) struct Fact {
    pub(super) column: ColumnId,
    pub(super) from: Vec<ColumnId>,
}

/// What the equality says about those columns that `about` accepts; `extra` must be determined too.
pub(super) fn equality(
    c: &Expr,
    about: &dyn Fn(ColumnId) -> bool,
    constants: bool,
    extra: &[ColumnId],
    out: &mut Vec<Fact>,
) {
    let ExprKind::Compare { op: CmpOp::Eq, args, .. } = &c.kind else { return };
    let [a, b] = args.as_ref();
    for (x, y) in [(a, b), (b, a)] {
        let ExprKind::Column { slot, column } = x.kind else { continue };
        let mut from = extra.to_vec();
        match y.kind {
            ExprKind::Column { slot, column } => from.push((slot, column)),
            _ if constants && y.is_const() => {}
            _ => continue,
        }
        if about((slot, column)) {
            out.push(Fact { column: (slot, column), from });
        }
    }
}

/// What the joins say. `always`: not inside the inner side of an outer join.
pub(super) fn of_joins(tree: &JoinTree, leaves: &[Leaf], always: bool, out: &mut Vec<Fact>) {
    match tree {
        JoinTree::Leaf(_) | JoinTree::Semi { .. } => {}
        JoinTree::Inner { parts, conds, .. } => {
            conds.iter().for_each(|c| equality(c, &|_| true, always, &[], out));
            parts.iter().for_each(|p| of_joins(p, leaves, always, out));
        }
        JoinTree::Left { left, right, conds } => {
            let mut inner = Vec::new();
            right.leaves(&mut inner);
            let inner: HashSet<_> = inner.into_iter().filter_map(|i| leaves.get(i)).map(|l| l.slot).collect();
            let mut outer = Vec::new();
            let mut plain = true;
            for c in conds {
                c.walk(&mut |e| match &e.kind {
                    ExprKind::Column { slot, column } if !inner.contains(slot) => outer.push((*slot, *column)),
                    ExprKind::Subquery(..) => plain = false,
                    _ => {}
                });
            }
            if plain {
                conds.iter().for_each(|c| equality(c, &|(slot, _)| inner.contains(&slot), false, &outer, out));
            }
            of_joins(left, leaves, always, out);
            of_joins(right, leaves, false, out);
        }
    }
}
