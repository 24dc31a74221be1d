//! Text read as numbers.

use crate::decimal::Decimal;

/// Whether only white space is left.
#[inline]
pub fn rest_is_space(s: &[u8], from: usize) -> bool {
    s.get(from..).is_none_or(|r| r.iter().all(u8::is_ascii_whitespace))
}

fn skip_space(s: &[u8]) -> usize {
    s.iter().take_while(|b| b.is_ascii_whitespace()).count()
}

/// The number at the start of `s` and the bytes it takes (0: there is none, value 0). Values too large become
/// `f64::MAX` with its sign and `true` in the third place.
pub fn parse_f64_prefix(s: &[u8]) -> (f64, usize, bool) {
    let start = skip_space(s);
    let at = |i: usize| s.get(i).copied().unwrap_or(0);
    let mut i = start;
    if matches!(at(i), b'+' | b'-') {
        i += 1;
    }
    let first_digit = i;
    let mut int: u64 = 0;
    while at(i).is_ascii_digit() {
        int = int.wrapping_mul(10).wrapping_add(u64::from(at(i) - b'0'));
        i += 1;
    }
    let mut digits = i - first_digit;
    let plain = digits;
    if at(i) == b'.' {
        let mut j = i + 1;
        while at(j).is_ascii_digit() {
            j += 1;
        }
        digits += j - i - 1;
        if digits > 0 {
            i = j;
        }
    }
    if digits == 0 {
        return (0.0, 0, false);
    }
    if matches!(at(i), b'e' | b'E') {
        let mut j = i + 1;
        if matches!(at(j), b'+' | b'-') {
            j += 1;
        }
        if at(j).is_ascii_digit() {
            while at(j).is_ascii_digit() {
                j += 1;
            }
            i = j;
        }
    }
    let neg = at(start) == b'-';
    if i == first_digit + plain && plain <= 15 {
        // an integer that a double holds exactly
        return (if neg { -(int as f64) } else { int as f64 }, i, false);
    }
    let v: f64 = s.get(start..i).and_then(|t| std::str::from_utf8(t).ok()).and_then(|t| t.parse().ok()).unwrap_or(0.0);
    if v.is_infinite() { (f64::MAX.copysign(v), i, true) } else { (v, i, false) }
}

/// What [`parse_int_prefix`] and [`parse_int_rounded`] found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntParse {
    /// The value; limited to -2^63 ... 2^64-1.
    pub value: i128,
    /// Bytes used; 0 when there is no number.
    pub consumed: usize,
    /// The value was limited.
    pub overflow: bool,
}

/// Blanks and tabs: all that may stand before an integer, while other white space may stand before other numbers.
fn skip_blanks(s: &[u8]) -> usize {
    s.iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
}

/// Digits at the start only: '1.9' is 1, '1e3' is 1 (CAST of text to SIGNED/UNSIGNED, LIMIT-like contexts).
pub fn parse_int_prefix(s: &[u8]) -> IntParse {
    let mut i = skip_blanks(s);
    let neg = match s.get(i) {
        Some(b'-') => {
            i += 1;
            true
        }
        Some(b'+') => {
            i += 1;
            false
        }
        _ => false,
    };
    let start = i;
    let mut v: i128 = 0;
    let mut overflow = false;
    while let Some(d) = s.get(i).filter(|b| b.is_ascii_digit()) {
        v = v * 10 + i128::from(d - b'0');
        if v > u64::MAX as i128 {
            v = u64::MAX as i128;
            overflow = true;
        }
        i += 1;
    }
    if i == start {
        return IntParse { value: 0, consumed: 0, overflow: false };
    }
    if neg {
        v = -v;
        if v < i64::MIN as i128 {
            v = i64::MIN as i128;
            overflow = true;
        }
    }
    IntParse { value: v, consumed: i, overflow }
}

/// The number at the start, rounded half away from zero (storing text into an integer column): '1.5' is 2, '1e3' 1000.
pub fn parse_int_rounded(s: &[u8]) -> IntParse {
    let plain = parse_int_prefix(s);
    if !matches!(s.get(plain.consumed), Some(b'.' | b'e' | b'E')) && plain.consumed > 0 {
        return plain;
    }
    if skip_space(s) != skip_blanks(s) {
        return IntParse { value: 0, consumed: 0, overflow: false };
    }
    let p = Decimal::parse_prefix(s);
    if p.consumed == 0 {
        return IntParse { value: 0, consumed: 0, overflow: false };
    }
    let r = p.value.round(0);
    let (lo, hi) = (i64::MIN as i128, u64::MAX as i128);
    match r.to_i128() {
        Some(v) if !p.overflow => {
            IntParse { value: v.clamp(lo, hi), consumed: p.consumed, overflow: !(lo..=hi).contains(&v) }
        }
        _ => IntParse { value: if p.value.is_negative() { lo } else { hi }, consumed: p.consumed, overflow: true },
    }
}

/// A binary string as a number (hex and bit literals, BIT columns): the last eight bytes, big-endian.
pub fn bytes_to_u64(s: &[u8]) -> u64 {
    s.iter().skip(s.len().saturating_sub(8)).fold(0, |a, &b| a << 8 | u64::from(b))
}
