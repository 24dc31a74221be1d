//! Text and number literals of temporal types. Source: manual, "Date and Time Literals" and "Conversion Between Date and
//! Time Types".

use super::calendar::{days_in_month, expand_year};
use super::types::{Date, DateTime, MAX_TIME_HOURS, Time};
use crate::context::SqlMode;

/// Which odd dates are let in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DateFlags {
    /// '2020-00-10' is refused.
    pub no_zero_in_date: bool,
    /// '0000-00-00' is refused.
    pub no_zero_date: bool,
    /// '2020-02-31' is accepted.
    pub allow_invalid: bool,
}

impl DateFlags {
    /// For values that enter a column.
    pub fn for_column(mode: SqlMode) -> DateFlags {
        DateFlags {
            no_zero_in_date: mode.has(SqlMode::NO_ZERO_IN_DATE),
            no_zero_date: mode.has(SqlMode::NO_ZERO_DATE),
            allow_invalid: mode.has(SqlMode::ALLOW_INVALID_DATES),
        }
    }
    /// For text read as a date inside an expression: zero parts pass, the whole zero date only without NO_ZERO_DATE.
    pub fn for_expression(mode: SqlMode) -> DateFlags {
        DateFlags {
            no_zero_in_date: false,
            no_zero_date: mode.has(SqlMode::NO_ZERO_DATE),
            allow_invalid: mode.has(SqlMode::ALLOW_INVALID_DATES),
        }
    }
    /// Zero parts and the zero date pass.
    pub const LAX: DateFlags = DateFlags { no_zero_in_date: false, no_zero_date: false, allow_invalid: false };

    /// Whether a date with parts in their widest ranges passes.
    pub fn accepts(self, year: u32, month: u32, day: u32) -> bool {
        if year == 0 && month == 0 && day == 0 {
            return !self.no_zero_date;
        }
        if month == 0 || day == 0 {
            return !self.no_zero_in_date;
        }
        self.allow_invalid || day <= days_in_month(year, month)
    }
}

/// A delimiter of a date or time that is read but deprecated: the first one of a text counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OddDelimiter {
    /// Where it stands, in bytes.
    pub at: usize,
    /// The delimiter.
    pub seen: u8,
    /// The one that should stand there; `None`: none at all.
    pub standard: Option<char>,
}

/// A date, with or without a time of day, read from text or a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParsedDateTime {
    /// Value with six digits of fraction.
    pub value: DateTime,
    /// The seventh and following digits, in units of 1/10 microsecond (0-9): decides rounding.
    pub tenth_micros: u8,
    /// How many digits the text's fraction has, at most six.
    pub fraction_digits: u8,
    /// There was no time of day.
    pub date_only: bool,
    /// Time zone suffix in seconds east of UTC.
    pub offset: Option<i32>,
    /// With a suffix, when `value` has become a time of the session: clocks show it a second time then ([`DateTime::later`]).
    pub later: bool,
    /// Something that is not white space follows.
    pub trailing: bool,
    /// A deprecated delimiter.
    pub odd: Option<OddDelimiter>,
}

impl ParsedDateTime {
    /// Rounded (or cut off) to `fsp` digits; `None` when rounding leaves year 9999.
    pub fn rounded(&self, fsp: u8, truncate: bool) -> Option<DateTime> {
        if truncate {
            Some(truncate_datetime(self.value, fsp))
        } else {
            round_datetime(self.value, self.tenth_micros, fsp)
        }
    }
}

/// A time read from text or a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParsedTime {
    /// Value, limited to +-838:59:59.
    pub value: Time,
    /// As in [`ParsedDateTime`].
    pub tenth_micros: u8,
    /// The text was a date with time; its date was dropped.
    pub had_date: bool,
    /// That date with time and its time zone suffix in seconds east of UTC, where it has one; `value` is not moved by it.
    pub zoned: Option<(DateTime, i32)>,
    /// The value was limited.
    pub out_of_range: bool,
    /// Something that is not white space follows.
    pub trailing: bool,
    /// A deprecated delimiter.
    pub odd: Option<OddDelimiter>,
}

/// Units of 10^-6 in the last digit at each fsp.
const STEP: [u32; 7] = [1_000_000, 100_000, 10_000, 1000, 100, 10, 1];

fn step(fsp: u8) -> u32 {
    STEP.get(fsp as usize).copied().unwrap_or(1)
}

/// Rounds half up to `fsp` digits; `None` beyond 9999-12-31. Dates with zero parts do not carry into the date.
pub fn round_datetime(v: DateTime, tenth_micros: u8, fsp: u8) -> Option<DateTime> {
    let step = step(fsp);
    let tenths = u64::from(v.micro()) * 10 + u64::from(tenth_micros);
    let unit = u64::from(step) * 10;
    let micro = (tenths + unit / 2) / unit * u64::from(step);
    if micro < 1_000_000 {
        return Some(DateTime((v.0 & !0xff_ffff) | micro));
    }
    // a date with zeros has no next second
    if v.month() == 0 || v.day() == 0 {
        return None;
    }
    let base = DateTime(v.0 & !0xff_ffff);
    super::interval::add_micros(base, 1_000_000)
}

/// Cuts off to `fsp` digits.
pub fn truncate_datetime(v: DateTime, fsp: u8) -> DateTime {
    let step = step(fsp);
    DateTime((v.0 & !0xff_ffff) | u64::from(v.micro() / step * step))
}

/// Rounds half away from zero to `fsp` digits, limited to the TIME range.
pub fn round_time(v: Time, tenth_micros: u8, fsp: u8) -> Time {
    let step = i64::from(step(fsp)) * 10;
    let us = v.to_micros();
    let tenths = us.abs() * 10 + i64::from(tenth_micros);
    let r = (tenths + step / 2) / step * (step / 10);
    Time::from_micros(if us < 0 || v.is_negative() { -r } else { r }).unwrap_or_else(|limit| limit)
}

/// Cuts off to `fsp` digits.
pub fn truncate_time(v: Time, fsp: u8) -> Time {
    let step = i64::from(step(fsp));
    Time::from_micros_unchecked(v.to_micros() / step * step)
}

struct Cursor<'a> {
    s: &'a [u8],
    i: usize,
}

impl Cursor<'_> {
    fn peek(&self) -> u8 {
        self.s.get(self.i).copied().unwrap_or(0)
    }
    fn at(&self, ahead: usize) -> u8 {
        self.s.get(self.i + ahead).copied().unwrap_or(0)
    }
    fn done(&self) -> bool {
        self.i >= self.s.len()
    }
    fn skip_space(&mut self) {
        while self.peek().is_ascii_whitespace() {
            self.i += 1;
        }
    }
    /// Up to `max` digits as (value, count); the value saturates.
    fn number(&mut self, max: usize) -> (u64, usize) {
        let (mut v, mut n) = (0u64, 0);
        while n < max && self.peek().is_ascii_digit() {
            v = v.saturating_mul(10).saturating_add(u64::from(self.peek() - b'0'));
            self.i += 1;
            n += 1;
        }
        (v, n)
    }
    /// Digits of a fraction as (microseconds, tenth, how many of the first six).
    fn fraction(&mut self) -> (u32, u8, u8) {
        let (v, n) = self.number(6);
        let micro = v as u32 * step(n as u8);
        let mut tenth = 0;
        if n == 6 && self.peek().is_ascii_digit() {
            tenth = self.peek() - b'0';
            while self.peek().is_ascii_digit() {
                self.i += 1;
            }
        }
        (micro, tenth, n as u8)
    }
    /// A delimiter here that is not `standard`.
    fn odd(&self, standard: Option<char>) -> OddDelimiter {
        OddDelimiter { at: self.i, seen: self.peek(), standard }
    }
    /// White space that is left is superfluous.
    fn odd_end(&self) -> Option<OddDelimiter> {
        self.peek().is_ascii_whitespace().then(|| self.odd(None))
    }
    fn only_space_left(&self) -> bool {
        self.s.get(self.i..).is_none_or(|r| r.iter().all(u8::is_ascii_whitespace))
    }
}

/// Reads a DATE or DATETIME; `None` when it is none (or not allowed by `flags`).
pub fn parse_datetime(s: &[u8], flags: DateFlags) -> Option<ParsedDateTime> {
    let mut c = Cursor { s, i: 0 };
    let mut odd = c.odd_end();
    c.skip_space();
    if !c.peek().is_ascii_digit() {
        return None;
    }
    let start = c.i;
    let mut digits = 0;
    while c.at(digits).is_ascii_digit() || c.at(digits) == b'T' {
        digits += 1;
    }
    let compact = start + digits >= s.len() || c.at(digits) == b'.';
    let year_len = if compact { if digits == 4 || digits == 8 || digits >= 14 { 4 } else { 2 } } else { 4 };
    // year, month, day, hour, minute, second
    let mut parts = [0u32; 6];
    let mut fields = 0;
    let (mut two_digit_year, mut year_digits) = (year_len == 2, 0);
    let (mut micro, mut tenth, mut fraction_digits, mut offset) = (0, 0, 0, None);
    for (i, part) in parts.iter_mut().enumerate() {
        let max = if compact { if i == 0 { year_len } else { 2 } } else { 20 };
        let (v, n) = c.number(max);
        if n == 0 {
            break;
        }
        if v > 999_999 {
            return None;
        }
        if i == 0 {
            year_digits = n;
            two_digit_year = if compact { two_digit_year } else { n == 2 };
        }
        *part = v as u32;
        fields = i + 1;
        if c.done() {
            break;
        }
        if i == 2 && c.peek() == b'T' {
            c.i += 1;
            continue;
        }
        if i == 5 {
            if c.peek() == b'.' {
                c.i += 1;
                (micro, tenth, fraction_digits) = c.fraction();
            }
            if let Some(rest) = s.get(c.i..)
                && matches!(rest.first(), Some(b'+' | b'-'))
            {
                let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
                let text = rest.get(..end)?;
                offset = Some(super::zone::parse_literal_offset(text)?);
                c.i += end;
            }
            break;
        }
        let mark = c.i;
        while c.peek().is_ascii_punctuation() || c.peek().is_ascii_whitespace() {
            if c.peek().is_ascii_whitespace() && i != 2 {
                // white space is a delimiter between date and time only
                if c.only_space_left() {
                    break;
                }
                return None;
            }
            odd = odd.or_else(|| odd_between(&c, i, c.i > mark, compact, year_digits));
            c.i += 1;
        }
        if i == 2 && c.peek() == b'T' && c.i > mark {
            c.i += 1;
        }
        if i == 2 && c.done() && s.get(mark..).is_some_and(|d| d.iter().any(u8::is_ascii_whitespace)) {
            c.i -= 1;
            odd = odd.or_else(|| Some(c.odd(None)));
            c.i += 1;
        }
        if !c.peek().is_ascii_digit() {
            // what follows is rubbish (or the end); give trailing delimiters back
            c.i = if c.only_space_left() { c.i } else { mark };
            break;
        }
    }
    let [year, month, day, hour, minute, second] = parts;
    let all_zero = parts == [0; 6] && micro == 0;
    if !compact && fields < 3 && !(all_zero && fields > 0 && c.done()) {
        return None;
    }
    if compact && fields < 3 {
        return None;
    }
    let year = if two_digit_year && !all_zero { expand_year(year) } else { year };
    if year > 9999 || month > 12 || day > 31 || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    if !flags.accepts(year, month, day) {
        return None;
    }
    Some(ParsedDateTime {
        value: DateTime::new(year, month, day, hour, minute, second, micro),
        tenth_micros: tenth,
        fraction_digits,
        date_only: fields <= 3,
        offset,
        later: false,
        trailing: !c.only_space_left(),
        odd: odd.or_else(|| c.odd_end()),
    })
}

/// What is odd about the delimiter at the cursor, which stands behind field `i` of a date and time: the second of several, white space that is no
/// blank, anything but `-` in dates, `:` in times and a blank between them. (A year of one digit is silent, as in `4.12.3`.)
fn odd_between(c: &Cursor<'_>, i: usize, second: bool, compact: bool, year_digits: usize) -> Option<OddDelimiter> {
    let seen = c.peek();
    if second {
        return Some(c.odd(None));
    }
    if seen.is_ascii_whitespace() {
        return (seen != b' ').then(|| c.odd(Some(' ')));
    }
    if i == 2 {
        return (seen != b'.' || !compact).then(|| c.odd(Some(' ')));
    }
    let standard = if i < 2 { '-' } else { ':' };
    (char::from(seen) != standard && !(compact && year_digits == 1)).then(|| c.odd(Some(standard)))
}

/// Reads YYMMDD, YYYYMMDD, YYMMDDhhmmss or YYYYMMDDhhmmss; `None` when it is none (or not allowed by `flags`).
pub fn datetime_from_number(n: i64, flags: DateFlags) -> Option<(DateTime, bool)> {
    if n == 0 {
        return flags.accepts(0, 0, 0).then_some((DateTime::ZERO, true));
    }
    let (full, date_only) = match n {
        101..=691_231 => ((n + 20_000_000) * 1_000_000, true),
        700_101..=991_231 => ((n + 19_000_000) * 1_000_000, true),
        // years before 1000 too
        991_232..=99_991_231 => (n * 1_000_000, true),
        101_000_000..=691_231_235_959 => (n + 20_000_000_000_000, false),
        700_101_000_000..=991_231_235_959 => (n + 19_000_000_000_000, false),
        10_000_101_000_000..=99_991_231_235_959 => (n, false),
        _ => return None,
    };
    let (d, t) = (full / 1_000_000, full % 1_000_000);
    let (year, month, day) = ((d / 10_000) as u32, (d / 100 % 100) as u32, (d % 100) as u32);
    let (hour, minute, second) = ((t / 10_000) as u32, (t / 100 % 100) as u32, (t % 100) as u32);
    if month > 12 || day > 31 || hour > 23 || minute > 59 || second > 59 || !flags.accepts(year, month, day) {
        return None;
    }
    Some((DateTime::new(year, month, day, hour, minute, second, 0), date_only))
}

/// Reads a TIME; `None` when it is none. Values beyond the range are limited and marked.
pub fn parse_time(s: &[u8]) -> Option<ParsedTime> {
    let mut c = Cursor { s, i: 0 };
    let mut odd = c.odd_end();
    c.skip_space();
    if s.len() - c.i >= 12 && looks_like_datetime(s) {
        // '2020-01-02 25:00:00' is wrong as a DATETIME and is not tried as a TIME
        let p = parse_datetime(s, DateFlags::LAX)?;
        return Some(ParsedTime {
            value: p.value.time(),
            tenth_micros: p.tenth_micros,
            had_date: true,
            zoned: p.offset.map(|offset| (p.value, offset)),
            out_of_range: false,
            trailing: p.trailing,
            odd: p.odd,
        });
    }
    let neg = c.peek() == b'-';
    if neg {
        c.i += 1;
    }
    let (first, n) = c.number(20);
    if n == 0 && c.peek() != b'.' && c.peek() != b':' {
        return None;
    }
    let mut days = 0;
    let mark = c.i;
    c.skip_space();
    let hms: [u64; 3];
    if c.i > mark + 1 {
        odd = odd.or_else(|| Cursor { s, i: mark }.odd_end());
    }
    if c.i > mark && c.peek().is_ascii_digit() {
        days = first;
        hms = colon_fields(&mut c, None);
    } else {
        c.i = mark;
        if c.peek() == b':' && c.at(1).is_ascii_digit() {
            hms = colon_fields(&mut c, Some(first));
        } else {
            hms = [first / 10_000, first / 100 % 100, first % 100];
        }
    }
    let (mut micro, mut tenth) = (0, 0);
    if c.peek() == b'.' {
        c.i += 1;
        (micro, tenth, _) = c.fraction();
    }
    let [hour, minute, second] = hms;
    let exponent = matches!(c.peek(), b'e' | b'E')
        && (c.at(1).is_ascii_digit() || matches!(c.at(1), b'+' | b'-') && c.at(2).is_ascii_digit());
    if minute > 59 || second > 59 || exponent || hour > u64::from(u32::MAX) || days > u64::from(u32::MAX) {
        return None;
    }
    let hours = days.saturating_mul(24).saturating_add(hour);
    let trailing = !c.only_space_left();
    let over = hours > u64::from(MAX_TIME_HOURS)
        || (hours == u64::from(MAX_TIME_HOURS) && minute == 59 && second == 59 && micro > 0);
    let value = if over {
        if neg { Time::MIN } else { Time::MAX }
    } else {
        Time::new(neg, hours as u32, minute as u32, second as u32, micro)
    };
    Some(ParsedTime {
        value,
        tenth_micros: if over { 0 } else { tenth },
        had_date: false,
        zoned: None,
        out_of_range: over,
        trailing,
        odd: odd.or_else(|| c.odd_end()),
    })
}

/// Whether text that reads as a DATETIME is meant as one rather than as a TIME: it has date delimiters or 12 and more
/// digits.
fn looks_like_datetime(s: &[u8]) -> bool {
    let s = s.trim_ascii_start();
    let digits = s.iter().take_while(|b| b.is_ascii_digit()).count();
    digits >= 12
        || matches!(s.get(digits), Some(b) if digits > 0 && (*b == b'T' || *b != b':' && *b != b'.' && b.is_ascii_punctuation()))
}

/// `HH[:MM[:SS]]` as hours, minutes, seconds.
fn colon_fields(c: &mut Cursor<'_>, first: Option<u64>) -> [u64; 3] {
    let mut out = [0u64; 3];
    let mut k = 0;
    if let Some(h) = first {
        out = [h, 0, 0];
        k = 1;
        c.i += 1;
    }
    while let Some(slot) = out.get_mut(k) {
        let (v, n) = c.number(20);
        if n == 0 {
            break;
        }
        *slot = v;
        k += 1;
        if k < 3 && c.peek() == b':' && c.at(1).is_ascii_digit() {
            c.i += 1;
        } else {
            break;
        }
    }
    out
}

/// Reads hhmmss (or a DATETIME number, whose date is dropped). `None` when minutes or seconds exceed 59.
pub fn time_from_number(n: i64) -> Option<ParsedTime> {
    let plain = |value, out_of_range| ParsedTime {
        value,
        tenth_micros: 0,
        had_date: false,
        zoned: None,
        out_of_range,
        trailing: false,
        odd: None,
    };
    if n > 8_385_959 {
        if n >= 10_000_000_000
            && let Some((dt, false)) = datetime_from_number(n, DateFlags::LAX)
        {
            return Some(ParsedTime { had_date: true, ..plain(dt.time(), false) });
        }
        return Some(plain(Time::MAX, true));
    }
    if n < -8_385_959 {
        return Some(plain(Time::MIN, true));
    }
    let a = n.unsigned_abs();
    let (h, m, s) = ((a / 10_000) as u32, (a / 100 % 100) as u32, (a % 100) as u32);
    if m > 59 || s > 59 {
        return None;
    }
    Some(plain(Time::new(n < 0, h, m, s, 0), false))
}

/// Reads a YEAR: text or number 1-99 -> 1970-2069, 0 -> 0 as a number and 2000 as text, 1901-2155.
pub fn year_from_number(n: i64, from_text: bool) -> Option<u64> {
    match n {
        0 => Some(if from_text { 2000 } else { 0 }),
        1..=69 => Some(n as u64 + 2000),
        70..=99 => Some(n as u64 + 1900),
        1901..=2155 => Some(n as u64),
        _ => None,
    }
}

/// The DATE of a DATETIME after rounding a fraction is the same day: MySQL cuts the time off.
pub fn date_of(p: &ParsedDateTime) -> Date {
    p.value.date()
}
