//! IN with a list of what stays the same for the whole execution: all of it is read, whatever is found in it.
//!
//! MySQL sorts such a list before it compares, so a subquery in it that finds several rows fails (1242), and a
//! deterministic stored function has its effects, also where an earlier member is equal. That can only be seen of these
//! two; lists without them are not looked at. Each member is evaluated once. No state. Tested: golden `programs_found`.

use base::SqlResult;
use bumpalo::Bump;
use planner::expr::{Expr, ExprKind};
use planner::func::FuncId;

use super::eval;
use crate::eval::Cx;

/// Whether a member may fail or have effects that are seen.
fn acts(e: &Expr) -> bool {
    e.any(&mut |x| matches!(x.kind, ExprKind::Subquery(..) | ExprKind::Call(FuncId::StoredConstant(_), _)))
}

/// Whether it has one value in an execution.
fn stays(e: &Expr, cx: &Cx<'_>) -> bool {
    let repeated = |id| cx.plan.subqueries.get(usize::from(id)).is_none_or(|s| s.repeated());
    // a row is what its members are
    !e.any(&mut |x| !matches!(x.kind, ExprKind::Row(_)) && x.varies(repeated))
}

/// Whether the whole list is read, whatever is found in it.
pub(super) fn is_read(list: &[Expr], cx: &Cx<'_>) -> bool {
    let some = !cx.plan.subqueries.is_empty() || !cx.plan.functions.is_empty();
    some && list.iter().any(acts) && list.iter().all(|e| stays(e, cx))
}

/// Evaluates those of the remaining members that act.
///
/// # Errors
/// Those of the members.
pub(super) fn read(rest: &[Expr], cx: &mut Cx<'_>, arena: &Bump) -> SqlResult<()> {
    rest.iter().filter(|e| acts(e)).try_for_each(|e| eval(e, cx, arena).map(drop))
}
