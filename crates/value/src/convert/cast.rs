//! CAST and CONVERT.

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;

use super::text::to_text;
use super::{numeric, temporal};
use crate::charset::{self, Charset};
use crate::context::{ConvCtx, SqlMode, printable};
use crate::temporal::parse;
use crate::types::{SqlType, TypeKind};
use crate::value::Value;

/// The years that YEAR can hold besides 0.
const FIRST_YEAR: u64 = 1901;
const LAST_YEAR: u64 = 2155;

/// CAST(v AS to). `to` is BigInt (SIGNED/UNSIGNED), Decimal, Double, Float, Char/VarChar (length in characters; 0 or
/// `u32::MAX` = unlimited), Binary/VarBinary (Binary pads with 0x00), Date, DateTime, Time, Year, JSON (text is parsed).
pub fn cast<'a>(
    v: Value<'a>,
    from: &SqlType,
    to: &SqlType,
    ctx: &mut ConvCtx,
    arena: &'a Bump,
) -> SqlResult<Value<'a>> {
    if v.is_null() {
        return Ok(Value::Null);
    }
    let truncate = ctx.sql_mode.has(SqlMode::TIME_TRUNCATE_FRACTIONAL);
    Ok(match to.kind {
        k if k.is_integer() => {
            let (n, text) =
                (if to.unsigned { numeric::to_u64(v, from, ctx) as i64 } else { numeric::to_i64(v, from, ctx) }, v);
            if n < 0
                && let Value::Str(s) = text
            {
                complement(s.trim_ascii_start().starts_with(b"-"), to.unsigned, ctx);
            }
            if to.unsigned { Value::UInt(n as u64) } else { Value::Int(n) }
        }
        TypeKind::Decimal => {
            let d = numeric::to_decimal(v, from, ctx);
            let d = d.fit(to.length as u8, to.decimals).unwrap_or_else(|limit| {
                // MySQL names the expression, which has no name but at the top of a select list
                ctx.warn(ErrorCode::WARN_DATA_OUT_OF_RANGE, &[&"(null)", &1]);
                limit
            });
            Value::Decimal(arena.alloc(d))
        }
        TypeKind::Double => Value::Double(numeric::to_f64(v, from, ctx)),
        TypeKind::Float => {
            let f = numeric::to_f64(v, from, ctx) as f32;
            let f = if f.is_infinite() { f32::MAX.copysign(f) } else { f };
            Value::Double(f64::from(f))
        }
        TypeKind::Date => temporal::to_date(v, from, ctx).map_or(Value::Null, Value::Date),
        TypeKind::DateTime | TypeKind::Timestamp => match temporal::to_datetime(v, from, ctx) {
            None => Value::Null,
            Some(d) if truncate => Value::DateTime(parse::truncate_datetime(d, to.decimals)),
            Some(d) => parse::round_datetime(d, 0, to.decimals).map_or(Value::Null, Value::DateTime),
        },
        TypeKind::Time => match temporal::to_time(v, from, ctx) {
            None => Value::Null,
            Some(t) if truncate => Value::Time(parse::truncate_time(t, to.decimals)),
            Some(t) => Value::Time(parse::round_time(t, 0, to.decimals)),
        },
        TypeKind::Year => year(v, from, ctx),
        k if k.is_string() => string(v, from, to, ctx, arena)?.map_or(Value::Null, Value::Str),
        TypeKind::Json => crate::json::convert::cast(v, from, arena)?,
        _ => return Err(SqlError::unsupported("CAST to this type")),
    })
}

/// Text of a number of the other sign's range: 1105.
#[cold]
fn complement(negative: bool, unsigned: bool, ctx: &mut ConvCtx) {
    let said = match (negative, unsigned) {
        (true, true) => "Cast to unsigned converted negative integer to its positive complement",
        (false, false) => "Cast to signed converted positive out-of-range integer to its negative complement",
        _ => return,
    };
    ctx.warn(ErrorCode::UNKNOWN_ERROR, &[&said]);
}

fn year<'a>(v: Value<'a>, from: &SqlType, ctx: &mut ConvCtx) -> Value<'a> {
    if from.kind.has_date() {
        let Some(d) = temporal::to_date(v, from, ctx) else { return Value::Null };
        let year = u64::from(d.year());
        if year == 0 || (FIRST_YEAR..=LAST_YEAR).contains(&year) {
            return Value::UInt(year);
        }
        ctx.truncated_wrong_value("YEAR", year.to_string().as_bytes());
        return Value::Null;
    }
    let n = match v {
        Value::Time(_) => i64::from(ctx.current().year()),
        Value::Str(s) => {
            let text = numeric::readable(s, from);
            let p = crate::number::parse_int_prefix(&text);
            match i64::try_from(p.value) {
                Ok(n) if p.consumed > 0 && n >= 0 && !p.overflow => {
                    if p.consumed < text.len() {
                        ctx.truncated_wrong_value("YEAR", s);
                    }
                    n
                }
                _ => {
                    ctx.warn(ErrorCode::WRONG_VALUE, &[&"YEAR", &printable(s)]);
                    return Value::Null;
                }
            }
        }
        _ => numeric::to_i64(v, from, ctx),
    };
    match parse::year_from_number(n, matches!(v, Value::Str(_))) {
        Some(y) => Value::UInt(y),
        None => {
            ctx.truncated_wrong_value("YEAR", n.to_string().as_bytes());
            Value::Null
        }
    }
}

/// The text of `v` in `to`'s character set, cut to its length. Bytes that are no text of that character set: warning 1300, and NULL under a
/// strict mode, else what precedes them.
fn string<'a>(
    v: Value<'a>,
    from: &SqlType,
    to: &SqlType,
    ctx: &mut ConvCtx,
    arena: &'a Bump,
) -> SqlResult<Option<&'a [u8]>> {
    let target = if to.kind.is_binary_string() { Charset::Binary } else { to.charset() };
    let Some(bytes) = text_in(v, from, target, ctx, arena)? else { return Ok(None) };
    if to.length == 0 && !matches!(to.kind, TypeKind::Binary) || to.length == u32::MAX {
        return Ok(Some(bytes));
    }
    let max = to.length as usize;
    let end = target.char_offset(bytes, max);
    if end < bytes.len() {
        let what = if target == Charset::Binary { "BINARY" } else { "CHAR" };
        ctx.truncated_wrong_value(&format!("{what}({max})"), bytes);
        return Ok(Some(bytes.get(..end).unwrap_or(bytes)));
    }
    if to.kind == TypeKind::Binary && bytes.len() < max {
        base::memory::reserve(max)?;
        let padded = arena.alloc_slice_fill_copy(max, 0u8);
        padded.iter_mut().zip(bytes).for_each(|(to, b)| *to = *b);
        return Ok(Some(padded));
    }
    Ok(Some(bytes))
}

/// Bytes taken for text: warning 1300 shows at most three of them, from the first that is wrong. Where each byte is a character they are
/// taken nevertheless (as MySQL takes them).
fn well_formed<'a>(bytes: &'a [u8], target: Charset, ctx: &mut ConvCtx) -> Option<&'a [u8]> {
    let one_byte = target.is_single_byte();
    let found = if one_byte { target.undefined_byte(bytes) } else { target.ill_formed(bytes) };
    let Some((at, shown)) = found else { return Some(bytes) };
    // MySQL's eucjpms does not miss the second byte of the last character
    if target == Charset::Eucjpms && at + 1 == bytes.len() {
        return Some(bytes);
    }
    ctx.warn(ErrorCode::INVALID_CHARACTER_STRING, &[&target.name(), &shown]);
    if one_byte {
        return Some(bytes);
    }
    (!ctx.sql_mode.is_strict()).then(|| bytes.get(..at).unwrap_or(bytes))
}

/// The text of `v` converted to a character set ('?' for what it lacks, without a word).
pub(super) fn text_in<'a>(
    v: Value<'a>,
    from: &SqlType,
    target: Charset,
    ctx: &mut ConvCtx,
    arena: &'a Bump,
) -> SqlResult<Option<&'a [u8]>> {
    let source = if from.is_character() { from.charset() } else { text_charset(from) };
    let bytes: &'a [u8] = match v {
        Value::Str(s) => s,
        _ => {
            let mut out = Vec::with_capacity(32);
            to_text(v, from, &mut out);
            arena.alloc_slice_copy(&out)
        }
    };
    let narrow = source.has_ascii() && target.has_ascii();
    if source == Charset::Binary && target.is_wide() {
        let whole = charset::aligned(target, bytes);
        return Ok(well_formed(arena.alloc_slice_copy(&whole), target, ctx));
    }
    if source == target || (narrow && bytes.is_ascii()) || source == Charset::Binary || target == Charset::Binary {
        let taken = source == Charset::Binary && target != Charset::Binary;
        return Ok(if taken { well_formed(bytes, target, ctx) } else { Some(bytes) });
    }
    Ok(Some(charset::convert_in(bytes, source, target, arena, base::memory::reserve, base::interrupt::worked)?.0))
}

/// Character set of the text of a type that is not character data: numbers and dates are ASCII, JSON is utf8mb4.
fn text_charset(from: &SqlType) -> Charset {
    match from.kind {
        TypeKind::Json => Charset::Utf8mb4,
        k if k.is_string() || k == TypeKind::Bit || numeric::is_member_kind(k) => Charset::Binary,
        _ => Charset::Ascii,
    }
}
