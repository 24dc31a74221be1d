//! DATE_FORMAT and TIME_FORMAT. Source: manual, "DATE_FORMAT". Names by `lc_time_names`. STR_TO_DATE is `value::temporal::pattern`.

use value::temporal::calendar::{day_of_year, week, weekday};
use value::temporal::locale::Locale;
use value::{Charset, Date, Time};

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
    if t.is_negative() {
        out.push(b'-');
    }
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

#[cfg(test)]
mod tests {
    use value::DateTime;

    use super::*;

    #[test]
    fn formats() {
        let d = DateTime::new(2024, 2, 3, 14, 5, 6, 70_000);
        let style = Style { locale: Locale::by_name("en_US").unwrap(), charset: Charset::Utf8mb4 };
        let f = |p: &str| String::from_utf8(format(d.date(), d.time(), p.as_bytes(), false, style).unwrap()).unwrap();
        assert_eq!(f("%Y-%m-%d %H:%i:%s.%f"), "2024-02-03 14:05:06.070000");
        assert_eq!(f("%W %D %M %l%p"), "Saturday 3rd February 2PM");
        let negative = Time::new(true, 1, 2, 3, 0);
        assert_eq!(format(Date::default(), negative, b"%H:%i", true, style).unwrap(), b"-01:02");
    }
}
