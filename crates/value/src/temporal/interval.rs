//! INTERVALs: reading them by unit and adding them. Source: manual, "Temporal Intervals".

pub use base::IntervalUnit as Unit;

use super::calendar::{MAX_DAY_NUMBER, days_in_month, from_days, to_days};
use super::types::{Date, DateTime, Time};

/// A signed span: months and microseconds are kept apart because a month has no fixed length.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Interval {
    /// Months, with the sign.
    pub months: i64,
    /// Microseconds, with the sign.
    pub micros: i128,
}

impl Interval {
    /// From a whole number of a simple unit; `None` for compound units.
    pub fn from_count(n: i64, unit: Unit) -> Option<Interval> {
        let us = |m: i128| Some(Interval { months: 0, micros: i128::from(n) * m });
        let months = |m: i64| Some(Interval { months: n.saturating_mul(m), micros: 0 });
        match unit {
            Unit::Microsecond => us(1),
            Unit::Second => us(1_000_000),
            Unit::Minute => us(60_000_000),
            Unit::Hour => us(3_600_000_000),
            Unit::Day => us(86_400_000_000),
            Unit::Week => us(7 * 86_400_000_000),
            Unit::Month => months(1),
            Unit::Quarter => months(3),
            Unit::Year => months(12),
            _ => None,
        }
    }

    /// From text with the fields of a compound unit: numbers between any delimiters; missing fields are the leftmost
    /// ones; a sign in front counts for all. `None` when there are more numbers than fields.
    pub fn from_text(s: &[u8], unit: Unit) -> Option<Interval> {
        const US: [i128; 5] = [86_400_000_000, 3_600_000_000, 60_000_000, 1_000_000, 1];
        // first and last field among day, hour, minute, second, microsecond
        let (first, last) = match unit {
            Unit::SecondMicrosecond => (3, 4),
            Unit::MinuteMicrosecond => (2, 4),
            Unit::MinuteSecond => (2, 3),
            Unit::HourMicrosecond => (1, 4),
            Unit::HourSecond => (1, 3),
            Unit::HourMinute => (1, 2),
            Unit::DayMicrosecond => (0, 4),
            Unit::DaySecond => (0, 3),
            Unit::DayMinute => (0, 2),
            Unit::DayHour => (0, 1),
            Unit::YearMonth => (0, 1),
            _ => return None,
        };
        let (neg, numbers) = numbers(s, last - first + 1, unit.has_micros())?;
        let fields = numbers.len();
        let missing = last - first + 1 - fields;
        let mut r = Interval::default();
        for (k, &n) in numbers.iter().enumerate() {
            let field = first + missing + k;
            if unit == Unit::YearMonth {
                r.months = r.months.saturating_add((n as i64).saturating_mul(if field == 0 { 12 } else { 1 }));
            } else {
                r.micros += i128::from(n) * US.get(field).copied().unwrap_or(0);
            }
        }
        if neg {
            r = r.negated();
        }
        Some(r)
    }

    /// Opposite sign.
    pub const fn negated(self) -> Interval {
        Interval { months: self.months.saturating_neg(), micros: -self.micros }
    }
}

/// The numbers in a text, at most `max`; with `micros` the last one is scaled as a fraction.
fn numbers(s: &[u8], max: usize, micros: bool) -> Option<(bool, Vec<u64>)> {
    let mut i = s.iter().take_while(|b| b.is_ascii_whitespace()).count();
    let neg = s.get(i) == Some(&b'-');
    if neg {
        i += 1;
    }
    let (mut out, mut digits) = (Vec::with_capacity(max), 0);
    let digit = |i: usize| s.get(i).filter(|b| b.is_ascii_digit()).map(|b| u64::from(b - b'0'));
    while i < s.len() {
        while i < s.len() && digit(i).is_none() {
            i += 1;
        }
        if i >= s.len() {
            break;
        }
        if out.len() == max {
            return None;
        }
        let (mut v, start) = (0u64, i);
        while let Some(d) = digit(i) {
            v = v.saturating_mul(10).saturating_add(d);
            i += 1;
        }
        digits = i - start;
        out.push(v);
    }
    // the microseconds are a fraction: '1.5' is a second and a half, '5' half a second
    if micros
        && digits < 6
        && let Some(v) = out.last_mut()
    {
        *v *= 10u64.pow(6 - digits as u32);
    }
    Some((neg, out))
}

/// Adds microseconds; `None` outside 0000-01-01 ... 9999-12-31 or when a date part is zero.
pub fn add_micros(v: DateTime, micros: i128) -> Option<DateTime> {
    let total = i128::from(to_days(v.date())) * 86_400_000_000 + i128::from(v.time().to_micros()) + micros;
    if total < 0 {
        return None;
    }
    let (days, rest) = ((total / 86_400_000_000) as i64, (total % 86_400_000_000) as i64);
    if total / 86_400_000_000 > i128::from(MAX_DAY_NUMBER) {
        return None;
    }
    let date = if days <= 365 { day_in_year_zero(days)? } else { from_days(days) };
    Some(date.to_datetime().with_time(Time::from_micros_unchecked(rest)))
}

/// Days 1-365 lie in year 0, which FROM_DAYS does not return.
fn day_in_year_zero(days: i64) -> Option<Date> {
    // that year has no leap day here: January and February are one day earlier than in the proleptic calendar
    let early = i64::from(days < 60);
    let (y, m, d) = super::calendar::civil_from_days(days - early - 719_528);
    (days > 0 && y == 0).then(|| Date::new(y, m, d))
}

/// Adds months; the day is limited to the length of the new month. `None` outside years 0-9999.
pub fn add_months(v: DateTime, months: i64) -> Option<DateTime> {
    let n = (i64::from(v.year()) * 12 + i64::from(v.month()) - 1).checked_add(months)?;
    if !(0..=9999 * 12 + 11).contains(&n) {
        return None;
    }
    let (y, m) = ((n / 12) as u32, (n % 12) as u32 + 1);
    let d = v.day().min(days_in_month(y, m));
    Some(Date::new(y, m, d).to_datetime().with_time(v.time()))
}

/// `v + i`; `None` when the result is out of range (MySQL: NULL and warning 1441 "Datetime function: datetime field
/// overflow") or `v` has zero parts and the interval needs a real date.
pub fn add_interval(v: DateTime, i: Interval) -> Option<DateTime> {
    if v.date().has_zero_part() {
        return None;
    }
    let v = if i.months != 0 { add_months(v, i.months)? } else { v };
    if i.micros != 0 { add_micros(v, i.micros) } else { Some(v) }
}

/// `t + i` for a TIME; `None` beyond +-838:59:59 or when the interval has months.
pub fn add_interval_time(t: Time, i: Interval) -> Option<Time> {
    if i.months != 0 {
        return None;
    }
    let us = i64::try_from(i128::from(t.to_micros()) + i.micros).ok()?;
    Time::from_micros(us).ok()
}

/// `a - b` in microseconds (TIMEDIFF, TIMESTAMPDIFF); both need real dates.
pub fn diff_micros(a: DateTime, b: DateTime) -> i64 {
    (to_days(a.date()) - to_days(b.date())) * 86_400_000_000 + a.time().to_micros() - b.time().to_micros()
}

/// TIMESTAMPDIFF(unit, from, to) for a simple unit; `None` for compound ones.
pub fn timestamp_diff(unit: Unit, from: DateTime, to: DateTime) -> Option<i64> {
    let us = diff_micros(to, from);
    let months = || {
        let (a, b, sign) = if from <= to { (from, to, 1) } else { (to, from, -1) };
        let mut m = (i64::from(b.year()) - i64::from(a.year())) * 12 + i64::from(b.month()) - i64::from(a.month());
        if (b.day(), b.time()) < (a.day(), a.time()) {
            m -= 1;
        }
        m * sign
    };
    Some(match unit {
        Unit::Microsecond => us,
        Unit::Second => us / 1_000_000,
        Unit::Minute => us / 60_000_000,
        Unit::Hour => us / 3_600_000_000,
        Unit::Day => us / 86_400_000_000,
        Unit::Week => us / (7 * 86_400_000_000),
        Unit::Month => months(),
        Unit::Quarter => months() / 3,
        Unit::Year => months() / 12,
        _ => return None,
    })
}

/// EXTRACT(unit FROM v) where `negative` and hours beyond 23 come from a TIME.
pub fn extract(unit: Unit, date: Date, t: Time, week_mode: u32) -> i64 {
    let (y, mo, d) = (i64::from(date.year()), i64::from(date.month()), i64::from(date.day()));
    let (h, mi, s, us) = (i64::from(t.hour()), i64::from(t.minute()), i64::from(t.second()), i64::from(t.micro()));
    let sign = if t.is_negative() { -1 } else { 1 };
    match unit {
        Unit::Year => y,
        Unit::YearMonth => y * 100 + mo,
        Unit::Quarter => (mo + 2) / 3,
        Unit::Month => mo,
        Unit::Week => i64::from(super::calendar::week(date, week_mode).0),
        Unit::Day => d,
        Unit::DayHour => (d * 100 + h) * sign,
        Unit::DayMinute => (d * 10_000 + h * 100 + mi) * sign,
        Unit::DaySecond => (d * 1_000_000 + h * 10_000 + mi * 100 + s) * sign,
        Unit::Hour => h * sign,
        Unit::HourMinute => (h * 100 + mi) * sign,
        Unit::HourSecond => (h * 10_000 + mi * 100 + s) * sign,
        Unit::Minute => mi * sign,
        Unit::MinuteSecond => (mi * 100 + s) * sign,
        Unit::Second => s * sign,
        Unit::Microsecond => us * sign,
        Unit::DayMicrosecond => ((d * 1_000_000 + h * 10_000 + mi * 100 + s) * 1_000_000 + us) * sign,
        Unit::HourMicrosecond => ((h * 10_000 + mi * 100 + s) * 1_000_000 + us) * sign,
        Unit::MinuteMicrosecond => ((mi * 100 + s) * 1_000_000 + us) * sign,
        Unit::SecondMicrosecond => (s * 1_000_000 + us) * sign,
    }
}
