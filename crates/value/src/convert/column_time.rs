//! Assignment to DATE, DATETIME, TIMESTAMP and TIME columns.

use base::SqlResult;

use super::column::{Target, operand_text};
use super::temporal::{odd, read_datetime, read_time, time_to_datetime};
use crate::context::{ConvCtx, SqlMode};
use crate::temporal::parse::{self, DateFlags, OddDelimiter, ParsedDateTime};
use crate::temporal::{Date, DateTime, Time, TimeZone};
use crate::types::{SqlType, TypeKind};
use crate::value::Value;

/// First and last instant of a TIMESTAMP in UTC.
const TIMESTAMP_MIN: DateTime = DateTime::new(1970, 1, 1, 0, 0, 1, 0);
const TIMESTAMP_MAX: DateTime = DateTime::new(2038, 1, 19, 3, 14, 7, 999_999);

pub(super) fn temporal<'a>(v: Value<'a>, from: &SqlType, t: &Target<'_>, ctx: &mut ConvCtx) -> SqlResult<Value<'a>> {
    match t.ty.kind {
        TypeKind::Date => date(v, from, t, ctx),
        TypeKind::Time => time(v, from, t, ctx),
        _ => datetime(v, from, t, ctx),
    }
}

/// Any value as date and time; `None` when it is none or not allowed by the mode.
fn parsed(v: Value<'_>, from: &SqlType, ctx: &ConvCtx) -> Option<ParsedDateTime> {
    let flags = DateFlags::for_column(ctx.sql_mode);
    let plain = |value: DateTime, date_only| ParsedDateTime {
        value,
        tenth_micros: 0,
        fraction_digits: 0,
        date_only,
        offset: None,
        later: false,
        trailing: false,
        odd: None,
    };
    let p = match v {
        Value::Date(d) => plain(d.to_datetime(), true),
        Value::DateTime(d) => plain(d, false),
        Value::Time(x) => plain(time_to_datetime(x, ctx), false),
        Value::Decimal(_) | Value::Double(_) => {
            let mut p = read_datetime(v, from, flags, ctx)?;
            // a date has no fraction of a second; 0.5 is a time of day
            if p.date_only && !p.value.date().is_zero() && (p.value.micro() != 0 || p.tenth_micros != 0) {
                p.value = p.value.date().to_datetime();
                (p.tenth_micros, p.trailing) = (0, true);
            }
            return Some(p);
        }
        _ => return read_datetime(v, from, flags, ctx),
    };
    let d = p.value.date();
    flags.accepts(d.year(), d.month(), d.day()).then_some(p)
}

fn date<'a>(v: Value<'a>, from: &SqlType, t: &Target<'_>, ctx: &mut ConvCtx) -> SqlResult<Value<'a>> {
    let Some(p) = parsed(v, from, ctx) else {
        wrong("date", v, from, t, ctx)?;
        return Ok(Value::Date(Date::ZERO));
    };
    said(p.odd, v, from, t, ctx);
    // the time of day is rounded first: half a second before midnight is the next day
    let Some(value) = p.rounded(0, ctx.sql_mode.has(SqlMode::TIME_TRUNCATE_FRACTIONAL)) else {
        wrong("date", v, from, t, ctx)?;
        return Ok(Value::Date(Date::ZERO));
    };
    if p.trailing {
        t.incorrect_time("date", &operand_text(v, from), ctx)?;
    } else if value.time() != Time::ZERO {
        let text = match v {
            Value::DateTime(_) => operand_text(Value::DateTime(value), &SqlType::temporal(TypeKind::DateTime, 0)),
            _ => operand_text(v, from),
        };
        t.cut_note("date", &text, ctx);
    }
    Ok(Value::Date(value.date()))
}

/// Warns of a deprecated delimiter in what is stored.
fn said(delimiter: Option<OddDelimiter>, v: Value<'_>, from: &SqlType, t: &Target<'_>, ctx: &mut ConvCtx) {
    if delimiter.is_some() {
        ctx.row = t.row;
        odd(delimiter, v, from, ctx);
    }
}

/// No date. When not strict, 1264 for a number beyond all dates and for text that is a date of no calendar or one that the mode forbids.
#[cold]
fn wrong(what: &str, v: Value<'_>, from: &SqlType, t: &Target<'_>, ctx: &mut ConvCtx) -> SqlResult<()> {
    let number = match v {
        Value::Int(n) => n as f64,
        Value::UInt(n) => n as f64,
        Value::Double(n) => n,
        Value::Decimal(n) => n.to_f64(),
        _ => 0.0,
    };
    let any = DateFlags { no_zero_in_date: false, no_zero_date: false, allow_invalid: true };
    let of_no_calendar = || matches!(v, Value::Str(_)) && read_datetime(v, from, any, ctx).is_some();
    if !ctx.is_worded_strictly() && (!(0.0..=99_991_231_235_959.0).contains(&number) || of_no_calendar()) {
        return t.out_of_range(ctx);
    }
    t.incorrect_time(what, &operand_text(v, from), ctx)
}

fn datetime<'a>(v: Value<'a>, from: &SqlType, t: &Target<'_>, ctx: &mut ConvCtx) -> SqlResult<Value<'a>> {
    let cut = ctx.sql_mode.has(SqlMode::TIME_TRUNCATE_FRACTIONAL);
    let p = parsed(v, from, ctx);
    let Some(value) = p.and_then(|p| p.rounded(t.ty.decimals, cut)) else {
        wrong("datetime", v, from, t, ctx)?;
        return Ok(Value::DateTime(DateTime::ZERO));
    };
    said(p.and_then(|p| p.odd), v, from, t, ctx);
    if p.is_some_and(|p| p.trailing) {
        t.incorrect_time("datetime", &operand_text(v, from), ctx)?;
    }
    if t.ty.kind == TypeKind::Timestamp && !value.is_zero() {
        // the text tells the moment, also where clocks show its local time twice
        let value = if p.is_some_and(|p| p.later) { value.later() } else { value };
        return timestamp(value, v, from, t, ctx);
    }
    Ok(Value::DateTime(value))
}

/// A local time for a TIMESTAMP column: 1292 when strict for what is outside of its range or in the gap of a change to summer time; otherwise 1264 and
/// zero, and 1299 and the moment of the change.
fn timestamp<'a>(
    value: DateTime,
    v: Value<'a>,
    from: &SqlType,
    t: &Target<'_>,
    ctx: &mut ConvCtx,
) -> SqlResult<Value<'a>> {
    let utc = timestamp_utc(value, &ctx.time_zone);
    if matches!(utc, Some((_, false))) {
        return Ok(Value::DateTime(value));
    }
    let strictly = ctx.is_worded_strictly();
    if strictly {
        t.incorrect_time("datetime", &operand_text(v, from), ctx)?;
    }
    let Some((utc, _)) = utc else {
        if !strictly {
            t.out_of_range(ctx)?;
        }
        return Ok(Value::DateTime(DateTime::ZERO));
    };
    if !strictly {
        t.not_shown(ctx)?;
    }
    Ok(Value::DateTime(ctx.time_zone.utc_to_local(utc)))
}

/// UTC of a local time within a TIMESTAMP's range, and whether the time is in a gap.
fn timestamp_utc(local: DateTime, zone: &TimeZone) -> Option<(DateTime, bool)> {
    // years far outside need no zone
    if local.date().has_zero_part() || !(1969..=2038).contains(&local.year()) {
        return None;
    }
    let (utc, gap) = zone.utc_and_gap(local);
    (TIMESTAMP_MIN..=TIMESTAMP_MAX).contains(&utc).then_some((utc, gap))
}

fn time<'a>(v: Value<'a>, from: &SqlType, t: &Target<'_>, ctx: &mut ConvCtx) -> SqlResult<Value<'a>> {
    let cut = ctx.sql_mode.has(SqlMode::TIME_TRUNCATE_FRACTIONAL);
    let fit = |x: Time, tenth| {
        if cut { parse::truncate_time(x, t.ty.decimals) } else { parse::round_time(x, tenth, t.ty.decimals) }
    };
    match v {
        Value::Time(x) => return Ok(Value::Time(fit(x, 0))),
        Value::DateTime(d) => return Ok(Value::Time(fit(d.time(), 0))),
        Value::Date(_) => return Ok(Value::Time(Time::ZERO)),
        _ => {}
    }
    let Some(p) = read_time(v, from, ctx) else {
        // an empty text is midnight; fields beyond their range are 1264 when not strict
        let digits = match v {
            Value::Str(b"") => return Ok(Value::Time(Time::ZERO)),
            Value::Str(s) => s.trim_ascii_start().first().is_some_and(|c| c.is_ascii_digit() || *c == b'-'),
            _ => true,
        };
        if digits && !ctx.is_worded_strictly() {
            t.out_of_range(ctx)?;
        } else {
            t.incorrect_time("time", &operand_text(v, from), ctx)?;
        }
        return Ok(Value::Time(Time::ZERO));
    };
    said(p.odd, v, from, t, ctx);
    if p.trailing {
        t.incorrect_time("time", &operand_text(v, from), ctx)?;
    }
    // a seventh digit can round the last time up
    let rounds_beyond = !cut && p.tenth_micros >= 5 && (p.value == Time::MAX || p.value == Time::MIN);
    if p.out_of_range || rounds_beyond {
        // 1292 when strict, 1264 otherwise
        if ctx.is_worded_strictly() {
            t.incorrect_time("time", &operand_text(v, from), ctx)?;
        } else {
            t.out_of_range(ctx)?;
        }
    }
    // nothing is lost with the zero date
    let any = DateFlags { no_zero_in_date: false, no_zero_date: false, allow_invalid: true };
    let zero = || read_datetime(v, from, any, ctx).is_some_and(|d| d.value.date() == Date::ZERO);
    if p.had_date && !p.trailing && !zero() {
        t.cut_note("time", &operand_text(v, from), ctx);
    }
    Ok(Value::Time(fit(p.value, p.tenth_micros)))
}
