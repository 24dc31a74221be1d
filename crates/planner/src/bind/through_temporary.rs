//! Whether the rows of a block go through a temporary table on their way to the client, and what the client is told of its columns then: MySQL
//! sends those of that table. An expression is a column there, with its own name as the original one; a stored table's column is in no key.
//!
//! Only what is told: neither the plan nor its values depend on it.
//!
//! Tested: `tests/clients/test_show_metadata.py`.

use catalog::client::ColumnFlags;
use parser::ast;
use value::TypeKind;

use super::Binder;
use super::query::OrderKey;
use crate::block::{Origin, OutColumn};
use crate::expr::{Expr, ExprKind, SlotId};
use crate::plan::Node;

/// What a column of a temporary table has no more: its keys, its counter, what sets it.
const LOST: u16 = ColumnFlags::PRI_KEY
    | ColumnFlags::UNIQUE_KEY
    | ColumnFlags::MULTIPLE_KEY
    | ColumnFlags::PART_KEY
    | ColumnFlags::AUTO_INCREMENT
    | ColumnFlags::TIMESTAMP
    | ColumnFlags::ON_UPDATE_NOW;

/// A stored column's flags in a temporary table.
pub(super) fn kept_flags(flags: u16, kind: TypeKind) -> u16 {
    // the copy of a BIT has a default
    let lost = if kind == TypeKind::Bit { LOST | ColumnFlags::NO_DEFAULT_VALUE } else { LOST };
    flags & !lost
}

/// What becomes of a column in a temporary table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Moved {
    /// It is none there: a constant, or computed of what is there.
    Not,
    /// A column without an original name: an aggregate.
    Nameless,
    /// A column of its name.
    Named,
}

/// The columns of a temporary table.
pub(crate) fn table_columns(columns: &mut [OutColumn], moved: &[Moved]) {
    for (c, moved) in columns.iter_mut().zip(moved).filter(|(_, moved)| **moved != Moved::Not) {
        c.ty = c.stored_type(*moved == Moved::Nameless);
        match &mut c.origin {
            Some(o) => {
                o.stored |= o.computed;
                o.flags = kept_flags(o.flags, c.ty.kind);
            }
            None => c.origin = Some(Origin::of_table(if *moved == Moved::Named { &c.name } else { "" })),
        }
    }
}

/// The clauses behind the joined tables, as far as they ask for a temporary table.
pub(super) struct Behind<'b> {
    pub(super) select: &'b ast::Select<'b>,
    pub(super) items: &'b [Expr],
    pub(super) group: &'b [Expr],
    pub(super) order: &'b [OrderKey],
    pub(super) aggregated: bool,
    pub(super) windows: bool,
    /// The rows come in the wanted order.
    pub(super) ordered: bool,
}

impl Binder<'_, '_> {
    /// What the columns of a block become, if its rows go through a temporary table; else nothing. `root` gives the rows of its joined tables.
    pub(super) fn moved_columns(&self, root: &Node, b: &Behind<'_>) -> Vec<Moved> {
        if !self.goes_through_table(root, b) {
            return Vec::new();
        }
        // groups are gathered in a table, and what is computed of their aggregates is computed of its rows
        let gathered = b.aggregated && !b.ordered && !b.select.rollup && !b.windows && !b.select.options.distinct;
        let fixed = |e: &Expr| e.is_const() || matches!(e.kind, ExprKind::UserVar(_)) || self.is_lone_subquery(e);
        let aggregate = |e: &Expr| matches!(e.kind, ExprKind::Agg { .. });
        let of = |e: &Expr| match e {
            e if fixed(e) => Moved::Not,
            e if gathered && aggregate(e) => Moved::Nameless,
            e if gathered && e.any(&mut |x| aggregate(x)) => Moved::Not,
            _ => Moved::Named,
        };
        b.items.iter().map(of).collect()
    }

    /// Whether it is a subquery that reads nothing of its surroundings.
    fn is_lone_subquery(&self, e: &Expr) -> bool {
        let ExprKind::Subquery(id, _) = &e.kind else { return false };
        self.draft.subs.get(usize::from(*id)).is_some_and(|s| !s.correlated && !s.volatile)
    }

    /// Whether the rows of a block go through a temporary table.
    fn goes_through_table(&self, root: &Node, b: &Behind<'_>) -> bool {
        let options = &b.select.options;
        if b.windows || options.buffer_result {
            return true;
        }
        if b.aggregated && b.group.is_empty() || is_one_row(root) {
            return false;
        }
        let sorted = !b.order.is_empty() && !b.ordered;
        if b.aggregated {
            let by_groups = b.order.iter().zip(b.group).all(|(k, g)| k.expr.same(g)) && b.order.len() <= b.group.len();
            // ROLLUP sorts, and needs a table for another order only
            return options.distinct || if b.select.rollup { sorted } else { !b.ordered || !by_groups };
        }
        if options.distinct {
            return !self.is_distinct(root, b.items);
        }
        sorted && b.order.iter().any(|k| !first_table_only(root, &k.expr))
    }

    /// Whether no two rows are equal, or equal ones come one after the other: a table alone whose unique key is listed, or which is read in the order
    /// of an index that begins with the columns listed.
    fn is_distinct(&self, root: &Node, items: &[Expr]) -> bool {
        let Node::Scan(scan) = root else { return matches!(root, Node::Dual | Node::Empty) };
        let Some(def) = self.draft.tables.get(usize::from(scan.table)).map(|t| &t.def) else { return false };
        let listed = |column: u16| {
            items
                .iter()
                .any(|e| matches!(e.kind, ExprKind::Column { slot, column: c } if slot == scan.slot && c == column))
        };
        let columns = |i: &storage::dict::IndexDef| i.parts.iter().map(|p| p.column).collect::<Vec<_>>();
        let never_null = |c: &u16| def.columns.get(usize::from(*c)).is_some_and(|c| !c.ty.nullable);
        let plain = items.iter().all(|e| matches!(e.kind, ExprKind::Column { .. }));
        def.indexes.iter().any(|i| {
            let parts = columns(i);
            let unique = i.kind != storage::dict::IndexKind::Plain && parts.iter().all(|c| listed(*c) && never_null(c));
            unique || plain && parts.len() >= items.len() && parts.iter().take(items.len()).all(|c| listed(*c))
        })
    }
}

/// Whether it is a query without tables in FROM, whose row is read before the others are planned.
fn is_one_row(root: &Node) -> bool {
    fn dual(n: &Node) -> bool {
        match n {
            Node::Dual => true,
            Node::Distinct { input, .. } | Node::Sort { input, .. } | Node::Aggregate { input, .. } => dual(input),
            _ => false,
        }
    }
    matches!(root, Node::Derived { query, .. } if dual(&query.root))
}

/// Whether a key of ORDER BY reads nothing but the table that is read first, so that its rows are sorted before they are joined.
fn first_table_only(root: &Node, key: &Expr) -> bool {
    let mut tables = Vec::new();
    slots(root, &mut tables);
    let [_, later @ ..] = tables.as_slice() else { return !draws(key) };
    !draws(key) && !key.any(&mut |x| matches!(x.kind, ExprKind::Column { slot, .. } if later.contains(&slot)))
}

/// Whether it may have another value each time, as RAND().
fn draws(e: &Expr) -> bool {
    e.any(&mut |x| matches!(&x.kind, ExprKind::Call(f, _) if !f.is_deterministic()))
}

/// The slots of the joined tables, in the order in which they are read.
fn slots(n: &Node, out: &mut Vec<SlotId>) {
    match n {
        Node::Scan(s) => out.push(s.slot),
        Node::Virtual { slot, .. } | Node::Derived { slot, .. } => out.push(*slot),
        Node::Filter { input, .. } | Node::Unique { input, .. } | Node::Limit { input, .. } => slots(input, out),
        Node::NestedLoop { outer, inner, .. } | Node::HashJoin { outer, inner, .. } => {
            slots(outer, out);
            slots(inner, out);
        }
        _ => {}
    }
}
