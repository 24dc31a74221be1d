//! Constants that are compared with a YEAR column: MySQL stores them into the column first, so 1 to 69 mean 2001 to 2069 and 70 to 99 mean
//! 1970 to 1999 (manual, "2-Digit Years in Dates"). Values that are no year are compared as the integers they are.

use base::SqlResult;
use value::compare::Comparator;
use value::{OwnedValue, SqlType, TypeKind};

use crate::expr::{Coercibility, Expr, ExprKind};
use crate::types;

/// The constant `e` as it is compared with `other`: wrapped if that is a YEAR column.
pub(super) fn year_constant(e: Expr, other: &Expr) -> SqlResult<Expr> {
    let column = other.ty.kind == TypeKind::Year && matches!(other.kind, ExprKind::Column { .. });
    if !column || e.ty.unsigned || !e.is_const() || !(e.ty.kind.is_integer() || e.ty.kind.is_string()) {
        return Ok(e);
    }
    let ty = types::longlong(20).nullable(true);
    let cast = |e: Expr, ty: &SqlType| Expr { coer: e.coer, ty: ty.clone(), kind: ExprKind::Cast(Box::new(e)) };
    let number = |n: i64| Expr {
        kind: ExprKind::Const(OwnedValue::Int(n)),
        ty: types::longlong(2).nullable(false),
        coer: Coercibility::Coercible,
    };
    let e = if e.ty.kind.is_string() { cast(e, &ty) } else { e };
    let cmp = Comparator::new(&e.ty, &number(1).ty)?;
    let short = ExprKind::Between {
        negated: false,
        args: Box::new([e.clone(), number(1), number(99)]),
        cmp: Box::new([cmp.clone(), cmp]),
    };
    let short = Expr { kind: short, ty: types::longlong(1), coer: Coercibility::Numeric };
    let year = cast(cast(e.clone(), &SqlType::new(TypeKind::Year).nullable(true)), &ty);
    let kind = ExprKind::Case {
        operand: None,
        branches: Box::new([(short, year)]),
        cmp: Box::new([]),
        otherwise: Some(Box::new(cast(e, &ty))),
    };
    Ok(Expr { kind, ty, coer: Coercibility::Coercible })
}
