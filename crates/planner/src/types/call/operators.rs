//! Result types of the operators of arithmetic and bits.

use value::types::NOT_FIXED_DEC;
use value::{SqlType, TypeKind};

use super::super::arith::{arithmetic, fixed_double, is_longer, operand};
use super::super::{NumClass, const_int, decimal_parts, decimal_type, int_chars, longlong, ulonglong};
use super::{Call, Typed};
use crate::expr::Coercibility;
use crate::func::family::{Arithmetic, Bits};

/// Type and coercibility of an arithmetic operator.
pub(super) fn arithmetic_call(f: Arithmetic, c: &Call<'_>) -> Typed {
    use Arithmetic as F;
    match f {
        F::Add | F::Sub | F::Mul | F::Div | F::IntDiv | F::Mod => binary(c),
        F::Neg => c.num(match operand(&c.a0()) {
            NumClass::Int => {
                let mut t = longlong(int_chars(&c.a0()) + u32::from(c.a0().unsigned));
                if let Some(i) = const_int(c.args.first()) {
                    // its digits and a sign
                    t.length = i.unsigned_abs().checked_ilog10().unwrap_or(0) + 2;
                }
                t
            }
            NumClass::Decimal => {
                let (i, s) = decimal_parts(&c.a0());
                SqlType { own_digits: is_longer(&c.a0()), ..decimal_type(i as u32, s as u32) }
            }
            NumClass::Double if c.a0().kind == TypeKind::Null => fixed_double(0),
            NumClass::Double => fixed_double(if c.a0().kind.is_float() { c.a0().decimals } else { NOT_FIXED_DEC }),
        }),
    }
}

/// Type and coercibility of an operator of bits, and of BIT_COUNT.
pub(super) fn bits(f: Bits, c: &Call<'_>) -> Typed {
    use Bits as F;
    match f {
        F::BitAnd | F::BitOr | F::BitXor | F::Shl | F::Shr => binary(c),
        F::BitNot => c.num(ulonglong(21)),
        F::BitCount => c.num(longlong(21)),
    }
}

/// An operator of two operands.
fn binary(c: &Call<'_>) -> Typed {
    let b = c.arg(1).cloned().unwrap_or(SqlType::new(TypeKind::Null));
    Ok((arithmetic(c.f, &c.a0(), &b, c.cx), Coercibility::Numeric))
}
