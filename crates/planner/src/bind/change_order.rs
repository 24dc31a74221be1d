//! When the rows of an UPDATE or DELETE change: while they are read, or after the last was read.
//!
//! A statement of one table changes rows as it meets them unless it could meet its own changes. One of several tables changes at once only the
//! rows of the table that the join reads first, where they are read once, and for DELETE those of tables of one row (MySQL's EXPLAIN says
//! "immediate" of these); what the others need is kept until the join has ended. So what cascades from the first table is seen by the rest of the
//! join: where a table of the join is among those that cascades reach, it is read in nested loops, as in MySQL, not into a hash table before.
//!
//! Tested: goldens `changed_order` and `changed_at_once`, `tests/sql/changes_random.py`.

use std::sync::Arc;

use base::TableId;
use storage::dict::{FkAction, TableDef, TriggerEvent, TriggerOf};

use super::Binder;
use crate::expr::{Expr, ExprKind, SlotId};
use crate::plan::{Access, Node, Scan, Target};

/// The columns that UPDATE may change, by the slot of their table.
pub(super) type Changed = Vec<(SlotId, Vec<u16>)>;

impl Binder<'_, '_> {
    /// Whether a subquery of this statement may read rows that cascades of its foreign keys change: which rows there are to change is found out
    /// before the first one is.
    pub(super) fn meets_cascades(&self) -> bool {
        let tables = &self.draft.tables;
        tables.len() > 1 && tables.iter().any(|t| t.write && !t.def.referenced_by.is_empty())
    }

    /// Whether cascades from a table that this statement changes reach another one that it reads.
    pub(super) fn cascades_into_join(&self) -> bool {
        let mut left: Vec<Arc<TableDef>> =
            self.draft.tables.iter().filter(|t| t.write).map(|t| t.def.clone()).collect();
        let mut seen: Vec<TableId> = left.iter().map(|t| t.id).collect();
        while let Some(t) = left.pop() {
            for r in &t.referenced_by {
                let acts = |a: FkAction| matches!(a, FkAction::Cascade | FkAction::SetNull);
                if !acts(r.key.on_delete) && !acts(r.key.on_update) {
                    continue;
                }
                let Some(child) = self.r.behind(&r.child.0, &r.child.1) else { continue };
                if child.id != t.id && self.draft.tables.iter().any(|t| t.def.id == child.id) {
                    return true;
                }
                if !seen.contains(&child.id) {
                    seen.push(child.id);
                    left.push(child);
                }
            }
        }
        false
    }
}

/// The target of a multi-table UPDATE that changes while the join is read, if any.
pub(super) fn updated_at_once(
    n: &Node,
    targets: &[Target],
    changed: &Changed,
    tables: &[Arc<TableDef>],
) -> Option<SlotId> {
    let first = read_first(n)?;
    let (_, columns) = changed.iter().find(|c| c.0 == first.slot)?;
    let reads = |e: &Expr| {
        e.any(&mut |e| matches!(e.kind, ExprKind::Column { slot, column } if slot == first.slot && columns.contains(&column)))
    };
    // the rest of the join would ask the changed row which rows of other targets there are
    let asked = targets.len() > 1 && asks(n, first.slot, &reads);
    let once = times(n, first.table, tables) == 1;
    let def = tables.get(first.table as usize)?;
    // rows are not clustered by such a key here, but are in MySQL
    let moves =
        !matches!(first.access, Access::Point(_)) && def.candidate_key().is_some_and(|i| holds(def, i as u16, columns));
    (once && !asked && !moves && !scan_changes(first, changed, tables) && !merge_changes(first, columns, tables))
        .then_some(first.slot)
}

/// The targets of a multi-table DELETE that change while the join is read.
pub(super) fn deleted_at_once(n: &Node, targets: &[Target], tables: &[Arc<TableDef>]) -> Vec<SlotId> {
    if targets.iter().any(|t| times(n, t.table, tables) != 1) {
        return Vec::new();
    }
    let mut scans = Vec::new();
    joined(n, &mut scans);
    let single = |s: &Scan| matches!(s.access, Access::Point(_)) && !s.dependent;
    let first = match scans.iter().find(|s| !s.is_some_and(single)) {
        Some(Some(first)) => Some(first.slot),
        _ => None,
    };
    let known = scans.iter().flatten().filter(|s| single(s)).map(|s| s.slot);
    known.chain(first).filter(|s| targets.iter().any(|t| t.slot == *s)).collect()
}

/// The base table that a join reads first.
fn read_first(n: &Node) -> Option<&Scan> {
    let mut scans = Vec::new();
    joined(n, &mut scans);
    scans.first().copied().flatten()
}

/// The tables of a join in the order in which it reads them, without those of semi-joins; `None`: not a base table.
fn joined<'n>(n: &'n Node, out: &mut Vec<Option<&'n Scan>>) {
    use crate::plan::JoinKind::{Anti, Semi};
    match n {
        Node::Scan(s) => out.push(Some(s)),
        Node::Filter { input, .. }
        | Node::Limit { input, .. }
        | Node::Distinct { input, .. }
        | Node::Unique { input, .. } => joined(input, out),
        Node::NestedLoop { outer, inner, kind, .. } | Node::HashJoin { outer, inner, kind, .. } => {
            joined(outer, out);
            if !matches!(kind, Semi | Anti) {
                joined(inner, out);
            }
        }
        _ => out.push(None),
    }
}

/// How many tables of a join, semi-joins included, are the base table of this number.
fn times(n: &Node, table: u16, tables: &[Arc<TableDef>]) -> usize {
    let id = |t: u16| tables.get(t as usize).map(|t| t.id);
    match n {
        Node::Scan(s) => usize::from(id(s.table) == id(table)),
        Node::Filter { input, .. }
        | Node::Limit { input, .. }
        | Node::Distinct { input, .. }
        | Node::Unique { input, .. } => times(input, table, tables),
        Node::NestedLoop { outer, inner, .. } | Node::HashJoin { outer, inner, .. } => {
            times(outer, table, tables) + times(inner, table, tables)
        }
        _ => 0,
    }
}

/// Whether a condition that is asked after the `first` table was read `reads` something; the keys of look-ups are no such conditions.
fn asks(n: &Node, first: SlotId, reads: &dyn Fn(&Expr) -> bool) -> bool {
    let all = |list: &[&Option<Expr>]| list.iter().any(|e| e.as_ref().is_some_and(reads));
    match n {
        Node::Scan(s) => s.slot != first && all(&[&s.filter, &s.pushed]),
        Node::Filter { input, cond, .. } => {
            asks(input, first, reads) || (!matches!(&**input, Node::Scan(s) if s.slot == first) && reads(cond))
        }
        Node::Limit { input, .. } | Node::Distinct { input, .. } | Node::Unique { input, .. } => {
            asks(input, first, reads)
        }
        Node::NestedLoop { outer, inner, on, .. } => {
            asks(outer, first, reads) || asks(inner, first, reads) || all(&[on])
        }
        Node::HashJoin { outer, inner, on, keys, .. } => {
            let keyed = keys.iter().any(|(a, b, _)| reads(a) || reads(b));
            keyed || asks(outer, first, reads) || asks(inner, first, reads) || all(&[on])
        }
        _ => false,
    }
}

/// Whether the rows to be changed come from a scan of their table, not from a join with subqueries.
pub(super) fn reads_alone(n: &Node) -> bool {
    match n {
        Node::Scan(_) | Node::Empty | Node::Dual => true,
        Node::Filter { input, .. } | Node::Limit { input, .. } => reads_alone(input),
        _ => false,
    }
}

/// Columns an UPDATE may change: assigned ones, ON UPDATE CURRENT_TIMESTAMP, generated; any where a BEFORE trigger may
/// set NEW.
pub(super) fn changed_columns(t: &Target, def: &TableDef) -> Vec<u16> {
    let sets_new = |p: &TriggerOf| p.before && p.event == TriggerEvent::Update;
    if def.triggers.iter().any(|p| p.trigger.as_ref().is_some_and(sets_new)) {
        return (0..def.columns.len() as u16).collect();
    }
    let mut v: Vec<u16> = t.sets.iter().map(|a| a.column).collect();
    v.extend(
        def.columns.iter().enumerate().filter(|(_, c)| c.on_update_now || c.generated.is_some()).map(|(i, _)| i as u16),
    );
    v
}

/// Whether some scan runs over an index whose keys the statement changes (a changed row could be met again).
pub(super) fn index_changes(n: &Node, changed: &Changed, tables: &[Arc<TableDef>]) -> bool {
    match n {
        Node::Scan(s) => scan_changes(s, changed, tables),
        Node::Filter { input, .. } | Node::Limit { input, .. } => index_changes(input, changed, tables),
        Node::Empty | Node::Dual => false,
        _ => true,
    }
}

fn scan_changes(s: &Scan, changed: &Changed, tables: &[Arc<TableDef>]) -> bool {
    let Some((_, cols)) = changed.iter().find(|c| c.0 == s.slot) else { return false };
    if matches!(s.access, Access::Point(_)) {
        return false;
    }
    let Some(def) = tables.get(s.table as usize) else { return true };
    // equality on the changed key cannot meet the row again unless it stays equal, but several ranges can
    holds(def, s.index, cols) || holds(def, 0, cols)
}

/// The same of an index merge, which has found its rows by then, but changes none of them at once in MySQL.
fn merge_changes(s: &Scan, columns: &[u16], tables: &[Arc<TableDef>]) -> bool {
    let Access::Merge { parts, .. } = &s.access else { return false };
    tables.get(s.table as usize).is_none_or(|def| parts.iter().any(|(i, _)| holds(def, *i, columns)))
}

/// Whether an index has one of these columns.
fn holds(def: &TableDef, index: u16, columns: &[u16]) -> bool {
    def.indexes.get(index as usize).is_some_and(|ix| ix.parts.iter().any(|p| columns.contains(&p.column)))
}
