//! GROUP BY and DISTINCT in the order of ORDER BY: where an index gives the joined rows in that order, groups come out
//! sorted, no sort is needed above them, and LIMIT ends the reading early. `SELECT a, COUNT(*) FROM t GROUP BY a ORDER
//! BY a LIMIT 5` reads five groups of an index on `a`.
//!
//! What is asked for here is a wish, as in [`super::loose_scan`]: whether an index can serve it, and is worth it, says
//! `opt::access`. Tested: golden `early_groups`.

use super::Binder;
use super::query::OrderKey;
use crate::block::{Leaf, LeafKind};
use crate::expr::{Expr, ExprKind};

/// Rows of a group of which nothing is known.
const GROUP: f64 = 10.0;

/// The order of rows in which equal `keys` (groups, or the items of DISTINCT) come one after the other and as ORDER BY
/// wants them: its keys first, then what else tells groups apart. `None` where ORDER BY has other keys, or both
/// directions, so that one index cannot give both. Without a LIMIT the groups' own order is not given up for it.
pub(super) fn order(keys: &[Expr], order: &[OrderKey], limited: bool) -> Option<Vec<(Expr, bool)>> {
    let desc = order.first()?.desc;
    let mut by: Vec<(Expr, bool)> = Vec::with_capacity(keys.len());
    let has = |by: &[(Expr, bool)], e: &Expr| by.iter().any(|b| b.0.same(e));
    for k in order {
        if k.desc != desc || !keys.iter().any(|e| e.same(&k.expr)) {
            return None;
        }
        if !has(&by, &k.expr) {
            by.push((k.expr.clone(), desc));
        }
    }
    if !limited && !by.iter().zip(keys).all(|(b, k)| b.0.same(k)) {
        return None;
    }
    for k in keys {
        if !has(&by, k) {
            by.push((k.clone(), desc));
        }
    }
    Some(by)
}

impl Binder<'_, '_> {
    /// How many rows a group has whose keys are `by`, as far as an index's statistics say.
    pub(super) fn rows_of_group(&self, leaves: &[Leaf], by: &[(Expr, bool)]) -> f64 {
        let column =
            |e: &Expr| if let ExprKind::Column { slot, column } = e.kind { Some((slot, column)) } else { None };
        let Some((slot, _)) = by.first().and_then(|b| column(&b.0)) else { return GROUP };
        let Some(LeafKind::Base { def, .. }) = leaves.iter().find(|l| l.slot == slot).map(|l| &l.kind) else {
            return GROUP;
        };
        let columns: Vec<u16> = by.iter().filter_map(|b| column(&b.0)).filter(|c| c.0 == slot).map(|c| c.1).collect();
        let stats = self.r.stats(def);
        let rows = def.indexes.iter().enumerate().filter_map(|(i, ix)| {
            let n = columns.len().min(ix.parts.len());
            if !ix.parts.get(..n)?.iter().all(|p| columns.contains(&p.column)) {
                return None;
            }
            if ix.unique() && n == ix.parts.len() {
                return Some(1.0);
            }
            stats.rec_per_key.get(i)?.get(n.checked_sub(1)?).copied()
        });
        rows.fold(None, |a: Option<f64>, b| Some(a.map_or(b, |a| a.min(b)))).unwrap_or(GROUP).max(1.0)
    }
}
