//! Index condition pushdown (manual, "Index Condition Pushdown Optimization"): what of a table's condition reads the columns of the index alone
//! is checked on the index entry, so that rows which fail it need not be looked up.
//!
//! For ranges of secondary indexes that do not cover; not for locking reads, which lock the row before they look at it. Off by
//! `index_condition_pushdown=off` and the hint NO_ICP.

use storage::dict::IndexDef;

use super::joins::{Placed, Planner};
use crate::block::{Leaf, LeafKind};
use crate::expr::{Expr, ExprKind};
use crate::plan::Access;

/// Bit of `optimizer_switch`.
const ICP: u64 = 1 << 5;

/// Whether the condition reads columns of the leaf, and only such as the index holds whole.
fn index_only(e: &Expr, leaf: &Leaf, ix: &IndexDef) -> bool {
    let mut reads = false;
    let bad = e.any(&mut |x| match &x.kind {
        ExprKind::Column { slot, column } if *slot == leaf.slot => {
            reads = true;
            !ix.parts.iter().any(|p| p.column == *column && p.prefix == 0)
        }
        ExprKind::Subquery(..) | ExprKind::AssignUserVar(..) | ExprKind::UserVar(_) => true,
        ExprKind::Call(f, _) => !f.is_deterministic(),
        _ => false,
    });
    reads && !bad
}

impl Planner<'_> {
    /// Splits a table's condition: on the index, on the row; and whether this applies at all.
    pub(super) fn index_condition(
        &self,
        leaf: &Leaf,
        p: &Placed,
        conds: Vec<Expr>,
        locking: bool,
    ) -> (Vec<Expr>, Vec<Expr>, bool) {
        let (LeafKind::Base { def, .. }, Some(c)) = (&leaf.kind, &p.choice) else { return (Vec::new(), conds, false) };
        let told = self.cx.draft.table_hints.get(&leaf.slot).and_then(|t| t.no_icp.as_ref());
        let off = told.is_some_and(|l| l.is_empty() || l.contains(&c.index));
        let on = self.cx.switch & ICP != 0 && !off;
        let fits = c.index != 0 && !c.covering && !locking && c.loose == 0 && matches!(c.access, Access::Ranges(_));
        let fits = fits && !def.is_multi_valued(c.index);
        let Some(ix) = def.indexes.get(c.index).filter(|_| on && fits) else { return (Vec::new(), conds, false) };
        let (pushed, rest) = conds.into_iter().partition(|e| index_only(e, leaf, ix));
        (pushed, rest, true)
    }
}
