//! Values read as numbers and as truth values.

use std::borrow::Cow;

use super::json_int;
use crate::charset::{self, Charset};
use crate::context::{ConvCtx, Level, SqlMode};
use crate::decimal::Decimal;
use crate::json::convert::coerced;
use crate::number::{f64_to_i64, parse_f64_prefix, parse_int_prefix, rest_is_space};
use crate::temporal::{DateTime, Time};
use crate::types::{SqlType, TypeKind};
use crate::value::Value;

/// Text as what reads numbers and dates takes it: that of ucs2, utf16, utf16le and utf32 in utf8mb4.
pub(super) fn readable<'s>(s: &'s [u8], ty: &SqlType) -> Cow<'s, [u8]> {
    if !ty.charset().is_wide() {
        return Cow::Borrowed(s);
    }
    let mut text = Vec::with_capacity(s.len());
    charset::convert(s, ty.charset(), Charset::Utf8mb4, &mut text);
    Cow::Owned(text)
}

/// As a DOUBLE (0 for NULL; bad text warns 1292).
#[inline]
pub fn to_f64(v: Value<'_>, ty: &SqlType, ctx: &mut ConvCtx) -> f64 {
    match v {
        Value::Null => 0.0,
        Value::Int(n) => n as f64,
        Value::UInt(n) => n as f64,
        Value::Double(f) => f,
        Value::Decimal(d) => d.to_f64(),
        Value::Str(s) => {
            let s: &[u8] = &readable(s, ty);
            let (f, n, over) = parse_f64_prefix(s);
            // nothing but spaces is 0 without a warning
            if over || !rest_is_space(s, n) || n == 0 && !s.trim_ascii().is_empty() {
                ctx.truncated_wrong_value("DOUBLE", s);
            }
            f
        }
        Value::Date(d) => f64::from(d.to_number()),
        Value::DateTime(d) => d.to_number() as f64 + f64::from(d.micro()) / 1e6,
        Value::Time(t) => {
            let f = f64::from(t.micro()) / 1e6;
            t.to_number() as f64 + if t.is_negative() { -f } else { f }
        }
        Value::Json(d) => coerced(d, "DOUBLE", ctx, 0.0, to_f64),
    }
}

/// The whole number nearest to a TIME, as hhmmss with carry; with TIME_TRUNCATE_FRACTIONAL without its fraction.
fn time_number(t: Time, ctx: &ConvCtx) -> i64 {
    if ctx.sql_mode.has(SqlMode::TIME_TRUNCATE_FRACTIONAL) {
        return t.to_number();
    }
    crate::temporal::parse::round_time(t, 0, 0).to_number()
}

fn datetime_number(d: DateTime, ctx: &ConvCtx) -> u64 {
    if d.micro() < 500_000 || ctx.sql_mode.has(SqlMode::TIME_TRUNCATE_FRACTIONAL) {
        return d.to_number();
    }
    crate::temporal::parse::round_datetime(d, 0, 0).unwrap_or(d).to_number()
}

/// A number as an integer of either sign, saturating at -2^63 and 2^64-1: `(value, was limited)`; 0 for what is none.
pub(super) fn to_int_plain(v: Value<'_>) -> (i128, bool) {
    let plain = |n: i128| (n, false);
    match v {
        Value::Int(n) => plain(n.into()),
        Value::UInt(n) => plain(n.into()),
        Value::Double(f) => {
            let r = crate::number::rint(f);
            let limited = !(-9_223_372_036_854_775_808.0..18_446_744_073_709_551_616.0).contains(&r);
            if r.is_nan() { (0, true) } else { ((r as i128).clamp(i64::MIN.into(), u64::MAX.into()), limited) }
        }
        Value::Decimal(d) => {
            let limit = if d.is_negative() { i128::from(i64::MIN) } else { i128::from(u64::MAX) };
            match d.round(0).to_i128() {
                Some(n) if n >= i64::MIN.into() && n <= u64::MAX.into() => plain(n),
                _ => (limit, true),
            }
        }
        _ => plain(0),
    }
}

/// As an integer of either sign, saturating at -2^63 and 2^64-1: `(value, was limited)`.
pub(super) fn to_int(v: Value<'_>, ty: &SqlType, ctx: &mut ConvCtx) -> (i128, bool) {
    let plain = |n: i128| (n, false);
    match v {
        Value::Null | Value::Int(_) | Value::UInt(_) | Value::Double(_) | Value::Decimal(_) => to_int_plain(v),
        Value::Str(s) => {
            let s: &[u8] = &readable(s, ty);
            let p = parse_int_prefix(s);
            if p.consumed == 0 || p.overflow || !rest_is_space(s, p.consumed) {
                ctx.truncated_wrong_value("INTEGER", s);
            }
            (p.value, p.overflow)
        }
        Value::Date(d) => plain(d.to_number().into()),
        Value::DateTime(d) => plain(datetime_number(d, ctx).into()),
        Value::Time(t) => plain(time_number(t, ctx).into()),
        Value::Json(d) => {
            let (n, said) = json_int::read(d);
            if let Some(said) = said {
                ctx.push(Level::Warning, said.error("", 1));
            }
            plain(n)
        }
    }
}

/// As a signed integer the way CAST(.. AS SIGNED) reads it: rounding, the leading digits of text, limits of 64 bits
/// (an unsigned value above 2^63 wraps); 0 for NULL.
#[inline]
pub fn to_i64(v: Value<'_>, ty: &SqlType, ctx: &mut ConvCtx) -> i64 {
    match v {
        Value::Int(n) => n,
        Value::Double(f) => f64_to_i64(f).unwrap_or_else(|limit| limit),
        Value::Decimal(d) => d.to_i64().unwrap_or_else(|limit| {
            ctx.truncated_wrong_value("DECIMAL", d.to_string().as_bytes());
            limit
        }),
        // text between 2^63 and 2^64 wraps as in MySQL
        _ => to_int(v, ty, ctx).0 as i64,
    }
}

/// Whether the number that a text begins with is another integer when it is rounded than when what follows its digits is cut off: `1.5x`.
pub fn rounds_up(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let text = text.strip_prefix(b"+").unwrap_or(text);
    let behind = text.iter().position(|b| !b.is_ascii_digit()).and_then(|at| text.get(at..));
    matches!(behind, Some([b'.', b'5'..=b'9', ..]))
}

/// As an unsigned integer the way CAST(.. AS UNSIGNED) reads it; negative numbers wrap.
#[inline]
pub fn to_u64(v: Value<'_>, ty: &SqlType, ctx: &mut ConvCtx) -> u64 {
    match v {
        Value::UInt(n) => n,
        Value::Int(n) => n as u64,
        Value::Decimal(d) if d.is_negative() => to_i64(v, ty, ctx) as u64,
        Value::Decimal(d) => d.to_u64().unwrap_or_else(|limit| {
            ctx.truncated_wrong_value("DECIMAL", d.to_string().as_bytes());
            limit
        }),
        _ => to_int(v, ty, ctx).0 as u64,
    }
}

/// As a DECIMAL, exactly (text: its leading number; doubles: their shortest text).
pub fn to_decimal(v: Value<'_>, ty: &SqlType, ctx: &mut ConvCtx) -> Decimal {
    match v {
        Value::Null => Decimal::ZERO,
        Value::Int(n) => Decimal::from_i64(n),
        Value::UInt(n) => Decimal::from_u64(n),
        Value::Decimal(d) => *d,
        Value::Double(f) => Decimal::from_f64(f).unwrap_or_else(|_| {
            ctx.truncated_wrong_value("DECIMAL", f.to_string().as_bytes());
            Decimal::max_value(65, 0, f < 0.0)
        }),
        Value::Str(s) => {
            let s: &[u8] = &readable(s, ty);
            let p = Decimal::parse_prefix(s);
            if p.consumed == 0 || p.overflow || !rest_is_space(s, p.consumed) {
                ctx.truncated_wrong_value("DECIMAL", s);
            }
            p.value
        }
        Value::Date(d) => Decimal::from_u64(d.to_number().into()),
        Value::DateTime(d) => with_micros(d.to_number().into(), d.micro(), false),
        Value::Time(t) => with_micros(t.to_number().unsigned_abs().into(), t.micro(), t.is_negative()),
        Value::Json(d) => coerced(d, "DECIMAL", ctx, Decimal::ZERO, to_decimal),
    }
}

fn with_micros(n: i128, micro: u32, neg: bool) -> Decimal {
    if micro == 0 {
        return Decimal::from_i128(if neg { -n } else { n }, 0);
    }
    let v = n * 1_000_000 + i128::from(micro);
    Decimal::from_i128(if neg { -v } else { v }, 6)
}

/// Truth value; `None` for NULL. Text is read as a DOUBLE.
#[inline]
pub fn to_bool(v: Value<'_>, ty: &SqlType, ctx: &mut ConvCtx) -> Option<bool> {
    Some(match v {
        Value::Null => return None,
        Value::Int(n) => n != 0,
        Value::UInt(n) => n != 0,
        Value::Double(f) => f != 0.0,
        Value::Decimal(d) => !d.is_zero(),
        Value::Str(_) => to_f64(v, ty, ctx) != 0.0,
        Value::Date(d) => !d.is_zero(),
        Value::DateTime(d) => !d.is_zero(),
        Value::Time(t) => t.0 != 0,
        Value::Json(d) => crate::json::convert::truth(d),
    })
}

/// Whether a kind's `UInt` is an index or bits rather than a number.
pub(super) fn is_member_kind(k: TypeKind) -> bool {
    matches!(k, TypeKind::Enum | TypeKind::Set)
}
