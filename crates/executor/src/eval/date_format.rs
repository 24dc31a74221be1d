//! DATE_FORMAT, TIME_FORMAT and STR_TO_DATE. Source: manual, "DATE_FORMAT". Names by `lc_time_names`, in STR_TO_DATE English.

use value::temporal::calendar::{day_of_year, days_in_month, make_date, week, weekday};
use value::temporal::locale::Locale;
use value::{Charset, Date, DateTime, Time};

/// English names of months, for STR_TO_DATE.
pub(crate) const MONTHS: [&str; 12] = [
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
/// English names of days, Monday first.
pub(crate) const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// Appends a name in the result's character set.
fn name(out: &mut Vec<u8>, s: &str, cs: Charset) -> std::io::Result<()> {
    value::charset::convert(s.as_bytes(), Charset::Utf8mb4, cs, out);
    Ok(())
}

/// What formatting depends on besides the value: `lc_time_names` and the result's character set.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    /// Names.
    pub(crate) locale: &'static Locale,
    /// Character set of the result.
    pub(crate) charset: Charset,
}

/// Formats; `None` where MySQL gives NULL (month name of month 0).
pub(crate) fn format(date: Date, t: Time, pattern: &[u8], time_only: bool, style: Style) -> Option<Vec<u8>> {
    use std::io::Write;
    let mut out = Vec::with_capacity(pattern.len() * 3);
    let mut it = pattern.iter();
    let (h, mi, s) = (t.hour(), t.minute(), t.second());
    let h12 = if h % 12 == 0 { 12 } else { h % 12 };
    let real = !date.has_zero_part();
    while let Some(b) = it.next() {
        if *b != b'%' {
            out.push(*b);
            continue;
        }
        let Some(c) = it.next() else {
            out.push(b'%');
            break;
        };
        let date_spec = matches!(
            c,
            b'a' | b'b' | b'D' | b'd' | b'e' | b'j' | b'M' | b'W' | b'w' | b'U' | b'u' | b'V' | b'v' | b'X' | b'x'
        );
        if time_only && date_spec {
            return None;
        }
        let (l, cs) = (style.locale, style.charset);
        let _ = match c {
            b'a' | b'W' if !real => return None,
            b'a' => name(&mut out, l.short_day(weekday(date))?, cs),
            b'W' => name(&mut out, l.day(weekday(date))?, cs),
            b'b' => name(&mut out, l.short_month(date.month())?, cs),
            b'M' => name(&mut out, l.month(date.month())?, cs),
            b'c' => write!(out, "{}", date.month()),
            b'm' => write!(out, "{:02}", date.month()),
            b'd' => write!(out, "{:02}", date.day()),
            b'e' => write!(out, "{}", date.day()),
            b'D' => {
                let d = date.day();
                let suffix = match (d % 10, d) {
                    (_, 11..=13) => "th",
                    (1, _) => "st",
                    (2, _) => "nd",
                    (3, _) => "rd",
                    _ => "th",
                };
                write!(out, "{d}{suffix}")
            }
            b'f' => write!(out, "{:06}", t.micro()),
            b'H' => write!(out, "{h:02}"),
            b'h' | b'I' => write!(out, "{h12:02}"),
            b'i' => write!(out, "{mi:02}"),
            b'j' if !real => return None,
            b'j' => write!(out, "{:03}", day_of_year(date)),
            b'k' => write!(out, "{h}"),
            b'l' => write!(out, "{h12}"),
            b'p' => write!(out, "{}", if h % 24 < 12 { "AM" } else { "PM" }),
            b'r' => write!(out, "{h12:02}:{mi:02}:{s:02} {}", if h % 24 < 12 { "AM" } else { "PM" }),
            b'S' | b's' => write!(out, "{s:02}"),
            b'T' => write!(out, "{h:02}:{mi:02}:{s:02}"),
            b'U' | b'u' | b'V' | b'v' | b'X' | b'x' if !real => return None,
            b'U' => write!(out, "{:02}", week(date, 0).0),
            b'u' => write!(out, "{:02}", week(date, 1).0),
            b'V' => write!(out, "{:02}", week(date, 2).0),
            b'v' => write!(out, "{:02}", week(date, 3).0),
            b'X' => write!(out, "{:04}", week(date, 2).1),
            b'x' => write!(out, "{:04}", week(date, 3).1),
            b'w' if !real => return None,
            b'w' => write!(out, "{}", (weekday(date) + 1) % 7),
            b'Y' => write!(out, "{:04}", date.year()),
            b'y' => write!(out, "{:02}", date.year() % 100),
            c => {
                out.push(*c);
                Ok(())
            }
        };
    }
    Some(out)
}

/// Which parts a STR_TO_DATE pattern gives: (date, time, fraction).
pub(crate) fn parts(pattern: &[u8]) -> (bool, bool, bool) {
    let (mut d, mut t, mut f) = (false, false, false);
    let mut it = pattern.iter();
    while let Some(b) = it.next() {
        if *b == b'%'
            && let Some(c) = it.next()
        {
            match c {
                b'H' | b'h' | b'I' | b'i' | b'k' | b'l' | b'p' | b'r' | b'S' | b's' | b'T' => t = true,
                b'f' => {
                    t = true;
                    f = true;
                }
                b'%' => {}
                _ => d = true,
            }
        }
    }
    (d, t, f)
}

/// STR_TO_DATE; `None` when the text does not match.
pub(crate) fn parse(text: &[u8], pattern: &[u8]) -> Option<DateTime> {
    let mut s = text;
    let number = |s: &mut &[u8], max: usize| -> Option<u32> {
        let n = s.iter().take(max).take_while(|b| b.is_ascii_digit()).count();
        if n == 0 {
            return None;
        }
        let (d, rest) = s.split_at_checked(n)?;
        *s = rest;
        Some(d.iter().fold(0u32, |v, b| v * 10 + u32::from(b - b'0')))
    };
    let word = |s: &mut &[u8], list: &[&str], short: bool| -> Option<u32> {
        for (i, name) in list.iter().enumerate() {
            let name = if short { name.get(..3)? } else { name };
            if s.get(..name.len()).is_some_and(|p| p.eq_ignore_ascii_case(name.as_bytes())) {
                *s = s.get(name.len()..)?;
                return Some(i as u32);
            }
        }
        None
    };
    let (mut y, mut mo, mut d, mut h, mut mi, mut sec, mut us) = (0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32);
    let (mut pm, mut h12, mut yday) = (None::<bool>, false, None::<u32>);
    let mut it = pattern.iter().copied().peekable();
    while let Some(b) = it.next() {
        if b.is_ascii_whitespace() {
            s = s.trim_ascii_start();
            continue;
        }
        if b != b'%' {
            s = s.strip_prefix(&[b])?;
            continue;
        }
        let c = it.next()?;
        if !matches!(c, b'%') {
            s = s.trim_ascii_start();
        }
        if s.is_empty() {
            break;
        }
        match c {
            b'Y' => y = number(&mut s, 4)?,
            b'y' => {
                let n = number(&mut s, 2)?;
                y = if n < 70 { 2000 + n } else { 1900 + n };
            }
            b'm' | b'c' => mo = number(&mut s, 2)?,
            b'd' | b'e' => d = number(&mut s, 2)?,
            b'D' => {
                d = number(&mut s, 2)?;
                s = s.get(2..)?;
            }
            b'M' => mo = word(&mut s, &MONTHS, false)? + 1,
            b'b' => mo = word(&mut s, &MONTHS, true)? + 1,
            b'W' => {
                word(&mut s, &DAYS, false)?;
            }
            b'a' => {
                word(&mut s, &DAYS, true)?;
            }
            b'j' => yday = Some(number(&mut s, 3)?),
            b'H' | b'k' => h = number(&mut s, 2)?,
            b'h' | b'I' | b'l' => {
                h = number(&mut s, 2)?;
                h12 = true;
            }
            b'i' => mi = number(&mut s, 2)?,
            b'S' | b's' => sec = number(&mut s, 2)?,
            b'f' => {
                let n = s.iter().take(6).take_while(|b| b.is_ascii_digit()).count();
                us = number(&mut s, 6)? * 10u32.pow(6 - n as u32);
            }
            b'p' => {
                let p = s.get(..2)?;
                pm = Some(if p.eq_ignore_ascii_case(b"PM") {
                    true
                } else if p.eq_ignore_ascii_case(b"AM") {
                    false
                } else {
                    return None;
                });
                s = s.get(2..)?;
            }
            b'T' | b'r' => {
                h = number(&mut s, 2)?;
                s = s.strip_prefix(b":")?;
                mi = number(&mut s, 2)?;
                s = s.strip_prefix(b":")?;
                sec = number(&mut s, 2)?;
                if c == b'r' {
                    h12 = true;
                    s = s.trim_ascii_start();
                    pm = Some(s.get(..2)?.eq_ignore_ascii_case(b"PM"));
                    s = s.get(2..)?;
                }
            }
            b'%' => s = s.strip_prefix(b"%")?,
            _ => return None,
        }
    }
    if h12 {
        if !(1..=12).contains(&h) {
            return None;
        }
        h %= 12;
        if pm == Some(true) {
            h += 12;
        }
    }
    if let Some(n) = yday {
        let date = make_date(i64::from(y), i64::from(n))?;
        (mo, d) = (date.month(), date.day());
    }
    let ok = mo <= 12 && h < 24 && mi < 60 && sec < 60 && (mo == 0 || d <= days_in_month(y, mo)) && d <= 31;
    ok.then(|| DateTime::new(y, mo, d, h, mi, sec, us))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_and_parses() {
        let d = DateTime::new(2024, 2, 3, 14, 5, 6, 70_000);
        let style = Style { locale: Locale::by_name("en_US").unwrap(), charset: Charset::Utf8mb4 };
        let f = |p: &str| String::from_utf8(format(d.date(), d.time(), p.as_bytes(), false, style).unwrap()).unwrap();
        assert_eq!(f("%Y-%m-%d %H:%i:%s.%f"), "2024-02-03 14:05:06.070000");
        assert_eq!(f("%W %D %M %l%p"), "Saturday 3rd February 2PM");
        assert_eq!(parse(b"03/02/2024 14:05", b"%d/%m/%Y %H:%i"), Some(DateTime::new(2024, 2, 3, 14, 5, 0, 0)));
        assert_eq!(parse(b"Feb 30 2024", b"%b %d %Y"), None);
    }
}
