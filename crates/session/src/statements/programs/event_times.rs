//! The times of an event's schedule: what AT, STARTS, ENDS and EVERY say when the event is made, and when it runs next.
//!
//! Dates are read in the session's time zone and kept as seconds since 1970 with that zone; "each two hours" counts
//! from STARTS on the event's own clock ([`next_after`]): what falls into the hour that a change of clocks skips
//! does not run, in the hour that comes twice what repeats within a day runs both times and a longer period the
//! first time.
//!
//! Pure code but for warnings of the conversion. Tested below, golden `program_events`.

use base::{ErrorCode, IntervalUnit, SqlError, SqlResult};
use storage::dict::Schedule;
use value::temporal::interval::{Interval, add_interval};
use value::{ConvCtx, OwnedValue, SqlType, TimeZone};

/// Largest number of EVERY, in its smallest unit.
const MOST: i64 = 1_000_000_000;

/// The last second of a schedule: 3001-01-18 23:59:59 UTC.
const LAST: i64 = 32_536_771_199;

/// 1525.
fn wrong(what: &str, v: &OwnedValue, ty: &SqlType) -> SqlError {
    let mut text = Vec::new();
    match v {
        OwnedValue::Null => text.extend_from_slice(b"NULL"),
        v => value::convert::to_text(v.as_value(), ty, &mut text),
    }
    SqlError::new(ErrorCode::WRONG_VALUE, &[&what, &String::from_utf8_lossy(&text)])
}

/// The second that a value means in a time zone; 1525 naming the clause.
pub(super) fn second(what: &str, (v, ty): &(OwnedValue, SqlType), zone: &TimeZone, ctx: &ConvCtx) -> SqlResult<i64> {
    let mut quiet = ctx.clone();
    let at = value::convert::to_datetime(v.as_value(), ty, &mut quiet).filter(|d| !d.date().has_zero_part());
    // fractions of a second do not count; a TIMESTAMP could not hold what is out of these bounds
    let second = zone.to_unix(at.ok_or_else(|| wrong(what, v, ty))?);
    if (1..=LAST).contains(&second) { Ok(second) } else { Err(wrong(what, v, ty)) }
}

/// The number of EVERY: 1525, 1542, 1235 for microseconds.
pub(super) fn interval((v, ty): &(OwnedValue, SqlType), unit: IntervalUnit, ctx: &ConvCtx) -> SqlResult<i64> {
    use IntervalUnit as U;
    if matches!(v, OwnedValue::Null) {
        return Err(wrong("INTERVAL", v, ty));
    }
    if matches!(
        unit,
        U::Microsecond | U::SecondMicrosecond | U::MinuteMicrosecond | U::HourMicrosecond | U::DayMicrosecond
    ) {
        return Err(SqlError::new(ErrorCode::NOT_SUPPORTED_YET, &[&"MICROSECOND"]));
    }
    let mut quiet = ctx.clone();
    let n = match compound(unit) {
        Some(micros) => {
            let mut text = Vec::new();
            value::convert::to_text(v.as_value(), ty, &mut text);
            let i = Interval::from_text(&text, unit).unwrap_or(Interval { months: 0, micros: 0 });
            if unit == U::YearMonth { i128::from(i.months) } else { i.micros / micros }
        }
        // whole seconds of a number with a fraction, other units rounded
        None if unit == U::Second => value::convert::to_f64(v.as_value(), ty, &mut quiet) as i128,
        None => i128::from(value::convert::to_i64(v.as_value(), ty, &mut quiet)),
    };
    let n = i64::try_from(n).ok().filter(|n| (1..=MOST).contains(n));
    n.ok_or_else(|| SqlError::new(ErrorCode::EVENT_INTERVAL_NOT_POSITIVE_OR_TOO_BIG, &[]))
}

/// Microseconds of the smallest part of a unit with several.
fn compound(unit: IntervalUnit) -> Option<i128> {
    use IntervalUnit as U;
    Some(match unit {
        U::MinuteSecond | U::HourSecond | U::DaySecond => 1_000_000,
        U::HourMinute | U::DayMinute => 60_000_000,
        U::DayHour => 3_600_000_000,
        U::YearMonth => 1,
        _ => return None,
    })
}

/// A period: months, or seconds.
fn period(interval: i64, unit: &str) -> (i64, i64) {
    match unit {
        "YEAR" => (interval.saturating_mul(12), 0),
        "QUARTER" => (interval.saturating_mul(3), 0),
        "MONTH" | "YEAR_MONTH" => (interval, 0),
        "WEEK" => (0, interval.saturating_mul(7 * 86_400)),
        "DAY" => (0, interval.saturating_mul(86_400)),
        "HOUR" | "DAY_HOUR" => (0, interval.saturating_mul(3600)),
        "MINUTE" | "HOUR_MINUTE" | "DAY_MINUTE" => (0, interval.saturating_mul(60)),
        _ => (0, interval),
    }
}

/// The first run of EVERY later than `now`, which is not before `starts`. `None`: never.
pub(crate) fn next_after(interval: i64, unit: &str, starts: i64, now: i64, zone: &TimeZone) -> Option<i64> {
    let (months, seconds) = period(interval, unit);
    if months == 0 && seconds < 86_400 {
        return within_a_day(seconds.max(1), starts, now, zone);
    }
    let (first, local) = (zone.from_unix(starts, 0), zone.from_unix(now, 0));
    // periods gone by, from below: a month is at most 31 days
    let gone = value::temporal::interval::diff_micros(local, first) / 1_000_000;
    let mut n = match months {
        0 => gone / seconds,
        m => gone / 86_400 / 31 / m,
    }
    .max(0);
    loop {
        let i = Interval { months: months.checked_mul(n)?, micros: i128::from(seconds) * i128::from(n) * 1_000_000 };
        let at = zone.to_unix(add_interval(first, i)?);
        if at > now {
            return Some(at);
        }
        n += 1;
    }
}

/// The earliest second after `now` at which the zone's clock shows a time of the grid.
fn within_a_day(seconds: i64, starts: i64, now: i64, zone: &TimeZone) -> Option<i64> {
    let offset = |at: i64| i64::from(zone.offset_at(at));
    let grid = starts + offset(starts);
    // the first local time of the grid that is not below `local`
    let up = |local: i64| local + (grid - local).rem_euclid(seconds);
    let mut from = now + 1;
    for _ in 0..8 {
        let shift = offset(from);
        let at = up(from + shift) - shift;
        if offset(at) == shift {
            return Some(at);
        }
        // the clocks are changed in between: when?
        let (mut low, mut high) = (from, at);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if offset(middle) == shift { low = middle } else { high = middle }
        }
        let last = up(low + shift) - shift;
        if last <= low {
            return Some(last);
        }
        from = high;
    }
    None
}

/// What an event does next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    /// Runs at this second.
    At(i64),
    /// Its time is over.
    Expired,
}

/// The zone in which an event's clock runs.
pub(super) fn zone_of(name: &str) -> TimeZone {
    TimeZone::by_name(name).unwrap_or(TimeZone::UTC)
}

/// When an event runs next that ran last at `last` (since it was made or altered) and may run from the second `from`
/// on: what fell due before does not run, but for one that runs once.
pub(crate) fn next(schedule: &Schedule, last: Option<i64>, from: i64, zone: &TimeZone) -> Next {
    match schedule {
        Schedule::At(at) => match last {
            Some(_) => Next::Expired,
            None => Next::At(*at),
        },
        Schedule::Every { interval, unit, starts, ends } => {
            let after = last.map_or(from - 1, |l| l.max(from - 1));
            let at = match *starts > after {
                true => Some(*starts),
                false => next_after(*interval, unit, *starts, after, zone),
            };
            match at {
                Some(at) if ends.is_none_or(|e| at <= e) => Next::At(at),
                _ => Next::Expired,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(d: value::DateTime) -> String {
        format!("{d:?}")
    }

    fn berlin() -> TimeZone {
        TimeZone::by_name("Europe/Berlin").unwrap()
    }

    fn utc(text: [u32; 6]) -> i64 {
        let [y, m, d, h, i, s] = text;
        TimeZone::UTC.to_unix(value::DateTime::new(y, m, d, h, i, s, 0))
    }

    /// All runs after `from` up to `to`.
    fn runs(interval: i64, unit: &str, starts: i64, from: i64, to: i64) -> Vec<i64> {
        let (mut out, mut now) = (Vec::new(), from);
        while let Some(at) = next_after(interval, unit, starts, now, &berlin()).filter(|at| *at <= to) {
            assert!(at > now);
            out.push(at);
            now = at;
        }
        out
    }

    #[test]
    fn each_second_has_its_run_across_both_changes_of_clocks() {
        // summer time begins on 2026-03-29 at 01:00 UTC and ends on 2026-10-25 at 01:00 UTC
        for change in [utc([2026, 3, 29, 1, 0, 0]), utc([2026, 10, 25, 1, 0, 0])] {
            let all = runs(1, "SECOND", change - 86_400, change - 3700, change + 3700);
            assert_eq!(all, (change - 3699..=change + 3700).collect::<Vec<_>>());
            let quarter = runs(15, "MINUTE", change - 86_400, change - 3600, change + 3600);
            assert_eq!(quarter, (-3..=4).map(|n| change + n * 900).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_day_keeps_its_hour() {
        let starts = utc([2026, 3, 27, 1, 30, 0]); // 02:30 in Berlin
        let all = runs(1, "DAY", starts, starts, utc([2026, 3, 31, 0, 0, 0]));
        // 02:30 does not exist on the 29th: the first moment after it is taken
        let shown: Vec<String> = all.iter().map(|t| shown(berlin().from_unix(*t, 0))).collect();
        assert_eq!(shown.len(), 3);
        assert!(
            shown[0].starts_with("2026-03-28 02:30:00") && shown[2].starts_with("2026-03-30 02:30:00"),
            "{shown:?}"
        );
        assert!(shown[1].starts_with("2026-03-29 03:00:00"), "{shown:?}");
        // on 2026-10-25 it comes twice and runs once
        let starts = utc([2026, 10, 24, 0, 30, 0]);
        let all = runs(24, "HOUR", starts, starts, utc([2026, 10, 26, 12, 0, 0]));
        assert_eq!(all, [utc([2026, 10, 25, 0, 30, 0]), utc([2026, 10, 26, 1, 30, 0])]);
    }

    #[test]
    fn months_are_as_long_as_they_are() {
        let starts = utc([2026, 1, 31, 11, 0, 0]);
        let all = runs(1, "MONTH", starts, starts, utc([2026, 5, 1, 0, 0, 0]));
        let days: Vec<u32> = all.iter().map(|t| berlin().from_unix(*t, 0).day()).collect();
        assert_eq!(days, [28, 31, 30]);
        assert_eq!(runs(14, "YEAR_MONTH", starts, starts, utc([2028, 1, 1, 0, 0, 0])), [utc([2027, 3, 31, 10, 0, 0])]);
    }

    #[test]
    fn what_comes_next() {
        let every = |starts, ends| Schedule::Every { interval: 10, unit: "SECOND".into(), starts, ends };
        let next = |s: &Schedule, last, now| next(s, last, now, &TimeZone::UTC);
        assert_eq!(next(&Schedule::At(50), None, 100), Next::At(50));
        assert_eq!(next(&Schedule::At(50), Some(50), 100), Next::Expired);
        assert_eq!(next(&every(200, None), None, 100), Next::At(200));
        assert_eq!(next(&every(100, None), None, 100), Next::At(100));
        assert_eq!(next(&every(95, None), Some(95), 100), Next::At(105));
        // after a restart: the last run was long ago, or there was none
        assert_eq!(next(&every(5, None), Some(5), 100), Next::At(105));
        assert_eq!(next(&every(5, None), None, 100), Next::At(105));
        assert_eq!(next(&every(5, None), None, 105), Next::At(105));
        assert_eq!(next(&every(5, Some(104)), Some(5), 100), Next::Expired);
    }

    #[test]
    fn numbers_of_every() {
        let n = |v: OwnedValue, ty: SqlType, unit| interval(&(v, ty), unit, &ConvCtx::default()).map_err(|e| e.code());
        let text = |t: &str| OwnedValue::Str(t.as_bytes().into());
        let ty = || SqlType::varchar(20, value::CollationId(255));
        use IntervalUnit as U;
        assert_eq!(n(text("1:30"), ty(), U::HourMinute), Ok(90));
        assert_eq!(n(text("30"), ty(), U::HourMinute), Ok(30));
        assert_eq!(n(text("1 2:3:4"), ty(), U::DaySecond), Ok(93_784));
        assert_eq!(n(text("1-2"), ty(), U::YearMonth), Ok(14));
        assert_eq!(n(text("-1:30"), ty(), U::HourMinute), Err(1542));
        assert_eq!(n(text("1.5"), ty(), U::Second), Ok(1));
        assert_eq!(n(text("a"), ty(), U::Second), Err(1542));
        assert_eq!(n(OwnedValue::Int(0), SqlType::bigint(), U::Day), Err(1542));
        assert_eq!(n(OwnedValue::Int(1_000_000_001), SqlType::bigint(), U::Day), Err(1542));
        assert_eq!(n(OwnedValue::Null, SqlType::bigint(), U::Day), Err(1525));
        assert_eq!(n(text("1.1"), ty(), U::SecondMicrosecond), Err(1235));
    }
}
