//! Full-text searches in a finished plan: which rows of a scan they leave, and what else is read of these.
//!
//! A scan whose condition demands a search need not read the rows that it does not find: what it finds is known by
//! clustered key (docs/decisions/0018-fulltext.md). Tested by golden `fulltext` and
//! `tests/sql/fulltext_kept_random.py`.

use crate::expr::{CmpOp, Expr, ExprKind, SlotId};
use crate::func::FuncId;
use crate::plan::{Match, Plan, QueryPlan};
use crate::visit::query_exprs_mut;

/// A conjunct that a search's value decides.
#[derive(Clone, Copy, Debug)]
pub struct Demand<'p> {
    /// The call.
    pub call: &'p Expr,
    /// The search's number.
    pub n: u16,
    /// How its value is compared with what; `None`: it must not be 0.
    pub bound: Option<(CmpOp, &'p Expr)>,
}

/// The conjunct of a condition that is a search of this slot's rows, alone or compared with a value that is known
/// before any row is read.
pub fn demanded<'p>(cond: &'p Expr, slot: SlotId, plan: &'p Plan) -> Option<Demand<'p>> {
    let is = |e: &Expr| match e.kind {
        ExprKind::Call(FuncId::Match(n), _) => plan.matches.get(n as usize).filter(|m| m.slot == slot).map(|_| n),
        _ => None,
    };
    match &cond.kind {
        ExprKind::Call(..) => is(cond).map(|n| Demand { call: cond, n, bound: None }),
        ExprKind::Compare { op, args, .. } => {
            let [a, b] = args.as_ref();
            let known = |e: &Expr| matches!(e.kind, ExprKind::Const(_) | ExprKind::Param(_));
            match (is(a), is(b)) {
                (Some(n), None) if known(b) => Some(Demand { call: a, n, bound: Some((*op, b)) }),
                (None, Some(n)) if known(a) => Some(Demand { call: b, n, bound: Some((op.flip(), a)) }),
                _ => None,
            }
        }
        ExprKind::And(list) => list.iter().find_map(|c| demanded(c, slot, plan)),
        _ => None,
    }
}

/// Marks the searches of a query without subqueries whose rows it wants to know nothing else of.
pub(crate) fn note_alone(q: &mut QueryPlan, matches: &mut [Match]) {
    if matches.is_empty() {
        return;
    }
    for i in 0..matches.len() {
        let Some(slot) = matches.get(i).map(|m| m.slot) else { continue };
        let mut alone = matches.iter().filter(|m| m.slot == slot).count() == 1;
        query_exprs_mut(q, &mut |e| alone = alone && !reads_beside(e, slot));
        if let Some(m) = matches.get_mut(i) {
            m.alone = alone;
        }
    }
}

/// Whether an expression reads a column of the slot other than to search it.
fn reads_beside(e: &Expr, slot: SlotId) -> bool {
    match &e.kind {
        ExprKind::Column { slot: s, .. } => *s == slot,
        // the text, which is no column; then the columns
        ExprKind::Call(FuncId::Match(_), args) => args.first().is_some_and(|a| reads_beside(a, slot)),
        _ => {
            let mut found = false;
            e.children(&mut |c| found = found || reads_beside(c, slot));
            found
        }
    }
}
