//! Types of arithmetic.

use value::decimal::{MAX_PRECISION, MAX_SCALE};
use value::types::NOT_FIXED_DEC;
use value::{SqlType, TypeKind};

use super::{NumClass, TypeCtx, decimal_parts, decimal_type, int_chars, longlong, num_class};
use crate::func::FuncId;

/// Whether it is the type of a literal with more digits behind the point than a type has, or of what is made of one. (A user variable's has 65 digits.)
pub(super) fn is_longer(t: &SqlType) -> bool {
    t.own_digits && t.kind == TypeKind::Decimal && t.decimals == MAX_SCALE && t.length < u32::from(MAX_PRECISION)
}

/// Type of `a op b` for the arithmetic and bit operators.
pub fn arithmetic(f: FuncId, a: &SqlType, b: &SqlType, cx: &TypeCtx) -> SqlType {
    let class = operand(a).max(operand(b));
    let nullable = a.nullable || b.nullable;
    let ((ai, asc), (bi, bsc)) = (decimal_parts(a), decimal_parts(b));
    let dec = |i: u32, s: u32| decimal_type(i, s);
    let unsigned = a.unsigned || b.unsigned;
    let mut t = match (f, class) {
        (FuncId::BitAnd | FuncId::BitOr | FuncId::BitXor | FuncId::Shl | FuncId::Shr, _) => {
            let mut t = SqlType::bigint_unsigned();
            t.length = 21;
            t
        }
        (FuncId::IntDiv, _) => {
            let chars = |a: &SqlType| if a.kind.is_integer() { int_chars(a).clamp(1, 21) } else { 21 };
            let mut t = longlong(if a.kind == TypeKind::Null { 1 } else { chars(a) });
            t.unsigned = unsigned;
            t
        }
        (FuncId::Div, NumClass::Double) | (_, NumClass::Double) => {
            let more = if f == FuncId::Div { cx.div_increment } else { 0 };
            let shown = fixed_decimals(a).max(fixed_decimals(b)).saturating_add(more);
            fixed_double(shown)
        }
        (FuncId::Div, _) => dec(ai as u32 + bsc as u32, asc as u32 + cx.div_increment as u32),
        (FuncId::Mul, NumClass::Decimal) => dec(ai as u32 + bi as u32, asc as u32 + bsc as u32),
        (FuncId::Mod, NumClass::Decimal) => dec(ai.max(bi) as u32, asc.max(bsc) as u32),
        (_, NumClass::Decimal) => dec(ai.max(bi) as u32 + 1, asc.max(bsc) as u32),
        (_, NumClass::Int) => {
            let unsigned = match f {
                FuncId::Mod => a.unsigned,
                FuncId::Sub => unsigned && !cx.no_unsigned_subtraction,
                _ => unsigned,
            };
            // digits, and one character for the sign
            let (ai, bi, sign) = (ai as u32, bi as u32, u32::from(!unsigned));
            let len = match f {
                FuncId::Mul => ai + bi + sign,
                FuncId::Mod => int_chars(a).max(int_chars(b)),
                _ => ai.max(bi) + 1 + sign,
            };
            let mut t = longlong(len.clamp(1, 21));
            t.unsigned = unsigned;
            t
        }
    };
    t.nullable = nullable || matches!(f, FuncId::Div | FuncId::IntDiv | FuncId::Mod);
    if t.kind == TypeKind::Decimal {
        t.unsigned = a.unsigned && b.unsigned;
        t.own_digits = matches!(f, FuncId::Add | FuncId::Sub) && (is_longer(a) || is_longer(b));
    }
    t
}

/// How an operand takes part: the literal NULL, which has no type, as text does.
pub(super) fn operand(t: &SqlType) -> NumClass {
    if t.kind == TypeKind::Null { NumClass::Double } else { num_class(t) }
}

/// How many decimals a number is shown with when it becomes a DOUBLE: those of DOUBLE(M,D) and DECIMAL, none of integers, as many as it
/// takes of text, ENUM and SET and of DOUBLE.
fn fixed_decimals(t: &SqlType) -> u8 {
    match t.kind {
        TypeKind::Null => 0,
        k if k.is_string() || matches!(k, TypeKind::Json | TypeKind::Enum | TypeKind::Set) => NOT_FIXED_DEC,
        _ => t.decimals,
    }
}

/// DOUBLE that is shown with so many decimals ([`NOT_FIXED_DEC`]: as many as it takes).
pub(super) fn fixed_double(decimals: u8) -> SqlType {
    let mut t = SqlType::double();
    t.decimals = decimals.min(NOT_FIXED_DEC);
    t.length = if t.decimals == NOT_FIXED_DEC { 23 } else { 22 };
    t
}
