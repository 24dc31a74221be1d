//! Values read as dates and times inside expressions. What is none becomes NULL with warning 1292.

use base::{ErrorCode, SqlError};

use super::numeric::is_member_kind;
use super::text::to_text;
use crate::context::{ConvCtx, Level, SqlMode, printable};
use crate::decimal::Decimal;
use crate::json::convert::coerced;
use crate::temporal::parse::{self, DateFlags, OddDelimiter, ParsedDateTime, ParsedTime};
use crate::temporal::{Date, DateTime, Time, TimeZone, interval};
use crate::types::{SqlType, TypeKind};
use crate::value::Value;

/// As a DATETIME with up to six digits of fraction; `None` for NULL and (with warning 1292) for what is not one.
pub fn to_datetime(v: Value<'_>, ty: &SqlType, ctx: &mut ConvCtx) -> Option<DateTime> {
    to_datetime_flags(v, ty, DateFlags::for_expression(ctx.sql_mode), ctx)
}

/// As [`to_datetime`] with the caller's idea of which zero dates pass.
pub fn to_datetime_flags(v: Value<'_>, ty: &SqlType, flags: DateFlags, ctx: &mut ConvCtx) -> Option<DateTime> {
    match v {
        Value::Null => None,
        Value::DateTime(d) => Some(d),
        Value::Date(d) => Some(d.to_datetime()),
        Value::Time(t) => Some(time_to_datetime(t, ctx)),
        Value::Json(d) => json_datetime(d, "DATETIME/TIMESTAMP", flags, ctx),
        _ => {
            let parsed = read_datetime(v, ty, flags, ctx);
            let rounded = parsed.and_then(|p| p.rounded(6, ctx.sql_mode.has(SqlMode::TIME_TRUNCATE_FRACTIONAL)));
            if rounded.is_none() {
                wrong_value("datetime", v, ty, ctx);
            } else if parsed.is_some_and(|p| p.trailing) {
                truncated("datetime", v, ty, ctx);
            }
            if rounded.is_some() {
                odd(parsed.and_then(|p| p.odd), v, ty, ctx);
            }
            rounded
        }
    }
}

/// As a DATE; `None` like [`to_datetime`].
pub fn to_date(v: Value<'_>, ty: &SqlType, ctx: &mut ConvCtx) -> Option<Date> {
    match v {
        Value::Date(d) => Some(d),
        Value::Json(d) => json_datetime(d, "DATE", DateFlags::for_expression(ctx.sql_mode), ctx).map(DateTime::date),
        _ => to_datetime(v, ty, ctx).map(DateTime::date),
    }
}

/// As a TIME; `None` like [`to_datetime`]. Values beyond +-838:59:59 are limited with warning 1292.
pub fn to_time(v: Value<'_>, ty: &SqlType, ctx: &mut ConvCtx) -> Option<Time> {
    match v {
        Value::Null => None,
        Value::Time(t) => Some(t),
        Value::Date(_) => Some(Time::ZERO),
        Value::DateTime(d) => Some(d.time()),
        Value::Json(d) => {
            coerced(d, "TIME", ctx, None, |v, ty, ctx| no_number("time", v, ty, ctx).and_then(|v| to_time(v, ty, ctx)))
        }
        _ => {
            let Some(p) = read_time(v, ty, ctx) else {
                truncated("time", v, ty, ctx);
                return None;
            };
            if p.trailing || p.out_of_range {
                truncated("time", v, ty, ctx);
            }
            odd(p.odd, v, ty, ctx);
            // text beyond the range is its end, a number is none
            if p.out_of_range && !matches!(v, Value::Str(_)) && !is_member_kind(ty.kind) {
                return None;
            }
            let cut = ctx.sql_mode.has(SqlMode::TIME_TRUNCATE_FRACTIONAL);
            Some(if cut { p.value } else { parse::round_time(p.value, p.tenth_micros, 6) })
        }
    }
}

/// Text as the TIME that a column of `digits` decimals would keep of it; `None` if it is none, or not as a whole.
pub fn stored_time(v: Value<'_>, ty: &SqlType, digits: u8, ctx: &ConvCtx) -> Option<Time> {
    if let Value::Time(t) = v {
        return Some(t);
    }
    let p = read_time(v, ty, ctx).filter(|p| !p.trailing && !p.out_of_range)?;
    Some(match ctx.sql_mode.has(SqlMode::TIME_TRUNCATE_FRACTIONAL) {
        true => parse::truncate_time(p.value, digits),
        false => parse::round_time(p.value, p.tenth_micros, digits),
    })
}

/// The date and time of a JSON value.
fn json_datetime(doc: &[u8], what: &str, flags: DateFlags, ctx: &mut ConvCtx) -> Option<DateTime> {
    coerced(doc, what, ctx, None, |v, ty, ctx| {
        no_number("datetime", v, ty, ctx).and_then(|v| to_datetime_flags(v, ty, flags, ctx))
    })
}

/// A document's scalar unless it is a number or a truth value, a time where a date is asked for or the other way round, or for a time a text without
/// `:`: none of them is a date or time.
fn no_number<'a>(what: &str, v: Value<'a>, ty: &SqlType, ctx: &mut ConvCtx) -> Option<Value<'a>> {
    let number = match v {
        Value::Int(_) | Value::UInt(_) | Value::Double(_) | Value::Decimal(_) => true,
        Value::Str(s) => what == "time" && !s.contains(&b':'),
        Value::Date(_) | Value::DateTime(_) => what == "time",
        Value::Time(_) => what != "time",
        _ => false,
    };
    if number {
        truncated(what, v, ty, ctx);
        return None;
    }
    Some(v)
}

/// A TIME on the statement's day.
pub(super) fn time_to_datetime(t: Time, ctx: &ConvCtx) -> DateTime {
    let day = ctx.current().date().to_datetime();
    interval::add_micros(day, t.to_micros().into()).unwrap_or(day)
}

/// Text and numbers as a DATETIME in the session's zone, without warnings.
pub(super) fn read_datetime(v: Value<'_>, ty: &SqlType, flags: DateFlags, ctx: &ConvCtx) -> Option<ParsedDateTime> {
    match v {
        Value::Int(n) => from_integer(n, 0, 0, flags),
        Value::UInt(n) if !is_member_kind(ty.kind) => from_integer(i64::try_from(n).ok()?, 0, 0, flags),
        Value::Decimal(d) => from_decimal(d, flags),
        Value::Double(f) => from_decimal(&Decimal::from_f64(f).ok()?, flags),
        Value::Str(s) => zoned(parse::parse_datetime(&super::numeric::readable(s, ty), flags)?, ctx),
        Value::UInt(_) => {
            let mut text = Vec::new();
            to_text(v, ty, &mut text);
            zoned(parse::parse_datetime(&super::numeric::readable(&text, ty), flags)?, ctx)
        }
        _ => None,
    }
}

/// Applies a time zone suffix.
fn zoned(mut p: ParsedDateTime, ctx: &ConvCtx) -> Option<ParsedDateTime> {
    if let Some(offset) = p.offset {
        if p.value.date().has_zero_part() {
            return None;
        }
        let utc = TimeZone::Offset(offset).local_to_utc(p.value);
        let local = ctx.time_zone.utc_to_stored(utc);
        (p.value, p.later) = (local.shown(), local.is_later());
    }
    Some(p)
}

fn from_integer(n: i64, micro: u32, tenth_micros: u8, flags: DateFlags) -> Option<ParsedDateTime> {
    let (value, date_only) = parse::datetime_from_number(n, flags)?;
    let value = DateTime(value.0 | u64::from(micro));
    Some(ParsedDateTime {
        value,
        tenth_micros,
        fraction_digits: 0,
        date_only,
        offset: None,
        later: false,
        trailing: false,
        odd: None,
    })
}

/// Integer part, microseconds, tenths.
fn split(d: &Decimal) -> Option<(i64, u32, u8)> {
    let int = d.truncate(0);
    let frac = d.sub(&int).ok()?.abs().truncate(7).round(7).to_i128()?;
    let n = int.to_i64().ok()?;
    Some((n, (frac / 10) as u32, (frac % 10) as u8))
}

fn from_decimal(d: &Decimal, flags: DateFlags) -> Option<ParsedDateTime> {
    if d.is_negative() {
        return None;
    }
    let (n, micro, tenth) = split(d)?;
    from_integer(n, micro, tenth, flags)
}

/// Text and numbers as a TIME, without warnings.
pub(super) fn read_time(v: Value<'_>, ty: &SqlType, ctx: &ConvCtx) -> Option<ParsedTime> {
    let mut p = read_unzoned_time(v, ty)?;
    if let Some((value, offset)) = p.zoned {
        // the time of day that it is in the session's time zone
        if value.date().has_zero_part() {
            return None;
        }
        p.value = ctx.time_zone.utc_to_local(TimeZone::Offset(offset).local_to_utc(value)).time();
    }
    Some(p)
}

fn read_unzoned_time(v: Value<'_>, ty: &SqlType) -> Option<ParsedTime> {
    let decimal = |d: &Decimal| {
        let Some((n, micro, tenth)) = split(d) else {
            return parse::time_from_number(if d.is_negative() { i64::MIN } else { i64::MAX });
        };
        let mut p = parse::time_from_number(n)?;
        if !p.out_of_range {
            let us = p.value.to_micros();
            let neg = us < 0 || d.is_negative();
            p.value = Time::from_micros_unchecked(if neg { us - i64::from(micro) } else { us + i64::from(micro) });
            p.tenth_micros = tenth;
        }
        Some(p)
    };
    match v {
        Value::Int(n) => parse::time_from_number(n),
        Value::UInt(n) if !is_member_kind(ty.kind) => parse::time_from_number(i64::try_from(n).unwrap_or(i64::MAX)),
        Value::Decimal(d) => decimal(d),
        Value::Double(f) => match Decimal::from_f64(f) {
            Ok(d) => decimal(&d),
            Err(_) => parse::time_from_number(if f < 0.0 { i64::MIN } else { i64::MAX }),
        },
        Value::Str(s) => parse::parse_time(&super::numeric::readable(s, ty)),
        Value::UInt(_) => {
            let mut text = Vec::new();
            to_text(v, ty, &mut text);
            parse::parse_time(&super::numeric::readable(&text, ty))
        }
        _ => None,
    }
}

/// Warns of a deprecated delimiter in the text of `v`.
#[inline]
pub(super) fn odd(delimiter: Option<OddDelimiter>, v: Value<'_>, ty: &SqlType, ctx: &mut ConvCtx) {
    if let Some(d) = delimiter {
        let mut text = Vec::new();
        to_text(v, ty, &mut text);
        ctx.odd_delimiter(d, &super::numeric::readable(&text, ty));
    }
}

/// The operand as messages show it.
pub(super) fn shown(v: Value<'_>, ty: &SqlType) -> String {
    let mut text = Vec::new();
    match v {
        Value::Decimal(d) => d.format(&mut text),
        Value::Double(_) if !ty.kind.is_float() => to_text(v, &SqlType::new(TypeKind::Double), &mut text),
        _ => to_text(v, ty, &mut text),
    }
    printable(&text)
}

/// 1292 "Incorrect datetime value: 'x'".
fn wrong_value(what: &str, v: Value<'_>, ty: &SqlType, ctx: &mut ConvCtx) {
    let message = format!("Incorrect {what} value: '{}'", shown(v, ty));
    ctx.push(Level::Warning, SqlError::with_message(ErrorCode::TRUNCATED_WRONG_VALUE, message));
}

/// 1292 "Truncated incorrect datetime value: 'x'".
fn truncated(what: &str, v: Value<'_>, ty: &SqlType, ctx: &mut ConvCtx) {
    let text = shown(v, ty);
    ctx.warn(ErrorCode::TRUNCATED_WRONG_VALUE, &[&what, &text]);
}
