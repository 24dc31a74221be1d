//! Queries that need only some rows of an index: DISTINCT and GROUP BY with MIN or MAX (loose index scan). MIN and MAX
//! alone: `min_max.rs`.
//!
//! What is asked for here is a wish: whether an index can serve it, and is worth it, says `opt::access`. The operators
//! above (DISTINCT, aggregation) stay, so that a plan that reads more rows gives the same answer.

use parser::ast;

use super::min_max::{extreme, only};
use super::query::OrderKey;
use crate::block::Leaf;
use crate::block::Loose;
use crate::expr::{AggCall, AggFunc, Expr, ExprKind, SlotId};

/// The column of `slot` that an expression is.
pub(super) fn column_of(e: &Expr, slot: SlotId) -> Option<u16> {
    match e.kind {
        ExprKind::Column { slot: s, column } if s == slot => Some(column),
        _ => None,
    }
}

/// DISTINCT of columns, GROUP BY columns with at most one column's MIN or MAX, or COUNT, SUM and AVG of the same
/// DISTINCT columns, of one table.
pub(super) fn wanted(
    s: &ast::Select<'_>,
    leaves: &[Leaf],
    conds: &[Expr],
    items: &[Expr],
    group: &[Expr],
    aggs: &[AggCall],
    order: &[OrderKey],
) -> Option<Loose> {
    let leaf = only(leaves)?;
    // a condition that does not tell the rows of a group apart is of no harm: the index must show that
    if s.rollup || conds.iter().any(|c| c.any(&mut |x| matches!(x.kind, ExprKind::Subquery(..)))) {
        return None;
    }
    let columns = |l: &[Expr]| l.iter().map(|e| column_of(e, leaf.slot)).collect::<Option<Vec<u16>>>();
    if let Some(more) = distinct_columns(aggs, leaf.slot) {
        columns(group)?;
        let group: Vec<Expr> = group.iter().chain(more).cloned().collect();
        return Some(Loose { lead: group.len() - more.len(), group, then: None });
    }
    if group.is_empty() {
        if !aggs.is_empty() || items.is_empty() || order.iter().any(|k| !items.iter().any(|i| i.same(&k.expr))) {
            return None;
        }
        columns(items)?;
        return Some(Loose { group: items.to_vec(), lead: items.len(), then: None });
    }
    columns(group)?;
    let mut then: Option<(u16, bool)> = None;
    for a in aggs {
        let (e, column, max) = extreme(a, leaf.slot)?;
        // the first row of a group may have NULL, which MIN passes over
        if !max && e.ty.nullable {
            return None;
        }
        let this = (column, max);
        if then.is_some_and(|t| t != this) {
            return None;
        }
        then = Some(this);
    }
    Some(Loose { group: group.to_vec(), lead: group.len(), then })
}

/// The columns of `COUNT(DISTINCT a, b)`, `SUM(DISTINCT a)`, `AVG(DISTINCT a)`, where all aggregates are such of the
/// same columns.
fn distinct_columns(aggs: &[AggCall], slot: SlotId) -> Option<&[Expr]> {
    let first = aggs.first()?;
    let plain = |a: &AggCall| a.distinct && matches!(a.func, AggFunc::Count | AggFunc::Sum | AggFunc::Avg);
    let same = |a: &AggCall| a.args.len() == first.args.len() && a.args.iter().zip(&first.args).all(|(x, y)| x.same(y));
    let columns = first.args.iter().all(|e| column_of(e, slot).is_some());
    (columns && aggs.iter().all(|a| plain(a) && same(a))).then_some(&*first.args)
}
