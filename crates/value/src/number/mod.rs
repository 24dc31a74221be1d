//! Numbers and their text forms.
//!
//! * [`format_f64`], [`format_f32`]: DOUBLE and FLOAT as MySQL prints them; [`format_i64`], [`format_u64`].
//! * [`parse_f64_prefix`], [`parse_int_prefix`], [`parse_int_rounded`]: text read as a number: the longest prefix that is
//!   one; the caller warns (1292, 1265, 1366) when something is left over.

mod narrow;
mod parse;

#[cfg(test)]
mod tests;

pub use narrow::format_f64_within;
pub use parse::{IntParse, bytes_to_u64, parse_f64_prefix, parse_int_prefix, parse_int_rounded, rest_is_space};

use std::io::Write;

/// Appends a signed integer.
#[inline]
pub fn format_i64(v: i64, out: &mut Vec<u8>) {
    if v < 0 {
        out.push(b'-');
    }
    format_u64(v.unsigned_abs(), out);
}

/// "00" ... "99".
static PAIRS: [u8; 200] = {
    let mut t = [0u8; 200];
    let mut i = 0;
    #[allow(clippy::indexing_slicing)] // evaluated at compile time
    while i < 100 {
        t[i * 2] = b'0' + (i / 10) as u8;
        t[i * 2 + 1] = b'0' + (i % 10) as u8;
        i += 1;
    }
    t
};

/// Appends an unsigned integer.
#[inline]
#[allow(clippy::indexing_slicing)] // 20 digits are enough for 64 bits; the pair index is below 100
pub fn format_u64(mut v: u64, out: &mut Vec<u8>) {
    let mut buf = [0u8; 20];
    let mut at = 20;
    while v >= 100 {
        let p = (v % 100) as usize * 2;
        v /= 100;
        at -= 2;
        buf[at] = PAIRS[p];
        buf[at + 1] = PAIRS[p + 1];
    }
    if v >= 10 {
        let p = v as usize * 2;
        at -= 2;
        buf[at] = PAIRS[p];
        buf[at + 1] = PAIRS[p + 1];
    } else {
        at -= 1;
        buf[at] = b'0' + v as u8;
    }
    out.extend_from_slice(&buf[at..]);
}

/// Appends two digits (0-99).
#[inline]
pub fn format_2(v: u32, out: &mut Vec<u8>) {
    let p = v as usize % 100 * 2;
    out.extend_from_slice(PAIRS.get(p..p + 2).unwrap_or(b"00"));
}

/// Appends an unsigned integer with leading zeros up to `width`.
pub fn format_padded(v: u64, width: usize, out: &mut Vec<u8>) {
    let digits = if v == 0 { 1 } else { v.ilog10() as usize + 1 };
    out.extend(std::iter::repeat_n(b'0', width.saturating_sub(digits)));
    format_u64(v, out);
}

/// Digits of a DOUBLE from which two texts may be as near to it.
const LONG_TEXT: usize = 15;

/// Largest exponent that is written without `e`, both ways.
const MAX_PLAIN: i32 = 15;

/// Appends a DOUBLE: shortest text that reads back (of two as near the one with an even last digit), `e` form outside 1e-15 ... 1e15 unless there are
/// digits behind the point.
pub fn format_f64(v: f64, out: &mut Vec<u8>) {
    if v == 0.0 {
        // MySQL prints -0 as such
        out.extend_from_slice(if v.is_sign_negative() { b"-0" } else { b"0" });
        return;
    }
    // integers that an exact conversion prints the same way
    if v.abs() < 1e15 && v == v.trunc() {
        format_i64(v as i64, out);
        return;
    }
    let mut buf = [0u8; 40];
    let text = write_to(&mut buf, format_args!("{v:e}"));
    let digits = text.iter().take_while(|b| **b != b'e').filter(|b| b.is_ascii_digit()).count();
    // only the longest texts can lie in the middle between two
    if digits >= LONG_TEXT {
        let mut even = [0u8; 40];
        return layout(write_to(&mut even, format_args!("{v:.*e}", digits - 1)), out);
    }
    layout(text, out);
}

/// Appends a FLOAT: at most six significant digits.
pub fn format_f32(v: f32, out: &mut Vec<u8>) {
    if v == 0.0 {
        out.extend_from_slice(if v.is_sign_negative() { b"-0" } else { b"0" });
        return;
    }
    let mut buf = [0u8; 40];
    // six digits of the exact value, trailing zeros dropped by `layout`
    let text = write_to(&mut buf, format_args!("{:.5e}", f64::from(v)));
    layout(text, out);
}

/// Appends with exactly `decimals` digits after the point (DOUBLE(M,D), ROUND, FORMAT): the shortest text that reads back filled up with zeros
/// where it has no more digits than that, otherwise rounded (mode 5 of David Gay's dtoa).
pub fn format_f64_fixed(v: f64, decimals: u8, out: &mut Vec<u8>) {
    let start = out.len();
    let _ = write!(out, "{v}");
    let written = out.get(start..).unwrap_or_default();
    let behind = written.iter().position(|b| *b == b'.').map_or(0, |p| written.len() - p - 1);
    let decimals = decimals as usize;
    if behind > decimals {
        out.truncate(start);
        let _ = write!(out, "{v:.decimals$}");
        return;
    }
    if behind == 0 && decimals > 0 {
        out.push(b'.');
    }
    out.extend(std::iter::repeat_n(b'0', decimals - behind));
}

fn write_to<'b>(buf: &'b mut [u8; 40], args: std::fmt::Arguments<'_>) -> &'b [u8] {
    let mut cursor: &mut [u8] = buf;
    let _ = cursor.write_fmt(args);
    let left = cursor.len();
    buf.get(..40 - left).unwrap_or(b"")
}

/// From `d.ddde[-]x` to MySQL's form.
fn layout(text: &[u8], out: &mut Vec<u8>) {
    let (neg, text) = match text.strip_prefix(b"-") {
        Some(t) => (true, t),
        None => (false, text),
    };
    let e = text.iter().position(|&b| b == b'e').unwrap_or(text.len());
    let (mantissa, exponent) = text.split_at_checked(e).unwrap_or((text, b""));
    let exponent: i32 =
        exponent.get(1..).and_then(|x| std::str::from_utf8(x).ok()).and_then(|x| x.parse().ok()).unwrap_or(0);
    let mut digits = [0u8; 24];
    let mut n = 0;
    for &b in mantissa.iter().filter(|b| b.is_ascii_digit()) {
        if let Some(slot) = digits.get_mut(n) {
            *slot = b;
            n += 1;
        }
    }
    while n > 1 && digits.get(n - 1) == Some(&b'0') {
        n -= 1;
    }
    let digits = digits.get(..n).unwrap_or(b"0");
    if neg {
        out.push(b'-');
    }
    // position of the point relative to the first digit
    let point = exponent + 1;
    if !(-MAX_PLAIN + 1..=MAX_PLAIN.max(digits.len() as i32 - 1)).contains(&point) {
        let (first, rest) = digits.split_at_checked(1).unwrap_or((digits, b""));
        out.extend_from_slice(first);
        if !rest.is_empty() {
            out.push(b'.');
            out.extend_from_slice(rest);
        }
        out.push(b'e');
        format_i64(i64::from(exponent), out);
    } else if point <= 0 {
        out.extend_from_slice(b"0.");
        out.extend(std::iter::repeat_n(b'0', point.unsigned_abs() as usize));
        out.extend_from_slice(digits);
    } else {
        let point = point as usize;
        match digits.split_at_checked(point) {
            Some((int, frac)) => {
                out.extend_from_slice(int);
                if !frac.is_empty() {
                    out.push(b'.');
                    out.extend_from_slice(frac);
                }
            }
            None => {
                out.extend_from_slice(digits);
                out.extend(std::iter::repeat_n(b'0', point - digits.len()));
            }
        }
    }
}

/// Rounded to the nearest integer as MySQL stores a DOUBLE into an integer (half away from zero for .5 exactly is
/// `rint`'s half to even): `rint`.
#[inline]
pub fn rint(v: f64) -> f64 {
    v.round_ties_even()
}

/// Signed integer nearest to a double, saturating; `Err` when out of range.
pub fn f64_to_i64(v: f64) -> Result<i64, i64> {
    let r = rint(v);
    if r >= 9_223_372_036_854_775_808.0 {
        Err(i64::MAX)
    } else if r < -9_223_372_036_854_775_808.0 {
        Err(i64::MIN)
    } else {
        Ok(r as i64)
    }
}

/// Unsigned integer nearest to a double, saturating; `Err` when out of range.
pub fn f64_to_u64(v: f64) -> Result<u64, u64> {
    let r = rint(v);
    if r >= 18_446_744_073_709_551_616.0 {
        Err(u64::MAX)
    } else if r < 0.0 {
        Err(0)
    } else {
        Ok(r as u64)
    }
}
