//! Result types of choices and comparisons.

use value::{SqlType, TypeKind};

use super::super::{int_chars, longlong, unify};
use super::{Call, Typed};
use crate::expr::{Coercibility, Expr};
use crate::func::family::Control;

/// The type of NULLIF's first argument as the function's: no zeros are filled in.
pub fn null_if(t: &SqlType) -> SqlType {
    let mut t = t.clone().nullable(true);
    if t.zerofill && t.kind.is_integer() {
        t.length = int_chars(&t);
        t.zerofill = false;
    }
    t
}

/// Type and coercibility of a choice or comparison.
pub(super) fn control(f: Control, c: &Call<'_>) -> Typed {
    use Control as F;
    match f {
        F::If => {
            let (mut t, k) = unify(c.refs.get(1..).unwrap_or(&[]), c.cx, "if")?;
            t.own_digits |= t.kind == TypeKind::Decimal;
            t.nullable = c.args.iter().skip(1).any(|e| e.ty.nullable);
            Ok((t, k))
        }
        F::IfNull | F::Coalesce => {
            let (mut t, k) = unify(&c.refs, c.cx, c.f.name())?;
            t.nullable = c.args.iter().all(|e| e.ty.nullable);
            t.own_digits |= t.kind == TypeKind::Year;
            Ok((t, k))
        }
        F::Greatest | F::Least => {
            let (mut t, k) = unify(&c.refs, c.cx, c.f.name())?;
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
        F::NullIf => Ok((null_if(&c.a0()), c.coercibility())),
        F::IsNullFn => Ok((longlong(1).nullable(false), Coercibility::Numeric)),
        F::Interval => Ok((longlong(2).nullable(false), Coercibility::Numeric)),
        F::Strcmp => c.null_num(longlong(2)),
        // of the text and the pattern: an ESCAPE that is NULL is a backslash
        F::LikeEscape => {
            let nullable = c.args.iter().take(2).any(|e| e.ty.nullable);
            Ok((longlong(1).nullable(nullable), Coercibility::Numeric))
        }
        F::Grouping => Ok((longlong(21).nullable(false), Coercibility::Numeric)),
        F::GroupItem(_) => Ok((c.a0(), c.coercibility())),
    }
}
