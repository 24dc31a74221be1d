//! SQL values as JSON values and back.

use std::borrow::Cow;

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;

use super::doc::TYPE_BIT;
use super::{Dom, Error, Kind, Ref, parse_document};
use crate::charset::{self, Charset};
use crate::context::{ConvCtx, Level, Warning};
use crate::convert::to_text;
use crate::decimal::MAX_SCALE;
use crate::types::{SqlType, TypeKind};
use crate::value::Value;

/// The document of the null literal.
pub const NULL_DOCUMENT: &[u8] = &[super::doc::LITERAL, 0];

/// Text of a character string in utf8mb4; error 3144 for binary strings, for text that is not well-formed too.
pub fn utf8<'a>(s: &'a [u8], ty: &SqlType) -> SqlResult<Cow<'a, [u8]>> {
    let refuse = |cs: Charset| SqlError::new(ErrorCode::INVALID_JSON_CHARSET, &[&cs.name()]);
    if ty.kind.is_string() && ty.charset() == Charset::Binary {
        return Err(refuse(Charset::Binary));
    }
    let cs = if ty.kind.is_string() || ty.is_character() { ty.charset() } else { Charset::Utf8mb4 };
    if s.is_ascii() && cs.has_ascii() {
        return Ok(Cow::Borrowed(s));
    }
    if cs.is_utf8() {
        return std::str::from_utf8(s).map(|_| Cow::Borrowed(s)).map_err(|_| refuse(cs));
    }
    let mut out = Vec::with_capacity(s.len() * 2);
    charset::convert(s, cs, Charset::Utf8mb4, &mut out);
    Ok(Cow::Owned(out))
}

/// An SQL value as a JSON value: numbers keep their type, character strings become strings, binary strings and bits opaque values,
/// temporal values such ones of JSON; NULL becomes the null literal. Text is not parsed.
pub fn from_sql<'a>(v: Value<'a>, ty: &SqlType) -> SqlResult<Dom<'a>> {
    Ok(match v {
        Value::Null => Dom::Null,
        Value::Json(d) => Dom::Part(Ref::trusted(d)),
        Value::Int(n) => Dom::Int(n),
        Value::UInt(n) => match ty.kind {
            TypeKind::Bit => {
                let mut b = Vec::new();
                to_text(v, ty, &mut b);
                Dom::Opaque(TYPE_BIT, Cow::Owned(b))
            }
            TypeKind::Enum | TypeKind::Set => {
                let mut b = Vec::new();
                to_text(v, ty, &mut b);
                Dom::Str(Cow::Owned(utf8(&b, ty)?.into_owned()))
            }
            _ => Dom::UInt(n),
        },
        Value::Double(f) => Dom::Double(f),
        Value::Decimal(d) if ty.kind == TypeKind::Decimal && !ty.own_digits => {
            Dom::Decimal(d.round(ty.decimals.into()))
        }
        // a literal may have more digits than the document has room for
        Value::Decimal(d) if d.scale() > MAX_SCALE => Dom::Decimal(d.round(MAX_SCALE.into())),
        Value::Decimal(d) => Dom::Decimal(*d),
        Value::Str(s) if ty.kind.is_string() && ty.charset() == Charset::Binary => {
            let t = match ty.kind {
                // enum_field_types: VARCHAR, STRING, TINY_BLOB, MEDIUM_BLOB, LONG_BLOB, BLOB
                TypeKind::VarBinary => 15,
                TypeKind::Binary => 254,
                TypeKind::TinyBlob => 249,
                TypeKind::MediumBlob => 250,
                TypeKind::LongBlob => 251,
                _ => 252,
            };
            Dom::Opaque(t, Cow::Borrowed(s))
        }
        Value::Str(s) => Dom::Str(utf8(s, ty)?),
        Value::Date(d) => Dom::Date(d),
        Value::DateTime(d) => Dom::DateTime(d),
        Value::Time(t) => Dom::Time(t),
    })
}

/// A tree as a value in the arena.
pub fn to_value<'a>(d: &Dom<'_>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    if let Dom::Null = d {
        return Ok(Value::Json(NULL_DOCUMENT));
    }
    let mut out = Vec::with_capacity(64);
    d.encode(&mut out)?;
    Ok(Value::Json(arena.alloc_slice_copy(&out)))
}

/// A document made of text as a value in the arena.
fn encoded<'a>(d: SqlResult<Vec<u8>>, arena: &'a Bump) -> SqlResult<Value<'a>> {
    Ok(Value::Json(arena.alloc_slice_copy(&d?)))
}

/// A part of a document as a value in the arena.
pub fn part_value<'a>(r: Ref<'_>, arena: &'a Bump) -> Value<'a> {
    let out = arena.alloc_slice_fill_copy(r.data.len() + 1, r.ty);
    if let Some(to) = out.get_mut(1..) {
        to.copy_from_slice(r.data);
    }
    Value::Json(out)
}

/// Error 3141 or 3157 for text in an argument of a function.
pub fn parse_error(e: Error, argument: usize, function: &str) -> SqlError {
    match e {
        Error::Syntax(text, at) => {
            SqlError::new(ErrorCode::INVALID_JSON_TEXT_IN_PARAM, &[&argument, &function, &text, &at])
        }
        Error::TooDeep => SqlError::new(ErrorCode::JSON_DOCUMENT_TOO_DEEP, &[]),
        Error::Stopped => {
            let why = base::interrupt::check().and_then(|()| base::memory::check());
            why.err().unwrap_or_else(|| SqlError::new(ErrorCode::OUTOFMEMORY, &[&0]))
        }
    }
}

/// CAST(v AS JSON): text is parsed (3141), other values and bytes become scalars.
pub fn cast<'a>(v: Value<'a>, ty: &SqlType, arena: &'a Bump) -> SqlResult<Value<'a>> {
    match v {
        Value::Null | Value::Json(_) => Ok(v),
        Value::Str(s) if !ty.kind.is_binary_string() => {
            let text = utf8(s, ty)?;
            encoded(parse_document(&text).map_err(|e| parse_error(e, 1, "cast_as_json"))?, arena)
        }
        _ => to_value(&from_sql(v, ty)?, arena),
    }
}

/// Assignment to a JSON column: JSON values and JSON text (3140, 3144, 3157); anything else needs a CAST (3140).
pub(crate) fn for_column<'a>(v: Value<'a>, ty: &SqlType, column: &str, arena: &'a Bump) -> SqlResult<Value<'a>> {
    let invalid = |text: &str, at: usize| SqlError::new(ErrorCode::INVALID_JSON_TEXT, &[&text, &at, &column]);
    match v {
        Value::Null | Value::Json(_) => Ok(v),
        Value::Str(s) => {
            let text = utf8(s, ty)?;
            let d = parse_document(&text).map_err(|e| match e {
                Error::Syntax(t, at) => invalid(t, at),
                Error::TooDeep | Error::Stopped => parse_error(e, 1, ""),
            })?;
            encoded(d, arena)
        }
        // a member is its text, as MySQL copies one column to another
        _ if matches!(ty.kind, TypeKind::Enum | TypeKind::Set) => {
            let mut text = Vec::new();
            crate::convert::to_text(v, ty, &mut text);
            let string = SqlType::varchar(text.len() as u32, ty.collation);
            for_column(Value::Str(arena.alloc_slice_copy(&text)), &string, column, arena)
        }
        _ => Err(invalid("not a JSON text, may need CAST", 0)),
    }
}

/// Calls `f` with the SQL value of a scalar document: numbers, booleans as 0 and 1, text, dates; `None` for the null literal, opaque
/// values, arrays and objects.
pub fn with_scalar<R>(doc: &[u8], f: impl FnOnce(Option<Value<'_>>) -> R) -> R {
    let decimal;
    let v = match Ref::trusted(doc).kind() {
        Kind::Bool(b) => Some(Value::Int(i64::from(b))),
        Kind::Int(n) => Some(Value::Int(n)),
        Kind::UInt(n) => Some(Value::UInt(n)),
        Kind::Double(x) => Some(Value::Double(x)),
        Kind::Decimal(d) => {
            decimal = d;
            Some(Value::Decimal(&decimal))
        }
        Kind::Str(s) => Some(Value::Str(s)),
        Kind::Date(d) => Some(Value::Date(d)),
        Kind::Time(t) => Some(Value::Time(t)),
        Kind::DateTime(d) => Some(Value::DateTime(d)),
        Kind::Null | Kind::Opaque(..) | Kind::Array | Kind::Object => None,
    };
    f(v)
}

/// The scalar as [`with_scalar`] gives it, in the arena.
pub fn scalar_value<'a>(r: Ref<'a>, arena: &'a Bump) -> Option<Value<'a>> {
    Some(match r.kind() {
        Kind::Bool(b) => Value::Int(i64::from(b)),
        Kind::Int(n) => Value::Int(n),
        Kind::UInt(n) => Value::UInt(n),
        Kind::Double(x) => Value::Double(x),
        Kind::Decimal(d) => Value::Decimal(arena.alloc(d)),
        Kind::Str(s) => Value::Str(s),
        Kind::Date(d) => Value::Date(d),
        Kind::Time(t) => Value::Time(t),
        Kind::DateTime(d) => Value::DateTime(d),
        Kind::Null | Kind::Opaque(..) | Kind::Array | Kind::Object => return None,
    })
}

/// A type of JSON_VALUE's RETURNING as its messages name it.
pub fn returning_name(ty: &SqlType) -> &'static str {
    match ty.kind {
        TypeKind::Float => "FLOAT",
        TypeKind::Double => "DOUBLE",
        TypeKind::Decimal => "DECIMAL",
        TypeKind::Date => "DATE",
        TypeKind::Time => "TIME",
        TypeKind::DateTime | TypeKind::Timestamp => "DATETIME",
        TypeKind::Year => "YEAR",
        k if k.is_string() => "STRING",
        _ if ty.unsigned => "UNSIGNED",
        _ => "SIGNED",
    }
}

/// Whether a text that becomes a DATETIME of JSON_VALUE has a date, a space and a time.
pub fn is_datetime_text(s: &[u8]) -> bool {
    crate::temporal::parse::parse_datetime(
        s,
        crate::temporal::parse::DateFlags::for_expression(crate::context::SqlMode::default()),
    )
    .is_some_and(|p| !p.date_only && !s.contains(&b'T'))
}

/// Static type of [`with_scalar`]'s text.
pub fn text_type() -> SqlType {
    let mut t = SqlType::new(TypeKind::LongText);
    t.collation = crate::CollationId::UTF8MB4_BIN;
    t
}

/// Reads a document's scalar with `read`; what is no scalar, and text that `read` warns about (not of deprecated delimiters), is warning 3156 and
/// gives `none`.
pub(crate) fn coerced<R>(
    doc: &[u8],
    what: &str,
    ctx: &mut ConvCtx,
    none: R,
    read: impl FnOnce(Value<'_>, &SqlType, &mut ConvCtx) -> R,
) -> R {
    let before = ctx.warned();
    // a date or time of JSON is no number
    let number = matches!(what, "INTEGER" | "DECIMAL" | "DOUBLE");
    let other = |v: &Value<'_>| number && matches!(v, Value::Date(_) | Value::DateTime(_) | Value::Time(_));
    let got = with_scalar(doc, |v| v.filter(|v| !other(v)).map(|v| read(v, &text_type(), ctx)));
    let delimiters = [ErrorCode::WARN_DEPRECATED_DATETIME_DELIMITER, ErrorCode::WARN_DEPRECATED_SUPERFLUOUS_DELIMITER];
    let deprecated = |w: &Warning| delimiters.iter().any(|d| d.number() == w.code);
    let bad = got.is_none()
        || ctx.warned() != before && !ctx.warnings.get(before.shown()..).is_some_and(|l| l.iter().all(deprecated));
    if bad {
        ctx.forget_since(before);
        ctx.push(Level::Warning, SqlError::new(ErrorCode::INVALID_JSON_VALUE_FOR_CAST, &[&what, &"", &1]));
    }
    got.unwrap_or(none)
}

/// Truth value of a condition: whether it differs from the JSON number 0, as all that is no number does.
pub(crate) fn truth(doc: &[u8]) -> bool {
    match Ref::trusted(doc).kind() {
        Kind::Int(n) => n != 0,
        Kind::UInt(n) => n != 0,
        Kind::Double(f) => f != 0.0,
        Kind::Decimal(d) => !d.is_zero(),
        _ => true,
    }
}
