//! DEFAULT of JSON_VALUE: a literal that must be a value of the type that is returned, as it stands.
//!
//! MySQL reads it as text: an integer is digits and nothing else, a DECIMAL has no more digits behind the point than the type, a time no more of a
//! fraction, a DATETIME of text both halves. What is wrong is told when the statement is prepared. Tested in golden `json_values`.

use base::{ErrorCode, SqlError, SqlResult};
use value::json::convert as conv;
use value::temporal::parse;
use value::{OwnedValue, SqlType, TypeKind, Value, convert};

use crate::expr::{Expr, ExprKind};
use crate::func::FuncId;

/// The literal's value and type, and its text.
fn literal(x: &Expr) -> Option<(&OwnedValue, &SqlType, String)> {
    let text = |v: &OwnedValue, ty: &SqlType| {
        let mut out = Vec::new();
        convert::to_text(v.as_value(), ty, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    };
    match &x.kind {
        ExprKind::Const(v) if !v.as_value().is_null() => Some((v, &x.ty, text(v, &x.ty))),
        ExprKind::Call(FuncId::Neg, args) => match args.as_ref() {
            [Expr { kind: ExprKind::Const(v), ty, .. }] if !v.as_value().is_null() => {
                Some((v, ty, format!("-{}", text(v, ty))))
            }
            _ => None,
        },
        _ => None,
    }
}

fn range(what: &str) -> SqlError {
    SqlError::new(ErrorCode::DATA_OUT_OF_RANGE, &[&what, &"json_value"])
}

fn truncated(what: &str, text: &str) -> SqlError {
    SqlError::new(ErrorCode::TRUNCATED_WRONG_VALUE, &[&what, &text])
}

/// An integer's text: a sign and digits.
fn is_integer(text: &str) -> bool {
    let s = text.trim_start();
    let digits = s.strip_prefix(['-', '+']).unwrap_or(s);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Error 1292 or 1690 unless the DEFAULT is a value of the type.
pub(super) fn check(x: &Expr, ty: &SqlType) -> SqlResult<()> {
    let Some((v, from, text)) = literal(x) else { return Ok(()) };
    let word = conv::returning_name(ty);
    match ty.kind {
        TypeKind::Json => match value::json::parse(text.as_bytes()) {
            Ok(_) => Ok(()),
            Err(e) => Err(conv::parse_error(e, 1, "json_value")),
        },
        k if k.is_integer() && !is_integer(&text) => Err(truncated(&format!("INTEGER {word}"), &text)),
        TypeKind::Year if !is_integer(&text) => Err(truncated(word, &text)),
        TypeKind::Year => match text.trim().parse::<i64>() {
            Ok(0 | 1901..=2155) => Ok(()),
            _ => Err(range(word)),
        },
        TypeKind::Decimal if digits_behind(&text) > usize::from(ty.decimals) => Err(range("DECIMAL DEFAULT")),
        k if k.is_temporal() => temporal(v.as_value(), from, ty, &text),
        _ => {
            let source = SqlType::varchar(u32::MAX / 4, value::CollationId::UTF8MB4_BIN);
            let (value, from) =
                if ty.kind.is_string() { (v.as_value(), from) } else { (Value::Str(text.as_bytes()), &source) };
            stored(value, from, ty).map(drop).map_err(|e| match ty.kind {
                k if k.is_string() => range("CHAR DEFAULT"),
                TypeKind::Double => truncated("DOUBLE", &text),
                _ if e.is(ErrorCode::WARN_DATA_OUT_OF_RANGE) => range(&format!("{word} DEFAULT")),
                TypeKind::Float => truncated("DOUBLE", &text),
                _ => truncated(word, &text),
            })
        }
    }
}

/// Digits behind the point of a number's text.
fn digits_behind(text: &str) -> usize {
    text.split_once('.').map_or(0, |(_, f)| f.bytes().take_while(u8::is_ascii_digit).count())
}

/// The value as a strict assignment makes it.
fn stored(v: Value<'_>, from: &SqlType, ty: &SqlType) -> SqlResult<OwnedValue> {
    let (arena, mut ctx) = (bumpalo::Bump::new(), value::ConvCtx::default());
    ctx.strict = true;
    convert::convert_for_column(v, from, ty, &mut ctx, "json_value", 1, &arena).map(|v| v.to_owned())
}

fn temporal(v: Value<'_>, from: &SqlType, ty: &SqlType, text: &str) -> SqlResult<()> {
    let incorrect = || {
        let message = format!("Incorrect datetime value: '{text}'");
        SqlError::with_message(ErrorCode::TRUNCATED_WRONG_VALUE, message)
    };
    let wrong = || match ty.kind {
        TypeKind::Date => truncated("date", text),
        TypeKind::Time => truncated("time", text),
        _ => incorrect(),
    };
    let Value::Str(s) = v else {
        let six = SqlType { decimals: 6, ..ty.clone() };
        let whole = stored(v, from, &six)?;
        return fraction(whole.as_value(), ty);
    };
    if ty.kind == TypeKind::DateTime && !conv::is_datetime_text(s) {
        return Err(incorrect());
    }
    let six = SqlType { decimals: 6, ..ty.clone() };
    let whole = stored(v, from, &six).map_err(|_| wrong())?;
    fraction(whole.as_value(), ty)
}

/// A fraction beyond the type's digits is out of range.
fn fraction(v: Value<'_>, ty: &SqlType) -> SqlResult<()> {
    let fits = match v {
        Value::Time(t) => parse::truncate_time(t, ty.decimals) == t,
        Value::DateTime(d) => parse::truncate_datetime(d, ty.decimals) == d,
        _ => true,
    };
    if fits { Ok(()) } else { Err(range("TIME DEFAULT")) }
}
