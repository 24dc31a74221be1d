//! IN with a list of what stays the same for the whole execution: read before anything is compared.
//!
//! MySQL sorts such a list when it is first asked, so a subquery in it that finds several rows fails (1242), and a
//! deterministic stored function has its effects, also where the left side is NULL or equals an earlier member. That
//! can only be seen of these two; lists without them are not looked at. Both keep their value for the execution, so
//! that reading them once more costs little. No state. Tested: golden `programs_beside`.

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
    !e.any(&mut |x| match &x.kind {
        ExprKind::Column { .. }
        | ExprKind::Agg { .. }
        | ExprKind::Win(_)
        | ExprKind::AssignUserVar(..)
        | ExprKind::UserVar(_)
        | ExprKind::InsertedValue(_)
        | ExprKind::DefaultValue => true,
        ExprKind::Subquery(id, _) => cx.plan.subqueries.get(usize::from(*id)).is_none_or(|s| s.repeated()),
        ExprKind::Call(FuncId::StoredConstant(_), _) => false,
        ExprKind::Call(f, _) => !f.is_deterministic(),
        _ => false,
    })
}

/// Evaluates the members that act, if the whole list stays the same.
///
/// # Errors
/// Those of the members.
pub(super) fn read(list: &[Expr], cx: &mut Cx<'_>, arena: &Bump) -> SqlResult<()> {
    if !list.iter().any(acts) || !list.iter().all(|e| stays(e, cx)) {
        return Ok(());
    }
    list.iter().filter(|e| acts(e)).try_for_each(|e| eval(e, cx, arena).map(drop))
}
