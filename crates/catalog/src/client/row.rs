//! Writing values in wire format: what `executor` calls to append a row's columns to [`super::ResultSink::row`]'s buffer.
//!
//! A text row is one length-encoded string (or NULL) per column. A binary row is opened with [`begin_binary`]; NULLs are
//! marked with [`set_binary_null`], all other columns are appended in order with the `put_bin_*` functions.
//! Source: MySQL internals manual, "Protocol::ResultsetRow" and "Binary Protocol Resultset Row".

/// Appends a length-encoded integer.
#[inline]
pub fn put_lenenc_int(out: &mut Vec<u8>, n: u64) {
    if n < 251 {
        out.push(n as u8);
        return;
    }
    let [a, b, c, d, e, f, g, h] = n.to_le_bytes();
    if n < 1 << 16 {
        out.extend_from_slice(&[0xfc, a, b]);
    } else if n < 1 << 24 {
        out.extend_from_slice(&[0xfd, a, b, c]);
    } else {
        out.extend_from_slice(&[0xfe, a, b, c, d, e, f, g, h]);
    }
}

/// Appends a length-encoded string; this is also how a text row carries a value and a binary row a string, blob, decimal, bit, enum, set, json.
#[inline]
pub fn put_lenenc_str(out: &mut Vec<u8>, s: &[u8]) {
    put_lenenc_int(out, s.len() as u64);
    out.extend_from_slice(s);
}

/// Appends NULL to a text row.
#[inline]
pub fn put_text_null(out: &mut Vec<u8>) {
    out.push(0xfb);
}

/// Appends an integer to a text row, without an intermediate string.
#[inline]
pub fn put_text_i64(out: &mut Vec<u8>, v: i64) {
    put_decimal_digits(out, v.unsigned_abs(), v < 0);
}

/// Appends an unsigned integer to a text row.
#[inline]
pub fn put_text_u64(out: &mut Vec<u8>, v: u64) {
    put_decimal_digits(out, v, false);
}

/// Two digits at a time, from the end of a buffer whose beginning gets the sign and the length.
fn put_decimal_digits(out: &mut Vec<u8>, mut v: u64, negative: bool) {
    let mut buf = [0u8; 22];
    let mut start = buf.len();
    for pair in buf.rchunks_exact_mut(2).take(10) {
        let two = (v % 100) as u8;
        v /= 100;
        pair.copy_from_slice(&[b'0' + two / 10, b'0' + two % 10]);
        start -= 2;
        if v == 0 {
            start += usize::from(two < 10);
            break;
        }
    }
    let len = 22 - start + usize::from(negative);
    start -= 1 + usize::from(negative);
    if let Some([length, first, ..]) = buf.get_mut(start..) {
        *length = len as u8;
        if negative {
            *first = b'-';
        }
    }
    out.extend_from_slice(buf.get(start..).unwrap_or_default());
}

/// Starts a length-encoded string of at most 250 bytes whose length is not known yet; [`end_short_str`] fills it in.
#[inline]
pub fn begin_short_str(out: &mut Vec<u8>) -> usize {
    out.push(0);
    out.len()
}

/// Ends what [`begin_short_str`] (whose result is `start`) began. Longer content is moved up to make room for its length.
pub fn end_short_str(out: &mut Vec<u8>, start: usize) {
    let len = out.len().saturating_sub(start);
    if len < 251 {
        if let Some(b) = start.checked_sub(1).and_then(|at| out.get_mut(at)) {
            *b = len as u8;
        }
        return;
    }
    let mut prefix = Vec::with_capacity(9);
    put_lenenc_int(&mut prefix, len as u64);
    out.splice(start - 1..start, prefix);
}

/// Opens a binary row of `columns` columns at the end of `out`; returns the position of its NULL bitmap.
#[inline]
pub fn begin_binary(out: &mut Vec<u8>, columns: usize) -> usize {
    out.push(0);
    let at = out.len();
    out.resize(at + (columns + 9) / 8, 0);
    at
}

/// Marks column `i` NULL in the bitmap that [`begin_binary`] placed at `bitmap`.
#[inline]
pub fn set_binary_null(out: &mut [u8], bitmap: usize, i: usize) {
    let bit = i + 2;
    if let Some(b) = out.get_mut(bitmap + bit / 8) {
        *b |= 1 << (bit % 8);
    }
}

/// TINY.
#[inline]
pub fn put_bin_i8(out: &mut Vec<u8>, v: i8) {
    out.push(v as u8);
}
/// SHORT and YEAR.
#[inline]
pub fn put_bin_i16(out: &mut Vec<u8>, v: i16) {
    out.extend_from_slice(&v.to_le_bytes());
}
/// LONG and INT24 (four bytes both).
#[inline]
pub fn put_bin_i32(out: &mut Vec<u8>, v: i32) {
    out.extend_from_slice(&v.to_le_bytes());
}
/// LONGLONG; an unsigned value is passed as its bits.
#[inline]
pub fn put_bin_i64(out: &mut Vec<u8>, v: i64) {
    out.extend_from_slice(&v.to_le_bytes());
}
/// FLOAT.
#[inline]
pub fn put_bin_f32(out: &mut Vec<u8>, v: f32) {
    out.extend_from_slice(&v.to_le_bytes());
}
/// DOUBLE.
#[inline]
pub fn put_bin_f64(out: &mut Vec<u8>, v: f64) {
    out.extend_from_slice(&v.to_le_bytes());
}

/// DATE, DATETIME, TIMESTAMP. A DATE has `time` = (0, 0, 0, 0).
pub fn put_bin_datetime(out: &mut Vec<u8>, (year, month, day): (u16, u8, u8), time: (u8, u8, u8, u32)) {
    let (h, m, s, us) = time;
    let len = if us != 0 {
        11
    } else if (h, m, s) != (0, 0, 0) {
        7
    } else if (year, month, day) != (0, 0, 0) {
        4
    } else {
        0
    };
    out.push(len);
    if len >= 4 {
        out.extend_from_slice(&year.to_le_bytes());
        out.extend_from_slice(&[month, day]);
    }
    if len >= 7 {
        out.extend_from_slice(&[h, m, s]);
    }
    if len == 11 {
        out.extend_from_slice(&us.to_le_bytes());
    }
}

/// TIME; `hours` may exceed 23 and is split into days.
pub fn put_bin_time(out: &mut Vec<u8>, negative: bool, hours: u32, minutes: u8, seconds: u8, micros: u32) {
    if (hours, minutes, seconds, micros) == (0, 0, 0, 0) {
        out.push(0);
        return;
    }
    out.push(if micros != 0 { 12 } else { 8 });
    out.push(u8::from(negative));
    out.extend_from_slice(&(hours / 24).to_le_bytes());
    out.extend_from_slice(&[(hours % 24) as u8, minutes, seconds]);
    if micros != 0 {
        out.extend_from_slice(&micros.to_le_bytes());
    }
}

/// The columns of a row of the text protocol, read back: each a length and bytes, 0xfb for NULL.
pub fn text_cells(mut row: &[u8]) -> Vec<Option<String>> {
    let mut out = Vec::new();
    while let Some((first, rest)) = row.split_first() {
        let width = match first {
            0xfb => {
                out.push(None);
                row = rest;
                continue;
            }
            0xfc => 2,
            0xfd => 3,
            0xfe => 8,
            _ => 0,
        };
        let Some((len, rest)) = rest.split_at_checked(width) else { break };
        let len =
            if width == 0 { usize::from(*first) } else { len.iter().rev().fold(0, |n, b| n << 8 | usize::from(*b)) };
        let Some((cell, rest)) = rest.split_at_checked(len) else { break };
        out.push(Some(String::from_utf8_lossy(cell).into_owned()));
        row = rest;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_the_text_protocol() {
        let (mut row, long) = (Vec::new(), "x".repeat(70_000));
        put_lenenc_str(&mut row, b"");
        put_text_null(&mut row);
        put_lenenc_str(&mut row, "é".repeat(126).as_bytes());
        put_lenenc_str(&mut row, long.as_bytes());
        assert_eq!(text_cells(&row), [Some(String::new()), None, Some("é".repeat(126)), Some(long)]);
    }

    #[test]
    fn integers_as_text() {
        let (mut row, mut wanted) = (Vec::new(), Vec::new());
        let powers = (0..20).map(|n| 10u64.pow(n)).flat_map(|p| [p - 1, p, p + 1, p / 7 * 9]);
        for v in powers.chain([u64::MAX, i64::MAX as u64, 1 << 63]) {
            put_text_u64(&mut row, v);
            put_text_i64(&mut row, v as i64);
            put_text_i64(&mut row, (v as i64).wrapping_neg());
            wanted.extend([v.to_string(), (v as i64).to_string(), (v as i64).wrapping_neg().to_string()].map(Some));
        }
        assert_eq!(text_cells(&row), wanted);
    }
}
