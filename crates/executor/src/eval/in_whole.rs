//! IN with a list of what stays the same for the whole execution: all of it is read, whatever is found in it.
//!
//! MySQL sorts such a list before it compares, so a subquery in it that finds several rows fails (1242), and a
//! deterministic stored function has its effects, also where an earlier member is equal. That can only be seen of these
//! two; lists without them are not looked at. A NULL on the left is compared with each member, too. Each member is
//! evaluated once. No state. Tested: golden `programs_found`.

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

/// Left of IN is a NULL that had to be computed. MySQL compares it with each member all the same: stored functions have
/// their effects, a division by zero is told, and subqueries may find several rows. A long list without functions and
/// subqueries is one of constants nearly always: it is left alone.
///
/// # Errors
/// Those of the members.
pub(super) fn read_beside_null(
    left: &[Expr],
    (list, uniform): (&[Expr], bool),
    cx: &mut Cx<'_>,
    arena: &Bump,
) -> SqlResult<()> {
    let written = matches!(left, [Expr { kind: ExprKind::Const(value::OwnedValue::Null), .. }]);
    let some = !cx.plan.subqueries.is_empty() || !cx.plan.functions.is_empty();
    if (written && !(some && uniform)) || (list.len() >= super::in_set::LONG && !some) {
        return Ok(());
    }
    // constants have been told of before, and beside NULL as it is written only what acts among members
    // of one kind (`uniform`) is looked at
    let fixed = |e: &Expr, cx: &Cx<'_>| stays(e, cx) && !e.any(&mut |x| matches!(x.kind, ExprKind::Param(_)));
    for e in list {
        let read = acts(e) || !(written || fixed(e, cx));
        if read {
            eval(e, cx, arena)?;
        }
    }
    Ok(())
}

/// Evaluates those of the remaining members that act.
///
/// # Errors
/// Those of the members.
pub(super) fn read(rest: &[Expr], cx: &mut Cx<'_>, arena: &Bump) -> SqlResult<()> {
    rest.iter().filter(|e| acts(e)).try_for_each(|e| eval(e, cx, arena).map(drop))
}
