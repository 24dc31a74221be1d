//! Shares of conditions on a column that has a histogram (`value::histogram`).
//!
//! A constant's value is known when the plan is made for one text (EXPLAIN, constants), or when it is a literal of the execution that asks for
//! the plan. In the second case the plan is kept from others with the same text ([`crate::block::Context::peeked`]): their literals may want
//! another join order. That is done for joins only, since nothing else depends on such a share. Of a `?` only the average is known.
//! Tested by golden `histograms` and `tests/sql/test_histograms.py`.

use std::cmp::Ordering;

use value::compare::Comparator;
use value::histogram::{Histogram, Test};
use value::{ConvCtx, OwnedValue, SqlType, Value};

use super::joins::Planner;
use crate::block::Leaf;
use crate::expr::{CmpOp, Expr, ExprKind};
use crate::func::FuncId;

/// What is known about the other side of a comparison.
enum Other<'e> {
    Value(OwnedValue, &'e SqlType),
    /// A constant whose value is not known.
    Constant,
}

/// How a column compares with the other side.
struct Against<'h, 'e> {
    histogram: &'h Histogram,
    column: &'e SqlType,
}

impl Against<'_, '_> {
    /// Share of `column test other`. `None`: NULL, or not comparable.
    fn share(&self, test: Test, other: &Other<'_>, cmp: &Comparator, flipped: bool) -> Option<f64> {
        let Other::Value(v, ty) = other else {
            return (test == Test::Eq).then(|| self.histogram.average());
        };
        if matches!(v, OwnedValue::Null) {
            return Some(0.0);
        }
        let same = if flipped { &cmp.left == *ty } else { &cmp.right == *ty };
        let own = if same { None } else { Some(Comparator::new(self.column, ty).ok()?) };
        let mut ctx = ConvCtx::default();
        let mut order = |x: Value<'_>| -> Option<Ordering> {
            match &own {
                Some(c) => c.compare(x, v.as_value(), &mut ctx),
                None if flipped => cmp.compare(v.as_value(), x, &mut ctx).map(Ordering::reverse),
                None => cmp.compare(x, v.as_value(), &mut ctx),
            }
        };
        Some(self.histogram.share(test, Some(v.as_value()), &mut order))
    }

    fn compared(&self, op: CmpOp, other: &Other<'_>, cmp: &Comparator, flipped: bool) -> Option<f64> {
        let h = self.histogram;
        let null = matches!(other, Other::Value(OwnedValue::Null, _));
        let share = |t| self.share(t, other, cmp, flipped);
        Some(match op {
            CmpOp::NullSafeEq if null => h.nulls(),
            _ if null => 0.0,
            CmpOp::Eq | CmpOp::NullSafeEq => share(Test::Eq)?,
            CmpOp::Ne => h.not_null() - share(Test::Eq)?,
            CmpOp::Lt => share(Test::Lt)?,
            CmpOp::Le => share(Test::Le)?,
            CmpOp::Gt => h.not_null() - share(Test::Le)?,
            CmpOp::Ge => h.not_null() - share(Test::Lt)?,
        })
    }
}

impl Planner<'_> {
    /// Share of a leaf's rows for which a condition holds, from the histogram of its column. `None`: there is none, or it does not tell.
    pub(super) fn histogram_share(&self, e: &Expr, leaf: &Leaf) -> Option<f64> {
        let def = self.defs.get(&leaf.slot)?;
        let of = |x: &Expr| match x.kind {
            ExprKind::Column { slot, column } if slot == leaf.slot => {
                def.columns.get(column as usize)?.histogram.as_deref()
            }
            _ => None,
        };
        let share = match &e.kind {
            ExprKind::Compare { op, args, cmp } => {
                let [a, b] = args.as_ref();
                let (histogram, column, other, op, flipped) = match (of(a), of(b)) {
                    (Some(h), _) => (h, a, b, *op, false),
                    (None, Some(h)) => (h, b, a, op.flip(), true),
                    _ => return None,
                };
                let against = Against { histogram, column: &column.ty };
                against.compared(op, &self.other(other)?, cmp, flipped)?
            }
            ExprKind::Between { negated, args, cmp } => {
                let [x, low, high] = args.as_ref();
                let [with_low, with_high] = cmp.as_ref();
                let against = Against { histogram: of(x)?, column: &x.ty };
                let below = against.share(Test::Lt, &self.other(low)?, with_low, false)?;
                let upto = against.share(Test::Le, &self.other(high)?, with_high, false)?;
                let inside = (upto - below).max(0.0);
                if *negated { against.histogram.not_null() - inside } else { inside }
            }
            ExprKind::InList { negated, left, list, cmp } => {
                let [x] = left.as_ref() else { return None };
                let against = Against { histogram: of(x)?, column: &x.ty };
                let mut sum = 0.0;
                for (v, c) in list.iter().zip(cmp.iter()) {
                    sum += against.share(Test::Eq, &self.other(v)?, c, false)?;
                }
                let not_null = against.histogram.not_null();
                let found = sum.min(not_null);
                if *negated { not_null - found } else { found }
            }
            ExprKind::IsNull(x, negated) => {
                let h = of(x)?;
                if *negated { h.not_null() } else { h.nulls() }
            }
            _ => return None,
        };
        Some(Histogram::bounded(share))
    }

    /// The value of a constant expression, where it can be known now. `None`: it is not constant.
    fn other<'e>(&self, e: &'e Expr) -> Option<Other<'e>> {
        Some(match &e.kind {
            ExprKind::Const(v) => Other::Value(v.clone(), &e.ty),
            ExprKind::Param(n) if self.own.len() > 1 && (*n as usize) < self.cx.peek.len() => {
                self.cx.peeked.set(true);
                Other::Value(self.cx.peek.get(*n as usize)?.clone(), &e.ty)
            }
            // text that was made a date for the comparison
            ExprKind::Cast(x) | ExprKind::Once(_, x) => self.other(x)?,
            ExprKind::Call(f, args) if *f == FuncId::Neg => match (args.first().and_then(|x| self.other(x))?, &e.ty) {
                (Other::Value(OwnedValue::Int(n), _), ty) => Other::Value(OwnedValue::Int(n.checked_neg()?), ty),
                (Other::Value(OwnedValue::Double(n), _), ty) => Other::Value(OwnedValue::Double(-n), ty),
                _ => Other::Constant,
            },
            _ if e.is_const() => Other::Constant,
            _ => return None,
        })
    }
}
