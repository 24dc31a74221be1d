//! Text that a date function made (DATE_ADD, ADDTIME ... of text), where a number is needed.
//!
//! Such text is a date or time as a number too: `('2020-01-01' + INTERVAL 1 DAY) + 0` is 20200102 (manual, "Date Calculations" and "Conversion
//! Between Date and Time Types"), while other text is the number it begins with. [`as_numbers`] is called for every bound expression and puts
//! [`FuncId::TemporalNumber`] around operands of that kind; CAST ... AS SIGNED and UNSIGNED read the text. Tested in golden `temporal_text`.

use value::SqlType;
use value::compare::{Comparator, ComparisonKind};

use crate::expr::{Coercibility, Expr, ExprKind as K};
use crate::func::FuncId as F;
use value::TypeKind;

/// Whether the expression is such text.
fn is(e: &Expr) -> bool {
    let made =
        matches!(e.kind, K::Call(F::DateAdd(_) | F::DateSub(_) | F::TimestampAdd(_) | F::AddTime | F::SubTime, _));
    made && e.ty.kind.is_string()
}

/// The number that stands for such text; other expressions as they are.
pub(in crate::bind) fn number(e: Expr) -> Expr {
    if !is(&e) {
        return e;
    }
    let ty = SqlType::double().nullable(e.ty.nullable);
    Expr { kind: K::Call(F::TemporalNumber, Box::new([e])), ty, coer: Coercibility::Numeric }
}

fn in_place(e: &mut Expr) {
    if is(e) {
        *e = number(std::mem::replace(e, Expr::null()));
    }
}

/// Functions and operators that take numbers.
fn numeric(f: F) -> bool {
    matches!(
        f,
        F::Add
            | F::Sub
            | F::Mul
            | F::Div
            | F::IntDiv
            | F::Mod
            | F::Neg
            | F::BitAnd
            | F::BitOr
            | F::BitXor
            | F::BitNot
            | F::Shl
            | F::Shr
            | F::BitCount
            | F::Abs
            | F::Ceil
            | F::Floor
            | F::Round
            | F::Truncate
            | F::Sign
            | F::Sqrt
            | F::Pow
            | F::Exp
            | F::Ln
            | F::Log
            | F::Log2
            | F::Log10
            | F::Sin
            | F::Cos
            | F::Tan
            | F::Cot
            | F::Asin
            | F::Acos
            | F::Atan
            | F::Atan2
            | F::Radians
            | F::Degrees
            | F::Format
            | F::Interval
    )
}

/// One comparison: both sides as numbers, if it is made in DOUBLE.
fn compared(l: &mut Expr, r: &mut Expr, cmp: &mut Comparator) {
    if cmp.kind == ComparisonKind::Double && (is(l) || is(r)) {
        in_place(l);
        in_place(r);
        let exact = cmp.exact_integers;
        *cmp = Comparator::with_kind(ComparisonKind::Double, &l.ty, &r.ty);
        cmp.exact_integers = exact;
    }
}

/// The expression with operands of that kind as numbers, where it takes numbers or truth values.
pub(super) fn as_numbers(mut e: Expr) -> Expr {
    let mut some = false;
    e.children(&mut |c| some |= is(c));
    if !some {
        return e;
    }
    match &mut e.kind {
        K::Call(f, args) if numeric(*f) => args.iter_mut().for_each(in_place),
        K::Not(x) | K::IsTruth(x, ..) => in_place(x),
        K::And(list) | K::Or(list) => list.iter_mut().for_each(in_place),
        K::Xor(args) => args.iter_mut().for_each(in_place),
        K::Call(F::If, args) => args.iter_mut().take(1).for_each(in_place),
        K::Cast(x) if matches!(e.ty.kind, TypeKind::Decimal | TypeKind::Float | TypeKind::Double) => in_place(x),
        K::Compare { args, cmp, .. } => {
            let [l, r] = args.as_mut();
            compared(l, r, cmp);
        }
        K::Between { args, cmp, .. } if cmp.iter().all(|c| c.kind == ComparisonKind::Double) => {
            args.iter_mut().for_each(in_place);
            let [x, lo, hi] = args.as_ref();
            **cmp = [lo, hi].map(|o| Comparator::with_kind(ComparisonKind::Double, &x.ty, &o.ty));
        }
        K::InList { left, list, cmp, .. } if left.len() == 1 => {
            let double = |c: &Comparator| c.kind == ComparisonKind::Double;
            if cmp.iter().all(double) {
                left.iter_mut().for_each(in_place);
            }
            for (o, c) in list.iter_mut().zip(cmp.iter_mut()).filter(|(_, c)| double(c)) {
                in_place(o);
                if let Some(l) = left.first() {
                    let exact = c.exact_integers;
                    *c = Comparator::with_kind(ComparisonKind::Double, &l.ty, &o.ty);
                    c.exact_integers = exact;
                }
            }
        }
        K::CompareRow { left, right, cmp, .. } => {
            for ((l, r), c) in left.iter_mut().zip(right.iter_mut()).zip(cmp.iter_mut()) {
                compared(l, r, c);
            }
        }
        K::Case { operand: None, branches, .. } => branches.iter_mut().for_each(|(when, _)| in_place(when)),
        _ => {}
    }
    e
}
