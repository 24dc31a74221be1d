//! Types of arithmetic.

use value::{SqlType, TypeKind};

use super::{NumClass, TypeCtx, decimal_parts, decimal_type, longlong, num_class};
use crate::func::FuncId;

/// Type of `a op b` for the arithmetic and bit operators.
pub fn arithmetic(f: FuncId, a: &SqlType, b: &SqlType, cx: &TypeCtx) -> SqlType {
    let class = num_class(a).max(num_class(b));
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
            let mut t = longlong(if a.kind.is_integer() { a.length.clamp(1, 21) } else { 21 });
            t.unsigned = unsigned;
            t
        }
        (FuncId::Div, NumClass::Double) | (_, NumClass::Double) => {
            let mut t = SqlType::double();
            t.length = 23;
            t
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
                FuncId::Mod => a.length.max(b.length),
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
    }
    t
}
