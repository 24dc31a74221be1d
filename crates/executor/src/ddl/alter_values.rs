//! What ALTER TABLE makes of a column's values in another type, where that is not what an assignment makes of them.
//!
//! An assignment converts a value; ALTER TABLE lets MySQL copy from column to column, and there the new column decides in what form a value comes:
//! dates, times, members of ENUM and SET and JSON are made from the text that the old column shows (a number is no ENUM's index, `1111` no date), YEAR and
//! BIT from whole numbers, and BIT is a whole number for all others but TEXT and BLOB (`65`, not `A`). All of it was measured on a real server
//! (golden `alter_conversions`). Values are the session's here, not yet those that rows hold ([`super::copy`]).

use base::{ErrorCode, SqlResult};
use bumpalo::Bump;
use value::convert::{convert_for_column, to_text};
use value::number::{parse_int_prefix, rest_is_space};
use value::{CollationId, ConvCtx, SqlType, TypeKind, Value};

/// In what form a value reaches the new column.
enum Form {
    /// As it is.
    Value,
    /// The text that the old column shows.
    Text,
    /// Its bytes, which have no character set.
    Bytes,
    /// A whole number.
    Whole,
}

/// The form between two types that differ.
fn form(from: &SqlType, to: &SqlType) -> Form {
    use TypeKind::{Bit, Enum, Json, Set, Year};
    let (was, is) = (from.kind, to.kind);
    let number = was.is_integer() || was.is_float() || matches!(was, TypeKind::Decimal | Year);
    match is {
        _ if was == is => Form::Value,
        Json if was == Bit => Form::Bytes,
        _ if was == Bit && is.is_lob() => Form::Value,
        _ if was == Bit => Form::Whole,
        Json if !was.is_string() => Form::Text,
        Enum | Set if number || was == Json => Form::Text,
        _ if is.is_temporal() && (number || was == Json) => Form::Text,
        Bit if was.is_float() || was.is_string() || was == Json => Form::Whole,
        Year if was.is_temporal() => Form::Whole,
        _ if was == Json && (is.is_integer() || is.is_float() || is == Year) => Form::Text,
        _ => Form::Value,
    }
}

/// `v` of a column of type `from` in a column of type `to`. Errors and warnings: those of [`convert_for_column`], and 1292 for text that is no number.
pub(super) fn recast<'a>(
    v: Value<'a>,
    from: &SqlType,
    to: &SqlType,
    conv: &mut ConvCtx,
    (column, row): (&str, u64),
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    if v.is_null() {
        return convert_for_column(v, from, to, conv, column, row, arena);
    }
    let mut text = Vec::new();
    let (v, from) = match form(from, to) {
        Form::Value => return convert_for_column(v, from, to, conv, column, row, arena),
        Form::Text => {
            to_text(v, from, &mut text);
            if matches!(from.kind, TypeKind::Enum | TypeKind::Set) {
                let members = std::mem::take(&mut text);
                value::charset::convert(&members, from.charset(), value::Charset::Utf8mb4, &mut text);
            }
            (Value::Str(arena.alloc_slice_copy(&text)), SqlType::varchar(text.len() as u32, CollationId::UTF8MB4_BIN))
        }
        Form::Bytes => {
            to_text(v, from, &mut text);
            (Value::Str(arena.alloc_slice_copy(&text)), SqlType::varchar(text.len() as u32, CollationId::BINARY))
        }
        Form::Whole => (whole(v, from, conv, arena)?, SqlType::new(TypeKind::BigInt)),
    };
    convert_for_column(v, &from, to, conv, column, row, arena)
}

/// A value as BIT and YEAR columns take it: rounded; 1292 for text that is no number to its end, an error when strict.
fn whole<'a>(v: Value<'a>, from: &SqlType, conv: &mut ConvCtx, arena: &'a Bump) -> SqlResult<Value<'a>> {
    let Value::Str(s) = v else {
        if let Value::UInt(_) = v {
            return Ok(v);
        }
        return convert_for_column(v, from, &SqlType::new(TypeKind::BigInt), conv, "", 0, arena);
    };
    let p = parse_int_prefix(s);
    // nothing is said of TEXT and BLOB
    let silent = from.kind.is_lob();
    if !silent && (p.consumed == 0 || !rest_is_space(s, p.consumed) || p.overflow) {
        conv.fail_or_warn(ErrorCode::TRUNCATED_WRONG_VALUE, &[&"INTEGER", &value::context::printable(s)])?;
    }
    let n = p.value.clamp(i64::MIN.into(), u64::MAX.into());
    Ok(i64::try_from(n).map_or(Value::UInt(n as u64), Value::Int))
}
