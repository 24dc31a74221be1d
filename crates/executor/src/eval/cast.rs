//! CAST, CONVERT, and the conversions the planner puts in.

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use planner::expr::{Coercibility, DATE_CONSTANT, DATETIME_CONSTANT, Expr};
use value::{SqlType, TypeKind, Value, convert};

use super::eval;
use crate::context::Cx;

/// The value of `e` as `to`.
pub(super) fn cast<'a>(
    e: &'a Expr,
    to: &'a SqlType,
    coer: Coercibility,
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    let v = eval(e, cx, arena)?;
    if v.is_null() {
        return Ok(Value::Null);
    }
    // integers of other widths need no change
    match (v, to.kind) {
        (Value::Int(n), TypeKind::BigInt) if !to.unsigned => return Ok(Value::Int(n)),
        (Value::UInt(n), TypeKind::BigInt) if to.unsigned => return Ok(Value::UInt(n)),
        _ => {}
    }
    let warnings = cx.env.conv.warnings.len();
    let done = convert::cast(v, &e.ty, to, &mut cx.env.conv, arena)?;
    // a constant that is compared with a date must be one
    let what = match coer {
        DATE_CONSTANT => "DATE",
        DATETIME_CONSTANT => "DATETIME",
        _ => return Ok(done),
    };
    if done.is_null()
        && to.kind == TypeKind::DateTime
        && let Value::Str(s) = v
    {
        cx.env.conv.warnings.truncate(warnings);
        return Err(SqlError::new(ErrorCode::WRONG_VALUE, &[&what, &String::from_utf8_lossy(s)]));
    }
    Ok(done)
}
