//! CAST, CONVERT, and the conversions the planner puts in.

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use planner::expr::{DATE_CONSTANT, DATETIME_CONSTANT, Expr, ExprKind, LISTED_DATE, LISTED_DATETIME};
use value::temporal::DateTime;
use value::{SqlMode, SqlType, TypeKind, Value, convert};

use super::eval;
use crate::context::Cx;

/// The value of `e`, the operand of `whole`, as the type of that.
pub(super) fn cast<'a>(e: &'a Expr, whole: &'a Expr, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    let (to, coer) = (&whole.ty, whole.coer);
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
    let done = match to.kind {
        TypeKind::Float => float(convert::cast(v, &e.ty, &SqlType::double(), &mut cx.env.conv, arena)?, whole, cx)?,
        _ => convert::cast(v, &e.ty, to, &mut cx.env.conv, arena)?,
    };
    if e.ty.kind == TypeKind::Json && cx.env.conv.warnings.len() > warnings {
        name_json(e, warnings, cx);
    }
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

/// A number as a FLOAT; 1690 beyond its range.
fn float<'a>(v: Value<'a>, whole: &Expr, cx: &Cx<'_>) -> SqlResult<Value<'a>> {
    let Value::Double(d) = v else { return Ok(v) };
    let f = d as f32;
    if f.is_finite() {
        return Ok(Value::Double(f64::from(f)));
    }
    let text = planner::message::expression(whole, cx.plan, cx.params);
    Err(SqlError::new(ErrorCode::DATA_OUT_OF_RANGE, &[&"DOUBLE", &text]))
}

/// Warnings 3156 of converting a JSON value, from the `from`th warning on: they name where it comes from (a column, or a function) and the row.
#[cold]
fn name_json(e: &Expr, from: usize, cx: &mut Cx<'_>) {
    let name = match &e.kind {
        ExprKind::Column { .. } => {
            let text = planner::message::expression(e, cx.plan, cx.params);
            text.rsplit('`').nth(1).unwrap_or_default().to_owned()
        }
        ExprKind::Call(f, _) => f.name().to_ascii_lowercase(),
        ExprKind::Cast(_) => "cast_as_json".to_owned(),
        _ => return,
    };
    let row = cx.env.conv.row;
    for w in cx.env.conv.warnings.iter_mut().skip(from) {
        if w.code == ErrorCode::INVALID_JSON_VALUE_FOR_CAST.number()
            && let Some(head) = w.message.strip_suffix("column  at row 1")
        {
            w.message = format!("{head}column {name} at row {row}");
        }
    }
}
