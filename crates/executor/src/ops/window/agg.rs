//! Aggregates over frames.
//!
//! COUNT, and SUM and AVG of exact types, take rows out again that leave the frame. MIN and MAX keep the rows that may still become the
//! best. Both look at each row once when it comes and once when it goes. The others (floating-point sums, deviations, bit operations)
//! only grow; when a row leaves their frame they are computed anew from its first row, as taking out would change the result's last digits.

use std::collections::VecDeque;

use base::SqlResult;
use bumpalo::Bump;
use planner::expr::{AggCall, AggFunc, ExprKind};
use planner::window::{Bound, Frame};
use value::{OwnedValue, TypeKind, Value, convert};

use super::super::aggregate::{Acc, add, finish, order, start};
use super::{Place, Rows};
use crate::eval::Cx;

/// State within a partition: the aggregate over rows `lo..hi`.
pub(super) struct AggState {
    acc: Acc,
    lo: usize,
    hi: usize,
    /// Rows in `acc` whose arguments are not NULL.
    n: u64,
    invertible: bool,
    /// MIN and MAX: rows of the frame none of whose followers is better, best first.
    best: Option<VecDeque<usize>>,
    /// Value for `lo..hi`, if it has been asked for.
    known: Option<OwnedValue>,
}

impl AggState {
    pub(super) fn new(a: &AggCall, f: &Frame) -> AggState {
        let exact = a.ty.kind == TypeKind::Decimal;
        let invertible = match a.func {
            AggFunc::CountStar | AggFunc::Count => true,
            AggFunc::Sum | AggFunc::Avg => exact,
            _ => false,
        };
        let grows = matches!(f.start, Bound::Unbounded);
        let best = (!grows && matches!(a.func, AggFunc::Min | AggFunc::Max)).then(VecDeque::new);
        AggState { acc: start(a), lo: 0, hi: 0, n: 0, invertible, best, known: None }
    }

    fn clear(&mut self, a: &AggCall, at: usize) {
        self.acc = start(a);
        self.lo = at;
        self.hi = at;
        self.n = 0;
        self.known = None;
        if let Some(b) = &mut self.best {
            b.clear();
        }
    }

    /// The aggregate over rows `frame`.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn value<'a>(
        &mut self,
        a: &AggCall,
        fixed: &[Option<OwnedValue>],
        frame: (usize, usize),
        rows: &'a Rows,
        p: &Place,
        cx: &mut Cx<'_>,
        arena: &'a Bump,
    ) -> SqlResult<Value<'a>> {
        let (from, to) = frame;
        if p.new_partition || from >= self.hi || (from != self.lo && !self.invertible && self.best.is_none()) {
            self.clear(a, from);
        }
        let mut scratch = Bump::new();
        while self.hi < to {
            let i = self.hi;
            self.hi += 1;
            self.known = None;
            self.enter(a, fixed, i, rows, cx, &scratch)?;
            scratch.reset();
            cx.tick()?;
        }
        while self.lo < from {
            let i = self.lo;
            self.lo += 1;
            self.known = None;
            self.leave(a, fixed, i, rows, cx, &scratch)?;
            scratch.reset();
        }
        if let Some(best) = &self.best {
            return Ok(best.front().map_or(Value::Null, |i| argument(a, fixed, 0, *i, rows, arena)));
        }
        if let Some(v) = &self.known {
            return Ok(v.as_value().copy_into(arena));
        }
        let v = finish(a, &mut self.acc, cx, arena)?;
        self.known = Some(v.to_owned());
        Ok(v)
    }

    fn enter(
        &mut self,
        a: &AggCall,
        fixed: &[Option<OwnedValue>],
        i: usize,
        rows: &Rows,
        cx: &mut Cx<'_>,
        arena: &Bump,
    ) -> SqlResult<()> {
        if let (AggFunc::CountStar, Acc::Count(n)) = (a.func, &mut self.acc) {
            *n += 1;
            return Ok(());
        }
        let Some(e) = a.args.first() else { return Ok(()) };
        let values: smallvec::SmallVec<[Value<'_>; 2]> =
            (0..a.args.len()).map(|n| argument(a, fixed, n, i, rows, arena)).collect();
        let Some(v) = values.first().copied() else { return Ok(()) };
        // the JSON aggregates keep NULLs
        let keeps = matches!(a.func, AggFunc::JsonArrayagg | AggFunc::JsonObjectagg);
        if v.is_null() && !keeps {
            return Ok(());
        }
        if let Some(best) = &mut self.best {
            while let Some(last) = best.back() {
                let o = order(argument(a, fixed, 0, *last, rows, arena), v, e);
                let worse = if a.func == AggFunc::Min { o.is_gt() } else { o.is_lt() };
                if !worse {
                    break;
                }
                best.pop_back();
            }
            best.push_back(i);
            if best.len() & 0xffff == 0 {
                cx.keep(0x10000 * size_of::<usize>())?;
            }
            return Ok(());
        }
        self.n += 1;
        add(a, &mut self.acc, v, e, &values, cx, arena)?;
        Ok(())
    }

    fn leave(
        &mut self,
        a: &AggCall,
        fixed: &[Option<OwnedValue>],
        i: usize,
        rows: &Rows,
        cx: &mut Cx<'_>,
        arena: &Bump,
    ) -> SqlResult<()> {
        if let Some(best) = &mut self.best {
            if best.front() == Some(&i) {
                best.pop_front();
            }
            return Ok(());
        }
        if let (AggFunc::CountStar, Acc::Count(n)) = (a.func, &mut self.acc) {
            *n -= 1;
            return Ok(());
        }
        let Some(e) = a.args.first() else { return Ok(()) };
        let v = argument(a, fixed, 0, i, rows, arena);
        if v.is_null() {
            return Ok(());
        }
        self.n = self.n.saturating_sub(1);
        if self.n == 0 {
            self.acc = start(a);
            return Ok(());
        }
        match &mut self.acc {
            Acc::Count(n) => *n -= 1,
            Acc::SumInt(s, _) => {
                *s -= match v {
                    Value::Int(n) => n as i128,
                    Value::UInt(n) => n as i128,
                    v => convert::to_i64(v, &e.ty, &mut cx.env.conv) as i128,
                };
            }
            Acc::SumDecimal(s, _) | Acc::Avg { decimal: s, .. } => {
                let d = convert::to_decimal(v, &e.ty, &mut cx.env.conv);
                *s = s.sub(&d).unwrap_or(value::Decimal::ZERO);
            }
            _ => {}
        }
        if let Acc::Avg { n, .. } = &mut self.acc {
            *n -= 1;
        }
        Ok(())
    }
}

/// An argument of the aggregate at a row.
fn argument<'a>(
    a: &AggCall,
    fixed: &[Option<OwnedValue>],
    n: usize,
    i: usize,
    rows: &'a Rows,
    arena: &'a Bump,
) -> Value<'a> {
    match a.args.get(n).map(|e| &e.kind) {
        Some(ExprKind::Column { column, .. }) => rows.column(i, *column, arena),
        Some(_) => fixed.get(n).and_then(Option::as_ref).map_or(Value::Null, |v| v.as_value().copy_into(arena)),
        None => Value::Null,
    }
}
