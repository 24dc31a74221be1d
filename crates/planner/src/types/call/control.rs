//! Operators and control flow: result types. One of the families that [`super::call`] asks in turn.

use base::SqlResult;
use value::types::NOT_FIXED_DEC;
use value::{SqlType, TypeKind};

use super::super::arith::{fixed_double, is_longer};
use super::super::*;
use super::{Call, Typed};
use crate::expr::Coercibility;
use crate::func::FuncId as F;

/// The type of NULLIF's first argument as the function's: no zeros are filled in.
pub fn null_if(t: &SqlType) -> SqlType {
    let mut t = t.clone().nullable(true);
    if t.zerofill && t.kind.is_integer() {
        t.length = int_chars(&t);
        t.zerofill = false;
    }
    t
}

/// Type and coercibility, `None` for functions of other families.
pub(super) fn types(f: F, c: &Call<'_>) -> SqlResult<Option<(SqlType, Coercibility)>> {
    let t: Typed = match f {
        F::Add | F::Sub | F::Mul | F::Div | F::IntDiv | F::Mod | F::BitAnd | F::BitOr | F::BitXor | F::Shl | F::Shr => {
            let b = c.arg(1).cloned().unwrap_or(SqlType::new(TypeKind::Null));
            let t = arithmetic(f, &c.a0(), &b, c.cx);
            Ok((t, Coercibility::Numeric))
        }
        F::BitNot => c.num({
            let mut t = SqlType::bigint_unsigned();
            t.length = 21;
            t
        }),
        F::Neg => c.num(match num_class(&c.a0()) {
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
            NumClass::Double => fixed_double(if c.a0().kind.is_float() { c.a0().decimals } else { NOT_FIXED_DEC }),
        }),
        F::If => {
            let (mut t, k) = unify(c.refs.get(1..).unwrap_or(&[]), c.cx, "if")?;
            t.own_digits |= t.kind == TypeKind::Decimal;
            t.nullable = c.args.iter().skip(1).any(|e| e.ty.nullable);
            Ok((t, k))
        }
        F::IfNull | F::Coalesce => {
            let (mut t, k) = unify(&c.refs, c.cx, f.name())?;
            t.nullable = c.args.iter().all(|e| e.ty.nullable);
            t.own_digits |= t.kind == TypeKind::Year;
            Ok((t, k))
        }
        F::Greatest | F::Least => {
            let (mut t, k) = unify(&c.refs, c.cx, f.name())?;
            t.nullable = c.nullable;
            t.own_digits |= t.kind == TypeKind::Year;
            // texts beside a date and time are shown as one, a text that is none yet with six digits
            let timed = |e: &&&Expr| matches!(e.ty.kind, TypeKind::DateTime | TypeKind::Timestamp);
            let text = |e: &&&Expr| e.ty.kind.is_string() && !e.is_const();
            if t.kind.is_string() && c.refs.iter().any(|e| timed(&e)) && c.refs.iter().any(|e| text(&e)) {
                t.length = t.length.max(26);
            }
            Ok((t, k))
        }
        F::NullIf => {
            let k = c.args.first().map_or(Coercibility::Numeric, |e| e.coer);
            Ok((null_if(&c.a0()), k))
        }
        F::IsNullFn => Ok((longlong(1).nullable(false), Coercibility::Numeric)),
        F::Interval => Ok((longlong(2).nullable(false), Coercibility::Numeric)),
        F::Strcmp => c.null_num(longlong(2)),
        _ => return Ok(None),
    };
    t.map(Some)
}
