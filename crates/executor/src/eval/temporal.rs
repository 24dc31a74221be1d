//! Date and time functions.

use base::{ErrorCode, SqlError, SqlResult};
use catalog::sysvar::Var;
use planner::expr::Expr;
use planner::func::family::{Day, Moment};
use value::temporal::calendar::{self, from_days, last_day, make_date, to_days, week, weekday};
use value::temporal::interval::{self, Interval, Unit};
use value::temporal::locale::Locale;
use value::temporal::parse::{DateFlags, datetime_from_number, truncate_datetime, truncate_time};
use value::{Date, DateTime, Decimal, Level, SqlMode, Time, TimeZone, TypeKind, Value, convert};

use super::numbers::read_named;
use super::{Args, date_format};
use crate::eval::Cx;

const US_PER_SECOND: i64 = 1_000_000;

/// NULL with warning 1441.
fn overflow<'a>(cx: &mut Cx<'_>) -> Value<'a> {
    let e = SqlError::new(ErrorCode::DATETIME_FUNCTION_OVERFLOW, &[&"datetime"]);
    cx.env.conv.push(Level::Warning, e);
    Value::Null
}

fn int<'a>(n: impl Into<i64>) -> Value<'a> {
    Value::Int(n.into())
}

/// Functions that read their arguments themselves.
pub(super) fn moment<'a>(f: Moment, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    use Moment as F;
    match f {
        F::Now => Ok(Value::DateTime(truncate_datetime(cx.env.now(), a.ty.decimals))),
        F::Sysdate => {
            let us = crate::rows::env::wall_clock_us();
            let d = cx.env.conv.time_zone.from_unix(us.div_euclid(US_PER_SECOND), us.rem_euclid(US_PER_SECOND) as u32);
            Ok(Value::DateTime(truncate_datetime(d, a.ty.decimals)))
        }
        F::Curdate => Ok(Value::Date(cx.env.now().date())),
        F::Curtime => Ok(Value::Time(truncate_time(cx.env.now().time(), a.ty.decimals))),
        F::UtcTimestamp => Ok(Value::DateTime(truncate_datetime(utc_now(cx), a.ty.decimals))),
        F::UtcDate => Ok(Value::Date(utc_now(cx).date())),
        F::UtcTime => Ok(Value::Time(truncate_time(utc_now(cx).time(), a.ty.decimals))),
        F::UnixTimestamp => unix_timestamp(a, cx),
        F::FromUnixtime => from_unixtime(a, cx),
        F::DateAdd(u) | F::DateSub(u) | F::TimestampAdd(u) => date_add(f, u, a, cx),
        F::TemporalNumber => temporal_number(a, cx),
        F::YearConstant => year_constant(a, cx),
        F::TimestampDiff(u) => {
            let (Some(x), Some(y)) = (real_datetime(a, 0, cx)?, real_datetime(a, 1, cx)?) else {
                return Ok(Value::Null);
            };
            Ok(interval::timestamp_diff(u, x, y).map_or(Value::Null, Value::Int))
        }
        F::Extract(u) => extract(u, a, cx),
        F::Hour | F::Minute | F::Second | F::MicrosecondFn | F::TimeToSec => part_of_time(f, a, cx),
        F::MakeDate => {
            let (Some(y), Some(n)) = (a.int(0, cx)?, a.int(1, cx)?) else { return Ok(Value::Null) };
            let y = if (0..100).contains(&y) { i64::from(calendar::expand_year(y as u32)) } else { y };
            Ok(make_date(y, n).map_or(Value::Null, Value::Date))
        }
        F::MakeTime => make_time(a, cx),
        F::FromDays => {
            let Some(n) = a.int(0, cx)? else { return Ok(Value::Null) };
            Ok(Value::Date(from_days(n)))
        }
        F::SecToTime => sec_to_time(a, cx),
        F::PeriodAdd | F::PeriodDiff => period(f, a, cx),
        F::AddTime | F::SubTime => rounding(cx, |cx| add_time(f, a, cx)),
        F::TimeDiff => rounding(cx, |cx| time_diff(a, cx)),
        F::DateFormat | F::TimeFormat => formatted(f, a, cx),
        F::StrToDate => str_to_date(a, cx),
        F::FromUtc => {
            let Some(d) = a.datetime(0, cx)? else { return Ok(Value::Null) };
            Ok(Value::DateTime(cx.env.conv.time_zone.utc_to_local(d)))
        }
        F::AtUtc => at_utc(a, cx),
        F::ConvertTz => convert_tz(a, cx),
        F::Time => Ok(time_part(a, 0, cx)?.map_or(Value::Null, Value::Time)),
        F::Date => Ok(real_date(a, cx)?.map_or(Value::Null, |d| Value::Date(d.date()))),
        F::CastDate(_) => {
            let Some(d) = real_date(a, cx)? else { return Ok(Value::Null) };
            let from = value::SqlType::temporal(TypeKind::DateTime, 6);
            convert::cast(Value::DateTime(d), &from, a.ty, &mut cx.env.conv, a.arena)
        }
        F::Timestamp if a.len() < 2 => Ok(real_date(a, cx)?.map_or(Value::Null, Value::DateTime)),
        F::Timestamp => {
            let Some(d) = a.datetime(0, cx)? else { return Ok(Value::Null) };
            let Some(t) = added_time(a, cx)? else { return Ok(Value::Null) };
            Ok(interval::add_micros(d, t.to_micros() as i128).map_or_else(|| overflow(cx), Value::DateTime))
        }
    }
}

/// HOUR, MINUTE, SECOND, MICROSECOND and TIME_TO_SEC.
fn part_of_time<'a>(f: Moment, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(t) = time_part(a, 0, cx)? else { return Ok(Value::Null) };
    Ok(match f {
        Moment::Hour => int(t.hour()),
        Moment::Minute => int(t.minute()),
        Moment::Second => int(t.second()),
        Moment::MicrosecondFn => int(t.micro()),
        _ => Value::Int(t.to_micros() / US_PER_SECOND),
    })
}

/// SEC_TO_TIME.
fn sec_to_time<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let v = a.number(0, cx)?;
    if v.is_null() {
        return Ok(Value::Null);
    }
    let d = super::numbers::decimal(v, a.expr(0)?, cx);
    let us = micros_of(&with_digits(&d, a.ty.decimals.min(6), cx));
    Ok(Value::Time(match Time::from_micros(us) {
        Ok(t) => t,
        Err(limit) => {
            let text = a.to_text(v, 0)?.unwrap_or(&[]).to_vec();
            cx.env.conv.truncated_wrong_value("time", &text);
            limit
        }
    }))
}

/// PERIOD_ADD and PERIOD_DIFF.
fn period<'a>(f: Moment, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let (Some(x), Some(y)) = (a.int(0, cx)?, a.int(1, cx)?) else { return Ok(Value::Null) };
    let ok = |p: i64| calendar::valid_period(p);
    if !ok(x) || (f == Moment::PeriodDiff && !ok(y)) {
        return Err(SqlError::new(ErrorCode::WRONG_ARGUMENTS, &[&f.name()]));
    }
    let m = calendar::period_to_months(x as u64) as i64;
    Ok(Value::Int(if f == Moment::PeriodAdd {
        calendar::months_to_period(m.saturating_add(y).clamp(0, i64::from(u32::MAX)) as u64) as i64
    } else {
        m - calendar::period_to_months(y as u64) as i64
    }))
}

/// DATE_FORMAT and TIME_FORMAT.
fn formatted<'a>(f: Moment, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let time = f == Moment::TimeFormat;
    let moment = match time {
        true => time_part(a, 0, cx)?.map(|t| (Date::default(), t)),
        false => a.datetime(0, cx)?.map(|d| (d.date(), d.time())),
    };
    let (Some((date, of_day)), Some(p)) = (moment, a.text(1, cx)?) else { return Ok(Value::Null) };
    if p.is_empty() {
        return Ok(Value::Null);
    }
    let text = date_format::format(date, of_day, p, time, style(a, cx)?);
    limited(text, f, a, cx)
}

/// `x AT TIME ZONE 'UTC'`.
fn at_utc<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    // the zero date is second 0 there, and MySQL drops what is below a second
    let unix = match super::moment(a.expr(0)?, cx, a.arena)? {
        Some(d) => (!d.is_zero()).then(|| TimeZone::UTC.to_unix(d)),
        None => {
            let Some(d) = a.datetime(0, cx)? else { return Ok(Value::Null) };
            (!d.date().has_zero_part()).then(|| cx.env.conv.time_zone.to_unix(d))
        }
    };
    let unix = unix.unwrap_or_default();
    Ok(Value::DateTime(TimeZone::UTC.from_unix(unix, 0)))
}

/// CONVERT_TZ.
fn convert_tz<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let (Some(d), Some(x), Some(y)) = (a.datetime(0, cx)?, a.text(1, cx)?, a.text(2, cx)?) else {
        return Ok(Value::Null);
    };
    if d.date().has_zero_part() {
        return Ok(Value::Null);
    }
    let zone = |s: &[u8]| {
        let s = String::from_utf8_lossy(s);
        if s.eq_ignore_ascii_case("SYSTEM") { TimeZone::by_name("SYSTEM").ok() } else { TimeZone::by_name(&s).ok() }
    };
    let (Some(x), Some(y)) = (zone(x), zone(y)) else { return Ok(Value::Null) };
    let utc = x.local_to_utc(d);
    // outside the range of TIMESTAMP no conversion occurs (manual)
    let range = 1..=LAST_TIMESTAMP;
    Ok(Value::DateTime(if range.contains(&TimeZone::UTC.to_unix(utc)) { y.utc_to_local(utc) } else { d }))
}

/// Functions of a date.
pub(super) fn day<'a>(f: Day, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    use Day as F;
    let v = a.value(0, cx)?;
    // the number 0 is the zero date
    if matches!(f, F::Year | F::Month | F::DayOfMonth | F::Quarter) && is_zero(v) {
        return Ok(int(0));
    }
    let Some(d) = read_named(a.expr(0)?, cx, |t, conv| convert::to_date(v, t, conv)) else { return Ok(Value::Null) };
    // the others need a day that there is
    let parts = matches!(f, F::Year | F::Month | F::DayOfMonth | F::Quarter | F::MonthName | F::LastDay);
    if !parts && d.has_zero_part() {
        return Ok(Value::Null);
    }
    Ok(match f {
        F::Year => int(d.year()),
        F::Month => int(d.month()),
        F::DayOfMonth => int(d.day()),
        F::Quarter => int(d.month().div_ceil(3)),
        F::MonthName => named(a, style(a, cx)?.locale.month(d.month())),
        F::LastDay => last_day(d).map_or(Value::Null, Value::Date),
        F::DayOfWeek => int((weekday(d) + 1) % 7 + 1),
        F::Weekday => int(weekday(d)),
        F::DayOfYear => int(calendar::day_of_year(d)),
        F::DayName => named(a, style(a, cx)?.locale.day(weekday(d))),
        F::Week | F::YearWeek => {
            let default = if f == F::Week { cx.env.vars.num(catalog::sysvar::Var::default_week_format) } else { 0 };
            let mode = if a.len() > 1 { a.int(1, cx)?.unwrap_or(0) as u32 } else { default as u32 } & 7;
            if f == F::Week {
                int(week(d, mode).0)
            } else {
                let (w, y) = week(d, mode | 2);
                Value::Int(i64::from(y) * 100 + i64::from(w))
            }
        }
        F::WeekOfYear => int(week(d, 3).0),
        F::ToDays => Value::Int(to_days(d)),
        F::ToSeconds => {
            let Some(t) = read_named(a.expr(0)?, cx, |t, conv| convert::to_datetime(v, t, conv)) else {
                return Ok(Value::Null);
            };
            Value::Int(to_days(d) * 86_400 + t.time().to_micros() / US_PER_SECOND)
        }
        F::DateDiff => {
            let Some(e) = a.date(1, cx)? else { return Ok(Value::Null) };
            if e.has_zero_part() { Value::Null } else { Value::Int(to_days(d) - to_days(e)) }
        }
    })
}

fn utc_now(cx: &Cx<'_>) -> DateTime {
    TimeZone::UTC
        .from_unix(cx.env.clock.now_us.div_euclid(US_PER_SECOND), cx.env.clock.now_us.rem_euclid(US_PER_SECOND) as u32)
}

/// A datetime without zero parts.
fn real_datetime(a: &Args<'_>, i: usize, cx: &mut Cx<'_>) -> SqlResult<Option<DateTime>> {
    Ok(a.datetime(i, cx)?.filter(|d| !d.date().has_zero_part()))
}

/// The first argument of CAST, DATE and TIMESTAMP as a date: `None` for one with zero parts where sql_mode forbids it, with a warning if it is text or
/// a number.
fn real_date(a: &Args<'_>, cx: &mut Cx<'_>) -> SqlResult<Option<DateTime>> {
    let v = a.value(0, cx)?;
    let mode = cx.env.conv.sql_mode;
    let flags = DateFlags {
        no_zero_in_date: mode.has(SqlMode::NO_ZERO_IN_DATE),
        no_zero_date: mode.has(SqlMode::NO_ZERO_DATE),
        allow_invalid: mode.has(SqlMode::ALLOW_INVALID_DATES),
    };
    let accepted = |d: &DateTime| flags.accepts(d.date().year(), d.date().month(), d.date().day());
    if matches!((v, a.ty.kind), (Value::Json(_), TypeKind::Date)) {
        let d = read_named(a.expr(0)?, cx, |t, conv| convert::to_date(v, t, conv));
        return Ok(d.map(Date::to_datetime).filter(accepted));
    }
    Ok(read_named(a.expr(0)?, cx, |t, conv| convert::to_datetime_flags(v, t, flags, conv)).filter(accepted))
}

/// The time of day of a value, which for strings may be a date with a time.
fn time_part(a: &Args<'_>, i: usize, cx: &mut Cx<'_>) -> SqlResult<Option<Time>> {
    let v = a.value(i, cx)?;
    Ok(time_of(v, a.expr(i)?, cx))
}

fn time_of(v: Value<'_>, e: &Expr, cx: &mut Cx<'_>) -> Option<Time> {
    match v {
        Value::DateTime(d) => Some(d.time()),
        Value::Date(_) => Some(Time::ZERO),
        v => read_named(e, cx, |t, conv| convert::to_time(v, t, conv)),
    }
}

/// ADDTIME and TIMEDIFF round the seventh digit of texts whatever TIME_TRUNCATE_FRACTIONAL says.
fn rounding<T>(cx: &mut Cx<'_>, f: impl FnOnce(&mut Cx<'_>) -> T) -> T {
    let mode = cx.env.conv.sql_mode;
    cx.env.conv.sql_mode = SqlMode(mode.0 & !SqlMode::TIME_TRUNCATE_FRACTIONAL.0);
    let done = f(cx);
    cx.env.conv.sql_mode = mode;
    done
}

/// A number of seconds with so many digits of fraction, rounded or, with TIME_TRUNCATE_FRACTIONAL, cut off.
fn with_digits(seconds: &Decimal, digits: u8, cx: &Cx<'_>) -> Decimal {
    match cx.env.conv.sql_mode.has(SqlMode::TIME_TRUNCATE_FRACTIONAL) {
        true => seconds.truncate(i32::from(digits)),
        false => seconds.round(i32::from(digits)),
    }
}

/// Microseconds of a decimal number of seconds.
fn micros_of(d: &Decimal) -> i64 {
    let scaled = d.mul(&Decimal::from_i64(US_PER_SECOND)).unwrap_or(Decimal::ZERO).truncate(0);
    scaled.to_i64().unwrap_or_else(|n| n)
}

fn unix_timestamp<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    if a.len() == 0 {
        return Ok(Value::Int(cx.env.clock.now_us.div_euclid(US_PER_SECOND)));
    }
    let (d, s) = match super::moment(a.expr(0)?, cx, a.arena)? {
        Some(d) => (Some(d), (!d.is_zero()).then(|| TimeZone::UTC.to_unix(d))),
        None => {
            let v = a.value(0, cx)?;
            if v.is_null() {
                return Ok(Value::Null);
            }
            let d = read_named(a.expr(0)?, cx, |t, conv| convert::to_datetime(v, t, conv));
            (d, d.filter(|d| !d.date().has_zero_part()).map(|d| cx.env.conv.time_zone.to_unix(d)))
        }
    };
    // what is no date, or none of the range (manual, "UNIX_TIMESTAMP")
    let (Some(d), Some(s)) = (d, s.filter(|s| (0..=LAST_TIMESTAMP).contains(s))) else {
        return Ok(if a.ty.kind == TypeKind::Decimal { a.dec(Decimal::ZERO) } else { Value::Int(0) });
    };
    if a.ty.kind != TypeKind::Decimal {
        return Ok(Value::Int(s));
    }
    let us = s as i128 * US_PER_SECOND as i128 + d.micro() as i128;
    Ok(a.dec(Decimal::from_i128(us, 6).truncate(a.ty.decimals as i32)))
}

/// A formatted text, NULL if it is longer than `max_allowed_packet`.
fn limited<'a>(text: Option<Vec<u8>>, f: Moment, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    Ok(match text {
        Some(t) if super::string::fits(t.len(), f, cx)? => a.str(&t),
        _ => Value::Null,
    })
}

fn from_unixtime<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(n) = a.decimal(0, cx)? else { return Ok(Value::Null) };
    if n.is_negative() {
        return Ok(Value::Null);
    }
    let us = micros_of(&with_digits(&n, 6, cx));
    // the manual's upper limit: '3001-01-18 23:59:59' UTC
    if us.div_euclid(US_PER_SECOND) > 32_536_771_199 {
        return Ok(Value::Null);
    }
    let d = cx.env.conv.time_zone.from_unix(us.div_euclid(US_PER_SECOND), us.rem_euclid(US_PER_SECOND) as u32);
    if a.len() > 1 {
        let Some(p) = a.text(1, cx)? else { return Ok(Value::Null) };
        let text = date_format::format(d.date(), d.time(), p, false, style(a, cx)?);
        return limited(text, Moment::FromUnixtime, a, cx);
    }
    Ok(Value::DateTime(truncate_datetime(d, a.ty.decimals)))
}

fn interval_of(a: &Args<'_>, i: usize, u: Unit, cx: &mut Cx<'_>) -> SqlResult<Option<Interval>> {
    if u.is_compound() {
        let Some(s) = a.text(i, cx)? else { return Ok(None) };
        return Ok(Interval::from_text(s, u));
    }
    if u == Unit::Second {
        // seconds may have a fraction
        let Some(d) = a.decimal(i, cx)? else { return Ok(None) };
        return Ok(Some(Interval { months: 0, micros: i128::from(micros_of(&d)) }));
    }
    let n = match a.number(i, cx)? {
        // out of every range, not negative
        Value::UInt(n) => i64::try_from(n).unwrap_or(i64::MAX),
        v => match a.to_int(v, i, cx)? {
            Some(n) => n,
            None => return Ok(None),
        },
    };
    Ok(Interval::from_count(n, u))
}

/// 3001-01-18 23:59:59 UTC, where TIMESTAMP ends for functions (manual, "CONVERT_TZ()", "FROM_UNIXTIME()").
const LAST_TIMESTAMP: i64 = 32_536_771_199;

/// `2020-01-02 03:04:05.6` and `-03:04:05` as numbers: without what stands between their parts.
fn temporal_number<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let Some(s) = a.text(0, cx)? else { return Ok(Value::Null) };
    let digits = s.iter().enumerate().filter(|(i, b)| b.is_ascii_digit() || **b == b'.' || (**b == b'-' && *i == 0));
    let text: String = digits.map(|(_, b)| char::from(*b)).collect();
    Ok(Value::Double(text.parse().unwrap_or(0.0)))
}

/// The year that a YEAR column would keep of a constant, or the number that the constant is.
fn year_constant<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let v = a.value(0, cx)?;
    let n = match v {
        Value::Null => return Ok(Value::Null),
        Value::Double(f) => (0.0..=2155.0).contains(&f).then_some(f as i64),
        Value::Str(s) => {
            let mut text = Vec::new();
            value::charset::convert(s, a.ty(0)?.charset(), value::Charset::Utf8mb4, &mut text);
            let p = value::number::parse_int_rounded(&text);
            i64::try_from(p.value).ok().filter(|_| p.consumed > 0)
        }
        Value::Date(d) => Some(d.year().into()),
        Value::DateTime(d) => Some(d.date().year().into()),
        Value::Time(_) => Some(cx.env.now().date().year().into()),
        v => Some(read_named(a.expr(0)?, cx, |t, conv| convert::to_i64(v, t, conv))),
    };
    let text = matches!(v, Value::Str(s) if s.len() != 4);
    let year = n.and_then(|n| value::temporal::parse::year_from_number(n, text));
    let whole = a.ty.kind != TypeKind::Double;
    Ok(match (year, whole) {
        (Some(y), true) => Value::Int(y as i64),
        (Some(y), false) => Value::Double(y as f64),
        // no signed integer holds it
        (None, true) if matches!(v, Value::UInt(_)) => v,
        (None, true) => Value::Int(read_named(a.expr(0)?, cx, |t, conv| convert::to_i64(v, t, conv))),
        (None, false) => Value::Double(read_named(a.expr(0)?, cx, |t, conv| convert::to_f64(v, t, conv))),
    })
}

fn is_zero(v: Value<'_>) -> bool {
    match v {
        Value::Int(n) => n == 0,
        Value::UInt(n) => n == 0,
        Value::Double(d) => d == 0.0,
        Value::Decimal(d) => d.is_zero(),
        _ => false,
    }
}

fn date_add<'a>(f: Moment, u: Unit, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let v = a.value(0, cx)?;
    let Some(mut i) = interval_of(a, 1, u, cx)? else { return Ok(Value::Null) };
    if matches!(f, Moment::DateSub(_)) {
        i = i.negated();
    }
    if let (Value::Time(x), TypeKind::Time) = (v, a.ty.kind) {
        return Ok(interval::add_interval_time(x, i).map_or_else(|| overflow(cx), Value::Time));
    }
    let Some(d) = read_named(a.expr(0)?, cx, |t, conv| convert::to_datetime(v, t, conv)) else {
        return Ok(Value::Null);
    };
    if d.date().has_zero_part() {
        return Ok(Value::Null);
    }
    let Some(r) = interval::add_interval(d, i) else { return Ok(overflow(cx)) };
    Ok(match a.ty.kind {
        TypeKind::Date => Value::Date(r.date()),
        TypeKind::DateTime => Value::DateTime(r),
        _ => {
            // a string stays a string: a date if it was one and the unit has no time
            let text = a.to_text(v, 0)?.unwrap_or(&[]);
            let had_time = text.contains(&b':') || d.time() != Time::ZERO;
            let mut out = Vec::with_capacity(26);
            if !had_time && u.is_date_unit() {
                value::temporal::format::format_date(r.date(), &mut out);
            } else {
                let fsp = if r.micro() != 0 { 6 } else { 0 };
                value::temporal::format::format_datetime(r, fsp, &mut out);
            }
            a.str(&out)
        }
    })
}

/// Whether text or a number is a time without a date for the units from DAY on: `'2 10:11:12'` has 58 hours.
fn is_time_alone(v: Value<'_>, text: Option<&[u8]>, mode: SqlMode) -> bool {
    let is_date = |n: i64| datetime_from_number(n, DateFlags::for_expression(mode)).is_some();
    if let Some(s) = text.map(<[u8]>::trim_ascii_start) {
        let dated = s.iter().skip(1).any(|b| *b == b'-') || s.iter().all(u8::is_ascii_digit);
        return !dated && !is_full_datetime(s);
    }
    match v {
        Value::Int(n) => !is_date(n),
        Value::UInt(n) => i64::try_from(n).is_ok_and(|n| !is_date(n)),
        Value::Decimal(d) => d.truncate(0).to_i64().is_ok_and(|n| !is_date(n)),
        _ => false,
    }
}

fn extract<'a>(u: Unit, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let v = a.value(0, cx)?;
    let mode = cx.env.vars.num(catalog::sysvar::Var::default_week_format) as u32;
    let text = if super::is_text(a.ty(0)?) { a.to_text(v, 0)? } else { None };
    let from_day = matches!(u, Unit::DayHour | Unit::DayMinute | Unit::DaySecond | Unit::DayMicrosecond);
    let time_only = !u.is_date_unit() && (!from_day || is_time_alone(v, text, cx.env.conv.sql_mode));
    if let Value::Time(x) = v {
        let days = Date::new(0, 0, 0);
        return Ok(Value::Int(interval::extract(u, days, x, mode)));
    }
    if time_only {
        let x = time_of(v, a.expr(0)?, cx);
        return Ok(x.map_or(Value::Null, |x| Value::Int(interval::extract(u, Date::default(), x, mode))));
    }
    let Some(d) = read_named(a.expr(0)?, cx, |t, conv| convert::to_datetime(v, t, conv)) else {
        return Ok(Value::Null);
    };
    Ok(Value::Int(interval::extract(u, d.date(), d.time(), mode)))
}

fn make_time<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let (Some(h), Some(m), Some(s)) = (a.int(0, cx)?, a.int(1, cx)?, a.decimal(2, cx)?) else { return Ok(Value::Null) };
    let us = micros_of(&with_digits(&s, 6, cx));
    if !(0..60).contains(&m) || !(0..60 * US_PER_SECOND).contains(&us) {
        return Ok(Value::Null);
    }
    // an unsigned number of hours beyond 2^63 is beyond the end, not before the beginning
    let negative = h < 0 && !a.ty(0)?.unsigned;
    let total = (h.unsigned_abs().min(10_000) as i64 * 3600 + m * 60) * US_PER_SECOND + us;
    let total = if h < 0 && !negative { 10_000 * 3600 * US_PER_SECOND } else { total };
    let total = if negative { -total } else { total };
    Ok(Value::Time(match Time::from_micros(total) {
        Ok(t) => truncate_time(t, a.ty.decimals),
        Err(limit) => {
            let shown = if negative { format!("{h:02}") } else { format!("{:02}", h as u64) };
            let text = format!("{shown}:{m:02}:{:02}", us / US_PER_SECOND);
            cx.env.conv.truncated_wrong_value("time", text.as_bytes());
            limit
        }
    }))
}

fn add_time<'a>(f: Moment, a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let v = a.value(0, cx)?;
    if v.is_null() {
        return Ok(Value::Null);
    }
    let Some(t) = added_time(a, cx)? else { return Ok(Value::Null) };
    let delta = if f == Moment::AddTime { t.to_micros() } else { -t.to_micros() };
    let text = super::is_text(a.ty(0)?);
    let dated = match v {
        Value::DateTime(_) | Value::Date(_) => true,
        _ if text => a.to_text(v, 0)?.is_some_and(is_full_datetime),
        // a number with a date and a time
        _ => {
            matches!(a.ty(0)?.kind, k if k.is_numeric())
                && read_named(a.expr(0)?, cx, |t, conv| convert::to_f64(v, t, conv)) >= 1e10
        }
    };
    if dated {
        let Some(d) = read_named(a.expr(0)?, cx, |t, conv| convert::to_datetime(v, t, conv)) else {
            return Ok(Value::Null);
        };
        let Some(r) = interval::add_micros(d, delta as i128) else { return Ok(overflow(cx)) };
        if a.ty.kind == TypeKind::DateTime {
            return Ok(Value::DateTime(r));
        }
        let mut out = Vec::new();
        value::temporal::format::format_datetime(r, if r.micro() != 0 { 6 } else { 0 }, &mut out);
        return Ok(a.str(&out));
    }
    let Some(x) = read_named(a.expr(0)?, cx, |t, conv| convert::to_time(v, t, conv)) else { return Ok(Value::Null) };
    let r = match Time::from_micros(x.to_micros() + delta) {
        Ok(t) => t,
        Err(limit) => limit,
    };
    if a.ty.kind == TypeKind::Time {
        return Ok(Value::Time(r));
    }
    let mut out = Vec::new();
    value::temporal::format::format_time(r, if r.micro() != 0 { 6 } else { 0 }, &mut out);
    Ok(a.str(&out))
}

/// The second argument, which must be a time: `None` where it is NULL, a date or a datetime.
fn added_time(a: &Args<'_>, cx: &mut Cx<'_>) -> SqlResult<Option<Time>> {
    let ty = a.ty(1)?;
    if ty.kind.has_date() {
        return Ok(None);
    }
    let v = a.value(1, cx)?;
    if super::is_text(ty) && a.to_text(v, 1)?.is_some_and(is_full_datetime) {
        return Ok(None);
    }
    Ok(read_named(a.expr(1)?, cx, |t, conv| convert::to_time(v, t, conv)))
}

/// Text where a TIME is wanted that MySQL reads as a DATETIME: three numbers with any punctuation between them, then a space or T.
fn is_full_datetime(s: &[u8]) -> bool {
    let s = s.trim_ascii();
    let Some(end) = s.iter().position(|b| matches!(b, b' ' | b'T')) else { return false };
    let day = s.get(..end).unwrap_or(&[]);
    s.len() >= 12
        && day.first().is_some_and(u8::is_ascii_digit)
        && day.iter().all(|b| b.is_ascii_digit() || b.is_ascii_punctuation())
        && (day.split(|b| !b.is_ascii_digit()).filter(|n| !n.is_empty()).count() == 3
            || (day.len() == 8 && day.iter().all(u8::is_ascii_digit)))
}

fn time_diff<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let (v, w) = (a.value(0, cx)?, a.value(1, cx)?);
    let dated = |v: &Value<'_>| match v {
        Value::DateTime(_) | Value::Date(_) => true,
        Value::Str(s) => is_full_datetime(s),
        _ => false,
    };
    let us = if dated(&v) && dated(&w) {
        let x = read_named(a.expr(0)?, cx, |t, conv| convert::to_datetime(v, t, conv));
        let y = read_named(a.expr(1)?, cx, |t, conv| convert::to_datetime(w, t, conv));
        let (Some(x), Some(y)) = (x, y) else { return Ok(Value::Null) };
        interval::diff_micros(x, y)
    } else if dated(&v) != dated(&w) {
        return Ok(Value::Null);
    } else {
        let x = read_named(a.expr(0)?, cx, |t, conv| convert::to_time(v, t, conv));
        let y = read_named(a.expr(1)?, cx, |t, conv| convert::to_time(w, t, conv));
        let (Some(x), Some(y)) = (x, y) else { return Ok(Value::Null) };
        x.to_micros() - y.to_micros()
    };
    Ok(Value::Time(Time::from_micros(us).unwrap_or_else(|limit| limit)))
}

/// `lc_time_names` and the result's character set. A name that is no locale cannot be set; it would read as en_US.
fn style(a: &Args<'_>, cx: &Cx<'_>) -> SqlResult<date_format::Style> {
    let found = || {
        let name = cx.env.vars.text(Var::lc_time_names).map_or("en_US", |s| s);
        Locale::by_name(name).or_else(|| Locale::by_name("en_US"))
    };
    let locale = cx.locale.get_or_init(found).ok_or_else(|| SqlError::unsupported("locales"))?;
    Ok(date_format::Style { locale, charset: a.ty.collation.charset() })
}

/// A name in the result's character set.
fn named<'a>(a: &Args<'a>, name: Option<&'static str>) -> Value<'a> {
    let Some(name) = name else { return Value::Null };
    let cs = a.ty.collation.charset();
    if cs.is_utf8() || name.is_ascii() {
        return Value::Str(name.as_bytes());
    }
    let mut out = Vec::new();
    value::charset::convert(name.as_bytes(), value::Charset::Utf8mb4, cs, &mut out);
    a.str(&out)
}

fn str_to_date<'a>(a: &Args<'a>, cx: &mut Cx<'_>) -> SqlResult<Value<'a>> {
    let (Some(s), Some(p)) = (a.text(0, cx)?, a.text(1, cx)?) else { return Ok(Value::Null) };
    let mode = cx.env.conv.sql_mode;
    let mut strict = value::temporal::parse::DateFlags::for_expression(mode);
    strict.no_zero_in_date = mode.has(SqlMode::NO_ZERO_DATE) || mode.has(SqlMode::NO_ZERO_IN_DATE);
    match value::temporal::pattern::str_to_date(s, p) {
        // a time alone is a time only where the pattern was known when the statement was planned
        Some((d, more))
            if a.ty.kind == TypeKind::Time
                || strict.accepts(d.year(), d.month(), d.day())
                    && (d.year() > 0 || !mode.has(SqlMode::NO_ZERO_DATE)) =>
        {
            if more {
                cx.env.conv.truncated_wrong_value("datetime", s);
            }
            Ok(match a.ty.kind {
                TypeKind::Date => Value::Date(d.date()),
                TypeKind::Time => {
                    let t = d.time();
                    Value::Time(Time::new(false, t.hour() + 24 * d.day(), t.minute(), t.second(), t.micro()))
                }
                _ => Value::DateTime(d),
            })
        }
        _ => {
            let shown = value::context::printable(s);
            cx.env.conv.warn(ErrorCode::WRONG_VALUE_FOR_TYPE, &[&"datetime", &shown, &"str_to_date"]);
            Ok(Value::Null)
        }
    }
}
