//! Queries that need only some rows of an index: DISTINCT and GROUP BY with MIN or MAX (loose index scan), MIN or MAX alone (one end).
//!
//! What is asked for here is a wish: whether an index can serve it, and is worth it, says `opt::access`. The operators above (DISTINCT,
//! aggregation) stay, so that a plan that reads more rows gives the same answer.

use parser::ast;

use super::query::OrderKey;
use super::{Leaf, LeafKind};
use crate::expr::{AggCall, AggFunc, Expr, ExprKind, SlotId};
use crate::opt::access::Loose;
use crate::opt::joins::Wanted;
use value::TypeKind;

/// The constant 1.
pub(super) fn one() -> Expr {
    Expr { kind: ExprKind::Const(value::OwnedValue::UInt(1)), ..Expr::int(0) }
}

/// The only leaf of a block, if it is a base table.
fn only(leaves: &[Leaf]) -> Option<&Leaf> {
    match leaves {
        [l] if matches!(l.kind, LeafKind::Base { .. }) => Some(l),
        _ => None,
    }
}

fn column_of(e: &Expr, slot: SlotId) -> Option<u16> {
    match e.kind {
        ExprKind::Column { slot: s, column } if s == slot => Some(column),
        _ => None,
    }
}

/// The column of MIN or MAX whose extreme value the order of an index gives, and whether it is MAX. ENUM and SET are compared as strings but
/// indexed as numbers; JSON is not indexed in its order.
fn extreme(a: &AggCall, slot: SlotId) -> Option<(&Expr, bool)> {
    let max = match a.func {
        AggFunc::Min => false,
        AggFunc::Max => true,
        _ => return None,
    };
    let e = a.args.first()?;
    column_of(e, slot)?;
    (!matches!(e.ty.kind, TypeKind::Enum | TypeKind::Set | TypeKind::Json)).then_some((e, max))
}

/// `SELECT MIN(c)` or `MAX(c)` alone: the order in which the first row has the answer. MIN gets a condition that passes NULLs over.
pub(super) fn ends(leaves: &[Leaf], conds: &mut Vec<Expr>, aggs: &[AggCall]) -> Option<Wanted> {
    let leaf = only(leaves)?;
    let [a] = aggs else { return None };
    let (e, max) = extreme(a, leaf.slot)?;
    // with other conditions the end may be far away: an index that serves them too costs nothing more
    let limit = conds.is_empty().then_some(1.0);
    let order = vec![(e.clone(), max)];
    if !max && e.ty.nullable {
        let kind = ExprKind::IsNull(Box::new(e.clone()), true);
        conds.push(Expr { kind, ty: crate::types::longlong(1).nullable(false), ..Expr::int(0) });
    }
    Some(Wanted { order, grouping: false, limit, loose: None })
}

/// DISTINCT of columns, GROUP BY columns with at most one column's MIN or MAX, or COUNT, SUM and AVG of the same DISTINCT columns, of one table.
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
        let (e, max) = extreme(a, leaf.slot)?;
        // the first row of a group may have NULL, which MIN passes over
        if !max && e.ty.nullable {
            return None;
        }
        let this = (column_of(e, leaf.slot)?, max);
        if then.is_some_and(|t| t != this) {
            return None;
        }
        then = Some(this);
    }
    Some(Loose { group: group.to_vec(), lead: group.len(), then })
}

/// The columns of `COUNT(DISTINCT a, b)`, `SUM(DISTINCT a)`, `AVG(DISTINCT a)`, where all aggregates are such of the same columns.
fn distinct_columns(aggs: &[AggCall], slot: SlotId) -> Option<&[Expr]> {
    let first = aggs.first()?;
    let plain = |a: &AggCall| a.distinct && matches!(a.func, AggFunc::Count | AggFunc::Sum | AggFunc::Avg);
    let same = |a: &AggCall| a.args.len() == first.args.len() && a.args.iter().zip(&first.args).all(|(x, y)| x.same(y));
    let columns = first.args.iter().all(|e| column_of(e, slot).is_some());
    (columns && aggs.iter().all(|a| plain(a) && same(a))).then_some(&*first.args)
}
