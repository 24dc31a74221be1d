//! DATE_FORMAT, TIME_FORMAT and STR_TO_DATE with English names (lc_time_names = en_US). Source: manual, table
//! "Specifiers" under DATE_FORMAT.

use super::calendar::{MAX_DAY_NUMBER, day_of_year, expand_year, from_days, to_days, week, weekday};
use super::types::{Date, DateTime, Time};
use crate::number::{format_2, format_padded, format_u64};

/// January ... December.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// Monday ... Sunday.
pub const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

fn name(names: &[&'static str], i: u32) -> &'static [u8] {
    names.get(i as usize).map_or(b"", |n| n.as_bytes())
}

fn short(n: &'static [u8]) -> &'static [u8] {
    n.get(..3).unwrap_or(n)
}

/// What DATE_FORMAT and TIME_FORMAT read from.
#[derive(Clone, Copy, Debug)]
pub struct FormatSource {
    /// Date; zero for a TIME.
    pub date: Date,
    /// Time of day, or the TIME.
    pub time: Time,
    /// TIME_FORMAT: what needs a date gives NULL.
    pub time_only: bool,
}

/// Appends `src` formatted. `None`: the result is NULL (a name or week of a date that has none); what was appended is to
/// be dropped then.
pub fn date_format(fmt: &[u8], src: FormatSource, out: &mut Vec<u8>) -> Option<()> {
    let mut chars = fmt.iter();
    while let Some(&b) = chars.next() {
        if b != b'%' {
            out.push(b);
            continue;
        }
        match chars.next() {
            // a % at the end stands for itself
            None => out.push(b'%'),
            Some(&spec) => specifier(spec, src, out)?,
        }
    }
    Some(())
}

fn specifier(spec: u8, src: FormatSource, out: &mut Vec<u8>) -> Option<()> {
    let (d, t) = (src.date, src.time);
    let (h, h12) = (t.hour(), (t.hour() % 24 + 11) % 12 + 1);
    let half: &[u8] = if h % 24 < 12 { b"AM" } else { b"PM" };
    let number = |v: u32, out: &mut Vec<u8>| format_u64(v.into(), out);
    // hours of a TIME may have three digits
    let hours = |h: u32, out: &mut Vec<u8>| if h < 100 { format_2(h, out) } else { format_u64(h.into(), out) };
    let dated = || (!src.time_only).then_some(());
    let weekday_of = || (!src.time_only && (d.month() != 0 || d.year() != 0)).then(|| weekday(d));
    let month_name = || {
        let m = d.month().checked_sub(1)?;
        Some(name(&MONTHS, m))
    };
    match spec {
        b'M' => out.extend_from_slice(month_name()?),
        b'b' => out.extend_from_slice(short(month_name()?)),
        b'W' => out.extend_from_slice(name(&DAYS, weekday_of()?)),
        b'a' => out.extend_from_slice(short(name(&DAYS, weekday_of()?))),
        b'w' => number((weekday_of()? + 1) % 7, out),
        b'D' => {
            number(d.day(), out);
            out.extend_from_slice(match (d.day(), d.day() % 10) {
                (10..=19, _) => b"th",
                (_, 1) => b"st",
                (_, 2) => b"nd",
                (_, 3) => b"rd",
                _ => b"th",
            });
        }
        b'Y' => format_padded(d.year().into(), 4, out),
        b'y' => format_2(d.year() % 100, out),
        b'm' => format_2(d.month(), out),
        b'c' => number(d.month(), out),
        b'd' => format_2(d.day(), out),
        b'e' => number(d.day(), out),
        b'f' => format_padded(t.micro().into(), 6, out),
        b'H' => hours(h, out),
        b'k' => number(h, out),
        b'h' | b'I' => format_2(h12, out),
        b'l' => number(h12, out),
        b'i' => format_2(t.minute(), out),
        b'S' | b's' => format_2(t.second(), out),
        b'p' => out.extend_from_slice(half),
        b'r' | b'T' => {
            if spec == b'r' {
                format_2(h12, out)
            } else {
                hours(h, out)
            }
            out.push(b':');
            format_2(t.minute(), out);
            out.push(b':');
            format_2(t.second(), out);
            if spec == b'r' {
                out.push(b' ');
                out.extend_from_slice(half);
            }
        }
        b'j' => {
            dated()?;
            format_padded(day_of_year(d).into(), 3, out);
        }
        b'U' | b'u' | b'V' | b'v' => {
            dated()?;
            let mode = match spec {
                b'U' => 0,
                b'u' => 1,
                b'V' => 2,
                _ => 3,
            };
            format_2(week(d, mode).0, out);
        }
        b'X' | b'x' => {
            dated()?;
            format_padded(week(d, if spec == b'X' { 2 } else { 3 }).1.into(), 4, out);
        }
        other => out.push(other),
    }
    Some(())
}

/// Which parts a STR_TO_DATE format can set: decides the function's type.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FormatParts {
    /// Year, month, day, week.
    pub date: bool,
    /// Hour, minute, second.
    pub time: bool,
    /// %f.
    pub micros: bool,
}

/// The parts a format can set.
pub fn format_parts(fmt: &[u8]) -> FormatParts {
    let mut parts = FormatParts::default();
    let mut chars = fmt.iter();
    while let Some(&b) = chars.next() {
        if b != b'%' {
            continue;
        }
        match chars.next() {
            Some(b'f') => (parts.time, parts.micros) = (true, true),
            Some(b'H' | b'h' | b'I' | b'i' | b'k' | b'l' | b'p' | b'r' | b'S' | b's' | b'T') => parts.time = true,
            Some(
                b'a' | b'b' | b'c' | b'D' | b'd' | b'e' | b'j' | b'M' | b'm' | b'U' | b'u' | b'V' | b'v' | b'W' | b'w'
                | b'X' | b'x' | b'Y' | b'y',
            ) => parts.date = true,
            _ => {}
        }
    }
    parts
}

#[derive(Default)]
struct Fields {
    year: u32,
    month: u32,
    day: u32,
    hour: u32,
    minute: u32,
    second: u32,
    micro: u32,
    /// %h, %I, %l, %r were used.
    half_day_clock: bool,
    pm: bool,
    /// 1 = Monday ... 7 = Sunday, 0 = not given.
    weekday: u32,
    year_day: u32,
    week: Option<u32>,
    sunday_first: bool,
    /// %V, %v: the week's year is given by %X, %x.
    strict_week: bool,
    week_year: Option<(u32, bool)>,
}

struct Input<'a> {
    s: &'a [u8],
}

impl Input<'_> {
    fn skip_space(&mut self) {
        self.s = self.s.trim_ascii_start();
    }
    fn number(&mut self, max: usize) -> Option<(u32, usize)> {
        let n = self.s.iter().take(max).take_while(|b| b.is_ascii_digit()).count();
        let (head, rest) = self.s.split_at_checked(n)?;
        self.s = rest;
        (n > 0).then(|| (head.iter().fold(0, |a, b| a * 10 + u32::from(b - b'0')), n))
    }
    fn skip_while(&mut self, f: impl Fn(u8) -> bool) {
        let n = self.s.iter().take_while(|b| f(**b)).count();
        self.s = self.s.get(n..).unwrap_or(b"");
    }
    /// Index of the name that the word in front is, any case: the whole name, or a beginning that no other one has.
    fn one_of(&mut self, names: &[&'static str], abbreviated: bool) -> Option<u32> {
        let letters = self.s.iter().take_while(|b| b.is_ascii_alphabetic()).count();
        let (word, rest) = self.s.split_at_checked(letters)?;
        let (mut found, mut several) = (None, false);
        for (i, n) in names.iter().enumerate() {
            let n = if abbreviated { short(n.as_bytes()) } else { n.as_bytes() };
            if n.get(..word.len()).is_some_and(|h| h.eq_ignore_ascii_case(word)) {
                several = found.is_some();
                found = Some(i as u32);
                if n.len() == word.len() {
                    several = false;
                    break;
                }
            }
        }
        let found = found.filter(|_| !several)?;
        self.s = rest;
        Some(found)
    }
}

/// STR_TO_DATE: date and time parts, unchecked against sql_mode (see [`super::DateFlags::accepts`]); the flag says that
/// text was left over. Hours of a format without date parts may exceed 23 through days (%d with %H in a TIME format is
/// the caller's affair). `None`: NULL with warning 1411 "Incorrect datetime value".
pub fn str_to_date(s: &[u8], fmt: &[u8]) -> Option<(DateTime, bool)> {
    let mut f = Fields::default();
    let mut input = Input { s };
    scan(&mut input, fmt, &mut f)?;
    let value = f.finish()?;
    Some((value, !input.s.trim_ascii_start().is_empty()))
}

fn scan(input: &mut Input<'_>, fmt: &[u8], f: &mut Fields) -> Option<()> {
    let mut chars = fmt.iter();
    while let Some(&b) = chars.next() {
        input.skip_space();
        if input.s.is_empty() {
            break;
        }
        if b == b'%' && !chars.as_slice().is_empty() {
            let spec = *chars.next()?;
            field(input, spec, f)?;
        } else if !b.is_ascii_whitespace() {
            let (first, rest) = input.s.split_first()?;
            if *first != b {
                return None;
            }
            input.s = rest;
        }
    }
    Some(())
}

fn field(input: &mut Input<'_>, spec: u8, f: &mut Fields) -> Option<()> {
    match spec {
        b'Y' => {
            let (v, n) = input.number(4)?;
            f.year = if n <= 2 { expand_year(v) } else { v };
        }
        b'y' => f.year = expand_year(input.number(2)?.0),
        b'm' | b'c' => f.month = input.number(2)?.0,
        b'M' => f.month = input.one_of(&MONTHS, false)? + 1,
        b'b' => f.month = input.one_of(&MONTHS, true)? + 1,
        b'd' | b'e' => f.day = input.number(2)?.0,
        b'D' => {
            f.day = input.number(2)?.0;
            input.s = input.s.get(2.min(input.s.len())..)?;
        }
        b'h' | b'I' | b'l' => {
            f.half_day_clock = true;
            f.hour = input.number(2)?.0;
        }
        b'k' | b'H' => f.hour = input.number(2)?.0,
        b'i' => f.minute = input.number(2)?.0,
        b's' | b'S' => f.second = input.number(2)?.0,
        b'f' => {
            let (v, n) = input.number(6)?;
            f.micro = v * 10u32.pow(6 - n as u32);
        }
        b'p' => {
            let half = input.s.get(..2)?;
            f.pm = half.eq_ignore_ascii_case(b"PM");
            if !f.half_day_clock || !(f.pm || half.eq_ignore_ascii_case(b"AM")) {
                return None;
            }
            input.s = input.s.get(2..)?;
        }
        b'W' => f.weekday = input.one_of(&DAYS, false)? + 1,
        b'a' => f.weekday = input.one_of(&DAYS, true)? + 1,
        b'w' => {
            let (v, _) = input.number(1)?;
            if v > 6 {
                return None;
            }
            f.weekday = if v == 0 { 7 } else { v };
        }
        b'j' => f.year_day = input.number(3)?.0,
        b'U' | b'u' | b'V' | b'v' => {
            f.sunday_first = matches!(spec, b'U' | b'V');
            f.strict_week = matches!(spec, b'V' | b'v');
            let (v, _) = input.number(2)?;
            if v > 53 || (f.strict_week && v == 0) {
                return None;
            }
            f.week = Some(v);
        }
        b'X' | b'x' => {
            let (v, n) = input.number(4)?;
            f.week_year = Some((if n <= 2 { expand_year(v) } else { v }, spec == b'X'));
        }
        b'r' => scan(input, b"%I:%i:%S %p", f)?,
        b'T' => scan(input, b"%H:%i:%S", f)?,
        b'.' => input.skip_while(|b| b.is_ascii_punctuation()),
        b'@' => input.skip_while(|b| b.is_ascii_alphabetic()),
        b'#' => input.skip_while(|b| b.is_ascii_digit()),
        _ => return None,
    }
    Some(())
}

impl Fields {
    fn finish(mut self) -> Option<DateTime> {
        if self.half_day_clock {
            if self.hour > 12 || self.hour < 1 {
                return None;
            }
            self.hour = self.hour % 12 + if self.pm { 12 } else { 0 };
        }
        if self.year_day > 0 {
            self.set_day(to_days(Date::new(self.year, 1, 1)) + i64::from(self.year_day) - 1)?;
        }
        if let (Some(week), 1..) = (self.week, self.weekday) {
            self.set_day(self.day_of_week(week)?)?;
        }
        if self.month > 12 || self.day > 31 || self.hour > 23 || self.minute > 59 || self.second > 59 {
            return None;
        }
        Some(DateTime::new(self.year, self.month, self.day, self.hour, self.minute, self.second, self.micro))
    }

    /// Day number of the weekday in the week.
    fn day_of_week(&self, week: u32) -> Option<i64> {
        let year = match (self.strict_week, self.week_year) {
            // %V needs %X, %v needs %x; %U and %u go with %Y
            (true, Some((y, sunday))) if sunday == self.sunday_first => y,
            (false, None) => self.year,
            _ => return None,
        };
        let jan1 = to_days(Date::new(year, 1, 1));
        let first = (jan1 + if self.sunday_first { 6 } else { 5 }).rem_euclid(7);
        let weeks = (i64::from(week) - 1) * 7;
        Some(if self.sunday_first {
            jan1 + if first == 0 { 0 } else { 7 } - first + weeks + i64::from(self.weekday % 7)
        } else {
            jan1 + if first <= 3 { 0 } else { 7 } - first + weeks + i64::from(self.weekday) - 1
        })
    }

    fn set_day(&mut self, days: i64) -> Option<()> {
        if days <= 0 || days > MAX_DAY_NUMBER {
            return None;
        }
        let d = from_days(days);
        (self.year, self.month, self.day) = (d.year(), d.month(), d.day());
        Some(())
    }
}
