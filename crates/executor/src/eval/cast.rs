//! CAST, CONVERT, and the conversions the planner puts in.

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use planner::expr::{Coercibility, DATE_CONSTANT, DATETIME_CONSTANT, Expr, LISTED_DATE, LISTED_DATETIME};
use value::temporal::DateTime;
use value::{SqlMode, SqlType, TypeKind, Value, convert};

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
    let (warnings, count) = (cx.env.conv.warnings.len(), cx.env.conv.warning_count);
    let done = convert::cast(v, &e.ty, to, &mut cx.env.conv, arena)?;
    // a constant that is compared with a date must be one
    let what = match coer {
        DATE_CONSTANT => "DATE",
        DATETIME_CONSTANT => "DATETIME",
        LISTED_DATE => "date",
        LISTED_DATETIME => "datetime",
        _ => return Ok(done),
    };
    let partial = |d: DateTime| !d.is_zero() && d.date().has_zero_part();
    let forbidden = cx.env.conv.sql_mode.has(SqlMode::NO_ZERO_IN_DATE)
        && matches!(done, Value::DateTime(d) if to.kind == TypeKind::DateTime && partial(d));
    if (done.is_null() || forbidden)
        && to.kind == TypeKind::DateTime
        && let Value::Str(s) = v
    {
        cx.env.conv.warnings.truncate(warnings);
        if matches!(coer, LISTED_DATE | LISTED_DATETIME) {
            cx.env.conv.warning_count = count;
            cx.env.conv.truncated_wrong_value(what, s);
            return Ok(Value::DateTime(DateTime::ZERO));
        }
        return Err(SqlError::new(ErrorCode::WRONG_VALUE, &[&what, &String::from_utf8_lossy(s)]));
    }
    Ok(done)
}
