//! Aggregates that have the same argument, as `SUM(x)` and `AVG(x)`: it is evaluated once for each row.
//!
//! Only columns, numbers, and sums, differences and products of them: what raises no warning, of which there would be fewer.

use planner::expr::{AggCall, Expr, ExprKind};
use planner::func::FuncId;

/// For each aggregate the earlier one with the same argument; empty when there is none.
#[derive(Default)]
pub(super) struct Repeated(Vec<Option<usize>>);

impl Repeated {
    pub(super) fn new(aggs: &[AggCall]) -> Repeated {
        let only = |a: &AggCall| matches!(a.args.as_ref(), [e] if is_quiet(e));
        if aggs.iter().filter(|a| only(a)).count() < 2 {
            return Repeated::default();
        }
        let earlier = |(i, a): (usize, &AggCall)| {
            let e = a.args.first().filter(|_| only(a))?;
            aggs.iter().take(i).position(|o| only(o) && o.args.first().is_some_and(|o| o.same(e)))
        };
        let list: Vec<Option<usize>> = aggs.iter().enumerate().map(earlier).collect();
        Repeated(if list.iter().any(Option::is_some) { list } else { Vec::new() })
    }

    /// Whether any argument is repeated.
    #[inline]
    pub(super) fn any(&self) -> bool {
        !self.0.is_empty()
    }

    /// The aggregate that has evaluated the argument of aggregate `i`.
    #[inline]
    pub(super) fn earlier(&self, i: usize) -> Option<usize> {
        self.0.get(i).copied().flatten()
    }
}

/// Whether evaluating it raises no warning and has no effect.
fn is_quiet(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Column { .. } | ExprKind::Const(_) | ExprKind::Param(_) => e.ty.kind.is_numeric(),
        ExprKind::Once(_, e) => is_quiet(e),
        ExprKind::Call(FuncId::Add | FuncId::Sub | FuncId::Mul, args) => args.iter().all(is_quiet),
        _ => false,
    }
}
