//! Constants that MySQL reads before any row ([`EarlyConstant`]): what it says of them is said at the beginning of an execution.
//!
//! Beside a column of dates or times the constant is stored into it. Its warnings are errors of a change in strict mode; then text beside a date must be
//! one (1525). What the same constants would warn of later is not repeated: [`Cx::foretold`], [`Cx::listed`], and the cast of a text that must be a date is
//! silent. Tested: golden `early_constants`.

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use planner::expr::{Expr, ExprKind, date_name};
use planner::plan::{EarlyConstant, EarlyRole};
use value::compare::ComparisonKind;
use value::context::Warned;
use value::{Level, OwnedValue, SqlType, TypeKind, Value, convert};

use crate::eval::Cx;
use crate::eval::eval;
use crate::gate::Cleared;
use crate::rows::env::Env;

/// Reads the plan's constants that are read early. [`EarlyRole::Named`] are those of which only the column is wanted, later.
#[inline]
pub(crate) fn read(cx: &mut Cx<'_>) -> SqlResult<()> {
    if cx.plan.notes.constants.is_empty() { Ok(()) } else { read_all(cx) }
}

/// The same for a statement that is not executed: PREPARE, EXPLAIN.
///
/// # Errors
/// Those of the constants.
pub fn read_constants(cleared: Cleared<'_>, params: &[OwnedValue], env: &mut Env) -> SqlResult<()> {
    let plan = cleared.plan();
    if plan.notes.constants.is_empty() {
        return Ok(());
    }
    env.conv.strict = env.conv.sql_mode.is_strict() && !plan.ignores().unwrap_or(true);
    let read = read_all(&mut super::context(cleared, params, Vec::new(), env));
    env.conv.strict = false;
    read
}

fn read_all(cx: &mut Cx<'_>) -> SqlResult<()> {
    let plan = cx.plan;
    cx.constants_read = true;
    let arena = Bump::new();
    // what is folded is looked at when all else has been prepared
    for folded in [false, true] {
        let early = |c: &&EarlyConstant| matches!(c.role, EarlyRole::Folded(_)) == folded && c.role != EarlyRole::Named;
        for c in plan.notes.constants.iter().filter(early) {
            if !is_plain(c, cx) {
                one(c, cx, &arena)?;
            }
        }
    }
    Ok(())
}

/// The constant as it is written: without the cast of a text beside a date.
fn written(c: &EarlyConstant) -> &Expr {
    match &c.value.kind {
        ExprKind::Cast(of) if c.beside.kind.has_date() && is_text(of) => of,
        _ => &c.value,
    }
}

/// Whether the constant is a literal of the usual form, of which there is nothing to say.
fn is_plain(c: &EarlyConstant, cx: &Cx<'_>) -> bool {
    let e = written(c);
    let v = match &e.kind {
        ExprKind::Const(v) => Some(v),
        ExprKind::Param(i) => cx.params.get(*i as usize),
        _ => None,
    };
    let Some(OwnedValue::Str(s)) = v else { return false };
    match c.beside.kind {
        k if k.has_date() => is_plain_date(s),
        k if k.is_numeric() => !s.is_empty() && s.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// `2020-01-31` up to the 28th, which every month has, and `2020-01-31 10:11:12`.
fn is_plain_date(s: &[u8]) -> bool {
    let two = |at: usize| match s.get(at..at + 2) {
        Some([a @ b'0'..=b'9', b @ b'0'..=b'9']) => u32::from(a - b'0') * 10 + u32::from(b - b'0'),
        _ => u32::MAX,
    };
    let at = |i: usize, c: u8| s.get(i) == Some(&c);
    let years = matches!(two(0), 1..=99) && two(2) <= 99;
    let date = years && at(4, b'-') && matches!(two(5), 1..=12) && at(7, b'-') && matches!(two(8), 1..=28);
    let time = || at(10, b' ') && two(11) <= 23 && at(13, b':') && two(14) <= 59 && at(16, b':') && two(17) <= 59;
    date && (s.len() == 10 || s.len() == 19 && time())
}

fn one(c: &EarlyConstant, cx: &mut Cx<'_>, arena: &Bump) -> SqlResult<()> {
    let text = written(c);
    let v = eval(text, cx, arena)?;
    // 0 is the zero date, whatever NO_ZERO_DATE says
    if matches!(v, Value::Null | Value::Int(0) | Value::UInt(0)) {
        return Ok(());
    }
    let before = cx.env.conv.warned();
    match c.role {
        EarlyRole::Compared => match &c.column {
            Some(name) => store(v, &text.ty, (&c.beside, name), cx, arena),
            None => read_date(v, &text.ty, &c.beside, cx),
        },
        EarlyRole::Listed => listed(v, text, c, cx),
        EarlyRole::Folded(kind) => number(v, text, kind, cx),
        EarlyRole::Named => {}
    }
    if cx.env.conv.warned() == before {
        return Ok(());
    }
    let strict = settle(before, cx);
    if c.role == EarlyRole::Compared && is_text(text) && c.beside.kind.has_date() {
        // the cast says whether it is a date
        let said = cx.env.conv.warned();
        let date = eval(&c.value, cx, arena).map(drop);
        match strict {
            Ok(()) => date?,
            // both errors are listed; what stands behind a date says no more
            Err(_) => {
                let e = date.err().or_else(|| not_whole(&c.value, v));
                cx.env.statement.further.extend(e.map(|e| (value::Level::Error, e)));
            }
        }
        cx.env.conv.forget_since(said);
    }
    strict
}

/// 1525 of a text that begins with a date.
fn not_whole(cast: &Expr, v: Value<'_>) -> Option<SqlError> {
    let Value::Str(s) = v else { return None };
    let what = date_name(cast.coer)?;
    Some(SqlError::new(ErrorCode::WRONG_VALUE, &[&what, &String::from_utf8_lossy(s)]))
}

fn is_text(e: &Expr) -> bool {
    e.ty.kind.is_string()
}

/// What a constant has warned of: an error of a change in strict mode; otherwise what is converted later does not repeat it.
#[cold]
fn settle(before: Warned, cx: &mut Cx<'_>) -> SqlResult<()> {
    if cx.env.conv.strict
        && let Some((_, e)) = cx.env.conv.strict_error_since(before.shown())
    {
        cx.env.conv.forget_since(before);
        return Err(e);
    }
    cx.foretell(before);
    Ok(())
}

/// Stores a constant into the column: 1292 for what does not fit. A part that the column has no room for is noted in strict mode only, and not of a text
/// beside a date.
///
/// Text beside a TIMESTAMP may lie outside of its range; an empty text or one with an exponent beside a TIME is no time, without a word.
fn store(v: Value<'_>, from: &SqlType, (to, name): (&SqlType, &str), cx: &mut Cx<'_>, arena: &Bump) {
    if to.kind == TypeKind::Time && matches!(v, Value::Str(s) if value::compare::is_silent_time(s)) {
        return;
    }
    let moment = SqlType { kind: TypeKind::DateTime, ..to.clone() };
    let to = if to.kind == TypeKind::Timestamp && from.kind.is_string() { &moment } else { to };
    let conv = &mut cx.env.conv;
    let (before, row) = (conv.warned(), conv.row);
    let strict = std::mem::replace(&mut conv.strict, true);
    let stored = convert::convert_for_column(v, from, to, conv, name, 1, arena);
    (conv.strict, conv.row) = (strict, row);
    let noted = conv.sql_mode.is_strict() && !(from.kind.is_string() && to.kind.has_date());
    if !noted {
        let all = conv.warnings.len();
        let said = conv.warnings.split_off(before.shown().min(all));
        conv.warnings.extend(said.into_iter().filter(|w| w.level != Level::Note));
        conv.warning_count -= (all - conv.warnings.len()) as u64;
    }
    if let Err(e) = stored
        && e.is(ErrorCode::TRUNCATED_WRONG_VALUE)
    {
        conv.push(Level::Warning, e);
    }
}

/// Text beside a date that is no column.
fn read_date(v: Value<'_>, from: &SqlType, beside: &SqlType, cx: &mut Cx<'_>) {
    let conv = &mut cx.env.conv;
    let before = conv.warned();
    let read = convert::to_datetime(v, from, conv);
    if let (true, Value::Str(s)) = (read.is_none() || conv.warned() != before, v) {
        conv.forget_since(before);
        conv.truncated_wrong_value(if beside.kind == TypeKind::Date { "date" } else { "datetime" }, s);
    }
}

/// A member of a list of IN.
fn listed(v: Value<'_>, e: &Expr, c: &EarlyConstant, cx: &mut Cx<'_>) {
    let conv = &mut cx.env.conv;
    let before = conv.warned();
    match c.beside.kind {
        TypeKind::Time => {
            convert::to_time(v, &e.ty, conv);
        }
        k if k.is_temporal() => {
            let read = convert::to_datetime(v, &e.ty, conv);
            if let (true, Value::Str(s)) = (read.is_none() || conv.warned() != before, v) {
                conv.forget_since(before);
                incorrect(s, c, conv);
                cx.listed.push(s.into());
            }
        }
        _ => number(v, e, ComparisonKind::Double, cx),
    }
}

/// Text in a list that is no date: "Truncated incorrect date value" beside a DATE, "Incorrect datetime value" otherwise.
fn incorrect(s: &[u8], c: &EarlyConstant, conv: &mut value::ConvCtx) {
    if c.beside.kind == TypeKind::Date {
        return conv.truncated_wrong_value("date", s);
    }
    let at = c.column.as_ref().map(|n| format!(" for column '{n}' at row 1")).unwrap_or_default();
    let message = format!("Incorrect datetime value: '{}'{at}", value::context::printable(s));
    conv.push(Level::Warning, SqlError::with_message(ErrorCode::TRUNCATED_WRONG_VALUE, message));
}

/// Text that is compared as a number. What is computed and no DECIMAL at all is 1366.
fn number(v: Value<'_>, e: &Expr, kind: ComparisonKind, cx: &mut Cx<'_>) {
    if kind != ComparisonKind::Decimal {
        convert::to_f64(v, &e.ty, &mut cx.env.conv);
        return;
    }
    let before = cx.env.conv.warned();
    convert::to_decimal(v, &e.ty, &mut cx.env.conv);
    let literal = matches!(e.kind, ExprKind::Const(_) | ExprKind::Param(_));
    if let Value::Str(s) = v
        && !literal
        && value::Decimal::parse_prefix(s).consumed == 0
    {
        cx.foretell(before);
        let conv = &mut cx.env.conv;
        conv.forget_since(before);
        let code = ErrorCode::TRUNCATED_WRONG_VALUE_FOR_FIELD;
        conv.warn(code, &[&"DECIMAL", &"0", &"", &"-1"]);
    }
}

#[cfg(test)]
mod tests {
    use super::is_plain_date;

    #[test]
    fn plain_dates() {
        for s in ["2020-01-28", "0100-12-01", "2020-01-01 23:59:59"] {
            assert!(is_plain_date(s.as_bytes()), "{s}");
        }
        for s in [
            "2020-02-29",
            "0000-01-01",
            "2020-00-01",
            "2020-01-01x",
            "2020-1-01",
            "2020-01-01 24:00:00",
            "2020-01-01 10:11",
            "2020-01-01T10:11:12",
            "",
        ] {
            assert!(!is_plain_date(s.as_bytes()), "{s}");
        }
    }
}
