//! The origin of a plan's column: what it is made by, looked for downwards through the plan's nodes.
//!
//! A column of a stored table stays one through sorts, windows, groups and derived tables: CREATE TABLE ... SELECT keeps its default and comment.
//! Not through ROLLUP, which makes NULLs of it.
//!
//! An integer expression becomes the narrowest column that its digits fit in where its values go through a table, but the columns of a set
//! operation, of VALUES and of a recursive table already are columns: CREATE TABLE ... SELECT keeps their type. Slots are numbered for the
//! whole statement, so that a column's slot is looked for in the nodes of the query that it belongs to.
//!
//! Tested: `tests/sql/golden/create_select.sql`.

use crate::expr::{AggFunc, Expr, ExprKind, SlotId};
use crate::plan::{Node, Plan, QueryPlan, SlotDef};
use storage::dict::ColumnDef;

/// Whether `e`, an output of `q`, is a column that UNION, INTERSECT, EXCEPT, VALUES or WITH RECURSIVE made, perhaps of a derived table.
pub fn set_operation(plan: &Plan, q: &QueryPlan, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Column { slot, column } => node(plan, q, &q.root, *slot, *column as usize),
        ExprKind::Subquery(n, _) => plan
            .subqueries
            .get(*n as usize)
            .is_some_and(|s| s.query.items.first().is_some_and(|first| set_operation(plan, &s.query, first))),
        _ => false,
    }
}

/// The same for a column of `slot`, if `n` or what it reads fills that.
fn node(plan: &Plan, q: &QueryPlan, n: &Node, slot: SlotId, column: usize) -> bool {
    let kept = |list: &[Expr]| list.get(column).is_some_and(|e| set_operation(plan, q, e));
    match n {
        Node::Dual | Node::Empty | Node::Scan(_) | Node::Virtual { .. } | Node::JsonTable(_) | Node::Ends(_) => false,
        Node::Values { slot: s, .. } | Node::Recursive { slot: s, .. } | Node::Working { slot: s, .. } => *s == slot,
        Node::SetOp { slot: s, rest, .. } if !rest.is_empty() => *s == slot,
        // ORDER BY or LIMIT over a query in parentheses
        Node::SetOp { slot: s, first: query, .. } | Node::Derived { slot: s, query, .. } => {
            *s == slot && query.items.get(column).is_some_and(|e| set_operation(plan, query, e))
        }
        Node::Filter { input, .. }
        | Node::Distinct { input, .. }
        | Node::Unique { input, .. }
        | Node::Limit { input, .. } => node(plan, q, input, slot, column),
        Node::NestedLoop { outer, inner, .. } | Node::HashJoin { outer, inner, .. } => {
            node(plan, q, outer, slot, column) || node(plan, q, inner, slot, column)
        }
        Node::Sort { slot: s, payload, .. } if *s == slot => kept(payload),
        Node::Window { slot: s, plan: w, .. } if *s == slot => kept(&w.payload),
        Node::Aggregate { slot: s, group, .. } if *s == slot => kept(group),
        Node::Sort { input, .. } | Node::Window { input, .. } | Node::Aggregate { input, .. } => {
            node(plan, q, input, slot, column)
        }
    }
}

/// A column of a stored table, as a query hands it on.
#[derive(Clone, Copy, Debug)]
pub struct Stored<'p> {
    /// The column.
    pub column: &'p ColumnDef,
    /// It went through MIN or MAX, which take the column's type, but no default.
    pub extreme: bool,
    /// It comes out of a derived table.
    pub derived: bool,
}

/// The column of a stored table that `e`, an output of `q`, hands on.
pub fn stored_column<'p>(plan: &'p Plan, q: &QueryPlan, e: &Expr) -> Option<Stored<'p>> {
    let ExprKind::Column { slot, column } = e.kind else { return None };
    match plan.slots.get(slot as usize)? {
        SlotDef::Table(t) => {
            let column = plan.tables.get(usize::from(*t))?.def.columns.get(column as usize)?;
            Some(Stored { column, extreme: false, derived: false })
        }
        SlotDef::Tuple(_) => source(plan, q, &q.root, slot, column as usize),
    }
}

fn source<'p>(plan: &'p Plan, q: &QueryPlan, n: &Node, slot: SlotId, column: usize) -> Option<Stored<'p>> {
    let kept = |list: &[Expr]| list.get(column).and_then(|e| stored_column(plan, q, e));
    match n {
        Node::Dual | Node::Empty | Node::Scan(_) | Node::Virtual { .. } | Node::JsonTable(_) | Node::Ends(_) => None,
        Node::Values { .. } | Node::Recursive { .. } | Node::Working { .. } => None,
        Node::SetOp { slot: s, rest, .. } if !rest.is_empty() || *s != slot => None,
        Node::SetOp { first: query, .. } => stored_column(plan, query, query.items.get(column)?),
        Node::Derived { slot: s, query, .. } if *s == slot => {
            Some(Stored { derived: true, ..stored_column(plan, query, query.items.get(column)?)? })
        }
        Node::Derived { .. } => None,
        Node::Filter { input, .. }
        | Node::Distinct { input, .. }
        | Node::Unique { input, .. }
        | Node::Limit { input, .. } => source(plan, q, input, slot, column),
        Node::NestedLoop { outer, inner, .. } | Node::HashJoin { outer, inner, .. } => {
            source(plan, q, outer, slot, column).or_else(|| source(plan, q, inner, slot, column))
        }
        Node::Sort { slot: s, payload, .. } if *s == slot => kept(payload),
        Node::Window { slot: s, plan: w, .. } if *s == slot => kept(&w.payload),
        Node::Aggregate { slot: s, rollup: true, .. } if *s == slot => None,
        Node::Aggregate { slot: s, group, aggs, carry, .. } if *s == slot && column >= group.len() => {
            let Some(agg) = aggs.get(column - group.len()) else {
                return stored_column(plan, q, carry.get(column - group.len() - aggs.len())?);
            };
            let extreme = matches!(agg.func, AggFunc::Min | AggFunc::Max);
            let stored = stored_column(plan, q, agg.args.first().filter(|_| extreme)?)?;
            Some(Stored { extreme, ..stored })
        }
        Node::Aggregate { slot: s, group, .. } if *s == slot => kept(group),
        Node::Sort { input, .. } | Node::Window { input, .. } | Node::Aggregate { input, .. } => {
            source(plan, q, input, slot, column)
        }
    }
}

/// The expression of the same query that made `e`, where that reads a value which was sorted, grouped by, or kept beside windows.
pub fn expression<'p>(q: &'p QueryPlan, e: &'p Expr) -> &'p Expr {
    let ExprKind::Column { slot, column } = e.kind else { return e };
    kept_value(&q.root, slot, column as usize).map_or(e, |made| expression(q, made))
}

fn kept_value(n: &Node, slot: SlotId, column: usize) -> Option<&Expr> {
    match n {
        Node::Filter { input, .. }
        | Node::Distinct { input, .. }
        | Node::Unique { input, .. }
        | Node::Limit { input, .. } => kept_value(input, slot, column),
        Node::Sort { slot: s, payload, .. } if *s == slot => payload.get(column),
        Node::Window { slot: s, plan: w, .. } if *s == slot => w.payload.get(column),
        Node::Aggregate { slot: s, rollup: true, .. } if *s == slot => None,
        Node::Aggregate { slot: s, group, aggs, carry, .. } if *s == slot => {
            group.get(column).or_else(|| carry.get(column.checked_sub(group.len() + aggs.len())?))
        }
        Node::Sort { input, .. } | Node::Window { input, .. } | Node::Aggregate { input, .. } => {
            kept_value(input, slot, column)
        }
        _ => None,
    }
}

/// What a query's column is made by that is not a function: MIN and MAX of an expression, or a value that ROLLUP makes NULL in its totals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grouped {
    /// MIN or MAX of an expression.
    Extreme,
    /// MIN or MAX of a column, which has its type.
    ExtremeColumn,
    /// A group's value in a query with ROLLUP.
    Rolled,
}

impl Grouped {
    /// MIN or MAX.
    pub fn is_extreme(self) -> bool {
        matches!(self, Self::Extreme | Self::ExtremeColumn)
    }
}

/// Whether `e` reads such a value.
pub fn grouped(q: &QueryPlan, e: &Expr) -> Option<Grouped> {
    let ExprKind::Column { slot, column } = expression(q, e).kind else { return None };
    let mut n = &q.root;
    loop {
        match n {
            Node::Aggregate { slot: s, group, aggs, rollup, .. } if *s == slot => {
                let Some(agg) = (column as usize).checked_sub(group.len()) else {
                    return rollup.then_some(Grouped::Rolled);
                };
                let agg = aggs.get(agg).filter(|a| matches!(a.func, AggFunc::Min | AggFunc::Max))?;
                let column = agg.args.first().is_some_and(|e| matches!(e.kind, ExprKind::Column { .. }));
                return Some(if column { Grouped::ExtremeColumn } else { Grouped::Extreme });
            }
            Node::Filter { input, .. }
            | Node::Distinct { input, .. }
            | Node::Unique { input, .. }
            | Node::Limit { input, .. }
            | Node::Sort { input, .. }
            | Node::Window { input, .. }
            | Node::Aggregate { input, .. } => n = input,
            _ => return None,
        }
    }
}
