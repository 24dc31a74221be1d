//! CAST, CONVERT, and the conversions the planner puts in.

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use planner::expr::{Expr, ExprKind, LISTED_DATE, LISTED_DATETIME, date_name};
use planner::plan::{EarlyConstant, EarlyRole};
use value::context::{Warned, printable};
use value::temporal::DateTime;
use value::{Level, SqlMode, SqlType, TypeKind, Value, convert};

use super::eval;
use crate::eval::Cx;

/// The value of `e`, the operand of `whole`, as the type of that.
pub(super) fn cast<'a>(e: &'a Expr, whole: &'a Expr, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    let (to, coer) = (&whole.ty, whole.coer);
    // as an integer it is the text that is read
    let number = to.kind == TypeKind::Decimal || to.kind.is_float();
    let mut own = None;
    let v = match to.kind {
        _ if number => super::numbers::operand(e, cx, arena)?,
        k if k.is_string() => super::variable::for_text(e, &mut own, cx, arena)?,
        _ => eval(e, cx, arena)?,
    };
    if v.is_null() {
        return Ok(Value::Null);
    }
    // integers of other widths need no change
    match (v, to.kind) {
        (Value::Int(n), TypeKind::BigInt) if !to.unsigned => return Ok(Value::Int(n)),
        (Value::UInt(n), TypeKind::BigInt) if to.unsigned => return Ok(Value::UInt(n)),
        _ => {}
    }
    let before = cx.env.conv.warned();
    let (warnings, count) = (cx.env.conv.warnings.len(), cx.env.conv.warning_count);
    let done = match to.kind {
        TypeKind::Float => float(convert::cast(v, &e.ty, &SqlType::double(), &mut cx.env.conv, arena)?, whole, cx)?,
        k if k.is_integer() && e.ty.kind.is_temporal() => {
            super::numbers::whole_rounded(e, cx, |conv| convert::cast(v, &e.ty, to, conv, arena))?
        }
        _ => convert::cast(v, own.map_or(&e.ty, |ty| &*arena.alloc(ty)), to, &mut cx.env.conv, arena)?,
    };
    if e.ty.kind == TypeKind::Json && cx.env.conv.warnings.len() > warnings {
        name_json(e, ("", 1), cx.env.conv.row, warnings, cx);
    } else if to.kind.is_numeric() && cx.env.conv.warned() != before {
        super::numbers::settle_cast(v, e, to.kind, before, cx);
    }
    // a constant that is compared with a date must be one
    let what = match coer {
        LISTED_DATE => "date",
        LISTED_DATETIME => "datetime",
        _ => match date_name(coer) {
            Some(what) => what,
            None => return Ok(done),
        },
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
            listed(what, s, whole, cx);
            return Ok(Value::DateTime(DateTime::ZERO));
        }
        return Err(SqlError::new(ErrorCode::WRONG_VALUE, &[&what, &String::from_utf8_lossy(s)]));
    }
    if cx.env.conv.warned() != before
        && let Value::Str(s) = v
    {
        read_with_warnings(s, whole, before, cx);
    }
    Ok(done)
}

/// Text in BETWEEN, a list of IN or CASE is no date.
#[cold]
fn listed(what: &str, s: &[u8], whole: &Expr, cx: &mut Cx<'_>) {
    if cx.listed.iter().any(|l| &**l == s) {
        return;
    }
    let Some((kind, name)) = beside(whole, cx) else { return cx.env.conv.truncated_wrong_value(what, s) };
    let conv = &mut cx.env.conv;
    let text = format!("Incorrect {kind} value: '{}' for column '{name}' at row {}", printable(s), conv.row);
    conv.push(Level::Warning, SqlError::with_message(ErrorCode::TRUNCATED_WRONG_VALUE, text));
}

/// A constant text is a date, with warnings. Those of one that is read before any row have been said
/// ([`crate::ops::early_constants`]).
#[cold]
fn read_with_warnings(s: &[u8], whole: &Expr, before: Warned, cx: &mut Cx<'_>) {
    if date_name(whole.coer).is_some() && cx.constants_read || cx.listed.iter().any(|l| &**l == s) {
        return cx.env.conv.forget_since(before);
    }
    let Some((kind, name)) = beside(whole, cx) else { return };
    let conv = &mut cx.env.conv;
    let text = format!("Incorrect {kind} value: '{}' for column '{name}' at row {}", printable(s), conv.row);
    let code = ErrorCode::TRUNCATED_WRONG_VALUE.number();
    if let Some(w) = conv.warnings.iter_mut().skip(before.shown()).find(|w| w.code == code) {
        w.message = text;
    }
}

/// The column of dates beside the constant `whole`, and what it holds.
fn beside<'p>(whole: &Expr, cx: &Cx<'p>) -> Option<(&'static str, &'p str)> {
    let named = |c: &&EarlyConstant| c.role == EarlyRole::Named && c.value.same(whole);
    let c = cx.plan.notes.constants.iter().find(named)?;
    Some((if c.beside.kind == TypeKind::Date { "date" } else { "datetime" }, c.column.as_deref()?))
}

/// A number as a FLOAT; 1690 beyond its range.
fn float<'a>(v: Value<'a>, whole: &Expr, cx: &Cx<'_>) -> SqlResult<Value<'a>> {
    let Value::Double(d) = v else { return Ok(v) };
    let f = d as f32;
    if f.is_finite() {
        return Ok(Value::Double(f64::from(f)));
    }
    let text = planner::error_expr::expression(whole, cx.plan, cx.params);
    Err(SqlError::new(ErrorCode::DATA_OUT_OF_RANGE, &[&"DOUBLE", &text]))
}

/// What is said of JSON values that another type cannot hold.
const JSON_CASTS: [ErrorCode; 2] = [ErrorCode::NUMERIC_JSON_VALUE_OUT_OF_RANGE, ErrorCode::INVALID_JSON_VALUE_FOR_CAST];

/// Errors and warnings 3155 and 3156 name where the JSON value comes from: a column, or a function.
fn json_origin(e: &Expr, cx: &Cx<'_>) -> Option<String> {
    match &e.kind {
        ExprKind::Column { .. } => {
            let text = planner::error_expr::expression(e, cx.plan, cx.params);
            text.rsplit('`').nth(1).map(str::to_owned)
        }
        ExprKind::Call(f, _) => Some(f.name().to_ascii_lowercase()),
        ExprKind::Cast(_) => Some("cast_as_json".to_owned()),
        _ => None,
    }
}

/// Puts the origin of the JSON value `e` and the row into the warnings 3155 and 3156 from the `from`th on, where the column `unnamed` stands.
#[cold]
pub(crate) fn name_json(e: &Expr, unnamed: (&str, u64), row: u64, from: usize, cx: &mut Cx<'_>) {
    let Some(name) = json_origin(e, cx) else { return };
    let tail = format!("column {} at row {}", unnamed.0, unnamed.1);
    for w in cx.env.conv.warnings.iter_mut().skip(from) {
        if JSON_CASTS.iter().any(|c| c.number() == w.code)
            && let Some(head) = w.message.strip_suffix(tail.as_str())
        {
            w.message = format!("{head}column {name} at row {row}");
        }
    }
}

/// The same for an error.
#[cold]
pub(crate) fn named_json(error: SqlError, e: &Expr, column: &str, row: u64, cx: &Cx<'_>) -> SqlError {
    let tail = format!("column {column} at row {row}");
    match (error.message().strip_suffix(tail.as_str()), json_origin(e, cx)) {
        (Some(head), Some(name)) => match JSON_CASTS.into_iter().find(|c| error.is(*c)) {
            Some(code) => SqlError::with_message(code, format!("{head}column {name} at row {row}")),
            None => error,
        },
        _ => error,
    }
}
