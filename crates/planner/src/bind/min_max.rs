//! MIN and MAX without groups: what the ends of indexes tell.
//!
//! Where every aggregate of a block over one base table is the MIN or MAX of a column, and for each of them some index gives the rows that
//! WHERE leaves in that column's order and no others, the block needs one row for each: [`Node::Ends`] reads them, the aggregation above
//! finds its answers among them. MySQL says "Select tables optimized away" (manual, "MIN() and MAX() Optimization"). Where conditions are
//! left that no index answers, a single MIN or MAX may still stop at the first row that passes: [`wanted`]. Locking reads are planned as
//! any other, for the rows they lock are theirs. Tested in `tests/sql/golden/min_max.sql`.

use std::sync::Arc;

use base::SqlResult;
use storage::dict::TableDef;
use value::TypeKind;

use super::Binder;
use super::merge_derived::Mark;
use crate::block::Needed;
use crate::block::{Job, Joined, Wanted};
use crate::block::{JoinTree, Leaf, LeafKind, Locks};
use crate::expr::{AggCall, AggFunc, Expr, ExprKind, SlotId};
use crate::plan::{Access, LockMode, Node, PartCond, Scan};

/// The constant 1.
pub(super) fn one() -> Expr {
    Expr { kind: ExprKind::Const(value::OwnedValue::UInt(1)), ..Expr::int(0) }
}

/// The only leaf of a block, if it is a base table.
pub(super) fn only(leaves: &[Leaf]) -> Option<&Leaf> {
    match leaves {
        [l] if matches!(l.kind, LeafKind::Base { .. }) => Some(l),
        _ => None,
    }
}

/// The column of MIN or MAX whose extreme value the order of an index gives, and whether it is MAX. ENUM and SET are compared as strings but
/// indexed as numbers; JSON is not indexed in its order.
pub(super) fn extreme(a: &AggCall, slot: SlotId) -> Option<(&Expr, u16, bool)> {
    let max = match a.func {
        AggFunc::Min => false,
        AggFunc::Max => true,
        _ => return None,
    };
    let e = a.args.first()?;
    let column = super::loose_scan::column_of(e, slot)?;
    (!matches!(e.ty.kind, TypeKind::Enum | TypeKind::Set | TypeKind::Json)).then_some((e, column, max))
}

/// Adds that MIN passes NULLs over.
fn pass_nulls(conds: &mut Vec<Expr>, e: &Expr, max: bool) {
    if max || !e.ty.nullable {
        return;
    }
    let kind = ExprKind::IsNull(Box::new(e.clone()), true);
    let cond = Expr { kind, ty: crate::types::longlong(1).nullable(false), ..Expr::int(0) };
    if !conds.iter().any(|c| c.same(&cond)) {
        conds.push(cond);
    }
}

/// `SELECT MIN(c)` or `MAX(c)` alone: the order in which the first row has the answer. MIN gets a condition that passes NULLs over.
pub(super) fn wanted(leaves: &[Leaf], conds: &mut Vec<Expr>, aggs: &[AggCall]) -> Option<Wanted> {
    let leaf = only(leaves)?;
    let [a] = aggs else { return None };
    let (e, _, max) = extreme(a, leaf.slot)?;
    // with other conditions the end may be far away: an index that serves them too costs nothing more
    let limit = conds.is_empty().then_some(1.0);
    let order = vec![(e.clone(), max)];
    pass_nulls(conds, e, max);
    Some(Wanted { order, limit, ..Wanted::default() })
}

impl Binder<'_, '_> {
    /// The rows at the ends of indexes that have a block's MINs and MAXs; `None` if there is something else to read.
    pub(super) fn ends(
        &mut self,
        leaves: &[Leaf],
        conds: &[Expr],
        aggs: &[AggCall],
        locks: &Locks,
        needed: &Needed,
    ) -> SqlResult<Option<Joined>> {
        let Some(leaf) = only(leaves).filter(|l| locks.of(l.slot).0 == LockMode::None) else { return Ok(None) };
        let mut ends: Vec<(Expr, u16, bool)> = Vec::new();
        for a in aggs {
            let Some((e, column, max)) = extreme(a, leaf.slot) else { return Ok(None) };
            if !ends.iter().any(|k| (k.1, k.2) == (column, max)) {
                ends.push((e.clone(), column, max));
            }
        }
        // one alone whose condition is of the block around it stays a table that EXPLAIN shows
        let outside = |c: &Expr| self.draft.expr_slots(c).iter().any(|s| *s != leaf.slot);
        if ends.is_empty() || (ends.len() == 1 && conds.iter().any(outside)) {
            return Ok(None);
        }
        let (mark, no_index) = (Mark::of(self), self.draft.notes.no_index_used);
        let (mut inputs, mut cost) = (Vec::with_capacity(ends.len()), 0.0);
        for (e, column, max) in ends {
            let Some(leaf) = copy(leaf) else { break };
            let LeafKind::Base { def, .. } = &leaf.kind else { break };
            let (slot, def) = (leaf.slot, Arc::clone(def));
            let mut conds = conds.to_vec();
            pass_nulls(&mut conds, &e, max);
            let wanted = Wanted { order: vec![(e, max)], limit: Some(1.0), end: true, ..Wanted::default() };
            let (tree, leaves) = (Some(JoinTree::Leaf(0)), vec![leaf]);
            let job = Job { tree, leaves, conds, wanted: &wanted, locks, needed, straight: false, hinted: Vec::new() };
            let mut end = self.plan_joins(job)?;
            if !end.ordered || !scan_of(&mut end.node).is_some_and(|s| at_once(s, slot, column, &def)) {
                mark.restore(self);
                self.draft.notes.no_index_used = no_index;
                return Ok(None);
            }
            cost += end.cost;
            inputs.push(end.node);
        }
        self.draft.notes.no_index_used = no_index;
        let rows = inputs.len() as f64;
        Ok(Some(Joined { node: Node::Ends(inputs), rows, cost, ordered: false }))
    }
}

/// The same table once more.
fn copy(l: &Leaf) -> Option<Leaf> {
    let LeafKind::Base { table, def, allowed, force, ignored, sorts } = &l.kind else { return None };
    let kind = LeafKind::Base {
        table: *table,
        def: Arc::clone(def),
        allowed: allowed.clone(),
        force: *force,
        ignored: ignored.clone(),
        sorts: sorts.clone(),
    };
    Some(Leaf { slot: l.slot, alias: l.alias.clone(), kind, columns: l.columns })
}

/// The scan of a plan for one table.
fn scan_of(n: &mut Node) -> Option<&mut Scan> {
    match n {
        Node::Scan(s) => Some(s),
        Node::Filter { input, once: true, .. } => scan_of(input),
        _ => None,
    }
}

/// Whether a scan in a column's order gives the row at the end first, without looking at others: no condition is left but that it is not NULL,
/// and NULLs are left out by the key.
fn at_once(s: &mut Scan, slot: SlotId, column: u16, def: &TableDef) -> bool {
    let not_null = |e: &Expr| match &e.kind {
        ExprKind::IsNull(x, true) => super::loose_scan::column_of(x, slot) == Some(column),
        _ => false,
    };
    let all = |e: &Expr| match &e.kind {
        ExprKind::And(l) => l.iter().all(not_null),
        _ => not_null(e),
    };
    if s.loose > 0 || !s.filter.iter().chain(&s.pushed).all(all) {
        return false;
    }
    if s.filter.is_none() && s.pushed.is_none() {
        return matches!(s.access, Access::Full | Access::Ranges(_));
    }
    let parts = def.indexes.get(s.index as usize).map_or(&[][..], |ix| &ix.parts);
    let Some(k) = parts.iter().position(|p| p.column == column) else { return false };
    match &mut s.access {
        Access::Full if k == 0 => {
            s.access = Access::Ranges(vec![vec![PartCond::NotNull]]);
            true
        }
        Access::Ranges(alts) => match alts.as_mut_slice() {
            [conds] => match conds.get(k) {
                Some(PartCond::Eq { null_safe, .. }) => !null_safe,
                Some(_) => true,
                None => false,
            },
            _ => false,
        },
        _ => false,
    }
}
