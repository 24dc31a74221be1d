//! Text of temporal values.

use super::types::{Date, DateTime, Time};
use super::zone::TimeZone;
use crate::number::{format_2, format_u64};

/// `YYYY-MM-DD`.
pub fn format_date(d: Date, out: &mut Vec<u8>) {
    let y = d.year();
    format_2(y / 100, out);
    format_2(y % 100, out);
    out.push(b'-');
    format_2(d.month(), out);
    out.push(b'-');
    format_2(d.day(), out);
}

fn hms(minute: u32, second: u32, out: &mut Vec<u8>) {
    out.push(b':');
    format_2(minute, out);
    out.push(b':');
    format_2(second, out);
}

/// `.ffffff` cut off to `fsp` digits; nothing for 0.
pub fn format_fraction(micro: u32, fsp: u8, out: &mut Vec<u8>) {
    if fsp == 0 {
        return;
    }
    out.push(b'.');
    let mut unit = 100_000;
    for _ in 0..fsp.min(6) {
        out.push(b'0' + (micro / unit % 10) as u8);
        unit /= 10;
    }
}

/// `YYYY-MM-DD hh:mm:ss[.ffffff]`.
pub fn format_datetime(v: DateTime, fsp: u8, out: &mut Vec<u8>) {
    format_date(v.date(), out);
    out.push(b' ');
    format_2(v.hour(), out);
    hms(v.minute(), v.second(), out);
    format_fraction(v.micro(), fsp, out);
}

/// `[-]hh:mm:ss[.ffffff]`, hours with at least two digits.
pub fn format_time(v: Time, fsp: u8, out: &mut Vec<u8>) {
    if v.is_negative() {
        out.push(b'-');
    }
    let h = v.hour();
    if h < 100 {
        format_2(h, out)
    } else {
        format_u64(u64::from(h), out)
    }
    hms(v.minute(), v.second(), out);
    format_fraction(v.micro(), fsp, out);
}

/// The time of a line in a log, given in microseconds since 1970: `2026-11-22T03:04:05.123456Z`, or in another zone than UTC with its offset.
pub fn log_stamp(us: u64, zone: &TimeZone) -> String {
    let seconds = (us / 1_000_000) as i64;
    let mut out = Vec::new();
    format_datetime(zone.from_unix(seconds, (us % 1_000_000) as u32), 6, &mut out);
    let offset = match zone {
        TimeZone::Offset(0) => "Z".to_owned(),
        _ => TimeZone::Offset(zone.offset_at(seconds)).name(),
    };
    String::from_utf8_lossy(&out).replace(' ', "T") + &offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_stamps() {
        assert_eq!(log_stamp(0, &TimeZone::UTC), "1970-01-01T00:00:00.000000Z");
        assert_eq!(log_stamp(951_782_400_000_001, &TimeZone::UTC), "2000-02-29T00:00:00.000001Z");
        assert_eq!(log_stamp(1_795_255_199_999_999, &TimeZone::UTC), "2026-11-21T09:59:59.999999Z");
        assert_eq!(log_stamp(1_795_255_199_999_999, &TimeZone::Offset(-5400)), "2026-11-21T08:29:59.999999-01:30");
    }
}
