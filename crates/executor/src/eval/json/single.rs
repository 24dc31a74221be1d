//! JSON_VALUE, and a JSON value as a value of an SQL type (also for the columns of JSON_TABLE).

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use planner::func::{FuncId as F, OnMissing};
use value::json::{Kind, Ref, convert as conv, print};
use value::{Level, SqlMode, SqlType, TypeKind, Value, convert};

use super::{document_of, path};
use crate::eval::Cx;
use crate::eval::{Args, eval};

/// The value as `ty`, checked as strictly as an assignment in strict mode; the null literal is NULL (not for type JSON). `name`: the
/// column that messages name; `table`: the errors of JSON_TABLE.
pub(crate) fn coerce<'a>(
    r: Ref<'a>,
    ty: &SqlType,
    name: &str,
    table: bool,
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    if ty.kind == TypeKind::Json {
        return Ok(conv::part_value(r, arena));
    }
    let what = type_name(ty);
    let no_value = || {
        if table && !r.is_scalar() {
            return SqlError::new(ErrorCode::WRONG_JSON_TABLE_VALUE, &[&name]);
        }
        SqlError::new(ErrorCode::INVALID_JSON_VALUE_FOR_CAST, &[&what, &name, &1])
    };
    let text = |arena: &'a Bump| {
        let mut out = Vec::new();
        print::unquoted(r, &mut out);
        Value::Str(arena.alloc_slice_copy(&out))
    };
    let v = match r.kind() {
        Kind::Null => return Ok(Value::Null),
        Kind::Array | Kind::Object => return Err(no_value()),
        Kind::Str(s) => Value::Str(s),
        Kind::Opaque(_, b) if ty.kind.is_binary_string() => Value::Str(b),
        _ if ty.kind.is_string() => text(arena),
        // what a DOUBLE holds of the smallest BIGINT may have been less
        Kind::Double(d) if ty.kind.is_integer() && d <= i64::MIN as f64 => {
            return Err(match table {
                true => SqlError::new(ErrorCode::JT_VALUE_OUT_OF_RANGE, &[&name]),
                false => SqlError::new(ErrorCode::NUMERIC_JSON_VALUE_OUT_OF_RANGE, &[&what, &name, &1]),
            });
        }
        _ => conv::scalar_value(r, arena).ok_or_else(no_value)?,
    };
    let from = match v {
        Value::Str(_) => conv::text_type(),
        _ => SqlType::new(TypeKind::Null),
    };
    strictly(v, &from, ty, name, cx, arena).map_err(|e| {
        if ty.kind.is_string() {
            e
        } else if e.is(ErrorCode::WARN_DATA_OUT_OF_RANGE) {
            match table {
                true => SqlError::new(ErrorCode::JT_VALUE_OUT_OF_RANGE, &[&name]),
                false => SqlError::new(ErrorCode::NUMERIC_JSON_VALUE_OUT_OF_RANGE, &[&what, &name, &1]),
            }
        } else {
            no_value()
        }
    })
}

/// An assignment in strict mode without a trace in the warnings.
fn strictly<'a>(
    v: Value<'a>,
    from: &SqlType,
    ty: &SqlType,
    name: &str,
    cx: &mut Cx<'_>,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    let c = &mut cx.env.conv;
    let (strict, before) = (c.strict, c.warned());
    c.strict = true;
    let done = convert::convert_for_column(v, from, ty, c, name, 1, arena);
    c.strict = strict;
    c.forget_since(before);
    done.map(Value::shown)
}

fn type_name(ty: &SqlType) -> &'static str {
    match ty.kind {
        TypeKind::Float | TypeKind::Double => "DOUBLE",
        TypeKind::Decimal => "DECIMAL",
        TypeKind::Date => "DATE",
        TypeKind::Time => "TIME",
        TypeKind::DateTime | TypeKind::Timestamp => "DATETIME",
        TypeKind::Year => "YEAR",
        k if k.is_string() => "CHAR",
        _ => "INTEGER",
    }
}

/// JSON_VALUE(doc, path [, default on empty] [, default on error]).
pub(super) fn json_value<'a>(
    empty: OnMissing,
    error: OnMissing,
    a: &Args<'a>,
    cx: &mut Cx<'_>,
) -> SqlResult<Value<'a>> {
    let name = "json_value";
    let f = F::JsonValue(empty, error);
    let on_error = |cx: &mut Cx<'_>| match error {
        OnMissing::Default => eval(a.expr(2 + usize::from(empty == OnMissing::Default))?, cx, a.arena),
        _ => Ok(Value::Null),
    };
    // an error in the argument is no error of this function
    let (v, ty) = (a.value(0, cx)?, a.ty(0)?);
    let d = match document_of(v, ty, 0, f.name(), a.arena) {
        Ok(Some(d)) => d,
        Ok(None) => return Ok(Value::Null),
        // a text that is no document is told also where it is not an error
        Err(e) if e.is(ErrorCode::INVALID_JSON_TEXT_IN_PARAM) && error != OnMissing::Error => {
            cx.env.conv.push(Level::Warning, e);
            return on_error(cx);
        }
        Err(e) => return Err(e),
    };
    let Some(p) = path(a, 1, false, cx)? else { return Ok(Value::Null) };
    let mut found = Vec::new();
    Ref::trusted(d).find(&p, false, &mut found)?;
    let got = match found.as_slice() {
        [] => {
            return match empty {
                OnMissing::Null => Ok(Value::Null),
                OnMissing::Error => Err(SqlError::new(ErrorCode::MISSING_JSON_VALUE, &[&name])),
                OnMissing::Default => eval(a.expr(2)?, cx, a.arena),
            };
        }
        [one] if a.ty.kind.is_string() && !one.is_scalar() => whole_text(*one, a.ty, name, cx, a.arena),
        [one] => returned(*one, a.ty, name, cx, a.arena),
        _ => Err(SqlError::new(ErrorCode::MULTIPLE_JSON_VALUES, &[&name])),
    };
    match got {
        Ok(v) => Ok(v),
        Err(_) if error != OnMissing::Error => on_error(cx),
        Err(e) if e.is(ErrorCode::MULTIPLE_JSON_VALUES) => Err(e),
        Err(_) => Err(SqlError::new(ErrorCode::DATA_OUT_OF_RANGE, &[&conv::returning_name(a.ty), &name])),
    }
}

/// The value found as the type that is returned: checked more narrowly than elsewhere, and fractions of seconds are cut off.
fn returned<'a>(r: Ref<'a>, ty: &SqlType, name: &str, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    let time = matches!(r.kind(), Kind::Date(_) | Kind::Time(_) | Kind::DateTime(_));
    let whole = |s: &[u8]| {
        let s = s.trim_ascii_start();
        let digits = s.strip_prefix(b"-").or(s.strip_prefix(b"+")).unwrap_or(s);
        !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    };
    let year = |n: i64| n == 0 || (1901..=2155).contains(&n);
    let fits = match (ty.kind, r.kind()) {
        (TypeKind::Date | TypeKind::DateTime, Kind::Time(_)) | (TypeKind::Time, Kind::Date(_) | Kind::DateTime(_)) => {
            false
        }
        (k, Kind::Bool(_) | Kind::Int(_) | Kind::UInt(_) | Kind::Double(_) | Kind::Decimal(_)) if k.is_temporal() => {
            false
        }
        (TypeKind::DateTime, Kind::Str(s)) => conv::is_datetime_text(s),
        (TypeKind::Time, Kind::Str(s)) => s.contains(&b':'),
        (TypeKind::Year, Kind::Int(n)) => year(n),
        (TypeKind::Year, Kind::Str(s)) => std::str::from_utf8(s).is_ok_and(|s| s.parse().is_ok_and(year)),
        (TypeKind::Year, Kind::Bool(_)) => false,
        (k, Kind::Str(s)) if k.is_integer() => whole(s),
        (k, _) => k.is_string() || k.is_temporal() || k == TypeKind::Json || !time,
    };
    if !fits {
        return Err(SqlError::new(ErrorCode::INVALID_JSON_VALUE_FOR_CAST, &[&type_name(ty), &name, &1]));
    }
    let mode = cx.env.conv.sql_mode;
    cx.env.conv.sql_mode = mode | SqlMode::TIME_TRUNCATE_FRACTIONAL;
    let v = match ty.kind {
        TypeKind::Binary => coerce(r, &SqlType { kind: TypeKind::VarBinary, ..ty.clone() }, name, false, cx, arena),
        TypeKind::Year if matches!(r.kind(), Kind::Str(b"0")) => Ok(Value::UInt(0)),
        _ => coerce(r, ty, name, false, cx, arena),
    };
    cx.env.conv.sql_mode = mode;
    v
}

/// An array or object as text, if it fits.
fn whole_text<'a>(r: Ref<'a>, ty: &SqlType, name: &str, cx: &mut Cx<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    let mut out = Vec::new();
    print::unquoted(r, &mut out);
    strictly(Value::Str(arena.alloc_slice_copy(&out)), &conv::text_type(), ty, name, cx, arena)
}
