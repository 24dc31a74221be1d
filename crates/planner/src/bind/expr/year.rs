//! Constants that are compared with a YEAR column: MySQL stores them into the column first, so 1 to 69 mean 2001 to 2069 and 70 to 99 mean
//! 1970 to 1999 (manual, "2-Digit Years in Dates"), whether they are integers, text, dates or have a fraction, which is rounded (that of a DOUBLE
//! cut off). What is no year is compared as the number that it is. IN with several members and CASE compare numbers as they are.
//! Beside a date that is no such constant a year is the date without month and day, `1998-00-00`.

use value::{SqlType, TypeKind};

use crate::expr::{Expr, ExprKind};
use crate::func::FuncId;
use crate::types;

/// The constant `e` as it is compared with `other`: wrapped if that is a YEAR column.
pub(super) fn year_constant(e: Expr, other: &Expr) -> Expr {
    let column = other.ty.kind == TypeKind::Year && matches!(other.kind, ExprKind::Column { .. });
    let kind = e.ty.kind;
    if !column
        || !e.is_const()
        || !(kind.is_numeric() || kind.is_string() || kind.is_temporal())
        || kind == TypeKind::Year
    {
        return e;
    }
    let whole = kind.is_integer() || kind.is_temporal();
    let mut ty = if whole { types::longlong(20) } else { SqlType::double() };
    ty.unsigned = kind.is_integer() && e.ty.unsigned;
    Expr { coer: e.coer, ty: ty.nullable(true), kind: ExprKind::Call(FuncId::YearConstant, Box::new([e])) }
}

/// The YEAR `e` as it is compared with the date `other`: both become numbers, so the year needs the date's digits.
pub(super) fn year_beside_date(e: Expr, other: &Expr) -> Expr {
    if e.ty.kind != TypeKind::Year || !other.ty.kind.has_date() {
        return e;
    }
    let digits: i64 = if other.ty.kind == TypeKind::Date { 10_000 } else { 10_000_000_000 };
    let (ty, coer) = (types::longlong(20).nullable(e.ty.nullable), e.coer);
    Expr { coer, ty, kind: ExprKind::Call(FuncId::Mul, Box::new([e, Expr::int(digits)])) }
}
