//! TIME, DATETIME and TIMESTAMP in row images: big-endian numbers whose order is that of the times, and a fraction of 0
//! to 3 bytes behind them. A reader refuses what no clock shows.

use crate::le::{Reader, put_be};
use crate::{Malformed, Result};
use value::temporal::calendar::{civil_from_days, days_from_civil};
use value::{DateTime, Time};

/// Bytes of a fraction of so many digits, and how many microseconds one unit of it is.
const fn fraction(fsp: u8) -> (usize, u32) {
    match fsp {
        0 => (0, 1_000_000),
        1 | 2 => (1, 10_000),
        3 | 4 => (2, 100),
        _ => (3, 1),
    }
}

fn put_fraction(micro: u32, fsp: u8, out: &mut Vec<u8>) {
    let (bytes, unit) = fraction(fsp);
    put_be(out, u64::from(micro / unit), bytes);
}

fn take_fraction(fsp: u8, r: &mut Reader<'_>) -> Result<u32> {
    let (bytes, unit) = fraction(fsp);
    let n = r.be(bytes)?;
    match n < 1_000_000 / u64::from(unit) || bytes == 0 {
        true => Ok(n as u32 * if bytes == 0 { 0 } else { unit }),
        false => Err(Malformed("a fraction of a second beyond one")),
    }
}

/// Hours, minutes, seconds and fraction as one number, negated for times below zero, with 0x800000 at the front.
pub(crate) fn put_time(t: Time, fsp: u8, out: &mut Vec<u8>) {
    let (bytes, unit) = fraction(fsp);
    let hms = i64::from(t.hour()) << 12 | i64::from(t.minute()) << 6 | i64::from(t.second());
    let whole = hms << (8 * bytes) | if bytes == 0 { 0 } else { i64::from(t.micro() / unit) };
    let whole = if t.is_negative() { -whole } else { whole };
    put_be(out, ((0x80_0000i64 << (8 * bytes)) + whole) as u64, 3 + bytes);
}

pub(crate) fn take_time(fsp: u8, r: &mut Reader<'_>) -> Result<Time> {
    let (bytes, unit) = fraction(fsp);
    let whole = r.be(3 + bytes)? as i64 - (0x80_0000i64 << (8 * bytes));
    let (hms, part) = (whole.abs() >> (8 * bytes), whole.abs() & ((1 << (8 * bytes)) - 1));
    let micro = if bytes == 0 { 0 } else { part as u32 * unit };
    let t = Time::new(whole < 0, (hms >> 12) as u32, (hms >> 6) as u32 & 63, hms as u32 & 63, micro);
    if t.minute() > 59 || t.second() > 59 || micro > 999_999 || hms >> 12 > 838 {
        return Err(Malformed("a TIME that cannot be"));
    }
    Ok(t)
}

/// Year and month, day, hour, minute, second as bits of one number, with 1 << 39 at the front.
pub(crate) fn put_datetime(d: DateTime, fsp: u8, out: &mut Vec<u8>) {
    let ymd = (u64::from(d.year()) * 13 + u64::from(d.month())) << 5 | u64::from(d.day());
    let hms = u64::from(d.hour()) << 12 | u64::from(d.minute()) << 6 | u64::from(d.second());
    put_be(out, 1 << 39 | ymd << 17 | hms, 5);
    put_fraction(d.micro(), fsp, out);
}

pub(crate) fn take_datetime(fsp: u8, r: &mut Reader<'_>) -> Result<DateTime> {
    let whole = r.be(5)?.wrapping_sub(1 << 39);
    let micro = take_fraction(fsp, r)?;
    let (ymd, hms) = (whole >> 17, whole as u32 & 0x1_ffff);
    let (year, month) = ((ymd >> 5) / 13, (ymd >> 5) % 13);
    if year > 9999 || hms >> 12 > 23 || (hms >> 6) & 63 > 59 || hms & 63 > 59 {
        return Err(Malformed("a DATETIME that cannot be"));
    }
    Ok(DateTime::new(year as u32, month as u32, ymd as u32 & 31, hms >> 12, (hms >> 6) & 63, hms & 63, micro))
}

/// Seconds since 1970.
pub(crate) fn put_timestamp(d: DateTime, fsp: u8, out: &mut Vec<u8>) {
    put_be(out, unix_seconds(d), 4);
    put_fraction(if d.is_zero() { 0 } else { d.micro() }, fsp, out);
}

pub(crate) fn take_timestamp(fsp: u8, r: &mut Reader<'_>) -> Result<DateTime> {
    let seconds = r.be(4)?;
    Ok(from_unix(seconds, take_fraction(fsp, r)?))
}

/// Seconds since 1970 of a moment in UTC; the zero date is 0.
fn unix_seconds(d: DateTime) -> u64 {
    if d.is_zero() {
        return 0;
    }
    let days = days_from_civil(d.year(), d.month(), d.day());
    let seconds = days * 86_400 + i64::from(d.hour()) * 3600 + i64::from(d.minute()) * 60 + i64::from(d.second());
    seconds.clamp(0, i64::from(u32::MAX)) as u64
}

fn from_unix(seconds: u64, micro: u32) -> DateTime {
    if seconds == 0 {
        return DateTime::ZERO;
    }
    let (days, rest) = (seconds / 86_400, (seconds % 86_400) as u32);
    let (y, m, d) = civil_from_days(days as i64);
    DateTime::new(y, m, d, rest / 3600, rest / 60 % 60, rest % 60, micro)
}
