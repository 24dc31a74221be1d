//! GREATEST and LEAST.
//!
//! Values of one type are compared as such. Among texts of which one is a DATE, DATETIME or TIMESTAMP all are compared as dates, and the result is the
//! text of that type, as in MySQL: `GREATEST(DATE'2020-01-01', '2020-1-2')` is `2020-01-02`. What is no date counts as the zero date (MySQL 9 takes it
//! for a date beyond all others beside a DATE); where all are that, the texts are compared. Tested in golden `dates_and_texts`.

use base::SqlResult;
use planner::expr::{Expr, ExprKind};
use planner::types::fsp_of;
use value::compare::order_same_type;
use value::temporal::format::{format_date, format_datetime};
use value::temporal::parse::{DateFlags, parse_datetime};
use value::{Charset, DateTime, TypeKind, Value, charset, convert};

use super::numbers::read_named;
use super::{Args, eval};
use crate::eval::Cx;

/// GREATEST, or LEAST.
pub(super) fn call<'a>(greatest: bool, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    if a.ty.kind.is_string()
        && let Some(kind) = dated(a)
        && let Some(v) = among_dates(greatest, a, kind, cx)?
    {
        return Ok(v);
    }
    let mut best = a.value(0, cx)?;
    for i in 1..a.len() {
        let v = a.value(i, cx)?;
        if v.is_null() || best.is_null() {
            return Ok(Value::Null);
        }
        let o = order_same_type(v, best, a.ty);
        // of equal texts GREATEST is the last, LEAST the first
        let better = if greatest { o.is_ge() } else { o.is_lt() };
        if better {
            best = v;
        }
    }
    Ok(best)
}

/// An argument as it was before it became text.
fn operand(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Once(_, x) => operand(x),
        ExprKind::Cast(x) if e.ty.kind.is_string() && !operand(x).ty.kind.is_string() => operand(x),
        _ => e,
    }
}

/// DATE or DATETIME if one of the arguments has a date, the wider one.
fn dated(a: &Args<'_>) -> Option<TypeKind> {
    let kinds = a.list.iter().map(|e| operand(e).ty.kind).filter(|k| k.has_date());
    kinds.map(|k| if k == TypeKind::Date { k } else { TypeKind::DateTime }).max_by_key(|k| *k == TypeKind::DateTime)
}

/// The text of the greatest or least date, or NULL; `None` where it is the zero date.
fn among_dates<'a>(greatest: bool, a: &Args<'a>, kind: TypeKind, cx: &mut Cx<'_>) -> SqlResult<Option<Value<'a>>> {
    let (mut best, mut digits) = (None::<DateTime>, 0);
    for e in a.list {
        let x = operand(e);
        let v = eval(x, cx, a.arena)?;
        if v.is_null() {
            return Ok(Some(Value::Null));
        }
        let d = match kind {
            TypeKind::Date => read_named(x, cx, |t, conv| convert::to_date(v, t, conv).map(|d| d.to_datetime())),
            _ => read_named(x, cx, |t, conv| convert::to_datetime(v, t, conv)),
        };
        let d = d.unwrap_or(DateTime::ZERO);
        digits = digits.max(fraction(v, x));
        best = match best {
            Some(b) if greatest != (d > b) => Some(b),
            _ => Some(d),
        };
    }
    let Some(d) = best.filter(|d| !d.is_zero()) else { return Ok(None) };
    let mut text = Vec::new();
    match kind {
        TypeKind::Date => format_date(d.date(), &mut text),
        _ => format_datetime(d, digits, &mut text),
    }
    if !a.ty.charset().is_wide() {
        return Ok(Some(a.str(&text)));
    }
    let mut wide = Vec::new();
    charset::convert(&text, Charset::Utf8mb4, a.ty.charset(), &mut wide);
    Ok(Some(a.str(&wide)))
}

/// Digits of the fraction that an argument brings: a constant text's are those that are written.
fn fraction(v: Value<'_>, e: &Expr) -> u8 {
    let Value::Str(s) = v else { return fsp_of(&e.ty) };
    if !e.is_const() || parse_datetime(s, DateFlags::for_expression(value::SqlMode::default())).is_none() {
        return 6;
    }
    let digits = |p: usize| s.iter().skip(p + 1).take_while(|b| b.is_ascii_digit()).count().min(6) as u8;
    s.iter().rposition(|b| *b == b'.').map_or(0, digits)
}
