//! Day arithmetic on the proleptic Gregorian calendar, weeks, periods. Sources: manual, "Date and Time Functions";
//! Hinnant, "chrono-compatible low-level date algorithms".

use super::types::Date;

/// Days since 1970-01-01 of a date (month 1-12, day 1-31; day may exceed the month's length).
#[inline]
pub const fn days_from_civil(year: u32, month: u32, day: u32) -> i64 {
    let y = year as i64 - (month <= 2) as i64;
    let era = y.div_euclid(400);
    let yoe = y - era * 400;
    let mp = (month as i64 + 9) % 12;
    let doy = (153 * mp + 2) / 5 + day as i64 - 1;
    let doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
    era * 146_097 + doe - 719_468
}

/// Inverse of [`days_from_civil`]; years below 0 wrap, so callers keep to 0-9999.
#[inline]
pub const fn civil_from_days(days: i64) -> (u32, u32, u32) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z - era * 146_097;
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let d = doy - (153 * mp + 2) / 5 + 1;
    let m = if mp < 10 { mp + 3 } else { mp - 9 };
    let y = yoe + era * 400 + (m <= 2) as i64;
    (y as u32, m as u32, d as u32)
}

/// Gregorian leap year; year 0 is none, as in MySQL.
#[inline]
pub const fn is_leap(year: u32) -> bool {
    year != 0 && ((year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400))
}

/// Days in the month (1-12); 0 for month 0.
#[inline]
pub const fn days_in_month(year: u32, month: u32) -> u32 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => {
            if is_leap(year) {
                29
            } else {
                28
            }
        }
        _ => 0,
    }
}

/// Days in the year.
#[inline]
pub const fn days_in_year(year: u32) -> u32 {
    365 + is_leap(year) as u32
}

/// Month 1-12 and day within the month, year at most 9999.
#[inline]
pub const fn valid_date(year: u32, month: u32, day: u32) -> bool {
    year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= days_in_month(year, month)
}

/// MySQL's TO_DAYS (`calc_daynr`): 0 for 0000-00-00; zero months and days are counted as MySQL counts them.
pub const fn to_days(d: Date) -> i64 {
    let (year, month, day) = (d.year() as i64, d.month() as i64, d.day() as i64);
    if year == 0 && month == 0 {
        return 0;
    }
    let mut sum = 365 * year + 31 * (month - 1) + day;
    let mut y = year;
    if month <= 2 {
        y -= 1;
    } else {
        sum -= (month * 4 + 23) / 10;
    }
    // y can be -1 in year 0; C division truncates
    sum + y / 4 - ((y / 100 + 1) * 3) / 4
}

/// Largest day number FROM_DAYS accepts (9999-12-31).
pub const MAX_DAY_NUMBER: i64 = 3_652_424;

/// MySQL's FROM_DAYS; `Date::ZERO` for numbers up to 365 and above [`MAX_DAY_NUMBER`].
pub const fn from_days(n: i64) -> Date {
    if n <= 365 || n > MAX_DAY_NUMBER {
        return Date::ZERO;
    }
    let (y, m, d) = civil_from_days(n - 719_528);
    Date::new(y, m, d)
}

/// 0 = Monday ... 6 = Sunday (WEEKDAY).
#[inline]
pub const fn weekday(d: Date) -> u32 {
    (to_days(d) + 5).rem_euclid(7) as u32
}

/// 1-366; for dates with zero parts MySQL's arithmetic result.
pub const fn day_of_year(d: Date) -> u32 {
    (to_days(d) - to_days(Date::new(d.year(), 1, 1)) + 1) as u32
}

/// WEEK(d, mode) as (week, year the week belongs to). `mode` as in the manual (0-7); YEARWEEK uses `mode | 2`.
pub const fn week(d: Date, mode: u32) -> (u32, u32) {
    let monday_first = mode & 1 != 0;
    // modes 0, 2, 5, 7: week 1 is the first that starts in the year; 1, 3, 4, 6: the first with 4 or more days in it
    let starts_in_year = matches!(mode & 7, 0 | 2 | 5 | 7);
    let from_one = mode & 2 != 0;
    let day = to_days(d);
    let year = d.year();
    let first = week_one(year, monday_first, starts_in_year);
    if day < first {
        if !from_one {
            return (0, year);
        }
        let before = year.saturating_sub(1);
        return (((day - week_one(before, monday_first, starts_in_year)) / 7 + 1) as u32, before);
    }
    if from_one && day >= week_one(year + 1, monday_first, starts_in_year) {
        return (1, year + 1);
    }
    (((day - first) / 7 + 1) as u32, year)
}

/// Day number on which week 1 of a year starts.
const fn week_one(year: u32, monday_first: bool, starts_in_year: bool) -> i64 {
    let jan1 = to_days(Date::new(year, 1, 1));
    // days since the start of the week that holds 1 January
    let wd = (jan1 + if monday_first { 5 } else { 6 }).rem_euclid(7);
    if wd == 0 || (!starts_in_year && wd <= 3) { jan1 - wd } else { jan1 + 7 - wd }
}

/// LAST_DAY; `None` when the month is zero.
pub const fn last_day(d: Date) -> Option<Date> {
    if d.month() == 0 || d.month() > 12 {
        return None;
    }
    Some(Date::new(d.year(), d.month(), days_in_month(d.year(), d.month())))
}

/// MAKEDATE(year, day of year): two-digit years are expanded, day numbers below 1 and years above 9999 give `None`.
pub fn make_date(year: i64, day_of_year: i64) -> Option<Date> {
    if !(0..=9999).contains(&year) || day_of_year <= 0 {
        return None;
    }
    let year = if year < 100 { expand_year(year as u32) } else { year as u32 };
    let n = to_days(Date::new(year, 1, 1)).checked_add(day_of_year)?.checked_sub(1)?;
    if n > 0 && n <= MAX_DAY_NUMBER { Some(from_days(n)) } else { None }
}

/// 0-69 -> 2000-2069, 70-99 -> 1970-1999.
#[inline]
pub const fn expand_year(two_digits: u32) -> u32 {
    if two_digits < 70 { two_digits + 2000 } else { two_digits + 1900 }
}

/// Months since year 0 of a period YYMM or YYYYMM; 0 for 0.
pub const fn period_to_months(period: u64) -> u64 {
    if period == 0 {
        return 0;
    }
    let mut y = period / 100;
    if y < 70 {
        y += 2000;
    } else if y < 100 {
        y += 1900;
    }
    y * 12 + period % 100 - 1
}

/// Inverse of [`period_to_months`].
pub const fn months_to_period(months: u64) -> u64 {
    if months == 0 {
        return 0;
    }
    let mut y = months / 12;
    if y < 100 {
        y += if y < 70 { 2000 } else { 1900 };
    }
    y * 100 + months % 12 + 1
}

/// Whether PERIOD_ADD and PERIOD_DIFF accept the number (month 1-12, year up to 9999... as MySQL's `valid_period`).
pub const fn valid_period(period: i64) -> bool {
    period > 0 && period % 100 >= 1 && period % 100 <= 12 && period <= 999_912
}
