//! Result types of mathematical functions.

use value::types::NOT_FIXED_DEC;
use value::{SqlType, TypeKind};

use super::super::arith::{fixed_double, operand};
use super::super::{NumClass, const_int, decimal_parts, decimal_type, double, int_chars, longlong};
use super::{Call, Typed};
use crate::expr::{Expr, ExprKind};
use crate::func::FuncId;
use crate::func::family::{Math, Real};

/// Type and coercibility of a mathematical function that reads its arguments itself.
pub(super) fn math(f: Math, c: &Call<'_>) -> Typed {
    use Math as F;
    match f {
        F::Abs => c.num(match operand(&c.a0()) {
            NumClass::Int => {
                let mut t = longlong(int_chars(&c.a0()));
                t.unsigned = c.a0().unsigned;
                t
            }
            NumClass::Decimal => {
                let (i, s) = decimal_parts(&c.a0());
                decimal_type(i as u32, s as u32)
            }
            NumClass::Double if c.a0().kind == TypeKind::Null => fixed_double(0),
            NumClass::Double => fixed_double(if c.a0().kind.is_float() { c.a0().decimals } else { NOT_FIXED_DEC }),
        }),
        F::Ceil | F::Floor => c.num(match operand(&c.a0()) {
            NumClass::Int => {
                let mut t = longlong(ROUNDED);
                t.unsigned = c.a0().unsigned;
                t
            }
            NumClass::Decimal => {
                let (i, _) = decimal_parts(&c.a0());
                if i < 18 { longlong(ROUNDED) } else { decimal_type(i as u32 + 1, 0) }
            }
            NumClass::Double => wide_double(),
        }),
        F::Round | F::Truncate => {
            let d = if c.args.len() < 2 { Some(0) } else { const_places(c.args.get(1)) };
            c.num(match operand(&c.a0()) {
                NumClass::Int => {
                    let mut t = longlong(ROUNDED);
                    t.unsigned = c.a0().unsigned;
                    t
                }
                NumClass::Decimal => {
                    let (i, s) = decimal_parts(&c.a0());
                    let scale = d.map_or(s as i64, |d| d.clamp(0, s as i64));
                    decimal_type(i as u32 + u32::from(f == F::Round && scale < s as i64), scale as u32)
                }
                // shown with the digits that the value has, whatever it was rounded to
                NumClass::Double => wide_double(),
            })
        }
        F::Sign => c.num(longlong(21)),
        F::Pow | F::Log | F::Atan | F::Atan2 => c.null_num(SqlType::double()),
        F::Pi => {
            let mut t = SqlType::double();
            t.length = 8;
            t.decimals = 6;
            c.not_null(t)
        }
        F::Rand => c.not_null(SqlType::double()),
    }
}

/// Type and coercibility of a function of one double.
pub(super) fn real(f: Real, c: &Call<'_>) -> Typed {
    use Real as F;
    match f {
        F::Sqrt | F::Exp | F::Ln | F::Log2 | F::Log10 | F::Sin | F::Cos | F::Tan | F::Cot | F::Asin | F::Acos => {
            c.null_num(SqlType::double())
        }
        F::Radians | F::Degrees => c.num(SqlType::double()),
    }
}

/// Characters of a BIGINT, which is what rounding makes of an integer.
const ROUNDED: u32 = 21;

/// DOUBLE as wide as its longest text.
fn wide_double() -> SqlType {
    let mut t = double(true);
    t.length = 23;
    t
}

/// The places to which a constant says that ROUND() and TRUNCATE() go: a number or text of any kind, as an integer.
fn const_places(e: Option<&Expr>) -> Option<i64> {
    if let Some(n) = const_int(e) {
        return Some(n);
    }
    let (e, negated) = match &e?.kind {
        ExprKind::Call(FuncId::Neg, a) => (a.first()?, true),
        _ => (e?, false),
    };
    let e = match &e.kind {
        ExprKind::Cast(x) if e.ty.kind == TypeKind::Double => x,
        _ => e,
    };
    let ExprKind::Const(v) = &e.kind else { return None };
    let n = match v {
        value::OwnedValue::Null => return None,
        value::OwnedValue::UInt(n) => i64::try_from(*n).unwrap_or(i64::MAX),
        v => value::convert::to_i64(v.as_value(), &e.ty, &mut value::ConvCtx::default()),
    };
    if negated { n.checked_neg() } else { Some(n) }
}
