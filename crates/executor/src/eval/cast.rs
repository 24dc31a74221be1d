//! CAST, CONVERT, and the conversions the planner puts in.

use base::SqlResult;
use bumpalo::Bump;
use planner::expr::Expr;
use value::{SqlType, TypeKind, Value, convert};

use super::eval;
use crate::context::Cx;

/// The value of `e` as `to`.
pub(super) fn cast<'a>(e: &'a Expr, to: &'a SqlType, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
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
    convert::cast(v, &e.ty, to, &mut cx.env.conv, arena)
}
