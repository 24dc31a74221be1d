//! Result types of functions of dates and times.

use base::{ErrorCode, SqlError, SqlResult};
use value::temporal::parse;
use value::{SqlType, TypeKind};

use super::super::{NumClass, const_u8, decimal_type, longlong, num_class, with_fsp};
use super::{Call, Typed};
use crate::expr::{Coercibility, Expr};
use crate::func::family::{Day, Moment};
use crate::func::{FuncId, Unit};

/// Type and coercibility of a function of dates and times that reads its arguments itself.
pub(super) fn moment(f: Moment, c: &Call<'_>) -> Typed {
    use Moment as F;
    match f {
        F::Now | F::Sysdate | F::UtcTimestamp | F::Curtime | F::UtcTime | F::Curdate | F::UtcDate => clock(f, c),
        F::UnixTimestamp => unix_timestamp(c),
        F::FromUnixtime if c.args.len() > 1 => c.null_text(formatted(c)),
        F::FromUnixtime => c.null_num(with_fsp(TypeKind::DateTime, seconds_fsp(&c.a0()))),
        // digits, and room for a sign
        F::Hour => c.null_num(longlong(4)),
        F::Minute | F::Second => c.null_num(longlong(3)),
        F::PeriodAdd | F::PeriodDiff => c.num(longlong(21)),
        F::MicrosecondFn | F::TimestampDiff(_) => c.null_num(longlong(21)),
        F::TimeToSec => c.null_num(longlong(10)),
        F::Extract(u) => c.null_num(longlong(extracted(u))),
        F::Date | F::MakeDate | F::FromDays => c.null_num(SqlType::new(TypeKind::Date)),
        F::Time => c.null_num(with_fsp(TypeKind::Time, c.args.first().map_or(0, time_fsp))),
        F::Timestamp => {
            let fsp = c.args.first().map_or(0, date_fsp).max(c.args.get(1).map_or(0, time_fsp));
            c.null_num(with_fsp(TypeKind::DateTime, fsp))
        }
        F::TimeDiff => c.null_num(with_fsp(TypeKind::Time, most_fsp(c))),
        F::AddTime | F::SubTime => match c.a0().kind {
            k if k.has_date() => c.null_num(with_fsp(TypeKind::DateTime, most_fsp(c))),
            TypeKind::Time => c.null_num(with_fsp(TypeKind::Time, most_fsp(c))),
            _ => c.null_text(29),
        },
        F::SecToTime => c.null_num(with_fsp(
            TypeKind::Time,
            match c.a0().kind {
                TypeKind::Float | TypeKind::Double => c.a0().decimals.min(6),
                _ => seconds_fsp(&c.a0()),
            },
        )),
        F::MakeTime => c.null_num(with_fsp(
            TypeKind::Time,
            c.arg(2).map_or(0, |t| match num_class(t) {
                NumClass::Int => 0,
                _ if t.kind.is_string() || t.kind == TypeKind::Json => 6,
                _ => t.decimals.min(6),
            }),
        )),
        F::DateFormat | F::TimeFormat => c.null_text(formatted(c)),
        F::StrToDate => c.null_num(parsed_by(c.args.get(1))),
        F::FromUtc => Ok((c.a0(), Coercibility::Numeric)),
        F::AtUtc => c.null_num(with_fsp(TypeKind::DateTime, 0)),
        F::ConvertTz => c.null_num(with_fsp(TypeKind::DateTime, c.args.first().map_or(0, date_fsp))),
        F::DateAdd(u) | F::DateSub(u) | F::TimestampAdd(u) => moved(u, c),
        F::CastDate(None) => c.null_num(SqlType::new(TypeKind::Date)),
        F::CastDate(Some(digits)) => c.null_num(SqlType::temporal(TypeKind::DateTime, digits)),
        F::YearConstant | F::TemporalNumber => c.num(SqlType::double()),
    }
}

/// Type and coercibility of a function of a date.
pub(super) fn day(f: Day, c: &Call<'_>) -> Typed {
    use Day as F;
    match f {
        F::Year => c.null_num(SqlType { length: 5, ..SqlType::new(TypeKind::Int) }),
        // digits, and room for a sign
        F::DayOfYear => c.null_num(longlong(4)),
        F::Month | F::DayOfMonth | F::Week | F::WeekOfYear => c.null_num(longlong(3)),
        F::Quarter | F::DayOfWeek | F::Weekday => c.null_num(longlong(2)),
        F::YearWeek => c.null_num(longlong(7)),
        F::ToDays => c.null_num(longlong(8)),
        F::DateDiff => c.null_num(longlong(9)),
        F::ToSeconds => c.null_num(longlong(21)),
        F::DayName | F::MonthName => c.null_text(9),
        F::LastDay => c.null_num(SqlType::new(TypeKind::Date)),
    }
}

/// What a clock shows now.
fn clock(f: Moment, c: &Call<'_>) -> Typed {
    if matches!(f, Moment::Curdate | Moment::UtcDate) {
        return c.not_null(SqlType::new(TypeKind::Date));
    }
    check_precision(f, c.args)?;
    let fsp = const_u8(c.args.first());
    if matches!(f, Moment::Curtime | Moment::UtcTime) {
        let mut t = with_fsp(TypeKind::Time, fsp);
        // a time of day has neither a sign nor a third digit of hours
        t.length = t.length.saturating_sub(2);
        return c.not_null(t);
    }
    c.not_null(with_fsp(TypeKind::DateTime, fsp))
}

/// UNIX_TIMESTAMP: of the clock an integer, of a date and time with as many digits as that has.
fn unix_timestamp(c: &Call<'_>) -> Typed {
    let Some(t) = c.arg(0) else { return c.not_null(longlong(21)) };
    let fsp = match t.kind {
        k if k.is_temporal() || k.is_string() => c.args.first().map_or(0, date_fsp),
        TypeKind::Json => 6,
        // of a double any number of digits
        TypeKind::Decimal | TypeKind::Float | TypeKind::Double => t.decimals.min(6),
        _ => 0,
    };
    c.null_num(if fsp > 0 { decimal_type(11, fsp as u32) } else { longlong(21) })
}

/// DATE_ADD, DATE_SUB and TIMESTAMPADD.
fn moved(u: Unit, c: &Call<'_>) -> Typed {
    let micro = match u {
        u if u.has_micros() => 6,
        // of a double and a text any number of digits
        Unit::Second => c.arg(1).map_or(0, |t| match t.kind {
            k if k.is_string() => 6,
            k if k == TypeKind::Decimal || k.is_float() => t.decimals.min(6),
            _ => 0,
        }),
        _ => 0,
    };
    let t = c.a0();
    c.null_num(match t.kind {
        TypeKind::Date if u.is_date_unit() => SqlType::new(TypeKind::Date),
        TypeKind::Date => with_fsp(TypeKind::DateTime, micro),
        TypeKind::DateTime | TypeKind::Timestamp => with_fsp(TypeKind::DateTime, t.decimals.max(micro)),
        TypeKind::Time => {
            // units of days and less, but not with microseconds, make a date too
            let dated = u.is_date_unit() || matches!(u, Unit::DayHour | Unit::DayMinute | Unit::DaySecond);
            with_fsp(if dated { TypeKind::DateTime } else { TypeKind::Time }, t.decimals.max(micro))
        }
        _ => return c.null_text(29),
    })
}

/// STR_TO_DATE: what the format has, if it is a constant.
fn parsed_by(format: Option<&Expr>) -> SqlType {
    let Some(p) = format.and_then(constant_text) else { return with_fsp(TypeKind::DateTime, 6) };
    let (date, time, fraction) = format_parts(&p);
    let fsp = if fraction { 6 } else { 0 };
    match (date, time) {
        // without any part too
        (_, false) => SqlType::new(TypeKind::Date),
        (false, true) => with_fsp(TypeKind::Time, fsp),
        _ => with_fsp(TypeKind::DateTime, fsp),
    }
}

/// Digits of fraction that a number of seconds may have.
fn seconds_fsp(t: &SqlType) -> u8 {
    match num_class(t) {
        NumClass::Int => 0,
        NumClass::Decimal => t.decimals.min(6),
        NumClass::Double => 6,
    }
}

/// The most digits of fraction that an argument has which is read as a time.
fn most_fsp(c: &Call<'_>) -> u8 {
    c.args.iter().map(time_fsp).max().unwrap_or(0)
}

/// Characters of EXTRACT's number with its sign.
fn extracted(u: Unit) -> u32 {
    use Unit as U;
    match u {
        U::Quarter => 2,
        U::Month | U::Week | U::Day | U::Minute | U::Second => 3,
        U::Hour => 4,
        U::Year | U::MinuteSecond => 5,
        U::HourMinute => 6,
        U::YearMonth | U::Microsecond => 7,
        U::HourSecond => 8,
        U::DayHour | U::SecondMicrosecond => 9,
        U::DayMinute | U::MinuteMicrosecond => 11,
        U::DaySecond => 13,
        U::HourMicrosecond => 14,
        U::DayMicrosecond => 20,
    }
}

/// Longest text that the format in the second argument gives: of a literal the sum of its parts.
fn formatted(c: &Call<'_>) -> u64 {
    let Some(crate::expr::ExprKind::Const(value::OwnedValue::Str(format))) = c.args.get(1).map(|e| &e.kind) else {
        return c.chars(1).saturating_mul(10).min(4_000);
    };
    let (mut width, mut rest) = (0, format.iter());
    while let Some(b) = rest.next() {
        let Some(part) = (if *b == b'%' { rest.next() } else { None }) else {
            width += 1;
            continue;
        };
        width += match part {
            // names of any language
            b'M' | b'W' => 64,
            b'a' | b'b' => 32,
            b'r' => 11,
            b'T' => 8,
            // a TIME has more hours than two digits
            b'k' | b'H' => 7,
            b'f' => 6,
            b'D' | b'Y' | b'x' | b'X' => 4,
            b'j' => 3,
            b'U' | b'u' | b'V' | b'v' | b'y' | b'm' | b'd' | b'h' | b'I' | b'i' | b'l' | b'p' | b'S' | b's' | b'c'
            | b'e' => 2,
            _ => 1,
        };
    }
    width
}

/// NOW(7) and its kin: error 1426.
fn check_precision(f: Moment, args: &[Expr]) -> SqlResult<()> {
    match const_u8(args.first()) {
        n if n > 6 => Err(SqlError::new(ErrorCode::TOO_BIG_PRECISION, &[&n, &f.name(), &6])),
        _ => Ok(()),
    }
}

/// Which parts a STR_TO_DATE pattern gives: (date, time, fraction). The day of the month makes no date: beside a time it is so many times
/// 24 hours.
fn format_parts(pattern: &[u8]) -> (bool, bool, bool) {
    let (mut d, mut t, mut f) = (false, false, false);
    let mut it = pattern.iter();
    while let Some(b) = it.next() {
        if *b == b'%'
            && let Some(c) = it.next()
        {
            match c {
                b'f' => {
                    t = true;
                    f = true;
                }
                b'H' | b'h' | b'I' | b'i' | b'k' | b'l' | b'r' | b'S' | b's' | b'T' => t = true,
                b'M' | b'V' | b'U' | b'X' | b'Y' | b'W' | b'a' | b'b' | b'c' | b'j' | b'm' | b'v' | b'u' | b'x'
                | b'y' | b'w' => {
                    d = true;
                }
                _ => {}
            }
        }
    }
    (d, t, f)
}

/// Digits of fraction a temporal reading of the type has.
pub fn fsp_of(t: &SqlType) -> u8 {
    match t.kind {
        k if k.is_temporal() => t.decimals.min(6),
        TypeKind::Decimal => t.decimals.min(6),
        k if k.is_integer() || k == TypeKind::Year => 0,
        TypeKind::Null => 0,
        _ => 6,
    }
}

/// Dates with zero parts and days that their month has not are dates enough to have digits.
const ANY_DAY: parse::DateFlags = parse::DateFlags { no_zero_in_date: false, no_zero_date: false, allow_invalid: true };

/// Digits of fraction of an argument that is read as a date and time.
fn date_fsp(e: &Expr) -> u8 {
    arg_fsp(e, |s| parse::parse_datetime(s, ANY_DAY).is_some())
}

/// Digits of fraction of an argument that is read as a time.
fn time_fsp(e: &Expr) -> u8 {
    arg_fsp(e, |s| parse::parse_time(s).is_some() || parse::parse_datetime(s, ANY_DAY).is_some())
}

/// As [`fsp_of`]; a text that is known when the statement is planned has the fractional digits that are written, if it can be read.
fn arg_fsp(e: &Expr, read: impl Fn(&[u8]) -> bool) -> u8 {
    let text = e.ty.kind.is_string().then(|| constant_text(e)).flatten();
    let Some(s) = text.filter(|s| read(s)) else { return fsp_of(&e.ty) };
    let digits = |p: usize| s.iter().skip(p + 1).take_while(|b| b.is_ascii_digit()).count().min(6) as u8;
    s.iter().position(|b| *b == b'.').map_or(0, digits)
}

/// The text that is known when the statement is planned: literals, put together by CONCAT, chosen by COALESCE, IF or NULLIF, and GET_FORMAT.
fn constant_text(e: &crate::expr::Expr) -> Option<Vec<u8>> {
    use crate::expr::ExprKind as K;
    match &e.kind {
        K::Const(value::OwnedValue::Str(s)) => Some(s.to_vec()),
        K::Call(FuncId::Concat, parts) => {
            parts.iter().map(constant_text).try_fold(Vec::new(), |all, p| p.map(|p| [all, p].concat()))
        }
        K::Call(FuncId::Collate, x) => x.first().and_then(constant_text),
        K::Call(FuncId::GetFormat(kind), x) => {
            let region = x.first().and_then(constant_text)?;
            crate::func::format_of_region(*kind, &region).map(|s| s.as_bytes().to_vec())
        }
        K::Cast(x) if e.ty.is_character() => constant_text(x),
        K::Call(FuncId::Upper | FuncId::Lower, x) if e.ty.is_character() => x.first().and_then(constant_text),
        K::Call(FuncId::IfNull | FuncId::Coalesce, x) => {
            x.iter().find(|x| !matches!(x.kind, K::Const(value::OwnedValue::Null))).and_then(constant_text)
        }
        K::Call(FuncId::If, x) => match x.as_ref() {
            [crate::expr::Expr { kind: K::Const(value::OwnedValue::Int(n)), .. }, yes, no] => {
                constant_text(if *n != 0 { yes } else { no })
            }
            _ => None,
        },
        K::Call(FuncId::NullIf, x) => match x.first().map(|x| &x.kind) {
            Some(K::Compare { args, .. }) => args.first().and_then(constant_text),
            _ => None,
        },
        _ => None,
    }
}
